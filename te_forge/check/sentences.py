"""Second pass, upper half: openers, events and sentences become typed nodes, and what has a value where is followed along.

Definite assignment: a local is `sure` once every path to here gave it a value. A branch that ends (`end with`, `go back to`) does not count, since nothing comes after it.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import Literal, cast

from te_forge.check.names import Names, Procedure, fold
from te_forge.check.numbers import Reader, Scope
from te_forge.diagnostics import Findings
from te_forge.model import rules as m
from te_forge.model.rules import DICE, NUMBER, UNKNOWN, Type
from te_forge.suggest import a, listed
from te_forge.syntax.tree import Node, Rule, Token

Body = tuple[m.Sentence, ...]


UNREAD_IF = re.compile(r"(?:[^:]*: )?(?:otherwise,? )?if\b", re.IGNORECASE)
"""Begins an `if` that could not be read: its `otherwise` is not lost."""


class Sentences(Reader):
    """Reads rule lines with what is set in below them. `after_if` is what was sure at the end of the last branch read."""

    def __init__(self, names: Names, findings: Findings) -> None:
        super().__init__(names, findings)
        self.after_if: set[str] = set()
        self.line_text = ""
        self.patching = False
        """A line of a patch takes the place of another, so its neighbours are not the ones above it in the page."""
        self.ended: list[set[str]] = []
        """What was sure at each `end with` of the procedure that is being read."""

    # ------------------------------------------------------------ lines and bodies

    def body(self, rules: list[Rule]) -> Body:
        """Lines one after the other, in this scope. `lower` (see `te_forge.check.lower`) records the words of each."""
        out: list[m.Sentence] = []
        branches = Branches(self.scope)
        unread_if = False
        for rule in rules:
            chained = self.starts_otherwise(rule)
            if chained and not branches.open and not self.patching and not unread_if:
                self.span = rule.span
                self.findings.add(
                    "lost-otherwise", "this `otherwise` has no `if` on the line directly above it", rule.span, help="put the `if` line above it, among the same neighbours"
                )
            unread_if = (rule.tree is None and UNREAD_IF.match(rule.text) is not None) or (chained and unread_if)
            meaning = self.rule(rule, branches if chained else None)
            if not chained:
                branches.close()
            out += meaning
            first = meaning[0] if len(meaning) == 1 else None
            if isinstance(first, m.If):
                branches.add(first, self.after_if)
            else:
                branches.close()
        branches.close()
        return tuple(out)

    @staticmethod
    def starts_otherwise(rule: Rule) -> bool:
        if rule.tree is None:
            return False
        node = rule.tree.node("says", "opens")
        return node is not None and any(child.data == "otherwise" for child in node.nodes()[:1])

    def rule(self, rule: Rule, branches: Branches | None = None) -> Body:
        """The meaning of one line (with the lines below it)."""
        raise NotImplementedError

    def says(self, node: Node, below: list[Rule]) -> Body:
        """`says` or `opens`: a sentence, more of them behind semicolons, or an opener with what it holds."""
        first, *rest = node.nodes()
        if first.data in OPENERS:
            return (self.opener(first, rest[0] if rest else None, below),)
        sentence = self.sentence(first, below)
        if not rest:
            return (sentence,)
        return (sentence, *self.says(rest[0], below))

    def inner(self, rest: Node | None, below: list[Rule]) -> Body:
        return self.says(rest, below) if rest is not None else self.body(below)

    # ------------------------------------------------------------ openers

    def opener(self, node: Node, rest: Node | None, below: list[Rule]) -> m.Sentence:
        match node.data:
            case "on" | "instead":
                return self.hook(node, rest, below)
            case "if" | "otherwise":
                return self.branch(node, rest, below)
            case "while":
                condition = self.condition(node.nodes()[0])
                return m.While(condition, self.inner(rest, below))
            case "limited":
                return m.Limited(self.limit(node.nodes()[0]), self.inner(rest, below))
            case "until":
                token = cast(Token, node.token("NAME"))
                return m.Until(self.thing(token, "procedure") or "", self.inner(rest, below))
            case "in_next":
                span = self.thing(cast(Token, node.token("NAME")), "procedure") or ""
                who, _ = self.ref(node.nodes()[0])
                return m.InNext(span, who, self.inside(span, rest, below))
            case "for_each":
                return self.for_each(node, rest, below)
            case "repeat":
                times = self.number(node.nodes()[0])
                return m.Repeat(times, self.looped(rest, below))
            case "may":
                return self.may(node, rest, below)
            case _:
                return self.choose_one(node, below)

    def inside(self, procedure: str, rest: Node | None, below: list[Rule]) -> Body:
        """A body that runs inside a later procedure: what that one declares is in reach."""
        kept = self.scope
        self.scope = kept.copy()
        if made := self.names.procedures.get(procedure):
            self.scope.procedures.insert(0, made)
        try:
            return self.inner(rest, below)
        finally:
            self.scope = kept

    def looped(self, rest: Node | None, below: list[Rule]) -> Body:
        """A body that may run no time at all: what it brings in is not sure afterwards."""
        sure = set(self.scope.sure)
        out = self.inner(rest, below)
        self.scope.sure = sure | (self.scope.sure & sure)
        return out

    def branch(self, node: Node, rest: Node | None, below: list[Rule]) -> m.Sentence:
        condition = self.condition(node.nodes()[0]) if node.nodes() else None
        before = set(self.scope.sure)
        out = self.inner(rest, below)
        self.after_if = set(self.scope.sure)
        self.scope.sure = before
        return m.If(condition, out, node.data == "otherwise")

    def limit(self, node: Node) -> m.Limit:
        times = int(str(node.token("INT"))) if node.has("INT") else 1
        return m.Limit(times, self.thing(cast(Token, node.token("NAME")), "procedure") or "")

    def for_each(self, node: Node, rest: Node | None, below: list[Rule]) -> m.Sentence:
        token = cast(Token, node.token("WORD"))
        kind = self.kind(token)
        member = self.member_type(kind)
        of = next((self.ref(child)[0] for child in node.nodes() if child.data == "ref"), None)
        order_node, as_ = node.node("order"), node.node("as_")
        where = self.filters(node, member)
        order: m.Expr | None = None
        if order_node is not None:
            name = order_node.token("NAME")
            order = m.Thing(self.thing(name, "number") or "") if name is not None else self.ref(order_node.nodes()[0])[0]
        word = str(as_.children[-1]) if as_ else str(token)
        kept = (self.scope.locals.get(word), word in self.scope.sure, set(self.scope.sure))
        self.scope.bring(word, member)
        out = self.inner(rest, below)
        self.scope.sure = kept[2]
        return m.ForEach(m.Members(of, kind, node.has("OTHER"), where), word, order, out)

    def member_type(self, kind: str) -> Type:
        if kind == "number":
            return NUMBER
        info = self.names.kinds.get(kind)
        return Type("actor" if kind == "actor" or (info and info.nature == "actor") else "entry", "" if kind in ("actor", "entry") else kind) if kind else UNKNOWN

    def may(self, node: Node, rest: Node | None, below: list[Rule]) -> m.Sentence:
        who, type = self.who_typed(node.nodes()[0])
        pays: m.Amount | Literal["cost"] | None = None
        if node.has("PAY"):
            amount = node.node("amount")
            pays = self.amount(amount) if amount is not None else "cost"
            if amount is not None and isinstance(pays, m.Amount):
                self.had(pays.stat, type, amount)
        agree = str(node.token("STRING") or '""')[1:-1]
        return m.May(who, pays, agree, self.looped(rest, below))

    def choose_one(self, node: Node, below: list[Rule]) -> m.Sentence:
        who = self.who(node.nodes()[0])
        as_ = node.node("as_")
        word = str(as_.children[-1]) if as_ else ""
        labels = tuple(label for rule in below if (label := self.label(rule)))
        if word:
            self.scope.bring(word, Type("choice", "", labels))
            if (slot := self.value_slot(word)) is not None:
                self.scope.locals[word] = slot
        ends: list[set[str]] = []
        options: list[m.Option] = []
        before = set(self.scope.sure)
        for rule in below:
            self.scope.sure = set(before)
            options.append(m.Option(self.label(rule), self.rule(rule)))
            ends.append(set(self.scope.sure))
        may = node.has("MAY", "ANY")
        self.scope.sure = before if may or not ends else set.intersection(*ends)
        return m.ChooseOne(who, node.has("ANY"), node.has("MAY"), word, tuple(options))

    def label(self, rule: Rule) -> str:
        node = rule.tree.node("label") if rule.tree is not None else None
        return fold(str(node.children[0])) if node is not None else ""

    # ------------------------------------------------------------ hooks

    def hook(self, node: Node, rest: Node | None, below: list[Rule]) -> m.Sentence:
        kept = self.scope
        self.scope = kept.copy()
        when: Literal["before", "after", "instead"] = "instead" if node.data == "instead" else "before" if node.has("BEFORE") else "after"
        event = self.event(node.nodes()[0], when == "after")
        self.scope.hooked = True
        try:
            return m.On(when, event, self.inner(rest, below))
        finally:
            self.scope = kept

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
                parties.append(self.party(cast(Node, detail.node("party")), ""))
            elif detail.has("ENDING"):
                ending = self.outcome(cast(Token, detail.token("NAME")), procedure)
            elif detail.has("IN"):
                id = self.thing(cast(Token, detail.token("NAME")), "procedure") or ""
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
            id = self.thing(cast(Token, node.token("NAME")), "number") or ""
            return m.Event("level", id, self.number(node.nodes()[0]), node.has("MULTIPLE"))
        if node.has("GAIN", "LOSS"):
            token = cast(Token, node.token("NAME"))
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
        if len(owners) > 1 and self.names.title[chosen.id] not in self.line_text:
            self.complain("ambiguous-name", f"several procedures have a step `{name}`", token, f"say which: `{name} in {self.names.title[chosen.id]}`")
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

    def party(self, node: Node, role: str) -> m.Party:
        word = node.token("WORD")
        if node.has("A", "ANOTHER") and word is not None:
            kind = self.kind(word)
            self.scope.bring(str(word), self.member_type(kind))
            return m.Party(role, None, kind, node.has("ANOTHER"))
        return m.Party(role, self.ref(node.nodes()[0])[0])

    def bind_party(self, node: Node, procedure: Procedure | None) -> m.Party:
        role = cast(Token, node.children[-1])
        wanted = self.role(role, procedure)
        if not node.has("A", "ANOTHER"):
            return m.Party(str(role), self.handed(node, wanted))
        kind_token = node.all("WORD")[0]
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

    # ------------------------------------------------------------ sentences

    def who(self, node: Node) -> m.Expr:
        return self.who_typed(node)[0]

    def who_typed(self, node: Node, wanted: Type | None = None) -> tuple[m.Expr, Type]:
        first = node.children[0]
        if isinstance(first, Node):
            return self.ref(first, wanted)
        word = cast(Token, node.token("WORD"))
        kind = self.kind(word)
        member = self.member_type(kind)
        self.scope.bring(str(word), member)
        return m.Local(str(word)), member

    def sentence(self, node: Node, below: list[Rule]) -> m.Sentence:
        made = self.act(node)
        first = node.node("who")
        if first is not None and first.has("EACH"):
            word = cast(Token, first.token("WORD"))
            kind = self.kind(word)
            members = m.Members(None, kind, first.has("OTHER"), self.filters(first, self.member_type(kind)))
            return m.ForEach(members, str(word), None, (made,))
        return made

    def act(self, node: Node) -> m.Sentence:
        match node.data:
            case "transfer":
                return self.transfer(node)
            case "is" | "becomes" | "will_be":
                return self.give(node)
            case "more" | "times_as_much" | "limit_to":
                return self.contribute(node)
            case "lock":
                return m.Lock(self.who(node.nodes()[0]), "lowered" if node.has("LOWERED") else "raised")
            case "forbid":
                return self.forbid(node)
            case "roll":
                return self.roll(node)
            case "pick":
                return self.pick(node)
            case "choose":
                return self.choose(node)
            case "divide":
                return self.divide(node)
            case "carry":
                return self.carry(node)
            case "do":
                return self.do(node)
            case "end_with":
                return self.end_with(node)
            case "go_back":
                return self.go_back(node)
            case "say":
                return m.Say(self.who(node.nodes()[0]), str(node.token("STRING"))[1:-1])
            case "expect":
                return m.Expect(self.condition(node.nodes()[0]))
            case "script":
                return self.script(node)
            case _:
                raise AssertionError(f"no such sentence: {node.data}")

    def transfer(self, node: Node) -> m.Sentence:
        who_node, amount_node = node.nodes()
        who, type = self.who_typed(who_node)
        if type.name in ("number", "dice", "choice", "outcome"):
            self.complain("wrong-type", f"this is {type}: only somebody can gain or lose", who_node, "name the one who has the points")
        verb = cast(Literal["gains", "loses", "pays"], {"GAIN": "gains", "LOSE": "loses", "PAY": "pays"}[cast(Token, node.token("GAIN", "LOSE", "PAY")).type])
        amount = self.amount(amount_node)
        self.had(amount.stat, type, amount_node)
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
        name, counted, as_ = node.token("NAME"), node.node("counted"), node.node("as_")
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
            word = str(cast(Node, as_).children[-1])
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

    def give(self, node: Node) -> m.Sentence:
        who, value_node = node.nodes()
        how = cast(Literal["is", "becomes", "will be"], {"is": "is", "becomes": "becomes", "will_be": "will be"}[node.data])
        ref = who.children[0]
        plain = isinstance(ref, Node) and [getattr(child, "type", "") for child in ref.children] == ["THE", "WORD"]
        if plain and how == "is":
            return self.give_local(cast(Token, cast(Node, ref).children[1]), value_node)
        target, type = self.who_typed(who)
        if plain and isinstance(target, m.Local) and target.word in self.scope.foreign and self.scope.hooked and how == "becomes":
            self.hook_sets(who, target.word)
        if isinstance(target, m.Hung) and self.scope.hooked and how != "will be" and self.is_hooked_value(target.word):
            self.hook_sets(who, target.word)
        value, found = self.expr(value_node, None if type == UNKNOWN else type)
        self.fits(found, type, value_node)
        return m.Give(target, how, value)

    def is_hooked_value(self, word: str) -> bool:
        return False

    def hook_sets(self, where: Node, word: str) -> None:
        self.complain(
            "hook-sets-value", f"a rule that hooks into a procedure cannot give `{word}` its value, only change it", where,
            "say how much it changes: `is 2 more`, `is 1 less`, `is at least 1`, `cannot be lowered`",
        )  # fmt: skip

    def give_local(self, token: Token, value_node: Node) -> m.Sentence:
        word = str(token)
        slot = self.value_slot(word) if word not in self.scope.locals else None
        if word in self.scope.foreign and self.scope.hooked:
            self.hook_sets(value_node, word)
        wanted = self.scope.locals.get(word, slot)
        value, type = self.expr(value_node, wanted if wanted is not None and wanted.name in ("number", "choice") else None)
        if type.name == "entry" and isinstance(value, m.Thing) and self.names.nature(value.id) == "number" and wanted is None:
            value, type = self.bare(value.id, value_node), NUMBER
        if wanted is not None:
            self.fits(type, wanted, value_node)
        self.scope.bring(word, wanted if wanted is not None and wanted != UNKNOWN else type)
        return m.Give(m.Local(word), "is", value)

    def contribute(self, node: Node) -> m.Sentence:
        who, amount = node.nodes()[0], node.nodes()[1]
        if isinstance(who.children[0], Node):
            self.may_be_unset(who.children[0])
        target, type = self.who_typed(who, NUMBER)
        self.fits(type, NUMBER, who)
        how: Literal["more", "less", "times", "at least", "at most"]
        if node.data == "more":
            how = "more" if node.has("MORE") else "less"
        elif node.data == "times_as_much":
            how = "times"
        else:
            how = "at least" if node.has("LEAST") else "at most"
        return m.Contribute(target, how, self.number(amount), node.has("ALL"))

    def forbid(self, node: Node) -> m.Sentence:
        who = self.who(node.nodes()[0])
        what = cast(Token, node.token("DO", "USE", "PAY", "GAIN", "LOSE", "TAKE"))
        if not node.has("ANY"):
            kinds = {"DO": ("procedure",), "PAY": ("number",)}.get(what.type, ())
            return m.Forbid(who, str(what), self.thing(cast(Token, node.token("NAME")), *kinds) or "")
        word = cast(Token, node.token("WORD"))
        kind = "procedure" if str(word) == "procedure" else self.kind(word)
        return m.Forbid(who, str(what), "", m.Members(None, kind, False, self.filters(node, self.member_type(kind))))

    def roll(self, node: Node) -> m.Sentence:
        who_node, *dice_nodes = [child for child in node.nodes() if child.data != "as_"]
        who = self.who(who_node)
        specs: list[m.DiceSpec] = []
        source: m.Expr | None = None
        for dice in dice_nodes:
            die = dice.token("DIE")
            if die is None:
                source = self.expr(dice.nodes()[0])[0]
                continue
            specs.append(self.dice(dice, die))
        as_ = node.node("as_")
        word = str(as_.children[-1]) if as_ else ""
        if word:
            self.bring_result(word, DICE, as_)
        return m.Roll(who, tuple(specs), source, word)

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
        number: m.Expr = self.number(rest[0]) if rest else m.Int(int(count or 1))
        return m.DiceSpec(number, max(int(sides), 1), exploding)

    def bring_result(self, word: str, type: Type, where: Node | None) -> None:
        """`as the roll`: a value hung on the doer where a procedure declares one, a local otherwise."""
        self.scope.bring(word, type)

    def pick(self, node: Node) -> m.Sentence:
        who = self.who(node.nodes()[0])
        verb = cast(Literal["keeps", "rerolls", "draws"], {"KEEP": "keeps", "REROLL": "rerolls", "DRAW": "draws"}[cast(Token, node.token("KEEP", "REROLL", "DRAW")).type])
        pick = cast(Node, node.node("pick"))
        how: Literal["exactly", "up to", "all", "highest", "lowest"] = (
            "all" if pick.has("ALL") else "up to" if pick.has("UP") else "highest" if pick.has("HIGHEST") else "lowest" if pick.has("LOWEST") else "exactly"
        )
        count = self.number(pick.nodes()[0]) if pick.nodes() else None
        ref = next(child for child in node.nodes()[1:] if child.data == "ref")
        source, type = self.ref(ref)
        if verb != "draws":
            self.fits(type, DICE, ref)
        as_ = node.node("as_")
        word = str(as_.children[-1]) if as_ else ""
        if word:
            self.bring_result(word, UNKNOWN if verb == "draws" else DICE, as_)
        return m.Pick(who, verb, how, count, source, word)

    def choose(self, node: Node) -> m.Sentence:
        who = self.who(node.nodes()[0])
        token = cast(Token, node.token("WORD", "NUMBER"))
        as_ = node.node("as_")
        word = str(as_.children[-1]) if as_ else str(token)
        if node.has("FROM"):
            exprs = [child for child in node.nodes()[1:] if child.data != "as_"]
            low, high = self.number(exprs[-2]), self.number(exprs[-1])
            self.scope.bring(word, NUMBER)
            return m.Choose(who, m.Range(low, high), word)
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
            return m.DivideUp(who, node.has("EXACTLY"), amount, self.kind(token), ())
        places: list[m.Expr] = []
        for ref in nodes[2:]:
            words = [child for child in ref.children if isinstance(child, Token)]
            if [token.type for token in words] == ["THE", "WORD"]:
                self.scope.bring(str(words[1]), self.scope.locals.get(str(words[1]), NUMBER))
            places.append(self.ref(ref, NUMBER)[0])
        return m.DivideUp(who, node.has("EXACTLY"), amount, "", tuple(places))

    def carry(self, node: Node) -> m.Sentence:
        who, carrier = self.who_typed(node.nodes()[0])
        trait, type = self.ref(node.nodes()[1])
        if type.name in ("number", "dice", "choice", "outcome") or (type.kind and self.names.nature_of(type.kind) in ("number", "actor")):
            self.complain("wrong-type", f"this is {type}: only a trait can be taken or dropped", node.nodes()[1], "points are gained and lost")
        else:
            self.had(trait, carrier, node.nodes()[1])
        return m.Carry(who, node.has("TAKE"), trait)

    def do(self, node: Node) -> m.Sentence:
        target, *rest = node.nodes()
        token = target.token("NAME")
        if token is None or len(target.children) != 1:
            self.complain("wrong-kind", "only a procedure can be done", target, "write its name: `do Downpour`")
            return m.Do("", (), "")
        if rolled := self.names.find(str(token), ("table", "deck")) if not self.names.find(str(token), ("procedure",)) else []:
            kind, name = self.names.kind_of[rolled[0]], self.names.title[rolled[0]]
            help = f"a table is rolled: `the .. rolls {name}`" if kind == "table" else f"cards are drawn: `the .. draws 1 of {name}`"
            self.complain("wrong-kind", f"`{name}` is a {kind}, and only a procedure can be done", token, help)
            return m.Do("", (), "")
        id = self.thing(token, "procedure")
        procedure = self.names.procedures.get(id or "")
        roles: list[tuple[str, m.Expr]] = []
        for bind in [child for child in rest if child.data == "bind"]:
            role = cast(Token, bind.children[-1])
            wanted = self.role(role, procedure)
            roles.append((str(role), self.handed(bind, wanted)))
        if procedure is not None:
            missing = [word for word in procedure.roles if word not in dict(roles)]
            if missing and not self.scope.example:
                self.complain(
                    "missing-role", f"`{self.names.title[procedure.id]}` needs " + " and ".join(f"`the {word}`" for word in missing), target,
                    f"add `with .. as the {missing[0]}`",
                )  # fmt: skip
        as_ = next((child for child in rest if child.data == "as_"), None)
        word = str(as_.children[-1]) if as_ is not None else ""
        if word:
            self.scope.bring(word, Type("outcome", id or ""))
        return m.Do(id or "", tuple(roles), word)

    def end_with(self, node: Node) -> m.Sentence:
        token = cast(Token, node.token("NAME"))
        procedure = next((p for p in self.scope.procedures if p.outcomes), None)
        if procedure is None:
            self.complain("unknown-outcome", "nothing here has outcomes", token, "list them in the procedure: `- Outcomes: Success, Failure`")
            return m.EndWith("")
        if procedure is self.scope.procedures[-1]:
            self.ended.append(set(self.scope.sure))
        return m.EndWith(self.outcome(token, procedure))

    def go_back(self, node: Node) -> m.Sentence:
        token = cast(Token, node.token("NAME"))
        name = fold(str(token))
        for procedure in self.scope.procedures:
            if name in procedure.steps:
                self.link(token, procedure.id)
                return m.GoBack(procedure.steps[name])
        steps = [step for procedure in self.scope.procedures for step in procedure.steps]
        near = self.names.nearest(name, steps)
        self.complain("unknown-step", f"no step here is called `{name}`", token, f"did you mean `{near}`?" if near else "the steps are " + listed(steps) if steps else "")
        return m.GoBack("")

    def script(self, node: Node) -> m.Sentence:
        who = self.who(node.nodes()[0])
        what: list[m.Expr | str] = []
        for child in node.nodes()[1:]:
            name = child.token("NAME") if child.data == "ref" and len(child.children) == 1 else None
            if name is not None:
                what.append(self.picked(name))
            else:
                what.append(self.expr(child)[0])
        return m.Script(who, "shows" if node.has("SHOW") else "picks", tuple(what))

    def picked(self, token: Token) -> str:
        """A name in a script: an entry, or an option's label."""
        name = fold(str(token))
        found = self.names.find(name)
        if found:
            self.link(token, found[0])
            return found[0]
        if name not in self.names.words and name not in self.scope.options:
            self.unknown_name(token)
        return name


class Branches:
    """Follows an `if` chain over sibling lines: after it, sure is what every branch made sure."""

    def __init__(self, scope: Scope) -> None:
        self.scope = scope
        self.ends: list[set[str]] = []
        self.open = False
        self.whole = False

    def add(self, branch: m.If, sure: set[str]) -> None:
        if not branch.chained:
            self.close()
        self.open = branch.condition is not None
        self.whole = branch.condition is None
        if not leaves(branch.body):
            self.ends.append(sure)
        if self.whole:
            self.close()

    def close(self) -> None:
        if self.whole and self.ends:
            self.scope.sure |= set.intersection(*self.ends)
        self.ends, self.open, self.whole = [], False, False


def leaves(body: Body) -> bool:
    """Whether nothing can come after this body."""
    return any(isinstance(one, m.EndWith | m.GoBack) for one in body)


OPENERS = frozenset(["limited", "on", "instead", "while", "if", "otherwise", "until", "in_next", "for_each", "repeat", "may", "choose_one"])
