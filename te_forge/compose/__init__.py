"""The system that is played: the rules with the hacks and readings that a table has switched on.

`compose` is a function of the *set* of what is on. The steps: who is in the game (`order`), what the hacks do (`operations`), where they quarrel
(`conflicts`), doing it (`apply`), deleting and renaming (`whole`), and whether the result hangs together (`whole`, `flow`). Beside it stand what a
table tries (`tried`), which hacks go together (`survey`), and where a rule comes from (`history`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import field
from functools import partial

from te_forge.check.printed import check_printed, printed_anew
from te_forge.collector import collector_paused
from te_forge.compose.apply import Workshop, derived
from te_forge.compose.based import with_copies
from te_forge.compose.changes import Changes
from te_forge.compose.chapters import with_chapters, without_chapters
from te_forge.compose.conflicts import check_conflicts, note_last_words, overruled
from te_forge.compose.early import check_early
from te_forge.compose.flow import check_ends, check_flow, check_reached, check_words
from te_forge.compose.integrity import check_whole, left_out
from te_forge.compose.mentions import Mentions
from te_forge.compose.operations import Operation, operations
from te_forge.compose.order import SWITCHES, check_needs, check_readings, check_rings, known, needed, order_of, parts_of, switch_of
from te_forge.compose.whole import finished, whole, without
from te_forge.diagnostics import Diagnostic, Findings, has_errors, tidy
from te_forge.frozen import frozen, replace
from te_forge.model.system import System

__all__ = ["Composed", "compose", "derived", "switches", "trial"]


@frozen
class Composed:
    """`system` is what is played; it is to be trusted when none of the `diagnostics` is an error. `changed`: for each entry, what has changed it."""

    system: System
    diagnostics: list[Diagnostic]
    on: tuple[str, ...] = ()
    changed: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


@collector_paused()
def compose(system: System, on: Iterable[str] = (), keep_off: bool = False, mentions: Mentions | None = None, only_try: bool = False) -> Composed:
    """The system with these hacks and readings (by id) on, and without the parts of all others.

    `keep_off` is for a book, which also prints what is off: those parts and changes stay, in the names of this game. Nobody plays such a system, nor
    one that is `only_try`: that has the findings, and no more of the game than these needed. `mentions` are for who composes several games of one
    system.
    """
    system = with_chapters(system)
    findings, mentions = Findings(), mentions or Mentions(system)
    order = order_of(system, known(system, set(on), findings))
    missing = check_needs(system, order, findings)
    check_readings(system, order, findings)
    check_rings(system, order, findings)
    off = {entry.id for entry in system.entries.values() if (switch := switch_of(entry, system)) and switch not in order.on}
    found = [one for id in order.on for one in operations(system.entries[id], system)]
    there = [one for one in found if one.target not in off and one.target in system.entries]
    idle(system, [one for one in found if one.target in off], findings)
    parts = {one.target: parts_of(system, one.target) for one in there if one.verb == "delete"}
    quarrels = check_conflicts(there, order, system, parts, findings)
    dropped = overruled(there, order)
    note_last_words(there, order, system, findings)
    changes = Changes(
        off=frozenset() if keep_off else frozenset(off), on=frozenset(system.entries) if keep_off else frozenset(order.on), printed=frozenset(switches(system)) - set(order.on) if keep_off else frozenset(),
        deleted={one.target: (one, parts[one.target]) for one in there if one.verb == "delete" and one not in dropped},
        renamed={one.target: one for one in there if one.verb == "rename" and one not in dropped},
    )  # fmt: skip
    successors = changes.successors()
    made_of = Workshop(system, order, findings, successors).run(patches(there), quarrels)
    patched = replace(system, entries={id: made_of[id] for id in system.entries})
    done = [one for one in there if one not in dropped]
    made, mapper = whole(patched, system, changes, mentions, findings)
    strays = check_whole(made, patched, changes, missing, done, mentions, mapper, findings)
    made = without(made, strays) if only_try else left_out(finished(made, system), strays)
    check_words(made, system, done, findings)
    check_reached(made, system, done, findings)
    told = check_early(made, system, done, findings)
    for look in (partial(check_flow, told=told), check_ends):
        look(made, system, done, lambda id, some: Workshop(system, order, Findings(), successors).run(patches(some), quarrels)[id], findings)
    if order.on and not has_errors(findings):
        if only_try:
            check_printed(made, [id for id in made.entries if mentions.prints(patched.entries[id])], order.on, findings)
            return Composed(made, tidy(findings))
        made = printed_anew(made, order.on, findings)
    return Composed(without_chapters(made, system), tidy(findings), order.on, changed_by(with_copies(there, system)))


def trial(system: System, id: str, mentions: Mentions | None = None) -> list[Diagnostic]:
    """What is wrong with one hack or reading of a system `with_chapters`, by itself, with all that it needs on.

    The whole is only made where something that others may speak of is deleted, renamed, or taken from an entry, or where something of another one is
    spoken of that is not on. `mentions` are for who tries several hacks of one system.
    """
    mentions = mentions or Mentions(system)
    on = {id, *needed(id, system, system.entries)}
    order = order_of(system, on)
    found = [one for each in order.on for one in operations(system.entries[each], system) if one.target in system.entries]
    if any(one.verb in ("delete", "rename") or takes_away(one, mentions) for one in found if one.hack == id) or not on.issuperset(
        mentions.leaning.get(id, ())
    ):
        return compose(system, on, mentions=mentions, only_try=True).diagnostics
    findings = Findings()
    check_rings(system, order, findings)
    made = replace(system, entries=Workshop(system, order, findings).run(patches(found), set()))
    check_words(made, system, found, findings)
    check_reached(made, system, found, findings)
    told = check_early(made, system, found, findings)
    for look in (partial(check_flow, told=told), check_ends):
        look(made, system, found, lambda id, some: Workshop(system, order, Findings()).run(patches(some), set())[id], findings)
    return tidy(findings)


def takes_away(one: Operation, mentions: Mentions) -> bool:
    """Whether a step, a line or outcomes are taken from an entry of which something speaks."""
    return (one.verb == "remove" and any(one.path[-1] in part for part in mentions.parts.get(one.target, ()))) or (
        one.verb == "set" and one.path == ("outcomes",)
    )


def patches(found: Iterable[Operation]) -> list[Operation]:
    """The operations that change what an entry says; the others take it away or call it something else."""
    return [one for one in found if one.verb not in ("delete", "rename")]


def switches(system: System) -> list[str]:
    return [entry.id for entry in system.entries.values() if entry.kind in SWITCHES]


def changed_by(found: list[Operation]) -> dict[str, tuple[str, ...]]:
    out: dict[str, dict[str, None]] = {}
    for one in found:
        out.setdefault(one.target, {})[one.hack] = None
    return {id: tuple(hacks) for id, hacks in sorted(out.items())}


def idle(system: System, found: list[Operation], findings: Findings) -> None:
    """Changes to parts of hacks that are off: they wait for those."""
    for one in found:
        target = system.entries[one.target]
        owner = system.entries[switch_of(target, system)].name
        findings.add(
            "waiting-patch",
            f"this changes {target.name}, which is not in the game while {owner} is off",
            one.span,
            severity="note",
            help=f"it does nothing until {owner} is on",
        )
