"""Second pass: the sentences that hold no others become typed nodes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, cast

from te_forge.check.events import Events
from te_forge.check.names import Names, Procedure, fold
from te_forge.diagnostics import Findings
from te_forge.model import rules as m
from te_forge.model.rules import DICE, NUMBER, UNKNOWN, Type
from te_forge.suggest import a, listed
from te_forge.syntax.tree import Node, Rule, Token

TRANSFERS: dict[str, Literal["gains", "loses", "pays"]] = {"GAIN": "gains", "LOSE": "loses", "PAY": "pays"}
GIVES: dict[str, Literal["is", "becomes", "will be"]] = {"is": "is", "becomes": "becomes", "will_be": "will be"}
PICKS: dict[str, Literal["keeps", "rerolls", "draws"]] = {"KEEP": "keeps", "REROLL": "rerolls", "DRAW": "draws"}


class Sentences(Events):
    """Reads what somebody does, or what is so."""

    def __init__(self, names: Names, findings: Findings) -> None:
        super().__init__(names, findings)
        self.ended: list[set[str]] = []
        """What was sure at each `end with` of the procedure that is being read."""

    def sentence(self, node: Node, below: list[Rule]) -> m.Sentence:
        return self.for_all(node.node("who"), lambda: self.act(node))

    def for_all(self, first: Node | None, read: Callable[[], m.Sentence]) -> m.Sentence:
        """`each keeper` is a `for each` around one sentence: the keeper is known in that only, and nobody can count on what else it brings in."""
        if first is None or not first.has("EACH"):
            return read()
        word = first.its("WORD")
        kind = self.kind(word)
        kept, self.scope = self.scope, self.scope.copy()
        made = read()
        members = m.Members(None, kind, first.has("OTHER"), self.filters(first, self.member_type(kind)))
        brought = {one: type for one, type in self.scope.locals.items() if one not in kept.locals and one != str(word)}
        self.scope = kept
        kept.locals.update(brought)
        kept.ended.add(str(word))
        return m.ForEach(members, str(word), None, (made,))

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
            case "read":
                return self.read(node)
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
                return m.Expect(self.condition(node.nodes()[0]), self.share(node))
            case "script":
                return self.script(node)
            case _:
                raise AssertionError(f"no such sentence: {node.data}")

    def share(self, node: Node) -> m.Share | None:
        """`in 29 percent`, `in 139 of 600`."""
        numbers = [int(str(token)) for token in node.all("INT")]
        if not numbers:
            return None
        if numbers[-1] == 0 and not node.has("PERCENT"):
            self.complain("divided-by-nothing", "of 0 cases there is no share", node.all("INT")[-1], "write how many cases there are, such as `in 1 of 6`")
            return None
        return m.Share(numbers[0], 100, True) if node.has("PERCENT") else m.Share(numbers[0], numbers[1], False)

    # ------------------------------------------------------------ points

    def transfer(self, node: Node) -> m.Sentence:
        who_node, amount_node = node.nodes()
        who, type = self.who_typed(who_node)
        if type.name in ("number", "dice", "choice", "outcome"):
            self.complain("wrong-type", f"this is {type}: only somebody can gain or lose", who_node, "name the one who has the points")
        verb = TRANSFERS[node.its(*TRANSFERS).type]
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

    # ------------------------------------------------------------ values

    def give(self, node: Node) -> m.Sentence:
        who, value_node, *more = node.nodes()
        how = GIVES[node.data]
        ref = who.children[0]
        plain = isinstance(ref, Node) and [getattr(child, "type", "") for child in ref.children] == ["THE", "WORD"]
        word = str(cast(Node, ref).children[1]) if plain else ""
        if plain and (how == "is" or (how == "will be" and word not in self.scope.locals)):
            return self.give_local(cast(Token, cast(Node, ref).children[1]), value_node, how)
        target, type = self.who_typed(who)
        if plain and isinstance(target, m.Local) and target.word in self.scope.foreign and self.scope.hooked and how == "becomes":
            self.hook_sets(who, target.word)
        if isinstance(target, m.Hung) and self.scope.hooked and how != "will be" and self.is_hooked_value(target.word):
            self.hook_sets(who, target.word)
        if more:
            return m.Give(target, how, self.several([value_node, *more], type))
        value, found = self.expr(value_node, None if type == UNKNOWN else type)
        self.fits(found, type, value_node)
        return m.Give(target, how, value)

    def several(self, nodes: list[Node], wanted: Type) -> m.Expr:
        """Dice put together, or a group of what is named."""
        if wanted.name not in ("dice", "group", "unknown"):
            self.complain("wrong-type", f"these are several, but here {wanted} is needed", nodes[1], "name one; only dice and groups can be put together")
        values = []
        for node in nodes:
            value, found = self.expr(node, None if wanted == UNKNOWN else wanted)
            self.fits(found, wanted, node)
            values.append(value)
        return m.Together(tuple(values))

    def is_hooked_value(self, word: str) -> bool:
        return any(word in one.values for procedure in self.scope.procedures[:1] for one in self.lineage(procedure))

    def hook_sets(self, where: Node, word: str) -> None:
        self.complain(
            "hook-sets-value", f"a rule that hooks into a procedure cannot give `{word}` its value, only change it", where,
            "say how much it changes: `is 2 more`, `is 1 less`, `is at least 1`, `cannot be lowered`",
        )  # fmt: skip

    def give_local(self, token: Token, value_node: Node, how: Literal["is", "will be"]) -> m.Sentence:
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
        return m.Give(m.Local(word), how, value)

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
        what = node.its("DO", "USE", "PAY", "GAIN", "LOSE", "TAKE")
        if not node.has("ANY"):
            kinds = {"DO": ("procedure",), "PAY": ("number",)}.get(what.type, ())
            return m.Forbid(who, str(what), self.thing(node.its("NAME"), *kinds) or "")
        word = node.its("WORD")
        kind = "procedure" if str(word) == "procedure" else self.kind(word)
        return m.Forbid(who, str(what), "", m.Members(None, kind, False, self.filters(node, self.member_type(kind))))

    # ------------------------------------------------------------ dice and choices

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
                if type.name == "number":
                    self.complain("wrong-type", "this is a number, and only dice and tables are rolled", dice, "say which dice: `rolls 2 d6`, `rolls (the owner's Might) d6`")
                continue
            specs.append(self.dice(dice, die))
        as_ = node.node("as_")
        word = str(as_.children[-1]) if as_ else ""
        if word:
            self.bring_result(word, DICE, as_)
        return m.Roll(who, tuple(specs), source, word)

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
            self.complain("no-such-die", f"two numbers say how many of `d{sides}` there are", die, f"write `{count} d{sides}` or `{count}d{sides}`, without the number in front")
        number: m.Expr = self.number(rest[0]) if rest else m.Int(int(count or 1))
        return m.DiceSpec(number, max(int(sides), 1), exploding)

    def bring_result(self, word: str, type: Type, where: Node | None) -> None:
        """`as the roll`: a value hung on the doer where a procedure declares one, a local otherwise."""
        self.scope.bring(word, type)

    def pick(self, node: Node) -> m.Sentence:
        who = self.who(node.nodes()[0])
        verb = PICKS[node.its(*PICKS).type]
        pick = node.part("pick")
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
        token = node.its("WORD", "NUMBER")
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

    # ------------------------------------------------------------ procedures and examples

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
        token = node.its("NAME", "WORD")
        procedure = next((p for p in self.scope.procedures if p.outcomes), None)
        if procedure is None:
            self.complain("unknown-outcome", "nothing here has outcomes", token, "list them in the procedure: `- Outcomes: Success, Failure`")
            return m.EndWith("")
        if procedure is self.scope.procedures[-1]:
            self.ended.append(set(self.scope.sure))
        if token.type == "WORD":
            return m.EndWith(procedure.id, self.result(token, procedure))
        return m.EndWith(self.outcome(token, procedure))

    def result(self, token: Token, procedure: Procedure) -> m.Expr:
        """`end with the attempt`: what came of another procedure, where each of its outcomes is one here."""
        word, type = self.word(token)
        made = self.names.procedures.get(type.kind) if type.name == "outcome" else None
        if made is None:
            if type != UNKNOWN:
                self.complain("wrong-type", f"this is {type}, not what came of a procedure", token, "name the result where it is made: `do .. as the result`")
        elif missing := [name for name in made.outcomes if name not in procedure.outcomes]:
            help = f"add it to `- Outcomes:`, or say what happens then: `if the {token} is {missing[0]}: ..`"
            self.complain("unknown-outcome", f"`{self.names.title[made.id]}` can end with {missing[0]}, and `{self.names.title[procedure.id]}` has no such outcome", token, help)
        elif not made.outcomes:
            self.complain("unknown-outcome", f"`{self.names.title[made.id]}` has no outcomes", token, "list them there: `- Outcomes: Success, Failure`")
        return word

    def go_back(self, node: Node) -> m.Sentence:
        token = node.its("NAME")
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
