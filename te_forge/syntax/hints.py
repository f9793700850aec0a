"""From a parser's refusal to a plain sentence.

`explain` looks at the line, at the place where the parser stopped and at what it could have taken, and names the slip an author most likely made. The order of
the questions is from the certain to the vague; no token name of the grammar ever reaches a message.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from te_forge.suggest import a, nearest
from te_forge.syntax.grammar import Start, tables
from te_forge.syntax.idioms import COUNTED, FIGURES, IDIOMS, OTHER_SIGNS, SIGNS, SYNONYMS
from te_forge.syntax.lexer import is_keyword
from te_forge.syntax.parser import Stuck, follow, parse


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
    start: Start

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

    def mends(self, better: str) -> bool:
        """Whether the line reads on with `better` in place of the word: to its end, or at least past the word behind it."""
        return reads_past(self.left + better + self.right[len(self.word) :], len(self.left) + len(better), self.start)

    def said(self, code: str, message: str, help: str = "", replace: str | None = None) -> Said:
        return Said(code, message, self.column, self.column + max(len(self.word), 1), help, replace)


SHOWN = {
    "NAME": "a Name", "WORD": "a small word", "INT": "a number", "STRING": '"words"', "SIGNED": "`+1`", "DIE": "`d6`", "POSS": "`'s`",
    "COLON": "a colon", "SEMI": "a semicolon", "COMMA": "a comma", "LPAR": "`(`", "RPAR": "`)`", "PLUS": "`+`", "MINUS": "`-`", "X": "`x`", "SLASH": "`/`",
    "A": "`a`", "IS": "`is`", "GAIN": "`gains`", "LOSE": "`loses`", "PAY": "`pays`", "ROLL": "`rolls`", "KEEP": "`keeps`", "REROLL": "`rerolls`",
    "DRAW": "`draws`", "CHOOSE": "`chooses`", "DIVIDE": "`divides`", "TAKE": "`takes`", "DROP": "`drops`", "SHOW": "`shows`", "PICK": "`picks`",
    "END": "`ends`", "SAY": "`says`", "BECOME": "`becomes`", "HAS": "`has`", "LACKS": "`lacks`", "DIE_W": "`dice`", "$END": "the end of the line",
}  # fmt: skip
PRONOUNS = re.compile(r"(?:his|hers?|their|its|it|they|them|he|she|him|you|your|my|I|who(?:ever)?|what(?:ever)?|any(?:one|body)|some(?:one|body)|every(?:one|body))\b")
STARTERS = "Before|After|Instead|While|If|Otherwise|Until|Once|For|Repeat|Do|The|Each|In|End|Go"
OPENING = re.compile(r"(?:when|before|after|instead|while|if|otherwise|until|in the next|for each|repeat|once|do|end|go|the|each|a|an)\b")
CAPITAL_START = re.compile(rf"(?:^|(?<=: )|(?<=; ))({STARTERS})\b(?!:)")
THEN_NOW = re.compile(
    r"(?:(?<=: )|^)(?:(-?\d+) ?(?:->|=>|→|⇒) ?(-?\d+)|from (-?\d+) to (-?\d+)|(-?\d+),? (?:instead of|rather than|in place of|not|was|formerly) (-?\d+)|(-?\d+) \((?:formerly |before )?(-?\d+)\))$"
)
PROSE_BEHIND = re.compile(r"([^\W\da-z_][\w' -]*?(?: (?:after|before) [^\W\da-z_][\w' -]*?)?): ([^\W\da-z_][\w'’]* [^:\"]*[.!?]):?")
NOTHING_THERE = ("—", "–", "−", "--", "---", "n/a", "n. a.", "na", "none", "/", ".", "...", "…", "no effect")
DASH_FOR_COLON = re.compile(r"([^\W\da-z_][\w'’-]*(?: [^\W\da-z_][\w'’-]*)*) ?[—–-] +(?=\S)")
LABELLED = re.compile(r"(?=[^a-z])([^:]{1,60}?)\s*:\s+(?=\S)")
OPERAND = r"(?:\d+|the [a-z][\w-]*(?:['’]s [\w-]+)*|[^\W\da-z_][\w'’-]*(?: [^\W\da-z_][\w'’-]*)*)"
OPERAND_BEFORE = re.compile(rf"(?<![\w'’-])({OPERAND}) ?$")
OPERAND_BEHIND = re.compile(rf" ?{OPERAND}(?: rounded (?:up|down))?")
SIGNS_OF_SUMS = ("+", "-", "−", "–", "x", "×", "/")
WORDS_OF_ONES_OWN = re.compile(r"(Also Called|Plural|Asks|Replaces|Reads|Why|Other|To|Only With): (\S.*)")
SMALL_NAME = re.compile(r"((?:[A-Z][\w-]*)(?: [A-Z][\w-]*)*) (of|the|and|in|from|to|for) ((?:[A-Z]\w*)(?: [A-Z]\w*)*)")


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


def explain(text: str, start: Start, stuck: Stuck) -> Said:
    """The most likely slip behind a parse error in `text`."""
    stop = Stop(text, min(stuck.column, len(text)), follow(stuck.states), start)
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


def unquoted(s: Stop) -> Said | None:
    """`Why: the blow decides`: the language has some fields for words of one's own."""
    found = WORDS_OF_ONES_OWN.match(s.text)
    if found is None or s.start != "line" or '"' in s.text or (found[1] in ("Other", "To") and (":" in found[2] or OPENING.match(found[2]))):
        return None
    words = ", ".join(f'"{part.strip()}"' for part in found[2].split("," if found[1] == "Also Called" else "\n"))
    return Said("wrong-type", f"`{found[1]}` takes words in quotation marks", found.start(2), len(s.text.rstrip()), f"write `- {found[1]}: {words}`", words)


