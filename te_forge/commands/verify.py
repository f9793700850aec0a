"""`te-forge verify`: what other people's tools say of an export."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from te_forge.cli import FINDINGS, progress, say


@click.command("verify")
@click.argument("folder", type=click.Path(path_type=Path))
@click.option("--as", "target", metavar="NAME", help="The exporter that the folder is of; without, the one that has made it.")
def command(folder: Path, target: str | None) -> None:
    """Check an export with the tools of its target, and name each with its version.

    What could not be verified, because a tool is missing, is said, and does not pass.

    Example: te-forge verify srd-tables
    """
    from te_forge.export.exporter import NotExported
    from te_forge.export.plugins import installed
    from te_forge.export.run import verify, whose

    shelf = installed()
    try:
        exporter = shelf.named(target) if target else whose(folder, shelf.exporters.values())
        with progress(f"verifying {folder}"):
            found = verify(exporter, folder)
    except NotExported as reason:
        raise click.UsageError(str(reason)) from None
    for one in found:
        say(f"{one.outcome}: {one.what} ({one.tool})")
        for complaint in one.complaints:
            say(f"  {complaint}")
    if not found:
        say(f"not verified: the exporter `{exporter.id}` has no checks")
    sys.exit(FINDINGS if any(one.outcome != "passed" for one in found) or not found else 0)
