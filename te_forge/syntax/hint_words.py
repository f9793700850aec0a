"""Slips with words: those that the language does not have, names that are not written as names, and words that are missing."""

from __future__ import annotations

import re

from te_forge.blanks import Wording, first_known
from te_forge.suggest import a, nearest
from te_forge.syntax.hint_fields import KINDS, TAKES
from te_forge.syntax.hint_places import BEING, list_item
from te_forge.syntax.idioms import idioms, meant
from te_forge.syntax.lexer import is_keyword
from te_forge.syntax.stop import Said, Stop, reads_past, reads_whole, spelt
from te_forge.syntax.vocabulary import COUNTED, FIGURES, SYNONYMS
from te_forge.syntax.worded import worded

PRONOUNS = re.compile(
    r"(?:his|hers?|their|its|it|they|them|he|she|him|you|your|my|I|who(?:ever)?|what(?:ever)?|any(?:one|body)|some(?:one|body)|every(?:one|body))\b"
)
CAPITAL_PRONOUN = re.compile(r"(?:[^\W\da-z_][\w' -]*: )?(You|They|He|She|It|We|Your|Their|His|Her|Its)(?= [a-z])")
MOST_SHOWN = 60
"""Letters of a line that are shown again."""
STARTERS = "Before|After|Instead|While|If|Otherwise|Until|Once|For|Repeat|Do|The|Each|In|End|Go|Expect"
CAPITAL_START = re.compile(rf"(?:^|(?<=: )|(?<=; ))({STARTERS})\b(?!:)|(?<=: )(Otherwise)(?=:)")
WHOLE_OPENER = re.compile(
    r"(?:Instead Of|Otherwise If|In The Next|For Each(?: Other)?|Repeat Up To|Repeat Until|Go Back To|End With|Once Per)\b", re.IGNORECASE
)
SMALL_NAME = re.compile(r"((?:[A-Z][\w-]*)(?: [A-Z][\w-]*)*) (of|the|and|in|from|to|for) ((?:[A-Z]\w*)(?: [A-Z]\w*)*)")
PROSE_BEHIND = re.compile(r"([^\W\da-z_][\w' -]*?(?: (?:after|before) [^\W\da-z_][\w' -]*?)?): ([^\W\da-z_][\w'’]* [^:\"]*[.!?]):?")
LABELLED_RULE = "a rule has a label of its own, and then the words of rules: `Label: after ..: {who} gains ..`, `Label: while the owner has ..: ..`"
RESULT = re.compile(r"\b(?:the result is|has|lacks|ending in)(?: not)? $")
"""In front of what is most often a name."""
CONDITION = re.compile(r"\b(?:if|while|until|expect) [^:;]*$")
STATE = re.compile(r"\b(?P<verb>is(?: not)?|becomes|gains|gets|takes|drops|has) (?:now )?$")
"""In front of what somebody may carry."""
SCRIPTED = re.compile(r"\b(?:picks|shows) ")
"""In the account of an example."""
NAME_ALONE = re.compile(r"(?:^|[:;] )((?:[+-]?\d+ )?(?:[^\W\da-z_][\w'-]*(?: [^\W\da-z_][\w'-]*)*|\[\[[^\]]+\]\]))(?=;|$)")


def text_of_step(s: Stop) -> Said | None:
    """`Rest after Slip: All lean back.`: prose where a rule is read."""
    found = PROSE_BEHIND.fullmatch(s.text.rstrip())
    if found is None or s.start != "line" or reads_whole(f"{found[1]}: {found[2][:1].lower()}{found[2][1:].rstrip('.!?')}", s.start):
        return None
    help = worded(f"prose stands on a line of its own without a dash; {LABELLED_RULE}; in a hack, the text of a step is set in below its label")
    return Said("unexpected-word", f"what stands behind `{found[1]}:` is prose, and here a rule is read", found.start(2), found.end(2), help)


