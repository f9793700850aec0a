"""Third pass: rule lines and steps of an entry, with their words as the book prints them, what they mean, and what is in reach below them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cached_property
from typing import cast

from te_forge.check.alike import Alike
from te_forge.check.names import Decl, Names
from te_forge.check.openers import Openers
from te_forge.check.scope import Branches, Scope
from te_forge.diagnostics import Findings, Label
from te_forge.keys import fold, slug
from te_forge.model import rules as m
from te_forge.model.rules import UNKNOWN
from te_forge.model.system import Entry, Line, Place, Reach, Ref, Step, Words
from te_forge.syntax.tree import Node, Rule, Tree
from te_forge.syntax.tree import Step as StepTree

RUN_ON = r"([^\W\d_][^:]*?)(?::\s+| +[-–—] +)(\S+)|([^\W\da-z_]\w*)\s+([^\W\da-z_]\w*)(?: [a-z][\w'’-]*){3}"
"""A step whose name goes on into its prose: `Roll: As many ..`, `Roll As many dice as ..`."""
BROUGHT = re.compile(r"\bthe ([a-z][\w-]*) (?:is|becomes|will be)\b|\bas the ([a-z][\w-]*)")
NAME_AT = re.compile(r"\[\[[^\]\n]+\]\]|[^\W\d_][\w]*(?:[-'’](?!s\b)[\w]+)*(?: [^\W\d_a-z][\w]*(?:[-'’](?!s\b)[\w]+)*)*")


class Lines(Openers):
    """Makes the lines of entries. `mentions` gathers, for each entry, the ids that it speaks of."""

    def __init__(self, names: Names, findings: Findings) -> None:
        super().__init__(names, findings)
        self.mentions: dict[str, set[str]] = {}
        self.lines: list[Line] = []
        self.path = ""
        self.target: Entry | None = None
        """What the patch at hand changes."""
        self.brought: dict[str, m.Type] = {}
        """The words that the steps of this patch have brought in so far. The steps below may use them; whether they have a value by then is seen when
        the patch is on.
        """
        self.below: Reach | None = None
        """What was in reach in the block read last."""
        self.used: dict[int, str] = {}
        """The links of the last line that was read."""
        self.understood: dict[tuple[str, tuple[str, str] | None], tuple[Line, dict[int, str]]] = {}
        """By its words, and whose it is."""

    @cached_property
    def alike(self) -> Alike:
        return Alike(self.names)

    def standing(self, rules: list[Rule], decl: Decl) -> tuple[Line, ...]:
        lines: list[Line] = []
        for rule in rules:
            if rule.tree is not None and rule.tree.label is None and decl.kind != "example":
                self.findings.add(
                    "rule-without-label", "a standing rule needs a label, so that a hack can name it", rule.span, help=f"write `- Label: {rule.text}`"
                )
            lines += self.collect([rule]) if decl.kind == "procedure" else self.alone(rule)
        self.unique(lines)
        return tuple(lines)

    def alone(self, rule: Rule) -> list[Line]:
        """A standing rule of anything but a procedure: what it says depends on nothing but its words and its owner, so equal ones are understood
        once.
        """
        scope = self.scope
        if rule.tree is None or rule.rules or scope.locals or scope.example:
            return self.apart(rule)
        owner = (scope.owner.name, scope.owner.kind) if scope.owner is not None else None
        known = self.understood.get((rule.text, owner))
        if known is not None:
            line, self.used = known
            self.mentions[self.current].update(self.used.values())
            return [Line(line.id, line.label, line.words, rule.span, line.lines, line.meaning, line.reach, line.place)]
        before = len(self.findings)
        line = self.like_another(rule, rule.tree, owner)
        if len(self.findings) == before:
            self.understood[rule.text, owner] = line, self.used
        return [line]

    def apart(self, rule: Rule) -> list[Line]:
        """The line of a rule whose words bring nothing in for its neighbours."""
        scope, self.scope = self.scope, self.scope.copy()
        lines = self.collect([rule])
        self.scope = scope
        return lines

    def like_another(self, rule: Rule, tree: Tree, owner: tuple[str, str] | None) -> Line:
        """The line of a rule; where one like it has been understood, that one with other things in it."""
        label = tree.label
        shape, ids = self.alike.shape(tree.leaves, label.end if label is not None else 0)
        found = self.alike.like((owner, shape), ids, tree.leaves) if ids else None
        if found is not None:
            line, meaning, self.links = found
            self.used = self.links
            self.mentions[self.current].update(self.used.values())
            return Line(line.id, line.label, self.words(rule), rule.span, (), meaning, line.reach, line.place)
        before = len(self.findings)
        self.told_by_text = False
        line = self.apart(rule)[0]
        if ids and len(self.findings) == before and not self.told_by_text:
            self.alike.keep((owner, shape), ids, tree.leaves, self.used, line)
        return line

    def unique(self, lines: Sequence[Line]) -> None:
        seen: dict[str, Line] = {}
        for line in lines if len(lines) > 1 else ():
            key = slug(line.label)
            if line.label and key in seen:
                self.findings.add(
                    "duplicate-label", f"there is already a line called `{line.label}` here", line.span, help="choose another label",
                    labels=[Label(seen[key].span, "the first one is here")],
                )  # fmt: skip
            seen.setdefault(key, line)

    def collect(self, rules: list[Rule]) -> list[Line]:
        """The lines of `rules`, in this scope, with everything below them."""
        kept, self.lines = self.lines, []
        super().body(rules)
        out, self.lines = self.lines, kept
        return out

    def rule(self, rule: Rule, branches: Branches | None = None) -> m.Body:
        self.span, self.line_text = rule.span, rule.text
        kept_links, self.links = self.links, {}
        kept_lines, self.lines = self.lines, []
        kept_path, kept_reach, self.below = self.path, self.below, None
        label = self.label(rule)
        self.path = f"{kept_path}/{slug(label)}".strip("/") if label else kept_path
        meaning: m.Body = ()
        if rule.tree is not None:
            node = rule.tree.node("says", "opens")
            if node is not None:
                meaning = self.says(node, rule.rules if node.data == "opens" else [])
            elif rule.rules:
                meaning = self.body(rule.rules) if not self.patching else self.patched_body(rule.rules)
            elif rule.tree.node("values") is not None:
                meaning = self.value_as_option(rule)
        below = tuple(self.lines)
        if rule.tree is None:
            self.brought_unread(rule.text)
            self.body(rule.rules)
        self.unique(below)
        self.span = rule.span
        kept_lines.append(Line(self.path, label, self.words(rule), rule.span, below, meaning, self.below, self.placed(rule)))
        self.lines = kept_lines
        self.used = self.links
        self.mentions[self.current].update(self.used.values())
        self.links, self.path, self.below = kept_links, kept_path, kept_reach
        return meaning

    def brought_unread(self, text: str) -> None:
        """Whatever a line that does not read would have brought in is known behind it: only that line is wrong."""
        for found in BROUGHT.finditer(text):
            word = found[1] or found[2]
            self.scope.bring(word, self.scope.locals.get(word, UNKNOWN))

    def body(self, rules: list[Rule]) -> m.Body:
        meaning = super().body(rules)
        if rules:
            self.below = self.reached()
        return meaning

    def patched_body(self, rules: list[Rule]) -> m.Body:
        """Lines that go below a step or line of the target: they may speak of whatever its own lines there may."""
        reach = reach_at(self.target, self.path) if self.target is not None else None
        if reach is None:
            return self.body(rules)
        kept, self.scope = self.scope, self.scope.copy()
        for word, type in {**self.brought, **reach.words}.items():
            self.scope.bring(word, type)
        self.scope.hooked = reach.hooked
        if reach.hooked:
            self.scope.foreign.update(reach.words)
        self.scope.procedures = [made for id in reach.procedures if (made := self.names.procedures.get(id))] or self.scope.procedures
        meaning = self.body(rules)
        brought, self.scope = self.scope, kept
        if "/" not in self.path:
            self.brought |= {word: type for word, type in brought.locals.items() if word in brought.sure}
        return meaning

    def reached(self) -> Reach:
        scope = self.scope
        words = {word: type for word, type in scope.locals.items() if word in scope.sure}
        return Reach(words, tuple(made.id for made in scope.procedures), scope.hooked)

    @staticmethod
    def placed(rule: Rule) -> Place | None:
        node = rule.tree.label if rule.tree is not None else None
        names = node.all("NAME") if node is not None else []
        return Place(node.has("AFTER"), fold(str(names[1]))) if node is not None and len(names) > 1 else None

    def value_as_option(self, rule: Rule) -> m.Body:
        """`- Fight: nothing`: an option without an effect. Any other bare value is a slip."""
        values = cast(Node, cast(Node, rule.tree).node("values"))
        if [child.data for child in values.nodes()] != ["nothing"]:
            self.findings.add("value-for-sentence", "this line is a value, but a sentence is needed here", rule.span, help=self.sentence_for(values))
        return ()

    # ------------------------------------------------------------ words

    def words(self, rule: Rule) -> Words:
        """The sentence as it is read aloud, with its names as references; the label stands apart."""
        start = 0
        if rule.tree is not None and (label := rule.tree.label):
            start = label.end
        return self.linked(rule.text, start)

    def linked(self, text: str, start: int = 0) -> Words:
        if not self.links:
            bare = text[start:].replace("[[", "").replace("]]", "").lstrip()
            return (bare,) if bare else ()
        out: list[str | Ref] = []
        at = start
        for position, id in sorted(self.links.items()):
            if position < start:
                continue
            name = NAME_AT.match(text, position)
            if name is None:
                continue
            out += [text[at:position], Ref(id, name[0].removeprefix("[[").removesuffix("]]"))]
            at = name.end()
        out.append(text[at:])
        cleaned = (
            [part.replace("[[", "").replace("]]", "") if isinstance(part, str) else part for part in out] if "[[" in text or "]]" in text else out
        )
        if cleaned and isinstance(cleaned[0], str):
            cleaned[0] = cleaned[0].lstrip()
        return tuple([part for part in cleaned if part])

    # ------------------------------------------------------------ steps

    def steps(self, steps: list[StepTree], scope: Scope, decl: Decl) -> list[Step]:
        out: list[Step] = []
        seen: dict[str, StepTree] = {}
        for number, step in enumerate(steps, 1):
            if step.number != number:
                self.findings.add(
                    "step-number", f"this is step {number}, but its number says {step.number}", step.span, help=f"write `{number}. {step.name}.`"
                )
            if decl.kind == "procedure" and not step.prose and (found := re.match(RUN_ON, step.name)):
                self.findings.add(
                    "step-without-name",
                    "the name of this step does not end",
                    step.span,
                    help=f"put a full stop after the name: `{step.number}. {found[1] or found[3]}. {found[2] or found[4]} ..`",
                )
            id = step.id or slug(step.name)
            if id in seen:
                self.findings.add(
                    "duplicate-label",
                    f"there is already a step called `{step.name}` here",
                    step.span,
                    help="choose another name",
                    labels=[Label(seen[id].span, "the first one is here")],
                )
            seen.setdefault(id, step)
            self.scope = scope
            self.path = id
            lines = self.collect(step.rules)
            self.unique(lines)
            out.append(Step(f"{decl.id}#{id}", step.name, (step.prose,), tuple(lines), step.cites, step.span, self.reached()))
        self.path = ""
        return out


def reach_at(entry: Entry, path: str) -> Reach | None:
    """What is in reach below the step or line at `path` (`step/label/label`)."""
    first, *rest = path.split("/")
    step = next((one for one in entry.steps if one.id.endswith(f"#{first}")), None)
    lines = step.lines if step is not None else entry.lines
    found: Step | Line | None = step
    for key in rest if step is not None else (first, *rest):
        line = next((one for one in lines if slug(one.label) == key), None)
        if line is None:
            return None
        found, lines = line, line.lines
    return found.reach if found is not None else None
