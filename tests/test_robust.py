"""No text, however broken or large, is more than a text with mistakes in it: it is read in good time and never raises."""

from __future__ import annotations

import time

import pytest
from hypothesis import HealthCheck, given, settings
from pages_for_tests import BROKEN, STRANGE, TEXTS, name, pages

from te_forge.check import check
from te_forge.diagnostics import Diagnostic
from te_forge.model.pack import PackInfo
from te_forge.source import Source
from te_forge.syntax.format import format_page

INFO = PackInfo(id="robust", title="Robust", version="1.0.0")
HEAD = "## kind: gm\n- Is: an actor\n- How Many: 1\n\n## kind: pool\n- Is: a number\n\n## pool: Tension\n\n"
SETTINGS = settings(deadline=None, suppress_health_check=list(HealthCheck), max_examples=150)
SECONDS = 90


def found(*texts: str) -> list[Diagnostic]:
    """What is said about these pages; every place must lie in them."""
    sources = [Source(f"page-{number}.te", text) for number, text in enumerate(texts)]
    start = time.process_time()
    _, said = check(sources, INFO)
    assert time.process_time() - start < SECONDS
    lines = {source.path: len(source.lines) for source in sources}
    for one in said:
        assert 1 <= one.span.line <= lines[one.span.file], one
        assert 1 <= one.span.column <= one.span.end, one
        assert one.message
    return said


@SETTINGS
@given(pages())
def test_damaged_pages(text: str) -> None:
    found(text)
    found(HEAD, text)


@pytest.mark.parametrize("text", [*BROKEN, *STRANGE])
def test_strange_pages(text: str) -> None:
    for page in (
        text,
        f"# {text}",
        f"## {text}",
        f"## pool: {text}",
        f"### {text}: {text}",
        f"- {text}",
        f"- A: {text}",
        f"1. {text}",
        f"| {text} |\n|---|\n| {text} |",
        f"Prose {text} prose.",
    ):
        found(HEAD + page)
        format_page(page)


@pytest.mark.parametrize("text", TEXTS[:12], ids=range(len(TEXTS[:12])))
def test_each_line_taken_away(text: str) -> None:
    lines = text.split("\n")
    for at in range(0, len(lines), 3):
        found("\n".join([*lines[:at], *lines[at + 1 :]]))


