"""Slips with signs: quotation marks, colons, commas, brackets, and signs that mean nothing."""

from __future__ import annotations

import re
from html import unescape

from te_forge.syntax.stop import OPENING, Said, Stop, reads_past, reads_whole
from te_forge.syntax.vocabulary import OTHER_SIGNS, SIGNS

DASH_FOR_COLON = re.compile(r"([^\W\da-z_][\w'’-]*(?: [^\W\da-z_][\w'’-]*)*) ?[—–-] +(?=\S)")
THEN_NOW = re.compile(
    r"(?:(?<=: )|^)(?:(-?\d+) ?(?:->|=>|→|⇒) ?(-?\d+)|from (-?\d+) to (-?\d+)|(-?\d+),? (?:instead of|rather than|in place of|not|was|formerly) (-?\d+)|(-?\d+) \((?:formerly |before |not )?(-?\d+)\)|(?:was|formerly) (-?\d+),? (?:and )?(?:is )?now (-?\d+))$"
)
NOTHING_THERE = ("—", "–", "−", "--", "---", "n/a", "n. a.", "na", "none", "/", ".", "...", "…", "no effect", "nothing", "nothing happens")
LABELLED = re.compile(r"(?=[^a-z])([^:]{1,60}?)\s*:\s+(?=\S)")
CASE = re.compile(r"\d+ ?(?:\+|[-–—]|to |or |\.\.)[^:]*:")
"""`7-9: ..`, as the results of a roll are listed."""
OPERAND = r"(?:\d+|the [a-z][\w-]*(?:['’]s [\w-]+)*|[^\W\da-z_][\w'’-]*(?: [^\W\da-z_][\w'’-]*)*)"
OPERAND_BEFORE = re.compile(rf"(?<![\w'’-])({OPERAND}) ?$")
OPERAND_BEHIND = re.compile(rf" ?{OPERAND}(?: rounded (?:up|down))?")
SIGNS_OF_SUMS = ("+", "-", "−", "–", "x", "×", "/")
OF_EVENT = re.compile(r"\b(?:after|before|instead of) [^\W\da-z_][\w' -]* $")
"""An event, behind which its outcome would stand."""
CURLY = re.compile("[“”„«»]")
QUOTED = re.compile(r"[“”„«»\"]([^“”„«»\"]*)[“”„«»\"]")
SINGLE = re.compile(r"[‘‚‹'´](.+?)[’‘›'´](?![\w])")
MARKUP = re.compile(
    r'"[^"]*"|(?P<broken> *<br ?/?> *)|</?[A-Za-z][^<>]*>|(?P<entity>&(?:[a-z]+|#\d+);)|\[(?P<link>[^\[\]]+)\]\([^()]*\)|\{(?P<brace>[^{}]*)\}|`(?P<code>[^`]*)`'
)
"""Marks of HTML and Markdown; words in quotation marks may have any of them."""
BETWEEN = ("; ", ", ", " ")
"""What stands between two things of one line: sentences, values, words."""
WORDS_OF_ONES_OWN = re.compile(r"(Also Called|Plural|Asks|Replaces|Reads|Why|Other|To|Only With): (\S.*)")


def odd_label(s: Stop) -> Said | None:
    """`"Sum": ..`, `Sum (total): ..`, `Sum - ..`: a label is words and nothing else."""
    if s.start != "line" or CASE.match(s.text):
        return None
    if (
        (found := DASH_FOR_COLON.match(s.text))
        and s.column <= found.end()
        and reads_past(f"{found[1]}: {s.text[found.end() :]}", len(found[1]), s.start)
    ):
        return Said("label-without-colon", "a label is followed by a colon", 0, found.end(), f"write `{found[1]}: {s.text[found.end() :].rstrip()}`")
    found = LABELLED.match(s.text)
    if found is None or s.column > found.end() or "<" in found[1] or not re.search(r"[^\w\s'’-]|\d|['’]s\b", found[1]):
        return None
    if (inside := [part.strip() for part in found[1].split(".")]) and len(inside) > 1 and all(part[:1].isupper() for part in inside):
        help = (
            f"write `- {inside[0]}:`, and set in below it `- {inside[-1]}: ..`"
            if len(inside) == 2
            else f"write `- {inside[0]}:`, and each of the others on a line of its own, set in below"
        )
        return Said("unexpected-word", "a line inside of another, or of a step, stands below the label of that", 0, found.end(1), help)
    words = re.findall(r"(?<![\w'’])[^\W\d_][\w-]*", re.sub(r"['’]s\b|\([^)]*\)", "", found[1]).replace("/", " "))
    label = " ".join(word[:1].upper() + word[1:] for word in words)
    if not label or not reads_past(f"{label}: {s.text[found.end() :]}", len(label), s.start):
        return None
    return Said("unexpected-word", "a label is made of words, each with a capital, and of nothing else", 0, found.end(1), f"write `{label}`", label)


