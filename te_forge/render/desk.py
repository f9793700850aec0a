"""The ground of what templates may ask for: the things of the game, and their words and links as they stand on the page at hand."""

from __future__ import annotations

from collections.abc import Iterable

from markupsafe import Markup, escape

from te_forge.compare import Change
from te_forge.model.system import Cell, Entry, KindInfo, Line, System, Words, plain
from te_forge.render.indexes import Indexes
from te_forge.render.page import Heading
from te_forge.render.places import Places, slug, unique
from te_forge.render.prose import LinkKind, Scribe, Section, spoken, with_addresses
from te_forge.render.terms import ENDED, in_sentence, stop_between
from te_forge.suggest import heading


class Desk:
    """One page that is being made."""

    def __init__(self, system: System, places: Places, scribe: Scribe, indexes: Indexes, page: str) -> None:
        self.system, self.places, self.scribe, self.indexes, self.page = system, places, scribe, indexes, page
        self.section = Section(page)
        self.toc: list[Heading] = []
        self.ids: dict[str, int] = {}

    # ------------------------------------------------------------ things

    def entry(self, id: str) -> Entry:
        return self.system.entries[id]

    def entries(self, ids: Iterable[str]) -> list[Entry]:
        return [self.system.entries[id] for id in ids if id in self.system.entries]

    def kind(self, entry: Entry) -> KindInfo | None:
        return self.system.kinds.get(entry.kind)

    def title(self, entry: Entry) -> str:
        """The name as a heading; a kind is a small word, and gets a capital there (or capitals, when it is an abbreviation)."""
        return heading(entry.name) if entry.kind == "kind" else entry.name

    def head(self, column: str, beside: Iterable[str] = ()) -> str:
        """A column's heading, `beside` others; the engine's own `text` says nothing to a reader, where no other column is called a result."""
        return "Result" if column == "text" and "Result" not in beside else heading(column)

    def plural(self, kind: str) -> str:
        return self.head(self.many(kind))

    def many(self, kind: str) -> str:
        """The plural of a kind, as it is spoken of in a sentence."""
        info = self.system.kinds.get(kind)
        return info.plural if info else f"{kind}s"

    # ------------------------------------------------------------ links

    def anchor(self, id: str) -> str:
        return self.places.anchor(id)

    def href(self, id: str) -> str | None:
        return self.places.href(id, self.page)

    def link(self, id: str, text: str = "", kind: LinkKind = "term") -> Markup:
        entry = self.system.entries.get(id.partition("#")[0])
        return self.scribe.link(id, text or (entry.name if entry else id), self.page, kind)

    def name_of(self, id: str) -> Markup:
        chapter = next((one for one in self.system.chapters if one.id == id), None)
        if chapter is not None:
            return self.scribe.link(id, chapter.title, self.page, "")
        name = self.title(self.system.entries[id]) if id in self.system.entries else id
        return self.link(id, name, kind="") if id in self.places.pages else escape(name)

    def between(self, found: Iterable[Entry | Change]) -> str:
        """What stands between the names of these in a list."""
        return stop_between(one.name for one in found)

    def people(self, names: Iterable[str]) -> str:
        """The makers of something, in the middle of a sentence."""
        return in_sentence(names)

    def addresses(self, text: str) -> Markup:
        """A text in which web addresses are links."""
        return with_addresses(text)

    def web(self, text: str, address: str | None) -> Markup:
        """A link to another site, if it has an address that is one."""
        if not address or not address.startswith(("https://", "http://")):
            return escape(text)
        return Markup('<a href="{}" rel="noopener nofollow">{}</a>').format(address, text)

    def fresh(self, text: str) -> str:
        """An anchor that no other on the page has."""
        return unique(slug(text), self.ids)

    # ------------------------------------------------------------ words

    def prose(self, words: Words) -> Markup:
        return self.scribe.prose(words, self.section)

    def inline(self, words: Words) -> Markup:
        return self.scribe.inline(words, self.section)

    def words(self, words: Words) -> Markup:
        return self.scribe.words(words, self.section)

    def sentence(self, words: Words, holds_more: bool = False) -> Markup:
        """Rule words as a sentence: capital first, a full stop last (a colon, when lines are set in below)."""
        parts = list(spoken(words))
        if parts and isinstance(parts[0], str):
            first = parts[0].lstrip()
            parts[0] = first[:1].upper() + first[1:]
        if parts and isinstance(parts[-1], str):
            parts[-1] = parts[-1].rstrip()
        end = plain(tuple(parts)).rstrip()
        stop = ":" if holds_more else "."
        return self.words(tuple(parts)) + ("" if not end or end.endswith(ENDED) else stop)

    def line(self, line: Line) -> Markup:
        return self.sentence(line.words, bool(line.lines))

    def cell(self, cell: Cell | None) -> Markup:
        if cell is None or not cell.words:
            return Markup("")
        return self.sentence(cell.words) if cell.meaning else self.inline(cell.words)

    def safe(self, words: Words) -> Markup:
        """Words that may speak of what is not in this game: linked where they lead somewhere."""
        kept = tuple(word.text if not isinstance(word, str) and word.id.partition("#")[0] not in self.places.pages else word for word in words)
        return self.scribe.words(kept, Section(self.page))
