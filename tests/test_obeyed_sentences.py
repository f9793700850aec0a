"""Half sentences in the words of newcomers, each as a kind of slip: whoever does as the help says has a page without a mistake."""

from __future__ import annotations

import pytest
from test_obeyed import EXAMPLE, GOOD, LINE, SLY, errors, new_words, parts, words

WAY = """## feature: Soaked
Wet through.

## procedure: Way
- Roles: a character as the walker, a number as the difficulty
- Outcomes: Found, Nothing

| value | holds    | default | text            |
|-------|----------|---------|-----------------|
| stake | a number | 1       | what is at risk |
| total | a number | 0       | all together    |
| count | a number | 0       | how many        |

1. Go.
   - Dice: the walker rolls 3 d6 as the pool
   - Sum: the total is sum of the pool
   - Lot: if the total is above 9:
     - Slip: %s
   - Done: if the total is the difficulty: end with Found
   - Empty: otherwise: end with Nothing
"""
BARE = WAY.replace("   - Sum: the total is sum of the pool\n", "   - Sum: %s\n").replace("     - Slip: %s", "     - Slip: the walker gains 1 Health")
END = WAY.replace("     - Slip: %s", "     - Slip: the walker gains 1 Health").replace("   - Empty: otherwise: end with Nothing", "   - Empty: %s")
PLAY = (
    WAY % "the walker takes Soaked"
    + """
## example: Long
- Ann: a character
1. Look.
   - do Way with Ann as the walker, 9 as the difficulty as the result
   - %s
   - expect the result is Found
"""
)
FLOTSAM = f"## table: Flotsam Table\n\n| d6 | row | effect |\n{LINE}\n| 1-6 | Wood | {{}} |\n"
WET = "## feature: Soaked\nWet through.\n- Cold: %s\n"
RULED = "## feature: Soaked\nWet through.\n\n## rule: Weather\n- Cold: %s\n"


def way(slip: str, right: str, code: str = "not-a-rule-word") -> tuple[str, str, str]:
    return WAY % f"<<{slip}>>", code, right


