"""Classes of values that never change.

The type checker holds everybody to it. Nothing does so at run time: a dataclass that guards itself takes four times as long to make, and a large
pack is made of a million of them.

What compares, hashes and shows them is the same for all. `dataclass` would write and compile source for each, and for eighty classes that takes a tenth
of the time in which a small pack is checked; only `__init__` is worth it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from operator import attrgetter
from typing import Any, TypeVar, cast, dataclass_transform

C = TypeVar("C")


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def frozen(kind: type[C]) -> type[C]:
    kind.__doc__ = kind.__doc__ or kind.__name__  # or else `dataclass` works out a signature to put there
    made: Any = dataclass(slots=True, eq=False, repr=False)(kind)
    names: tuple[str, ...] = made.__match_args__
    values: Any = attrgetter(*names) if names else nothing
    places = {name: number for number, name in enumerate(names)}

    def changed(one: Any, **changes: Any) -> Any:
        new = [getattr(one, name) for name in names]
        for name, value in changes.items():
            new[places[name]] = value
        return made(*new)

    def same(one: Any, other: object) -> Any:
        return values(one) == values(other) if other.__class__ is one.__class__ else NotImplemented

    def hashed(one: Any) -> int:
        return hash(values(one))

    made.__eq__, made.__hash__, made.__repr__, made.__replace__ = same, hashed, shown, changed
    return cast(type[C], made)


def replace(one: C, **changes: Any) -> C:
    """`one` with other values: what `dataclasses.replace` makes, which looks at every field anew each time."""
    made: C = one.__replace__(**changes)  # type: ignore[attr-defined]
    return made


def nothing(_: object) -> tuple[()]:
    return ()


def shown(one: Any) -> str:
    return f"{type(one).__qualname__}({', '.join(f'{name}={getattr(one, name)!r}' for name in one.__match_args__)})"
