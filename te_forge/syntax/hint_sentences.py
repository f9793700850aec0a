"""Slips of whole sentences: two that are joined, what a procedure is handed, what dice show, and prose that stands for a rule.

Whatever is told to write here has been read first: a sentence that would not read is not offered.
"""

from __future__ import annotations

import re

from te_forge.blanks import Piece, Role, first_known
from te_forge.syntax.hint_words import LABELLED_RULE
from te_forge.syntax.lexer import is_keyword
from te_forge.syntax.stop import Said, Stop, reads_whole
from te_forge.syntax.vocabulary import AT_START, CALLED_ROLL, NAME, SYNONYMS, TURNED, VERB
from te_forge.syntax.worded import turned, worded

WHO = rf"(?:the [\w-]+|each (?:other )?[\w-]+|{NAME[1:-1]})(?:['’]s [\w-]+)*"
DEED = rf"(?:{VERB}|shows?|picks?|reads?|is|are|becomes?|will be|cannot|may)"
JOINT = re.compile(
    rf",? (?:and then|and also|and|then|&) (?=(?:{WHO} )?{DEED} |do |ends? with |go back )|, (?=(?:{WHO} )?{DEED} |do |ends? with |go back )"
)
SUBJECT = re.compile(rf"({WHO}) {DEED} ")
BEGINS = re.compile(rf"{WHO} {DEED} |do |end with |go back ")
ACTS = re.compile(rf"(?:the [\w-]+|each [\w-]+|{NAME[1:-1]}) (?:{VERB}) ")

RUN = re.compile(
    rf"(?:(?:^|(?<=: )|(?<=; ))(?P<who>the [\w-]+|{NAME[1:-1]}) (?:(?:must|has to|should) )?(?:does|makes|performs|attempts|tries|starts|begins|runs|make|perform|attempt)|\bdo) (?:an? )?(?P<what>{NAME[1:-1]})"
    r"(?P<rest>(?:,? (?:with|and|at|against|as|for|by) |, )[^:;]+)?(?=$|;)"
)
HANDED = re.compile(
    rf"(?:an? |the )?(?P<role>[a-z][\w-]*)(?: of| is| at|:| =)? (?P<value>-?\d+|the [a-z][\w-]*(?:['’]s [\w-]+)*|{NAME[1:-1]}(?:['’]s [\w-]+)*)"
)
WITHOUT_AS = re.compile(rf"(?P<value>the [a-z][\w-]*(?:['’]s [\w-]+)*|{NAME[1:-1]}(?:['’]s [\w-]+)*) the (?P<role>[a-z][\w-]*)")
HANDED_FIRST = re.compile(r"(?P<value>-?\d+) (?P<role>[a-z][\w-]*)")
PIECES = re.compile(r"(?:,? and with |,? with |, and |, )|(?: and (?=(?:an? |the )?[a-z][\w-]* (?:of )?\d|\d+ [a-z]))")
NOBODY = "one"
"""In the place of a role that only the procedure tells, while a line is tried."""
SOMEBODY = re.compile(rf"(?P<name>the [\w-]+|{NAME[1:-1]})|(?:as (?P<as>{NAME[1:-1]})|(?:for|by) (?P<by>the [\w-]+|{NAME[1:-1]}))")

