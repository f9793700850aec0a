"""Lines that say the same of different things: `the owner takes Lamp`, `the owner takes Rope`.

What a line means hangs on the kind of a thing that it names, and not on which one of the kind that is. So one line is understood for all things of a
kind, and a line like it gets the same meaning with its own ids in it. In a large book of small definitions most lines are like another one.

Two lines are alike when they have the same words in the same order, but for names behind the label; and where these stand for things of the same
kind, and for the same thing just where they do so in the other line. Only a name that can be nothing else counts: no step, outcome, option, label or
choice, no number and nobody who acts, and nothing that shares its name.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from te_forge.check.names import Names
from te_forge.keys import fold
from te_forge.model.rules import Body, Type
from te_forge.model.system import Line
from te_forge.syntax.tree import Token

Shape = tuple[str | tuple[str, int], ...]
"""The words of a line; in place of a name its kind, and the number of the thing among those that the line names."""


class Kept(NamedTuple):
    """A line that was understood: `ids` of the things in it, `links` by the numbers of its words, and, by identity, the parts of its meaning that
    hold one of the ids, with what each is made of.
    """

    line: Line
    ids: list[str]
    links: list[tuple[int, str]]
    holders: Mapping[int, tuple[Any, ...]]


class Alike:
    """The lines that have been understood, by their shape. To be made once procedures have been read."""

    def __init__(self, names: Names) -> None:
        self.names = names
        self.others = frozenset(other_names(names))
        self.things: dict[str, tuple[str, str] | None] = {}
        self.understood: dict[tuple[object, Shape], tuple[list[str], Sequence[Token], Mapping[int, str], Line]] = {}
        self.kept: dict[tuple[object, Shape], Kept | None] = {}

    def thing(self, name: str) -> tuple[str, str] | None:
        """The kind and the id of the one thing that a name can mean."""
        if name not in self.things:
            self.things[str(name)] = self.looked_up(fold(name))
        return self.things[name]

    def looked_up(self, name: str) -> tuple[str, str] | None:
        found = self.names.by_name.get(name, ())
        if len(found) != 1 or name in self.others or found[0] in self.names.numbers_of:
            return None
        info = self.names.kinds.get(self.names.kind_of[found[0]])
        return (info.name, found[0]) if info is not None and info.nature in ("trait", "entry") else None

    def shape(self, leaves: Sequence[Token], behind: int) -> tuple[Shape, list[str]]:
        """The shape of a line, and the things in it; `behind` is where its label ends."""
        shape: list[str | tuple[str, int]] = []
        ids: list[str] = []
        for leaf in leaves:
            thing = self.thing(leaf) if leaf.type == "NAME" and leaf.start_pos >= behind else None
            if thing is None:
                shape.append(leaf)
                continue
            kind, id = thing
            if id not in ids:
                ids.append(id)
            shape.append((kind, ids.index(id)))
        return tuple(shape), ids

    def keep(self, key: tuple[object, Shape], ids: list[str], leaves: Sequence[Token], links: Mapping[int, str], line: Line) -> None:
        self.understood[key] = ids, leaves, links, line

    def like(self, key: tuple[object, Shape], ids: list[str], leaves: Sequence[Token]) -> tuple[Line, Body, dict[int, str]] | None:
        """If a line of this shape was understood, that line, and the meaning and the links of the one with these things in it."""
        if key in self.understood:  # most lines of a small book are like no other, so they are looked through when the first one like them comes
            self.kept[key] = self.looked_through(key[1], *self.understood.pop(key))
        kept = self.kept.get(key)
        if kept is None:
            return None
        new = dict(zip(kept.ids, ids, strict=True))
        links = {leaves[number].start_pos: new.get(id, id) for number, id in kept.links}
        return kept.line, exchanged(kept.line.meaning, kept.holders, new), links

    @staticmethod
    def looked_through(shape: Shape, ids: list[str], leaves: Sequence[Token], links: Mapping[int, str], line: Line) -> Kept | None:
        """What is kept of a line, unless a thing in it is also meant by other words, or a text could be taken for one: then nothing could tell them
        apart.
        """
        places = {leaf.start_pos: number for number, leaf in enumerate(leaves)}
        numbered = [(places[start], id) for start, id in links.items()]
        if any(leaf.type == "STRING" for leaf in leaves) or not all(isinstance(shape[number], tuple) for number, id in numbered if id in ids):
            return None
        return Kept(line, ids, numbered, holders(line.meaning, frozenset(ids)))


def other_names(names: Names) -> Iterator[str]:
    """Names that may stand for something else than an entry."""
    yield from names.words
    yield from names.labels
    yield from names.people
    types: list[Type] = []
    for slots in names.slots.values():
        yield from slots
        types += [slot.holds for slot in slots.values()]
    for procedure in names.procedures.values():
        yield from procedure.steps
        yield from procedure.outcomes
        types += [*procedure.roles.values(), *procedure.locals.values(), *(slot.holds for slot in procedure.values.values())]
    for type in types:
        yield from type.words


def parts_of(one: object) -> tuple[Any, ...]:
    """What a node or a tuple is made of, in the order in which a node takes it; nothing for any other value."""
    return one if isinstance(one, tuple) else tuple([getattr(one, name) for name in getattr(type(one), "__match_args__", ())])


def holders(one: object, ids: frozenset[str]) -> dict[int, tuple[Any, ...]]:
    """The nodes and tuples at or below `one` that hold one of the ids, by identity, with what each is made of."""
    parts = parts_of(one)
    found: dict[int, tuple[Any, ...]] = {}
    for part in parts:
        found |= holders(part, ids)
    if found or any(part in ids for part in parts if isinstance(part, str)):
        found[id(one)] = parts
    return found


def exchanged(one: Any, holders: Mapping[int, tuple[Any, ...]], new: Mapping[str, str]) -> Any:
    """`one` with other ids: only what holds one is made anew."""
    if type(one) is str:
        return new.get(one, one)
    parts = holders.get(id(one))
    if parts is None:
        return one
    made = [exchanged(part, holders, new) for part in parts]
    return tuple(made) if type(one) is tuple else type(one)(*made)