def was_there(s: Stop) -> Said | None:
    """`3 -> 4`, `4 instead of 3`: a hack says what is there now, and may say what was there."""
    if (found := THEN_NOW.search(s.text)) is not None and s.column <= found.end():
        numbers = [group for group in found.groups() if group]
        then, now = numbers if found[1] or found[3] or found[9] else reversed(numbers)
        return Said(
            "not-a-rule-word",
            f"`{found[0]}` is said in other words here",
            found.start(),
            found.end(),
            f"write `{now}`; a hack may add what was there before: `{now} (was {then})`",
            now,
        )
    return None


def empty_cell(s: Stop) -> Said | None:
    if s.start == "cell" and s.text.strip().lower() in NOTHING_THERE:
        return Said("strange-sign", "a cell with nothing in it holds a dash", 0, len(s.text), "write `-`", "-")
    return None


def comment(s: Stop) -> Said | None:
    found = re.search(r"<!--.*?(?:-->|$)", s.text)
    if found is not None:
        return Said(
            "strange-sign", "a comment stands on a line of its own", found.start(), found.end(), f"put `{found[0].strip()}` on the line above"
        )
    return None


def markup(s: Stop) -> Said | None:
    """HTML, links and code: `the hero gains <b>1</b> Luck`, `after [Test](#test)`."""
    marks = [found for found in MARKUP.finditer(s.text) if not found[0].startswith('"')]
    if not marks or s.start == "expr":
        return None
    plain = next((one for between in BETWEEN if reads_whole(one := unmarked(s.text, between), s.start)), unmarked(s.text, BETWEEN[0]))
    said = "HTML" if marks[0][0].startswith(("<", " ", "&")) else "links, braces or code"
    return Said("strange-sign", f"a rule has no {said} in it", marks[0].start(), marks[-1].end(), f"write `{plain}`")


def unmarked(text: str, between: str) -> str:
    """The words alone; `between` stands where a line was broken."""
    return MARKUP.sub(lambda found: words_of(found, between), text).strip().removesuffix(between.rstrip())


def words_of(found: re.Match[str], between: str) -> str:
    if found[0].startswith('"'):
        return found[0]
    if found["broken"] is not None:
        return between
    if found["entity"] is not None:
        return {"&amp;": "and"}.get(found[0], unescape(found[0]).replace("\u00a0", " "))
    return found["link"] or found["brace"] or found["code"] or ""


def unclosed_quote(s: Stop) -> Said | None:
    if s.text.count('"') % 2 and not CURLY.search(s.text):
        at = s.text.rindex('"')
        return Said("unclosed-quote", "this quotation mark is never closed", at, len(s.text), "close it on the same line", None)
    return None


def curly_quote(s: Stop) -> Said | None:
    said = "quoted words take straight double quotation marks"
    quoted = [found for found in QUOTED.finditer(s.text) if CURLY.search(found[0])]
    single = SINGLE.match(s.right)
    if single is not None:
        better = f'"{single[1].strip()}"'
        return Said("curly-quote", said, s.column, s.column + single.end(), f"write `{better}`", better)
    if quoted:
        better = f'"{quoted[0][1].strip()}"'
        return Said("curly-quote", said, quoted[0].start(), quoted[0].end(), f"write `{better}`", better)
    if found := CURLY.search(s.text):
        return Said("curly-quote", said, found.start(), found.end(), 'write `"` on both sides of the words', '"')
    return None


