"""Whole games and fights that nobody plays, and a check with split dice counted out: `python benchmarks/games.py`. CPU seconds.

Each game and fight is one procedure, run to its end with every choice made at random by the seed: time for each, by how many take part, and how it grows. Of fights also the time of one turn.
The check is counted out side by side with models written by hand, which are handed the two sums; the answers are compared before any time is printed. A library that is not there is left out.
"""

# ruff: noqa: E402
from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from fractions import Fraction
from pathlib import Path
from time import process_time
from typing import Any

ROOT = Path(__file__).parents[1]
sys.path[:0] = [str(ROOT)]

from te_forge.asked import ask
from te_forge.asked.counting import counted
from te_forge.engine.effects import Chain, Draw, Note, Roll
from te_forge.engine.evaluate import Evaluator
from te_forge.engine.index import Rules
from te_forge.engine.policies import at_random
from te_forge.options import at_this_table
from te_forge.packs import load
from te_forge.seeded import drawn, generator, thrown

SEEDS = range(1, 6)


def rules_of(pack: str) -> Rules:
    system = load(pack).system
    assert system is not None
    return Rules(at_this_table(system))


class Bots:
    """One procedure, from its beginning to its end."""

    def __init__(self, rules: Rules, seed: int, procedure: str, pairs: tuple[str, ...], who: tuple[str, ...]) -> None:
        asked = ask(rules, procedure, pairs, who)
        self.policy, self.seed, self.fallen, self.turns = at_random(generator(str(seed), "play")), str(seed), 0, 0
        start = process_time()
        self.run = Evaluator(rules, asked.state, self.answer)
        self.outcome = self.run.do(asked.procedure.id, asked.roles).outcome.partition("#")[2]
        self.seconds = process_time() - start

    def answer(self, effect: Any) -> Any:
        match effect:
            case Note("begin", (procedure, _)):
                self.turns += procedure.endswith("/turn")
            case Note():
                pass
            case Roll() | Draw():
                self.fallen += 1
                return thrown(self.seed, self.fallen, effect) if isinstance(effect, Roll) else drawn(self.seed, self.fallen, effect)
            case Chain(state, parts):
                for part in parts:
                    state, stopped = part(self.answer, state)
                    if stopped is not None:
                        return state, stopped
                return state, None
            case _:
                return self.policy(effect, self.run)
        return None


def games(title: str, rows: dict[str, Callable[[int], Bots]]) -> None:
    print(title)
    first: tuple[float, float] | None = None
    for label, played in rows.items():
        found = [played(seed) for seed in SEEDS]
        each = sum(one.seconds for one in found) / len(found)
        turns = sum(one.turns for one in found)
        turn = sum(one.seconds for one in found) / turns if turns else 0.0
        first = first or (each, turn)
        growth = f"{each / first[0]:.2f}x" + (f", a turn {1000 * turn:.1f} ms: {turn / first[1]:.2f}x" if turns else "")
        print(f"  {label:<34} {each:6.2f} s each: {growth}; {', '.join(one.outcome for one in found)}", flush=True)


NAMES = ("Ann", "Ben", "Cid", "Dot")


def board() -> None:
    rules = rules_of("tension-board")

    def played(people: int) -> Callable[[int], Bots]:
        return lambda seed: Bots(rules, seed, "Game", ("host=Ann",), tuple(f"{name}: a player" for name in NAMES[:people]))

    games("a game of tension-board", {f"{people} players": played(people) for people in (2, 3, 4)})


def combat() -> None:
    rules = rules_of("tenebrous")

    def played(foes: int) -> Callable[[int], Bots]:
        names = [f"T{number}" for number in range(1, foes + 1)]
        return lambda seed: Bots(rules, seed, "Combat", ("heroes=Pareidolia,Lamia", f"foes={','.join(names)}"), tuple(f"{name}: a Thug" for name in names))

    games("a fight of tenebrous", {f"2 heroes against {foes}": played(foes) for foes in (2, 4, 8, 16)})


# ---------------------------------------------------------------- a check with split dice

Law = dict[str, Fraction]
SPLITS = {"Two and Two": 2, "Three and One": 3, "Four and None": 4}


def ours(rules: Rules, split: str) -> Law:
    said = ("actor=Ann", "skill=Athletics", "class=Physical", "difficulty=10", "risk=5", f"split={split}")
    found = counted(ask(rules, "Check", said, ("Ann: a character with Athletics 2",)), "plain", None)[0]
    assert found.missing == 0
    return {outcome.partition("#")[2]: share for outcome, share in found.outcomes.items()}


def of_two(done: Fraction, kept: Fraction) -> Law:
    law = {"clean": done * kept, "costly": done * (1 - kept), "safe": (1 - done) * kept, "botched": (1 - done) * (1 - kept)}
    return {name: share for name, share in law.items() if share}


def with_icepool(dice: int) -> Law:
    import icepool

    def reached(number: int, target: int) -> Fraction:
        return (number @ icepool.d6 + 2 >= target).probability(True)

    return of_two(reached(dice, 10), reached(4 - dice, 5) if dice < 4 else Fraction(0))


def with_dyce(dice: int) -> Law:
    from dyce import H

    def reached(number: int, target: int) -> Fraction:
        total = number @ H(6)
        return Fraction(sum(ways for outcome, ways in total.items() if outcome + 2 >= target), total.total)

    return of_two(reached(dice, 10), reached(4 - dice, 5) if dice < 4 else Fraction(0))


def timed(work: Callable[[], Law], rounds: int) -> tuple[float, Law | None]:
    found = []
    answer: Law | None = None
    for _ in range(rounds):
        start = process_time()
        try:
            answer = work()
        except ImportError:
            return 0.0, None
        found.append(process_time() - start)
    return min(found), answer


def checks() -> None:
    rules = rules_of("vdp")
    print("a check of vdp with split dice, counted out")
    for split, dice in SPLITS.items():
        seconds, law = timed(lambda split=split: ours(rules, split), 3)  # type: ignore[misc]
        print(f"  {split:<16} te_forge {1000 * seconds:7.1f} ms", end="")
        for name, model in models():
            theirs, same = timed(lambda dice=dice, model=model: model(dice), 3)  # type: ignore[misc]
            assert same is None or same == law, (split, name)
            print(f"; {name} " + ("is not installed" if same is None else f"{1000 * theirs:.2f} ms"), end="")
        print(flush=True)


def models() -> Iterator[tuple[str, Callable[[int], Law]]]:
    yield "icepool", with_icepool
    yield "dyce", with_dyce


if __name__ == "__main__":
    checks()
    board()
    combat()
