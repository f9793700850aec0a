"""`te-forge explain`: where a rule comes from."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING

import click

from te_forge.cli import from_here, opened, progress, say, stopped_by, told
from te_forge.options import table_options, told_of

if TYPE_CHECKING:
    from te_forge.compose.history import Chain, Event, Historian, Maybe
    from te_forge.model.system import Entry, System
    from te_forge.source import Span
    from te_forge.tried import Tried

OF_A_SET = ("patch-conflict", "missing-hack")
"""What is wrong with the hacks that are on; it is what one asks about here, and stops nothing."""
WIDEST = 120
NOTHING = "nothing"


@click.command(name="explain")
@click.argument("pack")
@click.argument("what", metavar="ID[.FIELD]")
@click.option("--format", "format_", type=click.Choice(["text", "json"]), default="text", help="How to print what is found.")
@table_options
def command(pack: str, what: str, format_: str, tried: Tried) -> None:
    """Say where a rule comes from: its definition and every hack that has changed it, with file, line and the value from there on; and which hacks would change it if they were on.

    ID is a name as in the book, `kind/name` or a whole id; FIELD a field, a step, a line (`Step.Line`) or a row.

    Example: te-forge explain srd-core Tension.Starts
    """
    from dataclasses import replace

    from te_forge.compose.chosen import switched_on
    from te_forge.compose.finding import NotFound, find
    from te_forge.compose.history import Historian

    with progress(f"reading {pack}"):
        loaded = opened(pack, tried)
    if told(replace(loaded, diagnostics=[one for one in loaded.diagnostics if one.severity == "error" and one.code not in OF_A_SET])):
        sys.exit(stopped_by(loaded))
    system = loaded.system
    assert system is not None
    historian = Historian(system, switched_on(system))
    try:
        found = find(what, historian)
    except NotFound as reason:
        raise click.UsageError(str(reason)) from None
    whole = historian.whole(found.entry)
    chains = historian.chains(found.entry) if found.path is None else [historian.chain(found.entry, found.path, found.label)]
    names = from_here(loaded)
    say(as_json(found.entry, whole, chains, historian, names) if format_ == "json" else "\n".join(as_text(found.entry, whole, chains, historian, names)))


# ---------------------------------------------------------------- in words


def as_text(entry: Entry, whole: Chain, chains: list[Chain], historian: Historian, names: dict[str, str]) -> Iterator[str]:
    talk = Talk(historian.system, names, len(chains) == 1)
    yield f"{entry.kind} {entry.name}, {entry.id}  ({talk.place(entry.span)})"
    yield from talk.belongs(entry, historian.order.on)
    yield from told_of(historian.system)
    for event in whole.events[1:]:
        yield talk.event(event)
    for one in whole.off:
        yield from talk.maybe(one)
    for chain in chains:
        yield ""
        yield from talk.chain(chain, entry.id)


class Talk:
    """Says a chain, with names for ids and with places as they are called from here."""

    def __init__(self, system: System, names: dict[str, str], whole: bool) -> None:
        self.system, self.names, self.whole = system, names, whole

    def place(self, span: Span) -> str:
        return f"{self.names.get(span.file, span.file)}:{span.line}"

    def name(self, id: str) -> str:
        return self.system.entries[id].name if id in self.system.entries else id

    def belongs(self, entry: Entry, on: tuple[str, ...]) -> Iterator[str]:
        from te_forge.compose.order import switch_of

        owner = switch_of(entry, self.system)
        if owner:
            yield f"a part of {self.name(owner)}, which is {'on' if owner in on else 'not on'}"

    def chain(self, chain: Chain, owner: str) -> Iterator[str]:
        first, *rest = chain.events
        yield chain.label
        kind = f"every {self.name(first.by)}: " if first.by != owner else ""
        yield f"  {kind}{self.cut(first.after)}  ({self.place(first.span)})"
        for event in rest:
            yield self.event(event)
            if event.after != event.says:
                yield f"    so: {self.cut(event.after)}"
            if event.overruled_by:
                yield f"    until {self.name(event.overruled_by)}, which has the last word"
        for one in chain.off:
            yield from self.maybe(one)

    def event(self, one: Event) -> str:
        return f"  {self.name(one.by)}: {self.cut(one.says)}  ({self.place(one.span)})"

    def maybe(self, one: Maybe) -> Iterator[str]:
        yield f"  not on, {self.name(one.by)}: {self.cut(one.says)}  ({self.place(one.span)})"
        if one.against:
            yield f"    cannot be on with {self.name(one.against)}"
        elif one.after not in (one.says, NOTHING):
            yield f"    would be: {self.cut(one.after)}"

    def cut(self, text: str) -> str:
        """Of many places, not all that they say."""
        return text if self.whole or len(text) <= WIDEST else text[: WIDEST - 4] + " ..."


# ---------------------------------------------------------------- as data


def as_json(entry: Entry, whole: Chain, chains: list[Chain], historian: Historian, names: dict[str, str]) -> str:
    import json

    def place(span: Span) -> dict[str, object]:
        return {"file": names.get(span.file, span.file), "line": span.line}

    def event(one: Event) -> dict[str, object]:
        return {"by": one.by, "says": one.says or None, "after": one.after, "overruled_by": one.overruled_by or None, **place(one.span)}

    def maybe(one: Maybe) -> dict[str, object]:
        return {"by": one.by, "says": one.says, "after": one.after or None, "against": one.against or None, **place(one.span)}

    def chain(one: Chain) -> dict[str, object]:
        return {"label": one.label, "path": one.path, "value": one.value, "chain": [event(each) for each in one.events], "off": [maybe(each) for each in one.off]}

    made = {"id": entry.id, "kind": entry.kind, "name": whole.value, "on": historian.order.on, "entry": chain(whole), "places": [chain(one) for one in chains]}
    return json.dumps(made, indent=1, ensure_ascii=False)
