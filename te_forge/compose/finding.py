"""What somebody means who writes `Luck`, `skill/hide`, `a-pack:skill/hide` or `Luck.Starts`: an entry, and a place in it."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import replace

from te_forge.check.names import SHELVES
from te_forge.compose.history import Historian, labels_of
from te_forge.compose.operations import ROWS, Path
from te_forge.compose.renames import given_names
from te_forge.frozen import frozen
from te_forge.keys import fold, slug
from te_forge.model.system import Entry, System
from te_forge.suggest import listed, nearest

JOINT = re.compile(r"[.#/]")
MOST_NAMED = 4


class NotFound(Exception):
    """Nothing is called so; the sentence names what is near."""


@frozen
class Found:
    """An entry, and the place in it that is meant; None for all of it. `others` have the same name, and come after it."""

    entry: Entry
    label: str = ""
    path: Path | None = None
    others: tuple[Entry, ...] = ()


def find(text: str, historian: Historian) -> Found:
    """The place that `text` means. Rules come before hacks and examples of the same name, as in rules. Hacks may bring in places and names that the
    entry itself does not have, and its kind fields for all of its things.
    """
    system = historian.system
    names: dict[str, set[str]] = {}
    for id, name in given_names(system):
        names.setdefault(id, set()).add(fold(name).casefold())
    text = fold(text)
    cuts = [len(text), *(match.start() for match in JOINT.finditer(text))]
    for cut in sorted(cuts, reverse=True):
        head, rest = text[:cut].strip(), text[cut + 1 :].strip()
        same = called(head, system, names)
        entries = [entry for entry in same if entry.kind not in SHELVES] or same
        if len(entries) > 1:
            raise NotFound(f"`{head}` could be {' or '.join(short(entry) for entry in entries[:MOST_NAMED])}; write one of these")
        if entries and (cut == len(text) or rest):
            if entries[0].kind == "kind" and text[cut : cut + 1] == "/":
                raise_unless_part(entries[0], rest, historian)
            found = place_of(entries[0], rest, historian) if rest else Found(entries[0])
            return replace(found, others=tuple(entry for entry in same if entry not in entries))
    raise NotFound(f"nothing is called `{text}`{near_name(re.split('[.#]', text)[0].strip(), system)}")


def short(entry: Entry) -> str:
    return f"`{entry.kind}/{entry.slug}`"


def called(name: str, system: System, renamed: Mapping[str, Collection[str]]) -> list[Entry]:
    """The entries of this id, name, other name or slug."""
    exact = system.entries.get(name)
    if exact is not None:
        return [exact]
    wanted = fold(name).casefold()
    kinds = {info.name: {info.name, *renamed.get(info.id, ())} for info in system.kinds.values()}

    def is_called_so(entry: Entry) -> bool:
        by_kind = any(wanted == f"{kind}/{entry.slug}" for kind in kinds.get(entry.kind, (entry.kind,)))
        return by_kind or wanted in renamed.get(entry.id, ()) or any(fold(one).casefold() == wanted for one in (entry.name, *entry.aliases))

    found = [entry for entry in system.entries.values() if is_called_so(entry)]
    return found or [entry for entry in system.entries.values() if entry.slug == name]


def near_name(name: str, system: System) -> str:
    known = [one for entry in system.entries.values() for one in (entry.name, f"{entry.kind}/{entry.slug}", *([entry.id] if ":" in name else []))]
    best = nearest(name, known)
    return f"; did you mean `{best}`?" if best else "; write a name as in the book, or `kind/name`"


def raise_unless_part(kind: Entry, text: str, historian: Historian) -> None:
    """`skill/nothing` asks for a skill, and only then for a part of what the kind itself says."""
    try:
        place_of(kind, text, historian)
    except NotFound:
        there = [f"{kind.name}/{entry.slug}" for entry in historian.system.entries.values() if entry.kind == kind.name]
        best = nearest(f"{kind.name}/{text}", there)
        raise NotFound(
            f"no {kind.name} is called `{text}`; "
            + (f"did you mean `{best}`?" if best else f"there are {listed(there)}" if there else "there are none at all")
        ) from None


def place_of(entry: Entry, text: str, historian: Historian) -> Found:
    """The field, slot, row, step or line of an entry that is called `text`."""
    known = {**dict(historian.usual(entry)), **labels_of(entry, historian.found)}
    wanted = tuple(map(slug, JOINT.split(text)))
    same = [(label, path) for label, path in known.items() if path == wanted or tuple(map(slug, label.split("."))) == wanted]
    same = same or [(label, path) for label, path in known.items() if path[-1] == wanted[-1] and len(wanted) == 1]
    if len({path for _, path in same}) > 1:
        raise NotFound(f"`{text}` of {entry.name} could be {' or '.join(f'`{label}`' for label, _ in same[:MOST_NAMED])}; write one of these")
    if same:
        return Found(entry, *same[0])
    if row := row_with(entry, text):
        return Found(entry, text, row)
    best = nearest(text, known)
    help = f"did you mean `{entry.name}.{best}`?" if best else f"it has {listed(known)}" if known else "it has none at all"
    raise NotFound(f"{entry.name} has no field, step, line or row called `{text}`; {help}")


def row_with(entry: Entry, face: str) -> Path | None:
    rows = entry.table.rows if entry.table is not None else ()
    found = next((row for row in rows if face.isdecimal() and row.covers(int(face))), None)
    return (ROWS, slug(found.name) if found.name else str(found.low)) if found is not None else None
