"""Wordings with blanks: places in a help that only the game can fill.

The parser says what is wrong with a line before anybody knows the game. Where its help would speak of the game, of who acts there or of what the dice
are called, it leaves a blank that says what belongs there. `te_forge.check.filled` fills the blanks once all names are known; where the game does not
tell, the usual words stay.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from te_forge.frozen import frozen


@frozen
class Who:
    """Whoever acts in this place, and can have `thing` if one is named. In front of it on the line may stand which procedure it follows on (`event`), and
    the word for each of several (`each`).
    """

    thing: str = ""
    event: str = ""
    each: str = ""
    usual = "the .."


@frozen
class Role:
    """The role of `procedure` that is left, when those of `given` are taken."""

    procedure: str
    given: tuple[str, ...] = ()
    usual = ".."


@frozen
class Outcome:
    """How `procedure` can end: first of all, which is most often well, or last of all."""

    procedure: str
    last: bool = False
    usual = ".."


@frozen
class EndsSo:
    """The procedure that can end with `outcome`, where one alone can."""

    outcome: str
    usual = ".."


@frozen
class Sort:
    """The word, where it is a kind of things of this nature."""

    word: str
    nature: str

    @property
    def usual(self) -> str:
        return self.word


@frozen
class Endings:
    """The sentences that end the procedure here, each with an outcome of it."""

    usual = "`end with ..`"


@frozen
class Here:
    """What the definition is called in which this stands, where it is of this nature or kind."""

    nature: str
    usual = ".."


@frozen
class Some:
    """Something of this `nature` that whoever acts here can have: an example."""

    nature: str
    usual = ".."


@frozen
class Kind:
    """The kind of those who are called `word`, and who can have `thing`."""

    word: str
    thing: str = ""
    usual = ".."


@frozen
class Dice:
    """The word for the dice that were rolled last, above this line."""

    usual = ".."


@frozen
class Named:
    """The name, where the game has something of this nature or kind (or anything, if none is said) that is called so."""

    name: str
    nature: str = ""

    @property
    def usual(self) -> str:
        return self.name


@frozen
class Either:
    """`known` where the game fills all blanks of that; `otherwise` where it does not."""

    known: Wording
    otherwise: Wording

    @property
    def usual(self) -> str:
        return plain(self.otherwise)


Blank = Who | Role | Outcome | EndsSo | Sort | Endings | Here | Some | Kind | Dice | Named
Piece = str | Blank | Either
Wording = tuple[Piece, ...]
Fill = Callable[[Blank], str | None]
"""What belongs in a blank, as far as that is known."""


def plain(wording: str | Wording) -> str:
    """A wording as it reads when nothing is known of the game."""
    return wording if isinstance(wording, str) else "".join(one if isinstance(one, str) else one.usual for one in wording)


def filled(wording: Wording, fill: Fill) -> tuple[str, bool]:
    """A wording with its blanks filled in, and whether that could be done with all of them."""
    text, whole = "", True
    for one in wording:
        if isinstance(one, str):
            text += one
            continue
        if isinstance(one, Either):
            part, known = filled(one.known, fill)
            part, known = (part, True) if known else filled(one.otherwise, fill)
        else:
            found = fill(one)
            part, known = (one.usual, False) if found is None else (found, True)
        text, whole = text + part, whole and known
    return text, whole


def placed(wording: Wording, event: str, each: str) -> Wording:
    """A wording on a line that says what it follows on, and for whom."""
    made: list[Piece] = []
    for one in wording:
        match one:
            case Who(thing):
                made.append(Who(thing, event, each))
            case Either(known, otherwise):
                made.append(Either(placed(known, event, each), placed(otherwise, event, each)))
            case _:
                made.append(one)
    return tuple(made)


def first_known(wordings: Sequence[Wording]) -> Wording:
    """The first of them of which the game fills all blanks; the last one where there is none."""
    *rather, last = wordings
    for one in reversed(rather):
        last = (Either(one, last),)
    return last
