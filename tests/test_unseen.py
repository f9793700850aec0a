"""Dice that are looked at no closer than the rules do: the same fractions as when every roll is parted at once."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from fractions import Fraction
from itertools import product

import pytest
from cases_for_tests import counted, rules

from te_forge.asked import Decided, ask
from te_forge.check import check
from te_forge.engine import following as engine
from te_forge.engine import places
from te_forge.engine.best import Best, choices_of
from te_forge.engine.effects import Look, Roll
from te_forge.engine.expectimax import solved
from te_forge.engine.index import Rules
from te_forge.engine.laws import fallen, law, looked, ways_to_sums
from te_forge.engine.lots import parted, tidied
from te_forge.engine.odds import Odds
from te_forge.engine.policies import POLICIES
from te_forge.engine.state import Frame, Lot, Map, Scope, Slot, State, Unseen
from te_forge.engine.table import Table, left, table
from te_forge.model.pack import PackInfo
from te_forge.options import at_this_table
from te_forge.packs import load
from te_forge.source import Source

CASES = [
    ("a01", "Throw", ("thrower=Ann",), ("Ann: a player with Dice 4",)),
    ("a02", "Clash", ("left=Ann", "right=Bo"), ("Ann: a player with Dice 3", "Bo: a player with Dice 2")),
    ("a04", "Check", ("actor=Ann",), ("Ann: a player with Action 2 and Danger 2",)),
    ("a06", "Try", ("actor=Ann", "Push=yes"), ("Ann: a player with Base 2 and Skill 1 and Gear 1",)),
    ("a06", "Contest", ("left=Ann", "right=Bo"), ("Ann: a player with Skill 2", "Bo: a player with Skill 2")),
    ("a08", "Kept First", ("thrower=Ann",), ("Ann: a player",)),
    ("a08", "Ten Coins", ("thrower=Ann",), ("Ann: a player",)),
    ("a09", "Ten Uses", ("holder=Ann",), ("Ann: a player with Supply 2",)),
    ("a10", "Throw", ("thrower=Ann",), ("Ann: a player with Dice 2",)),
    ("a11", "Check", ("actor=Ann",), ("Ann: a player with Ability 1 and Proficiency 1 and Difficulty 1",)),
    ("a17", "Pool", ("thrower=Ann", "Ann.Dice=3"), ("Ann: a player",)),
]
AT_ONCE = 10**9


@pytest.mark.parametrize(("case", "procedure", "pairs", "who"), CASES)
def test_a_closer_look_changes_no_answer(
    case: str, procedure: str, pairs: tuple[str, ...], who: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    found: list[Table] = []
    for at_sight in (1, AT_ONCE):
        monkeypatch.setattr(engine, "MOST_AT_SIGHT", at_sight)
        found.append(counted(case, procedure, *pairs, who=who))
    assert found[0] == found[1]


@pytest.mark.parametrize("policy", POLICIES)
def test_nor_where_hooks_listen_and_dice_are_kept_and_rolled_again(policy: str, monkeypatch: pytest.MonkeyPatch) -> None:
    system = load("srd-core").system
    assert system is not None
    book, found = Rules(at_this_table(system)), []
    for at_sight in (1, AT_ONCE):
        monkeypatch.setattr(engine, "MOST_AT_SIGHT", at_sight)
        one = ask(
            book,
            "Environment Conflict",
            ("actor=Ann", "Tension=2", "attribute=Vigor", "skill=Athletics"),
            ("Ann: a Warrior with Vigor 2 and Athletics 1",),
        )
        odds = Odds(book, Decided(POLICIES[policy], one.presets))
        found.append(table(book, one.state, odds.run(one.state, one.procedure.id, one.roles), odds.live.yields(one.procedure.id), odds.cut))
    assert found[0] == found[1]


def test_a_question_parts_a_lot_by_its_answer() -> None:
    dice = fallen(Roll("Ann", ((2, 6, ()), (1, 4, ()))))
    lot = Lot(tuple(enumerate(ways for _, ways in dice.law)))
    for ask_ in (lambda shown: sum(face for face, _ in shown), max, lambda shown: shown[:2], lambda shown: shown):
        values = tuple(ask_(shown) for shown, _ in dice.law)
        parts = looked(Look(lot, values))
        assert sum(weight for _, weight in parts) == 1
        assert len({value for (value, _), _ in parts}) == len(parts)
        assert sorted(case for (_, rest), _ in parts for case in rest.ways) == sorted(lot.ways)
        for (value, rest), weight in parts:
            assert {values[case] for case, _ in rest.ways} == {value}
            assert weight == Fraction(sum(ways for _, ways in rest.ways), 6 * 6 * 4)


def a_state(*slots: Unseen | int, lots: tuple[tuple[int, ...], ...]) -> State:
    words = Map({f"w{at}": Slot(base) for at, base in enumerate(slots)})
    return State(frames=(Frame(words=words),), lots=tuple(Lot(tuple(enumerate(ways))) for ways in lots))


def test_lots_have_one_form() -> None:
    """Cases that no value tells apart are one; what is the same in all of them is no chance; how the lots are numbered does not matter."""
    two = a_state(Unseen(1, ("low", "high", "high")), Unseen(0, (5, 5)), Unseen(1, (1, 2, 2)), lots=((1, 1), (2, 1, 3)))
    assert tidied(two) == tidied(a_state(Unseen(0, ("high", "low")), 5, Unseen(0, (2, 1)), lots=((8, 4),)))
    assert len(tidied(two).lots) == 1
    assert tidied(two) != tidied(a_state(Unseen(0, ("high", "low")), 5, Unseen(1, (2, 1)), lots=((2, 1), (2, 1))))


def test_what_hangs_on_one_lot_falls_together() -> None:
    state = a_state(Unseen(0, (1, 2, 3)), Unseen(0, (10, 10, 30)), Unseen(1, (0, 7)), lots=((1, 2, 3), (1, 1)))
    found = {tuple(slot.base for slot in whole.frames[0].words.values()): share for share, whole in parted(state)}
    assert found == {(one, ten, more): Fraction(ways, 12) for one, ten, ways in ((1, 10, 1), (2, 10, 2), (3, 30, 3)) for more in (0, 7)}


def test_a_large_pool_takes_few_runs() -> None:
    """33,649 different bags, of which the best face and how many show it are asked."""
    asked = ask(rules("a01"), "Throw", ("thrower=Ann",), ("Ann: a player with Dice 18",))
    odds = Odds(rules("a01"), POLICIES["plain"])
    odds.run(asked.state, asked.procedure.id, asked.roles)
    assert odds.pieces < 300


PAGE = """# Piles

