"""What every part of the evaluator stands on: how rules stop, what an event is, how a question is asked.

The parts (`giving`, `moving`, `deciding`, `offering`, `gates`, `frames`) are one class after the other, each knowing those before it; `evaluate` is
the last.
"""

from __future__ import annotations

import sys
from abc import abstractmethod
from typing import Any

from te_forge.engine.effects import Halted, Note, Perform
from te_forge.engine.index import Rules
from te_forge.engine.reading import Reading, RuleError
from te_forge.engine.state import Scope, State, Value
from te_forge.frozen import frozen, mutable
from te_forge.model import rules as m
from te_forge.model.system import Row

MOST_SENTENCES = 100_000
MOST_ROUNDS = 10_000
MOST_RETURNS = 1_000
MOST_LASTING = 300
MOST_EXPLOSIONS = 100
MOST_DEPTH = 200
sys.setrecursionlimit(max(sys.getrecursionlimit(), 20_000))  # procedures may run inside each other `MOST_DEPTH` deep, at up to 60 calls of ours each


@mutable
class Work:
    """How many sentences a run has done; all its pieces share it."""

    sentences: int = 0


class Ended(Exception):
    """`end with`: leaves the nearest run of the procedure that has this outcome."""

    def __init__(self, outcome: str) -> None:
        self.outcome = outcome


class GoneBack(Exception):
    """`go back to`: returns to a step of the nearest run of its procedure."""

    def __init__(self, step: str) -> None:
        self.step = step


class Skipped(Exception):
    """A choice from nothing, or a payment that cannot be made: the rest of the body is left out."""


Inside = frozenset[tuple[int, str | None]]
"""The rules whose bodies are being run, by the identity of the sentence and its owner: from inside of its body a rule does not set itself off again."""


@frozen
class Happening:
    """An event: what, which, in which frame, who did it, and how much or how it came out."""

    what: str
    id: str
    frame: int
    who: tuple[str, ...] = ()
    level: int = 0
    outcome: str = ""
    words: tuple[tuple[str, Value], ...] = ()


@frozen
class Heard:
    """A rule that answers a happening: its body, the scope to run it in, and the limits on it."""

    body: m.Body
    scope: Scope
    limits: tuple[m.Limit, ...]
    rule: tuple[int, str | None]
    ending: bool = False
    """Whether it is about how something came out."""


class Acting(Reading):
    """Carries one state forward."""

    def __init__(self, rules: Rules, state: State, perform: Perform, work: Work | None = None, inside: Inside = frozenset()) -> None:
        super().__init__(rules, state)
        self.answer = perform
        self.triggers: list[tuple[m.Body, Scope]] = []
        self.work = work if work is not None else Work()
        self.inside = inside

    def perform(self, effect: Any, scope: Scope) -> Any:
        try:
            return self.answer(effect)
        except Halted as halted:
            halted.state = halted.state or self.state
            raise

    def note(self, what: str, *data: Any) -> None:
        self.answer(Note(what, data))

    def worked(self, scope: Scope) -> None:
        """One sentence more; a run that does not end is stopped."""
        self.work.sentences += 1
        if self.work.sentences > MOST_SENTENCES:
            raise RuleError(f"this went on for {MOST_SENTENCES:,} sentences and was stopped{self.rules.where(scope.entry, scope.line)}", scope)

    def not_too_deep(self, what: str, scope: Scope) -> None:
        if len(self.state.frames) > MOST_DEPTH:
            raise RuleError(f"{what} more than {MOST_DEPTH} deep, which is as deep as is followed{self.rules.where(scope.entry, scope.line)}", scope)

    def why(self, scope: Scope) -> str:
        return f"{scope.entry}#{scope.line}"

    @abstractmethod
    def body(self, body: m.Body, scope: Scope) -> Scope:
        """Sentences one after the other; the scope with the words that they brought in."""

    @abstractmethod
    def fire(self) -> None:
        """Whatever levels were reached happens now."""

    @abstractmethod
    def act(self, node: m.Sentence, scope: Scope) -> Scope:
        """One sentence."""

    @abstractmethod
    def hear(self, when: str, happening: Happening) -> None:
        """Everything that listens answers."""

    @abstractmethod
    def replaced(self, happening: Happening, after: bool = False) -> bool:
        """Whether a rule has stood in for it."""

    @abstractmethod
    def fitting(self, event: m.Event, happening: Happening, scope: Scope) -> Scope | None:
        """The scope in which a rule hears the happening."""

    @abstractmethod
    def decide(self, effect: Any, scope: Scope) -> Any:
        """The answer of somebody to a choice."""

    @abstractmethod
    def set_number(self, who: str, stat: str, value: int) -> None:
        """A number of somebody is this now, as far as its bounds let it."""

    @abstractmethod
    def barred(self, id: str, roles: dict[str, Value]) -> Any:
        """Why a procedure cannot be begun."""


def stopped_by(stopped: tuple[str, str]) -> Exception:
    return Ended(stopped[1]) if stopped[0] == "end" else GoneBack(stopped[1])


def wrapped(body: m.Body, limits: tuple[m.Limit, ...]) -> m.Body:
    for limit in reversed(limits):
        body = (m.Limited(limit, body),)
    return body


def is_offer(body: m.Body) -> bool:
    """Whether somebody decides about the whole of it."""
    while len(body) == 1 and isinstance(body[0], m.If | m.Limited):
        body = body[0].body
    return len(body) == 1 and isinstance(body[0], m.May)


def row_meaning(row: Row) -> m.Body:
    return tuple(sentence for cell in row.cells.values() for sentence in cell.meaning)
