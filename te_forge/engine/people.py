"""Somebody set up in a state: from an entry, a kind, and what is stated about them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from te_forge.engine.index import Rules
from te_forge.engine.reading import Reading
from te_forge.engine.state import Map, Person, State
from te_forge.frozen import replace
from te_forge.keys import slug
from te_forge.model import rules as m
from te_forge.source import UNSEEN
from te_forge.suggest import heading

JOINERS = "\u200c\u200d"
"""Nobody sees them either, but scripts and emoji are written with them."""


def bad_name(name: str) -> str:
    """Why nobody can be called this; empty when somebody can."""
    if len(name) > 100:
        return "this name has more than 100 letters"
    if UNSEEN.search(name) or not all(letter.isprintable() or letter in JOINERS for letter in name):
        return "this name holds a sign that nobody sees, such as a tab or the end of a line"
    return ""


def taken_by(rules: Rules, state: State, name: str) -> str:
    """Who could be meant by the same name: somebody who is there, or the only one of a kind; empty when nobody."""
    wanted = slug(name)
    people = [person.name for id, person in state.people.items() if name == id or (wanted and slug(person.name) == wanted)]
    single = [
        f"the {info.name}"
        for info in rules.system.kinds.values()
        if info.single and wanted and slug(info.name) in (wanted, wanted.removeprefix("the-"))
    ]
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
    gained = Counter[str]()
    for field in rules.entries[trait].fields.values():
        for atom in field.value:
            if isinstance(atom, m.Bonus) and reading.has_number(who, atom.stat):
                gained[atom.stat] += atom.amount
                numbers[who, atom.stat] = reading.stat(who, atom.stat) + gained[atom.stat]
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


# ---------------------------------------------------------------- people who are only counted


def made_kinds(rules: Rules) -> tuple[str, ...]:
    """The kinds whose people are made, not printed: actors that a procedure makes, or that have numbers or traits and no entries of their own."""
    found: list[str] = []
    for info in rules.system.kinds.values():
        has_numbers = any(info.name in other.of for other in rules.system.kinds.values())
        made = info.id in rules.entries and "made-by" in rules.entries[info.id].fields
        if info.nature == "actor" and not info.single and (made or (has_numbers and not rules.system.of_kind(info.name))):
            found.append(info.name)
    return tuple(found)


def counted_kinds(rules: Rules) -> tuple[tuple[str, int, int], ...]:
    """Kinds of people who only sit there and are counted (`How Many: 1 to 8`, and no number or trait is theirs), with how few and how many they are."""
    found: list[tuple[str, int, int]] = []
    for info in rules.system.kinds.values():
        field = rules.entries[info.id].fields.get("how-many") if info.id in rules.entries else None
        owns = any(info.name in other.of for other in rules.system.kinds.values())
        if info.nature == "actor" and not owns and not rules.system.of_kind(info.name) and field is not None:
            for atom in field.value:
                if isinstance(atom, m.Range) and isinstance(atom.low, m.Int) and isinstance(atom.high, m.Int):
                    found.append((info.name, atom.low.value, atom.high.value))
    return tuple(found)


PLACES = ("One", "Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine", "Ten", "Eleven", "Twelve")
"""Names of people whom nobody has named; sheets know no digits in names."""


def seats(rules: Rules, state: State, expected: int = 0) -> Iterator[tuple[str, str]]:
    """Those who are only counted, by name and kind: one for each of the people who are made, unless somebody of their kind is there by name."""
    of_kind = Counter(person.kind for person in state.people.values())
    count = max(expected, sum(of_kind[kind] for kind in rules.once(made_kinds)))
    for kind, least, most in rules.once(counted_kinds):
        if not of_kind[kind]:
            yield from ((f"{heading(kind)} {place}", kind) for place in PLACES[: min(max(count, least), most)])


def seated(rules: Rules, state: State) -> State:
    """With those who are only counted, so that what starts at their number starts there."""
    for name, kind in seats(rules, state):
        state = replace(state, people=state.people.set(name, Person(name, kind)))
    return state
