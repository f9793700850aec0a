"""What the lints look at: one pack of a composed system, walked once and asked often.

Nothing here complains. `View` keeps what several lints ask for.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from functools import cached_property
from operator import itemgetter
from typing import Any, NamedTuple, TypeVar

from te_forge.check.const import Known
from te_forge.check.lint_terms import Bare, Terms, bare, lines_below
from te_forge.check.lint_text import Text, entry_tables, entry_texts, flat
from te_forge.model.rules import (
    Choose,
    Compare,
    Contribute,
    DivideUp,
    Filter,
    Forbid,
    ForEach,
    Holds,
    Lock,
    Members,
    On,
    Sentence,
    Thing,
)
from te_forge.model.system import Chapter, Entry, Field, Line, Prose, System
from te_forge.model.walk import nodes
from te_forge.source import Span

N = TypeVar("N")


class Said(NamedTuple):
    """A sentence of the rules, every node in it, and where it stands. Equal lines share their meaning, so one sentence may stand in many places; each
    has its number in reading order, whose it is, and its line.
    """

    sentence: Sentence
    nodes: list[object]
    places: list[tuple[int, Entry, Span]]


class View:
    """A system as the lints see it: `pack` is the one that is looked at, `assets` the files in its assets folder."""

    def __init__(self, system: System, pack: str, assets: Collection[str] = ()) -> None:
        self.system, self.pack, self.assets = system, pack, assets

    @cached_property
    def known(self) -> Known:
        return Known(self.system)

    @cached_property
    def own(self) -> tuple[Entry, ...]:
        """The entries of this pack."""
        return tuple(entry for entry in self.system.entries.values() if entry.pack == self.pack)

    @cached_property
    def chapters(self) -> tuple[Chapter, ...]:
        """The chapters of this pack: by their id where it names a pack, else by the file they stand in."""
        mine = {entry.span.file for entry in self.own}
        foreign = {entry.span.file for entry in self.system.entries.values() if entry.pack != self.pack} - mine
        found = (one for one in self.system.chapters if one.span.file not in foreign)
        return tuple(one for one in found if one.id.partition(":")[0] in (self.pack, one.id))

    @cached_property
    def texts(self) -> tuple[Text, ...]:
        """All prose of this pack."""
        found = [text for entry in self.own for text in entry_texts(entry)]
        for chapter in self.chapters:
            found += [flat(item.words, item.span, chapter.id) for item in chapter.items if isinstance(item, Prose)]
        return tuple(text for text in found if text.text.strip())

    def titles(self) -> Iterator[tuple[str, Span]]:
        """Every name that this pack gives: to chapters, entries, steps and lines."""
        yield from ((chapter.title, chapter.span) for chapter in self.chapters)
        for entry in self.own:
            yield entry.name, entry.span
            yield from ((step.name, step.span) for step in entry.steps)
            for block in self.blocks[entry.id]:
                yield from ((line.label, line.span) for line in lines_below(block))

    @cached_property
    def linked(self) -> frozenset[str]:
        """What the prose links to, from elsewhere."""
        return frozenset(id for text in self.texts for _, _, id in text.refs if id != text.owner)

    @cached_property
    def english(self) -> bool:
        """Whether the pack's prose is English: some lints look at English words, and at English capitals."""
        return any(pack.id == self.pack and pack.language.startswith("en") for pack in self.system.packs)

    @cached_property
    def rulings(self) -> frozenset[str]:
        return frozenset(entry.id for entry in self.system.entries.values() if entry.kind == "ruling")

    @cached_property
    def stated(self) -> frozenset[str]:
        """The slugs of all fields that some entry states."""
        return frozenset(key for entry in self.system.entries.values() for key in entry.fields)

    @cached_property
    def spoken_kinds(self) -> frozenset[str]:
        """The kinds that a field, a role, a local or a value can hold."""
        held = [slot.holds for entry in self.system.entries.values() for slot in entry.slots.values()]
        held += [one for entry in self.system.entries.values() for one in entry.locals.values()]
        held += [atom.type for _, _, atom in self.stating(Holds)]
        return frozenset(one.kind for one in held)

    @cached_property
    def chosen_kinds(self) -> frozenset[str]:
        """Kinds whose members somebody can choose, hand to a procedure, share points among, or is told about as a whole."""
        procedures = (entry for entry in self.system.entries.values() if entry.kind == "procedure" and "roles" in entry.fields)
        found = {atom.type.kind for entry in procedures for atom in entry.fields["roles"].value if isinstance(atom, Holds)}
        for _, _, node in self.every(Choose, DivideUp, ForEach, Members, Forbid):
            match node:
                case Choose(members=Members(kind=kind)) | DivideUp(kind=kind) | ForEach(members=Members(kind=kind)) | Members(of=None, kind=kind):
                    found.add(kind)
                case Forbid(any=Members(kind=kind)):
                    found.add(kind)
                case Members(kind=kind) if kind in self.system.kinds and self.system.kinds[kind].nature == "number":
                    found.add(kind)
                case _:
                    pass
        return frozenset((found | self.counted_kinds) - {""})

    @cached_property
    def counted_kinds(self) -> frozenset[str]:
        """Kinds of numbers that some field counts or adds up: `Starts: number of skills in the owner`."""
        values = (atom for entry in self.system.entries.values() for field in entry.fields.values() for atom in field.value)
        counted = {node.kind for value in values for node in nodes(value) if isinstance(node, Members)}
        return frozenset(kind for kind in counted if kind in self.system.kinds and self.system.kinds[kind].nature == "number")

    @cached_property
    def bare(self) -> tuple[Bare, ...]:
        """All prose of this pack without what is code, and without what is linked."""
        return tuple(bare(text) for text in self.texts)

    @cached_property
    def masked(self) -> dict[str, list[Text]]:
        """The prose of this pack by what it says, without what is linked: small texts of a large book often say the same of different things."""
        found: dict[str, list[Text]] = {}
        for text, _, masked in self.bare:
            found.setdefault(masked, []).append(text)
        return found

    @cached_property
    def terms(self) -> Terms:
        return Terms(self.system, self.bare)

    @cached_property
    def blocks(self) -> dict[str, tuple[tuple[Line, ...], ...]]:
        """For each entry of the system the groups of neighbouring lines that it has at the top."""
        return {entry.id: tuple(entry_blocks(entry)) for entry in self.system.entries.values()}

    def lines(self, entry: Entry) -> Iterator[Line]:
        for block in self.blocks[entry.id]:
            yield from block

    def sentences(self, entry: Entry) -> Iterator[tuple[Span, Sentence]]:
        """What an entry's rules say, line by line, with those of its tables and patches."""
        for line in self.lines(entry):
            for one in line.meaning:
                yield line.span, one
        for table in entry_tables(entry):
            for row in table.rows:
                for cell in row.cells.values():
                    for one in cell.meaning:
                        yield row.span, one

    @cached_property
    def said(self) -> dict[int, Said]:
        """Every sentence of the system, by identity."""
        found: dict[int, Said] = {}
        number = 0
        for entry in self.system.entries.values():
            for span, one in self.sentences(entry):
                said = found.get(id(one))
                if said is None:
                    said = found[id(one)] = Said(one, nodes(one), [])
                said.places.append((number, entry, span))
                number += 1
        return found

    @cached_property
    def by_class(self) -> dict[type, list[Said]]:
        """The sentences by the classes of their nodes, in reading order."""
        found: dict[type, list[Said]] = {}
        for said in self.said.values():
            for kind in set(map(type, said.nodes)):
                found.setdefault(kind, []).append(said)
        return found

    def with_any(self, *classes: type) -> list[Said]:
        """The sentences that have nodes of one of these classes: in others a lint has nothing to look for."""
        if len(classes) == 1:
            return self.by_class.get(classes[0], [])
        found = {id(said): said for kind in classes for said in self.by_class.get(kind, ())}
        return sorted(found.values(), key=lambda said: said.places[0][0])

    def meaning(self, entry: Entry) -> Iterator[tuple[Span, object]]:
        """Every node of the rules of an entry, with the line that it is on."""
        return ((span, node) for span, one in self.sentences(entry) for node in self.said[id(one)].nodes)

    @cached_property
    def places(self) -> dict[int, Span]:
        """The line of each sentence that has a line below another one, by identity: a body holds the same nodes as the lines below it."""
        found: dict[int, Span] = {}
        todo = [below for entry in self.own for line in self.lines(entry) for below in line.lines]
        while todo:
            line = todo.pop()
            for one in line.meaning:
                found[id(one)] = line.span
            todo += line.lines
        return found

    def having(self, *classes: type) -> list[Entry]:
        """The entries of this pack whose rules have nodes of one of these classes."""
        found = {entry.id for said in self.with_any(*classes) for _, entry, _ in said.places}
        return [entry for entry in self.own if entry.id in found] if found else []

    def every(self, *classes: type[N], where: Callable[[N], object] | None = None) -> list[tuple[Entry, Span, N]]:
        """Every node of these classes in the rules of the system, in reading order; with `where`, those of which that is true. It is asked once for
        all equal lines.
        """
        if classes not in self.found:
            self.found[classes] = [(node, said.places) for said in self.with_any(*classes) for node in said.nodes if type(node) in classes]
        found = self.found[classes] if where is None else [pair for pair in self.found[classes] if where(pair[0])]
        rows = [(number, entry, span, node) for node, places in found for number, entry, span in places]
        rows.sort(key=itemgetter(0))
        return [(entry, span, node) for _, entry, span, node in rows]

    @cached_property
    def found(self) -> dict[tuple[type, ...], list[tuple[Any, list[tuple[int, Entry, Span]]]]]:
        """The nodes of the classes that `every` has been asked for, with the places of their sentences."""
        return {}

    def mine(self, *classes: type[N], where: Callable[[N], object] | None = None) -> list[tuple[Entry, Span, N]]:
        """Those in the rules of this pack."""
        found = self.every(*classes, where=where)
        return [one for one in found if one[0].pack == self.pack] if len(self.own) < len(self.system.entries) else found

    @cached_property
    def fields(self) -> dict[type, list[tuple[Entry, Field]]]:
        """The fields of the system by the classes of what they state."""
        found: dict[type, list[tuple[Entry, Field]]] = {}
        for entry in self.system.entries.values():
            for field in entry.fields.values():
                for kind in set(map(type, field.value)):
                    found.setdefault(kind, []).append((entry, field))
        return found

    def stating(self, kind: type[N]) -> Iterator[tuple[Entry, Field, N]]:
        """Every value of this class that a field of the system states, with its field."""
        for entry, field in self.fields.get(kind, ()):
            for atom in field.value:
                if type(atom) is kind:
                    yield entry, field, atom

    def own_stating(self, kind: type[N]) -> Iterator[tuple[Entry, Field, N]]:
        """Those that a field of this pack states."""
        return (one for one in self.stating(kind) if one[0].pack == self.pack)

    @cached_property
    def span(self) -> str:
        """The procedure that a message measures time by: the one that most others are a part of, or else one without roles. Empty where there is
        none.
        """
        procedures = [entry for entry in self.system.entries.values() if entry.kind == "procedure"]
        stated = [atom for entry in procedures if "part-of" in entry.fields for atom in entry.fields["part-of"].value]
        wholes = [atom.id for atom in stated if isinstance(atom, Thing) and atom.id in self.system.entries]
        if wholes:
            return self.system.entries[max(reversed(wholes), key=wholes.count)].name
        return next((entry.name for entry in procedures if "roles" not in entry.fields), "")

    @cached_property
    def hooks(self) -> dict[str, list[tuple[Entry, Span, On]]]:
        """The hooks on each procedure and its steps, of those sentences that change or compare a number: the others need no second look."""
        found: dict[str, list[tuple[Entry, Span, On]]] = {}
        near = {id(node) for said in self.with_any(Contribute, Lock, Compare, Filter) for node in said.nodes}
        for entry, span, node in self.every(On, where=lambda on: id(on) in near):
            found.setdefault(node.event.id.partition("#")[0], []).append((entry, span, node))
        return found


def entry_blocks(entry: Entry) -> Iterator[tuple[Line, ...]]:
    yield entry.lines
    for step in entry.steps:
        yield step.lines
    for patch in entry.patches:
        yield from patch_blocks(patch.lines)


def leads(line: Line) -> bool:
    """Whether a line of a patch only leads to a place: a label, and below it what goes there."""
    return bool(line.lines) and not line.words and line.place is None


def within(entry: Entry) -> Iterator[Line]:
    """The lines of patches that go into a line, not straight into a step: what stands in front of them and beside them there, the patch does not say."""
    todo = [line for patch in entry.patches for step in patch.lines if leads(step) for line in step.lines if leads(line)]
    while todo:
        for line in todo.pop().lines:
            if leads(line):
                todo.append(line)
            else:
                yield line


def patch_blocks(lines: tuple[Line, ...]) -> Iterator[tuple[Line, ...]]:
    """In a patch a line without meaning names the step that its lines go into."""
    yield lines
    for line in lines:
        if line.lines and not line.meaning:
            yield from patch_blocks(line.lines)
