"""What is wrong with a compiled pack, said with its place: what its schema would refuse, and what no schema can see.

`te_forge.compiled.file` reads quickly and says yes or no; this is for the no, and takes its time.
"""

from __future__ import annotations

import json
import re
import sys
from collections import Counter
from typing import Any

from te_forge.compiled.by_form import Inspector
from te_forge.compiled.complaints import ANEW, Complaints, Enough
from te_forge.compiled.file import readable, seal, stated_seal
from te_forge.compiled.shape import FORMAT, VERSION
from te_forge.compiled.together import Together
from te_forge.compiled.translations import translations
from te_forge.compiled.unseen import found as unseen
from te_forge.compiled.unseen import perhaps
from te_forge.compiled.where import Where
from te_forge.diagnostics import Findings
from te_forge.source import Source, Span

KEEP = "if the change is meant, `te-forge lint --seal` writes the hash anew"


sys.setrecursionlimit(max(sys.getrecursionlimit(), 5_000))  # a formula may be `MOST_DEEP` deep, at eight calls each


def examined(source: Source, raw: bytes, findings: Findings) -> None:
    """Add all that is wrong with the text of a compiled pack."""
    try:
        whole = json.loads(source.text, object_pairs_hook=once)
    except json.JSONDecodeError as error:
        cut = error.pos >= len(source.text.rstrip()) or error.msg.startswith("Unterminated string")
        place = Span(source.path, error.lineno, error.colno, error.colno + 1)
        findings.add(
            "not-json",
            "this file ends in the middle: it is cut off" if cut else f"here the file is no JSON: {error.msg[:1].lower()}{error.msg[1:]}",
            place,
            help="get the file again" if cut else ANEW,
        )
    except (ValueError, RecursionError) as error:
        said = (
            str(error)
            if isinstance(error, Twice)
            else "it is nested too deeply"
            if isinstance(error, RecursionError)
            else "a number in it has too many digits"
        )
        findings.add("not-json", f"this file cannot be read: {said}", source.span(1), help=ANEW)
    else:
        judged(whole, source, raw, findings)


class Twice(ValueError):
    """One name twice in an object."""


def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) < len(pairs):
        name = next(name for name, count in Counter(name for name, _ in pairs).items() if count > 1)
        raise Twice(f"the property `{name[:80]}` stands in one object twice")
    return made


def judged(whole: Any, source: Source, raw: bytes, findings: Findings) -> None:
    """Add what is wrong with the JSON of a compiled pack."""
    if not isinstance(whole, dict) or whole.get("format") != FORMAT:
        findings.add(
            "not-compiled",
            f'this is no compiled pack: nothing in it says `"format": "{FORMAT}"`',
            source.span(1),
            help="`te-forge compile PACK` makes one",
        )
        return
    version = whole.get("format_version")
    where = Where(source)
    if not readable(version) and isinstance(version, str) and re.fullmatch(r"\d{1,6}(\.\d{1,6})?", version):
        place = where.span(("format_version",))
        findings.add(
            "newer-format",
            f"this file is of format {version}, and this te_forge reads {VERSION.partition('.')[0]}.x",
            place,
            help="get a newer te_forge, or have the pack compiled with this one",
        )
        return
    complaints = Complaints(whole, where, findings)
    try:
        for path, letter in unseen(whole) if perhaps(raw) else ():
            complaints.complain(
                "strange-sign", f"{complaints.called(path)}: a letter that nobody sees stands here (U+{ord(letter):04X})", path, "take it out"
            )
        if complaints.said:
            raise Enough
        Inspector(whole, complaints).run()
        if not complaints.said:
            Together(whole, complaints).run()
    except Enough:
        pass
    except RecursionError:
        findings.add("not-json", "this file cannot be read: it is nested too deeply", source.span(1), help=ANEW)
    if seal(raw) != stated_seal(raw):
        findings.add(
            "wrong-hash", "this file is not as it was written: its hash does not fit", where.span(("content_sha256",)), help=f"{ANEW}; {KEEP}"
        )
    if not complaints.said:
        translations(whole, where, findings)
