"""The composed system as a whole: without what is gone, with what stands for it, and with nothing in it that points nowhere."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from te_forge.check.names import fold, slug
from te_forge.compose import values
from te_forge.compose.chapters import KIND as CHAPTER
from te_forge.compose.lines import refilled, walk
from te_forge.compose.mapping import Mapper, ids_in
from te_forge.compose.operations import Operation, operations
from te_forge.compose.order import SWITCHES, named, switch_of
from te_forge.diagnostics import Findings, Label
from te_forge.model.frozen import frozen, replace
from te_forge.model.rules import Atom, Bonus, Int, Text, Thing, Value
from te_forge.model.system import Bulk, Chapter, Entry, Field, KindInfo, Line, Patch, Prose, Ref, Shown, System, Words
from te_forge.renaming import Renaming, new_titles, plural
from te_forge.source import Span

NO_RENAMING = Renaming({})


@dataclass(frozen=True)
class Changes:
    """What is `off` with its hack, what is deleted (with its parts), and what has another name. `printed`: the hacks whose own changes stay in the text."""

    off: frozenset[str]
    on: frozenset[str]
    deleted: Mapping[str, tuple[Operation, frozenset[str]]]
    renamed: Mapping[str, Operation]
    printed: frozenset[str] = frozenset()

    @cached_property  # it is asked for with every name
    def gone(self) -> frozenset[str]:
        parts = [part for _, parts in self.deleted.values() for part in parts]
        return frozenset((*self.off, *self.deleted, *parts))

    def successors(self) -> dict[str, str]:
        """For each deleted entry with a successor, what stands for it in the end."""
        direct = {id: str(one.what) for id, (one, _) in self.deleted.items() if one.what}
        out: dict[str, str] = {}
        for id in direct:
            last, steps = direct[id], 0
            while last in direct and steps < len(direct):
                last, steps = direct[last], steps + 1
            out[id] = last
        return {id: last for id, last in out.items() if last not in self.gone}


def whole(system: System, base: System, changes: Changes, findings: Findings) -> System:
    """The system, as hacks have changed the lines of `base`, without what is gone and with all new names."""
    renamed = renames(system, changes, findings)
    titled = {id for id in renamed if system.entries[id].kind == CHAPTER}  # the title of a chapter is no word of the rules
    terms = {id: names for id, names in renamed.items() if id not in titled}
    renaming = Renaming(new_words(system, terms), kept_phrases(system), is_english(system)) if terms else NO_RENAMING
    renamed |= compounds(system, renamed, renaming, changes)
    successors = changes.successors()
    gone = changes.gone | {entry.id for entry in system.entries.values() if entry.kind == "example" and not changes.on.issuperset(named(entry, "with"))}
    kept = {id: with_name(entry, renamed.get(id)) for id, entry in system.entries.items() if id not in gone}
    titles = {id: entry.name for id, entry in kept.items()}
    unsaid = {(id, name) for id, name in given_names(system) if id in kept and name not in (kept[id].name, *kept[id].aliases)}
    mapper, plain_mapper = Mapper(successors, renaming, gone, titles, unsaid), Mapper(successors, NO_RENAMING, gone, titles)
    labels = {slug(old): new for id, (old, new) in renamed.items() if is_number(system, id)} | slot_labels(system, renaming)
    heirs = {slug(system.entries[id].name): kept[new].name for id, new in successors.items() if is_number(system, id)}
    speakers = {one.hack for one in changes.renamed.values()}
    entries: dict[str, Entry] = {}
    for id, entry in kept.items():
        made = replace(mapper(replace(entry, name="", patches=patches(entry, kept, changes))), name=entry.name)
        if id in speakers:  # who gives a new name may speak of the old one
            made = replace(made, prose=plain_mapper(entry.prose))
        entries[id] = relabelled(relabelled(cleaned(made, kept), labels, system, frozenset()), heirs, system, slots_of(entry, system))
    kinds = {name: kind_anew(info, entries[info.id], base, findings) for name, info in system.kinds.items() if info.id in entries}
    users = {id: tuple(user for user in all_ if user in entries) for id, all_ in system.users.items() if id.partition("#")[0] in entries}
    return replace(system, entries=entries, kinds=kinds, users=users, chapters=tuple(chapter(one, mapper, entries) for one in system.chapters))


def new_words(system: System, renamed: Mapping[str, tuple[str, str]]) -> dict[str, str]:
    """Old names, and stated plurals of them, as they are now."""
    out = dict(renamed.values())
    for id, (_, new) in renamed.items():
        stated = system.entries[id].fields.get("plural")
        out |= {atom.text: plural(new) for atom in (stated.value if stated is not None else ()) if isinstance(atom, Text)}
    return out


def is_english(system: System) -> bool:
    return system.pack.language.split("-")[0] == "en"


def given_names(system: System) -> Iterator[tuple[str, str]]:
    """Every new name that a hack gives, on or off, and those of things that have the old one in their own: rules of its pack may use them."""
    found = [[one for one in operations(entry, system) if one.verb == "rename"] for entry in system.entries.values() if entry.patches]
    yield from ((one.target, str(one.what)) for ones in found for one in ones)
    terms = [{system.entries[one.target].name: str(one.what) for one in ones if one.target in system.entries and system.entries[one.target].kind != CHAPTER} for ones in found]
    yield from new_titles(terms, {id: entry.name for id, entry in system.entries.items() if entry.kind not in ("kind", CHAPTER)} if any(terms) else {})


def kept_phrases(system: System) -> frozenset[str]:
    """Titles, marks and notices: proper names of works, which no game renames."""
    out: set[str] = set()
    for pack in system.packs:
        out |= {pack.title, *pack.marks, *pack.credits}
        for work in pack.sources:
            out |= {work.title, *([work.attribution] if work.attribution else [])}
    return frozenset(out)


def compounds(system: System, renamed: Mapping[str, tuple[str, str]], renaming: Renaming, changes: Changes) -> dict[str, tuple[str, str]]:
    """What has a renamed name in its own, with its old and new name; not where that name is taken."""
    out: dict[str, tuple[str, str]] = {}
    taken = {(entry.kind, fold(name_now(entry, changes))) for entry in system.entries.values()}
    for id, entry in system.entries.items() if renaming else ():
        new = renaming(entry.name)
        if id not in renamed and entry.kind != "kind" and new != entry.name and (entry.kind, fold(new)) not in taken:
            out[id] = (entry.name, new)
            taken.add((entry.kind, fold(new)))
    return out


def slot_labels(system: System, renaming: Renaming) -> dict[str, str]:
    """Labels of declared fields that have a renamed name in them: what the field is called now."""
    names = {slot.name for entry in system.entries.values() for slot in entry.slots.values()} if renaming else ()
    return {slug(name): new for name in sorted(names) if (new := renaming(name)) != name}


def patches(entry: Entry, kept: Mapping[str, Entry], changes: Changes) -> tuple[Patch, ...]:
    """Of a hack that is only printed, its changes to what is in the game."""
    return tuple(patch for patch in entry.patches if patch.target in kept) if entry.id in changes.printed else ()


def renames(system: System, changes: Changes, findings: Findings) -> dict[str, tuple[str, str]]:
    """Old and new name of each entry that a hack renames."""
    out: dict[str, tuple[str, str]] = {}
    called: dict[tuple[str, str], list[Entry]] = {}
    for entry in system.entries.values() if changes.renamed else ():
        if entry.id not in changes.gone:
            called.setdefault((entry.kind, fold(name_now(entry, changes))), []).append(entry)
    for id, one in sorted(changes.renamed.items()):
        entry, new = system.entries[id], str(one.what)
        if id in changes.gone:
            continue
        if entry.kind == "kind":
            findings.add("fixed-kind", f"the kind `{entry.name}` cannot be renamed, since rules speak of it in plain words", one.span, help="declare a kind of your own, or rename the things of this kind")
            continue
        if new == entry.name:
            findings.add("idle-patch", f"this changes nothing: {entry.name} is called so already", one.span, severity="warning", help="leave it out")
        taken = next((other for other in called.get((entry.kind, fold(new)), ()) if other.id != id), None)
        if taken is not None:
            findings.add("duplicate-name", f"there is already a {entry.kind} called `{new}`", one.span, help="choose another name", labels=[Label(taken.span, "it is here")])
            continue
        out[id] = (entry.name, new)
    return out


def name_now(entry: Entry, changes: Changes) -> str:
    return str(changes.renamed[entry.id].what) if entry.id in changes.renamed else entry.name


def with_name(entry: Entry, names: tuple[str, str] | None) -> Entry:
    return replace(entry, name=names[1], aliases=(*entry.aliases, names[0])) if names is not None else entry


def is_number(system: System, id: str) -> bool:
    info = system.kinds.get(system.entries[id].kind)
    return info is not None and info.nature == "number"


def cleaned(entry: Entry, kept: Mapping[str, Entry]) -> Entry:
    """Without mentions of parts that are gone, and with no member of a list twice because a successor was there already (changes of one number add up)."""
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


def relabelled(entry: Entry, labels: Mapping[str, str], system: System, but: frozenset[str]) -> Entry:
    """Somebody's stated numbers are found by the name of the number, so they take its new name; not the labels of `but`."""
    info = system.kinds.get(entry.kind)
    old = [key for key in labels if key in entry.fields and key not in but]
    if not old or info is None or info.nature == "number":
        return entry
    fields: dict[str, Field] = {}
    for key, field in entry.fields.items():
        new = labels[key] if key in old else None
        if new is None:
            fields[key] = field
        elif slug(new) not in entry.fields:
            fields[slug(new)] = replace(field, label=new, id=f"{entry.id}#{slug(new)}")
    return replace(entry, fields=fields)


