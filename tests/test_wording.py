"""Words that are understood, and have not the form that their sentence needs: they would be printed so."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from te_forge.check import check
from te_forge.diagnostics import Diagnostic
from te_forge.model.pack import PackInfo
from te_forge.render.site import build_site
from te_forge.source import Source

PRELUDE = (Path(__file__).parent / "prelude.te").read_text(encoding="utf-8")
PAGE = """# A Page

## condition: Soaked

## adversary: Troll

## adversary: Wolves

## table: Weather

| d6  | row  | effect                    |
|-----|------|---------------------------|
| 1-6 | Fair | the roller gains 1 Health |

## procedure: Keeping
- Roles: a character as the walker, a group of characters as the friends, a group of characters as the party, a character as the boss
- Outcomes: Good, Bad

1. Go.
   - Pick: the walker chooses one as the way:
     - Bold: the walker gains 1 Health
     - Wary: nothing
   - Count: the count is 3
   - Here: LINE
   - Last: if the count is 3: end with Good
   - Bad: otherwise: end with Bad

## rule: When
- When: after Keeping with Troll as the walker, Wolves as the friends: until Scene ends: each character cannot gain Health
"""


def said(line: str) -> list[Diagnostic]:
    pages = [Source("prelude.te", PRELUDE), Source("page.te", PAGE.replace("LINE", line))]
    found = check(pages, PackInfo(id="small", title="A Small Game", version="1.0.0"))[1]
    return [one for one in found if one.code == "wrong-form" or (one.severity == "error" and one.span.line == 25)]


@pytest.mark.parametrize(("line", "better"), [
    ("the walker gain 1 Health", "the walker gains 1 Health"),
    ("each character gain 1 Health", "each character gains 1 Health"),
    ("Troll take Soaked", "Troll takes Soaked"),
    ("the gm say \"so\"", "the gm says \"so\""),
    ("the friends gains 1 Health", "the friends gain 1 Health"),
    ("the friends chooses a feature as the feat", "the friends choose a feature as the feat"),
    ("the boss gain 1 Health", "the boss gains 1 Health"),
    ("the count become 4", "the count becomes 4"),
    ("the count are 1 more", "the count is 1 more"),
    ("if the walker have Soaked: the walker gains 1 Health", "if the walker has Soaked: the walker gains 1 Health"),
    ("if the friends has Soaked: the walker gains 1 Health", "if the friends have Soaked: the walker gains 1 Health"),
    ("if the walker's Vigor are 3: the walker gains 1 Health", "if the walker's Vigor is 3: the walker gains 1 Health"),
    ("until Scene end: the walker cannot gain Health", "until Scene ends: the walker cannot gain Health"),
    ("if the count is 4: ends with Good", "if the count is 4: end with Good"),
    ("the walker takes the Soaked", "the walker takes Soaked"),
    ("if the walker lacks the Soaked: the walker gains 1 Health", "if the walker lacks Soaked: the walker gains 1 Health"),
    ("the walker gains 1 of the Vigor", "the walker gains 1 of Vigor"),
    ("the walker reads the Weather at 3", "the walker reads Weather at 3"),
    ("if the way is the Bold: the walker gains 1 Health", "if the way is Bold: the walker gains 1 Health"),
    ("the walker chooses a attribute as the best", "the walker chooses an attribute as the best"),
    ("the walker chooses an condition as the best", "the walker chooses a condition as the best"),
    ("for each characters: the walker gains 1 Health", "for each character: the walker gains 1 Health"),
    ("the walker divides exactly 2 among attribute", "the walker divides exactly 2 among attributes"),
    ("the count becomes number of character", "the count becomes number of characters"),
])  # fmt: skip
def test_each_is_told_with_the_right_form(line: str, better: str) -> None:
    (one,) = said(line)
    assert one.severity == "warning" and one.fix is not None and one.help == f"write `{one.fix.text}`"
    start, text = one.span.column - len("   - Here: ") - 1, one.fix.text
    assert line[:start] + text + line[one.span.end - len("   - Here: ") - 1 :] == better
    assert said(better) == []


def test_a_choice_with_options_below_it_is_told_too() -> None:
    pages = [Source("prelude.te", PRELUDE), Source("page.te", PAGE.replace("the walker chooses one", "the walker choose one"))]
    found = check(pages, PackInfo(id="small", title="A Small Game", version="1.0.0"))[1]
    assert [one.help for one in found if one.code == "wrong-form"] == ["write `chooses`"]


@pytest.mark.parametrize("line", [
    "the friends gain 1 Health", "the party gains 1 Health", "the party gain 1 Health", "the boss gains 1 Health", "the walker chooses an skill as the best",
    "the Troll gains 1 Health", "Wolves gain 1 Health", "Wolves gains 1 Health", "the walker cannot gain Health", "the count becomes number of characters with Soaked",
    "the walker rolls 2 d6 as the dice; if the walker is a character: the walker gains 1 Health for each die showing 6 in the dice",
    "each character except the walker gains 1 Health for each condition in the walker",
])  # fmt: skip
def test_what_may_be_meant_is_left_alone(line: str) -> None:
    assert said(line) == []


def test_two_columns_of_a_table_have_two_heads(tmp_path: Path) -> None:
    text = "# A Page\n\n## table: Winds\n\n| d2 | text | Result | effect |\n|---|---|---|---|\n| 1-2 | A storm | Wet | the roller loses 1 Health |\n"
    system, found = check([Source("prelude.te", PRELUDE), Source("page.te", text)], PackInfo(id="small", title="A Small Game", version="1.0.0"))
    assert system is not None and not [one for one in found if one.severity == "error"]
    build_site(system, tmp_path / "book", {})
    page = "".join(path.read_text(encoding="utf-8") for path in (tmp_path / "book").glob("*.html"))
    heads = re.findall(r"<th[^>]*>([^<]*)</th>", page[page.index("A storm") - 900 : page.index("A storm")])
    assert heads[-5:-1] == ["d2", "Text", "Result", "Effect"]
