"""Where an example and the rules part, said in words: what was expected and what came, what the rules ask for and the script leaves out."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterator
from dataclasses import field
from typing import Any

from te_forge.diagnostics import Diagnostic, Label
from te_forge.engine.cues import Cue, Cues, asked
from te_forge.engine.effects import Note
from te_forge.engine.evaluate import Evaluator
from te_forge.engine.index import Rules
from te_forge.engine.reading import Held, Reading, RuleError
from te_forge.engine.state import State, looking
from te_forge.engine.tell import Teller
from te_forge.frozen import frozen, mutable
from te_forge.model import rules as m
from te_forge.model.system import Entry
from te_forge.source import Span


@mutable
class Played:
    """What happened in an example: its end, what was noted in each step, and the first place where it and the rules part."""

    example: Entry
    state: State
    steps: list[list[Note]] = field(default_factory=list)
    failure: Diagnostic | None = None

    @property
    def notes(self) -> list[Note]:
        return [note for step in self.steps for note in step]


@frozen
class Action:
    """Something that the example begins."""

    run: Callable[[Evaluator], object]
    span: Span
    sentence: m.Sentence | None = None


@frozen
class Attempt:
    """How far an action comes with the script as it stands."""

    action: Action | None
    given: int
    """How many cues the script had so far."""
    state: State
    cues: Cues
    halted: Any
    """What the rules ask for and the script does not say, if anything."""


class Parting:
    """Keeps the first place at which an example and the rules part."""

    def __init__(self, rules: Rules, played: Played) -> None:
        self.rules, self.played = rules, played

    @abstractmethod
    def actions(self, who: str, what: str, state: State) -> Iterator[Held]:
        """Offers that wait for no event, by their name."""

    def unsaid(self, effect: Any, action: Action) -> None:
        """The rules ask for something that the script does not say."""
        teller = self.teller(self.played.state)
        what, line = asked(effect, teller.name)
        place = teller.place(getattr(effect, "why", ""))
        self.fail("example-script", action.span, f"the script stops, but {what}", f"say it below, for example `{line}`", place)

    def unasked(self, cue: Cue, tried: Attempt) -> None:
        """The script says something that the rules do not ask for here."""
        teller = self.teller(self.played.state)
        said = f"{teller.name(cue.who)} {cue.verb} {teller.name(cue.what)}"
        if tried.halted is not None:
            what, line = asked(tried.halted, teller.name)
            place = teller.place(getattr(tried.halted, "why", ""))
            self.fail(
                "example-script",
                cue.span,
                f"here stands `{said}`, but {what}",
                f"answer in the order in which the rules ask, for example `{line}`",
                place,
            )
            return
        held = next(self.actions(cue.who, str(cue.what), tried.state), None)
        why = (
            "it cannot be begun now: it cannot be paid, its uses are over, or it is forbidden"
            if held is not None
            else f"nothing asks for it{self.over(tried)}"
        )
        help = "take it out; what is let pass need not be said" if held is None else "give what it costs in the list of people above the steps"
        self.fail("example-script", cue.span, f"here stands `{said}`, but {why}", help)

    def over(self, tried: Attempt) -> str:
        """How that ended which was under way, as far as it says so: an early end, or a ban, is why nobody asks any more."""
        if (banned := next((note for note in reversed(tried.cues.notes) if note.what == "forbidden"), None)) is not None:
            return f" any more: {self.teller(self.played.state).told(banned)}"
        ends = [note for note in tried.cues.notes if note.what == "end"]
        outcome = ends[-1].data[1] if ends else ""
        if not outcome:
            return ""
        teller = self.teller(self.played.state)
        words = next((note.data[-1] for note in reversed(tried.cues.notes) if note.what == "say"), "")
        return f" any more: `{teller.name(ends[-1].data[0])}` has ended with {teller.name(outcome)}" + (f' ("{words}")' if words else "")

    def stopped(self, span: Span, error: RuleError) -> None:
        place = self.teller(self.played.state).place(f"{error.scope.entry}#{error.scope.line}")
        self.fail("example-stops", span, f"the rules stop here: {error}", "this is a mistake of the rules, not of the example", place)

    def fail(self, code: str, span: Span, message: str, help: str = "", place: Span | None = None) -> None:
        if self.played.failure is None:
            labels = (Label(place, "the rules are here"),) if place is not None else ()
            self.played.failure = Diagnostic(code, message, span, help=help, labels=labels)

    def teller(self, state: State) -> Teller:
        return Teller(self.rules, state.people.items())

    def waiting(self, tried: Attempt | None) -> str:
        """What has to be said first, where the rules have stopped to ask for something."""
        if tried is None or tried.halted is None:
            return ""
        what, line = asked(tried.halted, self.teller(tried.state).name)
        return f"here {what}; to go on, say it above this line, for example `{line}`"

    def instead(self, test: m.Condition, reading: Reading) -> str:
        """What was expected and what came out."""
        teller = self.teller(reading.state)
        expected, scope = f"expected that {teller.condition(test)}", looking(reading.state)
        match test:
            case m.Compare(left, _, right, _):
                found = f"by the rules {teller.expr(left)} is {teller.value(reading.value(left, scope))}"
                if not isinstance(right, m.Int | m.Thing):
                    found += f", and {teller.expr(right)} is {teller.value(reading.value(right, scope))}"
            case m.Has(who, _, _):
                value = reading.value(who, scope)
                has = teller.names(reading.carried(str(value))) if not isinstance(value, tuple) else teller.value(value)
                found = f"by the rules {teller.expr(who)} has {has or 'nothing'}"
            case m.IsA(who, _, _):
                found = f"by the rules {teller.expr(who)} is of the kind {reading.kind(str(reading.value(who, scope)))}"
            case _:
                found = "by the rules it is otherwise"
        return f"{expected}; {found}"
