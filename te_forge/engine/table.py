"""What a procedure comes to, told from the states at its end: the shares of its outcomes and of each number, each by itself."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import field
from fractions import Fraction
from functools import lru_cache
from math import lcm
from typing import Any, NamedTuple, TypeGuard

from te_forge.engine.index import Rules
from te_forge.engine.live import FOUND
from te_forge.engine.lots import parted
from te_forge.engine.odds import Spread
from te_forge.engine.reading import Reading, RuleError
from te_forge.engine.state import NOBODYS, Lot, Map, OnlyMean, Part, Result, State, Unseen, Value
from te_forge.frozen import frozen

Key = tuple[str, str]
"""A number by holder (empty for one of nobody's) and name: a word of the procedure, or the id of a stored number."""


class Others(NamedTuple):
    """The cases in which of a number no more than its mean is known: how likely they are, and that mean."""

    share: Fraction
    mean: Fraction
    above: int | None
    """In all of them the number is more than this, and in no other case. None where that is not known: then a number that is told may be more likely
    than is told, by up to `share`.
    """

    def and_(self, more: Others) -> Others:
        share = self.share + more.share
        above = None if self.above is None or more.above is None else min(self.above, more.above)
        return Others(share, (self.share * self.mean + more.share * more.mean) / share, above)


@frozen
class Table:
    """What a procedure comes to. Weights are exact; what they lack to 1 is `missing`."""

    outcomes: dict[str, Fraction]
    numbers: dict[Key, dict[int | None, Fraction]]
    """None is for the cases in which a number has no value."""
    missing: Fraction
    cut: tuple[str, ...] = ()
    """Why something is missing, in sentences. Where nothing is, all is exact."""
    beyond: dict[Key, Others] = field(default_factory=dict)
    """The cases in which of a number no more than its mean is known."""

    @property
    def told_apart(self) -> bool:
        """Whether the shares of numbers that have no highest value are exact, too."""
        return all(others.above is not None for others in self.beyond.values())

    def mean(self, key: Key) -> Fraction | None:
        """The mean of a number over the cases that are followed and in which it has a value."""
        values: list[tuple[Fraction | int, Fraction]] = [(value, weight) for value, weight in self.numbers[key].items() if value is not None]
        if key in self.beyond:
            share, mean, _ = self.beyond[key]
            values.append((mean, share))
        whole = sum((weight for _, weight in values), Fraction(0))
        return sum((value * weight for value, weight in values), Fraction(0)) / whole if whole else None


AtEnd = int | OnlyMean | Unseen
"""A number at an end; what nothing has looked at there hangs on a lot."""


@frozen
class Row:
    """An end, and how likely it is: its outcome and numbers, and the lots that these hang on."""

    outcome: str
    numbers: dict[Key, AtEnd]
    lots: tuple[Lot | Part, ...]
    weight: Fraction
    end: State


def rows_of(rules: Rules, start: State, spread: Spread, watched: frozenset[str]) -> Iterator[Row]:
    for (end, _), weight in spread.items():
        try:
            yield row_of(rules, start, end, watched, weight)
        except RuleError:
            if not end.lots:
                raise
            for share, whole in parted(end):  # a rule that changes a stored number asks what nothing has looked at
                yield row_of(rules, start, whole, watched, weight * share)


def row_of(rules: Rules, start: State, end: State, watched: frozenset[str], weight: Fraction) -> Row:
    numbers = {key: end.lot(one)[1] if isinstance(one, Unseen) else one for key, one in numbers_at_end(rules, start, end, watched).items()}
    return Row(left(end).outcome, numbers, end.lots, weight, end)


def numbers_at_end(rules: Rules, start: State, end: State, watched: frozenset[str]) -> dict[Key, AtEnd]:
    """The numbers that the procedure yields, and the stored ones that it changed."""
    result = left(end)
    hung = {("" if who == NOBODYS else who, word): value for (who, word), value in result.hung.items()}
    given = {**hung, **{("", word): value for word, value in result.words.items()}}
    found: dict[Key, AtEnd] = {key: value for key, value in given.items() if key[1] in watched and is_number(value, end)}
    reading = Reading(rules, end)
    return found | {key: reading.stat(*key) for key, value in end.numbers.items() if start.numbers.get(key) != value}


def is_number(value: Value, end: State) -> TypeGuard[AtEnd]:
    """Whether it is one in some case at least."""
    if not isinstance(value, Unseen):
        return isinstance(value, int | OnlyMean)
    lot, value = end.lot(value)
    return any(isinstance(value.values[case], int) for case, _ in lot.ways)


def table(rules: Rules, start: State, spread: Spread, watched: frozenset[str], cut: Iterable[str] = ()) -> Table:
    """Outcomes and numbers, each by itself."""
    return table_of(list(rows_of(rules, start, spread, watched)), Unchanged(rules, start), cut)


class Unchanged:
    """What stored numbers are where nothing has changed them: what they were at the start."""

    def __init__(self, rules: Rules, start: State) -> None:
        self.rules, self.before = rules, Reading(rules, start)
        self.known: dict[Key, int | None] = {}

    def __getitem__(self, key: Key) -> int | None:
        """None for a number of the procedure, which has no value until it is given one."""
        if key not in self.known:
            self.known[key] = self.before.stat(*key) if key[1] in self.rules.entries else None
        return self.known[key]


def table_of(rows: Sequence[Row], unchanged: Unchanged, cut: Iterable[str] = ()) -> Table:
    keys = sorted({key for row in rows for key in row.numbers})
    shares = Shares(rows)
    beyond: dict[Key, Others] = {}
    for row in rows:
        shares.add(OUTCOME, row.outcome, row)
        for key in keys:
            value = row.numbers[key] if key in row.numbers else unchanged[key]
            if isinstance(value, OnlyMean):
                others = Others(row.weight, value.mean, value.above)
                beyond[key] = beyond[key].and_(others) if key in beyond else others
            else:
                shares.add(key, value, row)
    numbers = {key: shares.law(key) for key in keys}
    for key, others in beyond.items():
        for one in [one for one in numbers[key] if one is not None and others.above is not None and one > others.above]:
            others = others.and_(Others(numbers[key].pop(one), Fraction(one), others.above))
        beyond[key] = others
    outcomes = shares.law(OUTCOME)
    missing = 1 - sum(outcomes.values(), Fraction(0))
    return Table(outcomes, numbers, missing, tuple(sorted(cut)) if missing else (), beyond)


OUTCOME: Key = ("", "")
"""Stands among the keys of numbers for the outcome."""


class Shares:
    """Adds up how likely values are, in whole numbers over one denominator: sums of fractions take ten times as long."""

    def __init__(self, rows: Iterable[Row]) -> None:
        rows = list(rows)
        self.whole = lcm(*(row.weight.denominator for row in rows)) * lcm(*(lot.total for row in rows for lot in row.lots if isinstance(lot, Lot)))
        self.found: dict[Key, dict[Any, int]] = {}

    def add(self, key: Key, value: str | int | Unseen | None, row: Row) -> None:
        found = self.found.setdefault(key, {})
        weight = row.weight.numerator * (self.whole // row.weight.denominator)
        if not isinstance(value, Unseen):
            found[value] = found.get(value, 0) + weight
            return
        lot = row.lots[value.lot]
        assert isinstance(lot, Lot), "a number of a row hangs on no part of a lot"
        weight //= lot.total
        for case, ways in lot.ways:
            one = value.values[case]
            one = one if isinstance(one, int) else None
            found[one] = found.get(one, 0) + weight * ways

    def law(self, key: Key) -> dict[Any, Fraction]:
        return {value: fraction(share, self.whole) for value, share in self.found.get(key, {}).items()}


@lru_cache(maxsize=10_000)
def fraction(above: int, below: int) -> Fraction:
    """The lines of a table have many shares in common, and to shorten a fraction takes longer than all else about it."""
    return Fraction(above, below)


def left(state: State) -> Result:
    """What the procedure left in a state at the end."""
    slot = state.frames[0].words.get(FOUND)
    return slot.base if slot is not None and isinstance(slot.base, Result) else Result("", Map(), Map())
