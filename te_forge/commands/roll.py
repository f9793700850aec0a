"""`te-forge roll`: one procedure, once."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING

import click

from te_forge.cli import FINDINGS, PACK, opened, say, stopped_by, told_in_short
from te_forge.options import table_options, told_of

if TYPE_CHECKING:
    from te_forge.asked import Asked
    from te_forge.asked.tables import AskedTable
    from te_forge.play.table import Table
    from te_forge.tried import Tried


@click.command(name="roll")
@PACK
@click.argument("procedure", default="")
@click.argument("pairs", metavar="[KEY=VALUE]...", nargs=-1)
@click.option(
    "--who", multiple=True, metavar="TEXT", help='Somebody who is there, as in an example: "Ann: a Smith with Brawn 3". Any number of them.'
)
@click.option("--seed", help="The dice fall by it; without it a new one is taken, and printed.")
@click.option("--policy", help="Who decides what was not said. Without it you are asked on a terminal; elsewhere `plain` decides.")
@table_options
def command(pack: str, procedure: str, pairs: tuple[str, ...], who: tuple[str, ...], seed: str | None, policy: str | None, tried: Tried) -> None:
    """Run one procedure once, and print each step, the dice, who chose what, and what it came to; or roll a table of the book.

    KEY=VALUE names a role (hero=Ann), a number (Ann.Luck=3), or the answer to a choice (attribute=Brawn).

    Example: te-forge roll my-game Test hero=Ann attribute=Brawn --who "Ann: a character with Brawn 3"
    """
    from te_forge.asked import Asked, Refused, ask
    from te_forge.asked.request import split_pair
    from te_forge.asked.tables import ask_table, table_called
    from te_forge.engine.policies import unknown
    from te_forge.play import roll, set_up
    from te_forge.play.answering import EVERYBODY, Person, bots_only
    from te_forge.play.table import Table
    from te_forge.play.words import Teller

    loaded = opened(pack, tried)
    if told_in_short(loaded, pack) or loaded.system is None:
        sys.exit(stopped_by(loaded))
    if policy is not None and (why := unknown(policy)):
        raise click.UsageError(why)
    try:
        rules = set_up.rules_of(loaded.system, set_up.switches(loaded.system))
        rolled = table_called(rules, procedure) if procedure else None
        asked = ask_table(rules, rolled, map(split_pair, pairs), who) if rolled is not None else ask(rules, procedure, pairs, who)
    except Refused as refused:
        raise click.UsageError(str(refused)) from None
    asks = policy is None and sys.stdin.isatty()
    presets = asked.presets if isinstance(asked, Asked) else ()
    decide = roll.with_presets(presets, Person(typed, say, bold()) if asks else bots_only)
    table = Table(rules, seed if seed is not None else set_up.any_seed(), Teller(rules, say, every_step=True, bold=bold()), decide, state=asked.state)
    table.bots = {EVERYBODY: policy} if policy is not None else {}
    run(table, asked)


def run(table: Table, asked: Asked | AskedTable) -> None:
    from te_forge.asked import Asked, Refused, refuse_wrong, unasked
    from te_forge.play.names import wrapped
    from te_forge.play.summary import summary

    for line in (f"Seed {table.seed}", *told_of(table.rules.system)):
        say(line)
    try:
        begun(table, asked)
        refuse_wrong(asked.presets if isinstance(asked, Asked) else ())
    except Refused as refused:
        raise click.UsageError(str(refused)) from None
    except (EOFError, KeyboardInterrupt):
        raise click.Abort from None
    if table.result is None:
        sys.exit(FINDINGS)
    what = asked.procedure if isinstance(asked, Asked) else asked.table
    for line in summary(table.rules, what.id, asked.state, table.state, table.result):
        for part in wrapped(line, 0, 4):
            say(part)
    if not isinstance(asked, Asked):
        return
    for sentence in unasked(asked.presets, asked.procedure):
        say(f"Note: {sentence}", err=True)


def begun(table: Table, asked: Asked | AskedTable) -> None:
    """Run it to its end. Whoever is asked may take back what they answered before."""
    from te_forge.asked import Asked
    from te_forge.play.table import TakenBack

    command = (
        {"do": "begin", "id": asked.procedure.id, "roles": asked.roles}
        if isinstance(asked, Asked)
        else {"do": "roll on", "id": asked.table.id, "who": asked.who}
    )

    going_on = False
    while True:
        try:
            if going_on:
                table.play_on()
            else:
                table.do(command)
            table.teller.release()
            return
        except TakenBack:
            said, going_on = table.take_back(), bool(table.events)
            say(f"Taken back: {said}." if going_on else "That is the first question; there is nothing before it.")
            table.teller.hold()


def typed(prompt: str) -> str:
    """A line that somebody types. What comes from a file or a pipe is shown, as it would be on a terminal."""
    try:
        line = input(prompt)
    except KeyboardInterrupt:
        say("")
        raise
    if not sys.stdin.isatty():
        say(line)
    return line


def bold() -> Callable[[str], str]:
    """Headings are bold on a terminal."""
    live = sys.stdout.isatty() and not os.environ.get("NO_COLOR")
    return lambda text: click.style(text, bold=True) if live else text
