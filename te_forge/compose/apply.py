"""The operations of all hacks, done to the entries: what replaces first, then what changes numbers and lists."""

from __future__ import annotations

from bisect import bisect_left, bisect_right, insort
from collections import ChainMap
from collections.abc import Iterable, Mapping, MutableMapping, Sequence
from operator import attrgetter

from te_forge.check.tables import check_ranges
from te_forge.compose import lines, values
from te_forge.compose.based import base_of, bases, by_depth, copied, depths, followers
from te_forge.compose.conflicts import overruled, place_of, quarrels_of
from te_forge.compose.drafts import Draft
from te_forge.compose.near import Near
from te_forge.compose.operations import PROSE, ROWS, Operation, Path, of_patch
from te_forge.compose.order import Order
from te_forge.compose.words import with_locals
from te_forge.diagnostics import Findings, Label
from te_forge.frozen import replace
from te_forge.keys import slug
from te_forge.model.rules import Text, Thing
from te_forge.model.system import Entry, Field, Line, RollTable, Row, Slot, System, plain
from te_forge.suggest import nearest

CHANGES = ("adjust", "edit")
NOBODY: Mapping[str, str] = {}


class Workshop:
    """The entries that are being changed."""

    def __init__(self, system: System, order: Order, findings: Findings, successors: Mapping[str, str] = NOBODY) -> None:
        self.system, self.order, self.findings, self.successors = system, order, findings, successors
        self.before = ChainMap[str, Entry]({}, dict_of(system))
        """The entries as they were before anything was done to themselves: copies are made anew of what is played."""
        self.entries = ChainMap[str, Entry]({}, dict_of(system))  # a hack of a large pack touches few of its entries
        self.by_target: dict[str, list[Operation]] = {}
        self.stated: dict[tuple[str, str], str] = {}
        """Which hack has stated a field anew: what it needs has changed another value than this."""
        self.drafts: dict[str, Draft] = {}
        """Entries of which lines or steps are being changed."""
        self.near: dict[str, Near] = {}
        self.grounds: dict[tuple[str, str], Mapping[str, Entry]] = {}
        self.sorted: set[str] = set()
        """Tables whose rows stand in the order of their faces. So each row that is stated anew is found without a look at all others."""

    def run(self, found: list[Operation], excused: set[Operation]) -> Mapping[str, Entry]:
        """Do everything; `excused` are operations that quarrel, of which enough has been said."""
        excused = excused | overruled(found, self.order)
        self.by_target = by_target(found)
        depth = depths(self.system)
        for level, ones in enumerate(by_depth(found, depth)):
            for entry in followers(self.system, depth, level) if level else ():
                self.follow(entry)
            self.stage(ones, excused)
        for guarded in (one for one in found if one.was is not None):
            self.guard(guarded)
        return self.entries

    def follow(self, entry: Entry) -> None:
        """Make a copy anew, if what it is based on is another than it was."""
        based = base_of(entry)
        assert based is not None
        now = self.successors.get(based.thing, based.thing)
        base = self.entries.get(now)
        if now != based.thing and entry.id in bases(now, self.system, self.successors):
            self.findings.add(
                "circular-definition", f"{entry.name} is based on {self.system.entries[based.thing].name} as played, and stands for it", entry.fields["based-on"].span,
                help=f"base it on {self.system.entries[based.thing].name} as printed",
            )  # fmt: skip
            return
        if base is None or base is self.system.entries.get(based.thing):
            return
        said = Findings()
        self.before[entry.id] = self.entries[entry.id] = derived(entry, base, replace(self.system, entries=self.entries), said)
        for one in said:
            if one.severity == "error":
                self.findings.append(one)

    def stage(self, found: list[Operation], excused: set[Operation]) -> None:
        """All that is done to entries of which none is a copy of another."""
        waiting = without_repeats(one for one in found if one.verb not in CHANGES)
        while waiting:
            left = [one for one in waiting if not self.replaces(one)]
            if len(left) == len(waiting):
                break
            waiting = left
        for id, draft in self.drafts.items():
            self.entries[id] = draft.done(self.entries[id])
        self.drafts.clear()
        for one in waiting:
            if one not in excused:
                self.lost(one)
        self.changes([one for one in found if one.verb in CHANGES], excused)
        self.settle(found)

    # ------------------------------------------------------------ what replaces

    def draft(self, target: str) -> Draft:
        if target not in self.drafts:
            self.drafts[target] = Draft(self.entries[target])
        return self.drafts[target]

    def replaces(self, one: Operation) -> bool:
        """Do it if its place is there."""
        if isinstance(one.what, Row) and one.target not in self.sorted:
            self.entries[one.target] = with_sorted_rows(self.entries[one.target])
            self.sorted.add(one.target)
        before = self.said_of(one) if one.verb != "remove" else None
        if not self.does(one):
            return False
        if one.verb != "remove" and before == self.said_of(one) and not self.shared(one):
            self.idle(one)
        return True

    def does(self, one: Operation) -> bool:
        entry = self.entries[one.target]
        match one.what:
            case Slot() as slot:
                made: Entry | None = replace(entry, slots=with_slot(entry, one.path[-1], slot))
            case Row() as row:
                made = with_row(entry, row) if one.path == (ROWS,) else None
            case tuple() as proses if one.path != (PROSE,):
                return self.draft(one.target).tell(one.path[0], proses)
            case tuple() as proses:
                made = replace(entry, prose=proses)
            case _:
                return self.line(entry, one)
        if made is None:
            return False
        self.entries[one.target] = made
        return True

    def said_of(self, one: Operation) -> object:
        """What stands at the place of an operation."""
        entry = self.entries[one.target]
        match one.what:
            case Slot() as slot:
                return next(((old.holds, old.default, old.text) for old in entry.slots.values() if slug(old.name) == slug(slot.name)), None)
            case Row():
                rows = entry.table.rows if entry.table is not None else ()
                return [(rows[place].faces, rows[place].name, rows[place].cells) for place in replaced(rows, one.what)]
            case Line() as line if line.value:
                field = values.found(entry, one.path[0], self.system)
                return field.value if field is not None else None
            case tuple():
                return [prose.words for prose in entry.prose] if one.path == (PROSE,) else self.draft(one.target).told(one.path[0])
        return self.draft(one.target).said_at(one.path)

    def shared(self, one: Operation) -> bool:
        """Whether a hack that knows nothing of this one says something there too (both may say the same), or this settles a quarrel of others."""
        if one.target not in self.near:
            self.near[one.target] = Near(self.by_target[one.target])
        there = self.near[one.target].around(one)
        settled = [other for other in there if other.hack in self.order.below[one.hack]]
        return any(self.order.unordered(one.hack, other.hack) for other in there) or bool(quarrels_of(settled, {}, self.order))

    def idle(self, one: Operation) -> None:
        self.findings.add(
            "idle-patch", f"this changes nothing: {place_of(one, self.system)} is so already", one.span, severity="warning", help="leave the line out"
        )

    def line(self, entry: Entry, one: Operation) -> bool:
        key = one.path[0]
        if isinstance(one.what, Line) and one.what.value and one.verb == "set":
            self.stated[entry.id, key] = one.hack
            self.entries[entry.id] = replace(entry, fields={**entry.fields, key: values.stated(entry, one.what)})
            return True
        if self.draft(entry.id).apply(one):
            return True
        if one.verb == "remove" and len(one.path) == 1 and values.found(entry, key, self.system) is not None:
            self.stated[entry.id, key] = one.hack
            self.entries[entry.id] = values.unset(entry, key, self.system)
            return True
        return False

    def lost(self, one: Operation) -> None:
        entry = self.entries[one.target]
        key = one.anchor[-1] if one.place is not None else one.path[-1]
        known = labels(entry)
        near = nearest(one.place.label if one.place is not None else one.label, labels(self.before[one.target]))
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
        for (target, key), ones in sorted(
            by_field.items(), key=lambda item: (self.entries[item[0][0]].kind != "kind", item[0])
        ):  # kinds first: their things fall back on them
            stated = self.order.below.get(self.stated.get((target, key), ""), frozenset())
            self.field(self.entries[target], key, [one for one in ones if one.hack not in stated], excused)

    def field(self, entry: Entry, key: str, ones: list[Operation], excused: set[Operation]) -> None:
        if not ones:
            return
        field = values.found(entry, key, replace(self.system, entries=self.entries))
        if field is None:
            for one in ones:
                if one not in excused:
                    self.findings.add(
                        "unknown-target",
                        f"{entry.name} states no {one.label} that could be changed",
                        one.span,
                        help="state it anew: a value instead of a change",
                    )
            return
        made: Field | None = field
        if changes := values.changes_of(ones):
            made = values.adjusted(field, changes)
        if made is None:
            self.findings.add(
                "wrong-type",
                f"{ones[0].label} of {entry.name} is no number that could be changed",
                ones[0].span,
                help="state it anew: a value instead of a change",
            )
            return
        made = values.edited(made, values.edits_of(ones), self.system) if values.edits_of(ones) else made
        for one in idle(field, made, ones):
            self.idle(one)
        self.entries[entry.id] = replace(entry, fields={**entry.fields, key: made})

    # ------------------------------------------------------------ what was expected

    def ground(self, hack: str, target: str) -> Mapping[str, Entry]:
        """The entries as a hack finds one of them: with the changes of what it needs."""
        if (hack, target) not in self.grounds:
            below = [other for other in self.by_target[target] if other.hack in self.order.below[hack]]
            self.grounds[hack, target] = (
                Workshop(self.system, self.order, Findings()).run([replace(other, was=None) for other in below], set())
                if below
                else self.system.entries
            )
        return self.grounds[hack, target]

    def guard(self, one: Operation) -> None:
        """Complain when a hack expects another value than the one that it builds on: that of the pack, with the changes of what it needs."""
        assert one.was is not None
        entries = self.ground(one.hack, one.target)
        field = values.found(entries[one.target], one.path[-1], replace(self.system, entries=entries))
        if field is None or field.value != one.was.value:
            now = plain(field.words) if field is not None else "not stated"
            self.findings.add(
                "stale-patch", f"{place_of(one, self.system)} was to be `{plain(one.was.words)}` before this change, and is `{now}`", one.span,
                help="look whether the change still holds, and then say what was there: `(was ..)`", labels=[Label(field.span, "it is here")] if field is not None else (),
            )  # fmt: skip

    # ------------------------------------------------------------ what must still be so

    def faces(self, table: RollTable, ones: list[Operation]) -> None:
        """Every face of the die still has its row; what is wrong is a mistake of the hack that has changed the rows."""
        wrong = Findings()
        check_ranges(table.die, table.rows, table.span, wrong)
        stated = {one.span for one in ones}
        for each in wrong:
            outside = each.span not in stated and bool(ones)
            self.findings.append(replace(each, span=ones[-1].span, labels=(*each.labels, Label(each.span, "the table is here"))) if outside else each)

    def settle(self, found: list[Operation]) -> None:
        by_target: dict[str, list[Operation]] = {}
        for one in found:
            by_target.setdefault(one.target, []).append(one)
        for id, ones in sorted(by_target.items()):
            before, after = self.before[id], self.entries[id]
            lines.check_chains(after, before, ones, self.findings)
            if after.table is not None and after.table != before.table:
                self.faces(after.table, [one for one in ones if isinstance(one.what, Row)])
            self.entries[id] = with_locals(lines.settled(with_aliases(after, before)), before)


