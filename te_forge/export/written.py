"""Words as a page of rules has them, so that what was edited elsewhere can be read again."""

from __future__ import annotations

import re

from te_forge.model import rules as m
from te_forge.model.system import Ref, Shown, System, Words

CODE = re.compile(r"(`+[^`\n]*`+)")
NAME = re.compile(r"[A-Z][\w'’-]*(?: [A-Z0-9][\w'’-]*)*")
"""A name that needs no brackets in a rule."""


class NotWritable(Exception):
    """A number that prose prints, of which only the result is known."""


def as_rule(words: Words) -> str:
    """The words of a field or rule line."""
    return "".join(one if isinstance(one, str) else name(one.text) for one in words).strip()


def name(text: str) -> str:
    return text if NAME.fullmatch(text) or text[:1].islower() else f"[[{text}]]"


def as_prose(words: Words, system: System) -> str:
    """Markdown with `[[links]]` and `{printed numbers}`. Raises `NotWritable`."""
    return "".join(part(one, system) for one in words).strip("\n")


def part(one: str | Ref | Shown, system: System) -> str:
    match one:
        case Ref(id, text):
            return link(id, text, system)
        case Shown():
            return "{" + printed(one, system) + "}"
        case _:
            return "".join(piece if number % 2 else re.sub(r"([{}])", r"\\\1", piece) for number, piece in enumerate(CODE.split(one)))


def link(id: str, text: str, system: System) -> str:
    entry = system.entries.get(id)
    title = entry.name if entry is not None else next((chapter.title for chapter in system.chapters if chapter.id == id), text)
    return f"[[{text}]]" if text == title else f"[[{title}|{text}]]"


def printed(one: Shown, system: System) -> str:
    """What stands between the braces."""
    match one.expr:
        case m.Thing(id) if id in system.entries:
            return name(system.entries[id].name)
        case m.Bound(of, which):
            return f"{printed(Shown(one.id, one.text, of), system)}'s {which}"
        case m.Stored(of, label):
            return f"{printed(Shown(one.id, one.text, of), system)}'s {label}"
        case m.Stat(of, m.Thing(stat)) if stat in system.entries:
            return f"{printed(Shown(one.id, one.text, of), system)}'s {name(system.entries[stat].name)}"
    raise NotWritable(one.text)
