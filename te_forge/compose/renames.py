"""New names: what hacks call things and kinds, what has such a name in its own, and whether a name is free."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping

from te_forge.compose.changes import Changes
from te_forge.compose.chapters import KIND as CHAPTER
from te_forge.compose.operations import Operation, operations
from te_forge.diagnostics import Findings, Label
from te_forge.frozen import frozen, replace
from te_forge.keys import fold, slug
from te_forge.model.rules import Text
from te_forge.model.system import Entry, Field, System
from te_forge.renaming import Renaming, capital, kind_words, new_titles, plural

NO_RENAMING = Renaming({})


@frozen
class NewNames:
    """`renamed`: by id, the old and the new name. `kinds`: old and new names of kinds. `renaming` says both in texts."""

    renamed: Mapping[str, tuple[str, str]]
    kinds: Mapping[str, str]
    renaming: Renaming
    plurals: Mapping[str, str]
    """By new name of a kind, its plural."""


def new_names(system: System, changes: Changes, findings: Findings) -> NewNames:
    """All new names of a game: those that hacks give, and of what has one of them in its own."""
    plurals: dict[str, str] = {}
    renamed = renames(system, changes, plurals, findings)
    kinds = {old: new for id, (old, new) in renamed.items() if system.entries[id].kind == "kind"}
    words = new_words(
        system, {id: names for id, names in renamed.items() if system.entries[id].kind not in ("kind", CHAPTER)}
    )  # the title of a chapter is no word of the rules
    for old, new in kinds.items():
        words |= kind_words(old, system.kinds[old].plural if old in system.kinds else plural(old), new, plurals[new])
    renaming = Renaming(words, kept_phrases(system, kinds), is_english(system)) if words else NO_RENAMING
    return NewNames({**renamed, **compounds(system, renamed, renaming, changes)}, kinds, renaming, plurals)


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
    terms = [
        dict(
            term(system.entries[one.target], str(one.what))
            for one in ones
            if one.target in system.entries and system.entries[one.target].kind != CHAPTER
        )
        for ones in found
    ]
    yield from new_titles(
        terms, {id: entry.name for id, entry in system.entries.items() if entry.kind not in ("kind", CHAPTER)} if any(terms) else {}
    )


def term(entry: Entry, new: str) -> tuple[str, str]:
    """The old and the new name as they stand in other names."""
    return (capital(entry.name), capital(new)) if entry.kind == "kind" else (entry.name, new)


LANGUAGE = ("group of", "number of", "trait of")
"""Words of the language that a kind may be called by."""


def kept_phrases(system: System, kinds: Collection[str] = ()) -> frozenset[str]:
    """Titles, marks and notices: proper names of works, which no game renames. So are, where `kinds` have new names, longer names of kinds."""
    others = [name for info in system.kinds.values() for name in (info.name, info.plural) if "-" in name and info.name not in kinds] if kinds else []
    out: set[str] = {*others, *(LANGUAGE if kinds else ())}
    for pack in system.packs:
        out |= {pack.title, *pack.marks, *pack.credits}
        for work in pack.sources:
            out |= {work.title, *([work.attribution] if work.attribution else [])}
    return frozenset(out)


def compounds(system: System, renamed: Mapping[str, tuple[str, str]], renaming: Renaming, changes: Changes) -> dict[str, tuple[str, str]]:
    """What has a renamed name in its own, with its old and new name; not where that name is taken."""
    out: dict[str, tuple[str, str]] = {}
    if not renaming:
        return out
    taken = {(entry.kind, fold(name_now(entry, changes))) for entry in system.entries.values()}
    for id, entry in system.entries.items():
        new = renaming(entry.name)
        if id not in renamed and entry.kind != "kind" and new != entry.name and (entry.kind, fold(new)) not in taken:
            out[id] = (entry.name, new)
            taken.add((entry.kind, fold(new)))
    return out


def slot_labels(system: System, renaming: Renaming) -> dict[str, str]:
    """Labels of declared fields that have a renamed name in them: what the field is called now."""
    names = {slot.name for entry in system.entries.values() for slot in entry.slots.values()} if renaming else ()
    return {slug(name): new for name in sorted(names) if (new := renaming(name)) != name}


def renames(system: System, changes: Changes, plurals: dict[str, str], findings: Findings) -> dict[str, tuple[str, str]]:
    """Old and new name of each entry that a hack renames; of kinds, `plurals` gets the new one."""
    out: dict[str, tuple[str, str]] = {}
    called: dict[tuple[str, str], list[Entry]] = {}
    for entry in system.entries.values() if changes.renamed else ():
        if entry.id not in changes.gone:
            called.setdefault((entry.kind, fold(name_now(entry, changes))), []).append(entry)
    for id, one in sorted(changes.renamed.items()):
        entry, new = system.entries[id], str(one.what)
        if id in changes.gone:
            continue
        if new == entry.name:
            findings.add("idle-patch", f"this changes nothing: {entry.name} is called so already", one.span, severity="warning", help="leave it out")
        taken = next((other for other in called.get((entry.kind, fold(new)), ()) if other.id != id), None)
        if taken is not None:
            findings.add(
                "duplicate-name",
                f"there is already a {entry.kind} called `{new}`",
                one.span,
                help="choose another name",
                labels=[Label(taken.span, "it is here")],
            )
            continue
        out[id] = (entry.name, new)
        if entry.kind == "kind":
            plurals[new] = stated_plural(one, system) or plural(new)
    return out


def stated_plural(one: Operation, system: System) -> str:
    """The plural that a hack gives with a new name."""
    patches = [patch for patch in system.entries[one.hack].patches if patch.verb == "renames" and patch.target == one.target]
    found = [atom.text for patch in patches for line in patch.lines if line.label == "Plural" for atom in line.value if isinstance(atom, Text)]
    return found[0] if found else ""


def name_now(entry: Entry, changes: Changes) -> str:
    return str(changes.renamed[entry.id].what) if entry.id in changes.renamed else entry.name


def with_name(entry: Entry, names: tuple[str, str] | None) -> Entry:
    return replace(entry, name=names[1], aliases=(*entry.aliases, names[0])) if names is not None else entry


def is_number(system: System, id: str) -> bool:
    info = system.kinds.get(system.entries[id].kind)
    return info is not None and info.nature == "number"


def relabelled(entry: Entry, labels: Mapping[str, str], kind: str, system: System, but: frozenset[str]) -> Entry:
    """Somebody's stated numbers are found by the name of the number, so they take its new name; not the labels of `but`. `kind` is what its kind was
    called.
    """
    info = system.kinds.get(kind)
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
