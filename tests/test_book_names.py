"""Names in the sentences that a book makes by itself: who uses a thing, who made it, what a list on one line says; and nothing is said twice."""

from __future__ import annotations

import html
import re
from pathlib import Path

import pytest
from markupsafe import Markup

from te_forge.packs import load
from te_forge.render.accounts import paragraph
from te_forge.render.book import make_book
from te_forge.render.page import Book
from te_forge.render.prose import with_addresses
from te_forge.render.terms import as_list, in_sentence, stop_between

PACK = """id: game
title: Game
version: 1.0.0
authors: [The makers, The Beatles]
license: CC BY 4.0
license_url: https://example.org/by/
sources:
  - {title: Work, authors: [The people of Ys], license: none stated, attribution: "\\"Work\\" is at https://example.org/work."}
"""

RULES = """# Play

## kind: hero
- Is: an actor

## kind: pool
- Is: a number of a hero

## pool: Luck
- Of: a hero
- Starts: 0

## procedure: Toss
- Roles: a hero as the hero

1. Toss.
   - Luck: the hero gains 1 Luck

## procedure: Try
- Roles: a hero as the hero

1. Try.
   - Once: do Toss with the hero as the hero

## kind: gem
- Is: an entry

| label  | holds    | default       | text          |
|--------|----------|---------------|---------------|
| Worth  | a number | 2 x 3         | what it costs |
| Shards | dice     | 2 d6          | what is left  |

# Examples

## example: Try, and Again
- Ann: a hero

1. Ann tries.
   - do Try with Ann as the hero
   - expect Ann's Luck is 1

"""
EXAMPLE = """## example: Toss {n}
- Ann: a hero

1. Ann tosses.
   - do Toss with Ann as the hero
   - expect Ann's Luck is 1

"""


def book_of(folder: Path, rules: str) -> Book:
    (folder / "rules").mkdir(parents=True)
    (folder / "pack.yaml").write_text(PACK, encoding="utf-8")
    (folder / "rules/01.te").write_text(rules, encoding="utf-8")
    found = load(str(folder))
    assert found.system is not None and [one.message for one in found.diagnostics if one.severity == "error"] == []
    return make_book(found.system)


def read(book: Book, slug: str) -> str:
    page = next(one for one in book.pages if one.slug == slug)
    text = re.sub(r"</?a\b[^>]*>", "", str(page.html)).replace("<", " <")
    return " ".join(html.unescape(re.sub(r"<[^>]+>", "", text)).split())


@pytest.fixture(scope="module")
def book(tmp_path_factory: pytest.TempPathFactory) -> Book:
    rules = RULES + "".join(EXAMPLE.replace("{n}", letter) for letter in "ABCDEFGHIJKLMNOPQRSTUVWXY")
    return book_of(tmp_path_factory.mktemp("named") / "game", rules)


def test_examples_are_told_apart_from_rules_and_more_are_counted(book: Book) -> None:
    play = read(book, "play")
    assert "Used by 1, played in 25 examples Try. Examples: Toss A, Toss B," in play
    assert "Toss S, Toss T and 5 more." in play and "Toss U" not in play
    assert "Played in 1 example Try, and Again." in play
    assert "see the index" not in play, "the index does not name them, either"


def test_a_semicolon_stands_between_names_with_commas(book: Book) -> None:
    assert stop_between(["One", "Two"]) == ", " and stop_between(["One, Two", "Three"]) == "; "
    assert "Examples: Try, and Again; Toss A; Toss B;" in read(book, "play")
    summary = next(one.summary for one in book.pages if one.slug == "examples")
    assert summary == "Try, and Again; Toss A; Toss B; Toss C …"


CITED = """# Play [B-1] [B-2]

Play begins.

## kind: hero
- Is: an actor

## kind: knack [B-1]
- Is: an entry

## ruling: How Often [B-1]
How often?
- Reads: "Once."

# Elsewhere

## procedure: Wait [B-3]
- Roles: a hero as the hero

1. Wait. [B-2]

## ruling: Whether [B-2]
Is it?
- Reads: "It is."

"""


