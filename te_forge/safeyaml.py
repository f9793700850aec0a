"""A small and safe part of YAML, with the place of every value.

A pack may come from a stranger, so its head is read as plain text, lists and mappings only: no tags (they can name Python objects), no anchors and
aliases (a few lines of them unfold to gigabytes), one document, few levels. Every scalar is text; `no`, `1.0` and `2024-01-01` mean what they say.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import field
from typing import Any

import yaml

from te_forge.diagnostics import Findings
from te_forge.frozen import frozen
from te_forge.source import Source, Span

DEEPEST = 12
LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
EMPTY = frozenset({"", "~", "null", "Null", "NULL"})

Value = str | None | tuple["Value", ...] | dict[str, "Value"]
Path = tuple[str | int, ...]


@frozen
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


@frozen
class Wording:
    """What the file that is read is called, and how to begin one."""

    noun: str = "a pack"
    first: str = "begin with `id: my-game`"
    least: str = "write at least `id`, `title` and `version`"


A_PACK = Wording()


class Refused(Exception):
    """Reading cannot go on. Never leaves this module."""

    def __init__(self, code: str, message: str, line: int, column: int, help: str = "") -> None:
        super().__init__(message)
        self.code, self.line, self.column, self.help = code, line, column, help


def read_head(source: Source, findings: Findings, wording: Wording = A_PACK) -> Head | None:
    """The mapping that `source` holds, or None when it holds none (and `findings` says why)."""
    try:
        return Reader(source, findings, wording).read()
    except Refused as refused:
        code, message, line, column, help = refused.code, str(refused), refused.line, refused.column, refused.help
    except yaml.YAMLError as error:
        code = "bad-yaml"
        message, line, column, help = in_words(error, source)
    line = min(max(line, 1), len(source.lines))
    width = len(source.lines[line - 1])
    findings.add(code, message, source.span(line, min(column, width + 1), width + 1), help=help)
    return None


class Reader:
    """Builds values from the parser's events, which come one at a time: what is refused is never unfolded first."""

    def __init__(self, source: Source, findings: Findings, wording: Wording) -> None:
        self.source, self.findings, self.wording = source, findings, wording
        self.events: Iterator[Any] = iter(yaml.parse(source.text, Loader=LOADER))
        self.head = Head({})

    def read(self) -> Head:
        first = self.next_document()
        if first is None:
            raise Refused("bad-yaml", "this file is empty", 1, 1, self.wording.least)
        found = self.value(next(self.events), (), 0)
        if not isinstance(found, dict):
            raise Refused("bad-yaml", "this file is not a list of `name: value` lines", 1, 1, self.wording.first)
        second = self.next_document()
        if second is not None:
            raise self.refused("yaml-not-allowed", "a second document begins here (`---`)", second, "keep one document in the file")
        self.head.data.update(found)
        return self.head

    def next_document(self) -> Any:
        """The next event that begins a document, or None at the end of the file."""
        for event in self.events:
            if isinstance(event, yaml.DocumentStartEvent):
                return event
        return None

    def refused(self, code: str, message: str, event: Any, help: str = "") -> Refused:
        return Refused(code, message, event.start_mark.line + 1, event.start_mark.column + 1, help)

    def span(self, event: Any) -> Span:
        start, end = event.start_mark, event.end_mark
        until = end.column + 1 if end.line == start.line else None
        return self.source.span(start.line + 1, start.column + 1, until)

    def value(self, event: Any, path: Path, depth: int) -> Value:
        if isinstance(event, yaml.AliasEvent):
            raise self.refused("yaml-not-allowed", f"`*{event.anchor}` repeats another part of the file", event, "write the value out")
        if event.anchor is not None:
            raise self.refused(
                "yaml-not-allowed",
                f"`&{event.anchor}` is an anchor; {self.wording.noun} has none",
                event,
                "take the `&` word out, or put the text in quotes",
            )
        if event.tag is not None:
            raise self.refused(
                "yaml-not-allowed", f"`{event.tag}` is a tag; {self.wording.noun} has none", event, "take the `!` word out, or put the text in quotes"
            )
        if depth > DEEPEST:
            raise self.refused(
                "yaml-not-allowed", f"more than {DEEPEST} levels stand in one another here", event, f"no field of {self.wording.noun} needs so many"
            )
        if isinstance(event, yaml.ScalarEvent):
            self.head.values[path] = self.span(event)
            return None if event.implicit[0] and event.value in EMPTY else event.value
        self.head.values.setdefault(path, self.source.span(event.start_mark.line + 1, event.start_mark.column + 1))
        if isinstance(event, yaml.SequenceStartEvent):
            return self.items(path, depth)
        return self.mapping(path, depth)

    def items(self, path: Path, depth: int) -> tuple[Value, ...]:
        found: list[Value] = []
        while not isinstance(event := next(self.events), yaml.SequenceEndEvent):
            found.append(self.value(event, (*path, len(found)), depth + 1))
        return tuple(found)

    def mapping(self, path: Path, depth: int) -> dict[str, Value]:
        found: dict[str, Value] = {}
        while not isinstance(event := next(self.events), yaml.MappingEndEvent):
            if not isinstance(event, yaml.ScalarEvent):
                raise self.refused("bad-yaml", "a name is expected here, not a list or a mapping", event, "write `name: value`")
            self.value(event, (*path, event.value), depth + 1)
            twice = event.value in found
            at = self.span(event)
            value = self.value(next(self.events), (*path, event.value), depth + 1)
            if twice:
                self.findings.add("yaml-twice", f"`{event.value}` is stated twice", at, help="keep one of them")
                continue
            self.head.keys[(*path, event.value)] = at
            found[event.value] = value
        return found


