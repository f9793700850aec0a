"""Hacks that quarrel: two that know nothing of each other and say different things about one place."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations

from te_forge.compose.lines import said
from te_forge.compose.near import Near, faces
from te_forge.compose.operations import Operation
from te_forge.compose.order import Order, named
from te_forge.diagnostics import Findings, Label
from te_forge.model.rules import Edit
from te_forge.model.system import Line, Row, Slot, System

Quarrels = list[tuple[Operation, Operation]]


def check_conflicts(found: list[Operation], order: Order, system: System, parts: Mapping[str, frozenset[str]], findings: Findings) -> set[Operation]:
    """Complain about every quarrel; gives the operations that take part in one. `parts` are the entries that go with a deleted one."""
    overruled_ones = {one for one, _ in overruling(found, order.needs)}
    quarrels = quarrels_of((one for one in found if one not in overruled_ones), parts, order)
    rivals = [pair for pair in quarrels if set(named(system.entries[pair[0].hack], "answers")) & set(named(system.entries[pair[1].hack], "answers"))]
    said_of: dict[Operation, list[Operation]] = {}
    rivalry = set(rivals)
    for one, other in (pair for pair in quarrels if pair not in rivalry):  # two answers to one ruling have been named already
        said_of.setdefault(one, []).append(other)
    for one, others in said_of.items():
        report(one, others, system, findings)
    return {one for pair in quarrels for one in pair}


def quarrels_of(found: Iterable[Operation], parts: Mapping[str, frozenset[str]], order: Order) -> Quarrels:
    """Every two operations of hacks that know nothing of each other and that cannot both be done."""
    live = sorted(found, key=lambda one: (one.hack, one.span, one.path, one.verb))
    at = {one: number for number, one in enumerate(live)}
    pairs = {
        (one, other) if at[one] < at[other] else (other, one)
        for one, other in meetings(live, parts)
        if order.unordered(one.hack, other.hack) and quarrel(one, other)
    }
    return sorted(pairs, key=lambda pair: (pair[0].target, at[pair[0]], at[pair[1]]))


def meetings(live: Sequence[Operation], parts: Mapping[str, frozenset[str]]) -> Iterator[tuple[Operation, Operation]]:
    """Two at a time, the operations that may quarrel because of where they are; who deletes an entry deletes its parts too.

    Not all on one entry: of a large pack many hacks may touch the same one, each elsewhere in it.
    """
    by_target: dict[str, list[Operation]] = {}
    for one in live:
        by_target.setdefault(one.target, []).append(one)
    for one in live:
        if one.verb == "delete":
            for target in {one.target, *parts.get(one.target, ())}:
                yield from ((one, other) for other in by_target.get(target, ()) if other is not one)
    for ones in by_target.values():
        yield from on_one_entry([one for one in ones if one.verb != "delete"])


def on_one_entry(ones: Sequence[Operation]) -> Iterator[tuple[Operation, Operation]]:
    by_place: dict[object, list[Operation]] = {}
    for one in ones:
        for place in faces(one) or [one.path]:
            by_place.setdefault(place, []).append(one)
    for together in by_place.values():
        firm = [one for one in together if one.verb != "adjust"]
        yield from combinations(firm, 2)
        yield from ((one, other) for one in together if one.verb == "adjust" for other in firm if other.verb == "remove")
    for one in ones:
        above = [one.path[:length] for length in range(1, len(one.path))] + ([one.anchor] if one.verb == "insert" else [])
        yield from ((one, other) for place in above for other in by_place.get(place, ()) if other is not one)


def overruled(found: Iterable[Operation], order: Order) -> set[Operation]:
    """Operations on a place that a hack states anew which knows of the one that does them."""
    return {one for one, _ in overruling(found, order.below)}


def overruling(found: Iterable[Operation], below: Mapping[str, frozenset[str]]) -> Iterator[tuple[Operation, Operation]]:
    """Each operation of which another, of a hack that knows of it, leaves nothing; and that other."""
    by_target: dict[str, list[Operation]] = {}
    for one in found:
        by_target.setdefault(one.target, []).append(one)
    for ones in by_target.values():
        above = [one for one in ones if below[one.hack]]
        near = Near(ones if above else ())
        yield from ((one, other) for other in above for one in near.under(other) if one.hack in below[other.hack] and overrules(other, one))


def note_last_words(found: Iterable[Operation], order: Order, system: System, findings: Findings) -> None:
    """Say where a hack overrules one of a pack that its own pack requires, and does not say that it needs it."""
    for one, other in overruling(found, order.below):
        if one.hack not in order.needs[other.hack] and quarrel(one, other):
            upper, lower = system.entries[other.hack].name, system.entries[one.hack].name
            findings.add(
                "overruled-patch", f"{upper} has the last word over {place_of(other, system)}, where {lower} says something else", other.span, severity="note",
                help=f"its pack builds on that of {lower}; if this is meant, say so: `- Needs: {lower}`", labels=[Label(one.span, f"{lower}: {place_of(one, system)}")],
            )  # fmt: skip


def overrules(later: Operation, one: Operation) -> bool:
    """Whether what is said later of the same entry leaves nothing of `one`."""
    if later.verb == "edit":
        return one.verb == "edit" and later.path == one.path and thing(later) == thing(one)
    if later.verb == "adjust":
        return False
    if faces(later) or faces(one):
        return bool(faces(one)) and faces(one) <= faces(later)
    return one.path[: len(later.path)] == later.path


def quarrel(one: Operation, other: Operation) -> bool:
    if "delete" in (one.verb, other.verb):
        return one.verb != other.verb or one.what != other.what
    if faces(one) and faces(other):
        return bool(faces(one) & faces(other)) and meant(one) != meant(other)
    if one.path == other.path:
        return differ(one, other)
    return disturbs(one, other) or disturbs(other, one)


def differ(one: Operation, other: Operation) -> bool:
    """Two operations on the very same place."""
    verbs = {one.verb, other.verb}
    if verbs == {"edit"}:
        return thing(one) == thing(other) and one.what != other.what
    if verbs & {"adjust", "edit"}:
        return "remove" in verbs
    return verbs != {"remove"} and (one.verb, meant(one), one.place) != (other.verb, meant(other), other.place)


def disturbs(one: Operation, other: Operation) -> bool:
    """Whether `one` takes away what `other` is said about: the line around it, or the line beside which it is put in."""
    if one.verb not in ("set", "remove"):
        return False
    around = len(other.path) > len(one.path) and other.path[: len(one.path)] == one.path
    return around or (one.verb == "remove" and other.verb == "insert" and other.anchor == one.path)


def thing(one: Operation) -> str:
    return one.what.thing if isinstance(one.what, Edit) else ""


def meant(one: Operation) -> object:
    """What an operation says, without the place where it is written."""
    match one.what:
        case Line() as line:
            return said(line)
        case Slot() as slot:
            return slot.holds, slot.default, slot.usual, slot.text
        case Row() as row:
            return row.faces, row.name, row.cells
        case tuple() as prose:
            return tuple(one.words for one in prose)
        case _:
            return one.what


# ---------------------------------------------------------------- how it is said

DONE = {
    "delete": "deletes it",
    "rename": "gives it a name",
    "remove": "removes it",
    "insert": "puts it in",
    "adjust": "changes it",
    "edit": "changes it",
    "set": "says what it is",
}


def report(one: Operation, others: list[Operation], system: System, findings: Findings) -> None:
    names = [system.entries[each.hack].name for each in (one, *others)]
    place = place_of(max((one, *others), key=lambda each: len(each.path)), system)
    both = " and ".join(dict.fromkeys(names))
    findings.add(
        "patch-conflict", f"{both} quarrel over {place}: {names[0]} {DONE[one.verb]}, {names[1]} {other_deed(one, others[0])}", one.span,
        help="switch one of them off, or write a hack that needs both and says what holds here",
        labels=[Label(each.span, f"{system.entries[each.hack].name}: {place_of(each, system)}") for each in others],
    )  # fmt: skip


def other_deed(one: Operation, other: Operation) -> str:
    return "says something else" if one.verb == other.verb else DONE[other.verb]


def place_of(one: Operation, system: System) -> str:
    """How a place is called: `Label` of A Name."""
    name = system.entries[one.target].name if one.target in system.entries else one.target
    return f"`{one.label}` of {name}" if one.label else name
