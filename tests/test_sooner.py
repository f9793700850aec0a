"""Where to put a line of a hack that would never be reached: in front of the whole chain that ends the procedure, not into it."""

from __future__ import annotations

from pathlib import Path

import pytest

from te_forge.check import check
from te_forge.compose import compose
from te_forge.diagnostics import Diagnostic
from te_forge.model.pack import PackInfo
from te_forge.source import Source

PRELUDE = (Path(__file__).parent / "prelude.te").read_text(encoding="utf-8")
PAGE = """# A Page

## procedure: Keeping
- Roles: a character as the walker
- Outcomes: Good, Bad, Empty

1. Go.
   - Ward: the walker loses 1 Health
   - Good: if the walker's Vigor is above 2: end with Good
   - Bad: otherwise if the walker's Vigor is 1: end with Bad
   - Empty: otherwise: end with Empty

## hack: Cold
### changes procedure: Keeping
"""


def said(hack: str) -> list[Diagnostic]:
    pages = [Source("prelude.te", PRELUDE), Source("page.te", PAGE + hack)]
    system, found = check(pages, PackInfo(id="small", title="A Small Game", version="1.0.0"))
    assert system is not None and not [one for one in found if one.severity == "error"]
    return [one for one in compose(system, ["small:hack/cold"]).diagnostics if one.span.file == "page.te"]


@pytest.mark.parametrize(("place", "code", "help"), [
    ("after Empty", "never-reached", "put it in sooner, `Chill before Good`, "),
    ("before Empty", "lost-otherwise", "put it in front of the whole chain, `Chill before Good`, "),
    ("before Bad", "lost-otherwise", "put it in front of the whole chain, `Chill before Good`, "),
    ("after Good", "lost-otherwise", "put it in front of the whole chain, `Chill before Good`, "),
])  # fmt: skip
def test_the_place_that_is_named_is_a_place_for_it(place: str, code: str, help: str) -> None:
    (one,) = said(f"- Go:\n  - Chill {place}: the walker loses 1 Health\n")
    assert one.code == code and one.help.startswith(help)
    assert said("- Go:\n  - Chill before Good: the walker loses 1 Health\n") == []


def test_a_step_behind_the_end_is_told_the_step_and_the_line() -> None:
    (one,) = said("- Rest after Go:\n  All rest.\n  - Chill: the walker loses 1 Health\n")
    assert one.help.startswith("put it in sooner: a step before Go, or a line of it before Good;")
    assert said("- Rest before Go:\n  All rest.\n  - Chill: the walker loses 1 Health\n") == []


def test_a_line_of_the_procedure_itself_is_told_too() -> None:
    page = PAGE.replace("otherwise: end with Empty\n", "otherwise: end with Empty\n   - Late: the walker loses 1 Health\n")
    found = check([Source("prelude.te", PRELUDE), Source("page.te", page)], PackInfo(id="small", title="A Small Game", version="1.0.0"))[1]
    assert [one.help for one in found if one.code == "never-reached"] == ["take it out, or put it in front of `Good`"]
