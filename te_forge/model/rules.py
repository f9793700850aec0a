"""What rules say, as typed nodes: types, numbers, conditions, events and sentences.

These are closed sets. `te_forge.check` builds them, the engine gives them meaning, nothing else interprets them. Ids are entry ids
(`pack:kind/slug`), `id#label` for what lies inside an entry; small words (`roller`, `total`) are plain strings.
"""

from __future__ import annotations

from typing import Literal

from te_forge.model.frozen import frozen
from te_forge.suggest import a

# ---------------------------------------------------------------- types


@frozen
class Type:
    """What a value can be. `name` is one of NUMBER ... OUTCOME; `kind` narrows actors and entries; `words` are the allowed choices."""

    name: Literal["number", "dice", "text", "actor", "entry", "group", "choice", "outcome", "change", "unknown"]
    kind: str = ""
    words: tuple[str, ...] = ()

    def __str__(self) -> str:
        match self.name:
            case "actor" | "entry":
                return a(self.kind or self.name)
            case "group":
                return f"a group of {self.kind or 'entries'}"
            case "choice":
                return "one of " + " or ".join(self.words)
            case "outcome":
                return "an outcome"
            case "number" | "change":
                return a(self.name)
            case _:
                return self.name


NUMBER = Type("number")
DICE = Type("dice")
TEXT = Type("text")
CHANGE = Type("change")
UNKNOWN = Type("unknown")

# ---------------------------------------------------------------- numbers and things


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
    """Dice of `dice` that show one of `faces` (or at least / at most the first of them)."""

    compare: Literal["one of", "at least", "at most"]
    faces: tuple[Expr, ...]
    dice: Expr


@frozen
class Filter:
    """Narrows a group. `whose`: `key compare value` (value None with compare `highest`/`lowest`); `with`/`without`: a trait; `except`: things."""

    how: Literal["whose", "with", "without", "except"]
    key: Expr | None = None
    negated: bool = False
    compare: str = "is"
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
    """`Ann and Ben as the initiators`: those who are named, as one group."""

    members: tuple[Expr, ...]


Group = Members | Showing
Expr = Int | Thing | Local | Hung | Stat | Bound | Stored | Arithmetic | Divide | Extreme | Among | Number | Together

# ---------------------------------------------------------------- conditions


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

# ---------------------------------------------------------------- values of fields


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
    """In a patch: `1 more`, `2 times as much`, `at least 1`."""

    op: Literal["more", "less", "times", "at least", "at most"]
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


Atom = (
    Int | Thing | Stat | Bound | Stored | Local | Hung | Arithmetic | Divide | Extreme | Among | Number | DiceSpec | Range | Bonus | Price
    | Limit | Each | Text | Nothing | Edit | Change | Holds | Sheet | Together
)  # fmt: skip
Value = tuple[Atom, ...]

# ---------------------------------------------------------------- events


@frozen
class Party:
    """Who an event is about: `by a character`, `with the owner as the target`. `kind` when it is `a kind` (then it becomes `the kind`)."""

    role: str
    who: Expr | None = None
    kind: str = ""
    other: bool = False


@frozen
class Event:
    """`what` is `procedure`, `step`, `roll`, `gain`, `loss` or `level`; `id` the procedure, step (`id#step`) or stat."""

    what: Literal["procedure", "step", "roll", "gain", "loss", "level"]
    id: str = ""
    level: Expr | None = None
    multiple: bool = False
    inside: tuple[str, ...] = ()
    ending: str = ""
    parties: tuple[Party, ...] = ()


# ---------------------------------------------------------------- sentences

Body = tuple["Sentence", ...]


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
    times: Expr
    body: Body


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
    """`WHO rolls E d6 [and ..] [as the roll]`, or a table or dice value held by `source`."""

    who: Expr
    dice: tuple[DiceSpec, ...]
    source: Expr | None
    word: str


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
    outcome: str


@frozen
class GoBack:
    step: str


@frozen
class Say:
    who: Expr
    text: str


@frozen
class Expect:
    """In an example: what must be true here."""

    condition: Condition


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
