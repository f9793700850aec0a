"""What those who follow a procedure through all its possibilities at once do alike: exact odds (`odds`) and best play (`best`).

Both run a piece of a chain from one state by the answers to whatever has been open in it so far, once for each row of answers (`once`). Both run a piece
once for all states that differ only in what it does not touch (`piece`), and know in which state what follows begins (`goes_on`). What they find is not
the same. Odds know each weight before they go on, so they push a distribution through a chain, and keep of a state nothing but its weight. Who decides
for a goal has to know first what every choice comes to, so all that can happen is kept as a graph, and solved from its ends; to follow a policy in that
way would take the memory of the graph for nothing.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterable
from fractions import Fraction
from typing import Any, Generic, TypeVar

from te_forge.engine.ahead import Ahead, key_of
from te_forge.engine.aside import Apart
from te_forge.engine.effects import Answerable, Chain, Choose, Decision, Draw, Fallen, Keep, Look, Loop, Note, Number, Offer, Roll, Several, Share
from te_forge.engine.evaluate import ChainPart, Evaluator, LoopPart, RoundPart, StepPart
from te_forge.engine.index import Rules
from te_forge.engine.laws import EXPLOSIONS, fallen, law, looked, size, summed, sums, ways
from te_forge.engine.live import FOUND, liveness_of
from te_forge.engine.loops import Loops
from te_forge.engine.lots import parted
from te_forge.engine.policies import Policy
from te_forge.engine.state import Lot, Out, State, Value
from te_forge.frozen import frozen, replace
from te_forge.model import rules as m

MOST_BRANCHES = 300_000
MOST_AT_SIGHT = 1
"""A roll with more different results is not parted before something is asked about it (see `state.Lot`)."""
MANY_CASES = 50
"""Of a lot with more cases it pays to see which of them can still be told apart."""
MOST_BAGS = 1_000
"""Of a roll with more different results it pays to see whether rules ask anything but its sum."""
MOST_PIECES = 1_000_000
"""How many pieces are run, each for all states that are equal to it."""
DEEP = 12
"""Procedures inside one another. Where there are more, a piece counts for more: to tell what is still to come takes the longer, and the more memory."""
MOST_ANSWERS = 200
"""How often one run of a piece may ask: a `go back to` that the same answers lead to again and again would have no end."""
DICE = f"Dice that explode are followed for {EXPLOSIONS} further dice in a roll."
CHAINS = "A chain of events grows longer there than its Bound."
Stopped = tuple[str, Any] | None
Ending = tuple[State, Stopped]


class TooMany(Exception):
    """More possibilities than are followed. The message is a sentence for people."""


class NoAnswer(Exception):
    """A run has come to something open that has no answer: whatever it comes to is not followed."""


class Beyond(Exception):
    """A chain of events went on for longer than its `Bound`: what would follow is not known, and its weight is missing."""


Found = TypeVar("Found")
"""What a piece comes to."""
Open = TypeVar("Open")
"""The answers to something open."""


@frozen
class Course:
    """A chain that is followed: its pieces, what is to come while each of them runs and behind them, and how many frames there are around it."""

    parts: tuple[ChainPart, ...]
    to_come: tuple[Ahead, ...]
    depth: int


class Following(Generic[Found, Open]):
    """Follows one procedure through all its possibilities."""

    def __init__(self, rules: Rules, policy: Policy, liveness: bool = True, asked: frozenset[str] = frozenset()) -> None:
        self.rules, self.policy = rules, policy
        self.live = liveness_of(rules, liveness, getattr(policy, "looks_at", frozenset()), asked)
        self.seen: dict[Any, Found] = {}
        """What pieces come to, by the piece, what is ahead, and the state without what they do not touch."""
        self.branches = self.pieces = 0
        self.cut: set[str] = set()
        """Why something is not followed: DICE, CHAINS, COUNTS and LOOPS."""
        self.loops = Loops(self.live, self.cut)

    def begin_anew(self) -> None:
        """For the next question, which is about the same game: what is known serves it, and it may take as much again."""
        self.branches = self.pieces = 0

    @abstractmethod
    def outcomes(self, part: ChainPart, state: State, ahead: Ahead) -> Found:
        """Everything that a piece can come to, from one state."""

    @abstractmethod
    def states_of(self, found: Found) -> Iterable[State]:
        """The states in it."""

    @abstractmethod
    def mixed(self, found: Iterable[tuple[Fraction, Found]]) -> Found:
        """All of these, each with its share."""

    @abstractmethod
    def answers(self, effect: Answerable, evaluator: Evaluator, ahead: Ahead) -> Open:
        """What may come of something open."""

    def decides(self, effect: Decision, evaluator: Evaluator, ahead: Ahead) -> bool:
        """Whether somebody decides who plays for a goal; everybody else follows the policy."""
        return False

    @abstractmethod
    def rounds(self, loop: Loop, key: Any, to_come: tuple[Ahead, ...]) -> Found:
        """What rounds without a bound come to, in which nothing is open when they begin."""

    # ------------------------------------------------------------ one piece

    def once(self, part: ChainPart, state: State, given: tuple[Any, ...], ahead: Ahead, first: Callable[[Open], Any]) -> Ending:
        """One run, by the answers that it has been given, in the order in which it asks. `first` says how it goes on where these end."""
        self.bounded(part, given, len(state.frames))
        left = list(reversed(given))

        def perform(effect: Any) -> Any:
            match effect:
                case Note():
                    if effect.what == "bound":
                        raise Beyond
                    return None
                case Roll() if (dice := self.unseen(effect, ahead)) is not None:
                    return dice
                case Choose() | Offer() | Keep() | Number() | Share() | Several() if not self.decides(effect, evaluator, ahead):
                    return self.policy(effect, evaluator)
                case _:
                    return left.pop() if left else first(self.answers(effect, evaluator, ahead))

        evaluator = part.alone(perform, state)
        stopped = part.run(evaluator)
        return evaluator.state, stopped

    def chance(self, effect: Roll | Draw | Look, state: State) -> list[tuple[Any, Fraction]]:
        return looked(effect) if isinstance(effect, Look) else self.weighed(effect, state)

    def bounded(self, part: ChainPart, given: tuple[Any, ...], depth: int) -> None:
        if len(given) > MOST_ANSWERS:
            step = next((stopped[1] for _, stopped in filter(is_ending, reversed(given)) if stopped is not None and stopped[0] == "back"), "")
            raise self.in_circles(part, step)
        self.pieces += 1 + (depth // DEEP) ** 2
        if self.pieces > MOST_PIECES:
            raise TooMany(
                f"this is more than {MOST_PIECES:,} steps and rounds, which is as many as are followed; it came as far as here{place(self.rules, part)}"
            )

    def in_circles(self, part: ChainPart, step: str = "") -> TooMany:
        why = "perhaps the same answer leads back to it again and again, so give another one or take another policy"
        return TooMany(f"this comes back to the same place more than {MOST_ANSWERS} times{at(self.rules, step) or place(self.rules, part)}; {why}")

    def weighed(self, effect: Roll | Draw, state: State) -> list[tuple[Any, Fraction]]:
        many = size(effect)
        if self.branches + many > MOST_BRANCHES:
            raise TooMany(too_many(effect, many))
        if isinstance(effect, Draw) and isinstance(state.decks.get(effect.deck), Out):
            return ways(effect)
        if isinstance(effect, Roll) and any(exploding for _, _, exploding in effect.dice):
            self.cut.add(DICE)
        return law(effect)

    def unseen(self, effect: Roll, ahead: Ahead) -> Fallen | None:
        """These dice, where they are looked at no closer than the rules do: so many that there is something to see. Dice that explode have no end."""
        if not effect.word or any(exploding for _, _, exploding in effect.dice):
            return None
        many = size(effect)
        if many > MOST_BAGS and self.only_summed(effect.word, ahead) and sums(effect) <= MOST_BRANCHES:
            return summed(effect)
        return fallen(effect) if MOST_AT_SIGHT < many <= MOST_BRANCHES else None

    def only_summed(self, word: str, ahead: Ahead) -> bool:
        """Whether nobody asks anything but the sum of the dice that this word means."""
        return self.live.on and word not in ahead.watched | self.live.looks_at and word in self.live.words.only_summed

    def count(self, more: int) -> None:
        self.branches += more
        if self.branches > MOST_BRANCHES:
            raise TooMany(
                f"this has more than {MOST_BRANCHES:,} possibilities, which is as many as are followed; take fewer dice, or fix more of the choices"
            )

    # ------------------------------------------------------------ a chain of pieces

    def course(self, chain: Chain, ahead: Ahead) -> Course:
        parts: tuple[ChainPart, ...] = chain.parts  # type: ignore[assignment]
        return Course(parts, ahead.past(chain.by).along(parts), len(chain.state.frames))

    def piece(self, part: ChainPart, state: State, ahead: Ahead, repeated: bool) -> tuple[Apart, Found]:
        """What a piece comes to, run once for all states that differ only in what it does not touch; and what that is in this one."""
        apart, found = self.once_for_all(part, state, ahead, repeated)
        if not self.live.fits(apart, self.states_of(found)):
            apart, found = self.once_for_all(part, state, ahead, False)
        return apart, found

    def once_for_all(self, part: ChainPart, state: State, ahead: Ahead, decks: bool) -> tuple[Apart, Found]:
        near, apart = self.live.split(part, state, decks)
        key = (part_key(part), ahead.key, near)
        found = self.seen.get(key)
        if found is None:
            found = self.seen[key] = self.outcomes(part, near, ahead)
        return apart, found

    def goes_on(self, course: Course, number: int, end: Ending, apart: Apart, merging: bool = True) -> tuple[Fraction, int, Ending]:
        """What an end of piece `number` leads to: how likely it is (see `Liveness.joined`), the piece that is next, and where that begins. Behind the
        last piece that is an end of the chain. Where nothing could become equal by it (not `merging`), nothing is dropped.
        """
        state, stopped = end
        whole, likely = self.live.joined(state, apart)
        next_ = number + 1
        if stopped is not None and (back := course.parts[0].back(whole, stopped)) is not None:
            (next_, whole), stopped = back, None
        elif stopped is not None:
            next_, whole = len(course.parts), whole.popped(course.depth)
        return likely, next_, (self.live.pruned(whole, course.to_come[next_]) if merging or crowded(whole) else whole, stopped)

    def loop(self, loop: Loop, ahead: Ahead) -> Found:
        """Rounds without a bound. A counter begins with a number, so whatever is open when they begin is looked at."""
        part: LoopPart = loop.part  # type: ignore[assignment]
        around = ahead.past(loop.by)
        to_come = around.along((part, part))
        if loop.state.lots:
            starts = parted(self.live.pruned(loop.state, to_come[0]))
            return self.mixed((share, self.loop(replace(loop, state=one), ahead)) for share, one in starts)
        return self.rounds(loop, (part_key(part), around.key), to_come)


def part_key(part: ChainPart) -> tuple[Any, ...]:
    """Pieces of equal keys do the same in equal states."""
    return key_of(part), part.inside


def crowded(state: State) -> bool:
    """Whether it pays to drop what nobody will read only to have fewer cases to count through: of the dice of a roll no more than their sum may be
    left.
    """
    return any(isinstance(lot, Lot) and len(lot.ways) > MANY_CASES for lot in state.lots)


def is_repeated(parts: tuple[ChainPart, ...]) -> bool:
    """Whether these are the rounds of one `repeat`. There many decks come to the same piece, so it pays to run it once for all of them; elsewhere it
    would only keep ends apart.
    """
    return len(parts) > 1 and parts[0] is parts[1]


def place(rules: Rules, part: ChainPart) -> str:
    """Where a piece stands."""
    if isinstance(part, StepPart):
        return at(rules, part.entry.steps[part.number].id)
    return at(rules, f"{part.scope.entry}#{part.scope.line}") if isinstance(part, RoundPart) else ""


def at(rules: Rules, id: str) -> str:
    """`, in the step Throw of Test (rules/01.te:12:1)`."""
    entry, _, line = id.partition("#")
    span = rules.place(entry, line)
    return f"{rules.where(entry, line)} ({span})" if span is not None else ""


def is_ending(answer: Any) -> bool:
    """Whether an answer is that of a chain: a state, and what stopped it."""
    return isinstance(answer, tuple) and len(answer) == 2 and isinstance(answer[0], State)


def begun(procedure: str, roles: dict[str, Value]) -> m.Do:
    return m.Do(procedure, tuple((role, as_expr(value)) for role, value in roles.items()), FOUND)


def as_expr(value: Value) -> m.Expr:
    if isinstance(value, tuple):
        return m.Together(tuple(as_expr(one) for one in value))
    return m.Int(value) if isinstance(value, int) else m.Thing(str(value))


def too_many(effect: Roll | Draw, many: int) -> str:
    dice = sum(count for count, _, _ in effect.dice) if isinstance(effect, Roll) else 0
    return (
        f"a roll of {dice:,} dice has {shown(many)} different results, and no more than {MOST_BRANCHES:,} possibilities are followed in all; take fewer dice"
        if dice
        else f"this has more than {MOST_BRANCHES:,} possibilities"
    )


def shown(many: int) -> str:
    return f"{many:,}" if many < 10**12 else f"about 10^{len(str(many)) - 1}"
