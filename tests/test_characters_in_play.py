"""Characters between two sessions: what play has changed stands apart from what was made, is held against the rules, and comes back to the table."""

from functools import cache
from pathlib import Path

import pytest
from beginnings import run

from te_forge.characters import as_yaml, load_character
from te_forge.characters.checking import check_character
from te_forge.characters.making import BadAnswer
from te_forge.characters.present import changing
from te_forge.characters.roster import Roster
from te_forge.characters.typed import option_called
from te_forge.cli import opened
from te_forge.compose.tried import Tried
from te_forge.engine.index import Rules
from te_forge.play import set_up

MADE = """name: Ann
pack: srd-core
class: Warrior
advantages: [Weaponmaster, Careful]
numbers: {Vigor: 4, Presence: 4, Aim: 5, Athletics: 5, Melee: 3, Socialize: 1, Health: 10, Willpower: 5}
most: {Health: 10, Willpower: 5}
notes: {Weaponmaster: halberds}
"""


@cache
def rules(*hacks: str) -> Rules:
    system = opened("srd-core", Tried(hacks=hacks)).system
    assert system is not None
    return set_up.rules_of(system, set_up.switches(system))


def checked(tmp_path: Path, more: str, *hacks: str) -> list[tuple[str, int, str]]:
    file = tmp_path / "ann.yaml"
    file.write_text(MADE + more, encoding="utf-8")
    system = rules(*hacks).system
    character, said = load_character(file, system)
    found = [*said, *(check_character(character, system) if character is not None else [])]
    return [(one.code, one.span.line, one.message) for one in found]


# ---------------------------------------------------------------- the file


@pytest.mark.parametrize(
    ("more", "hacks"),
    [
        ("now:\n  numbers: {Health: 4, Adventure: 7}\n", ()),
        ("now:\n  numbers: {Health: 0}\n  conditions: [Eliminated]\n", ()),
        (
            "now:\n  numbers: {Melee: 4, Experience: 2, Health: 11}\n  most: {Health: 11}\n  advantages: [Weaponmaster, Careful, Healer]\n",
            ("Advancement",),
        ),
        ("now: {}\n", ()),
        ("now:\n", ()),
    ],
)
def test_what_the_rules_can_change_is_no_difference(more: str, hacks: tuple[str, ...], tmp_path: Path) -> None:
    assert checked(tmp_path, more, *hacks) == []


@pytest.mark.parametrize(
    ("more", "code", "said"),
    [
        ("now:\n  numbers: {Health: 11}\n", "above-most", "Health 11 is above its most, 10"),
        ("now:\n  numbers: {Health: -1}\n", "below-least", "Health -1 is below its least, 0"),
        ("now:\n  numbers: {Melee: 4}\n", "not-in-play", "Melee is 4 now"),
        ("now:\n  most: {Health: 11}\n", "not-in-play", "Health has another bound now"),
        ("now:\n  advantages: [Weaponmaster, Careful, Healer]\n", "not-in-play", "`Healer` was gained since"),
        ("now:\n  advantages: [Weaponmaster]\n", "not-in-play", "`Careful` was lost since"),
        ("now:\n  numbers: {Moxie: 3}\n", "unknown-name", "`Moxie` is no number"),
        ("now:\n  name: Bo\n", "unknown-character-field", "no `name`"),
        ("now: 3\n", "bad-character-field", "`now` takes"),
    ],
)
def test_what_they_cannot_is_said_where_it_stands(more: str, code: str, said: str, tmp_path: Path) -> None:
    found = checked(tmp_path, more)
    assert [one[0] for one in found] == [code], found
    assert said in found[0][2] and found[0][1] == (9 if "\n " in more else 8)


def test_what_was_made_is_still_held_against_the_making(tmp_path: Path) -> None:
    file = tmp_path / "ann.yaml"
    file.write_text(
        MADE.replace("Health: 10, Willpower: 5}\nmost", "Health: 9, Willpower: 5}\nmost") + "now:\n  numbers: {Health: 4}\n",
        encoding="utf-8",
    )
    character, _ = load_character(file, rules().system)
    assert character is not None
    assert [one.code for one in check_character(character, rules().system)] == ["not-from-making"]


def test_a_new_character_with_points_spent_is_told_of_now(tmp_path: Path) -> None:
    file = tmp_path / "ann.yaml"
    file.write_text(MADE.replace("Health: 10, Willpower: 5}\nmost", "Health: 4, Willpower: 5}\nmost"), encoding="utf-8")
    shown = " ".join(run("character", "check", str(file)).output.split())
    assert "what play has changed since stands below `now:`" in shown