def odd_label(s: Stop) -> Said | None:
    """`"Sum": ..`, `Sum (total): ..`, `Sum - ..`: a label is words and nothing else."""
    if s.start != "line":
        return None
    if (found := DASH_FOR_COLON.match(s.text)) and s.column <= found.end() and reads_past(f"{found[1]}: {s.text[found.end() :]}", len(found[1]), s.start):
        return Said("label-without-colon", "a label is followed by a colon", 0, found.end(), f"write `{found[1]}: {s.text[found.end() :].rstrip()}`")
    found = LABELLED.match(s.text)
    if found is None or s.column > found.end() or not re.search(r"[^\w\s'’-]|\d|['’]s\b", found[1]):
        return None
    words = re.findall(r"(?<![\w'’])[^\W\d_][\w-]*", re.sub(r"['’]s\b|\([^)]*\)", "", found[1]).replace("/", " "))
    label = " ".join(word[:1].upper() + word[1:] for word in words)
    if not label or not reads_past(f"{label}: {s.text[found.end() :]}", len(label), s.start):
        return None
    return Said("unexpected-word", "a label is made of words, each with a capital, and of nothing else", 0, found.end(1), f"write `{label}`", label)


def was_there(s: Stop) -> Said | None:
    """`3 -> 4`, `4 instead of 3`: a hack says what is there now, and may say what was there."""
    if (found := THEN_NOW.search(s.text)) is not None and s.column <= found.end():
        then, now = next((found[at], found[at + 1]) for at in (1, 3) if found[at]) if found[1] or found[3] else (found[6] or found[8], found[5] or found[7])
        return Said("not-a-rule-word", f"`{found[0]}` is said in other words here", found.start(), found.end(), f"write `{now}`; a hack may add what was there before: `{now} (was {then})`", now)
    return None


def text_of_step(s: Stop) -> Said | None:
    """`Rest after Slip: All lean back.`: prose where a rule is read."""
    found = PROSE_BEHIND.fullmatch(s.text.rstrip())
    if found is None or s.start != "line" or reads_whole(f"{found[1]}: {found[2][:1].lower()}{found[2][1:].rstrip('.!?')}", s.start):
        return None
    help = "prose stands on a line of its own without a dash; in a hack, the text of a step is set in below its label"
    return Said("unexpected-word", f"what stands behind `{found[1]}:` is prose, and here a rule is read", found.start(2), found.end(2), help)


