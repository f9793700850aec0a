"""Second pass, lower half: names, numbers, groups and conditions become typed nodes.

`Reader` reads the tree of one line at a time in a `Scope`. Every complaint is one method's worth of words; what could not be understood has the type UNKNOWN,
and UNKNOWN fits everywhere, so one mistake is said once.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import chain
from typing import Literal, cast

from te_forge.check.names import ENGINE_KINDS, Names, Procedure, fold, slug
from te_forge.diagnostics import Findings
from te_forge.model import rules as m
from te_forge.model.rules import NUMBER, UNKNOWN, Type
from te_forge.source import Span
from te_forge.suggest import a, listed
from te_forge.syntax.tree import Node, Token

BOUNDS = ("start", "least", "most", "gain", "loss")
COMPARES = {"ABOVE": "above", "BELOW": "below", "AT": "at"}


@dataclass(slots=True)
class Scope:
    """What `the words` on a line may mean.

    `locals` are all words with a type; `sure` those that have got a value on every path up to here; `procedures` the ones whose values and roles are in reach, nearest first.
    `hooked` is True inside `before | after | instead of`: there, values of the hooked procedure may only be contributed to.
    """

    owner: Type | None = None
    locals: dict[str, Type] = field(default_factory=dict)
    sure: set[str] = field(default_factory=set)
    procedures: list[Procedure] = field(default_factory=list)
    hooked: bool = False
    foreign: set[str] = field(default_factory=set)
    options: set[str] = field(default_factory=set)
    example: bool = False
    people: dict[str, Type] = field(default_factory=dict)
    """Who an example brings in by name."""

    def copy(self) -> Scope:
        return Scope(
            self.owner, dict(self.locals), set(self.sure), list(self.procedures), self.hooked, set(self.foreign), set(self.options), self.example, self.people
        )  # fmt: skip

    def bring(self, word: str, type: Type) -> None:
        self.locals[word] = type
        self.sure.add(word)
        self.foreign.discard(word)


class Reader:
    """Turns trees into nodes. `links` gathers, for the line at hand, which name stands for which id (by position)."""

    def __init__(self, names: Names, findings: Findings) -> None:
        self.names, self.findings = names, findings
        self.scope = Scope()
        self.span = Span("", 1, 1, 1)
        self.links: dict[int, str] = {}

    # ------------------------------------------------------------ complaints

    def place(self, what: Node | Token) -> Span:
        start = what.column if isinstance(what, Node) else what.start_pos or 0
        end = what.end if isinstance(what, Node) else what.end_pos or start + 1
        return Span(self.span.file, self.span.line, self.span.column + start, self.span.column + max(end, start + 1))

    def complain(self, code: str, message: str, where: Node | Token, help: str = "") -> None:
        self.findings.add(code, message, self.place(where), help=help)

    def unknown_name(self, token: Token, kinds: tuple[str, ...] = ()) -> None:
        name = fold(str(token))
        known = self.names.find(name)
        if known and kinds:
            found, needed, near = a(self.names.kind_of[known[0]]), " or ".join(map(a, kinds)), self.names.suggest(name, kinds)
            help = f"did you mean `{near}`?" if near else f"write the name of {needed}"
            self.complain("wrong-kind", f"`{name}` is {found}, but here {needed} is needed", token, help)
            return
        near = self.names.suggest(name, kinds)
        help = f"did you mean `{near}`?" if near else "define it, or check the spelling"
        if (kind := self.names.kind(name.lower())) is not None:
            help = f"a kind is written small: `{'the' if kind.single else 'each'} {kind.name}`"
        self.complain("unknown-name", f"nothing is called `{name}`", token, help)

    def fits(self, found: Type, wanted: Type | None, where: Node | Token) -> None:
        if wanted is None or found is wanted or self.agree(found, wanted):
            return
        help = "say what counts of the dice: `sum of ..`, `highest of ..`, `number of ..`" if found.name == "dice" and wanted == NUMBER else f"put {wanted} here"
        self.complain("wrong-type", f"this is {found}, but here {wanted} is needed", where, help)

    def agree(self, found: Type, wanted: Type) -> bool:
        if found.name == wanted.name:
            return wanted.name not in ("actor", "entry") or self.names.is_a(found.kind, wanted.kind) or self.names.is_a(wanted.kind, found.kind)
        pair = {found.name, wanted.name}
        if wanted.name == "actor" and found.name == "entry" and self.names.nature_of(found.kind) in ("number", "trait"):
            return False
        if pair == {"actor", "entry"}:
            return self.names.is_a(found.kind, wanted.kind) or wanted.kind in ("", "entry") or found.kind in ("", "entry")
        return "unknown" in pair or pair == {"group", "actor"} or pair == {"group", "entry"} or pair == {"number", "change"} or pair == {"choice", "text"}

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
            self.complain(
                "ambiguous-name", f"`{fold(str(token))}` could be {fitting}", token, "give one of them another name; here both would fit"
            )
        self.link(token, found[0])
        return found[0]

    def thing_type(self, id: str) -> Type:
        kind = self.names.kind_of.get(id, "")
        if kind not in self.names.kinds and kind not in ENGINE_KINDS:
            return UNKNOWN  # an unknown kind has been complained about where the thing is defined
        return Type("actor" if self.names.nature(id) == "actor" else "entry", kind)

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
                return self.named(name, wanted)
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
                near = self.names.nearest(name, procedure.outcomes)
                self.complain(
                    "unknown-outcome", f"`{self.names.title[procedure.id]}` has no outcome called `{name}`", token,
                    f"did you mean `{near}`?" if near else "its outcomes are " + listed(procedure.outcomes) if procedure.outcomes else "it has no `Outcomes:` line",
                )  # fmt: skip
                return m.Int(0), UNKNOWN
        if name in self.scope.people:
            return m.Thing(name), self.scope.people[name]
        kinds = (wanted.kind,) if wanted is not None and wanted.name in ("entry", "actor") and wanted.kind not in ("", "entry") and self.names.find(name, (wanted.kind,)) else ()
        if not self.names.find(name, kinds) and (name in self.names.words or name in self.scope.options):
            return m.Thing(name), Type("choice", "", (name,)) if wanted is None else wanted
        id = self.thing(token, *kinds)
        if id is None:
            return m.Int(0), UNKNOWN
        if self.names.nature(id) == "number" and wanted is not None and wanted.name == "number":
            return self.bare(id, token), NUMBER
        return m.Thing(id), self.thing_type(id)

    def bare(self, id: str, where: Node | Token) -> m.Expr:
        """A number that is named without whose it is."""
        holder = self.holder(id)
        if holder == m.Local("owner") and self.scope.owner is None:
            name = self.names.title[id]
            self.complain("number-of-another", f"nothing says whose {name} is meant", where, f"write whose, for example `the actor's {name}`")
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
                    "maybe-unset", f"`the {word}` has no value here on every path", token, f"give it one before: `the {word} is ..`, or an `otherwise`"
                )
                scope.sure.add(word)
            return m.Local(word), scope.locals[word]
        if word == "owner" and scope.owner is not None:
            return m.Local("owner"), scope.owner
        if self.names.single(word):
            return m.Thing(self.names.kinds[word].id), Type("actor", word)
        if (slot := self.value_slot(word)) is not None:
            return m.Hung(m.Local("owner"), word), slot
        near = self.names.nearest(word, chain(scope.locals, (k for k in self.names.kinds if self.names.single(k)), ["owner"] if scope.owner else []))
        help = f"did you mean `the {near}`?" if near else "a role, `as the ..` or a line `the .. is ..` would bring it in"
        if word == "owner":
            help = "only a trait, a number or a part of one has an owner"
        elif word in self.names.plurals and not near:
            help = f"for all of them, write `each {self.names.plurals[word]}`"
        self.complain("unknown-word", f"nothing here is called `the {word}`", token, help)
        scope.bring(word, UNKNOWN)
        return m.Local(word), UNKNOWN

    def value_slot(self, word: str) -> Type | None:
        """The declared value `word` of a procedure in reach."""
        for procedure in self.scope.procedures:
            for one in self.lineage(procedure):
                if word in one.values:
                    return one.values[word].holds
        return None

    def lineage(self, procedure: Procedure) -> list[Procedure]:
        """The procedure with all that it is part of or counts as."""
        seen: dict[str, Procedure] = {}
        todo = [procedure]
        while todo:
            one = todo.pop(0)
            if one.id not in seen:
                seen[one.id] = one
                todo += [self.names.procedures[id] for id in one.above if id in self.names.procedures]
        return list(seen.values())

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
            if of_type.name == "actor" and of_type.kind and carriers and not any(self.names.is_a(of_type.kind, one) for one in carriers):
                self.complain(
                    "number-of-another", f"{a(of_type.kind)} has no {name}: it is a number of {' or '.join(map(a, carriers))}", token, "name somebody who has it"
                )
            if wanted is not None and wanted.name == "entry":
                return m.Thing(id), self.thing_type(id)
            return m.Stat(of, m.Thing(id)), NUMBER
        if ids:
            self.link(token, ids[0])
            return m.Thing(ids[0]), self.thing_type(ids[0])
        if of_type.name == "unknown":
            return m.Int(0), UNKNOWN
        known = (label for kind in self.kinds_of(of_type) for label in self.names.slots.get(kind, {}))
        near = self.names.nearest(name, known) or self.names.suggest(name)
        self.complain("unknown-name", f"{of_type} has nothing called `{name}`", token, f"did you mean `{near}`?" if near else "declare a field, or a number of that kind")
        return m.Int(0), UNKNOWN

    def kinds_of(self, type: Type) -> list[str]:
        if type.kind and type.kind not in ("trait", "entry", "actor"):
            return [type.kind]
        return list(self.names.slots)

    def word_of(self, of: m.Expr, of_type: Type, token: Token) -> tuple[m.Expr, Type]:
        """`X's word`: a bound of a number, the number that a local holds, or a value hung on X."""
        word = str(token)
        if word in BOUNDS:
            return m.Bound(of, cast(Literal["start", "least", "most", "gain", "loss"], word)), NUMBER
        if of_type.name == "outcome":
            procedure = self.names.procedures.get(of_type.kind)
            known = {**procedure.roles, **procedure.locals, **{w: s.holds for one in self.lineage(procedure) for w, s in one.values.items()}} if procedure else {}
            if procedure is not None and procedure.sure is not None and word not in known:
                near = self.names.nearest(word, known)
                self.complain(
                    "unknown-value", f"`{self.names.title[procedure.id]}` has no value called `{word}`", token,
                    f"did you mean `{near}`?" if near else "its words are " + ", ".join(known) if known else "its outcome is all there is",
                )  # fmt: skip
            return m.Hung(of, word), known.get(word, UNKNOWN)
        local = self.scope.locals.get(word)
        if local is not None and local.name == "entry":
            return m.Stat(of, m.Local(word)), NUMBER
        slot = self.value_slot(word)
        if slot is not None:
            return m.Hung(of, word), slot
        if self.scope.example and any(word in one.values for one in self.names.procedures.values()):
            return m.Hung(of, word), UNKNOWN
        values = (w for p in self.scope.procedures for one in self.lineage(p) for w in one.values)
        near = self.names.capital(word) or self.names.nearest(word, chain(values, self.scope.locals))
        self.complain(
            "unknown-value", f"no procedure in reach declares a value `{word}`", token,
            f"did you mean `{near}`?" if near and near != word else "declare it in the procedure's `value` table, or in one that it is part of",
        )  # fmt: skip
        return m.Int(0), UNKNOWN

    # ------------------------------------------------------------ numbers

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
                op = cast(Literal["+", "-", "x"], {"plus": "+", "minus": "-", "times": "x"}[node.data])
                return m.Arithmetic(op, self.number(kids[0]), self.number(kids[1])), NUMBER
            case "over":
                return m.Divide(self.number(kids[0]), self.number(kids[1]), node.has("UP")), NUMBER
            case "greater":
                return m.Extreme("greater" if node.has("GREATER") else "lesser", self.number(kids[0]), self.number(kids[1])), NUMBER
            case "number_of":
                return m.Number(self.group(kids[0])), NUMBER
            case "among":
                return self.among(node), NUMBER
            case _:
                raise AssertionError(f"no such number: {node.data}")

    def among(self, node: Node) -> m.Expr:
        op = cast(Literal["sum", "highest", "lowest"], {"SUM": "sum", "HIGHEST": "highest", "LOWEST": "lowest"}[cast(Token, node.children[0]).type])
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

    def group(self, node: Node) -> m.Group:
        if node.data in ("group", "counted") and node.has("DIE_W"):
            return self.showing(node)
        first = node.children[0]
        if isinstance(first, Token):
            kind = self.kind(first)
            return m.Members(None, kind, False, self.filters(node, Type("actor", kind)))
        of, type = self.ref(first)
        inner = Type("actor", type.kind) if type.kind else UNKNOWN
        return m.Members(of, type.kind, False, self.filters(node, inner))

    def kind(self, token: Token) -> str:
        word = str(token)
        if word in ("actor", "actors", "entry", "die", "dice", "number", "trait"):
            return word.removesuffix("s") if word != "dice" else "die"
        info = self.names.kind(word)
        if info is not None:
            self.link(token, info.id)
            return info.name
        near = self.names.nearest(word, [*self.names.kinds, *self.names.plurals])
        self.complain("unknown-kind", f"there is no kind called `{word}`", token, f"did you mean `{near}`?" if near else self.names.known_kinds())
        return ""

    def showing(self, node: Node) -> m.Showing:
        face = cast(Node, node.node("face"))
        compare: Literal["one of", "at least", "at most"] = "at least" if face.has("LEAST") else "at most" if face.has("MOST") else "one of"
        faces = tuple(self.expr(child, NUMBER)[0] for child in face.nodes())
        ref = cast(Node, node.children[-1])
        dice, type = self.ref(ref)
        self.fits(type, m.DICE, ref)
        return m.Showing(compare, faces, dice)

    def filters(self, node: Node, member: Type) -> tuple[m.Filter, ...]:
        """What narrows the group that `node` speaks of."""
        return tuple(self.filter(one, member) for one in node.nodes() if one.data == "filter")

    def filter(self, node: Node, member: Type) -> m.Filter:
        if node.has("EXCEPT"):
            kinds = (member.kind,) if member.kind else ()
            return m.Filter("except", things=tuple(id for token in node.all("NAME") if (id := self.thing(token, *kinds))))
        if node.has("WITH", "WITHOUT"):
            id = self.thing(cast(Token, node.token("NAME")))
            return m.Filter("with" if node.has("WITH") else "without", things=(id,) if id else ())
        key_token = cast(Token, node.token("NAME", "WORD"))
        key: m.Expr
        key_type: Type
        if key_token.type == "NAME":
            key, key_type = self.name_of(m.Local("member"), member, key_token, NUMBER)
        else:
            key, key_type = self.word_of(m.Local("member"), member, key_token)
        if node.has("HIGHEST", "LOWEST"):
            return m.Filter("whose", key, compare="highest" if node.has("HIGHEST") else "lowest")
        compare = "above" if node.has("ABOVE") else "below" if node.has("BELOW") else "at least" if node.has("LEAST") else "at most" if node.has("MOST") else "is"
        value, type = self.expr(node.nodes()[-1], key_type)
        self.fits(type, key_type, node.nodes()[-1])
        return m.Filter("whose", key, node.has("NOT"), compare, value)

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
        who, _ = self.expr(node.nodes()[0])
        negated = node.has("LACKS")
        if node.has("A"):
            return m.Has(who, m.Thing(self.kind(cast(Token, node.token("WORD")))), negated)
        what, type = self.ref(node.nodes()[-1])
        if type.name == "number":
            self.complain("wrong-type", "only a trait, or somebody, can be had", node.nodes()[-1], "compare a number: `the owner's Wounds is above 0`")
        return m.Has(who, what, negated)

    def compare(self, node: Node) -> m.Condition:
        negated = node.has("NOT")
        side = cast(Node, node.children[-1])
        left_node = node.nodes()[0]
        if side.has("OFFERED"):
            name = left_node.token("NAME") if left_node.data == "ref" else None
            return m.Offered(fold(str(name)) if name is not None else str(next(left_node.tokens())), negated)
        if side.has("A") and side.token("WORD") and not side.nodes():
            who, _ = self.expr(left_node)
            return m.IsA(who, self.kind(cast(Token, side.token("WORD"))), negated)
        op = self.operator(side)
        if op == "is":
            self.may_be_unset(left_node)
        left, left_type = self.expr(left_node, None if op == "is" else NUMBER)
        if left_type.name == "entry" and isinstance(left, m.Thing) and self.names.nature(left.id) == "number":
            left, left_type = self.bare(left.id, left_node), NUMBER
        wanted = NUMBER if op != "is" else left_type
        if op != "is":
            self.fits(left_type, NUMBER, left_node)
        right_node = side.nodes()[-1]
        self.not_a_range(right_node)
        right, right_type = self.expr(right_node, wanted)
        self.fits(right_type, wanted, right_node)
        return m.Compare(left, op, right, negated)

    def not_a_range(self, node: Node) -> None:
        """`7-9` is the number that is left of 7 when 9 are taken away, which nobody compares with."""
        kids = node.nodes()
        if node.data == "minus" and [kid.data for kid in kids] == ["int", "int"]:
            low, high = (str(kid.children[0]) for kid in kids)
            self.complain("wrong-type", f"this is {int(low) - int(high)}, not a range", node, f"write `is at least {low}`, and in a second test `is at most {high}`")

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


def option_id(procedure: str, label: str) -> str:
    return f"{procedure}#{slug(label)}"
