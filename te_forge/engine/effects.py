"""What the evaluator asks for. Every chance and every choice of a game is one of these, and a driver answers it with a plain value."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import combinations_with_replacement
from typing import Any, Protocol

from te_forge.engine.state import Dice, Die, Lot, State, bag
from te_forge.frozen import frozen


@frozen
class Roll:
    """Dice fall. The answer is a bag of the faces. `dice` are (count, sides, exploding faces). Where they go to a slot of a frame, `word` is its
    word, and the answer may be `Fallen`.
    """

    who: str
    dice: tuple[tuple[int, int, tuple[int, ...]], ...]
    why: str = ""
    word: str = ""


@frozen
class Fallen:
    """An answer to a `Roll` that is kept: dice that nothing has looked at, each bag with the number of ways to it."""

    law: tuple[tuple[Dice, int], ...]


@frozen
class Look:
    """Somebody asks what a value is that hangs on a lot; `values` are what it is in each case. The answer is a pair: the value, and the lot, of which
    only those cases are left that have it.
    """

    lot: Lot
    values: tuple[Any, ...]


@frozen
class Draw:
    """`count` of the `cards` that a deck has left, each as likely as the others. The answer is a tuple of them, in the order of `cards`."""

    who: str
    deck: str
    cards: tuple[str, ...]
    count: int = 1
    why: str = ""


@frozen
class Choose:
    """One of `options`. The answer is one of them. `word` is what the choice is called in the rules, `labels` how the options read."""

    who: str
    word: str
    options: tuple[Any, ...]
    labels: tuple[str, ...] = ()
    why: str = ""


@frozen
class Offer:
    """May be taken or left. The answer is True or False. `names` are what the offer is called: its label, and what it belongs to."""

    who: str
    names: tuple[str, ...]
    price: str = ""
    fact: str = ""
    why: str = ""


@frozen
class Keep:
    """`least` to `most` dice of a bag. The answer is a bag of some of them. `verb` says what for."""

    who: str
    verb: str
    dice: Dice
    least: int
    most: int
    why: str = ""


@frozen
class Number:
    """A whole number from `low` to `high`. The answer is that number."""

    who: str
    word: str
    low: int
    high: int
    why: str = ""


@frozen
class Share:
    """A number of points over places. The answer is a tuple of how many go where; each at most `most`, together `total` (or up to it).

    `keys` tell which number each place is: the id, and `value` or the bound that is raised (nothing for a value of the procedure).
    """

    who: str
    total: int
    exactly: bool
    places: tuple[str, ...]
    most: tuple[int, ...]
    why: str = ""
    keys: tuple[tuple[str, str], ...] = ()


@frozen
class Several:
    """Any of `options`, none included. The answer is a tuple of them in their order."""

    who: str
    word: str
    options: tuple[str, ...]
    why: str = ""


@frozen
class Note:
    """Something happened; there is nothing to answer. `what` is one of the kinds listed in meaning.md section 12, `data` plain values."""

    what: str
    data: tuple[Any, ...] = ()


@frozen
class Chain:
    """Parts that run one after the other. Each takes a state and gives the next one with what it came to; between two parts only the state matters,
    so that a driver that follows many states at once may merge equal ones. The answer is the last state with what stopped the chain (or None).
    `by` is the sentence that it belongs to, where there is one.
    """

    state: State
    parts: tuple[Part, ...]
    by: Any = None


@frozen
class Loop:
    """Rounds that are done until one says that it was the last. A round takes a state and gives the next one with what it came to: `AGAIN` or `OVER`
    with the words of its own that the next round (`Round.again`), or whatever follows, begins with; or what stopped the rounds. Between two rounds
    only the state and these words matter. The answer is the last state with what came last.
    """

    state: State
    part: Round
    by: Any = None

    def followed(self, perform: Perform, each: Callable[[State], object] = lambda state: None) -> tuple[State, Any]:
        """The answer of a driver that follows one game; `each` hears of the state behind each round."""
        state, part = self.state, self.part
        while True:
            state, stopped = part(perform, state)
            each(state)
            if stopped[0] != AGAIN:
                return state, stopped
            part = part.again(stopped[1])


AGAIN, OVER = "again", "over"


class Round(Protocol):
    def __call__(self, perform: Perform, state: State) -> tuple[State, Any]: ...

    def again(self, words: Any) -> Round:
        """The round after this one."""


class Halted(Exception):
    """A driver raises this to stop a run where it stands; `state` is what the run had come to."""

    def __init__(self) -> None:
        super().__init__()
        self.state: State | None = None


Part = Callable[["Perform", State], tuple[State, Any]]
Decision = Choose | Offer | Keep | Number | Share | Several
Answerable = Roll | Look | Draw | Decision | Chain | Loop
Effect = Answerable | Note
Perform = Callable[[Effect], Any]


def answers(effect: Decision) -> Iterator[Any]:
    """Every answer that a decision allows, each once."""
    match effect:
        case Choose():
            yield from dict.fromkeys(effect.options)
        case Offer():
            yield from (False, True)
        case Number():
            yield from range(effect.low, effect.high + 1)
        case Keep():
            for count in range(effect.least, effect.most + 1):
                yield from some(effect.dice, count)
        case Share():
            yield from shares(effect.total, effect.exactly, effect.most)
        case Several():
            for mask in range(1 << len(effect.options)):
                yield tuple(option for at, option in enumerate(effect.options) if mask >> at & 1)


def some(dice: Dice, count: int) -> Iterator[Dice]:
    """The different bags of `count` dice out of `dice`."""
    kinds = sorted(set(dice), reverse=True)
    have = [dice.count(kind) for kind in kinds]

    def build(at: int, left: int, taken: tuple[Die, ...]) -> Iterator[Dice]:
        if left == 0:
            yield bag(taken)
        elif at < len(kinds):
            for number in range(min(have[at], left), max(0, left - sum(have[at + 1 :])) - 1, -1):
                yield from build(at + 1, left - number, taken + (kinds[at],) * number)

    yield from build(0, count, ())


def shares(total: int, exactly: bool, most: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    if not most:
        if total == 0 or not exactly:
            yield ()
        return
    for number in range(max(0, total - sum(most[1:])) if exactly else 0, min(most[0], total) + 1):
        for rest in shares(total - number, exactly, most[1:]):
            yield (number, *rest)


def allowed(effect: Decision, answer: Any) -> bool:
    """Whether `answer` is one of the answers of `effect`."""
    match effect:
        case Choose():
            return answer in effect.options
        case Offer():
            return isinstance(answer, bool)
        case Number():
            return isinstance(answer, int) and not isinstance(answer, bool) and effect.low <= answer <= effect.high
        case Keep():
            whole = isinstance(answer, tuple) and effect.least <= len(answer) <= effect.most
            return whole and all(answer.count(die) <= effect.dice.count(die) for die in answer)
        case Share():
            whole = isinstance(answer, tuple) and len(answer) == len(effect.places) and all(isinstance(one, int) for one in answer)
            if not whole or any(not 0 <= one <= most for one, most in zip(answer, effect.most, strict=True)):
                return False
            given: int = sum(answer)
            return given == effect.total if effect.exactly else given <= effect.total
        case Several():
            return isinstance(answer, tuple) and answer == tuple(option for option in effect.options if option in answer)


def faces(count: int, sides: int) -> Iterator[tuple[tuple[int, ...], int]]:
    """Every bag of faces of `count` dice with the number of ways to roll it: a closed law, not a walk over sequences."""
    factorial = [1]
    for number in range(1, count + 1):
        factorial.append(factorial[-1] * number)
    for found in combinations_with_replacement(range(sides, 0, -1), count):
        ways = factorial[count]
        for face in set(found):
            ways //= factorial[found.count(face)]
        yield found, ways
