"""What each line of a page is, by its first characters, and how lines are set in below one another.

The result is what the grammar's `page` is about: lines, with INDENT and DEDENT between. A line that is set in crookedly is reported and then
read as if it stood straight, so the page always has a shape and one slip never takes its neighbours with it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import NamedTuple

from te_forge.diagnostics import Findings, Fix, Label
from te_forge.source import UNSEEN, Source, Span, spanned
from te_forge.syntax.text import reads, rule_in

DEEPEST = 40
LONGEST = 20_000
"""So many characters stand on one line at most, whatever it is: seven printed pages."""
SPACES = " \t\u00a0"
HEAD_LIKE = re.compile(r"#(?=[^\W\d_a-z])|##?#?(?=(?:(?:changes|deletes|renames) )?[a-z][a-z-]*: *\S)")
"""A heading that lacks the space behind its #. It is complained about, and read as the heading that it is."""
DASHED = re.compile(r"-[^\W\da-z_][\w' -]*:(?: |$)")
"""A line with a label that lacks the space behind its dash: it is complained about, and read as the rule that it is."""
BARE = re.compile(r"[^\W\da-z_\[][^:]*:")
"""A line that is nothing but a label."""
STEP = re.compile(r"\d+[.)][ \t\u00a0]+(?=\S)")


STEP_LIKE = re.compile(r"(?:\*\*|__)?(?:[Ss]tep +)?\(?(?:\d{1,3}(?:\.\d+)*|[a-z]|[ivx]{1,4})(?:[.):]\)?|(?= ))\s*([^\W\da-z_].*)")
"""`Step 1: Name`, `a. Name`, `1.Name`: a step whose number is written otherwise. It is complained about, and read as the step that it is."""
INNER = re.compile(r"[^\W\da-z_][\w' -]*: ")
"""A label behind the number of a line that is set in: a line of a step, in a list with numbers."""
LABELLED = re.compile(r"([^\W\da-z_][\w'-]*(?: [^\W\da-z_][\w'-]*)*):(?: +(?=\S)|$)")
HANGING = ("Is", "Of", "Roles", "Outcomes", "Part Of", "Counts As")
"""Fields on which other lines hang, so that those would not be understood without them."""
SOMEBODY = re.compile(r"an? ")
GRID = re.compile(r"\+[-=:+ ]*[-=][-=:+ ]*\+?")
"""`+----+----+`, as other tools draw a table."""
HELD = re.compile(r"[ \t\u00a0]+-[ \t\u00a0]")


class Shaped(NamedTuple):
    """A line: its shape, how far it is set in, and the text behind its mark, which begins at column `column` (from 1)."""

    shape: str
    indent: int
    text: str
    span: Span
    column: int
    fenced: bool = False


INDENT = Shaped("INDENT", 0, "", Span("", 0, 0, 0), 0)
DEDENT = INDENT._replace(shape="DEDENT")


