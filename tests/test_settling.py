"""When values settle: what is fixed by `will be`, words that change meanwhile, and steps that are gone back to."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import pytest
from beginnings import rules_of

from te_forge.asked import ask
from te_forge.engine.index import Rules
from te_forge.engine.odds import Odds
from te_forge.engine.policies import POLICIES
from te_forge.engine.script import play_example
from te_forge.engine.table import table

PAGE = """# Settling

## kind: gm
- Is: an actor
- How Many: 1

## kind: hero
- Is: an actor
- Plural: "heroes"

## kind: knack
- Is: a trait of a hero

## knack: Shadow
- Follow: instead of Throw with the owner as the thrower in Echo: the owner's score will be highest score of the others + 1

## procedure: Throw
- Part Of: Echo
- Roles: a hero as the thrower

1. Fall.
   - Dice: the thrower rolls 1 d4 as the luck
   - Sum: the thrower's score is sum of the luck

## procedure: Echo
- Roles: a hero as the one, a group of heroes as the others
- Settles: Judge

| value | holds    | default | text |
|-------|----------|---------|------|
| score | a number | 0       | sum  |

1. Wish.
   - First: the stake is 1
   - Wish: the goal will be the stake + the one's score
   - More: the stake becomes 3
2. Roll.
   - One: do Throw with the one as the thrower
   - All: for each hero in the others as the other: do Throw with the other as the thrower
3. Judge.
   - Seen: the seen is the one's score
4. Again.
   - Back: if the one's score is below 3: once per Echo: go back to Roll
   - End: the end is the one's score; the last is the goal; the top is highest score of the others

## example: A Shadow Follows Twice
- Ann: a hero with Shadow
- Ben: a hero
- Cid: a hero
1. Two and one the first time, four and one the second.
   - do Echo with Ann as the one, Ben and Cid as the others as the echo
   - Ben shows 1; Cid shows 1; Ben shows 4; Cid shows 2
   - expect the echo's end is 5 and the echo's last is 8

## example: Without A Shadow
- Ann: a hero
- Ben: a hero
1. The goal waits for the score, and takes the stake as it has become.
   - do Echo with Ann as the one, Ben as the others as the echo
   - Ann shows 4; Ben shows 1
   - expect the echo's end is 4 and the echo's last is 7
2. What was rolled anew counts.
   - do Echo with Ann as the one, Ben as the others as the second
   - Ann shows 1; Ben shows 1; Ann shows 2; Ben shows 3
   - expect the second's end is 2 and the second's last is 5
"""


def rules() -> Rules:
    return rules_of(PAGE, "settling")


@pytest.mark.parametrize("name", ["A Shadow Follows Twice", "Without A Shadow"])
def test_what_is_fixed_settles_again(name: str) -> None:
    example = next(one for one in rules().system.of_kind("example") if one.name == name)
    failure = play_example(rules(), example).failure
    assert failure is None, failure.message


@pytest.mark.parametrize("liveness", [True, False])
@pytest.mark.parametrize("shadow", [True, False])
def test_odds_follow_the_second_settling(shadow: bool, liveness: bool) -> None:
    """Against every sequence of dice, walked by hand."""
    one = ask(rules(), "Echo", ("one=Ann", "others=Ben"), (f"Ann: a hero{' with Shadow' * shadow}", "Ben: a hero"))
    odds = Odds(one.rules, POLICIES["plain"], liveness)
    found = table(one.rules, one.state, odds.run(one.state, one.procedure.id, one.roles), odds.live.yields(one.procedure.id))
    walked: dict[str, dict[int | None, Fraction]] = {"end": {}, "last": {}}
    for first, second, third, fourth in product(range(1, 5), repeat=4):
        ann, _ = (second + 1, second) if shadow else (first, second)
        if ann < 3:
            ann, _ = (fourth + 1, fourth) if shadow else (third, fourth)
        for word, value in (("end", ann), ("last", ann + 3)):
            walked[word][value] = walked[word].get(value, Fraction(0)) + Fraction(1, 4**4)
    assert found.numbers["", "end"] == walked["end"]
    assert found.numbers["", "last"] == walked["last"]
