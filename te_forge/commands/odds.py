"""`te-forge odds`: what a procedure comes to, exactly."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import click

from te_forge.cli import FINDINGS, opened, progress, say, stopped_by, told_in_short
from te_forge.options import at_this_table, table_options

if TYPE_CHECKING:
    from te_forge.engine.index import Rules
    from te_forge.tried import Tried


@click.command("odds")
@click.argument("pack")
@click.argument("procedure", default="")
@click.argument("pairs", nargs=-1, metavar="[KEY=VALUE]...")
@click.option(
    "--who", multiple=True, metavar="TEXT", help='Somebody who is there, as in an example: "Ann: a Smith with Brawn 3". Any number of them.'
)
@click.option("--policy", default="plain", show_default=True, help="Who decides: plain, spend, last or lowest.")
@click.option(
    "--best",
    metavar="GOAL",
    help="The first role decides for the goal: an outcome, outcomes by worth (`Success 2, Failure -1`), a comparison such as `total >= 9`, or `highest total`.",
)
@click.option("--format", "format_", type=click.Choice(["text", "json"]), default="text", help="How to print what is found.")
@table_options
def command(
    pack: str, procedure: str, pairs: tuple[str, ...], who: tuple[str, ...], policy: str, best: str | None, format_: str, tried: Tried
) -> None:
    """Count out what a procedure comes to: each outcome and number with its exact share.

    KEY=VALUE names a role (hero=Ann), a number (Ann.Luck=3), or the answer to a choice (attribute=Brawn). Of several numbers (difficulty=5..15,
    or 5,10,15) each is counted out, as a table.

    Example: te-forge odds my-game Test hero=Ann attribute=Brawn --who "Ann: a character with Brawn 3"
    """
    from te_forge.asked import Refused
    from te_forge.engine.following import TooMany
    from te_forge.engine.index import Rules
    from te_forge.engine.policies import POLICIES, unknown
    from te_forge.engine.reading import RuleError

    if why := unknown(policy, POLICIES):
        raise click.UsageError(why)
    loaded = opened(pack, tried)
    if told_in_short(loaded, pack, format_ == "json"):
        sys.exit(stopped_by(loaded))
    assert loaded.system is not None
    rules = Rules(at_this_table(loaded.system))
    try:
        with progress("counting"), any_number_of_digits():
            told = answer(rules, procedure, pairs, who, policy, best, format_ == "json")
    except (Refused, TooMany) as reason:
        raise click.UsageError(str(reason)) from None
    except RuleError as error:
        span = rules.place(error.scope.entry, error.scope.line)
        place = f" ({span})" if span is not None else ""
        say(f"Error: the rules cannot be counted out: {error}{place}", err=True)
        sys.exit(FINDINGS)
    say(told)


def answer(rules: Rules, procedure: str, pairs: tuple[str, ...], who: tuple[str, ...], policy: str, best: str | None, data: bool) -> str:
    from te_forge.asked import ask
    from te_forge.asked.counting import counted
    from te_forge.asked.ranges import counted_each, ranges_in
    from te_forge.commands.counted import as_json, as_text, table_as_json, table_as_text

    if ranges_in(rules, procedure, pairs):
        questions = counted_each(rules, procedure, pairs, who, policy, best)
        return (table_as_json if data else table_as_text)(questions, policy, best)
    asked = ask(rules, procedure, pairs, who)
    return (as_json if data else as_text)(counted(asked, policy, best), policy, best)


@contextmanager
def any_number_of_digits() -> Iterator[None]:
    """A fraction may be longer than Python likes to print. What is read meanwhile is ours; what strangers write is read with the limit on."""
    usual = sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(0)
    try:
        yield
    finally:
        sys.set_int_max_str_digits(usual)