def shape_lines(source: Source, findings: Findings) -> list[Shaped]:
    shaped: list[Shaped] = []
    above = Above()
    fence: Span | None = None
    comment: Span | None = None
    path = source.path
    lines = source.lines[:-1] if source.lines[-1] == "" else source.lines
    unseen(source, findings)
    for number, raw in enumerate(lines, 1):
        if len(raw) > LONGEST:
            place = Span(path, number, 1, len(raw) + 1)
            findings.add(
                "too-long",
                f"this line is longer than {LONGEST} characters, so it is not read",
                place,
                help="break it into several lines or paragraphs",
            )
            shaped.append(Shaped("COMMENT", 0, "", place, 1))
            continue
        line = raw.rstrip()
        body = line.lstrip(SPACES)
        indent = len(line) - len(body)
        span = spanned((path, number, indent + 1, len(line) + 1))
        first = body[:1]
        if not comment and not fence and first == "<" and body.startswith("<!--") and forgotten(lines, number - 1):
            findings.add("unclosed-comment", "this comment is not closed before the next one begins", span, help="end it with `-->`")
            shaped.append(Shaped("COMMENT", indent, body, span, indent + 1))
        elif comment or (first == "<" and body.startswith("<!--") and not fence):
            comment = None if "-->" in body else comment or span
            shaped.append(Shaped("COMMENT", indent, body, span, indent + 1))
        elif first == "`" and body.startswith("```"):
            fence = None if fence else span
            shaped.append(Shaped("PROSE", 0, line, span, 1, True))
        elif fence:
            shaped.append(Shaped("PROSE", 0, line, span, 1, True))
        elif not body:
            shaped.append(Shaped("GAP", 0, "", span, 1))
        else:
            shape, mark = shape_of(body)
            if indent and shape == "RULE" and not line.startswith(" " * indent):
                what = "a tab" if "\t" in line[:indent] else "a no-break space"
                findings.add("tab-indent", f"{what} sets this line in", Span(path, number, 1, indent + 1), help="set lines in with spaces")
                indent = len(line[:indent].expandtabs(4))
            if shape == "STEP" and indent and INNER.match(body, mark):
                shape, mark = "PROSE", 0
            if shape == "PROSE" and not indent and (found := STEP_LIKE.match(body)) is not None and holds_rules(lines, number):
                shape, mark = "STEP", found.start(1)
            if shape == "PROSE" and GRID.fullmatch(body) and (drawn := above.grid_line(below_of(lines, number))):
                shape = drawn
            elif shape == "PROSE" and (meant := undashed(body, indent, above, below_of(lines, number))) is not None:
                complain_of_dash(body, meant, span, findings)
                shape, indent = "RULE", meant
            shaped.append(Shaped(shape, indent, body[mark:], span, span.column + mark))
        above.add(shaped[-1])
    if comment:
        findings.add("unclosed-comment", "this comment is never closed, so it hides the rest of the page", comment, help="end it with `-->`")
    if fence:
        findings.add(
            "unclosed-code", "this block of code is never closed, so no rule below it is read", fence, help="end it with a line of three backticks"
        )
    return shaped


class Above:
    """What the lines above the one at hand are: the heading, the last line that is not blank, and whether a table has the line below its head."""

    def __init__(self) -> None:
        self.head = ""
        self.line: Shaped | None = None
        self.rows = 0
        self.ruled = False

    def add(self, one: Shaped) -> None:
        if one.shape == "ROW":
            self.rows += 1
            self.ruled = self.ruled or self.rows == 2
        elif one.shape != "COMMENT":
            self.rows, self.ruled = 0, False
        if one.shape in ("H1", "H2", "H3"):
            self.head = one.text
        if one.shape not in ("GAP", "COMMENT"):
            self.line = one

    def grid_line(self, below: str) -> str:
        """The shape of a line of `+` and dashes: below the first row of a table it is the line that a table has there (drawn otherwise, as will be
        said); the others of the table count for nothing. Empty where there is no table.
        """
        if self.rows:
            return "COMMENT" if self.ruled else "ROW"
        return "COMMENT" if below.lstrip().startswith("|") else ""


def below_of(lines: Sequence[str], at: int) -> str:
    return lines[at] if at < len(lines) else ""


def undashed(body: str, indent: int, over: Above, below: str) -> int | None:
    """How far a line that begins without a dash is set in, if it is a rule or field all the same: among the lines of a step or rule, whatever reads
    as a rule with a label; elsewhere a field on which lines below it hang, or the label of lines that are set in below.
    """
    found = LABELLED.match(body)
    above = over.line
    if found is None or above is None:
        return None
    held = len(below) - len(below.lstrip(SPACES)) if HELD.match(below) is not None else 0
    if found.end() == len(body):
        holds = held > indent and (indent > 0 or over.head.startswith("changes ")) and rule_in(below.strip()[1:].strip()) is not None
        return indent if holds else None
    if not indent and (found[1] in HANGING or (over.head.startswith("example") and SOMEBODY.match(body, found.end()) is not None)):
        return 0 if reads(body) else None
    beside = above.shape == "RULE" and (above.indent >= indent or BARE.fullmatch(above.text.rstrip()) is not None)
    among = (above.shape in ("STEP", "RULE") and held == indent > 0) or (beside and (indent > 0 or held == above.indent > 0))
    return (indent or held) if among and rule_in(body) is not None else None


