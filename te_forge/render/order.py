"""In which order the chapters of a book stand: a game's own come before those of the packs that it is built on, unless its pack.yaml names some to come first."""

from __future__ import annotations

from dataclasses import replace

from te_forge.model.system import Chapter, System


def in_reading_order(system: System) -> System:
    """The system with its chapters as its book has them."""
    nearest = {pack.id: number for number, pack in enumerate(reversed(system.packs))}
    first = {title: number for number, title in enumerate(system.pack.chapters)}

    def place(chapter: Chapter) -> tuple[int, int]:
        return first.get(chapter.title, len(first)), nearest.get(pack_of(chapter), len(nearest))

    return replace(system, chapters=tuple(sorted(system.chapters, key=place)))


def pack_of(chapter: Chapter) -> str:
    return chapter.id.partition(":")[0]
