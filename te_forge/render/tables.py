"""What templates may ask about tables: those that are rolled, those of which each row is an entry, and plain ones."""

from __future__ import annotations

from dataclasses import replace

from te_forge.model.system import Bulk, Cell, Field, Grid, Patch, RollTable, Row, plain
from te_forge.render.fields import Fields

NONE = Cell(())


class Tables(Fields):
    """Knows which columns a table has, and how they are set."""

    def faces(self, row: Row, table: RollTable) -> str:
        if row.high < row.low:
            return ""
        return f"{row.low}+" if table.die == "at" and row.low < row.high else row.printed("–")

    def on_faces(self, patch: Patch, table: RollTable) -> RollTable:
        """The rows of a patch with the faces that they are rolled on; a row that only has a name has those of the row of that name."""
        target = self.system.entries.get(patch.target)
        if target is None or target.table is None:
            return table
        named = {row.name: row for row in target.table.rows if row.name}
        ranged = [row if row.low <= row.high else named.get(row.name, row) for row in table.rows]
        rows = tuple(replace(row, low=one.low, high=one.high, more=one.more) for row, one in zip(table.rows, ranged, strict=True))
        return replace(table, die=target.table.die, rows=rows)

    def columns(self, table: RollTable) -> list[str]:
        return [column for column in table.columns[1:] if column != "row" and any(row.cells.get(column, NONE).words for row in table.rows)]

    def rolls(self, table: RollTable) -> bool:
        return table.die != "at"

    def bulk_columns(self, bulk: Bulk) -> list[str]:
        return [column for column in bulk.columns[1:] if column != "text"]

    def is_list(self, bulk: Bulk) -> bool:
        """Names with a text each read better as a list than as a table."""
        return not any(self.field(entry, column) for entry in self.entries(bulk.entries) for column in self.bulk_columns(bulk))

    def list_tag(self, bulk: Bulk, title: str) -> str:
        """What stands above a list, as a tag does behind a heading: the kind of its things, unless it is the title of the chapter that says so."""
        tag = self.plural(bulk.kind) if len(bulk.entries) > 1 else self.head(bulk.kind)
        return tag if self.plural(bulk.kind).casefold() != title.casefold() else ""

    def is_number(self, field: Field | None) -> bool:
        return field is not None and plain(field.words).strip().lstrip("+-").isdigit()

    def has_text(self, bulk: Bulk) -> bool:
        return any(entry.prose for entry in self.entries(bulk.entries))

    def is_actors(self, bulk: Bulk) -> bool:
        kind = self.system.kinds.get(bulk.kind)
        return kind is not None and kind.nature == "actor"

    def grid_head(self, grid: Grid) -> bool:
        return any(column.strip() for column in grid.columns)

    def numeric(self, bulk: Bulk) -> set[str]:
        """The columns that hold numbers only, and so are set in line."""
        return {column for column in self.bulk_columns(bulk) if self.only_numbers(bulk, column)}

    def only_numbers(self, bulk: Bulk, column: str) -> bool:
        found = [field for entry in self.entries(bulk.entries) if (field := self.field(entry, column))]
        return bool(found) and all(self.is_number(field) for field in found)
