"""`repeat until`: rounds without a bound, in play and in odds, against chains that are solved here by hand."""

from __future__ import annotations

from fractions import Fraction as F

import pytest

from te_forge.asked import ask
from te_forge.check import check
from te_forge.engine.index import Rules
from te_forge.engine.odds import Odds, Table, table
from te_forge.engine.policies import POLICIES
from te_forge.engine.script import play_example
from te_forge.model.pack import PackInfo
from te_forge.source import Source

HEAD = """# Ties

## kind: player
A person.
- Is: an actor

## kind: pool
A number.
- Is: a number of a player

| pool  | Starts | At Least | At Most | text         |
|-------|--------|----------|---------|--------------|
| Coins | 3      | 0        | 6       | What one has |

"""
WHO = ("Ann: a player", "Ben: a player")


def rules(text: str) -> Rules:
    system, found = check([Source("ties.te", HEAD + text)], PackInfo(id="ties", title="Ties", version="1.0.0"))
    assert [one for one in found if one.severity == "error"] == []
    return Rules(system)


def counted(made: Rules, procedure: str, *pairs: str, liveness: bool = True, policy: str = "plain") -> Table:
    asked = ask(made, procedure, pairs, WHO)
    odds = Odds(made, POLICIES[policy], liveness)
    return table(made, asked.state, odds.run(asked.state, asked.procedure.id, asked.roles), odds.live.yields(asked.procedure.id), odds.cut)


def outcomes(found: Table) -> dict[str, F]:
    return {name.partition("#")[2]: share for name, share in found.outcomes.items()}


# ---------------------------------------------------------------- an oracle of its own


def solve(rows: list[list[F]], known: list[F]) -> list[F]:
    """`x = known + rows x`, by Gauss and Jordan."""
    size = len(rows)
    left = [[F(int(at == to)) - rows[at][to] for to in range(size)] + [known[at]] for at in range(size)]
    for at in range(size):
        pivot = next(row for row in range(at, size) if left[row][at])
        left[at], left[pivot] = left[pivot], left[at]
        left[at] = [one / left[at][at] for one in left[at]]
        for row in range(size):
            if row != at:
                left[row] = [one - left[row][at] * other for one, other in zip(left[row], left[at], strict=True)]
    return [row[size] for row in left]


# ---------------------------------------------------------------- ties

DUEL = """## procedure: Duel
- Roles: a player as the one, a player as the other
- Outcomes: Won, Lost

1. Throw.
   - Zero: the rounds is 0
   - Throw: repeat until the left is not the right:
     - One: the one rolls 1 d6 as the mine; the left is sum of the mine
     - Other: the other rolls 1 d4 as the yours; the right is sum of the yours
     - Count: the rounds becomes the rounds + 1
2. Look.
   - Won: if the left is above the right: end with Won
   - Lost: otherwise: end with Lost

## example: A Tie First
- Ann: a player
- Ben: a player
1. A tie.
   - do Duel with Ann as the one, Ben as the other as the duel
   - Ann shows 3; Ben shows 3; Ann shows 4; Ben shows 2
   - expect the duel is Won and the duel's rounds is 2
"""


def test_the_body_runs_before_the_question() -> None:
    made = rules(DUEL)
    assert play_example(made, made.system.of_kind("example")[0]).failure is None


@pytest.mark.parametrize("liveness", [True, False])
def test_ties_are_rolled_again(liveness: bool) -> None:
    found = counted(rules(DUEL), "Duel", "one=Ann", "other=Ben", liveness=liveness)
    won = sum(F(1, 24) for mine in range(1, 7) for yours in range(1, 5) if mine > yours)
    lost = sum(F(1, 24) for mine in range(1, 7) for yours in range(1, 5) if mine < yours)
    assert outcomes(found) == {"won": won / (won + lost), "lost": lost / (won + lost)}
    assert (found.missing, found.cut) == (0, ())
    rounds = found.numbers["", "rounds"]
    assert all(rounds[number] == (1 - F(1, 6)) * F(1, 6) ** (number - 1) for number in range(1, 10))
    assert found.mean(("", "rounds")) == F(6, 5)
    share, _ = found.beyond["", "rounds"]
    assert 0 < share < F(1, 10**12) and share + sum(rounds.values()) == 1
