"""The lints, each on a few small pages.

`#! code` at the end of a line says what is found there; an unexpected finding fails like a missing one. Every case is read below HEAD, a clean little
game.
"""

from __future__ import annotations

import re

import pytest

from te_forge.check import check
from te_forge.check.lints import LINTS
from te_forge.diagnostics import Diagnostic
from te_forge.model.pack import PackInfo
from te_forge.source import Source

INFO = PackInfo(id="small", title="A Small Game", version="1.0.0", authors=("Ada Example",))

HEAD = """\
# Parts
## kind: gm
- Is: an actor
- How Many: 1
## kind: hero
- Is: an actor
- Plural: "heroes"
## kind: monster
- Is: an actor
## kind: gift
- Is: a number of a hero
- Starts: 2
- At Most: 5
## kind: fang
- Is: a number of a monster
## kind: pool
- Is: a number
## kind: trick
- Is: a trait of a hero

| gift  | text            |
|-------|-----------------|
| Might | Lifting.        |
| Wit   | Thinking.       |
| Charm | Talking.        |
| Grit  | Bearing it.     |

| fang | text   |
|------|--------|
| Bite | Teeth. |
| Claw | Nails. |

## pool: Luck
- Of: a hero
- Starts: 1
## pool: Doom
- Of: the gm
- Starts: 2
- At Least: 2
## procedure: Beginning
- Roles: a hero as the newcomer
1. Share.
   - Points: the newcomer divides exactly 2 among gifts
   - Trick: the newcomer chooses a trick as the trick; the newcomer takes the trick
   - Luck: the newcomer gains 1 Luck; the gm gains 1 Doom
# Beasts
They come with Bite and Claw.
"""

CASES: dict[str, str] = {}


def case(title: str, text: str) -> None:
    CASES[title] = text.strip("\n") + "\n"


# ---------------------------------------------------------------- rules that are never played

case(
    "lines that wait for nothing",
    """
## rule: Generous
- Gift: the gm gains 1 Doom #! never-happens
- Later: after Beginning with a hero as the newcomer: the newcomer gains 1 Luck
- Ban: the gm cannot gain Luck
- Mighty: each hero's Might is 1 more #! not-a-rule-word
## trick: Bold
- Stand: the owner's Might is 1 more
- Offer: the owner may pay 1 Luck: the gm gains 1 Doom
- While: while the owner's Luck is 0: the owner gains 1 Luck #! never-happens
## kind: curse
- Is: a trait of a hero
- Bite: after Beginning: the gm gains 1 Doom #! never-happens
## curse: Toad
## rule: Toads
- All: after Beginning with a hero as the newcomer: the newcomer takes Toad
## hack: Doomed
- Bite: after Beginning: the gm gains 1 Doom #! never-happens
### changes procedure: Beginning
- Bonus: the gm gains 1 Doom #! never-happens
""",
)

case(
    "a rule of nothing but prose",
    """
## rule: Fairness #! rule-without-lines
Be fair.
## rule: Justice
Be just.
- End: after Beginning: the gm gains 1 Doom
""",
)

case(
    "dice that are rerolled behind the step that counts them",
    """
## procedure: Trial
- Roles: a hero as the seeker
1. Roll.
   - Dice: the seeker rolls 3 d6 as the roll
   - Hits: the hits is number of dice showing 6 in the roll
   - Ones: the seeker loses 1 Luck for each die showing 1 in the roll
2. Wait.
   - Wait: the seeker says "now"
3. Pay.
   - Pay: if the hits is above 0: the seeker gains Luck equal to the hits
## procedure: Ordeal
- Roles: a hero as the seeker
1. Roll.
   - Dice: the seeker rolls 3 d6 as the roll
   - Hits: the hits is number of dice showing 6 in the roll
2. Pay.
   - Anew: the hits becomes number of dice showing 6 in the roll
   - Pay: if the hits is above 0: the seeker gains Luck equal to the hits
## rule: Again
- Pay: before Pay in Trial: the seeker may pay 1 Luck: the seeker rerolls up to 1 of the roll #! changed-too-late
- Wait: before Wait in Trial: the seeker rerolls all of the roll #! changed-too-late
- Roll: before Roll in Trial: the gm gains 1 Doom
- Anew: before Pay in Ordeal: the seeker rerolls up to 1 of the roll
""",
)

case(
    "an example that nobody plays",
    """
## example: Sight #! rule-without-lines
- Ann: a hero
She looks around.
## example: Sound
- Ann: a hero
- expect Ann's Might is 5 #! never-happens
- the gm gains 1 Doom #! never-happens
1. She listens.
   - expect Ann's Might is 2
## example: Smell
- Ann: a hero
- expect Ann's Might is 5 #! never-happens
## example: Touch
- Ann: a hero
1. She waits.
""",
)

