"""Lines and steps put into others: words, lines and meaning change together."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, cast

from te_forge.check.names import slug
from te_forge.compose.operations import Operation, Path
from te_forge.diagnostics import Findings, Label
from te_forge.model.frozen import replace
from te_forge.model.rules import Body, ChooseOne, If, Option, Sentence
from te_forge.model.system import Entry, Line, Place, Prose, Step, Words
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


def changed(lines: Lines, path: Path, change: Callable[[Lines], Lines | None]) -> Lines | None:
    """`lines` with `change` made among the siblings of the line at `path`; None when there is no such place."""
    if len(path) == 1:
        return change(lines)
    number = at(lines, path[0])
    below = changed(lines[number].lines, path[1:], change) if number is not None else None
    if number is None or below is None:
        return None
    return (*lines[:number], with_lines(lines[number], below), *lines[number + 1 :])


def numbered(line: Line, above: str) -> Line:
    """The line with the ids that belong to its place."""
    id = f"{above}/{slug(line.label)}".strip("/") if line.label else above
    return replace(line, id=id, lines=tuple(numbered(below, id) for below in line.lines))


def said(line: Line) -> object:
    """What a line says, wherever it stands."""
    return line.label, line.words, line.meaning, line.value, tuple(prose.words for prose in line.prose), tuple(map(said, line.lines))


def said_at(entry: Entry, path: Path) -> object:
    """What the line or step at a place says; None where there is none."""
    found = line_at(entry, path)
    return tuple(map(said, found.lines)) if isinstance(found, Step) else said(found) if found is not None else None


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


# ---------------------------------------------------------------- one operation on one entry


def applied(entry: Entry, one: Operation) -> Entry | None:
    """The entry with a line or step set, removed or put in; None when the place is not there (yet)."""
    steps = [slug(step.name) for step in entry.steps]
    if one.path[0] in steps or (one.place is not None and len(one.path) == 1 and one.anchor[0] in steps):
        changed_steps = in_steps(entry, one, steps)
        return replace(entry, steps=changed_steps) if changed_steps is not None else None
    lines = changed(entry.lines, one.path, lambda siblings: among(siblings, one, "/".join(one.path[:-1]), len(one.path) == 1))
    return replace(entry, lines=lines) if lines is not None else None


def in_steps(entry: Entry, one: Operation, names: list[str]) -> tuple[Step, ...] | None:
    if one.verb == "insert" and len(one.path) == 1:
        return step_put_in(entry, one, names)
    number = names.index(one.path[0])
    before, step, after = entry.steps[:number], entry.steps[number], entry.steps[number + 1 :]
    if one.verb == "remove" and len(one.path) == 1:
        return (*before, *after)
    if len(one.path) == 1:
        line = numbered(cast(Line, one.what), step.id.partition("#")[2])
        return (*before, replace(step, lines=(line,)), *after)
    above = "/".join((step.id.partition("#")[2], *one.path[1:-1]))
    lines = changed(step.lines, one.path[1:], lambda siblings: among(siblings, one, above, False))
    return (*before, replace(step, lines=lines), *after) if lines is not None else None


def step_put_in(entry: Entry, one: Operation, names: list[str]) -> tuple[Step, ...]:
    line = cast(Line, one.what)
    key = one.path[0]
    if key in names:  # two hacks that put in the same step
        return entry.steps
    lines = tuple(numbered(below, key) for below in line.lines) if not line.words else (numbered(line, key),)
    made = Step(f"{entry.id}#{key}", line.label, one_text(line.prose) or ("",), lines, (), line.span, line.reach, line.place)
    number = spot(entry.steps, names, one)
    return (*entry.steps[:number], made, *entry.steps[number:])


def told_anew(entry: Entry, key: str, proses: Sequence[Prose]) -> Entry | None:
    """The entry with another text of one step; None when the step is not there (yet)."""
    if key not in map(slug, (step.name for step in entry.steps)):
        return None
    return replace(entry, steps=tuple(replace(step, prose=one_text(proses)) if slug(step.name) == key else step for step in entry.steps))


def one_text(proses: Sequence[Prose]) -> Words:
    """Paragraphs as the text of a step, which is one."""
    out: Words = ()
    for prose in proses:
        out = (*out, " ", *prose.words) if out else prose.words
    return tuple(" ".join(word.splitlines()) if isinstance(word, str) and "\n" in word else word for word in out)


def among(siblings: Lines, one: Operation, above: str, top: bool) -> Lines | None:
    """The lines at one place with the operation done to one of them."""
    number = at(siblings, one.path[-1])
    if one.verb == "insert":
        keys = [slug(line.label) for line in siblings]
        if number is not None:
            return siblings if said(siblings[number]) == said(cast(Line, one.what)) else None
        if one.anchor[-1] not in keys:
            return None
        where = spot(siblings, keys, one)
        return (*siblings[:where], numbered(cast(Line, one.what), above), *siblings[where:])
    if number is None:
        return (*siblings, numbered(cast(Line, one.what), above)) if top and one.verb == "set" else None
    new = (numbered(cast(Line, one.what), above),) if one.verb == "set" else ()
    return (*siblings[:number], *new, *siblings[number + 1 :])


def spot(siblings: Sequence[Line | Step], keys: list[str], one: Operation) -> int:
    """Where a line that is put in stands: beside its anchor, and behind those that were put in there before it."""
    place = cast(Place, one.place)
    where = keys.index(one.anchor[-1])
    if not place.after:
        return where
    heads = {one.anchor[-1]}
    while where + 1 < len(siblings) and (there := siblings[where + 1].place) is not None and there.after and slug(there.label) in heads:
        heads.add(keys[where + 1])
        where += 1
    return where + 1


def settled(entry: Entry) -> Entry:
    """The entry once everything is in its place."""
    return replace(entry, lines=tuple(map(placed, entry.lines)), steps=tuple(replace(step, place=None, lines=tuple(map(placed, step.lines))) for step in entry.steps))


def placed(line: Line) -> Line:
    return replace(line, place=None, lines=tuple(map(placed, line.lines)))


# ---------------------------------------------------------------- chains


def check_chains(entry: Entry, base: Entry, ones: Sequence[Operation], findings: Findings) -> None:
    """An `otherwise` still follows its `if`, after all that was done to the entry."""
    removed = sorted((one for one in ones if one.verb == "remove"), key=lambda one: (one.span, one.path))
    old = {line.span for line in walk((*base.lines, *(line for step in base.steps for line in step.lines)))}
    for lines in (entry.lines, *(step.lines for step in entry.steps)):
        chained(lines, old, removed, entry.name, findings)


def chained(lines: Lines, old: set[Span], removed: Sequence[Operation], name: str, findings: Findings) -> None:
    for before, line in zip((None, *lines), lines, strict=False):
        if is_chained(line) and (before is None or not holds_chain(before, line, old)):
            cause = before.span if before is not None and before.span not in old else culprit(line, removed)
            findings.add(
                "lost-otherwise", f"in {name}, the `otherwise` of `{line.label}` no longer stands directly below its `if`", cause,
                help="put the new line elsewhere, or state both lines anew", labels=[Label(line.span, "the `otherwise` is here")] if cause != line.span else (),
            )  # fmt: skip
        chained(line.lines, old, removed, name, findings)


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
