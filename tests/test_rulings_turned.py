"""Every ruling of a ledger is printed by `te-forge rulings` with its readings, and every reading is played by an example that does not come out
without it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cache

import pytest
from click.testing import CliRunner
from ledger import SYSTEMS

from te_forge.cli import cli
from te_forge.compose.order import named
from te_forge.diagnostics import Diagnostic
from te_forge.examples import Table, examples_of
from te_forge.model.rules import Thing
from te_forge.model.system import Entry, System
from te_forge.packs import load

SOURCES = ("srd-core", "tenebrous", "tension-board", "tension-tests", "vdp")


@cache
def system_of(pack: str) -> System:
    system = load(str(SYSTEMS / pack)).system
    assert system is not None
    return system


def own(pack: str, kind: str) -> list[Entry]:
    return [one for one in system_of(pack).of_kind(kind) if one.pack == pack]


def without(system: System, example: Entry, reading: Entry) -> tuple[Diagnostic, ...]:
    """What is wrong with an example when it is played without one of its readings."""
    stated = example.fields["with"]
    rest = tuple(atom for atom in stated.value if atom != Thing(reading.id))
    changed = replace(example, fields={**example.fields, "with": replace(stated, value=rest)})
    return Table(replace(system, entries={**system.entries, example.id: changed})).play(changed).diagnostics


def shown_by(system: System, reading: Entry) -> Iterator[Entry]:
    """The examples that a reading makes come out."""
    for example in examples_of(system):
        if reading.id in named(example, "with") and without(system, example, reading):
            yield example


@pytest.mark.parametrize("pack", SOURCES)
def test_all_rulings_are_printed_with_their_readings(pack: str) -> None:
    said = CliRunner().invoke(cli, ["rulings", str(SYSTEMS / pack)]).output
    for ruling in own(pack, "ruling"):
        assert f"\n{ruling.name}  (" in f"\n{said}"
    for reading in own(pack, "reading"):
        [ruling_id] = named(reading, "answers")
        assert f"  {system_of(pack).entries[ruling_id].slug}={reading.slug}: " in said


@pytest.mark.parametrize("pack", ["tenebrous", "tension-board", "tension-tests", "vdp"])
def test_all_rulings_can_be_turned(pack: str) -> None:
    answered = {ruling for reading in own(pack, "reading") for ruling in named(reading, "answers")}
    assert [one.slug for one in own(pack, "ruling") if one.id not in answered] == []


@pytest.mark.parametrize("pack", SOURCES)
def test_each_reading_changes_how_an_example_comes_out(pack: str) -> None:
    system = system_of(pack)
    assert [one.slug for one in own(pack, "reading") if next(shown_by(system, one), None) is None] == []