case(
    "a word that is given in place of somebody's value",
    """
## procedure: Trial
- Roles: a hero as the seeker
| value | holds    | default | text |
|-------|----------|---------|------|
| hits  | a number | 0       | .    |
| score | a number | 0       | .    |
1. Count.
   - Hits: the hits is the seeker's Might #! never-read
   - Spare: the spare is 2 #! never-read
   - Score: the score is 3
2. Pay.
   - Pay: if the seeker's hits is above 0: the seeker gains Luck equal to the score
## rule: Late
- Use: after Trial: the gm gains 1 Doom
""",
)

case(
    "a value that is looked for where nobody has put it",
    """
## procedure: Trial
- Roles: a hero as the seeker
| value | holds    | default | text |
|-------|----------|---------|------|
| roll  | dice     | nothing | .    |
| hits  | a number | 0       | .    |
| most  | a number | 3       | .    |
| far   | a number | 2       | .    |
| near  | a number | 2       | .    |
1. Roll.
   - Dice: the seeker rolls 2 d6 as the roll
   - Six: if number of dice showing 6 in the roll is above 0: the seeker gains 1 Luck #! value-of-nobody
   - One: if number of dice showing 1 in the seeker's roll is above 0: the seeker gains 1 Luck
   - Hits: the seeker's hits becomes 1; the far is 4; the near becomes 4
   - Many: if the seeker's hits is above the most: the seeker gains 1 Luck
   - Walk: do Walking
   - Far: if the far is above 1: the seeker gains 1 Luck
## procedure: Walking
- Part Of: Trial
1. Walk.
   - Far: if the far is above 3: the gm gains 1 Doom #! value-of-nobody
   - Near: if the near is above 3: the gm gains 1 Doom
   - Hits: if the hits is above 3: the gm gains 1 Doom #! value-of-nobody
## trick: Third Eye
- See: after Roll in Trial with the owner as the seeker: if sum of the roll is above 3: the owner gains 1 Luck
## rule: Late
- Use: after Trial: the gm gains 1 Doom
- Take: after Trial with a hero as the seeker: the seeker takes Third Eye
- Sum: after Roll in Trial: if sum of the roll is above 3: the gm gains 1 Doom #! value-of-nobody
""",
)

case(
    "a number that nobody has",
    """
## kind: clock
- Is: a number
## clock: Night #! number-of-nobody
- Starts: 1
## clock: Dawn
- Of: the gm
- Starts: 1
## rule: Hours
- Strike: after Beginning: the gm gains 1 Dawn
They speak of the [[Night]].
""",
)

case(
    "hacks that leave impossible bounds",
    """
## hack: Giants
### changes kind: gift
- Starts: 4 more #! impossible-bounds
## hack: Titans
### changes gift: Might
- Starts: 9 #! impossible-bounds
## hack: Heroes
### changes gift: Might
- Starts: 9
- At Most: 9
### changes pool: Doom
- Starts: 1 more
""",
)

case(
    "a kind that says who makes it wrongly",
    """
## procedure: Founding
- Roles: a hero as the founder, a hero as the friend
1. Found.
   - Luck: the founder gains 1 Luck; the friend gains 1 Luck
## kind: elf
- Is: an actor
- Plural: "elves"
- Made By: Founding #! wrong-kind
""",
)

# ---------------------------------------------------------------- numbers

case(
    "a stated number that its formula does not give",
    """
## fang: Hide
- Starts: Bite + Claw

| monster | Bite | Claw | Hide | text          |
|---------|------|------|------|---------------|
| Wolf    | 2    | 1    | 3    | Grey.         |
| Bear    | 4    | 2    | 5    | Brown.        | #! stated-value-differs
""",
)
case(
    "a stated number stands when a ruling speaks of it",
    """
## fang: Hide
- Starts: Bite + Claw

| monster | Bite | Claw | Hide | text          |
|---------|------|------|------|---------------|
| Bear    | 4    | 2    | 5    | Brown.        |

## ruling: Thin Bear
The printed number of the [[Bear]] wins.
- Reads: "as printed"
""",
)
case(
    "formulas that need each other",
    """
## fang: Hide
- Starts: Bite + Scale #! circular-definition
## fang: Scale
- Starts: Hide + 1

| monster | Bite | Claw |
|---------|------|------|
| Wolf    | 2    | 1    |
""",
)
case(
    "a start above the most",
    """
## gift: Speed
- Starts: 7 #! impossible-bounds
""",
)
case(
    "a least above the most",
    """
## pool: Breath
- Of: a hero
- Starts: 3
- At Least: 5 #! impossible-bounds
- At Most: 4
- Gasp: after a roll by a hero: the hero loses 1 Breath
""",
)
case(
    "somebody outside the bounds",
    """
## fang: Tail
- At Most: 3
- Lash: after a roll by a monster: the monster loses 1 Tail

| monster | Tail |
|---------|------|
| Newt    | 2    |
| Kraken  | 8    | #! impossible-bounds
""",
)
case(
    "a pool that only shrinks",
    """
## pool: Oil #! spent-never-gained
- Of: a hero
## procedure: Lamp
- Roles: a hero as the bearer
1. Burn.
   - Burn: the bearer loses 1 Oil
""",
)
case(
    "a pool that begins full may shrink",
    """
## pool: Oil
- Of: a hero
- Starts: 3
## procedure: Lamp
- Roles: a hero as the bearer
1. Burn.
   - Burn: the bearer loses 1 Oil
""",
)
case(
    "dice that never stop",
    """
## procedure: Throw
- Roles: a hero as the roller
1. Roll.
   - Coins: the roller rolls 2 d2 exploding on 1 or 2 as the coins #! always-exploding
   - Dice: the roller rolls 2 d6 exploding on 6 as the dice
""",
)

