"""What a procedure comes to, told from the states at its end: the shares of its outcomes and of each number, each by itself."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from typing import NamedTuple

from te_forge.engine.index import Rules
from te_forge.engine.live import FOUND
from te_forge.engine.lots import law_of, parted
from te_forge.engine.odds import Spread
from te_forge.engine.reading import Reading, RuleError
from te_forge.engine.state import Map, OnlyMean, Result, State, Unseen

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


@dataclass(frozen=True, slots=True)
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


AtEnd = int | OnlyMean | dict[int | None, Fraction]
"""A number at an end; what nothing has looked at there has a law of its own."""


def rows_of(rules: Rules, start: State, end: State, watched: frozenset[str], weight: Fraction) -> Iterator[tuple[str, dict[Key, AtEnd], Fraction]]:
    """The outcome and the numbers of an end."""
    try:
        yield left(end).outcome, numbers_at_end(rules, start, end, watched), weight
    except RuleError:
        if not end.lots:
            raise
        for share, whole in parted(end):  # a rule that changes a stored number asks what nothing has looked at
            yield left(whole).outcome, numbers_at_end(rules, start, whole, watched), weight * share


def numbers_at_end(rules: Rules, start: State, end: State, watched: frozenset[str]) -> dict[Key, AtEnd]:
    """The numbers that the procedure yields, and the stored ones that it changed."""
    result = left(end)
    given = {**{("", word): value for word, value in result.words.items()}, **result.hung}
    found: dict[Key, AtEnd] = {}
    for key, value in given.items():
        if key[1] in watched and isinstance(value, int | OnlyMean):
            found[key] = value
        elif key[1] in watched and isinstance(value, Unseen) and any(isinstance(one, int) for one in law_of(value, end)):
            found[key] = {one if isinstance(one, int) else None: share for one, share in law_of(value, end).items()}
    reading = Reading(rules, end)
    return found | {key: reading.stat(*key) for key, value in end.numbers.items() if start.numbers.get(key) != value}


def table(rules: Rules, start: State, spread: Spread, watched: frozenset[str], cut: Iterable[str] = ()) -> Table:
    """Outcomes and numbers, each by itself."""
    rows = [row for (state, _), weight in spread.items() for row in rows_of(rules, start, state, watched, weight)]
    keys = sorted({key for _, values, _ in rows for key in values})
    before = Reading(rules, start)
    unchanged = {key: before.stat(*key) for key in keys if key[1] in rules.entries}
    outcomes: dict[str, Fraction] = {}
    numbers: dict[Key, dict[int | None, Fraction]] = {key: {} for key in keys}
    beyond: dict[Key, Others] = {}
    for outcome, values, weight in rows:
        outcomes[outcome] = outcomes.get(outcome, Fraction(0)) + weight
        for key in keys:
            value = values.get(key, unchanged.get(key))
            if isinstance(value, OnlyMean):
                others = Others(weight, value.mean, value.above)
                beyond[key] = beyond[key].and_(others) if key in beyond else others
            elif isinstance(value, dict):
                for one, share in value.items():
                    numbers[key][one] = numbers[key].get(one, 0) + weight * share
            else:
                numbers[key][value] = numbers[key].get(value, 0) + weight
    for key, others in beyond.items():
        for one in [one for one in numbers[key] if one is not None and others.above is not None and one > others.above]:
            others = others.and_(Others(numbers[key].pop(one), Fraction(one), others.above))
        beyond[key] = others
    missing = 1 - sum(outcomes.values(), Fraction(0))
    return Table(outcomes, numbers, missing, tuple(sorted(cut)) if missing else (), beyond)


def left(state: State) -> Result:
    """What the procedure left in a state at the end."""
    slot = state.frames[0].words.get(FOUND)
    return slot.base if slot is not None and isinstance(slot.base, Result) else Result("", Map(), Map())
