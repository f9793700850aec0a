"""Cases of people who build on other people's rules: in each of them some tool dropped a change, doubled a thing or guessed.

Packs are written into folders of their own. What must not depend on an order is tried in several: of the names of the packs (they are read by name),
of the lines of pack.yaml, of the files.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest
from click.testing import CliRunner

from te_forge.cli import cli
from te_forge.compose import compose
from te_forge.compose.chosen import switched_on
from te_forge.diagnostics import Diagnostic
from te_forge.model.rules import Thing
from te_forge.model.system import Entry, System, Words
from te_forge.packs import Loaded, load

ORDERS = pytest.mark.parametrize("turned", [False, True], ids=["a-first", "b-first"])

BASE = """\
# Parts
## kind: gm
- Is: an actor
- How Many: 1
## kind: hero
- Is: an actor
- Plural: "heroes"
## kind: skill
- Is: a number of a hero
- Starts: 0
- At Most: 5
## kind: pool
- Is: a number
## pool: Luck
Of which nobody has enough.
- Of: a hero
- Starts: 10
- At Least: 0
## rule: Deeds
Who has [[Luck]] does deeds.
- Deed: after gain of Luck by a hero: the hero gains 1 Luck for each skill
"""
SKILLS = "\n| skill | text     |\n|-------|----------|\n| Aim   | Shooting. |\n| Hide  | Hiding.  |\n"


def pack(
    root: Path,
    id: str,
    pages: Sequence[str] = (),
    requires: Mapping[str, str] | Sequence[str] = (),
    hacks: Sequence[str] = (),
    version: str = "1.0.0",
) -> Path:
    folder = root / id
    (folder / "rules").mkdir(parents=True, exist_ok=True)
    needs = dict(requires) if isinstance(requires, Mapping) else dict.fromkeys(requires, ">=1.0,<2")
    head = [
        f"id: {id}",
        f"title: {id.title()}",
        f"version: {version}",
        *(["requires:", *(f"  {name}: '{range_}'" for name, range_ in needs.items())] if needs else []),
    ]
    (folder / "pack.yaml").write_text("\n".join([*head, *(["hacks:", *(f"  - {name}" for name in hacks)] if hacks else [])]) + "\n", "utf-8")
    for number, text in enumerate(pages):
        (folder / "rules" / f"{number}.te").write_text(text, "utf-8")
    return folder


def game(root: Path, base: str, one: str, other: str, hacks: Sequence[str], turned: bool, third: str = "") -> Loaded:
    """A game on two packs of hacks; turned round, their names, their lines and the files of the game change places."""
    names = ("ann", "ben") if not turned else ("zoe", "ann")
    pack(root, "base", [BASE + base])
    for name, text in zip(names, (one, other), strict=True):
        pack(root, name, ["# " + name.title() + "\n" + text], ["base"])
    pages = ["# Game\nA game.\n", "# More\n" + third]
    pack(root, "game", pages[::-1] if turned else pages, names[::-1] if turned else names, hacks[::-1] if turned else hacks)
    return load(str(root / "game"))


def played(loaded: Loaded) -> System:
    assert loaded.system is not None and errors(loaded) == []
    return compose(loaded.system, switched_on(loaded.system)).system


def errors(loaded: Loaded) -> list[Diagnostic]:
    return [one for one in loaded.diagnostics if one.severity == "error"]


def where(one: Diagnostic) -> tuple[str, list[str]]:
    """Code and place of a finding, and its other places."""
    return f"{one.code} {one.span.file.replace('zoe/', 'one/')}:{one.span.line}", [f"{label.span.file}:{label.span.line}" for label in one.labels]


def plain(words: Words) -> str:
    return "".join(word if isinstance(word, str) else word.text for word in words)


def entry(system: System, kind: str, name: str) -> Entry:
    (found,) = (one for one in system.of_kind(kind) if one.name == name)
    return found


def field(system: System, kind: str, name: str, label: str) -> str | None:
    found = entry(system, kind, name).fields.get(label)
    return plain(found.words) if found is not None else None


# ---------------------------------------------------------------- D01: a change, and the neighbour is deleted


@ORDERS
def test_d01_a_change_and_a_deleted_neighbour_commute(tmp_path: Path, turned: bool) -> None:
    loaded = game(
        tmp_path,
        SKILLS,
        "## hack: Far\n### changes skill: Aim\nShooting, and far.\n- Starts: 1\n",
        "## hack: Seen\n### deletes skill: Hide\n",
        ["Far", "Seen"],
        turned,
    )
    system = played(loaded)
    assert loaded.diagnostics == []
    assert [(one.name, plain(one.prose[0].words), field(system, "skill", "Aim", "starts")) for one in system.of_kind("skill")] == [
        ("Aim", "Shooting, and far.", "1")
    ]


@ORDERS
def test_d01_changing_what_the_other_deletes_names_both(tmp_path: Path, turned: bool) -> None:
    """What would be skipped is said, with both places."""
    loaded = game(
        tmp_path,
        SKILLS,
        "## hack: Far\n### changes skill: Hide\nHiding, and far.\n",
        "## hack: Seen\n### deletes skill: Hide\n",
        ["Far", "Seen"],
        turned,
    )
    (one,) = errors(loaded)
    assert one.code == "patch-conflict" and one.message.startswith(
        "Far and Seen quarrel over `text` of Hide" if not turned else "Seen and Far quarrel over `text` of Hide"
    )
    places = {label.span.file: label.span.line for label in one.labels}
    assert one.span.file == "game/pack.yaml" and len(places) == 2 and set(places.values()) == {3, 4}


@ORDERS
def test_d01_two_texts_for_one_thing_quarrel_and_the_same_text_does_not(tmp_path: Path, turned: bool) -> None:
    texts = ("## hack: Far\n### changes skill: Aim\nFar.\n", "## hack: Near\n### changes skill: Aim\nNear.\n")
    (one,) = errors(game(tmp_path, SKILLS, *texts, ["Far", "Near"], turned))
    assert (one.code, sorted(label.span.line for label in one.labels)) == ("patch-conflict", [4, 4])
    loaded = game(tmp_path, SKILLS, texts[0], texts[1].replace("Near.", "Far."), ["Far", "Near"], turned)
    assert plain(entry(played(loaded), "skill", "Aim").prose[0].words) == "Far." and loaded.diagnostics == []


# ---------------------------------------------------------------- D03: lists that are inherited

BEASTS = """\
## kind: beast
- Is: an actor

