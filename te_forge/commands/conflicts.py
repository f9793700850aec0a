"""`te-forge conflicts`: which hacks of some packs go together."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import reduce
from typing import TYPE_CHECKING

import click

from te_forge.cli import from_here, progress, say
from te_forge.commands.looking import Names, sound

if TYPE_CHECKING:
    from te_forge.compose.survey import Conflict, Contest, Need, Side, Survey, Together

WIDEST = 120
HOW = {
    "same": "they say the same",
    "set, then changed": "set first, then changed",
    "changed together": "added up, then multiplied, then bounded",
    "one after the other": "one stands after the other",
    "the last word": "the second has the last word, since its pack builds on that of the first",
}
"""What becomes of a place about which several hacks say something."""


@click.command(name="conflicts")
@click.argument("packs", metavar="[PACK]...", nargs=-1)
@click.option("--format", "format_", type=click.Choice(["text", "json"]), default="text", help="How to print what is found.")
def command(packs: tuple[str, ...], format_: str) -> None:
    """Say which hacks and readings of these packs cannot be on together, with both values and both places; what each needs; and where several change
    one thing and all of it holds.

    Example: te-forge conflicts srd-core
    """
    from te_forge.compose.survey import survey
    from te_forge.packs import joined
    from te_forge.packs.joined import same_pack, unlike_kinds

    with progress("reading"):
        loaded = [sound(pack, data=format_ == "json") for pack in packs or (".",)]
        systems = [one.system for one in loaded if one.system is not None]
        for number, other in enumerate(systems):
            for mine, its in (pair for one in systems[:number] for pair in unlike_kinds(one, other)):
                raise click.UsageError(
                    f"{mine.pack} and {its.pack} cannot be in one game: both declare a kind called `{mine.name}`, and not alike ({mine.span.file}:{mine.span.line}, {its.span.file}:{its.span.line})"
                )
            for id in (info.id for one in systems[:number] for info in one.packs if not same_pack(info.id, one, other)):
                raise click.UsageError(
                    f"these packs cannot be in one game: they stand on `{id}` in two states; compile anew what is compiled, or take its folder"
                )
        system = reduce(joined, systems)
        found = survey(system)
    names = Names(system, {shown: path for one in loaded for shown, path in from_here(one).items()})
    say(as_json(found, names) if format_ == "json" else as_text(found, names))


# ---------------------------------------------------------------- in words


def as_text(found: Survey, names: Names) -> str:
    talk = Talk(names)
    parts = [*map(talk.conflict, found.conflicts), talk.answers(found), talk.needs(found), talk.together(found), iter([summary(found)])]
    return "\n\n".join(text for part in parts if (text := "\n".join(part)))


def summary(found: Survey) -> str:
    count = len(found.conflicts)
    return f"{count} pair{'s' * (count != 1)} of hacks cannot be on together" if count else "all hacks can be on together"


class Talk:
    """Says what was found."""

    def __init__(self, names: Names) -> None:
        self.names, self.name, self.place = names, names.name, names.place

    def listed(self, ids: tuple[str, ...]) -> str:
        return " and ".join(map(self.name, ids))

    def side(self, one: Side) -> str:
        says = one.says if len(one.says) <= WIDEST else one.says[: WIDEST - 4] + " ..."
        return f"    {self.name(one.hack)}: {says}  ({self.place(one.span)})"

    def conflict(self, one: Conflict) -> Iterator[str]:
        from te_forge.compose.order import needed

        yield f"{self.name(one.one)} and {self.name(one.other)} cannot be on together"
        for contest in one.contests:
            yield f"  {contest.place}"
            yield from (self.side(side) for side in (contest.one, contest.other))
        if one.settled_by:
            yield f"  {self.listed(one.settled_by)} {'settles it' if len(one.settled_by) == 1 else 'settle it, each in its own way'}"
        for id in one.also:
            below = needed(id, self.names.system, self.names.system.entries)
            yield f"  so neither can {self.name(id)}, which needs {self.listed(tuple(other for other in (one.one, one.other) if other in below))}"

    def answers(self, found: Survey) -> Iterator[str]:
        if found.answers:
            yield "Readings: of each ruling, one at a time"
        for ruling, readings in found.answers.items():
            yield f"  {self.name(ruling)}: {', '.join(f'{self.name(id)} ({self.place(self.names.system.entries[id].span)})' for id in readings)}"

    def needs(self, found: Survey) -> Iterator[str]:
        if found.needs:
            yield "Needs"
        for one in found.needs:
            yield f"  {self.need(one)}  ({self.place(one.span)})"

    def need(self, one: Need) -> str:
        hack, other, about = self.name(one.hack), self.name(one.needs), self.name(one.about)
        match one.how:
            case "stated":
                return f"{hack} needs {other}"
            case "waits":
                return f"{hack} changes {about} only while {other} is on"
            case "unstated":
                return f"{hack} does not say that it needs {other}, and speaks of its {about}"

    def together(self, found: Survey) -> Iterator[str]:
        if found.together:
            yield "Several hacks on one place, and all of it holds"
        for one in found.together:
            yield f"  {one.place}: {HOW[one.how]}"
            yield from map(self.side, one.sides)


# ---------------------------------------------------------------- as data


def as_json(found: Survey, names: Names) -> str:
    def side(one: Side) -> dict[str, object]:
        return {"hack": one.hack, "says": one.says, **names.data(one.span)}

    def contest(one: Contest) -> dict[str, object]:
        return {"place": one.place, "sides": [side(one.one), side(one.other)]}

    def conflict(one: Conflict) -> dict[str, object]:
        return {"hacks": [one.one, one.other], "contests": list(map(contest, one.contests)), "settled_by": one.settled_by, "also": one.also}

    def need(one: Need) -> dict[str, object]:
        return {"hack": one.hack, "needs": one.needs, "how": one.how, "about": one.about or None, **names.data(one.span)}

    def shared(one: Together) -> dict[str, object]:
        return {"place": one.place, "how": one.how, "sides": list(map(side, one.sides))}

    made = {
        "conflicts": list(map(conflict, found.conflicts)),
        "answers": {ruling: list(readings) for ruling, readings in found.answers.items()},
        "needs": list(map(need, found.needs)),
        "together": list(map(shared, found.together)),
    }
    return json.dumps(made, indent=1, ensure_ascii=False)
