"""`te-forge export`: a game in other tools."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from te_forge.cli import FINDINGS, PACK, USAGE, opened, progress, say, stopped_by, told
from te_forge.options import table_options

if TYPE_CHECKING:
    from te_forge.export.run import Exported
    from te_forge.model.system import System
    from te_forge.packs import Loaded
    from te_forge.tried import Tried

SHOWN = 3
"""So many of those that share a reason are named."""


@click.command("export")
@PACK
@click.option(
    "--to",
    "targets",
    multiple=True,
    metavar="NAME",
    help="Export with this exporter. May be given several times; each then gets a folder of its name.",
)
@click.option("-o", "--output", type=click.Path(file_okay=False, path_type=Path), help="The folder that the export goes to.")
@click.option(
    "--set",
    "settings",
    multiple=True,
    metavar="NAME=VALUE",
    help="Choose something about the export; `--list` says what there is. May be given several times.",
)
@click.option("--list", "listing", is_flag=True, help="List the exporters, with what each can hold.")
@table_options
def command(pack: str, targets: tuple[str, ...], output: Path | None, settings: tuple[str, ...], listing: bool, tried: Tried) -> None:
    """Export a game to other tools, and say what of it they cannot hold.

    The folder is replaced at the next export; one that holds anything else is refused.

    Example: te-forge export srd-core --to csv -o srd-tables
    """
    from te_forge.export.exporter import NotExported
    from te_forge.export.plugins import installed

    if listing:
        list_exporters()
        return
    if not targets or output is None:
        raise click.UsageError(
            f"say what to export to, and where: --to NAME -o FOLDER, where NAME is one of {', '.join(sorted(installed().exporters))}"
        )
    with progress(f"reading {pack}"):
        system, loaded = sound(pack, tried)
    failed = False
    for name in dict.fromkeys(targets):
        place = output / name if len(set(targets)) > 1 else output
        try:
            with progress(f"exporting {pack} to {name}"):
                made = exported(name, system, loaded, place, settings)
        except NotExported as reason:
            say(f"Error: {reason}", err=True)
            failed = True
            continue
        say("\n".join(account(name, place, made)))
    sys.exit(USAGE if failed else 0)


def sound(pack: str, tried: Tried) -> tuple[System, Loaded]:
    """The game that is played and the pack that it is made of, when nothing is wrong with it and it names what it owes."""
    from dataclasses import replace

    from te_forge.attribution import before_printing
    from te_forge.options import at_this_table

    loaded = opened(pack, tried)
    loaded = replace(loaded, diagnostics=before_printing(loaded.diagnostics))
    if told(loaded):
        sys.exit(stopped_by(loaded))
    assert loaded.system is not None
    return at_this_table(loaded.system), loaded


def exported(name: str, system: System, loaded: Loaded, place: Path, settings: tuple[str, ...]) -> Exported:
    from te_forge.export.exporter import NotExported
    from te_forge.export.plugins import installed
    from te_forge.export.run import export

    options: dict[str, str] = {}
    for one in settings:
        option, equals, value = one.partition("=")
        if not equals:
            raise NotExported(f"`{one}` sets nothing; write --set NAME=VALUE")
        options[option.strip()] = value
    return export(installed().named(name), system, place, options, loaded.system, loaded.assets)


def account(name: str, place: Path, made: Exported) -> list[str]:
    """What was written, and what was lost."""
    counts = made.report.counts
    lines = [
        f"{name}: {len(made.files)} files in {place}. Of {sum(counts.values())} entities {counts['full']} whole, {counts['degraded']} in part, {counts['dropped']} left out."
    ]
    for level, reason, ids in made.report.reasons():
        more = f" and {len(ids) - SHOWN} more" if len(ids) > SHOWN else ""
        lines.append(f"  {'in part' if level == 'degraded' else 'left out'}: {', '.join(ids[:SHOWN])}{more}: {reason}")
    return lines


def list_exporters() -> None:
    from te_forge.export.plugins import installed

    shelf = installed()
    for name, one in sorted(shelf.exporters.items()):
        say(f"{name}: {one.title} (for {', '.join(one.targets)})")
        for extent, words in (("full", "whole"), ("partial", "in part"), ("none", "not")):
            if found := [sort for sort, how in one.capabilities.items() if how == extent]:
                say(f"  {words}: {', '.join(found)}")
        for option in one.options:
            say(f"  --set {option.name}={option.default or '..'}: {option.help}")
    for name, reason in sorted(shelf.broken.items()):
        say(f"{name}: cannot be used: {reason}", err=True)
    if shelf.broken:
        sys.exit(FINDINGS)
