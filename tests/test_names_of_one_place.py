"""Some names belong to one place: the people of an example, labels of lines, words of a choice. Nobody speaks of them elsewhere."""

from __future__ import annotations

from pathlib import Path

import pytest

from te_forge.check import check
from te_forge.diagnostics import Diagnostic
from te_forge.model.pack import PackInfo
from te_forge.model.system import System
from te_forge.source import Source

PRELUDE = (Path(__file__).parent / "prelude.te").read_text(encoding="utf-8")
PAGE = """# A Page

## procedure: Keeping
- Roles: a character as the walker
- Outcomes: Good, Bad

1. Go.
   - Pick: the walker chooses one as the way:
     - Bold: the walker gains 1 Health
     - Wary: nothing
   - Ward: the walker loses 1 Health
   - Here: the walker gains 1 Health
   - Good: if the walker's Vigor is above 2: end with Good
   - Bad: otherwise: end with Bad

## condition: Soaked

## adversary: Ogre

## table: Weather

| d6  | row  | effect                    |
|-----|------|---------------------------|
| 1-6 | Fair | the roller gains 1 Health |

## example: Ours
- Ann: a character with Vigor 2
- Bob: an Ogre
1. Go.
   - do Keeping with Ann as the walker
   - Ann picks Bold
   - expect Ann's Health is 3

## hack: Harder
### changes procedure: Keeping
- Go:
  - Sting before Ward: the walker loses 1 Health
"""
LINE = "   - Here: the walker gains 1 Health\n"


def checked(page: str, base: System | None = None, id: str = "small") -> tuple[System | None, list[Diagnostic]]:
    pages = [Source("page.te", page)] if base is not None else [Source("prelude.te", PRELUDE), Source("page.te", page)]
    return check(pages, PackInfo(id=id, title="A Small Game", version="1.0.0"), base)


def errors(page: str, base: System | None = None, id: str = "small") -> list[Diagnostic]:
    return [one for one in checked(page, base, id)[1] if one.severity == "error"]


def said_in_line(line: str) -> list[Diagnostic]:
    assert LINE in PAGE
    return errors(PAGE.replace(LINE, f"   - Here: {line}\n"))


def test_the_page_is_sound() -> None:
    assert errors(PAGE) == []


@pytest.mark.parametrize("line", [
    "Ann takes Soaked", "Ann gains 1 Health", "Ann rolls 1 d6 as the more", 'Ann says "no"', "Ann chooses a feature as the feat", "Ann cannot gain Health",
    "Ann may: the walker gains 1 Health", "the walker takes Ann", "if Ann has Soaked: the walker gains 1 Health",
    "if the walker has Ann: the walker gains 1 Health", "if Ann's Vigor is above 2: the walker gains 1 Health", "the mode is Ann; if the mode is Ann: end with Bad",
    "do Damage with Ann as the target, the walker as the dealer", "for each character except Ann: the character gains 1 Health", "the walker gains 1 of Ann",
    "the walker gains Health equal to Ann's Vigor", "the walker draws 1 of Ann", "until Ann ends: the walker cannot gain Health", "after Damage by Ann: the walker gains 1 Health", "if the walker is Ann: the walker gains 1 Health",
])  # fmt: skip
def test_nobody_of_an_example_is_in_the_rules(line: str) -> None:
    (one,) = said_in_line(line)
    assert (one.code, one.message, one.help) == ("unknown-name", "`Ann` is only in the example Ours", "write `the walker`")
    (place,) = one.labels
    assert PAGE.split("\n")[place.span.line - 1].startswith("- Ann:")


def test_whom_to_write_is_of_the_kind_of_whom_the_example_has() -> None:
    page = PAGE.replace("a character as the walker", "a character as the walker, an adversary as the foe").replace(
        "Keeping with Ann as the walker", "Damage with Ann as the dealer, Bob as the target"
    )
    assert [one.help for one in errors(page.replace(LINE, "   - Here: Bob takes Soaked\n"))] == ["write `the foe`"]
    assert [one.help for one in errors(page.replace(LINE, "   - Here: Ann takes Soaked\n"))] == ["write `the walker`"]


