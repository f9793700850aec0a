"""The key under which a name is looked up, and the slug that an id is made of."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

LONGEST_SLUG = 80
PLAIN_WORDS = re.compile(r"[A-Za-z0-9]+(?: [A-Za-z0-9]+)*")
"""What most names are. They are their own keys, and their slugs are made of them at once."""
SPACES, NO_LETTERS = re.compile(r"\s+"), re.compile(r"[\W_]+")


@lru_cache(1 << 16)
def fold(name: str) -> str:
    """The key under which a name is looked up."""
    if PLAIN_WORDS.fullmatch(name):
        return str(name)
    text = unicodedata.normalize("NFC", name).replace("’", "'").replace("ʼ", "'")
    return SPACES.sub(" ", text.strip().removeprefix("[[").removesuffix("]]")).strip()


@lru_cache(1 << 16)
def slug(name: str) -> str:
    """Small letters, digits and hyphens; letters of any script stay letters."""
    if len(name) <= LONGEST_SLUG and PLAIN_WORDS.fullmatch(name):
        return name.lower().replace(" ", "-")
    text = unicodedata.normalize("NFC", name).casefold().replace("’", "").replace("'", "")
    return NO_LETTERS.sub("-", text).strip("-")[:LONGEST_SLUG].strip("-") or "x" + "".join(f"{ord(c):x}" for c in name[:8])
