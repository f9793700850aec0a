"""`te-forge diff`: what is different between two games, or with a hack on."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from te_forge.cli import from_here, opened, progress, say, stopped_by, told

if TYPE_CHECKING:
    from te_forge.compare import Game
    from te_forge.model.system import System
    from te_forge.packs import Loaded
    from te_forge.source import Span


@click.command("diff")
@click.argument("pack", metavar="A")
@click.argument("other", metavar="[B]", required=False)
@click.option("--hack", "hacks", multiple=True, metavar="NAME", help="What this hack (or reading) changes when it is on as well. May be given several times.")
@click.option("--format", "format_", type=click.Choice(["text", "json"]), default="text", help="How to print what is found.")
def command(pack: str, other: str | None, hacks: tuple[str, ...], format_: str) -> None:
    """Say in words what is different in B: another version of A, or a game built on it.

    With A alone: what it changes in the packs that it builds on. With --hack: what a hack changes in A.

    Example: te-forge diff srd-core --hack "Darker Woods"
    """
    from te_forge.compare import compare
    from te_forge.compare.report import as_json, as_text
    from te_forge.compare.versions import propose

    if other is not None and hacks:
        raise click.UsageError("--hack tries hacks on one pack; leave out the second")
    with progress("comparing"):
        first = sound(pack)
        second = sound(other) if other is not None else first
        before, after = sides(first, second, hacks)
        found = compare(before, after)
    old, new = (one.written.pack for one in (before, after))
    proposal = propose(found, old.version, new.version) if other is not None and old.id == new.id else None
    if format_ == "json":
        say(as_json(found, proposal))
        return
    names = {entry.id: entry.name for one in (before, after) for entry in one.written.entries.values() if entry.kind in ("hack", "reading")}
    files = {**from_here(first), **from_here(second)}

    def place(span: Span) -> str:
        return f"{files.get(span.file, span.file)}:{span.line}"

    say(f"{old.title} {old.version} -> {heading(new.title, new.version, after, hacks)}\n")
    say(as_text(found, names, place, proposal))


def heading(title: str, version: str, after: Game, hacks: tuple[str, ...]) -> str:
    return f"with {', '.join(after.written.entries[id].name for id in after.on)}" if hacks else f"{title} {version}"


def sound(pack: str) -> Loaded:
    """The pack, when nothing is wrong with it; else what is wrong, and the end."""
    from te_forge.diagnostics import has_errors

    loaded = opened(pack)
    if loaded.system is None or has_errors(loaded.diagnostics):
        told(loaded)
        sys.exit(stopped_by(loaded))
    return loaded


def sides(first: Loaded, second: Loaded, hacks: tuple[str, ...]) -> tuple[Game, Game]:
    from te_forge.compare import game, origin

    assert first.system is not None and second.system is not None
    if hacks:
        return game(first.system), game(first.system, with_hacks(first.system, hacks))
    if first is not second:
        return game(first.system), game(second.system)
    before = origin(first.system)
    if before is None:
        raise click.UsageError(f"{first.system.pack.id} builds on no other pack; name a second pack, or a hack with --hack")
    return before, game(first.system)


def with_hacks(system: System, hacks: tuple[str, ...]) -> frozenset[str]:
    """What is on, with these hacks and all that they need, in place of other answers to the same rulings."""
    from te_forge.compose import compose
    from te_forge.compose.chosen import chosen
    from te_forge.compose.order import needed
    from te_forge.diagnostics import Findings
    from te_forge.examples import turned_on
    from te_forge.source import Span

    findings = Findings()
    wanted = chosen(system, [(name, Span("--hack", 1, 1, 1)) for name in hacks], findings)
    if findings:
        raise click.UsageError(f"{findings[0].message}; {findings[0].help}")
    own = frozenset(one for id in wanted for one in (id, *needed(id, system, system.entries)))
    on = turned_on(system, own)
    wrong = [one for one in compose(system, on).diagnostics if one.severity == "error"]
    if wrong:
        raise click.UsageError(f"these hacks do not go together: {wrong[0].message}; {wrong[0].help}")
    return on
