"""Examples, played: an example sets people up, does something, scripts dice and choices, and expects.

An action runs from its start each time that its script has grown and something is expected, so that an expectation may stand in the middle of it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from te_forge.diagnostics import Diagnostic, Label
from te_forge.engine.acting import Ended, GoneBack, wrapped
from te_forge.engine.cues import Cue, Cues, Unanswered, asked
from te_forge.engine.evaluate import Evaluator
from te_forge.engine.index import Rules
from te_forge.engine.parting import Action, Attempt, Parting, Played
from te_forge.engine.people import add_person, seated, with_number
from te_forge.engine.reading import Held, Reading, RuleError
from te_forge.engine.state import Person, Scope, State, looking
from te_forge.frozen import replace
from te_forge.model import rules as m
from te_forge.model.system import Entry, Line
from te_forge.model.walk import nodes
from te_forge.source import Span


def play_example(rules: Rules, example: Entry, start: State | None = None) -> Played:
    """Play one example from its own setup."""
    played = Played(example, start or State())
    player = Player(rules, played)
    try:
        played.state = setup(rules, example, played.state)
    except RuleError as error:
        player.stopped(example.span, error)
    for step in example.steps:
        if played.failure is None:
            player.step(step.lines)
    player.summed_up()
    return played


def setup(rules: Rules, example: Entry, state: State) -> State:
    for id in named_actors(rules, example):
        entry = rules.entries[id]
        state = replace(state, people=state.people.set(id, Person(entry.name, entry.kind, id)))
    reading = Reading(rules, state)
    loose: list[tuple[str, int]] = []
    for one in example.fields.values():
        for atom in one.value:
            if isinstance(atom, m.Sheet | m.Holds):
                state = add_person(rules, state, one.label, atom)
            elif isinstance(atom, m.Int):
                loose += [
                    (entry.id, atom.value) for entry in rules.entries.values() if entry.name == one.label and rules.nature(entry.kind) == "number"
                ][:1]
    state = seated(rules, state)
    for stat, number in loose:
        holder = reading.holder(stat, Scope()) or next(iter(reading.things_with(stat)), "")
        state = with_number(state, str(holder), stat, number)
    return state


def named_actors(rules: Rules, example: Entry) -> Iterator[str]:
    """The entries that are somebody and that an example names: they are there."""
    for step in example.steps:
        for line in step.lines:
            for node in nodes(line.meaning):
                entry = rules.entries.get(node.id) if isinstance(node, m.Thing) else None
                if entry is not None and entry.kind != "kind" and rules.nature(entry.kind) == "actor":
                    yield entry.id


class Player(Parting):
    """Runs the lines of an example; answers come from the cues that follow an action."""

    def __init__(self, rules: Rules, played: Played) -> None:
        super().__init__(rules, played)
        self.cues: list[Cue] = []
        self.action: Action | None = None
        self.last: Attempt | None = None
        self.looked: tuple[Action | None, int] | None = None
        """The action, and how far in its script, at which the example has looked at what is offered; it may stop there."""
        self.shared: Action | None = None
        """The action of which the example has asked how often something comes of it."""
        self.differ: list[tuple[str, str, str, Span]] = []
        """The shares that differ: what was expected, what it is, how that is written, and where it stands."""
        self.depth = 1
        """How many frames there are between two actions: the outermost one, and stretches of time that go on."""

    # ------------------------------------------------------------ lines

    def step(self, lines: tuple[Line, ...]) -> None:
        self.played.steps.append([])
        self.last = None
        for line in lines:
            self.line(line)
        self.finish()

    def line(self, line: Line) -> None:
        for node in line.meaning:
            if self.played.failure is not None:
                return
            match node:
                case m.Script(who, verb, what):
                    name = str(Reading(self.rules, self.played.state).value(who, Scope()))
                    self.cues += [Cue(name, verb, self.cue(one), line.span) for one in what] or [Cue(name, verb, "nothing", line.span)]
                case m.Expect(condition, None):
                    self.expect(condition, line)
                case m.Expect(condition, m.Share() as share):
                    self.expect_share(condition, share, line)
                case m.Do(procedure) if self.is_span(procedure):
                    self.finish()
                    self.goes_by(procedure, line.span)
                case _:
                    self.finish()
                    self.action = Action(self.runs(node), line.span, node)
        for below in line.lines:
            if not line.meaning:
                self.line(below)

    def is_span(self, procedure: str) -> bool:
        entry = self.rules.entries.get(procedure)
        return entry is not None and not entry.steps

    def goes_by(self, span: str, place: Span) -> None:
        """`do Dusk`, where dusk has no steps: it goes on from here, until the example does it again or ends. What is inside the old one ends with it."""

        def run(run: Evaluator) -> None:
            inside = next((at for at, frame in enumerate(run.state.frames) if frame.procedure == span), len(run.state.frames))
            while len(run.state.frames) > inside:
                run.close_span()
            run.open_span(span)
            self.depth = len(run.state.frames)

        self.action = Action(run, place)

    def runs(self, node: m.Sentence) -> Callable[[Evaluator], object]:
        return lambda run: run.body((node,), Scope())

    def cue(self, what: m.Expr | str) -> str | int:
        if isinstance(what, m.Int):
            return what.value
        return what if isinstance(what, str) else str(Reading(self.rules, self.played.state).value(what, Scope()))

    # ------------------------------------------------------------ actions

    def finish(self) -> None:
        """Whatever was begun runs to its end, or as far as the script goes when the last thing said was what is offered there."""
        self.let_be()
        tried = self.advance()
        if tried is None or self.played.failure is not None:
            return
        if tried.halted is not None and self.looked != (tried.action, tried.given):
            assert tried.action is not None
            self.unsaid(tried.halted, tried.action)
        self.settle(tried)

    def let_be(self) -> None:
        """What was followed in every way has come to no end of its own, and leaves everything as it was."""
        if self.action is not None and self.shared is self.action:
            self.action, self.cues, self.shared = None, [], None

    def advance(self) -> Attempt | None:
        """Run as far as the script goes; a pick that is left over and names something that can be begun begins it."""
        if self.action is None and not self.cues:
            return None
        while self.played.failure is None:
            tried = self.attempt()
            if tried is None or not tried.cues.left:
                return tried
            cue = tried.cues.left[0]
            if cue.what == "nothing" and tried.cues.let_pass(cue):
                self.cues.remove(cue)
                continue
            begun = self.begun(cue, tried.state) if tried.halted is None else None
            if begun is None:
                self.unasked(cue, tried)
                return None
            left = tried.cues.left
            self.settle(tried)
            self.action, self.cues = Action(begun, cue.span), left
        return None

    def attempt(self) -> Attempt | None:
        """Run the action with the cues as they are, from where it began."""
        cues = Cues(self.rules, list(self.cues))
        if self.action is None:
            return Attempt(None, 0, self.played.state, cues, None)
        run = Evaluator(self.rules, self.played.state, cues.answer)
        try:
            self.action.run(run)
        except Unanswered as unanswered:
            return Attempt(self.action, len(self.cues), unanswered.state or run.state, cues, unanswered.effect)
        except (Ended, GoneBack):
            pass
        except RuleError as error:
            self.stopped(self.action.span, error)
            return None
        return Attempt(self.action, len(self.cues), run.state, cues, None)

    def settle(self, tried: Attempt) -> None:
        """What happened stands; what was not played to its end stops there."""
        self.played.state = tried.state.popped(self.depth)
        self.played.steps[-1] += tried.cues.notes
        self.action, self.cues = None, []

    def begun(self, cue: Cue, state: State) -> Callable[[Evaluator], object] | None:
        """What somebody can begin of their own accord and a cue names."""
        if cue.verb != "picks":
            return None
        for held in self.actions(cue.who, str(cue.what), state):
            run = Evaluator(self.rules, state, lambda effect: None)
            if self.offered_now(run, held):
                return self.begins(held)
        return None

    def begins(self, held: Held) -> Callable[[Evaluator], object]:
        assert held.standing is not None
        body = wrapped((held.node,), held.standing.limits)
        return lambda run: run.attempt(body, held.scope, (), top=True)

    def actions(self, who: str, what: str, state: State) -> Iterator[Held]:
        """Offers that wait for no event, by their name; `who` may be empty."""
        run, cues = Evaluator(self.rules, state, lambda effect: None), Cues(self.rules, [])
        for one in self.rules.actions:
            assert isinstance(one.node, m.May)
            names = (one.line.label, *run.names_of(one.entry))
            if cues.names_it(what, names):
                yield from (held for held in run.standing_now(one) if not who or run.value(one.node.who, held.scope) == who)

    def offered_now(self, run: Evaluator, held: Held) -> bool:
        assert held.standing is not None and isinstance(held.node, m.May)
        limits = tuple((limit, f"{held.scope.entry}#{held.scope.line}") for limit in held.standing.limits)
        return run.offer(held.node, held.scope, limits, True) is not None

    # ------------------------------------------------------------ expectations

    def expect(self, condition: m.Condition, line: Line) -> None:
        self.let_be()
        tried = self.advance()
        if self.played.failure is not None:
            return
        if tried is not None:
            self.last = tried
        state = tried.state if tried is not None else self.played.state
        reading = Reading(self.rules, state)
        try:
            self.compare(condition, tried, reading, line)
        except RuleError as error:
            self.fail("example-stops", line.span, f"this cannot be looked up here: {error}", "expect something that there is")

    def compare(self, condition: m.Condition, tried: Attempt | None, reading: Reading, line: Line) -> None:
        for test in parts_of(condition):
            if isinstance(test, m.Offered):
                self.looked = (tried.action, tried.given) if tried is not None else None
                self.offered(test, reading.state, line)
            elif not reading.holds(test, looking(reading.state)):
                self.fail("example-differs", line.span, self.instead(test, reading), self.waiting(tried))
            if self.played.failure is not None:
                return

    def expect_share(self, condition: m.Condition, share: m.Share, line: Line) -> None:
        """In how many cases a condition holds. All that differ are told together, at the end."""
        from te_forge.engine.following import TooMany
        from te_forge.engine.shares import (  # few examples need it, and it takes long to load
            Picked,
            agrees,
            as_written,
            differing,
            share_of,
            told,
        )

        action = self.action
        if action is None or action.sentence is None:
            self.fail(
                "example-script",
                line.span,
                "nothing has begun of which this could be a share",
                "begin it above, in the same step, for example with a line `- do ..`",
            )
            return
        if any(cue.verb == "shows" for cue in self.cues) or any(isinstance(one, m.Offered) for one in parts_of(condition)):
            self.fail(
                "example-script",
                line.span,
                "a share is counted over all that the dice can show, so nothing can be shown or looked at on the way",
                "take that out, or give it a step of its own",
            )
            return
        self.shared = action
        policy = Picked(self.rules, tuple(self.cues))
        try:
            found, missing = share_of(self.rules, self.played.state, action.sentence, condition, policy)
        except TooMany as error:
            self.fail("example-script", line.span, f"this share cannot be counted: {error}", "ask for less of it at a time")
            return
        except RuleError as error:
            self.stopped(line.span, error)
            return
        if (left := policy.unused()) is not None:
            self.fail(
                "example-script",
                left.span,
                f"here stands `{self.teller(self.played.state).name(left.who)} picks {left.what}`, but nothing asks for it",
                "take it out",
            )
        elif not agrees(share, found, missing):
            self.differ.append(
                (
                    f"{self.teller(self.played.state).condition(condition)} in {told(share)}",
                    differing(share, found, missing),
                    as_written(found, missing),
                    line.span,
                )
            )

    def summed_up(self) -> None:
        """The shares that differ, as one finding that names each."""
        if not self.differ:
            return
        expected, found, help, span = self.differ[0]
        message = (
            f"expected that {expected}; by the rules it is {found}"
            if len(self.differ) == 1
            else f"{len(self.differ)} shares differ; the first: expected that {expected}; by the rules it is {found}"
        )
        if self.played.failure is None:
            self.played.failure = Diagnostic(
                "example-differs",
                message,
                span,
                help=help,
                labels=tuple(Label(place, f"by the rules {other}") for _, other, _, place in self.differ[1:]),
            )

    def offered(self, test: m.Offered, state: State, line: Line) -> None:
        found = list(self.actions("", test.what, state))
        run = Evaluator(self.rules, state, lambda effect: None)
        seen = self.last.cues.offered if self.last is not None else []
        is_offered = any(self.offered_now(run, held) for held in found) or any(Cues(self.rules, []).offers(effect, test.what) for effect in seen)
        if self.last is None and not found:
            help = "begin something first, for example with a line `- do ..`"
            self.fail("example-script", line.span, f"nothing has begun in this step, so that nothing could be offered, {test.what} or another", help)
        elif is_offered == test.negated:
            expected = f"expected that {test.what} is {'not ' if test.negated else ''}offered"
            choices = dict.fromkeys(asked(effect, self.teller(state).name)[0].removeprefix("the rules ask ") for effect in seen)
            came = f"the rules asked {'; then '.join(choices)}" if choices else "the rules offer nothing"
            self.fail("example-differs", line.span, f"{expected}, and it is{'' if test.negated else ' not'}", "" if test.negated else came)


def parts_of(condition: m.Condition) -> Iterator[m.Condition]:
    if isinstance(condition, m.Every):
        yield from condition.tests
    else:
        yield condition
