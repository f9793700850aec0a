"""What happens: openers with their bodies, and sentences."""

from __future__ import annotations

from typing import Literal

from te_forge.frozen import frozen
from te_forge.model.rules.conditions import Condition
from te_forge.model.rules.events import Event
from te_forge.model.rules.numbers import Expr, Group, Members
from te_forge.model.rules.values import DiceSpec, Limit, Range


@frozen
class On:
    """`before | after | instead of EVENT:`."""

    when: Literal["before", "after", "instead"]
    event: Event
    body: Body


@frozen
class While:
    condition: Condition
    body: Body


@frozen
class If:
    """One branch of an `if` chain; `condition` None is `otherwise`. `chained` when it belongs to the `if` directly before it."""

    condition: Condition | None
    body: Body
    chained: bool = False


@frozen
class Until:
    """`until Contest ends:`; `label` likewise names what ends."""

    span: str
    body: Body


@frozen
class InNext:
    span: str
    of: Expr
    body: Body


@frozen
class Limited:
    limit: Limit
    body: Body


@frozen
class ForEach:
    members: Members
    word: str
    order: Expr | None
    body: Body


@frozen
class Repeat:
    """`repeat up to N times:` or `repeat until C:`. One of `times` and `until` is None; `until` is asked after each round."""

    times: Expr | None
    body: Body
    until: Condition | None = None


@frozen
class May:
    """`WHO may [pay AMOUNT] [agree "a fact"]:`. `pays` is None, an amount, or "cost" for the entry's own Cost."""

    who: Expr
    pays: Amount | Literal["cost"] | None
    agree: str
    body: Body


@frozen
class Option:
    label: str
    body: Body


@frozen
class ChooseOne:
    """`WHO chooses one | any [as the x]:` with labelled options."""

    who: Expr
    any: bool
    optional: bool
    word: str
    options: tuple[Option, ...]


@frozen
class Amount:
    """How much of which pool. `how`: `fixed`, `all`, `any` (then `most` bounds it and `word` names it)."""

    stat: Expr
    how: Literal["fixed", "all", "any"]
    number: Expr | None = None
    each: Group | None = None
    most: Expr | None = None
    word: str = ""


@frozen
class Transfer:
    """`WHO gains | loses | pays AMOUNT`."""

    who: Expr
    verb: Literal["gains", "loses", "pays"]
    amount: Amount


@frozen
class Give:
    """`X is E` (base), `X becomes E` (step forward), `X will be E` (postponed until totals settle)."""

    target: Expr
    how: Literal["is", "becomes", "will be"]
    value: Expr


@frozen
class Contribute:
    """`X is E more | less`, `E times as much`, `at least | at most E [in all]`."""

    target: Expr
    how: Literal["more", "less", "times", "at least", "at most"]
    amount: Expr
    in_all: bool = False


@frozen
class Lock:
    target: Expr
    direction: Literal["lowered", "raised"]


@frozen
class Forbid:
    """`WHO cannot do | use | pay | gain | lose | take X | any kind [filter]`."""

    who: Expr
    what: str
    thing: str
    any: Members | None = None


@frozen
class Roll:
    """`WHO rolls E d6 [and ..] [as the roll]`, or a table or dice value held by `source`.

    An expression among the dice is a dice value, such as a field that holds dice. `at`: nothing is rolled, and the row of this number happens.
    """

    who: Expr
    dice: tuple[DiceSpec | Expr, ...]
    source: Expr | None
    word: str
    at: Expr | None = None


@frozen
class Pick:
    """`WHO keeps | rerolls | draws E | up to E | all | the highest E of the roll`."""

    who: Expr
    verb: Literal["keeps", "rerolls", "draws"]
    how: Literal["exactly", "up to", "all", "highest", "lowest"]
    count: Expr | None
    source: Expr
    word: str


@frozen
class Choose:
    """`WHO chooses a kind [filter]`, or a number from E to E."""

    who: Expr
    members: Members | Range
    word: str


@frozen
class DivideUp:
    """`WHO divides exactly | up to E among skills`."""

    who: Expr
    exactly: bool
    amount: Expr
    kind: str
    places: tuple[Expr, ...]


@frozen
class Carry:
    """`WHO takes | drops` a trait."""

    who: Expr
    takes: bool
    trait: Expr


@frozen
class Do:
    procedure: str
    roles: tuple[tuple[str, Expr], ...]
    word: str


@frozen
class EndWith:
    """`end with Outcome`; or, of a `result`, with the outcome that is called as its own: then `outcome` is only the procedure."""

    outcome: str
    result: Expr | None = None


@frozen
class GoBack:
    step: str


@frozen
class Say:
    who: Expr
    text: str


@frozen
class Share:
    """`29 percent`, rounded, or `139 of 600`, exactly."""

    number: int
    of: int
    rounded: bool


@frozen
class Expect:
    """In an example: what must be true here; or, with a share, in how many of all cases."""

    condition: Condition
    share: Share | None = None


@frozen
class Script:
    """In an example: the dice that somebody `shows`, the options that somebody `picks`."""

    who: Expr
    verb: Literal["shows", "picks"]
    what: tuple[Expr | str, ...]


Sentence = (
    On | While | If | Until | InNext | Limited | ForEach | Repeat | May | ChooseOne | Transfer | Give | Contribute | Lock | Forbid | Roll
    | Pick | Choose | DivideUp | Carry | Do | EndWith | GoBack | Say | Expect | Script
)  # fmt: skip
Body = tuple[Sentence, ...]
