"""Whole games and fights that nobody plays, and a check with split dice counted out: `python benchmarks/games.py`. CPU seconds.

Each game and fight is one procedure, run to its end with every choice made at random by the seed: time for each, by how many take part, and how it
grows. Of fights also the time of one turn.

The check is counted out side by side, once and as a table for many targets, with models that somebody wrote by hand who has read the rules: those of
one line give every number that te_forge prints for it, those of the other no more than the outcome. The answers are compared before any time is
printed. te_forge reads the question and runs the rules each time; the pack is loaded before. A library that is not there is left out.
"""

# ruff: noqa: E402
from __future__ import annotations

import sys
from collections.abc import Callable
from fractions import Fraction
from itertools import product
from os import environ
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage
from subprocess import run
from tempfile import TemporaryDirectory
from time import process_time
from typing import Any

ROOT = Path(__file__).parents[1]
sys.path[:0] = [str(ROOT)]

from te_forge.asked import ask
from te_forge.asked.counting import counted
from te_forge.asked.ranges import counted_each
from te_forge.engine.effects import Chain, Draw, Loop, Note, Roll
from te_forge.engine.evaluate import Evaluator
from te_forge.engine.index import Rules
from te_forge.engine.policies import at_random
from te_forge.engine.table import Table
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
            case Loop():
                return effect.followed(self.answer)
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
        return lambda seed: Bots(
            rules, seed, "Combat", ("heroes=Pareidolia,Lamia", f"foes={','.join(names)}"), tuple(f"{name}: a Thug" for name in names)
        )

    games("a fight of tenebrous", {f"2 heroes against {foes}": played(foes) for foes in (2, 4, 8, 16)})


# ---------------------------------------------------------------- a check with split dice

Law = dict[Any, Fraction]
Laws = dict[str, Law]
"""What a check comes to, by name: the outcome, each of the two sums, the harm, the Tension. A model that only knows the outcome has only that."""
Targets = tuple[range, range]
"""The difficulties and the risks; a check is counted out for each pair."""
Answers = dict[tuple[int, int], Laws]
SPLITS = {"Two and Two": 2, "Three and One": 3, "Four and None": 4}
SKILL = 2
ONE: Targets = (range(10, 11), range(5, 6))
MANY: Targets = (range(5, 16), range(1, 12))
WHO = f"Ann: a character with Athletics {SKILL}"
OUTCOME, DONE, GUARDED, HARM, GAINED = "outcome", "done", "guarded", "Physical Damage", "Tension"


def said(split: str, difficulty: object, risk: object) -> tuple[str, ...]:
    return ("actor=Ann", "skill=Athletics", "class=Physical", f"difficulty={difficulty}", f"risk={risk}", f"split={split}")


def as_laws(rules: Rules, found: Table) -> Laws:
    assert found.missing == 0
    by_name = {(rules.entries[id].name if id in rules.entries else id): law for (_, id), law in found.numbers.items()}
    laws: Laws = {OUTCOME: {outcome.partition("#")[2]: share for outcome, share in found.outcomes.items()}}
    return laws | {name: dict(by_name.get(name, {0: Fraction(1)})) for name in (DONE, GUARDED, HARM, GAINED)}


def ours(rules: Rules, split: str, targets: Targets) -> Answers:
    """All that `te-forge odds` prints, from the question as it is typed: every step, hook and price of the rules runs."""
    difficulties, risks = targets
    if targets == ONE:
        found = counted(ask(rules, "Check", said(split, difficulties[0], risks[0]), (WHO,)), "plain", None).table
        return {(difficulties[0], risks[0]): as_laws(rules, found)}
    pairs = said(split, *(f"{one[0]}..{one[-1]}" for one in targets))
    each = counted_each(rules, "Check", pairs, (WHO,), "plain", None).each
    return {(difficulty, risk): as_laws(rules, one.table) for (difficulty, risk), one in each.items()}


def result(done: int, guarded: int, difficulty: int, risk: int) -> str:
    return ("clean" if done >= difficulty else "safe") if guarded >= risk else "costly" if done >= difficulty else "botched"


QUESTIONS: dict[str, Callable[[int, int, int, int], Any]] = {
    OUTCOME: result,
    DONE: lambda done, guarded, difficulty, risk: done,
    GUARDED: lambda done, guarded, difficulty, risk: guarded,
    HARM: lambda done, guarded, difficulty, risk: int(guarded < risk),
    GAINED: lambda done, guarded, difficulty, risk: int(done == difficulty),
}


def whole_with_icepool(dice: int, targets: Targets) -> Answers:
    import icepool

    def side(number: int) -> Any:
        return number @ icepool.d6 + SKILL if number else icepool.Die([0])

    both = icepool.tupleize(side(dice), side(4 - dice))

    def asked(question: Callable[[int, int, int, int], Any], target: tuple[int, ...]) -> Any:
        return both.map(lambda done, guarded: question(done, guarded, *target), star=True)

    def laws(*target: int) -> Laws:
        found = {name: asked(question, target) for name, question in QUESTIONS.items()}
        return {name: {value: die.probability(value) for value in die.outcomes()} for name, die in found.items()}

    return {target: laws(*target) for target in product(*targets)}


