"""Backwards: what is best."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from te_forge.engine.induction.decks import Cards, Sizes
from te_forge.engine.induction.layers import Layer, Pattern, Place, kinds_of
from te_forge.frozen import frozen

Places = tuple[tuple[tuple[int, Place], ...], tuple[tuple[int, Place], ...]]
"""Those at which something is still open, and the others, with their numbers."""


@frozen
class Draw:
    """One way to draw, with the kinds that are drawn so: their number, a factor, their place in the next layer, and what is added to what that is
    worth.
    """

    cards: Cards
    unit: int
    shift: int
    kinds: tuple[tuple[int, int, int, int], ...]


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
