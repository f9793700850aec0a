"""Who answers the questions of a making when no person does: dice and cards by a seed, choices by a policy."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from te_forge.characters.character import OPEN, Character
from te_forge.characters.making import Decide, Question, Run
from te_forge.characters.roster import Roster, question_of
from te_forge.engine.effects import Choose, Draw, Roll
from te_forge.engine.policies import RANDOM, policy_called
from te_forge.engine.reading import Reading
from te_forge.seeded import drawn, generator, thrown


def by_chance(question: Roll | Draw, seed: int, at: int) -> Any:
    """What the dice show, or which card is drawn, for the question number `at`: the same whenever it is asked again."""
    place = f"character {seed}"
    return thrown(place, at, question) if isinstance(question, Roll) else drawn(place, at, question)


def left_open(character: Character, roster: Roster) -> Character:
    """A policy has no words of its own: what a trait asks for stays open."""
    asked = {id: OPEN for id in character.traits if question_of(roster.rules.entries[id])}
    return replace(character, notes={**asked, **character.notes})


def decide_by(policy: str, seed: int) -> Decide:
    """Answers by a policy. Where the rules ask the same again (one cannot have the same thing twice, say), it answers something else."""

    def decide(question: Question, run: Run) -> Any:
        at = len(run.asked)
        if isinstance(question, Roll | Draw):
            return by_chance(question, seed, at)
        before = [one.answer for one in run.asked if one.question == question]
        name, asked = RANDOM if before else policy, question
        if isinstance(question, Choose) and (fresh := tuple(option for option in question.options if option not in before)):
            name, asked = policy, replace(question, options=fresh, labels=())
        return policy_called(name, generator(f"character {seed}", "choice", at))(asked, Reading(run.roster.rules, run.state))

    return decide
