"""Whatever words a pack holds, they are in its book or something is said about their line: no text is lost in silence."""

from __future__ import annotations

import re

import pytest

from te_forge.check import check
from te_forge.diagnostics import has_errors
from te_forge.model.pack import PackInfo
from te_forge.render.book import make_book
from te_forge.source import Source

INFO = PackInfo(id="whole", title="Whole", version="1.0.0")
WORD = "Zanzibar"
PARTS = "## kind: gm\n- Is: an actor\n- How Many: 1\n\n## kind: pool\n- Is: a number\n\n## pool: Tension\n\n## procedure: Turn\n1. Begin. Words.\n\n## ruling: Why\n\n"
PLACES = {
    "preface": "{}",
    "chapter": "# Chapter\n{}",
    "kind": "## kind: thing\n- Is: an entry\n{}",
    "number": "## pool: Doom\n{}",
    "actor": "## gm: Gwen\n{}",
    "rule": "## rule: Law\n{}",
    "procedure": "## procedure: Dance\n{}",
    "table": "## table: Omens\n{}",
    "deck": "## deck: Cards\n- Cards: 1 to 3\n{}",
    "hack": "## hack: Hack\n{}",
    "part of a hack": "## hack: Hack\n\n### pool: Doom\n{}",
    "table of a hack": "## hack: Hack\n\n### table: Omens\n{}",
    "part": "## pool: Doom\n\n### rule: Law\n{}",
    "patch": "## hack: Hack\n\n### changes pool: Tension\n{}",
    "patch of a procedure": "## hack: Hack\n\n### changes procedure: Turn\n{}",
    "deletion": "## hack: Hack\n\n### deletes pool: Tension\n{}",
    "renaming": '## hack: Hack\n\n### renames pool: Tension\n- To: "Fear"\n{}',
    "ruling": "## ruling: Question\n{}",
    "reading": "## reading: Answer\n- Answers: Why\n{}",
    "example": "## example: Evening\n{}",
}
TEXTS = {
    "prose": f"{WORD} words here.\n",
    "a second paragraph": f"a\n\n{WORD}\n",
    "a list": f"* a\n  * {WORD}\n",
    "a numbered list": f"1) {WORD}\n",
    "a quotation": f"> {WORD}\n",
    "code": f"```\n{WORD}\n```\n",
    "set in": f"\n    {WORD} code\n",
    "a small heading": f"#### {WORD}\n",
    "an underlined heading": f"{WORD}\n===\n",
    "a tag": f"<b>{WORD}</b>\n",
    "words before a comment": f"{WORD} <!-- note -->\n",
    "a picture from elsewhere": f"![{WORD}](http://x.y/z.png)\n",
    "a link": f"[{WORD}](http://x.y)\n",
    "a link into the void": f"[{WORD}](other.html)\n",
    "a shown name": f"[[Tension|{WORD}]]\n",
    "a brace": f"\\{{{WORD}\\}}\n",
    "two dashes": f"-- {WORD}\n",
    "a table to read": f"| Aa | Bb |\n|---|---|\n| {WORD} | y |\n",
    "a head to read": f"| Aa | {WORD} |\n|---|---|\n| x | y |\n",
    "a table of small words": f"| aa | bb |\n|---|---|\n| {WORD} | y |\n",
    "words below a table": f"| Aa | Bb |\n|---|---|\n| x | y |\n{WORD}\n",
    "words above a table": f"{WORD}\n| Aa | Bb |\n|---|---|\n| x | y |\n",
    "a table that defines": f"| pool | text |\n|---|---|\n| Foo | {WORD} |\n",
    "a name that it defines": f"| pool | Starts |\n|---|---|\n| {WORD} | 3 |\n",
    "two columns of one name": f"| pool | text | text |\n|---|---|---|\n| Foo | {WORD} | b |\n",
    "a rolled table": f"| d2 | text |\n|---|---|\n| 1 | {WORD} |\n| 2 | b |\n",
    "a second rolled table": f"| d2 | text |\n|---|---|\n| 1 | a |\n| 2 | b |\n\n| d2 | text |\n|---|---|\n| 1 | {WORD} |\n| 2 | b |\n",
    "a row": f"| d2 | row | text | effect |\n|---|---|---|---|\n| 1 | {WORD} | a | - |\n| 2 | b | c | - |\n",
    "a tracker": f"| at | text |\n|---|---|\n| 1 | {WORD} |\n",
    "rows to put in": f"| row | text |\n|---|---|\n| Aa | {WORD} |\n",
    "fields": f"| label | holds | default | text |\n|---|---|---|---|\n| Aa | a number | - | {WORD} |\n",
    "values": f"| value | holds | default | text |\n|---|---|---|---|\n| aa | a number | - | {WORD} |\n",
    "a label": f"- {WORD}: the gm loses 1 Tension\n",
    "a label below": f"- A: if the gm's Tension is 1:\n  - {WORD}: the gm loses 1 Tension\n",
    "an option": f"- X: the gm chooses one:\n  - {WORD}: nothing\n  - Other: nothing\n",
    "what is said": f'- X: the gm says "{WORD}"\n',
    "what is agreed": f'- X: the gm may agree "{WORD}": the gm loses 1 Tension\n',
    "another name": f'- Also Called: "{WORD}"\n',
    "a step": f"1. {WORD}. Words.\n",
    "words of a step": f"1. Step. {WORD} is here.\n",
    "more words of a step": f"1. Step. Words\n   {WORD} go on.\n",
    "words below the rules of a step": f"1. Step. Words\n   - X: the gm loses 1 Tension\n   {WORD} go on.\n",
    "a paragraph below a step": f"1. Step. Words\n\n   {WORD} is set in.\n",
    "words behind a step": f"1. Step. Words\n\n{WORD} is not set in.\n",
    "words behind a rule": f"- X: the gm loses 1 Tension\n{WORD} right below.\n",
    "words below a rule": f"- X: the gm loses 1 Tension\n  {WORD} set in.\n",
}