def test_a_file_with_changes_comes_back_as_it_was_written(tmp_path: Path) -> None:
    file = tmp_path / "ann.yaml"
    more = "hacks: [Advancement]\nnow:\n  advantages: [Weaponmaster, Careful, Healer]\n  numbers: {Health: 11, Melee: 4}\n  most: {Health: 11}\n"
    file.write_text(MADE + more, encoding="utf-8")
    there = rules("Advancement")
    character, _ = load_character(file, there.system)
    assert character is not None
    file.write_text(as_yaml(character, Roster(there, "character")), encoding="utf-8")
    again, found = load_character(file, there.system)
    assert (again, found) == (character, [])
    assert again.today.numbers["srd-core:skill/melee"] == 4 and again.numbers["srd-core:skill/melee"] == 3


def test_what_can_change_is_read_from_the_rules() -> None:
    plain, more = (changing(there, Roster(there, "character").maker) for there in (rules(), rules("Advancement")))
    assert not plain.any and "srd-core:pool/health" in plain.numbers and "srd-core:skill/melee" not in plain.numbers
    assert (
        not more.any
        and "srd-core:skill/melee" in more.numbers
        and "srd-core:pool/health" in more.bounds
        and "srd-core:advantage/healer" in more.traits
    )


# ---------------------------------------------------------------- at the table


def test_who_sits_down_is_as_play_has_left_them_and_is_written_down_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("ann.yaml").write_text(MADE + "now:\n  numbers: {Health: 4}\n", encoding="utf-8")
    typed = "gain Ann.Health=-1\ngain Ann.Adventure=2\nsave Ann\nsave Ann later.yaml\nsave gm\nsave\n"
    shown = " ".join(run("play", "srd-core", "--character", "ann.yaml", "--seed", "1", typed=typed).stdout.split())
    assert "Ann (character): Health 4 of 10" in shown and "Weaponmaster (halberds)" in shown
    assert "The file ann.yaml is there already" in shown and "Ann is kept in later.yaml." in shown
    assert "The gm is nobody who is made" in shown and "Say who; there is Ann" in shown
    assert Path("later.yaml").read_text(encoding="utf-8").endswith("now:\n  numbers:\n    Health: 3\n    Adventure: 3\n")
    assert run("character", "check", "later.yaml").stdout == "no mistakes found\n"
    assert "Health 3/10" in " ".join(run("character", "sheet", "later.yaml").stdout.split())


def test_somebody_who_came_without_a_file_gets_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    run("play", "srd-core", "--hack", "Advancement", "--who", "Cy: a Wizard with Mysticism 3", typed="save Cy\n")
    text = Path("cy.yaml").read_text(encoding="utf-8")
    assert "hacks: [Advancement]" in text and "  Mysticism: 3\n" in text and "class: Wizard" in text
    assert "unknown" not in run("character", "check", "cy.yaml").output


# ---------------------------------------------------------------- words that are still to be found


def test_a_policy_leaves_words_open_and_check_accepts_it(tmp_path: Path) -> None:
    file = tmp_path / "bot.yaml"
    for policy in ("plain", "random"):
        assert run("character", "new", "srd-core", "--policy", policy, "--seed", "4", "-o", str(file)).exit_code == 0
        assert run("character", "check", str(file)).stdout == "no mistakes found\n"
        asked = "Weaponmaster" in file.read_text(encoding="utf-8")
        assert ("Weaponmaster: open" in file.read_text(encoding="utf-8")) == asked
        assert ("a kind of weapon: ________________" in " ".join(run("character", "sheet", str(file)).stdout.split())) == asked
        file.unlink()


def test_somebody_leaves_words_open_with_an_empty_line(tmp_path: Path) -> None:
    file = tmp_path / "ann.yaml"
    typed = "me\nWar\nVigor 2\nMelee 4, Ath 4, Hide 2\n\n?\n\nheal\nHealth 5\n"
    shown = run("character", "new", "srd-core", "--name", "Ann", "-o", str(file), typed=typed).stdout
    assert "Ann is made." in shown and "Powerful Blow" in shown, "`?` shows what one has so far"
    assert "Enter leaves it open." in shown
    assert "Weaponmaster: open" in file.read_text(encoding="utf-8")


def test_an_option_is_meant_by_its_number_its_name_or_its_beginning() -> None:
    options = ["Warrior", "Wastrel", "Wizard", "Wiz"]
    assert [option_called(one, options) for one in ("1", "war", "WIZARD", "wiz", "9")] == [
        "Warrior",
        "Warrior",
        "Wizard",
        "Wiz",
        "9",
    ]
    with pytest.raises(BadAnswer, match="`wa` can be Warrior and Wastrel"):
        option_called("wa", options)
