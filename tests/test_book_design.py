"""The book as its designer wants it: order, quotation marks, titles, what is said and what is left out."""

from __future__ import annotations

from pathlib import Path

import pytest

from te_forge.packs import load
from te_forge.render.book import make_book
from te_forge.render.page import Book, Page
from te_forge.render.typeset import curled, curled_html, signed

RULES = """# The Game

A game of 'quotes' and "more".

## kind: gm
- Is: an actor
- How Many: 1

## kind: hero
- Is: an actor
- Plural: "heroes"

## kind: pool
- Is: a number

## pool: Dark
- Of: the gm
- Starts: 0

## pool: Oil
What burns, and Dark with it.
- Of: a hero
- Starts: 4

> Oil belongs to Dark.

## kind: calling
- Is: a trait of a hero

| label | holds    | default | text   |
|-------|----------|---------|--------|
| Oil   | a number | 3       | to begin with |
| Debt  | a number | 0       | owed   |

## calling: Smuggler
- Debt: 2
- Oil: 4

## calling: Widow
The sea owes you one.

## procedure: Watch
- Roles: a hero as the watcher
- Outcomes: Saved, Wreck

1. Look. Everybody looks at the sea.
   - Dice: the watcher rolls 2 d8 as the roll
   - Good: if sum of the roll is above 7: end with Saved
   - Bad: otherwise: end with Wreck

## ruling: The Sea And A Tie [X-1]
Who wins?
- Reads: "the sea"
- Why: "it always does."

## rule: A Matter Of Time
- Rest: after Watch: the watcher gains 1 Oil

## hack: Long Nights
### changes pool: Oil
- Starts: 1 more
"""


def written(root: Path, id: str, rules: str, head: str = "") -> Path:
    (root / id / "rules").mkdir(parents=True)
    (root / id / "pack.yaml").write_text(f"id: {id}\ntitle: The {id.title()}\nversion: 1.0.0\n{head}", encoding="utf-8")
    (root / id / "rules/01-game.te").write_text(rules, encoding="utf-8")
    return root / id


def book_of(folder: Path) -> Book:
    found = load(str(folder))
    assert found.system is not None and [one for one in found.diagnostics if one.severity == "error"] == []
    return make_book(found.system)


def page(book: Book, slug: str) -> Page:
    return next(one for one in book.pages if one.slug == slug)


@pytest.fixture(scope="module")
def book(tmp_path_factory: pytest.TempPathFactory) -> Book:
    return book_of(written(tmp_path_factory.mktemp("design"), "game", RULES))


@pytest.mark.parametrize(
    ("typed", "set_"),
    [
        ("it's", "it’s"), ('"Yes", she said', "“Yes”, she said"), ("('quoted')", "(‘quoted’)"), ("\"'Both'\"", "“‘Both’”"), ("the heroes' luck", "the heroes’ luck"),
        ("&#34;escaped&#34; &#39;too&#39; &quot;so&quot;", "“escaped” ‘too’ “so”"), ("a &amp; b", "a &amp; b"), ("", ""),
    ],
)  # fmt: skip
def test_quotation_marks_are_curly(typed: str, set_: str) -> None:
    assert curled(typed) == set_


def test_tags_and_code_keep_their_quotes() -> None:
    html = """<p title="it's">a <a href="x">Hero</a>'s "<b>end</b>"</p><p>"new"</p><pre>'as' <b>"typed"</b></pre><code>"x"</code>'s"""
    assert (
        curled_html(html)
        == """<p title="it's">a <a href="x">Hero</a>’s “<b>end</b>”</p><p>“new”</p><pre>'as' <b>"typed"</b></pre><code>"x"</code>’s"""
    )


@pytest.mark.parametrize(
    ("typed", "set_"),
    [
        ("from -5 to 5", "from −5 to 5"), (" +1, Pace -1", " +1, Pace −1"), ("-2", "−2"), ("(the bracket - the far)", "(the bracket − the far)"), (" x 2", " × 2"), ("the plus x (1 + it)", "the plus × (1 + it)"),
        ("1-6, a d6-roll, x is y", "1-6, a d6-roll, x is y"), ('says "wait - 3 x 4"', 'says "wait - 3 x 4"'),
    ],
)  # fmt: skip
def test_numbers_have_the_signs_of_a_printer(typed: str, set_: str) -> None:
    assert signed(typed) == set_


CITED = """# The Game

## kind: pc
- Is: an actor

## kind: pool
- Is: a number

## pool: Luck
- Of: a pc
- Starts: 4

| pc  | text  |
|-----|-------|
| Ann | Here. |
| Ben | There. |

## procedure: Toss
Luck is tossed.
- Roles: a pc as the one

1. Toss. Up. [X-1]
   - Toss: the one's Luck becomes the one's Luck x 2 - 3
2. Catch. Down. [X-2]

## procedure: Call
Somebody calls.
- Roles: a pc as the one

1. Shout. Loud.
   - Shout: the one says "Ho! - ho!"

## ruling: First Things [X-1]
Who?
- Reads: "she"
- Why: "so"

## ruling: Second Things [X-1]
What?
- Reads: "it"
- Why: "so"

## ruling: Last Things [X-2]
When?
- Reads: "now"
- Why: "so"
"""


def test_several_marks_of_rulings_say_which_and_signs_are_printed(tmp_path: Path) -> None:
    made = book_of(written(tmp_path, "game", CITED))
    html = page(made, "the-game").html
    toss = html[html.index('id="e-procedure-toss"') : html.index('id="e-procedure-call"')]
    assert ">First Things</a>" in toss and ">Second Things</a>" in toss
    assert '>ruling<span class="out">: Last Things</span></a>' in toss
    assert " × 2 − 3." in toss and "“Ho! - ho!”" in html
    quick = page(made, "quick-reference").html
    assert ">PCs</h2>" in quick
    assert "Somebody calls." in quick and "Shout" not in quick and "Toss" in quick