# ---------------------------------------------------------------- procedures

case(
    "two procedures that do each other",
    """
## procedure: Ping
1. There.
   - Over: do Pong #! unbounded-recursion
## procedure: Pong
1. Back.
   - Over: do Ping
""",
)
case(
    "a bound ends it",
    """
## procedure: Ping
- Bound: 5 times per Beginning
1. There.
   - Over: do Pong
## procedure: Pong
1. Back.
   - Over: do Ping
""",
)
case(
    "a level whose table raises it again",
    """
## pool: Dread
- Of: the gm
- Starts: 0
- Burst: after reaching a multiple of 10 of Dread: do Outburst #! unbounded-recursion
## procedure: Outburst
1. Roll.
   - Table: the gm rolls Omens
## table: Omens

| d2 | text           | effect                |
|----|----------------|-----------------------|
| 1  | Wind.          | the gm gains 1 Dread  |
| 2  | Nothing at all.| -                     |
""",
)
case(
    "going back for ever",
    """
## procedure: Climb
- Roles: a hero as the climber
1. Try.
   - Roll: the climber rolls 2 d6 as the roll
   - Again: if number of the climber's roll is above 1: go back to Try #! go-back-unbounded
""",
)
case(
    "going back for ever, though it begins three times only",
    """
## procedure: Climb
- Roles: a hero as the climber
- Bound: 3 times per Climb
1. Try.
   - Roll: the climber rolls 2 d6 as the roll
   - Again: if number of the climber's roll is above 1: go back to Try #! go-back-unbounded
""",
)
case(
    "a repeat that waits for what nothing in it changes",
    """
## procedure: Climb
- Roles: a hero as the climber
1. Try.
   - Roll: the climber rolls 2 d6 as the roll
   - Again: repeat until sum of the roll is above 6: #! endless-repeat
     - Say: the climber says "again"
""",
)
case(
    "a test of two plain numbers",
    """
## procedure: Hunt
- Roles: a hero as the hunter
1. Try.
   - Never: if 2 is 3: the hunter gains 1 Luck #! plain-comparison
   - Maybe: if the hunter's Luck is 3: the hunter gains 1 Luck
""",
)
case(
    "a sum behind the greater of two",
    """
## procedure: Hunt
- Roles: a hero as the hunter
1. Try.
   - One: the hunter gains Luck equal to greater of 1 and Doom - 1 #! loose-brackets
   - Two: the hunter gains Luck equal to (greater of 1 and Doom) - 1
   - Three: the hunter gains Luck equal to greater of 1 and (Doom - 1)
   - Four: the hunter gains Luck equal to Doom - lesser of 1 and (the hunter's Might) + 2 #! loose-brackets
   - Five: the hunter gains Luck equal to Doom + 2 x greater of 1 and the hunter's Might
   - Six: the hunter gains Luck equal to lesser of 1 and greater of 2 and Doom x 2 #! loose-brackets
   - Seven: the hunter gains Luck equal to greater of 1 and Doom / 2 rounded up #! loose-brackets
""",
)
case(
    "dice laid side by side",
    """
## procedure: Duel
- Roles: a hero as the one, a hero as the other
1. Throw.
   - Left: the one rolls (the one's Might) d6 as the left
   - Right: the other rolls (the other's Might) d6 as the right
   - Pairs: repeat up to 5 times: if highest of the left is above (highest of the right): the one gains 1 Luck; the one keeps the lowest (number of the left - 1) of the left #! missing-die
   - Asked: repeat up to 5 times:
     - None: if number of the left is 0: the other gains 1 Luck
     - Some: otherwise if highest of the left is above (highest of the right): the one gains 1 Luck; the one keeps the lowest (number of the left - 1) of the left
   - Once: if highest of the left is above (highest of the right): the one gains 1 Luck
""",
)
case(
    "a note to oneself in print",
    """
# Slips
There is a picture here. @TODO add clock illustration #! leftover-note
The price is TBD, and who pays ??? is open. #! leftover-note
Todo is a name; what of it? Really?? A list of todos.
<!-- TODO this is never printed -->
""",
)
case(
    "an item without its bullet",
    """
# Slips
It is good for:
* climbing
sneaking #! lost-bullet
* swimming

And for these:
* climbing
  up and down
* an item that is so long that its words do not have room on a line
of its own
* swimming
and nothing more
""",
)
case(
    "html in prose",
    """
# Slips
This is bold</b>, and `<b>` is code. #! printed-html
Salt &amp; pepper. #! printed-html

If 3<b and b>4, who is there?

| monster | text |
|---|---|
| Bat | Small.<br>Fast. | #! printed-html
""",
)
case(
    "a word that stands twice",
    """
# Slips
All of of it is well. #! doubled-word
They had had that that very very long day; no, no!
The end of the #! doubled-word
the line.
A [[Luck]] luck, the X. Xs. Bo-Bo bo.
[[Luck]] [[Doom]] and [[Might]] [[Charm]]; [[Grit]] [[Grit]] too. #! doubled-word
## rule: Wild Wild Cards #! doubled-word
- Draw Draw: after a roll by a hero: the hero gains 1 Luck #! doubled-word
""",
)
case(
    "a word that was lost before a stop",
    """
# Slips
Nobody may be . Agree on this , and go on. #! lost-word
Wait for it ... or roll at .5 and say :) to all.
""",
)
case(
    "a tie that nobody wins",
    """
## procedure: Race
- Roles: a hero as the first, a hero as the second, a number as the left, a number as the right
1. Compare.
   - One: if the left is above the right: the first gains 1 Luck
   - Two: if the right is above the left: the second gains 1 Luck #! undecided-tie
""",
)
case(
    "one thing at a level here and above it there",
    """
## trick: Asleep
## rule: Sleep
- Reached: after Beginning: for each hero: if the hero's Luck is at least the hero's Might: the hero takes Asleep
- Beyond: after Beginning: for each hero: if the hero's Might is below the hero's Luck: the hero takes Asleep #! two-thresholds
- Other: after Beginning: for each hero: if the hero's Luck is above 3: the hero takes Asleep
""",
)
case(
    "what is not the same, and what is, is no tie",
    """
## procedure: Leap
- Roles: a hero as the first, a number as the left, a number as the right
1. Compare.
   - Way: if the left is not the right and the left is above 0: the first gains 1 Luck
   - Far: if the left is not 1: the first gains 1 Luck
   - Near: if the right is not 1: the first gains 1 Luck
""",
)
case(
    "ties that are decided",
    """
## procedure: Race
- Roles: a hero as the first, a hero as the second, a number as the left, a number as the right
1. Otherwise.
   - One: if the left is above the right: the first gains 1 Luck
   - Two: otherwise: the second gains 1 Luck
2. At least.
   - One: if the left is above the right: the first gains 1 Luck
   - Two: if the right is at least the left: the second gains 1 Luck
3. By name.
   - One: if the left is above the right: the first gains 1 Luck
   - Two: if the left is below the right: the second gains 1 Luck
   - Tie: if the left is the right: the gm gains 1 Doom
4. One side only.
   - One: if the left is above the right: the first gains 1 Luck
""",
)
case(
    "a way that falls off the end",
    """
## procedure: Test
- Roles: a number as the left, a number as the right
- Outcomes: Pass, Fail
1. Compare. #! no-outcome
   - Pass: if the left is above the right: end with Pass
   - Fail: if the left is 0: end with Fail
""",
)
case(
    "every way ends",
    """
## procedure: Plain
- Roles: a number as the left, a number as the right
- Outcomes: Pass, Fail
1. Compare.
   - Pass: if the left is above the right: end with Pass
   - Fail: end with Fail
## procedure: Three Ways
- Roles: a number as the left, a number as the right
- Outcomes: Pass, Fail, Tie
1. Compare.
   - Pass: if the left is above the right: end with Pass
   - Fail: if the left is below the right: end with Fail
   - Tie: if the left is the right: end with Tie
## procedure: Choice
- Roles: a hero as the chooser
- Outcomes: Pass, Fail
1. Choose.
   - Which: the chooser chooses one:
     - Up: end with Pass
     - Down: end with Fail
""",
)

