"""Chapters, as far as hacks change them: their prose, their title, and whether they are there.

While hacks are at work, chapters stand among the entries if some hack speaks of one, so that all that holds for changes of things holds for those of
chapters. What is defined in a chapter is no part of it: things go on without it, and the book finds another place for them.
"""

from __future__ import annotations

from collections.abc import Mapping

from te_forge.frozen import replace
from te_forge.model.system import Chapter, Entry, Prose, System

KIND = "chapter"


def with_chapters(system: System) -> System:
    """The system with its chapters among its entries; the system itself where no hack speaks of any, or where they are there already."""
    ids = {one.id for one in system.chapters}
    if ids <= system.entries.keys() or not any(patch.target in ids for entry in system.entries.values() for patch in entry.patches):
        return system
    return replace(system, entries={**{one.id: as_entry(one) for one in system.chapters}, **system.entries})


def as_entry(one: Chapter) -> Entry:
    return Entry(one.id, KIND, one.title, one.span, one.cites, prose=tuple(item for item in one.items if isinstance(item, Prose)))


def without_chapters(made: System, before: System) -> System:
    """The composed system with its chapters as hacks have left them, and none among the entries. `before` has those that stood there."""
    stood = {one.id for one in before.chapters if one.id in before.entries}
    if not stood:
        return made
    chapters = tuple(changed(one, made.entries, before.entries) for one in made.chapters if one.id not in stood or one.id in made.entries)
    return replace(made, entries={id: entry for id, entry in made.entries.items() if id not in stood}, chapters=chapters)


def changed(one: Chapter, made: Mapping[str, Entry], before: Mapping[str, Entry]) -> Chapter:
    if one.id not in made:
        return one
    now, old = made[one.id], before[one.id]
    if now.name != old.name:
        one = replace(one, title=now.name)
    if [part.words for part in now.prose] == [part.words for part in old.prose]:
        return one
    first = next((number for number, item in enumerate(one.items) if isinstance(item, Prose)), 0)
    rest = [item for item in one.items if not isinstance(item, Prose)]
    where = sum(not isinstance(item, Prose) for item in one.items[:first])
    return replace(one, items=(*rest[:where], *now.prose, *rest[where:]))
