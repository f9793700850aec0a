"""Tables that are read at a number and know who rolls them; what somebody has, counted; dice above and below; what words hold, left out; options
whose limit is used up.
"""

from __future__ import annotations

from fractions import Fraction as F

import pytest

from te_forge.asked import Decided, ask
from te_forge.check import check
from te_forge.diagnostics import Diagnostic
from te_forge.engine.index import Rules
from te_forge.engine.odds import Odds
from te_forge.engine.policies import POLICIES
from te_forge.engine.script import play_example
from te_forge.engine.table import table
from te_forge.model.pack import PackInfo
from te_forge.model.system import System
from te_forge.source import Source

PAGE = """# A Camp

## kind: gm
- Is: an actor
- How Many: 1

## kind: scout
- Is: an actor

## kind: craft
- Is: a number of a scout
- Starts: 0

| label | holds                 | default | text        |
|-------|-----------------------|---------|-------------|
| Sort  | one of Hand or Head   | Hand    | what it is of |

| craft | Sort | text   |
|-------|------|--------|
| Knots | Hand | Rope.  |
| Fires | Hand | Wood.  |
| Stars | Head | North. |

## kind: pool
- Is: a number

| pool   | Of      | Starts                                            | text    |
|--------|---------|---------------------------------------------------|---------|
| Wood   | the gm  | 3                                                 | To burn. |
| Badges | a scout | number of crafts in the owner whose Sort is Hand  | To sew. |
| Sweets | a scout | 0                                                 | To eat. |

## kind: mood
- Is: a trait of a scout

## mood: Tired
## mood: Proud

## table: Night

| d12  | row    | effect                                                    |
|------|--------|-----------------------------------------------------------|
| 1-4  | Quiet  | -                                                         |
| 5-8  | Owls   | the roller takes Tired                                    |
| 9-12 | Sweets | the roller gains 1 Sweets for each craft in the roller    |

## procedure: Watch
- Roles: a scout as the watcher

1. Watch.
   - Dice: the watcher rolls 2 d6 as the dice
   - Low: the low is number of dice showing below 3 in the dice
   - High: the high is number of dice showing above 3 in the dice
   - Read: the watcher reads Night at sum of the dice - the low
   - Moods: the moods is number of moods in the watcher

## procedure: Vigil
- Roles: a scout as the first

1. Watch.
   - All: for each scout: the scout rolls Night

## procedure: Long Night
- Roles: a scout as the first

1. Watch. Again and again, until it is an hour of owls or of sweets.
   - Hours: the hours is 0
   - Watch: repeat until sum of the hour is above 4: the first rolls Night as the hour; the hours becomes the hours + 1

## procedure: Lessons
- Roles: a scout as the pupil

1. Learn.
   - First: the pupil chooses a craft as the first; the pupil gains 2 of the first
   - Second: the pupil chooses a craft except the first as the second; the pupil gains 1 of the second
   - Last: the pupil chooses a craft except the first or the second as the last

## procedure: Sewing
- Roles: a scout as the sewer

1. Sew.
   - Mend: the sewer may: the sewer chooses a craft of the sewer as the craft; the sewer loses 1 of the craft
   - Trade: the sewer may: the sewer pays 1 Sweets; the gm gains 1 Wood

## procedure: Call
- Roles: a scout as the caller
- Outcomes: Loud, Quiet

1. Call.
   - Dice: the caller rolls 1 d6 as the voice
   - Loud: if sum of the voice is at least 5: end with Loud
   - Quiet: otherwise: end with Quiet

## procedure: Far Call
- Roles: a scout as the caller
- Outcomes: Quiet, Loud, Hoarse

1. Call.
   - Hoarse: if the caller has Tired: end with Hoarse
   - Call: do Call with the caller as the caller as the call
   - End: end with the call

## procedure: Supper
- Roles: a scout as the cook

1. Cook.
   - Courses: repeat up to 3 times: the cook chooses one:
     - Soup: once per Supper: the cook gains 1 Sweets
     - Stew: if Wood is above 1: the gm loses 2 Wood; the cook gains 2 Sweets
     - Bread: the cook gains 1 Knots
"""


