"""Which entries are in the game, and which hack comes after which."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from te_forge.check.lint_chains import ring_words
from te_forge.diagnostics import Findings, Label
from te_forge.frozen import frozen
from te_forge.model.pack import PackInfo
from te_forge.model.rules import Thing
from te_forge.model.system import Entry, System
from te_forge.source import Span
from te_forge.suggest import nearest

SWITCHES = ("hack", "reading")
"""Kinds of entries that a table switches on and off."""


def named(entry: Entry, label: str) -> tuple[str, ...]:
    """The ids that a field of `entry` names."""
    field = entry.fields.get(label)
    return tuple(atom.id for atom in field.value if isinstance(atom, Thing)) if field is not None else ()


def switch_of(entry: Entry, system: System) -> str:
    """The hack or reading that `entry` is a part of, however deep; empty for what is always there."""
    owner = entry.owner
    while owner is not None:
        if system.entries[owner].kind in SWITCHES:
            return owner
        owner = system.entries[owner].owner
    return ""


def parts_of(system: System, id: str) -> frozenset[str]:
    """What goes when `id` goes: its parts, and theirs."""
    out: set[str] = set()
    todo = [id]
    while todo:
        entry = system.entries.get(todo.pop())
        new = set(entry.parts if entry is not None else ()) - out
        out |= new
        todo += new
    return frozenset(out)


@frozen
class Order:
    """What is on, sorted so that each comes after those that it knows of.

    `needs` are those that it needs, directly and through others; `below` are these and whatever is in a pack that its own pack requires. Who knows of
    another has the last word; only who needs two that quarrel settles it.
    """

    on: tuple[str, ...]
    below: Mapping[str, frozenset[str]]
    needs: Mapping[str, frozenset[str]]

    def unordered(self, one: str, other: str) -> bool:
        return one != other and one not in self.below[other] and other not in self.below[one]


def order_of(system: System, on: Collection[str]) -> Order:
    """The order of what is on. It is made from ids alone, so that no order of packs or of switching on shows through."""
    ids = sorted(on)
    needs = {id: needed(id, system, on) for id in ids}
    by_pack: dict[str, list[str]] = {}
    for id in ids:
        by_pack.setdefault(system.entries[id].pack, []).append(id)
    required = {pack: frozenset(id for other in packs_below(pack, system) for id in by_pack.get(other, ())) for pack in by_pack}
    below = {id: needs[id] | required[system.entries[id].pack] for id in ids}
    return Order(tuple(sorted(on, key=lambda id: (len(below[id]), id))), below, needs)


def packs_below(pack: str, system: System) -> frozenset[str]:
    """The packs that a pack requires, directly and through others; and those that it may use, where they do not stand on it."""
    heads = {info.id: info for info in system.packs}
    below = required_by(pack, heads)
    more = [other for other in (heads[pack].optional if pack in heads else ()) if other in heads and pack not in required_by(other, heads)]
    return below.union(more, *(required_by(other, heads) for other in more)) - {pack}


def required_by(pack: str, heads: Mapping[str, PackInfo]) -> frozenset[str]:
    todo, seen = [pack], set[str]()
    while todo:
        info = heads.get(todo.pop())
        new = set(info.requires if info is not None else ()) - seen
        seen |= new
        todo += new
    return frozenset(seen)


def needed(id: str, system: System, on: Collection[str]) -> frozenset[str]:
    """All that `id` needs and that is on, without itself."""
    todo, seen = [id], set[str]()
    while todo:
        for other in named(system.entries[todo.pop()], "needs"):
            if other in on and other not in seen:
                seen.add(other)
                todo.append(other)
    return frozenset(seen - {id})


def known(system: System, on: Collection[str], findings: Findings) -> tuple[str, ...]:
    """The hacks and readings among `on`; complains about every other id."""
    switches = [entry.id for entry in system.entries.values() if entry.kind in SWITCHES]
    found = sorted(id for id in set(on) if id in switches)
    for id in sorted(set(on) - set(found)):
        near = nearest(id, switches)
        findings.add(
            "unknown-hack", f"there is no hack or reading `{id}`", system.entries[near].span if near else no_place(system),
            help=f"did you mean `{near}`?" if near else "it is named as in its heading",
        )  # fmt: skip
    return tuple(found)


def no_place(system: System) -> Span:
    return next(iter(system.entries.values())).span if system.entries else Span("pack.yaml", 1, 1, 1)


def check_rings(system: System, order: Order, findings: Findings) -> None:
    """Complain about hacks that need each other: each is to have the last word, so none has."""
    said: set[str] = set()
    for id in order.on:
        ring = ring_of(id, system, order)
        if ring and said.isdisjoint(ring):
            said |= set(ring)
            names = [system.entries[one].name for one in (*ring, id)]
            place = system.entries[id].fields["needs"].span
            findings.add(
                "circular-needs",
                "these hacks need each other: " + ring_words(names),
                place,
                help="one of them must do without, or they become one hack",
            )


def ring_of(id: str, system: System, order: Order) -> tuple[str, ...]:
    """The shortest way by needs from a hack back to itself, without its end; empty when there is none."""
    ways: list[tuple[str, ...]] = [(id,)]
    seen = set[str]()
    while ways:
        way = ways.pop(0)
        for other in sorted(set(named(system.entries[way[-1]], "needs")) & set(order.on)):
            if other == id:
                return way
            if other not in seen:
                seen.add(other)
                ways.append((*way, other))
    return ()


def check_needs(system: System, order: Order, findings: Findings) -> set[str]:
    """Complain about what is needed and off, and give it."""
    missing: set[str] = set()
    for id in order.on:
        entry = system.entries[id]
        for other in sorted(set(named(entry, "needs")) - set(order.on)):
            missing |= {other, *needed(other, system, system.entries)} - set(order.on)
            name = system.entries[other].name if other in system.entries else other
            findings.add(
                "missing-hack", f"{entry.name} needs {name}, and that is not on", entry.fields["needs"].span, help=f"switch {name} on as well: a line `- {name}` below `hacks:` in pack.yaml, or `--hack \"{name}\"` to try it"
            )  # fmt: skip
    return missing


def check_readings(system: System, order: Order, findings: Findings) -> None:
    """A ruling is read in one way."""
    readings: dict[str, list[Entry]] = {}
    for id in sorted(order.on):
        for ruling in named(system.entries[id], "answers"):
            readings.setdefault(ruling, []).append(system.entries[id])
    for ruling, found in sorted(readings.items()):
        if len(found) > 1:
            names = " and ".join(one.name for one in found)
            findings.add(
                "patch-conflict", f"{names} both answer {system.entries[ruling].name}", found[0].span, help="switch on one of them",
                labels=[Label(one.span, f"{one.name} answers it too") for one in found[1:]],
            )  # fmt: skip