def empty_cell(s: Stop) -> Said | None:
    if s.start == "cell" and s.text.strip().lower() in NOTHING_THERE:
        return Said("strange-sign", "a cell with nothing in it holds a dash", 0, len(s.text), "write `-`", "-")
    return None


def comment(s: Stop) -> Said | None:
    at = s.text.find("<!--")
    if at >= 0:
        return Said("strange-sign", "a comment stands on a line of its own", at, len(s.text), f"put `{s.text[at:].strip()}` on the line above")
    return None


def comma_in_sheet(s: Stop) -> Said | None:
    """`a Smith with Might 3, Wits 2`, as people list things: here a comma would begin another value."""
    found = re.search(r"\ban? [^,:]+ with [^:]+?(,) (?:and )?[^\W\da-z_][\w' -]*$", s.left)
    if found is None or not re.match(r"\d", s.right):
        return None
    return Said("unexpected-word", "what somebody has is joined by `and`, not by commas", found.start(1), found.end(1), f"write `{s.text[: found.start(1)].rpartition(': ')[2]} and {s.text[found.end(1) :].strip().removeprefix('and ')}`")


def unsigned(s: Stop) -> Said | None:
    """`Might 1` or `Might: 1`, where a value is needed: a change has its sign."""
    found = re.search(r"(?:^|: |, )([^\W\da-z_][\w'-]*(?: [^\W\da-z_][\w'-]*)*) ?$", s.left)
    number = re.match(r":? ?(\d+)(?=$|,)", s.right)
    if found is None or number is None or not (s.start == "cell" or re.match(r"[^:]+: ", s.left)):
        return None
    name = found[1]
    return Said("unexpected-word", f"`{s.right[: number.end()]}` does not fit here", s.column, s.column + number.end(), f"a change has its sign: `{name} +{number[1]}`; a price begins with the number: `{number[1]} {name}`")


def capital_start(s: Stop) -> Said | None:
    found = CAPITAL_START.search(s.text)
    if not found or found.start() > s.column or s.text.rstrip().endswith("."):
        return None
    small = found[1].lower()
    rest = s.text[found.end(1) :]
    shown = rest[:40].rstrip() + (" ..." if len(rest) > 40 else "")
    return Said(
        "capital-at-start", "a sentence begins with a small letter; Capitals are for the game's names", found.start(1), found.end(1),
        f"write `{small}{shown}`", small,
    )  # fmt: skip


def no_when(s: Stop) -> Said | None:
    found = re.search(r"(?<![\w-])(when|whenever)(?![\w-])", s.text) or re.search(r"(?:^|(?<=[:;] ))(When|Whenever)(?= )", s.text)
    if found and found.start() <= s.column + 1:
        return Said(
            "no-when", f"`{found[1]}` is not a word of the rules", found.start(), found.end(),
            "write `after` for something that happens (`after gain of Doom:`), `while` for as long as something is true, `if` for a test where this is reached",
        )  # fmt: skip
    return None


def needs_brackets(s: Stop) -> Said | None:
    """`greater of A - 1 and B`, `dice showing above A - 1`: a sum inside of something else stands in brackets."""
    before = OPERAND_BEFORE.search(s.left) if s.word in SIGNS_OF_SUMS and "PLUS" not in s.expected else None
    behind = OPERAND_BEHIND.match(s.right[1:])
    if before is None or behind is None:
        return None
    start, end = before.start(1), s.column + 1 + behind.end()
    better = f"({s.text[start:end]})"
    if not reads_past(s.text[:start] + better + s.text[end:], start + len(better), s.start):
        return None
    return Said("unexpected-word", f"`{s.text[start:end]}` is a sum inside of something else", start, end, f"put it in brackets: `{better}`", better)


