"""Two systems side by side, neither of which stands on the other: what both hold is held once, and kinds that both declare must be alike."""

from __future__ import annotations

from te_forge.diagnostics import Findings, Label
from te_forge.model.system import Entry, System
from te_forge.source import Span


def no_kind_twice(one: System | None, other: System, place: Span, findings: Findings) -> bool:
    """Complain about kinds that two required packs declare, each in its own way: what one of them says of its things would be read by the other's declaration. Equal ones are one kind."""
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
    both = [(one.entries[info.id], other.entries[other.kinds[name].id]) for name, info in one.kinds.items() if name in other.kinds and other.kinds[name].id != info.id]
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
