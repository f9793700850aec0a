"""Which definitions have been run: procedures, steps, standing lines, rows, numbers, traits, actors, hacks and readings with what they change."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator

from te_forge.engine.effects import Note
from te_forge.engine.index import Rules
from te_forge.engine.reading import Reading
from te_forge.engine.state import State
from te_forge.frozen import frozen
from te_forge.keys import slug
from te_forge.model.system import Entry, Patch, System
from te_forge.source import Span

MARK = {"begin": 1, "step": 1, "line": 2, "row": 2}
"""Notes that name what has run, by how many parts the name has."""


class WatchedRules(Rules):
    """Rules that keep a list of what was looked at and held."""

    def __init__(self, system: System) -> None:
        super().__init__(system)
        self.seen: set[str] = set()

    def touch(self, id: str) -> None:
        self.seen.add(id)

    def heed(self, notes: Collection[Note], states: Iterable[State]) -> None:
        """What ran, and who and what was there."""
        self.seen |= {"#".join(note.data[: MARK[note.what]]) for note in notes if note.what in MARK}
        self.seen |= {note.data[1] for note in notes if note.what == "take"}
        for state in states:
            reading = Reading(self, state)
            for who in reading.everybody():
                based = reading.based(who)
                carried = reading.carried(who)
                self.seen |= {
                    *carried,
                    *(part for id in carried if id in self.entries for part in self.entries[id].parts),
                    *([based.id] if based is not None else []),
                }


@frozen
class Definition:
    """Something that an example could run: what sort of thing, what it is called, where it stands; `marks`: any of these shows that it has run."""

    sort: str
    name: str
    span: Span
    marks: frozenset[str]
    hacks: frozenset[str] = frozenset()
    """These have to be on."""


def definitions(system: System) -> Iterator[Definition]:
    """Everything of the pack itself that an example could run, in the order of the book."""
    rules = Rules(system)
    standing = {(one.entry.id, one.line.id) for one in rules.standing}
    for entry in system.entries.values():
        if entry.pack != system.pack.id or entry.kind in ("kind", "example", "ruling"):
            continue
        hacks = frozenset(switches(entry, system))
        if entry.kind in ("hack", "reading"):
            for patch in entry.patches:
                yield from patched(patch, entry, system, hacks | {entry.id})
            continue
        nature = rules.nature(entry.kind)
        if entry.kind == "procedure":
            yield Definition("procedure", entry.name, entry.span, frozenset(doing(entry, rules)), hacks)
            yield from (Definition("step", f"{step.name} in {entry.name}", step.span, frozenset([step.id]), hacks) for step in entry.steps)
        elif nature in ("number", "trait", "actor"):
            yield Definition(nature, entry.name, entry.span, frozenset([entry.id]), hacks)
        for line in entry.lines:
            if (entry.id, line.id) in standing:
                yield Definition("line", f"{line.label} of {entry.name}", line.span, frozenset([f"{entry.id}#{line.id}"]), hacks)
        for row in entry.table.rows if entry.table is not None else ():
            name = row.name or row.printed(" to ")
            yield Definition("row", f"{name} of {entry.name}", row.span, frozenset([f"{entry.id}#{row.id}"]), hacks)


def switches(entry: Entry, system: System) -> Iterator[str]:
    """The hacks and readings that an entry is a part of."""
    while entry.owner is not None:
        entry = system.entries[entry.owner]
        if entry.kind in ("hack", "reading"):
            yield entry.id


def doing(entry: Entry, rules: Rules) -> Iterator[str]:
    """What has to begin for a procedure to have run; one without steps is a span of time, and runs with whatever counts as it or is a part of it."""
    yield entry.id
    if not entry.steps:
        for other in rules.system.of_kind("procedure"):
            if other.id != entry.id and (entry.id in rules.lineage[other.id] or entry.id in rules.above(other, "part-of")):
                yield other.id


def patched(patch: Patch, hack: Entry, system: System, hacks: frozenset[str]) -> Iterator[Definition]:
    """What a hack or reading changes: each line of it, or the whole change where it has no lines."""
    target = system.entries.get(patch.target)
    if target is None or patch.verb != "changes" or not patch.lines:
        name = target.name if target is not None else patch.target
        yield Definition("change", f"{patch.verb} {name} of {hack.name}", patch.span, frozenset([hack.id]), hacks)
        return
    for line in patch.lines:
        step = next((step for step in target.steps if slug(step.name) == slug(line.label)), None)
        stated = slug(line.label) in target.fields or not line.meaning
        mark = step.id if step is not None else hack.id if stated else f"{target.id}#{line.id}"
        yield Definition("change", f"{line.label} of {target.name} in {hack.name}", line.span, frozenset([mark]), hacks)


def unrun(system: System, seen: Iterable[tuple[frozenset[str], set[str]]]) -> list[Definition]:
    """The definitions that nothing has run. `seen`: what was on, and what ran with it; a hack that was on counts as seen."""
    found = [(on, ran | on) for on, ran in seen]
    return [one for one in definitions(system) if not any(one.hacks <= on and one.marks & ran for on, ran in found)]
