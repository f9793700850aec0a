"""Exact odds: against a walk over every sequence of dice, written from the printed rules, and against themselves without liveness."""

from __future__ import annotations

import json
import re
import shlex
import sys
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import combinations, product
from math import comb
from pathlib import Path

import pytest
from beginnings import as_written
from click.testing import CliRunner

from te_forge.asked import Asked, Decided, Refused, answered, ask, goal
from te_forge.check import check
from te_forge.cli import cli
from te_forge.commands.odds import any_number_of_digits
from te_forge.compose import compose
from te_forge.engine import laws, live
from te_forge.engine.best import Best, choices_of
from te_forge.engine.effects import Draw, Roll
from te_forge.engine.expectimax import solved
from te_forge.engine.following import TooMany
from te_forge.engine.index import Rules
from te_forge.engine.laws import EXPLOSIONS, law, size
from te_forge.engine.odds import Odds
from te_forge.engine.policies import POLICIES
from te_forge.engine.table import Table, table
from te_forge.model.pack import PackInfo
from te_forge.source import Source

ROOT = Path(__file__).parents[1]

ENVIRONMENT, ADVERSARY = "Environment Conflict", "Adversary Conflict"
TENSION, ADVENTURE = ("srd-core:kind/gm", "srd-core:pool/tension"), ("Ann", "srd-core:pool/adventure")
GM_TOTAL, TOTAL, LEAD = ("srd-core:kind/gm", "total"), ("Ann", "total"), ("", "lead")
Law = dict[object, Fraction]


@cache
def srd() -> Rules:
    return Rules(compose(as_written("srd-core")).system)


def asked(procedure: str, *pairs: str, who: tuple[str, ...] = ("Ann: a character with Adventure 1",)) -> Asked:
    return ask(srd(), procedure, pairs, who)


def counted(one: Asked, policy: str = "plain", liveness: bool = True) -> Table:
    odds = Odds(one.rules, Decided(POLICIES[policy], one.presets), liveness)
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
    return {
        "stamina": {value: Fraction(n, ways) for value, n in stamina.items()},
        "margin": {value: Fraction(n, ways) for value, n in margins.items()},
    }


def group_attack(*more: str, dice: int = 2) -> Asked:
    who = (f"Ann: a character with Vigor {dice} and Athletics 0", "Ben: a character with Vigor 1 and Athletics 0")
    return asked(
        ADVERSARY,
        "initiators=Ann,Ben",
        "defender=Callous Golem",
        "Callous Golem.Power=1",
        "attribute=Vigor",
        "skill=Athletics",
        "Tension=2",
        *more,
        who=who,
    )


def test_a_group_against_one_defence_is_what_the_walk_says() -> None:
    walked = several(2, 1, 1)
    found = counted(group_attack())
    assert found.numbers["srd-core:adversary/callous-golem", "srd-core:trait/stamina"] == walked["stamina"]
    assert found.numbers["Ann", "margin"] == walked["margin"]


# ---------------------------------------------------------------- the check figures


def five_dice(*more: str) -> Asked:
    return asked(
        ENVIRONMENT,
        "actor=Ann",
        "Tension=4",
        "attribute=Vigor",
        "skill=Athletics",
        *more,
        who=("Ann: a character with Vigor 3 and Athletics 2 and Adventure 1",),
    )


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


CASES: dict[str, tuple[Callable[[], Asked], str]] = {
    "environment": (lambda: asked(ENVIRONMENT, "actor=Ann", "Tension=2", *stats_for(2)), "plain"),
    "spending": (lambda: asked(ENVIRONMENT, "actor=Ann", "Tension=3", *stats_for(2)), "spend"),
    "another try": (lambda: asked("Another Try", "actor=Ann", "Tension=2", "Try=yes", *stats_for(2)), "plain"),
    "a group": (lambda: group_attack(dice=1), "plain"),
    "ace": (lambda: asked(ADVERSARY, "initiators=Wen", "defender=Bruiser", "Tension=2", "Ace=yes", who=("Wen: a Wastrel",)), "plain"),
    "a spell": (
        lambda: asked(
            "Spell Attack", "caster=Ann", "target=Bruiser", "Tension=2", "Mysticism=0", "Comprehension=2", "Bruiser.Power=2", who=("Ann: a Wizard",)
        ),
        "plain",
    ),
    "careful": (
        lambda: asked(ENVIRONMENT, "actor=Ann", "Tension=2", "Careful=yes", *stats_for(2), who=("Ann: a character with Careful and Adventure 2",)),
        "plain",
    ),
    "regenerating": (lambda: asked(ADVERSARY, "initiators=Ann", "defender=Troll", "Tension=2", "Troll.Power=1", *stats_for(2)), "plain"),
    "explosions": (lambda: asked("Explosion", "Tension=8", who=("Ann: a character", "Ben: a character")), "plain"),
}


