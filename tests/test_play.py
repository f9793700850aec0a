"""Games in the terminal: one procedure, a scene, bots, a log that survives a kill, and the same game on every machine."""

import json
import os
import re
import shlex
import signal
import subprocess
import sys
import time
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from beginnings import run
from click.testing import Result

from te_forge import seeded as dice
from te_forge.cli import opened
from te_forge.commands import play as play_command
from te_forge.commands import replay as replay_command
from te_forge.commands import roll as roll_command
from te_forge.engine.effects import Choose, Keep, Number, Offer, Roll, Several, Share, allowed
from te_forge.engine.index import Rules
from te_forge.engine.policies import NAMES, policy_called
from te_forge.engine.reading import Reading
from te_forge.engine.state import Map, Person, State
from te_forge.play import set_up, spans
from te_forge.play.log import fingerprint
from te_forge.play.scene import COMMANDS, HELP
from te_forge.play.screens import LOOKS
from te_forge.play.summary import changes

ROOT = Path(__file__).parents[1]
ANN = "Ann: a Warrior with Vigor 3 and Athletics 1 and Adventure 2"
BEGIN = "do Environment Conflict"


@pytest.fixture(scope="module")
def rules():
    system = LOADED("srd-core").system
    assert system is not None
    return set_up.rules_of(system, set_up.switches(system))


@pytest.fixture(autouse=True)
def loaded_once(monkeypatch: pytest.MonkeyPatch):
    """Commands that run inside the tests share the loaded pack; those in processes of their own do not."""
    for module in (play_command, replay_command, roll_command):
        monkeypatch.setattr(module, "opened", LOADED)


LOADED = cache(opened)


def play(log: Path | None, typed: str, *more: str) -> Result:
    return run("play", "srd-core", *(("--log", str(log)) if log else ()), *more, typed=typed)


# ---------------------------------------------------------------- dice


def test_dice_are_pinned():
    """The same on every machine and in every version: these faces must never change, or no old log can be played again."""
    assert dice.thrown("1", 0, Roll("Ann", ((5, 6, ()), (1, 20, ())))) == ((15, 20), (6, 6), (5, 6), (4, 6), (3, 6), (2, 6))
    assert [dice.number_below(10, "seed", n) for n in range(8)] == PINNED


PINNED = [6, 2, 0, 1, 1, 6, 6, 2]


def test_dice_are_fair():
    """A chi-squared test with 5 degrees of freedom: above 20.5 once in a thousand, and the seed is fixed."""
    shown = [face for face, _ in dice.thrown("fair", 0, Roll("Ann", ((60_000, 6, ()),)))]
    assert sum((shown.count(face) - 10_000) ** 2 / 10_000 for face in range(1, 7)) < 20.5


