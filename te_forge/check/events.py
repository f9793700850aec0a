"""Second pass: events, and whoever takes part in something, become typed nodes."""

from __future__ import annotations

from collections.abc import Collection
from typing import cast

from te_forge.check.names import ENGINE_KINDS, Names, Procedure
from te_forge.check.numbers import Numbers
from te_forge.diagnostics import Findings
from te_forge.keys import fold
from te_forge.model import rules as m
from te_forge.model.rules import DICE, NUMBER, UNKNOWN, Type
from te_forge.suggest import listed
from te_forge.syntax.tree import Node, Token

ACTOR = Type("actor")
NOBODY = ("number", "dice", "text", "choice", "outcome")
"""Whatever is of these types does nothing by itself."""


class Events(Numbers):
    """Reads what a hook listens to, and the parties of hooks and procedures."""

    def __init__(self, names: Names, findings: Findings) -> None:
        super().__init__(names, findings)
        self.line_text = ""
        self.told_by_text = False
        """Whether something on the line at hand was only told by what else stands on it."""

    # ------------------------------------------------------------ events

    def event(self, node: Node, after: bool = False) -> m.Event:
        noun, *details = node.nodes()
        event = self.noun(noun)
        inside: list[str] = []
        ending = ""
        parties: list[m.Party] = []
        procedure = self.names.procedures.get(event.id.partition("#")[0]) if event.what in ("procedure", "step") else None
        if procedure is not None:
            self.reach(procedure, procedure.sure_at(event.id, not after))
        for detail in details:
            if detail.has("BY"):
                parties.append(self.party(detail.part("party"), ""))
            elif detail.has("ENDING"):
                ending = self.outcome(detail.its("NAME"), procedure)
            elif detail.has("IN"):
                id = self.thing(detail.its("NAME"), "procedure") or ""
                inside.append(id)
                made = self.names.procedures.get(id)
                if made is not None and made is not procedure:
                    self.reach(made, made.locals)
            else:
                parties += [self.bind_party(bind, procedure) for bind in detail.nodes()]
        return m.Event(event.what, event.id, event.level, event.multiple, tuple(inside), ending, tuple(parties))

    def reach(self, procedure: Procedure, sure: Collection[str]) -> None:
        """What the procedure knows, a hook on it may mention; `sure` are the locals that have a value by then."""
        self.scope.procedures.insert(0, procedure)
        for word, type in {**procedure.locals, **procedure.roles}.items():
            if word not in self.scope.locals:
                self.scope.bring(word, type)
                self.scope.foreign.add(word)
                if word not in sure and word not in procedure.roles:
                    self.scope.sure.discard(word)

    def noun(self, node: Node) -> m.Event:
        if node.has("REACHING"):
            id = self.thing(node.its("NAME"), "number") or ""
            return m.Event("level", id, self.number(node.nodes()[0]), node.has("MULTIPLE"))
        if node.has("GAIN", "LOSS"):
            token = node.its("NAME")
            self.scope.bring("amount", NUMBER)
            return m.Event("gain" if node.has("GAIN") else "loss", self.thing(token, "number", "trait") or "")
        named = node.token("NAME")
        if named is None:
            self.scope.bring("roll", DICE)
            for procedure in self.names.procedures.values():
                if procedure.counts:  # where rolled dice are final, `a roll` happens: its values are in reach
                    self.scope.procedures.append(procedure)
            return m.Event("roll")
        name = fold(str(named))
        found = self.names.find(name, ("procedure",))
        if found:
            self.link(named, found[0])
            return m.Event("procedure", found[0])
        return self.step_noun(named, name)

    def step_noun(self, token: Token, name: str) -> m.Event:
        """A step of some procedure; `in PROCEDURE` behind it says which when several have it."""
        owners = self.names.with_step(name)
        if not owners:
            self.complain("unknown-event", f"no procedure or step is called `{name}`", token, self.event_help(name))
            return m.Event("procedure")
        chosen = next((p for p in owners if self.names.title[p.id] in self.line_text), owners[0])
        self.told_by_text |= len(owners) > 1
        if len(owners) > 1 and self.names.title[chosen.id] not in self.line_text:
            self.complain(
                "ambiguous-name", f"several procedures have a step `{name}`", token, f"say which: `{name} in {self.names.title[chosen.id]}`"
            )
        self.link(token, chosen.id)
        return m.Event("step", chosen.steps[name])

    def event_help(self, name: str) -> str:
        known = [*(self.names.title[id] for id in self.names.procedures), *(s for p in self.names.procedures.values() for s in p.steps)]
        if near := self.names.nearest(name, known):
            return f"did you mean `{near}`?"
        ending = next((p for p in self.names.procedures.values() if name in p.outcomes), None)
        if ending is not None:
            return f"an outcome stands behind its procedure: `{self.names.title[ending.id]} ending in {name}`"
        meant = next((p for p in self.names.procedures.values() if p.steps and self.names.title[p.id] in self.line_text), None)
        if meant is not None:
            return f"the steps of {self.names.title[meant.id]} are " + ", ".join(meant.steps)
        return "name a procedure, a step, `a roll`, `gain of ..` or `reaching ..`"

    def outcome(self, token: Token, procedure: Procedure | None) -> str:
        if procedure is None:
            return ""
        expr, _ = self.named(token, Type("outcome", procedure.id))
        return expr.id if isinstance(expr, m.Thing) else ""

    # ------------------------------------------------------------ parties

    def who(self, node: Node) -> m.Expr:
        return self.somebody(node)[0]

    def somebody(self, node: Node, does: str = "do something") -> tuple[m.Expr, Type]:
        """Whoever a sentence begins with that nothing but somebody, or some thing with points of its own, can be."""
        who, type = self.who_typed(node, ACTOR)
        if type.name in NOBODY or (type.name == "entry" and (self.names.nature_of(type.kind) == "number" or type.kind in ENGINE_KINDS)):
            self.complain("wrong-type", f"this is {type}: only somebody can {does}", node, "name who does it")
            return who, UNKNOWN
        return who, type

    def who_typed(self, node: Node, wanted: Type | None = None) -> tuple[m.Expr, Type]:
        first = node.children[0]
        if isinstance(first, Node):
            return self.ref(first, wanted)
        word = node.its("WORD")
        self.one_kind(None, word)
        kind = self.kind(word)
        member = self.member_type(kind)
        self.scope.bring(str(word), member)
        return m.Local(str(word)), member

    def member_type(self, kind: str) -> Type:
        if kind == "number":
            return NUMBER
        info = self.names.kinds.get(kind)
        return (
            Type("actor" if kind == "actor" or (info and info.nature == "actor") else "entry", "" if kind in ("actor", "entry") else kind)
            if kind
            else UNKNOWN
        )

    def party(self, node: Node, role: str) -> m.Party:
        word = node.token("WORD")
        if node.has("A", "ANOTHER") and word is not None:
            self.one_kind(node.token("A"), word)
            kind = self.kind(word)
            self.scope.bring(str(word), self.member_type(kind))
            self.scope.apart = str(word)
            return m.Party(role, None, kind, node.has("ANOTHER"))
        return m.Party(role, self.ref(node.nodes()[0])[0])

    def bind_party(self, node: Node, procedure: Procedure | None) -> m.Party:
        role = cast(Token, node.children[-1])
        wanted = self.role(role, procedure)
        if not node.has("A", "ANOTHER"):
            return m.Party(str(role), self.handed(node, wanted))
        kind_token = node.all("WORD")[0]
        self.one_kind(node.token("A"), kind_token)
        kind = self.kind(kind_token)
        self.fits(self.member_type(kind), wanted, kind_token)
        self.scope.bring(str(role), self.member_type(kind))
        return m.Party(str(role), None, kind, node.has("ANOTHER"))

    def handed(self, bind: Node, wanted: Type) -> m.Expr:
        """What a role gets: one thing, or several that are named as a group."""
        values: list[m.Expr] = []
        for node in bind.nodes():
            value, type = self.expr(node, wanted if wanted != UNKNOWN else None)
            self.fits(type, wanted, node)
            values.append(value)
        if len(values) > 1 and wanted.name not in ("group", "unknown"):
            self.complain("wrong-type", f"these are several, but here {wanted} is needed", bind, "name one, or let the role be `a group of ..`")
        return values[0] if len(values) == 1 else m.Together(tuple(values))

    def role(self, token: Token, procedure: Procedure | None) -> Type:
        if procedure is None:
            return UNKNOWN
        if str(token) in procedure.roles:
            return procedure.roles[str(token)]
        inside = [p for p in self.scope.procedures if str(token) in p.roles]
        if inside:
            return inside[0].roles[str(token)]
        near = self.names.nearest(str(token), procedure.roles)
        known = listed([f"`the {word}`" for word in procedure.roles])
        self.complain(
            "unknown-role", f"`{self.names.title[procedure.id]}` has no role called `the {token}`", token,
            f"did you mean `the {near}`?" if near else f"its roles are {known}" if known else "it has no `Roles:` line",
        )  # fmt: skip
        return UNKNOWN