@pytest.mark.parametrize("name", CASES)
def test_liveness_changes_no_answer(name: str) -> None:
    make, policy = CASES[name]
    assert counted(make(), policy, True) == counted(make(), policy, False)


def test_liveness_makes_states_equal() -> None:
    """If it did nothing, the test above would be of no use."""
    one = CASES["environment"][0]()
    sizes = [
        len(Odds(one.rules, Decided(POLICIES["plain"], one.presets), liveness).run(one.state, one.procedure.id, one.roles))
        for liveness in (True, False)
    ]
    assert sizes[0] * 2 < sizes[1]


def test_what_a_question_finds_out_about_the_rules_is_known_to_the_next_one(monkeypatch: pytest.MonkeyPatch) -> None:
    def question(rules: Rules, tension: int) -> Table:
        one = ask(rules, ENVIRONMENT, ("actor=Ann", f"Tension={tension}"), ("Ann: a character",))
        return counted(replace(one, rules=rules))

    rules = Rules(compose(as_written("srd-core")).system)
    first = question(rules, 3)
    (found,) = rules.once(live.found_before).values()
    known = dict(found.known)
    assert known and question(rules, 3) == first and found.known == known
    assert question(rules, 2) != first and question(rules, 3) == first
    monkeypatch.setattr(live, "MOST_KNOWN", 0)
    assert question(rules, 3) == first
    assert found not in rules.once(live.found_before).values()


TRICKY = """# Tricky

## kind: gm
- Is: an actor
- How Many: 1

## kind: character
- Is: an actor

## kind: pool
- Is: a number

## pool: Luck
- Of: a character
- Starts: 3
- At Least: 0

## procedure: Bout
- Roles: a character as the one, a character as the other
- Outcomes: Won, Lost
- Settles: Judge

| value | holds    | default | text  |
|-------|----------|---------|-------|
| roll  | dice     | nothing | rolls |
| score | a number | 0       | score |
| aim   | a number | 0       | aim   |

1. Before. What comes early counts too.
   - Early: the other's score is 2 more
   - Ahead: the one's aim will be the other's score + 1
2. First.
   - Dice: the one rolls 1 d3 as the roll
   - Hold: the held is sum of the one's roll
3. Second.
   - Dice: the other rolls 1 d3 as the roll
   - Score: the other's score is sum of the other's roll
   - Own: the one's score is sum of the one's roll + the held
4. Perhaps Again. One more try for those who are behind.
   - Again: if the one's roll is the other's roll: once per Bout: go back to First
   - Help: if sum of the one's roll is 3: in the next Bout of the other: the other's score is 1 more
   - Late: if sum of the other's roll is 1: until Bout ends: after Judge in Bout: the other gains 1 Luck
   - Slip: if sum of the other's roll is 2: the one loses 1 Luck
5. Judge.
   - Won: if the one's score is at least the one's aim: the lead is the one's score - the one's aim; end with Won
   - Lost: otherwise: end with Lost

## procedure: Match
- Roles: a group of characters as the players, a character as the rival
- Outcomes: Over

| value | holds    | default | text |
|-------|----------|---------|------|
| score | a number | 0       | sum  |

1. Play.
   - None: the sum is 0
   - Fate: the rival rolls 1 d2 as the luck
   - Bonus: the bonus is sum of the luck
   - Each: for each character in the players as the player:
     - Bout: do Bout with the player as the one, the rival as the other as the bout
     - Count: if the bout is Won: the player's score is the bout's lead + the player's Luck
   - Twice: repeat up to 2 times: the rival rolls 1 d2 as the fate; the sum becomes the sum + sum of the fate
2. End.
   - Best: the best is highest score of the players
   - Over: end with Over

## rule: Cheering
- Cheer: before Judge in Bout in Match: the one's score is the bonus more
"""


