"""What somebody has and has not: numbers of actors in general, traits that are printed, dice that things hold, bans on a part."""

from __future__ import annotations

import pytest
from click.testing import CliRunner

from te_forge.check import check
from te_forge.cli import cli
from te_forge.compose import compose
from te_forge.diagnostics import Diagnostic
from te_forge.engine.index import Rules
from te_forge.engine.people import add_person, made_kinds
from te_forge.engine.state import State
from te_forge.engine.tell import Teller
from te_forge.examples import play_all
from te_forge.model import rules as m
from te_forge.model.pack import PackInfo
from te_forge.model.system import System
from te_forge.source import Source
from te_forge.suggest import a, heading

GAME = """# Game

## kind: gm
- Is: an actor
- How Many: 1

## kind: pc
- Is: an actor
- Made By: Making

| label | holds            | default | text        |
|-------|------------------|---------|-------------|
| Arms  | a group of tools | nothing | at the belt |

## kind: npc
- Is: an actor

| label | holds            | default | text        |
|-------|------------------|---------|-------------|
| Arms  | a group of tools | nothing | at the belt |

## kind: number of both {#stat}

## kind: stat
- Is: a number of a pc, a number of an npc

| stat  | text      |
|-------|-----------|
| Might | Strength. |

## kind: pool
- Is: a number

## pool: Luck
- Of: a pc
- Starts: 3

## kind: tool
- Is: a trait of an actor

| label  | holds | default | text |
|--------|-------|---------|------|
| Damage | dice  | 1 d4    | hurt |

| tool  | Damage           | text  |
|-------|------------------|-------|
| Club  | 1 d6             | Wood. |
| Flail | 2 d6             | Iron. |
| Feather | nothing        | Soft. |

| pc    | Might | Arms        | text  |
|-------|-------|-------------|-------|
| Marta | 4     | Club, Flail | Herself. |

| npc    | Might | Arms | text  |
|--------|-------|------|-------|
| Ruffian | 2    | Club | One of many. |

## procedure: Making
- Roles: a pc as the newcomer
1. Say.
   - Words: the newcomer says "who I am"

## procedure: Scene

## procedure: Brawl
- Part Of: Scene
- Roles: an actor as the one

1. Act.
   - Act: do Blow with the one as the hitter

## procedure: Deed
- Part Of: Scene

## procedure: Blow
- Counts As: Deed
- Part Of: Brawl
- Roles: an actor as the hitter

1. Hit.
   - Roll: the hitter chooses a tool of the hitter as the tool; the hitter rolls the tool's Damage and 1 d4 as the harm
   - Sum: the hitter's Might becomes sum of the harm

## kind: condition
- Is: a trait of an actor

## condition: Bound
- Still: the owner cannot do Deed

## condition: Asleep
- Still: the owner cannot do any procedure
""".replace("## kind: number of both {#stat}\n\n", "")


def read(text: str) -> tuple[System, list[Diagnostic]]:
    system, found = check([Source("game.te", GAME), Source("more.te", text)], PackInfo(id="game", title="Game", version="1.0.0"))
    assert system is not None
    return system, [one for one in found if one.severity == "error"]


def comes_out(text: str) -> None:
    system, errors = read(f"# More\n\n{text}")
    assert errors == []
    assert [one.message for result in play_all(system) for one in result.diagnostics] == []


def said(text: str) -> str:
    system, errors = read(f"# More\n\n{text}")
    assert errors == []
    return next(one.message for result in play_all(system) for one in result.diagnostics)


# ---------------------------------------------------------------- dice that something holds


def test_dice_that_a_field_holds_are_rolled_and_others_with_them() -> None:
    comes_out("""## example: A Blow
- Ann: a pc with Flail
1. Two dice of the flail and one more.
   - do Blow with Ann as the hitter
   - Ann shows 5, 6, 3
   - expect Ann's Might is 14
""")


def test_a_field_that_holds_nothing_adds_no_dice() -> None:
    comes_out("""## example: A Tickle
- Ann: a pc with Feather
1. One die.
   - do Blow with Ann as the hitter
   - Ann shows 3
   - expect Ann's Might is 3
""")


def test_dice_that_lie_already_are_not_rolled() -> None:
    text = """## procedure: Twice
- Roles: an actor as the one
1. Roll.
   - First: the one rolls 1 d6 as the roll
   - Again: the one rolls the roll as the more

## example: Again
- Ann: a pc
1. Twice.
   - do Twice with Ann as the one
   - Ann shows 3
"""
    assert said(text).endswith("these dice have been rolled already: `rerolls` turns them again")


# ---------------------------------------------------------------- numbers


