"""What stands on a character's sheet, and the sheet as text.

Numbers stand by kind in the order of the book, traits with their rules in words. A number that rises and falls up to an end is a track, with boxes to
tick; all others are plain numbers. Nothing here knows a game.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from te_forge.aloud import read_aloud
from te_forge.characters.character import OPEN, Character, into_state
from te_forge.characters.roster import Roster, question_of
from te_forge.compose.chosen import names_of, switched_on
from te_forge.engine.reading import Reading
from te_forge.engine.state import State
from te_forge.model import rules as m
from te_forge.model.system import Entry, Field, Line, System, plain
from te_forge.report import in_columns, visible, width
from te_forge.suggest import heading

WIDE = 78
MOST_BOXES = 40
SAID_ELSEWHERE = ("asks", "also-called", "plural")
COSTS = re.compile(r'\bmay pay(?= agree "|:|$)')
"""A payment of what the thing itself says that it costs."""


@dataclass(frozen=True)
class NumberOnSheet:
    name: str
    value: int
    most: int | None
    boxes: int
    """How many boxes to draw; none for a plain number."""
    ticked: int
    """How many of them are crossed off: what is gone of a number that begins at its end, what is there of one that begins at 0."""


@dataclass(frozen=True)
class RuleOnSheet:
    label: str
    text: str
    rules: tuple[RuleOnSheet, ...] = ()


@dataclass(frozen=True)
class TraitOnSheet:
    name: str
    kind: str
    note: str
    about: str
    facts: tuple[tuple[str, str], ...]
    rules: tuple[RuleOnSheet, ...]
    parts: tuple[TraitOnSheet, ...] = ()


@dataclass(frozen=True)
class Group:
    """Things of one kind."""

    title: str
    numbers: tuple[NumberOnSheet, ...] = ()
    traits: tuple[TraitOnSheet, ...] = ()


@dataclass(frozen=True)
class Sheet:
    name: str
    what: str
    game: str
    version: str
    language: str
    groups: tuple[Group, ...]
    fields: tuple[tuple[str, str], ...]
    notes: tuple[tuple[str, str], ...]
    on: tuple[str, ...]
    """The hacks and readings that are on at this table."""
    owed: tuple[str, ...]
    """The notices that go wherever the rules go."""


def sheet_of(character: Character, roster: Roster) -> Sheet:
    """The sheet of somebody as they are today."""
    return Clerk(character, roster).sheet()


# ---------------------------------------------------------------- what stands on it


class Clerk:
    """Writes one sheet."""

    def __init__(self, made: Character, roster: Roster) -> None:
        self.made, self.character, self.roster = made, made.today, roster
        self.entries = roster.rules.entries
        self.reading = Reading(roster.rules, into_state(roster.rules, State(), self.character))

    def sheet(self) -> Sheet:
        system, character = self.roster.rules.system, self.character
        told = {id for id in character.traits if question_of(self.entries[id])}
        notes = [(self.entries[key].name if key in self.entries else key, text) for key, text in character.notes.items() if text and key not in told]
        lonely = [
            self.entries[traits[0]].name
            for info in self.roster.trait_kinds
            if info.name not in self.held() and len(traits := [id for id in character.traits if self.entries[id].kind == info.name]) == 1
        ]
        return Sheet(
            name=character.name,
            what=", ".join([heading(character.kind), *lonely[:1]]),
            game=system.pack.title,
            version=system.pack.version,
            language=system.pack.language,
            groups=tuple(self.groups()),
            fields=tuple((label, self.shown(value)) for label, value in character.fields.items()),
            notes=tuple(notes),
            on=tuple(names_of(system, switched_on(system))),
            owed=owed(system),
        )

    def held(self) -> set[str]:
        """The kinds of things of which somebody like this may have many. The one that they have of it says little of who they are."""
        kind = self.roster.rules.system.kinds[self.character.kind]
        return {slot.holds.kind for slot in self.entries[kind.id].slots.values() if slot.holds.name == "group"}

    def groups(self) -> Iterator[Group]:
        """Kinds of numbers and of traits, in the order in which the book comes to them."""
        kinds = dict.fromkeys(
            entry.kind for entry in sorted((*self.roster.numbers, *self.roster.traits), key=lambda entry: self.roster.rules.order[entry.id])
        )
        for kind in kinds:
            title = heading(self.roster.rules.system.kinds[kind].plural)
            numbers = tuple(self.number(entry) for entry in self.roster.numbers if entry.kind == kind and self.belongs(entry))
            traits = tuple(self.trait(self.entries[id]) for id in self.character.traits if self.entries[id].kind == kind)
            if numbers or traits:
                yield Group(title if len(numbers or traits) > 1 else heading(kind), numbers, traits)

    def belongs(self, number: Entry) -> bool:
        return self.roster.is_theirs(number) or number.id in self.character.numbers

    def number(self, entry: Entry) -> NumberOnSheet:
        value = self.reading.stat(self.character.name, entry.id)
        most = self.reading.bounds(self.character.name, entry.id)[1]
        boxes = self.boxes(entry, value, most)
        ticked = boxes - value if boxes and self.is_used_up(entry, boxes) else value if boxes else 0
        return NumberOnSheet(entry.name, value, most, boxes, ticked)

    def is_used_up(self, entry: Entry, end: int) -> bool:
        """Whether a track begins at its end, so that play crosses off what is lost. Where the rules do not say at what it begins, the making has
        filled it: one with a most of their own, or one that was at its end then.
        """
        who, id = self.character.name, entry.id
        if self.reading.limit_of(who, entry, "starts") is not None or self.reading.start(who, id):
            return self.reading.start(who, id) >= end
        return (id, "most") in self.character.bounds or self.made.numbers.get(id, 0) >= end

    def boxes(self, entry: Entry, value: int, most: int | None) -> int:
        """A track has an end: what a number can rise to, or else what it is refilled to. Other numbers that rise and fall are written down."""
        if entry.id not in self.roster.counted or value < 0:
            return 0
        end = most if most is not None else self.refill(entry)
        return max(end, value) if end > 0 and max(end, value) <= MOST_BOXES else 0

    def refill(self, entry: Entry) -> int:
        """What a number goes back to; 0 for one that never does by itself."""
        stated = {**self.entries[self.roster.rules.system.kinds[entry.kind].id].fields, **entry.fields}
        return self.reading.start(self.character.name, entry.id) if "refills" in stated else 0

    def trait(self, entry: Entry) -> TraitOnSheet:
        facts = (
            ()
            if entry.kind == "procedure"
            else tuple(
                (field.label, read_aloud(plain(field.words)))
                for key, field in entry.fields.items()
                if key not in SAID_ELSEWHERE and not self.used_up(field)
            )
        )
        parts = tuple(self.trait(self.entries[id]) for id in entry.parts if id in self.entries)
        about = first_sentence(plain(entry.prose[0].words)) if entry.prose else ""
        return TraitOnSheet(entry.name, entry.kind, self.note(entry), about, facts, self.rules(entry.lines, entry), parts)

    def note(self, entry: Entry) -> str:
        """What was written down; what is still open leaves room for it."""
        said = self.character.notes.get(entry.id, "")
        return f"{question_of(entry)}: {'_' * 16}" if said == OPEN else said

    def used_up(self, field: Field) -> bool:
        """Whether a field did its work when the character was made: a number or trait that they have by now."""
        numbers = {entry.name for entry in self.roster.numbers}
        return all(
            isinstance(atom, m.Bonus | m.Nothing)
            or (isinstance(atom, m.Int) and field.label in numbers)
            or (isinstance(atom, m.Thing) and atom.id in self.character.traits)
            for atom in field.value
        )

    def rules(self, lines: Iterable[Line], entry: Entry) -> tuple[RuleOnSheet, ...]:
        return tuple(RuleOnSheet(line.label, self.sentence(line, entry), self.rules(line.lines, entry)) for line in lines)

    def cost(self, entry: Entry) -> str:
        """What a thing says that it costs, or else what it is a part of."""
        owner: Entry | None = entry
        while owner is not None and "cost" not in owner.fields:
            owner = self.entries.get(owner.owner or "")
        return plain(owner.fields["cost"].words).strip() if owner is not None else ""

    def sentence(self, line: Line, entry: Entry) -> str:
        """A rule of `entry` as it is read aloud, about this very character."""
        short = self.character.name.split()[0]
        text = re.sub(r"\bthe owner\b", lambda _: short, plain(line.words).strip())
        if cost := self.cost(entry):
            text = COSTS.sub(lambda _: f"may pay {cost}", text)
        text = capital(read_aloud(text))
        return text if not text or text[-1] in ".:!?…" else text + "."

    def shown(self, value: int | str) -> str:
        return self.entries[str(value)].name if str(value) in self.entries else str(value)


def capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def first_sentence(text: str) -> str:
    text = " ".join(re.sub(r"[*_`]", "", text).split())
    found = re.match(r".+?[.!?…](?=\s|$)", text)
    return found[0] if found else text


def owed(system: System) -> tuple[str, ...]:
    found = [work.attribution for pack in system.packs for work in pack.sources if work.attribution]
    return tuple(dict.fromkeys(found))


# ---------------------------------------------------------------- as text


def as_text(sheet: Sheet) -> str:
    """The sheet in 80 columns."""
    lines = [both(visible(sheet.name).upper(), f"{visible(sheet.game)} {sheet.version}"), capital(visible(sheet.what))]
    lines += [*(wrapped(f"On: {', '.join(sheet.on)}", 0) if sheet.on else ()), "=" * WIDE]
    for label, value in sheet.fields:
        lines += wrapped(f"{label}: {value}", 0)
    for group in sheet.groups:
        lines += ["", visible(group.title).upper()]
        lines += numbers_as_text(group.numbers)
        for trait in group.traits:
            lines += trait_as_text(trait, 2)
    if sheet.notes:
        lines += ["", "NOTES"]
        for name, text in sheet.notes:
            lines += wrapped(f"{name}: {text}", 2)
    if sheet.owed:
        lines += ["", "-" * WIDE]
        for notice in sheet.owed:
            lines += wrapped(notice, 0)
    return "\n".join(line.rstrip() for line in lines) + "\n"


def both(left: str, right: str) -> str:
    """Two texts at both ends of a line, or on two lines."""
    room = WIDE - width(left) - width(right)
    return left + " " * room + right if room > 1 else "\n".join([*wrapped(left, 0), right])


def numbers_as_text(numbers: tuple[NumberOnSheet, ...]) -> Iterator[str]:
    """Plain numbers in columns, counted ones with a row of boxes each."""
    plain_ones = [one for one in numbers if not one.boxes]
    names = max((width(visible(one.name)) for one in numbers), default=0)
    digits = max((len(of_most(one)) for one in numbers), default=0)
    across = max(1, min(3, (WIDE - 2) // (names + digits + 6)))
    rows = -(-len(plain_ones) // across)
    for row in range(rows):
        yield "  " + (" " * 4).join(cell(one, names, digits) for one in plain_ones[row::rows])
    for one in numbers:
        if one.boxes:
            head = f"  {cell(one, names, digits)}  "
            per_row = max(5, (WIDE - width(head)) // 3 // 5 * 5)
            boxes = ["[x]" if at < one.ticked else "[ ]" for at in range(one.boxes)]
            for at in range(0, len(boxes), per_row):
                yield (head if at == 0 else " " * width(head)) + "".join(boxes[at : at + per_row])


def of_most(one: NumberOnSheet) -> str:
    return f"{one.value}/{one.most}" if one.boxes and one.most is not None else str(one.value)


def cell(one: NumberOnSheet, names: int, digits: int) -> str:
    name = visible(one.name)
    return f"{name}{' ' * (names - width(name))}  {of_most(one):>{digits}}"


def trait_as_text(trait: TraitOnSheet, inset: int) -> Iterator[str]:
    facts = "; ".join(f"{label}: {value}" for label, value in trait.facts)
    head = trait.name + (f" ({trait.note})" if trait.note else "") + (f" [{facts}]" if facts else "")
    yield from wrapped(head, inset)
    if trait.about:
        yield from wrapped(trait.about, inset + 2)
    yield from rules_as_text(trait.rules, inset + 2)
    for part in trait.parts:
        yield from trait_as_text(part, inset + 2)


def rules_as_text(rules: tuple[RuleOnSheet, ...], inset: int) -> Iterator[str]:
    for rule in rules:
        yield from wrapped(f"- {rule.label}: {rule.text}".rstrip(" :") + (":" if rule.rules and rule.text.endswith(":") else ""), inset, 2)
        yield from rules_as_text(rule.rules, inset + 2)


def wrapped(text: str, inset: int, hang: int = 0) -> list[str]:
    """Lines that fit, whatever is written in them."""
    before = " " * min(inset, WIDE // 2)
    return in_columns(visible(text), WIDE, before, before + " " * hang)
