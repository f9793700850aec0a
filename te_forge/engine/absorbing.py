"""Chains that go on until they are left, solved exactly: how often each of their states is come to, and what each is worth.

A chain is a row for each state: how likely it goes on in which. What a row lacks to 1 leaves the chain. States that lead back to each other (a
component) are one system of equations; the components are solved one after the other, so that a chain that only goes forward costs no more than
walking through it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction

Row = Mapping[int, Fraction]
Columns = tuple[Fraction, ...]
"""The same question asked for several things at once."""
ZERO = Fraction(0)
MOST_STEPS = 300_000
"""How many products of fractions one component may cost."""


class TooLarge(Exception):
    """More states that lead back to each other than are solved."""


def visits(rows: Sequence[Row], start: Mapping[int, Columns]) -> dict[int, Columns]:
    """How often each state is come to, for a start in each column: `v = start + v rows`."""
    found: dict[int, Columns] = dict(start)
    width = len(next(iter(start.values()), ()))
    for part in components(rows, start):
        inside = frozenset(part)
        come_from: dict[int, dict[int, Fraction]] = {one: {} for one in part}
        for one in part:
            for to, weight in rows[one].items():
                if to in inside:
                    come_from[to][one] = weight
        found |= fixed_point(come_from, {one: found.get(one, (ZERO,) * width) for one in part})
        for one in part:
            for to, weight in rows[one].items():
                if to not in inside:
                    found[to] = plus(found.get(to, (ZERO,) * width), found[one], weight)
    return found


def values(rows: Sequence[Row], leaving: Sequence[Fraction], starts: Iterable[int]) -> dict[int, Fraction]:
    """What each state is worth, where a row adds what is won on leaving by it: `v = leaving + rows v`."""
    found: dict[int, Fraction] = {}
    for part in reversed(components(rows, starts)):
        inside = frozenset(part)
        known: dict[int, Columns] = {
            one: (leaving[one] + sum((weight * found[to] for to, weight in rows[one].items() if to not in inside), ZERO),) for one in part
        }
        within = {one: {to: weight for to, weight in rows[one].items() if to in inside} for one in part}
        found |= {one: value for one, (value,) in fixed_point(within, known).items()}
    return found


def fixed_point(rows: dict[int, dict[int, Fraction]], known: dict[int, Columns]) -> dict[int, Columns]:
    """The solution of `x = known + rows x`, by putting one unknown after the other into the rest, the one that stands in the fewest rows first."""
    left, uses = {one: dict(row) for one, row in rows.items()}, {one: set[int]() for one in rows}
    known = dict(known)
    for one, row in left.items():
        for to in row:
            uses[to].add(one)
    order: list[int] = []
    steps = 0
    while len(order) < len(rows):
        one = min(uses, key=lambda one: len(uses[one]) * len(left[one]))
        order.append(one)
        row = left[one]
        again = row.pop(one, ZERO)
        if again:
            factor = 1 / (1 - again)
            row = left[one] = {to: weight * factor for to, weight in row.items()}
            known[one] = tuple(value * factor for value in known[one])
        for to in row:
            uses[to].discard(one)
        for user in uses.pop(one) - {one}:
            share = left[user].pop(one)
            known[user] = plus(known[user], known[one], share)
            for to, weight in row.items():
                left[user][to] = left[user].get(to, ZERO) + share * weight
                uses[to].add(user)
            steps += len(row) + 1
        if steps > MOST_STEPS:
            raise TooLarge
    solved: dict[int, Columns] = {}
    for one in reversed(order):
        solved[one] = known[one]
        for to, weight in left[one].items():
            solved[one] = plus(solved[one], solved[to], weight)
    return solved


def plus(one: Columns, more: Columns, factor: Fraction) -> Columns:
    return tuple(value + factor * other for value, other in zip(one, more, strict=True))


def components(rows: Sequence[Iterable[int]], starts: Iterable[int]) -> list[list[int]]:
    """The states that can be come to from `starts`, those that lead back to each other together, each group before those that it leads to (Tarjan)."""
    number: dict[int, int] = {}
    lowest: dict[int, int] = {}
    path: list[int] = []
    on_path: set[int] = set()
    found: list[list[int]] = []
    for start in starts:
        if start in number:
            continue
        todo = [(start, iter(rows[start]))]
        number[start] = lowest[start] = len(number)
        path.append(start)
        on_path.add(start)
        while todo:
            one, open_ = todo[-1]
            to = next(open_, None)
            if to is None:
                todo.pop()
                if todo:
                    lowest[todo[-1][0]] = min(lowest[todo[-1][0]], lowest[one])
                if lowest[one] == number[one]:
                    found.append([path.pop()])
                    while found[-1][-1] != one:
                        found[-1].append(path.pop())
                    on_path.difference_update(found[-1])
            elif to not in number:
                number[to] = lowest[to] = len(number)
                path.append(to)
                on_path.add(to)
                todo.append((to, iter(rows[to])))
            elif to in on_path:
                lowest[one] = min(lowest[one], number[to])
    found.reverse()
    return found


def stuck(rows: Sequence[Row], leaves: Callable[[int], bool]) -> set[int]:
    """The states from which the chain is never left."""
    come_from: dict[int, list[int]] = {}
    for one, row in enumerate(rows):
        for to in row:
            come_from.setdefault(to, []).append(one)
    todo = [one for one in range(len(rows)) if leaves(one)]
    out = set(todo)
    while todo:
        for one in come_from.get(todo.pop(), ()):
            if one not in out:
                out.add(one)
                todo.append(one)
    return set(range(len(rows))) - out
