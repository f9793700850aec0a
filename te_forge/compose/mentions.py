"""The ids, names and words that stand in an entry. Where none of them is gone or called otherwise, nothing needs to be looked at.

The hacks of a pack are tried one by one on the same entries, so what stands in each is read once for all of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import fields, is_dataclass
from operator import methodcaller
from typing import Any, NamedTuple

from te_forge.compose.lines import refilled, walk
from te_forge.compose.mapping import FIELDS, looks_like_id
from te_forge.frozen import nothing
from te_forge.model.system import Entry, System
from te_forge.model.walk import taker
from te_forge.source import Span


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


class Mentions:
    """The texts of entries, each read when it is first asked for."""

    def __init__(self) -> None:
        self.read: dict[int, tuple[Entry, frozenset[str]]] = {}
        """By identity; the entry is kept, so that no other one takes its identity."""
        self.meant: dict[int, tuple[Entry, frozenset[str]]] = {}

    def all(self, entry: Entry) -> frozenset[str]:
        """All texts of an entry, prose and rules; of an id with a label also what is in front of that."""
        if id(entry) not in self.read:
            texts = texts_in([entry])
            texts.update([text.partition("#")[0] for text in texts if "#" in text])
            self.read[id(entry)] = (entry, frozenset(texts))
        return self.read[id(entry)][1]

    def stated(self, entry: Entry) -> frozenset[str]:
        """The texts in what an entry means, and its kind."""
        if id(entry) not in self.meant:
            texts = texts_in([node for _, _, node in stated(entry)])
            texts.add(entry.kind)
            self.meant[id(entry)] = (entry, frozenset(texts))
        return self.meant[id(entry)][1]

    def parts(self, system: System) -> dict[str, set[str]]:
        """Of each entry the parts that anything means: steps, outcomes, options."""
        found: dict[str, set[str]] = {}
        for entry in system.entries.values():
            for text in self.stated(entry):
                if "#" in text and looks_like_id(text):
                    id, _, part = text.partition("#")
                    found.setdefault(id, set()).add(part)
        return found


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
