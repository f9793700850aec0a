"""The lock file: a changed base names exactly the changes whose place is another, and nothing passes in silence."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner

from te_forge.cli import cli
from te_forge.diagnostics import Diagnostic
from te_forge.lock import as_text, lock_of, seal, unlike
from te_forge.packs import load

HEAD = "id: base\ntitle: Base\nversion: {version}\n"
BASE = """\
# Base

Play.

## kind: hero
- Is: an actor

## kind: skill
What one can do.
- Is: a number of a hero
- Starts: 0
- At Most: 5

## kind: monster
- Is: an actor

| label | holds    | default | text      |
|-------|----------|---------|-----------|
| Teeth | a number | 2       | how many  |
| Legs  | a number | 4       | how fast  |

## skill: Hide
Not being seen, and not being heard.
- At Most: 3

## skill: Swim
Staying on top of water.

| monster | Teeth | Legs |
|---------|-------|------|
| Ogre    | 4     | 2    |
| Worm    | 9     | 0    |

## procedure: Leap
- Roles: a hero as the leaper

1. Look. Before.
   - Look: the leaper says "how far"
2. Go. Now.
   - Go: the leaper gains 1 Swim

## table: Weather

| d6  | row  | effect             |
|-----|------|--------------------|
| 1-3 | Rain | each hero gains 1 Swim |
| 4-6 | Sun  | -                  |
"""
MINE = """\
# Mine

## hack: Mine
### changes skill: Hide
- At Most: 4
### changes monster: Ogre
- Teeth: 2 more
- Legs: 3
### changes procedure: Leap
- Go:
  - Go: the leaper gains 2 Swim
  - Shout after Go: the leaper says "ho"
### changes table: Weather

| row | effect                 |
|-----|------------------------|
| Sun | each hero loses 1 Swim |

### changes kind: skill
- Starts: 1
### changes skill: Swim
Like a fish.
"""


class Packs:
    """A base and a game on it, in a folder."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.mine = folder, folder / "mine"
        self.write("base/rules/01.te", BASE)
        self.write("base/pack.yaml", HEAD.format(version="1.0.0"))
        self.write("mine/rules/01.te", MINE)
        self.write("mine/pack.yaml", 'id: mine\ntitle: Mine\nversion: 0.1.0\nrequires:\n  base: ">=1"\nhacks:\n  - Mine\n')

    def write(self, path: str, text: str) -> None:
        (self.folder / path).parent.mkdir(parents=True, exist_ok=True)
        (self.folder / path).write_text(text, encoding="utf-8")

    def base(self, version: str, *pairs: tuple[str, str]) -> None:
        text = BASE
        for old, new in pairs:
            assert text.count(old) == 1, old
            text = text.replace(old, new)
        self.write("base/rules/01.te", text)
        self.write("base/pack.yaml", HEAD.format(version=version))

    @property
    def said(self) -> list[Diagnostic]:
        """What is said of what a change stands on; that it changes nothing, or goes by another name, is said elsewhere."""
        return [one for one in load(str(self.mine)).diagnostics if one.code not in ("idle-patch", "other-name")]

    @property
    def codes(self) -> list[tuple[str, int]]:
        return [(one.code, one.span.line) for one in self.said]

    def lock(self, *words: str, code: int = 0) -> str:
        result = CliRunner().invoke(cli, ["lock", str(self.mine), *words])
        assert result.exit_code == code, result.output
        return result.output


@pytest.fixture
def packs(tmp_path: Path) -> Packs:
    made = Packs(tmp_path)
    assert made.said == []
    made.lock()
    assert made.said == []
    return made


def line_of(text: str) -> int:
    return MINE[: MINE.index(text)].count("\n") + 1


# ---------------------------------------------------------------- exactly what has changed


