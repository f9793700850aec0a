"""What the lints look at: one pack of a composed system, walked once and asked often.

Nothing here complains. `Text` is a stretch of prose with the places of its words, `nodes` walks meaning, `View` keeps what several lints ask for.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property

from te_forge.check.const import Known
from te_forge.model.rules import Sentence
from te_forge.model.rules import Text as Quoted
from te_forge.model.system import Chapter, Entry, Line, Prose, Ref, RollTable, Shown, System, Words
from te_forge.source import Span

SHOWN = "\ufffc"
"""Stands in flat text for a number that a rule prints: neither a word nor a digit."""
SENTENCE_END = re.compile(r"(?<=[.!?…])[\"'”’)*_]*\s+|\n\s*\n|\n(?=\s*(?:[*+-]|\d+\.)\s)")
ABBREVIATION = re.compile(r"\b(?:e\.g|i\.e|etc|vs|no|p)\.\s*$", re.IGNORECASE)


def nodes(value: object) -> Iterator[object]:
    """`value` and every model node below it."""
    stack = [value]
    while stack:
        one = stack.pop()
        if isinstance(one, tuple):
            stack.extend(reversed(one))
        elif hasattr(type(one), "__slots__") and not isinstance(one, str | int):
            yield one
            stack.extend(getattr(one, name) for name in reversed(type(one).__slots__))


def is_shelf(entry: Entry) -> bool:
    return entry.kind in ("hack", "ruling", "reading", "example")


@dataclass(frozen=True, slots=True)
class Text:
    """Prose as flat text. `refs` are the ids it links to, with where they stand; `shift` is the first character after which columns are unsure."""

    text: str
    span: Span
    refs: tuple[tuple[int, int, str], ...]
    owner: str

    def place(self, start: int, end: int) -> Span:
        """Where the characters `start` to `end` stand in the file (the line for certain; the column as long as nothing was linked before it)."""
        line_start = self.text.rfind("\n", 0, start) + 1
        line = self.span.line + self.text.count("\n", 0, start)
        first = self.span.column if line == self.span.line else 1
        if SHOWN in self.text[line_start:start] or any(line_start <= at < start for at, _, _ in self.refs):
            return Span(self.span.file, line, first, max(first, self.span.end if line == self.span.line else first))
        return Span(self.span.file, line, first + start - line_start, first + end - line_start)

    def sentences(self) -> Iterator[tuple[int, str]]:
        """Each sentence with where it begins."""
        start = 0
        for found in SENTENCE_END.finditer(self.text):
            if ABBREVIATION.search(self.text[: found.start() + 1]):
                continue
            if self.text[start : found.start()].strip():
                yield start, self.text[start : found.start()]
            start = found.end()
        if self.text[start:].strip():
            yield start, self.text[start:]


def flat(words: Words, span: Span, owner: str) -> Text:
    parts: list[str] = []
    refs: list[tuple[int, int, str]] = []
    at = 0
    for word in words:
        match word:
            case Ref(id, text):
                refs.append((at, at + len(text), id))
                parts.append(text)
            case Shown():
                parts.append(SHOWN)
            case _:
                parts.append(word)
        at += len(parts[-1])
    return Text("".join(parts), span, tuple(refs), owner)


@dataclass(frozen=True)
class View:
    """A system as the lints see it: `pack` is the one that is looked at, `assets` the files in its assets folder."""

    system: System
    pack: str
    assets: Collection[str] = ()

    @cached_property
    def known(self) -> Known:
        return Known(self.system)

    @cached_property
    def own(self) -> tuple[Entry, ...]:
        """The entries of this pack."""
        return tuple(entry for entry in self.system.entries.values() if entry.pack == self.pack)

    @cached_property
    def chapters(self) -> tuple[Chapter, ...]:
        return tuple(one for one in self.system.chapters if one.id.partition(":")[0] in (self.pack, one.id))

    @cached_property
    def texts(self) -> tuple[Text, ...]:
        """All prose of this pack."""
        found = [text for entry in self.own for text in entry_texts(entry)]
        for chapter in self.chapters:
            found += [flat(item.words, item.span, chapter.id) for item in chapter.items if isinstance(item, Prose)]
        return tuple(text for text in found if text.text.strip())

    @cached_property
    def blocks(self) -> dict[str, tuple[tuple[Line, ...], ...]]:
        """For each entry of the system the groups of neighbouring lines that it has at the top."""
        return {entry.id: tuple(entry_blocks(entry)) for entry in self.system.entries.values()}

    def lines(self, entry: Entry) -> Iterator[Line]:
        for block in self.blocks[entry.id]:
            yield from block

    def sentences(self, entry: Entry) -> Iterator[tuple[Span, Sentence]]:
        """What an entry's rules say, line by line, with those of its tables and patches."""
        for line in self.lines(entry):
            for one in line.meaning:
                yield line.span, one
        for table in entry_tables(entry):
            for row in table.rows:
                for cell in row.cells.values():
                    for one in cell.meaning:
                        yield row.span, one

    @cached_property
    def meaning(self) -> dict[str, tuple[tuple[Span, object], ...]]:
        """For each entry every node of its rules, with the line that it is on."""
        return {
            entry.id: tuple((span, node) for span, one in self.sentences(entry) for node in nodes(one)) for entry in self.system.entries.values()
        }

    def every(self) -> Iterator[tuple[Entry, Span, object]]:
        """Every node of every rule of the system."""
        for entry in self.system.entries.values():
            for span, node in self.meaning[entry.id]:
                yield entry, span, node


def entry_tables(entry: Entry) -> Iterator[RollTable]:
    if entry.table is not None:
        yield entry.table
    for patch in entry.patches:
        yield from patch.tables


def entry_blocks(entry: Entry) -> Iterator[tuple[Line, ...]]:
    yield entry.lines
    for step in entry.steps:
        yield step.lines
    for patch in entry.patches:
        yield from patch_blocks(patch.lines)


def patch_blocks(lines: tuple[Line, ...]) -> Iterator[tuple[Line, ...]]:
    """In a patch a line without meaning names the step that its lines go into."""
    yield lines
    for line in lines:
        if line.lines and not line.meaning:
            yield from patch_blocks(line.lines)


def entry_texts(entry: Entry) -> Iterable[Text]:
    """The prose of an entry: paragraphs, steps, and texts in fields and tables."""
    for prose in (*entry.prose, *(prose for patch in entry.patches for prose in patch.prose)):
        yield flat(prose.words, prose.span, entry.id)
    for step in entry.steps:
        yield flat(step.prose, step.span, entry.id)
    for key, field in entry.fields.items():
        if key == "text" or field.value and all(isinstance(atom, Quoted) for atom in field.value) and key not in NO_PROSE:
            yield flat(field.words, field.span, entry.id)
    for table in entry_tables(entry):
        for row in table.rows:
            if "text" in row.cells:
                yield flat(row.cells["text"].words, row.span, entry.id)


NO_PROSE = ("outcomes", "also-called", "plural", "to", "name", "cards")
