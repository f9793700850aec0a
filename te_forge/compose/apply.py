"""The operations of all hacks, done to the entries: what replaces first, then what changes numbers and lists."""

from __future__ import annotations

from collections import ChainMap
from collections.abc import Mapping
from dataclasses import replace

from te_forge.check.names import slug
from te_forge.check.tables import check_ranges
from te_forge.compose import lines, values
from te_forge.compose.conflicts import overruled, place_of
from te_forge.compose.operations import ROWS, Operation
from te_forge.compose.order import Order
from te_forge.diagnostics import Findings
from te_forge.model.rules import Change, Thing
from te_forge.model.system import Entry, Field, Line, Row, Slot, System
from te_forge.suggest import nearest

CHANGES = ("adjust", "edit")


class Workshop:
    """The entries that are being changed."""

    def __init__(self, system: System, order: Order, findings: Findings) -> None:
        self.system, self.order, self.findings = system, order, findings
        self.entries = ChainMap[str, Entry]({}, dict_of(system))  # a hack of a large pack touches few of its entries
        self.stated: dict[tuple[str, str], str] = {}
        """Which hack has stated a field anew: what it needs has changed another value than this."""

    def run(self, found: list[Operation], excused: set[Operation]) -> Mapping[str, Entry]:
        """Do everything; `excused` are operations that quarrel, of which enough has been said."""
        excused = excused | overruled(found, self.order)
        waiting = [one for one in found if one.verb not in CHANGES]
        while waiting:
            left = [one for one in waiting if not self.replaces(one)]
            if len(left) == len(waiting):
                break
            waiting = left
        for one in waiting:
            if one not in excused:
                self.lost(one)
        self.changes([one for one in found if one.verb in CHANGES], excused)
        self.idle(found)
        self.settle(found)
        return self.entries

    # ------------------------------------------------------------ what replaces

    def replaces(self, one: Operation) -> bool:
        """Do it if its place is there."""
        entry = self.entries[one.target]
        match one.what:
            case Slot() as slot:
                made: Entry | None = replace(entry, slots=with_slot(entry, one.path[-1], slot))
            case tuple() as prose:
                made = replace(entry, prose=prose)
            case Row() as row:
                made = with_row(entry, row) if one.path == (ROWS,) else None
            case _:
                made = self.line(entry, one)
        if made is None:
            return False
        self.entries[one.target] = made
        return True

    def line(self, entry: Entry, one: Operation) -> Entry | None:
        key = one.path[0]
        if isinstance(one.what, Line) and one.what.value and one.verb == "set":
            self.stated[entry.id, key] = one.hack
            return replace(entry, fields={**entry.fields, key: values.stated(entry, one.what)})
        made = lines.applied(entry, one)
        if made is None and one.verb == "remove" and len(one.path) == 1 and values.found(entry, key, self.system) is not None:
            self.stated[entry.id, key] = one.hack
            return values.unset(entry, key, self.system)
        return made

    def lost(self, one: Operation) -> None:
        entry = self.entries[one.target]
        key = one.anchor[-1] if one.place is not None else one.path[-1]
        known = labels(entry)
        near = nearest(one.place.label if one.place is not None else one.label, known)
        what = one.place.label if one.place is not None else one.label
        twice = one.verb == "insert" and key in map(slug, known) and one.label in known
        self.findings.add(
            "duplicate-label" if twice else "unknown-target",
            f"{entry.name} has a line called `{one.label}` already" if twice else f"{entry.name} has no step, line or row called `{what}` any more, with what is switched on", one.span,
            help="choose another label" if twice else f"did you mean `{near}`?" if near and near != what else "another hack has removed it, or one that would bring it in is off",
        )  # fmt: skip

    # ------------------------------------------------------------ what changes

    def changes(self, found: list[Operation], excused: set[Operation]) -> None:
        by_field: dict[tuple[str, str], list[Operation]] = {}
        for one in found:
            by_field.setdefault((one.target, one.path[-1]), []).append(one)
        for (target, key), ones in sorted(by_field.items(), key=lambda item: (self.entries[item[0][0]].kind != "kind", item[0])):  # kinds first: their things fall back on them
            stated = self.order.below.get(self.stated.get((target, key), ""), frozenset())
            self.field(self.entries[target], key, [one for one in ones if one.hack not in stated], excused)

    def field(self, entry: Entry, key: str, ones: list[Operation], excused: set[Operation]) -> None:
        if not ones:
            return
        field = values.found(entry, key, replace(self.system, entries=self.entries))
        if field is None:
            for one in ones:
                if one not in excused:
                    self.findings.add("unknown-target", f"{entry.name} states no {one.label} that could be changed", one.span, help="state it anew: a value instead of a change")
            return
        made: Field | None = field
        if changes := values.changes_of(ones):
            made = values.adjusted(field, changes)
        if made is None:
            self.findings.add("wrong-type", f"{ones[0].label} of {entry.name} is no number that could be changed", ones[0].span, help="state it anew: a value instead of a change")
            return
        made = values.edited(made, values.edits_of(ones), self.system) if values.edits_of(ones) else made
        for one in idle(field, ones):
            self.nothing_new(one)
        self.entries[entry.id] = replace(entry, fields={**entry.fields, key: made})

    # ------------------------------------------------------------ what changes nothing

    def idle(self, found: list[Operation]) -> None:
        """Complain about what says again what stood there before, unless another hack says something of that entry: then it may be there to have the last word."""
        hacks: dict[str, set[str]] = {}
        for one in found:
            hacks.setdefault(one.target, set()).add(one.hack)
        for one in found:
            if one.verb in ("set", "adjust") and len(hacks[one.target]) == 1 and self.said_before(one):
                self.nothing_new(one)

    def said_before(self, one: Operation) -> bool:
        entry = self.system.entries[one.target]
        match one.what:
            case Change() as change:
                field = values.found(entry, one.path[-1], self.system)
                return field is not None and (made := values.adjusted(field, [change])) is not None and made.value == field.value
            case tuple() as prose:
                return [part.words for part in prose] == [part.words for part in entry.prose]
            case Slot() as slot:
                return any(slug(old.name) == one.path[-1] and (old.holds, old.default, slot.text or old.text) == (slot.holds, slot.default, old.text) for old in entry.slots.values())
            case Row() as row:
                return entry.table is not None and any((old.low, old.high, old.cells) == (row.low, row.high, row.cells) for old in entry.table.rows)
            case Line() as line if line.value:
                before = values.found(entry, one.path[-1], self.system)
                return before is not None and before.value == line.value
            case Line() as line:
                old_line = lines.line_at(entry, one.path)
                return old_line is not None and lines.said(old_line) == lines.said(line)
            case _:
                return False

    def nothing_new(self, one: Operation) -> None:
        self.findings.add("idle-patch", f"this changes nothing: {place_of(one, self.system)} is so already", one.span, severity="warning", help="leave the line out")

    # ------------------------------------------------------------ what must still be so

    def settle(self, found: list[Operation]) -> None:
        for id in sorted({one.target for one in found}):
            before, after = self.system.entries[id], self.entries[id]
            lines.check_chains(after, before, [one for one in found if one.target == id], self.findings)
            if after.table is not None and after.table != before.table:
                check_ranges(after.table.die, after.table.rows, after.table.span, self.findings)
            self.entries[id] = lines.settled(after)


