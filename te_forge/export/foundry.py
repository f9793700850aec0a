"""A game as a module for Foundry Virtual Tabletop: a compendium of tables that roll, and one of journals with a page for each thing.

The module needs no particular system and has no line of script. Its compendia are databases as Foundry keeps them (`te_forge.export.leveldb`), so it
can be used as it is.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any

from markupsafe import Markup

from te_forge.export.exporter import SORTS, Exporter, Extent, Fate, NotExported, Option, Sink, Verdict, sort_of
from te_forge.export.foundry_check import checked, read_back
from te_forge.export.ids import hashed
from te_forge.export.leveldb import files
from te_forge.export.pages import Pages
from te_forge.model.system import Chapter, Entry, Faces, Prose, RollTable, Row, System
from te_forge.render.matter import license_text

RULES, TABLES = "rules", "tables"
MODULE_ID = re.compile(r"[a-z0-9](?:[a-z0-9]|-(?!-)){0,58}[a-z0-9]")
DEVICES = re.compile(r"(?:con|prn|aux|nul|com\d|lpt\d)\Z")
CORE = re.compile(r"1[3-9]|[2-9]\d")
OLDEST = "13"
DIE = re.compile(r"(\d*)d(\d+)")
DIGITS = {"d66": "10 * 1d6 + 1d6", "d88": "10 * 1d8 + 1d8"}
"""Two dice that are read as the digits of a number."""
RUN = re.compile(r"\[(?=\[)|@(?=\w+\[)")
"""Where text begins that Foundry takes for a roll or a link."""
JOINER = "\u2060"
"""A letter that has no width: it keeps two signs from meaning something together."""
NO_ACTOR = "Foundry gets a page to read, and no actor with a sheet, since sheets belong to a system"
NO_CARDS = "Foundry gets a page to read, and no deck of cards"
NO_PICTURE = "a picture of it is left out: its name is none that every system takes, or there are too many"
NO_ROLL = "Foundry gets a page to read: this die is none that it rolls"


def dull(text: str) -> str:
    """Text in which Foundry finds nothing to run."""
    return RUN.sub(lambda found: found[0] + JOINER, text)


class Module:
    """All documents of the module, by the keys that Foundry stores them under."""

    def __init__(self, system: System, id: str, picture: Callable[[str], bool]) -> None:
        self.system, self.id = system, id
        self.journals = list(journals(system))
        self.homes = {entry: journal for journal, _, entries in self.journals for entry in entries}
        self.chapters = {chapter.id for chapter in system.chapters}
        self.pages = Pages(system, self.link, dull, lambda path: f"modules/{id}/{path}" if picture(path) else "")
        self.without_picture: set[str] = set()
        self.rules: list[tuple[str, dict[str, Any]]] = []
        self.tables: list[tuple[str, dict[str, Any]]] = []

    # ------------------------------------------------------------ ids and links

    def link(self, id: str, text: str) -> Markup | None:
        whole = id.partition("#")[0]
        if whole in self.chapters:
            place = f"JournalEntry.{hashed(whole)}"
        elif whole in self.homes:
            place = f"JournalEntry.{hashed(self.homes[whole])}.JournalEntryPage.{hashed(whole)}"
        else:
            return None
        return Markup("@UUID[Compendium.{}.{}.{}]{{{}}}").format(self.id, RULES, place, re.sub(r"[{}]", "", dull(text)))

    def flags(self, id: str) -> dict[str, Any]:
        return {self.id: {"te_id": id}}

    # ------------------------------------------------------------ documents

    def make(self) -> Module:
        for number, (id, title, entries) in enumerate(self.journals):
            self.journal(id, title, number, entries)
        self.license(len(self.journals))
        for number, entry in enumerate(entry for entry in self.system.entries.values() if entry.table is not None and formula(entry.table)):
            self.table(entry, number)
        return self

    def journal(self, id: str, title: str, number: int, entries: list[str]) -> None:
        chapter = next((one for one in self.system.chapters if one.id == id), None)
        intro = self.with_pictures(id, partial(self.intro, chapter)) if chapter is not None else Markup("")
        pages = [(f"{id} intro", title, intro, id)] if intro or not entries else []
        pages += [
            (entry, self.system.entries[entry].name, self.with_pictures(entry, partial(self.entry, self.system.entries[entry])), entry)
            for entry in entries
        ]
        self.write_journal(id, title, number, pages)

    def with_pictures(self, id: str, make: Callable[[], Markup]) -> Markup:
        """A page; it is noted down when a picture of it is left out."""
        before = self.pages.scribe.pictures
        html = make()
        if self.pages.scribe.pictures > before:
            self.without_picture.add(id)
        return html

    def write_journal(self, id: str, title: str, number: int, pages: Iterable[tuple[str, str, Markup, str]]) -> None:
        journal = hashed(id)
        made = [self.page(journal, *page, sort) for sort, page in enumerate(pages, 1)]
        self.rules.append(
            (
                f"!journal!{journal}",
                {"_id": journal, "name": title, "pages": made, "categories": [], "folder": None, "sort": 1000 * number, "flags": self.flags(id)},
            )
        )

    def page(self, journal: str, id: str, title: str, html: Markup, of: str, sort: int) -> str:
        page = hashed(id)
        text = {"format": 1, "content": str(html)}
        found = {
            "_id": page,
            "name": title,
            "type": "text",
            "title": {"show": True, "level": 1},
            "text": text,
            "sort": 1000 * sort,
            "ownership": {"default": -1},
            "flags": self.flags(of),
        }
        self.rules.append((f"!journal.pages!{journal}.{page}", found))
        return page

    def intro(self, chapter: Chapter) -> Markup:
        """What a chapter says besides its things, which have pages of their own."""
        parts = []
        for item in chapter.items:
            if not isinstance(item, str):
                parts.append(self.pages.item(item))
            elif (entry := self.system.entries.get(item)) is not None and (link := self.link(item, entry.name)):
                parts.append(Markup("<p>{}</p>").format(link))
        return Markup("\n").join(parts)

    def entry(self, entry: Entry) -> Markup:
        html = self.pages.entry(entry)
        if entry.table is not None and formula(entry.table):
            html += Markup("\n<p>@UUID[Compendium.{}.{}.RollTable.{}]{{{}}}</p>").format(
                self.id, TABLES, hashed(entry.id), re.sub(r"[{}]", "", dull(entry.name))
            )
        return html

    def license(self, number: int) -> None:
        html = Markup("\n").join(Markup("<p>{}</p>").format(dull(line)) for line in license_text(self.system).splitlines())
        id = f"{self.system.pack.id}:license"
        self.write_journal(id, "License and Attribution", number, [(f"{id} page", "License and Attribution", html, id)])

    def table(self, entry: Entry, number: int) -> None:
        assert entry.table is not None
        id = hashed(entry.id)
        results = [self.result(id, entry, row, faces) for row in entry.table.rows for faces in row.faces]
        about = Markup("\n").join(self.pages.scribe.html(prose.words, entry.id) for prose in entry.prose if isinstance(prose, Prose))
        self.tables.append((f"!tables!{id}", {
            "_id": id, "name": entry.name, "img": "icons/svg/d20-grey.svg", "description": str(about), "results": results, "formula": formula(entry.table), "replacement": True, "displayRoll": True,
            "folder": None, "sort": 1000 * number, "flags": self.flags(entry.id),
        }))  # fmt: skip

    def result(self, table: str, entry: Entry, row: Row, faces: Faces) -> str:
        """A result has one range, so a row that begins anew is several of them."""
        assert entry.table is not None
        low, high = faces.low, faces.high
        id = hashed(f"{entry.id}#row {row.id}{'' if low == row.low else f' {low}'}")
        cells = [self.pages.cell(row.cells.get(column), entry.id) for column in entry.table.columns[1:] if column in row.cells]
        said = Markup("<br>").join(cell for cell in cells if cell)
        found = {
            "_id": id,
            "type": "text",
            "name": row.name,
            "img": None,
            "description": str(said),
            "weight": high - low + 1,
            "range": [low, high],
            "drawn": False,
            "documentUuid": None,
            "flags": self.flags(f"{entry.id}#{row.id}"),
        }
        self.tables.append((f"!tables.results!{table}.{id}", found))
        return id


def journals(system: System) -> Iterator[tuple[str, str, list[str]]]:
    """Id, title and entries of each journal: the chapters, and what stands in none."""
    placed: set[str] = set()
    for chapter in system.chapters:
        found = [id for item in chapter.items if not isinstance(item, Prose) for id in entries_of(item, system)]
        mine = [id for id in dict.fromkeys(found) if id not in placed]
        placed.update(mine)
        yield chapter.id, chapter.title, mine
    if rest := [id for id in system.entries if id not in placed]:
        yield f"{system.pack.id}:appendix", "Appendix", rest


def entries_of(item: object, system: System) -> Iterator[str]:
    """What a part of a chapter defines, with all parts of that."""
    ids = [item] if isinstance(item, str) else list(getattr(item, "entries", ()))
    for id in ids:
        if id in system.entries:
            yield id
            yield from (one for part in system.entries[id].parts if part != id for one in entries_of(part, system))


def formula(table: RollTable) -> str:
    """The die as Foundry writes it; nothing for a table that is not rolled, or by a die that Foundry does not know."""
    die = DIE.fullmatch(table.die)
    return DIGITS.get(table.die) or (f"{die[1] or 1}d{die[2]}" if die else "")


# ---------------------------------------------------------------- module.json


def manifest(system: System, id: str, core: str) -> dict[str, Any]:
    pack = system.pack
    flags = {"te_id": pack.id, "attribution": license_text(system).splitlines()}
    return {
        "id": id,
        "title": pack.title,
        "description": pack.subtitle or f"The rules of {pack.title}, and its tables.",
        "version": pack.version,
        **({"authors": [{"name": who} for who in dict.fromkeys(pack.authors)]} if pack.authors else {}),
        "license": "LICENSE.txt",
        "compatibility": {"minimum": core},  # `verified` would say that somebody has tried it in Foundry
        "packs": [
            {"name": RULES, "label": f"{pack.title}: rules", "path": f"packs/{RULES}", "type": "JournalEntry"},
            {"name": TABLES, "label": f"{pack.title}: tables", "path": f"packs/{TABLES}", "type": "RollTable"},
        ],
        "flags": {id: flags},
    }


class FoundryModule(Exporter):
    """Journals and tables."""

    id = "foundry"
    title = "Foundry VTT module"
    targets = ("Foundry VTT 13",)
    capabilities: Mapping[str, Extent] = {**dict.fromkeys(SORTS, "full"), "actor": "partial", "deck": "partial"}
    options = (
        Option("core", OLDEST, "the oldest version of Foundry that it is for, 13 or later"),
        Option("id", "", "the id of the module, which never changes; without, that of the pack"),
    )

    def emit(self, system: System, sink: Sink, options: Mapping[str, str]) -> Iterator[Fate]:
        id, core = options["id"] or system.pack.id, options["core"]
        if not MODULE_ID.fullmatch(id) or DEVICES.match(id):
            raise NotExported(
                f"`{id}` cannot be the id of a module: small letters, digits and single hyphens, 60 at most; choose another with --set id=NAME"
            )
        if not CORE.fullmatch(core):
            raise NotExported(f"`{core}` is no version of Foundry that this is for; write --set core=13, or a later one")
        module = Module(system, id, sink.picture).make()
        sink.text("module.json", json.dumps(manifest(system, id, core), ensure_ascii=False, indent=2) + "\n")
        for name, documents in ((RULES, module.rules), (TABLES, module.tables)):
            for file, raw in files((key, as_json(document)) for key, document in sorted(documents, key=lambda pair: pair[0])).items():
                sink.data(f"packs/{name}/{file}", raw)
        for chapter in system.chapters:
            why = NO_PICTURE if chapter.id in module.without_picture else ""
            yield Fate(chapter.id, "degraded" if why else "full", why)
        yield from (fate(entry, module) for entry in system.entries.values())

    def verify(self, folder: Path) -> Iterator[Verdict]:
        yield checked(folder)
        yield from read_back(folder)


def as_json(document: Mapping[str, Any]) -> bytes:
    return json.dumps(document, ensure_ascii=False, separators=(",", ":")).encode("utf-8")


def fate(entry: Entry, module: Module) -> Fate:
    sort = sort_of(entry, module.system)
    why = NO_ACTOR if sort == "actor" else NO_CARDS if sort == "deck" else ""
    if entry.table is not None and entry.table.die != "at" and not formula(entry.table):
        why = NO_ROLL
    why = why or (NO_PICTURE if entry.id in module.without_picture else "")
    return Fate(entry.id, "degraded" if why else "full", why)