| label   | holds            | default      | text          |
|---------|------------------|--------------|---------------|
| Weak To | a group of banes | Fire, Silver | what hurts it |

## kind: bane
- Is: a trait of a beast

| bane   | text    |
|--------|---------|
| Fire   | Hot.    |
| Silver | Bright. |
| Salt   | White.  |
| Gold   | Yellow. |

## beast: Wolf
## beast: Bear
"""


def wolf(tmp_path: Path, *lines: str) -> tuple[Loaded, str | None]:
    """What the Wolf is weak to when hacks say these things of it. The Bear, and what all beasts have, stay as they were."""
    pack(tmp_path, "base", [BASE + BEASTS])
    names = "ABCD"[: len(lines)]
    text = "".join(f"## hack: {name}\n### changes beast: Wolf\n- Weak To: {line}\n" for name, line in zip(names, lines, strict=True))
    pack(tmp_path, "mod", ["# Mod\n" + text], ["base"], list(names))
    loaded = load(str(tmp_path / "mod"))
    if errors(loaded):
        return loaded, None
    system = played(loaded)
    assert field(system, "beast", "Bear", "weak-to") is None
    assert entry(system, "kind", "beast").slots["Weak To"].default == (Thing("base:bane/fire"), Thing("base:bane/silver"))
    return loaded, field(system, "beast", "Wolf", "weak-to")


@pytest.mark.parametrize(
    ("lines", "made"),
    [
        (["Salt"], "Salt"), (["with Salt"], "Fire, Silver, Salt"), (["without Silver"], "Fire"), (["nothing"], "nothing"),
        (["without Silver, with Salt"], "Fire, Salt"), (["with Salt", "without Silver"], "Fire, Salt"), (["without Silver", "with Salt"], "Fire, Salt"),
        (["with Salt", "with Salt"], "Fire, Silver, Salt"), (["Gold", "with Salt"], "Gold, Salt"), (["with Salt", "Gold"], "Gold, Salt"),
    ],
)  # fmt: skip
def test_d03_replacing_adding_and_removing_are_different_words(tmp_path: Path, lines: list[str], made: str) -> None:
    loaded, found = wolf(tmp_path, *lines)
    assert found == made and loaded.diagnostics == []


def test_d03_removed_and_put_in_again_is_there_once(tmp_path: Path) -> None:
    loaded, made = wolf(tmp_path, "without Silver, with Silver")
    assert made == "Fire, Silver" and [where(one) for one in loaded.diagnostics] == [("idle-patch mod/rules/0.te:4", [])]


def test_d03_removing_what_is_not_there_is_said(tmp_path: Path) -> None:
    loaded, made = wolf(tmp_path, "without Gold")
    assert made == "Fire, Silver" and [where(one) for one in loaded.diagnostics] == [("idle-patch mod/rules/0.te:4", [])]
    assert loaded.diagnostics[0].message == "this changes nothing: `Weak To` of Wolf is so already"


def test_d03_one_removes_what_the_other_puts_in(tmp_path: Path) -> None:
    loaded, _ = wolf(tmp_path, "without Salt", "with Salt")
    (one,) = errors(loaded)
    assert where(one) == ("patch-conflict mod/pack.yaml:6", ["mod/rules/0.te:4", "mod/rules/0.te:7"])


# ---------------------------------------------------------------- D05: the base renames what a hack points at

SLY = "# Mod\n## hack: Sly\n### changes skill: Hide\n- Starts: 1\n"


def renamed(tmp_path: Path, version: str, skills: str) -> Loaded:
    pack(tmp_path, "base", [BASE + skills], version=version)
    pack(tmp_path, "mod", [SLY], ["base"], ["Sly"])
    return load(str(tmp_path / "mod"))


def test_d05_an_old_name_still_means_the_thing_and_is_noted(tmp_path: Path) -> None:
    """1.1 of the base: another name, the id and the old name are kept."""
    loaded = renamed(tmp_path, "1.1.0", '## skill: Stealth {#hide}\nHiding.\n- Also Called: "Hide"\n')
    assert field(played(loaded), "skill", "Stealth", "starts") == "1"
    assert [(*where(one), one.message, one.help) for one in loaded.diagnostics] == [
        ("other-name mod/rules/0.te:3", [], "`Hide` is another name of Stealth", "write `### changes skill: Stealth`")
    ]


def test_d05_a_name_that_is_gone_is_an_error_with_what_there_is(tmp_path: Path) -> None:
    """1.2 of the base: the old name is gone."""
    (one,) = errors(renamed(tmp_path, "1.2.0", "## skill: Stealth {#hide}\nHiding.\n"))
    assert (*where(one), one.message, one.help) == ("unknown-target mod/rules/0.te:3", [], "there is no skill called `Hide`", "there is Stealth")
    (one,) = errors(renamed(tmp_path, "1.2.0", "## skill: Hides\nHiding.\n## skill: Aim\nShooting.\n"))
    assert one.help == "did you mean `Hides`?"


def test_d05_a_version_that_was_not_asked_for_is_refused(tmp_path: Path) -> None:
    pack(tmp_path, "base", [BASE + SKILLS], version="2.0.0")
    pack(tmp_path, "mod", [SLY], ["base"], ["Sly"])
    (one,) = errors(load(str(tmp_path / "mod")))
    assert where(one) == ("unmet-version mod/pack.yaml:5", [])


KEPT = "Keeping out of sight of whoever looks for you."


@pytest.mark.parametrize(
    ("version", "skills", "found"),
    [
        ("1.1.0", f'## skill: Stealth {{#hide}}\n{KEPT}\n- Also Called: "Hide"\n', ("other-name mod/rules/0.te:3", [], "write `### changes skill: Stealth`")),
        ("1.2.0", f"## skill: Stealth {{#hide}}\n{KEPT}\n", ("unknown-target mod/rules/0.te:3", [], f"it was `Hide, a skill: {KEPT}`; Stealth says the same now")),
        ("1.3.0", f"## skill: Stealth\n{KEPT}\n## skill: Hide\nThe skin of an animal, scraped.\n",
         ("stale-patch mod/rules/0.te:4", ["base/rules/0.te:24"], "read both; if the change still holds, `te-forge lock . --review base:skill/hide#starts`")),
    ],
)  # fmt: skip
def test_d05_a_lock_knows_what_was_meant(tmp_path: Path, version: str, skills: str, found: tuple[str, list[str], str]) -> None:
    """The three later versions of the base, against a lock that was written for 1.0: never another thing of the same id in silence."""
    renamed(tmp_path, "1.0.0", f"## skill: Hide\n{KEPT}\n")
    assert CliRunner().invoke(cli, ["lock", str(tmp_path / "mod")]).exit_code == 0
    assert [(*where(one), one.help) for one in renamed(tmp_path, version, skills).diagnostics] == [found]


def test_d05_a_base_that_speaks_of_its_own_expansion_is_told(tmp_path: Path) -> None:
    folder = pack(
        tmp_path, "base", [BASE + SKILLS + "\n## rule: Look\nSee [[Check Your Gear]].\n- Look: after gain of Luck by a hero: the hero gains 1 Gear\n"]
    )
    pack(
        tmp_path,
        "more",
        ["# More\n## pool: Gear\n- Of: a hero\n## rule: Check Your Gear\n- Check: after gain of Gear: each hero gains 1 Luck\n"],
        ["base"],
    )
    found = errors(load(str(folder)))
    assert [where(one)[0] for one in found] == ["broken-link base/rules/0.te:29", "unknown-name base/rules/0.te:30"]


# ---------------------------------------------------------------- D07: a change is no copy

WARRIOR = """\
## kind: vow
- Is: a trait of a hero