def test_another_language_keeps_what_was_typed(tmp_path: Path) -> None:
    html = page(book_of(written(tmp_path, "game", RULES, "language: de\n")), "the-game").html
    assert "&#39;quotes&#39;" in html and "“" not in html and "A Matter Of Time" in html


def test_titles_and_answers_are_written_out(book: Book) -> None:
    html = page(book, "the-game").html
    assert "A game of ‘quotes’ and “more”." in html
    assert "The Sea And A Tie" in html and "A Matter Of Time" in html and "A Matter of Time" not in html  # titles are as they were typed
    assert "<dd>The sea.</dd>" in html and "<dd>It always does.</dd>" in html
    assert "<dd>Saved, Wreck</dd>" in html
    assert ">GM <span" in html and ">Hero <span" in html


def test_titles_are_looked_up_without_their_article(book: Book) -> None:
    index = page(book, "alphabetical-index").html
    heads = [part.split("<", 1)[0] for part in index.split('<h2 id="letter-')[1:] for part in [part.split(">", 1)[1]]]
    assert "M" in heads and "A" not in heads and "T" not in heads


def test_fields_are_no_definition(book: Book) -> None:
    quick = page(book, "quick-reference").html
    assert quick.count("Starts 0") == 1 and "Starts: 0" not in quick
    glossary = page(book, "glossary").html
    assert "How Many" not in glossary and "Of: the gm" not in glossary and "What burns" in glossary


def test_a_field_at_its_default_is_printed_in_its_place(book: Book) -> None:
    html = page(book, "the-game").html
    widow = html[html.index('id="e-calling-widow"') : html.index('id="e-procedure-watch"')]
    smuggler = html[html.index('id="e-calling-smuggler"') : html.index('id="e-calling-widow"')]
    assert "<dt>Oil</dt><dd>3</dd>" in widow and "<dt>Debt</dt><dd>0</dd>" in widow
    assert smuggler.index("<dt>Oil</dt><dd>4</dd>") < smuggler.index("<dt>Debt</dt><dd>2</dd>")


def test_a_change_says_from_what_to_what(book: Book) -> None:
    html = page(book, "the-game").html
    patch = html[html.index('class="patch"') :]
    assert '<b>Starts.</b> 4 <span aria-hidden="true">→</span><span class="out">becomes</span> 5.' in patch and "1 more" not in patch


def test_a_quotation_links_no_terms(book: Book) -> None:
    html = page(book, "the-game").html
    quotation = html[html.index("<blockquote>") : html.index("</blockquote>")]
    assert "Oil belongs to Dark" in quotation and "<a" not in quotation


def test_dice_are_found(book: Book) -> None:
    assert '"2d8"' in book.data["js/search-data.js"]


def test_only_the_lines_of_a_told_step_can_be_folded(book: Book) -> None:
    html = page(book, "the-game").html
    assert html.count('class="rules told"') == 1
    assert html.index("Everybody looks at the sea") < html.index('class="rules told"') < html.index("2d8")


def test_without_a_license_nothing_is_to_be_copied(book: Book) -> None:
    html = page(book, "license").html
    assert "To copy" not in html and "No license has been chosen for The Game yet" in html


# ---------------------------------------------------------------- games on other games

OWED = "license: CC0\nsources:\n  - title: Old Work\n    attribution: Old Work is by Somebody.\nmarks:\n  - Lit by Somebody\n"
SOURCES = OWED.partition("\n")[2]


@pytest.fixture
def derived(tmp_path: Path) -> Path:
    written(tmp_path, "game", RULES + "\n# Appendix Of The Game\n\nThe end.\n", OWED)
    return written(tmp_path, "hill", "# The Hill\n\nMine.\n\n# More\n\nMine, too.\n", f"requires:\n  game: '>=1.0'\n{SOURCES}")


def chapters(book: Book) -> list[tuple[str, str]]:
    return [(one.title, one.source) for one in book.pages if one.group == "book"]


def test_a_derived_game_begins_with_itself(derived: Path) -> None:
    made = book_of(derived)
    assert chapters(made) == [("The Hill", ""), ("More", ""), ("The Game", "The Game"), ("Appendix Of The Game", "The Game")]
    assert page(made, "index").html.count("From The Game") == 1
    assert page(made, "the-hill").breadcrumbs == (), "no `The Hill > The Hill`"


def test_the_head_of_a_pack_may_put_chapters_first(derived: Path) -> None:
    head = derived / "pack.yaml"
    head.write_text(head.read_text(encoding="utf-8") + "chapters:\n  - More\n  - The Game\n", encoding="utf-8")
    assert [title for title, _ in chapters(book_of(derived))] == ["More", "The Game", "The Hill", "Appendix Of The Game"]


def test_a_chapter_that_is_not_there_cannot_come_first(derived: Path) -> None:
    head = derived / "pack.yaml"
    head.write_text(head.read_text(encoding="utf-8") + "chapters:\n  - The Gane\n", encoding="utf-8")
    [found] = [one for one in load(str(derived)).diagnostics if one.severity == "error"]
    assert found.code == "bad-pack-field" and "there is no chapter called `The Gane`; did you mean `The Game`?" in found.message
    assert (Path(found.span.file).name, found.span.line) == ("pack.yaml", 12)


def test_an_attribution_is_owed_once(derived: Path) -> None:
    made = book_of(derived)
    assert page(made, "license").html.count("Old Work is by Somebody.") == 1
    assert page(made, "license").html.count("Lit by Somebody") == 1
    assert made.attribution == "Old Work is by Somebody."
