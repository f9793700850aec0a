"""The words of people where the language has others, and what the patterns for them are made of."""

from __future__ import annotations

import re

NAME = r"([^\W\da-z_][\w'’-]*(?: [^\W\da-z_][\w'’-]*)*|\[\[[^\]]+\]\])"
THE = r"(the [\w-]+(?:['’]s [\w-]+)?)"
MOVE = r"(gains?|loses?|pays?)"
VERB = "gains?|loses?|pays?|takes?|drops?|rolls?|chooses?|keeps?|draws?|rerolls?|divides?|says?"
VALUE = r"(\d+|the [\w-]+(?:['’]s [\w-]+(?: [^\W\da-z_][\w-]*)*)*|[^\W\da-z_][\w'-]*)"
TURNED = rf"((?:the|each) [\w-]+|{NAME[1:-1]}) (?:is|are|becomes?)(?: now)?(?: an?)? {NAME}"
"""Somebody `becomes` what one carries."""
AT_START = r"(?:^|(?<=[:;] ))"
WHO = r"((?:the|each) [\w-]+)"
ITS = r"(?:(?:its|his|her|their|your|the) )?"
MORE = r"(?:rises|grows|goes up|increases)"
HURT = r"(?:takes?|suffers?|receives?|sustains?|gets?)"
HARM = r"(?:[Dd]amage|[Hh]arm|[Ii]njury|[Ii]njuries)"
COMPARED = r"\b(if|while|until|expect|whose|and|or) ([^:;,\"]+?)"
"""A condition up to what compares its two sides."""
FEWER = r"(?:falls|sinks|drops|goes down|decreases)"

SYNONYMS = {
    "adds": "gains", "gets": "gains", "regains": "gains", "restores": "gains", "acquires": "gains", "obtains": "gains", "collects": "gains", "receives": "gains", "earns": "gains", "heals": "gains", "recovers": "gains", "spends": "pays", "spend": "pay",
    "removes": "loses", "subtracts": "loses", "suffers": "loses", "discards": "drops", "forfeits": "loses", "sacrifices": "pays", "expends": "pays", "every": "each", "equals": "is", "becames": "becomes", "marks": "gains", "selects": "chooses",
    "splits": "divides", "shares": "divides", "throws": "rolls", "must": "", "can": "may", "should": "", "was": "is", "were": "are",
    "when": "after", "whenever": "after", "else": "otherwise", "unless": "if .. is not", "than": "", "greater": "above", "fewer": "less", "over": "above", "under": "below",
    "none": "nothing", "plus": "+", "minus": "-",
}  # fmt: skip
FIGURES = {
    word: str(n) for n, word in enumerate(["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"])
}
COUNT = rf"((?:\d+|{'|'.join(FIGURES)}) )?"
"""An amount in front of a name, or none."""
NUMBER = rf"(\d+|{'|'.join(FIGURES)})"
SIGNS = {
    ">": "above",
    "<": "below",
    ">=": "at least",
    "<=": "at most",
    "≥": "at least",
    "≤": "at most",
    "=": "is",
    "==": "is",
    "!=": "is not",
    "≠": "is not",
}
NO_AMOUNT = (
    *FIGURES, "all", "any", "up", "a", "an", "the", "no", "not", "none", "point", "points", "equal", "extra", "more", "less", "another", "additional", "bonus", "each", "every", "its", "his", "her",
    "their", "your", "my", "some", "half", "double", "twice", "triple", "several", "many", "few", "enough", "that", "this", "these", "those", "back", "only", "of", "from", "both", "temporary", "free", "new",
)  # fmt: skip
"""Words in front of a name that are not what a procedure calls an amount."""
AMOUNT_WORD = rf"(?!(?:{'|'.join(NO_AMOUNT)})\b)([a-z][\w-]*)"
OTHER_SIGNS = {**dict.fromkeys("‐‑‒—―﹣－", "-"), **dict.fromkeys("*·⋅∙•✕✖", "x"), "&": "and", "÷": "/", "＋": "+"}
"""Signs that stand for one that has a meaning."""
COUNTED = re.compile(r"(?:point|level|mark|token|counter|box|step|rank)(?:s|es)?")
"""Words behind a number that say nothing: it is always a number of something."""

CALLED_ROLL = ", with the words of the game: `the roll` is what `rolls .. as the roll` calls the dice"
