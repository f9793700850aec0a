"""Reading a file: text in, `Page` and diagnostics out.

Lines are shaped first, the grammar's `page` gives them their structure, and then each rule line is parsed on its own: a line that does not read is
reported, keeps its place with `tree` None, and its neighbours and the lines below it are read all the same.
"""

from __future__ import annotations

import re
from typing import NamedTuple, cast

from te_forge.collector import collector_paused
from te_forge.diagnostics import Findings, Fix, Label
from te_forge.source import Source, Span
from te_forge.syntax.grammar import Start
from te_forge.syntax.parser import Stuck, grow, parse, plan
from te_forge.syntax.shapes import Shaped, for_parser, page_lines, shape_lines
from te_forge.syntax.tree import Cell, Heading, Node, Page, Prose, Rule, Step, Table

LONGEST_LINE, MOST_WORDS = 1000, 250
"""Of a rule line."""
LONGEST_NAME = 200
"""Of a heading, a step, a column or a row. Messages repeat names, so one without an end would fill the memory."""
LISTED = 8
"""So many columns a message names."""
CITE = re.compile(r"\[([A-Z][A-Z0-9]*-\d+[a-z]?)\]")
TAIL = re.compile(r"\[[A-Z][A-Z0-9]*-\d+[a-z]?\]|\{#[^}\s]*\}")
HEAD = re.compile(r"(?:(changes|deletes|renames)\s+)?([a-z][a-z-]*)\s*:\s*(.*)$")
CAPITAL_HEAD = re.compile(r"(?:([Cc]hanges|[Dd]eletes|[Rr]enames)\s+)?([A-Za-z][a-z-]*)(?:\s*:\s*)(\S.*)$")
VERB_THEN_NAME = re.compile(r"(changes|deletes|renames)\s+(?:the\s+)?([^\W\da-z_].*|\[\[.*)$")
WORDS_THEN_NAME = re.compile(r"([a-z][a-z-]*) ([^\W\da-z_].*)$")
TWO_WORDS = re.compile(r"([a-z]+) ([a-z][a-z-]*): (.+)$")
ANCHOR = re.compile(r"\{#([^}\s]*)\}")
SAFE_ID = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*$")
LINKED = re.compile(r"\[\[[^\[\]]*\]\]")
BRACKETED = re.compile(r"[\[\]{}]")
LIKE_CITATION = re.compile(r"\[(?:[^\[\]]*\d[^\[\]]*)?\]$|\{#")
"""In the title of a chapter other brackets are words like any others."""
DASH = re.compile(r"-[^\s\d-]")
BULLET = re.compile(r"[*+•‣▪·–—−]\s+")
"""What begins the item of a list in prose, or a rule that was meant to begin with a dash."""
HASHES = re.compile(r"#+[^#\s]")
RULE_LIKE = re.compile(
    r"(?:[^\W\da-z_][\w' -]{0,40}: )?(?:before|after|instead of|while|if|otherwise|until|once per|for each|repeat up|do|end with|go back|each|the|a) ",
)

Part = Rule | Step | Table | Prose


class Block(NamedTuple):
    """What the grammar's `page` makes of lines: `data` is the name of its rule."""

    data: str
    parts: list[Shaped | Block]


def read_page(source: Source, findings: Findings) -> Page:
    """The page of one file; mistakes go to `findings`."""
    with collector_paused():
        lines = for_parser(page_lines(shape_lines(source, findings), findings))
        blocks = grow(plan("page", tuple(line.shape for line in lines)), lines, Block)
        return Builder(source, findings).page(blocks)


def read_text(text: str, start: Start, span: Span, findings: Findings) -> Node | None:
    """Parse a line, cell or expression that begins at `span`; None when it does not read (and `findings` says why)."""
    if len(text) > LONGEST_LINE or text.count(" ") > MOST_WORDS:
        findings.add(
            "too-long",
            f"this line is longer than {LONGEST_LINE} characters or {MOST_WORDS} words",
            span,
            help="set parts of it in below, or make them a procedure",
        )
        return None
    try:
        return parse(text, start)
    except Stuck as error:
        from te_forge.syntax.hints import explain  # most packs read well, and need none of it

        said = explain(text, start, error)
        at = Span(span.file, span.line, span.column + said.column, span.column + max(said.end, said.column + 1))
        fix = None
        if said.replace is not None:
            fix = Fix(Span(span.file, span.line, span.column + said.column, span.column + said.end), said.replace)
        findings.add(said.code, said.message, at, help=said.help, fix=fix)
        return None


def reads(text: str) -> bool:
    """Whether a line parses, without a word about it if not."""
    if len(text) > LONGEST_LINE or text.count(" ") > MOST_WORDS:
        return False
    try:
        parse(text, "line")
    except Stuck:
        return False
    return True


