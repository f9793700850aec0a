"""Sentences of the language that are read aloud otherwise than they are written, for the book and for sheets.

The language has one way to write a thing, and no article where none is needed. English has articles, and says once what is the same twice. What
somebody says (in double quotes) is left as it is. Reading aloud what was read aloud changes nothing.
"""

from __future__ import annotations

import re

AGREED = re.compile(r'(?<!\bmay) agree ("[^"]*")')

WORDS = r"(?:(?! of | is | and | or | as | whose )[^;:,()])+?"
"""A name, however it is linked, or a few words that belong together."""

ONE = r"(?>\ue000[\ue010-\ue019]+\ue001|[A-Z]\w*(?: [A-Z]\w*)*|[a-z]\w*)"
"""A name or a word, as one; a reference stands between two marks of the private use area (`render.prose`)."""

SAID: tuple[tuple[re.Pattern[str], str], ...] = (
    (re.compile(rf"\b(the {ONE}['’]s {ONE})['’]s ({ONE})(?!['’])"), r"the \2 of \1"),
    (re.compile(rf"(?<!\bthe )\bsum (?!of\b)(?!the\b)({WORDS}) of\b"), r"sum of the \1 of"),
    (re.compile(r"(?<!\bthe )(?<!\ba )(?<![\w'’])(number of|sum of|greater of|lesser of|highest|lowest)(?= )"), r"the \1"),
    (re.compile(rf"\bthe (highest|lowest) (the {WORDS}) of\b"), r"the \1 (\2) of"),
    (re.compile(r"\b(after|before|instead of) (gain|loss) of\b"), r"\1 a \2 of"),
    (re.compile(r"(?<=[\d)]) (?=d\d+\b)"), ""),
    (re.compile(rf"\bis (the {WORDS}) (more|less)(?=[;:,]|$)"), r"is \2 by \1"),
    (re.compile(r"(?:(?<=\bwith )|(?<=, ))the ((?:(?! as )[^;:,()'’])+) as the \1(?=[;:,)]|$)"), r"the \1"),
    (
        re.compile(
            rf"(\bwhose (?:(?! is ).)+ is (?:not )?(?:above |below |at least |at most )?(?:\([^()]*\)|{WORDS})) (?=whose (?!(?:(?! is ).)+ is the (?:high|low)est))"
        ),
        r"\1 and ",
    ),
)
"""What is written, and how it is read: `number of characters` as `the number of characters`; `the dice is the extra more` as `the dice is more by the
extra`; `do Turn with the mover as the mover` as `do Turn with the mover`; `(the pool) d6` as `(the pool)d6`; a second `whose` as `and whose`, unless it
takes the highest or lowest of those that are left; `the mover's Zone's Distance` as `the Distance of the mover's Zone`.
"""


def read_aloud(text: str) -> str:
    """`may pay 1 Luck, if it is so ("a fact")` for `may pay 1 Luck agree "a fact"`. What somebody may merely agree reads well as it stands."""
    parts = AGREED.sub(r", if it is so (\1)", text).split('"')
    for at in range(0, len(parts), 2):
        for written, said in SAID:
            parts[at] = written.sub(said, parts[at])
    return '"'.join(parts)
