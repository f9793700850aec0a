"""Numbers that are known before anybody plays.

A stated number, a start, a default: `Known.value` works an expression out over what entries state, exactly, or says None when the answer
depends on play. `Known.needs` is the walk over the same expressions that tells what a formula leans on. Neither ever loops: a formula
that leans on itself is None here and a `circular-definition` there.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from functools import cached_property
from typing import NamedTuple

from te_forge.keys import slug
from te_forge.model.rules import (
    Among,
    Arithmetic,
    Bound,
    Divide,
    Expr,
    Extreme,
    Filter,
    Group,
    Holds,
    Int,
    Local,
    Members,
    Number,
    Stat,
    Stored,
    Thing,
    Value,
)
from te_forge.model.system import Entry, Slot, System

NUMBERS = (Int, Thing, Local, Stat, Bound, Stored, Arithmetic, Divide, Extreme, Among, Number)
FIELD_OF = {"start": "starts", "most": "at-most", "least": "at-least"}
OPTIONAL = ("hack", "reading")
DEEPEST = 120
"""So deep may formulas lie in one another, through all the definitions that they lean on; behind that, nothing is worked out before play."""
GREATEST = 10**15
"""No rulebook has a greater number; a formula that squares and squares stops here."""


class Path(NamedTuple):
    """The definitions that are being worked out, how deep the formulas lie by now, and the field that is kept out of it, if any."""

    seen: frozenset[Need] = frozenset()
    depth: int = 0
    without: Need | None = None

    def into(self, *need: Need) -> Path:
        return Path(self.seen.union(need) if need else self.seen, self.depth + 1, self.without)


START = Path()
SELF = (Local("owner"), Local("member"))
Need = tuple[str, str]
"""What a formula leans on: an entry or kind by id, and `start`, `most`, `least` or the slug of a field."""


def expression(value: Value) -> Expr | None:
    """The number or formula that a field states, if it states one and nothing else."""
    if len(value) == 1 and isinstance(value[0], NUMBERS):
        return value[0]
    return None


class Known:
    """What the entries of a system state. `on`: the hacks and readings of which it is certain that they are on."""

    def __init__(self, system: System, on: Collection[str] = ()) -> None:
        self.system, self.on = system, on
        self.slots: dict[str, dict[str, Slot]] = {}
        self.done: dict[tuple[str, ...], int | None] = {}
        self.done_without: Need | None = None
        self.formulas: dict[Need, tuple[Expr, Entry] | None] = {}

    @cached_property
    def numbers(self) -> dict[str, list[Entry]]:
        """The numbers of the system by the slugs of their names."""
        found: dict[str, list[Entry]] = {}
        for entry in self.system.entries.values():
            if self.nature(entry) == "number":
                found.setdefault(slug(entry.name), []).append(entry)
        return found

    # ------------------------------------------------------------ looking things up

    def nature(self, entry: Entry) -> str:
        info = self.system.kinds.get(entry.kind)
        return info.nature if info else ""

    def kind_entry(self, kind: str) -> Entry | None:
        info = self.system.kinds.get(kind)
        return self.system.entries.get(info.id) if info else None

    def slot(self, kind: str, key: str) -> Slot | None:
        """The declared field `key` of a kind."""
        if kind not in self.slots:
            made = self.kind_entry(kind)
            self.slots[kind] = {slug(slot.name): slot for slot in reversed(tuple(made.slots.values()))} if made else {}
        return self.slots[kind].get(key)

    def number_of(self, kind: str, key: str) -> Entry | None:
        """The number called `key` that things of `kind` have."""
        found = self.numbers.get(key, [])
        return next((entry for entry in found if self.carries(kind, entry)), found[0] if len(found) == 1 else None)

    def carries(self, kind: str, number: Entry) -> bool:
        """Whether things of `kind` have this number."""
        info, made = self.system.kinds[number.kind], self.system.kinds.get(kind)
        of = {str(atom.type.kind or atom.type.name) for atom in holds(number)} or set(info.of)
        return kind in of or ("actor" in of and made is not None and made.nature == "actor")

    def rule(self, number: Entry, which: str) -> tuple[Expr, Entry] | None:
        """The formula of a number's start, most or least, and the entry that states it: the number itself or its kind."""
        for entry in (number, self.kind_entry(number.kind)):
            stated = entry.fields.get(FIELD_OF[which]) if entry else None
            made = expression(stated.value) if stated else None
            if entry is not None and made is not None:
                return made, entry
        return None

    def formula(self, owner: Entry, key: str) -> tuple[Expr, Entry] | None:
        """What the rules give for `owner`'s `key` when it states nothing: the default of its kind's field, or the start of that number."""
        if (owner.kind, key) not in self.formulas:
            self.formulas[owner.kind, key] = self.formula_of(owner.kind, key)
        return self.formulas[owner.kind, key]

    def formula_of(self, kind: str, key: str) -> tuple[Expr, Entry] | None:
        slot = self.slot(kind, key)
        made = expression(slot.default) if slot and slot.default else None
        entry = self.kind_entry(kind)
        if made is not None and entry is not None:
            return made, entry
        number = self.number_of(kind, key)
        return self.rule(number, "start") if number else None

    def key(self, expr: Expr) -> str | None:
        """The slug under which an owner states what `expr` (a stat or a field) names."""
        match expr:
            case Thing(id) if "#" not in id and id in self.system.entries:
                return slug(self.system.entries[id].name)
            case Stat(_, stat):
                return self.key(stat)
            case Stored(_, label):
                return slug(label)
            case _:
                return None

    # ------------------------------------------------------------ working out

    def bound(self, number: Entry, which: str) -> int | None:
        """A number's start, most or least, when it is the same for everybody."""
        made = self.rule(number, which)
        return self.value(made[0], None) if made else None

    def stated(self, owner: Entry, key: str, inside: Path = START) -> int | None:
        """The number that `owner` states as `key`, or that the rules give it."""
        if (owner.id, key) in inside.seen:
            return None
        memo = self.memo(inside)
        if (owner.id, key) not in memo:
            memo[owner.id, key] = self.work_out(owner, key, inside.into((owner.id, key)))
        return memo[owner.id, key]

    def memo(self, inside: Path) -> dict[tuple[str, ...], int | None]:
        """What has been worked out already: definitions that lean on each other by many ways would take for ever otherwise."""
        if inside.without != self.done_without:
            self.done, self.done_without = {}, inside.without
        return self.done

    def work_out(self, owner: Entry, key: str, inside: Path) -> int | None:
        field = owner.fields.get(key)
        if field is not None:
            made = expression(field.value)
            return self.value(made, owner, inside) if made is not None else None
        rule = self.formula(owner, key)
        return self.value(rule[0], owner, inside) if rule else None

    def value(self, expr: Expr, owner: Entry | None, inside: Path = START) -> int | None:
        """What `expr` is for `owner`, or None when only play can tell."""
        if inside.depth > DEEPEST:
            return None
        if isinstance(expr, Int):
            return expr.value
        inside = inside.into()
        match expr:
            case Arithmetic(op, left, right):
                return self.both(op, left, right, owner, inside)
            case Divide(left, right, up):
                return self.quotient(left, right, up, owner, inside)
            case Extreme(op, left, right):
                return self.both(op, left, right, owner, inside)
            case Thing() | Stat() | Stored():
                return self.looked_up(expr, owner, inside)
            case Bound(of, which) if which in FIELD_OF:
                return self.bound_value(of, which, owner, inside)
            case Among(op, what, group):
                return self.among(op, what, group, owner, inside)
            case Number(group):
                found = self.members(group, owner, inside)
                return None if found is None else len(found)
            case _:
                return None

    def both(self, op: str, left: Expr, right: Expr, owner: Entry | None, inside: Path) -> int | None:
        a, b = self.value(left, owner, inside), self.value(right, owner, inside)
        if a is None or b is None:
            return None
        made = {"+": a + b, "-": a - b, "x": a * b, "greater": max(a, b), "lesser": min(a, b)}[op]
        return made if abs(made) <= GREATEST else None

    def quotient(self, left: Expr, right: Expr, up: bool, owner: Entry | None, inside: Path) -> int | None:
        a, b = self.value(left, owner, inside), self.value(right, owner, inside)
        if a is None or b is None or b == 0:
            return None
        return -(-a // b) if up else a // b

    def looked_up(self, expr: Thing | Stat | Stored, owner: Entry | None, inside: Path) -> int | None:
        """`Bite` and `the owner's Bite` are the owner's; `Trap's Last` is Trap's; `the owner's Bait's Smell` is that of the one thing which the owner
        states as its Bait.
        """
        if isinstance(expr, Stat | Stored):
            owner = self.thing(expr.of, owner)
        key = self.key(expr)
        return self.stated(owner, key, inside) if owner is not None and key else None

    def thing(self, expr: Expr, owner: Entry | None) -> Entry | None:
        """The entry that is meant, if it is the same in every game."""
        match expr:
            case Thing(id):
                return self.system.entries.get(id)
            case Local("owner"):
                return owner
            case Stored(of, label) if (holder := self.thing(of, owner)) is not None:
                field, slot = holder.fields.get(slug(label)), self.slot(holder.kind, slug(label))
                value = field.value if field is not None else (slot.default or ()) if slot is not None else ()
                return self.system.entries.get(value[0].id) if len(value) == 1 and isinstance(value[0], Thing) else None
            case _:
                return None

    def bound_value(self, of: Expr, which: str, owner: Entry | None, inside: Path) -> int | None:
        number = self.number(of)
        if number is None or (number.id, which) in inside.seen:
            return None
        made = self.rule(number, which)
        done = (number.id, which, owner.id if owner else "")
        memo = self.memo(inside)
        if done not in memo:
            memo[done] = self.value(made[0], owner, inside.into((number.id, which))) if made else None
        return memo[done]

    def number(self, expr: Expr) -> Entry | None:
        """The number entry that `Might` or `the owner's Might` names."""
        match expr:
            case Thing(id):
                return self.system.entries.get(id)
            case Stat(_, stat):
                return self.number(stat)
            case Stored(_, label):
                found = self.numbers.get(slug(label), [])
                return found[0] if len(found) == 1 else None
            case _:
                return None

    def among(self, op: str, what: Expr | None, group: Group, owner: Entry | None, inside: Path) -> int | None:
        members = self.members(group, owner, inside)
        key = self.key(what) if what is not None else None
        if members is None or key is None:
            return None
        each = [self.stated(member, key, inside) for member in members]
        known = [number for number in each if number is not None]
        if len(known) < len(each) or (not known and op != "sum"):
            return None
        return sum(known) if op == "sum" else max(known) if op == "highest" else min(known)

    # ------------------------------------------------------------ groups

    def members(self, group: Group, owner: Entry | None, inside: Path) -> list[Entry] | None:
        """The entries of a group that an entry lists (`the owner's Effects`), or all of a kind that the book lists (`colours`)."""
        if not isinstance(group, Members) or group.other:
            return None
        if group.of is None:
            return self.narrowed(self.printed(group.kind), group, inside)
        if owner is None:
            return None
        match group.of:
            case Stored(Local("owner"), label) | Stat(Local("owner"), Stored(_, label)):
                listed = owner.fields.get(slug(label))
            case Local("owner") if group.kind:
                listed = owner.fields.get(slug(self.plural(group.kind)))
                if listed is None:  # what somebody has in play, no book knows
                    return None
            case _:
                return None
        if listed is None:
            return []
        found = [self.system.entries.get(atom.id) for atom in listed.value if isinstance(atom, Thing)]
        return self.narrowed([entry for entry in found if entry is not None], group, inside)

    def printed(self, kind: str) -> list[Entry] | None:
        """The things of a kind of which there are just as many as the book has. Of actors there may be more, and what a hack or reading brings in may
        be off.
        """
        info = self.system.kinds.get(kind)
        if info is None or info.nature == "actor":
            return None
        return [entry for entry in self.system.entries.values() if entry.kind == kind and not self.optional(entry)]

    def optional(self, entry: Entry) -> bool:
        owner = self.system.entries.get(entry.owner) if entry.owner else None
        return owner is not None and owner.kind in OPTIONAL and owner.id not in self.on

    def narrowed(self, known: list[Entry] | None, group: Members, inside: Path) -> list[Entry] | None:
        for where in group.where:
            known = self.filtered(known, where, inside) if known is not None else None
        return known

    def plural(self, kind: str) -> str:
        info = self.system.kinds.get(kind)
        return info.plural if info else kind + "s"

    def filtered(self, members: list[Entry], where: Filter, inside: Path) -> list[Entry] | None:
        if where.how == "except":
            return [entry for entry in members if entry.id not in where.things] if where.value is None else None
        key = self.key(where.key) if where.how == "whose" and where.key is not None else None
        right = self.value(where.value, None, inside) if where.value is not None else None
        if key is None or right is None or where.compare not in COMPARE:
            return None
        kept = []
        for entry in members:
            left = self.stated(entry, key, inside)
            if left is None:
                return None
            if COMPARE[where.compare](left, right) is not where.negated:
                kept.append(entry)
        return kept

    # ------------------------------------------------------------ what leans on what

    def needs(self, expr: Expr, kind: str) -> Iterator[Need]:
        """What must be known before `expr` is, for somebody of `kind`."""
        match expr:
            case Arithmetic(_, left, right) | Divide(left, right, _) | Extreme(_, left, right):
                yield from self.needs(left, kind)
                yield from self.needs(right, kind)
            case Bound(of, which):
                number = self.number(of)
                if number is not None and which in FIELD_OF:
                    yield number.id, which
            case Thing() | Stat() | Stored():
                yield from self.need(expr, kind)
            case Number(Members(of=Local("owner")) as group) | Among(_, _, Members(of=Local("owner")) as group):
                yield from ((one.id, "start") for one in self.numbers_in(group))
            case _:
                return

    def numbers_in(self, group: Members) -> list[Entry]:
        """The numbers of which a group takes those that the owner has: each has to be known for that."""
        known = [one for one in self.system.entries.values() if one.kind == group.kind and self.nature(one) == "number"]
        narrowed = self.narrowed(known, group, START)
        return known if narrowed is None else narrowed

    def need(self, expr: Thing | Stat | Stored, kind: str) -> Iterable[Need]:
        if isinstance(expr, Stat | Stored) and expr.of != Local("owner"):
            return
        key = self.key(expr)
        made = self.kind_entry(kind)
        if key and made is not None and self.slot(kind, key):
            yield made.id, key
        else:
            number = self.number(expr)
            if number is not None and self.nature(number) == "number":
                yield number.id, "start"


COMPARE = {
    "is": lambda a, b: a == b,
    "above": lambda a, b: a > b,
    "below": lambda a, b: a < b,
    "at least": lambda a, b: a >= b,
    "at most": lambda a, b: a <= b,
    "a multiple of": lambda a, b: b != 0 and a % b == 0,
}


def holds(number: Entry) -> list[Holds]:
    """What `Of:` says: whose number this is."""
    stated = number.fields.get("of")
    return [atom for atom in stated.value if isinstance(atom, Holds)] if stated else []
