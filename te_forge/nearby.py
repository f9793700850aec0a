"""Did you mean, for files and folders: what lies near a path that leads nowhere."""

from __future__ import annotations

import os
from collections.abc import Callable
from itertools import islice
from pathlib import Path

from te_forge.suggest import asked, nearest

MOST_LOOKED_AT = 2_000
"""So many neighbours of a missing file are compared with its name."""


def near_path(path: Path, fits: Callable[[Path], bool]) -> Path | None:
    """The path that somebody meant who wrote `path`: each part that is not there is taken for its nearest neighbour, and what comes out must fit."""
    found = Path(path.anchor)
    parts = path.parts[1:] if path.anchor else path.parts
    for number, part in enumerate(parts, 1):
        there = found / part
        last = number == len(parts)
        wanted = fits if last else Path.is_dir
        if not holds(wanted, there):
            names = [one.name for one in neighbours(found) if holds(wanted, one)]
            near = nearest(part, names)
            if near is None:
                return None
            there = found / near
        found = there
    return found if found != path and parts else None


def holds(wanted: Callable[[Path], bool], path: Path) -> bool:
    try:
        return wanted(path)
    except (OSError, ValueError):  # a name that none can have
        return False


def neighbours(folder: Path) -> list[Path]:
    try:
        return list(islice(folder.iterdir(), MOST_LOOKED_AT))
    except (OSError, ValueError):  # no folder, or a name that none can have
        return []


def no_file(path: Path, what: str = "file") -> str:
    """That there is no such file, and which one may be meant."""
    return f"there is no {what} {path}{meant(path, Path.is_file)}"


def no_folder(path: Path) -> str:
    return f"there is no folder {path}{meant(path, Path.is_dir)}"


def typed(path: Path) -> str:
    """How a file or folder is called from the current folder."""
    try:
        return Path(os.path.relpath(path)).as_posix()
    except ValueError:  # on another drive
        return str(path)


def meant(path: Path, fits: Callable[[Path], bool]) -> str:
    near = near_path(path, fits)
    return asked(str(near) if near is not None else None)