# ---------------------------------------------------------------- names

case(
    "names that only capitals tell apart",
    """
## trick: MIGHT #! names-differ-by-case
Not the gift.
""",
)
case(
    "one name in two spellings",
    """
## trick: Swordmaster
One kind of sword.
## trick: Sword Master #! near-names
Any kind of sword.
""",
)
case(
    "another spelling in the prose",
    """
## trick: Swordmaster
One kind of sword.
## trick: Shieldmaster
Better than any Sword Master. #! near-names
""",
)
case(
    "another spelling that is declared, and used",
    """
## trick: Swordmaster
One kind of sword.
- Also Called: "Sword Master"
## trick: Shieldmaster
Better than any Sword Master. #! alias-differs-by-spelling
""",
)
case(
    "a definition that nothing uses",
    """
## kind: mood #! unused-definition
- Is: an entry
## kind: omen
- Is: an entry
## omen: Comet #! unused-definition
It hangs in the sky.
## omen: Eclipse
It passes.
## rule: Darkness
An [[Eclipse]] frightens everybody.
- Fear: after Beginning: the gm gains 1 Doom
""",
)

# ---------------------------------------------------------------- prose

case(
    "a term that is defined nowhere",
    """
## trick: Prayer
The hero spends a Fate Point. #! undefined-term
## trick: Curse
Somebody loses their Sanity. #! undefined-term
## trick: Hymn
All of them light the Beacon, and once a year Beacon means war. #! undefined-term
""",
)
case(
    "capitals that are no terms",
    """
## trick: Prayer
Silence falls. "Who is there?" Nobody answers: Nothing stirs. The GM may ask Ada, an NPC, about London. [A link to Paris](https://example.org/Paris) says `Foo Bar`.

So says Ann, and then Ann shows three dice. Once Ann and Bob rolled, Bob keeps two.

* Bread and wine
* Salt: Nobody knows. Might and Wit, a Luck Point, a hero's Charm, several Heroes.
""",
)
case(
    "a number that a rule knows",
    """
## trick: Lesson
Might starts at 2 and never rises above {Might's most}. #! typed-number
## trick: Feast
Nobody has Charm above five. #! typed-number
## trick: Fast
Charm above fıve, with a letter that is no i, and above ſix, is no number.
## trick: Walk
Take 2 steps with Might, 5 at a run. With 2 heroes, Doom starts to grow.
""",
)
case(
    "a number that an entry states",
    """
# Bears

| monster | Bite | Claw | text                              |
|---------|------|------|-----------------------------------|
| Bear    | 4    | 2    | Slow.                             |

## trick: Bait
The Bear has 4 Bite and {Bear's Claw} Claw. Run 4 steps from a Bear. #! typed-number
""",
)
case(
    "a list that forgets one",
    """
## trick: Study
It helps with the gifts Might, Wit and Charm. #! incomplete-list
## trick: Rest
It helps with gifts such as Might, Wit and Charm. Everybody gets stronger by Might, Wit and Charm. One of your gifts grows: Might, Wit or Grit.
## trick: Sleep
It helps with Might, Wit, Charm and Grit.
""",
)
case(
    "pictures",
    """
## trick: Map
![a map](assets/map.png) ![a hill](assets/Hill.png) #! image-case
## trick: Sketch
![a door](assets/door.png) #! image-missing
""",
)


