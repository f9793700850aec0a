"""Second pass, ground: a name, `the word`, `X's Name` and `X's word` become typed nodes.

Each layer above (`numbers`, `events`, `sentences`, `openers`, `lines`, `values`, `cells`, `patches`) adds what it is named after. They read the tree
of one line at a time in a `Scope`. What could not be understood has the type UNKNOWN, and UNKNOWN fits everywhere, so one mistake is said once.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Literal, cast

from te_forge.check.meant import Meant
from te_forge.check.names import ENGINE_KINDS
from te_forge.keys import fold
from te_forge.model import rules as m
from te_forge.model.rules import NUMBER, UNKNOWN, Type
from te_forge.model.system import KindInfo
from te_forge.suggest import a, listed
from te_forge.syntax.tree import Node, Token

NO_WORD = ("number", "dice", "actor", "entry", "group")
"""What the name of an outcome, an option or a line can never be."""
OF_DICE = "ask for what the dice show, `sum of .. is at least 9`; what a row of a table brings about belongs into its effect"
BOUNDS: dict[str, Literal["start", "least", "most", "gain", "loss"]] = {
    "start": "start",
    "least": "least",
    "most": "most",
    "gain": "gain",
    "loss": "loss",
}


class References(Meant):
    """Turns trees into nodes."""

    # ------------------------------------------------------------ names

    def link(self, token: Token, id: str) -> None:
        self.links[token.start_pos or 0] = id

    def thing(self, token: Token, *kinds: str) -> str | None:
        """The id of the entry that `token` names, of one of `kinds` if any are given; complains when there is none or more than one."""
        found = self.names.find(str(token), kinds)
        if not found:
            self.unknown_name(token, kinds)
            return None
        if len(found) > 1:
            fitting = listed([f"the {self.names.kind_of[id]}" for id in found])
            self.complain("ambiguous-name", f"`{fold(str(token))}` could be {fitting}", token, "give one of them another name; here both would fit")
        self.link(token, found[0])
        return found[0]

    def thing_type(self, id: str) -> Type:
        kind = self.names.kind_of.get(id, "")
        if kind not in self.names.kinds and kind not in ENGINE_KINDS:
            return UNKNOWN  # an unknown kind has been complained about where the thing is defined
        return Type("actor" if self.names.nature(id) == "actor" else "entry", kind)

    def kind(self, token: Token) -> str:
        word = str(token)
        if word in ("actor", "actors", "entry", "die", "dice", "number", "trait"):
            return word.removesuffix("s") if word != "dice" else "die"
        info = self.names.kind(word)
        if info is not None:
            self.link(token, info.id)
            return info.name
        self.unknown_kind(token)
        return ""

    def holder(self, stat: str) -> m.Expr:
        """Who a number belongs to when nobody is named: the only one who has it, or the owner."""
        for kind in self.names.numbers_of.get(stat, ()):
            if self.names.single(kind):
                return m.Thing(self.names.kinds[kind].id)
        return m.Local("owner")

    # ------------------------------------------------------------ references

    def ref(self, node: Node, wanted: Type | None = None) -> tuple[m.Expr, Type]:
        poss = node.token("POSS")
        if poss is None:
            name = node.token("NAME")
            if name is not None:
                small = str(name).lower()
                if node.has("THE") and small in self.scope.locals and not self.names.find(str(name)):
                    self.complain(
                        "unknown-word", f"`the {name}` would be a name of the game; the word here is `the {small}`", name, f"write `the {small}`"
                    )
                    return m.Local(small), self.scope.locals[small]
                made = self.named(name, wanted)
                if node.has("THE") and isinstance(made[0], m.Thing) and made[0].id not in self.scope.people:
                    self.plain_name(node, made[0].id)
                elif node.has("THE") and name.start_pos in self.links:
                    self.plain_name(node, self.links[name.start_pos])
                return made
            return self.word(cast(Token, node.children[-1]))
        left, last = cast(Node, node.children[0]), cast(Token, node.children[-1])
        of, of_type = self.ref(left)
        if last.type == "NAME":
            return self.name_of(of, of_type, last, wanted)
        return self.word_of(of, of_type, last)

    def named(self, token: Token, wanted: Type | None) -> tuple[m.Expr, Type]:
        name = fold(str(token))
        if wanted is not None and wanted.name == "choice" and name in wanted.words:
            return m.Thing(name), wanted
        if wanted is not None and wanted.name == "outcome":
            procedure = self.names.procedures.get(wanted.kind)
            if procedure and name in procedure.outcomes:
                self.link(token, procedure.id)
                return m.Thing(procedure.outcomes[name]), wanted
            if procedure:
                self.unknown_outcome(token, procedure)
                return m.Int(0), UNKNOWN
        if name in self.scope.people:
            return m.Thing(name), self.scope.people[name]
        kinds = (
            (wanted.kind,)
            if wanted is not None and wanted.name in ("entry", "actor") and wanted.kind not in ("", "entry") and self.names.find(name, (wanted.kind,))
            else ()
        )
        if self.no_thing(name) and not self.names.find(name, kinds):
            if wanted is not None and wanted.name in NO_WORD and wanted.kind != "unknown":
                help = OF_DICE if wanted.name == "dice" else f"put {wanted} here"
                self.complain("wrong-type", f"`{name}` is an outcome, an option or a label, but here {wanted} is needed", token, help)
                return m.Int(0), UNKNOWN
            if name not in self.names.words:
                self.elsewhere(name, token)
                return m.Int(0), UNKNOWN
            return (m.Thing(name), wanted or Type("choice", "", (name,))) if self.said_here(name, token, wanted) else (m.Int(0), UNKNOWN)
        if (possible := self.possible(name, wanted)) and self.names.suggest(name) is None and self.names.nearest(name, possible) is None:
            self.complain("unknown-name", f"nothing is called `{name}`", token, f"here could stand {listed(possible)}")
            return m.Int(0), UNKNOWN
        id = self.thing(token, *kinds)
        if id is None:
            return m.Int(0), UNKNOWN
        if self.names.nature(id) == "number" and wanted is not None and wanted.name == "number":
            return self.bare(id, token), NUMBER
        return m.Thing(id), self.thing_type(id)

    def no_thing(self, name: str) -> bool:
        """Whether a name is a word of a choice, or a label, and not somebody of an example."""
        return name in self.names.words or (name in self.names.labels and name not in self.names.people)

    def possible(self, name: str, wanted: Type | None) -> list[str]:
        """The names of which one is wanted, where nothing has this one; empty where any thing would do."""
        if wanted is None or self.names.find(name) or self.names.kind(name.lower()) is not None:
            return []
        if wanted.name == "choice":
            return list(wanted.words)
        return (
            [self.names.title[id] for id, kind in self.names.kind_of.items() if kind == wanted.kind and id in self.names.title]
            if wanted.name in ("entry", "actor")
            else []
        )

    def bare(self, id: str, where: Node | Token) -> m.Expr:
        """A number that is named without whose it is."""
        holder = self.holder(id)
        if holder == m.Local("owner") and self.scope.owner is None:
            name = self.names.title[id]
            whose = next(iter(self.names.numbers_of.get(id, ())), "actor")
            self.complain("number-of-another", f"nothing says whose {name} is meant", where, f"write whose, for example `the {whose}'s {name}`")
        return m.Stat(holder, m.Thing(id))

    def word(self, token: Token) -> tuple[m.Expr, Type]:
        """`the x`."""
        if token.type == "NAME":
            return self.named(token, None)
        word = str(token)
        scope = self.scope
        if word in scope.locals:
            if word not in scope.sure:
                self.complain(
                    "maybe-unset",
                    f"`the {word}` has no value here on every path",
                    token,
                    f"give it one before: `the {word} is ..`, or an `otherwise`",
                )
                scope.sure.add(word)
            return m.Local(word), scope.locals[word]
        if word == "owner" and scope.owner is not None:
            return m.Local("owner"), scope.owner
        if self.names.single(word):
            kind = cast(KindInfo, self.names.kind(word))
            return m.Thing(kind.id), Type("actor", kind.name)
        if (slot := self.value_slot(word)) is not None:
            return m.Hung(m.Local("owner"), word), slot
        if scope.unsure:
            return m.Local(word), UNKNOWN
        self.unknown_word(token)
        scope.bring(word, UNKNOWN)
        return m.Local(word), UNKNOWN

    def value_slot(self, word: str) -> Type | None:
        """The declared value `word` of a procedure in reach."""
        for procedure in self.scope.procedures:
            for one in self.lineage(procedure):
                if word in one.values:
                    return one.values[word].holds
        return None

    def plain_name(self, ref: Node, id: str) -> None:
        """What the form of a name is seen by, one floor above."""

    def name_of(self, of: m.Expr, of_type: Type, token: Token, wanted: Type | None) -> tuple[m.Expr, Type]:
        """`X's Name`: a declared field, a number, or a trait that X carries."""
        name = fold(str(token))
        for kind in self.kinds_of(of_type):
            if slot := self.names.slots.get(kind, {}).get(name):
                return m.Stored(of, name), slot.holds
        ids = self.names.find(name)
        numbers = [id for id in ids if self.names.nature(id) == "number"]
        if numbers:
            id = numbers[0]
            self.link(token, id)
            carriers = self.names.numbers_of.get(id, ())
            if of_type.name == "actor" and of_type.kind and not self.may_have(of_type.kind, carriers):
                self.complain(
                    "number-of-another",
                    f"{a(of_type.kind)} has no {name}: it is a number of {' or '.join(map(a, carriers))}",
                    token,
                    "name somebody who has it",
                )
            if wanted is not None and wanted.name == "entry":
                return m.Thing(id), self.thing_type(id)
            return m.Stat(of, m.Thing(id)), NUMBER
        if ids:
            self.link(token, ids[0])
            return m.Thing(ids[0]), self.thing_type(ids[0])
        if of_type.name == "unknown":
            return m.Int(0), UNKNOWN
        self.unknown_part(of_type, token, [label for kind in self.kinds_of(of_type) for label in self.names.slots.get(kind, {})])
        return m.Int(0), UNKNOWN

    def may_have(self, kind: str, carriers: Collection[str]) -> bool:
        """Whether somebody of the kind can have a number of these carriers; where no kind is said (`an actor`), anybody may turn out to have it."""
        return not carriers or any(self.names.is_a(kind, one) or (kind == "actor" and self.names.is_a(one, kind)) for one in carriers)

    def kinds_of(self, type: Type) -> list[str]:
        if type.kind and type.kind not in ("trait", "entry", "actor"):
            return [type.kind]
        return list(self.names.slots)

    def word_of(self, of: m.Expr, of_type: Type, token: Token) -> tuple[m.Expr, Type]:
        """`X's word`: a bound of a number, the number that a local holds, or a value hung on X."""
        word = str(token)
        if word in BOUNDS:
            return m.Bound(of, BOUNDS[word]), NUMBER
        if of_type.name == "outcome":
            procedure = self.names.procedures.get(of_type.kind)
            known = (
                {**procedure.roles, **procedure.locals, **{w: s.holds for one in self.lineage(procedure) for w, s in one.values.items()}}
                if procedure
                else {}
            )
            if procedure is not None and procedure.sure is not None and word not in known:
                near = self.names.nearest(word, known)
                self.complain(
                    "unknown-value", f"`{self.names.title[procedure.id]}` has no value called `{word}`", token,
                    f"did you mean `{near}`?" if near else "its words are " + ", ".join(known) if known else "its outcome is all there is",
                )  # fmt: skip
            return m.Hung(of, word), known.get(word, UNKNOWN)
        local = self.scope.locals.get(word)
        if local == UNKNOWN and self.value_slot(word) is None:
            return m.Hung(of, word), UNKNOWN
        if local is not None and local.name == "entry":
            return m.Stat(of, m.Local(word)), NUMBER
        slot = self.value_slot(word)
        if slot is not None:
            return m.Hung(of, word), slot
        if self.scope.example and any(word in one.values for one in self.names.procedures.values()):
            return m.Hung(of, word), UNKNOWN
        if self.scope.unsure:
            return m.Hung(of, word), UNKNOWN
        self.unknown_value(token)
        return m.Int(0), UNKNOWN
