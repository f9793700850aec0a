"""The capitalised words of the prose: where they stand and whether the game knows them.

A term is a run of Capitalised Words inside a sentence (small words `of`, `the` .. may stand within: `Ring of Ember`). The first word of a sentence,
of a list item, of a quotation or behind a colon is capitalised anyway and says nothing, so such a run counts only from its second word on.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Iterator
from functools import cached_property
from itertools import groupby
from typing import NamedTuple

from te_forge.check.lint_text import Text, entry_tables
from te_forge.frozen import frozen
from te_forge.keys import fold
from te_forge.model.rules import Holds
from te_forge.model.rules import Text as Quoted
from te_forge.model.system import Entry, Line, System
from te_forge.source import Span

CAPITAL, REST = r"[^\W\d_a-z]", r"[\w]*(?:['’-][\w]+)*"
RUN = re.compile(
    rf"{CAPITAL}(?<![\w'’/.@#-].){REST}(?:[ \n]{CAPITAL}{REST})*"
)  # the capital comes first: it is found fast, then what is before it looked at
SKIP = re.compile(r"`[^`\n]*`|!?\[[^\[\]\n]*\]\([^)\[\n]*\)|<[^<>\n]*>|https?://\S+|^[ \t]*#.*$", re.MULTILINE)
SKIP_SIGN = re.compile(r"[`\[<#]|://")
"""No bracket is looked for beyond the next one that opens: a page of nothing but brackets would take for ever."""
ENDS_BEFORE = frozenset(':;.!?…"“”‘«»([*_—–|')
"""Behind these anything would be capitalised; so it would behind an apostrophe or a dash that stands by itself."""
POSSESSIVE = re.compile(r"['’]s$|(?<=s)['’]$")
OWNED = re.compile(r"(?:[a-z]+['’]s?|[Ii]ts|[Tt]heir|[Hh]is|[Hh]er|[Yy]our|\d+)\s$")
THING = re.compile(
    r"\b(?:the|an?|any|each|every|no|some|more|less|extra|all|gains?|loses?|spends?|pays?|uses?|rolls?|adds?|takes?|costs?|against)\s$", re.IGNORECASE
)
LISTED = re.compile(r"(?:,|\band|\bor|/)\s$")

LONGEST = 6
"""How many words a name has at most, for finding names within runs."""
NEAR = 60
"""How far back one looks for what stands before a word."""
LAST = 9
"""The letters of the longest of those that `OWNED` and `THING` look for, so that they need not look at all that stands before."""


@frozen
class Use:
    """A capitalised run in prose. `strong`: it stands where a number's name stands (`the adversary's X`, `2 X`, and on in such a list).
    `thing`: something is done with it that is not done with people (`the X`, `lose X`). `quiet`: it would be capitalised there anyway.
    """

    name: str
    text: Text
    start: int
    strong: bool
    thing: bool
    quiet: bool

    @property
    def span(self) -> Span:
        return self.text.place(self.start, self.start + len(self.name))


class Terms:
    """All terms of a pack's prose, and all that is known."""

    def __init__(self, system: System, texts: Iterable[Bare]) -> None:
        self.known = set(map(fold, known_names(system)))
        self.words = {word for name in self.known for word in name.split()} | set(credited(system))
        self.texts = tuple(texts)
        quiet: set[str] = set()
        self.uses = [use for text in self.texts for use in runs(text, quiet)]
        """Of the quiet uses of a name only the first, since they say no more than that it is there."""

    @cached_property
    def said(self) -> frozenset[str]:
        """Every known name that may be meant by a capitalised run somewhere."""
        begun = frozenset(name.partition(" ")[0] for name in self.known)
        said = {name for text in self.texts for name in all_runs(text)}
        return frozenset(part for name in said for part in parts_of(name, begun) if part in self.known)

    def knows(self, name: str) -> bool:
        """Whether `name`, its singular, or what is left of it without a possessive is a name of the game."""
        return any(form in self.known for form in forms(name))

    def made_of_known(self, name: str) -> bool:
        """Whether a run is nothing but known names one after the other (`Giant Tough`)."""
        words = name.split()
        reached = {0}
        for start in range(len(words)):
            if start in reached:
                ends = range(start + 1, min(len(words), start + LONGEST) + 1)
                reached.update(end for end in ends if self.knows(" ".join(words[start:end])))
                if words[start] in self.words:
                    reached.add(start + 1)
        return len(words) in reached


def forms(name: str) -> Iterator[str]:
    """A name as it is and as a singular."""
    folded = fold(name)
    plain = POSSESSIVE.sub("", folded) if "'" in folded else folded
    yield folded
    yield plain
    if plain.endswith("ies"):
        yield plain[:-3] + "y"
    if plain.endswith("es"):
        yield plain[:-2]
    if plain.endswith("s"):
        yield plain[:-1]


def parts_of(name: str, begun: Container[str]) -> Iterator[str]:
    """Every shorter run within a run, in all forms, that begins with one of the words `begun`."""
    words = name.split()
    for start in range(len(words)):
        if words[start] not in begun and not any(form in begun for form in forms(words[start])):
            continue
        for end in range(start + 1, min(len(words), start + LONGEST) + 1):
            yield from forms(" ".join(words[start:end]))


def blanked(text: str) -> str:
    """The text with code, links' targets and addresses made blank, at the same length."""
    return SKIP.sub(lambda found: " " * len(found[0]), text) if SKIP_SIGN.search(text) else text


def masked(plain: str, refs: Iterable[tuple[int, int, str]]) -> str:
    """The text with what is linked made small, since a link is never unknown."""
    out: list[str] = []
    at = 0
    for start, end, _ in refs:
        out += (plain[at:start], "x" * (end - start))
        at = end
    return "".join((*out, plain[at:]))


def capitalised(plain: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Where runs of Capitalised Words stand. The pattern takes letters without case for capitals; they are sorted out here."""
    for found in RUN.finditer(plain, start, end):
        if found[0].isascii():
            yield found.span()
            continue
        for upper, words in groupby(re.finditer(r"[^ \n]+", found[0]), lambda word: word[0][0].isupper()):
            if upper:
                run = list(words)
                yield found.start() + run[0].start(), found.start() + run[-1].end()


class Bare(NamedTuple):
    """A text as its words are looked at: `plain` has nothing where code, addresses and the targets of links stand, `masked` no capitals in what is
    linked.
    """

    text: Text
    plain: str
    masked: str


def bare(text: Text) -> Bare:
    plain = blanked(text.text)
    return Bare(text, plain, masked(plain, text.refs) if text.refs else plain)


def all_runs(text: Bare) -> Iterator[str]:
    plain = text.plain
    for start, end in capitalised(plain, 0, len(plain)):
        yield " ".join(plain[start:end].split())


def runs(of: Bare, known_quiet: set[str]) -> Iterator[Use]:
    """The runs that are not links. Of the quiet ones, those whose names are not in `known_quiet`, where they are put."""
    text, plain = of.text, of.masked
    for at, sentence in text.sentences():
        strong_to = -1
        for start, end in capitalised(plain, at, at + len(sentence)):
            name = unowned(" ".join(plain[start:end].split()))
            if start == at and name in known_quiet:
                continue
            before = plain[max(at, start - NEAR) : start]
            quiet = is_quiet(before.strip())
            listed = strong_to >= 0 and start - strong_to < NEAR and bool(LISTED.fullmatch(plain[strong_to:start].lstrip()))
            strong = listed or bool(OWNED.search(before, len(before) - LAST))
            if strong:
                strong_to = end
            if quiet and name in known_quiet:
                continue
            if quiet:
                known_quiet.add(name)
            yield Use(name, text, start, strong and not quiet, not quiet and bool(THING.search(before, len(before) - LAST)), quiet)


def unowned(name: str) -> str:
    """A name without the `'s` behind it."""
    return POSSESSIVE.sub("", name) if "'" in name or "’" in name else name


