"""The examples of a pack, played: each with the hacks and readings that it names, one after the other."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import field, replace

from te_forge.compose import compose
from te_forge.compose.chosen import switched_on
from te_forge.compose.order import named
from te_forge.diagnostics import Diagnostic
from te_forge.engine.coverage import Definition, WatchedRules, unrun
from te_forge.engine.parting import Played
from te_forge.engine.script import play_example
from te_forge.engine.tell import Teller
from te_forge.frozen import frozen, mutable
from te_forge.model.system import Entry, System

On = frozenset[str]


@frozen
class Result:
    """What became of an example. `diagnostics` is empty when it came out as it says; `account` tells for each step what the rules did.

    `left_out` says why it was not played, where something is tried that its own hacks do not go with.
    """

    example: Entry
    diagnostics: tuple[Diagnostic, ...] = ()
    account: tuple[tuple[str, ...], ...] = ()
    left_out: str = ""


@mutable
class Table:
    """Plays the examples of one system; the rules of each set of hacks and readings are made once. `tried`: something else is on than the pack says."""

    system: System
    tried: bool = False
    made: dict[On, WatchedRules | tuple[Diagnostic, ...]] = field(default_factory=dict)

    def play(self, example: Entry) -> Result:
        on = self.on(example)
        rules = self.rules(on)
        if isinstance(rules, tuple):
            alone = self.tried and not isinstance(self.rules(frozenset(named(example, "with"))), tuple)
            return Result(example, left_out=rules[0].message) if alone else Result(example, rules)
        played = play_example(rules, rules.entries.get(example.id, example))
        rules.heed(played.notes, [played.state])
        return Result(example, (played.failure,) if played.failure is not None else (), account(rules, played))

    def on(self, example: Entry) -> On:
        """What the packs have on, and what the example names; its own answer to a ruling counts."""
        return turned_on(self.system, frozenset(named(example, "with")))

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
    """What the packs have on, with `own` in place of other answers to the same rulings."""
    taken = {ruling for id in own for ruling in named(system.entries[id], "answers")}
    return own | {id for id in switched_on(system) if taken.isdisjoint(named(system.entries[id], "answers"))}


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


def play_all(system: System, names: Collection[str] = ()) -> Iterator[Result]:
    table = Table(system)
    yield from map(table.play, examples_of(system, names))


def accounts_of(system: System) -> tuple[dict[str, tuple[tuple[str, ...], ...]], list[Diagnostic]]:
    """What happened in each example that came out, and what is wrong with those of the pack itself. Examples of a required pack may differ where this
    one has changed its rules; they are told of where they come out.
    """
    table = Table(system)
    results = list(map(table.play, system.of_kind("example")))
    accounts = {one.example.id: one.account for one in results if not one.diagnostics}
    return accounts, [said for one in results if one.example.pack == system.pack.id for said in one.diagnostics]
