"""Every deck that can be left before each round, and the denominators of what is counted with it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import lcm

from te_forge.engine.induction.decks import Cards, Sizes
from te_forge.engine.induction.game import Start
from te_forge.engine.induction.layers import Kind, Layer

MOST_DECKS = 2_500_000


class TooManyDecks(Exception):
    """More decks than are followed."""


def spread_out(layers: Sequence[Layer], starts: Mapping[Start, Fraction]) -> None:
    """Fills the layers in: forwards the decks and how finely what is likely is told, backwards how finely what something is worth is told."""
    begin(layers[0], starts)
    total = 0
    for layer, behind in zip(layers, [*layers[1:], None], strict=True):
        total += len(layer.decks)
        if total > MOST_DECKS:
            raise TooManyDecks
        divided(layer, behind)
        if behind is not None:
            drawn(layer, behind.decks)
    for layer, behind in zip(reversed(layers), [None, *reversed(layers[1:])], strict=True):
        for sizes in layer.sizes:
            layer.below[sizes] = lcm(1, *(denominator(layer, behind, sizes, kind) for kind in layer.kinds))


def begin(first: Layer, starts: Mapping[Start, Fraction]) -> None:
    for (state, deck, counts), weight in starts.items():
        first.decks[deck] = first.decks.get(deck, 0) | 1 << first.at[state, counts][0]
        sizes = first.game.decks.sizes(deck)
        first.sizes.add(sizes)
        first.above[sizes] = lcm(first.above.get(sizes, 1), weight.denominator)


def divided(layer: Layer, behind: Layer | None) -> None:
    """The sizes of the decks behind a round, and the denominators of how likely its ends are."""
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


def denominator(layer: Layer, behind: Layer | None, sizes: Sizes, kind: Kind) -> int:
    """That of what an end is worth; 1 where there are not so many cards."""
    left = layer.after(sizes, kind)
    if left is None:
        return 1
    return kind.weight.denominator * layer.orders(sizes, kind) * (behind.below[left] if behind is not None and kind.to >= 0 else 1)


def drawn(layer: Layer, found: dict[int, int]) -> None:
    """The decks behind a round, with the places that there are with each, as bits."""
    decks = layer.game.decks
    moves: dict[int, list[tuple[Cards, int, int, int]]] = {}
    for deck, bits in layer.decks.items():
        if bits not in moves:
            moves[bits] = layer.moves_of(bits)
        for cards, unit, at, to in moves[bits]:
            if deck >> at & decks.field if at >= 0 else decks.ways(deck, cards):
                left = deck - unit
                found[left] = found.get(left, 0) | to
