"""Who is there: those who are made, and instances of those that the book prints."""

from __future__ import annotations

from te_forge.engine.index import Rules
from te_forge.engine.people import add_person, made_kinds
from te_forge.engine.state import State
from te_forge.model import rules as m
from te_forge.model.system import Entry


def person_kind(rules: Rules) -> str:
    return next(iter(rules.once(made_kinds)), "person")


def printed(rules: Rules) -> list[Entry]:
    """Entries that are somebody, such as the beasts of a bestiary."""
    return [entry for entry in rules.entries.values() if entry.kind != "kind" and rules.nature(entry.kind) == "actor"]


def with_instance(rules: Rules, state: State, entry: Entry) -> tuple[str, State]:
    """One of an entry comes in: the first has its name, the next ones are numbered."""
    number = 1
    while (who := entry.name if number == 1 else f"{entry.name} {number}") in state.people:
        number += 1
    return who, add_person(rules, state, who, m.Sheet(entry.id))
