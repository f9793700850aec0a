"""Third pass: every declaration becomes an `Entry`, every page its chapters.

Procedures come first, since hooks and callers want to know their roles and values; then everything else; prose last, since it prints numbers of
rules.
"""

from __future__ import annotations

import re
from collections import ChainMap
from collections.abc import Callable, Container, Iterable, Mapping
from functools import partial
from typing import cast

from te_forge.check.bases import depth
from te_forge.check.below import flat, label_of, rules_of, steps_of
from te_forge.check.declared import said_by_type
from te_forge.check.fields import BASED_ON
from te_forge.check.names import SWITCHES, Decl, Names
from te_forge.check.patches import Patches
from te_forge.check.scope import Scope, entry_scope
from te_forge.check.slots import Slots
from te_forge.diagnostics import Findings, Fix, Label, has_errors
from te_forge.frozen import replace
from te_forge.keys import fold, slug
from te_forge.model.rules import UNKNOWN
from te_forge.model.system import Entry, Field, Line, Patch, Step, System
from te_forge.source import Span
from te_forge.suggest import nearest
from te_forge.syntax.hint_fields import none_of_it
from te_forge.syntax.text import reads
from te_forge.syntax.tree import Heading, Prose, Rule

FIELD_LIKE = re.compile(r"\s*(?:[*+•–—] )?(?:\*\*|__)?([^\W\da-z_][\w'-]*(?: [^\W\da-z_][\w'-]*)*)(?:(?:\*\*|__):|:(?:\*\*|__)|:) ?(?=\S)")
CALLED = re.compile(r"\bdo ([^\W\da-z_][\w'’-]*(?: [^\W\da-z_][\w'’-]*)*)")


PERSON = r"[^\W\da-z_][\w'’-]*(?: [^\W\da-z_][\w'’-]*)*"
"""Whom a line of an example was about to bring in that does not read."""


Derive = Callable[[Entry, Entry, System, Findings], Entry]
"""Makes a copy: what it says of itself, what it is a copy of, all that is known, and where mistakes go. It lives on the floor above, where patches
are done.
"""
OF_ITSELF = (BASED_ON, "Also Called", "Plural")
"""Labels of what a copy never has from what it is a copy of."""


