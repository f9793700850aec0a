"""What a graph is worth, found from the leaves up, and how likely each leaf then is, from the root down: expectimax with memory, exact."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from te_forge.engine.cycle import Played
from te_forge.engine.following import TooMany, place
from te_forge.engine.graph import Chance, Cycle, Leaf, Node, Pick, To, Walk, after_their_branches
from te_forge.engine.induction.game import Exit, Start
from te_forge.engine.induction.reached import MOST_DECKS, TooManyDecks
from te_forge.engine.induction.solved import Solved
from te_forge.engine.lots import ONE
from te_forge.engine.odds import Spread
from te_forge.engine.rounds import Rounds
from te_forge.engine.state import State


def solved(root: Node, goal: Callable[[State], int | Fraction]) -> Spread:
    """The endings under best play: at each choice the first of those options that make the goal most likely, or its mean the highest."""
    order = after_their_branches(root)
    value: dict[int, Fraction] = {}
    taken: dict[int, Node] = {}
    walked: dict[int, Solved] = {}
    played: dict[int, Played] = {}
    for node in order:
        match node:
            case Leaf((state, _)):
                value[id(node)] = Fraction(goal(state))
            case Chance(branches):
                value[id(node)] = sum((weight * value[id(one)] for weight, one in branches), Fraction(0))
            case Pick(picks):
                taken[id(node)] = max(picks, key=lambda one: value[id(one)])
                value[id(node)] = value[id(taken[id(node)])]
            case Walk(rounds, starts, exits):
                walked[id(node)] = through(rounds, dict(starts), {at: value[id(one)] for at, one in exits})
                value[id(node)] = walked[id(node)].value
            case Cycle(states, leaves):
                played[id(node)] = Played(states, {id(leaf): value[id(one)] for leaf, one in leaves})
                value[id(node)] = played[id(node)].solve()
            case To():
                raise AssertionError("it stands in a cycle only")
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
            case Walk(_, _, exits):
                behind = dict(exits)
                for at, part in walked.pop(id(node)).ends().items():
                    one = behind[at]
                    weights[id(one)] = weights.get(id(one), Fraction(0)) + weight * part
            case Cycle(_, leaves):
                follows = {id(leaf): one for leaf, one in leaves}
                for leaf, part in played.pop(id(node)).exits().items():
                    one = follows[leaf]
                    weights[id(one)] = weights.get(id(one), Fraction(0)) + weight * part
    return found


def through(rounds: Rounds, starts: dict[Start, Fraction], worth: dict[Exit, Fraction]) -> Solved:
    try:
        return Solved(rounds.game[0], starts, worth)
    except TooManyDecks:
        raise TooMany(
            f"more than {MOST_DECKS:,} different decks can be left on the way, which is as many as are followed{place(rounds.live.rules, rounds.part)}"
        ) from None