NUMBERS = {"ones": 1, "twos": 2, "threes": 3, "fours": 4, "fives": 5, "sixes": 6, "sevens": 7, "eights": 8, "nines": 9, "tens": 10}
FACE = rf"(?:(?:an? |any |the )?(?:\d+s?|{'|'.join(NUMBERS)}))"
SHOWN = re.compile(
    rf"(?:the )?\b(?P<lead>number of|count of|amount of|how many|for each) (?:of )?(?:the )?(?:dice|die)? ?(?:showing|shows?|that shows?|which shows?|that are|with|at|of)? ?"
    rf"(?P<faces>{FACE}(?:(?:,? (?:or|and) |, |/| ?[-–—] ?| to |\.\.){FACE})*)(?P<more> ?\+| (?:or|and) (?:more|higher|better|above|over|up))?"
    r"(?P<less> (?:or|and) (?:less|lower|worse|below|under))? (?:in|of|among|on|from) (?P<dice>the [\w-]+(?:['’]s [\w-]+)*)"
)
SHOWN_BEHIND = re.compile(
    rf"(?:the )?\b(?P<lead>number of|count of|amount of|how many|for each) (?:of )?(?:the )?(?:dice|die) (?:in|of|among|on|from) (?P<dice>the [\w-]+(?:['’]s [\w-]+)*) (?:showing|shows?|that shows?|which shows?|that are|with|at|of) "
    rf"(?P<faces>{FACE}(?:(?:,? (?:or|and) |, |/| ?[-–—] ?| to |\.\.){FACE})*)(?P<more> ?\+| (?:or|and) (?:more|higher|better|above|over|up))?"
    r"(?P<less> (?:or|and) (?:less|lower|worse|below|under))?"
)
"""The dice before what they show."""
RANGE = re.compile(rf"({FACE})(?: ?[-–—] ?| to |\.\.)({FACE})")
DICE = r"(?:dice|die|results?|faces|pips|numbers?|them|it|rolls?|successes|hits)"
ALL = r"(?: (?:all|both|the|all of the|all the|its|their|your))*"
ALL = r"(?: (?:all|both|the|all of the|all the|its|their|your))*"
NAMED = rf"(?:{AT_START}|\b(?P<named>the [\w-]+(?:['’]s [\w-]+)*) (?P<verb>is|are|becomes|equals) (?:to )?(?:the )?)"
ADDED = tuple(
    re.compile(f"{NAMED}{what}(?=$|;|,)")
    for what in (
        rf"(?P<sum>(?:add|sum|total|tally)(?: up)?(?: of)?){ALL}(?: ?{DICE}?)(?: up| together)?",
        r"(?P<sum>(?:(?:all|both|the|of) )*dice (?:all )?(?:(?:added|summed|totall?ed|put|counted|taken) (?:up|together)|together|combined|summed|totall?ed))",
        rf"(?:take|keep|use|read|pick|choose) the (?P<which>highest|lowest|best|worst){ALL}(?: ?{DICE}?)",
        rf"(?:count{ALL} |(?:how many|number of) )(?P<shown>{FACE})(?: (?:were|are|was|is))?(?: (?:rolled|shown|there))?",
        rf"(?P<shown>(?:\\d+s|{'|'.join(NUMBERS)}))(?: (?:were|are|was|is))?(?: (?:rolled|shown|there))?",
        rf"(?P<count>count){ALL}(?: ?{DICE}?)(?: up)?",
    )
)
"""A number that is made of what dice show: all of them, one of them, or how many."""
COMMAND = re.compile(
    rf"{AT_START}(?P<verb>[a-z]+)(?P<rest> (?:(?:\d+|all|any) )?(?:(?P<thing>{NAME[1:-1]})(?= equal to | for each |$|;)|[^:;]+)[^:;]*)"
)
DOES = ("gains", "loses", "pays", "takes", "drops", "rolls", "chooses", "keeps", "draws", "rerolls", "divides", "says")
WHICH = {"best": "highest", "worst": "lowest"}
PROSE = re.compile(r"(?P<first>[^\W\da-z_][\w'’-]*) (?P<second>[a-z][\w'’-]*) [^:;\[\]]*[^:;\[\].!?]")
ARTICLES = ("The", "A", "An", "All", "Any", "Every", "No", "Some", "Your")
FEWEST = 5
"""So many words behind a dash are a sentence."""


