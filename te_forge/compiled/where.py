"""Where something stands in the text of a JSON file."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

from te_forge.source import UNSEEN, Source, Span

Path = tuple[str | int, ...]

SPACE = re.compile(r"[ \t\r\n]*")
DECODER = json.JSONDecoder()
MOST_KNOWN, MOST_STEPS = 100_000, 3_000_000


def pointer(path: Path) -> str:
    """A path as a JSON pointer (RFC 6901), which other tools follow: `/entities/3/name`."""
    return UNSEEN.sub("?", "".join(f"/{str(step)[:80].replace('~', '~0').replace('/', '~1')}" for step in path))


class Where:
    """Finds the place of a path in a file that is known to be JSON. What is in the lists and objects at the top is looked up once, as far as that can
    be kept; in a file of nothing but small change, the place of what a thing stands in has to do.
    """

    def __init__(self, source: Source) -> None:
        self.source = source
        self.known: dict[Path, int] = {(): skip(source.text, 0)}
        self.steps = 0

    def span(self, path: Path) -> Span:
        at = self.offset(path)
        line = self.source.text.count("\n", 0, at) + 1
        column = at - self.source.text.rfind("\n", 0, at)
        return Span(self.source.path, line, column, column + 1)

    def offset(self, path: Path) -> int:
        """Where a path begins, or what it is in, where it is not there itself."""
        if path in self.known:
            return self.known[path]
        above = self.offset(path[:-1])
        for key, at in items(self.source.text, above):
            self.steps += 1
            if len(path) <= 2 and len(self.known) < MOST_KNOWN:
                self.known[(*path[:-1], key)] = at
            if key == path[-1]:
                return at
            if self.steps > MOST_STEPS:
                break
        return above


def skip(text: str, at: int) -> int:
    found = SPACE.match(text, at)
    return found.end() if found is not None else at


def items(text: str, at: int) -> Iterator[tuple[str | int, int]]:
    """The keys or numbers of what is in the object or list that begins at `at`, with their places."""
    if text[at] not in "{[":
        return
    is_object, number = text[at] == "{", 0
    at = skip(text, at + 1)
    while text[at] not in "}]":
        key: str | int = number
        if is_object:
            key, at = DECODER.raw_decode(text, at)
            at = skip(text, skip(text, at) + 1)
        yield key, at
        _, at = DECODER.raw_decode(text, at)
        at = skip(text, at)
        if text[at] == ",":
            at = skip(text, at + 1)
        number += 1