def kind_anew(info: KindInfo, entry: Entry, base: System, findings: Findings) -> KindInfo:
    """What a kind is, after hacks have changed its lines."""
    before = base.entries[info.id].fields
    now, old = entry.fields.get("is"), before.get("is")
    if now is not None and (old is None or plain(now.words) != plain(old.words)):
        findings.add("fixed-kind", f"what the kind `{entry.name}` is cannot be changed", now.span, help="declare a kind of your own")
    plural = entry.fields.get("plural")
    names = [atom.text for atom in plural.value if isinstance(atom, Text)] if plural is not None else []
    return replace(info, plural=names[0] if names else info.plural, single=one_only(entry) if "how-many" in (*before, *entry.fields) else info.single)


def plain(words: Words) -> str:
    return "".join(word if isinstance(word, str) else word.text for word in words)


def one_only(entry: Entry) -> bool:
    return "how-many" in entry.fields and entry.fields["how-many"].value == (Int(1),)


def chapter(one: Chapter, mapper: Mapper, entries: Mapping[str, Entry]) -> Chapter:
    items: list[Any] = []
    for item in one.items:
        if isinstance(item, Bulk):
            items.append(replace(item, entries=tuple(id for id in item.entries if id in entries)))
        elif not isinstance(item, str):
            items.append(mapper(item))
        elif item in entries:
            items.append(item)
    return replace(one, title=mapper(one.title), items=tuple(items))


