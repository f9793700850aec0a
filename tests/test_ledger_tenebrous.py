"""`systems/tenebrous`: every row of its ledger is carried and played, odds are those of walks that know nothing of te_forge, and fights are won or
lost.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from ledger import SYSTEMS, Ledger

from te_forge.asked import ask
from te_forge.asked.counting import counted
from te_forge.cli import cli
from te_forge.compose import compose
from te_forge.engine.effects import Chain, Choose, Loop, Note, Roll, Share, allowed
from te_forge.engine.evaluate import Evaluator
from te_forge.engine.index import Rules
from te_forge.engine.people import add_person
from te_forge.engine.policies import at_random, plain
from te_forge.engine.reading import Reading
from te_forge.engine.state import State
from te_forge.engine.table import Table
from te_forge.model import rules as m
from te_forge.packs import load
from te_forge.play.set_up import rules_of
from te_forge.seeded import generator, thrown

MECHANICAL = (1, 2, *range(4, 17), *range(19, 30))
LEDGER = Ledger(
    "tenebrous",
    {f"TN-{number:02}": "M" if number in MECHANICAL else "E" if number == 3 else "T" for number in range(1, 30)},
    {
        "difficulty-tie": ("TN-01",), "same-side-tie": ("TN-01",), "points-exact": ("TN-02",), "attribute-range": ("TN-02",),
        "mental-damage": ("TN-04", "TN-12"), "treatment-effect": ("TN-05",), "dying-value": ("TN-05",), "dying-first-test": ("TN-05",),
        "mundane-death": ("TN-05",), "healing-cap": ("TN-07",), "healing-when": ("TN-07",), "healing-dying": ("TN-07",), "ossify-current": ("TN-08",),
        "ossify-armour": ("TN-08",), "jinx-again": ("TN-09",), "round-span": ("TN-09", "TN-16"), "agoraphobia-rolls": ("TN-10",),
        "agoraphobia-stack": ("TN-10",), "initiative-tie": ("TN-11",), "defence-current": ("TN-12",), "critical-two-dice": ("TN-14",),
        "critical-armour": ("TN-14",), "critical-bought": ("TN-15",), "penumbra-many": ("TN-15",), "penumbra-after": ("TN-15",),
        "penumbra-carry": ("TN-15",), "penumbra-who": ("TN-15",), "guard-object": ("TN-19",), "distract-others": ("TN-20",), "stun-drop": ("TN-26",),
        "pin-hold": ("TN-28",), "pin-break": ("TN-28",),
    },
)  # fmt: skip
PACK = str(SYSTEMS / "tenebrous")
ELEVEN = ["Guard", "Distract", "Feint", "Aim", "Full Defense", "Concentrate", "Disarm", "Stun", "Taunt", "Pin", "Throw"]


@cache
def rules(*turned: str) -> Rules:
    system = load(PACK).system
    assert system is not None
    return rules_of(system, [f"tenebrous:{one}" for one in turned])


def test_the_ledger_is_carried() -> None:
    LEDGER.hold()
    assert LEDGER.answered() == set(LEDGER.rulings), "each ruling has another answer that is worked out and played"


def test_its_examples_come_out() -> None:
    LEDGER.plays()


# ---------------------------------------------------------------- odds


def odds(procedure: str, *given: str, who: tuple[str, ...] = (), turned: tuple[str, ...] = ()) -> Table:
    return counted(ask(rules(*turned), procedure, given, who), "plain", None).table


def chance(found: Table, outcome: str) -> Fraction:
    return sum((share for id, share in found.outcomes.items() if id is not None and id.endswith(f"#{outcome}")), Fraction(0))


SURVIVAL = {
    "pc": {-1: Fraction(319, 324), -2: Fraction(49, 54), -3: Fraction(13, 18), -4: Fraction(4, 9), -5: Fraction(1, 6), -6: Fraction(0)},
    "npc": {-1: Fraction(49, 54), -2: Fraction(13, 18), -3: Fraction(4, 9), -4: Fraction(1, 6), -5: Fraction(0), -9: Fraction(0)},
}


@pytest.mark.parametrize(("kind", "left"), [(kind, left) for kind, law in SURVIVAL.items() for left in law])
def test_who_sinks_deeper_is_less_likely_to_be_saved(kind: str, left: int) -> None:
    found = odds("Bleeding Out", "sufferer=Ann", who=(f"Ann: {'a' if kind == 'pc' else 'an'} {kind} with Resilience {left}",))
    assert chance(found, "saved") == SURVIVAL[kind][left]


def test_with_the_number_that_they_began_with_a_thug_is_nearly_safe() -> None:
    """A 1 is enough for whoever began with 4; the start of somebody from the book is printed."""
    found = odds("Bleeding Out", "sufferer=Thug", "Thug.Resilience=-5", turned=("reading/as-strong-as-ever",))
    assert chance(found, "saved") == 1
    assert chance(odds("Bleeding Out", "sufferer=Thug", "Thug.Resilience=-5"), "saved") == 0


def test_a_tie_is_a_players() -> None:
    given = ("attribute=Physique", "difficulty=7")
    assert chance(odds("Attribute Test", "tester=Ann", *given, who=("Ann: a pc with Physique 4",)), "pass") == Fraction(4, 6)
    assert chance(odds("Attribute Test", "tester=Bo", *given, who=("Bo: an npc with Physique 4",)), "pass") == Fraction(3, 6)
    found = odds("Attribute Test", "tester=Bo", *given, who=("Bo: an npc with Physique 4",), turned=("reading/met-is-met",))
    assert chance(found, "pass") == Fraction(4, 6)


def hit(own: int, other: int, points: int) -> Fraction:
    """How likely the higher total is, or an equal one, where each point buys a die after the last one was seen."""
    if own >= other:
        return Fraction(1)
    return sum((hit(own + face, other, points - 1) for face in range(1, 7)), Fraction(0)) / 6 if points else Fraction(0)


def test_whoever_wants_to_hit_buys_dice_for_as_long_as_there_are_points(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whichever dice a total is made of, what follows is worked out once: without that it takes twice as many steps here, and sixty times as many with five points."""
    monkeypatch.setattr("te_forge.engine.following.MOST_PIECES", 5_000)
    for points in (0, 3):
        given = ("attacker=Ann", "target=Thug", "weapon=Fists", f"Ann.Penumbra={points}")
        found = counted(ask(rules(), "Attack", given, ("Ann: a pc with Physique 1, Resilience 4, Resolve 4",)), "plain", "Hit")
        walked = sum((hit(1 + one, 4 + other, points) for one, other in product(range(1, 7), repeat=2)), Fraction(0)) / 36
        assert found.best == chance(found.table, "hit") == walked