def derived(own: Entry, base: Entry, system: System, findings: Findings) -> Entry:
    """A copy of `base` that is changed as `own` says of itself."""
    made = copied(own, base)
    if own.based is None:
        return made
    ground = replace(system, entries=ChainMap({own.id: replace(made, based=None)}, dict_of(system)))
    alone = Order((own.id,), {own.id: frozenset()}, {own.id: frozenset()})
    done = Workshop(ground, alone, findings)
    ones = list(of_patch(own.id, own.based, ground))
    done.by_target = by_target(ones)
    done.stage(ones, overruled(ones, alone))
    for one in (one for one in ones if one.was is not None):
        done.guard(one)
    return replace(done.entries[own.id], based=own.based)


def without_repeats(found: Iterable[Operation]) -> list[Operation]:
    """What several hacks remove is gone once."""
    removed: set[tuple[str, Path]] = set()
    kept: list[Operation] = []
    for one in found:
        if one.verb != "remove" or (one.target, one.path) not in removed:
            kept.append(one)
        if one.verb == "remove":
            removed.add((one.target, one.path))
    return kept


def with_aliases(entry: Entry, before: Entry) -> Entry:
    """Other names are found by whoever looks for the entry, so they change with the line that states them."""
    old, new = (texts(one.fields.get("also-called")) for one in (before, entry))
    return entry if old == new else replace(entry, aliases=(*(name for name in entry.aliases if name not in old), *new))


