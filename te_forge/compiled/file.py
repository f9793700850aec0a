"""Opening a compiled pack that nobody vouches for: one sentence for whatever is wrong with it, in bounded time and memory."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from te_forge.collector import collector_paused
from te_forge.compiled.load import system_of
from te_forge.compiled.picture import Picture, pictures_of
from te_forge.compiled.read import WRONG
from te_forge.compiled.shape import FORMAT, VERSION
from te_forge.compiled.unseen import found, perhaps
from te_forge.diagnostics import Findings, has_errors
from te_forge.files import MOST_COMPILED_BYTES, Shelf
from te_forge.frozen import frozen
from te_forge.model.system import System
from te_forge.source import Source

SEAL = re.compile(rb'"content_sha256"\s*:\s*"([0-9a-f]{64})"')
WITHIN = 2_000
"""The hash stands among the first so many bytes."""
NO_HASH = b"0" * 64


@frozen
class Opened:
    """What is in a compiled pack. `source` is its text, where there is something to show of it."""

    system: System | None
    pictures: Mapping[str, Picture]
    source: Source | None = None


@collector_paused()
def opened(path: Path, findings: Findings) -> Opened:
    """The system and the pictures of a compiled pack; the findings say what is wrong with it."""
    shelf = Shelf(path.parent, findings)
    raw = shelf.raw(path, shelf.spot(path), MOST_COMPILED_BYTES)
    if raw is None:
        return Opened(None, {})
    spot = shelf.spot(path)
    document = parsed(raw)
    if isinstance(document, dict) and document.get("format") == FORMAT and document.get("as_played") is True:
        findings.add(
            "as-played",
            "this file holds the game as it is played, for other tools: its hacks are done, and cannot be switched",
            spot,
            help="compile the pack without `--as-played`",
        )
        return Opened(None, {})
    if (
        isinstance(document, dict)
        and document.get("format") == FORMAT
        and readable(document.get("format_version"))
        and seal(raw) == stated_seal(raw)
        and not (perhaps(raw) and any(found(document)))
    ):
        try:
            return Opened(system_of(document), pictures_of(document))
        except WRONG:
            pass
    text = shelf.decoded(raw, spot)
    source = Source(spot.file, text) if text is not None else None
    if source is not None:
        from te_forge.compiled.lint import examined  # a file that is right does without it

        examined(source, raw, findings)
        if not has_errors(findings):
            findings.add(
                "bad-compiled-pack", "this file does not hang together", source.span(1), help="compile the pack anew"
            )  # nothing is known to lead here
    return Opened(None, {}, source)


def parsed(raw: bytes) -> Any:
    """The JSON of a file, or None."""
    try:
        return json.loads(raw)
    except (ValueError, RecursionError):
        return None


def readable(version: object) -> bool:
    """Whether a file of this version of the format can be read: a later second number only adds what may be left aside."""
    return (
        isinstance(version, str) and re.fullmatch(r"\d{1,6}\.\d{1,6}", version) is not None and version.partition(".")[0] == VERSION.partition(".")[0]
    )


def stated_seal(raw: bytes) -> str:
    """The hash that a file says it has."""
    found = SEAL.search(raw, 0, WITHIN)
    return found[1].decode() if found is not None else ""


def seal(raw: bytes) -> str:
    """The hash of a file: that of its bytes with zeros in the place of the hash."""
    found = SEAL.search(raw, 0, WITHIN)
    if found is None:
        return "?"
    hash = hashlib.sha256(raw[: found.start(1)])
    hash.update(NO_HASH)
    hash.update(memoryview(raw)[found.end(1) :])
    return hash.hexdigest()


def sealed(raw: bytes) -> bytes:
    """The file with its hash in its place."""
    found = SEAL.search(raw, 0, WITHIN)
    return raw if found is None else raw[: found.start(1)] + seal(raw).encode() + raw[found.end(1) :]
