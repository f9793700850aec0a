"""Reading a file: text in, `Page` and diagnostics out.

Lines are shaped first, `blocks` puts together what belongs together, and then each rule line is parsed on its own: a line that does not read is
reported, keeps its place with `tree` None, and its neighbours and the lines below it are read all the same.
"""

from __future__ import annotations

import re
from typing import cast

from te_forge.collector import collector_paused
from te_forge.diagnostics import Findings, Fix
from te_forge.source import Source, Span, spanned
from te_forge.syntax.blocks import Block, page_of
from te_forge.syntax.headings import ANCHOR, CITE, anchor_in, at, read_heading, short
from te_forge.syntax.parser import parse
from te_forge.syntax.shapes import Shaped, for_parser, page_lines, shape_lines
from te_forge.syntax.tables import TableReader
from te_forge.syntax.text import ENDED, RULE_LIKE, nearly_rule, read_text, reads, rule_in
from te_forge.syntax.tree import Heading, Page, Prose, Rule, Step, Table

DASH = re.compile(r"-[^\s\d-]")
MARKED_NAME = re.compile(r"(\*\*|__|\*|_)(.+?)\1(.*)$")
BULLET = re.compile(r"(?:[*+•‣▪·–—−]|--|\d{1,3}[.)]|[a-z][.)])\s+")
"""What begins the item of a list in prose, or a rule that was meant to begin with a dash."""
STEP_HEAD = re.compile(r"(?P<stated>(?:[Ss]tep *)?(?P<number>\d{1,3})[.):]? +|[Ss]tep: *)?(?P<name>[^\W\da-z_][^.:{}\[\]]*)")
"""A heading that is meant as a step."""
LABEL = re.compile(r"[^\W\da-z_][\w'’-]*(?: [^\W\da-z_][\w'’-]*)*: (?=[a-z])")
COPY = re.compile(r"Based On: ")
"""What stands below is said of a copy, as in a patch."""
SMALL_LABEL = re.compile(
    r"((?:an? |the )?)([\w'-]+(?: [\w'-]+){0,3}): (?=(?:before|after|instead of|while|once per|\d+ times per|until|in the next|for each) )"
)
"""A label in small letters, or behind an article, before what can only be a rule."""

Part = Rule | Step | Table | Prose


def read_page(source: Source, findings: Findings) -> Page:
    """The page of one file; mistakes go to `findings`."""
    with collector_paused():
        builder = Builder(source, findings)
        lines = for_parser(page_lines(shape_lines(source, findings), findings), builder.lost_from_step)
        return builder.page(page_of(lines))


def field_below(text: str, block: Block) -> str | None:
    """The whole of a field of the language whose values are set in below it, one a line; None for anything else."""
    label = text.removesuffix(":")
    if text != f"{label}:":
        return None
    from te_forge.syntax.hint_fields import TAKES  # few lines need it

    if label not in TAKES:
        return None
    held = [child for child in cast(Block, block.parts[1]).parts if isinstance(child, Block)]
    values = [part.text.strip() for child in held for part in child.parts[:1] if isinstance(part, Shaped)]
    whole = f"{label}: {', '.join(values)}"
    return whole if all(len(child.parts) == 1 and ":" not in value for child, value in zip(held, values, strict=True)) and reads(whole) else None


