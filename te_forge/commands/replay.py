"""`te-forge replay`: a log, played again."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from te_forge.cli import FINDINGS, opened, say, stopped_by, told_in_short
from te_forge.options import told_of


@click.command(name="replay")
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path))
@click.option("--pack", metavar="PACK", help="The pack, where the log's own name for it does not find it.")
@click.option("--anyway", is_flag=True, help="Play it even though the pack is another than the log was played with.")
@click.option("--seen-by", metavar="WHO", help="Show only what somebody sees: a name, or a kind such as player. Secret rolls stay secret.")
def command(file: Path, pack: str | None, anyway: bool, seen_by: str | None) -> None:
    """Play a log again. The same game comes out, to the byte, on any machine; what was taken back is left out.

    Example: te-forge replay evening.log
    """
    from te_forge.asked import Refused
    from te_forge.nearby import no_file
    from te_forge.play.log import BadLog, read_log
    from te_forge.play.names import ended, name
    from te_forge.play.session import eyes_in_log, table_of_log
    from te_forge.play.table import LogEnds
    from te_forge.play.words import Teller

    if not file.exists():
        raise click.UsageError(no_file(file))
    try:
        read = read_log(file)
        loaded = opened(pack or read.head.pack)
        if told_in_short(loaded, pack or read.head.pack) or loaded.system is None:
            say(f"The log was played with the pack {read.head.pack} {read.head.version}; --pack says where it lies.", err=True)
            sys.exit(stopped_by(loaded))
        if read.dropped:
            say(f"Note: {read.dropped}.", err=True)
        table = table_of_log(loaded.system, read, file, lambda rules: Teller(rules, say), anyway=anyway)
        if seen_by is not None:
            table.teller.eyes = eyes_in_log(loaded.system, read, file, seen_by, anyway)
        for line in told_of(loaded.system, read.head.on):
            say(line)
        table.play_on()
    except LogEnds as end:
        say(f"The log ends here, in the middle: {name(table.rules, end.who)} was to go on.")
    except (BadLog, Refused) as bad:
        say(ended(f"Error: {bad}"), err=True)
        sys.exit(FINDINGS)