def casts(*turned: str) -> Iterator[tuple[int, int]]:
    """Total and sixes of somebody with 5 who rolls two dice, for each way in which they can fall."""
    book = rules(*turned)
    for faces in product(range(1, 7), repeat=2):
        left = list(faces)
        state = add_person(book, State(), "Ann", m.Sheet(book.system.kinds["pc"].id, (("tenebrous:attribute/physique", 5),)))

        def answer(effect: Any, left: list[int] = left) -> Any:
            match effect:
                case Chain(state, parts):
                    for part in parts:
                        state, _ = part(answer, state)
                    return state, None
                case Roll(dice=dice):
                    return tuple(sorted(((left.pop(0), 6) for _ in range(dice[0][0])), reverse=True))

        run = Evaluator(book, state, answer)
        run.do("tenebrous:procedure/throwing", {"roller": "Ann", "attribute": "tenebrous:attribute/physique", "bonus": 0, "dice": 2})
        yield run.hung("Ann", "total"), run.hung("Ann", "sixes")


def test_two_dice_are_added() -> None:
    """The law of 2d6, and that of the sixes: 11/36 show one, or 1/6 where only the first die counts."""
    walked = Counter(5 + one + other for one, other in product(range(1, 7), repeat=2))
    for turned, six in (((), Fraction(11, 36)), (("reading/the-first-die",), Fraction(1, 6))):
        found = list(casts(*turned))
        assert Counter(total for total, _ in found) == walked
        assert Fraction(sum(sixes > 0 for _, sixes in found), 36) == six


def test_an_attack_is_what_a_walk_over_all_dice_says() -> None:
    """Lamia with her fists against a Thug: to hit, a six is critical, and what is left of him."""
    found = odds("Attack", "attacker=Lamia", "target=Thug", "weapon=Fists")
    left: Counter[int] = Counter()
    for swing, ward, one, other in product(range(1, 7), range(1, 7), (1, 2), (1, 2)):
        hit = 8 + swing >= 4 + ward
        left[4 - (one + (other if swing == 6 else 0)) * hit] += 1
    assert found.numbers["tenebrous:npc/thug", "tenebrous:attribute/resilience"] == {
        resilience: Fraction(ways, 144) for resilience, ways in left.items()
    }
    assert chance(found, "hit") == Fraction(35, 36)


