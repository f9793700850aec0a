"""The making of a character: the pack's own procedure, run from a blank sheet.

The procedure is always run from the beginning, with the answers that are known; the first question without one stops it. So going a step back,
resuming after a kill, and looking through a finished character are the same thing: a list of answers that is shorter, or read from a file, or
complete.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any, cast

from te_forge.characters.character import Answer, Character, from_state
from te_forge.characters.roster import Maker, Roster
from te_forge.engine.acting import MOST_EXPLOSIONS, Ended, GoneBack
from te_forge.engine.effects import (
    Chain,
    Choose,
    Decision,
    Draw,
    Effect,
    Keep,
    Look,
    Loop,
    Note,
    Number,
    Offer,
    Roll,
    Several,
    Share,
    allowed,
)
from te_forge.engine.evaluate import Evaluator
from te_forge.engine.reading import Reading, RuleError
from te_forge.engine.state import Dice, Map, Person, State, bag
from te_forge.keys import fold
from te_forge.model.system import Entry, Line, Step
from te_forge.safeyaml import Value
from te_forge.suggest import did_you_mean

MOST_QUESTIONS = 500
Question = Decision | Roll | Draw


class Stopped(Exception):
    """Nobody has an answer for this question."""


class Endless(Exception):
    """The making asks and asks."""


@dataclass(slots=True)
class Asked:
    """A question with its answer, and how many notes had been made before it."""

    name: str
    question: Question
    answer: Any
    before: int


@dataclass(slots=True)
class Run:
    """One run of the making: what was asked and noted; its last state; the question that it stopped at, if it did; a mistake in the rules, if one
    showed.
    """

    roster: Roster
    maker: Maker
    who: str
    asked: list[Asked] = field(default_factory=list)
    notes: list[Note] = field(default_factory=list)
    state: State = field(default_factory=State)
    open: Question | None = None
    failure: str = ""
    now: dict[tuple[str, str], int] = field(default_factory=dict)
    taken: list[str] = field(default_factory=list)
    again: bool = False
    """Whether it went back to a step that had been done."""
    begun: set[str] = field(default_factory=set)

    def number(self, stat: str, which: str = "value") -> int | None:
        """What a number (or a bound of it) is at this moment of the run."""
        if (stat, which) in self.now:
            return self.now[stat, which]
        reading = Reading(self.roster.rules, self.state)
        return reading.stat(self.who, stat) if which == "value" else reading.bounds(self.who, stat)[which == "most"]

    def hear(self, note: Note) -> None:
        self.notes.append(note)
        match note:
            case Note("set", (who, stat, value)) if who == self.who:
                self.now[stat, "value"] = value
            case Note("gain" | "loss", (who, stat, _, value)) if who == self.who:
                self.now[stat, "value"] = value
            case Note("bound-set", (who, stat, which, value)) if who == self.who:
                self.now[stat, which] = value
            case Note("take", (who, trait)) if who == self.who:
                self.taken.append(trait)
            case Note("drop", (who, trait)) if who == self.who and trait in self.taken:
                self.taken.remove(trait)
            case Note("step", (id,)):
                self.again = self.again or id in self.begun
                self.begun.add(id)


Decide = Callable[[Question, Run], Any]
"""Answers a question, or raises `Stopped`."""


class Driver:
    """Takes the rules through one run: hears what is noted, and has `decide` answer whatever is asked, dice included."""

    def __init__(self, run: Run, decide: Decide) -> None:
        self.run = run
        self.decide = decide

    def perform(self, effect: Effect) -> Any:
        match effect:
            case Note():
                self.run.hear(effect)
                return None
            case Chain(state, parts):
                for part in parts:
                    self.reach(state)
                    state, stopped = part(self.perform, state)
                    if stopped is not None:
                        return state, stopped
                return state, None
            case Loop():
                self.reach(effect.state)
                return effect.followed(self.perform, self.reach)
            case Look():
                raise AssertionError("dice that have been rolled are seen")
        return self.ask(effect)

    def reach(self, state: State) -> None:
        self.run.state = state

    def ask(self, question: Question) -> Any:
        run = self.run
        if len(run.asked) >= MOST_QUESTIONS:
            raise Endless
        run.open = question
        answer = self.decide(question, run)
        run.open = None
        run.asked.append(Asked(name_of(question, run.roster), question, answer, len(run.notes)))
        return answer


def make(roster: Roster, maker: Maker, who: str, decide: Decide) -> Run:
    """Run the making with what `decide` answers."""
    start = State(people=Map({who: Person(who, roster.kind)}))
    run = Run(roster, maker, who, state=start)
    evaluator = Evaluator(roster.rules, start, Driver(run, decide).perform)
    try:
        with suppress(Ended, GoneBack):
            evaluator.do(maker.procedure.id, {maker.role: who})
        run.state, run.now = evaluator.state, {}
    except Stopped:
        pass
    except Endless:
        run.failure = f"the making asked {MOST_QUESTIONS} questions and came to no end"
    except RuleError as error:
        run.failure = f"{error} ({error.scope.entry})" if error.scope.entry else str(error)
    return run


# ---------------------------------------------------------------- who asks


def asker(question: Question, roster: Roster) -> tuple[Entry | None, Step | None, Line | None]:
    """The entry, and its step or line, that a question comes from."""
    id, _, place = question.why.partition("#") if not isinstance(question, Draw) else ("", "", "")
    entry = roster.rules.entries.get(id)
    if entry is None:
        return None, None, None
    step = next((one for one in entry.steps if one.id == f"{id}#{place.partition('/')[0]}"), None)
    return entry, step, next((one for one in entry.lines if one.id == place), None)


def name_of(question: Question, roster: Roster) -> str:
    """What a question is called in a file: by the step that asks, else by the thing whose rule asks."""
    entry, step, _ = asker(question, roster)
    if step is not None:
        return fold(step.name)
    if isinstance(question, Draw):
        deck = roster.rules.entries.get(question.deck)
        return fold(deck.name) if deck is not None else "Draw"
    return fold(entry.name) if entry is not None else "Question"


# ---------------------------------------------------------------- answers in words

YES, NO, NOTHING = "yes", "no", "nothing"


class BadAnswer(Exception):
    """This is no answer to the question. The text says why."""


def in_words(question: Question, answer: Any) -> Value:
    """An answer as it is written."""
    match question:
        case Choose():
            return option_words(question)[question.options.index(answer)]
        case Offer():
            return YES if answer else NO
        case Number():
            return str(answer)
        case Share():
            return {name: str(number) for name, number in zip(place_words(question), answer, strict=True) if number}
        case Several():
            return tuple(answer)
        case Keep() | Roll():
            return tuple(dice_words(answer, question))
        case Draw():
            return tuple(answer)


def option_words(question: Choose) -> tuple[str, ...]:
    """A word for each option: its label, or its id where two have one label."""
    labels = tuple(fold(label) for label in question.labels) or tuple(map(str, question.options))
    return tuple(
        NOTHING if option is None else str(option) if labels.count(label) > 1 else label
        for option, label in zip(question.options, labels, strict=True)
    )


def place_words(question: Share) -> tuple[str, ...]:
    words = tuple(map(fold, question.places))
    return tuple(f"{word} ({at})" if words.count(word) > 1 else word for at, word in enumerate(words, 1))


def dice_words(dice: Dice, question: Keep | Roll) -> list[str]:
    """Faces; where dice of several sorts lie together, with their sides."""
    sides = {die[1] for die in question.dice}
    return [str(face) if len(sides) == 1 else f"{face} of d{side}" for face, side in dice]


def understood(question: Question, said: Value) -> Any:
    """The answer that was written, or `BadAnswer`."""
    match question:
        case Choose():
            return chosen(question, text_of(said))
        case Offer():
            return yes_or_no(text_of(said))
        case Number(low=low, high=high):
            number = whole(text_of(said))
            if not low <= number <= high:
                raise BadAnswer(f"{number} is not from {low} to {high}")
            return number
        case Share():
            return shared(question, said)
        case Several(options=options):
            names = [one for one in listed(said) if one.casefold() != NOTHING]
            found = [match_of(name, options) for name in names]
            return tuple(option for option in options if option in found)
        case Keep():
            return kept(question, listed(said))
        case Roll():
            return rolled(question, listed(said))
        case Draw(cards=cards):
            return tuple(match_of(one, cards) for one in listed(said))


def text_of(said: Value) -> str:
    if isinstance(said, tuple) and len(said) == 1 and isinstance(said[0], str):
        return said[0]
    if isinstance(said, str) and said.strip():
        return said.strip()
    raise BadAnswer("one answer is needed here")


def listed(said: Value) -> list[str]:
    if isinstance(said, str):
        return [one.strip() for one in said.split(",") if one.strip()]
    if said is None:
        return []
    if isinstance(said, tuple) and all(isinstance(one, str) for one in said):
        return [one.strip() for one in cast("tuple[str, ...]", said)]
    raise BadAnswer("a list is needed here")


def whole(text: str) -> int:
    text = text.strip()
    if not (text.lstrip("+-").isdecimal() and text.isascii() and len(text) < 10):
        raise BadAnswer(f"`{text[:40]}` is no whole number")
    return int(text)


def yes_or_no(text: str) -> bool:
    if text.casefold() in ("yes", "y", "true"):
        return True
    if text.casefold() in ("no", "n", "false", NOTHING):
        return False
    raise BadAnswer("the answer is `yes` or `no`")


def match_of(name: str, options: Sequence[str]) -> str:
    """The option that is called this."""
    wanted = fold(name).casefold()
    found = next((option for option in options if fold(option).casefold() == wanted), None)
    if found is None:
        raise BadAnswer(f"`{name[:40]}` is not offered here{did_you_mean(name, options) or '; there is ' + ', '.join(options)}")
    return found


def chosen(question: Choose, text: str) -> Any:
    words = option_words(question)
    by_id = next((option for option in question.options if option == text), None)
    return by_id if by_id is not None else question.options[words.index(match_of(text, words))]


def shared(question: Share, said: Value) -> tuple[int, ...]:
    given = dict.fromkeys(place_words(question), 0)
    if said is not None and not isinstance(said, dict):
        if listed(said):
            raise BadAnswer("points are shared as `{One: 2, Another: 1}`")
        said = {}
    for name, value in (said or {}).items():
        given[match_of(name, tuple(given))] += whole(value if isinstance(value, str) else "")
    answer = tuple(given.values())
    if not allowed(question, answer):
        raise BadAnswer(wrong_share(question, answer))
    return answer


def wrong_share(question: Share, answer: tuple[int, ...]) -> str:
    """Why points cannot be shared like this."""
    total = sum(answer)
    if any(number < 0 for number in answer):
        return "nothing can be taken away here"
    if total > question.total or (question.exactly and total != question.total):
        spent = f"{total} point{'s' * (total != 1)} {'is' if total == 1 else 'are'} spent"
        return f"{spent}, and the rules give {'exactly' if question.exactly else 'at most'} {question.total}"
    place, most = next((place, most) for place, most, number in zip(question.places, question.most, answer, strict=True) if number > most)
    return f"`{place}` can take {most} more at most"


def kept(question: Keep, names: list[str]) -> Dice:
    left = list(question.dice)
    taken = []
    for name in names:
        die = next((one for one in left if str(one[0]) == name or f"{one[0]} of d{one[1]}" == name), None)
        if die is None:
            raise BadAnswer(f"no die here shows `{name[:20]}`")
        left.remove(die)
        taken.append(die)
    if not question.least <= len(taken) <= question.most:
        many = f"{question.least}" if question.least == question.most else f"{question.least} to {question.most}"
        raise BadAnswer(f"{many} dice are needed here")
    return bag(taken)


def rolled(question: Roll, names: list[str]) -> Dice:
    sorts = {sides: (count, exploding) for count, sides, exploding in question.dice}
    found = [die_of(name, tuple(sorts)) for name in names]
    for sides, (count, exploding) in sorts.items():
        shown = [face for face, side in found if side == sides]
        wanted = count + min(MOST_EXPLOSIONS, sum(face in exploding for face in shown))
        if len(shown) != wanted:
            raise BadAnswer(f"{wanted} d{sides} are rolled here, and {len(shown)} are stated")
    return bag(found)


def die_of(name: str, sorts: tuple[int, ...]) -> tuple[int, int]:
    face, _, stated = name.partition(" of d")
    number, sides = whole(face), whole(stated) if stated else sorts[0]
    if sides not in sorts or (not stated and len(sorts) > 1):
        raise BadAnswer("say which die shows what: " + ", ".join(f"`3 of d{one}`" for one in sorts))
    if not 1 <= number <= sides:
        raise BadAnswer(f"no die here shows `{name[:20]}`")
    return number, sides


def answers_of(run: Run) -> tuple[Answer, ...]:
    """What was answered, as it is written down."""
    return tuple(Answer(one.name, in_words(one.question, one.answer)) for one in run.asked)


def finished(run: Run, blank: Character) -> Character:
    """The character that a finished run has made."""
    roster, reading = run.roster, Reading(run.roster.rules, run.state)
    made = from_state(run.state, run.who, blank)
    numbers = {
        entry.id: reading.stat(run.who, entry.id)
        for entry in roster.numbers
        if entry.id in made.numbers or (roster.is_theirs(entry) and not roster.is_derived(entry))
    }
    return replace(made, name=blank.name, numbers=numbers, making=answers_of(run), finished=True)