@pytest.mark.parametrize(
    ("old", "new", "line", "then", "now"),
    [
        ("| Ogre    | 4     | 2    |", "| Ogre    | 5     | 2    |", "- Teeth", "`4`", "`5`"),
        ("| Ogre    | 4     | 2    |", "| Ogre    | 4     | 1    |", "- Legs", "`2`", "`1`"),
        ("heard.\n- At Most: 3", "heard.\n- At Most: 2", "- At Most", "`3`", "`2`"),
        (
            "   - Go: the leaper gains 1 Swim",
            "   - Go: the leaper gains 3 Swim",
            "  - Go: ",
            "`the leaper gains 1 Swim`",
            "`the leaper gains 3 Swim`",
        ),
        ("| 4-6 | Sun  | -                  |", "| 4-6 | Sun  | each hero gains 2 Swim |", "| Sun", "`4-6 Sun:", "each hero gains 2 Swim"),
        ("- Starts: 0\n", "- Starts: 2\n", "- Starts", "`0`", "`2`"),
        ("Staying on top of water.", "Staying on top of water, or below.", "Like a fish", "`Staying on top of water.`", "or below.`"),
    ],
)
def test_a_changed_place_is_named_with_then_and_now(old: str, new: str, line: str, then: str, now: str, packs: Packs) -> None:
    packs.base("1.1.0", (old, new))
    assert packs.codes == [("stale-patch", line_of(line))]
    (one,) = packs.said
    assert then in one.message.partition(", and is ")[0] and now in one.message.partition(", and is ")[2]
    assert "in base 1.0.0" in one.message and one.message.endswith("in 1.1.0")
    assert [label.span.file for label in one.labels] == ["base/rules/01.te"]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("| Worm    | 9     | 0    |", "| Worm    | 1     | 7    |"),
        ("Not being seen, and not being heard.", "Not being seen, and not being heard or smelt."),
        ("1. Look. Before.", "1. Look. Long before."),
        ('   - Look: the leaper says "how far"', '   - Look: the leaper says "how deep"'),
        ("| 1-3 | Rain | each hero gains 1 Swim |", "| 1-3 | Rain | - |"),
        ("- At Most: 5\n", "- At Most: 6\n"),
        ("Play.\n", "Play more.\n\n## skill: Climb\nUp.\n"),
    ],
)
def test_what_changed_elsewhere_is_not_named(old: str, new: str, packs: Packs) -> None:
    packs.base("1.1.0", (old, new))
    assert packs.said == []


def test_a_deleted_thing_is_watched_as_a_whole(tmp_path: Path) -> None:
    packs = Packs(tmp_path)
    packs.write("mine/rules/01.te", "# Mine\n\n## hack: Mine\n### deletes monster: Worm\n")
    packs.lock()
    packs.base("1.1.0", ("| Ogre    | 4     | 2    |", "| Ogre    | 5     | 2    |"))
    assert packs.said == []
    packs.base("1.1.0", ("| Worm    | 9     | 0    |", "| Worm    | 9     | 1    |"))
    assert packs.codes == [("stale-patch", 4)]


def test_what_a_hack_of_the_base_makes_of_a_place_counts(tmp_path: Path) -> None:
    packs = Packs(tmp_path)
    hack = "\n## hack: Long\n### changes monster: Ogre\n- Teeth: {} more\n"
    packs.write("base/rules/02.te", "# Hacks\n" + hack.format(1))
    packs.write("base/pack.yaml", HEAD.format(version="1.0.0") + "hacks:\n  - Long\n")
    packs.lock()
    packs.write("base/rules/02.te", "# Hacks\n" + hack.format(3))
    assert packs.codes == [("stale-patch", line_of("- Teeth"))]


# ---------------------------------------------------------------- D05: names and ids that wander


def test_the_base_renames_what_a_game_changes(packs: Packs) -> None:
    hide = "## skill: Hide\nNot being seen, and not being heard.\n"
    kept = "## skill: Stealth {#hide}\nNot being seen, and not being heard.\n"
    packs.base("1.1.0", (hide, kept.replace("heard.\n", 'heard.\n- Also Called: "Hide"\n')))
    assert packs.said == []
    assert [(one.code, one.severity, one.message) for one in load(str(packs.mine)).diagnostics] == [
        ("other-name", "note", "`Hide` is another name of Stealth")
    ]

    packs.base("1.2.0", (hide, kept))
    (one,) = [one for one in packs.said if one.severity == "error"]
    assert (one.code, one.span.file, one.span.line) == ("unknown-target", "mine/rules/01.te", line_of("### changes skill"))
    assert one.help == "it was `Hide, a skill: Not being seen, and not being heard.`; Stealth says the same now"

    packs.base("1.3.0", (hide, kept.replace("{#hide}", "{#stealth}") + "- At Most: 3\n\n## skill: Hide\nThe skin of some beast.\n"))
    assert packs.codes == [("stale-patch", line_of("- At Most"))]
    assert packs.said[0].message == (
        "this was written for `Hide, a skill: Not being seen, and not being heard.`, and its id belongs to another thing now: `Hide, a skill: The skin of some beast.`"
    )
    assert "then    Hide, a skill: Not being seen" in packs.lock(code=1)


@pytest.mark.parametrize(
    ("then", "now", "other"),
    [
        ("Hide, a skill: Not being seen.", "Hide, a skill: Not being noticed.", False),
        ("Hide, a skill: Not being seen.", "Stealth, a skill: Not being seen.", False),
        ("Hide, a skill: Not being seen.", "Hide, a skill: Leather of beasts.", True),
        ("Hide, a skill", "Hide, a skill: Now with a text.", False),
        ("Hide, a skill", "Skin, a skill: Of a beast.", True),
    ],
)
def test_another_thing_has_hardly_a_word_in_common(then: str, now: str, other: bool) -> None:
    assert unlike(then, now) is other


