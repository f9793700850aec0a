"""The book of a derived game: the numbers of this game in inherited chapters, who changed what, the chapter that tells of it, and what is owed."""

from __future__ import annotations

import filecmp
import html
import re
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest
from browser import Browser, axe, hosted
from click.testing import CliRunner

from te_forge.cli import cli
from te_forge.packs import load
from te_forge.render.book import make_book
from te_forge.render.changes import PAGE, blocks, dealt, derived
from te_forge.render.links import check_links

PACK = """\
id: darker
title: Darker
version: 0.1.0
license: CC BY 4.0
requires:
  srd-core: ">=1.0,<2"
hacks:
  - Keep For Points
  - Darker Woods
  - Grim
rulings:
  Environment Tie: The World Holds
"""
RULES = """\
# The Wood

It has been waiting for you.

See [[Welcome]].

# Welcome

This is the wood, and you are late.

# Skills

| skill | text         |
|-------|--------------|
| Whisper | Being heard by one. |

# The Wood Again

## hack: Grim
Fewer ways out.
### changes pool: Health
- Starts: 4
### changes procedure: Adversary Conflict
- Howl before The Initiators Roll:
  - Howl: the gm says "a howl"
"""


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("packs") / "darker"
    (folder / "rules").mkdir(parents=True)
    head = (load("srd-core").root / "pack.yaml").read_text(encoding="utf-8")
    (folder / "pack.yaml").write_text(PACK + head[head.index("sources:") :], encoding="utf-8")
    (folder / "rules/01.te").write_text(RULES, encoding="utf-8")
    return folder


@pytest.fixture(scope="module")
def book(game: Path) -> Path:
    return built(game, game.parent / "book")


def built(game: Path, out: Path) -> Path:
    result = CliRunner().invoke(cli, ["build", str(game), "-o", str(out)])
    assert result.exit_code == 0, result.output
    return out


def said(page: Path) -> str:
    main = re.search(r"<main.*?</main>", page.read_text(encoding="utf-8"), re.S)
    assert main is not None
    return " ".join(html.unescape(re.sub(r"<[^>]+>", " ", main[0])).split())


def entry(book: Path, page: str, anchor: str) -> str:
    """What the book prints of one thing, as HTML."""
    text = (book / f"{page}.html").read_text(encoding="utf-8")
    return text[text.index(f'id="{anchor}"') :].partition("</section>")[0]


# ---------------------------------------------------------------- the pages


def test_the_cover_has_the_title_the_base_what_is_on_and_the_mark(book: Path) -> None:
    cover = said(book / "index.html").partition("Contents")[0]
    assert cover.startswith("Darker ")
    assert "Built on Tension Engine SRD : what changed" in cover
    assert cover.count("In use: Darker Woods , Grim , Keep For Points , The World Holds") == 1
    assert "Wound by Tension" in cover


def test_inherited_chapters_have_the_numbers_of_this_game(book: Path) -> None:
    troll = entry(book, "bestiary", "e-adversary-troll")
    assert re.search(r"<dt>Power</dt><dd>5 <span class=\"changed-mark\">changed</span></dd>", troll)
    assert "Regenerating" not in troll.partition("Also called")[0].partition("Used by")[0].partition('class="changed-by"')[2]
    assert (
        "Changed by" in troll
        and '#e-hack-darker-woods">Darker Woods</a>' in troll
        and f'href="{PAGE}.html#changed-srd-core-adversary-troll"' in troll
    )
    assert "Comprehension" not in said(book / "attributes.html")
    assert "Brawl" in said(book / "skills.html")
    assert "a howl" in said(book / "conflict.html") or any("a howl" in said(page) for page in book.glob("*.html") if page.name != f"{PAGE}.html")


def test_inherited_examples_that_come_out_otherwise_are_left_out(book: Path) -> None:
    text = " ".join(said(page) for page in book.glob("*.html"))
    assert "As Printed" not in text and "Whose Dice Pay" not in text
    assert "Four Dice Are Four" in text
    assert re.search(
        r"is as it was\. \d\d examples of theirs, which would come out otherwise by these rules, are left out\.", said(book / f"{PAGE}.html")
    )


def test_a_chapter_of_the_same_title_takes_the_place_of_the_inherited_one(book: Path) -> None:
    welcome = said(book / "welcome.html")
    assert "This is the wood, and you are late." in welcome and "small engine" not in welcome
    skills = said(book / "skills.html")
    assert "Whisper" in skills and "Brawl" in skills
    assert (book / "skills.html").exists() and not (book / "skills-2.html").exists()
    assert said(book / "the-wood.html").count("See Welcome") == 1
    changed = said(book / f"{PAGE}.html")
    assert "Told anew: Welcome ." in changed and "Chapters : The Wood , The Wood Again ." in changed


