"""Ranges of versions: how one says them, whether several leave a version over, and who in a game wants which."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from pathlib import Path

from te_forge.packs.gathered import requires_of
from te_forge.suggest import listed
from te_forge.whereabouts import find

RANGE_WORDS = {
    ">=": "{} or later",
    "<=": "{} or earlier",
    ">": "later than {}",
    "<": "earlier than {}",
    "==": "exactly {}",
    "!=": "not {}",
    "~=": "{} or later of the same series",
}
MOST_PACKS = 1_000


def in_words(range_: str) -> str:
    """A range of versions as one says it: `>=1.0,<2` is `1.0 or later and earlier than 2`."""
    parts = [re.match(r"\s*([<>=!~]+)\s*(.*?)\s*\Z", part) for part in range_.split(",")]
    said = [RANGE_WORDS[part[1]].format(part[2]) for part in parts if part and part[1] in RANGE_WORDS]
    return " and ".join(said) or range_


def go_together(ranges: Iterable[str]) -> bool:
    """Whether some version is in all of these ranges.

    A version has three numbers, so it is enough to look at those that the ranges name, at the one right above each, and at the first of all: what
    lies between is in a range when its ends are.
    """
    from packaging.specifiers import InvalidSpecifier, SpecifierSet

    try:
        wanted = [SpecifierSet(one) for one in ranges]
    except InvalidSpecifier:
        return True  # that is said elsewhere
    named = [[*(int(part) for part in re.findall(r"\d+", spec.version)), 0, 0][:3] for one in wanted for spec in one]
    near = {(0, 0, 0), *((a, b, c + more) for a, b, c in named for more in (0, 1, 2))}
    return any(all(one.contains(f"{a}.{b}.{c}") for one in wanted) for a, b, c in near)


def wanting(id: str, root: Path) -> Mapping[str, str]:
    """Which packs of the game in the folder `root` require the pack `id`, each with its range."""
    found: dict[str, str] = {}
    seen: set[Path] = set()
    todo = [root]
    while todo and len(seen) < MOST_PACKS:
        place = todo.pop()
        if place in seen:
            continue
        seen.add(place)
        who, requires = requires_of(place)
        if id in requires:
            found[who] = requires[id]
        todo += [there for other in requires if (there := find(other, place)) is not None and there.is_dir()]
    return dict(sorted(found.items()))


def clash(id: str, wanted: Mapping[str, str]) -> str:
    """In words, that no version of the pack `id` is right for all who want it; empty when one is."""
    if len(wanted) < 2 or go_together(wanted.values()):
        return ""
    return f"no version of `{id}` is right for all: {listed([f'`{who}` wants {in_words(range_)}' for who, range_ in wanted.items()])}"
