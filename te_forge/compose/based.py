"""Copies: what is based on something else, as it is printed or as it is played.

What a copy says of itself is a patch of the copy. So a copy is made in this order: what it is based on, with all that hacks make of that where it is
taken as played; then what it says of itself; and last what hacks say of the copy. Patches first, copies after: else what changes the one thing would
leave the other as it was, and nobody could say why.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from te_forge.check.lower import OF_ITSELF
from te_forge.compose.mapping import Mapper
from te_forge.compose.operations import Operation, of_patch
from te_forge.frozen import replace
from te_forge.keys import slug
from te_forge.model.rules import Based
from te_forge.model.system import Entry, System
from te_forge.renaming import Renaming

BASED_ON, *_ = OF_ITSELF
KEPT = tuple(map(slug, OF_ITSELF))


def base_of(entry: Entry) -> Based | None:
    """What an entry is based on, and how."""
    field = entry.fields.get(KEPT[0]) if entry.based is not None else None
    return next((atom for atom in field.value if isinstance(atom, Based)), None) if field is not None else None


def copied(own: Entry, base: Entry) -> Entry:
    """`base` under the name of `own`, which speaks of itself where `base` speaks of itself. Other names and parts are not copied: they belong to one
    thing.
    """
    made = Mapper({base.id: own.id}, Renaming({}), (), {own.id: own.name}, named={base.name, *base.aliases})(base)
    fields = {key: field for key, field in made.fields.items() if key not in KEPT}
    return replace(
        made, id=own.id, name=own.name, span=own.span, cites=tuple(dict.fromkeys((*own.cites, *base.cites))), aliases=own.aliases, owner=own.owner, parts=own.parts,
        fields={**{key: own.fields[key] for key in KEPT if key in own.fields}, **fields}, based=own.based, patches=(),
    )  # fmt: skip


def depths(system: System) -> dict[str, int]:
    """Each copy that follows what is played, with the number of such steps down to what is none."""
    bases = {entry.id: based.thing for entry in system.entries.values() if entry.based is not None and (based := base_of(entry)) is not None}
    out: dict[str, int] = {}
    for id in bases:
        steps, at = 0, id
        while at in bases and steps <= len(bases):
            at, steps = bases[at], steps + 1
        out[id] = steps
    return out


def bases(id: str, system: System, successors: Mapping[str, str]) -> set[str]:
    """An entry and all that it is a copy of as played, by whatever way, with what stands for them now."""
    seen: set[str] = set()
    while id in system.entries and id not in seen:
        seen.add(id)
        based = base_of(system.entries[id])
        if based is None or based.printed:
            break
        id = successors.get(based.thing, based.thing)
    return seen


def by_depth(found: Iterable[Operation], depth: Mapping[str, int]) -> list[list[Operation]]:
    """Operations on what is no copy; on copies of that; on copies of those; and so on."""
    out: list[list[Operation]] = [[] for _ in range(max(depth.values(), default=0) + 1)]
    for one in found:
        out[depth.get(one.target, 0)].append(one)
    return out


def with_copies(found: Sequence[Operation], system: System) -> list[Operation]:
    """Operations, and those that a copy has from what it is based on: all but what it says otherwise itself, and new names and deletions."""
    by_target: dict[str, list[Operation]] = {}
    for one in found:
        by_target.setdefault(one.target, []).append(one)
    for id, _ in sorted(depths(system).items(), key=lambda item: item[1]):
        entry = system.entries[id]
        based = base_of(entry)
        if based is None or entry.based is None or based.printed or based.thing not in by_target:
            continue
        own = [one.path for one in of_patch(id, entry.based, system) if one.verb in ("set", "remove")]
        handed = [
            replace(one, target=id)
            for one in by_target[based.thing]
            if one.verb not in ("delete", "rename") and not any(one.path[: len(path)] == path for path in own)
        ]
        by_target[id] = [*handed, *by_target.get(id, ())]
    return [one for ones in by_target.values() for one in ones]


def followers(system: System, depth: Mapping[str, int], level: int) -> Sequence[Entry]:
    """The copies of one depth that are made of what is played."""
    return [
        system.entries[id]
        for id, steps in depth.items()
        if steps == level and (based := base_of(system.entries[id])) is not None and not based.printed
    ]
