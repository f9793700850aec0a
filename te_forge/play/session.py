"""A game that is begun, gone on with, or played again."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path
from typing import Any

from te_forge.engine.effects import Decision
from te_forge.engine.index import Rules
from te_forge.engine.people import seats
from te_forge.model.system import System
from te_forge.play.eyes import Eyes, eyes_of
from te_forge.play.log import BadLog, Head, LogFile, Read, differences, head_of
from te_forge.play.set_up import rules_of
from te_forge.play.spans import first_spans
from te_forge.play.table import Decide, LogEnds, Table
from te_forge.play.words import Teller
from te_forge.suggest import a


def nobody_answers(effect: Decision, table: Table) -> tuple[Any, str]:
    raise LogEnds(effect.who)


def new_table(rules: Rules, on: tuple[str, ...], seed: str, tell: Callable[[Rules], Teller], decide: Decide, path: Path | None) -> Table:
    log = LogFile.begin(path, head_of(rules, on, seed)) if path is not None else None
    return Table(rules, seed, tell(rules), decide, log)


def table_of_log(
    system: System, read: Read, path: Path, tell: Callable[[Rules], Teller], decide: Decide = nobody_answers, anyway: bool = False
) -> Table:
    """The table of a log, nothing of it played yet. A log of another version of the pack stops here, unless it is to be played anyway."""
    rules = rules_of(system, (id for id in read.head.on if id in system.entries))
    same_rules(read.head, head_of(rules, tuple(id for id in read.head.on if id in system.entries), read.head.seed), anyway)
    return Table(rules, read.head.seed, tell(rules), decide, events=list(read.events), path=str(path), closed=decide is nobody_answers)


def eyes_in_log(system: System, read: Read, path: Path, who: str, anyway: bool) -> Eyes:
    """The eyes of somebody who is there at some time in a log. It is gone through once without a word, to see who that is."""
    table = table_of_log(system, read, path, lambda rules: Teller(rules, lambda line: None), anyway=anyway)
    with suppress(LogEnds):
        table.play_on()
    states = [*(mark.state for mark in table.marks), table.state]
    return eyes_of(table.rules, who, {id: person for state in states for id, person in state.people.items()}.items())


def same_rules(log: Head, here: Head, anyway: bool) -> None:
    found = differences(log, here)
    if found and not anyway:
        raise BadLog("this log is of another game: " + "; ".join(found) + ". --anyway plays it all the same, as far as it goes")


def sit_down(table: Table, people: Iterable[dict[str, str]], expected: int = 0) -> None:
    """Who is there from the beginning, and what is open. What was said of somebody holds when that has been opened, also of a number that is refilled
    then.
    """
    said: dict[tuple[str, str], int] = {}
    for one in people:
        before = table.state.numbers
        table.do({"do": "join", **one}, "setup")
        if "sheet" in one:
            said |= {key: value for key, value in table.state.numbers.items() if key not in before}
    for name, kind in list(seats(table.rules, table.state, expected)):
        table.do({"do": "join", "sheet": f"{name}: {a(kind)}"}, "setup")
    for entry in first_spans(table.rules):
        table.do({"do": "open", "id": entry.id}, "setup")
    for (who, stat), value in said.items():
        if table.state.numbers.get((who, stat)) != value:
            table.do({"do": "set", "who": who, "id": stat, "to": value}, "setup")
