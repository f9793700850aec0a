"""Trying hacks without editing a pack: what is on, what is refused, and where it is told."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from beginnings import as_written, run, said

from te_forge.compose.chosen import switched_on
from te_forge.compose.tried import NotTried, at_table
from te_forge.model.system import System
from te_forge.packs import load
from te_forge.tried import Tried

ANN = ("--who", "Ann: a Warrior with Vigor 3 and Athletics 2")
CONFLICT = ("srd-core", "Environment Conflict", "actor=Ann", "attribute=Vigor", "skill=Athletics", "Tension=2")


pytestmark = pytest.mark.usefixtures("here")


def core() -> System:
    return as_written("srd-core")


def on(system: System) -> set[str]:
    return {id.partition("/")[2] for id in switched_on(system)}


@pytest.fixture
def game(here: Path) -> Path:
    """A game on the SRD with two hacks and a reading on."""
    (here / "mine/rules").mkdir(parents=True)
    head = "id: mine\ntitle: Mine\nversion: 1.0.0\nrequires: {srd-core: '>=1,<2'}\nhacks: [Morale, Party Skill]\nrulings: {Environment Tie: The World Holds}\n"
    (here / "mine/pack.yaml").write_text(head, encoding="utf-8")
    (here / "mine/rules/01-mine.te").write_text("# Mine\n\nA game.\n", encoding="utf-8")
    return here / "mine"


def test_a_hack_is_added_to_what_the_pack_has_on(game: Path) -> None:
    system = load("mine").system
    assert system is not None
    assert on(at_table(system, Tried())) == {"morale", "party-skill", "the-world-holds"}
    assert on(at_table(system, Tried(hacks=("bonus points",)))) == {"morale", "party-skill", "bonus-points", "the-world-holds"}
    assert on(at_table(system, Tried(hacks=("Morale",)))) == {"morale", "party-skill", "the-world-holds"}
    assert on(at_table(system, Tried(without=("party-skill",)))) == {"morale", "the-world-holds"}
    assert on(at_table(system, Tried(without=("srd-core:reading/the-world-holds",)))) == {"morale", "party-skill"}
    assert on(at_table(system, Tried(rulings=("environment-tie=as-written",)))) == {"morale", "party-skill"}
    for tried in (Tried(rulings=("Environment Tie=The Character Holds",)), Tried(hacks=("The Character Holds",))):
        assert on(at_table(system, tried)) == {"morale", "party-skill", "the-character-holds"}


def test_a_hack_that_is_on_twice_is_a_mistake(game: Path) -> None:
    head = (game / "pack.yaml").read_text(encoding="utf-8")
    (game / "pack.yaml").write_text(head.replace("[Morale, Party Skill]", "[Morale, Party Skill, morale]"), encoding="utf-8")
    result = run("check", "mine")
    assert result.exit_code == 1 and "error[bad-pack-field]: `hacks`: morale is Morale once more --> mine/pack.yaml:5:30" in said(result)


def test_what_a_required_pack_has_on_is_left_out_too(game: Path) -> None:
    above = game.parent / "above/rules"
    above.mkdir(parents=True)
    (above.parent / "pack.yaml").write_text("id: above\ntitle: Above\nversion: 1.0.0\nrequires: {mine: '>=1,<2'}\n", encoding="utf-8")
    (above / "01.te").write_text("# Above\n\nA game.\n", encoding="utf-8")
    loaded = load("above", Tried(without=("Party Skill", "Morale")))
    assert loaded.system is not None
    assert on(loaded.system) == {"the-world-holds"}


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("--hack", "Keep For Point"), "--hack: there is no hack called `Keep For Point`; did you mean `Keep For Points`?"),
        (
            ("--hack", "Zzz"),
            "there is Advancement, Bonus Points, Darker Woods, Keep For Points, Morale, Party Skill, Party Skill With Kept Dice, Status Effects and 1 more",
        ),
        (
            ("--hack", "Unspent Attribute Points"),
            "Unspent Attribute Points is a ruling and no hack; say how to read it: `attribute-points: READING` below `rulings:` in pack.yaml, or `--ruling",
        ),
        (("--hack", ""), "--hack needs the name of a hack, and this is empty"),
        (("--without", " "), "--without needs the name of a hack, and this is empty"),
        (("--ruling", "=the-world-holds"), "--ruling needs the name of a ruling, and this is empty"),
        (("--without", "morals"), "--without: there is no hack called `morals`; did you mean `Morale`?"),
        (("--without", "Morale"), "Morale is not on, so there is nothing to leave out"),
        (("--hack", "Morale", "--without", "morale"), "Morale cannot be tried and left out at once"),
        (("--ruling", "environment-tie=the-world-holds", "--ruling", "Environment Tie=as-written"), "Environment Tie is read in two ways"),
    ],
)
@pytest.mark.parametrize("command", ["check", "play"])
def test_what_makes_no_sense_is_a_wrong_command(command: str, words: tuple[str, ...], says: str) -> None:
    result = run(command, "srd-core", *words)
    assert (result.exit_code, says in said(result)) == (2, True), result.output


COMMANDS = {
    "check": ("check", "srd-core"),
    "build": ("build", "srd-core", "-o", "book"),
    "test": ("test", "srd-core", "-k", "nothing at all"),
    "play": ("play", "srd-core", "--all-bots", "--seed", "1"),
    "roll": ("roll", *CONFLICT, *ANN, "--policy", "plain"),
    "odds": ("odds", *CONFLICT, *ANN),
    "character": ("character", "new", "srd-core", "--policy", "plain"),
}


@pytest.mark.parametrize("command", COMMANDS)
def test_a_hack_whose_needs_are_off_is_refused_by_every_command(command: str) -> None:
    result = run(*COMMANDS[command], "--hack", "Party Skill")
    assert result.exit_code == 1
    assert "error[missing-hack]: Party Skill needs Morale, and that is not on" in result.output
    assert 'or `--hack "Morale"` to try it' in said(result)
    assert not Path("book").exists()


@pytest.mark.parametrize("command", ["check", "odds"])
def test_hacks_that_quarrel_are_refused_by_every_command(command: str) -> None:
    result = run(*COMMANDS[command], "--hack", "Keep For Points", "--hack", "Party Skill", "--hack", "Morale")
    assert result.exit_code == 1
    for rule in ("Adventure From Sixes", "Tension From Ones"):
        assert f"Keep For Points and Party Skill quarrel over `{'Sixes' if 'Sixes' in rule else 'Ones'}` of {rule}" in result.output
    assert result.output.count("11-hacks.te:") == 4


@pytest.mark.parametrize("words", [*COMMANDS.values(), ("serve",)], ids=[*COMMANDS, "serve"])
def test_every_command_that_reads_a_pack_has_the_options(words: tuple[str, ...]) -> None:
    shown = run(*words[:2] if words[:2] == ("character", "new") else words[:1], "--help").output
    assert all(option in shown for option in ("--hack NAME", "--without NAME", "--ruling NAME=READING"))


def test_check_says_what_is_wrong_with_this_set(game: Path) -> None:
    assert run("check", "mine").exit_code == 0
    result = run("check", "mine", "--without", "Morale")
    assert result.exit_code == 1 and "error[missing-hack]: Party Skill needs Morale" in result.output
    assert run("check", "mine", "--without", "Morale", "--without", "Party Skill", "--hack", "Keep For Points").exit_code == 0
    found = json.loads(run("check", "mine", "--hack", "Keep For Points", "--format", "json").stdout)
    assert [one["code"] for one in found if one["severity"] == "error"] == ["patch-conflict", "patch-conflict"]


def test_a_try_mends_what_the_pack_has_wrong(game: Path) -> None:
    head = game / "pack.yaml"
    head.write_text(head.read_text(encoding="utf-8").replace("[Morale, Party Skill]", "[Morale, Party Skill, Keep For Points]"), encoding="utf-8")
    assert run("check", "mine").exit_code == 1
    assert run("check", "mine", "--without", "Keep For Points").exit_code == 0
    assert run("check", "mine", "--hack", "Party Skill With Kept Dice").exit_code == 0


# ---------------------------------------------------------------- where it is told


def test_rolls_and_odds_begin_with_what_is_on() -> None:
    roll = run(
        "roll",
        *CONFLICT,
        *ANN,
        "--policy",
        "plain",
        "--seed",
        "1",
        "--hack",
        "Morale",
        "--hack",
        "keep for points",
        "--ruling",
        "environment-tie=the-world-holds",
    )
    assert roll.stdout.splitlines()[:2] == ["Seed 1", "On: Keep For Points, Morale, Environment Tie: The World Holds"]
    odds = run("odds", *CONFLICT, *ANN, "--hack", "Morale")
    assert odds.stdout.splitlines()[:2] == ["Environment Conflict, counted out", "  On: Morale"]
    assert json.loads(run("odds", *CONFLICT, *ANN, "--hack", "Morale", "--format", "json").stdout)["on"] == ["srd-core:hack/morale"]
    assert "On:" not in run("odds", *CONFLICT, *ANN).output


def test_a_log_keeps_what_is_on() -> None:
    words = ("play", "srd-core", "--all-bots", "--procedures", "1", "--log", "evening.log")
    begun = run(*words, "--seed", "1", "--hack", "Morale")
    assert begun.stdout.splitlines()[1] == "On: Morale"
    assert json.loads(Path("evening.log").read_text(encoding="utf-8").splitlines()[0])["on"] == ["srd-core:hack/morale"]
    assert run("replay", "evening.log").stdout.splitlines()[0] == "On: Morale"
    assert run(*words, "--resume").stdout.splitlines()[1] == "On: Morale"
    refused = run(*words, "--resume", "--hack", "Morale")
    assert refused.exit_code == 2 and "leave out --who, --character, --bot, --seed, --hack, --without and --ruling" in said(refused)


def test_a_character_keeps_what_was_on(game: Path) -> None:
    assert (
        run("character", "new", "mine", "--policy", "plain", "--hack", "Status Effects", "--without", "Party Skill", "-o", "ann.yaml").exit_code == 0
    )
    text = Path("ann.yaml").read_text(encoding="utf-8")
    assert "hacks: [Status Effects]\nwithout: [Party Skill]\n" in text
    sheet = run("character", "sheet", "ann.yaml").stdout.splitlines()
    assert sheet[2] == "On: Morale, Status Effects, Environment Tie: The World Holds"
    assert "On: Morale, Status Effects" in run("character", "sheet", "ann.yaml", "--html").stdout
    assert run("character", "check", "ann.yaml").exit_code == 0
    Path("ann.yaml").write_text(text.replace("Status Effects", "Status Effect"), encoding="utf-8")
    wrong = run("character", "check", "ann.yaml")
    assert (
        wrong.exit_code == 1
        and "error[cannot-be-on]" in wrong.output
        and "ann.yaml:5" in wrong.output
        and "did you mean `Status Effects`?" in said(wrong)
    )


def test_a_book_says_what_is_on() -> None:
    result = run("build", "srd-core", "-o", "book", "--hack", "Morale", "--hack", "Keep For Points")
    assert result.exit_code == 0, result.output
    home = Path("book/index.html").read_text(encoding="utf-8")
    named = re.sub(r"<[^>]*>", "", re.findall(r"<p class=\"[a-z -]*in-use\">(In use.*?)</p>", home)[0])
    assert named == "In use: Keep For Points, Morale"
    assert run("build", "srd-core", "-o", "plain").exit_code == 0
    assert "In use: " not in Path("plain/index.html").read_text(encoding="utf-8")


def test_examples_of_hacks_that_do_not_go_with_it_are_left_out() -> None:
    result = run("test", "srd-core", "-k", "SRD-47", "-k", "SRD-45", "--hack", "Keep For Points")
    assert result.stdout.startswith("On: Keep For Points\n")
    assert "out    A One Is an Offer: Keep For Points and Party Skill quarrel over" in result.output
    assert "left out, since their hacks do not go with what is tried" in result.output


def test_trying_is_refused_in_a_sentence_by_the_library_too() -> None:
    with pytest.raises(NotTried, match="did you mean `Morale`"):
        load("srd-core", Tried(hacks=("Moral",)))


# ---------------------------------------------------------------- a new pack


def head_of(name: str) -> str:
    return Path(name, "pack.yaml").read_text(encoding="utf-8")


def test_a_new_pack_offers_the_hacks_of_its_base() -> None:
    assert run("new", "mine", "--extends", "srd-core").exit_code == 0
    text = head_of("mine")
    assert "#   - Party Skill  # A group is as good as its weakest member, unless somebody shows off. Needs Morale.\n" in text
    offered = re.findall(r"(?m)^#   - (.*?)  #", text)
    assert offered == [entry.name for entry in core().of_kind("hack")]
    for name in ("Morale", "Party Skill"):
        text = text.replace(f"#   - {name}  #", f"    - {name}  #")
    Path("mine/pack.yaml").write_text(text.replace("# hacks:", "hacks:"), encoding="utf-8")
    loaded = load("mine")
    assert loaded.system is not None and loaded.diagnostics == []
    assert on(loaded.system) == {"morale", "party-skill"}


def test_a_new_pack_has_hacks_on_at_once() -> None:
    assert run("new", "mine", "--extends", "srd-core", "--hack", "morale", "--hack", "Party Skill").exit_code == 0
    loaded = load("mine")
    assert loaded.system is not None and loaded.diagnostics == []
    assert on(loaded.system) == {"morale", "party-skill"}
    assert "\n  # - Bonus Points  # " in head_of("mine")
    assert run("new", "next", "--extends", "mine").exit_code == 0
    assert "\n# On already in mine: Morale, Party Skill.\n" in head_of("next")
    assert "- Morale" not in head_of("next")
    assert run("check", "next").exit_code == 0


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (
            ("--extends", "srd-core", "--hack", "Party Skill"),
            'Party Skill needs Morale, and that is not on; switch Morale on as well: a line `- Morale` below `hacks:` in pack.yaml, or `--hack "Morale"`',
        ),
        (("--extends", "srd-core", "--hack", "Moral"), "there is no hack called `Moral`; did you mean `Morale`?"),
        (
            ("--extends", "srd-core", "--hack", "Keep For Points", "--hack", "Morale", "--hack", "Party Skill"),
            "Keep For Points and Party Skill quarrel over",
        ),
        (("--hack", "Morale"), "name that one too, such as --extends srd-core"),
    ],
)
def test_a_new_pack_with_hacks_that_make_no_sense_is_not_made(words: tuple[str, ...], says: str) -> None:
    result = run("new", "mine", *words)
    assert (result.exit_code, says in said(result), Path("mine").exists()) == (2, True, False), result.output
