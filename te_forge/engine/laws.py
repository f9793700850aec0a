"""How likely each answer of chance is: closed laws in whole numbers and fractions, never a walk over sequences of dice."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from functools import lru_cache
from math import comb, factorial, prod
from typing import Any

from te_forge.engine.effects import Draw, Fallen, Look, Roll, faces
from te_forge.engine.state import Dice, Lot, bag

EXPLOSIONS = 12
"""How many further dice of one roll are followed. What lies beyond is missing mass: below one in two billion for each d6 that explodes on 6."""
Weighed = list[tuple[Any, Fraction]]


def law(effect: Roll | Draw) -> Weighed:
    """Every answer with its weight. The weights sum to 1, or to less where dice can explode without end."""
    if isinstance(effect, Draw):
        return hands(effect)
    found: dict[Dice, Fraction] = {(): Fraction(1)}
    for count, sides, exploding in effect.dice:
        bursts = sorted({face for face in exploding if 1 <= face <= sides})
        shown = list(burst(count, sides, bursts) if bursts else plain(count, sides))
        joined: dict[Dice, Fraction] = {}
        for have, weight in found.items():
            for more, chance in shown:
                whole = bag((*have, *more))
                joined[whole] = joined.get(whole, Fraction(0)) + weight * chance
        found = joined
    return list(found.items())


def fallen(effect: Roll) -> Fallen:
    """A roll that nothing has looked at."""
    return Fallen(unseen_law(effect.dice))


@lru_cache(maxsize=64)
def unseen_law(dice: tuple[tuple[int, int, tuple[int, ...]], ...]) -> tuple[tuple[Dice, int], ...]:
    found: dict[Dice, int] = {(): 1}
    for count, sides, _ in dice:
        shown = [(tuple((face, sides) for face in one), ways) for one, ways in faces(count, sides)]
        joined: dict[Dice, int] = {}
        for have, ways in found.items():
            for more, other in shown:
                whole = bag((*have, *more)) if have else more
                joined[whole] = joined.get(whole, 0) + ways * other
        found = joined
    return tuple(found.items())


def summed(effect: Roll) -> Fallen:
    """A roll of which nobody will ask more than the sum: one die that shows it."""
    found = {0: 1}
    for count, sides, _ in effect.dice:
        joined: dict[int, int] = {}
        for have, ways in found.items():
            for more, other in ways_to_sums(count, sides):
                joined[have + more] = joined.get(have + more, 0) + ways * other
        found = joined
    return Fallen(tuple((((whole, 0),), ways) for whole, ways in found.items()))


def ways_to_sums(count: int, sides: int) -> Iterator[tuple[int, int]]:
    """Every sum of dice with the number of ways to it: the coefficients of `(x + .. + x^sides)^count`, each from those before it."""
    found = [1]
    for at in range(1, count * (sides - 1) + 1):
        found.append(sum((step * (count + 1) - at) * found[at - step] for step in range(1, min(at, sides - 1) + 1)) // at)
    yield from ((count + at, ways) for at, ways in enumerate(found))


def sums(effect: Roll) -> int:
    """How many different sums there are, at most."""
    return prod(count * (sides - 1) + 1 for count, sides, _ in effect.dice)


def looked(effect: Look) -> Weighed:
    """Every value with the cases that have it."""
    parts: dict[Any, list[tuple[int, int]]] = {}
    for case, ways in effect.lot.ways:
        parts.setdefault(effect.values[case], []).append((case, ways))
    return [((value, lot := Lot(tuple(part))), Fraction(lot.total, effect.lot.total)) for value, part in parts.items()]


def hands(effect: Draw) -> Weighed:
    """Every hand of a deck once: of each card with n copies k are drawn in C(n, k) ways, out of C(all cards, the hand) in all."""
    kinds = list(Counter(effect.cards).items())
    total = comb(len(effect.cards), effect.count)
    found: list[tuple[tuple[str, ...], int, int]] = [((), effect.count, 1)]
    for at, (card, copies) in enumerate(kinds):
        behind = sum(more for _, more in kinds[at + 1 :])
        found = [
            ((*hand, *[card] * k), left - k, ways * comb(copies, k))
            for hand, left, ways in found
            for k in range(max(0, left - behind), min(copies, left) + 1)
        ]
    return [(hand, Fraction(ways, total)) for hand, _, ways in found]


def ways(effect: Draw) -> Weighed:
    """Every hand with the number of orders in which it can come. Times the chance of one order, which is all that what is left in the deck decides,
    that is its weight.
    """
    whole = factorial(effect.count)
    return [(hand, Fraction(whole, prod(factorial(many) for many in Counter(hand).values()))) for hand, _ in hands(effect)]


def hand_count(effect: Draw) -> int:
    """How many different hands there are, without making them."""
    ways = [1] + [0] * effect.count
    for copies in Counter(effect.cards).values():
        ways = [sum(ways[at - k] for k in range(min(copies, at) + 1)) for at in range(effect.count + 1)]
    return ways[effect.count]


def plain(count: int, sides: int) -> Iterator[tuple[Dice, Fraction]]:
    total = sides**count
    for found, ways in faces(count, sides):
        yield tuple((face, sides) for face in found), Fraction(ways, total)


def burst(count: int, sides: int, bursts: list[int]) -> Iterator[tuple[Dice, Fraction]]:
    """Dice of which each face of `bursts` brings one die more.

    A roll is over when `count` dice have shown another face. With k bursting ones on the way, the last die that falls is one of the others; the k may
    lie anywhere among the rest, which gives C(count + k - 1, k) orders for every choice of what the two sorts show.
    """
    others = [face for face in range(1, sides + 1) if face not in bursts]
    if not others:
        return
    calm = list(of_faces(count, others))
    for more in range(EXPLOSIONS + 1):
        orders, total = comb(count + more - 1, more), sides ** (count + more)
        for high, ways in of_faces(more, bursts):
            for low, others_ways in calm:
                yield bag([(face, sides) for face in (*high, *low)]), Fraction(orders * ways * others_ways, total)


def of_faces(count: int, allowed: list[int]) -> Iterator[tuple[tuple[int, ...], int]]:
    """Bags of `count` dice that show only these faces, with the number of sequences of each."""
    for places, ways in faces(count, len(allowed)):
        yield tuple(allowed[place - 1] for place in places), ways


def size(effect: Roll | Draw) -> int:
    """How many answers there are, without making them."""
    if isinstance(effect, Draw):
        return hand_count(effect)
    return prod(bags(count, sides, set(exploding)) for count, sides, exploding in effect.dice)


def bags(count: int, sides: int, bursts: set[int]) -> int:
    if not bursts:
        return comb(count + sides - 1, count)
    calm = max(1, sides - len(bursts))
    return comb(count + calm - 1, count) * sum(comb(more + len(bursts) - 1, more) for more in range(EXPLOSIONS + 1))
