"""Whether the composed system hangs together: nothing in it speaks of what is not there."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from te_forge.compose.changes import Changes
from te_forge.compose.lines import walk
from te_forge.compose.mapping import Mapper, ids_in, looks_like_id
from te_forge.compose.mentions import Mentions, stated
from te_forge.compose.operations import Operation
from te_forge.compose.order import SWITCHES, switch_of
from te_forge.compose.renames import NO_RENAMING
from te_forge.compose.whole import chapter
from te_forge.diagnostics import Findings, Label
from te_forge.frozen import frozen, replace
from te_forge.keys import slug
from te_forge.model.rules import Text, Value
from te_forge.model.system import Chapter, Entry, Prose, Ref, Shown, System, Words
from te_forge.source import Span


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


def check_whole(
    made: System,
    patched: System,
    changes: Changes,
    missing: Collection[str],
    done: Sequence[Operation],
    mentions: Mentions,
    mapper: Mapper,
    findings: Findings,
) -> set[str]:
    """Complain about every mention of what is gone from what was `patched`, but for the parts of hacks that are `missing`, as has been said.

    Gives the examples that speak of what is gone: they are no examples of this game.
    """
    places: dict[str, frozenset[str]] = {}
    uses = [use for entry in speaking_of_lost(made, patched, mentions, mapper, places) for use in lost(entry, made, patched, places)]
    dropped = {use.entry.id for use in uses if isinstance(use.entry, Entry) and use.entry.kind == "example"}
    uses = [use for use in uses if use.entry.id not in dropped]
    prose_uses = spoken_of(made, patched, changes)
    for id, (one, parts) in sorted(changes.deleted.items()):
        found, prose = ([use for use in some if use.thing in {id, *parts}] for some in (uses, prose_uses))
        labels = [Label(use.span, f"{use.name}, {use.where}") for use in (*found, *prose)]
        if found:
            findings.add(
                "still-used", f"{patched.entries[id].name} is deleted, and {used_by(found)} still {'use' if ' and ' in used_by(found) else 'uses'} it", one.span,
                help=about_uses(one, found, patched), labels=labels,
            )  # fmt: skip
        elif prose:
            findings.add(
                "still-named", f"{patched.entries[id].name} is deleted, and the prose of {used_by(prose)} still speaks of it", one.span,
                severity="warning", help=f"write other prose below `### changes`, or {instead_of(one, patched)}", labels=labels,
            )  # fmt: skip
    gone: dict[str, list[Use]] = {}
    for use in uses:
        if use.thing in changes.off:
            out_of_play(use, patched, missing, findings)
        elif use.thing not in changes.gone:
            gone.setdefault(use.id, []).append(use)
    for id, some in gone.items():
        taken_from(id, some, patched, done, findings)
    return dropped


def left_out(made: System, dropped: Collection[str]) -> System:
    """The system without these: in its chapters, in what it says of who speaks of whom, and where prose links to them."""
    if not dropped:
        return made
    stay = {id: entry for id, entry in made.entries.items() if id not in dropped}
    mapper = Mapper({}, NO_RENAMING, dropped, {id: entry.name for id, entry in stay.items()})
    entries = {id: mapper(entry) for id, entry in stay.items()}
    users = {id: tuple(user for user in users if user not in dropped) for id, users in made.users.items() if id.partition("#")[0] not in dropped}
    return replace(
        made,
        entries=entries,
        chapters=tuple(chapter(one, mapper, entries) for one in made.chapters),
        users={id: some for id, some in users.items() if some},
    )


def taken_from(id: str, uses: list[Use], system: System, done: Sequence[Operation], findings: Findings) -> None:
    """Complain about a step, line or outcome that others speak of and that is not there any more, where it was taken away."""
    thing, _, label = id.partition("#")
    name = system.entries[thing].name if thing in system.entries else thing
    cause = next(
        (
            one
            for one in reversed(done)
            if one.target == thing and one.verb in ("set", "remove") and (one.path[-1] == label or one.path == ("outcomes",))
        ),
        None,
    )
    place, others = (cause.span, uses) if cause is not None else (uses[0].span, uses[1:])
    findings.add(
        "still-used", f"`{label}` of {name} is not there any more, and {used_by(uses)} still {'speak' if ' and ' in used_by(uses) else 'speaks'} of it", place,
        help="leave it where it is, or change what speaks of it as well", labels=[Label(use.span, f"{use.name}, {use.where}") for use in others],
    )  # fmt: skip


def about_uses(deletion: Operation, uses: list[Use], system: System) -> str:
    """What to do about those who use something that is deleted: a successor stands in their lines, but not for a kind, and no other ruling is
    answered by a reading.
    """
    if system.entries[deletion.target].kind in ("kind", "ruling"):
        return "delete or change these too"
    these = "these" if len({use.entry.id for use in uses}) > 1 else "that"
    return instead_of(deletion, system) + (f", or change or delete {these} too" if not deletion.what else "")


def instead_of(deletion: Operation, system: System) -> str:
    """What to do about the uses of something that is deleted."""
    named = str(deletion.what or "")
    if not named:
        return "name what stands for it: `- Successor: ..`"
    what = (
        "the thing itself"
        if named == deletion.target
        else f"{system.entries[named].name}, which is deleted or off as well"
        if named in system.entries
        else named
    )
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


def speaking_of_lost(made: System, patched: System, mentions: Mentions, mapper: Mapper, places: dict[str, frozenset[str]]) -> Iterator[Entry]:
    """The entries that may speak of what is not there: those that meant something of which nothing is there in the end."""
    meant = {id: mentions.stated(patched.entries[id]) for id in made.entries}
    ids = filter(looks_like_id, set[str]().union(*meant.values()))
    away = {*(patched.kinds.keys() - made.kinds.keys()), *(id for id in ids if not is_there(mapper.id(id), made, places))}
    return (made.entries[id] for id, texts in meant.items() if not away.isdisjoint(texts))


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


def spoken_of(made: System, patched: System, changes: Changes) -> list[Use]:
    """Where the prose of what is still there names something that is deleted and that nothing stands for."""
    ids = {id for one, parts in changes.deleted.values() for id in (one.target, *parts)} - set(changes.successors())
    if not ids:
        return []
    entries = [patched.entries[id] for id in made.entries if patched.entries[id].kind not in ("example", *SWITCHES)]
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