def capital_start(s: Stop) -> Said | None:
    found = CAPITAL_START.search(s.text)
    if (
        not found
        or found.start() > s.column
        or (found[1] in ("The", "Each", "In") and ":" not in s.text and not reads_whole(f"{found[1].lower()}{s.text[found.end() :]}", s.start))
    ):
        return None
    opener = WHOLE_OPENER.match(s.text, found.start())
    end = (opener or found).end()
    small, rest = s.text[found.start() : end].lower(), s.text[end:]
    if s.text.rstrip().endswith("."):
        rest = rest.rstrip(" .")
        if not reads_whole(s.text[: found.start()] + small + rest, s.start):
            return None
    shown = rest[:MOST_SHOWN].rstrip() + (" ..." if len(rest) > MOST_SHOWN else "")
    return Said(
        "capital-at-start",
        "a sentence begins with a small letter; Capitals are for the game's names",
        found.start(),
        end,
        f"write `{small}{shown}`",
        small,
    )


def no_when(s: Stop) -> Said | None:
    found = re.search(r"(?<![\w-])(when|whenever)(?![\w-])", s.text) or re.search(r"(?:^|(?<=[:;] ))(When|Whenever)(?= )", s.text)
    if found is None or found.start() > s.column + 1:
        return None
    message = f"`{found[1]}` is not a word of the rules"
    known = next((one for one in idioms(s.text) if one[0].start() == found.start()), None)
    if known is not None:
        return Said("no-when", message, known[0].start(), known[0].end(), meant(*known))
    rest = s.text[found.end() :]
    for word in ("after", "while"):
        for line in (rest, rest.replace(", ", ": ", 1)):
            if reads_whole(f"{s.text[: found.start()]}{word}{line}", s.start):
                return Said("no-when", message, found.start(), len(s.text), f"write `{word}{line}`")
    help = "write `after` for something that happens (`after gain of {number}:`), `while` for as long as something is true, `if` for a test where this is reached"
    return Said("no-when", message, found.start(), found.end(), worded(help))


def pronoun(s: Stop) -> Said | None:
    if capital := CAPITAL_PRONOUN.match(s.text):
        said = f"`{capital[1]}` does not say who"
        return Said("pronoun", said, capital.start(1), capital.end(1), the_one())
    found = PRONOUNS.match(s.right)
    if found and found[0].startswith("every"):
        return s.said(
            "pronoun",
            f"`{found[0]}` does not say of which kind",
            "write `each` and a kind, such as `each hero`; of the gm, if there is one, `the gm`",
        )
    if found:
        return s.said("pronoun", f"`{found[0]}` does not say who", the_one(list_item(s)))
    return None


def the_one(more: str = "") -> Wording:
    """What stands in the place of a pronoun."""
    known = worded("name the one: `{who}`, or `each` and a kind")
    return first_known([(*known, more), (f"name the one: `the owner`, a role such as `the actor`, or `each` and a kind{more}",)])


def figure(s: Stop) -> Said | None:
    if (number := FIGURES.get(s.word)) and (s.word != "one" or "INT" in s.expected):
        return s.said("number-in-words", "numbers are written in figures", f"write `{number}`", number)
    return None


def idiom(s: Stop) -> Said | None:
    for found, better in idioms(s.text):
        if found.start() <= s.column <= found.end():
            return Said("not-a-rule-word", f"`{found[0]}` is said in other words here", found.start(), found.end(), meant(found, better))
    return None


def event(s: Stop) -> Said | None:
    """`after` somebody does something in free words."""
    if re.search(r"\b(?:before|after|instead of) $", s.left):
        if re.match(r"[a-z]", s.word) and not is_keyword(s.word) and s.mends(s.word.title()):
            return s.said(
                "lower-case-name",
                "an event is called by a name of the game, and those begin with a capital",
                as_name("if there is a procedure or step of that name, write `{0}`", s.word),
            )
        help = "name a procedure, one of its steps, `a roll`, `gain of ..`, `loss of ..` or `reaching 0 of ..`; who it is about comes behind that: `by the owner`"
        return s.said("unexpected-word", "no event begins like this", help)
    return None


