"""Answers without a person. A policy looks at a decision and at the state, and gives one of the allowed answers.

`plain` does the obvious and spends nothing: it leaves offers, keeps the highest dice, uses the best number. `random` takes any answer, by the seed of the game.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from te_forge.engine.effects import Choose, Decision, Keep, Number, Offer, Several, Share
from te_forge.engine.reading import Reading
from te_forge.engine.state import bag
from te_forge.play.dice import generator

Policy = Callable[[Decision, Reading], Any]


def plain(decision: Decision, reading: Reading) -> Any:
    match decision:
        case Offer():
            return False
        case Choose(options=options):
            return None if None in options else max(options, key=lambda one: worth(decision.who, one, reading))
        case Keep(dice=dice):
            return dice[: decision.least if decision.verb == "rerolls" else decision.most]
        case Number(low=low):
            return low
        case Share():
            return filled(decision)
        case Several():
            return ()


def worth(who: str, option: Any, reading: Reading) -> int:
    """How good a number is that somebody may use; what is no number of theirs is worth 0, and the first of equals is taken."""
    return reading.stat(who, option) if isinstance(option, str) and reading.has_number(who, option) else 0


def filled(decision: Share) -> tuple[int, ...]:
    """All points, as evenly as the limits allow."""
    given = [0] * len(decision.most)
    left = decision.total
    while left and any(have < most for have, most in zip(given, decision.most, strict=True)):
        at = min((at for at, most in enumerate(decision.most) if given[at] < most), key=lambda at: given[at])
        given[at] += 1
        left -= 1
    return tuple(given)


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


RANDOM = "random"
POLICIES: dict[str, Policy] = {"plain": plain}


def names() -> list[str]:
    return sorted({*POLICIES, RANDOM})


def policy_called(name: str, seed: str, choice: int) -> Policy:
    """The policy of a name, for the `choice`th choice of a game."""
    return at_random(seed, choice) if name == RANDOM else POLICIES[name]
