"""What a table switches on, as people write it: the name of a hack, or a ruling and the reading that it is given."""

from __future__ import annotations

from collections.abc import Iterable

from te_forge.compose.order import SWITCHES, named
from te_forge.compose.renames import given_names
from te_forge.diagnostics import Findings
from te_forge.keys import fold, slug
from te_forge.model.pack import PackInfo
from te_forge.model.system import Entry, System
from te_forge.source import Span
from te_forge.suggest import nearest

Wish = tuple[str, Span]
"""What somebody wants on, and where it is said: `Long Nights`, `long-nights`, or `a-ruling=its-reading`."""


def chosen(system: System, wishes: Iterable[Wish], findings: Findings) -> tuple[str, ...]:
    """The ids of all that is wanted. What is not there is an error with the nearest name."""
    found: dict[str, None] = {}
    for text, span in wishes:
        ruling, equals, reading = text.partition("=")
        entry = answer(system, ruling, reading, span, findings) if equals else switch(system, text, span, findings)
        if entry is not None:
            found[entry.id] = None
    return tuple(found)


def switch(system: System, text: str, span: Span, findings: Findings) -> Entry | None:
    switches = [entry for entry in system.entries.values() if entry.kind in SWITCHES]
    ruling = next((entry for entry in system.of_kind("ruling") if means(entry, text)), None)
    if ruling is not None and not any(means(entry, text) for entry in switches):
        readings = readings_of(system, ruling)
        help = f"say how to read it: `{ruling.slug}: READING` below `rulings:` in pack.yaml, or `--ruling {ruling.slug}=READING`, where READING is {' or '.join(readings)}"
        findings.add("unknown-hack", f"{ruling.name} is a ruling and no hack", span, help=help if readings else "there is no other reading of it")
        return None
    return one_of(system, switches, text, "hack", span, findings)


def readings_of(system: System, ruling: Entry) -> list[str]:
    """How a ruling can be read otherwise, as people write it."""
    return [entry.slug for entry in system.of_kind("reading") if ruling.id in named(entry, "answers")]


def answer(system: System, ruling: str, reading: str, span: Span, findings: Findings) -> Entry | None:
    """The reading of a ruling."""
    asked = one_of(system, system.of_kind("ruling"), ruling, "ruling", span, findings)
    if asked is None:
        return None
    answers = [entry for entry in system.of_kind("reading") if asked.id in named(entry, "answers")]
    return one_of(system, answers, reading, f"reading of {asked.name}", span, findings)


def one_of(system: System, entries: Iterable[Entry], text: str, what: str, span: Span, findings: Findings) -> Entry | None:
    """The entry that `text` means, by its name, its slug, its id or a name that a hack gives it; complains when it is none of them, or several."""
    known = list(entries)
    same = [entry for entry in known if means(entry, text)]
    if not same:
        new = newly_called(text, system)
        same = [entry for entry in known if entry.id in new]
    if len(same) == 1:
        return same[0]
    if same:
        findings.add("ambiguous-name", f"`{text.strip()}` could be {' or '.join(entry.id for entry in same)}", span, help=f"write `{same[0].id}`")
        return None
    near = nearest(text, [entry.name for entry in known]) or nearest(text, [entry.slug for entry in known])
    of_kind = [entry.name for entry in known if entry.kind == what] or [entry.slug if entry.kind == "reading" else entry.name for entry in known]
    help = f"did you mean `{near}`?" if near else f"there is {listed(of_kind)}" if known else f"these rules have no {what}"
    findings.add("unknown-hack", f"there is no {what} called `{text.strip()}`", span, help=help)
    return None


def means(entry: Entry, text: str) -> bool:
    wanted = text.strip()
    return wanted in (entry.id, entry.slug) or fold(wanted).casefold() == fold(entry.name).casefold() or slug(wanted) == entry.slug


def newly_called(text: str, system: System) -> set[str]:
    """What has this name once some hack is on."""
    wanted = fold(text).casefold()
    return {id for id, name in given_names(system) if fold(name).casefold() == wanted}


def listed(names: list[str]) -> str:
    shown = sorted(names)[:8]
    return ", ".join(shown) + (f" and {len(names) - 8} more" if len(names) > 8 else "")


# ---------------------------------------------------------------- what packs switch on


def switched_on(system: System) -> tuple[str, ...]:
    """What the pack and those that it requires switch on. Where two of them read one ruling, the one that requires the other decides."""
    nowhere = Span("pack.yaml", 1, 1, 1)
    found: dict[str, None] = {}
    readings: dict[str, str] = {}
    for info in system.packs:
        quiet = Findings()  # unknown names are said where the pack is loaded
        found |= dict.fromkeys(chosen(system, [(name, nowhere) for name in info.hacks], quiet))
        for wish in answers_of(info):
            for id in chosen(system, [(wish, nowhere)], quiet):
                readings |= dict.fromkeys(named(system.entries[id], "answers"), id)
    return tuple(dict.fromkeys((*found, *readings.values())))


def answers_of(info: PackInfo) -> list[str]:
    return [f"{ruling}={reading}" for ruling, reading in info.rulings.items()]


def names_of(system: System, on: Iterable[str]) -> list[str]:
    """How what is on is called: hacks by their names, readings behind the name of their ruling."""
    found = [system.entries[id] for id in on if id in system.entries]
    hacks = sorted(entry.name for entry in found if not named(entry, "answers"))
    return hacks + sorted(
        f"{system.entries[ruling].name}: {entry.name}" for entry in found for ruling in named(entry, "answers") if ruling in system.entries
    )