def complain_of_dash(body: str, indent: int, span: Span, findings: Findings) -> None:
    """Complain about a rule without its dash, which belongs as far in as `indent`."""
    label = body.partition(":")[0]
    said = "this reads as a rule but has no dash, so it would never be used"
    if label in HANGING:
        said = f"this reads as the field `{label}` but does not begin with a dash, so it would only be printed"
    dash = " " * (indent - span.column + 1) + "- "
    at = Span(span.file, span.line, span.column, span.column)
    findings.add("missing-dash", said, span, help=f"write `{dash}{body.rstrip('.')}`", fix=None if body.endswith(".") else Fix(at, dash))


def forgotten(lines: Sequence[str], at: int) -> bool:
    """Whether the comment that begins on this line is followed by another one before it ends: the end of that one is not its own."""
    if "-->" in lines[at]:
        return False
    after = next((line for line in lines[at + 1 :] if "-->" in line or "<!--" in line), "")
    return "<!--" in after.partition("-->")[0]


def holds_rules(lines: Sequence[str], at: int) -> bool:
    """Whether the next line that is no blank one is a rule that is set in."""
    after = next((line for line in lines[at : at + 3] if line.strip()), "")
    return HELD.match(after) is not None


def unseen(source: Source, findings: Findings) -> None:
    """Letters that nobody sees, once a line."""
    if source.text.replace("\n", "").isprintable():  # so has most text none of them, which is known ten times sooner than by a search
        return
    for number, line in enumerate(source.lines, 1):
        if found := UNSEEN.search(line):
            said = f"a letter that nobody sees stands here (U+{ord(found[0]):04X})"
            findings.add(
                "strange-sign",
                said,
                Span(source.path, number, found.start() + 1, found.end() + 1),
                help="delete it and type the words around it anew",
            )


def shape_of(body: str) -> tuple[str, int]:
    """The shape of a line by its first characters, and how long its mark is."""
    first = body[0]
    if first == "-":
        text = body[1:].lstrip(SPACES)
        mark = len(body) - len(text)
        if mark == 1 and DASHED.match(body):
            return "RULE", mark
        return ("RULE", mark) if mark > 1 and text[:1] != "-" else ("PROSE", 0)
    if first == "#":
        text = body.lstrip("#")
        level = len(body) - len(text)
        if level <= 3 and text[:1] in SPACES and text:
            return f"H{level}", len(body) - len(text.lstrip(SPACES))
        return (f"H{level}", level) if HEAD_LIKE.match(body) else ("PROSE", 0)
    if first == "|":
        return "ROW", 0
    if first.isdecimal() and (found := STEP.match(body)):
        return "STEP", found.end()
    return "PROSE", 0


def page_lines(shaped: list[Shaped], findings: Findings) -> list[Shaped]:
    """The lines, with INDENT and DEDENT between."""
    return Stacker(shaped, findings).run()


def for_parser(lines: list[Shaped], lost: Callable[[Shaped], bool]) -> list[Shaped]:
    """What carries structure: no comments, blank lines only where they part prose or tables. Prose that goes on with a step is put to it, unless it
    is `lost`.
    """
    kept: list[Shaped] = []
    last = ""
    for one in lines:
        shape = one.shape
        if shape == "COMMENT" or (shape == "GAP" and last not in ("ROW", "PROSE")):
            continue
        if shape == "PROSE" and one.indent and last == "STEP":
            if lost(one):
                continue
            kept[-1] = kept[-1]._replace(text=f"{kept[-1].text.rstrip()} {one.text}")
            continue
        kept.append(one)
        last = shape
    return kept


