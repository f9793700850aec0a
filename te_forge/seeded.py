"""Chance by a seed: dice that fall the same on every machine and in every version of Python.

A face comes from the SHA-256 of `te-forge dice 1/SEED/ROLL/DIE/TRY`: which roll of the game it is, which die of the roll, and how often the number
had to be drawn again. The first 8 bytes are a number below 2^64; one above the last whole multiple of the sides is drawn again, so that every face is
equally likely. A roll is found by its place in the game alone: taking something back and doing it again brings the same dice.
"""

from __future__ import annotations

from collections.abc import Callable
from hashlib import sha256
from itertools import count

from te_forge.engine.acting import MOST_EXPLOSIONS
from te_forge.engine.effects import Draw, Roll
from te_forge.engine.state import Dice, Die, bag

MOST_DICE = 100_000
SPACE = 1 << 64


class TooManyDice(Exception):
    """A roll that no machine should be asked for."""


def number_below(limit: int, *place: object) -> int:
    """A number from 0 up to `limit` - 1, each as likely as the others, for this place in the game."""
    whole = SPACE - SPACE % limit
    for again in count():
        text = "/".join(map(str, ("te-forge dice 1", *place, again)))
        found = int.from_bytes(sha256(text.encode()).digest()[:8], "big")
        if found < whole:
            return found % limit
    raise AssertionError("unreachable")


def generator(*place: object) -> Callable[[int], int]:
    """Number after number for one place."""
    turn = count()
    return lambda limit: number_below(limit, *place, next(turn))


def thrown(seed: str, roll: int, effect: Roll) -> Dice:
    """The dice of the `roll`th roll of a game."""
    if sum(number for number, _, _ in effect.dice) > MOST_DICE:
        raise TooManyDice(f"{sum(number for number, _, _ in effect.dice)} dice at once are too many; {MOST_DICE} are the most")
    face, shown = generator(seed, roll), []
    for number, sides, exploding in effect.dice:
        fresh: list[Die] = [(face(sides) + 1, sides) for _ in range(number)]
        shown += fresh
        added = 0
        while (more := min(sum(one in exploding for one, _ in fresh), MOST_EXPLOSIONS - added)) > 0:
            fresh = [(face(sides) + 1, sides) for _ in range(more)]
            shown += fresh
            added += more
    return bag(shown)


def drawn(seed: str, roll: int, effect: Draw) -> tuple[str, ...]:
    """Cards one after the other, each found like the face of a die."""
    left = list(range(len(effect.cards)))
    taken = [left.pop(number_below(len(left), seed, roll, turn)) for turn in range(effect.count)]
    return tuple(effect.cards[at] for at in sorted(taken))


def could_show(effect: Roll, dice: Dice) -> bool:
    """Whether these dice can be the answer to this roll."""
    least = sum(number for number, _, _ in effect.dice)
    explodes = any(faces for _, _, faces in effect.dice)
    sides = {sides for _, sides, _ in effect.dice}
    right = all(side in sides and 1 <= face <= side for face, side in dice)
    return right and (len(dice) == least or (explodes and len(dice) > least))
