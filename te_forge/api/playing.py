"""Procedures run and counted out for other programs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from te_forge import asked as words
from te_forge.api.errors import Refused
from te_forge.api.given import in_python, shown
from te_forge.api.results import Odds, Rolled
from te_forge.asked import counting, ranges
from te_forge.engine.effects import Draw, Roll
from te_forge.engine.following import TooMany
from te_forge.engine.index import Rules
from te_forge.engine.policies import POLICIES, unknown
from te_forge.engine.reading import RuleError
from te_forge.engine.state import NOBODYS, Dice, bag
from te_forge.play import roll, set_up
from te_forge.play.answering import EVERYBODY, bots_only
from te_forge.play.table import Table
from te_forge.play.words import Teller
from te_forge.seeded import could_show


class GivenDice(Table):
    """A table at which the first rolls show given dice."""

    given: list[Sequence[int]]

    def chance(self, effect: Roll | Draw) -> Any:
        if not isinstance(effect, Roll) or not self.given:
            return super().chance(effect)
        found = fallen(effect, self.given.pop(0), words.named(self.rules, self.state, effect.who))
        self.append({"roll": effect.who, "shows": found})
        self.rolls += 1
        return found


def fallen(effect: Roll, faces: Sequence[int], who: str) -> Dice:
    """Faces as the dice of a roll, the first sort of dice first; those that explode come last."""
    sides = [side for number, side, _ in effect.dice for _ in range(number)]
    sides += [next((side for _, side, exploding in effect.dice if exploding), sides[-1] if sides else 0)] * (len(faces) - len(sides))
    dice = bag(list(zip(faces, sides, strict=False)))
    if len(faces) != len(dice) or not could_show(effect, dice):
        wanted = " and ".join(f"{number} d{side}" for number, side, _ in effect.dice)
        raise Refused(f"{shown(list(faces)) if faces else 'no dice'} cannot be what {who} rolls: it is {wanted}")
    return dice


def asking(rules: Rules, procedure: str, given: Mapping[str, object], who: Iterable[str]) -> words.Asked:
    try:
        return words.ask(rules, procedure, pairs_of(given), who)
    except words.Refused as reason:
        raise Refused(in_python(str(reason))) from None


def pairs_of(given: Mapping[str, object]) -> list[str]:
    return [f"{key}={value}" for key, value in given.items()]


def rolled(
    rules: Rules, procedure: str, given: Mapping[str, object], who: Iterable[str], seed: str | None, dice: Sequence[Sequence[int]], policy: str
) -> Rolled:
    if why := unknown(policy):
        raise Refused(why)
    asked = asking(rules, procedure, given, who)
    lines: list[str] = []
    table = GivenDice(
        rules,
        seed if seed is not None else set_up.any_seed(),
        Teller(rules, lines.append, every_step=True),
        roll.with_presets(asked.presets, bots_only),
        state=asked.state,
    )
    table.given, table.bots = list(dice), {EVERYBODY: policy}
    try:
        table.do({"do": "begin", "id": asked.procedure.id, "roles": asked.roles})
        words.refuse_wrong(asked.presets)
        table.teller.release()
        if table.result is None:
            raise Refused(lines[-1].strip() if lines else "the procedure was stopped")
        words.refuse_unasked(asked.presets, asked.procedure)
    except words.Refused as reason:
        raise Refused(in_python(str(reason))) from None
    if table.given:
        raise Refused(f"{len(table.given)} of the given rolls were not made")
    result = table.result
    numbers = {
        word if one == NOBODYS else f"{words.named(rules, table.state, one)}'s {word}": value
        for (one, word), value in result.hung.items()
        if isinstance(value, int)
    }
    numbers |= {word: value for word, value in result.words.items() if isinstance(value, int)}
    shown = tuple(event.data["shows"] for event in table.events if "roll" in event.data)
    chosen = tuple(
        (event.data["choice"], event.data["is"], "" if (by := event.data.get("by", "")) == "beforehand" else by)
        for event in table.events
        if "choice" in event.data
    )
    return Rolled(asked.procedure.id, counting.name_of(asked, result.outcome), numbers, tuple(lines), table.seed, shown, chosen)


def counted(rules: Rules, procedure: str, given: Mapping[str, object], who: Iterable[str], policy: str, best: str | None) -> Odds:
    if why := unknown(policy, POLICIES):
        raise Refused(why)
    asked = asking(rules, procedure, given, who)
    with refused_here(rules):
        return as_odds(counting.counted(asked, policy, best))


def counted_each(
    rules: Rules, procedure: str, given: Mapping[str, object], who: Iterable[str], policy: str, best: str | None
) -> dict[tuple[int, ...], Odds]:
    if why := unknown(policy, POLICIES):
        raise Refused(why)
    with refused_here(rules):
        questions = ranges.counted_each(rules, procedure, pairs_of(given), who, policy, best)
    return {numbers: as_odds(one) for numbers, one in questions.each.items()}


@contextmanager
def refused_here(rules: Rules) -> Iterator[None]:
    """What cannot be counted out is refused in the words of Python."""
    try:
        yield
    except (words.Refused, TooMany) as reason:
        raise Refused(in_python(str(reason))) from None
    except RuleError as error:
        place = rules.place(error.scope.entry, error.scope.line)
        raise Refused(f"the rules cannot be counted out: {error}{f' ({place})' if place is not None else ''}") from None


def as_odds(question: counting.Question) -> Odds:
    asked, found = question.asked, question.table
    outcomes = counting.in_order(asked, found.outcomes)
    names = {key: counting.number_name(asked, key) if key[0] else key[1] for key in found.numbers}
    numbers = {names[key]: law for key, law in found.numbers.items()}
    others = {names[key]: other for key, other in found.beyond.items()}
    choices = tuple((words.named(asked.rules, asked.state, one.who), one.asked, one.answers) for one in question.choices)
    return Odds(asked.procedure.id, outcomes, numbers, found.missing, found.cut, question.best, others, choices)
