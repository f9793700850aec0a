"""What the templates may ask for, for one page. Everything that comes back as `Markup` was escaped where it was made."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice, pairwise

from markupsafe import Markup, escape

from te_forge.check.names import slug as key_of
from te_forge.compare import Change
from te_forge.compare.phrases import Phrase, phrase
from te_forge.compose.values import adjusted, changes_of_line
from te_forge.compose.values import found as usual_field
from te_forge.model.rules import Nothing, Text, Thing
from te_forge.model.system import Bulk, Cell, Entry, Field, Grid, KindInfo, Line, Patch, Ref, RollTable, Row, System, Words, plain
from te_forge.render.changes import Derived, made_by
from te_forge.render.matter import sort_key
from te_forge.render.page import Heading
from te_forge.render.places import Places, inner, slug, unique
from te_forge.render.prose import LinkKind, Scribe, Section
from te_forge.render.terms import ENDED, aliases, as_sentence, between, explained, field_text, shown_name, texts
from te_forge.suggest import heading

ENGINE_KINDS = ("kind", "procedure", "rule", "table", "deck", "hack", "ruling", "reading", "example")
SAID = {"reads", "why", "other", "replaces", "answers", "also-called", "plural", "successor", "to"}
"""Fields that their own places in the templates say in words, or that only the checker needs."""
WORKINGS = {"is", "how-many", "made-by"}
"""Fields of kinds that say how the tool is to take them; a reader has no use for them."""
FINE_PRINT = {"counts": "Dice are final at", "settles": "Numbers settle at", "bound": "Happens at most"}
"""Fields of procedures that a reader rarely asks for, and how they are called there."""
MANY = 20
"""Up to about so many pages of a list are all linked to."""
MOST_MARKS = 6
"""So many rulings are marked at one place; a work that is cited as a whole may have hundreds."""
LONG = 28
"""A value of more letters than this does not fit in a stat block's row of numbers."""


Account = tuple[tuple[str, ...], ...]
"""For each step of an example, in sentences, what happened when it was played."""


@dataclass(frozen=True, slots=True)
class Indexes:
    """What is looked up for every page and made once for the book."""

    rulings: Mapping[str, Sequence[Entry]]
    """By citation, the rulings that cite it."""
    readings: Mapping[str, Sequence[Entry]]
    """By the id of a ruling, the readings that answer it."""
    notes: Mapping[str, str]
    """By id, the one sentence that says what it is."""
    elsewhere: Mapping[str, frozenset[str]]
    """By id, the rulings on the same citation that are about another entry of it."""
    accounts: Mapping[str, Account]
    """By the id of an example, what happened in it."""
    derived: Derived
    """Where the game comes from, and what is different in it."""


