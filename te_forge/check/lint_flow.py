"""Complaints about procedures: chains without an end, and ends that are missing."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import pairwise

from te_forge.check.lint_view import View, nodes
from te_forge.check.names import slug
from te_forge.diagnostics import Diagnostic, Label
from te_forge.model.rules import (
    Body,
    ChooseOne,
    Compare,
    Do,
    EndWith,
    Expr,
    Give,
    GoBack,
    If,
    Limited,
    On,
    Roll,
    Sentence,
    Stat,
    Stored,
    Thing,
    Transfer,
    Type,
    Until,
)
from te_forge.model.system import Entry
from te_forge.source import Span

# ---------------------------------------------------------------- chains


class Chains:
    """Who sets off whom. A node is a procedure, a table, or a standing line that fires when a level is reached (`id#line`)."""

    def __init__(self, view: View) -> None:
        self.view = view
        self.bodies: dict[str, list[tuple[Span, Sentence]]] = {}
        self.triggers: dict[str, list[tuple[str, bool]]] = {}
        for entry in view.system.entries.values():
            if entry.kind in ("procedure", "table"):
                self.bodies[entry.id] = list(view.sentences(entry))
            self.levels(entry)
        self.edges = {node: dict(self.out(body)) for node, body in self.bodies.items()}

    def levels(self, entry: Entry) -> None:
        """The standing lines of `entry` that fire at a level of a number."""
        for line in view_lines(self.view, entry):
            for one in line.meaning:
                if isinstance(one, On) and one.event.what == "level":
                    node = f"{entry.id}#{line.id}"
                    self.bodies[node] = [(line.span, inner) for inner in one.body]
                    self.triggers.setdefault(one.event.id, []).append((node, one.event.multiple))

    def out(self, body: list[tuple[Span, Sentence]]) -> Iterator[tuple[str, Span]]:
        """What this body sets off, and on which line. What stands under `once per ..` ends by itself."""
        free = [(span, node) for span, one in body for node in unlimited(one)]
        for span, node in free:
            match node:
                case Do(procedure):
                    yield procedure, span
                case Roll(source=Expr_source) if Expr_source is not None:
                    for table in self.tables(Expr_source):
                        yield table, span
                case _:
                    pass
        for span, number in self.moved(free):
            yield from ((trigger, span) for trigger in number)

    def moved(self, free: list[tuple[Span, object]]) -> Iterator[tuple[Span, list[str]]]:
        """Levels that this body can reach again: a multiple by raising, a single level only by going both ways."""
        ways: dict[str, dict[bool, Span]] = {}
        for span, node in free:
            match node:
                case Transfer(verb=verb, amount=amount):
                    ways.setdefault(stat_id(amount.stat), {})[verb == "gains"] = span
                case Give(target=target, how="becomes"):
                    ways.setdefault(stat_id(target), {}).update({True: span, False: span})
                case _:
                    pass
        for number, way in ways.items():
            fired = [node for node, multiple in self.triggers.get(number, []) if len(way) == 2 or multiple and True in way]
            yield next(iter(way.values())), fired

    def tables(self, source: Expr) -> list[str]:
        match source:
            case Thing(id):
                return [id] if id in self.view.system.entries else []
            case Stored(_, label):
                return self.stated_tables(slug(label))
            case Stat(_, Stored(_, label)):
                return self.stated_tables(slug(label))
            case _:
                return []

    def stated_tables(self, key: str) -> list[str]:
        """All tables that some entry, or the default of its kind, has as `key`."""
        values = [entry.fields[key].value for entry in self.view.system.entries.values() if key in entry.fields]
        values += [
            slot.default
            for entry in self.view.system.entries.values()
            for slot in entry.slots.values()
            if slug(slot.name) == key and slot.default
        ]
        return sorted({atom.id for value in values for atom in value if isinstance(atom, Thing)})

    def bounded(self, node: str) -> bool:
        entry = self.view.system.entries.get(node.partition("#")[0])
        return entry is not None and "bound" in entry.fields

    def name(self, node: str) -> str:
        return self.view.system.entries[node.partition("#")[0]].name


def view_lines(view: View, entry: Entry) -> Iterable[object]:
    return view.lines(entry)


def stat_id(expr: Expr) -> str:
    match expr:
        case Thing(id):
            return id
        case Stat(_, stat):
            return stat_id(stat)
        case _:
            return ""


def unlimited(one: object) -> Iterator[object]:
    """The nodes of a sentence that are not under a limit (`once per Round:`) of their own."""
    stack = [one]
    while stack:
        node = stack.pop()
        if isinstance(node, tuple):
            stack.extend(reversed(node))
        elif hasattr(type(node), "__slots__") and not isinstance(node, str | int | Limited | On):
            yield node
            stack.extend(getattr(node, name) for name in reversed(type(node).__slots__))


def cycles(edges: dict[str, dict[str, Span]], stop: set[str]) -> list[list[str]]:
    """One shortest cycle for each node group that can come back to itself without passing `stop`; deterministic."""
    found: list[list[str]] = []
    seen: set[str] = set()
    for node in sorted(edges):
        if node in seen or node in stop:
            continue
        path = way_back(node, edges, stop)
        if path:
            seen.update(path)
            found.append(path)
    return found


def way_back(start: str, edges: dict[str, dict[str, Span]], stop: set[str]) -> list[str]:
    """The shortest way from `start` to itself."""
    before: dict[str, str] = {}
    ring = [start]
    while ring:
        following: list[str] = []
        for node in ring:
            for target in sorted(edges.get(node, ())):
                if target == start:
                    return walked(node, before, start)
                if target not in before and target not in stop:
                    before[target] = node
                    following.append(target)
        ring = following
    return []


def walked(last: str, before: dict[str, str], start: str) -> list[str]:
    path = [last]
    while path[-1] != start:
        path.append(before[path[-1]])
    return path[::-1]


def unbounded_recursion(view: View) -> Iterator[Diagnostic]:
    """Procedures, tables and levels that set each other off without end."""
    chains = Chains(view)
    stop = {node for node in chains.bodies if chains.bounded(node)}
    for path in cycles(chains.edges, stop):
        ring = [*path, path[0]]
        own = [(a, b) for a, b in pairwise(ring) if a.partition(":")[0] == view.pack]
        if own:
            yield chain_without_end(chains, own[0], [chains.name(node) for node in ring])


def chain_without_end(chains: Chains, edge: tuple[str, str], names: list[str]) -> Diagnostic:
    here, there = edge
    bound = chains.view.system.entries[there.partition("#")[0]]
    return Diagnostic(
        "unbounded-recursion",
        "nothing ever ends this chain: " + " -> ".join(names),
        chains.edges[here][there],
        "error",
        f"give one of them a bound, such as `- Bound: 20 times per Scene` in `{bound.name}`",
        (Label(bound.span, "it can come back to itself"),) if bound.span != chains.edges[here][there] else (),
    )


def go_back_unbounded(view: View) -> Iterator[Diagnostic]:
    """`go back to` that may be done for ever."""
    for entry in view.own:
        if "bound" in entry.fields:
            continue
        for span, one in view.sentences(entry):
            if any(isinstance(node, GoBack) for node in unlimited_with_hooks(one)):
                yield Diagnostic(
                    "go-back-unbounded",
                    "nothing says how often this may go back",
                    span,
                    "error",
                    "set a limit before it, such as `3 times per Conflict: go back to ..`, or give the procedure a `- Bound:`",
                )


def unlimited_with_hooks(one: Sentence) -> Iterator[object]:
    return unlimited(one.body) if isinstance(one, On) else unlimited(one)


# ---------------------------------------------------------------- ties

Pair = tuple[Expr, Expr]
TURNED = {"above": "below", "below": "above", "at least": "at most", "at most": "at least"}
REACH = {"above": ">", "below": "<", "is": "=", "at least": ">=", "at most": "<="}
OPPOSITE = {"above": "at most", "below": "at least", "at least": "below", "at most": "above"}


def reach(test: object) -> tuple[Pair, str] | None:
    """The two things that a condition compares, and which of `<`, `=`, `>` it takes, with the pair always in the same order."""
    if not isinstance(test, Compare) or test.op not in REACH:
        return None
    op: str = test.op
    if test.negated:
        if op == "is":
            return ordered(test, "<>")
        op = OPPOSITE[op]
    return ordered(test, REACH[op])


def ordered(test: Compare, signs: str) -> tuple[Pair, str]:
    if repr(test.left) <= repr(test.right):
        return (test.left, test.right), signs
    return (test.right, test.left), signs.translate(str.maketrans("<>", "><"))


def block_sentences(lines: Iterable[object]) -> Iterator[tuple[Span, Sentence]]:
    for line in lines:
        for one in line.meaning:  # type: ignore[attr-defined]
            yield line.span, one  # type: ignore[attr-defined]


def bodies(one: Sentence) -> Iterator[Body]:
    """All groups of neighbouring sentences inside a sentence."""
    for node in nodes(one):
        body = getattr(node, "body", None)
        if isinstance(body, tuple) and body:
            yield body


def undecided_tie(view: View) -> Iterator[Diagnostic]:
    """Both sides have a branch and equality has none."""
    for entry in view.own:
        for block in view.blocks[entry.id]:
            yield from ties(list(block_sentences(block)))
            for span, one in block_sentences(block):
                for body in bodies(one):
                    yield from ties([(span, inner) for inner in body])


def ties(block: list[tuple[Span, Sentence]]) -> Iterator[Diagnostic]:
    sides: dict[Pair, dict[str, Span]] = {}
    for at, (span, one) in enumerate(block):
        if isinstance(one, If):
            found = reach(one.condition)
            if found:
                for sign in found[1]:
                    sides.setdefault(found[0], {})[sign] = span
                if set(sides[found[0]]) == {"<", ">"} and not decided_later(block[at + 1 :], found[0]):
                    yield tie_without_winner(sides[found[0]])


def decided_later(rest: list[tuple[Span, Sentence]], pair: Pair) -> bool:
    """Whether a later neighbour takes the equal case: by name, by `otherwise`, or by ending in any case."""
    for at, (_, one) in enumerate(rest):
        if isinstance(one, EndWith):
            return True
        if isinstance(one, If):
            if one.condition is None and all(isinstance(two, If) and two.chained for _, two in rest[:at]):
                return True
            found = reach(one.condition)
            if found and found[0] == pair and "=" in found[1]:
                return True
    return False


def tie_without_winner(sides: dict[str, Span]) -> Diagnostic:
    first, second = sorted(sides.values())
    return Diagnostic(
        "undecided-tie",
        "nothing is said for when both are equal",
        second,
        "warning",
        "add a line that begins with `otherwise:`, or make one of the two `at least`",
        (Label(first, "the other side is here"),) if first != second else (),
    )


# ---------------------------------------------------------------- outcomes


def no_outcome(view: View) -> Iterator[Diagnostic]:
    """A procedure that promises outcomes and can come to its end without one."""
    for entry in view.own:
        if entry.kind == "procedure" and "outcomes" in entry.fields:
            body = [one for block in view.blocks[entry.id][1 : 1 + len(entry.steps)] for _, one in block_sentences(block)]
            if not ends(tuple(body), entry):
                yield falls_off(entry)


def falls_off(entry: Entry) -> Diagnostic:
    span = entry.steps[-1].span if entry.steps else entry.span
    return Diagnostic(
        "no-outcome",
        f"`{entry.name}` can come to its end without an outcome",
        span,
        "error",
        "let its last line end it in every case, for example `otherwise: end with ..`",
        (Label(entry.fields["outcomes"].span, "these outcomes are promised"),),
    )


def ends(body: Body, entry: Entry) -> bool:
    """Whether every way through `body` ends the procedure (or leaves it by going back)."""
    chain: list[If] = []
    taken: dict[Pair, set[str]] = {}
    picked: dict[Expr, set[str]] = {}
    for one in body:
        chain = [*chain, one] if isinstance(one, If) and one.chained else [one] if isinstance(one, If) else []
        match one:
            case EndWith() | GoBack():
                return True
            case ChooseOne(optional=False, any=False, options=options) if options:
                if all(ends(option.body, entry) for option in options):
                    return True
            case Until(body=inner) if ends(inner, entry):
                return True
            case If(condition=None) if chain and all(ends(two.body, entry) for two in chain):
                return True
            case If(condition=test) if ends(one.body, entry):
                if covers(test, taken, picked, entry):
                    return True
            case _:
                pass
    return False


def covers(test: object, taken: dict[Pair, set[str]], picked: dict[Expr, set[str]], entry: Entry) -> bool:
    """Whether with this branch all of less, equal and more, or all words of a choice, have ended."""
    found = reach(test)
    if found is None or not isinstance(test, Compare):
        return False
    taken.setdefault(found[0], set()).update(found[1])
    if taken[found[0]] >= {"<", "=", ">"}:
        return True
    if test.op == "is" and not test.negated and isinstance(test.right, Thing):
        picked.setdefault(test.left, set()).add(test.right.id)
        words = choice_words(test.left, entry)
        return bool(words) and len(picked[test.left]) == len(words)
    return False


def choice_words(expr: Expr, entry: Entry) -> tuple[str, ...]:
    word = getattr(expr, "word", "")
    slot = entry.slots.get(word)
    held: Type | None = slot.holds if slot else entry.locals.get(word)
    return held.words if held is not None and held.name == "choice" else ()


LINTS = (unbounded_recursion, go_back_unbounded, undecided_tie, no_outcome)
