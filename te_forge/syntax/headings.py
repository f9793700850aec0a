"""Headings: their kind, name, id and citations."""

from __future__ import annotations

import re

from te_forge.diagnostics import Findings, Fix
from te_forge.source import Span, spanned
from te_forge.syntax.shapes import Shaped
from te_forge.syntax.tree import Heading

LONGEST_NAME = 200
"""Of a heading, a step, a column or a row. Messages repeat names, so one without an end would fill the memory."""
CITE = re.compile(r"\[([A-Z][A-Z0-9]*-\d+[a-z]?)\]")
TAIL = re.compile(r"\[[A-Z][A-Z0-9]*-\d+[a-z]?\]|\{#[^}\s]*\}")
HEAD = re.compile(r"(?:(changes|deletes|renames)\s+)?([a-z][a-z-]*)\s*:\s*(.*)$")
CAPITAL_HEAD = re.compile(r"(?:([Cc]hanges|[Dd]eletes|[Rr]enames)\s+)?([A-Za-z][a-z-]*)(?:\s*:\s*)(\S.*)$")
VERB_THEN_NAME = re.compile(r"(changes|deletes|renames)\s+(?:the\s+)?([^\W\da-z_].*|\[\[.*)$")
VERB_WITH_COLON = re.compile(r"(changes|deletes|renames) *(?:: *([a-z][a-z-]*) *:?| +([a-z][a-z-]*)) +([^\W\da-z_].*|\[\[.*)$")
ADDED = re.compile(r"(adds|creates|introduces|defines|makes) ([a-z][a-z-]*) *: *(.+)$")
WORDS_THEN_NAME = re.compile(r"([a-z][a-z-]*) ([^\W\da-z_].*)$")
TWO_WORDS = re.compile(r"([a-z]+) ([a-z][a-z-]*): (.+)$")
ANCHOR = re.compile(r"\{#([^}\s]*)\}")
SAFE_ID = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*$")
LINKED = re.compile(r"\[\[[^\[\]]*\]\]")
BRACKETED = re.compile(r"[\[\]{}]")
LIKE_CITATION = re.compile(r"\[(?:[^\[\]]*\d[^\[\]]*)?\]$|\{#")
"""In the title of a chapter other brackets are words like any others."""


def read_heading(one: Shaped, findings: Findings) -> Heading:
    level = int(one.shape[1])
    text = one.text.strip()
    if one.column - one.span.column == level:
        findings.add("heading-without-space", "a heading has a space after its #", one.span, help=f"write `{'#' * level} {text}`")
    tail_at = tail_start(text)
    tail = text[tail_at:]
    text = short(without_brackets(text[:tail_at].rstrip(), one, level, findings), one.span, findings)
    cites = tuple(CITE.findall(tail))
    anchor = anchor_in(tail, one, tail_at, findings)
    whole = at(one, 0, len(text))
    if level == 1:
        return Heading(1, "", "", text, anchor, cites, one.span, whole, whole)
    verb, kind, name, name_at = head_words(text, level, one, findings)
    kind_at = text.find(kind) if kind else 0
    return Heading(
        level, verb, kind, name.strip().removeprefix("[[").removesuffix("]]").strip(), anchor, cites, one.span,
        at(one, name_at, len(text)), at(one, kind_at, kind_at + len(kind)),
    )  # fmt: skip


