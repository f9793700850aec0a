"""What stands behind the chapters: lists by letter, the quick reference, the license."""

from __future__ import annotations

import unicodedata
from collections.abc import Collection, Iterable
from typing import Any, TypeVar

from te_forge.compose.mapping import ids_in
from te_forge.compose.mentions import stated
from te_forge.compose.order import SWITCHES, switch_of
from te_forge.foremost import foremost
from te_forge.model.pack import PackInfo, Work
from te_forge.model.system import Bulk, Entry, Field, System
from te_forge.render.terms import in_sentence

T = TypeVar("T")

PER_PAGE = 90
"""Names on one page of the glossary or index."""

QUICK = 60
"""The most numbers, procedures and rows of one sort on the quick reference: it is for the table, not for the shelf."""

Group = tuple[str, list[tuple[str, Entry]]]


def sort_key(name: str) -> tuple[str, str]:
    """By letters, accents and case second, the same on every machine."""
    bare = "".join(letter for letter in unicodedata.normalize("NFKD", name).casefold() if letter.isalnum() or letter == " ").strip()
    article = next((one for one in ARTICLES if bare.startswith(one)), "")
    return bare[len(article) :].strip(), name


ARTICLES = ("a ", "an ", "the ")
"""A title that begins with one of these is looked up under its next word."""


def initial(name: str) -> str:
    first = sort_key(name)[0][:1].upper()
    return first if first.isalpha() else "#"


def alphabet(names: Iterable[tuple[str, Entry]]) -> list[tuple[str, Entry]]:
    return sorted(names, key=lambda pair: (sort_key(pair[0]), pair[1].id))


def letter_pages(names: list[tuple[str, Entry]]) -> list[tuple[str, list[Group]]]:
    """Groups by first letter, dealt out to pages: how each page is called, and its groups. A letter may go on over pages."""
    groups: list[Group] = []
    for name, entry in names:
        letter = initial(name)
        if not groups or groups[-1][0] != letter or len(groups[-1][1]) >= PER_PAGE:
            groups.append((letter, []))
        groups[-1][1].append((name, entry))
    pages: list[list[Group]] = []
    room = 0
    for group in groups:
        if not pages or room < len(group[1]):
            pages.append([])
            room = PER_PAGE
        pages[-1].append(group)
        room -= len(group[1])
    ends = [(page[0][1][0][0], page[-1][1][-1][0]) for page in pages]
    before, after = ["", *(last for _, last in ends)], [*(first for first, _ in ends[1:]), ""]
    return [(from_to(tell(first, before[n]), tell(last, after[n])), page) for n, ((first, last), page) in enumerate(zip(ends, pages, strict=True))]


def tell(name: str, other: str) -> str:
    """The first letter of `name`, or as much of it as tells it from `other`, the neighbour over the page."""
    if initial(name) != initial(other):
        return initial(name)
    name, other = (one[len(one.split(" ")[0]) + 1 :] if one.casefold().startswith(ARTICLES) else one for one in (name, other))
    same = next((n for n, (a, b) in enumerate(zip(name.casefold(), other.casefold(), strict=False)) if a != b), min(len(name), len(other)))
    return name[: same + 1].strip()


def from_to(first: str, last: str) -> str:
    return first if first == last else f"{first}–{last}"


# ---------------------------------------------------------------- quick reference


def quick_parts(system: System, on: Collection[str], base: System | None) -> dict[str, Any]:
    """What goes on the quick reference: numbers by kind, the procedures that people look for with their steps, roll tables, tables of actors. Of
    hacks and readings, the parts of those that are `on`.

    A table that `base`, the rules that this game is built on, rolls on and this game does not, stays in its chapter.
    """
    printed = in_play(system, on)
    idle = rolled(list(base.entries.values())) - rolled(printed) if base is not None else set()
    numbers = [(kind, [entry for entry in printed if entry.kind == kind.name]) for kind in system.kinds.values() if kind.nature == "number"]
    return {
        "numbers": [(kind, found[:QUICK], common_fields(found)) for kind, found in numbers if found],
        "procedures": foremost(system, printed)[:QUICK],
        "tables": fitting([(entry, len(entry.table.rows)) for entry in printed if entry.table and entry.id not in idle]),
        "bulks": fitting(
            [(item, len(item.entries)) for chapter in system.chapters for item in chapter.items if isinstance(item, Bulk) and actors(item, system)]
        ),
    }


def in_play(system: System, on: Collection[str]) -> list[Entry]:
    """All but the parts of hacks and readings that are not `on`."""
    return [entry for entry in system.entries.values() if not (switch := switch_of(entry, system)) or switch in on]


def rolled(entries: Collection[Entry]) -> set[str]:
    """The tables that the rules among `entries` speak of; examples only show what they do."""
    ruling = [entry for entry in entries if entry.kind not in (*SWITCHES, "example")]
    named = {id.partition("#")[0] for entry in ruling for _, _, meaning in stated(entry) for how, id in ids_in(meaning) if how != "kind"}
    return named & {entry.id for entry in entries if entry.table}


def fitting(sized: list[tuple[T, int]]) -> list[T]:
    """As many of these, from the first on, as have `QUICK` rows together; the first one always."""
    kept: list[T] = []
    rows = 0
    for one, size in sized:
        rows += size
        if kept and rows > QUICK:
            break
        kept.append(one)
    return kept


def actors(bulk: Bulk, system: System) -> bool:
    kind = system.kinds.get(bulk.kind)
    return kind is not None and kind.nature == "actor"


def common_fields(entries: list[Entry]) -> list[Field]:
    """The fields that every one of `entries` states in the same words: said once above the list."""
    first = entries[0].fields if len(entries) > 1 else {}
    return [field for key, field in first.items() if all(key in entry.fields and entry.fields[key].words == field.words for entry in entries)]


# ---------------------------------------------------------------- license


USES = {
    "verbatim": "taken word for word",
    "adapted": "adapted, with changes",
    "mechanics-only": "only the mechanics are taken, in other words",
    "original": "the makers' own work",
}
"""What the license page says of how a work is used."""


def license_text(system: System, changes: str = "") -> str:
    """The notice to copy: this book, its license, what it changed, and the attribution owed along the whole chain, word for word."""
    lines = []
    for pack in reversed(system.packs):
        lines.append(pack_line(pack))
        if pack is system.pack and changes:
            lines.append(changes)
        lines += [line for work in pack.sources for line in work_lines(work)]
    return "\n".join(dict.fromkeys(lines))


def pack_line(pack: PackInfo) -> str:
    who = f" by {in_sentence(pack.authors)}" if pack.authors else ""
    terms = f" Licensed under {pack.license}{f' ({pack.license_url})' if pack.license_url else ''}." if pack.license else ""
    return f"{pack.title} {pack.version}{who}.{terms}"


def own_works(pack: PackInfo, system: System) -> list[Work]:
    """The works that a pack draws on itself; those that it only hands on are told of with the pack that they come from."""
    below = {(work.title, work.attribution) for other in system.packs[: system.packs.index(pack)] for work in other.sources}
    return [work for work in pack.sources if (work.title, work.attribution) not in below]


def work_lines(work: Work) -> list[str]:
    who = f" by {in_sentence(work.authors)}" if work.authors else ""
    terms = f" License: {work.license}{f' ({work.license_url})' if work.license_url else ''}." if work.license else ""
    notice = work.attribution or f"Draws on {work.title}{who}.{terms}"
    use = [f"{work.title}: {USES[work.relation]}."] if work.relation else []
    return [notice, *use, *([f"Changes: {work.changes}"] if work.changes else [])]
