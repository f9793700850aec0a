"""The syntax tree.

A `Node` is a grammar rule with its children; a leaf is a `Token`, a `str` that knows its `type` and its column. Trees of lines are kept and shared
between equal lines, so they hold columns within their own text only; the `Rule`, `Cell` or heading around them knows the place in the file.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import field
from typing import NamedTuple

from te_forge.frozen import mutable
from te_forge.source import Span


class Token(str):
    """A word of a line: `type` is its terminal in the grammar, `start_pos` and `end_pos` are where it stands in its line's text, from 0."""

    __slots__ = ("start_pos", "type")
    type: str
    start_pos: int
    data = ""
    """As a node has one: children are asked for it without asking first what they are."""

    def __new__(cls, type: str, text: str, start_pos: int = 0) -> Token:
        made = str.__new__(cls, text)
        made.type = type
        made.start_pos = start_pos
        return made

    @property
    def end_pos(self) -> int:
        return self.start_pos + len(self)


class Node:
    """A grammar rule (`data`) and its `children`."""

    __slots__ = ("children", "data", "inner")
    type = ""
    """As a token has one."""

    def __init__(self, data: str, children: list[Node | Token]) -> None:
        self.data = data
        self.children = children
        self.inner: list[Node] | None = None

    def __repr__(self) -> str:
        return f"({self.data} {' '.join(map(repr, self.children))})"

    def tokens(self) -> Iterator[Token]:
        """All tokens below this node, in reading order."""
        for child in self.children:
            if isinstance(child, Node):
                yield from child.tokens()
            else:
                yield child

    def nodes(self) -> list[Node]:
        """The children that are nodes."""
        if self.inner is None:
            self.inner = [child for child in self.children if isinstance(child, Node)]
        return self.inner

    def node(self, *data: str) -> Node | None:
        """The first child that is one of the rules `data`."""
        for child in self.children:
            if child.data in data:
                return child  # type: ignore[return-value]
        return None

    def token(self, *types: str) -> Token | None:
        """The first direct token of one of `types`."""
        for child in self.children:
            if child.type in types:
                return child  # type: ignore[return-value]
        return None

    def its(self, *types: str) -> Token:
        """The token of one of `types` that the grammar always puts there."""
        for child in self.children:
            if child.type in types:
                return child  # type: ignore[return-value]
        raise KeyError(types)

    def part(self, *data: str) -> Node:
        """The child of one of the rules `data` that the grammar always puts there."""
        for child in self.children:
            if child.data in data:
                return child  # type: ignore[return-value]
        raise KeyError(data)

    def all(self, *types: str) -> list[Token]:
        return [child for child in self.children if isinstance(child, Token) and child.type in types]

    def has(self, *types: str) -> bool:
        for child in self.children:  # noqa: SIM110  (asked for every node many times, and a loop is twice as fast)
            if child.type in types:
                return True
        return False

    @property
    def column(self) -> int:
        """Column (from 0, within its line's text) where it begins."""
        first: Node | Token = self
        while isinstance(first, Node):
            first = first.children[0]
        return first.start_pos

    @property
    def end(self) -> int:
        last: Node | Token = self
        while isinstance(last, Node):
            last = last.children[-1]
        return last.end_pos


class Tree(Node):
    """The root of a line, cell or expression: `leaves` are all its tokens in reading order, `label` is the node of a line's label."""

    __slots__ = ("label", "leaves")

    def __init__(self, data: str, children: list[Node | Token], leaves: list[Token]) -> None:
        super().__init__(data, children)
        self.leaves = leaves
        first = children[0]
        self.label = first if isinstance(first, Node) and first.data == "label" else None


@mutable
class Rule:
    """A line after a dash. `tree` is None when it does not parse (then a diagnostic has said so)."""

    text: str
    span: Span
    tree: Tree | None
    rules: list[Rule] = field(default_factory=list)
    prose: list[Prose] = field(default_factory=list)
    """In a patch, the text that a step gets."""


@mutable
class Cell:
    """One cell of a table; `span.column` is where `text` begins."""

    text: str
    span: Span
    tree: Tree | None = None


@mutable
class Table:
    """A table: its head, and the cells of each row."""

    head: list[Cell]
    rows: list[list[Cell]]
    span: Span


@mutable
class Prose:
    """Lines of Markdown with the span of each."""

    lines: list[tuple[str, Span]]


@mutable
class Step:
    """A numbered step of a procedure, with its lines."""

    name: str
    id: str
    prose: str
    prose_span: Span
    cites: tuple[str, ...]
    span: Span
    number: int
    rules: list[Rule] = field(default_factory=list)


class Parts(NamedTuple):
    """What stands below a heading, sorted by what it is."""

    rules: list[Rule]
    steps: list[Step]
    tables: list[Table]


@mutable
class Heading:
    """A heading and all that stands below it up to the next heading.

    `level` 1 is a chapter (`kind` empty). `verb` is set in a patch (`changes`, `deletes`, `renames`).
    """

    level: int
    verb: str
    kind: str
    name: str
    id: str
    cites: tuple[str, ...]
    span: Span
    name_span: Span
    kind_span: Span
    body: list[Rule | Step | Table | Prose] = field(default_factory=list)
    sorted: Parts | None = field(default=None, init=False, repr=False, compare=False)

    @property
    def parts(self) -> Parts:
        """The parts of the body, once the page has been read; every pass asks for them, so they are sorted once."""
        if self.sorted is None:
            self.sorted = Parts([], [], [])
            for part in self.body:
                match part:
                    case Rule():
                        self.sorted.rules.append(part)
                    case Step():
                        self.sorted.steps.append(part)
                    case Table():
                        self.sorted.tables.append(part)
                    case Prose():
                        pass
        return self.sorted


@mutable
class Page:
    """One file. What stands above the first heading is in `preface`."""

    path: str
    preface: list[Rule | Step | Table | Prose]
    headings: list[Heading]
