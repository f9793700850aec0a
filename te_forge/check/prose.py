"""Prose: links and printed numbers. Nothing in it is ever executed.

`[[Name]]` and `[[Name|other words]]` link, `{Might's start}` prints what the rule says, `\\{` is a brace. Everything else is Markdown and stays as it is.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from te_forge.check.names import Names
from te_forge.check.numbers import Numbers
from te_forge.check.scope import Scope
from te_forge.diagnostics import Findings, Label
from te_forge.keys import fold
from te_forge.model import rules as m
from te_forge.model.rules import Type
from te_forge.model.system import Prose, Ref, Shown
from te_forge.source import Span
from te_forge.syntax.headings import CITE
from te_forge.syntax.text import read_text
from te_forge.syntax.tree import Prose as ProseTree
from te_forge.syntax.tree import Token

DOORS = re.compile(
    r"(?P<code>`+[^`\n]*`+)|\\(?P<brace>[{}])|\[\[(?P<link>[^\[\]\n|]+)(?:\|(?P<shown>[^\[\]\n]+))?\]\]|\{(?P<value>[^{}\n]*)\}|(?P<open>[{}])|(?P<half>\[\[(?![^\[\]\n|]*\]\()|(?<!\])\]\])"
)

DOOR_SIGN = re.compile(r"[\[\]{}`\\]")
"""What stands in every line that has a door, an escape or a piece of code: most lines have none."""

Evaluate = Callable[[m.Expr], str | None]


class ProseReader(Numbers):
    """Resolves the two doors of prose. `evaluate` turns a typed number into what is printed."""

    def __init__(self, names: Names, findings: Findings, evaluate: Evaluate, chapters: dict[str, str]) -> None:
        super().__init__(names, findings)
        self.evaluate = evaluate
        self.chapters = chapters
        self.used: set[str] = set()
        self.unread: frozenset[str] = frozenset()
        """What has a line that could not be read, as has been said: its numbers may be missing for that."""

    def prose(self, tree: ProseTree, scope: Scope) -> tuple[Prose, tuple[str, ...]]:
        """The prose and the sources that it cites."""
        self.scope = scope
        words: list[str | Ref | Shown] = []
        cites: list[str] = []
        code = False
        for text, span in tree.lines:
            fence = "```" in text and text.lstrip().startswith("```")
            code ^= fence
            if code or fence:
                words.append(text + "\n")
                continue
            if "[" in text:
                found = CITE.findall(text)
                cites += found
                text = CITE_GAP.sub("", text) if found else text
            words += self.line(text, span) if DOOR_SIGN.search(text) else (text,)
            words.append("\n")
        return Prose(tuple(joined(words)), tree.lines[0][1]), tuple(cites)

    def line(self, text: str, span: Span) -> list[str | Ref | Shown]:
        out: list[str | Ref | Shown] = []
        at = 0
        alone = half = False
        for found in DOORS.finditer(text):
            start = found.start()
            out.append(text[at:start])
            at = found.end()
            here = Span(span.file, span.line, span.column + start, span.column + at)
            match found.lastgroup:
                case "code" | "brace" as plain:
                    out.append(found[plain])
                case "link" | "shown":
                    out.append(self.linked_name(found["link"], found["shown"], here))
                case "value":
                    out.append(self.value(found["value"], here, found.start("value") - start))
                case "half":
                    out.append(found["half"])
                    if not half and "[" not in text[max(text.rfind("]", 0, start), 0) : start]:  # `[a note [1]]` is Markdown
                        half = True
                        self.findings.add(
                            "broken-link",
                            "these brackets are no link",
                            here,
                            help="a link is `[[Name]]`, or `[[Name|other words]]`, all of it on one line; plain brackets stand in backticks",
                        )
                case _:
                    out.append(found["open"])
                    if alone:
                        continue
                    alone = True
                    self.findings.add(
                        "lone-brace",
                        "a brace in prose prints a number, and this one has no partner on its line",
                        here,
                        help=f"write `\\{found['open']}` for a plain brace",
                    )
        out.append(text[at:])
        return out

    def linked_name(self, name: str, shown: str | None, span: Span) -> str | Ref:
        target = fold(name)
        found = self.names.find(target) or ([kind.id] if (kind := self.names.kinds.get(self.names.called.get(target, target))) is not None else [])
        if found:
            self.used.add(found[0])
            return Ref(found[0], shown or name.strip())
        if target in self.chapters:
            return Ref(self.chapters[target], shown or name.strip())
        if target in self.names.people and target not in self.names.words:
            somebody = self.names.people[target]
            said, labels = f"`{target}` is only in the example {somebody.example}, and has no place to link to", [Label(somebody.span, "it is here")]
            self.findings.add("broken-link", said, span, help="take the brackets away", labels=labels)
            return shown or name
        small = fold(target).lower()
        near = small if small in self.names.kinds or small in self.names.plurals else self.names.suggest(target)
        stated = next((name for id, name in self.names.title.items() if id.rpartition("/")[2] == target), None)
        near = stated if stated is not None and near != target else near
        help = (
            "it is a word within a rule; link to what holds it"
            if near == target
            else f"did you mean `[[{near}]]`?"
            if near
            else "define it, or take the brackets away"
        )
        self.findings.add("broken-link", f"nothing is called `{target}`", span, help=help)
        return shown or name

    def instead_of(self, name: str, kind: str) -> str:
        return "prose prints what the rules say, and they know nobody of an example"

    def word(self, token: Token) -> tuple[m.Expr, Type]:
        """In prose `the attribute` may be the kind: `{the attribute's most}`."""
        kind = self.names.kinds.get(str(token))
        if kind is not None and kind.nature == "number":
            self.link(token, kind.id)
            return m.Thing(kind.id), Type("entry", kind.name)
        return super().word(token)

    def value(self, text: str, span: Span, offset: int) -> str | Shown:
        place = Span(span.file, span.line, span.column + offset, span.end - 1)
        tree = read_text(text.strip(), "expr", place, self.findings) if text.strip() else None
        if tree is None:
            if not text.strip():
                self.findings.add(
                    "empty-braces", "nothing stands between these braces", span, help="write `{Might's start}`, or `\\{\\}` for plain braces"
                )
            return "{" + text + "}"
        self.span, self.links = place, {}
        before = len(self.findings)
        expr, _ = self.expr(tree.nodes()[0] if tree.data == "expr" else tree, None)
        self.used.update(self.links.values())
        if len(self.findings) > before:
            return "{" + text + "}"
        shown = self.evaluate(expr)
        if shown is None and not self.unread.isdisjoint(self.links.values()):
            return "{" + text + "}"
        if shown is None:
            self.findings.add(
                "not-printable", "this has no value before the game begins", span,
                help="print a start, least or most, or a field: `{Might's start}`, `{Smith's Wounds}`",
            )  # fmt: skip
            return "{" + text + "}"
        return Shown(next(iter(self.links.values()), ""), shown, expr)


END = Ref("", "")
CITE_GAP = re.compile(r"(?<!\s)\s*\[[A-Z][A-Z0-9]*-\d+[a-z]?\]")


def joined(words: list[str | Ref | Shown]) -> list[str | Ref | Shown]:
    """Neighbouring strings put together."""
    out: list[str | Ref | Shown] = []
    run: list[str] = []
    for part in (*words, END):
        if isinstance(part, str):
            run.append(part)
            continue
        if text := "".join(run):
            out.append(text)
        run = []
        out.append(part)
    out.pop()
    if out and isinstance(out[-1], str):
        out[-1] = out[-1].rstrip("\n")
    return out
