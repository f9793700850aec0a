"""What every sentence does. The only place, with `reading`, where rules get their meaning; it contains no chance, no clock and no input.

`Evaluator` carries one state forward. Whatever is open it asks of `perform` (see `effects`). `end with` and `go back to` travel as exceptions up to
the frame that they are about; a part of a chain turns them into a plain answer, so that a driver can follow many states at once.
"""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass, field
from typing import Any

from te_forge.engine.acting import (
    MOST_DEPTH,
    MOST_RETURNS,
    MOST_ROUNDS,
    Ended,
    GoneBack,
    Happening,
    Inside,
    Skipped,
    Work,
    stopped_by,
)
from te_forge.engine.effects import AGAIN, OVER, Chain, Choose, Loop, Perform
from te_forge.engine.frames import Frames
from te_forge.engine.index import Rules
from te_forge.engine.reading import RuleError, as_group
from te_forge.engine.state import Coming, Frame, Lasting, Map, Result, Scope, Slot, State, Value
from te_forge.frozen import replace
from te_forge.model import rules as m
from te_forge.model.system import Entry

NOTHING = Result("", Map(), Map())


class Evaluator(Frames):
    """Runs rules from one state onwards; `state` is where they have come to."""

    # ------------------------------------------------------------ bodies

    def body(self, body: m.Body, scope: Scope) -> Scope:
        """Sentences one after the other; the scope with the words that they brought in."""
        taken = False
        try:
            for node in body:
                if isinstance(node, m.If):
                    if not node.chained:
                        taken = False
                    if not taken and (node.condition is None or self.holds(node.condition, scope)):
                        taken = True
                        scope = self.body(node.body, scope)
                else:
                    scope = self.act(node, scope)
                self.fire()
        except Skipped:
            pass
        return scope

    def fire(self) -> None:
        """Whatever levels were reached, first in, first out. It stands apart: what lasts for the frames below does not hold in it."""
        while self.triggers:
            body, scope = self.triggers.pop(0)
            self.not_too_deep("rules set each other off", scope)
            rest, self.triggers = self.triggers, []
            around, self.inside = self.inside, frozenset()
            depth = len(self.state.frames)
            self.state = self.state.pushed(Frame(apart=True))
            self.note("line", scope.entry, scope.line)
            self.body(body, replace(scope, frame=depth))
            self.state = self.state.popped(depth)
            self.triggers, self.inside = rest, around

    def act(self, node: m.Sentence, scope: Scope) -> Scope:
        self.worked(scope)
        match node:
            case m.Transfer():
                return self.transfer(node, scope)
            case m.Give():
                return self.give(node, scope)
            case m.Contribute() | m.Lock():
                return self.contribute(node, scope)
            case m.Roll():
                return self.roll(node, scope)
            case m.Pick():
                return self.pick(node, scope)
            case m.Choose():
                return self.choose(node, scope)
            case m.ChooseOne():
                return self.choose_one(node, scope)
            case m.May():
                self.attempt((node,), scope, ())
                return scope
            case m.Limited():
                self.attempt((node,), scope, ())
                return scope
            case m.ForEach():
                return self.for_each(node, scope)
            case m.Repeat():
                return self.repeat(node, scope)
            case m.DivideUp():
                return self.divide(node, scope)
            case m.Carry():
                for who in as_group(self.value(node.who, scope)):
                    self.carry(str(who), str(self.value(node.trait, scope)), node.takes, scope)
                return scope
            case m.Do():
                result = self.do(node.procedure, {role: self.handed(value, scope) for role, value in node.roles}, node)
                return self.bring(node.word, result, scope) if node.word else scope
            case m.EndWith(outcome, None):
                raise Ended(outcome)
            case m.EndWith(procedure, handed_on):
                came = self.value(handed_on, scope) if handed_on is not None else None
                if isinstance(came, Result) and came.outcome:
                    raise Ended(f"{procedure}#{came.outcome.partition('#')[2]}")
                return scope
            case m.GoBack(step):
                raise GoneBack(step)
            case m.Until(span, body):
                self.last(span, "", body, scope)
                return scope
            case m.InNext(span, of, body):
                who = str(self.value(of, scope))
                self.wait(Coming(span, who, Lasting(body, self.caught(scope))))
                return scope
            case m.On() | m.While() | m.Forbid():
                self.install(scope.frame, Lasting((node,), self.caught(scope)))
                return scope
            case m.Say(who, text):
                self.note("say", self.value(who, scope), text)
                return scope
            case m.If(condition, body, _):
                return self.body(body, scope) if condition is None or self.holds(condition, scope) else scope
            case m.Expect() | m.Script():
                return scope

    # ------------------------------------------------------------ loops

    def for_each(self, node: m.ForEach, scope: Scope) -> Scope:
        members = self.members(node.members, scope)
        if node.order is not None:
            members = self.ordered(node.order, members, scope)
        return self.chained([self.round(node.body, scope.with_word(node.word, one)) for one in members], scope, node)

    def round(self, body: m.Body, scope: Scope) -> RoundPart:
        return RoundPart(self.rules, body, scope, self.work, self.inside)

    def ordered(self, order: m.Expr, members: tuple[Any, ...], scope: Scope) -> tuple[Any, ...]:
        """By a number, highest first and ties as in the table; or as somebody says."""
        if isinstance(order, m.Thing) and self.rules.nature(self.rules.kind_of(order.id)) == "number":
            return tuple(sorted(members, key=lambda one: -self.stat(str(one), order.id)))
        who, left, out = str(self.value(order, scope)), list(members), []
        while len(left) > 1:
            chosen = self.decide(Choose(who, "next", tuple(left), tuple(map(self.named, left)), self.why(scope)), scope)
            left.remove(chosen)
            out.append(chosen)
        if left:
            self.note("forced", who, tuple(left), "next")
        return (*out, *left)

    def repeat(self, node: m.Repeat, scope: Scope) -> Scope:
        if node.until is not None:
            return self.repeat_until(node.body, node.until, scope, node)
        assert node.times is not None
        times = self.number(node.times, scope)
        if times > MOST_ROUNDS:
            raise RuleError(
                f"this would be repeated {times:,} times, and {MOST_ROUNDS:,} times is the most{self.rules.where(scope.entry, scope.line)}", scope
            )
        if scope.own:
            for _ in range(times):
                scope = self.body(node.body, scope)
            return scope
        return self.chained([self.round(node.body, scope)] * max(0, times), scope, node)

    def repeat_until(self, body: m.Body, until: m.Condition, scope: Scope, by: m.Sentence) -> Scope:
        self.state, stopped = self.answer(Loop(self.state, LoopPart(self.rules, body, scope, self.work, self.inside, until=until), by))
        kind, words = stopped
        if kind != OVER:
            raise stopped_by(stopped)
        return replace(scope, words=words)

    def chained(self, rounds: list[RoundPart], scope: Scope, by: m.Sentence) -> Scope:
        """Rounds between which only the state matters."""
        if rounds:
            self.state, stopped = self.answer(Chain(self.state, tuple(rounds), by))
            if stopped is not None:
                raise stopped_by(stopped)
        return scope

    # ------------------------------------------------------------ procedures

    def do(self, id: str, roles: dict[str, Value], by: m.Sentence | None = None) -> Result:
        """Run a procedure with these roles, through all its gates; what it leaves. `by` is the sentence that says so."""
        entry = self.rules.entries.get(id)
        if entry is None:
            return NOTHING
        if held := self.barred(id, roles):
            self.note("forbidden", id, held.scope.owner, held.scope.entry)
            return NOTHING
        if not self.within_bound(entry):
            self.note("bound", id)
            return NOTHING
        depth = len(self.state.frames)
        if depth > MOST_DEPTH:
            self.not_too_deep(f"`{entry.name}` runs inside itself", Scope(entry=id))
        self.refill(entry)
        groups = self.rules.groups_in[id]
        words = {word: Slot(as_group(value) if word in groups else value) for word, value in roles.items()}
        self.state = self.state.pushed(Frame(id, Map(words), roles=tuple(roles)))
        self.note("begin", id, tuple(roles.items()))
        self.arrive(depth)
        outcome = self.run(entry, depth, by)
        result = self.sealed(depth, outcome)
        self.state = self.state.popped(depth)
        self.note("end", id, outcome)
        return result

    def run(self, entry: Entry, depth: int, by: m.Sentence | None) -> str:
        """The gates of a procedure around its steps; the outcome."""
        happening = Happening("procedure", entry.id, depth, self.doer(depth))
        try:
            if self.replaced(happening):
                outcome = self.only_outcome(entry)
            else:
                self.hear("before", happening)
                outcome = self.steps(entry, depth, by=by)
        except Ended as ended:
            outcome = self.mine(ended, entry, depth)
        for _ in range(MOST_RETURNS):  # an `after .. ending in X: go back to Step` runs the steps again
            try:
                done = replace(happening, outcome=outcome)
                if not self.replaced(done, after=True):
                    self.hear("after", done)
                return outcome
            except Ended as ended:
                return self.mine(ended, entry, depth)
            except GoneBack as back:
                outcome = self.again(back, entry, depth)
        raise self.for_ever(entry, "")

    def again(self, back: GoneBack, entry: Entry, depth: int) -> str:
        if back.step not in [step.id for step in entry.steps]:
            raise back
        self.state = self.state.popped(depth + 1)
        try:
            return self.steps(entry, depth, back.step)
        except Ended as ended:
            return self.mine(ended, entry, depth)

    def mine(self, ended: Ended, entry: Entry, depth: int) -> str:
        """The outcome, if it is of this run; else it goes on to the run that it is of."""
        if ended.outcome.partition("#")[0] != entry.id:
            raise ended
        self.state = self.state.popped(depth + 1)
        return ended.outcome

    def only_outcome(self, entry: Entry) -> str:
        outcomes = entry.fields.get("outcomes")
        return f"{entry.id}#{outcome_slug(outcomes.value[0])}" if outcomes is not None and len(outcomes.value) == 1 else ""

    def steps(self, entry: Entry, depth: int, start: str = "", by: m.Sentence | None = None) -> str:
        at = next((number for number, step in enumerate(entry.steps) if step.id == start), 0)
        if start:
            self.reopened(entry, depth, at)
        returns = 0
        while at < len(entry.steps):
            parts = tuple(StepPart(self.rules, entry, number, depth, self.work, self.inside) for number in range(at, len(entry.steps)))
            self.state, stopped = self.answer(Chain(self.state, parts, by))
            if stopped is None:
                return ""
            back = self.gone_back(entry, depth, stopped)
            if back is None:
                raise stopped_by(stopped)
            at, returns = back, returns + 1
            if returns > MOST_RETURNS:
                raise self.for_ever(entry, entry.steps[at].id)
        return ""

    def gone_back(self, entry: Entry, depth: int, stopped: tuple[str, str]) -> int | None:
        """The step to which something goes back that has stopped the steps of a procedure; None where it is no step of it."""
        kind, what = stopped
        number = next((at for at, step in enumerate(entry.steps) if kind == "back" and step.id == what), None)
        if number is not None:
            self.state = self.state.popped(depth + 1)
            self.reopened(entry, depth, number)
        return number

    def for_ever(self, entry: Entry, step: str) -> RuleError:
        name = next((one.name for one in entry.steps if one.id == step), "")
        place = f" to the step {name}" if name else ""
        return RuleError(
            f"`{entry.name}` has gone back{place} {MOST_RETURNS:,} times and was stopped", Scope(entry=entry.id, line=step.partition("#")[2])
        )

    def step(self, entry: Entry, number: int, depth: int) -> None:
        step = entry.steps[number]
        scope = Scope(frame=depth, entry=entry.id, line=step.id.partition("#")[2])
        happening = Happening("step", step.id, depth, self.doer(depth))
        self.worked(scope)
        self.note("step", step.id)
        if self.replaced(happening):
            return
        self.hear("before", happening)
        if self.rules.step(entry, "settles") == number:
            self.settle(depth)
        if self.rules.step(entry, "counts") == number:
            self.counted(depth)
        self.body(self.rules.body_of(step), scope)
        self.hear("after", happening)
        self.fire()


