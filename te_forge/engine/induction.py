"""Rounds that draw from decks, solved for all decks at once: backwards for what is best, forwards for how likely each end is.

What a round does is a small tree for each state that it can begin in, whatever is left in the decks (`Tree`). What is left decides only how likely each end of
it is. So the rounds are a game on pairs of a state and a deck. Three things keep it small enough to be walked through for hundreds of thousands of decks:

- A deck is one whole number with a field for each sort of card. To draw is to subtract, and in what order cards were drawn is forgotten.
- A counter that the rounds only count with stands beside the state. Two of its values are one for as long as whatever they can still come to differs by a
  constant (`Layer.sorted_out`): then the same choices are best.
- How likely each value of the counters is, for one state and one deck, is one whole number with a lane for each of them. To count is to shift it, to merge is to add.

All weights of one layer and one size of the decks have one denominator, so that nothing but whole numbers is added up.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, cached_property
from math import lcm, perm, prod
from operator import itemgetter
from typing import Any

MOST_DECKS = 2_500_000
Counts = tuple[int, ...]
Cards = tuple[tuple[int, int], ...]
"""Which cards are drawn, by the number of their sort, and how many of each."""
Sizes = tuple[int, ...]
"""How many cards each deck has."""
Exit = tuple[int, Counts]
"""An ending by its number, with what every counter has come to."""
Start = tuple[int, int, Counts]
"""A state by its number, the decks, and the counters."""


@dataclass(frozen=True, slots=True)
class Tip:
    """One end of a round: how likely it is but for the decks, what it draws, what the counters gain, and the state behind it; or an ending, where with it all rounds are over."""

    weight: Fraction
    cards: Cards
    gained: Counts
    to: int
    over: bool = False


@dataclass(frozen=True, slots=True)
class Branches:
    """What chance decides, or (`picked`) somebody for whatever is best."""

    trees: tuple[Tree, ...]
    picked: bool = False


Tree = Tip | Branches


class TooManyDecks(Exception):
    """More decks than are followed."""


class Decks:
    """The decks that are drawn from, as one whole number."""

    def __init__(self, copies: tuple[tuple[int, ...], ...]) -> None:
        """Of each deck how many there are of each sort at most."""
        self.copies = copies
        self.bits = 1 + max((many for deck in copies for many in deck), default=1).bit_length()  # room for what is put back
        self.field = (1 << self.bits) - 1

    def code(self, left: Iterable[int]) -> int:
        return sum(many << at * self.bits for at, many in enumerate(left))

    def unit(self, cards: Cards) -> int:
        return sum(many << sort * self.bits for sort, many in cards)

    def shift(self, cards: Cards) -> int:
        """Where in the number of a deck the ways to draw a single card stand; below 0 for what is not a single card."""
        return cards[0][0] * self.bits if len(cards) == 1 and cards[0][1] == 1 else -1

    def by_deck(self, of_sort: Callable[[int], int]) -> Sizes:
        ends, found = 0, []
        for deck in self.copies:
            begins, ends = ends, ends + len(deck)
            found.append(sum(map(of_sort, range(begins, ends))))
        return tuple(found)

    def sizes(self, deck: int) -> Sizes:
        return self.by_deck(lambda sort: deck >> sort * self.bits & self.field)

    def taken(self, cards: Cards) -> Sizes:
        drawn = dict(cards)
        return self.by_deck(lambda sort: drawn.get(sort, 0))

    def ways(self, deck: int, cards: Cards) -> int:
        """In how many ways these cards can be drawn, one after the other."""
        return prod(perm(deck >> sort * self.bits & self.field, many) for sort, many in cards)


@dataclass(frozen=True, slots=True)
class Game:
    """What the rounds do: a tree for each state, and the ending that it is once all rounds have been. There are cards enough for all of them."""

    trees: tuple[Tree, ...]
    endings: tuple[int, ...]
    decks: Decks
    rounds: int

    def reached(self, starts: Iterable[Start]) -> tuple[list[set[tuple[int, Counts]]], list[Exit]]:
        """The states with their counters before each round, and the exits; not all of them need be possible with what is in the decks."""
        layers = [{(state, counts) for state, _, counts in starts}]
        exits: dict[Exit, None] = {}
        for _ in range(self.rounds):
            layers.append(set())
            for state, counts in sorted(layers[-2]):
                for tip in tips(self.trees[state]):
                    if tip.over:
                        exits[tip.to, plus(counts, tip.gained)] = None
                    else:
                        layers[-1].add((tip.to, plus(counts, tip.gained)))
        exits |= dict.fromkeys((self.endings[state], counts) for state, counts in sorted(layers[-1]))
        return layers, list(exits)

    def most_drawn(self, starts: Iterable[Start]) -> Sizes:
        """How many cards of each deck are drawn at most."""
        most: dict[int, Sizes] = {state: (0,) * len(self.decks.copies) for state, _, _ in starts}
        highest = [(0,) * len(self.decks.copies)]
        for _ in range(self.rounds):
            then: dict[int, Sizes] = {}
            for state, drawn in most.items():
                for tip in tips(self.trees[state]):
                    now = plus(drawn, self.decks.taken(tip.cards))
                    highest.append(now)
                    if not tip.over:
                        then[tip.to] = tuple(map(max, now, then.get(tip.to, now)))
            most = then
        return tuple(map(max, zip(*highest, strict=True)))


def merged(game: Game) -> tuple[Game, tuple[int, ...]]:
    """The game with one state for all that nothing tells apart, and which one that is for each."""
    number = list(game.endings)
    while True:
        known: dict[Any, int] = {}
        again = [known.setdefault((ending, led(tree, number)), len(known)) for tree, ending in zip(game.trees, game.endings, strict=True)]
        if len(known) == len(set(number)):
            break
        number = again
    firsts = [again.index(one) for one in range(len(known))]
    return Game(tuple(led(game.trees[one], again) for one in firsts), tuple(game.endings[one] for one in firsts), game.decks, game.rounds), tuple(again)


def led(tree: Tree, number: Sequence[int]) -> Tree:
    """The tree with other numbers of the states that it leads to."""
    if isinstance(tree, Branches):
        return Branches(tuple(led(one, number) for one in tree.trees), tree.picked)
    return tree if tree.over else Tip(tree.weight, tree.cards, tree.gained, number[tree.to])


def tips(tree: Tree) -> Iterator[Tip]:
    if isinstance(tree, Tip):
        yield tree
    else:
        for one in tree.trees:
            yield from tips(one)


def plus(one: Counts, other: Counts) -> Counts:
    return tuple(map(int.__add__, one, other))


# ---------------------------------------------------------------- one round


@dataclass(frozen=True, slots=True)
class Kind:
    """One end of a round as a layer needs it. States that share an end share it: it is looked at once for each deck."""

    weight: Fraction
    cards: Cards
    lanes: int
    """By how many lanes the weights are shifted."""
    to: int
    """The place behind it in the next layer; below 0 it is an ending (-1 is the first)."""
    more: int
    """How much more it is worth than the place that it begins at, at the least that is known of both."""


Option = tuple[int, ...]
"""The ends of a round that a way to decide leads to, by the numbers of their kinds."""


class Place:
    """One state of a layer, with one or more values of the counters."""

    def __init__(self, tree: Any, undecided: bool) -> None:
        self.tree = tree
        """Kinds by number; a list is chance, a tuple is somebody's choice."""
        self.undecided = undecided
        """Whether it still matters what happens. Where it does not, the first of all answers is given."""
        self.options: list[Option] = []
        self.numbers: dict[Option, int] = {}
        flat = tree if isinstance(tree, tuple) else (tree,)
        self.flat = all(isinstance(kind, int) for one in flat for kind in (one if isinstance(one, list) else [one]))
        if self.flat:
            self.options = [tuple(one) if isinstance(one, list) else (one,) for one in flat]
        else:
            self.number(first(tree))
        self.picks = tuple(itemgetter(*one, -1, -1) for one in self.options)
        """Take what the kinds of an option are worth out of a list of all kinds, the last of which is worth nothing."""

    def number(self, option: Option) -> int:
        """The option is kept by its number, which is short."""
        if option not in self.numbers:
            self.numbers[option] = len(self.options)
            self.options.append(option)
        return self.numbers[option]

    def best(self, worth: list[int]) -> tuple[int, int]:
        """What it comes to when each kind is worth this, and the number of the first option that does so."""
        if not self.flat:
            found, option = best(self.tree, worth)
            return found, self.number(option)
        if len(self.picks) == 1:
            return sum(self.picks[0](worth)), 0
        values = [sum(pick(worth)) for pick in self.picks]
        highest = max(values)
        return highest, values.index(highest)


