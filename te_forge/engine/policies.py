"""Who decides when nobody is asked: the policies, by name, for everything that plays: odds, rolls, scenes, and the making of characters.

A policy is a function from a decision to one of its answers, and may read the state it is made in.

All of them are general: they know prices, dice and the order of the options, and nothing about a game. A policy that reads the state should read what
is stored there (numbers, traits) and not what a procedure keeps in mind: exact odds drop a value of that sort as soon as no rule can read it any
more, unless the policy names its word in an attribute `looks_at`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from te_forge.engine.effects import Choose, Decision, Keep, Number, Offer, Several, Share
from te_forge.engine.reading import Reading
from te_forge.engine.state import Dice, bag
from te_forge.suggest import among

Answer = Any
Policy = Callable[[Decision, Reading], Answer]
Pick = Callable[[int], int]
"""A number from 0 up to one below the limit, each as likely as the others. Where it comes from is none of the engine's business."""


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
            return evenly(decision)
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


def at_random(pick: Pick) -> Policy:
    """A policy that takes any answer. Points are all given out."""

    def policy(decision: Decision, reading: Reading) -> Answer:
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


# ---------------------------------------------------------------- by name

POLICIES: dict[str, Policy] = {"plain": plain, "spend": spend, "last": last, "lowest": lowest}
"""Those that answer the same way whenever the same is asked. Exact odds need one of them."""
RANDOM = "random"
NAMES = (*POLICIES, RANDOM)


def policy_called(name: str, pick: Pick) -> Policy:
    return at_random(pick) if name == RANDOM else POLICIES[name]


def unknown(name: str, known: Iterable[str] = NAMES) -> str:
    """That there is no policy of this name; empty when there is."""
    known = tuple(known)
    if name in known:
        return ""
    if name in NAMES:
        return f"the policy `{name}` cannot decide here; there are {', '.join(known)}"
    return f"there is no policy `{name}`{among(name, known)}"


# ---------------------------------------------------------------- parts of answers


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


def evenly(decision: Share) -> tuple[int, ...]:
    """The same for every place that has room, and what is over to the first of them."""
    left, given = decision.total, [0] * len(decision.most)
    while left and (open_ := [at for at, most in enumerate(decision.most) if given[at] < most]):
        each = max(1, left // len(open_))
        for at in open_:
            more = min(each, decision.most[at] - given[at], left)
            given[at] += more
            left -= more
    return tuple(given)


MOST_POINTS = 10_000
"""Points that are put one by one; what is more goes to the first places."""


def scattered(decision: Share, pick: Pick) -> tuple[int, ...]:
    """Every point to some place that has room."""
    given = [0] * len(decision.most)
    for _ in range(min(decision.total, MOST_POINTS)):
        open_ = [at for at, most in enumerate(decision.most) if given[at] < most]
        if not open_:
            break
        given[open_[pick(len(open_))]] += 1
    left = decision.total - sum(given)
    for at, most in enumerate(decision.most):
        more = min(most - given[at], left)
        given[at], left = given[at] + more, left - more
    return tuple(given)