def test_no_face_is_likelier_since_the_remainder_is_drawn_again(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(dice, "sha256", lambda text: Digest(text))
    assert dice.number_below(6, "x") == 4


class Digest:
    """The first try lies in the remainder of 2^64 by 6, the second does not."""

    def __init__(self, text: bytes) -> None:
        self.number = (1 << 64) - 1 if text.endswith(b"/0") else 10

    def digest(self) -> bytes:
        return self.number.to_bytes(8, "big") + bytes(24)


def test_exploding_dice_end():
    shown = dice.thrown("1", 0, Roll("Ann", ((2, 6, (1, 2, 3, 4, 5, 6)),)))
    assert len(shown) == 2 + 100


def test_too_many_dice_are_a_sentence():
    result = run("roll", "srd-core", "Throwing", "roller=the gm", "Tension=1000000", "--seed", "1")
    assert "1000000 dice at once are too many" in result.stdout
    assert result.exit_code == 1


def test_ten_thousand_dice_are_counted_not_listed():
    result = run("roll", "srd-core", "Throwing", "roller=the gm", "Tension=10000", "--seed", "1")
    assert "The gm rolls 10000 dice: " in result.stdout and " show 6, " in result.stdout
    assert max(map(len, result.stdout.splitlines())) < 200


# ---------------------------------------------------------------- policies


DECISIONS = [
    Choose("Ann", "skill", ("a", "b", "c")),
    Choose("Ann", "option", ("a", None)),
    Offer("Ann", ("Help",)),
    Keep("Ann", "keeps", ((6, 6), (6, 6), (2, 6)), 2, 2),
    Keep("Ann", "rerolls", ((6, 6), (1, 6)), 0, 2),
    Number("Ann", "extra", 0, 4),
    Share("Ann", 5, True, ("a", "b", "c"), (3, 3, 1)),
    Share("Ann", 5, False, ("a", "b"), (9, 9)),
    Several("Ann", "any", ("a", "b")),
]


@pytest.mark.parametrize("decision", DECISIONS, ids=lambda one: type(one).__name__)
def test_policies_give_allowed_answers(rules, decision):
    reading = Reading(rules, State())
    for number in range(30):
        for name in NAMES:
            assert allowed(decision, policy_called(name, dice.generator("choice", "seed", number))(decision, reading))


# ---------------------------------------------------------------- roll


def test_roll_prints_steps_dice_choices_and_what_it_came_to():
    result = run(
        "roll", "srd-core", "Environment Conflict", "actor=Ann", "Tension=4", "attribute=Vigor", "skill=Athletics", "--who", ANN, "--seed", "1"
    )
    assert result.exit_code == 0
    for line in (
        "Seed 1",
        "  1. Declare",
        "The gm rolls 4 dice: ",
        "Ann chooses Vigor",
        "Ann chooses Athletics",
        "Environment Conflict ends with ",
        "total: the gm ",
    ):
        assert line in result.stdout, result.stdout
    again = run(
        "roll", "srd-core", "Environment Conflict", "actor=Ann", "Tension=4", "attribute=Vigor", "skill=Athletics", "--who", ANN, "--seed", "1"
    )
    assert again.stdout == result.stdout


def test_roll_ends_with_what_changed_and_the_values_by_their_word():
    foes = [part for number in (1, 2, 3, 4) for part in ("--who", f"T{number}: a Thug")]
    shown = run("roll", "tenebrous", "Combat", "heroes=Pareidolia,Lamia", "foes=T1,T2,T3,T4", *foes, "--policy", "random", "--seed", "4").stdout
    ends = shown.partition("Combat ends with Won.\n")[2].splitlines()
    assert "T1: Resilience from 4 to -4, now Stable" in ends
    assert "Lamia: Penumbra from 5 to 0" in ends
    assert "initiative: T1 8, T2 6, T3 8, T4 8, Pareidolia 9, Lamia 14" in ends
    assert ends[-1] == "For everybody still as it began: early 0, blocking 0, focus 0"
    assert len(ends) == 11


def test_what_changed_has_people_traits_fields_and_limits(rules: Rules):
    def at(**parts: Any) -> Reading:
        return Reading(rules, replace(State(Map({"Ann": Person("Ann", "character")})), **{key: Map(value) for key, value in parts.items()}))

    number = next(entry for entry in rules.entries.values() if entry.name == "Adventure")
    trait = next(entry for entry in rules.entries.values() if entry.name == "Defeated")
    one, other = {("Ann", number.id): 3}, {("Ann", number.id): 5}
    assert list(changes(at(numbers=one), at(numbers=one))) == []
    assert list(changes(at(numbers=one), at(numbers=other))) == ["Ann: Adventure from 3 to 5"]
    assert list(changes(at(), at(traits={"Ann": (trait.id,)}))) == ["Ann: now Defeated"]
    assert list(changes(at(traits={"Ann": (trait.id,)}), at())) == ["Ann: no longer Defeated"]
    assert list(changes(at(), at(fields={("Ann", "Post"): "east"}))) == ["Ann: Post from nothing to east"]
    assert list(changes(at(), at(bounds={("Ann", number.id, "most"): 9}))) == ["Ann: Adventure now at most 9"]
    assert list(changes(at(), at(people={}))) == ["Ann is gone"]
    assert list(changes(at(people={}), at())) == ["Ann has come"]


def test_roll_brings_in_an_adversary_by_name_and_takes_presets():
    words = ("roll", "srd-core", "Damage", "dealer=Ann", "target=Callous Golem", "amount=3", "--who", ANN, "--seed", "1")
    assert "Callous Golem loses 2 Stamina (now 3)" in run(*words).stdout
    assert "Callous Golem loses 3 Stamina (now 2)" in run(*words, "Blow=yes").stdout


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("Envronment Conflict", "actor=Ann"), "did you mean `Environment Conflict`?"),
        (("Environment Conflict",), "write `actor=Ann`"),
        (("Environment Conflict", "actor=Zed"), 'say who that is with --who "Zed: a character"'),
        (("Environment Conflict", "actor=Ann", "Tenson=4"), "did you mean `Tension`?"),
        (("Environment Conflict", "actor=Ann", "Tension=many"), "cannot be `many`"),
        (("Environment Conflict", "actor=Ann", "Tension=1"), "Tension is at least 2"),
        (("Environment Conflict", "actor=Ann", "Ann.attribute=Melee"), "`Ann.attribute=Melee` is none of the answers there"),
        (("Environment Conflict", "Ann"), "is not of the form `name=value`"),
        (("Environment Conflict", "actor=Ann", "--policy", "plane"), "did you mean `plain`?"),
        (("Environment Conflict", "actor=Ann", "--who", "Ben: a Wizzard"), "nothing is called `Wizzard`"),
        (("Environment Conflict", "actor=Ann", "--who", "Ann: a Wizard"), "`Ann` is there twice"),
        (("Environment Conflict", "actor=Ann", "--who", "Ben"), "`Ben`"),
        (("Environment Conflict", "actor=Ann", "--ruling", "environment-tye=x"), "did you mean `Environment Tie`?"),
    ],
)
def test_a_roll_that_cannot_be_says_why(words, said):
    result = run("roll", "srd-core", *words, "--who", ANN)
    assert said in result.stderr, result.stderr
    assert result.exit_code == 2
    assert "Traceback" not in result.output


