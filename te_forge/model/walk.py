"""Every node below a value of the model, without a visitor for each class."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields
from operator import attrgetter
from typing import Any

from te_forge.frozen import nothing

PLAIN = ("str", "int", "bool", "tuple[str, ...]")


class Parts(dict[type, Callable[[Any], tuple[object, ...]] | None]):
    """What takes out of a node the fields that may hold nodes, last one first; None for what is no node (nodes are the only values with slots of
    their own).
    """

    def __missing__(self, kind: type) -> Callable[[Any], tuple[object, ...]] | None:
        self[kind] = None
        if getattr(kind, "__slots__", ()):
            self[kind] = taker(
                [field.name for field in reversed(fields(kind)) if field.type not in PLAIN and not str(field.type).startswith("Literal[")]
            )
        return self[kind]


def taker(names: list[str]) -> Callable[[Any], tuple[object, ...]]:
    """What takes these fields out of a node: an `attrgetter` where there are two or more (of one name it makes no tuple)."""
    if len(names) > 1:
        return attrgetter(*names)
    return (lambda one: (getattr(one, names[0]),)) if names else nothing


PARTS = Parts()


def nodes(value: object, *closed: type) -> list[object]:
    """`value` and every model node below it, but nothing of the classes `closed`."""
    found: list[object] = []
    stack = [value]
    while stack:
        one = stack.pop()
        kind = type(one)
        if kind is tuple:
            stack.extend(reversed(one))  # type: ignore[call-overload]
        elif (parts := PARTS[kind]) is not None and kind not in closed:
            found.append(one)
            if parts is not nothing:
                stack.extend(parts(one))
    return found
