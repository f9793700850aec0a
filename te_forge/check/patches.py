"""Third pass: what hacks and readings change, delete and rename."""

from __future__ import annotations

from typing import cast

from te_forge.check.below import DIE, label_of, rules_of, steps_of, tables_of
from te_forge.check.cells import Cells, with_roller
from te_forge.check.declare import NAMELESS
from te_forge.check.fields import BASED_ON
from te_forge.check.kinds import KIND_NAME
from te_forge.check.names import ENGINE_KINDS, SHELVES, Decl, Names
from te_forge.check.places import Places
from te_forge.check.scope import Scope, owner_type
from te_forge.check.slots import Slots
from te_forge.diagnostics import Findings
from te_forge.frozen import replace
from te_forge.keys import fold, slug
from te_forge.model import rules as m
from te_forge.model.rules import UNKNOWN, Nothing, Text, Thing, Type
from te_forge.model.system import Entry, Field, Line, Patch, Verb, Words
from te_forge.source import Span
from te_forge.suggest import a, listed
from te_forge.syntax.tree import Heading, Node, Rule, Table

WAS = " (was "


class Patches(Cells):
    """Reads patches. `entries` are those of this pack that have been made so far."""

    def __init__(self, slots: Slots, names: Names, findings: Findings) -> None:
        super().__init__(slots, names, findings)
        self.places = Places(self.declared.decls.values(), names, findings)
        self.entries: dict[str, Entry] = {}

    def patch(self, heading: Heading, hack: Decl) -> Patch:
        target = self.patch_target(heading)
        made = self.patch_of(heading, hack, target or self.meant_target(heading))
        return made if target else replace(made, target="")

    def meant_target(self, heading: Heading) -> str:
        """What a change speaks of whose target is misspelt, as has been said: its lines are read as those of that."""
        near = self.names.suggest(heading.name, (heading.kind,)) if heading.verb == "changes" and heading.kind else None
        return next((id for id in self.names.find(near, (heading.kind,)) if self.names.kind_of[id] == heading.kind), "") if near else ""

    def patch_of(self, heading: Heading, hack: Decl, target: str) -> Patch:
        scope = Scope(unsure=not target)
        decl = self.declared.decls.get(target) if target else None
        made = self.names.procedures.get(target)
        if decl is not None:
            scope.owner = owner_type(decl, self.names)
        elif target and (info := self.names.kinds.get(heading.kind)) is not None:
            scope.owner = Type("actor", info.of[0] if info.of else "") if info.nature == "trait" else Type("entry", info.name)
        if made is not None:
            scope.procedures = [made]
            scope.roles(made.roles)
            for word, type in made.locals.items():
                scope.bring(word, type)
        if heading.kind == "example":
            self.example(scope, heading, target)
        self.scope = scope
        if target and heading.verb == "changes" and target not in self.names.chapters.values():
            self.places.check(heading, target)
        if target and heading.verb == "deletes" and heading.kind == "kind" and (rules := list(rules_of(heading))):
            self.findings.add(
                "fixed-kind",
                "nothing can stand for a kind, since its things have fields of their own",
                rules[0].span,
                help="leave the line out, and delete the things of this kind as well",
            )
            return Patch(cast(Verb, heading.verb), target, (), (), (), heading.name_span)
        self.patching, self.brought, self.target = True, {}, self.entries.get(target) or self.names.entries.get(target)
        lines = tuple(line for rule in rules_of(heading) for line in self.patch_line(rule, heading, hack, target, scope))
        self.instead(heading, target, lines)
        self.told(heading, target)
        steps = [line for step in steps_of(heading) for line in self.collect(step.rules)]
        self.patching = False
        for table in tables_of(heading):
            if target and table.head[0].text == "row":
                self.known_rows(table, target)
        rows = with_roller(scope, heading.kind)
        tables = tuple(
            self.one_roll_table(table, rows, hack, False)
            for table in tables_of(heading)
            if table.head[0].text in ("row", "at") or DIE.fullmatch(table.head[0].text)
        )
        return Patch(cast(Verb, heading.verb), target, (*lines, *steps), tables, (), heading.name_span, self.own_slots.get(id(heading), {}))

    def example(self, scope: Scope, heading: Heading, target: str) -> None:
        """The lines of an example that a hack changes speak of its people, and of those whom the hack brings in."""
        scope.example = True
        scope.procedures = list(self.names.procedures.values())
        called = self.names.title.get(target, heading.name)
        for name, somebody in self.names.people.items():
            if somebody.example == called:
                scope.people[name] = Type("actor", self.names.carrier(somebody.what))
        scope.people |= {label: UNKNOWN for rule in rules_of(heading) if (label := label_of(rule)) not in scope.people}

    def told(self, heading: Heading, target: str) -> None:
        """Complain about text that is set in below a label of anything but a step."""
        for rule in rules_of(heading):
            label = fold(str(rule.tree.part("label").all("NAME")[-1])) if rule.prose and rule.tree is not None and rule.tree.label else ""
            if label and target and not self.places.may_be_step(label, target):
                self.findings.add(
                    "lost-line", f"only a step has a text of its own, and `{label}` of {self.names.title[target]} is none", rule.prose[0].lines[0][1],
                    help="the text of the whole stands below the heading, without being set in",
                )  # fmt: skip

    def instead(self, heading: Heading, target: str, lines: tuple[Line, ...]) -> None:
        """Complain about what shall be in the place of something and cannot: a name that is none or is not said, a thing that is used otherwise."""
        if target and heading.verb == "renames" and not any(rule.text.startswith("To") for rule in rules_of(heading)):
            self.findings.add("missing-field", "this does not say the new name", heading.name_span, help='add a line such as `- To: "A New Name"`')
        for line in lines:
            for atom in line.value if target else ():
                if heading.verb == "renames" and line.label == "To" and isinstance(atom, Text):
                    self.new_name(atom.text, heading.kind, line.span)
                elif heading.verb == "deletes" and line.label == "Successor" and isinstance(atom, Thing) and atom.id in self.names.kind_of:
                    self.successor(target, atom.id, line.span)
            if target and heading.verb == "deletes" and line.label == "Successor":
                self.one_thing(target, line)

    def one_thing(self, target: str, line: Line) -> None:
        """Complain about a successor that is none: several, a word, a number. Of what could not be read, that is said."""
        of = a(self.names.kind_of.get(target, "thing"))
        odd = len(line.value) > 1 or any(
            not isinstance(atom, Nothing) and (not isinstance(atom, Thing) or (atom.id not in self.names.kind_of and atom.id)) for atom in line.value
        )
        if odd and not self.findings.told_of(line.span):
            self.findings.add(
                "wrong-type", f"`{line.label}` names one other thing", line.span, help=f"name {of} that is used instead, or leave the line out"
            )

    def new_name(self, name: str, kind: str, span: Span) -> None:
        if NAMELESS.fullmatch(name):
            self.findings.add(
                "heading-without-name",
                f"`{name}` is no name" if name.strip() else "there is no name between the quotation marks",
                span,
                help="a name begins with a letter or a figure",
            )
        elif kind == "kind" and not KIND_NAME.fullmatch(name):
            self.findings.add("kind-name", "the name of a kind is one small word", span, help="join two words with a hyphen: `side-quest`")
        elif kind == "kind":
            self.declared.own_word(name, span)
        elif kind != "chapter":
            self.declared.fit(name, kind, span)

    def successor(self, old: str, new: str, span: Span) -> None:
        """Numbers of several kinds are used alike; of everything else, a rule that takes the one kind would not take the other."""
        kind, other = self.names.kind_of.get(old, ""), self.names.kind_of.get(new, "")
        alike = self.names.nature_of(kind) == self.names.nature_of(other) == "number"
        if kind and other and kind != other and not alike and kind not in SHELVES:
            near = self.names.suggest(self.names.title[new], (kind,))
            help = (
                f"did you mean `{near}`?" if near else f"name {a(kind)}, or leave the line out and change the rules that use {self.names.title[old]}"
            )
            self.findings.add(
                "wrong-kind", f"`{self.names.title[new]}` is {a(other)}, and only {a(kind)} can stand for {self.names.title[old]}", span, help=help
            )

    def known_rows(self, table: Table, target: str) -> None:
        """Complain about each row of a patch that its target does not have."""
        decl, entry = self.declared.decls.get(target), self.places.copies.get(target) or self.names.entries.get(target)
        rows = {fold(row.name) for row in entry.table.rows} if entry is not None and entry.table is not None else set()
        headings = [one for one in [decl.heading if decl is not None else None, *self.places.patches] if one is not None]
        for heading in headings:
            for other in tables_of(heading) if not heading.verb or fold(heading.name) == fold(self.names.title[target]) else ():
                heads = [cell.text for cell in other.head]
                if heads[0] != "row" and "row" in heads:
                    rows |= {fold(row[heads.index("row")].text) for row in other.rows}
        for row in table.rows:
            if fold(row[0].text) not in rows:
                near = self.names.nearest(fold(row[0].text), rows)
                help = f"did you mean `{near}`?" if near else "its rows are " + listed(sorted(rows)) if rows else "its rows have no names"
                self.findings.add("unknown-target", f"`{self.names.title[target]}` has no row called `{row[0].text}`", row[0].span, help=help)

    def patch_target(self, heading: Heading) -> str:
        if not heading.kind:
            self.kind_of_patch(heading)
        if heading.kind == "chapter" and "chapter" not in self.names.kinds:
            return self.chapter(heading)
        kinds = (heading.kind,)
        if heading.kind not in ENGINE_KINDS and heading.kind not in self.names.kinds:
            self.declared.known_kind(heading.kind, heading.kind_span)
            return ""
        if heading.kind == "kind":
            info = self.names.kinds.get(self.names.called.get(heading.name, heading.name))
            if info is not None:
                return info.id
        found = [id for id in self.names.find(heading.name, kinds) if self.names.kind_of[id] == heading.kind]
        if not found:
            near = self.names.suggest(heading.name, kinds)
            other = self.names.find(heading.name)
            there = sorted(title for id, title in self.names.title.items() if self.names.kind_of.get(id) == heading.kind)
            help = (
                f"did you mean `{near}`?"
                if near
                else f"there is {a(self.names.kind_of[other[0]])} of that name"
                if other
                else f"there is {listed(there)}"
                if there
                else "a hack changes what this pack, or one that it requires, defines"
            )
            self.findings.add("unknown-target", f"there is no {heading.kind} called `{heading.name}`", heading.name_span, help=help)
            return ""
        self.mentions[self.current].add(found[0])
        if fold(heading.name) != fold(name := self.names.title[found[0]]) and (fold(heading.name), found[0]) not in self.names.given:
            self.findings.add(
                "other-name",
                f"`{heading.name}` is another name of {name}",
                heading.name_span,
                severity="note",
                help=f"write `### {heading.verb} {heading.kind}: {name}`",
            )
        return found[0]

    def chapter(self, heading: Heading) -> str:
        """The chapter that a patch speaks of. It has prose and a title; whatever stands in it is changed by its own name."""
        target = self.names.chapters.get(fold(heading.name), "")
        if not target:
            near = self.names.nearest(heading.name, self.names.chapters)
            help = f"did you mean `{near}`?" if near else "write its title as it stands behind its #"
            self.findings.add("unknown-target", f"there is no chapter called `{heading.name}`", heading.name_span, help=help)
        others: list[Table | Rule] = [
            *tables_of(heading),
            *(rule for rule in rules_of(heading) if not (heading.verb == "renames" and label_of(rule) == "To")),
        ]
        if target and others:
            self.findings.add(
                "unknown-target", "a chapter has nothing but prose and a title", others[0].span, help="change the things in it by their own names"
            )
            return ""
        return target

    def kind_of_patch(self, heading: Heading) -> None:
        """`### changes Luck` does not say what Luck is; where only one thing has that name, it is told."""
        heading.name = heading.name if self.names.find(heading.name) else self.names.suggest(heading.name) or heading.name
        ids = self.names.find(heading.name)
        heading.kind = self.names.kind_of[ids[0]] if ids else "rule"
        help = f"write `### {heading.verb} {heading.kind}: {heading.name}`"
        self.findings.add("heading-without-kind", "a heading with two or three # says what kind of thing it is", heading.name_span, help=help)

    def patch_line(self, rule: Rule, heading: Heading, hack: Decl, target: str, scope: Scope) -> list[Line]:
        if rule.tree is None:
            return self.collect([rule])
        label = self.label(rule)
        if label == BASED_ON:
            self.findings.add(
                "fixed-base",
                "what something is based on cannot be changed",
                rule.span,
                help="delete it, and define another thing that is based on what you like",
            )
            return []
        placed = rule.tree.label
        is_new = placed is not None and placed.has("AFTER", "BEFORE")
        if self.is_field(rule) and label != "":
            target_decl = self.declared.decls.get(target)
            kind = heading.verb if heading.verb != "changes" else heading.kind
            if self.only_nothing(rule) and not is_new:
                self.links = {}
                field: Field | None = Field(f"{target}#{slug(label)}", label, self.words(rule), (m.Nothing(),), rule.span)
            else:
                kept, self.scope = self.scope, scope.copy()
                field = self.field(rule, target_decl or hack, kind)
                self.scope = kept
            if field is None:
                return []
            words, was = parted(field.words)
            before = self.was(rule, label, target_decl or hack, kind, was)
            return [Line(slug(label), label, words, rule.span, place=self.placed(rule), value=field.value, was=before)]
        self.scope = scope.copy()
        self.path = ""
        return self.collect([rule])

    def was(self, rule: Rule, label: str, decl: Decl, kind: str, words: Words) -> Field | None:
        """What a change says was there before it: `- Starts: 5 (was 3)`."""
        guard = cast(Node, rule.tree).node("was")
        if guard is None:
            return None
        self.span, self.links = rule.span, {}
        wanted = self.field_type(label, rule.span, decl, kind)
        value = tuple(self.value(node, wanted, label) for node in guard.part("values").nodes())
        return Field(slug(label), label, words, value, rule.span)

    @staticmethod
    def only_nothing(rule: Rule) -> bool:
        values = cast(Node, rule.tree).node("values")
        return values is not None and [child.data for child in values.nodes()] == ["nothing"]


def parted(words: Words) -> tuple[Words, Words]:
    """The words of a value, and those of what it says was there before."""
    for number, word in enumerate(words):
        if isinstance(word, str) and WAS in word:
            before, _, after = word.partition(WAS)
            rest = (after, *words[number + 1 :])
            last = rest[-1]
            inside = (*rest[:-1], last.removesuffix(")")) if isinstance(last, str) else rest
            return tuple(one for one in (*words[:number], before) if one != ""), tuple(one for one in inside if one != "")
    return words, ()
