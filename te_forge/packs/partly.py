"""What can be said of a pack in which something is wrong, so that all of it is said at once: of its pack.yaml, and of the hacks that are understood as
well as what they change.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Mapping

from te_forge.check.names import SWITCHES
from te_forge.diagnostics import Diagnostic
from te_forge.frozen import replace
from te_forge.model.system import Entry, Patch, System
from te_forge.packs.head import lost_chapters, unknown_switches
from te_forge.packs.switches import trials
from te_forge.safeyaml import Head
from te_forge.source import Source, Span

TITLE = re.compile(r"##?(?!#)")
DEFINITION = re.compile(r"###?(?!#)")


class Broken:
    """Which definitions have a mistake in them. A definition goes from a heading to the next."""

    def __init__(self, sources: Mapping[str, Source], found: Iterable[Diagnostic]) -> None:
        self.starts = {path: [at for at, line in enumerate(source.lines, 1) if DEFINITION.match(line)] for path, source in sources.items()}
        self.wrong = [one.span for one in found if one.severity == "error"]
        self.blocks = {self.block(span) for span in self.wrong}
        self.at_heading = any(
            TITLE.match(line) for one in self.wrong if one.file in sources for line in sources[one.file].lines[one.line - 1 : one.line]
        )

    def block(self, span: Span) -> tuple[str, int]:
        return span.file, bisect_right(self.starts.get(span.file, ()), span.line)

    def __contains__(self, span: Span) -> bool:
        return self.block(span) in self.blocks


def partly(system: System, head: Head, sources: Mapping[str, Source], found: Iterable[Diagnostic]) -> list[Diagnostic]:
    """What else is wrong with a pack of which so much was `found`."""
    broken = Broken(sources, found)
    named = [] if broken.at_heading else [*lost_chapters(system, head), *unknown_switches(system, head)]
    return [*named, *(one for one in trials(understood(system, broken)) if one.span not in broken)]


def understood(system: System, broken: Broken) -> System:
    """The system with those changes only that are understood, to things that are so too."""
    own = [entry for entry in system.entries.values() if entry.pack == system.pack.id and entry.kind in SWITCHES]
    changes = [(entry, patch) for entry in own for patch in entry.patches if patch.verb == "changes"]
    lost = {patch.target for entry, patch in changes if not is_sound(patch, entry, system, broken)}
    kept = {entry.id: replace(entry, patches=tuple(patch for hack, patch in changes if hack is entry and patch.target not in lost)) for entry in own}
    return replace(system, entries={id: kept.get(id, entry) for id, entry in system.entries.items()})


def is_sound(patch: Patch, hack: Entry, system: System, broken: Broken) -> bool:
    target = system.entries.get(patch.target)
    return (
        target is not None and hack.span not in broken and patch.span not in broken and (target.pack != system.pack.id or target.span not in broken)
    )
