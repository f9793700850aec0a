"""Reading the CSV files of an export back, whatever spreadsheet has saved them."""

from __future__ import annotations

import csv
import hashlib
import io
import json
import stat
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import zip_longest
from pathlib import Path
from typing import Any

from te_forge.export.csv_package import HEAD, Sheet, fused
from te_forge.export.exporter import NotExported
from te_forge.files import reason
from te_forge.nearby import no_folder

MOST_BYTES = 50_000_000
DELIMITERS = (",", ";", "\t")
NO_COLUMN = "te-forge has no such column; a new field is declared in the pack"


@dataclass(frozen=True)
class Lost:
    """Something in a file that makes no change, and why. `row` is its number as the spreadsheet shows it; 0 is the whole file."""

    file: str
    row: int
    column: str
    why: str

    def __str__(self) -> str:
        place = f"{self.file}" + (f", row {self.row}" if self.row else "") + (f", column {self.column}" if self.column else "")
        return f"{place}: {self.why}"


@dataclass(frozen=True)
class Edited:
    """A file as it is now: cells by name of column, with the number of each row."""

    sheet: Sheet
    rows: tuple[tuple[int, Mapping[str, str]], ...]
    lost: tuple[Lost, ...] = field(default=())


def package(folder: Path) -> dict[str, Any]:
    """datapackage.json."""
    raw = read(folder, HEAD)
    if raw is None and not folder.is_dir():
        raise NotExported(no_folder(folder))
    if raw is None:
        raise NotExported(f"{folder} holds no {HEAD}; give the folder that `te-forge export PACK --to csv` made")
    if isinstance(raw, str):
        raise NotExported(f"{folder / HEAD}: {raw}")
    try:
        data = json.loads(raw.decode("utf-8-sig"))
        ours = data["te_forge"]
        assert isinstance(ours["pack"], str) and isinstance(data["resources"], list)
        assert all(
            isinstance(one["path"], str) and all(isinstance(one["te_forge"][key], str) for key in ("sha256", "holds", "of"))
            for one in data["resources"]
        )
    except (ValueError, KeyError, TypeError, AssertionError, RecursionError):
        raise NotExported(
            f"{folder / HEAD} is not as te-forge wrote it; export the pack again, and put the edited files into the new folder"
        ) from None
    if ours.get("format") != 1:
        raise NotExported(f"{folder / HEAD} was written by a newer te-forge")
    return dict(data)


def edited(folder: Path, data: Mapping[str, Any], now: Sequence[Sheet]) -> Iterator[Edited]:
    """The files that were changed since the export. Of one that does not read, or that was made of other rules, only that is told."""
    known = {(sheet.holds, sheet.of): sheet for sheet in now}
    listed = set()
    for one in data["resources"]:
        path, ours = one["path"], one["te_forge"]
        listed.add(path)
        sheet = known.get((ours.get("holds"), ours.get("of")))
        raw = read(folder, path)
        if isinstance(raw, str):
            yield nothing(sheet or now[0], path, raw)
        elif raw is None:
            yield nothing(sheet or now[0], path, "this file is gone, so nothing in it is changed; a row that is deleted deletes what it holds")
        elif hashlib.sha256(raw).hexdigest() == ours["sha256"]:
            continue
        elif sheet is None:
            yield nothing(now[0], path, "the pack has nothing of this sort any more; export it again")
        elif sheet.digest != ours["sha256"]:
            yield nothing(
                sheet, path, "the pack has changed here since it was exported; export it again into another folder, and carry your changes over"
            )
        else:
            yield rows_of(sheet, path, raw)
    for path in sorted(
        one.relative_to(folder).as_posix() for one in folder.rglob("*") if one.suffix.lower() in (".csv", ".tsv", ".ods", ".xlsx", ".xls")
    ):
        if path not in listed:
            yield nothing(now[0], path, f"this file is not part of the export, and is not read; save tables as CSV, over the files that {HEAD} names")


def read(folder: Path, path: str) -> bytes | str | None:
    """What is in a file: None when it is gone, or in words why it cannot be read."""
    place = folder / path
    try:
        if not place.resolve().is_relative_to(folder.resolve()):
            raise NotExported(f"{HEAD} names {path}, which is not in this folder")
        if not stat.S_ISREG(place.stat().st_mode):
            return "this is not an ordinary file, so nothing in it is changed; put the file back in its place"
        with place.open("rb") as file:
            return file.read(MOST_BYTES + 1)
    except FileNotFoundError:
        return None
    except OSError as error:
        return f"this file cannot be read: {reason(error)}"
    except (ValueError, RuntimeError):  # a name that no file can have, or links in a circle
        return "no file can be read by this name"


def nothing(sheet: Sheet, path: str, why: str) -> Edited:
    return Edited(sheet, (), (Lost(path, 0, "", why),))


def rows_of(sheet: Sheet, path: str, raw: bytes) -> Edited:
    if len(raw) > MOST_BYTES:
        return nothing(sheet, path, "this file is larger than te-forge reads")
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError:
        return nothing(sheet, path, "this file is not UTF-8 text; save it as `CSV UTF-8`")
    found = cells(text, sheet.columns)
    head = [name.strip() for name in found[0]] if found else []
    if not set(sheet.key) <= {*head}:
        return nothing(sheet, path, f"the first row must hold the names of the columns: {', '.join(sheet.columns)}")
    lost = [
        Lost(path, 1, name, "this column stands here twice, so the file is not read")
        for number, name in enumerate(head)
        if name and name in head[:number]
    ]
    if lost:
        return Edited(sheet, (), tuple(lost))
    lost += [
        Lost(path, 1, name, "this column is gone, so nothing in it is changed; to empty a cell, empty it")
        for name in sheet.columns
        if name not in head
    ]
    rows = []
    lost += [
        Lost(path, 1, name, NO_COLUMN)
        for place, name in enumerate(head)
        if name and name not in sheet.columns and any(row[place : place + 1] not in ([], [""]) for row in found[1:])
    ]
    for number, row in enumerate(found[1:], 2):
        if not any(cell.strip() for cell in row):
            continue
        lost += strangers(path, number, head, row)
        rows.append((number, {name: clean(cell) for name, cell in zip_longest(head, row[: len(head)], fillvalue="") if name in sheet.columns}))
    return Edited(sheet, tuple(rows), tuple(lost))


def cells(text: str, wanted: Sequence[str]) -> list[list[str]]:
    """The cells, parted by whatever the spreadsheet parts them by."""
    best: list[list[str]] = []
    for delimiter in DELIMITERS:
        try:
            found = list(csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True))
        except csv.Error:
            continue
        if found and (not best or len(set(found[0]) & set(wanted)) > len(set(best[0]) & set(wanted))):
            best = found
    return best


def strangers(path: str, number: int, head: Sequence[str], row: Sequence[str]) -> Iterator[Lost]:
    """Cells that stand in no column at all."""
    for place, cell in enumerate(row):
        if cell.strip() and not (place < len(head) and head[place]):
            yield Lost(path, number, f"{place + 1}", NO_COLUMN)


def clean(cell: str) -> str:
    return fused(cell.replace("\r\n", "\n").replace("\r", "\n")).strip()
