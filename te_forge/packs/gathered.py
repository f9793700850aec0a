"""Which packs are in a game, read off the heads of the packs alone, before any of them is loaded.

A pack may change things of another that it does not require, should that one be in the game too (`optional:` in pack.yaml). It is in the game when
the pack that is played requires it, directly or through others. One that requires the asking pack itself is never asked for, since it has to come
after it.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path

from te_forge.diagnostics import Findings
from te_forge.files import MOST_COMPILED_BYTES, MOST_HEAD_BYTES, Shelf
from te_forge.safeyaml import read_head
from te_forge.source import Span
from te_forge.whereabouts import COMPILED, HEAD, find

MOST_PACKS = 1_000
Game = Mapping[str, frozenset[str]]
"""For each pack in the game, the packs that it requires, directly and through others."""


def gathered(root: Path) -> Game:
    """The packs of the game whose head is in the folder `root`. Whatever is wrong with a head is said where the pack is loaded."""
    direct: dict[str, tuple[str, ...]] = {}
    todo: list[tuple[str, Path]] = [("", root)]
    while todo and len(direct) < MOST_PACKS:
        id, place = todo.pop()
        if id in direct:
            continue
        direct[id] = tuple(required_by(place))
        todo += [(other, found) for other in direct[id] if (found := find(other, place)) is not None]
    return {id: closure(id, direct) for id in direct}


def required_by(place: Path) -> Iterable[str]:
    return list(requires_of(place)[1])


def requires_of(place: Path) -> tuple[str, Mapping[str, str]]:
    """The id of the pack in a folder, and what it requires, each with its range."""
    if place.is_file():
        return held_by(place)
    shelf = Shelf(place, Findings())
    path = place / HEAD
    source = shelf.text(path, MOST_HEAD_BYTES) if path.is_file() and shelf.inside(path) else None
    head = read_head(source, Findings()) if source is not None else None
    data = head.data if head is not None else {}
    requires = data.get("requires")
    return str(data.get("id") or place.name), {id: str(range_) for id, range_ in requires.items() if isinstance(id, str)} if isinstance(
        requires, Mapping
    ) else {}


def held_by(path: Path) -> tuple[str, Mapping[str, str]]:
    """The same of a compiled pack, and with all that it holds. It is looked through when it is loaded, and what is wrong with it is said there."""
    raw = Shelf(path.parent, Findings()).raw(path, Span(path.name, 1, 1, 1), MOST_COMPILED_BYTES)
    try:
        whole = json.loads(raw or b"")
        return str(whole["pack"]["id"]), {
            **{str(one["id"]): "" for one in whole["required"]},
            **{str(one["id"]): str(one["range"]) for one in whole["pack"].get("requires", ())},
        }
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        return path.name.removesuffix(COMPILED), {}


def closure(id: str, direct: Mapping[str, tuple[str, ...]]) -> frozenset[str]:
    todo, seen = [id], set[str]()
    while todo:
        new = set(direct.get(todo.pop(), ())) - seen
        seen |= new
        todo += new
    return frozenset(seen)


def optional_here(optional: Iterable[str], id: str, game: Game) -> list[str]:
    """Of the packs that the pack `id` may use, those that are in the game and do not stand on it."""
    return sorted(other for other in optional if other in game and id not in game[other] and other != id)
