"""Second pass: the sentences that hold no others become typed nodes."""

from __future__ import annotations

from collections.abc import Callable
from typing import cast

from te_forge.check.choosing import Choosing
from te_forge.check.holds import called
from te_forge.check.names import OF_THE_BOOK, Names, Procedure
from te_forge.diagnostics import Findings
from te_forge.keys import fold
from te_forge.model import rules as m
from te_forge.model.rules import UNKNOWN, Type
from te_forge.suggest import listed
from te_forge.syntax.tree import Node, Rule, Token


class Sentences(Choosing):
    """Knows which sentence a line is, and reads what procedures and examples say."""

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
        members = m.Members(None, kind, first.has("OTHER"), self.others(first, self.member_type(kind)))
        brought = {one: type for one, type in self.scope.locals.items() if one not in kept.locals and one != str(word)}
        self.scope = kept
        kept.locals.update(brought)
        kept.ended.add(str(word))
        return m.ForEach(members, str(word), None, (made,))

    def act(self, node: Node) -> m.Sentence:
        first = node.children[0]
        if isinstance(first, Node) and first.data == "who":
            self.agrees(first, node)
        match node.data:
            case "transfer":
                return self.transfer(node)
            case "is" | "becomes" | "will_be":
                return self.give(node)
            case "more" | "times_as_much" | "limit_to":
                return self.contribute(node)
            case "lock":
                return m.Lock(self.who_typed(node.nodes()[0])[0], "lowered" if node.has("LOWERED") else "raised")
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
            self.complain(
                "divided-by-nothing", "of 0 cases there is no share", node.all("INT")[-1], "write how many cases there are, such as `in 1 of 6`"
            )
            return None
        return m.Share(numbers[0], 100, True) if node.has("PERCENT") else m.Share(numbers[0], numbers[1], False)

    # ------------------------------------------------------------ procedures and examples

    def forbid(self, node: Node) -> m.Sentence:
        who = self.who(node.nodes()[0])
        what = node.its("DO", "USE", "PAY", "GAIN", "LOSE", "TAKE")
        if not node.has("ANY"):
            kinds = {"DO": ("procedure",), "PAY": ("number",)}.get(what.type, ())
            id = self.thing(node.its("NAME"), *kinds) or ""
            self.is_any(self.thing_type(id) if id else UNKNOWN, OF_THE_BOOK, f"nobody could {what} one", node.its("NAME"))
            return m.Forbid(who, str(what), id)
        word = node.its("WORD")
        kind = "procedure" if str(word) == "procedure" else self.kind(word)
        return m.Forbid(who, str(what), "", m.Members(None, kind, False, self.filters(node, self.member_type(kind))))

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
            missing = [word for word, type in procedure.roles.items() if word not in dict(roles) and type != UNKNOWN]
            if missing and not self.scope.example:
                self.complain(
                    "missing-role", f"`{self.names.title[procedure.id]}` needs " + " and ".join(f"`the {word}`" for word in missing), target,
                    f"add `with .. as the {missing[0]}`",
                )  # fmt: skip
        word = called(node)
        if word:
            self.scope.bring(word, Type("outcome", id or ""))
        return m.Do(id or "", tuple(roles), word)

    def end_with(self, node: Node) -> m.Sentence:
        token = node.its("NAME", "WORD")
        self.ends(node, "end")
        procedure = next((p for p in self.scope.procedures if p.outcomes), None)
        if procedure is None:
            if self.scope.unsure:
                return m.EndWith("")
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
                self.complain(
                    "wrong-type", f"this is {type}, not what came of a procedure", token, "name the result where it is made: `do .. as the result`"
                )
        elif missing := [name for name in made.outcomes if name not in procedure.outcomes]:
            help = f"add it to `- Outcomes:`, or say what happens then: `if the {token} is {missing[0]}: ..`"
            self.complain(
                "unknown-outcome",
                f"`{self.names.title[made.id]}` can end with {missing[0]}, and `{self.names.title[procedure.id]}` has no such outcome",
                token,
                help,
            )
        elif not made.outcomes:
            self.complain(
                "unknown-outcome", f"`{self.names.title[made.id]}` has no outcomes", token, "list them there: `- Outcomes: Success, Failure`"
            )
        return word

    def go_back(self, node: Node) -> m.Sentence:
        token = node.its("NAME")
        name = fold(str(token))
        for procedure in self.scope.procedures:
            if name in procedure.steps:
                self.link(token, procedure.id)
                return m.GoBack(procedure.steps[name])
        if self.scope.unsure:
            return m.GoBack("")
        steps = [step for procedure in self.scope.procedures for step in procedure.steps]
        near = self.names.nearest(name, steps)
        self.complain(
            "unknown-step",
            f"no step here is called `{name}`",
            token,
            f"did you mean `{near}`?" if near else "the steps are " + listed(steps) if steps else "",
        )
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
        if name not in self.scope.people and name not in self.names.words and name not in self.names.labels:
            self.unknown_name(token)
        return name