def system(example: str, page: str = PAGE) -> System:
    made, found = check([Source("camp.te", page + example)], PackInfo(id="camp", title="Camp", version="1.0.0"))
    assert made is not None and [str(one.message) for one in found if one.severity == "error"] == []
    return made


def failure(example: str) -> str:
    made = system(f"""
## example: Night
- Ann: a scout with Knots 1 and Stars 2
{example}""")
    played = [play_example(Rules(made), one).failure for one in made.of_kind("example")]
    return "".join(one.message for one in played if one is not None)


def test_a_table_is_read_at_a_number_by_somebody() -> None:
    assert (
        failure("""1. Ten and no low die: two crafts, two sweets.
   - do Watch with Ann as the watcher as the watch
   - Ann shows 6, 4
   - expect Ann's Sweets is 2 and the watch's high is 2 and the watch's moods is 0
2. Six, and five of them count.
   - do Watch with Ann as the watcher as the watch
   - Ann shows 5, 1
   - expect Ann has Tired and the watch's low is 1 and the watch's moods is 1
""")
        == ""
    )


def test_a_number_without_a_row_is_a_mistake_and_not_the_nearest_row() -> None:
    said = failure("""1. Two ones, which take each other away.
   - do Watch with Ann as the watcher
   - Ann shows 1, 1
""")
    assert "Night has no row for 0" in said


def test_a_word_holds_the_dice_that_were_thrown_for_a_table() -> None:
    assert (
        failure("""1. Two quiet hours, and then owls.
   - do Long Night with Ann as the first as the night
   - Ann shows 4; Ann shows 1; Ann shows 5
   - expect the night's hours is 3 and Ann has Tired
2. It may be owls as well as sweets.
   - Ann drops Tired
   - do Long Night with Ann as the first
   - expect Ann has Tired in 1 of 2
""")
        == ""
    )


@pytest.mark.parametrize(("die", "shows"), [("d66", "Ann shows 6; Ann shows 4"), ("2d6", "Ann shows 6, 4")])
def test_of_several_dice_all_are_kept(die: str, shows: str) -> None:
    page = (
        PAGE.replace("| d12 ", f"| {die} ")
        .replace("1-4 ", "11-36" if die == "d66" else "2-4")
        .replace("9-12", "45-66" if die == "d66" else "9-12")
        .replace("5-8 ", "41-44" if die == "d66" else "5-8")
    )
    made = system(
        f"""
## procedure: Look
- Roles: a scout as the watcher

1. Look.
   - Roll: the watcher rolls Night as the hour
   - Sum: the sum is sum of the hour

## example: Looking
- Ann: a scout
1. Ten.
   - do Look with Ann as the watcher as the look
   - {shows}
   - expect the look's sum is 10
""",
        page,
    )
    assert [play_example(Rules(made), one).failure for one in made.of_kind("example")] == [None]


def test_only_tables_are_read() -> None:
    _, found = check([Source("camp.te", PAGE.replace("reads Night at", "reads Knots at"))], PackInfo(id="camp", title="Camp", version="1.0.0"))
    assert ("wrong-type", "only tables are read") in [(one.code, one.message) for one in found]


def test_what_somebody_has_is_counted() -> None:
    assert (
        failure("""1. One craft of the hand, and then both.
   - expect Ann's Badges is 1
   - Ann gains 1 Fires
   - expect Ann's Badges is 2
""")
        == ""
    )


def test_a_number_that_counts_itself_is_a_circle() -> None:
    page = PAGE + "\n## craft: All\n- Starts: number of crafts in the owner\n"
    _, found = check([Source("camp.te", page)], PackInfo(id="camp", title="Camp", version="1.0.0"))
    assert [one.message for one in found if one.code == "circular-definition"] == ["this number needs itself: All's start -> All's start"]


