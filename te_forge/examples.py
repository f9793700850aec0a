"""The examples of a pack, played: each with the hacks and readings that it names, one after the other."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass, field, replace

from te_forge.diagnostics import Diagnostic
from te_forge.engine.coverage import Definition, WatchedRules, unrun
from te_forge.engine.script import Played, play_example
from te_forge.engine.tell import Teller
from te_forge.model.rules import Thing
from te_forge.model.system import Entry, System

On = frozenset[str]


@dataclass(frozen=True)
class Result:
    """What became of an example. `diagnostics` is empty when it came out as it says; `account` tells for each step what the rules did."""

    example: Entry
    diagnostics: tuple[Diagnostic, ...] = ()
    account: tuple[tuple[str, ...], ...] = ()
    skipped: str = ""


@dataclass
class Table:
    """Plays the examples of one system; the rules of each set of hacks and readings are made once. `readings` are on wherever an example does not say otherwise."""

    system: System
    readings: On = frozenset()
    made: dict[On, WatchedRules | tuple[Diagnostic, ...]] = field(default_factory=dict)

    def play(self, example: Entry) -> Result:
        on = self.on(example)
        rules = self.rules(on)
        if rules is None:
            return Result(example, skipped="its hacks cannot be switched on yet")
        if isinstance(rules, tuple):
            return Result(example, rules)
        played = play_example(rules, rules.entries.get(example.id, example))
        rules.heed(played.notes, [played.state])
        return Result(example, (played.failure,) if played.failure is not None else (), account(rules, played))

    def on(self, example: Entry) -> On:
        """The hacks of the pack, those of the example, and the readings; an example's own answer to a ruling counts."""
        own = frozenset(named(example, "with"))
        answered = {ruling for id in own for ruling in named(self.system.entries[id], "answers")}
        usual = frozenset(id for id in self.readings if not answered & set(named(self.system.entries[id], "answers")))
        return switched_on(self.system) | own | usual

    def rules(self, on: On) -> WatchedRules | tuple[Diagnostic, ...] | None:
        if on not in self.made:
            made = composed(self.system, on)
            if made is None:
                return None
            system, found = made
            self.made[on] = found or WatchedRules(system)
        return self.made[on]

    def unrun(self) -> list[Definition]:
        return unrun(self.system, [(on, rules.seen) for on, rules in self.made.items() if isinstance(rules, WatchedRules)])


def named(entry: Entry, label: str) -> list[str]:
    found = entry.fields.get(label)
    return [atom.id for atom in found.value if isinstance(atom, Thing)] if found is not None else []


def switched_on(system: System) -> On:
    """The hacks that pack.yaml switches on."""
    return frozenset(entry.id for entry in system.of_kind("hack") if entry.name in system.pack.hacks or entry.id in system.pack.hacks)


def composed(system: System, on: On) -> tuple[System, tuple[Diagnostic, ...]] | None:
    """The system with these hacks and readings on, and what is wrong with that."""
    try:
        from te_forge.compose import compose  # type: ignore[import-not-found, import-untyped, unused-ignore]
    except ImportError:
        return (without_hacks(system), ()) if not on else None
    made = compose(system, on)
    return made.system, tuple(one for one in made.diagnostics if one.severity == "error")


def without_hacks(system: System) -> System:
    def inside(entry: Entry) -> bool:
        while entry.owner is not None:
            entry = system.entries[entry.owner]
            if entry.kind in ("hack", "reading"):
                return True
        return False

    return replace(system, entries={id: entry for id, entry in system.entries.items() if not inside(entry)})


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


