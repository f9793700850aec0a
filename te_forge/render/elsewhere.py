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


def elsewhere(system: System, on: Collection[str]) -> dict[tuple[str, str], tuple[Elsewhere, ...]]:
    """By chapter and the last thing of a list in it, the others of its kind: behind a table all of them; behind several headings, which a pack may well have put
    apart, those of other packs. `on`: the hacks and readings of which the parts count.
    """
    by_kind: dict[str, dict[str, list[Entry]]] = {}
    """By kind and chapter, what the chapter has of it."""
    for chapter in system.chapters:
        for id in chapter_ids(chapter, system):
            entry = system.entries[id]
            if entry.kind in system.kinds and entry.kind != "kind" and stands_alone(entry, system, on):
                by_kind.setdefault(entry.kind, {}).setdefault(chapter.id, []).append(entry)
    chapters = {chapter.id: chapter for chapter in system.chapters}
    out: dict[tuple[str, str], tuple[Elsewhere, ...]] = {}
    for chapter in system.chapters:
        for kind, (last, is_table) in lists(chapter, system).items():
            pack = system.entries[last].pack
            own = {entry.id for entry in by_kind.get(kind, {}).get(chapter.id, ())}  # what stands for something that is gone stands in two chapters
            others = [
                told(chapters[id], kept)
                for id, found in by_kind.get(kind, {}).items()
                if id != chapter.id and (kept := [entry for entry in found if entry.id not in own and (is_table or entry.pack != pack)])
            ]
            if others:
                out[chapter.id, last] = tuple(others)
    return out


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
