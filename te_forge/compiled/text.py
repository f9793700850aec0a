"""Text of a compiled pack: one string, Markdown where the pack's is, in which a mention is a link: `[Nerve](te:my-game:attribute/nerve)`.

A number that a rule has printed is `[2](te-number:ID)`; what it was worked out from stands in `numbers`, in the order of the text. In the words of a
link `&`, `[` and `]` are `&amp;`, `&#91;` and `&#93;`. Text of an author that looks like the end of such a link has `&#40;` for its bracket.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any
from urllib.parse import quote, unquote

from te_forge.model.rules import Expr
from te_forge.model.system import Ref, Shown, Words

LINK = re.compile(r"(\[[^\[\]]*\]\(te(?:-number)?:[^()\s]*\))")
PARTS = re.compile(r"\[([^\[\]]*)\]\(te(-number)?:([^()\s]*)\)")
LOOKS_LIKE_ONE = re.compile(r"\](\(|&(?:amp;)*#40;)te(?=-number:|:)")
WAS_ESCAPED = re.compile(r"\]&((?:amp;)*)#40;te(?=-number:|:)")
SAFE = "".join(chr(code) for code in range(33, 127) if chr(code) not in "%()")


def written(words: Words) -> str:
    return "".join([plain(one) if isinstance(one, str) else link(one) for one in words])


def plain(text: str) -> str:
    return LOOKS_LIKE_ONE.sub(lambda found: "]&#40;te" if found[1] == "(" else f"]&amp;{found[1][1:]}te", text) if "]" in text else text


def link(one: Ref | Shown) -> str:
    label = one.text.replace("&", "&amp;").replace("[", "&#91;").replace("]", "&#93;")
    return f"[{label}](te{'-number' if isinstance(one, Shown) else ''}:{target(one.id)})"


def target(id: str) -> str:
    return (
        id
        if id.isascii() and not re.search(r"[\x00-\x20%()\x7f]", id)
        else "".join(char if ord(char) > 160 and not char.isspace() else quote(char, safe=SAFE) for char in id)
    )


def numbers_of(words: Words) -> list[Expr | None]:
    """What the printed numbers of a text were worked out from."""
    return [one.expr for one in words if isinstance(one, Shown)]


class Reader:
    """Makes words of strings again. Mentions that read the same are one and the same."""

    def __init__(self, number: Callable[[Any], Expr | None]) -> None:
        self.number = number
        self.links: dict[str, Ref | None] = {}
        """Links that have been read; None for a printed number."""
        self.ids: set[str] = set()

    def words(self, text: str, numbers: Sequence[Any]) -> Words:
        """The words of a text that holds a bracket behind another."""
        made: list[str | Ref | Shown] = []
        parts = LINK.split(text)
        links, waiting = self.links, iter(numbers)
        for place, part in enumerate(parts):
            if place % 2 == 0:
                if part:
                    made.append(WAS_ESCAPED.sub(unescaped, part) if "#40;te" in part else part)
                continue
            ref = links[part] if part in links else self.link(part)
            made.append(ref if ref is not None else self.shown(part, next(waiting, None)))
        return tuple(made)

    def link(self, part: str) -> Ref | None:
        label, is_number, id = self.parts(part)
        self.ids.add(id)
        made = self.links[part] = None if is_number else Ref(id, label)
        return made

    def shown(self, part: str, number: Any) -> Shown:
        label, _, id = self.parts(part)
        return Shown(id, label, self.number(number))

    def parts(self, part: str) -> tuple[str, bool, str]:
        found = PARTS.fullmatch(part)
        assert found is not None
        label, is_number, id = found.groups()
        return label.replace("&#91;", "[").replace("&#93;", "]").replace("&amp;", "&"), bool(is_number), unquote(id) if "%" in id else id


def unescaped(found: re.Match[str]) -> str:
    return f"]&{found[1][4:]}#40;te" if found[1] else "](te"
