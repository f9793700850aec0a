"""Second pass: numbers, groups and conditions become typed nodes."""

from __future__ import annotations

import re
from typing import Literal, cast

from te_forge.check.names import ENGINE_KINDS
from te_forge.check.wording import Wording
from te_forge.keys import fold
from te_forge.model import rules as m
from te_forge.model.rules import NUMBER, UNKNOWN, Type
from te_forge.suggest import a
from te_forge.syntax.tree import Node, Token

SIGNS: dict[str, Literal["+", "-", "x"]] = {"plus": "+", "minus": "-", "times": "x"}
AMONG: dict[str, Literal["sum", "highest", "lowest"]] = {"SUM": "sum", "HIGHEST": "highest", "LOWEST": "lowest"}


def in_text(node: Node) -> str:
    """What a node was read from, with single spaces."""
    return re.sub(r" (?=['’]s\b|\))|(?<=\() ", "", " ".join(map(str, node.tokens())))


def compared_last(node: Node) -> Node | None:
    """Of `number of characters whose Luck is above N` the N, where nothing stands behind it that would end the comparison."""
    group = node.nodes()[-1] if node.data in ("number_of", "among") else None
    last = group.nodes()[-1] if group is not None and group.nodes() else None
    if last is None or last.data != "filter" or not last.has("WHOSE") or last.has("HIGHEST", "LOWEST"):
        return None
    compared = last.nodes()[-1]
    return compared if compared.data == "ref" else None