class ChainPart:
    """A piece of a chain: runs from a state, and says what stopped it. It is data, so that a driver can tell what a piece will do before it runs."""

    __slots__ = ()
    rules: Rules
    work: Work
    inside: Inside

    @abstractmethod
    def act(self, run: Evaluator) -> Any:
        """Do it, from where `run` stands; what it came to, where that stops a chain."""

    def back(self, state: State, stopped: Any) -> tuple[int, State] | None:
        """Which piece the chain goes on with when this has stopped one of its pieces, and from which state; None where that is the end of it."""
        return None

    def run(self, evaluator: Evaluator) -> Any:
        """Do it; what stopped it, or None."""
        try:
            return self.act(evaluator)
        except Ended as ended:
            return ("end", ended.outcome)
        except GoneBack as back:
            return ("back", back.step)
        except Skipped:
            pass
        return None

    def __call__(self, perform: Perform, state: State) -> tuple[State, Any]:
        evaluator = Evaluator(self.rules, state, perform, self.work, self.inside)
        stopped = self.run(evaluator)
        return evaluator.state, stopped

    def alone(self, perform: Perform, state: State) -> Evaluator:
        """For a driver that runs it from many states: its work is counted from 0 each time."""
        return Evaluator(self.rules, state, perform, inside=self.inside)


