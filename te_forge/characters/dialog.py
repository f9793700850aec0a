"""The making of a character as a talk in the terminal: what the rules say at each step, what can be chosen, and what it gives.

Nothing is kept here but answers and notes. After each the whole making is gone through again, so that a step back is one answer less, and whoever
stores what `kept` is given can go on from it at any time.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from shutil import get_terminal_size
from typing import Any

from te_forge.characters.character import OPEN, Character
from te_forge.characters.lines import MOST_LETTERS
from te_forge.characters.making import (
    BadAnswer,
    Question,
    Run,
    Stopped,
    answers_of,
    finished,
    in_words,
    listed,
    make,
    understood,
    wrong_share,
)
from te_forge.characters.policies import by_chance
from te_forge.characters.roster import Maker, Roster, question_of
from te_forge.characters.sheet import WIDE, Clerk, TraitOnSheet, first_sentence, trait_as_text
from te_forge.characters.typed import option_called, place_called, points_in
from te_forge.engine.effects import Choose, Draw, Keep, Note, Number, Offer, Roll, Several, Share, allowed
from te_forge.engine.purse import left
from te_forge.model.system import Entry, plain
from te_forge.report import in_columns, visible, width

HELP = (
    "At every question: `back` changes the answer before, `?` shows the rules of what is offered, and Ctrl-C stops. "
    "What you have answered is kept as you go."
)


class Back(Exception):
    """One answer back, please."""


@dataclass
class Dialog:
    """`ask` shows a prompt and returns a line, `say` prints one, `kept` is given the unfinished character after every answer."""

    roster: Roster
    maker: Maker
    blank: Character
    ask: Callable[[str], str]
    say: Callable[[str], None]
    kept: Callable[[Character], None]
    answers: list[Any] = field(default_factory=list)
    notes: dict[str, str] = field(default_factory=dict)
    told: int = 0
    """How many notes of the run have been printed."""

    # ------------------------------------------------------------ the talk

    def run(self) -> Character:
        """Ask until somebody is made."""
        self.wrap(HELP)
        while True:
            run = self.gone()
            if run.failure:
                raise BadAnswer(run.failure)
            note = self.next_note(run)
            try:
                if note is not None:
                    at, key, words = note
                    self.tell(run, at + 1)
                    self.wrap(f"{words}. Enter leaves it {'out' if self.is_step(key) else 'open'}.", 2)
                    said = self.line("> ", partial(self.explain_all, tuple(run.taken)))
                    self.notes[key] = said[:MOST_LETTERS] or ("" if self.is_step(key) else OPEN)
                elif run.open is None:
                    self.tell(run, len(run.notes))
                    return replace(finished(run, self.blank), notes={key: text for key, text in self.notes.items() if text})
                else:
                    self.tell(run, len(run.notes))
                    self.answers.append(self.answer(run.open, run))
            except Back:
                self.step_back(run)
            self.kept(self.so_far())

    def gone(self) -> Run:
        """As far as the answers go. Dice and cards come from the seed."""

        def decide(question: Question, run: Run) -> Any:
            at = len(run.asked)
            if at < len(self.answers):
                return self.answers[at]
            if not isinstance(question, Roll | Draw):
                raise Stopped
            self.answers.append(by_chance(question, self.blank.seed or 0, at))
            return self.answers[at]

        return make(self.roster, self.maker, self.blank.name, decide)

    def so_far(self) -> Character:
        run = self.gone()
        return replace(self.blank, making=answers_of(run), notes=dict(self.notes), finished=False)

    def resume(self, character: Character) -> list[str]:
        """Take over answers that were given before; what does not fit any more is left out from there on, and said."""
        lost: list[str] = []
        written = list(character.making or ())

        def decide(question: Question, run: Run) -> Any:
            at = len(run.asked)
            if at >= len(written) or lost:
                raise Stopped
            try:
                return understood(question, written[at].said)
            except BadAnswer as bad:
                lost.append(f"`{written[at].asked}` has to be answered anew: {bad}")
                raise Stopped from None

        run = make(self.roster, self.maker, self.blank.name, decide)
        self.answers = [one.answer for one in run.asked]
        self.notes = dict(character.notes)
        return lost

    def step_back(self, run: Run) -> None:
        """Forget the last thing that a person said."""
        said = [(one.before, at) for at, one in enumerate(run.asked) if not isinstance(one.question, Roll | Draw)]
        noted = [(at, key) for at, key, _ in self.wanted(run) if key in self.notes]
        if noted and (not said or noted[-1][0] >= said[-1][0]):
            self.told, key = noted[-1]
            del self.notes[key]
        elif said:
            self.told, at = said[-1]
            del self.answers[at:]
            self.notes = {key: text for key, text in self.notes.items() if key in {one for place, one, _ in self.wanted(run) if place < self.told}}
        else:
            self.say("  There is nothing before this.")
            return
        steps = [at for at, note in enumerate(run.notes[: self.told]) if note.what == "step"]
        self.told = steps[-1] if steps else 0
        self.say("")
        self.say("One step back.")

    # ------------------------------------------------------------ notes

    def wanted(self, run: Run) -> list[tuple[int, str, str]]:
        """What somebody writes down on the way: where in the notes of the run, under which key, and what it is about."""
        found: list[tuple[int, str, str]] = []
        step = ""
        for at, note in enumerate(run.notes):
            match note:
                case Note("step", (id,)):
                    step = next((one.name for one in self.maker.procedure.steps if one.id == id), step)
                case Note("say", (who, text)) if who == run.who and step:
                    found.append((at, step, f"Write down: {text}"))
                case Note("take", (who, trait)) if who == run.who and (asks := question_of(self.roster.rules.entries[trait])):
                    found.append((at, trait, f"{self.roster.rules.entries[trait].name} asks you to write down {asks}"))
                case _:
                    pass
        return found

    def next_note(self, run: Run) -> tuple[int, str, str] | None:
        return next((one for one in self.wanted(run) if one[1] not in self.notes), None)

    def is_step(self, key: str) -> bool:
        return key not in self.roster.rules.entries

    # ------------------------------------------------------------ what is told

    def wrap(self, text: str, inset: int = 0, hang: int = 0) -> None:
        for line in in_columns(visible(text), columns(), " " * inset, " " * (inset + hang)):
            self.say(line)

    def tell(self, run: Run, until: int) -> None:
        """Everything that happened since the last question: steps as the book has them, traits, numbers, dice."""
        before = [note.data for note in run.notes[: self.told] if note.what == "step"]
        notes = run.notes[self.told : until]
        self.told = max(self.told, until)
        changed: dict[str, str] = {}
        for note in notes:
            match note:
                case Note("step", (id,)):
                    self.changes(changed)
                    self.say("  By the rules this step is done again.") if (id,) in before else before.append((id,))
                    self.step(id)
                case Note("take" | "drop" as what, (who, trait)) if who == run.who:
                    noted = f" ({self.notes[trait]})" if self.notes.get(trait) else ""
                    self.wrap(f"{'You have' if what == 'take' else 'You have no longer'} {self.roster.rules.entries[trait].name}{noted}.", 2)
                case Note("set", (who, stat, value)) if who == run.who:
                    changed[stat] = f"{self.roster.rules.entries[stat].name} {value}"
                case Note("bound-set", (who, stat, which, value)) if who == run.who:
                    changed[f"{stat} {which}"] = f"{self.roster.rules.entries[stat].name}'s {which} {value}"
                case Note("roll", (_, dice)):
                    self.wrap("The dice show " + ", ".join(str(face) for face, _ in dice) + ".", 2)
                case _:
                    pass
        self.changes(changed)

    def changes(self, changed: dict[str, str]) -> None:
        if changed:
            self.wrap(", ".join(changed.values()) + ".", 2)
            changed.clear()

    def step(self, id: str) -> None:
        steps = self.maker.procedure.steps
        at, step = next(((at, one) for at, one in enumerate(steps, 1) if one.id == id), (0, None))
        if step is None:
            return
        self.say("")
        self.say(f"{at} of {len(steps)}  {visible(step.name)}")
        if prose := tidy_prose(plain(step.prose)):
            self.wrap(prose, 2)

    # ------------------------------------------------------------ questions

    def line(self, prompt: str, explain: Callable[[], None]) -> str:
        while True:
            said = self.ask("  " + visible(prompt)).strip()
            if said.casefold() in ("back", "b", "undo"):
                raise Back
            if said not in ("?", "help"):
                return said
            self.wrap(HELP, 2)
            explain()

    def answer(self, question: Question, run: Run) -> Any:
        """The answer of a person, asked for until it is one."""
        if isinstance(question, Share):
            return self.shared(question, run)
        self.offered(question, run)
        while True:
            said = self.line(self.prompt(question), lambda: self.explain(question))
            try:
                return understood(question, self.picked(question, said))
            except BadAnswer as bad:
                self.wrap(f"{capital(str(bad))}.", 2)

    def picked(self, question: Question, said: str) -> Any:
        """Numbers of a list as the options that they stand before."""
        options = shown_options(question)
        if not options:
            return tuple(re.split(r"[,\s]+", said)) if isinstance(question, Keep) and said else said
        names = [option_called(one, options) for one in listed(said)]
        return tuple(names) if isinstance(question, Several) else names[0] if len(names) == 1 else said

    def prompt(self, question: Question) -> str:
        word = capital(getattr(question, "word", ""))
        match question:
            case Number(low=low, high=high):
                return f"{word}, {low} to {high}: "
            case Offer():
                return "Yes or no: "
            case Several():
                return f"{word}, any of these (numbers or names, or nothing): "
            case Keep(least=least, most=most, verb=verb):
                return f"Which dice you {verb.removesuffix('s')} ({least if least == most else f'{least} to {most}'}): "
            case _:
                return f"{'Choice' if word in ('', 'Option') else word} (number or name): "

    def offered(self, question: Question, run: Run) -> None:
        """What can be answered, with what each thing is and gives."""
        match question:
            case Offer(names=names, price=price, fact=fact):
                self.wrap(" ".join(filter(None, [names[0] if names else "", f"for {price}" if price else "", f"if {fact}" if fact else ""])) + "?", 2)
            case Keep(dice=dice):
                self.wrap("There lie " + ", ".join(str(face) for face, _ in dice) + ".", 2)
            case Choose(why=why) if counted := left(self.roster.rules, run.state, why):
                self.wrap(f"{capital(counted)}.", 2)
            case _:
                pass
        ids = question.options if isinstance(question, Choose) else ()
        options = [with_number(name, ids[at], run) if ids else name for at, name in enumerate(shown_options(question))]
        widest = max((width(visible(one)) for one in options), default=0)
        digits = len(str(len(options)))
        self.say("") if options else None
        for at, name in enumerate(options, 1):
            entry = self.roster.rules.entries.get(str(ids[at - 1])) if ids else None
            had = entry is not None and entry.id in run.taken
            about = (f"(you have this) {summary(entry)}" if had else summary(entry)) if entry is not None else ""
            head = f"    {at:>{digits}}  {visible(name)}"
            inset = min(widest + digits + 8, 30)
            for line in in_columns(visible(about), columns(), head + " " * max(inset - width(head), 2) if about else head, " " * inset):
                self.say(line)
        self.say("") if options else None

    def explain(self, question: Question) -> None:
        """The rules of everything that is offered."""
        self.explain_all(
            question.options if isinstance(question, Choose) else tuple(id for id, _ in question.keys) if isinstance(question, Share) else ()
        )

    def explain_all(self, ids: Iterable[object]) -> None:
        clerk = Clerk(self.blank, self.roster)
        for id in dict.fromkeys(map(str, ids)):
            entry = self.roster.rules.entries.get(id)
            if entry is not None:
                made: TraitOnSheet = clerk.trait(entry)
                facts = tuple((one.label, plain(one.words)) for key, one in entry.fields.items() if key not in ("asks", "plural", "also-called"))
                for text in trait_as_text(replace(made, facts=facts), 4):
                    self.say(text)

    # ------------------------------------------------------------ points

    def shared(self, question: Share, run: Run) -> tuple[int, ...]:
        """Points, put where somebody likes, a few at a time; a place that is named again is changed."""
        given = dict.fromkeys(range(len(question.places)), 0)
        self.say("")
        refused = False
        while True:
            if not refused:
                self.places(question, run, given)
            refused = False
            left = question.total - sum(given.values())
            if not left:
                return tuple(given.values())
            some = next(at for at, most in enumerate(question.most) if most > 0)
            how = f"{left} left" if any(given.values()) else f"{left} point{'s' * (left != 1)} to spend"
            done = "" if question.exactly else ", or `done`"
            said = self.line(f"{how} (such as `{question.places[some]} 1`{done}): ", lambda: self.explain(question))
            if said.casefold() == "done" and not question.exactly:
                return tuple(given.values())
            try:
                self.put(question, given, said)
            except BadAnswer as bad:
                self.wrap(f"{capital(str(bad))}.", 2)
                refused = True

    def put(self, question: Share, given: dict[int, int], said: str) -> None:
        wanted = dict(given)
        for name, number in points_in(said).items():
            wanted[place_called(name, question.places)] = number
        trial = replace(question, exactly=False)
        if not allowed(trial, tuple(wanted.values())):
            raise BadAnswer(wrong_share(trial, tuple(wanted.values())))
        given.update(wanted)

    def places(self, question: Share, run: Run, given: Mapping[int, int]) -> None:
        """Each place with what it is now, what is given to it, and how far it can rise."""
        cells = []
        for at, (place, most) in enumerate(zip(question.places, question.most, strict=True)):
            key = question.keys[at] if question.keys else ("", "")
            now = run.number(*key) if key[0] else 0
            value = (now or 0) + given[at]
            cells.append((place, str(value), f"+{given[at]}" if given[at] else f"up to {(now or 0) + most}" if most else "full"))
        wide = [max(len(cell[at]) for cell in cells) for at in range(3)]
        across = max(1, min(3, (columns() - 4) // (sum(wide) + 6)))
        rows = -(-len(cells) // across)
        for row in range(rows):
            self.say(
                "    " + "   ".join(f"{name:<{wide[0]}} {value:>{wide[1]}} {more:<{wide[2]}}" for name, value, more in cells[row::rows]).rstrip()
            )


def with_number(name: str, option: object, run: Run) -> str:
    """An option that is a number of the new one says how high it is now."""
    entry = run.roster.rules.entries.get(str(option))
    number = run.roster.rules.nature(entry.kind) == "number" if entry is not None else False
    return f"{name} {run.number(entry.id)}" if entry is not None and number else name


def columns() -> int:
    """As wide as the terminal, and not wider than a sheet."""
    return max(40, min(get_terminal_size().columns - 1, WIDE))


def shown_options(question: Question) -> list[str]:
    match question:
        case Choose():
            return [str(in_words(question, option)) for option in question.options]
        case Several(options=options):
            return list(options)
        case Draw(cards=cards):
            return list(dict.fromkeys(cards))
        case _:
            return []


def summary(entry: Entry) -> str:
    """What a thing is and gives, in two sentences or so."""
    about = first_sentence(plain(entry.prose[0].words)) if entry.prose else ""
    facts = "; ".join(f"{one.label}: {plain(one.words)}" for key, one in entry.fields.items() if key not in ("asks", "plural", "also-called"))
    return " ".join(filter(None, [about, facts + "." if facts else ""]))


def tidy_prose(text: str) -> str:
    return " ".join(re.sub(r"\s*\[\[|\]\]\s*", " ", re.sub(r"[*_`]", "", text)).split())


def capital(text: str) -> str:
    return text[:1].upper() + text[1:]
