"""Words of a pack as Markdown for other people's viewers.

A pack's text is data there, too. Its Markdown is read by the same parser as for the book, and written anew from the tokens with everything escaped
that could mean something: tags, links of a viewer, formulas, and code that plug-ins of a viewer would run. So the output is also of one form,
whatever the author's was.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from urllib.parse import quote

from markdown_it.token import Token

from te_forge.model.system import Ref, Shown, Words
from te_forge.render.prose import MARK, encode, make_markdown, number_of, picture_of

SPECIAL = re.compile(r"[\\`*_\[\]<>$|^]|==|%%|~~|#(?=\S)|&(?=#?\w+;)")
AT_BEGIN = re.compile(r"^(\s*)([-+>#]|\d+(?=[.)]))")
ADDRESS = re.compile(r"https?://[^\s<>]+[^\s<>.,;:!?)\]'\"]")
ALIVE = re.compile(r"\s*(=|\$=|dice)")
"""Code on a line that plug-ins run."""

Link = Callable[[str, str], str]
"""Makes a link to an id, shown as a text."""
Address = Callable[[str], str]
"""Where a picture of the pack is, seen from what is written; empty when it is left out."""


def escaped(text: str) -> str:
    """Plain text in which nothing means anything."""
    out, at = [], 0
    for found in ADDRESS.finditer(text):
        out += [special(text[at : found.start()]), f"<{found[0]}>"]
        at = found.end()
    return "".join([*out, special(text[at:])])


def special(text: str) -> str:
    return SPECIAL.sub(lambda found: "".join("\\" + letter for letter in found[0]) if found[0] != "&" else "&amp;", text)


def beginning(line: str) -> str:
    """A line that begins nothing: no list, heading or quotation."""
    return AT_BEGIN.sub(lambda found: f"{found[1]}{found[2]}\\" if found[2].isdigit() else f"{found[1]}\\{found[2]}", line)


class MarkdownScribe:
    """Writes words as Markdown, with links that `link` makes."""

    def __init__(self, link: Link, picture: Address = lambda path: "") -> None:
        self.link, self.picture = link, picture
        self.markdown = make_markdown()
        self.pictures = 0
        """How many pictures were left out."""

    def rule(self, words: Words) -> str:
        """Words of a rule, on one line."""
        return "".join(escaped(one) if isinstance(one, str) else self.word(one) for one in words).strip()

    def word(self, one: Ref | Shown) -> str:
        return self.link(one.id, one.text) if isinstance(one, Ref) else escaped(one.text)

    def inline(self, words: Words) -> str:
        """Prose on one line."""
        text, marks = encode(words)
        return " ".join(self.inline_tokens(self.markdown.parseInline(text)[0].children or (), marks).split("\n")).strip()

    def prose(self, words: Words, level: int = 2) -> str:
        """Blocks of prose, with its headings from `level` on."""
        text, marks = encode(words)
        return "\n\n".join(Blocks(self, self.markdown.parse(text), marks, level).all())

    def inline_tokens(self, tokens: Sequence[Token], marks: Sequence[Ref | Shown]) -> str:
        return "".join(self.inline_token(token, marks) for token in linked(tokens))

    def inline_token(self, token: Token, marks: Sequence[Ref | Shown]) -> str:
        match token.type:
            case "text":
                return self.text(token.content, marks)
            case "softbreak":
                return "\n"
            case "hardbreak":
                return "\\\n"
            case "em_open" | "em_close":
                return "*"
            case "strong_open" | "strong_close":
                return "**"
            case "code_inline":
                return code(MARK.sub(lambda found: marks[number_of(found)].text, token.content))
            case "link_open":
                return "["
            case "link_close":
                return f"]({address(token)})"
            case "image":
                text = self.inline_tokens(token.children or (), marks)
                if not (place := self.picture(picture_of(token))):
                    self.pictures += 1
                    return text
                return f"![{text.strip() or 'picture'}]({quote(place)})"
        return ""

    def text(self, text: str, marks: Sequence[Ref | Shown]) -> str:
        out, at = [], 0
        for found in MARK.finditer(text):
            out += [escaped(text[at : found.start()]), self.word(marks[number_of(found)])]
            at = found.end()
        return "".join([*out, escaped(text[at:])])


def linked(tokens: Sequence[Token]) -> list[Token]:
    """The tokens, with the address of a link on its end as well."""
    open_: list[Token] = []
    for token in tokens:
        if token.type == "link_open":
            open_.append(token)
        elif token.type == "link_close" and open_:
            token.attrs["href"] = open_.pop().attrs.get("href", "")
    return list(tokens)


def address(token: Token) -> str:
    return "<" + re.sub(r"[\s<>]", "", str(token.attrs.get("href", ""))) + ">"


def code(text: str) -> str:
    if ALIVE.match(text):
        return escaped(text)
    fence = "`" * (max((len(run) for run in re.findall(r"`+", text)), default=0) + 1)
    pad = " " if text.startswith("`") or text.endswith("`") else ""
    return f"{fence}{pad}{text}{pad}{fence}"


class Blocks:
    """The block tokens of one text, one after the other."""

    def __init__(self, scribe: MarkdownScribe, tokens: Sequence[Token], marks: Sequence[Ref | Shown], level: int) -> None:
        self.scribe, self.tokens, self.marks, self.level = scribe, tokens, marks, level
        self.at = 0
        self.seen: list[int] = []

    def all(self, end: str = "") -> list[str]:
        """The blocks up to the token `end`."""
        return [text for token in self.up_to(end) if (text := self.block(token))]

    def up_to(self, end: str) -> Iterator[Token]:
        """The tokens up to `end`, each of which takes with it what it consists of."""
        while self.at < len(self.tokens):
            token = self.inside()
            if token.type == end:
                break
            yield token

    def block(self, token: Token) -> str:
        match token.type:
            case "inline":
                return "\n".join(beginning(line) for line in self.line(token).split("\n"))
            case "heading_open":
                return f"{'#' * self.depth(int(token.tag[1:]))} {self.line(self.inside()).strip()}"
            case "bullet_list_open":
                return self.items("bullet_list_close", lambda number: "- ")
            case "ordered_list_open":
                first = int(token.attrs.get("start", 1))
                return self.items("ordered_list_close", lambda number: f"{first + number}. ")
            case "blockquote_open":
                return "\n".join(f"> {line}".rstrip() for line in "\n\n".join(self.all("blockquote_close")).split("\n"))
            case "fence" | "code_block":
                return self.fence(token.content)
            case "hr":
                return "---"
            case "table_open":
                return self.table()
        return ""

    def line(self, token: Token) -> str:
        return self.scribe.inline_tokens(token.children or (), self.marks)

    def inside(self) -> Token:
        """The token that comes next."""
        token = self.tokens[self.at]
        self.at += 1
        return token

    def depth(self, level: int) -> int:
        """How deep a heading stands, without a gap."""
        while self.seen and self.seen[-1] >= level:
            self.seen.pop()
        self.seen.append(level)
        return min(self.level + len(self.seen) - 1, 6)

    def items(self, end: str, mark: Callable[[int], str]) -> str:
        out: list[str] = []
        for token in self.up_to(end):
            if token.type == "list_item_open":
                sign = mark(len(out))
                out.append(sign + ("\n" + " " * len(sign)).join(tight(self.all("list_item_close")).split("\n")))
        return "\n".join(re.sub(r"[ \t]+$", "", one, flags=re.M) for one in out)

    def fence(self, text: str) -> str:
        """Code, of no language: some viewers run the code of some."""
        text = MARK.sub(lambda found: self.marks[number_of(found)].text, text).rstrip("\n")
        sign = "`" * max(3, max((len(run) for run in re.findall(r"`+", text)), default=0) + 1)
        return f"{sign}text\n{text}\n{sign}"

    def table(self) -> str:
        rows: list[list[str]] = []
        for token in self.up_to("table_close"):
            if token.type == "tr_open":
                rows.append([])
            elif token.type == "inline":
                rows[-1].append(cell(self.line(token)))
        return table(rows[0], rows[1:]) if rows else ""


def tight(blocks: Iterable[str]) -> str:
    """The blocks of an item of a list: a list stands right below its line."""
    out = ""
    for block in blocks:
        out += block if not out else ("\n" if re.match(r"(- |\d+\. )", block) else "\n\n") + block
    return out


def cell(text: str) -> str:
    """A cell of a table: one line, in which a bar is a letter."""
    return re.sub(r"(?<!\\)\|", r"\\|", " ".join(text.split()))


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("|" + "|".join(f" {one} " if one else " " for one in line) + "|" for line in lines)
