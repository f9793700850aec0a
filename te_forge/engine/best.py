"""Best reply: what somebody comes to who decides, each time, for whatever makes a goal most likely. Everybody else follows a policy.

What can happen becomes a graph (`graph`), in which equal parts are one: what follows equal states at the border of two pieces is worked out once.
`expectimax` finds what it is worth.

Whether a fact of the story holds (`agree ..`) is nobody's choice: that follows the policy too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from fractions import Fraction
from itertools import islice
from typing import Any, NoReturn

from te_forge.engine.ahead import Ahead
from te_forge.engine.aside import Apart
from te_forge.engine.cycling import Cycling, Open, is_open
from te_forge.engine.effects import Answerable, Chain, Decision, Draw, Look, Loop, Offer, Roll, answers
from te_forge.engine.evaluate import ChainPart, Evaluator, LoopPart, RoundPart
from te_forge.engine.expectimax import solved
from te_forge.engine.following import (
    CHAINS,
    MOST_ANSWERS,
    MOST_BRANCHES,
    Beyond,
    Course,
    Ending,
    Following,
    TooMany,
    at,
    begun,
    is_repeated,
    part_key,
    place,
)
from te_forge.engine.graph import Chance, Graph, Leaf, Node, Pick, ends_of
from te_forge.engine.index import Rules
from te_forge.engine.induction.game import Branches, Tip, Tree
from te_forge.engine.loops import COUNTS, NoCounter, kept_apart
from te_forge.engine.lots import ONE, parted, unsettled
from te_forge.engine.odds import Odds, Spread
from te_forge.engine.policies import Policy
from te_forge.engine.reading import Reading
from te_forge.engine.rounds import Rounds, Unfit
from te_forge.engine.state import Scope, State, StillRead, Untold, Value
from te_forge.frozen import replace

MOST_ROUNDS = 1_000
Free = Callable[[Decision, Reading], tuple[Any, ...] | None]
"""Which answers somebody who plays for the goal may choose from; None where the policy decides."""


class Met(Exception):
    """A run has come to something open; `answers` is a graph with an answer at each leaf."""

    def __init__(self, answers: Node) -> None:
        super().__init__()
        self.answers = answers


class Best(Following[Node, Node]):
    """The graph of everything that can happen, with choices left open."""

    def __init__(self, rules: Rules, policy: Policy, free: Free, liveness: bool = True) -> None:
        super().__init__(rules, policy, liveness)
        self.free = free
        self.nodes = Graph()
        self.leaves: dict[int, list[State]] = {}
        self.choosing: dict[int, bool] = {}
        """Whether anything in a part of the graph may be chosen for the goal."""
        self.drawing: dict[Any, Rounds] = {}

    def ends(self, state: State, procedure: str, roles: dict[str, Value]) -> Spread:
        """The endings where there is no goal, or nobody who plays for one."""
        return solved(self.graph(state, procedure, roles), lambda state: 0)

    def graph(self, state: State, procedure: str, roles: dict[str, Value]) -> Node:
        root = RoundPart(self.rules, self.live.same((begun(procedure, roles),)), Scope())
        return self.shown(self.outcomes(root, state, Ahead(self.live.yields(procedure)).along((root,))[0]))

    def shown(self, node: Node) -> Node:
        """With nothing left at the leaves that has not been looked at."""

        def then(leaf: Leaf) -> Node:
            state, stopped = leaf.ending
            return self.nodes.chance([(share, self.nodes.leaf((whole, stopped))) for share, whole in parted(state)])

        return self.nodes.grown(node, then, {})

    # ------------------------------------------------------------ one piece

    def outcomes(self, part: ChainPart, state: State, ahead: Ahead, given: tuple[Any, ...] = ()) -> Node:
        """A run stops at whatever is open, and each answer to it is a run of its own from the start of the piece."""

        def stop(answers: Node) -> NoReturn:
            raise Met(answers)

        try:
            return self.nodes.leaf(self.once(part, state, given, ahead, stop))
        except Met as met:
            return self.nodes.grown(met.answers, lambda leaf: self.outcomes(part, state, ahead, (*given, leaf.ending)), {})
        except Beyond:
            self.cut.add(CHAINS)
        except Untold:
            self.cut.add(COUNTS)
        return self.nodes.chance([])

    def decides(self, effect: Decision, evaluator: Evaluator, ahead: Ahead) -> bool:
        options = self.free(effect, evaluator)
        if options is not None and len(options) > 1 and evaluator.state.lots:  # whoever plays for the goal knows everything that has been rolled
            while (value := unsettled(self.live.needed(evaluator.state, ahead))) is not None:
                evaluator.look(value)
        return options is not None

    def answers(self, effect: Answerable, evaluator: Evaluator, ahead: Ahead) -> Node:
        match effect:
            case Chain():
                return self.chain(effect, ahead)
            case Loop():
                return self.loop(effect, ahead)
            case Roll() | Draw() | Look():
                options = self.chance(effect, evaluator.state)
                self.count(len(options))
                return Chance(tuple((weight, Leaf(answer)) for answer, weight in options))
        picks = self.free(effect, evaluator) or ()
        self.count(len(picks))
        return Pick(tuple(map(Leaf, picks)))

    def states_of(self, found: Node) -> Iterable[State]:
        if id(found) not in self.leaves:
            self.leaves[id(found)] = ends_of(found)
        return self.leaves[id(found)]

    def mixed(self, found: Iterable[tuple[Fraction, Node]]) -> Node:
        return self.nodes.chance(list(found))

    def chooses(self, node: Node) -> bool:
        if id(node) not in self.choosing:
            self.choosing[id(node)] = is_open(node)
        return self.choosing[id(node)]

    # ------------------------------------------------------------ a chain of pieces

    def chain(self, chain: Chain, ahead: Ahead) -> Node:
        course = self.course(chain, ahead)
        if len(course.parts) > MOST_ROUNDS:
            raise TooMany(
                f"with a goal no more than {MOST_ROUNDS:,} rounds of one sentence are followed, and here are "
                f"{len(course.parts):,}{place(self.rules, course.parts[0])}"
            )
        if is_repeated(course.parts) and self.live.on:
            starts = list(parted(self.live.pruned(chain.state, course.to_come[0]))) if chain.state.lots else [(ONE, chain.state)]
            walks = [(share, walk) for share, one in starts if (walk := self.walk(one, course)) is not None]
            if len(walks) == len(starts):
                return self.nodes.chance(list(walks))
        return self.onwards(course, 0, chain.state, 0, {})

    def onwards(self, course: Course, number: int, state: State, returns: int, known: dict[tuple[int, State], Node]) -> Node:
        """What follows from piece `number` on; the same for equal states, whatever led to them."""
        if number == len(course.parts):
            return self.nodes.leaf((state, None))
        if (number, state) in known:
            return known[number, state]
        part, inside = course.parts[number], course.to_come[number]
        if returns > MOST_ANSWERS:
            raise self.in_circles(part)
        apart, node = self.piece(part, state, inside, is_repeated(course.parts))

        def then(leaf: Leaf) -> Node:
            likely, next_, ending = self.goes_on(course, number, leaf.ending, apart)
            if not likely:
                return self.nodes.chance([])
            if ending[1] is not None:
                return self.nodes.chance([(likely, self.nodes.leaf(ending))])
            return self.nodes.chance([(likely, self.onwards(course, next_, ending[0], returns + (next_ != number + 1), known))])

        if apart.lots and self.chooses(node):  # what was put aside is known, too
            whole = parted(self.live.pruned(state, inside))
            known[number, state] = self.nodes.chance([(share, self.onwards(course, number, one, returns, known)) for share, one in whole])
        else:
            known[number, state] = self.nodes.grown(node, then, {})
        return known[number, state]

    # ------------------------------------------------------------ rounds without a bound

    def rounds(self, loop: Loop, key: Any, to_come: tuple[Ahead, ...]) -> Node:
        """Where nobody decides in them, they are one branch with known weights. In each round everything is looked at."""

        def weighed(one: LoopPart, state: State) -> tuple[Apart, Spread]:
            apart, node = self.shown_piece(one, state, to_come[0], True)
            if is_open(node):
                raise Open
            return apart, solved(node, lambda state: 0)

        try:
            return self.nodes.chance([(weight, self.nodes.leaf(ending)) for ending, weight in self.loops.ends(loop, key, to_come, weighed).items()])
        except Open:
            return self.open_rounds(loop, to_come)

    def open_rounds(self, loop: Loop, to_come: tuple[Ahead, ...]) -> Node:
        """Rounds in which somebody decides for the goal."""
        part: LoopPart = loop.part  # type: ignore[assignment]
        kept = kept_apart(self.live, part, loop.state)
        while True:
            try:
                return Cycling(self.live, self.nodes, self.shown_piece, part, to_come, kept, loop.state).node()
            except (NoCounter, StillRead) as other:
                less = kept.without(other)
                if less is None:
                    raise
                kept = less

    def shown_piece(self, part: ChainPart, state: State, ahead: Ahead, repeated: bool) -> tuple[Apart, Node]:
        apart, node = self.piece(part, state, ahead, repeated)
        return apart, self.shown(node)

    # ------------------------------------------------------------ rounds that draw

    def walk(self, state: State, course: Course) -> Node | None:
        """Rounds that draw from decks, as one node; None where they are not of the sort that can be solved as a whole."""
        part, to_come = course.parts[0], course.to_come

        def piece(state: State, tip: Callable[[Ending, Apart], Tip]) -> Tree | None:
            apart, node = self.shown_piece(part, state, to_come[0], True)
            return told(node, lambda ending: tip(ending, apart), ONE)

        made = Rounds(self.live, part, to_come, course.depth, piece, state)
        key = part_key(part), to_come[0].key, to_come[-1].key, len(to_come), course.depth, made.counters
        rounds = self.drawing.setdefault(key, made)
        try:
            start = rounds.start(state)
            exits = [(at, self.nodes.leaf(rounds.ended(at))) for at in rounds.exits((start,))]
        except Unfit:
            return None
        return self.nodes.walked(rounds, [(start, ONE)], exits)


def told(node: Node, tip: Callable[[Ending], Tip], weight: Fraction) -> Tree | None:
    """A graph as a tree of numbers, every end told by a function; None if there are rounds of their own in it."""
    match node:
        case Leaf(ending):
            return replace(tip(ending), weight=weight)
        case Chance(branches):
            trees = [told(one, tip, weight * part) for part, one in branches]
        case Pick(picks):
            trees = [told(one, tip, weight) for one in picks]
        case _:
            return None
    return None if None in trees else Branches(tuple(one for one in trees if one is not None), isinstance(node, Pick))


def follower(rules: Rules, policy: Policy, state: State, procedure: str, roles: dict[str, Value]) -> Odds | Best:
    """Who counts out what comes of a policy: where decks are drawn from, by a graph without choices, in which rounds that draw are solved as a whole."""
    odds = Odds(rules, policy)
    if not rules.open_decks:
        return odds
    touched = odds.live.touched(state, RoundPart(rules, odds.live.same((begun(procedure, roles),)), Scope()))
    return odds if (touched.decks | touched.begun).isdisjoint(rules.open_decks) else Best(rules, policy, lambda decision, reading: None)


def choices_of(who: frozenset[str]) -> Free:
    """Every choice of these is free, except whether a fact of the story holds."""

    def free(decision: Decision, reading: Reading) -> tuple[Any, ...] | None:
        if decision.who not in who or (isinstance(decision, Offer) and decision.fact):
            return None
        found = tuple(islice(answers(decision), MOST_BRANCHES + 1))
        if len(found) > MOST_BRANCHES:
            raise TooMany(
                f"a choice has more than {MOST_BRANCHES:,} answers, which is as many as are followed{at(reading.rules, decision.why)}; give an answer to it"
            )
        return found

    return free
