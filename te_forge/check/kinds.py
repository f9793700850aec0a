"""The kinds of a pack: what its headings declare, what hacks call them, and which words are kinds."""

from __future__ import annotations

import re
from itertools import chain
from typing import cast

from te_forge.check.below import label_of, rules_of, strings
from te_forge.check.holds import all_nodes
from te_forge.check.names import ENGINE_KINDS, NATURES, Names
from te_forge.diagnostics import Findings
from te_forge.keys import slug
from te_forge.model.rules import Text
from te_forge.model.system import KindInfo, Nature
from te_forge.renaming import plural
from te_forge.source import Span
from te_forge.suggest import a, nearest
from te_forge.syntax.tree import Heading, Page

KIND_NAME = re.compile(r"[^\W\d_A-Z][\w-]*")


class KindDeclarer:
    """Collects the kinds of one pack."""

    def __init__(self, pack: str, names: Names, findings: Findings) -> None:
        self.pack, self.names, self.findings = pack, names, findings
        self.declared_kinds: set[str] = set()
        self.new_kinds: dict[str, str] = {}
        """Kinds and what hacks call them."""

    def kind(self, heading: Heading) -> None:
        if not KIND_NAME.fullmatch(heading.name):
            self.findings.add(
                "kind-name", "the name of a kind is one small word", heading.name_span, help="join two words with a hyphen: `## kind: side-quest`"
            )
            return
        stated = self.nature(heading)
        if stated is None:
            self.findings.add(
                "kind-without-nature", f"nothing says what {a(heading.name)} is", heading.name_span,
                help="add a line such as `- Is: a trait of a character` (or an actor, an entry, a number of ..)",
            )  # fmt: skip
        if heading.name in self.names.kinds:
            self.findings.add("duplicate-name", f"there is already a kind called `{heading.name}`", heading.name_span, help="choose another name")
            return
        nature, of = stated or ("entry", ())
        lines = {label_of(rule): rule for rule in rules_of(heading)}
        plural = next(iter(strings(lines["Plural"])), "") if "Plural" in lines else ""
        many = lines.get("How Many") or next((lines[label] for label in lines if nearest(label, ("How Many",), 0.85)), None)
        single = many is not None and many.text.rstrip().endswith(": 1")
        self.names.add_kind(KindInfo(heading.name, f"{self.pack}:kind/{slug(heading.name)}", nature, of, plural or heading.name + "s", single))

    def nature(self, heading: Heading) -> tuple[Nature, tuple[str, ...]] | None:
        """What `Is` says that things of a kind are, and of whom; None when there is no such line."""
        found: tuple[Nature, tuple[str, ...]] | None = None
        for rule in rules_of(heading):
            if rule.tree is None:
                found = found or ("entry", ()) if rule.text.startswith("Is") else found  # a line that does not read, as has been said
            for holds in all_nodes(rule.tree) if rule.tree is not None and label_of(rule) == "Is" else ():
                if holds.data != "holds":
                    continue
                word, *of = (str(token) for token in holds.all("WORD", "NUMBER"))
                if word not in NATURES:
                    help = "for example `- Is: a trait of a character`"
                    self.findings.add("unknown-nature", f"a kind is an actor, an entry, a number or a trait, not {a(word)}", rule.span, help=help)
                    found = found or ("entry", ())
                else:
                    found = cast(Nature, word), (*(found[1] if found is not None else ()), *of)
        return found

    def kinds_called(self, pages: list[Page]) -> None:
        """What hacks call kinds: headings, tables and rules may use those names too, where no kind has them."""
        own = [
            (heading.name, strings(rule)[:1], label_of(rule))
            for page in pages
            for heading in page.headings
            if heading.verb == "renames" and heading.kind == "kind"
            for rule in rules_of(heading)
        ]
        patches = [
            patch
            for entry in self.names.entries.values()
            for patch in entry.patches
            if patch.verb == "renames" and patch.target.partition(":")[2].startswith("kind/")
        ]
        below = [
            (self.names.title[patch.target], [atom.text for atom in line.value if isinstance(atom, Text)], line.label)
            for patch in patches
            for line in patch.lines
        ]
        for old, texts, label in (*own, *below):
            if texts and label == "To":
                self.new_kinds[old] = texts[0]
            for text in texts if old in self.names.kinds and label in ("To", "Plural") else ():
                for word in (text, plural(text)) if label == "To" else (text,):
                    if self.names.kind(word) is None:
                        self.names.called[word] = old

    def is_kind(self, word: str) -> bool:
        return word in ENGINE_KINDS or word in self.names.kinds or word in self.declared_kinds

    def known_kind(self, kind: str, span: Span) -> bool:
        if kind in ENGINE_KINDS or kind in self.names.kinds:
            return True
        near = self.near_kind(kind)
        help = f"write `{near}`; a new kind is declared with `## kind: {kind}`" if near else self.names.known_kinds(kind)
        self.findings.add("unknown-kind", f"there is no kind called `{kind}`", span, help=help)
        return False

    def near_kind(self, kind: str) -> str | None:
        return self.names.nearest(kind, chain(ENGINE_KINDS, self.names.kinds))
