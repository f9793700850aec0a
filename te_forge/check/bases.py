"""What is a copy of what (`Based On: Ogre as played`), told from the text of a pack before any of its lines is understood."""

from __future__ import annotations

import re
from collections.abc import Mapping

from te_forge.check.below import label_of, rules_of
from te_forge.check.fields import BASED_ON
from te_forge.check.names import Decl, Names
from te_forge.diagnostics import Findings, Label
from te_forge.source import Span

COPY = re.compile(r"(.+?)\s+as\s+(?:played|printed)")


def based_on(decl: Decl) -> tuple[str, Span] | None:
    """The name of what a thing says to be a copy of, and where it says so."""
    lines = (
        [(rule.text.partition(":")[2], rule.span) for rule in rules_of(decl.heading) if BASED_ON in rule.text and label_of(rule) == BASED_ON]
        if decl.heading is not None
        else []
    )
    cells = [(decl.row[BASED_ON].text, decl.row[BASED_ON].span)] if BASED_ON in decl.row else []
    return next(((found[1], span) for text, span in (*lines, *cells) if (found := COPY.fullmatch(text.strip()))), None)


def find_bases(decls: Mapping[str, Decl], names: Names, findings: Findings) -> None:
    """Give each copy what it is a copy of. Where copies go round in a circle, none of them is one."""
    for decl in decls.values():
        if (place := based_on(decl)) is not None:
            name, decl.base_span = place
            found = [id for id in names.find(name, (decl.kind,)) if names.kind_of[id] == decl.kind]
            decl.base = found[0] if len(found) == 1 else ""
    for decl in decls.values():
        ring = [decl]
        while (base := decls.get(ring[-1].base)) is not None and base not in ring:
            ring.append(base)
        if base is decl:
            way = " -> ".join(one.name for one in (*ring, decl))
            findings.add(
                "circular-definition", f"these are copies of each other: {way}", decl.base_span or decl.span, help="one of them must say all that it is by itself",
                labels=[Label(one.base_span or one.span, f"{one.name} is based on {names.title[one.base]}") for one in ring[1:]],
            )  # fmt: skip
            for one in ring:
                one.base = ""


def copies(decls: Mapping[str, Decl]) -> list[Decl]:
    """All copies, each behind what it is a copy of."""
    return sorted((decl for decl in decls.values() if decl.base), key=lambda decl: depth(decl.id, decls))


def depth(id: str, decls: Mapping[str, Decl]) -> int:
    """How many copies lie between a thing and one that is no copy."""
    steps = 0
    while (decl := decls.get(id)) is not None and decl.base:
        id, steps = decl.base, steps + 1
    return steps
