"""Who decides while something is counted out: the answers that are given beforehand, then a policy; and what was asked of whom on the way."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import field
from typing import Any

from te_forge.asked.beforehand import Preset, answered, reading_names
from te_forge.engine.effects import Choose, Decision, Keep, Number, Offer, Several, Share
from te_forge.engine.policies import Policy
from te_forge.engine.reading import Reading
from te_forge.frozen import frozen

BY_GOAL = "as the goal wants"


@frozen
class Choice:
    """Something that somebody was asked for, by the name by which it can be answered beforehand, with every answer that was given to it."""

    who: str
    asked: str
    answers: tuple[str, ...]


@frozen
class Decided:
    """The policy, after the answers that are given beforehand. It remembers what it was asked."""

    policy: Policy
    presets: tuple[Preset, ...] = ()
    made: dict[tuple[str, str], dict[str, None]] = field(default_factory=dict)
    """The answers, by who was asked for what."""

    def __call__(self, decision: Decision, reading: Reading) -> Any:
        found = self.given(decision, reading)
        if found:
            return found[0]
        answer = self.policy(decision, reading)
        self.remember(decision, in_words(decision, answer, reading))
        return answer

    def given(self, decision: Decision, reading: Reading) -> tuple[Any, ...]:
        """The answer that is given beforehand, as the only one of a tuple; empty when there is none."""
        found = answered(self.presets, decision, reading)
        if found:
            self.remember(decision, in_words(decision, found[0], reading))
        return found

    def remember(self, decision: Decision, answer: str) -> None:
        self.made.setdefault((decision.who, called(decision)), {})[answer] = None

    def choices(self) -> tuple[Choice, ...]:
        """What was asked, in an order that does not tell what was followed first."""
        return in_order(self.made)

    @property
    def looks_at(self) -> frozenset[str]:
        """The words of procedures that it reads."""
        return frozenset(one.when.name for one in self.presets if one.when is not None)


def in_order(made: Mapping[tuple[str, str], Iterable[str]]) -> tuple[Choice, ...]:
    return tuple(Choice(who, asked, tuple(sorted(answers, key=by_number))) for (who, asked), answers in sorted(made.items()))


def together(choices: Iterable[tuple[Choice, ...]]) -> tuple[Choice, ...]:
    """What was asked in several questions, as if it had been one."""
    made: dict[tuple[str, str], set[str]] = {}
    for one in {choice for each in choices for choice in each}:
        made.setdefault((one.who, one.asked), set()).update(one.answers)
    return in_order(made)


def by_number(answer: str) -> tuple[int, str]:
    return (int(answer) if answer.isdecimal() else 0, answer)


def called(decision: Decision) -> str:
    match decision:
        case Choose(word=word) | Number(word=word) | Several(word=word):
            return word
        case Offer(names=names):
            return names[0] if names else "an offer"
        case Keep(verb=verb):
            return verb
        case Share(total=total):
            return f"{total} to divide up"


def in_words(decision: Decision, answer: Any, reading: Reading) -> str:
    match decision:
        case Choose(options=options, labels=labels):
            at = options.index(answer)
            return labels[at] if at < len(labels) else str(answer)
        case Offer():
            return "yes" if answer else "no"
        case Several():
            return ", ".join(reading_names(reading, one)[0] for one in answer) or "nothing"
        case Keep():
            return faces(decision, answer)
        case Share(places=places):
            return ", ".join(f"{place} {points}" for place, points in zip(places, answer, strict=True))
        case Number():
            return str(answer)


def faces(decision: Keep, answer: Any) -> str:
    """Which of the dice: of all bags that may have fallen, the same answer in words as often as may be."""
    many = len(answer)
    if not many:
        return "none"
    if many == len(decision.dice):
        return "all"
    if answer == decision.dice[:many]:
        return "highest"
    return "lowest" if answer == decision.dice[len(decision.dice) - many :] else "some"
