"""Fields that hacks state anew, adjust and edit."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from math import gcd, prod

from te_forge.compose.operations import Operation
from te_forge.frozen import replace
from te_forge.keys import slug
from te_forge.model.rules import (
    Among,
    Arithmetic,
    Atom,
    Bonus,
    Bound,
    Change,
    Divide,
    Edit,
    Expr,
    Extreme,
    Hung,
    Int,
    Limit,
    Local,
    Nothing,
    Number,
    Price,
    Stat,
    Stored,
    Thing,
)
from te_forge.model.system import Entry, Field, Line, Ref, System, Words

FORMULAS = (Stat, Bound, Stored, Local, Hung, Arithmetic, Divide, Extreme, Among, Number)


def stated(entry: Entry, line: Line) -> Field:
    key = slug(line.label)
    return Field(f"{entry.id}#{key}", line.label, line.words, line.value, line.span)


def found(entry: Entry, key: str, system: System) -> Field | None:
    """The field of an entry: its own, or what its kind says for all of its things."""
    if key in entry.fields:
        return entry.fields[key]
    info = system.kinds.get(entry.kind)
    kind = system.entries.get(info.id) if info is not None else None
    if kind is None:
        return None
    if key in kind.fields:
        return replace(kind.fields[key], id=f"{entry.id}#{key}")
    slot = next((slot for slot in kind.slots.values() if slug(slot.name) == key), None)
    return Field(f"{entry.id}#{key}", slot.name, (slot.usual,), slot.default, slot.span) if slot is not None and slot.default is not None else None


def unset(entry: Entry, key: str, system: System) -> Entry:
    """Without the field; where the kind has one for all of its things, the entry says that it has none."""
    fields = {label: field for label, field in entry.fields.items() if label != key}
    usual = found(replace(entry, fields=fields), key, system)
    if usual is not None and usual.value != (Nothing(),):
        fields[key] = replace(usual, words=("nothing",), value=(Nothing(),))
    return replace(entry, fields=fields)


# ---------------------------------------------------------------- numbers


class Adjustment:
    """All the changes that are made to one number: added up, multiplied, rounded once (down when any of them says so), raised, lowered."""

    def __init__(self, changes: Sequence[Change]) -> None:
        self.plus = sum(change.amount if change.op == "more" else -change.amount for change in changes if change.op in ("more", "less"))
        times = prod(change.amount for change in changes if change.op in ("times", "up", "down"))
        over = prod(100 for change in changes if change.op in ("up", "down"))
        self.times, self.over = times // gcd(times, over), over // gcd(times, over)
        self.up = all(change.op != "down" for change in changes)
        self.floors = [change.amount for change in changes if change.op == "at least"]
        self.caps = [change.amount for change in changes if change.op == "at most"]

    def of(self, number: int) -> int:
        many = (number + self.plus) * self.times
        rounded = -(-many // self.over) if self.up else many // self.over
        return min([max([rounded, *self.floors]), *self.caps])

    def around(self, value: Expr, words: Words) -> tuple[Expr, Words]:
        """A formula with the changes written around it."""
        if self.plus:
            value = Arithmetic("+" if self.plus > 0 else "-", value, Int(abs(self.plus)))
            words = ("(", *words, f") {'+' if self.plus > 0 else '-'} {abs(self.plus)}")
        if (self.times, self.over) != (1, 1):
            value, words = Arithmetic("x", value, Int(self.times)), ("(", *words, f") x {self.times}")
        if self.over != 1:
            value, words = Divide(value, Int(self.over), self.up), (*words, f" / {self.over} rounded {'up' if self.up else 'down'}")
        if self.floors:
            value, words = Extreme("greater", value, Int(max(self.floors))), ("greater of (", *words, f") and {max(self.floors)}")
        if self.caps:
            value, words = Extreme("lesser", value, Int(min(self.caps))), ("lesser of (", *words, f") and {min(self.caps)}")
        return value, joined(words)


def adjusted(field: Field, changes: Sequence[Change]) -> Field | None:
    """The field with all changes made; None when it holds no number."""
    if len(field.value) != 1:
        return None
    atom, made = field.value[0], Adjustment(changes)
    value: Atom
    words: Words
    match atom:
        case Int(number):
            value = Int(made.of(number))
            words = (str(value.value),)
        case Price(number, pool):
            value = Price(made.of(number), pool)
            words = (f"{value.amount} ", *(word for word in field.words if isinstance(word, Ref)))
        case Limit(number, span):
            value = Limit(max(made.of(number), 0), span)
            words = ("once per " if value.times == 1 else f"{value.times} times per ", *(word for word in field.words if isinstance(word, Ref)))
        case _ if isinstance(atom, FORMULAS):
            value, words = made.around(atom, field.words)
        case _:
            return None
    return replace(field, value=(value,), words=words)


def joined(words: Words) -> Words:
    """Runs of plain words made one."""
    out: list[str | Ref] = []
    for word in words:
        if isinstance(word, str) and out and isinstance(out[-1], str):
            out[-1] += word
        else:
            out.append(word)  # type: ignore[arg-type]  # rule lines print no numbers of other rules
    return tuple(out)


# ---------------------------------------------------------------- lists


def edited(field: Field, edits: Sequence[Edit], system: System) -> Field:
    """The list with members put in and taken out."""
    parts = list(zip(field.value, members(field, system), strict=True)) if field.value != (Nothing(),) else []
    for edit in edits:
        present = any(atom == Thing(edit.thing) for atom, _ in parts)
        if edit.add and not present:
            parts.append((Thing(edit.thing), (name(edit.thing, system),)))
        elif not edit.add:
            parts = [part for part in parts if part[0] != Thing(edit.thing)]
    words: Words = ()
    for _, said in parts:
        words = (*words, ", ", *said) if words else said
    atoms: list[Atom] = [atom for atom, _ in parts]
    return replace(field, value=tuple(atoms) or (Nothing(),), words=joined(words) or ("nothing",))


def name(id: str, system: System) -> Ref:
    return Ref(id, system.entries[id].name if id in system.entries else id)


def members(field: Field, system: System) -> list[Words]:
    """The words of each member of a list."""
    parts = segments(field)
    if len(parts) == len(field.value):
        return parts
    return [(name(atom.id, system),) if isinstance(atom, Thing) else (str(atom),) for atom in field.value]


def segments(field: Field) -> list[Words]:
    """The words between the commas."""
    parts: list[list[str | Ref]] = [[]]
    for word in field.words:
        if isinstance(word, str):
            first, *rest = word.split(",")
            parts[-1].append(first)
            parts += [[one.lstrip()] for one in rest]
        else:
            parts[-1].append(word)  # type: ignore[arg-type]  # rule lines print no numbers of other rules
    return [tuple(word for word in part if word != "") for part in parts]


def only(field: Field, kept: Sequence[int]) -> Field:
    """The list with only these of its members, by their number."""
    atoms = [field.value[number] for number in kept]
    parts = segments(field)
    words: Words = ()
    for number in kept:
        words = (*words, ", ", *parts[number]) if words else parts[number]
    return replace(field, value=tuple(atoms), words=joined(words) if len(parts) == len(field.value) else field.words)


def summed(kept: Field, all_: Field) -> Field:
    """The list `kept`, with all the changes of one number that stand in `all_` added up."""
    amounts: Counter[str] = Counter()
    for atom in all_.value:
        if isinstance(atom, Bonus):
            amounts[atom.stat] += atom.amount
    if amounts == Counter({atom.stat: atom.amount for atom in kept.value if isinstance(atom, Bonus)}):
        return kept
    atoms = [Bonus(atom.stat, amounts[atom.stat]) if isinstance(atom, Bonus) else atom for atom in kept.value]
    parts = segments(kept)
    words: Words = ()
    for old, new, said in zip(kept.value, atoms, parts, strict=False):
        if isinstance(new, Bonus) and new != old:
            said = (*(word for word in said if isinstance(word, Ref)), f" {new.amount:+}")
        words = (*words, ", ", *said) if words else said
    return replace(kept, value=tuple(atoms), words=joined(words) if len(parts) == len(atoms) else kept.words)


# ---------------------------------------------------------------- all changes of one field


def changes_of(ones: Sequence[Operation]) -> list[Change]:
    return [one.what for one in ones if isinstance(one.what, Change)]


def changes_of_line(line: Line) -> list[Change]:
    """How a line of a patch changes a number; nothing when it does anything else."""
    return [atom for atom in line.value if isinstance(atom, Change)] if all(isinstance(atom, Change) for atom in line.value) else []


def edits_of(ones: Sequence[Operation]) -> list[Edit]:
    return [one.what for one in ones if isinstance(one.what, Edit)]
