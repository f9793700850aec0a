"""Rules as designers draft them: each is told how it is said here, and saying it so leaves no mistake."""

from __future__ import annotations

import re

import pytest

from te_forge.check import check
from te_forge.model.pack import PackInfo
from te_forge.source import Source
from te_forge.syntax.drafted import DRAFTED

INFO = PackInfo(id="small", title="A Small Game", version="1.0.0", authors=("Ada Example",))
HEAD = """# Parts
## kind: gm
- Is: an actor
- How Many: 1
## kind: diver
- Is: an actor
## kind: attribute
- Is: a number of a diver
- Starts: 2

| attribute | text     |
|-----------|----------|
| Lungs     | Breath.  |

## kind: pool
- Is: a number
## pool: Air
- Of: a diver
- Starts: 9
## kind: state
- Is: a trait of a diver
## state: Wet
## state: Lit
## procedure: Dive
The whole of it: [[Test]], [[Lungs]], [[Wet]], [[Lit]].
## procedure: Test
- Part Of: Dive
- Roles: a diver as the diver, a number as the difficulty
- Outcomes: Clean, Rough, Failed

1. Roll.
   - Dice: the diver rolls 2 d6 as the roll
2. End.
   - Clean: if sum of the roll is 12: end with Clean
   - Rough: otherwise if sum of the roll is 11: end with Rough
   - Failed: otherwise: end with Failed

# More
"""
RULE = "## rule: Draft\n- Line: {}\n"
OBEYED = (
    ("after Test: the diver loses 1 d6 Air", "roll first: `the diver rolls 1 d6 as the die; the diver loses Air equal to sum of the die`"),
    ("after Test: if two dice are equal: the diver gains 1 Air", "two dice show the same where the highest is the lowest: `if highest of the roll is lowest of the roll`"),
    ("after Test: if the roll shows doubles: the diver gains 1 Air", "write `if highest of the roll is lowest of the roll`"),
    ("after Test: the diver loses half of the diver's Air", "write `loses Air equal to the diver's Air / 2 rounded up`"),
    ("after Test: the diver loses Air equal to half the difficulty", "write `the difficulty / 2 rounded up`"),
    ("after Dive: each diver regains all Air", "write `for each diver: the diver's Air becomes the diver's Air's start`"),
    ("after Test: the diver recovers all of their Air", "write `the diver's Air becomes the diver's Air's start`"),
    ("after Test: the diver's Air returns to its start", "write `the diver's Air becomes the diver's Air's start`"),
    ("after Test: if all divers have Wet: the gm says \"cold\"", "write `if number of divers without Wet is 0`"),
    ("after Test: if at least 2 divers have Lit: the gm says \"bright\"", "write `if number of divers with Lit is at least 2`"),
    ("after Test: if more than 2 divers have Lit: the gm says \"bright\"", "write `if number of divers with Lit is above 2`"),
    ("after Test: if every diver has Wet: the gm says \"cold\"", "count those who have it not, with the kind in the plural: `if number of divers without Wet is 0`"),
    ("after Test: if no diver has Lit: the gm says \"dark\"", "count them, with the kind in the plural: `if number of divers with Lit is 0`"),
    ("after Test: if none of the divers have Lit: the gm says \"dark\"", "write `if number of divers with Lit is 0`"),
    ("after Test: if 2 divers have Lit: the gm says \"dim\"", "write `if number of divers with Lit is 2`"),
    ("after Test: if fewer than 2 divers have Lit: the gm says \"dim\"", "write `if number of divers with Lit is below 2`"),
    ("after Test: the diver with the most Air takes Wet", "write `for each diver whose Air is the highest: the diver takes`"),
    ("each time a diver gains Air: the gm says \"hiss\"", "write `after gain of Air by a diver`"),
    ("after Test: each diver who has Wet loses 1 Air", "write `each diver with Wet`"),
    ("after Test: each diver who lacks Lit loses 1 Air", "write `each diver without Lit`"),
    ("after Test: the diver with the lowest Air takes Wet", "write `for each diver whose Air is the lowest: the diver takes`"),
    ("after Test ending in Clean: the diver may give 1 Air to another diver", "an offer ends in a colon: `the diver may: the diver chooses another diver as the friend; the diver loses 1 Air; the friend gains 1 Air`"),
    ("each time a diver loses Air: the gm says \"bubbles\"", "write `after loss of Air by a diver`"),
    ("once per Dive, after Test ending in Failed: the diver gains 1 Air", "write `once per Dive: after`"),
    ("the diver loses 1 Air after Test ending in Failed", "write `after Test ending in Failed: the diver loses 1 Air`"),
    ("after Test: unless the diver has Lit: the diver loses 1 Air", "write `if the diver lacks Lit`"),
)  # fmt: skip
TOLD = (
    ("after Test: the diver gains all Air", "to fill it up, give the number: `the ..'s .. becomes the ..'s ..'s start`, or `'s most`"),
    ("after Roll in Test: the diver rerolls all dice showing above 3 in the roll", "which dice are rerolled, somebody chooses: `rerolls up to 2 of the roll`; those that failed can be rolled as new dice, `rolls (number of dice showing below 5 in the roll) d6 as the again`, and counted as well"),
    ("after Test: the diver is Wet", "write `the diver takes Wet`, or `drops Wet`"),
    ("after Test ending in Failed or Rough: the diver loses 1 Air", "a line waits for one outcome: write a line for each, `after Test ending in Failed: ..` and `after Test ending in Rough: ..`"),
    ("after Test: a random diver loses 1 Air", "nobody is picked by chance: write `the gm chooses a diver as the one`, or roll, and say who is meant by which number"),
    ("before Roll in Test: the diver gets +1 die", "how many dice are rolled is a word of its own, `the dice is ..` in a step before the roll; a rule before the roll then says `the dice is 1 more`"),
    ("before Roll in Test: the diver rolls 1 more d6", "how many dice are rolled is a word of its own, `the dice is ..` in a step before the roll; a rule before the roll then says `the dice is 1 more`"),
    ("after every third Test: each diver loses 1 Air", "count them: let a pool of the gm gain 1 `after Test`, and write `after reaching a multiple of 3 of ..` for every third"),
    ("after Test: if the result is Failed: the diver loses 1 Air", "how it ended is said with the event, `after .. ending in ..:`; it ends in `Clean`, `Rough`, `Failed`"),
)  # fmt: skip


