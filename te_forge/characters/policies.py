"""Who answers the questions of a making when no person does: dice from a seed, choices by a named policy."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

from te_forge.characters.making import Decide, Question, Run
from te_forge.engine.acting import MOST_EXPLOSIONS
from te_forge.engine.effects import Choose, Draw, Keep, Number, Offer, Roll, Several, Share
from te_forge.engine.state import Dice, bag

Policy = Callable[[Question, Run, random.Random], Any]


def chance(seed: int, at: int) -> random.Random:
    """The luck of the question number `at`: the same one whenever it is asked again, whatever was asked in between."""
    return random.Random(f"te_forge character {seed} {at}")


def thrown(question: Roll, luck: random.Random) -> Dice:
    dice: list[tuple[int, int]] = []
    for count, sides, exploding in question.dice:
        left, more = count, MOST_EXPLOSIONS
        while left > 0:
            left -= 1
            face = luck.randint(1, sides)
            dice.append((face, sides))
            if face in exploding and more > 0:
                left, more = left + 1, more - 1
    return bag(dice)


def before(question: Question, run: Run) -> list[Any]:
    """What was answered to the same question earlier in this run."""
    return [one.answer for one in run.asked if one.question == question]


def at_random(question: Question, run: Run, luck: random.Random) -> Any:
    """Anything that is allowed. Points are all spent."""
    match question:
        case Choose(options=options):
            fresh = [option for option in options if option not in before(question, run)]
            return luck.choice(fresh or list(options))
        case Offer():
            return luck.random() < 0.5
        case Number(low=low, high=high):
            return luck.randint(low, high)
        case Share():
            return spread(question, lambda open_: luck.choice(open_))
        case Keep(dice=dice, least=least, most=most):
            return bag(luck.sample(dice, luck.randint(least, most)))
        case Several(options=options):
            return tuple(option for option in options if luck.random() < 0.5)
        case Roll():
            return thrown(question, luck)
        case Draw(cards=cards):
            return luck.choice(cards)


def the_first(question: Question, run: Run, luck: random.Random) -> Any:
    """The first that is offered, no to every offer, points from the first place on. Dice fall as they fall."""
    match question:
        case Choose(options=options):
            return options[len(before(question, run)) % len(options)]
        case Offer():
            return False
        case Number(low=low):
            return low
        case Share():
            return spread(question, lambda open_: open_[0])
        case Keep(dice=dice, least=least):
            return dice[:least]
        case Several():
            return ()
        case _:
            return at_random(question, run, luck)


def evenly(question: Question, run: Run, luck: random.Random) -> Any:
    """Points spread as evenly as they go, numbers from the middle; everything else as the first."""
    match question:
        case Share():
            given = dict.fromkeys(range(len(question.places)), 0)

            def poorest(open_: list[int]) -> int:
                at = min(open_, key=lambda one: given[one])
                given[at] += 1
                return at

            return spread(question, poorest)
        case Number(low=low, high=high):
            return (low + high) // 2
        case _:
            return the_first(question, run, luck)


MOST_POINTS = 10_000
"""Points that are put one by one; what is more goes to the first places."""


def spread(question: Share, pick: Callable[[list[int]], int]) -> tuple[int, ...]:
    """All points, one by one, each to a place that has room."""
    given = [0] * len(question.places)
    for _ in range(min(question.total, MOST_POINTS)):
        open_ = [at for at, most in enumerate(question.most) if given[at] < most]
        if not open_:
            break
        given[pick(open_)] += 1
    for at, most in enumerate(question.most):
        given[at] += min(most - given[at], question.total - sum(given))
    return tuple(given)


POLICIES: dict[str, Policy] = {"random": at_random, "plain": evenly, "first": the_first}


def decide_by(policy: str, seed: int) -> Decide:
    return lambda question, run: POLICIES[policy](question, run, chance(seed, len(run.asked)))
