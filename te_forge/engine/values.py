"""What values are to the rules, and the mistakes that only play can show."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

from te_forge.engine.state import NOBODYS, OnlyMean, Scope, Untold, Value

COMPARE: dict[str, Callable[[Any, Any], bool]] = {
    "is": operator.eq, "above": operator.gt, "below": operator.lt, "at least": operator.ge, "at most": operator.le,
    "a multiple of": lambda left, right: right != 0 and left % right == 0,
}  # fmt: skip
TURNED = {"is": "is", "above": "below", "below": "above", "at least": "at most", "at most": "at least"}
"""How a comparison reads from its other side."""
MOST_NUMBER = 10**15
Key = tuple[int, str, str]
"""Where a value lies: the frame's index, whose it is (empty for a word of the frame), its word."""


class RuleError(Exception):
    """A mistake in the rules that only play can show: two values fixed at once, a circle. `scope` tells the line."""

    def __init__(self, message: str, scope: Scope) -> None:
        super().__init__(message)
        self.scope = scope


def is_dice(value: object) -> bool:
    return isinstance(value, tuple) and all(isinstance(one, tuple) for one in value)


def as_group(value: Value) -> tuple[Any, ...]:
    return value if isinstance(value, tuple) else () if value is None else (value,)


def card_number(card: str) -> int:
    return int(card) if card.removeprefix("-").isdecimal() else 0


def card_value(card: str) -> Value:
    """What a card is to the rules: a number, or the thing or text of its name."""
    return int(card) if card.removeprefix("-").isdecimal() else card


def told(value: Value) -> Value:
    """A value that somebody looks at."""
    if isinstance(value, OnlyMean):
        raise Untold
    return value


def without_value(left: Value, op: str, right: Value) -> bool:
    """A comparison with a number of which no more than the mean is known: it can be told where all that the number may be is more than the other one."""
    if isinstance(right, OnlyMean) and op in TURNED:
        left, op, right = right, TURNED[op], left
    if not isinstance(left, OnlyMean) or not isinstance(right, int) or op not in TURNED or left.above is None:
        raise Untold
    if left.above < (right - 1 if op in ("at least", "below") else right):
        raise Untold
    return op in ("above", "at least")


def holder(who: Value) -> str:
    """Whose a hung value is."""
    return NOBODYS if who is None else str(who)
