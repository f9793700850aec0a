"""Laws of the engine, on random conflicts of every kind: odds sum to 1, sampled play agrees with them, nothing that is legal fails, bounds hold."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache
from itertools import islice
from typing import Any

import pytest
from beginnings import as_written
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from te_forge.asked import ask
from te_forge.compose import compose
from te_forge.engine.effects import Chain, Draw, Note, Roll, answers
from te_forge.engine.evaluate import Evaluator
from te_forge.engine.following import TooMany
from te_forge.engine.index import Rules
from te_forge.engine.odds import Odds, Spread
from te_forge.engine.policies import POLICIES
from te_forge.engine.reading import Reading, RuleError
from te_forge.engine.state import Scope, State, Value, bag
from te_forge.engine.table import Table as Found
from te_forge.engine.table import table
from te_forge.model import rules as m

CALM = settings(max_examples=8, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
ADVANTAGES = ("Careful", "Healer", "Master Thief", "Sorcery", "Weaponmaster")
FOES = ("Bruiser", "Callous Golem", "Dark Shadow", "Nimble Thief", "Troll")


@cache
def srd() -> Rules:
    return Rules(compose(as_written("srd-core")).system)


@dataclass(frozen=True)
class Scene:
    """A moment, and what happens then: a procedure with its roles, or a sentence of a rule with its owner."""

    state: State
    procedure: str
    roles: tuple[tuple[str, Value], ...] = ()
    action: tuple[m.Sentence, ...] = ()
    scope: Scope = field(default_factory=Scope)


def scene(procedure: str, pairs: tuple[str, ...], who: tuple[str, ...]) -> Scene:
    one = ask(srd(), procedure, pairs, who)
    return Scene(one.state, one.procedure.id, tuple(one.roles.items()))


def action(owner: str, trait: str, who: tuple[str, ...], pairs: tuple[str, ...] = ()) -> Scene:
    """What somebody may do at any time because of a trait."""
    found = next(one for one in srd().actions if one.entry.name == trait)
    at = scene("Environment Conflict", (f"actor={owner}", *pairs), who).state
    return Scene(at, "", action=(found.node,), scope=Scope(owner=owner, entry=found.entry.id, line=found.line.id, own=True))


@st.composite
def people(draw: st.DrawFn) -> tuple[str, ...]:
    found = []
    for name in ("Ann", "Ben"):
        traits = draw(st.lists(st.sampled_from(ADVANTAGES), unique=True, max_size=2))
        kind = draw(st.sampled_from(("character", "Warrior", "Wastrel", "Wizard")))
        numbers = [
            f"{stat} {draw(st.integers(0, most))}"
            for stat, most in (("Vigor", 2), ("Comprehension", 2), ("Athletics", 1), ("Adventure", 3), ("Health", 4), ("Willpower", 4))
        ]
        found.append(f"{name}: a {kind} with {' and '.join([*numbers, *traits])}")
    return tuple(found)


@st.composite
def scenes(draw: st.DrawFn) -> Scene:
    who, tension, foe = draw(people()), draw(st.sampled_from((2, 3, 9, 19))), draw(st.sampled_from(FOES))
    at = (f"Tension={tension}",)
    match draw(st.sampled_from(("environment", "attack", "group", "defend", "duel", "spell", "heal", "sorcery", "round", "explosion", "another"))):
        case "environment":
            return scene("Environment Conflict", ("actor=Ann", *at), who)
        case "attack":
            return scene("Adversary Conflict", ("initiators=Ann", f"defender={foe}", *at), who)
        case "group":
            return scene("Adversary Conflict", ("initiators=Ann,Ben", f"defender={foe}", *at), who)
        case "defend":
            return scene("Adversary Conflict", (f"initiators={foe}", "defender=Ben", *at), who)
        case "duel":
            return scene("Adversary Conflict", ("initiators=Ann", "defender=Ben", *at), who)
        case "spell":
            return scene("Spell Attack", ("caster=Ann", f"target={foe}", *at), who)
        case "heal":
            return action("Ann", "Healer", who, at)
        case "sorcery":
            return action("Ann", "Sorcery", who, at)
        case "round":
            return scene("Round", (f"fighters=Ann,Ben,{foe}", *at), who)
        case "explosion":
            return scene("Explosion", at, who)
        case _:
            return scene("Another Try", ("actor=Ann", *at), who)


# ---------------------------------------------------------------- play by chance


class Chance:
    """Rolls by chance, decides as it is told, and remembers every state on the way."""

    def __init__(self, seed: int, decide: Callable[[Any], Any] | None = None) -> None:
        self.random = random.Random(seed)
        self.decide = decide if decide is not None else self.anything
        self.states: list[State] = []

    def play(self, one: Scene) -> State:
        run = Evaluator(srd(), one.state, self.perform)
        if one.action:
            run.body(one.action, one.scope)
        else:
            run.do(one.procedure, dict(one.roles))
        return run.state

    def anything(self, effect: Any) -> Any:
        return self.random.choice(list(islice(answers(effect), 500)))

    def perform(self, effect: Any) -> Any:
        match effect:
            case Note():
                return None
            case Roll():
                return bag([(self.random.randint(1, sides), sides) for count, sides, _ in effect.dice for _ in range(count)])
            case Draw():
                return (self.random.choice(effect.cards),)
            case Chain(state, parts):
                for one in parts:
                    self.states.append(state)
                    state, stopped = one(self.perform, state)
                    if stopped is not None:
                        return state, stopped
                return state, None
            case _:
                return self.decide(effect)


@given(one=scenes(), seed=st.integers(0, 2**32))
@settings(CALM, max_examples=60)
def test_no_sequence_of_legal_choices_raises_and_no_number_leaves_its_bounds(one: Scene, seed: int) -> None:
    chance = Chance(seed)
    end = chance.play(one)
    for state in (*chance.states, end):
        reading = Reading(srd(), state)
        for (who, stat), value in state.numbers.items():
            least, most = reading.bounds(who, stat)
            assert least is None or value >= least, (who, stat, value)
            assert most is None or value <= max(most, one.state.numbers.get((who, stat), most)), (who, stat, value)


@given(one=scenes(), seed=st.integers(0, 2**32))
@settings(CALM, max_examples=30)
def test_an_answer_that_is_not_allowed_is_refused_and_changes_nothing(one: Scene, seed: int) -> None:
    asked: list[Any] = []

    def nonsense(effect: Any) -> Any:
        asked.append(effect)
        return object()

    before = State(**{name: getattr(one.state, name) for name in State.__dataclass_fields__})
    try:
        Chance(seed, nonsense).play(one)
    except RuleError as error:
        assert "is not one of the answers" in str(error)
        assert len(asked) == 1
    else:
        assert not asked
    assert one.state == before


# ---------------------------------------------------------------- odds

MOST = 1500
"""Scenes with more possibilities than this take too long for a test."""


def counted(one: Scene, policy: str, liveness: bool = True) -> tuple[Spread, Found]:
    odds = Odds(srd(), POLICIES[policy], liveness)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("te_forge.engine.following.MOST_BRANCHES", MOST)
        try:
            spread = odds.follow(one.state, one.action, one.scope) if one.action else odds.run(one.state, one.procedure, dict(one.roles))
        except TooMany:
            assume(False)
            raise
    return spread, table(srd(), one.state, spread, odds.live.yields(one.procedure) if one.procedure else frozenset())


def seen(state: State) -> Any:
    return frozenset(state.numbers.items()), frozenset(state.traits.items())


@given(one=scenes(), policy=st.sampled_from(sorted(POLICIES)))
@CALM
def test_odds_sum_to_one_and_sampled_play_agrees(one: Scene, policy: str) -> None:
    spread, found = counted(one, policy)
    assert sum(spread.values()) + found.missing == 1
    assert 0 <= found.missing < Fraction(1, 1000)
    for law in found.numbers.values():
        assert sum(law.values()) + found.missing == 1
    law: dict[Any, Fraction] = {}
    for (state, _), weight in spread.items():
        law[seen(state)] = law.get(seen(state), Fraction(0)) + weight
    decide = POLICIES[policy]
    drawn = Counter(seen(Chance(seed, lambda effect: decide(effect, Reading(srd(), one.state))).play(one)) for seed in range(150))
    assert agrees(law, drawn)


@given(one=scenes(), policy=st.sampled_from(sorted(POLICIES)))
@CALM
def test_liveness_changes_nothing(one: Scene, policy: str) -> None:
    assert counted(one, policy)[1] == counted(one, policy, liveness=False)[1]


def agrees(law: dict[Any, Fraction], drawn: Counter[Any]) -> bool:
    """A chi-square, with rare cases put together; the bound is that of one in a million."""
    times = sum(drawn.values())
    assert set(drawn) <= set(law), "something happened that the odds do not know"
    groups = [(float(weight) * times, drawn[key]) for key, weight in law.items()]
    large = [pair for pair in groups if pair[0] >= 5]
    rest = [pair for pair in groups if pair[0] < 5]
    if rest:
        large.append((sum(wanted for wanted, _ in rest), sum(got for _, got in rest)))
    statistic = sum((got - wanted) ** 2 / wanted for wanted, got in large if wanted > 0)
    degrees = max(1, len(large) - 1)
    return statistic < degrees + 5 * (2 * degrees) ** 0.5 + 25


def test_the_agreement_can_fail() -> None:
    law = {"heads": Fraction(1, 2), "tails": Fraction(1, 2)}
    assert agrees(law, Counter({"heads": 80, "tails": 70}))
    assert not agrees(law, Counter({"heads": 120, "tails": 30}))
    with pytest.raises(AssertionError):
        agrees(law, Counter({"edge": 1}))