def head_words(text: str, level: int, one: Shaped, findings: Findings) -> tuple[str, str, str, int]:
    marks = "#" * level
    if (found := VERB_WITH_COLON.match(text)) and level == 3:
        kind = found[2] or found[3]
        findings.add(
            "heading-without-colon",
            "the colon of a change stands behind the kind, and nowhere else",
            at(one, 0, found.start(4)),
            help=f"write `### {found[1]} {kind}: {found[4]}`",
        )
        return found[1], kind, found[4], found.start(4)
    if level == 3 and (found := ADDED.match(text)):
        findings.add(
            "unknown-patch-verb",
            f"a hack `changes`, `deletes` or `renames`; what it {found[1]} has a heading of its own",
            at(one, 0, found.end(1)),
            help=f"write `### {found[2]}: {found[3]}`",
        )
        return "", found[2], found[3], found.start(3)
    if found := HEAD.match(text):
        if not found[3]:
            findings.add("heading-without-name", "this heading has no name", at(one, 0, len(text)), help=f"write `{marks} {found[2]}: A Name`")
        return found[1] or "", found[2], found[3], found.start(3)
    if found := CAPITAL_HEAD.match(text):
        small = " ".join(word.lower() for word in (found[1], found[2]) if word)
        findings.add(
            "kind-name", "kinds are written small, and only names with a capital", at(one, 0, found.end(2)),
            help=f"write `{marks} {small}: {found[3]}`", fix=Fix(at(one, 0, found.end(2)), small),
        )  # fmt: skip
        return (found[1] or "").lower(), found[2].lower(), found[3], found.start(3)
    if found := VERB_THEN_NAME.match(text):
        return found[1], "", found[2], found.start(2)
    if level == 3 and (found := TWO_WORDS.match(text)):
        findings.add(
            "unknown-patch-verb",
            f"a hack `changes`, `deletes` or `renames`; it does not `{found[1]}`",
            at(one, 0, found.end(1)),
            help=f"write `### changes {found[2]}: {found[3]}`",
        )
        return "changes", found[2], found[3], found.start(3)
    if found := WORDS_THEN_NAME.match(text):
        findings.add(
            "heading-without-colon",
            "a colon is missing after the kind",
            at(one, 0, found.end(1)),
            help=f"write `{marks} {found[1]}: {found[2]}`",
            fix=Fix(at(one, found.end(1), found.end(1)), ":"),
        )
        return "", found[1], found[2], found.start(2)
    return "", "", text, 0


def without_brackets(text: str, one: Shaped, level: int, findings: Findings) -> str:
    """A citation or an id that is written wrongly would silently become part of the name."""
    bare = LINKED.sub(lambda found: "x" * len(found[0]), text)
    found = (BRACKETED if level > 1 else LIKE_CITATION).search(bare)
    if found is None:
        return text
    findings.add(
        "bad-citation", f"`{text[found.start() :]}` is no citation and no id", at(one, found.start(), len(text)),
        help="a source is cited as `[SRD-12]`, an id is given as `{#old-bridge}`; a name has no brackets",
    )  # fmt: skip
    return text[: found.start()].rstrip()


def short(name: str, span: Span, findings: Findings) -> str:
    """`name`, or as much of it as a name may have."""
    if len(name) > LONGEST_NAME:
        findings.add("too-long", f"this name is longer than {LONGEST_NAME} characters", span, help="say it shorter, and the rest in prose")
    return name[:LONGEST_NAME].rstrip()


def anchor_in(tail: str, one: Shaped, offset: int, findings: Findings) -> str:
    found = ANCHOR.search(tail)
    return safe_anchor(found[1], at(one, offset + found.start(1), offset + found.end(1)), findings) if found else ""


def safe_anchor(text: str, span: Span, findings: Findings) -> str:
    if SAFE_ID.match(text):
        return text
    findings.add("bad-id", f"an id is made of small letters, digits and hyphens, not `{text}`", span, help="for example `{#old-bridge}`")
    return ""


def at(one: Shaped, start: int, end: int) -> Span:
    return spanned((one.span.file, one.span.line, one.column + start, one.column + max(end, start + 1)))


def tail_start(text: str) -> int:
    """Where the citations and the id at the end of a heading begin."""
    at = len(text)
    while at:
        end = len(text[:at].rstrip()) if text[at - 1].isspace() else at
        begin = text.rfind("[" if text[:end][-1:] == "]" else "{", 0, end)
        if begin < 0 or not TAIL.fullmatch(text, begin, end):
            return end if at < len(text) or end < at else at
        at = begin
    return at