CASES = {
    # the amount in front, as a word of the procedure
    "gains an amount": way("the walker gains the stake Adventure", "the walker gains Adventure equal to the stake"),
    "loses an amount": way("the walker loses the stake Health", "the walker loses Health equal to the stake"),
    "pays an amount": way("the walker pays the walker's stake Health", "the walker pays Health equal to the walker's stake"),
    "an amount without `the`": way("the walker gains stake Adventure", "the walker gains Adventure equal to the stake"),
    "points of an amount": way("the walker gains the stake points of Adventure", "the walker gains Adventure equal to the stake"),
    "an amount that is a number of somebody": way("the walker gains the walker's Vigor Adventure", "the walker gains Adventure equal to the walker's Vigor"),
    "an amount of a trait": way("the walker gains the stake Soaked", "the walker takes Soaked"),
    # dice pools
    **{
        f"dice {text}": way(f"the count is {text} in the pool", f"the count is number of dice showing {right} in the pool")
        for text, right in (
            ("number of dice showing 5+", "at least 5"),
            ("number of dice showing 5 +", "at least 5"),
            ("number of dice that show 5 or more", "at least 5"),
            ("number of dice showing 2 or less", "at most 2"),
            ("number of dice showing 5 and 6", "5 or 6"),
            ("number of dice showing 5, 6", "5 or 6"),
            ("number of dice showing a 5 or a 6", "5 or 6"),
            ("number of dice showing 5/6", "5 or 6"),
            ("number of dice showing 4-6", "4 or 5 or 6"),
            ("number of dice showing 4 to 6", "4 or 5 or 6"),
            ("count of the 5s and 6s", "5 or 6"),
            ("the number of fives and sixes", "5 or 6"),
            ("number of 6s", "6"),
        )
    },
    **{
        f"dice in other words: {text}": way(text, right)
        for text, right in (
            ("the count is number of dice in the pool showing 5+", "the count is number of dice showing at least 5 in the pool"),
            ("the count is how many dice show 5 or 6 in the pool", "the count is number of dice showing 5 or 6 in the pool"),
            ("the count is dice showing 5 in the pool", "the count is number of dice showing 5 in the pool"),
            ("the count is number of dice above 4 in the pool", "the count is number of dice showing above 4 in the pool"),
            ("the count is number of dice equal to 6 in the pool", "the count is number of dice showing 6 in the pool"),
            ("the count is number of dice showing at least a 5 in the pool", "the count is number of dice showing at least 5 in the pool"),
            ("if there is a 6 in the pool: the walker gains 1 Health", "if number of dice showing 6 in the pool is above 0: the walker gains 1 Health"),
            ("if the pool shows a 6: the walker gains 1 Health", "if number of dice showing 6 in the pool is above 0: the walker gains 1 Health"),
            ("if any die shows 6: the walker gains 1 Health", "if number of dice showing 6 in the pool is above 0: the walker gains 1 Health"),
        )
    },
    "for each face": way("the walker gains 1 Health for each 6 in the pool", "the walker gains 1 Health for each die showing 6 in the pool"),
    "for each die with a plus": way(
        "the walker gains 1 Health for each die showing 5+ in the pool", "the walker gains 1 Health for each die showing at least 5 in the pool"
    ),
    # what dice show in an example
    **{
        f"an example in which Ann {text}": (PLAY % f"<<Ann {text}>>", "not-a-rule-word", "Ann shows 6, 2, 1")
        for text in ("rolls 6, 2, 1", "rolled 6, 2 and 1", "throws 6, 2, 1", "shows 6 2 1", "gets a 6, 2, 1")
    },
    "what Ann throws, as a number": (PLAY % "<<Ann rolls 6>>", "wrong-type", "Ann shows 6"),
    # openers with capitals
    **{
        f"a rule that begins with {text}": (WET % f"<<{text}: the owner gains 1 Health>>", "capital-at-start", f"{right}: the owner gains 1 Health")
        for text, right in (
            ("After Test ending in Success", "after Test ending in Success"),
            ("Before Test by the owner", "before Test by the owner"),
            ("Instead Of Damage with the owner as the target", "instead of Damage with the owner as the target"),
            ("While the owner has Thorny: after Test", "while the owner has Thorny: after Test"),
        )
    },
    "if": way("If the total is 12: the walker gains 1 Health", "if the total is 12: the walker gains 1 Health", "capital-at-start"),
    "for each": way("For Each character: the character gains 1 Health", "for each character: the character gains 1 Health", "capital-at-start"),
    "until": way("Until Way ends: the walker cannot gain Adventure", "until Way ends: the walker cannot gain Adventure", "capital-at-start"),
    "otherwise": (END % "<<Otherwise: end with Nothing>>", "capital-at-start", "otherwise: end with Nothing"),
    "a capital and a full stop": (
        WET % "<<After Test ending in Success: the owner gains 1 Health.>>",
        "capital-at-start",
        "after Test ending in Success: the owner gains 1 Health",
    ),
    "an opener as the label": (
        "## feature: Soaked\nWet through.\n- <<After Test: each character gains 1 Health>>\n",
        "never-happens",
        "Label: after Test: each character gains 1 Health",
    ),
    # a name where a sentence is needed
    "a trait alone": (END % "<<otherwise: Soaked; end with Nothing>>", "unexpected-word", "otherwise: the walker takes Soaked; end with Nothing"),
    "a trait alone at the end": way("if the total is 12: Soaked", "if the total is 12: the walker takes Soaked", "unexpected-word"),
    "points alone": (END % "<<otherwise: 1 Adventure; end with Nothing>>", "unexpected-word", "otherwise: the walker gains 1 Adventure; end with Nothing"),
    "points of somebody else alone": (END % "<<otherwise: 1 Tension; end with Nothing>>", "unexpected-word", "otherwise: the gm gains 1 Tension; end with Nothing"),
    # comparisons in words
    **{
        f"the total {text} the difficulty": way(
            f"if the total {text} the difficulty: the walker gains 1 Health", f"if the total {right} the difficulty: the walker gains 1 Health"
        )
        for text, right in (
            ("meets", "is at least"),
            ("reaches", "is at least"),
            ("meets or beats", "is at least"),
            ("is greater than or equal to", "is at least"),
            ("is equal to or above", "is at least"),
            ("is not less than", "is at least"),
            ("is no less than", "is at least"),
            ("is at least equal to", "is at least"),
            ("is as high as", "is at least"),
            ("beats", "is above"),
            ("exceeds", "is above"),
            ("is more than", "is above"),
            ("is bigger than", "is above"),
            ("equals", "is"),
            ("matches", "is"),
            ("is equal to", "is"),
            ("is exactly", "is"),
            ("is less than", "is below"),
            ("fails to meet", "is below"),
            ("does not reach", "is below"),
            ("is less than or equal to", "is at most"),
            ("is not more than", "is at most"),
            ("does not exceed", "is at most"),
            ("is up to", "is at most"),
            ("is not equal to", "is not"),
            ("differs from", "is not"),
        )
    },
    "a comparison behind another": way(
        "if the total is 3 or the total beats the difficulty: the walker gains 1 Health",
        "if the total is 3 or the total is above the difficulty: the walker gains 1 Health",
    ),
    # two things in one sentence
    **{
        f"the walker {text}": way(f"the walker {text}", right)
        for text, right in (
            ("becomes Soaked and loses 1 Health", "the walker takes Soaked; the walker loses 1 Health"),
            ("is Soaked and loses 1 Health", "the walker takes Soaked; the walker loses 1 Health"),
            ("gains 1 Adventure and becomes Soaked", "the walker gains 1 Adventure; the walker takes Soaked"),
            ("loses 1 Health, gains 1 Adventure and takes Soaked", "the walker loses 1 Health; the walker gains 1 Adventure; the walker takes Soaked"),
            ("becomes Soaked and the gm gains 1 Tension", "the walker takes Soaked; the gm gains 1 Tension"),
            ("loses 1 Health and the gm gains 1 Tension", "the walker loses 1 Health; the gm gains 1 Tension"),
            ("loses 1 Health and then do Damage with the walker as the target, the gm as the dealer", "the walker loses 1 Health; do Damage with the walker as the target, the gm as the dealer"),
        )
    },
    "a number is something and somebody does": way("the count is 2 and the walker loses 1 Health", "the count is 2; the walker loses 1 Health"),
    "somebody does something and it ends": (
        END % "otherwise: <<the walker loses 1 Health and ends with Nothing>>",
        "not-a-rule-word",
        "the walker loses 1 Health; end with Nothing",
    ),
    # harm
    **{
        f"the walker {text}": way(f"the walker {text}", right)
        for text, right in (
            ("takes damage equal to 1", "the walker loses 1 Health"),
            ("takes 1 damage", "the walker loses 1 Health"),
            ("takes 2 points of damage", "the walker loses 2 Health"),
            ("takes damage equal to the stake", "the walker loses Health equal to the stake"),
            ("suffers 1 Health", "the walker loses 1 Health"),
            ("suffers Soaked", "the walker takes Soaked"),
            ("gets Soaked", "the walker takes Soaked"),
            ("suffers the stake Health", "the walker loses Health equal to the stake"),
            ("suffers 1 harm", "the walker loses 1 Health"),
        )
    },
    "the gm deals harm": way("the gm deals 2 damage to the walker", "the walker loses 2 Health"),
    # dice that are added up
    **{
        f"dice: {text}": (BARE % f"<<{text}>>", "not-a-rule-word", right)
        for text, right in (
            ("add the dice up", "the total is sum of the pool"),
            ("add up all the dice", "the total is sum of the pool"),
            ("total the dice", "the total is sum of the pool"),
            ("take the highest die", "the total is highest of the pool"),
        )
    },
    "dice: count the 6s": (WAY % "<<count the 6s>>", "not-a-rule-word", "the count is number of dice showing 6 in the pool"),
    # somebody of a kind in a condition
    "while somebody has it": (WET % "<<while a character has Soaked: the owner's Vigor is 1 less>>", "not-a-rule-word", "while the owner has Soaked: the owner's Vigor is 1 less"),
    "while anybody has it": (
        RULED % "<<while any character has Soaked>>: the character's Vigor is 1 less",
        "not-a-rule-word",
        "for each character with Soaked",
    ),
    "somebody with it does something": (
        RULED % "after Scene: <<a character with Soaked loses 1 Health>>",
        "not-a-rule-word",
        "for each character with Soaked: the character loses 1 Health",
    ),
    # the other case
    **{
        f"the other case: {text}": (END % f"<<{text}>> end with Nothing", "not-a-rule-word", "otherwise:")
        for text in ("on a failure,", "on a failure:", "on a miss", "else", "Else:", "else,", "otherwise,", "in any other case,")
    },
    "the other case: in that case": (END % "<<in that case, end with Nothing>>", "not-a-rule-word", "otherwise: end with Nothing"),
    # what a procedure is handed
    **{
        f"handed: {text}": (PLAY.replace("do Way with Ann as the walker, 9 as the difficulty as the result", f"<<{text}>>").replace("   - expect the result is Found\n", "") % "Ann shows 6, 2, 1", "not-a-rule-word", "do Way with Ann as the walker, 9 as the difficulty")
        for text in (
            "do Way with Ann as the walker, with difficulty 9",
            "do Way with Ann as the walker, difficulty 9",
            "do Way with Ann as the walker and a difficulty of 9",
            "do Way with Ann as the walker with 9 difficulty",
            "do Way with Ann, difficulty 9",
            "Ann does Way with difficulty 9",
            "Ann makes a Way with difficulty 9",
        )
    },
    # what is expected
    "a result in small letters": (PLAY.replace("the result is Found", "the result is <<found>>") % "Ann shows 6, 2, 1", "lower-case-name", "Found"),
    "a result in small letters, misspelt": (PLAY.replace("the result is Found", "the result is <<fund>>") % "Ann shows 6, 2, 1", "lower-case-name", "Found"),
    "a trait in small letters": (WAY % "if the walker has <<soaked>>: the walker gains 1 Health", "lower-case-name", "Soaked"),
    "a result alone": (PLAY.replace("expect the result is Found", "<<expect found>>") % "Ann shows 6, 2, 1", "not-a-rule-word", "expect the result is Found"),
    "a number that somebody has": (EXAMPLE.replace("expect Ann's Health is 3", "<<expect Ann has 3 Health>>") % "- Bo: a character", "not-a-rule-word", "expect Ann's Health is 3"),
    # prose behind a dash
    "a sentence behind a dash": (
        "## feature: Soaked\nWet through.\n<<- A character with Soaked rolls one die less on every roll of Test>>\n",
        "list-with-dash",
        "- Label: while the owner has Soaked: the owner's Vigor is 1 less",
    ),
    "a sentence behind a dash, with a full stop": (
        "## feature: Soaked\nWet through.\n<<- A character with Soaked rolls one die less.>>\n",
        "list-with-dash",
        "* A character with Soaked rolls one die less.",
    ),
    "the owner in prose": (
        "## feature: Soaked\nWet through.\n<<- The owner rolls one die less>>\n",
        "list-with-dash",
        "* The owner rolls one die less",
    ),
    "you": (SLY % "- Dry: after Test by the owner: <<You lose 1 Health>>", "pronoun", "the owner loses 1 Health"),
    # what is compared, in the words of a table
    **{
        f"a case of the total: {text}": way(f"{text} the walker loses 1 Health", f"if the total is {right}: the walker loses 1 Health")
        for text, right in (
            ("on a 6,", "6"),
            ("on a roll of 7 or more:", "at least 7"),
            ("on 7+:", "at least 7"),
            ("on 3 or less,", "at most 3"),
            ("on a 7-9:", "at least 7 and the total is at most 9"),
            ("7-9:", "at least 7 and the total is at most 9"),
            ("7+:", "at least 7"),
            ("10 or more:", "at least 10"),
            ("3 or less:", "at most 3"),
        )
    },
    "otherwise if": (END.replace("end with Nothing", "end with Nothing") % "<<else if>> the total is 3: end with Nothing\n   - Last: otherwise: end with Nothing", "not-a-rule-word", "otherwise if"),
    "an outcome alone": (END % "otherwise: the walker loses 1 Health; <<the walker fails>>", "not-a-rule-word", "end with Nothing"),
    "an outcome as a value": (END % "<<Nothing>>", "value-for-sentence", "end with Nothing"),
    "a trait as a value": way("Soaked", "the walker takes Soaked", "value-for-sentence"),
    # traits in small letters
    **{
        f"the walker {text}": way(f"the walker {text}", "the walker takes Soaked", "lower-case-name")
        for text in ("is soaked", "becomes soaked", "gains soaked", "takes soaked")
    },
    "if somebody is a trait in small letters": way("if the walker is soaked: the gm gains 1 Tension", "if the walker has Soaked: the gm gains 1 Tension", "lower-case-name"),
    "if somebody is not": way("if the walker is not soaked: the gm gains 1 Tension", "if the walker lacks Soaked: the gm gains 1 Tension", "lower-case-name"),
    # numbers that change
    **{
        f"a change: {text}": way(text, right)
        for text, right in (
            ("reduce the walker's Health by 1", "the walker loses 1 Health"),
            ("increase the walker's Health by 1", "the walker gains 1 Health"),
            ("the walker's Health drops by the stake", "the walker loses Health equal to the stake"),
            ("the count is increased by the stake", "the count is the stake more"),
            ("add 2 to the count", "the count is 2 more"),
            ("the walker adds the stake to the count", "the count is the stake more"),
            ("subtract 1 from the count", "the count is 1 less"),
            ("the count is the stake plus 2", "the count is the stake + 2"),
            ("the count is the highest die", "the count is highest of the pool"),
        )
    },
    # dice
    **{
        f"dice: the walker {text}": way(f"the walker {text} as the more", f"the walker {right} as the more")
        for text, right in (
            ("rolls 3 dice", "rolls 3 d6"),
            ("rolls 2 six-sided dice", "rolls 2 d6"),
            ("rolls 2 8-sided dice", "rolls 2 d8"),
            ("rolls a number of d6 equal to the walker's Vigor", "rolls the walker's Vigor d6"),
            ("rolls d6 equal to the stake", "rolls the stake d6"),
            ("rolls as many d6 as the stake", "rolls the stake d6"),
        )
    },
    "dice: the two highest": way("the walker keeps the two highest", "the walker keeps the highest 2 of the pool"),
    # what must be
    "must": way("the walker must lose 1 Health", "the walker loses 1 Health"),
    **{
        f"run: {text}": way(text, "do Test with the walker as the actor")
        for text in ("do Test for the walker", "do Test by the walker", "the walker does a Test", "the walker attempts a Test", "do Test with the walker")
    },
    "run: do a": way("do a Test with the walker as the actor", "do Test with the walker as the actor"),
    **{
        f"one after the other: {text}": way(f"the walker gains 1 Health; {text} the walker takes Soaked", "the walker gains 1 Health; the walker takes Soaked")
        for text in ("then", "and then", "also", "afterwards,")
    },
    "must make a test": way("the walker must make a Test", "do Test with the walker as the actor"),
    "can": way("the walker can take Soaked", "the walker may: the walker takes Soaked"),
    # names
    "a name by its sound": (WAY % "the gm gains 1 <<Tenshun>>", "unknown-name", "Tension"),
    "another name by its sound": (WAY % "the walker gains 1 <<Advencher>>", "unknown-name", "Adventure"),
    "the beginning of a name": (FLOTSAM.format("-") + WAY % "the walker rolls <<Flotsam>>", "unknown-name", "Flotsam Table"),
    "the beginning of a name that is like another": (WAY % "do Damage with <<Moss>> as the target, the walker as the dealer", "unknown-name", "Moss Sister"),
    "a name with its sort": (WAY % "the walker rolls <<Weather Table>>", "unknown-name", "Weather"),
}  # fmt: skip
LEFT_TO_SAY = {"end", "with", "Nothing", "Health", "pool", "Soaked", "Vigor", "is", "1", "less", "owner's", "the", "gm", "loses"}
"""What the author alone can know: a help says it with `..`."""


@pytest.mark.parametrize("name", CASES)
def test_whoever_obeys_is_done(name: str) -> None:
    text, code, right = CASES[name]
    before, slip, after = parts(text)
    line = (GOOD + "\n" + before).count("\n") + 1
    found = errors(f"{GOOD}\n{before}{slip}{after}")
    assert [(one.code, one.span.file, one.span.line) for one in found] == [(code, "page.te", line)], found
    told = set(words(f"{found[0].help} {found[0].message}"))
    assert new_words(slip, right) - told <= (LEFT_TO_SAY if ".." in found[0].help or code in ("wrong-type", "pronoun") else set()), found[0]
    assert errors(f"{GOOD}\n{before}{right}{after}") == []
