"""What is wished for: an outcome, outcomes by what each is worth, a comparison with a number that a procedure yields, or as much or as little of it
as there can be.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress
from fractions import Fraction

from te_forge.asked.called import Refused, number_called, numbers
from te_forge.asked.comparison import COMPARED, SIGNS, compared
from te_forge.asked.request import Asked
from te_forge.asked.somebody import somebody
from te_forge.asked.stated import holder_of, whole
from te_forge.engine.index import Rules
from te_forge.engine.reading import COMPARE, Reading
from te_forge.engine.state import OnlyMean, State, Unseen, Untold
from te_forge.engine.table import left, numbers_at_end
from te_forge.engine.values import without_value
from te_forge.frozen import frozen
from te_forge.keys import slug
from te_forge.model import rules as m
from te_forge.suggest import did_you_mean

EXTREMES = {"highest": 1, "lowest": -1}
WORTH = re.compile(r"\s*(.+?)\s+([+-]?\d+)\s*")


@frozen
class Goal:
    """An outcome that is wanted, or a comparison with a number that the procedure yields; `highest` and `lowest` ask for its mean."""

    text: str
    outcome: str = ""
    key: tuple[str, str] = ("", "")
    compare: str = "is"
    number: int = 0
    worths: tuple[tuple[str, int], ...] = ()
    """Outcomes with what each is worth; those that are not named are worth nothing."""

    @property
    def is_mean(self) -> bool:
        """Whether it is a number as high or as low as possible, and not something that is reached or not."""
        return self.compare in EXTREMES or bool(self.worths)

    @property
    def sign(self) -> int:
        return EXTREMES.get(self.compare, 1)

    def reached(self, rules: Rules, start: State, end: State) -> bool:
        if self.outcome:
            return left(end).outcome == self.outcome
        value = self.value(rules, start, end)
        if isinstance(value, OnlyMean):
            with suppress(Untold):
                return without_value(value, self.compare, self.number)
            raise Refused(
                f"`{self.text}` asks for each value of a number that grows for as long as a repeat goes on, and those have no end; ask for its mean"
            )
        return value is not None and COMPARE[self.compare](value, self.number)

    def value(self, rules: Rules, start: State, end: State) -> int | OnlyMean | None:
        if self.key[1] in rules.entries:
            return Reading(rules, end).stat(*self.key)
        found = numbers_at_end(rules, start, end, frozenset((self.key[1],)))
        value = found.get(self.key, found.get(("", self.key[1])))
        assert not isinstance(value, Unseen), "whoever has a goal has looked at everything"
        return value

    def worth(self, rules: Rules, start: State, end: State) -> int | Fraction:
        """How good an end is: 1 or 0 for what is reached or not, the number itself where as much of it as possible is wanted (below 0 for as little)."""
        if self.worths:
            return dict(self.worths).get(left(end).outcome, 0)
        if self.compare in EXTREMES:
            value = self.value(rules, start, end)
            return self.sign * (value.mean if isinstance(value, OnlyMean) else value or 0)
        return int(self.reached(rules, start, end))


def goal(asked: Asked, text: str, yields: frozenset[str]) -> Goal:
    """`Success`, `Success 3, Failure -1`, `lead >= 3`, `Ann.Wounds < 2`, `highest lead`, `lowest Ann.Wounds`."""
    if extreme := re.fullmatch(rf"\s*({'|'.join(EXTREMES)})\s+(.+?)\s*", text):
        return Goal(text, key=named_number(asked, extreme[2], yields), compare=extreme[1])
    compared(text)
    found = COMPARED.fullmatch(text)
    outcomes = asked.procedure.fields.get("outcomes")
    names = [atom.text for atom in outcomes.value if isinstance(atom, m.Text)] if outcomes is not None else []
    if found is not None:
        return Goal(
            text, key=named_number(asked, found[1], yields), compare=SIGNS[found[2]], number=whole(found[3].removeprefix("+"), "the number of a goal")
        )
    if all(WORTH.fullmatch(one) for one in text.split(",")) and outcome(text, names) is None:
        return Goal(text, worths=tuple(worths(asked, text, names)))
    return Goal(text, outcome=outcome_id(asked, text, names))


def worths(asked: Asked, text: str, names: list[str]) -> Iterator[tuple[str, int]]:
    """`Success 3, Failure -1`: each outcome once."""
    seen: set[str] = set()
    for one in map(WORTH.fullmatch, text.split(",")):
        assert one is not None
        id = outcome_id(asked, one[1], names)
        if id in seen:
            raise Refused(f"`{text}` names {one[1]} twice")
        seen.add(id)
        yield id, whole(one[2].removeprefix("+"), f"what {one[1]} is worth")


def outcome(text: str, names: list[str]) -> str | None:
    return next((name for name in names if slug(name) == slug(text)), None)


def outcome_id(asked: Asked, text: str, names: list[str]) -> str:
    name = outcome(text, names)
    if name is None:
        some = f"; its outcomes are {', '.join(names)}" if names else "; it has no outcomes, so give a comparison such as `total >= 9`"
        raise Refused(f"`{text}` is no outcome of {asked.procedure.name}{did_you_mean(text, names) or some}")
    return f"{asked.procedure.id}#{slug(name)}"


def named_number(asked: Asked, text: str, yields: frozenset[str]) -> tuple[str, str]:
    """The number that `lead` or `Ann.Wounds` names."""
    whose, _, word = text.rpartition(".")
    holder = somebody(asked.rules, asked.state, whose)[1] if whose else ""
    return goal_key(asked, holder, word.strip(), yields)


def goal_key(asked: Asked, holder: str, word: str, yields: frozenset[str]) -> tuple[str, str]:
    entry = number_called(asked.rules, word)
    if entry is not None:
        return holder or holder_of(asked.rules, asked.state, entry), entry.id
    if word not in yields:
        some = f"; it yields {', '.join(sorted(yields)) or 'none'}"
        raise Refused(
            f"`{word}` is no number that {asked.procedure.name} yields{did_you_mean(word, [*yields, *(one.name for one in numbers(asked.rules))]) or some}"
        )
    declared = asked.rules.declared[asked.procedure.id]
    if word in declared and not holder:
        first = next(iter(asked.roles.values()), None)
        if not isinstance(first, str):
            raise Refused(f"whose {word} is meant? Write `Ann.{word}`, with the name of somebody")
        holder = first
    return (holder if word in declared else ""), word
