"""A `System` as the pages of a rulebook.

Nothing here knows a noun of any game. A page is made from templates (`templates/book`), one for each kind of thing: the engine's own headings
(procedure, table, hack ...) by name, what packs declare by its nature (actor, entry, number, trait).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from functools import cache
from typing import Any, TypeVar

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from te_forge.compose.order import named
from te_forge.model.system import Bulk, Chapter, Entry, Grid, Prose, System
from te_forge.render.changes import TITLE, blocks, dealt, derived, page_name, statement, with_pages, without_untrue
from te_forge.render.clerk import Clerk
from te_forge.render.data import search_script, terms_scripts
from te_forge.render.elsewhere import elsewhere
from te_forge.render.indexes import Account, Indexes
from te_forge.render.matter import PER_PAGE, alphabet, letter_pages, license_text, own_works, quick_parts
from te_forge.render.order import in_reading_order, pack_of, told_anew
from te_forge.render.page import Book, BuildError, Page
from te_forge.render.places import Places
from te_forge.render.prose import Scribe, encode, with_addresses
from te_forge.render.terms import Glossary, about, as_list, field_text, first_sentence, shortened, stop_between
from te_forge.render.typeset import curled, curled_html, is_english
from te_forge.resources import folder
from te_forge.suggest import heading

T = TypeVar("T")

CONTENTS = 250
"""Chapters on one page of the contents; up to so many stand on the home page."""
NO_SENTENCE = re.compile(r"\s*(?:(?:[-*+]|\d+[.)])\s|[#>|]|```)")
"""Prose that begins with a list, a heading, a quotation, a table or code."""
FOOTER = 600
"""The longest attribution, in letters, that stands below every page."""
BRIEF = 80
"""With more chapters than this the contents say only their titles."""
NOTHING_PLAYED: Mapping[str, Account] = {}


@cache
def environment() -> Environment:
    """The templates of the book's content. A pack's text never gets here as a template, only as a value."""
    return Environment(
        loader=FileSystemLoader(folder("templates") / "book"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )


class Press:
    """Prints one book."""

    def __init__(self, system: System, assets: Collection[str], accounts: Mapping[str, Account]) -> None:
        system, known = without_untrue(*derived(system), accounts)
        system, gone = told_anew(in_reading_order(system))
        english = is_english(system.pack.language)
        self.system = system
        self.curl: Callable[[str], str] = curled if english else as_typed
        self.curl_html: Callable[[str], str] = curled_html if english else as_typed
        self.statement = statement(system, known)
        self.told = dealt(blocks(known.comparison)) if known.comparison is not None and known.comparison.changes else []
        self.places = Places(system, gone)
        self.scribe = Scribe(self.places, Glossary(system), assets)
        self.notes = {
            entry.id: self.curl(about(entry, self.scribe.text(entry.prose[0].words) if entry.prose else "")) for entry in system.entries.values()
        }
        known = with_pages(known, self.told)
        self.indexes = Indexes(
            rulings_by_cite(system), readings_by_ruling(system), self.notes, beside(system, self.scribe), accounts, elsewhere(system, known.on), known
        )

    def page(
        self,
        template: str,
        slug: str,
        title: str,
        group: str = "matter",
        summary: str = "",
        name: str = "",
        part_of: str = "",
        source: str = "",
        **values: Any,
    ) -> Page:
        clerk = Clerk(self.system, self.places, self.scribe, self.indexes, slug)
        html = environment().get_template(template).render(c=clerk, system=self.system, title=title, **values)
        above = ((self.curl(name), f"{part_of}.html"),) if part_of else ()
        crumbs = () if slug == "index" or title == self.system.pack.title else ((self.curl(self.system.pack.title), "index.html"), *above)
        toc = tuple(replace(one, title=self.curl(one.title)) for one in clerk.toc)
        return Page(slug, self.curl(title), Markup(self.curl_html(html)), group, toc, crumbs, self.curl(summary), self.curl(name), part_of, source)

    def chapter(self, chapter: Chapter, group: str = "book") -> list[Page]:
        summary = self.summary(chapter)
        portions = self.places.portions[chapter.id]
        links = [(f"{number} {self.begins(portion)}", slug) for number, (slug, portion) in enumerate(portions, 1)] if len(portions) > 1 else []
        sources = {pack.id: pack.title for pack in self.system.packs[:-1]}
        source = self.curl(sources.get(pack_of(chapter), ""))
        pages = []
        for number, (slug, portion) in enumerate(portions, 1):
            title = chapter.title if number == 1 else f"{chapter.title}, page {number}"
            part_of = portions[0][0] if number > 1 else ""
            pages.append(
                self.page("chapter.html", slug, title, group, summary, chapter.title, part_of, source, chapter=portion, number=number, links=links)
            )
        return pages

    def summary(self, chapter: Chapter) -> str:
        """What the contents say of a chapter: its first sentence, or else the names of the first things in it, or else how it begins."""
        first = next(iter(chapter.items), None)
        if isinstance(first, Prose) and not NO_SENTENCE.match(encode(first.words)[0]):
            return first_sentence(self.scribe.text(first.words))
        if found := self.names(chapter):
            return stop_between(found[:4]).join(found[:4]) + (" …" if len(found) > 4 else ".")
        return shortened(next((text for item in chapter.items if (text := self.said(item))), ""))

    def said(self, item: Prose | Bulk | Grid | str) -> str:
        """The words of a piece of a chapter; of a table, its heads or else its first row."""
        if isinstance(item, Prose):
            return as_list(self.scribe.blocks(item.words))
        rows = [tuple((column,) for column in item.columns), *item.rows] if isinstance(item, Grid) else []
        return next((text for row in rows if (text := ", ".join(said for cell in row if (said := self.scribe.text(cell).strip())))), "")

    def names(self, chapter: Chapter) -> list[str]:
        """The things in a chapter, called as their headings are."""
        ids = [id for item in chapter.items if not isinstance(item, Prose | Grid) for id in ([item] if isinstance(item, str) else item.entries)]
        found = [self.system.entries[id] for id in ids if id in self.system.entries]
        return [heading(entry.name) if entry.kind == "kind" else entry.name for entry in found]

    def begins(self, chapter: Chapter) -> str:
        """The name of the first thing in a portion of a chapter."""
        return next(iter(self.names(chapter)), chapter.title)

    def matter(self) -> list[Page]:
        """The pages that we add behind the chapters."""
        system = self.system
        pages = self.chapter(self.places.appendix, "matter") if self.places.appendix else []
        pages += self.what_changed()
        pages.append(
            self.page(
                "quick-reference.html",
                "quick-reference",
                "Quick Reference",
                summary="The whole game on a page or two.",
                **quick_parts(system, self.indexes.derived.on, self.indexes.derived.base),
            )
        )
        pages += self.rulings()
        terms = alphabet((entry.name, entry) for entry in system.entries.values() if entry.kind != "example" and entry.id in self.places.pages)
        pages += self.lettered("glossary.html", "glossary", "Glossary", "Every term in a sentence.", terms)
        pages += self.lettered("index.html", "alphabetical-index", "Index", "Every name and where it is used.", self.index_names())
        pages.append(
            self.page(
                "license.html",
                "license",
                "License and Attribution",
                summary="Who made this, and what you may do with it.",
                notice=license_text(system, self.statement) if system.pack.license else "",
                works={pack.id: own_works(pack, system) for pack in system.packs},
                statement=self.statement,
            )
        )
        return pages

    def what_changed(self) -> list[Page]:
        """The chapter of a derived game on what is different in it."""
        links = [(str(number), page_name(number - 1)) for number in range(1, len(self.told) + 1)]
        return [
            self.page(
                "what-changed.html", links[number][1], TITLE if number == 0 else f"{TITLE}, page {number + 1}", summary="All that is different from the rules it is built on.",
                name=TITLE, part_of=links[0][1] if number else "", blocks=page, number=number + 1, links=links if len(links) > 1 else [],
            )
            for number, page in enumerate(self.told)
        ]  # fmt: skip

    def rulings(self) -> list[Page]:
        """All rulings at a glance, when they are spread over chapters; a chapter that holds them all is that page already."""
        found = self.system.of_kind("ruling")
        ids = {ruling.id for ruling in found}
        if sum(any(item in ids for item in chapter.items if isinstance(item, str)) for chapter in self.system.chapters) < 2:
            return []
        return self.numbered(
            "rulings.html", "all-rulings", "All Rulings", lambda part: "Open questions of the rules, and how they are read here.", found, PER_PAGE
        )

    def numbered(
        self, template: str, slug: str, title: str, summary: Callable[[Sequence[T]], str], things: Sequence[T], size: int, group: str = "matter"
    ) -> list[Page]:
        """A list of `things`, `size` to a page; `summary` says what a page of it holds."""
        parts = [things[first : first + size] for first in range(0, len(things), size)]
        links = [(f"{n * size + 1}–{n * size + len(part)}", slug if n == 0 else f"{slug}-{n + 1}") for n, part in enumerate(parts)]
        return [
            self.page(
                template, here, title if len(parts) == 1 else f"{title} {label}", group, summary(parts[n]), title, slug if n else "",
                found=parts[n], first=n * size, links=links,
            )
            for n, (label, here) in enumerate(links)
        ]  # fmt: skip

    def index_names(self) -> list[tuple[str, Entry]]:
        found = [entry for entry in self.system.entries.values() if entry.id in self.places.pages]
        return alphabet(
            [*((entry.name, entry) for entry in found), *((name, entry) for entry in found for name in entry.aliases if name != entry.name)]
        )

    def lettered(self, template: str, slug: str, title: str, summary: str, names: list[tuple[str, Entry]]) -> list[Page]:
        """A list of names; a long one goes over several pages."""
        parts = letter_pages(names)
        links = [(label, slug if n == 0 else f"{slug}-{n + 1}") for n, (label, _) in enumerate(parts)]
        return [
            self.page(
                template,
                links[n][1],
                title if len(parts) == 1 else f"{title} {links[n][0]}",
                "matter",
                summary,
                title,
                slug if n else "",
                groups=groups,
                links=links,
            )
            for n, (_, groups) in enumerate(parts)
        ]

    def book(self) -> Book:
        system = self.system
        chapters = [page for chapter in system.chapters for page in self.chapter(chapter)]
        matter = self.matter()
        listed = [page for page in chapters if not page.part_of]
        contents = (
            self.numbered("contents.html", "contents", "Contents", lambda part: f"{part[0].title} … {part[-1].title}", listed, CONTENTS, "contents")
            if len(listed) > CONTENTS
            else []
        )
        home = self.page(
            "home.html", "index", system.pack.title, summary=system.pack.subtitle or "",
            chapters=listed if not contents else [], contents=contents, matter=[page for page in matter if not page.part_of], brief=len(listed) > BRIEF,
        )  # fmt: skip
        data = {
            **{f"js/terms-{number}.js": text for number, text in enumerate(terms_scripts(system, self.places, self.notes))},
            "js/search-data.js": search_script(system, self.places, self.scribe, self.notes, matter),
        }
        if self.places.missing:
            raise BuildError([f"{page}.html: `{id}` is mentioned, but nothing has this id" for id, page in sorted(self.places.missing.items())])
        lost = self.page("lost.html", "404", "Not in This Book", "lost")
        pages = (replace(home, toc=()), *contents, *chapters, *matter, lost)
        return Book(
            self.curl(system.pack.title), system.pack.language, pages, data, self.curl(footer(system)), with_addresses(self.curl(owed(system)))
        )


def make_book(system: System, assets: Collection[str] = (), accounts: Mapping[str, Account] = NOTHING_PLAYED) -> Book:
    """The pages of `system`'s rulebook, in reading order. `assets` are the paths (`assets/map.png`) that its prose may show; `accounts` tell, for
    each step of an example by its id, what happened when it was played.
    """
    return Press(system, assets, accounts).book()


def as_typed(text: str) -> str:
    return text


def rulings_by_cite(system: System) -> dict[str, list[Entry]]:
    found: dict[str, list[Entry]] = {}
    for ruling in system.of_kind("ruling"):
        for cite in ruling.cites:
            found.setdefault(cite, []).append(ruling)
    return found


def beside(system: System, scribe: Scribe) -> dict[str, frozenset[str]]:
    """For each entry, the rulings on the same citation that name other entries of it and not this one: they say little there."""
    citing: dict[str, list[Entry]] = {}
    for entry in system.entries.values():
        if entry.kind not in ("ruling", "reading", "example", "hack"):
            for cite in entry.cites:
                citing.setdefault(cite, []).append(entry)
    out: dict[str, set[str]] = {}
    for ruling in system.of_kind("ruling"):
        said = " ".join([ruling.name, *(scribe.text(prose.words) for prose in ruling.prose), *map(field_text, ruling.fields.values())])
        group = {entry.id: entry for cite in ruling.cites for entry in citing.get(cite, ())}
        named = {
            id
            for id, entry in group.items()
            if any(name in said and re.search(rf"\b{re.escape(name)}\b", said) for name in (entry.name, *entry.aliases))
        }
        for id in group.keys() - named if named else ():
            out.setdefault(id, set()).add(ruling.id)
    return {id: frozenset(found) for id, found in out.items()}


def readings_by_ruling(system: System) -> dict[str, list[Entry]]:
    found: dict[str, list[Entry]] = {}
    for reading in system.of_kind("reading"):
        for id in named(reading, "answers"):
            found.setdefault(id, []).append(reading)
    return found


def footer(system: System) -> str:
    pack = system.pack
    return " · ".join(part for part in (f"{pack.title} {pack.version}", pack.license or "") if part)


def owed(system: System) -> str:
    """The attribution that is owed along the whole chain, for the foot of every page; a long one stands on the license page alone, which every page
    links to.
    """
    notices = dict.fromkeys(work.attribution for pack in system.packs for work in pack.sources if work.attribution)
    text = " ".join(notices)
    return text if len(text) <= FOOTER else ""