FORMULAS = {
    "the owner's Length x 2 + 1": 15,
    "the owner's Length / 2 rounded up": 4,
    "the owner's Length / 2 rounded down": 3,
    "greater of the owner's Length and 9": 9,
    "lesser of the owner's Length and 9": 7,
    "the owner's Length - 2 x 3": 1,
    "(the owner's Length - 2) x 3": 15,
    "number of the owner's Gems": 2,
    "sum Worth of the owner's Gems": 8,
    "highest Worth of the owner's Gems": 5,
    "lowest Worth of the owner's Gems": 3,
    "number of the owner's Gems whose Worth is above 3": 1,
    "Charm's most + Luck's start": 6,
}
RINGS = """
# Rings
## kind: gem
- Is: an entry

| label | holds    | default | text |
|-------|----------|---------|------|
| Worth | a number | 1       | -    |

| gem  | Worth |
|------|-------|
| Ruby | 5     |
| Opal | 3     |

## kind: ring
- Is: an entry

| label  | holds           | default | text |
|--------|-----------------|---------|------|
| Length | a number        | 0       | -    |
| Gems   | a group of gems | nothing | -    |
| Price  | a number        | FORMULA | -    |

| ring | Length | Gems       | Price |
|------|--------|------------|-------|
| Band | 7      | Ruby, Opal | 99    |

The [[Band]] shines.
"""


@pytest.mark.parametrize("formula", FORMULAS)
def test_a_formula_is_worked_out(formula: str) -> None:
    (only,) = found(RINGS.replace("FORMULA", formula))
    assert only.code == "stated-value-differs"
    assert only.message.endswith(f" is {FORMULAS[formula]}")


def test_what_only_play_can_tell_is_not_guessed() -> None:
    assert found(RINGS.replace("FORMULA", "number of heroes")) == []


# ---------------------------------------------------------------- when values are given, changed and read

RACE = """
## procedure: Race
- Roles: a hero as the runner
- Settles: Finish

| value | holds    | default | text     |
|-------|----------|---------|----------|
| pace  | a number | 0       | how fast |
| roll  | dice     | nothing | thrown   |

1. Start.
   - Pace: the runner's pace is the runner's Might
   - Dice: the pool is the runner's Might
   {start}
2. Roll.
   - Roll: the runner rolls the pool d6 as the roll
3. Finish.
   - Prize: if the runner's pace is above 3: the runner gains 1 Luck for each die showing 6 in the runner's roll
## trick: Quick
{trick}
"""


def race(
    title: str,
    start: str = "- Slow: the runner's pace is 1 less",
    trick: str = "- Legs: before Finish in Race with the owner as the runner: the runner's pace is 1 more",
) -> None:
    case(title, RACE.format(start=start, trick=trick))


