"""Reading a chapter of plain prose, `book/*.md`: Markdown with the two doors of prose, and no rules.

Nothing in it is a rule, so dashes make lists, figures make numbered lists, and smaller headings need no kind. It becomes the same `Page` as a page of
rules does, so that whatever reads prose reads it too. Each part under a heading of two `#` is a run of its own: a long chapter may be turned over
there.
"""

from __future__ import annotations

import re
from pathlib import PurePosixPath

from te_forge.diagnostics import Findings
from te_forge.source import Source, Span
from te_forge.syntax.headings import read_heading
from te_forge.syntax.page import read_page
from te_forge.syntax.shapes import Shaped, shape_lines
from te_forge.syntax.tree import Heading, Page, Prose

TITLE = re.compile(r"""title:\s*["']?(.+?)["']?\s*$""")
LONGEST_HEAD = 50
"""A `---` on the first line opens front matter when another one stands within so many lines."""


def read_source(source: Source, findings: Findings) -> Page:
    """A file of a pack: a chapter of prose if its name says so, or else a page of rules."""
    return read_chapter(source, findings) if source.path.endswith(".md") else read_page(source, findings)


def read_chapter(source: Source, findings: Findings) -> Page:
    begin, title = front_matter(source)
    own = Findings()
    shaped = shape_lines(source, own)
    # How a list is set in is up to Markdown.
    findings += [one for one in own if one.code != "tab-indent"]
    page = Page(source.path, [], [])
    run: list[tuple[str, Span]] = []
    for one in shaped:
        if one.span.line < begin or one.shape == "COMMENT":
            continue
        if one.shape == "H1" and not one.fenced:
            page.headings.append(read_heading(one, findings))
            run = []
            continue
        raw = source.lines[one.span.line - 1].rstrip()
        if not page.headings and raw:
            page.headings.append(unnamed(title, one))
        if one.shape == "H2" and not one.fenced:
            run = []
        if not run and raw:
            page.headings[-1].body.append(Prose(run))
        if run or raw:
            run.append((raw, source.span(one.span.line)))
    return page


def unnamed(title: str, one: Shaped) -> Heading:
    return Heading(1, "", "", title, "", (), one.span, one.span, one.span)


def front_matter(source: Source) -> tuple[int, str]:
    """The line that the text begins on, and the title of a chapter that does not begin with one: from the front matter, or from the name of the file."""
    stem = re.sub(r"^[\d._ -]+", "", PurePosixPath(source.path).stem)
    title = re.sub(r"[-_ ]+", " ", stem).strip().title() or "A Chapter"
    lines = source.lines
    end = next((number for number, line in enumerate(lines[1:LONGEST_HEAD], 2) if line.rstrip() == "---"), 0) if lines[0].rstrip() == "---" else 0
    for line in lines[1 : max(end - 1, 1)]:
        if found := TITLE.match(line):
            title = found[1]
    return end + 1, title
