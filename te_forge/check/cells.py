"""Third pass: tables of things, of which each row is an entry, and tables that are rolled or tracked."""

from __future__ import annotations

import re

from te_forge.check.below import DIE, tables_of
from te_forge.check.declared import VAGUE, not_taken
from te_forge.check.names import Decl, Names
from te_forge.check.scope import Scope, owner_type
from te_forge.check.slots import Slots
from te_forge.check.tables import check_ranges, spans_of
from te_forge.check.values import Values
from te_forge.diagnostics import Findings
from te_forge.keys import fold, slug
from te_forge.model.rules import UNKNOWN, Type
from te_forge.model.system import EMPTIED, Faces, Field, RollTable, Row
from te_forge.model.system import Cell as CellModel
from te_forge.suggest import heading as capital_of
from te_forge.suggest import nearest
from te_forge.syntax.text import read_text, reads
from te_forge.syntax.tree import Cell, Heading, Prose, Table

TEXT_COLUMNS = ("text", "row")
COLUMNS = (*TEXT_COLUMNS, "effect")


def with_roller(scope: Scope, kind: str) -> Scope:
    """In the rows of a table that is rolled, `the roller` is who rolls or reads it."""
    if kind != "table":
        return scope
    scope = scope.copy()
    scope.bring("roller", Type("actor"))
    return scope


OTHER_TABLE = re.compile(r"\S *\| *\S|\S\t+\S|<t(?:able|r)\b|^[-=]{2,}(?: +[-=]{2,})+ *$|^[^.]*\bd\d+,")
"""A row as spreadsheets, HTML and other Markdown have it."""