def joined(s: Stop) -> Said | None:
    """`the hero becomes Tired and loses 1 Luck`: two things in one sentence."""
    start = max(s.left.rfind(": "), s.left.rfind("; ")) + 2 if re.search(r"[:;] ", s.left) else 0
    end = s.text.find(";", s.column) if ";" in s.right else len(s.text)
    parts = JOINT.split(s.text[start:end])
    who = SUBJECT.match(parts[0])
    if len(parts) < 2 or (who is None and not BEGINS.match(parts[0])):
        return None
    alike = [re.sub(r"^ends with ", "end with ", part.strip()) for part in parts]
    sentences = [part if BEGINS.match(part) or who is None else f"{who[1]} {part}" for part in alike]
    acting = {found[0].rpartition(" ")[0].rpartition(" ")[0] for one in sentences if (found := ACTS.match(one))}
    better = [taken(one, acting) for one in sentences]
    help = ("write `", *[piece for one in better for piece in ("; ", one)][1:], "`")
    written = "; ".join(map(str, better)) if all(isinstance(one, str) for one in better) else None
    if not reads_whole(f"{s.text[:start]}{'; '.join(sentences)}{s.text[end:]}", s.start):
        return None
    return Said("not-a-rule-word", f"`{s.text[start:end]}` is said in other words here", start, end, help, written)


def taken(sentence: str, acting: set[str]) -> Piece:
    """What somebody `becomes`: something to carry, where it is known to be somebody; else the game says so."""
    found = re.fullmatch(TURNED, sentence)
    return f"{found[1]} takes {found[2]}" if found is not None and found[1] in acting else turned(sentence)


def handed(s: Stop) -> Said | None:
    """`do Test with Ann as the hero, with difficulty 9`, `Ann does Test with difficulty 9`: each role has its value in front of it."""
    for found in RUN.finditer(s.text):
        if not found.start() <= s.column <= found.end():
            continue
        pieces = [piece.strip() for piece in PIECES.split(found["rest"] or "") if piece and piece.strip()]
        if any(SOMEBODY.fullmatch(one) for one in pieces[1:]) or (len(pieces) > 1 and SOMEBODY.fullmatch(pieces[0]) and pieces[1].startswith("the ")):
            continue  # `Ann with the hero`, where an `as` is missing
        given = [as_role(piece) for piece in pieces]
        if found["who"]:
            given = [(found["who"], ""), *given]
        known = [one for one in given if one is not None]
        roles = tuple(role for _, role in known if role)
        if not given or len(known) < len(given) or len(roles) < len(known) - 1:
            continue
        whole = f"do {found['what']} with {', '.join(f'{value} as the {role or NOBODY}' for value, role in known)}"
        if reads_whole(f"{s.text[: found.start()]}{whole}{s.text[found.end() :]}", s.start):
            left = Role(found["what"], roles)
            handed = [piece for value, role in known for piece in (", ", f"{value} as the ", role or left)][1:]
            help = (f"write `do {found['what']} with ", *handed, "`")
            return Said("not-a-rule-word", f"`{found[0]}` is said in other words here", found.start(), found.end(), help)
    return None


def as_role(piece: str) -> tuple[str, str] | None:
    """What a procedure is handed, and the role which that is (empty where only the procedure tells); None where it cannot be told."""
    value, is_as, role = piece.partition(" as the ")
    if is_as:
        return value, role
    if (found := WITHOUT_AS.fullmatch(piece)) is not None:
        return found["value"], found["role"]
    found = HANDED_FIRST.fullmatch(piece) or (None if SOMEBODY.fullmatch(piece) else HANDED.fullmatch(piece))
    if found is not None:
        return (found["value"], found["role"]) if not is_keyword(found["role"]) else None
    somebody = SOMEBODY.fullmatch(piece)
    return (somebody["name"] or somebody["as"] or somebody["by"], "") if somebody is not None else None


def faces(s: Stop) -> Said | None:
    """`number of dice showing 5+ in ..`, `count of the 5s and 6s in ..`."""
    for found in (*SHOWN.finditer(s.text), *SHOWN_BEHIND.finditer(s.text)):
        if not found.start() <= s.column <= found.end():
            continue
        numbers = shown(found["faces"])
        face = f"at least {numbers[0]}" if found["more"] else f"at most {numbers[-1]}" if found["less"] else " or ".join(map(str, numbers))
        what = "for each die" if found["lead"] == "for each" else "number of dice"
        better = f"{what} showing {face} in {found['dice']}"
        if reads_whole(f"{s.text[: found.start()]}{better}{s.text[found.end() :]}", s.start):
            return Said("not-a-rule-word", f"`{found[0]}` is said in other words here", found.start(), found.end(), f"write `{better}`", better)
    return None


