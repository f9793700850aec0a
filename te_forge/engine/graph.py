"""The graph of what can happen: leaves are states at the end, `Chance` has branches with weights, `Pick` has branches of which the one who plays for
the goal takes the best.

Equal parts of it are one node, so choices that come to the same are one branch.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from te_forge.engine.following import Ending
from te_forge.engine.induction.game import Exit, Start
from te_forge.engine.lots import ONE
from te_forge.engine.rounds import Rounds
from te_forge.engine.state import State


@dataclass(frozen=True, slots=True, eq=False)
class Leaf:
    """An end; in the answers to something open (`best.Met`) one of them."""

    ending: Ending


@dataclass(frozen=True, slots=True, eq=False)
class Chance:
    branches: tuple[tuple[Fraction, Node], ...]


@dataclass(frozen=True, slots=True, eq=False)
class Pick:
    branches: tuple[Node, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Walk:
    """Rounds that draw from decks, from one or more starts, with what follows each exit."""

    rounds: Rounds
    starts: tuple[tuple[Start, Fraction], ...]
    exits: tuple[tuple[Exit, Node], ...]


@dataclass(frozen=True, slots=True, eq=False)
class To:
    """In the rounds of a cycle: the next one begins in this state."""

    number: int


@dataclass(frozen=True, slots=True, eq=False)
class Cycle:
    """Rounds without a bound in which somebody decides: what each state leads to, the first being the start, with what follows each exit (a leaf
    there).
    """

    states: tuple[Node, ...]
    exits: tuple[tuple[Leaf, Node], ...]


Node = Leaf | Chance | Pick | Walk | To | Cycle


class Graph:
    """Nodes, each kept once: equal ones are the same object, and so are told apart by `id`."""

    def __init__(self) -> None:
        self.nodes: dict[Any, Node] = {}

    def leaf(self, ending: Ending) -> Node:
        return self.nodes.setdefault(ending, Leaf(ending))

    def chance(self, branches: list[tuple[Fraction, Node]]) -> Node:
        merged: dict[int, tuple[Fraction, Node]] = {}
        for weight, node in branches:
            for part, one in node.branches if isinstance(node, Chance) else ((ONE, node),):
                before = merged.get(id(one))
                merged[id(one)] = (weight * part + (before[0] if before else 0), one)
        walks = [(weight, one) for weight, one in merged.values() if isinstance(one, Walk)]
        whole = tuple(merged.values())
        if len(walks) > 1:
            whole = (*((weight, one) for weight, one in whole if not isinstance(one, Walk)), *self.together(walks))
        if len(whole) == 1 and whole[0][0] == 1:
            return whole[0][1]
        key = ("chance", tuple((weight, id(one)) for weight, one in whole))
        return self.nodes.setdefault(key, Chance(whole))

    def pick(self, branches: list[Node]) -> Node:
        whole = tuple({id(one): one for one in branches}.values())
        if len(whole) == 1:
            return whole[0]
        return self.nodes.setdefault(("pick", tuple(map(id, whole))), Pick(whole))

    def walked(self, rounds: Rounds, starts: Iterable[tuple[Start, Fraction]], exits: Iterable[tuple[Exit, Node]]) -> Node:
        made = Walk(rounds, tuple(starts), tuple(exits))
        return self.nodes.setdefault((id(rounds), made.starts, tuple((at, id(one)) for at, one in made.exits)), made)

    def to(self, number: int) -> Node:
        return self.nodes.setdefault(("to", number), To(number))

    def cycle(self, states: tuple[Node, ...], exits: Iterable[tuple[Leaf, Node]]) -> Node:
        made = Cycle(states, tuple(exits))
        return self.nodes.setdefault(("cycle", tuple(map(id, states)), tuple((id(leaf), id(one)) for leaf, one in made.exits)), made)

    def together(self, walks: list[tuple[Fraction, Walk]]) -> list[tuple[Fraction, Node]]:
        """Walks through the same rounds that are followed by the same are solved at once."""
        found: list[tuple[Fraction, Node]] = []
        groups: list[tuple[Rounds, dict[Start, Fraction], dict[Exit, Node]]] = []
        for weight, one in walks:
            exits = dict(one.exits)
            group = next(
                (group for group in groups if group[0] is one.rounds and all(group[2].get(at, node) is node for at, node in exits.items())), None
            )
            if group is None:
                group = one.rounds, {}, {}
                groups.append(group)
            for start, part in one.starts:
                group[1][start] = group[1].get(start, 0) + weight * part
            group[2].update(exits)
        for rounds, starts, exits in groups:
            whole = sum(starts.values(), Fraction(0))
            found.append((whole, self.walked(rounds, ((start, part / whole) for start, part in starts.items()), sorted(exits.items()))))
        return found

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
                case Walk(rounds, starts, exits):
                    made = self.walked(rounds, starts, [(at, self.grown(one, then, done)) for at, one in exits])
                case Cycle(states, behind):
                    made = self.cycle(states, [(leaf, self.grown(one, then, done)) for leaf, one in behind])
                case To():
                    made = node
            done[id(node)] = made
        return done[id(node)]


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
                case Walk(_, _, exits) | Cycle(_, exits):
                    todo += [(one, False) for _, one in exits]
                case _:
                    pass
    return order
