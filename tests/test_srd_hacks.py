"""The hacks of the SRD: every set of the seven, the one quarrel and who settles it, and each row in play and in odds, against a walk over all dice."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import combinations, product
from pathlib import Path
from typing import Any

import pytest
from beginnings import as_written

from te_forge.asked import Asked, Decided, ask
from te_forge.asked.counting import count
from te_forge.check import check
from te_forge.compose import Composed, compose
from te_forge.engine.effects import Decision, Keep, answers
from te_forge.engine.index import Rules
from te_forge.engine.odds import Odds
from te_forge.engine.policies import POLICIES, plain
from te_forge.engine.reading import Reading
from te_forge.engine.table import Table, table
from te_forge.examples import play_all
from te_forge.model.pack import PackInfo
from te_forge.model.system import System
from te_forge.play.answering import EVERYBODY, bots_only
from te_forge.play.table import Table as GameTable
from te_forge.play.unattended import Director, party
from te_forge.play.words import Teller
from te_forge.source import Source

SEVEN = ("advancement", "bonus-points", "keep-for-points", "morale", "party-skill", "status-effects", "time-tables")
SETS = [frozenset(some) for count in range(8) for some in combinations(SEVEN, count)]
KEEP, PARTY, MORALE = "keep-for-points", "party-skill", "morale"


def srd() -> System:
    return as_written("srd-core")


@cache
def bare() -> System:
    """The SRD without its examples and its chapters: there is less to compose."""
    entries = {id: entry for id, entry in srd().entries.items() if entry.kind != "example"}
    return replace(srd(), entries=entries, chapters=())


def ids(names: Iterable[str]) -> list[str]:
    return [f"srd-core:hack/{name}" for name in sorted(names)]


@cache
def composed(some: frozenset[str]) -> Composed:
    return compose(bare(), ids(some))


def errors(made: Composed) -> set[tuple[str, str]]:
    return {(one.code, one.message.partition(":")[0]) for one in made.diagnostics if one.severity == "error"}


@cache
def rules(*names: str) -> Rules:
    made = composed(frozenset(names))
    assert errors(made) == set()
    return Rules(made.system)


# ---------------------------------------------------------------- alone and together


def expected(some: frozenset[str]) -> set[tuple[str, str]]:
    out: set[tuple[str, str]] = set()
    if PARTY in some and MORALE not in some:
        out.add(("missing-hack", "Party Skill needs Morale, and that is not on"))
    if {PARTY, KEEP} <= some:
        out |= {
            ("patch-conflict", f"Keep For Points and Party Skill quarrel over `{line}` of {rule}")
            for line, rule in (("Sixes", "Adventure From Sixes"), ("Ones", "Tension From Ones"))
        }
    return out


@pytest.mark.parametrize("count", range(8))
def test_every_set_of_the_seven_is_fine_or_refused_for_its_reason(count: int) -> None:
    for some in SETS:
        if len(some) == count:
            made = composed(some)
            assert errors(made) == expected(some), some
            there = {hack for hack in SEVEN if any(part in made.system.entries for part in srd().entries[f"srd-core:hack/{hack}"].parts)}
            assert there == {hack for hack in some if srd().entries[f"srd-core:hack/{hack}"].parts}


def test_how_many_sets_there_are() -> None:
    assert len(SETS) == 2**7
    assert sum(not expected(some) for some in SETS) == 80


def test_both_places_are_shown() -> None:
    made = composed(frozenset({KEEP, PARTY, MORALE}))
    text = Path(__file__).parents[1].joinpath("systems/srd-core/rules/11-hacks.te").read_text(encoding="utf-8").splitlines()
    shown = [
        (text[one.span.line - 1], [text[label.span.line - 1] for label in one.labels]) for one in made.diagnostics if one.code == "patch-conflict"
    ]
    assert len(shown) == 2
    for here, there in shown:
        assert here.startswith(("- Sixes: before Add", "- Ones: before Add"))
        assert [line.startswith(("- Sixes: after a roll", "- Ones: after a roll")) for line in there] == [True]


@pytest.mark.parametrize(
    "some", [some for some in SETS if not expected(some) and len(some) in (0, 1, 5, 6)], ids=lambda some: "+".join(sorted(some)) or "none"
)
def test_it_plays_with_what_is_on(some: frozenset[str]) -> None:
    """Bots play a while with every hack alone, and with all that go together."""
    said: list[str] = []
    made = rules(*some)
    game = GameTable(made, "a seed", Teller(made, said.append, bold=lambda text: text), bots_only, bots={EVERYBODY: "random"})
    party(game)
    Director(game).play(3)
    assert len(said) > 20
    assert not any(line.startswith("This was stopped") for line in said)


# ---------------------------------------------------------------- the third hack

PEACE = """# Peace
## hack: Peace
- Needs: Keep For Points, Party Skill
### changes rule: Adventure From Sixes
- Sixes: before Add in Keeping with a character as the roller: the group gains 1 Morale for each die showing 1 in the roller's kept
{more}
## example: Peace
- With: Morale, Party Skill, Keep For Points, Peace
- Ann: a Warrior with Vigor 3 and Aim 2 and Adventure 1
- Morale: 2
- Tension: 3

