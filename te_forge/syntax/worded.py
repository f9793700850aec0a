"""Helps that are written down as templates, with what somebody wrote and with blanks for what the game has."""

from __future__ import annotations

import re
from collections.abc import Callable
from string import Formatter

from te_forge.blanks import Blank, Dice, Either, Endings, EndsSo, Here, Kind, Named, Outcome, Piece, Role, Some, Sort, Who, Wording
from te_forge.suggest import a
from te_forge.syntax.vocabulary import TURNED


def worded(template: str, *groups: str, **named: str) -> Wording:
    """A template with its fields.

    - `{0}` and `{word}` are what is given; `{0!a}` is that as a condition, where it would be a sentence; `{0!n}` has its article.
    - `{who}`, and `{who:0}` who can have what `{0}` names; `{kind:0}` of those who are called `{0}`, and `{kind:0,1}` who can have what `{1}` names.
    - `{role:0}`, `{outcome:0}` and `{failure:0}` of the procedure that `{0}` names; `{endings}` of the one here; `{dice}`; `{here}` and `{table}` are the
      trait and the table in which this stands.
    - `{number}` and `{trait}` are some of the game; `{number:0}`, `{trait:0}`, `{procedure:0}` and `{called:0}` are `{0}`,
      where that is one. `{rolled:0}` is it as a table, `{ending:0}` as an outcome of the procedure here, `{sort:0}` as a kind of traits; `{ends:0}` is
      the procedure that can end so.
    """
    made: list[Piece] = []
    for words, field, about, how in Formatter().parse(template):
        made.append(words)
        if field is not None:
            given = [groups[int(one)] if one else "" for one in about.split(",")] if about else []
            make = BLANKS.get(field)
            if make is not None:
                made.append(make(*given))
            elif not field.isdecimal():
                made.append(named[field])
            else:
                made.append(a(groups[int(field)]) if how == "n" else turned(groups[int(field)], how == "a"))
    return tuple(made)


def turned(words: str, asked: bool = False) -> Piece:
    """A sentence in which somebody becomes something: that is taken, or asked for, where it is a trait."""
    found = re.fullmatch(TURNED, words)
    return Either((f"{found[1]} {'has' if asked else 'takes'} ", Named(found[2], "trait")), (words,)) if found is not None else words


def of_nature(nature: str) -> Callable[..., Blank]:
    """Makes a blank for something of this nature: what is named, or some of it."""
    return lambda *names: Named(names[0], nature) if names else Some(nature)


def sort(word: str) -> Blank:
    return Sort(word, "trait")


def here() -> Blank:
    return Here("trait")


def table() -> Blank:
    return Here("table")


def failure(procedure: str) -> Blank:
    return Outcome(procedure, last=True)


BLANKS: dict[str, Callable[..., Blank]] = {
    "who": Who, "role": Role, "outcome": Outcome, "failure": failure, "ends": EndsSo, "sort": sort, "endings": Endings, "here": here, "table": table, "kind": Kind, "dice": Dice, "called": Named, "number": of_nature("number"), "trait": of_nature("trait"), "procedure": of_nature("procedure"), "rolled": of_nature("table"), "ending": of_nature("outcome"),
}  # fmt: skip
"""How templates call the blanks."""