## kind: player
Somebody.
- Is: an actor

## kind: pool
A number.
- Is: a number of a player

| pool | Starts | At Least | text    |
|------|--------|----------|---------|
| Luck | 0      | 0        | It is.  |

## procedure: Pile
- Roles: a player as the thrower, a number as the many, a number as the goal
- Outcomes: Reached, Missed

1. Throw.
   - Throw: the thrower rolls the many d6 as the pile; the total is sum of the pile
   - Reached: if the total is at least the goal: end with Reached
   - Missed: end with Missed

## procedure: Race
- Roles: a player as the one, a player as the other
- Outcomes: First, Second, Neither

1. Throw.
   - First: the one rolls 2 d6 as the near; the lead is sum of the near; the again is the lead + highest of the near
   - Second: the other rolls 3 d4 as the far; the reply is sum of the far; the gap is the lead - the reply
2. Tell.
   - Even: if the lead is the reply: end with Neither
   - Lucky: if the again is at least 15: the one gains 1 Luck
   - First: if the lead is above the reply: end with First
   - Second: end with Second

## procedure: Nerve
- Roles: a player as the one
- Outcomes: Right, Wrong

1. Throw.
   - Throw: the one rolls 2 d6 as the near; the hidden is sum of the near
2. Guess.
   - Guess: the one chooses one as the guess:
     - High: the call is 1
     - Low: the call is 0
   - High: if the call is 1 and the hidden is above 7: end with Right
   - Low: if the call is 0 and the hidden is below 7: end with Right
   - Wrong: end with Wrong
