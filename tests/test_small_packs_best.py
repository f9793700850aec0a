"""Small games at random in which much is chosen and gone back to (`small_packs.Choices`): what the best decisions come to is what a walk over all
sequences of dice and answers says.
"""

from __future__ import annotations

from fractions import Fraction as F
from functools import cache
from itertools import product
from typing import Any
from zlib import crc32

import pytest
from beginnings import rules_of
from small_packs import Choices, small_pack
from test_small_packs import at_end

from te_forge.asked import Asked, ask
from te_forge.engine import following as engine
from te_forge.engine.best import Best, choices_of
from te_forge.engine.effects import Chain, Effect, Loop, Note, Roll
from te_forge.engine.evaluate import Evaluator
from te_forge.engine.expectimax import solved
from te_forge.engine.following import begun
from te_forge.engine.index import Rules
from te_forge.engine.live import liveness_of
from te_forge.engine.policies import POLICIES, Policy
from te_forge.engine.reading import RuleError
from te_forge.engine.state import Scope, State, bag

WHO = ("Ann: a player", "Ben: a player with Lucky")
SEEDS = range(80)
MOST_RUNS = 500
"""Games with more sequences are left out: they take too long to be walked."""
MOST_PIECES = 20_000


class Open(Exception):
    """A walk has come to dice, with the weight of each answer, or to a choice."""

    def __init__(self, answers: list[Any], weight: F | None) -> None:
        super().__init__()
        self.answers, self.weight = answers, weight


class Unwalked(Exception):
    """There are too many sequences, or they have no end."""


def worth(asked: Asked, end: State) -> F:
    """A number of no sense that tells ends apart by whatever is asked for at the end."""
    watched = liveness_of(asked.rules).yields(asked.procedure.id)
    return F(crc32(repr(at_end(asked, end, watched)).encode()) % 97)


class Walk:
    """Plays every sequence from the beginning."""

    def __init__(self, asked: Asked, policy: Policy) -> None:
        self.asked, self.policy, self.free = asked, policy, choices_of(frozenset(("Ann",)))
        self.runs = 0

    def best(self, *given: Any) -> F:
        self.runs += 1
        if self.runs > MOST_RUNS:
            raise Unwalked
        try:
            return worth(self.asked, self.end(given))
        except Open as open_:
            if open_.weight is None:
                return max(self.best(*given, answer) for answer in open_.answers)
            return sum((open_.weight * self.best(*given, answer) for answer in open_.answers), F(0))

    def end(self, given: tuple[Any, ...]) -> State:
        left = list(reversed(given))

        def perform(effect: Effect) -> Any:
            match effect:
                case Note():
                    return None
                case Chain(state, parts):
                    for part in parts:
                        state, stopped = part(perform, state)
                        if stopped is not None:
                            return state, stopped
                    return state, None
                case Loop():
                    raise Unwalked
                case Roll():
                    if left:
                        return left.pop()
                    sides = [many for count, many, _ in effect.dice for _ in range(count)]
                    shown = [bag(list(zip(faces, sides, strict=True))) for faces in product(*(range(1, many + 1) for many in sides))]
                    raise Open(shown, F(1, len(shown)))
                case _:
                    answers = self.free(effect, run)  # type: ignore[arg-type]
                    if answers is None:
                        return self.policy(effect, run)  # type: ignore[arg-type]
                    if left:
                        return left.pop()
                    raise Open(list(answers), None)

        run = Evaluator(self.asked.rules, self.asked.state, perform)
        run.body((begun(self.asked.procedure.id, self.asked.roles),), Scope())
        return run.state


def best(asked: Asked, policy: Policy, liveness: bool) -> F:
    graph = Best(asked.rules, policy, choices_of(frozenset(("Ann",))), liveness)
    spread = solved(graph.graph(asked.state, asked.procedure.id, asked.roles), lambda end: worth(asked, end))
    assert sum(spread.values()) == 1
    return sum((weight * worth(asked, end) for (end, _), weight in spread.items()), F(0))


def readable(seed: int) -> Rules | None:
    try:
        return rules_of(small_pack(seed, Choices), "small")
    except AssertionError:
        return None


@cache
def walked(seed: int) -> tuple[Asked, Policy, F, int] | None:
    """A game with what the best decisions come to in it, and how many sequences it has; None where it is none, or has too many."""
    rules = readable(seed)
    if rules is None:
        return None
    asked = ask(rules, "Main", ("one=Ann", "other=Ben"), WHO)
    policy = list(POLICIES.values())[seed % len(POLICIES)]
    walk = Walk(asked, policy)
    try:
        return asked, policy, walk.best(), walk.runs
    except (Unwalked, RuleError):
        return None


@pytest.mark.parametrize("seed", SEEDS)
def test_the_best_decisions_are_those_of_a_walk(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    found = walked(seed)
    if found is None:
        return
    asked, policy, most, _ = found
    monkeypatch.setattr(engine, "MOST_PIECES", MOST_PIECES)
    for at_sight in (1, 10**9):
        monkeypatch.setattr(engine, "MOST_AT_SIGHT", at_sight)
        for liveness in (True, False):
            assert best(asked, policy, liveness) == most, (at_sight, liveness)


def test_many_of_them_are_games_that_are_walked() -> None:
    """And not only mistakes, and what takes too long, which would show nothing."""
    assert sum(readable(seed) is not None for seed in SEEDS) > len(SEEDS) / 2
    assert sum(found is not None and found[-1] > 20 for found in map(walked, SEEDS)) > len(SEEDS) / 5
