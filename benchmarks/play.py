# ruff: noqa: E402
"""How long playing takes, as ratios in one run: `python benchmarks/play.py`. CPU time, the best of three.

Unattended sessions of bots with any answers: time per procedure that was begun, as the session grows and as more people sit at the table. Then
playing a log again against playing, and the whole process of `te-forge roll` against that of `te-forge check`.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path[:0] = [str(ROOT)]

from te_forge.packs import load
from te_forge.play import session, set_up, unattended
from te_forge.play.answering import EVERYBODY, bots_only
from te_forge.play.log import read_log
from te_forge.play.table import Table
from te_forge.play.words import Teller

SYSTEM = load("srd-core").system
assert SYSTEM is not None
RULES = set_up.rules_of(SYSTEM, set_up.switches(SYSTEM))
PEOPLE = ("Ann", "Ben", "Cid", "Dot", "Eva", "Fay", "Gus", "Hal", "Ida", "Jon", "Kim", "Leo")


def quiet(rules: object) -> Teller:
    return Teller(RULES, lambda line: None)


def sat_down(people: int, log: Path | None = None) -> Table:
    table = session.new_table(RULES, (), "1", quiet, bots_only, log)
    tough = "a Warrior with Health 500 and Willpower 500"
    session.sit_down(table, [{"sheet": f"{name}: {tough}"} for name in PEOPLE[:people]])
    table.do({"do": "bot", "who": EVERYBODY, "policy": "random"}, "setup")
    return table


def cost(prepare: Callable[[], Table], work: Callable[[Table], object]) -> float:
    found = []
    for _ in range(3):
        table = prepare()
        before = os.times()
        work(table)
        after = os.times()
        found.append(after.user + after.system - before.user - before.system)
    return min(found)


def begun(table: Table) -> int:
    return sum(event.data.get("do") == "begin" for event in table.events)


def played(people: int, most: int) -> float:
    """Seconds for each procedure that was begun."""
    counts: list[int] = []

    def work(table: Table) -> None:
        unattended.Director(table).play(most)
        counts.append(begun(table))

    return cost(lambda: sat_down(people), work) / counts[-1]


def replayed(most: int) -> float:
    """Playing a log again against playing it."""
    with tempfile.TemporaryDirectory() as folder:
        log = Path(folder) / "a.log"
        table = sat_down(4, log)
        unattended.Director(table).play(most)
        read = read_log(log)
    playing = cost(lambda: sat_down(4), lambda table: unattended.Director(table).play(most))
    again = cost(lambda: session.table_of_log(SYSTEM, read, log, quiet), lambda table: table.play_on())
    return again / playing


def process(*words: str) -> float:
    found = []
    for _ in range(5):
        before = os.times()
        subprocess.run(
            [sys.executable, "-m", "te_forge", *words],
            cwd=ROOT,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            check=False,
        )
        after = os.times()
        found.append(after.children_user + after.children_system - before.children_user - before.children_system)
    return min(found)


if __name__ == "__main__":
    base = played(4, 30)
    print(f"one procedure of a session of 30 with 4 people: {base * 1000:.1f} ms")
    for most in (60, 120, 240):
        print(f"  of {most:>3} with  4 people: {played(4, most) / base:5.2f}x")
    for people in (1, 2, 8, 12):
        print(f"  of  30 with {people:>2} people: {played(people, 30) / base:5.2f}x")
    print(f"a log of 120, played again: {replayed(120):.2f}x of playing it")
    roll = ("roll", "srd-core", "Environment Conflict", "actor=Ann", "Tension=4", "--seed", "1", "--who", "Ann: a Warrior")
    print(f"te-forge roll: {process(*roll) / process('check', 'srd-core'):.2f}x of te-forge check")
