"""What is declared: every entry with its id, every kind, and the table that names are looked up in.

A name is found whatever its apostrophes, spaces and composed letters are; how it is written stays the author's.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from copy import copy
from dataclasses import field

from te_forge.frozen import frozen, mutable
from te_forge.keys import fold
from te_forge.model.rules import Type
from te_forge.model.system import Entry, KindInfo, Slot
from te_forge.source import Span
from te_forge.suggest import asked, called_in_short, heard_alike, nearest
from te_forge.syntax.tree import Cell, Heading

DECLARED = "`## kind: {}`, and below it `- Is: an actor`, `an entry`, or `a number of ..` or `a trait of ..` somebody"
"""How a kind is declared."""
ONE_DECLARED = "declare the one that there is: `## kind: {}`, and below it `- Is: an actor` and `- How Many: 1`"
ENGINE_KINDS = ("kind", "procedure", "rule", "table", "deck", "hack", "ruling", "reading", "example")
NATURES = ("number", "trait", "entry", "actor")
MOST_LOOKS = 500_000
"""Names compared for `did you mean` in one run; where thousands are unknown, the later ones get no suggestion."""
MOST_NAMESAKES = 100
"""So many things of one name are told apart by what a sentence needs; a name that more of them have says nothing."""
SWITCHES = ("hack", "reading")
OF_THE_BOOK = ("hack", "ruling", "reading", "example")
"""Kinds of what is about the rules, and is nothing that anybody meets in play."""
SHELVES = ("rule", "hack", "ruling", "reading", "example")
"""Kinds whose names rules hardly mention, so that a name stands for something else where it can; prose and fields speak of them."""


EVERYWHERE = ""
"""The place of a word that belongs to no one procedure."""
SIGNS = re.compile(r"[<>\"`|\\]")
TAGS = re.compile(r"</?[A-Za-z][^<>]*>")
MARKED = re.compile(r"^(\*\*|__|\*|_|\"|`)(.+)\1$")
ENDING = re.compile(r"(?<=\w):$|(?<=[a-z]{3})\.$|\s+#+$")
SMALL_WORDS = frozenset(["an", "and", "at", "by", "for", "from", "in", "of", "on", "or", "the", "to", "with"])


def bare_name(name: str) -> str:
    """A name without marks of Markdown around it, and without a colon or full stop at its end."""
    made = MARKED.sub(r"\2", name)
    made = ENDING.sub("", made)
    return made if made.strip() else name


def odd(name: str, kind: str) -> tuple[str, str] | None:
    """What is wrong with a name that no rule or page could show as one, and what to do; None for any other."""
    if (bare := bare_name(name)) != name and not SIGNS.search(bare):
        return f"`{name}` has a sign at its end or around it that is no part of a name", f"write `{bare}`"
    if (plain := TAGS.sub(" ", name)) != name and not SIGNS.search(plain):
        return f"`{name}` has HTML in it, and a name is made of words", f"write `{' '.join(plain.split())}`"
    if found := SIGNS.search(name):
        return f"`{found[0]}` is no part of a name", "a name is made of words; signs that are to be seen stand in prose"
    if fold(name).casefold() in SMALL_WORDS:
        return f"`{name}` is a small word, and no name by itself", "add what it speaks of: `The Old Bridge`"
    if "," in name and kind not in SHELVES:
        return "a comma parts two names in a list, so this would be read as two", "write the name without it"
    return None


@mutable
class Decl:
    """An entry as it was declared. `row` holds the cells of a bulk table by column name, `columns` where these names stand; otherwise `heading` has
    the body.
    """

    id: str
    kind: str
    name: str
    span: Span
    cites: tuple[str, ...] = ()
    owner: Decl | None = None
    heading: Heading | None = None
    row: dict[str, Cell] = field(default_factory=dict)
    columns: dict[str, Span] = field(default_factory=dict)
    patches: list[Heading] = field(default_factory=list)
    parts: list[str] = field(default_factory=list)
    aliases: list[str] = field(default_factory=list)
    file: str = ""
    base: str = ""
    """The id of what it is a copy of."""
    base_span: Span | None = None


@mutable
class Procedure:
    """What callers and hooks may know of a procedure. `above` are the procedures it is part of or counts as."""

    id: str
    roles: dict[str, Type] = field(default_factory=dict)
    outcomes: dict[str, str] = field(default_factory=dict)
    steps: dict[str, str] = field(default_factory=dict)
    values: dict[str, Slot] = field(default_factory=dict)
    above: list[str] = field(default_factory=list)
    locals: dict[str, Type] = field(default_factory=dict)
    counts: bool = False
    """It says where rolled dice are final (`Counts:`), so `after a roll` happens in it."""
    sure: dict[str, frozenset[str]] | None = None
    """The locals that surely have a value after each step (by its id), and after the procedure (by its own id); None until it has been read."""

    def sure_at(self, id: str, before: bool) -> Collection[str]:
        """The words that surely have a value before or after the step `id`, or the procedure itself."""
        if self.sure is None:
            return self.locals
        if not before:
            return self.sure.get(id, ())
        steps = list(self.steps.values())
        at = steps.index(id) if id in steps else 0
        return self.sure.get(steps[at - 1], ()) if at else ()


@frozen
class Somebody:
    """Whom an example brings in: the example, where it does so, and what it calls them: a kind, or a thing of one."""

    example: str
    span: Span
    what: str


class Names:
    """All names that can be mentioned, of this pack and of those below it."""

    def __init__(self) -> None:
        self.kinds: dict[str, KindInfo] = {}
        self.plurals: dict[str, str] = {}
        self.called: dict[str, str] = {}
        """Other names of kinds, one and many: new ones that hacks give them, and old ones; rules may use them too."""
        self.slots: dict[str, dict[str, Slot]] = {}
        self.by_name: dict[str, list[str]] = {}
        self.chapters: dict[str, str] = {}
        """Ids of chapters by title; only hacks speak of them."""
        self.kind_of: dict[str, str] = {}
        self.title: dict[str, str] = {}
        self.numbers_of: dict[str, tuple[str, ...]] = {}
        self.procedures: dict[str, Procedure] = {}
        self.entries: Mapping[str, Entry] = {}
        """What the required packs define."""
        self.by_step: dict[str, list[Procedure]] = {}
        self.found: dict[tuple[str, tuple[str, ...]], list[str]] = {}
        """What `find` has answered since the last name came in."""
        self.looked = 0
        self.off: set[str] = set()
        """Parts of hacks that pack.yaml has not on: nobody is told to use them who is not a part of a hack."""
        self.in_hack = False
        """Whether a hack, or a part of one, is being read."""
        self.given: set[tuple[str, str]] = set()
        """New names that hacks give to ids."""
        self.words: dict[str, set[str]] = {"Yes": {EVERYWHERE}, "No": {EVERYWHERE}}
        """Options, outcomes and choice words: names that are no entries, with the ids of what each belongs to."""
        self.labels: set[str] = set()
        """Labels of lines, and names of rows. Scripts of examples pick them; no rule speaks of them."""
        self.people: dict[str, Somebody] = {}
        """Who is in the examples. Only the lines of an example itself speak of them."""
        self.lost: set[str] = set()
        """Names of what is of no kind, as has been said: nothing more is said of them."""

    def for_examples(self) -> Names:
        """The same names, for a page that defines nothing but examples: what it adds does not come into these. Kinds and procedures are shared, since
        no example changes one.
        """
        made = copy(self)
        made.by_name, made.kind_of, made.title, made.chapters = dict(self.by_name), dict(self.kind_of), dict(self.title), dict(self.chapters)
        made.words = {word: set(places) for word, places in self.words.items()}
        made.labels, made.people, made.lost = set(self.labels), dict(self.people), set(self.lost)
        made.given, made.found = set(self.given), {}
        return made

    def say(self, words: Iterable[str], place: str = EVERYWHERE) -> None:
        """These words are no entries, and belong to `place`."""
        for word in words:
            self.words.setdefault(word, set()).add(place)

    def add(self, name: str, id: str) -> None:
        key = fold(name)
        ids = self.by_name.get(key, ())
        if len(ids) < MOST_NAMESAKES and id not in ids:
            self.by_name[key] = [*ids, id]

    def add_entry(self, id: str, kind: str, name: str, aliases: Iterable[str] = ()) -> None:
        self.found.clear()
        self.kind_of[id] = kind
        self.title[id] = name
        for one in (name, *aliases):
            self.add(one, id)

    def add_kind(self, info: KindInfo) -> None:
        self.found.clear()
        self.kinds[info.name] = info
        self.plurals[info.plural] = info.name

    def take(self, entries: Mapping[str, Entry], kinds: Mapping[str, KindInfo]) -> None:
        """Everything that a required pack defines."""
        self.entries = entries
        for info in kinds.values():
            self.add_kind(info)
        for entry in entries.values():
            self.add_entry(entry.id, entry.kind, entry.name, entry.aliases)
            if entry.kind == "kind":
                self.called.update((alias, entry.name) for alias in entry.aliases if alias not in self.kinds)

    def kind(self, word: str) -> KindInfo | None:
        """The kind that `word` names, in singular or plural."""
        return self.kinds.get(word) or self.kinds.get(self.plurals.get(word, "")) or self.kinds.get(self.called.get(word, ""))

    def is_a(self, kind: str, wanted: str) -> bool:
        """Whether things of `kind` are of the kind or nature `wanted` (`actor`, `entry`, `trait`, `number` take all of their nature)."""
        if not wanted or not kind or kind == wanted:
            return True
        info = self.kinds.get(kind)
        return wanted == "entry" or (info is not None and info.nature == wanted)

    def find(self, name: str, kinds: Iterable[str] = ()) -> list[str]:
        """Ids of the entries called `name`; with `kinds`, only those of these kinds (or natures)."""
        wanted = tuple(kinds)
        found = self.found.get((name, wanted))
        if found is None:
            self.found[str(name), wanted] = found = self.looked_up(name, wanted)
        return found

    def looked_up(self, name: str, wanted: tuple[str, ...]) -> list[str]:
        ids = self.by_name.get(fold(name), [])
        if wanted:
            return [id for id in ids if any(self.is_a(self.kind_of[id], kind) or self.kind_of[id] == kind for kind in wanted)]
        return [id for id in ids if self.kind_of[id] not in SHELVES] or ids

    def known_kinds(self, kind: str) -> str:
        """What to say to an author whose kind is not there."""
        known = ", ".join(sorted(self.kinds))
        return (f"the kinds are {known}; another one is declared: " if known and len(known) < 200 else "declare it: ") + DECLARED.format(kind)

    def nature(self, id: str) -> str:
        return self.nature_of(self.kind_of.get(id, ""))

    def nature_of(self, kind: str) -> str:
        info = self.kinds.get(kind)
        return info.nature if info else ""

    def suggest(self, name: str, kinds: Iterable[str] = ()) -> str | None:
        wanted = tuple(kinds)
        hidden = self.off if not self.in_hack else ()
        named = [key for key, ids in self.by_name.items() if (not wanted or self.find(key, wanted)) and not (hidden and self.off.issuperset(ids))]
        short = called_in_short(fold(name), named) if self.looked <= MOST_LOOKS else None
        return short or self.nearest(fold(name), named) or (None if wanted else self.nearest(fold(name), self.words))

    def carrier(self, what: str) -> str:
        """The kind of somebody who is called a `what`: a kind, or a thing of one."""
        info = self.kind(what)
        if info is None:
            info = next((self.kinds[kind] for id in self.find(what) if (kind := self.kind_of[id]) in self.kinds), None)
        if info is None:
            return ""
        carrier = next(iter(info.of), "") if info.nature == "trait" else info.name
        return "" if carrier == "actor" else carrier

    def capital(self, word: str) -> str | None:
        """The name that `word` would be if it were not written small."""
        name = fold(word).title()
        return name if name in self.by_name else None

    def nearest(self, word: str, known: Iterable[str]) -> str | None:
        """The known word most like `word`. `known` is looked at only as long as not too many were compared before."""
        if self.looked > MOST_LOOKS:
            return None
        pool = list(known)
        self.looked += len(pool)
        return nearest(word, pool) or heard_alike(word, pool)

    def did_you_mean(self, word: str, known: Iterable[str]) -> str:
        return asked(self.nearest(word, known))

    def with_step(self, name: str) -> list[Procedure]:
        """The procedures that have a step of this name."""
        if not self.by_step:
            for procedure in self.procedures.values():
                for step in procedure.steps:
                    self.by_step.setdefault(step, []).append(procedure)
        return self.by_step.get(name, [])

    def single(self, kind: str) -> bool:
        """Whether there is just one actor of this kind (the gm), so that `the gm` needs no introduction."""
        info = self.kinds.get(kind) or self.kinds.get(self.called.get(kind, ""))
        return info is not None and info.single
