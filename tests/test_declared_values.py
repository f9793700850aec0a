"""Values that a procedure declares: whose they are, who knows them, and how they are told."""

from __future__ import annotations

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
    assert "the distance, mean 4.0000" in counted