def test_an_answer_that_nobody_asked_for_is_noted_and_spoils_no_roll():
    """Whether somebody is asked may hang on the dice."""
    done = run("roll", "srd-core", "Throwing", "roller=the gm", "skill=Melee", "--who", ANN, "--seed", "1")
    assert done.exit_code == 0 and "Note: `skill=Melee` answers nothing" in done.stderr


def test_another_reading_of_a_ruling_is_rolled_with():
    words = ("roll", "srd-core", "Environment Conflict", "actor=Ann", "Tension=2", "--who", "Ann: a Warrior", "--seed", "11")
    assert "ends with Tie" in run(*words).stdout
    assert "ends with Tie" not in run(*words, "--ruling", "environment-tie=the-world-holds").stdout


# ---------------------------------------------------------------- a scene


def test_a_scene_shows_who_is_here_and_what_may_be_done():
    shown = unwrapped(play(None, "", "--who", ANN, "--seed", "1").stdout)
    assert "Open: Game, Session, Scene" in shown
    assert "Ann (character): Health 7 of 7, Willpower 3 of 3, Adventure 2" in shown
    assert "Spell Attack (by Sorcery) (not now: nobody is here who can be the target (an adversary))" in shown
    assert 'Ann: Warrior: Prompt, if it is so: "an order of yours was obeyed, and it worked"' in shown


def test_why_not_names_the_price_the_limit_and_the_ban():
    healer = "Hal: a Wizard with Healer and Adventure 0"
    assert "Healer: Heal, for 1 Adventure (not now: Hal cannot pay 1 Adventure (has 0))" in unwrapped(play(None, "", "--who", healer).stdout)
    shown = unwrapped(play(None, "set Hal.Health=1\ngain Hal.Health=-1\nlook\ndo Environment Conflict actor=Hal\n", "--who", healer).stdout)
    assert "Hal takes Eliminated" in shown
    assert "Environment Conflict (not now: forbidden by Eliminated of Hal)" in shown
    assert "Forbidden by Eliminated of Hal." in shown


def unwrapped(text: str) -> str:
    return " ".join(text.split())


def test_adversaries_of_one_name_are_told_apart():
    shown = play(None, "add Bruiser\nadd bruiser\nremove Bruiser\nlook\n").stdout
    assert "Bruiser is here." in shown and "Bruiser 2 is here." in shown and "Bruiser has left." in shown
    assert "Bruiser 2 (adversary): Stamina 2" in shown


def test_a_refused_choice_changes_nothing(tmp_path: Path):
    log = tmp_path / "a.log"
    shown = play(log, f"{BEGIN}\nnothing\n6 6 6\n9\n1\n", "--who", ANN, "--seed", "1", "--bot", "gm=plain").stdout
    assert "`nothing` is none of these: Vigor, Comprehension, Presence, Discipline." in shown
    answers = [json.loads(line) for line in log.read_text("utf-8").splitlines()]
    assert [one["is"] for one in answers if one.get("choice") == "Ann"] == ["srd-core:attribute/vigor"]


