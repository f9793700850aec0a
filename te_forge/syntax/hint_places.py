"""What is needed in the place where a line stops to read, in plain words: said where no slip is known by name."""

from __future__ import annotations

import re
from typing import NamedTuple

from te_forge.blanks import Wording, first_known
from te_forge.syntax.hint_fields import TAKES, takes
from te_forge.syntax.lexer import is_keyword
from te_forge.syntax.parser import parse
from te_forge.syntax.stop import Said, Stop, listing, reads_whole
from te_forge.syntax.worded import worded

ONLY_LABEL = re.compile(r"[^\W\da-z_][\w'’-]*(?: [^\W\da-z_][\w'’-]*)*")
BEING = re.compile(r"\b(?:is|are|becomes?) $")
SOMEBODY = re.compile(r"an? [^\W\d_][\w-]*(?: with |$)")
LIST_ITEM = "; an item of a list in prose begins with `*`"
SENTENCE = (
    "say who does what: `{who} gains 1 {number}`, `{who} takes {trait}` (a state is a trait), `{who} rolls 2 d6 as the dice`; "
    "a procedure is run with `do ..`, and ends with {endings}"
)
DEED = (
    "say it with a word of the rules: points are gained, lost or paid (`gains 1 {number}`), a trait or state is taken or dropped (`takes {trait}`), "
    "dice are rolled (`rolls 2 d6 as the dice`); a number `becomes 3`, or `is 1 more` for a time"
)
NUMBER = "here a number is needed: `3`, `{who}'s {number}`"
WHO_OR_WHAT = "here a word is needed for who or what is meant"
AMOUNT = "say how much of what: `1 {number}`, `{number} equal to the ..`, `all {number}`; a trait or state is taken: `takes {trait}`"


class Need(NamedTuple):
    """What the parser could take in a place (`can`, all of these terminals) and what it could not, and what is said: the first wording of which the game
    fills all blanks.
    """

    can: str
    cannot: str
    told: tuple[str, ...]

    def is_here(self, expected: frozenset[str]) -> bool:
        return expected.issuperset(self.can.split()) and expected.isdisjoint(self.cannot.split())


NEEDS = (
    Need("DO END GO", "", (SENTENCE,)),
    Need("GAIN BECOME ROLL", "", (DEED,)),
    Need("IS HAS LACKS", "", ("say what is asked: `is at least 3`, `is above the ..`, `has {trait}`, `lacks {trait}`",)),
    Need("INT SUM THE", "", (f"{NUMBER}, `sum of the {{dice}}`", f"{NUMBER}, a word such as `the total`")),
    Need("INT NAME ALL ANY", "", (AMOUNT,)),
    Need("NAME THE", "WORD INT DIE", ("here a name of the game is needed, such as `{trait}`, or `the ..` for what a line calls so",)),
    Need("NAME", "WORD INT THE", ("here a name of the game is needed, with capitals: of a procedure, such as `after Scene` and `until Scene ends`, or of a thing",)),
    Need("NAME WORD", "INT THE", (f"{WHO_OR_WHAT}, such as `the owner` or `the {{dice}}`, or a name of the game", f"{WHO_OR_WHAT}, such as `the owner`, or a name of the game")),
    Need("WORD", "NAME INT THE A", (f"{WHO_OR_WHAT}, in small letters",)),
    Need("AS AND", "COLON $END", ("say as whom or what it takes part: `.. as the ..`; there is a comma between two of them",)),
    Need("ONE ANY", "", ("who may choose among lines has them set in below: `chooses one:`; who may do one thing is offered that: `{who} may: {who} ..`",)),
)  # fmt: skip
"""From the certain to the vague."""


def needed(s: Stop) -> Wording | None:
    """What is needed where the line stops to read; None where that is not one thing."""
    need = next((need for need in NEEDS if need.is_here(s.expected)), None)
    if need is None:
        return None
    more = "; what somebody is, is a trait: `takes {trait}`" if "SUM" in s.expected and BEING.search(s.left) else ""
    return first_known([worded(one + more) for one in need.told])


def belongs(s: Stop) -> str:
    """The few words or signs of which one has to come here."""
    if s.expected == {"THE"}:
        return "write `the`, and the word for who or what that is" + (": `as the ..`" if s.left.rstrip().endswith(" as") else "")
    return f"here {'belongs' if len(s.expected) == 1 else 'could come'} {listing(s.expected)}" if s.expected else ""


def list_item(s: Stop) -> str:
    """More help for a line without a label, or a cell, which may be no rule at all."""
    if s.start == "cell":
        return "; prose of a table stands in a column called `text`"
    return LIST_ITEM if s.start == "line" and ":" not in s.text else ""


def stops_early(s: Stop) -> Said | None:
    if s.right.strip():
        return None
    if s.start == "line" and ONLY_LABEL.fullmatch(s.text.strip()):
        label = s.text.strip()
        return Said(
            "label-without-colon", "this is a label only, and says nothing", 0, len(label),
            f"write what it is for behind a colon: `{label}: ..`; an option that does nothing is `{label}: nothing`{LIST_ITEM}",
        )  # fmt: skip
    if "COLON" in s.expected:
        return s.said("unfinished-line", "this line says when, but not what", "end it with a colon, then a sentence or lines set in below it")
    return s.said("unfinished-line", "this line stops too early", needed(s) or belongs(s))


def goes_on(s: Stop) -> Said | None:
    """A line that is whole before the word at which it stops to read, or before a small word in front of that."""
    whole, more = s.left.rstrip(), s.word
    if len(s.expected) == 1 and is_keyword(whole.rpartition(" ")[2]):
        whole, _, more = whole.rpartition(" ")
    elif "$END" not in s.expected:
        return None
    if whole.endswith(":") or not reads_whole(whole, s.start):
        return None
    written = whole.rpartition(": ")[2].rpartition("; ")[2]
    help = f"leave out what comes behind `{written}`"
    if parse(whole, s.start).node("says", "opens") is not None:
        help += f", or say it in a sentence of its own behind a semicolon: `{written}; ..`"
    elif SOMEBODY.match(written):
        help += "; what somebody has besides stands behind `with` and `and`"
    else:
        help = f"as a value of a field it ends with `{written}`; in a rule, {SENTENCE}"
    at = len(whole) + 1
    return Said("unexpected-word", f"with `{more}` this goes on, and it was whole before", at, at + len(more), worded(help))


def vague(s: Stop) -> Said:
    if {"GAIN", "BECOME", "ROLL"} <= s.expected and re.match(r"[a-z]", s.word):
        return s.said("unexpected-word", f"`{s.word}` is nothing that the rules can do", (*worded(DEED), list_item(s)))
    if s.field in TAKES:
        return takes(s)
    if (said := goes_on(s)) is not None:
        return said
    if "COLON" in s.expected and s.left.strip():
        return s.said("missing-colon", f"a colon is missing before `{s.word}`", f"write `{s.left.rstrip()}:`, and behind it what happens then")
    wording = needed(s)
    if wording is not None:
        return s.said("unexpected-word", f"`{s.word}` does not fit here", (*wording, list_item(s) if s.start == "cell" else ""))
    help = belongs(s)
    return s.said("unexpected-word", f"`{s.word}` does not fit here", help)
