"""A character as the file that a person reads and mends: names for ids, things of one kind together, in the order of the book."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from te_forge.characters.character import Character
from te_forge.characters.lines import FIELDS
from te_forge.characters.roster import Roster
from te_forge.safeyaml import Value

PLAIN = re.compile(r"[^\W\d_][\w'’ ()-]*[\w)]|[^\W\d_]|\d+")
"""What needs no quotes: a name, or a number."""
MEANT_OTHERWISE = {"null", "true", "false", "yes", "no", "on", "off", "y", "n"}
"""Words that other readers of YAML take for something else than text."""


def as_yaml(character: Character, roster: Roster) -> str:
    """The whole file."""
    return (
        "\n".join(
            [
                *head(character),
                *made_of(character, roster),
                *what_it_has(character, roster),
                *how_made(character),
                *what_play_changed(character, roster),
            ]
        )
        + "\n"
    )


def head(character: Character) -> Iterator[str]:
    yield f"name: {scalar(character.name)}"
    yield f"pack: {character.pack}"
    yield f"version: {character.version}"
    yield f"kind: {character.kind}"
    if character.hacks:
        yield f"hacks: {flow(character.hacks)}"
    if character.without:
        yield f"without: {flow(character.without)}"
    yield from block("rulings", list(character.rulings.items()))
    if character.seed is not None:
        yield f"seed: {character.seed}"
    if not character.finished:
        yield "unfinished: yes"


def made_of(character: Character, roster: Roster) -> Iterator[str]:
    """The traits by kind: one on its line, several as a list."""
    loose: list[str] = []
    for info in roster.trait_kinds:
        entries = [entry for entry in roster.traits if entry.kind == info.name]
        names = [roster.name_in_file(entry, entries) for id in character.traits for entry in entries if entry.id == id]
        if info.name in FIELDS or info.plural in FIELDS:
            loose += names
        elif len(names) == 1:
            yield f"{scalar(info.name)}: {scalar(names[0])}"
        elif names:
            yield f"{scalar(info.plural)}: {flow(names)}"
    if loose:
        yield f"traits: {flow(loose)}"


def what_it_has(character: Character, roster: Roster) -> Iterator[str]:
    def named(found: Mapping[str, int]) -> list[tuple[str, str]]:
        return [(roster.name_in_file(entry, roster.numbers), str(found[entry.id])) for entry in roster.numbers if entry.id in found]

    yield from block("numbers", named(character.numbers))
    for which in ("least", "most"):
        yield from block(which, named({id: value for (id, one), value in character.bounds.items() if one == which}))
    rules = roster.rules.entries
    yield from block("fields", [(label, rules[str(value)].name if value in rules else str(value)) for label, value in character.fields.items()])
    noted = [(rules[key].name if key in rules else key, text) for key, text in character.notes.items() if text or not character.finished]
    yield from block("notes", noted)


def what_play_changed(character: Character, roster: Roster) -> Iterator[str]:
    today, kinds = character.now, roster.rules.entries
    if today is None:
        return
    anew = [
        info
        for info in roster.trait_kinds
        if [id for id in character.traits if kinds[id].kind == info.name] != [id for id in today.traits if kinds[id].kind == info.name]
    ]
    traits = tuple(id for id in today.traits if kinds[id].kind in {info.name for info in anew})
    only = replace(
        today,
        numbers={id: value for id, value in today.numbers.items() if character.numbers.get(id) != value},
        bounds={key: value for key, value in today.bounds.items() if character.bounds.get(key) != value},
        fields={label: value for label, value in today.fields.items() if character.fields.get(label) != value},
        traits=traits,
        notes={},
    )
    gone = [f"{scalar(info.plural)}: []" for info in anew if info.name not in {kinds[id].kind for id in traits}]
    lines = [*made_of(only, roster), *gone, *what_it_has(only, roster)]
    yield from ["now:", *(f"  {line}" for line in lines)] if lines else []


def block(title: str, lines: Iterable[tuple[str, str]]) -> Iterator[str]:
    lines = list(lines)
    if lines:
        yield f"{title}:"
        yield from (f"  {scalar(name)}: {scalar(value)}" for name, value in lines)


def how_made(character: Character) -> Iterator[str]:
    if character.making:
        yield "making:"
        for answer in character.making:
            yield f"  - {scalar(answer.asked)}: {written(answer.said)}"
    elif character.making is not None:
        yield "making: []"


def written(value: Value) -> str:
    if isinstance(value, tuple):
        return flow([str(one) for one in value])
    if isinstance(value, dict):
        return "{" + ", ".join(f"{scalar(name)}: {scalar(str(one))}" for name, one in value.items()) + "}"
    return scalar(value or "")


def flow(names: Iterable[str]) -> str:
    return "[" + ", ".join(map(scalar, names)) + "]"


ESCAPES = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\t": "\\t"}


def scalar(text: str) -> str:
    """Text as YAML, in quotes where it could be read as something else."""
    if PLAIN.fullmatch(text) and text.casefold() not in MEANT_OTHERWISE:
        return text
    return '"' + "".join(ESCAPES.get(c) or (c if c.isprintable() else escaped(c)) for c in text) + '"'


def escaped(char: str) -> str:
    number = ord(char)
    return f"\\x{number:02x}" if number < 0x100 else f"\\u{number:04x}" if number < 0x10000 else f"\\U{number:08x}"
