"""`systems/vdp`: every row of its ledger is carried and played, checks come out as two independent sums of dice do, and fights run by themselves."""

from __future__ import annotations

import re
from collections import Counter
from fractions import Fraction
from functools import cache
from itertools import product
from pathlib import Path

import pytest
from ledger import SYSTEMS, Ledger

from te_forge.asked import ask
from te_forge.asked.counting import counted
from te_forge.engine.effects import Chain, Note, Roll
from te_forge.engine.evaluate import Evaluator
from te_forge.engine.index import Rules
from te_forge.engine.policies import at_random
from te_forge.engine.reading import Reading
from te_forge.engine.table import Table
from te_forge.model import rules as m
from te_forge.packs import load
from te_forge.render.site import build_site
from te_forge.seeded import generator, thrown

EXAMPLES = (7, 9, 12, 21, 24, 31, 32, 33, 34, 35, 39)
TALK = (29, 40, 41, 42)
LEDGER = Ledger(
    "vdp",
    {f"VDP-{number:02}": "E" if number in EXAMPLES else "T" if number in TALK else "M" for number in range(1, 45)},
    {
        "quirk-changes": ("VDP-03",), "knockout": ("VDP-04",), "damage-threshold": ("VDP-04", "VDP-19"), "damage-heals": ("VDP-04",),
        "add-attribute": ("VDP-05", "VDP-19"), "caution-skill": ("VDP-05", "VDP-08"), "resist-tie": ("VDP-08",), "single-winner": ("VDP-09",),
        "handover": ("VDP-10",), "advantage-side": ("VDP-11",), "advantage-size": ("VDP-11",), "bonus-dice-when": ("VDP-13",), "exact-caution":
        ("VDP-14",), "opposed-doubling": ("VDP-14",), "opposed-zero": ("VDP-14",), "opposed-in-combat": ("VDP-14",), "timing-span": ("VDP-16",),
        "timing-tie": ("VDP-16",), "surprised-defence": ("VDP-16", "VDP-26"), "move-value": ("VDP-17",), "splitmove-zones": ("VDP-17",),
        "split-span": ("VDP-18",), "damage-steps": ("VDP-19",), "spend-or-store": ("VDP-20",), "cancel-price": ("VDP-23", "VDP-33"),
        "immediate-use": ("VDP-23",), "doubles-together": ("VDP-23",), "cost-floor": ("VDP-23",), "dice-limit": ("VDP-23",), "shove-total":
        ("VDP-24",), "area-increase": ("VDP-26",), "area-power": ("VDP-26",), "area-defences": ("VDP-26",), "long-assault": ("VDP-28",),
        "shots-from-melee": ("VDP-28",), "tag-parry": ("VDP-36",), "tag-burst": ("VDP-36",), "tag-backline": ("VDP-36",), "tag-all-in": ("VDP-36",),
        "tag-99": ("VDP-36",), "cover-die": ("VDP-38",), "creation": ("VDP-44",),
    },
)  # fmt: skip
PACK = str(SYSTEMS / "vdp")
SPLITS = {"Four and None": 4, "Three and One": 3, "Two and Two": 2, "One and Three": 1, "None and Four": 0}


@cache
def rules() -> Rules:
    system = load(PACK).system
    assert system is not None
    return Rules(system)


def test_the_ledger_is_carried() -> None:
    LEDGER.hold()


def test_its_examples_come_out() -> None:
    LEDGER.plays()


# ------------------------------------------------------------ odds


def sums(dice: int) -> Counter[int]:
    return Counter(sum(faces) for faces in product(range(1, 7), repeat=dice))


def reached(dice: int, skill: int, target: int) -> Fraction:
    """How likely one side reaches its target; no dice are 0, whatever the skill."""
    if dice == 0:
        return Fraction(int(target <= 0))
    return Fraction(sum(ways for total, ways in sums(dice).items() if total + skill >= target), 6**dice)


def odds(split: str, skill: int, difficulty: int, risk: int, *more: str) -> Table:
    said = ("actor=Ann", "skill=Athletics", "class=Physical", f"difficulty={difficulty}", f"risk={risk}", f"split={split}", *more)
    asked = ask(rules(), "Check", said, (f"Ann: a character with Athletics {skill}",))
    return counted(asked, "plain", None).table


@pytest.mark.parametrize("split", SPLITS)
@pytest.mark.parametrize(("skill", "difficulty", "risk"), [(0, 8, 4), (2, 10, 5), (5, 13, 9)])
def test_a_split_check_is_two_sums(split: str, skill: int, difficulty: int, risk: int) -> None:
    dice = SPLITS[split]
    done, kept = reached(dice, skill, difficulty), reached(4 - dice, skill, risk)
    law = {"clean": done * kept, "costly": done * (1 - kept), "safe": (1 - done) * kept, "botched": (1 - done) * (1 - kept)}
    found = odds(split, skill, difficulty, risk)
    assert found.outcomes == {f"vdp:procedure/check#{name}": share for name, share in law.items() if share}


def best_of(rolled: int, kept: int, highest: bool) -> Counter[int]:
    return Counter(sum(sorted(faces, reverse=highest)[:kept]) for faces in product(range(1, 7), repeat=rolled))


