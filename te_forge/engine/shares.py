"""How often something is so when an action of an example is followed in every way in which its dice can fall: `expect .. in 29 percent`."""

from __future__ import annotations

from dataclasses import field
from fractions import Fraction
from typing import Any

from te_forge.engine.cues import Cue, Cues, Unanswered
from te_forge.engine.effects import Decision, allowed
from te_forge.engine.index import Rules
from te_forge.engine.odds import Odds
from te_forge.engine.policies import plain
from te_forge.engine.reading import Reading
from te_forge.engine.state import Scope, State, Untold, looking
from te_forge.engine.words import inner
from te_forge.frozen import mutable
from te_forge.model import rules as m


@mutable
class Picked:
    """A policy that answers with whatever an example picks, each time that it fits, and else as `plain` does."""

    rules: Rules
    cues: tuple[Cue, ...]
    used: set[int] = field(default_factory=set)

    def __call__(self, decision: Decision, reading: Reading) -> Any:
        for at, cue in enumerate(self.cues):
            alone = Cues(self.rules, [cue])
            try:
                answer = alone.picked(decision)
            except Unanswered:
                continue
            if not alone.left and allowed(decision, answer):
                self.used.add(at)
                return answer
        return plain(decision, reading)

    def unused(self) -> Cue | None:
        return next((cue for at, cue in enumerate(self.cues) if at not in self.used), None)


def share_of(rules: Rules, state: State, action: m.Sentence, condition: m.Condition, policy: Picked) -> tuple[Fraction, Fraction]:
    """In how many of all cases the condition holds behind the action, and how many are not followed."""
    asked = words_in(condition)
    odds = Odds(rules, policy, asked=asked)
    holds = told = Fraction(0)
    for (end, _), weight in odds.follow(state, (action,), Scope(), asked).items():
        try:
            holds += weight * Reading(rules, end).holds(condition, looking(end))
        except Untold:
            continue
        told += weight
    return holds, 1 - told


def words_in(condition: m.Condition) -> frozenset[str]:
    return frozenset(one for one in inner(condition) if isinstance(one, str))


def agrees(stated: m.Share, found: Fraction, missing: Fraction) -> bool:
    """A share that is stated in percent is rounded; what is not followed must not matter."""
    if not stated.rounded:
        return missing == 0 and found == Fraction(stated.number, stated.of)
    return {rounded(found), rounded(found + missing)} == {stated.number}


def rounded(share: Fraction) -> int:
    """In percent, a half upwards."""
    return int(100 * share + Fraction(1, 2))


def told(stated: m.Share) -> str:
    return f"{stated.number} percent" if stated.rounded else f"{stated.number} of {stated.of}"


def differing(stated: m.Share, found: Fraction, missing: Fraction) -> str:
    """What a share is by the rules. Of what is not followed to its end nothing is known exactly, so a share of it can only be stated rounded."""
    share = f"{float(100 * found):.2f} percent"
    if not missing:
        return f"{share} ({found})"
    left = f"{float(100 * missing):.2f}" if missing >= HARDLY else "less than 0.01"
    known_rounded = not stated.rounded and rounded(found) == rounded(found + missing)
    return f"{share}, and {left} percent are not followed" + (
        f", so it is known rounded only: `in {rounded(found)} percent`" if known_rounded else ""
    )


def as_written(found: Fraction, missing: Fraction) -> str:
    """How a share is stated that is right."""
    ways = [f"`in {rounded(found)} percent`"] if rounded(found) == rounded(found + missing) else []
    ways += [f"exactly `in {found.numerator} of {found.denominator}`"] if not missing and found.denominator < 10**9 else []
    return f"if the rules are right, write {', or '.join(ways)}" if ways else ""


HARDLY = Fraction(1, 20_000)
"""A smaller share is nothing in percent with two digits."""
