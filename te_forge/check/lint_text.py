"""Prose as the lints read it: flat text with the places of its words."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator
from functools import lru_cache

from te_forge.frozen import frozen
from te_forge.model.rules import Text as Quoted
from te_forge.model.system import Entry, Ref, RollTable, Shown, Words
from te_forge.source import Span

SHOWN = "\ufffc"
"""Stands in flat text for a number that a rule prints: neither a word nor a digit."""
SENTENCE_END = re.compile(r"(?<=[.!?…])[\"'”’)*_]*\s+|\n\s*\n|\n(?=\s*(?:[*+-]|\d+\.)\s)")
ABBREVIATION = re.compile(r"\b(?:e\.g|i\.e|etc|vs|no|p)\.\s*$", re.IGNORECASE)


@lru_cache(16)
def line_starts(text: str) -> list[int]:
    """Where each line of a text begins."""
    return [0, *(found.end() for found in re.finditer("\n", text))]


@lru_cache(16)
def shown_places(text: str) -> list[int]:
    """Where a text has printed numbers."""
    return [found.start() for found in re.finditer(SHOWN, text)]


@frozen
class Text:
    """Prose as flat text. `refs` are the ids it links to, with where they stand; `exact` is False when only its line is known, not its columns."""

    text: str
    span: Span
    refs: tuple[tuple[int, int, str], ...]
    owner: str
    exact: bool = True

    def place(self, start: int, end: int) -> Span:
        """Where the characters `start` to `end` stand in the file. Behind a printed number, whose source is not known here, it is the line."""
        if not self.exact:
            return self.span
        starts = line_starts(self.text)
        row = bisect_right(starts, start) - 1
        line_start, line = starts[row], self.span.line + row
        first = self.span.column if line == self.span.line else 1
        shown = shown_places(self.text)
        if bisect_left(shown, line_start) < bisect_left(shown, start):
            return Span(self.span.file, line, first, max(first, self.span.end if line == self.span.line else first))
        brackets = 4 * len(self.links(line_start, start))
        return Span(self.span.file, line, first + start - line_start + brackets, first + end - line_start + brackets)

    def links(self, start: int, end: int) -> tuple[tuple[int, int, str], ...]:
        """What is linked between the characters `start` and `end`."""
        return self.refs[bisect_left(self.refs, (start,)) : bisect_left(self.refs, (end,))]

    def sentences(self) -> Iterator[tuple[int, str]]:
        """Each sentence with where it begins."""
        start = 0
        for found in SENTENCE_END.finditer(self.text):
            if ABBREVIATION.search(self.text, max(0, found.start() - 8), found.start() + 1):
                continue
            if self.text[start : found.start()].strip():
                yield start, self.text[start : found.start()]
            start = found.end()
        if self.text[start:].strip():
            yield start, self.text[start:]


def flat(words: Words, span: Span, owner: str, exact: bool = True) -> Text:
    parts: list[str] = []
    refs: list[tuple[int, int, str]] = []
    at = 0
    for word in words:
        if isinstance(word, Ref):
            refs.append((at, at + len(word.text), word.id))
        text = word if isinstance(word, str) else SHOWN if isinstance(word, Shown) else word.text
        parts.append(text)
        at += len(text)
    return Text("".join(parts), span, tuple(refs), owner, exact)


def entry_tables(entry: Entry) -> Iterator[RollTable]:
    if entry.table is not None:
        yield entry.table
    for patch in entry.patches:
        yield from patch.tables


def entry_texts(entry: Entry) -> Iterable[Text]:
    """The prose of an entry: paragraphs, steps, and texts in fields and tables."""
    for prose in (*entry.prose, *(prose for patch in entry.patches for prose in patch.prose)):
        yield flat(prose.words, prose.span, entry.id)
    for step in entry.steps:
        yield flat(step.prose, step.span, entry.id, False)
    for key, field in entry.fields.items():
        if key == "text" or (set(map(type, field.value)) == ONLY_QUOTED and key not in NO_PROSE):
            yield flat(field.words, field.span, entry.id, False)
    for table in entry_tables(entry):
        for row in table.rows:
            if "text" in row.cells:
                yield flat(row.cells["text"].words, row.span, entry.id, False)


ONLY_QUOTED = {Quoted}
NO_PROSE = ("outcomes", "also-called", "plural", "to", "name", "cards")
