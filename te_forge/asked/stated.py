"""Numbers as they are stated on a command line, and whose they are."""

from __future__ import annotations

import re

from te_forge.asked.called import Refused, is_called, number_called
from te_forge.asked.somebody import named, somebody, within
from te_forge.engine.index import Rules
from te_forge.engine.people import with_number
from te_forge.engine.reading import Reading
from te_forge.engine.state import Scope, State
from te_forge.model.system import Entry


def whole(text: str, what: str) -> int:
    text = text.removeprefix("+")
    if not re.fullmatch(r"-?\d{1,9}", text):
        if re.fullmatch(r"[+-]?[0-9]+", text.strip()):
            raise Refused(f"{what} has nine digits at most, so it cannot be `{text[:40]}`")
        if re.fullmatch(r"[\s\d+-]+(?:(?:\.\.|,)[\s\d+-]+)+", text):
            raise Refused(f"{what} is one number here, so it cannot be `{text[:40]}`; only `te-forge odds` takes several")
        raise Refused(f"{what} is a whole number, so it cannot be `{text[:40]}`")
    return int(text)


def with_stated(rules: Rules, state: State, key: str, text: str) -> tuple[State, str, str] | None:
    """The state with a number as it is stated, whose number it is and which; None when the key is not a number's name."""
    found = number_meant(rules, state, key)
    if found is None:
        return None
    state, holder, entry = found
    number = whole(text, f"{named(rules, state, holder)}'s {entry.name}")
    within(rules, state, holder, entry.id, number)
    return with_number(state, holder, entry.id, number), holder, entry.id


def number_meant(rules: Rules, state: State, key: str) -> tuple[State, str, Entry] | None:
    """Whose number is meant, and which; the state has them in it. None when the key is not a number's name."""
    whose, name = whose_what(rules, key)
    entry = number_called(rules, name)
    if entry is None:
        return None
    reading = Reading(rules, state)
    if whose and (thing := next((id for id in reading.things_with(entry.id) if is_called(rules.entries[id], whose)), None)) is not None:
        holder = thing
    elif whose:
        state, holder = somebody(rules, state, whose)
    else:
        holder = holder_of(rules, state, entry)
    if not Reading(rules, state).has_number(holder, entry.id):
        raise Refused(f"{named(rules, state, holder)} has no {entry.name}")
    return state, holder, entry


def whose_what(rules: Rules, key: str) -> tuple[str, str]:
    """`Ann.Luck` as `Ann` and `Luck`, and `Luck` as nobody's; a number may have dots in its name."""
    parts = key.split(".")
    for at in range(len(parts)):
        if number_called(rules, ".".join(parts[at:])) is not None:
            return ".".join(parts[:at]), ".".join(parts[at:])
    return ".".join(parts[:-1]), parts[-1]


def holder_of(rules: Rules, state: State, entry: Entry) -> str:
    """Whose number it is when nobody is named: that of the one and only, or of the only one here who has it."""
    reading = Reading(rules, state)
    single = reading.holder(entry.id, Scope())
    if single is not None:
        return str(single)
    having = [id for id in state.people if reading.has_number(id, entry.id)] or list(reading.things_with(entry.id))
    if len(having) == 1:
        return having[0]
    names = " or ".join(f"`{named(rules, state, id)}.{entry.name}=..`" for id in having[:3])
    raise Refused(f"whose {entry.name} is meant? Write {names}" if having else f"nobody here has {entry.name}")
