"""The composed system: packs, chapters and entries, with everything resolved.

Every entry has a permanent id, `pack:kind/slug`. Whatever a rule says is kept twice: as `words`, the sentence as it is read aloud
with its names as references (the book prints these), and as `meaning`, the typed nodes of `te_forge.model.rules` (the engine runs these).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import Literal

from te_forge.frozen import frozen
from te_forge.model.pack import PackInfo
from te_forge.model.rules import Expr, Sentence, Type, Value
from te_forge.source import Span

Verb = Literal["changes", "deletes", "renames"]
"""What a part of a hack does to something that is defined elsewhere."""
Nature = Literal["actor", "entry", "number", "trait"]
"""What things of a kind are."""


@frozen
class Ref:
    """A mention of the entry `id` (or of one of its lines, steps or rows: `id#label`), shown as `text`."""

    id: str
    text: str


@frozen
class Shown:
    """A number that the rule `id` printed into prose: `{Might's start}` shows `text`, and is `expr`."""

    id: str
    text: str
    expr: Expr | None = None


Words = tuple[str | Ref | Shown, ...]
"""Text with references in it. In prose the strings are Markdown; in rule lines they are plain words."""


def plain(words: Words) -> str:
    """Text as it is shown, without its references."""
    return "".join(word if isinstance(word, str) else word.text for word in words)


@frozen
class Prose:
    """A run of paragraphs, lists and so on, as Markdown with references."""

    words: Words
    span: Span


@frozen
class Reach:
    """What the lines set in below a step or line may speak of: words that have a value there, and procedures (ids, nearest first).

    A patch that puts a line there is read with this. `hooked`: behind an event, where the words of the procedure may be changed and not set.
    """

    words: Mapping[str, Type]
    procedures: tuple[str, ...] = ()
    hooked: bool = False


@frozen
class Place:
    """Where a new line of a patch stands: `after` or `before` the line called `label`."""

    after: bool
    label: str


@frozen
class Line:
    """A rule line. `label` is how patches name it; lines set in below it are `lines`. `id` is unique in its entry (`step/label/label`)."""

    id: str
    label: str
    words: Words
    span: Span
    lines: tuple[Line, ...] = ()
    meaning: tuple[Sentence, ...] = ()
    reach: Reach | None = None
    place: Place | None = None
    value: Value = ()
    """In a patch, what the field of this label becomes, or how it changes."""
    was: Field | None = None
    """In a patch, what it says that the field was before."""
    prose: tuple[Prose, ...] = ()
    """In a patch, the text that the step of this label gets."""


@frozen
class Step:
    """A numbered step of a procedure (or of an example)."""

    id: str
    name: str
    prose: Words
    lines: tuple[Line, ...]
    cites: tuple[str, ...]
    span: Span
    reach: Reach | None = None
    place: Place | None = None
    """Where a step stands that a hack puts in."""


@frozen
class Field:
    """A stated field, such as `Wounds: 7`, of an entry. `words` is how it reads, `value` what it is."""

    id: str
    label: str
    words: Words
    value: Value
    span: Span


@frozen
class Cell:
    words: Words
    meaning: tuple[Sentence, ...] = ()


EMPTIED: Words = ("nothing",)
"""What a cell of a patch says that takes an effect away."""


@frozen
class Faces:
    """From one face of a die to another."""

    low: int
    high: int


@frozen
class Row:
    """A row of a random table or tracker: `low` to `high` are the faces it covers, and then those in `more`; of a tracker, the mark at which it
    fires.
    """

    id: str
    name: str
    low: int
    high: int
    cells: Mapping[str, Cell]
    span: Span
    more: tuple[Faces, ...] = ()

    @property
    def faces(self) -> tuple[Faces, ...]:
        """From where to where it goes, as often as it begins anew."""
        return (Faces(self.low, self.high), *self.more)

    def covers(self, face: int) -> bool:
        return any(one.low <= face <= one.high for one in self.faces)

    def contains(self, other: Row) -> bool:
        """Whether it covers all that another row covers."""
        return all(any(mine.low <= its.low and its.high <= mine.high for mine in self.faces) for its in other.faces)

    def printed(self, to: str = "-") -> str:
        """Its faces as they are written: `4`, `2-3`, `31, 41-43`."""
        return ", ".join(str(one.low) if one.low >= one.high else f"{one.low}{to}{one.high}" for one in self.faces)


@frozen
class RollTable:
    """A random table. `die` is `d6`, `d66`, `2d6` ..., or `at` for a tracker."""

    die: str
    columns: tuple[str, ...]
    rows: tuple[Row, ...]
    span: Span


@frozen
class Slot:
    """A declared field of a kind, a declared value of a procedure, or a role."""

    name: str
    holds: Type
    words: Words
    default: Value | None
    text: str
    span: Span
    usual: str = ""
    """The default as it is written; a field without one must be stated."""


@frozen
class Patch:
    """One part of a hack or reading that touches something defined elsewhere. `verb` is `changes`, `deletes` or `renames`."""

    verb: Verb
    target: str
    lines: tuple[Line, ...]
    tables: tuple[RollTable, ...]
    prose: tuple[Prose, ...]
    span: Span
    slots: Mapping[str, Slot] = field(default_factory=dict)


@frozen
class Entry:
    """A definition: a skill, a class, a procedure, a hack ... of whatever kind a pack has declared.

    `kind` is the name of its kind (`skill`); `owner` the id of the entry it is a part of; `parts` the ids of its own parts.
    Engine headings are kinds too: `kind`, `procedure`, `rule`, `table`, `deck`, `hack`, `ruling`, `reading`, `example`.
    """

    id: str
    kind: str
    name: str
    span: Span
    cites: tuple[str, ...] = ()
    aliases: tuple[str, ...] = ()
    owner: str | None = None
    parts: tuple[str, ...] = ()
    prose: tuple[Prose, ...] = ()
    fields: Mapping[str, Field] = field(default_factory=dict)
    lines: tuple[Line, ...] = ()
    steps: tuple[Step, ...] = ()
    table: RollTable | None = None
    slots: Mapping[str, Slot] = field(default_factory=dict)
    patches: tuple[Patch, ...] = ()
    locals: Mapping[str, Type] = field(default_factory=dict)
    """Of a procedure: its roles and locals with their types, which hooks may mention."""
    sure: frozenset[str] = frozenset()
    """Of a procedure: the locals that have a value wherever it ended."""
    based: Patch | None = None
    """Of what is a copy of something (its field `Based On` says of what): what it says of itself, done to the copy."""

    @property
    def pack(self) -> str:
        return self.id.partition(":")[0]

    @property
    def slug(self) -> str:
        return self.id.partition("/")[2]


@frozen
class Bulk:
    """A table in the page that defines one entry per row; `columns` are the printed heads (the first one is the kind)."""

    kind: str
    columns: tuple[str, ...]
    entries: tuple[str, ...]
    span: Span


@frozen
class Grid:
    """A table that is only to be read (in a chapter or below an entry)."""

    columns: tuple[str, ...]
    rows: tuple[tuple[Words, ...], ...]
    span: Span


@frozen
class Chapter:
    """A chapter of the book in reading order. An item is prose, a table, or the id of an entry (parts come with their owner)."""

    id: str
    title: str
    cites: tuple[str, ...]
    items: tuple[Prose | Bulk | Grid | str, ...]
    span: Span


@frozen
class KindInfo:
    """What a kind is. `nature` is `actor`, `entry`, `number` or `trait`; `of` the kinds that carry such a number or trait."""

    name: str
    id: str
    nature: Nature
    of: tuple[str, ...]
    plural: str
    single: bool = False
    """There is exactly one of it (`How Many: 1`), so that `the gm` needs no introduction."""


@frozen
class System:
    """A whole game. `packs` has the pack itself last, after what it requires."""

    packs: tuple[PackInfo, ...]
    kinds: Mapping[str, KindInfo]
    entries: Mapping[str, Entry]
    chapters: tuple[Chapter, ...]
    users: Mapping[str, tuple[str, ...]]
    """For each id, the ids of the entries that mention it in rules or prose."""

    @property
    def pack(self) -> PackInfo:
        return self.packs[-1]

    def of_kind(self, kind: str) -> tuple[Entry, ...]:
        return tuple(entry for entry in self.entries.values() if entry.kind == kind)
