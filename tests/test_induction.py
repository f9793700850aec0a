"""Rounds that draw from decks: against a walk over every card that can come and every choice, on small decks."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction as F
from itertools import product
from math import perm, prod
from random import Random

import pytest
from beginnings import rules_of

from te_forge.asked import ask
from te_forge.asked import goal as target
from te_forge.engine import expectimax
from te_forge.engine.best import Best, choices_of
from te_forge.engine.expectimax import solved
from te_forge.engine.following import TooMany
from te_forge.engine.index import Rules
from te_forge.engine.induction import reached
from te_forge.engine.induction.decks import Cards, Decks
from te_forge.engine.induction.game import Branches, Counts, Exit, Game, Start, Tip, Tree, merged, plus, tips
from te_forge.engine.induction.reached import TooManyDecks
from te_forge.engine.induction.solved import Solved
from te_forge.engine.policies import POLICIES
from te_forge.engine.table import Table, table

# ---------------------------------------------------------------- the game as numbers


class Walk:
    """Everything that can happen, one thing after the other."""

    def __init__(self, game: Game, worth: dict[Exit, F]) -> None:
        self.game, self.worth = game, worth

    def best(self, start: Start, number: int = 0) -> tuple[F, dict[Exit, F]]:
        state, deck, counts = start
        if number == self.game.rounds:
            at = self.game.endings[state], counts
            return self.worth[at], {at: F(1)}
        return self.tree(self.game.trees[state], deck, counts, number)

    def tree(self, tree: Tree, deck: int, counts: Counts, number: int) -> tuple[F, dict[Exit, F]]:
        if isinstance(tree, Tip):
            likely = tree.weight * self.likely(deck, tree.cards)
            if not likely:
                return F(0), {}
            after = plus(counts, tree.gained)
            if tree.over:
                value, ends = self.worth[tree.to, after], {(tree.to, after): F(1)}
            else:
                value, ends = self.best((tree.to, deck - self.game.decks.unit(tree.cards), after), number + 1)
            return likely * value, {at: likely * weight for at, weight in ends.items()}
        found = [self.tree(one, deck, counts, number) for one in tree.trees]
        if tree.picked:
            return max(found, key=lambda one: one[0])
        ends: dict[Exit, F] = {}
        for at, weight in (one for _, more in found for one in more.items()):
            ends[at] = ends.get(at, F(0)) + weight
        return sum((value for value, _ in found), F(0)), ends

    def likely(self, deck: int, cards: Cards) -> F:
        """How likely it is that these cards come in one of their orders."""
        decks = self.game.decks
        orders = prod(perm(size, taken) for size, taken in zip(decks.sizes(deck), decks.taken(cards), strict=True))
        return F(decks.ways(deck, cards), orders) if orders else F(0)


def draws(decks: Decks, rng: Random) -> list[tuple[Cards, F]]:
    """Ways to draw with their weights: of one deck one or two cards, or none at all; the weights of two are how many orders they have."""
    sorts = [len(deck) for deck in decks.copies]
    deck = rng.randrange(len(sorts))
    first = sum(sorts[:deck])
    of = range(first, first + sorts[deck])
    match rng.randrange(3):
        case 0:
            return [((), F(1))]
        case 1:
            return [(((sort, 1),), F(1)) for sort in of]
        case _:
            pairs = [tuple(sorted(pair)) for pair in product(of, repeat=2)]
            return [((((one, 2),) if one == other else ((one, 1), (other, 1))), F(pairs.count((one, other)))) for one, other in dict.fromkeys(pairs)]


def random_tree(decks: Decks, states: int, rng: Random, depth: int = 2) -> Tree:
    """A choice, then a draw or a die, then perhaps another choice."""

    def tip(cards: Cards, weight: F) -> Tip:
        over = rng.random() < 0.15
        return Tip(weight, cards, (rng.choice((0, 1, 1)), rng.choice((-1, 0, 0, 2))), 90 if over else rng.randrange(states), over)

    def after(cards: Cards, weight: F) -> Tree:
        if depth and rng.random() < 0.2:
            return Branches((tip(cards, weight), tip(cards, weight)), picked=True)
        if rng.random() < 0.2:
            return Branches((tip(cards, weight / 3), tip(cards, 2 * weight / 3)))
        return tip(cards, weight)

    options = tuple(Branches(tuple(after(cards, weight) for cards, weight in draws(decks, rng))) for _ in range(rng.choice((1, 2, 3))))
    return Branches(options, picked=True) if len(options) > 1 else options[0]


def random_game(seed: int) -> tuple[Game, list[Start], Random]:
    rng = Random(seed)
    decks = Decks(rng.choice((((2, 1, 2),), ((4, 3),), ((1, 3), (3, 2)))))
    states = rng.choice((1, 2, 3))
    whole = decks.code(many for deck in decks.copies for many in deck)
    game = Game(
        tuple(random_tree(decks, states, rng) for _ in range(states)), tuple(rng.randrange(2) for _ in range(states)), decks, rng.choice((1, 2, 2))
    )
    starts = list(dict.fromkeys((rng.randrange(states), whole, (rng.randrange(3), 0)) for _ in range(2)))
    assert all(map(int.__le__, game.most_drawn(starts), decks.sizes(whole)))
    return game, starts, rng


@pytest.mark.parametrize("seed", range(60))
def test_a_game_comes_to_what_a_walk_says(seed: int) -> None:
    game, starts, rng = random_game(seed)
    exits = game.reached(starts)[1]
    goals: Iterator[dict[Exit, F]] = iter(
        (
            dict.fromkeys(exits, F(0)),
            {at: F(at[1][0]) for at in exits},
            {at: F(at[1][1] >= 1) for at in exits},
            {at: F(rng.randrange(4), 3) for at in exits},
        )
    )
    for worth in goals:
        weights = {start: F(1 + at, len(starts) * (len(starts) + 1) // 2) for at, start in enumerate(starts)}
        walk = Walk(game, worth)
        found = Solved(game, weights, worth)
        by_hand: dict[Exit, F] = {}
        for start, weight in weights.items():
            for at, part in walk.best(start)[1].items():
                by_hand[at] = by_hand.get(at, F(0)) + weight * part
        assert found.value == sum(weight * walk.best(start)[0] for start, weight in weights.items())
        assert found.ends() == by_hand


def test_states_that_nothing_tells_apart_are_one() -> None:
    decks = Decks(((2, 2),))
    low, high = (Tip(F(1), ((sort, 1),), (sort,), 2 * sort) for sort in (0, 1))
    odd = Tip(F(1), ((1, 1),), (1,), 3)
    trees: tuple[Tree, ...] = (Branches((low, high)), Branches((low, high)), Branches((low, high)), Branches((low, odd)))
    game, which = merged(Game(trees, (0, 0, 0, 0), decks, 2))
    assert len(game.trees) == 1 and which == (0, 0, 0, 0)
    game, which = merged(Game(trees, (0, 0, 0, 1), decks, 2))
    assert len(game.trees) == 2 and which == (0, 0, 0, 1)
    assert [tip.to for tip in tips(game.trees[1])] == [0, 1]


def test_too_many_decks_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reached, "MOST_DECKS", 20)
    decks = Decks(((4,) * 6,))
    game = Game((Branches(tuple(Tip(F(1), ((sort, 1),), (), 0) for sort in range(6))),), (0,), decks, 5)
    with pytest.raises(TooManyDecks):
        Solved(game, {(0, decks.code([4] * 6), ()): F(1)}, {(0, ()): F(0)})


# ---------------------------------------------------------------- the rounds of a pack

PAGE = """# Rounds

