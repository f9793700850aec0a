"""`systems/tension-tests`: every row of its ledger is carried and played, and the odds are the exact fractions of walks that know nothing of
te_forge.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import cache
from pathlib import Path

import pytest
from click.testing import CliRunner
from ledger import SYSTEMS, Ledger

from te_forge.asked import ask
from te_forge.asked.counting import counted
from te_forge.cli import cli
from te_forge.engine.best import Best, follower
from te_forge.engine.index import Rules
from te_forge.engine.policies import plain
from te_forge.engine.table import Table
from te_forge.examples import play_all
from te_forge.packs import load
from te_forge.play.set_up import rules_of

LEDGER = Ledger(
    "tension-tests",
    {"TT-01": "M", "TT-02": "M", "TT-03": "M", "TT-04": "M", "TT-05": "M", "TT-06": "M", "TT-07": "M", "TT-08": "M", "TT-10": "T"},
    {
        "jokers": ("TT-01",), "initiative-value": ("TT-02",), "reshuffle": ("TT-03",), "combat-stress": ("TT-04",), "difficulty-limit": ("TT-05",),
        "personal-chain": ("TT-05",), "personal-passed": ("TT-05",), "group-counted": ("TT-06",), "group-after-miss": ("TT-06",), "guess-memory": ("TT-08",),
    },
)  # fmt: skip
"""TT-09 is about the literal text and held by test_literal.py."""
PACK = str(SYSTEMS / "tension-tests")


def test_the_ledger_is_carried() -> None:
    LEDGER.hold()


def test_its_examples_come_out() -> None:
    LEDGER.plays()


def test_the_others_do_one_more_thing_and_who_brought_it_about_does_not() -> None:
    result = CliRunner().invoke(
        cli, ["roll", PACK, "Group Test", "trigger=Ben", *(f"--who={who}: a pc" for who in ("Ann", "Ben", "Cem")), "--policy", "plain", "--seed", "1"]
    )
    assert [line.strip() for line in result.output.splitlines() if "asked to say" in line] == [
        "Ann is asked to say: what I do",
        "Cem is asked to say: what I do",
    ]


# ---------------------------------------------------------------- odds


@cache
def rules(*readings: str) -> Rules:
    system = load(PACK).system
    assert system is not None
    return rules_of(system, [f"tension-tests:reading/{one}" for one in readings])


@cache
def odds(difficulty: int, best: str | None = None, *readings: str) -> Table:
    asked = ask(rules(*readings), "Personal Test", ("trigger=Ann", f"difficulty={difficulty}"), ("Ann: a pc",))
    return counted(asked, "plain", best).table


def passed(found: Table) -> Fraction:
    return found.outcomes["tension-tests:procedure/personal-test#passed"]


def passes(found: Table) -> dict[int | None, Fraction]:
    return found.numbers["Ann", "passes"]


Look = Callable[[tuple[int, ...], int], bool]
"""Whether to say higher, from the cards that are left and the one that lies open."""


def base_only(left: tuple[int, ...], base: int) -> bool:
    return base <= 7


def all_seen(left: tuple[int, ...], base: int) -> bool:
    return sum(card >= base for card in left) >= sum(card <= base for card in left)


def walk(difficulty: int, look: Look) -> dict[int, Fraction]:
    """How many guesses are right, by every order of the cards that differs."""
    found: dict[int, int] = {}
    deck = [card for card in range(1, 14) for _ in range(4)]

    def on(left: list[int], base: int, to_go: int, ways: int, right: int) -> None:
        if to_go == 0:
            found[right] = found.get(right, 0) + ways
            return
        higher = look(tuple(left), base)
        for card in set(left):
            rest = list(left)
            rest.remove(card)
            on(rest, card, to_go - 1, ways * left.count(card), right + (card >= base if higher else card <= base))

    for first in set(deck):
        rest = list(deck)
        rest.remove(first)
        on(rest, first, difficulty, 4, 0)
    total = sum(found.values())
    return {right: Fraction(ways, total) for right, ways in found.items()}


def test_one_guess() -> None:
    assert passed(odds(1, "Passed")) == Fraction(173, 221)
    assert passed(odds(1, "Passed", "ace-high")) == Fraction(173, 221)
    assert passed(odds(1, "Passed", "suits-in-order")) == Fraction(77, 102)


def test_eyes_on_the_top_card() -> None:
    assert passed(odds(2, None, "eyes-on-the-top-card")) == Fraction(151, 255)
    assert passed(odds(3, None, "eyes-on-the-top-card")) == Fraction(120941, 270725)


def test_all_cards_counted() -> None:
    assert passed(odds(2, "Passed")) == Fraction(9827, 16575)
    assert passed(odds(3, "Passed")) == Fraction(24237, 54145)
    assert passed(odds(5, "Passed")) == Fraction(29257778, 114516675)


def test_how_many_are_right() -> None:
    found = odds(2, "highest passes")
    assert passes(found) == {0: Fraction(88, 3315), 1: Fraction(6308, 16575), 2: Fraction(9827, 16575)}


def by_ranks(difficulty: int, look: Look) -> dict[int, Fraction]:
    """How many guesses are right, by the number of cards of each rank that are left and the one that lies open."""

    @cache
    def on(left: tuple[int, ...], base: int, to_go: int) -> dict[int, Fraction]:
        if not to_go:
            return {0: Fraction(1)}
        cards = tuple(card for card, many in enumerate(left, 1) for _ in range(many))
        higher = look(cards, base)
        found: dict[int, Fraction] = {}
        for card, many in enumerate(left, 1):
            for right, weight in on((*left[: card - 1], many - 1, *left[card:]), card, to_go - 1).items() if many else ():
                total = right + (card >= base if higher else card <= base)
                found[total] = found.get(total, Fraction(0)) + weight * Fraction(many, len(cards))
        return found

    whole: dict[int, Fraction] = {}
    for base in range(1, 14):
        for right, weight in on((*[4] * (base - 1), 3, *[4] * (13 - base)), base, difficulty).items():
            whole[right] = whole.get(right, Fraction(0)) + weight / 13
    return whole


def test_four_guesses_are_what_the_ranks_that_are_left_say() -> None:
    """The more likely side is the best guess for the mean, and higher where both are equal."""
    assert passes(odds(4, "highest passes")) == by_ranks(4, all_seen)
    assert passes(odds(4, None, "eyes-on-the-top-card")) == by_ranks(4, base_only)


def test_whoever_always_says_higher() -> None:
    """A deck that is made whole when the test begins is drawn from in it all the same: its rounds are solved as a whole, and not card by card."""
    assert passes(odds(5)) == by_ranks(5, lambda left, base: True)
    asked = ask(rules(), "Personal Test", ("trigger=Ann", "difficulty=5"), ("Ann: a pc",))
    assert isinstance(follower(asked.rules, plain, asked.state, asked.procedure.id, asked.roles), Best)


@pytest.mark.parametrize("difficulty", [1, 2, 3])
def test_a_walk_over_all_orders_of_the_cards_says_the_same(difficulty: int) -> None:
    assert passes(odds(difficulty, None, "eyes-on-the-top-card")) == walk(difficulty, base_only)
    assert passes(odds(difficulty, "highest passes")) == walk(difficulty, all_seen)


# ---------------------------------------------------------------- as a part of another game

ELSEWHERE = """# A Night on the Stairs

