"""What te_forge has to say about somebody's text.

A mistake of a user is never an exception: it is a `Diagnostic`, returned with all the others. An exception is a bug in te_forge.
Every code stands once in `te_forge.codes`.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Literal

from te_forge.frozen import frozen
from te_forge.source import Span

if TYPE_CHECKING:
    from te_forge.blanks import Wording

Severity = Literal["error", "warning", "note"]
MOST_FOUND = 10_000
"""So much is said about one file; nobody reads on, and a page of nothing but mistakes would fill the memory."""


@frozen
class Label:
    """A second place that a diagnostic talks about, with a few words on why."""

    span: Span
    text: str


@frozen
class Fix:
    """A replacement that is certainly right: put `text` where `span` is."""

    span: Span
    text: str


@frozen
class Diagnostic:
    """One mistake, said once.

    `code` is registered in `te_forge.codes`; `message` is one plain phrase; `span` is where it is; `help` says what to write instead.

    What the parser says may wait for the game: `wording` is its help with blanks, and `rather` is said instead where the game fills all blanks of that.
    """

    code: str
    message: str
    span: Span
    severity: Severity = "error"
    help: str = ""
    labels: tuple[Label, ...] = ()
    fix: Fix | None = None
    wording: Wording = ()
    rather: Diagnostic | None = None


class Findings(list[Diagnostic]):
    """Collects diagnostics. What is said about a file behind `MOST_FOUND` others counts (the list grows) but is not kept."""

    def __init__(self) -> None:
        super().__init__()
        self.about: dict[str, int] = {}
        self.rest: dict[str, Diagnostic] = {}

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
        self.keep(Diagnostic(code, message, span, severity, help, tuple(labels), fix))

    def keep(self, one: Diagnostic) -> None:
        file = one.span.file
        count = self.about[file] = self.about.get(file, 0) + 1
        if count > MOST_FOUND:
            place = Span(file, one.span.line, 1, 1)
            one = self.rest.setdefault(
                file,
                Diagnostic("too-many-findings", f"there is more to say than {MOST_FOUND} things about this file", place, "note", "mend these first"),
            )
        self.append(one)

    def told_of(self, span: Span) -> bool:
        """Whether something has been said about this line, so that what follows from it need not be."""
        return any((one.span.file, one.span.line) == (span.file, span.line) for one in self)


BY_ITSELF = ("broken-link", "unknown-kind", "unknown-name", "unknown-word")
"""What is said of one name or word, whatever else is wrong with the line around it."""


def tidy(found: Iterable[Diagnostic]) -> list[Diagnostic]:
    """Sorted by place, without repetition, and with only the first error of each line (the others follow from it). Where that is about one name, so
    are those about other names of the line.
    """
    kept: list[Diagnostic] = []
    broken: dict[tuple[str, int], list[Diagnostic]] = {}
    unique = dict.fromkeys(found)
    for one in sorted(unique, key=lambda d: (d.span.file, d.span.line, d.severity != "error", d.span.column, d.code)):
        place = (one.span.file, one.span.line)
        if one.severity == "error":
            before = broken.setdefault(place, [])
            if before and not (one.code in BY_ITSELF and before[0].code in BY_ITSELF and one.message not in [other.message for other in before]):
                continue
            before.append(one)
        kept.append(one)
    return sorted(kept, key=lambda d: (d.span, d.code))


def has_errors(found: Iterable[Diagnostic]) -> bool:
    return any(one.severity == "error" for one in found)