def sign(s: Stop) -> Said | None:
    if found := re.match(r"!?[<>=≤≥≠]+", s.right):
        if found[0] == "=" and re.fullmatch(r"[^\W\da-z_][\w'-]*(?: [^\W\da-z_][\w'-]*)* ?", s.left):
            return Said("label-without-colon", "a label is followed by a colon", 0, s.column + 1, f"write `{s.left.rstrip()}:`", f"{s.left.rstrip()}:")
        words = SIGNS.get(found[0], "is not")
        if not re.search(r"\b(?:is|are) $", s.left) and not words.startswith("is"):
            words = f"is {words}"
        return Said("sign-for-words", f"`{found[0]}` is written in words", s.column, s.column + len(found[0]), f"write `{words}`", words)
    return None


def fraction(s: Stop) -> Said | None:
    """`1.5`, `1,5`, `50%`: the language has whole numbers only."""
    before = re.search(r"\d+$", s.left)
    found = re.match(r"[.,]\d+%?|%|[¼½¾]", s.right)
    if before is None or found is None:
        return None
    whole = before[0] + found[0]
    help = f"write `{before[0]}`, or a formula with what it is a part of: `.. x 3 / 2 rounded up`"
    if whole.endswith("%"):
        help = f"write a formula: `.. x {before[0]} / 100 rounded up`; what a hack makes of a number is `{before[0]} percent rounded up`"
    return Said("strange-sign", f"`{whole}` is no whole number, and the rules have no others", before.start(), s.column + len(found[0]), help)


def pronoun(s: Stop) -> Said | None:
    found = PRONOUNS.match(s.right)
    if found and found[0].startswith("every"):
        return s.said("pronoun", f"`{found[0]}` does not say of which kind", "write `each` and a kind, such as `each hero`; of the gm, if there is one, `the gm`")
    if found and s.start == "cell":
        return s.said("pronoun", f"`{found[0]}` does not say who", "write `each` and a kind, or somebody of whom there is only one, such as `the gm`")
    if found:
        return s.said("pronoun", f"`{found[0]}` does not say who", "name the one: `the owner`, a role such as `the actor`, or `each` and a kind")
    return None


def figure(s: Stop) -> Said | None:
    if (number := FIGURES.get(s.word)) and (s.word != "one" or "INT" in s.expected):
        return s.said("number-in-words", "numbers are written in figures", f"write `{number}`", number)
    return None


def idiom(s: Stop) -> Said | None:
    for pattern, better in IDIOMS:
        for found in pattern.finditer(s.text):
            if found.start() <= s.column <= found.end():
                groups = [group or "" for group in found.groups()]
                last = groups[-1] if groups else ""
                said = better.format(*groups, last=last, name=last.title(), short=groups[0].removesuffix("s") if groups else "")
                return Said("not-a-rule-word", f"`{found[0]}` is said in other words here", found.start(), found.end(), said if "`" in said else f"write `{said}`")
    return None


def event(s: Stop) -> Said | None:
    """`after` somebody does something in free words."""
    if re.search(r"\b(?:before|after|instead of) $", s.left):
        if re.match(r"[a-z]", s.word) and not is_keyword(s.word) and s.mends(s.word.title()):
            return s.said("lower-case-name", "an event is called by a name of the game, and those begin with a capital", f"if there is a procedure or step of that name, write `{s.word.title()}`")
        help = "name a procedure, one of its steps, `a roll`, `gain of ..`, `loss of ..` or `reaching 0 of ..`; who it is about comes behind that: `by the owner`"
        return s.said("unexpected-word", "no event begins like this", help)
    return None


def stands_alone(s: Stop) -> Said | None:
    """A kind without its article: `Of: character`, `Roles: character as the hero`."""
    if not re.fullmatch(r"[a-z][\w-]*", s.word) or is_keyword(s.word) or "A" not in s.expected or not re.search(r"^[^:]+: $|, $|^$", s.left):
        return None
    rest = s.right[len(s.word) :]
    better = a(s.word.removesuffix("s") if not s.word.endswith("ss") else s.word)
    if (not rest.strip() or re.match(r",| as the ", rest)) and s.mends(better):
        return s.said("unexpected-word", f"`{s.word}` stands alone", f"a kind has an article: write `{better}`; a name of the game begins with a capital, `{s.word.capitalize()}`, and words of your own stand in quotes, `\"{s.word}\"`")
    return None


