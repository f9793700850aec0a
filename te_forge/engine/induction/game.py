"""What the rounds do: a tree for each state that one can begin in."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from typing import Any

from te_forge.engine.induction.decks import Cards, Decks, Sizes
from te_forge.frozen import frozen

Counts = tuple[int, ...]
"""What each counter has come to."""
Exit = tuple[int, Counts]
"""An ending by its number, with what every counter has come to."""
Start = tuple[int, int, Counts]
"""A state by its number, the decks, and the counters."""


@frozen
class Tip:
    """One end of a round: how likely it is but for the decks, what it draws, what the counters gain, and the state behind it; or an ending, where
    with it all rounds are over.
    """

    weight: Fraction
    cards: Cards
    gained: Counts
    to: int
    over: bool = False


@frozen
class Branches:
    """What chance decides, or (`picked`) somebody for whatever is best."""

    trees: tuple[Tree, ...]
    picked: bool = False


Tree = Tip | Branches


@frozen
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
    return Game(tuple(led(game.trees[one], again) for one in firsts), tuple(game.endings[one] for one in firsts), game.decks, game.rounds), tuple(
        again
    )


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
