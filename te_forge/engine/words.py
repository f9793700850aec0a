"""What the sentences of a system say about small words, whatever the state: which may be given anew, which may hold results, who listens with dice in
hand.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import fields, is_dataclass
from functools import cached_property
from typing import Any

from te_forge.engine.index import Rules, sentences
from te_forge.model import rules as m
from te_forge.model.system import Entry
from te_forge.model.walk import nodes


class Words:
    """What the sentences of a system say about words, whatever the state."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules

    @cached_property
    def hooks(self) -> tuple[m.Sentence, ...]:
        """Every sentence outside of steps, and in steps behind an event: these may speak in frames of others."""
        found = [one for entry in self.rules.entries.values() for line in entry.lines for one in sentences(line.meaning)]
        for entry in self.rules.entries.values():
            found += [one for row in (entry.table.rows if entry.table else ()) for cell in row.cells.values() for one in sentences(cell.meaning)]
            found += [below for one in self.in_steps(entry) if isinstance(one, m.On | m.Until | m.InNext | m.While) for below in sentences(one.body)]
        return tuple(found)

    def in_steps(self, entry: Entry) -> Iterator[m.Sentence]:
        return sentences(tuple(one for step in entry.steps for line in step.lines for one in line.meaning))

    @cached_property
    def given_by_hooks(self) -> frozenset[str]:
        return frozenset(one.target.word for one in self.hooks if isinstance(one, m.Give) and isinstance(one.target, m.Local))

    @cached_property
    def hooks_roll(self) -> bool:
        """Whether anything but the steps of a procedure rolls dice that pay out in its frame."""
        return any(isinstance(one, m.Roll) and one.source is None for one in self.hooks)

    @cached_property
    def heard_rolls(self) -> bool:
        """Whether a rule listens to rolls."""
        return any(listens_to_rolls(one) for body in self.rules.bodies for one in sentences(body))

    @cached_property
    def assigned(self) -> dict[str, frozenset[str]]:
        """The words that may come to mean something else while a procedure runs."""
        return {
            entry.id: self.given_by_hooks | {word for one in self.in_steps(entry) for word in brought(one)}
            for entry in self.rules.system.of_kind("procedure")
        }

    @cached_property
    def everywhere(self) -> frozenset[str]:
        """The words that mean something of a procedure's own somewhere: roles and whatever is given a value."""
        roles = {
            atom.word
            for entry in self.rules.system.of_kind("procedure")
            if "roles" in entry.fields
            for atom in entry.fields["roles"].value
            if isinstance(atom, m.Holds)
        }
        return frozenset(word for one in self.hooks for word in brought(one)).union(roles, *self.assigned.values())

    @cached_property
    def results(self) -> frozenset[str]:
        """Words that may hold what a procedure left."""
        all_ = [*self.hooks, *(one for entry in self.rules.entries.values() for one in self.in_steps(entry))]
        found = {one.word for one in all_ if isinstance(one, m.Do) and one.word}
        while True:
            more = {word for one in all_ for word, value in handed(one) if isinstance(value, m.Local) and value.word in found}
            if more <= found:
                return frozenset(found)
            found |= more

    @cached_property
    def only_summed(self) -> frozenset[str]:
        """Words of which no sentence asks anything but the sum of the dice that they mean."""
        asked: Counter[str] = Counter()
        summed: set[str] = set()
        entries = self.rules.entries.values()
        stated = [one.value for entry in entries for one in entry.fields.values()] + [
            one.default for entry in entries for one in entry.slots.values()
        ]
        for node in nodes((*self.rules.bodies, *stated)):
            match node:
                case m.Local(word) | m.Hung(_, word):
                    asked[word] += 1
                case m.Among("sum", None, m.Members(m.Local(word) | m.Hung(_, word), _, False, ())):
                    asked[word] -= 1
                    summed.add(word)
        return frozenset(word for word in summed if not asked[word])

    @cached_property
    def costs(self) -> frozenset[str]:
        return frozenset(
            atom.pool for entry in self.rules.entries.values() for one in entry.fields.values() for atom in one.value if isinstance(atom, m.Price)
        )

    @cached_property
    def trackers(self) -> tuple[Entry, ...]:
        return tuple(entry for entry in self.rules.entries.values() if entry.table is not None and entry.table.die == "at")

    @cached_property
    def tables(self) -> tuple[Entry, ...]:
        return tuple(entry for entry in self.rules.entries.values() if entry.table is not None and entry.table.die != "at")

    @cached_property
    def stated(self) -> tuple[m.Atom, ...]:
        """Fields of entries that speak of hung values."""
        return tuple(
            atom
            for entry in self.rules.entries.values()
            for one in entry.fields.values()
            for atom in one.value
            if any(isinstance(node, m.Hung) for node in inner(atom))
        )


def listens_to_rolls(one: m.Sentence) -> bool:
    return isinstance(one, m.On) and one.event.what == "roll"


def brought(one: m.Sentence) -> Iterator[str]:
    """The words that a sentence gives a value."""
    if isinstance(one, m.Give) and isinstance(one.target, m.Local):
        yield one.target.word
    if isinstance(one, m.Choose | m.Roll | m.Pick | m.Do | m.ChooseOne) and one.word:
        yield one.word
    if isinstance(one, m.Transfer) and one.amount.word:
        yield one.amount.word


def handed(one: m.Sentence) -> Iterator[tuple[str, m.Expr]]:
    if isinstance(one, m.Give) and isinstance(one.target, m.Local):
        yield one.target.word, one.value
    if isinstance(one, m.Do):
        yield from one.roles


def inner(node: Any) -> Iterator[Any]:
    """A node with everything inside it."""
    yield node
    for one in below(node):
        yield from inner(one)


def below(node: Any) -> Iterable[Any]:
    if isinstance(node, tuple):
        return node
    return (getattr(node, name) for name in names_of(type(node))) if is_dataclass(node) else ()


NAMES: dict[type, tuple[str, ...]] = {}


def names_of(kind: type) -> tuple[str, ...]:
    if kind not in NAMES:
        NAMES[kind] = tuple(one.name for one in fields(kind))
    return NAMES[kind]
