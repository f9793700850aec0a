"""What has a value: numbers, things, and the groups that they are counted in."""

from __future__ import annotations

from typing import Literal

from te_forge.frozen import frozen


@frozen
class Int:
    value: int


@frozen
class Thing:
    """An entry, outcome, option or actor by its id."""

    id: str


@frozen
class Local:
    """`the x`: a role or local of the running procedure."""

    word: str


@frozen
class Hung:
    """`the roller's total`: a value hung on somebody by the running procedure."""

    of: Expr
    word: str


@frozen
class Stat:
    """A number of somebody (`the roller's Might`), or of whatever `stat` holds (`the roller's skill`)."""

    of: Expr
    stat: Expr


@frozen
class Bound:
    """`Might's start | least | most | gain | loss`."""

    of: Expr
    which: Literal["start", "least", "most", "gain", "loss"]


@frozen
class Stored:
    """A declared field of an entry or actor (`the class's Wounds`, `the actor's Zone`)."""

    of: Expr
    label: str


@frozen
class Arithmetic:
    op: Literal["+", "-", "x"]
    left: Expr
    right: Expr


@frozen
class Divide:
    left: Expr
    right: Expr
    up: bool


@frozen
class Extreme:
    """`greater | lesser of A and B`."""

    op: Literal["greater", "lesser"]
    left: Expr
    right: Expr


@frozen
class Among:
    """`sum | highest | lowest [what] of group`: over members, cards or dice."""

    op: Literal["sum", "highest", "lowest"]
    what: Expr | None
    group: Group


@frozen
class Number:
    """`number of group`."""

    group: Group


@frozen
class Showing:
    """Dice of `dice` that show one of `faces` (or above, below, at least, at most the first of them)."""

    compare: Literal["one of", "above", "below", "at least", "at most"]
    faces: tuple[Expr, ...]
    dice: Expr


@frozen
class Filter:
    """Narrows a group. `whose`: `key compare value` (value None with compare `highest`/`lowest`); `with`/`without`: a trait; `except`: things, and
    what words hold (`value`).
    """

    how: Literal["whose", "with", "without", "except"]
    key: Expr | None = None
    negated: bool = False
    compare: Literal["is", "above", "below", "at least", "at most", "highest", "lowest"] = "is"
    value: Expr | None = None
    things: tuple[str, ...] = ()


@frozen
class Members:
    """Everybody or everything of a kind, or the members of a group, that pass every filter."""

    of: Expr | None
    kind: str
    other: bool = False
    where: tuple[Filter, ...] = ()


@frozen
class Together:
    """`Ann and Ben as the initiators`: those who are named, as one group; of a word that holds several, each of them."""

    members: tuple[Expr, ...]


Group = Members | Showing
Expr = Int | Thing | Local | Hung | Stat | Bound | Stored | Arithmetic | Divide | Extreme | Among | Number | Members | Together