def is_quiet(before: str) -> bool:
    """Whether a word behind `before` would be capitalised anyway."""
    if not before or before == "+" or before[-1] in ENDS_BEFORE:
        return True
    return before[-1] in "'’-" and not (before[-2:-1].isalnum() or before[-2:-1] == "_")


def known_names(system: System) -> set[str]:
    """Every name that the game has: entries, aliases, kinds, lines, steps, outcomes, options, rows, fields, chapters."""
    found: set[str] = set()
    for entry in system.entries.values():
        add_names(entry, found)
    for info in system.kinds.values():
        for name in (info.name, info.plural):
            found.update((name, name[:1].upper() + name[1:]))
    found.update(chapter.title for chapter in system.chapters)
    return found


def add_names(entry: Entry, found: set[str]) -> None:
    found.add(entry.name)
    found.update(entry.aliases)
    add_labels(entry.lines, found)
    for step in entry.steps:
        found.add(step.name)
        add_labels(step.lines, found)
    for field in entry.fields.values():
        found.add(field.label)
        for word in field.words:
            if isinstance(word, str) and len(word) < 200:
                found.update([name.strip() for name in word.split(",")] if "," in word else (word.strip(),))
        for atom in field.value:
            if isinstance(atom, Quoted) and len(atom.text) < 40:
                found.add(atom.text)
            elif isinstance(atom, Holds):
                found.update(atom.type.words)
    for slot in entry.slots.values():
        found.add(slot.name)
        found.update(slot.holds.words)
    for patch in entry.patches:
        add_labels(patch.lines, found)
    for table in entry_tables(entry):
        found.update(table.columns)
        found.update(row.name for row in table.rows)
    for held in entry.locals.values():
        found.update(held.words)


def add_labels(lines: tuple[Line, ...], found: set[str]) -> None:
    for line in lines:
        found.add(line.label)
        if line.lines:
            add_labels(line.lines, found)


def lines_below(lines: tuple[Line, ...]) -> Iterator[Line]:
    for line in lines:
        yield line
        if line.lines:
            yield from lines_below(line.lines)


def credited(system: System) -> Iterator[str]:
    """Words of the packs' titles, people, licenses and credits, which are no terms of the game."""
    for pack in system.packs:
        works = (text for work in pack.sources for text in (work.title, *work.authors, work.license, work.attribution, work.changes))
        for text in (pack.title, pack.subtitle, *pack.authors, pack.license, *pack.credits, *pack.marks, *works):
            yield from re.findall(r"[\w'’-]+", text or "")
