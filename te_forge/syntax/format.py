"""The one way a page is written: `te-forge fmt`.

Only what has no meaning is touched: how far rule lines are set in, spaces, blank lines. Words, prose, code, comments and numbers of steps stay as
they were typed, and a page that does not read is left alone altogether, since nobody knows yet what it means. Formatting a formatted page changes
nothing.

The cells of tables are set below one another only where that is asked for: a ragged table means the same, one longer cell would change every row of
it (and every row would be news to whoever reads the difference), and a column of prose makes rows that no screen is wide enough for.
"""

from __future__ import annotations

import re
import unicodedata

from te_forge.diagnostics import Findings
from te_forge.source import Source
from te_forge.syntax.headings import HEAD
from te_forge.syntax.page import read_page
from te_forge.syntax.shapes import Shaped, page_lines, shape_lines

MENDED = frozenset(["tab-indent"])
"""Mistakes that formatting mends."""
QUOTED_OR_SPACE = re.compile(r'"[^"\n]*"|\[\[[^\]\n]*\]\]|[ \t\u00a0]+')
STROKE = re.compile(r"(?<!\\)\|")
LINE_CELL = re.compile(r":?-+:?")


def format_page(text: str, align: bool = False) -> str:
    """`text` in its canonical form, or as it is when it does not read. With `align`, the cells of tables are padded to stand below one another."""
    source = Source("", text.replace("\r\n", "\n"))
    findings = Findings()
    read_page(source, findings)
    if any(one.severity == "error" and one.code not in MENDED for one in findings):
        return text
    lines = spaced(Formatter(source, align).lines())
    return "\n".join(lines) + "\n" if lines else ""


Written = tuple[str, str]
"""The shape of a line and how it is written."""


class Formatter:
    """Writes the lines of one page that reads."""

    def __init__(self, source: Source, align: bool) -> None:
        self.source, self.align = source, align

    def lines(self) -> list[Written]:
        out: list[Written] = []
        rows: list[str] = []
        depth, in_step = 0, False
        for one in page_lines(shape_lines(self.source, Findings()), Findings()):
            if one.shape == "INDENT":
                depth += 1
                continue
            if one.shape == "DEDENT":
                depth -= 1
                continue
            if one.shape == "ROW" and self.align:
                rows.append(self.typed(one).strip())
                continue
            out += [("ROW", row) for row in aligned(rows)]
            rows = []
            in_step = one.shape == "STEP" or (in_step and one.shape not in ("H1", "H2", "H3"))
            out.append((one.shape, self.line(one, depth, in_step)))
        out += [("ROW", row) for row in aligned(rows)]
        return out

    def typed(self, one: Shaped) -> str:
        return self.source.lines[one.span.line - 1]

    def line(self, one: Shaped, depth: int, in_step: bool) -> str:
        match one.shape:
            case "RULE":
                indent = 2 * depth + (1 if in_step and depth else 0)
                return f"{' ' * indent}- {single_spaced(one.text)}"
            case "STEP":
                return f"{self.typed(one).lstrip().partition('.')[0]}. {one.text.strip()}"
            case "H1" | "H2" | "H3":
                return heading(one)
            case "GAP":
                return ""
            case "PROSE" if one.fenced:
                return self.typed(one)
            case "PROSE" if depth and not in_step:
                return f"{' ' * 2 * depth}{self.typed(one).strip()}"
            case _:
                return self.typed(one).rstrip()


def heading(one: Shaped) -> str:
    text = one.text.strip()
    if one.shape != "H1" and (found := HEAD.match(text)):
        text = f"{found[1] + ' ' if found[1] else ''}{found[2]}: {found[3]}"
    return f"{'#' * int(one.shape[1])} {text}"


def single_spaced(text: str) -> str:
    """Runs of spaces become one space, but for those in quotation marks and double brackets."""
    return QUOTED_OR_SPACE.sub(lambda found: found[0] if found[0][0] in '"[' else " ", text.rstrip())


def spaced(lines: list[Written]) -> list[str]:
    """No blank lines at either end, none doubled, one above every heading (and above the comments directly on it)."""
    out: list[Written] = []
    for shape, text in lines:
        if shape == "GAP" and (not out or out[-1][0] == "GAP"):
            continue
        if shape in ("H1", "H2", "H3"):
            at = len(out)
            while at and out[at - 1][0] == "COMMENT":
                at -= 1
            if at and out[at - 1][0] != "GAP":
                out.insert(at, ("GAP", ""))
        out.append((shape, text))
    if out and out[-1][0] == "GAP":
        out.pop()
    return [text for _, text in out]


# ------------------------------------------------------------ tables


def aligned(rows: list[str]) -> list[str]:
    """The rows of one table with their cells below one another."""
    table = [cells(row) for row in rows]
    if not table:
        return []
    ruled = len(table) > 1 and all(LINE_CELL.fullmatch(cell) for cell in table[1])
    widths = [3] * max(map(len, table))
    for number, row in enumerate(table):
        if not (ruled and number == 1):
            widths[: len(row)] = [max(width, columns(cell)) for width, cell in zip(widths, row, strict=False)]
    return [
        "|" + "|".join(padded(cell, width, ruled and number == 1) for cell, width in zip(row, widths, strict=False)) + "|"
        for number, row in enumerate(table)
    ]


def cells(row: str) -> list[str]:
    if row.endswith("|") and not row.endswith("\\|"):
        row = row[:-1]
    return [cell.strip() for cell in STROKE.split(row[1:])]


def padded(cell: str, width: int, is_line: bool) -> str:
    if is_line:
        left, right = cell.startswith(":"), cell.endswith(":")
        return ":" * left + "-" * (width + 2 - left - right) + ":" * right
    return f" {cell}{' ' * (width - columns(cell))} "


def columns(text: str) -> int:
    """How many columns a text takes on a screen: wide characters two, combining marks none."""
    return sum(
        0 if unicodedata.combining(c) or unicodedata.category(c) in ("Cf", "Me", "Mn") else 1 + (unicodedata.east_asian_width(c) in "WF")
        for c in text
    )
