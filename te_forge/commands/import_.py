"""`te-forge import`: what was edited in another tool, as a hack."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from te_forge.cli import FINDINGS, PACK, in_words, opened, progress, say, stopped_by, told


@click.command("import")
@click.argument("source", type=click.Choice(["csv"]))
@click.argument("folder", type=click.Path(path_type=Path))
@PACK
@click.option(
    "-o",
    "--output",
    type=click.Path(dir_okay=False, path_type=Path),
    help="The page to write, such as my-game/rules/90-spreadsheet.te; without, it is printed.",
)
@click.option("--name", default="Spreadsheet Changes", show_default=True, help="What the hack is called.")
def command(source: str, folder: Path, pack: str, output: Path | None, name: str) -> None:
    """Read an export that was edited in a spreadsheet, and write the changes as a hack of PACK.

    Whatever cannot be said in a hack is listed with its file and row, so that nothing is lost unseen.

    Example: te-forge import csv my-tables my-game -o my-game/rules/90-spreadsheet.te
    """
    from te_forge.export.csv_import import read_back
    from te_forge.export.exporter import NotExported
    from te_forge.files import write_whole

    loaded = opened(pack)
    if told(loaded) or loaded.system is None:
        sys.exit(stopped_by(loaded))
    if output is not None and output.exists():
        raise click.UsageError(f"{output} is there already, and is left alone; choose another name")
    try:
        with progress(f"reading {folder}"):
            made = read_back(folder, loaded.system, name)
    except NotExported as reason:
        raise click.UsageError(str(reason)) from None
    if made.page and output is not None:
        try:
            write_whole(output, made.page.encode("utf-8"))
        except OSError as error:
            raise click.UsageError(f"{output} cannot be written: {in_words(error)}") from None
        say(f"wrote {output}: {made.changes} change{'s' * (made.changes != 1)}. It counts when `{name}` stands below `hacks:` in pack.yaml.")
    elif made.page:
        say(made.page)
    elif not made.lost:
        say("nothing was changed")
    for one in made.diagnostics:
        say(f"{output or one.span.file}:{one.span.line}: {one.message}; {one.help}", err=True)
    for lost in made.lost:
        say(f"not taken over: {lost}", err=True)
    sys.exit(FINDINGS if made.lost or made.diagnostics else 0)
