"""Rounds without a bound in which somebody decides, as one node of a graph."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NoReturn

from te_forge.engine.ahead import Ahead
from te_forge.engine.aside import Apart
from te_forge.engine.cycle import Endless, shortest
from te_forge.engine.effects import AGAIN
from te_forge.engine.evaluate import LoopPart
from te_forge.engine.following import TooMany, place
from te_forge.engine.graph import Cycle, Graph, Leaf, Node, Pick, Walk, after_their_branches
from te_forge.engine.live import Liveness
from te_forge.engine.loops import MOST_STATES, Kept, NoCounter, bare_of, endless
from te_forge.engine.rounds import counted, slot_at
from te_forge.engine.state import State

Piece = Callable[[LoopPart, State, Ahead, bool], tuple[Apart, Node]]


class Open(Exception):
    """Somebody decides in these rounds."""


class Cycling:
    """The states that rounds without a bound can begin in, with what somebody may decide in them left open."""

    def __init__(self, live: Liveness, nodes: Graph, piece: Piece, first: LoopPart, to_come: tuple[Ahead, ...], kept: Kept, start: State) -> None:
        self.live, self.nodes, self.piece = live, nodes, piece
        self.first, self.to_come, self.kept = first, to_come, kept
        self.depth = len(start.frames)
        self.numbers: dict[Any, int] = {}
        self.states: list[tuple[LoopPart, State]] = []
        self.exits: dict[int, Leaf] = {}
        self.number(first, self.bare(start))

    def number(self, part: LoopPart, bare: State) -> int:
        key = part.scope.words, bare
        if key not in self.numbers:
            if looked_at := set(self.kept.counters) - counted(self.live, part, bare):
                raise NoCounter(looked_at)
            self.numbers[key] = len(self.states)
            self.states.append((part, bare))
        return self.numbers[key]

    def bare(self, state: State) -> State:
        return bare_of(self.kept.renewed(self.live.pruned(state, self.to_come[0])), self.kept.counters)[0]

    def node(self) -> Node:
        nodes: list[Node] = []
        while len(nodes) < len(self.states):
            if len(nodes) == MOST_STATES:
                self.refuse(f"more than {MOST_STATES:,} different states can be come to")
            nodes.append(self.round(*self.states[len(nodes)]))
        if any(isinstance(one, Walk | Cycle) for node in nodes for one in after_their_branches(node)):
            self.refuse("rounds within them draw from a deck, or have no bound themselves")
        try:
            shortest(nodes)
        except Endless:
            raise endless(self.live.rules, self.first.scope) from None
        return self.nodes.cycle(tuple(nodes), [(one, one) for one in self.exits.values()])

    def round(self, part: LoopPart, state: State) -> Node:
        apart, node = self.piece(part, state, self.to_come[0], True)

        def then(leaf: Leaf) -> Node:
            end, stopped = leaf.ending
            assert stopped is not None
            whole, likely = self.live.joined(end, apart)
            if not likely:
                return self.nodes.chance([])
            if stopped[0] == AGAIN:
                return self.nodes.chance([(likely, self.nodes.to(self.number(part.again(stopped[1]), self.bare(whole))))])
            bare, _ = bare_of(self.live.pruned(whole.popped(self.depth), self.to_come[-1]), self.kept.counters)
            self.kept.refuse_stale(bare)
            if any(slot_at(bare, one) is not None for one in self.kept.counters):
                self.refuse("a number grows with each of them and is asked for afterwards")
            exit = self.nodes.leaf((bare, stopped))
            self.exits[id(exit)] = exit  # type: ignore[assignment]
            return self.nodes.chance([(likely, exit)])

        return self.nodes.grown(node, then, {})

    def refuse(self, why: str) -> NoReturn:
        raise TooMany(
            f"with a goal, the rounds of a `repeat until` in which somebody decides cannot be followed here{place(self.live.rules, self.first)}: {why}"
        )


def is_open(root: Node) -> bool:
    """Whether somebody decides in it, or may."""
    return any(isinstance(node, Pick | Cycle) or (isinstance(node, Walk) and node.rounds.decides) for node in after_their_branches(root))
