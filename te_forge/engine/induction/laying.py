"""The layers of a game laid out: which states with which counters are one place, and how a round can end at each."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction

from te_forge.engine.induction.game import Branches, Counts, Exit, Game, Tip, Tree, plus, tips
from te_forge.engine.induction.lanes import Lanes
from te_forge.engine.induction.layers import Kind, Layer, Numbered, Place


class Laying:
    """Lays out one layer after the other, the last one first: what is one place there decides what is one before."""

    def __init__(self, game: Game, lanes: Lanes, worth: Mapping[Exit, int]) -> None:
        self.game, self.lanes, self.worth = game, lanes, worth

    def layers(self, reached: Sequence[Collection[tuple[int, Counts]]]) -> list[Layer]:
        """`reached` are the states with their counters before each round, and after the last."""
        found: list[Layer] = []
        ahead: dict[int, tuple[Exit, ...]] = {state: ((self.game.endings[state], (0,) * len(counts)),) for state, counts in reached[-1]}
        for number in range(self.game.rounds - 1, -1, -1):
            ahead = {state: self.exits(state, ahead) for state in {state for state, _ in reached[number]}}
            tails = {at: tuple(self.worth[ending, plus(at[1], more)] for ending, more in ahead[at[0]]) for at in reached[number]}
            found.insert(0, self.layer(number, tails, found[0] if found else None))
        return found

    def exits(self, state: int, ahead: Mapping[int, tuple[Exit, ...]]) -> tuple[Exit, ...]:
        """The exits that can be reached from a state, counters from 0, by those of the states behind the round."""
        found: set[Exit] = set()
        for tip in tips(self.game.trees[state]):
            behind = ((tip.to, (0,) * len(tip.gained)),) if tip.over else ahead[tip.to]
            found |= {(ending, plus(tip.gained, more)) for ending, more in behind}
        return tuple(sorted(found))

    def layer(self, number: int, tails: Mapping[tuple[int, Counts], tuple[int, ...]], behind: Layer | None) -> Layer:
        """The layer before a round. `tails` are what all the exits that a state with counters can come to are worth."""
        layer = Layer(self.game)
        kinds: dict[Kind, int] = {}
        for at in layer.sorted_out(tails):
            tree = numbered(self.game.trees[at[0]], lambda tip, at=at: kinds.setdefault(self.kind(number, layer, at, tip, behind), len(kinds)))  # type: ignore[misc]
            layer.places.append(Place(tree, len(set(tails[at])) > 1))
        layer.kinds = list(kinds)
        return layer

    def kind(self, number: int, layer: Layer, at: tuple[int, Counts], tip: Tip, behind: Layer | None) -> Kind:
        counts = plus(at[1], tip.gained)
        certain = layer.at[at][1]
        shift = self.lanes.of(counts, number + 1) - self.lanes.of(at[1], number)
        if tip.over or behind is None:
            ending = tip.to if tip.over else self.game.endings[tip.to]
            return Kind(tip.weight, tip.cards, shift, -1 - ending, self.worth[ending, counts] - certain)
        place, least = behind.at[tip.to, counts]
        return Kind(tip.weight, tip.cards, shift, place, least - certain)


def numbered(tree: Tree, kind_of: Callable[[Tip], int]) -> Numbered:
    """The tree with the numbers of kinds as its ends; what chance decides in a row is decided at once."""
    if isinstance(tree, Tip):
        return kind_of(tree)
    if tree.picked:
        return tuple(numbered(one, kind_of) for one in tree.trees)
    equal: dict[Tip, Fraction] = {}
    rest: list[Tree] = []
    for one in flattened(tree):
        if isinstance(one, Tip):
            bare = replace(one, weight=Fraction(1))
            equal[bare] = equal.get(bare, Fraction(0)) + one.weight
        else:
            rest.append(one)
    ends: list[Numbered] = [kind_of(replace(bare, weight=weight)) for bare, weight in equal.items()]
    return [*ends, *(numbered(one, kind_of) for one in rest)]


def flattened(tree: Branches) -> Iterator[Tree]:
    for one in tree.trees:
        if isinstance(one, Branches) and not one.picked:
            yield from flattened(one)
        else:
            yield one
