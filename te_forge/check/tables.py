"""Random tables: which faces a die has, and whether the rows cover each of them once."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import product

from te_forge.diagnostics import Findings
from te_forge.model.system import Row
from te_forge.source import Span
from te_forge.syntax.tree import Cell
from te_forge.syntax.vocabulary import FIGURES

DIE = re.compile(r"(\d*)d(\d+)$")
RANGE = re.compile(r"(\d{1,9})(?:\s*[-–]\s*(\d{1,9}))?$")
DIGITS = re.compile(r"([2-9])\1+$")
DOWN_FROM = r"(?:≤|<=|up to|at most) ?(\d+)|(\d+) ?(?:-|−|–|or (?:less|lower|fewer|below|under|worse))"
UP_FROM = r"(?:≥|>=|at least|from) ?(\d+)|(\d+) ?(?:\+|or (?:more|higher|greater|above|over|better|up))"
THROUGH = r"\d+\.?(?: ?(?:[-–—−‐‒―~]|\.\.+|…|to|through|thru|till|until) ?\d+\.?)+"
SEVERAL = r"\d+\.?(?: ?(?:/|&|\+|and|or) ?\d+\.?)*"
MOST_FACES, LONGEST_DIE = 100_000, 12
NO_RANGE = (0, -1)


def faces(die: str) -> list[int]:
    """The results that `die` can show, in order. d66 (d88, d666) are dice read as digits; 2d6 is a sum. Empty when it is beyond reason."""
    found = DIE.match(die)
    if not found or len(die) > LONGEST_DIE:
        return []
    count, sides = int(found[1] or 1), int(found[2])
    if not found[1] and DIGITS.match(found[2]) and int(found[2][0]) ** len(found[2]) <= MOST_FACES:
        one = range(1, int(found[2][0]) + 1)
        return sorted(int("".join(map(str, digits))) for digits in product(one, repeat=len(found[2])))
    if count < 1 or sides < 1 or count * sides > MOST_FACES:
        return []
    return list(range(count, count * sides + 1))


def spans_of(cell: Cell, die: str, findings: Findings) -> tuple[tuple[int, int], ...]:
    """The ranges in a row's first cell (0, -1 when there is none)."""
    if die in ("row",) and not RANGE.match(cell.text):
        return (NO_RANGE,)
    parts = [list(digits_of(part.strip(), die, cell, findings)) for part in cell.text.split(",")]
    return tuple(span for part in parts for span in part) if all(parts) else (NO_RANGE,)


def digits_of(text: str, die: str, cell: Cell, findings: Findings) -> Iterator[tuple[int, int]]:
    """One range; of dice that are read as digits also a range for each digit: `3-6;1` is 31, 41, 51 and 61."""
    *higher, last = text.split(";")
    digits = DIE.match(die)
    if higher and not (digits and not digits[1] and DIGITS.match(digits[2]) and len(digits[2]) == len(higher) + 1):
        findings.add(
            "not-a-range",
            f"`{text}` has a range for each of {len(higher) + 1} digits, and a {die} is not read as so many",
            cell.span,
            help="write `4`, or `2-3`",
        )
        return
    *tens, (low, high) = [one_range(part, die, cell, findings) for part in (*higher, last)]
    if NO_RANGE in (*tens, (low, high)):
        return
    if tens and (most := max(high, *(upper for _, upper in tens))) > 9:
        findings.add("range-outside-die", f"a digit of a {die} never shows {most}", cell.span, help=f"a digit goes from 1 to {die[-1]}")
        return
    for numbers in product(*(range(lower, upper + 1) for lower, upper in tens)):
        front = int("".join(map(str, numbers))) * 10 if tens else 0
        yield front + low, front + high


def one_range(text: str, die: str, cell: Cell, findings: Findings) -> tuple[int, int]:
    found = RANGE.match(text.strip())
    if not found:
        not_a_range(text.strip(), die, cell, findings)
        return NO_RANGE
    low, high = int(found[1]), int(found[2] or found[1])
    if not high and 10 ** len(found[2] or found[1]) == (top := (faces(die) or [0])[-1]):
        findings.add(
            "range-outside-die",
            f"`{found[2] or found[1]}` is {top} where a {die} is rolled",
            cell.span,
            help=f"write `{low}-{top}`" if found[2] else f"write `{top}`",
        )
        return low or top, top
    if high < low:
        findings.add("range-backwards", f"this range ends before it begins: {low} to {high}", cell.span, help=f"write `{high}-{low}`")
        low, high = high, low
    return low, high


