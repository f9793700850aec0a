"""Third pass: one value of a field, whatever it may be: a number, a range, a price, a name, a sheet of somebody."""

from __future__ import annotations

from typing import Literal, cast

from te_forge.check.declared import BOUNDS, NO_NUMBERS, no_number, takes
from te_forge.check.fields import BASED_ON, ENGINE_FIELDS, can_be_written
from te_forge.check.holds import holds_type
from te_forge.check.lines import Lines
from te_forge.check.names import NATURES
from te_forge.keys import fold
from te_forge.model import rules as m
from te_forge.model.rules import NUMBER, UNKNOWN, Type
from te_forge.model.system import KindInfo
from te_forge.model.walk import nodes
from te_forge.suggest import a
from te_forge.syntax.hint_fields import KINDS, NAMED, TAKES
from te_forge.syntax.tree import Node, Token

CHANGES = ("edit", "adjust", "multiply", "percent", "clamp")
"""Values that say how another one changes."""
OPERATIONS: dict[str, Literal["more", "less", "times", "up", "down", "at least", "at most"]] = {
    "MORE": "more", "LESS": "less", "TIMES": "times", "UP": "up", "DOWN": "down", "LEAST": "at least", "MOST": "at most",
}  # fmt: skip


class Atoms(Lines):
    """Reads one value."""

    def value(self, node: Node, wanted: Type, label: str = "") -> m.Atom:
        if node.data in CHANGES and not self.patching:
            self.complain(
                "patch-outside-hack",
                "this changes a value that stands elsewhere, and here is none",
                node,
                f"state the value itself; only a hack, and what is a copy (`{BASED_ON}`), changes one",
            )
        if node.data in NO_NUMBERS and (wanted == NUMBER or label in BOUNDS):
            return self.no_number(node, label)
        if node.data not in ("nothing", "based", *CHANGES) and not can_be_written(label, wanted, node.data):
            return self.not_taken(node, wanted, label)
        match node.data:
            case "number":
                if label == "Outcomes":
                    return m.Nothing()
                return self.plain_value(node.nodes()[0], wanted, label)
            case "signed":
                return self.signed_number(node, wanted, label)
            case "text":
                return m.Text(str(node.children[0])[1:-1])
            case "nothing":
                return m.Nothing()
            case "bonus":
                return self.bonus(node, wanted)
            case "price":
                return m.Price(
                    int(str(node.children[0])), self.thing(cast(Token, node.children[1]), *(() if label == "Cards" else ("number",))) or ""
                )
            case "limit_value":
                return self.limit(node.nodes()[0])
            case "each_value":
                return m.Each(self.thing(node.its("NAME"), "procedure") or "")
            case "span":
                return m.Range(self.number(node.nodes()[0]), self.number(node.nodes()[1]))
            case "dice_value":
                return self.dice(node, node.its("DIE"))
            case "edit":
                expr, _ = self.ref(node.nodes()[0])
                return m.Edit(node.has("WITH"), expr.id if isinstance(expr, m.Thing) else "")
            case "adjust" | "multiply" | "percent" | "clamp":
                return m.Change(OPERATIONS[node.its(*OPERATIONS).type], int(str(node.token("INT"))))
            case "one_of" | "holds" | "holds_dice" if label in NAMED:
                name = " ".join(str(token) for token in node.tokens() if token.type == "WORD").title() or ".."
                self.complain("wrong-type", f"`{label}` does not take this", node, f"it takes {TAKES[label]}, without an article: write `{name}`")
                return m.Nothing()
            case "holds" if label == "Is":
                return m.Holds(self.nature(node))
            case "one_of" | "holds" | "holds_dice":
                type, word = holds_type(node, self.names, self.findings, self.span)
                return m.Holds(type, word)
            case "sheet":
                return self.sheet(node)
            case "based":
                return self.based(node, label)
            case _:
                raise AssertionError(f"no such value: {node.data}")

    def no_number(self, node: Node, label: str) -> m.Atom:
        """Dice, words and the like where a number stands."""
        message, help = no_number(node, label)
        self.complain("wrong-type", message, node, help)
        return m.Nothing()

    def not_taken(self, node: Node, wanted: Type, label: str) -> m.Atom:
        """Complain about a value that is no such thing as the field takes."""
        said = " ".join(map(str, node.tokens()))
        help = f"it takes {TAKES[label]}" if label in TAKES and wanted == UNKNOWN else takes(said, wanted, self.names)
        self.complain("wrong-type", f"`{label or 'default'}` does not take this", node, help)
        return m.Nothing()

    def signed_number(self, node: Node, wanted: Type, label: str) -> m.Atom:
        said = str(node.children[0])
        if (wanted == NUMBER or label == "Starts") and said.startswith("+"):
            self.complain(
                "wrong-type", f"`{said}` is a change, but here a number is needed", node, f"write the number itself; in a hack, `{said[1:]} more`"
            )
        return m.Int(whole(said))

    def bonus(self, node: Node, wanted: Type) -> m.Atom:
        id = self.thing(cast(Token, node.children[0]), "number") or ""
        if wanted == NUMBER:
            self.complain(
                "wrong-type",
                "this changes a number, but here a number is needed",
                node,
                "write the number alone, or a formula such as `the owner's .. + 1`",
            )
        return m.Bonus(id, whole(str(node.children[1])))

    def based(self, node: Node, label: str) -> m.Atom:
        if label != BASED_ON:
            self.complain("wrong-type", "a copy is made of things only", node, f"only `{BASED_ON}` takes this")
            return m.Nothing()
        return m.Based(self.thing(node.its("NAME"), self.names.kind_of.get(self.current, "")) or "", node.has("PRINTED"))

    def nature(self, node: Node) -> Type:
        """What `Is:` says. The declarer has said so when its first word is none of the four natures; here all kinds are known that it may speak of."""
        first, *of = [str(token) for token in node.all("WORD", "NUMBER")]
        for word in of:
            if word not in self.names.kinds and word not in ("actor", "entry"):
                near = self.names.nearest(word, self.names.kinds)
                self.findings.add(
                    "unknown-kind",
                    f"there is no kind called `{word}`",
                    self.span,
                    help=f"did you mean `{near}`?" if near else self.names.known_kinds(word),
                )
        return holds_type(node, self.names, self.findings, self.span)[0] if first in NATURES else UNKNOWN

    def plain_value(self, node: Node, wanted: Type, label: str) -> m.Atom:
        takes = ENGINE_FIELDS[label].takes if label in ENGINE_FIELDS and wanted == UNKNOWN else ()
        if label in ("Counts", "Settles") and node.data == "ref":
            return self.own_step(node.token("NAME") or next(node.tokens()))
        if takes and node.data == "ref" and node.token("NAME") is not None and node.token("POSS") is None:
            return m.Thing(self.thing(node.its("NAME"), *takes) or "")
        if takes or (label in ("Counts", "Settles", "Successor") and wanted == UNKNOWN and node.data != "ref"):
            return self.not_taken(node, wanted, label)
        if wanted.name == "group":
            inner = Type("actor" if self.names.kinds.get(wanted.kind) and self.names.kinds[wanted.kind].nature == "actor" else "entry", wanted.kind)
            expr, type = self.expr(node, inner)
            self.fits(type, inner, node)
            return expr
        if label in BOUNDS:
            number = self.number(node)
            self.has_what_it_needs(number, node)
            return number
        if label == "Cards":
            return self.card(node)
        if label in KINDS and node.data == "ref" and (kind := self.kind_without_article(node)) is not None:
            self.complain("missing-the", f"`{label}` takes a kind with its article", node, f"write `{a(kind.name)}`")
            return m.Nothing()
        expr, type = self.expr(node, wanted if wanted != UNKNOWN else None)
        self.fits(type, wanted, node)
        if wanted != UNKNOWN or self.can_be(label, expr) or self.findings.told_of(self.span):
            return expr
        return self.not_taken(node, wanted, label)

    def can_be(self, label: str, expr: m.Expr) -> bool:
        """Whether what stands by its name, or as `the ..`, is such as an engine field takes."""
        kind = self.names.kind_of.get(expr.id, "") if isinstance(expr, m.Thing) else ""
        match label:
            case "Of":
                return kind == "kind"
            case "Roles":
                return False
            case "Seen By":
                return kind == "kind" or self.names.nature_of(kind) == "actor" or isinstance(expr, m.Local)
            case _:
                return True

    def has_what_it_needs(self, number: m.Expr, node: Node) -> None:
        """A formula speaks of numbers that whoever has this one has as well."""
        who = self.names.numbers_of.get(self.current, ())
        for stat in nodes(number):
            if isinstance(stat, m.Stat) and stat.of == m.Local("owner") and isinstance(stat.stat, m.Thing) and who:
                carriers = self.names.numbers_of.get(stat.stat.id, ())
                if not any(self.may_have(kind, carriers) for kind in who):
                    name, kind = self.names.title[stat.stat.id], self.names.kinds.get(carriers[0])
                    whose = kind.plural if kind is not None else ".."
                    self.complain(
                        "number-of-another",
                        f"{a(who[0])} has no {name}: it is a number of {' or '.join(map(a, carriers))}",
                        node,
                        f"say of whom: `highest {name} of {whose}`, `sum {name} of {whose}`; or name a number of {a(who[0])}",
                    )

    def kind_without_article(self, node: Node) -> KindInfo | None:
        """The kind that `the hero` or `Hero` means, where nothing is called so and there are many of it."""
        token = node.token("NAME", "WORD")
        if token is None or self.names.find(str(token)):
            return None
        kind = self.names.kind(str(token).lower())
        return kind if kind is not None and not kind.single else None

    def card(self, node: Node) -> m.Atom:
        """A card is a thing of the game, or a number."""
        name = node.token("NAME") if node.data == "ref" else None
        if name is not None and not self.names.find(str(name)) and self.names.suggest(str(name)) is None:
            help = "a card is a thing of the game: declare a kind (`## kind: card`, `- Is: an entry`) and list them in a table that begins with `| card |`"
            self.complain("unknown-name", f"nothing is called `{name}`", name, help)
            return m.Int(0)
        if node.data not in ("ref", "int"):
            self.complain("wrong-type", "`Cards` does not take this", node, f"it takes {TAKES['Cards']}")
        return self.expr(node, None)[0]

    def own_step(self, token: Token) -> m.Atom:
        made = self.scope.procedures[0] if self.scope.procedures else None
        name = fold(str(token))
        if made is None or name not in made.steps:
            near = self.names.nearest(name, made.steps if made else ())
            self.complain(
                "unknown-step", f"no step here is called `{name}`", token, f"did you mean `{near}`?" if near else "name a step of this procedure"
            )
            return m.Nothing()
        return m.Thing(made.steps[name])

    def sheet(self, node: Node) -> m.Atom:
        stats: list[tuple[str, int | None]] = []
        name = node.token("NAME")
        if name is not None:
            base = self.thing(name) or ""
            kind = self.names.kind_of.get(base, "")
        else:
            kind = self.kind(node.its("WORD"))
            base = self.names.kinds[kind].id if kind in self.names.kinds else ""
        info = self.names.kinds.get(kind)
        carrier = next(iter(info.of), "actor") if info and info.nature == "trait" else kind
        for stat in node.nodes():
            id = self.thing(stat.its("NAME"), "number", "trait")
            number = stat.token("INT") or stat.token("SIGNED")
            if id:
                self.carried(id, carrier, stat)
                self.stated(id, number, stat, stats)
                stats.append((id, int(str(number)) if number is not None else None))
        return m.Sheet(base, tuple(stats))

    def stated(self, id: str, number: Token | None, where: Node, before: list[tuple[str, int | None]]) -> None:
        """Of a number it is said once how much it is, and a trait is carried or not."""
        title = self.names.title[id]
        if any(id == other for other, _ in before):
            self.complain("duplicate-label", f"`{title}` stands here twice", where, "take one of them out; the rules could not tell which is meant")
        elif number is None and self.names.nature(id) == "number":
            self.complain("wrong-type", f"`{title}` is a number, and here it is not said how much", where, f"write `{title} 1`, or what it is")
        elif number is not None and self.names.nature(id) == "trait":
            self.complain("wrong-type", f"`{title}` is a trait, which somebody has or has not, and no number", where, f"write `{title}` alone")


def whole(said: str) -> int:
    """A number with a sign; a minus may be typed as a dash."""
    return int(said.replace("−", "-").replace("–", "-"))
