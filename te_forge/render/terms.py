"""The terms of a game: which names prose may link to, and what each means in one sentence."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence

from te_forge.aloud import read_aloud
from te_forge.model.rules import Text
from te_forge.model.system import Cell, Chapter, Entry, Field, Grid, Line, Prose, System, Words, plain

UNTERMED = {"example", "ruling", "reading", "hack", "kind", "rule"}
"""Headings whose names are titles rather than terms: prose links to them only when it is told to."""

WORD = re.compile(r"[^\W_]+(?:[’'-][^\W_]+)*")
NONE: list[int] = []
ADDRESSES = re.compile(r":?\s*https?://\S+")
JOINED = re.compile(r",? and |,? or |, ")
ENDED = (".", "!", "?", "…", ":", "。", "！", "？", ".”", '."', ".)")


def sentence_text(words: Words) -> str:
    """Rule words as a sentence, read aloud."""
    return as_sentence(read_aloud(plain(words)))


def texts(field: Field) -> tuple[str, ...]:
    """The quoted texts of a field that holds nothing else; empty for any other."""
    found = tuple(atom.text for atom in field.value if isinstance(atom, Text))
    return found if found and len(found) == len(field.value) else ()


def field_text(field: Field) -> str:
    return between(field).join(texts(field)) or read_aloud(plain(field.words).strip())


def between(field: Field) -> str:
    """What stands between the texts of a field: a comma between names, as their author has written it, more between sentences."""
    return "; " if '"' in plain(field.words) else ", "


def stop_between(names: Iterable[str]) -> str:
    """What stands between names in a list: a comma, or a semicolon where a name has a comma of its own (`The Road, Played`)."""
    return "; " if any("," in name for name in names) else ", "


def in_sentence(names: Iterable[str]) -> str:
    """Makers in the middle of a sentence: `by the makers of this`, where `The Beatles` keep their capital."""
    return ", ".join(re.sub(r"^The (?=[a-z])", "the ", name) for name in names)


def aliases(entry: Entry) -> tuple[str, ...]:
    return tuple(dict.fromkeys(name for name in entry.aliases if name != entry.name))


class Glossary:
    """Finds terms in prose: the longest whole one, capitals as written, never one that could mean two things."""

    def __init__(self, system: System) -> None:
        self.system = system
        self.names: dict[str, str] = {}
        self.lengths: dict[str, list[int]] = {}
        """By first word, how long the terms are that begin with it, longest first: few, however many terms there are."""
        owners: dict[str, set[str]] = {}
        for entry in system.entries.values():
            if entry.kind not in UNTERMED:
                for name in (entry.name, *aliases(entry)):
                    owners.setdefault(name, set()).add(entry.id)
        for name, ids in owners.items():
            first = WORD.search(name)
            if len(ids) == 1 and first and first.start() == 0 and name[0].isupper():
                self.names[name] = next(iter(ids))
                self.lengths.setdefault(first[0], []).append(len(name))
        self.lengths = {first: sorted(set(found), reverse=True) for first, found in self.lengths.items()}
        self.ordinary = {word for text in all_prose(system) for word in WORD.findall(text) if word.islower()} if self.names else set()

    def find(self, text: str, at_start: bool, spoken: Collection[str] = ()) -> Iterator[tuple[int, int, str]]:
        """`(start, end, id)` of each term in `text`; `at_start` says that a sentence begins with it. `spoken` are the things that the rules there
        name.
        """
        after = 0
        for match in WORD.finditer(text):
            word = match[0]
            lengths = self.lengths.get(word, NONE)
            if "'" in word or "’" in word:
                lengths = [*lengths, *self.lengths.get(re.split("['’]", word)[0], NONE)]
            if lengths and match.start() >= after and (hit := self.at(text, match.start(), lengths, at_start, spoken)):
                yield hit
                after = hit[1]

    def at(self, text: str, begin: int, lengths: Sequence[int], at_start: bool, spoken: Collection[str] = ()) -> tuple[int, int, str] | None:
        for length in lengths:
            end = begin + length
            name = text[begin:end]
            if name in self.names and whole(text, end) and not self.merely_capital(name, text, begin, at_start, spoken):
                return begin, end, self.names[name]
        return None

    def merely_capital(self, name: str, text: str, begin: int, at_start: bool, spoken: Collection[str]) -> bool:
        """At the start of a sentence an ordinary word (`Hide`) has a capital too. It is a term there if prose never uses it small, if the rules that
        the prose stands with speak of it, or if another term is named in the same breath (`Run and Jump`).
        """
        if name.casefold() not in self.ordinary or self.names[name] in spoken or self.goes_on(text, begin + len(name)):
            return False
        before = text[:begin].rstrip(' \t\n*_"“‘(«')
        return (not before and at_start) or before.endswith((".", "!", "?", ":", "…", "\n"))

    def goes_on(self, text: str, end: int) -> bool:
        """Whether a list of terms goes on here: `, Jump`, ` or Jump`."""
        joined = JOINED.match(text, end)
        word = WORD.match(text, joined.end()) if joined else None
        lengths = self.lengths.get(word[0], NONE) if word else NONE
        return word is not None and any(text[word.start() : word.start() + one] in self.names and whole(text, word.start() + one) for one in lengths)


def whole(text: str, end: int) -> bool:
    """Whether a word ends here; `Might's` counts, `Tough` after `Shell` and `Doom-filled` after `Doom` do not."""
    rest = text[end : end + 2]
    if not rest or not (rest[0].isalnum() or rest[0] in "_-’'"):
        return True
    return (rest[0] in "’'" and not rest[1:].isdigit()) or (rest[0] == "-" and not rest[1:].isalnum())


def all_prose(system: System) -> Iterator[str]:
    for entry in system.entries.values():
        yield from strings(prose.words for prose in entry.prose)
        yield from strings(step.prose for step in entry.steps)
    for chapter in system.chapters:
        yield from chapter_prose(chapter)


def chapter_prose(chapter: Chapter) -> Iterator[str]:
    for item in chapter.items:
        if isinstance(item, Prose):
            yield from strings([item.words])
        elif isinstance(item, Grid):
            yield from strings(cell for row in item.rows for cell in row)


def strings(many: Iterable[Words]) -> Iterator[str]:
    for words in many:
        yield from (part for part in words if isinstance(part, str))


# ---------------------------------------------------------------- one sentence about a thing


def first_sentence(text: str, most: int = 220) -> str:
    """The first sentence of `text`, cut at a word when it is long."""
    text = " ".join(text.split())
    found = re.match(r".+?[.!?…。！？][”\")’]*(?=\s|$)", text)
    return shortened(found[0] if found and len(found[0]) > 3 else text, most)


def shortened(text: str, most: int = 120) -> str:
    """A text on one line, cut at a word when it is long."""
    text = " ".join(text.split())
    return text if len(text) <= most else text[:most].rsplit(" ", 1)[0].rstrip(",;:") + " …"


def as_list(points: Sequence[str], most: int = 120) -> str:
    """The points of a list on one line, without web addresses, as many as there is room for: each stays whole, and the first is always there."""
    said = [point for text in points if (point := ADDRESSES.sub("", text).strip())]
    out = ""
    for point in said:
        longer = f"{out}{'' if not out else ' ' if out.endswith(ENDED) else '; '}{point}"
        if out and len(longer) > most:
            return out.rstrip(".") + " …"
        out = longer
    return out


def as_sentence(text: str) -> str:
    """A capital first, a full stop last."""
    text = text.strip()
    text = text[:1].upper() + text[1:]
    return text if not text or text.endswith(ENDED) else text + "."


def explained(entry: Entry) -> bool:
    """Whether there is more to say of an entry than its fields."""
    return bool(entry.prose or entry.lines or entry.steps or entry.table)


def about(entry: Entry, prose_text: str) -> str:
    """What an entry is, in a sentence: from its prose, or else from its rules."""
    if prose_text.strip():
        said = entry.fields.get("reads") if entry.kind == "ruling" else None
        return first_sentence(prose_text) + (f" We read: {field_text(said).rstrip('.')}." if said else "")
    if entry.kind == "reading" and "answers" in entry.fields:
        return f"Another answer to {field_text(entry.fields['answers']).rstrip('.')}."
    if entry.lines:
        return first_sentence(line_text(entry.lines[0]))
    if entry.steps:
        return first_sentence("Steps: " + ", ".join(step.name for step in entry.steps) + ".")
    if entry.table:
        return table_sentence(entry.table.die)
    stated = [f"{field.label}: {field_text(field)}" for field in entry.fields.values() if not isinstance(field, Cell)]
    return first_sentence("; ".join(stated)) + "." if stated else f"{article(entry.kind)} {entry.kind}."


def line_text(line: Line) -> str:
    return " ".join([sentence_text(line.words), *(line_text(below) for below in line.lines)])


def table_sentence(die: str) -> str:
    return "What happens as it counts up." if die == "at" else f"A table for {die}."


def article(noun: str) -> str:
    return "An" if noun[:1].casefold() in "aeiou" else "A"
