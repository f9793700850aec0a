"""Exact odds side by side with models written by hand, as ratios: `python benchmarks/odds.py`.

te_forge counts out the conflict of the srd-core pack from its rules: every step, hook and price runs. icepool and dyce are handed the finished model,
written by somebody who has read the rules. Two questions: how it comes out, and how it comes out together with what ones and sixes change. The
answers are compared before any time is printed. A library that is not there is left out. Times are CPU seconds: the best of three for te_forge, which
starts anew each time; the first run of a model, since icepool remembers its answers.
"""

# ruff: noqa: E402
from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from time import process_time
from typing import Any

sys.path[:0] = [str(Path(__file__).parents[1])]


from te_forge.asked import Decided, ask
from te_forge.engine.index import Rules
from te_forge.engine.odds import Odds
from te_forge.engine.policies import POLICIES
from te_forge.engine.table import left, table
from te_forge.options import at_this_table
from te_forge.packs import load

SIZES = ((3, 2), (4, 3), (5, 4), (7, 6))


def best(work: Callable[[], Any], rounds: int = 3) -> tuple[float, Any]:
    found, answer = [], None
    for _ in range(rounds):
        start = process_time()
        answer = work()
        found.append(process_time() - start)
    return min(found), answer


def ours(rules: Rules, dice: int, tension: int, liveness: bool = True) -> Fraction:
    pairs = ("actor=Ann", f"Tension={tension}", "attribute=Vigor", "skill=Athletics")
    one = ask(rules, "Environment Conflict", pairs, (f"Ann: a character with Vigor {min(dice, 5)} and Athletics {max(0, dice - 5)}",))
    odds = Odds(rules, Decided(POLICIES["plain"], one.presets), liveness)
    spread = odds.run(one.state, one.procedure.id, one.roles)
    assert table(rules, one.state, spread, odds.live.yields(one.procedure.id)).missing == 0
    return sum((weight for (state, _), weight in spread.items() if left(state).outcome.endswith("#success")), Fraction(0))


# ---------------------------------------------------------------- by hand


def with_icepool(dice: int, tension: int) -> Fraction:
    import icepool

    gap = icepool.d6.highest(dice, 2) - icepool.d6.highest(tension, 2)
    return Fraction(sum(ways for outcome, ways in gap.items() if outcome > 0), gap.denominator())


def with_icepool_whole(dice: int, tension: int) -> Fraction:
    """The total together with the ones and sixes, as one state machine over the faces."""
    import icepool

    class Seen(icepool.MultisetEvaluator):  # type: ignore[misc, type-arg]
        def next_state(self, state: Any, order: Any, outcome: int, count: int) -> Any:
            if order != icepool.Order.Descending:
                raise icepool.UnsupportedOrder
            kept, total, ones, sixes = state or (0, 0, 0, 0)
            more = min(count, 2 - kept)
            return kept + more, total + more * outcome, ones + count * (outcome == 1), sixes + count * (outcome == 6)

        def final_outcome(self, final_state: Any, *_: Any) -> Any:
            return final_state[1:]

    own = Seen().evaluate(icepool.d6.pool(dice))
    world = icepool.d6.highest(tension, 2)
    found: Counter[Any] = Counter()
    for (total, ones, sixes), ways in own.items():
        for against, others in world.items():
            found[(total > against) - (total < against), ones, sixes] += ways * others
    return Fraction(sum(ways for (sign, _, _), ways in found.items() if sign > 0), sum(found.values()))


def with_dyce(dice: int, tension: int) -> Fraction:
    from dyce import H, P

    die = H(6)
    own, world = P(*[die] * dice).at(slice(-2, None)), P(*[die] * tension).at(slice(-2, None))
    found = own.gt(world)
    return Fraction(found.get(True, 0), found.total)


def with_dyce_whole(dice: int, tension: int) -> Fraction:
    from dyce import H, P

    die = H(6)
    world = P(*[die] * tension).at(slice(-2, None))
    found: Counter[Any] = Counter()
    for roll, ways in P(*[die] * dice).rolls_with_counts():
        total = sum(roll[-2:])
        for against, others in world.items():
            found[(total > against) - (total < against), roll.count(1), roll.count(6)] += ways * others
    return Fraction(sum(ways for (sign, _, _), ways in found.items() if sign > 0), sum(found.values()))


MODELS: dict[str, Callable[[int, int], Fraction]] = {
    "icepool, outcome": with_icepool,
    "icepool, with ones and sixes": with_icepool_whole,
    "dyce, outcome": with_dyce,
    "dyce, with ones and sixes": with_dyce_whole,
}


def warm(model: Callable[[int, int], Fraction]) -> None:
    """Import what a model needs, outside of the time that is taken."""
    try:
        model(1, 1)
    except ImportError:
        return


def main() -> None:
    system = load("srd-core").system
    assert system is not None
    rules = Rules(at_this_table(system))
    for model in MODELS.values():
        warm(model)
    for dice, tension in SIZES:
        seconds, answer = best(lambda dice=dice, tension=tension: ours(rules, dice, tension), 3 if dice < 6 else 1)  # type: ignore[misc]
        print(f"{dice} dice against {tension}: te_forge {seconds:.2f} s, higher {answer}")
        if dice == 3:
            without, same = best(lambda dice=dice, tension=tension: ours(rules, dice, tension, liveness=False), 1)  # type: ignore[misc]
            assert same == answer
            print(f"  without liveness              {without:.2f} s: {without / seconds:.1f} times as long")
        for name, model in MODELS.items():
            try:
                other, same = best(lambda model=model, dice=dice, tension=tension: model(dice, tension), 1)  # type: ignore[misc]
            except ImportError:
                print(f"  {name:<30}not installed")
                continue
            assert same == answer, (name, same, answer)
            print(f"  {name:<30}{1000 * other:.2f} ms: te_forge takes {seconds / other:,.0f} times as long")


if __name__ == "__main__":
    main()