| vow     | text |
|---------|------|
| Silence | Shh. |
| Wrath   | Grr. |

## kind: calling
- Is: a trait of a hero

| label | holds           | default | text    |
|-------|-----------------|---------|---------|
| Vows  | a group of vows | nothing | sworn   |
| Scars | a group of vows | nothing | carried |

## calling: Warrior
- Vows: Wrath
"""
SWEAR = "### changes calling: Warrior\n- Vows: with Silence\n"


@ORDERS
def test_d07_a_change_makes_no_second_thing(tmp_path: Path, turned: bool) -> None:
    """Two packs put the same vow in: it is there once, and so is the Warrior."""
    loaded = game(tmp_path, WARRIOR, "## hack: Vow\n" + SWEAR, "## hack: Oath\n" + SWEAR, ["Vow", "Oath"], turned)
    system = played(loaded)
    assert [one.name for one in system.of_kind("calling")] == ["Warrior"]
    assert field(system, "calling", "Warrior", "vows") == "Wrath, Silence" and loaded.diagnostics == []


def test_d07_defining_it_again_is_refused_with_the_way_to_change_it(tmp_path: Path) -> None:
    pack(tmp_path, "base", [BASE + WARRIOR])
    pack(tmp_path, "mod", ["# Mod\n## calling: Warrior\n- Vows: Silence\n"], ["base"])
    (one,) = errors(load(str(tmp_path / "mod")))
    assert where(one) == ("duplicate-name mod/rules/0.te:2", ["base/rules/0.te:38"])
    assert one.message == "there is already a calling called `Warrior`, in base" and "`### changes calling: Warrior`" in one.help


@pytest.mark.parametrize(("scars", "made"), [("", "Silence"), ("- Scars: Wrath\n", "Wrath, Silence")], ids=["not stated", "stated"])
def test_d07_a_list_is_added_to_whether_or_not_it_is_stated(tmp_path: Path, scars: str, made: str) -> None:
    pack(tmp_path, "base", [BASE + WARRIOR + scars])
    pack(tmp_path, "mod", ["# Mod\n## hack: Scarred\n### changes calling: Warrior\n- Scars: with Silence\n"], ["base"], ["Scarred"])
    loaded = load(str(tmp_path / "mod"))
    assert field(played(loaded), "calling", "Warrior", "scars") == made and loaded.diagnostics == []


def test_d07_a_list_that_nothing_declares_is_declared_first(tmp_path: Path) -> None:
    pack(tmp_path, "base", [BASE + WARRIOR])
    pack(tmp_path, "mod", ["# Mod\n## hack: Marked\n### changes calling: Warrior\n- Marks: with Silence\n"], ["base"], ["Marked"])
    (one,) = errors(load(str(tmp_path / "mod")))
    assert where(one) == ("unknown-field mod/rules/0.te:4", []) and "`## kind: calling`" in one.help
    table = "### changes kind: calling\n\n| label | holds           | default | text   |\n|-------|-----------------|---------|--------|\n| Marks | a group of vows | nothing | borne  |\n\n"
    pack(tmp_path, "mod", ["# Mod\n## hack: Marked\n" + table + "### changes calling: Warrior\n- Marks: Silence\n"], ["base"], ["Marked"])
    assert field(played(load(str(tmp_path / "mod"))), "calling", "Warrior", "marks") == "Silence"


# ---------------------------------------------------------------- D09: circles

EMPTY = "# Page\nText.\n## kind: gm\n- Is: an actor\n"


@pytest.mark.parametrize(
    ("start", "path"), [("ann", "ann -> ben -> cid -> ann"), ("ben", "ben -> cid -> ann -> ben"), ("cid", "cid -> ann -> ben -> cid")]
)
def test_d09_a_circle_of_packs_is_printed_as_a_path(tmp_path: Path, start: str, path: str) -> None:
    for one, other in (("ann", "ben"), ("ben", "cid"), ("cid", "ann")):
        pack(tmp_path, one, [EMPTY], [other])
    (found,) = errors(load(str(tmp_path / start)))
    assert where(found) == (f"circular-requires {start}/pack.yaml:5", []) and found.message == "these packs require each other: " + path


def test_d09_what_is_missing_is_named_however_deep(tmp_path: Path) -> None:
    pack(tmp_path, "ann", [EMPTY], ["ben"])
    pack(tmp_path, "ben", [EMPTY], ["nowhere"])
    (one,) = errors(load(str(tmp_path / "ben")))
    assert where(one) == ("missing-pack ben/pack.yaml:5", []) and one.message == "the pack `nowhere` is not here"
    (one,) = errors(load(str(tmp_path / "ann")))
    assert where(one) == ("broken-pack ann/pack.yaml:5", ["ben/pack.yaml:5"]) and one.labels[0].text == "the pack `nowhere` is not here"


def test_d09_there_is_no_order_to_ask_for(tmp_path: Path) -> None:
    """Packs cannot ask to be read before or after another, so those wishes cannot go round in a circle either."""
    folder = pack(tmp_path, "ann", [EMPTY])
    with (folder / "pack.yaml").open("a", encoding="utf-8") as file:
        file.write("after: [ben]\n")
    (one,) = errors(load(str(folder)))
    assert where(one) == ("unknown-pack-field ann/pack.yaml:4", [])


RING = "## hack: A\n- Needs: {a}\n### changes pool: Luck\n- Starts: 1\n## hack: B\n- Needs: {b}\n### changes pool: Luck\n- Starts: 2\n## hack: C\n- Needs: {c}\n### changes pool: Luck\n- Starts: 3\n"


@pytest.mark.parametrize(("needs", "path"), [("BCA", "A -> B -> C -> A"), ("CAB", "A -> C -> B -> A")])
@pytest.mark.parametrize("on", [["A", "B", "C"], []], ids=["on", "off"])
def test_d09_hacks_that_need_each_other(tmp_path: Path, needs: str, path: str, on: list[str]) -> None:
    """Each would have the last word. It is said once, whether they are on or not."""
    pack(tmp_path, "base", [BASE + SKILLS])
    pack(tmp_path, "mod", ["# Mod\n" + RING.format(a=needs[0], b=needs[1], c=needs[2])], ["base"], on)
    (one,) = errors(load(str(tmp_path / "mod")))
    assert where(one) == ("circular-needs mod/rules/0.te:3", []) and one.message == "these hacks need each other: " + path


# ---------------------------------------------------------------- D11: arithmetic

HALF_MORE, FOUR, TWELVE, CAP = "150 percent rounded down", "4 more", "12", "at most 15"


@ORDERS
@pytest.mark.parametrize(
    ("lines", "made"),
    [
        ([HALF_MORE, FOUR], "21"), ([TWELVE, HALF_MORE, FOUR], "24"), ([HALF_MORE, FOUR, CAP], "15"), ([TWELVE, HALF_MORE, FOUR, CAP], "15"), ([TWELVE, CAP], "12"),
        ([HALF_MORE, "3 more"], "19"), (["150 percent rounded up", "3 more"], "20"), (["150 percent rounded up", "3 more", "100 percent rounded down"], "19"),
        ([HALF_MORE, HALF_MORE], "22"), (["2 times as much", "1 less", "at least 20"], "20"), (["at least 30", CAP], "15"),
    ],
)  # fmt: skip
def test_d11_set_add_multiply_bound(tmp_path: Path, lines: list[str], made: str, turned: bool) -> None:
    """Whatever the order of hacks and files: 10 + 4, times one and a half, is 21, and set to 12 it is 24. Rounded once; down, if anybody says so."""
    pack(tmp_path, "base", [BASE + SKILLS])
    hacks = [f"# {number}\n## hack: H {'ABCD'[number]}\n### changes pool: Luck\n- Starts: {line}\n" for number, line in enumerate(lines)]
    names = [f"H {letter}" for letter in "ABCD"[: len(lines)]]
    pack(tmp_path, "mod", hacks[::-1] if turned else hacks, ["base"], names[::-1] if turned else names)
    assert field(played(load(str(tmp_path / "mod"))), "pool", "Luck", "starts") == made


@ORDERS
def test_d11_every_step_is_explained_with_its_hack(tmp_path: Path, turned: bool) -> None:
    pack(tmp_path, "base", [BASE + SKILLS])
    hacks = [
        f"# {number}\n## hack: H {'ABCD'[number]}\n### changes pool: Luck\n- Starts: {line}\n"
        for number, line in enumerate((TWELVE, HALF_MORE, FOUR, CAP))
    ]
    names = [f"H {letter}" for letter in "ABCD"]
    folder = pack(tmp_path, "mod", hacks[::-1] if turned else hacks, ["base"], names[::-1] if turned else names)
    shown = CliRunner().invoke(cli, ["explain", str(folder), "Luck.Starts"]).stdout
    steps = [line.strip().partition("  (")[0] for line in shown.splitlines() if line.startswith("  ")]
    assert steps == ["10", "H A: 12", "H C: 4 more", "so: 16", "H B: 150 percent rounded down", "so: 24", "H D: at most 15", "so: 15"]
    assert {f"mod/rules/{3 - number if turned else number}.te:4" for number in range(4)} == set(re.findall(r"mod/rules/\d.te:\d+", shown))


@ORDERS
def test_d11_a_formula_says_all_steps(tmp_path: Path, turned: bool) -> None:
    base = SKILLS + "\n## pool: Hope\n- Of: the gm\n- Starts: number of heroes + 2\n"
    loaded = game(
        tmp_path,
        base,
        "## hack: A\n### changes pool: Hope\n- Starts: 150 percent rounded up\n",
        "## hack: B\n### changes pool: Hope\n- Starts: 4 more\n",
        ["A", "B"],
        turned,
    )
    assert field(played(loaded), "pool", "Hope", "starts") == "((number of heroes + 2) + 4) x 3 / 2 rounded up"


@ORDERS
def test_d11_two_values_for_one_number_quarrel(tmp_path: Path, turned: bool) -> None:
    loaded = game(
        tmp_path,
        SKILLS,
        "## hack: A\n### changes pool: Luck\n- Starts: 12\n",
        "## hack: B\n### changes pool: Luck\n- Starts: 13\n",
        ["A", "B"],
        turned,
    )
    (one,) = errors(loaded)
    assert one.code == "patch-conflict" and one.span.file == "game/pack.yaml"
    assert {(label.span.file, label.span.line) for label in one.labels} == (
        {("ann/rules/0.te", 4), ("ben/rules/0.te", 4)} if not turned else {("ann/rules/0.te", 4), ("zoe/rules/0.te", 4)}
    )


def test_d11_below_the_least(tmp_path: Path) -> None:
    pack(tmp_path, "base", [BASE + SKILLS])
    pack(tmp_path, "mod", ["# Mod\n## hack: Poor\n### changes pool: Luck\n- Starts: 20 less\n"], ["base"], ["Poor"])
    (one,) = errors(load(str(tmp_path / "mod")))
    assert where(one)[0] == "impossible-bounds mod/rules/0.te:4" and one.message == "with this, `Luck` has At Least 0 above Starts -10"


# ---------------------------------------------------------------- D13: the nearest says it; and again, and again

UNDEAD = """\
## kind: dead
- Is: an actor