1. Alone. A kept one lifts the group, a kept six feeds the gm.
   - do Environment Conflict with Ann as the actor
   - the gm shows 2, 2, 2; the gm picks nothing
   - Ann picks Vigor, Aim, Alone; Ann shows 6, 6, 1, 3, 3; Ann picks 0; Ann picks 6, 1
   - expect Morale is 3 and Tension is 4 and Ann's Adventure is 0
"""
MORE = "### changes rule: Tension From Ones\n- Ones: before Add in Keeping with a character as the roller: the gm gains 1 Tension for each die showing 6 in the roller's kept\n"


def with_peace(more: str) -> System:
    made, said = check([Source("peace.te", PEACE.format(more=more))], PackInfo(id="peace", title="Peace", version="1.0.0"), srd())
    assert made is not None and [one.message for one in said if one.severity == "error"] == []
    return made


def test_a_third_hack_of_another_pack_decides() -> None:
    """SRD-51: it needs both, and says what holds wherever they quarrel."""
    system = with_peace(MORE)
    assert errors(compose(system, [*ids((KEEP, PARTY, MORALE)), "peace:hack/peace"])) == set()
    [result] = play_all(system)
    assert [one.message for one in result.diagnostics] == []


def test_a_third_hack_that_decides_by_half_settles_half() -> None:
    made = compose(with_peace(""), [*ids((KEEP, PARTY, MORALE)), "peace:hack/peace"])
    assert errors(made) == {("patch-conflict", "Keep For Points and Party Skill quarrel over `Ones` of Tension From Ones")}


# ---------------------------------------------------------------- odds

GM, ADVENTURE = "srd-core:kind/gm", ("Ann", "srd-core:pool/adventure")
TENSION, TOTAL = (GM, "srd-core:pool/tension"), ("Ann", "total")
GROUP = ("srd-core:kind/group", "srd-core:pool/morale")
ANN = ("actor=Ann", "attribute=Vigor", "skill=Melee", "Tension=2", "Ann.Adventure=0")
"""Four dice against two of the world, and nothing to spend."""
WHO = ("Ann: a Warrior with Vigor 3 and Melee 1",)
Law = dict[object, Fraction]


def asked(on: tuple[str, ...], *pairs: str, who: tuple[str, ...] = WHO, procedure: str = "Environment Conflict") -> Asked:
    return ask(rules(*on), procedure, pairs, who)


def counted(one: Asked, policy: Callable[..., Any] = plain) -> Table:
    odds = Odds(one.rules, Decided(policy, one.presets))
    return table(one.rules, one.state, odds.run(one.state, one.procedure.id, one.roles), odds.live.yields(one.procedure.id))


def outcomes(found: Table) -> Law:
    return {name.partition("#")[2]: share for name, share in found.outcomes.items()}


def dice(count: int) -> Iterator[tuple[int, ...]]:
    return product(range(1, 7), repeat=count)


def laws(rows: Iterable[dict[str, object]]) -> dict[str, Law]:
    """The law of each column of equally likely rows."""
    found: dict[str, Law] = {}
    rows = list(rows)
    for row in rows:
        for column, value in row.items():
            law = found.setdefault(column, {})
            law[value] = law.get(value, Fraction(0)) + Fraction(1, len(rows))
    return found


def ending(own: int, world: int) -> str:
    return "success" if own > world else "tie" if own == world else "failure"


def kept(own: tuple[int, ...], policy: str) -> tuple[int, ...]:
    return tuple(sorted(own)[-2:] if policy == "plain" else sorted(own)[:2])


def greed(policy: str, but: Mapping[tuple[int, ...], tuple[int, int]] | None = None) -> Iterator[dict[str, object]]:
    """SRD-45, walked: all dice of both sides, two of four kept; `but` for some rolls."""
    for world, own in product(dice(2), dice(4)):
        pair = (but or {}).get(tuple(sorted(own)), kept(own, policy))
        how = ending(sum(pair), sum(kept(world, policy)))
        yield {"outcome": how, "adventure": pair.count(1), "tension": 2 + pair.count(6) + (how == "failure"), "total": sum(pair)}


@pytest.mark.parametrize("policy", ["plain", "lowest"])
def test_kept_dice_pay(policy: str) -> None:
    """SRD-45: a kept one is a point of Adventure, a kept six one of Tension, and nothing else of a roll is."""
    found, by_hand = counted(asked((KEEP,), *ANN), POLICIES[policy]), laws(greed(policy))
    assert outcomes(found) == by_hand["outcome"]
    assert {key: found.numbers[key] for key in (ADVENTURE, TENSION, TOTAL)} == {
        ADVENTURE: by_hand["adventure"],
        TENSION: by_hand["tension"],
        TOTAL: by_hand["total"],
    }


GOALS: dict[str, Callable[[tuple[int, int], int], bool]] = {
    "Success": lambda pair, world: sum(pair) > world,
    "Adventure >= 1": lambda pair, world: 1 in pair,
    "Adventure >= 2": lambda pair, world: pair == (1, 1),
    "Tension < 3": lambda pair, world: 6 not in pair and sum(pair) >= world,
    "Tension >= 4": lambda pair, world: pair.count(6) + (sum(pair) < world) >= 2,
}


@pytest.mark.parametrize("goal", GOALS)
def test_which_dice_to_keep_is_a_choice(goal: str) -> None:
    """SRD-45: who keeps for a goal reaches it exactly as often as some two of the four dice would."""
    reached = sum(any(GOALS[goal](pair, sum(world)) for pair in combinations(own, 2)) for world, own in product(dice(2), dice(4)))
    assert count(asked((KEEP,), *ANN), "plain", goal).best == Fraction(reached, 6**6)


def test_two_sixes_a_one_and_a_three() -> None:
    """SRD-45: 6 6 1 3 leaves six pairs, of which four differ, and each pays in its own way."""
    seen: dict[tuple[int, ...], set[tuple[int, ...]]] = {}

    def watching(decision: Decision, reading: Reading) -> Any:
        if isinstance(decision, Keep) and decision.who == "Ann":
            seen[tuple(face for face, _ in decision.dice)] = {tuple(face for face, _ in answer) for answer in answers(decision)}
        return plain(decision, reading)

    counted(asked((KEEP,), *ANN), watching)
    assert seen[6, 6, 3, 1] == {(6, 6), (6, 3), (6, 1), (3, 1)}


@pytest.mark.parametrize("pair", [(6, 1), (3, 1)])
def test_what_is_kept_of_them_pays(pair: tuple[int, int]) -> None:
    """SRD-45: the law of everything when one choice among all is made in another way."""

    def keeping(decision: Decision, reading: Reading) -> Any:
        faces = [face for face, _ in decision.dice] if isinstance(decision, Keep) else []
        return tuple((face, 6) for face in pair) if faces == [6, 6, 3, 1] else plain(decision, reading)

    found, by_hand = counted(asked((KEEP,), *ANN), keeping), laws(greed("plain", {(1, 3, 6, 6): pair}))
    assert outcomes(found) == by_hand["outcome"]
    assert (found.numbers[ADVENTURE], found.numbers[TENSION]) == (by_hand["adventure"], by_hand["tension"])


def together(mode: str) -> Iterator[dict[str, object]]:
    """SRD-47, walked: by the party's Melee of 1 with a point, or by one's own of 2 for a point."""
    for world, own in product(dice(2), dice(3 if mode == "Together" else 4)):
        pair = sorted(own)[-2:]
        how = ending(sum(pair), sum(world))
        lost = how == "failure"
        if mode == "Together":
            yield {"outcome": how, "adventure": 2, "tension": 2 + lost, "morale": 2}
        else:
            yield {"outcome": how, "adventure": 0, "tension": 2 + own.count(1) + lost, "morale": 2 + own.count(6)}


@pytest.mark.parametrize("mode", ["Together", "Alone"])
def test_the_party_and_the_one(mode: str) -> None:
    """SRD-47, SRD-46, SRD-62: whose skill is used, what it costs, and whom the dice feed; nobody takes an offer here."""
    who = ("Ann: a Warrior with Vigor 2 and Melee 2", "Ben: a Wizard with Melee 1")
    found = counted(
        asked((MORALE, PARTY), "actor=Ann", "attribute=Vigor", "skill=Melee", "Tension=2", "Ann.Adventure=1", "Morale=2", f"mode={mode}", who=who)
    )
    by_hand = laws(together(mode))
    assert outcomes(found) == by_hand["outcome"]
    there = {"adventure": ADVENTURE, "tension": TENSION, "morale": GROUP}
    for name, key in there.items():
        assert found.numbers.get(key, by_hand[name]) == by_hand[name], name
    assert TENSION in found.numbers


def test_morale_pays_like_adventure() -> None:
    """SRD-46: without a point of one's own, a further die is paid out of what the group believes in."""
    found = counted(asked((MORALE,), *ANN, "Morale=3", "extra=1"))
    by_hand = laws({"morale": 3 if 6 in own else 2, "adventure": max(own.count(6) - 1, 0), "total": sum(sorted(own)[-3:])} for own in dice(4))
    assert (found.numbers[GROUP], found.numbers[ADVENTURE], found.numbers[TOTAL]) == (by_hand["morale"], by_hand["adventure"], by_hand["total"])


