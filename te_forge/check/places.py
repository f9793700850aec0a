"""Where a patch touches a definition: the labels of its steps and lines, as a tree, and whether those that a patch names are there."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import cast

from te_forge.check.below import label_of, rules_of, steps_of
from te_forge.check.fields import ENGINE_FIELDS
from te_forge.check.holds import all_nodes
from te_forge.check.names import Decl, Names
from te_forge.diagnostics import Findings
from te_forge.keys import fold
from te_forge.model.system import Entry, Line, Patch
from te_forge.suggest import nearest
from te_forge.syntax.tree import Heading, Node, Rule

STANDING = ("on", "instead", "while", "limited", "until", "in_next")
"""Openers with which a line stands by itself."""
MOST_WAYS = 2
Labels = dict[str, "Labels"]
"""The labels at one place, each with those set in below it."""


def of_rules(rules: Iterable[Rule]) -> Labels:
    return {fold(label): of_rules(rule.rules) for rule in rules if (label := label_of(rule))}


def of_heading(heading: Heading) -> Labels:
    return {**of_rules(rules_of(heading)), **{fold(step.name): of_rules(step.rules) for step in steps_of(heading)}}


def of_lines(lines: Iterable[Line]) -> Labels:
    return {line.label: of_lines(line.lines) for line in lines if line.label}


def of_entry(entry: Entry) -> Labels:
    return {
        **{fold(field.label): {} for field in entry.fields.values()},
        **of_lines(entry.lines),
        **{fold(step.name): of_lines(step.lines) for step in entry.steps},
    }


class Places:
    """The labels of every definition, with the lines that patches put beside them."""

    def __init__(self, decls: Iterable[Decl], names: Names, findings: Findings) -> None:
        self.names, self.findings = names, findings
        self.trees: dict[str, Labels] = {}
        self.copies: dict[str, Entry] = {}
        """What is a copy has the places of what it is a copy of, and not those of its heading."""
        self.added: set[tuple[int, str]] = set()
        """Labels that only patches put in, each with the identity of its tree: no patch is told to change those."""
        self.headings = {decl.id: decl.heading for decl in decls if decl.heading is not None}
        self.patches = [patch for decl in decls for patch in decl.patches]

    def check(self, patch: Heading, target: str) -> None:
        """Complain about every label of the patch that names no place in its target."""
        for rule in rules_of(patch):
            self.line(rule, target, self.tree(target), True)

    def tree(self, target: str) -> Labels:
        if target not in self.trees:
            copy = self.copies.get(target)
            heading, entry = self.headings.get(target) if copy is None else None, copy or self.names.entries.get(target)
            self.trees[target] = tree = of_heading(heading) if heading is not None else of_entry(entry) if entry is not None else {}
            for patch in self.own_patches.get(target, ()):
                self.put_in(rules_of(patch), tree)
            for made in self.patches_below.get(target, ()):
                merge(of_lines(made.lines), tree)
        return self.trees[target]

    def put_in(self, rules: Iterable[Rule], tree: Labels) -> None:
        """Add to `tree` the lines that a patch puts beside others."""
        for rule, name, placed in labelled(rules):
            if placed and name not in tree:
                tree[name] = of_rules(rule.rules)
                self.added.add((id(tree), name))
            elif not placed and name in tree:
                self.put_in(rule.rules, tree[name])

    def copied(self, entry: Entry) -> None:
        """A copy as it is now; what patches put into it is looked for anew."""
        self.copies[entry.id] = entry
        self.trees.pop(entry.id, None)

    @cached_property
    def own_patches(self) -> dict[str, list[Heading]]:
        found: dict[str, list[Heading]] = {}
        for patch in self.patches:
            for id in self.names.find(patch.name, (patch.kind,)):
                found.setdefault(id, []).append(patch)
        return found

    @cached_property
    def patches_below(self) -> dict[str, list[Patch]]:
        found: dict[str, list[Patch]] = {}
        for entry in self.names.entries.values():
            for patch in entry.patches:
                found.setdefault(patch.target, []).append(patch)
        return found

    def may_be_step(self, label: str, target: str) -> bool:
        """Whether a place of this label is a step, as far as it is known: another patch may put one in."""
        copy = self.copies.get(target) or self.names.entries.get(target)
        heading = self.headings.get(target) if target not in self.copies else None
        others = (
            of_rules(rules_of(heading))
            if heading is not None
            else {**of_lines(copy.lines), **dict.fromkeys(fold(field.label) for field in copy.fields.values())}
            if copy is not None
            else {}
        )
        return label not in others and self.names.kind_of.get(target) == "procedure"

    def line(self, rule: Rule, target: str, there: Labels, top: bool) -> None:
        placed = rule.tree.label if rule.tree is not None else None
        if placed is None:
            return
        name, *beside = [fold(str(token)) for token in placed.all("NAME")]
        for anchor in beside:
            if anchor not in there:
                self.lost(rule, target, anchor, there, "")
        if beside:
            return
        bare = bool(rule.rules) and cast(Node, rule.tree).node("says", "opens") is None
        if name in there:
            if bare:
                for below in rule.rules:
                    self.line(below, target, there[name], False)
        elif bare or not top or self.only_inside(rule, name, there) or (cast(Node, rule.tree).node("values") is None and nearest(name, there)):
            self.lost(rule, target, name, there, name)

    def only_inside(self, rule: Rule, name: str, there: Labels) -> bool:
        """Whether a line that would stand by itself has the label of one inside of others, and says not when it happens, or is to be taken away."""
        tree = cast(Node, rule.tree)
        values = tree.node("values")
        stands = any(node.data in STANDING for node in all_nodes(tree)) if values is None else values.node("nothing") is None or name in ENGINE_FIELDS
        return not stands and next(inside(name, there), None) is not None

    def lost(self, rule: Rule, target: str, name: str, there: Labels, new: str) -> None:
        own = [label for label in there if (id(there), label) not in self.added]
        found = list(inside(name, self.tree(target)))
        if found:
            self.deeper(rule, target, name, found, new)
            return
        near = nearest(name, own)
        known = next(iter(own), "")
        help = f"did you mean `{near}`?" if near else "its lines are " + ", ".join(sorted(own)[:8]) if own else "nothing there has a label"
        if new and (near or known):
            help += f"; a new line says where it stands: `{new} after {near or known}:`"
        self.findings.add(
            "unknown-target", f"`{self.names.title.get(target, target)}` has no step or line called `{name}` here", rule.span, help=help
        )

    def deeper(self, rule: Rule, target: str, name: str, found: list[tuple[str, ...]], new: str) -> None:
        """Say in which lines a line stands that a patch looks for elsewhere."""
        line = name if new else f"{rule.text.partition(':')[0]}"
        ways = [", below it ".join(f"`- {label}:`" for label in path) for path in found[:MOST_WAYS]]
        help = f"write {' or '.join(ways)}, and set `- {line}: ..` in below that"
        where = " and ".join(f"`{'`, `'.join(path)}`" for path in found[:MOST_WAYS])
        said = f"`{name}` of `{self.names.title.get(target, target)}` stands inside of {where}, and not here"
        self.findings.add("unknown-target", said, rule.span, help=help)


def inside(name: str, tree: Labels) -> Iterator[tuple[str, ...]]:
    """Where lines called `name` stand: the labels of those around each."""
    for label, below in tree.items():
        if name in below:
            yield (label,)
        yield from ((label, *path) for path in inside(name, below))


def labelled(rules: Iterable[Rule]) -> Iterator[tuple[Rule, str, bool]]:
    for rule in rules:
        node = rule.tree.label if rule.tree is not None else None
        if node is not None:
            yield rule, fold(str(node.all("NAME")[0])), node.has("AFTER", "BEFORE")


def merge(found: Labels, tree: Labels) -> None:
    for name, below in found.items():
        merge(below, tree.setdefault(name, {}))
