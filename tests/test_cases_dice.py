"""Dice mechanics that people asked other tools for, each a small pack in `cases`; every number that is known of them comes out as the same fraction."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction as F
from functools import cache
from itertools import product

import pytest
from cases_for_tests import CASES, at_least, counted, followed, joint, law, mean, outcomes, rules, wrong_examples

from te_forge.asked import ask
from te_forge.asked.counting import counted as best_counted
from te_forge.check import check
from te_forge.check.tables import faces
from te_forge.engine.following import DICE as FURTHER_DICE
from te_forge.engine.index import Rules
from te_forge.engine.script import play_example
from te_forge.engine.table import Table
from te_forge.model.pack import PackInfo
from te_forge.source import Source

DICE = sorted(folder.name for folder in CASES.iterdir() if folder.name.startswith("a"))


@pytest.mark.parametrize("case", DICE)
def test_the_examples_of_a_case_come_out(case: str) -> None:
    assert wrong_examples(case) == []


# ---------------------------------------------------------------- A01


def copies(dice: int) -> dict[int | None, F]:
    return law(counted("a01", "Throw", "thrower=Ann", who=(f"Ann: a player with Dice {dice}",)), "score")


def test_a01_the_best_die_and_its_copies() -> None:
    three = copies(3)
    assert [three[score] for score in range(2, 9)] == [F(1, 72), F(2, 27), F(17, 108), F(29, 108), F(11, 27), F(2, 27), F(1, 216)]
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
    assert lead == {sign * size: weight for size, weight in {1: F(1987, 7776), 2: F(2413, 15552), 3: F(1223, 15552)}.items() for sign in (1, -1)} | {
        0: F(83, 3888)
    }
    assert outcomes(found) == {"left": F(3805, 7776), "right": F(3805, 7776), "draw": F(83, 3888)}


def test_a02_the_check_asks_what_a_missing_die_counts_as() -> None:
    """Until a ruling says so, or a line of the rules decides it."""
    page = (CASES / "a02" / "rules" / "01-dice.te").read_text("utf-8")
    start, end = page.index("## ruling:"), page.index("## example:")
    for text, asked in ((page, 0), (page[:start] + page[end:], 1)):
        _, found = check([Source("a02.te", text)], PackInfo(id="a02", title="A02", version="1.0.0"))
        assert [one.code for one in found if one.severity != "note"] == ["missing-die"] * asked


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

    all_ = Counter(read(dice) for dice in product(range(1, 7), repeat=5))
    found = joint("a04", "Check", "actor=Ann", who=("Ann: a player with Action 3 and Danger 2",), words=("best", "boons", "pressure"))
    assert found == {values: F(ways, 6**5) for values, ways in all_.items()}


# ---------------------------------------------------------------- A06

PRINTED = [29, 50, 64, 74, 81, 87, 90, 93, 95, 96]
"""A table in percent that is printed in several games whose dice stay in different ways."""


@cache
def pushed(who: str, push: str = "yes") -> F:
    """At least one six."""
    return at_least(law(counted("a06", "Try", "actor=Ann", f"Push={push}", who=(f"Ann: a player with {who}",)), "sixes"), 1)


@pytest.mark.parametrize("dice", range(1, 11))
def test_a06_ones_that_stay_and_ones_that_are_turned(dice: int) -> None:
    assert pushed(f"Base {dice}") == 1 - F(26, 36) ** dice
    assert pushed(f"Skill {dice}") == 1 - F(25, 36) ** dice
    assert pushed(f"Skill {dice}", "no") == 1 - F(5, 6) ** dice


def test_a06_no_single_rule_gives_the_printed_table() -> None:
    """The cells that differ, by name, for either rule."""
    rules_ = {name: [round(100 * pushed(f"{name} {dice}")) for dice in range(1, 11)] for name in ("Base", "Skill")}
    differ = {
        name: [dice for dice, (ours, printed) in enumerate(zip(cells, PRINTED, strict=True), 1) if ours != printed] for name, cells in rules_.items()
    }
    assert differ == {"Base": [1, 2, 3, 4, 5, 6], "Skill": [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]}


def printed(pool: str) -> str:
    """The table of the books as an example, a step for each number of dice."""
    people = "".join(f"- Ann{letter}: a player with {pool} {dice}\n" for dice, letter in enumerate("abcdefghij", 1))
    steps = "".join(
        f"{dice}. {dice} dice.\n   - do Try with Ann{letter} as the actor as the try\n   - Ann{letter} picks Push\n   - expect the try's sixes is at least 1 in {PRINTED[dice - 1]} percent\n"
        for dice, letter in enumerate("abcdefghij", 1)
    )
    return f"\n## example: As Printed\n{people}{steps}"


def test_a06_the_tool_names_the_cells_that_differ() -> None:
    page = (CASES / "a06" / "rules" / "01-dice.te").read_text("utf-8") + printed("Base")
    system, found = check([Source("a06.te", page)], PackInfo(id="a06", title="A06", version="1.0.0"))
    assert system is not None and not [one for one in found if one.severity == "error"]
    example = next(one for one in system.of_kind("example") if one.name == "As Printed")
    failure = play_example(Rules(system), example).failure
    assert failure is not None
    assert (
        failure.message
        == "6 shares differ; the first: expected that the try's sixes is at least 1 in 29 percent; by the rules it is 27.78 percent (5/18)"
    )
    lines = [line for line, text in enumerate(page.splitlines(), 1) if "percent" in text and line > example.span.line]
    assert [failure.span.line, *(label.span.line for label in failure.labels)] == lines[:6]
    assert failure.labels[-1].text == f"by the rules {float(100 * pushed('Base 6')):.2f} percent ({pushed('Base 6')})"


def test_a06_three_colours() -> None:
    assert pushed("Base 3 and Skill 2 and Gear 1") == F(118198271, 136048896)


def test_a06_ones_on_the_base_dice() -> None:
    """Of those who had no six at first, and pushed."""
    found = joint("a06", "Try", "actor=Ann", "Push=yes", who=("Ann: a player with Base 3 and Skill 2 and Gear 1",), words=("first", "ones"))
    none = {ones: weight for (first, ones), weight in found.items() if first == 0}
    assert sum(ones * weight for ones, weight in none.items()) / sum(none.values()) == 1


def test_a06_one_side_against_the_other() -> None:
    net = law(counted("a06", "Contest", "left=Ann", "right=Bo", who=("Ann: a player with Skill 3", "Bo: a player with Skill 2")), "net")
    assert at_least(net, 1) == F(203, 648) and net[0] == F(1945, 3888)


# ---------------------------------------------------------------- A08


def exploded(procedure: str, step: int = 6) -> Table:
    return counted("a08", procedure, "thrower=Ann", who=(f"Ann: a player with Step {step}",))


def reaches(found: Table, least: int) -> F:
    """By what falls short of it: dice that explode without end are not among those, so the share is exact though something is not followed."""
    return 1 - sum((weight for value, weight in followed(found, "best").items() if value is not None and value < least), F(0))


@pytest.mark.parametrize(("procedure", "true"), [("Whole Dice", F(29, 5)), ("More Dice", F(161, 36)), ("Kept First", F(259, 45))])
def test_a08_three_readings_differ_and_none_is_called_exact(procedure: str, true: F) -> None:
    found = exploded(procedure)
    assert 0 < found.missing < F(1, 10**9) and found.cut == (FURTHER_DICE,)
    values = {value: weight for value, weight in followed(found, "best").items() if value is not None}
    low = sum((value * weight for value, weight in values.items()), F(0))
    assert low < true < low + 100 * found.missing


@pytest.mark.parametrize(("procedure", "true"), [("Both Rolled On", F(29, 5)), ("Kept and Rolled On", F(259, 45))])
def test_a08_rolling_on_until_no_six_is_exact(procedure: str, true: F) -> None:
    found = exploded(procedure)
    assert found.missing == 0 and found.mean(("", "best")) == true


def test_a08_rolling_on_together_is_the_first_reading() -> None:
    whole, together = followed(exploded("Whole Dice"), "best"), followed(exploded("Both Rolled On"), "best")
    assert {value: whole[value] for value in range(1, 48) if value % 6} == {value: together[value] for value in range(1, 48) if value % 6}


def test_a08_shares() -> None:
    whole = exploded("Whole Dice")
    assert reaches(whole, 7) == F(11, 36) and reaches(whole, 10) == F(23, 144)
    faces = exploded("More Dice")
    assert sum((reaches(faces, least) for least in range(1, 7)), F(0)) == F(161, 36)  # no face is above 6, so this mean is exact


@pytest.mark.parametrize(
    ("step", "shares", "ones"),
    [(4, {4: F(5, 8), 6: F(31, 96), 8: F(37, 192)}, F(1, 24)), (6, {4: F(3, 4), 6: F(11, 36), 8: F(335, 1296)}, F(1, 36))],
)
def test_a08_a_smaller_die_reaches_six_more_often(step: int, shares: dict[int, F], ones: F) -> None:
    found = exploded("Step and Wild", step)
    assert {least: reaches(found, least) for least in shares} == shares
    assert found.outcomes["case-a08:procedure/step-and-wild#snake-eyes"] == ones


def test_a08_dice_that_always_explode_are_a_mistake() -> None:
    page = (CASES / "a08" / "rules" / "01-dice.te").read_text("utf-8")
    for wrong in ("1 d1 exploding on 1", "1 d2 exploding on 1 or 2"):
        _, found = check([Source("a08.te", page.replace("1 d6 exploding on 6", wrong, 1))], PackInfo(id="a08", title="A08", version="1.0.0"))
        assert "always-exploding" in {one.code for one in found if one.severity == "error"}


# ---------------------------------------------------------------- A09

USES = {0: 0, 1: 2, 2: 5, 3: 9, 4: 14, 5: 20, 6: 30}
"""How many uses are published for each die, the one that uses it up among them."""


def supply(procedure: str, die: int) -> Table:
    return counted("a09", procedure, "holder=Ann", who=(f"Ann: a player with Supply {die}",))


@pytest.mark.parametrize("die", range(1, 7))
def test_a09_the_published_means_solve_the_chain(die: int) -> None:
    """What odds give for one use is exact; the means are the one solution of `uses = 1 + uses of what is left`."""
    one = supply("Spend", die)
    stays = followed(one, "supply", "Ann")
    assert USES[die] == 1 + sum((USES[left] * weight for left, weight in stays.items() if left is not None), F(0))


def test_a09_ten_uses() -> None:
    assert 1 - law(supply("Ten Uses", 2), "supply", "Ann")[0] == F(504605, 10077696)
    assert 1 - law(supply("Ten Uses", 3), "supply", "Ann")[0] == F(254882377, 859963392)


def test_a09_a_die_that_is_a_thing_and_becomes_a_smaller_one() -> None:
    for size, left in (("Six", F(504605, 10077696)), ("Eight", F(254882377, 859963392))):
        assert outcomes(counted("a09", "Some Uses", "holder=Ann", f"size={size}", who=("Ann: a player",)))["left"] == left
    many = law(counted("a09", "Use Up", "holder=Ann", "size=Four", who=("Ann: a player",)), "uses")
    assert many[1] == many[149] * 2**148 == F(1, 2) and many[150] == F(1, 2**149)


@pytest.mark.parametrize(("size", "uses"), list(zip(("Four", "Six", "Eight", "Ten", "Twelve", "Twenty"), (2, 5, 9, 14, 20, 30), strict=True)))
def test_a09_used_until_it_is_gone(size: str, uses: int) -> None:
    found = counted("a09", "Use to the End", "holder=Ann", f"size={size}", who=("Ann: a player",))
    assert found.missing == 0 and found.mean(("", "uses")) == uses


def test_a09_many_uses_show_what_is_left() -> None:
    """150 uses are followed. Those that are left by then, and how many more they would be, make up the rest of the mean, exactly."""
    found = supply("Many Uses", 2)
    left = law(found, "supply", "Ann")
    spent = mean(law(found, "spent", "Ann"))
    assert 0 < 1 - left[0] < F(1, 10**9)
    assert 1 - left[0] == outcomes(found)["left"]
    assert spent + sum((USES[die] * weight for die, weight in left.items() if die is not None), F(0)) == 5


# ---------------------------------------------------------------- A10


def test_a10_sets_and_runs() -> None:
    found = counted("a10", "Throw", "thrower=Ann", who=("Ann: a player with Dice 5",))
    score = law(found, "score")
    assert outcomes(found)["fail"] == F(107, 12500)
    assert at_least(score, 12) == F(27499, 50000) and at_least(score, 20) == F(22157, 100000)
    assert mean(score) == F(286431, 20000)


def sets_and_runs(dice: tuple[int, ...]) -> int:
    if 2 * dice.count(1) >= len(dice):
        return 0
    runs, run = [0], 0
    for face in range(1, 12):
        run += 1 if face in dice else -run
        if run >= 3:
            runs.append(sum(range(face - run + 1, face + 1)))
    return max(*(face * dice.count(face) for face in dice), *runs)


def with_drama(dice: tuple[int, ...], points: int, least: int) -> F:
    """How likely a score is to be reached by somebody who sees the dice before each that is added, and adds one only where that helps."""
    stays = F(sets_and_runs(dice) >= least)
    return max(stays, sum((with_drama((*dice, face), points - 1, least) for face in range(1, 11)), F(0)) / 10) if points else stays


@pytest.mark.parametrize(("points", "least"), [(1, 8), (2, 8), (1, 12)])
def test_a10_dice_are_added_by_somebody_who_sees_the_roll(points: int, least: int) -> None:
    asked = ask(rules("a10"), "Throw", ("thrower=Ann",), (f"Ann: a player with Dice 2 and Drama {points}",))
    found = best_counted(asked, "plain", f"score >= {least}")
    assert found.best == sum((with_drama(dice, points, least) for dice in product(range(1, 11), repeat=2)), F(0)) / 100
    assert at_least(law(found.table, "score"), least) == found.best


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
        assert law(found, "low", "Ann")[1] == low and law(found, "band", "Ann")[1] == band
    assert mean(law(counted("a15", "Read", "thrower=Ann", who=("Ann: a player",)), "number")) == F(77, 2)


def digits(*bands: str, die: str = "d66") -> list[tuple[str, str]]:
    """What the check has to say about a table with these rows."""
    page = f"# Digits\n\n## table: Digits\n\n| {die} | text |\n|---|---|\n" + "".join(f"| {band} | Something. |\n" for band in bands)
    _, found = check([Source("digits.te", page)], PackInfo(id="digits", title="Digits", version="1.0.0"))
    return [(one.code, one.message) for one in found if one.severity == "error"]


PUBLISHED = ("1;1-2", "1;3-6", "2;1-3", "2;4-6", "3-6;1", "3-6;4-6")
"""The example with which this way of writing bands is documented."""


def test_a15_a_table_of_digits_with_holes() -> None:
    """Tens 1 and 2 are covered; of the tens 3 to 6 only the units 1, and 4 to 6."""
    assert digits(*PUBLISHED) == [("range-gap", "no row covers 32, 33, 42, 43, 52, 53, 62, 63")]
    assert digits(*PUBLISHED, "3-6;2-3") == []
    assert digits("11-26", "31, 41, 51, 61", "34-36, 44-46", "5-6;4-6", "3-6;2-3") == []


@pytest.mark.parametrize(
    ("bands", "said"),
    [
        ((*PUBLISHED, "3-6;2-3", "6;6"), ("range-overlap", "66 stands in another row too")),
        ((*PUBLISHED, "3-6;2-3, 33"), ("range-overlap", "33 stands in another row too")),
        ((*PUBLISHED, "3-6;2-7"), ("range-outside-die", "a d66 never shows 37")),
        ((*PUBLISHED, "3-6;2-33"), ("range-outside-die", "a digit of a d66 never shows 33")),
        ((*PUBLISHED, "3-999999999;2"), ("range-outside-die", "a digit of a d66 never shows 999999999")),
        ((*PUBLISHED, "6-3;2-3"), ("range-backwards", "this range ends before it begins: 6 to 3")),
        ((*PUBLISHED, "3-6;2;3"), ("not-a-range", "`3-6;2;3` has a range for each of 3 digits, and a d66 is not read as so many")),
        ((*PUBLISHED, "3-6;x"), ("not-a-range", "`x` is no number and no range")),
    ],
)
def test_a15_bands_that_are_none(bands: tuple[str, ...], said: tuple[str, str]) -> None:
    assert said in digits(*bands)


def test_a15_digits_of_other_dice() -> None:
    assert digits("1-6;1-6;1-3", "1-6;1-6;4-6", die="d666") == []
    assert [code for code, _ in digits("1-2;1", die="d20")][:1] == ["not-a-range"]
    assert digits("1, 3, 5", "2, 4, 6", die="d6") == []


def test_a15_a_row_of_several_bands_is_rolled() -> None:
    found = counted("a15", "Look Up Bands", "thrower=Ann", who=("Ann: a player",))
    assert law(found, "low", "Ann")[1] == F(4, 36) and law(found, "band", "Ann")[1] == F(20, 36)


@pytest.mark.parametrize(("die", "results"), [("d66", 36), ("d666", 216), ("d88", 64), ("1d66", 66)])
def test_a15_dice_that_are_read_as_digits(die: str, results: int) -> None:
    assert len(faces(die)) == results


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
    who = ("Ann: a player",)
    said = outcomes(counted("a17", "Pool", "thrower=Ann", f"Ann.Dice={dice}", who=who))
    assert [said.get(name, F(0)) for name in ("low", "middle", "high", "critical")] == shares
    found = counted("a17", "Resist", "thrower=Ann", f"Ann.Dice={dice}", who=who)
    assert mean(law(found, "cost")) == cost
    assert mean(law(found, "stress", "Ann")) == cost + shares[3]
