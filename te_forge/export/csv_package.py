"""A game as a CSV Data Package: tables for a spreadsheet, described by datapackage.json (the Frictionless specification).

There is a file for each kind of thing, one for each random table, and one each for rule lines, steps, declared fields and chapters. Cells hold what
stands in the pack, as it is written there, so that `te-forge import csv` can read an edited one back. A cell that a spreadsheet would run as a
formula gets a `'` before it, and loses it again on the way back.
"""

from __future__ import annotations

import csv
import hashlib
import io
import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from te_forge.export.exporter import SORTS, Exporter, Extent, Fate, Sink, Verdict
from te_forge.export.tools import python_tool
from te_forge.export.written import NotWritable, as_prose, as_rule
from te_forge.model.pack import PackInfo, Work
from te_forge.model.system import Chapter, Entry, Grid, Line, Prose, Row, Slot, System, Words, plain
from te_forge.render.places import file_slug, unique

HEAD = "datapackage.json"
ALIVE = re.compile(r"'*[=+\-@\t\r]")
WHOLE = re.compile(r"[0-9]{1,9}")
CLIPPED = 32_000
"""Letters that a cell of a spreadsheet holds, with a little room; the rest would be cut off there."""


def defused(text: str) -> str:
    """A cell that no spreadsheet takes for a formula."""
    return "'" + text if ALIVE.match(text) else text


def fused(text: str) -> str:
    """The cell as it was before `defused`."""
    return text[1:] if text.startswith("'") and ALIVE.match(text) else text


@dataclass(frozen=True)
class Sheet:
    """One file: its path, what it holds (`entries`, `table`, `lines` ..) of which kind or table, its columns, and its rows. The first column, or
    those in `key`, tell rows apart.
    """

    path: str
    title: str
    holds: str
    of: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    key: tuple[str, ...] = ("id",)
    computed: frozenset[tuple[str, str]] = field(default_factory=frozenset)
    """Row and column of texts in which a number stands that only the pack can work out."""

    @cached_property
    def raw(self) -> bytes:
        out = io.StringIO()
        writer = csv.writer(out, lineterminator="\r\n")
        writer.writerow(self.columns)
        writer.writerows([[defused(cell) for cell in row] for row in self.rows])
        return out.getvalue().encode("utf-8")

    @cached_property
    def holding(self) -> frozenset[str]:
        """Of rule lines, the ids of those that have others below them."""
        return frozenset(row[0].rpartition(" > ")[0] for row in self.rows)

    @property
    def digest(self) -> str:
        return hashlib.sha256(self.raw).hexdigest()


def sheets(system: System) -> list[Sheet]:
    """All files of a game, in order."""
    taken: dict[str, int] = {}
    found = [of_kind(kind, entries, system, taken) for kind, entries in by_kind(system).items()]
    found += [of_table(entry, system, taken) for entry in system.entries.values() if entry.table is not None]
    return [*found, *(one for one in (lines(system), steps(system), slots(system), chapters(system)) if one.rows)]


def by_kind(system: System) -> dict[str, list[Entry]]:
    found: dict[str, list[Entry]] = {}
    for entry in system.entries.values():
        found.setdefault(entry.kind, []).append(entry)
    return dict(sorted(found.items()))


FIXED = ("id", "name", "text", "part of", "cites")


def of_kind(kind: str, entries: Sequence[Entry], system: System, taken: dict[str, int]) -> Sheet:
    """The things of one kind, a row each, a column for each field that one of them states."""
    labels = {key: one.label for entry in entries for key, one in entry.fields.items()}
    heads = {key: label if label.casefold() not in FIXED else f"{label} (field)" for key, label in labels.items()}
    rows, computed = [], set()
    for entry in entries:
        text, whole = prose_of([one.words for one in entry.prose], system)
        if not whole:
            computed.add((entry.id, "text"))
        states = [as_rule(entry.fields[key].words) if key in entry.fields else "" for key in labels]
        rows.append((entry.id, entry.name, *states, text, entry.owner or "", " ".join(entry.cites)))
    columns = ("id", "name", *unlike(heads.values()), "text", "part of", "cites")
    return Sheet(
        f"entries/{unique(file_slug(kind), taken)}.csv",
        f"Things of the kind {kind}",
        "entries",
        kind,
        columns,
        tuple(rows),
        computed=frozenset(computed),
    )


def unlike(names: Iterable[str]) -> list[str]:
    """Names of columns that differ by more than capitals: some tools take such for the same."""
    taken: dict[str, int] = {}
    found = []
    for name in names:
        number = taken[name.casefold()] = taken.get(name.casefold(), 0) + 1
        found.append(name if number == 1 else f"{name} {number}")
    return found


def prose_of(runs: Iterable[Words], system: System) -> tuple[str, bool]:
    """Prose as it is written, and whether that says all; where a number can only be printed, the text has the number."""
    parts, whole = [], True
    for words in runs:
        try:
            parts.append(as_prose(words, system))
        except NotWritable:
            whole = False
            parts.append(plain(words).strip("\n"))
    return "\n\n".join(parts), whole