def test_a_command_has_to_wait_while_a_role_is_asked_for():
    shown = unwrapped(play(None, "add Bruiser\nadd Bruiser\ndo Adversary Conflict initiators=Ann\nadd Bo: a Warrior\nback\n", "--who", ANN).stdout)
    assert "is none of these: Bruiser, Bruiser 2; `add` has to wait until this is answered, or given up with `back`." in shown
    assert "Nothing was begun" in shown


def test_spans_open_and_close():
    shown = play(None, "end Session\nlook\nopen Scene\nopen Scene\nlook\n", "--who", ANN).stdout
    assert "Scene ends.\nSession ends." in shown
    assert "Open: Game\n" in shown
    assert "Environment Conflict (not now: no Scene is open)" in shown
    assert "Session begins.\nScene begins." in shown
    assert "Scene is open already" in shown


def test_a_use_per_session_is_back_in_the_next_one():
    wen = "Wen: a Wastrel"
    fight = "do Adversary Conflict initiators=Wen defender=Bruiser\n{}"
    typed = "add Bruiser\nbot everybody plain\nbot Wen off\n"
    first = play(None, typed + fight.format("y\n") + fight.format("1\n1\n"), "--who", wen, "--seed", "1").stdout
    assert first.count("Wen may take Ace Up Your Sleeve") == 1
    second = play(None, typed + fight.format("y\n") + "end Session\nopen Scene\n" + fight.format("y\n"), "--who", wen, "--seed", "1").stdout
    assert second.count("Wen may take Ace Up Your Sleeve") == 2
    assert "Wen's total is 0" not in first, "a number that is put off is told when it is known"
    third = play(None, typed + fight.format("y\n") + "who Wen\nend Session\nopen Scene\nwho Wen\n", "--who", wen, "--seed", "1").stdout
    assert third.count("ability: Ace Up Your Sleeve (used up: once per Session)\n") == third.count("ability: Ace Up Your Sleeve\n") == 1


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("fly", "`fly` is no command"),
        ("do Fly", "no procedure is called `Fly`"),
        ("do Environment Conflict hero=Ann", "has no role called `hero`"),
        ("take Nap", "There is no offer called `Nap`"),
        ("add Nobody", "no one in the book is called"),
        ("add Ann: a Warrior", "`Ann` is there twice"),
        ("remove Zed", "Nobody here is called `Zed`"),
        ("who Bruiser", "Bruiser is not here; `add Bruiser` brings them in"),
        ("set Tension=1", "Tension is at least 2"),
        ("set Moxie=1", "is no number"),
        ("give Ann Sleepy", "no trait is called `Sleepy`"),
        ("give Ann Weaponmaster", "Ann has Weaponmaster"),
        ("drop Ann Careful", "Ann does not have Careful"),
        ("end Nothing", "no span of time is called"),
        ("bot gm clever", "there is no policy `clever`"),
        ("rule Zzz", "no rule is called"),
        ("undo", "There is nothing to take back"),
        ("do 99", "no procedure is called `99`"),
    ],
)
def test_what_cannot_be_done_is_said(typed, said):
    result = play(None, f"{typed}\n", "--who", ANN)
    assert said.lower() in result.stdout.lower(), result.stdout
    assert result.exit_code == 0


def test_a_bot_that_would_answer_the_same_for_ever_answers_something_else():
    """Making a character asks again for an advantage that somebody has; the plain policy likes the first one."""
    shown = play(None, "do Make A Character\n", "--who", "Ann: a Warrior with Careful", "--bot", "everybody=plain", "--seed", "1").stdout
    assert "Ann takes" in shown.partition("6. Advantages")[2]


ROUND = "add Bruiser\ndo Round fighters=Ann,Bruiser\n1\n"
"""Ann before the Bruiser, then each of them may act."""


def test_what_is_done_in_a_turn_is_done_inside_of_it():
    shown = play(None, f"{ROUND}end Scene\ngain Ann.Adventure=2\n\n\nlook\n", "--who", ANN, "--seed", "1").stdout
    assert "Turn of Ann: what happens?" in shown and "Turn of Bruiser: what happens?" in shown
    assert "Turn goes on; spans of time open and close between procedures." in shown
    assert "    Ann gains 2 Adventure (now 4)" in shown
    assert shown.rpartition("Ann (character)")[2].partition("\n")[0].count("Adventure 4") == 1


def test_a_limit_on_a_round_holds_for_what_is_done_in_it():
    """Quick acts a second time in its turn, and not a third."""
    shown = play(None, "add Nimble Thief\nset Tension=9\nbot gm spend\ndo Round fighters=Nimble Thief\n\n\n\n", "--who", ANN, "--seed", "1").stdout
    assert shown.count("The gm pays 1 Tension") == 1
    assert shown.count("Nimble Thief is asked to say: what I do now") == 2


