"""All that is wrong with a compiled pack: what stands in it, and whether the packs that it builds on are those that lie here.

It holds all that it needs, so nothing that is played depends on those; but its maker may believe otherwise.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from te_forge.compiled.file import parsed
from te_forge.compiled.fingerprint import fingerprints
from te_forge.compiled.lint import examined
from te_forge.compiled.shape import VERSION
from te_forge.compiled.where import Where
from te_forge.diagnostics import Findings, has_errors
from te_forge.files import MOST_COMPILED_BYTES, Shelf
from te_forge.packs import load
from te_forge.source import Source
from te_forge.whereabouts import find

HELP = "what is played is what is in this file; to have the pack that lies here, compile this one anew from its folder"


def linted(path: Path, findings: Findings) -> Source | None:
    """Add all that is wrong with a compiled pack; gives its text, where it is one."""
    shelf = Shelf(path.parent, findings)
    spot = shelf.spot(path)
    raw = shelf.raw(path, spot, MOST_COMPILED_BYTES)
    text = shelf.decoded(raw, spot) if raw is not None else None
    if raw is None or text is None:
        return None
    source = Source(spot.file, text)
    examined(source, raw, findings)
    if not has_errors(findings):
        others(parsed(raw), path, source, findings)
    return source


def others(document: Any, path: Path, source: Source, findings: Findings) -> None:
    """Warn of each required pack that is found here and is another than the one in the file, which is sound."""
    where = Where(source)
    heads = [(("pack",), document["pack"]), *((("required", number), one) for number, one in enumerate(document.get("required", ())))]
    needs = {one["id"]: ((*place, "requires", number), one) for place, head in heads for number, one in enumerate(head.get("requires", ()))}
    for id, (place, need) in needs.items():
        if said := other(id, need, path, document["format_version"] == VERSION):
            findings.add("other-required-pack", said, where.span(place), help=HELP, severity="warning")


def other(id: str, need: dict[str, str], path: Path, same_format: bool) -> str:
    """How the pack of an id that lies here differs from the one in the file; empty when it does not, or when there is none. Hashes of another format
    do not compare.
    """
    place = find(id, path)
    system = load(str(place)).system if place is not None else None
    if system is None or system.pack.id != id or "resolved" not in need:
        return ""
    here, there = system.pack.version, need["resolved"]
    if here != there:
        return f"this file holds `{id}` {there}, and here lies {here}"
    if same_format and need.get("sha256", "") not in ("", fingerprints(system)[id]):
        return f"this file holds another `{id}` than the one that lies here, though both say that they are {here}"
    return ""
