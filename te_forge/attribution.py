"""What a derived pack owes: the notices of all works along its chain, word for word (CC BY 4.0, section 3(a)(1))."""

from __future__ import annotations

from dataclasses import replace

from te_forge.diagnostics import Diagnostic
from te_forge.model.pack import Work
from te_forge.model.system import System
from te_forge.source import Span

CODE = "missing-attribution"


def owing(system: System, place: Span) -> list[Diagnostic]:
    """A complaint when the pack does not hand on the notice of a work that its required packs draw on."""
    named = {folded(work.attribution or "") for work in system.pack.sources}
    missing = {
        folded(work.attribution): (pack.id, work)
        for pack in system.packs[:-1]
        for work in pack.sources
        if work.attribution and folded(work.attribution) not in named
    }
    if not missing:
        return []
    (pack, first), *rest = missing.values()
    more = f" and {len(rest)} more" if rest else ""
    message = f"the rules of `{pack}` are owed an attribution that is not handed on: that of {first.title}{more}"
    return [
        Diagnostic(
            "missing-attribution",
            message,
            place,
            "warning",
            help=f"copy it from `sources` in the pack.yaml of {pack}, word for word: {in_yaml(first)}",
        )
    ]


def before_printing(found: list[Diagnostic]) -> list[Diagnostic]:
    """What is said of a pack that is about to be printed: a game may be tried at a table without its notices, and no book goes out without them."""
    return [replace(one, severity="error") if one.code == CODE else one for one in found]


def folded(text: str) -> str:
    return " ".join(text.split())


def in_yaml(work: Work) -> str:
    return f"- title: {work.title} / attribution: '{work.attribution}'"
