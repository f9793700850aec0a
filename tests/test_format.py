"""The formatter: one way to write a page, which is the page."""

from __future__ import annotations

import re
from dataclasses import fields, is_dataclass
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pages_for_tests import FILES, SLIPS, TEXTS, pages, respaced

from te_forge.diagnostics import Diagnostic, Findings
from te_forge.source import Source, Span
from te_forge.syntax.format import format_page
from te_forge.syntax.page import read_page
from te_forge.syntax.tree import Node, Rule, Token

SETTINGS = settings(deadline=None, suppress_health_check=list(HealthCheck), max_examples=150)


def read(text: str) -> tuple[object, list[Diagnostic]]:
    findings = Findings()
    return meaning(read_page(Source("", text), findings)), [one for one in findings if one.severity == "error"]


def meaning(tree: object) -> object:
    """A page without its positions, and without the spaces of rule lines (their words stand in the tree)."""
    if isinstance(tree, Span):
        return None
    if isinstance(tree, Token):
        return tree.type, str(tree)
    if isinstance(tree, Node):
        return tree.data, [meaning(child) for child in tree.children]
    if isinstance(tree, Rule):
        return meaning(tree.tree), [meaning(rule) for rule in tree.rules], meaning(tree.prose)
    if isinstance(tree, list | tuple):
        return [meaning(one) for one in tree]
    if is_dataclass(tree):
        return type(tree).__name__, [meaning(getattr(tree, field.name)) for field in fields(tree)]
    return tree


def holds(text: str) -> None:
    """All that must be true of the formatter, for one page."""
    for align in (False, True):
        after = format_page(text, align)
        before, errors = read(text)
        if any(one.code != "tab-indent" for one in errors):
            assert after == text
            continue
        again, left = read(after)
        assert again == before
        assert not left
        assert format_page(after, align) == after
        assert after == "" or (after.endswith("\n") and (after == "\n" or not after.endswith("\n\n")))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_meaning_stays_on_every_page_we_have(path: Path) -> None:
    holds(path.read_text(encoding="utf-8"))


@SETTINGS
@given(pages())
def test_meaning_stays_on_damaged_pages(text: str) -> None:
    holds(text)


@SETTINGS
@given(st.sampled_from(TEXTS), st.integers(0, 10_000))
def test_however_it_was_spaced_it_is_written_one_way(text: str, seed: int) -> None:
    if not [one for one in read(text)[1] if one.code != "tab-indent"]:
        other = respaced(text, seed)
        assert read(other) == read(text)
        holds(other)
        if "\n\n" not in format_page(text).replace("\n\n#", "\n#"):
            assert format_page(other) == format_page(text)


def test_one_page_with_everything() -> None:
    done = format_page(SLIPS)
    assert done != SLIPS
    for line in [
        "## kind: character   [SRD-01] {#character}",
        "- Is: an actor",
        "- Starts: 2",
        '- Words: "two  spaces,   kept"',
        "  - Deep: if the roller is the owner:",
        "    - Deeper: the owner gains 1 Health",
        "          <!-- between -->",
        "  - Shallow: the owner gains 1 [[Point  of  Honour]]",
        "1. Look. You look   around.",
        "   - First: the roller gains 1 Health",
        "     - Third: end with Success",
        "- not a rule:   at all",
        " An indented line, and a list:",
        "- - not a rule",
        "## table: Weather",
        "|4-6|日本の雨|",
    ]:
        assert line in done.split("\n"), line
    assert "\n\n\n" not in done
    assert not re.search(r"[ \t]\n", done)
    assert format_page(done) == done


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("", ""),
        ("\n \n\n", ""),
        ("# A", "# A\n"),
        ("# A\nWords.\n\n\n\nMore.\n# B\n", "# A\nWords.\n\nMore.\n\n# B\n"),
        ("Words.\n<!-- about B -->\n# B\n", "Words.\n\n<!-- about B -->\n# B\n"),
        ("## kind: a\n\t- A: 1", "## kind: a\n\t- A: 1"),
        ("1.   A.  B.\n\t- C: the gm loses 1 D\n\t- E: the gm gains 1 F\n", "1. A.  B.\n   - C: the gm loses 1 D\n   - E: the gm gains 1 F\n"),
        ("7. A.\n   - C: the gm loses 1 D", "7. A.\n   - C: the gm loses 1 D\n"),
        ("- A the gm loses\n", "- A the gm loses\n"),
        ("# A\r\n- B: 1\r\n", "# A\n- B: 1\n"),
        ("-  - 5", "-  - 5\n"),
        (
            "## hack: A\n### changes procedure: B\n- C:\n      So it\n      goes.\n      - D: the gm loses 1 E\n",
            "## hack: A\n\n### changes procedure: B\n- C:\n  So it\n  goes.\n  - D: the gm loses 1 E\n",
        ),
    ],
)
def test_small_pages(before: str, after: str) -> None:
    assert format_page(before) == after


def test_tables_stand_in_columns_when_asked() -> None:
    table = "| d6 | text |\n|:--|---|\n| 1-3 | rain \\| snow |\n|4-6|日本|\n"
    assert format_page(table) == table
    assert format_page(table, align=True) == (
        "| d6  | text         |\n|:----|--------------|\n| 1-3 | rain \\| snow |\n| 4-6 | 日本         |\n"
    )  # fmt: skip
