"""Letters that nobody sees, in a file that may come from anybody: what is printed of it goes to terminals and pages."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from te_forge.source import UNSEEN

SEEN = bytes([10, *range(32, 127)])
PERHAPS = re.compile(rb"[\x00-\x08\x0b-\x1f\x7f\xee\xf3\xf4]|\xc2[\x80-\x9f\xad]|\xe1\xa0\x8e|\xe2(?:\x80[\x8b\xa8-\xae]|\x81[\xa0-\xaf])|\xef(?:[\x80-\xa3\xbb]|\xbf[\xb9-\xbf])")
"""The beginnings of such letters in UTF-8, and of some that are seen."""


def perhaps(raw: bytes) -> bool:
    """Whether such a letter could be in a file, by a quick look at its bytes; JSON may also write one by its number."""
    return b"\\u" in raw or PERHAPS.search(raw.translate(None, SEEN)) is not None


def found(value: Any, path: tuple[str | int, ...] = ()) -> Iterator[tuple[tuple[str | int, ...], str]]:
    """Every text in a document with such a letter, with the letter."""
    todo = [(path, value)]
    while todo:
        path, value = todo.pop()
        if isinstance(value, str) and (hit := UNSEEN.search(value)):
            yield path, hit[0]
        elif isinstance(value, list):
            todo += [((*path, number), one) for number, one in enumerate(value)]
        elif isinstance(value, dict):
            for key, one in value.items():
                if hit := UNSEEN.search(key):
                    yield path, hit[0]
                todo.append(((*path, key), one))
