"""The head of a pack: what pack.yaml says is held against what it may say, and against what the pack has."""

from __future__ import annotations

from dataclasses import fields

from te_forge.compose.chosen import chosen, means
from te_forge.diagnostics import Diagnostic, Findings
from te_forge.model.pack import PackInfo, Work, read_info
from te_forge.model.system import System
from te_forge.safeyaml import Head
from te_forge.source import Source, Span
from te_forge.suggest import did_you_mean, nearest
from te_forge.whereabouts import HEAD

TOP = Span(HEAD, 1, 1, 1)
"""Where a finding stands for which pack.yaml has no better place."""


def pack_info(head: Head, source: Source, findings: Findings) -> PackInfo | None:
    """The checked head of a pack; each wrong or unknown field is a diagnostic where it stands."""
    info, mistakes = read_info(head.data)
    for mistake in mistakes:
        of_work = mistake.path[:1] == ("sources",) and len(mistake.path) > 1
        known = [one.name for one in fields(Work if of_work else PackInfo)]
        wrong_name = mistake.kind == "extra_forbidden" or (mistake.kind == "string_pattern_mismatch" and mistake.path[0] in ("requires", "optional"))
        place = head.place(mistake.path, wrong_name) or source.span(1)
        name = str(mistake.path[-1]) if mistake.path else ""
        match mistake.kind:
            case "missing":
                findings.add("missing-pack-field", f"`{name}` is missing", place if of_work else source.span(1), help=f"add a line `{name}: ...`")
            case "extra_forbidden":
                near = nearest(name, known)
                findings.add(
                    "unknown-pack-field",
                    f"{HEAD} has no field `{name}`",
                    place,
                    help=f"did you mean `{near}`?" if near else "its fields are " + ", ".join(known),
                )
            case _:
                field = next((part for part in reversed(mistake.path) if isinstance(part, str)), name)  # a line of a list has only a number
                findings.add("bad-pack-field", f"`{field}`: {mistake.message}", place, help=mistake.hint)
    for field, names in (("hacks", info.hacks), ("chapters", info.chapters)) if info is not None else ():
        for number, name in enumerate(names):
            if name in names[:number]:
                findings.add(
                    "bad-pack-field",
                    f"`{field}`: {name} stands here twice",
                    head.place((field, number)) or source.span(1),
                    help="take one of the two out",
                )
    return info


def as_far_as_it_reads(head: Head) -> PackInfo | None:
    """The head of a pack without the fields that are wrong, as has been said, so that its pages can be read. None where it is what the pack requires
    that cannot be told.
    """
    wrong = {mistake.path[0] for mistake in read_info(head.data)[1] if mistake.path}
    kept = {name: value for name, value in head.data.items() if name not in wrong}
    return read_info({"id": "pack", "title": "A Pack", "version": "0.0.0", **kept})[0] if wrong.isdisjoint(("requires", "optional")) else None


def unknown_switches(system: System, head: Head) -> list[Diagnostic]:
    """The names in pack.yaml of hacks and readings that nothing has, and two of one hack."""
    findings = Findings()
    wishes = [(name, head.place(("hacks", number)) or TOP) for number, name in enumerate(system.pack.hacks)]
    rulings = system.of_kind("ruling")
    for ruling, reading in system.pack.rulings.items():
        known = any(means(entry, ruling) for entry in rulings)
        wishes.append((f"{ruling}={reading}", head.place(("rulings", ruling), not known) or TOP))
    chosen(system, wishes, findings)
    seen: dict[str, str] = {}
    for name, place in wishes[: len(system.pack.hacks)]:
        for id in chosen(system, [(name, place)], Findings()):
            if seen.setdefault(id, name) != name:
                findings.add("bad-pack-field", f"`hacks`: {name} is {seen[id]} once more", place, help="take one of the two out")
    return list(findings)


def lost_chapters(system: System, head: Head) -> list[Diagnostic]:
    """The chapters that pack.yaml puts first and that are not there."""
    findings = Findings()
    titles = [chapter.title for chapter in system.chapters]
    for number, title in enumerate(system.pack.chapters):
        if title not in titles:
            place = head.place(("chapters", number)) or TOP
            findings.add(
                "bad-pack-field",
                f"`chapters`: there is no chapter called `{title}`{did_you_mean(title, titles)}",
                place,
                help="write the title of a chapter as it stands behind its #",
            )
    return list(findings)
