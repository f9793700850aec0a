"""One line gives a thing another name: in prose and rules, compound names, titles, tables, sheets, logs, messages and every page of the book."""

from __future__ import annotations

import html
import re
import shutil
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from click.testing import CliRunner
from test_compose import BASE, INFO, composed, field, good, hack, line, lines, plain, step

from te_forge.check import check
from te_forge.cli import cli
from te_forge.compare import compare, game
from te_forge.compose import compose
from te_forge.compose.chosen import chosen
from te_forge.compose.finding import find
from te_forge.compose.history import Historian
from te_forge.diagnostics import Findings
from te_forge.examples import play_all
from te_forge.model.rules import Thing
from te_forge.model.system import Prose, System
from te_forge.packs import load
from te_forge.renaming import Renaming
from te_forge.source import Source, Span

# ---------------------------------------------------------------- words


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Luck and luck.", "Fate and luck."),
        ("Luck's end, the Lucks of two, Luck-driven.", "Fate's end, the Fates of two, Fate-driven."),
        ("Lucky, Luckless and Unluck stay.", "Lucky, Luckless and Unluck stay."),
        ("The Luck Table, a Luck\npoint.", "The Fate Table, a Fate\npoint."),
        ("An Art of War, an Art, a Fate.", "A War Art, a War Art, a Fate."),
        ("A Foe. The Foe's foes.", "An Enemy. The Enemy's foes."),
        ("Foes", "Enemies"),
        ("The Luck Engine, and Luck.", "The Luck Engine, and Fate."),
        ("The Ape’s Luck", "The Ox Fate"),
    ],
)
def test_a_name_in_a_text(text: str, expected: str) -> None:
    renaming = Renaming({"Luck": "Fate", "Art of War": "War Art", "Art": "War Art", "Foe": "Enemy", "Ape's Luck": "Ox Fate"}, ["The Luck Engine"])
    assert renaming(text) == expected


def test_other_languages_have_other_plurals_and_articles() -> None:
    renaming = Renaming({"Energie": "Kraft", "Ohr": "Nase"}, english=False)
    assert renaming("An Energie fehlt es. Ohrs Energies Ende, Energie.") == "An Kraft fehlt es. Ohrs Energies Ende, Kraft."


def test_a_thousand_names_are_as_one() -> None:
    many = Renaming({"Luck": "Fate", **{f"Name {number}": f"New {number}" for number in range(1000)}}, ["The Luck Engine"])
    assert many("A Luck, the Name 999, the Name 1000, The Luck Engine and Lucks.") == "A Fate, the New 999, the Name 1000, The Luck Engine and Fates."


def test_names_change_places_at_once() -> None:
    assert Renaming({"Day": "Night", "Night": "Day"})("Day and Night") == "Night and Day"


# ---------------------------------------------------------------- a little game

MORE = """
# Luck and Lines

Luck is all. An hour of Luck's grace, and [[Luck]] again.

> Luck is a quotation.

## kind: charm
- Is: an entry

| label      | holds    | default | text            |
|------------|----------|---------|-----------------|
| Luck Price | a number | 1       | what Luck costs |

## charm: Coin of Luck
- Luck Price: 3

## rule: Luck Falls
- Luck Turns: after Leap: each hero loses Luck equal to (the Coin of Luck's Luck Price)

## table: Omens

| d6  | row      | text                    |
|-----|----------|-------------------------|
| 1-5 | Luck Out | No Luck.                |
| 6   | Luck In  | "Luck!" says everybody. |

## hack: New Words
Luck is called otherwise here.
### renames pool: Luck
- To: "Ill Fate"
"""


@cache
def renamed() -> System:
    system, found = check([Source("base.te", BASE + MORE.replace("(the Coin of Luck's Luck Price)", "1"))], INFO)
    assert system is not None and [one for one in found if one.severity == "error"] == []
    made = compose(system, ["small:hack/new-words"])
    assert [one for one in made.diagnostics if one.severity == "error"] == []
    return made.system


