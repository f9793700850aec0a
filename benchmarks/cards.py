"""A chain of guesses with playing cards, counted out with best play, side by side with models written by hand: `python benchmarks/cards.py [GUESSES
..]`.

te_forge is asked what the procedure of the tension-tests pack comes to: every gate and hook of it runs, and it finds the best guess by itself.
icepool and dyce are handed the finished model, with the rule by which to guess, written by somebody who has read the rules. The whole distribution of
right guesses is compared before any time is printed. A library that is not there is left out. Times are CPU seconds of one run that starts with
nothing remembered; the last column is how much longer one guess more takes.
"""

# ruff: noqa: E402
from __future__ import annotations

import sys
import warnings
from collections.abc import Callable
from fractions import Fraction
from functools import cache
from pathlib import Path
from time import process_time

ROOT = Path(__file__).parents[1]
sys.path[:0] = [str(ROOT)]

from te_forge.asked import ask
from te_forge.asked.counting import counted
from te_forge.engine.index import Rules
from te_forge.options import at_this_table
from te_forge.packs import load

RANKS = range(1, 14)
Left = tuple[int, ...]
"""How many cards of each rank are left."""
Law = dict[int, Fraction]
BY_HAND = 8
"""No more guesses than this are given to the models."""


def ours(rules: Rules, guesses: int) -> Law:
    asked = ask(rules, "Personal Test", ("trigger=Ann", f"difficulty={guesses}"), ("Ann: a pc",))
    found = counted(asked, "plain", "highest passes").table
    assert found.missing == 0
    return {right: weight for right, weight in found.numbers["Ann", "passes"].items() if right is not None}


# ---------------------------------------------------------------- by hand


def higher(left: Left, base: int) -> bool:
    """Whether there are more cards on that side; the equal ones help on both."""
    return sum(left[base - 1 :]) >= sum(left[:base])


def without(left: Left, card: int) -> Left:
    return (*left[: card - 1], left[card - 1] - 1, *left[card:])


FULL: Left = (4,) * len(RANKS)


def with_icepool(guesses: int) -> Law:
    import icepool

    def guess(left: Left, base: int, right: int) -> object:
        up = higher(left, base)
        return icepool.Die(
            {(without(left, card), card, right + (card >= base if up else card <= base)): left[card - 1] for card in RANKS if left[card - 1]}
        )

    states = icepool.Die({(without(FULL, base), base, 0): 1 for base in RANKS})
    for _ in range(guesses):
        states = states.map(guess, star=True)  # type: ignore[arg-type]
    found = states.map(lambda left, base, right: right, star=True)
    return {right: Fraction(ways, found.denominator()) for right, ways in found.items()}


def with_dyce(guesses: int) -> Law:
    from dyce import H, expand

    exact = Fraction(0)

    @cache
    def rest(left: Left, base: int, to_go: int) -> H:  # type: ignore[type-arg]
        if not to_go:
            return H({0: 1})
        up = higher(left, base)
        deck = H({card: left[card - 1] for card in RANKS if left[card - 1]})
        return expand(
            lambda drawn: rest(without(left, drawn.outcome), drawn.outcome, to_go - 1) + int(drawn.outcome >= base if up else drawn.outcome <= base),
            deck,
            min_path_probability=exact,
        )

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = expand(
            lambda drawn: rest(without(FULL, drawn.outcome), drawn.outcome, guesses), H(dict.fromkeys(RANKS, 4)), min_path_probability=exact
        )
    return {right: Fraction(ways, found.total) for right, ways in found.items()}


MODELS: dict[str, Callable[[int], Law]] = {"icepool": with_icepool, "dyce": with_dyce}


def timed(work: Callable[[], Law]) -> tuple[float, Law | None]:
    """None where a library is missing."""
    start = process_time()
    try:
        found = work()
    except ImportError:
        return 0.0, None
    return process_time() - start, found


def main(rows: list[int]) -> None:
    loaded = load("tension-tests").system
    assert loaded is not None
    system = at_this_table(loaded)
    for model in MODELS.values():
        timed(lambda model=model: model(1))  # type: ignore[misc]
    print("guesses  all right                      te_forge  icepool            dyce               te_forge, against one guess less")
    before: dict[int, float] = {}
    for guesses in rows:
        before[guesses], found = timed(lambda guesses=guesses: ours(Rules(system), guesses))  # type: ignore[misc]
        assert found is not None
        cells = []
        for name, model in MODELS.items():
            if guesses > BY_HAND:
                cells.append("-")
                continue
            seconds, law = timed(lambda model=model, guesses=guesses: model(guesses))  # type: ignore[misc]
            assert law is None or law == found, (name, guesses)
            cells.append("not installed" if law is None else f"{seconds:6.2f} s ({seconds / before[guesses]:.1f}x)")
        growth = f"{before[guesses] / before[guesses - 1]:.1f}x" if guesses - 1 in before else ""
        print(
            f"{guesses:7}  {float(found[guesses]):.6f} {str(found[guesses]) if guesses < 7 else '':>20}  {before[guesses]:6.2f} s  {cells[0]:<17}  {cells[1]:<17}  {growth}",
            flush=True,
        )


if __name__ == "__main__":
    main([int(one) for one in sys.argv[1:]] or [1, 2, 3, 4, 5, 6])
