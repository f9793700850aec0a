"""A character as it leaves the table: the file that it came with, and below `now:` what play has changed."""

from __future__ import annotations

from dataclasses import replace

from te_forge.asked import Refused
from te_forge.characters.character import Character, from_state, into_state
from te_forge.characters.reading import character_in
from te_forge.characters.roster import Roster
from te_forge.characters.writing import as_yaml
from te_forge.compose.chosen import switched_on
from te_forge.engine.index import Rules
from te_forge.engine.reading import Reading
from te_forge.engine.state import State
from te_forge.play.names import name
from te_forge.play.table import Table
from te_forge.source import Source


def as_file(table: Table, who: str) -> str:
    """The text of the file. Somebody who came without one is written down as they are."""
    person = table.state.people.get(who)
    if person is None or person.based:
        raise Refused(f"{name(table.rules, who)} is nobody who is made, so there is no file to write")
    roster, pack = Roster(table.rules, person.kind), table.rules.system.pack
    made, reading = came_with(table, who), table.reading()
    if made is None:
        found = from_state(table.state, who, Character(who, pack.id, pack.version, person.kind))
        stated = {entry.id for entry in roster.numbers if entry.id in found.numbers or (roster.is_theirs(entry) and not roster.is_derived(entry))}
        return as_yaml(replace(found, numbers={id: reading.stat(who, id) for id in stated}, hacks=hacks_on(table.rules)), roster)
    before = Reading(table.rules, into_state(table.rules, State(), made))
    moved = {entry.id: value for entry in roster.numbers if (value := reading.stat(who, entry.id)) != before.stat(who, entry.id)}
    here = replace(from_state(table.state, who, made), numbers={**made.numbers, **moved}, now=None)
    return as_yaml(replace(made, now=here), roster)


def hacks_on(rules: Rules) -> tuple[str, ...]:
    entries = (rules.system.entries.get(id) for id in switched_on(rules.system))
    return tuple(entry.name for entry in entries if entry is not None and entry.kind == "hack")


def came_with(table: Table, who: str) -> Character | None:
    """What the file said that somebody came with, the last time they came."""
    texts = [event.data["file"] for event in table.events if event.data.get("do") == "join" and isinstance(event.data.get("file"), str)]
    read = (in_text(table.rules, text) for text in reversed(texts))
    return next((one for one in read if one is not None and one.name == who), None)


def in_text(rules: Rules, text: str) -> Character | None:
    return character_in(Source("character", text), rules)[0]