@pytest.mark.parametrize(("points", "edge"), [("Ann.Advantage=2", 2), ("Ann.Disadvantage=2", -2), ("Ann.Advantage=0", 0)])
def test_advantage_keeps_the_size_of_the_pool(points: str, edge: int) -> None:
    found = odds("Three and One", 1, 11, 2, points)
    law = best_of(3 + abs(edge), 3, edge >= 0)
    whole = sum(law.values())
    assert found.numbers["", "done"] == {total + 1: Fraction(ways, whole) for total, ways in law.items()}


def asked_of(procedure: str, said: tuple[str, ...], who: tuple[str, ...]) -> dict[str, Fraction]:
    found = counted(ask(rules(), procedure, said, who), "plain", None).table
    return {name.partition("#")[2]: share for name, share in found.outcomes.items()}


def test_a_long_work_is_a_chain_of_checks() -> None:
    """Three points, two misses in a row; Caution of two dice and 2 is never below 4, so nobody is exhausted."""
    said = ("starter=Ann", "skill=Mechanics", "class=Mental", "difficulty=8", "risk=4", "points=3", "split=Two and Two")
    good = reached(2, 2, 8)

    def done(points: int, missed: bool) -> Fraction:
        if points == 3:
            return Fraction(1)
        on = good * done(points + 1, False)
        return on if missed else on + (1 - good) * done(points, True)

    assert asked_of("Extended Check", said, ("Ann: a character with Mechanics 2",)) == {"done": done(0, False), "failed": 1 - done(0, False)}


# ------------------------------------------------------------ the book


def test_it_makes_a_book(tmp_path: Path) -> None:
    build_site(rules().system, tmp_path / "book", {})
    page = (tmp_path / "book" / "what-tension-buys.html").read_text("utf-8")
    assert re.search("Away with you, for (<[^>]*>)*1<", page) and re.search("into something that hisses, for (<[^>]*>)*8<", page)
    assert "none of its prose is used" in page


# ------------------------------------------------------------ fights

PEOPLE = (
    "Ann: a character with Sword and Melee 3 and Tension 3",
    "Cid: a character with Revolver and Athletics 3 and Fireball",
    "Ben: a character with Halberd and Tension 4",
    "Dot: a character with [[Rocket Launcher]] and [[Submachine Gun]]",
)


class Brawl:
    """A whole fight by the seed, with everybody doing anything at all."""

    def __init__(self, seed: int) -> None:
        asked = ask(rules(), "Fight", ("reds=Ann,Cid", "blues=Ben,Dot"), PEOPLE)
        self.policy, self.seed, self.rolls = at_random(generator(str(seed), "play")), str(seed), 0
        self.movers: list[str] = []
        self.run = Evaluator(asked.rules, asked.state, self.answer)
        self.outcome = self.run.do(asked.procedure.id, asked.roles).outcome.partition("#")[2]

    def answer(self, effect: object) -> object:
        match effect:
            case Note("begin", (procedure, roles)) if procedure.endswith("/turn"):
                self.movers.append(dict(roles)["mover"])
            case Note():
                pass
            case Roll():
                self.rolls += 1
                return thrown(self.seed, self.rolls, effect)
            case Chain(state, parts):
                for part in parts:
                    state, stopped = part(self.answer, state)
                    if stopped is not None:
                        return state, stopped
                return state, None
            case _:
                return self.policy(effect, self.run)
        return None

    def out(self, who: str) -> bool:
        return "vdp:condition/out" in self.run.carried(who)

    def spent(self, who: str) -> bool:
        """Whether somebody has taken as much of anything as they can."""
        reading = Reading(rules(), self.run.state)
        return any(
            reading.stat(who, f"vdp:pool/{one}-damage") >= reading.stat(who, f"vdp:attribute/{one}-resilience")
            for one in ("physical", "mental", "emotional")
        )


@cache
def brawl(seed: int) -> Brawl:
    return Brawl(seed)


@pytest.mark.parametrize("seed", range(1, 6))
def test_fights_run_by_themselves(seed: int) -> None:
    fight = brawl(seed)
    assert 2 <= len(set(fight.movers)) <= 4
    assert all(fight.out(who) == fight.spent(who) for who in ("Ann", "Ben", "Cid", "Dot"))
    reds, blues = (all(map(fight.out, side)) for side in (("Ann", "Cid"), ("Ben", "Dot")))
    assert fight.outcome == ("red-won" if blues else "blue-won" if reds else "unfinished")


def test_most_fights_come_to_an_end() -> None:
    assert sum(brawl(seed).outcome != "unfinished" for seed in range(1, 6)) >= 3


# ------------------------------------------------------------ what is there


def test_all_splits_are_of_four_dice() -> None:
    splits = rules().system.of_kind("split")
    assert [(one.fields["success"].value[0], one.fields["caution"].value[0]) for one in splits] == [(m.Int(4 - at), m.Int(at)) for at in range(5)]


def test_all_the_gear_is_there() -> None:
    """Those that the source lists, and bare hands."""
    assert len(rules().system.of_kind("equipment")) == 14 + 1
    assert len(rules().system.of_kind("effect")) == 13
    assert len(rules().system.of_kind("skill")) == 12
    assert len(rules().system.of_kind("wonder")) == 8
