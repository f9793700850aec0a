"""The option `--ruling NAME=READING`, for every command that plays."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, TypeVar

import click

if TYPE_CHECKING:
    from te_forge.model.system import Entry, System

F = TypeVar("F", bound=Callable[..., Any])


def ruling_option(command: F) -> F:
    """Adds `--ruling` as the parameter `rulings`; `turned` makes the ids of readings of it."""
    text = "Play with another reading of a ruling, such as environment-tie=the-world-holds. May be given several times."
    return click.option("--ruling", "rulings", multiple=True, metavar="NAME=READING", help=text)(command)


def turned(system: System, given: Iterable[str]) -> frozenset[str]:
    """The ids of the readings that `--ruling` names. `as-written` is the reading of the rules themselves."""
    return frozenset(id for one in given if (id := reading_of(system, one)))


def reading_of(system: System, given: str) -> str:
    from te_forge.suggest import did_you_mean

    name, equals, wanted = given.partition("=")
    rulings = {entry.slug: entry for entry in system.of_kind("ruling")}
    ruling = found(rulings.values(), name)
    if ruling is None:
        raise click.UsageError(f"there is no ruling `{name}`{did_you_mean(name, rulings)}; the page of rulings lists all of them")
    readings = {entry.slug: entry for entry in system.of_kind("reading") if ruling.id in answered(entry)}
    known = [*readings, "as-written"]
    if not equals or not wanted:
        raise click.UsageError(f"say how to read it: --ruling {ruling.slug}=READING, where READING is one of {', '.join(known)}")
    if wanted == "as-written":
        return ""
    reading = found(readings.values(), wanted)
    if reading is None:
        raise click.UsageError(f"`{ruling.slug}` has no reading `{wanted}`{did_you_mean(wanted, known)}; there is {', '.join(known)}")
    return reading.id


def found(entries: Iterable[Entry], name: str) -> Entry | None:
    """By slug, id or name."""
    wanted = name.strip().casefold()
    return next((entry for entry in entries if wanted in (entry.slug, entry.id, entry.name.casefold())), None)


def answered(reading: Entry) -> list[str]:
    from te_forge.model.rules import Thing

    field = reading.fields.get("answers")
    return [atom.id for atom in field.value if isinstance(atom, Thing)] if field is not None else []