def test_what_did_not_change_bears_no_mark(book: Path) -> None:
    golem = entry(book, "bestiary", "e-adversary-callous-golem")
    assert "changed" not in golem.partition("</h")[2].casefold()


def test_what_changed_is_complete(book: Path) -> None:
    text = said(book / f"{PAGE}.html")
    for part in (
        "Darker is built on Tension Engine SRD 1.0.0 by the makers of te_forge",
        "Attribute Comprehension is gone; Discipline stands in its place (by Darker Woods ) .",
        "Skill Melee is called Brawl here (by Darker Woods ) .",
        "Skills : Herbs , Tracking",
        "Troll adversary Power : 4 → becomes 5 (by Darker Woods )",
        "Features : Regenerating → becomes Armored (by Darker Woods )",
        "Howl is new: Howl: the gm says “a howl” (by Grim )",
        "Shadow, the text : A shape at the edge of the light, gone when you look. → becomes An owl, in full daylight.",
    ):
        assert part in text, part


def test_a_long_change_is_told_as_what_was_and_what_is(book: Path) -> None:
    """Two paragraphs with a line through one of them and an arrow in between are hard to read."""
    text = (book / f"{PAGE}.html").read_text(encoding="utf-8")
    long = re.findall(r'<dl class="both"><div><dt>Was</dt><dd><del>(.*?)</del></dd></div><div><dt>Now</dt><dd><ins>(.*?)</ins></dd></div></dl>', text)
    short = re.findall(r"<del>([^<]*)</del> <span aria-hidden", text)
    assert long and short and max(map(len, short)) < 120


def test_the_name_of_a_value_is_set_apart_and_a_kind_has_a_capital(tmp_path: Path) -> None:
    text = said_of(built(load("party-first").root, tmp_path / "book") / f"{PAGE}.html")
    assert "The value <i>mode</i> is new" in text and "The value <i>Table</i>" in text and "`" not in text
    assert '>Adventure</a> <span class="kind">kind</span>' in text and "Kinds</b>: " in text
    assert re.search(r"How This Book Was Chosen</a>; <a [^>]*>The Road, Played</a>\.", text)


def said_of(page: Path) -> str:
    return page.read_text(encoding="utf-8").replace("<b>The value", "The value").replace("</i></b>", "</i>")


def test_a_hack_that_is_on_says_what_it_changes_and_one_that_is_off_what_it_would(book: Path) -> None:
    pages = list(book.glob("hacks*.html"))
    text = " ".join(said(page) for page in sorted(pages))
    assert "In use in this book. Replaces points for rolled sixes and ones." in text
    assert "Optional. Replaces nothing; it adds a pool" in text
    on = next(part for page in pages if (part := page.read_text(encoding="utf-8")).count('id="e-hack-darker-woods"'))
    woods = on[on.index('id="e-hack-darker-woods"') :]
    assert 'class="touched">Changes' in woods and 'class="patch"' not in woods.partition("</section>")[0]


def test_a_ruling_says_how_it_is_read_here(book: Path) -> None:
    found = next(page for page in sorted(book.glob("rulings*.html")) if 'id="e-ruling-environment-tie"' in page.read_text(encoding="utf-8"))
    assert re.search(r"<dt>In this book</dt><dd><a[^>]*>The World Holds</a></dd>", entry(book, found.stem, "e-ruling-environment-tie"))


def test_the_license_has_the_whole_chain_and_a_statement_of_changes(book: Path) -> None:
    text = said(book / "license.html")
    assert "Changes: Darker is built on Tension Engine SRD 1.0.0. Against that, " in text and "The chapter What Changed lists all of it." in text
    assert "The Tension Engine © 2023 by William Lentz for Gamenomicon is licensed under CC BY 4.0." in text
    assert "Tension Engine SRD 1.0.0 by the makers of te_forge." in text


def test_links_lead_somewhere_and_two_builds_are_the_same(book: Path, game: Path) -> None:
    assert check_links(book) == []
    again = built(game, game.parent / "again")
    names = sorted(path.relative_to(book).as_posix() for path in book.rglob("*") if path.is_file())
    assert filecmp.cmpfiles(book, again, names, shallow=False) == (names, [], [])


def test_pages_are_light(book: Path) -> None:
    every = sum((book / path).stat().st_size for path in ("css/book.css", "css/icon.svg", "js/book.js", "js/theme.js"))
    assert {path.name: path.stat().st_size + every for path in book.glob("*.html") if path.stat().st_size + every > 60_000} == {}