@cache
def tricky() -> Rules:
    system, found = check([Source("tricky.te", TRICKY)], PackInfo(id="tricky", title="Tricky", version="1.0.0"))
    assert system is not None
    assert [one.message for one in found if one.severity == "error"] == []
    return Rules(system)


def test_liveness_keeps_what_waits_lasts_returns_and_is_handed_back() -> None:
    who = ("Ann: a character", "Ben: a character", "Cid: a character")
    found = [counted(ask(tricky(), "Match", ("players=Ann,Ben", "rival=Cid"), who), liveness=liveness) for liveness in (True, False)]
    assert found[0] == found[1]
    assert len(found[0].numbers[("", "best")]) > 3


# ---------------------------------------------------------------- dice that explode, and what is missing


def exploded(count: int, sides: int, most: int) -> Law:
    """All sequences in which each die that shows its highest face brings another, up to `most` more."""
    found: dict[object, Fraction] = {}

    def fall(pending: int, more: int, shown: tuple[int, ...], weight: Fraction) -> None:
        if pending == 0:
            key = tuple(sorted(shown, reverse=True))
            found[key] = found.get(key, Fraction(0)) + weight
            return
        for face in range(1, sides + 1):
            if face < sides:
                fall(pending - 1, more, (*shown, face), weight / sides)
            elif more < most:
                fall(pending, more + 1, (*shown, face), weight / sides)

    fall(count, 0, (), Fraction(1))
    return found


def expected_missing(count: int, sides: int, bursts: int) -> Fraction:
    """The weight of rolls that explode more often than is followed."""
    chance = Fraction(bursts, sides)
    return 1 - sum(((1 - chance) ** count * chance**more * comb(count + more - 1, more) for more in range(laws.EXPLOSIONS + 1)), Fraction(0))


