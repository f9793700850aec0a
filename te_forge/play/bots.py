"""Answers without a person, at a table: the policies of the engine, and `random`, which takes any answer by the seed of the game."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from te_forge.engine.effects import Choose, Decision, Keep, Number, Offer, Several, Share
from te_forge.engine.policies import POLICIES, Policy
from te_forge.engine.reading import Reading
from te_forge.engine.state import bag
from te_forge.play.dice import generator
from te_forge.suggest import did_you_mean

RANDOM = "random"


def names() -> list[str]:
    return [*POLICIES, RANDOM]


def unknown(name: str) -> str:
    """That there is no policy of this name; empty when there is."""
    return "" if name in names() else f"there is no policy `{name}`{did_you_mean(name, names())}; there are {', '.join(names())}"


def policy_called(name: str, seed: str, choice: int) -> Policy:
    """The policy of a name, for the `choice`th choice of a game."""
    return at_random(seed, choice) if name == RANDOM else POLICIES[name]


def at_random(*place: object) -> Policy:
    """A policy that takes any answer, found by the place in the game."""
    pick = generator("choice", *place)

    def policy(decision: Decision, reading: Reading) -> Any:
        match decision:
            case Offer():
                return pick(2) == 1
            case Choose(options=options):
                return options[pick(len(options))]
            case Number(low=low, high=high):
                return low + pick(high - low + 1)
            case Keep(dice=dice, least=least, most=most):
                left = list(dice)
                return bag([left.pop(pick(len(left))) for _ in range(least + pick(most - least + 1))])
            case Share():
                return scattered(decision, pick)
            case Several(options=options):
                return tuple(option for option in options if pick(2))

    return policy


def scattered(decision: Share, pick: Callable[[int], int]) -> tuple[int, ...]:
    given = [0] * len(decision.most)
    for _ in range(decision.total if decision.exactly else pick(decision.total + 1)):
        open_ = [at for at, most in enumerate(decision.most) if given[at] < most]
        if open_:
            given[open_[pick(len(open_))]] += 1
    return tuple(given)
