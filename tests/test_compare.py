"""Two games held against each other: what is said of each sort of difference, by whom and where, and what it means for the version."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest
from click.testing import CliRunner
from test_compose import BASE, INFO, hack, leap

from te_forge.check import check
from te_forge.cli import cli
from te_forge.compare import Comparison, compare, foundation, game, origin
from te_forge.compare.phrases import phrase
from te_forge.compare.report import Telling, as_json, as_text
from te_forge.compare.versions import bumped, propose
from te_forge.model.pack import PackInfo
from te_forge.model.system import System, plain
from te_forge.source import Source, Span


@cache
def system_of(text: str, version: str = "1.0.0") -> System:
    made, said = check([Source("base.te", text)], replace(INFO, version=version))
    assert made is not None
    assert [one for one in said if one.severity == "error"] == []
    return made


def against(text: str, before: str = BASE) -> Comparison:
    return compare(game(system_of(before)), game(system_of(text)))


def edited(*pairs: tuple[str, str]) -> str:
    text = BASE
    for old, new in pairs:
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    return text


def with_hack(text: str, *on: str) -> Comparison:
    system = system_of(BASE + "\n# Hacks\n" + text)
    names = on or [entry.slug for entry in system.of_kind("hack")]
    return compare(game(system), game(system, [f"small:hack/{name}" for name in names]))


def said(found: Comparison) -> list[str]:
    """Each difference on one line, as short as it can be told."""
    out = []
    for one in found.changes:
        told = phrase(one)
        words = f"{plain(told.before)} -> {plain(told.after)}"
        out.append(
            f"{one.kind} {one.name} {one.verb}"
            if one.part in ("entry", "switch")
            else f"{one.kind} {one.name}: {told.where} {told.deed or 'changed'}: {words}"
        )
    return out


# ---------------------------------------------------------------- what is different


def test_a_game_is_like_itself() -> None:
    assert against(BASE).changes == ()
    assert as_text(against(BASE)) == "The two say the same."


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("- Starts: 2\n- At Most: 5\n", "- Starts: 2\n- At Most: 6\n", ["kind gift: At Most changed: 5 -> 6"]),
        ("- Starts: 3\n- At Least: 0\n", "- Starts: 3\n", ["pool Luck: At Least is gone: 0 -> "]),
        ("| Wit   | Thought. |\n", "| Wit   | Thought. |\n| Eye   | Sight.   |\n", ["gift Eye added"]),
        ("- Grow: after gain of Luck: the gm gains 1 Doom", "- Grow: after gain of Luck: the gm gains 2 Doom", ["pool Doom: Grow changed: after gain of Luck: the gm gains 1 Doom -> after gain of Luck: the gm gains 2 Doom"]),
        ("      - Twice: the leaper gains 2 Luck\n", "      - Twice: the leaper gains 4 Luck\n", ["procedure Leap: step 2, Go, Deep, Deeper, Twice changed: the leaper gains 2 Luck -> the leaper gains 4 Luck"]),
        ("| 6   | Snow | Cold. | the gm gains 2 Doom    |", "| 6   | Snow | White. | the gm gains 3 Doom    |", ["table Weather: Snow, the text changed: Cold. -> White.", "table Weather: row Snow, effect changed: the gm gains 2 Doom -> the gm gains 3 Doom"]),
        ("| 3-5 | Sun  | Warm. | each hero gains 1 Luck |\n| 6   | Snow", "| 3-4 | Sun  | Warm. | each hero gains 1 Luck |\n| 5-6 | Snow", ["table Weather: row Sun, at changed: 3-5 -> 3-4", "table Weather: row Snow, at changed: 6 -> 5-6"]),
        ("| height | a number | 1       | how high |", "| height | a number | 3       | how tall |", ["procedure Leap: the value `height` changed: a number, unless stated 1 -> a number, unless stated 3", "procedure Leap: height, the text changed: how high -> how tall"]),
        ("2. Go. Jump.\n", "2. Go. Jump high. Or not.\n", ["procedure Leap: step 2, Go, the text changed: Jump. -> Jump high. Or not."]),
        ("What if?\n", "What if? And then?\n", ["ruling A Question: the text changed:  -> … And then?"]),
    ],
)  # fmt: skip
def test_one_difference_is_said_once(old: str, new: str, expected: list[str]) -> None:
    assert said(against(edited((old, new)))) == expected


def test_steps_that_come_go_and_change_places() -> None:
    fall = "1. Drop. Down.\n   - Drop: do Leap with the faller as the leaper\n   - After: the faller takes Hide\n"
    more = fall + '2. Lie. Still.\n   - Lie: the faller says "ow"\n'
    assert said(against(edited((fall, more)))) == ['procedure Fall: step 2, Lie is new:  -> Still. Lie: the faller says "ow"']
    turned = '1. Lie. Still.\n   - Lie: the faller says "ow"\n' + fall.replace("1. Drop", "2. Drop")
    assert said(against(edited((fall, turned)), edited((fall, more)))) == ["procedure Fall: the steps stand in another order: Drop, Lie -> Lie, Drop"]


def test_a_new_name_is_told_once_and_nowhere_else() -> None:
    renamed = BASE.replace("Luck", "Fate")
    assert said(against(renamed))[:2] == ["pool Luck removed", "pool Fate added"]
    aliased = renamed.replace("## pool: Fate\n", '## pool: Fate\n- Also Called: "Luck"\n')
    assert [(one.verb, one.part, one.name, one.aliased) for one in against(aliased).changes if one.part != "field"] == [
        ("renamed", "entry", "Fate", True)
    ]
    kept = renamed.replace("## pool: Fate\n", "## pool: Fate {#luck}\n")
    assert [(one.verb, one.part, one.name, one.aliased) for one in against(kept).changes] == [("renamed", "entry", "Fate", False)]


def test_hacks_are_named_with_the_place_where_they_say_it() -> None:
    found = with_hack(
        hack("Big", "### changes monster: Ogre\n- Teeth: 2 more\n### deletes trick: Whisper\n## hack: Off\n### changes monster: Ogre\n- Teeth: 9\n"),
        "big",
    )
    assert said(found) == ["hack Big added", "trick Whisper removed", "monster Ogre: Teeth changed: 4 -> 6"]
    teeth = found.changes[-1]
    assert teeth.by == ("small:hack/big",)
    lines = (BASE + "\n# Hacks\n").count("\n")
    assert (teeth.before.place.line, teeth.after.place.line) == (BASE[: BASE.index("| Ogre ")].count("\n") + 1, lines + 3)  # type: ignore[union-attr]
    assert found.changes[1].by == ("small:hack/big",)


def test_a_hack_brings_its_parts_and_a_renaming_leaves_no_trace() -> None:
    found = with_hack(
        hack("New", '### renames pool: Luck\n- To: "Fate"\n### trick: Crawl\nLow.\n')
        + leap('- Hush after Ready:\n  - Hush: the gm says "hush"\n', "Step")
    )
    assert said(found) == [
        "hack New added",
        "hack Step added",
        "pool Fate renamed",
        'procedure Leap: step 2, Hush is new:  -> Hush: the gm says "hush"',
        "trick Crawl added",
    ]


def test_what_a_hack_would_do_that_is_off_is_compared_too() -> None:
    before, after = ("## hack: Big\n### changes monster: Ogre\n- Teeth: " + number for number in ("8\n", "9\n"))
    found = against(BASE + before, BASE + after)
    assert said(found) == ["hack Big: changes ogre, Teeth changed: 9 -> 8"]
    on = compare(game(system_of(BASE + before), ["small:hack/big"]), game(system_of(BASE + after), ["small:hack/big"]))
    assert said(on) == ["monster Ogre: Teeth changed: 8 -> 9"]


def test_no_order_of_pages_shows() -> None:
    halves = BASE.index("## procedure: Leap")
    pages = [Source("one.te", BASE[:halves]), Source("two.te", "# More\n" + BASE[halves:].replace("gains 2 Doom", "gains 7 Doom"))]
    made = [check(each, INFO)[0] for each in (pages, pages[::-1])]
    one, other = (compare(game(system_of(BASE)), game(each)) for each in made if each is not None)
    assert sorted(said(one)) == sorted(said(other)) != []


# ---------------------------------------------------------------- derived games


def derived(text: str) -> System:
    base = system_of(BASE)
    made, found = check(
        [Source("mine.te", text)], PackInfo(id="mine", title="Mine", version="0.1.0", requires={"small": ">=1"}, hacks=("Mine",)), base
    )
    assert made is not None and [one for one in found if one.severity == "error"] == []
    return made


def test_a_derived_game_is_held_against_what_it_is_built_on() -> None:
    mine = derived("# Mine\n## trick: Roar\nLoud.\n## hack: Mine\n### changes monster: Ogre\n- Teeth: 9\n")
    base = foundation(mine)
    assert base == system_of(BASE)
    before = origin(mine)
    assert before is not None
    assert said(compare(before, game(mine))) == [
        "monster Ogre: Teeth changed: 4 -> 9",
        "trick Roar added",
        "hack Mine added",
        "chapter Mine: the title is new:  -> Mine",
    ]
    told = as_text(compare(before, game(mine)))
    assert told.startswith("3 new, 1 changed.\n") and "  Chapter Mine is new  [" in told[: told.index("Changed\n")]
    assert "Chapter" not in told[told.index("Changed\n") :]
    assert origin(system_of(BASE)) is None


def test_a_copy_under_another_name_is_compared_as_if_it_were_the_same() -> None:
    copy, _ = check([Source("copy.te", edited(("- At Most: 9\n", "- At Most: 8\n")))], PackInfo(id="copy", title="Copy", version="1.0.0"))
    assert copy is not None
    assert said(compare(game(system_of(BASE)), game(copy))) == ["pool Doom: At Most changed: 9 -> 8"]


# ---------------------------------------------------------------- reports and versions


def test_the_report_is_for_a_designer() -> None:
    found = with_hack(
        hack(
            "Big", '### changes monster: Ogre\n- Teeth: 2 more\n### deletes trick: Whisper\n### renames gift: Wit\n- To: "Sense"\n### trick: Crawl\n'
        )
    )
    text = as_text(found, Telling({"small:hack/big": "Big"}, {}, {}))
    assert text.startswith(
        "1 new, 1 gone, 1 renamed, 1 changed.\n\nHacks and readings\n  Hack Big is on\n\nGone\n  Trick Whisper is gone  [by Big, base.te:"
    )
    assert "Renamed\n  Gift Wit is called Sense  [by Big, base.te:" in text
    assert "Changed\n  Monster Ogre\n    Teeth: 4 -> 6  [by Big, base.te:" in text
    made = json.loads(as_json(found))["changes"]
    assert made[-1]["what"] in ("added", "changed")
    teeth = next(one for one in made if one["path"] == ["Teeth"])
    assert (teeth["before"]["words"], teeth["after"]["words"], teeth["by"]) == ("4", "6", ["small:hack/big"])


@pytest.mark.parametrize(
    ("old", "new", "level", "why"),
    [
        ("- At Most: 9\n", "- At Most: 8\n", "major", "pool Doom: At Most says something else"),
        ("| Hide   | Well.    |\n", "| Hide   | Very well. |\n", "patch", "trick Hide: the text reads otherwise"),
        ("| Wit   | Thought. |\n", "| Wit   | Thought. |\n| Eye   | Sight.   |\n", "minor", "gift Eye is new"),
        ('- Why: "why not"\n', '- Why: "why"\n', "patch", "ruling A Question: Why reads otherwise"),
        ("3. End. Land.\n   - Over: if", "3. Land. Land.\n   - Over: if", "major", "procedure Leap: step 3, End is gone"),
        ("# Parts\n", "# Pieces\n", "major", "chapter Parts is gone"),
    ],
)  # fmt: skip
def test_each_difference_has_its_level(old: str, new: str, level: str, why: str) -> None:
    made = propose(against(edited((old, new))), "1.2.3", "1.2.3")
    assert (made.level, made.reasons[0].why) == (level, why)
    assert made.new == {"major": "2.0.0", "minor": "1.3.0", "patch": "1.2.4"}[level]


def test_a_new_name_is_major_without_an_alias_and_minor_with_one() -> None:
    renamed = BASE.replace("## pool: Luck", "## pool: Fate {#luck}").replace("Luck", "Fate")
    assert propose(against(renamed), "1.0.0", "1.0.0").level == "major"
    aliased = renamed.replace("{#luck}\n", '{#luck}\n- Also Called: "Luck"\n')
    made = propose(against(aliased), "1.0.0", "1.1.0")
    assert (made.level, made.new, made.verdict) == ("minor", "1.1.0", "pack.yaml says 1.1.0, which will do")
    assert made.reasons[0].why == "pool Fate was called Luck, which still means it"


@pytest.mark.parametrize(
    ("version", "level", "new"),
    [("1.2.3", "none", "1.2.3"), ("1.2.3", "patch", "1.2.4"), ("1.2.3", "minor", "1.3.0"), ("1.2.3", "major", "2.0.0"), ("0.2.3", "major", "0.3.0"), ("0.2.3", "minor", "0.2.4"), ("0.2.3", "patch", "0.2.4")],
)  # fmt: skip
def test_versions_below_one_promise_less(version: str, level: str, new: str) -> None:
    assert bumped(version, level) == new  # type: ignore[arg-type]


def test_a_version_that_promises_too_much() -> None:
    found = against(edited(("- At Most: 9\n", "- At Most: 8\n")))
    assert propose(found, "1.0.0", "1.0.1").verdict == "pack.yaml says 1.0.1, which promises too much"
    assert propose(found, "1.0.0", "1.0.0").verdict == "pack.yaml still says 1.0.0"


def test_comparing_grows_with_the_games() -> None:
    """Counted in looks at words, so that a busy machine does not matter."""

    def looks(times: int) -> int:
        rows = "".join(f"| Trick {number:04} | Text {number}. |\n" for number in range(100 * times))
        system = system_of(BASE + "\n| trick | text |\n|---|---|\n" + rows)
        other = replace(system, entries={id: replace(entry, span=Span("elsewhere.te", 1, 1, 1)) for id, entry in system.entries.items()})
        counted = [0]
        import te_forge.compare.words as words

        real = words.plain
        words.plain = lambda each: counted.__setitem__(0, counted[0] + 1) or real(each)  # type: ignore[assignment, func-returns-value]
        try:
            assert compare(game(system), game(other)).changes == ()
        finally:
            words.plain = real
        return counted[0]

    assert looks(8) < 9 * looks(1)


# ---------------------------------------------------------------- the command


def run(*words: str) -> str:
    result = CliRunner().invoke(cli, ["diff", *words])
    return f"{result.exit_code}\n{result.output}"


def pack(folder: Path, text: str, head: str) -> Path:
    (folder / "rules").mkdir(parents=True)
    (folder / "pack.yaml").write_text(f"id: {folder.name}\ntitle: A Game\n{head}", encoding="utf-8")
    (folder / "rules/01.te").write_text(text, encoding="utf-8")
    return folder


def test_two_versions_on_the_command_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    old = pack(tmp_path / "old/small", BASE, "version: 1.0.0\n")
    new = pack(tmp_path / "new/small", edited(("- At Most: 9\n", "- At Most: 8\n")), "version: 1.1.0\n")
    text = run(str(old), str(new))
    assert text.startswith("0\nA Game 1.0.0 -> A Game 1.1.0\n\n1 changed.\n\nChanged\n  Pool Doom\n    At Most: 9 -> 8  [")
    assert "Version: 1.0.0 -> 2.0.0 (major); pack.yaml says 1.1.0, which promises too much\n  major: pool Doom: At Most says something else\n" in text
    assert f"[{new.relative_to(tmp_path)}/rules/01.te:" in text and f"(was {old.relative_to(tmp_path)}/rules/01.te:" in text
    made = json.loads(run(str(old), str(new), "--format", "json").removeprefix("0\n"))
    assert (made["version"]["new"], len(made["changes"])) == ("2.0.0", 1)


def test_a_derived_game_and_a_hack_on_the_command_line(tmp_path: Path) -> None:
    base = pack(tmp_path / "small", BASE + "## hack: Grim\n### changes pool: Doom\n- At Most: 3\n", "version: 1.0.0\n")
    mine = pack(tmp_path / "mine", "# Mine\n## trick: Roar\nLoud.\n", 'version: 0.1.0\nrequires:\n  small: ">=1"\nhacks:\n  - Grim\n')
    assert "Hack Grim is on" in run(str(mine)) and "Trick Roar is new" in run(str(mine))
    assert run(str(mine)) == run(str(base), str(mine))
    assert "with Grim\n\n1 changed." in run(str(base), "--hack", "Grim")
    assert "Hack Grim is off" in run(str(mine), "--without", "Grim")


def test_packs_that_have_nothing_to_do_with_each_other_are_said_to_be_so(tmp_path: Path) -> None:
    one, other = (pack(tmp_path / name, BASE, "version: 1.0.0\n") for name in ("one", "other"))
    assert "one and other have no pack in common, so things of one kind and name are taken for the same." in run(str(one), str(other))
    assert "no pack in common" not in run(str(one), str(one))


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("{base}",), "builds on no other pack"),
        (("{base}", "{base}", "--hack", "x"), "leave out the second"),
        (("{base}", "--hack", "Grin"), "no hack"),
        (("nowhere",), "no pack `nowhere`"),
    ],
)
def test_what_cannot_be_compared(words: tuple[str, ...], said: str, tmp_path: Path) -> None:
    base = pack(tmp_path / "small", BASE, "version: 1.0.0\n")
    text = run(*(word.format(base=base) for word in words))
    assert text.startswith("2\n") and said in text
