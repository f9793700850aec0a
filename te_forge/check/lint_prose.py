"""Complaints about what prose says: words that nothing defines, numbers that a rule knows better, lists with a gap."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from te_forge.check.const import FIELD_OF
from te_forge.check.lint_terms import LONGEST, RUN, Use, forms
from te_forge.check.lint_text import Text
from te_forge.check.lint_view import View
from te_forge.diagnostics import Diagnostic, Label
from te_forge.frozen import frozen
from te_forge.keys import fold, slug
from te_forge.model.rules import Int
from te_forge.model.system import Entry
from te_forge.source import Span
from te_forge.suggest import did_you_mean

# ---------------------------------------------------------------- terms that nothing defines

SUGGESTED = 20
"""Looking for near names is slow; after so many terms it would not help any more."""
POINTS = re.compile(r"(.+) (?:Points?|Pools?)$")


def undefined_term(view: View) -> Iterator[Diagnostic]:
    """A capitalised term that no definition, alias, label or title has: used twice, or used once where a number's name stands."""
    uses: dict[str, list[Use]] = {}
    for use in view.terms.uses if view.english else ():
        if not use.quiet and is_term(use.name, view):
            uses.setdefault(singular(fold(use.name)), []).append(use)
    said = [found for found in uses.values() if claimed(found)]
    names = [entry.name for entry in view.system.entries.values()]
    for at, found in enumerate(said):
        yield undefined(found, did_you_mean(found[0].name, names) if at < SUGGESTED else "")


def claimed(found: list[Use]) -> bool:
    """Whether the prose takes it for a term: counted, owned or called points; or used again, and once as a thing (`the X`, `lose X`), as no person
    is.
    """
    if any(use.strong for use in found) or POINTS.match(found[0].name):
        return True
    return len(found) > 1 and any(use.thing for use in found)


def singular(name: str) -> str:
    return name[:-1] if name.endswith("s") and not name.endswith("ss") else name


def is_term(name: str, view: View) -> bool:
    """Whether a capitalised run is a term at all, and not known. Initials (`GM`, `NPC`, `I`) are no terms."""
    words = name.split()
    if view.terms.knows(name) or points_of_a_pool(name, view) or all(word.isupper() and len(word) < 5 for word in words):
        return False
    return not view.terms.made_of_known(fold(name)) or POINTS.match(name) is not None


def points_of_a_pool(name: str, view: View) -> bool:
    """`Doom Points`, where Doom is a name of the game, says nothing new."""
    found = POINTS.match(name)
    return found is not None and view.terms.knows(found[1])


def undefined(found: list[Use], suggestion: str) -> Diagnostic:
    first, again = found[0], found[1:]
    times = f", {len(found)} times" if again else ""
    return Diagnostic(
        "undefined-term",
        f"`{first.name}` is used here{times}, and defined nowhere{suggestion}",
        first.span,
        "warning",
        f'define it, add `- Also Called: "{first.name}"` to what it means, or write it small if it is an ordinary word',
        tuple(Label(use.span, "again here") for use in again[:3]),
    )


# ---------------------------------------------------------------- numbers that a rule knows

NUMBER_WORDS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
NUMBERS = {word: number for number, word in enumerate(NUMBER_WORDS)}
TYPED = re.compile(r"(?<![\w.,/:'’+-])(?:\d+|" + "|".join(NUMBER_WORDS[2:]) + r")(?![\w/:’'-]|[.,]\d)", re.IGNORECASE)
DIGIT, SMALL_NUMBER = re.compile(r"\d"), re.compile("|".join(rf"{word}\b" for word in NUMBER_WORDS[2:]))
"""One of these is found, in small letters, wherever `TYPED` finds something: that is known ten times sooner."""
CLAUSE = re.compile(r"[,;:()]")
CUES = {
    "start": re.compile(r"\b(?:(?:start|begin|beginning)(?:s|ing|ed)?|new)\b", re.IGNORECASE),
    "most": re.compile(r"\b(?:at most|maximum|most|above|up to|cap|capped|limit|never more|no more|better than|higher than)\b", re.IGNORECASE),
    "least": re.compile(r"\b(?:at least|minimum|least|below|never less|lower than|fewer than|under)\b", re.IGNORECASE),
}


