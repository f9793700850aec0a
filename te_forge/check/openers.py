"""Second pass: openers and hooks, with the lines set in below them, become typed nodes."""

from __future__ import annotations

import re
from abc import abstractmethod
from typing import Literal

from te_forge.check.holds import called
from te_forge.check.names import Names
from te_forge.check.scope import Branches
from te_forge.check.sentences import Sentences
from te_forge.diagnostics import Findings
from te_forge.keys import fold
from te_forge.model import rules as m
from te_forge.model.rules import Type
from te_forge.syntax.tree import Node, Rule

OPENERS = frozenset(["limited", "on", "instead", "while", "if", "otherwise", "until", "in_next", "for_each", "repeat", "may", "choose_one"])
ELSE = re.compile(r"(?:Else|Otherwise|Or Else|If Not): ")
"""The label of a line that was meant for the other case of the `if` above it."""
UNREAD_IF = r"(?i:(?:[^:]*: )?(?:(?:(?:otherwise|else|or),? )?if|elif|(?:on|with) (?:an? )?(?:roll of )?\d+|\d+ ?(?:\+|[-–—]|or |to )|when|whenever|unless|the [\w'’ -]+ is (?:above|below|at least|at most))\b)"
"""Begins an `if` that could not be read: its `otherwise` is not lost."""


