"""The examples of a pack, played: each with the hacks and readings that it names, one after the other."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field, replace

from te_forge.compose import compose
from te_forge.compose.chosen import switched_on
from te_forge.compose.order import named
from te_forge.diagnostics import Diagnostic
from te_forge.engine.coverage import Definition, WatchedRules, unrun
from te_forge.engine.script import Played, play_example
from te_forge.engine.tell import Teller
from te_forge.model.system import Entry, System

On = frozenset[str]


@dataclass(frozen=True)
class Result:
    """What became of an example. `diagnostics` is empty when it came out as it says; `account` tells for each step what the rules did."""

    example: Entry
    diagnostics: tuple[Diagnostic, ...] = ()
    account: tuple[tuple[str, ...], ...] = ()


@dataclass
class Table:
    """Plays the examples of one system; the rules of each set of hacks and readings are made once. `readings` are on wherever an example does not say otherwise."""

    system: System
    readings: On = frozenset()
    made: dict[On, WatchedRules | tuple[Diagnostic, ...]] = field(default_factory=dict)

    def play(self, example: Entry) -> Result:
        on = self.on(example)
        rules = self.rules(on)
        if isinstance(rules, tuple):
            return Result(example, rules)
        played = play_example(rules, rules.entries.get(example.id, example))
        rules.heed(played.notes, [played.state])
        return Result(example, (played.failure,) if played.failure is not None else (), account(rules, played))

    def on(self, example: Entry) -> On:
        """The hacks of the pack, those of the example, and the readings; an example's own answer to a ruling counts."""
        own = frozenset(named(example, "with"))
        return turned_on(self.system, besides(self.system, self.readings, own) | own)

    def rules(self, on: On) -> WatchedRules | tuple[Diagnostic, ...]:
        if on not in self.made:
            system, found = composed(self.around(on), on)
            self.made[on] = found or WatchedRules(system)
        return self.made[on]

    def around(self, on: On) -> System:
        """The rules with those examples only that are played by them, and without the text of the book: there is less to compose."""
        entries = {id: entry for id, entry in self.system.entries.items() if entry.kind != "example" or self.on(entry) == on}
        return replace(self.system, entries=entries, chapters=())

    def unrun(self) -> list[Definition]:
        return unrun(self.system, [(on, rules.seen) for on, rules in self.made.items() if isinstance(rules, WatchedRules)])


def turned_on(system: System, own: On) -> On:
    """What the packs have on, with `own` in place of other answers to the same rulings. The id of a ruling stands for the rules as they are written."""
    return frozenset(id for id in besides(system, switched_on(system), own) | own if system.entries[id].kind != "ruling")


def besides(system: System, on: Iterable[str], own: On) -> On:
    """What is on, without answers to rulings that `own` answers."""
    taken = {ruling for id in own for ruling in answers(system, id)}
    return frozenset(id for id in on if not taken & answers(system, id))


def answers(system: System, id: str) -> set[str]:
    return {id} if system.entries[id].kind == "ruling" else set(named(system.entries[id], "answers"))


def composed(system: System, on: On) -> tuple[System, tuple[Diagnostic, ...]]:
    """The system with these hacks and readings on, and what is wrong with that."""
    made = compose(system, on)
    return made.system, tuple(one for one in made.diagnostics if one.severity == "error")


def account(rules: WatchedRules, played: Played) -> tuple[tuple[str, ...], ...]:
    teller = Teller(rules, played.state.people.items())
    return tuple(teller.sentences(notes) for notes in played.steps)


def examples_of(system: System, names: Collection[str] = ()) -> list[Entry]:
    """The examples of the pack itself (not of those that it requires), or those of them whose name, id or citation contains one of `names`."""
    own = [entry for entry in system.of_kind("example") if entry.pack == system.pack.id]
    return [entry for entry in own if not names or any(fits(entry, name) for name in names)]


def fits(example: Entry, name: str) -> bool:
    return any(name.casefold() in one.casefold() for one in (example.name, example.slug, *example.cites))


def play_all(system: System, names: Collection[str] = (), readings: On = frozenset()) -> Iterator[Result]:
    table = Table(system, readings)
    yield from map(table.play, examples_of(system, names))




def accounts_of(system: System) -> tuple[dict[str, tuple[tuple[str, ...], ...]], list[Diagnostic]]:
    """What happened in each example that came out, and what is wrong with those of the pack itself. Examples of a required pack may differ where this one has
    changed its rules; they are told of where they come out."""
    table = Table(system)
    results = list(map(table.play, system.of_kind("example")))
    accounts = {one.example.id: one.account for one in results if not one.diagnostics}
    return accounts, [said for one in results if one.example.pack == system.pack.id for said in one.diagnostics]