@frozen
class Knows:
    """A number that a rule knows: `print` is how prose prints it."""

    number: int
    print: str
    place: Span


def typed_number(view: View) -> Iterator[Diagnostic]:
    """A number in prose that a rule of something named in the same sentence states."""
    names: dict[str, list[Entry]] = {}
    numbers = all_known(view)
    for text in view.texts:
        small = text.text.casefold()
        if not (DIGIT.search(small) or SMALL_NUMBER.search(small)) or not any(number_of(found[0]) in numbers for found in TYPED.finditer(text.text)):
            continue
        for at, sentence in readable(text):
            typed = [(found, number) for found in TYPED.finditer(sentence) if (number := number_of(found[0])) in numbers]
            if typed:
                names = names or entries_by_name(view)
                mentioned = in_sentence(view, text, at, sentence, names)
                yield from typed_in(view, text, at, sentence, typed, mentioned)


def all_known(view: View) -> set[int]:
    """Every number above 1 that some rule states: others need no second look."""
    found = {atom.value for entry in view.system.entries.values() for field in entry.fields.values() for atom in field.value if isinstance(atom, Int)}
    for entries in view.known.numbers.values():
        found |= {bound for entry in entries for which in FIELD_OF if (bound := view.known.bound(entry, which)) is not None}
    return {number for number in found if number > 1}


def readable(text: Text) -> Iterator[tuple[int, str]]:
    """Sentences that somebody might read to the end."""
    return ((at, sentence) for at, sentence in text.sentences() if len(sentence) < 3000)


def number_of(text: str) -> int:
    return int(text[:12]) if text.isdecimal() else NUMBERS.get(text.casefold(), 0)  # `re` takes the dotless i for an i


def entries_by_name(view: View) -> dict[str, list[Entry]]:
    found: dict[str, list[Entry]] = {}
    for entry in view.system.entries.values():
        for name in (entry.name, *entry.aliases):
            found.setdefault(fold(name), []).append(entry)
    return found


def in_sentence(view: View, text: Text, at: int, sentence: str, names: dict[str, list[Entry]]) -> list[Entry]:
    """What a sentence speaks of: what it links to, what it names, and what it is the text of."""
    found = [view.system.entries[id] for _, _, id in text.links(at, at + len(sentence)) if id in view.system.entries]
    for run in RUN.finditer(sentence):
        words = run[0].split()
        for start in range(len(words)):
            for end in range(min(len(words), start + LONGEST), start, -1):
                found += [entry for form in forms(" ".join(words[start:end])) for entry in names.get(form, [])]
    if text.owner in view.system.entries:
        found.append(view.system.entries[text.owner])
    return list({entry.id: entry for entry in found}.values())


def typed_in(view: View, text: Text, at: int, sentence: str, typed: list[tuple[re.Match[str], int]], mentioned: list[Entry]) -> Iterator[Diagnostic]:
    for found, number in typed:
        near = CLAUSE.split(sentence[max(0, found.start() - 40) : found.start()])[-1] + CLAUSE.split(sentence[found.start() : found.end() + 25])[0]
        known = next((one for entry in mentioned for one in knows(view, entry, near, mentioned) if one.number == number), None)
        if known is not None:
            yield number_typed(found[0], text.place(at + found.start(), at + found.end()), known)


def knows(view: View, entry: Entry, near: str, mentioned: list[Entry]) -> Iterator[Knows]:
    """What the rules know of `entry` that the words around a number speak of."""
    if view.known.nature(entry) == "number":
        for which, cue in CUES.items():
            bound = view.known.bound(entry, which)
            if bound is not None and cue.search(near):
                place = entry.fields[FIELD_OF[which]].span if FIELD_OF[which] in entry.fields else entry.span
                yield Knows(bound, f"{entry.name}'s {which}", place)
        return
    beside = {slug(other.name) for other in mentioned}
    for key, field in entry.fields.items():
        match field.value:
            case (Int(number),) if key in beside or field.label.casefold() in near.casefold():
                if re.search(rf"\b{re.escape(field.label)}\b", near, re.IGNORECASE):
                    yield Knows(number, f"{entry.name}'s {field.label}", field.span)
            case _:
                pass


