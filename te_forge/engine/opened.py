"""Numbers that a question leaves open: a procedure followed once for all that they may be, and told for each.

An open number is a value that hangs on a lot of its own (see `state.Unseen`), in which every value is as likely as the others. Whatever the rules ask
about it parts its values by the answer, as they part dice that nothing has looked at; so the rules run once for all numbers that they treat alike. In
the end each combination of values takes the cases in which the numbers are these.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from itertools import product
from math import prod

from te_forge.engine.following import as_expr
from te_forge.engine.live import FOUND
from te_forge.engine.lots import tidied
from te_forge.engine.odds import Odds, Spread, add
from te_forge.engine.state import Lot, Scope, Slot, State, Unseen, Value
from te_forge.engine.table import Row, rows_of
from te_forge.model import rules as m

Numbers = tuple[int, ...]
Cases = dict[Numbers, tuple[int, int, Lot | None]]
"""Of a lot that numbers hang on: for the values of these numbers how many ways there are to them, of how many, and the lot with no other cases."""


def rows_for_each(
    odds: Odds, state: State, procedure: str, roles: Mapping[str, Value], open_: Mapping[str, Numbers]
) -> Iterator[tuple[Numbers, list[Row]]]:
    """For each combination of what the open roles may be, the ends with what each of them comes to."""
    said = tuple((role, m.Local(given_word(role)) if role in open_ else as_expr(value)) for role, value in roles.items())
    watched = odds.live.yields(procedure)
    spread = odds.unseen_ends(with_open(state, open_), odds.live.same((m.Do(procedure, said, FOUND),)), Scope(), watched)
    rows = [(row, parts_of(row.end, tuple(open_))) for row in rows_of(odds.rules, state, joined(spread), watched)]
    many = prod(map(len, open_.values()))
    for numbers in product(*open_.values()):
        yield numbers, [one for row, parts in rows if (one := with_numbers(row, numbers, parts, many)) is not None]


def given_word(role: str) -> str:
    """The word in the outermost frame that holds what an open role was at the beginning; it has blanks in it, so no rule can speak of it."""
    return f"what was given as the {role}"


def with_open(state: State, open_: Mapping[str, Numbers]) -> State:
    first, lots = state.frame, list(state.lots)
    for role, numbers in open_.items():
        downwards = tuple(sorted(numbers, reverse=True))  # what is too much is met at once, and not after all that is less
        first = first.with_slots(first.words.set(given_word(role), Slot(Unseen(len(lots), downwards))), first.hung)
        lots.append(Lot(tuple((case, 1) for case in range(len(numbers)))))
    return state.with_frame(0, first).with_lots(tuple(lots))


def joined(spread: Spread) -> Spread:
    found: Spread = {}
    for (state, stopped), weight in spread.items():
        add(found, (tidied(state), stopped), weight)
    return found


def parts_of(state: State, roles: tuple[str, ...]) -> list[tuple[int, tuple[int, ...], Cases]]:
    """For each lot that open numbers hang on (-1: none): which of them do, and its cases by what these are."""
    found: dict[int, dict[int, Value]] = {}
    for at, role in enumerate(roles):
        value = state.frames[0].words[given_word(role)].come_to()
        found.setdefault(value.lot if isinstance(value, Unseen) else -1, {})[at] = value
    return [(number, tuple(values), cases_of(state, number, tuple(values.values()))) for number, values in found.items()]


def cases_of(state: State, number: int, values: tuple[Value, ...]) -> Cases:
    if number < 0:
        return {tuple(value for value in values if isinstance(value, int)): (1, 1, None)}
    lot = state.lots[number]
    assert isinstance(lot, Lot), "what is tidied has no parts"
    ways: dict[Numbers, list[tuple[int, int]]] = {}
    for case, many in lot.ways:
        ways.setdefault(tuple(value.values[case] for value in values if isinstance(value, Unseen)), []).append((case, many))
    made = {numbers: Lot(tuple(cases)) for numbers, cases in ways.items()}
    return {numbers: (one.total, lot.total, one) for numbers, one in made.items()}


def with_numbers(row: Row, numbers: Numbers, parts: list[tuple[int, tuple[int, ...], Cases]], many: int) -> Row | None:
    """An end as it is when the open numbers are these; None where they are not. They are these in one of `many` cases."""
    above, below, lots = row.weight.numerator * many, row.weight.denominator, list(row.lots)
    for number, which, cases in parts:
        found = cases.get(tuple(numbers[at] for at in which))
        if found is None:
            return None
        ways, whole, lot = found
        above, below = above * ways, below * whole
        if lot is not None:
            lots[number] = lot
    return Row(row.outcome, row.numbers, tuple(lots), Fraction(above, below), row.end)
