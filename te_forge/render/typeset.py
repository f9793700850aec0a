"""What a book does with the letters that its author typed: the signs of numbers; and if it is in English, curly quotation marks. Names and titles
keep the capitals that they were given: a reader who looks for a name finds it as the rules call it.
"""

from __future__ import annotations

import re

TAG = re.compile(r"(<[^>]*>)")
QUOTE = re.compile(r"&#39;|&#34;|&quot;|['\"]")
SINGLE = ("'", "&#39;")
OPENING = frozenset("([{—–/“‘")
"""A mark behind one of these, or behind a space, begins a quotation; any other ends one or is an apostrophe."""
LITERAL = frozenset(["pre", "code"])
INLINE = frozenset(["a", "b", "i", "em", "strong", "span", "cite", "sup", "sub", "small"])
"""Tags in the middle of a line; at any other a new line begins."""


def curled(text: str, before: str = "") -> str:
    """`text` with curly quotation marks; `before` is the character in front of it."""
    out = ""
    at = 0
    for found in QUOTE.finditer(text):
        out += text[at : found.start()]
        last = out[-1:] or before
        opens = not last or last.isspace() or last in OPENING
        out += ("‘" if opens else "’") if found[0] in SINGLE else ("“" if opens else "”")
        at = found.end()
    return out + text[at:]


def curled_html(html: str) -> str:
    """HTML of ours with curly quotation marks in its text. Every attribute stands in double quotes and every sign of HTML in a text is escaped."""
    out: list[str] = []
    before, literal = "", 0
    for part in TAG.split(html):
        if part.startswith("<"):
            name = part.strip("</>").split(" ", 1)[0]
            if name in LITERAL:
                literal += -1 if part.startswith("</") else 1
            before = before if name in INLINE or name in LITERAL else ""
        elif part:
            part = part if literal else curled(part, before)
            before = part[-1]
        out.append(part)
    return "".join(out)


SIGNS = (
    (re.compile(r"(?:^|(?<=[\s(\[:,;–]))-(?=\d)"), "\u2212"),
    (re.compile(r"(?:^|(?<=\S)) - (?=\S|$)"), " \u2212 "),
    (re.compile(r"(?:^|(?<=[\w)])) x (?=[\w(]|$)"), " \u00d7 "),
)
"""What is typed for a minus and for times, and what is printed."""


def signed(text: str) -> str:
    """Words of a rule, with the signs that a printer has for minus and times; what somebody says stays as it was written."""
    parts = text.split('"')
    for at in range(0, len(parts), 2):
        for typed, sign in SIGNS:
            parts[at] = typed.sub(sign, parts[at])
    return '"'.join(parts)


def is_english(language: str) -> bool:
    return language.split("-")[0] == "en"
