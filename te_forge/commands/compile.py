"""`te-forge compile`: a whole game as one JSON file."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from te_forge.cli import in_words, opened, progress, say, stopped_by, told
from te_forge.options import table_options

if TYPE_CHECKING:
    from te_forge.tried import Tried


@click.command("compile")
@click.argument("pack", default=".")
@click.option(
    "-o",
    "--output",
    type=click.Path(dir_okay=False, path_type=Path),
    help="The file; its name ends in .tepack.json. Without it: ID.tepack.json in this folder.",
)
@click.option(
    "--as-played",
    is_flag=True,
    help="Write the rules as they are with the hacks that are on, for tools that know nothing of hacks. te-forge itself does not take such a file.",
)
@table_options
def command(pack: str, output: Path | None, as_played: bool, tried: Tried) -> None:
    """Write a pack, with all that it requires, as one JSON file that other tools read and that te-forge takes in place of the folder.

    Example: te-forge compile my-game -o my-game.tepack.json
    """
    from dataclasses import replace

    from te_forge.attribution import before_printing
    from te_forge.compiled.write import compiled
    from te_forge.compose import compose
    from te_forge.compose.chosen import switched_on
    from te_forge.files import write_whole
    from te_forge.whereabouts import COMPILED

    if output is not None and not output.name.endswith(COMPILED):
        raise click.UsageError(f"the name of a compiled pack ends in {COMPILED}; try `-o {output.name.partition('.')[0]}{COMPILED}`")
    with progress(f"compiling {pack}"):
        loaded = opened(pack, tried)
        loaded = replace(loaded, diagnostics=before_printing(loaded.diagnostics))
        if told(loaded) or loaded.system is None:
            sys.exit(stopped_by(loaded))
        played = compose(loaded.system, switched_on(loaded.system)).system if as_played else None
        raw = compiled(loaded.system, loaded.assets, played)
    path = output or Path(f"{loaded.system.pack.id}{COMPILED}")
    try:
        write_whole(path, raw)
    except OSError as error:
        raise click.UsageError(f"{path} cannot be written: {in_words(error)}") from None
    say(f"wrote {path}: {len((played or loaded.system).entries)} entries, {len(raw):,} bytes")
