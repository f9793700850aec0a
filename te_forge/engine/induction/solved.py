"""The game, solved from some starts on."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from math import lcm

from te_forge.engine.induction.backwards import Backwards
from te_forge.engine.induction.forwards import Forwards
from te_forge.engine.induction.game import Exit, Game, Start
from te_forge.engine.induction.lanes import Lanes
from te_forge.engine.induction.layers import Layer
from te_forge.engine.induction.laying import Laying
from te_forge.engine.induction.reached import spread_out


class Solved:
    """Everybody who picks does what makes the mean of `worth` highest, and the first of such things."""

    def __init__(self, game: Game, starts: Mapping[Start, Fraction], worth: Mapping[Exit, Fraction]) -> None:
        self.game, self.starts = game, starts
        scale = lcm(*(one.denominator for one in worth.values()))
        reached, _ = game.reached(starts)
        self.lanes = Lanes(game, starts, reached)
        self.layers = Laying(game, self.lanes, {at: int(one * scale) for at, one in worth.items()}).layers(reached)
        spread_out(self.layers, starts)
        self.value = self.solve() / scale

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
        return total

    def ends(self) -> dict[Exit, Fraction]:
        """How likely each exit is."""
        bits = 1 + max(one.bit_length() for layer in self.layers for one in (layer.out, *layer.above.values()))
        found: dict[Exit, Fraction] = {}
        before: Forwards | None = None
        for number, (layer, behind) in enumerate(zip(self.layers, [*self.layers[1:], None], strict=True)):
            now = Forwards(layer, behind, bits)
            if before is None:
                now.begin(self.starts, self.lanes)
            else:
                now.pull(before)
            now.leave()
            for ending, row in now.exits.items():
                for at, counts in self.lanes.counts[number + 1].items():
                    if ways := row >> at * bits & (1 << bits) - 1:
                        found[ending, counts] = found.get((ending, counts), Fraction(0)) + Fraction(ways, layer.out)
            before = now
        return found
