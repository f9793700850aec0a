"""Second pass: rolling, drawing, choosing and dividing become typed nodes."""

from __future__ import annotations

from typing import Literal

from te_forge.check.changing import Changing
from te_forge.check.holds import called
from te_forge.check.names import ENGINE_KINDS, OF_THE_BOOK
from te_forge.check.tables import DIGITS
from te_forge.model import rules as m
from te_forge.model.rules import DICE, NUMBER, UNKNOWN, Type
from te_forge.syntax.tree import Node, Token

PICKS: dict[str, Literal["keeps", "rerolls", "draws"]] = {"KEEP": "keeps", "REROLL": "rerolls", "DRAW": "draws"}
HOW_MANY: dict[str, Literal["exactly", "up to", "all", "highest", "lowest"]] = {"ALL": "all", "UP": "up to", "HIGHEST": "highest", "LOWEST": "lowest"}


class Choosing(Changing):
    """Reads sentences that chance or somebody's choice decides."""

    def roll(self, node: Node) -> m.Sentence:
        who_node, *dice_nodes = [child for child in node.nodes() if child.data != "as_"]
        who = self.who(who_node)
        specs: list[m.DiceSpec | m.Expr] = []
        source: m.Expr | None = None
        for dice in dice_nodes:
            die = dice.token("DIE")
            if die is None:
                value, type = self.expr(dice.nodes()[0])
                if type == DICE:
                    specs.append(value)
                    continue
                source = value
                self.is_any(type, (*OF_THE_BOOK, "deck"), "only dice and tables are rolled", dice)
                if type.name == "number":
                    self.complain(
                        "wrong-type",
                        "this is a number, and only dice and tables are rolled",
                        dice,
                        "what dice show in an example is said with `shows`: `Ann shows 6, 3`"
                        if self.scope.example
                        else "say which dice: `rolls 2 d6`, `rolls (the owner's Might) d6`",
                    )
                continue
            specs.append(self.dice(dice, die))
        word = called(node)
        self.bring_result(word, DICE)
        return m.Roll(who, tuple(specs), source, word)

    def bring_result(self, word: str, type: Type) -> None:
        """`as the roll`: a word, unless such a value is in reach; then it is that of whoever does it, `the actor's roll`."""
        if word and (word in self.scope.locals or self.value_slot(word) is None):
            self.scope.bring(word, type)

    def read(self, node: Node) -> m.Sentence:
        who_node, table_node, at = node.nodes()
        who = self.who(who_node)
        table, type = self.ref(table_node)
        if type.name not in ("entry", "unknown") or (isinstance(table, m.Thing) and self.names.kind_of.get(table.id) not in ("table", None)):
            self.complain("wrong-type", "only tables are read", table_node, "name a table: its row with this number happens")
        return m.Roll(who, (), table, "", self.number(at))

    def dice(self, node: Node, die: Token) -> m.DiceSpec:
        count, sides = str(die).split("d")
        rest = node.nodes()
        exploding: tuple[m.Expr, ...] = ()
        if node.has("EXPLODING"):
            faces_from = 1 if isinstance(node.children[0], Node) else 0
            exploding = tuple(self.expr(child, NUMBER)[0] for child in rest[faces_from:])
            rest = rest[:faces_from]
        if int(sides) < 1:
            self.complain("no-such-die", f"there is no die called `{die}`", die, "a die has at least one side")
        if rest and count:
            self.complain(
                "no-such-die",
                f"two numbers say how many of `d{sides}` there are",
                die,
                f"write `{count} d{sides}` or `{count}d{sides}`, without the number in front",
            )
        if not rest and not count and DIGITS.match(sides):
            help = f"let it be rolled by a table that begins with `{die}`, or roll one `d{sides[0]}` for each digit"
            self.complain("no-such-die", f"`{die}` is dice that are read as digits, and only a table reads them", die, help)
        if rest:
            self.not_a_range(rest[0])
        number: m.Expr = self.number(rest[0]) if rest else m.Int(int(count or 1))
        return m.DiceSpec(number, max(int(sides), 1), exploding)

    def pick(self, node: Node) -> m.Sentence:
        who = self.who(node.nodes()[0])
        verb = PICKS[node.its(*PICKS).type]
        pick = node.part("pick")
        limit = pick.token(*HOW_MANY)
        how = HOW_MANY[limit.type] if limit is not None else "exactly"
        count = self.number(pick.nodes()[0]) if pick.nodes() else None
        ref = next(child for child in node.nodes()[1:] if child.data == "ref")
        source, type = self.ref(ref)
        if verb != "draws":
            self.fits(type, DICE, ref)
        else:
            self.is_any(type, [kind for kind in ENGINE_KINDS if kind != "deck"], "cards are drawn of a deck", ref)
        word = called(node)
        self.bring_result(word, UNKNOWN if verb == "draws" else DICE)
        return m.Pick(who, verb, how, count, source, word)

    def choose(self, node: Node) -> m.Sentence:
        who = self.who(node.nodes()[0])
        token = node.its("WORD", "NUMBER")
        word = called(node) or str(token)
        if node.has("FROM"):
            exprs = [child for child in node.nodes()[1:] if child.data != "as_"]
            low, high = self.number(exprs[-2]), self.number(exprs[-1])
            self.scope.bring(word, NUMBER)
            return m.Choose(who, m.Range(low, high), word)
        self.one_kind(node.token("A"), token)
        kind = self.kind(token)
        member = self.member_type(kind)
        of = next((self.ref(child)[0] for child in node.nodes()[1:] if child.data == "ref"), None)
        members = m.Members(of, kind, node.has("ANOTHER"), self.filters(node, member))
        self.scope.bring(word, member)
        return m.Choose(who, members, word)

    def divide(self, node: Node) -> m.Sentence:
        nodes = node.nodes()
        who = self.who(nodes[0])
        amount = self.number(nodes[1])
        token = node.token("WORD")
        if token is not None:
            self.many_kinds(token)
            return m.DivideUp(who, node.has("EXACTLY"), amount, self.kind(token), ())
        places: list[m.Expr] = []
        for ref in nodes[2:]:
            words = [child for child in ref.children if isinstance(child, Token)]
            if [token.type for token in words] == ["THE", "WORD"]:
                self.scope.bring(str(words[1]), self.scope.locals.get(str(words[1]), NUMBER))
            places.append(self.ref(ref, NUMBER)[0])
        return m.DivideUp(who, node.has("EXACTLY"), amount, "", tuple(places))