race("changes in time")
race("a value that decides before it settles", start="- Ahead: if the runner's pace is above 3: the runner gains 1 Luck #! compared-too-early")
race("a value changed after it settled", trick="- Legs: after Race with the owner as the runner: the runner's pace is 1 more #! changed-too-late")
race("a word changed before it has its value", trick="- Dice: before Race with the owner as the runner: the pool is 1 more")
race("a word changed in time", trick="- Dice: before Roll in Race with the owner as the runner: the pool is 1 more")
race("a word changed after its last use", trick="- Dice: after Roll in Race with the owner as the runner: the pool is 1 more #! changed-too-late")
race(
    "a face that no die has",
    trick="- Luck: after Race with the owner as the runner: the owner gains 1 Luck for each die showing 7 in the owner's roll #! no-such-face",
)
race(
    "changes that wait for each other",
    trick="- Might: the owner's Might is the owner's Wit more #! circular-definition\n- Wit: while the owner's Might is above 2: the owner's Wit is 1 more",
)
race(
    "a change that asks for somebody else's number",
    trick="- Might: the owner's Might is highest Wit of heroes more\n- Wit: the owner's Wit is the owner's Luck more",
)
case(
    "a number that one list changes twice",
    """
## kind: calling
- Is: a trait of a hero
| label | holds    | default | text         |
|-------|----------|---------|--------------|
| Gives | a change | nothing | what it adds |
## calling: Smith
Strong of arm.
- Gives: Might +1, Wit +1, Might +1 #! change-twice
## calling: Thief
Quick of hand.
- Gives: Might +1, Wit +1
## procedure: Learning
- Roles: a hero as the learner
1. Learn.
   - Calling: the learner chooses a calling as the calling; the learner takes the calling
""",
)
race("a change that nothing ends", trick="- Might: after Race with the owner as the runner: the owner's Might is 1 more #! change-without-end")
race("a change with an end", trick="- Might: after Race with the owner as the runner: until Race ends: the owner's Might is 1 more")
race("two values on one way", start="- Again: the pool is 1 #! two-bases")
race(
    "two values on two ways",
    start="- High: if the runner's Wit is 3: the goal is 1\n   - Low: otherwise: the goal is 2\n   - Luck: the runner gains Luck equal to the goal",
)
race(
    "two values, one of which leaves",
    start="- High: if the runner's Wit is 3: the goal is 1; go back to Roll #! go-back-unbounded\n   - Low: the goal is 2; the runner gains Luck equal to the goal",
)

case(
    "a kind that says who makes one, and that one makes another",
    """
## kind: pet
- Is: an actor
- Made By: Beginning #! wrong-kind
""",
)

case(
    "two lines for one event",
    """
## procedure: Trial
- Roles: a hero as the tried
- Outcomes: Well, Ill
1. Judge.
   - Judge: if the tried's Might is above 2: end with Well
   - Not: otherwise: end with Ill
## rule: Rain
- Rain: instead of Trial: end with Ill
## rule: Sun
- Sun: instead of Trial: end with Well #! two-replacements
## trick: Charmed
- Charm: instead of Trial with the owner as the tried: the owner may: end with Well
## trick: Lost
- Lost: instead of Trial with the owner as the tried: the owner may: the owner gains 1 Luck #! no-outcome
""",
)

case(
    "a hack that says two things about one place",
    """
## rule: Drizzle
- Wet: after Beginning: the gm gains 1 Doom
## hack: Two Minds
### changes pool: Luck
- Starts: 4
- At Least: 1 less
- At Least: 1 less
### changes pool: Luck
- Starts: 5 #! patch-conflict
### deletes rule: Drizzle
### changes rule: Drizzle #! patch-conflict
- Wet: after Beginning: the gm gains 2 Doom
### renames pool: Doom #! missing-field
### changes table: Gales
| row   | effect               |
|-------|----------------------|
| Sharp | the gm gains 2 Doom  |
| Sharp | the gm gains 3 Doom  | #! patch-conflict
## table: Gales
| d2 | row   | effect              |
|----|-------|---------------------|
| 1  | Sharp | the gm gains 1 Doom |
| 2  | Mild  | the gm gains 1 Doom |
## rule: Windy
- Wind: after Beginning: the newcomer rolls Gales
""",
)
case(
    "decks that nobody could draw from",
    """
## deck: Bare #! bad-deck
## deck: Endless
- Cards: 1 to 999999999 #! bad-deck
## deck: Sound
- Cards: 1 to 13
- Copies: 4
## deck: None Of Each
- Cards: 1 to 13
- Copies: 0 #! bad-deck
## rule: Drawing
- Draw: after Beginning: for each hero: the hero draws 1 of Bare; the hero draws 1 of Endless; the hero draws 1 of Sound; the hero draws 1 of [[None Of Each]]
""",
)

