"""Third pass: fields and their values."""

from __future__ import annotations

from typing import cast

from te_forge.check.atoms import CHANGES, Atoms
from te_forge.check.fields import ANY, BASED_ON, ENGINE_FIELDS, OTHER_LABELS, SHAPES
from te_forge.check.names import ENGINE_KINDS, Decl
from te_forge.keys import fold, slug
from te_forge.model import rules as m
from te_forge.model.rules import NUMBER, UNKNOWN, Type
from te_forge.model.system import Field
from te_forge.source import Span
from te_forge.suggest import a, listed
from te_forge.syntax.hint_fields import TAKES, none_of_it
from te_forge.syntax.tree import Node, Rule


class Values(Atoms):
    """Reads `- Label: value` and the cells of tables of things."""

    def field(self, rule: Rule, decl: Decl, kind: str = "") -> Field | None:
        label = self.label(rule)
        tree = cast(Node, rule.tree)
        self.span, self.links = rule.span, {}
        if not label:
            self.findings.add("rule-without-label", "a value needs a label", rule.span, help=f"write `- Label: {rule.text}`")
            return None
        values = tree.part("values")
        if tree.node("was") is not None and not self.patching:
            self.findings.add("patch-outside-hack", "only the change of a hack says what was there before", rule.span, help="leave `(was ..)` out")
        wanted = self.field_type(label, rule.span, decl, kind)
        own = label in self.names.slots.get(kind or decl.kind, {})
        if not own and self.left_out(label, rule.text.partition(":")[2].strip(), values, wanted):
            return Field(f"{decl.id}#{slug(label)}", label, self.words(rule), (m.Nothing(),), rule.span)
        value = self.quoted(label, values, rule.text) or tuple(self.value(node, wanted, label) for node in values.nodes())
        if wanted == UNKNOWN and kind not in ("changes", "deletes", "renames"):
            self.shaped(label, values, value)
        if wanted == NUMBER and len(value) > 1:
            self.findings.add(
                "wrong-type",
                f"`{label}` is one number, and here are {len(value)}",
                rule.span,
                help="write one whole number; a comma begins the next value",
            )
        if label == BASED_ON and len(value) > 1:
            self.findings.add("wrong-type", "a thing is a copy of one other", rule.span, help="name one, and say below what it has of the other")
        if label == "Outcomes":
            self.only_names(label, values)
            value = tuple(m.Text(fold(str(token))) for token in values.tokens() if token.type in ("NAME", "STRING"))
        self.mentions[self.current].update(self.links.values())
        return Field(f"{decl.id}#{slug(label)}", label, self.words(rule), value, rule.span)

    def only_names(self, label: str, values: Node) -> None:
        """Complain about what is no name in a list of names."""
        odd = next((node for node in values.nodes() if node.data != "nothing" and (node.data != "number" or node.nodes()[0].data != "ref")), None)
        if odd is not None:
            names = ", ".join(str(token).strip('"') for token in values.tokens() if token.type in ("NAME", "STRING"))
            write = f"write `- {label}: {names}`" if names else f"it takes {TAKES[label]}"
            self.complain("wrong-type", f"`{label}` takes names with commas between them", odd, write)

    def quoted(self, label: str, values: Node, text: str) -> m.Value:
        """What was meant by names and words without quotation marks in a field that takes words only; complains about them. Empty where nothing is
        amiss.
        """
        engine = ENGINE_FIELDS.get(label)
        bare = (
            [node for node in values.nodes() if node.data not in ("text", "nothing", *CHANGES)]
            if engine is not None and engine.shape == "text"
            else []
        )
        if not bare:
            return ()
        said = [part.strip().strip('"') for part in text.partition(":")[2].partition(" (was ")[0].split("," if label == "Also Called" else "\n")]
        better = ", ".join(f'"{part}"' for part in said)
        self.complain("wrong-type", f"`{label}` takes words in quotation marks", bare[0], f"write `- {label}: {better}`")
        return tuple(
            m.Text(str(node.children[0])[1:-1] if node.data == "text" else " ".join(str(token) for token in node.tokens())) for node in values.nodes()
        )

    def left_out(self, label: str, said: str, values: Node, wanted: Type, instead: str = "") -> bool:
        """Whether a field says in words of its own that there is none of it, as `Cost: Free`; complains about it."""
        if not (said == "0" or said[:1].isupper()) or label not in ENGINE_FIELDS or wanted not in (UNKNOWN, NUMBER) or self.names.find(said):
            return False
        help = none_of_it(label, said)
        if help:
            self.complain("wrong-type", f"`{label}` does not take this", values, instead or help)
        return bool(help)

    def bring_in(self, field: Field) -> None:
        """`- Ann: a Smith with Might 3` in an example brings in somebody called Ann."""
        if len(field.value) > 1 and any(isinstance(atom, m.Sheet | m.Holds) for atom in field.value):
            self.findings.add(
                "wrong-type",
                f"`{field.label}` is one person, and a comma begins something else",
                field.span,
                help="join what somebody has by `and`; give each person a line",
            )
        for atom in field.value:
            if isinstance(atom, m.Sheet):
                known = atom.kind in self.names.title
                self.scope.people[field.label] = Type("actor", self.names.carrier(self.names.title[atom.kind])) if known else UNKNOWN
            elif isinstance(atom, m.Holds) and atom.type.name == "actor":
                self.scope.people[field.label] = atom.type
        if not any(isinstance(atom, m.Sheet | m.Holds) for atom in field.value) and not self.beside_people(field):
            self.scope.people[field.label] = UNKNOWN

    def beside_people(self, field: Field) -> bool:
        """Whether this is what an example says beside whom it brings in: what is on in it, or how high a number is of which there is one, `- Doom: 5`.
        Complains if not.
        """
        fields = self.known_fields("example")
        counted = any(isinstance(atom, m.Int) for atom in field.value)
        named = (id for id, title in self.names.title.items() if title == field.label)
        if field.label in fields or (counted and any(self.names.nature(id) == "number" for id in named)):
            return True
        known = [*fields, *(title for id, title in self.names.title.items() if counted and self.names.nature(id) == "number")]
        near = self.names.nearest(field.label, known)
        who = next((self.names.title[atom.id] for atom in field.value if isinstance(atom, m.Thing) and atom.id in self.names.title), "..")
        help = (
            f"did you mean `{near}`?"
            if near
            else f"who is there is said with an article: `- {field.label}: {a(who) if who != '..' else 'a ..'}`, and what they have behind `with`"
        )
        self.findings.add("unknown-field", f"an example has no field called `{field.label}`", field.span, help=help)
        return False

    @staticmethod
    def is_field(rule: Rule) -> bool:
        return rule.tree is not None and rule.tree.node("values") is not None

    def shaped(self, label: str, values: Node, value: m.Value) -> None:
        """A field that the language knows holds what it must."""
        engine = ENGINE_FIELDS.get(label)
        if engine is None or not engine.shape:
            return
        atoms = SHAPES[engine.shape]
        for node, atom in zip(values.nodes(), value, strict=True):
            if not isinstance(atom, (*atoms, m.Nothing, m.Change)) or (label == "How Many" and atom == m.Int(0)):
                self.complain("wrong-type", f"`{label}` does not take this", node, f"it takes {TAKES[label]}")

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
        known = self.known_fields(kind)
        what = f"`{kind}`" if kind in ("deletes", "renames") else a(kind)
        self.findings.add("unknown-field", f"{what} has no field called `{label}`", span, help=self.field_help(label, kind, known, decl))
        return UNKNOWN

    def known_fields(self, kind: str) -> list[str]:
        """What a thing of this kind may state, by its kind and by the language."""
        nature = self.names.nature_of(kind)
        numbers = [self.names.title[id] for id in self.names.kind_of if self.names.nature(id) == "number"] if nature == "actor" else []
        return [
            *self.names.slots.get(kind, ()),
            *(one.label for one in ENGINE_FIELDS.values() if ANY in one.on or kind in one.on or nature in one.on),
            *numbers,
        ]

    def field_help(self, label: str, kind: str, known: list[str], decl: Decl) -> str:
        near = OTHER_LABELS.get(label.lower())
        near = (
            near if near in known else self.names.nearest(label, known) or next((one for one in known if label.lower() in one.lower().split()), None)
        )
        if near:
            return f"did you mean `{near}`?"
        if kind == "kind" and label in self.names.slots.get(decl.name, {}):
            return f"it is a field of each {decl.name}; its default is changed in a table that begins with `| label | holds | default | text |`"
        if label == "Text":
            return "the text is written below the heading, as it is, without a label"
        if kind in ENGINE_KINDS:
            return "its fields are " + ", ".join(sorted(known)) if known else "write a sentence behind the colon"
        if self.names.nature_of(kind) == "trait" and any(self.names.nature(id) == "number" for id in self.names.find(label)):
            return f"what it changes is said in a line of its own: `- Label: the owner's {label} is 1 more`"
        own = self.names.slots.get(kind, {})
        has = f"{a(kind)} has {listed(own)}; " if own else ""
        return f"{has}declare it in the `label` table of `## kind: {kind}`, or write a sentence behind the colon"
