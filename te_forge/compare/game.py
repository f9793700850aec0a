"""One side of a comparison: a game as it is played, and as it is written."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from te_forge.compose import compose
from te_forge.compose.based import with_copies
from te_forge.compose.chosen import switched_on
from te_forge.compose.operations import Operation, operations
from te_forge.compose.order import switch_of
from te_forge.model.system import System


@dataclass(frozen=True)
class Game:
    """`played` has what is on in it and no part of what is off; `written` has everything, with nothing on. `done`: by entry, what was done to it."""

    played: System
    written: System
    on: tuple[str, ...] = ()
    done: Mapping[str, tuple[Operation, ...]] = field(default_factory=dict)

    @cached_property
    def renames(self) -> tuple[Operation, ...]:
        """Every new name that is given; what has the old one in its own name has a new one too."""
        return tuple(one for ones in self.done.values() for one in ones if one.verb == "rename")

    def off(self, id: str) -> bool:
        """Whether the entry `id` is written and waits for its hack."""
        entry = self.written.entries.get(id)
        switch = switch_of(entry, self.written) if entry is not None else ""
        return bool(switch) and switch not in self.on

    def owner(self, id: str) -> str:
        """The hack or reading that the entry `id` is a part of."""
        entry = self.written.entries.get(id)
        return switch_of(entry, self.written) if entry is not None else ""


def game(system: System, on: Iterable[str] | None = None) -> Game:
    """The game with these hacks and readings on; without `on`, with those that its packs switch on."""
    made = compose(system, switched_on(system) if on is None else on)
    done: dict[str, list[Operation]] = {}
    for one in with_copies([one for hack in made.on for one in operations(system.entries[hack], system)], system):
        done.setdefault(one.target, []).append(one)
    return Game(made.system, system, made.on, {id: tuple(ones) for id, ones in done.items()})


def foundation(system: System) -> System | None:
    """What the pack builds on, as it is without the pack; None when it builds on nothing."""
    own = system.pack.id
    if len(system.packs) < 2:
        return None
    entries = {id: entry for id, entry in system.entries.items() if entry.pack != own}
    users = {
        id: kept for id, all_ in system.users.items() if id.partition("#")[0] in entries and (kept := tuple(user for user in all_ if user in entries))
    }
    kinds = {name: kind for name, kind in system.kinds.items() if kind.id in entries}
    return System(system.packs[:-1], kinds, entries, tuple(one for one in system.chapters if not one.id.startswith(f"{own}:")), users)


def origin(system: System) -> Game | None:
    """What a game is held against to say what it changed: the packs that it builds on, or its own rules without the hacks that are on."""
    base = foundation(system)
    if base is not None:
        return game(base)
    return game(system, ()) if switched_on(system) else None


def printable(system: System, on: Collection[str]) -> System:
    """The game as its book shows it: as it is played, and with the parts and changes of what is off, in the names of this game."""
    return compose(system, on, keep_off=True).system
