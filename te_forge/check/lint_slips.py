"""Complaints about prose that was not meant to be printed so: words twice, notes, lost bullets, HTML, links and pictures that are not there."""

from __future__ import annotations

import re
from collections.abc import Iterator
from operator import eq
from urllib.parse import unquote

from te_forge.check.lint_prose import SUGGESTED
from te_forge.check.lint_text import Text
from te_forge.check.lint_view import View
from te_forge.diagnostics import Diagnostic
from te_forge.source import Span
from te_forge.suggest import did_you_mean

DOUBLED = re.compile(r"(?<![\w'’.-])(\w++(?<![\d_]))[ \n]\1(?![\w'’-]|\.\w)")
WELL_DOUBLED = frozenset(
    ("had", "that", "is", "so", "very", "no", "now", "never", "far", "long", "many", "much", "more", "ha", "hush", "there", "bye", "knock", "again")
)
"""Words that somebody may have meant to say twice."""
WORD = re.compile(r"\w+")
LOST_WORD = re.compile(r"(?<=\w) [,.;:!?](?=\s|$)")


def doubled_word(view: View) -> Iterator[Diagnostic]:
    """A word that stands twice in a row."""
    for plain, texts in view.masked.items() if view.english else ():
        words = WORD.findall(plain)
        for found in DOUBLED.finditer(plain) if any(map(eq, words, words[1:])) else ():
            if found[1].casefold() not in WELL_DOUBLED and not found[1].isupper():
                for text in texts:  # two names that are linked look alike where links are hidden
                    if twice := DOUBLED.fullmatch(text.text, *found.span()):
                        yield word_twice(twice[1], text.place(*found.span()))
    for name, span in view.titles() if view.english else ():
        if " " in name and (twice := DOUBLED.search(name)):
            yield word_twice(twice[1], span)


def word_twice(word: str, span: Span) -> Diagnostic:
    return Diagnostic("doubled-word", f"`{word}` stands here twice in a row", span, "warning", "take one of them out")


def lost_word(view: View) -> Iterator[Diagnostic]:
    """A stop with a space before it: most likely the word between them was lost."""
    for text, plain, _ in view.bare if view.english else ():
        for found in LOST_WORD.finditer(plain):
            yield Diagnostic(
                "lost-word",
                f"a space stands before `{found[0][1:]}`",
                text.place(*found.span()),
                "warning",
                "take it out, or put the missing word in",
            )


# ---------------------------------------------------------------- pictures

LINK = re.compile(r"(?<!!)\[[^\[\]\n]+\]\(\s*<?([^)\s>]+)")
CODE = re.compile(r"```.*?(?:```|\Z)|`[^`\n]*`", re.DOTALL)
ADDRESSES = ("https://", "http://", "mailto:")
IMAGE = re.compile(r"!\[[^\[\]\n]*\]\(\s*<?([^)\s>]+)")


def broken_link(view: View) -> Iterator[Diagnostic]:
    """A Markdown link to a place that is no address: the book would print its brackets."""
    for text, plain in with_targets(view):
        for found in LINK.finditer(plain):
            if not found[1].lower().startswith(ADDRESSES):
                yield Diagnostic(
                    "broken-link",
                    f"`{found[1]}` is no address",
                    text.place(found.start(1), found.end(1)),
                    "error",
                    "within the book write `[[Name]]`; an address begins with `https://`",
                )


def image_missing(view: View) -> Iterator[Diagnostic]:
    """A picture that is not in the assets folder."""
    for text, plain in with_targets(view):
        for found in IMAGE.finditer(plain):
            if not unquote(found[1]).removeprefix("./").startswith("assets/"):
                said = f"a book shows only pictures of its pack, and `{found[1]}` is none"
                yield Diagnostic(
                    "image-missing",
                    said,
                    text.place(found.start(1), found.end(1)),
                    "error",
                    "put it into the folder `assets`, and write `assets/` and its name",
                )
    known = asset_paths(view)
    folded = {one.casefold() for one in known}
    absent = ((path, span) for path, span in images(view) if path.casefold() not in folded)
    for at, (path, span) in enumerate(absent):
        near = did_you_mean(path, known) if at < SUGGESTED else ""
        help = "put the picture into the pack's assets folder, or correct the name"
        yield Diagnostic("image-missing", f"there is no picture `{path}`{near}", span, "error", help)


def image_case(view: View) -> Iterator[Diagnostic]:
    """A picture whose name differs in capitals from the file's: it is found on some computers and not on others."""
    known = asset_paths(view)
    by_fold = {path.casefold(): path for path in sorted(known)}
    for path, span in images(view):
        file = by_fold.get(path.casefold())
        if file is not None and path not in known:
            said = f"the picture is called `{file}`, not `{path}`"
            yield Diagnostic("image-case", said, span, "error", f"write `{file}`; capitals count on most computers")


