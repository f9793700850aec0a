"""The composed system as a whole: without what is gone, with what stands for it, and in the names that it has now. Whether it hangs together is asked
in `integrity`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping
from typing import Any

from te_forge.compose import values
from te_forge.compose.based import base_of
from te_forge.compose.changes import Changes
from te_forge.compose.lines import walk
from te_forge.compose.mapping import Mapper
from te_forge.compose.mentions import Mentions
from te_forge.compose.order import SWITCHES, named
from te_forge.compose.renames import NO_RENAMING, NewNames, is_number, new_names, relabelled, slot_labels, with_name
from te_forge.diagnostics import Findings
from te_forge.frozen import replace
from te_forge.keys import slug
from te_forge.model.rules import Atom, Bonus, Int, Text, Thing
from te_forge.model.system import Bulk, Chapter, Entry, Field, KindInfo, Patch, System, plain


class Made(Mapping[str, Entry]):
    """The entries of a game, each made of what hacks have left of it when it is first asked for: who tries a hack needs few of them."""

    def __init__(self, kept: Mapping[str, Entry], make: Callable[[str], Entry]) -> None:
        self.kept, self.make = kept, make
        self.made: dict[str, Entry] = {}

    def __getitem__(self, id: str) -> Entry:
        if id not in self.kept:
            raise KeyError(id)
        if id not in self.made:
            self.made[id] = self.make(id)
        return self.made[id]

    def __contains__(self, id: object) -> bool:
        return id in self.kept

    def __iter__(self) -> Iterator[str]:
        return iter(self.kept)

    def __len__(self) -> int:
        return len(self.kept)


def whole(system: System, base: System, changes: Changes, mentions: Mentions, findings: Findings) -> tuple[System, Mapper]:
    """The system, as hacks have changed the lines of `base`, without what is gone and with all new names; and what has put those in. It is to be
    `finished` before it is played.
    """
    names = new_names(system, changes, findings)
    renamed, renaming = names.renamed, names.renaming
    successors = changes.successors()
    gone = changes.gone | {
        entry.id for entry in system.entries.values() if entry.kind == "example" and not changes.on.issuperset(named(entry, "with"))
    }
    kept = {id: with_name(entry, renamed.get(id)) for id, entry in system.entries.items() if id not in gone}
    titles = {id: entry.name for id, entry in kept.items()}
    unsaid = {(id, name) for id, name in mentions.new_names if id in kept and name not in (kept[id].name, *kept[id].aliases)}
    mapper, plain_mapper = Mapper(successors, renaming, gone, titles, unsaid, kinds=names.kinds), Mapper(successors, NO_RENAMING, gone, titles)
    labels = {slug(old): new for id, (old, new) in renamed.items() if is_number(system, id)} | slot_labels(system, renaming)
    heirs = {slug(system.entries[id].name): kept[new].name for id, new in successors.items() if is_number(system, id)}
    speakers = {one.hack for one in changes.renamed.values()}

    def made(id: str) -> Entry:
        entry = kept[id]
        made = replace(entry, patches=patches(entry, kept, changes)) if entry.patches else entry
        if mapper.changes(mentions.all(system.entries[id])):
            made = replace(mapper(replace(made, name="")), name=entry.name)
        if id in speakers:  # who gives a new name may speak of the old one
            made = replace(made, prose=plain_mapper(entry.prose))
        made = relabelled(cleaned(in_print(made, entry, gone), kept), labels, entry.kind, system, frozenset())
        return relabelled(made, heirs, entry.kind, system, slots_of(entry, system))

    entries = Made(kept, made)
    kinds = dict(kind_anew(info, entries[info.id], base, names, findings) for info in system.kinds.values() if info.id in entries)
    chapters = tuple(chapter(one, mapper if mapper.changes(mentions.all(one)) else as_it_is, entries) for one in system.chapters)
    return replace(system, entries=entries, kinds=kinds, chapters=chapters), mapper


def finished(made: System, base: System) -> System:
    """The whole system with all of its entries, and with who speaks of whom."""
    entries = dict(made.entries)
    return replace(made, entries=entries, users=users_anew(base, entries))


def without(made: System, ids: Collection[str]) -> System:
    """The system that is only tried without these entries; what speaks of them is as it was."""
    assert isinstance(made.entries, Made)
    return replace(made, entries=Made({id: entry for id, entry in made.entries.kept.items() if id not in ids}, made.entries.__getitem__))


def in_print(made: Entry, entry: Entry, gone: Collection[str]) -> Entry:
    """A copy of something that is only there in print says so, and speaks of nothing that stands for it now."""
    based = base_of(entry)
    if based is None or not based.printed or based.thing not in gone:
        return made
    field = entry.fields["based-on"]
    return replace(made, fields={**made.fields, "based-on": replace(field, words=(plain(field.words),))})


def users_anew(base: System, entries: Mapping[str, Entry]) -> dict[str, tuple[str, ...]]:
    """Who speaks of whom, in this game: what is as it was speaks of what it spoke of. A hack that is on goes on speaking of what it changes."""
    changed = {id for id, entry in entries.items() if entry.kind not in SWITCHES and entry != base.entries[id]}
    out: dict[str, set[str]] = {
        id: {user for user in users if user in entries and user not in changed} for id, users in base.users.items() if id.partition("#")[0] in entries
    }
    for id in changed:
        for used in mentioned(entries[id]):
            if used.partition("#")[0] in entries:
                out.setdefault(used, set()).add(id)
    place = {id: number for number, id in enumerate(entries)}
    return {id: tuple(sorted(users, key=place.__getitem__)) for id, users in out.items() if users}


def mentioned(entry: Entry) -> set[str]:
    """All ids that the words of an entry name."""
    lines = walk((*entry.lines, *(line for step in entry.steps for line in step.lines)))
    cells = (cell.words for row in (entry.table.rows if entry.table is not None else ()) for cell in row.cells.values())
    stated = (*(one.words for one in entry.prose), *(one.words for one in entry.fields.values()), *(one.words for one in lines))
    spoken = (*stated, *(step.prose for step in entry.steps), *cells)
    return {word.id for words in spoken for word in words if not isinstance(word, str) and word.id}


def patches(entry: Entry, kept: Mapping[str, Entry], changes: Changes) -> tuple[Patch, ...]:
    """Of a hack that is only printed, its changes to what is in the game."""
    return tuple(patch for patch in entry.patches if patch.target in kept) if entry.id in changes.printed else ()


def cleaned(entry: Entry, kept: Mapping[str, Entry]) -> Entry:
    """Without mentions of parts that are gone, and with no member of a list twice because a successor was there already (changes of one number add
    up).
    """
    parts = tuple(part for part in entry.parts if part in kept)
    fields = {key: once(field) for key, field in entry.fields.items()}
    if parts == entry.parts and all(fields[key] is field for key, field in entry.fields.items()):
        return entry
    return replace(entry, parts=parts, fields=fields)


def once(field: Field) -> Field:
    """A list with each thing in it once, and one change of each number: several add up."""
    counted = Counter(one for atom in field.value if (one := counted_as(atom)) is not None)
    if all(count == 1 for count in counted.values()):
        return field
    seen: set[str] = set()
    kept: list[int] = []
    for number, atom in enumerate(field.value):
        one = counted_as(atom)
        if one is None or one not in seen:
            kept.append(number)
        seen |= {one} if one is not None else set()
    return values.summed(values.only(field, kept), field)


def counted_as(atom: Atom) -> str | None:
    """What must not stand twice in a list."""
    return atom.id if isinstance(atom, Thing) else f"{atom.stat} +" if isinstance(atom, Bonus) else None


def slots_of(entry: Entry, system: System) -> frozenset[str]:
    """The labels of the fields that the kind of an entry declares."""
    info = system.kinds.get(entry.kind)
    return frozenset(map(slug, system.entries[info.id].slots)) if info is not None and info.id in system.entries else frozenset()


def kind_anew(info: KindInfo, entry: Entry, base: System, names: NewNames, findings: Findings) -> tuple[str, KindInfo]:
    """What a kind is, and what it is called, after hacks have changed its lines."""
    before = base.entries[info.id].fields
    now, old = entry.fields.get("is"), before.get("is")
    if now is not None and (old is None or plain(now.words) != names.renaming(plain(old.words))):
        findings.add("fixed-kind", f"what the kind `{entry.name}` is cannot be changed", now.span, help="declare a kind of your own")
    plural = entry.fields.get("plural")
    stated = [atom.text for atom in plural.value if isinstance(atom, Text)] if plural is not None else []
    name, of = names.kinds.get(info.name, info.name), tuple(names.kinds.get(one, one) for one in info.of)
    many = stated[0] if stated else names.plurals.get(name, info.plural)
    return name, replace(info, name=name, of=of, plural=many, single=one_only(entry) if "how-many" in (*before, *entry.fields) else info.single)


def one_only(entry: Entry) -> bool:
    return "how-many" in entry.fields and entry.fields["how-many"].value == (Int(1),)


def as_it_is(node: Any) -> Any:
    return node


def chapter(one: Chapter, mapper: Callable[[Any], Any], entries: Mapping[str, Entry]) -> Chapter:
    items: list[Any] = []
    for item in one.items:
        if isinstance(item, Bulk):
            made = mapper(item)
            items.append(replace(made, entries=tuple(id for id in made.entries if id in entries)))
        elif not isinstance(item, str):
            items.append(mapper(item))
        elif item in entries:
            items.append(item)
    return replace(one, title=mapper(one.title), items=tuple(items))
