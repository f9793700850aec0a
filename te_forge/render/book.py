"""A `System` as the pages of a rulebook.

Nothing here knows a noun of any game. A page is made from templates (`templates/book`), one for each kind of thing: the engine's own headings
(procedure, table, hack ...) by name, what packs declare by its nature (actor, entry, number, trait).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import replace
from functools import cache
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from te_forge.model.rules import Thing
from te_forge.model.system import Chapter, Entry, Prose, System
from te_forge.render.clerk import Clerk, Indexes
from te_forge.render.data import search_script, terms_script
from te_forge.render.matter import alphabet, letter_pages, license_text, quick_parts
from te_forge.render.page import Book, BuildError, Page
from te_forge.render.places import Places
from te_forge.render.prose import Scribe
from te_forge.render.terms import Glossary, about, first_sentence
from te_forge.resources import folder


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

    def __init__(self, system: System, assets: Collection[str]) -> None:
        self.system = system
        self.places = Places(system)
        self.scribe = Scribe(self.places, Glossary(system), assets)
        self.notes = {
            entry.id: about(entry, self.scribe.text(entry.prose[0].words) if entry.prose else "") for entry in system.entries.values()
        }
        self.indexes = Indexes(rulings_by_cite(system), readings_by_ruling(system), self.notes, frozenset(system.pack.hacks))

    def page(self, template: str, slug: str, title: str, group: str = "matter", summary: str = "", **values: Any) -> Page:
        clerk = Clerk(self.system, self.places, self.scribe, self.indexes, slug)
        html = environment().get_template(template).render(c=clerk, system=self.system, title=title, **values)
        crumbs = () if slug == "index" else ((self.system.pack.title, "index.html"),)
        return Page(slug, title, Markup(html), group, tuple(clerk.toc), crumbs, summary)

    def chapter(self, chapter: Chapter) -> Page:
        first = next((item for item in chapter.items if isinstance(item, Prose)), None)
        summary = first_sentence(self.scribe.text(first.words)) if first else ""
        return self.page("chapter.html", self.places.chapters[chapter.id], chapter.title, "book", summary, chapter=chapter)

    def matter(self) -> list[Page]:
        """The pages that we add behind the chapters."""
        system = self.system
        pages = []
        if self.places.homeless:
            pages.append(self.page("appendix.html", "appendix", "Appendix", summary="What stands in no chapter.", ids=self.places.homeless))
        pages.append(self.page("quick-reference.html", "quick-reference", "Quick Reference", summary="The whole game on a page or two.", **quick_parts(system)))
        if system.of_kind("ruling"):
            pages.append(self.page("rulings.html", "open-questions", "Rulings", summary="Open questions of the rules, and how they are read here.", rulings=system.of_kind("ruling")))
        terms = alphabet((entry.name, entry) for entry in system.entries.values() if entry.kind != "example" and entry.id in self.places.pages)
        pages += self.lettered("glossary.html", "glossary", "Glossary", "Every term in a sentence.", terms)
        pages += self.lettered("index.html", "alphabetical-index", "Index", "Every name and where it is used.", self.index_names())
        pages.append(self.page("license.html", "license", "License and Attribution", summary="Who made this, and what you may do with it.", notice=license_text(system)))
        return pages

    def index_names(self) -> list[tuple[str, Entry]]:
        found = [entry for entry in self.system.entries.values() if entry.id in self.places.pages]
        return alphabet([*((entry.name, entry) for entry in found), *((name, entry) for entry in found for name in entry.aliases if name != entry.name)])

    def lettered(self, template: str, slug: str, title: str, summary: str, names: list[tuple[str, Entry]]) -> list[Page]:
        """A list of names; a long one goes over several pages."""
        parts = letter_pages(names)
        links = [(f"{first}–{last}" if first != last else first, slug if n == 0 else f"{slug}-{n + 1}") for n, (first, last, _) in enumerate(parts)]
        return [
            self.page(template, links[n][1], title if len(parts) == 1 else f"{title} {links[n][0]}", summary=summary, groups=groups, links=links)
            for n, (_, _, groups) in enumerate(parts)
        ]

    def book(self) -> Book:
        system = self.system
        chapters = [self.chapter(chapter) for chapter in system.chapters]
        matter = self.matter()
        home = self.page("home.html", "index", system.pack.title, summary=system.pack.subtitle or "", chapters=chapters, matter=matter)
        data = {
            "js/terms.js": terms_script(system, self.places, self.notes),
            "js/search-data.js": search_script(system, self.places, self.scribe, self.notes, matter),
        }
        if self.places.missing:
            raise BuildError([f"{page}.html: `{id}` is mentioned, but nothing has this id" for id, page in sorted(self.places.missing.items())])
        return Book(system.pack.title, system.pack.language, (replace(home, toc=()), *chapters, *matter), data, footer(system))


def make_book(system: System, assets: Collection[str] = ()) -> Book:
    """The pages of `system`'s rulebook, in reading order. `assets` are the paths (`assets/map.png`) that its prose may show."""
    return Press(system, assets).book()


def rulings_by_cite(system: System) -> dict[str, list[Entry]]:
    found: dict[str, list[Entry]] = {}
    for ruling in system.of_kind("ruling"):
        for cite in ruling.cites:
            found.setdefault(cite, []).append(ruling)
    return found


def readings_by_ruling(system: System) -> dict[str, list[Entry]]:
    found: dict[str, list[Entry]] = {}
    for reading in system.of_kind("reading"):
        for id in answered(reading):
            found.setdefault(id, []).append(reading)
    return found


def answered(reading: Entry) -> Iterable[str]:
    field = reading.fields.get("answers") or reading.fields.get("Answers")
    return [atom.id for atom in field.value if isinstance(atom, Thing)] if field else []


def footer(system: System) -> str:
    pack = system.pack
    return " · ".join(part for part in (f"{pack.title} {pack.version}", pack.license or "") if part)


__all__ = ["make_book"]
