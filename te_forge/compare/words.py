"""The words of two games, made comparable: a name counts as what it is called now, and one number that a rule prints as any other."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from te_forge.model.system import Line, Row, Shown, Slot, Words, plain

NUMBER = "{}"
"""Stands for a number that a rule has printed into prose: where it is another one, that rule is different, and the prose says what it said."""


def joined(many: Iterable[Words], between: str) -> Words:
    out: Words = ()
    for words in many:
        if plain(words).strip():
            out = (*out, between, *words) if out else words
    return out


def whole_line(line: Line) -> Words:
    """A line with those set in below it, as one."""
    below = joined((labelled(one) for one in line.lines), "; ")
    return (*line.words, *((" " if line.words else ""), *below)) if below else line.words


def labelled(line: Line) -> Words:
    return (f"{line.label}: ", *whole_line(line)) if line.label else whole_line(line)


def faces(row: Row) -> str:
    return row.printed()


def whole_row(row: Row) -> Words:
    cells = joined((cell.words for cell in row.cells.values()), " | ")
    head = f"{faces(row)} {row.name}".strip() if row.high >= row.low else row.name
    return (f"{head}: ", *cells) if cells else (head,)


def whole_slot(slot: Slot) -> Words:
    holds: Words = slot.words or (str(slot.holds),)
    return (*holds, *((f", unless stated {slot.usual}",) if slot.usual else ()))


@dataclass(frozen=True)
class Reader:
    """Reads the words of one game. `rename` gives a text with the names that it has in the later game."""

    rename: Callable[[str], str]

    def key(self, words: Words) -> str:
        """What two stretches of words must have in common to say the same."""
        return self.text(tuple(NUMBER if isinstance(word, Shown) and word.id else word for word in words))

    def text(self, words: Words) -> str:
        return " ".join(self.rename(plain(words)).split())