@dataclass(frozen=True, slots=True, eq=False)
class StepPart(ChainPart):
    """A step of the procedure that runs in the frame `depth`."""

    rules: Rules
    entry: Entry
    number: int
    depth: int
    work: Work = field(default_factory=Work)
    inside: Inside = frozenset()

    def act(self, run: Evaluator) -> None:
        run.step(self.entry, self.number, self.depth)

    def back(self, state: State, stopped: Any) -> tuple[int, State] | None:
        run = self.alone(lambda effect: None, state)
        number = run.gone_back(self.entry, self.depth, stopped)
        return (number - self.number, run.state) if number is not None and number >= self.number else None


@dataclass(frozen=True, slots=True, eq=False)
class RoundPart(ChainPart):
    """Sentences, once: a round of `for each` or `repeat up to`."""

    rules: Rules
    sentences: m.Body
    scope: Scope
    work: Work = field(default_factory=Work)
    inside: Inside = frozenset()

    def act(self, run: Evaluator) -> None:
        run.worked(self.scope)
        run.body(self.sentences, self.scope)


@dataclass(frozen=True, slots=True, eq=False)
class LoopPart(RoundPart):
    """Sentences, once, and the question whether that was the last time: a round of `repeat until`."""

    until: m.Condition = field(kw_only=True)
    number: int = field(default=1, kw_only=True)

    def act(self, run: Evaluator) -> Any:
        if self.number > MOST_ROUNDS:
            raise RuleError(
                f"this was repeated {MOST_ROUNDS:,} times without coming to its end, and was stopped{self.rules.where(self.scope.entry, self.scope.line)}",
                self.scope,
            )
        run.worked(self.scope)
        scope = run.body(self.sentences, self.scope)
        return OVER if run.holds(self.until, scope) else AGAIN, scope.words

    def again(self, words: Map[str, Value]) -> LoopPart:
        scope = replace(self.scope, words=words)
        return LoopPart(self.rules, self.sentences, scope, self.work, self.inside, until=self.until, number=self.number + 1)


def outcome_slug(atom: m.Atom) -> str:
    from te_forge.keys import slug

    return slug(atom.text) if isinstance(atom, m.Text) else ""
