"""Who is there: people as they are written in examples (`Ann: a Smith with Might 3 and Sly`), and instances of entries."""

from __future__ import annotations

from collections.abc import Iterator

from te_forge.check import check
from te_forge.engine.index import Rules
from te_forge.engine.people import add_person
from te_forge.engine.reading import Reading
from te_forge.engine.state import State
from te_forge.model import rules as m
from te_forge.model.pack import PackInfo
from te_forge.model.system import Entry
from te_forge.play.names import Refused, name

PAGE = "# People\n\n## example: {title}\n- {sheet}\n\n1. Here. They are here.\n"
TITLE = "Who Is There"


def read_sheet(rules: Rules, sheet: str) -> tuple[str, m.Sheet | m.Holds]:
    """The name and the sheet of one person, read as the line of an example is read."""
    from te_forge.diagnostics import has_errors
    from te_forge.source import Source

    line = " ".join(sheet.split())
    info = PackInfo(id="people", title=TITLE, version="1.0.0")
    system, found = check([Source("people", PAGE.format(title=TITLE, sheet=line))], info, rules.system)
    if has_errors(found):
        wrong = next(one for one in found if one.severity == "error")
        raise Refused(f"`{line}`: {wrong.message}" + (f"; {wrong.help}" if wrong.help else ""))
    example = next((entry for entry in system.of_kind("example") if entry.pack == "people"), None) if system is not None else None
    for field in example.fields.values() if example is not None else ():
        for atom in field.value:
            if isinstance(atom, m.Sheet | m.Holds):
                return field.label, atom
    raise Refused(f"`{line}` does not say who somebody is; write for example `Ann: a {person_kind(rules)}`")


def person_kind(rules: Rules) -> str:
    """The kind whose people are made, not printed: an actor without entries of its own."""
    return next(iter(made_kinds(rules)), "person")


def made_kinds(rules: Rules) -> Iterator[str]:
    for info in rules.system.kinds.values():
        has_numbers = any(info.name in other.of for other in rules.system.kinds.values())
        if info.nature == "actor" and not info.single and has_numbers and not rules.system.of_kind(info.name):
            yield info.name


def printed(rules: Rules) -> list[Entry]:
    """Entries that are somebody, such as the beasts of a bestiary."""
    return [entry for entry in rules.entries.values() if entry.kind != "kind" and rules.nature(entry.kind) == "actor"]


def with_person(rules: Rules, state: State, who: str, sheet: m.Sheet | m.Holds) -> State:
    if who in state.people:
        raise Refused(f"somebody called `{who}` is here already; choose another name")
    return add_person(rules, state, who, sheet)


def with_instance(rules: Rules, state: State, entry: Entry) -> tuple[str, State]:
    """One of an entry comes in: the first has its name, the next ones are numbered."""
    number = 1
    while (who := entry.name if number == 1 else f"{entry.name} {number}") in state.people:
        number += 1
    return who, add_person(rules, state, who, m.Sheet(entry.id))


def numbers_of(rules: Rules, reading: Reading, who: str) -> list[tuple[str, int, int | None]]:
    """The numbers that somebody has, with their most: what it is, how much, at most."""
    found = [entry.id for entry in rules.entries.values() if rules.nature(entry.kind) == "number" and reading.has_number(who, entry.id)]
    return [(name(rules, id), reading.stat(who, id), reading.bounds(who, id)[1]) for id in found]
