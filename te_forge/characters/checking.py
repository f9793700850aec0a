"""Whether a character keeps the rules: every rule that is broken, each once, where the file says so.

Three looks: at the numbers and their bounds; at the answers of its making, where the file has them; and at what its making can have been, where it
has none or they do not lead to what it has.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from te_forge.characters.character import OPEN, Answer, Character, into_state
from te_forge.characters.making import BadAnswer, Question, Run, Stopped, make, understood
from te_forge.characters.making import name_of as question_name
from te_forge.characters.present import changing
from te_forge.characters.roster import Maker, Roster, question_of
from te_forge.characters.solving import Found, Key, Target, Way, candidates, find, first_share, keys_of, seen_in, target_of
from te_forge.diagnostics import Diagnostic, Findings
from te_forge.engine.effects import Choose, Share
from te_forge.engine.index import Rules
from te_forge.engine.reading import Reading
from te_forge.engine.state import State
from te_forge.keys import fold
from te_forge.model.system import System
from te_forge.source import Span
from te_forge.suggest import a, nearest


def check_character(character: Character, system: System, most_runs: int | None = None) -> list[Diagnostic]:
    """Everything that is wrong with a character by the rules of `system`, the one that is played: hacks and readings that are off are not in it."""
    checker = Checker(character, Roster(Rules(system), character.kind), most_runs)
    checker.run()
    return sorted(dict.fromkeys(checker.findings), key=lambda one: (one.span, one.severity != "error"))


@dataclass
class Replay:
    """Goes through the answers of a file. What does not fit is said, and something that does is put in its place."""

    answers: tuple[Answer, ...]
    target: Target
    wrong: list[tuple[Span | None, str, str]] = field(default_factory=list)
    at: int = 0

    def __call__(self, question: Question, run: Run) -> Any:
        name = question_name(question, run.roster)
        answer = self.next_for(name) or self.nearly_for(name)
        if answer is None:
            if run.again:
                raise Stopped
            self.wrong.append((None, f"`{name}` is not answered", f"add a line `- {name}: ...` to `making:`"))
            return self.instead(question, run)
        try:
            return understood(question, answer.said)
        except BadAnswer as bad:
            self.wrong.append((answer.span, f"`{name}`: {bad}", "write what was chosen; `te-forge character new` asks the same questions"))
            return self.instead(question, run)

    def next_for(self, name: str) -> Answer | None:
        """The next answer to a question of this name; those before it were never asked for."""
        wanted = fold(name).casefold()
        for at in range(self.at, len(self.answers)):
            if self.answers[at].asked.casefold() == wanted:
                self.never_asked(at)
                self.at = at + 1
                return self.answers[at]
        return None

    def nearly_for(self, name: str) -> Answer | None:
        """The next answer, if its question is this one misspelt; says so."""
        answer = self.answers[self.at] if self.at < len(self.answers) else None
        if answer is None or nearest(answer.asked, [name]) is None:
            return None
        self.at += 1
        self.wrong.append((answer.span, f"nothing asks for `{answer.asked}` here; did you mean `{name}`?", f"write `- {name}: ...`"))
        return answer

    def never_asked(self, until: int) -> None:
        for answer in self.answers[self.at : until]:
            self.wrong.append((answer.span, f"nothing asks for `{answer.asked}` here", "take the line out, or put it where it was asked"))

    def instead(self, question: Question, run: Run) -> Any:
        return first_share(question, ()) if isinstance(question, Share) else candidates(question, run, self.target)[0]


class Checker:
    """Looks at one character and collects what is wrong."""

    def __init__(self, character: Character, roster: Roster, most_runs: int | None) -> None:
        self.character, self.roster, self.most_runs = character, roster, most_runs
        self.findings = Findings()
        self.entries = roster.rules.entries
        self.target = target_of(character, roster)
        self.covered: set[str] = set()
        """Numbers about which something was said already."""

    def complain(self, code: str, message: str, place: Span, help: str) -> None:
        self.findings.append(Diagnostic(code, message, place, help=help))

    def run(self) -> None:
        if not self.character.finished:
            help = "`te-forge character new --resume FILE` goes on where it stopped"
            self.findings.append(
                Diagnostic(
                    "unfinished-character", "the making of this character is not finished", self.character.place(("unfinished", "")), help=help
                )
            )
            return
        self.bounds(self.character, [entry.id for entry in self.roster.numbers])
        if self.character.now is not None:
            self.played(self.character.now)
        self.asked_for()
        maker = self.roster.maker
        if self.character.half_read:
            self.unclear("a number or trait could not be read, so only bounds were looked at", "mend what was found above, and check it again")
        elif maker is None:
            help = f"in the rules, `- Made By: ..` below `## kind: {self.roster.kind}` says so"
            self.unclear(f"the rules do not say how {a(self.roster.kind)} is made, so only bounds were looked at", help)
        elif self.character.making is not None:
            self.by_answers(maker, self.character.making)
        else:
            self.by_search(maker)

    def unclear(self, message: str, help: str) -> None:
        self.findings.append(Diagnostic("making-unclear", message, self.character.place(("making", "")), "note", help))

    # ------------------------------------------------------------ bounds and notes

    def bounds(self, character: Character, ids: Iterable[str]) -> None:
        reading = Reading(self.roster.rules, into_state(self.roster.rules, State(), character))
        for id in ids:
            name, value = self.entries[id].name, reading.stat(character.name, id)
            least, most = reading.bounds(character.name, id)
            if most is not None and value > most:
                self.complain("above-most", f"{name} {value} is above its most, {most}", place(character, id), f"write at most {most}")
            elif least is not None and value < least:
                self.complain("below-least", f"{name} {value} is below its least, {least}", place(character, id), f"write at least {least}")
            else:
                continue
            if character is self.character:
                self.covered.add(id)

    def played(self, today: Character) -> None:
        """What play has changed: within bounds, and something that a rule can change."""
        moved = [id for id, value in today.numbers.items() if self.character.numbers.get(id) != value]
        raised = [id for (id, which), value in today.bounds.items() if self.character.bounds.get((id, which)) != value]
        self.bounds(today, dict.fromkeys((*moved, *raised)))
        found = changing(self.roster.rules, self.roster.maker)
        if found.any:
            return
        for id in moved:
            if id not in found.numbers:
                self.not_in_play(f"{self.entries[id].name} is {today.numbers[id]} now", place(today, id))
        for id in raised:
            if id not in found.bounds:
                self.not_in_play(f"{self.entries[id].name} has another bound now", today.place(("most", id), ("least", id)))
        for id in {*today.traits} ^ {*self.character.traits}:
            if id not in found.traits:
                name, gained = self.entries[id].name, id in today.traits
                self.not_in_play(
                    f"`{name}` was {'gained' if gained else 'lost'} since",
                    today.place(*((("trait", id),) if gained else ()), ("kind", self.entries[id].kind), ("traits", "")),
                )

    def not_in_play(self, what: str, where: Span) -> None:
        help = "a hack that changes it is named by a line such as `hacks: [Its Name]`; what was agreed at the table stands below `numbers:` or among the traits"
        self.findings.append(Diagnostic("not-in-play", f"{what}, and no rule that is on changes that in play", where, "warning", help))

    def asked_for(self) -> None:
        for id in self.character.today.traits:
            if (asks := question_of(self.entries[id])) and not self.character.notes.get(id, "").strip():
                name = self.entries[id].name
                help = f"write below `notes:` for example `{name}: ...`; `{name}: {OPEN}` says that it is still to be found"
                self.findings.append(
                    Diagnostic(
                        "note-missing",
                        f"`{name}` asks for {asks}, and nothing is written down",
                        self.character.today.place(("note", id), ("trait", id)),
                        "warning",
                        help,
                    )
                )

    def place(self, id: str, which: str = "value") -> Span:
        return place(self.character, id, which)

    # ------------------------------------------------------------ the answers of its making

    def by_answers(self, maker: Maker, answers: tuple[Answer, ...]) -> None:
        replay = Replay(answers, self.target)
        run = make(self.roster, maker, self.character.name, replay)
        replay.never_asked(len(answers))
        if run.failure:
            self.unclear(f"the making cannot be gone through: {run.failure}", "`te-forge check` may tell more about the rules")
            return
        for span, message, help in replay.wrong:
            self.complain("bad-answer", message, span or self.character.place(("making", "")), help)
        run.again = run.again and run.open is not None  # a making that goes back, and was answered to its end
        way = Way(run, seen_in(run.state, self.character.name, self.roster), self.target)
        if not replay.wrong and way.distance == 0:
            return
        found = self.search(maker)
        if found.way.distance and found.complete:
            self.differences(found)
        if not replay.wrong:
            self.numbers(way, "the answers of its making give")
            if found.way.distance == 0:
                self.traits(way)
                self.fields(way)

    # ------------------------------------------------------------ what its making can have been

    def search(self, maker: Maker) -> Found:
        return find(self.roster, maker, self.target) if self.most_runs is None else find(self.roster, maker, self.target, self.most_runs)

    def by_search(self, maker: Maker) -> None:
        found = self.search(maker)
        if found.way.run.failure:
            self.unclear(f"the making cannot be gone through: {found.way.run.failure}", "`te-forge check` may tell more about the rules")
        elif found.way.distance:
            self.differences(found)

    def differences(self, found: Found) -> None:
        if not found.complete:
            off = [
                f"{self.called(key)} ({self.target.numbers.get(key, 0)}, there {number})"
                for key, number in found.way.made.numbers.items()
                if found.way.lacks(key)
            ]
            off += [self.entries[id].name for id in set(self.target.traits) ^ set(found.way.made.traits)]
            said = ", ".join(sorted(off)[:6]) or "its fields"
            self.unclear(
                "there are more ways to make one than can be looked through",
                f"the nearest that was found differs in {said}; with the answers of its making in the file nothing is unclear",
            )
            return
        for question, numbers in found.way.aims:
            self.budget(question, numbers)
        self.numbers(found.way, "its making gives")
        self.traits(found.way)
        self.fields(found.way)

    def budget(self, question: Share, numbers: tuple[int, ...]) -> None:
        """Points of one share, against what the rules give."""
        spent = sum(max(0, number) for number in numbers)
        if not (spent > question.total or (question.exactly and spent < question.total)):
            return
        keys = keys_of(question)
        name = self.points(question)
        on = ", ".join(f"{place} ({number})" for place, number in zip(question.places, numbers, strict=True) if number > 0)
        limit = f"{'exactly' if question.exactly else 'at most'} {question.total}"
        said = f"{name}: {spent} point{'s' * (spent != 1)} {'is' if spent == 1 else 'are'} spent, and the rules give {limit}"
        which = keys[0][1] if keys else "value"
        place = self.character.place(("numbers" if which == "value" else which, ""), ("numbers", ""))
        if spent > question.total:
            self.complain("too-many-points", said, place, f"spent on {on}; take {spent - question.total} back")
        else:
            self.complain("points-left", said, place, (f"spent on {on}; " if on else "") + f"{question.total - spent} more to spend")
        self.covered |= {key[0] for key, number in zip(keys, numbers, strict=True) if number >= 0}

    def points(self, question: Share) -> str:
        kinds = {self.entries[key[0]].kind for key in question.keys if key[0] in self.entries and key[1] == "value"}
        if len(kinds) == 1 and len(question.places) > 1:
            return self.roster.rules.system.kinds[kinds.pop()].plural
        return " and ".join(filter(None, [", ".join(question.places[:-1]), question.places[-1]]))

    def numbers(self, way: Way, gives: str) -> None:
        for key in dict.fromkeys((*self.target.numbers, *way.made.numbers)):
            id, which = key
            if id in self.covered:
                continue
            stated, made = self.target.numbers.get(key), way.made.numbers.get(key)
            if stated is None and made is not None:
                self.complain(
                    "not-from-making",
                    f"{self.called(key)} is not stated, and {gives} {self.instead(key, made)}",
                    self.place(id, which),
                    f"write below `{which}:` the line `{self.entries[id].name}: {self.instead(key, made)}`",
                )
            elif made is None and stated is not None:
                self.complain(
                    "not-from-making",
                    f"{self.called(key)} is stated, and the making gives it none of its own",
                    self.place(id, which),
                    "take the line out",
                )
            elif stated != made:
                said = f"is {stated}" if ("number", id) in self.character.places or which != "value" else f"is not stated, so it is {stated}"
                help = f"write `{self.entries[id].name}: {made}`" + (
                    "" if self.character.now else "; what play has changed since stands below `now:`"
                )
                self.complain("not-from-making", f"{self.called(key)} {said}; {gives} {made}", self.place(id, which), help)

    def instead(self, key: Key, made: int) -> int:
        """What an unstated bound would be: the number, where it was raised by points."""
        return max(made, self.target.numbers.get((key[0], "value"), made)) if key[1] == "most" else made

    def called(self, key: Key) -> str:
        return self.entries[key[0]].name + ("" if key[1] == "value" else f"'s {key[1]}")

    # ------------------------------------------------------------ traits and fields

    def traits(self, way: Way) -> None:
        """Traits of one kind against those that the making gives: too many, others, or too few."""
        for info in self.roster.trait_kinds:
            have = [id for id in self.target.traits if self.entries[id].kind == info.name]
            given = [id for id in way.made.traits if self.entries[id].kind == info.name]
            extra, missing = [id for id in have if id not in given], [id for id in given if id not in have]
            chosen = [id for id in missing if was_chosen(way.run, id)]
            for id in extra:
                many = (
                    f"the making gives {len(given)} {info.plural if len(given) != 1 else info.name}" if given else f"the making gives no {info.name}"
                )
                others = f": {self.names(given, way.run)}" if given else ""
                self.complain(
                    "extra-trait",
                    f"`{self.entries[id].name}` is {a(info.name)} too many; {many}{others}",
                    self.character.place(("trait", id)),
                    "take it out",
                )
            for id in missing:
                place = self.character.place(("kind", info.name), ("traits", ""))
                if id in chosen and not extra:
                    self.complain("missing-trait", f"{a(info.name)} is still to be chosen", place, f"for example `{self.entries[id].name}`")
                elif id not in chosen:
                    self.complain("missing-trait", f"`{self.entries[id].name}` is missing; the making gives it", place, f"add it as {a(info.name)}")

    def names(self, ids: list[str], run: Run) -> str:
        free = sum(was_chosen(run, id) for id in ids)
        fixed = [self.entries[id].name for id in ids if not was_chosen(run, id)]
        return " and ".join([*fixed, *([f"{free} of choice"] if free else [])])

    def fields(self, way: Way) -> None:
        for label in {**self.target.fields, **way.made.fields}:
            stated, made = self.target.fields.get(label), way.made.fields.get(label)
            if stated != made:
                shown = self.shown(made)
                said = (
                    f"{label} is {self.shown(stated)}; its making gives {shown}"
                    if stated is not None
                    else f"{label} is not stated; its making gives {shown}"
                )
                self.complain(
                    "not-from-making",
                    said,
                    self.character.place(("field", label), ("fields", "")),
                    f"write below `fields:` the line `{label}: {shown}`" if made is not None else "take the line out",
                )

    def shown(self, value: int | str | None) -> str:
        entry = self.entries.get(str(value))
        return entry.name if entry is not None else "nothing" if value is None else str(value)


def place(character: Character, id: str, which: str = "value") -> Span:
    """Where a number, or a bound of it, is stated."""
    return character.place(("number" if which == "value" else which, id), ("numbers" if which == "value" else which, ""), ("numbers", ""))


def was_chosen(run: Run, id: str) -> bool:
    return any(isinstance(one.question, Choose) and one.answer == id for one in run.asked)
