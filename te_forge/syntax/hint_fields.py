"""Slips in the value of a field that the language knows: what the field takes, and how it is said that there is none of it."""

from __future__ import annotations

import re

from te_forge.syntax.stop import Said, Stop, reads_whole

TAKES = {
    "Is": "what such a thing is: `an actor`, `an entry`, `a number of a character`, `a trait of a character`",
    "How Many": "a number or a range, such as `1 to 8`",
    "Made By": "the name of a procedure",
    "Plural": "words in quotation marks",
    "Also Called": "words in quotation marks",
    "Based On": "a name and how it is taken: `.. as played`, with all that hacks make of it, or `.. as printed`",
    "Of": "who has it, a kind with its article or somebody of whom there is one: `a character`, `the gm`",
    "Starts": "a whole number, or a formula such as `Luck x 2`",
    "At Least": "a whole number, or a formula such as `Luck x 2`",
    "At Most": "a whole number, or a formula such as `Luck x 2`",
    "Refills": "`each` and a procedure, such as `each Scene`",
    "Also Paid From": "the name of a number",
    "Cost": "an amount and what is paid, such as `1 Luck`",
    "Uses": "how often, such as `once per Scene` or `3 times per Session`",
    "Asks": "words in quotation marks",
    "Roles": "kinds with their articles, each with the word for who it is, and commas between: `a character as the hero, an actor as the foe`; several people are `a group of characters as the team`",
    "Outcomes": "names with commas between them, such as `Success, Failure`",
    "Counts": "the name of a step of this procedure",
    "Counts As": "the name of a procedure",
    "Part Of": "the name of a procedure",
    "Settles": "the name of a step of this procedure",
    "Bound": "how often, such as `once per Scene` or `3 times per Session`",
    "Seen By": "who sees it: `the gm`, or a role with `the`",
    "Tracks": "the name of a number",
    "Cards": "numbers such as `1 to 13`, or names with commas between them",
    "Copies": "a whole number",
    "Only With": "a pack in quotation marks, with versions if they matter: `\"night-market >=1.1\"`",
    "Needs": "names of hacks, with commas between them",
    "Replaces": "words in quotation marks",
    "Answers": "the name of a ruling",
    "Reads": "words in quotation marks",
    "Why": "words in quotation marks",
    "Other": "words in quotation marks",
    "With": "names of hacks and readings, with commas between them",
    "Successor": "the name of what stands in its place",
    "To": "words in quotation marks",
}  # fmt: skip
"""The values of the engine's fields, in words."""

NONE = r"none|no|nil|null|n/?a|n\. ?a\.|[-—–−]+|/|not applicable"
ENDLESS = r"unlimited|infinite|infinity|endless|∞|any|any number|no (?:limit|cap|maximum|max|bound)|(?:without|w/o) (?:a )?(?:limit|bound)"
LEFT_OUT: dict[str, tuple[str, str]] = {
    "Cost": (r"free|no cost|for free|costs? nothing|0|zero", "what costs nothing has no such line, and is offered with `may`, not `may pay`"),
    "Uses": (
        rf"{ENDLESS}|at[ -]will|always|constant|passive|any time|anytime|any number of times|as often as [^:]*|at any time",
        "what can be used at will has no such line",
    ),
    "At Most": (ENDLESS, "a number without it may rise as high as it likes"),
    "At Least": (rf"{ENDLESS}|no (?:minimum|min)", "a number without it may fall as low as it likes"),
    "Refills": (r"never|not|does not|no refill", "what never refills has no such line"),
    "Bound": (ENDLESS, "a chain that needs no bound has no such line"),
    "How Many": (ENDLESS, "a kind without it may have any number of actors"),
    "Starts": (r"empty|blank|nobody", "without it the number starts at 0, or as its kind says"),
    "Roles": (r"nobody|no roles?", "a procedure without roles has no such line"),
    "Outcomes": (r"no outcomes?", "a procedure without outcomes has no such line"),
}
"""What people write where there is none of it, and what leaving the line out means."""
HOW_OFTEN = r"(once|twice|thrice|(\d+)(?: ?x| times?)?)$"
TIMES = {"once": "once", "twice": "2 times", "thrice": "3 times"}
NAMED = ("Made By", "Also Paid From", "Counts", "Counts As", "Part Of", "Settles", "Tracks", "Needs", "Answers", "With", "Successor", "Outcomes")
"""Fields that take names."""
KINDS = ("Of", "Roles")
"""Fields that take kinds with their articles."""