def of_table(entry: Entry, system: System, taken: dict[str, int]) -> Sheet:
    table = entry.table
    assert table is not None
    named = [column for column in table.columns[1:] if column != "row"]
    rows = [(str(row.low), str(row.high), also(row), row.name, *(cell_of(row, column, system) for column in named)) for row in table.rows]
    columns = tuple(unlike(("low", "high", "also", "row", *named)))
    return Sheet(
        f"tables/{unique(file_slug(entry.name), taken)}.csv", f"{entry.name} ({table.die})", "table", entry.id, columns, tuple(rows), key=("low",)
    )


def also(row: Row) -> str:
    """What else of its die a row covers: `5 to 6, 9`. A spreadsheet would take `5-6` for a day in May."""
    return ", ".join(str(one.low) if one.low == one.high else f"{one.low} to {one.high}" for one in row.more)


def cell_of(row: Row, column: str, system: System) -> str:
    cell = row.cells.get(column)
    if cell is None:
        return ""
    return as_rule(cell.words) if cell.meaning else prose_of([cell.words], system)[0]


def lines(system: System) -> Sheet:
    """Every rule line, with the steps and lines that it stands below."""
    rows = [row for entry in system.entries.values() for row in lines_of(entry, system)]
    return Sheet("rules.csv", "Rule lines", "lines", "", ("id", "entry", "name", "below", "label", "text"), tuple(rows))


def lines_of(entry: Entry, system: System) -> Iterator[tuple[str, ...]]:
    for step in entry.steps:
        yield from below(entry, step.lines, (step.name,), "")
    yield from below(entry, entry.lines, (), "")
    for number, patch in enumerate(entry.patches, 1):
        target = system.entries.get(patch.target)
        yield from below(entry, patch.lines, (f"{patch.verb} {target.name if target is not None else patch.target}",), f"patch {number} ")


def below(entry: Entry, found: Iterable[Line], path: tuple[str, ...], mark: str) -> Iterator[tuple[str, ...]]:
    for number, line in enumerate(found, 1):
        here = (*path, line.label or f"line {number}")
        yield (f"{entry.id}#{mark}{' > '.join(here)}", entry.id, entry.name, " > ".join(path), line.label, as_rule(line.words))
        yield from below(entry, line.lines, here, mark)


def steps(system: System) -> Sheet:
    rows, computed = [], set()
    for entry in system.entries.values():
        for number, step in enumerate(entry.steps, 1):
            text, whole = prose_of([step.prose], system)
            rows.append((f"{entry.id}#{number}", entry.id, entry.name, str(number), step.name, text))
            if not whole:
                computed.add((f"{entry.id}#{number}", "text"))
    return Sheet(
        "steps.csv", "Numbered steps", "steps", "", ("id", "entry", "of", "number", "name", "text"), tuple(rows), computed=frozenset(computed)
    )


def slots(system: System) -> Sheet:
    """The fields that kinds declare, and the values of procedures; of hacks, those that they change."""
    rows = [slot_row(entry, slot, "") for entry in system.entries.values() for slot in entry.slots.values()]
    rows += [
        slot_row(entry, slot, f"patch {number} ")
        for entry in system.entries.values()
        for number, patch in enumerate(entry.patches, 1)
        for slot in patch.slots.values()
    ]
    return Sheet("fields.csv", "Declared fields and values", "slots", "", ("id", "entry", "name", "field", "holds", "default", "text"), tuple(rows))


def slot_row(entry: Entry, slot: Slot, mark: str) -> tuple[str, ...]:
    return (f"{entry.id}#{mark}{slot.name}", entry.id, entry.name, slot.name, as_rule(slot.words) or str(slot.holds), slot.usual, slot.text)


def chapters(system: System) -> Sheet:
    """What stands in the chapters, in reading order."""
    rows = []
    for chapter in system.chapters:
        for number, item in enumerate(chapter.items or ("",), 1):
            if isinstance(item, Prose):
                what = ("prose", prose_of([item.words], system)[0])
            elif isinstance(item, Grid):
                what = (
                    "table",
                    "\n".join(" | ".join(cells) for cells in (item.columns, *([prose_of([cell], system)[0] for cell in row] for row in item.rows))),
                )
            else:
                what = ("entries", item if isinstance(item, str) else " ".join(item.entries))
            rows.append((f"{chapter.id}#{number}", chapter.id, chapter.title, *what))
    return Sheet("chapters.csv", "Chapters in reading order", "chapters", "", ("id", "chapter", "title", "is", "text"), tuple(rows))


# ---------------------------------------------------------------- datapackage.json