def stands_alone(s: Stop) -> Said | None:
    """A kind without its article: `Of: character`, `Roles: character as the hero`."""
    if not re.fullmatch(r"[a-z][\w-]*", s.word) or is_keyword(s.word) or "A" not in s.expected or not re.search(r"^[^:]+: $|, $|^$", s.left):
        return None
    if s.field in TAKES and s.field not in KINDS:
        return None
    rest = s.right[len(s.word) :]
    better = a(s.word.removesuffix("s") if not s.word.endswith("ss") else s.word)
    if (not rest.strip() or re.match(r",| as the ", rest)) and s.mends(better):
        return s.said(
            "unexpected-word",
            f"`{s.word}` stands alone",
            f"a kind has an article: write `{better}`; a role with a word of its own is said behind its kind: `a .. as the {s.word}`"
            if s.field == "Roles" and not rest.startswith(" as")
            else f"a kind has an article: write `{better}`"
            if s.field in KINDS
            else f'a kind has an article: write `{better}`; a name of the game begins with a capital, `{s.word.capitalize()}`, and words of your own stand in quotes, `"{s.word}"`',
        )
    return None


def starts_wrong(s: Stop) -> Said | None:
    """A sentence that begins with neither somebody nor a word of the language."""
    at_start = s.left.rstrip()[-1:] in ("", ":", ";")
    following = re.match(r"[\w'’-]+ +([a-z]+)", s.right)
    if s.field in TAKES:
        return None
    acts = s.word.endswith(("'s", "’s")) or (following is not None and is_keyword(following[1]))  # then `the` is all that is missing
    if (
        at_start
        and re.match(r"[a-z]", s.word)
        and "THE" in s.expected
        and not is_keyword(s.word)
        and not acts
        and (s.start == "line" or re.search(r"[a-z] ", s.text))
    ):
        verb = SYNONYMS.get(s.word + "s") or SYNONYMS.get(s.word)
        help = "write who does it: `{who} {1} ..`" if verb else "say who does it, `{who} gains ..`; if `{0}` is somebody, write `the {0}`"
        if s.left.rstrip()[-1:] == ":" and s.right.strip() == s.word:
            help = f"say who does it, `{{who}} gains ..`; an outcome is come to with `end with {s.word.title()}`"
        return s.said("not-a-rule-word", f"no rule begins with `{s.word}`", worded(help if verb else help + list_item(s), s.word, verb or ""))
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


def as_name(template: str, word: str) -> Wording:
    """What is told of a word in small letters that may be a name of the game: the name, where there is one."""
    return first_known([worded(one, word.title()) for one in ("did you mean `{called:0}`?", template)])


def listed_prose(s: Stop) -> Said | None:
    if not re.match(r"[^\W\da-z_]", s.text) or not s.text.rstrip().endswith((".", "!", "?")) or ":" in s.text:
        return None
    if s.start == "line":
        return Said(
            "list-with-dash", "a line that begins with a dash is a rule", 0, len(s.text), worded(f"begin a list in prose with `*`; {LABELLED_RULE}")
        )
    small = (s.text[0].lower() + s.text[1:]).rstrip(" .!?")
    if reads_past(small, len(small), s.start):
        return Said(
            "capital-at-start", "a sentence of a rule begins with a small letter and has no full stop", 0, len(s.text), f"write `{small}`", small
        )
    return Said(
        "prose-in-cell",
        "this cell takes a value or a rule, and this reads as prose",
        0,
        len(s.text),
        "prose of a table stands in a column called `text`",
    )


