"""Where packs are: by path, beside the pack that asks for them, among those that te_forge ships, or among those that were installed."""

from __future__ import annotations

from pathlib import Path

from te_forge.nearby import near_path, neighbours, typed
from te_forge.resources import folder
from te_forge.suggest import nearest

HEAD, LOCK, COMPILED = "pack.yaml", "pack.lock", ".tepack.json"
RULES, BOOK, ASSETS = "rules", "book", "assets"
LONGEST, LONGEST_PATH = 240, 3_000
"""Longer names no file can have, in bytes, and no path."""
OWN_FOLDERS = (RULES, BOOK, ASSETS, "starter")
"""The folders of a pack that hold what its author writes."""


def shipped() -> list[str]:
    """Ids of the packs that come with te_forge."""
    return sorted(path.parent.name for path in folder("systems").glob(f"*/{HEAD}"))


def find(name: str, beside: Path | None = None) -> Path | None:
    """The folder of the pack called `name`, or its file if it is compiled: a path, a neighbour of `beside`, one that te_forge ships, or one that was
    installed.
    """
    if any(len(part.encode("utf-8", "replace")) > LONGEST for part in name.split("/")) or len(name) > LONGEST_PATH:
        return None
    if beside is None and name:
        path = Path(name)
        if path.name.endswith(COMPILED) and path.is_file():
            return path.resolve()
        if path.is_dir():
            return path.resolve()
        if path.name == HEAD and path.is_file():
            return path.parent.resolve()
        if "/" in name or "\\" in name or name in (".", ".."):
            return None
    if name in ("", ".", "..") or "/" in name or "\\" in name:
        return None
    for place in ([beside.parent] if beside else []) + [folder("systems")]:
        if (place / name / HEAD).is_file():
            return (place / name).resolve()
        if (place / f"{name}{COMPILED}").is_file():
            return (place / f"{name}{COMPILED}").resolve()
    from te_forge.installed import place_of  # who needs nothing that was installed does not wait for the list of all that is

    return place_of(name)


def known() -> list[str]:
    """Ids of the packs that can be named from anywhere."""
    from te_forge.installed import packages

    return sorted({*shipped(), *packages()})


def pack_around(path: Path) -> Path | None:
    """The folder of the pack that `path` is, or lies in."""
    real = path.resolve()
    return next((place for place in (real, *real.parents) if (place / HEAD).is_file()), None)


def beside(root: Path) -> list[str]:
    """Ids of the packs that lie beside the one in `root`."""
    return [path.name.removesuffix(COMPILED) for path in neighbours(root.parent) if path != root and is_pack(path)]


def is_pack(path: Path) -> bool:
    return (path / HEAD).is_file() or (path.name == HEAD and path.is_file()) or (path.name.endswith(COMPILED) and path.is_file())


def near_pack(name: str) -> str | None:
    """The pack that may be meant by the name of one that is not there: one that lies here, or one that can be named from anywhere."""
    near = near_path(Path(name), is_pack) if 0 < len(name) <= LONGEST_PATH and "\0" not in name else None
    return nearest(name, [*known(), *([str(near)] if near is not None else [])]) or (str(near) if near is not None else None)


def where_packs_are(name: str) -> str:
    if len(name) <= LONGEST and Path(name).is_file():
        around = pack_around(Path(name))
        if around is not None:
            return f"`{name}` is a file of a pack; give the folder of the pack: `{typed(around)}`"
        return f"`{name}` is a file; give the folder that holds {HEAD}, or a compiled pack, whose name ends in {COMPILED}"
    return f"give the folder of a pack, or one of those that are here for all: {', '.join(known())}"
