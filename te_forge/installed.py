"""Packs that were installed as Python packages (entry-point group `te_forge.packs`).

The value of an entry point is a place, and nothing else: `te_pack_my_game` is the folder of that name where the package was put, in which the pack
lies. It is never imported, so that having a pack of a stranger's installed runs none of the stranger's code.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from importlib.metadata import Distribution

GROUP = "te_forge.packs"
HEAD, COMPILED = "pack.yaml", "*.tepack.json"
VALUE = re.compile(r"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*(?::[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*)?", re.ASCII)


class Package(NamedTuple):
    """A package that says that it brings a pack. `place` is None when the pack is not where it says."""

    name: str
    version: str
    place: Path | None

    def __str__(self) -> str:
        return f"{self.name} {self.version}"


@cache
def packages() -> Mapping[str, tuple[Package, ...]]:
    """By the id of a pack, the packages that bring it: one, unless something is wrong."""
    from importlib.metadata import entry_points  # which takes as long to load as a small pack to check

    found: dict[str, dict[str, Package]] = {}
    for point in entry_points(group=GROUP):
        dist = point.dist
        if dist is not None and VALUE.fullmatch(point.value):
            parts = re.split(r"[.:]", point.value)
            found.setdefault(point.name, {}).setdefault(dist.name, Package(dist.name, dist.version, located(dist, parts)))
    return {id: tuple(sorted(brought.values(), key=str)) for id, brought in sorted(found.items())}


def located(dist: Distribution, parts: list[str]) -> Path | None:
    """The folder of a pack: beside what tells of the package, or, where that was installed to be worked on, on the path that Python searches."""
    for base in (Path(str(dist.locate_file(""))), *map(Path, sys.path)):
        place = base.joinpath(*parts)
        if place.is_dir() and ((place / HEAD).is_file() or any(place.glob(COMPILED))):
            return place.resolve()
    return None


def place_of(id: str) -> Path | None:
    """Where the pack `id` was installed: the folder, or the file if it is compiled. None when it is not, or more than once."""
    brought = packages().get(id, ())
    if len(brought) != 1 or brought[0].place is None:
        return None
    place = brought[0].place
    return place if (place / HEAD).is_file() else min(place.glob(COMPILED))


def trouble(id: str) -> str:
    """Why a pack that was installed is not to be had; empty when it was not installed."""
    brought = packages().get(id, ())
    if len(brought) > 1:
        return f"{' and '.join(map(str, brought))} both bring it; uninstall one of them"
    if brought and brought[0].place is None:
        return f"the package {brought[0]} says that it brings it, and does not; install it anew"
    return ""


def brought_by(place: Path) -> str:
    """The package that a pack in a folder came with, if it came with one."""
    return next((str(one) for brought in packages().values() for one in brought if one.place == place), "")
