"""Helps that are written down as templates, with what somebody wrote and with blanks for what the game has."""

from __future__ import annotations

from string import Formatter

from te_forge.blanks import Dice, Named, Outcome, Piece, Role, Who, Wording, plain


def worded(template: str, *groups: Piece, **named: str) -> Wording:
    """A template with its fields: `{0}` and `{word}` are what is given; the others are blanks: `{who}` and `{who:0}` (who can have what `{0}` names),
    `{role:0}` and `{outcome:0}` (of the procedure that `{0}` names), `{dice}`, and `{trait:0}`, `{points:0}`, `{called:0}`.
    """
    made: list[Piece] = []
    for words, field, about, _ in Formatter().parse(template):
        made.append(words)
        if field is None:
            continue
        thing = plain((groups[int(about)],)) if about else ""
        match field:
            case "who":
                made.append(Who(thing))
            case "role":
                made.append(Role(thing))
            case "outcome":
                made.append(Outcome(thing))
            case "dice":
                made.append(Dice())
            case "trait":
                made.append(Named(thing, "trait"))
            case "points":
                made.append(Named(thing, "number"))
            case "called":
                made.append(Named(thing))
            case _:
                made.append(groups[int(field)] if field.isdecimal() else named[field])
    return tuple(made)
