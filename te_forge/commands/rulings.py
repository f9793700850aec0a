"""The option `--ruling NAME=READING`, for every command that plays."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, TypeVar

import click

if TYPE_CHECKING:
    from te_forge.model.system import System

F = TypeVar("F", bound=Callable[..., Any])
AS_WRITTEN = "as-written"
"""The reading of the rules themselves."""


def ruling_option(command: F) -> F:
    """Adds `--ruling` as the parameter `rulings`; `turned` makes the ids of readings of it, `at_this_table` the rules that are played with it."""
    text = "Play with another reading of a ruling, such as environment-tie=the-world-holds. May be given several times."
    return click.option("--ruling", "rulings", multiple=True, metavar="NAME=READING", help=text)(command)


def turned(system: System, given: Iterable[str]) -> frozenset[str]:
    """The ids of the readings that `--ruling` names; of the ruling itself, where it is to be read as written."""
    return frozenset(reading_of(system, one) for one in given)


def reading_of(system: System, given: str) -> str:
    from te_forge.compose.chosen import one_of
    from te_forge.compose.order import named
    from te_forge.diagnostics import Findings
    from te_forge.source import Span

    found, here = Findings(), Span("--ruling", 1, 1, 1)
    name, _, wanted = given.partition("=")
    ruling = one_of(system.of_kind("ruling"), name, "ruling", here, found)
    readings = [entry for entry in system.of_kind("reading") if ruling is not None and ruling.id in named(entry, "answers")]
    if ruling is not None and wanted == AS_WRITTEN:
        return ruling.id
    if ruling is not None and not wanted:
        known = ", ".join([*(entry.slug for entry in readings), AS_WRITTEN])
        raise click.UsageError(f"say how to read it: --ruling {ruling.slug}=READING, where READING is one of {known}")
    reading = one_of(readings, wanted, f"reading of {ruling.slug}", here, found) if ruling is not None else None
    if reading is None:
        raise click.UsageError(f"{found[0].message}; {found[0].help}")
    return reading.id


def at_this_table(system: System, rulings: Iterable[str]) -> System:
    """What is played: the rules with the hacks and readings that their packs have on, and with those of `--ruling` in place of other answers to the same ruling."""
    from te_forge.compose import compose
    from te_forge.examples import turned_on

    made = compose(system, turned_on(system, turned(system, rulings)))
    wrong = [one for one in made.diagnostics if one.severity == "error"]
    if wrong:
        raise click.UsageError(f"these readings do not go together: {wrong[0].message}")
    return made.system
