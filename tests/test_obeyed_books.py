"""Sentences as printed rulebooks and people at a table say them: whoever does as the help says has a page without a mistake."""

from __future__ import annotations

import pytest
from test_obeyed import GOOD, LINE, errors, new_words, words
from test_obeyed_sentences import BARE, END, WAY, WET

IN_A_PROCEDURE = """
the total is add the dice up -> the total is sum of the pool
the total is the dice added together -> the total is sum of the pool
the total is the sum of all dice -> the total is sum of the pool
take the best -> the total is highest of the pool
roll 2d6 and add Vigor -> the walker rolls 2d6 as the die; the total is sum of the die + the walker's Vigor
roll 2d6 + Vigor -> the walker rolls 2d6 as the die; the total is sum of the die + the walker's Vigor
"""
"""Where nothing has made a total yet."""
BELOW_A_CONDITION = """
the count is how many sixes were rolled -> the count is number of dice showing 6 in the pool
the count is the number of 6s -> the count is number of dice showing 6 in the pool
keep the two highest dice -> the walker keeps the highest 2 of the pool
keep the 2 worst -> the walker keeps the lowest 2 of the pool
roll 2d6 -> the walker rolls 2d6 as the dice
the walker rolls two dice -> the walker rolls 2 d6 as the dice
reroll all 1s -> the walker rerolls the lowest 1 of the pool
the walker may reroll the ones -> the walker may: the walker rerolls up to 2 of the pool
reroll all of the pool -> the walker rerolls all of the pool
the walker has a Soaked -> the walker takes Soaked
the walker has Soaked -> the walker takes Soaked
the walker gets a Soaked -> the walker takes Soaked
the walker is now Soaked -> the walker takes Soaked
the walker is given Soaked -> the walker takes Soaked
give the walker Soaked -> the walker takes Soaked
give the walker 1 Health -> the walker gains 1 Health
give one Health to the walker -> the walker gains 1 Health
the gm gives the walker 1 Health -> the walker gains 1 Health
the walker regains 1 Health -> the walker gains 1 Health
the walker's Health goes down by one -> the walker loses 1 Health
Health goes down by 1 -> the walker loses 1 Health
deduct 1 from the walker's Health -> the walker loses 1 Health
subtract 1 from Health -> the walker loses 1 Health
remove 1 Health from the walker -> the walker loses 1 Health
the walker reduces Health by 1 -> the walker loses 1 Health
the walker loses half of his Health -> the walker loses Health equal to the walker's Health / 2 rounded up
double the walker's Health -> the walker's Health becomes the walker's Health x 2
the walker's Health is full -> the walker's Health becomes the walker's Health's start
Tension increases by 1 -> the gm gains 1 Tension
add 1 Tension -> the gm gains 1 Tension
add one to Tension -> the gm gains 1 Tension
raise Tension -> the gm gains 1 Tension
the gm adds 1 to Tension -> the gm gains 1 Tension
spend 1 Adventure -> the walker pays 1 Adventure
heal 1 Health -> the walker gains 1 Health
lose all Health -> the walker loses all Health
remove Soaked -> the walker drops Soaked
the walker is no longer Soaked -> the walker drops Soaked
the walker is not Soaked anymore -> the walker drops Soaked
the walker stops being Soaked -> the walker drops Soaked
the walker is immune to Soaked -> the walker cannot take Soaked
the walker cannot be Soaked -> the walker cannot take Soaked
the walker gets +1 to the total -> the total is 1 more
+1 to the total -> the total is 1 more
the walker is Soaked for the rest of the Scene -> until Scene ends: the walker takes Soaked
for one Scene the walker cannot gain Health -> until Scene ends: the walker cannot gain Health
all characters lose 1 Health -> each character loses 1 Health
characters gain 1 Adventure -> each character gains 1 Adventure
everyone gains 1 Adventure -> each character gains 1 Adventure
the other characters gain 1 Health -> each other character gains 1 Health
make a Test -> do Test with the walker as the actor
the walker must pass a Test -> do Test with the walker as the actor
the walker may spend 1 Adventure to gain 1 Health -> the walker may pay 1 Adventure: the walker gains 1 Health
spend 1 Adventure: gain 1 Health -> the walker may pay 1 Adventure: the walker gains 1 Health
for 1 Adventure, gain 1 Health -> the walker may pay 1 Adventure: the walker gains 1 Health
the walker spends 1 Adventure to gain 1 Health -> the walker pays 1 Adventure; the walker gains 1 Health
the walker may choose to gain 1 Health -> the walker may: the walker gains 1 Health
the walker chooses a character and that character gains 1 Health -> the walker chooses a character as the friend; the friend gains 1 Health
another character gains 1 Health -> the walker chooses another character as the friend; the friend gains 1 Health
the walker gains 1 Health per 6 -> the walker gains 1 Health for each die showing 6 in the pool
the walker gains 1 Health for each 6 -> the walker gains 1 Health for each die showing 6 in the pool
the walker gains 1 Health or 1 Adventure -> the walker chooses one:\\n       - Health: the walker gains 1 Health\\n       - Adventure: the walker gains 1 Adventure
either the walker gains 1 Health or the gm gains 1 Tension -> the walker chooses one:\\n       - One: the walker gains 1 Health\\n       - Other: the gm gains 1 Tension
repeat this 3 times -> repeat up to 3 times:\\n       - Again: the walker gains 1 Health ~ - Again: the walker gains 1 Health
if the highest die is 6: the walker gains 1 Health -> if highest of the pool is 6: the walker gains 1 Health
if the walker rolls a 6: the walker gains 1 Health -> if number of dice showing 6 in the pool is above 0: the walker gains 1 Health
if all dice are 6: the walker gains 1 Health -> if lowest of the pool is 6 and highest of the pool is 6: the walker gains 1 Health
the walker rerolls the lowest die -> the walker rerolls the lowest 1 of the pool
the two highest dice count -> the walker keeps the highest 2 of the pool
the walker rolls 1d6 per Vigor -> the walker rolls the walker's Vigor d6 as the dice
roll Vigor -> the walker rolls the walker's Vigor d6 as the dice
roll Weather -> the walker rolls Weather
the walker and the gm lose 1 Health -> the walker loses 1 Health; the gm loses 1 Health
the walker says hello -> the walker says "hello"
the gm sets the stake to 5 -> the stake becomes 5
the walker gains 1 Health and more -> the walker gains 1 Health
"""
AT_THE_END = """
the procedure ends -> end with Nothing
the walker fails -> end with Nothing
it is a failure -> end with Nothing
stop -> end with Nothing
"""
IN_A_TRAIT = """
once each Scene the owner loses 1 Health -> before Scene: the owner loses 1 Health
each Scene, the owner loses 1 Health -> before Scene: the owner loses 1 Health
at the start of each Scene the owner loses 1 Health -> before Scene: the owner loses 1 Health
at the end of the Scene the owner loses 1 Health -> after Scene: the owner loses 1 Health
lasts until the end of the Scene -> after Scene: the owner drops Soaked
it ends after one Scene -> after Scene: the owner drops Soaked
Vigor is reduced by 1 -> the owner's Vigor is 1 less
Vigor is 1 lower -> the owner's Vigor is 1 less
-1 to Vigor -> the owner's Vigor is 1 less
the owner's Vigor is doubled -> the owner's Vigor is 2 times as much
+1 on all Tests -> before Test by the owner: the actor's total is 1 more ~ the actor's total
when Health reaches 0 the owner loses 1 Adventure -> after reaching 0 of Health: the owner loses 1 Adventure
if Health falls to 0: the owner loses 1 Adventure -> after reaching 0 of Health: the owner loses 1 Adventure
when the owner loses Health, the gm gains 1 Tension -> after loss of Health by the owner: the gm gains 1 Tension
after the owner gains Adventure, the gm gains 1 Tension -> after gain of Adventure by the owner: the gm gains 1 Tension
if the owner fails a Test: the owner loses 1 Health -> after Test by the owner ending in Failure: the owner loses 1 Health
whenever the owner succeeds at a Test, the owner gains 1 Health -> after Test by the owner ending in Success: the owner gains 1 Health
after a failed Test: the owner loses 1 Health -> after Test ending in Failure: the owner loses 1 Health
after a successful Test the owner gains 1 Health -> after Test ending in Success: the owner gains 1 Health
after Test: on success the owner gains 1 Health -> after Test ending in Success: the owner gains 1 Health
after Test by the owner: if it fails: the owner loses 1 Health -> after Test by the owner ending in Failure: the owner loses 1 Health
when the owner makes a Test, the owner loses 1 Health -> after Test by the owner: the owner loses 1 Health
when after Scene: the owner loses 1 Health -> after Scene: the owner loses 1 Health
while Thorny: the owner cannot gain Health -> while the owner has Thorny: the owner cannot gain Health
as long as the owner is Thorny, the owner cannot gain Health -> while the owner has Thorny: the owner cannot gain Health
after Test: if the owner is Thorny then the owner loses 1 Health -> after Test: if the owner has Thorny: the owner loses 1 Health
after Test: if the owner has 0 Health: the owner gains 1 Health -> after Test: if the owner's Health is 0: the owner gains 1 Health
the owner loses 1 Health once per Scene -> after Scene: the owner loses 1 Health
instead of taking Damage, the owner loses 1 Adventure -> instead of Damage: the owner loses 1 Adventure
the owner ignores Damage -> instead of Damage: the owner loses 1 Adventure ~ the owner loses 1 Adventure
costs 1 Adventure -> after Test by the owner: the owner pays 1 Adventure ~ after Test by
after Test: You lose 1 Health -> after Test: the owner loses 1 Health ~ loses
after Test: the character loses 1 Health -> after Test: the owner loses 1 Health
after Test: the player loses 1 Health -> after Test: the owner loses 1 Health
next Scene: the owner loses 1 Health -> after Test by the owner: in the next Scene of the owner: the owner loses 1 Health ~ after Test by
"""


