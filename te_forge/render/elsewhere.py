"""Where else a game has things of a kind. A chapter that lists them seems to list all of them, so behind its list stand those of other chapters."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass

from te_forge.compose.order import switch_of
from te_forge.model.system import Bulk, Chapter, Entry, System
from te_forge.render.places import chapter_ids

NAMED, CHAPTERS = 6, 6
"""So many things of so many chapters are named; of more, it is said how many there are."""


@dataclass(frozen=True, slots=True)
class Elsewhere:
    """The things of a kind in another chapter: the first of them, and how many more there are."""

    chapter: Chapter
    named: tuple[Entry, ...]
    more: int


@dataclass(frozen=True, slots=True)
class Others:
    """The things of a kind in other chapters: in the first of these, and how many more chapters have some."""

    found: tuple[Elsewhere, ...] = ()
    more: int = 0


def elsewhere(system: System, on: Collection[str]) -> dict[tuple[str, str], Others]:
    """By chapter and the last thing of a list in it, the others of its kind: behind a table all of them; behind several headings, which a pack may well
    have put apart, those of other packs. `on`: the hacks and readings of which the parts count.
    """
    by_kind = by_kind_and_chapter(system, on)
    packs = {kind: {entry.pack for found in by_chapter.values() for entry in found} for kind, by_chapter in by_kind.items()}
    chapters = {chapter.id: chapter for chapter in system.chapters}
    out: dict[tuple[str, str], Others] = {}
    for chapter in system.chapters:
        for kind, (last, is_table) in lists(chapter, system).items():
            pack = "" if is_table else system.entries[last].pack
            if kind in by_kind and packs[kind] - {pack}:
                others = others_of(chapter, by_kind[kind], chapters, pack)
                out |= {(chapter.id, last): others} if others.found else {}
    return out


def by_kind_and_chapter(system: System, on: Collection[str]) -> dict[str, dict[str, list[Entry]]]:
    found: dict[str, dict[str, list[Entry]]] = {}
    for chapter in system.chapters:
        for id in chapter_ids(chapter, system):
            entry = system.entries[id]
            if entry.kind in system.kinds and entry.kind != "kind" and stands_alone(entry, system, on):
                found.setdefault(entry.kind, {}).setdefault(chapter.id, []).append(entry)
    return found


def others_of(chapter: Chapter, by_chapter: Mapping[str, list[Entry]], chapters: Mapping[str, Chapter], pack: str) -> Others:
    """What other chapters have of a kind, and not of `pack`. What stands for something that is gone stands in two chapters, and is told in neither."""
    own = {entry.id for entry in by_chapter.get(chapter.id, ())}
    found: list[Elsewhere] = []
    more = 0
    for id, entries in by_chapter.items():
        if id == chapter.id:
            continue
        if len(found) == CHAPTERS:
            more += entries[0].pack != pack
        elif kept := [entry for entry in entries if entry.id not in own and entry.pack != pack]:
            found.append(told(chapters[id], kept))
    return Others(tuple(found), more)


def stands_alone(entry: Entry, system: System, on: Collection[str]) -> bool:
    """Whether an entry is a thing of the game by itself: no part of another one, or only of a hack or reading that is on."""
    return entry.owner is None or (switch_of(entry, system) == entry.owner and entry.owner in on)


def lists(chapter: Chapter, system: System) -> Mapping[str, tuple[str, bool]]:
    """By kind, the last thing of each list of a chapter, which is a table of them or several headings; and whether it is a table."""
    tables = {item.kind for item in chapter.items if isinstance(item, Bulk)}
    found: dict[str, list[str]] = {}
    for kind, id in things(chapter, system):
        found.setdefault(kind, []).append(id)
    return {kind: (ids[-1], kind in tables) for kind, ids in found.items() if kind in tables or len(ids) > 1}


def things(chapter: Chapter, system: System) -> Iterator[tuple[str, str]]:
    for item in chapter.items:
        ids = (item,) if isinstance(item, str) else item.entries if isinstance(item, Bulk) else ()
        yield from ((system.entries[id].kind, id) for id in ids if id in system.entries)


def told(chapter: Chapter, found: list[Entry]) -> Elsewhere:
    named = found if len(found) <= NAMED else found[: NAMED - 1]
    return Elsewhere(chapter, tuple(named), len(found) - len(named))
