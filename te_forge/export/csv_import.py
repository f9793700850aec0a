"""What was edited in a spreadsheet, as a hack.

Every difference between the edited files and the pack becomes a line of the hack or is told as lost, with its row and the reason. That this is so is
not believed but looked at: the hack is put on, the game is exported again, and whatever does not come out as it was edited is told as well.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from te_forge.check import check
from te_forge.collector import collector_paused
from te_forge.compose import compose
from te_forge.compose.chosen import switched_on
from te_forge.diagnostics import Diagnostic
from te_forge.export.csv_hack import Maker
from te_forge.export.csv_package import Sheet, sheets
from te_forge.export.csv_read import Edited, Lost, edited, package
from te_forge.export.exporter import NotExported
from te_forge.model.pack import PackInfo
from te_forge.model.system import System
from te_forge.source import Source

TITLE = "Spreadsheet Changes"
FILE = "spreadsheet.te"


@dataclass(frozen=True)
class Imported:
    """The page with the hack, how many changes it makes, what is lost and what the checker says of the page."""

    page: str
    changes: int
    lost: tuple[Lost, ...]
    diagnostics: tuple[Diagnostic, ...]


@collector_paused()
def read_back(folder: Path, written: System, title: str = TITLE) -> Imported:
    """The changes that the files in `folder` make to the packs `written`, as a hack. Raises `NotExported` when this is no export of theirs."""
    data = package(folder)
    if data["te_forge"]["pack"] != written.pack.id:
        raise NotExported(f"{folder} was exported from the pack `{data['te_forge']['pack']}`, not from `{written.pack.id}`")
    played = compose(written, switched_on(written)).system
    found = list(edited(folder, data, sheets(played)))
    maker = Maker(played)
    for one in found:
        maker.lost += one.lost
        maker.file(one)
    if not maker.parts:
        return Imported("", 0, tuple(maker.lost), ())
    page = "\n".join([f"# {title}", "", f"## hack: {title}", "Made from a spreadsheet.", "", *(part.text() for part in maker.parts.values())])
    again, said = put_on(page, written, title)
    errors = tuple(one for one in said if one.severity == "error")
    if again is not None and not errors:
        maker.lost += differences(found, sheets(again), maker.told)
    return Imported(page, maker.changes, tuple(maker.lost), errors)


def put_on(page: str, written: System, title: str) -> tuple[System | None, list[Diagnostic]]:
    """The game with the hack on, and what is wrong with the hack."""
    info = PackInfo(id="spreadsheet", title=title, version="1.0.0", requires={written.pack.id: f"=={written.pack.version}"})
    system, said = check([Source(FILE, page)], info, written)
    said = [one for one in said if one.span.file == FILE]
    if system is None or any(one.severity == "error" for one in said):
        return None, said
    hack = next(entry.id for entry in system.of_kind("hack") if entry.pack == "spreadsheet")
    made = compose(system, (*switched_on(written), hack))
    return made.system, [*said, *made.diagnostics]


# ---------------------------------------------------------------- the look back


def differences(found: Iterable[Edited], now: Iterable[Sheet], told: set[tuple[str, int, str]]) -> Iterator[Lost]:
    """Cells that were edited and do not come out so, with the hack on."""
    after = {(sheet.holds, sheet.of): sheet for sheet in now}
    for one in found:
        sheet = after.get((one.sheet.holds, one.sheet.of)) or replace(one.sheet, rows=())
        yield from unlike_cells(one, sheet, told)


def unlike_cells(one: Edited, sheet: Sheet, told: set[tuple[str, int, str]]) -> Iterator[Lost]:
    made = [dict(zip(sheet.columns, row, strict=True)) for row in sheet.rows]
    key = "low" if one.sheet.holds == "table" else "id"
    by_key = {cells[key]: cells for cells in made}
    by_name = {cells.get("name", ""): cells for cells in made}
    before = {row[one.sheet.columns.index(key)]: dict(zip(one.sheet.columns, row, strict=True)) for row in one.sheet.rows}
    for number, cells in one.rows:
        out = by_key.get(cells[key]) if cells[key] else by_name.get(cells.get("name", ""))
        for column, cell in cells.items():
            lost = {
                (one.sheet.path, number, column),
                (one.sheet.path, number, "id"),
                (one.sheet.path, number, ""),
                (one.sheet.path, number, "name"),
            } & told
            untouched = cell == before[cells[key]].get(column, "").strip() if cells[key] in before else not cell
            if lost or untouched:
                continue
            if out is None or folded(out.get(column, "")) != folded(cell):
                became = "gone" if out is None else f"`{short(out.get(column, ''))}`"
                yield Lost(one.sheet.path, number, column, f"`{short(cell)}` does not come out: with the hack on this is {became}")
                if out is None:
                    break


def folded(text: str) -> str:
    return " ".join(text.split()).removeprefix("nothing")


def short(text: str) -> str:
    return text if len(text) <= 60 else text[:59] + "…"
