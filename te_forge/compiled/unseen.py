"""Letters that nobody sees, in a file that may come from anybody: what is printed of it goes to terminals and pages."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from te_forge.source import UNSEEN

SEEN = bytes([10, *range(32, 127)])
PERHAPS = re.compile(
    rb"[\x00-\x08\x0b-\x1f\x7f\xee\xf3\xf4]|\xc2[\x80-\x9f\xad]|\xe1\xa0\x8e|\xe2(?:\x80[\x8b\xa8-\xae]|\x81[\xa0-\xaf])|\xef(?:[\x80-\xa3\xbb]|\xbf[\xb9-\xbf])"
)
"""The beginnings of such letters in UTF-8, and of some that are seen."""


def perhaps(raw: bytes) -> bool:
    """Whether such a letter could be in a file, by a quick look at its bytes; JSON may also write one by its number."""
    return b"\\u" in raw or PERHAPS.search(raw.translate(None, SEEN)) is not None


def found(document: dict[str, Any]) -> Iterator[tuple[tuple[str | int, ...], str]]:
    """Every text in a document with such a letter, with the letter. Only what holds something is gone into, so that a file of nothing but numbers
    costs nothing.
    """
    todo: list[tuple[tuple[str | int, ...], Any]] = [((), document)]
    while todo:
        path, value = todo.pop()
        for key, one in value.items() if isinstance(value, dict) else enumerate(value):
            if isinstance(key, str) and (hit := UNSEEN.search(key)):
                yield path, hit[0]
            if isinstance(one, str) and (hit := UNSEEN.search(one)):
                yield (*path, key), hit[0]
            elif one and isinstance(one, list | dict):
                todo.append(((*path, key), one))
