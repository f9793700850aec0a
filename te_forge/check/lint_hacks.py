"""Complaints about a hack that contradicts itself. What two hacks say against each other is told where they are put together."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from te_forge.check.lint_view import View
from te_forge.diagnostics import Diagnostic, Label
from te_forge.model.rules import Change, Edit
from te_forge.model.system import Entry, Line, Patch
from te_forge.source import Span

Place = tuple[str, str]
"""What a patch touches: the id of its target, and the path of a line in it (empty for the whole)."""


def patch_conflict(view: View) -> Iterator[Diagnostic]:
    """One hack that says two things about one place."""
    for hack in view.own:
        if len(hack.patches) == 1 and len(hack.patches[0].lines) < 2 and not hack.patches[0].tables:
            continue
        first: dict[Place, Span] = {}
        gone = {patch.target: patch for patch in hack.patches if patch.verb == "deletes"}
        for patch in hack.patches:
            if patch.verb != "deletes" and patch.target in gone:
                yield both(view, hack, patch, "", patch.span, gone[patch.target].span, "it deletes it as well")
                continue
            for path, label, span in places(patch):
                if (before := first.setdefault((patch.target, path), span)) is not span:
                    yield both(view, hack, patch, label, span, before, "the first one is here")


def places(patch: Patch) -> Iterator[tuple[str, str, Span]]:
    """Each place of which a patch says what holds there: the path of the line, its label, and where that is written."""
    if patch.verb != "changes":
        yield "", "", patch.span
    elif patch.target:
        yield from stated(patch.lines)
        for slot in patch.slots.values():
            yield f"#{slot.name}", slot.name, slot.span
        for row in (row for table in patch.tables for row in table.rows):
            name = row.name or row.printed()
            yield f"##{name}", name, row.span
        if patch.prose:
            yield "###", "text", patch.prose[0].span


def stated(lines: Iterable[Line]) -> Iterator[tuple[str, str, Span]]:
    for line in lines:
        if line.value:
            if not any(isinstance(atom, Change | Edit) for atom in line.value):  # changes of a number add up
                yield line.id, line.label, line.span
        elif not line.words:
            yield from stated(line.lines)
        elif line.label:
            yield line.id, line.label, line.span


def both(view: View, hack: Entry, patch: Patch, label: str, span: Span, other: Span, there: str) -> Diagnostic:
    name = view.system.entries[patch.target].name if patch.target in view.system.entries else patch.target
    place = f"`{label}` of {name}" if label else f"`{name}`"
    return Diagnostic("patch-conflict", f"{hack.name} says two things about {place}", span, "error", "take one of them out", (Label(other, there),))


LINTS = (patch_conflict,)
