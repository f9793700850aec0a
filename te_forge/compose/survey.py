"""Which hacks and readings of some packs go together, looked at without switching any of them on.

It is read off what each of them does: two hacks quarrel where one of them does something and the other does something else. So the time that this
takes grows with what hacks say, not with how many sets of hacks there are.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Literal

from te_forge.compose.chapters import with_chapters
from te_forge.compose.conflicts import overruled, overruling, place_of, quarrel, quarrels_of
from te_forge.compose.mapping import ids_in
from te_forge.compose.mentions import stated
from te_forge.compose.near import faces
from te_forge.compose.operations import Operation, operations
from te_forge.compose.order import SWITCHES, Order, named, order_of, parts_of, switch_of
from te_forge.compose.telling import told
from te_forge.frozen import frozen
from te_forge.model.system import Entry, System
from te_forge.source import Span

How = Literal["same", "set, then changed", "changed together", "one after the other", "the last word"]


@frozen
class Side:
    """What one hack says about a place, and where."""

    hack: str
    says: str
    span: Span


@frozen
class Contest:
    """A place about which two hacks say different things."""

    place: str
    one: Side
    other: Side


@frozen
class Conflict:
    """Two hacks that cannot both be on. `settled_by` are hacks that need both and say what holds; `also` those that need one of the two, and cannot
    be on with the other.
    """

    one: str
    other: str
    contests: tuple[Contest, ...]
    settled_by: tuple[str, ...]
    also: tuple[str, ...]


@frozen
class Need:
    """A hack that needs another and says so (`stated`); that speaks of a part of another and does not say so (`unstated`); or that changes such a
    part, should it be there (`waits`).
    """

    hack: str
    needs: str
    span: Span
    how: Literal["stated", "unstated", "waits"]
    about: str = ""


@frozen
class Together:
    """A place about which several hacks say something, and all of it holds."""

    place: str
    how: How
    sides: tuple[Side, ...]


@frozen
class Survey:
    conflicts: tuple[Conflict, ...]
    needs: tuple[Need, ...]
    answers: Mapping[str, tuple[str, ...]]
    """By ruling, the readings that answer it: one of them at a time."""
    together: tuple[Together, ...]


def survey(system: System) -> Survey:
    system = with_chapters(system)
    switches = [entry for entry in system.entries.values() if entry.kind in SWITCHES]
    order = order_of(system, [entry.id for entry in switches])
    found = [one for entry in switches for one in operations(entry, system) if one.target in system.entries]
    parts = {one.target: parts_of(system, one.target) for one in found if one.verb == "delete"}
    answers = readings(switches)
    rivals = {frozenset((one, other)) for group in answers.values() for one in group for other in group if one != other}
    quarrels = [pair for pair in quarrels_of(found, parts, order) if frozenset((pair[0].hack, pair[1].hack)) not in rivals]
    return Survey(
        tuple(conflicts(quarrels, found, order, system)),
        (*stated_needs(switches), *unstated_needs(switches, found, order, system)),
        answers,
        (*together(found, quarrels, order, rivals, system), *last_words(found, order, system)),
    )


def readings(switches: Iterable[Entry]) -> dict[str, tuple[str, ...]]:
    found: dict[str, list[str]] = {}
    for entry in switches:
        for ruling in named(entry, "answers"):
            found.setdefault(ruling, []).append(entry.id)
    return {ruling: tuple(sorted(ids)) for ruling, ids in sorted(found.items()) if len(ids) > 1}


# ---------------------------------------------------------------- who cannot be on with whom


def conflicts(quarrels: list[tuple[Operation, Operation]], found: list[Operation], order: Order, system: System) -> Iterator[Conflict]:
    pairs: dict[tuple[str, str], list[tuple[Operation, Operation]]] = {}
    for one, other in quarrels:
        pairs.setdefault((one.hack, other.hack), []).append((one, other))
    of_hack: dict[str, list[Operation]] = {}
    for operation in found:
        of_hack.setdefault(operation.hack, []).append(operation)
    for (one_id, other_id), contested in sorted(pairs.items()):
        above = [id for id in order.on if one_id in order.needs[id] and other_id in order.needs[id]]
        settled = tuple(id for id in above if settles(id, contested, of_hack, order))
        also = tuple(id for id in order.on if (one_id in order.needs[id]) != (other_id in order.needs[id]) or (id in above and id not in settled))
        yield Conflict(one_id, other_id, tuple(contest(one, other, system) for one, other in contested), settled, also)


def settles(id: str, contested: list[tuple[Operation, Operation]], of_hack: Mapping[str, list[Operation]], order: Order) -> bool:
    """Whether a hack that needs both says what holds wherever they quarrel."""
    gone = overruled([*of_hack.get(id, ()), *(one for pair in contested for one in pair)], order)
    return all(one in gone or other in gone for one, other in contested)


def contest(one: Operation, other: Operation, system: System) -> Contest:
    deeper = max((one, other), key=lambda each: len(each.path))
    return Contest(place_of(deeper, system), side(one, system), side(other, system))


def side(one: Operation, system: System) -> Side:
    return Side(one.hack, told(one, system), one.span)


# ---------------------------------------------------------------- who needs whom


def stated_needs(switches: Iterable[Entry]) -> Iterator[Need]:
    for entry in switches:
        for other in named(entry, "needs"):
            yield Need(entry.id, other, entry.fields["needs"].span, "stated")


def unstated_needs(switches: list[Entry], found: list[Operation], order: Order, system: System) -> Iterator[Need]:
    """Hacks that speak of parts of others or change them, and do not say that they need them."""
    owners = {entry.id: switch for entry in system.entries.values() if (switch := switch_of(entry, system))}
    kinds = {name: info.id for name, info in system.kinds.items()}
    seen: set[tuple[str, str]] = set()
    spoken = [(*one, "unstated") for one in mentions(switches, system, kinds)]
    for hack, about, span, how in [*spoken, *((one.hack, one.target, one.span, "waits") for one in found)]:
        owner = owners.get(about)
        if owner is not None and owner != hack and owner not in order.needs[hack] and (hack, owner) not in seen:
            seen.add((hack, owner))
            yield Need(hack, owner, span, "waits" if how == "waits" else "unstated", about)


def mentions(switches: Iterable[Entry], system: System, kinds: Mapping[str, str]) -> Iterator[tuple[str, str, Span]]:
    """Whatever the parts of a hack speak of: the hack, the id, and where."""
    for entry in switches:
        for part in sorted(parts_of(system, entry.id)):
            for _, span, node in stated(system.entries[part]):
                for how, text in ids_in(node):
                    yield entry.id, (kinds.get(text, "") if how == "kind" else text.partition("#")[0]), span


# ---------------------------------------------------------------- what goes together without a word


def together(
    found: list[Operation], quarrels: list[tuple[Operation, Operation]], order: Order, rivals: set[frozenset[str]], system: System
) -> Iterator[Together]:
    """Places about which hacks that know nothing of each other both say something, without a quarrel."""
    quarrelled = {one for pair in quarrels for one in pair}
    places: dict[tuple[str, object], list[Operation]] = {}
    for one in found:
        if one.verb != "delete" and one not in quarrelled:
            places.setdefault((one.target, ("beside", one.anchor) if one.verb == "insert" else faces(one) or one.path), []).append(one)
    for _, ones in sorted(places.items(), key=lambda item: (item[0][0], str(item[0][1]))):
        strangers = [
            one for one in ones if any(order.unordered(one.hack, other.hack) and frozenset((one.hack, other.hack)) not in rivals for other in ones)
        ]
        if strangers:
            ordered = sorted(strangers, key=lambda one: (one.verb in ("adjust", "edit"), one.hack, one.span))
            yield Together(place_of(strangers[0], system), how(strangers), tuple(side(one, system) for one in ordered))


def last_words(found: list[Operation], order: Order, system: System) -> Iterator[Together]:
    """Where a hack overrules one of a pack that its own pack builds on."""
    pairs = (pair for pair in overruling(found, order.below) if pair[0].hack not in order.needs[pair[1].hack] and quarrel(*pair))
    for one, other in sorted(pairs, key=lambda pair: (pair[0].target, pair[0].hack, pair[1].hack, pair[0].span)):
        yield Together(place_of(other, system), "the last word", (side(one, system), side(other, system)))


def how(ones: list[Operation]) -> How:
    verbs = {one.verb for one in ones}
    if verbs & {"adjust", "edit"}:
        return "set, then changed" if verbs - {"adjust", "edit"} else "changed together"
    if verbs == {"insert"} and len({one.path for one in ones}) > 1:
        return "one after the other"
    return "same"