IN_A_CELL = """
lose 1 Health -> the roller loses 1 Health
gain Soaked -> the roller takes Soaked
lose Health -> the roller loses 1 Health
1 Health -> the roller gains 1 Health
Soaked -> the roller takes Soaked
lose d6 Health -> the roller rolls d6 as the die; the roller loses Health equal to sum of the die
the characters lose 1 Health each -> each character loses 1 Health
pick any condition -> the roller chooses a condition as the condition; the roller takes the condition
nothing happens -> -
you lose 1 Health -> the roller loses 1 Health ~ loses
"""
IN_A_FIELD = """
Starts: equal to Vigor -> Starts: Vigor
Starts: twice Vigor -> Starts: Vigor x 2
At Most: Vigor times 2 -> At Most: Vigor x 2
Starts: half of Vigor -> Starts: Vigor / 2 rounded up
"""
IN_A_HACK = """
Starts: raise by 2 -> Starts: 2 more
Starts +2 -> Starts: 2 more
add 2 to Starts -> Starts: 2 more
Starts is 5 -> Starts: 5 ~ 5
remove At Least -> At Least: nothing
At Least: gone -> At Least: nothing
Starts: was 3, now 5 -> Starts: 5
"""
BEHIND_AN_EVENT = """
Adventure + 1 -> the actor gains 1 Adventure
the actor's Adventure goes up -> the actor gains 1 Adventure
the actor gets an Adventure point -> the actor gains 1 Adventure
the actor gets back 1 Health -> the actor gains 1 Health
roll on Weather -> the actor rolls Weather
Weather -> the actor rolls Weather
Soaked -> the actor takes Soaked
start a new Scene -> do Scene
lose 1 Health -> the actor loses 1 Health
gain Soaked -> the actor takes Soaked
for each character: lose 1 Health -> for each character: the character loses 1 Health
"""
IN_AN_EXAMPLE = """
the result is Failure -> expect the result is Failure
expect Failure -> expect the result is Failure
Ann fails -> expect the result is Failure ~ Failure
check that Ann's Health is 3 -> expect Ann's Health is 3
expect 3 Health -> expect Ann's Health is 3 ~ Ann's
"""
HACK = "## hack: Dry\nDrier.\n\n### changes pool: Health\n- %s\n"
EVENT = "## feature: Soaked\nWet.\n\n## rule: Wind\n- Cold: after Test: %s\n"
CELL = f"## feature: Soaked\nWet.\n\n## table: Flotsam\n\n| d6 | row | effect |\n{LINE}\n| 1-6 | Wood | %s |\n"
FIELD = "## pool: Grit\n- Of: a character\n- %s\n"
PLAY = "## example: Long\n- Ann: a character\n1. Look.\n   - do Test with Ann as the actor as the result\n   - Ann shows 1\n   - %s\n"


