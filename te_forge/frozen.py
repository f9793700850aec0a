"""Classes of values that never change, and of some that do (`mutable`).

The type checker holds everybody to what never changes. Nothing does so at run time: a dataclass that guards itself takes four times as long to make, and a
large pack is made of a million of them.

What compares, hashes and shows them is the same for all. `dataclass` would write and compile source for each, and for eighty classes that takes a
tenth of the time in which a small pack is checked. Only `__init__` is worth it, and that is written when the first value is made: few packs need all
classes.
"""

from __future__ import annotations

import sys
from dataclasses import MISSING, dataclass, field, fields
from functools import cache
from operator import attrgetter
from typing import Any, TypeVar, cast, dataclass_transform

C = TypeVar("C")


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def frozen(kind: type[C]) -> type[C]:
    kind.__doc__ = kind.__doc__ or kind.__name__  # or else `dataclass` works out a signature to put there
    made: Any = dataclass(slots=True, eq=False, repr=False, init=False)(kind)
    names: tuple[str, ...] = made.__match_args__
    values: Any = attrgetter(*names) if names else nothing
    places = {name: number for number, name in enumerate(names)}

    def changed(one: Any, **changes: Any) -> Any:
        new = [*values(one)] if len(names) > 1 else [getattr(one, name) for name in names]
        for name, value in changes.items():
            new[places[name]] = value
        return made(*new)

    def same(one: Any, other: object) -> Any:
        return values(one) == values(other) if other.__class__ is one.__class__ else NotImplemented

    def hashed(one: Any) -> int:
        return hash(values(one))

    def first(one: Any, *given: Any, **named: Any) -> None:
        made.__init__ = written(made)
        made.__init__(one, *given, **named)

    made.__init__, made.__repr__, made.__replace__ = first, shown, changed
    if "__eq__" not in vars(kind):
        made.__eq__ = same
    if "__hash__" not in vars(kind):
        made.__hash__ = hashed
    return cast(type[C], made)


@dataclass_transform(field_specifiers=(field,))
def mutable(kind: type[C]) -> type[C]:
    """The same for values that do change, and therefore have no hash."""
    made = frozen(kind)
    made.__hash__ = None  # type: ignore[assignment]
    return made


def written(kind: Any) -> Any:
    """The `__init__` that `dataclass` would write."""
    given: dict[str, Any] = {"MISSING": MISSING}
    takes, does = ["self"], ["pass"]
    for one in fields(kind):
        if not one.init:
            given[f"usual_{one.name}"] = one.default
            does.append(f"self.{one.name} = usual_{one.name}")
            continue
        if one.default_factory is not MISSING:
            given[f"make_{one.name}"] = one.default_factory
            takes.append(f"{one.name}=MISSING")
            does.append(f"self.{one.name} = make_{one.name}() if {one.name} is MISSING else {one.name}")
            continue
        if one.default is not MISSING:
            given[f"usual_{one.name}"] = one.default
        takes.append(one.name if one.default is MISSING else f"{one.name}=usual_{one.name}")
        does.append(f"self.{one.name} = {one.name}")
    made: dict[str, Any] = {}
    exec(f"def __init__({', '.join(takes)}):\n " + "\n ".join(does), given, made)
    made["__init__"].__qualname__ = f"{kind.__qualname__}.__init__"
    return made["__init__"]


def replace(one: C, **changes: Any) -> C:
    """`one` with other values: what `dataclasses.replace` makes, which looks at every field anew each time."""
    made: C = one.__replace__(**changes)  # type: ignore[attr-defined]
    return made


@cache
def type_of(text: str, module: str) -> Any:
    """What a type that is written in a module means. (`typing.get_type_hints` takes five times as long about it, which is as long as reading a line
    of a pack.)
    """
    return eval(text, vars(sys.modules[module]))


def nothing(_: object) -> tuple[()]:
    return ()


def shown(one: Any) -> str:
    return f"{type(one).__qualname__}({', '.join(f'{name}={getattr(one, name)!r}' for name in one.__match_args__)})"
