"""From a loaded pack to a table."""

from __future__ import annotations

import secrets
from dataclasses import replace

from te_forge.engine.index import Rules
from te_forge.model.system import Entry, System

PARTS_OF_NOTHING = ("hack", "reading")


def in_play(system: System) -> System:
    """The system without what belongs to hacks and readings that are not switched on."""

    def optional(entry: Entry) -> bool:
        while entry.owner is not None and entry.owner in system.entries:
            entry = system.entries[entry.owner]
            if entry.kind in PARTS_OF_NOTHING:
                return True
        return False

    return replace(system, entries={id: entry for id, entry in system.entries.items() if not optional(entry)})


def rules_of(system: System) -> Rules:
    return Rules(in_play(system))


def any_seed() -> str:
    """A seed that is short enough to type again."""
    return str(secrets.randbelow(10**9))
