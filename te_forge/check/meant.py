"""Second pass, below the ground: what is said of a name or word that is not there, or is not what it was meant as; and what it may have been meant as."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from itertools import chain

from te_forge.check.fields import ENGINE_FIELDS, OTHER_LABELS
from te_forge.check.names import ENGINE_KINDS, EVERYWHERE, ONE_DECLARED, SWITCHES, Names, Procedure
from te_forge.check.scope import Scope
from te_forge.diagnostics import Findings, Label
from te_forge.keys import fold
from te_forge.model.rules import NUMBER, UNKNOWN, Type
from te_forge.source import Span
from te_forge.suggest import a, listed, usual_plurals
from te_forge.syntax.tree import Node, Token
from te_forge.syntax.vocabulary import FIGURES

PRONOUNS = ("You", "They", "He", "She", "It", "We", "Everyone", "Everybody", "Anyone")
ONE_OF_A_KIND = ("gm", "dm", "mc", "referee", "keeper", "narrator", "storyteller", "facilitator", "warden", "party", "group", "crew", "company")
"""Who is one at the table, by the names that games have for them."""
FIELDS_OF_NUMBERS = {"Starts": "start", "At Least": "least", "At Most": "most"}
"""The fields of a number, and the words that stand for them in rules."""


class Meant:
    """What is read at the moment, and how something is said of it. `links` gathers, for the line at hand, which name stands for which id (by position)."""

    def __init__(self, names: Names, findings: Findings) -> None:
        self.names, self.findings = names, findings
        self.scope = Scope()
        self.span = Span("", 1, 1, 1)
        self.links: dict[int, str] = {}
        self.current = ""
        """The id of what is being read."""
        self.whole = ""
        """The id of that, or of what it is a part of."""
        self.patching = False
        """A line of a patch takes the place of another, so its neighbours are not the ones above it in the page."""

    def place(self, what: Node | Token) -> Span:
        start = what.column if isinstance(what, Node) else what.start_pos or 0
        end = what.end if isinstance(what, Node) else what.end_pos or start + 1
        return Span(self.span.file, self.span.line, self.span.column + start, self.span.column + max(end, start + 1))

    def complain(self, code: str, message: str, where: Node | Token, help: str = "", labels: Iterable[Label] = ()) -> None:
        self.findings.add(code, message, self.place(where), help=help, labels=labels)

    def unknown_name(self, token: Token, kinds: tuple[str, ...] = ()) -> None:
        name = fold(str(token))
        known = self.names.find(name)
        if known and kinds:
            found, needed, near = a(self.names.kind_of[known[0]]), " or ".join(map(a, kinds)), self.names.suggest(name, kinds)
            help = f"did you mean `{near}`?" if near else f"write the name of {needed}"
            if self.names.kind_of[known[0]] in (*ENGINE_KINDS, *self.names.kinds):  # else that kind has been complained about
                self.complain("wrong-kind", f"`{name}` is {found}, but here {needed} is needed", token, help)
            return
        if not known and self.elsewhere(name, token):
            return
        near = self.names.suggest(name, kinds) or self.names.nearest(name, () if kinds else self.scope.people)
        define = f"define it with `## {kinds[0]}: {name}`" if len(kinds) == 1 and kinds[0] in ENGINE_KINDS else "define it"
        help = f"did you mean `{near}`?" if near else f"{define}, or check the spelling"
        if (figure := FIGURES.get(name.lower())) is not None:
            self.complain("number-in-words", "numbers are written in figures", token, f"write `{figure}`")
            return
        if near is None and name in PRONOUNS:
            told = listed([f"`the {word}`" for word in self.acting()]) or "`the owner`, a role such as `the actor`"
            self.complain("pronoun", f"`{name}` does not say who", token, f"name the one: {told}, or `each` and a kind")
            return
        if (kind := self.names.kind(name.lower())) is not None:
            help = f"a kind is written small: `{'the' if kind.single else 'each'} {kind.name}`"
        self.complain("unknown-name", f"nothing is called `{name}`", token, help)

    def elsewhere(self, name: str, token: Token) -> bool:
        """Whether a name is no thing, but means something in another place; complains about it."""
        if name in self.names.lost:
            return True
        somebody = self.names.people.get(name)
        if somebody is not None and name not in self.scope.people:
            said = f"`{name}` is only in the example {somebody.example}"
            self.complain("unknown-name", said, token, self.instead_of(name, self.names.carrier(somebody.what)), [Label(somebody.span, "it is here")])
            return True
        if name in ENGINE_FIELDS:
            self.complain(
                "unknown-name", f"`{name}` is a field", token, f"a field stands on a line of its own, with its value behind a colon: `{name}: ..`"
            )
            return True
        if name in self.names.labels and name not in self.names.words:
            help = "rules speak of things; what a line does is written once more, or made a procedure and done from both places"
            self.complain("unknown-name", f"`{name}` is only the label of a line or row", token, help)
            return True
        return False

    def fits(self, found: Type, wanted: Type | None, where: Node | Token) -> None:
        if wanted is None or found is wanted or self.agree(found, wanted):
            return
        help = (
            "say what counts of the dice: `sum of ..`, `highest of ..`, `number of ..`"
            if found.name == "dice" and wanted == NUMBER
            else f"put {wanted} here"
        )
        self.complain("wrong-type", f"this is {found}, but here {wanted} is needed", where, help)

    def is_any(self, found: Type, kinds: Collection[str], does: str, where: Node | Token) -> bool:
        """Whether a thing is of one of these kinds, of which none can be meant here; complains if it is."""
        if found.name != "entry" or found.kind not in kinds:
            return False
        self.complain("wrong-type", f"this is {found}: {does}", where, "name what is meant in play")
        return True

    def agree(self, found: Type, wanted: Type) -> bool:
        if found.name == wanted.name:
            return wanted.name not in ("actor", "entry") or self.names.is_a(found.kind, wanted.kind) or self.names.is_a(wanted.kind, found.kind)
        pair = {found.name, wanted.name}
        if wanted.name == "actor" and found.name == "entry" and self.names.nature_of(found.kind) in ("number", "trait"):
            return False
        if pair == {"actor", "entry"}:
            return self.names.is_a(found.kind, wanted.kind) or wanted.kind in ("", "entry") or found.kind in ("", "entry")
        return (
            "unknown" in pair
            or pair == {"group", "actor"}
            or pair == {"group", "entry"}
            or pair == {"number", "change"}
            or pair == {"choice", "text"}
        )

    def unknown_kind(self, token: Token) -> None:
        word = str(token)
        several = next((kind for kind in self.names.kinds if word in usual_plurals(kind)), None)
        near = self.names.nearest(word, [*self.names.kinds, *self.names.plurals])
        if word in self.scope.locals and self.scope.locals[word].name == "group":
            help = f"what is known here is told with its article: `the {word}`"
        elif several:
            help = f'put `- Plural: "{word}"` below `## kind: {several}`'
        else:
            help = f"did you mean `{near}`?" if near else self.names.known_kinds(word.removesuffix("s"))
        self.complain("unknown-kind", f"there is no kind called `{word}`", token, help)

    def unknown_outcome(self, token: Token, procedure: Procedure) -> None:
        name = fold(str(token))
        near = self.names.nearest(name, procedure.outcomes)
        run_on = next((one for one in procedure.outcomes if name in one.split(" ")), None)
        if run_on is not None:
            help = f"`{run_on}` is one name; outcomes have commas between them: `- Outcomes: {run_on.replace(' ', ', ')}`"
        elif near:
            help = f"did you mean `{near}`?"
        else:
            help = f"its outcomes are {listed(procedure.outcomes)}" if procedure.outcomes else "it has no `Outcomes:` line"
        self.complain("unknown-outcome", f"`{self.names.title[procedure.id]}` has no outcome called `{name}`", token, help)

    def unknown_word(self, token: Token) -> None:
        """Complain about `the x`, where nothing is called so."""
        word, scope = str(token), self.scope
        near = self.names.nearest(word, chain(scope.locals, (k for k in self.names.kinds if self.names.single(k)), ["owner"] if scope.owner else []))
        meant = [known for known, kind in self.acting().items() if not kind or self.names.is_a(kind, word)] if word in self.names.kinds else []
        if word == "owner":
            help = "only a trait, a number or a part of one has an owner"
        elif word in scope.ended:
            help = f"`each {word}` ends with its sentence; write `for each {word}: ..` around all that belongs to it"
        elif near:
            help = f"did you mean `the {near}`?"
        elif meant:
            help = f"say which {word}: here, {' or '.join(f'`the {one}`' for one in meant)}; for all of them, `for each {word}: ..`"
        elif word in self.names.plurals:
            help = f"for all of them, write `each {self.names.plurals[word]}`"
        elif word in self.names.kinds:
            help = f"say which {word}: a role, `by {a(word)}` behind the event, or in front `for each {word}: ..`"
        else:
            known = f"known here: {listed([f'`the {one}`' for one in self.acting()])}; " if self.acting() else ""
            help = f"{known}a role, `as the ..` or a line `the .. is ..` would bring it in"
        if word in ("result", "outcome") and self.scope.hooked:
            ends = listed([f"`{one}`" for made in self.scope.procedures[:1] for one in made.outcomes])
            help = "how it ended is said with the event, `after .. ending in ..:`" + (f"; it ends in {ends}" if ends else "")
        elif word in ONE_OF_A_KIND and word not in self.names.kinds:
            help = ONE_DECLARED.format(word)
        elif (whole := self.known_around(word)) is not None:
            help = f"`{whole}` knows it, and hands it over where it runs this one: add it to `- Roles: ..`; or declare it in the `value` table of `{whole}`"
        self.complain("unknown-word", f"nothing here is called `the {word}`", token, help)

    def known_around(self, word: str) -> str | None:
        """The procedure that this one is a part of, or counts as, and that has such a word of its own."""
        todo = [] if self.scope.example else [id for one in self.scope.procedures for id in one.above]
        seen: set[str] = set()
        while todo:
            id = todo.pop()
            made = self.names.procedures.get(id)
            if made is not None and id not in seen:
                if word in made.roles or word in made.locals:
                    return self.names.title[id]
                seen.add(id)
                todo += made.above
        return None

    def acting(self) -> dict[str, str]:
        """The words for those who are known here, with their kinds."""
        found = {word: type.kind for word, type in self.scope.locals.items() if type.name == "actor"}
        if self.scope.owner is not None and self.scope.owner.name == "actor":
            found["owner"] = self.scope.owner.kind
        return {**found, **{kind: kind for kind in self.names.kinds if self.names.single(kind)}}

    def sentence_for(self, values: Node) -> str:
        """What a value was meant to say, where a sentence is needed: a name may be an outcome, or what somebody takes."""
        value = values.nodes()[0]
        value = value.nodes()[0] if value.data == "number" and value.nodes() else value
        token = value.token("NAME") if value.data in ("ref", "price", "bonus") else None
        name = fold(str(token)) if token is not None else ""
        if value.data == "ref" and any(name in one.outcomes for one in self.scope.procedures):
            return f"say what happens: `end with {name}`"
        id = next(iter(self.names.find(name)), "") if name else ""
        if value.data == "ref" and self.names.nature(id) == "trait":
            return f"say who: `{self.who_has(id)} takes {name}`"
        if value.data in ("price", "bonus") and self.names.nature(id) == "number":
            amount = str(value.its("INT", "SIGNED"))
            does = "loses" if amount[0] in "-−–" else "gains"
            return f"say who: `{self.who_has(id)} {does} {amount.lstrip('+-−–')} {name}`"
        return f"say who does what, such as `{self.who_has('')} gains 1 ..`; `nothing` for a line that does nothing"

    def who_has(self, id: str) -> str:
        """Whoever of those who are known here can have this, and nobody else."""
        acting = self.acting()
        carriers = self.names.numbers_of.get(id, ())
        if len(carriers) == 1 and self.names.single(carriers[0]):
            return f"the {carriers[0]}"
        alone = {kind for kind in self.names.kinds if self.names.single(kind)}
        found = [word for word in acting if word not in alone]
        return f"the {found[0]}" if len(found) == 1 else "the .."

    def unknown_part(self, of: Type, token: Token, known: Iterable[str]) -> None:
        """Complain about `X's Name`, which X cannot have."""
        name = fold(str(token))
        near = self.names.nearest(name, known) or self.names.suggest(name)
        help = f"did you mean `{near}`?" if near and near != name else "declare a field, or a number of that kind"
        if name in FIELDS_OF_NUMBERS:
            help = f"of a number that somebody has write `{FIELDS_OF_NUMBERS[name]}`: `the owner's ..'s {FIELDS_OF_NUMBERS[name]}`"
        self.complain("unknown-name", f"{of} has nothing called `{name}`", token, help)

    def unknown_value(self, token: Token) -> None:
        """Complain about `X's word`, which nothing declares."""
        word = str(token)
        values = (value for procedure in self.scope.procedures for one in self.lineage(procedure) for value in one.values)
        near = self.names.capital(word) or self.names.nearest(word, chain(values, self.scope.locals))
        help = f"did you mean `{near}`?" if near and near != word else "declare it in the procedure's `value` table, or in one that it is part of"
        if (bound := FIELDS_OF_NUMBERS.get(OTHER_LABELS.get(word, ""))) is not None:
            help = f"a number has `'s start`, `'s least` and `'s most`: here `'s {bound}`"
        self.complain("unknown-value", f"no procedure in reach declares a value `{word}`", token, help)

    # ------------------------------------------------------------ words of choices

    def said_here(self, name: str, token: Token, wanted: Type | None) -> bool:
        """Whether a word that is no entry may be said here; complains if not. What hacks add is said wherever it may be meant."""
        if wanted == UNKNOWN or (wanted is not None and wanted.name == "outcome") or self.scope.example or self.patching or self.names.in_hack:
            return True
        places = self.names.words[name]
        if any(self.names.kind_of.get(place) in SWITCHES for place in places):
            return True
        if wanted is not None and wanted.name == "choice" and len(wanted.words) > 1:
            near = self.names.nearest(name, wanted.words)
            help = f"did you mean `{near}`?" if near else f"here could stand {listed(wanted.words)}"
            self.complain("wrong-type", f"`{name}` is none of the words that this can be", token, help)
            return False
        if places.isdisjoint(self.here()):
            there = self.names.title.get(sorted(places)[0], "another place")
            self.complain(
                "unknown-name",
                f"`{name}` is a word of {there}, and means nothing here",
                token,
                "say it there, or choose among words of this place: `chooses one as the ..`",
            )
            return False
        return True

    def here(self) -> set[str]:
        """The ids of whatever words belong to that may be said on the line at hand."""
        around = [one.id for procedure in self.scope.procedures for one in self.lineage(procedure)]
        return {EVERYWHERE, self.whole, *around}

    def instead_of(self, name: str, kind: str) -> str:
        """What to write in place of somebody of this kind who is only in an example."""
        if self.scope.example:
            return f"each example has people of its own: bring them in above its steps, `- {name}: {a(kind or '..')}`"
        acting = {word: type.kind for word, type in self.scope.locals.items() if type.name == "actor"}
        word = next((word for word, of in acting.items() if of == kind), None) or next(
            (word for word, of in acting.items() if self.agree(Type("actor", of), Type("actor", kind))), None
        )
        if word is None and self.scope.owner is not None and self.agree(self.scope.owner, Type("actor", kind)):
            word = "owner"
        if word is not None:
            return f"write `the {word}`"
        return f"name who is meant: a role, or everybody, `each {kind or '..'}`"

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
