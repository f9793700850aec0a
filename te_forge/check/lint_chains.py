"""Complaints about chains: procedures, tables and levels that set each other off for ever."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from te_forge.check.lint_view import View, within
from te_forge.diagnostics import Diagnostic, Label
from te_forge.keys import slug
from te_forge.model.rules import (
    Do,
    Expr,
    Give,
    GoBack,
    Limited,
    On,
    Roll,
    Sentence,
    Stat,
    Stored,
    Thing,
    Transfer,
)
from te_forge.model.system import Entry
from te_forge.model.walk import nodes
from te_forge.source import Span


class Chains:
    """Who sets off whom. A node is a procedure, a table, or a standing line that fires when a level is reached (`id#line`)."""

    def __init__(self, view: View) -> None:
        self.view = view
        self.held: dict[str, list[str]] = {}
        self.bodies: dict[str, list[tuple[Span, Sentence]]] = {}
        self.triggers: dict[str, list[tuple[str, bool]]] = {}
        self.gains: dict[str, list[Sentence]] = {}
        """What any gain of a number brings with it, by its id: the bodies of the rules that listen."""
        listening = {entry.id for entry, _, _ in view.every(On, where=lambda on: on.event.what in ("gain", "level"))}
        for entry in view.system.entries.values():
            if entry.kind in ("procedure", "table"):
                self.bodies[entry.id] = list(view.sentences(entry))
            if entry.id in listening:
                self.levels(entry)
        self.edges = {node: dict(self.out(body)) for node, body in self.bodies.items()}

    def levels(self, entry: Entry) -> None:
        """The standing lines of `entry` that fire at a level of a number, and those that listen to every gain of one."""
        for line in self.view.lines(entry):
            for one in line.meaning:
                if isinstance(one, On) and one.event.what == "gain" and not one.event.inside:
                    self.gains.setdefault(one.event.id, []).extend(one.body)
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
                case Roll(source=source) if source is not None:
                    yield from ((table, span) for table in self.tables(source))
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
        for number, span in self.brought({number: way[True] for number, way in ways.items() if True in way}).items():
            yield span, [node for node, multiple in self.triggers.get(number, []) if multiple]
        for number, way in ways.items():
            fired = [node for node, multiple in self.triggers.get(number, []) if len(way) == 2 or (multiple and True in way)]
            yield next(iter(way.values())), fired

    def brought(self, gained: dict[str, Span]) -> dict[str, Span]:
        """The numbers that gains bring gains of, by the rules that listen. These rules do not set themselves off, but what a level sets off may set
        off each of them anew.
        """
        found: dict[str, Span] = {}
        todo = list(gained.items())
        while todo:
            number, span = todo.pop()
            for one in self.gains.get(number, ()):
                for node in unlimited(one):
                    if isinstance(node, Transfer) and node.verb == "gains" and (other := stat_id(node.amount.stat)) not in found:
                        found[other] = span
                        todo.append((other, span))
        return found

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
        if key not in self.held:
            values = [entry.fields[key].value for entry in self.view.system.entries.values() if key in entry.fields]
            slots = (slot for entry in self.view.system.entries.values() for slot in entry.slots.values())
            values += [slot.default for slot in slots if slot.default and slug(slot.name) == key]
            self.held[key] = sorted({atom.id for value in values for atom in value if isinstance(atom, Thing)})
        return self.held[key]

    def bounded(self, node: str) -> bool:
        entry = self.view.system.entries.get(node.partition("#")[0])
        return entry is not None and "bound" in entry.fields

    def name(self, node: str) -> str:
        return self.view.system.entries[node.partition("#")[0]].name


def stat_id(expr: Expr) -> str:
    match expr:
        case Thing(id):
            return id
        case Stat(_, stat):
            return stat_id(stat)
        case _:
            return ""


def unlimited(one: object) -> list[object]:
    """The nodes of a sentence that are not under a limit (`once per Round:`) or an event of their own."""
    return nodes(one, Limited, On)


def cycles(edges: dict[str, dict[str, Span]], stop: set[str]) -> list[list[str]]:
    """A shortest cycle in each group of nodes that come back to each other without passing `stop`; deterministic."""
    free = {node: [to for to in sorted(out) if to not in stop] for node, out in sorted(edges.items()) if node not in stop}
    found: list[list[str]] = []
    for group in groups(free):
        inside = {node: [to for to in free.get(node, ()) if to in group] for node in group}
        start = min(group)
        if inside[start]:
            found.append(way_back(start, inside))
    return sorted(found)


def groups(edges: dict[str, list[str]]) -> Iterator[set[str]]:
    """The strongly connected groups (Tarjan's algorithm, with a stack of its own instead of recursion)."""
    index: dict[str, int] = {}
    low: dict[str, int] = {}
    open_: dict[str, None] = {}
    for root in edges:
        if root in index:
            continue
        index[root] = low[root] = len(index)
        open_[root] = None
        work = [(root, iter(edges[root]))]
        while work:
            node, targets = work[-1]
            target = next(targets, None)
            if target is not None:
                if target not in index:
                    index[target] = low[target] = len(index)
                    open_[target] = None
                    work.append((target, iter(edges.get(target, ()))))
                elif target in open_:
                    low[node] = min(low[node], index[target])
                continue
            work.pop()
            if work:
                low[work[-1][0]] = min(low[work[-1][0]], low[node])
            if low[node] == index[node]:
                group: set[str] = set()
                while node not in group:
                    group.add(open_.popitem()[0])
                yield group


def way_back(start: str, edges: dict[str, list[str]]) -> list[str]:
    """The shortest way from `start` to itself."""
    before: dict[str, str] = {}
    ring = [start]
    while ring:
        following: list[str] = []
        for node in ring:
            for target in edges[node]:
                if target == start:
                    return walked(node, before, start)
                if target not in before:
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
            yield chain_without_end(chains, own[0], [(node, chains.name(node)) for node in ring])


def ring_words(names: list[str]) -> str:
    """A chain as it is printed; of a long one, the beginning and the end."""
    return " -> ".join(names if len(names) < 9 else [*names[:6], "..", *names[-2:]])


def chain_without_end(chains: Chains, edge: tuple[str, str], ring: list[tuple[str, str]]) -> Diagnostic:
    here, there = edge
    span = chains.view.span
    count = f"20 times per {span or 'Scene'}"
    procedure = next((name for node, name in ring if "#" not in node and chains.view.system.entries[node].kind == "procedure"), "")
    help = f"write a limit in front of what sets it off: `{count}: ..`"
    if procedure:
        help = f"give one of them a bound, such as `- Bound: {count}` in `{procedure}`"
    elif "#" in there:
        help = f"write a limit in front of the event: `{count}: after reaching ..`"
    if not span:
        help += "; `Scene` would be a procedure of yours"
    bound = chains.view.system.entries[there.partition("#")[0]]
    return Diagnostic(
        "unbounded-recursion",
        "nothing ever ends this chain: " + ring_words([name for _, name in ring]),
        chains.edges[here][there],
        "error",
        help,
        (Label(bound.span, "it can come back to itself"),) if bound.span != chains.edges[here][there] else (),
    )


def go_back_unbounded(view: View) -> Iterator[Diagnostic]:
    """`go back to` that may be done for ever. (What a patch puts into a line may stand behind a limit there.) A `Bound` says how often the procedure
    begins, which going back is not.
    """
    for entry in view.having(GoBack):
        inside = {id(node) for line in within(entry) for node in line.meaning}
        for span, one in view.sentences(entry):
            if id(one) not in inside and any(isinstance(node, GoBack) for node in unlimited_with_hooks(one)):
                yield Diagnostic(
                    "go-back-unbounded",
                    "nothing says how often this may go back",
                    span,
                    "error",
                    f"set a limit before it, such as `3 times per {entry.name if entry.kind == 'procedure' else 'Contest'}: go back to ..`; or put what is done again below `repeat until ..:`",
                )


def unlimited_with_hooks(one: Sentence) -> list[object]:
    return unlimited(one.body) if isinstance(one, On) else unlimited(one)


LINTS = (unbounded_recursion, go_back_unbounded)
