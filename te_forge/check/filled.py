"""What a help leaves open (`the .. takes ..`) is filled in with what the game has, once all names are known: who acts here, which role is which.

The parser says what is wrong with a line before anybody knows the game; it writes `..` where only the game could tell.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence

from te_forge.check.names import Decl, Names
from te_forge.diagnostics import Diagnostic, Findings
from te_forge.frozen import replace
from te_forge.source import Source

OPEN = ("not-a-rule-word", "unexpected-word", "list-with-dash")
"""Codes of what the parser says with `..` in it."""
NAME = r"[^\W\da-z_][\w'-]*(?: [^\W\da-z_][\w'-]*)*"
ACTS = re.compile(rf"(?:(?<=`)|(?<=[:;] ))the \.\.(?='s (?P<of>{NAME})| \w+ (?:\d+ )?(?P<what>{NAME})| [a-z]+\b)")
"""Somebody at the beginning of a sentence, with the thing that the sentence is about."""
RUNS = re.compile(rf"do (?P<what>{NAME}) with (?P<with>[^`]*)")
LEFT = re.compile(r"as the \.\.")
THROWN = re.compile(r"\brolls? [^;:]*\bas the ([a-z][\w-]*)")
DICE = re.compile(r"(?P<number>`(?:the|if) [^`]*) the roll(?P<rest>[^`]*)`, with the words of the game: .*")
SMALL = re.compile(
    r"(?:write|if the game has one of that name, write|if there is a procedure or step of that name, write) `(?P<name>[^`:]+)`(?:, or .*)?$"
)
TURNED = re.compile(rf"(?:(?<=`)|(?<=[:;] ))(?P<who>(?:the|each) [\w-]+) (?:is|becomes) (?P<what>{NAME})(?=[;`])")
"""Somebody becomes what one carries."""
CONDITION = re.compile(r"\b(?:if|while|until|expect) [^:;]*$")
STATE = re.compile(r"\b(?P<verb>is(?: not)?|becomes|gains|gets|takes|drops|has) (?:now )?$")


class Filler:
    """Fills in what was said of the pages of a pack."""

    def __init__(self, pages: Sequence[Source], decls: dict[str, Decl], names: Names) -> None:
        self.pages = {page.path: page for page in pages}
        self.names = names
        self.places: dict[str, list[tuple[int, Decl]]] = {}
        for decl in sorted((one for one in decls.values() if one.heading is not None), key=lambda one: one.span.line):
            self.places.setdefault(decl.span.file, []).append((decl.span.line, decl))

    def fill(self, findings: Findings) -> None:
        for at, one in enumerate(findings):
            if one.code in ("missing-the", "unexpected-word") and (meant := self.carried(one)) is not None:
                findings[at] = meant
            elif one.code in OPEN and (".." in one.help or "the roll" in one.help or TURNED.search(one.help)):
                findings[at] = replace(one, help=self.filled(one))
            elif one.code == "lower-case-name" and (found := SMALL.match(one.help)) is not None:
                findings[at] = replace(one, help=self.capital(found, one.help))

    def filled(self, one: Diagnostic) -> str:
        decl = self.around(one)
        help = RUNS.sub(lambda found: self.roles(found, decl), one.help)
        help = ACTS.sub(lambda found: self.actor(decl, found["of"] or found["what"] or ""), help)
        help = TURNED.sub(lambda found: f"{found['who']} takes {found['what']}" if self.is_trait(found["what"]) else found[0], help)
        return DICE.sub(lambda found: self.dice(found, one), help)

    def carried(self, one: Diagnostic) -> Diagnostic | None:
        """`the hero is tired`, where there is a trait `Tired`."""
        before = self.before(one)
        found = STATE.search(before)
        word = self.lines(one.span.file)[one.span.line - 1][len(before) : one.span.end - 1] if before else ""
        name = word.title()
        if found is None or not self.is_trait(name):
            return None
        asked = CONDITION.search(before) is not None
        verb = "" if found["verb"] in ("takes", "drops", "has") else "takes" if not asked else "lacks" if found["verb"].endswith(" not") else "has"
        return replace(
            one,
            code="lower-case-name",
            message=f"`{word}` would be a name of the game, and those begin with a capital",
            help=f"write `{f'{verb} {name}'.strip()}`",
        )

    def is_trait(self, name: str) -> bool:
        return any(self.names.nature(id) == "trait" for id in self.names.find(name))

    def around(self, one: Diagnostic) -> Decl | None:
        """The definition that it stands in."""
        places = self.places.get(one.span.file, [])
        at = bisect_right(places, one.span.line, key=lambda place: place[0])
        return places[at - 1][1] if at else None

    # ------------------------------------------------------------ who

    def actor(self, decl: Decl | None, name: str) -> str:
        """Whoever acts here, and can have what is named; `the ..` where there are several, or nobody."""
        carriers = self.carriers(name)
        if decl is None:
            return "the .."
        alone = [kind for kind in carriers if self.names.single(kind)]
        if alone and len(carriers) == 1:
            return f"the {alone[0]}"
        if decl.kind == "procedure":
            found = [role for role, kind in self.people(decl.id) if not carriers or any(self.fits(kind, one) for one in carriers)]
            return f"the {found[0]}" if len(found) == 1 else "the .."
        if self.names.nature_of(decl.kind) == "trait":
            return "the owner"
        return "the roller" if decl.kind == "table" else "the .."

    def carriers(self, name: str) -> tuple[str, ...]:
        """The kinds of whoever can have the thing of this name."""
        id = next(iter(self.names.find(name)), "") if name else ""
        info = self.names.kinds.get(self.names.kind_of.get(id, ""))
        return self.names.numbers_of.get(id) or (info.of if info is not None and info.nature in ("number", "trait") else ())

    def fits(self, kind: str, carrier: str) -> bool:
        return self.names.is_a(kind, carrier) or (kind == "actor" and self.names.is_a(carrier, kind))

    def people(self, procedure: str) -> list[tuple[str, str]]:
        """The roles of a procedure that somebody has, with their kinds."""
        made = self.names.procedures.get(procedure)
        return [(role, type.kind or "actor") for role, type in made.roles.items() if type.name == "actor"] if made is not None else []

    def roles(self, found: re.Match[str], decl: Decl | None) -> str:
        """`do Test with the hero as the ..`: the role, where only one is left."""
        id = next(iter(self.names.find(found["what"], ("procedure",))), "")
        left = [role for role, _ in self.people(id) if f"as the {role}" not in found["with"]]
        given = LEFT.findall(found["with"])
        return found[0].replace("as the ..", f"as the {left[0]}") if len(left) == len(given) == 1 else found[0]

    # ------------------------------------------------------------ what

    def lines(self, file: str) -> Sequence[str]:
        page = self.pages.get(file)
        return page.lines if page is not None else ()

    def before(self, one: Diagnostic) -> str:
        """What stands before it on its line."""
        lines = self.lines(one.span.file)
        return lines[one.span.line - 1][: one.span.column - 1] if one.span.line <= len(lines) else ""

    def dice(self, found: re.Match[str], one: Diagnostic) -> str:
        """`sum of the roll`, with what the dice are called that were rolled last above this line, in the same definition."""
        decl = self.around(one)
        lines = self.lines(one.span.file)[(decl.span.line if decl is not None else 1) - 1 : one.span.line - 1]
        word = next((thrown[1] for line in reversed(lines) if (thrown := THROWN.search(line))), "")
        return f"{found['number']} the {word}{found['rest']}`" if word else found[0]

    def capital(self, found: re.Match[str], help: str) -> str:
        """Which name a word with a small letter was meant for, where there is one."""
        name = found["name"]
        known = name if self.names.find(name) or name in self.names.words else self.names.suggest(name)
        return f"did you mean `{known}`?" if known else help