class Builder:
    """Makes the tree's page out of the parser's. One per file."""

    def __init__(self, source: Source, findings: Findings) -> None:
        self.source, self.findings, self.tables = source, findings, TableReader(source, findings)
        self.step: Step | None = None
        self.patching = False
        self.bent: set[int] = set()
        """Lines that are set in wrongly, as has been said already."""

    def page(self, tree: Block) -> Page:
        self.bent = {found.span.line for found in self.findings if found.span.file == self.source.path}
        page = Page(self.source.path, [], [])
        body: list[Part] = page.preface
        blocks = [block for block in tree.parts if isinstance(block, Block)]
        for block, below in zip(blocks, [*blocks[1:], None], strict=False):
            if block.data == "part" and self.step_heading(block, below, page.headings):
                body.append(cast(Step, self.step))
            elif block.data in ("chapter", "entry", "part"):
                heading = read_heading(cast(Shaped, block.parts[0]), self.findings)
                page.headings.append(heading)
                body = heading.body
                self.step, self.patching = None, heading.verb == "changes"
            else:
                self.part(block, body)
        return page

    def step_heading(self, block: Block, below: Block | None, above: list[Heading]) -> bool:
        """Whether a heading is a step of the procedure above it (`### Step 1: Go`), or has no kind and rules below it; complains about it, and makes
        it the step.
        """
        one = cast(Shaped, block.parts[0])
        found = STEP_HEAD.fullmatch(one.text.rstrip(" .")) if above and above[-1].kind == "procedure" and not above[-1].verb else None
        if found is None or not (found["stated"] or (below is not None and below.data == "rule")):
            return False
        number, name = int(found["number"] or (self.step.number + 1 if self.step is not None else 1)), found["name"].strip()
        help = f"write `{number}. {name}.`, and set its lines in below it; a title within prose takes four #: `#### {name}`"
        self.findings.add("heading-without-kind", "a step of a procedure has no #", one.span, help=help)
        self.step = Step(name, "", "", one.span, (), one.span, number, [])
        return True

    def part(self, block: Block, body: list[Part]) -> None:
        match block.data:
            case "rule":
                if self.step is not None:
                    self.step.rules.append(self.rule(block))
                else:
                    rule = self.rule(block, self.patching)
                    self.patching = self.patching or COPY.match(rule.text) is not None
                    body.append(rule)
            case "prose":
                self.prose(cast("list[Shaped]", block.parts), body)
            case "table":
                lines = cast("list[Shaped]", block.parts)
                if body and isinstance(body[-1], Table) and not self.tables.ruled(lines):
                    self.tables.go_on(body[-1], lines)
                else:
                    body.append(self.tables.table(lines))
            case "step":
                body.append(self.new_step(block))

    # ------------------------------------------------------------ headings

    # ------------------------------------------------------------ rules and steps

    def below(self, block: Block, told: list[Prose] | None = None) -> list[Rule]:
        """The rules set in below a rule or step. Text there is what a patch says of a step, where there may be some (`told`); anything else would be
        lost, and is complained about.
        """
        rules: list[Rule] = []
        if len(block.parts) > 1:
            for child in cast(Block, block.parts[1]).parts:
                if isinstance(child, Shaped):
                    continue
                if child.data == "rule":
                    rules.append(self.rule(child))
                elif told is not None and child.data == "prose":
                    self.set_in(cast("list[Shaped]", child.parts), told)
                else:
                    self.lost(child)
        return rules

    def set_in(self, lines: list[Shaped], told: list[Prose]) -> None:
        """Prose that is set in: how far is no part of it."""
        body: list[Part] = []
        self.prose(lines, body)
        for part in body:
            if isinstance(part, Prose):
                told.append(
                    Prose(
                        [
                            (text.strip(), Span(span.file, span.line, span.column + len(text) - len(text.lstrip()), span.end))
                            for text, span in part.lines
                        ]
                    )
                )

    def lost(self, block: Block) -> None:
        one = cast(Shaped, block.parts[0])
        if block.data == "prose" and RULE_LIKE.match(one.text.strip()):
            self.lost_dash(one, one.text.strip(), True, "")
        else:
            self.findings.add(
                "lost-line", "this is set in below a rule, where only rules are read, so it would be lost", one.span,
                help="a rule begins with `- `; text goes behind the name of the step, on its line, or above the steps",
            )  # fmt: skip

    def rule(self, block: Block, patching: bool = False) -> Rule:
        one = cast(Shaped, block.parts[0])
        if len(block.parts) > 1 and (whole := field_below(one.text.rstrip(), block)) is not None:
            return self.rule_on_one_line(one, whole)
        told: list[Prose] = []
        below = self.below(block, told if patching else None)
        text = one.text.rstrip()
        if one.column - one.span.column == 1:
            self.findings.add("dash-without-space", "a rule line has a space after its dash", one.span, help=f"write `- {text}`")
        span = spanned((self.source.path, one.span.line, one.column, one.column + len(text)))
        missing_colon = bool(below) and not text.endswith(":")
        if missing_colon and reads(text) and not reads(text + ":"):  # a whole line that can hold nothing: the ones below stand too far in
            if one.span.line not in self.bent:
                self.findings.add(
                    "crooked-line", "this line is set in below one that is complete", below[0].span, help="line it up with its neighbours"
                )
            missing_colon = False
        tree = read_text(text + ":" if missing_colon else text, "line", span, self.findings)
        rule = Rule(text, span, tree, below, told)
        if missing_colon and tree is not None:
            end = at(one, len(text), len(text) + 1)
            self.findings.add(
                "missing-colon", "this line holds the lines below it, but does not end in a colon", end,
                help=f"write `- {text}:`", fix=Fix(end, ":"),
            )  # fmt: skip
        elif text.endswith(":") and not below and not told and tree is not None:
            self.findings.add(
                "nothing-below",
                "this line ends in a colon, but nothing is set in below it",
                at(one, len(text) - 1, len(text)),
                help="write a value or a sentence behind the colon, or set lines in below it",
            )
        return rule

    def rule_on_one_line(self, one: Shaped, whole: str) -> Rule:
        """A field whose values are set in below it, as other formats have it."""
        span = at(one, 0, len(one.text))
        label = whole.partition(":")[0]
        self.findings.add("unfinished-line", f"`{label}` has what it takes on its own line", span, help=f"write `- {whole}`")
        return Rule(whole, span, parse(whole, "line"), [])

    def new_step(self, block: Block) -> Step:
        one = cast(Shaped, block.parts[0])
        mark = self.source.lines[one.span.line - 1].lstrip()[: one.column - one.span.column].rstrip()
        stated = re.fullmatch(r"(\d+)[.)]", mark)
        number = int(stated[1][:9]) if stated is not None else self.step.number + 1 if self.step is not None else 1
        text = one.text.strip()
        if stated is None or mark.endswith(")"):
            text = text.removesuffix("**").removesuffix("__") if mark.startswith(("**", "__")) else text
            self.findings.add("step-without-stop", "a step begins with its number and a full stop", one.span, help=f"write `{number}. {text}`")
        elif (marked := MARKED_NAME.match(text)) is not None:
            text = f"{marked[2]}{marked[3]}"
            self.findings.add("step-without-name", "the name of a step has no marks around it", one.span, help=f"write `{number}. {text}`")
        rules = self.below(block)
        cites = tuple(CITE.findall(text))
        anchor = anchor_in(text, one, 0, self.findings)
        bare = ANCHOR.sub("", CITE.sub("", text)).rstrip()
        name, stop, prose = bare.partition(".")
        if not stop or name.rstrip().endswith(":"):
            name = name.rstrip(": ")
            self.findings.add(
                "step-without-name", "a step begins with its name and a full stop", at(one, 0, len(text)), help=f"write `{number}. {name}.{prose}`"
            )
        name = short(name.strip(), one.span, self.findings)
        prose = re.sub(r"\s{2,}", " ", prose).strip()
        prose_span = at(one, len(name) + 1, len(text))
        self.step = Step(name, anchor, prose, prose_span, cites, at(one, 0, len(name)), number, rules)
        return self.step

    # ------------------------------------------------------------ tables and prose

    def prose(self, lines: list[Shaped], body: list[Part]) -> None:
        kept: list[tuple[str, Span]] = []
        for one in lines:
            raw = self.source.lines[one.span.line - 1].rstrip()
            if self.slip(one, raw.strip()):
                continue
            kept.append((raw, spanned((one.span.file, one.span.line, 1, len(raw) + 1))))
        if kept:
            body.append(Prose(kept))

    def slip(self, one: Shaped, text: str) -> bool:
        """A rule, heading or step that lost its mark would silently become prose: say so."""
        if DASH.match(text):
            self.findings.add("dash-without-space", "a rule line has a space after its dash", one.span, help=f"write `- {text[1:]}`")
            return True
        if found := re.match(r"#+(?=[^#\s])", text):
            self.findings.add(
                "heading-without-space", "a heading has a space after its #", one.span, help=f"write `{found[0]} {text[found.end() :]}`"
            )
            return True
        bullet = BULLET.match(text)
        text = text[bullet.end() :] if bullet else text
        if small := SMALL_LABEL.match(text):
            text = f"{small[2].title()}: {text[small.end() :]}"
        if RULE_LIKE.match(text):
            tree = rule_in(text)
            if tree is not None and (not bullet or tree.label):
                self.lost_dash(one, text, tree.label is not None or self.step is not None, bullet[0] if bullet else "")
                return True
        return not bullet and self.nearly(one, text)

    def nearly(self, one: Shaped, text: str) -> bool:
        """Whether a line is a rule with another slip than the dash that it lacks; complains about the dash."""
        found = LABEL.match(text) is not None and not text.endswith(ENDED) and self.ends_here(one) and rule_in(text) is None and nearly_rule(text)
        if found:
            self.lost_dash(one, text, True, "")
        return found

    def ends_here(self, one: Shaped) -> bool:
        """Whether prose does not go on with the next line."""
        below = self.source.lines[one.span.line].strip() if one.span.line < len(self.source.lines) else ""
        return not below or below[0] in "-#|" or below[0].isdecimal() or RULE_LIKE.match(below) is not None

    def lost_from_step(self, one: Shaped) -> bool:
        """Whether a line that is set in below a step, as if it went on with the step's prose, is a rule without its dash."""
        text = one.text.strip()
        bullet = BULLET.match(text)
        text = text[bullet.end() :] if bullet else text
        tree = rule_in(text) if RULE_LIKE.match(text) else None
        if tree is None:
            return not bullet and self.nearly(one, text)
        if tree.label is None and not text.startswith("expect "):
            return False
        self.lost_dash(one, text, True, bullet[0] if bullet else "")
        return True

    def lost_dash(self, one: Shaped, text: str, labelled: bool, bullet: str) -> None:
        """A rule without its dash. Where it would also need a label, both are said."""
        whole = text.rstrip(".")
        at = Span(one.span.file, one.span.line, one.span.column, one.span.column + len(bullet))
        self.findings.add(
            "missing-dash",
            f"this reads as a rule but begins with `{bullet.strip()}`, so it would never be used"
            if bullet
            else "this reads as a rule but has no dash, so it would never be used",
            one.span,
            help=f"write `- {whole}`" if labelled else f"write `- Label: {whole}`, with a label of your own",
            fix=Fix(at, "- ") if labelled and one.text.strip().endswith(text) else None,
        )
