"""The packs of `cases`: loaded, played and counted out."""

from __future__ import annotations

from fractions import Fraction as F
from functools import cache
from pathlib import Path

from te_forge.asked import Decided, ask
from te_forge.asked.request import Asked
from te_forge.engine.index import Rules
from te_forge.engine.odds import Odds
from te_forge.engine.policies import POLICIES
from te_forge.engine.script import play_example
from te_forge.engine.table import Table, numbers_at_end, table
from te_forge.packs import load

CASES = Path(__file__).parent / "cases"


@cache
def rules(case: str) -> Rules:
    loaded = load(str(CASES / case))
    assert [(one.code, one.message) for one in loaded.diagnostics] == []
    assert loaded.system is not None
    return Rules(loaded.system)


def odds(case: str, procedure: str, *pairs: str, who: tuple[str, ...]) -> tuple[Asked, Odds]:
    asked = ask(rules(case), procedure, pairs, who)
    return asked, Odds(asked.rules, Decided(POLICIES["plain"], asked.presets))


def counted(case: str, procedure: str, *pairs: str, who: tuple[str, ...]) -> Table:
    asked, found = odds(case, procedure, *pairs, who=who)
    spread = found.run(asked.state, asked.procedure.id, asked.roles)
    return table(asked.rules, asked.state, spread, found.live.yields(asked.procedure.id), found.cut)


def joint(case: str, procedure: str, *pairs: str, who: tuple[str, ...], words: tuple[str, ...]) -> dict[tuple[int, ...], F]:
    """How likely several numbers of a procedure are together."""
    asked, found = odds(case, procedure, *pairs, who=who)
    watched = found.live.yields(asked.procedure.id)
    shares: dict[tuple[int, ...], F] = {}
    for (state, _), weight in found.run(asked.state, asked.procedure.id, asked.roles).items():
        numbers = numbers_at_end(asked.rules, asked.state, state, watched)
        values = tuple(numbers["", word] for word in words)
        shares[values] = shares.get(values, F(0)) + weight
    return shares


def law(found: Table, word: str, of: str = "") -> dict[int | None, F]:
    assert found.missing == 0
    return followed(found, word, of)


def followed(found: Table, word: str, of: str = "") -> dict[int | None, F]:
    """Of what is followed, which need not be all."""
    return next(shares for (holder, number), shares in found.numbers.items() if (holder.rpartition("/")[2], number.rpartition("/")[2]) == (of, word))


def mean(of: dict[int | None, F]) -> F:
    return sum((value * weight for value, weight in of.items() if value is not None), F(0))


def at_least(of: dict[int | None, F], least: int) -> F:
    return sum((weight for value, weight in of.items() if value is not None and value >= least), F(0))


def outcomes(found: Table) -> dict[str, F]:
    assert found.missing == 0
    return {outcome.partition("#")[2]: weight for outcome, weight in found.outcomes.items()}


def wrong_examples(case: str) -> list[str]:
    """Why examples of a case do not come out."""
    examples = list(rules(case).system.of_kind("example"))
    assert examples
    played = [play_example(rules(case), one) for one in examples]
    return [f"{one.example.name}: {one.failure.message} ({one.failure.span})" for one in played if one.failure is not None]
