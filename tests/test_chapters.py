"""Chapters of plain prose, `book/*.md`: Markdown with checked links and numbers, in their place among the pages of rules."""

from __future__ import annotations

from pathlib import Path

import pytest

from te_forge.packs import Loaded, load
from te_forge.render.book import make_book
from te_forge.render.page import Page

RULES = """# The Game

## kind: hero
Somebody.
- Is: an actor

## kind: gift
What a [[hero]] is good at.
- Is: a number of a hero
- Starts: 2

## gift: Might
Strength, as in [[Might]].
"""


def loaded(tmp_path: Path, **chapters: str) -> Loaded:
    """A small pack with these chapters: `a00_foreword` is `book/00-foreword.md`."""
    for folder in ("rules", "book"):
        (tmp_path / "game" / folder).mkdir(parents=True)
    (tmp_path / "game" / "pack.yaml").write_text("id: game\ntitle: A Game\nversion: 1.0.0\n", encoding="utf-8")
    (tmp_path / "game" / "rules" / "01-game.te").write_text(RULES, encoding="utf-8")
    for name, text in chapters.items():
        (tmp_path / "game" / "book" / f"{name[1:].replace('_', '-')}.md").write_text(text, encoding="utf-8")
    return load(str(tmp_path / "game"))


def pages(found: Loaded) -> dict[str, Page]:
    assert found.system is not None and [one for one in found.diagnostics if one.severity == "error"] == []
    return {page.slug: page for page in make_book(found.system).pages}


def said(found: Loaded) -> list[str]:
    return [f"{Path(one.span.file).name}:{one.span.line}:{one.span.column} {one.code}" for one in found.diagnostics if one.severity == "error"]


def test_chapters_stand_among_the_pages_by_their_names(tmp_path: Path) -> None:
    found = loaded(tmp_path, a00_foreword="# Foreword\n\nOne.\n", a02_after="# Afterword\n\nTwo.\n\n# Thanks\n\nThree.\n")
    assert found.system is not None
    assert [chapter.title for chapter in found.system.chapters] == ["Foreword", "The Game", "Afterword", "Thanks"]


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("Words.\n", "How To Run It"),
        ('---\ntitle: "A Word Before"\nauthor: me\n---\nWords.\n', "A Word Before"),
        ("---\ntitle: No\n---\n# Yes\n\nWords.\n", "Yes"),
        ("---\nWords after a rule.\n", "How To Run It"),
    ],
)
def test_a_chapter_has_a_title(text: str, title: str, tmp_path: Path) -> None:
    page = list(pages(loaded(tmp_path, a00_how_to_run_it=text)).values())[1]
    assert page.title == title and "author" not in page.html and "title:" not in page.html


def test_a_chapter_is_markdown_with_links_and_numbers(tmp_path: Path) -> None:
    text = "# Foreword [GM-1]\n\nA [[hero]] has {Might's start}, see [[The Game]].\n\n## Lists\n\n- a dash\n- another: dash\n\n1. one\n2. two\n\n### Deeper\n\n<!-- not\nprinted -->\n* \\{kept\\} `{x}`\n\n```\n{y} [[z]]\n# no heading\n```\n\n## The End\n"
    page = pages(loaded(tmp_path, a00_foreword=text))["foreword"]
    for part in (
        '<a class="term" href="the-game.html#e-kind-hero">hero</a> has <a class="shown" href="the-game.html#e-gift-might">2</a>, see <a href="the-game.html">The Game</a>.',
        '<h2 id="s-lists">Lists</h2>', "<li>another: dash</li>", "<li>two</li>", '<h3 id="s-deeper">Deeper</h3>', "{kept} <code>{x}</code>", "{y} [[z]]\n# no heading",
    ):  # fmt: skip
        assert part in page.html, part
    assert "printed" not in page.html and "GM-1" not in page.html
    assert [(heading.title, heading.level) for heading in page.toc] == [("Lists", 2), ("Deeper", 3), ("The End", 2)]


def test_a_mistake_in_a_chapter_is_said_where_it_stands(tmp_path: Path) -> None:
    text = "# Foreword\n\nAsk [[Nobody]].\n\nIt is {Might's top}.\n\nA lone { brace.\n\n# Bad {#Not An Id}\n\n```\nnever closed\n"
    codes = ["3:5 broken-link", "5:16 unknown-value", "7:8 lone-brace", "9:7 bad-citation", "11:1 unclosed-code"]
    assert said(loaded(tmp_path, a00_foreword=text)) == [f"00-foreword.md:{one}" for one in codes]


def test_a_tag_in_a_chapter_is_text(tmp_path: Path) -> None:
    found = loaded(tmp_path, a00_foreword="# F\n\n<script>alert(1)</script> [x](javascript:alert(1))\n")
    assert said(found) == ["00-foreword.md:3:31 broken-link"] and found.system is not None
    page = next(page for page in make_book(found.system).pages if page.slug == "f")
    assert "<script>" not in page.html and "javascript:alert" in page.html and 'href="javascript' not in page.html


def test_a_long_chapter_is_turned_over_at_its_headings(tmp_path: Path) -> None:
    parts = [f"## Part {n:02}\n\n" + "Words that go on and on, as a story does. " * 60 + "\n" for n in range(30)]
    found = [page for slug, page in pages(loaded(tmp_path, a00_story="# Story\n\n" + "\n".join(parts))).items() if slug.startswith("story")]
    assert 3 <= len(found) <= 5 and all(len(page.html) < 31_000 for page in found)
    assert sum(page.html.count("<h2 ") for page in found) == 30


def test_two_chapters_of_one_title_are_a_mistake(tmp_path: Path) -> None:
    loaded(tmp_path, a00_first="# Before\n")
    (tmp_path / "game" / "book" / "00-first.md").write_text("# The Game\n", encoding="utf-8")
    assert [one.code for one in load(str(tmp_path / "game")).diagnostics if one.severity == "error"] == ["duplicate-name"]


def test_files_in_the_wrong_folder_are_named(tmp_path: Path) -> None:
    loaded(tmp_path)
    (tmp_path / "game" / "book" / "more.te").write_text("# More\n", encoding="utf-8")
    (tmp_path / "game" / "rules" / "story.md").write_text("# Story\n", encoding="utf-8")
    told = {Path(one.span.file).name: one.help for one in load(str(tmp_path / "game")).diagnostics if one.code == "ignored-file"}
    assert told == {"more.te": "put it into the folder `rules`, or call it more.md", "story.md": "put it into the folder `book`, or call it story.te"}