def first(tree: Any) -> Option:
    if isinstance(tree, int):
        return (tree,)
    return first(tree[0]) if isinstance(tree, tuple) else tuple(kind for one in tree for kind in first(one))


def best(tree: Any, worth: list[int]) -> tuple[int, Option]:
    if isinstance(tree, int):
        return worth[tree], (tree,)
    found = [best(one, worth) for one in tree]
    if isinstance(tree, tuple):
        return max(found, key=lambda one: one[0])
    return sum(value for value, _ in found), tuple(kind for _, option in found for kind in option)


Places = tuple[tuple[tuple[int, Place], ...], tuple[tuple[int, Place], ...]]
"""Those at which something is still open, and the others, with their numbers."""


@dataclass(frozen=True, slots=True)
class Draw:
    """One way to draw, with the kinds that are drawn so: their number, a factor, their place in the next layer, and what is added to what that is worth."""

    cards: Cards
    unit: int
    shift: int
    kinds: tuple[tuple[int, int, int, int], ...]


class Pattern:
    """What is decided at the places that share a deck of some size. Thousands of decks have the same."""

    def __init__(self, sizes: Sizes, chosen: Iterable[tuple[int, Option]]) -> None:
        self.sizes = sizes
        self.here: list[int] = []
        self.places: dict[int, list[int]] = {}
        """Which places come to each kind of end."""
        for place, option in chosen:
            self.here.append(place)
            for kind in option:
                self.places.setdefault(kind, []).append(place)


