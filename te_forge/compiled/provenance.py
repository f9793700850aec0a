"""Where each entry of a compiled pack comes from, and what the hacks that are on have made of it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from te_forge.compose.chosen import switched_on
from te_forge.compose.history import Chain, Historian
from te_forge.compose.operations import operations
from te_forge.model.system import Entry, System


class Provenance:
    """Tells of the entries of one system."""

    def __init__(self, system: System) -> None:
        self.system = system
        self.on = switched_on(system)
        done = [one for id in self.on for one in operations(system.entries[id], system) if one.target in system.entries]
        self.touched = {one.target for one in done}
        self.deleted = [one for one in done if one.verb == "delete"]
        self.historian = Historian(system, self.on) if self.touched else None

    def of(self, entry: Entry, pack: Mapping[str, Any]) -> dict[str, Any]:
        made: dict[str, Any] = {"defined_by": entry.pack, "file": entry.span.file, "line": entry.span.line}
        made |= {key: pack[key] for key in ("license", "sources") if key in pack}
        changes = self.changes(self.system.entries[entry.id]) if entry.id in self.touched else []
        return {**made, "modified_by": changes} if changes else made

    def changes(self, entry: Entry) -> list[dict[str, Any]]:
        """Each change by something that is on, with what stood there before and after; for people to read."""
        assert self.historian is not None
        chains = [self.historian.whole(entry), *self.historian.chains(entry)]
        return [one for chain in chains for one in told(chain)]

    def removed(self) -> list[dict[str, Any]]:
        """What is deleted by something that is on, and what stands for it."""
        return [{"uid": one.target, "by": one.hack, **({"replaced_by": str(one.what)} if one.what else {})} for one in self.deleted]


def told(chain: Chain) -> list[dict[str, Any]]:
    made = []
    before = chain.events[0].after
    for event in chain.events[1:]:
        made.append(
            {
                "pack": event.by.partition(":")[0],
                "by": event.by,
                "path": chain.label,
                "op": event.says,
                "before": before,
                "after": event.after,
                "file": event.span.file,
                "line": event.span.line,
            }
        )
        before = event.after
    return made
