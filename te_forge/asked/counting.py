"""What was asked, counted out: by a policy, or with the first role deciding as well as can be."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from te_forge.asked.beforehand import refuse_unasked, refuse_wrong
from te_forge.asked.called import Refused, roles_of
from te_forge.asked.choices import BY_GOAL, Choice, Decided
from te_forge.asked.goals import goal
from te_forge.asked.request import Asked
from te_forge.asked.somebody import named
from te_forge.engine.best import Best, choices_of, follower
from te_forge.engine.effects import Decision
from te_forge.engine.expectimax import solved
from te_forge.engine.odds import Spread
from te_forge.engine.policies import POLICIES
from te_forge.engine.reading import Reading
from te_forge.engine.state import State
from te_forge.engine.table import Table, table
from te_forge.engine.tell import belonging
from te_forge.engine.values import as_group
from te_forge.frozen import frozen
from te_forge.keys import slug
from te_forge.model.rules import Text


@frozen
class Question:
    """What was asked with what it comes to: with a goal also how likely that is, and what was asked of whom on the way."""

    asked: Asked
    table: Table
    best: Fraction | None
    choices: tuple[Choice, ...]


def counted(asked: Asked, policy: str, best: str | None) -> Question:
    """What it comes to. Refuses an answer that nobody asked for."""
    found = count(asked, policy, best)
    refuse_wrong(asked.presets)
    refuse_unasked(asked.presets, asked.procedure)
    return found


def count(asked: Asked, policy: str, best: str | None) -> Question:
    rules, start, procedure = asked.rules, asked.state, asked.procedure
    decide = Decided(POLICIES[policy], asked.presets)
    if best is None:
        odds = follower(rules, decide, start, procedure.id, asked.roles)
        spread = odds.ends(start, procedure.id, asked.roles)
        watched = odds.live.yields(procedure.id)
        likely = None
    else:
        odds, spread, watched, likely = best_reply(asked, decide, best)
    return Question(asked, table(rules, start, spread, watched, odds.cut), likely, decide.choices())


def deciders(asked: Asked) -> tuple[str, ...]:
    """Who has the first role that is for somebody."""
    role = next((role for role in roles_of(asked.procedure) if role.type.name in ("actor", "group")), None)
    if role is None:
        raise Refused(f"nobody can decide for a goal in {asked.procedure.name}: none of its roles is for somebody")
    return tuple(map(str, as_group(asked.roles[role.word])))


def best_reply(asked: Asked, decide: Decided, best: str) -> tuple[Best, Spread, frozenset[str], Fraction]:
    """The endings when the first role decides for the goal."""
    free = choices_of(frozenset(deciders(asked)))

    def open_answers(decision: Decision, reading: Reading) -> tuple[Any, ...] | None:
        given = decide.given(decision, reading)
        if not given and (options := free(decision, reading)):
            decide.remember(decision, BY_GOAL)
            return options
        return given or None

    graph = Best(asked.rules, decide, open_answers)
    watched = graph.live.yields(asked.procedure.id)
    wanted = goal(asked, best, watched)

    def worth(state: State) -> int | Fraction:
        return wanted.worth(asked.rules, asked.state, state)

    spread = solved(graph.graph(asked.state, asked.procedure.id, asked.roles), worth)
    return graph, spread, watched, wanted.sign * sum((weight * worth(state) for (state, _), weight in spread.items()), Fraction(0))


def outcomes_of(asked: Asked) -> list[str]:
    """The names of all outcomes, as they are declared."""
    stated = asked.procedure.fields.get("outcomes")
    return [atom.text for atom in stated.value if isinstance(atom, Text)] if stated is not None else []


def name_of(asked: Asked, outcome: str) -> str:
    """The printed name of an outcome."""
    part = outcome.partition("#")[2]
    return next((name for name in outcomes_of(asked) if slug(name) == part), part)


def in_order(asked: Asked, outcomes: Mapping[str, Fraction]) -> dict[str, Fraction]:
    """The shares of outcomes by name, in the order in which they are declared."""
    names = outcomes_of(asked)
    shares = [(name_of(asked, outcome), share) for outcome, share in outcomes.items()]
    made: dict[str, Fraction] = {}
    for name, share in sorted(shares, key=lambda one: names.index(one[0]) if one[0] in names else len(names)):
        made[name] = made.get(name, Fraction(0)) + share
    return made


def number_name(asked: Asked, key: tuple[str, str]) -> str:
    """How a number is printed: `Ann's Luck`, `the total`."""
    entry = asked.rules.entries.get(key[1])
    name = entry.name if entry is not None else key[1]
    return belonging(key[0], named(asked.rules, asked.state, key[0]), name) if key[0] else f"the {name}"
