"""Second pass: what somebody gains, loses or takes, and what gets a value, become typed nodes."""

from __future__ import annotations

from typing import Literal, TypeGuard

from te_forge.check.events import Events
from te_forge.check.holds import called
from te_forge.check.names import ENGINE_KINDS, OF_THE_BOOK
from te_forge.model import rules as m
from te_forge.model.rules import NUMBER, UNKNOWN, Type
from te_forge.suggest import a
from te_forge.syntax.tree import Node, Token

TRANSFERS: dict[str, Literal["gains", "loses", "pays"]] = {"GAIN": "gains", "LOSE": "loses", "PAY": "pays"}
GIVES: dict[str, Literal["is", "becomes", "will be"]] = {"is": "is", "becomes": "becomes", "will_be": "will be"}
CONTRIBUTIONS: dict[str, Literal["more", "less", "times", "at least", "at most"]] = {
    "MORE": "more", "LESS": "less", "TIMES": "times", "LEAST": "at least", "MOST": "at most",
}  # fmt: skip


class Changing(Events):
    """Reads sentences after which a number, a trait or a word is not what it was."""

    # ------------------------------------------------------------ points and traits

    def transfer(self, node: Node) -> m.Sentence:
        who_node, amount_node = node.nodes()
        who, type = self.somebody(who_node, "gain or lose")
        verb = TRANSFERS[node.its(*TRANSFERS).type]
        amount = self.amount(amount_node)
        self.had(amount.stat, type, amount_node)
        if verb == "gains" and amount.how == "all":
            self.complain(
                "wrong-type", "only what somebody has can be all of it, and this is to come", amount_node,
                "to fill it up, give the number: `the ..'s .. becomes the ..'s ..'s start`, or `'s most`",
            )  # fmt: skip
        return m.Transfer(who, verb, amount)

    def had(self, what: m.Expr, by: Type, where: Node) -> None:
        """Complain when somebody gains, pays or takes what things of that kind never have."""
        if isinstance(what, m.Thing) and by.name == "actor" and by.kind:
            self.carried(what.id, by.kind, where)

    def carried(self, id: str, carrier: str, where: Node) -> None:
        """A trait or number belongs to somebody who can have it."""
        info = self.names.kinds.get(self.names.kind_of.get(id, ""))
        of = self.names.numbers_of.get(id) or (info.of if info else ())
        if carrier and of and not any(self.names.is_a(carrier, one) for one in of):
            self.complain(
                "number-of-another", f"{a(carrier)} has no {self.names.title[id]}: that belongs to {' or '.join(map(a, of))}", where,
                f"write somebody who has it, such as `each {of[0]}`, or something that {a(carrier)} has",
            )  # fmt: skip

    def amount(self, node: Node) -> m.Amount:
        name, counted = node.token("NAME"), node.node("counted")
        if name is not None:
            each = self.group(counted) if counted is not None else None
            return m.Amount(self.pool(name), "fixed", m.Int(int(str(node.token("INT")))), each)
        ref = next(child for child in node.nodes() if child.data == "ref")
        stat, type = self.ref(ref, Type("entry", "number"))
        self.pool_type(type, ref)
        if node.has("ALL"):
            return m.Amount(stat, "all")
        if node.has("ANY"):
            most = self.number(node.nodes()[1]) if node.has("UP") else None
            word = called(node)
            self.scope.bring(word, NUMBER)
            return m.Amount(stat, "any", None, None, most, word)
        if node.has("INT"):
            return m.Amount(stat, "fixed", m.Int(int(str(node.token("INT")))))
        return m.Amount(stat, "fixed", self.number(node.nodes()[1]))

    def pool(self, token: Token) -> m.Expr:
        return m.Thing(self.thing(token, "number", "trait") or "")

    def pool_type(self, type: Type, where: Node) -> None:
        if type.name == "number":
            return
        if type.name not in ("entry", "unknown") or (type.name == "entry" and type.kind and not self.names.is_a(type.kind, "number")):
            self.complain("wrong-type", f"this is {type}: points are gained and lost of a number", where, "name a pool, or a word that holds one")

    def carry(self, node: Node) -> m.Sentence:
        who, carrier = self.somebody(node.nodes()[0])
        trait, type = self.ref(node.nodes()[1])
        if type.name in ("number", "dice", "choice", "outcome") or (type.kind and self.names.nature_of(type.kind) in ("number", "actor")):
            self.complain("wrong-type", f"this is {type}: only a trait can be taken or dropped", node.nodes()[1], "points are gained and lost")
        elif not self.is_any(type, ENGINE_KINDS, "only a trait can be taken or dropped", node.nodes()[1]):
            self.had(trait, carrier, node.nodes()[1])
        return m.Carry(who, node.has("TAKE"), trait)

    # ------------------------------------------------------------ values

    def give(self, node: Node) -> m.Sentence:
        who, value_node, *more = node.nodes()
        how = GIVES[node.data]
        word = local_word(who)
        told = self.carried_in_words(word, value_node)
        if word is not None and (how == "is" or (how == "will be" and str(word) not in self.scope.locals)):
            return self.give_local(word, value_node, how, told)
        target, type = self.who_typed(who)
        if how != "will be" and self.is_of_hooked(target):
            self.hook_sets(who, target.word)
        if more:
            return m.Give(target, how, self.several([value_node, *more], type))
        value, found = self.expr(value_node, None if type == UNKNOWN else type)
        self.fits(found, type, value_node)
        return m.Give(target, how, value)

    def carried_in_words(self, word: Token | None, value: Node) -> bool:
        """Complain about `the owner is Tired`: somebody takes a trait, and is nothing else by it. Whether there was something to say."""
        name = value.token("NAME") if word is not None and value.data == "ref" and value.token("POSS") is None else None
        whose = self.scope.locals.get(str(word)) or (self.scope.owner if str(word) == "owner" else None)
        if name is None or whose is None or whose.name != "actor":
            return False
        carried = any(self.names.nature(id) == "trait" for id in self.names.find(str(name)))
        if carried:
            self.complain(
                "wrong-type",
                f"`the {word}` is somebody, and {name} is something that one carries",
                value,
                f"write `the {word} takes {name}`, or `drops {name}`",
            )
        return carried

    def several(self, nodes: list[Node], wanted: Type) -> m.Expr:
        """Dice put together, or a group of what is named."""
        if wanted.name not in ("dice", "group", "unknown"):
            self.complain(
                "wrong-type", f"these are several, but here {wanted} is needed", nodes[1], "name one; only dice and groups can be put together"
            )
        values = []
        for node in nodes:
            value, found = self.expr(node, None if wanted == UNKNOWN else wanted)
            self.fits(found, wanted, node)
            values.append(value)
        return m.Together(tuple(values))

    def is_of_hooked(self, target: m.Expr) -> TypeGuard[m.Local | m.Hung]:
        """Whether a rule that hooks into a procedure gives a value that is the procedure's own."""
        if not self.scope.hooked:
            return False
        if isinstance(target, m.Local):
            return target.word in self.scope.foreign
        return isinstance(target, m.Hung) and any(target.word in one.values for hooked in self.scope.procedures[:1] for one in self.lineage(hooked))

    def hook_sets(self, where: Node, word: str) -> None:
        self.complain(
            "hook-sets-value", f"a rule that hooks into a procedure cannot give `{word}` its value, only change it", where,
            "say how much it changes: `is 2 more`, `is 1 less`, `is at least 1`, `cannot be lowered`",
        )  # fmt: skip

    def give_local(self, token: Token, value_node: Node, how: Literal["is", "will be"], told: bool) -> m.Sentence:
        word = str(token)
        slot = self.value_slot(word) if word not in self.scope.locals else None
        if word in self.scope.foreign and self.scope.hooked and not told:
            self.hook_sets(value_node, word)
        wanted = self.scope.locals.get(word, slot)
        if self.scope.example and wanted is not None and wanted.name == "outcome":
            said, help = (
                f"`the {word}` is how a procedure has ended, and nothing else is made of it",
                f"to look whether it is so, write `expect the {word} is ..`",
            )
            self.complain("wrong-type", said, value_node, help)
            return m.Give(m.Local(word), how, m.Int(0))
        value, type = self.expr(value_node, wanted if wanted is not None and wanted.name in ("number", "choice") else None)
        self.is_any(type, OF_THE_BOOK, "nothing in play is one", value_node)
        if type.name == "entry" and isinstance(value, m.Thing) and self.names.nature(value.id) == "number" and wanted is None:
            value, type = self.bare(value.id, value_node), NUMBER
        if wanted is not None:
            self.fits(type, wanted, value_node)
        self.scope.bring(word, wanted if wanted is not None and wanted != UNKNOWN else type)
        return m.Give(m.Local(word), how, value)

    def contribute(self, node: Node) -> m.Sentence:
        who, amount = node.nodes()[0], node.nodes()[1]
        if isinstance(who.children[0], Node):
            self.may_be_unset(who.children[0])
        target, type = self.who_typed(who, NUMBER)
        self.fits(type, NUMBER, who)
        how = CONTRIBUTIONS[node.its(*CONTRIBUTIONS).type]
        return m.Contribute(target, how, self.number(amount), node.has("ALL"))


def local_word(who: Node) -> Token | None:
    """The word of `the word`, when nothing else stands there."""
    ref = who.children[0]
    match ref.children if isinstance(ref, Node) else []:
        case [Token(type="THE"), Token(type="WORD") as word]:
            return word
    return None