def with_targets(view: View) -> Iterator[tuple[Text, str]]:
    """The texts that have links or pictures of Markdown, without what is code in them."""
    for text in view.texts:
        if "](" in text.text:
            yield text, CODE.sub(lambda found: " " * len(found[0]), text.text)


def images(view: View) -> Iterator[tuple[str, Span]]:
    for text in view.texts:
        for found in IMAGE.finditer(text.text):
            path = unquote(found[1]).removeprefix("./")
            if path.startswith("assets/"):
                yield path, text.place(found.start(1), found.end(1))


def asset_paths(view: View) -> set[str]:
    return {"assets/" + path.replace("\\", "/").removeprefix("assets/") for path in view.assets}


LEFT = ("TODO", "FIXME", "TBD", "orem ipsum", "???")
LEFTOVER = re.compile(r"@?\b(?:TODO|FIXME|TBD)\b[^\n.!?]{0,40}|\b[Ll]orem ipsum\b|\?\?\?+")


def leftover_note(view: View) -> Iterator[Diagnostic]:
    """A note of the author's to themselves, which would be printed."""
    for plain, texts in view.masked.items():
        for found in LEFTOVER.finditer(plain) if any(map(plain.__contains__, LEFT)) else ():
            said = found[0].strip()
            help = "do what it says, or put it into a comment: `<!-- .. -->` is never printed"
            for text in texts:
                yield Diagnostic(
                    "leftover-note",
                    f"`{said}` reads like a note to yourself, and would be printed",
                    text.place(found.start(), found.start() + len(said)),
                    "warning",
                    help,
                )


LOST_BULLET = re.compile(
    r"^(?P<set> *)(?P<mark>[*+-]|\d{1,3}[.)]) [^\n]{1,48}\n(?P<lost>(?![*+|#>-]|\d{1,3}[.)] )[^\s][^\n]{0,48})(?=\n(?P=set)(?:[*+-]|\d{1,3}[.)]) )",
    re.MULTILINE,
)
"""A short line between two items of a list, behind a short item: nobody breaks a line there."""


def lost_bullet(view: View) -> Iterator[Diagnostic]:
    """An item of a list in prose that has no bullet: it would be printed behind the item above it."""
    for text in view.texts:
        for found in LOST_BULLET.finditer(text.text) if "\n" in text.text else ():
            item = f"{'1.' if found['mark'][0].isdecimal() else found['mark']} {found['lost']}"
            yield Diagnostic(
                "lost-bullet", "this stands in a list without a bullet, so it would be printed behind the item above it",
                text.place(found.start("lost"), found.end("lost")), "warning", f"write `{item}`; what goes on with the item above is set in by two spaces",
            )  # fmt: skip


TAG = re.compile(
    r"</?(?:a|b|big|blockquote|br|center|code|del|div|em|font|h[1-6]|hr|i|img|ins|li|mark|ol|p|pre|s|small|span|strike|strong|sub|sup|table|tbody|td|th|thead|tr|u|ul)(?: [a-z-]+ ?=[^<>\n]*| ?/)?>|&(?:nbsp|amp|lt|gt|quot|mdash|ndash|hellip|times|#\d+);",
    re.IGNORECASE,
)
INSTEAD = {
    "b": "`**..**`",
    "strong": "`**..**`",
    "i": "`*..*`",
    "em": "`*..*`",
    "br": "a blank line between paragraphs; in a cell, a full stop",
    "li": "`* ..`",
    "code": "backticks",
}
"""What Markdown has in place of a tag."""


def printed_html(view: View) -> Iterator[Diagnostic]:
    """A tag of HTML in prose: a book prints it as it is typed."""
    for text in view.texts:
        if "<" not in text.text and "&" not in text.text:
            continue
        for found in TAG.finditer(CODE.sub(lambda code: " " * len(code[0]), text.text)):
            name = re.sub(r"\W", " ", found[0]).split()[0].lower()
            entity = found[0].startswith("&")
            help = about_entity(found[0]) if entity else f"write {INSTEAD[name]}" if name in INSTEAD else "leave it out"
            said = f"`{found[0]}` would be printed as it stands, since prose is Markdown without HTML"
            yield Diagnostic("printed-html", said, text.place(found.start(), found.end()), "warning", help)


def about_entity(text: str) -> str:
    from html import unescape  # its list of two thousand signs is long, and few packs have any

    sign = unescape(text)
    return f"type the sign itself, `{sign}`" if sign.strip() else "leave it out"


LINTS = (
    doubled_word,
    lost_word,
    leftover_note,
    lost_bullet,
    printed_html,
    broken_link,
    image_missing,
    image_case,
)