@pytest.mark.parametrize(("old", "new"), [
    ("the roller gains 1 Health |", "Ann gains 1 Health        |"),
    ("Sting before Ward: the walker", "Sting before Ward: Ann"),
    ("## adversary: Ogre\n", "## adversary: Ogre\n- Features: Ann\n"),
    ("## adversary: Ogre\n", "## pool: Puddle\n- Of: a character\n- Starts: Ann's Vigor\n\n## adversary: Ogre\n"),
    ("## condition: Soaked\n", "## condition: Soaked\nLike {Ann's Vigor}.\n"),
    ("## example: Ours", "## example: Theirs\n- Dan: a character\n1. Go.\n   - Ann gains 1 Health\n\n## example: Ours"),
    ("## example: Ours", "## example: Theirs\n- Dan: a character\n1. Go.\n   - the gm picks Ann\n\n## example: Ours"),
])  # fmt: skip
def test_nor_in_any_other_place(old: str, new: str) -> None:
    page = PAGE.replace(old, new, 1)
    assert page != PAGE
    assert [one.message for one in errors(page)] == ["`Ann` is only in the example Ours"]


def test_nor_does_prose_link_to_them() -> None:
    (one,) = errors(PAGE.replace("## condition: Soaked\n", "## condition: Soaked\nAs [[Ann]] was.\n"))
    assert (one.code, one.help) == ("broken-link", "take the brackets away")
    assert "only in the example Ours" in one.message


def test_nor_the_rules_and_examples_of_another_pack() -> None:
    base, _ = checked(PAGE)
    page = "# Another\n\n## rule: More\n- More: after Keeping: Ann takes Soaked\n\n## example: Mine\n- Cat: a character\n1. Go.\n   - Ann gains 1 Health\n"
    assert [(one.message, one.labels[0].span.file) for one in errors(page, base, "other")] == [("`Ann` is only in the example Ours", "page.te")] * 2


def test_what_a_hack_changes_in_an_example_speaks_of_its_people() -> None:
    change = "### changes example: Ours\n- Cat: a character\n- Go:\n  - Ann gains 1 Health; Cat gains 1 Health\n"
    assert errors(PAGE + change) == []
    assert [one.message for one in errors(PAGE + change.replace("Ann", "Dan"))] == ["nothing is called `Dan`"]


@pytest.mark.parametrize("line", [
    "Ward takes Soaked", "Ward gains 1 Health", "Bold takes Soaked", "Good rolls 1 d6 as the more", "Fair may: the walker gains 1 Health",
    "if the walker has Ward: the walker gains 1 Health", "if the walker has Bold: the walker gains 1 Health", "if the way is Ward: the walker gains 1 Health",
    "if the way is Success: the walker gains 1 Health", "the mode is Ward; if the mode is Ward: end with Bad", "the mode is Success; if the mode is Success: end with Bad",
    "the mode is Fair; if the mode is Fair: end with Bad", "Keeping takes Soaked", "Vigor takes Soaked", "Weather gains 1 Health",
])  # fmt: skip
def test_a_label_and_a_word_of_another_place_is_nothing_in_a_line(line: str) -> None:
    assert [one.code in ("wrong-type", "unknown-name") for one in said_in_line(line)] == [True]


@pytest.mark.parametrize("line", [
    "if the way is Bold: the walker gains 1 Health", "the mode is Bold; if the mode is Wary: end with Bad", "the mode is Good; if the mode is Bad: end with Bad",
])  # fmt: skip
def test_words_of_the_place_itself_may_be_said(line: str) -> None:
    assert said_in_line(line) == []


def test_a_field_takes_the_words_that_are_its_own() -> None:
    page = PAGE.replace("## adversary: Ogre\n", "## adversary: Ogre\n- Size: Good\n")
    assert [(one.code, one.help) for one in errors(page)] == [("wrong-type", "here could stand Human, Monster")]
    page = PAGE.replace("## adversary: Ogre\n", "## adversary: Ogre\n- Features: Bold\n")
    assert [one.code for one in errors(page)] == ["wrong-type"]


