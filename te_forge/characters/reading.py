"""A character file, read: YAML that a person wrote, with every mistake where it stands.

The file may come from a stranger: it is bounded, it holds text, lists and names only, and nothing in it is ever run.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from te_forge.characters.character import Character
from te_forge.characters.lines import FileReader
from te_forge.characters.present import NowReader
from te_forge.compose.tried import NotTried, at_table
from te_forge.diagnostics import Diagnostic, Findings, tidy
from te_forge.engine.index import Rules
from te_forge.files import Shelf
from te_forge.model.system import System
from te_forge.report import renamed
from te_forge.safeyaml import Value, Wording, read_head
from te_forge.source import Source, Span
from te_forge.tried import Tried

MOST_BYTES = 500_000
UNREAD = ("unknown-name", "bad-number", "bad-character-field")
WORDING = Wording("a character", "begin with `name: Ann`", "write at least `name` and `pack`")


def load_character(path: Path | str, system: System) -> tuple[Character | None, list[Diagnostic]]:
    """The character that a file holds, and what is wrong with the file; None when nothing can be made of it."""
    source, found = read_source(Path(path))
    if source is None:
        return None, found
    character, more = character_in(source, Rules(system))
    return character, tidy([*found, *more])


def character_in(source: Source, rules: Rules) -> tuple[Character | None, list[Diagnostic]]:
    """The same for a text that has been read, and rules that have been put together."""
    findings = Findings()
    head = read_head(source, findings, WORDING)
    if head is None:
        return None, tidy(findings)
    reader = FileReader(rules, source, head, findings)
    character = reader.read()
    if character is not None and any(one.code in UNREAD for one in findings):
        character = replace(character, half_read=True)
    if character is not None and head.data.get("now") is not None:
        character = replace(character, now=NowReader(reader).today(character))
    return character, tidy(findings)


def read_source(path: Path) -> tuple[Source | None, list[Diagnostic]]:
    """The text of a character file, called as the user calls it."""
    findings = Findings()
    shelf = Shelf(path.parent, findings)
    source = shelf.text(path, MOST_BYTES)
    shown = path.as_posix()
    found = renamed(findings, {shelf.shown(path): shown})
    return (Source(shown, source.text, source.newline) if source is not None else None), found


@dataclass(frozen=True)
class Belonging:
    """Which rules a file says it belongs to, before they are known: the pack, what is on at its table, and where the names of that are stated."""

    pack: str
    tried: Tried
    places: Mapping[str, Span]
    place: Span
    """Where it says the first of that, or the beginning of the file."""


def belonging(source: Source) -> Belonging:
    head = read_head(source, Findings(), WORDING)
    pack = head.data.get("pack") if head is not None else ""
    data = head.data if head is not None else {}
    stated = data.get("rulings")
    rulings = {name: reading for name, reading in stated.items() if isinstance(reading, str)} if isinstance(stated, dict) else {}
    tried = Tried(strings(data.get("hacks")), strings(data.get("without")), tuple(f"{name}={reading}" for name, reading in rulings.items()))
    places = {name: head.place(("rulings", name), True) or source.span(1) for name in rulings} if head is not None else {}
    for field, names in (("hacks", tried.hacks), ("without", tried.without)):
        places |= {name: (head.place((field,), True) if head is not None else None) or source.span(1) for name in names}
    return Belonging(pack if isinstance(pack, str) else "", tried, places, next(iter(places.values()), source.span(1)))


def at_its_table(system: System, wanted: Belonging) -> System | Diagnostic:
    """The rules with what the file says is on at its table; or why that cannot be."""
    try:
        return at_table(system, wanted.tried)
    except NotTried as reason:
        message, _, help = str(reason).removeprefix("--hack: ").removeprefix("--without: ").partition("; ")
        place = next((place for name, place in wanted.places.items() if f"`{name}`" in message), wanted.place)
        return Diagnostic("cannot-be-on", message, place, help=help)


def strings(value: Value) -> tuple[str, ...]:
    """A name, or a list of names; whatever is neither is said where the file is read."""
    return tuple(one for one in (value if isinstance(value, tuple) else (value,)) if isinstance(one, str) and one.strip())
