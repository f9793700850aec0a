"""Prose of a pack to HTML.

A pack's text is data. Markdown is read with HTML switched off, so tags come out as text; links may only go to http, https and mailto; images only to
the pack's own assets. References travel through Markdown as characters of the private use area, which mean nothing to it and which a pack cannot
smuggle in (they are taken out of its text first). Terms that nobody linked are linked at their first use in a section.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from typing import Literal
from urllib.parse import unquote

from markdown_it import MarkdownIt
from markdown_it.token import Token
from markupsafe import Markup, escape

from te_forge.aloud import read_aloud
from te_forge.model.system import Ref, Shown, Words
from te_forge.render.page import Heading
from te_forge.render.places import Places, slug, unique
from te_forge.render.terms import Glossary
from te_forge.render.typeset import signed

OPEN, CLOSE, DIGIT = "\ue000", "\ue001", 0xE010
MARK = re.compile(f"{OPEN}([{chr(DIGIT)}-{chr(DIGIT + 9)}]+){CLOSE}")
PRIVATE = re.compile("[\ue000-\uf8ff]")
SCHEMES = re.compile(r"(https?://|mailto:)[^\s]", re.IGNORECASE)
IMAGE = re.compile(r"assets/(?!.*\.\.)[^?#:\\]+\.(png|jpe?g|webp|avif|gif)", re.IGNORECASE)
ADDRESS = re.compile(r"(https?://[^\s<>\"]*[\w/])", re.IGNORECASE)
"""A web address in plain text, without the stop or bracket behind it."""
DEEPEST = 20

LinkKind = Literal["term", "shown", ""]
"""How a link looks: a term, a number that a rule printed, or a plain one."""

UNMARKED = re.compile("[^\\W\\d_](?:[^\\W_]|[ ,.;:()'’“”\"?!–—/%…\ue000-\ue019])*|\ue000(?:[^\\W_]|[ ,.;:()'’“”\"?!–—/%…\ue000-\ue019])*")
"""One line in which nothing can mean anything to Markdown: most of what packs say, and read without a parser."""


@dataclass
class Section:
    """What is known where the prose stands: the page, the entry it belongs to, which terms are linked already, how deep headings are."""

    page: str
    own: str = ""
    level: int = 2
    linked: set[str] = field(default_factory=set)
    toc: list[Heading] = field(default_factory=list)
    """Where headings of prose are noted for the side bar."""
    heading_ids: dict[str, int] = field(default_factory=dict)
    spoken: frozenset[str] = frozenset()
    """What the rules of the entry speak of: its prose does so, too."""


def make_markdown() -> MarkdownIt:
    markdown = MarkdownIt("commonmark", {"html": False, "maxNesting": DEEPEST}).enable("table")
    # A mark in an address would be encoded beyond recognition, so it is left alone, and the address then refused: it is shown as it was typed.
    normal = markdown.normalizeLink
    markdown.normalizeLink = lambda url: url if PRIVATE.search(url) else normal(url)  # type: ignore[method-assign]
    markdown.validateLink = lambda url: bool(SCHEMES.match(url) or IMAGE.fullmatch(url)) and not PRIVATE.search(url)  # type: ignore[method-assign]
    return markdown


class Scribe:
    """Writes the words of a system as HTML for one book."""

    def __init__(self, places: Places, glossary: Glossary, assets: Collection[str] = ()) -> None:
        self.places, self.glossary, self.assets = places, glossary, frozenset(assets)
        self.markdown = make_markdown()
        self.texts: dict[Words, str] = {}

    # ------------------------------------------------------------ links

    def link(self, id: str, text: str, page: str, kind: LinkKind = "term") -> Markup:
        """A link to `id` shown as `text`; the bare text when there is no such thing (the build fails then)."""
        href = self.places.href(id, page)
        class_ = f' class="{kind}"' if kind and id not in self.places.chapters else ""
        return escape(text) if href is None else Markup(f'<a{class_} href="{escape(href)}">{escape(text)}</a>')

    def words(self, words: Words, section: Section) -> Markup:
        """Rule words, read aloud: plain text with its links."""
        return Markup("").join(self.word(part, section) for part in spoken(words))

    def word(self, part: str | Ref | Shown, section: Section) -> Markup:
        match part:
            case Ref(id, text):
                return escape(text) if id == section.own else self.link(id, text, section.page)
            case Shown("", text, _):
                return escape(text)
            case Shown(id, text, _):
                return self.link(id, text, section.page, "shown")
            case _:
                return escape(signed(part))

    # ------------------------------------------------------------ Markdown

    def prose(self, words: Words, section: Section) -> Markup:
        """Paragraphs, lists, tables."""
        text, marks = encode(words)
        if UNMARKED.fullmatch(text):
            return Markup("<p>%s</p>\n") % self.unmarked(text, marks, section)
        return self.finished(self.markdown.parse(text), marks, section)

    def unmarked(self, text: str, marks: list[Ref | Shown], section: Section) -> Markup:
        section.linked.update(mark.id.partition("#")[0] for mark in marks if isinstance(mark, Ref))
        return self.linked_text(text.rstrip(), marks, section, links=True, terms=True, start=True)

    def inline(self, words: Words, section: Section) -> Markup:
        """Prose on one line, without a paragraph around it."""
        text, marks = encode(words)
        if UNMARKED.fullmatch(text):
            return self.unmarked(text, marks, section)
        return self.finished(self.markdown.parseInline(text), marks, section)

    def text(self, words: Words) -> str:
        """Prose as plain text, for search and the glossary."""
        if words not in self.texts:
            self.texts[words] = self.read_text(words)
        return self.texts[words]

    def read_text(self, words: Words) -> str:
        text, marks = encode(words)
        if UNMARKED.fullmatch(text):
            return MARK.sub(lambda found: marks[number_of(found)].text, text)
        return " ".join(self.blocks(words))

    def blocks(self, words: Words) -> list[str]:
        """The paragraphs and points of prose, as plain text."""
        text, marks = encode(words)
        found = [inline_text(token.children or ()) for token in self.markdown.parse(text) if token.type == "inline"]
        return [MARK.sub(lambda found: marks[number_of(found)].text, block) for block in found if block]

    def finished(self, tokens: list[Token], marks: list[Ref | Shown], section: Section) -> Markup:
        section.linked.update(mark.id.partition("#")[0] for mark in marks if isinstance(mark, Ref))
        heading, quoted = False, 0
        levels = Levels(section)
        for token in tokens:
            if token.type in ("blockquote_open", "blockquote_close"):
                quoted += token.nesting
            elif token.type in ("heading_open", "heading_close"):
                heading = token.type == "heading_open"
                levels.shift(token)
            elif token.type == "inline":
                if heading:
                    levels.name(MARK.sub(lambda found: marks[number_of(found)].text, inline_text(token.children or ())))
                token.children = self.inline_tokens(token.children or [], marks, section, heading or quoted > 0)
            elif token.type in ("th_open", "td_open"):
                align_by_class(token)
        without_empty_heads(tokens)
        html: str = self.markdown.renderer.render(tokens, self.markdown.options, {})
        # What is left stands in code or in an attribute: no link there, only its words.
        html = MARK.sub(lambda found: str(escape(marks[number_of(found)].text)), html)
        return Markup(
            html.replace("<table>", '<div class="scroll" tabindex="0"><table>')
            .replace("</table>", "</table></div>")
            .replace("<pre>", '<pre tabindex="0">')
        )

    def inline_tokens(self, tokens: Sequence[Token], marks: list[Ref | Shown], section: Section, bare: bool) -> list[Token]:
        """The tokens with links and pictures; no term of a heading or of a quotation (somebody else's words, such as a notice) is linked by itself."""
        out: list[Token] = []
        depth = 0
        start = True
        for token in tokens:
            if token.type == "link_open":
                depth += 1
                foreign(token)
            elif token.type == "link_close":
                depth -= 1
            if token.type == "image":
                out.append(self.image(token))
            elif token.type == "text":
                out.append(raw(self.linked_text(token.content, marks, section, links=not depth, terms=not depth and not bare, start=start)))
            else:
                out.append(token)
            if token.content.strip():
                start = token.content.rstrip().endswith((".", "!", "?", ":"))
        return out

    def linked_text(self, text: str, marks: list[Ref | Shown], section: Section, *, links: bool, terms: bool, start: bool) -> Markup:
        out = Markup("")
        at = 0
        for found in MARK.finditer(text):
            out += self.auto(text[at : found.start()], section, terms, start and at == 0)
            mark = marks[number_of(found)]
            out += self.word(mark, section) if links else escape(mark.text)
            at = found.end()
            start = False
        return out + self.auto(text[at:], section, terms, start and at == 0)

    def auto(self, text: str, section: Section, terms: bool, start: bool) -> Markup:
        """Plain text with its terms linked, each once in a section and never to the thing being described."""
        if not terms:
            return escape(text)
        out = Markup("")
        at = 0
        for begin, end, id in self.glossary.find(text, start, section.spoken):
            if id == section.own or id in section.linked:
                continue
            section.linked.add(id)
            out += escape(text[at:begin]) + self.link(id, text[begin:end], section.page)
            at = end
        return out + escape(text[at:])

    def image(self, token: Token) -> Token:
        source = str(token.attrs.get("src", ""))
        text = inline_text(token.children or ())
        if picture_of(token) not in self.assets:
            return raw(escape(text))
        return raw(Markup('<img src="{}" alt="{}" loading="lazy">').format(source, text))


def picture_of(token: Token) -> str:
    """The path of the picture that is shown: addresses have each letter that is not ASCII as a number."""
    return unquote(str(token.attrs.get("src", "")))


class Levels:
    """Puts headings of prose below the heading they stand under, without a gap between levels."""

    def __init__(self, section: Section) -> None:
        self.section = section
        self.seen: list[int] = []
        self.open: Token | None = None

    def shift(self, token: Token) -> None:
        if token.type == "heading_open":
            level = int(token.tag[1:])
            while self.seen and self.seen[-1] >= level:
                self.seen.pop()
            self.seen.append(level)
            self.open = token
        token.tag = f"h{min(self.section.level + len(self.seen) - 1, 6)}"

    def name(self, text: str) -> None:
        if self.open is not None:
            number = unique(f"s-{slug(text)}", self.section.heading_ids)
            self.open.attrs["id"] = number
            self.section.toc.append(Heading(number, text, int(self.open.tag[1:])))


def encode(words: Words) -> tuple[str, list[Ref | Shown]]:
    """One Markdown text, with a mark for each reference."""
    marks: list[Ref | Shown] = []
    out: list[str] = []
    for part in words:
        if isinstance(part, str):
            out.append(PRIVATE.sub("\ufffd", part))
        else:
            out.append(OPEN + "".join(chr(DIGIT + int(digit)) for digit in str(len(marks))) + CLOSE)
            marks.append(part)
    return "".join(out), marks


def with_addresses(text: str) -> Markup:
    """Plain text in which web addresses are links."""
    parts = ADDRESS.split(text)
    link = Markup('<a href="{0}" rel="noopener nofollow">{0}</a>')
    return Markup("").join(link.format(part) if at % 2 else escape(part) for at, part in enumerate(parts))


def spoken(words: Words) -> Words:
    """Rule words as they are read aloud, with their references."""
    text, marks = encode(words)
    said = read_aloud(text)
    if said == text:
        return words
    parts = MARK.split(said)
    return tuple(marks[number(part)] if at % 2 else part for at, part in enumerate(parts) if at % 2 or part)


def number_of(found: re.Match[str]) -> int:
    return number(found[1])


def number(digits: str) -> int:
    return int("".join(str(ord(letter) - DIGIT) for letter in digits))


def raw(html: Markup) -> Token:
    """HTML of ours. Such tokens are only made here: the parser makes none, since HTML is switched off."""
    return Token("html_inline", "", 0, content=str(html))


def foreign(token: Token) -> None:
    token.attrs["rel"] = "noopener nofollow"
    if not SCHEMES.match(str(token.attrs.get("href", ""))):
        token.attrs["href"] = "#content"


def align_by_class(token: Token) -> None:
    """The policy of the page forbids styles in tags."""
    style = str(token.attrs.pop("style", ""))
    if style:
        token.attrs["class"] = style.replace("text-align:", "to-")
    if token.type == "th_open":
        token.attrs["scope"] = "col"


def without_empty_heads(tokens: Sequence[Token]) -> None:
    """The empty corner of a table heads nothing."""
    for first, inside, last in zip(tokens, tokens[1:], tokens[2:], strict=False):
        if first.type == "th_open" and not inside.content.strip():
            first.tag = last.tag = "td"
            first.attrs.pop("scope", None)


def inline_text(tokens: Sequence[Token]) -> str:
    """The text of inline tokens, without marks of emphasis."""

    def take(token: Token) -> str:
        if token.type in ("softbreak", "hardbreak"):
            return " "
        return inline_text(token.children) if token.children else token.content

    return "".join(take(token) for token in tokens).strip()