class Lowerer(Patches):
    """Makes the entries of one pack."""

    def __init__(self, slots: Slots, names: Names, findings: Findings, derive: Derive | None = None) -> None:
        super().__init__(slots, names, findings)
        self.derive = derive
        self.below_us = dict(names.entries)
        self.read_as: dict[str, Heading] = {}
        """For each copy its heading, as a patch of the copy."""

    def run(self) -> dict[str, Entry]:
        decls = list(self.declared.decls.values())
        procedures = [decl for decl in decls if decl.kind == "procedure"]
        for decl in self.callees_first(procedures):
            self.entries[decl.id] = self.entry(decl)
        for decl in sorted(decls, key=self.turn):
            if decl.kind != "procedure":
                self.entries[decl.id] = self.entry(decl)
        return {decl.id: self.entries[decl.id] for decl in decls}

    def turn(self, decl: Decl) -> tuple[bool, int]:
        """What is patched comes before its patches, and what is copied before its copies."""
        return bool(decl.patches), depth(decl.id, self.declared.decls) if decl.base else 0

    def callees_first(self, procedures: list[Decl]) -> list[Decl]:
        """A procedure after those it does, so that what they show is known; in a circle, in the order of the pages."""
        by_name = {fold(decl.name): decl for decl in procedures}
        out: dict[str, Decl] = {}
        todo: list[tuple[Decl, bool]] = [(decl, False) for decl in reversed(procedures)]
        seen: set[str] = set()
        while todo:
            decl, done = todo.pop()
            if done:
                out[decl.id] = decl
            elif decl.id not in seen:
                seen.add(decl.id)
                todo.append((decl, True))
                text = " ".join(rule.text for step in steps_of(cast(Heading, decl.heading)) for rule in flat(step.rules))
                todo += [(by_name[name], False) for name in CALLED.findall(text) if name in by_name]
                todo += [(self.declared.decls[decl.base], False)] if decl.base in self.declared.decls else []
        return list(out.values())

    # ------------------------------------------------------------ one entry

    def entry(self, decl: Decl) -> Entry:
        self.current, self.whole = decl.id, (decl.owner or decl).id
        self.names.in_hack = decl.kind in SWITCHES or decl.owner is not None
        self.mentions.setdefault(decl.id, set())
        known = (decl.id, decl.kind, decl.name, decl.span, decl.cites, tuple(decl.aliases), decl.owner.id if decl.owner else None, tuple(decl.parts))
        if decl.base and self.derive is not None:
            return self.copy(decl, partial(Entry, *known), self.derive)
        if decl.heading is None:
            fields = self.row_fields(decl)
            self.missing_fields(decl, fields)
            return Entry(*known, fields=fields)
        scope = entry_scope(decl, self.names)
        before = len(self.findings)
        fields, lines, steps = self.body_of(decl, decl.heading, scope)
        if has_errors(self.findings[before:]):
            self.declared.unread.add(decl.id)
        made = self.names.procedures.get(decl.id) if decl.kind == "procedure" else None
        slots = self.own_slots.get(id(decl.heading), {})
        patches = tuple(self.patch(patch, decl) for patch in decl.patches)
        if self.undashed(decl.heading, decl.kind, fields):
            self.declared.unread.add(decl.id)
        for patch in decl.patches:
            if patch.verb == "changes":
                self.undashed(patch, patch.kind, [slug(label_of(rule)) for rule in rules_of(patch)])
        self.missing_fields(decl, fields)
        table = self.roll_table(decl, decl.heading, scope)
        locals_ = {**made.roles, **made.locals} if made else {}
        sure = (made.sure or {}).get(decl.id, frozenset()) if made else frozenset()
        return Entry(*known, (), fields, lines, steps, table, slots, patches, locals_, sure)

    # ------------------------------------------------------------ copies

    def copy(self, decl: Decl, new: Callable[..., Entry], derive: Derive) -> Entry:
        """A thing that is a copy of another: what stands below its heading is read as a patch of the copy."""
        base = self.entries.get(decl.base) or self.names.entries[decl.base]
        heading = decl.heading or Heading(2, "", decl.kind, decl.name, "", (), decl.span, decl.span, decl.span)
        below = replace(heading, verb="changes", body=[part for part in heading.body if not (isinstance(part, Rule) and label_of(part) in OF_ITSELF)])
        self.read_as[decl.id] = below
        self.own_slots[id(below)] = self.own_slots.get(id(heading), {})
        self.scope = entry_scope(decl, self.names)
        fields: dict[str, Field] = {}
        for rule in rules_of(heading):
            if label_of(rule) in OF_ITSELF and self.is_field(rule) and (field := self.field(rule, decl)):
                self.once(fields, field)
        row = self.row_fields(decl, patching=True) if decl.heading is None else {}
        fields |= {key: field for key, field in row.items() if field.label in OF_ITSELF}
        bare = derive(new(fields=fields, based=Patch("changes", decl.id, (), (), (), decl.span)), base, self.known(), Findings())
        self.shown(decl, bare)
        cells = tuple(Line(key, field.label, field.words, field.span, value=field.value) for key, field in row.items() if key not in fields)
        before, wrong = len(self.findings), Findings()
        said = self.patch_of(below, decl, decl.id)
        made = derive(new(fields=fields, based=replace(said, lines=(*said.lines, *cells))), base, self.known(), wrong)
        for one in wrong if not has_errors(self.findings[before:]) else ():  # else what has no place has been said
            self.findings.append(one)
        self.shown(decl, made)
        self.missing_fields(decl, made.fields)
        self.inherit_mentions(decl)
        return made

    def known(self) -> System:
        """What has been read so far, with what is required."""
        return System((), self.names.kinds, ChainMap(self.entries, self.below_us), (), {})

    def shown(self, decl: Decl, entry: Entry) -> None:
        """What others may know of a copy."""
        self.entries[decl.id] = entry
        self.places.copied(entry)
        made = self.names.procedures.get(decl.id)
        if made is not None:
            made.locals = {word: type for word, type in entry.locals.items() if word not in made.roles}
            made.sure = {**sure_after(entry.steps), decl.id: entry.sure}

    def inherit_mentions(self, decl: Decl) -> None:
        """A copy speaks of whatever it was copied from speaks of."""
        self.mentions[decl.id].add(decl.base)
        self.mentions[decl.id].update(self.mentions.get(decl.base, ()))

    def body_of(self, decl: Decl, heading: Heading, scope: Scope) -> tuple[dict[str, Field], tuple[Line, ...], tuple[Step, ...]]:
        self.scope = scope
        self.places_nothing(rules_of(heading))
        for step in steps_of(heading):
            self.places_nothing(step.rules)
        fields: dict[str, Field] = {}
        standing: list[Rule] = []
        for rule in rules_of(heading):
            if rule.tree is None:
                said_by_type(rule, decl.kind, self.names, self.findings)
            if self.is_field(rule):
                if field := self.field(rule, decl):
                    self.once(fields, field)
                    if decl.kind == "example":
                        self.bring_in(field)
            elif decl.kind == "example" and (unread := re.match(PERSON, rule.text)):
                self.scope.people[unread[0]] = UNKNOWN
                standing.append(rule)
            else:
                standing.append(rule)
        self.ended = []
        steps = tuple(self.steps(steps_of(heading), scope, decl))
        made = self.names.procedures.get(decl.id) if decl.kind == "procedure" else None
        if made is not None:
            made.locals = {word: type for word, type in scope.locals.items() if word not in made.roles}
            made.sure = sure_after(steps)
            made.sure[decl.id] = frozenset(set.intersection(*self.ended)) if self.ended else frozenset(scope.sure)
        self.scope = scope.copy() if decl.kind == "procedure" else scope
        self.path = ""
        lines = self.standing(standing, decl)
        return fields, lines, steps

    def undashed(self, heading: Heading, kind: str, stated: Container[str]) -> bool:
        """`Starts: 3` without a dash is prose: printed, and never used. Whether there is such a line of a field that is not `stated`."""
        known: list[str] = []
        before = len(self.findings)
        for part in heading.body:
            for text, span in part.lines if isinstance(part, Prose) else ():
                found = FIELD_LIKE.match(text) if ":" in text else None
                if found is None:
                    continue
                known = known or self.known_fields(kind)
                label = found[1] if found[1] in known else nearest(found[1], known)
                value = text[found.end() :].strip().rstrip(".")
                none = none_of_it(label, value) if label else ""
                if label and slug(label) not in stated and (none or reads(f"{label}: {value}")):
                    said = f"this reads as the field `{label}` but does not begin with a dash, so it would only be printed"
                    plain = label == found[1] and text[: found.end()].endswith(f"{label}: ")
                    at = Span(span.file, span.line, 1, found.start(1) + 1) if plain else Span(span.file, span.line, 1, found.end() + 1)
                    fix = None if none else Fix(at, "- " if plain else f"- {label}: ")
                    self.findings.add("missing-dash", said, span, help=none or f"write `- {label}: {value}`", fix=fix)
        return len(self.findings) > before

    def missing_fields(self, decl: Decl, fields: Mapping[str, Field]) -> None:
        """A label without a default must be stated by each thing of the kind."""
        if not decl.base and self.mentions_field(decl, BASED_ON):
            return  # what it is a copy of is not known, as has been said
        for name, slot in self.names.slots.get(decl.kind, {}).items():
            if not slot.usual and slot.holds != UNKNOWN and slug(name) not in fields and not self.mentions_field(decl, name):
                self.findings.add(
                    "missing-field", f"the {decl.kind} {decl.name} does not say its {name}", decl.span,
                    help=f"add `- {name}: ..`" if decl.heading is not None else f"add a column `{name}`, or fill its cell",
                    labels=[Label(slot.span, "it has no default, so each one must say it")],
                )  # fmt: skip

    @staticmethod
    def mentions_field(decl: Decl, name: str) -> bool:
        """Whether a line or cell tries to say it, even if it could not be read."""
        if decl.heading is None:
            return name in decl.row and decl.row[name].text not in ("", "-")
        return any(rule.text.startswith(name) for rule in rules_of(decl.heading))

    def places_nothing(self, rules: list[Rule]) -> None:
        """`New after Old:` places a line in a patch. Elsewhere it is a label that lost its colon."""
        for rule in rules:
            label = rule.tree.label if rule.tree is not None else None
            if label is not None and len(label.children) > 1 and (word := label.token("AFTER", "BEFORE")) is not None:
                first, other = label.all("NAME")
                help = f"write `{first}: {word} {other}: ..`; only a hack places a line before or after another"
                self.findings.add("label-without-colon", "a label is followed by a colon", rule.span, help=help)
            self.places_nothing(rule.rules)

    def once(self, fields: dict[str, Field], field: Field) -> None:
        key = slug(field.label)
        if key in fields:
            self.findings.add(
                "duplicate-label",
                f"there is already a line called `{field.label}` here",
                field.span,
                help="take one of the two out",
                labels=[Label(fields[key].span, "the first one is here")],
            )
            return
        fields[key] = field


def sure_after(steps: Iterable[Step]) -> dict[str, frozenset[str]]:
    """For each step the words that surely have a value once it is done."""
    return {step.id: frozenset(step.reach.words if step.reach else ()) for step in steps}
