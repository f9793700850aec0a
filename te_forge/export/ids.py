"""Ids for tools that want their own: made of ours alone, so that a second export updates what the first one made."""

from __future__ import annotations

import hashlib

LETTERS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"


def hashed(id: str, length: int = 16) -> str:
    """Letters and digits from the hash of an id."""
    number = int.from_bytes(hashlib.sha256(id.encode("utf-8")).digest(), "big")
    out = []
    for _ in range(length):
        number, rest = divmod(number, len(LETTERS))
        out.append(LETTERS[rest])
    return "".join(out)
