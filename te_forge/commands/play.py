"""`te-forge play`: a scene in the terminal."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import click

from te_forge.cli import FINDINGS, PACK, STOPPED, opened, say, stopped_by, told


@click.command(name="play")
@PACK
@click.option("--who", "people", multiple=True, metavar="SHEET", help='Somebody who is there, such as "Ann: a Warrior with Vigor 3".')
@click.option("--seed", help="The dice fall by it; without it a new one is taken, and printed.")
@click.option("--log", type=click.Path(dir_okay=False, path_type=Path), metavar="FILE", help="Write the game to this file, event by event.")
@click.option("--resume", is_flag=True, help="Go on with the game in the log.")
@click.option("--anyway", is_flag=True, help="Go on even though the pack is another than the log was played with.")
@click.option("--bot", "bots", multiple=True, metavar="WHO=POLICY", help="A bot plays somebody (a name, or a kind such as gm): plain or random.")
@click.option("--all-bots", is_flag=True, help="Bots play everybody, to the end.")
@click.option("--procedures", "most", type=click.IntRange(1, 100_000), default=30, show_default=True, help="With --all-bots: how many are begun at most.")
def command(
    pack: str, people: tuple[str, ...], seed: str | None, log: Path | None, resume: bool, anyway: bool, bots: tuple[str, ...], all_bots: bool, most: int
) -> None:
    """Play a scene in the terminal. `help` there lists what you can type.

    Example: te-forge play srd-core --who "Ann: a Warrior with Vigor 3" --log evening.log
    """
    from te_forge.play.log import BadLog
    from te_forge.play.names import Refused

    loaded = opened(pack)
    if told(loaded) or loaded.system is None:
        sys.exit(stopped_by(loaded))
    if resume and log is None:
        raise click.UsageError("--resume needs the log to go on with: --log FILE")
    if resume and (people or seed is not None):
        raise click.UsageError("--resume goes on with who is there and with the seed of the log; leave out --who and --seed")
    try:
        play(loaded.system, people, seed, log, resume, anyway, bots, all_bots, most)
    except (BadLog, Refused) as bad:
        say(f"Error: {bad}.", err=True)
        sys.exit(FINDINGS)


def play(
    system: Any, people: tuple[str, ...], seed: str | None, log: Path | None, resume: bool, anyway: bool, bots: tuple[str, ...], all_bots: bool, most: int
) -> None:
    from te_forge.commands.roll import bold, typed
    from te_forge.play import set_up, unattended
    from te_forge.play.answering import EVERYBODY, Person, bots_only
    from te_forge.play.roll import pairs
    from te_forge.play.scene import Scene, bot_key

    rules = set_up.rules_of(system)
    person = Person(typed, say)
    session = begun(rules, log, resume, anyway, seed, bots_only if all_bots else person)
    table = session.table
    say(f"{system.pack.title}, seed {table.seed}" + (f", log {log}" if log else ""))
    try:
        if resume:
            table.teller.hold()
        else:
            session.sit_down(people, [])
            if all_bots and not people:
                unattended.party(table)
        for who, policy in pairs(bots):
            table.do({"do": "bot", "who": bot_key(table, who), "policy": policy}, "setup")
        if all_bots:
            table.play_on()
            table.teller.release()
            say(f"The end: {unattended.Director(table).play(most)}.")
        else:
            Scene(table, typed, say, bold()).run()
    except EOFError:
        farewell(log)
    except KeyboardInterrupt:
        farewell(log)
        sys.exit(STOPPED)
    _ = EVERYBODY


def begun(rules: Any, log: Path | None, resume: bool, anyway: bool, seed: str | None, decide: Any) -> Any:
    from te_forge.commands.roll import bold
    from te_forge.play import set_up
    from te_forge.play.log import LogFile, read_log
    from te_forge.play.session import Session, same_rules

    if not resume or log is None:
        if log is not None and log.exists():
            raise click.UsageError(f"{log} is there already: --resume goes on with it, another name begins a new one")
        return Session.new(rules, seed if seed is not None else set_up.any_seed(), say, decide, log, bold())
    read = read_log(log)
    same_rules(rules, read, anyway)
    if read.dropped:
        say(f"Note: {read.dropped}.", err=True)
    session = Session.again(rules, read, log, say, decide, bold())
    session.table.log = LogFile.go_on(log, read.lines, read.size)
    return session


def farewell(log: Path | None) -> None:
    say("")
    say(f"The game is kept in {log}; --resume goes on exactly here." if log else "The game is not kept; --log FILE would keep it.")