@pytest.mark.parametrize(("count", "sides"), [(1, 4), (2, 3), (3, 2)])
def test_exploding_dice_have_their_exact_law(count: int, sides: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("te_forge.engine.laws.EXPLOSIONS", 4)
    found = {tuple(face for face, _ in dice): weight for dice, weight in law(Roll("Ann", ((count, sides, (sides,)),)))}
    assert found == exploded(count, sides, 4)
    assert sum(found.values()) + expected_missing(count, sides, 1) == 1


BURSTS = """# Bursts

## kind: gm
- Is: an actor
- How Many: 1

## kind: hero
- Is: an actor

## procedure: Blast
- Roles: a hero as the thrower
- Outcomes: High, Low

1. Throw.
   - Dice: the thrower rolls 2 d4 exploding on 4 as the blast
   - Count: the count is number of the blast
   - High: if sum of the blast is at least 9: end with High
   - Low: otherwise: end with Low
"""


@pytest.mark.parametrize("best", [(), ("--best", "High")], ids=["policy", "best"])
def test_exploding_dice_are_never_called_exact(best: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Against all sequences with up to 4 further dice; what lies beyond is missing, whatever else is asked."""
    monkeypatch.setattr("te_forge.engine.laws.EXPLOSIONS", 4)
    (tmp_path / "rules").mkdir()
    (tmp_path / "pack.yaml").write_text("id: bursts\ntitle: Bursts\nversion: 1.0.0\n", encoding="utf-8")
    (tmp_path / "rules" / "01-bursts.te").write_text(BURSTS, encoding="utf-8")
    walked = exploded(2, 4, 4)
    beyond = expected_missing(2, 4, 1)
    code, out = run(str(tmp_path), "Blast", "thrower=Ann", "--who", "Ann: a hero", *best, "--format", "json")
    assert code == 0
    found = json.loads(out[out.index("{") :])
    high = sum((weight for dice, weight in walked.items() if isinstance(dice, tuple) and sum(dice) >= 9), Fraction(0))
    assert {one["outcome"]: Fraction(one["fraction"]) for one in found["outcomes"]} == {"High": high, "Low": 1 - beyond - high}
    counts = {value["value"]: Fraction(value["fraction"]) for value in found["numbers"][0]["values"]}
    assert counts == {
        2 + more: sum(weight for dice, weight in walked.items() if isinstance(dice, tuple) and len(dice) == 2 + more) for more in range(5)
    }
    assert Fraction(found["missing"]["fraction"]) == beyond > 0
    assert found["exact"] is False
    _, said = run(str(tmp_path), "Blast", "thrower=Ann", "--who", "Ann: a hero", *best)
    assert "so this is not exact" in said
    assert "Dice that explode are followed for 12 further dice in a roll." in said
    assert "Bound" not in said


def test_without_exploding_dice_it_is_exact() -> None:
    found = data(*FIVE)
    assert found["exact"] is True
    assert {one["outcome"]: one["fraction"] for one in found["outcomes"]} | {"Failure": ""} == {
        "Success": "318977/629856",
        "Tie": "179531/1119744",
        "Failure": "",
    }
    three = data(*FIVE, "extra=1")
    assert {one["outcome"]: one["fraction"] for one in three["outcomes"]}["Success"] == "241691/279936"
    assert three["policy"] == "plain"


def data(*words: str) -> dict[str, list[dict[str, object]]]:
    out = run("srd-core", ENVIRONMENT, *words, "--format", "json")[1]
    found: dict[str, list[dict[str, object]]] = json.loads(out[out.index("{") :])
    return found


FIVE = ("actor=Ann", "Tension=4", "attribute=Vigor", "skill=Athletics", "--who", "Ann: a character with Vigor 3 and Athletics 2 and Adventure 1")


def test_laws_of_mixed_pools_and_decks() -> None:
    mixed = law(Roll("Ann", ((1, 4, ()), (1, 6, (6,)))))
    assert 1 - sum(weight for _, weight in mixed) == Fraction(1, 6 ** (EXPLOSIONS + 1))
    assert len(mixed) == size(Roll("Ann", ((1, 4, ()), (1, 6, (6,)))))
    assert dict(law(Draw("Ann", "omens", ("1", "1", "2")))) == {("1",): Fraction(2, 3), ("2",): Fraction(1, 3)}


def test_a_chain_beyond_its_bound_is_missing_and_said(monkeypatch: pytest.MonkeyPatch) -> None:
    """With the printed bound of 20 next to nothing is missing; a procedure that has used its bound is missing whole."""
    one = asked("Explosion", "Tension=8", who=("Ann: a character",))
    frame = one.state.frames[0]
    used = frame.counts.set(("srd-core:procedure/explosion:bound", ""), 19)
    start = replace(one.state, frames=(replace(frame, counts=used),))
    odds = Odds(one.rules, POLICIES["plain"])
    found = table(one.rules, start, odds.run(start, one.procedure.id, one.roles), frozenset())
    assert found.missing == Fraction(1, 6)  # drums: two points, the level ten, a second explosion
    assert sum(found.outcomes.values()) == Fraction(5, 6)


# ---------------------------------------------------------------- best reply


def best_of(one: Asked, text: str, who: str = "Ann") -> Fraction:
    free = choices_of(frozenset((who,)))
    graph = Best(one.rules, POLICIES["plain"], lambda decision, reading: answered(one.presets, decision, reading) or free(decision, reading))
    wanted = goal(one, text, graph.live.yields(one.procedure.id))
    spread = solved(graph.graph(one.state, one.procedure.id, one.roles), lambda state: wanted.reached(one.rules, one.state, state))
    assert sum(spread.values()) == 1
    return sum((weight for (state, _), weight in spread.items() if wanted.reached(one.rules, one.state, state)), Fraction(0))


def hit_exactly(dice: int, tension: int, lead: int) -> Fraction:
    """How often some choice of two dice, or of more that Adventure pays for, is exactly `lead` above the world."""
    world = kept_law(tension, 2)
    hits = 0
    for own in product(range(1, 7), repeat=dice):
        most = min(dice, 2 + 1 + own.count(6))
        totals = {sum(kept) for size in range(min(2, dice), most + 1) for kept in combinations(own, size)}
        hits += sum(ways for against, ways in world.items() if against + lead in totals)
    return Fraction(hits, 6 ** (dice + tension))


def test_the_best_reply_is_what_a_walk_over_all_choices_says() -> None:
    one = asked(ENVIRONMENT, "actor=Ann", "Tension=2", *stats_for(3))
    assert best_of(one, "lead = 3") == hit_exactly(3, 2, 3)
    assert best_of(one, "Adventure >= 2") == 1 - Fraction(5, 6) ** 3
    plain = outcomes(counted(one))["success"]
    assert best_of(one, "Success") == compared(kept_law(3, 3), kept_law(2, 2), lambda a, b: a > b) > plain


def test_a_fact_of_the_story_is_nobody_s_choice() -> None:
    """The weapon of choice is in use or not: no goal decides that."""
    one = asked(ENVIRONMENT, "actor=Ann", "Tension=2", *stats_for(2), who=("Ann: a character with Weaponmaster",))
    assert best_of(one, "Success") == outcomes(counted(one))["success"]


# ---------------------------------------------------------------- the command


def run(*args: str) -> tuple[int, str]:
    result = CliRunner().invoke(cli, ["odds", *args])
    return result.exit_code, result.output


ANN = ("--who", "Ann: a character with Vigor 1 and Athletics 0")


def test_the_command_prints_fractions_and_the_policy() -> None:
    code, out = run("srd-core", ENVIRONMENT, "actor=Ann", "Tension=2", "attribute=Vigor", "skill=Athletics", *ANN)
    assert code == 0
    walked = environment(1, 2, False)
    assert str(walked["outcome"]["success"]) in out
    assert "plain: declines every offer" in out
    assert "the gm's Tension, mean" in out


def test_a_fraction_that_nobody_could_read_is_left_to_json(monkeypatch: pytest.MonkeyPatch) -> None:
    """One of 5,000 digits is more than Python prints unasked."""
    import te_forge.asked.counting as counting

    tiny, real = Fraction(1, 7**6000), counting.counted

    def longer(asked: Asked, policy: str, best: str | None) -> counting.Question:
        found = real(asked, policy, best)
        outcomes = {outcome: weight * tiny for outcome, weight in found.table.outcomes.items()}
        return replace(found, table=replace(found.table, outcomes=outcomes))

    monkeypatch.setattr(counting, "counted", longer)
    words = ("srd-core", ENVIRONMENT, "actor=Ann", "Tension=2", "attribute=Vigor", "skill=Athletics", *ANN)
    code, out = run(*words)
    assert code == 0
    assert re.search(r"Success +<0.01 % +\(long\)\n", out)
    assert "(long) is a fraction of more than 20 digits; `--format json` prints it." in out
    assert max(map(len, out.splitlines())) < 160
    code, out = run(*words, "--format", "json")
    assert code == 0
    assert sys.get_int_max_str_digits() == sys.int_info.default_max_str_digits, "the limit is back for whatever strangers write"
    found = json.loads(out[out.index("{") :])
    with any_number_of_digits():
        assert sum(Fraction(one["fraction"]) for one in found["outcomes"]) == tiny


def test_the_command_speaks_json() -> None:
    result = CliRunner().invoke(
        cli,
        [
            "odds",
            "srd-core",
            ENVIRONMENT,
            "actor=Ann",
            "Tension=2",
            "attribute=Vigor",
            "skill=Athletics",
            "--format",
            "json",
            "--best",
            "Success",
            *ANN,
        ],
    )
    assert result.exit_code == 0
    found = json.loads(result.stdout)
    assert sum(Fraction(one["fraction"]) for one in found["outcomes"]) == 1
    assert found["best"]["goal"] == "Success" and found["policy"] == "plain" and found["missing"]["fraction"] == "0"
    assert {"Ann's total", "the gm's total", "the gm's Tension"} <= {one["name"] for one in found["numbers"]}


@pytest.mark.parametrize("sort", ["a Character", "A Character", "a CHARACTER with Vigor 1", "a character"])
def test_a_kind_may_be_written_in_any_case(sort: str) -> None:
    words = ("srd-core", ENVIRONMENT, "actor=Ann", "Tension=2", "attribute=Vigor", "skill=Athletics", "--who")
    assert run(*words, f"Ann: {sort}") == run(*words, "Ann: a character with Vigor 1" if "Vigor" in sort else "Ann: a character")
    assert run(*words, "Ann: a Charakter")[0] == 2


def test_the_first_comma_is_a_with() -> None:
    words = ("srd-core", ENVIRONMENT, "actor=Ann", "Tension=2", "attribute=Vigor", "skill=Athletics", "--who")
    plain = run(*words, "Ann: a character with Vigor 3 and Athletics 2")
    assert plain[0] == 0
    assert run(*words, "Ann: a character, Vigor 3, Athletics 2") == run(*words, "Ann: a character with Vigor 3, Athletics 2") == plain


def test_somebody_new_is_proposed_as_what_the_game_has() -> None:
    words = ("odds", "tenebrous", "Attribute Test", "attribute=Physique", "difficulty=9")
    assert '--who "Zed: a pc"' in CliRunner().invoke(cli, [*words, "tester=Zed"]).output
    assert "write `Zed: a pc`" in CliRunner().invoke(cli, [*words, "--who", "Zed"]).output


REFUSALS = {
    ("Enviroment Conflict", "actor=Ann"): "did you mean `Environment Conflict`?",
    (ENVIRONMENT,): "needs a character as the actor; write `actor=",
    (ENVIRONMENT, "doer=Ann"): "`doer` is no role of Environment Conflict, no number, and nothing that anybody is asked for; its roles are actor",
    ("Damage",): "Damage needs an actor as the dealer, an actor as the target and a number as the amount; write `dealer=Ann target=Ben amount=3`",
    (ENVIRONMENT, "actor=Anne"): 'nobody here is called `Anne`; did you mean `Ann`?; say who that is with --who "Anne: a character"',
    (ENVIRONMENT, "actor=Troll"): "the actor is a character, and Troll is an adversary",
    (ENVIRONMENT, "actor=Ann", "Tensoin=4"): "did you mean `Tension`?",
    (ENVIRONMENT, "actor=Ann", "Tension=1"): "the gm's Tension is at least 2, so it cannot be 1",
    (ENVIRONMENT, "actor=Ann", "Tension=many"): "is a whole number, so it cannot be `many`",
    (ENVIRONMENT, "actor=Ann", "Vigor=6"): "Ann's Vigor is at most 5, so it cannot be 6",
    (ENVIRONMENT, "actor=Ann", "Ann.Stamina=2"): "Ann has no Stamina",
    (
        ENVIRONMENT,
        "actor=Ann",
        "attribute=Vigour",
    ): "`attribute=Vigour` is none of the answers there; did you mean `Vigor`? There are Comprehension, Discipline, Presence, Vigor",
    (
        ENVIRONMENT,
        "actor=Ann",
        "victim=Ann",
    ): "answers nothing: nobody is asked for that in Environment Conflict as it stands here, but for `attribute`, `skill`",
    (
        ENVIRONMENT,
        "actor=Ann",
        "--who",
        "Bo: a hero",
    ): "there is no kind called `hero`; somebody new in Tension Engine SRD is a player or a character or an adversary",
    (ENVIRONMENT, "actor=Ann", "xyz=1"): "nothing that anybody is asked for; its roles are actor",
    (ENVIRONMENT, "actor=Ann", "Vigor=3", "keep=7"): "`keep=7` is none of the answers there; there are faces from 1 to 6",
    (ENVIRONMENT, "actor=Ann", "Vigor=3", "extra=many"): "`extra=many` is none of the answers there; there are a number up to",
    (ENVIRONMENT, "actor=Ann", "Tension=2", "Tension=3"): "`Tension` is said twice: `Tension=2` and `Tension=3`",
    (ENVIRONMENT, "actor=Ann,Ben"): "the actor is one only, and `Ann,Ben` are several",
    (ENVIRONMENT, "actor=Ann", "Tension"): "is not of the form `name=value`",
    (ENVIRONMENT, "actor=Ann", "Tension=10000"): "a roll of 10,000 dice has about 10^17 different results, and no more than 300,000 possibilities",
    (ENVIRONMENT, "actor=Ann", "--best", "Sucess"): "did you mean `Success`?",
    (ENVIRONMENT, "actor=Ann", "--best", "leed = 3"): "did you mean `lead`?",
    (ENVIRONMENT, "actor=Ann", "--policy", "plan"): "did you mean `plain`?",
    (
        ENVIRONMENT,
        "actor=Ann",
        "--who",
        "Bo: a Warior",
    ): "nothing is called `Warior`; did you mean `Warrior`? Somebody new in Tension Engine SRD is a player or a character or an adversary, or one of these: Warrior, Wastrel, Wizard",
    (ENVIRONMENT, "actor=Ann", "--who", "Bo"): "Bo",
    (ENVIRONMENT, "actor=Ann", "--who", "Ann: a Warrior"): "is there twice",
    (ADVERSARY, "initiators=Ann,Ann", "defender=Troll"): "somebody is among the initiators twice",
    ("Damage", "dealer=Ann", "target=Troll", "amount=much"): "the amount is a whole number, so it cannot be `much`",
}


@pytest.mark.parametrize("args", REFUSALS, ids=lambda args: " ".join(args))
def test_what_does_not_fit_is_refused_in_a_sentence(args: tuple[str, ...]) -> None:
    code, out = run("srd-core", *args, *ANN)
    assert code == 2
    assert REFUSALS[args] in out
    assert "Traceback" not in out


CIRCLE = """# Circle

## kind: character
- Is: an actor

## procedure: Wait
- Roles: a character as the one
- Settles: End

| value | holds    | default | text |
|-------|----------|---------|------|
| score | a number | 0       | sum  |

1. Start.
   - First: the one's score will be the one's score + 1
2. End.
"""


def test_rules_that_cannot_be_run_are_a_finding_with_a_place(tmp_path: Path) -> None:
    (tmp_path / "rules").mkdir()
    (tmp_path / "pack.yaml").write_text("id: circle\ntitle: Circle\nversion: 1.0.0\n", encoding="utf-8")
    (tmp_path / "rules" / "01-circle.te").write_text(CIRCLE, encoding="utf-8")
    code, out = run(str(tmp_path), "Wait", "one=Ann", "--who", "Ann: a character")
    assert code == 1
    assert "`score` waits for itself" in out
    assert "01-circle.te" in out


def test_too_many_dice_are_refused_before_they_are_walked() -> None:
    with pytest.raises(TooMany, match="a roll of 60 dice has 8,259,888 different results"):
        counted(asked(ENVIRONMENT, "actor=Ann", "Tension=60"))


def test_ask_fills_roles_of_groups_and_entries() -> None:
    one = asked("Finding The Weakest", "measure=Health")
    assert one.roles == {"measure": "srd-core:pool/health"}
    with pytest.raises(Refused, match="there is no pool called `Helth`; did you mean `Health`"):
        asked("Finding The Weakest", "measure=Helth")


def test_the_page_about_odds_shows_what_the_command_prints() -> None:
    page = (ROOT / "site" / "docs" / "odds.md").read_text(encoding="utf-8")
    blocks = page.split("```")[1::2]
    shown = [
        (blocks[at].split("\n", 1)[1].strip(), blocks[at + 1].split("\n", 1)[1].strip())
        for at in range(len(blocks) - 1)
        if blocks[at].startswith("sh") and blocks[at + 1].startswith("text")
    ]
    assert len(shown) >= 2
    for command, output in shown:
        words = shlex.split(command.replace("\\\n", " "))
        assert words[:2] == ["te-forge", "odds"]
        result = CliRunner().invoke(cli, words[1:])
        assert result.exit_code == 0
        out = result.stdout
        assert [line.rstrip() for line in output.splitlines()] == [line.rstrip() for line in out.strip().splitlines()][: len(output.splitlines())]
