"""A game at a table: a state, the commands that led to it, and the answers that they needed.

Everything that happens is a function of the events, so a log is enough to have the game again. `events` are those that count; `at` is how far they
have been played. Behind the last one, dice fall by the seed, and choices are asked of `decide`; each answer is logged before the rules go on. Taking
something back cuts the events and plays the command that was cut into again from the state before it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, TypeGuard

from te_forge.asked import Refused
from te_forge.engine.acting import Ended, GoneBack
from te_forge.engine.effects import Chain, Decision, Draw, Effect, Look, Loop, Note, Roll, allowed
from te_forge.engine.evaluate import Evaluator, StepPart
from te_forge.engine.index import Rules
from te_forge.engine.reading import Reading, RuleError
from te_forge.engine.state import Dice, Map, Result, Scope, State
from te_forge.foremost import foremost
from te_forge.play.log import BadLog, Event, LogFile, as_tuples, last_of_person
from te_forge.play.may import Run
from te_forge.play.names import ended, name, playable
from te_forge.play.spans import rooms
from te_forge.play.words import Teller
from te_forge.seeded import TooManyDice, could_show, drawn, thrown

Command = dict[str, Any]
Decide = Callable[[Decision, "Table"], tuple[Any, str]]
"""Answers a choice, and says who did: empty for a person."""


class TakenBack(Exception):
    """A person who was asked takes the last thing back instead."""


class LogEnds(Exception):
    """There is no more in the log, and nobody to go on. It would be up to `who`."""

    def __init__(self, who: str) -> None:
        super().__init__(who)
        self.who = who


def first_role(state: State) -> str:
    """Who has the first role of what runs."""
    frame = state.frame
    return str(frame.words[frame.roles[0]].base) if frame.roles else ""


@dataclass
class Mark:
    """Where a command begins: its place in the events, and everything as it was before it."""

    at: int
    state: State
    bots: dict[str, str]


@dataclass
class Table:
    rules: Rules
    seed: str
    teller: Teller
    decide: Decide
    log: LogFile | None = None
    state: State = field(default_factory=State)
    bots: dict[str, str] = field(default_factory=dict)
    events: list[Event] = field(default_factory=list)
    at: int = 0
    marks: list[Mark] = field(default_factory=list)
    rolls: int = 0
    choices: int = 0
    current: State = field(default_factory=State)
    """The state at the choice that is being asked, in the middle of a command."""
    asked: dict[Decision, State] = field(default_factory=dict)
    """What was asked in this command, and the last state in which it was."""
    result: Result | None = None
    path: str = "the log"
    pause: Callable[[str, Table], str] | None = None
    """Lets somebody act in a procedure that leaves room for it, by `do`; says who did: empty for a person."""
    inside: str = ""
    """The procedure that leaves room for what is done now."""
    acted: bool = False
    """Whether the log has something that was done there, before it ends."""
    asking: bool = False
    """Whether somebody is being asked."""
    closed: bool = False
    """Whether nothing is added to the events: the log is only read."""

    @property
    def live(self) -> bool:
        return self.at == len(self.events)

    # ------------------------------------------------------------ commands

    def do(self, command: Command, by: str = "") -> None:
        """Carry out a command. One that cannot be carried out is `Refused`, and nothing has changed."""
        from te_forge.play.commands import prepared

        run = prepared(self, command)
        if not self.inside:
            self.marks.append(Mark(self.at, self.state, dict(self.bots)))
        self.append({**command, **({"by": by} if by else {})})
        if self.inside:
            self.carry_out_inside(run)
        else:
            self.carry_out(run)

    def play_on(self) -> None:
        """Play what the events say, to their end; a command that they break off in goes on from there."""
        from te_forge.play.commands import prepared

        while not self.live:
            event = self.events[self.at]
            if not event.is_command:
                raise self.bad(event, "this answers nothing: no choice is open here")
            try:
                run = prepared(self, dict(event.data))
            except Refused as refused:
                raise self.bad(event, f"this cannot be done here: {refused}") from None
            self.marks.append(Mark(self.at, self.state, dict(self.bots)))
            self.at += 1
            self.carry_out(run)

    def carry_out(self, run: Run) -> None:
        """All or nothing: a mistake in the rules that shows in play leaves everything as it was before the command."""
        self.teller.forget()
        self.current, self.result, self.asked = self.state, None, {}
        evaluator = Evaluator(self.rules, self.state, self.perform)
        try:
            self.result = run(evaluator)
            evaluator.fire()
        except (Ended, GoneBack):
            pass
        except RuleError as error:
            self.stopped(f"{error} ({self.line_of(error)})")
            return
        except TooManyDice as error:
            self.stopped(str(error))
            return
        self.state = self.current = evaluator.state

    def carry_out_inside(self, run: Run) -> None:
        """The same in the middle of a procedure, whose frames stay."""
        evaluator = Evaluator(self.rules, self.state, self.perform)
        try:
            run(evaluator)
            evaluator.fire()
        except (Ended, GoneBack):
            pass
        except TooManyDice as error:
            raise RuleError(str(error), Scope()) from None
        self.state = self.current = evaluator.state

    def room(self, procedure: str, state: State) -> State:
        """What somebody does in a procedure that leaves room for it; the state after that."""
        from te_forge.play.commands import prepared

        outer, around = self.state, self.inside
        self.state, self.current, self.inside = state, state, procedure
        who, self.acted = first_role(state), False
        self.teller.catch_up()
        try:
            while not self.live and self.events[self.at].is_command:
                event = self.next_event()
                try:
                    run = prepared(self, dict(event.data))
                except Refused as refused:
                    raise self.bad(event, f"this cannot be done here: {refused}") from None
                self.carry_out_inside(run)
                self.acted = True
            if not self.live:
                event = self.next_event()
                if event.data.get("on") != who:
                    raise self.bad(event, f"here {name(self.rules, who)} goes on, and the line says something else")
                return self.state
            self.teller.release()
            if self.closed:
                raise LogEnds(who)
            by = self.pause(who, self) if self.pause is not None else "nobody"
            self.append({"on": who, **({"by": by} if by else {})})
            return self.state
        finally:
            self.state, self.inside = outer, around

    def stopped(self, why: str) -> None:
        self.current = self.state
        self.teller.forget()
        self.teller.say(ended(f"This was stopped, and nothing of it counts: {why}"))

    def line_of(self, error: RuleError) -> str:
        span = self.rules.place(error.scope.entry, error.scope.line)
        return f"{span.file}:{span.line}" if span is not None else "in the rules"

    def bad(self, event: Event, why: str) -> BadLog:
        return BadLog(f"line {event.line} of {self.path}: {why}", event.line - 1)

    # ------------------------------------------------------------ answers

    @cached_property
    def foremost(self) -> frozenset[str]:
        """The procedures that people look for, and not those that only do a part of the work of others."""
        return frozenset(entry.id for entry in foremost(self.rules.system, list(playable(self.rules))))

    @cached_property
    def rooms(self) -> frozenset[str]:
        return rooms(self.rules)

    def perform(self, effect: Effect) -> Any:
        match effect:
            case Note("asked", (state,)):
                self.current = state
            case Note():
                self.teller.note(effect)
            case Chain(state, parts):
                for one in parts:
                    state, stopped = one(self.perform, state)
                    self.teller.state(state)
                    if stopped is None and isinstance(one, StepPart) and one.entry.id in self.rooms and one.number == len(one.entry.steps) - 1:
                        state = self.room(one.entry.id, state)
                    if stopped is not None:
                        return state, stopped
                return state, None
            case Loop():
                with self.teller.rounds() as each:
                    return effect.followed(self.perform, each)
            case Roll() | Draw():
                return self.chance(effect)
            case Look():
                raise AssertionError("dice that have been rolled are seen")
            case _:
                return self.choice(effect)
        return None

    def chance(self, effect: Roll | Draw) -> Any:
        number = self.rolls
        found = thrown(self.seed, number, effect) if isinstance(effect, Roll) else drawn(self.seed, number, effect)
        word = ("roll", effect.who, "shows") if isinstance(effect, Roll) else ("draw", effect.deck, "is")
        if self.live:
            self.teller.release()
            if self.closed:
                raise LogEnds(effect.who)
            self.append({word[0]: word[1], word[2]: found})
        else:
            event = self.next_event()
            said = as_tuples(event.data.get(word[2]))
            if event.data.get(word[0]) != word[1] or said is None:
                raise self.bad(event, f"here {name(self.rules, word[1])} {word[0]}s, and the line says something else")
            if isinstance(effect, Roll) and not (is_bag(said) and could_show(effect, said)):
                raise self.bad(event, "these are not the dice that are rolled here")
            if said != found:
                raise self.bad(event, f"these are not the dice that fall by the seed {self.seed}")
        self.rolls += 1
        return found

    def again(self, effect: Decision) -> bool:
        """Whether just this was asked before in just this state: who answers by a rule would then answer the same for ever."""
        now = uncounted(self.current)
        same = self.asked.get(effect) == now
        self.asked[effect] = now
        return same

    def choice(self, effect: Decision) -> Any:
        if self.live:
            self.teller.release()
            self.asking = True
            try:
                answer, by = self.decide(effect, self)
            finally:
                self.asking = False
            self.append({"choice": effect.who, "is": answer, **({"by": by} if by else {})})
        else:
            event = self.next_event()
            if "by" not in event.data:
                self.teller.catch_up()
            answer = as_tuples(event.data.get("is"))
            if event.data.get("choice") != effect.who:
                raise self.bad(event, f"here {name(self.rules, effect.who)} is asked, and the line says something else")
            if "is" not in event.data or not sound(effect, answer):
                raise self.bad(event, f"`{event.data.get('is')}` is not an answer to what {name(self.rules, effect.who)} is asked here")
        self.choices += 1
        return answer

    def next_event(self) -> Event:
        event = self.events[self.at]
        self.at += 1
        return event

    def append(self, data: Mapping[str, Any]) -> None:
        line = self.log.write(data) if self.log is not None else len(self.events) + 2
        self.events.append(Event(data, line))
        self.at += 1

    # ------------------------------------------------------------ taking back

    def take_back(self) -> str:
        """Take back the last thing that a person gave, with all that came of it; what it was. The command that it was a part of is open again."""
        cut = last_of_person(self.events)
        if cut is None:
            raise Refused("there is nothing to take back")
        data = self.events[cut].data
        if self.log is not None:
            self.log.write({"undo": True})
        del self.events[cut:]
        while self.marks and self.marks[-1].at > cut:
            self.marks.pop()
        mark = self.marks.pop()
        self.state, self.bots, self.at = mark.state, mark.bots, mark.at
        self.current = self.state
        before = self.events[: self.at]
        self.rolls = sum("roll" in event.data or "draw" in event.data for event in before)
        self.choices = sum("choice" in event.data for event in before)
        return said_of(self.rules, data)

    def reading(self) -> Reading:
        return Reading(self.rules, self.current)


def uncounted(state: State) -> State:
    """A state without how often something limited was used: going back to the same question uses its limit, and changes nothing else."""
    return state.running(tuple(replace(frame, counts=Map()) for frame in state.frames))


def is_bag(said: object) -> TypeGuard[Dice]:
    return isinstance(said, tuple) and all(isinstance(die, tuple) and len(die) == 2 and all(type(one) is int for one in die) for die in said)


def sound(effect: Decision, answer: Any) -> bool:
    """Whether something read from a file is an answer; a file may hold anything."""
    try:
        return allowed(effect, answer)
    except (TypeError, ValueError):
        return False


def said_of(rules: Rules, data: Mapping[str, Any]) -> str:
    if "on" in data:
        return "going on"
    if "choice" in data:
        value = as_tuples(data.get("is"))
        return {True: "yes", False: "no"}.get(value, name(rules, value)) if isinstance(value, bool) else name(rules, value)
    return " ".join(
        str(part) for part in (data["do"], name(rules, data.get("id")) if "id" in data else data.get("sheet", data.get("who", "")))
    ).strip()
