"""Tables: cells with their places, as many in each row as the head has."""

from __future__ import annotations

import re

from te_forge.diagnostics import Findings, Label
from te_forge.source import Source, Span
from te_forge.syntax.headings import LONGEST_NAME, short
from te_forge.syntax.shapes import Shaped
from te_forge.syntax.tree import Cell, Table

LISTED = 8
"""So many columns a message names."""


DRAWN = r"[|+][-–—|=+:_ ]*[-–—=_][-–—|=+:_ ]*"
"""`|====|====|`, `|----+----|`: a line below a head as other tools draw it."""


class TableReader:
    """Reads the tables of one file."""

    def __init__(self, source: Source, findings: Findings) -> None:
        self.source, self.findings = source, findings

    def ruled(self, lines: list[Shaped]) -> bool:
        """Whether there is a line below the first row, which makes that one the head."""
        return len(lines) > 1 and all(re.fullmatch(r":?-+:?", cell.text) for cell in self.cells(lines[1]))

    def go_on(self, table: Table, lines: list[Shaped]) -> None:
        """Rows behind a blank line: they were meant to be the table's."""
        self.findings.add(
            "table-without-line", "a blank line cuts these rows off from the table above them", lines[0].span, help="take the blank line out"
        )
        table.rows += self.rows(table.head, [self.cells(line) for line in lines])

    def table(self, lines: list[Shaped]) -> Table:
        cut = [self.cells(line) for line in lines]
        head, rows = [self.name_cell(cell) for cell in cut[0]], cut[1:]
        if self.ruled(lines):
            rows = rows[1:]
        else:
            drawn = len(lines) > 1 and re.fullmatch(DRAWN, lines[1].text.strip()) is not None
            rows = rows[1:] if drawn else rows
            grid = drawn and lines[1].text.startswith("+")
            said = "the line below a table's head is made of strokes and dashes only" if drawn else "the line below a table's head is missing"
            help = "write `|" + "|".join("---" for _ in head) + "|`" + (" in its place" if drawn else " below it")
            help += "; take the other lines of `+` and dashes out" if grid else ""
            self.findings.add("table-without-line", said, lines[drawn].span, help=help)
        self.different(head)
        return Table(head, self.rows(head, rows), lines[0].span)

    def rows(self, head: list[Cell], cut: list[list[Cell]]) -> list[list[Cell]]:
        """As many cells in each row as the head has."""
        whole: list[list[Cell]] = []
        for row in cut:
            if len(row) == len(head):
                whole.append(row)
                continue
            first, last = row[0].span, row[-1].span
            columns = ", ".join(cell.text or "(no name)" for cell in head[:LISTED]) + (" .." if len(head) > LISTED else "")
            self.findings.add(
                "row-length",
                f"this row has {len(row)} {'cell' if len(row) == 1 else 'cells'}, the table has {len(head)}",
                Span(first.file, first.line, first.column, max(last.end, first.column + 1)),
                help=f"its cells are {columns}: put `-` where one of them is missing"
                if len(row) < len(head) else "take a cell away, or write `\\|` for a stroke inside a text",
            )  # fmt: skip
            blank = Cell("-", last)
            whole.append((row + [blank] * len(head))[: len(head)])
        for column, cell in enumerate(head):
            if cell.text == "row" or (column == 0 and cell.text[:1].islower()):
                for row in whole:
                    row[column] = self.name_cell(row[column])
        return whole

    def different(self, head: list[Cell]) -> None:
        """In a table that is only read two columns may be called alike; in one that defines something, the first would be lost."""
        first: dict[str, Cell] = {}
        for cell in head if head[0].text[:1].islower() else ():
            if cell.text in first:
                self.findings.add(
                    "duplicate-label", f"there is already a column called `{cell.text}` here", cell.span, help="choose another name",
                    labels=[Label(first[cell.text].span, "the first one is here")],
                )  # fmt: skip
            first.setdefault(cell.text, cell)

    def name_cell(self, cell: Cell) -> Cell:
        return Cell(short(cell.text, cell.span, self.findings), cell.span) if len(cell.text) > LONGEST_NAME else cell

    def cells(self, one: Shaped) -> list[Cell]:
        line, start = self.source.lines[one.span.line - 1].rstrip(), one.span.column
        if line.endswith("|") and not line.endswith("\\|"):
            line = line[:-1]
        cells, column = [], start  # column is 0-based just behind the opening stroke
        for piece in re.split(r"(?<!\\)\|", line[start:]):
            text = piece.strip()
            begin = column + len(piece) - len(piece.lstrip())
            span = Span(one.span.file, one.span.line, begin + 1, begin + 1 + max(len(text), 1))
            cells.append(Cell(text.replace("\\|", "|"), span))
            column += len(piece) + 1
        return cells
