"""Helps that are written down as templates, with what somebody wrote and with blanks for what the game has."""

from __future__ import annotations

from collections.abc import Callable
from string import Formatter

from te_forge.blanks import Blank, Dice, Endings, Kind, Named, Outcome, Piece, Role, Some, Who, Wording, plain


def worded(template: str, *groups: Piece, **named: str) -> Wording:
    """A template with its fields: `{0}` and `{word}` are what is given; the others are blanks: `{who}` and `{who:0}` (who can have what `{0}` names),
    `{role:0}` and `{outcome:0}` (of the procedure that `{0}` names), `{endings}` (of the one here), `{kind:0}` and `{kind:0,1}` (of those who are called
    `{0}`, who can have what `{1}` names), `{dice}`, `{number}` and `{trait}` (some of the game), and `{number:0}`, `{trait:0}`, `{called:0}` (where `{0}` is
    one).
    """
    made: list[Piece] = []
    for words, field, about, _ in Formatter().parse(template):
        made.append(words)
        if field is not None:
            given = [plain((groups[int(one)],)) if one else "" for one in about.split(",")] if about else []
            make = BLANKS.get(field)
            made.append(make(*given) if make is not None else groups[int(field)] if field.isdecimal() else named[field])
    return tuple(made)


def of_nature(nature: str) -> Callable[..., Blank]:
    """Makes a blank for something of this nature: what is named, or some of it."""
    return lambda *names: Named(names[0], nature) if names else Some(nature)


BLANKS: dict[str, Callable[..., Blank]] = {
    "who": Who, "role": Role, "outcome": Outcome, "endings": Endings, "kind": Kind, "dice": Dice, "called": Named, "number": of_nature("number"), "trait": of_nature("trait"),
}  # fmt: skip
"""How templates call the blanks."""