# ---------------------------------------------------------------- integrity


@frozen
class Use:
    """A mention of something that is not there, by an entry or the prose of a chapter."""

    entry: Entry | Chapter
    where: str
    span: Span
    id: str

    @property
    def thing(self) -> str:
        return self.id.partition("#")[0]

    @property
    def name(self) -> str:
        return self.entry.name if isinstance(self.entry, Entry) else self.entry.title


def check_whole(made: System, patched: System, changes: Changes, missing: Collection[str], findings: Findings) -> System:
    """Complain about every mention of what is gone from what was `patched`, but for the parts of hacks that are `missing`, as has been said.

    Examples that speak of what is gone are no examples of this game, and are left out.
    """
    places: dict[str, frozenset[str]] = {}
    uses = [use for entry in made.entries.values() for use in lost(entry, made, patched, places)]
    dropped = {use.entry.id for use in uses if isinstance(use.entry, Entry) and use.entry.kind == "example"}
    uses = [use for use in uses if use.entry.id not in dropped]
    prose_uses = spoken_of(made, patched, changes)
    for id, (one, parts) in sorted(changes.deleted.items()):
        found, prose = ([use for use in some if use.thing in {id, *parts}] for some in (uses, prose_uses))
        labels = [Label(use.span, f"{use.name}, {use.where}") for use in (*found, *prose)]
        if found:
            findings.add(
                "still-used", f"{patched.entries[id].name} is deleted, and {used_by(found)} still {'use' if ' and ' in used_by(found) else 'uses'} it", one.span,
                help="delete or change these too" if patched.entries[id].kind == "kind" else instead_of(one, patched), labels=labels,
            )  # fmt: skip
        elif prose:
            findings.add(
                "still-named", f"{patched.entries[id].name} is deleted, and the prose of {used_by(prose)} still speaks of it", one.span,
                severity="warning", help=f"write other prose below `### changes`, or {instead_of(one, patched)}", labels=labels,
            )  # fmt: skip
    for use in uses:
        if use.thing in changes.off:
            out_of_play(use, patched, missing, findings)
        elif use.thing not in changes.gone:
            name = patched.entries[use.thing].name if use.thing in patched.entries else use.thing
            findings.add(
                "still-used", f"{use.name} speaks of `{use.id.partition('#')[2]}` of {name}, which is not there any more", use.span,
                help="change this line too, or leave that step or outcome where it is",
            )  # fmt: skip
    return replace(made, entries={id: entry for id, entry in made.entries.items() if id not in dropped}) if dropped else made


