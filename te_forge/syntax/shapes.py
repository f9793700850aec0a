"""What each line of a page is, by its first characters, and how lines are set in below one another.

The result is a list of tokens for the grammar's `page`: one per line, with INDENT and DEDENT between. A line that is set in crookedly is reported and then
read as if it stood straight, so the page always has a shape and one slip never takes its neighbours with it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from lark import Token

from te_forge.diagnostics import Findings
from te_forge.source import Source, Span

DEEPEST = 40
SHAPES = (
    ("H3", re.compile(r"###[ \t]+")),
    ("H2", re.compile(r"##[ \t]+")),
    ("H1", re.compile(r"#[ \t]+")),
    ("ROW", re.compile(r"\|")),
    ("RULE", re.compile(r"-[ \t]+(?!-)")),
    ("STEP", re.compile(r"\d+\.[ \t]+(?=\S)")),
)
LEADING = re.compile(r"[ \t\u00a0]*")
QUICK = frozenset("#|-0123456789")


@dataclass(frozen=True, slots=True)
class Shaped:
    """A line: its shape, how far it is set in, and the text behind its mark, which begins at column `column` (from 1)."""

    shape: str
    indent: int
    text: str
    span: Span
    column: int


def shape_lines(source: Source, findings: Findings) -> list[Shaped]:
    shaped: list[Shaped] = []
    fenced = commented = False
    path = source.path
    for number, raw in enumerate(source.lines, 1):
        line = raw.rstrip()
        body = line.lstrip(" \t\u00a0")
        indent = len(line) - len(body)
        span = Span(path, number, indent + 1, len(line) + 1)
        if commented or body.startswith("<!--"):
            commented = "-->" not in body
            shaped.append(Shaped("COMMENT", indent, body, span, indent + 1))
            continue
        if body.startswith("```"):
            fenced = not fenced
            shaped.append(Shaped("PROSE", 0, line, span, 1))
            continue
        if fenced:
            shaped.append(Shaped("PROSE", 0, line, span, 1))
            continue
        if not body:
            shaped.append(Shaped("GAP", 0, "", span, 1))
            continue
        shape, mark = "PROSE", 0
        if body[0] in QUICK:
            for name, pattern in SHAPES:
                if found := pattern.match(body):
                    shape, mark = name, 0 if name == "ROW" else found.end()
                    break
        if indent and ("\t" in line[:indent] or "\u00a0" in line[:indent]) and shape == "RULE":
            what = "a tab" if "\t" in line[:indent] else "a no-break space"
            findings.add("tab-indent", f"{what} sets this line in", Span(path, number, 1, indent + 1), help="set lines in with spaces")
            indent = len(line[:indent].expandtabs(4))
        shaped.append(Shaped(shape, indent, body[mark:], span, span.column + mark))
    return shaped


def page_tokens(shaped: list[Shaped], findings: Findings) -> list[Token]:
    """One token a line; `start_pos` is the index into `shaped`."""
    return Stacker(shaped, findings).run()


class Stacker:
    """Turns indents into INDENT and DEDENT. `levels` are the indents of the open blocks; `inner` is True directly behind a line that may hold others."""

    def __init__(self, shaped: list[Shaped], findings: Findings) -> None:
        self.shaped, self.findings = shaped, findings
        self.levels = [0]
        self.inner = False
        self.in_step = False
        self.tokens: list[Token] = []

    def run(self) -> list[Token]:
        for index, one in enumerate(self.shaped):
            if one.shape == "RULE":
                self.rule(one)
            elif one.shape in ("H1", "H2", "H3"):
                self.close(0)
                self.in_step = self.inner = False
            elif one.shape == "STEP":
                self.close(0)
                self.in_step = self.inner = True
            elif one.shape in ("ROW", "PROSE"):
                if not one.indent:
                    self.close(0)
                if not (one.shape == "PROSE" and one.indent):
                    self.inner = False
            token = Token(one.shape, one.text, start_pos=index)
            self.tokens.append(token)
            if one.shape == "RULE":
                self.inner = True
        self.close(0)
        return self.tokens

    def close(self, indent: int) -> None:
        while self.levels[-1] > indent:
            self.levels.pop()
            self.tokens.append(Token("DEDENT", ""))

    def rule(self, one: Shaped) -> None:
        if one.indent > self.levels[-1]:
            if not self.inner:
                self.crooked(one)
            elif len(self.levels) > DEEPEST:
                self.findings.add("too-deep", f"this line is set in more than {DEEPEST} times", one.span, help="split the rule into procedures")
            else:
                self.levels.append(one.indent)
                self.tokens.append(Token("INDENT", ""))
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

    def crooked(self, one: Shaped) -> None:
        self.findings.add(
            "crooked-line",
            f"this line is set in by {one.indent} {'space' if one.indent == 1 else 'spaces'}, its neighbours by {self.levels[-1]}",
            one.span,
            help="line it up with the lines it belongs to",
        )
