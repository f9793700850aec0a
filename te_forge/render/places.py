"""Where everything stands in the book: file names of pages, anchors of entries, and links between them.

A link is made from an id alone, so it cannot point to the wrong namesake. What an id names must have exactly one place; an id without one is
remembered in `missing` and fails the build.
"""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping

from te_forge.model.system import Bulk, Chapter, Entry, Line, Prose, System
from te_forge.render.portions import portions

DEVICES = {"con", "prn", "aux", "nul", *(f"{port}{n}" for port in ("com", "lpt") for n in range(1, 10))}
OWN_PAGES = {
    "index", "contents", "quick-reference", "glossary", "alphabetical-index", "all-rulings", "what-changed", "license", "appendix",
    "404", "search", "terms", "css", "js", "assets",
}  # fmt: skip


NOTHING_GONE: Mapping[str, str] = {}


def slug(text: str) -> str:
    """Letters of any script, digits and hyphens: fit for an anchor."""
    plain = unicodedata.normalize("NFC", text).casefold().replace("'", "").replace("’", "")
    return re.sub(r"[\W_]+", "-", plain).strip("-")[:80].strip("-") or "x" + digest(text)


def file_slug(text: str) -> str:
    """A file name that every system and every zip program takes: ASCII, at most 60 letters, no device name."""
    plain = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode().casefold()
    name = re.sub(r"[^a-z0-9]+", "-", plain.replace("'", "")).strip("-")[:60].strip("-")
    lost = sum(letter.isalnum() and not letter.isascii() for letter in unicodedata.normalize("NFKD", text))
    if not name or lost > len(name):
        return "chapter-" + digest(text)
    return f"chapter-{name}" if name in DEVICES else name


def digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8")).hexdigest()[:8]


def unique(name: str, taken: dict[str, int]) -> str:
    """`name`, or `name-2`, `name-3` ... when it is taken. `taken` knows how far each name was counted, so that nobody counts up to 1000 a thousand
    times.
    """
    found, number = name, taken.get(name, 1)
    while found in taken:
        number += 1
        found = f"{name}-{number}"
    taken[found] = 1
    taken[name] = number
    return found


class Places:
    """The address of each entry (and of what lies inside it) in the book of `system`. `gone`: chapters in whose place another one stands."""

    def __init__(self, system: System, gone: Mapping[str, str] = NOTHING_GONE) -> None:
        self.system = system
        self.missing: dict[str, str] = {}
        taken = dict.fromkeys(OWN_PAGES, 1)
        self.chapters: dict[str, str] = {chapter.id: unique(file_slug(address(chapter)), taken) for chapter in system.chapters}
        self.appendix = self.homeless()
        if self.appendix:
            self.chapters[self.appendix.id] = "appendix"
        self.chapters |= {old: self.chapters[new] for old, new in gone.items()}
        self.portions: dict[str, list[tuple[str, Chapter]]] = {}
        """By chapter, its pages: the name of each, and what stands there."""
        self.pages: dict[str, str] = {}
        for chapter in (*system.chapters, *([self.appendix] if self.appendix else [])):
            self.deal(chapter, taken)
        self.anchors = self.name_anchors()
        self.inner = {f"{entry.id}#{path}" for entry in system.entries.values() for path in inner_paths(entry)}

    def deal(self, chapter: Chapter, taken: dict[str, int]) -> None:
        first = self.chapters[chapter.id]
        for number, portion in enumerate(portions(chapter, self.system), 1):
            page = first if number == 1 else unique(f"{first}-{number}", taken)
            self.portions.setdefault(chapter.id, []).append((page, portion))
            for id in chapter_ids(portion, self.system):
                self.pages.setdefault(id, page)

    def homeless(self) -> Chapter | None:
        """A chapter of what stands in none."""
        placed = {id for chapter in self.system.chapters for id in chapter_ids(chapter, self.system)}
        found = [entry for entry in self.system.entries.values() if entry.id not in placed and not self.housed(entry)]
        if not found:
            return None
        said = Prose(("These stand in no chapter of the book.",), found[0].span)
        return Chapter(f"{self.system.pack.id}:appendix", "Appendix", (), (said, *(entry.id for entry in found)), found[0].span)

    def housed(self, entry: Entry) -> bool:
        """Whether the entry is printed with its owner."""
        owner = self.system.entries.get(entry.owner or "")
        return owner is not None and entry.id in owner.parts

    def name_anchors(self) -> dict[str, str]:
        taken: dict[str, int] = {}
        return {entry.id: unique(f"e-{slug(entry.kind)}-{slug(entry.slug)}".replace("--", "-"), taken) for entry in self.system.entries.values()}

    def anchor(self, id: str) -> str:
        """The anchor of an entry, or of a line, step or row in it."""
        whole, _, part = id.partition("#")
        base = self.anchors[whole]
        return f"{base}--{'--'.join(slug(bit) for bit in part.split('/'))}" if part else base

    def href(self, id: str, here: str = "") -> str | None:
        """The link from page `here` to `id`; None (and noted as missing) when there is no such thing."""
        if id in self.chapters:
            return f"{self.chapters[id]}.html"
        whole, _, part = id.partition("#")
        page = self.pages.get(whole)
        if page is None:
            self.missing.setdefault(id, here)
            return None
        # An outcome, an option or a role has no line of its own: its entry is the right place.
        anchor = self.anchor(id if part and id in self.inner else whole)
        return f"#{anchor}" if page == here else f"{page}.html#{anchor}"


def address(chapter: Chapter) -> str:
    """What the address of a chapter is made from. Where a game has renamed something in its title, that is the title that it had, so that links from
    elsewhere still lead there.
    """
    kept = chapter.id.rpartition("/")[2]
    return chapter.title if not kept or slug(chapter.title) == kept else kept


def chapter_ids(chapter: Chapter, system: System) -> Iterator[str]:
    """Every entry printed in `chapter`, with its parts."""
    for item in chapter.items:
        if isinstance(item, str):
            yield from with_parts(item, system)
        elif isinstance(item, Bulk):
            for id in item.entries:
                yield from with_parts(id, system)


def with_parts(id: str, system: System) -> Iterator[str]:
    entry = system.entries.get(id)
    if entry is None:
        return
    yield id
    for part in entry.parts:
        if part != id:
            yield from with_parts(part, system)


def inner_paths(entry: Entry) -> Iterator[str]:
    """The paths inside an entry that have a place of their own on the page: steps, lines, rows of its table."""
    yield from line_paths(entry.lines)
    for step in entry.steps:
        yield inner(step.id)
        yield from line_paths(step.lines)
    if entry.table:
        yield from (inner(row.id) for row in entry.table.rows)


def line_paths(lines: Iterable[Line]) -> Iterator[str]:
    for line in lines:
        if line.label:
            yield inner(line.id)
        yield from line_paths(line.lines)


def inner(id: str) -> str:
    """The path inside the entry: `step/label` of `pack:kind/slug#step/label`."""
    return id.rpartition("#")[2]