def instead_of(deletion: Operation, system: System) -> str:
    """What to do about the uses of something that is deleted."""
    named = str(deletion.what or "")
    if not named:
        return "name what stands for it: `- Successor: ..`"
    what = "the thing itself" if named == deletion.target else f"{system.entries[named].name}, which is deleted or off as well" if named in system.entries else named
    return f"name another successor: this one is {what}"


def out_of_play(use: Use, base: System, missing: Collection[str], findings: Findings) -> None:
    switch = switch_of(base.entries[use.thing], base)
    owner = base.entries[switch].name
    if switch not in missing:
        findings.add(
            "missing-hack", f"{use.name} speaks of {base.entries[use.thing].name}, which is a part of {owner}, and that is not on", use.span,
            help=f"switch {owner} on as well; a hack says that it needs it: `- Needs: {owner}`",
        )  # fmt: skip


def used_by(uses: list[Use]) -> str:
    first, *rest = dict.fromkeys(use.name for use in uses)
    return f"{first} and {rest[0] if len(rest) == 1 else f'{len(rest)} others'}" if rest else first


def lost(entry: Entry, made: System, base: System, places: dict[str, frozenset[str]]) -> Iterator[Use]:
    for where, span, node in stated(entry):
        for how, text in ids_in(node):
            if how == "kind":
                if text not in made.kinds and text in base.kinds:
                    yield Use(entry, where, span, base.kinds[text].id)
            elif not is_there(text, made, places):
                yield Use(entry, where, span, text)
    if entry.kind in base.kinds and entry.kind not in made.kinds:
        yield Use(entry, "its kind", entry.span, base.kinds[entry.kind].id)


def stated(entry: Entry) -> Iterator[tuple[str, Span, object]]:
    """All that an entry means, with the place where it says so."""
    for field in entry.fields.values():
        yield field.label, field.span, field.value
    for slot in entry.slots.values():
        yield slot.name, slot.span, (slot.holds, slot.default)
    for line in walk((*entry.lines, *(line for step in entry.steps for line in step.lines))):
        if not line.lines:
            yield line.label, line.span, line.meaning
        else:
            yield line.label, line.span, without(line)
    for row in entry.table.rows if entry.table is not None else ():
        for cell in row.cells.values():
            yield row.name or str(row.low), row.span, cell.meaning


def spoken_of(made: System, patched: System, changes: Changes) -> list[Use]:
    """Where the prose of what is still there names something that is deleted and that nothing stands for."""
    ids = {id for one, parts in changes.deleted.values() for id in (one.target, *parts)} - set(changes.successors())
    if not ids:
        return []
    entries = [patched.entries[id] for id, entry in made.entries.items() if entry.kind not in ("example", *SWITCHES)]
    uses = [Use(entry, where, span, id) for entry in entries for where, span, words in told(entry) for id in named_in(words) if id in ids]
    prose = [(chapter, item) for chapter in patched.chapters for item in chapter.items if isinstance(item, Prose)]
    return uses + [Use(chapter, "prose", item.span, id) for chapter, item in prose for id in named_in(item.words) if id in ids]


def told(entry: Entry) -> Iterator[tuple[str, Span, Words]]:
    """The prose of an entry, with the place where it stands."""
    for prose in entry.prose:
        yield "prose", prose.span, prose.words
    for step in entry.steps:
        yield step.name, step.span, step.prose
    for row in entry.table.rows if entry.table is not None else ():
        for cell in row.cells.values():
            if not cell.meaning:
                yield row.name or str(row.low), row.span, cell.words


def named_in(words: Words) -> list[str]:
    return [word.id.partition("#")[0] for word in words if isinstance(word, Ref | Shown)]


def without(line: Line) -> object:
    """The meaning of a line without that of the lines below it."""
    return refilled(line.meaning, line.lines, ())


def is_there(id: str, made: System, places: dict[str, frozenset[str]]) -> bool:
    base, _, label = id.partition("#")
    if base not in made.entries:
        return False
    if not label:
        return True
    if base not in places:
        places[base] = places_in(made.entries[base])
    return label in places[base]


def places_in(entry: Entry) -> frozenset[str]:
    """Whatever of an entry can be named: its steps, outcomes, fields, lines and rows."""
    outcomes: Value = entry.fields["outcomes"].value if "outcomes" in entry.fields else ()
    lines = walk((*entry.lines, *(line for step in entry.steps for line in step.lines)))
    return frozenset(
        (
            *(step.id.partition("#")[2] for step in entry.steps), *(slug(atom.text) for atom in outcomes if isinstance(atom, Text)),
            *entry.fields, *map(slug, entry.slots), *(name for line in lines for name in (line.id, slug(line.label))),
            *(row.id for row in (entry.table.rows if entry.table is not None else ())),
        )
    )  # fmt: skip
