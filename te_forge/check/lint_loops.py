"""The complaint about a repeat without an end."""

from __future__ import annotations

from collections.abc import Iterator

from te_forge.check.lint_view import View
from te_forge.diagnostics import Diagnostic
from te_forge.model.rules import (
    Amount,
    Bound,
    Carry,
    Choose,
    ChooseOne,
    Contribute,
    DivideUp,
    Do,
    EndWith,
    Give,
    GoBack,
    Has,
    Hung,
    InNext,
    IsA,
    Local,
    May,
    Members,
    On,
    Pick,
    Repeat,
    Roll,
    Stat,
    Stored,
    Transfer,
    Until,
)
from te_forge.model.walk import nodes


def endless_repeat(view: View) -> Iterator[Diagnostic]:
    """`repeat until` something that nothing in it can change."""
    loops = view.mine(Repeat, where=lambda node: node.until is not None)
    behind_events = {word for _, _, on in view.every(On) for word in given(nodes(on.body))} if loops else set()
    for _, span, loop in loops:
        body, asked = nodes(loop.body), nodes(loop.until)
        words = {one.word for one in asked if isinstance(one, Local | Hung)}
        if words & (given(body) | behind_events) or any(isinstance(one, EndWith | GoBack) for one in body):
            continue
        if any(map(is_of_the_game, asked)) and any(map(changes_the_game, body)):
            continue
        help = "change it in what is repeated (`the x becomes ..`, a roll `as the x`), or ask for something that is changed there"
        yield Diagnostic(
            "endless-repeat",
            "nothing that is repeated here changes what it waits for, so it would never end",
            view.places.get(id(loop), span),
            "error",
            help,
        )


def given(found: list[object]) -> set[str]:
    """The words that get a value or a change."""
    words: set[str] = set()
    for one in found:
        match one:
            case Give(target=Local(word)) | Give(target=Hung(_, word)) | Contribute(target=Local(word)) | Contribute(target=Hung(_, word)):
                words.add(word)
            case Roll(word=word) | Pick(word=word) | Choose(word=word) | ChooseOne(word=word) | Do(word=word) | Amount(word=word):
                words.add(word)
            case _:
                pass
    return words - {""}


def is_of_the_game(one: object) -> bool:
    """Whether it is more than a word of the lines around."""
    return isinstance(one, Stat | Stored | Bound | Has | IsA | Members | Hung)


def changes_the_game(one: object) -> bool:
    match one:
        case Roll(source=source):
            return source is not None
        case Give(target=target) | Contribute(target=target):
            return not isinstance(target, Local)
        case Pick(verb=verb):
            return verb == "draws"
        case _:
            return isinstance(one, Do | Transfer | Carry | DivideUp | May | InNext | Until)


LINTS = (endless_repeat,)