def list_item(s: Stop) -> str:
    """More help for a line without a label, which may be no rule at all."""
    return "; an item of a list in prose begins with `*`" if s.start == "line" and ":" not in s.text else ""


def starts_wrong(s: Stop) -> Said | None:
    """A sentence that begins with neither somebody nor a word of the language."""
    at_start = s.left.rstrip()[-1:] in ("", ":", ";")
    following = re.match(r"[\w'’-]+ +([a-z]+)", s.right)
    acts = s.word.endswith(("'s", "’s")) or (following is not None and is_keyword(following[1]))  # then `the` is all that is missing
    if at_start and re.match(r"[a-z]", s.word) and "THE" in s.expected and not is_keyword(s.word) and not acts and (s.start == "line" or re.search(r"[a-z] ", s.text)):
        verb = SYNONYMS.get(s.word + "s") or SYNONYMS.get(s.word)
        help = f"write who does it: `the .. {verb} ..`" if verb else f"say who does it, `the .. gains ..`; if `{s.word}` is somebody, write `the {s.word}`"
        return s.said("not-a-rule-word", f"no rule begins with `{s.word}`", help if verb else help + list_item(s))
    return None


def synonym(s: Stop) -> Said | None:
    word = s.word.lower()
    better = SYNONYMS.get(word)
    if better is None or not (s.mends(better) or ".." in better):
        return None
    return s.said("not-a-rule-word", f"`{s.word}` is not a word of the rules", f"write `{better}`" if better else "leave it out")


def small_words_in_name(s: Stop) -> Said | None:
    for found in SMALL_NAME.finditer(s.text):
        if found[2] in ("of", "the", "for", "from") and found.end(1) + 1 == s.column:
            said = "a name with small words in it goes into double brackets"
            return Said("name-with-small-words", said, found.start(), found.end(), f"write `[[{found[0]}]]`")
    return None


def listed_prose(s: Stop) -> Said | None:
    if not re.match(r"[^\W\da-z_]", s.text) or not s.text.rstrip().endswith((".", "!", "?")) or ":" in s.text:
        return None
    if s.start == "line":
        return Said("list-with-dash", "a line that begins with a dash is a rule", 0, len(s.text), "begin a list in prose with `*`")
    small = (s.text[0].lower() + s.text[1:]).rstrip(" .!?")
    if reads_past(small, len(small), s.start):
        return Said("capital-at-start", "a sentence of a rule begins with a small letter and has no full stop", 0, len(s.text), f"write `{small}`", small)
    return Said("prose-in-cell", "this cell takes a value or a rule, and this reads as prose", 0, len(s.text), "prose of a table stands in a column called `text`")


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


def only_a_name(s: Stop) -> Said | None:
    """A word where nothing but a name can stand."""
    alone = not s.expected & {"WORD", "THE", "A"} or re.search(r"\bend with $", s.left)
    if re.match(r"[a-z]", s.word) and not is_keyword(s.word) and "NAME" in s.expected and alone and s.mends(s.word.title()):
        return s.said("lower-case-name", "only a name can stand here, and those begin with a capital", f"if the game has one of that name, write `{s.word.title()}`")
    return None


def small_label(s: Stop) -> Said | None:
    """A label with small words in it: `Part of:`, `low:`."""
    found = re.match(r"([\w'-]+(?: [\w'-]+){0,3}): ", s.text)
    if s.start != "line" or not found or s.column > found.end():
        return None
    first, label = found[1].partition(" ")[0], " ".join(word[:1].upper() + word[1:] for word in found[1].split())
    if label == found[1] or found[1] == "otherwise" or (is_keyword(first) and " " in found[1] and label not in ("At Least", "At Most")):
        return None
    if not reads_past(label + s.text[found.end(1) :], len(label), s.start):
        return None
    what = "a label begins with a capital" if " " not in label else "each word of a label begins with a capital"
    return Said("lower-case-name", what, 0, found.end(1), f"write `{label}`", label)


