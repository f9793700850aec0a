"""Examples, played: an example sets people up, does something, scripts dice and choices, and expects."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any

from te_forge.check.lint_view import nodes
from te_forge.check.names import slug
from te_forge.engine.effects import Chain, Choose, Draw, Keep, Note, Number, Offer, Roll, Several, Share
from te_forge.engine.evaluate import Ended, Evaluator, GoneBack
from te_forge.engine.index import Rules
from te_forge.engine.people import add_person, with_number
from te_forge.engine.reading import Reading, RuleError, as_group
from te_forge.engine.state import Dice, Person, Scope, State, bag
from te_forge.model import rules as m
from te_forge.model.system import Entry, Line
from te_forge.source import Span


@dataclass(frozen=True, slots=True)
class Failure:
    """Where an example and the rules part: the line, what was expected, what the rules came to."""

    span: Span
    message: str
    help: str = ""


@dataclass(slots=True)
class Played:
    """What happened in an example: its end, everything noted on the way, and the first failure."""

    example: Entry
    state: State
    notes: list[Note] = field(default_factory=list)
    failure: Failure | None = None


class Unanswered(Exception):
    """The script has no answer for this."""

    def __init__(self, effect: Any) -> None:
        self.effect = effect
        self.state: State | None = None


@dataclass(slots=True)
class Cue:
    """One item of the script: what somebody shows or picks, and where it is written."""

    who: str
    verb: str
    what: str | int
    span: Span


def play_example(rules: Rules, example: Entry, start: State | None = None) -> Played:
    """Play one example from its own setup."""
    try:
        played = Played(example, setup(rules, example, start or State()))
    except RuleError as error:
        return Played(example, start or State(), failure=Failure(example.span, str(error)))
    player = Player(rules, played)
    for step in example.steps:
        player.offered = []
        for line in step.lines:
            player.line(line)
            if played.failure is not None:
                return played
        player.finish()
        if played.failure is not None:
            return played
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
                loose += [(entry.id, atom.value) for entry in rules.entries.values() if entry.name == one.label and rules.nature(entry.kind) == "number"][:1]
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


class Player:
    """Runs the lines of an example; answers come from the cues that follow an action."""

    def __init__(self, rules: Rules, played: Played) -> None:
        self.rules, self.played = rules, played
        self.cues: list[Cue] = []
        self.waiting: tuple[m.Sentence, Span] | None = None
        self.offered: list[Any] = []

    # ------------------------------------------------------------ lines

    def line(self, line: Line) -> None:
        for node in line.meaning:
            if self.played.failure is not None:
                return
            match node:
                case m.Script(who, verb, what):
                    name = str(Reading(self.rules, self.played.state).value(who, Scope()))
                    self.cues += [Cue(name, verb, self.cue(one), line.span) for one in what] or [Cue(name, verb, "nothing", line.span)]
                case m.Expect(condition):
                    self.run_waiting(line.span)
                    if self.played.failure is None:
                        self.expect(condition, line)
                case _:
                    self.finish()
                    self.waiting = (node, line.span)
                    self.offered = []
        for below in line.lines:
            if below.meaning and not line.meaning:
                self.line(below)

    def cue(self, what: m.Expr | str) -> str | int:
        if isinstance(what, m.Int):
            return what.value
        return what if isinstance(what, str) else str(Reading(self.rules, self.played.state).value(what, Scope()))

    def finish(self) -> None:
        """Whatever was begun runs to its end; a cue that nothing asked for is a mistake."""
        self.run_waiting(None)
        if self.cues and self.played.failure is None:
            cue = self.cues[0]
            self.fail(cue.span, f"nothing asks {self.name(cue.who)} for `{self.name(cue.what)}` here")

    def run_waiting(self, place: Span | None) -> None:
        if self.waiting is None:
            return
        node, span = self.waiting
        self.waiting = None
        notes: list[Note] = []
        evaluator = Evaluator(self.rules, self.played.state, lambda effect: self.answer(effect, notes))
        try:
            evaluator.body((node,), Scope())
            self.played.state = evaluator.state
        except Unanswered as left:
            if place is None or self.cues:
                at = self.cues[0].span if self.cues else span
                self.fail(at, f"the rules ask for {self.asked(left.effect)}", "say it in the script, in the order in which the rules ask")
            self.played.state = left.state or evaluator.state
        except (Ended, GoneBack):
            self.played.state = evaluator.state
        except RuleError as error:
            self.fail(span, str(error))
        self.played.notes += notes

    # ------------------------------------------------------------ answers

    def answer(self, effect: Any, notes: list[Note]) -> Any:
        match effect:
            case Note():
                notes.append(effect)
                if effect.what == "forced":
                    self.forced(*effect.data)
                return None
            case Chain(state, parts):
                for one in parts:
                    state, stopped = one(lambda inner: self.answer(inner, notes), state)
                    if stopped is not None:
                        return state, stopped
                return state, None
            case Roll():
                return self.shown(effect)
            case Draw():
                return self.drawn(effect)
        self.offered.append(effect)
        return self.picked(effect)

    def shown(self, effect: Roll) -> Dice:
        sides = [die[1] for die in effect.dice for _ in range(die[0])]
        cues = self.next(effect.who, "shows", len(sides), effect)
        faces = [cue.what for cue in cues]
        if any(not isinstance(face, int) or not 1 <= face <= side for face, side in zip(faces, sides, strict=True)):
            raise Unanswered(effect)
        return bag([(int(face), side) for face, side in zip(faces, sides, strict=True)])

    def drawn(self, effect: Draw) -> str:
        raise Unanswered(effect)

    def next(self, who: str, verb: str, count: int, effect: Any) -> list[Cue]:
        found = [cue for cue in self.cues if cue.verb == verb][:count]
        if len(found) < count or not all(self.speaks(cue.who, who) for cue in found):
            raise Unanswered(effect)
        for cue in found:
            self.cues.remove(cue)
        return found

    def speaks(self, speaker: str, who: str) -> bool:
        """Everybody speaks for themselves; somebody of whom there is one only (the one who runs the game) for those who are entries."""
        entry = self.rules.entries.get(speaker)
        return speaker == who or (entry is not None and entry.kind == "kind" and who in self.rules.entries)

    def mine(self, who: str) -> Cue | None:
        """The next pick, if it is this one's."""
        cue = next((cue for cue in self.cues if cue.verb == "picks"), None)
        return cue if cue is not None and self.speaks(cue.who, who) else None

    def forced(self, who: str, values: tuple[Any, ...]) -> None:
        """What could only be answered in one way may be said all the same."""
        picks = [cue for cue in self.cues if cue.verb == "picks"][: len(values)]
        said = list(values)
        for cue in picks:
            match = next((one for one in said if cue.what == one or self.names_it(cue.what, (one, self.name(one)))), None)
            if match is None or not self.speaks(cue.who, who):
                return
            said.remove(match)
        for cue in picks if not said else ():
            self.cues.remove(cue)

    def picked(self, effect: Any) -> Any:
        cue = self.mine(effect.who)
        match effect:
            case Offer(names=names):
                if cue is not None and (cue.what in ("Yes", "No") or self.names_it(cue.what, names)):
                    self.cues.remove(cue)
                    return cue.what != "No"
                return False
            case Choose(options=options, labels=labels):
                if cue is not None:
                    for option, label in zip(options, labels, strict=True):
                        if cue.what == option or self.names_it(cue.what, (label,)) or (option is None and cue.what == "nothing"):
                            self.cues.remove(cue)
                            return option
                raise Unanswered(effect)
            case Number(low=low, high=high):
                if cue is not None and isinstance(cue.what, int) and low <= cue.what <= high:
                    self.cues.remove(cue)
                    return cue.what
                raise Unanswered(effect)
            case Keep():
                return self.kept(effect)
            case Share():
                return self.shared(effect)
            case Several(options=options):
                taken = []
                while (cue := self.mine(effect.who)) is not None and any(self.names_it(cue.what, (option,)) for option in options):
                    self.cues.remove(cue)
                    taken.append(next(option for option in options if self.names_it(cue.what, (option,))))
                return tuple(option for option in options if option in taken)
        raise Unanswered(effect)

    def kept(self, effect: Keep) -> Dice:
        cues = [cue for cue in self.cues if cue.verb == "picks"]
        faces: list[int] = []
        for cue in cues[: effect.most]:
            if not self.speaks(cue.who, effect.who) or not isinstance(cue.what, int):
                break
            faces.append(cue.what)
        left = list(effect.dice)
        taken = []
        for face in faces:
            die = next((one for one in left if one[0] == face), None)
            if die is None:
                break
            left.remove(die)
            taken.append(die)
        if len(taken) < effect.least:
            raise Unanswered(effect)
        for cue in cues[: len(taken)]:
            self.cues.remove(cue)
        return bag(taken)

    def shared(self, effect: Share) -> tuple[int, ...]:
        numbers = []
        for _ in effect.places:
            cue = self.mine(effect.who)
            if cue is None or not isinstance(cue.what, int):
                raise Unanswered(effect)
            self.cues.remove(cue)
            numbers.append(cue.what)
        return tuple(numbers)

    def names_it(self, what: str | int, names: tuple[Any, ...]) -> bool:
        """Whether a pick means one of these: by id, by name, or by label."""
        said = {slug(str(what)), slug(self.name(what))}
        return any(slug(str(name)) in said for name in names if name is not None)

    def name(self, id: Any) -> str:
        entry = self.rules.entries.get(str(id))
        return entry.name if entry is not None else str(id)

    # ------------------------------------------------------------ expectations

    def expect(self, condition: m.Condition, line: Line) -> None:
        reading = Reading(self.rules, self.played.state)
        for test in parts_of(condition):
            if isinstance(test, m.Offered):
                if self.was_offered(test.what) == test.negated:
                    self.fail(line.span, f"{test.what} {'is' if test.negated else 'is not'} offered here")
                    return
            elif not reading.holds(test, Scope()):
                self.fail(line.span, self.instead(test, reading))
                return

    def was_offered(self, what: str) -> bool:
        return any(self.offers(effect, what) for effect in self.offered)

    def offers(self, effect: Any, what: str) -> bool:
        number = int(what) if what.isdecimal() else None
        match effect:
            case Offer(names=names):
                return self.names_it(what, names)
            case Choose(options=options, labels=labels):
                return self.names_it(what, (*labels, *options))
            case Number(low=low, high=high):
                return number is not None and low <= number <= high
            case Share(total=total, exactly=exactly):
                return number is not None and (number == total if exactly else number <= total)
            case Keep(dice=dice):
                return number is not None and any(face == number for face, _ in dice)
            case Several(options=options):
                return self.names_it(what, options)
        return False

    def instead(self, test: m.Condition, reading: Reading) -> str:
        if isinstance(test, m.Compare):
            left, right = reading.value(test.left, Scope()), reading.value(test.right, Scope())
            return f"this comes to {self.shown_value(left)}, and {'not ' if test.negated else ''}{test.op} {self.shown_value(right)} was expected"
        return "this does not hold"

    def shown_value(self, value: Any) -> str:
        return ", ".join(self.name(one) for one in as_group(value)) if not isinstance(value, int) else str(value)

    def asked(self, effect: Any) -> str:
        who = self.name(getattr(effect, "who", ""))
        match effect:
            case Roll(dice=dice):
                return f"{sum(one[0] for one in dice)} dice of {who}"
            case Choose(labels=labels, word=word):
                return f"a choice of {who} ({word}: {', '.join(labels)})"
            case Number(low=low, high=high, word=word):
                return f"a number of {who} ({word}: {low} to {high})"
            case Keep(least=least, most=most, dice=dice, verb=verb):
                return f"{least if least == most else f'{least} to {most}'} dice that {who} {verb} out of {', '.join(str(face) for face, _ in dice)}"
            case Share(total=total, places=places):
                return f"{total} points of {who} over {', '.join(places)}"
        return f"something of {who}"

    def fail(self, span: Span, message: str, help: str = "") -> None:
        if self.played.failure is None:
            self.played.failure = Failure(span, message, help)


def parts_of(condition: m.Condition) -> Iterator[m.Condition]:
    if isinstance(condition, m.Every):
        yield from condition.tests
    else:
        yield condition