def descriptor(system: System, found: Iterable[Sheet]) -> dict[str, Any]:
    pack = system.pack
    sources = [{"title": work.title, **({"path": work.url} if work.url else {})} for one in system.packs for work in one.sources]
    notices = list(dict.fromkeys(work.attribution for one in system.packs for work in one.sources if work.attribution))
    return {
        "profile": "data-package",
        "name": pack.id,
        "title": pack.title,
        "version": pack.version,
        **({"description": pack.subtitle} if pack.subtitle else {}),
        **({"licenses": licenses(system.packs)} if licenses(system.packs) else {}),
        **({"sources": unlike_ones(sources)} if sources else {}),
        **({"contributors": [{"title": who, "role": "author"} for who in pack.authors]} if pack.authors else {}),
        "attribution": notices,
        "te_forge": {"format": 1, "pack": pack.id, "on": [entry.id for entry in system.entries.values() if entry.kind in ("hack", "reading")]},
        "resources": [resource(sheet) for sheet in found],
    }


def licenses(packs: Iterable[PackInfo]) -> list[dict[str, str]]:
    owners: list[PackInfo | Work] = []
    for pack in packs:
        owners += [pack, *pack.sources]
    found = [{"title": one.license, **({"path": one.license_url} if one.license_url else {})} for one in owners if one.license]
    return unlike_ones([{"name": re.sub(r"[^A-Za-z0-9.]+", "-", one["title"]), **one} for one in found])


def unlike_ones(found: list[dict[str, str]]) -> list[dict[str, str]]:
    return [one for number, one in enumerate(found) if one not in found[:number]]


def resource(sheet: Sheet) -> dict[str, Any]:
    key = list(sheet.key)
    return {
        "profile": "tabular-data-resource",
        "name": re.sub(r"[^a-z0-9]+", "-", sheet.path.removesuffix(".csv").casefold()).strip("-"),
        "title": sheet.title,
        "path": sheet.path,
        "format": "csv",
        "mediatype": "text/csv",
        "encoding": "utf-8",
        "dialect": {"lineTerminator": "\r\n"},
        "te_forge": {"holds": sheet.holds, "of": sheet.of, "sha256": sheet.digest},
        "schema": {"fields": [column(sheet, number) for number in range(len(sheet.columns))], "primaryKey": key},
    }


def column(sheet: Sheet, number: int) -> dict[str, Any]:
    cells = [row[number] for row in sheet.rows]
    whole = any(cells) and all(WHOLE.fullmatch(cell) or not cell for cell in cells) and sheet.columns[number] not in FIXED
    needed = sheet.columns[number] in sheet.key
    return {"name": sheet.columns[number], "type": "integer" if whole else "string", **({"constraints": {"required": True}} if needed else {})}


# ---------------------------------------------------------------- the exporter

NO_PICTURE = "a cell holds no picture, only its address"


class CsvPackage(Exporter):
    """Tables for a spreadsheet, which can be read back."""

    id = "csv"
    title = "CSV Data Package"
    targets = ("Data Package 1",)
    capabilities: Mapping[str, Extent] = dict.fromkeys(SORTS, "full")

    def emit(self, system: System, sink: Sink, options: Mapping[str, str]) -> Iterator[Fate]:
        found = sheets(system)
        for sheet in found:
            sink.data(sheet.path, sheet.raw)
        sink.text(HEAD, json.dumps(descriptor(system, found), ensure_ascii=False, indent=1) + "\n")
        computed = {row for sheet in found for row, _ in sheet.computed}
        for chapter in system.chapters:
            pictured = any(map(shows_picture, words_of(chapter)))
            yield Fate(chapter.id, "degraded", NO_PICTURE) if pictured else Fate(chapter.id, "full")
        yield from (fate(entry, computed) for entry in system.entries.values())

    def verify(self, folder: Path) -> Iterator[Verdict]:
        yield alive(folder)
        yield python_tool("Data Package", "frictionless", ("validate", HEAD), folder)


def words_of(chapter: Chapter) -> Iterator[Words]:
    """What a chapter says besides its things."""
    for item in chapter.items:
        match item:
            case Prose(words, _):
                yield words
            case Grid():
                yield from (words for row in item.rows for words in row)


def shows_picture(words: Words) -> bool:
    return any("![" in part for part in words if isinstance(part, str))


def fate(entry: Entry, computed: set[str]) -> Fate:
    pictures = any(shows_picture(prose.words) for prose in entry.prose)
    long = any(len(plain(prose.words)) > CLIPPED for prose in entry.prose)
    if entry.id in computed:
        return Fate(entry.id, "degraded", "its text prints a number that the rules work out; a cell holds the number as it is now")
    if pictures:
        return Fate(entry.id, "degraded", NO_PICTURE)
    if long:
        return Fate(entry.id, "degraded", "its text is longer than a cell of a spreadsheet, which would cut it off")
    return Fate(entry.id, "full")


def alive(folder: Path) -> Verdict:
    """Our own look for cells that a spreadsheet would run."""
    wrong = []
    for path in sorted(folder.rglob("*.csv")):
        with path.open(encoding="utf-8", newline="") as file:
            for number, row in enumerate(csv.reader(file), 1):
                wrong += [
                    f"{path.relative_to(folder).as_posix()}, row {number}: a spreadsheet would run `{cell[:40]}`"
                    for cell in row
                    if ALIVE.match(cell) and not cell.startswith("'")
                ]
    return Verdict("cells that a spreadsheet would run", "failed" if wrong else "passed", "te_forge", tuple(wrong))
