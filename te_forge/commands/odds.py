"""`te-forge odds`: what a procedure comes to, exactly."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from fractions import Fraction
from typing import TYPE_CHECKING

import click

from te_forge.cli import FINDINGS, opened, progress, say, stopped_by, told_in_short
from te_forge.options import at_this_table, table_options, told_of

if TYPE_CHECKING:
    from te_forge.asked import Asked
    from te_forge.engine.table import Table
    from te_forge.tried import Tried


@click.command("odds")
@click.argument("pack")
@click.argument("procedure")
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

    KEY=VALUE names a role (hero=Ann), a number (Ann.Luck=3), or the answer to a choice (attribute=Brawn).

    Example: te-forge odds my-game Test hero=Ann attribute=Brawn --who "Ann: a character with Brawn 3"
    """
    from te_forge.asked import Refused, ask
    from te_forge.asked.counting import counted
    from te_forge.engine.index import Rules
    from te_forge.engine.odds import TooMany
    from te_forge.engine.policies import POLICIES, unknown
    from te_forge.engine.reading import RuleError

    if why := unknown(policy, POLICIES):
        raise click.UsageError(why)
    loaded = opened(pack, tried)
    if told_in_short(loaded, pack, format_ == "json"):
        sys.exit(stopped_by(loaded))
    assert loaded.system is not None
    try:
        asked = ask(Rules(at_this_table(loaded.system)), procedure, pairs, who)
        with progress("counting"):
            found, goal = counted(asked, policy, best)
    except (Refused, TooMany) as reason:
        raise click.UsageError(str(reason)) from None
    except RuleError as error:
        span = asked.rules.place(error.scope.entry, error.scope.line)
        place = f" ({span})" if span is not None else ""
        say(f"Error: the rules cannot be counted out: {error}{place}", err=True)
        sys.exit(FINDINGS)
    with any_number_of_digits():
        say(as_json(asked, found, policy, best, goal) if format_ == "json" else as_text(asked, found, policy, best, goal))


@contextmanager
def any_number_of_digits() -> Iterator[None]:
    """A fraction may be longer than Python likes to print. What is read meanwhile is ours; what strangers write is read with the limit on."""
    usual = sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(0)
    try:
        yield
    finally:
        sys.set_int_max_str_digits(usual)


# ---------------------------------------------------------------- in words and as data


def as_text(asked: Asked, found: Table, policy: str, best: str | None, goal: Fraction | None) -> str:
    from te_forge.asked.counting import in_order, number_name

    lines = [f"{asked.procedure.name}, counted out"]
    lines += [f"  {line}" for line in told_of(asked.rules.system)]
    lines += [f"  decided by the policy {policy_told(policy)}"]
    if goal is not None and best is not None:
        lines += [
            f"  {first_of(asked)} decides for {best}, knowing everything that has been rolled: {f'mean {float(goal):.4f} ({fraction(goal)})' if is_mean(asked, best) else shown(goal)}"
        ]
        lines += ["  of answers that are equally good for that, the first counts, so the other shares can depend on that"]
    outcomes = in_order(asked, found.outcomes)
    if outcomes.keys() - {""}:
        lines += ["", *rows([(name or "no outcome", weight) for name, weight in outcomes.items()])]
    for key, law in found.numbers.items():
        mean = found.mean(key)
        others = found.beyond.get(key)
        about = f", mean {float(mean):.4f}" if mean is not None else ""
        about += f" ({fraction(mean)})" if mean is not None and others and not found.missing else ""
        values = sorted(law.items(), key=lambda one: (one[0] is None, one[0] or 0))
        shares = [("no value" if value is None else str(value), weight) for value, weight in values]
        shares = with_others(shares, others.share) if others else shares
        lines += ["", f"{number_name(asked, key)}{about}{' where it has a value' if None in law else ''}", *rows(shares)]
    if not found.numbers and not outcomes.keys() - {""} and not found.missing:
        lines += [
            "",
            "It has no outcome, and no number changes. How often somebody has a trait afterwards is asked in an example: `expect Ann has .. in 25 percent`.",
        ]
    if found.missing:
        nothing = (
            ["  Nothing of it came to an end as far as it was followed; perhaps it never does: `te-forge roll` shows a run of it."]
            if found.missing == 1
            else []
        )
        lines += [
            "",
            f"Not followed: {shown(found.missing)}, so this is not exact: what is followed is, and each share may be higher by up to that.",
            *(f"  {one}" for one in found.cut),
            *nothing,
        ]
    if found.beyond:
        exact = "" if found.missing else " The means are exact."
        told = "All shares are exact" if found.told_apart else "Each share above them may be higher by up to theirs"
        lines += ["", f"`others` are the cases that are left when a repeat goes on for long; it may go on for ever. {told}.{exact}"]
    if any(LONG in line for line in lines):
        lines += ["", f"{LONG} is a fraction of more than {MOST_DIGITS} digits; `--format json` prints it."]
    return "\n".join(lines)