# ---------------------------------------------------------------- going on


def test_the_book_waits_for_a_review(packs: Packs) -> None:
    packs.base("1.1.0", ("| Ogre    | 4     | 2    |", "| Ogre    | 5     | 1    |"))
    out = packs.folder / "book"
    build = ["build", str(packs.mine), "-o", str(out)]
    assert CliRunner().invoke(cli, build).exit_code == 1
    kept = (packs.mine / "pack.lock").read_bytes()
    text = packs.lock(code=1)
    assert "base:monster/ogre#teeth\n  then    4\n  now     5  (base/rules/01.te:" in text and "base:monster/ogre#legs\n" in text
    assert (packs.mine / "pack.lock").read_bytes() == kept
    text = packs.lock("--review", "base:monster/ogre#teeth", code=1)
    assert "ogre#teeth\n" not in text and "ogre#legs\n" in text
    assert "2 reviewed" in packs.lock("--review", "base:monster/ogre#teeth", "--review", "base:monster/ogre#legs")
    assert packs.said == []
    assert CliRunner().invoke(cli, build).exit_code == 0


def test_a_place_that_has_not_changed_cannot_be_reviewed(packs: Packs) -> None:
    assert "is no place that has changed" in packs.lock("--review", "base:monster/ogre#teeth", code=2)


def test_a_place_that_nobody_knows_is_answered_with_those_that_have_changed(packs: Packs) -> None:
    packs.base("1.1.0", ("| Ogre    | 4     | 2    |", "| Ogre    | 5     | 1    |"))
    assert "what has changed is base:monster/ogre#legs, base:monster/ogre#teeth" in packs.lock("--review", "Ogre", code=2)
    assert "did you mean `base:monster/ogre#legs`?" in packs.lock("--review", "base:monster/ogre/legs", code=2)


def test_what_is_gone_does_not_hide_what_has_changed(packs: Packs) -> None:
    packs.base("1.1.0", ("| Ogre    | 4     | 2    |", "| Ogre    | 5     | 2    |"), ("## skill: Hide\n", "## skill: Sneak\n"))
    assert packs.codes == [("unknown-target", line_of("### changes skill: Hide")), ("stale-patch", line_of("- Teeth"))]


@pytest.mark.parametrize(("here", "pack", "typed"), [("mine", ".", "."), (".", "mine", "mine"), ("base", "../mine", "../mine")])
def test_what_to_type_names_the_pack_from_where_one_is(here: str, pack: str, typed: str, packs: Packs, monkeypatch: pytest.MonkeyPatch) -> None:
    packs.base("1.1.0", ("| Ogre    | 4     | 2    |", "| Ogre    | 5     | 2    |"))
    monkeypatch.chdir(packs.folder / here)
    told = CliRunner().invoke(cli, ["check", pack]).output
    assert f"if the change still holds, `te-forge lock {typed} --review base:monster/ogre#teeth`" in told
    assert CliRunner().invoke(cli, ["lock", typed, "--review", "base:monster/ogre#teeth"]).exit_code == 0


def test_new_changes_are_told_and_taken_up(packs: Packs) -> None:
    packs.write("mine/rules/01.te", MINE.replace("- Legs: 3\n", "") + "### changes monster: Worm\n- Teeth: 1\n")
    assert [(one.code, one.severity, one.message) for one in packs.said] == [
        ("lock-behind", "note", "pack.lock is behind the changes of this pack: 1 not in it yet and 1 not there any more")
    ]
    packs.lock()
    assert packs.said == []


def test_the_lock_is_the_same_every_time_and_one_line_changes_for_one_place(packs: Packs) -> None:
    first = (packs.mine / "pack.lock").read_text(encoding="utf-8")
    packs.lock()
    assert (packs.mine / "pack.lock").read_text(encoding="utf-8") == first
    system = load(str(packs.mine)).system
    assert system is not None and as_text(lock_of(system)) == first
    packs.base("1.0.0", ("heard.\n- At Most: 3", "heard.\n- At Most: 2"))
    packs.lock("--review", "all")
    second = (packs.mine / "pack.lock").read_text(encoding="utf-8")
    changed = [old for old, new in zip(first.splitlines(), second.splitlines(), strict=True) if old != new]
    assert [one.split(":")[0].strip() for one in changed] == ['"was"', '"print"', '"seal"']


def test_only_a_game_on_another_has_a_lock(packs: Packs) -> None:
    result = CliRunner().invoke(cli, ["lock", str(packs.folder / "base")])
    assert result.exit_code == 2 and "builds on no other pack" in result.output


