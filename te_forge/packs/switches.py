"""Whether the hacks and readings of a pack do what they say: each by itself, and those together that are on."""

from __future__ import annotations

from te_forge.compose import compose, trial
from te_forge.compose.chapters import with_chapters
from te_forge.compose.chosen import switched_on
from te_forge.compose.mentions import Mentions
from te_forge.compose.order import SWITCHES
from te_forge.compose.tried import at_table
from te_forge.diagnostics import Diagnostic, Label
from te_forge.frozen import replace
from te_forge.model.system import System
from te_forge.packs.head import TOP, unknown_switches
from te_forge.safeyaml import Head
from te_forge.source import Span
from te_forge.tried import Tried


def switched(system: System, head: Head, wanted: Tried) -> tuple[System, list[Diagnostic]]:
    """A sound pack with what is `wanted` at the table, and what is wrong with its hacks and readings."""
    said = trials(system)
    unknown = unknown_switches(system, head)
    system = at_table(system, wanted)
    if wanted:
        return system, [*said, *unknown, *(one for one in composed(system) if one not in said)]
    return system, [*said, *unknown, *([] if unknown else together(system, head, said))]


def trials(system: System) -> list[Diagnostic]:
    """What is wrong with the pack's own hacks and readings, each by itself and whether it is on or not."""
    own = [entry for entry in system.entries.values() if entry.pack == system.pack.id and entry.kind in SWITCHES]
    files = {entry.span.file for entry in own}
    system = with_chapters(system) if own else system
    mentions = Mentions(system)
    return [one for entry in own for one in trial(system, entry.id, mentions) if one.span.file in files and one.severity != "note"]


def composed(system: System) -> list[Diagnostic]:
    """What is wrong with what is on, each finding where it stands among the hacks."""
    on = switched_on(system)
    return compose(system, on).diagnostics if on else []


def together(system: System, head: Head, said: list[Diagnostic]) -> list[Diagnostic]:
    """Whatever does not go together in what the pack has on and has not been `said`."""
    place = head.place(("hacks",), True) or head.place(("rulings",), True) or head.place(("requires",), True) or TOP
    found = [one for one in composed(system) if one not in said]
    wrong = [one for one in found if one.severity == "error"]
    other = {(one.code, one.message): one for one in reversed(found) if one.severity != "error"}
    return [*([at_head(wrong, place)] if wrong else []), *(at_head([one], place) for one in other.values())]


def at_head(wrong: list[Diagnostic], place: Span) -> Diagnostic:
    """What does not go together among hacks, of which some are other people's, as one finding of the pack that has switched them on."""
    first, *rest = wrong
    more = f", and {len(rest)} more of this sort" if rest else ""
    labels = [Label(first.span, "said here"), *first.labels, *(label for one in rest for label in (Label(one.span, one.message), *one.labels))]
    return replace(first, message=first.message + more, span=place, labels=tuple(labels))
