"""What counters of a loop have come to: numbers, or no more than their means, and sums of both."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import TypeVar, cast

from te_forge.engine.absorbing import ZERO
from te_forge.engine.state import OnlyMean, Slot

Key = TypeVar("Key")
Gain = int | OnlyMean
Gains = tuple[Gain, ...]


def value_of(slot: Slot | None) -> Gain:
    return slot.base if slot is not None and isinstance(slot.base, int | OnlyMean) else 0


def mean(gain: Gain) -> Fraction:
    return gain.mean if isinstance(gain, OnlyMean) else Fraction(gain)


def sum_of(one: Gain, other: Gain) -> Gain:
    if isinstance(one, int) and isinstance(other, int):
        return one + other
    return one.more(other) if isinstance(one, OnlyMean) else cast(OnlyMean, other).more(one)


def added(one: list[Fraction], more: list[Fraction]) -> list[Fraction]:
    return [value + other for value, other in zip(one, more, strict=True)]


def merged(items: Iterable[tuple[Key, Gains, Fraction]]) -> list[tuple[Key, Gains, Fraction]]:
    """Those that differ in no more than means that are not told apart, as one."""
    shares: dict[tuple[Key, tuple[int | None, ...]], Fraction] = {}
    sums: dict[tuple[Key, tuple[int | None, ...]], list[Fraction]] = {}
    above: dict[tuple[Key, tuple[int | None, ...]], list[list[int | None]]] = {}
    for key, gains, weight in items:
        at = key, tuple(gain if isinstance(gain, int) else None for gain in gains)
        more = [weight * mean(gain) for gain in gains]
        shares[at], sums[at] = (shares[at] + weight, added(sums[at], more)) if at in shares else (weight, more)
        above.setdefault(at, []).append([gain.above if isinstance(gain, OnlyMean) else None for gain in gains])
    return [
        (
            at[0],
            tuple(
                OnlyMean(one / share, least(over)) if known is None else known
                for known, one, over in zip(at[1], sums[at], zip(*above[at], strict=True), strict=True)
            ),
            share,
        )
        for at, share in shares.items()
    ]


def least(above: Iterable[int | None]) -> int | None:
    """What a number is more than that is more than one of these."""
    known = list(above)
    return min((one for one in known if one is not None), default=None) if None not in known else None


def summed(items: Iterable[tuple[Key, Fraction]]) -> dict[Key, Fraction]:
    found: dict[Key, Fraction] = {}
    for key, weight in items:
        found[key] = found.get(key, ZERO) + weight
    return found
