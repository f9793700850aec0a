"""Complaints about numbers that wait for each other: a `while` that looks at what it changes, standing changes that ask for one another."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from te_forge.check.lint_chains import cycles, ring_words
from te_forge.check.lint_view import View
from te_forge.diagnostics import Diagnostic, Label
from te_forge.model.rules import Contribute, Lock, Stat, Thing, While
from te_forge.model.walk import nodes
from te_forge.source import Span


def looks_at_itself(view: View) -> Iterator[Diagnostic]:
    """`while` whose condition depends on what it changes: it would hold exactly when it does not."""
    for _, span, node in view.mine(While, where=changes_what_it_asks):
        yield Diagnostic(
            "circular-definition",
            "this `while` looks at the number that it changes",
            view.places.get(id(node), span),
            "error",
            "look at something else, such as a condition that somebody has, or change it once when something happens",
        )


def changes_what_it_asks(node: While) -> bool:
    asked = {one.stat for one in nodes(node.condition) if isinstance(one, Stat)}
    return any(isinstance(one, Contribute | Lock) and getattr(one.target, "stat", None) in asked for one in nodes(node.body))


def wait_for_each_other(view: View) -> Iterator[Diagnostic]:
    """Standing changes of somebody's numbers that wait for each other: each asks how much the other comes to."""
    edges: dict[str, dict[str, Span]] = {}
    own: set[Span] = set()
    pairs: dict[int, list[tuple[str, str]]] = {}

    def waits(node: object) -> bool:
        pairs[id(node)] = list(asks(node))
        return bool(pairs[id(node)])

    for entry, span, node in view.every(Contribute, Lock, While, where=waits):
        for changed, asked in pairs[id(node)]:
            if asked not in edges.get(changed, ()) and any(line.span == span for line in entry.lines):
                edges.setdefault(changed, {})[asked] = span
                own |= {span} if entry.pack == view.pack else set()
    free = {number: {asked: span for asked, span in out.items() if asked in edges} for number, out in edges.items()}
    for path in cycles(free, set()):
        ring = [*path, path[0]]
        if any(edges[number][after] in own for number, after in pairwise(ring)):
            yield waiting(view, edges, ring)


def asks(one: object) -> Iterator[tuple[str, str]]:
    """Which number of the same one a change asks for: in its amount, or in the `while` around it (where that is the changed one, `looks_at_itself`
    says so).
    """
    if isinstance(one, Contribute | Lock):
        yield from asked_of_the_same(one, getattr(one, "amount", None))
    if isinstance(one, While):
        for change in nodes(one.body):
            if isinstance(change, Contribute | Lock):
                yield from ((changed, asked) for changed, asked in asked_of_the_same(change, one.condition) if asked != changed)


def asked_of_the_same(change: Contribute | Lock, asking: object) -> Iterator[tuple[str, str]]:
    """The number that is changed, with each number of the same one that is asked for."""
    target = change.target
    if isinstance(target, Stat) and isinstance(target.stat, Thing):
        for read in nodes(asking):
            if isinstance(read, Stat) and read.of == target.of and isinstance(read.stat, Thing):
                yield target.stat.id, read.stat.id


def waiting(view: View, edges: dict[str, dict[str, Span]], ring: list[str]) -> Diagnostic:
    first, last = edges[ring[0]][ring[1]], edges[ring[-2]][ring[-1]]
    return Diagnostic(
        "circular-definition",
        "these changes wait for each other: " + ring_words([view.system.entries[number].name for number in ring]),
        first,
        "error",
        "let one of them ask for a number that nothing here changes, such as a start",
        (Label(last, "here it comes back"),) if last != first else (),
    )


def circular_definition(view: View) -> Iterator[Diagnostic]:
    yield from looks_at_itself(view)
    yield from wait_for_each_other(view)


LINTS = (circular_definition,)
