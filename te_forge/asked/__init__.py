"""What a command line says about a moment of a game: who is there, which numbers they have, who does what, what is decided beforehand.

`actor=Ann Luck=4 Ann.Wounds=2 trick=yes` names a role, a number of whoever has it, a number of Ann's, and the answer to a choice. Whatever does not
fit is refused in a sentence (`Refused`) that says what would. `somebody`, `roles` and `stated` know people, roles and numbers, `beforehand` answers,
`request` puts both together, `goals` reads what is wished for. `counting` and `ranges` count it out, and `choices` remembers what was asked on the way.
"""

from te_forge.asked.beforehand import Preset, answered, refuse_unasked, refuse_wrong, unasked
from te_forge.asked.called import Refused
from te_forge.asked.choices import Decided
from te_forge.asked.goals import Goal, goal
from te_forge.asked.request import Asked, ask
from te_forge.asked.roles import refuse_twice
from te_forge.asked.somebody import named, with_somebody
from te_forge.asked.stated import whole

__all__ = [
    "Asked",
    "Decided",
    "Goal",
    "Preset",
    "Refused",
    "answered",
    "ask",
    "goal",
    "named",
    "refuse_twice",
    "refuse_unasked",
    "refuse_wrong",
    "unasked",
    "whole",
    "with_somebody",
]
