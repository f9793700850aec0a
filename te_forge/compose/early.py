"""Whether a line that a hack puts into a procedure reads a word before any line has given it a value, in the order of the lines.

What gives a word its value on some paths only is no matter here: `te_forge.compose.flow` has a look at that.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import Any

from te_forge.compose.lines import walk
from te_forge.compose.operations import Operation
from te_forge.compose.words import given, roles
from te_forge.diagnostics import Findings, Label
from te_forge.frozen import frozen
from te_forge.keys import slug
from te_forge.model import rules as m
from te_forge.model.rules import Body
from te_forge.model.system import Entry, Line, Step, System
from te_forge.model.walk import nodes

Told = Collection[tuple[str, str, str]]
"""The hack, the procedure that it changes, and the word that it reads too early there."""


@frozen
class Moment:
    """A word gets a value (`gives`) or is read, by a sentence. `again` is True where it is read on some condition in what may come round again."""

    word: str
    gives: bool
    sentence: Any
    again: bool = False


@frozen
class Early:
    """A line that reads a word, and the first line that gives it a value, behind it."""

    word: str
    line: Line
    giver: Line
    step: Step


def check_early(made: System, base: System, done: Sequence[Operation], findings: Findings) -> Told:
    """Complain about each line that a hack puts in or replaces and that reads a word too early; gives of what that was said."""
    told: set[tuple[str, str, str]] = set()
    for id in sorted({one.target for one in done if one.target in made.entries and base.entries[one.target].kind == "procedure"}):
        before, after = base.entries[id], made.entries[id]
        if before.steps is after.steps:
            continue
        put_in = {line.span: one.hack for one in done if one.target == id and isinstance(one.what, Line) for line in walk([one.what])}
        for one in early(after) if put_in else ():
            if one.line.span in put_in:
                told.add((put_in[one.line.span], id, one.word))
                findings.add(
                    "maybe-unset", f"this reads `the {one.word}`, which has no value yet", one.line.span,
                    help=f"put it behind `{one.giver.label}` in `{one.step.name}`, which gives it one, or give it one before: `the {one.word} is ..`",
                    labels=[Label(one.giver.span, "it gets its value here")],
                )  # fmt: skip
    return told


def early(entry: Entry) -> Iterator[Early]:
    """Words of the procedure that are read before they have a value."""
    lines = [(line, step) for step in entry.steps for line in walk(step.lines)]
    place = {id(node): at for at in lines for node in nodes(at[0].meaning)}  # a line comes before those below it, which know better
    body = tuple(sentence for step in entry.steps for line in step.lines for sentence in line.meaning)
    comes_again = any(isinstance(node, m.GoBack) for node in nodes(body))
    known = {*roles(entry), *map(slug, entry.slots)}
    waiting: dict[str, list[Any]] = {}
    for one in moments(body, comes_again, False):
        if one.word in known:
            continue
        if not one.gives:
            waiting.setdefault(one.word, []).extend([] if one.again else [one.sentence])
            continue
        known.add(one.word)
        giver = place.get(id(one.sentence))
        for sentence in waiting.pop(one.word, ()) if giver is not None else ():
            if (reader := place.get(id(sentence))) is not None and giver is not None:
                yield Early(one.word, reader[0], *giver)


def moments(body: Body, comes_again: bool, guarded: bool) -> Iterator[Moment]:
    """What the sentences read and give, in their order."""
    for one in body:
        match one:
            case m.On():
                continue  # it is run somewhere else
            case m.If(condition=condition, body=inner):
                yield from reads(one, condition, comes_again and guarded)
                yield from moments(inner, comes_again, True)
            case m.Repeat(body=inner):
                yield from reads(one, one.times, comes_again and guarded)
                yield from moments(inner, True, guarded)
                yield from reads(one, one.until, comes_again and guarded)
            case m.ChooseOne():
                for option in one.options:
                    yield from moments(option.body, comes_again, True)
                yield from (Moment(word, True, one) for word in [given(one)] if word)
            case m.Give(target=m.Local() as target, value=value):
                yield from reads(one, (value, target) if one.how == "becomes" else value, comes_again and guarded)
                yield from (Moment(word, True, one) for word in [given(one)] if word)
            case _:
                inner = getattr(one, "body", ())
                held = {id(node) for node in nodes(inner)}
                head = [node for node in nodes(one) if id(node) not in held]
                changed = {id(node.target) for node in head if isinstance(node, m.Contribute | m.Lock)}
                yield from (
                    Moment(node.word, False, one, comes_again and guarded) for node in head if isinstance(node, m.Local) and id(node) not in changed
                )
                yield from (Moment(word, True, one) for node in head if (word := given(node)))
                yield from moments(inner, comes_again, guarded or isinstance(one, m.May | m.While | m.Limited))


def reads(sentence: Any, what: Any, again: bool) -> Iterator[Moment]:
    return (Moment(node.word, False, sentence, again) for node in nodes(what) if isinstance(node, m.Local)) if what is not None else iter(())
