"""What an actor of one kind can have in a game: numbers, traits and fields by name, and the procedure that makes one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property

from te_forge.engine.index import Rules, ids
from te_forge.engine.reading import Reading
from te_forge.engine.rising import rising
from te_forge.engine.state import Map, Person, State
from te_forge.keys import fold
from te_forge.model.rules import Holds, Int, Text
from te_forge.model.system import Entry, KindInfo, Slot
from te_forge.suggest import a, nearest

SOMEBODY = "somebody"


@dataclass(frozen=True)
class Maker:
    """How actors of a kind come about: the procedure, and the role that the new one has in it."""

    procedure: Entry
    role: str


class Roster:
    """The things that actors of `kind` can have."""

    def __init__(self, rules: Rules, kind: str) -> None:
        self.rules, self.kind = rules, kind
        self.reading = Reading(rules, State(people=Map({SOMEBODY: Person(SOMEBODY, kind)})))

    # ------------------------------------------------------------ kinds

    @property
    def info(self) -> KindInfo:
        return self.rules.system.kinds[self.kind]

    @cached_property
    def maker(self) -> Maker | None:
        entry = self.rules.entries.get(self.info.id)
        for id in ids(entry, "made-by") if entry is not None else ():
            procedure = self.rules.entries.get(id)
            roles = (
                [atom for atom in procedure.fields["roles"].value if isinstance(atom, Holds)]
                if procedure is not None and "roles" in procedure.fields
                else []
            )
            if procedure is not None and len(roles) == 1:
                return Maker(procedure, roles[0].word)
        return None

    # ------------------------------------------------------------ numbers and traits

    @cached_property
    def numbers(self) -> tuple[Entry, ...]:
        """In the order of the book, those of one kind together."""
        return self.grouped(
            entry
            for entry in self.rules.entries.values()
            if self.rules.nature(entry.kind) == "number" and self.reading.has_number(SOMEBODY, entry.id)
        )

    @cached_property
    def counted(self) -> frozenset[str]:
        """The numbers that rise and fall in play."""
        return frozenset(rising(self.rules))

    def is_theirs(self, number: Entry) -> bool:
        """Whether a number belongs on everybody's sheet: all of its kind do, or it is counted. Others are tools of the rules until something changes
        them.
        """
        info = self.rules.system.kinds.get(number.kind)
        return number.id in self.counted or (info is not None and bool(info.of))

    def is_derived(self, number: Entry) -> bool:
        """Whether it begins as a formula, and so follows other numbers."""
        kind = self.rules.system.kinds.get(number.kind)
        stated = number.fields.get("starts") or (self.rules.entries[kind.id].fields.get("starts") if kind is not None else None)
        return stated is not None and not all(isinstance(atom, Int) for atom in stated.value)

    @cached_property
    def traits(self) -> tuple[Entry, ...]:
        return self.grouped(entry for entry in self.rules.entries.values() if self.can_carry(entry.kind))

    def can_carry(self, kind: str) -> bool:
        info = self.rules.system.kinds.get(kind)
        return info is not None and info.nature == "trait" and any(self.rules.is_a(self.kind, one) for one in info.of)

    @cached_property
    def trait_kinds(self) -> tuple[KindInfo, ...]:
        return tuple(self.rules.system.kinds[kind] for kind in dict.fromkeys(entry.kind for entry in self.traits))

    @cached_property
    def slots(self) -> dict[str, Slot]:
        """The fields that every actor of this kind has."""
        entry = self.rules.entries.get(self.info.id)
        return {slot.name: slot for slot in entry.slots.values()} if entry is not None else {}

    def grouped(self, entries: Iterable[Entry]) -> tuple[Entry, ...]:
        groups: dict[str, list[Entry]] = {}
        for entry in entries:
            groups.setdefault(entry.kind, []).append(entry)
        return tuple(entry for group in groups.values() for entry in group)

    # ------------------------------------------------------------ names

    def called(self, name: str, among: Iterable[Entry]) -> Entry | None:
        """The one that is called this: by its name, by another name of it, or by its id; None where it is none of them, or more than one."""
        among = tuple(among)
        wanted = fold(name).casefold()
        for names in ((lambda entry: (entry.name, entry.id)), (lambda entry: entry.aliases)):
            found = [entry for entry in among if wanted in (fold(one).casefold() for one in names(entry))]
            if found:
                return found[0] if len(found) == 1 else None
        return None

    def name_in_file(self, entry: Entry, among: Iterable[Entry]) -> str:
        """Its name, or its id where another has the same name."""
        return entry.name if self.called(entry.name, among) is entry else entry.id

    def not_a(self, name: str, what: str, among: Iterable[Entry]) -> tuple[str, str, str]:
        """Why `name` is none of `among`: code, message, help."""
        found = self.called(name, self.rules.entries.values())
        same = [entry for entry in among if fold(entry.name).casefold() == fold(name).casefold()]
        if len(same) > 1:
            return "ambiguous-name", f"`{name}` can be more than one thing here", "write one of " + ", ".join(entry.id for entry in same)
        if found is not None:
            others = self.rules.carriers(found.id) if self.rules.nature(found.kind) == "number" else ()
            is_ = f"a number of {a(others[0])}" if others else a(found.kind)
            return "wrong-kind", f"`{found.name}` is {is_}, not {what} of {a(self.kind)}", "take the line out, or put it where it belongs"
        near = nearest(name, [entry.name for entry in among])
        pack = self.rules.system.pack
        told = f"did you mean `{near}`?" if near else some_of(entry.name for entry in among)
        return "unknown-name", f"`{name}` is no {what.partition(' ')[2]} of {a(self.kind)} in {pack.id} {pack.version}", told


def question_of(entry: Entry) -> str:
    """What a trait asks its bearer to write down."""
    asks = entry.fields.get("asks")
    return next((atom.text for atom in asks.value if isinstance(atom, Text)), "") if asks is not None else ""


def some_of(names: Iterable[str]) -> str:
    """`there are X, Y and 3 more`, for a person who looks for a name."""
    every = list(names)
    if not every:
        return "there are none"
    return "there are " + ", ".join(every[:8]) + (f" and {len(every) - 8} more" if len(every) > 8 else "")


def made_kinds(rules: Rules) -> Iterator[str]:
    """The kinds of actors that say how one is made."""
    for name, info in rules.system.kinds.items():
        if info.nature == "actor" and Roster(rules, name).maker is not None:
            yield name
