"""Who is there: those who are made, and instances of those that the book prints."""

from __future__ import annotations

from collections.abc import Iterator

from te_forge.engine.index import Rules
from te_forge.engine.people import add_person
from te_forge.engine.state import State
from te_forge.model import rules as m
from te_forge.model.system import Entry


def made_kinds(rules: Rules) -> Iterator[str]:
    """The kinds whose people are made, not printed: actors that have numbers or traits, or that a procedure makes, and no entries of their own."""
    for info in rules.system.kinds.values():
        has_numbers = any(info.name in other.of for other in rules.system.kinds.values())
        made = info.id in rules.entries and "made-by" in rules.entries[info.id].fields
        if info.nature == "actor" and not info.single and (has_numbers or made) and not rules.system.of_kind(info.name):
            yield info.name


def counted_kinds(rules: Rules) -> Iterator[tuple[str, int, int]]:
    """Kinds of people who only sit there and are counted (`How Many: 1 to 8`, and no number or trait is theirs), with how few and how many they are."""
    for info in rules.system.kinds.values():
        field = rules.entries[info.id].fields.get("how-many") if info.id in rules.entries else None
        owns = any(info.name in other.of for other in rules.system.kinds.values())
        if info.nature == "actor" and not owns and not rules.system.of_kind(info.name) and field is not None:
            for atom in field.value:
                if isinstance(atom, m.Range) and isinstance(atom.low, m.Int) and isinstance(atom.high, m.Int):
                    yield info.name, atom.low.value, atom.high.value


def person_kind(rules: Rules) -> str:
    return next(made_kinds(rules), "person")


def printed(rules: Rules) -> list[Entry]:
    """Entries that are somebody, such as the beasts of a bestiary."""
    return [entry for entry in rules.entries.values() if entry.kind != "kind" and rules.nature(entry.kind) == "actor"]


def with_instance(rules: Rules, state: State, entry: Entry) -> tuple[str, State]:
    """One of an entry comes in: the first has its name, the next ones are numbered."""
    number = 1
    while (who := entry.name if number == 1 else f"{entry.name} {number}") in state.people:
        number += 1
    return who, add_person(rules, state, who, m.Sheet(entry.id))
