"""From a parser's refusal to a plain sentence.

`explain` looks at the line, at the place where the parser stopped and at what it could have taken, and names the slip an author most likely made. The order of
the questions is from the certain to the vague; no token name of the grammar ever reaches a message.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from te_forge.syntax.lexer import is_keyword
from te_forge.syntax.parser import Stuck, follow


@dataclass(frozen=True, slots=True)
class Said:
    """What to say. Columns count from 0 in the text of the line; `replace` is a certain correction of the stretch."""

    code: str
    message: str
    column: int
    end: int
    help: str = ""
    replace: str | None = None


@dataclass(frozen=True, slots=True)
class Stop:
    """Where and why the parser stopped."""

    text: str
    column: int
    expected: frozenset[str]

    @property
    def right(self) -> str:
        return self.text[self.column :]

    @property
    def left(self) -> str:
        return self.text[: self.column]

    @property
    def word(self) -> str:
        found = re.match(r"[\w'’-]+|\S", self.right)
        return found[0] if found else ""

    def said(self, code: str, message: str, help: str = "", replace: str | None = None) -> Said:
        return Said(code, message, self.column, self.column + max(len(self.word), 1), help, replace)


SHOWN = {
    "NAME": "a Name", "WORD": "a small word", "INT": "a number", "STRING": '"words"', "SIGNED": "`+1`", "DIE": "`d6`", "POSS": "`'s`",
    "COLON": "a colon", "SEMI": "a semicolon", "COMMA": "a comma", "LPAR": "`(`", "RPAR": "`)`", "PLUS": "`+`", "MINUS": "`-`", "X": "`x`", "SLASH": "`/`",
    "A": "`a`", "IS": "`is`", "GAIN": "`gains`", "LOSE": "`loses`", "PAY": "`pays`", "ROLL": "`rolls`", "KEEP": "`keeps`", "REROLL": "`rerolls`",
    "DRAW": "`draws`", "CHOOSE": "`chooses`", "DIVIDE": "`divides`", "TAKE": "`takes`", "DROP": "`drops`", "SHOW": "`shows`", "PICK": "`picks`",
    "END": "`ends`", "SAY": "`says`", "BECOME": "`becomes`", "HAS": "`has`", "LACKS": "`lacks`", "DIE_W": "`dice`", "$END": "the end of the line",
}  # fmt: skip
SYNONYMS = {
    "adds": "gains", "gets": "gains", "receives": "gains", "earns": "gains", "heals": "gains", "recovers": "gains", "spends": "pays", "spend": "pay",
    "removes": "loses", "subtracts": "loses", "suffers": "loses", "discards": "drops", "every": "each", "equals": "is", "becames": "becomes", "selects": "chooses",
    "picks up": "takes", "splits": "divides", "shares": "divides", "throws": "rolls", "must": "", "can": "may", "should": "", "was": "is", "were": "are",
    "when": "after", "whenever": "after", "else": "otherwise", "unless": "if .. is not", "than": "", "equal to": "is", "greater": "above", "fewer": "less", "over": "above", "under": "below",
}  # fmt: skip
IDIOMS: tuple[tuple[str, str], ...] = (
    (r"(\d+) or (?:more|higher|better|above|over)\b", "at least {0}"),
    (r"(\d+) or (?:less|fewer|lower|below|under)\b", "at most {0}"),
    (r"(?<=showing )(?:above|over|more than|higher than) (\d+)", "at least {next}"),
    (r"(?<=showing )(?:below|under|less than|lower than) (\d+)", "at most {previous}"),
    (r"\b(?:more|greater|higher|better|larger) than\b", "above"),
    (r"\b(?:less|fewer|lower|worse|smaller) than\b", "below"),
    (r"\b(is|are) (?:raised|increased|improved) by (\S+)", "{0} {1} more"),
    (r"\b(is|are) (?:lowered|reduced|decreased|worsened) by (\S+)", "{0} {1} less"),
    (r"\b(?:rises|grows|goes up|increases) by\b", "is .. more` for a time, `gains .."),
    (r"\b(?:falls|sinks|drops|goes down|decreases) by\b", "is .. less` for a time, `loses .."),
    (r"\b(rerolls?|keeps?|draws?) (the [\w-]+['’]s [\w-]+)", "{0} all of {1}"),
    (r"\b(rerolls?|keeps?|draws?) (?:all|every|each|the) (?:dice|die|cards?)(?: of| in)?", "{0} all of the owner's .."),
    (r"\b(gains?|loses?|pays?) \+(\d+)", "{0} {1}"),
    (r"\b([^\W\d_a-z][\w-]*) (start|least|most)\b", "{0}'s {1}"),
)
"""What people write, and how it is said here: `{0}` is what the first brackets found, `{next}` the number above it, `{previous}` the one below."""
FIGURES = {word: str(n) for n, word in enumerate(["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"])}
SIGNS = {">": "above", "<": "below", ">=": "at least", "<=": "at most", "≥": "at least", "≤": "at most", "=": "is", "==": "is", "!=": "is not", "≠": "is not"}
PRONOUNS = re.compile(r"(?:his|hers?|their|its|it|they|them|he|she|him|you|your|my|I|who(?:ever)?|what(?:ever)?|any(?:one|body)|some(?:one|body)|every(?:one|body))\b")
STARTERS = "When|Before|After|Instead|While|If|Otherwise|Until|Once|For|Repeat|Do|The|Each|In|End|Go"
OPENING = re.compile(r"(?:when|before|after|instead|while|if|otherwise|until|in the next|for each|repeat|once|do|end|go|the|each|a|an)\b")
CAPITAL_START = re.compile(rf"(?:^|(?<=: )|(?<=; ))({STARTERS})\b(?!:)")
SMALL_NAME = re.compile(r"((?:[A-Z][\w-]*)(?: [A-Z][\w-]*)*) (of|the|and|in|from|to|for) ((?:[A-Z]\w*)(?: [A-Z]\w*)*)")


def explain(text: str, stuck: Stuck) -> Said:
    """The most likely slip behind a parse error in `text`."""
    stop = Stop(text, min(stuck.column, len(text)), follow(stuck.states))
    for question in QUESTIONS:
        if said := question(stop):
            return said
    return vague(stop)


def unclosed_quote(s: Stop) -> Said | None:
    if s.text.count('"') % 2:
        at = s.text.rindex('"')
        return Said("unclosed-quote", "this quotation mark is never closed", at, len(s.text), "close it on the same line", None)
    return None


def curly_quote(s: Stop) -> Said | None:
    if found := re.search("[“”„«»]", s.text):
        return Said("curly-quote", "quoted words take straight quotation marks", found.start(), found.end(), 'write "..."', '"')
    return None


def capital_start(s: Stop) -> Said | None:
    found = CAPITAL_START.search(s.text)
    if not found or found.start() > s.column or s.text.rstrip().endswith("."):
        return None
    small = {"When": "after"}.get(found[1], found[1].lower())
    rest = s.text[found.end(1) :]
    shown = rest[:40].rstrip() + (" ..." if len(rest) > 40 else "")
    return Said(
        "capital-at-start", "a sentence begins with a small letter; Capitals are for the game's names", found.start(1), found.end(1),
        f"write `{small}{shown}`", small,
    )  # fmt: skip


def no_when(s: Stop) -> Said | None:
    found = re.search(r"(?<![\w-])(when|whenever)(?![\w-])", s.text)
    if found and found.start() <= s.column + 1:
        return Said(
            "no-when", f"`{found[1]}` is not a word of the rules", found.start(), found.end(),
            "write `after` for something that happens (`after gain of Doom:`), `while` for as long as something is true",
        )  # fmt: skip
    return None


def sign(s: Stop) -> Said | None:
    if found := re.match(r"!?[<>=≤≥≠]+", s.right):
        words = SIGNS.get(found[0], "is not")
        if not re.search(r"\b(?:is|are) $", s.left) and not words.startswith("is"):
            words = f"is {words}"
        return Said("sign-for-words", f"`{found[0]}` is written in words", s.column, s.column + len(found[0]), f"write `{words}`", words)
    return None


def pronoun(s: Stop) -> Said | None:
    if found := PRONOUNS.match(s.right):
        return s.said("pronoun", f"`{found[0]}` does not say who", "name the one: `the owner`, a role such as `the actor`, or `each` and a kind")
    return None


def figure(s: Stop) -> Said | None:
    if (number := FIGURES.get(s.word)) and (s.word != "one" or "INT" in s.expected):
        return s.said("number-in-words", "numbers are written in figures", f"write `{number}`", number)
    return None


def idiom(s: Stop) -> Said | None:
    for pattern, better in IDIOMS:
        for found in re.finditer(pattern, s.text):
            if found.start() <= s.column <= found.end():
                number = int(found[1]) if found.lastindex and found[1].isdecimal() else 0
                said = better.format(*found.groups(), next=number + 1, previous=number - 1)
                return Said("not-a-rule-word", f"`{found[0]}` is said in other words here", found.start(), found.end(), f"write `{said}`")
    return None


def event(s: Stop) -> Said | None:
    """`after` somebody does something in free words."""
    if re.search(r"\b(?:before|after|instead of) $", s.left):
        help = "name a procedure, one of its steps, `a roll`, `gain of ..`, `loss of ..` or `reaching 0 of ..`; who it is about comes behind that: `by the owner`"
        return s.said("unexpected-word", "no event begins like this", help)
    return None


def starts_wrong(s: Stop) -> Said | None:
    """A sentence that begins with neither somebody nor a word of the language."""
    at_start = s.left.rstrip()[-1:] in ("", ":", ";")
    following = re.match(r"[\w'’-]+ +([a-z]+)", s.right)
    acts = s.word.endswith(("'s", "’s")) or (following is not None and is_keyword(following[1]))  # then `the` is all that is missing
    if at_start and re.match(r"[a-z]", s.word) and "THE" in s.expected and not is_keyword(s.word) and not acts:
        verb = SYNONYMS.get(s.word + "s") or SYNONYMS.get(s.word)
        help = f"write who does it: `the .. {verb} ..`" if verb else f"say who does it, `the .. gains ..`; if `{s.word}` is somebody, write `the {s.word}`"
        return s.said("not-a-rule-word", f"no rule begins with `{s.word}`", help)
    return None


def synonym(s: Stop) -> Said | None:
    word = s.word.lower()
    if word not in SYNONYMS:
        return None
    better = SYNONYMS[word]
    return s.said("not-a-rule-word", f"`{s.word}` is not a word of the rules", f"write `{better}`" if better else "leave it out")


def small_words_in_name(s: Stop) -> Said | None:
    for found in SMALL_NAME.finditer(s.text):
        if found[2] in ("of", "the", "for", "from") and found.end(1) + 1 == s.column:
            said = "a name with small words in it goes into double brackets"
            return Said("name-with-small-words", said, found.start(), found.end(), f"write `[[{found[0]}]]`")
    return None


def listed_prose(s: Stop) -> Said | None:
    if re.match(r"[^\W\da-z_]", s.text) and s.text.rstrip().endswith((".", "!", "?")) and ":" not in s.text:
        return Said("list-with-dash", "a line that begins with a dash is a rule", 0, len(s.text), "begin a list in prose with `*`")
    return None


def full_stop(s: Stop) -> Said | None:
    if s.right.strip() == ".":
        return s.said("full-stop", "a rule line has no full stop at its end", "leave it out", "")
    return None


def label_colon(s: Stop) -> Said | None:
    found = re.match(r"([^\W\da-z_][\w'-]*(?: [^\W\da-z_][\w'-]*)*) (?=\d|[a-z])", s.text)
    if not found or ":" in s.text[: found.end() + 1]:
        return None
    rest = s.text[found.end() :]
    if (re.match(r"\d", rest) and s.column <= found.end() + 1) or OPENING.match(rest):
        return Said("label-without-colon", "a label is followed by a colon", 0, found.end(1), f"write `{found[1]}: {rest.rstrip()}`")
    return None


def lower_case_name(s: Stop) -> Said | None:
    if re.match(r"[a-z]", s.right) and "NAME" in s.expected and re.search(r"(?:\d+|all|any) $", s.left) and s.word != "x" and not is_keyword(s.word):
        return s.said("lower-case-name", f"`{s.word}` reads as a name of the game, and those begin with a capital", f"write `{s.word.title()}`")
    return None


def stops_early(s: Stop) -> Said | None:
    if s.right.strip():
        return None
    if "COLON" in s.expected:
        return s.said("unfinished-line", "this line says when, but not what", "end it with a colon, then a sentence or lines set in below it")
    return s.said("unfinished-line", "this line stops too early", f"next could come {listing(s.expected)}")


def missing_colon(s: Stop) -> Said | None:
    if "COLON" in s.expected and OPENING.match(s.right):
        return s.said("missing-colon", f"a colon is missing before `{s.word}`", f"write `{s.left.rstrip()}: {s.right.rstrip()}`")
    return None


def missing_the(s: Stop) -> Said | None:
    if re.match(r"[a-z]", s.word) and "THE" in s.expected and not is_keyword(s.word):
        return s.said("missing-the", f"`{s.word}` is not a word of the rules", f"if it is somebody or something, write `the {s.word}`; a name of the game begins with a capital")
    return None


def strange_sign(s: Stop) -> Said | None:
    if s.right and not re.match(r"[\w\s\"':;,+/()-]", s.right):
        sign = s.right[0]
        return s.said("strange-sign", f"`{sign}` (U+{ord(sign):04X}) has no meaning in a rule line", "leave it out, or put the words into quotation marks")
    return None


def vague(s: Stop) -> Said:
    return s.said("unexpected-word", f"`{s.word}` does not fit here", f"here could come {listing(s.expected)}" if s.expected else "")


def listing(expected: frozenset[str]) -> str:
    words = sorted({SHOWN.get(name) or f"`{name.lower()}`" for name in expected}, key=lambda w: (w.startswith("`"), w))
    return ", ".join(words[:8]) + (" ..." if len(words) > 8 else "") or "nothing more"


QUESTIONS: tuple[Callable[[Stop], Said | None], ...] = (
    unclosed_quote, curly_quote, capital_start, no_when, sign, idiom, pronoun, figure, small_words_in_name, listed_prose, full_stop, label_colon,
    lower_case_name, event, synonym, stops_early, missing_colon, starts_wrong, missing_the, strange_sign,
)  # fmt: skip
