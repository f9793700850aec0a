"""`te-forge play`: a scene in the terminal."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

from te_forge.cli import FINDINGS, PACK, STOPPED, opened, say, stopped_by, told_in_short
from te_forge.commands.roll import bold, typed
from te_forge.options import table_options, told_of

if TYPE_CHECKING:
    from te_forge.engine.index import Rules
    from te_forge.model.system import System
    from te_forge.play.log import LogFile
    from te_forge.play.table import Decide, Table
    from te_forge.play.words import Teller
    from te_forge.tried import Tried


@dataclass(frozen=True)
class Wanted:
    """What was asked for on the command line."""

    who: tuple[str, ...]
    files: tuple[Path, ...]
    seed: str | None
    log: Path | None
    resume: bool
    up_to: int | None
    anyway: bool
    bots: tuple[str, ...]
    all_bots: bool
    most: int
    seen_by: str | None
    tried: Tried


@click.command(name="play")
@PACK
@click.option(
    "--who", multiple=True, metavar="TEXT", help='Somebody who is there, as in an example: "Ann: a Smith with Brawn 3". Any number of them.'
)
@click.option(
    "--character",
    "files",
    multiple=True,
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Somebody who is there, from the file of a character.",
)
@click.option("--seed", help="The dice fall by it; without it a new one is taken, and printed.")
@click.option("--log", type=click.Path(dir_okay=False, path_type=Path), metavar="FILE", help="Write the game to this file, event by event.")
@click.option("--resume", is_flag=True, help="Go on with the game in the log.")
@click.option(
    "--up-to", type=click.IntRange(1), metavar="LINE", help="With --resume: go on from this line of the log; the lines behind it are put aside."
)
@click.option("--anyway", is_flag=True, help="Go on even though the pack is another than the log was played with.")
@click.option("--bot", "bots", multiple=True, metavar="WHO=POLICY", help="A bot plays somebody: a name, a kind such as gm, or everybody.")
@click.option("--all-bots", is_flag=True, help="Bots play everybody, to the end.")
@click.option(
    "--procedures", "most", type=click.IntRange(1, 100_000), default=30, show_default=True, help="With --all-bots: how many are begun at most."
)
@click.option("--seen-by", metavar="WHO", help="Show only what somebody sees: a name, or a kind such as player. Secret rolls stay secret.")
@table_options
def command(
    pack: str, who: tuple[str, ...], files: tuple[Path, ...], seed: str | None, log: Path | None, resume: bool, up_to: int | None, anyway: bool, bots: tuple[str, ...],
    all_bots: bool, most: int, seen_by: str | None, tried: Tried,
) -> None:  # fmt: skip
    """Play a scene in the terminal. `help` there lists what you can type.

    Example: te-forge play my-game --who "Ann: a character with Brawn 3" --log evening.log
    """
    from te_forge.asked import Refused
    from te_forge.play.log import BadLog
    from te_forge.play.names import ended

    wanted = Wanted(who, files, seed, log, resume, up_to, anyway, bots, all_bots, most, seen_by, tried)
    check(wanted)
    loaded = opened(pack, tried)
    if told_in_short(loaded, pack) or loaded.system is None:
        sys.exit(stopped_by(loaded))
    try:
        play(loaded.system, wanted)
    except Refused as refused:
        raise click.UsageError(str(refused)) from None
    except BadLog as bad:
        say(ended(f"Error: {bad}"), err=True)
        if bad.good and wanted.resume:
            say(f"`--resume --up-to {bad.good}` goes on from the line before it, and puts the rest aside.", err=True)
        sys.exit(FINDINGS)


def check(wanted: Wanted) -> None:
    """Options that do not go together."""
    if wanted.resume and wanted.log is None:
        raise click.UsageError("--resume needs the log to go on with: --log FILE")
    if wanted.up_to is not None and not wanted.resume:
        raise click.UsageError("--up-to says from where a log goes on; give --resume with it")
    if wanted.resume and (wanted.who or wanted.files or wanted.bots or wanted.seed is not None or wanted.tried):
        raise click.UsageError("--resume goes on as the log says; leave out --who, --character, --bot, --seed, --hack, --without and --ruling")
    if not wanted.resume and wanted.log is not None and wanted.log.exists():
        if not wanted.log.is_file():
            raise click.UsageError(f"{wanted.log} is no file, so no game can be kept in it; choose another name")
        raise click.UsageError(f"{wanted.log} is there already: --resume goes on with it, another name begins a new one")


def play(system: System, wanted: Wanted) -> None:
    from te_forge.play import unattended
    from te_forge.play.answering import Person, bots_only
    from te_forge.play.scene import Scene

    table = sat_down(system, wanted, bots_only if wanted.all_bots else Person(typed, say, bold()))
    try:
        if wanted.all_bots:
            say(f"The end: {unattended.Director(table).play(wanted.most)}.")
        else:
            Scene(table, typed, say, bold()).run()
            farewell(table.log)
    except EOFError:
        farewell(table.log)
    except KeyboardInterrupt:
        farewell(table.log)
        sys.exit(STOPPED)
    finally:
        if table.log is not None:
            table.log.close()


def sat_down(system: System, wanted: Wanted, decide: Decide) -> Table:
    """The table with everybody at it. A log that comes to nothing is not left behind."""
    from te_forge.asked import Refused
    from te_forge.play.log import BadLog

    if wanted.resume and wanted.log is not None:
        return gone_on_with(system, wanted, wanted.log, decide)
    begun: list[Path] = []
    try:
        return new_table(system, wanted, decide, begun)
    except (Refused, BadLog):
        for log in begun:
            log.unlink(missing_ok=True)
        raise


def new_table(system: System, wanted: Wanted, decide: Decide, begun: list[Path]) -> Table:
    """A table with everybody at it; `begun` is told of the log as soon as there is one."""
    from te_forge.play import session, set_up, unattended
    from te_forge.play.eyes import eyes_of
    from te_forge.play.scene import bot_key

    people = [{"sheet": one} for one in wanted.who] + [{"file": text_of(file, system)} for file in wanted.files]
    on = set_up.switches(system)
    seed = wanted.seed if wanted.seed is not None else set_up.any_seed()
    begun += [wanted.log] if wanted.log is not None else []
    table = session.new_table(set_up.rules_of(system, on), on, seed, teller, decide, wanted.log)
    greet(f"{system.pack.title}, seed {seed}", system, on)
    nobody = wanted.all_bots and not people
    session.sit_down(table, people, unattended.A_PARTY if nobody else 0)
    if nobody:
        unattended.party(table)
    for one in wanted.bots:
        who, equals, policy = one.partition("=")
        if not equals:
            raise click.UsageError(f"`--bot {one}` does not say how the bot decides; write `--bot {one}=plain`")
        table.do({"do": "bot", "who": bot_key(table, who), "policy": policy}, "setup")
    if wanted.seen_by is not None:
        table.teller.eyes = eyes_of(table.rules, wanted.seen_by, table.state.people.items())
    return table


def greet(title: str, system: System, on: tuple[str, ...]) -> None:
    for line in (title, *told_of(system, on)):
        say(line)


def gone_on_with(system: System, wanted: Wanted, log: Path, decide: Decide) -> Table:
    from te_forge.nearby import no_file
    from te_forge.play import session
    from te_forge.play.log import LogFile, read_log

    if not log.is_file():
        raise click.UsageError(no_file(log, "log"))
    read = read_log(log, wanted.up_to)
    if read.dropped:
        say(f"Note: {read.dropped}.", err=True)
    table = session.table_of_log(system, read, log, teller, decide, wanted.anyway)
    if wanted.seen_by is not None:
        table.teller.eyes = session.eyes_in_log(system, read, log, wanted.seen_by, wanted.anyway)
    table.log = LogFile.go_on(log, read)
    table.teller.hold()
    greet(f"{system.pack.title}, seed {table.seed}, going on with {log}", system, read.head.on)
    return table


def text_of(file: Path, system: System) -> str:
    """The text of a character's file, when there is a character in it."""
    from te_forge.characters.checking import check_character
    from te_forge.characters.reading import load_character, read_source
    from te_forge.diagnostics import has_errors
    from te_forge.nearby import no_file
    from te_forge.report import as_text

    if not file.exists():
        raise click.UsageError(no_file(file))
    character, found = load_character(file, system)
    source, _ = read_source(file)
    if character is None or has_errors(found) or source is None:
        say(as_text(found, {file.as_posix(): source} if source is not None else {}, False), err=True)
        sys.exit(FINDINGS)
    broken = sum(one.severity == "error" for one in check_character(character, system))
    if broken:
        rules = "a rule" if broken == 1 else f"{broken} rules"
        say(f"{file} breaks {rules} of how it is made, and sits down as it is; `te-forge character check {file}` says more", err=True)
    return source.text


def teller(rules: Rules) -> Teller:
    from te_forge.play.words import Teller

    return Teller(rules, say, bold=bold())


def farewell(log: LogFile | None) -> None:
    say("")
    if log is None:
        say("The game is not kept; --log FILE would keep it.")
    elif log.is_there():
        say(f"The game is kept in {log.path}; --resume goes on exactly here.")
    else:
        say(f"The game is not kept: {log.path} was taken away while it was played.")
