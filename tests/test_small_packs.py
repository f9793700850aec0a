"""Small games at random (`small_packs`), counted out: every roll parted at once or only by what is asked, with liveness and without, against a walk
over the sequences of dice.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction as F
from heapq import heappop, heappush
from itertools import count
from typing import Any

import pytest
from small_packs import small_pack

from te_forge.asked import Asked, ask
from te_forge.check import check
from te_forge.engine import following as engine
from te_forge.engine.effects import Chain, Effect, Loop, Note, Roll
from te_forge.engine.evaluate import Evaluator
from te_forge.engine.following import TooMany, begun
from te_forge.engine.index import Rules
from te_forge.engine.odds import Odds
from te_forge.engine.policies import POLICIES, Policy
from te_forge.engine.reading import RuleError
from te_forge.engine.state import OnlyMean, Scope, State, bag
from te_forge.engine.table import left, numbers_at_end
from te_forge.model.pack import PackInfo
from te_forge.source import Source
from te_forge.syntax.format import format_page

WHO = ("Ann: a player", "Ben: a player with Lucky")
WALKED = 150
"""How many sequences of dice are walked, the likeliest first; what is left is not known."""
MOST_ROUNDS = 200
MOST_PIECES = 3_000
"""Games that take more are left out: they take too long for a test."""
Key = tuple[Any, ...]


class Missing(Exception):
    """One die more is needed."""

    def __init__(self, sides: int) -> None:
        super().__init__()
        self.sides = sides


class Beyond(Exception):
    """A loop goes on for too long to be walked."""


def at_end(asked: Asked, state: State, watched: frozenset[str]) -> Key:
    numbers = numbers_at_end(asked.rules, asked.state, state, watched)
    return left(state).outcome, tuple(sorted(numbers.items())), tuple(sorted(state.traits.items()))


def walked(asked: Asked, policy: Policy, faces: tuple[int, ...]) -> State:
    """The end when the dice show these faces, one after the other."""
    shown = iter(faces)

    def die(sides: int) -> tuple[int, int]:
        face = next(shown, None)
        if face is None:
            raise Missing(sides)
        return face, sides

    def rounds() -> Any:
        number = count()

        def each(_: State) -> None:
            if next(number) > MOST_ROUNDS:
                raise Beyond

        return each

    def perform(effect: Effect) -> Any:
        match effect:
            case Note():
                return None
            case Roll():
                return bag([die(sides) for many, sides, _ in effect.dice for _ in range(many)])
            case Chain():
                state, stopped = effect.state, None
                for part in effect.parts:
                    state, stopped = part(perform, state)
                    if stopped is not None:
                        break
                return state, stopped
            case Loop():
                return effect.followed(perform, rounds())
            case _:
                return policy(effect, run)  # type: ignore[arg-type]

    run = Evaluator(asked.rules, asked.state, perform)
    run.body((begun(asked.procedure.id, asked.roles),), Scope())
    return run.state


def walk(asked: Asked, policy: Policy, watched: frozenset[str]) -> tuple[Counter[Key], F, bool]:
    """How likely each end is at least, how much has not been walked, and whether the rules stop somewhere with an error."""
    number = count()
    todo: list[tuple[F, int, tuple[int, ...]]] = [(F(-1), next(number), ())]
    found: Counter[Key] = Counter()
    unknown, failed = F(0), False
    for _ in range(WALKED):
        if not todo:
            break
        weight, _, faces = heappop(todo)
        try:
            found[at_end(asked, walked(asked, policy, faces), watched)] -= weight  # type: ignore[assignment]
        except Missing as missing:
            for face in range(1, missing.sides + 1):
                heappush(todo, (weight / missing.sides, next(number), (*faces, face)))
        except Beyond:
            unknown -= weight
        except RuleError:
            failed = True
    return found, unknown - sum((weight for weight, _, _ in todo), F(0)), failed


def counted(asked: Asked, policy: Policy, liveness: bool) -> tuple[dict[Key, F], frozenset[str]] | None:
    """How likely each end is; None where the rules stop with an error."""
    odds = Odds(asked.rules, policy, liveness)
    watched = odds.live.yields(asked.procedure.id)
    found: dict[Key, F] = {}
    try:
        for (state, _), weight in odds.run(asked.state, asked.procedure.id, asked.roles).items():
            end = at_end(asked, state, watched)
            found[end] = found.get(end, F(0)) + weight
    except RuleError:
        return None
    return found, watched


def only_mean(end: Key) -> bool:
    return any(isinstance(value, OnlyMean) for _, value in end[1])


def same(one: dict[Key, F], other: dict[Key, F]) -> bool:
    """Cases of which only a mean is known may be told apart in more than one way."""
    return {end: share for end, share in one.items() if not only_mean(end)} == {end: share for end, share in other.items() if not only_mean(end)}


def ways() -> Iterator[tuple[int, bool]]:
    for at_sight in (1, 10**9):
        for liveness in (True, False):
            yield at_sight, liveness


def readable(seed: int) -> Rules | None:
    system, found = check([Source("small.te", small_pack(seed))], PackInfo(id="small", title="Small", version="1.0.0"))
    return None if any(one.severity == "error" for one in found) else Rules(system)


SEEDS = range(40)


@pytest.mark.parametrize("seed", SEEDS)
def test_a_small_pack_is_counted_out_as_it_is_played(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    rules = readable(seed)
    if rules is None:
        return
    asked, policy = ask(rules, "Main", ("one=Ann", "other=Ben"), WHO), list(POLICIES.values())[seed % len(POLICIES)]
    monkeypatch.setattr(engine, "MOST_PIECES", MOST_PIECES)
    found = []
    for at_sight, liveness in ways():
        monkeypatch.setattr(engine, "MOST_AT_SIGHT", at_sight)
        try:
            found.append(counted(asked, policy, liveness))
        except TooMany:
            return
    if found[0] is None:
        assert found == [None] * 4
        return
    odds, watched = found[0]
    assert all(one is not None and same(one[0], odds) for one in found)
    played, unknown, failed = walk(asked, policy, watched)
    apart = sum((share for end, share in odds.items() if only_mean(end)), F(0)) + 1 - sum(odds.values(), F(0))
    assert not failed
    assert all(share <= odds.get(end, F(0)) + apart for end, share in played.items())
    assert all(share <= played[end] + unknown for end, share in odds.items() if not only_mean(end))


def test_most_of_them_are_games() -> None:
    """And not only mistakes, which would show nothing."""
    assert sum(readable(seed) is not None for seed in SEEDS) > len(SEEDS) / 2


@pytest.mark.parametrize("seed", SEEDS)
def test_a_small_pack_has_one_form(seed: int) -> None:
    once = format_page(small_pack(seed))
    assert format_page(once) == once
