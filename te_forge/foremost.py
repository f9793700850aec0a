"""The procedures that people look for at the table, and not those that only do a part of the work of others."""

from __future__ import annotations

from collections.abc import Collection

from te_forge.compose.integrity import named_in, told
from te_forge.compose.mentions import stated
from te_forge.compose.order import SWITCHES
from te_forge.model.rules import Do
from te_forge.model.system import Entry, Prose, System
from te_forge.model.walk import nodes


def foremost(system: System, entries: Collection[Entry]) -> list[Entry]:
    """Of `entries`, the procedures with steps that no other rule among them runs, and those that the text of the book names: it is written for
    people. Where that leaves none, since all of them run each other, all of them.
    """
    ruling = [entry for entry in entries if entry.kind not in ("example", *SWITCHES)]
    run = {
        one.procedure
        for entry in ruling
        for _, _, meaning in stated(entry)
        for one in nodes(meaning)
        if isinstance(one, Do) and one.procedure != entry.id
    }
    named = {id for entry in ruling for _, _, words in told(entry) for id in named_in(words) if id != entry.id}
    named |= {id for chapter in system.chapters for item in chapter.items if isinstance(item, Prose) for id in named_in(item.words)}
    procedures = [entry for entry in ruling if entry.kind == "procedure" and entry.steps]
    return [entry for entry in procedures if entry.id not in run or entry.id in named] or procedures
