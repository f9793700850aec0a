"""Heads of packs: mappings in a small and safe part of YAML, with the place of every value.

Loading a YAML library takes longer than reading the head of a pack. So what nearly every head is written in is read here, exactly as the library would: lines of
`name: value`, lists, quotes without escapes, and texts folded with `>-`. Of all else nothing is said here; `te_forge.safeyaml.full` sees to that.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from itertools import takewhile
from typing import NamedTuple

from te_forge.diagnostics import Findings
from te_forge.source import Source, Span

EMPTY = frozenset({"", "~", "null", "Null", "NULL"})
DEEPEST = 12

Value = str | None | tuple["Value", ...] | dict[str, "Value"]
Path = tuple[str | int, ...]

NAME = re.compile(r"([A-Za-z][A-Za-z0-9_-]{0,59}):(?: (?=\S)(.+))?")
TEXT = re.compile(r"[^\W_](?:(?!: | #).)*(?<!:)")
QUOTED = re.compile(r"\"[^\"\\]*\"|'[^']*'")
FOLDED = ">-"


@dataclass(frozen=True)
class Head:
    """A mapping as it was read. `values` and `keys` say where the value and the key of each path stand."""

    data: dict[str, Value]
    values: dict[Path, Span] = field(default_factory=dict)
    keys: dict[Path, Span] = field(default_factory=dict)

    def place(self, path: Path, name: bool = False) -> Span | None:
        """Where the value of `path` stands (or its `name`), or the nearest thing around it."""
        for length in range(len(path), 0, -1):
            for known in (self.keys, self.values) if name else (self.values, self.keys):
                if span := known.get(path[:length]):
                    return span
        return None


class Wording(NamedTuple):
    """What the file that is read is called, and how to begin one."""

    noun: str = "a pack"
    first: str = "begin with `id: my-game`"
    least: str = "write at least `id`, `title` and `version`"


A_PACK = Wording()


def read_head(source: Source, findings: Findings, wording: Wording = A_PACK) -> Head | None:
    """The mapping that `source` holds, or None when it holds none (and `findings` says why)."""
    head = plain_head(source)
    if head is not None:
        return head
    from te_forge.safeyaml.full import full_head

    return full_head(source, findings, wording)


class NotPlain(Exception):
    """Only the library can tell what this is. Never leaves this module."""


def plain_head(source: Source) -> Head | None:
    """The mapping that `source` holds, or None where it is not written plainly."""
    try:
        return Reader(source).read()
    except NotPlain:
        return None


class Reader:
    def __init__(self, source: Source) -> None:
        self.source, self.head = source, Head({})
        self.lines = source.text.split("\n")
        self.at = 0

    def read(self) -> Head:
        if any(not line.isprintable() or line.endswith(" ") for line in self.lines) or self.indent() != 0:
            raise NotPlain
        self.head.values[()] = self.source.span(self.at + 1, 1)
        self.head.data.update(self.mapping(0, ()))
        return self.head

    def indent(self) -> int:
        """How far the next line is set in that says something; -1 at the end."""
        while self.at < len(self.lines) and self.lines[self.at].lstrip(" ")[:1] in ("", "#"):
            self.at += 1
        return indent_of(self.lines[self.at]) if self.at < len(self.lines) else -1

    def mapping(self, indent: int, path: Path) -> dict[str, Value]:
        if len(path) >= DEEPEST:
            raise NotPlain
        found: dict[str, Value] = {}
        while self.indent() == indent:
            line = self.lines[self.at][indent:]
            match = NAME.fullmatch(line)
            if match is None or match[1] in found:
                raise NotPlain
            inner = (*path, match[1])
            self.head.keys[inner] = self.head.values[inner] = self.source.span(self.at + 1, indent + 1, indent + 1 + len(match[1]))
            self.at += 1
            found[match[1]] = self.text(match[2], indent + match.start(2), inner, indent) if match[2] else self.below(indent, inner)
        if self.indent() > indent:
            raise NotPlain
        return found

    def below(self, indent: int, path: Path) -> Value:
        """The list or mapping that is set in below a name."""
        inner = self.indent()
        if inner <= indent:
            raise NotPlain
        return self.items(inner, path) if self.lines[self.at].startswith("- ", inner) else self.mapping(inner, path)

    def items(self, indent: int, path: Path) -> tuple[Value, ...]:
        found: list[Value] = []
        while self.indent() == indent:
            line = self.lines[self.at]
            inner = (*path, len(found))
            if not line.startswith("- ", indent):
                raise NotPlain
            if NAME.fullmatch(line, indent + 2):
                self.head.values[inner] = self.source.span(self.at + 1, indent + 3)
                self.lines[self.at] = f"{' ' * (indent + 2)}{line[indent + 2 :]}"
                found.append(self.mapping(indent + 2, inner))
            else:
                self.at += 1
                found.append(self.text(line[indent + 2 :], indent + 2, inner, indent))
        if self.indent() > indent:
            raise NotPlain
        return tuple(found)

    def text(self, written: str, column: int, path: Path, indent: int) -> str:
        """A text that begins at `column` of the line before."""
        if written == FOLDED:
            self.head.values[path] = self.source.span(self.at, column + 1)
            return self.folded(indent)
        self.head.values[path] = self.source.span(self.at, column + 1, column + 1 + len(written))
        if QUOTED.fullmatch(written):
            return written[1:-1]
        if TEXT.fullmatch(written) and written not in EMPTY:
            return written
        raise NotPlain

    def folded(self, indent: int) -> str:
        lines = list(takewhile(lambda line: indent_of(line) > indent, self.lines[self.at :]))
        self.at += len(lines)
        if len({indent_of(line) for line in lines}) != 1 or (self.lines[self.at : self.at + 1] == [""] and any(self.lines[self.at :])):
            raise NotPlain
        return " ".join(line.lstrip(" ") for line in lines)


def indent_of(line: str) -> int:
    return len(line) - len(line.lstrip(" "))
