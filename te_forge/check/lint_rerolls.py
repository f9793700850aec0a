"""A complaint about dice that are turned again behind the step that has counted them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from te_forge.check.lint_view import View
from te_forge.diagnostics import Diagnostic, Label
from te_forge.model.rules import Contribute, Give, GoBack, Hung, Local, Lock, On, Pick
from te_forge.model.system import Entry, Step
from te_forge.model.walk import nodes


def changed_too_late(view: View) -> Iterator[Diagnostic]:
    """A rule rerolls dice before a step, and an earlier step has given a number by them that is still to be read."""
    for entry, span, on in view.mine(On, where=lambda on: on.when == "before" and on.event.what == "step"):
        words = {
            one.source.word for one in nodes(on.body) if isinstance(one, Pick) and one.verb == "rerolls" and isinstance(one.source, Local | Hung)
        }
        procedure = view.system.entries.get(on.event.id.partition("#")[0])
        if words and procedure is not None and procedure is not entry and not any(isinstance(one, GoBack) for one in said(procedure.steps)):
            found = next(counts(procedure, on.event.id, words), None)
            if found is not None:
                number, die, step = found
                yield Diagnostic(
                    "changed-too-late",
                    f"`{die}` is rerolled here, but `{step.name}` has counted it by then: `{number}` stays what it was",
                    span,
                    "error",
                    f"let a step behind the roll give `{number}`, and reroll before that step; or give `{number}` anew behind the reroll, with `becomes`",
                    (Label(step.span, "it is counted here"),),
                )


def said(steps: Iterable[Step]) -> list[object]:
    return [node for step in steps for line in step.lines for node in nodes(line.meaning)]


def counts(procedure: Entry, before: str, words: set[str]) -> Iterator[tuple[str, str, Step]]:
    """The numbers that steps in front of this one give by these dice, with the die and the step, where they are read from here on and not given anew."""
    at = next((number for number, step in enumerate(procedure.steps) if step.id == before), 0)
    later = said(procedure.steps[at:])
    targets = {id(one.target) for one in later if isinstance(one, Give | Contribute | Lock)}
    anew = {one.target.word for one in later if isinstance(one, Give) and isinstance(one.target, Local | Hung)}
    read = {one.word for one in later if isinstance(one, Local | Hung) and id(one) not in targets}
    for step in procedure.steps[:at]:
        for give in (one for one in said([step]) if isinstance(one, Give) and isinstance(one.target, Local | Hung)):
            number = give.target.word if isinstance(give.target, Local | Hung) else ""
            die = next((one.word for one in nodes(give.value) if isinstance(one, Local | Hung) and one.word in words), None)
            if die is not None and number in read - anew - words:
                yield number, die, step


LINTS = (changed_too_late,)
