"""Best reply: what somebody comes to who decides, each time, for whatever makes a goal most likely. Everybody else follows a policy.

What can happen becomes a graph (`graph`), in which equal parts are one: what follows equal states at the border of two pieces is worked out once.
`expectimax` finds what it is worth.

Whether a fact of the story holds (`agree ..`) is nobody's choice: that follows the policy too.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from itertools import islice
from typing import Any

from te_forge.engine.ahead import Ahead
from te_forge.engine.aside import Apart
from te_forge.engine.cycling import Cycling, Open, is_open
from te_forge.engine.effects import Chain, Decision, Draw, Look, Loop, Note, Offer, Roll, answers
from te_forge.engine.evaluate import ChainPart, LoopPart, RoundPart
from te_forge.engine.expectimax import solved
from te_forge.engine.graph import Chance, Graph, Leaf, Node, Pick, ends_of
from te_forge.engine.index import Rules
from te_forge.engine.induction.game import Branches, Tip, Tree
from te_forge.engine.laws import looked
from te_forge.engine.loops import COUNTS, NoCounter, kept_apart
from te_forge.engine.lots import ONE, parted, unsettled
from te_forge.engine.odds import (
    CHAINS,
    MOST_BRANCHES,
    Beyond,
    Ending,
    Odds,
    Spread,
    TooMany,
    at,
    begun,
    is_repeated,
    part_key,
    place,
)
from te_forge.engine.policies import Policy
from te_forge.engine.reading import Reading
from te_forge.engine.rounds import Rounds, Unfit
from te_forge.engine.state import Scope, State, StillRead, Untold, Value
from te_forge.frozen import replace

MOST_ROUNDS = 1_000
Free = Callable[[Decision, Reading], tuple[Any, ...] | None]
"""Which answers somebody who plays for the goal may choose from; None where the policy decides."""


class Branch(Exception):
    """A run has come to a roll or a look; `options` are its answers with their weights."""

    def __init__(self, options: list[tuple[Any, Fraction]]) -> None:
        super().__init__()
        self.options = options


class Fork(Exception):
    """A run has come to a choice of the one who plays for the goal."""

    def __init__(self, options: tuple[Any, ...]) -> None:
        super().__init__()
        self.options = options


class Nested(Exception):
    """A run has come to a chain."""

    def __init__(self, chain: Chain | Loop) -> None:
        super().__init__()
        self.chain = chain


class Best(Odds):
    """The graph of everything that can happen, with choices left open."""

    def __init__(self, rules: Rules, policy: Policy, free: Free, liveness: bool = True) -> None:
        super().__init__(rules, policy, liveness)
        self.free = free
        self.nodes = Graph()
        self.alone: dict[Any, Node] = {}
        """What follows within a piece, by the piece, what is ahead, and the state without what it does not touch."""
        self.leaves: dict[Any, list[State]] = {}
        self.choosing: dict[int, bool] = {}
        """Whether anything in a part of the graph may be chosen for the goal."""
        self.rounds: dict[Any, Rounds] = {}

    def ends(self, state: State, procedure: str, roles: dict[str, Value]) -> Spread:
        """The endings where there is no goal, or nobody who plays for one."""
        return solved(self.graph(state, procedure, roles), lambda state: 0)

    def graph(self, state: State, procedure: str, roles: dict[str, Value]) -> Node:
        root = RoundPart(self.rules, self.live.same((begun(procedure, roles),)), Scope())
        return self.shown(self.tree(root, state, (), Ahead(self.live.yields(procedure)).along((root,))[0]))

    def shown(self, node: Node) -> Node:
        """With nothing left at the leaves that has not been looked at."""

        def then(leaf: Leaf) -> Node:
            state, stopped = leaf.ending
            return self.nodes.chance([(share, self.nodes.leaf((whole, stopped))) for share, whole in parted(state)])

        return self.nodes.grown(node, then, {})

    # ------------------------------------------------------------ making the graph

    def tree(self, part: ChainPart, state: State, given: tuple[Any, ...], ahead: Ahead) -> Node:
        """What a piece comes to from one state once it has been given these answers."""

        def follow(answer: Any) -> Node:
            return self.tree(part, state, (*given, answer), ahead)

        try:
            return self.nodes.leaf(self.answered(part, state, given, ahead))
        except Beyond:
            self.cut.add(CHAINS)
            return self.nodes.chance([])
        except Untold:
            self.cut.add(COUNTS)
            return self.nodes.chance([])
        except Branch as branch:
            options = branch.options
        except Fork as fork:
            self.count(len(fork.options))
            return self.nodes.pick([follow(answer) for answer in fork.options])
        except Nested as nested:
            inner = self.chain(nested.chain, ahead) if isinstance(nested.chain, Chain) else self.cycle(nested.chain, ahead)
            return self.nodes.grown(inner, lambda leaf: follow(leaf.ending), {})
        self.count(len(options))
        return self.nodes.chance([(weight, follow(answer)) for answer, weight in options])

    def answered(self, part: ChainPart, state: State, given: tuple[Any, ...], ahead: Ahead) -> Ending:
        """One run with these answers; raises `Branch`, `Fork` or `Nested` where they end."""
        self.bounded(part, given)
        left = list(reversed(given))

        def perform(effect: Any) -> Any:
            match effect:
                case Note():
                    if effect.what == "bound":
                        raise Beyond
                    return None
                case Roll() if (dice := self.unseen(effect, ahead)) is not None:
                    return dice
                case Roll() | Draw() | Look() | Chain() | Loop() if left:
                    return left.pop()
                case Roll() | Draw():
                    raise Branch(self.weighed(effect, evaluator.state))
                case Look():
                    raise Branch(looked(effect))
                case Chain() | Loop():
                    raise Nested(effect)
                case _:
                    options = self.free(effect, evaluator)
                    if options is None:
                        return self.policy(effect, evaluator)
                    if len(options) > 1 and evaluator.state.lots:  # whoever plays for the goal knows everything that has been rolled
                        while (value := unsettled(self.live.needed(evaluator.state, ahead))) is not None:
                            evaluator.look(value)
                    if left:
                        return left.pop()
                    raise Fork(options)

        evaluator = part.alone(perform, state)
        stopped = part.run(evaluator)
        return evaluator.state, stopped

    def chain(self, chain: Chain, ahead: Ahead) -> Node:
        parts: tuple[ChainPart, ...] = chain.parts  # type: ignore[assignment]
        if len(parts) > MOST_ROUNDS:
            raise TooMany(
                f"with a goal no more than {MOST_ROUNDS:,} rounds of one sentence are followed, and here are {len(parts):,}{place(self.rules, parts[0])}"
            )
        depth = len(chain.state.frames)
        to_come = ahead.past(chain.by).along(parts)
        out = to_come[-1]
        if is_repeated(parts) and self.live.on:
            starts = list(parted(self.live.pruned(chain.state, to_come[0]))) if chain.state.lots else [(ONE, chain.state)]
            walks = [(share, walk) for share, one in starts if (walk := self.walk(one, parts[0], to_come)) is not None]
            if len(walks) == len(starts):
                return self.nodes.chance(list(walks))
        known: dict[tuple[int, State], Node] = {}

        def onwards(number: int, state: State, returns: int) -> Node:
            """What follows from piece `number` on; the same for equal states, whatever led to them."""
            if number == len(parts):
                return self.nodes.leaf((state, None))
            if (number, state) not in known:
                behind = to_come[number + 1]
                apart, node = self.piece(parts[number], state, to_come[number], is_repeated(parts))
                if apart.lots and self.chooses(node):  # what was put aside is known, too
                    whole = parted(self.live.pruned(state, to_come[number]))
                    known[number, state] = self.nodes.chance([(share, onwards(number, one, returns)) for share, one in whole])
                    return known[number, state]

                def then(leaf: Leaf) -> Node:
                    end, stopped = leaf.ending
                    whole, likely = self.live.joined(end, apart)
                    if not likely:
                        return self.nodes.chance([])
                    if stopped is not None and (back := parts[0].back(whole, stopped)) is not None:
                        at, before = back
                        return self.nodes.chance([(likely, onwards(at, self.live.pruned(before, to_come[at]), returns + 1))])
                    if stopped is not None:
                        return self.nodes.chance([(likely, self.nodes.leaf((self.live.pruned(whole.popped(depth), out), stopped)))])
                    return self.nodes.chance([(likely, onwards(number + 1, self.live.pruned(whole, behind), returns))])

                known[number, state] = self.nodes.grown(node, then, {})
            return known[number, state]

        return onwards(0, chain.state, 0)

    def chooses(self, node: Node) -> bool:
        if id(node) not in self.choosing:
            self.choosing[id(node)] = is_open(node)
        return self.choosing[id(node)]

    def piece(self, part: ChainPart, state: State, ahead: Ahead, repeated: bool) -> tuple[Apart, Node]:
        """What a piece comes to, worked out once for all states that differ only in what it does not touch; and what that is in this one."""
        for decks in (repeated, False):
            near, apart = self.live.split(part, state, decks)
            key = (part_key(part), ahead.key, near)
            if key not in self.alone:
                self.alone[key] = self.tree(part, near, (), ahead)
                self.leaves[key] = ends_of(self.alone[key])
            if self.live.fits(apart, self.leaves[key]):
                break
        return apart, self.alone[key]

    def shown_piece(self, part: ChainPart, state: State, ahead: Ahead, repeated: bool) -> tuple[Apart, Node]:
        apart, node = self.piece(part, state, ahead, repeated)
        return apart, self.shown(node)

    # ------------------------------------------------------------ rounds without a bound

    def cycle(self, loop: Loop, ahead: Ahead) -> Node:
        """Where nobody decides in them, they are one branch with known weights. In each round everything is looked at."""
        if loop.state.lots:
            return self.nodes.chance([(share, self.cycle(replace(loop, state=one), ahead)) for share, one in parted(loop.state)])
        part: LoopPart = loop.part  # type: ignore[assignment]
        around = ahead.past(loop.by)
        to_come = around.along((part, part))
        key = part_key(part), around.key

        def weighed(one: LoopPart, state: State) -> tuple[Apart, Spread]:
            apart, node = self.shown_piece(one, state, to_come[0], True)
            if is_open(node):
                raise Open
            return apart, solved(node, lambda state: 0)

        try:
            return self.nodes.chance([(weight, self.nodes.leaf(ending)) for ending, weight in self.loops.ends(loop, key, to_come, weighed).items()])
        except Open:
            return self.open_cycle(loop, to_come)

    def open_cycle(self, loop: Loop, to_come: tuple[Ahead, ...]) -> Node:
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

    # ------------------------------------------------------------ rounds that draw

    def walk(self, state: State, part: ChainPart, to_come: tuple[Ahead, ...]) -> Node | None:
        """Rounds that draw from decks, as one node; None where they are not of the sort that can be solved as a whole."""
        depth = len(state.frames)

        def piece(state: State, tip: Callable[[Ending, Apart], Tip]) -> Tree | None:
            apart, node = self.shown_piece(part, state, to_come[0], True)
            return told(node, lambda ending: tip(ending, apart), ONE)

        made = Rounds(self.live, part, to_come, depth, piece, state)
        key = part_key(part), to_come[0].key, to_come[-1].key, len(to_come), depth, made.counters
        rounds = self.rounds.setdefault(key, made)
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


def follower(rules: Rules, policy: Policy, state: State, procedure: str, roles: dict[str, Value]) -> Odds:
    """Who counts out what comes of a policy: where decks are drawn from, by a graph without choices, in which rounds that draw are solved as a whole."""
    odds = Odds(rules, policy)
    if not rules.open_decks:
        return odds
    drawn = odds.live.touched(state, RoundPart(rules, odds.live.same((begun(procedure, roles),)), Scope())).decks
    return odds if drawn.isdisjoint(rules.open_decks) else Best(rules, policy, lambda decision, reading: None)


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
