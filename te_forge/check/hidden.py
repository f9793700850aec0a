"""Headings that nobody sees as one: in bold, in a quotation, with too many #, underlined, or as HTML. They would be printed, and what stands below
them would belong to something else.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

from te_forge.diagnostics import Findings
from te_forge.source import Span
from te_forge.syntax.tree import Heading, Page, Prose, Rule, Step, Table

WHAT = r"(?:(?P<verb>changes|deletes|renames) +)?(?P<kind>[a-z][a-z-]*) *: *(?P<name>[^\W\da-z_][^*_<>]*?)"
WRAPS = (r"#{4,6} +WHAT(?: +#+)?", r"\*\*WHAT\*\*", r"__WHAT__", r"> *#+ +WHAT", r"<(?:h[1-6]|b|strong)> *WHAT *</(?:h[1-6]|b|strong)>")
HIDDEN = tuple(re.compile(rf" *{wrap.replace('WHAT', WHAT)} *$") for wrap in WRAPS)
ALONE = re.compile(rf" *{WHAT} *$")
UNDERLINE = re.compile(r" *(?:-{2,}|={2,}) *$")


def with_hidden(pages: Iterable[Page], known: Callable[[str], bool], findings: Findings) -> None:
    """Put each of them among the headings of its page, and complain about it. `known` tells the kinds."""
    for page in pages:
        if page.path.endswith(".te"):
            top = Span(page.path, 1, 1, 1)
            above, *first = parted(Heading(1, "", "", "", "", (), top, top, top, page.preface), known, findings)
            page.preface = above.body
            page.headings[:] = [*first, *(one for heading in page.headings for one in parted(heading, known, findings))]


def parted(heading: Heading, known: Callable[[str], bool], findings: Findings) -> list[Heading]:
    """The heading, and those that are hidden in its prose, each with what stands below it."""
    for number, part in enumerate(heading.body):
        lines = part.lines if isinstance(part, Prose) else []
        for at, (text, span) in enumerate(lines):
            found = meant(text, lines[at + 1][0] if at + 1 < len(lines) else "") if ":" in text else None
            if found is None or not known(found[0]["kind"]):
                continue
            made = stated(found[0], span)
            shown = f"{'#' * made.level} {made.verb + ' ' if made.verb else ''}{made.kind}: {made.name}"
            findings.add("hidden-heading", "this reads as a heading and is none, so it would only be printed", span, help=f"write `{shown}`")
            made.body = [*prose(lines[at + found[1] :]), *heading.body[number + 1 :]]
            heading.body[number:] = prose(lines[:at])
            heading.sorted = None
            return [heading, *parted(made, known, findings)]
    return [heading]


def prose(lines: list[tuple[str, Span]]) -> list[Rule | Step | Table | Prose]:
    return [Prose(lines)] if lines else []


def meant(text: str, below: str) -> tuple[re.Match[str], int] | None:
    """What a line says that was meant to be a heading, and how many lines it takes; None for any other line."""
    for pattern in HIDDEN:
        if found := pattern.match(text):
            return found, 1
    found = ALONE.match(text) if UNDERLINE.match(below) else None
    return (found, 2) if found is not None else None


def stated(found: re.Match[str], span: Span) -> Heading:
    verb = found["verb"] or ""
    return Heading(3 if verb else 2, verb, found["kind"], found["name"].strip(), "", (), span, span, span)