def names_only(s: Stop) -> Said | None:
    """`otherwise: Tired; end with Down`: what a character sheet would say, where a sentence says who and what."""
    found = next((one for one in NAME_ALONE.finditer(s.text) if one.start() <= s.column <= one.end()), None)
    if (
        found is None
        or s.field in TAKES
        or (found.start() == 0 and s.start == "line")
        or SCRIPTED.search(s.text)
        or any(is_keyword(word.lower()) for word in found[1].split())
    ):
        return None
    start, end = found.start(1), found.end(1)
    amount = re.match(r"[+-]?\d+ ", found[1])
    deed = f"{'loses' if found[1][0] == '-' else 'gains'} {found[1].lstrip('+-')}" if amount else f"takes {found[1]}"
    if not reads_whole(f"{s.text[:start]}the one {deed}{s.text[end:]}", s.start):
        return None
    thing = found[1][amount.end() :] if amount is not None else found[1]
    known = (
        ["write `{who:0} takes {trait:0}`", "write `end with {ending:0}`", "write `do {procedure:0}`", "write `{who} rolls {rolled:0}`"]
        if not amount
        else []
    )
    usual = "say who: write `{who:0} {1}`" if amount else "say who and what: `{who:0} {1}`, where it is a trait or a state"
    help = first_known([worded(one, thing, deed) for one in (*known, usual)])
    return Said("unexpected-word", f"`{found[1]}` is no whole sentence", start, end, help)


def only_a_name(s: Stop) -> Said | None:
    """A word where nothing but a name can stand."""
    alone = not s.expected & {"WORD", "THE", "A"} or re.search(r"\bend with $", s.left)
    if re.match(r"[a-z]", s.word) and not is_keyword(s.word) and "NAME" in s.expected and alone and s.mends(s.word.title()):
        return s.said(
            "lower-case-name",
            "only a name can stand here, and those begin with a capital",
            as_name("if the game has one of that name, write `{0}`", s.word),
        )
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
    if (
        not re.match(r"[a-z]", s.right)
        or "NAME" not in s.expected
        or not re.search(r"(?:\d+|all|any) $", s.left)
        or s.word == "x"
        or is_keyword(s.word)
    ):
        return None
    rest = s.right[len(s.word) :].strip()
    if not rest and "$END" in s.expected and COUNTED.fullmatch(s.word):
        return s.said(
            "not-a-rule-word",
            f"`{s.word}` says nothing here: it is always a number of something",
            f"leave it out: write `{s.left.split(': ')[-1].rstrip()}`",
        )
    return s.said("lower-case-name", f"`{s.word}` reads as a name of the game, and those begin with a capital", as_name("write `{0}`", s.word))


def missing_the(s: Stop) -> Said | None:
    if (
        (s.field not in TAKES or s.left.endswith("as "))
        and re.match(r"[a-z]", s.word)
        and "THE" in s.expected
        and not is_keyword(s.word)
        and s.mends(f"the {s.word}")
    ):
        help = f"if it is somebody or something, write `the {s.word}`; a name of the game begins with a capital"
        if BEING.search(s.left):
            help += f"; what somebody is, is a trait: `takes {s.word.title()}`, once a definition of that name is there"
        if RESULT.search(s.left):
            return s.said(
                "lower-case-name",
                f"`{s.word}` would be a name of the game, and those begin with a capital",
                as_name(f"write `{{0}}`, or `the {s.word}` for what a line calls so", s.word),
            )
        return s.said("missing-the", f"`{s.word}` is not a word of the rules", help + list_item(s))
    return None


def carried(s: Stop) -> Said | None:
    """`the hero is tired`, where the game has a trait `Tired`."""
    found = STATE.search(s.left)
    if found is None or not re.fullmatch(r"[a-z][\w-]*", s.word):
        return None
    if found["verb"] in ("takes", "drops", "has"):
        verb = ""
    elif CONDITION.search(s.left) is not None:
        verb = "lacks " if found["verb"].endswith(" not") else "has "
    else:
        verb = "takes "
    help = worded("write `{1}{trait:0}`", s.word.title(), verb)
    return s.said("lower-case-name", f"`{s.word}` would be a name of the game, and those begin with a capital", help)


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
