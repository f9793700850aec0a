"""Exact odds: every state that a game can come to, with its exact weight, followed all at once.

At a roll a run of a piece goes on with the first result of the dice; every other result gets a run of its own, from the start of the piece, in which
whatever was open before is answered as it was in this one (`outcomes`). A chain inside a piece is solved first, by pushing a whole distribution of
states from one of its pieces to the next, where equal states become one (`push`); to the piece around it the chain is then like a roll with known
weights. Values that nobody will read any more are dropped on the way, so that more states are equal; and a piece is run once for all states that
differ only in what it does not touch (`live`). All weights are whole numbers and fractions.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import Any, TypeVar

from te_forge.engine.ahead import Ahead, key_of
from te_forge.engine.aside import Apart
from te_forge.engine.effects import Chain, Draw, Fallen, Look, Loop, Note, Roll
from te_forge.engine.evaluate import ChainPart, LoopPart, RoundPart, StepPart
from te_forge.engine.index import Rules
from te_forge.engine.laws import EXPLOSIONS, fallen, law, looked, size, summed, sums, ways
from te_forge.engine.live import FOUND, liveness_of
from te_forge.engine.loops import COUNTS, Loops
from te_forge.engine.lots import ONE, parted
from te_forge.engine.policies import Policy
from te_forge.engine.state import Lot, Out, Scope, State, Untold, Value
from te_forge.frozen import mutable, replace
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
MOST_ANSWERS = 200
"""How often one run of a piece may ask: a `go back to` that the same answers lead to again and again would have no end."""
DICE = f"Dice that explode are followed for {EXPLOSIONS} further dice in a roll."
CHAINS = "A chain of events grows longer there than its Bound."
Stopped = tuple[str, Any] | None
Ending = tuple[State, Stopped]
Spread = dict[Ending, Fraction]
K = TypeVar("K")


class TooMany(Exception):
    """More possibilities than are followed. The message is a sentence for people."""


class NoAnswer(Exception):
    """A run has come to something open that has no answer: whatever it comes to is not followed."""


class Beyond(Exception):
    """A chain of events went on for longer than its `Bound`: what would follow is not known, and its weight is missing."""


@mutable
class Run:
    """A run of a piece, by the answers that it has been given so far, in the order in which they were asked for, and how likely they are."""

    given: tuple[Any, ...] = ()
    weight: Fraction = ONE


class Odds:
    """Follows one procedure through all its possibilities."""

    def __init__(self, rules: Rules, policy: Policy, liveness: bool = True, asked: frozenset[str] = frozenset()) -> None:
        self.rules, self.policy = rules, policy
        self.live = liveness_of(rules, liveness, getattr(policy, "looks_at", frozenset()), asked)
        self.seen: dict[Any, Spread] = {}
        """What pieces come to, by the piece, what is ahead, and the state without what they do not touch."""
        self.come_to: set[Any] = set()
        """The pieces that some state has come to, with what was ahead."""
        self.branches = self.pieces = 0
        self.cut: set[str] = set()
        """Why something is not followed: DICE, CHAINS, COUNTS and LOOPS."""
        self.loops = Loops(self.live, self.cut)

    def run(self, state: State, procedure: str, roles: dict[str, Value]) -> Spread:
        """The states at the end, each with what the procedure left in its outermost frame (see `left`)."""
        return seen(self.ends(state, procedure, roles))

    def ends(self, state: State, procedure: str, roles: dict[str, Value]) -> Spread:
        """The same, with lots in the states that nothing has looked at."""
        return self.unseen_ends(state, self.live.same((begun(procedure, roles),)), Scope(), self.live.yields(procedure))

    def follow(self, state: State, body: m.Body, scope: Scope, watched: frozenset[str] = frozenset()) -> Spread:
        """The states after some sentences: an action of somebody's, a gain."""
        return seen(self.unseen_ends(state, body, scope, watched))

    def unseen_ends(self, state: State, body: m.Body, scope: Scope, watched: frozenset[str] = frozenset()) -> Spread:
        root = RoundPart(self.rules, body, scope)
        return self.outcomes(root, state, Ahead(watched).along((root,))[0])

    # ------------------------------------------------------------ one piece

    def outcomes(self, part: ChainPart, state: State, ahead: Ahead) -> Spread:
        """Everything that a piece can come to, from one state."""
        found: Spread = {}
        todo = [Run()]
        while todo:
            run = todo.pop()
            try:
                ending = self.once(part, state, run, todo, ahead)
            except NoAnswer:
                continue
            except Beyond:
                self.cut.add(CHAINS)
                continue
            except Untold:
                self.cut.add(COUNTS)
                continue
            else:
                add(found, ending, run.weight)
        return found

    def once(self, part: ChainPart, state: State, run: Run, todo: list[Run], ahead: Ahead) -> Ending:
        """One run, first by the answers that it has been given. At whatever is open it goes on with the first answer, and what it would come to with
        the others is left to do.
        """
        self.bounded(part, run.given)
        left = list(reversed(run.given))

        def first(options: list[tuple[Any, Fraction]]) -> Any:
            self.count(len(options))
            if not options:
                raise NoAnswer
            todo.extend(Run((*run.given, answer), times(run.weight, weight)) for answer, weight in reversed(options[1:]))
            answer, weight = options[0]
            run.given, run.weight = (*run.given, answer), times(run.weight, weight)
            self.bounded(part, run.given)
            return answer

        def perform(effect: Any) -> Any:
            match effect:
                case Note():
                    if effect.what == "bound":
                        raise Beyond
                    return None
                case Roll() if (dice := self.unseen(effect, ahead)) is not None:
                    return dice
                case Roll() | Look() | Draw() | Chain() | Loop() if left:
                    return left.pop()
                case Look():
                    return first(looked(effect))
                case Roll() | Draw():
                    return first(self.weighed(effect, evaluator.state))
                case Chain():
                    return first(list(self.push(effect, ahead).items()))
                case Loop():
                    return first(list(self.loop(effect, ahead).items()))
                case _:
                    return self.policy(effect, evaluator)

        evaluator = part.alone(perform, state)
        stopped = part.run(evaluator)
        return evaluator.state, stopped

    def bounded(self, part: ChainPart, given: tuple[Any, ...]) -> None:
        if len(given) > MOST_ANSWERS:
            why = "perhaps the same answer leads back to it again and again, so give another one or take another policy"
            step = next((stopped[1] for _, stopped in filter(is_ending, reversed(given)) if stopped is not None and stopped[0] == "back"), "")
            raise TooMany(f"this comes back to the same place more than {MOST_ANSWERS} times{at(self.rules, step) or place(self.rules, part)}; {why}")
        self.pieces += 1
        if self.pieces > MOST_PIECES:
            raise TooMany(
                f"this is more than {MOST_PIECES:,} steps and rounds, which is as many as are followed; it came as far as here{place(self.rules, part)}"
            )

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

    def push(self, chain: Chain, ahead: Ahead) -> Spread:
        """A distribution of states pushed through the pieces, with equal states merged between them."""
        parts: tuple[ChainPart, ...] = chain.parts  # type: ignore[assignment]
        done: Spread = {}
        now = {chain.state: ONE}
        depth = len(chain.state.frames)
        to_come = ahead.past(chain.by).along(parts)
        settled: ChainPart | None = None
        for number, part in enumerate(parts):
            if part is settled:  # one round more of what the last round has left as it was
                continue
            inside, behind, out = to_come[number], to_come[number + 1], to_come[-1]
            then: dict[State, Fraction] = {}
            ended = len(done)
            for state, weight in now.items():
                apart, ends = self.apart(part, state, inside, is_repeated(parts), alone=len(now) == 1)
                several = len(now) > 1 or len(ends) > 1 or is_repeated(parts)  # else nothing could become equal by what is dropped
                for (end, stopped), chance in ends.items():
                    whole, likely = self.live.joined(end, apart)
                    if not likely:
                        continue
                    if stopped is None:
                        whole = self.live.pruned(whole, behind) if several or crowded(whole) else whole
                        add(then, whole, times(times(weight, chance), likely))
                    else:
                        whole = whole.popped(depth)
                        ending = self.live.pruned(whole, out) if several else whole, stopped
                        add(done, ending, times(times(weight, chance), likely))
            again = number + 1 < len(parts) and parts[number + 1] is part
            settled = part if again and ended == len(done) and then == now else None
            now = then
        for state, weight in now.items():
            add(done, (state, None), weight)
        return done

    def loop(self, loop: Loop, ahead: Ahead) -> Spread:
        """Rounds without a bound, solved as a whole. A counter begins with a number, so whatever is open when they begin is looked at."""
        part: LoopPart = loop.part  # type: ignore[assignment]
        around = ahead.past(loop.by)
        to_come = around.along((part, part))
        if loop.state.lots:
            starts = parted(self.live.pruned(loop.state, to_come[0]))
            return mixed((share, self.loop(replace(loop, state=one), ahead)) for share, one in starts)
        return self.loops.ends(loop, (part_key(part), around.key), to_come, lambda one, state: self.apart(one, state, to_come[0], True))

    def apart(self, part: ChainPart, state: State, ahead: Ahead, repeated: bool, alone: bool = False) -> tuple[Apart, Spread]:
        """What a piece comes to, run once for all states that differ only in what it does not touch; and what that is in this one. Where a state
        comes `alone` to a piece for the first time, nothing is put aside: that pays only if others come.
        """
        if alone and not repeated and (first := (part_key(part), ahead.key)) not in self.come_to:
            self.come_to.add(first)
            return Apart(), self.outcomes(part, state, ahead)
        apart, ends = self.once_for_all(part, state, ahead, repeated)
        if not self.live.fits(apart, (end for end, _ in ends)):
            apart, ends = self.once_for_all(part, state, ahead, False)
        return apart, ends

    def once_for_all(self, part: ChainPart, state: State, ahead: Ahead, decks: bool) -> tuple[Apart, Spread]:
        near, apart = self.live.split(part, state, decks)
        key = (part_key(part), ahead.key, near)
        ends = self.seen.get(key)
        if ends is None:
            ends = self.seen[key] = self.outcomes(part, near, ahead)
        return apart, ends


def add(found: dict[K, Fraction], key: K, weight: Fraction) -> None:
    """One way more to something. Most things come once, so it is looked up no more than once then: to hash a state takes longer than to add."""
    many = len(found)
    before = found.setdefault(key, weight)
    if len(found) == many:
        found[key] = before + weight


def times(one: Fraction, other: Fraction) -> Fraction:
    """Their product. Mostly one of them is 1, which takes no arithmetic."""
    return other if one is ONE else one if other is ONE else one * other


def seen(spread: Spread) -> Spread:
    """With everything looked at: whoever reads the ends may ask anything about them."""
    found: Spread = {}
    for (state, stopped), weight in spread.items():
        for share, whole in parted(state):
            add(found, (whole, stopped), times(weight, share))
    return found


def mixed(spreads: Iterable[tuple[Fraction, Spread]]) -> Spread:
    found: Spread = {}
    for share, spread in spreads:
        for ending, weight in spread.items():
            add(found, ending, times(share, weight))
    return found


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
