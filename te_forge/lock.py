"""The lock file of a pack: what its changes stood on when they were last looked at.

For each place of a required pack that a hack or reading of this one changes, `pack.lock` keeps what stood there, in words and as a fingerprint. When
the required pack has changed since, exactly those changes are named whose place is another: what it was, what it is, and the change. What only has a
new name elsewhere is no other place, since fingerprints are made of ids; a thing that took over the id of another is known by hardly having a word in
common with it.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import field, replace
from typing import Any

from te_forge.compose import compose
from te_forge.compose.based import base_of
from te_forge.compose.chapters import with_chapters
from te_forge.compose.chosen import switched_on
from te_forge.compose.lines import walk
from te_forge.compose.operations import PROSE, ROWS, SLOTS, Operation, operations
from te_forge.compose.order import SWITCHES
from te_forge.compose.values import found as field_of
from te_forge.diagnostics import Diagnostic, Findings, Label
from te_forge.frozen import frozen
from te_forge.keys import slug
from te_forge.model.system import Entry, Line, Ref, Row, Step, System, Words, plain
from te_forge.source import Source, Span
from te_forge.whereabouts import LOCK as NAME

AGAIN = "te-forge lock"
FORM = "te_forge lock 1"
LONGEST = 600
"""Letters of what stood somewhere that are kept for people; the fingerprint is of all of it."""
WORD, QUOTED = re.compile(r"\w+"), re.compile(r"`([^`]+)`")


@frozen
class Target:
    """A place that is changed: the fingerprint of what stands there, that in words, and the thing that it is in."""

    print: str
    was: str
    thing: str


@frozen
class Lock:
    """`requires`: by id of each required pack, its version; `targets`: by `pack:kind/slug#place`."""

    pack: str
    requires: Mapping[str, str] = field(default_factory=dict)
    targets: Mapping[str, Target] = field(default_factory=dict)


@frozen
class Stale:
    """A change whose place is another than it was: where the place is now, if anywhere, and who changes it."""

    key: str
    then: Target
    now: Target
    place: Span
    changes: tuple[Operation, ...]
    other: bool = False
    """Nothing is left of the thing that was there: its id belongs to another one."""


# ---------------------------------------------------------------- what stands where


def lock_of(system: System) -> Lock:
    """The lock of a pack as it stands on its required packs now."""
    system = with_chapters(system)
    ground = Ground(system)
    targets = {key: ground.target(ones[0]) for key, ones in patches(system).items()}
    return Lock(system.pack.id, {pack.id: pack.version for pack in system.packs[:-1]}, targets)


def patches(system: System) -> dict[str, list[Operation]]:
    """By place, all that the pack's own hacks and readings do to required packs, and what of them is copied."""
    own = system.pack.id
    out: dict[str, list[Operation]] = {}
    for entry in system.entries.values():
        if entry.pack == own and (entry.kind in SWITCHES or entry.based is not None):
            for one in (*operations(entry, system), *copies(entry)):
                if one.target.partition(":")[0] != own and one.target in system.entries:
                    out.setdefault(key_of(one), []).append(one)
    return dict(sorted(out.items()))


def copies(entry: Entry) -> Iterator[Operation]:
    """What an entry is based on: it stands on the whole of it."""
    based = base_of(entry)
    if based is not None:
        yield Operation(entry.id, "copy", based.thing, (), "", entry.span, "printed" if based.printed else "played")


def key_of(one: Operation) -> str:
    if one.verb in ("delete", "rename"):
        return one.target
    if one.verb == "copy":
        return f"{one.target}#{one.what}"
    if one.path[:1] == (ROWS,):
        return f"{one.target}#row:{slug(one.label)}"
    if one.path[:1] == (SLOTS,):
        return f"{one.target}#value:{one.path[-1]}"
    return f"{one.target}#{one.path[0].removeprefix('#') if one.path == (PROSE,) else '/'.join(one.path).replace('#', '')}"


class Ground:
    """What the pack stands on: its required packs, as they are played without it."""

    def __init__(self, system: System) -> None:
        self.system = system
        own = system.pack.id
        entries = {id: entry for id, entry in system.entries.items() if entry.pack != own}
        base = System(system.packs[:-1], system.kinds, entries, (), {})
        on = switched_on(base) if base.packs else ()
        self.entries = {**entries, **(compose(base, on).system.entries if on else {})}

    def target(self, one: Operation) -> Target:
        entry = (self.system.entries if one.what == "printed" else self.entries)[one.target]
        words = self.words(entry, one)
        shown = " ".join(plain(words).split())
        return Target(digest(keyed(words)), shown if len(shown) <= LONGEST else shown[:LONGEST] + " …", thing(entry))

    def words(self, entry: Entry, one: Operation) -> Words:
        """What stands at the place that is changed; nothing where the change puts something in, or only gives a name."""
        match one.verb:
            case "insert" | "rename":
                return ()
            case "delete" | "copy":
                return whole_entry(entry)
        if one.path == (PROSE,):
            return joined(prose.words for prose in entry.prose)
        if one.path[-1] == PROSE:
            return joined(step.prose for step in entry.steps if slug(step.name) == one.path[0])
        if isinstance(one.what, Row):
            return joined(row_words(row) for row in covered(entry, one.what))
        if one.path[:1] == (SLOTS,):
            slot = next((slot for slot in entry.slots.values() if slug(slot.name) == one.path[-1]), None)
            return (f"{slot.holds}, unless stated {slot.usual}",) if slot is not None else ()
        return line_words(entry, one.path) or self.field(entry, one.path)

    def field(self, entry: Entry, path: tuple[str, ...]) -> Words:
        known = field_of(entry, path[-1], self.system) if len(path) == 1 else None
        return known.words if known is not None else ()

    def place(self, one: Operation) -> Span:
        entry = self.entries[one.target]
        found = line_at(entry, one.path) or (entry.fields.get(one.path[-1]) if one.path else None)
        return found.span if found is not None else entry.span