class Cells(Values):
    """Reads tables of a pack whose kinds and procedures have shown what they declare in `slots`."""

    def __init__(self, slots: Slots, names: Names, findings: Findings) -> None:
        super().__init__(names, findings)
        self.declared, self.own_slots, self.lost_columns = slots.declared, slots.own, slots.lost_columns

    def row_fields(self, decl: Decl, patching: bool = False) -> dict[str, Field]:
        """The fields of an entry that is a row of a bulk table."""
        self.scope, self.patching = Scope(owner_type(decl, self.names)), patching
        out: dict[str, Field] = {}
        for column, cell in list(decl.row.items())[1:]:
            if column == "text" or column in self.lost_columns.get(decl.kind, ()):
                continue
            if cell.text in ("", "-"):
                continue
            if field := self.cell_field(column, cell, decl):
                out[slug(column)] = field
        self.patching = False
        return out

    def cell_field(self, column: str, cell: Cell, decl: Decl) -> Field | None:
        wanted = self.field_type(column, decl.columns.get(column, cell.span), decl)
        found = Findings()
        tree = read_text(cell.text, "cell", cell.span, found, column)
        if tree is None:
            vague = found[0].code in VAGUE and wanted != UNKNOWN
            self.findings.keep(not_taken(column, cell.text, wanted, cell.span, self.names) if vague else found[0])
            return None
        self.span, self.links = cell.span, {}
        values = tree.node("values")
        if values is None:
            self.findings.add(
                "sentence-for-value", "this cell takes a value, not a sentence", cell.span, help="put the rule below a `##` heading of its own"
            )
            return None
        own = column in self.names.slots.get(decl.kind, {})
        if not own and self.left_out(column, cell.text, values, wanted, "write `-`, as where there is none of it"):
            return None
        value = tuple(self.value(node, wanted, column) for node in values.nodes())
        if wanted == UNKNOWN:
            self.shaped(column, values, value)
        self.mentions[self.current].update(self.links.values())
        return Field(f"{decl.id}#{slug(column)}", column, self.linked(cell.text), value, cell.span)

    def roll_table(self, decl: Decl, heading: Heading, scope: Scope) -> RollTable | None:
        scope = with_roller(scope, decl.kind)
        made = [
            self.one_roll_table(table, scope, decl) for table in tables_of(heading) if table.head[0].text == "at" or DIE.fullmatch(table.head[0].text)
        ]
        if len(made) > 1:
            self.findings.add(
                "second-table",
                "an entry has one table that is rolled or tracked",
                made[1].span,
                help="give the second one a heading of its own: `## table: A Name`",
            )
        if not made and decl.kind == "table":
            line = next((span for part in heading.body if isinstance(part, Prose) for text, span in part.lines if OTHER_TABLE.search(text)), None)
            help = (
                "a table is drawn with strokes at both ends: `| d6 | text | effect |`"
                if line is not None
                else "begin it with a die: `| d6 | text | effect |`"
            )
            self.findings.add("table-without-rows", f"the table {decl.name} has no rows", line or decl.span, help=help)
        return made[0] if made else None

    def one_roll_table(self, table: Table, scope: Scope, decl: Decl, whole: bool = True) -> RollTable:
        die = table.head[0].text
        columns = tuple(cell.text for cell in self.meant(table))
        rows: list[Row] = []
        for row in table.rows:
            cells = dict(zip(columns, row, strict=False))
            (low, high), *more = spans_of(row[0], die, self.findings)
            called = cells["row"].text if "row" in cells and cells["row"].text != "-" else ""
            name = called or (cells["text"].text if "text" in cells and "row" not in cells else f"Row {row[0].text}")
            made = {column: self.table_cell(cells[column], column, scope, whole) for column in columns[1:] if column != "row"}
            rows.append(Row(slug(name) or f"row-{low}", fold(called), low, high, made, row[0].span, tuple(Faces(*one) for one in more)))
        if whole:
            check_ranges(die, rows, table.span, self.findings)
        return RollTable(die, columns, tuple(rows), table.span)

    def meant(self, table: Table) -> list[Cell]:
        """The head of a table, where another column in small letters is what it must be by its cells: `text`, `effect`, or prose of its own."""
        for at, cell in enumerate(table.head[1:], 1):
            near = nearest(cell.text, TEXT_COLUMNS[:1], 0.7) if cell.text not in COLUMNS else None
            rules = any(reads(row[at].text) for row in table.rows)
            if near is not None and not rules:
                self.findings.add("unknown-column", f"`{cell.text}` is no column that the rules read", cell.span, help=f"did you mean `{near}`?")
                table.head[at] = Cell(near, cell.span)
            elif cell.text[:1].islower() and cell.text not in COLUMNS:
                free = rules and not any(one.text == "effect" for one in table.head)
                meant = "effect" if free else capital_of(cell.text)
                said = "a table that is rolled or tracked has the columns `row`, `text` and `effect`, and prose of its own below words with a capital"
                self.findings.add("unknown-column", f"`{cell.text}` is no column that the rules read", cell.span, help=f"write `{meant}`; {said}")
                table.head[at] = Cell(meant, cell.span)
        return table.head

    def table_cell(self, cell: Cell, column: str, scope: Scope, whole: bool) -> CellModel:
        """A cell; in a table that is not `whole`, but a patch, `nothing` takes away what stood there, and an empty one keeps it."""
        if cell.text in ("", "-"):
            return CellModel(())
        if cell.text == "nothing" and not whole:
            return CellModel(EMPTIED)
        if column in TEXT_COLUMNS or column[:1].isupper():
            return CellModel((cell.text,))
        tree = read_text(cell.text, "cell", cell.span, self.findings)
        if tree is None:
            return CellModel((cell.text,))
        kept, self.scope = self.scope, scope.copy()
        self.span, self.links, self.line_text = cell.span, {}, cell.text
        says = tree.node("says")
        meaning = self.says(says, []) if says is not None else ()
        if says is None and column == "effect":
            said = "this cell is a value, but a sentence is needed here"
            self.findings.add("value-for-sentence", said, cell.span, help=self.sentence_for(tree.part("values")))
        self.scope = kept
        self.mentions[self.current].update(self.links.values())
        return CellModel(self.linked(cell.text), meaning)
