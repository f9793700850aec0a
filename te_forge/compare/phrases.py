"""A difference as one says it: where, what has become of it, and the words before and after."""

from __future__ import annotations

import re
from dataclasses import dataclass

from te_forge.compare.change import Change, Side
from te_forge.model.system import Words, plain

SENTENCE = re.compile(r"(?<=[.!?…])\s+|\n\n+")
DEED = {"added": "is new", "removed": "is gone", "moved": "stand in another order"}


@dataclass(frozen=True, slots=True)
class Phrase:
    """`Look`, `is gone`, and the words of one side or both."""

    where: str
    deed: str
    before: Words
    after: Words


def phrase(change: Change) -> Phrase:
    before, after = shortened(change) if change.part == "text" else (words(change.before), words(change.after))
    return Phrase(where(change), DEED.get(change.verb, ""), before, after)


def words(side: Side | None) -> Words:
    return side.words if side is not None else ()


def where(change: Change) -> str:
    """The place inside of a thing: `step 3, Ready, Look`."""
    steps = (f"step {change.number}",) if change.number and change.verb != "moved" else ()
    match change.part:
        case "text":
            said = "the text" if change.verb == "changed" or change.kind == "chapter" else "its text"
            return ", ".join((*steps, *(one for one in change.path if one != "text"), "the text")) if change.path else said
        case "row":
            return ", ".join(("row " + change.path[0], *change.path[1:]))
        case "value":
            return f"the value `{change.path[0]}`"
        case "alias":
            return f"the other name `{change.path[0]}`"
        case "table":
            return "the die of its table" if change.path[-1:] == ("die",) else "its table"
        case "chapter":
            return "the title"
    if change.verb == "moved":
        return ", ".join(("the " + ("steps" if change.part == "step" else "lines"), *(("of " + ", ".join(change.path),) if change.path else ())))
    return ", ".join((*steps, *change.path)) or "its line"


def shortened(change: Change) -> tuple[Words, Words]:
    """Only the sentences that are different, of a text that is there before and after."""
    if change.before is None or change.after is None:
        return words(change.before), words(change.after)
    old, new = SENTENCE.split(plain(change.before.words)), SENTENCE.split(plain(change.after.words))
    start = next((n for n, (one, other) in enumerate(zip(old, new, strict=False)) if one != other), min(len(old), len(new)))
    most = min(len(old), len(new)) - start
    end = next((n for n in range(most) if old[-1 - n] != new[-1 - n]), most)
    return cut(old, start, end), cut(new, start, end)


def cut(sentences: list[str], start: int, end: int) -> Words:
    kept = " ".join(sentences[start : len(sentences) - end])
    return (" ".join(part for part in ("…" if start else "", kept, "…" if end else "") if part),) if kept else ()
