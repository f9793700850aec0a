"""What somebody looks up or wants at the table: a rule as it is written, a roll on a table, somebody new."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from te_forge.cli import cli

GAME = """# Game

## kind: hero
- Is: an actor

## kind: gm
- Is: an actor
- How Many: 1

## kind: pool
- Is: a number of a hero
- Starts: 2

| pool | text |
|------|------|
| Luck | Chance. |

## kind: calling
- Is: a trait of a hero

## calling: Smith
- Anvil: after Test with the owner as the tester: the owner gains 1 Luck

## kind: gift
- Is: a trait of a hero

## gift: Smithery
Good with iron.

## procedure: Test
Somebody tries.
- Roles: a hero as the tester
- Outcomes: Good, Bad

1. Roll. A die.
   - Dice: the tester rolls 1 d6 as the roll
2. See.
   - Well: if sum of the roll is above 3:
     - Pride: the tester gains 1 Luck; end with Good
   - Ill: otherwise: end with Bad

## table: Finds

| d6  | row  | text         | effect                  |
|-----|------|--------------|-------------------------|
| 1-3 | Ring | It is green. | the roller gains 3 Luck |
| 4-6 | Rope | -            | -                       |

## table: Weather

| d2 | text  |
|----|-------|
| 1  | Rain. |
| 2  | Sun.  |

## table: Clock

| at | row | text        |
|----|-----|-------------|
| 3  | End | It is over. |

## hack: Lucky
More of it.

### changes procedure: Test
- See:
  - Bonus before Well: if sum of the roll is 3: end with Good

## hack: Grim
Less of it.

### changes table: Finds

| row  | text        |
|------|-------------|
| Ring | It is rust. |

### deletes gift: Smithery

## example: Somebody
- Ann: a Smith

1. Look.
   - expect Ann's Luck is 2
"""


@pytest.fixture(scope="module")
def pack(tmp_path_factory: pytest.TempPathFactory) -> str:
    root = tmp_path_factory.mktemp("looked") / "game"
    (root / "rules").mkdir(parents=True)
    (root / "pack.yaml").write_text("id: game\ntitle: Game\nversion: 1.0.0\nhacks:\n  - Lucky\n", encoding="utf-8")
    (root / "rules/01.te").write_text(GAME, encoding="utf-8")
    return str(root)


def run(*words: str, typed: str = "") -> Result:
    return CliRunner().invoke(cli, words, input=typed)


def played(pack: str, typed: str, *more: str) -> str:
    made = run("play", pack, "--seed", "3", *more, typed=typed)
    assert made.exit_code == 0, made.output
    return made.stdout


def test_a_rule_is_read_as_it_is_written(pack: str) -> None:
    text = played(pack, "rule Test\nquit\n")
    assert (
        "  1. Roll. A die.\n"
        "     - Dice: the tester rolls 1 d6 as the roll\n"
        "  2. See.\n"
        "     - Bonus: if sum of the roll is 3: end with Good\n"
        "     - Well: if sum of the roll is above 3:\n"
        "       - Pride: the tester gains 1 Luck; end with Good\n"
        "     - Ill: otherwise: end with Bad\n" in text
    )


def test_a_table_is_read_with_its_rows(pack: str) -> None:
    text = played(pack, "rule Finds\nrule Clock\nquit\n")
    assert "  d6:\n    1-3: Ring. It is green. the roller gains 3 Luck.\n    4-6: Rope.\n" in text
    assert "    3: End. It is over.\n" in text and "at:" not in text


def test_a_hack_is_read_whether_it_is_on_or_off(pack: str) -> None:
    text = played(pack, "rule Lucky\nrule Grim\nquit\n")
    on = "Lucky (hack)\n  It is on.\n  More of it.\n  It changes Test:\n    - See:\n      - Bonus before Well: if sum of the roll is 3: end with Good\n"
    off = 'Grim (hack)\n  It is off; `--hack "Grim"` plays with it.\n  Less of it.\n  It changes Finds:\n    Ring. It is rust.\n  It deletes Smithery.\n'
    assert on in text and off in text


def test_a_rule_that_is_none_is_still_said_to_be_none(pack: str) -> None:
    assert "No rule is called `Zzz`" in played(pack, "rule Zzz\nquit\n")


@pytest.mark.parametrize("typed", ["do Finds", "roll Finds", "Finds", "roll fin", "do Finds roller=Ann"])
def test_a_table_is_rolled_at_the_table(pack: str, typed: str) -> None:
    text = played(pack, f"{typed}\nundo\nquit\n", "--who", "Ann: a Smith")
    assert "Ann rolls 1 die: 2\nFinds: Ring. It is green.\nAnn gains 3 Luck (now 5)\n" in text
    assert "Taken back: roll on Finds." in text


def test_who_rolls_is_asked_where_several_could(pack: str) -> None:
    who = ("--who", "Ann: a Smith", "--who", "Ben: a hero")
    text = played(pack, "roll Finds\nBen\nquit\n", *who)
    assert "who is the roller" in text and "Ben gains 3 Luck (now 5)" in text
    assert "The gm rolls 1 die:" in played(pack, "roll Weather\nquit\n", *who)


def test_a_roll_on_a_table_is_in_the_log(pack: str, tmp_path: Path) -> None:
    log = str(tmp_path / "evening.log")
    played(pack, "roll Finds\nquit\n", "--who", "Ann: a Smith", "--log", log)
    assert "Finds: Ring. It is green.\nAnn gains 3 Luck (now 5)\n" in run("replay", log, "--pack", pack).stdout


def test_a_table_without_dice_says_so(pack: str) -> None:
    assert "Clock is a table without dice" in played(pack, "do Clock\nquit\n")
    made = run("roll", pack, "Clock")
    assert made.exit_code == 2 and "Clock is a table without dice" in made.stderr


def test_the_command_rolls_a_table(pack: str) -> None:
    assert (
        "Somebody rolls 1 die: 2\nFinds: Ring. It is green.\nSomebody gains 3 Luck (now 5)\nSomebody: Luck from 2 to 5\n"
        in run("roll", pack, "Finds", "--seed", "3").stdout
    )
    assert "The gm rolls 1 die: " in run("roll", pack, "weather", "--seed", "3").stdout
    who = ("--who", "Ann: a Smith", "--who", "Ben: a hero")
    made = run("roll", pack, "Finds", "roller=Ben", "Ben.Luck=4", "--seed", "3", *who)
    assert "Ben: Luck from 4 to 7" in made.stdout
    assert "several could roll Finds; say who: `roller=Ann`" in run("roll", pack, "Finds", *who).stderr
    assert "`colour` is no number" in run("roll", pack, "Finds", "colour=red").stderr
    assert "`Finds=` is not of the form" in run("roll", pack, "Finds", "Finds=").stderr


SORTS = "omebody new in Game is a hero, or one of these: Smith."


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("a Smithy", f"nothing is called `Smithy`; did you mean `Smith`? S{SORTS}"),
        ("a Sorcerer", f"nothing is called `Sorcerer`; s{SORTS}"),
        ("a goblin with Luck 3", f"there is no kind called `goblin`; s{SORTS}"),
        ("a Luck", f"nobody can be `Luck`; s{SORTS}"),
        ("a Smith with Luk 3", "did you mean `Luck`?"),
    ],
)
def test_who_cannot_be_is_told_what_somebody_can_be(pack: str, typed: str, said: str) -> None:
    assert said in " ".join(played(pack, f"add Ben: {typed}\nquit\n").split())
    assert said.removesuffix(".") in " ".join(run("roll", pack, "Test", "tester=Ben", "--who", f"Ben: {typed}").stderr.split())