def cases(lines: str, page: str) -> list[tuple[str, ...]]:
    """What is wrong, what is right, and the words of that which only the author knows."""
    made = [line.split(" -> ") for line in lines.strip().split("\n")]
    return [(page, slip, *right.replace("\\n", "\n").split(" ~ ")) for slip, right in made]


CASES = [
    *cases(IN_A_PROCEDURE, BARE),
    *cases(BELOW_A_CONDITION, WAY),
    *cases(AT_THE_END, END.replace("otherwise: %s", "%s")),
    *cases(IN_A_TRAIT, WET),
    *cases(IN_A_CELL, CELL),
    *cases(IN_A_FIELD, FIELD),
    *cases(IN_AN_EXAMPLE, PLAY),
    *cases(IN_A_HACK, HACK),
    *cases(BEHIND_AN_EVENT, EVENT),
]


@pytest.mark.parametrize("case", CASES, ids=[slip for _, slip, *_ in CASES])
def test_whoever_obeys_is_done(case: tuple[str, ...]) -> None:
    page, slip, right, *left = case
    before, _, after = page.partition("%s")
    line = (GOOD + "\n" + before).count("\n") + 1
    found = errors(f"{GOOD}\n{before}{slip}{after}")
    assert [(one.span.file, one.span.line) for one in found] == [("page.te", line)], found
    told = set(words(found[0].help))
    assert new_words(slip, right) - told <= {word for one in left for word in words(one)}, found[0]
    assert errors(f"{GOOD}\n{before}{right}{after}") == []
