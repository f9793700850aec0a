"""A table that somebody wants to roll, and who rolls it."""

from __future__ import annotations

from collections.abc import Iterable

from te_forge.asked.called import Refused, called
from te_forge.asked.somebody import somebody, sort_of, with_somebody
from te_forge.asked.stated import with_stated
from te_forge.engine.index import Rules
from te_forge.engine.people import seated
from te_forge.engine.state import State
from te_forge.frozen import frozen
from te_forge.keys import slug
from te_forge.model.system import Entry, plain

ROLLER = "roller"
NOBODY = "Somebody"
"""Rolls where nobody is there."""


@frozen
class AskedTable:
    """A table with everything that it needs to be rolled."""

    rules: Rules
    state: State
    table: Entry
    who: str


def tables(rules: Rules) -> tuple[Entry, ...]:
    """The tables that can be rolled by themselves."""
    return tuple(entry for entry in rules.system.of_kind("table") if entry.table is not None and entry.table.die != "at")


def table_called(rules: Rules, name: str) -> Entry | None:
    """The table of this name, with dice or without; none where a procedure is called so, too."""
    found = called(rules, name, lambda entry: entry.kind in ("procedure", "table"))
    return found if found is not None and found.kind == "table" and called(rules, name, lambda entry: entry.kind == "procedure") is None else None


def refuse_undiced(entry: Entry) -> None:
    """Refuses a table that nobody rolls."""
    if entry.table is None or entry.table.die == "at":
        raise Refused(f"{entry.name} is a table without dice: each of its rows happens as a number counts up to it, so there is nothing to roll")


def speaks_of_roller(entry: Entry) -> bool:
    """Whether somebody must be there who rolls: a row does something to them."""
    rows = entry.table.rows if entry.table is not None else ()
    return any("the roller" in plain(cell.words) for row in rows for cell in row.cells.values() if cell.meaning)


def only_one(rules: Rules) -> str:
    """Who rolls where nobody else is there: somebody of whom there is one, such as whoever runs the game."""
    return next((info.id for info in rules.system.kinds.values() if info.single and info.nature == "actor"), NOBODY)


def ask_table(rules: Rules, entry: Entry, pairs: Iterable[tuple[str, str]], who: Iterable[str]) -> AskedTable:
    refuse_undiced(entry)
    state = State()
    for one in who:
        state = with_somebody(rules, state, one)
    newcomers = tuple(state.people)
    state, roller = seated(rules, state), ""
    for key, text in pairs:
        if slug(key) == ROLLER:
            state, roller = somebody(rules, state, text)
        elif (made := with_stated(rules, state, key, text)) is not None:
            state = made[0]
        else:
            raise Refused(f"`{key}` is no number, and {entry.name} asks for nothing but who rolls: `{ROLLER}={newcomers[0] if newcomers else 'Ann'}`")
    if not roller and len(newcomers) > 1:
        raise Refused(f"several could roll {entry.name}; say who: `{ROLLER}={newcomers[0]}`")
    if not roller and not newcomers and speaks_of_roller(entry):
        state, roller = with_somebody(rules, state, f"{NOBODY}: {sort_of(rules)}"), NOBODY
    return AskedTable(rules, state, entry, roller or next(iter(newcomers), "") or only_one(rules))
