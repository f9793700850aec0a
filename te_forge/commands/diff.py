"""`te-forge diff`: what is different between two games, or with a hack on."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from te_forge.cli import from_here, opened, progress, say, stopped_by, told
from te_forge.options import table_options

if TYPE_CHECKING:
    from te_forge.compare import Game
    from te_forge.model.pack import PackInfo
    from te_forge.packs import Loaded
    from te_forge.tried import Tried


@click.command("diff")
@click.argument("pack", metavar="A")
@click.argument("other", metavar="[B]", required=False)
@click.option("--format", "format_", type=click.Choice(["text", "json"]), default="text", help="How to print what is found.")
@table_options
def command(pack: str, other: str | None, format_: str, tried: Tried) -> None:
    """Say in words what is different in B: another version of A, or a game built on it.

    With A alone: what it changes in the packs that it builds on. With --hack, --without or --ruling: what that changes in A.

    Example: te-forge diff srd-core my-game
    """
    from te_forge.compare import compare
    from te_forge.compare.report import Telling, as_json, as_text
    from te_forge.compare.versions import propose

    if other is not None and tried:
        raise click.UsageError("--hack, --without and --ruling try something on one pack; leave out the second")
    with progress("comparing"):
        first = sound(pack, None, format_ == "json")
        second = sound(other or pack, tried, format_ == "json") if other is not None or tried else first
        before, after = sides(first, second)
        found = compare(before, after)
    old, new = (one.written.pack for one in (before, after))
    proposal = propose(found, old.version, new.version) if other is not None and old.id == new.id else None
    names = {entry.id: entry.name for one in (before, after) for entry in one.written.entries.values() if entry.kind in ("hack", "reading")}
    telling = Telling(names, from_here(first), from_here(second))
    if format_ == "json":
        say(as_json(found, telling, proposal))
        return
    say(f"{old.title} {old.version} -> {heading(new, after, tried)}\n")
    if {pack.id for pack in before.written.packs}.isdisjoint(pack.id for pack in after.written.packs):
        say(f"{old.id} and {new.id} have no pack in common, so things of one kind and name are taken for the same.\n")
    say(as_text(found, telling, proposal))


def heading(pack: PackInfo, after: Game, tried: Tried) -> str:
    if not tried:
        return f"{pack.title} {pack.version}"
    names = [after.written.entries[id].name for id in after.on]
    return f"with {', '.join(names)}" if names else "with nothing on"


def sound(pack: str, tried: Tried | None = None, data: bool = False) -> Loaded:
    """The pack, when nothing is wrong with it; else what is wrong, and the end."""
    from te_forge.diagnostics import has_errors

    loaded = opened(pack, tried)
    if loaded.system is None or has_errors(loaded.diagnostics):
        told(loaded, data)
        sys.exit(stopped_by(loaded))
    return loaded


def sides(first: Loaded, second: Loaded) -> tuple[Game, Game]:
    from te_forge.compare import game, origin

    assert first.system is not None and second.system is not None
    if first is not second:
        return game(first.system), game(second.system)
    before = origin(first.system)
    if before is None:
        raise click.UsageError(f"{first.system.pack.id} builds on no other pack; name a second pack, or a hack with --hack")
    return before, game(first.system)