case(
    "tests and levels that bounds decide",
    """
## pool: Calm
- Of: a hero
- At Least: 0
- At Most: 5
- Rest: after Beginning: the owner gains 1 Calm
## pool: Moving
- Of: a hero
- At Most: 5
- Rest: after Beginning: the owner gains 1 Moving
- More: while the owner's Might is 1: the owner's Moving is 2 more
## pool: Hacked
- Of: a hero
- At Most: 5
- Rest: after Beginning: the owner gains 1 Hacked
## hack: Higher
### changes pool: Hacked
- At Most: 9
## rule: Bounds
- Six: after reaching 6 of Calm: the gm gains 1 Doom #! always-the-same
- Five: after reaching 5 of Calm: the gm gains 1 Doom
- Minus: after reaching -1 of Calm: the gm gains 1 Doom #! always-the-same
- None: after reaching a multiple of 0 of Calm: 2 times per Beginning: the gm gains 1 Doom #! always-the-same
- Above: after Beginning: if the newcomer's Calm is above 5: the gm gains 1 Doom #! always-the-same
- Not Below: after Beginning: if the newcomer's Calm is not below 0: the gm gains 1 Doom #! always-the-same
- Both: after Beginning: if the newcomer's Luck is at least 6 and the newcomer's Luck is below 3: the gm gains 1 Doom #! always-the-same
- Either: after Beginning: if the newcomer's Luck is at least 6 or the newcomer's Luck is below 3: the gm gains 1 Doom
- Itself: after Beginning: if the newcomer's Luck is the newcomer's Luck: the gm gains 1 Doom #! always-the-same
- Moving: after Beginning: if the newcomer's Moving is above 5: the gm gains 1 Doom
- Hacked: after Beginning: if the newcomer's Hacked is above 5: the gm gains 1 Doom
- Fine: after Beginning: if the newcomer's Calm is 5: the gm gains 1 Doom
""",
)
case(
    "counts of nothing, and a division by it",
    """
## pool: Calm
- Of: a hero
- Starts: 10 / Moving rounded up #! divided-by-nothing
- Rest: after Beginning: the owner gains 1 Calm
## pool: Moving
- Of: a hero
- Starts: 0
- Rest: after Beginning: the owner gains 1 Moving
## trick: Idle
- Cost: 0 Luck
- Uses: 0 times per Beginning #! counts-nothing
- Free: after Beginning: the owner may pay: the gm gains 1 Doom
## rule: Nothing
- Limit: 0 times per Beginning: after Beginning: the gm gains 1 Doom #! counts-nothing
- Rounds: after Beginning: repeat up to 0 times: the gm gains 1 Doom #! counts-nothing
- Dice: after Beginning: the newcomer rolls 0 d6 as the dice; the gm gains Doom equal to sum of the dice #! counts-nothing
- Faces: after Beginning: the newcomer rolls 2 d6 exploding on 7 as the dice; the gm gains Doom equal to sum of the dice #! no-such-face
- Points: after Beginning: the gm gains 0 Doom #! counts-nothing
- Divided: after Beginning: the gm gains Doom equal to 4 / 0 rounded up #! divided-by-nothing
- Price: after Beginning: the newcomer may pay: the gm gains 1 Doom #! missing-field
- Keeps: after Beginning: the newcomer rolls 2 d6 as the few; the newcomer keeps the highest 3 of the few as the best; the gm gains Doom equal to sum of the best #! always-the-same
- Fair: after Beginning: the newcomer rolls 2 d6 exploding on 6 as the many; the newcomer keeps the highest 3 of the many as the rest; the gm gains Doom equal to sum of the rest
## procedure: Sharing
- Roles: a hero as the sharer
1. Share.
   - Share: the sharer divides exactly 13 among gifts #! impossible-bounds
""",
)
case(
    "lines that nothing comes to",
    """
## procedure: Climb
- Roles: a hero as the climber, a hero as the climber #! duplicate-label
- Outcomes: Up, Down, Stuck #! unused-outcome
1. Try.
   - Luck: if the climber's Luck is at least 2: the climber gains 1 Luck
   - More: otherwise if the climber's Luck is at least 4: the climber gains 2 Luck #! never-reached
   - Less: otherwise if the climber's Luck is at least 1: the climber gains 3 Luck
   - Up: if the climber's Might is above 2: end with Up
   - Down: otherwise: end with Down
   - Late: the climber gains 1 Luck #! never-reached
2. Rest. A hook may stand in for the first step.
## procedure: Stroll
- Outcomes: Home, Lost, Home #! duplicate-label
1. Go.
   - Way: for each hero: the gm may: end with Home; the gm gains 1 Doom #! never-reached
   - Lost: end with Lost
""",
)
case(
    "procedures that are parts of themselves",
    """
## procedure: Night
- Part Of: Watch #! circular-definition
## procedure: Watch
- Part Of: Night
## procedure: Dream
- Counts As: Dream #! circular-definition
## pool: Calm
- Of: a hero
- At Least: Calm #! circular-definition
- Rest: after Night: the owner gains 1 Calm
## pool: Rest
- Of: a hero
- At Least: Rest's start
- Rest: after Dream: the owner gains 1 Rest
""",
)

case(
    "links and pictures that a book does not have",
    """
# Links
See [[Luck], and Luck]], and [[]]. #! broken-link
See [this](playing.html), [that](https://example.org), [them](mailto:them@example.org). #! broken-link
See `[[` and `[code](code.html)`, and [a note [1]].

![a map](https://example.org/map.png) #! image-missing
![a map](../map.png) #! image-missing
![a map](assets/map.png)
""",
)