def not_a_range(text: str, die: str, cell: Cell, findings: Findings) -> None:
    better = plainer(text, faces(die))
    help = f"write `{better}`" if better else "write `4`, or `2-3`; several with commas between them"
    if not text.strip("-\"'”″〃^ "):
        help = "each row says which numbers it is for; what belongs to the row above stands in that row"
    findings.add("not-a-range", f"`{text}` is no number and no range", cell.span, help=help)


def plainer(text: str, possible: Sequence[int]) -> str:
    """A range that is written in another way: `3+`, `1 to 3`, `≤ 3`; empty where nothing is meant by it."""
    bare = re.sub(r"\b[a-z]+\b", lambda word: FIGURES.get(word[0], word[0]), text.lower().strip("*_ "))
    if (found := re.fullmatch(DOWN_FROM, bare)) and possible:
        return f"{possible[0]}-{found[1] or found[2]}"
    if (found := re.fullmatch(UP_FROM, bare)) and possible:
        return f"{found[1] or found[2]}-{possible[-1]}"
    numbers = re.findall(r"\d+", bare)
    if re.fullmatch(THROUGH, bare):
        return f"{numbers[0]}-{numbers[-1]}"
    return ", ".join(numbers) if re.fullmatch(SEVERAL, bare) else ""


def die_of(head: str, rows: Sequence[str]) -> str:
    """The die that is meant by another head of a table: the one that it names, or the one that shows just what the rows are for. Empty where neither
    tells.
    """
    if named := re.search(r"\d*d(?:\d+|%)", head.lower()):
        return named[0].replace("%", "100")
    said = [re.findall(r"\d{1,9}", row) for row in rows]
    numbers = [100 if number == "00" else int(number) for row in said for number in row]
    if not numbers or not all(said) or min(numbers) < 1:
        return ""
    digits = min(numbers) == 11 and DIGITS.match(str(max(numbers))) is not None
    return f"d{max(numbers)}" if min(numbers) == 1 or digits else ""


def check_ranges(die: str, rows: Sequence[Row], span: Span, findings: Findings) -> None:
    """Every face once: gaps, overlaps and what the die cannot show, each named."""
    if die == "at" or not rows:
        return
    possible = faces(die)
    if not possible:
        findings.add("no-such-die", f"there is no die called `{die}`", span, help="write d6, d20, d66, d100, 2d6 ...")
        return
    taken: dict[int, Row] = {}
    support = set(possible)
    for row in rows:
        if row.high < row.low:
            continue
        if beyond := [one.high for one in row.faces if one.high - one.low > MOST_FACES]:
            findings.add(
                "range-outside-die", f"a {die} never shows {beyond[0]}", row.span, help=f"its results go from {possible[0]} to {possible[-1]}"
            )
            continue
        here = [face for one in row.faces for face in range(one.low, one.high + 1) if face in support]
        outside = [end for one in row.faces for end in (one.low, one.high) if end not in support]
        if outside:
            findings.add(
                "range-outside-die", f"a {die} never shows {outside[0]}", row.span, help=f"its results go from {possible[0]} to {possible[-1]}"
            )
        doubled = [face for face, many in Counter(here).items() if many > 1 or face in taken]
        if doubled:
            findings.add(
                "range-overlap",
                f"{listed(doubled)} stands in another row too",
                row.span,
                help=f"the other row is on line {taken.get(doubled[0], row).span.line}",
            )
        for face in here:
            taken.setdefault(face, row)
    missing = [face for face in possible if face not in taken]
    if missing and all(row.low <= row.high for row in rows):  # a row whose range does not read may be the one that covers them
        findings.add("range-gap", f"no row covers {listed(missing)}", span, help=f"a {die} can show it: add a row, or widen one")


def listed(numbers: list[int]) -> str:
    shown = ", ".join(map(str, numbers[:12]))
    return shown + (f" and {len(numbers) - 12} more" if len(numbers) > 12 else "")
