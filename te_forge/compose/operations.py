"""What a patch does, as single operations, each on one place of one entry."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from te_forge.frozen import frozen, replace
from te_forge.keys import slug
from te_forge.model.rules import Change, Edit, Nothing, Text, Thing
from te_forge.model.system import EMPTIED, Cell, Entry, Field, Line, Patch, Place, Prose, Row, Slot, System
from te_forge.source import Span

Path = tuple[str, ...]
"""Labels from the entry down to a line, as slugs. The slots and the rows of an entry lie below SLOTS and ROWS, its prose, and that of a step, at
PROSE.
"""
SLOTS, ROWS, PROSE = "#slots", "#rows", "#prose"

Verb = Literal["delete", "rename", "set", "remove", "insert", "adjust", "edit", "copy"]
"""`copy` changes nothing: of something that is based on its target, it says so to whoever asks who stands on what."""


@frozen
class Operation:
    """`hack` is the hack or reading, or the copy that says this of itself. `what` is the line, slot, row or prose that is set or inserted; the change
    or edit of a field; the new name, or the successor (or None). Two that say the same are still two.
    """

    hack: str
    verb: Verb
    target: str
    path: Path
    label: str
    span: Span
    what: Line | Slot | Row | tuple[Prose, ...] | Change | Edit | str | None = None
    place: Place | None = None
    was: Field | None = None
    """What the hack expects to find."""

    def __eq__(self, other: object) -> bool:
        return self is other

    __hash__ = object.__hash__

    @property
    def anchor(self) -> Path:
        """The place beside which a line is put in."""
        return (*self.path[:-1], slug(self.place.label)) if self.place is not None else self.path


def operations(hack: Entry, system: System) -> list[Operation]:
    """All that one hack does, in the order in which it says so."""
    return [one for patch in hack.patches for one in of_patch(hack.id, patch, system)]


def of_patch(hack: str, patch: Patch, system: System) -> Iterator[Operation]:
    match patch.verb:
        case "deletes":
            successor = next(
                (atom.id for line in patch.lines if line.label == "Successor" for atom in line.value if isinstance(atom, Thing) and ":" in atom.id),
                None,
            )  # a word of a choice, in a file that somebody has changed, stands for nothing
            yield Operation(hack, "delete", patch.target, (), "", patch.span, successor)
        case "renames":
            name = next((atom.text for line in patch.lines if line.label == "To" for atom in line.value if isinstance(atom, Text)), None)
            if name is not None:
                yield Operation(hack, "rename", patch.target, ("#name",), "name", patch.span, name.removeprefix("[[").removesuffix("]]"))
        case _:
            if patch.prose:
                yield Operation(hack, "set", patch.target, (PROSE,), "text", patch.prose[0].span, patch.prose)
            for line in patch.lines:
                yield from of_line(hack, patch.target, line, ())
            for slot in patch.slots.values():
                yield Operation(hack, "set", patch.target, (SLOTS, slug(slot.name)), slot.name, slot.span, slot)
            yield from of_tables(hack, patch, system)


def of_line(hack: str, target: str, line: Line, above: Path) -> Iterator[Operation]:
    """One line of a patch: it replaces, removes or adds a line, states a field anew or changes it, or leads on to the lines below it."""
    path = (*above, slug(line.label))
    if line.prose and line.place is None:
        yield Operation(hack, "set", target, (*path, PROSE), f"{line.label}.text", line.prose[0].span, line.prose)
    if line.place is not None:
        yield Operation(hack, "insert", target, path, line.label, line.span, line, line.place)
    elif line.value == (Nothing(),) or is_nothing(line):
        yield Operation(hack, "remove", target, path, line.label, line.span, was=line.was)
    elif line.value:
        yield from of_field(hack, target, line, path)
    elif not line.words:
        for below in line.lines:
            yield from of_line(hack, target, below, path)
    else:
        yield Operation(hack, "set", target, path, line.label, line.span, line)


def is_nothing(line: Line) -> bool:
    return line.words == ("nothing",) and not line.meaning and not line.lines


def of_field(hack: str, target: str, line: Line, path: Path) -> Iterator[Operation]:
    if not any(isinstance(atom, Change | Edit) for atom in line.value):
        yield Operation(hack, "set", target, path, line.label, line.span, line, was=line.was)
    for atom in line.value:
        if isinstance(atom, Change):
            yield Operation(hack, "adjust", target, path, line.label, line.span, atom, was=line.was)
        elif isinstance(atom, Edit):
            yield Operation(hack, "edit", target, path, line.label, line.span, atom, was=line.was)


def of_tables(hack: str, patch: Patch, system: System) -> Iterator[Operation]:
    """Rows are known by the faces that they cover; a row that only has a name covers those of the row of that name, and one without a name for the
    faces of a row of the table is that one.
    """
    target = system.entries.get(patch.target)
    rows = target.table.rows if target is not None and target.table is not None else ()
    for table in patch.tables:
        for row in table.rows:
            label = row.name or row.printed()
            same = next((one for one in rows if (one.name == row.name if row.name else one.faces == row.faces)), None)
            path = (ROWS, slug(row.name)) if row.high < row.low and same is None else (ROWS,)
            yield Operation(hack, "set", patch.target, path, label, row.span, settled(row, same))


def settled(row: Row, same: Row | None) -> Row:
    """A row that means one of the table's takes its range and the cells that it does not state; `nothing` empties a cell."""
    stated = {column: Cell(()) if cell.words == EMPTIED else cell for column, cell in row.cells.items() if cell.words or same is None}
    if same is None:
        return replace(row, cells=stated)
    ranged = row if row.high >= row.low else same
    return Row(same.id, same.name, ranged.low, ranged.high, {**same.cells, **stated}, row.span, ranged.more)
