"""How things are called at the table, and what a typed name means."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from shutil import get_terminal_size
from typing import Any

from te_forge.asked import Refused
from te_forge.check.names import slug
from te_forge.engine.index import OUT_OF_PLAY, Rules
from te_forge.engine.state import State
from te_forge.engine.tell import Teller, faces, listed, text
from te_forge.model.system import Entry
from te_forge.report import in_columns
from te_forge.suggest import did_you_mean


def name(rules: Rules, id: Any) -> str:
    """How somebody or something is called in a sentence."""
    return Teller(rules).value(id)


def called(rules: Rules, id: Any) -> str:
    """The same, to begin a sentence with."""
    return first_up(name(rules, id))


def first_up(said: str) -> str:
    return said[:1].upper() + said[1:]


def because(rules: Rules, why: str) -> tuple[str, str]:
    """The rule behind a question: what it is called, and its text."""
    id, _, line = why.partition("#")
    entry = rules.entries.get(id)
    if entry is None:
        return "", ""
    for step in entry.steps:
        if step.id in (why, line):
            return f"{entry.name}, {step.name}", text(step.prose)
    todo = list(entry.lines)
    while todo:
        one = todo.pop()
        if one.id == line:
            return entry.name, " ".join([text(one.words), "; ".join(text(below.words) for below in one.lines)]).strip()
        todo += one.lines
    return entry.name, text(entry.prose[0].words) if entry.prose else ""


def wrapped(line: str, first: int = 0, then: int = 0) -> list[str]:
    """A paragraph in lines as wide as the terminal, and not wider than one reads well."""
    width = max(40, min(get_terminal_size().columns - 1, 110))
    return in_columns(line, width, " " * first, " " * then)


def playable(rules: Rules) -> Iterator[Entry]:
    return (entry for entry in rules.entries.values() if entry.kind not in OUT_OF_PLAY)


def entry_called(rules: Rules, typed: str, among: Iterable[Entry], what: str) -> Entry:
    """The entry that somebody means."""
    wanted = slug(typed.strip().removeprefix("the "))
    found = list(among)
    for one in found:
        if wanted in (slug(one.name), one.id, *map(slug, one.aliases)):
            return one
    raise Refused(f"no {what} is called `{typed.strip()}`{did_you_mean(typed.strip(), [one.name for one in found])}")


def somebody(rules: Rules, state: State, typed: str) -> str:
    """The id of who is there and is called so: a person, or somebody of whom there is one."""
    wanted = slug(typed.strip().removeprefix("the "))
    for id, person in state.people.items():
        if slug(person.name) == wanted:
            return id
    for info in rules.system.kinds.values():
        if info.single and info.nature == "actor" and slug(info.name) == wanted:
            return info.id
    raise Refused(f"nobody here is called `{typed.strip()}`{did_you_mean(typed.strip(), [person.name for person in state.people.values()])}")


__all__ = ["because", "called", "entry_called", "faces", "first_up", "listed", "name", "playable", "somebody", "text", "wrapped"]
