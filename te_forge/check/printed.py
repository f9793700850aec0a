"""The numbers that prose prints, as they are in the composed system.

When a page is checked, `{Luck's most}` is worked out from the rules of its pack. A hack may have changed those, in another pack and long after: so it
is worked out again.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Any

from te_forge.check.book import printed
from te_forge.check.const import Known
from te_forge.diagnostics import Findings
from te_forge.frozen import replace
from te_forge.model.system import Cell, Chapter, Entry, Grid, Line, Prose, RollTable, Row, Shown, System, Words
from te_forge.source import Span


def printed_anew(system: System, on: Collection[str], findings: Findings) -> System:
    """The system with every number in prose as its rules have it. What the hacks and readings that are `on` bring in is counted with the rest."""
    printer = Printer(system, findings, on)
    entries = {id: printer.entry(entry) for id, entry in system.entries.items()}
    return replace(system, entries=entries, chapters=tuple(map(printer.chapter, system.chapters)))


def check_printed(system: System, ids: Iterable[str], on: Collection[str], findings: Findings) -> None:
    """Complain as `printed_anew` does about the chapters and these entries."""
    printer = Printer(system, findings, on)
    for id in ids:
        printer.entry(system.entries[id])
    for chapter in system.chapters:
        printer.chapter(chapter)


def prints(entry: Entry) -> bool:
    """Whether the prose of an entry prints a number."""
    told = [*entry.prose, *(prose for patch in entry.patches for prose in (*patch.prose, *(prose for line in patch.lines for prose in line.prose)))]
    cells = [cell.words for row in (entry.table.rows if entry.table is not None else ()) for cell in row.cells.values()]
    return any(type(word) is Shown for words in (*(one.words for one in told), *(step.prose for step in entry.steps), *cells) for word in words)


class Printer:
    """Prints numbers. What shows none, or the same as before, stays the very same object."""

    def __init__(self, system: System, findings: Findings, on: Collection[str] = ()) -> None:
        self.known, self.findings = Known(system, on), findings

    def words(self, words: Words, place: Span) -> Words:
        if not any(type(word) is Shown for word in words):
            return words
        made = tuple(self.shown(word, place) if isinstance(word, Shown) else word for word in words)
        return made if made != words else words

    def shown(self, word: Shown, place: Span) -> Shown:
        if word.expr is None:
            return word
        text = printed(self.known, word.expr)
        if text is None:
            self.findings.add(
                "not-printable",
                f"this prints a number that was {word.text} and has no value any more",
                place,
                help="write other prose below `### changes`, or state the number",
            )
            return word
        return replace(word, text=text) if text != word.text else word

    def prose(self, prose: Prose) -> Prose:
        words = self.words(prose.words, prose.span)
        return replace(prose, words=words) if words is not prose.words else prose

    def line(self, line: Line) -> Line:
        """A line of a patch that gives a step its text."""
        return replace(line, prose=tuple(map(self.prose, line.prose))) if line.prose else line

    def entry(self, entry: Entry) -> Entry:
        prose = tuple(map(self.prose, entry.prose))
        steps = tuple(replace(step, prose=words) if (words := self.words(step.prose, step.span)) is not step.prose else step for step in entry.steps)
        table = self.table(entry.table) if entry.table is not None else None
        patches = tuple(
            replace(patch, prose=tuple(map(self.prose, patch.prose)), lines=tuple(map(self.line, patch.lines))) for patch in entry.patches
        )
        if prose == entry.prose and steps == entry.steps and table is entry.table and patches == entry.patches:
            return entry
        return replace(entry, prose=prose, steps=steps, table=table, patches=patches)

    def table(self, table: RollTable) -> RollTable:
        rows = tuple(map(self.row, table.rows))
        return replace(table, rows=rows) if rows != table.rows else table

    def row(self, row: Row) -> Row:
        cells = {column: self.cell(cell, row.span) for column, cell in row.cells.items()}
        return replace(row, cells=cells) if cells != row.cells else row

    def cell(self, cell: Cell, place: Span) -> Cell:
        words = self.words(cell.words, place)
        return replace(cell, words=words) if words is not cell.words else cell

    def chapter(self, chapter: Chapter) -> Chapter:
        items: list[Any] = []
        for item in chapter.items:
            if isinstance(item, Prose):
                items.append(self.prose(item))
            elif isinstance(item, Grid):
                items.append(replace(item, rows=tuple(tuple(self.words(words, item.span) for words in row) for row in item.rows)))
            else:
                items.append(item)
        return replace(chapter, items=tuple(items)) if items != list(chapter.items) else chapter