DEEP = 10_000
LARGE = {
    "indents": "## pool: A\n" + "\n".join(f"{'  ' * n}- L: if Tension is 1:" for n in range(2_000)),
    "indents by one": "## pool: A\n" + "\n".join(f"{' ' * n}- L: while Tension is 1:" for n in range(DEEP // 2)),
    "brackets": f"## pool: A\n- Starts: {'(' * DEEP}1{')' * DEEP}\n",
    "brackets in prose": f"# A\n{{{'(' * DEEP}1{')' * DEEP}}}\n",
    "few brackets in prose": f"# A\n{{{'(' * 400}1{')' * 400}}}\n",
    "brackets within the limit": f"## pool: A\n- Starts: {'(' * 450}1{')' * 450}\n",
    "minus within the limit": f"## pool: A\n- Starts: {'1 - ' * 120}1\n",
    "possessives": f"## pool: A\n- B: the gm{chr(39) + 's x'} is 1\n- C: the gm{(chr(39) + 's x') * DEEP} is 1\n",
    "possessives within the limit": f"## pool: A\n- C: the gm{(chr(39) + 's x') * 240} is 1\n",
    "openers": f"## pool: A\n- C: {'if Tension is 1: ' * DEEP}the gm loses 1 Tension\n",
    "openers within the limit": f"## pool: A\n- C: {'if Tension is 1: ' * 48}the gm loses 1 Tension\n",
    "semicolons within the limit": f"## pool: A\n- C: {'the gm loses 1 A; ' * 49}the gm loses 1 A\n",
    "if chain": "## procedure: A\n1. B.\n   - if Tension is 1: the gm loses 1 Tension\n" + "   - otherwise if Tension is 1: the gm loses 1 Tension\n" * DEEP,
    "one rule line": f"## pool: A\n- B: {'word ' * 200_000}\n",
    "one prose line": f"# A\n{'word {1} [[A]] ' * 60_000}\n",
    "one word": "a" * 1_000_000,
    "one heading": f"## pool: {'Word ' * 200_000}\n",
    "one step": f"## procedure: A\n1. {'Word ' * 200_000}\n",
    "one row": f"{'| a ' * 200_000}|\n{'|---' * 200_000}|\n",
    "one comment": f"<!-- {'-' * 1_000_000} -->",
    "dashes": "-" * 500_000 + " x",
    "hashes": "#" * 500_000 + " x",
    "spaces": "# A\nx" + " " * 500_000 + "x",
    "spaces in a heading": "## pool: A" + " " * 300_000 + "x [S-1] {#a}" + " [S-1]" * 20_000 + "x",
    "digits": "1" * 500_000 + ". A. B\n",
    "citations": "# A" + " [SRD-01]" * 50_000,
    "braces": "# A\n" + "{" * 300_000,
    "braces on many lines": "# A\n" + ("{" * 1_000 + "\n") * 300,
    "double brackets": "# A\n" + "[[" * 300_000,
    "double brackets on many lines": "# A\n" + ("[[" * 1_000 + "\n") * 300,
    "double brackets on long lines": "# A\n" + ("[[" * 9_999 + "\n") * 30,
    "backticks": "# A\n" + "x ` `` " * 60_000,
    "quotes": "- " + '"' * 999,
    "rule-like prose": "# A\nA: " + "if " * 300_000,
    "a file of 50,000 lines": HEAD + "".join(f"## pool: P{'abcdefghij'[n % 10]}{'abcdefghij'[n // 10 % 10].upper()} {'Xyz' * (n % 4)}\n- Starts: {n}\n- B: the gm loses 1 Tension\n\n" for n in range(12_500)),
    "a file of 50,000 sound lines": HEAD + "".join(f"## pool: {name(n)}\n- Starts: {n}\n- B: the gm loses 1 {name(n)}\n\n" for n in range(12_500)),
    "50,000 broken lines": "## pool: A\n" + "".join(f"- B{chr(97 + n % 26)}: the gm lost {n} Tensoin\n" for n in range(50_000)),
    "5,000 unknown names": HEAD + "## rule: A\n" + "".join(f"- L{chr(97 + n % 26)}{chr(97 + n // 26 % 26)}{chr(97 + n // 676)}: the gm loses 1 Tensoin {chr(65 + n % 26)}{chr(97 + n // 26 % 26)}{chr(97 + n // 676)}\n" for n in range(5_000)),
    "a table of 5,000 rows": "## table: A\n| d5000 | text |\n|---|---|\n" + "".join(f"| {n} | row |\n" for n in range(1, 5_001)),
    "a table of 5,000 crossing rows": "## table: A\n| d100 | text |\n|---|---|\n" + "| 1-100 | row |\n" * 5_000,
    "5,000 entries in a table": HEAD + "| pool | Starts |\n|---|---|\n" + "".join(f"| P{chr(97 + n % 26)}{chr(97 + n // 26 % 26)}{chr(97 + n // 676)} | {n} |\n" for n in range(5_000)),
    "a large die": HEAD + "## table: A\n| d999999999 | text |\n|---|---|\n| 1-999999998 | a |\n\n## rule: B\n- C: the gm rolls d999999999 as the roll\n- D: the gm rolls 999999999d999999999 as the roll\n",
    "d66 and others": "".join(f"## table: T{x}\n| {die} | text |\n|---|---|\n| 1 | a |\n| 99999999999999999999-1 | b |\n\n" for x, die in zip("abcdefg", ["d0", "0d6", "d66", "d100", "9999d9999", "d1" + "0" * 30, "d" + "9" * 800], strict=True)),
    "large numbers": HEAD + f"## pool: A\n- Starts: {10**30}\n- At Least: {10**600}\n- At Most: {10**30} x {10**30} x {10**30}\n- B: the gm gains {10**300} Tension\n- {10**20} times per Test: the gm loses 1 A\n",
    "a large number": f"## pool: A\n- Starts: {'9' * 900}\n- B: the gm gains {'9' * 900} A\n",
    "a step of a large number": f"## procedure: A\n{'9' * 5000}. B. C\n",
    "products": "".join(f"## pool: P{chr(97 + n % 26)}{chr(97 + n // 26)}\n- Starts: P{chr(97 + (n + 1) % 26)}{chr(97 + (n + 1) // 26)} x P{chr(97 + (n + 1) % 26)}{chr(97 + (n + 1) // 26)}\n\n" for n in range(300)) + "## pool: Po\n",
    "a chain of starts": "".join(f"## pool: P{chr(97 + n % 26)}{chr(97 + n // 26 % 26)}{chr(97 + n // 676)}\n- Starts: P{chr(97 + (n + 1) % 26)}{chr(97 + (n + 1) // 26 % 26)}{chr(97 + (n + 1) // 676)} + 1\n\n" for n in range(3_000)),
    "a chain of procedures": "".join(f"## procedure: P{chr(97 + n % 26)}{chr(97 + n // 26 % 26)}{chr(97 + n // 676)}\n1. S. T\n   - do P{chr(97 + (n + 1) % 26)}{chr(97 + (n + 1) // 26 % 26)}{chr(97 + (n + 1) // 676)}\n\n" for n in range(3_000)),
    "a chain of parts": "".join(f"## procedure: P{chr(97 + n % 26)}{chr(97 + n // 26 % 26)}{chr(97 + n // 676)}\n- Part Of: P{chr(97 + (n + 1) % 26)}{chr(97 + (n + 1) // 26 % 26)}{chr(97 + (n + 1) // 676)}\n1. S. T\n   - after S{chr(97 + n % 26)}: the x is 1\n\n" for n in range(1_500)),
    "a circle of parts": "## procedure: A\n- Part Of: B\n- Counts As: A\n1. C. D\n   - do A\n   - go back to C\n\n## procedure: B\n- Part Of: A\n1. C. D\n   - do B\n",
    "pools that feed each other": HEAD + "".join(f"## pool: P{chr(97 + n % 26)}{chr(97 + n // 26)}\n- R: after gain of P{chr(97 + n % 26)}{chr(97 + n // 26)}: the gm gains 1 P{chr(97 + (n + 1) % 26)}{chr(97 + (n + 1) // 26)}\n\n" for n in range(400)),
    "parts of parts": "## hack: A\n" + "### changes pool: A\n- Starts: 1\n" * 5_000,
}  # fmt: skip


@pytest.mark.parametrize("case", LARGE)
def test_large_and_deep(case: str) -> None:
    found(HEAD, LARGE[case])
    found(LARGE[case])


@pytest.mark.parametrize("case", ["indents", "if chain", "one rule line", "one row", "a file of 50,000 lines", "spaces"])
def test_large_pages_are_formatted(case: str) -> None:
    start = time.process_time()
    format_page(LARGE[case], align=True)
    assert time.process_time() - start < SECONDS


def test_a_formula_without_blanks_is_as_long_as_one_with_them() -> None:
    page = "## procedure: Sum\n- Outcomes: Done\n\n1. **Add.**\n   - It: the total is {}\n"
    assert [one.code for one in found(HEAD + page.format("+".join("1" * 400)))].count("too-long") == 1
    assert "too-long" not in [one.code for one in found(HEAD + page.format("+".join("1" * 200)))]
