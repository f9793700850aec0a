"""From a loaded pack to the rules that a table plays by."""

from __future__ import annotations

import secrets
from collections.abc import Iterable

from te_forge.asked import Refused
from te_forge.compose import compose
from te_forge.compose.chosen import switched_on
from te_forge.compose.order import SWITCHES
from te_forge.engine.index import Rules
from te_forge.frozen import replace
from te_forge.model.system import System


def switches(system: System) -> tuple[str, ...]:
    """What is on: what the packs switch on."""
    return tuple(sorted(switched_on(system)))


def rules_of(system: System, on: Iterable[str]) -> Rules:
    """The rules with these hacks and readings on."""
    known = tuple(on)
    if missing := [id for id in known if id not in system.entries]:
        raise Refused(f"this pack has no `{missing[0]}` that could be switched on")
    made = compose(system, known)
    if wrong := next((one for one in made.diagnostics if one.severity == "error"), None):
        raise Refused(f"these hacks and readings do not go together: {wrong.message}" + (f"; {wrong.help}" if wrong.help else ""))
    return Rules(with_patches(made.system, system))


def with_patches(made: System, written: System) -> System:
    """The game as it is played, with what its hacks and readings change as it is written: it is done, but somebody may want to read it."""
    said = {id: entry.patches for id, entry in written.entries.items() if entry.patches and entry.kind in SWITCHES and id in made.entries}
    return replace(made, entries={**made.entries, **{id: replace(made.entries[id], patches=patches) for id, patches in said.items()}})


def any_seed() -> str:
    """A seed that is short enough to type again."""
    return str(secrets.randbelow(10**9))
