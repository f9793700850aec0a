"""Whether the words of a procedure still have a value wherever its lines read them, after hacks have changed some.

The checker has seen to that for each pack by itself. Here the same question is asked of the lines as they are now, in a plainer way: what this finds
in the procedure as it was defined, it cannot judge, and says nothing about.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from typing import Any

from te_forge.check.lint_flow import ends, first_end
from te_forge.compose.early import Told
from te_forge.compose.lines import first_of_chain, line_at
from te_forge.compose.operations import PROSE, Operation
from te_forge.compose.words import brought, given, meaning_of, roles, speaking
from te_forge.diagnostics import Findings, Label
from te_forge.keys import slug
from te_forge.model import rules as m
from te_forge.model.rules import Body
from te_forge.model.system import Entry, Line, System
from te_forge.model.walk import nodes

Sure = frozenset[str] | None
"""The words that have a value at some point; None where nobody comes, behind `end with` or `go back`."""

Anew = Callable[[str, Sequence[Operation]], Entry]
"""Makes an entry with no more than these operations done to it."""


def unsure(entry: Entry) -> Counter[str]:
    """The words that the lines of the procedure may read before they have a value, and in how many sentences, conditions and numbers."""
    flow = Flow()
    flow.body(meaning_of(entry), frozenset((*roles(entry), *map(slug, entry.slots))))
    return flow.found


def meet(ends: Iterable[Sure]) -> Sure:
    """What is sure whichever way was taken."""
    reached = [end for end in ends if end is not None]
    return frozenset.intersection(*reached) if reached else None


class Flow:
    """Walks the sentences of a procedure once, in their order."""

    def __init__(self) -> None:
        self.found: Counter[str] = Counter()

    def body(self, body: Body, sure: Sure) -> Sure:
        at = 0
        while at < len(body) and sure is not None:
            if isinstance(body[at], m.If):
                chain = [body[at]]
                while at + len(chain) < len(body) and isinstance(after := body[at + len(chain)], m.If) and after.chained:
                    chain.append(after)
                sure = self.branches(chain, sure)
                at += len(chain)
            else:
                sure = self.sentence(body[at], sure)
                at += 1
        return sure

    def branches(self, chain: Sequence[Any], sure: frozenset[str]) -> Sure:
        ends: list[Sure] = []
        for branch in chain:
            self.read(branch.condition, sure)
            ends.append(self.body(branch.body, sure))
        return meet([*ends, *([sure] if chain[-1].condition is not None else [])])

    def sentence(self, one: Any, sure: frozenset[str]) -> Sure:
        match one:
            case m.On():
                return sure  # it is run somewhere else
            case m.EndWith() | m.GoBack():
                self.read(one, sure)
                return None
            case m.ChooseOne():
                ends = [self.body(option.body, sure) for option in one.options]
                end = meet([*ends, *([sure] if one.any or one.optional else [])])
                return end | {one.word} if end is not None and one.word else end
            case m.Repeat(None, body, until):
                end = self.body(body, sure)
                self.read(until, end if end is not None else sure)
                return end
            case m.Give(target=m.Local(word), how=how, value=value) if how != "becomes":
                self.read(value, sure)
                return sure | {word}
        if hasattr(one, "body"):
            self.body(one.body, sure | {given(one)})
            return sure
        self.read(one, sure)
        return sure | {word for node in nodes(one) if (word := given(node))}

    def read(self, node: Any, sure: frozenset[str]) -> None:
        self.found.update({one.word for one in nodes(node) if isinstance(one, m.Local) and one.word not in sure} if node is not None else ())


# ---------------------------------------------------------------- what is said of it


def check_words(made: System, base: System, done: Sequence[Operation], findings: Findings) -> None:
    """Complain about words that a hack has taken the value of, and of which rules still speak."""
    lost = {word: one for target in dict.fromkeys(one.target for one in done) for word, one in taken(target, done, made, base).items()}
    for word in sorted(gone(lost.keys(), made)):
        users = list(speaking(word, made.entries.values()))
        if users:
            entry = users[0][0]
            findings.add(
                "still-used", f"{entry.name} speaks of `the {word}`, and nothing gives it a value any more", lost[word].span,
                help="give it one in the new line, or change the lines that speak of it", labels=[Label(line.span, said_by(each, line)) for each, line in users],
            )  # fmt: skip


def said_by(entry: Entry, line: Line) -> str:
    """A line by its entry; those of examples have no labels."""
    return f"{entry.name}, {line.label}" if line.label else entry.name


def gone(words: Iterable[str], made: System) -> set[str]:
    """Those of the words that nothing in the game gives a value. The game is walked only as long as some are left."""
    left = set(words)
    for entry in made.entries.values() if left else ():
        left.difference_update(map(slug, entry.slots), roles(entry))
    for entry in made.entries.values():
        if not left:
            break
        left.difference_update(brought(meaning_of(entry)))
    return left


def taken(target: str, done: Sequence[Operation], made: System, base: System) -> dict[str, Operation]:
    """The words that had their value in lines of an entry, and have none in it now; each with the operation on the line that gave it, else with the
    last one on the entry.
    """
    if target not in made.entries or (
        base.entries[target].lines is made.entries[target].lines and base.entries[target].steps is made.entries[target].steps
    ):
        return {}
    before, after = base.entries[target], made.entries[target]
    here = [one for one in done if one.target == target and one.verb in ("set", "remove")]
    words = brought(meaning_of(before)).keys() - brought(meaning_of(after)).keys() if here else ()
    return {word: next((one for one in reversed(here) if gave(before, one, word)), here[-1]) for word in words}


def gave(before: Entry, one: Operation, word: str) -> bool:
    """Whether the line or step that an operation replaces or removes gave the word its value."""
    found = line_at(before, one.path) if one.path[-1] != PROSE else None
    return found is not None and word in brought(
        found.meaning if isinstance(found, Line) else tuple(sentence for line in found.lines for sentence in line.meaning)
    )


def check_flow(made: System, base: System, done: Sequence[Operation], anew: Anew, findings: Findings, told: Told) -> None:
    """Complain where a procedure reads a word of its own that it may not have given a value any more, but for what has been `told`."""
    for id in sorted({one.target for one in done if one.target in made.entries and base.entries[one.target].kind == "procedure"}):
        before, after = base.entries[id], made.entries[id]
        if before.lines is after.lines and before.steps is after.steps:
            continue
        doubtful = (unsure(after) - unsure(before)).keys()
        own = brought(meaning_of(before)).keys() & brought(meaning_of(after)).keys() if doubtful else ()
        here = [one for one in done if one.target == id]
        doubts = cache(lambda *some, id=id: unsure(anew(id, some)))  # asked about each word
        found = [(word, cause) for word in sorted(doubtful & own) for cause in causes_of(word, here, doubts) if (cause.hack, id, word) not in told]
        for word, cause in found:
            findings.add(
                "maybe-unset", f"{after.name} reads `the {word}`, which has no value on every path any more", cause.span,
                help=f"give it one in the new line whatever happens: `the {word} is ..`, or an `otherwise`",
                labels=[Label(line.span, said_by(after, line)) for _, line in speaking(word, [after])],
            )  # fmt: skip


def causes_of(word: str, done: Sequence[Operation], doubts: Callable[..., Counter[str]]) -> list[Operation]:
    """The operations with which the word loses its value; `doubts` are those of the procedure with these or those of them. Nobody is to blame for what
    is in doubt before the first of them: what others have put in reads it in a way that cannot be judged here.
    """
    known = doubts(*(one for one in done if not replaces_lines(one)))[word]
    return to_blame(done, lambda some: doubts(*some)[word] > known)


def to_blame(done: Sequence[Operation], lost: Callable[[Sequence[Operation]], bool]) -> list[Operation]:
    """The operations that replace or remove lines and with which something is lost: of each hack that loses it by itself, else of all of them
    together, one done after the other.
    """
    kept = [one for one in done if not replaces_lines(one)]
    replacing = [one for one in done if replaces_lines(one)]

    def with_(some: Sequence[Operation]) -> bool:
        return lost([*kept, *some])

    if not replacing or with_(()) or not with_(replacing):
        return []
    by_hack = [[one for one in replacing if one.hack == hack] for hack in dict.fromkeys(one.hack for one in replacing)]
    alone = [some for some in by_hack if len(by_hack) == 1 or with_(some)]
    return [first_with(some, with_) for some in alone or [replacing]]


def first_with(some: Sequence[Operation], lost: Callable[[Sequence[Operation]], bool]) -> Operation:
    """The operation that makes the difference between what is before it and after it, found by halving: nothing is lost without any of them, and
    something is with all of them.
    """
    low, high = 0, len(some)
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if lost(some[:middle]) else (middle, high)
    return some[low]


def replaces_lines(one: Operation) -> bool:
    return one.verb in ("set", "remove") and one.path[-1] != PROSE


# ---------------------------------------------------------------- outcomes


def check_ends(made: System, base: System, done: Sequence[Operation], anew: Anew, findings: Findings) -> None:
    """Complain where a procedure that ended with an outcome in every case does so no more."""
    for id in dict.fromkeys(one.target for one in done if one.target in made.entries):
        before, after = base.entries[id], made.entries[id]
        if before.kind != "procedure" or "outcomes" not in after.fields or not finished(before) or finished(after):
            continue
        for cause in to_blame([one for one in done if one.target == id], lambda some, id=id: not finished(anew(id, some))):  # type: ignore[misc]
            findings.add(
                "no-outcome", f"with this, {after.name} can come to its end without an outcome", cause.span,
                help="let the new line end it as the old one did: `..; end with ..`", labels=[Label(after.fields["outcomes"].span, "these outcomes are promised")],
            )  # fmt: skip


def check_reached(made: System, base: System, done: Sequence[Operation], findings: Findings) -> None:
    """Complain about a line or step that a hack puts in behind the end of a procedure."""
    for id in dict.fromkeys(one.target for one in done if one.verb == "insert" and one.target in made.entries):
        entry = made.entries[id]
        put_in = {
            span: one
            for one in done
            if one.target == id and one.verb == "insert" and isinstance(one.what, Line)
            for span in (one.span, *(line.span for line in one.what.lines))
        }
        lines = [line for step in entry.steps for line in step.lines if entry.kind == "procedure"]
        end = first_end(tuple(sentence for line in lines for sentence in line.meaning), entry)
        ending = end_of(lines, end) if end is not None else None
        at = 0
        for line in lines if end is not None else ():
            if end is not None and at > end and (cause := put_in.get(line.span)) is not None:
                findings.add(
                    "never-reached", f"nothing ever comes to this: {entry.name} has ended before it", cause.span, severity="warning",
                    help=sooner(entry, line, ending), labels=[Label(ending.span, "this ends it")] if ending is not None else (),
                )  # fmt: skip
            at += len(line.meaning)


def finished(entry: Entry) -> bool:
    """Whether the steps of a procedure end with an outcome whatever happens."""
    return ends(tuple(sentence for step in entry.steps for line in step.lines for sentence in line.meaning), entry)


def end_of(lines: Sequence[Line], end: int) -> Line:
    """The line that holds sentence number `end`."""
    return next(line for line in lines if (end := end - len(line.meaning)) < 0)


def sooner(entry: Entry, line: Line, ending: Line | None) -> str:
    """Where to put a line that comes too late: in front of the whole chain that ends the procedure, since an `otherwise` follows its `if`."""
    after = f"or write a rule for what comes after: `after {entry.name}: ..`"
    step = next((step for step in entry.steps if ending is not None and ending in step.lines), None)
    first = first_of_chain(step.lines, step.lines.index(ending)) if step is not None and ending is not None else None
    if step is None or first is None or not first.label:
        return f"put it in before the line or step that ends it, {after}"
    if line in step.lines:
        return f"put it in sooner, `{line.label} before {first.label}`, {after}"
    return f"put it in sooner: a step before {step.name}, or a line of it before {first.label}; {after}"
