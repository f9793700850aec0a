"""The capitalised words of the prose: where they stand and whether the game knows them.

A term is a run of Capitalised Words inside a sentence (small words `of`, `the` .. may stand within: `Ring of Fire`). The first word of a sentence, of
a list item, of a quotation or behind a colon is capitalised anyway and says nothing, so such a run counts only from its second word on.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from te_forge.check.lint_view import Text, View
from te_forge.check.names import fold
from te_forge.model.rules import Holds, Quoted, Type
from te_forge.model.system import Entry, Line, System
from te_forge.source import Span

WORD = r"[^\W\d_a-z][\w]*(?:['’-][\w]+)*"
RUN = re.compile(rf"(?<![\w'’/.@#-]){WORD}(?:[ \n]{WORD})*")
SKIP = re.compile(r"`[^`\n]*`|!?\[[^\]\n]*\]\([^)\n]*\)|<[^>\n]*>|https?://\S+|^\s*#.*$", re.MULTILINE)
QUIET_BEFORE = re.compile(r"(?:^|[:;.!?…]|[\"“”‘«»(\[*_—–|]|(?<!\w)['’-]|^\s*(?:[*+-]|\d+\.))\s*$")
POSSESSIVE = re.compile(r"['’]s$|(?<=s)['’]$")
OWNED = re.compile(r"(?:[a-z]+['’]s?|[Ii]ts|[Tt]heir|[Hh]is|[Hh]er|[Yy]our|\d+)\s$")
LISTED = re.compile(r"(?:,|\band|\bor|/)\s$")


@dataclass(frozen=True, slots=True)
class Use:
    """A capitalised run in prose. `strong`: it stands where a number's name stands (`the adversary's X`, `2 X`, and on in such a list)."""

    name: str
    span: Span
    strong: bool
    quiet: bool


class Terms:
    """All terms of a pack's prose, and all that is known."""

    def __init__(self, view: View) -> None:
        self.known = set(known_names(view.system))
        self.words = {word for name in self.known for word in name.split()} | set(credited(view.system))
        self.uses: list[Use] = [use for text in view.texts for use in runs(text)]
        self.said = {part for text in view.texts for name in all_runs(text) for part in parts_of(name)}
        self.lower = {word for text in view.texts for word in re.findall(r"(?<![\w'’-])[^\W\d_A-Z][\w'’-]*", text.text)}

    def knows(self, name: str) -> bool:
        """Whether `name`, its singular, or what is left of it without a possessive is a name of the game."""
        return any(form in self.known for form in forms(name))

    def made_of_known(self, name: str) -> bool:
        """Whether a run is nothing but known names one after the other (`Monster Armored`, `GM Tension`)."""
        words = name.split()
        for end in range(len(words), 0, -1):
            if self.knows(" ".join(words[:end])) or end == 1 and words[0] in self.words:
                return end == len(words) or self.made_of_known(" ".join(words[end:]))
        return False


def forms(name: str) -> Iterator[str]:
    """A name as it is and as a singular."""
    plain = POSSESSIVE.sub("", fold(name))
    yield fold(name)
    yield plain
    if plain.endswith("ies"):
        yield plain[:-3] + "y"
    if plain.endswith("es"):
        yield plain[:-2]
    if plain.endswith("s"):
        yield plain[:-1]


def parts_of(name: str) -> Iterator[str]:
    """Every shorter run within a run, in all forms."""
    words = name.split()
    for start in range(len(words)):
        for end in range(start + 1, min(len(words), start + 5) + 1):
            yield from forms(" ".join(words[start:end]))


def blanked(text: str) -> str:
    """The text with code, links' targets and addresses made blank, at the same length."""
    return SKIP.sub(lambda found: " " * len(found[0]), text)


def all_runs(text: Text) -> Iterator[str]:
    for found in RUN.finditer(blanked(text.text)):
        yield " ".join(found[0].split())


def runs(text: Text) -> Iterator[Use]:
    """The runs in mid-sentence that are not links; a run at a beginning gives up its first word."""
    plain = blanked(text.text)
    linked = [(start, end) for start, end, _ in text.refs]
    for at, sentence in text.sentences():
        strong_to = -1
        for found in RUN.finditer(plain, at, at + len(sentence)):
            start, end = found.span()
            if any(a < end and start < b for a, b in linked):
                continue
            before = plain[at:start]
            quiet = bool(QUIET_BEFORE.search(before)) or not before.strip()
            strong = bool(OWNED.search(before)) or 0 <= strong_to and bool(LISTED.fullmatch(plain[strong_to:start].lstrip()))
            if strong:
                strong_to = end
            yield Use(POSSESSIVE.sub("", " ".join(found[0].split())), text.place(start, end), strong and not quiet, quiet)


def known_names(system: System) -> Iterator[str]:
    """Every name that the game has: entries, aliases, kinds, lines, steps, outcomes, options, rows, fields, chapters."""
    for entry in system.entries.values():
        yield from (fold(name) for name in entry_names(entry))
    for info in system.kinds.values():
        for name in (info.name, info.plural):
            yield name
            yield name[:1].upper() + name[1:]
    for chapter in system.chapters:
        yield fold(chapter.title)


def entry_names(entry: Entry) -> Iterator[str]:
    yield entry.name
    yield from entry.aliases
    yield from (name for line in lines_below(entry.lines) for name in (line.label,))
    for step in entry.steps:
        yield step.name
        yield from (line.label for line in lines_below(step.lines))
    for field in entry.fields.values():
        yield field.label
        yield from (atom.text for atom in field.value if isinstance(atom, Quoted) and len(atom.text) < 40)
        yield from (word for atom in field.value if isinstance(atom, Holds) for word in atom.type.words)
    for slot in entry.slots.values():
        yield slot.name
        yield from slot.holds.words
    for patch in entry.patches:
        yield from (line.label for line in lines_below(patch.lines))
    for table in ([entry.table] if entry.table else []) + [table for patch in entry.patches for table in patch.tables]:
        yield from table.columns
        yield from (row.name for row in table.rows)
    yield from type_words(entry.locals.values())


def type_words(types: Iterable[Type]) -> Iterator[str]:
    for held in types:
        yield from held.words


def lines_below(lines: tuple[Line, ...]) -> Iterator[Line]:
    for line in lines:
        yield line
        yield from lines_below(line.lines)


def credited(system: System) -> Iterator[str]:
    """Words of the packs' titles, people, licenses and credits, which are no terms of the game."""
    for pack in system.packs:
        works = (text for work in pack.sources for text in (work.title, *work.authors, work.license, work.attribution, work.changes))
        for text in (pack.title, pack.subtitle, *pack.authors, pack.license, *pack.credits, *pack.marks, *works):
            yield from re.findall(r"[\w'’-]+", text or "")


_last: list[tuple[View, Terms]] = []


def terms(view: View) -> Terms:
    """The terms of a view, found once."""
    return view.terms  # type: ignore[attr-defined,no-any-return]
