"""Two composed games, held against each other.

`compare` is a pure function, and takes time in proportion to what the two games say. Things are matched by their ids, lines and steps by their
labels. What is only said with another name, because something was renamed, is no difference; nor is a number in prose that a rule prints. Examples
are not compared: they are no rules.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from te_forge.compare.causes import credited
from te_forge.compare.change import Change, Comparison, Part, Side, Verb
from te_forge.compare.entries import Pair, of_entries
from te_forge.compare.game import Game, foundation, game, origin, printable
from te_forge.compare.texts import of_chapters
from te_forge.compare.words import Reader
from te_forge.compose.renames import is_english, kept_phrases
from te_forge.keys import slug
from te_forge.model.system import Entry, System
from te_forge.renaming import Renaming, kind_words

__all__ = ["Change", "Comparison", "Game", "Part", "Side", "Verb", "compare", "foundation", "game", "origin", "printable"]

LEFT_OUT = ("example",)


def compare(before: Game, after: Game) -> Comparison:
    """What is different in `after`."""
    matching = Matching(before, after)
    found = [credited(one, before, after) for one in matching.changes()]
    return Comparison((*switched(before, after), *found))


def switched(before: Game, after: Game) -> Iterator[Change]:
    """Hacks and readings of both games that are on in one only."""
    for id in sorted({*before.on} ^ {*after.on}):
        if id in before.written.entries and id in after.written.entries:
            entry = after.written.entries[id]
            yield Change("added" if id in after.on else "removed", "switch", id, entry.kind, entry.name, after=Side((entry.name,), entry.span))


class Matching:
    """Which thing of one game is which of the other."""

    def __init__(self, before: Game, after: Game) -> None:
        self.before, self.after = before, after
        self.own = lineage(before.written, after.written)
        self.old = {self.moved(entry.id): entry for entry in shown(before)}
        self.new = {entry.id: entry for entry in shown(after)}
        self.successors = readdressed(self.old, self.new)
        renamed = {entry.name: self.new[id].name for id, entry in self.old.items() if id in self.new and entry.name != self.new[id].name}
        renamed |= {self.old[id].name: self.new[new].name for id, new in self.successors.items() if self.old[id].name != self.new[new].name}
        for id, entry in self.old.items():
            if entry.kind == "kind" and id in self.new and entry.name != self.new[id].name:
                old, new = before.played.kinds[entry.name], after.played.kinds[self.new[id].name]
                renamed |= kind_words(old.name, old.plural, new.name, new.plural)
        kept, english = kept_phrases(after.written), is_english(after.written)
        known = {entry.name for entry in self.new.values()}
        left = {old: new for old, new in renamed.items() if old not in known and old not in new}
        self.readers = (Reader(Renaming(renamed, kept, english)), Reader(Renaming(left, kept, english)))

    def moved(self, id: str) -> str:
        """An id of the earlier game as the later one would have it, where the two are one pack under two names."""
        old, new = self.own
        return new + id[len(old) :] if old != new and id.startswith(old + ":") else id

    def changes(self) -> Iterator[Change]:
        come_from = {new: old for old, new in self.successors.items()}
        yield from self.gone()
        for id, entry in self.new.items():
            old = self.old.get(come_from.get(id, id))
            optional = self.after.off(id)
            if old is None or (self.before.off(old.id) and not optional):
                yield Change(
                    "added",
                    "entry",
                    id,
                    entry.kind,
                    entry.name,
                    after=Side((entry.name,), entry.span),
                    optional=optional,
                    based=entry.fields["based-on"].words if entry.based is not None else (),
                )
                continue
            if old.name != entry.name:
                sides = Side((old.name,), old.span), Side((entry.name,), entry.span)
                yield Change("renamed", "entry", id, entry.kind, entry.name, (), *sides, optional=optional, aliased=old.name in entry.aliases)
            for one in of_entries(Pair(old, entry, *self.readers)):
                yield replace(one, optional=optional)
        yield from of_chapters(self.before.played, self.after.played, self.moved, *self.readers)

    def gone(self) -> Iterator[Change]:
        for id, entry in self.old.items():
            if id in self.successors:
                continue
            off = id in self.new and self.after.off(id) and not self.before.off(entry.id)
            if id not in self.new or off:
                yield Change(
                    "removed", "entry", id, entry.kind, entry.name, before=Side((entry.name,), entry.span), optional=self.before.off(entry.id)
                )


def lineage(before: System, after: System) -> tuple[str, str]:
    """The ids of the two packs themselves, where neither is built on the other: then the one may be a copy of the other."""
    old, new = before.pack.id, after.pack.id
    related = old in {pack.id for pack in after.packs} or new in {pack.id for pack in before.packs}
    return (new, new) if related else (old, new)


def shown(game: Game) -> Iterator[Entry]:
    """What a game has: as it is played, and as it is written where it is off."""
    for entry in game.written.entries.values():
        if entry.kind in LEFT_OUT:
            continue
        played = game.played.entries.get(entry.id)
        if played is not None:
            yield replace(played, patches=entry.patches) if entry.patches and entry.id not in game.on else played
        elif game.off(entry.id):
            yield entry


def readdressed(old: Mapping[str, Entry], new: Mapping[str, Entry]) -> dict[str, str]:
    """Things that have another id now and know their old name: by old id, the new one."""
    come = {(entry.kind, slug(alias)): id for id, entry in new.items() if id not in old for alias in entry.aliases}
    found = ((id, come.get((entry.kind, slug(entry.name)))) for id, entry in old.items() if id not in new)
    return {id: there for id, there in found if there is not None}