def unquoted(s: Stop) -> Said | None:
    """`Why: the blow decides`: the language has some fields for words of one's own."""
    found = WORDS_OF_ONES_OWN.match(s.text)
    if found is None or s.start != "line" or '"' in s.text or (found[1] in ("Other", "To") and (":" in found[2] or OPENING.match(found[2]))):
        return None
    words = ", ".join(f'"{part.strip()}"' for part in found[2].split("," if found[1] == "Also Called" else "\n"))
    return Said(
        "wrong-type", f"`{found[1]}` takes words in quotation marks", found.start(2), len(s.text.rstrip()), f"write `- {found[1]}: {words}`", words
    )


def comma_in_sheet(s: Stop) -> Said | None:
    """`a Smith with Might 3, Wits 2`, as people list things: here a comma would begin another value."""
    if (first := re.search(r"\b(an? [^\W\d_][\w-]*)(,) [^\W\da-z_][\w' -]*$", s.left)) is not None and re.match(r"\d", s.right):
        start, end = first.span(2)
        better = f"write `{first[1]} with{s.text[end:].replace(', ', ' and ')}`"
        return Said("unexpected-word", "what somebody has stands behind `with`", start, end, better)
    found = re.search(r"\ban? [^,:]+ with [^:]+?(,) (?:and )?[^\W\da-z_][\w' -]*$", s.left)
    if found is None or not re.match(r"\d", s.right):
        return None
    return Said(
        "unexpected-word",
        "what somebody has is joined by `and`, not by commas",
        found.start(1),
        found.end(1),
        f"write `{s.text[: found.start(1)].rpartition(': ')[2]} and {s.text[found.end(1) :].strip().removeprefix('and ')}`",
    )


def unsigned(s: Stop) -> Said | None:
    """`Might 1` or `Might: 1`, where a value is needed: a change has its sign."""
    found = re.search(r"(?:^|: |, )([^\W\da-z_][\w'-]*(?: [^\W\da-z_][\w'-]*)*) ?$", s.left)
    number = re.match(r":? ?(\d+)(?=$|,)", s.right)
    if found is None or number is None or not (s.start == "cell" or re.match(r"[^:]+: ", s.left)):
        return None
    name = found[1]
    return Said(
        "unexpected-word",
        f"`{s.right[: number.end()]}` does not fit here",
        s.column,
        s.column + number.end(),
        f"a change has its sign: `{name} +{number[1]}`; a price begins with the number: `{number[1]} {name}`",
    )


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
    if (found := re.match(r"!?[<>=≤≥≠]+", s.right)) and not OF_EVENT.search(s.left):
        if found[0] == "=" and re.fullmatch(r"[^\W\da-z_][\w'-]*(?: [^\W\da-z_][\w'-]*)* ?", s.left):
            return Said(
                "label-without-colon", "a label is followed by a colon", 0, s.column + 1, f"write `{s.left.rstrip()}:`", f"{s.left.rstrip()}:"
            )
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
    if re.search(r"\bexpect\b.*\bin \d+$", s.left):
        help = f"a share is in whole percent, `in {before[0]} percent`, or exact, such as `in 20 of 27`"
    return Said("strange-sign", f"`{whole}` is no whole number, and the rules have no others", before.start(), s.column + len(found[0]), help)


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


def missing_colon(s: Stop) -> Said | None:
    if "COLON" in s.expected and OPENING.match(s.right):
        return s.said("missing-colon", f"a colon is missing before `{s.word}`", f"write `{s.left.rstrip()}: {s.right.rstrip()}`")
    return None


def strange_sign(s: Stop) -> Said | None:
    if s.right and not re.match(r"[\w\s\"':;,+/()-]", s.right):
        sign = s.right[0]
        message = f"`{sign}` (U+{ord(sign):04X}) has no meaning in a rule line"
        if sign in OTHER_SIGNS and s.mends(f" {OTHER_SIGNS[sign]} "):
            return s.said("strange-sign", message, f"write `{OTHER_SIGNS[sign]}`")
        return s.said("strange-sign", message, "leave it out, or put the words into quotation marks")
    return None