@pytest.mark.parametrize("place", PLACES)
def test_no_text_is_lost(place: str) -> None:
    lost = [what for what, text in TEXTS.items() if is_lost(PLACES[place].replace("{}", text), place == "preface")]
    assert lost == []


def is_lost(page: str, opens: bool) -> bool:
    text = page + "\n" + PARTS if opens else PARTS + page
    system, found = check([Source("page.te", text)], INFO)
    line = next(at for at, line in enumerate(text.split("\n"), 1) if WORD in line)
    if has_errors(found) or any(one.span.line == line and one.code != "unused-definition" for one in found):
        return False
    assert system is not None
    pages = [page.html for page in make_book(system).pages if page.group == "book"]
    return not any(WORD in re.sub("<[^>]*>", " ", html) for html in pages)


def test_chapters_without_a_name_are_pages_of_their_own() -> None:
    system, found = check([Source(f"{name}.te", f"{name} words.\n") for name in ("First", "Second", "Third")], INFO)
    assert system is not None and found == []
    book = make_book(system)
    assert len({page.slug for page in book.pages}) == len(book.pages)
    assert [sum(f"<p>{name} words." in page.html for page in book.pages) for name in ("First", "Second", "Third")] == [1, 1, 1]


def test_chapters_of_one_name_or_id_are_said() -> None:
    pages = [Source("a.te", "# Rest\nOne.\n# Rest!\nTwo.\n# Rest {#other}\nThree.\n"), Source("b.te", "# Rest\nFour.\n")]
    system, found = check(pages, INFO)
    assert [(one.code, str(one.span)) for one in found] == [("duplicate-id", "a.te:3:3"), ("duplicate-name", "b.te:1:3")]
    assert system is not None and len({chapter.id for chapter in system.chapters}) == 4


def test_a_chapter_can_be_linked_and_a_plain_number_printed() -> None:
    system, found = check([Source("a.te", "# Begin\nSee [[End]]; {3} times.\n# End\nDone.\n")], INFO)
    assert system is not None and found == []
    (begin,) = [page for page in make_book(system).pages if page.title == "Begin"]
    assert '<a href="end.html">End</a>; 3 times.' in begin.html
