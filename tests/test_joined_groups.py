"""Groups that are joined, groups of one, words that a hook changes before they have a base, rows with ids of their own, and what an example says when
nobody asks any more.
"""

from __future__ import annotations

from te_forge.check import check
from te_forge.engine.index import Rules
from te_forge.engine.script import play_example
from te_forge.model.pack import PackInfo
from te_forge.model.system import System
from te_forge.source import Source

PAGE = """# A Ship

The {number of jobs} jobs are all there is.

## kind: captain
- Is: an actor
- How Many: 1

## kind: sailor
- Is: an actor

## kind: pool
- Is: a number

| pool | Of       | Starts | text    |
|------|----------|--------|---------|
| Rum  | a sailor | 0      | A sip.  |

## kind: mark
- Is: an entry

| mark   | text |
|--------|------|
| Sharp  | It cuts. |
| Round  | It rolls. |

## kind: tool
- Is: a trait of a sailor

| label | holds            | default | text         |
|-------|------------------|---------|--------------|
| Marks | a group of marks | nothing | what it is   |

| tool                       | Marks        | text |
|----------------------------|--------------|------|
| Knife                      | Sharp        | One. |
| Cutlass of Old {#cutlass}  | Sharp, Round | Two. |
| Rope                       | -            | None. |

## kind: job
- Is: an entry

| job      | text            |
|----------|-----------------|
| Lookout  | In the basket.  |

## procedure: Watch
- Roles: a sailor as the sailor, a job as the job

1. Go.
   - Go: the sailor says "aye"

## procedure: Toast
- Roles: a group of sailors as the crew

1. Drink.
   - Count: the count is number of the crew
   - Drink: for each sailor in the crew: the sailor gains 1 Rum

## procedure: Party
- Roles: a group of sailors as the larboard, a group of sailors as the starboard

1. Drink.
   - Both: do Toast with the larboard and the starboard as the crew as the toast
   - All: do Toast with the larboard and the captain's Favourite as the crew

## procedure: Cut
- Roles: a sailor as the cutter, a tool as the tool
- Outcomes: Cut, Blunt

1. Look.
   - Edge: the edge is 0
   - Sharp: if the tool's Marks have Sharp or the edge is above 0: end with Cut
   - Blunt: the cutter says "it does not cut"; end with Blunt

## kind: knack
- Is: a trait of a sailor

## knack: Strong Teeth
- Bite: before Look in Cut with the owner as the cutter: the edge is 1 more
"""
PAGE = PAGE.replace(
    "- How Many: 1\n",
    "- How Many: 1\n\n| label     | holds    | default | text |\n|-----------|----------|---------|------|\n| Favourite | an actor | nothing | x    |\n",
    1,
)


def made(example: str = "") -> tuple[System, list[tuple[str, str]]]:
    system, found = check([Source("ship.te", PAGE + example)], PackInfo(id="ship", title="Ship", version="1.0.0"))
    assert system is not None
    return system, [(one.code, one.message) for one in found]


def failure(lines: str) -> str:
    system, _ = made(f"""
## example: Night
- Ann: a sailor with Knife and Rope and Strong Teeth
- Ben: a sailor with Knife and Rope
- Cem: a sailor with [[Cutlass of Old]]
1. Play.
{lines}""")
    played = [play_example(Rules(system), one).failure for one in system.of_kind("example")]
    return "".join(one.message for one in played if one is not None)


def test_a_row_may_state_its_id() -> None:
    system, found = made()
    assert system.entries["ship:tool/cutlass"].name == "Cutlass of Old"
    assert [code for code, _ in found if code == "bad-id"] == []


def test_an_id_in_a_row_is_held_to_its_letters() -> None:
    _, found = check([Source("ship.te", PAGE.replace("{#cutlass}", "{#Old_One}"))], PackInfo(id="ship", title="Ship", version="1.0.0"))
    assert "bad-id" in [one.code for one in found]


def test_what_a_procedure_takes_is_not_unused() -> None:
    assert "nothing mentions `Lookout`" not in [message for _, message in made()[1]]


def test_groups_that_are_joined_are_one_group() -> None:
    said = "   - do Party with Ann and Ben as the larboard, Cem as the starboard\n"
    assert failure(said + "   - expect Ann's Rum is 2 and Ben's Rum is 2 and Cem's Rum is 1\n") == ""


def test_a_group_of_one_has_its_member() -> None:
    said = "   - do Cut with Ben as the cutter, {} as the tool as the cut\n   - expect the cut is {}\n"
    assert failure(said.format("Knife", "Cut")) == ""
    assert failure(said.format("Rope", "Blunt")) == ""
    assert failure(said.replace("Ben", "Cem").format("[[Cutlass of Old]]", "Cut")) == ""


def test_a_hook_changes_a_word_before_it_has_a_base() -> None:
    assert failure("   - do Cut with Ann as the cutter, Rope as the tool as the cut\n   - expect the cut is Cut\n") == ""


def test_a_pick_that_comes_too_late_is_told_how_it_ended() -> None:
    said = failure("   - do Cut with Ben as the cutter, Rope as the tool\n   - Ben picks Sharp\n")
    assert said == 'here stands `Ben picks Sharp`, but nothing asks for it any more: `Cut` has ended with Blunt ("it does not cut")'
