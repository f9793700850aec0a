"""The decks that are drawn from, as one whole number."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from math import perm, prod

Cards = tuple[tuple[int, int], ...]
"""Which cards are drawn, by the number of their sort, and how many of each."""
Sizes = tuple[int, ...]
"""How many cards each deck has."""


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
