"""The lists of a book: what they say of which kind their things are, what stands elsewhere, and where a hack puts a line."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from te_forge.packs import load
from te_forge.render.book import make_book
from te_forge.render.page import Book
from te_forge.render.places import Places
from te_forge.render.prose import Scribe, Section
from te_forge.render.terms import Glossary

BASE = """# Attributes

Everybody has some of each.

## kind: hero
- Is: an actor

## kind: attribute
- Is: a number of a hero
- Starts: 1

## kind: calling
- Is: a trait of a hero

| attribute | text              |
|-----------|-------------------|
| Brawn     | What you can lift. |
| Wits      | What you can think. |

## kind: gift
- Is: a trait of a hero

# Callings

## calling: Smith
Hot iron.

## calling: Baker
Hot bread.

# What You Need

* A pencil. A sharp one.
* Something to drink.

# Ways

| Way   | How far |
|-------|---------|
| North | a day   |

# Play

Whoever plays needs nerve, and keeps still.

## procedure: Test
Wits decide. Brawn has no part in it.
- Roles: a hero as the tester
- Outcomes: Success, Failure

1. Look. Wits and Brawn are rolled.
   - Dice: the tester rolls (the tester's Wits) d6 as the roll
2. Result. What it comes to.
   - Good: if sum of the roll is above 3: end with Success
   - Bad: otherwise: end with Failure
"""
OWN = """# The Mud

| attribute | text           |
|-----------|----------------|
| Nerve     | Standing still. |

## calling: Eeler
Cold eels.

## procedure: Stand
- Roles: a hero as the stander
- Outcomes: Dry, Wet

1. Still. Nerve helps.
   - Dice: the stander rolls (the stander's Nerve) d6 as the roll
2. Result. What it comes to.
   - Good: if sum of the roll is above 3: end with Dry
   - Bad: otherwise: end with Wet

## hack: Cold
Optional.

### changes procedure: Stand
- Result:
  - Chill before Good: if sum of the roll is 1: end with Wet
- Wait after Still:
  Somebody waits.
  - Long: the stander gains 1 Nerve

## gift: Nimble
- Cost: 1 Nerve
- Slip: instead of Stand with the owner as the stander: the owner may pay agree "there is a gap": end with Dry
- Swap: instead of Stand with the owner as the stander: the owner may pay 1 Brawn agree "there is a friend": end with Dry
- Free: instead of Stand with the owner as the stander: the owner may agree "there is no water": end with Dry

## hack: More Of It

### attribute: Patience
- Starts: 2
"""


@pytest.fixture(scope="module")
def packs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("lists")
    for id, rules, head in (("base", BASE, ""), ("own", OWN, "requires:\n  base: '>=1.0'\n")):
        (root / id / "rules").mkdir(parents=True)
        (root / id / "pack.yaml").write_text(f"id: {id}\ntitle: {id.title()}\nversion: 1.0.0\n{head}", encoding="utf-8")
        (root / id / "rules/01.te").write_text(rules, encoding="utf-8")
    return root


def book_of(folder: Path) -> Book:
    found = load(str(folder))
    assert found.system is not None and [one for one in found.diagnostics if one.severity == "error"] == []
    return make_book(found.system)


def html_of(book: Book, slug: str) -> str:
    return str(next(one for one in book.pages if one.slug == slug).html)


def others(html: str) -> list[str]:
    return [re.sub(r"<[^>]+>", "", one) for one in re.findall(r'<p class="others">(.*?)</p>', html)]


@pytest.fixture(scope="module")
def own(packs: Path) -> Book:
    return book_of(packs / "own")


def test_behind_a_list_stand_the_things_of_its_kind_of_other_chapters(own: Book, packs: Path) -> None:
    assert others(html_of(own, "attributes")) == ["Also among the attributes: Nerve (The Mud)."]
    assert others(html_of(own, "callings")) == ["Also among the callings: Eeler (The Mud)."]
    assert others(html_of(own, "the-mud")) == ["Also among the attributes: Brawn, Wits (Attributes)."]
    assert 'href="the-mud.html#e-attribute-nerve"' in html_of(own, "attributes")
    alone = book_of(packs / "base")
    assert not any(others(str(page.html)) for page in alone.pages)


def test_the_parts_of_a_hack_are_named_there_when_it_is_on(packs: Path) -> None:
    head = packs / "own/pack.yaml"
    before = head.read_text(encoding="utf-8")
    head.write_text(before + "hacks:\n  - More Of It\n", encoding="utf-8")
    try:
        assert others(html_of(book_of(packs / "own"), "attributes")) == ["Also among the attributes: Nerve, Patience (The Mud)."]
    finally:
        head.write_text(before, encoding="utf-8")


def test_of_many_things_elsewhere_it_is_said_how_many_there_are(tmp_path: Path) -> None:
    rows = "".join(f"| Nerve {number} | Standing still. |\n" for number in "ABCDEFG")
    rules = BASE[: BASE.index("# Callings")] + "# Nerves\n\n| attribute | text |\n|---|---|\n" + rows
    (tmp_path / "rules").mkdir()
    (tmp_path / "pack.yaml").write_text("id: game\ntitle: Game\nversion: 1.0.0\n", encoding="utf-8")
    (tmp_path / "rules/01.te").write_text(rules, encoding="utf-8")
    assert others(html_of(book_of(tmp_path), "attributes")) == [
        "Also among the attributes: Nerve A, Nerve B, Nerve C, Nerve D, Nerve E and 2 more (Nerves)."
    ]


def test_of_many_chapters_elsewhere_it_is_said_how_many_there_are(tmp_path: Path) -> None:
    more = "".join(f"# Page {letter}\n\n| attribute | text |\n|---|---|\n| Nerve {letter} | Standing still. |\n\n" for letter in "ABCDEFGH")
    (tmp_path / "rules").mkdir()
    (tmp_path / "pack.yaml").write_text("id: game\ntitle: Game\nversion: 1.0.0\n", encoding="utf-8")
    (tmp_path / "rules/01.te").write_text(BASE[: BASE.index("# Callings")] + more, encoding="utf-8")
    [told] = others(html_of(book_of(tmp_path), "attributes"))
    assert told.startswith("Also among the attributes: Nerve A (Page A); Nerve B (Page B); ")
    assert told.endswith("Nerve F (Page F); and those of 2 more chapters, which the index names.")


def test_a_list_says_of_which_kind_its_things_are_where_the_title_does_not(own: Book) -> None:
    assert '<p class="list-tag"><span class="kind">Attribute</span></p>' in html_of(own, "the-mud")
    assert "list-tag" not in html_of(own, "attributes")


def test_an_optional_hack_says_where_its_lines_and_steps_go(own: Book) -> None:
    html = re.sub(r"</?a\b[^>]*>", "", html_of(own, "the-mud"))
    assert "<b>Chill</b> (before Good). If the sum of the roll is 1: end with Wet." in html
    assert "<b>Wait</b> (after Still). Somebody waits." in html
    assert "<b>Good.</b> If the sum" in html, "a line in its own place says nothing of it"


def test_what_must_be_so_for_an_offer_is_read_aloud_as_a_sentence(own: Book) -> None:
    html = re.sub(r"</?a\b[^>]*>", "", html_of(own, "the-mud"))
    assert "the owner may pay, if it is so (“there is a gap”): end with Dry." in html
    assert "the owner may pay 1 Brawn, if it is so (“there is a friend”): end with Dry." in html
    assert "the owner may agree “there is no water”: end with Dry." in html


def test_every_chapter_has_a_line_in_the_contents(packs: Path) -> None:
    summaries = {page.slug: page.summary for page in book_of(packs / "base").pages if page.group == "book"}
    assert summaries["what-you-need"] == "A pencil. A sharp one. Something to drink."
    assert summaries["ways"] == "Way, How far"
    assert summaries["attributes"] == "Everybody has some of each." and all(summaries.values())


def test_a_name_that_begins_a_sentence_is_linked_when_the_rules_there_speak_of_it(own: Book) -> None:
    """`nerve` is an ordinary word in this book, so a capital alone says nothing."""
    html = html_of(own, "the-mud")
    assert '<b>Still.</b> <a class="term" href="#e-attribute-nerve">Nerve</a> helps.' in html


@pytest.mark.parametrize(
    ("text", "linked"),
    [
        ("Nerve and Wits, a die for each.", ["Nerve", "Wits"]),
        ("Nerve or Brawn.", ["Nerve", "Brawn"]),
        ("Nerve, Wits, and Brawn.", ["Nerve", "Wits", "Brawn"]),
        ("Nerve is what you need.", []),
        ("Nerve and wits are what you need.", []),
        ("Take heart. Nerve, and a rope.", []),
        ("It takes Nerve.", ["Nerve"]),
    ],
)
def test_a_name_that_begins_a_sentence_is_linked_when_others_follow_it(packs: Path, text: str, linked: list[str]) -> None:
    system = load(str(packs / "own")).system
    assert system is not None
    html = str(Scribe(Places(system), Glossary(system)).prose((text,), Section("here")))
    assert re.findall(r"<a [^>]*>([^<]*)</a>", html) == linked