def line_at(entry: Entry, path: tuple[str, ...]) -> Line | Step | None:
    if not path:
        return None
    step = next((step for step in entry.steps if slug(step.name) == path[0]), None)
    lines, rest = (step.lines, path[1:]) if step is not None else (entry.lines, path)
    found: Line | Step | None = step
    for label in rest:
        found = next((line for line in lines if slug(line.label) == label), None)
        if found is None:
            return None
        lines = found.lines
    return found


def line_words(entry: Entry, path: tuple[str, ...]) -> Words:
    found = line_at(entry, path)
    if found is None:
        return ()
    return (*(found.words if isinstance(found, Line) else found.prose), *joined(labelled(line) for line in walk(found.lines)))


def labelled(line: Line) -> Words:
    return (f" {line.label}: ", *line.words, ";")


def row_words(row: Row) -> Words:
    return (
        f"{row.low}-{row.high}{''.join(f', {one.low}-{one.high}' for one in row.more)} {row.name}: ",
        *joined((*cell.words, " | ") for cell in row.cells.values()),
        "; ",
    )


def covered(entry: Entry, row: Row) -> list[Row]:
    """The rows of a table that a new one takes the place of."""
    rows = entry.table.rows if entry.table is not None else ()
    return [one for one in rows if (one.name and one.name == row.name) or row.contains(one)]


def whole_entry(entry: Entry) -> Words:
    said = joined(prose.words for prose in entry.prose)
    fields = joined((f" {one.label}: ", *one.words, ";") for one in entry.fields.values())
    steps = joined((f" {step.name}. ", *step.prose, *joined(labelled(line) for line in walk(step.lines))) for step in entry.steps)
    rows = joined(row_words(row) for row in (entry.table.rows if entry.table is not None else ()))
    return (f"{entry.name}. ", *said, *fields, *joined(labelled(line) for line in walk(entry.lines)), *steps, *rows)


def thing(entry: Entry) -> str:
    """What an entry is, in a few words: `Name, a kind: its first sentence`."""
    said = " ".join(plain(joined(prose.words for prose in entry.prose)).split())
    first = re.split(r"(?<=[.!?])\s", said, maxsplit=1)[0] if said else "; ".join(f"{one.label} {plain(one.words)}" for one in entry.fields.values())
    return f"{entry.name}, {'an' if entry.kind[:1] in 'aeiou' else 'a'} {entry.kind}" + (f": {first[:200]}" if first else "")


def joined(many: Iterator[Words] | Collection[Words] | Any) -> Words:
    return tuple(word for words in many for word in words)


def keyed(words: Words) -> str:
    """Words with ids in place of names."""
    return " ".join("".join(f"[{word.id}]" if isinstance(word, Ref) else word if isinstance(word, str) else word.text for word in words).split())


def digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]


# ---------------------------------------------------------------- the file


def as_text(lock: Lock) -> str:
    """The file: the same bytes for the same lock, a line for each thing kept, and a seal that tells whether somebody changed it."""
    targets = {key: {"thing": one.thing, "was": one.was, "print": one.print} for key, one in sorted(lock.targets.items())}
    data = {"form": FORM, "pack": lock.pack, "requires": dict(sorted(lock.requires.items())), "targets": targets}
    return json.dumps({**data, "seal": seal(data)}, indent=1, ensure_ascii=False) + "\n"


def seal(data: Mapping[str, Any]) -> str:
    return digest(json.dumps(data, ensure_ascii=False, sort_keys=True))


def read_lock(source: Source, pack: str, findings: Findings) -> Lock | None:
    """The lock that a file holds; what is wrong with it is one sentence."""
    why = ""
    data: Any = None
    try:
        data = json.loads(source.text)
    except (ValueError, RecursionError):
        why = "it cannot be read; perhaps the end is missing, or a merge has left its marks in it"
    if not why and (not isinstance(data, dict) or data.get("form") != FORM):
        why = "it is no lock file that this te-forge knows"
    elif not why and data.pop("seal", None) != seal(data):
        why = "it was changed since te-forge wrote it"
    elif not why and not shaped(data):
        why = "it is no lock file that this te-forge knows"
    elif not why and data["pack"] != pack:
        why = f"it is that of another pack, `{data['pack']}`"
    if why:
        findings.add(
            "bad-lock",
            f"{NAME} does not count: {why}",
            source.span(1),
            help=f"read what has changed in the required packs, then `{AGAIN} . --review all` writes it anew",
        )
        return None
    targets = {key: Target(one["print"], one["was"], one["thing"]) for key, one in data["targets"].items()}
    return Lock(data["pack"], data["requires"], targets)


