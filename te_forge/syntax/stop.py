"""Where and why the parser stopped, what it could have taken there, and what is said of it."""

from __future__ import annotations

import re

from te_forge.blanks import Wording
from te_forge.frozen import frozen
from te_forge.syntax.grammar import Start, tables
from te_forge.syntax.parser import Stuck, parse

OPENING = re.compile(r"(?:when|before|after|instead|while|if|otherwise|until|in the next|for each|repeat|once|do|end|go|the|each|a|an)\b")
"""Begins a line that says when or what, and is no label."""
LABEL = re.compile(r"([^\W\da-z_][\w'’-]*(?: [^\W\da-z_][\w'’-]*)*): *")
SENTENCE = re.compile(
    r"\b(?:gains?|loses?|pays?|takes?|drops?|rolls?|chooses?|keeps?|draws?|rerolls?|divides?|says?|is|are|becomes?|will be|may|cannot|do|end with|if|otherwise)\b"
)
"""Tells a rule from a value."""
SHOWN = {
    "NAME": "a Name", "WORD": "a small word", "INT": "a number", "STRING": '"words"', "SIGNED": "`+1`", "DIE": "`d6`", "POSS": "`'s`",
    "COLON": "a colon", "SEMI": "a semicolon", "COMMA": "a comma", "LPAR": "`(`", "RPAR": "`)`", "PLUS": "`+`", "MINUS": "`-`", "X": "`x`", "SLASH": "`/`",
    "A": "`a`", "IS": "`is`", "GAIN": "`gains`", "LOSE": "`loses`", "PAY": "`pays`", "ROLL": "`rolls`", "KEEP": "`keeps`", "REROLL": "`rerolls`",
    "DRAW": "`draws`", "CHOOSE": "`chooses`", "DIVIDE": "`divides`", "TAKE": "`takes`", "DROP": "`drops`", "SHOW": "`shows`", "PICK": "`picks`",
    "END": "`ends`", "SAY": "`says`", "BECOME": "`becomes`", "HAS": "`has`", "LACKS": "`lacks`", "DIE_W": "`dice`", "$END": "the end of the line",
}  # fmt: skip


@frozen
class Said:
    """What to say. Columns count from 0 in the text of the line; `replace` is a certain correction of the stretch. `rather` is said instead where the
    game fills all blanks of its help.
    """

    code: str
    message: str
    column: int
    end: int
    help: str | Wording = ""
    replace: str | None = None
    rather: Said | None = None


@frozen
class Stop:
    """Where and why the parser stopped."""

    text: str
    column: int
    expected: frozenset[str]
    start: Start
    column_name: str = ""
    """Of a cell: what its column is called."""

    @property
    def right(self) -> str:
        return self.text[self.column :]

    @property
    def left(self) -> str:
        return self.text[: self.column]

    @property
    def field(self) -> str:
        """What the value that does not read is the value of, where it can be one."""
        if self.start == "cell":
            return self.column_name
        found = LABEL.match(self.text) if self.start == "line" else None
        return found[1] if found is not None and not SENTENCE.search(self.text, found.end()) else ""

    @property
    def value(self) -> str:
        """What stands behind the label."""
        return self.text.rstrip() if self.start == "cell" else self.text.partition(":")[2].strip()

    @property
    def word(self) -> str:
        found = re.match(r"[\w'’-]+|\S", self.right)
        return found[0] if found else ""

    def mends(self, better: str) -> bool:
        """Whether the line reads on with `better` in place of the word: to its end, or at least past the word behind it."""
        return reads_past(self.left + better + self.right[len(self.word) :], len(self.left) + len(better), self.start)

    def said(self, code: str, message: str, help: str | Wording = "", replace: str | None = None) -> Said:
        return Said(code, message, self.column, self.column + max(len(self.word), 1), help, replace)


def reads_past(text: str, at: int, start: Start) -> bool:
    """Whether `text` reads to its end, or past the word that begins behind `at`."""
    try:
        parse(text.rstrip(), start)
    except Stuck as stuck:
        return bool(text[at:].strip()) and stuck.column > at + len(text[at:]) - len(text[at:].lstrip())
    return True


def reads_whole(text: str, start: Start) -> bool:
    try:
        parse(text, start)
    except Stuck:
        return False
    return True


def spelt(terminal: str) -> list[str]:
    """How a word of the language is written: `gain` and `gains`."""
    pattern = tables().patterns.get(terminal, "")
    if not re.fullmatch(r"[a-z|?]+", pattern):
        return []
    return [form for one in pattern.split("|") for form in ([one[:-2], one[:-2] + one[-2]] if one.endswith("?") else [one])]


def listing(expected: frozenset[str]) -> str:
    words = sorted({SHOWN.get(name) or f"`{name.lower()}`" for name in expected}, key=lambda w: (w.startswith("`"), w))
    return ", ".join(words[:8]) + (" ..." if len(words) > 8 else "") or "nothing more"