# ---------------------------------------------------------------- locks that do not count


def sealed(change: Callable[[dict[str, object]], object]) -> Callable[[str], str]:
    def spoil(text: str) -> str:
        data = json.loads(text)
        del data["seal"]
        change(data)
        return json.dumps({**data, "seal": seal(data)})

    return spoil


@pytest.mark.parametrize(
    ("spoil", "said"),
    [
        (lambda text: text[: len(text) // 2], "it cannot be read"),
        (lambda text: "", "it cannot be read"),
        (lambda text: "<<<<<<< ours\n" + text, "it cannot be read"),
        (lambda text: "[" * 100_000, "it cannot be read"),
        (lambda text: text.replace('"was": "4"', '"was": "5"'), "it was changed since te-forge wrote it"),
        (lambda text: "[]", "it is no lock file that this te-forge knows"),
        (lambda text: text.replace("lock 1", "lock 9"), "it is no lock file that this te-forge knows"),
        (sealed(lambda data: data.update(pack="other")), "it is that of another pack, `other`"),
        (sealed(lambda data: data.update(targets=[])), "it is no lock file that this te-forge knows"),
        (sealed(lambda data: data.update(targets={"a": 1})), "it is no lock file that this te-forge knows"),
        (sealed(lambda data: data.pop("requires")), "it is no lock file that this te-forge knows"),
    ],
)
def test_a_lock_that_does_not_count_is_a_sentence(spoil: Callable[[str], str], said: str, packs: Packs) -> None:
    path = packs.mine / "pack.lock"
    path.write_text(spoil(path.read_text(encoding="utf-8")), encoding="utf-8")
    (one,) = packs.said
    assert (one.code, one.span.file, one.span.line) == ("bad-lock", "mine/pack.lock", 1)
    assert said in one.message
    assert "bad-lock" in packs.lock(code=1)
    packs.lock("--review", "all")
    assert packs.said == []


def test_a_lock_is_not_followed_out_of_the_pack(packs: Packs) -> None:
    path = packs.mine / "pack.lock"
    path.rename(packs.folder / "elsewhere.lock")
    path.symlink_to(packs.folder / "elsewhere.lock")
    assert [one.code for one in packs.said] == ["outside-pack"]
    assert packs.lock("--review", "all", code=1)


def test_a_folder_in_the_place_of_a_lock_is_said(packs: Packs) -> None:
    CliRunner().invoke(cli, ["check", str(packs.mine)])
    (packs.mine / "pack.lock").unlink()
    (packs.mine / "pack.lock").mkdir()
    assert [(one.code, one.span.file) for one in packs.said] == [("unreadable-file", "mine/pack.lock")]
    for told in (packs.lock(code=1), packs.lock("--review", "all", code=1), CliRunner().invoke(cli, ["check", str(packs.mine)]).output):
        assert "this is not an ordinary file" in told


# ---------------------------------------------------------------- attribution


def test_a_game_hands_on_the_notices_that_are_owed(tmp_path: Path) -> None:
    packs = Packs(tmp_path)
    work = 'sources:\n  - title: Old Rules\n    attribution: "Old Rules by A. N. Author"\n'
    packs.write("base/pack.yaml", HEAD.format(version="1.0.0") + work)
    head = (packs.mine / "pack.yaml").read_text(encoding="utf-8")
    (one,) = packs.said
    assert (one.code, one.span.file, one.span.line) == ("missing-attribution", "mine/pack.yaml", 4)
    assert "that of Old Rules" in one.message and "Old Rules by A. N. Author" in one.help
    assert CliRunner().invoke(cli, ["check", str(packs.mine)]).exit_code == 0
    built = CliRunner().invoke(cli, ["build", str(packs.mine), "-o", str(tmp_path / "book")])
    assert built.exit_code == 1 and "error[missing-attribution]" in built.output and not (tmp_path / "book").exists()
    packs.write("mine/pack.yaml", head + work.replace("A. N. Author", "B. Else"))
    assert packs.codes == [("missing-attribution", 4)]
    packs.write("mine/pack.yaml", head + work)
    assert packs.said == []


def test_a_procedure_that_is_gone_does_not_hide_what_has_changed(packs: Packs) -> None:
    packs.write("mine/rules/02.te", "# More\n## rule: Wet\n- Wet: after Leap: each hero gains 1 Swim\n")
    assert packs.said == []
    packs.base("1.1.0", ("## procedure: Leap", "## procedure: Vault"), ("| Ogre    | 4     | 2    |", "| Ogre    | 5     | 2    |"))
    codes = [code for code, _ in packs.codes]
    assert "unknown-event" in codes and "unknown-target" in codes and codes.count("stale-patch") == 1
