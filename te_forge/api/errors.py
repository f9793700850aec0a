"""What goes wrong, as exceptions that a program can tell apart."""

from __future__ import annotations

from collections.abc import Iterable

from te_forge.diagnostics import Diagnostic
from te_forge.source import NOWHERE


class PackError(Exception):
    """Something is wrong with a pack, with what is on in it, or with a character.

    `diagnostics` are all findings, also those that are no errors: each with `code`, `message`, `span` (file, line, column), `severity` and `help`.
    The text of the exception is the first error with its place, and how many more there are.
    """

    def __init__(self, diagnostics: Iterable[Diagnostic]) -> None:
        self.diagnostics = tuple(diagnostics)
        errors = [one for one in self.diagnostics if one.severity == "error"] or list(self.diagnostics)
        first = errors[0]
        more = f" (and {len(errors) - 1} more)" if len(errors) > 1 else ""
        super().__init__(f"{f'{first.span}: ' if first.span != NOWHERE else ''}{first.message}{f'; {first.help}' if first.help else ''}{more}")


class Refused(ValueError):
    """What was asked makes no sense: a name that nothing has, a role that is missing, dice that cannot fall so. The text is a sentence for people
    that says what would do.
    """