def shaped(data: Any) -> bool:
    """Whether everything in a lock is of the sort that it should be; a seal can be made by anybody."""
    requires, targets = data.get("requires"), data.get("targets")
    if not isinstance(data.get("pack"), str) or not isinstance(requires, dict) or not isinstance(targets, dict):
        return False
    kept = [one.get(name) if isinstance(one, dict) else None for one in targets.values() for name in ("print", "was", "thing")]
    return all(isinstance(text, str) for text in (*requires.values(), *kept))


# ---------------------------------------------------------------- then and now


def stale(system: System, lock: Lock) -> list[Stale]:
    """The changes whose places are others than they were."""
    system = with_chapters(system)
    ground = Ground(system)
    out = []
    for key, ones in patches(system).items():
        then = lock.targets.get(key)
        if then is None:
            continue
        now = ground.target(ones[0])
        other = unlike(then.thing, now.thing)
        if other or then.print != now.print:
            out.append(Stale(key, then, now, ground.place(ones[0]), tuple(ones), other))
    return out


def unlike(then: str, now: str) -> bool:
    """Whether two descriptions have fewer than half of their words in common; a new name alone makes no other thing."""
    (_, _, old), (_, _, new) = (one.casefold().partition(": ") for one in (then, now))
    if not old or not new:
        return name_of(then) != name_of(now) and old != new
    before, after = set(WORD.findall(old)), set(WORD.findall(new))
    return 2 * len(before & after) < len(before)


def name_of(thing: str) -> str:
    return thing.partition(",")[0]


def check_lock(system: System, lock: Lock, place: Span) -> list[Diagnostic]:
    """What a pack should know of the packs that it was locked on: changed places, new names, and changes that are not in the lock yet."""
    findings = Findings()
    for one in stale(system, lock):
        complain(one, system, lock, findings)
    known = patches(with_chapters(system))
    new, gone = known.keys() - lock.targets.keys(), lock.targets.keys() - known.keys()
    if new or gone:
        said = " and ".join([*([f"{len(new)} not in it yet"] if new else []), *([f"{len(gone)} not there any more"] if gone else [])])
        findings.add(
            "lock-behind", f"{NAME} is behind the changes of this pack: {said}", place, severity="note", help=f"`{AGAIN} .` brings it up to date"
        )
    return list(findings)


def complain(one: Stale, system: System, lock: Lock, findings: Findings) -> None:
    first, *rest = one.changes
    name = with_chapters(system).entries[first.target].name
    pack = first.target.partition(":")[0]
    version = lock.requires.get(pack, "an older version")
    now = next((info.version for info in system.packs if info.id == pack), "")
    place = (
        f"`{first.label}` of {name}"
        if first.label and first.verb not in ("delete", "rename")
        else f"{name} as {first.what}"
        if first.verb == "copy"
        else name
    )
    if one.other:
        message = f"this was written for {quoted(one.then.thing)}, and its id belongs to another thing now: {quoted(one.now.thing)}"
    else:
        message = f"{place} is not what it was when this was written: it was {quoted(one.then.was)} in {pack} {version}, and is {quoted(one.now.was)} in {now}"
    findings.add(
        "stale-patch", message, first.span, help=f"read both; if the change still holds, `{AGAIN} . --review {one.key}`",
        labels=[Label(one.place, "it is here now"), *(Label(each.span, "this changes it too") for each in rest)],
    )  # fmt: skip


def quoted(text: str) -> str:
    short = text if len(text) <= 160 else text[:160].rsplit(" ", 1)[0] + " …"
    return f"`{short}`" if short else "nothing"


def lost(found: list[Diagnostic], base: System, lock: Lock) -> list[Diagnostic]:
    """Complaints about targets that are gone, with what the lock knows of them: what they were, and what says the same now."""
    if not any(one.code == "unknown-target" for one in found):
        return found
    then = {name_of(target.thing): target.thing for target in lock.targets.values()}
    now = {said_of(thing(entry)): entry.name for entry in base.entries.values()}
    return [with_trace(one, then, now) if one.code == "unknown-target" else one for one in found]


def with_trace(one: Diagnostic, then: Mapping[str, str], now: Mapping[str, str]) -> Diagnostic:
    was = next((then[name] for name in QUOTED.findall(one.message) if name in then), "")
    if not was:
        return one
    same = now.get(said_of(was), "") if said_of(was) else ""
    more = f"{same} says the same now" if same else one.help
    return replace(one, help=f"it was {quoted(was)}" + (f"; {more}" if more else ""))


def said_of(thing: str) -> str:
    """The kind and the sentence of a description, without the name; a bare kind says nothing."""
    tail = thing.partition(", ")[2]
    return tail if ": " in tail else ""
