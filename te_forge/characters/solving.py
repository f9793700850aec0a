"""How a character could have been made, found backwards from what they have.

A making is a row of questions. Points are linear: what a share is short of its aim is what the finished character lacks, so the shares of one run are
put right all together, as a flow from the points to the numbers. All other questions are tried, those answers first that fit what the character has;
the way that comes nearest is followed first. Every way ends in a finished character, and its distance to the one that is looked for is known, so the
nearest is found even where none fits. `complete` tells whether every way was tried.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import combinations_with_replacement, islice, product
from typing import Any

from te_forge.characters.character import Character, into_state
from te_forge.characters.making import Question, Run, Stopped, make
from te_forge.characters.roster import Maker, Roster
from te_forge.engine.effects import Draw, Roll, Share, allowed, answers, shares
from te_forge.engine.laws import law
from te_forge.engine.reading import Reading
from te_forge.engine.state import State, bag

MOST_RUNS = 1_500
MOST_CHOICES, MOST_DICE = 400, 4_000
"""Answers to one question that are looked through, and dice in all of them; a pool of many dice has more."""
ROUNDS = 4
Key = tuple[str, str]
"""A number and `value`, `least` or `most`; a trait and `trait`; a label and `field`."""


@dataclass(frozen=True)
class Target:
    """What a finished character has."""

    numbers: Mapping[Key, int]
    traits: tuple[str, ...]
    fields: Mapping[str, int | str]


def target_of(character: Character, roster: Roster) -> Target:
    return seen_in(into_state(roster.rules, State(), character), character.name, roster)


def seen_in(state: State, who: str, roster: Roster) -> Target:
    reading = Reading(roster.rules, state)
    numbers: dict[Key, int] = {(entry.id, "value"): reading.stat(who, entry.id) for entry in roster.numbers}
    numbers |= {(stat, which): value for (holder, stat, which), value in state.bounds.items() if holder == who}
    fields = {label: value for (holder, label), value in state.fields.items() if holder == who and isinstance(value, int | str)}
    return Target(numbers, state.traits.get(who, ()), fields)


@dataclass
class Way:
    """One run of the making, and what it comes to."""

    run: Run
    made: Target
    target: Target
    choices: list[int] = field(default_factory=list)
    """How many answers each question had that is no share."""
    aims: list[tuple[Share, tuple[int, ...]]] = field(default_factory=list)
    """For each share, what would have to go where for the numbers to come out."""

    def lacks(self, key: Key) -> int:
        """How far a number is below its aim."""
        wanted, made = self.target.numbers.get(key), self.made.numbers.get(key)
        if wanted is None:
            wanted = self.target.numbers.get((key[0], "value"), made)
        return 0 if wanted is None or made is None else wanted - made

    @property
    def distance(self) -> int:
        off = sum(abs(self.lacks(key)) for key in dict.fromkeys((*self.target.numbers, *self.made.numbers)))
        unstated = sum(key not in self.target.numbers for key in self.made.numbers)
        traits = len(set(self.target.traits) ^ set(self.made.traits))
        fields = sum(self.target.fields.get(label) != self.made.fields.get(label) for label in {**self.target.fields, **self.made.fields})
        return off + unstated + 3 * (traits + fields) + 1000 * (bool(self.run.failure) or self.run.again or self.run.open is not None)


@dataclass(frozen=True)
class Found:
    """The way that comes nearest, and whether every other was tried."""

    way: Way
    complete: bool


# ---------------------------------------------------------------- one way


class Walk:
    """Answers one run: shares as they were worked out, other questions by the numbers of the path, those beyond it by the likeliest answer."""

    def __init__(self, target: Target, path: tuple[int, ...], given: list[tuple[int, ...]]) -> None:
        self.target, self.path, self.given = target, path, given
        self.choices: list[int] = []
        self.shares = 0
        self.cut = False
        self.cost = 1

    def __call__(self, question: Question, run: Run) -> Any:
        if run.again:
            raise Stopped  # whatever comes of going back comes of going on as well
        if isinstance(question, Share):
            at, self.shares = self.shares, self.shares + 1
            if at < len(self.given) and len(self.given[at]) == len(question.places) and allowed(question, self.given[at]):
                return self.given[at]
            return first_share(question, self.given[at] if at < len(self.given) else ())
        options = candidates(question, run, self.target)
        dice = dice_in(question) if isinstance(question, Roll) else 1
        self.cut = self.cut or len(options) > min(MOST_CHOICES, MOST_DICE // dice)
        self.cost += dice // 100
        at = self.path[len(self.choices)] if len(self.choices) < len(self.path) else 0
        self.choices.append(len(options))
        return options[min(at, len(options) - 1)]


def candidates(question: Question, run: Run, target: Target) -> list[Any]:
    """Every answer, the likeliest first: what the character has and was not given yet, then what was not given yet."""

    def unlikely(answer: Any) -> tuple[bool, bool]:
        return answer in run.taken, answer not in target.traits and answer not in target.fields.values()

    found = list(possible(question))
    return sorted(found, key=lambda one: unlikely(one) if isinstance(one, str) else (False, False))


def possible(question: Question) -> Iterator[Any]:
    match question:
        case Roll(dice=dice):
            most = min(MOST_CHOICES, MOST_DICE // dice_in(question))
            groups = [
                [[(face, sides) for face in shown] for shown in limited(combinations_with_replacement(range(1, sides + 1), count), most)]
                for count, sides, _ in dice
            ]
            yield from limited((bag([die for group in chosen for die in group]) for chosen in product(*groups)), most)
        case Draw():
            yield from limited(hand for hand, _ in law(question))
        case _:
            yield from limited(answers(question))


def dice_in(question: Roll) -> int:
    return sum(count for count, _, _ in question.dice) or 1


def limited(found: Iterator[Any], most: int = MOST_CHOICES) -> Iterator[Any]:
    """The first of them, and one more by which to see that there are others."""
    yield from islice(found, most + 1)


def first_share(question: Share, wanted: tuple[int, ...]) -> tuple[int, ...]:
    """An allowed share, as near to the wanted one as a glance gives."""
    left = question.total
    made = []
    for at, most in enumerate(question.most):
        number = min(left, most, max(0, wanted[at]) if at < len(wanted) else 0)
        made.append(number)
        left -= number
    for at, most in enumerate(question.most):
        more = min(left, most - made[at]) if question.exactly else 0
        made[at] += more
        left -= more
    return tuple(made) if allowed(question, tuple(made)) else next(shares(question.total, question.exactly, question.most), tuple(made))


def walk(roster: Roster, maker: Maker, target: Target, path: tuple[int, ...]) -> tuple[Way, int, bool]:
    """The way of a path with its shares put right; how many runs (those with many dice count more) that took; whether something was left out."""
    given: list[tuple[int, ...]] = []
    runs = 0
    while True:
        runs += 1
        walker = Walk(target, path, given)
        run = make(roster, maker, "somebody", walker)
        way = Way(run, seen_in(run.state, "somebody", roster), target, walker.choices)
        shared = [(one.question, one.answer) for one in run.asked if isinstance(one.question, Share)]
        way.aims, better = put_right(way, shared)
        if runs == ROUNDS or better == [answer for _, answer in shared]:
            return way, runs * walker.cost, walker.cut
        given = better


# ---------------------------------------------------------------- shares

Shared = tuple[Share, tuple[int, ...]]
"""A share with how many points go where."""


def put_right(way: Way, shared: list[Shared]) -> tuple[list[Shared], list[tuple[int, ...]]]:
    """For the shares of a run: what each would have to give for the numbers to come out, and the best that it can give."""
    wanted: dict[Key, int] = {}
    for question, answer in shared:
        for key, number in zip(keys_of(question), answer, strict=True):
            wanted[key] = wanted.get(key, way.lacks(key)) + number
    flow = Flow([question for question, _ in shared], wanted)
    best = flow.best()
    aims = []
    for at, (question, _) in enumerate(shared):
        keys = keys_of(question)
        last = {key: all(key not in keys_of(other) for other, _ in shared[at + 1 :]) for key in keys}
        rest = [wanted[key] - sum(flow.given(other, key) for other in range(len(shared))) if last[key] else 0 for key in keys]
        aims.append((question, tuple(number + more for number, more in zip(best[at], rest, strict=True))))
    return aims, [first_share(question, numbers) for (question, _), numbers in zip(shared, best, strict=True)]


def keys_of(question: Share) -> tuple[Key, ...]:
    """Which number each place is; a value that is none has a key of its own."""
    keys = question.keys or (("", ""),) * len(question.places)
    return tuple(key if key[0] else (f"place {place}", "value") for key, place in zip(keys, question.places, strict=True))


class Flow:
    """Points that run from shares to numbers, as many as fit: each share puts what it can, and others give way where they can put theirs elsewhere."""

    def __init__(self, questions: list[Share], wanted: Mapping[Key, int]) -> None:
        self.questions, self.wanted = questions, wanted
        self.amounts = [dict.fromkeys(keys_of(one), 0) for one in questions]
        self.rooms = [dict(zip(keys_of(one), one.most, strict=True)) for one in questions]

    def given(self, at: int, key: Key) -> int:
        return self.amounts[at].get(key, 0)

    def short(self, key: Key) -> int:
        """How many points a number still wants."""
        return max(0, self.wanted.get(key, 0) - sum(self.given(other, key) for other in range(len(self.questions))))

    def best(self) -> list[tuple[int, ...]]:
        for at, question in enumerate(self.questions):
            while self.push(at, question.total - sum(self.amounts[at].values()), set()):
                pass
        return [tuple(self.given(at, key) for key in keys_of(one)) for at, one in enumerate(self.questions)]

    def push(self, at: int, most: int, seen: set[Key]) -> int:
        """Put up to `most` points of share `at` to some use; how many it was."""
        for key, given in self.amounts[at].items():
            room = min(most, self.rooms[at][key] - given)
            if key in seen or room <= 0:
                continue
            seen.add(key)
            put = min(room, self.short(key))
            for other in range(len(self.questions)) if not put else ():
                if other != at and self.given(other, key):
                    put = self.push(other, min(room, self.given(other, key)), seen)
                    self.amounts[other][key] -= put
                if put:
                    break
            if put:
                self.amounts[at][key] += put
                return put
        return 0


# ---------------------------------------------------------------- all ways


def find(roster: Roster, maker: Maker, target: Target, most_runs: int = MOST_RUNS, told: Callable[[], None] = lambda: None) -> Found:
    """The way of making that comes nearest to the target."""
    best: Way | None = None
    runs, order, complete = 0, 0, True
    todo: list[tuple[int, int, int, tuple[int, ...]]] = [(0, 0, 0, ())]
    while todo and runs < most_runs:
        _, off, _, path = heapq.heappop(todo)
        way, took, cut = walk(roster, maker, target, path)
        runs, complete = runs + took, complete and not cut
        told()
        if best is None or way.distance < best.distance:
            best = way
        if best.distance == 0:
            return Found(best, True)
        for at in range(len(path), len(way.choices)):
            for other in range(1, way.choices[at]):
                order += 1
                heapq.heappush(todo, (way.distance, off + 1, order, (*path, *(0,) * (at - len(path)), other)))
    assert best is not None
    return Found(best, complete and not todo)