# ---------------------------------------------------------------- what follows from a mistake, and what does not


def test_a_person_whose_line_has_a_mistake_is_known_in_the_lines_below() -> None:
    page = PAGE.replace("a character with Vigor 2", "a Warior with Nerves 2")
    assert [one.message for one in errors(page)] == ["nothing is called `Warior`", "nothing is called `Nerves`"]
    for wrong in ("- Ann: character with Vigor 2", "- Ann: the gm", "- Ann a character"):
        assert len(errors(PAGE.replace("- Ann: a character with Vigor 2", wrong))) == 1


def test_names_on_one_line_are_each_told() -> None:
    assert [one.message for one in said_in_line("Xyz gains 1 Wealt; the walkr gains 1 Health; Xyz gains 1 Health")] == [
        "nothing is called `Xyz`", "nothing is called `Wealt`", "nothing here is called `the walkr`"]  # fmt: skip


def test_lines_below_a_misspelt_target_are_read_as_those_of_the_one_that_was_meant() -> None:
    page = PAGE.replace("### changes procedure: Keeping", "### changes procedure: Keepng")
    assert [one.code for one in errors(page)] == ["unknown-target"]
    page = page.replace("Sting before Ward: the walker loses 1 Health", "Sting before Ward: the walkr loses 1 Healt")
    assert [one.message for one in errors(page)][-2:] == ["nothing here is called `the walkr`", "nothing is called `Healt`"]


def test_lines_below_a_target_that_is_not_there_are_read_as_far_as_they_can_be() -> None:
    page = PAGE.replace("### changes procedure: Keeping", "### changes procedure: Xyzzy").replace(
        "Sting before Ward: the walker", "Sting before Ward: the guest"
    )
    assert [one.code for one in errors(page)] == ["unknown-target"]
    assert [one.code for one in errors(page.replace("the guest loses 1 Health", "the guest loses 1 Healt"))] == ["unknown-target", "unknown-name"]


def test_things_of_a_kind_that_is_not_there_are_not_told_again() -> None:
    page = PAGE + "\n# Things\n\n| wxyz | text   |\n|------|--------|\n| Lamp | Light. |\n"
    assert [one.code for one in errors(page.replace(LINE, "   - Here: the walker takes Lamp\n"))] == ["unknown-kind"]


@pytest.mark.parametrize(("old", "new", "code"), [
    ("- Here: the walker gains 1 Health", "- Here: do Tst with the walker as the actor as the result; if the result is Success: end with Good", "unknown-name"),
    ("## adversary: Ogre\n", "## pool: Puddle\n- Of: a character\n- At Leas: 2\n\nNever below {Puddle's least}.\n\n## adversary: Ogre\n", "unknown-field"),
    ("- Here: the walker gains 1 Health", "- Here: the walker gains Health equal to the walker's Vigr", "unknown-name"),
    ("## adversary: Ogre\n", "## kind: host\n- Is: an actor\n- How Mny: 1\n\n## rule: Greeting\n- Hello: after Keeping: the host gains 1 Health\n\n## adversary: Ogre\n", "unknown-field"),
])  # fmt: skip
def test_what_follows_from_a_mistake_is_not_told(old: str, new: str, code: str) -> None:
    page = PAGE.replace(old, new, 1)
    assert page != PAGE
    found = [one for one in checked(page)[1] if one.span.file == "page.te" and one.code != "unused-definition"]
    assert [one.code for one in found] == [code]


@pytest.mark.parametrize("line", [
    "the walker takes Keeping", "the walker takes Ours", "if the walker has Ours: the walker gains 1 Health", "the walker cannot take Ours",
    "the mode is Ours; if the mode is Ours: end with Bad", "the walker rolls Harder", "the walker draws 1 of Weather",
    "for each character with Ours: the character gains 1 Health", "for each character without Keeping: the character gains 1 Health",
])  # fmt: skip
def test_what_is_about_the_rules_is_nothing_in_play(line: str) -> None:
    assert [one.code for one in said_in_line(line)] == ["wrong-type"]
