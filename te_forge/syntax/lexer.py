"""Words of a rule line, cell or expression, with what each can be.

Most kinds are terminals of the grammar; of two sorts of words, only the parser's state can tell which terminal they are. A word such as `roll` or
`end` is a keyword in one place and an author's own word in another (`the roll`): its kind is the keyword's name in small letters, `roll` for ROLL or
WORD. `+1` is one value or a sign and a number: its kind is `PLUS INT`, for SIGNED or these two. The keywords are read off the grammar's terminals, so
the grammar file is the only list of them.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache

from te_forge.syntax.grammar import tables

BLANK = " \t\u00a0"
KINDS = r"""
        (?P<WORD>(?!d\d+(?![^\W_]))[^\W\d_][^\W_]*+(?:[-'’](?!s\b)[^\W_]++)*+)
      | (?P<SIGNED>[-+−–]\d+(?!\w))
      | (?P<MARK>[:;,+/()×−–-])
      | (?P<INT>\d+(?!\w))
      | (?P<DIE>\d*d\d+(?![^\W_]))
      | (?P<POSS>['’]s\b)
      | (?P<STRING>"[^"\n]*")
      | (?P<NAME>\[\[[^\]\n]+\]\])
"""
KIND = re.compile(KINDS, re.VERBOSE)
PIECE = re.compile(rf"[{BLANK}]*(?:{re.sub('[?]P<[A-Z]+>', '?:', KINDS)} | .+)", re.VERBOSE | re.DOTALL)
"""A word with the blanks before it; where no word can be cut, all the rest. It has no groups, so that one call of `findall` cuts a whole line."""
MARKS = {
    ":": "COLON",
    ";": "SEMI",
    ",": "COMMA",
    "+": "PLUS",
    "/": "SLASH",
    "(": "LPAR",
    ")": "RPAR",
    "×": "X",
    "-": "MINUS",
    "−": "MINUS",
    "–": "MINUS",
}
STRANGE = "STRANGE"
"""The kind of what is no word at all. No line can go on with it."""

Cut = tuple[list[str], list[str], list[int]]
"""The kind of each word, the word, and where it begins."""


def cut(text: str) -> Cut:
    kinds: list[str] = []
    words: list[str] = []
    starts: list[int] = []
    at = 0
    titled = False
    for piece in PIECE.findall(text.rstrip(BLANK)):
        kind, word = kind_of(piece)
        if kind == "TITLE":
            if titled and piece[0] == " " and len(piece) == len(word) + 1:  # a name goes on over single spaces
                words[-1] += piece
                at += len(piece)
                continue
            kind = "NAME"
            titled = True
        else:
            titled = False
        kinds.append(kind)
        words.append(word)
        at += len(piece)
        starts.append(at - len(word))
    return kinds, words, starts


@lru_cache(maxsize=1 << 16)
def kind_of(piece: str) -> tuple[str, str]:
    """The kind of a piece (TITLE for one capitalised word of a name), and the piece without blanks."""
    word = piece.lstrip(BLANK)
    found = KIND.fullmatch(word)
    kind = found.lastgroup if found else None
    if kind == "MARK":
        return MARKS[word], word
    if kind == "SIGNED":
        return f"{MARKS[word[0]]} INT", word
    if kind == "WORD":
        return keyword(word).lower() or "WORD" if word[0].islower() else "TITLE", word
    return kind or STRANGE, word


def keyword(word: str) -> str:
    """The keyword terminal that `word` can be, or an empty string."""
    plain, others = keywords()
    if word in plain:
        return plain[word]
    found = others.fullmatch(word)
    return found.lastgroup or "" if found else ""


def is_keyword(word: str) -> bool:
    """Whether `word` is one of the language's own, somewhere."""
    return keyword(word) != ""


@cache
def keywords() -> tuple[dict[str, str], re.Pattern[str]]:
    """The keywords that are written in one way, by how they are written; and a pattern of all others."""
    words = {name: pattern for name, pattern in tables().patterns.items() if name not in ("DIE", "POSS")}
    plain = {pattern: name for name, pattern in words.items() if pattern.isalpha()}
    return plain, re.compile("|".join(f"(?P<{name}>{pattern})" for name, pattern in words.items() if not pattern.isalpha()))
