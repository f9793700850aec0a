"""The LALR tables of `grammars/te.lark`, made by Lark and kept between runs.

Lark takes most of a second to make them, and its import takes as long as reading a small pack. So what the parser needs of them is kept as JSON in
the user's cache folder, under a name that holds a hash of the grammar and of this file, and Lark is loaded only when that file is missing, harmed or
of another version: losing it costs time, never an answer.
"""

from __future__ import annotations

import json
from functools import cache
from importlib.util import source_hash
from pathlib import Path
from typing import Any, Literal, NamedTuple

from te_forge.cache import Kept
from te_forge.resources import folder

Start = Literal["page", "line", "cell", "expr"]
STARTS: tuple[Start, ...] = ("page", "line", "cell", "expr")
END = "$END"
"""The terminal behind the last one."""
MOST_KEPT, MOST_BYTES = 5, 10_000_000
"""Tables of so many versions of te_forge are kept, the latest ones; a fiftieth of the bytes would do for each."""


class Rule(NamedTuple):
    """A production of `size` parts. `node` is the name of the node it makes: none for a repetition such as `item*`, whose parts go into the node
    around it.

    `inline`: where it has a single part, that one stands for it.
    """

    origin: str
    node: str
    size: int
    inline: bool


class Tables(NamedTuple):
    """`actions[state][terminal]` is the state to go to, or `~number` of the rule to reduce by; `gotos[state][origin]` the state behind a reduced
    rule.

    `patterns` are those of the terminals. `starts` and `ends` are the first and the last state for each start symbol.
    """

    actions: list[dict[str, int]]
    gotos: list[dict[str, int]]
    rules: list[Rule]
    starts: dict[str, int]
    ends: dict[str, int]
    patterns: dict[str, str]


@cache
def tables() -> Tables:
    """The one set of tables of this process."""
    text = (folder("grammars") / "te.lark").read_text(encoding="utf-8")
    key = hashed(text.encode() + Path(__file__).read_bytes())
    kept = Kept("grammar-*.json", key, MOST_BYTES, MOST_KEPT)
    digest, body = kept.read()
    if digest == hashed(key.encode() + body).encode():
        return read(body)
    made = compiled(text)
    body = json.dumps(made).encode()
    kept.write(hashed(key.encode() + body), body)
    return made


def hashed(words: bytes) -> str:
    """A hash that finds what was harmed by accident. Loading hashlib takes longer than reading the tables, and nobody attacks his own cache."""
    return source_hash(words).hex()


def read(body: bytes) -> Tables:
    made = Tables(*json.loads(body))
    return made._replace(rules=[Rule(*rule) for rule in made.rules])


def compiled(text: str) -> Tables:
    """What Lark makes of a grammar, in plain numbers and words."""
    from lark import Lark
    from lark.lexer import Lexer
    from lark.parsers.lalr_analysis import Shift

    class NoLexer(Lexer):
        """Tokens come from `te_forge.syntax.lexer`; this only tells Lark not to make a lexer of its own."""

        def __init__(self, _conf: Any) -> None:
            pass

        def lex(self, _lexer_state: Any, _parser_state: Any) -> Any:
            raise NotImplementedError

    made = Lark(text, parser="lalr", lexer=NoLexer, start=list(STARTS), maybe_placeholders=False, keep_all_tokens=True)
    table: Any = made.parser.parser._parse_table
    names = {state: number for number, state in enumerate(table.states)}
    rules: dict[Any, int] = {}
    out = Tables([{} for _ in names], [{} for _ in names], [], {}, {}, {})
    for state, row in table.states.items():
        for symbol, (action, target) in row.items():
            if action is not Shift:
                out.actions[names[state]][symbol] = ~rules.setdefault(target, len(rules))
            elif symbol.isupper():
                out.actions[names[state]][symbol] = names[target]
            else:
                out.gotos[names[state]][symbol] = names[target]
    for rule in rules:
        origin = rule.origin.name
        out.rules.append(Rule(origin, "" if origin[0] == "_" else rule.alias or origin, len(rule.expansion), rule.options.expand1 and not rule.alias))
    out.starts.update((start, names[table.start_states[start]]) for start in STARTS)
    out.ends.update((start, names[table.end_states[start]]) for start in STARTS)
    out.patterns.update((terminal.name, terminal.pattern.to_regexp()) for terminal in made.terminals)
    return out