def none_of_it(label: str, value: str) -> str:
    """What to do about a value that says in words of its own that there is none; empty for any other."""
    words, why = LEFT_OUT.get(label, ("", ""))
    said = value.strip().lower()
    if label not in TAKES or not (re.fullmatch(NONE, said) or (words and re.fullmatch(words, said))):
        return ""
    return f"leave the line out{': ' + why if why else ''}; a hack that takes it away says `nothing`"


def left_out(s: Stop) -> Said | None:
    """`Cost: free`, `Uses: at will`, `At Most: none`."""
    help = none_of_it(s.field, s.value)
    if not help:
        return None
    start = len(s.text) - len(s.value)
    if s.start == "cell":
        return Said("wrong-type", f"`{s.field}` does not take this", start, len(s.text), "write `-`, as where there is none of it", "-")
    return Said("wrong-type", f"`{s.field}` does not take this", start, len(s.text), help)


FIELD = "|".join(sorted(TAKES, key=len, reverse=True))
SAID = (
    (rf"(?:remove|delete|drop|no) ({FIELD})", "{0}: nothing"),
    (rf"(?:add|raise|increase) (\d+) to ({FIELD})|(?:raise|increase) ({FIELD}) by (\d+)", "{1}{2}: {0}{3} more"),
    (rf"(?:subtract|take) (\d+) from ({FIELD})|(?:lower|reduce|decrease) ({FIELD}) by (\d+)", "{1}{2}: {0}{3} less"),
    (rf"({FIELD}) \+ ?(\d+)", "{0}: {1} more"),
    (rf"({FIELD}) [-−–] ?(\d+)", "{0}: {1} less"),
    (rf"({FIELD}) (?:is|are|becomes?|=|changes? to) (.+)", "{0}: {1}"),
)
"""Sentences about a field."""


def said_of_field(s: Stop) -> Said | None:
    """`remove Cost`, `add 2 to Starts`: a field has a label, and its value behind that."""
    for pattern, better in SAID if s.start == "line" else ():
        found = re.fullmatch(pattern, s.text.rstrip())
        made = better.format(*[group or "" for group in found.groups()]) if found is not None else ""
        if made and reads_whole(made, s.start):
            return Said("label-without-colon", "a field has a label, with a colon and its value behind that", 0, len(s.text), f"write `{made}`", made)
    return None


def how_often(s: Stop) -> Said | None:
    """`Uses: once`, `Uses: twice`: within what?"""
    found = re.match(HOW_OFTEN, s.value) if s.field in ("Uses", "Bound") else None
    if found is None:
        return None
    times = TIMES.get(found[1]) or f"{found[2]} times"
    help = f"say within what: `{times} per ..`, with the name of a procedure, such as `{times} per Scene`"
    return Said("wrong-type", f"`{found[0]}` does not say within what", len(s.text) - len(s.value), len(s.text), help)


FORMULA = (
    (r"(?:twice|double|2 times|two times)(?: the)? (?P<of>.+)", "{of} x 2"),
    (r"(?:triple|thrice|3 times|three times)(?: the)? (?P<of>.+)", "{of} x 3"),
    (r"half(?: of)?(?: the)? (?P<of>.+)", "{of} / 2 rounded up"),
    (r"(?P<of>.+) (?:times|multiplied by) (?P<by>\d+)", "{of} x {by}"),
    (r"(?P<of>.+) (?:plus|and) (?P<by>\d+)", "{of} + {by}"),
    (r"(?:equal to|equals|the same as|as) (?:the )?(?P<of>.+)", "{of}"),
)
"""Formulas in words."""
NUMBERS = ("Starts", "At Least", "At Most")
"""Fields that take a formula."""


def formula(field: str, value: str) -> str:
    """The formula that a few words say; empty where they say none that reads."""
    for pattern, better in FORMULA if field in NUMBERS else ():
        found = re.fullmatch(pattern, value)
        made = better.format(**found.groupdict()) if found is not None else ""
        if made and reads_whole(f"{field}: {made}", "line"):
            return made
    return ""


def takes(s: Stop) -> Said:
    """Any other value that does not read: what stands in such a field."""
    start = len(s.text) - len(s.value)
    if made := formula(s.field, s.value):
        return Said("wrong-type", f"`{s.field}` does not take this", start, len(s.text), f"write `{made}`", made)
    help = f"it takes {TAKES[s.field]}"
    titled = ", ".join(part.strip().title() for part in re.split(r"[,;/|&]|\b(?:and|or)\b", s.value) if part.strip())
    if s.field in NAMED and re.fullmatch(r"[\w' -]+(?:, [\w' -]+)*", titled) and reads_whole(f"{s.field}: {titled}", "line"):
        help = f"{help}: write `{titled}`" if "such as" not in help else f"write `{titled}`: it takes {TAKES[s.field]}"
    return Said("wrong-type", f"`{s.field}` does not take this", start, len(s.text), help)