def whole_with_dyce(dice: int, targets: Targets) -> Answers:
    from dyce import H

    def side(number: int) -> Any:
        return number @ H(6) + SKILL if number else H({0: 1})

    one, other = side(dice), side(4 - dice)
    both = [(done, guarded, Fraction(ways * more, one.total * other.total)) for (done, ways), (guarded, more) in product(one.items(), other.items())]

    def laws(*target: int) -> Laws:
        found: Laws = {name: {} for name in QUESTIONS}
        for done, guarded, share in both:
            for name, question in QUESTIONS.items():
                value = question(done, guarded, *target)
                found[name][value] = found[name].get(value, 0) + share
        return found

    return {target: laws(*target) for target in product(*targets)}


def of_two(done: Fraction, kept: Fraction) -> Laws:
    law = {"clean": done * kept, "costly": done * (1 - kept), "safe": (1 - done) * kept, "botched": (1 - done) * (1 - kept)}
    return {OUTCOME: {name: share for name, share in law.items() if share}}


def bare_with_icepool(dice: int, targets: Targets) -> Answers:
    import icepool

    def reached(number: int) -> Callable[[int], Fraction]:
        total = number @ icepool.d6 + SKILL if number else icepool.Die([0])
        return lambda target: (total >= target).probability(True)

    done, kept = reached(dice), reached(4 - dice)
    return {(difficulty, risk): of_two(done(difficulty), kept(risk)) for difficulty, risk in product(*targets)}


def bare_with_dyce(dice: int, targets: Targets) -> Answers:
    from dyce import H

    def reached(number: int) -> Callable[[int], Fraction]:
        total = number @ H(6) + SKILL if number else H({0: 1})
        return lambda target: Fraction(sum(ways for outcome, ways in total.items() if outcome >= target), total.total)

    done, kept = reached(dice), reached(4 - dice)
    return {(difficulty, risk): of_two(done(difficulty), kept(risk)) for difficulty, risk in product(*targets)}


MODELS: dict[str, dict[str, Callable[[int, Targets], Answers]]] = {
    "all of these numbers": {"icepool": whole_with_icepool, "dyce": whole_with_dyce},
    "the outcome only, from two sums": {"icepool": bare_with_icepool, "dyce": bare_with_dyce},
}
SCRIPTS = {
    "icepool": "import icepool; reached = lambda number, target: (number @ icepool.d6 + 2 >= target).probability(True)",
    "dyce": "from dyce import H; reached = lambda number, target: (lambda law: Fraction(sum(ways for sum_, ways in law.items() if sum_ + 2 >= target), law.total))(number @ H(6))",
}
PRINTED = "from fractions import Fraction; {}; done, kept = reached(2, 10), reached(2, 5); print(done * kept, done * (1 - kept), (1 - done) * kept, (1 - done) * (1 - kept))"


def timed(work: Callable[[], Answers], rounds: int) -> tuple[float, Answers | None]:
    found = []
    answer: Answers | None = None
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
    print("checks of vdp with split dice, counted out: the outcome, both sums, the harm and the Tension; milliseconds for each check")
    for title, targets in (("one check", ONE), (f"a table of {len(MANY[0]) * len(MANY[1])} checks, each difficulty with each risk", MANY)):
        print(f"  {title}")
        for split, dice in SPLITS.items():
            seconds, answers = timed(lambda split=split, targets=targets: ours(rules, split, targets), 7)  # type: ignore[misc]
            assert answers is not None
            print(f"    {split:<14}te_forge, from the rules: {1000 * seconds / len(answers):.2f} ms", flush=True)
            for what, models in MODELS.items():
                told = "; ".join(compared(name, model, dice, targets, answers, seconds) for name, model in models.items())
                print(f"      by hand, {what}: {told}", flush=True)
    processes()


def compared(name: str, model: Callable[[int, Targets], Answers], dice: int, targets: Targets, answers: Answers, seconds: float) -> str:
    theirs, same = timed(lambda: model(dice, targets), 7)
    if same is None:
        return f"{name} is not installed"
    assert same.keys() == answers.keys()
    assert all(law == answers[target][about] for target, laws in same.items() for about, law in laws.items()), (name, dice)
    return f"{name} {1000 * theirs / len(same):.2f} ms, te_forge takes {seconds / theirs:.2f}x"


def processes() -> None:
    """Whole processes: a script that imports a library and prints the four shares, and the command, which has or reads the pack and prints all numbers."""
    print("  the same as whole processes, Two and Two")
    commands = {f"a script with {name}, the four shares": [sys.executable, "-c", PRINTED.format(script)] for name, script in SCRIPTS.items()}
    odds = ["odds", str(ROOT / "systems" / "vdp"), "Check", "--who", WHO, *said("Two and Two", 10, 5)]
    commands["te-forge odds, all numbers"] = [sys.executable, "-m", "te_forge", *odds]
    commands["the same, the pack read anew"] = [sys.executable, "-m", "te_forge", "--no-cache", *odds]
    with TemporaryDirectory() as folder:
        for title, command in commands.items():
            found = [seconds for _ in range(5) if (seconds := child(command, folder)) is not None]
            print(f"    {title:<40}" + (f"{min(found):.2f} s" if found else "is not installed"), flush=True)


def child(command: list[str], folder: str) -> float | None:
    """The CPU seconds of a process; None if it fails. The first one of each leaves its byte code in the folder, as an installed library does."""
    before = getrusage(RUSAGE_CHILDREN)
    done = run(command, cwd=ROOT, capture_output=True, check=False, env={**environ, "PYTHONDONTWRITEBYTECODE": "", "PYTHONPYCACHEPREFIX": folder})
    after = getrusage(RUSAGE_CHILDREN)
    return None if done.returncode else after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime


if __name__ == "__main__":
    checks()
    board()
    combat()