## kind: gm
- Is: an actor
- How Many: 1

## kind: hero
- Is: an actor
- Plural: "heroes"

## deck: Small
- Cards: 1 to 3
- Copies: 2
- Refills: each Round

## deck: Other
- Cards: 1 to 2
- Copies: 4

## procedure: Round

| value | holds    | default | text      |
|-------|----------|---------|-----------|
| open  | a number | 0       | the card  |
| right | a number | 5       | a counter |

## procedure: Turn
- Part Of: Round
- Roles: a hero as the guesser
- Outcomes: Right, Wrong

1. Call.
   - Call: the guesser chooses one:
     - Higher: the call is 1
     - Lower: the call is -1
2. Turn.
   - Card: the gm draws 1 of Small as the card
   - Way: the way is (the card - the gm's open) x the call; the gm's open becomes the card
   - Right: if the way is above 0: end with Right
   - Wrong: end with Wrong

## procedure: Row
- Counts As: Round
- Roles: a hero as the guesser
- Outcomes: All, Some

1. Open.
   - Card: the gm draws 1 of Small as the card; the gm's open becomes the card; the wrong is 0
2. Guess.
   - Chain: repeat up to 3 times:
     - Try: do Turn with the guesser as the guesser as the try
     - Right: if the try is Right: the guesser's right becomes the guesser's right + 2
     - Wrong: otherwise: the wrong becomes the wrong + 1
3. End.
   - All: if the wrong is 0: end with All
   - Some: otherwise: end with Some

## procedure: First Miss
- Counts As: Round
- Roles: a hero as the guesser
- Outcomes: Hit, Miss

1. Guess.
   - Open: the gm draws 2 of Small as the two; the gm's open becomes highest of the two; the many is 0
   - Chain: repeat up to 3 times:
     - Try: do Turn with the guesser as the guesser as the try
     - Count: the many becomes the many + 1
     - Miss: if the try is Wrong: end with Miss
   - Hit: end with Hit

## procedure: Two Decks
- Counts As: Round
- Roles: a hero as the guesser

1. Guess.
   - Zero: the sum is 0; the low is 0
   - Chain: repeat up to 2 times:
     - Two: the gm draws 2 of Small as the two
     - One: the gm draws 1 of Other as the one
     - Die: the guesser rolls 1 d2 as the die
     - Take: the guesser chooses one:
       - Cards: the sum becomes the sum + (highest of the two)
       - Other: the sum becomes the sum + the one x 2
       - Die: the sum becomes the sum + sum of the die; the low becomes the low - 1

## procedure: Then Another
- Counts As: Round
- Roles: a hero as the guesser

1. Guess.
   - Zero: the hits is 0; the gm's open becomes 2
   - Chain: repeat up to 2 times:
     - Try: do Turn with the guesser as the guesser as the try
     - Hit: if the try is Right: the hits becomes the hits + 1
   - Last: the gm draws 1 of Small as the last

## procedure: Runs Out
- Counts As: Round
- Roles: a hero as the guesser

1. Guess.
   - Zero: the sum is 0
   - Chain: repeat up to 2 times: the gm draws 3 of Small as the three; the sum becomes the sum + sum of the three

## procedure: Looks At It
- Counts As: Round
- Roles: a hero as the guesser

1. Guess.
   - Zero: the hits is 0; the gm's open becomes 2
   - Chain: repeat up to 3 times:
     - Try: do Turn with the guesser as the guesser as the try
     - Hit: if the try is Right: the hits becomes the hits + 1
     - Most: if the hits is 2: the hits becomes the hits + 3
"""


def rules() -> Rules:
    return rules_of(PAGE, "rounds")


def counted(procedure: str, goal: str | None, liveness: bool = True) -> tuple[Table, F]:
    asked = ask(rules(), procedure, ("guesser=Ann",), ("Ann: a hero",))
    graph = Best(rules(), POLICIES["plain"], choices_of(frozenset(("Ann",))) if goal is not None else lambda decision, reading: None, liveness)
    watched = graph.live.yields(asked.procedure.id)
    wanted = target(asked, goal, watched) if goal is not None else None
    spread = solved(
        graph.graph(asked.state, asked.procedure.id, asked.roles), lambda state: wanted.worth(rules(), asked.state, state) if wanted else 0
    )
    return table(rules(), asked.state, spread, watched), sum(
        (weight * (wanted.worth(rules(), asked.state, state) if wanted else 0) for (state, _), weight in spread.items()), F(0)
    )


CASES = [
    ("Row", "All"), ("Row", "highest right"), ("Row", "wrong < 2"), ("Row", "lowest open"), ("Row", None),
    ("First Miss", "Hit"), ("First Miss", "highest many"), ("First Miss", None),
    ("Two Decks", "highest sum"), ("Two Decks", "sum >= 5"), ("Two Decks", "lowest low"), ("Two Decks", None),
    ("Then Another", "highest hits"), ("Then Another", "lowest hits"), ("Runs Out", "sum >= 12"), ("Looks At It", "highest hits"), ("Looks At It", "hits >= 5"),
]  # fmt: skip
WALKED = {"Row", "First Miss", "Two Decks", "Looks At It"}
"""Those that are solved as a whole. In the others what follows draws, too, or the deck may run out."""


@pytest.mark.parametrize(("procedure", "goal"), CASES)
def test_rounds_that_are_solved_as_a_whole_come_to_the_same(procedure: str, goal: str | None, monkeypatch: pytest.MonkeyPatch) -> None:
    walks: list[object] = []
    real = expectimax.through
    monkeypatch.setattr(expectimax, "through", lambda *args: walks.append(args[0]) or real(*args))
    found = counted(procedure, goal)
    assert bool(walks) == (procedure in WALKED)
    if procedure in WALKED:  # one row of guesses and not one for each card that may lie open
        assert len(walks) == 1
    assert found == counted(procedure, goal, liveness=False)
    assert sum(found[0].outcomes.values()) == 1


def test_a_row_of_guesses_is_what_a_walk_over_all_orders_says() -> None:
    """The best mean of right guesses, each guess for the side with more cards: no guess changes what comes."""

    def on(left: tuple[int, ...], base: int, to_go: int) -> F:
        if not to_go:
            return F(0)
        here = F(max(sum(card > base for card in left), sum(card < base for card in left)), len(left))
        return here + sum((F(left.count(card), len(left)) * on(without(left, card), card, to_go - 1) for card in set(left)), F(0))

    def without(left: tuple[int, ...], card: int) -> tuple[int, ...]:
        at = left.index(card)
        return left[:at] + left[at + 1 :]

    whole = (1, 2, 3) * 2
    by_hand = sum((F(1, 3) * on(without(whole, card), card, 3) for card in (1, 2, 3)), F(0))
    assert counted("Row", "lowest wrong")[1] == by_hand - 3


def test_more_decks_than_are_followed_are_refused_in_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reached, "MOST_DECKS", 5)
    with pytest.raises(TooMany, match="different decks can be left"):
        counted("Row", "All")
