"""What a table tries: hacks that it switches on or leaves out, and rulings that it reads otherwise, without a word of any pack changed.

A try is the same as an edit of the `hacks:` and `rulings:` of pack.yaml, so that whatever asks a system what is on (`switched_on`) needs to know of
no other place.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from te_forge.compose.chosen import answer, chosen, one_of, readings_of, switch
from te_forge.compose.order import named
from te_forge.diagnostics import Findings
from te_forge.keys import slug
from te_forge.model.pack import PackInfo
from te_forge.model.system import System
from te_forge.source import Span
from te_forge.tried import Tried

AS_WRITTEN = "as-written"
"""The reading of the rules themselves."""


class NotTried(Exception):
    """Why this cannot be tried, in a sentence for the person who asked."""


def at_table(system: System, wanted: Tried) -> System:
    """The system whose packs switch on what is wanted. Raises `NotTried` for a name that nothing has, and for what contradicts itself."""
    if not wanted:
        return system
    more = [hack_called(system, name, "--hack") for name in wanted.hacks]
    less = [hack_called(system, name, "--without") for name in wanted.without]
    read = answers(system, wanted.rulings)
    refuse_senseless(system, more, less)
    off = {*more, *less, *read}.union(*(named(system.entries[id], "answers") for id in more))  # a reading may be tried by its name
    packs = [without(system, info, off) for info in system.packs]
    last = packs[-1]
    rulings = {**last.rulings, **{ruling: reading for ruling, reading in read.items() if reading}}
    packs[-1] = replace(last, hacks=(*last.hacks, *dict.fromkeys(more)), rulings=rulings)
    return replace(system, packs=tuple(packs))


def refuse_senseless(system: System, more: list[str], less: list[str]) -> None:
    for id in less:
        name = system.entries[id].name
        if id in more:
            raise NotTried(f"{name} cannot be tried and left out at once; take away --hack or --without")
        if all(without(system, info, {id}) == info for info in system.packs):
            raise NotTried(f"{name} is not on, so there is nothing to leave out; take `--without` away")


def hack_called(system: System, text: str, option: str) -> str:
    """The id of the hack that `text` means."""
    if not text.strip():
        raise NotTried(f"{option} needs the name of a hack, and this is empty")
    findings = Findings()
    entry = switch(system, text, Span(option, 1, 1, 1), findings)
    if entry is None:
        raise NotTried(f"{option}: {findings[0].message}; {findings[0].help}")
    return entry.id


def answers(system: System, rulings: Iterable[str]) -> dict[str, str]:
    """By the id of each ruling that is named, the id of its reading; empty for the rules as they are written."""
    found: dict[str, str] = {}
    for text in rulings:
        ruling, reading = answered(system, text)
        if found.setdefault(ruling, reading) != reading:
            raise NotTried(f"these readings do not go together: {system.entries[ruling].name} is read in two ways")
    return found


def answered(system: System, text: str) -> tuple[str, str]:
    findings, here = Findings(), Span("--ruling", 1, 1, 1)
    name, _, wanted = (part.strip() for part in text.partition("="))
    if not name:
        raise NotTried("--ruling needs the name of a ruling, and this is empty")
    ruling = one_of(system, system.of_kind("ruling"), name, "ruling", here, findings)
    if ruling is not None and slug(wanted) == AS_WRITTEN:
        return ruling.id, ""
    if ruling is not None and not wanted:
        raise NotTried(
            f"say how to read it: --ruling {ruling.slug}=READING, where READING is one of {', '.join([*readings_of(system, ruling), AS_WRITTEN])}"
        )
    reading = answer(system, name, wanted, here, findings)
    if ruling is None or reading is None:
        known = f", {AS_WRITTEN}" if ruling is not None and findings[0].help.startswith("there is ") else ""
        raise NotTried(f"{findings[0].message}; {findings[0].help}{known}")
    return ruling.id, reading.id


def without(system: System, info: PackInfo, off: set[str]) -> PackInfo:
    """The head of a pack that has none of `off` on: hacks, readings, and whatever answers these rulings."""

    def kept(wish: str) -> bool:
        return off.isdisjoint(
            id
            for found in chosen(system, [(wish, Span("pack.yaml", 1, 1, 1))], Findings())
            for id in (found, *named(system.entries[found], "answers"))
        )

    hacks = tuple(name for name in info.hacks if kept(name))
    rulings = {ruling: reading for ruling, reading in info.rulings.items() if kept(f"{ruling}={reading}")}
    return replace(info, hacks=hacks, rulings=rulings)
