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

from te_forge.engine.ahead import Ahead
from te_forge.engine.aside import Apart
from te_forge.engine.effects import Answerable, Chain, Draw, Look, Loop, Roll
from te_forge.engine.evaluate import ChainPart, Evaluator, RoundPart
from te_forge.engine.following import CHAINS, MOST_ANSWERS, Beyond, Course, Ending, Following, NoAnswer, begun, is_repeated, part_key
from te_forge.engine.index import Rules
from te_forge.engine.loops import COUNTS
from te_forge.engine.lots import ONE, parted
from te_forge.engine.policies import Policy
from te_forge.engine.state import Scope, State, Untold, Value
from te_forge.frozen import mutable
from te_forge.model import rules as m

Spread = dict[Ending, Fraction]
Weighed = list[tuple[Any, Fraction]]
K = TypeVar("K")


@mutable
class Run:
    """A run of a piece, by the answers that it has been given so far, in the order in which they were asked for, and how likely they are."""

    given: tuple[Any, ...] = ()
    weight: Fraction = ONE


class Odds(Following[Spread, Weighed]):
    """What comes of a policy."""

    def __init__(self, rules: Rules, policy: Policy, liveness: bool = True, asked: frozenset[str] = frozenset()) -> None:
        super().__init__(rules, policy, liveness, asked)
        self.come_to: set[Any] = set()
        """The pieces that some state has come to, with what was ahead."""

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
        found: Spread = {}
        todo = [Run()]
        while todo:
            run = todo.pop()

            def first(options: Weighed, run: Run = run) -> Any:
                self.count(len(options))
                if not options:
                    raise NoAnswer
                todo.extend(Run((*run.given, answer), times(run.weight, weight)) for answer, weight in reversed(options[1:]))
                answer, weight = options[0]
                run.given, run.weight = (*run.given, answer), times(run.weight, weight)
                self.bounded(part, run.given, len(state.frames))
                return answer

            try:
                ending = self.once(part, state, run.given, ahead, first)
            except NoAnswer:
                continue
            except Beyond:
                self.cut.add(CHAINS)
            except Untold:
                self.cut.add(COUNTS)
            else:
                add(found, ending, run.weight)
        return found

    def states_of(self, found: Spread) -> Iterable[State]:
        return (state for state, _ in found)

    def mixed(self, found: Iterable[tuple[Fraction, Spread]]) -> Spread:
        whole: Spread = {}
        for share, spread in found:
            for ending, weight in spread.items():
                add(whole, ending, times(share, weight))
        return whole

    def answers(self, effect: Answerable, evaluator: Evaluator, ahead: Ahead) -> Weighed:
        match effect:
            case Chain():
                return list(self.push(effect, ahead).items())
            case Loop():
                return list(self.loop(effect, ahead).items())
            case Roll() | Draw() | Look():
                return self.chance(effect, evaluator.state)
        raise AssertionError("the policy decides")

    # ------------------------------------------------------------ a chain of pieces

    def push(self, chain: Chain, ahead: Ahead) -> Spread:
        """A distribution of states pushed through the pieces, with equal states merged between them. Those that go back to an earlier piece are pushed
        through all together, when the others are at the end.
        """
        course = self.course(chain, ahead)
        done: Spread = {}
        starts: dict[int, dict[State, Fraction]] = {0: {chain.state: ONE}}
        returns = 0
        while starts := self.pushed(course, starts, done):
            returns += 1
            if returns > MOST_ANSWERS:
                raise self.in_circles(course.parts[min(starts)])
        return done

    def pushed(self, course: Course, starts: dict[int, dict[State, Fraction]], done: Spread) -> dict[int, dict[State, Fraction]]:
        """Once through the pieces, from these starts. What comes to the end is `done`; what is left has gone back."""
        now: dict[State, Fraction] = {}
        back: dict[int, dict[State, Fraction]] = {}
        settled: ChainPart | None = None
        for number, part in enumerate(course.parts):
            if part is settled:  # one round more of what the last round has left as it was
                continue
            for state, weight in starts.get(number, {}).items():
                add(now, state, weight)
            then: dict[State, Fraction] = {}
            ended = len(done)
            for state, weight in now.items():
                apart, ends = self.apart(part, state, course.to_come[number], is_repeated(course.parts), alone=len(now) == 1)
                several = len(now) > 1 or len(ends) > 1 or is_repeated(course.parts)  # else nothing could become equal by what is dropped
                for end, chance in ends.items():
                    likely, next_, ending = self.goes_on(course, number, end, apart, several)
                    if not likely:
                        continue
                    whole = times(times(weight, chance), likely)
                    if ending[1] is not None:
                        add(done, ending, whole)
                    else:
                        add(then if next_ == number + 1 else back.setdefault(next_, {}), ending[0], whole)
            again = number + 1 < len(course.parts) and course.parts[number + 1] is part
            settled = part if again and ended == len(done) and then == now else None
            now = then
        for state, weight in now.items():
            add(done, (state, None), weight)
        return back

    def rounds(self, loop: Loop, key: Any, to_come: tuple[Ahead, ...]) -> Spread:
        return self.loops.ends(loop, key, to_come, lambda one, state: self.apart(one, state, to_come[0], True))

    def apart(self, part: ChainPart, state: State, ahead: Ahead, repeated: bool, alone: bool = False) -> tuple[Apart, Spread]:
        """What a piece comes to. Where a state comes `alone` to it for the first time, nothing is put aside: that pays only if others come."""
        if alone and not repeated and (first := (part_key(part), ahead.key)) not in self.come_to:
            self.come_to.add(first)
            return Apart(), self.outcomes(part, state, ahead)
        return self.piece(part, state, ahead, repeated)


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
