"""The rounds of `repeat until`, of which there may be any number, as a chain that is solved exactly.

A round is run once for each state that it can begin in, with the counters at 0: values that the rounds change by `the x becomes the x + 1` and never
look at. How likely each end is then takes one system of equations (`absorbing`), and so does what each counter comes to there in the mean. How likely
each value of a counter is has no end of its own; so the rounds are also followed, one after the other, until hardly any case is left. The ends of the
cases that are left are exact but for their counters: these hold no more than a mean (`OnlyMean`).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction
from math import lcm
from typing import Any, cast

from te_forge.engine.absorbing import ZERO, TooLarge, stuck, visits
from te_forge.engine.ahead import Ahead
from te_forge.engine.aside import Apart
from te_forge.engine.effects import AGAIN, Loop
from te_forge.engine.evaluate import LoopPart
from te_forge.engine.gains import Gains, added, mean, merged, sum_of, summed, value_of
from te_forge.engine.index import Rules, sentences
from te_forge.engine.live import Liveness
from te_forge.engine.lots import ONE, parted
from te_forge.engine.reading import RuleError
from te_forge.engine.rounds import Counted, counted, is_plain, slot_at, with_counts
from te_forge.engine.state import OnlyMean, Scope, Slot, Stale, State, StillRead
from te_forge.engine.words import brought
from te_forge.frozen import frozen, replace

Ending = tuple[State, tuple[str, Any] | None]
Piece = Callable[[LoopPart, State], tuple[Apart, dict[Ending, Fraction]]]
"""What one round comes to from a state, and what was put aside for it."""
MOST_STATES = 10_000
"""How many states the rounds of one loop may begin in to be solved. Beyond that they are only followed."""
SOME_STATES = 2_000
"""With more, the rounds are followed first: mostly next to nothing is left then, and the states have no end."""
MOST_FOLLOWED = 500_000
"""How many ways from a state with its counters are followed, all rounds of one loop together."""
REST = Fraction(1, 10**12)
"""When so little is left, the rounds are followed no more."""
LOOPS = "A `repeat until` can come to more different states there than are solved, so its rounds are followed one by one, for as long as that can be done."
COUNTS = "Rules look there at a number that grows for as long as a `repeat until` goes on, which has no end."


@frozen
class Way:
    """From a state to a state, or to an exit: how likely, and what it adds to the counters."""

    to: int
    leaves: bool
    weight: Fraction
    gains: Gains


class NoCounter(Exception):
    """These are looked at after all, or are not plain numbers."""

    def __init__(self, counters: Iterable[Counted]) -> None:
        super().__init__()
        self.counters = frozenset(counters)


@frozen
class Kept:
    """What of a state the rounds of a loop need not tell apart: counters, and values that each round gives anew before it reads them."""

    counters: tuple[Counted, ...]
    stale: tuple[Counted, ...]

    def renewed(self, state: State) -> State:
        """The state with what is given anew left open."""
        for place in self.stale:
            index, _, word = place
            slot = slot_at(state, place)
            if slot is None or slot.base == Stale(place):
                continue
            if slot.base is None or slot != Slot(slot.base):
                raise StillRead(place)
            frame = state.frames[index]
            state = state.with_frame(index, replace(frame, words=frame.words.set(word, Slot(Stale(place)))))
        return state

    def refuse_stale(self, end: State) -> None:
        """What is there behind the loop may be read there."""
        for place in self.stale:
            slot = slot_at(end, place)
            if slot is not None and slot.base == Stale(place):
                raise StillRead(place)

    def without(self, one: NoCounter | StillRead) -> Kept | None:
        """What is left of it when one of these was not so; None where it is about something else."""
        places = one.counters if isinstance(one, NoCounter) else {one.place}
        made = Kept(tuple(place for place in self.counters if place not in places), tuple(place for place in self.stale if place not in places))
        return made if made != self else None


def kept_apart(live: Liveness, part: LoopPart, state: State) -> Kept:
    """All that may be so of the loop, before any round of it is run."""
    counters = counted(live, part, state)
    index = part.scope.frame
    given = {word for one in sentences(part.sentences) for word in brought(one)} - set(state.frames[index].roles) - set(part.scope.words)
    stale = {(index, "", word) for word in given} - counters if live.on and not part.scope.own else set()
    return Kept(tuple(sorted(counters)), tuple(sorted(stale)))


class Chain:
    """The states that the rounds of one loop can begin in, found out as they are reached."""

    def __init__(self, live: Liveness, first: LoopPart, to_come: tuple[Ahead, ...], piece: Piece, apart: Kept, start: State) -> None:
        self.live, self.first, self.piece, self.kept = live, first, piece, apart
        self.counters = apart.counters
        self.behind, self.out = to_come[0], to_come[-1]
        self.depth = len(start.frames)
        self.numbers: dict[tuple[object, State], int] = {}
        self.states: list[tuple[LoopPart, State]] = []
        self.ways: list[tuple[Way, ...] | None] = []
        self.exits: list[Ending] = []
        self.exit_numbers: dict[Ending, int] = {}
        self.number(first, start)

    # ------------------------------------------------------------ states

    def number(self, part: LoopPart, bare: State) -> int:
        key = part.scope.words, bare
        if key not in self.numbers:
            if looked_at := set(self.counters) - counted(self.live, part, bare):
                raise NoCounter(looked_at)
            self.numbers[key] = len(self.states)
            self.states.append((part, bare))
            self.ways.append(None)
        return self.numbers[key]

    def exit(self, ending: Ending) -> int:
        if ending not in self.exit_numbers:
            self.exit_numbers[ending] = len(self.exits)
            self.exits.append(ending)
        return self.exit_numbers[ending]

    def from_(self, number: int) -> tuple[Way, ...]:
        """What a round that begins in this state leads to."""
        known = self.ways[number]
        if known is None:
            part, state = self.states[number]
            apart, ends = self.piece(part, state)
            found: list[tuple[tuple[int, bool], Gains, Fraction]] = []
            for ending, chance in ends.items():
                whole, likely = self.live.joined(ending[0], apart)
                if likely:
                    found += [(to, gains, chance * likely * share) for to, gains, share in self.tips(part, whole, ending[1])]
            known = self.ways[number] = tuple(Way(to, leaves, weight, gains) for (to, leaves), gains, weight in merged(found))
        return known

    def tips(self, part: LoopPart, whole: State, stopped: tuple[str, Any] | None) -> Iterator[tuple[tuple[int, bool], Gains, Fraction]]:
        """Where an end of a round leads. What a round adds to a counter is a number, so what nothing has looked at is looked at here, if it still
        matters.
        """
        assert stopped is not None
        over = stopped[0] != AGAIN
        state = self.live.pruned(whole.popped(self.depth), self.out) if over else self.kept.renewed(self.live.pruned(whole, self.behind))
        if over:
            self.kept.refuse_stale(state)
        for share, shown in parted(state):
            bare, gains = bare_of(shown, self.counters)
            yield (self.exit((bare, stopped)) if over else self.number(part.again(stopped[1]), bare), over), gains, share

    def explored(self, most: int) -> bool:
        """Whether all states are known that can be come to. A mistake in one that is hardly ever come to is none for those who only follow the
        rounds.
        """
        number = 0
        while number < len(self.states):
            if number == most:
                return False
            try:
                self.from_(number)
            except RuleError:
                return False
            number += 1
        return True

    # ------------------------------------------------------------ solving

    def solved(self) -> list[tuple[Fraction, list[Fraction]]]:
        """Of each exit how likely it is, and the sum of each counter over all cases that come to it."""
        rows = [summed((way.to, way.weight) for way in self.from_(number) if not way.leaves) for number in range(len(self.states))]
        self.refuse_endless(rows)
        often = {number: value for number, (value,) in visits(rows, {0: (ONE,)}).items()}
        width = len(self.counters)
        counts: defaultdict[int, list[Fraction]] = defaultdict(lambda: [ZERO] * width)
        found = [(ZERO, [ZERO] * width) for _ in self.exits]
        for number, times in often.items():
            for way in self.from_(number):
                gained = [times * way.weight * mean(gain) for gain in way.gains]
                if way.leaves:
                    share, sums = found[way.to]
                    found[way.to] = share + times * way.weight, added(sums, gained)
                elif any(gained):
                    counts[way.to] = added(counts[way.to], gained)
        for number, before in visits(rows, {number: tuple(sums) for number, sums in counts.items()}).items():
            for way in self.from_(number):
                if way.leaves:
                    share, sums = found[way.to]
                    found[way.to] = share, added(sums, [way.weight * value for value in before])
        return found

    def refuse_endless(self, rows: list[dict[int, Fraction]]) -> None:
        whole = [sum((way.weight for way in self.from_(number)), ZERO) for number in range(len(rows))]
        if caught := stuck(rows, lambda number: whole[number] < 1 or any(way.leaves for way in self.from_(number))):
            raise endless(self.live.rules, self.first.scope, 0 in caught)

    def by_count(self) -> tuple[dict[tuple[int, Gains], Fraction], int] | None:
        """The exits with each number that the only counter may come to there, up to the returned one, beyond which hardly anything is left. What
        comes to one number may stay at it for any number of rounds, so each takes an equation system of its own. None where there is more than one
        counter, or one that may fall.
        """
        ways = [self.from_(number) for number in range(len(self.states))]
        if len(self.counters) != 1 or any(isinstance(gain, OnlyMean) or gain < 0 for row in ways for way in row for gain in way.gains):
            return None
        staying = [summed((way.to, way.weight) for way in row if not way.leaves and way.gains == (0,)) for row in ways]
        waiting: dict[int, dict[int, Fraction]] = {0: {0: ONE}}
        done: dict[tuple[int, Gains], Fraction] = {}
        left_at: defaultdict[int, list[tuple[int, Fraction]]] = defaultdict(list)
        over, steps = ZERO, 0
        while True:
            count = min({*waiting, *left_at})
            for number, (times,) in visits(staying, {one: (share,) for one, share in waiting.pop(count, {}).items()}).items():
                for way in ways[number]:
                    steps += 1
                    share, after = times * way.weight, count + cast(int, way.gains[0])
                    if way.leaves:
                        left_at[after].append((way.to, share))
                    elif after > count:
                        at = waiting.setdefault(after, {})
                        at[way.to] = at.get(way.to, ZERO) + share
            for at_exit, share in summed(left_at.pop(count, ())).items():
                done[at_exit, (count,)] = share
                over += share
            if not (waiting or left_at) or 1 - over < REST or steps > MOST_FOLLOWED:
                return done, count

    def followed(self) -> tuple[dict[tuple[int, Gains], Fraction], bool]:
        """The exits with the counters there, round after round, and whether all there is was followed. The weights of one round have one denominator."""
        done: dict[tuple[int, Gains], Fraction] = {}
        now: dict[tuple[int, Gains], int] = {(0, (0,) * len(self.counters)): 1}
        below, whole, steps = 1, True, 0
        while now:
            if sum(now.values()) < REST * below or steps > MOST_FOLLOWED or len(self.states) > 2 * MOST_STATES:
                return done, False
            scale = lcm(*(way.weight.denominator for number in {number for number, _ in now} for way in self.from_(number)))
            then: defaultdict[tuple[int, Gains], int] = defaultdict(int)
            left: defaultdict[tuple[int, Gains], int] = defaultdict(int)
            for (number, counts), weight in now.items():
                for way in self.from_(number):
                    steps += 1
                    if any(isinstance(gain, OnlyMean) for gain in way.gains):
                        whole = False
                        continue
                    after = tuple(map(int.__add__, counts, way.gains))  # type: ignore[arg-type]
                    (left if way.leaves else then)[way.to, after] += weight * way.weight.numerator * (scale // way.weight.denominator)
            below *= scale
            for at, weight in left.items():
                done[at] = done.get(at, ZERO) + Fraction(weight, below)
            now = then
        return done, whole


Ends = list[tuple[Ending, Gains, Fraction]]
"""How a loop ends, with what it added to its counters and how likely that is."""


class Loops:
    """Solves the loops of one driver. What comes of one is kept, since many states come to the same loop."""

    def __init__(self, live: Liveness, cut: set[str]) -> None:
        self.live, self.cut = live, cut
        self.known: dict[object, tuple[tuple[Counted, ...], Ends]] = {}

    def ends(self, loop: Loop, key: object, to_come: tuple[Ahead, ...], piece: Piece) -> dict[Ending, Fraction]:
        part = loop.part
        assert isinstance(part, LoopPart)
        kept = kept_apart(self.live, part, loop.state)
        while True:
            try:
                bare, before = bare_of(kept.renewed(self.live.pruned(loop.state, to_come[0])), kept.counters)
                whole = key, bare, kept
                if whole not in self.known:
                    self.known[whole] = self.solved(Chain(self.live, part, to_come, piece, kept, bare))
                break
            except (NoCounter, StillRead) as other:
                less = kept.without(other)
                if less is None:
                    raise
                kept = less
        counters, ends = self.known[whole]
        with_before = merged((ending, tuple(map(sum_of, before, gains)), weight) for ending, gains, weight in ends)
        return summed(((with_counts(state, counters, counts), stopped), weight) for (state, stopped), counts, weight in with_before)

    def solved(self, chain: Chain) -> tuple[tuple[Counted, ...], Ends]:
        exact = exactly(chain, SOME_STATES)
        if exact is None:
            followed, whole = chain.followed()
            if not whole and 1 - sum(followed.values()) > 10 * REST:
                exact = exactly(chain, MOST_STATES)
            if exact is None:
                if not whole:
                    self.cut.add(LOOPS)
                return chain.counters, [(chain.exits[at], gains, weight) for (at, gains), weight in followed.items()]
        if all(slot_at(state, one) is None for state, _ in chain.exits for one in chain.counters):
            return (), [(ending, (), share) for ending, (share, _) in zip(chain.exits, exact, strict=True) if share]
        followed, above = chain.by_count() or (chain.followed()[0], None)
        found = [(chain.exits[at], gains, weight) for (at, gains), weight in followed.items()]
        return chain.counters, [*found, *rest(chain, exact, followed, above)]


def exactly(chain: Chain, most: int) -> list[tuple[Fraction, list[Fraction]]] | None:
    try:
        return chain.solved() if chain.explored(most) else None
    except TooLarge:
        return None


def endless(rules: Rules, scope: Scope, at_once: bool = False) -> RuleError:
    when = "this never comes to its end" if at_once else "this can come to a point from which it never comes to its end"
    return RuleError(
        f"{when}, whatever the dice show{rules.where(scope.entry, scope.line)}; perhaps it does with other answers to the choices in it, or with another policy",
        scope,
    )


def rest(chain: Chain, exact: list[tuple[Fraction, list[Fraction]]], followed: dict[tuple[int, Gains], Fraction], above: int | None) -> Ends:
    """What was not followed: of each exit, with the means of the counters in those cases, and what the only counter is `above` there."""
    shares, sums = [share for share, _ in exact], [sums for _, sums in exact]
    for (at, gains), weight in followed.items():
        shares[at] -= weight
        sums[at] = added(sums[at], [-weight * mean(gain) for gain in gains])
    return [
        (ending, tuple(OnlyMean(one / share, above) for one in of), share)
        for ending, share, of in zip(chain.exits, shares, sums, strict=True)
        if share
    ]


def bare_of(state: State, counters: tuple[Counted, ...]) -> tuple[State, Gains]:
    """The state with every counter at 0, and the counters."""
    slots = [slot_at(state, one) for one in counters]
    if others := [one for one, slot in zip(counters, slots, strict=True) if slot is not None and not is_plain(slot)]:
        raise NoCounter(others)
    gains = tuple(value_of(slot) for slot in slots)
    return with_counts(state, counters, (0,) * len(counters)), gains