case(
    "steps of procedures that run elsewhere, and values that are changed when all is over",
    """
## procedure: Day
## procedure: Hunt
- Part Of: Day
- Roles: a hero as the hunter

| value | holds    | default | text     |
|-------|----------|---------|----------|
| catch | a number | 0       | the game |
| track | a number | 0       | the way  |

1. Look.
   - Look: the hunter's catch is the hunter's Might; the hunter's track is 1
2. Shoot.
   - Shoot: the hunter gains Luck equal to the hunter's catch + the hunter's track; do Aiming with the hunter as the aimer
## procedure: Aiming
- Roles: a hero as the aimer
1. Aim.
   - Aim: the aimer gains 1 Luck
## procedure: Meal
- Part Of: Day
1. Eat.
   - Eat: each hero gains 1 Luck
## rule: Beside
- Meal: after Eat in Hunt: the gm gains 1 Doom #! never-happens
- Aim: after Aim in Hunt: the gm gains 1 Doom
- Day: after Eat in Day: the gm gains 1 Doom
- Own: after Look in Hunt: the gm gains 1 Doom
- Late: after Hunt: the hunter's catch is 1 more #! changed-too-late
- Early: before Shoot in Hunt: the hunter's catch is 1 more
- Read: after Hunt: the hunter's track is 1 more
- Reads: after Hunt: the gm gains Doom equal to the hunter's track
""",
)


def found(text: str) -> list[Diagnostic]:
    pages = [Source("head.te", HEAD), Source("case.te", re.sub(r" ?#! .*", "", text))]
    return check(pages, INFO, None, ("assets/map.png", "assets/hill.png"))[1]


def expected(text: str) -> set[tuple[int, str]]:
    marks = ((at, line.partition("#! ")[2].split()) for at, line in enumerate(text.split("\n"), 1))
    return {(at, code) for at, codes in marks for code in codes}


@pytest.mark.parametrize("title", CASES)
def test_case(title: str) -> None:
    text = CASES[title]
    assert {(one.span.line, one.code) for one in found(text) if one.span.file == "case.te"} == expected(text)


@pytest.mark.parametrize("formula", ["{} + 1", "{} + {}", "{} x {}", "((((((({} + 1) + 1) + 1) + 1) + 1) + 1) + 1)"])
def test_a_long_row_of_definitions_neither_hangs_nor_falls(formula: str) -> None:
    def name(at: int) -> str:
        return "Row " + " ".join(("Ash", "Bay", "Cob", "Dun", "Elk", "Fen", "Gnu", "Hay", "Ink", "Jay")[int(digit)] for digit in str(at))

    pools = (f"## pool: {name(at)}\n- Of: a hero\n- Starts: {formula.replace('{}', name(at + 1))}\n" for at in range(300))
    codes = {one.code for one in found("".join(pools) + f"## pool: {name(300)}\n- Of: a hero\n- Starts: 2\n")}
    assert codes - {"doubled-word"} == {"unused-definition"}


def test_names_of_any_script_are_told_apart() -> None:
    tricks = "".join(f"## trick: {name}\nEin élan, ein élan, 火 und 火.\n" for name in ("😀", "🎲", "कि", "कु", "火", "水"))
    assert [one for one in found(tricks) if one.code in ("near-names", "undefined-term", "names-differ-by-case")] == []


def test_german_nouns_are_no_terms() -> None:
    german = PackInfo(id="klein", title="Klein", version="1.0.0", language="de")
    pages = [Source("head.te", HEAD), Source("case.te", "# Anfang\nWer die Angst verliert, der hat keine Angst mehr.\n")]
    assert check(pages, german)[1] == []


def test_the_head_is_clean() -> None:
    assert found("") == []


def test_every_lint_has_a_case() -> None:
    marked = {code for text in CASES.values() for _, code in expected(text)}
    assert {look.__name__.replace("_", "-") for look in LINTS} <= marked


def test_a_finding_names_both_ends() -> None:
    (bear,) = found(CASES["a stated number that its formula does not give"])
    assert bear.message == "`Bear` states Hide 5; Bite + Claw is 6"
    assert [label.text for label in bear.labels] == ["Hide is Bite + Claw"]


def test_a_circle_is_printed() -> None:
    (circle,) = found(CASES["formulas that need each other"])
    assert circle.message == "this number needs itself: Hide's start -> Scale's start -> Hide's start"


def test_a_chain_is_printed() -> None:
    (chain,) = found(CASES["a level whose table raises it again"])
    assert chain.message == "nothing ever ends this chain: Dread -> Outburst -> Omens -> Dread"


def test_only_the_pack_itself_is_looked_at() -> None:
    below, _ = check([Source("head.te", HEAD), Source("case.te", "## kind: mood\n- Is: an entry\n")], INFO)
    other = PackInfo(id="above", title="Above", version="1.0.0")
    assert check([Source("above.te", "# Above\nNothing new.\n")], other, below)[1] == []
