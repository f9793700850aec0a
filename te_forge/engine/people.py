"""Somebody set up in a state: from an entry, a kind, and what is stated about them."""

from __future__ import annotations

from dataclasses import replace

from te_forge.check.names import slug
from te_forge.engine.index import Rules
from te_forge.engine.reading import Reading
from te_forge.engine.state import Map, Person, State
from te_forge.model import rules as m


def bad_name(name: str) -> str:
    """Why nobody can be called this; empty when somebody can."""
    if len(name) > 100:
        return "this name has more than 100 letters"
    if not name.isprintable():
        return "this name holds a sign that cannot be printed"
    return ""


def taken_by(rules: Rules, state: State, name: str) -> str:
    """Who could be meant by the same name: somebody who is there, or the only one of a kind; empty when nobody."""
    wanted = slug(name)
    people = [person.name for id, person in state.people.items() if name == id or (wanted and slug(person.name) == wanted)]
    single = [f"the {info.name}" for info in rules.system.kinds.values() if info.single and wanted and slug(info.name) in (wanted, wanted.removeprefix("the-"))]
    return next(iter([*people, *single]), "")


def add_person(rules: Rules, state: State, name: str, sheet: m.Sheet | m.Holds) -> State:
    """`Ann: a Smith with Might 3 and Sly` is there: whatever a Smith has, and over it what is stated."""
    if isinstance(sheet, m.Holds):
        return replace(state, people=state.people.set(name, Person(name, sheet.type.kind)))
    entry = rules.entries[sheet.kind]
    info = rules.system.kinds.get(entry.kind)
    if entry.kind == "kind":
        person = Person(name, entry.name)
    elif info is not None and info.nature == "trait":
        person = Person(name, next(iter(info.of), ""))
    else:
        person = Person(name, entry.kind, entry.id)
    state = replace(state, people=state.people.set(name, person))
    if info is not None and info.nature == "trait":
        state = with_trait(rules, state, name, entry.id)
    for id, number in sheet.stats:
        state = with_number(state, name, id, number) if number is not None else with_trait(rules, state, name, id)
    return state


def with_number(state: State, who: str, stat: str, number: int) -> State:
    """The number as stated; where the most is one's own and lower, it rises with it."""
    bounds, most = state.bounds, state.bounds.get((who, stat, "most"))
    if most is not None and most < number:
        bounds = bounds.set((who, stat, "most"), number)
    return replace(state, numbers=state.numbers.set((who, stat), number), bounds=bounds)


def with_trait(rules: Rules, state: State, who: str, trait: str) -> State:
    """The trait with what it gives: changes of numbers, and numbers that it states by their name."""
    had = state.traits.get(who, ())
    if trait in had:
        return state
    state = replace(state, traits=state.traits.set(who, (*had, trait)))
    reading, numbers, bounds = Reading(rules, state), dict(state.numbers), dict(state.bounds)
    for field in rules.entries[trait].fields.values():
        for atom in field.value:
            if isinstance(atom, m.Bonus) and reading.has_number(who, atom.stat):
                numbers[who, atom.stat] = reading.stat(who, atom.stat) + atom.amount
            elif isinstance(atom, m.Int) and (stat := named_number(rules, reading, who, field.label)) is not None:
                numbers[who, stat] = atom.value
                bounds[who, stat, "most"] = atom.value
    state = replace(state, numbers=Map(numbers), bounds=Map(bounds))
    for field in rules.entries[trait].fields.values():
        for atom in field.value:
            if isinstance(atom, m.Thing) and atom.id in rules.entries and rules.nature(rules.entries[atom.id].kind) == "trait":
                state = with_trait(rules, state, who, atom.id)
    return state


def named_number(rules: Rules, reading: Reading, who: str, label: str) -> str | None:
    """The number of somebody that a field is named after."""
    found = (entry.id for entry in rules.entries.values() if slug(entry.name) == slug(label) and rules.nature(entry.kind) == "number")
    return next((id for id in found if reading.has_number(who, id)), None)