def test_of_actors_in_general_those_without_the_number_are_left_out() -> None:
    """The gm has no Might, so the lowest Might is not 0; the npc has no Luck."""
    comes_out("""## rule: Weakest
- Fall: after Scene: for each actor whose Might is the lowest: the actor gains 1 Might
- Floor: after Scene: the gm says "weak"

## example: Lowest
- Ann: a pc with Might 3
- Bo: an npc with Might 5
1. Ann.
   - do Scene
   - do Scene
   - expect Ann's Might is 4 and Bo's Might is 5
   - expect (lowest Might of actors) is 4 and (number of actors whose Luck is above 0) is 1
""")


def test_a_kind_that_has_no_such_number_is_still_a_mistake() -> None:
    _, errors = read("# More\n\n## rule: Wrong\n- Luck: after Scene: for each npc whose Luck is above 0: the npc gains 1 Might\n")
    assert [(one.code, one.message) for one in errors] == [("number-of-another", "an npc has no Luck: it is a number of a pc")]


def test_a_number_of_somebody_who_has_none_is_0() -> None:
    comes_out("""## procedure: Look
- Roles: an actor as the one
1. Look.
   - Much: the much is the one's Luck

## example: No Luck
- Bo: an npc
1. None.
   - do Look with Bo as the one as the look
   - expect the look's much is 0
""")


def test_a_sheet_states_a_number_below_0() -> None:
    comes_out("""## example: Weak
- Ann: a pc with Might -2 and Club
1. Below.
   - expect Ann's Might is -2 and Ann has Club
""")


# ---------------------------------------------------------------- traits


def test_what_is_printed_can_be_dropped_by_one_of_them() -> None:
    comes_out("""## example: Disarmed
- Bo: a Ruffian
- Cy: a Ruffian
1. Bo has lost it, and Cy has not.
   - Bo drops Club
   - expect Bo lacks Club and Cy has Club
   - Bo takes Club
   - expect Bo has Club
""")


# ---------------------------------------------------------------- bans


def test_what_is_forbidden_by_name_stays_so_in_a_larger_thing() -> None:
    comes_out("""## example: Bound
- Ann: a pc with Bound and Club
1. She is in the brawl, and does nothing.
   - do Brawl with Ann as the one
   - expect Ann's Might is 0
""")


def test_a_part_goes_with_a_whole_that_is_forbidden_with_it() -> None:
    comes_out("""## procedure: Waking
- Roles: an actor as the one
1. Wake.
   - Sleep: do Brawl with the one as the one

## rule: Into It
- In: before Act in Brawl: the one takes Asleep

## example: Asleep
- Ann: a pc with Club
1. She fell asleep in the brawl, and still hits.
   - do Brawl with Ann as the one
   - Ann shows 3, 2
   - expect Ann's Might is 5
""")


def test_an_example_says_what_forbids_what_it_waits_for() -> None:
    text = """## example: Bound
- Ann: a pc with Bound and Club
1. She does nothing.
   - do Blow with Ann as the hitter
   - Ann shows 3, 2
"""
    assert said(text) == "here stands `Ann shows 3`, but nothing asks for it any more: Blow does not happen: forbidden by Bound of Ann"


# ---------------------------------------------------------------- in the place of something


STAND_INS = """## procedure: Ask
- Roles: an actor as the asker
- Outcomes: Yes, No
1. Ask.
   - Yes: end with Yes

## condition: Stern
- No: instead of Ask with an actor as the asker: if the owner's Might is above 3: end with No

## example: Two Who Could
- Ann: a pc with Might {ann} and Stern
- Ben: a pc with Might {ben} and Stern
1. Ask.
   - do Ask with Ann as the asker as the answer
   - expect the answer is {answer}
"""


@pytest.mark.parametrize(("ann", "ben", "answer"), [(1, 1, "Yes"), (4, 1, "No"), (1, 4, "No")])
def test_of_several_that_could_stand_in_those_count_whose_conditions_hold(ann: int, ben: int, answer: str) -> None:
    comes_out(STAND_INS.format(ann=ann, ben=ben, answer=answer))


def test_two_that_hold_together_are_a_mistake() -> None:
    assert "two rules stand in for the same thing" in said(STAND_INS.format(ann=4, ben=4, answer="No"))


# ---------------------------------------------------------------- names


@pytest.mark.parametrize(
    ("noun", "with_article"), [("pc", "a pc"), ("npc", "an npc"), ("gm", "a gm"), ("owl", "an owl"), ("fly", "a fly"), ("hmm thing", "an hmm thing")]
)
def test_articles(noun: str, with_article: str) -> None:
    assert a(noun) == with_article


