"""Who decides when nobody is asked: policies by name. A policy is a function from a decision to one of its answers, and may read the state it is made in.

All of them are general: they know prices, dice and the order of the options, and nothing about a game. A policy that reads the state should read what
is stored there (numbers, traits) and not what a procedure keeps in mind: exact odds drop a value of that sort as soon as no rule can read it any more.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from te_forge.engine.effects import Choose, Decision, Keep, Number, Offer, Several, Share
from te_forge.engine.reading import Reading
from te_forge.engine.state import Dice

Answer = Any
Policy = Callable[[Decision, Reading], Answer]


def plain(decision: Decision, reading: Reading) -> Answer:
    """Declines every offer, spends nothing, keeps the highest dice, takes the first option."""
    match decision:
        case Choose(options=options):
            return None if None in options else options[0]
        case Offer():
            return False
        case Number(low=low):
            return low
        case Keep():
            return highest(decision)
        case Share():
            return from_the_front(decision)
        case Several():
            return ()


def spend(decision: Decision, reading: Reading) -> Answer:
    """Takes every offer and spends as much as is allowed; keeps the highest dice, rerolls those below the middle, takes the first option."""
    match decision:
        case Choose(options=options):
            return options[0]
        case Offer():
            return True
        case Number(high=high):
            return high
        case Keep():
            return highest(decision)
        case Share():
            return from_the_front(decision)
        case Several(options=options):
            return options


def last(decision: Decision, reading: Reading) -> Answer:
    """As `plain`, and takes the last option instead of the first."""
    if isinstance(decision, Choose):
        return next(option for option in reversed(decision.options) if option is not None or len(decision.options) == 1)
    return plain(decision, reading)


def lowest(decision: Decision, reading: Reading) -> Answer:
    """As `plain`, and keeps the lowest dice."""
    if isinstance(decision, Keep) and decision.verb == "keeps":
        return decision.dice[len(decision.dice) - decision.least :] if decision.least else ()
    return plain(decision, reading)


POLICIES: dict[str, Policy] = {"plain": plain, "spend": spend, "last": last, "lowest": lowest}


def highest(decision: Keep) -> Dice:
    """The highest dice that may be kept; of dice to roll again, the lowest that a new one would probably better."""
    if decision.verb == "keeps":
        return decision.dice[: decision.most]
    poor = tuple(die for die in decision.dice if 2 * die[0] <= die[1])
    taken = min(decision.most, max(decision.least, len(poor)))
    return decision.dice[len(decision.dice) - taken :] if taken else ()


def from_the_front(decision: Share) -> tuple[int, ...]:
    """As many as fit in the first place, then in the next."""
    left, given = decision.total, []
    for most in decision.most:
        given.append(min(most, left))
        left -= given[-1]
    return tuple(given)