def one_label(ones: list[Operation]) -> str:
    return ones[0].label


def idle(field: Field, ones: list[Operation]) -> list[Operation]:
    """Edits that put in what is there, or take out what is not."""
    return [one for one in ones for edit in values.edits_of([one]) if edit.add == (Thing(edit.thing) in field.value)]


def dict_of(system: System) -> dict[str, Entry]:
    return system.entries if isinstance(system.entries, dict) else dict(system.entries)


def with_slot(entry: Entry, key: str, slot: Slot) -> dict[str, Slot]:
    """The declared fields or values, one of them stated anew; what it leaves empty stays as it was."""
    old = next((one for one in entry.slots.values() if slug(one.name) == key), None)
    if old is None:
        return {**entry.slots, slot.name: slot}
    made = replace(slot, name=old.name, text=slot.text or old.text)
    return {name: made if name == old.name else one for name, one in entry.slots.items()}


def with_row(entry: Entry, row: Row) -> Entry | None:
    """The table with a row put in place of those whose faces it covers."""
    table = entry.table
    if table is None or row.high < row.low:
        return None
    rows = [one for one in table.rows if not (row.low <= one.low and one.high <= row.high) and not (row.name and one.name == row.name)]
    rows = sorted([*rows, row], key=lambda one: (one.low, one.high))
    return replace(entry, table=replace(table, rows=tuple(rows)))


def labels(entry: Entry) -> list[str]:
    """All labels of an entry, for `did you mean`."""
    standing = [*entry.lines, *(line for step in entry.steps for line in step.lines)]
    return [*(step.name for step in entry.steps), *(line.label for line in lines.walk(standing)), *(field.label for field in entry.fields.values())]
