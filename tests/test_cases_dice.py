"""Dice mechanics that people asked other tools for, each a small pack in `cases`; every number that is known of them comes out as the same fraction."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction as F
from functools import cache
from itertools import product
from pathlib import Path

import pytest

from te_forge.asked import ask
from te_forge.asked.request import Asked
from te_forge.engine.index import Rules
from te_forge.engine.odds import Odds, Table, left, numbers_at_end, table
from te_forge.engine.policies import POLICIES
from te_forge.engine.script import play_example
from te_forge.packs import load

CASES = Path(__file__).parent / "cases"
DICE = sorted(folder.name for folder in CASES.iterdir() if folder.name.startswith("a"))


@cache
def rules(case: str) -> Rules:
    loaded = load(str(CASES / case))
    assert [(one.code, one.message) for one in loaded.diagnostics] == []
    assert loaded.system is not None
    return Rules(loaded.system)


def odds(case: str, procedure: str, *pairs: str, who: tuple[str, ...], policy: str = "plain") -> tuple[Asked, Odds]:
    asked = ask(rules(case), procedure, pairs, who)
    return asked, Odds(asked.rules, POLICIES[policy])


def counted(case: str, procedure: str, *pairs: str, who: tuple[str, ...], policy: str = "plain") -> Table:
    asked, found = odds(case, procedure, *pairs, who=who, policy=policy)
    spread = found.run(asked.state, asked.procedure.id, asked.roles)
    return table(asked.rules, asked.state, spread, found.live.yields(asked.procedure.id), found.cut)


def together(case: str, procedure: str, *pairs: str, who: tuple[str, ...], wanted: Callable[[str, dict[str, int]], bool]) -> F:
    """How likely an outcome and several words of a procedure are together."""
    asked, found = odds(case, procedure, *pairs, who=who)
    watched = found.live.yields(asked.procedure.id)
    ends = [(left(state), numbers_at_end(asked.rules, asked.state, state, watched), weight) for (state, _), weight in found.run(asked.state, asked.procedure.id, asked.roles).items()]
    return sum((weight for result, numbers, weight in ends if wanted(result.outcome.partition("#")[2], {word: number for (_, word), number in numbers.items()})), F(0))


def law(found: Table, word: str, of: str = "") -> dict[int | None, F]:
    assert found.missing == 0
    key = next(key for key in found.numbers if key[0] == of and key[1].rpartition("/")[2] == word)
    return found.numbers[key]


def mean(of: dict[int | None, F]) -> F:
    return sum((value * weight for value, weight in of.items() if value is not None), F(0))


def at_least(of: dict[int | None, F], least: int) -> F:
    return sum((weight for value, weight in of.items() if value is not None and value >= least), F(0))


def outcomes(found: Table) -> dict[str, F]:
    assert found.missing == 0
    return {outcome.partition("#")[2]: weight for outcome, weight in found.outcomes.items()}


@pytest.mark.parametrize("case", DICE)
def test_the_examples_of_a_case_come_out(case: str) -> None:
    examples = list(rules(case).system.of_kind("example"))
    assert examples
    assert [(one.name, play_example(rules(case), one).failure) for one in examples] == [(one.name, None) for one in examples]


# ---------------------------------------------------------------- A01


def copies(dice: int) -> dict[int | None, F]:
    return law(counted("a01", "Throw", "thrower=Ann", who=(f"Ann: a player with Dice {dice}",)), "score")


def test_a01_the_best_die_and_its_copies() -> None:
    three = copies(3)
    assert [three[score] for score in range(2, 9)] == [F(1, 72), F(2, 27), F(17, 108), F(29, 108), F(11, 27), F(2, 27), F(1, 216)] and three[1:2] if False else True
    assert mean(three) == F(47, 9)
    five = copies(5)
    assert mean(five) == F(22915, 3888) and five[7] == F(713, 3888)


@pytest.mark.parametrize(("dice", "mode"), [(11, 6), (12, 7), (17, 7), (18, 8)])
def test_a01_which_score_is_the_most_likely(dice: int, mode: int) -> None:
    found = copies(dice)
    assert sum(found.values()) == 1
    assert max(found, key=lambda score: found[score]) == mode


# ---------------------------------------------------------------- A02


def test_a02_each_side_aims_at_the_best_of_the_other() -> None:
    found = counted("a02", "Clash", "left=Ann", "right=Bo", who=("Ann: a player with Dice 3", "Bo: a player with Dice 3"))
    lead = law(found, "lead")
    assert lead == {sign * size: weight for size, weight in {1: F(1987, 7776), 2: F(2413, 15552), 3: F(1223, 15552)}.items() for sign in (1, -1)} | {0: F(83, 3888)}
    assert outcomes(found) == {"left": F(3805, 7776), "right": F(3805, 7776), "draw": F(83, 3888)}


# ---------------------------------------------------------------- A04


def cancelled(action: int, danger: int) -> Table:
    return counted("a04", "Check", "actor=Ann", who=(f"Ann: a player with Action {action} and Danger {danger}",))


def test_a04_equal_faces_cancel() -> None:
    found = cancelled(3, 2)
    assert outcomes(found) == {"success": F(203, 648), "partial": F(557, 1296), "fail": F(277, 1296), "botch": F(7, 162)}
    assert 0 not in law(found, "best")
    assert at_least(law(found, "boons"), 1) == F(205, 3888)
    assert mean(law(found, "pressure")) == F(175, 864)
    assert law(cancelled(2, 3), "best")[0] == F(83, 648)


def test_a04_the_three_together() -> None:
    """A boon comes only with a success, and never with pressure; against every sequence of the dice."""

    def read(dice: tuple[int, ...]) -> tuple[int, int, int]:
        action, danger = dice[:3], dice[3:]
        alive = [face for face in range(1, 7) for _ in range(action.count(face) - danger.count(face))]
        return max(alive, default=0), max(0, alive.count(6) - 1), max(0, danger.count(6) - action.count(6))

    all_ = [read(dice) for dice in product(range(1, 7), repeat=5)]
    who = ("Ann: a player with Action 3 and Danger 2",)
    for wanted in sorted(set(all_)):
        share = together("a04", "Check", "actor=Ann", who=who, wanted=lambda _, words, wanted=wanted: (words["best"], words["boons"], words["pressure"]) == wanted)  # type: ignore[misc]
        assert share == F(all_.count(wanted), len(all_))


# ---------------------------------------------------------------- A06

PRINTED = [29, 50, 64, 74, 81, 87, 90, 93, 95, 96]
"""A table in percent that is printed in several games whose dice stay in different ways."""


def pushed(who: str, policy: str = "spend") -> Table:
    return counted("a06", "Try", "actor=Ann", f"Push={'yes' if policy == 'spend' else 'no'}", who=(f"Ann: a player with {who}",))


@pytest.mark.parametrize("dice", range(1, 11))
def test_a06_ones_that_stay_and_ones_that_are_turned(dice: int) -> None:
    assert at_least(law(pushed(f"Base {dice}"), "sixes"), 1) == 1 - F(26, 36) ** dice
    assert at_least(law(pushed(f"Skill {dice}"), "sixes"), 1) == 1 - F(25, 36) ** dice
    assert at_least(law(pushed(f"Skill {dice}", "plain"), "sixes"), 1) == 1 - F(5, 6) ** dice


def test_a06_no_single_rule_gives_the_printed_table() -> None:
    """The cells that differ, by name, for either rule."""
    rules_ = {name: [round(100 * at_least(law(pushed(f"{name} {dice}"), "sixes"), 1)) for dice in range(1, 11)] for name in ("Base", "Skill")}
    differ = {name: [dice for dice, (ours, printed) in enumerate(zip(cells, PRINTED, strict=True), 1) if ours != printed] for name, cells in rules_.items()}
    assert differ == {"Base": [1, 2, 3, 4, 5, 6], "Skill": [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]}


def test_a06_three_colours() -> None:
    assert at_least(law(pushed("Base 3 and Skill 2 and Gear 1"), "sixes"), 1) == F(118198271, 136048896)


def test_a06_ones_on_the_base_dice() -> None:
    """Of those who had no six at first, and pushed."""
    who = ("Ann: a player with Base 3 and Skill 2 and Gear 1",)
    asked, found = odds("a06", "Try", "actor=Ann", "Push=yes", who=who)
    watched = found.live.yields(asked.procedure.id)
    from te_forge.asked import with_presets

    found = Odds(asked.rules, with_presets(POLICIES["plain"], asked.presets))
    ends = [({word: number for (_, word), number in numbers_at_end(asked.rules, asked.state, state, watched).items()}, weight) for (state, _), weight in found.run(asked.state, asked.procedure.id, asked.roles).items()]
    none = [(words["ones"], weight) for words, weight in ends if words["first"] == 0]
    assert sum(ones * weight for ones, weight in none) / sum(weight for _, weight in none) == 1


def test_a06_one_side_against_the_other() -> None:
    net = law(counted("a06", "Contest", "left=Ann", "right=Bo", who=("Ann: a player with Skill 3", "Bo: a player with Skill 2")), "net")
    assert at_least(net, 1) == F(203, 648) and net[0] == F(1945, 3888)


# ---------------------------------------------------------------- A10


def test_a10_sets_and_runs() -> None:
    found = counted("a10", "Throw", "thrower=Ann", who=("Ann: a player with Dice 5",))
    score = law(found, "score")
    assert outcomes(found)["fail"] == F(107, 12500)
    assert at_least(score, 12) == F(27499, 50000) and at_least(score, 20) == F(22157, 100000)
    assert mean(score) == F(286431, 20000)


# ---------------------------------------------------------------- A11


def test_a11_symbols_cancel() -> None:
    found = counted("a11", "Check", "actor=Ann", who=("Ann: a player with Ability 2 and Proficiency 1 and Difficulty 2",))
    said = outcomes(found)
    assert at_least(law(found, "success", "gm"), 1) == F(7997, 12288)
    assert said["clean"] == F(1757, 8192) and said["bad"] == F(259, 8192)
    assert at_least(law(found, "triumph", "gm"), 1) == F(1, 12)


def test_a11_no_dice() -> None:
    assert outcomes(counted("a11", "Check", "actor=Ann", who=("Ann: a player",))) == {"plain-failure": F(1)}


# ---------------------------------------------------------------- A15


def test_a15_a_band_of_digits() -> None:
    for procedure, low, band in (("Look Up", F(1, 6), F(12, 36)), ("Look Up Straight", F(6, 66), F(16, 66))):
        found = counted("a15", procedure, "thrower=Ann", who=("Ann: a player",))
        assert law(found, "low", "ann")[1] == low and law(found, "band", "ann")[1] == band
    assert mean(law(counted("a15", "Read", "thrower=Ann", who=("Ann: a player",)), "number")) == F(77, 2)


# ---------------------------------------------------------------- A17


@pytest.mark.parametrize(
    ("dice", "shares", "cost"),
    [
        (-1, [F(3, 4), F(2, 9), F(1, 36), F(0)], F(125, 36)),
        (0, [F(3, 4), F(2, 9), F(1, 36), F(0)], F(125, 36)),
        (1, [F(1, 2), F(1, 3), F(1, 6), F(0)], F(5, 2)),
        (2, [F(1, 4), F(4, 9), F(5, 18), F(1, 36)], F(3, 2)),
        (3, [F(1, 8), F(49, 108), F(25, 72), F(2, 27)], F(209, 216)),
        (4, [F(1, 16), F(34, 81), F(125, 324), F(19, 144)], F(101, 162)),
    ],
)
def test_a17_best_of_a_pool(dice: int, shares: list[F], cost: F) -> None:
    who = (f"Ann: a player with Dice {dice}",)
    said = outcomes(counted("a17", "Pool", "thrower=Ann", who=who))
    assert [said.get(name, F(0)) for name in ("low", "middle", "high", "critical")] == shares
    found = counted("a17", "Resist", "thrower=Ann", who=who)
    assert mean(law(found, "cost")) == cost
    assert mean(law(found, "stress", "ann")) == cost + shares[3]