def number_typed(typed: str, span: Span, known: Knows) -> Diagnostic:
    return Diagnostic(
        "typed-number",
        f"`{typed}` is typed here, and a rule knows it",
        span,
        "warning",
        f"write `{{{known.print}}}`, so that the two can never differ",
        (Label(known.place, "the rule is here"),),
    )


# ---------------------------------------------------------------- lists with a gap

HEDGE = (
    r"(?i)\b(?:such as|for example|for instance|e\.g|like|except|but not|without|apart from|other than|some|either|any of|one of|two of|three of|only|"
    r"not|instead of)\b"
)
GLUE = re.compile(r"(?:\s*[,;/]\s*(?:and\b)?\s*|\s+and\s+)(?:the\s+|an?\s+)?")


MOST_FORGOTTEN = 3
"""Who leaves out as many does not mean to name them all."""


def incomplete_list(view: View) -> Iterator[Diagnostic]:
    """A sentence that lists a kind's members says so, and forgets one or two of them."""
    members = kinds_of(view)
    names = {fold(name): entry for entries in members.values() for entry in entries for name in (entry.name, *entry.aliases)}
    for text in view.texts:
        for at, sentence in readable(text) if "," in text.text else ():
            found = list(lists(sentence, names)) if "," in sentence else []
            for start, end, listed in found if found and not re.search(HEDGE, sentence) else ():
                yield from gap(view, text, sentence, (at + start, at + end), listed, members)


def kinds_of(view: View) -> dict[str, list[Entry]]:
    """The members of each kind that are always there: those of a hack are not."""
    found: dict[str, list[Entry]] = {}
    for entry in view.system.entries.values():
        if entry.kind in view.system.kinds and entry.owner is None:
            found.setdefault(entry.kind, []).append(entry)
    return {kind: entries for kind, entries in found.items() if len(entries) > 3}


def lists(sentence: str, names: dict[str, Entry]) -> Iterator[tuple[int, int, list[Entry]]]:
    """Runs of known names with commas and `and` between them."""
    if not names:
        return
    listed: list[Entry] = []
    start = end = 0
    for found in RUN.finditer(sentence):
        entry = next((names[form] for form in forms(" ".join(found[0].split())) if form in names), None)
        if entry is not None and listed and GLUE.fullmatch(sentence[end : found.start()]):
            listed.append(entry)
        else:
            if len(listed) > 2:
                yield start, end, listed
            listed, start = ([entry] if entry else []), found.start()
        end = found.end()
    if len(listed) > 2:
        yield start, end, listed


def gap(view: View, text: Text, sentence: str, place: tuple[int, int], listed: list[Entry], members: dict[str, list[Entry]]) -> Iterator[Diagnostic]:
    kind = listed[0].kind
    said = {entry.id for entry in listed}
    if any(entry.kind != kind for entry in listed) or len(members[kind]) - len(said) >= MOST_FORGOTTEN:
        return
    missing = [entry for entry in members[kind] if entry.id not in said]
    info = view.system.kinds[kind]
    claims = re.search(rf"\b(?:{re.escape(info.plural)}|{re.escape(kind)})\b", sentence, re.IGNORECASE) is not None
    if claims and 0 < len(missing) < min(MOST_FORGOTTEN, len(listed)):
        yield forgets(text.place(*place), kind, missing)


def forgets(span: Span, kind: str, missing: Iterable[Entry]) -> Diagnostic:
    left_out = list(missing)
    names = " and ".join(f"`{entry.name}`" for entry in left_out)
    return Diagnostic(
        "incomplete-list",
        f"this list names every {kind} except {names}",
        span,
        "warning",
        "name them all, or say `such as` when the list is not meant to be whole",
        tuple(Label(entry.span, f"`{entry.name}` is defined here") for entry in left_out),
    )


LINTS = (undefined_term, typed_number, incomplete_list)
