"""What people and accidents do wrong at the table is said in a sentence: broken logs, people as they are listed, goals, files of characters."""

from __future__ import annotations

import os
import time
from functools import cache
from pathlib import Path

import pytest
from beginnings import run
from click.testing import Result

from te_forge.cli import opened
from te_forge.commands import odds as odds_command
from te_forge.commands import play as play_command
from te_forge.commands import replay as replay_command
from te_forge.commands import roll as roll_command
from te_forge.engine.tell import faces
from te_forge.play.log import is_event

LOADED = cache(opened)
ANN = ("--who", "Ann: a Warrior with Vigor 3, Melee 2 and Careful")
BO = ("--who", "Bo: a Wizard")
CONFLICT = ("Environment Conflict", "actor=Ann", "attribute=Vigor", "skill=Melee", *ANN)


@pytest.fixture(autouse=True)
def loaded_once(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (play_command, replay_command, roll_command, odds_command):
        monkeypatch.setattr(module, "opened", LOADED)


def play(*words: str, typed: str) -> Result:
    return run("play", "srd-core", *words, typed=typed)


def flat(text: str) -> str:
    return " ".join(text.split())


# ---------------------------------------------------------------- logs


@pytest.fixture
def log(tmp_path: Path) -> Path:
    path = tmp_path / "evening.log"
    play("--log", str(path), *ANN, typed="set Ann.Health=3\nset Ann.Health=4\n")
    return path


@pytest.mark.parametrize(
    "broken", ["not a line", '{"do": "begin", "id": [[7, 6]]}', '{"roll": "Ann", "shows": [[6, 6]]}', '{"do": "leave", "who": "Ann", "by": 3}']
)
def test_a_log_that_is_broken_goes_on_from_the_last_good_line(log: Path, broken: str) -> None:
    good = log.read_text(encoding="utf-8")
    lines = good.count("\n")
    log.write_text(good + broken + '\n{"choice": "Ann", "is": 1}\n', encoding="utf-8")
    stopped = play("--log", str(log), "--resume", typed="")
    assert f"line {lines + 1} of {log}" in stopped.stderr
    assert f"`--resume --up-to {lines}` goes on" in stopped.stderr
    assert stopped.exit_code == 1
    assert broken in log.read_text(encoding="utf-8")
    again = play("--log", str(log), "--resume", "--up-to", str(lines), typed="")
    assert "Health 4 of 7" in again.stdout
    assert log.read_text(encoding="utf-8") == good
    assert broken in log.with_name("evening.log.rest").read_text(encoding="utf-8")


def test_what_is_cut_off_twice_is_kept_twice(log: Path) -> None:
    lines = log.read_text(encoding="utf-8").count("\n")
    for count in (1, 2):
        play("--log", str(log), "--resume", "--up-to", str(lines - count), typed="")
    assert sorted(path.name for path in log.parent.iterdir()) == ["evening.log", "evening.log.rest", "evening.log.rest1"]
    assert '"to": 4' in log.with_name("evening.log.rest").read_text(encoding="utf-8")


def test_up_to_needs_resume(log: Path) -> None:
    assert "give --resume with it" in play("--log", str(log), "--up-to", "3", typed="").stderr


@pytest.mark.parametrize(
    "line", [{}, {"do": "begin", "undo": True}, {"undo": 1}, {"do": ["set"]}, {"do": "begin", "roles": []}, {"choice": "Ann", "is": 3, "by": None}]
)
def test_lines_that_say_nothing_that_can_happen(line: dict[str, object]) -> None:
    assert not is_event(line)


@pytest.mark.skipif(os.name == "nt", reason="an open file cannot be taken away there")
def test_a_log_that_was_taken_away_is_not_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "evening.log"

    def taken_away(prompt: str) -> str:
        path.unlink()
        return "quit"

    monkeypatch.setattr(play_command, "typed", taken_away)
    said = play("--log", str(path), *ANN, typed="").stdout
    assert "The game is not kept" in said and "was taken away" in said


# ---------------------------------------------------------------- who


def test_people_are_listed_with_commas() -> None:
    said = play("--who", "Ann: a Warrior with Vigor 4, Melee 2, and Careful", typed="who Ann\n").stdout
    assert "Vigor 4" in said and "Melee 2" in said and "Careful" in said


def test_nobody_begins_a_procedure_against_themselves() -> None:
    said = play(*ANN, *BO, typed="do Adversary Conflict initiators=Ann defender=Ann\ndo Adversary Conflict initiators=Bo,Bo defender=Ann\n").stdout
    assert "Ann cannot be both among the initiators and the defender." in said
    assert "Bo cannot be twice among the initiators." in said
    for command in ("roll", "odds"):
        assert "cannot be both" in run(command, "srd-core", "Adversary Conflict", "initiators=Ann", "defender=Ann", *ANN).stderr


def test_who_runs_the_game_does_not_leave() -> None:
    assert "The gm belongs to the game, and cannot leave it." in play(*ANN, typed="remove gm\n").stdout


def test_a_number_that_is_misspelt_is_guessed() -> None:
    assert "`Ann.Vigr` is no number; did you mean `Vigor`?\n" in play(*ANN, typed="set Ann.Vigr=3\n").stdout


def test_a_role_for_several_is_asked_for_in_words() -> None:
    assert "Round needs a group of people as the fighters" in flat(run("roll", "srd-core", "Round", *ANN).stderr)


# ---------------------------------------------------------------- what is shown


def test_a_rule_is_shown_with_the_lines_below_its_lines() -> None:
    said = flat(play(*BO, typed="rule sorcery\n").stdout)
    assert "the owner may pay: - Again: the owner rerolls" in said


def test_an_option_is_followed_by_a_number_only_if_it_is_one() -> None:
    said = play(*ANN, typed="do Make A Character newcomer=Ann\n").stdout
    assert "  1  Warrior\n" in said


def test_a_bare_number_means_nothing_where_no_list_stands() -> None:
    said = play(*ANN, typed="round\n1\nlook\n3\n").stdout
    before, _, after = said.partition("no list stands here".capitalize())
    assert after and "Environment Conflict (actor: Ann)" not in before
    assert "Environment Conflict (actor: Ann)" in after


def test_a_word_of_a_name_is_enough() -> None:
    assert "`conflict` can be Environment Conflict and Adversary Conflict" in play(*ANN, typed="conflict\n").stdout
    assert "Make A Character (newcomer: Ann)" in play(*ANN, typed="character\n").stdout


def test_bots_begin_no_more_than_was_asked_for() -> None:
    said = run("play", "srd-core", "--all-bots", "--procedures", "6", "--seed", "1").stdout
    assert "The end: 6 procedures have been begun." in said


HEADS = "id: bare\ntitle: Bare\nversion: 1.0.0\nauthors: [A]\nlicense: CC0-1.0\n"
BARE = """# Bare

## kind: hero
- Is: an actor
- Plural: "heroes"

## kind: pool
- Is: a number

## pool: Luck
- Of: a hero
- Starts: 0

## procedure: Try
- Roles: a hero as the actor

1. Throw.
   - Throw: the actor rolls the actor's Luck d6 as the pool
"""


def test_no_dice_and_nothing_that_comes_of_it_are_said(tmp_path: Path) -> None:
    (tmp_path / "rules").mkdir()
    (tmp_path / "rules" / "bare.te").write_text(BARE, encoding="utf-8")
    (tmp_path / "pack.yaml").write_text(HEADS, encoding="utf-8")
    who = (str(tmp_path), "Try", "actor=Ann", "--who", "Ann: a hero")
    assert "Ann has no dice to roll" in run("roll", *who, "--seed", "1").stdout
    assert (
        "It has no outcome, and no number changes. How often somebody has a trait afterwards is asked in an example: `expect Ann has .. in 25 percent`."
        in run("odds", *who).stdout
    )


def test_very_many_different_faces_are_counted_at_once() -> None:
    began = time.process_time()
    said = faces(tuple((at % 1000 + 1, 1000) for at in range(100_000)))
    assert said.startswith("100 show 1, ")
    assert time.process_time() - began < 2


# ---------------------------------------------------------------- goals


@pytest.mark.parametrize(
    ("goal", "said"),
    [
        ("mark != 3", "`!=` is no comparison in `mark != 3`"),
        ("lead >", "`lead >` compares nothing; write a name, a comparison and a whole number"),
        ("> 3", "`> 3` compares nothing"),
        ("Tension < 9999999999999", "the number of a goal has nine digits at most"),
        ("makr > 3", "did you mean `mark`?\n"),
    ],
)
def test_a_goal_that_is_none_says_why(goal: str, said: str) -> None:
    assert said in run("odds", "srd-core", *CONFLICT, "--best", goal).stderr


def test_odds_say_that_equally_good_answers_are_settled_by_their_order() -> None:
    assert "of answers that are equally good for that, the first counts" in run("odds", "srd-core", *CONFLICT, "--best", "Success").stdout


# ---------------------------------------------------------------- files of characters


def made(tmp_path: Path) -> str:
    path = tmp_path / "made.yaml"
    run("character", "new", "srd-core", "--seed", "7", "--name", "Ann", "-o", str(path))
    return path.read_text(encoding="utf-8")


def test_a_name_that_is_not_known_is_told_once(tmp_path: Path) -> None:
    path = tmp_path / "ann.yaml"
    path.write_text(made(tmp_path).replace("  Melee:", "  Meele:"), encoding="utf-8")
    said = run("character", "check", str(path)).stdout
    assert "did you mean `Melee`?" in said
    assert "write `Melee" not in said and "1 error, 1 note" in said


def test_a_file_that_is_far_too_large_says_the_limit(tmp_path: Path) -> None:
    path = tmp_path / "ann.yaml"
    path.write_text("x" * 10_000_000, encoding="utf-8")
    said = run("character", "check", str(path)).stdout
    assert "the limit is 0.5 MB" in said and "split" not in said


def test_a_file_that_is_not_there_is_not_about_rights(tmp_path: Path) -> None:
    said = play("--character", str(tmp_path / "nobody.yaml"), typed="").stderr
    assert "there is no file" in said and "right" not in said


def test_the_beginning_of_two_options_is_no_answer(tmp_path: Path) -> None:
    said = flat(run("character", "new", "srd-core", "--name", "Ann", "-o", str(tmp_path / "ann.yaml"), typed="me\nw\n").stdout)
    assert "`w` can be Warrior, Wastrel and Wizard; type more of it, or its number." in said


def test_the_making_is_as_wide_as_the_terminal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "50")
    said = run("character", "new", "srd-core", "--name", "Ann", "-o", str(tmp_path / "ann.yaml"), typed="me\n").stdout
    told = said.partition("1 of 8")[2]
    assert max(len(line) for line in told.splitlines() if ":" not in line[:30]) <= 50
