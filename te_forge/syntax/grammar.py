"""The parser, made from `grammars/te.lark` and kept between runs.

Making LALR tables takes most of a second, reading them back a few hundredths. They are kept in the user's cache folder under a name that holds the grammar's hash,
and made anew when that file is missing, unreadable or of another version: losing it costs time, never an answer.
"""

from __future__ import annotations

import hashlib
import os
import pickle
import re
import tempfile
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, Literal

import lark
from lark import Lark

from te_forge.resources import folder
from te_forge.syntax.lexer import WordLexer
from te_forge.syntax.tree import Node

Start = Literal["line", "cell", "expr"]
OPTIONS: dict[str, Any] = {
    "parser": "lalr",
    "lexer": WordLexer,
    "start": ["page", "line", "cell", "expr"],
    "tree_class": Node,
    "maybe_placeholders": False,
    "keep_all_tokens": True,
}


def cache_folder() -> Path:
    base = os.environ.get("XDG_CACHE_HOME")
    return (Path(base) if base else Path.home() / ".cache") / "te-forge"


def fresh(text: str) -> Lark:
    return Lark(text, **OPTIONS)


@cache
def parser() -> Lark:
    """The one parser of this process."""
    text = (folder("grammars") / "te.lark").read_text(encoding="utf-8")
    code = Path(__file__).with_name("lexer.py").read_bytes()
    key = hashlib.sha256(text.encode() + code + lark.__version__.encode()).hexdigest()[:20]
    kept = cache_folder() / f"grammar-{key}.bin"
    try:
        if os.name == "posix" and kept.stat().st_uid != os.getuid():  # a pickle is code: only our own
            raise OSError
        with kept.open("rb") as file:
            return Lark.load(file)
    except Exception:  # whatever is wrong with a cache, the answer is to make it anew
        made = fresh(text)
        keep(made, kept)
        return made


@cache
def is_keyword(word: str) -> bool:
    """Whether `word` is one of the language's own, somewhere."""
    return any(re.fullmatch(one.pattern.to_regexp(), word) for one in parser().terminals if one.name not in ("DIE", "POSS"))


def keep(made: Lark, path: Path) -> None:
    """Write the tables beside the name and move them there, so that nobody reads half a file."""
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(dir=path.parent)
        with os.fdopen(handle, "wb") as file:
            made.save(file)
        Path(name).replace(path)
    except (OSError, pickle.PicklingError):
        pass


@lru_cache(maxsize=200_000)
def parse(text: str, start: Start) -> Node:
    """The tree of one line, cell or expression. Equal texts share one tree. Raises lark.UnexpectedInput."""
    return parser().parse(text, start=start)  # type: ignore[return-value]
