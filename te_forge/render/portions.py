"""A long chapter goes over several pages, each light enough for a phone.

Links need to know the page of a thing before any page is made, so the weight of a page is reckoned from the words on it, not measured. A definition
stays whole, and a reading stays with its ruling.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace

from te_forge.model.system import Bulk, Chapter, Entry, Grid, Line, Prose, Ref, RollTable, Shown, System, Words

LIGHT = 23_600
"""About how many bytes of text and tags a page of a long chapter has; one page may have a fifth more. With its frame, style and scripts it stays
below 60 KB.
"""

TAGS, LINK = 50, 70
"""What a line, a field or a cell, and what a link costs besides its words."""

GAP = re.compile(r"\n[ \t]*\n+(?=[^\W\d_]|\Z)")
FENCE = "```"

Item = Prose | Bulk | Grid | str


def portions(chapter: Chapter, system: System) -> list[Chapter]:
    """The chapter as it is dealt out to pages, each about as heavy as the others."""
    groups = grouped([part for item in chapter.items for part in cut(item, system)], system)
    weights = [sum(weight(item, system) for item in group) for group in groups]
    total = sum(weights)
    if total <= LIGHT * 6 // 5:
        return [chapter]
    count = -(-total // LIGHT)
    pages: list[list[Item]] = [[]]
    sofar = 0
    for group, heavy in zip(groups, weights, strict=True):
        # A new page begins where more than half of what comes next would lie beyond the end of this one.
        if pages[-1] and sofar + heavy / 2 > total * len(pages) / count:
            pages.append([])
        pages[-1] += group
        sofar += heavy
    return [replace(chapter, items=tuple(items)) for items in pages]


def grouped(items: Iterable[Item], system: System) -> list[list[Item]]:
    """What stays together: a reading and the ruling before it."""
    groups: list[list[Item]] = []
    for item in items:
        entry = system.entries.get(item) if isinstance(item, str) else None
        if groups and entry is not None and entry.kind == "reading":
            groups[-1].append(item)
        else:
            groups.append([item])
    return groups


def cut(item: Item, system: System) -> list[Item]:
    """A long table or a long text as several."""
    heavy = weight(item, system)
    count = -(-heavy // LIGHT)
    if count < 2 or isinstance(item, str):
        return [item]
    if isinstance(item, Prose):
        return [replace(item, words=words) for words in stretches(item.words)]
    rows: list[Item] = []
    length = len(item.entries if isinstance(item, Bulk) else item.rows)
    size = -(-length // count)
    for first in range(0, length, size):
        rows.append(
            replace(item, entries=item.entries[first : first + size])
            if isinstance(item, Bulk)
            else replace(item, rows=item.rows[first : first + size])
        )
    return rows


def stretches(words: Words) -> list[Words]:
    """A long text as stretches of whole paragraphs, each about a quarter of a page."""
    out: list[Words] = [()]
    for paragraph in paragraphs(words):
        if words_weight(out[-1]) > LIGHT // 4:
            out.append(())
        out[-1] += paragraph
    return out


def paragraphs(words: Words) -> list[Words]:
    """A text cut where a paragraph follows that begins with a letter or a link at the edge: never inside a list, a table or a block of code."""
    out: list[list[str | Ref | Shown]] = [[]]
    fences = 0
    for part in words:
        if not isinstance(part, str):
            out[-1].append(part)
            continue
        at = 0
        for gap in GAP.finditer(part):
            if (fences + part.count(FENCE, 0, gap.start())) % 2 == 0:
                out[-1].append(part[at : gap.end()])
                out.append([])
                at = gap.end()
        fences += part.count(FENCE)
        if part[at:]:
            out[-1].append(part[at:])
    return [tuple(paragraph) for paragraph in out if paragraph]


# ---------------------------------------------------------------- what it weighs


def weight(item: Item, system: System) -> int:
    match item:
        case str(id):
            return entry_weight(system.entries[id], system) if id in system.entries else 0
        case Prose(words):
            return words_weight(words)
        case Grid(_, rows):
            return sum(words_weight(cell) + TAGS // 3 for row in rows for cell in row)
        case Bulk(kind, _, entries):
            nature = system.kinds[kind].nature if kind in system.kinds else ""
            times = 2 if nature == "actor" else 1
            return times * sum(entry_weight(system.entries[id], system) for id in entries if id in system.entries)


def words_weight(words: Words) -> int:
    return sum(len(part) * 6 // 5 if isinstance(part, str) else len(part.text) + LINK for part in words)


def line_weight(line: Line) -> int:
    return TAGS + len(line.id) + words_weight(line.words) + sum(map(line_weight, line.lines))


def table_weight(table: RollTable) -> int:
    return sum(2 * TAGS + sum(TAGS // 3 + words_weight(cell.words) for cell in row.cells.values()) for row in table.rows)


def entry_weight(entry: Entry, system: System) -> int:
    own = 250 + 2 * len(entry.id) + sum(words_weight(prose.words) for prose in entry.prose)
    own += sum(TAGS + words_weight(field.words) for field in entry.fields.values())
    own += sum(map(line_weight, entry.lines)) + (table_weight(entry.table) if entry.table else 0)
    own += sum(2 * TAGS + words_weight(step.prose) + sum(map(line_weight, step.lines)) for step in entry.steps)
    own += sum(TAGS + len(slot.name) + len(slot.text) for slot in entry.slots.values())
    for patch in entry.patches:
        own += (
            2 * TAGS
            + LINK
            + sum(map(line_weight, patch.lines))
            + sum(map(table_weight, patch.tables))
            + sum(words_weight(prose.words) for prose in patch.prose)
        )
    own += LINK * (len(entry.cites) + min(len(system.users.get(entry.id, ())), 40))
    return own + sum(entry_weight(system.entries[part], system) for part in entry.parts if part in system.entries and part != entry.id)