ELSEWHERE = ("the gm picks Lungs and Wet", "Air: starts at 8", "10: Two eels.", "each diver of the team loses 1 Air")
"""What stands in examples, hacks and procedures."""


def wrong(page: str) -> list[str | None]:
    _, found = check([Source("page.te", HEAD + page)], INFO)
    return [one.help for one in found if one.severity == "error"]


@pytest.mark.parametrize(("line", "help"), (*OBEYED, *TOLD), ids=[line for line, _ in (*OBEYED, *TOLD)])
def test_a_draft_is_told_how_it_is_said(line: str, help: str) -> None:
    assert wrong(RULE.format(line)) == [help]


@pytest.mark.parametrize(("line", "help"), OBEYED, ids=[line for line, _ in OBEYED])
def test_who_does_as_told_has_no_mistake(line: str, help: str) -> None:
    _, found = check([Source("page.te", HEAD + RULE.format(line))], INFO)
    one = next(one for one in found if one.severity == "error")
    column = one.span.column - 1
    whole = RULE.format(line).splitlines()[1]
    better = help.split("`")[1]
    made = whole[:column] + better + whole[one.span.end - 1 :]
    assert wrong(f"## rule: Draft\n{made}\n") == [], made


def test_people_rows_and_starts_are_told_where_they_stand() -> None:
    assert wrong("## example: Deep\n- Ann: a diver, Lungs 3\n1. Go.\n   - expect Ann's Lungs is 3\n") == ["write `a diver with Lungs 3`"]
    assert wrong("## hack: Short\n- Air: starts at 8\n") == [
        "a thing is changed below a heading of its own: `### changes ..: Air`, and below it `- Starts: 8`"
    ]
    assert wrong("## hack: Eels\n### changes table: Finds\n- 10: Two eels.\n")[-1] == (
        "a row stands in a table, with its die at the head: `| d6 | text |`, and below it `| 10 | .. |`"
    )
    assert "write `the gm picks Lungs, Wet`" in wrong("## example: Deep\n- Ann: a diver\n1. Go.\n   - the gm picks Lungs and Wet\n")
    team = "## procedure: Team\n- Roles: a group of divers as the team\n\n1. Go.\n   - Go: each diver of the team loses 1 Air\n"
    assert wrong(team) == ["write `for each diver in the team: the diver loses`"]
    roles = wrong("## procedure: Pair\n- Roles: two divers as the pair\n\n1. Go.\n   - Go: the pair loses 1 Air\n")[0]
    assert roles is not None and "`a group of characters as the team`" in roles


def test_every_draft_has_a_line() -> None:
    lines = [line for line, _ in (*OBEYED, *TOLD)] + list(ELSEWHERE)
    assert [pattern for pattern, *_ in DRAFTED if not any(re.search(pattern, line) for line in lines)] == []
