"""What people write in place of the language's own words: each line stops to read, and obeying its help makes one that reads."""

from __future__ import annotations

import re

import pytest

from te_forge.diagnostics import Findings
from te_forge.source import Span
from te_forge.syntax.drafted import DRAFTED
from te_forge.syntax.idioms import ROWS, idioms
from te_forge.syntax.text import read_text, reads
from te_forge.syntax.vocabulary import SYNONYMS

LINES = """
the hero gains 1 **Luck** -> Luck
the hero gains 1 *Luck* -> Luck
the hero picks another hero as the friend -> chooses another
the hero picks a hero as the friend -> chooses a
after Test, the hero gains 1 Luck -> after Test:
if the hero has Widow, the hero gains 1 Luck -> if the hero has Widow:
the hero gains 1 Luck if the hero has Widow -> if the hero has Widow: the hero gains 1 Luck
Heal: the hero gains 1 Luck unless the hero has Widow -> if ..: the hero gains 1 Luck
after Test: if Success: the hero gains 1 Luck -> if the result is Success
on Test: the hero gains 1 Luck -> after Test
at the end of a Scene: the hero gains 1 Luck -> after Scene
at the start of each Scene: each hero gains 1 Luck -> before Scene
during Scene: the hero gains 1 Luck -> until Scene ends
after the hero's Test: the hero gains 1 Luck -> after Test by the hero
after Test ends: the hero gains 1 Luck -> after Test
after Test succeeds: the hero gains 1 Luck -> if the result is ..:
after Test passes: the hero gains 1 Luck -> after Test ending in ..
the hero does not gain Luck -> cannot gain
reset the hero's Luck -> the hero's Luck becomes the hero's Luck's start
set the hero's Luck to 3 -> the hero's Luck becomes 3
the hero's Luck increases to 3 -> becomes
all heroes gain 1 Luck -> each .. gains 1 Luck
heroes gain 1 Luck -> each .. gains 1 Luck
after Test: all heroes roll Trouble -> each .. rolls
both heroes cannot gain Luck -> each ..
the hero rolls 2d6 + Brawn as the total -> the hero rolls 2d6 as the die; the total is sum of the die + Brawn
the hero rolls 2d6 + Brawn -> the hero rolls 2d6 as the die; the total is sum of the die + Brawn
the total is 2d6 + the hero's Brawn -> the .. rolls 2d6 as the die; the total is sum of the die + the hero's Brawn
the total is 2d6 -> the .. rolls 2d6 as the die; the total is sum of the die
the hero rolls a d6 -> rolls d6
after gaining Luck: the gm rolls Trouble -> after gain of Luck
after spending Luck: the gm rolls Trouble -> after loss of Luck
after a character gains Luck: the gm rolls Trouble -> after gain of Luck by a character
after the hero loses Luck: the gm rolls Trouble -> after loss of Luck by the hero:
if the total is 3 and the hero is a Widow: the hero gains 1 Luck -> has Widow
after gain of 1 Luck: the gm rolls Trouble -> gain of Luck
if the hero's Luck reaches 0: the gm rolls Trouble -> after reaching 0 of Luck:
after Luck falls to 0: the gm rolls Trouble -> after reaching 0 of Luck:
until the end of Scene: the hero cannot gain Luck -> until Scene ends
for the rest of the Scene: the hero cannot gain Luck -> until Scene ends
the hero gains 2 Luck and takes Widow -> the hero gains 2 Luck; the hero takes Widow
the hero may reroll all of the roll -> the hero may: the hero rerolls all of the roll
the hero may do Test -> the hero may: do
the hero takes a Widow -> takes Widow
the hero takes 1 damage -> loses 1 ..
gain 1 Luck -> the .. gains 1 Luck
+1 Luck -> the .. gains 1 Luck
end Test with Success -> end with Success
end with success -> Success
repeat Count -> go back to Count
repeat while the hero has Widow: the hero loses 1 Luck -> repeat until ..
repeat for as long as the hero has Widow: the hero loses 1 Luck -> repeat until ..
while the hero has Widow: repeat: the hero loses 1 Luck -> repeat until ..
until the hero has Widow: repeat: the hero loses 1 Luck -> repeat until the hero has Widow
until the hero's Luck is 3: the hero gains 1 Luck -> repeat until the hero's Luck is 3
repeat till the hero has Widow: the hero loses 1 Luck -> repeat until the hero has Widow
loop until the hero has Widow: the hero loses 1 Luck -> repeat until the hero has Widow
repeat until 3 times: the hero loses 1 Luck -> repeat up to 3 times
repeat until Scene ends: the hero loses 1 Luck -> until Scene ends
repeat until Success: do Test with the hero as the actor as the result -> repeat until the result is Success
repeat 3 times: the hero loses 1 Luck -> repeat up to 3 times
repeat forever: the hero loses 1 Luck -> repeat until ..
the hero loses 1 Luck until the hero has Widow -> repeat until the hero has Widow: the hero loses 1 Luck
the hero draws a card from the Omens -> draws 1 of Omens
the hero draws 2 cards from Omens -> draws 2 of Omens
the hero rerolls a die of the roll -> rerolls 1 of the roll
the heros Luck becomes 2 -> the hero's Luck
the hero chooses between Brawn and Wits -> chooses one:
Starts = 3 -> Starts: 3
Reach = 3 -> Reach:
if the total is between 7 and 9: end with Draw -> the total is at least 7 and the total is at most 9
if the hero's total is 7 to 9: end with Draw -> the hero's total is at least 7 and the hero's total is at most 9
if the hero has more than 2 Luck: the hero loses 1 Luck -> the hero's Luck is above 2
if the hero has fewer than 2 Luck: the hero gains 1 Luck -> the hero's Luck is below 2
if the hero has at most 2 Luck: the hero gains 1 Luck -> the hero's Luck is at most 2
if the hero has 2 Luck: the hero loses 1 Luck -> the hero's Luck is at least 2
if the hero has 2 or more Luck: the hero loses 1 Luck -> the hero's Luck is at least 2
if the hero has no Luck: the hero gains 1 Luck -> the hero's Luck is 0
if the hero has no Widow: the hero gains 1 Luck -> the hero lacks Widow
if the hero is not a Widow: the hero gains 1 Luck -> lacks Widow
if the hero is a Widow: the hero gains 1 Luck -> if the hero has Widow:
if the total is 10 or more: end with Well -> at least 10
if the total is 6 or less: end with Ill -> at most 6
the count is number of dice showing over 4 in the roll -> above
the count is number of dice showing under 3 in the roll -> below
if the total is more than 9: end with Well -> above
if the total is less than 9: end with Ill -> below
the hero gains 2 points of Luck -> gains 2 Luck
the hero gains a Luck -> gains 1 Luck
the hero gains a point of Luck -> gains 1 Luck
the hero gains 1 extra Luck -> gains 1 Luck
the hero gains +1 Luck -> gains 1
the hero gains -1 Luck -> loses 1
the hero loses -1 Luck -> gains 1
the hero gains Luck 1 -> gains 1 Luck
the hero gains Luck by 1 -> gains 1 Luck
the hero gains 1 Brawn and 1 Luck -> the hero gains 1 Brawn; the hero gains 1 Luck
each hero gains 1 Brawn, 1 Luck -> each hero gains 1 Brawn; each hero gains 1 Luck
the hero gains 1d6 Luck -> the hero rolls 1d6 as the die; the hero gains Luck equal to sum of the die
each hero gains 1d6 Luck -> for each hero: the hero rolls 1d6 as the die; the hero gains Luck equal to sum of the die
the hero gives 1 Luck to another hero -> the hero chooses another hero as the friend; the hero loses 1 Luck; the friend gains 1 Luck
the hero gives 1 Luck to the watcher -> the hero loses 1 Luck; the watcher gains 1 Luck
the hero may pay up to 2 Oil: the hero gains 1 Luck -> may pay any Oil up to 2 as the extra
the hero gains the calling -> takes the calling
the hero loses the calling -> drops the calling
the hero gains Brave -> takes Brave
the hero loses Brave -> drops Brave
the total is increased by 2 -> is 2 more
the total is lowered by 2 -> is 2 less
the total increases by 2 -> is 2 more
the total sinks by 2 -> is 2 less
the hero rolls that many d6 as the roll -> the .. d6
the gm rolls on the Trouble table -> the gm rolls Trouble
the hero looks up the amount in the Trouble table -> the hero reads Trouble at the amount
roll on Trouble -> the .. rolls Trouble
roll Trouble -> the .. rolls Trouble
the hero rerolls the hero's roll -> rerolls all of the hero's roll
the hero rerolls all dice of the roll -> rerolls all of the roll
the hero rerolls all dice -> rerolls all of the ..
if the highest of the roll is 6: end with Well -> highest of
a character may pay 1 Luck: the hero gains 1 Luck -> for each character: the character may
each hero's Oil becomes 3 -> for each hero: the hero's Oil becomes 3
after each roll by a hero: the hero gains 1 Luck -> after a roll
after a Test: the hero gains 1 Luck -> after Test
before each Session: each hero gains 1 Luck -> before Session
once a Session: the hero may: the hero gains 1 Luck -> once per Session
once per session: the hero may: the hero gains 1 Luck -> once per Session
Refills: each session -> each Session
after reaching 0 Luck: the gm rolls Trouble -> reaching 0 of Luck
expect Success -> expect the result is Success
Outcomes: Success or Failure -> Success, Failure
Outcomes: Success, Draw and Failure -> Success, Draw, Failure
Starts: Brawn start -> Brawn's start
the total is 2*Brawn -> 2 x Brawn
the hero receives 1 Luck -> gains
the total is 2 times Brawn -> 2 x Brawn
the total is 2 times the hero's Brawn -> 2 x the hero's Brawn
the total is 3 ÷ 2 rounded up -> /
the total is the sum ⋅ 2 -> x
the total is the sum — 2 -> -
the hero gians 1 Luck -> gains
the hero recieves 1 Luck -> gains
Starts: 1 fewer -> less
Starts: 3 points -> 3
Part of: Scene -> Part Of
low: after Test: the hero gains 1 Luck -> Low
after test: the hero gains 1 Luck -> Test
Default: none -> nothing
Bound: -5 times per Scene -> 5 times per
ones per Scene: the hero gains 1 Luck -> once per
twice per Scene: the hero gains 1 Luck -> 2 times per Scene
thrice a Scene: the hero gains 1 Luck -> 3 times per Scene
if the hero does not have Widow: the hero gains 1 Luck -> lacks Widow
Starts: Brawns start -> Brawn's start
at most: 4 -> At Most
Uses: 1/Scene -> once per Scene
Uses: 1 per scene -> once per Scene
Uses: 3x per Scene -> 3 times per Scene
after Test: the hero gains 1 Luck and the gm gains 1 Doom -> the hero gains 1 Luck; the gm gains 1 Doom
after Test: the hero gains 1 Luck, the gm gains 1 Doom -> the hero gains 1 Luck; the gm gains 1 Doom
after Test: increase Doom by 1 -> the .. gains 1 Doom
after Test: reduce Doom by 1 -> the .. loses 1 Doom
after Test: set Doom to 3 -> the ..'s Doom becomes 3
after Scene: the hero makes a Test -> do Test with the hero as the ..
after Scene: start Test -> do Test
Starts: removed -> nothing
Starts: one more -> 1 more
Starts: 2 higher -> 2 more
Starts: 2 lower -> 2 less
Starts: double -> 2 times as much
Starts: tripled -> 3 times as much
Starts: half -> 50 percent rounded down
Starts: x2 -> 2 times as much
Starts: 2x -> 2 times as much
Starts: 50 percent -> 50 percent rounded down
Starts: 3 -> 4 -> 4
Starts: 3 → 4 -> 4
Starts: from 3 to 4 -> 4
Starts: 4 instead of 3 -> 4
Starts: 4 (3) -> 4
the hero rolls 2d6–1 as the roll -> the hero rolls 2d6 as the die; the total is sum of the die – 1
the hero rolls 2d6-1 -> the hero rolls 2d6 as the die; the total is sum of the die - 1
the hero rolls 1d6+2 as the roll -> the hero rolls 1d6 as the die; the total is sum of the die + 2
the hero rolls d% as the roll -> d100
the hero rolls 2D6 as the roll -> 2d6
the hero rolls 2W6 as the roll -> 2d6
the hero rolls 2 d 6 as the roll -> 2 d6
the hero rolls 4dF as the roll -> 4 d3
the hero rolls 3d6! as the roll -> 3d6 exploding on 6
the hero rolls 3d6 exploding as the roll -> 3d6 exploding on 6 as
the hero rolls 3d6 exploding -> 3d6 exploding on 6
the hero rolls 2d6 keep highest 2 -> the hero rolls 2d6 as the dice; the hero keeps the highest 2 of the dice
the hero rolls 2d6 and keeps the lowest -> the hero rolls 2d6 as the dice; the hero keeps the lowest 1 of the dice
the hero rolls 2d6+1d8 as the roll -> 2d6 and 1d8
the hero rolls 1d6 1d8 as the roll -> 1d6 and 1d8
if the total is 3—5: end with Pass -> the total is at least 3 and the total is at most 5
if the total is in 3..5: end with Pass -> the total is at least 3 and the total is at most 5
unless the total is above 6: end with Pass -> if the total is not
if not the total is above 6: end with Pass -> if the total is not
if (the total is above 6): end with Pass -> if the total is above 6
if: the total is above 6: end with Pass -> if
if the total is above 6 then: end with Pass -> 6
if the total is above 6,: end with Pass -> 6
if the total is above the 6: end with Pass -> above 6
if the total above 6: end with Pass -> the total is above
the total is above 6: end with Pass -> if the total is above 6
if the total is above 6 and below 9: end with Pass -> the total is above 6 and the total is below 9
if the total is 3 or 5: end with Pass -> the total is 3 or the total is 5
if the total is equal to 3: end with Pass -> is
if the total is even: end with Pass -> is a multiple of 2
if the total is odd: end with Pass -> is not a multiple of 2
if the total is 3+: end with Pass -> at least 3
if the heros' Brawn is above 3: end with Pass -> the hero's Brawn
if Brawn of the hero is above 3: end with Pass -> the hero's Brawn
the total is sum of the roll and 3 -> sum of the roll + 3
the hero rolls 1 d(the hero's Luck) as the roll -> d6
the hero rolls 1d(the hero's Luck) as the roll -> d6
the hero rolls d the hero's Luck as the roll -> d6
the hero rolls (the total) d[Luck] as the roll -> d6
Way: the hero chooses one: Stop: end with Pass -> chooses one:
the hero chooses any: Left: the hero gains 1 Luck; Right: the hero loses 1 Luck -> chooses any:
Bo: Moss Sister with Power 2 -> Bo: a Moss Sister with
once: the hero gains 1 Luck -> once per Scene
Ann rolls 5, 6 -> Ann shows 5, 6
Ann chooses Bold -> Ann picks Bold
the hero gains 1 Luck; then the hero takes Widow -> the hero takes Widow
the total is dice showing 5 in the roll -> number of dice showing
the total is number of dice above 4 in the roll -> number of dice showing above 4
the total is number of dice equal to 6 in the roll -> number of dice showing 6
the total is number of dice showing at least a 5 in the roll -> at least 5
if there is a 6 in the roll: end with Pass -> if number of dice showing 6 in the roll is above 0
if the roll shows a 6: end with Pass -> if number of dice showing 6 in the roll is above 0
if any die shows 6: end with Pass -> if number of dice showing 6 in the roll is above 0
do a Test -> do Test
expect Ann has 3 Luck -> expect Ann's Luck is 3
the hero may for free: the hero gains 1 Luck -> may
Luck: twice: the hero gains 1 Luck -> 2 times per Scene
on a failure, end with Fail -> otherwise:
on a success, end with Pass -> if ..: end with Pass
else end with Fail -> otherwise:
otherwise, end with Fail -> otherwise:
in that case end with Fail -> otherwise: end with Fail
a hero with Widow loses 1 Luck -> for each hero with Widow: the hero loses 1 Luck
while a hero has Widow: the hero's Luck is 1 less -> while the hero has Widow
if the total is greater than or equal to 9: end with Pass -> is at least
if the total is less than or equal to 9: end with Pass -> is at most
if the total is not equal to 9: end with Pass -> is not
if the total is exactly 9: end with Pass -> is
if the total meets the difficulty: end with Pass -> if the total is at least
if the total does not exceed 9: end with Pass -> if the total is at most
if the total beats 9: end with Pass -> if the total is above
if the total fails to meet 9: end with Pass -> if the total is below
if the total differs from 9: end with Pass -> if the total is not
if the total matches 9: end with Pass -> if the total is
the hero gains the stake Luck -> gains Luck equal to the stake
the hero loses the stake Luck -> loses Luck equal to the stake
the hero pays the stake Luck -> pays Luck equal to the stake
the hero gains the hero's Brawn Luck -> gains Luck equal to the hero's Brawn
the hero gains stake Luck -> gains Luck equal to the stake
the hero suffers Widow -> takes Widow
the hero suffers 1 damage -> loses 1 ..
the hero takes damage equal to the stake -> loses .. equal to the stake
the watcher deals 1 damage to the hero -> the hero loses 1 ..
else if the total is 3: end with Pass -> otherwise if
on a roll of 7 or more: end with Pass -> if the total is at least 7:
on a 3 or less, end with Pass -> if the total is at most 3:
on 7-9: end with Pass -> if the total is at least 7 and the total is at most 9:
on a 6, end with Pass -> if the total is 6:
7+: end with Pass -> if the total is at least 7:
3 or less: end with Pass -> if the total is at most 3:
7-9: end with Pass -> if the total is at least 7 and the total is at most 9:
if the roll succeeds: end with Pass -> if the result is ..
the hero fails -> end with ..
Ill: nothing happens -> Ill: nothing
if the total is 3: no effect -> Label: nothing
draw a card -> the .. draws ..
the hero makes a Brawn test -> do .. with the hero as the .., Brawn as the ..
the hero tests Brawn -> do .. with the hero as the .., Brawn as the ..
the hero must lose 1 Luck -> the hero loses
the hero rolls a number of d6 equal to the stake -> rolls the stake d6
the hero rolls d6 equal to the stake -> rolls the stake d6
the hero rolls 2 8-sided dice -> rolls 2 d8
the hero rolls 2 six-sided dice -> rolls 2 d6
the hero rolls 2 ten-sided dice -> rolls 2 d10
the hero rolls 3 dice -> the hero rolls 3 d6 as the dice
the hero rolls 3 dice as the pool -> rolls 3 d6
the hero keeps the 3 highest -> keeps the highest 3 of the ..
the hero keeps the two highest dice -> keeps the highest 2 of the ..
the total is the highest die -> the total is highest of the roll
the hero's Luck grows by the stake -> the hero's Luck is the stake more
the hero's Luck sinks by the stake -> the hero's Luck is the stake less
the hero's Luck grows by 2 -> the hero gains 2 Luck
the hero's Luck sinks by 2 -> the hero loses 2 Luck
the total grows by the stake -> is the stake more
the total sinks by the stake -> is the stake less
reduce the hero's Luck by 1 -> the hero loses 1 Luck
increase the hero's Luck by 1 -> the hero gains 1 Luck
add 2 to the total -> the total is 2 more
subtract 2 from the total -> the total is 2 less
expect Ann has 3 Luck -> expect Ann's Luck is 3
Ann has 3 Luck -> expect Ann's Luck is 3
expect success -> expect the result is Success
Starts: raise by 2 -> 2 more
Starts: lowered by 2 -> 2 less
remove Cost -> Cost: nothing
add 2 to Starts -> Starts: 2 more
reduce At Most by 1 -> At Most: 1 less
Starts + 2 -> Starts: 2 more
Starts - 2 -> Starts: 2 less
Uses becomes once per Scene -> Uses: once per Scene
Starts: was 3, now 5 -> 5
Starts: 5 (not 3) -> 5
if the highest die is 6: end with Pass -> highest of the ..
if the hero rolls a 6: end with Pass -> if number of dice showing 6 in the .. is above 0
if all dice are 6: end with Pass -> if lowest of the .. is 6 and highest of the .. is 6
if the dice add up to 9: end with Pass -> if sum of the .. is
compare the roll with 9 -> if sum of the .. is at least 9: ..
the hero rerolls the lowest die -> the hero rerolls the lowest 1 of the ..
the hero discards the lowest die -> the .. keeps the highest 2 of the ..
the highest die counts -> the total is highest of the ..
the two highest dice count -> the .. keeps the highest 2 of the ..
the hero rolls 1d6 per Brawn -> the hero rolls the hero's Brawn d6 as the dice
roll Trouble -> the .. rolls Trouble
the hero and the watcher lose 1 Luck -> the hero loses 1 Luck; the watcher loses 1 Luck
the one who has the most Luck loses 1 Luck -> for each .. whose Luck is the highest: the .. loses 1 Luck
whoever has the least Luck gains 1 Luck -> for each .. whose Luck is the lowest: the .. gains 1 Luck
the watcher sets the stake to 5 -> the stake becomes 5
the hero says hello -> the hero says "hello"
if the total is 3: continue -> go back to ..
Talk: the watcher describes what happens -> 1. Look. ..
give the hero 2 Luck -> the hero gains 2 Luck
give the hero Widow -> the hero takes Widow
give one Luck to the hero -> the hero gains 1 Luck
the watcher gives the hero 2 Luck -> the watcher loses 2 Luck; the hero gains 2 Luck
deduct 1 Luck from the hero -> the hero loses 1 Luck
subtract 1 from the hero's Luck -> the hero loses 1 Luck
add 1 to the hero's Luck -> the hero gains 1 Luck
deduct 1 from Luck -> the .. loses 1 Luck
add one to Luck -> the .. gains 1 Luck
the hero adds 1 to Luck -> the hero gains 1 Luck
the hero subtracts 1 from his Luck -> the hero loses 1 Luck
the hero reduces Luck by 1 -> the hero loses 1 Luck
the hero raises his Luck by 1 -> the hero gains 1 Luck
Luck goes up by 1 -> the .. gains 1 Luck
Luck is reduced by 1 -> the .. loses 1 Luck
raise Luck -> the .. gains 1 Luck
lower Luck -> the .. loses 1 Luck
remove Widow -> the .. drops Widow
double the hero's Luck -> the hero's Luck becomes the hero's Luck x 2
halve the hero's Luck -> the hero's Luck becomes the hero's Luck / 2 rounded down
the hero loses half of his Luck -> the hero loses Luck equal to the hero's Luck / 2 rounded up
the hero's Luck is full -> the hero's Luck becomes the hero's Luck's start
the hero's Luck becomes max -> the hero's Luck becomes the hero's Luck's most
the hero is now Widow -> the hero takes Widow
the hero has a Widow -> the hero takes Widow
the hero has 2 Luck -> the hero's Luck becomes 2
the hero is no longer Widow -> the hero drops Widow
the hero stops being Widow -> the hero drops Widow
the hero is immune to Widow -> the hero cannot take Widow
+1 to the total -> the total is 1 more
the hero gets -1 to the total -> the total is 1 less
the hero gets +1 to Brawn -> before Brawn by the ..: the .. is 1 more
-1 on all Tests -> before Tests by the ..: the .. is 1 less
the hero's Luck is doubled -> the hero's Luck is 2 times as much
the hero's Luck is halved -> the hero's Luck becomes the hero's Luck / 2 rounded down
Luck is 1 higher -> the ..'s Luck is 1 more
Luck is 1 lower -> the ..'s Luck is 1 less
this lasts until the end of the Scene -> until Scene ends: ..
after the hero fails a Test: the hero loses 1 Luck -> after Test by the hero ending in ..:
whenever the hero succeeds at a Test, the hero gains 1 Luck -> after Test by the hero ending in ..:
after a failed Test: the hero loses 1 Luck -> after Test ending in ..:
on a successful Test: the hero gains 1 Luck -> after Test ending in ..:
after Test: on success the hero gains 1 Luck -> after Test ending in ..: the hero gains 1 Luck
after Test by the hero: if it fails: the hero loses 1 Luck -> after Test by the hero ending in ..: the hero loses 1 Luck
when the hero gains Luck: the gm rolls Trouble -> after gain of Luck by the hero:
when the hero makes a Test, the gm rolls Trouble -> after Test by the hero:
when the hero is Widow, the hero loses 1 Luck -> while the hero has Widow:
while Widow: the hero loses 1 Luck -> before Widow:
at the end of the Scene the hero gains 1 Luck -> after Scene:
at the start of each Scene the hero gains 1 Luck -> before Scene:
each Scene, the hero gains 1 Luck -> after Scene: the hero gains 1 Luck
once each Scene the hero gains 1 Luck -> after Scene: the hero gains 1 Luck
once each Scene the hero may: the hero gains 1 Luck -> once per Scene:
next Scene: the hero gains 1 Luck -> in the next Scene of the ..: the hero gains 1 Luck
if the total is 3 then the hero gains 1 Luck -> if the total is 3:
instead of taking Harm, the hero loses 1 Luck -> instead of Harm:
if the hero has 0 Luck: the hero takes Widow -> the hero lacks Luck
the hero gains 1 Luck once per Scene -> after Scene: the hero gains 1 Luck
the hero may pay 1 Luck: the hero gains 1 Brawn once per Scene -> once per Scene: the hero may pay 1 Luck: the hero gains 1 Brawn
costs 1 Luck -> the .. pays 1 Luck
spend 1 Luck: gain 1 Brawn -> the .. may pay 1 Luck: the .. gains 1 Brawn
the hero may pay 1 Luck to be lucky -> the hero may pay 1 Luck: ..
the hero ignores Harm -> instead of Harm: ..
the hero chooses a watcher and that watcher loses 1 Luck -> the hero chooses a watcher as the friend; the friend loses 1 Luck
another hero gains 1 Luck -> the .. chooses another hero as the friend; the friend gains 1 Luck
choose one: gain 1 Luck or lose 1 Brawn -> the .. chooses one:
the total gets +2 -> the total is 2 more
the hero takes Widow for the rest of the Scene -> until Scene ends: the hero takes Widow
for one Scene the hero cannot gain Luck -> until Scene ends: the hero cannot gain Luck
all other heroes lose 1 Luck -> each other .. loses 1 Luck
everyone gains 1 Luck -> each .. gains 1 Luck
the procedure ends -> end with ..
gain Widow -> the .. takes Widow
lose Widow -> the .. drops Widow
lose d6 Luck -> the .. rolls d6 as the die; the .. loses Luck equal to sum of the die
the heroes lose 1 Luck each -> each .. loses 1 Luck
Ann fails -> expect the result is ..
check that Ann's Luck is 3 -> expect Ann's Luck is 3
expect that Ann's Luck is 3 -> expect
expect 3 Luck -> expect ..'s Luck is 3
roll again -> the .. rolls 2 d6 as the dice
pick any trick -> the .. chooses a trick as the trick
give Luck to the hero -> the hero gains 1 Luck
the hero's Luck +1 -> the hero gains 1 Luck
the hero's Luck -2 -> the hero loses 2 Luck
Luck + 1 -> the .. gains 1 Luck
if the total is 3: Luck - 1 -> the .. loses 1 Luck
the hero's Luck goes up -> the hero gains 1 Luck
the hero's Luck goes down -> the hero loses 1 Luck
the hero gets back 1 Luck -> the hero gains 1 Luck
the hero gets a Luck point -> the hero gains 1 Luck
the maximum of Luck is 5 -> At Most: 5
Luck can't go above 5 -> At Most: 5
Luck refills every Session -> Refills: each Session
reset Luck to 3 -> the ..'s Luck becomes 3
Starts: 3 (max 5) -> 3
Starts at 3 -> Starts: 3
the hero succeeds if the total is above 3 -> if the total is above 3: ..
return Pass -> end with ..
after Test = Success: the hero gains 1 Luck -> after Test ending in Success
if a Test fails, the hero gains 1 Luck -> if the result is ..:
if the Test succeeds: the hero gains 1 Luck -> if the result is ..:
the hero gains 1 Luck on a failed Test -> after Test ending in ..: the hero gains 1 Luck
the hero gains 1 Luck on a successful Test -> after Test ending in ..: the hero gains 1 Luck
the hero gains 1 Luck after each Test -> after Test: the hero gains 1 Luck
Failure gives the hero 1 Luck -> after Failure: the .. gains 1 Luck
failing a Test gives the hero 1 Luck -> after Test ending in ..: the hero gains 1 Luck
a Luck can be spent to reroll all of the roll -> the .. may pay 1 Luck: the .. rerolls all of the roll
Again: 1 Luck: reroll all of the roll -> the .. may pay 1 Luck: the .. rerolls all of the roll
if at least one 6: end with Pass -> if number of dice showing 6 in the .. is above 0
roll as many d6 as the stake -> the .. rolls the stake d6 as the dice
the hero rolls dice equal to the stake -> the .. rolls the stake d6 as the dice
no hero can have more than 5 Luck -> At Most: 5
1 Luck lost -> the .. loses 1 Luck
1 Luck back -> the .. gains 1 Luck
-1 Luck for all -> each .. loses 1 Luck
+1 Luck for everyone -> each .. gains 1 Luck
the hero rolls the stake dice -> the .. rolls the stake d6 as the dice
roll the stake -> the .. rolls the stake d6 as the dice
roll d6s -> the .. rolls 2 d6 as the dice
if the hero succeeds, the hero gains 1 Luck -> if the result is ..:
the hero may spend 1 Luck to gain 1 Brawn -> the hero may pay 1 Luck: the hero gains 1 Brawn
the hero spends 1 Luck to gain 1 Brawn -> the hero pays 1 Luck; the hero gains 1 Brawn
the hero may choose to lose 1 Luck -> the hero may: the hero loses 1 Luck
the hero gains 1 Luck or 1 Brawn -> the hero chooses one:
either the hero gains 1 Luck or the watcher loses 1 Luck -> the .. chooses one:
keep the two highest dice -> the .. keeps the highest 2 of the ..
keep the two lowest -> the .. keeps the lowest 2 of the ..
roll 2d6 and add Brawn -> the .. rolls 2d6 as the die; the total is sum of the die + the ..'s Brawn
roll 2d6 -> the .. rolls 2d6 as the dice
the hero rolls 2d6 and adds Brawn -> the hero rolls 2d6 as the die; the total is sum of the die + the hero's Brawn
the hero rerolls all 1s -> the .. rerolls all of the ..
the hero may reroll ones -> the hero may: the hero rerolls up to 2 of the ..
the hero gains 1 Luck for each 6 -> for each die showing 6 in the ..
the hero gains 1 Luck per success -> for each die showing 6 in the ..
make a Test -> do Test
the hero must pass a Test -> do Test with the hero as the ..
repeat this 3 times -> repeat up to 3 times:
try again -> repeat until ..:
"""
CASES = [tuple(line.rsplit(" -> ", 1)) for line in LINES.strip().split("\n")]


