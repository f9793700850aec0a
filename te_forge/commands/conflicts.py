"""`te-forge conflicts`: which hacks of some packs go together."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING

import click

from te_forge.cli import from_here, opened, progress, say, stopped_by, told

if TYPE_CHECKING:
    from te_forge.compose.survey import Conflict, Contest, Need, Side, Survey, Together
    from te_forge.model.system import System
    from te_forge.packs import Loaded
    from te_forge.source import Span

OF_A_SET = ("patch-conflict", "missing-hack")
"""What is wrong with the hacks that a pack has on; it is what one asks about here, and stops nothing."""
WIDEST = 120


@click.command(name="conflicts")
@click.argument("packs", metavar="[PACK]...", nargs=-1)
@click.option("--format", "format_", type=click.Choice(["text", "json"]), default="text", help="How to print what is found.")
def command(packs: tuple[str, ...], format_: str) -> None:
    """Say which hacks and readings of these packs cannot be on together, with both values and both places; what each needs; and where several change one thing and all of it holds.

    Example: te-forge conflicts srd-core
    """
    from te_forge.compose.survey import survey
    from te_forge.packs import joined

    with progress("reading"):
        loaded = [sound(pack) for pack in packs or (".",)]
        system = loaded[0].system
        for one in loaded[1:]:
            assert system is not None and one.system is not None
            system = joined(system, one.system)
    assert system is not None
    names = {shown: path for one in loaded for shown, path in from_here(one).items()}
    found = survey(system)
    say(as_json(found, system, names) if format_ == "json" else as_text(found, system, names))


def sound(pack: str) -> Loaded:
    from dataclasses import replace

    loaded = opened(pack)
    loaded = replace(loaded, diagnostics=[one for one in loaded.diagnostics if one.severity == "error" and one.code not in OF_A_SET])
    if told(loaded):
        sys.exit(stopped_by(loaded))
    return loaded


# ---------------------------------------------------------------- in words


def as_text(found: Survey, system: System, names: dict[str, str]) -> str:
    talk = Talk(system, names)
    parts = [list(talk.conflict(one)) for one in found.conflicts]
    parts.append(list(talk.answers(found)))
    parts.append(list(talk.needs(found)))
    parts.append(list(talk.together(found)))
    return "\n".join(line for part in [*parts, [summary(found)]] if part for line in (*part, "")).rstrip("\n")


def summary(found: Survey) -> str:
    count = len(found.conflicts)
    return f"{count} pair{'s' * (count != 1)} of hacks cannot be on together" if count else "all hacks can be on together"


class Talk:
    """Says what was found, with names for ids and with places as they are called from here."""

    def __init__(self, system: System, names: dict[str, str]) -> None:
        self.system, self.names = system, names

    def name(self, id: str) -> str:
        return self.system.entries[id].name if id in self.system.entries else id

    def listed(self, ids: tuple[str, ...]) -> str:
        return " and ".join(self.name(id) for id in ids)

    def place(self, span: Span) -> str:
        return f"{self.names.get(span.file, span.file)}:{span.line}"

    def side(self, one: Side) -> str:
        says = one.says if len(one.says) <= WIDEST else one.says[: WIDEST - 4] + " ..."
        return f"    {self.name(one.hack)}: {says}  ({self.place(one.span)})"

    def conflict(self, one: Conflict) -> Iterator[str]:
        yield f"{self.name(one.one)} and {self.name(one.other)} cannot be on together"
        for contest in one.contests:
            yield f"  {contest.place}"
            yield from (self.side(side) for side in (contest.one, contest.other))
        if one.settled_by:
            yield f"  {self.listed(one.settled_by)} settles it" if len(one.settled_by) == 1 else f"  {self.listed(one.settled_by)} settle it, each in its own way"
        for id in one.also:
            needs = [other for other in (one.one, one.other) if other in self.below(id)]
            yield f"  so neither can {self.name(id)}, which needs {self.listed(tuple(needs))}"

    def below(self, id: str) -> frozenset[str]:
        from te_forge.compose.order import needed

        return needed(id, self.system, self.system.entries)

    def answers(self, found: Survey) -> Iterator[str]:
        if found.answers:
            yield "Readings: of each ruling, one at a time"
        for ruling, readings in found.answers.items():
            yield f"  {self.name(ruling)}: {', '.join(f'{self.name(id)} ({self.place(self.system.entries[id].span)})' for id in readings)}"

    def needs(self, found: Survey) -> Iterator[str]:
        if found.needs:
            yield "Needs"
        for one in found.needs:
            yield f"  {self.need(one)}  ({self.place(one.span)})"

    def need(self, one: Need) -> str:
        if one.how == "stated":
            return f"{self.name(one.hack)} needs {self.name(one.needs)}"
        if one.how == "waits":
            return f"{self.name(one.hack)} changes {self.name(one.about)} only while {self.name(one.needs)} is on"
        return f"{self.name(one.hack)} does not say that it needs {self.name(one.needs)}, and speaks of its {self.name(one.about)}"

    def together(self, found: Survey) -> Iterator[str]:
        if found.together:
            yield "Several hacks on one place, and all of it holds"
        for one in found.together:
            yield f"  {one.place}: {SAID[one.how]}"
            yield from map(self.side, one.sides)


SAID = {
    "same": "they say the same",
    "set, then changed": "set first, then changed",
    "changed together": "added up, then multiplied, then bounded",
    "one after the other": "one stands after the other",
    "the last word": "the second has the last word, since its pack builds on that of the first",
}


# ---------------------------------------------------------------- as data


def as_json(found: Survey, system: System, names: dict[str, str]) -> str:
    import json

    def place(span: Span) -> dict[str, object]:
        return {"file": names.get(span.file, span.file), "line": span.line}

    def side(one: Side) -> dict[str, object]:
        return {"hack": one.hack, "says": one.says, **place(one.span)}

    def contest(one: Contest) -> dict[str, object]:
        return {"place": one.place, "sides": [side(one.one), side(one.other)]}

    def conflict(one: Conflict) -> dict[str, object]:
        return {"hacks": [one.one, one.other], "contests": [contest(each) for each in one.contests], "settled_by": one.settled_by, "also": one.also}

    def need(one: Need) -> dict[str, object]:
        return {"hack": one.hack, "needs": one.needs, "how": one.how, "about": one.about or None, **place(one.span)}

    def shared(one: Together) -> dict[str, object]:
        return {"place": one.place, "how": one.how, "sides": [side(each) for each in one.sides]}

    made = {
        "conflicts": [conflict(one) for one in found.conflicts],
        "answers": {ruling: list(readings) for ruling, readings in found.answers.items()},
        "needs": [need(one) for one in found.needs],
        "together": [shared(one) for one in found.together],
    }
    return json.dumps(made, indent=1, ensure_ascii=False)