def test_what_a_word_holds_is_left_out() -> None:
    assert (
        failure("""1. Three different ones.
   - do Lessons with Ann as the pupil
   - Ann picks Stars
   - expect Stars is not offered and Knots is offered and Fires is offered
   - Ann picks Fires
   - expect Ann's Stars is 4 and Ann's Fires is 1
""")
        == ""
    )


def test_an_option_that_would_do_nothing_is_not_offered() -> None:
    assert (
        failure("""1. Soup once, stew as long as there is wood.
   - do Supper with Ann as the cook
   - expect Soup is offered and Stew is offered
   - Ann picks Soup
   - expect Soup is not offered and Stew is offered and Bread is offered
   - Ann picks Stew
   - expect Soup is not offered and Stew is not offered
   - expect Ann's Knots is 2 and Wood is 1
""")
        == ""
    )


def test_what_somebody_may_is_offered_when_it_can_begin() -> None:
    assert (
        failure("""1. Crafts, and no sweets.
   - do Sewing with Ann as the sewer
   - expect Mend is offered and Trade is not offered
2. No crafts, and a sweet.
   - Ann loses all Knots
   - Ann loses all Stars
   - Ann gains 1 Sweets
   - do Sewing with Ann as the sewer
   - expect Mend is not offered and Trade is offered
""")
        == ""
    )


@pytest.mark.parametrize("liveness", [True, False])
def test_odds_know_who_rolls(liveness: bool) -> None:
    asked = ask(Rules(system("")), "Vigil", ("first=Ann",), ("Ann: a scout with Knots 1 and Stars 1", "Bo: a scout with Stars 1"))
    found = Odds(asked.rules, Decided(POLICIES["plain"], asked.presets), liveness)
    spread = found.run(asked.state, asked.procedure.id, asked.roles)
    came = table(asked.rules, asked.state, spread, found.live.yields(asked.procedure.id), found.cut)
    sweets = {holder: shares for (holder, number), shares in came.numbers.items() if number.endswith("sweets")}
    assert sweets == {"Ann": {0: F(2, 3), 2: F(1, 3)}, "Bo": {0: F(2, 3), 1: F(1, 3)}}


@pytest.mark.parametrize(
    ("word", "help"),
    [("branches", 'put `- Plural: "branches"` below `## kind: branch`'), ("ponies", 'put `- Plural: "ponies"` below `## kind: pony`')],
)
def test_a_plural_that_english_makes_otherwise(word: str, help: str) -> None:
    kind = {"branches": "branch", "ponies": "pony"}[word]
    page = f'# A\n\n## kind: {kind}\n- Is: an actor\n\n## rule: Count\n- Count: after Night: each {kind} says "boo"\n\n## procedure: Night\n\n1. Go.\n   - Go: the many is number of {word}\n'
    _, found = check([Source("a.te", page)], PackInfo(id="a", title="A", version="1.0.0"))
    assert [one.help for one in found if one.code == "unknown-kind"] == [help]


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        ("   - do Vigil with Ann as the first\n   - expect Ann has Tired in 33 percent\n   - expect Ann has Tired in 1 of 3\n   - expect Ann lacks Tired and Ann's Sweets is 0 in 1 of 3", ""),
        ("   - do Vigil with Ann as the first\n   - expect Ann has Tired in 34 percent", "expected that Ann has Tired in 34 percent; by the rules it is 33.33 percent (1/3)"),
        ("   - do Vigil with Ann as the first\n   - expect Ann has Tired in 2 of 5", "expected that Ann has Tired in 2 of 5; by the rules it is 33.33 percent (1/3)"),
        ("   - expect Ann has Tired in 34 percent", "nothing has begun of which this could be a share"),
        ("   - do Vigil with Ann as the first\n   - Ann shows 3\n   - expect Ann has Tired in 33 percent", "a share is counted over all that the dice can show, so nothing can be shown or looked at on the way"),
        ("   - do Vigil with Ann as the first\n   - Ann picks Stew\n   - expect Ann has Tired in 33 percent", "here stands `Ann picks Stew`, but nothing asks for it"),
        ("   - do Supper with Ann as the cook\n   - Ann picks Bread\n   - expect Ann's Knots is 4 in 100 percent\n   - expect Ann's Knots is 1", ""),
        ("   - do Watch with Ann as the watcher\n   - expect Ann has Tired in 33 percent", "the rules stop here: Night has no row for 0"),
    ],
)  # fmt: skip
def test_how_often_something_is_so(lines: str, said: str) -> None:
    found = failure(f"1. One.\n{lines}\n")
    assert found.startswith(said) if said else found == ""