class Layer:
    """All that is the same for all decks before one round."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.at: dict[tuple[int, Counts], tuple[int, int]] = {}
        """Of a state with its counters the place, and how much of its worth is certain."""
        self.places: list[Place] = []
        self.kinds: list[Kind] = []
        self.decks: dict[int, Any] = {}
        """Before the round: which places there are with a deck, as bits; then the pattern."""
        self.sizes: set[Sizes] = set()
        self.below: dict[Sizes, int] = {}
        """The denominator of what the places are worth, by the size of the decks."""
        self.above: dict[Sizes, int] = {}
        """The denominator of how likely they are."""
        self.out = 1
        """The denominator of how likely the exits of this round are."""

    def sorted_out(self, tails: Mapping[tuple[int, Counts], tuple[int, ...]]) -> list[tuple[int, Counts]]:
        """States with counters of which all that they can come to differs by a constant are one place. One of each place."""
        known: dict[Any, int] = {}
        found: list[tuple[int, Counts]] = []
        for at, tail in sorted(tails.items()):
            least = min(tail, default=0)
            key = at[0], tuple(one - least for one in tail)
            if key not in known:
                known[key] = len(found)
                found.append(at)
            self.at[at] = known[key], least
        return found

    @cached_property
    def moves(self) -> tuple[dict[Cards, int], ...]:
        """What can be drawn from each place, with the places behind it as bits."""
        found: list[dict[Cards, int]] = []
        for place in self.places:
            behind: dict[Cards, int] = {}
            for kind in map(self.kinds.__getitem__, kinds_of(place.tree)):
                if kind.to >= 0:
                    behind[kind.cards] = behind.get(kind.cards, 0) | 1 << kind.to
            found.append(behind)
        return tuple(found)

    def moves_of(self, bits: int) -> list[tuple[Cards, int, int, int]]:
        """What can be drawn from these places on: the cards, what is taken off the number of the deck, where it says how many there are, and the places behind it."""
        found: dict[Cards, int] = {}
        for moves in (moves for number, moves in enumerate(self.moves) if bits >> number & 1):
            for cards, to in moves.items():
                found[cards] = found.get(cards, 0) | to
        decks = self.game.decks
        return [(cards, decks.unit(cards), decks.shift(cards), to) for cards, to in found.items()]

    def after(self, sizes: Sizes, kind: Kind) -> Sizes | None:
        """The size of the decks behind an end; None if there are not so many cards."""
        left = tuple(map(int.__sub__, sizes, self.game.decks.taken(kind.cards)))
        return left if min(left, default=0) >= 0 else None

    def orders(self, sizes: Sizes, kind: Kind) -> int:
        """Out of how many orders of cards one is that of an end."""
        return prod(map(perm, sizes, self.game.decks.taken(kind.cards)))


class Solved:
    """The game from these starts on, everybody who picks doing what makes the mean of `worth` highest, and the first of such things."""

    def __init__(self, game: Game, starts: Mapping[Start, Fraction], worth: Mapping[Exit, Fraction]) -> None:
        self.game, self.starts = game, starts
        self.scale = lcm(*(one.denominator for one in worth.values()))
        self.worth = {at: int(one * self.scale) for at, one in worth.items()}
        self.reached, self.exits = game.reached(starts)
        self.layers = [Layer(game) for _ in range(game.rounds)]
        self.lay_lanes()
        self.lay_out()
        self.spread_out()
        self.value = self.solve()

    # ------------------------------------------------------------ lanes

    def lay_lanes(self) -> None:
        """Each value of the counters gets a lane. A counter that the others tell is left out, and none ever falls: what it could lose in a round is added in each."""
        width = len(next(iter(self.starts))[2])
        gains = [tip.gained for tree in self.game.trees for tip in tips(tree)]
        self.loss = tuple(min((one[at] for one in gains), default=0) for at in range(width))
        lowest = tuple(min(counts[at] for _, _, counts in self.starts) for at in range(width))
        self.zero = [tuple(low + number * loss for low, loss in zip(lowest, self.loss, strict=True)) for number in range(self.game.rounds + 1)]
        seen = [{counts for _, counts in layer} for layer in self.reached]
        for number, layer in enumerate(self.reached[:-1]):
            seen[number + 1] |= {plus(counts, tip.gained) for state, counts in layer for tip in tips(self.game.trees[state]) if tip.over}
        kept = list(range(width))
        for at in range(width):
            rest = [one for one in kept if one != at]
            if all(len({tuple(counts[one] for one in rest) for counts in layer}) == len(layer) for layer in seen):
                kept = rest
        self.strides = [0] * width
        stride = 1
        for at in kept:
            self.strides[at] = stride
            stride *= 1 + max(counts[at] - zero[at] for layer, zero in zip(seen, self.zero, strict=True) for counts in layer)
        self.lanes = [{self.lane(counts, number): counts for counts in layer} for number, layer in enumerate(seen)]

    def lane(self, counts: Counts, number: int) -> int:
        return sum(stride * (count - zero) for stride, count, zero in zip(self.strides, counts, self.zero[number], strict=True))

    # ------------------------------------------------------------ places and kinds

    def lay_out(self) -> None:
        """Places and kinds of all layers, the last one first."""
        for number in range(self.game.rounds - 1, -1, -1):
            here = {at: self.tail(number, at) for at in self.reached[number]}
            layer = self.layers[number]
            kinds: dict[Kind, int] = {}
            for at in layer.sorted_out(here):
                layer.places.append(Place(self.numbered(number, at, self.game.trees[at[0]], Fraction(1), kinds), len(set(here[at])) > 1))
            layer.kinds = list(kinds)

    @cached_property
    def relative(self) -> Callable[[int, int], tuple[Exit, ...]]:
        """The exits that can be reached from a state before a round, counters from 0."""

        @cache
        def found(number: int, state: int) -> tuple[Exit, ...]:
            exits: set[Exit] = set()
            for tip in tips(self.game.trees[state]):
                if tip.over:
                    exits.add((tip.to, tip.gained))
                elif number + 1 == self.game.rounds:
                    exits.add((self.game.endings[tip.to], tip.gained))
                else:
                    exits |= {(ending, plus(tip.gained, more)) for ending, more in found(number + 1, tip.to)}
            return tuple(sorted(exits))

        return found

    def tail(self, number: int, at: tuple[int, Counts]) -> tuple[int, ...]:
        """What all the exits that a state with counters can come to are worth."""
        return tuple(self.worth[ending, plus(at[1], more)] for ending, more in self.relative(number, at[0]))

    def numbered(self, number: int, at: tuple[int, Counts], tree: Tree, weight: Fraction, kinds: dict[Kind, int]) -> Any:
        """The tree with the numbers of kinds as its ends (see `Place`); what chance decides in a row is decided at once."""
        if isinstance(tree, Tip):
            return kinds.setdefault(self.kind(number, at, tree, weight), len(kinds))
        if tree.picked:
            return tuple(self.numbered(number, at, one, weight, kinds) for one in tree.trees)
        merged: dict[Tip, Fraction] = {}
        rest = []
        for one in flattened(tree):
            if isinstance(one, Tip):
                bare = Tip(Fraction(1), one.cards, one.gained, one.to, one.over)
                merged[bare] = merged.get(bare, 0) + one.weight
            else:
                rest.append(one)
        ends = [kinds.setdefault(self.kind(number, at, one, weight * part), len(kinds)) for one, part in merged.items()]
        return [*ends, *(self.numbered(number, at, one, weight, kinds) for one in rest)]

    def kind(self, number: int, at: tuple[int, Counts], tip: Tip, weight: Fraction) -> Kind:
        counts = plus(at[1], tip.gained)
        certain = self.layers[number].at[at][1]
        shift = self.lane(counts, number + 1) - self.lane(at[1], number)
        if tip.over or number + 1 == self.game.rounds:
            ending = tip.to if tip.over else self.game.endings[tip.to]
            return Kind(weight * tip.weight, tip.cards, shift, -1 - ending, self.worth[ending, counts] - certain)
        place, least = self.layers[number + 1].at[tip.to, counts]
        return Kind(weight * tip.weight, tip.cards, shift, place, least - certain)

    # ------------------------------------------------------------ decks and denominators

    def spread_out(self) -> None:
        """Every deck that can be left before each round, with its places; and the denominators."""
        decks = self.game.decks
        first = self.layers[0]
        for (state, deck, counts), weight in self.starts.items():
            first.decks[deck] = first.decks.get(deck, 0) | 1 << first.at[state, counts][0]
            sizes = decks.sizes(deck)
            first.sizes.add(sizes)
            first.above[sizes] = lcm(first.above.get(sizes, 1), weight.denominator)
        total = 0
        for layer, behind in zip(self.layers, [*self.layers[1:], None], strict=True):
            total += len(layer.decks)
            if total > MOST_DECKS:
                raise TooManyDecks
            for sizes in layer.sizes:
                for kind in layer.kinds:
                    left = layer.after(sizes, kind)
                    if left is None:
                        continue
                    whole = layer.above[sizes] * layer.orders(sizes, kind) * kind.weight.denominator
                    if kind.to < 0 or behind is None:
                        layer.out = lcm(layer.out, whole)
                    else:
                        behind.sizes.add(left)
                        behind.above[left] = lcm(behind.above.get(left, 1), whole)
            if behind is not None:
                self.drawn(layer, behind.decks)
        for layer, behind in zip(reversed(self.layers), [None, *reversed(self.layers[1:])], strict=True):
            for sizes in layer.sizes:
                layer.below[sizes] = lcm(1, *(self.denominator(layer, behind, sizes, kind) for kind in layer.kinds if layer.after(sizes, kind) is not None))

    def denominator(self, layer: Layer, behind: Layer | None, sizes: Sizes, kind: Kind) -> int:
        left = layer.after(sizes, kind)
        assert left is not None
        return kind.weight.denominator * layer.orders(sizes, kind) * (behind.below[left] if behind is not None and kind.to >= 0 else 1)

    def drawn(self, layer: Layer, found: dict[int, int]) -> None:
        """The decks behind a round."""
        decks = self.game.decks
        moves: dict[int, list[tuple[Cards, int, int, int]]] = {}
        for deck, bits in layer.decks.items():
            if bits not in moves:
                moves[bits] = layer.moves_of(bits)
            for cards, unit, at, to in moves[bits]:
                if deck >> at & decks.field if at >= 0 else decks.ways(deck, cards):
                    left = deck - unit
                    found[left] = found.get(left, 0) | to

    # ------------------------------------------------------------ backwards

    def solve(self) -> Fraction:
        """What the starts are worth. Each deck of each layer gets the pattern of what is decided."""
        worth: dict[int, tuple[int, ...]] = {}
        behind: Layer | None = None
        for layer in reversed(self.layers):
            worth = Backwards(layer, behind).solve(worth)
            behind = layer
        first = self.layers[0]
        total = Fraction(0)
        for (state, deck, counts), weight in self.starts.items():
            place, certain = first.at[state, counts]
            total += weight * (certain + Fraction(worth[deck][place], first.below[self.game.decks.sizes(deck)]))
        return total / self.scale

    # ------------------------------------------------------------ forwards

    def ends(self) -> dict[Exit, Fraction]:
        """How likely each exit is."""
        lane = 1 + max(one.bit_length() for layer in self.layers for one in (layer.out, *layer.above.values()))
        found: dict[Exit, Fraction] = {}
        before: Forwards | None = None
        for number, (layer, behind) in enumerate(zip(self.layers, [*self.layers[1:], None], strict=True)):
            now = Forwards(layer, behind, lane)
            if before is None:
                now.begin(self.starts, lambda counts: self.lane(counts, 0))
            else:
                now.pull(before)
            now.leave()
            for ending, row in now.exits.items():
                for at, counts in self.lanes[number + 1].items():
                    if ways := row >> at * lane & (1 << lane) - 1:
                        found[ending, counts] = found.get((ending, counts), Fraction(0)) + Fraction(ways, layer.out)
            before = now
        return found


def flattened(tree: Branches) -> Iterator[Tree]:
    for one in tree.trees:
        if isinstance(one, Branches) and not one.picked:
            yield from flattened(one)
        else:
            yield one


def kinds_of(tree: Any) -> Iterator[int]:
    if isinstance(tree, int):
        yield tree
    else:
        for one in tree:
            yield from kinds_of(one)


class Backwards:
    """One round, from what is behind it: what each place is worth with each deck, over the denominators `below`."""

    def __init__(self, layer: Layer, behind: Layer | None) -> None:
        self.layer, self.behind, self.decks = layer, behind, layer.game.decks
        self.draws: dict[Sizes, tuple[Draw, ...]] = {}
        self.places: dict[int, Places] = {}
        self.patterns: dict[Any, Pattern] = {}

    def solve(self, later: dict[int, tuple[int, ...]]) -> dict[int, tuple[int, ...]]:
        only = next(iter(self.layer.sizes)) if len(self.layer.sizes) == 1 else None
        no_kinds, no_places = [0] * (len(self.layer.kinds) + 1), [0] * len(self.layer.places)
        field, ways_of = self.decks.field, self.decks.ways
        found: dict[int, tuple[int, ...]] = {}
        for deck, bits in self.layer.decks.items():
            sizes = only or self.decks.sizes(deck)
            worth = no_kinds.copy()
            for draw in self.draws.get(sizes) or self.drawn(sizes):
                ways = deck >> draw.shift & field if draw.shift >= 0 else ways_of(deck, draw.cards)
                if ways:
                    behind = later.get(deck - draw.unit)
                    for kind, factor, to, more in draw.kinds:
                        worth[kind] = ways * factor * (behind[to] + more if to >= 0 and behind is not None else more)
            value, chosen = no_places.copy(), []
            open_, decided = self.places.get(bits) or self.places_of(bits)
            for number, place in open_:
                value[number], option = place.best(worth)
                chosen.append(option)
            found[deck] = tuple(value)
            key = bits, sizes, tuple(chosen)
            if key not in self.patterns:
                picked = [(number, place.options[option]) for (number, place), option in zip(open_, chosen, strict=True)]
                self.patterns[key] = Pattern(sizes, [*picked, *((number, place.options[0]) for number, place in decided)])
            self.layer.decks[deck] = self.patterns[key]
        return found

    def drawn(self, sizes: Sizes) -> tuple[Draw, ...]:
        """What can be drawn at any place of the layer where something is open."""
        layer = self.layer
        draws: dict[Cards, list[tuple[int, int, int, int]]] = {}
        for number in sorted({kind for place in layer.places if place.undecided for kind in kinds_of(place.tree)}):
            kind = layer.kinds[number]
            left = layer.after(sizes, kind)
            if left is not None:
                below = self.behind.below.get(left, 1) if self.behind is not None and kind.to >= 0 else 1
                factor = Fraction(layer.below[sizes], layer.orders(sizes, kind) * below) * kind.weight
                draws.setdefault(kind.cards, []).append((number, int(factor), kind.to, kind.more * below))
        self.draws[sizes] = tuple(Draw(cards, self.decks.unit(cards), self.decks.shift(cards), tuple(kinds)) for cards, kinds in draws.items())
        return self.draws[sizes]

    def places_of(self, bits: int) -> Places:
        here = [(number, place) for number, place in enumerate(self.layer.places) if bits >> number & 1]
        self.places[bits] = tuple(one for one in here if one[1].undecided), tuple(one for one in here if not one[1].undecided)
        return self.places[bits]


class Forwards:
    """One round, from what is before it: how likely each place is with each deck and each value of the counters, as rows of lanes over the denominators `above`."""

    def __init__(self, layer: Layer, behind: Layer | None, lane: int) -> None:
        self.layer, self.behind, self.lane, self.decks = layer, behind, lane, layer.game.decks
        self.rows: dict[int, Sequence[int]] = {}
        self.exits: dict[int, int] = {}
        self.factors: dict[Sizes, list[int]] = {}

    def begin(self, starts: Mapping[Start, Fraction], lane_of: Callable[[Counts], int]) -> None:
        for (state, deck, counts), weight in starts.items():
            rows = list(self.rows.get(deck) or [0] * len(self.layer.places))
            whole = weight * self.layer.above[self.decks.sizes(deck)]
            rows[self.layer.at[state, counts][0]] += int(whole) << lane_of(counts) * self.lane
            self.rows[deck] = rows

    def pull(self, before: Forwards) -> None:
        """Every deck looks at the decks that it can have come from."""
        origins, rows_before, lane, field, ways_of = before.layer.decks, before.rows, self.lane, self.decks.field, self.decks.ways
        incoming = before.outgoing()
        for deck, pattern in self.layer.decks.items():
            rows = [0] * len(self.layer.places)
            for place in pattern.here:
                for cards, unit, at, kinds in incoming.get(place, ()):
                    whole = deck + unit
                    origin = origins.get(whole)
                    if origin is None:
                        continue
                    ways = whole >> at & field if at >= 0 else ways_of(whole, cards)
                    factors, source = before.factor(origin.sizes), rows_before[whole]
                    for kind, shift in kinds:
                        if from_ := origin.places.get(kind):
                            rows[place] += sum([source[one] for one in from_]) * (ways * factors[kind]) << shift * lane
            self.rows[deck] = tuple(rows)

    def outgoing(self) -> dict[int, list[tuple[Cards, int, int, list[tuple[int, int]]]]]:
        """The kinds that lead to each place of the next layer, by what they draw."""
        found: dict[int, dict[Cards, list[tuple[int, int]]]] = {}
        for number, kind in enumerate(self.layer.kinds):
            if kind.to >= 0:
                found.setdefault(kind.to, {}).setdefault(kind.cards, []).append((number, kind.lanes))
        return {to: [(cards, self.decks.unit(cards), self.decks.shift(cards), kinds) for cards, kinds in by_cards.items()] for to, by_cards in found.items()}

    def factor(self, sizes: Sizes) -> list[int]:
        """What the ways of each kind are multiplied by."""
        if sizes not in self.factors:
            self.factors[sizes] = [self.factor_of(kind, sizes) for kind in self.layer.kinds]
        return self.factors[sizes]

    def factor_of(self, kind: Kind, sizes: Sizes) -> int:
        left = self.layer.after(sizes, kind)
        if left is None:
            return 0
        whole = self.layer.out if kind.to < 0 or self.behind is None else self.behind.above[left]
        return int(Fraction(whole, self.layer.above[sizes] * self.layer.orders(sizes, kind)) * kind.weight)

    def leave(self) -> None:
        """What leaves in this round."""
        over: dict[Cards, list[tuple[int, int, int]]] = {}
        for number, kind in enumerate(self.layer.kinds):
            if kind.to < 0:
                over.setdefault(kind.cards, []).append((number, -1 - kind.to, kind.lanes * self.lane))
        draws = [(cards, self.decks.shift(cards), tuple(kinds)) for cards, kinds in over.items()]
        field, ways_of, exits = self.decks.field, self.decks.ways, self.exits
        for deck, pattern in self.layer.decks.items() if over else ():
            rows, factors = self.rows[deck], self.factor(pattern.sizes)
            for cards, at, kinds in draws:
                ways = deck >> at & field if at >= 0 else ways_of(deck, cards)
                for at_kind, ending, shift in kinds if ways else ():
                    if from_ := pattern.places.get(at_kind):
                        exits[ending] = exits.get(ending, 0) + (sum([rows[one] for one in from_]) * (ways * factors[at_kind]) << shift)
