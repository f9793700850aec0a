"""What the parser's help leaves blank is filled in with what the game has, once all names are known: who acts here, which role is which.

The parser says what is wrong with a line before anybody knows the game, and what belongs in each blank (`te_forge.blanks`).
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from functools import partial
from typing import NamedTuple, assert_never

from te_forge.blanks import Blank, Dice, Endings, EndsSo, Here, Kind, Named, Outcome, Role, Some, Sort, Who, filled
from te_forge.check.below import flat, rules_of, steps_of
from te_forge.check.names import Decl, Names
from te_forge.diagnostics import Diagnostic, Findings
from te_forge.frozen import replace
from te_forge.source import Span
from te_forge.suggest import MOST_LISTED
from te_forge.syntax.tree import Heading, Node, Rule


class Place(NamedTuple):
    """Where the lines of a definition begin: of its kind and id, whose they are also where a hack changes it."""

    line: int
    kind: str
    id: str
    heading: Heading


class Filler:
    """Fills in what was said of the pages of a pack."""

    def __init__(self, decls: Sequence[Decl], names: Names) -> None:
        self.names = names
        self.by_itself = {decl.id for decl in decls if decl.heading is not None}
        """What has a heading of its own, and is no row among others."""
        self.samples: dict[tuple[str, tuple[str, ...]], str | None] = {}
        """What has been found for an example; the same is told on many lines."""
        self.places: dict[str, list[Place]] = {}
        for place in sorted((one for decl in decls for one in self.places_of(decl)), key=lambda one: one.line):
            self.places.setdefault(place.heading.span.file, []).append(place)

    def places_of(self, decl: Decl) -> Iterator[Place]:
        if decl.heading is not None:
            yield Place(decl.span.line, decl.kind, decl.id, decl.heading)
        for patch in decl.patches:
            yield Place(patch.span.line, patch.kind, next(iter(self.names.find(patch.name, (patch.kind,))), ""), patch)

    def fill(self, findings: Findings) -> None:
        for at, one in enumerate(findings):
            if one.rather is not None or one.wording:
                findings[at] = self.said(one)

    def said(self, one: Diagnostic) -> Diagnostic:
        fill = partial(self.blank, one.span, self.around(one.span))
        if one.rather is not None:
            help, whole = filled(one.rather.wording, fill)
            if whole:
                return replace(one.rather, help=help, wording=())
        return replace(one, help=filled(one.wording, fill)[0] if one.wording else one.help, wording=(), rather=None)

    def around(self, span: Span) -> Place | None:
        """The definition that a line stands in."""
        places = self.places.get(span.file, [])
        at = bisect_right(places, span.line, key=lambda place: place.line)
        return places[at - 1] if at else None

    def blank(self, span: Span, place: Place | None, blank: Blank) -> str | None:
        """What belongs in a blank of what is said at `span`, as far as the game tells."""
        match blank:
            case Who():
                return self.actor(place, blank) if place is not None else None
            case Role(procedure, given):
                return self.role(procedure, given)
            case Outcome(procedure, last):
                outcomes = self.outcomes(next(iter(self.names.find(procedure, ("procedure",))), ""))
                return outcomes[-1 if last else 0] if outcomes else None
            case EndsSo(outcome):
                found = [id for id, made in self.names.procedures.items() if outcome in made.outcomes]
                return self.names.title.get(found[0]) if len(found) == 1 else None
            case Sort(word, nature):
                kind = self.names.kind(word)
                return kind.name if kind is not None and kind.nature == nature else None
            case Endings():
                return ", ".join(f"`end with {one}`" for one in self.outcomes(place.id if place is not None else "")) or None
            case Here(nature):
                known = place is not None and nature in (place.kind, self.names.nature_of(place.kind))
                return self.names.title.get(place.id) if place is not None and known else None
            case Some(nature):
                return self.some(place, nature)
            case Kind(word, thing):
                return self.kind(word, thing)
            case Dice():
                return self.dice(span, place) if place is not None else None
            case Named(name, nature):
                return self.named(name, nature) if nature != "outcome" else name if place is not None and name in self.outcomes(place.id) else None
            case _:
                assert_never(blank)

    # ------------------------------------------------------------ who

    def actor(self, place: Place, who: Who) -> str | None:
        """Whoever acts here, and can have what is named; None where there are several, or nobody."""
        if who.each:
            return f"the {who.each}"
        carriers = self.carriers(who.thing)
        if len(carriers) == 1 and self.names.single(carriers[0]):
            return f"the {carriers[0]}"
        acting = self.acting(place) or self.people(next(iter(self.names.find(who.event, ("procedure",))), ""))
        found = [word for word, kind in acting if not carriers or any(self.fits(kind, one) for one in carriers)]
        return f"the {found[0]}" if len(found) == 1 else None

    def acting(self, place: Place) -> list[tuple[str, str]]:
        """Those who can act in a definition, by the words for them, with their kinds."""
        if place.kind == "procedure":
            return self.people(place.id)
        info = self.names.kinds.get(place.kind)
        if info is not None and info.nature == "trait":
            return [("owner", info.of[0] if info.of else "actor")]
        return [("roller", "actor")] if place.kind == "table" else []

    def carriers(self, name: str) -> tuple[str, ...]:
        """The kinds of whoever can have the thing of this name."""
        return self.carriers_of(next(iter(self.names.find(name)), "")) if name else ()

    def carriers_of(self, id: str) -> tuple[str, ...]:
        info = self.names.kinds.get(self.names.kind_of.get(id, ""))
        return self.names.numbers_of.get(id) or (info.of if info is not None and info.nature in ("number", "trait") else ())

    def fits(self, kind: str, carrier: str) -> bool:
        return self.names.is_a(kind, carrier) or (kind == "actor" and self.names.is_a(carrier, kind))

    def people(self, procedure: str) -> list[tuple[str, str]]:
        """The roles of a procedure that somebody has, with their kinds."""
        made = self.names.procedures.get(procedure)
        return [(role, type.kind or "actor") for role, type in made.roles.items() if type.name == "actor"] if made is not None else []

    def role(self, procedure: str, given: Sequence[str]) -> str | None:
        """The role of a procedure that nobody has yet, where only one is left."""
        id = next(iter(self.names.find(procedure, ("procedure",))), "")
        left = [role for role, _ in self.people(id) if role not in given]
        return left[0] if len(left) == 1 else None

    def kind(self, word: str, thing: str) -> str | None:
        """The kind of those who are called `word`; where nothing is called so, of all who can have the thing."""
        known = self.names.kind(word) or self.names.kind(word.lower())
        if known is not None:
            return known.name if known.nature == "actor" and not known.single else None
        kinds = [kind.name for kind in self.names.kinds.values() if kind.nature == "actor" and not kind.single]
        found = [kind for kind in kinds if any(self.fits(kind, one) for one in self.carriers(thing))] if thing else kinds
        return found[0] if len(found) == 1 else None

    # ------------------------------------------------------------ what

    def outcomes(self, procedure: str) -> list[str]:
        made = self.names.procedures.get(procedure)
        return list(made.outcomes)[:MOST_LISTED] if made is not None else []

    def some(self, place: Place | None, nature: str) -> str | None:
        """The first thing of this nature that whoever acts here can have; points, which have a heading of their own, rather than attributes."""
        kinds = tuple(kind for _, kind in self.acting(place)) if place is not None else ()
        if (nature, kinds) not in self.samples:
            known = [id for id, kind in self.names.kind_of.items() if self.names.nature_of(kind) == nature and id not in self.names.off]
            fitting = [id for id in known if not kinds or any(self.fits(kind, one) for kind in kinds for one in self.carriers_of(id))]
            best = next((id for id in fitting if id in self.by_itself), next(iter(fitting), None))
            self.samples[nature, kinds] = self.names.title[best] if best is not None else None
        return self.samples[nature, kinds]

    def dice(self, span: Span, place: Place) -> str | None:
        """What the dice are called that were rolled last above a line, in the same definition."""
        rolled = [one for rule in lines_of(place.heading) if rule.span.line < span.line and rule.tree is not None for one in rolls(rule.tree)]
        return next((str(word.its("WORD")) for one in reversed(rolled) if (word := one.node("as_")) is not None), None)

    def named(self, name: str, nature: str) -> str | None:
        if nature:
            return next((self.names.title[id] for id in self.names.find(name, (nature,))), None)
        return name if self.names.find(name) or name in self.names.words else self.names.suggest(name)


def lines_of(heading: Heading) -> list[Rule]:
    return flat([*rules_of(heading), *(rule for step in steps_of(heading) for rule in step.rules)])


def rolls(node: Node) -> Iterator[Node]:
    """The sentences of a line in which dice are rolled."""
    if node.data == "roll":
        yield node
    for inner in node.nodes():
        yield from rolls(inner)