| label | holds    | default  | text          |
|-------|----------|----------|---------------|
| Title | a text   | "Undead" | on the tomb   |
| Teeth | a number | 2        | how many      |

## dead: Bloated Corpse
- Title: "Bloated Corpse"
"""


def test_d13_what_stands_nearest_wins_also_for_the_name(tmp_path: Path) -> None:
    pack(tmp_path, "base", [BASE + SKILLS + "\n" + UNDEAD])
    hack = '# Mod\n## hack: Old Bones\n### changes kind: dead\n\n| label | holds    | default   | text        |\n|-------|----------|-----------|-------------|\n| Title | a text   | "Restless" | on the tomb |\n| Teeth | a number | 4         | how many    |\n'
    pack(tmp_path, "mod", [hack], ["base"], ["Old Bones"])
    system = played(load(str(tmp_path / "mod")))
    corpse = entry(system, "dead", "Bloated Corpse")
    assert (corpse.name, plain(corpse.fields["title"].words)) == ("Bloated Corpse", '"Bloated Corpse"')
    assert "teeth" not in corpse.fields and plain((entry(system, "kind", "dead").slots["Teeth"].usual,)) == "4"


def test_d13_the_same_mistakes_every_time_and_all_of_them(tmp_path: Path) -> None:
    """Loaded twice in one process: the same list, the first cause first."""
    pages = [
        "# One\n## hack: A\n### changes pool: Lick\n- Starts: 1\n### changes pool: Luck\n- Starts: fast\n",
        "# Two\n## hack: B\n### deletes pool: Luk\n### changes skill: Aim\n- Wounds: 3\n",
    ]
    pack(tmp_path, "base", [BASE + SKILLS])
    pack(tmp_path, "mod", pages, ["base"], ["A", "B"])
    first, second = (load(str(tmp_path / "mod")).diagnostics for _ in range(2))
    assert first == second
    assert [(one.span.file, one.span.line) for one in first] == [
        ("mod/rules/0.te", 3),
        ("mod/rules/0.te", 6),
        ("mod/rules/1.te", 3),
        ("mod/rules/1.te", 5),
    ]


def test_d13_on_off_and_on_again_is_on(tmp_path: Path) -> None:
    pack(tmp_path, "base", [BASE + BEASTS])
    text = '# Mod\n## hack: Salty\n### bane: Brine\n### changes beast: Wolf\n- Weak To: with Brine, without Fire\n### renames bane: Gold\n- To: "Brass"\n### deletes bane: Salt\n'
    pack(tmp_path, "mod", [text], ["base"])
    system = load(str(tmp_path / "mod")).system
    assert system is not None
    on = compose(system, ["mod:hack/salty"])
    off = compose(system)
    again = compose(system, ["mod:hack/salty"])
    assert on == again and on.system != off.system and compose(system) == off
    assert field(on.system, "beast", "Wolf", "weak-to") == "Silver, Brine"
    assert field(off.system, "beast", "Wolf", "weak-to") is None and "mod:bane/brine" not in off.system.entries


# ---------------------------------------------------------------- D14: whatever hangs on a thing

MAGIC = """\
| skill     | text      |
|-----------|-----------|
| Aim       | Shooting. |
| Mysticism | Spells.   |
| Knowledge | Books.    |

