"""What is not wrong but hardly meant, and what can only be seen from above: looks at a composed system, one function per complaint.

A new lint is one function in one of the `lint_*` modules, one name in its `LINTS`, one page and one test. They run in the order of `LINTS`, do not
know of each other, and change nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator

from te_forge.check import (
    lint_chains,
    lint_circles,
    lint_decks,
    lint_flow,
    lint_hacks,
    lint_known,
    lint_lines,
    lint_loops,
    lint_names,
    lint_numbers,
    lint_pools,
    lint_prose,
    lint_rerolls,
    lint_sides,
    lint_slips,
    lint_slots,
)
from te_forge.check.lint_view import View
from te_forge.diagnostics import Diagnostic
from te_forge.model.system import System

Lint = Callable[[View], Iterable[Diagnostic]]

LINTS: tuple[Lint, ...] = (
    *lint_chains.LINTS,
    *lint_circles.LINTS,
    *lint_flow.LINTS,
    *lint_slots.LINTS,
    *lint_rerolls.LINTS,
    *lint_lines.LINTS,
    *lint_loops.LINTS,
    *lint_numbers.LINTS,
    *lint_sides.LINTS,
    *lint_pools.LINTS,
    *lint_known.LINTS,
    *lint_decks.LINTS,
    *lint_hacks.LINTS,
    *lint_names.LINTS,
    *lint_prose.LINTS,
    *lint_slips.LINTS,
)


def lint(system: System, pack_id: str, assets: Collection[str] = ()) -> Iterator[Diagnostic]:
    """Everything that the lints have to say about the entries and chapters of one pack; `assets` are the paths in its assets folder."""
    view = View(system, pack_id, assets)
    return (found for look in LINTS for found in look(view))
