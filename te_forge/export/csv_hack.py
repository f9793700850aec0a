"""The hack that is made of what was edited in a spreadsheet: a line for each change that can be one, and a reason for each that cannot."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from te_forge.export.csv_package import Sheet
from te_forge.export.csv_read import Edited, Lost
from te_forge.export.written import name as written_name
from te_forge.model.system import Entry, System

NOT_DEFINED = frozenset(["kind", "hack", "ruling", "reading", "example", "procedure", "table"])
"""Kinds of which a row does not say enough to make a new one."""


Faces = tuple[tuple[int, int], ...]
FACES = re.compile(r"\s*([0-9]{1,4})(?:\s*(?:to|-|–)\s*([0-9]{1,4}))?\s*")
MOST_FACES = 1_000
LINKED = re.compile(r"\[\[([^\[\]|]+)")

Change = Callable[[Sheet, int, str, str, str, str], None]
"""Takes a changed cell: its file, row, id, column, what stood there and what stands there."""
New = Callable[[Sheet, int, Mapping[str, str]], None]
Gone = Callable[[Sheet, str], None]


@dataclass
class Part:
    """What the hack does to one thing: new prose, lines, and a table."""

    head: str
    prose: str = ""
    lines: list[str] = field(default_factory=list)
    table: list[str] = field(default_factory=list)

    def text(self) -> str:
        parts = [f"### {self.head}", *([self.prose] if self.prose else []), *self.lines, *(["", *self.table] if self.table else [])]
        return "\n".join(parts) + "\n"


class Maker:
    """Puts the hack together."""

    def __init__(self, system: System) -> None:
        self.system = system
        self.titles = {chapter.title for chapter in system.chapters} - {entry.name for entry in system.entries.values()}
        self.parts: dict[str, Part] = {}
        self.lost: list[Lost] = []
        self.changes = 0
        self.told: set[tuple[str, int, str]] = set()
        """File, row and column of what is told as lost, so that it is told once."""

    def lose(self, file: str, row: int, column: str, why: str) -> None:
        self.lost.append(Lost(file, row, column, why))
        self.told.add((file, row, column))

    def part(self, key: str, head: str) -> Part:
        return self.parts.setdefault(key, Part(head))

    def changed(self, entry: Entry) -> Part:
        self.changes += 1
        return self.part(entry.id, f"changes {called(entry)}")

    def file(self, one: Edited) -> None:
        if not one.rows and one.lost:
            return
        match one.sheet.holds:
            case "table":
                self.table(one)
            case "entries":
                self.rows(one, self.entry, self.new_entry, self.gone_entry)
            case "lines":
                self.rows(one, self.line, self.no_new, self.gone_line)
            case "steps":
                self.rows(one, self.step, self.no_new, self.not_gone)
            case _:
                self.rows(one, self.no_change, self.no_new, self.not_gone)

    def rows(self, one: Edited, change: Change, new: New, gone: Gone) -> None:
        """Tell the rows of a file apart by their ids."""
        before = {row[0]: dict(zip(one.sheet.columns, row, strict=True)) for row in one.sheet.rows}
        seen: dict[str, int] = {}
        for number, cells in one.rows:
            id = cells["id"]
            if not id:
                new(one.sheet, number, cells)
            elif id not in before:
                self.lose(one.sheet.path, number, "id", f"nothing has the id {id}; a row for something new has an empty cell there")
            elif id in seen:
                self.lose(one.sheet.path, number, "id", f"this id stands in row {seen[id]} too; a row for something new has an empty cell there")
            else:
                seen[id] = number
                for column, cell in cells.items():
                    if cell != before[id][column].strip():
                        change(one.sheet, number, id, column, before[id][column], cell)
        strange = next((number for number, cells in one.rows if cells["id"] and cells["id"] not in before), 0)
        for id in before:
            if id not in seen and strange:
                self.lose(
                    one.sheet.path,
                    0,
                    "id",
                    f"{id} is gone, and is not deleted: row {strange} may be what it was; put its id back, or take that row out as well",
                )
            elif id not in seen:
                gone(one.sheet, id)

    # ------------------------------------------------------------ things

    def entry(self, sheet: Sheet, row: int, id: str, column: str, was: str, now: str) -> None:
        entry = self.system.entries[id]
        if column in ("part of", "cites"):
            self.lose(sheet.path, row, column, "this is changed in the pack only")
        elif (id, column) in sheet.computed:
            self.lose(sheet.path, row, column, "this text prints a number that the rules work out; change it in the pack")
        elif entry.kind == "example" and column not in ("name", "text"):
            self.lose(sheet.path, row, column, "an example is set up in the pack only")
        elif column == "name":
            self.renamed(sheet, row, entry, now)
        elif column == "text":
            self.prose(sheet, row, entry, now)
        else:
            self.changed(entry).lines.append(stated(label_of(column), now or "nothing", was if was.isdigit() else ""))

    def renamed(self, sheet: Sheet, row: int, entry: Entry, now: str) -> None:
        if not now or '"' in now or "\n" in now:
            self.lose(sheet.path, row, "name", "this is no name; to delete a thing, delete its row")
            return
        self.changes += 1
        self.part(f"{entry.id} renamed", f"renames {called(entry)}").lines.append(f'- To: "{now}"')

    def prose(self, sheet: Sheet, row: int, entry: Entry, now: str) -> None:
        if not now:
            self.lose(sheet.path, row, "text", "a hack can put other prose here, but not take it away")
        elif why := self.no_prose(now):
            self.lose(sheet.path, row, "text", why)
        else:
            self.changed(entry).prose = now

    def no_prose(self, text: str) -> str:
        """Why a text cannot stand in a hack: its lines would be read as rules, or it links to a chapter, which only a page of its own pack can."""
        for line in text.splitlines():
            if line.startswith(("#", "- ", "|")):
                return f"a text has no line that begins with `{line[:1]}`; lists begin with `*`"
        if any(found.strip() in self.titles for found in LINKED.findall(text)):
            return "a hack cannot link to a chapter; change this text in the pack"
        return ""

    def new_entry(self, sheet: Sheet, row: int, cells: Mapping[str, str]) -> None:
        name = cells.get("name", "")
        kind = sheet.of
        if not name or "\n" in name:
            self.lose(sheet.path, row, "name", "a new row needs a name, and nothing of it is read")
        elif kind in NOT_DEFINED or kind not in self.system.kinds:
            self.lose(sheet.path, row, "id", f"a row says too little to make a new {kind}; write it in the pack")
        elif why := self.no_prose(cells.get("text", "")):
            self.lose(sheet.path, row, "text", f"{why}, so nothing of this row is read")
        else:
            self.changes += 1
            part = self.part(f"new {kind} {name}", f"{kind}: {name}")
            part.prose = cells.get("text", "")
            part.lines += [
                stated(label_of(column), cell, "")
                for column, cell in cells.items()
                if cell and column not in ("id", "name", "text", "part of", "cites")
            ]
            for column in ("part of", "cites"):
                if cells.get(column):
                    self.lose(sheet.path, row, column, "this is stated in the pack only")

    def gone_entry(self, sheet: Sheet, id: str) -> None:
        self.changes += 1
        self.part(f"{id} deleted", f"deletes {called(self.system.entries[id])}")

    # ------------------------------------------------------------ rule lines

    def line(self, sheet: Sheet, row: int, id: str, column: str, was: str, now: str) -> None:
        if column != "text":
            self.lose(sheet.path, row, column, "this is changed in the pack only")
        elif not now:
            self.lose(sheet.path, row, column, "a rule that says nothing; to take it away, delete its row")
        else:
            self.patched_line(sheet, row, id, now)

    def patched_line(self, sheet: Sheet, row: int, id: str, now: str) -> None:
        entry, _, path = id.partition("#")
        steps = path.split(" > ")
        if id in sheet.holding or "\n" in now or any(step.startswith("line ") for step in steps):
            self.lose(sheet.path, row, "text", "lines are set in below this one, or it has no label; change it in the pack")
            return
        lines = self.changed(self.system.entries[entry]).lines
        for depth, step in enumerate(steps):
            head = f"{'  ' * depth}- {step}:"
            if depth == len(steps) - 1:
                lines.append(f"{head} {now}")
            elif not is_open(lines, depth, head):
                lines.append(head)

    def step(self, sheet: Sheet, row: int, id: str, column: str, was: str, now: str) -> None:
        """The text of a step stands right below its label, before the lines that are changed in it."""
        entry, _, number = id.partition("#")
        name = self.system.entries[entry].steps[int(number) - 1].name
        if column != "text":
            self.lose(sheet.path, row, column, "this is changed in the pack only")
        elif self.system.entries[entry].kind == "example":
            self.lose(sheet.path, row, column, "an example is set up in the pack only")
        elif (id, column) in sheet.computed:
            self.lose(sheet.path, row, column, "this text prints a number that the rules work out; change it in the pack")
        elif not now or self.no_prose(now):
            self.lose(sheet.path, row, column, self.no_prose(now) or "a hack can put other prose here, but not take it away")
        else:
            lines = self.changed(self.system.entries[entry]).lines
            head = f"- {name}:"
            if head not in lines:
                lines.append(head)
            lines[lines.index(head) + 1 : lines.index(head) + 1] = [f"  {line}".rstrip() for line in now.splitlines()]

    def gone_line(self, sheet: Sheet, id: str) -> None:
        if not self.part_of_deleted(id.partition("#")[0]):
            self.patched_line(sheet, 0, id, "nothing")

    def part_of_deleted(self, entry: str) -> bool:
        return f"{entry} deleted" in self.parts

    # ------------------------------------------------------------ tables

    def table(self, one: Edited) -> None:
        sheet = one.sheet
        entry = self.system.entries[sheet.of]
        assert entry.table is not None
        before = {faces_of(cells): cells for cells in (dict(zip(sheet.columns, row, strict=True)) for row in sheet.rows)}
        named = [column for column in sheet.columns if column not in ("low", "high", "also", "row")]
        has_names = any(row["row"] for row in before.values()) or any(cells.get("row") for _, cells in one.rows)
        by_name: list[str] = []
        by_faces: list[str] = []
        seen: set[Faces] = set()
        for number, cells in one.rows:
            faces = faces_of(cells)
            if faces is None:
                self.lose(
                    sheet.path,
                    number,
                    "low",
                    "`low` and `high` are numbers of the die, and `also` is others, such as `5 to 6, 9`; nothing of this row is read",
                )
                continue
            was = before.get(faces)
            seen.add(faces)
            row = {column: cells.get(column, was[column] if was else "") for column in ("row", *named)}
            if was and all(was[column] == cell for column, cell in row.items()):
                continue
            if any("\n" in cell or "|" in cell for cell in row.values()):
                self.lose(sheet.path, number, "", "a cell of a table is one line without `|`; nothing of this row is read")
            elif was and was["row"] and row["row"] == was["row"]:
                by_name.append(
                    f"| {written_name(row['row'])} | {' | '.join('-' if row[column] == was[column] else row[column] or 'nothing' for column in named)} |"
                )
            else:
                name = f"{written_name(row['row']) if row['row'] else '-'} | " if has_names else ""
                by_faces.append(f"| {said(faces)} | {name}{' | '.join(row[column] or 'nothing' for column in named)} |")
        self.gaps(sheet, before, seen)
        for head, lines in (("row", by_name), (f"{entry.table.die}{' | row' * has_names}", by_faces)):
            if lines:
                columns = f"| {head} | {' | '.join(named)} |"
                part = self.part(f"{entry.id} {head}", f"changes {called(entry)}")
                part.table += [columns, "|".join(["", *("---" for _ in columns.split("|")[1:-1]), ""]), *lines]
                self.changes += len(lines)

    def gaps(self, sheet: Sheet, before: Iterable[Faces | None], seen: Collection[Faces]) -> None:
        """Rows that are gone without others in their place."""
        covered = {face for faces in seen for low, high in faces for face in range(low, min(high, low + MOST_FACES) + 1)}
        for faces in before:
            if faces is not None and faces not in seen and not {face for low, high in faces for face in range(low, high + 1)} <= covered:
                self.lose(sheet.path, 0, "", f"the row {said(faces)} is gone, and no other row covers its numbers")

    # ------------------------------------------------------------ what is only to be read

    def no_change(self, sheet: Sheet, row: int, id: str, column: str, was: str, now: str) -> None:
        self.lose(sheet.path, row, column, "this is changed in the pack only")

    def no_new(self, sheet: Sheet, row: int, cells: Mapping[str, str]) -> None:
        self.lose(sheet.path, row, "", "a new row in this file makes nothing; write it in the pack")

    def not_gone(self, sheet: Sheet, id: str) -> None:
        if not self.part_of_deleted(id.partition("#")[0]):
            self.lose(sheet.path, 0, "", f"the row {id} is gone; what it says is taken away in the pack only")


def faces_of(cells: Mapping[str, str]) -> Faces | None:
    """From where to where a row goes, as often as it begins anew; None when these are no numbers."""
    texts = [
        f"{cells.get('low', '')} to {cells.get('high', '') or cells.get('low', '')}",
        *(text for text in cells.get("also", "").split(",") if text.strip()),
    ]
    found = [FACES.fullmatch(text) for text in texts]
    return tuple((int(one[1]), int(one[2] or one[1])) for one in found if one) if all(found) else None


def said(faces: Faces) -> str:
    return ", ".join(str(low) if low == high else f"{low}-{high}" for low, high in faces)


def called(entry: Entry) -> str:
    return f"{entry.kind}: {entry.name}"


def label_of(column: str) -> str:
    """The field that a column holds; one that is called as a column of ours has a mark."""
    return column.removesuffix(" (field)")


def stated(label: str, value: str, was: str) -> str:
    return f"- {label}: {' '.join(value.split())}" + (f" (was {was})" if was else "")


def is_open(lines: Sequence[str], depth: int, head: str) -> bool:
    """Whether the last line at this depth is `head`, so that a further line may stand below it."""
    last = next((line for line in reversed(lines) if len(line) - len(line.lstrip()) <= 2 * depth), "")
    return last == head