class Clerk:
    """The helper of one page's templates, `c` in there."""

    def __init__(self, system: System, places: Places, scribe: Scribe, indexes: Indexes, page: str) -> None:
        self.system, self.places, self.scribe, self.indexes, self.page = system, places, scribe, indexes, page
        self.section = Section(page)
        self.toc: list[Heading] = []
        self.ids: dict[str, int] = {}

    # ------------------------------------------------------------ entries

    def entry(self, id: str) -> Entry:
        return self.system.entries[id]

    def entries(self, ids: Iterable[str]) -> list[Entry]:
        return [self.system.entries[id] for id in ids if id in self.system.entries]

    def kind(self, entry: Entry) -> KindInfo | None:
        return self.system.kinds.get(entry.kind)

    def template(self, entry: Entry) -> str:
        """One template per kind of thing: the engine's headings by name, what packs declare by its nature."""
        if entry.kind in ENGINE_KINDS:
            return f"{entry.kind}.html"
        kind = self.kind(entry)
        return f"{kind.nature}.html" if kind and kind.nature in ("actor", "entry", "number", "trait") else "entry.html"

    def begin(self, entry: Entry, level: int) -> str:
        """Starts the section of an entry, and gives its anchor."""
        kept = self.section.linked if entry.owner and level > 2 else set()
        self.section = Section(self.page, entry.id, level + 1, set(kept), heading_ids=self.ids)
        if level <= 3:
            self.toc.append(Heading(self.anchor(entry.id), self.title(entry), level))
        return self.anchor(entry.id)

    def open_section(self, level: int = 2) -> str:
        self.section = Section(self.page, "", level, set(), self.toc, self.ids)
        return ""

    def anchor(self, id: str) -> str:
        return self.places.anchor(id)

    def anchor_in(self, entry: Entry, id: str) -> str | None:
        """The anchor of a line, step or row, when others may point at it. Each is given out once."""
        path = f"{entry.id}#{inner(id)}"
        if path not in self.places.inner or path in self.ids:
            return None
        self.ids[path] = 1
        return self.anchor(path)

    def title(self, entry: Entry) -> str:
        """The name as a heading; a kind is a small word, and gets a capital there (or capitals, when it is an abbreviation)."""
        return heading(entry.name) if entry.kind == "kind" else shown_name(entry, self.system)

    def note(self, entry: Entry) -> str:
        return self.indexes.notes.get(entry.id, "")

    def said(self, entry: Entry) -> str:
        """The note of an entry of which more is said than its fields; they do not explain it."""
        return self.note(entry) if explained(entry) else ""

    def href(self, id: str) -> str | None:
        return self.places.href(id, self.page)

    def link(self, id: str, text: str = "", kind: LinkKind = "term") -> Markup:
        entry = self.system.entries.get(id.partition("#")[0])
        return self.scribe.link(id, text or (shown_name(entry, self.system) if entry else id), self.page, kind)

    def users(self, entry: Entry) -> list[Entry]:
        """Who else mentions it; its own parts and its owner do not count."""
        own = {entry.id, entry.owner, *entry.parts}
        return [other for other in self.entries(self.system.users.get(entry.id, ())) if other.id not in own and other.owner != entry.id]

    def also(self, entry: Entry) -> tuple[str, ...]:
        return aliases(entry)

    def marks(self, cites: Iterable[str], but: str = "") -> list[tuple[str, str]]:
        """For what cites these: name and link of each ruling on the same citations; behind the first few, of the next one."""
        found = dict.fromkeys(ruling.id for cite in cites for ruling in islice(self.indexes.rulings.get(cite, ()), MOST_MARKS + 2))
        found.pop(but, None)
        marks = [(shown_name(self.entry(id), self.system), href) for id in islice(found, MOST_MARKS + 1) if (href := self.href(id))]
        return [*marks[:MOST_MARKS], *(("and more", href) for _, href in marks[MOST_MARKS:])]

    def entry_marks(self, entry: Entry) -> list[tuple[str, str]]:
        """The rulings on an entry that are not named in it anyway: at one of its steps, or as what a reading answers."""
        if entry.kind == "reading":
            return []
        at_steps = {mark for step in entry.steps for mark in self.marks(step.cites)}
        beside = {shown_name(self.entry(id), self.system) for id in self.indexes.elsewhere.get(entry.id, ())}
        return [mark for mark in self.marks(entry.cites, entry.id) if mark not in at_steps and mark[0] not in beside]

    def readings(self, ruling: Entry) -> Sequence[Entry]:
        return self.indexes.readings.get(ruling.id, ())

    def is_on(self, entry: Entry) -> bool:
        return entry.id in self.indexes.derived.on

    def on(self) -> list[Entry]:
        """The hacks and readings that are on, by name."""
        return sorted((entry for entry in self.entries(self.indexes.derived.on) if entry.id in self.places.pages), key=lambda entry: sort_key(entry.name))

    def account(self, entry: Entry, step: int) -> str:
        """What happened in a step of an example that was played."""
        told = self.indexes.accounts.get(entry.id, ())
        return " ".join(told[step]) if step < len(told) else ""

    # ------------------------------------------------------------ words

    def prose(self, words: Words) -> Markup:
        return self.scribe.prose(words, self.section)

    def inline(self, words: Words) -> Markup:
        return self.scribe.inline(words, self.section)

    def words(self, words: Words) -> Markup:
        return self.scribe.words(words, self.section)

    def sentence(self, words: Words, holds_more: bool = False) -> Markup:
        """Rule words as a sentence: capital first, a full stop last (a colon, when lines are set in below)."""
        parts = list(words)
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

    def cell(self, cell: Cell | None, column: str) -> Markup:
        if cell is None or not cell.words:
            return Markup("")
        return self.sentence(cell.words) if cell.meaning else self.inline(cell.words)

    # ------------------------------------------------------------ fields

    def value(self, field: Field) -> Markup:
        quoted = texts(field)
        return Markup(between(field)).join(escape(text) for text in quoted) if quoted else self.words(field.words)

    def field(self, entry: Entry, label: str) -> Field | None:
        """The field of a column; keys may be labels or slugs."""
        found = entry.fields.get(label) or entry.fields.get(label.casefold().replace(" ", "-"))
        return found or next((one for one in entry.fields.values() if one.label.casefold() == label.casefold()), None)

    def quoted(self, entry: Entry, label: str) -> tuple[str, ...]:
        field = self.field(entry, label)
        return () if field is None else texts(field) or (field_text(field),)

    def sentences(self, entry: Entry, label: str) -> str:
        return " ".join(as_sentence(text) for text in self.quoted(entry, label))

    def stated(self, entry: Entry) -> list[Field]:
        """The fields to print as such: in the order in which the kind declares them, so that all of its things have them in the same place."""
        if entry.kind == "example":
            return list(entry.fields.values())
        elsewhere = SAID | {"procedure": set(FINE_PRINT), "kind": WORKINGS}.get(entry.kind, set())
        kind = self.kind(entry)
        declared = list(self.system.entries[kind.id].slots) if kind and kind.id in self.system.entries else []
        found = [*entry.fields.values(), *self.usual(entry, declared)]
        place = {key_of(name): number for number, name in enumerate(declared)}
        kept = [field for field in found if key_of(field.label) not in elsewhere and not is_nothing(field)]
        return sorted(kept, key=lambda field: place.get(key_of(field.label), -1))

    def usual(self, entry: Entry, declared: Iterable[str]) -> list[Field]:
        """The fields that the kind declares and the entry leaves as they usually are."""
        found = [usual_field(entry, key_of(name), self.system) for name in declared if key_of(name) not in entry.fields]
        return [linked(field) for field in found if field is not None]

    def short(self, entry: Entry) -> list[Field]:
        """The fields that fit in a row of numbers."""
        return [field for field in self.stated(entry) if len(field_text(field)) <= LONG]

    def quick(self, entry: Entry) -> list[Field]:
        """What the quick reference says of a number: the short fields, and whatever is different in this game, however long."""
        return [field for field in self.stated(entry) if len(field_text(field)) <= LONG or self.is_changed(entry, field.label)]

    def long(self, entry: Entry) -> list[Field]:
        return [field for field in self.stated(entry) if len(field_text(field)) > LONG]

    # ------------------------------------------------------------ tables

    def faces(self, row: Row, table: RollTable) -> str:
        if row.high < row.low:
            return ""
        return f"{row.low}+" if table.die == "at" and row.low < row.high else row.printed("–")

    def on_faces(self, patch: Patch, table: RollTable) -> RollTable:
        """The rows of a patch with the faces that they are rolled on; a row that only has a name has those of the row of that name."""
        target = self.system.entries.get(patch.target)
        if target is None or target.table is None:
            return table
        named = {row.name: row for row in target.table.rows if row.name}
        ranged = [row if row.low <= row.high else named.get(row.name, row) for row in table.rows]
        rows = tuple(replace(row, low=one.low, high=one.high, more=one.more) for row, one in zip(table.rows, ranged, strict=True))
        return replace(table, die=target.table.die, rows=rows)

    def columns(self, table: RollTable) -> list[str]:
        return [column for column in table.columns[1:] if column != "row" and any(row.cells.get(column, NONE).words for row in table.rows)]

    def rolls(self, table: RollTable) -> bool:
        return table.die != "at"

    def bulk_columns(self, bulk: Bulk) -> list[str]:
        return [column for column in bulk.columns[1:] if column != "text"]

    def is_list(self, bulk: Bulk) -> bool:
        """Names with a text each read better as a list than as a table."""
        return not any(self.field(entry, column) for entry in self.entries(bulk.entries) for column in self.bulk_columns(bulk))

    def is_number(self, field: Field | None) -> bool:
        return field is not None and plain(field.words).strip().lstrip("+-").isdigit()

    def has_text(self, bulk: Bulk) -> bool:
        return any(entry.prose for entry in self.entries(bulk.entries))

    def is_actors(self, bulk: Bulk) -> bool:
        kind = self.system.kinds.get(bulk.kind)
        return kind is not None and kind.nature == "actor"

    def head(self, column: str) -> str:
        """A column's heading; the engine's own `text` says nothing to a reader."""
        return "Result" if column == "text" else heading(column)

    def grid_head(self, grid: Grid) -> bool:
        return any(column.strip() for column in grid.columns)

    def numeric(self, bulk: Bulk) -> set[str]:
        """The columns that hold numbers only, and so are set in line."""
        return {column for column in self.bulk_columns(bulk) if self.only_numbers(bulk, column)}

    def only_numbers(self, bulk: Bulk, column: str) -> bool:
        found = [field for entry in self.entries(bulk.entries) if (field := self.field(entry, column))]
        return bool(found) and all(self.is_number(field) for field in found)

    def fine_print(self, entry: Entry) -> list[tuple[str, Markup]]:
        """What the table rarely asks about a procedure: its bounds, and the values that it declares (its roles are a field already). And what a kind is to the tool."""
        if entry.kind == "kind":
            return [(field.label, self.value(field)) for key, field in entry.fields.items() if key in WORKINGS]
        bounds = [(FINE_PRINT[key], self.value(field)) for key, field in entry.fields.items() if key in FINE_PRINT]
        values = [(slot.name, escape(slot.text or slot.holds)) for slot in entry.slots.values() if slot.text or "roles" not in entry.fields]
        return [*bounds, *values]

    def plural(self, kind: str) -> str:
        info = self.system.kinds.get(kind)
        return self.head(info.plural if info else f"{kind}s")

    def fresh(self, text: str) -> str:
        """An anchor that no other on the page has."""
        return unique(slug(text), self.ids)

    def near(self, links: list[tuple[str, str]]) -> list[tuple[str, str]]:
        """The links to the pages of a list; of many, those around this page and some others on the way. A gap is a link to nowhere."""
        here = next((n for n, (_, slug) in enumerate(links) if slug == self.page), 0)
        stride = max(1, len(links) // MANY)
        shown = [n for n in range(len(links)) if n % stride == 0 or abs(n - here) <= 5 or n == len(links) - 1]
        out: list[tuple[str, str]] = []
        for n, after in pairwise([-1, *shown]):
            out += [("…", "")] if after - n > 1 else []
            out.append(links[after])
        return out

    def web(self, text: str, address: str | None) -> Markup:
        """A link to another site, if it has an address that is one."""
        if not address or not address.startswith(("https://", "http://")):
            return escape(text)
        return Markup('<a href="{}" rel="noopener nofollow">{}</a>').format(address, text)

    # ------------------------------------------------------------ what is different

    @property
    def derived(self) -> Derived:
        return self.indexes.derived

    def changed_by(self, entry: Entry) -> list[tuple[str, str]]:
        """Who has changed an entry that was there before: name and link of each hack, or of the chapter that says so."""
        found = self.derived.by_entry.get(entry.id, ())
        hacks = dict.fromkeys(id for one in found if one.verb != "added" or one.part != "entry" for id in one.by)
        return [(entry.name, href) for entry in self.entries(hacks) if (href := self.href(entry.id))]

    def changed_here(self, entry: Entry) -> str:
        """Where the chapter on what changed tells of an entry."""
        page = self.derived.pages.get(entry.id)
        return f"{page}.html#{self.told(entry.id)}" if page else ""

    def told(self, id: str) -> str:
        """The anchor of an entry in the chapter on what changed."""
        return f"changed-{slug(id)}"

    def is_changed(self, entry: Entry, *labels: str) -> bool:
        """Whether a place in an entry is different, or a place around it."""
        found = self.derived.places.get(entry.id)
        path = "/".join(map(key_of, labels))
        return bool(found) and path in found  # type: ignore[operator]  # nothing is in None

    def is_changed_line(self, entry: Entry, line: Line) -> bool:
        return line.id in self.derived.places.get(entry.id, ())

    def touched(self, hack: Entry) -> list[Entry]:
        return self.entries(made_by(self.derived, hack))

    def phrase(self, change: Change) -> Phrase:
        return phrase(change)

    def safe(self, words: Words) -> Markup:
        """Words that may speak of what is not in this game: linked where they lead somewhere."""
        kept = tuple(word.text if not isinstance(word, str) and word.id.partition("#")[0] not in self.places.pages else word for word in words)
        return self.scribe.words(kept, Section(self.page))

    def name_of(self, id: str) -> Markup:
        chapter = next((one for one in self.system.chapters if one.id == id), None)
        if chapter is not None:
            return self.scribe.link(id, chapter.title, self.page, "")
        return self.link(id, kind="") if id in self.places.pages else escape(self.system.entries[id].name if id in self.system.entries else id)

    # ------------------------------------------------------------ hacks

    def changed(self, patch: Patch, line: Line) -> tuple[Words, Words] | None:
        """What the patch does to a field, as what it was and what it becomes; None for any other line."""
        target = self.system.entries.get(patch.target)
        before = usual_field(target, key_of(line.label), self.system) if target is not None and line.value and line.place is None else None
        if before is None or is_nothing(before):
            return None
        after = adjusted(before, changes) if (changes := changes_of_line(line)) else None
        return (before.words, after.words) if after is not None and len(after.words) == 1 else None

    def patch_title(self, patch: Patch) -> Markup:
        """`Changes Oil`."""
        title = next((f"the chapter {chapter.title}" for chapter in self.system.chapters if chapter.id == patch.target), "")
        target = self.system.entries.get(patch.target)
        if patch.verb == "renames" and target is not None and target.aliases and Text(target.name) in (atom for line in patch.lines for atom in line.value):
            title = target.aliases[-1]  # it has the new name, and had this one before
        return escape(self.head({"deletes": "takes out"}.get(patch.verb, patch.verb))) + " " + self.link(patch.target, title)


def is_nothing(field: Field) -> bool:
    return all(isinstance(atom, Nothing) for atom in field.value or (Nothing(),))


def linked(field: Field) -> Field:
    """A field that holds one thing, with a link to it. One of the words of a `one of ..` is no thing of the book."""
    thing = field.value[0] if len(field.value) == 1 else None
    return replace(field, words=(Ref(thing.id, plain(field.words)),)) if isinstance(thing, Thing) and ":" in thing.id else field


NONE = Cell(())
