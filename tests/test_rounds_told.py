"""Rounds of `repeat until`: the first ones are told, then how many there were and the last one. The log has them all."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from te_forge.cli import cli
from te_forge.play.rounds import TOLD, Rounds

PACK = "id: rounds\ntitle: Rounds\nversion: 1.0.0\nauthors: [A]\nlicense: CC0-1.0\n"
RULES = """# Rounds

## kind: hero
- Is: an actor
- Plural: "heroes"

## kind: pool
- Is: a number

## pool: Luck
- Of: a hero
- Starts: 0

## procedure: Night
- Roles: a hero as the one

1. Go.
   - Lots: repeat until sum of the mine is 7: the one rolls 1 d6 as the mine

## procedure: Climb
- Roles: a hero as the one

1. Go.
   - Lots: repeat until the one's Luck is at least 50: the one gains 1 Luck
   - Then: the one says "up"

## procedure: Towers
- Roles: a hero as the one

1. Go.
   - Towers: repeat until the one's Luck is at least 60:
     - Floor: repeat until the one's Luck is a multiple of 30: the one gains 1 Luck
     - Rest: the one gains 1 Luck

## procedure: Asked
- Roles: a hero as the one

1. Go.
   - Turns: repeat until the one's Luck is at least 30:
     - Up: the one gains 1 Luck
     - Ask: the one may: the one gains 1 Luck
"""
MORE = re.compile(r"\(([\d,]+) more rounds? like these\)")


@pytest.fixture(scope="module")
def pack(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("rounds")
    (folder / "rules").mkdir()
    (folder / "pack.yaml").write_text(PACK, encoding="utf-8")
    (folder / "rules" / "01-all.te").write_text(RULES, encoding="utf-8")
    return folder


def said(*words: str, typed: str = "") -> tuple[int, list[str]]:
    result = CliRunner().invoke(cli, list(words), input=typed, catch_exceptions=False)
    return result.exit_code, [line.strip() for line in result.output.splitlines()]


def rolled(pack: Path, name: str) -> tuple[int, list[str]]:
    return said("roll", str(pack), name, "one=Ann", "--who", "Ann: a hero", "--seed", "1", "--policy", "plain")


def test_a_loop_without_an_end_is_told_in_short(pack: Path) -> None:
    code, lines = rolled(pack, "Night")
    rolls = [at for at, line in enumerate(lines) if line.startswith("Ann rolls 1 die")]
    assert code == 1 and len(rolls) == TOLD + 1
    assert lines[rolls[-2] + 1 : rolls[-1]] == ["(9,979 more rounds like these)"]
    assert "repeated 10,000 times without coming to its end, and was stopped, in the step Go of Night" in " ".join(lines[rolls[-1] + 1 :])


def test_a_long_loop_is_told_to_its_last_round(pack: Path) -> None:
    code, lines = rolled(pack, "Climb")
    gains = [line for line in lines if line.startswith("Ann gains")]
    assert code == 0
    assert gains == [f"Ann gains 1 Luck (now {now})" for now in (*range(1, TOLD + 1), 50)]
    assert lines[lines.index(gains[-1]) - 1 : lines.index(gains[-1]) + 2] == ["(29 more rounds like these)", gains[-1], "Ann is asked to say: up"]


def test_loops_in_loops_leave_out_rounds_of_their_own(pack: Path) -> None:
    _, lines = rolled(pack, "Towers")
    assert [found[1] for line in lines if (found := MORE.fullmatch(line))] == ["9", "8"]
    assert [line for line in lines if line.startswith("Ann gains")][-2:] == ["Ann gains 1 Luck (now 60)", "Ann gains 1 Luck (now 61)"]


def test_who_is_asked_is_told_all_that_led_to_it(pack: Path, tmp_path: Path) -> None:
    log = tmp_path / "day.log"
    typed = "do Asked one=Ann\n" + "n\n" * 30 + "quit\n"
    _, lines = said("play", str(pack), "--who", "Ann: a hero", "--seed", "1", "--log", str(log), typed=typed)
    gains = [line for line in lines if line.startswith("Ann gains")]
    assert gains == [f"Ann gains 1 Luck (now {now})" for now in range(1, 31)]
    code, again = said("replay", str(log), "--pack", str(pack))
    assert code == 0 and [line for line in again if line.startswith("Ann gains")] == gains


def test_the_log_has_every_round(pack: Path, tmp_path: Path) -> None:
    log = tmp_path / "day.log"
    options = ("--who", "Ann: a hero", "--seed", "1", "--log", str(log))
    _, played = said("play", str(pack), *options, typed="bot Ann plain\ndo Night one=Ann\ndo Climb one=Ann\nquit\n")
    assert log.read_text(encoding="utf-8").count('"roll"') == 10_000
    code, again = said("replay", str(log), "--pack", str(pack))
    assert code == 0
    told = [[line for line in lines if MORE.fullmatch(line) or line.startswith(("Ann rolls", "Ann gains"))] for lines in (played, again)]
    assert told[0] == told[1] and len(told[0]) == 2 * (TOLD + 2)
    _, resumed = said("play", str(pack), "--log", str(log), "--resume", typed="look\nquit\n")
    assert any(line.startswith("Ann (hero): Luck 50") for line in resumed)


def test_rounds_without_a_word_are_counted_too() -> None:
    loop = Rounds()
    for _ in range(TOLD + 5):
        loop.over()
    assert loop.caught_up() == (4, [])
