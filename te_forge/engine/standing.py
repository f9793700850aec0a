"""Sentences that hold on their own: lines that no procedure comes to, with what stands in front of them."""

from __future__ import annotations

from collections.abc import Iterator

from te_forge.frozen import frozen, replace
from te_forge.model.rules import Bound, Condition, ForEach, If, Limit, Limited, Members, Sentence, Stat, Thing, While
from te_forge.model.system import Entry, Line


@frozen
class Standing:
    """A sentence that holds on its own: the entry and line that say it, and the conditions and limits in front of it."""

    entry: Entry
    line: Line
    conditions: tuple[Condition, ...]
    limits: tuple[Limit, ...]
    node: Sentence
    each: tuple[tuple[Members, str], ...] = ()
    """`each X may ..`, `for each X: ..`: it holds for every one of these, known by this word; where nobody owns it, it is theirs."""


def unwrapped(one: Standing) -> Iterator[Standing]:
    """A standing line without the `while`, `if`, limits and `for each` in front of it."""
    match one.node:
        case While(condition, body) | If(condition, body, False) if condition is not None:
            one = replace(one, conditions=(*one.conditions, condition))
        case Limited(limit, body):
            one = replace(one, limits=(*one.limits, limit))
        case ForEach(members, word, _, body):
            one = replace(one, each=(*one.each, (members, word)))
        case _:
            yield one
            return
    for node in body:
        yield from unwrapped(replace(one, node=node))


def stat_of(target: object) -> str:
    """The number that a change is about."""
    match target:
        case Stat(_, Thing(id)) | Bound(Stat(_, Thing(id)), _) | Bound(Thing(id), _):
            return id
        case _:
            return ""