class Stacker:
    """Turns indents into INDENT and DEDENT. `levels` are the indents of the open blocks; `inner` is True directly behind a line that may hold others."""

    def __init__(self, shaped: list[Shaped], findings: Findings) -> None:
        self.shaped, self.findings = shaped, findings
        self.levels = [0]
        self.inner = False
        self.in_step = False
        self.lines: list[Shaped] = []

    def run(self) -> list[Shaped]:
        for one in self.shaped:
            shape = one.shape
            if shape == "RULE":
                if self.too_deep(one):
                    continue
                self.rule(one)
                self.inner = True
            elif shape in ("H1", "H2", "H3"):
                self.close(0)
                self.in_step = self.inner = False
            elif shape == "STEP":
                self.close(0)
                self.in_step = self.inner = True
            elif shape == "PROSE" and one.indent > self.levels[-1] and self.tells():
                self.levels.append(one.indent)
                self.lines.append(INDENT)
                self.inner = False
            elif shape in ("ROW", "PROSE"):
                if shape == "ROW" or not one.indent:
                    self.close(0)
                self.inner = self.inner and self.continues_step(one)
            self.lines.append(one)
        self.close(0)
        return self.lines

    def continues_step(self, one: Shaped) -> bool:
        """Prose that is set in directly below a step goes on with the step's own prose."""
        return one.shape == "PROSE" and bool(one.indent) and bool(self.lines) and self.lines[-1].shape in ("STEP", "PROSE")

    def tells(self) -> bool:
        """Whether the line above is nothing but a label, and holds this prose: so a patch gives a step another text."""
        above = self.lines[-1] if self.lines else None
        return (
            self.inner
            and above is not None
            and above.shape == "RULE"
            and len(self.levels) == 1
            and not self.in_step
            and BARE.fullmatch(above.text.rstrip()) is not None
        )

    def close(self, indent: int) -> None:
        while self.levels[-1] > indent:
            self.levels.pop()
            self.lines.append(DEDENT)

    def too_deep(self, one: Shaped) -> bool:
        """Whether a line is set in further than anybody reads. It is left out, and the line that holds it is named instead."""
        if not self.inner or one.indent <= self.levels[-1] or len(self.levels) <= DEEPEST:
            return False
        holder = next(line for line in reversed(self.lines) if line.shape in ("RULE", "STEP"))
        self.findings.add(
            "too-deep",
            f"this line is set in {DEEPEST} times; what is set in below it is not read",
            holder.span,
            help="make the inner lines a procedure, and call it with `do`",
        )
        return True

    def rule(self, one: Shaped) -> None:
        if one.indent > self.levels[-1]:
            if not self.inner:
                self.crooked(one, self.prose_above())
            else:
                self.levels.append(one.indent)
                self.lines.append(INDENT)
            return
        self.close(one.indent)
        if self.levels[-1] != one.indent:
            self.crooked(one)
        elif one.indent == 0 and self.in_step:
            text = f"   - {one.text}" if len(one.text) < 60 else f"   - {one.text[:57]}..."
            self.findings.add(
                "rule-not-set-in",
                "this line stands under a step but is not set in",
                one.span,
                help=f"write `{text}`; a standing rule goes above step 1",
            )

    def prose_above(self) -> list[Label]:
        """The line that rules are set in below, when it can hold none: most likely a step whose number was lost."""
        above = next((line for line in reversed(self.lines) if line.shape not in ("GAP", "COMMENT", "DEDENT", "INDENT")), None)
        if above is None or above.shape != "PROSE":
            return []
        return [Label(above.span, "the line above it is prose; a step is written `1. Name. Words`")]

    def crooked(self, one: Shaped, labels: Sequence[Label] = ()) -> None:
        self.findings.add(
            "crooked-line",
            f"this line is set in by {one.indent} {'space' if one.indent == 1 else 'spaces'}, its neighbours by {self.levels[-1]}",
            one.span,
            help="line it up with the lines it belongs to",
            labels=labels,
        )
