"""How things are called at the table, and what a typed name means."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from shutil import get_terminal_size
from textwrap import wrap
from typing import Any

from te_forge.asked import Refused
from te_forge.check.names import slug
from te_forge.engine.index import OUT_OF_PLAY, Rules
from te_forge.engine.reading import is_dice
from te_forge.engine.state import Dice, Result, State
from te_forge.model import rules as m
from te_forge.model.system import Entry, Ref, Shown, Words
from te_forge.suggest import did_you_mean


def single(rules: Rules, id: str) -> str:
    """The word for somebody or something of which there is one (`gm`), else nothing."""
    return next((info.name for info in rules.system.kinds.values() if info.single and info.id == id), "")


def name(rules: Rules, id: Any) -> str:
    """How something is called in a sentence."""
    if id is None:
        return "nothing"
    if isinstance(id, tuple):
        return faces(id) if is_dice(id) else listed(name(rules, one) for one in id)
    if isinstance(id, Result):
        return name(rules, id.outcome)
    text = str(id)
    if one := single(rules, text):
        return f"the {one}"
    if text in rules.entries:
        return rules.entries[text].name
    owner, _, part = text.partition("#")
    return inside(rules.entries[owner], part) if part and owner in rules.entries else text


def inside(entry: Entry, part: str) -> str:
    """An outcome, step or row of an entry."""
    outcomes = entry.fields.get("outcomes")
    names = [atom.text for atom in outcomes.value if isinstance(atom, m.Text)] if outcomes is not None else []
    names += [step.name for step in entry.steps] + [row.name for row in (entry.table.rows if entry.table is not None else ())]
    return next((one for one in names if slug(one) == part), part)


def called(rules: Rules, id: Any) -> str:
    """The same, to begin a sentence with."""
    return first_up(name(rules, id))


def first_up(said: str) -> str:
    return said[:1].upper() + said[1:]


def listed(names: Iterable[str]) -> str:
    """`Ann, Ben and Cid`."""
    found = list(names)
    return " and ".join([", ".join(found[:-1]), found[-1]]) if len(found) > 1 else "".join(found)


MOST_FACES = 30


def faces(dice: Dice) -> str:
    """`6 5 2 1`; of very many dice how many show what."""
    if not dice:
        return "no dice"
    if len(dice) <= MOST_FACES:
        return " ".join(str(face) for face, _ in dice)
    return ", ".join(f"{sum(one == face for one, _ in dice)} show {face}" for face in dict.fromkeys(face for face, _ in dice))


def text(words: Words) -> str:
    """Words with references, as plain text."""
    said = "".join(part.text if isinstance(part, Ref | Shown) else part for part in words)
    return " ".join(said.split())


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
    return wrap(line, width, initial_indent=" " * first, subsequent_indent=" " * then, break_on_hyphens=False) or [""]


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
