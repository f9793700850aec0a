"""Deleting and renaming, through everything that a system says.

What does not change stays the very same object. A line holds the meaning of the lines below it as the same objects, and so do the copies that are made here.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import fields, is_dataclass, replace
from operator import is_
from typing import Any, TypeVar

from te_forge.check.names import fold
from te_forge.model.system import Ref, Shown
from te_forge.source import Span

T = TypeVar("T")


PLAIN = ("Span", "int", "bool", "Literal[")
"""How the annotations begin of fields that hold no ids, no words, and nothing with any in it."""


class FieldNames(dict[type, tuple[str, ...]]):
    """The names of those fields of a dataclass that may hold ids or words, none for any other class. They are asked for with every node of a system."""

    def __missing__(self, kind: type) -> tuple[str, ...]:
        self[kind] = tuple(one.name for one in fields(kind) if not str(one.type).startswith(PLAIN)) if is_dataclass(kind) else ()
        return self[kind]


FIELDS = FieldNames()
ATOMS = frozenset([Span, type(None), int, bool])


class Mapper:
    """`successors`: ids and what stands for them now; `names`: old and new name of an id; `gone`: ids that nothing stands for, which words still may name."""

    def __init__(self, successors: Mapping[str, str], names: Mapping[str, tuple[str, str]], gone: Collection[str], titles: Mapping[str, str]) -> None:
        self.successors, self.names, self.gone, self.titles = successors, names, gone, titles
        self.done: dict[int, tuple[Any, Any]] = {}
        """By identity: what was copied (kept, so that no other object takes its identity) and the copy."""

    def __call__(self, node: T) -> T:
        made: T = self.map(node)
        return made

    def map(self, node: Any) -> Any:
        kind = type(node)
        if kind is str:
            return self.id(node) if self.successors else node
        if kind in ATOMS:
            return node
        done = self.done.get(id(node))
        if done is None:
            self.done[id(node)] = done = (node, self.copied(node, kind))
        return done[1]

    def copied(self, node: Any, kind: type) -> Any:
        if kind is tuple or kind is frozenset:
            made = [self.map(one) for one in node]
            return node if all(map(is_, made, node)) else kind(made)
        if kind is Ref:
            return self.ref(node)
        if kind is Shown:
            return node.text if self.base(node.id) in self.gone else replace(node, id=self.id(node.id))
        changed = {}
        for name in FIELDS[kind]:
            old = getattr(node, name)
            made = self.map(old)
            if made is not old:
                changed[name] = made
        if changed:
            return replace(node, **changed)
        if isinstance(node, Mapping):
            found = {key: self.map(value) for key, value in node.items()}
            return node if all(map(is_, found.values(), node.values())) else found
        return node

    def ref(self, ref: Ref) -> Ref | str:
        base = self.base(ref.id)
        if base in self.successors:
            new = self.id(ref.id)
            return Ref(new, self.titles.get(new, ref.text))
        if base in self.gone:
            return ref.text
        old, new = self.names.get(ref.id, ("", ""))
        return Ref(ref.id, new) if old and fold(ref.text) == fold(old) else ref

    def id(self, text: str) -> str:
        base = self.base(text)
        return self.successors[base] + text[len(base) :] if base in self.successors else text

    @staticmethod
    def base(text: str) -> str:
        return text.partition("#")[0]


def ids_in(node: Any) -> Iterator[tuple[str, str]]:
    """Every id, and every name of a kind, that a value or a meaning mentions: `("id", ..)` and `("kind", ..)`."""
    if isinstance(node, str):
        if looks_like_id(node):
            yield "id", node
    elif isinstance(node, tuple | frozenset):
        for one in node:
            yield from ids_in(one)
    else:
        for name in FIELDS[type(node)]:
            value = getattr(node, name)
            if name == "kind" and value and not looks_like_id(value):
                yield "kind", value
            elif value is not None and not isinstance(value, int | bool):
                yield from ids_in(value)


def looks_like_id(text: str) -> bool:
    pack, colon, rest = text.partition(":")
    return bool(colon) and "/" in rest and " " not in text and "/" not in pack
