"""In which order the chapters of a book stand: a game's own come before those of the packs that it is built on, unless its pack.yaml names some to
come first.

A chapter that has the title of an inherited one takes its place: what is defined there stands in the new one, and prose of its own stands for the old
prose.
"""

from __future__ import annotations

from dataclasses import replace

from te_forge.model.system import Chapter, Grid, Prose, System


def in_reading_order(system: System) -> System:
    """The system with its chapters as its book has them."""
    nearest = {pack.id: number for number, pack in enumerate(reversed(system.packs))}
    first = {title: number for number, title in enumerate(system.pack.chapters)}

    def place(chapter: Chapter) -> tuple[int, int]:
        return first.get(chapter.title, len(first)), nearest.get(pack_of(chapter), len(nearest))

    return replace(system, chapters=tuple(sorted(system.chapters, key=place)))


def told_anew(system: System) -> tuple[System, dict[str, str]]:
    """The system with one chapter of each title, but for several in one pack; and by the id of each that is no more, that of the one in its place."""
    heirs: dict[str, Chapter] = {}
    nearest = {pack.id: number for number, pack in enumerate(system.packs)}
    for chapter in sorted(system.chapters, key=lambda one: -nearest.get(pack_of(one), 0)):
        heirs.setdefault(chapter.title, chapter)
    gone = {chapter.id: heirs[chapter.title].id for chapter in system.chapters if pack_of(heirs[chapter.title]) != pack_of(chapter)}
    if not gone:
        return system, gone
    inherited: dict[str, list[Chapter]] = {}
    for chapter in system.chapters:
        if chapter.id in gone:
            inherited.setdefault(gone[chapter.id], []).append(chapter)
    kept = [joined(chapter, inherited.get(chapter.id, [])) for chapter in system.chapters if chapter.id not in gone]
    return replace(system, chapters=tuple(kept)), gone


def joined(chapter: Chapter, inherited: list[Chapter]) -> Chapter:
    """A chapter with what inherited ones of its title define, and with their prose if it has none."""
    spoken = any(isinstance(item, Prose | Grid) for item in chapter.items)
    others = tuple(item for old in inherited for item in old.items if not spoken or not isinstance(item, Prose | Grid))
    return replace(chapter, items=(*chapter.items, *others) if spoken else (*others, *chapter.items))


def pack_of(chapter: Chapter) -> str:
    return chapter.id.partition(":")[0]