HARDLY = Fraction(1, 20_000)
LONG = "(long)"
MOST_DIGITS = 20
"""Above or below the line of a fraction that is printed for people. A fight of many rounds is counted out to hundreds of digits, and a line is to be
read.
"""


def fraction(weight: Fraction) -> str:
    return LONG if max(abs(weight.numerator), weight.denominator) >= 10**MOST_DIGITS else str(weight)


def rows(items: list[tuple[str, Fraction]]) -> list[str]:
    wide, long = max(len(name) for name, _ in items), max(len(fraction(weight)) for _, weight in items)
    return [f"  {name:<{wide}}  {percent(weight):>8}  {fraction(weight):>{long}}" for name, weight in items]


def with_others(shares: list[tuple[str, Fraction]], others: Fraction) -> list[tuple[str, Fraction]]:
    """The last line of a number that has no highest value: with it, the values before it that are hardly ever come to."""
    while shares and others + shares[-1][1] < HARDLY:
        others += shares.pop()[1]
    return [*shares, ("others", others)]


def is_mean(asked: Asked, best: str) -> bool:
    """Whether the goal is a number as high or as low as possible, and not something that is reached or not."""
    from te_forge.asked import goal
    from te_forge.engine.live import Liveness

    return goal(asked, best, Liveness(asked.rules).yields(asked.procedure.id)).is_mean


def shown(weight: Fraction) -> str:
    return f"{percent(weight)} ({fraction(weight)})"


def percent(weight: Fraction) -> str:
    if 0 < weight < HARDLY:
        return "<0.01 %"
    if Fraction(19_999, 20_000) < weight < 1:
        return ">99.99 %"
    return f"{float(weight * 100):.2f} %"


def policy_told(policy: str) -> str:
    from te_forge.engine.policies import POLICIES

    text = (POLICIES[policy].__doc__ or "").strip().rstrip(".")
    return f"{policy}: {text[:1].lower()}{text[1:]}"


def first_of(asked: Asked) -> str:
    from te_forge.asked import named
    from te_forge.asked.counting import deciders

    return " and ".join(named(asked.rules, asked.state, one) for one in deciders(asked))


def as_json(asked: Asked, found: Table, policy: str, best: str | None, goal: Fraction | None) -> str:
    import json

    def weight(one: Fraction) -> dict[str, object]:
        return {"fraction": str(one), "percent": float(one * 100)}

    from te_forge.asked.counting import in_order, number_name
    from te_forge.compose.chosen import switched_on

    made: dict[str, object] = {"procedure": asked.procedure.id, "on": switched_on(asked.rules.system), "policy": policy}
    if goal is not None and best is not None:
        made["best"] = {"goal": best, "by": first_of(asked), **({"mean": str(goal)} if is_mean(asked, best) else weight(goal))}
    made["outcomes"] = [{"outcome": name, **weight(share)} for name, share in in_order(asked, found.outcomes).items()]
    made["numbers"] = [
        {
            "of": key[0], "number": key[1], "name": number_name(asked, key), "mean": str(mean) if (mean := found.mean(key)) is not None else None, "exact_mean": not found.missing,
            **({"others": {**weight(found.beyond[key].share), "mean": str(found.beyond[key].mean), "above": found.beyond[key].above}} if key in found.beyond else {}),
            "values": [{"value": value, **weight(share)} for value, share in sorted(law.items(), key=lambda one: (one[0] is None, one[0] or 0))],
        }
        for key, law in found.numbers.items()
    ]  # fmt: skip
    made["missing"] = {**weight(found.missing), "why": list(found.cut)}
    made["exact"] = not found.missing and found.told_apart
    return json.dumps(made, indent=1, ensure_ascii=False)
