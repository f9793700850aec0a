"""Source texts and places in them.

A `Source` is one file as it was read; a `Span` is a place in it that a diagnostic, the book or `explain` can point at.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from typing import NamedTuple

UNSEEN = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u00ad\u180e\u200b\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\ufffe\uffff\ud800-\udfff\ue000-\uf8ff\U000f0000-\U0010ffff]"
    "|(?<![\U0001f3f4\U000e0020-\U000e007f])[\U000e0000-\U000e007f]"
)
"""Letters that nobody sees, that turn what follows them round, or that look different in every font: two names that look alike would not be alike.
Joiners and marks of direction without effect on others are not among them, since scripts and emoji need them; the letters of tags make flags."""


class Span(NamedTuple):
    """A stretch of one line: `file` is the path as shown to the user, `line` and `column` count from 1, `end` is exclusive."""

    file: str
    line: int
    column: int
    end: int

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}"


NOWHERE = Span("", 0, 0, 0)
"""The place of what is said about no file."""

spanned: Callable[[tuple[str, int, int, int]], Span] = partial(tuple.__new__, Span)
"""A span of a tuple, in half the time of `Span(..)`. For every line of a book several are made."""


@dataclass(frozen=True)
class Source:
    """One text file. `text` has had its byte-order mark removed and its line ends made `\\n`; `newline` is what the file used."""

    path: str
    text: str
    newline: str = "\n"
    lines: tuple[str, ...] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "lines", tuple(self.text.split("\n")))

    def span(self, line: int, column: int = 1, end: int | None = None) -> Span:
        """The span on `line` from `column` up to `end`, or up to the end of the line."""
        if end is None:
            end = len(self.lines[line - 1]) + 1 if 0 < line <= len(self.lines) else column
        return Span(self.path, line, column, max(end, column))
