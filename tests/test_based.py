"""Copies: a thing that is based on another, as printed or as played, and what hacks do to either of the two."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from click.testing import CliRunner
from test_compose import BASE, INFO, codes, composed, good, hack

from te_forge.check import check
from te_forge.cli import cli
from te_forge.compose import compose, derived
from te_forge.compose.history import Historian
from te_forge.diagnostics import Diagnostic
from te_forge.model.system import Entry, System, plain
from te_forge.source import Source

TEETH = "## monster: Troll\n- Based On: Ogre as {}\n- Teeth: {}\n"
OGRE = hack("Big", "### changes monster: Ogre\n- Teeth: 10\n")


def said(entry: Entry, label: str) -> str:
    return plain(entry.fields[label].words)


def monster(system: System, name: str = "troll") -> Entry:
    return system.entries[f"small:monster/{name}"]


def checked(text: str, base: System | None = None) -> list[Diagnostic]:
    return [
        one
        for one in check([Source("base.te", BASE), Source("hacks.te", "# Hacks\n" + text)], INFO, base, derive=derived)[1]
        if one.severity == "error"
    ]


def story(system: System, on: list[str], id: str, *path: str) -> list[tuple[str, str]]:
    historian = Historian(system, on)
    chain = historian.chain(system.entries[id], path, path[-1])
    return [(system.entries[one.by].name, one.after) for one in chain.events]


# ---------------------------------------------------------------- what is copied


def test_a_copy_has_what_the_other_has_and_says_what_differs() -> None:
    troll = monster(good(TEETH.format("printed", "2 more") + "Bigger still.\n"))
    assert (said(troll, "teeth"), said(troll, "tricks"), said(troll, "based-on")) == ("6", "Jump, Hide", "Ogre as printed")
    assert [plain(one.words) for one in troll.prose] == ["Bigger still."]


def test_without_prose_of_its_own_it_has_that_of_the_other_with_its_own_numbers() -> None:
    text = "## monster: Giant\nIt has {Giant's Teeth} teeth, like every [[Giant]].\n- Teeth: 3\n\n## monster: Titan\n- Based On: Giant as printed\n- Teeth: 2 times as much\n"
    assert [plain(one.words) for one in monster(good(text), "titan").prose] == ["It has 6 teeth, like every Titan."]


def test_a_copy_speaks_of_itself_where_the_other_speaks_of_itself() -> None:
    text = "## pool: Fear\n- Of: the gm\n- Starts: 1\n- Peak: after reaching a multiple of 5 of Fear: the gm loses 1 Fear\n\n## pool: Awe\n- Based On: Fear as printed\n- Starts: 2 more\n"
    awe = good(text).entries["small:pool/awe"]
    assert plain(awe.lines[0].words) == "after reaching a multiple of 5 of Awe: the gm loses 1 Awe"
    assert "small:pool/awe" in repr(awe.lines[0].meaning) and "small:pool/fear" not in repr(awe.lines[0].meaning)


def test_names_and_parts_stay_with_the_one_that_has_them() -> None:
    text = '## monster: Giant\n- Also Called: "Jotun"\n### trick: Stomp\nIt stomps.\n\n## monster: Titan\n- Based On: Giant as printed\n- Also Called: "Elder"\n'
    titan = monster(good(text), "titan")
    assert (titan.aliases, titan.parts) == (("Elder",), ())


def test_a_procedure_with_steps_lines_and_outcomes() -> None:
    text = '## procedure: High Leap\n- Based On: Leap as printed\n- Ready:\n  - Look: the leaper says "how high"\n- Wait after Ready:\n  - Words: the leaper says "now"\n- Go:\n  - Deep: nothing\n'
    leap = good(text).entries["small:procedure/high-leap"]
    assert [(step.name, [line.label for line in step.lines]) for step in leap.steps] == [
        ("Ready", ["Look", "Breath", "Else"]),
        ("Wait", ["Words"]),
        ("Go", ["Way"]),
        ("End", ["Over", "Under"]),
    ]
    assert "small:procedure/high-leap#over" in repr(leap.steps[-1].lines) and "small:procedure/leap#" not in repr(leap)
    assert plain(leap.steps[-1].lines[0].words).endswith("end with Over")


def test_it_can_be_done_and_ended() -> None:
    text = "## procedure: High Leap\n- Based On: Leap as printed\n\n## rule: Trial\n- Try: after gain of Doom: for each hero as the brave: do High Leap with the brave as the leaper as the way; if the way is Over: the gm loses 1 Doom\n"
    assert checked(text) == []


def test_rows_of_a_table() -> None:
    text = "## table: Storm\n- Based On: Weather as printed\n\n| row | text | effect |\n|-----|------|--------|\n| Sun | Gone, see [[Leap]]. | nothing |\n"
    [rain, sun, snow] = good(text).entries["small:table/storm"].table.rows  # type: ignore[union-attr]
    assert (plain(sun.cells["text"].words), sun.cells["effect"].words, sun.low, plain(rain.cells["text"].words), snow.name) == (
        "Gone, see Leap.",
        (),
        3,
        "Wet.",
        "Snow",
    )


def test_a_table_of_copies() -> None:
    text = "| monster | Based On        | Teeth  | text |\n|---------|-----------------|--------|------|\n| Red     | Ogre as printed | 1 more | Red. |\n| Blue    | Red as printed  | -      | -    |\n"
    system = good(text)
    assert [(said(monster(system, name), "teeth"), plain(monster(system, name).prose[0].words)) for name in ("red", "blue")] == [
        ("5", "Red."),
        ("5", "Red."),
    ]


# ---------------------------------------------------------------- patches first, copies after


@pytest.mark.parametrize(("how", "teeth"), [("played", "12"), ("printed", "6")])
def test_as_played_and_as_printed(how: str, teeth: str) -> None:
    assert said(monster(good(TEETH.format(how, "2 more") + OGRE)), "teeth") == teeth


def test_what_a_copy_states_holds_whatever_becomes_of_the_other() -> None:
    assert said(monster(good(TEETH.format("played", "2") + OGRE)), "teeth") == "2"


def test_what_hacks_say_of_the_copy_comes_last() -> None:
    assert (
        said(
            monster(good(TEETH.format("played", "2 more") + OGRE + hack("Twice", "### changes monster: Troll\n- Teeth: 2 times as much\n"))), "teeth"
        )
        == "24"
    )


def test_copies_of_copies_follow() -> None:
    text = (
        TEETH.format("played", "2 more")
        + "## monster: Imp\n- Based On: Troll as played\n- Teeth: 1 less\n\n## monster: Elf\n- Based On: Troll as printed\n- Teeth: 1 less\n"
    )
    system = good(text + OGRE)
    assert (said(monster(system, "imp"), "teeth"), said(monster(system, "elf"), "teeth")) == ("11", "5")


def test_a_step_that_a_hack_puts_in_is_in_the_copy() -> None:
    text = '## procedure: High Leap\n- Based On: Leap as played\n- Wait:\n  - Words: the leaper says "high"\n'
    wait = '### changes procedure: Leap\n- Wait after Ready:\n  - Words: the leaper says "now"\n'
    assert [one.code for one in checked(text)] == ["unknown-target"]
    plainly = text.replace("- Wait:\n  - Words", "- Ready:\n  - Look")
    assert [step.name for step in good(plainly + hack("Slow", wait)).entries["small:procedure/high-leap"].steps] == ["Ready", "Wait", "Go", "End"]


def test_a_line_that_a_hack_takes_away_cannot_be_changed_in_the_copy() -> None:
    text = "## procedure: High Leap\n- Based On: Leap as {}\n- Go:\n  - Way:\n    - High: the gm gains 3 Doom\n"
    gone = hack("Flat", "### changes procedure: Leap\n- Go:\n  - Way: nothing\n")
    assert codes(composed(text.format("played") + gone)) == [("unknown-target", 5)]
    good(text.format("printed") + gone)


def test_two_hacks_may_say_something_of_either() -> None:
    made = composed(TEETH.format("played", "2 more") + OGRE + hack("Blunt", "### changes monster: Troll\n- Teeth: 1\n"))
    assert (codes(made), said(monster(made.system), "teeth")) == ([], "1")
    assert made.changed["small:monster/troll"] == ("small:hack/big", "small:hack/blunt")


def test_two_hacks_that_quarrel_over_the_copy() -> None:
    made = composed(
        TEETH.format("played", "2 more")
        + hack("Dull", "### changes monster: Troll\n- Teeth: 2\n")
        + hack("Blunt", "### changes monster: Troll\n- Teeth: 1\n")
    )
    assert [code for code, _ in codes(made)] == ["patch-conflict"]


def test_a_part_of_a_hack_may_be_a_copy() -> None:
    text = hack("Trolls", "### monster: Troll\n- Based On: Ogre as played\n- Teeth: 2 more\n") + OGRE
    assert said(monster(good(text)), "teeth") == "12"
    assert "small:monster/troll" not in good(text, "big").entries


# ---------------------------------------------------------------- what becomes of the other


def test_what_is_deleted_is_copied_no_more() -> None:
    made = composed(TEETH.format("played", "2 more") + hack("No Ogres", "### deletes monster: Ogre\n"))
    assert codes(made) == [("still-used", 5)]
    assert [one.text for one in made.diagnostics[0].labels] == ["Troll, Based On"]


def test_in_print_it_is_still_there() -> None:
    assert said(monster(good(TEETH.format("printed", "2 more") + hack("No Ogres", "### deletes monster: Ogre\n"))), "teeth") == "6"


def test_the_successor_is_copied() -> None:
    troll = monster(good(TEETH.format("played", "2 more") + hack("Worms", "### deletes monster: Ogre\n- Successor: Worm\n")))
    assert (said(troll, "teeth"), said(troll, "based-on")) == ("4", "Worm as played")


@pytest.mark.parametrize(("how", "codes_said"), [("printed", []), ("played", ["circular-definition"])])
def test_a_copy_may_stand_for_what_it_is_a_copy_of_in_print(how: str, codes_said: list[str]) -> None:
    made = composed(
        hack("Trolls", f"### monster: Troll\n- Based On: Ogre as {how}\n- Teeth: 2 more\n### deletes monster: Ogre\n- Successor: Troll\n")
    )
    assert [one.code for one in made.diagnostics] == codes_said
    if not codes_said:
        troll = monster(made.system)
        assert (said(troll, "teeth"), said(troll, "based-on"), "small:monster/ogre" in made.system.entries) == ("6", "Ogre as printed", False)


def test_another_name() -> None:
    troll = monster(good(TEETH.format("played", "2 more") + hack("Names", '### renames monster: Ogre\n- To: "Brute"\n')))
    assert (troll.name, said(troll, "teeth"), said(troll, "based-on")) == ("Troll", "6", "Brute as played")


ELF = hack("Elves", "### monster: Elf\n- Teeth: 1\n") + hack("Dark", "### monster: Dark Elf\n- Based On: Elf as {}\n- Teeth: 1 more\n")


def test_a_part_of_a_hack_that_is_off() -> None:
    assert codes(composed(ELF.format("played"), "dark")) == [("missing-hack", 6)]
    assert said(monster(good(ELF.format("printed"), "dark"), "dark-elf"), "teeth") == "2"
    assert said(monster(good(ELF.format("played"), "dark", "elves"), "dark-elf"), "teeth") == "2"


# ---------------------------------------------------------------- mistakes

WRONG = {
    "no such thing": ("## monster: Troll\n- Based On: Ogr as played\n", ["unknown-name"], "did you mean `Ogre`?"),
    "another kind": ("## monster: Troll\n- Based On: Jump as played\n", ["wrong-kind"], ""),
    "it does not say how": ("## monster: Troll\n- Based On: Ogre\n", ["wrong-type"], "as printed"),
    "a circle": ("## monster: A\n- Based On: B as played\n\n## monster: B\n- Based On: C as printed\n\n## monster: C\n- Based On: A as played\n", ["circular-definition"], "by itself"),
    "itself": ("## monster: A\n- Based On: A as printed\n", ["circular-definition"], "by itself"),
    "what has no copies": ("## hack: A\n- Based On: B as printed\n\n## hack: B\n", ["unknown-field"], ""),
    "a line that is not there": ("## procedure: Hop\n- Based On: Leap as played\n- Redy:\n  - Look: the leaper says \"x\"\n", ["unknown-target"], "did you mean `Ready`?"),
    "a step with a number": ("## procedure: Hop\n- Based On: Leap as played\n1. Ready. Look.\n", ["step-in-patch"], "- Ready:"),
    "another guard": ("## monster: Troll\n- Based On: Ogre as printed\n- Teeth: 1 more (was 3)\n", ["stale-patch"], ""),
    "two at once": ("## monster: Troll\n- Based On: Ogre as played, Worm as played\n", ["wrong-type"], "name one"),
    "a change of nothing": ("## monster: Troll\n- Teeth: 1 more\n", ["patch-outside-hack"], "Based On"),
    "in other words": ("## monster: Troll\n- Copy Of: Ogre\n", ["unknown-field"], "did you mean `Based On`?"),
    "elsewhere": ("## pool: Fear\n- Of: the gm\n- Starts: Doom as played\n", ["wrong-type"], "Based On"),
    "changed by a hack": (TEETH.format("played", "1 more") + hack("X", "### changes monster: Troll\n- Based On: Worm as played\n"), ["fixed-base"], "define another"),
}  # fmt: skip


@pytest.mark.parametrize("case", WRONG)
def test_what_is_wrong(case: str) -> None:
    text, wanted, help = WRONG[case]
    found = checked(text)
    assert [one.code for one in found] == wanted
    assert help in found[0].help and all(one.span.file == "hacks.te" for one in found)


def test_what_a_circle_goes_through_is_shown() -> None:
    [one] = checked(WRONG["a circle"][0])
    assert "A -> B -> C -> A" in one.message and [label.text for label in one.labels] == ["B is based on C", "C is based on A"]


def test_a_line_that_says_nothing_new() -> None:
    found = check([Source("base.te", BASE), Source("hacks.te", "# Hacks\n" + TEETH.format("printed", "4"))], INFO, derive=derived)[1]
    assert "idle-patch" in {one.code for one in found}


# ---------------------------------------------------------------- what is told


def test_the_story_of_a_copy() -> None:
    text = TEETH.format("played", "2 more") + OGRE + hack("Twice", "### changes monster: Troll\n- Teeth: 2 times as much\n")
    system = check([Source("base.te", BASE), Source("hacks.te", "# Hacks\n" + text)], INFO, derive=derived)[0]
    assert system is not None
    on = ["small:hack/big", "small:hack/twice"]
    assert story(system, on, "small:monster/troll", "teeth") == [("Ogre", "4"), ("Big", "10"), ("Troll", "12"), ("Twice", "24")]
    assert story(system, on, "small:monster/troll", "tricks") == [("Ogre", "Jump, Hide"), ("Troll", "Jump, Hide")]
    printed = check([Source("base.te", BASE), Source("hacks.te", "# Hacks\n" + text.replace("played", "printed"))], INFO, derive=derived)[0]
    assert printed is not None
    assert story(printed, on, "small:monster/troll", "teeth") == [("Ogre", "4"), ("Troll", "6"), ("Twice", "12")]


def test_off_hacks_of_the_other_are_told_too() -> None:
    system = check([Source("base.te", BASE), Source("hacks.te", "# Hacks\n" + TEETH.format("played", "2 more") + OGRE)], INFO, derive=derived)[0]
    assert system is not None
    [maybe] = Historian(system, []).chain(monster(system), ("teeth",), "Teeth").off
    assert (maybe.by, maybe.after) == ("small:hack/big", "12")


# ---------------------------------------------------------------- a game on another one

HEAD = "id: {}\ntitle: {}\nversion: 1.0.0\nauthors: [Ada Example]\nlicense: CC0\n"


@pytest.fixture()
def packs(tmp_path: Path) -> Path:
    for name, head, page in (
        ("small", "", BASE.replace("| Ogre    | 4  ", "| Ogre    | 4  ")),
        (
            "more",
            "requires: {small: '>=1.0'}\nhacks: [Big]\n",
            "# More\n## monster: Troll\n- Based On: Ogre as played\n- Teeth: 2 more\n\n## monster: Elf\n- Based On: Ogre as printed\n\n" + OGRE,
        ),
    ):
        (tmp_path / name / "rules").mkdir(parents=True)
        (tmp_path / name / "pack.yaml").write_text(HEAD.format(name, name.title()) + head, encoding="utf-8")
        (tmp_path / name / "rules" / "01.te").write_text(page, encoding="utf-8")
    return tmp_path


def run(*words: object) -> tuple[int, str]:
    done = CliRunner().invoke(cli, [str(word) for word in words])
    return done.exit_code, done.output


def test_the_difference_of_the_two_games(packs: Path) -> None:
    _, text = run("diff", packs / "small", packs / "more")
    assert "Monster Troll is new, based on Ogre as played" in text and "Monster Elf is new, based on Ogre as printed" in text
    _, data = run("diff", packs / "small", packs / "more", "--format", "json")
    assert {one["name"]: one["based_on"] for one in json.loads(data)["changes"] if one["part"] == "entry" and one["kind"] == "monster"} == {
        "Troll": "Ogre as played",
        "Elf": "Ogre as printed",
    }


def test_what_changed_and_the_page_of_the_copy(packs: Path) -> None:
    code, _ = run("build", packs / "more", "-o", packs / "out")
    assert code == 0
    told = re.sub(r"<[^>]*>", "", (packs / "out" / "what-changed.html").read_text(encoding="utf-8"))
    assert "(based on Ogre as played)" in told
    page = (packs / "out" / "more.html").read_text(encoding="utf-8")
    assert "Based On" in page


def test_the_lock_knows_what_was_copied(packs: Path) -> None:
    assert run("lock", packs / "more")[0] == 0
    base = packs / "small" / "rules" / "01.te"
    base.write_text(base.read_text(encoding="utf-8").replace("| Ogre    | 4 ", "| Ogre    | 5 "), encoding="utf-8")
    code, text = run("check", packs / "more")
    assert code == 1 and text.count("stale-patch") == 3 and "Ogre as printed is not what it was" in text
    assert run("lock", packs / "more", "--review", "all")[0] == 0
    assert run("check", packs / "more")[0] == 0


def test_the_copy_of_a_hack_in_the_book_that_prints_what_is_off() -> None:
    made = compose(good_system(ELF.format("played")), [], keep_off=True)
    assert said(monster(made.system, "dark-elf"), "teeth") == "2"


def good_system(text: str) -> System:
    system = check([Source("base.te", BASE), Source("hacks.te", "# Hacks\n" + text)], INFO, derive=derived)[0]
    assert system is not None
    return system
