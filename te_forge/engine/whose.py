"""Whose the values are that sentences speak of: people and things by their ids, as far as that can be known before the sentences run."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from te_forge.engine.reading import Reading
from te_forge.engine.state import EMPTY, Map, Scope, State
from te_forge.engine.words import Words
from te_forge.frozen import frozen
from te_forge.model import rules as m
from te_forge.model.system import Entry

Holders = frozenset[str] | None
"""Whose a value may be; None is anybody's."""
NOBODY: frozenset[str] = frozenset()


@frozen
class View:
    """From where a sentence is read: whom its words mean, the hung values that are kept in frames yet to come, and whether the words of existing
    frames are its own.
    """

    words: Map[str, Holders] = EMPTY
    hidden: frozenset[str] = NOBODY
    local: bool = True

    def bind(self, word: str, holders: Holders) -> View:
        return View(self.words.set(word, holders), self.hidden, self.local)

    def later(self) -> View:
        """For what lasts: it may speak in any frame."""
        return View(self.words)

    def coming(self, declared: Iterable[str]) -> View:
        """For what waits for the next run of a procedure: it speaks in a frame that is yet to come and goes with it."""
        return View(self.words, frozenset(declared))

    def behind(self) -> View:
        """Behind an event: words are also looked for in the frames around that of the event, and so in those that exist."""
        return View(self.words, self.hidden)


class Whose:
    """Knows, in one state, whom words mean and who owns rules."""

    def __init__(self, words: Words, state: State, moves: Holders = NOBODY) -> None:
        self.words_of, self.rules, self.state = words, words.rules, state
        self.reading = Reading(words.rules, state)
        self.moves = moves
        """Traits that may change hands (None: all of them)."""
        self.kinds: dict[str, Holders] = {}

    def owners(self, entry: Entry) -> Holders:
        """Whose rules of this entry are or may become. Rules of nobody's are anybody's."""
        while entry.owner is not None and self.rules.entries[entry.owner].kind not in ("hack", "reading"):
            entry = self.rules.entries[entry.owner]
        if self.rules.nature(entry.kind) == "trait" and (self.moves is None or entry.id in self.moves):
            return None
        found = self.reading.owners(entry)
        return None if None in found else frozenset(str(one) for one in found)

    def meant(self, scope: Scope) -> Map[str, Holders]:
        known = {
            word: holders
            for word, value in scope.words.items()
            if word not in self.words_of.given_by_hooks and (holders := of_value(value)) is not None
        }
        return Map({**known, "owner": frozenset((scope.owner,)) if scope.owner is not None else None})

    def in_frame(self, depth: int) -> View:
        """The roles of a frame that exists."""
        frame = self.state.frames[depth]
        changing = self.words_of.assigned.get(frame.procedure, NOBODY)
        return View(Map({role: of_value(self.reading.come_to((depth, "", role))) for role in frame.roles if role not in changing}))

    def holders(self, expr: m.Expr | None, view: View) -> Holders:
        match expr:
            case m.Thing(id):
                return frozenset((id,))
            case m.Local(word):
                if word in view.words:
                    return view.words[word]
                kind = self.rules.system.kinds.get(word)
                return frozenset((kind.id,)) if kind is not None and kind.single and word not in self.words_of.everywhere else None
            case m.Together(members):
                found: Holders = NOBODY
                for one in members:
                    found = union(found, self.holders(one, view))
                return found
            case _:
                return None

    def group(self, members: m.Members, view: View) -> Holders:
        if members.of is None:
            return self.of_kind(members.kind)
        return self.holders(members.of, view) if self.acting(members.kind) else None

    def acting(self, kind: str) -> bool:
        return kind in ("", "actor") or self.rules.nature(kind) == "actor"

    def of_kind(self, kind: str) -> Holders:
        if kind not in self.kinds:
            self.kinds[kind] = self.everybody(kind) if kind and self.acting(kind) else None
        return self.kinds[kind]

    def everybody(self, kind: str) -> frozenset[str]:
        found = self.reading.everybody() if kind == "actor" else self.reading.everything(kind)
        return frozenset(found) | {entry.id for entry in self.rules.entries.values() if entry.kind != "kind" and self.rules.is_a(entry.kind, kind)}


def of_value(value: Any) -> Holders:
    """Whom a value means: an id, or several."""
    if isinstance(value, str):
        return frozenset((value,))
    if isinstance(value, tuple) and value and all(isinstance(one, str) for one in value):
        return frozenset(value)
    return None


def union(one: Holders, other: Holders) -> Holders:
    return None if one is None or other is None else one | other


def meet(one: Holders, other: Holders) -> Holders:
    if one is None or other is None:
        return other if one is None else one
    return one & other
