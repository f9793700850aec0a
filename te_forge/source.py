"""Source texts and places in them.

A `Source` is one file as it was read; a `Span` is a place in it that a diagnostic, the book or `explain` can point at.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple


class Span(NamedTuple):
    """A stretch of one line: `file` is the path as shown to the user, `line` and `column` count from 1, `end` is exclusive."""

    file: str
    line: int
    column: int
    end: int

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}"


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