def test_undo_and_resume_inside_of_a_turn(tmp_path: Path):
    log = tmp_path / "a.log"
    play(log, f"{ROUND}gain Ann.Adventure=2\nundo\ngain Ann.Adventure=1\n", "--who", ANN, "--seed", "1")
    shown = play(log, "\n\nlook\n", "--resume").stdout
    assert "Turn of Ann: what happens?" in shown
    assert "Adventure 3" in shown.rpartition("Ann (character)")[2]
    assert run("replay", str(log)).exit_code == 0


# ---------------------------------------------------------------- taking back


def test_undo_takes_back_one_choice_and_the_dice_stay(tmp_path: Path):
    log = tmp_path / "a.log"
    typed = f"{BEGIN}\n1\n2\nn\n0\nundo\nundo\nundo\nundo\n2\n2\nn\n0\n"
    play(log, typed, "--who", ANN, "--seed", "1", "--bot", "gm=plain")
    straight = tmp_path / "b.log"
    play(straight, f"{BEGIN}\n2\n2\nn\n0\n", "--who", ANN, "--seed", "1", "--bot", "gm=plain")
    assert run("replay", str(log)).stdout == run("replay", str(straight)).stdout
    assert log.read_text("utf-8").count('"undo"') == 4


def test_undo_of_a_command_brings_the_state_before_it():
    shown = play(None, "set Tension=7\nundo\nlook\n", "--who", ANN).stdout
    assert "Taken back: set Tension." in shown
    assert shown.rstrip().rpartition("The gm: Tension ")[2].startswith("2")


# ---------------------------------------------------------------- character files


def test_a_character_file_sits_at_the_table_and_in_the_log(tmp_path: Path):
    file, log = tmp_path / "ida.yaml", tmp_path / "a.log"
    assert run("character", "new", "srd-core", "--name", "Ida", "--seed", "1", "-o", str(file)).exit_code == 0
    shown = play(log, "who Ida\n", "--character", str(file)).stdout
    assert "Ida is here." in shown and "Ida (character)" in shown
    file.unlink()
    assert "Ida is here." in run("replay", str(log)).stdout


def test_a_file_that_is_no_character_is_said_where_it_stands(tmp_path: Path):
    file, log = tmp_path / "bad.yaml", tmp_path / "a.log"
    file.write_text("name: Ida\npack: srd-core\nversion: 1.0.0\ntraits: [Wizzard]\n", "utf-8")
    result = play(log, "", "--character", str(file))
    assert result.exit_code == 1 and "bad.yaml:" in result.stderr and "Wizzard" in result.stderr
    assert not log.exists()


# ---------------------------------------------------------------- logs


def test_end_of_input_keeps_the_game_and_resume_goes_on_exactly_there(tmp_path: Path):
    whole, parts = tmp_path / "whole.log", tmp_path / "parts.log"
    keys = [BEGIN, "1", "2", "n", "0", BEGIN, "2", "3"]
    more = ("--who", ANN, "--seed", "4", "--bot", "gm=plain")
    play(whole, "".join(f"{key}\n" for key in keys), *more)
    result = play(parts, f"{keys[0]}\n", *more)
    assert "--resume goes on exactly here" in result.stdout
    for key in keys[1:]:
        assert play(parts, f"{key}\n", "--resume").exit_code == 0
    assert whole.read_bytes() == parts.read_bytes()


def test_a_log_is_not_overwritten(tmp_path: Path):
    log = tmp_path / "a.log"
    play(log, "", "--who", ANN)
    before = log.read_bytes()
    result = play(log, "", "--who", ANN)
    assert result.exit_code == 2 and "--resume goes on with it" in result.stderr
    assert log.read_bytes() == before


