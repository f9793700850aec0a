"""What a person can look at, also in the middle of a question: who is here, what can be done, somebody's numbers and traits, a rule."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from te_forge.asked import Refused
from te_forge.engine.people import counted_kinds
from te_forge.engine.reading import Reading
from te_forge.engine.rising import rising
from te_forge.engine.state import NOBODYS
from te_forge.engine.tell import listed
from te_forge.play import may, spans
from te_forge.play.names import called, name, somebody, wrapped
from te_forge.play.people import person_kind
from te_forge.play.rule import rule_called, written
from te_forge.play.table import Table
from te_forge.suggest import heading

Out = Callable[[str], None]


class Screens:
    """Prints what is true at this moment of a game."""

    def __init__(self, table: Table, out: Out, bold: Callable[[str], str]) -> None:
        self.table, self.rules, self.out, self.bold = table, table.rules, out, bold
        self.moving = rising(table.rules)
        self.listed = False
        """Whether what can be begun was shown, with its numbers."""

    def look(self, _: str = "") -> None:
        """In the middle of something, what could be begun is not shown: it cannot be begun there."""
        open_ = [name(self.rules, id) for id in spans.open_now(self.table.state)]
        self.out(self.bold("Open: ") + (", ".join(open_) or "no span of time"))
        self.out(self.bold("Who is here"))
        for line in self.people():
            self.wrapped(line, 2, 6)
        if self.table.asking:
            for line in self.shared():
                self.wrapped(line, 0, 2)
            return
        self.out(self.bold("What can be begun"))
        self.listed = True
        starts = may.starts(self.table)
        for number, start in enumerate((one for one in starts if one.foremost), 1):
            by = spans.trait_of(self.rules, start.entry)
            self.wrapped(
                start.entry.name + (f" (by {name(self.rules, by)})" if by else "") + (f" (not now: {start.why_not})" if start.why_not else ""),
                f"{number:>4}  ",
                6,
            )
        if parts := [start.entry.name for start in starts if not start.foremost]:
            self.wrapped(f"and, mostly as a part of these: {', '.join(parts)}", 2, 6)
        offers = may.actions(self.table)
        if offers:
            self.out(self.bold("What can be taken at any time"))
        for one in offers:
            price = f", for {one.price}" if one.price else ""
            fact = f', if it is so: "{one.fact}"' if one.fact else ""
            why = f" (not now: {one.why_not})" if one.why_not else ""
            self.wrapped(f"{called(self.rules, one.owner or one.who)}: {one.title}{price}{fact}{why}", 2, 6)

    def shared(self) -> Iterator[str]:
        """The values that all who take part in what is going on share: `Race: distance 4`."""
        for frame in self.table.current.frames:
            values = {word: slot.come_to() for (whose, word), slot in frame.hung.items() if whose == NOBODYS}
            said = ", ".join(f"{word} {value}" for word, value in values.items() if isinstance(value, int))
            if said:
                yield f"{self.bold(name(self.rules, frame.procedure) + ':')} {said}"

    def people(self) -> Iterator[str]:
        reading = self.table.reading()
        any_people = False
        counted = [kind for kind, _, _ in counted_kinds(self.rules)]
        for kind in counted:
            if names := [id for id, person in reading.state.people.items() if person.kind == kind]:
                yield f"{heading(self.rules.system.kinds[kind].plural)}: {', '.join(names)}"
        for who in reading.everybody():
            if who in reading.state.people and reading.state.people[who].kind in counted:
                continue
            said = ", ".join([*self.numbers(reading, who), *(self.trait(reading, who, trait) for trait in reading.carried(who))])
            if who in reading.state.people or said:
                any_people |= who in reading.state.people
                yield f"{called(self.rules, who)}{self.what(who)}: {said or 'nothing to note'}"
        if not any_people:
            yield f"nobody yet; bring somebody in: `add Ann: a {person_kind(self.rules)}`"

    def what(self, who: str) -> str:
        person = self.table.state.people.get(who)
        return f" ({person.kind})" if person is not None else ""

    def trait(self, reading: Reading, who: str, trait: str) -> str:
        """A trait, with what was noted for it."""
        note = reading.state.notes.get((who, trait), "")
        return name(self.rules, trait) + (f" ({note})" if note else "")

    def numbers(self, reading: Reading, who: str) -> Iterator[str]:
        """Those that rise and fall, with how high they can rise; nothing of what has neither risen nor an end."""
        for entry in self.rules.entries.values():
            if entry.id in self.moving and reading.has_number(who, entry.id):
                most, now = reading.bounds(who, entry.id)[1], reading.stat(who, entry.id)
                if now or most is not None:
                    yield f"{entry.name} {now}" + (f" of {most}" if most is not None else "")

    def who(self, rest: str) -> None:
        who = somebody(self.rules, self.table.state, rest) if rest else self.one_person()
        reading = self.table.reading()
        self.out(self.bold(called(self.rules, who)) + self.what(who))
        by_kind: dict[str, list[str]] = {}
        for entry in self.rules.entries.values():
            if self.rules.nature(entry.kind) == "number" and reading.has_number(who, entry.id):
                by_kind.setdefault(entry.kind, []).append(f"{entry.name} {reading.stat(who, entry.id)}")
        for trait in self.with_parts(reading.carried(who)):
            by_kind.setdefault(reading.kind(trait), []).append(self.trait(reading, who, trait) + self.used_up(who, trait))
        for kind, found in by_kind.items():
            self.wrapped(f"{kind}: {', '.join(found)}", 2, 4)

    def with_parts(self, traits: Iterable[str]) -> Iterator[str]:
        """Traits, each followed by those that come with it, such as what only one calling can do."""
        for trait in traits:
            yield trait
            yield from self.with_parts(
                part for part in self.rules.entries[trait].parts if self.rules.nature(self.rules.entries[part].kind) == "trait"
            )

    def used_up(self, who: str, trait: str) -> str:
        """That a trait cannot be used any more, and how often it can."""
        asked = may.evaluator(self.table)
        spent = [limit for limit, key in asked.uses(self.rules.entries[trait]) if not asked.left(limit, key, who)]
        return f" (used up: {may.limit_words(self.table, spent[0])})" if spent else ""

    def one_person(self) -> str:
        if len(self.table.state.people) == 1:
            return next(iter(self.table.state.people))
        raise Refused(f"say of whom: {listed(person.name for person in self.table.state.people.values()) or 'nobody is here'}")

    def rule(self, rest: str) -> None:
        entry = rule_called(self.rules, rest)
        self.out(self.bold(entry.name) + f" ({entry.kind})")
        for one in written(self.rules, entry):
            self.wrapped(one.text, one.first, one.then)

    def wrapped(self, line: str, first: int | str, then: int) -> None:
        for part in wrapped(line, first, then):
            self.out(part)


LOOKS: dict[str, Callable[[Screens, str], None]] = {"look": Screens.look, "who": Screens.who, "sheet": Screens.who, "rule": Screens.rule}
"""What changes nothing, and so can be typed at any question."""

BETWEEN = ("do", "begin", "roll", "take", "add", "remove", "set", "gain", "give", "drop", "open", "end", "bot", "save")
"""What can be typed between procedures, and not as an answer."""
