"""What a field or a cell holds."""

from __future__ import annotations

from typing import Literal

from te_forge.frozen import frozen
from te_forge.model.rules.numbers import (
    Among,
    Arithmetic,
    Bound,
    Divide,
    Expr,
    Extreme,
    Hung,
    Int,
    Local,
    Members,
    Number,
    Stat,
    Stored,
    Thing,
    Together,
)
from te_forge.model.rules.types import Type


@frozen
class DiceSpec:
    """`2 d6 exploding on 6`."""

    count: Expr
    sides: int
    exploding: tuple[Expr, ...] = ()


@frozen
class Range:
    low: Expr
    high: Expr


@frozen
class Bonus:
    """`Might +1`."""

    stat: str
    amount: int


@frozen
class Price:
    """`1 Luck`."""

    amount: int
    pool: str


@frozen
class Limit:
    """`once per Session`."""

    times: int
    span: str


@frozen
class Each:
    """`each Scene`."""

    span: str


@frozen
class Text:
    text: str


@frozen
class Nothing:
    pass


@frozen
class Edit:
    """In a patch: `with X`, `without Y`."""

    add: bool
    thing: str


@frozen
class Change:
    """In a patch: `1 more`, `2 times as much`, `at least 1`; `up` and `down` are so many percent, rounded so."""

    op: Literal["more", "less", "times", "up", "down", "at least", "at most"]
    amount: int


@frozen
class Holds:
    """`a character as the roller`, `a group of features`, `one of Big or Small`."""

    type: Type
    word: str = ""


@frozen
class Sheet:
    """`a Smith with Might 3 and Sly`: somebody set up for an example."""

    kind: str
    stats: tuple[tuple[str, int | None], ...] = ()


@frozen
class Based:
    """`Ogre as printed`: what something is a copy of; as it is `printed`, whatever hacks are on, or as it is played."""

    thing: str
    printed: bool


Atom = (
    Int | Thing | Stat | Bound | Stored | Local | Hung | Arithmetic | Divide | Extreme | Among | Number | Members | DiceSpec | Range | Bonus | Price
    | Limit | Each | Text | Nothing | Edit | Change | Holds | Sheet | Together | Based
)  # fmt: skip
Value = tuple[Atom, ...]
