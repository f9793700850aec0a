"""Lines and steps put into others: words, lines and meaning change together."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from operator import is_
from typing import Any, cast

from te_forge.compose.operations import Operation, Path
from te_forge.diagnostics import Findings, Label
from te_forge.frozen import replace
from te_forge.keys import slug
from te_forge.model.rules import Body, ChooseOne, If, Option, Sentence
from te_forge.model.system import Entry, Line, Step
from te_forge.source import Span

Lines = tuple[Line, ...]


def body_of(lines: Sequence[Line]) -> Body:
    return tuple(sentence for line in lines for sentence in line.meaning)


def refilled(meaning: Body, old: Lines, new: Lines) -> Body:
    """The meaning of a line that held the lines `old`, now that it holds `new`.

    What is set in below a line is the body of its last opener, or the options of its last choice. The sentences in front stay as they are.
    """
    if not meaning or meaning == body_of(old):
        return body_of(new)
    last = meaning[-1]
    if isinstance(last, ChooseOne):
        return (*meaning[:-1], replace(last, options=tuple(Option(line.label, line.meaning) for line in new)))
    opener = cast(Any, last)  # whatever else holds lines has a body
    return (*meaning[:-1], cast(Sentence, replace(opener, body=refilled(opener.body, old, new))))


def with_lines(line: Line, lines: Lines) -> Line:
    return replace(line, lines=lines, meaning=refilled(line.meaning, line.lines, lines))


def at(lines: Sequence[Line], key: str) -> int | None:
    return next((number for number, line in enumerate(lines) if slug(line.label) == key), None)


def said(line: Line) -> object:
    """What a line says, wherever it stands."""
    return line.label, line.words, line.meaning, line.value, tuple(prose.words for prose in line.prose), tuple(map(said, line.lines))


def line_at(entry: Entry, path: Path) -> Line | Step | None:
    """The step at a path, or the line, whether it stands in a step or for itself."""
    step = next((one for one in entry.steps if slug(one.name) == path[0]), None)
    if step is not None and len(path) == 1:
        return step
    lines, rest = (step.lines, path[1:]) if step is not None else (entry.lines, path)
    for key in rest[:-1]:
        number = at(lines, key)
        if number is None:
            return None
        lines = lines[number].lines
    number = at(lines, rest[-1])
    return lines[number] if number is not None else None


def settled(entry: Entry) -> Entry:
    """The entry once everything is in its place."""
    return replace(
        entry,
        lines=tuple(map(placed, entry.lines)),
        steps=tuple(replace(step, place=None, lines=tuple(map(placed, step.lines))) for step in entry.steps),
    )


def placed(line: Line) -> Line:
    lines = tuple(map(placed, line.lines))
    return line if line.place is None and all(map(is_, lines, line.lines)) else replace(line, place=None, lines=lines)


# ---------------------------------------------------------------- chains


def check_chains(entry: Entry, base: Entry, ones: Sequence[Operation], findings: Findings) -> None:
    """An `otherwise` still follows its `if`, after all that was done to the entry."""
    removed = sorted((one for one in ones if one.verb == "remove"), key=lambda one: (one.span, one.path))
    old = {line.span for line in walk((*base.lines, *(line for step in base.steps for line in step.lines)))}
    for lines in (entry.lines, *(step.lines for step in entry.steps)):
        chained(lines, old, removed, entry.name, findings)


def chained(lines: Lines, old: set[Span], removed: Sequence[Operation], name: str, findings: Findings) -> None:
    for at, (before, line) in enumerate(zip((None, *lines), lines, strict=False)):
        if is_chained(line) and (before is None or not holds_chain(before, line, old)):
            cause = before.span if before is not None and before.span not in old else culprit(line, removed)
            findings.add(
                "lost-otherwise", f"in {name}, the `otherwise` of `{line.label}` no longer stands directly below its `if`", cause,
                help=in_front(lines, at - 1, old), labels=[Label(line.span, "the `otherwise` is here")] if cause != line.span else (),
            )  # fmt: skip
        chained(line.lines, old, removed, name, findings)


def in_front(lines: Lines, at: int, old: set[Span]) -> str:
    """Where else the new line may stand that is number `at`: in front of the whole chain that it stands in."""
    new = lines[at] if at > 0 and lines[at].span not in old else None
    first = first_of_chain(lines, at - 1) if new is not None else None
    if new is None or first is None or not (first.meaning and isinstance(first.meaning[0], If)):
        return "put the new line elsewhere, or state both lines anew"
    return f"put it in front of the whole chain, `{new.label} before {first.label}`, or state the lines anew"


def first_of_chain(lines: Lines, at: int) -> Line:
    """The line with the `if` to which line number `at` belongs; that line itself, where it is no `otherwise`."""
    while at and is_chained(lines[at]):
        at -= 1
    return lines[at]


def culprit(line: Line, removed: Sequence[Operation]) -> Span:
    """Where the line was removed that stood above this one."""
    above = tuple(line.id.split("/")[:-1])
    return next((one.span for one in sorted(removed, key=lambda one: one.path[:-1] != above)), line.span)


def holds_chain(before: Line, line: Line, old: set[Span]) -> bool:
    """Whether `line` may go on with the `if` of the line before it. An `if` that was put in between the two would take its `otherwise`."""
    between = before.place is not None and before.span not in old and line.span in old
    return len(before.meaning) == 1 and isinstance(before.meaning[0], If) and (is_chained(before) or not between)


def is_chained(line: Line) -> bool:
    return bool(line.meaning) and isinstance(line.meaning[0], If) and line.meaning[0].chained


def walk(lines: Iterable[Line]) -> Iterator[Line]:
    for line in lines:
        yield line
        yield from walk(line.lines)
