"""A comparison for a designer, in words, and for a program, as JSON."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from te_forge.compare.change import Change, Comparison, Side
from te_forge.compare.phrases import phrase
from te_forge.compare.versions import Proposal
from te_forge.model.system import Words, plain
from te_forge.suggest import heading

Files = Mapping[str, str]
"""How a file is called for whoever reads, by the name that the pack has for it."""
Names = Mapping[str, str]
"""By the id of a hack or reading, its name."""
LONGEST = 400


@dataclass(frozen=True)
class Telling:
    """What a report needs to know besides the differences: names of hacks, and how the files of the earlier and of the later game are called."""

    names: Names
    then: Files
    now: Files

    def places(self, one: Change) -> list[str]:
        sides = ((one.after, self.now), (one.before, self.then))
        return [f"{files.get(side.place.file, side.place.file)}:{side.place.line}" for side, files in sides if side is not None]


NOTHING_TOLD = Telling({}, {}, {})


def as_text(found: Comparison, telling: Telling = NOTHING_TOLD, proposal: Proposal | None = None) -> str:
    """All differences, by what became of each thing; behind each line where it stands, and where it stood."""
    blocks = ["The two say the same."] if not found.changes else [counted(found), *whole(found, telling), *inside(found, telling)]
    return "\n\n".join([*blocks, *([proposed(proposal)] if proposal is not None else [])])


def counted(found: Comparison) -> str:
    """`3 new, 1 gone, 2 changed`."""
    sums = [(len(found.of("added")), "new"), (len(found.of("removed")), "gone"), (len(found.of("renamed")), "renamed")]
    changed = len({one.id for one in found.within})
    said = [f"{number} {word}" for number, word in [*sums, (changed, "changed")] if number]
    return (", ".join(said) or "no rule is different") + "."


def whole(found: Comparison, telling: Telling) -> Iterable[str]:
    """What is on, gone, renamed and new."""
    switches = [f"  {titled(one)} is {'on' if one.verb == 'added' else 'off'}" for one in found.changes if one.part == "switch"]
    gone = [f"  {titled(one)} is gone{f', {one.heir} stands in its place' if one.heir else ''}{behind(one, telling)}" for one in found.of("removed")]
    renamed = [f"  {heading(one.kind)} {text(one.before)} is called {one.name}{behind(one, telling)}" for one in found.of("renamed")]
    new = [f"  {titled(one)} is new{f', based on {line(one.based)}' if one.based else ''}{behind(one, telling)}" for one in found.of("added")]
    titles = (("Hacks and readings", switches), ("Gone", gone), ("Renamed", renamed), ("New", new))
    return ["\n".join([title, *lines]) for title, lines in titles if lines]


def inside(found: Comparison, telling: Telling) -> Iterable[str]:
    by_thing: dict[str, list[Change]] = {}
    for one in found.within:
        by_thing.setdefault(one.id, []).append(one)
    blocks = ["\n".join([f"  {titled(ones[0])}", *(f"    {said(one)}{behind(one, telling)}" for one in ones)]) for ones in by_thing.values()]
    return ["Changed\n" + "\n".join(blocks)] if blocks else []


def titled(one: Change) -> str:
    return f"{heading(one.kind)} {one.name}" + (" (optional)" if one.optional else "")


def said(one: Change) -> str:
    """`Most: 4 -> 5`, `step 2, Look is new: ..`."""
    if one.part == "chapter":
        return "stands in place of the other of this title"
    found = phrase(one)
    if found.deed:
        if one.verb == "moved":
            return f"{found.where} {found.deed}: {line(found.before)} -> {line(found.after)}"
        return f"{found.where} {found.deed}: {line(found.after or found.before)}"
    return f"{found.where}: {line(found.before)} -> {line(found.after)}"


def text(side: Side | None) -> str:
    return line(side.words) if side is not None else ""


def line(words: Words) -> str:
    found = " ".join(plain(words).split())
    return (found if len(found) <= LONGEST else found[:LONGEST].rsplit(" ", 1)[0] + " …") or "nothing"


def behind(one: Change, telling: Telling) -> str:
    """Who did it, and both places."""
    places = telling.places(one)
    who = ", ".join(telling.names.get(id, id) for id in one.by)
    where = " (was ".join(dict.fromkeys(places)) + (")" if len(set(places)) > 1 else "")
    return f"  [{'by ' + who + ', ' if who else ''}{where}]"


def proposed(proposal: Proposal) -> str:
    head = f"Version: {proposal.old} -> {proposal.new} ({proposal.level})"
    reasons = [f"  {one.level}: {one.why}" for one in proposal.reasons]
    return "\n".join([head + (f"; {proposal.verdict}" if proposal.verdict else ""), *reasons])


# ---------------------------------------------------------------- for programs


def as_json(found: Comparison, telling: Telling = NOTHING_TOLD, proposal: Proposal | None = None) -> str:
    made: dict[str, object] = {"changes": [record(one, telling) for one in found.changes]}
    if proposal is not None:
        reasons = [{"level": one.level, "why": one.why} for one in proposal.reasons]
        made["version"] = {"old": proposal.old, "new": proposal.new, "level": proposal.level, "reasons": reasons}
    return json.dumps(made, indent=1, ensure_ascii=False)


def record(one: Change, telling: Telling) -> dict[str, object]:
    return {
        "what": one.verb, "part": one.part, "id": one.id, "kind": one.kind, "name": one.name, "path": list(one.path), "step": one.number or None,
        "before": side(one.before, telling.then), "after": side(one.after, telling.now), "by": list(one.by), "optional": one.optional, "alias_kept": one.aliased, "successor": one.heir,
        "based_on": line(one.based) if one.based else "",
    }  # fmt: skip


def side(one: Side | None, files: Files) -> dict[str, object] | None:
    if one is None:
        return None
    return {
        "words": " ".join(plain(one.words).split()),
        "file": files.get(one.place.file, one.place.file),
        "line": one.place.line,
        "column": one.place.column,
    }
