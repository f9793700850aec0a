"""Second pass, beside the meaning: the form of words. `the owner gain` and `a entry` are understood, and would be printed so.

Only what is sure is told. A word in -s may be one (`the boss`) or several, and a group may have a name of one (`the party`).
"""

from __future__ import annotations

import re

from te_forge.check.names import ENGINE_KINDS
from te_forge.check.references import References
from te_forge.diagnostics import Fix
from te_forge.model.rules import Type
from te_forge.syntax.tree import Node, Token

VERBS = (
    "GAIN", "LOSE", "PAY", "BECOME", "ROLL", "READ", "KEEP", "REROLL", "DRAW", "CHOOSE", "DIVIDE", "TAKE", "DROP", "SAY", "SHOW", "PICK", "IS", "HAS", "LACKS",
)  # fmt: skip
MANY = {"is": "are", "has": "have"}
ONE = {many: one for one, many in MANY.items()}
SINGLE = ("actor", "entry", "number", "choice", "outcome", "text", "change")
"""Types of which a word holds one thing; dice may be one or several."""
VOWEL = re.compile(r"[aeio](?!u|ne\b|nce\b)")
CONSONANT = re.compile(r"[bcdgjkpqtvwyz]|[flmnrsx][aeiou]")
"""Of words that begin with other letters, sound and spelling may differ (`an hour`, `an npc`, `a unit`)."""


class Wording(References):
    """Complains about words that do not have the form which their sentence needs."""

    def odd_form(self, message: str, where: Node | Token, better: str) -> None:
        place = self.place(where)
        self.findings.add("wrong-form", message, place, severity="warning", help=f"write `{better}`", fix=Fix(place, better))

    def agrees(self, subject: Node, sentence: Node) -> None:
        """Complain about a verb that has no s after one, or has one after several."""
        verb = sentence.token(*VERBS) if sentence.data != "forbid" else None
        last = subject
        while isinstance(last.children[-1], Node):
            last = last.children[-1]
        word = last.children[-1] if not subject.has("EACH") else subject.its("WORD")
        if verb is None or not isinstance(word, Token):
            return
        one = str(verb) not in ONE and str(verb).endswith("s")
        visible = word.endswith("s") and not word.endswith("ss")
        if subject.has("EACH"):
            if not one:
                self.odd_form(f"`{verb}` goes with several, and `each {word}` is one", verb, ONE.get(verb, f"{verb}s"))
            return
        held = self.held_by(last)
        if held == "one" and not one and not visible:
            self.odd_form(f"`{verb}` goes with several, and `{word}` is one", verb, ONE.get(verb, f"{verb}s"))
        elif held == "many" and one and visible:
            self.odd_form(f"`{verb}` goes with one, and `{word}` are several", verb, MANY.get(verb, str(verb)[:-1]))

    def held_by(self, ref: Node) -> str:
        """Whether what a reference ends in is `one` or `many`; empty where that is not known."""
        token = ref.children[-1]
        if not isinstance(token, Token):
            return ""
        type: Type | None = None
        if token.type == "NAME":
            found = self.names.find(str(token))
            return "one" if (found and all(self.names.kind_of[id] in self.names.kinds for id in found)) or token in self.scope.people else ""
        if not ref.has("POSS"):
            type = self.scope.locals.get(str(token)) or (self.scope.owner if token == "owner" else None)
            if type is None and self.names.single(str(token)):
                return "one"
        type = type or self.value_slot(str(token))
        return "" if type is None else "many" if type.name == "group" else "one" if type.name in SINGLE else ""

    def plain_name(self, ref: Node, id: str) -> None:
        """Complain about an article before the name of what is nobody and no thing."""
        the = ref.token("THE")
        kind = self.names.kind_of.get(id, "")
        if the is not None and (not kind or self.names.nature_of(kind) in ("trait", "number") or kind in ENGINE_KINDS):
            self.odd_form(f"`{ref.children[-1]}` is a name, and names have no article", ref, str(ref.children[-1]))

    def ends(self, node: Node, word: str) -> None:
        """Complain about `until .. end`, and about `ends with ..`."""
        verb = node.its("END")
        if verb != word:
            self.odd_form(f"here it is `{word}`", verb, word)

    def one_kind(self, article: Token | None, word: Token) -> None:
        """Complain about `each entries`, and about `a entry`."""
        info = self.names.kind(str(word))
        if info is not None and word == info.plural != info.name:
            self.odd_form(f"`{word}` are several, and here one is meant", word, info.name)
        elif article is not None and article == "a" and VOWEL.match(word):
            self.odd_form(f"before `{word}`, `a` is `an`", article, "an")
        elif article is not None and article == "an" and CONSONANT.match(word):
            self.odd_form(f"before `{word}`, `an` is `a`", article, "a")

    def many_kinds(self, word: Token) -> None:
        """Complain about `number of entry`."""
        info = self.names.kind(str(word))
        if info is not None and word == info.name != info.plural and not info.single:
            self.odd_form(f"`{word}` is one, and here all of them are meant", word, info.plural)
