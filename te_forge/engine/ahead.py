"""What is still to come while a piece of a chain runs: the rest of this chain, and of the chains around it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

from te_forge.engine.evaluate import ChainPart, LoopPart, RoundPart, StepPart
from te_forge.engine.whose import NOBODY
from te_forge.frozen import frozen
from te_forge.model import rules as m


@dataclass(frozen=True)
class Ahead:
    """What is still to come: for each chain that runs, innermost last, the pieces that have not come to their end."""

    watched: frozenset[str] = NOBODY
    """What the outermost procedure is asked for at its end."""
    chains: tuple[tuple[ChainPart, tuple[Piece, ...]], ...] = ()
    """Of each chain its first piece (it tells whose chain it is) and the pieces to come, the one that runs in front."""
    once: bool = False
    """Whether the piece that runs is not among those that come after it."""

    def along(self, parts: tuple[ChainPart, ...]) -> tuple[Ahead, ...]:
        """What is to come while each piece of a chain runs (it may still do anything that it says), and at last what is to come behind the chain."""
        rests: list[tuple[ChainPart, ...]] = [()]
        for part in reversed(parts):  # rounds of `repeat` are one piece many times, and need to be looked at once
            rests.append(rests[-1] if part in rests[-1] else (part, *rests[-1]))
        repeated = len(set(parts)) < len(parts)
        return tuple(Ahead(self.watched, (*self.chains, (parts[0], rest)), bool(rest) and not repeated) for rest in reversed(rests))

    def past(self, by: m.Sentence | None) -> Ahead:
        """What is to come once a sentence of the piece that runs is over: only what stands behind it there. Where it cannot be found, it may be
        anywhere.
        """
        if by is None or not self.once:
            return self
        first, (part, *rest) = self.chains[-1]
        if isinstance(part, Rest) or (found := behind(sentences_of(part), by)) is None:
            return self
        return Ahead(self.watched, (*self.chains[:-1], (first, (Rest(part, by, found), *rest))))

    @cached_property
    def key(self) -> tuple[Any, ...]:
        """Equal for those that the same can be spoken of in: of a chain of rounds no more counts than the frame that it runs in."""
        return tuple((key_of(first) if isinstance(first, StepPart) else depth_of(first), tuple(map(key_of, parts))) for first, parts in self.chains)


@frozen
class Rest:
    """A piece that runs, and of which no more than these sentences are left, behind the sentence `by`."""

    part: ChainPart
    by: m.Sentence
    sentences: m.Body


Piece = ChainPart | Rest


def sentences_of(part: ChainPart) -> m.Body:
    if isinstance(part, StepPart):
        return part.rules.body_of(part.entry.steps[part.number])
    assert isinstance(part, RoundPart)
    return part.sentences


def behind(body: m.Body, by: m.Sentence) -> m.Body | None:
    """The sentences that may still run in a body after one of them, however deep it stands; None where it does not, or where it may come again."""
    for at, one in enumerate(body):
        if one is by:
            return body[at + 1 :]
        if isinstance(one, m.If | m.May | m.Limited) and (found := behind(one.body, by)) is not None:
            return (*found, *body[at + 1 :])
        if isinstance(one, m.ChooseOne):
            for number, option in enumerate(one.options):
                if (found := behind(option.body, by)) is not None:
                    return (*found, *(more for other in one.options[number + 1 :] for more in other.body), *body[at + 1 :])
    return None


def key_of(part: Piece) -> tuple[Any, ...]:
    if isinstance(part, Rest):
        return (*key_of(part.part), id(part.by)) if part.sentences or isinstance(part.part, StepPart | LoopPart) else ("over", word_of(part.by))
    if isinstance(part, StepPart):
        return part.entry.id, part.number, part.depth
    assert isinstance(part, RoundPart)
    return id(part.sentences), part.scope


def word_of(by: m.Sentence) -> str:
    """The word that holds what came of a sentence."""
    return by.word if isinstance(by, m.Do) else ""


def depth_of(part: ChainPart) -> int:
    if isinstance(part, StepPart):
        return part.depth
    assert isinstance(part, RoundPart)
    return part.scope.frame
