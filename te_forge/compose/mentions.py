"""The ids, names and words that stand in an entry. Where none of them is gone or called otherwise, nothing needs to be looked at.

The hacks of a pack are tried one by one on the same entries, so what stands in each is read once for all of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple

from te_forge.compose.mapping import FIELDS, looks_like_id
from te_forge.model.system import Entry
from te_forge.model.walk import taker


class Texts(NamedTuple):
    """All texts in something, and those of them that are ids; of an id with a label also what is in front of that."""

    texts: frozenset[str]
    ids: frozenset[str]


class Parts(dict[type, Callable[[Any], Iterable[object]] | None]):
    """What takes out of a value whatever may hold texts; None for what holds none."""

    def __missing__(self, kind: type) -> Callable[[Any], Iterable[object]] | None:
        names = FIELDS[kind]
        if issubclass(kind, Mapping):
            self[kind] = keys_and_values
        else:
            self[kind] = taker(list(names)) if names else None
        return self[kind]


def keys_and_values(found: Mapping[object, object]) -> Iterable[object]:
    return (*found, *found.values())


PARTS = Parts({tuple: tuple, frozenset: tuple})


def texts_in(values: Iterable[object]) -> set[str]:
    """Every text in these values of the model, without citations and old names (see `mapping.STAYING`)."""
    found: set[str] = set()
    stack = list(values)
    while stack:
        one = stack.pop()
        if type(one) is str:
            found.add(one)
        elif (parts := PARTS[type(one)]) is not None:
            stack.extend(parts(one))
    return found


class Mentions:
    """The texts of entries, each read when it is first asked for."""

    def __init__(self) -> None:
        self.known: dict[int, tuple[Entry, Texts]] = {}
        """By identity; the entry is kept, so that no other one takes its identity."""

    def of(self, entry: Entry) -> Texts:
        if id(entry) not in self.known:
            texts = texts_in([entry])
            ids = frozenset(filter(looks_like_id, texts))
            texts.update(id.partition("#")[0] for id in ids)
            self.known[id(entry)] = (entry, Texts(frozenset(texts), ids))
        return self.known[id(entry)][1]
