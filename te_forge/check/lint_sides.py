"""The question that dice laid side by side leave open: what a die counts as that one side does not have."""

from __future__ import annotations

from collections.abc import Iterator

from te_forge.check.lint_numbers import ruled
from te_forge.check.lint_view import View
from te_forge.diagnostics import Diagnostic, Label
from te_forge.model.rules import Among, Compare, Expr, Int, Number, Pick, Repeat
from te_forge.model.walk import nodes


def missing_die(view: View) -> Iterator[Diagnostic]:
    """Dice of two sides that are compared one after the other, where one side may run out of them first."""
    for entry, span, _ in view.mine(Repeat, where=side_by_side):
        if not ruled(view, entry):
            yield Diagnostic(
                "missing-die",
                "dice of two sides are compared here one after the other, and one side may have fewer: what does a die count as that is not there?",
                span,
                "warning",
                f"as it stands it counts 0. If that is meant, let a ruling mention `{entry.name}` and say so; if not, ask before: `if number of .. is 0: ..`",
                (Label(entry.span, "these are the rules it belongs to"),),
            )


def side_by_side(loop: Repeat) -> bool:
    inside = nodes(loop.body)
    compared = any(isinstance(one, Compare) and is_one_of_dice(one.left) and is_one_of_dice(one.right) and one.left != one.right for one in inside)
    taken_away = any(isinstance(one, Pick) and one.verb == "keeps" for one in inside)
    asked = any(isinstance(one, Compare) and isinstance(one.left, Number) and one.right in (Int(0), Int(1)) for one in inside)
    return compared and taken_away and not asked


def is_one_of_dice(expr: Expr) -> bool:
    return isinstance(expr, Among) and expr.op in ("highest", "lowest") and expr.what is None


LINTS = (missing_die,)