class Builder:
    """Makes the tree's page out of the parser's. One per file."""

    def __init__(self, source: Source, findings: Findings) -> None:
        self.source, self.findings = source, findings
        self.step: Step | None = None
        self.bent = {found.span.line for found in findings if found.span.file == source.path}
        """Lines that are set in wrongly, as has been said already."""

    def page(self, tree: Block) -> Page:
        page = Page(self.source.path, [], [])
        body: list[Part] = page.preface
        for block in tree.parts:
            if isinstance(block, Shaped):
                continue
            if block.data in ("chapter", "entry", "part"):
                heading = self.heading(cast(Shaped, block.parts[0]))
                page.headings.append(heading)
                body = heading.body
                self.step = None
            else:
                self.part(block, body)
        return page

    def part(self, block: Block, body: list[Part]) -> None:
        match block.data:
            case "rule":
                (self.step.rules if self.step else body).append(self.rule(block))
            case "prose":
                self.prose(cast(list[Shaped], block.parts), body)
            case "table":
                if table := self.table(cast(list[Shaped], block.parts)):
                    body.append(table)
            case "step":
                body.append(self.new_step(block))

    # ------------------------------------------------------------ headings

    def heading(self, one: Shaped) -> Heading:
        level = int(one.shape[1])
        text = one.text.strip()
        if one.column - one.span.column == level:
            self.findings.add("heading-without-space", "a heading has a space after its #", one.span, help=f"write `{'#' * level} {text}`")
        tail_at = tail_start(text)
        tail = text[tail_at:]
        text = self.short(self.without_brackets(text[:tail_at].rstrip(), one, level), one.span)
        cites = tuple(CITE.findall(tail))
        anchor = self.anchor(tail, one, tail_at)
        whole = self.at(one, 0, len(text))
        if level == 1:
            return Heading(1, "", "", text, anchor, cites, one.span, whole, whole)
        verb, kind, name, name_at = self.head_words(text, level, one)
        kind_at = text.find(kind) if kind else 0
        return Heading(
            level, verb, kind, name.strip().removeprefix("[[").removesuffix("]]").strip(), anchor, cites, one.span,
            self.at(one, name_at, len(text)), self.at(one, kind_at, kind_at + len(kind)),
        )  # fmt: skip

    def without_brackets(self, text: str, one: Shaped, level: int) -> str:
        """A citation or an id that is written wrongly would silently become part of the name."""
        bare = LINKED.sub(lambda found: "x" * len(found[0]), text)
        found = (BRACKETED if level > 1 else LIKE_CITATION).search(bare)
        if found is None:
            return text
        self.findings.add(
            "bad-citation", f"`{text[found.start() :]}` is no citation and no id", self.at(one, found.start(), len(text)),
            help="a source is cited as `[SRD-12]`, an id is given as `{#old-bridge}`; a name has no brackets",
        )  # fmt: skip
        return text[: found.start()].rstrip()

    def short(self, name: str, span: Span) -> str:
        """`name`, or as much of it as a name may have."""
        if len(name) > LONGEST_NAME:
            self.findings.add("too-long", f"this name is longer than {LONGEST_NAME} characters", span, help="say it shorter, and the rest in prose")
        return name[:LONGEST_NAME].rstrip()

    def at(self, one: Shaped, start: int, end: int) -> Span:
        return Span(one.span.file, one.span.line, one.column + start, one.column + max(end, start + 1))

    def anchor(self, tail: str, one: Shaped, offset: int) -> str:
        found = ANCHOR.search(tail)
        if not found:
            return ""
        if not SAFE_ID.match(found[1]):
            self.findings.add(
                "bad-id",
                f"an id is made of small letters, digits and hyphens, not `{found[1]}`",
                self.at(one, offset + found.start(1), offset + found.end(1)),
                help="for example `{#old-bridge}`",
            )
            return ""
        return found[1]

    def head_words(self, text: str, level: int, one: Shaped) -> tuple[str, str, str, int]:
        marks = "#" * level
        if found := HEAD.match(text):
            if not found[3]:
                self.findings.add("heading-without-name", "this heading has no name", self.at(one, 0, len(text)), help=f"write `{marks} {found[2]}: A Name`")
            return found[1] or "", found[2], found[3], found.start(3)
        if found := CAPITAL_HEAD.match(text):
            small = " ".join(word.lower() for word in (found[1], found[2]) if word)
            self.findings.add(
                "kind-name", "kinds are written small, and only names with a capital", self.at(one, 0, found.end(2)),
                help=f"write `{marks} {small}: {found[3]}`", fix=Fix(self.at(one, 0, found.end(2)), small),
            )  # fmt: skip
            return (found[1] or "").lower(), found[2].lower(), found[3], found.start(3)
        if found := VERB_THEN_NAME.match(text):
            return found[1], "", found[2], found.start(2)
        if level == 3 and (found := TWO_WORDS.match(text)):
            self.findings.add(
                "unknown-patch-verb",
                f"a hack `changes`, `deletes` or `renames`; it does not `{found[1]}`",
                self.at(one, 0, found.end(1)),
                help=f"write `### changes {found[2]}: {found[3]}`",
            )
            return "changes", found[2], found[3], found.start(3)
        if found := WORDS_THEN_NAME.match(text):
            self.findings.add(
                "heading-without-colon",
                "a colon is missing after the kind",
                self.at(one, 0, found.end(1)),
                help=f"write `{marks} {found[1]}: {found[2]}`",
                fix=Fix(self.at(one, found.end(1), found.end(1)), ":"),
            )
            return "", found[1], found[2], found.start(2)
        return "", "", text, 0

    # ------------------------------------------------------------ rules and steps

    def below(self, block: Block) -> list[Rule]:
        """The rules set in below a rule or step; anything else there would be lost, and is complained about."""
        rules: list[Rule] = []
        if len(block.parts) > 1:
            for child in cast(Block, block.parts[1]).parts:
                if isinstance(child, Shaped):
                    continue
                if child.data == "rule":
                    rules.append(self.rule(child))
                else:
                    self.lost(child)
        return rules

    def lost(self, block: Block) -> None:
        one = cast(Shaped, block.parts[0])
        if block.data == "prose" and RULE_LIKE.match(one.text.strip()):
            self.lost_dash(one, one.text.strip(), True, "")
        else:
            self.findings.add(
                "lost-line", "this is set in below a rule, where only rules are read, so it would be lost", one.span,
                help="a rule begins with `- `; text goes behind the name of the step, on its line, or above the steps",
            )  # fmt: skip

    def rule(self, block: Block) -> Rule:
        one = cast(Shaped, block.parts[0])
        below = self.below(block)
        text = one.text.rstrip()
        if one.column - one.span.column == 1:
            self.findings.add("dash-without-space", "a rule line has a space after its dash", one.span, help=f"write `- {text}`")
        span = Span(self.source.path, one.span.line, one.column, one.column + len(text))
        missing_colon = bool(below) and not text.endswith(":")
        if missing_colon and reads(text) and not reads(text + ":"):  # a whole line that can hold nothing: the ones below stand too far in
            if one.span.line not in self.bent:
                self.findings.add("crooked-line", "this line is set in below one that is complete", below[0].span, help="line it up with its neighbours")
            missing_colon = False
        tree = read_text(text + ":" if missing_colon else text, "line", span, self.findings)
        rule = Rule(text, span, tree, below)
        if missing_colon and tree is not None:
            end = self.at(one, len(text), len(text) + 1)
            self.findings.add(
                "missing-colon", "this line holds the lines below it, but does not end in a colon", end,
                help=f"write `- {text}:`", fix=Fix(end, ":"),
            )  # fmt: skip
        elif text.endswith(":") and not below and tree is not None:
            self.findings.add(
                "nothing-below",
                "this line ends in a colon, but nothing is set in below it",
                self.at(one, len(text) - 1, len(text)),
                help="write a value or a sentence behind the colon, or set lines in below it",
            )
        return rule

    def new_step(self, block: Block) -> Step:
        one = cast(Shaped, block.parts[0])
        number = int(re.match(r"\d+", self.source.lines[one.span.line - 1].lstrip())[0][:9])  # type: ignore[index]
        if self.source.lines[one.span.line - 1].lstrip()[: one.column - one.span.column].rstrip().endswith(")"):
            self.findings.add(
                "step-without-stop", "a step's number is followed by a full stop", one.span, help=f"write `{number}. {one.text.strip()}`"
            )
        rules = self.below(block)
        text = one.text.strip()
        cites = tuple(CITE.findall(text))
        anchor = self.anchor(text, one, 0)
        bare = ANCHOR.sub("", CITE.sub("", text)).rstrip()
        name, stop, prose = bare.partition(".")
        if not stop:
            self.findings.add(
                "step-without-name", "a step begins with its name and a full stop", self.at(one, 0, len(text)), help=f"write `{number}. {bare}.`"
            )
        name = self.short(name.strip(), one.span)
        prose = re.sub(r"\s{2,}", " ", prose).strip()
        prose_span = self.at(one, len(name) + 1, len(text))
        self.step = Step(name, anchor, prose, prose_span, cites, self.at(one, 0, len(name)), number, rules)
        return self.step

    # ------------------------------------------------------------ tables and prose

    def table(self, lines: list[Shaped]) -> Table | None:
        cut = [self.cells(line) for line in lines]
        head, rows = [self.name_cell(cell) for cell in cut[0]], cut[1:]
        if rows and all(re.fullmatch(r":?-+:?", cell.text) for cell in rows[0]):
            rows = rows[1:]
        else:
            self.findings.add(
                "table-without-line", "the line below a table's head is missing", lines[0].span,
                help="write `|" + "|".join("---" for _ in head) + "|` below it",
            )  # fmt: skip
        whole = []
        for row in rows:
            if len(row) == len(head):
                whole.append(row)
                continue
            first, last = row[0].span, row[-1].span
            columns = ", ".join(cell.text or "(no name)" for cell in head[:LISTED]) + (" .." if len(head) > LISTED else "")
            self.findings.add(
                "row-length",
                f"this row has {len(row)} {'cell' if len(row) == 1 else 'cells'}, the table has {len(head)}",
                Span(first.file, first.line, first.column, max(last.end, first.column + 1)),
                help=f"its cells are {columns}: put `-` where one of them is missing"
                if len(row) < len(head) else "take a cell away, or write `\\|` for a stroke inside a text",
            )  # fmt: skip
            blank = Cell("-", last)
            whole.append((row + [blank] * len(head))[: len(head)])
        self.different(head)
        for column, cell in enumerate(head):
            if cell.text == "row" or (column == 0 and cell.text[:1].islower()):
                for row in whole:
                    row[column] = self.name_cell(row[column])
        return Table(head, whole, lines[0].span)

    def different(self, head: list[Cell]) -> None:
        """In a table that is only read two columns may be called alike; in one that defines something, the first would be lost."""
        first: dict[str, Cell] = {}
        for cell in head if head[0].text[:1].islower() else ():
            if cell.text in first:
                self.findings.add(
                    "duplicate-label", f"there is already a column called `{cell.text}` here", cell.span, help="choose another name",
                    labels=[Label(first[cell.text].span, "the first one is here")],
                )  # fmt: skip
            first.setdefault(cell.text, cell)

    def name_cell(self, cell: Cell) -> Cell:
        return Cell(self.short(cell.text, cell.span), cell.span) if len(cell.text) > LONGEST_NAME else cell

    def cells(self, one: Shaped) -> list[Cell]:
        line, start = self.source.lines[one.span.line - 1].rstrip(), one.span.column
        if line.endswith("|") and not line.endswith("\\|"):
            line = line[:-1]
        cells, column = [], start  # column is 0-based just behind the opening stroke
        for piece in re.split(r"(?<!\\)\|", line[start:]):
            text = piece.strip()
            begin = column + len(piece) - len(piece.lstrip())
            span = Span(one.span.file, one.span.line, begin + 1, begin + 1 + max(len(text), 1))
            cells.append(Cell(text.replace("\\|", "|"), span))
            column += len(piece) + 1
        return cells

    def prose(self, lines: list[Shaped], body: list[Part]) -> None:
        kept: list[tuple[str, Span]] = []
        for one in lines:
            raw = self.source.lines[one.span.line - 1].rstrip()
            if self.slip(one, raw.strip()):
                continue
            kept.append((raw, Span(one.span.file, one.span.line, 1, len(raw) + 1)))
        if kept:
            body.append(Prose(kept))

    def slip(self, one: Shaped, text: str) -> bool:
        """A rule, heading or step that lost its mark would silently become prose: say so."""
        if DASH.match(text):
            self.findings.add("dash-without-space", "a rule line has a space after its dash", one.span, help=f"write `- {text[1:]}`")
            return True
        if found := re.match(r"#+(?=[^#\s])", text):
            self.findings.add("heading-without-space", "a heading has a space after its #", one.span, help=f"write `{found[0]} {text[found.end():]}`")
            return True
        bullet = BULLET.match(text)
        text = text[bullet.end() :] if bullet else text
        if RULE_LIKE.match(text):
            bare = text.rstrip(".")
            try:
                tree = parse(bare, "line") if len(bare) < LONGEST_LINE else None
            except Stuck:
                tree = None
            if tree is not None and tree.node("says", "opens") and (not bullet or tree.node("label")):
                self.lost_dash(one, text, tree.node("label") is not None or self.step is not None, bullet[0] if bullet else "")
                return True
        return False

    def lost_dash(self, one: Shaped, text: str, labelled: bool, bullet: str) -> None:
        """A rule without its dash. Where it would also need a label, both are said."""
        whole = text.rstrip(".")
        at = Span(one.span.file, one.span.line, one.span.column, one.span.column + len(bullet))
        self.findings.add(
            "missing-dash",
            f"this reads as a rule but begins with `{bullet.strip()}`, so it would never be used" if bullet else "this reads as a rule but has no dash, so it would never be used",
            one.span,
            help=f"write `- {whole}`" if labelled else f"write `- Label: {whole}`, with a label of your own",
            fix=Fix(at, "- ") if labelled else None,
        )


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
