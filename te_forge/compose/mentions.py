"""The ids, names and words that stand in an entry. Where none of them is gone or called otherwise, nothing needs to be looked at.

The hacks of a pack are tried one by one on the same entries, so what stands in each is read once for all of them.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass
from functools import cached_property
from operator import methodcaller
from typing import Any, Generic, NamedTuple, TypeVar

from te_forge.check.printed import prints
from te_forge.compose.lines import refilled, walk
from te_forge.compose.mapping import FIELDS, looks_like_id
from te_forge.compose.order import SWITCHES, switch_of
from te_forge.compose.renames import given_names
from te_forge.frozen import nothing
from te_forge.model.system import Chapter, Entry, System
from te_forge.model.walk import taker
from te_forge.source import Span

N = TypeVar("N")
T = TypeVar("T")


class Parts(NamedTuple):
    """What takes out of a value the texts that it holds itself, and whatever may hold others."""

    texts: Callable[[Any], Iterable[Any]]
    others: Callable[[Any], Iterable[object]]


class PartsOf(dict[type, Parts | None]):
    """The parts of each class; None for what holds no texts."""

    def __missing__(self, kind: type) -> Parts | None:
        types = {one.name: one.type for one in fields(kind)} if is_dataclass(kind) else {}
        texts = [name for name in FIELDS[kind] if types[name] == "str"]
        if issubclass(kind, Mapping):
            self[kind] = Parts(tuple, methodcaller("values"))
        else:
            self[kind] = Parts(taker(texts), taker([name for name in FIELDS[kind] if name not in texts])) if FIELDS[kind] else None
        return self[kind]


PARTS = PartsOf({tuple: Parts(nothing, tuple), frozenset: Parts(nothing, tuple)})


def texts_in(values: Iterable[object]) -> set[str]:
    """Every text in these values of the model, without citations and old names (see `mapping.STAYING`)."""
    found: set[str] = set()
    stack = list(values)
    while stack:
        one = stack.pop()
        if type(one) is str:
            found.add(one)
        elif one and (parts := PARTS[type(one)]) is not None:
            found.update(parts.texts(one))
            stack.extend(parts.others(one))
    return found


class Once(Generic[N, T]):
    """What `look` finds in an entry (or chapter), looked for when it is first asked for."""

    def __init__(self, look: Callable[[N], T]) -> None:
        self.look = look
        self.found: dict[int, tuple[N, T]] = {}
        """By identity; the entry is kept, so that no other one takes its identity."""

    def __call__(self, entry: N) -> T:
        known = self.found.get(id(entry))
        if known is None:
            known = self.found[id(entry)] = (entry, self.look(entry))
        return known[1]


class Mentions:
    """What stands in the entries of a system, and in those that hacks make of them."""

    def __init__(self, system: System) -> None:
        self.system = system
        self.all = Once(all_texts)
        self.stated = Once(stated_texts)
        self.prints = Once(prints)

    @cached_property
    def new_names(self) -> Sequence[tuple[str, str]]:
        """Every new name that a hack gives, on or off."""
        return tuple(given_names(self.system))

    @cached_property
    def leaning(self) -> Mapping[str, Collection[str]]:
        """See `leaning_on`."""
        return leaning_on(self.system)

    @cached_property
    def parts(self) -> Mapping[str, Collection[str]]:
        """Of each entry the parts that anything means: steps, outcomes, options."""
        found: dict[str, set[str]] = {}
        for entry in self.system.entries.values():
            for text in self.stated(entry):
                if "#" in text and looks_like_id(text):
                    id, _, part = text.partition("#")
                    found.setdefault(id, set()).add(part)
        return found


def leaning_on(system: System) -> dict[str, set[str]]:
    """Of each hack and reading the others of which it speaks of a part."""
    switch = {id: id if entry.kind in SWITCHES else switch_of(entry, system) for id, entry in system.entries.items()}
    found: dict[str, set[str]] = {}
    for thing, users in system.users.items():
        owner = switch.get(thing.partition("#")[0], "")
        if owner and owner != thing:
            for user in users:
                if (by := switch.get(user, "")) and by != owner:
                    found.setdefault(by, set()).add(owner)
    return found


def all_texts(entry: Entry | Chapter) -> frozenset[str]:
    """All texts of an entry or chapter, prose and rules; of an id with a label also what is in front of that."""
    texts = texts_in([entry])
    texts.update([text.partition("#")[0] for text in texts if "#" in text])
    return frozenset(texts)


def stated_texts(entry: Entry) -> frozenset[str]:
    """The texts in what an entry means, and its kind."""
    texts = texts_in([node for _, _, node in stated(entry)])
    texts.add(entry.kind)
    return frozenset(texts)


def stated(entry: Entry) -> Iterator[tuple[str, Span, object]]:
    """All that an entry means, with the place where it says so."""
    for field in entry.fields.values():
        yield field.label, field.span, field.value
    for slot in entry.slots.values():
        yield slot.name, slot.span, (slot.holds, slot.default)
    for line in walk((*entry.lines, *(line for step in entry.steps for line in step.lines))):
        yield line.label, line.span, refilled(line.meaning, line.lines, ()) if line.lines else line.meaning
    for row in entry.table.rows if entry.table is not None else ():
        for cell in row.cells.values():
            yield row.name or str(row.low), row.span, cell.meaning
