"""Forwards: how likely."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

from te_forge.engine.induction.decks import Cards, Sizes
from te_forge.engine.induction.game import Start
from te_forge.engine.induction.lanes import Lanes
from te_forge.engine.induction.layers import Kind, Layer


class Forwards:
    """One round, from what is before it: how likely each place is with each deck and each value of the counters, as rows of lanes over the
    denominators `above`.
    """

    def __init__(self, layer: Layer, behind: Layer | None, bits: int) -> None:
        self.layer, self.behind, self.decks = layer, behind, layer.game.decks
        self.bits = bits
        """How wide a lane is."""
        self.rows: dict[int, Sequence[int]] = {}
        self.exits: dict[int, int] = {}
        self.factors: dict[Sizes, list[int]] = {}

    def begin(self, starts: Mapping[Start, Fraction], lanes: Lanes) -> None:
        for (state, deck, counts), weight in starts.items():
            rows = list(self.rows.get(deck) or [0] * len(self.layer.places))
            whole = weight * self.layer.above[self.decks.sizes(deck)]
            rows[self.layer.at[state, counts][0]] += int(whole) << lanes.of(counts, 0) * self.bits
            self.rows[deck] = rows

    def pull(self, before: Forwards) -> None:
        """Every deck looks at the decks that it can have come from."""
        origins, rows_before, bits, field, ways_of = before.layer.decks, before.rows, self.bits, self.decks.field, self.decks.ways
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
                            rows[place] += sum([source[one] for one in from_]) * (ways * factors[kind]) << shift * bits
            self.rows[deck] = tuple(rows)

    def outgoing(self) -> dict[int, list[tuple[Cards, int, int, list[tuple[int, int]]]]]:
        """The kinds that lead to each place of the next layer, by what they draw."""
        found: dict[int, dict[Cards, list[tuple[int, int]]]] = {}
        for number, kind in enumerate(self.layer.kinds):
            if kind.to >= 0:
                found.setdefault(kind.to, {}).setdefault(kind.cards, []).append((number, kind.lanes))
        return {
            to: [(cards, self.decks.unit(cards), self.decks.shift(cards), kinds) for cards, kinds in by_cards.items()]
            for to, by_cards in found.items()
        }

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
                over.setdefault(kind.cards, []).append((number, -1 - kind.to, kind.lanes * self.bits))
        draws = [(cards, self.decks.shift(cards), tuple(kinds)) for cards, kinds in over.items()]
        field, ways_of, exits = self.decks.field, self.decks.ways, self.exits
        for deck, pattern in self.layer.decks.items() if over else ():
            rows, factors = self.rows[deck], self.factor(pattern.sizes)
            for cards, at, kinds in draws:
                ways = deck >> at & field if at >= 0 else ways_of(deck, cards)
                for at_kind, ending, shift in kinds if ways else ():
                    if from_ := pattern.places.get(at_kind):
                        exits[ending] = exits.get(ending, 0) + (sum([rows[one] for one in from_]) * (ways * factors[at_kind]) << shift)
