"""Four times the text takes about four times as long, whatever the text is: in checking, reporting, formatting and printing."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable, Iterator
from itertools import count, islice

import pytest
from pages_for_tests import name

from te_forge.check import check
from te_forge.diagnostics import has_errors
from te_forge.model.pack import PackInfo
from te_forge.model.system import System
from te_forge.render.book import make_book
from te_forge.report import as_json, as_sarif, as_text
from te_forge.source import Source
from te_forge.syntax.format import format_page
from te_forge.syntax.grammar import tables

INFO = PackInfo(id="large", title="Large", version="1.0.0")
HEAD = "## kind: gm\n- Is: an actor\n- How Many: 1\n\n## kind: pool\n- Is: a number\n\n## pool: Tension\nIt grows.\n\n# Rest\nAll of it.\n"
STEPS = "## procedure: A\n- Outcomes: Yes, No\n1. B. C\n"
ROLLED = "## table: A\n| d100000 | row | text | effect |\n|---|---|---|---|\n"
LETTERS = 15_000
TIMES = 10
"""How many times as long four times the text may take."""


def wrapped(unit: str) -> Callable[[int], str]:
    """Prose that is nothing but `unit`, on lines as long as people's are."""
    line = unit * max(1, 60 // len(unit)) + "\n"
    return lambda letters: "# A\n" + line * (letters // len(line))


def lines(make: Callable[[int], str], before: str = "") -> Callable[[int], str]:
    def text(letters: int) -> str:
        out, size = [before], 0
        for at in count():
            out.append(make(at))
            size += len(out[-1])
            if size > letters:
                return "".join(out)
        raise AssertionError

    return text


SIGNS = ["(", "[", "]", "[[", "[[x", "{", "}", "`", "x ` `` ", '"', "'s ", "1", "*", "*a ", "_", "<", "<a ", "![", "![a](", "[a](", "&", "\\", ":", "A: ", "A. ", "Aa ", "Aa", "🎲", "漢", "{Tension's start} ", "[[Tension]] ", " [SRD-1]"]  # fmt: skip
SHAPES: dict[str, Callable[[int], str]] = {
    **{f"nothing but {unit}": wrapped(unit) for unit in SIGNS},
    "one-letter lines": lines(lambda at: "a\n"),
    "blank lines": lines(lambda at: "\n"),
    "pipes": lines(lambda at: "|\n"),
    "hashes": lines(lambda at: "#\n"),
    "small headings": lines(lambda at: "#### a\n"),
    "lists": lines(lambda at: "  " * (at % 20) + "* a\n"),
    "quotations": lines(lambda at: ">" * (at % 50) + " a\n"),
    "headings": lines(lambda at: f"## pool: {name(at)}\n"),
    "headings of one name": lines(lambda at: "## pool: Same\n"),
    "names with ids": lines(lambda at: f"## pool: Same {{#a{at}}}\n- A: the gm loses 1 Same\n"),
    "chapters": lines(lambda at: f"# {name(at)}\n"),
    "chapters of one name": lines(lambda at: "# Same\n"),
    "parts": lines(lambda at: f"### rule: {name(at)}\n- A: the gm loses 1 Tension\n", "## rule: A\n"),
    "patches": lines(lambda at: f"### changes pool: Tension\n- Starts: {at}\n", "## hack: A\n"),
    "rules": lines(lambda at: f"- {name(at)}: the gm loses 1 Tension\n", "## rule: A\n"),
    "steps": lines(lambda at: f"{at + 1}. {name(at)}. x\n   - A: the gm loses 1 Tension\n", "## procedure: A\n"),
    "deep lines": lines(lambda at: "  " * (at % 38) + "- if Tension is 1:\n", "## rule: A\n"),
    "values": lines(lambda at: f"   - the {name(at).lower()} is {at}\n", STEPS),
    "values behind a test": lines(lambda at: f"   - if Tension is 1: the {name(at).lower()} is {at}\n", STEPS),
    "branches": lines(lambda at: f"   - otherwise if Tension is {at}: end with Yes\n", STEPS + "   - if Tension is 1: end with No\n"),
    "options": lines(lambda at: f"     - {name(at)}: nothing\n", STEPS + "   - the gm chooses one:\n"),
    "procedures": lines(lambda at: f"## procedure: {name(at)}\n1. A{name(at)}. B\n   - do {name(at + 1)}\n"),
    "hooks on steps": lines(lambda at: f"## procedure: {name(at)}\n- C: after A{name(at + 1)}: the gm loses 1 Tension\n1. A{name(at)}. B\n"),
    "rolls": lines(lambda at: f"## rule: {name(at)}\n- A: after a roll: the gm loses 1 Tension\n"),
    "fields": lines(
        lambda at: f"| {name(at)} | a number | {at} | x |\n", "## kind: x\n- Is: an entry\n\n| label | holds | default | text |\n|---|---|---|---|\n"
    ),
    "rows that define": lines(
        lambda at: f"| {name(at)} | {at} | - | Text of it. |\n", "# A\n| pool | Starts | At Most | text |\n|---|---|---|---|\n"
    ),
    "rows that are rolled": lines(lambda at: f"| {at + 1} | {name(at)} | - | the gm loses 1 Tension |\n", ROLLED),
    "rows that are read": lines(lambda at: f"| {name(at)} | b |\n", "# A\n| Aa | B |\n|---|---|\n"),
    "wide rows": lambda letters: (
        "# A\n"
        + "\n".join([f"|{'Aa|' * int(letters**0.5)}", f"|{'---|' * int(letters**0.5)}", *[f"|{'b|' * int(letters**0.5)}"] * (int(letters**0.5) // 4)])
    ),
    "rulings": lines(lambda at: f'## ruling: {name(at)} [SRD-1]\nWords.\n- Reads: "a"\n'),
    "links": lines(lambda at: f"## rule: {name(at)}\nSee [[{name(max(0, at - 1))}]] and [[Tension]].\n"),
    "numbers in prose": lines(lambda at: f"## pool: {name(at)}\n- Starts: 3\n\nThere {name(at)} starts at 3 and 3.\n"),
    "lists in prose": lines(lambda at: f"## pool: {name(at)}\nAll pools are {name(at)}, {name(at + 1)} and {name(at + 2)}.\n"),
    "formulas": lines(lambda at: f"## pool: {name(at)}\n- Starts: {name(at + 1)} + {name(at + 2)}\n"),
    "terms": lines(lambda at: f"The gm has a {name(at)} and 2 {name(at)}.\n", "# A\n"),
    "capitals": lines(lambda at: f"{name(at)}{' ' if at % 9 else chr(10)}", "# A\nx "),
    "unknown names": lines(lambda at: f"- {name(at)}: the gm loses 1 {name(at + 9)}\n", "## rule: A\n"),
    "unknown words": lines(lambda at: f"   - the {name(at).lower()} gains 1 Tension\n", STEPS),
    "unknown outcomes": lines(lambda at: f"   - end with {name(at)}\n", STEPS),
    "unknown steps": lines(lambda at: f"   - go back to {name(at)}\n", STEPS),
    "unknown events": lines(lambda at: f"- {name(at)}: after {name(at)}: the gm loses 1 Tension\n", "## rule: A\n"),
    "unknown kinds": lines(lambda at: f"## {name(at).lower()}: A\n"),
    "broken lines": lines(lambda at: f"- {name(at)}: gm lose {at}\n", "## rule: A\n"),
    "broken links": lines(lambda at: f"[[{name(at)}]]\n", "# A\n"),
    "pictures": lines(lambda at: f"![a](assets/{at}.png)\n", "# A\n"),
    "lost dashes": lines(lambda at: "the gm loses 1 Tension\n", "# A\n"),
    "crooked lines": lines(lambda at: " " * (at * 7 % 60) + "- A: if Tension is 1:\n", "## rule: A\n"),
}


def seconds(text: str) -> Iterator[float]:
    """How long each part of the work takes with a page."""
    source = Source("page.te", HEAD + text)
    start = time.process_time()
    system, found = check([source], INFO)
    yield time.process_time() - start
    start = time.process_time()
    as_text(found, {"page.te": source}, True)
    as_json(found)
    as_sarif(found, "1")
    yield time.process_time() - start
    start = time.process_time()
    format_page(source.text, align=True)
    yield time.process_time() - start
    start = time.process_time()
    if isinstance(system, System) and not has_errors(found):
        make_book(system)
    yield time.process_time() - start


@pytest.mark.parametrize("shape", SHAPES)
def test_time_grows_with_the_text_and_no_faster(shape: str) -> None:
    tables()
    for attempt in islice(count(1), 3):
        gc.collect()
        gc.disable()
        try:
            small, large = list(seconds(SHAPES[shape](LETTERS))), list(seconds(SHAPES[shape](4 * LETTERS)))
        finally:
            gc.enable()
        if all(four < max(TIMES * one, 0.25) for one, four in zip(small, large, strict=True)):
            return
        assert attempt < 3, f"check, report, format, print: {small} seconds, for four times as much {large}"
