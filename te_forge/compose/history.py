"""Where a rule comes from: its definition, and one by one what the hacks and readings that are on have made of it.

The value after each step is what composing gives when it stops there, so what is told here is what is played.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from te_forge.compose import values
from te_forge.compose.apply import Workshop
from te_forge.compose.based import KEPT, base_of
from te_forge.compose.changes import Changes
from te_forge.compose.chapters import with_chapters
from te_forge.compose.conflicts import overrules, quarrels_of
from te_forge.compose.lines import line_at
from te_forge.compose.mapping import Mapper
from te_forge.compose.near import faces
from te_forge.compose.operations import PROSE, ROWS, SLOTS, Operation, Path, of_patch, operations
from te_forge.compose.order import SWITCHES, Order, named, needed, order_of, parts_of
from te_forge.compose.renames import NO_RENAMING
from te_forge.compose.telling import (
    field_in_words,
    line_in_words,
    lines_in_words,
    prose_in_words,
    range_of,
    row_in_words,
    slot_in_words,
    told,
)
from te_forge.compose.whole import cleaned
from te_forge.diagnostics import Findings
from te_forge.frozen import frozen
from te_forge.keys import slug
from te_forge.model.rules import Change
from te_forge.model.system import Entry, Line, Row, Step, System, plain
from te_forge.source import Span

PHASES = {"more": 1, "less": 1, "times": 2, "up": 2, "down": 2, "at least": 3, "at most": 4}
NOTHING = "nothing"


@frozen
class Event:
    """A step of a chain. `by` is a hack or reading, or the entry that states the value first or is a copy of it; `after` is the value from here on."""

    by: str
    says: str
    after: str
    span: Span
    overruled_by: str = ""


@frozen
class Maybe:
    """What is off and would change it: `after` is the value that it would have, or `against` what is on and does not go with it."""

    by: str
    says: str
    after: str
    span: Span
    against: str = ""


@frozen
class Chain:
    """The life of one place of an entry."""

    label: str
    path: Path
    value: str
    events: tuple[Event, ...]
    off: tuple[Maybe, ...]


class Historian:
    """Tells of one system, with some hacks and readings on."""

    def __init__(self, system: System, on: Iterable[str]) -> None:
        self.system = system = with_chapters(system)
        self.order = order_of(system, frozenset(on))
        self.switches = [entry.id for entry in system.entries.values() if entry.kind in SWITCHES]
        self.found = [one for id in self.switches for one in operations(system.entries[id], system) if one.target in system.entries]

    # ------------------------------------------------------------ which places there are

    def chains(self, entry: Entry) -> list[Chain]:
        """Whatever of an entry is stated as a field, and all other places of it that a hack touches, on or off."""
        fields = [(field.label, (key,)) for key, field in entry.fields.items()]
        slots = [(slot.name, (SLOTS, slug(slot.name))) for slot in entry.slots.values()]
        places = {path: label for label, path in (*fields, *self.usual(entry), *slots)}
        known = {path: label for label, path in labels_of(entry, self.found).items()}
        for one in self.found:
            if one.target == entry.id and one.verb not in ("delete", "rename"):
                for path in self.rows_at(entry, one) or [row_path(one)]:
                    places.setdefault(path, known.get(path, one.label))
        return [self.chain(entry, path, label) for path, label in places.items()]

    def usual(self, entry: Entry) -> Iterator[tuple[str, Path]]:
        """The fields that the kind of an entry states for all of its things."""
        kind = self.kind_of(entry)
        for label in () if kind is None else (*kind.fields, *map(slug, kind.slots)):
            if label not in KIND_ONLY and (found := values.found(entry, label, self.system)) is not None:
                yield found.label, (label,)

    def kind_of(self, entry: Entry) -> Entry | None:
        info = self.system.kinds.get(entry.kind)
        return self.system.entries.get(info.id) if info is not None else None

    def rows_at(self, entry: Entry, one: Operation) -> list[Path]:
        """A row that a hack states covers rows of the table; those are the places."""
        rows = entry.table.rows if entry.table is not None else ()
        return [(ROWS, row_key(row.name, row.low)) for row in rows if faces(one) & set(range(row.low, row.high + 1))] if faces(one) else []

    def whole(self, entry: Entry) -> Chain:
        """The entry itself: its name, and whether it is there."""
        events = [Event(entry.id, "", entry.name, entry.span)]
        off: list[Maybe] = []
        for one in self.found:
            gone = one.target == entry.id or (one.verb == "delete" and entry.id in parts_of(self.system, one.target))
            if one.verb in ("delete", "rename") and gone:
                says = told(one, self.system)
                after = str(one.what) if one.verb == "rename" else NOTHING
                if one.hack in self.order.on:
                    events.append(Event(one.hack, says, after, one.span))
                else:
                    off.append(Maybe(one.hack, says, after, one.span))
        return Chain("", (), events[-1].after, tuple(events), tuple(off))

    # ------------------------------------------------------------ one place

    def chain(self, entry: Entry, path: Path, label: str) -> Chain:
        touching = self.touching(entry, path)
        around = [one for one in touching if one.hack in self.order.on and not self.touches(one, entry, path)]
        on = in_phases([one for one in touching if one.hack in self.order.on and one not in around], self.order)
        events = self.beginning(entry, path)
        for number, one in enumerate(on, 1):
            later = next(
                (other for other in on[number:] if one.hack in self.order.below[other.hack] and other.target == one.target and overrules(other, one)),
                None,
            )
            events.append(
                Event(
                    one.hack,
                    told(one, self.system),
                    self.value(entry, path, [*around, *on[:number]], self.order),
                    one.span,
                    later.hack if later is not None else "",
                )
            )
        on = [*around, *on]
        events += self.succeeded(entry, path, on, events[-1].after)
        off = tuple(self.maybe(entry, path, one, touching) for one in touching if one.hack not in self.order.on)
        return Chain(label, path, events[-1].after, tuple(events), off)

    def touching(self, entry: Entry, path: Path) -> list[Operation]:
        """What is done to a place, and to the same place of what the entry is based on as played."""
        base = self.base(entry, path)
        own = [one for one in self.found if self.touches(one, entry, path)]
        return own if base is None or base[1] else [*own, *(one for one in self.touching(base[0], path) if one not in own)]

    def base(self, entry: Entry, path: Path) -> tuple[Entry, bool] | None:
        """What an entry has this place from, and whether as printed."""
        based = base_of(entry)
        base = self.system.entries.get(based.thing) if based is not None else None
        return (base, based.printed) if based is not None and base is not None and path[0] not in KEPT else None

    def beginning(self, entry: Entry, path: Path, played: bool = True) -> list[Event]:
        """How a place is defined. A copy has it from what it is based on, and may say something else."""
        found = self.base(entry, path)
        if found is None or entry.based is None:
            return [self.definition(entry, path)]
        base, printed = found
        before = self.chain(base, path, "").events if played and not printed else self.beginning(base, path, False)
        said = [one for one in of_patch(entry.id, entry.based, self.system) if self.touches(one, entry, path)]
        if before[-1].after == NOTHING and said:
            return [self.definition(entry, path)]
        below = [one for one in self.touching(base, path) if one.hack in self.order.on] if played and not printed else []
        says = "; ".join(told(one, self.system) for one in said) or f"as {base.name}"
        return [*before, Event(entry.id, says, self.value(entry, path, below, self.order), said[0].span if said else entry.fields[KEPT[0]].span)]

    def succeeded(self, entry: Entry, path: Path, on: Sequence[Operation], value: str) -> Iterator[Event]:
        """What stands at a place where things that it names are deleted, and others stand for them."""
        done: dict[str, tuple[Operation, frozenset[str]]] = {}
        for one in self.found:
            gone = self.system.entries[one.target]
            if (
                one.verb == "delete"
                and one.what
                and one.hack in self.order.on
                and gone is not entry
                and any(name in value for name in (gone.name, *gone.aliases))
            ):
                done[one.target] = (one, frozenset())
                after = self.value(entry, path, on, self.order, Changes(frozenset(), frozenset(), done, {}).successors())
                if after != value:
                    value = after
                    yield Event(one.hack, f"{gone.name} is {told(one, self.system)}", after, one.span)

    def touches(self, one: Operation, entry: Entry, path: Path) -> bool:
        if one.verb in ("delete", "rename"):
            return False
        if one.target != entry.id:
            kind = self.kind_of(entry)
            falls_back = kind is not None and one.target == kind.id and len(path) == 1 and path[0] not in entry.fields
            return falls_back and one.path in (path, (SLOTS, path[0]))
        if path[:1] == (ROWS,) and len(path) > 1:
            return path in (one.path, row_path(one)) or path in self.rows_at(entry, one)
        return one.path[: len(path)] == path or path[: len(one.path)] == one.path

    def definition(self, entry: Entry, path: Path) -> Event:
        value = self.value(entry, path, [], self.order)
        key = path[-1]
        kind = self.kind_of(entry)
        if (
            len(path) == 1
            and key not in entry.fields
            and kind is not None
            and values.found(entry, key, self.system) is not None
            and at_place(entry, path) is None
        ):
            slot = next((one for one in kind.slots.values() if slug(one.name) == key), None)
            return Event(kind.id, "", value, kind.fields[key].span if key in kind.fields else slot.span if slot is not None else kind.span)
        return Event(entry.id, "", value, place_in(entry, path) or entry.span)

    def value(self, entry: Entry, path: Path, ones: Sequence[Operation], order: Order, successors: Mapping[str, str] | None = None) -> str:
        """What stands at a place after some of what is done to it, with what stands for things that are deleted."""
        made = Workshop(self.system, order, Findings()).run(list(ones), set())
        if successors:
            mapper = Mapper(successors, NO_RENAMING, (), {id: one.name for id, one in self.system.entries.items()})
            kind = self.kind_of(entry)
            made = {**made, **{id: cleaned(mapper(made[id]), self.system.entries) for id in (entry.id, *([kind.id] if kind is not None else []))}}
        system = replace(self.system, entries=made)
        found = at_place(made[entry.id], path)
        if found is None and path[0] == ROWS and (low := low_of(entry, path[-1])):
            found = at_place(made[entry.id], (ROWS, low))
        return found if found is not None else field_in_words(values.found(made[entry.id], path[0], system)) if len(path) == 1 else NOTHING

    def maybe(self, entry: Entry, path: Path, one: Operation, touching: Sequence[Operation]) -> Maybe:
        """What would be if a hack were on, with all that it needs, and without other answers to the ruling that it answers."""
        answers = set(named(self.system.entries[one.hack], "answers"))
        kept = {id for id in self.order.on if answers.isdisjoint(named(self.system.entries[id], "answers"))}
        order = order_of(self.system, kept | {one.hack, *needed(one.hack, self.system, self.system.entries)})
        on = in_phases([other for other in touching if other.hack in order.on], order)
        rivals = [pair for pair in quarrels_of(on, {}, order) if one in pair]
        against = next((each.hack for pair in rivals for each in pair if each is not one), "")
        return Maybe(one.hack, told(one, self.system), "" if against else self.value(entry, path, on, order), one.span, against)


KIND_ONLY = ("is", "how-many", "made-by", "plural", "also-called", "tracks")
"""Fields of a kind that say something of the kind, and nothing of its things."""


def in_phases(ones: Iterable[Operation], order: Order) -> list[Operation]:
    """In the order in which they are done: what replaces, by hack; then what changes numbers, added up, multiplied, raised, lowered; then lists."""
    places = {id: number for number, id in enumerate(order.on)}

    def phase(one: Operation) -> int:
        return PHASES.get(one.what.op, 1) if isinstance(one.what, Change) else 5 if one.verb == "edit" else 0

    return sorted(ones, key=lambda one: (phase(one), places[one.hack]))


# ---------------------------------------------------------------- what stands at a place


def row_key(name: str, low: int) -> str:
    return slug(name) if name else str(low)


def low_of(entry: Entry, key: str) -> str:
    """The lowest face of a row; another row may cover it."""
    rows = entry.table.rows if entry.table is not None else ()
    return next((str(row.low) for row in rows if row_key(row.name, row.low) == key), "")


def at_place(entry: Entry, path: Path) -> str | None:
    """The words of a field, slot, row, step or line of the entry itself."""
    key = path[-1]
    if path == (PROSE,):
        return prose_in_words(entry.prose)
    if key == PROSE:
        return next((plain(step.prose) for step in entry.steps if slug(step.name) == path[0]), None)
    match path:
        case (first, _) if first == SLOTS:
            return next((slot_in_words(slot) for slot in entry.slots.values() if slug(slot.name) == key), None)
        case (first, _) if first == ROWS:
            rows = entry.table.rows if entry.table is not None else ()
            found = next((row for row in rows if row.name and slug(row.name) == key), None) or next(
                (row for row in rows if key.isdecimal() and row.covers(int(key))), None
            )
            return row_in_words(found) if found is not None else None
        case (_,) if key in entry.fields:
            return field_in_words(entry.fields[key])
    found_line = line_at(entry, path)
    if isinstance(found_line, Step):
        return lines_in_words(found_line.lines)
    return line_in_words(found_line) if found_line is not None else None


def place_in(entry: Entry, path: Path) -> Span | None:
    """Where an entry states it."""
    key = path[-1]
    if path == (PROSE,):
        return entry.prose[0].span if entry.prose else None
    if key == PROSE:
        return next((step.span for step in entry.steps if slug(step.name) == path[0]), None)
    if path[0] == SLOTS:
        return next((slot.span for slot in entry.slots.values() if slug(slot.name) == key), None)
    if path[0] == ROWS:
        rows = entry.table.rows if entry.table is not None else ()
        return next((row.span for row in rows if row_key(row.name, row.low) == key), None)
    if len(path) == 1 and key in entry.fields:
        return entry.fields[key].span
    found = line_at(entry, path)
    return found.span if found is not None else None


def labels_of(entry: Entry, operations: Iterable[Operation] = ()) -> dict[str, Path]:
    """Every place of an entry by how it is called: `Starts`, `Roll`, `Roll.Dice`, a row by its name or its faces; and those that only `operations`
    bring in.
    """
    found: dict[str, Path] = {}
    for row in entry.table.rows if entry.table is not None else ():
        found.setdefault(row.name or range_of(row), (ROWS, row_key(row.name, row.low)))
    for slot in entry.slots.values():
        found.setdefault(slot.name, (SLOTS, slug(slot.name)))
    for field in entry.fields.values():
        found[field.label] = (slug(field.label),)
    for label, path in lines_of((), entry.lines):
        found[label] = path
    for step in entry.steps:
        found[step.name] = (slug(step.name),)
        found |= {f"{step.name}.text": (slug(step.name), PROSE)} if any(step.prose) else {}
        found |= dict(lines_of((step.name,), step.lines))
    found.setdefault("text", (PROSE,))
    for one in operations:
        where = row_path(one) if isinstance(one.what, Row) else one.path
        if one.target == entry.id and one.label and where and where not in found.values():
            above = next((label for label, path in found.items() if path == where[:-1]), "")
            if isinstance(one.what, Line) and one.what.prose:
                found.setdefault(f"{one.label}.text", (*where, PROSE))
            found.setdefault(f"{above}.{one.label}" if above and where[-1] != PROSE else one.label, where)
    return found


def row_path(one: Operation) -> Path:
    """The place of a row that a hack states."""
    return (ROWS, row_key(one.what.name, one.what.low)) if isinstance(one.what, Row) else one.path


def lines_of(above: tuple[str, ...], lines: Iterable[Line]) -> Iterator[tuple[str, Path]]:
    for line in lines:
        names = (*above, line.label)
        if line.label:
            yield ".".join(names), tuple(map(slug, names))
        yield from lines_of(names if line.label else above, line.lines)
