"""`te-forge explain`: where a rule comes from."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from shutil import get_terminal_size
from typing import TYPE_CHECKING

import click

from te_forge.cli import from_here, progress, say
from te_forge.commands.looking import Names, sound
from te_forge.options import table_options, told_of
from te_forge.report import in_columns, width

if TYPE_CHECKING:
    from te_forge.compose.history import Chain, Event, Maybe
    from te_forge.model.system import Entry
    from te_forge.tried import Tried

WIDEST = 120
NOTHING = "nothing"


@dataclass(frozen=True)
class Life:
    """What is told: of an entry as a whole, and of places in it."""

    entry: Entry
    whole: Chain
    places: list[Chain]
    on: tuple[str, ...]
    others: tuple[Entry, ...]
    """What else has the name that was asked for."""


@click.command(name="explain")
@click.argument("pack")
@click.argument("what", metavar="ID[.FIELD]", default="")
@click.option("--format", "format_", type=click.Choice(["text", "json"]), default="text", help="How to print what is found.")
@table_options
def command(pack: str, what: str, format_: str, tried: Tried) -> None:
    """Say where a rule comes from: its definition and every hack that has changed it, with file, line and the value from there on; and which hacks
    would change it if they were on.

    ID is a name as in the book, `kind/name` or a whole id; FIELD a field, a step, a line (`Step.Line`) or a row.

    Example: te-forge explain my-game Luck.Starts
    """
    from te_forge.compose.chosen import switched_on
    from te_forge.compose.finding import NotFound, find
    from te_forge.compose.history import Historian

    with progress(f"reading {pack}"):
        loaded = sound(pack, tried, format_ == "json")
    assert loaded.system is not None
    if not what:
        numbers = [entry.name for entry in loaded.system.entries.values() if "starts" in entry.fields and entry.kind != "kind"]
        raise click.UsageError(f"say what: a name as in the book, such as `{numbers[0]}.Starts`" if numbers else "say what: a name as in the book")
    historian = Historian(loaded.system, switched_on(loaded.system))
    try:
        found = find(what, historian)
    except NotFound as reason:
        raise click.UsageError(str(reason)) from None
    places = historian.chains(found.entry) if found.path is None else [historian.chain(found.entry, found.path, found.label)]
    life = Life(found.entry, historian.whole(found.entry), places, historian.order.on, found.others)
    names = Names(historian.system, from_here(loaded))
    say(as_json(life, names) if format_ == "json" else "\n".join(laid_out(Talk(names).life(life))))


# ---------------------------------------------------------------- in words


class Talk:
    """Says where something comes from."""

    def __init__(self, names: Names) -> None:
        self.names = names

    def life(self, life: Life) -> Iterator[str]:
        entry = life.entry
        yield f"{entry.kind} {entry.name}, {entry.id}  ({self.names.place(entry.span)})"
        if life.others:
            yield f"the name could also be {' or '.join(f'`{one.kind}/{one.slug}`' for one in life.others)}"
        yield from self.belongs(entry, life.on)
        yield from told_of(self.names.system, life.on)
        yield from map(self.event, life.whole.events[1:])
        for one in life.whole.off:
            yield from self.maybe(one)
        for chain in life.places:
            yield ""
            yield from self.chain(chain, entry.id)

    def belongs(self, entry: Entry, on: tuple[str, ...]) -> Iterator[str]:
        from te_forge.compose.order import switch_of

        owner = switch_of(entry, self.names.system)
        if owner:
            yield f"a part of {self.names.name(owner)}, which is {'on' if owner in on else 'not on'}"

    def chain(self, chain: Chain, owner: str) -> Iterator[str]:
        first, *rest = chain.events
        yield chain.label
        every = "every " if self.names.system.entries[first.by].kind == "kind" else ""
        of_all = f"{every}{self.names.name(first.by)}: " if first.by != owner else ""
        yield f"  {of_all}{first.after}  ({self.names.place(first.span)})"
        for event in rest:
            yield self.event(event)
            if event.after != event.says:
                yield f"    so: {event.after}"
            if event.overruled_by:
                yield f"    until {self.names.name(event.overruled_by)}, which has the last word"
        for one in chain.off:
            yield from self.maybe(one)

    def event(self, one: Event) -> str:
        return f"  {self.names.name(one.by)}: {one.says}  ({self.names.place(one.span)})"

    def maybe(self, one: Maybe) -> Iterator[str]:
        yield f"  not on, {self.names.name(one.by)}: {one.says}  ({self.names.place(one.span)})"
        if one.against:
            yield f"    cannot be on with {self.names.name(one.against)}"
        elif one.after not in (one.says, NOTHING):
            yield f"    would be: {one.after}"


def laid_out(lines: Iterable[str]) -> Iterator[str]:
    """The lines as wide as the terminal; in a file or a pipe, as wide as one reads well. What is longer goes on below, set in."""
    room = max(40, get_terminal_size().columns - 1) if sys.stdout.isatty() else WIDEST
    for line in lines:
        inset = line[: len(line) - len(line.lstrip())]
        yield from [line] if width(line) <= room else in_columns(line, room, inset, inset + " " * 4)


# ---------------------------------------------------------------- as data


def as_json(life: Life, names: Names) -> str:
    def event(one: Event) -> dict[str, object]:
        return {"by": one.by, "says": one.says or None, "after": one.after, "overruled_by": one.overruled_by or None, **names.data(one.span)}

    def maybe(one: Maybe) -> dict[str, object]:
        return {"by": one.by, "says": one.says, "after": one.after or None, "against": one.against or None, **names.data(one.span)}

    def chain(one: Chain) -> dict[str, object]:
        return {"label": one.label, "path": one.path, "value": one.value, "chain": list(map(event, one.events)), "off": list(map(maybe, one.off))}

    entry = life.entry
    made = {
        "id": entry.id,
        "kind": entry.kind,
        "name": life.whole.value,
        "on": life.on,
        "others": [one.id for one in life.others],
        "entry": chain(life.whole),
        "places": list(map(chain, life.places)),
    }
    return json.dumps(made, indent=1, ensure_ascii=False)
