"""Formulas as they are read aloud."""

from __future__ import annotations

from te_forge.check.const import SELF
from te_forge.model.rules import (
    Among,
    Arithmetic,
    Bound,
    Divide,
    Expr,
    Extreme,
    Group,
    Int,
    Local,
    Members,
    Number,
    Stat,
    Stored,
    Thing,
)
from te_forge.model.system import System


def in_words(expr: Expr, system: System) -> str:
    """A formula as it is read aloud."""
    match expr:
        case Int(number):
            return str(number)
        case Thing(id):
            return system.entries[id].name if id in system.entries else id.rpartition("#")[2]
        case Local(word):
            return f"the {word}"
        case Stat(of, stat):
            return in_words(stat, system) if of in SELF else f"{in_words(of, system)}'s {in_words(stat, system)}"
        case Stored(of, label):
            return label if of in SELF else f"{in_words(of, system)}'s {label}"
        case Bound(of, which):
            return f"{in_words(of, system)}'s {which}"
        case Arithmetic(op, left, right):
            return f"{operand(left, op, system)} {op} {operand(right, op, system)}"
        case Divide(left, right, up):
            return f"{in_words(left, system)} / {in_words(right, system)} rounded {'up' if up else 'down'}"
        case Extreme(op, left, right):
            return f"{op} of {in_words(left, system)} and {in_words(right, system)}"
        case Among(op, what, group):
            named = f"{op} {in_words(what, system)}" if what is not None else op
            return f"{named} of {group_words(group, system)}"
        case Number(group):
            return f"number of {group_words(group, system)}"
        case _:
            return "what it leans on"


def operand(expr: Expr, op: str, system: System) -> str:
    """A part of a sum or product, in brackets where they matter."""
    text = in_words(expr, system)
    return f"({text})" if op != "+" and isinstance(expr, Arithmetic) and expr.op != "x" else text


def group_words(group: Group, system: System) -> str:
    if not isinstance(group, Members):
        return "the dice"
    info = system.kinds.get(group.kind)
    if group.of is None:
        return info.plural if info else group.kind
    if info is not None and isinstance(group.of, Thing | Local):
        return f"{info.plural} in {in_words(group.of, system)}"
    return in_words(group.of, system)