def test_people_with_names_of_their_own_are_told_of_by_them() -> None:
    system, errors = read("# More\n")
    assert errors == []
    rules, state = Rules(system), State()
    for name, id in (("Marta", "game:pc/marta"), ("Ruffian", "game:npc/ruffian"), ("Ruffian 2", "game:npc/ruffian"), ("Joe", "game:npc/ruffian")):
        state = add_person(rules, state, name, m.Sheet(id, ()))
    teller = Teller(rules, state.people.items())
    assert [teller.name(id) for id in state.people] == ["Marta", "the Ruffian", "the Ruffian 2", "Joe"]


def test_a_kind_with_printed_people_and_a_procedure_that_makes_more_is_made() -> None:
    system, _ = read("# More\n")
    assert list(made_kinds(Rules(system))) == ["pc"]


@pytest.mark.parametrize("word", ["number", "actor", "entry", "dice"])
def test_a_kind_is_not_called_as_every_game_calls_something(word: str) -> None:
    _, errors = read(f"# More\n\n## kind: {word}\nOurs.\n- Is: an entry\n")
    assert "odd-name" in [one.code for one in errors]


def test_a_kind_may_be_called_thing() -> None:
    comes_out("""## kind: thing
- Is: an actor

## procedure: Push
- Roles: a thing as the pushed
1. Push.
   - Words: the pushed says "creak"

## example: A Door
- Door: a thing
1. It creaks.
   - do Push with Door as the pushed
""")


def test_a_link_by_an_id_says_the_name() -> None:
    _, errors = read('# More\n\nSee [[first-blood]].\n\n## ruling: Who Bleeds First {#first-blood}\nWho?\n- Reads: "nobody"\n- Why: "so"\n')
    assert [(one.code, one.help) for one in errors] == [("broken-link", "did you mean `[[Who Bleeds First]]`?")]


# ---------------------------------------------------------------- patches


CHOICE = """## procedure: Camp
- Roles: a pc as the one
- Outcomes: Done

1. Choose.
   - Way: the one chooses one:
     - Bold: the price is 1
     - Wary: the price is 2
   - Try: 3 times per Camp: the one may agree "once more":
     - Luck: the one gains 1 Luck
   - Pay: the one gains Luck equal to the price; end with Done

"""


def test_options_that_a_patch_changes_are_not_taken_for_lines_after_each_other() -> None:
    _, errors = read(
        "# More\n\n"
        + CHOICE
        + "## hack: Dearer\n### changes procedure: Camp\n- Choose:\n  - Way:\n    - Bold: the price is 3\n    - Wary: the price is 4\n"
    )
    assert errors == []


def test_lines_that_a_patch_puts_one_after_the_other_into_a_step_are() -> None:
    _, errors = read(
        "# More\n\n"
        + CHOICE
        + "## hack: Two\n### changes procedure: Camp\n- Choose:\n  - One after Pay: the cost is 3\n  - Two after One: the cost is 4\n"
    )
    assert "two-bases" in [one.code for one in errors]


def test_what_a_patch_puts_into_a_line_may_stand_behind_a_limit_there() -> None:
    text = (
        "# More\n\n"
        + CHOICE
        + "## hack: Again\n### changes procedure: Camp\n- Choose:\n  - Try:\n    - Luck: the one gains 1 Luck; go back to Choose\n"
    )
    assert read(text)[1] == []
    text = "# More\n\n" + CHOICE + "## hack: Again\n### changes procedure: Camp\n- Choose:\n  - Pay: go back to Choose\n"
    assert "go-back-unbounded" in [one.code for one in read(text)[1]]


def test_prose_counts_what_a_hack_that_is_on_brings_in() -> None:
    system, errors = read("# Count\n\nThere are {number of tools}.\n\n## hack: More Tools\n### tool: Rake\nFor leaves.\n")
    assert errors == []
    for on, count in (([], "'3'"), (["game:hack/more-tools"], "'4'")):
        chapter = next(one for one in compose(system, on).system.chapters if one.title == "Count")
        assert count in repr(chapter.items[0])


@pytest.mark.parametrize(
    ("kind", "shown"), [("pc", "PC"), ("npc", "NPC"), ("pcs", "PCs"), ("hero", "Hero"), ("random table", "Random table"), ("", "")]
)
def test_a_kind_that_cannot_be_spoken_is_in_capitals(kind: str, shown: str) -> None:
    assert heading(kind) == shown


def test_bots_are_called_by_it() -> None:
    shown = CliRunner().invoke(cli, ["play", "tension-tests", "--all-bots", "--seed", "1", "--procedures", "1"]).stdout
    assert "PC One is here." in shown