class Numbers(Wording):
    """Reads whatever has a value or is true."""

    def number(self, node: Node) -> m.Expr:
        expr, type = self.expr(node, NUMBER)
        self.fits(type, NUMBER, node)
        return expr

    def expr(self, node: Node, wanted: Type | None = None) -> tuple[m.Expr, Type]:
        if node.data == "int":  # so most numbers are done with
            return m.Int(int(str(node.children[0]))), NUMBER
        kids = node.nodes()
        match node.data:
            case "negative":
                return m.Int(-int(str(node.children[1]))), NUMBER
            case "bracket":
                return self.expr(kids[0], wanted)
            case "ref":
                return self.ref(node, wanted)
            case "plus" | "minus" | "times":
                self.loose(node)
                return m.Arithmetic(SIGNS[node.data], self.number(kids[0]), self.number(kids[1])), NUMBER
            case "over":
                self.loose(node)
                return m.Divide(self.number(kids[0]), self.number(kids[1]), node.has("UP")), NUMBER
            case "greater":
                return m.Extreme("greater" if node.has("GREATER") else "lesser", self.number(kids[0]), self.number(kids[1])), NUMBER
            case "number_of":
                return m.Number(self.group(kids[0])), NUMBER
            case "among":
                return self.among(node), NUMBER
            case _:
                raise AssertionError(f"no such number: {node.data}")

    def loose(self, node: Node) -> None:
        """`greater of A and B - C`, where C is taken from whichever is greater: many who write it mean `B - C`."""
        left, right = node.nodes()
        while left.data in ("plus", "minus", "times", "over"):
            left = left.nodes()[-1]
        sign = next(str(child) for child in node.children if isinstance(child, Token))
        rest = f"{sign} {in_text(right)}" + (f" rounded {'up' if node.has('UP') else 'down'}" if node.data == "over" else "")
        if (compared := compared_last(left)) is not None:
            self.loose_filter(left, compared, rest)
        if left.data != "greater":
            return
        last, which = left.nodes()[-1], str(left.children[0])
        first = in_text(left).removesuffix(in_text(last))
        alone = f"({in_text(last)})" if last.data == "greater" else in_text(last)
        self.findings.add(
            "loose-brackets", f"`{rest}` goes with the {which} of the two, not with `{in_text(last)}` alone", self.place(left), severity="warning",
            help=f"write `({in_text(left)}) {rest}` if that is meant, and `{first}({alone} {rest})` if it is not",
        )  # fmt: skip

    def loose_filter(self, left: Node, compared: Node, rest: str) -> None:
        """`number of characters whose Luck is above N - 1`, where 1 is taken from the number of them: many who write it mean `N - 1`."""
        number, whole = in_text(compared), in_text(left)
        self.findings.add(
            "loose-brackets", f"`{rest}` goes with the whole `{left.children[0]!s} of ..`, not with `{number}` alone", self.place(left), severity="warning",
            help=f"write `({whole}) {rest}` if that is meant, and `{whole.removesuffix(number)}({number} {rest})` if it is not",
        )  # fmt: skip

    def among(self, node: Node) -> m.Expr:
        op = AMONG[node.children[0].type]
        group_node = cast(Node, node.children[-1])
        group = self.group(group_node)
        what: m.Expr | None = None
        key = cast(Token, node.children[1])
        if key.type in ("NAME", "WORD"):
            member = Type("actor", group.kind) if isinstance(group, m.Members) and group.kind else UNKNOWN
            what = self.key(key, member)
        return m.Among(op, what, group)

    def key(self, token: Token, member: Type) -> m.Expr:
        """What is compared among members: `Nerve`, `skill`, `total`."""
        if token.type == "NAME":
            return self.name_of(m.Local("member"), member, token, NUMBER)[0]
        return self.word_of(m.Local("member"), member, token)[0]

    # ------------------------------------------------------------ groups

    def group(self, node: Node) -> m.Group:
        if node.data in ("group", "counted") and node.has("DIE_W"):
            return self.showing(node)
        first = node.children[0]
        if isinstance(first, Token):
            kind, inside = self.kind(first), node.node("ref")
            if node.data == "group":
                self.many_kinds(first)
            of = self.ref(inside)[0] if inside is not None else None
            return m.Members(of, kind, False, self.filters(node, Type("actor", kind)))
        of, type = self.ref(first)
        inner = Type("actor", type.kind) if type.kind else UNKNOWN
        return m.Members(of, type.kind, False, self.filters(node, inner))

    def showing(self, node: Node) -> m.Showing:
        face = node.part("face")
        compare: Literal["one of", "above", "below", "at least", "at most"] = "one of"
        if face.has("ABOVE", "BELOW"):
            compare = "above" if face.has("ABOVE") else "below"
        elif face.has("AT"):
            compare = "at least" if face.has("LEAST") else "at most"
        faces = tuple(self.expr(child, NUMBER)[0] for child in face.nodes())
        ref = cast(Node, node.children[-1])
        dice, type = self.ref(ref)
        self.fits(type, m.DICE, ref)
        return m.Showing(compare, faces, dice)

    def filters(self, node: Node, member: Type) -> tuple[m.Filter, ...]:
        """What narrows the group that `node` speaks of."""
        return tuple(self.filter(one, member) for one in node.nodes() if one.data == "filter")

    def others(self, node: Node, member: Type) -> tuple[m.Filter, ...]:
        """The same, and for `each other` whom it leaves out where that is not the owner."""
        where = self.filters(node, member)
        word = self.scope.apart if node.has("OTHER") and self.scope.owner is None else ""
        return (m.Filter("except", value=m.Together((m.Local(word),))), *where) if word else where

    def filter(self, node: Node, member: Type) -> m.Filter:
        if node.has("EXCEPT"):
            return self.all_but(node.nodes(), member)
        if node.has("WITH", "WITHOUT"):
            id = self.thing(node.its("NAME"))
            self.is_any(self.thing_type(id) if id else UNKNOWN, ENGINE_KINDS, "only a trait, or somebody, can be had", node.its("NAME"))
            return m.Filter("with" if node.has("WITH") else "without", things=(id,) if id else ())
        key_token = node.its("NAME", "WORD")
        key: m.Expr
        key_type: Type
        if key_token.type == "NAME":
            key, key_type = self.name_of(m.Local("member"), member, key_token, NUMBER)
        else:
            key, key_type = self.word_of(m.Local("member"), member, key_token)
        if node.has("HIGHEST", "LOWEST"):
            return m.Filter("whose", key, compare="highest" if node.has("HIGHEST") else "lowest")
        value, type = self.expr(node.nodes()[-1], key_type)
        self.fits(type, key_type, node.nodes()[-1])
        return m.Filter(
            "whose",
            key,
            node.has("NOT"),
            "above"
            if node.has("ABOVE")
            else "below"
            if node.has("BELOW")
            else "at least"
            if node.has("LEAST")
            else "at most"
            if node.has("MOST")
            else "is",
            value,
        )

    def all_but(self, refs: list[Node], member: Type) -> m.Filter:
        """`except Might or the gift or gifts in the owner`: those that are named, what words hold, and what somebody has."""
        kinds = (member.kind,) if member.kind else ()
        things: list[str] = []
        held: list[m.Expr] = []
        for but in refs:
            first, ref = but.children[0], but.nodes()[-1]
            name = ref.token("NAME") if len(ref.children) == 1 else None
            if isinstance(first, Token):
                held.append(m.Members(self.ref(ref)[0], self.kind(first)))
            elif name is None:
                held.append(self.ref(ref)[0])
            elif id := self.thing(name, *kinds):
                things.append(id)
        return m.Filter("except", value=m.Together(tuple(held)) if held else None, things=tuple(things))

    # ------------------------------------------------------------ conditions

    def condition(self, node: Node) -> m.Condition:
        match node.data:
            case "both":
                return m.Every(tuple(self.condition(child) for child in node.nodes()))
            case "either":
                return m.Some(tuple(self.condition(child) for child in node.nodes()))
            case "has":
                return self.has(node)
            case _:
                return self.compare(node)

    def has(self, node: Node) -> m.Condition:
        self.agrees(node.nodes()[0], node)
        who, _ = self.expr(node.nodes()[0])
        negated = node.has("LACKS")
        if node.has("A"):
            self.one_kind(node.its("A"), node.its("WORD"))
            return m.Has(who, m.Thing(self.kind(node.its("WORD"))), negated)
        what, type = self.ref(node.nodes()[-1], Type("entry"))
        if type.name == "number":
            self.complain(
                "wrong-type", "only a trait, or somebody, can be had", node.nodes()[-1], "compare a number: `the owner's Wounds is above 0`"
            )
        self.is_any(type, ENGINE_KINDS, "only a trait, or somebody, can be had", node.nodes()[-1])
        return m.Has(who, what, negated)

    def compare(self, node: Node) -> m.Condition:
        negated = node.has("NOT")
        side = cast(Node, node.children[-1])
        left_node = node.nodes()[0]
        self.agrees(left_node, node)
        if side.has("OFFERED"):
            name = left_node.token("NAME") if left_node.data == "ref" else None
            return m.Offered(fold(str(name)) if name is not None else str(next(left_node.tokens())), negated)
        if side.has("A") and side.token("WORD") and not side.nodes():
            who, _ = self.expr(left_node)
            self.one_kind(side.its("A"), side.its("WORD"))
            return m.IsA(who, self.kind(side.its("WORD")), negated)
        op = self.operator(side)
        if op == "is":
            self.may_be_unset(left_node)
        left, left_type = self.expr(left_node, None if op == "is" else NUMBER)
        if left_type.name == "entry" and isinstance(left, m.Thing) and self.names.nature(left.id) == "number":
            left, left_type = self.bare(left.id, left_node), NUMBER
        if isinstance(left, m.Thing) and left_type.kind == "procedure":
            self.is_no_result(left.id, left_node)
            left_type = UNKNOWN
        wanted = NUMBER if op != "is" else left_type
        if op != "is":
            self.fits(left_type, NUMBER, left_node)
        right_node = side.nodes()[-1]
        self.not_a_range(right_node)
        right, right_type = self.expr(right_node, wanted)
        if left_type.name == "actor" and self.names.nature_of(right_type.kind) == "trait" and isinstance(right, m.Thing):
            help = f"write `{'lacks' if negated else 'has'} {self.names.title[right.id]}`"
            self.complain("wrong-type", f"nobody is {a(right_type.kind)}: they have one", right_node, help)
        elif left_type.name == "dice" and right_type.name == "number":
            self.fits(left_type, NUMBER, left_node)
        else:
            self.fits(right_type, wanted, right_node)
        return m.Compare(left, op, right, negated)

    def is_no_result(self, id: str, where: Node) -> None:
        name = self.names.title[id]
        self.complain(
            "wrong-type", f"`{name}` is a procedure, not what came of it", where,
            f"name the result where it is made, `do {name} .. as the result`, then write `if the result is ..`; behind an event, `after {name} ending in ..`",
        )  # fmt: skip

    def not_a_range(self, node: Node) -> None:
        """`7-9` is the number that is left of 7 when 9 are taken away, which nobody compares with."""
        kids = node.nodes()
        if node.data == "minus" and [kid.data for kid in kids] == ["int", "int"]:
            low, high = (str(kid.children[0]) for kid in kids)
            help = f"in a test, write `is at least {low}`, and in a second one `is at most {high}`; elsewhere say which number it is"
            self.complain("wrong-type", f"this is {int(low) - int(high)}, not a range", node, help)

    def may_be_unset(self, node: Node) -> None:
        """A hook may ask or change a word of what it hooks into that has no value on this way: it is nothing yet, and equal to nothing."""
        word = node.token("WORD") if node.data == "ref" and not node.nodes() else None
        if word is not None and self.scope.hooked and str(word) in self.scope.foreign:
            self.scope.sure.add(str(word))

    @staticmethod
    def operator(side: Node) -> Literal["is", "above", "below", "at least", "at most", "a multiple of"]:
        if side.has("MULTIPLE"):
            return "a multiple of"
        if side.has("ABOVE"):
            return "above"
        if side.has("BELOW"):
            return "below"
        if side.has("AT"):
            return "at least" if side.has("LEAST") else "at most"
        return "is"