@pytest.fixture(scope="module")
def session(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """A whole session of bots: its log, and what was shown."""
    log = tmp_path_factory.mktemp("session") / "session.log"
    result = play(log, "", "--all-bots", "--bot", "everybody=random", "--seed", "1", "--procedures", "30")
    assert result.exit_code == 0, result.output
    return log, result.stdout


def test_a_session_plays_itself(session):
    log, shown = session
    begun = [line for line in log.read_text("utf-8").splitlines() if '"do": "begin"' in line and '"by": "bots"' in line]
    assert "The end: " in shown
    assert len(begun) >= 30 or "nobody is left" in shown
    assert "Adversary Conflict (" in shown and "Environment Conflict (" in shown


def test_replay_is_the_game_to_the_byte(session):
    log, shown = session
    lines = shown.splitlines()[1:-1]
    assert run("replay", str(log)).stdout.splitlines() == lines


def test_a_session_ends_when_nobody_is_left():
    shown = play(
        None,
        "",
        "--all-bots",
        "--bot",
        "everybody=random",
        "--who",
        "Ann: a Warrior with Health 1 and Willpower 1",
        "--seed",
        "3",
        "--procedures",
        "400",
    ).stdout
    assert shown.rstrip().endswith("The end: nobody is left who could begin anything.")


@pytest.mark.parametrize("seed", range(2, 8))
def test_sessions_of_many_seeds_run_and_play_again(tmp_path: Path, seed: int):
    log = tmp_path / "a.log"
    shown = play(log, "", "--all-bots", "--bot", "everybody=random", "--seed", str(seed), "--procedures", "12").stdout
    assert "This was stopped" not in shown
    assert run("replay", str(log)).stdout.splitlines() == shown.splitlines()[1:-1]


def test_a_truncated_last_line_is_dropped_with_a_word(session, tmp_path: Path):
    log = tmp_path / "cut.log"
    log.write_bytes(session[0].read_bytes()[:-9])
    result = run("replay", str(log))
    assert result.exit_code == 0
    assert "the last line of" in result.stderr and "was cut off" in result.stderr


def edited(session, tmp_path: Path, change) -> Result:
    log = tmp_path / "edited.log"
    lines = session[0].read_text("utf-8").splitlines()
    change(lines)
    log.write_text("\n".join(lines) + "\n", "utf-8")
    result = run("replay", str(log))
    assert "Traceback" not in result.output
    return result


def first(lines: list[str], part: str) -> int:
    return next(at for at, line in enumerate(lines) if part in line)


def test_a_broken_line_in_the_middle_is_named(session, tmp_path: Path):
    def change(lines: list[str]) -> None:
        lines[20] = '{"choice": '

    result = edited(session, tmp_path, change)
    assert result.exit_code == 1 and "line 21 of" in result.stderr


@pytest.mark.parametrize("value", ['"srd-core:class/none"', "[1, 2]", "7", "null", '{"a": 1}', "[[1, [2]]]"])
def test_an_answer_that_is_not_allowed_is_named(session, tmp_path: Path, value: str):
    where = []

    def change(lines: list[str]) -> None:
        at = first(lines, '"is": "srd-core:class/')
        where.append(at + 1)
        lines[at] = lines[at].partition('"is"')[0] + f'"is": {value}}}'

    result = edited(session, tmp_path, change)
    assert result.exit_code == 1
    assert f"line {where[0]} of" in result.stderr and "is not an answer to what Character One is asked here" in result.stderr


@pytest.mark.parametrize("shows", ["[[6, 6], [6, 6]]", "[[7, 6]]", "6", "[]", "[[6.0, 6], [6, 6]]"])
def test_dice_that_did_not_fall_are_named(session, tmp_path: Path, shows: str):
    def change(lines: list[str]) -> None:
        at = first(lines, '"roll"')
        lines[at] = lines[at].partition('"shows"')[0] + f'"shows": {shows}}}'

    result = edited(session, tmp_path, change)
    assert result.exit_code == 1 and "these are not the dice" in result.stderr


def test_a_line_that_is_gone_or_doubled_is_noticed(session, tmp_path: Path):
    for change in (lambda lines: lines.pop(first(lines, '"roll"')), lambda lines: lines.insert(3, lines[first(lines, '"choice"')])):
        result = edited(session, tmp_path, change)
        assert result.exit_code == 1 and "line " in result.stderr


@pytest.mark.parametrize("text", ["", "\n", "hello\n", "[]\n", "{}\n", '{"te-forge log": 1}\n', '{"te-forge log": 99}\n', "\x00\xff\n"])
def test_what_is_no_log_is_said(tmp_path: Path, text: str):
    log = tmp_path / "no.log"
    log.write_text(text, "utf-8")
    for result in (run("replay", str(log)), play(log, "", "--resume")):
        assert result.exit_code == 1 and result.stderr.startswith("Error: ") and "Traceback" not in result.output


def test_another_version_of_the_pack_is_told_and_stops(session, tmp_path: Path):
    log = tmp_path / "old.log"
    lines = session[0].read_text("utf-8").splitlines(keepends=True)
    head = json.loads(lines[0])
    rules = {**head["rules"], "srd-core:advantage/careful": "00000000", "srd-core:advantage/bold": "00000000"}
    head |= {
        "version": "0.9.0",
        "fingerprint": "0" * 64,
        "on": ["srd-core:hack/gone"],
        "rules": {id: part for id, part in rules.items() if id != "srd-core:advantage/healer"},
    }
    log.write_text(json.dumps(head) + "\n" + "".join(lines[1:]), "utf-8")
    result = run("replay", str(log))
    assert result.exit_code == 1
    for said in (
        "played with version 0.9.0, and this is 1.0.0",
        "srd-core:hack/gone was switched on, and is not in this pack",
        "changed since then: srd-core:advantage/careful",
        "new since then: srd-core:advantage/healer",
        "gone since then: srd-core:advantage/bold",
    ):
        assert said in result.stderr
    anyway = run("replay", str(log), "--anyway")
    assert anyway.exit_code == 0 and anyway.stdout == run("replay", str(session[0])).stdout


def test_the_fingerprint_is_of_rules_not_of_prose(rules):
    from dataclasses import replace

    entries = list(rules.entries.values())
    mark = fingerprint(entries)
    assert fingerprint([replace(entry, prose=()) for entry in entries]) == mark
    at = next(at for at, entry in enumerate(entries) if entry.lines)
    entries[at] = replace(entries[at], lines=entries[at].lines[1:])
    assert fingerprint(entries) != mark


# ---------------------------------------------------------------- processes


def command(*words: str) -> list[str]:
    return [sys.executable, "-m", "te_forge", *words]


def environment(**more: str) -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(ROOT), **more}