## kind: calling
- Is: a trait of a hero

| label | holds    | default | text      |
|-------|----------|---------|-----------|
| Gives | a change | nothing | from here |

## calling: Wizard
- Gives: Mysticism +1, Aim +1

## kind: gift
- Is: a trait of a hero

## gift: Sorcery
- Cost: 1 Luck
- Mend: the owner may pay: the owner gains Luck equal to the owner's Mysticism

## table: Omens

| d2 | row  | text     | effect                      |
|----|------|----------|-----------------------------|
| 1  | Sign | A sign.  | each hero gains 1 Mysticism |
| 2  | None | Nothing. | -                           |

## rule: Old Words
Who knows [[Mysticism]] knows pain.
- Pain: after gain of Luck by a hero: the hero gains 1 Luck
"""
DULL = "## hack: Dull\n### deletes skill: Mysticism\n"
BOLT = "## hack: Bolts\n### gift: Bolt\n- Cost: 1 Luck\n- Bolt: the owner may pay: the owner gains Luck equal to the owner's Mysticism\n"
USERS = ["base/rules/0.te:37", "base/rules/0.te:44", "base/rules/0.te:50", "base/rules/0.te:54"]
"""The calling that gives it, the gift that uses it, the row of the table, the link in prose."""


def test_d14_every_user_is_listed(tmp_path: Path) -> None:
    pack(tmp_path, "base", [BASE + "\n" + MAGIC])
    pack(tmp_path, "mod", ["# Mod\n" + DULL], ["base"])
    (one,) = errors(load(str(tmp_path / "mod")))
    assert where(one) == ("still-used mod/rules/0.te:3", USERS)
    assert one.message == "Mysticism is deleted, and Wizard and 2 others still use it" and "`- Successor: ..`" in one.help
    assert [label.text for label in one.labels] == ["Wizard, Gives", "Sorcery, Mend", "Omens, Sign", "Old Words, prose"]


CLEAN = """\
### changes calling: Wizard
- Gives: Aim +1
### deletes gift: Sorcery
### changes table: Omens