NEW_NAMES = """
# Ill Fate and Lines

Ill Fate is all, and [[Coin of Ill Fate]], and [[High Bound]].

## kind: charm
- Is: an entry

## charm: Coin of Luck
Round.

## procedure: High Leap
- Outcomes: Over, Under
1. Go. Jump.
   - Over: end with Over

## rule: Luck Falls
- Luck Turns: after High Bound ending in Over: each hero gains 1 Ill Fate

## hack: New Words
### renames pool: Luck
- To: "Ill Fate"

### renames procedure: Leap
- To: "Bound"

### changes pool: Ill Fate
- Starts: 2

### changes rule: Ill Fate Falls
- Luck Turns: after High Leap ending in Over: each hero gains 2 Luck

### renames hack: Other Words
- To: "Few Words"

## hack: Other Words
### changes rule: Ill Fate Falls
Otherwise.
"""


def test_a_pack_may_write_the_new_names_of_all_that_has_an_old_one_in_its_own() -> None:
    system, found = check([Source("base.te", BASE), Source("more.te", NEW_NAMES)], INFO)
    assert system is not None and [one for one in found if one.severity == "error" or one.code == "other-name"] == []
    made = compose(system, ["small:hack/new-words"])
    assert [one for one in made.diagnostics if one.severity == "error"] == []
    off = compose(system, []).system
    assert ["".join(plain(item.words) for item in one.chapters[1].items if isinstance(item, Prose)) for one in (made.system, off)] == [
        "Ill Fate is all, and Coin of Ill Fate, and High Bound.", "Ill Fate is all, and Coin of Luck, and High Leap.",
    ]  # fmt: skip


def test_another_alias_in_a_change_is_still_told() -> None:
    text = NEW_NAMES.replace("## charm: Coin of Luck\n", '## charm: Coin of Luck\n- Also Called: "Penny"\n') + "### changes charm: Penny\nSquare.\n"
    _, found = check([Source("base.te", BASE), Source("more.te", text)], INFO)
    assert [one.message for one in found if one.code == "other-name"] == ["`Penny` is another name of Coin of Luck"]


def test_whoever_asks_or_switches_on_may_use_the_new_names() -> None:
    system, _ = check([Source("base.te", BASE), Source("more.te", NEW_NAMES)], INFO)
    assert system is not None
    findings = Findings()
    assert chosen(system, [("Few Words", Span("pack.yaml", 1, 1, 1))], findings) == ("small:hack/other-words",)
    assert list(findings) == []
    assert find("Coin of Ill Fate", Historian(system, [])).entry.id == "small:charm/coin-of-luck"
    assert find("High Bound.Go", Historian(system, [])).entry.id == "small:procedure/high-leap"


def test_prose_headings_and_quotations() -> None:
    chapter = renamed().chapters[1]
    assert (chapter.title, chapter.id) == ("Ill Fate and Lines", "small:chapter/luck-and-lines")
    said = "".join(plain(item.words) for item in chapter.items if isinstance(item, Prose))
    assert "Ill Fate is all. An hour of Ill Fate's grace, and Ill Fate again." in said
    assert "> Luck is a quotation." in said


def test_compound_names_labels_and_fields() -> None:
    system = renamed()
    coin = system.entries["small:charm/coin-of-luck"]
    assert (coin.name, coin.aliases) == ("Coin of Ill Fate", ("Coin of Luck",))
    assert [(key, one.label, plain(one.words)) for key, one in coin.fields.items()] == [("ill-fate-price", "Ill Fate Price", "3")]
    kind = system.entries["small:kind/charm"]
    assert [(key, slot.name, slot.text) for key, slot in kind.slots.items()] == [("Ill Fate Price", "Ill Fate Price", "what Ill Fate costs")]
    assert [one.label for one in system.entries["small:rule/luck-falls"].lines] == ["Ill Fate Turns"]
    table = system.entries["small:table/omens"].table
    assert table is not None
    assert [(row.name, row.id) for row in table.rows] == [("Ill Fate Out", "luck-out"), ("Ill Fate In", "luck-in")]
    assert plain(table.rows[1].cells["text"].words) == '"Ill Fate!" says everybody.'


def test_the_hack_that_renames_may_speak_of_the_old_name() -> None:
    (prose,) = renamed().entries["small:hack/new-words"].prose
    assert plain(prose.words) == "Luck is called otherwise here."