def test_kill_9_loses_nothing_that_was_typed(tmp_path: Path):
    log = tmp_path / "killed.log"
    words = ("play", "srd-core", "--log", str(log), "--who", ANN, "--seed", "4", "--bot", "gm=plain")
    process = subprocess.Popen(command(*words), stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, env=environment(), cwd=tmp_path)
    assert process.stdin is not None
    process.stdin.write(f"{BEGIN}\n1\n2\n".encode())
    process.stdin.flush()
    until = time.monotonic() + 30
    while time.monotonic() < until and not (log.exists() and log.read_text("utf-8").count('"choice": "Ann"') == 2):
        time.sleep(0.05)
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    process.stdin.close()
    assert play(log, "n\n0\n", "--resume").exit_code == 0
    straight = tmp_path / "straight.log"
    play(straight, f"{BEGIN}\n1\n2\nn\n0\n", "--who", ANN, "--seed", "4", "--bot", "gm=plain")
    assert log.read_bytes() == straight.read_bytes()


def test_a_session_that_was_killed_goes_on_to_the_same_end(session, tmp_path: Path):
    """Cut anywhere, even in the middle of a line: bots bring it to the same log."""
    whole = session[0].read_bytes()
    for part in (0.5, 0.83):
        log = tmp_path / f"{part}.log"
        log.write_bytes(whole[: int(len(whole) * part)])
        play(log, "", "--all-bots", "--resume", "--procedures", "30")
        assert log.read_bytes() == whole


def test_a_log_cut_at_any_line_goes_on_to_the_same_end(tmp_path: Path):
    whole = tmp_path / "whole.log"
    play(whole, "", "--all-bots", "--bot", "everybody=random", "--who", ANN, "--who", "Wen: a Wastrel", "--seed", "9", "--procedures", "7")
    lines = whole.read_bytes().splitlines(keepends=True)
    for cut in range(10, len(lines), 5):
        log = tmp_path / f"{cut}.log"
        log.write_bytes(b"".join(lines[:cut]))
        play(log, "", "--all-bots", "--resume", "--procedures", "7")
        assert log.read_bytes() == whole.read_bytes(), cut


@pytest.mark.parametrize(("locale", "hashes"), [("C", "0"), ("C.UTF-8", "1"), ("tr_TR.UTF-8", "12345")])
def test_replay_is_the_same_in_every_environment(session, tmp_path: Path, locale: str, hashes: str):
    log, shown = session
    result = subprocess.run(
        command("replay", str(log)), env=environment(PYTHONHASHSEED=hashes, LC_ALL=locale, LANG=locale), cwd=tmp_path, capture_output=True, check=True
    )
    assert result.stdout.decode("utf-8").splitlines() == shown.splitlines()[1:-1]


