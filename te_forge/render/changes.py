"""What a derived game says of itself: what it is built on, what is on, and the chapter on what is different."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from te_forge.compare import Change, Comparison, compare, game, origin, printable
from te_forge.keys import slug as key_of
from te_forge.model.pack import PackInfo
from te_forge.model.system import Entry, System, plain
from te_forge.render.portions import LIGHT, LINK, TAGS

PAGE = "what-changed"
TITLE = "What Changed"
TOGETHER = 40
"""So many new things of one kind are named in one paragraph."""


@dataclass(frozen=True)
class Derived:
    """What a book knows of where its game comes from. `by_entry`: what is different in each thing; `places`: labels of what is different in it."""

    on: tuple[str, ...] = ()
    bases: tuple[PackInfo, ...] = ()
    comparison: Comparison | None = None
    base: System | None = None
    """The rules that it is built on, as they are played."""
    by_entry: Mapping[str, tuple[Change, ...]] = field(default_factory=dict)
    places: Mapping[str, frozenset[str]] = field(default_factory=dict)
    pages: Mapping[str, str] = field(default_factory=dict)
    """By the id of a changed thing, the page of the chapter that tells of it."""
    left_out: int = 0
    """How many inherited examples come out otherwise here, and are not printed."""


def derived(system: System) -> tuple[System, Derived]:
    """The game as its book prints it, and what it has changed in what it is built on."""
    before = origin(system)
    if before is None:
        return system, Derived()
    after = game(system)
    found = compare(before, after)
    by_entry: dict[str, list[Change]] = {}
    for one in found.changes:
        if (one.part not in ("switch", "chapter") and not one.optional and one.verb != "removed") or one.part not in ("entry", "switch", "chapter"):
            by_entry.setdefault(one.id, []).append(one)
    known = {id: tuple(ones) for id, ones in by_entry.items()}
    places = {id: frozenset("/".join(map(key_of, one.path)) for one in ones if one.path) for id, ones in known.items()}
    return printable(system, after.on), Derived(after.on, system.packs[:-1], found, before.played, known, places)


def without_untrue(system: System, known: Derived, accounts: Collection[str]) -> tuple[System, Derived]:
    """The game without inherited examples that come out otherwise here: they would show rules that do not hold. `accounts` are the examples that come
    out.
    """
    if not known.bases or not accounts:
        return system, known
    untrue = {
        entry.id
        for entry in system.of_kind("example")
        if entry.pack != system.pack.id and entry.id not in accounts and not system.users.get(entry.id)
    }
    chapters = tuple(replace(chapter, items=tuple(item for item in chapter.items if item not in untrue)) for chapter in system.chapters)
    kept = {id: entry for id, entry in system.entries.items() if id not in untrue}
    return replace(system, entries=kept, chapters=chapters), replace(known, left_out=len(untrue))


# ---------------------------------------------------------------- the chapter


@dataclass(frozen=True)
class Block:
    """A paragraph of the chapter. `section` is the heading that it stands under; the template prints each sort of block in its way."""

    section: str
    sort: str
    changes: tuple[Change, ...]
    weight: int


def blocks(found: Comparison) -> list[Block]:
    """All that is different, in the order in which it is told: what is gone, called otherwise, new, and inside of things."""
    kept = [one for one in found.changes if not one.optional]
    gone = [one for one in kept if one.verb == "removed" and one.part in ("entry", "chapter")]
    renamed = [one for one in kept if one.verb == "renamed" and one.part in ("entry", "chapter")]
    new = [one for one in kept if one.verb == "added" and one.part in ("entry", "chapter")]
    anew = [one for one in kept if one.verb == "changed" and one.part == "chapter"]
    within = [one for one in kept if one.part not in ("entry", "switch", "chapter")]
    return [
        *(Block("Gone", "gone", (one,), 3 * TAGS) for one in gone),
        *(Block("Renamed", "renamed", (one,), 3 * TAGS) for one in renamed),
        *(Block("New", "new", ones, sum(LINK + len(one.name) for one in ones)) for ones in by_kind(new)),
        *(Block("Changed", "anew", ones, sum(LINK + len(one.name) for one in ones)) for ones in by_kind(anew)),
        *(Block("Changed", "changed", ones, 2 * TAGS + sum(map(weight, ones))) for ones in by_thing(within)),
    ]


def by_kind(new: Sequence[Change]) -> Iterable[tuple[Change, ...]]:
    kinds: dict[str, list[Change]] = {}
    for one in new:
        kinds.setdefault(one.kind, []).append(one)
    for ones in kinds.values():
        for first in range(0, len(ones), TOGETHER):
            yield tuple(ones[first : first + TOGETHER])


def by_thing(within: Sequence[Change]) -> Iterable[tuple[Change, ...]]:
    things: dict[str, list[Change]] = {}
    for one in within:
        things.setdefault(one.id, []).append(one)
    return map(tuple, things.values())


def weight(one: Change) -> int:
    words = [side.words for side in (one.before, one.after) if side is not None]
    return 3 * TAGS + LINK + sum(len(plain(each)) + LINK * len(each) for each in words)


def dealt(all_: Sequence[Block]) -> list[list[Block]]:
    """The blocks on pages that are each light enough for a phone."""
    pages: list[list[Block]] = [[]]
    room = LIGHT
    for one in all_:
        if pages[-1] and room < one.weight:
            pages.append([])
            room = LIGHT
        pages[-1].append(one)
        room -= one.weight
    return pages


def with_pages(known: Derived, pages: Sequence[Sequence[Block]]) -> Derived:
    found = {
        change.id: page_name(number)
        for number, page in enumerate(pages)
        for block in page
        if block.sort not in ("new", "anew")
        for change in block.changes
    }
    return replace(known, pages=found)


def statement(system: System, known: Derived) -> str:
    """What a license asks for that wants changes told: from what this game was made, and how much is different in it."""
    if not known.bases or known.comparison is None:
        return ""
    titles = [f"{pack.title} {pack.version}" for pack in reversed(known.bases)]
    named = " and ".join([", ".join(titles[:-1]), titles[-1]] if len(titles) > 1 else titles)
    return f"Changes: {system.pack.title} is built on {named}. {how_much(played(known.comparison))}"


def how_much(found: Comparison) -> str:
    """`3 things are new in it, 1 is gone and 2 are changed.`"""
    sums = [(len(found.of("added")), "new"), (len(found.of("removed")), "gone"), (len(found.of("renamed")), "renamed")]
    sums = [(number, word) for number, word in [*sums, (len({one.id for one in found.within}), "changed")] if number]
    if not sums:
        return "No rule of it is different."
    said = [f"{number} {'is' if number == 1 else 'are'} {word}" for number, word in sums]
    said[0] = said[0].replace(" ", " thing " if sums[0][0] == 1 else " things ", 1)
    return f"Against that, {' and '.join([', '.join(said[:-1]), said[-1]] if len(said) > 1 else said)}. The chapter {TITLE} lists all of it."


def played(found: Comparison) -> Comparison:
    """Without what is off in both games."""
    return Comparison(tuple(one for one in found.changes if not one.optional))


def page_name(number: int) -> str:
    return PAGE if number == 0 else f"{PAGE}-{number + 1}"


def made_by(known: Derived, hack: Entry) -> list[str]:
    """The ids of what a hack has changed, in the order of the chapter."""
    found = known.comparison.changes if known.comparison is not None else ()
    return list(
        dict.fromkeys(
            one.id
            for one in found
            if hack.id in one.by and one.part != "switch" and one.verb != "removed" and not (one.part == "entry" and one.verb == "added")
        )
    )
