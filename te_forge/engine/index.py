"""The rules of a composed system, arranged by what asks for them: which lines listen to an event, change a number, forbid something, can be done at
any time.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from functools import cached_property
from typing import TypeVar, cast

from te_forge.engine.standing import Standing, stat_of, unwrapped
from te_forge.keys import slug
from te_forge.model.rules import (
    Body,
    Choose,
    ChooseOne,
    Contribute,
    Each,
    Forbid,
    GoBack,
    Holds,
    Int,
    Lock,
    May,
    On,
    Pick,
    Price,
    Range,
    Sentence,
    Text,
    Thing,
    Transfer,
    Value,
)
from te_forge.model.system import Entry, Line, Row, Slot, Step, System
from te_forge.source import Span

T = TypeVar("T")
MOST_HELD = 1_000
"""For so many different holdings of all people it is kept who owns what."""


class Rules:
    """A system as the evaluator asks it."""

    def __init__(self, system: System) -> None:
        self.system = system
        self.entries = system.entries
        self.order = {id: at for at, id in enumerate(system.entries)}
        self.natives: dict[str, tuple[str, ...]] = {}
        """The traits that an entry states, once they have been asked for."""
        self.decks: dict[str, tuple[str, ...]] = {}
        self.found_out: dict[Callable[[Rules], object], object] = {}
        self.heard: dict[tuple[str, str, str], tuple[Standing, ...]] = {}
        self.banned: dict[tuple[str, str], tuple[Standing, ...]] = {}
        self.of_kinds: dict[str, tuple[str, ...]] = {}
        self.number_of: dict[str, tuple[str, ...]] = {}
        self.step_bodies: dict[str, Body] = {}
        self.named_steps: dict[tuple[str, str], int | None] = {}
        self.owned: dict[tuple[Hashable, ...], dict[str, tuple[str | None, ...]]] = {}

    def once(self, make: Callable[[Rules], T]) -> T:
        """What another part of the engine finds out about the rules, found out once."""
        if make not in self.found_out:
            self.found_out[make] = make(self)
        return cast(T, self.found_out[make])

    def owned_with(self, *held: Hashable) -> dict[str, tuple[str | None, ...]]:
        """The owners of entries that were asked for while people had this: whoever asks adds what is not known yet."""
        known = self.owned.get(held)
        if known is None:
            if len(self.owned) > MOST_HELD:
                self.owned.clear()
            known = self.owned[held] = {}
        return known

    def touch(self, id: str) -> None:
        """Told of each number that is read, and of each standing change or ban that holds when it is looked at; see `engine.coverage`."""

    # ------------------------------------------------------------ standing lines

    @cached_property
    def standing(self) -> tuple[Standing, ...]:
        found: list[Standing] = []
        for entry in self.entries.values():
            if entry.kind in OUT_OF_PLAY:
                continue
            for line in entry.lines:
                for sentence in line.meaning:
                    found += unwrapped(Standing(entry, line, (), (), sentence))
        return tuple(found)

    @cached_property
    def listeners(self) -> dict[tuple[str, str, str], tuple[Standing, ...]]:
        """Lines behind an event, by when, what and id."""
        found: dict[tuple[str, str, str], list[Standing]] = {}
        for one in self.standing:
            if isinstance(one.node, On):
                found.setdefault((one.node.when, one.node.event.what, one.node.event.id), []).append(one)
        return {key: tuple(all_) for key, all_ in found.items()}

    def hearing(self, when: str, what: str, id: str) -> tuple[Standing, ...]:
        """Lines behind an event as it happens: those behind this procedure or anything that it counts as, in the order of the book, or behind this
        step, number or trait.
        """
        key = when, what, id
        if key not in self.heard:
            self.heard[key] = tuple(one for event in self.heard_as(what, id) for one in self.listeners.get((when, what, event), ()))
        return self.heard[key]

    def heard_as(self, what: str, id: str) -> tuple[str, ...]:
        """Under which ids an event is heard of."""
        return tuple(sorted(self.lineage.get(id, ()), key=lambda one: self.order.get(one, 0))) if what == "procedure" else (id,)

    @cached_property
    def changes(self) -> dict[str, tuple[Standing, ...]]:
        """Lines that change a stored number as long as they hold, by the number."""
        found: dict[str, list[Standing]] = {}
        for one in self.standing:
            if isinstance(one.node, Contribute | Lock):
                found.setdefault(stat_of(one.node.target), []).append(one)
        return {key: tuple(all_) for key, all_ in found.items()}

    @cached_property
    def bans(self) -> tuple[Standing, ...]:
        return tuple(one for one in self.standing if isinstance(one.node, Forbid))

    def bans_on(self, what: str, thing: str) -> tuple[Standing, ...]:
        """Those that may forbid to do this (`use`, `pay`, `gain` ..) with a thing, where they hold."""
        known = thing if thing in self.entries else ""  # of others, such as people, no ban speaks by name
        key = what, known
        if key not in self.banned:
            self.banned[key] = tuple(one for one in self.bans if self.may_ban(cast(Forbid, one.node), what, known))
        return self.banned[key]

    def may_ban(self, node: Forbid, what: str, thing: str) -> bool:
        return node.what.rstrip("s") == what and (node.any is not None or thing == node.thing or node.thing in self.lineage.get(thing, ()))

    @cached_property
    def actions(self) -> tuple[Standing, ...]:
        """Offers that wait for no event: they can be taken whenever their owner may act."""
        return tuple(one for one in self.standing if isinstance(one.node, May))

    @cached_property
    def refilled(self) -> tuple[tuple[Entry, Value], ...]:
        """Numbers and decks that go back to their start, with when they do."""
        return tuple((entry, entry.fields["refills"].value) for entry in self.entries.values() if "refills" in entry.fields)

    @cached_property
    def refilled_by(self) -> dict[str, tuple[str, ...]]:
        """The numbers and decks that go back to their start with each procedure that has any."""
        found: dict[str, list[str]] = {}
        for id, spans in self.lineage.items():
            for entry, refills in self.refilled:
                if any(isinstance(atom, Each) and atom.span in spans for atom in refills):
                    found.setdefault(id, []).append(entry.id)
        return {id: tuple(all_) for id, all_ in found.items()}

    @cached_property
    def groups_in(self) -> dict[str, frozenset[str]]:
        """The roles of each procedure that are groups."""
        return {
            entry.id: frozenset(
                atom.word
                for atom in (entry.fields["roles"].value if "roles" in entry.fields else ())
                if isinstance(atom, Holds) and atom.type.name == "group"
            )
            for entry in self.system.of_kind("procedure")
        }

    @cached_property
    def labels(self) -> dict[int, Line]:
        """The line that each sentence stands on, by the sentence's identity."""
        found: dict[int, Line] = {}
        todo = [line for entry in self.entries.values() for line in (*entry.lines, *(line for step in entry.steps for line in step.lines))]
        while todo:
            line = todo.pop()
            found.update(dict.fromkeys(map(id, sentences(line.meaning)), line))
            todo += line.lines
        return found

    @cached_property
    def questions(self) -> frozenset[str]:
        """What the choices and offers of the game are called."""
        found: set[str] = set()
        todo = [(entry, line) for entry in self.entries.values() for line in (*entry.lines, *(line for step in entry.steps for line in step.lines))]
        while todo:
            entry, line = todo.pop()
            for one in sentences(line.meaning):
                if isinstance(one, Choose | ChooseOne) and one.word:
                    found.add(one.word)
                if isinstance(one, Transfer) and one.amount.word:
                    found.add(one.amount.word)
                if isinstance(one, May):
                    found |= {line.label, entry.name, *([self.entries[entry.owner].name] if entry.owner else [])}
            todo += [(entry, below) for below in line.lines]
        return frozenset(found)

    @cached_property
    def returns(self) -> frozenset[str]:
        """Steps that something goes back to."""
        return frozenset(one.step for body in self.bodies for one in sentences(body) if isinstance(one, GoBack))

    @cached_property
    def bodies(self) -> list[Body]:
        """What every line and every cell of a table does."""
        lines = [line for entry in self.entries.values() for line in (*entry.lines, *(line for step in entry.steps for line in step.lines))]
        return [line.meaning for line in lines] + [
            cell.meaning for entry in self.entries.values() if entry.table for row in entry.table.rows for cell in row.cells.values()
        ]

    def cards(self, deck: str) -> tuple[str, ...]:
        """All cards of a deck: numbers, ids of things, or texts, each as often as there are copies of it."""
        if deck not in self.decks:
            entry = self.entries.get(deck)
            fields = entry.fields if entry is not None else {}
            copies = next((atom.value for atom in fields["copies"].value if isinstance(atom, Int)), 1) if "copies" in fields else 1
            kinds = [(card, many) for atom in (fields["cards"].value if "cards" in fields else ()) for card, many in cards_of(atom, copies)]
            self.decks[deck] = tuple(card for card, many in kinds for _ in range(many))
        return self.decks[deck]

    def is_wheel(self, deck: str) -> bool:
        """Whether it is whole again before each draw."""
        entry = self.entries[deck]
        refills = entry.fields["refills"].value if "refills" in entry.fields else ()
        return any(slug(self.entries[atom.span].name) == "draw" for atom in refills if isinstance(atom, Each) and atom.span in self.entries)

    @cached_property
    def open_decks(self) -> tuple[str, ...]:
        """The decks from which nothing but a number of cards is ever drawn: what is left in them matters to nothing but how likely each card is."""
        draws = [one for body in self.bodies for one in sentences(body) if isinstance(one, Pick) and one.verb == "draws"]
        picked = {one.source.id for one in draws if one.how != "exactly" and isinstance(one.source, Thing)}
        if not all(isinstance(one.source, Thing) for one in draws):
            return ()
        return tuple(entry.id for entry in self.system.of_kind("deck") if entry.id not in picked and not self.is_wheel(entry.id))

    # ------------------------------------------------------------ procedures

    @cached_property
    def lineage(self) -> dict[str, frozenset[str]]:
        """Each procedure with all that it counts as."""
        return {entry.id: frozenset(self.above(entry, "counts-as")) for entry in self.system.of_kind("procedure")}

    @cached_property
    def wholes(self) -> dict[str, frozenset[str]]:
        """What each procedure is a part of, directly."""
        return {entry.id: frozenset(ids(entry, "part-of")) for entry in self.system.of_kind("procedure")}

    def above(self, entry: Entry, label: str) -> Iterator[str]:
        todo, seen = [entry.id], set()
        while todo:
            id = todo.pop()
            if id not in seen:
                seen.add(id)
                yield id
                todo += ids(self.entries[id], label) if id in self.entries else []

    @cached_property
    def declared(self) -> dict[str, dict[str, Slot]]:
        """The values that each procedure keeps in its frame: its own, and those of what it counts as."""
        found: dict[str, dict[str, Slot]] = {}
        for id, all_ in self.lineage.items():
            found[id] = {
                word: slot for other in (id, *sorted(all_ - {id})) if other in self.entries for word, slot in self.entries[other].slots.items()
            }
        return found

    @cached_property
    def in_reach(self) -> dict[str, frozenset[str]]:
        """The declared values that the lines of each procedure speak of: its own, and those of what it counts as or is a part of."""
        found: dict[str, frozenset[str]] = {}
        for id in self.declared:
            seen, todo = set[str](), [id]
            while todo:
                one = todo.pop()
                if one not in seen and one in self.entries:
                    seen.add(one)
                    todo += [*self.lineage.get(one, ()), *ids(self.entries[one], "part-of")]
            found[id] = frozenset(word for one in seen for word in self.declared.get(one, ()))
        return found

    @cached_property
    def values(self) -> dict[str, Slot]:
        """Every declared value by its word, for one that is asked for where nothing that declares it runs."""
        return {word: slot for slots in reversed(self.declared.values()) for word, slot in slots.items()}

    def step(self, procedure: Entry, label: str) -> int | None:
        """The number of the step that a field (`Settles`, `Counts`) names."""
        key = procedure.id, label
        if key not in self.named_steps:
            wanted = ids(procedure, label)
            self.named_steps[key] = next((at for at, step in enumerate(procedure.steps) if step.id in wanted), None)
        return self.named_steps[key]

    def body_of(self, step: Step) -> Body:
        """What a step does, by all of its lines."""
        if step.id not in self.step_bodies:
            self.step_bodies[step.id] = tuple(sentence for line in step.lines for sentence in line.meaning)
        return self.step_bodies[step.id]

    def place(self, id: str, line: str = "") -> Span | None:
        """Where a step, line or row of an entry stands, or else the entry."""
        entry = self.entries.get(id)
        if entry is None:
            return None
        parts: list[Step | Line | Row] = [*entry.steps, *entry.lines, *(entry.table.rows if entry.table is not None else ())]
        return next((one.span for one in parts if line and line in (one.id, one.id.partition("#")[2])), entry.span)

    def where(self, id: str, line: str = "") -> str:
        """`, in the step Throw of Test`: for messages; nothing where that is not known."""
        entry = self.entries.get(id)
        if entry is None:
            return ""
        step = next((one.name for one in entry.steps if one.id.partition("#")[2] == line), "")
        label = next((one.label for one in entry.lines if line in (one.id, one.id.partition("#")[2])), "")
        return f", in the step {step} of {entry.name}" if step else f", in the line {label} of {entry.name}" if label else f", in {entry.name}"

    # ------------------------------------------------------------ kinds and fields

    def kind_of(self, id: str) -> str:
        entry = self.entries.get(id)
        return (entry.name if entry.kind == "kind" else entry.kind) if entry is not None else ""

    def nature(self, kind: str) -> str:
        info = self.system.kinds.get(kind)
        return info.nature if info is not None else ""

    def is_a(self, kind: str, wanted: str) -> bool:
        return kind == wanted or wanted in ("", "entry") or self.nature(kind) == wanted

    def everything(self, kind: str) -> tuple[str, ...]:
        """The ids of the things of a kind, or of all kinds of a nature."""
        if kind not in self.of_kinds:
            self.of_kinds[kind] = tuple(entry.id for entry in self.entries.values() if entry.kind != "kind" and self.is_a(entry.kind, kind))
        return self.of_kinds[kind]

    def carriers(self, stat: str) -> tuple[str, ...]:
        """The kinds of things that have a number."""
        if stat not in self.number_of:
            self.number_of[stat] = self.found_carriers(stat)
        return self.number_of[stat]

    def found_carriers(self, stat: str) -> tuple[str, ...]:
        entry = self.entries.get(stat)
        if entry is None:
            return ()
        of = entry.fields.get("of")
        if of is not None:
            return tuple(
                atom.type.kind or atom.type.name if isinstance(atom, Holds) else self.entries[atom.id].name
                for atom in of.value
                if isinstance(atom, Holds | Thing)
            )
        info = self.system.kinds.get(entry.kind)
        return info.of if info is not None else ()

    def default(self, kind: str, label: str) -> Slot | None:
        """The declared field of a kind."""
        info = self.system.kinds.get(kind)
        slots = self.entries[info.id].slots if info is not None else {}
        return next((slot for slot in slots.values() if slug(slot.name) == slug(label)), None)


OUT_OF_PLAY = ("kind", "example", "ruling", "reading", "hack")


def ids(entry: Entry, label: str) -> list[str]:
    field = entry.fields.get(label)
    return [atom.id for atom in field.value if isinstance(atom, Thing)] if field is not None else []


def cards_of(atom: object, copies: int) -> Iterator[tuple[str, int]]:
    """The cards that a field `Cards` names, and how many of each: `1 to 13`, `7`, a thing, a text in quotation marks; `2 Fool` says itself how many."""
    match atom:
        case Range(Int(low), Int(high)):
            yield from ((str(card), copies) for card in range(low, high + 1))
        case Int(value):
            yield str(value), copies
        case Thing(id):
            yield id, copies
        case Text(text):
            yield text, copies
        case Price(amount, id):
            yield id, amount


def sentences(body: Body) -> Iterator[Sentence]:
    """Every sentence of a body, with those inside others."""
    for one in body:
        yield one
        yield from sentences(getattr(one, "body", ()))
        for option in getattr(one, "options", ()):
            yield from sentences(option.body)
