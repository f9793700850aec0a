"""Third pass: every declaration becomes an `Entry`, every page its chapters.

Procedures come first, since hooks and callers want to know their roles and values; then everything else; prose last, since it prints numbers of rules.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace
from functools import partial
from typing import cast

from te_forge.check.columns import holds_help, unknown_columns
from te_forge.check.declare import (
    DIE,
    Declarer,
    field_meant,
    holds_type,
    label_of,
    names_in,
    rules_of,
    steps_of,
    tables_of,
)  # fmt: skip
from te_forge.check.fields import ANY, ENGINE_FIELDS, OTHER_LABELS, SHAPES
from te_forge.check.names import ENGINE_KINDS, NATURES, Decl, Names, fold, slug
from te_forge.check.numbers import Scope
from te_forge.check.places import Places
from te_forge.check.sentences import Branches, Sentences
from te_forge.check.tables import check_ranges, span_of
from te_forge.diagnostics import Findings, Fix, Label
from te_forge.model import rules as m
from te_forge.model.rules import NUMBER, UNKNOWN, Type
from te_forge.model.system import Cell as CellModel
from te_forge.model.system import Entry, Field, Line, Patch, Place, Reach, Ref, RollTable, Row, Slot, Step, Words
from te_forge.source import Span
from te_forge.suggest import a, listed
from te_forge.syntax.page import read_text, reads
from te_forge.syntax.tree import Cell, Heading, Node, Prose, Rule, Table, Token
from te_forge.syntax.tree import Step as StepTree

RUN_ON = re.compile(r"([^\W\d_][^:]*):\s+(\S+)|([^\W\da-z_]\w*)\s+([^\W\da-z_]\w*)(?: [a-z][\w'’-]*){3}")
"""A step whose name goes on into its prose: `Roll: As many ..`, `Roll As many dice as ..`."""
FIELD_LIKE = re.compile(r"(?:[*+•–—] )?([^\W\da-z_][\w'-]*(?: [^\W\da-z_][\w'-]*)*): \S")
TEXT_COLUMNS = ("text", "row", "word")


class Lowerer(Sentences):
    """Makes the entries of one pack."""

    def __init__(self, declared: Declarer, names: Names, findings: Findings) -> None:
        super().__init__(names, findings)
        self.declared = declared
        self.lost_columns: dict[str, set[str]] = {}
        """For each kind the columns of its tables that are no field of it, as has been said."""
        self.places = Places(declared.decls.values(), names, findings)
        self.entries: dict[str, Entry] = {}
        self.mentions: dict[str, set[str]] = {}
        self.current = ""
        self.lines: list[Line] = []
        self.path = ""
        self.own_slots: dict[int, dict[str, Slot]] = {}
        """What each heading declares in a `label` or `value` table, by the heading's identity."""
        self.target: Entry | None = None
        """What the patch at hand changes."""
        self.below: Reach | None = None
        """What was in reach in the block read last."""
        self.defaults: list[tuple[dict[str, Slot], str, Cell, Type | None]] = []
        self.used: set[str] = set()
        """What the last line that was read mentions."""
        self.understood: dict[tuple[str, Type | None] | None, tuple[Line, set[str]]] = {}

    # ------------------------------------------------------------ all entries

    def run(self) -> dict[str, Entry]:
        decls = list(self.declared.decls.values())
        for decl in decls:
            self.slots(decl)
        for decl in decls:
            self.added_slots(decl)
        for table in self.declared.bulks:
            self.lost_columns.setdefault(table.head[0].text, set()).update(unknown_columns(table, self.names, self.findings))
        for decl in decls:
            if self.names.nature(decl.id) == "number":
                self.carriers(decl)
        for decl in decls:
            if decl.kind == "procedure":
                self.show_procedure(decl)
        for slots, name, cell, owner in self.defaults:
            self.default(slots, name, cell, owner)
        procedures = [decl for decl in decls if decl.kind == "procedure"]
        for decl in self.callees_first(procedures):
            self.entries[decl.id] = self.entry(decl)
        for decl in sorted(decls, key=lambda decl: bool(decl.patches)):  # what is patched comes before its patches
            if decl.kind != "procedure":
                self.entries[decl.id] = self.entry(decl)
        return {decl.id: self.entries[decl.id] for decl in decls}

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
        return list(out.values())

    # ------------------------------------------------------------ what an entry declares

    def slots(self, decl: Decl) -> None:
        """The `label` table of a kind and the `value` table of a procedure: its own, and what hacks add to those of others."""
        if decl.heading is None:
            return
        own = self.slots_of(decl.heading, decl.kind, decl.name)
        self.own_slots[id(decl.heading)] = own
        if decl.kind == "kind":
            self.names.slots.setdefault(decl.name, {}).update(own)
        elif decl.kind == "procedure":
            self.names.procedures[decl.id].values.update(own)

    def added_slots(self, decl: Decl) -> None:
        """What a hack declares further for kinds and procedures, once all of them have declared their own."""
        for patch in decl.patches:
            added = self.own_slots[id(patch)] = self.slots_of(patch, patch.kind, patch.name)
            found = self.names.find(patch.name, ("procedure",)) if patch.kind == "procedure" else []
            known = self.names.slots.get(patch.name, {}) if patch.kind == "kind" else self.names.procedures[found[0]].values if found else {}
            for name, slot in added.items():
                near = self.names.nearest(name, known) if name not in known else None
                if near is not None:
                    self.findings.add(
                        "near-names", f"`{name}` here, `{near}` in {patch.name}: this line adds a second one", slot.span, severity="warning",
                        help=f"write `{near}` to change that one, or choose a name that nobody mistakes for it",
                    )  # fmt: skip
                known.setdefault(name, slot)

    def slots_of(self, heading: Heading, kind: str, name: str) -> dict[str, Slot]:
        out: dict[str, Slot] = {}
        for table in tables_of(heading):
            match table.head[0].text:
                case "label" if kind == "kind":
                    self.read_slots(table, out, name)
                case "value" if kind == "procedure":
                    self.read_slots(table, out)
                case "label" | "value":
                    self.findings.add(
                        "table-in-wrong-place", f"a `{table.head[0].text}` table declares the "
                        + ("fields of a kind" if table.head[0].text == "label" else "values of a procedure"),
                        table.span, help="put it below `## kind:`" if table.head[0].text == "label" else "put it below `## procedure:`",
                    )  # fmt: skip
        return out

    def read_slots(self, table: Table, out: dict[str, Slot], kind: str = "") -> None:
        columns = [cell.text for cell in table.head]
        owner = Type("entry", kind) if kind else None
        for column in table.head:
            if column.text not in ("label", "value", "holds", "default", "text"):
                self.findings.add("unknown-column", f"this table has no column `{column.text}`", column.span, help="its columns are label (or value), holds, default, text")
        for row in table.rows:
            cells = dict(zip(columns, row, strict=False))
            name = fold(row[0].text)
            holds_cell = cells.get("holds")
            type = UNKNOWN
            if holds_cell is not None:
                tree = read_text(holds_cell.text, "cell", holds_cell.span, Findings())
                node = tree.nodes()[0].nodes()[0] if tree is not None and tree.node("values") else None
                if node is None or node.data not in ("holds", "one_of", "holds_dice"):
                    self.findings.add("wrong-type", "this cell says what the field holds", holds_cell.span, help=holds_help(holds_cell.text, self.names))
                else:
                    type, _ = holds_type(node, self.names, self.findings, holds_cell.span)
            text = cells["text"].text if "text" in cells else ""
            usual = cells["default"].text if "default" in cells and cells["default"].text != "-" else ""
            out[name] = Slot(name, type, (holds_cell.text if holds_cell else "",), None, "" if text == "-" else text, row[0].span, usual)
            if usual:
                self.defaults.append((out, name, cells["default"], owner))

    def default(self, slots: dict[str, Slot], name: str, cell: Cell, owner: Type | None) -> None:
        """The default of a declared field or value; a formula in it is read as the owner's."""
        self.scope, self.span, self.links = Scope(owner), cell.span, {}
        tree = read_text(cell.text, "cell", cell.span, self.findings)
        values = tree.node("values") if tree is not None else None
        if values is None:
            if tree is not None:
                self.findings.add("sentence-for-value", "a default is a value, not a sentence", cell.span, help="write a number, a name or a formula")
            return
        wanted = slots[name].holds
        before = len(self.findings)
        value = tuple(self.value(node, wanted) for node in values.nodes())
        if len(self.findings) == before:  # a default that does not read is no default, rather than a 0
            slots[name] = replace(slots[name], default=value)

    def carriers(self, decl: Decl) -> None:
        """Who has this number: its own `Of:`, else what its kind says."""
        of: list[str] = []
        if decl.heading is not None:
            for rule in rules_of(decl.heading):
                if label_of(rule) == "Of" and rule.tree is not None:
                    for token in rule.tree.tokens():
                        if token.type == "WORD":
                            info = self.names.kind(str(token))
                            of.append(info.name if info else str(token))
        self.names.numbers_of[decl.id] = tuple(of) or self.names.kinds[decl.kind].of

    def show_procedure(self, decl: Decl) -> None:
        made = self.names.procedures[decl.id]
        for rule in rules_of(cast(Heading, decl.heading)):
            if rule.tree is None:
                if rule.text.startswith("Roles"):
                    made.roles.update(dict.fromkeys(re.findall(r"as the ([\w-]+)", rule.text), UNKNOWN))
                continue
            label = field_meant(rule)
            made.counts = made.counts or label == "Counts"
            if label in ("Part Of", "Counts As"):
                made.above += [id for name in names_in(rule) for id in self.names.find(name, ("procedure",))[:1]]
            elif label == "Roles":
                self.span = rule.span
                for node in rule.tree.node("values").nodes() if rule.tree.node("values") else []:  # type: ignore[union-attr]
                    if node.data in ("holds", "one_of"):
                        type, word = holds_type(node, self.names, self.findings, rule.span)
                        made.roles[word or str((node.all("WORD") or ["it"])[-1])] = type

    # ------------------------------------------------------------ one entry

    def entry(self, decl: Decl) -> Entry:
        self.current = decl.id
        self.mentions.setdefault(decl.id, set())
        new = partial(
            Entry, decl.id, decl.kind, decl.name, decl.span, decl.cites, tuple(decl.aliases), decl.owner.id if decl.owner else None, tuple(decl.parts)
        )
        if decl.heading is None:
            fields = self.row_fields(decl)
            self.missing_fields(decl, fields)
            return new(fields=fields)
        scope = self.entry_scope(decl)
        fields, lines, steps = self.body_of(decl, decl.heading, scope)
        made = self.names.procedures.get(decl.id) if decl.kind == "procedure" else None
        slots = self.own_slots.get(id(decl.heading), {})
        patches = tuple(self.patch(patch, decl) for patch in decl.patches)
        self.undashed(decl, fields)
        self.missing_fields(decl, fields)
        return new(
            fields=fields, lines=lines, steps=steps, table=self.roll_table(decl, decl.heading, scope), slots=slots, patches=patches,
            locals={**made.roles, **made.locals} if made else {}, sure=(made.sure or {}).get(decl.id, frozenset()) if made else frozenset(),
        )  # fmt: skip

    def undashed(self, decl: Decl, fields: dict[str, Field]) -> None:
        """`Starts: 3` without a dash is prose: printed, and never used."""
        info = self.names.kinds.get(decl.kind)
        nature = info.nature if info is not None else ""
        for part in cast(Heading, decl.heading).body:
            for text, span in part.lines if isinstance(part, Prose) else ():
                found = FIELD_LIKE.match(text)
                label = found[1] if found else ""
                engine = ENGINE_FIELDS.get(label)
                has = label in self.names.slots.get(decl.kind, ()) or (engine is not None and (decl.kind in engine.on or nature in engine.on))
                if found and has and slug(label) not in fields and reads(text[found.start(1) :].rstrip(" .")):
                    said = f"this reads as the field `{label}` but does not begin with a dash, so it would only be printed"
                    self.findings.add("missing-dash", said, span, help=f"write `- {text[found.start(1):].strip()}`", fix=Fix(Span(span.file, span.line, 1, found.start(1) + 1), "- "))
                    self.declared.unread.add(decl.id)

    def missing_fields(self, decl: Decl, fields: dict[str, Field]) -> None:
        """A label without a default must be stated by each thing of the kind."""
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

    def owner_type(self, decl: Decl) -> Type | None:
        info = self.names.kinds.get(decl.kind)
        if info is None and decl.kind not in ENGINE_KINDS:
            return UNKNOWN
        if info is None:
            return self.owner_type(decl.owner) if decl.owner is not None else None
        if info.nature == "trait":
            return Type("actor", info.of[0] if info.of and info.of[0] != "actor" else "")
        if info.nature == "number":
            of = self.names.numbers_of.get(decl.id, ())
            if not of:
                return Type("actor")
            carrier = self.names.kinds.get(of[0])
            return Type("actor" if carrier is None or carrier.nature == "actor" else "entry", "" if of[0] == "actor" else of[0])
        return Type("actor" if info.nature == "actor" else "entry", info.name)

    def entry_scope(self, decl: Decl) -> Scope:
        scope = Scope(self.owner_type(decl))
        if decl.kind == "procedure":
            made = self.names.procedures[decl.id]
            scope.procedures = [made]
            for word, type in made.roles.items():
                scope.bring(word, type)
        if decl.kind == "example":
            scope.example = True
            scope.procedures = list(self.names.procedures.values())
        return scope

    def body_of(self, decl: Decl, heading: Heading, scope: Scope) -> tuple[dict[str, Field], tuple[Line, ...], tuple[Step, ...]]:
        self.scope = scope
        self.places_nothing([*rules_of(heading), *(rule for step in steps_of(heading) for rule in step.rules)])
        fields: dict[str, Field] = {}
        standing: list[Rule] = []
        for rule in rules_of(heading):
            if self.is_field(rule):
                if field := self.field(rule, decl):
                    self.once(fields, field)
                    if decl.kind == "example":
                        self.bring_in(field)
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
        for label, field in self.table_fields(heading, decl).items():
            fields.setdefault(label, field)
        return fields, lines, steps

    def places_nothing(self, rules: list[Rule]) -> None:
        """`New after Old:` places a line in a patch. Elsewhere it is a label that lost its colon."""
        for rule in flat(rules):
            label = rule.tree.node("label") if rule.tree is not None else None
            if label is not None and (word := label.token("AFTER", "BEFORE")) is not None:
                first, other = label.all("NAME")
                help = f"write `{first}: {word} {other}: ..`; only a hack places a line before or after another"
                self.findings.add("label-without-colon", "a label is followed by a colon", rule.span, help=help)

    def once(self, fields: dict[str, Field], field: Field) -> None:
        key = slug(field.label)
        if key in fields:
            self.findings.add("duplicate-label", f"there is already a line called `{field.label}` here", field.span, help="choose another label", labels=[Label(fields[key].span, "the first one is here")])
            return
        fields[key] = field

    @staticmethod
    def is_field(rule: Rule) -> bool:
        return rule.tree is not None and rule.tree.node("values") is not None

    # ------------------------------------------------------------ lines

    def standing(self, rules: list[Rule], decl: Decl) -> tuple[Line, ...]:
        lines: list[Line] = []
        for rule in rules:
            if rule.tree is not None and rule.tree.node("label") is None and decl.kind != "example":
                self.findings.add("rule-without-label", "a standing rule needs a label, so that a hack can name it", rule.span, help=f"write `- Label: {rule.text}`")
            lines += self.collect([rule]) if decl.kind == "procedure" else self.alone(rule)
        self.unique(lines)
        return tuple(lines)

    def alone(self, rule: Rule) -> list[Line]:
        """A standing rule of anything but a procedure: what it says depends on nothing but its words and its owner, so equal ones are understood once."""
        scope = self.scope
        key = (rule.text, scope.owner) if not (rule.rules or scope.locals or scope.example) else None
        if key in self.understood:
            line, used = self.understood[key]
            self.mentions[self.current].update(used)
            return [replace(line, span=rule.span)]
        before = len(self.findings)
        self.scope = scope.copy()
        lines = self.collect([rule])
        self.scope = scope
        if key is not None and len(self.findings) == before:
            self.understood[key] = lines[0], self.used
        return lines

    def unique(self, lines: list[Line]) -> None:
        seen: dict[str, Line] = {}
        for line in lines:
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
        self.body(rules)
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
        if rule.tree is None and rule.rules:
            self.body(rule.rules)
        self.unique(list(below))
        self.span = rule.span
        kept_lines.append(Line(self.path, label, self.words(rule), rule.span, below, meaning, self.below, self.placed(rule)))
        self.lines = kept_lines
        self.used = set(self.links.values())
        self.mentions[self.current].update(self.used)
        self.links, self.path, self.below = kept_links, kept_path, kept_reach
        return meaning

    def body(self, rules: list[Rule]) -> m.Body:
        meaning = super().body(rules)
        if rules:
            self.below = self.reached()
        return meaning

    def reached(self) -> Reach:
        scope = self.scope
        words = {word: type for word, type in scope.locals.items() if word in scope.sure}
        return Reach(words, tuple(made.id for made in scope.procedures), scope.hooked)

    @staticmethod
    def placed(rule: Rule) -> Place | None:
        node = rule.tree.node("label") if rule.tree is not None else None
        names = [fold(str(token)) for token in node.all("NAME")] if node is not None else []
        return Place(node.has("AFTER"), names[1]) if node is not None and len(names) > 1 else None

    def value_as_option(self, rule: Rule) -> m.Body:
        """`- Fight: nothing`: an option without an effect. Any other bare value is a slip."""
        values = cast(Node, cast(Node, rule.tree).node("values"))
        if [child.data for child in values.nodes()] != ["nothing"]:
            self.findings.add("value-for-sentence", "this line is a value, but a sentence is needed here", rule.span, help="say what happens: `the owner gains 1 Luck`")
        return ()

    def is_hooked_value(self, word: str) -> bool:
        return any(word in one.values for procedure in self.scope.procedures[:1] for one in self.lineage(procedure))

    def words(self, rule: Rule) -> Words:
        """The sentence as it is read aloud, with its names as references; the label stands apart."""
        start = 0
        if rule.tree is not None and (label := rule.tree.node("label")):
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
        cleaned = [part.replace("[[", "").replace("]]", "") if isinstance(part, str) else part for part in out]
        if cleaned and isinstance(cleaned[0], str):
            cleaned[0] = cleaned[0].lstrip()
        return tuple([part for part in cleaned if part])

    def steps(self, steps: list[StepTree], scope: Scope, decl: Decl) -> list[Step]:
        out: list[Step] = []
        seen: dict[str, StepTree] = {}
        for number, step in enumerate(steps, 1):
            if step.number != number:
                self.findings.add("step-number", f"this is step {number}, but its number says {step.number}", step.span, help=f"write `{number}. {step.name}.`")
            if decl.kind == "procedure" and not step.prose and (found := RUN_ON.match(step.name)):
                self.findings.add("step-without-name", "the name of this step does not end", step.span, help=f"put a full stop after the name: `{step.number}. {found[1] or found[3]}. {found[2] or found[4]} ..`")
            id = step.id or slug(step.name)
            if id in seen:
                self.findings.add("duplicate-label", f"there is already a step called `{step.name}` here", step.span, help="choose another name", labels=[Label(seen[id].span, "the first one is here")])
            seen.setdefault(id, step)
            self.scope = scope
            self.path = id
            lines = self.collect(step.rules)
            self.unique(lines)
            out.append(Step(f"{decl.id}#{id}", step.name, (step.prose,), tuple(lines), step.cites, step.span, self.reached()))
        self.path = ""
        return out

    # ------------------------------------------------------------ fields

    def bring_in(self, field: Field) -> None:
        """`- Ann: a Smith with Might 3` in an example brings in somebody called Ann."""
        for atom in field.value:
            if isinstance(atom, m.Sheet) and atom.kind:
                info = self.names.kinds.get(self.names.kind_of[atom.kind])
                made_of = self.names.kinds.get(self.names.title[atom.kind]) if self.names.kind_of[atom.kind] == "kind" else None
                carrier = made_of.name if made_of else next(iter(info.of), "") if info and info.nature == "trait" else info.name if info else ""
                self.scope.people[field.label] = Type("actor", "" if carrier == "actor" else carrier)
            elif isinstance(atom, m.Holds) and atom.type.name == "actor":
                self.scope.people[field.label] = atom.type

    def field(self, rule: Rule, decl: Decl, kind: str = "") -> Field | None:
        label = self.label(rule)
        tree = cast(Node, rule.tree)
        self.span, self.links = rule.span, {}
        if not label:
            self.findings.add("rule-without-label", "a value needs a label", rule.span, help=f"write `- Label: {rule.text}`")
            return None
        values = cast(Node, tree.node("values"))
        wanted = self.field_type(label, rule.span, decl, kind)
        value = tuple(self.value(node, wanted, label) for node in values.nodes())
        if wanted == UNKNOWN and kind not in ("changes", "deletes", "renames"):
            self.shaped(label, values, value)
        if label == "Outcomes":
            value = tuple(m.Text(fold(str(token))) for token in values.tokens() if token.type == "NAME")
        self.mentions[self.current].update(self.links.values())
        return Field(f"{decl.id}#{slug(label)}", label, self.words(rule), value, rule.span)

    def shaped(self, label: str, values: Node, value: m.Value) -> None:
        """A field that the language knows holds what it must."""
        engine = ENGINE_FIELDS.get(label)
        if engine is None or not engine.shape:
            return
        atoms, words = SHAPES[engine.shape]
        for node, atom in zip(values.nodes(), value, strict=True):
            if not isinstance(atom, (*atoms, m.Nothing, m.Change)):
                self.complain("wrong-type", f"`{label}` does not take this", node, f"it takes {words}")

    def field_type(self, label: str, span: Span, decl: Decl, kind: str = "") -> Type:
        """What the field holds; complains when there is no such field here."""
        kind = kind or decl.kind
        slots = self.names.slots.get(kind, {})
        if label in slots:
            return slots[label].holds
        info = self.names.kinds.get(kind)
        if kind == "example" or (info is None and kind not in (*ENGINE_KINDS, "deletes", "renames")):
            return UNKNOWN  # a kind that is not there has been complained about
        nature = info.nature if info else ""
        engine = ENGINE_FIELDS.get(label)
        if engine is not None and (ANY in engine.on or kind in engine.on or nature in engine.on):
            return NUMBER if label in ("At Least", "At Most", "Copies") else UNKNOWN
        numbers = [id for id in self.names.find(label) if self.names.nature(id) == "number"]
        if numbers and nature == "actor":
            return NUMBER
        if kind == "deck" or (kind == "kind" and engine):
            return UNKNOWN
        if info is None and kind not in (*ENGINE_KINDS, "deletes", "renames"):
            return UNKNOWN  # that there is no such kind has been said at its heading
        known = [*slots, *(f.label for f in ENGINE_FIELDS.values() if ANY in f.on or kind in f.on or nature in f.on)]
        if nature == "actor":
            known += [self.names.title[id] for id in self.names.kind_of if self.names.nature(id) == "number"]
        self.findings.add("unknown-field", f"{a(kind)} has no field called `{label}`", span, help=self.field_help(label, kind, known, decl))
        return UNKNOWN

    def field_help(self, label: str, kind: str, known: list[str], decl: Decl) -> str:
        near = OTHER_LABELS.get(label.lower())
        near = near if near in known else self.names.nearest(label, known) or next((one for one in known if label.lower() in one.lower().split()), None)
        if near:
            return f"did you mean `{near}`?"
        if kind == "kind" and label in self.names.slots.get(decl.name, {}):
            return f"it is a field of each {decl.name}; its default is changed in a table that begins with `| label | holds | default | text |`"
        if label == "Text":
            return "the text is written below the heading, as it is, without a label"
        if kind in ENGINE_KINDS:
            return "its fields are " + ", ".join(sorted(known)) if known else "write a sentence behind the colon"
        return f"declare it in the `label` table of `## kind: {kind}`, or write a sentence behind the colon"

    def value(self, node: Node, wanted: Type, label: str = "") -> m.Atom:
        match node.data:
            case "number":
                if label == "Outcomes":
                    return m.Nothing()
                return self.plain_value(node.nodes()[0], wanted, label)
            case "signed":
                if (wanted == NUMBER or label == "Starts") and str(node.children[0]).startswith("+"):
                    amount = str(node.children[0])[1:]
                    self.complain("wrong-type", f"`+{amount}` is a change, but here a number is needed", node, f"write the number itself; in a hack, `{amount} more`")
                return m.Int(int(str(node.children[0]).replace("−", "-").replace("–", "-")))
            case "text":
                return m.Text(str(node.children[0])[1:-1])
            case "nothing":
                return m.Nothing()
            case "bonus":
                id = self.thing(cast(Token, node.children[0]), "number") or ""
                if wanted == NUMBER:
                    self.complain("wrong-type", "this changes a number, but here a number is needed", node, "write the number alone, or a formula such as `the owner's .. + 1`")
                return m.Bonus(id, int(str(node.children[1]).replace("−", "-").replace("–", "-")))
            case "price":
                return m.Price(int(str(node.children[0])), self.thing(cast(Token, node.children[1]), "number") or "")
            case "limit_value":
                return self.limit(node.nodes()[0])
            case "each_value":
                return m.Each(self.thing(cast(Token, node.token("NAME")), "procedure") or "")
            case "span":
                return m.Range(self.number(node.nodes()[0]), self.number(node.nodes()[1]))
            case "dice_value":
                return self.dice(node, cast(Token, node.token("DIE")))
            case "edit":
                expr, _ = self.ref(node.nodes()[0])
                return m.Edit(node.has("WITH"), expr.id if isinstance(expr, m.Thing) else "")
            case "adjust":
                return m.Change("more" if node.has("MORE") else "less", int(str(node.token("INT"))))
            case "multiply":
                return m.Change("times", int(str(node.token("INT"))))
            case "clamp":
                return m.Change("at least" if node.has("LEAST") else "at most", int(str(node.token("INT"))))
            case "holds" if label == "Is":
                return m.Holds(self.nature(node))
            case "one_of" | "holds" | "holds_dice":
                type, word = holds_type(node, self.names, self.findings, self.span)
                return m.Holds(type, word)
            case "sheet":
                return self.sheet(node)
            case _:
                raise AssertionError(f"no such value: {node.data}")

    def nature(self, node: Node) -> Type:
        """What `Is:` says. The declarer has said so when its first word is none of the four natures; here all kinds are known that it may speak of."""
        first, *of = [str(token) for token in node.all("WORD", "NUMBER")]
        for word in of:
            if word not in self.names.kinds and word not in ("actor", "entry"):
                near = self.names.nearest(word, self.names.kinds)
                self.findings.add("unknown-kind", f"there is no kind called `{word}`", self.span, help=f"did you mean `{near}`?" if near else "declare it with `## kind:`, or use one that is")
        return holds_type(node, self.names, self.findings, self.span)[0] if first in NATURES else UNKNOWN

    def plain_value(self, node: Node, wanted: Type, label: str) -> m.Atom:
        takes = ENGINE_FIELDS[label].takes if label in ENGINE_FIELDS else ()
        if label in ("Counts", "Settles") and node.data == "ref":
            return self.own_step(node.token("NAME") or next(node.tokens()))
        if takes and node.data == "ref" and node.token("NAME") is not None:
            return m.Thing(self.thing(cast(Token, node.token("NAME")), *takes) or "")
        if wanted.name == "group":
            inner = Type("actor" if self.names.kinds.get(wanted.kind) and self.names.kinds[wanted.kind].nature == "actor" else "entry", wanted.kind)
            expr, type = self.expr(node, inner)
            self.fits(type, inner, node)
            return expr
        if label in ("Starts", "At Least", "At Most"):
            return self.number(node)
        expr, type = self.expr(node, wanted if wanted != UNKNOWN else None)
        if wanted.name != "change":
            self.fits(type, wanted, node)
        return expr

    def own_step(self, token: Token) -> m.Atom:
        made = self.scope.procedures[0] if self.scope.procedures else None
        name = fold(str(token))
        if made is None or name not in made.steps:
            near = self.names.nearest(name, made.steps if made else ())
            self.complain("unknown-step", f"no step here is called `{name}`", token, f"did you mean `{near}`?" if near else "name a step of this procedure")
            return m.Nothing()
        return m.Thing(made.steps[name])

    def sheet(self, node: Node) -> m.Atom:
        stats: list[tuple[str, int | None]] = []
        name = node.token("NAME")
        if name is not None:
            base = self.thing(name) or ""
            kind = self.names.kind_of.get(base, "")
        else:
            kind = self.kind(cast(Token, node.token("WORD")))
            base = self.names.kinds[kind].id if kind in self.names.kinds else ""
        info = self.names.kinds.get(kind)
        carrier = next(iter(info.of), "actor") if info and info.nature == "trait" else kind
        for stat in node.nodes():
            id = self.thing(cast(Token, stat.token("NAME")))
            number = stat.token("INT")
            if id:
                self.carried(id, carrier, stat)
                stats.append((id, int(str(number)) if number is not None else None))
        return m.Sheet(base, tuple(stats))

    # ------------------------------------------------------------ tables

    def row_fields(self, decl: Decl) -> dict[str, Field]:
        """The fields of an entry that is a row of a bulk table."""
        self.scope = Scope(self.owner_type(decl))
        out: dict[str, Field] = {}
        for column, cell in list(decl.row.items())[1:]:
            if column == "text" or column in self.lost_columns.get(decl.kind, ()):
                continue
            if cell.text in ("", "-"):
                continue
            if field := self.cell_field(column, cell, decl):
                out[slug(column)] = field
        return out

    def cell_field(self, column: str, cell: Cell, decl: Decl) -> Field | None:
        wanted = self.field_type(column, decl.columns.get(column, cell.span), decl)
        tree = read_text(cell.text, "cell", cell.span, self.findings)
        if tree is None:
            return None
        self.span, self.links = cell.span, {}
        values = tree.node("values")
        if values is None:
            self.findings.add("sentence-for-value", "this cell takes a value, not a sentence", cell.span, help="put the rule below a `##` heading of its own")
            return None
        value = tuple(self.value(node, wanted, column) for node in values.nodes())
        if wanted == UNKNOWN:
            self.shaped(column, values, value)
        self.mentions[self.current].update(self.links.values())
        return Field(f"{decl.id}#{slug(column)}", column, self.linked(cell.text), value, cell.span)

    def table_fields(self, heading: Heading, decl: Decl) -> dict[str, Field]:
        return {}

    def roll_table(self, decl: Decl, heading: Heading, scope: Scope) -> RollTable | None:
        made = [self.one_roll_table(table, scope, decl) for table in tables_of(heading) if table.head[0].text == "at" or DIE.fullmatch(table.head[0].text)]
        if len(made) > 1:
            self.findings.add("second-table", "an entry has one table that is rolled or tracked", made[1].span, help="give the second one a heading of its own: `## table: A Name`")
        if not made and decl.kind == "table":
            self.findings.add("table-without-rows", f"the table {decl.name} has no rows", decl.span, help="begin it with a die: `| d6 | text | effect |`")
        return made[0] if made else None

    def one_roll_table(self, table: Table, scope: Scope, decl: Decl, whole: bool = True) -> RollTable:
        die = table.head[0].text
        columns = tuple(cell.text for cell in table.head)
        rows: list[Row] = []
        for row in table.rows:
            cells = dict(zip(columns, row, strict=False))
            low, high = span_of(row[0], die, self.findings)
            name = cells["row"].text if "row" in cells else cells["text"].text if "text" in cells else f"Row {row[0].text}"
            made = {column: self.table_cell(cells[column], column, scope, decl) for column in columns[1:] if column != "row"}
            rows.append(Row(slug(name) or f"row-{low}", fold(name) if "row" in cells else "", low, high, made, row[0].span))
        if whole:
            check_ranges(die, rows, table.span, self.findings)
        return RollTable(die, columns, tuple(rows), table.span)

    def table_cell(self, cell: Cell, column: str, scope: Scope, decl: Decl) -> CellModel:
        if cell.text in ("", "-"):
            return CellModel(())
        if column in TEXT_COLUMNS or column[:1].isupper():
            return CellModel((cell.text,))
        tree = read_text(cell.text, "cell", cell.span, self.findings)
        if tree is None:
            return CellModel((cell.text,))
        kept, self.scope = self.scope, scope.copy()
        self.span, self.links, self.line_text = cell.span, {}, cell.text
        says = tree.node("says")
        meaning = self.says(says, []) if says is not None else ()
        if says is None and column == "effect":
            self.findings.add("value-for-sentence", "this cell is a value, but a sentence is needed here", cell.span, help="say what happens: `the gm gains 1 Luck`")
        self.scope = kept
        self.mentions[self.current].update(self.links.values())
        return CellModel(self.linked(cell.text), meaning)

    # ------------------------------------------------------------ patches

    def patch(self, heading: Heading, hack: Decl) -> Patch:
        target = self.patch_target(heading)
        scope = Scope()
        decl = self.declared.decls.get(target) if target else None
        made = self.names.procedures.get(target)
        if decl is not None:
            scope.owner = self.owner_type(decl)
        elif target and (info := self.names.kinds.get(heading.kind)) is not None:
            scope.owner = Type("actor", info.of[0] if info.of else "") if info.nature == "trait" else Type("entry", info.name)
        if made is not None:
            scope.procedures = [made]
            for word, type in {**made.roles, **made.locals}.items():
                scope.bring(word, type)
        self.scope = scope
        if target and heading.verb == "changes":
            self.places.check(heading, target)
        self.patching, self.target = True, self.entries.get(target) or self.names.entries.get(target)
        lines = tuple(line for rule in rules_of(heading) for line in self.patch_line(rule, heading, hack, target, scope))
        steps = [line for step in steps_of(heading) for line in self.collect(step.rules)]
        self.patching = False
        for table in tables_of(heading):
            if target and table.head[0].text == "row":
                self.known_rows(table, target)
        tables = tuple(
            self.one_roll_table(table, scope, hack, False) for table in tables_of(heading) if table.head[0].text in ("row", "at") or DIE.fullmatch(table.head[0].text)
        )
        return Patch(heading.verb, target, (*lines, *steps), tables, (), heading.name_span, self.own_slots.get(id(heading), {}))

    def known_rows(self, table: Table, target: str) -> None:
        """Complain about each row of a patch that its target does not have."""
        decl, entry = self.declared.decls.get(target), self.names.entries.get(target)
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
        kinds = (heading.kind,)
        if heading.kind not in ENGINE_KINDS and heading.kind not in self.names.kinds:
            self.declared.known_kind(heading.kind, heading.kind_span)
            return ""
        if heading.kind == "kind":
            info = self.names.kinds.get(heading.name)
            if info is not None:
                return info.id
        found = [id for id in self.names.find(heading.name, kinds) if self.names.kind_of[id] == heading.kind]
        if not found:
            near = self.names.suggest(heading.name, kinds)
            other = self.names.find(heading.name)
            help = f"did you mean `{near}`?" if near else f"there is {a(self.names.kind_of[other[0]])} of that name" if other else "a hack changes what this pack, or one that it requires, defines"
            self.findings.add("unknown-target", f"there is no {heading.kind} called `{heading.name}`", heading.name_span, help=help)
            return ""
        self.mentions[self.current].add(found[0])
        return found[0]

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
        placed = rule.tree.node("label")
        is_new = placed is not None and placed.has("AFTER", "BEFORE")
        if self.is_field(rule) and label != "":
            target_decl = self.declared.decls.get(target)
            kind = heading.verb if heading.verb != "changes" else heading.kind
            if self.only_nothing(rule) and not is_new:
                field: Field | None = Field(f"{target}#{slug(label)}", label, ("nothing",), (m.Nothing(),), rule.span)
            else:
                kept, self.scope = self.scope, scope.copy()
                field = self.field(rule, target_decl or hack, kind)
                self.scope = kept
            return [Line(slug(label), label, field.words, rule.span, place=self.placed(rule), value=field.value)] if field else []
        self.scope = scope.copy()
        self.path = ""
        return self.collect([rule])

    def patched_body(self, rules: list[Rule]) -> m.Body:
        """Lines that go below a step or line of the target: they may speak of whatever its own lines there may."""
        reach = reach_at(self.target, self.path) if self.target is not None else None
        if reach is None:
            return self.body(rules)
        kept, self.scope = self.scope, self.scope.copy()
        for word, type in reach.words.items():
            self.scope.bring(word, type)
        self.scope.hooked = reach.hooked
        if reach.hooked:
            self.scope.foreign.update(reach.words)
        self.scope.procedures = [made for id in reach.procedures if (made := self.names.procedures.get(id))] or self.scope.procedures
        meaning = self.body(rules)
        self.scope = kept
        return meaning

    @staticmethod
    def only_nothing(rule: Rule) -> bool:
        values = cast(Node, rule.tree).node("values")
        return values is not None and [child.data for child in values.nodes()] == ["nothing"]


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


def sure_after(steps: Iterable[Step]) -> dict[str, frozenset[str]]:
    """For each step the words that surely have a value once it is done."""
    return {step.id: frozenset(step.reach.words if step.reach else ()) for step in steps}


CALLED = re.compile(r"\bdo ([^\W\da-z_][\w'’-]*(?: [^\W\da-z_][\w'’-]*)*)")
NAME_AT = re.compile(r"\[\[[^\]\n]+\]\]|[^\W\d_][\w]*(?:[-'’](?!s\b)[\w]+)*(?: [^\W\d_a-z][\w]*(?:[-'’](?!s\b)[\w]+)*)*")


def flat(rules: list[Rule]) -> list[Rule]:
    return [one for rule in rules for one in (rule, *flat(rule.rules))]


