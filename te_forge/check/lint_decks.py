"""Complaints about decks that nobody could draw from."""

from __future__ import annotations

from collections.abc import Iterator

from te_forge.check.lint_view import View
from te_forge.diagnostics import Diagnostic
from te_forge.model.rules import Int, Range
from te_forge.model.system import Entry, Field
from te_forge.source import Span

MOST_CARDS = 10_000
"""Of a deck. Each card lies in the state of a game, and odds look at each."""


def bad_deck(view: View) -> Iterator[Diagnostic]:
    """A deck without cards, with too many, or with one twice."""
    for deck in view.own:
        if deck.kind == "deck":
            cards = deck.fields.get("cards")
            if cards is None:
                yield bad("this deck has no cards", deck.span, "add a line such as `- Cards: 1 to 13`, or name them: `- Cards: Sun, Moon`")
            else:
                yield from bad_cards(view, cards)
            yield from bad_copies(view, deck)


def bad_cards(view: View, cards: Field) -> Iterator[Diagnostic]:
    said = [repr(atom) for atom in cards.value if not isinstance(atom, Int)]  # what is not there has been complained about
    if len(set(said)) < len(said):
        yield bad("one of these cards stands here twice", cards.span, "name it once; `- Copies: 2` makes two of each card")
    for atom in cards.value:
        if isinstance(atom, Range):
            low, high = view.known.value(atom.low, None), view.known.value(atom.high, None)
            if low is not None and high is not None and high - low >= MOST_CARDS:
                yield bad(f"these are {high - low + 1:,} cards", cards.span, f"a deck has at most {MOST_CARDS:,}")


def bad_copies(view: View, deck: Entry) -> Iterator[Diagnostic]:
    copies = deck.fields.get("copies")
    count = view.known.value(copies.value[0], None) if copies is not None and len(copies.value) == 1 else 1  # type: ignore[arg-type]
    if copies is not None and count is not None and not 1 <= count <= MOST_CARDS:
        yield bad(f"there cannot be {count:,} copies of a card", copies.span, "write `1` or more, or take the line out")


def bad(said: str, span: Span, help: str) -> Diagnostic:
    return Diagnostic("bad-deck", said, span, "error", help)


LINTS = (bad_deck,)