# ---------------------------------------------------------------- making people


def shares_of(answers: dict[str, Any]) -> Share:
    """The question how the points are shared, as the steps of making somebody ask it."""
    asked: list[Share] = []

    def answer(effect: Any) -> Any:
        match effect:
            case Chain(state, parts):
                for part in parts:
                    state, stopped = part(answer, state)
                    if stopped is not None:
                        return state, stopped
                return state, None
            case Share():
                asked.append(effect)
                return answers["share"]
            case Choose(word="option"):
                return answers["stature"]
            case Note():
                return None
        return plain(effect, run)

    state = add_person(rules(), State(), "Ida", m.Sheet(rules().system.kinds["pc"].id, ()))
    run = Evaluator(rules(), state, answer)
    run.do("tenebrous:procedure/make-a-character", {"newcomer": "Ida"})
    return asked[0]


def test_thirty_points_are_thirty() -> None:
    share = shares_of({"stature": "Heroic", "share": (6, 6, 6, 6, 6)})
    assert allowed(share, (6, 6, 6, 6, 6))
    assert not allowed(share, (6, 6, 6, 6, 5)) and not allowed(share, (6, 6, 6, 6, 7))


def test_fifteen_points_are_fifteen_and_none_is_of_puissance() -> None:
    share = shares_of({"stature": "Mundane", "share": (5, 4, 4, 2)})
    assert len(share.places) == 4 and "Puissance" not in share.places
    assert allowed(share, (5, 4, 4, 2))
    assert not allowed(share, (5, 4, 4, 1)) and not allowed(share, (5, 4, 4, 3))


@pytest.mark.parametrize(("seed", "policy"), [(1, "random"), (3, "random"), (1, "spend")])
def test_characters_are_made_and_looked_at(seed: int, policy: str, tmp_path: Path) -> None:
    """The making goes back for another power, and another; with its answers in the file nothing is unclear. A point too many is found."""
    file = tmp_path / "ida.yaml"
    run("character", "new", PACK, "--name", "Ida", "--policy", policy, "--seed", str(seed), "-o", str(file))
    assert run("character", "check", str(file), "--pack", PACK).output.strip().endswith("no mistakes found")
    assert "\nPC" in run("character", "sheet", str(file), "--pack", PACK).output
    if policy != "spend":
        return
    text = file.read_text(encoding="utf-8")
    file.write_text(re.sub(r"(?m)^  Resilience: (\d+)$", lambda found: f"  Resilience: {int(found[1]) + 1}", text), encoding="utf-8")
    looked = CliRunner().invoke(cli, ["character", "check", str(file), "--pack", PACK], catch_exceptions=False)
    assert looked.exit_code == 1 and "Resilience" in looked.output and "making-unclear" not in looked.output


def run(*words: str) -> Any:
    done = CliRunner().invoke(cli, list(words), catch_exceptions=False)
    assert done.exit_code == 0, done.output
    return done


def test_a_printed_total_that_is_wrong_is_reported(tmp_path: Any) -> None:
    text = (SYSTEMS / "tenebrous" / "rules" / "02-people.te").read_text(encoding="utf-8")
    (tmp_path / "rules").mkdir()
    (tmp_path / "pack.yaml").write_text((SYSTEMS / "tenebrous" / "pack.yaml").read_text(encoding="utf-8"), encoding="utf-8")
    for path in (SYSTEMS / "tenebrous" / "rules").glob("*.te"):
        (tmp_path / "rules" / path.name).write_text(path.read_text(encoding="utf-8"), encoding="utf-8")
    (tmp_path / "rules" / "02-people.te").write_text(text.replace("| Lamia      | 8 ", "| Lamia      | 7 "), encoding="utf-8")
    found = load(str(tmp_path)).diagnostics
    assert [one.code for one in found] == ["stated-value-differs"] and "Lamia" in found[0].message


# ---------------------------------------------------------------- fights


