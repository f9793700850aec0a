"""Dice that are looked at no closer than the rules do: the same fractions as when every roll is parted at once."""

from __future__ import annotations

from itertools import product

import pytest
from cases_for_tests import counted, rules

from te_forge.asked import ask, with_presets
from te_forge.engine import odds as engine
from te_forge.engine.effects import Look, Roll
from te_forge.engine.index import Rules
from te_forge.engine.laws import answer, fallen, law, looked
from te_forge.engine.odds import Odds, Table, table
from te_forge.engine.policies import POLICIES
from te_forge.engine.state import Unseen
from te_forge.options import at_this_table
from te_forge.packs import load

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
def test_a_closer_look_changes_no_answer(case: str, procedure: str, pairs: tuple[str, ...], who: tuple[str, ...], monkeypatch: pytest.MonkeyPatch) -> None:
    found: list[Table] = []
    for at_sight in (0, AT_ONCE):
        monkeypatch.setattr(engine, "MOST_AT_SIGHT", at_sight)
        found.append(counted(case, procedure, *pairs, who=who))
    assert found[0] == found[1]


@pytest.mark.parametrize("policy", POLICIES)
def test_nor_where_hooks_listen_and_dice_are_kept_and_rolled_again(policy: str, monkeypatch: pytest.MonkeyPatch) -> None:
    system = load("srd-core").system
    assert system is not None
    book, found = Rules(at_this_table(system)), []
    for at_sight in (0, AT_ONCE):
        monkeypatch.setattr(engine, "MOST_AT_SIGHT", at_sight)
        one = ask(book, "Environment Conflict", ("actor=Ann", "Tension=2", "attribute=Vigor", "skill=Athletics"), ("Ann: a Warrior with Vigor 2 and Athletics 1",))
        odds = Odds(book, with_presets(POLICIES[policy], one.presets))
        found.append(table(book, one.state, odds.run(one.state, one.procedure.id, one.roles), odds.live.yields(one.procedure.id), odds.cut))
    assert found[0] == found[1]


def test_a_question_parts_a_roll_by_its_answer() -> None:
    roll = Roll("Ann", ((2, 6, ()), (1, 4, ())))
    dice = fallen(roll)
    whole = {shown: weight for (_, shown), weight in looked(Look(dice))}
    assert whole == dict(law(roll))
    for of, compare, faces in product(("sum", "number", "highest", "lowest"), ("", "one of", "above", "at most"), ((2,), (3,))):
        parts = looked(Look(dice, of, compare, faces))
        assert sum(weight for _, weight in parts) == 1
        assert len({value for (value, _), _ in parts}) == len(parts)
        for (value, left), weight in parts:
            inside = {shown: part * weight for (_, shown), part in looked(Look(left))} if isinstance(left, Unseen) else {left: weight}
            assert inside == {shown: weight for shown, weight in whole.items() if answer(Look(dice, of, compare, faces), shown) == value}


def test_what_is_kept_parts_a_roll_too() -> None:
    dice = fallen(Roll("Ann", ((3, 4, ()),)))
    kept = {value: weight for (value, _), weight in looked(Look(dice, "keep highest", faces=(2,)))}
    assert sum(kept.values()) == 1
    assert {sum(face for face, _ in shown) for shown in kept} == set(range(2, 9))
    assert all(len(shown) == 2 for shown in kept)
    assert {value for (value, _), _ in looked(Look(dice, "keep lowest", faces=(5,)))} == {shown for shown, _ in dice.law}


def test_a_large_pool_takes_few_runs() -> None:
    """33,649 different bags, of which the best face and how many show it are asked."""
    asked = ask(rules("a01"), "Throw", ("thrower=Ann",), ("Ann: a player with Dice 18",))
    odds = Odds(rules("a01"), POLICIES["plain"])
    odds.run(asked.state, asked.procedure.id, asked.roles)
    assert odds.pieces < 300