def test_a_share_that_differs_is_told_as_it_can_be_written() -> None:
    page = PAGE + "\n## example: Night\n- Ann: a scout\n1. One.\n   - do Vigil with Ann as the first\n   - expect Ann has Tired in SHARE\n"

    def found(share: str) -> list[Diagnostic]:
        system, found = check([Source("camp.te", page.replace("SHARE", share))], PackInfo(id="camp", title="Camp", version="1.0.0"))
        if system is None or any(one.severity == "error" for one in found):
            return [one for one in found if one.severity == "error"]
        rules = Rules(system)
        played = play_example(rules, next(one for one in rules.entries.values() if one.name == "Night" and one.kind == "example"))
        return [played.failure] if played.failure is not None else []

    assert [one.help for one in found("40 percent")] == ["if the rules are right, write `in 33 percent`, or exactly `in 1 of 3`"]
    assert [one.help for one in found("33.33 percent")] == ["a share is in whole percent, `in 33 percent`, or exact, such as `in 20 of 27`"]
    assert found("33 percent") == found("1 of 3") == []


def test_of_no_cases_there_is_no_share() -> None:
    page = PAGE + "\n## example: Night\n- Ann: a scout\n1. One.\n   - do Vigil with Ann as the first\n   - expect Ann has Tired in 1 of 0\n"
    _, found = check([Source("camp.te", page)], PackInfo(id="camp", title="Camp", version="1.0.0"))
    assert [(one.code, one.message) for one in found if one.severity == "error"] == [("divided-by-nothing", "of 0 cases there is no share")]


def test_what_came_of_one_procedure_is_what_comes_of_another() -> None:
    assert (
        failure("""1. Loud.
   - do Far Call with Ann as the caller as the far
   - Ann shows 5
   - expect the far is Loud
2. How often.
   - do Far Call with Ann as the caller as the far
   - expect the far is Loud in 1 of 3
   - expect the far is Quiet in 2 of 3
3. Hoarse.
   - Ann takes Tired
   - do Far Call with Ann as the caller as the far
   - expect the far is Hoarse
""")
        == ""
    )


@pytest.mark.parametrize(
    ("old", "new", "code", "message"),
    [
        (
            "- Outcomes: Quiet, Loud, Hoarse",
            "- Outcomes: Loud, Hoarse",
            "unknown-outcome",
            "`Call` can end with Quiet, and `Far Call` has no such outcome",
        ),
        ("   - End: end with the call\n", "   - End: end with the caller\n", "wrong-type", "this is a scout, not what came of a procedure"),
        ("   - End: end with the call\n", "   - End: end with the cell\n", "unknown-word", "nothing here is called `the cell`"),
    ],
)
def test_what_cannot_be_handed_on(old: str, new: str, code: str, message: str) -> None:
    _, found = check([Source("camp.te", PAGE.replace(old, new))], PackInfo(id="camp", title="Camp", version="1.0.0"))
    assert (code, message) in [(one.code, one.message) for one in found], [(one.code, one.message) for one in found if one.severity == "error"]
