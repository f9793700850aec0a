"""`te-forge roll`: one procedure, once."""

from __future__ import annotations

import sys
from typing import Any

import click

from te_forge.cli import FINDINGS, PACK, opened, say, stopped_by, told


@click.command(name="roll")
@PACK
@click.argument("procedure")
@click.argument("given", metavar="[KEY=VALUE]...", nargs=-1)
@click.option("--who", "people", multiple=True, metavar="SHEET", help='Somebody who is there, such as "Ann: a Warrior with Vigor 3".')
@click.option("--seed", help="The dice fall by it; without it a new one is taken, and printed.")
@click.option("--policy", help="Who decides what was not said: a policy by name. Without it you are asked on a terminal; elsewhere `plain` decides.")
def command(pack: str, procedure: str, given: tuple[str, ...], people: tuple[str, ...], seed: str | None, policy: str | None) -> None:
    """Run one procedure once, and print each step, the dice, who chose what, and what it came to.

    KEY=VALUE fills a role (actor=Ann), sets a number (Tension=4, Ann.Health=2), or makes a choice beforehand (attribute=Vigor).

    Example: te-forge roll srd-core "Environment Conflict" actor=Ann Tension=4 --who "Ann: a Warrior with Vigor 3 and Athletics 1"
    """
    from te_forge.play.names import Refused

    loaded = opened(pack)
    if told(loaded) or loaded.system is None:
        sys.exit(stopped_by(loaded))
    try:
        rolled(loaded.system, procedure, given, people, seed, policy)
    except Refused as refused:
        say(f"Error: {refused}.", err=True)
        sys.exit(FINDINGS)


def rolled(system: Any, procedure: str, given: tuple[str, ...], people: tuple[str, ...], seed: str | None, policy: str | None) -> None:
    from te_forge.play import roll, set_up
    from te_forge.play.answering import EVERYBODY, Person, bots_only
    from te_forge.play.bots import names
    from te_forge.play.names import Refused, entry_called
    from te_forge.play.table import Table
    from te_forge.play.words import Teller
    from te_forge.suggest import did_you_mean

    if policy is not None and policy not in names():
        raise Refused(f"there is no policy `{policy}`{did_you_mean(policy, names())}; there are {', '.join(names())}")
    rules = set_up.rules_of(system)
    asks = policy is None and sys.stdin.isatty()
    quiet = Teller(rules, lambda line: None)
    table = Table(rules, seed if seed is not None else set_up.any_seed(), quiet, Person(typed, say) if asks else bots_only)
    if policy is not None:
        table.bots[EVERYBODY] = policy
    wanted = [entry for entry in rules.system.of_kind("procedure") if entry.steps]
    entry = entry_called(rules, procedure, wanted, "procedure of this pack")
    for one in people:
        table.do({"do": "join", "sheet": one}, "setup")
    roll.open_spans(table)
    roles, presets = roll.sorted_out(table, entry, roll.pairs(given))
    table.decide = chosen = roll.Presets(rules, presets, table.decide)

    def choose(holds: Any, free: list[str]) -> Any:
        raise Refused(f"{entry.name} needs the {holds.word}; write {holds.word}=..{nobody(rules, table, holds, free)}")

    roll.fill(table, entry, roles, choose)
    table.teller = Teller(rules, say, every_step=True, bold=bold())
    say(f"Seed {table.seed}")
    try:
        table.do({"do": "begin", "id": entry.id, "roles": roles})
    except (EOFError, KeyboardInterrupt):
        raise click.Abort from None
    if table.result is None:
        sys.exit(FINDINGS)
    for line in roll.summary(table, table.result):
        say(line)
    for key, value in chosen.left:
        say(f"Nothing asked for {key}={value}.", err=True)


def nobody(rules: Any, table: Any, holds: Any, free: list[str]) -> str:
    from te_forge.play.names import listed, name

    return f" ({listed(name(rules, one) for one in free)} can be it)" if free else f' (bring somebody in with --who "Ann: a {holds.type.kind or "character"}")'


def typed(prompt: str) -> str:
    try:
        return input(prompt)
    except KeyboardInterrupt:
        click.echo()
        raise


def bold() -> Any:
    import os

    if sys.stdout.isatty() and not os.environ.get("NO_COLOR"):
        return lambda text: click.style(text, bold=True)
    return lambda text: text
