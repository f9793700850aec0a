"""People who are stated oddly, and what those who are there may not do: whoever says so is told, and nobody gets an answer to something else."""

from __future__ import annotations

from pathlib import Path

import pytest
from beginnings import run, said

from te_forge.packs import load

PAGE = """# Game

## kind: gm
- Is: an actor
- How Many: 1

## kind: hero
- Is: an actor

## kind: pool
- Is: a number of a hero

## kind: state
- Is: a trait of a hero

## kind: ware
- Is: an entry

## pool: Luck
- Starts: 3

## ware: Rope

## state: Dead
- Gone: the owner cannot do any procedure

## procedure: Rest
- Roles: a hero as the sleeper

1. Sleep.
   - Dream: the sleeper gains 1 Luck

## hack: Slow Nights
### changes pool: Luck
- Starts: 2

## example: One
- Ann: a hero with {}

1. Rest.
   - do Rest with Ann as the sleeper
   - expect Ann's Luck is above 0
"""
ODD = {
    "Rope": "`Rope` is a ware, but here a number or a trait is needed",
    "Rope 2": "`Rope` is a ware, but here a number or a trait is needed",
    "Rest 1": "`Rest` is a procedure, but here a number or a trait is needed",
    "Slow Nights": "`Slow Nights` is a hack, but here a number or a trait is needed",
    "Luck": "`Luck` is a number, and here it is not said how much",
    "Dead 2": "`Dead` is a trait, which somebody has or has not, and no number",
    "Luck 1 and Luck 2": "`Luck` stands here twice",
    "Dead and Dead": "`Dead` stands here twice",
}


def game(at: Path, people: str) -> Path:
    (at / "rules").mkdir()
    (at / "pack.yaml").write_text("id: odd\ntitle: Odd\nversion: 1.0.0\n", encoding="utf-8")
    (at / "rules" / "01.te").write_text(PAGE.format(people), encoding="utf-8")
    return at


@pytest.mark.parametrize("people", ODD)
def test_who_cannot_be_like_this_is_no_game_and_nobody(people: str, tmp_path: Path) -> None:
    assert ODD[people] in [one.message for one in load(str(game(tmp_path, people))).diagnostics if one.severity == "error"]


@pytest.mark.parametrize("people", ODD)
def test_nor_is_anybody_so_on_a_command_line(people: str, tmp_path: Path) -> None:
    answer = run("odds", str(game(tmp_path, "Luck 1")), "Rest", "sleeper=Bo", "--who", f"Bo: a hero with {people}")
    assert answer.exit_code == 2
    assert ODD[people] in said(answer)


@pytest.mark.parametrize("command", ["odds", "roll"])
def test_what_somebody_cannot_do_is_no_question(command: str, tmp_path: Path) -> None:
    pack = str(game(tmp_path, "Luck 1"))
    answer = run(command, pack, "Rest", "sleeper=Bo", "--who", "Bo: a hero with Dead")
    assert answer.exit_code == 2
    assert "Rest is forbidden by Dead of Bo (" in said(answer)
    assert run(command, pack, "Rest", "sleeper=Bo", "--who", "Bo: a hero").exit_code == 0


@pytest.mark.parametrize(("expected", "why"), [("Ann's Luck's most is 3", "has no most"), ("3 / Ann's Luck rounded up is 1", "divides by 0")])
def test_what_nobody_can_look_up_stops_an_example_and_not_the_test(expected: str, why: str, tmp_path: Path) -> None:
    pack = game(tmp_path, "Luck 0")
    page = pack / "rules" / "01.te"
    text = (
        page.read_text(encoding="utf-8")
        .replace("the sleeper gains 1 Luck", "the sleeper loses 1 Luck")
        .replace("- Starts: 3", "- Starts: 3\n- At Least: 0")
    )
    page.write_text(text.replace("Ann's Luck is above 0", expected), encoding="utf-8")
    answer = run("test", str(pack))
    assert answer.exit_code == 1
    assert "this cannot be looked up here" in answer.output
    assert why in answer.output
