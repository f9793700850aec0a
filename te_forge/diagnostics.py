"""What te_forge has to say about somebody's text.

A mistake of a user is never an exception: it is a `Diagnostic`, returned with all the others. An exception is a bug in te_forge.
Every code stands once in `te_forge.codes`.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from te_forge.source import Span

Severity = Literal["error", "warning", "note"]


@dataclass(frozen=True)
class Label:
    """A second place that a diagnostic talks about, with a few words on why."""

    span: Span
    text: str


@dataclass(frozen=True)
class Fix:
    """A replacement that is certainly right: put `text` where `span` is."""

    span: Span
    text: str


@dataclass(frozen=True)
class Diagnostic:
    """One mistake, said once.

    `code` is registered in `te_forge.codes`; `message` is one plain phrase; `span` is where it is; `help` says what to write instead.
    """

    code: str
    message: str
    span: Span
    severity: Severity = "error"
    help: str = ""
    labels: tuple[Label, ...] = ()
    fix: Fix | None = None


class Findings(list[Diagnostic]):
    """Collects diagnostics; at most one per line and code, and one error per line: the first one said is the cause."""

    def add(
        self,
        code: str,
        message: str,
        span: Span,
        *,
        severity: Severity = "error",
        help: str = "",
        labels: Iterable[Label] = (),
        fix: Fix | None = None,
    ) -> None:
        self.append(Diagnostic(code, message, span, severity, help, tuple(labels), fix))


def tidy(found: Iterable[Diagnostic]) -> list[Diagnostic]:
    """Sorted by place, without repetition, and with only the first error of each line (the others follow from it)."""
    kept: list[Diagnostic] = []
    broken: set[tuple[str, int]] = set()
    unique = dict.fromkeys(found)
    for one in sorted(unique, key=lambda d: (d.span.file, d.span.line, d.severity != "error", d.span.column, d.code)):
        place = (one.span.file, one.span.line)
        if one.severity == "error":
            if place in broken:
                continue
            broken.add(place)
        kept.append(one)
    return sorted(kept, key=lambda d: (d.span, d.code))


def has_errors(found: Iterable[Diagnostic]) -> bool:
    return any(one.severity == "error" for one in found)
