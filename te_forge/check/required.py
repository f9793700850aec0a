"""The names of the packs below: what they define and declare, as their composed system says it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from te_forge.check.names import EVERYWHERE, Names, Procedure, Somebody
from te_forge.keys import fold, slug
from te_forge.model.rules import ChooseOne, Holds, Sheet, Text, Thing
from te_forge.model.system import Entry, Line, Patch, System
from te_forge.model.walk import nodes


def names_from(base: System | None) -> Names:
    """The names of the packs below."""
    names = Names()
    if base is None:
        return names
    names.take(base.entries, base.kinds)
    names.chapters = {fold(chapter.title): chapter.id for chapter in base.chapters}
    for entry in base.entries.values():
        if entry.kind == "kind":
            names.slots[entry.name] = dict(entry.slots)
        if entry.kind == "procedure":
            made = Procedure(entry.id, locals=dict(entry.locals))
            made.steps = {fold(step.name): step.id for step in entry.steps}
            made.values = dict(entry.slots)
            made.counts = "counts" in entry.fields
            made.sure = {entry.id: entry.sure, **{step.id: frozenset(step.reach.words if step.reach else ()) for step in entry.steps}}
            made.outcomes = {fold(name): f"{entry.id}#{slug(name)}" for name in outcome_names(entry)}
            made.above = [ref for label in ("part-of", "counts-as") for ref in thing_ids(entry, label)]
            made.roles = {holds.word: holds.type for holds in holds_of(entry)}
            names.procedures[entry.id] = made
            names.say(made.outcomes, entry.id)
        if entry.kind == "example":
            names.people.update(people_in(entry, names))
            continue
        said_in(entry, names)
        if entry.table is not None:
            names.labels.update(row.name for row in entry.table.rows if row.name)
        if names.nature(entry.id) == "number":
            names.numbers_of[entry.id] = carriers_of(entry, names) or names.kinds[entry.kind].of
    for entry in base.entries.values():
        for patch in entry.patches:
            add_slots(names, patch)
    return names


def add_slots(names: Names, patch: Patch) -> None:
    """What a hack of a required pack declares further."""
    procedure = names.procedures.get(patch.target)
    known = procedure.values if procedure is not None else names.slots.setdefault(names.title.get(patch.target, ""), {})
    for name, slot in patch.slots.items():
        known.setdefault(name, slot)


def said_in(entry: Entry, names: Names) -> None:
    """The labels of the lines of an entry, and the words that may be said there: its options, and those of its fields and values."""
    place = entry.owner or entry.id
    lines = [*entry.lines, *(line for step in entry.steps for line in step.lines)]
    patched = [line for patch in entry.patches for line in patch.lines]
    names.labels.update(labels_in([*lines, *patched]))
    names.say((label for line in lines if line.lines for label in options_in(line)), place)
    names.say(labels_in(below for line in patched for below in line.lines), place)
    for slots in (entry.slots, *(patch.slots for patch in entry.patches)):
        names.say((word for slot in slots.values() for word in slot.holds.words), EVERYWHERE if entry.kind == "kind" else place)


def options_in(line: Line) -> Iterator[str]:
    for one in nodes(line.meaning):
        if isinstance(one, ChooseOne):
            yield from (option.label for option in one.options if option.label)


def people_in(example: Entry, names: Names) -> Iterator[tuple[str, Somebody]]:
    """Whom an example brings in."""
    for stated in example.fields.values():
        for atom in stated.value:
            if isinstance(atom, Sheet | Holds):
                what = names.title.get(atom.kind, "") if isinstance(atom, Sheet) else atom.type.kind
                yield stated.label, Somebody(example.name, stated.span, what)


def labels_in(lines: Iterable[Line]) -> Iterator[str]:
    """The labels of these lines and of all below them: each may be an option that a script picks."""
    for line in lines:
        if line.label:
            yield line.label
        yield from labels_in(line.lines)


def carriers_of(entry: Entry, names: Names) -> tuple[str, ...]:
    """Who has this number by its own `Of:` line: `a character`, or `the gm`."""
    stated = entry.fields.get("of")
    atoms = stated.value if stated is not None else ()
    return tuple(atom.type.kind or "actor" if isinstance(atom, Holds) else names.title[atom.id] for atom in atoms if isinstance(atom, Holds | Thing))


def thing_ids(entry: Entry, label: str) -> list[str]:
    """The things that a field of `entry` names."""
    stated = entry.fields.get(label)
    return [atom.id for atom in stated.value if isinstance(atom, Thing)] if stated else []


def outcome_names(entry: Entry) -> list[str]:
    stated = entry.fields.get("outcomes")
    return [atom.text for atom in stated.value if isinstance(atom, Text)] if stated else []


def holds_of(entry: Entry) -> list[Holds]:
    """The roles of a procedure."""
    stated = entry.fields.get("roles")
    return [atom for atom in stated.value if isinstance(atom, Holds)] if stated else []
