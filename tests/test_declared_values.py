"""Values that a procedure declares: whose they are, who knows them, and how they are told."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from te_forge.cli import cli

GAME = """# Racing

## kind: gm
- Is: an actor
- How Many: 1

## kind: hero
- Is: an actor
- Plural: "heroes"

## kind: pool
- Is: a number

## pool: Luck
- Of: a hero
- Starts: 0

## procedure: Race
- Roles: a hero as the runner

| value    | holds    | default | text |
|----------|----------|---------|------|
| pace     | dice     | nothing | .    |
| distance | a number | 5       | .    |

1. Run.
   - Dice: the runner rolls 1 d6 as the pace
   - Bet: do Bet with the runner as the better
   - Near: do Nearing with the runner as the runner
   - Fast: if sum of the runner's pace is 6: the runner gains 10 Luck
2. Arrive.
   - There: if the distance is 4: the runner gains 100 Luck

## procedure: Nearing
- Part Of: Race
- Roles: a hero as the runner

1. Near.
   - Near: the distance becomes the distance - 1

## procedure: Bet
Whoever bets rolls for themselves.
- Roles: a hero as the better

1. Bet.
   - Dice: the better rolls 1 d6 as the pace
   - Won: if sum of the pace is 3: the better gains 1 Luck

## rule: Good Omen
- Omen: after gain of Luck by a hero: the gm rolls 1 d6 as the pace; if sum of the pace is 2: the gm says "well!"

## example: A Bet During a Race
- Ann: a hero
1. Her bet is a roll of its own, and the race keeps what she rolled for it.
   - do Race with Ann as the runner
   - Ann shows 6; Ann shows 3; the gm shows 2; the gm shows 2; the gm shows 2
   - expect Ann's Luck is 111
"""


@pytest.fixture
def pack(tmp_path: Path) -> Path:
    (tmp_path / "racing/rules").mkdir(parents=True)
    (tmp_path / "racing/pack.yaml").write_text("id: racing\ntitle: Racing\nversion: 1.0.0\nauthors: [Ada Example]\n")
    (tmp_path / "racing/rules/01-racing.te").write_text(GAME)
    return tmp_path / "racing"


def run(*words: str) -> str:
    result = CliRunner().invoke(cli, words, catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result.output


def test_what_is_rolled_in_a_procedure_apart_is_a_word_of_it(pack: Path) -> None:
    """A value is that of the procedures that declare it and of their parts; another one that is run meanwhile has a word of its own."""
    assert "no mistakes found" in run("check", str(pack))
    assert "1 example: 1 comes out" in run("test", str(pack))


def test_what_is_rolled_behind_an_event_is_known_there(pack: Path) -> None:
    seeds = (run("roll", str(pack), "Race", "runner=Ann", "--who", "Ann: a hero", "--seed", str(seed)) for seed in range(60))
    assert any("well!" in said for said in seeds)


def test_a_value_that_is_spoken_of_alone_is_told_without_an_owner(pack: Path) -> None:
    told = run("roll", str(pack), "Race", "runner=Ann", "--who", "Ann: a hero", "--seed", "1")
    assert "None" not in told
    assert "The distance: 4" in told
    counted = run("odds", str(pack), "Race", "runner=Ann", "--who", "Ann: a hero")
    assert "None" not in counted
    assert "the distance 4" in counted


BOUGHT = (
    GAME.replace("- Plural:", "- Made By: Growing Up\n- Plural:").partition("## rule: Good Omen")[0]
    + """
## kind: gift
- Is: a number of a hero
- Starts: 1

| gift | text |
|------|------|
| Wit  | .    |
| Grit | .    |

## procedure: Growing Up
- Roles: a hero as the newcomer

1. Buy. Each costs one.
   - Points: the points is 3
   - Buy: repeat until the points is 0: the newcomer chooses a gift as the better; the newcomer gains 1 of the better; the points becomes the points - 1

## procedure: Exam
- Roles: a hero as the pupil

| value | holds    | default | text |
|-------|----------|---------|------|
| heat  | a number | 2       | .    |

1. Ask.
   - Heat: the heat becomes 7
   - Which: the gm chooses a gift as the gift
"""
)


def test_who_buys_one_by_one_sees_what_is_left_and_how_high_each_is(pack: Path) -> None:
    (pack / "rules/01-racing.te").write_text(BOUGHT)
    typed = CliRunner().invoke(cli, ("play", str(pack), "--who", "Ann: a hero"), input="do Growing Up\nWit\nWit\nGrit\nquit\n").output
    for said in ("Ann chooses the better (points 3):\n  1  Wit 1\n  2  Grit 1\n", "(points 1):\n  1  Wit 3\n  2  Grit 1\n"):
        assert said in typed
    asked = CliRunner().invoke(cli, ("play", str(pack), "--who", "Ann: a hero"), input="do Exam\nlook\nquit\n").output
    assert "The gm chooses the gift:\n  1  Wit 1\n  2  Grit 1\n" in asked
    assert "Exam: heat 7\n" in asked


def test_who_makes_a_character_one_by_one_sees_it_too(pack: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (pack / "rules/01-racing.te").write_text(BOUGHT)
    monkeypatch.chdir(tmp_path)
    shown = CliRunner().invoke(cli, ("character", "new", "racing"), input="Ann\nWit\nWit\nGrit\n").output
    assert "Points 3.\n\n    1  Wit 1" in shown
    assert "Points 1.\n\n    1  Wit 3" in shown


def test_a_goal_may_be_a_value_that_is_spoken_of_alone(pack: Path) -> None:
    """Also where a table declares it, and a line gives it as a word of the procedure."""
    game = GAME.partition("## rule: Good Omen")[0].replace("2. Arrive.", "   - Steps: the steps is sum of the runner's pace\n2. Arrive.")
    game = game.replace("| distance |", "| steps    | a number | 0       | .    |\n| distance |")
    game = game.replace("if the distance is 4:", "if the distance is 4 and the steps is above 0:")
    (pack / "rules/01-racing.te").write_text(game)
    for goal, share in (("distance >= 4", "100.00 %"), ("steps >= 4", "50.00 %"), ("distance < 4", "0.00 %")):
        said = run("odds", str(pack), "Race", "runner=Ann", "--who", "Ann: a hero", "--best", goal)
        assert f"Ann decides for {goal}, knowing everything that has been rolled: {share}" in said
    data = json.loads(run("odds", str(pack), "Race", "runner=Ann", "--who", "Ann: a hero", "--format", "json"))
    assert [one.get("of", "") for one in data["numbers"] if one["number"] == "distance"] == [""]
