"""Sentences of the language that are read aloud otherwise than they are written, for the book and for sheets."""

from __future__ import annotations

import re

AGREED = re.compile(r'(?<!\bmay) agree ("[^"]*")')


def read_aloud(text: str) -> str:
    """`may pay 1 Luck, if it is so ("a fact")` for `may pay 1 Luck agree "a fact"`. What somebody may merely agree reads well as it stands."""
    return AGREED.sub(r", if it is so (\1)", text)
