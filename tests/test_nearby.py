"""Whoever misspells a word of a command, or the name of a file, is told the nearest one that is there."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from te_forge import PackError, load
from te_forge.cli import cli
from te_forge.nearby import near_path

PAGE = "# A Game\n\n## kind: ferryman\n- Is: an actor\n- How Many: 1\n"
ANN = ("--who", "Ann: a Warrior with Vigor 3")
ODDS = ("odds", "srd-core", "Environment Conflict")


@pytest.fixture(autouse=True)
def shelf(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder with a pack in it, a folder that is no pack, and a character."""
    (tmp_path / "my-game" / "rules").mkdir(parents=True)
    (tmp_path / "my-game" / "pack.yaml").write_text("id: my-game\ntitle: My Game\nversion: 1.0.0\n", encoding="utf-8")
    (tmp_path / "my-game" / "rules" / "01-game.te").write_text(PAGE, encoding="utf-8")
    (tmp_path / "bare").mkdir()
    (tmp_path / "bare" / "pack.yml").write_text("id: bare\n", encoding="utf-8")
    (tmp_path / "ann.yaml").write_text("name: Ann\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)


def said(*words: str) -> str:
    made = CliRunner().invoke(cli, words, input="")
    assert made.exit_code != 0, made.output
    assert made.exception is None or isinstance(made.exception, SystemExit)
    return " ".join(made.output.split())


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (("check", "my-gam"), "did you mean `my-game`?"),
        (("check", "My_Game"), "did you mean `my-game`?"),
        (("check", "./my-gam"), "did you mean `my-game`?"),
        (("check", "my-gme/pack.yaml"), "did you mean `my-game/pack.yaml`?"),
        (("check", "my-game/rules/01-game.te"), "give the folder of the pack: `my-game`"),
        (("check", "my-game/rules"), "the pack is the folder around this one: `my-game`"),
        (("check", "bare"), "is `pack.yml` meant to be it? Then call it pack.yaml"),
        (("check", "srd-cor"), "did you mean `srd-core`?"),
        (("diff", "srd-core", "my-gam"), "did you mean `my-game`?"),
        (("character", "check", "an.yaml"), "there is no file an.yaml; did you mean `ann.yaml`?"),
        (("character", "new", "srd-core", "--resume", "ann.yml"), "did you mean `ann.yaml`?"),
        (("play", "srd-core", "--character", "an.yaml"), "did you mean `ann.yaml`?"),
        (("play", "srd-core", "--resume", "--log", "an.yaml"), "did you mean `ann.yaml`?"),
        (("replay", "an.yaml"), "did you mean `ann.yaml`?"),
        (("lint", "an.yaml"), "did you mean `ann.yaml`?"),
        (("verify", "my-gam"), "there is no folder my-gam; did you mean `my-game`?"),
        (("import", "csv", "my-gam", "my-game"), "there is no folder my-gam; did you mean `my-game`?"),
        (("test", "srd-core", "-k", "A Lie Wel Told"), "no example contains `A Lie Wel Told`; did you mean `A Lie Well Told`?"),
        ((*ODDS, "actor=Ann", *ANN, "attribute=Vigr"), "did you mean `Vigor`?"),
        ((*ODDS, "actor=Ann", "--who", "Ann a Warrior with Vigor 3"), "write `Ann: a Warrior with Vigor 3`"),
        (("play", "srd-core", *ANN, "--bot", "gmm=plain"), "nobody here is called `gmm`; did you mean `gm`?"),
        (("play", "srd-core", *ANN, "--bot", "Ann"), "write `--bot Ann=plain`"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else "",
)  # fmt: skip
def test_a_wrong_word_gets_its_nearest_right_one(words: tuple[str, ...], expected: str) -> None:
    assert expected in said(*words)


def test_what_is_said_of_no_file_names_no_place() -> None:
    assert said("check", "nowhere").startswith("error[no-such-pack]: there is no pack `nowhere` help: ")
    assert said("check", "nowhere").endswith(" 1 error")
    one = json.loads(CliRunner().invoke(cli, ["check", "nowhere", "--format", "json"]).output)[0]
    assert (one["file"], one["line"]) == ("", 0)
    sarif = json.loads(CliRunner().invoke(cli, ["check", "nowhere", "--format", "sarif"]).output)
    assert sarif["runs"][0]["results"][0]["locations"] == []
    with pytest.raises(PackError, match="there is no pack `nowhere`; give"):
        load("nowhere")


def test_a_required_pack_may_be_a_neighbour(tmp_path: Path) -> None:
    other = tmp_path / "other"
    (other / "rules").mkdir(parents=True)
    (other / "pack.yaml").write_text("id: other\ntitle: Other\nversion: 1.0.0\nrequires: {my-gam: '>=1.0'}\n", encoding="utf-8")
    (other / "rules" / "01.te").write_text("# More\n", encoding="utf-8")
    assert "the pack `my-gam` is not here; did you mean `my-game`?" in said("check", "other")


CHARACTER = """name: Ann
pack: srd-core
version: 1.0.0
kind: character
class: Wizard
advantages: [Sorcery, Weaponmaster]
numbers:
  Vigor 4
  Comprehension: 3
making:
  - Class: Wizard
"""


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("", "", "a colon is missing after the name --> ann.yaml:8:1"),
        ("  Vigor 4\n", "", "`Attributes` is not answered"),
        (
            "  Vigor 4\n  Comprehension: 3\nmaking:\n  - Class",
            "  Comprehension: 3\nmaking:\n  - Clas",
            "nothing asks for `Clas` here; did you mean `Class`? --> ann.yaml:10:5",
        ),
    ],
)
def test_a_slip_in_the_file_of_a_character_is_told_where_it_is(old: str, new: str, expected: str) -> None:
    Path("ann.yaml").write_text(CHARACTER.replace(old, new) if old else CHARACTER, encoding="utf-8")
    assert expected in said("character", "check", "ann.yaml")


@pytest.mark.parametrize(
    ("line", "column", "expected"),
    [("rulings: {Enviroment Tie: x}", 11, "did you mean `Environment Tie`?"), ("rulings: {Environment Tie: The World Hold}", 28, "did you mean `The World Holds`?"), ("hacks: [Moral]", 9, "did you mean `Morale`?")],
)  # fmt: skip
def test_what_pack_yaml_switches_on_is_told_at_the_wrong_word(line: str, column: int, expected: str, tmp_path: Path) -> None:
    head = tmp_path / "my-game" / "pack.yaml"
    head.write_text(head.read_text(encoding="utf-8") + f"requires: {{srd-core: '>=1.0'}}\n{line}\n", encoding="utf-8")
    out = said("check", "my-game", "--no-cache")
    assert expected in out
    assert f"my-game/pack.yaml:5:{column} " in out


@pytest.mark.parametrize("name", ["x" * 300, "systems/" + "x" * 300, "x" * 300 + "/my-game"])
def test_a_name_that_no_file_has_is_near_to_nothing(name: str) -> None:
    assert near_path(Path(name), Path.is_dir) is None
