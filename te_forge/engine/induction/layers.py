"""All that is the same for all decks before one round."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from functools import cached_property
from math import perm, prod
from operator import itemgetter
from typing import Any

from te_forge.engine.induction.decks import Cards, Sizes
from te_forge.engine.induction.game import Counts, Game
from te_forge.frozen import frozen


@frozen
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


Numbered = int | list["Numbered"] | tuple["Numbered", ...]
"""What can happen at a place, with its ends by the numbers of their kinds: a list is chance, a tuple is somebody's choice."""
Option = tuple[int, ...]
"""The ends of a round that a way to decide leads to, by the numbers of their kinds."""


class Place:
    """One state of a layer, with one or more values of the counters."""

    def __init__(self, tree: Numbered, undecided: bool) -> None:
        self.tree = tree
        self.undecided = undecided
        """Whether it still matters what happens. Where it does not, the first of all answers is given."""
        self.options: list[Option] = []
        self.numbers: dict[Option, int] = {}
        plain = [decided(one) for one in (tree if isinstance(tree, tuple) else (tree,))]
        self.flat = None not in plain
        """Whether there is one choice at most, before all chance. Most places are so, and then the options are all known beforehand, which is much
        faster.
        """
        if self.flat:
            self.options = [one for one in plain if one is not None]
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


def decided(tree: Numbered) -> Option | None:
    """The ends that chance leads to; None where somebody chooses on the way."""
    if isinstance(tree, int):
        return (tree,)
    ends = tuple(one for one in tree if isinstance(one, int))
    return ends if isinstance(tree, list) and len(ends) == len(tree) else None


def first(tree: Numbered) -> Option:
    """The ends when everybody gives the first of all answers."""
    if isinstance(tree, int):
        return (tree,)
    return first(tree[0]) if isinstance(tree, tuple) else tuple(kind for one in tree for kind in first(one))


def best(tree: Numbered, worth: list[int]) -> tuple[int, Option]:
    """What a tree comes to when each kind is worth this, and the ends that the best answers lead to."""
    if isinstance(tree, int):
        return worth[tree], (tree,)
    found = [best(one, worth) for one in tree]
    if isinstance(tree, tuple):
        return max(found, key=lambda one: one[0])
    return sum(value for value, _ in found), tuple(kind for _, option in found for kind in option)


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
        """What can be drawn from these places on: the cards, what is taken off the number of the deck, where it says how many there are, and the
        places behind it.
        """
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


def kinds_of(tree: Numbered) -> Iterator[int]:
    if isinstance(tree, int):
        yield tree
    else:
        for one in tree:
            yield from kinds_of(one)