## procedure: Climbing The Stairs
- Part Of: Scene
- Roles: a character as the climber

1. Climb.
   - Nerve: do Stress Test with the climber as the trigger, 2 as the difficulty as the nerve
   - Shaken: the climber loses Willpower equal to the nerve's fails
   - Worse: if the nerve is Failed: the gm gains 1 Tension

## example: Two Steps
- Ann: a Warrior with Willpower 3
- Tension: 2
1. One guess is right and one is wrong.
   - do Climbing The Stairs with Ann as the climber
   - the storyteller shows Two, Ten, Jack
   - Ann picks Higher, Lower
   - expect Ann's Willpower is 2 and Tension is 3
"""


def test_another_pack_uses_a_stress_test_in_a_procedure_of_its_own(tmp_path: Path) -> None:
    (tmp_path / "rules").mkdir()
    (tmp_path / "rules" / "01-night.te").write_text(ELSEWHERE, encoding="utf-8")
    notice = load("srd-core").system
    assert notice is not None
    work = notice.pack.sources[0]
    head = (
        f"id: stairs\ntitle: Stairs\nversion: 1.0.0\nauthors: [A]\nlicense: CC BY 4.0\nrequires:\n  srd-core: '>=1.0,<2'\n  tension-tests: '>=1.0,<2'\n"
        f"sources:\n  - title: {work.title}\n    authors: [William Lentz]\n    license: CC BY 4.0\n    license_url: {work.license_url}\n"
        f"    url: {work.url}\n    attribution: '{work.attribution}'\n    changes: A procedure has been added.\n"
    )
    (tmp_path / "pack.yaml").write_text(head, encoding="utf-8")
    loaded = load(str(tmp_path))
    assert [one.message for one in loaded.diagnostics if one.severity == "error"] == []
    assert loaded.system is not None
    results = [one for one in play_all(loaded.system, ("Two Steps",)) if one.example.name == "Two Steps"]
    assert [one.diagnostics for one in results] == [()]
