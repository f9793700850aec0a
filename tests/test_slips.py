"""Beginners' slips: each page of `slips/` has one, and gets one plain finding, on the line that ends in `#! code column N`."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from te_forge.check import check
from te_forge.model.pack import PackInfo
from te_forge.source import Source

HERE = Path(__file__).parent
SLIPS = sorted((HERE / "slips").glob("*.te"))
MARK = re.compile(r" #! ([a-z-]+) column (\d+)$", re.MULTILINE)


@pytest.mark.parametrize("path", SLIPS, ids=lambda path: path.stem)
def test_one_slip_gives_one_error(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    marks = [(at, *found.groups()) for at, line in enumerate(text.split("\n"), 1) if (found := MARK.search(line))]
    pages = [Source("prelude.te", (HERE / "prelude.te").read_text(encoding="utf-8")), Source("page.te", MARK.sub("", text))]
    _, found = check(pages, PackInfo(id="small", title="A Small Game", version="1.0.0"))
    assert [(one.span.line, one.code, str(one.span.column)) for one in found if one.severity == "error"] == marks
    assert len(marks) == (path.stem != "good")


def test_a_line_inside_of_a_step_is_told_where_it_stands() -> None:
    pages = [
        Source("prelude.te", (HERE / "prelude.te").read_text(encoding="utf-8")),
        Source("page.te", MARK.sub("", (HERE / "slips" / "dotted-label.te").read_text(encoding="utf-8"))),
    ]
    _, found = check(pages, PackInfo(id="small", title="A Small Game", version="1.0.0"))
    assert [one.help for one in found if one.severity == "error"] == ["write `- Reach:`, and set in below it `- High: ..`"]


def test_what_a_line_that_does_not_read_speaks_of_is_not_said_to_be_unused() -> None:
    page = """# A Page

## deck: Ice
- Cards: 1 to 10

## deck: Snow
- Cards: 1 to 10

## procedure: Crossing
- Roles: a character as the walker

1. Draw.
   - Draw: the walker snatches 1 of Ice as the card
"""
    pages = [Source("prelude.te", (HERE / "prelude.te").read_text(encoding="utf-8")), Source("page.te", page)]
    _, found = check(pages, PackInfo(id="small", title="A Small Game", version="1.0.0"))
    said = [one.message for one in found if one.code == "unused-definition" and one.span.file == "page.te"]
    assert said == ["nothing mentions `Snow`"]
    assert [one.span.line for one in found if one.severity == "error"] == [13]


@pytest.mark.parametrize(("line", "message", "help"), [
    ("until the die is not 6", "this is dice, but here a number is needed", "sum of"),
    ("until the die is Fair", "`Fair` is an outcome, an option or a label, but here dice is needed", "sum of"),
])  # fmt: skip
def test_dice_are_compared_by_what_they_show(line: str, message: str, help: str) -> None:
    page = f"""# A Page

## table: Weather

| d6  | row  | effect                 |
|-----|------|------------------------|
| 1-3 | Fair | -                      |
| 4-6 | Foul | the gm gains 1 Tension |

## procedure: Waiting
- Roles: a character as the waiter
- Outcomes: Fair, Foul

1. Wait.
   - Wait: repeat {line}: the waiter rolls Weather as the die
   - Fair: if sum of the die is 3: end with Fair
   - Foul: otherwise: end with Foul
"""
    pages = [Source("prelude.te", (HERE / "prelude.te").read_text(encoding="utf-8")), Source("page.te", page)]
    _, found = check(pages, PackInfo(id="small", title="A Small Game", version="1.0.0"))
    (one,) = [one for one in found if one.severity == "error"]
    assert one.message == message and help in one.help