"""


def piles() -> Rules:
    system, found = check([Source("piles.te", PAGE)], PackInfo(id="piles", title="Piles", version="1.0.0"))
    assert system is not None and [one for one in found if one.severity == "error"] == []
    return Rules(system)


def counted_out(procedure: str, *pairs: str, liveness: bool = True) -> Table:
    asked = ask(piles(), procedure, pairs, ("Ann: a player", "Bo: a player"))
    odds = Odds(asked.rules, POLICIES["plain"], liveness)
    return table(asked.rules, asked.state, odds.ends(asked.state, asked.procedure.id, asked.roles), odds.live.yields(asked.procedure.id), odds.cut)


def outcomes(found: Table) -> dict[str, Fraction]:
    return {outcome.partition("#")[2]: share for outcome, share in found.outcomes.items()}


def of_sums(count: int, sides: int) -> dict[int, int]:
    """One die after the other."""
    found = {0: 1}
    for _ in range(count):
        found = {total: sum(found.get(total - face, 0) for face in range(1, sides + 1)) for total in range(min(found) + 1, max(found) + sides + 1)}
    return found


@pytest.mark.parametrize(("count", "sides"), [(1, 6), (3, 6), (4, 10), (5, 1), (40, 3)])
def test_the_law_of_a_sum_is_that_of_one_die_after_the_other(count: int, sides: int) -> None:
    assert dict(ways_to_sums(count, sides)) == of_sums(count, sides)


@pytest.mark.parametrize("many", [3, 20, 300])
def test_of_a_pile_of_which_only_the_sum_is_asked_only_the_sums_are_told_apart(many: int) -> None:
    """300 dice show about 10^10 different bags."""
    walked, goal = of_sums(many, 6), 7 * many // 2
    found = counted_out("Pile", "thrower=Ann", f"many={many}", f"goal={goal}")
    assert found.numbers["", "total"] == {total: Fraction(ways, 6**many) for total, ways in walked.items()}
    assert outcomes(found)["reached"] == Fraction(sum(ways for total, ways in walked.items() if total >= goal), 6**many)


@pytest.mark.parametrize("most", [1, 5_000])
def test_values_of_one_roll_stay_together_and_those_of_two_apart(most: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where two rolls that are counted together have too many cases to be followed as one."""
    monkeypatch.setattr(places, "MOST_CASES", most)
    found = counted_out("Race", "one=Ann", "other=Bo")
    results: Counter[object] = Counter()
    luck: Counter[object] = Counter()
    gaps: Counter[object] = Counter()
    for near in product(range(1, 7), repeat=2):
        for far in product(range(1, 5), repeat=3):
            gap = sum(near) - sum(far)
            results["first" if gap > 0 else "second" if gap < 0 else "neither"] += 1
            luck[int(gap != 0 and sum(near) + max(near) >= 15)] += 1
            gaps[gap] += 1
    whole = 36 * 64
    assert outcomes(found) == {name: Fraction(ways, whole) for name, ways in results.items()}
    assert found.numbers["Ann", "piles:pool/luck"] == {value: Fraction(ways, whole) for value, ways in luck.items()}
    assert found.numbers["", "gap"] == {value: Fraction(ways, whole) for value, ways in gaps.items()}
    assert found == counted_out("Race", "one=Ann", "other=Bo", liveness=False)


def test_whoever_decides_for_a_goal_knows_what_was_rolled_though_no_rule_has_looked() -> None:
    asked = ask(piles(), "Nerve", ("one=Ann",), ("Ann: a player",))
    graph = Best(asked.rules, POLICIES["plain"], choices_of(frozenset(("Ann",))))
    spread = solved(graph.graph(asked.state, asked.procedure.id, asked.roles), lambda state: left(state).outcome.endswith("#right"))
    assert sum(weight for (state, _), weight in spread.items() if left(state).outcome.endswith("#right")) == Fraction(30, 36)


def test_the_ends_hold_dice_that_anybody_may_read() -> None:
    """Nothing looks at this roll, and it is still there in the end."""
    throw = next(one for one in rules("a01").system.of_kind("procedure") if one.name == "Throw")
    roll = throw.steps[0].lines[0].meaning
    asked = ask(rules("a01"), "Throw", ("thrower=Ann",), ("Ann: a player with Dice 3",))
    state = replace(asked.state, frames=(Frame(words=Map({"thrower": Slot("Ann")})),))
    spread = Odds(rules("a01"), POLICIES["plain"]).follow(state, roll, Scope(), frozenset(("roll",)))
    found = {end.frames[0].words["roll"].base: weight for (end, _), weight in spread.items()}
    assert found == dict(law(Roll("Ann", ((3, 6, ()),))))