def test_an_article_in_front_of_a_link() -> None:
    system, _ = check(
        [
            Source(
                "base.te", BASE + '\n# Hacks\n## trick: Roll\nAn hour, a [[Might]] and a Might.\n## hack: H\n### renames gift: Might\n- To: "Oomph"\n'
            )
        ],
        INFO,
    )
    assert system is not None
    (prose,) = compose(system, ["small:hack/h"]).system.entries["small:trick/roll"].prose
    assert plain(prose.words) == "An hour, an Oomph and an Oomph."


def test_a_name_of_its_own_goes_before_a_compound_one() -> None:
    text = "## pool: Luck Store\n- Of: a hero\n" + hack("H", '### renames pool: Luck\n- To: "Fate"\n### renames pool: Luck Store\n- To: "Vault"\n')
    assert good(text, "h").entries["small:pool/luck-store"].name == "Vault"


def test_a_taken_compound_name_stays_as_it_is() -> None:
    text = "## pool: Luck Store\n- Of: a hero\n## pool: Fate Store\n- Of: a hero\n" + hack("H", '### renames pool: Luck\n- To: "Fate"\n')
    system = good(text, "h")
    assert (system.entries["small:pool/luck-store"].name, system.entries["small:pool/fate-store"].name) == ("Luck Store", "Fate Store")


def test_a_new_name_with_the_old_one_in_it() -> None:
    system = good(hack("H", '### renames pool: Luck\n- To: "Ill Luck"\n'))
    assert lines(step(system, "procedure/leap", "Ready"))[1] == "Breath: if the leaper's Might is above 3: the leaper gains 1 Ill Luck"
    assert plain(line(step(system, "procedure/leap", "Go"), "Way", "Low").words) == "the leaper may: the leaper gains 1 Ill Luck"
    assert field(system, "pool/doom", "starts")[0] == "greater of number of heroes and 2"


def test_a_new_name_is_the_only_difference() -> None:
    system, _ = check([Source("base.te", BASE + MORE.replace("(the Coin of Luck's Luck Price)", "1"))], INFO)
    assert system is not None
    found = compare(game(system), game(system, ["small:hack/new-words"]))
    assert {(one.verb, one.part) for one in found.changes} == {("added", "switch"), ("renamed", "entry")}
    assert all(one.by == ("small:hack/new-words",) for one in found.of("renamed"))


# ---------------------------------------------------------------- the engine under other names (SRD-52)

HEAD = """\
id: dread
title: Dread
version: 0.1.0
requires:
  srd-core: ">=1.0,<2"
hacks:
  - Other Words
"""
RULES = """\
# The Clock

Nothing else is different.

## hack: Other Words
Two things have names of their own here.
### renames attribute: Vigor
- To: "Might"
### renames pool: Tension
- To: "Dread Clock"
### renames skill: Melee
- To: "Brawl"
"""
OLD = re.compile(r"(?<![\w-])(?:Vigor|Tension)(?!\w)")


