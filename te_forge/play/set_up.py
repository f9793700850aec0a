"""From a loaded pack to the rules that a table plays by."""

from __future__ import annotations

import secrets
from collections.abc import Iterable

from te_forge.asked import Refused
from te_forge.compose import compose
from te_forge.compose.chosen import switched_on
from te_forge.engine.index import Rules
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
    return Rules(made.system)


def any_seed() -> str:
    """A seed that is short enough to type again."""
    return str(secrets.randbelow(10**9))
