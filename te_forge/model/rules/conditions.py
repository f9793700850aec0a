"""What is true or not."""

from __future__ import annotations

from typing import Literal

from te_forge.frozen import frozen
from te_forge.model.rules.numbers import Expr


@frozen
class Compare:
    left: Expr
    op: Literal["is", "above", "below", "at least", "at most", "a multiple of"]
    right: Expr
    negated: bool = False


@frozen
class Has:
    """Carries the trait, or contains the member."""

    who: Expr
    what: Expr
    negated: bool = False


@frozen
class IsA:
    who: Expr
    kind: str
    negated: bool = False


@frozen
class Offered:
    what: str
    negated: bool = False


@frozen
class Every:
    tests: tuple[Condition, ...]


@frozen
class Some:
    tests: tuple[Condition, ...]


Condition = Compare | Has | IsA | Offered | Every | Some
