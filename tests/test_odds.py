"""Exact odds: against a walk over every sequence of dice, written from the printed rules, and against themselves without liveness."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import cache
from itertools import product

import pytest

from te_forge.asked import Asked, ask, with_presets
from te_forge.commands.odds import in_play
from te_forge.engine.index import Rules
from te_forge.engine.odds import Odds, Table, table
from te_forge.engine.policies import POLICIES
from te_forge.packs import load

ENVIRONMENT, ADVERSARY = "Environment Conflict", "Adversary Conflict"
TENSION, ADVENTURE = ("srd-core:kind/gm", "srd-core:pool/tension"), ("Ann", "srd-core:pool/adventure")
GM_TOTAL, TOTAL, LEAD = ("srd-core:kind/gm", "total"), ("Ann", "total"), ("", "lead")
Law = dict[object, Fraction]


@cache
def srd() -> Rules:
    system = load("srd-core").system
    assert system is not None
    return Rules(in_play(system))


def asked(procedure: str, *pairs: str, who: tuple[str, ...] = ("Ann: a character with Adventure 1",)) -> Asked:
    return ask(srd(), procedure, pairs, who)


def counted(one: Asked, policy: str = "plain", liveness: bool = True) -> Table:
    odds = Odds(one.rules, with_presets(POLICIES[policy], one.presets), liveness)
    return table(one.rules, one.state, odds.run(one.state, one.procedure.id, one.roles), odds.live.yields(one.procedure.id))


def outcomes(found: Table) -> dict[str, Fraction]:
    return {name.partition("#")[2]: share for name, share in found.outcomes.items()}


# ---------------------------------------------------------------- the printed rules, walked by hand


def best_two(dice: tuple[int, ...], kept: int = 2) -> int:
    return sum(sorted(dice, reverse=True)[:kept])


def environment(dice: int, tension: int, spend: bool) -> dict[str, Law]:
    """Every sequence: the world rolls Tension dice, the character `dice`; ones give Tension, sixes Adventure; failing gives Tension."""
    found: dict[str, Counter[object]] = {name: Counter() for name in ("outcome", "gm", "ann", "lead", "tension", "adventure")}
    for world in product(range(1, 7), repeat=tension):
        now, bonus = tension, 0
        if spend and tension > 2:
            now -= 1
            bonus = now
        against = best_two(world) + bonus
        for own in product(range(1, 7), repeat=dice):
            adventure, after = 1 + own.count(6), now + own.count(1)
            extra = min(adventure, max(0, dice - 2)) if spend else 0
            total = best_two(own, 2 + extra)
            outcome = "success" if total > against else "tie" if total == against else "failure"
            values = (outcome, against, total, total - against if total > against else None, after + (outcome == "failure"), adventure - extra)
            for counter, value in zip(found.values(), values, strict=True):
                counter[value] += 1
    total_ways = 6 ** (dice + tension)
    return {name: {value: Fraction(ways, total_ways) for value, ways in counter.items()} for name, counter in found.items()}


def stats_for(dice: int) -> tuple[str, ...]:
    """A character rolls an attribute and a skill: 1 to 3 dice of Vigor alone."""
    return (f"Ann.Vigor={dice}", "attribute=Vigor", "Athletics=0", "skill=Athletics")


@pytest.mark.parametrize("policy", ["plain", "spend"])
@pytest.mark.parametrize(("dice", "tension"), [(1, 2), (2, 2), (3, 2), (2, 3), (3, 3)])
def test_the_plain_conflict_is_what_a_walk_over_all_sequences_says(dice: int, tension: int, policy: str) -> None:
    walked = environment(dice, tension, policy == "spend")
    found = counted(asked(ENVIRONMENT, "actor=Ann", f"Tension={tension}", *stats_for(dice)), policy)
    assert outcomes(found) == walked["outcome"]
    assert found.missing == 0
    for name, key in (("gm", GM_TOTAL), ("ann", TOTAL), ("lead", LEAD), ("tension", TENSION), ("adventure", ADVENTURE)):
        before = 1 if key == ADVENTURE else None
        assert (found.numbers[key] if key in found.numbers else {before: Fraction(1)}) == walked[name], name


def several(first: int, second: int, golem: int) -> dict[str, Law]:
    """Two attack an armoured monster that keeps three dice: each who is higher deals the difference, less 1; a fallen one takes no more."""
    stamina: Counter[object] = Counter()
    margins: Counter[object] = Counter()
    for ann in product(range(1, 7), repeat=first):
        for ben in product(range(1, 7), repeat=second):
            for defence in product(range(1, 7), repeat=golem):
                against, left_over = best_two(defence, 3), 5
                for attack in (best_two(ann), best_two(ben)):
                    if attack > against:
                        left_over = max(0, left_over - (attack - against - 1))
                stamina[left_over] += 1
                margins[best_two(ann) - against] += 1
    ways = 6 ** (first + second + golem)
    return {"stamina": {value: Fraction(n, ways) for value, n in stamina.items()}, "margin": {value: Fraction(n, ways) for value, n in margins.items()}}


def group_attack(*more: str) -> Asked:
    who = ("Ann: a character with Vigor 2 and Athletics 0", "Ben: a character with Vigor 1 and Athletics 0")
    return asked(ADVERSARY, "initiators=Ann,Ben", "defender=Callous Golem", "attribute=Vigor", "skill=Athletics", *more, who=who)


def test_a_group_against_one_defence_is_what_the_walk_says() -> None:
    walked = several(2, 1, 3)
    found = counted(group_attack("Tension=2"))
    assert found.numbers["srd-core:adversary/callous-golem", "srd-core:trait/stamina"] == walked["stamina"]
    assert found.numbers["Ann", "margin"] == walked["margin"]


# ---------------------------------------------------------------- the check figures


def five_dice(*more: str) -> Asked:
    return asked(ENVIRONMENT, "actor=Ann", "Tension=4", "attribute=Vigor", "skill=Athletics", *more, who=("Ann: a character with Vigor 3 and Athletics 2 and Adventure 1",))


@cache
def kept_law(dice: int, kept: int) -> dict[int, int]:
    """The total of the best `kept` of some dice, by a walk over the sequences."""
    return Counter(best_two(one, kept) for one in product(range(1, 7), repeat=dice))


def compared(own: dict[int, int], world: dict[int, int], fits: Callable[[int, int], bool]) -> Fraction:
    ways = sum(mine * theirs for a, mine in own.items() for b, theirs in world.items() if fits(a, b))
    return Fraction(ways, sum(own.values()) * sum(world.values()))


@pytest.mark.parametrize("kept", [2, 3])
def test_five_dice_against_four(kept: int) -> None:
    own, world = kept_law(5, kept), kept_law(4, 2)
    found = outcomes(counted(five_dice(f"extra={kept - 2}")))
    assert found["success"] == compared(own, world, lambda a, b: a > b)
    assert found["tie"] == compared(own, world, lambda a, b: a == b)
    assert sum(found.values()) == 1
    wanted = {2: (Fraction(318977, 629856), Fraction(179531, 1119744)), 3: (Fraction(241691, 279936), Fraction(543899, 10077696))}
    assert (found["success"], found["tie"]) == wanted[kept]
    assert kept == 2 or round(float(found["success"]), 4) == 0.8634


# ---------------------------------------------------------------- liveness changes nothing


def cases() -> Iterator[tuple[str, Callable[[], Asked], str]]:
    yield "environment", lambda: asked(ENVIRONMENT, "actor=Ann", "Tension=2", *stats_for(2)), "plain"
    yield "exploding tension", lambda: asked(ENVIRONMENT, "actor=Ann", "Tension=9", "Ann.Vigor=2", who=("Ann: a character with Vigor 2",)), "plain"
    yield "spending", lambda: asked(ENVIRONMENT, "actor=Ann", "Tension=3", *stats_for(3)), "spend"
    yield "another try", lambda: asked("Another Try", "actor=Ann", "Tension=2", "Try=yes", *stats_for(2)), "plain"
    yield "a group", lambda: group_attack("Tension=2"), "plain"
    yield "ace", lambda: asked(ADVERSARY, "initiators=Wen", "defender=Bruiser", "Tension=2", "Ace=yes", who=("Wen: a Wastrel",)), "plain"
    yield "a spell", lambda: asked("Spell Attack", "caster=Ann", "target=Dark Shadow", "Tension=2", "attribute=Comprehension", "skill=Mysticism", who=("Ann: a Wizard with Mysticism 0",)), "plain"
    yield "careful", lambda: asked(ENVIRONMENT, "actor=Ann", "Tension=2", "Careful=yes", *stats_for(2), who=("Ann: a character with Careful and Adventure 2",)), "plain"
    yield "a troll", lambda: asked(ADVERSARY, "initiators=Ann", "defender=Troll", "Tension=2", "Troll.Power=2", "Troll.Stamina=2", *stats_for(2)), "plain"
    yield "an explosion", lambda: asked("Explosion", "Tension=8", who=("Ann: a character", "Ben: a character")), "plain"


CASES = list(cases())


@pytest.mark.parametrize(("make", "policy"), [pytest.param(make, policy, id=name) for name, make, policy in CASES if name != "exploding tension"])
def test_liveness_changes_no_answer(make: Callable[[], Asked], policy: str) -> None:
    assert counted(make(), policy, True) == counted(make(), policy, False)
