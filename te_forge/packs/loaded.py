"""What became of a pack that was loaded, and the packs that were loaded on the way to it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from te_forge.diagnostics import Diagnostic
from te_forge.files import Picture
from te_forge.frozen import frozen
from te_forge.model.system import System
from te_forge.source import Source
from te_forge.whereabouts import find

if TYPE_CHECKING:
    from te_forge.packs.gathered import Game


@frozen
class Loaded:
    """What became of a pack. `system` is None when there is no pack to speak of; `sources` and `assets` are its own files by shown path."""

    system: System | None
    diagnostics: list[Diagnostic]
    root: Path
    sources: Mapping[str, Source] = field(default_factory=dict)
    assets: Mapping[str, Picture] = field(default_factory=dict)
    places: Mapping[str, Path] = field(default_factory=dict)


Load = Callable[[Path, tuple[str, ...], "Library"], Loaded]


class Library:
    """The packs below the one in the folder `root`, of which none is loaded twice. How a pack is loaded, `load` says."""

    def __init__(self, root: Path, load: Load) -> None:
        self.root = root
        self.load = load
        self.packs: dict[Path, Loaded] = {}

    def pack(self, place: Path, above: tuple[str, ...]) -> Loaded:
        """The pack at `place`; `above` are the ids of the packs that asked for it, outermost first."""
        if place not in self.packs:
            self.packs[place] = self.load(place, above, self)
        return self.packs[place]

    @cached_property
    def game(self) -> Game:
        """Which packs are in the game. Only packs that may use others ask for it."""
        from te_forge.packs.gathered import gathered

        return gathered(self.root)


def asked_for(loaded: Loaded) -> list[tuple[Path, str, Path]] | None:
    """Every pack that a sound pack has asked for, directly or not: from which folder, by which id, and where it was found. None when one id was found
    in two places.
    """
    if loaded.system is None or loaded.root.is_file():
        return None
    heads = {info.id: info for info in loaded.system.packs}
    found = {loaded.system.pack.id: loaded.root}
    out: list[tuple[Path, str, Path]] = []
    todo = [loaded.system.pack]
    while todo:
        info = todo.pop()
        for id in sorted(info.requires):
            place = find(id, found[info.id])
            if place is None or found.setdefault(id, place) != place:
                return None
            if id not in {known for _, known, _ in out}:
                todo.append(heads[id])
            out.append((found[info.id], id, place))
    return out