def texts(field: Field | None) -> tuple[str, ...]:
    return tuple(atom.text for atom in field.value if isinstance(atom, Text)) if field is not None else ()


def idle(field: Field, made: Field, ones: list[Operation]) -> list[Operation]:
    """Edits that put in what is there, or take out what is not; sums and products that come to nothing; and changes of one hack after which the
    number is as before.
    """
    edits = [one for one in ones for edit in values.edits_of([one]) if edit.add == (Thing(edit.thing) in field.value)]
    alone = made.value == field.value and len({one.hack for one in ones}) == 1
    return edits + [one for one in ones for change in values.changes_of([one]) if alone or change.amount == NEUTRAL.get(change.op)]


NEUTRAL = {"more": 0, "less": 0, "times": 1}


def by_target(found: list[Operation]) -> dict[str, list[Operation]]:
    out: dict[str, list[Operation]] = {}
    for one in found:
        out.setdefault(one.target, []).append(one)
    return out


def dict_of(system: System) -> MutableMapping[str, Entry]:
    return system.entries if isinstance(system.entries, MutableMapping) else dict(system.entries)


def with_slot(entry: Entry, key: str, slot: Slot) -> dict[str, Slot]:
    """The declared fields or values, one of them stated anew; what it leaves empty stays as it was."""
    old = next((one for one in entry.slots.values() if slug(one.name) == key), None)
    if old is None:
        return {**entry.slots, slot.name: slot}
    made = replace(slot, name=old.name, text=slot.text or old.text)
    return {name: made if name == old.name else one for name, one in entry.slots.items()}


