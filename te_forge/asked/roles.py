"""Who and what has the roles of a procedure, as it was typed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import islice

from te_forge.asked.called import Refused, called, roles_of
from te_forge.asked.somebody import actors, named, somebody
from te_forge.asked.stated import whole
from te_forge.engine.index import Rules
from te_forge.engine.reading import Reading, as_group
from te_forge.engine.state import State, Value
from te_forge.model import rules as m
from te_forge.model.system import Entry
from te_forge.suggest import a, did_you_mean


def with_roles(rules: Rules, state: State, procedure: Entry, said: Mapping[str, str]) -> tuple[State, dict[str, Value]]:
    roles: dict[str, Value] = {}
    if missing := [holds for holds in roles_of(procedure) if holds.word not in said]:
        needs = [f"{type_told(rules, holds.type)} as the {holds.word}" for holds in missing]
        newcomers = iter(NEWCOMERS)
        written = [f"{holds.word}={example_of(rules, holds.type, newcomers)}" for holds in missing]
        raise Refused(
            f"{procedure.name} needs {' and '.join(part for part in (', '.join(needs[:-1]), needs[-1]) if part)}; write `{' '.join(written)}`"
        )
    for holds in roles_of(procedure):
        state, roles[holds.word] = role_value(rules, state, holds, said[holds.word])
    refuse_twice(rules, state, procedure, roles)
    return state, roles


def refuse_twice(rules: Rules, state: State, procedure: Entry, roles: Mapping[str, Value]) -> None:
    """Nobody begins a procedure against themselves; a rule may well run one with the same person in two roles."""
    has: dict[str, str] = {}
    for holds in roles_of(procedure):
        place = f"among the {holds.word}" if holds.type.name == "group" else f"the {holds.word}"
        for one in as_group(roles[holds.word]) if holds.type.name in ("actor", "group") else ():
            if one in has:
                both = f"both {has[one]} and {place}" if has[one] != place else f"twice {place}"
                raise Refused(f"{named(rules, state, str(one))} cannot be {both}")
            has[str(one)] = place


def type_told(rules: Rules, type: m.Type) -> str:
    """`a hero`, `a group of heroes`."""
    info = rules.system.kinds.get(type.kind) if type.name == "group" else None
    return f"a group of {info.plural}" if info is not None else str(type).replace("a group of actor", "a group of people")


NEWCOMERS = ("Ann", "Ben", "Cy", "Di", "Eve", "Fay")


def example_of(rules: Rules, type: m.Type, newcomers: Iterator[str]) -> str:
    """What could stand in a role: somebody of the book, or the next newcomer, since nobody has two roles."""
    if type.name == "number":
        return "3"
    if type.name in ("actor", "group"):
        found = next((entry.name for entry in actors(rules) if rules.is_a(rules.kind_of(entry.id), type.kind) and type.kind not in ("actor", "")), "")
        return found or ",".join(islice(newcomers, 1 if type.name == "actor" else 2)) or ".."
    return next((entry.name for entry in rules.entries.values() if entry.kind == type.kind), "..")


def role_value(rules: Rules, state: State, holds: m.Holds, text: str) -> tuple[State, Value]:
    match holds.type.name:
        case "number":
            return state, whole(text, f"the {holds.word}")
        case "actor":
            if "," in text:
                raise Refused(f"the {holds.word} is one only, and `{text}` are several")
            return one_actor(rules, state, holds, text)
        case "group":
            ids: list[str] = []
            for name in text.split(","):
                state, id = one_actor(rules, state, holds, name.strip())
                ids.append(id)
            if len(set(ids)) < len(ids):
                raise Refused(f"somebody is among the {holds.word} twice")
            return state, tuple(ids)
        case "entry":
            found = called(rules, text, lambda entry: entry.kind == holds.type.kind)
            if found is None:
                fitting = [entry.name for entry in rules.system.of_kind(holds.type.kind)]
                raise Refused(f"there is no {holds.type.kind} called `{text}`{did_you_mean(text, fitting)}")
            return state, found.id
        case _:
            return state, text


def one_actor(rules: Rules, state: State, holds: m.Holds, name: str) -> tuple[State, str]:
    state, id = somebody(rules, state, name)
    kind = Reading(rules, state).kind(id)
    if not rules.is_a(kind, holds.type.kind):
        raise Refused(f"the {holds.word} is {a(holds.type.kind)}, and {named(rules, state, id)} is {a(kind)}")
    return state, id