@pytest.fixture(scope="module")
def dread(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("packs") / "dread"
    (folder / "rules").mkdir(parents=True)
    sources = Path(load("srd-core").root / "pack.yaml").read_text(encoding="utf-8")
    owed = sources[sources.index("sources:") :]
    (folder / "pack.yaml").write_text(HEAD + owed, encoding="utf-8")
    (folder / "rules/01.te").write_text(RULES, encoding="utf-8")
    return folder


@pytest.fixture(scope="module")
def book(dread: Path) -> Iterator[Path]:
    out = dread.parent / "book"
    result = CliRunner().invoke(cli, ["build", str(dread), "-o", str(out)])
    assert result.exit_code == 0, result.output
    yield out
    shutil.rmtree(out)


def spoken(page: Path) -> str:
    """What a page says for itself: without the frame of the book and without notices, which are somebody's own words."""
    text = page.read_text(encoding="utf-8")
    main = re.search(r"<main.*?</main>", text, re.S)
    assert main is not None
    out = main[0]
    for quiet in (
        r"<footer.*?</footer>",
        r"<blockquote.*?</blockquote>",
        r'<p class="also">.*?</p>',
        r'<p class="mark">.*?</p>',
        r'<li class="from">.*?</li>',
        r'<p class="built">.*?</p>',
        r"<cite>.*?</cite>",
        r"<pre.*?</pre>",
    ):
        out = re.sub(quiet, "", out, flags=re.S)
    said = html.unescape(re.sub(r"<[^>]+>", "", out))
    return said.replace("Tension Engine SRD", "").replace("Wound by Tension", "")


def test_a_printed_hack_says_the_name_from_before_where_the_game_has_given_the_same(book: Path) -> None:
    said = re.sub(r"\s+", " ", " ".join(spoken(page) for page in sorted(book.glob("*.html"))))
    assert re.search(r"Renames Melee\W+To\W+Brawl", said)
    assert not re.search(r"Renames Brawl\W", said)


def test_the_old_names_stand_on_no_page(book: Path) -> None:
    pages = [page for page in sorted(book.glob("*.html")) if not page.name.startswith("what-changed")]
    assert len(pages) > 30
    found = {page.name: [one for one in spoken(page).splitlines() if OLD.search(one) and ": see " not in one] for page in pages}
    assert {name: said for name, said in found.items() if said} == {}


def test_the_new_names_stand_everywhere_and_links_lead_there(book: Path) -> None:
    home = (book / "index.html").read_text(encoding="utf-8")
    assert '<a href="tension.html">Dread Clock</a>' in home
    pool = (book / "tension.html").read_text(encoding="utf-8")
    assert 'id="e-pool-tension">Dread Clock' in pool and "Also called" in pool
    for page in ("quick-reference", "glossary"):
        assert "Dread Clock" in (book / f"{page}.html").read_text(encoding="utf-8")
    index = "".join(page.read_text(encoding="utf-8") for page in book.glob("alphabetical-index*.html"))
    assert "Vigor: see <a" in index


def test_the_old_names_are_found_by_search(book: Path) -> None:
    rows = (book / "js/search-data.js").read_text(encoding="utf-8")
    assert '["Might","attribute","attributes.html#e-attribute-vigor","Vigor"' in rows


def test_what_changed_tells_of_them(book: Path) -> None:
    said = " ".join(html.unescape(re.sub(r"<[^>]+>", " ", (book / "what-changed.html").read_text(encoding="utf-8"))).split())
    assert "Attribute Vigor is called Might here (by Other Words ) ." in said
    assert "Rule Tension From Ones is called Dread Clock From Ones here (by Other Words ) ." in said


def run(*words: str) -> str:
    result = CliRunner().invoke(cli, list(words))
    assert result.exit_code == 0, result.output
    return result.output


@pytest.mark.parametrize(("attribute", "pool"), [("Might", "Dread Clock"), ("Vigor", "Tension")])
def test_play_and_odds_take_both_names_and_say_the_new_one(attribute: str, pool: str, dread: Path) -> None:
    words = (
        "Environment Conflict",
        "actor=Ann",
        f"{pool}=4",
        f"attribute={attribute}",
        "--policy",
        "plain",
        "--who",
        f"Ann: a Warrior with {attribute} 3 and Athletics 2",
    )
    played = run("roll", str(dread), *words, "--seed", "3")
    assert "Dread Clock" in played and "Might" in played and not OLD.search(played)
    assert not OLD.search(run("odds", str(dread), *words))


def test_sheets_and_logs(dread: Path, tmp_path: Path) -> None:
    ann = tmp_path / "ann.yaml"
    run("character", "new", str(dread), "--seed", "3", "--name", "Ann", "-o", str(ann))
    assert "Might:" in ann.read_text(encoding="utf-8") and not OLD.search(ann.read_text(encoding="utf-8"))
    run("character", "sheet", str(ann), "--pack", str(dread), "-o", str(tmp_path / "ann.html"))
    sheet = (tmp_path / "ann.html").read_text(encoding="utf-8")
    assert "Might" in sheet and not OLD.search(" ".join(sheet.split()).replace("The Tension Engine ©", ""))
    assert not OLD.search(run("play", str(dread), "--all-bots", "--procedures", "4", "--seed", "5"))


# ---------------------------------------------------------------- new names in rules


def test_a_pack_may_use_the_names_that_its_hacks_give() -> None:
    text = (
        BASE
        + '\n# Hacks\n## rule: Grace\n- Grace: after Leap: each hero gains 1 Fate\nIt is [[Fate]].\n## hack: H\n### renames pool: Luck\n- To: "Fate"\n### changes pool: Fate\n- Starts: 1\n'
    )
    system, found = check([Source("base.te", text)], INFO)
    assert system is not None
    assert [one.code for one in found if one.severity == "error" or one.code == "other-name"] == []
    made = compose(system, ["small:hack/h"]).system
    assert plain(made.entries["small:rule/grace"].lines[0].words) == "after Leap: each hero gains 1 Fate"
    assert field(made, "pool/luck", "starts")[0] == "1"
    off = compose(system, []).system
    assert plain(off.entries["small:rule/grace"].lines[0].words) == "after Leap: each hero gains 1 Luck"


def test_a_name_that_something_has_stays_with_it() -> None:
    text = (
        BASE
        + '\n# Hacks\n## pool: Fate\n- Of: a hero\n- Starts: 9\n## rule: Grace\n- Grace: after Leap: each hero gains 1 Fate\n## hack: H\n### deletes pool: Fate\n- Successor: Doom\n### renames pool: Luck\n- To: "Fate"\n'
    )
    system, _ = check([Source("base.te", text)], INFO)
    assert system is not None
    assert "small:pool/fate" in str(system.entries["small:rule/grace"].lines[0].words)


def test_a_game_may_use_the_names_of_a_hack_that_it_switches_on(tmp_path: Path) -> None:
    folder = tmp_path / "brawl"
    (folder / "rules").mkdir(parents=True)
    head = (load("srd-core").root / "pack.yaml").read_text(encoding="utf-8")
    (folder / "pack.yaml").write_text(
        'id: brawl\ntitle: Brawl\nversion: 0.1.0\nrequires:\n  srd-core: ">=1.0,<2"\nhacks:\n  - Darker Woods\n' + head[head.index("sources:") :],
        encoding="utf-8",
    )
    (folder / "rules/01.te").write_text(
        "# Taverns\n\nWhere [[Brawl]] is learnt.\n\n## rule: Last Round\n- Round: after Environment Conflict ending in Failure: each character gains 1 Nerve\n",
        encoding="utf-8",
    )
    assert [one.message for one in load(str(folder)).diagnostics] == []


# ---------------------------------------------------------------- kinds

ETTIN = hack("Words", '### renames kind: monster\n- To: "ettin"\n')
HEROES = hack("Words", '### renames kind: hero\n- To: "knight"\n- Plural: "knyghts"\n')
CAVE = """## rule: Monster Hunt
Every monster counts; Monsters bite. A monster, the [[monster]]'s den, a side-monster, a monstrous one, monsters.
- Hunt: after gain of Doom: for each monster as the prey: the gm says "a monster is here"
- Flight: after loss of Doom: for each hero with Jump: the hero gains 1 Luck
"""


def test_a_kind_has_another_name_in_rules_and_prose() -> None:
    system = good(CAVE + ETTIN)
    hunt = system.entries["small:rule/monster-hunt"]
    assert hunt.name == "Ettin Hunt"
    assert [plain(one.words) for one in hunt.prose] == [
        "Every ettin counts; Ettins bite. An ettin, the ettin's den, a side-ettin, a monstrous one, ettins."
    ]
    assert plain(hunt.lines[0].words) == 'after gain of Doom: for each ettin as the prey: the gm says "an ettin is here"'
    assert "monster" not in repr(hunt.lines[0].meaning)
    assert system.entries["small:monster/ogre"].kind == "ettin"
    assert system.entries["small:kind/monster"].name == "ettin" and "monster" in system.entries["small:kind/monster"].aliases
    assert (system.kinds["ettin"].id, system.kinds["ettin"].plural) == ("small:kind/monster", "ettins") and "monster" not in system.kinds


def test_its_plural_may_be_stated_and_who_carries_it_knows() -> None:
    system = good(CAVE + HEROES)
    assert system.kinds["knight"].plural == "knyghts" and system.kinds["gift"].of == ("knight",)
    assert plain(system.entries["small:pool/doom"].fields["starts"].words) == "greater of number of knyghts and 2"
    assert plain(system.entries["small:rule/monster-hunt"].lines[1].words) == "after loss of Doom: for each knight with Jump: the knight gains 1 Luck"
    assert system.entries["small:procedure/leap"].locals["leaper"].kind == "knight"


def test_a_kind_that_is_renamed_plays_as_before() -> None:
    text = "## example: A Leap\n- Ann: a hero with Might 4\n1. Up.\n   - do Leap with Ann as the leaper as the way\n   - the gm picks High\n   - expect the way is Over\n"
    [result] = play_all(good(CAVE + text + HEROES))
    assert list(result.diagnostics) == []


def test_rules_of_the_pack_may_use_the_new_name() -> None:
    text = (
        ETTIN
        + '## ettin: Gnome\n- Teeth: 1\n\n| ettin | Teeth |\n|-------|-------|\n| Goblin | 1 |\n\n## rule: Den\nSee [[ettin]] and [[Ettin Hunt]].\n- Den: after gain of Doom: for each ettin as the prey: the gm says "there"\n- All: while Doom is above number of ettins: the gm cannot gain Doom\n'
    )
    system = good(CAVE + text)
    assert {entry.id for entry in system.entries.values() if entry.kind == "ettin"} >= {
        "small:monster/gnome",
        "small:monster/goblin",
        "small:monster/ogre",
    }
    assert plain(system.entries["small:rule/den"].lines[1].words) == "while Doom is above number of ettins: the gm cannot gain Doom"


def test_other_kinds_and_the_language_keep_their_words() -> None:
    text = "## kind: side-monster\n- Is: an entry\n\n## kind: group\n- Is: an actor\n- How Many: 1\n\n## side-monster: Imp\nA side-monster, one of the side-monsters of monsters.\n"
    system = good(text + hack("Words", '### renames kind: monster\n- To: "ettin"\n### renames kind: group\n- To: "party"\n'))
    assert [plain(one.words) for one in system.entries["small:side-monster/imp"].prose] == ["A side-monster, one of the side-monsters of ettins."]
    tricks = system.entries["small:kind/monster"].slots["Tricks"]
    assert tricks.holds.name == "group" and plain(tricks.words) == "a group of tricks"


def test_an_option_that_is_called_as_the_kind() -> None:
    text = "## kind: beast\n- Is: an entry\n\n| label | holds                    | default | text |\n|-------|--------------------------|---------|------|\n| Shape | one of Human or Monster | Human   | how  |\n\n## beast: Bear\n- Shape: Monster\n\n## rule: Look\n- Look: after gain of Doom: if Bear's Shape is Monster: the gm loses 1 Doom\n"
    bear = good(text + ETTIN).entries["small:beast/bear"]
    assert bear.fields["shape"].value == (Thing("Ettin"),) and plain(bear.fields["shape"].words) == "Ettin"


def test_a_renamed_kind_is_found_by_both_names() -> None:
    system = check([Source("base.te", BASE), Source("hacks.te", "# Hacks\n" + CAVE + ETTIN)], INFO)[0]
    assert system is not None
    historian = Historian(system, ["small:hack/words"])
    assert {find(name, historian).entry.id for name in ("monster/ogre", "ettin/ogre")} == {"small:monster/ogre"}
    assert find("ettin", historian).entry.id == "small:kind/monster"


def test_two_hacks_that_rename_parts_of_one_name() -> None:
    text = (
        "## rule: Jump Weather\nSaid.\n"
        + hack("A", '### renames trick: Jump\n- To: "Hop"\n')
        + hack("B", '### renames table: Weather\n- To: "Sky"\n')
        + "## rule: Talk\nOf [[Hop Sky]], [[Hop Weather]] and [[Jump Sky]].\n"
    )
    system = good(text)
    assert system.entries["small:rule/jump-weather"].name == "Hop Sky"
    assert [plain(one.words) for one in system.entries["small:rule/talk"].prose] == ["Of Hop Sky, Hop Sky and Hop Sky."]


def test_the_difference_is_the_name_alone() -> None:
    system = check([Source("base.te", BASE), Source("hacks.te", "# Hacks\n" + CAVE + HEROES)], INFO)[0]
    assert system is not None
    found = compare(game(system, ()), game(system, ["small:hack/words"]))
    assert [(one.verb, one.part, one.id) for one in found.changes if one.part != "switch"] == [("renamed", "entry", "small:kind/hero")]


def test_two_names_for_one_kind_and_one_name_for_two() -> None:
    other = hack("Others", '### renames kind: monster\n- To: "giant"\n')
    assert [one.code for one in composed(ETTIN + other).diagnostics] == ["patch-conflict"]
    both = composed(hack("Both", '### renames kind: monster\n- To: "thing"\n### renames kind: trick\n- To: "thing"\n'))
    assert {one.code for one in both.diagnostics} == {"duplicate-name"}