def said(line: str) -> tuple[str, str, int, int]:
    findings = Findings()
    assert read_text(line, "line", Span("a.te", 1, 1, len(line) + 1), findings) is None, line
    (one,) = findings
    return one.message, one.help, one.span.column - 1, one.span.end - 1


@pytest.mark.parametrize(("line", "better"), CASES, ids=[line for line, _ in CASES])
def test_obeying_the_help_makes_a_line_that_reads(line: str, better: str) -> None:
    _, help, start, end = said(line)
    offered = re.findall(r"`([^`]+)`", help)
    assert better in offered
    mended = line[:start].rstrip() if help.startswith("leave it out") else line[:start] + better + line[end:]
    assert line.startswith("expect") or reads(
        mended.replace("ending in ..", "ending in Pass")
        .replace("if ..:", "if the total is 1:")
        .replace("1 ..", "1 Luck")
        .replace("each ..", "each one")
        .replace("back to ..", "back to Count")
        .replace("loses ..", "loses Luck")
        .replace("draws ..", "draws 1 of Omens")
        .replace("until ..", "until the total is 1")
        .replace("the ..", "the one")
        .replace("is ..", "is Pass")
        .replace("end with ..", "end with Pass")
        .replace("do ..", "do Test")
        .replace(": ..", ": the one gains 1 Luck")
        .replace("..", "total")
    ), mended


def test_every_idiom_has_a_line() -> None:
    lines, drafted = [line for line, _ in CASES], {pattern for pattern, *_ in DRAFTED}  # whose lines are in `test_drafted`
    found = {match.re.pattern for line in lines for match, _ in idioms(line)}
    assert [pattern for pattern, *_ in ROWS if pattern not in drafted and pattern not in found] == []


def test_a_synonym_that_does_not_fit_is_not_offered() -> None:
    assert "nothing" in SYNONYMS["none"] and "`nothing`" not in said("the hero gains none")[1]


@pytest.mark.parametrize("word", ["between", "that", "lots"])
def test_a_word_that_is_nobody_is_not_taken_for_somebody(word: str) -> None:
    assert f"the {word}" not in said(f"if the total is {word} 7: end with Well")[1]
