"""A question asked for each of several numbers: `difficulty=5..15`, `Ann.Luck=0..4`, and every combination of them.

Numbers that are handed to the procedure are left open, and all of them are counted out at once (`engine.opened`); where somebody decides for a goal, or
cards are drawn, and of all other numbers, each is a question of its own.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from itertools import product
from math import prod

from te_forge.asked.beforehand import Preset, refuse_unasked, refuse_wrong
from te_forge.asked.called import Refused, number_called, procedure_called, role_words, roles_of
from te_forge.asked.choices import Choice, Decided, together
from te_forge.asked.counting import Question, count
from te_forge.asked.request import Asked, ask, split_pair
from te_forge.asked.stated import whole, whose_what
from te_forge.engine.best import Best, follower
from te_forge.engine.following import TooMany
from te_forge.engine.index import Rules
from te_forge.engine.opened import rows_for_each
from te_forge.engine.policies import POLICIES
from te_forge.engine.reading import RuleError
from te_forge.engine.table import Unchanged, table_of
from te_forge.frozen import frozen, replace
from te_forge.keys import slug
from te_forge.model.system import Entry

RANGE = re.compile(r"\s*[+-]?[0-9]+\s*\.\.\s*[+-]?[0-9]+\s*")
OTHER_SIGNS = re.compile(r"\s*([+-]?[0-9]+)\s*(?:-|\u2013|\u2014|\.{3,}|\u2026|to)\s*([+-]?[0-9]+)\s*")
MOST_QUESTIONS = 2_000
Numbers = tuple[int, ...]


@frozen
class Questions:
    """All of them, by the numbers that the names have in it."""

    names: tuple[str, ...]
    each: dict[Numbers, Question]

    @property
    def first(self) -> Asked:
        return next(iter(self.each.values())).asked

    @property
    def choices(self) -> tuple[Choice, ...]:
        """What was asked in any of them, with all answers."""
        return together(one.choices for one in self.each.values())


def ranges_in(rules: Rules, procedure: str, pairs: Iterable[str]) -> dict[str, Numbers]:
    """What is asked for each of several numbers."""
    found: dict[str, Numbers] = {}
    for key, text in map(split_pair, pairs):
        if key in found:
            raise Refused(f"`{key}` is said twice; several numbers are one range or one list, such as `{key}=1..3,7`")
        if RANGE.fullmatch(text) or (is_number(rules, procedure, key) and meant_as_several(key, text)):
            found[key] = tuple(dict.fromkeys(number for part in text.split(",") for number in numbers_of(key, part.strip())))
    return found


def is_number(rules: Rules, procedure: str, key: str) -> bool:
    """Whether a number is given by this name, and not the answer to a choice, which may have commas of its own."""
    return role_called(rules, procedure, key) is not None or number_called(rules, whose_what(rules, key)[1]) is not None


def meant_as_several(key: str, text: str) -> bool:
    """Whether numbers are listed; refuses a range in other signs."""
    if other := OTHER_SIGNS.fullmatch(text):
        raise Refused(f"a range of numbers is written `{key}={other[1]}..{other[2]}`, and not `{key}={text}`")
    return "," in text and all(RANGE.fullmatch(part) or re.fullmatch(r"\s*[+-]?[0-9]+\s*", part) for part in text.split(","))


def numbers_of(key: str, text: str) -> Iterable[int]:
    low, _, high = (part.strip().removeprefix("+") for part in text.partition(".."))
    first, last = (whole(one, f"each number of `{key}={text}`") for one in (low, high or low))
    if first > last:
        raise Refused(f"`{key}={text}` runs from the higher number to the lower one; write `{key}={last}..{first}`")
    if last - first >= MOST_QUESTIONS:
        raise Refused(f"`{key}={text}` asks {last - first + 1:,} questions, and {MOST_QUESTIONS:,} at a time is the most")
    return range(first, last + 1)


def counted_each(rules: Rules, procedure: str, pairs: Iterable[str], who: Iterable[str], policy: str, best: str | None) -> Questions:
    """Every combination of the numbers that are given as ranges, counted out."""
    pairs, who = tuple(pairs), tuple(who)
    ranges = ranges_in(rules, procedure, pairs)
    if not ranges:
        raise Refused("nothing is asked for several numbers; write for example `difficulty=5..15` or `difficulty=5,10,15`")
    if (many := prod(map(len, ranges.values()))) > MOST_QUESTIONS:
        raise Refused(f"these are {many:,} questions, and {MOST_QUESTIONS:,} at a time is the most")
    handed = {key: role for key in ranges if (role := role_called(rules, procedure, key))}
    apart = [key for key in ranges if key not in handed]
    found: dict[Numbers, Question] = {}
    answers: list[tuple[Preset, ...]] = []
    for numbers in product(*(ranges[key] for key in apart)):
        said = dict(zip(apart, numbers, strict=True))
        with naming(said):
            first = ask(rules, procedure, with_said(pairs, said | {key: ranges[key][0] for key in handed}), who)
            lines = list(opened(first, {key: (role, ranges[key]) for key, role in handed.items()}, policy, best))
            refuse_wrong(first.presets)
        answers.append(first.presets)
        for values, question in lines:
            at = said | dict(zip(handed, values, strict=True))
            found[tuple(at[key] for key in ranges)] = question
    refuse_unwanted(answers, procedure_called(rules, procedure))
    return Questions(tuple(ranges), {numbers: found[numbers] for numbers in product(*ranges.values())})


def role_called(rules: Rules, procedure: str, key: str) -> str | None:
    """The role that a name means, if that is a number."""
    roles = (role for role in roles_of(procedure_called(rules, procedure)) if role.type.name == "number")
    return next((role.word for role in roles if slug(key) in role_words(rules, role)), None)


def with_said(pairs: Iterable[str], said: Mapping[str, int]) -> list[str]:
    """The same, with a number in the place of each range."""
    return [f"{key}={said[key]}" if (key := split_pair(pair)[0]) in said else pair for pair in pairs]


@contextmanager
def naming(numbers: Mapping[str, int]) -> Iterator[None]:
    """Whatever stops a line says which one it is."""
    line = f"with {', '.join(f'{key}={number}' for key, number in numbers.items())}: " if numbers else ""
    try:
        yield
    except Refused as reason:
        raise Refused(f"{line}{reason}") from None
    except TooMany as reason:
        raise TooMany(f"{line}{reason}") from None
    except RuleError as error:
        raise RuleError(f"{line}{error}", error.scope) from None


Open = Mapping[str, tuple[str, Numbers]]
"""What is open, by the name that it was given by: the role, and the numbers that it may be."""


def opened(asked: Asked, open_: Open, policy: str, best: str | None) -> list[tuple[Numbers, Question]]:
    """A question for each combination of what these roles may be."""
    decide = Decided(POLICIES[policy], asked.presets)
    odds = follower(asked.rules, decide, asked.state, asked.procedure.id, asked.roles)
    if not open_ or best is not None or isinstance(odds, Best):
        return one_by_one(asked, open_, policy, best)
    roles = dict(open_.values())
    unchanged = Unchanged(asked.rules, asked.state)
    try:
        rows = list(rows_for_each(odds, asked.state, asked.procedure.id, asked.roles, roles))
    except (TooMany, RuleError):  # some of them can be counted out and others not, and it is to be said which
        return one_by_one(asked, open_, policy, best)
    found = [
        (numbers, Question(with_roles(asked, roles, numbers), table_of(ends, unchanged, odds.cut), None, decide.choices())) for numbers, ends in rows
    ]
    if len(odds.cut) < 2:
        return found
    # why something is missing is known of all lines together; where there are several reasons, of each line by itself
    return [(numbers, count(one.asked, policy, None) if one.table.missing else one) for numbers, one in found]


def one_by_one(asked: Asked, open_: Open, policy: str, best: str | None) -> list[tuple[Numbers, Question]]:
    """The highest numbers first: what takes too long, or is too much, mostly is so because of them."""
    found: list[tuple[Numbers, Question]] = []
    for numbers in reversed(list(product(*(numbers for _, numbers in open_.values())))):
        with naming(dict(zip(open_, numbers, strict=True))):
            found.append((numbers, count(with_roles(asked, dict(open_.values()), numbers), policy, best)))
    return found


def with_roles(asked: Asked, roles: Iterable[str], numbers: Numbers) -> Asked:
    return replace(asked, roles={**asked.roles, **dict(zip(roles, numbers, strict=True))})


def refuse_unwanted(answers: list[tuple[Preset, ...]], procedure: Entry) -> None:
    """Refuses an answer that is wanted in none of the questions."""
    for same in zip(*answers, strict=True):
        if not any(one.used for one in same):
            refuse_wrong(same[:1])
            refuse_unasked(same[:1], procedure)