def with_row(entry: Entry, row: Row) -> Entry | None:
    """The table with a row put in place of those whose faces it covers. A row of a tracker that says nothing is taken out; a die needs all of its
    rows.
    """
    table = entry.table
    if table is None or row.high < row.low:
        return None
    rows = list(table.rows)
    for place in reversed(replaced(rows, row)):
        del rows[place]
    gone = table.die == "at" and not any(cell.words for cell in row.cells.values())
    if not gone:
        insort(rows, row, key=low_and_high)
    return replace(entry, table=replace(table, rows=tuple(rows)))


def replaced(rows: Sequence[Row], row: Row) -> list[int]:
    """Where the rows stand that a row takes the place of: those whose faces it covers, and the one with its name. The rows are sorted."""
    near = (place for faces in row.faces for place in range(bisect_left(rows, faces.low, key=low), bisect_right(rows, faces.high, key=low)))
    found = {place for place in near if row.contains(rows[place])}
    if row.name:
        found.update(place for place, one in enumerate(rows) if one.name == row.name)
    return sorted(found)


def with_sorted_rows(entry: Entry) -> Entry:
    return replace(entry, table=replace(entry.table, rows=tuple(sorted(entry.table.rows, key=low_and_high)))) if entry.table is not None else entry


low, low_and_high = attrgetter("low"), attrgetter("low", "high")


def labels(entry: Entry) -> list[str]:
    """All labels of an entry, for `did you mean`."""
    standing = [*entry.lines, *(line for step in entry.steps for line in step.lines)]
    return [*(step.name for step in entry.steps), *(line.label for line in lines.walk(standing)), *(field.label for field in entry.fields.values())]
