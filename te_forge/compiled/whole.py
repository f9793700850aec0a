"""Whether what has been read hangs together: what a schema cannot see."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from te_forge.check.tables import check_ranges
from te_forge.compiled.shape import ENGINE_KINDS, OF_WHAT
from te_forge.diagnostics import Diagnostic, Findings
from te_forge.keys import slug
from te_forge.model.rules import Text, Thing
from te_forge.model.system import Chapter, Entry, Line, System


def dangling(ids: Iterable[str], entries: Mapping[str, Entry], chapters: Iterable[Chapter] = ()) -> list[str]:
    """Those of the ids that nothing has; behind a # stands a part of an entry."""
    chapters = tuple(chapters)
    known = entries.keys() | {one.id for one in chapters}
    parts: dict[str, set[str]] = {}
    lost = [item for chapter in chapters for item in chapter.items if isinstance(item, str) and item not in entries]
    for id in ids:
        base, _, part = id.partition("#")
        if base not in known or (
            part and part not in (parts[base] if base in parts else parts.setdefault(base, set(parts_of(entries[base]) if base in entries else ())))
        ):
            lost.append(id)
    return sorted({*lost})


def misfits(named: Mapping[str, Iterable[str]], system: System) -> Iterator[str]:
    """Ids of something of another sort than must stand where they are named."""
    for sort, wanted in OF_WHAT.items():
        for id in named.get(sort, ()):
            entry = system.entries.get(id.partition("#")[0])
            if entry is not None and sort_of(entry, system) not in wanted:
                yield id


def sort_of(entry: Entry, system: System) -> str:
    return entry.kind if entry.kind in ENGINE_KINDS else system.kinds[entry.kind].nature


def astray(entries: Mapping[str, Entry]) -> Iterator[str]:
    """Parts of something that does not know of them, and those that know of no owner. (An owner stands before its parts, so nothing is a part of
    itself.)
    """
    before: set[str] = set()
    for id, entry in entries.items():
        if entry.owner is not None and (entry.owner not in before or id not in entries[entry.owner].parts):
            yield id
        yield from (part for part in entry.parts if entries[part].owner != id)
        before.add(id)


def parts_of(entry: Entry) -> Iterator[str]:
    """What an id may name behind a #: steps, fields, lines, rows, values and outcomes of an entry."""
    yield from (step.id.rpartition("#")[2] for step in entry.steps)
    yield from (field.id.rpartition("#")[2] for field in entry.fields.values())
    for line in (*entry.lines, *(line for step in entry.steps for line in step.lines)):
        yield from lines_of(line)
    for row in entry.table.rows if entry.table is not None else ():
        yield row.id
    yield from map(slug, entry.slots)
    for atom in entry.fields["outcomes"].value if "outcomes" in entry.fields else ():
        yield slug(atom.text) if isinstance(atom, Text) else atom.id.rpartition("#")[2] if isinstance(atom, Thing) else ""


def lines_of(line: Line) -> Iterator[str]:
    yield line.id
    for below in line.lines:
        yield from lines_of(below)


def gaps(entries: Iterable[Entry]) -> list[Diagnostic]:
    """What is wrong with the ranges of random tables."""
    findings = Findings()
    for entry in entries:
        if entry.table is not None:
            check_ranges(entry.table.die, entry.table.rows, entry.table.span, findings)
    return list(findings)