def test_a_weak_body() -> None:
    """SRD-48: Poisoned makes every total with the body one less, and nothing else."""
    well = counted(asked(("status-effects",), *ANN)).numbers[TOTAL]
    ill = counted(asked(("status-effects",), *ANN, who=("Ann: a Warrior with Vigor 3 and Melee 1 and Poisoned",))).numbers[TOTAL]
    assert ill == {int(str(total)) - 1: share for total, share in well.items()}


def test_oil_burns_and_water_washes() -> None:
    """SRD-63."""
    for traits, health in (("", 7), (" and Flammable", 5)):
        found = counted(asked(("status-effects",), "exposed=Ann", who=(f"Ann: a Warrior with Health 7{traits}",), procedure="Open Flame"))
        law = found.numbers.get(("Ann", "srd-core:pool/health"), {7: Fraction(1)})
        assert law == {health: Fraction(1)}


@pytest.mark.parametrize(("what", "paid"), [("An Attribute", 20), ("A Skill", 9), ("An Advantage", 3), ("More Health", 18)])
def test_what_a_level_costs(what: str, paid: int) -> None:
    """SRD-43: levels cost five, three and two times as much as they are high; an advantage three."""
    ann = ("Ann: a Warrior with Vigor 3 and Aim 2 and Health 8 and Experience 50",)
    lesson = {"An Attribute": ("lesson=Vigor",), "A Skill": ("lesson=Aim",), "An Advantage": ("choice=Healer",)}.get(what, ())
    found = counted(asked(("advancement",), "hero=Ann", f"option={what}", *lesson, who=ann, procedure="Advance"))
    assert found.numbers["Ann", "srd-core:pool/experience"] == {50 - paid: Fraction(1)}


def test_a_clock_moves_with_tension() -> None:
    """SRD-49, SRD-50: every failure is a point, every point a step of a running clock, and so is every one that was rolled."""
    one = asked(("time-tables",), *ANN)
    running = replace(one, state=replace(one.state, numbers=one.state.numbers.set(("srd-core:clock/bomb", "srd-core:pool/ticking"), 1)))
    found = counted(running)
    tension, marks = found.numbers[TENSION], found.numbers["srd-core:clock/bomb", "srd-core:pool/marks"]
    for steps, share in marks.items():
        gained = sum(part for value, part in tension.items() if min(int(str(value)) - 2, 3) == steps)
        assert share == gained
