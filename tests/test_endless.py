"""What has no end ends all the same: every command stops it soon, says in a sentence where, and nothing of it counts."""

from __future__ import annotations

import resource
import time
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from te_forge.cli import cli

PACK = "id: endless\ntitle: Endless\nversion: 1.0.0\nauthors: [A]\nlicense: CC0-1.0\n"
RULES = """# Endless

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

## pool: Doom
- Of: the gm
- Starts: 0

## kind: mark
- Is: a trait of a hero

## kind: stat
- Is: a number of a hero

## stat: Might
- Starts: 1

## mark: Envy
- More: the owner's Might is highest Might of heroes more

## procedure: Looking
- Roles: a hero as the actor

1. Take. It is not too much to look at a hero who is not there yet.
   - Take: the actor takes Envy
2. Look.
   - Look: if the actor's Might is above 1: the gm gains 1 Doom

## procedure: Day

## procedure: Blink
- Roles: a hero as the actor

1. Nothing. It is over at once.

## procedure: Circle
- Roles: a hero as the actor

1. Walk.
   - Blink: do Blink with the actor as the actor
2. Walk On.

## rule: Turning Round
- Back: after Blink in Circle: 3 times per Blink: go back to Walk

## procedure: Dice Circle
- Roles: a hero as the actor

1. Throw.
   - Dice: the actor rolls 1 d2 as the luck
   - Blink: do Blink with the actor as the actor
2. Rest.

## rule: Turning Dice
- Back: after Blink in Dice Circle: 3 times per Blink: go back to Throw

## procedure: Asked Circle
- Roles: a hero as the actor

1. Ask.
   - Offer: the actor may: the gm gains 1 Doom
   - Blink: do Blink with the actor as the actor
2. Rest.

## rule: Turning Asked
- Back: after Blink in Asked Circle: 3 times per Blink: go back to Ask

## procedure: Rounds
- Roles: a hero as the actor

1. Turn.
   - Turn: repeat up to 999999999 times: the gm gains 1 Doom

## procedure: Rounds In Rounds
- Roles: a hero as the actor

1. Turn.
   - Turn: repeat up to 9000 times: repeat up to 9000 times: if the gm's Doom is 1: the gm gains 1 Doom

## procedure: Powers
- Roles: a hero as the actor

1. Grow.
   - Base: the count is 3
   - Grow: repeat up to 1000 times: the count becomes the count x the count

## procedure: Twice As Much
- Roles: a hero as the actor

1. Grow.
   - First: the gm gains 1 Doom
   - Grow: repeat up to 1000 times: the gm gains Doom equal to the gm's Doom

## procedure: Mirror
- Roles: a hero as the actor
- Bound: 100000 times per Day

1. Look.
   - Again: do Mirror with the actor as the actor

## procedure: Landslide
- Roles: a hero as the actor

1. Stone.
   - Stone: the actor gains 10 Luck

## rule: More Stones
- More: 100000 times per Day: after reaching a multiple of 10 of Luck by a hero: the hero gains 10 Luck

## pool: Snow
- Of: the gm
- Starts: 0
- Slide: after reaching a multiple of 10 of Snow: do Slide

## procedure: Slide
- Bound: 90 times per Day

1. Slide.
   - More: the gm gains 10 Snow

## procedure: Avalanche
- Roles: a hero as the actor

1. Shout.
   - Shout: the gm gains 10 Snow

## procedure: Lasting
- Roles: a hero as the actor

1. Say.
   - Say: repeat up to 5000 times: until Day ends: after Blink: the gm gains 1 Doom
"""
STOPPED = {
    "Circle": "gone back to the step Walk 1,000 times",
    "Dice Circle": "gone back to the step Throw 1,000 times",
    "Asked Circle": "gone back to the step Ask 1,000 times",
    "Rounds": "repeated 999,999,999 times, and 10,000 times is the most, in the step Turn of Rounds",
    "Rounds In Rounds": "went on for 100,000 sentences and was stopped, in the step Turn of Rounds In Rounds",
    "Powers": "grown beyond 1,000,000,000,000,000, in the step Grow of Powers",
    "Twice As Much": "grown beyond 1,000,000,000,000,000, in the step Grow of Twice As Much",
    "Mirror": "`Mirror` runs inside itself more than 200 deep",
    "Landslide": "rules set each other off more than 200 deep, which is as deep as is followed, in the line More of More Stones",
    "Looking": "what changes Might asks how much it is",
    "Lasting": "more than 300 rules would last at the same time, in the step Say of Lasting",
}
IN_CIRCLES = {
    name: f"comes back to the same place more than 200 times, in the step {STOPPED[name].split('the step ')[1].split(' 1,000')[0]} of {name}"
    for name in ("Circle", "Dice Circle", "Asked Circle")
}
SCRIPTED = [name for name in STOPPED if name != "Dice Circle"]
"""An example tells all its dice, so it never has enough of them for that one."""
SECONDS, MEGABYTES = 30, 300
"""Far above what it takes, and far below what an endless run would."""


