"""The best decisions in rounds without a bound: policy iteration, exact.

It begins with decisions that lead to an end by the shortest way, and so do end. Each time it works out what every state is worth with the decisions
as they are, and changes those for which another option is worth more. Since nothing is changed for what is only as good, the rounds still end with
the new decisions: where they did not, all changes on the way round would have to gain nothing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field
from fractions import Fraction

from te_forge.engine.absorbing import ZERO, stuck, values, visits
from te_forge.engine.graph import Chance, Leaf, Node, Pick, To, after_their_branches
from te_forge.frozen import mutable

Decisions = dict[int, int]
"""Which option is taken at each pick, by its identity."""


class Endless(Exception):
    """From some state no decisions lead to an end."""


@mutable
class Played:
    """A cycle as it is played for the worths of its exits. `states` are what one round comes to from each state, `worth` that of each exit by the
    identity of its leaf.
    """

    states: Sequence[Node]
    worth: Mapping[int, Fraction]
    decided: Decisions = field(default_factory=dict)

    def solve(self) -> Fraction:
        """What the first state is worth when every decision is as good as can be."""
        self.decided = shortest(self.states)
        while True:
            worths = self.worths()
            better = self.improved(worths, self.decided)
            if better == self.decided:
                break
            self.decided = better
        first = self.improved(worths, {})
        if not stuck(self.rows(first), lambda number: self.leaves(number, first)):
            self.decided = first
        return worths[0]

    def exits(self) -> dict[int, Fraction]:
        """How likely each exit is, by the identity of its leaf."""
        found: dict[int, Fraction] = {}
        for number, (often,) in visits(self.rows(self.decided), {0: (Fraction(1),)}).items():
            for node, weight in ends(self.states[number], self.decided):
                if isinstance(node, Leaf):
                    found[id(node)] = found.get(id(node), ZERO) + often * weight
        return found

    def rows(self, decided: Decisions) -> list[dict[int, Fraction]]:
        rows: list[dict[int, Fraction]] = []
        for state in self.states:
            row: dict[int, Fraction] = {}
            for node, weight in ends(state, decided):
                if isinstance(node, To):
                    row[node.number] = row.get(node.number, ZERO) + weight
            rows.append(row)
        return rows

    def leaves(self, number: int, decided: Decisions) -> bool:
        return any(isinstance(node, Leaf) for node, _ in ends(self.states[number], decided))

    def worths(self) -> dict[int, Fraction]:
        won = [
            sum((weight * self.worth[id(node)] for node, weight in ends(state, self.decided) if isinstance(node, Leaf)), ZERO)
            for state in self.states
        ]
        return values(self.rows(self.decided), won, range(len(self.states)))

    def improved(self, worths: Mapping[int, Fraction], decided: Decisions) -> Decisions:
        """The decisions with those changed that gain by it; where none is made yet, the first of the best."""
        found: dict[int, Fraction] = {}
        better = dict(decided)
        for state in self.states:
            for node in after_their_branches(state):
                match node:
                    case Leaf():
                        found[id(node)] = self.worth[id(node)]
                    case To(number):
                        found[id(node)] = worths[number]
                    case Chance(branches):
                        found[id(node)] = sum((weight * found[id(one)] for weight, one in branches), ZERO)
                    case Pick(picks):
                        options = [found[id(one)] for one in picks]
                        best = max(options)
                        if id(node) not in decided or options[decided[id(node)]] < best:
                            better[id(node)] = options.index(best)
                        found[id(node)] = best
                    case _:
                        raise AssertionError("rounds within these rounds are refused before")
        return better


def ends(root: Node, decided: Decisions) -> list[tuple[Leaf | To, Fraction]]:
    """What a round comes to with these decisions."""
    found: list[tuple[Leaf | To, Fraction]] = []
    todo: list[tuple[Node, Fraction]] = [(root, Fraction(1))]
    while todo:
        node, weight = todo.pop()
        match node:
            case Leaf() | To():
                found.append((node, weight))
            case Chance(branches):
                todo += [(one, weight * part) for part, one in branches]
            case Pick(picks):
                todo.append((picks[decided[id(node)]], weight))
            case _:
                raise AssertionError("rounds within these rounds are refused before")
    return found


def shortest(states: Sequence[Node]) -> Decisions:
    """Decisions with which the rounds end, whatever the dice show at first: each leads nearer to an exit."""
    far: dict[int, int] = {}
    decided: Decisions = {}
    known: dict[int, int] = {}
    changed = True
    while changed:
        changed = False
        for number, state in enumerate(states):
            for node in after_their_branches(state):
                near = distance(node, far, known)
                if near is not None and near < far.get(id(node), near + 1):
                    far[id(node)] = near
                    changed = True
            if id(state) in far and far[id(state)] + 1 < known.get(number, far[id(state)] + 2):
                known[number] = far[id(state)] + 1
                changed = True
    if len(known) < len(states):
        raise Endless
    for state in states:
        for node in after_their_branches(state):
            if isinstance(node, Pick):
                decided[id(node)] = min(range(len(node.branches)), key=lambda at: far.get(id(node.branches[at]), len(states) + 1))
    return decided


def distance(node: Node, far: Mapping[int, int], known: Mapping[int, int]) -> int | None:
    """In how many rounds an exit can be come to from here at the least, as far as that is known."""
    match node:
        case Leaf():
            return 0
        case To(number):
            return known.get(number)
        case Chance(branches):
            return min((far[id(one)] for _, one in branches if id(one) in far), default=None)
        case Pick(picks):
            return min((far[id(one)] for one in picks if id(one) in far), default=None)
        case _:
            raise AssertionError("rounds within these rounds are refused before")