class Openers(Sentences):
    """Reads lines with what is set in below them. `after_if` is what was sure at the end of the last branch read."""

    def __init__(self, names: Names, findings: Findings) -> None:
        super().__init__(names, findings)
        self.after_if: set[str] = set()

    # ------------------------------------------------------------ lines and bodies

    def body(self, rules: list[Rule]) -> m.Body:
        """Lines one after the other, in this scope. `te_forge.check.lines` records the words of each."""
        out: list[m.Sentence] = []
        branches = Branches(self.scope)
        unread_if = False
        for rule in rules:
            chained = self.starts_otherwise(rule)
            if chained and not branches.open and not self.patching and not unread_if:
                self.span = rule.span
                self.findings.add(
                    "lost-otherwise",
                    "this `otherwise` has no `if` on the line directly above it",
                    rule.span,
                    help="put the `if` line above it, among the same neighbours",
                )
            if not chained and branches.open and ELSE.match(rule.text):
                better = f"{rule.text.partition(':')[0]}: otherwise: {rule.text.partition(':')[2].strip()}"
                said = "this is a label only, so the line counts in any case"
                self.findings.add("not-a-rule-word", said, rule.span, help=f"write `- {better}`; if it is meant in any case, give it another label")
            unread_if = (rule.tree is None and re.match(UNREAD_IF, rule.text) is not None) or (chained and unread_if)
            meaning = self.rule(rule, branches if chained else None)
            if not chained:
                branches.close()
            out += meaning
            first = meaning[0] if len(meaning) == 1 else None
            if isinstance(first, m.If):
                branches.add(first, self.after_if)
            else:
                branches.close()
        branches.close()
        return tuple(out)

    @staticmethod
    def starts_otherwise(rule: Rule) -> bool:
        if rule.tree is None:
            return False
        node = rule.tree.node("says", "opens")
        return node is not None and any(child.data == "otherwise" for child in node.nodes()[:1])

    @abstractmethod
    def rule(self, rule: Rule, branches: Branches | None = None) -> m.Body:
        """The meaning of one line (with the lines below it)."""

    def says(self, node: Node, below: list[Rule]) -> m.Body:
        """`says` or `opens`: a sentence, more of them behind semicolons, or an opener with what it holds."""
        first, *rest = node.nodes()
        if first.data in OPENERS:
            return (self.opener(first, rest[0] if rest else None, below),)
        sentence = self.sentence(first, below)
        if not rest:
            return (sentence,)
        return (sentence, *self.says(rest[0], below))

    def inner(self, rest: Node | None, below: list[Rule]) -> m.Body:
        return self.says(rest, below) if rest is not None else self.body(below)

    # ------------------------------------------------------------ openers

    def opener(self, node: Node, rest: Node | None, below: list[Rule]) -> m.Sentence:
        return self.for_all(node.node("who"), lambda: self.opened(node, rest, below))

    def opened(self, node: Node, rest: Node | None, below: list[Rule]) -> m.Sentence:
        match node.data:
            case "on" | "instead":
                return self.hook(node, rest, below)
            case "if" | "otherwise":
                return self.branch(node, rest, below)
            case "while":
                condition = self.condition(node.nodes()[0])
                return m.While(condition, self.inner(rest, below))
            case "limited":
                return m.Limited(self.limit(node.nodes()[0]), self.inner(rest, below))
            case "until":
                token = node.its("NAME")
                self.ends(node, "ends")
                return m.Until(self.thing(token, "procedure") or "", self.inner(rest, below))
            case "in_next":
                span = self.thing(node.its("NAME"), "procedure") or ""
                who, _ = self.ref(node.nodes()[0])
                return m.InNext(span, who, self.inside(span, rest, below))
            case "for_each":
                return self.for_each(node, rest, below)
            case "repeat":
                return self.repeat(node, rest, below)
            case "may":
                return self.may(node, rest, below)
            case _:
                return self.choose_one(node, below)

    def inside(self, procedure: str, rest: Node | None, below: list[Rule]) -> m.Body:
        """A body that runs inside a later procedure: what that one declares is in reach."""
        kept = self.scope
        self.scope = kept.copy()
        if made := self.names.procedures.get(procedure):
            self.scope.procedures.insert(0, made)
        try:
            return self.inner(rest, below)
        finally:
            self.scope = kept

    def looped(self, rest: Node | None, below: list[Rule]) -> m.Body:
        """A body that may run no time at all: what it brings in is not sure afterwards."""
        sure = set(self.scope.sure)
        out = self.inner(rest, below)
        self.scope.sure = sure | (self.scope.sure & sure)
        return out

    def branch(self, node: Node, rest: Node | None, below: list[Rule]) -> m.Sentence:
        condition = self.condition(node.nodes()[0]) if node.nodes() else None
        before = set(self.scope.sure)
        out = self.inner(rest, below)
        self.after_if = set(self.scope.sure)
        self.scope.sure = before
        return m.If(condition, out, node.data == "otherwise")

    def limit(self, node: Node) -> m.Limit:
        times = int(str(node.token("INT"))) if node.has("INT") else 1
        return m.Limit(times, self.thing(node.its("NAME"), "procedure") or "")

    def for_each(self, node: Node, rest: Node | None, below: list[Rule]) -> m.Sentence:
        token = node.its("WORD")
        self.one_kind(None, token)
        kind = self.kind(token)
        member = self.member_type(kind)
        of = next((self.ref(child)[0] for child in node.nodes() if child.data == "ref"), None)
        order_node = node.node("order")
        where = self.others(node, member)
        order: m.Expr | None = None
        if order_node is not None:
            name = order_node.token("NAME")
            order = m.Thing(self.thing(name, "number") or "") if name is not None else self.ref(order_node.nodes()[0])[0]
        word = called(node) or str(token)
        kept = (self.scope.locals.get(word), word in self.scope.sure, set(self.scope.sure))
        apart = self.scope.apart
        self.scope.bring(word, member)
        self.scope.apart = word if member.name == "actor" else apart
        out = self.inner(rest, below)
        self.scope.sure, self.scope.apart = kept[2], apart
        return m.ForEach(m.Members(of, kind, node.has("OTHER"), where), word, order, out)

    def repeat(self, node: Node, rest: Node | None, below: list[Rule]) -> m.Sentence:
        """With `until` the body runs at least once, and its words are known in the condition."""
        if node.has("UNTIL"):
            span = self.span
            body = self.inner(rest, below)
            self.span = span
            return m.Repeat(None, body, self.condition(node.nodes()[0]))
        return m.Repeat(self.number(node.nodes()[0]), self.looped(rest, below))

    def may(self, node: Node, rest: Node | None, below: list[Rule]) -> m.Sentence:
        who, type = self.somebody(node.nodes()[0])
        pays: m.Amount | Literal["cost"] | None = None
        if node.has("PAY"):
            amount = node.node("amount")
            pays = self.amount(amount) if amount is not None else "cost"
            if amount is not None and isinstance(pays, m.Amount):
                self.had(pays.stat, type, amount)
        agree = str(node.token("STRING") or '""')[1:-1]
        return m.May(who, pays, agree, self.looped(rest, below))

    def choose_one(self, node: Node, below: list[Rule]) -> m.Sentence:
        if not node.has("MAY"):
            self.agrees(node.nodes()[0], node)
        who = self.who(node.nodes()[0])
        word = called(node)
        labels = tuple(label for rule in below if (label := self.label(rule)))
        if word:
            self.scope.bring(word, Type("choice", "", labels))
            if (slot := self.value_slot(word)) is not None:
                self.scope.locals[word] = slot
        ends: list[set[str]] = []
        options: list[m.Option] = []
        before = set(self.scope.sure)
        for rule in below:
            self.scope.sure = set(before)
            options.append(m.Option(self.label(rule), self.rule(rule)))
            ends.append(set(self.scope.sure))
        may = node.has("MAY", "ANY")
        self.scope.sure = before if may or not ends else set.intersection(*ends)
        return m.ChooseOne(who, node.has("ANY"), node.has("MAY"), word, tuple(options))

    def label(self, rule: Rule) -> str:
        node = rule.tree.label if rule.tree is not None else None
        return fold(str(node.children[0])) if node is not None else ""

    def hook(self, node: Node, rest: Node | None, below: list[Rule]) -> m.Sentence:
        kept = self.scope
        self.scope = kept.copy()
        when: Literal["before", "after", "instead"] = "instead" if node.data == "instead" else "before" if node.has("BEFORE") else "after"
        event = self.event(node.nodes()[0], when == "after")
        if when == "before" and event.ending:
            self.complain(
                "never-happens", "before it has begun, nothing has an outcome yet", node.nodes()[0], "write `after ..` for what follows on an outcome"
            )
        self.scope.hooked = True
        try:
            return m.On(when, event, self.inner(rest, below))
        finally:
            self.scope = kept