def test_ctrl_c_ends_cleanly_with_the_log_safe(tmp_path: Path):
    import pty

    log = tmp_path / "a.log"
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        command("play", "srd-core", "--log", str(log), "--who", ANN),
        stdin=theirs,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        env=environment(),
        start_new_session=True,
    )
    os.write(ours, f"{BEGIN}\n".encode())
    until = time.monotonic() + 30
    while time.monotonic() < until and not (log.exists() and '"roll"' in log.read_text("utf-8")):
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    shown = process.communicate(timeout=30)[0].decode()
    os.close(ours)
    os.close(theirs)
    assert process.returncode == 130
    assert "--resume goes on exactly here" in shown and "Traceback" not in shown
    assert play(log, "", "--resume").exit_code == 0


# ---------------------------------------------------------------- the page about playing

PAGE = (ROOT / "site" / "docs" / "playing.md").read_text("utf-8")
BLOCK = re.compile(r"(?:<!-- (te-typed|te-shown) -->\n)?```(?:sh|text)\n(.*?)```", re.S)


def test_every_command_of_the_page_about_playing_does_what_it_says(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    blocks = [(found[1] or "sh", found[2]) for found in BLOCK.finditer(PAGE)]
    shown = ""
    for at, (what, text) in enumerate(blocks):
        if what == "sh":
            follows = blocks[at + 1] if at + 1 < len(blocks) else ("", "")
            for line in text.splitlines():
                result = run(*shlex.split(line)[1:], typed=follows[1] if follows[0] == "te-typed" else "")
                assert result.exit_code == 0, result.output
                shown = result.stdout
        elif what == "te-shown":
            lines = shown.splitlines()
            for line in text.splitlines():
                assert any(one.endswith(line.strip()) or one == line for one in lines), f"{line}\n\n{shown}"
    assert [what for what, _ in blocks].count("sh") == 8


def test_the_page_names_every_command_and_policy():
    for word in (*COMMANDS, *LOOKS, *NAMES):
        assert word in SYNONYMS or re.search(rf"`{re.escape(word)}\b", PAGE), word
    for word in COMMANDS:
        assert word in SYNONYMS or any(line.startswith(word) or f"`{word} " in told for line, told in HELP), word


SYNONYMS = ("back", "sheet", "begin", "?", "help", "look")

# ---------------------------------------------------------------- spans, in general


def test_spans_are_found_by_their_form(rules):
    assert [one.name for one in spans.spans(rules)] == ["Game", "Session", "Scene"]
    assert [one.name for one in spans.first_spans(rules)] == ["Game", "Session", "Scene"]
    begun = {one.name for one in spans.begun(rules)}
    assert {"Environment Conflict", "Adversary Conflict", "Round"} <= begun
    assert not {"Throwing", "Keeping", "Damage", "Turn", "Conflict"} & begun


def test_people_who_are_only_counted_sit_down(tmp_path: Path) -> None:
    """One for each character, unless they are named; nobody acts against them."""
    two = ("--who", "Ann: a Warrior", "--who", "Wen: a Wastrel")
    shown = run("play", "party-first", *two, "--who", "Ida: a Wizard", "--seed", "1", typed="quit\n").stdout
    assert "Players: Player One, Player Two, Player Three" in shown and "The gm: Tension 3" in shown and "The group: Morale 3" in shown
    shown = run("play", "party-first", *two, "--who", "Mia: a player", "--seed", "1", typed="quit\n").stdout
    assert "Players: Mia" in shown and "The group: Morale 1" in shown and "Player One" not in shown
    log = tmp_path / "bots.log"
    assert play(log, "", "--all-bots", "--bot", "everybody=random", "--seed", "3", "--procedures", "30").exit_code == 0
    began = [event for event in map(json.loads, log.read_text("utf-8").splitlines()) if event.get("do") == "begin"]
    assert len(began) > 10 and not any("Player" in str(event["roles"]) for event in began)


def test_who_is_here_has_what_is_paid_through_a_word_and_not_what_is_trained():
    here = run("play", "vdp", "--who", "Mia: a character with Physical Ability 4", typed="quit\n").stdout
    assert "Physical Dice 4" in " ".join(here.split())
    assert "Physical Ability" not in here.partition("What can be begun")[0]
    assert "Athletics" not in play(None, "quit\n", "--who", ANN).stdout.partition("What can be begun")[0]
