"""Lots: what chance has decided and nothing has looked at (`state.Lot`), kept small and in a fixed form, so that states that mean the same are equal."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction
from math import gcd
from typing import Any

from te_forge.engine.state import Frame, Lot, Map, Part, Result, Slot, State, Unseen, Value
from te_forge.frozen import replace

ONE = Fraction(1)


def tidied(state: State) -> State:
    """Cases that no value tells apart any more become one, what is the same in all of them is said plainly, and the lots stand in the order of the
    values that hang on them.
    """
    if not state.lots:
        return state
    said: dict[Unseen, Value] = {}
    lots: list[Lot] = []
    for lot, values, columns in hanging(state):
        cases: dict[tuple[Any, ...], int] = {}
        possible = list(zip(*columns, strict=True))
        for case, ways in lot.ways:
            key = possible[case]
            cases[key] = cases.get(key, 0) + ways
        rows = in_order(cases)
        common = gcd(*(cases[row] for row in rows))
        for value, column in zip(values, zip(*rows, strict=True), strict=True):
            said[value] = column[0] if all(one == column[0] for one in column) else Unseen(len(lots), column)
        if len(rows) > 1:
            lots.append(Lot(tuple((case, cases[row] // common) for case, row in enumerate(rows))))
    return (said_otherwise(state, said.__getitem__) if said else state).with_lots(tuple(lots))


def hanging(state: State) -> Iterator[tuple[Lot, list[Unseen], list[tuple[Any, ...]]]]:
    """What hangs on each lot, and what that is in each of its cases."""
    found: dict[int, dict[Unseen, Unseen]] = {}
    lots: dict[int, Lot] = {}
    for value in (one for _, slot in sorted_slots(state) for one in unseen_in(slot)):
        lot, whole = state.lot(value)
        lots[whole.lot] = lot
        found.setdefault(whole.lot, {})[value] = whole
    for number, values in found.items():
        yield lots[number], list(values), [whole.values for whole in values.values()]


def unsettled(state: State) -> Unseen | None:
    """All that hangs on a lot of which it is open what it is, as one value; None where nothing is open."""
    for lot, values, columns in hanging(state):
        rows = tuple(zip(*columns, strict=True))
        if len({rows[case] for case, _ in lot.ways}) > 1:
            return Unseen(state.lot(values[0])[1].lot, rows)
    return None


def together(state: State, one: int, other: int) -> State:
    """The state with two lots as one."""
    first, second = state.lots[one], state.lots[other]
    assert isinstance(first, Lot) and isinstance(second, Lot)
    pairs = [(case, more, ways * others) for case, ways in first.ways for more, others in second.ways]
    number, lots = len(state.lots), list(state.lots)
    lots[one], lots[other] = Part(number, tuple(case for case, _, _ in pairs)), Part(number, tuple(more for _, more, _ in pairs))
    return state.with_lots((*lots, Lot(tuple((case, ways) for case, (_, _, ways) in enumerate(pairs)))))


def in_order(rows: Iterable[tuple[Any, ...]]) -> list[tuple[Any, ...]]:
    try:
        return sorted(rows, reverse=True)
    except TypeError:  # a value that is not there in some cases
        return sorted(rows, key=repr)


def sorted_slots(state: State) -> list[tuple[Any, Slot]]:
    """The slots in which something hangs on a lot, in an order that does not tell how they came there."""
    found = [((at, "", word), slot) for at, frame in enumerate(state.frames) for word, slot in frame.words.items() if hangs(slot)]
    found += [((at, *key), slot) for at, frame in enumerate(state.frames) for key, slot in frame.hung.items() if hangs(slot)]
    return sorted(found, key=lambda one: one[0])


def hangs(slot: Slot) -> bool:
    return isinstance(slot.base, Unseen) or (isinstance(slot.base, Result) and any(True for _ in unseen_in(slot)))


def unseen_in(slot: Slot) -> Iterator[Unseen]:
    match slot.base:
        case Unseen():
            yield slot.base
        case Result(_, words, hung):
            yield from (one for _, one in sorted(words.items()) if isinstance(one, Unseen))
            yield from (one for _, one in sorted(hung.items()) if isinstance(one, Unseen))


Saying = Callable[[Unseen], Value]


def said_otherwise(state: State, say: Saying) -> State:
    """The state with every value that hangs on a lot said in another way."""

    def frame(one: Frame) -> Frame:
        words, hung = slots_said(one.words, say), slots_said(one.hung, say)
        return one if words is one.words and hung is one.hung else one.with_slots(words, hung)

    return state.running(tuple(map(frame, state.frames)))


def slots_said(slots: Map[Any, Slot], say: Saying) -> Map[Any, Slot]:
    changed = {key: slot_said(slot, say) for key, slot in slots.items() if hangs(slot)}
    return Map({**slots, **changed}) if changed else slots


def slot_said(slot: Slot, say: Saying) -> Slot:
    base = slot.base
    if isinstance(base, Unseen):
        return replace(slot, base=say(base))
    if isinstance(base, Result):
        return replace(slot, base=Result(base.outcome, values_said(base.words, say), values_said(base.hung, say)))
    return slot


def values_said(values: Map[Any, Any], say: Saying) -> Map[Any, Any]:
    return Map({key: say(one) if isinstance(one, Unseen) else one for key, one in values.items()})


def parted(state: State) -> Iterator[tuple[Fraction, State]]:
    """Every state that it may be, with its share: one for all cases of everything that nothing has looked at."""
    state = tidied(state)
    if not state.lots:
        yield ONE, state
        return
    lot = state.lots[0]
    assert isinstance(lot, Lot), "what is tidied has no parts"
    for case, ways in lot.ways:
        for share, whole in parted(state.with_lot(0, Lot(((case, 1),)))):
            yield Fraction(ways, lot.total) * share, whole