SAID = (
    (
        "mapping values are not allowed",
        "there is a second colon in this line, or the line is set in too far",
        'put a text with a colon in quotes: `title: "Dusk: a game"`',
    ),
    ("could not find expected ':'", "a colon is missing after the name", "write `name: value`, with a space behind the colon"),
    ("unexpected end of stream", "a quote is opened and never closed", "close it on the same line"),
    ("expected ',' or ']'", "a list is opened with `[` and never closed, or a comma is missing in it", "write `[one, two]`"),
    ("expected ',' or '}'", "a `{` is never closed, or a comma is missing behind it", "put a text with braces in quotes"),
    ("found unknown escape", "a backslash in double quotes begins an escape that does not exist", "use single quotes"),
    ("cannot start any token", "this line begins with a sign that means something else here", "put the text in quotes"),
    (
        "did not find expected key",
        "this line does not stand in line with its neighbours, or text follows a closed quote",
        "set names of one group in equally far",
    ),
    ("did not find expected '-'", "this line belongs to a list but does not begin with `- `", "set the items of a list in equally far"),
    ("special characters are not allowed", "a control character stands in this file", "delete it"),
    ("control characters are not allowed", "a control character stands in this file", "delete it"),
)


BARE_NAME = re.compile(r" *[^\W\d][^:#{}\[\]'\"]*")
"""A line without a colon; what stands below it is then taken for more of the same text."""


def in_words(error: yaml.YAMLError, source: Source) -> tuple[str, int, int, str]:
    """What YAML complains about, said plainly: message, line, column, help."""
    mark = getattr(error, "problem_mark", None) or getattr(error, "context_mark", None)
    if "could not find expected ':'" in f"{getattr(error, 'problem', '')}":  # it is noticed on the line below the one without the colon
        mark = getattr(error, "context_mark", None) or mark
    line, column = (mark.line + 1, mark.column + 1) if mark else control_character(source)
    line = min(max(line, 1), len(source.lines))
    at_fault = source.lines[line - 1]
    above = next((number for number in range(line - 1, 0, -1) if source.lines[number - 1].strip()), 0)
    if (
        "mapping values are not allowed" in f"{getattr(error, 'problem', '')}"
        and above
        and at_fault.count(":") == 1
        and BARE_NAME.fullmatch(source.lines[above - 1])
    ):
        return "a colon is missing after the name", above, 1, "write `name: value`, with a space behind the colon"
    if "\t" in at_fault[: len(at_fault) - len(at_fault.lstrip())]:
        return "a tab sets this line in", line, 1, "set lines in with spaces"
    said = f"{getattr(error, 'problem', '') or getattr(error, 'reason', '') or error}"
    for part, message, help in SAID:
        if part in said:
            return message, line, column, help
    return "this line is not read as YAML", line, column, "write `name: value`, one a line, and lists as lines that begin with `- `"


def control_character(source: Source) -> tuple[int, int]:
    """The place of the first character that YAML cannot carry."""
    for number, line in enumerate(source.lines, 1):
        for column, char in enumerate(line, 1):
            if not char.isprintable() and char != "\t":
                return number, column
    return 1, 1
