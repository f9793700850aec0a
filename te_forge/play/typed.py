"""What a person types about numbers and roles."""

from __future__ import annotations

from typing import Any

from te_forge.asked import Refused, whole
from te_forge.keys import slug
from te_forge.model import rules as m
from te_forge.play.names import entry_called, name, playable, somebody
from te_forge.play.table import Table


def number_called(table: Table, key: str) -> tuple[str, str] | None:
    """`Doom` (of the only one who has it) or `Ann.Might`: whose, and which."""
    who, _, stat = key.rpartition(".")
    found = next(
        (
            entry
            for entry in playable(table.rules)
            if table.rules.nature(entry.kind) == "number" and slug(stat) in (slug(entry.name), *map(slug, entry.aliases))
        ),
        None,
    )
    if found is None:
        return None
    if who:
        return somebody(table.rules, table.state, who), found.id
    reading = table.reading()
    owners = [one for one in reading.everybody() if reading.has_number(one, found.id)] or list(reading.things_with(found.id))
    if len(owners) != 1:
        raise Refused(
            f"{'nobody here has' if not owners else 'several have'} {found.name}; say whose: `{name(table.rules, owners[0]) if owners else 'Ann'}.{found.name}=..`"
        )
    return owners[0], found.id


def role_value(table: Table, holds: m.Holds, value: str) -> Any:
    match holds.type.name:
        case "number":
            return whole(value, f"the {holds.word}")
        case "group":
            return tuple(one_value(table, holds.type, part) for part in value.split(","))
        case "choice" | "text":
            return value
        case _:
            return one_value(table, holds.type, value)


def one_value(table: Table, wanted: m.Type, typed: str) -> str:
    """Somebody or something for a role."""
    if wanted.name in ("actor", "group"):
        return somebody(table.rules, table.state, typed)
    entries = [entry for entry in playable(table.rules) if entry.kind != "kind" and table.rules.is_a(entry.kind, wanted.kind or "entry")]
    return entry_called(typed, entries, wanted.kind or "entry").id
