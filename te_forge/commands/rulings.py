"""`te-forge rulings`: the questions that a pack leaves to the table, and how each is read now."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import click

from te_forge.cli import PACK, from_here, progress, say
from te_forge.commands.looking import Names, sound
from te_forge.options import table_options

if TYPE_CHECKING:
    from te_forge.model.system import Entry, System
    from te_forge.tried import Tried

AS_WRITTEN = "as-written"


@dataclass(frozen=True)
class Question:
    """A ruling, the readings that answer it otherwise, and the one that is on; None when it is read as written."""

    ruling: Entry
    readings: tuple[Entry, ...]
    on: Entry | None


@click.command(name="rulings")
@PACK
@click.option("--format", "format_", type=click.Choice(["text", "json"]), default="text", help="How to print what is found.")
@table_options
def command(pack: str, format_: str, tried: Tried) -> None:
    """List the rulings of a pack and of those that it requires: what is asked, how it is read now, and how else it can be read.

    Example: te-forge rulings my-game
    """
    with progress(f"reading {pack}"):
        loaded = sound(pack, tried, format_ == "json")
    assert loaded.system is not None
    names = Names(loaded.system, from_here(loaded))
    found = questions(loaded.system)
    say(as_json(found, names) if format_ == "json" else as_text(found, names))


def questions(system: System) -> list[Question]:
    from te_forge.compose.chosen import switched_on
    from te_forge.compose.order import named

    on = switched_on(system)
    answers: dict[str, list[Entry]] = {}
    for entry in system.of_kind("reading"):
        for ruling in named(entry, "answers"):
            answers.setdefault(ruling, []).append(entry)
    rulings = [(ruling, tuple(answers.get(ruling.id, ()))) for ruling in system.of_kind("ruling")]
    return [Question(ruling, readings, next((one for one in readings if one.id in on), None)) for ruling, readings in rulings]


# ---------------------------------------------------------------- in words


def as_text(found: list[Question], names: Names) -> str:
    if not found:
        return "these rules have no rulings"
    otherwise = sum(one.on is not None for one in found)
    free = sum(bool(one.readings) for one in found)
    last = f"{len(found)} ruling{'s' * (len(found) != 1)}: {otherwise} read otherwise, {free} with other readings; set one below `rulings:` in pack.yaml, or try it with `--ruling NAME=READING`"
    return "\n\n".join([*("\n".join(told(one, names)) for one in found), last])


def told(one: Question, names: Names) -> Iterator[str]:
    yield f"{one.ruling.name}  ({names.place(one.ruling.span)})"
    if asked := said(one.ruling):
        yield f"  {asked}"
    yield (
        f"  now: as written: {stated(one.ruling, 'reads')}"
        if one.on is None
        else f"  now: {one.on.name}" + (f": {text}" if (text := said(one.on)) else "")
    )
    if one.on is not None:
        yield f"  {one.ruling.slug}={AS_WRITTEN}: {stated(one.ruling, 'reads')}"
    for reading in one.readings:
        if reading is not one.on:
            yield f"  {one.ruling.slug}={reading.slug}: {said(reading) or reading.name}"


def said(entry: Entry) -> str:
    """The first paragraph of an entry."""
    from te_forge.model.system import plain

    return " ".join(plain(entry.prose[0].words).partition("\n\n")[0].split()) if entry.prose else ""


def stated(entry: Entry, label: str) -> str:
    """A field in words, without its quotation marks."""
    from te_forge.model.system import plain

    field = entry.fields.get(label)
    return plain(field.words).strip('"') if field is not None else ""


# ---------------------------------------------------------------- as data


def as_json(found: list[Question], names: Names) -> str:
    def reading(one: Entry) -> dict[str, object]:
        return {"id": one.id, "name": one.name, "slug": one.slug, "text": said(one), **names.data(one.span)}

    def question(one: Question) -> dict[str, object]:
        return {
            "id": one.ruling.id, "name": one.ruling.name, "slug": one.ruling.slug, "asks": said(one.ruling), "reads": stated(one.ruling, "reads"), "why": stated(one.ruling, "why"),
            "now": one.on.id if one.on is not None else None, "readings": list(map(reading, one.readings)), **names.data(one.ruling.span),
        }  # fmt: skip

    return json.dumps({"rulings": list(map(question, found))}, indent=1, ensure_ascii=False)
