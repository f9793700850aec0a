"""The ids, names and words that stand in an entry. Where none of them is gone or called otherwise, nothing needs to be looked at.

The hacks of a pack are tried one by one on the same entries, so what stands in each is read once for all of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import fields, is_dataclass
from operator import methodcaller
from typing import Any, NamedTuple

from te_forge.compose.mapping import FIELDS, looks_like_id
from te_forge.model.frozen import nothing
from te_forge.model.system import Entry
from te_forge.model.walk import taker


class Texts(NamedTuple):
    """All texts in something, and those of them that are ids; of an id with a label also what is in front of that."""

    texts: frozenset[str]
    ids: frozenset[str]


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
        self.known: dict[int, tuple[Entry, Texts]] = {}
        """By identity; the entry is kept, so that no other one takes its identity."""

    def of(self, entry: Entry) -> Texts:
        if id(entry) not in self.known:
            texts = texts_in([entry])
            ids = frozenset([text for text in texts if ":" in text and looks_like_id(text)])
            texts.update([id.partition("#")[0] for id in ids])
            self.known[id(entry)] = (entry, Texts(frozenset(texts), ids))
        return self.known[id(entry)][1]
