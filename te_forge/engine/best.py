"""Best reply: what somebody comes to who decides, each time, for whatever makes a goal most likely. Everybody else follows a policy.

What can happen becomes a graph: leaves are states at the end, `Chance` has branches with weights, `Pick` has branches of which the one who plays for the
goal takes the best. Equal parts of it are one node, so choices that come to the same are one branch, and what follows equal states at the border of two
pieces is worked out once. The value of the goal is then found from the leaves up: expectimax with memory, exact.

Whether a fact of the story holds (`agree ..`) is nobody's choice: that follows the policy too.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from itertools import islice
from typing import Any

from te_forge.engine.effects import Chain, Decision, Draw, Note, Offer, Roll, answers
from te_forge.engine.evaluate import ChainPart, RoundPart
from te_forge.engine.index import Rules
from te_forge.engine.live import Ahead
from te_forge.engine.odds import (
    CHAINS,
    MOST_BRANCHES,
    ONE,
    Answers,
    Beyond,
    Branch,
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
from te_forge.engine.state import Scope, State, Value

MOST_ROUNDS = 1_000
Free = Callable[[Decision, Reading], tuple[Any, ...] | None]
"""Which answers somebody who plays for the goal may choose from; None where the policy decides."""


@dataclass(frozen=True, slots=True, eq=False)
class Leaf:
    ending: Ending


@dataclass(frozen=True, slots=True, eq=False)
class Chance:
    branches: tuple[tuple[Fraction, Node], ...]


@dataclass(frozen=True, slots=True, eq=False)
class Pick:
    branches: tuple[Node, ...]


Node = Leaf | Chance | Pick


class Fork(Exception):
    """A run has come to a choice of the one who plays for the goal."""

    def __init__(self, options: tuple[Any, ...]) -> None:
        super().__init__()
        self.options = options


class Nested(Exception):
    """A run has come to a chain."""

    def __init__(self, chain: Chain) -> None:
        super().__init__()
        self.chain = chain


class Best(Odds):
    """The graph of everything that can happen, with choices left open."""

    def __init__(self, rules: Rules, policy: Policy, free: Free, liveness: bool = True) -> None:
        super().__init__(rules, policy, liveness)
        self.free = free
        self.nodes: dict[Any, Node] = {}
        self.alone: dict[Any, Node] = {}
        """What follows within a piece, by the piece, what is ahead, and the state without what it does not touch."""
        self.ends: dict[Any, list[State]] = {}

    def graph(self, state: State, procedure: str, roles: dict[str, Value]) -> Node:
        root = RoundPart(self.rules, (begun(procedure, roles),), Scope())
        return self.tree(root, state, Answers(), Ahead(self.live.yields(procedure)).along((root,))[0])

    # ------------------------------------------------------------ making the graph

    def tree(self, part: ChainPart, state: State, given: Answers, ahead: Ahead) -> Node:
        def follow(answer: Any) -> Node:
            return self.tree(part, state, Answers((*given.given, answer)), ahead)

        try:
            return self.leaf(self.once(part, state, given, ahead))
        except Beyond:
            self.cut.add(CHAINS)
            return self.chance([])
        except Branch as branch:
            options = branch.options
        except Fork as fork:
            self.count(len(fork.options))
            return self.pick([follow(answer) for answer in fork.options])
        except Nested as nested:
            inner = self.chain(nested.chain, ahead)
            return self.grown(inner, lambda leaf: follow(leaf.ending), {})
        self.count(len(options))
        return self.chance([(weight, follow(answer)) for answer, weight in options])

    def once(self, part: ChainPart, state: State, given: Answers, ahead: Ahead) -> Ending:
        self.bounded(part, given)
        left = list(reversed(given.given))

        def perform(effect: Any) -> Any:
            match effect:
                case Note():
                    if effect.what == "bound":
                        raise Beyond
                    return None
                case Roll() | Draw():
                    if left:
                        return left.pop()
                    raise Branch(self.weighed(effect, evaluator.state))
                case Chain():
                    if left:
                        return left.pop()
                    raise Nested(effect)
                case _:
                    options = self.free(effect, evaluator)
                    if options is None:
                        return self.policy(effect, evaluator)
                    if left:
                        return left.pop()
                    raise Fork(options)

        evaluator = part.alone(perform, state)
        stopped = part.run(evaluator)
        return evaluator.state, stopped

    def chain(self, chain: Chain, ahead: Ahead) -> Node:
        parts: tuple[ChainPart, ...] = chain.parts  # type: ignore[assignment]
        if len(parts) > MOST_ROUNDS:
            raise TooMany(f"with a goal no more than {MOST_ROUNDS:,} rounds of one sentence are followed, and here are {len(parts):,}{place(self.rules, parts[0])}")
        depth = len(chain.state.frames)
        to_come = ahead.along(parts)
        out = to_come[-1]
        known: dict[tuple[int, State], Node] = {}

        def onwards(number: int, state: State) -> Node:
            """What follows from piece `number` on; the same for equal states, whatever led to them."""
            if number == len(parts):
                return self.leaf((state, None))
            if (number, state) not in known:
                behind = to_come[number + 1]
                for decks in (is_repeated(parts), False):
                    near, apart = self.live.split(parts[number], state, decks)
                    key = (part_key(parts[number]), to_come[number].key, near)
                    if key not in self.alone:
                        self.alone[key] = self.tree(parts[number], near, Answers(), to_come[number])
                        self.ends[key] = ends_of(self.alone[key])
                    if self.live.fits(apart, self.ends[key]):
                        break

                def then(leaf: Leaf) -> Node:
                    end, stopped = leaf.ending
                    whole, likely = self.live.joined(end, apart)
                    if not likely:
                        return self.chance([])
                    if stopped is not None:
                        return self.chance([(likely, self.leaf((self.live.pruned(whole.popped(depth), out), stopped)))])
                    return self.chance([(likely, onwards(number + 1, self.live.pruned(whole, behind)))])

                known[number, state] = self.grown(self.alone[key], then, {})
            return known[number, state]

        return onwards(0, chain.state)

    def grown(self, node: Node, then: Callable[[Leaf], Node], done: dict[int, Node]) -> Node:
        """The graph with each leaf replaced by what follows it."""
        if id(node) not in done:
            match node:
                case Leaf():
                    made = then(node)
                case Chance(branches):
                    made = self.chance([(weight, self.grown(one, then, done)) for weight, one in branches])
                case Pick(picks):
                    made = self.pick([self.grown(one, then, done) for one in picks])
            done[id(node)] = made
        return done[id(node)]

    # ------------------------------------------------------------ nodes, each kept once

    def leaf(self, ending: Ending) -> Node:
        return self.nodes.setdefault(ending, Leaf(ending))

    def chance(self, branches: list[tuple[Fraction, Node]]) -> Node:
        merged: dict[int, tuple[Fraction, Node]] = {}
        for weight, node in branches:
            for part, one in node.branches if isinstance(node, Chance) else ((ONE, node),):
                before = merged.get(id(one))
                merged[id(one)] = (weight * part + (before[0] if before else 0), one)
        whole = tuple(merged.values())
        if len(whole) == 1 and whole[0][0] == 1:
            return whole[0][1]
        key = ("chance", tuple((weight, id(one)) for weight, one in whole))
        return self.nodes.setdefault(key, Chance(whole))

    def pick(self, branches: list[Node]) -> Node:
        whole = tuple({id(one): one for one in branches}.values())
        if len(whole) == 1:
            return whole[0]
        return self.nodes.setdefault(("pick", tuple(map(id, whole))), Pick(whole))


# ---------------------------------------------------------------- the goal


def solved(root: Node, goal: Callable[[State], int]) -> Spread:
    """The endings under best play: at each choice the first of those options that make the goal most likely, or its mean the highest."""
    order = after_their_branches(root)
    value: dict[int, Fraction] = {}
    taken: dict[int, Node] = {}
    for node in order:
        match node:
            case Leaf((state, _)):
                value[id(node)] = Fraction(goal(state))
            case Chance(branches):
                value[id(node)] = sum((weight * value[id(one)] for weight, one in branches), Fraction(0))
            case Pick(picks):
                taken[id(node)] = max(picks, key=lambda one: value[id(one)])
                value[id(node)] = value[id(taken[id(node)])]
    weights: dict[int, Fraction] = {id(root): ONE}
    found: Spread = {}
    for node in reversed(order):
        weight = weights.get(id(node))
        if weight is None:
            continue
        match node:
            case Leaf(ending):
                found[ending] = weight
            case Chance(branches):
                for part, one in branches:
                    weights[id(one)] = weights.get(id(one), Fraction(0)) + weight * part
            case Pick():
                one = taken[id(node)]
                weights[id(one)] = weights.get(id(one), Fraction(0)) + weight
    return found


def ends_of(root: Node) -> list[State]:
    return [node.ending[0] for node in after_their_branches(root) if isinstance(node, Leaf)]


def after_their_branches(root: Node) -> list[Node]:
    """Every node once, each after those that it leads to."""
    order: list[Node] = []
    seen: set[int] = set()
    todo: list[tuple[Node, bool]] = [(root, False)]
    while todo:
        node, ready = todo.pop()
        if ready:
            order.append(node)
        elif id(node) not in seen:
            seen.add(id(node))
            todo.append((node, True))
            match node:
                case Chance(branches):
                    todo += [(one, False) for _, one in branches]
                case Pick(picks):
                    todo += [(one, False) for one in picks]
                case _:
                    pass
    return order


def choices_of(who: frozenset[str]) -> Free:
    """Every choice of these is free, except whether a fact of the story holds."""

    def free(decision: Decision, reading: Reading) -> tuple[Any, ...] | None:
        if decision.who not in who or (isinstance(decision, Offer) and decision.fact):
            return None
        found = tuple(islice(answers(decision), MOST_BRANCHES + 1))
        if len(found) > MOST_BRANCHES:
            raise TooMany(f"a choice has more than {MOST_BRANCHES:,} answers, which is as many as are followed{at(reading.rules, decision.why)}; give an answer to it")
        return found

    return free



