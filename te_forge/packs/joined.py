"""Two systems side by side, neither of which stands on the other: what both hold is held once, and kinds that both declare must be alike."""

from __future__ import annotations

from te_forge.diagnostics import Findings, Label
from te_forge.frozen import frozen
from te_forge.model.system import Entry, System
from te_forge.source import Span


@frozen
class Brought:
    """A pack as one of those that are required brings it: which of these, the folder or file where it lies, where it is asked for, and the system
    with it.
    """

    by: str
    lies: str
    place: Span
    system: System


def one_state(brought: dict[str, Brought], here: Brought, findings: Findings) -> bool:
    """Complain about packs that two required packs bring in two states: a compiled pack holds what it stands on as that was, and beside it may lie
    another. `brought` is added to.
    """
    alike = True
    for info in here.system.packs:
        first = brought.setdefault(info.id, here)
        if first.by == here.by or same_pack(info.id, first.system, here.system):
            continue
        alike = False
        before = next(one.version for one in first.system.packs if one.id == info.id)
        states = (
            f"{before} in {first.lies} and {info.version} in {here.lies}"
            if before != info.version
            else f"in {first.lies} and in {here.lies}, both {info.version} and not alike"
        )
        findings.add(
            "pack-in-two-states", f"`{info.id}` is in this game twice: {states}", here.place, help="compile anew what is compiled, or take its folder, so that all of them stand on one",
            labels=[Label(one.place, f"`{one.by}` comes from {one.lies}") for one in (first, here)],
        )  # fmt: skip
    return alike


def same_pack(id: str, one: System, other: System) -> bool:
    """Whether two systems hold a pack in the same state, if both do. As a rule it was loaded once, and its things are the very same."""
    if not all(any(info.id == id for info in system.packs) for system in (one, other)):
        return True
    from te_forge.compiled.fingerprint import fingerprints  # few games have a pack twice

    mine, its = ({key: entry for key, entry in system.entries.items() if entry.pack == id} for system in (one, other))
    return (mine.keys() == its.keys() and all(entry is its[key] for key, entry in mine.items())) or fingerprints(one)[id] == fingerprints(other)[id]


def no_kind_twice(one: System | None, other: System, place: Span, findings: Findings) -> bool:
    """Complain about kinds that two required packs declare, each in its own way: what one of them says of its things would be read by the other's
    declaration. Equal ones are one kind.
    """
    pairs = unlike_kinds(one, other) if one is not None else []
    for mine, its in pairs:
        packs = f"`{mine.pack}` and `{its.pack}`"
        findings.add(
            "duplicate-name", f"{packs} both declare a kind called `{mine.name}`, and not alike", place, help="require only one of them, or have them share a third pack that declares it",
            labels=[Label(mine.span, f"it is in {mine.pack}"), Label(its.span, f"and in {its.pack}")],
        )  # fmt: skip
    return not pairs


def unlike_kinds(one: System, other: System) -> list[tuple[Entry, Entry]]:
    """The kinds of one name that two systems declare differently."""
    both = [
        (one.entries[info.id], other.entries[other.kinds[name].id])
        for name, info in one.kinds.items()
        if name in other.kinds and other.kinds[name].id != info.id
    ]
    return [pair for pair in both if declared(pair[0], one) != declared(pair[1], other)]


def declared(kind: Entry, system: System) -> object:
    """All that a kind says of its things."""
    info = system.kinds[kind.name]
    slots = {name: (slot.holds, slot.default, slot.usual) for name, slot in kind.slots.items()}
    return info.nature, info.of, info.plural, info.single, slots, {key: field.value for key, field in kind.fields.items() if key != "also-called"}


def joined(one: System, other: System) -> System:
    """Two systems side by side; what both hold is held once."""
    packs = tuple({pack.id: pack for pack in (*one.packs, *other.packs)}.values())
    chapters = tuple({chapter.id: chapter for chapter in (*one.chapters, *other.chapters)}.values())
    users = {id: tuple(dict.fromkeys((*one.users.get(id, ()), *other.users.get(id, ())))) for id in {**one.users, **other.users}}
    return System(packs, {**one.kinds, **other.kinds}, {**one.entries, **other.entries}, chapters, users)