def shown(text: str) -> list[int]:
    """The faces that a few words name: `5s and 6s`, `4-6`, `a 5 or a 6`."""
    ends = RANGE.fullmatch(text)
    each = [NUMBERS[one] if one in NUMBERS else int(one.rstrip("s")) for one in re.findall(rf"\d{{1,4}}|{'|'.join(NUMBERS)}", text)]
    return list(range(each[0], each[1] + 1)) if ends is not None and each[0] < each[1] <= each[0] + 12 else each


def added(s: Stop) -> Said | None:
    """`add the dice up`, `count the 6s`, `the total is the highest die`: a number is made of what dice show."""
    for found in (one for pattern in ADDED for one in pattern.finditer(s.text)):
        if " " not in found[0] or not found.start() <= s.column <= found.end():
            continue
        given = found.groupdict()
        if given.get("sum"):
            better = "sum of the {dice}"
        elif which := given.get("which"):
            better = f"{WHICH.get(which, which)} of the {{dice}}"
        else:
            better = f"number of dice showing {' or '.join(map(str, shown(given.get('shown') or ''))) or '..'} in the {{dice}}"
        named = found["named"] or ("the count" if better.startswith("number") else "the total")
        better = f"{named} {'becomes' if found['verb'] == 'becomes' else 'is'} {better}"
        help = [worded(f"write `{better}`"), worded(f"write `{better}`{CALLED_ROLL}".replace("{dice}", "roll"))]
        return Said("not-a-rule-word", f"`{found[0]}` is said in other words here", found.start(), found.end(), first_known(help))
    return None


def commanded(s: Stop) -> Said | None:
    """`spend 1 Luck`, `draw a card`: what a book tells its reader to do."""
    for found in COMMAND.finditer(s.text):
        verb = found["verb"]
        does = f"{verb}s" if f"{verb}s" in DOES else SYNONYMS.get(f"{verb}s") or SYNONYMS.get(verb, "")
        if does in DOES and found.start() <= s.column <= found.end():
            whole = f"{s.text[: found.start()]}the one {does}{found['rest']}{s.text[found.end() :]}"
            better = "write `{who:1} {0}{2}`" if reads_whole(whole, s.start) else "say who does it: `{who} {0} ..`"
            help = worded(better, does, found["thing"] or "", found["rest"])
            return Said("not-a-rule-word", f"`{found[0]}` does not say who", found.start(), found.end(), help)
    return None


def shows(s: Stop) -> Said | None:
    """`Ann rolls 6, 3, 2`: in an example the faces of dice are shown."""
    found = re.fullmatch(
        rf"{NAME} (?:rolls?|rolled|throws?|threw|shows?|gets?|got) (?:an? |the )?(\d+(?:(?:,? and |, ?| )(?:an? )?\d+)*)", s.text.rstrip()
    )
    if found is None or s.start != "line":
        return None
    numbers = ", ".join(re.findall(r"\d+", found[2]))
    better = f"{found[1]} shows {numbers}"
    return Said("not-a-rule-word", f"`{found[0]}` is said in other words here", 0, len(s.text), f"write `{better}`", better)


def unlabelled(s: Stop) -> Said | None:
    """`- A hero with Tired rolls one die less`: prose behind a dash, which has neither a label nor the words of rules."""
    found = PROSE.fullmatch(s.text.rstrip())
    if s.start != "line" or found is None or len(s.text.split()) < FEWEST or (found["first"] not in ARTICLES and is_keyword(found["second"])):
        return None
    help = worded(f"{LABELLED_RULE}; prose stands on a line without a dash, and an item of a list in prose begins with `*`")
    return Said("list-with-dash", "a line that begins with a dash is a rule, and this reads as prose", 0, len(s.text), help)