@pytest.fixture(scope="module")
def pack(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("endless")
    (folder / "rules").mkdir()
    (folder / "pack.yaml").write_text(PACK, encoding="utf-8")
    examples = "".join(f"\n## example: The {name}\n- Ann: a hero\n1. Go.\n   - do {name} with Ann as the actor\n" for name in SCRIPTED)
    (folder / "rules" / "01-all.te").write_text(RULES + examples, encoding="utf-8")
    return folder


def run(*words: str, typed: str = "") -> Result:
    before, began = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, time.process_time()
    result = CliRunner().invoke(cli, list(words), input=typed, catch_exceptions=False)
    assert time.process_time() - began < SECONDS
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < MEGABYTES * 1024
    return result


def flat(text: str) -> str:
    return " ".join(text.split())


def test_the_checker_lets_all_of_it_through(pack: Path) -> None:
    result = run("check", str(pack))
    assert result.exit_code == 0, result.output


@pytest.mark.parametrize("name", STOPPED)
def test_roll_stops_and_says_where(pack: Path, name: str) -> None:
    result = run("roll", str(pack), name, "actor=Ann", "--who", "Ann: a hero", "--policy", "plain")
    assert result.exit_code == 1
    last = flat(result.output.strip().rpartition("\n")[2])
    assert last.startswith("This was stopped, and nothing of it counts: ")
    assert STOPPED[name] in last
    assert "01-all.te:" in last


@pytest.mark.parametrize("best", [(), ("--best", "Doom >= 1")], ids=["policy", "best"])
@pytest.mark.parametrize("name", STOPPED)
def test_odds_stop_and_say_where(pack: Path, name: str, best: tuple[str, ...]) -> None:
    result = run("odds", str(pack), name, "actor=Ann", "--who", "Ann: a hero", *best)
    if name == "Rounds In Rounds" and not best:  # every round leaves things as they were, so one is enough
        assert result.exit_code == 0
        return
    many = bool(best) and name in ("Rounds In Rounds", "Lasting")
    said = IN_CIRCLES.get(name) or ("no more than 1,000 rounds of one sentence are followed" if many else STOPPED[name])
    assert result.exit_code in (1, 2)
    assert said in flat(result.output)
    assert "01-all.te:" in flat(result.output)


def test_a_chain_comes_to_its_bound_and_what_has_happened_counts(pack: Path) -> None:
    """Ninety slides inside each other are no mistake: the bound ends them. To odds that is missing."""
    result = run("roll", str(pack), "Avalanche", "actor=Ann", "--who", "Ann: a hero", "--policy", "plain")
    assert result.exit_code == 0
    assert "The gm gains 10 Snow (now 910)" in result.output
    assert "its bound is reached" in result.output
    odds = run("odds", str(pack), "Avalanche", "actor=Ann", "--who", "Ann: a hero")
    assert odds.exit_code == 0
    assert "Not followed: 100.00 % (1)" in odds.output
    assert "A chain of events grows longer there than its Bound." in odds.output


def test_examples_stop_and_say_where(pack: Path) -> None:
    result = run("test", str(pack))
    assert result.exit_code == 1
    assert result.output.count("example-stops") == len(SCRIPTED)
    for name in SCRIPTED:
        assert STOPPED[name] in flat(result.output)


def test_play_stops_goes_on_and_the_log_plays_the_same(pack: Path, tmp_path: Path) -> None:
    log = tmp_path / "day.log"
    typed = "add Ann: a hero\nbot Ann plain\n" + "".join(f"do {name} actor=Ann\n" for name in STOPPED) + "look\nquit\n"
    played = run("play", str(pack), "--seed", "1", "--log", str(log), typed=typed)
    for said in STOPPED.values():
        assert said in flat(played.output)
    assert "Ann (hero): nothing to note" in played.output.rpartition("Who is here")[2]  # nothing of it counts
    again = run("replay", str(log), "--pack", str(pack))
    assert again.exit_code == 0
    for said in STOPPED.values():
        assert said in flat(again.output)


ENDING = """# Ending

## kind: hero
- Is: an actor

## kind: pool
- Is: a number

## pool: Tries
- Of: a hero
- Starts: 0

## procedure: Try
- Roles: a hero as the actor
- Outcomes: Done

1. Begin.
   - Count: the actor gains 1 Tries
2. End.
   - Done: end with Done

## rule: Five Times More
- Back: after Try ending in Done: 5 times per Try: go back to Begin

## rule: Echo
- Echo: after gain of Tries by a hero: the hero gains 1 Tries
- First: after loss of Tries by a hero: the hero gains 3 Tries

## example: Six Tries
- Ann: a hero
1. Six times in all, and each gain has one echo, not an echo of the echo.
   - do Try with Ann as the actor
   - expect Ann's Tries is 12
"""


def test_a_step_may_be_gone_back_to_from_the_end_as_often_as_the_limit_says(tmp_path: Path) -> None:
    (tmp_path / "rules").mkdir()
    (tmp_path / "pack.yaml").write_text(PACK, encoding="utf-8")
    (tmp_path / "rules" / "01-all.te").write_text(ENDING, encoding="utf-8")
    result = run("test", str(tmp_path))
    assert result.exit_code == 0, result.output