def test_a_ruling_is_marked_where_it_is_nearest_to_what_it_is_about(tmp_path: Path) -> None:
    more = "".join(f'## ruling: More {letter} [B-3] [B-2]\nMore?\n- Reads: "More."\n\n' for letter in "ABCDEFGH")
    book = book_of(tmp_path / "cited", CITED)
    assert "Ruling: Whether Play begins." in read(book, "play"), "the other one stands with the knack"
    assert "Knack kind # Ruling: How Often" in read(book, "play")
    crowded = read(book_of(tmp_path / "crowded", CITED + more), "elsewhere")
    assert "Wait procedure # Rulings: More F More G More H Roles" in crowded, "those at its step are not counted, nor is there an `and more`"


def test_values_of_a_kind_are_printed_as_rules_are(book: Book) -> None:
    assert "Worth a number 2 × 3 what it costs" in read(book, "play") and "Shards dice 2d6 what is left" in read(book, "play")


def test_makers_are_named_in_a_sentence(book: Book) -> None:
    assert in_sentence(["The makers", "The Beatles"]) == "the makers, The Beatles"
    text = read(book, "license")
    assert "By the makers, The Beatles." in text and "Game 1.0.0 by the makers, The Beatles." in text
    assert "Work by the people of Ys. License: none stated." in text


def test_an_attribution_is_set_as_all_else_and_its_address_leads_there(book: Book) -> None:
    link = '<a href="https://example.org/work" rel="noopener nofollow">https://example.org/work</a>'
    assert str(book.attribution) == f"“Work” is at {link}."
    license = next(str(one.html) for one in book.pages if one.slug == "license")
    assert f"<blockquote><p>“Work” is at {link}.</p></blockquote>" in license
    assert with_addresses("<b> at javascript:x") == Markup("&lt;b&gt; at javascript:x")


def test_the_cover_says_of_the_license_once(book: Book) -> None:
    """The footer of each page has the version and the license."""
    cover = read(book, "index")
    assert cover.count("License and Attribution") == 1 and "License and attribution" not in cover and "1.0.0" not in cover
    assert book.footer == "Game 1.0.0 · CC BY 4.0"


def test_a_list_on_one_line_has_whole_points_and_no_addresses() -> None:
    assert as_list(["Site: https://example.org/a.", "Shop"]) == "Site; Shop"
    assert as_list(["A pencil. A sharp one.", "Something to drink."]) == "A pencil. A sharp one. Something to drink."
    assert as_list(["A pencil.", "x" * 90, "y" * 90]) == "A pencil. " + "x" * 90 + " …"
    assert as_list(["x" * 130, "y"]) == "x" * 130 + " …"


def test_what_happened_is_told_in_one_breath() -> None:
    told = ["Ann rolls 1 die: 6.", "Strike ends with Hit.", "Attack ends with Done.", "Look ends with On.", "Look ends with On.", "Ann says: Enough.", "Fight ends with Won."]  # fmt: skip
    assert paragraph(told) == 'Ann rolls 1 die: 6. Strike ends with Hit, Attack with Done and Look with On. Ann says "Enough." Fight ends with Won.'
    assert paragraph([]) == ""


def test_the_empty_corner_of_a_table_heads_nothing(tmp_path: Path) -> None:
    corner = "|   | Even | Odd |\n|---|------|-----|\n| 1 | no   | yes |\n"
    book = book_of(tmp_path / "corner", f"# Play\n\nPlay begins.\n\n{corner}\n## kind: hero\n{corner}\n- Is: an actor\n")
    pages = "".join(str(page.html) for page in book.pages)
    assert pages.count('<th scope="col">Even</th>') == 2
    assert not re.search(r"<th[^>]*>\s*</th>", pages)
