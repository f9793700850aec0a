"""How operations and what they leave read aloud."""

from __future__ import annotations

from collections.abc import Iterable

from te_forge.compose.operations import Operation
from te_forge.model.rules import Change, Edit
from te_forge.model.system import Field, Line, Prose, Row, Slot, System, plain


def told(one: Operation, system: System) -> str:
    """What an operation says, as it is written."""
    if one.verb == "delete":
        return f"deleted, and {name(str(one.what), system)} stands for it" if one.what else "deleted"
    if one.verb == "rename":
        return f'called "{one.what}"'
    if one.verb == "remove":
        return "nothing"
    match one.what:
        case Change() as change:
            return change_in_words(change)
        case Edit() as edit:
            return f"{'with' if edit.add else 'without'} {name(edit.thing, system)}"
        case Line() as line:
            return line_in_words(line)
        case Slot() as slot:
            return slot_in_words(slot)
        case Row() as row:
            return row_in_words(row)
        case tuple() as proses:
            return prose_in_words(proses)
    return str(one.what)


def name(id: str, system: System) -> str:
    return system.entries[id].name if id in system.entries else id


def change_in_words(change: Change) -> str:
    match change.op:
        case "more" | "less":
            return f"{change.amount} {change.op}"
        case "times":
            return f"{change.amount} times as much"
        case "up" | "down":
            return f"{change.amount} percent rounded {change.op}"
    return f"{change.op} {change.amount}"


def line_in_words(line: Line) -> str:
    """A line with the lines below it, on one line."""
    below = "; ".join(f"{one.label}: {line_in_words(one)}" if one.label else line_in_words(one) for one in line.lines)
    return " ".join(part for part in (plain(line.words).strip(), below) if part)


def slot_in_words(slot: Slot) -> str:
    return f"{slot.holds}, {slot.usual or 'nothing'} by default"


def row_in_words(row: Row) -> str:
    cells = " | ".join(plain(cell.words).strip() or "-" for cell in row.cells.values())
    return f"{range_of(row)} {row.name}: {cells}" if row.name else f"{range_of(row)}: {cells}"


def prose_in_words(proses: Iterable[Prose]) -> str:
    return " ".join(" ".join(plain(prose.words).split()) for prose in proses)


def range_of(row: Row) -> str:
    return row.printed()


def field_in_words(field: Field | None) -> str:
    return plain(field.words) if field is not None else "nothing"


def lines_in_words(lines: Iterable[Line]) -> str:
    return "; ".join(f"{line.label}: {line_in_words(line)}" for line in lines)
