"""Reading one line, cell or expression."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from te_forge.diagnostics import Diagnostic, Findings, Fix
from te_forge.source import Span
from te_forge.syntax.grammar import Start
from te_forge.syntax.parser import Stuck, parse
from te_forge.syntax.tree import Tree

if TYPE_CHECKING:
    from te_forge.syntax.stop import Said

LONGEST_LINE, MOST_WORDS = 1000, 250
"""Of a rule line."""
WORD = re.compile(r"[\w'’]+")
NEARLY = 4
"""So many words behind its label make a line a rule, whatever comes behind them."""
MOST_DIGITS = 9
"""Of a number: what is asked at the table takes no more either."""
LONG_NUMBER = re.compile(rf"\d{{{MOST_DIGITS + 1}}}")

RULE_LIKE = re.compile(
    r"(?:[^\W\da-z_][\w' -]{0,40}: )?(?:before|after|instead of|while|if|otherwise|until|once per|\d+ times per|in the next|for each|repeat up|do|expect|end with|go back|each|the|a) ",
)
"""Begins what can only be a rule, where the rest reads as one."""
ENDED = (".", "!", "?", ":", ",")


def read_text(text: str, start: Start, span: Span, findings: Findings, column: str = "") -> Tree | None:
    """Parse a line, cell (of this `column`) or expression that begins at `span`; None when it does not read (and `findings` says why)."""
    if too_long(text):
        findings.add(
            "too-long",
            f"this line is longer than {LONGEST_LINE} characters or {MOST_WORDS} words",
            span,
            help="set parts of it in below, or make them a procedure",
        )
        return None
    try:
        tree = parse(text, start)
        if LONG_NUMBER.search(text):
            short_numbers(tree, span, findings)
        return tree
    except Stuck as error:
        from te_forge.syntax.hints import explain  # most packs read well, and need none of it

        findings.keep(told(explain(text, start, error, column), span))
        return None


def told(said: Said, line: Span) -> Diagnostic:
    """What is said of a line, cell or expression that begins at `line`."""
    from te_forge.blanks import plain

    def place(end: int) -> Span:
        return Span(line.file, line.line, line.column + said.column, line.column + end)

    return Diagnostic(
        said.code,
        said.message,
        place(max(said.end, said.column + 1)),
        help=plain(said.help),
        fix=Fix(place(said.end), said.replace) if said.replace is not None else None,
        wording=said.help if not isinstance(said.help, str) else (),
        rather=told(said.rather, line) if said.rather is not None else None,
    )


def too_long(text: str) -> bool:
    """Whether a line is more than anybody reads. Formulas need no blanks between their numbers (`1+1+1`)."""
    return len(text) > LONGEST_LINE or (len(text) > MOST_WORDS and len(WORD.findall(text)) > MOST_WORDS)


def short_numbers(tree: Tree, span: Span, findings: Findings) -> None:
    """Complain about a number of a line that has too many digits."""
    for token in tree.leaves:
        if token.type in ("INT", "SIGNED", "DIE") and LONG_NUMBER.search(token):
            at = Span(span.file, span.line, span.column + token.start_pos, span.column + token.end_pos)
            findings.add("too-many-digits", f"a number has at most {MOST_DIGITS} digits", at, help=f"write {10**MOST_DIGITS - 1} or less")


def reads(text: str) -> bool:
    """Whether a line parses, without a word about it if not."""
    if too_long(text):
        return False
    try:
        parse(text, "line")
    except Stuck:
        return False
    return True


def rule_in(text: str) -> Tree | None:
    """A line of prose as the rule that it would be, if it reads as one."""
    bare = text.rstrip(".")
    try:
        tree = parse(bare, "line") if len(bare) < LONGEST_LINE else None
    except Stuck:
        return None
    return tree if tree is not None and tree.node("says", "opens") else None


def nearly_rule(text: str) -> bool:
    """Whether a line with a label reads as a rule for some words and then stops, or would with a `the`: a rule with one more slip in it. Prose ends
    with a full stop.
    """
    label, _, rest = text.partition(": ")
    if not rest or text.endswith(ENDED) or too_long(text):
        return False
    if not RULE_LIKE.match(text):
        return rest[0].islower() and label[0].isupper() and rule_in(f"{label}: the {rest}") is not None
    try:
        parse(text, "line")
    except Stuck as stuck:
        return len(WORD.findall(text[len(label) : stuck.column])) >= NEARLY
    return False