class Fight:
    """A fight of the printed heroes against thugs, by the seed, everybody played by a bot."""

    def __init__(self, seed: int, foes: int, book: Rules, quiet: bool = False) -> None:
        self.state, self.book = State(), book
        self.heroes = ("Pareidolia", "Lamia")
        self.foes = tuple(f"T{number}" for number in range(foes))
        for name, based in (*((one, one.lower()) for one in self.heroes), *((one, "thug") for one in self.foes)):
            kind = "npc" if based == "thug" else "pc"
            self.state = add_person(book, self.state, name, m.Sheet(f"tenebrous:{kind}/{based}", ()))
        self.policy = plain if quiet else at_random(generator(str(seed), "play", foes))
        self.seed, self.rolls = str(seed), 0
        self.offered: dict[str, tuple[str, ...]] = {}
        self.turns: list[str] = []
        self.run = Evaluator(book, self.state, self.answer)

    def answer(self, effect: Any) -> Any:
        match effect:
            case Chain(state, parts):
                for part in parts:
                    state, stopped = part(self.answer, state)
                    if stopped is not None:
                        return state, stopped
                return state, None
            case Loop():
                return effect.followed(self.answer)
            case Roll():
                self.rolls += 1
                return thrown(self.seed, self.rolls, effect)
            case Note("begin", (procedure, roles)):
                if procedure.endswith("/turn"):
                    self.turns.append(dict(roles)["mover"])
                return None
            case Note():
                return None
        if isinstance(effect, Choose):
            self.offered[effect.word] = effect.labels
        return self.policy(effect, self.run)

    def outcome(self) -> str:
        done = self.run.do("tenebrous:procedure/combat", {"heroes": self.heroes, "foes": self.foes})
        return done.outcome.partition("#")[2]

    def standing(self, side: tuple[str, ...]) -> Iterator[str]:
        reading = Reading(self.book, self.run.state)
        for who in side:
            able = all(reading.stat(who, f"tenebrous:attribute/{one}") > 0 for one in ("resilience", "resolve"))
            if able and "tenebrous:condition/petrified" not in reading.carried(who):
                yield who


@pytest.mark.parametrize("seed", range(6))
def test_a_fight_of_two_against_four_is_won_or_lost(seed: int) -> None:
    fight = Fight(seed, 4, rules())
    outcome = fight.outcome()
    assert outcome in ("won", "lost")
    assert bool(list(fight.standing(fight.heroes))) == (outcome == "won")
    assert bool(list(fight.standing(fight.foes))) == (outcome == "lost")
    assert set(fight.turns) <= {*fight.heroes, *fight.foes}


def test_fights_go_both_ways() -> None:
    assert {Fight(seed, 4, rules(), quiet=True).outcome() for seed in range(8)} == {"won", "lost"}


def test_the_terminal_plays_it() -> None:
    typed = ["add Pareidolia", "add Lamia", *["add Thug"] * 4, "do Combat heroes=Pareidolia,Lamia foes=Thug,Thug 2,Thug 3,Thug 4", "quit"]
    done = CliRunner().invoke(cli, ["play", PACK, "--bot", "everybody=random", "--seed", "7"], input="\n".join(typed) + "\n", catch_exceptions=False)
    assert done.exit_code == 0
    assert re.search(r"^Combat ends with (Won|Lost)\.$", done.output, re.M)


# ---------------------------------------------------------------- manoeuvres


def test_there_are_eleven_manoeuvres_in_play_and_in_the_book() -> None:
    offered = next(found for seed in range(20) if (found := offers(Fight(seed, 2, rules()))))
    assert list(offered) == ELEVEN
    assert [entry.name for entry in rules().system.of_kind("manoeuvre")] == ELEVEN
    assert "'11'" in printed()


def test_a_hack_adds_a_twelfth_to_both() -> None:
    book = rules("hack/dirty-tricks")
    offered = next(found for seed in range(20) if (found := offers(Fight(seed, 2, book))))
    assert list(offered) == [*ELEVEN, "Trip"]
    assert "'12'" in printed("tenebrous:hack/dirty-tricks")


def offers(fight: Fight) -> tuple[str, ...]:
    fight.outcome()
    return fight.offered.get("manoeuvre", ())


def printed(*on: str) -> str:
    """The chapter of the book that lists them."""
    system = load(PACK).system
    assert system is not None
    return repr(next(one for one in compose(system, list(on)).system.chapters if one.title == "Manoeuvres"))
