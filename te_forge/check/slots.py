"""Third pass, first half: what kinds and procedures show to others, namely their fields and values with defaults, who has a number, and roles."""

from __future__ import annotations

import re
from typing import cast

from te_forge.check.bases import copies
from te_forge.check.below import field_meant, label_of, names_in, rules_of, tables_of
from te_forge.check.columns import holds_help, unknown_columns
from te_forge.check.declare import NAMELESS, Declarer
from te_forge.check.declared import VAGUE, not_taken
from te_forge.check.holds import holds_type
from te_forge.check.names import Decl, Names
from te_forge.check.scope import Scope
from te_forge.check.values import Values
from te_forge.diagnostics import Findings, has_errors
from te_forge.frozen import replace
from te_forge.keys import fold
from te_forge.model.rules import UNKNOWN, Type
from te_forge.model.system import Slot
from te_forge.syntax.text import read_text
from te_forge.syntax.tree import Cell, Heading, Table


def says(decl: Decl, label: str) -> bool:
    return decl.heading is not None and any(label_of(rule) == label for rule in rules_of(decl.heading))


def moved(id: str, old: str, new: str) -> str:
    """The id of a place of one thing, as that of another has it."""
    return new + id.removeprefix(old)


class Slots(Values):
    """Reads the `label` and `value` tables of one pack, and the lines that say who has and who does."""

    def __init__(self, declared: Declarer, names: Names, findings: Findings) -> None:
        super().__init__(names, findings)
        self.declared = declared
        self.own: dict[int, dict[str, Slot]] = {}
        """What each heading declares in a `label` or `value` table, by the heading's identity."""
        self.lost_columns: dict[str, set[str]] = {}
        """For each kind the columns of its tables that are no field of it, as has been said."""
        self.defaults: list[tuple[dict[str, Slot], str, Cell, Type | None]] = []

    def run(self) -> None:
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
        for decl in copies(self.declared.decls):
            self.copy(decl)
        for slots, name, cell, owner in self.defaults:
            self.default(slots, name, cell, owner)

    def slots(self, decl: Decl) -> None:
        """The `label` table of a kind and the `value` table of a procedure: its own, and what hacks add to those of others."""
        if decl.heading is None:
            return
        own = self.slots_of(decl.heading, decl.kind, decl.name)
        self.own[id(decl.heading)] = own
        if decl.kind == "kind":
            self.names.slots.setdefault(decl.name, {}).update(own)
        elif decl.kind == "procedure":
            self.names.procedures[decl.id].values.update(own)

    def added_slots(self, decl: Decl) -> None:
        """What a hack declares further for kinds and procedures, once all of them have declared their own."""
        for patch in decl.patches:
            added = self.own[id(patch)] = self.slots_of(patch, patch.kind, patch.name)
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
                self.findings.add(
                    "unknown-column",
                    f"this table has no column `{column.text}`",
                    column.span,
                    help="its columns are label (or value), holds, default, text",
                )
        for row in table.rows:
            cells = dict(zip(columns, row, strict=False))
            name = fold(row[0].text)
            if NAMELESS.fullmatch(name):
                self.findings.add(
                    "row-without-name", "the first cell of this row names nothing", row[0].span, help=f"write the name of the {table.head[0].text}"
                )
                continue
            holds_cell = cells.get("holds")
            type = UNKNOWN
            if holds_cell is not None:
                tree = read_text(holds_cell.text, "cell", holds_cell.span, Findings())
                node = tree.nodes()[0].nodes()[0] if tree is not None and tree.node("values") else None
                if node is None or node.data not in ("holds", "one_of", "holds_dice"):
                    self.findings.add(
                        "wrong-type", "this cell says what the field holds", holds_cell.span, help=holds_help(holds_cell.text, self.names)
                    )
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
        found = Findings()
        tree = read_text(cell.text, "cell", cell.span, found)
        for one in found:
            vague = one.code in VAGUE and slots[name].holds != UNKNOWN
            self.findings.keep(not_taken("default", cell.text, slots[name].holds, cell.span, self.names) if vague else one)
        values = tree.node("values") if tree is not None else None
        if values is None:
            if tree is not None:
                self.findings.add("sentence-for-value", "a default is a value, not a sentence", cell.span, help="write a number, a name or a formula")
            return
        wanted = slots[name].holds
        before = len(self.findings)
        value = tuple(self.value(node, wanted) for node in values.nodes())
        if not has_errors(self.findings[before:]):  # a default that does not read is no default, rather than a 0
            slots[name] = replace(slots[name], default=value)

    def carriers(self, decl: Decl) -> None:
        """Who has this number: its own `Of:`, else what its kind says."""
        trees = [rule.tree for rule in rules_of(decl.heading) if label_of(rule) == "Of"] if decl.heading is not None else []
        if "Of" in decl.row:
            trees.append(read_text(decl.row["Of"].text, "cell", decl.row["Of"].span, Findings()))
        words = [str(token) for tree in trees if tree is not None for token in tree.tokens() if token.type == "WORD"]
        of = [info.name if (info := self.names.kind(word)) is not None else word for word in words]
        self.names.numbers_of[decl.id] = tuple(of) or self.names.kinds[decl.kind].of

    def copy(self, decl: Decl) -> None:
        """A copy shows what the thing shows that it is a copy of, and what it says itself."""
        if self.names.nature(decl.id) == "number" and not says(decl, "Of"):
            self.names.numbers_of[decl.id] = self.names.numbers_of.get(decl.base, ())
        base, made = self.names.procedures.get(decl.base), self.names.procedures.get(decl.id)
        if base is None or made is None:
            return
        made.roles = made.roles if says(decl, "Roles") else dict(base.roles)
        made.outcomes = made.outcomes if says(decl, "Outcomes") else {name: moved(id, base.id, made.id) for name, id in base.outcomes.items()}
        made.steps = {name: moved(id, base.id, made.id) for name, id in base.steps.items()}
        made.values = {**base.values, **made.values}
        made.above = made.above or list(base.above)
        made.counts = made.counts or base.counts

    def show_procedure(self, decl: Decl) -> None:
        made = self.names.procedures[decl.id]
        for rule in rules_of(cast(Heading, decl.heading)):
            if rule.tree is None:
                if rule.text.startswith("Roles"):
                    made.roles.update(dict.fromkeys(re.findall(r"[\w-]+", rule.text.partition(":")[2].lower()), UNKNOWN))
                continue
            label = field_meant(rule)
            made.counts = made.counts or label == "Counts"
            if label in ("Part Of", "Counts As"):
                made.above += [id for name in names_in(rule) for id in self.names.find(name, ("procedure",))[:1]]
            elif label == "Roles":
                self.span = rule.span
                values = rule.tree.node("values")
                for node in values.nodes() if values is not None else ():
                    if node.data == "number":  # no kind, as will be said
                        made.roles.update((str(token).lower(), UNKNOWN) for token in node.tokens())
                    if node.data in ("holds", "one_of"):
                        type, word = holds_type(node, self.names, self.findings, rule.span)
                        words = node.all("WORD")
                        made.roles[word or str(words[-1] if words else "it")] = type