| row  | effect  |
|------|---------|
| Sign | nothing |

### changes rule: Old Words
Nobody knows anything.
"""


@ORDERS
def test_d14_removing_the_users_too(tmp_path: Path, turned: bool) -> None:
    """With what hangs on it changed or gone, nothing is left to say, until another pack brings a user that nobody could know of."""
    system = played(game(tmp_path, MAGIC, DULL + CLEAN, BOLT, ["Dull"], turned))
    assert [one.name for one in system.of_kind("skill")] == ["Aim", "Knowledge"] and not system.of_kind("gift")
    (one,) = errors(game(tmp_path, MAGIC, DULL + CLEAN, BOLT, ["Dull", "Bolts"], turned))
    assert one.code == "still-used" and one.span.file == "game/pack.yaml" and one.message == "Mysticism is deleted, and Bolt still uses it"
    dull, bolts = ("ann", "ben") if not turned else ("zoe", "ann")
    assert [f"{label.span.file}:{label.span.line}" for label in one.labels] == [f"{dull}/rules/0.te:3", f"{bolts}/rules/0.te:5"]


@ORDERS
def test_d14_another_one_takes_over_everywhere(tmp_path: Path, turned: bool) -> None:
    loaded = game(tmp_path, MAGIC, DULL + "- Successor: Knowledge\n", BOLT, ["Dull", "Bolts"], turned)
    system = played(loaded)
    assert loaded.diagnostics == []
    assert field(system, "calling", "Wizard", "gives") == "Knowledge +1, Aim +1"
    assert {plain(entry(system, "gift", name).lines[0].words) for name in ("Sorcery", "Bolt")} == {
        "the owner may pay: the owner gains Luck equal to the owner's Knowledge"
    }
    assert plain(entry(system, "rule", "Old Words").prose[0].words) == "Who knows Knowledge knows pain."


def test_d14_only_prose_speaks_of_it(tmp_path: Path) -> None:
    pack(tmp_path, "base", [BASE + "\n" + MAGIC])
    pack(tmp_path, "mod", ["# Mod\n" + DULL + CLEAN.partition("### changes rule")[0]], ["base"])
    (one,) = load(str(tmp_path / "mod")).diagnostics
    assert (one.severity, *where(one)) == ("warning", "still-named mod/rules/0.te:3", ["base/rules/0.te:54"])


def test_d14_taking_it_from_one_leaves_it_to_the_others(tmp_path: Path) -> None:
    pack(tmp_path, "base", [BASE + "\n" + MAGIC])
    pack(tmp_path, "mod", ["# Mod\n## hack: Dull\n### changes calling: Wizard\n- Gives: Aim +1\n"], ["base"], ["Dull"])
    loaded = load(str(tmp_path / "mod"))
    system = played(loaded)
    assert field(system, "calling", "Wizard", "gives") == "Aim +1" and loaded.diagnostics == []
    assert entry(system, "skill", "Mysticism").name == "Mysticism" and "Mysticism" in plain(entry(system, "gift", "Sorcery").lines[0].words)