def test_a_long_chapter_of_changes_goes_over_pages(game: Path) -> None:
    system = load(str(game)).system
    assert system is not None
    _, known = derived(system)
    assert known.comparison is not None
    many = blocks(known.comparison) * 40
    pages = dealt(many)
    assert [one for page in pages for one in page] == many
    assert len(pages) > 3 and all(sum(one.weight for one in page) <= 24_000 for page in pages)


def test_a_game_that_changes_nothing_has_no_such_chapter() -> None:
    system = load("srd-core").system
    assert system is not None
    assert not [page for page in make_book(system).pages if page.slug.startswith(PAGE)]


# ---------------------------------------------------------------- in a browser


@pytest.fixture(scope="module")
def address(book: Path) -> Iterator[str]:
    with hosted(book) as one:
        yield one


@pytest.mark.parametrize(("shade", "width"), [("light", 1280), ("dark", 360)])
def test_no_barrier_and_nothing_too_wide(shade: str, width: int, address: str) -> None:
    script = axe()
    found: list[str] = []
    with Browser() as browser:
        tab = browser.tab()
        tab.shade(shade)
        tab.size(width, 740)
        for name in ("index", PAGE, "license", "hacks", "bestiary", "skills"):
            tab.go(f"{address}/{name}.html")
            tab.ask("document.querySelectorAll('details').forEach(one => one.open = true)")
            if wide := tab.ask("document.documentElement.scrollWidth - document.documentElement.clientWidth"):
                found.append(f"{name}: {wide} px too wide")
            tab.ask(script + ";0")
            found += tab.ask("axe.run({resultTypes: ['violations']}).then(all => all.violations.map(one => one.id + ' ' + one.nodes[0].target))")
        found += tab.complaints
        tab.close()
    assert found == []


# ---------------------------------------------------------------- the quick reference

ASH = """\
# Ash

## hack: The Ash Road
What makes it Ash.
### changes pool: Tension
- Starts: 1 more
### changes kind: adventure

| label | holds   | default | text                      |
|-------|---------|---------|---------------------------|
| Table | a table | Cinders | rolled at every explosion |

### table: Cinders
| d6  | row    | text                |
|-----|--------|---------------------|
| 1-3 | Sparks | A cloak is on fire. |
| 4-6 | Smoke  | Nobody sees.        |

## hack: The Cold Road
Another one, which is not on.
### table: Icicles
| d6  | row  | text          |
|-----|------|---------------|
| 1-6 | Frost | It is cold.  |

### changes table: Names
| row | text      |
|-----|-----------|
| Odo | A cooper. |

## table: Names
Nothing rolls on it but the gm.

| d6  | row  | text     |
|-----|------|----------|
| 1-6 | Odo  | A miller. |
"""


@pytest.fixture(scope="module")
def ash(tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, str]:
    """The pages of a game with a hack that is on and one that is off."""
    folder = tmp_path_factory.mktemp("packs") / "ash"
    (folder / "rules").mkdir(parents=True)
    head = "id: ash\ntitle: Ash\nversion: 0.1.0\nrequires:\n  srd-core: '>=1.0,<2'\nhacks: [Morale, The Ash Road]\n"
    (folder / "pack.yaml").write_text(head, encoding="utf-8")
    (folder / "rules/01.te").write_text(ASH, encoding="utf-8")
    system = load(str(folder)).system
    assert system is not None
    return {page.slug: page.html for page in make_book(system).pages}


def test_the_quick_reference_has_what_this_game_plays(ash: Mapping[str, str]) -> None:
    text = " ".join(re.sub(r"<[^>]+>", " ", ash["quick-reference"]).split())
    assert "Sparks" in text and "Odo" in text, "a table of a hack that is on, and one that nothing rolls on in any game"
    assert "Icicles" not in text, "the hack is off"
    assert "Delving" not in text, "nothing rolls on it any more"
    assert "Starts the number of players" in text, "the pool of an inherited hack that is on"
    assert re.search(r"Danger that has not happened yet\. .*?Starts .*?the greater of the number of players and 2", text), (
        "what this game changes is said, however long"
    )


def test_rows_that_a_hack_changes_by_name_show_their_faces_and_are_not_rolled_on(ash: Mapping[str, str]) -> None:
    before, _, row = ash["ash"].partition("A cooper.")[0].rpartition("<tr")
    assert '<th scope="row" class="die">1–6</th>' in row
    head = before.rpartition("<table")[2]
    assert '<th scope="col" class="die">d6</th>' in head and "data-die" not in head, "a part of a table has no button that rolls on it"