def lower_case_name(s: Stop) -> Said | None:
    if not re.match(r"[a-z]", s.right) or "NAME" not in s.expected or not re.search(r"(?:\d+|all|any) $", s.left) or s.word == "x" or is_keyword(s.word):
        return None
    rest = s.right[len(s.word) :].strip()
    if not rest and "$END" in s.expected and COUNTED.fullmatch(s.word):
        return s.said("not-a-rule-word", f"`{s.word}` says nothing here: it is always a number of something", f"leave it out: write `{s.left.split(': ')[-1].rstrip()}`")
    return s.said("lower-case-name", f"`{s.word}` reads as a name of the game, and those begin with a capital", f"write `{s.word.title()}`")


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
    if re.match(r"[a-z]", s.word) and "THE" in s.expected and not is_keyword(s.word) and s.mends(f"the {s.word}"):
        help = f"if it is somebody or something, write `the {s.word}`; a name of the game begins with a capital"
        return s.said("missing-the", f"`{s.word}` is not a word of the rules", help + list_item(s))
    return None


def strange_sign(s: Stop) -> Said | None:
    if s.right and not re.match(r"[\w\s\"':;,+/()-]", s.right):
        sign = s.right[0]
        message = f"`{sign}` (U+{ord(sign):04X}) has no meaning in a rule line"
        if sign in OTHER_SIGNS and s.mends(f" {OTHER_SIGNS[sign]} "):
            return s.said("strange-sign", message, f"write `{OTHER_SIGNS[sign]}`")
        return s.said("strange-sign", message, "leave it out, or put the words into quotation marks")
    return None


def misspelt(s: Stop) -> Said | None:
    """A word that is nearly one that could stand here."""
    if not re.fullmatch(r"[a-z]{3,}", s.word) or is_keyword(s.word):
        return None
    known = [word for name in s.expected for word in spelt(name)]
    near = nearest(s.word, known)
    if near is None and (other := nearest(s.word, SYNONYMS, 0.85)) and s.mends(SYNONYMS[other]):
        near = SYNONYMS[other]
    if near:
        return s.said("unexpected-word", f"`{s.word}` is not a word of the rules", f"did you mean `{near}`?", near if s.mends(near) else None)
    return None


def spelt(terminal: str) -> list[str]:
    """How a word of the language is written: `gain` and `gains`."""
    pattern = tables().patterns.get(terminal, "")
    if not re.fullmatch(r"[a-z|?]+", pattern):
        return []
    return [form for one in pattern.split("|") for form in ([one[:-2], one[:-2] + one[-2]] if one.endswith("?") else [one])]


def vague(s: Stop) -> Said:
    if {"GAIN", "BECOME", "ROLL"} <= s.expected and re.match(r"[a-z]", s.word):
        return s.said("unexpected-word", f"`{s.word}` is nothing that the rules can do", DEEDS)
    return s.said("unexpected-word", f"`{s.word}` does not fit here", f"here could come {listing(s.expected)}" if s.expected else "")


DEEDS = "somebody gains, loses or pays points, takes or drops a trait (a state is one), rolls, chooses, keeps; a number `is`, `becomes`, `is .. more`"


def listing(expected: frozenset[str]) -> str:
    words = sorted({SHOWN.get(name) or f"`{name.lower()}`" for name in expected}, key=lambda w: (w.startswith("`"), w))
    return ", ".join(words[:8]) + (" ..." if len(words) > 8 else "") or "nothing more"


QUESTIONS: tuple[Callable[[Stop], Said | None], ...] = (
    empty_cell, was_there, comment, unclosed_quote, curly_quote, unquoted, odd_label, comma_in_sheet, unsigned, text_of_step, capital_start, no_when, needs_brackets, sign, fraction, idiom, pronoun, figure, small_words_in_name, listed_prose, full_stop, label_colon,
    synonym, small_label, lower_case_name, event, stops_early, missing_colon, only_a_name, misspelt, stands_alone, starts_wrong, missing_the, strange_sign,
)  # fmt: skip
