"""Tokens of the language, for Lark.

Two kinds of input reach the parser, and each has its own tokens. A *page* arrives as shaped lines (see `shapes`), one token a line plus INDENT and DEDENT.
A *line, cell or expression* arrives as text and is cut into words here. A word such as `roll` or `end` is a keyword in one place and an author's own word
in another (`the roll`); which of the two it is, the parser's state decides: the keyword wherever the parser could take it, the plain word elsewhere.
The keywords are read off the grammar's terminals, so the grammar file is the only list of them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from lark import Token
from lark.exceptions import UnexpectedCharacters
from lark.lexer import Lexer
from lark.utils import TextSlice

CUT = re.compile(
    r"""(?P<SPACE>[ \t\u00a0]+)
      | (?P<NAME>\[\[[^\]\n]+\]\])
      | (?P<STRING>"[^"\n]*")
      | (?P<DIE>\d*d\d+\b)
      | (?P<INT>\d+(?!\w))
      | (?P<SIGNED>[-+−–]\d+(?!\w))
      | (?P<POSS>['’]s\b)
      | (?P<MARK>[:;,+/()×−–-])
      | (?P<WORD>[^\W\d_][^\W_]*(?:[-'’](?!s\b)[^\W_]+)*)
    """,
    re.VERBOSE,
)
MARKS = {":": "COLON", ";": "SEMI", ",": "COMMA", "+": "PLUS", "/": "SLASH", "(": "LPAR", ")": "RPAR", "×": "X", "-": "MINUS", "−": "MINUS", "–": "MINUS"}


class WordLexer(Lexer):
    """Cuts rule lines into tokens, and hands page tokens through."""

    __future_interface__ = 2

    def __init__(self, lexer_conf: Any) -> None:
        self.patterns = [(t.name, re.compile(t.pattern.to_regexp())) for t in lexer_conf.terminals if t.name not in ("DIE", "POSS")]
        self.known: dict[str, str] = {}

    def keyword(self, word: str) -> str:
        """The keyword terminal that `word` can be, or an empty string."""
        if word not in self.known:
            self.known[word] = next((name for name, pattern in self.patterns if pattern.fullmatch(word)), "")
        return self.known[word]

    def reading(self, word: str, possible: Any) -> str:
        """Keyword where the parser can take it; else a plain word, unless that cannot stand here either (a message then speaks of the keyword)."""
        own = self.keyword(word)
        return own if own and (own in possible or "WORD" not in possible) else "WORD"

    def lex(self, lexer_state: Any, parser_state: Any) -> Iterator[Token]:
        given = lexer_state.text
        if not isinstance(given, TextSlice):
            yield from given
            return
        text = given.text
        states = parser_state.parse_conf.parse_table.states
        position, length = 0, len(text)
        match = CUT.match
        while position < length:
            found = match(text, position)
            if found is None:
                raise UnexpectedCharacters(text, position, 1, position + 1)  # type: ignore[no-untyped-call]
            kind, value, end = found.lastgroup or "", found.group(), found.end()
            if kind == "SPACE":
                position = end
                continue
            if kind == "WORD":
                if value[0].islower():
                    kind = self.reading(value, states[parser_state.position])
                else:
                    kind, end = "NAME", name_end(text, end)
                    value = text[position:end]
            elif kind == "MARK":
                kind = MARKS[value]
            elif kind == "SIGNED" and "SIGNED" not in states[parser_state.position]:
                kind, value, end = ("PLUS" if value[0] == "+" else "MINUS"), value[0], position + 1
            token = Token(kind, value, position, 1, position + 1, 1, end + 1, end)
            lexer_state.last_token = token
            yield token
            position = end

NEXT_NAME = re.compile(r" ((?:[^\W\d_])[^\W_]*(?:[-'’](?!s\b)[^\W_]+)*)")


def name_end(text: str, end: int) -> int:
    """Names go on over single spaces as long as the words begin with a capital (or have no case at all)."""
    while (more := NEXT_NAME.match(text, end)) and not more[1][0].islower():
        end = more.end()
    return end
