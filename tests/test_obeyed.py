"""Slips of people who come from other tools and rulebooks. Each gets one error, at the line that has it, and whoever does as the help says has a page
without any.

A case is what is added to a sound page, with the slip between `<<` and `>>`; behind it the code, and what stands there once the help has been obeyed
(the help must say so).
"""

from __future__ import annotations

from pathlib import Path

import pytest

from te_forge.check import check
from te_forge.check.fields import ENGINE_FIELDS
from te_forge.diagnostics import Diagnostic
from te_forge.model.pack import PackInfo
from te_forge.source import Source
from te_forge.syntax.hint_fields import TAKES

HERE = Path(__file__).parent
GOOD = (HERE / "slips" / "good.te").read_text(encoding="utf-8")
PRELUDE = (HERE / "prelude.te").read_text(encoding="utf-8")

CHARM = "## kind: charm\n- Is: a trait of a character\n\n| label | holds | default | text |\n|---|---|---|---|\n| Attribute | an attribute | nothing | which |\n| Range | a number | 1 | how far |\n\n"
STONE = (
    "## kind: stone\n- Is: a trait of a character\n\n| label | holds | default | text |\n|---|---|---|---|\n| Attribute | an attribute | nothing | which |\n| Range | a number | 1 | how far |\n"
    "| Rank | one of Low or High | Low | how good |\n| Boost | a change | nothing | what |\n| Harm | dice | 1 d6 | what |\n\n## stone: Opal\n%s\n"
)
WAY = """## procedure: Way
- Roles: a character as the walker
1. Go.
   - Dice: the walker rolls 3 d6 as the pool
   - Count: %s
   - Use: the gm gains Tension equal to the count
"""
HIKE = """## procedure: Hike
- Roles: a character as the walker
%s
   %s
   - More: the walker gains 1 Adventure
2. Rest.
   - Rest: the walker gains 1 Health
"""
WINDS = "## table: Winds\n\n| %s | row | effect |\n%s\n| %s | Fair | - |\n| %s | Foul | %s |\n"
LINE, GAIN = "|---|---|---|", "the gm gains 1 Tension"
EXAMPLE = "## example: Short\n- Ann: a character\n%s\n1. Look.\n   - expect Ann's Health is 3\n"

SLY = "## feature: Sly\n%s\n- Sly: after Test by the owner: the owner gains 1 Adventure\n"
GRIT = "## pool: Grit\n- Of: a character\n%s\n"
MARCH = """## procedure: March
%s
1. Go.
   - Go: if the walker's Health is 1: end with Up
   - No: otherwise: end with Down
"""
WALKER = "- Roles: a character as the walker"
STROLL = """## procedure: Stroll
%s
1. Go.
   - Go: each character gains 1 Health
"""
SAID = "## procedure: Call\n- Roles: a character as the caller\n1. Call.\n   - Call: the caller says %s\n"
DRAW = """## procedure: Lots
- Roles: a character as the one, a character as the other
1. Draw.
   - Lots: repeat until sum of the mine is not (sum of the theirs):
     - Mine: the one rolls 1 d6 as the mine
     - Theirs: the other rolls 1 d6 as the theirs
     - Cheer: the gm gains 1 Tension
"""
GRID = "+-----+------+------------------------+"

CASES = {
    # fields of which there is none
    **{
        f"a cost written {text}": (SLY % f"- <<Cost: {text}>>", "wrong-type", "Cost: nothing")
        for text in ("free", "none", "no cost", "0", "Free", "-", "n/a")
    },
    **{
        f"uses written {text}": (SLY % f"- <<Uses: {text}>>", "wrong-type", "Uses: nothing")
        for text in ("at will", "unlimited", "Unlimited", "always", "any number of times", "∞", "none")
    },
    **{
        f"a bound written {text}": (GRIT % f"- <<At Most: {text}>>", "wrong-type", "At Most: nothing")
        for text in ("none", "no limit", "Unlimited", "∞")
    },
    "no start": (GRIT % "- <<Starts: none>>", "wrong-type", "Starts: nothing"),
    "no refill": (GRIT % "- <<Refills: never>>", "wrong-type", "Refills: nothing"),
    "no roles": (STROLL % "- <<Roles: none>>", "wrong-type", "Roles: nothing"),
    "no cost in a column": ("| feature | Cost | text |\n|---|---|---|\n| Sly | <<free>> | A fox. |\n", "wrong-type", "-"),
    "no cost in a column, as 0": ("| feature | Cost | text |\n|---|---|---|\n| Sly | <<0>> | A fox. |\n", "wrong-type", "-"),
    "no limit in a column": ("| feature | Uses | text |\n|---|---|---|\n| Sly | <<Unlimited>> | A fox. |\n", "wrong-type", "-"),
    # fields that hold something else
    "uses once": (SLY % "- Uses: <<once>>", "wrong-type", "once per Scene"),
    "uses twice": (SLY % "- Uses: <<twice>>", "wrong-type", "2 times per Scene"),
    "a cost in words": (SLY % "- <<Cost: one Adventure>>", "wrong-type", "Cost: 1 Adventure"),
    "a cost in points of something": (SLY % "- Cost: <<1 point of Adventure>>", "wrong-type", "1 Adventure"),
    "a number in words": (GRIT % "- Starts: <<three>>", "number-in-words", "3"),
    "a number in words with a capital": (GRIT % "- Starts: <<Three>>", "number-in-words", "3"),
    "starts at": (GRIT % "- Starts: <<at 3>>", "wrong-type", "3"),
    "a refill at an event": (GRIT % "- Refills: <<after Scene>>", "wrong-type", "each Scene"),
    "an owner without an article": ("## pool: Grit\n- Of: <<character>>\n", "unexpected-word", "a character"),
    "an owner with a capital": ("## pool: Grit\n- Of: <<Character>>\n", "missing-the", "a character"),
    "each owner": ("## pool: Grit\n- Of: <<each character>>\n", "wrong-type", "a character"),
    "a role without an article": (
        MARCH % "- Roles: <<character as the walker>>\n- Outcomes: Up, Down",
        "unexpected-word",
        "a character as the walker",
    ),
    "a role with `the`": (STROLL % "- Roles: <<the character>>", "missing-the", "a character"),
    "roles joined by `and`": (
        STROLL % "- Roles: <<a character as the one and an actor as the other>>",
        "wrong-type",
        "a character as the one, an actor as the other",
    ),
    "roles below": (
        MARCH % "- <<Roles:\n  - a character as the walker>>\n- Outcomes: Up, Down",
        "unfinished-line",
        "Roles: a character as the walker",
    ),
    "outcomes below": (MARCH % f"{WALKER}\n- <<Outcomes:\n  - Up\n  - Down>>", "unfinished-line", "Outcomes: Up, Down"),
    **{
        f"outcomes written {text}": (MARCH % f"{WALKER}\n- <<Outcomes: {text}>>", code, "Outcomes: Up, Down")
        for text, code in (
            ("Up/Down", "wrong-type"),
            ("Up / Down", "wrong-type"),
            ("Up; Down", "wrong-type"),
            ("Up | Down", "wrong-type"),
            ("Up or Down", "not-a-rule-word"),
            ("up, down", "wrong-type"),
            ('"Up", "Down"', "wrong-type"),
            ("Up - Down", "wrong-type"),
        )
    },
    "the procedure around it, written small": (STROLL % "- Part Of: <<scene>>", "wrong-type", "Scene"),
    "the procedure around it, as a kind": (STROLL % "- Part Of: <<a scene>>", "wrong-type", "Scene"),
    "cards as a range of a table": ("## deck: Omens\n- Cards: <<1-13>>\n", "wrong-type", "1 to 13"),
    "what a kind is, without an article": ("## kind: charm\n- Is: <<trait of a character>>\n", "wrong-type", "a trait of a character"),
    # fields that a kind declares
    **{
        f"{label} written {text}": (STONE % f"- {label}: <<{text}>>", "wrong-type", right)
        for label, text, right in (
            ("Rank", "low", "Low"),
            ("Rank", "medium", "Low"),
            ("Attribute", "vigor", "Vigor"),
            ("Range", "far", "3"),
            ("Range", "3 m", "3"),
            ("Harm", "lots", "2 d6"),
            ("Boost", "Vigor 1", "Vigor +1"),
            ("Boost", "Vigor + 1", "Vigor +1"),
            ("Boost", "1 Vigor", "Vigor +1"),
        )
    },
    **{
        f"a cost of one's own written {text}": (
            STONE.replace("| Range | a number | 1 |", "| Cost | a number | 1 |") % f"- Cost: <<{text}>>",
            "wrong-type",
            "3",
        )
        for text in ("free", "no cost", "high")
    },
    "a choice in a column": (STONE.rpartition("##")[0] + "| stone | Rank |\n|---|---|\n| Opal | <<low>> |\n", "wrong-type", "Low"),
    "a choice as a default": (STONE.replace("| Low |", "| <<low>> |") % "- Range: 1", "wrong-type", "Low"),
    # lines of rules
    "an option that is a label only": (
        HIKE % ("1. Go.", "- Way: the walker chooses one:\n     - <<Fast>>\n     - Slow: the walker gains 1 Health"),
        "label-without-colon",
        "Fast: nothing",
    ),
    "the other case as a label": (
        HIKE % ("1. Go.", "- If: if the walker's Health is 1: the gm gains 1 Tension\n   - <<Else: the walker gains 1 Health>>"),
        "not-a-rule-word",
        "Else: otherwise: the walker gains 1 Health",
    ),
    "an outcome alone": (
        MARCH.replace("otherwise: end with Down", "otherwise: <<fallen>>") % f"{WALKER}\n- Outcomes: Up, Fallen",
        "not-a-rule-word",
        "end with Fallen",
    ),
    "an offer for free": (SLY % "- Dry: after Test by the owner: the owner <<may for free>>: the owner gains 1 Health", "not-a-rule-word", "may"),
    "what somebody has in an example": (
        EXAMPLE % "" + "2. Again.\n   - <<expect Ann has 3 Health>>\n",
        "not-a-rule-word",
        "expect Ann's Health is 3",
    ),
    # marks of HTML and Markdown, and signs that word processors make
    **{
        f"a rule with {mark}": (
            SLY % f"- Dry: <<after {mark} by the owner: the owner gains 1 Health>>",
            "strange-sign",
            "after Test by the owner: the owner gains 1 Health",
        )
        for mark in ("<b>Test</b>", "<span class='x'>Test</span>", "Test<br>", "{Test}", "&nbsp;Test")
    },
    "a link in a rule": (SLY % "- Dry: after Test: the gm gains 1 <<[Tension](#tension)>>", "strange-sign", "Tension"),
    "a bold label of HTML": (SLY % "- <<<b>Dry</b>: after Test: the gm gains 1 Tension>>", "strange-sign", "Dry: after Test: the gm gains 1 Tension"),
    "two effects with a break": (
        WINDS % ("d6", LINE, "1-3", "4-6", f"<<{GAIN}<br>each character loses 1 Health>>"),
        "strange-sign",
        f"{GAIN}; each character loses 1 Health",
    ),
    "a bold name of HTML": ("## procedure: <<<b>Nap</b>>>\n\n1. Sleep.\n   - Rest: each character gains 1 Adventure\n", "odd-name", "Nap"),
    **{f"words written {text}": (SAID % f"<<{text}>>", "curly-quote", '"go on"') for text in ("“go on”", "‘go on’", "'go on'", "«go on»", '“go on"')},
    "a plural in single quotes": ("## feature: Mossy\n- Plural: <<‘Mossies’>>\n", "curly-quote", '"Mossies"'),
    # lines that lost their dash
    "an option": (
        HIKE % ("1. Go.", "- Way: the walker chooses one:\n     <<Fast: the gm gains 1 Tension>>\n     - Slow: the walker gains 1 Health"),
        "missing-dash",
        "- Fast: the gm gains 1 Tension",
    ),
    "a line that stands too far out": (
        HIKE % ("1. Go.", "- Fast: the gm gains 1 Tension\n<<Slow: the walker gains 1 Health>>"),
        "missing-dash",
        "   - Slow: the walker gains 1 Health",
    ),
    "roles without a dash": (MARCH % f"<<{WALKER[2:]}>>\n- Outcomes: Up, Down", "missing-dash", WALKER),
    "a cost that is none, without a dash": (SLY % "<<Cost: free>>", "missing-dash", ""),
    "somebody in an example": (
        "## example: Short\n<<Ann: a character>>\n1. Look.\n   - expect Ann's Health is 3\n",
        "missing-dash",
        "- Ann: a character",
    ),
    "what an example expects": (
        "## example: Short\n- Ann: a character\n1. Look.\n   <<expect Ann's Health is 3>>\n",
        "missing-dash",
        "- expect Ann's Health is 3",
    ),
    "the step of a hack": ("## hack: Dry\n### changes procedure: Climb\n<<Slip:>>\n  - Cost: the gm gains 3 Tension\n", "missing-dash", "- Slip:"),
    # headings for steps, and tables that are drawn otherwise
    **{
        f"a step written {text}": (
            STROLL.replace("1. Go.\n   - Go", f"<<{text}\n- Go") % "" + ">>",
            "heading-without-kind",
            "1. Go.\n   - Go: each character gains 1 Health\n",
        )
        for text in ("### 1. Go", "### Step 1: Go", "### step: Go", "### Go", "### Step 1. Go.")
    },
    "a grid": (
        WINDS.replace("\n| ", f"\n{GRID}\n| ").replace(f"{GRID}\n| %s | Fair", "| %s | Fair").replace("\n\n+", "\n\n<<+")
        % ("d6", GRID, "1-3", "4-6", GAIN)
        + f"{GRID}\n>>",
        "table-without-line",
        "| d6 | row | effect |\n|---|---|---|\n| 1-3 | Fair | - |\n| 4-6 | Foul | the gm gains 1 Tension |\n",
    ),
    # fields and what else is one of a few words
    "a declared field": (CHARM + "## charm: Ring\n<<- Atribute: Vigor>>\n", "unknown-field", "- Attribute: Vigor"),
    "a declared field in a column": (CHARM + "<<| charm | Atribute |>>\n|---|---|\n| Ring | Vigor |\n", "unknown-column", "| charm | Attribute |"),
    "a field without its dash, misspelt": (CHARM + "## charm: Ring\n<<Atribute: Vigor>>\n", "missing-dash", "- Attribute: Vigor"),
    "a field in bold": (CHARM + "## charm: Ring\n<<**Range:** 3>>\n", "missing-dash", "- Range: 3"),
    "a bold label with the colon behind": (CHARM + "## charm: Ring\n<<__Range__: 3.>>\n", "missing-dash", "- Range: 3"),
    "a field without a space": (CHARM + "## charm: Ring\n<<Range:3>>\n", "missing-dash", "- Range: 3"),
    "a field of a deck": ("## deck: Omens\n- Cards: 1 to 13\n<<- Copeis: 2>>\n", "unknown-field", "- Copies: 2"),
    "another field of a deck": ("## deck: Omens\n- Cards: 1 to 13\n<<- Refill: each Scene>>\n", "unknown-field", "- Refills: each Scene"),
    "the hacks of an example": (EXAMPLE % "<<- Whith: Wet Rock>>", "unknown-field", "- With: Wet Rock"),
    "a number of an example": (EXAMPLE % "<<- Tenson: 5>>", "unknown-field", "- Tension: 5"),
    "somebody without an article": (EXAMPLE % "<<- Bo: Moss Sister>>", "unknown-field", "- Bo: a Moss Sister"),
    "somebody with numbers, without an article": (
        EXAMPLE % "<<- Bo: Moss Sister with Power 2>>",
        "not-a-rule-word",
        "- Bo: a Moss Sister with Power 2",
    ),
    "the field of a rename": ('## hack: Dry Rock\n### renames feature: Thorny\n<<- Too: "Spiky">>\n', "unknown-field", '- To: "Spiky"'),
    # sums inside of something else
    "a sum in the greater of": (WAY % "<<the count is greater of 1 - 2 and 3>>", "unexpected-word", "the count is greater of (1 - 2) and 3"),
    "a sum in the faces": (
        WAY % "<<the count is number of dice showing above the walker's Vigor - 1 in the pool>>",
        "unexpected-word",
        "the count is number of dice showing above (the walker's Vigor - 1) in the pool",
    ),
    # headings
    "a heading with four marks": (
        "<<#### procedure: Nap>>\n\n1. Sleep.\n   - Rest: each character gains 1 Adventure\n",
        "hidden-heading",
        "## procedure: Nap",
    ),
    "a heading in bold": (
        "<<**procedure: Nap**>>\n\n1. Sleep.\n   - Rest: each character gains 1 Adventure\n",
        "hidden-heading",
        "## procedure: Nap",
    ),
    "a heading in a quotation": (
        "<<> ## procedure: Nap>>\n\n1. Sleep.\n   - Rest: each character gains 1 Adventure\n",
        "hidden-heading",
        "## procedure: Nap",
    ),
    "a heading of HTML": (
        "<<<h2>procedure: Nap</h2>>>\n\n1. Sleep.\n   - Rest: each character gains 1 Adventure\n",
        "hidden-heading",
        "## procedure: Nap",
    ),
    "an underlined heading": (
        "<<procedure: Nap\n------>>\n\n1. Sleep.\n   - Rest: each character gains 1 Adventure\n",
        "hidden-heading",
        "## procedure: Nap",
    ),
    "a change with four marks": ("## hack: Dry\n<<#### changes pool: Health>>\n- Starts: 5\n", "hidden-heading", "### changes pool: Health"),
    "a dash for the colon": (
        "<<## procedure – Nap>>\n\n1. Sleep.\n   - Rest: each character gains 1 Adventure\n",
        "heading-without-kind",
        "## procedure: Nap",
    ),
    "a kind with a capital and no colon": (
        "<<## Procedure Nap>>\n\n1. Sleep.\n   - Rest: each character gains 1 Adventure\n",
        "heading-without-kind",
        "## procedure: Nap",
    ),
    "a name in bold": ("<<## procedure: **Nap**>>\n\n1. Sleep.\n   - Rest: each character gains 1 Adventure\n", "odd-name", "## procedure: Nap"),
    "a name in quotes": ('<<## procedure: "Nap">>\n\n1. Sleep.\n   - Rest: each character gains 1 Adventure\n', "odd-name", "## procedure: Nap"),
    "a name with a colon": ("<<## procedure: Nap:>>\n\n1. Sleep.\n   - Rest: each character gains 1 Adventure\n", "odd-name", "## procedure: Nap"),
    "a closed heading": ("<<## procedure: Nap ##>>\n\n1. Sleep.\n   - Rest: each character gains 1 Adventure\n", "odd-name", "## procedure: Nap"),
    "a colon behind the verb": ("## hack: Dry\n<<### changes: pool Health>>\n- Starts: 5\n", "heading-without-colon", "### changes pool: Health"),
    "no colon in a change": ("## hack: Dry\n<<### changes pool Health>>\n- Starts: 5\n", "heading-without-colon", "### changes pool: Health"),
    "a verb of its own": ("## hack: Dry\n<<### adds pool: Thirst>>\n- Of: the gm\n", "unknown-patch-verb", "### pool: Thirst"),
    # steps and their lines
    **{
        f"a step that begins with {mark}": (HIKE % (f"<<{mark}>>", "- Sum: the gm gains 1 Tension"), "step-without-stop", "1. Go.")
        for mark in ("1) Go.", "1: Go.", "1 Go.", "(1) Go.", "**1. Go.**", "a. Go.", "i. Go.", "Step 1. Go.", "Step 1: Go.", "1.1. Go.")
    },
    "a step with a bold name": (HIKE % ("<<1. **Go.** Far.>>", "- Sum: the gm gains 1 Tension"), "step-without-name", "1. Go. Far."),
    "a step with a dash": (HIKE % ("<<1. Go — far.>>", "- Sum: the gm gains 1 Tension"), "step-without-name", "1. Go. far."),
    "a step from 0": (HIKE % ("<<0. Go.>>", "- Sum: the gm gains 1 Tension"), "step-number", "1. Go."),
    **{
        f"a line that begins with {mark}": (
            HIKE % ("1. Go.", f"<<{mark} Sum: the gm gains 1 Tension>>"),
            "missing-dash",
            "- Sum: the gm gains 1 Tension",
        )
        for mark in ("*", "+", "•", "–", "—", "--", "1.", "a)")
    },
    **{
        f"a label written {mark}": (HIKE % ("1. Go.", f"- <<{mark} the gm gains 1 Tension>>"), code, f"{right} the gm gains 1 Tension")
        for mark, code, right in (
            ("[ ] Sum:", "unexpected-word", "Sum:"),
            ("`Sum`:", "unexpected-word", "Sum:"),
            ('"Sum":', "unexpected-word", "Sum:"),
            ("Sum (total):", "unexpected-word", "Sum:"),
            ("Sum/Total:", "unexpected-word", "Sum Total:"),
            ("Sum 2:", "unexpected-word", "Sum:"),
            ("2nd Sum:", "unexpected-word", "Sum:"),
            ("Walker's Sum:", "unexpected-word", "Walker Sum:"),
            ("Sum —", "label-without-colon", "Sum:"),
            ("Sum -", "label-without-colon", "Sum:"),
            ("**Sum:**", "not-a-rule-word", "Sum:"),
            ("*Sum*:", "unexpected-word", "Sum:"),
        )
    },
    # tables
    **{
        f"a die called {head}": (WINDS % (f"<<{head}>>", LINE, "1-3", "4-6", GAIN), "table-without-rows", "d6")
        for head in ("Roll", "roll", "Result", "**d6**", "Roll (d6)", "#")
    },
    "percent dice": (WINDS % ("<<d%>>", LINE, "1-50", "51-100", GAIN), "table-without-rows", "d100"),
    "digits of two dice": (WINDS % ("<<Roll>>", LINE, "11-36", "41-66", GAIN), "table-without-rows", "d66"),
    **{
        f"a range written {text}": (WINDS % ("d6", LINE, f"<<{text}>>", "4-6", GAIN), "not-a-range", right)
        for text, right in (
            ("1—3", "1-3"),
            ("1 to 3", "1-3"),
            ("1..3", "1-3"),
            ("1−3", "1-3"),
            ("1.-3.", "1-3"),
            ("1-2-3", "1-3"),
            ("1/2/3", "1, 2, 3"),
            ("1, 2 and 3", "1, 2, 3"),
            ("≤3", "1-3"),
            ("3-", "1-3"),
            ("3 or less", "1-3"),
            ("one to three", "1-3"),
        )
    },
    **{
        f"an upper range written {text}": (WINDS % ("d6", LINE, "1-3", f"<<{text}>>", GAIN), "not-a-range", "4-6")
        for text in ("4+", "4 or more", "≥ 4", "from 4", "four or higher")
    },
    "a hundred as 00": (WINDS % ("d100", LINE, "1-50", "<<51-00>>", GAIN), "range-outside-die", "51-100"),
    "a ten as 0": (WINDS % ("d10", LINE, "1-9", "<<0>>", GAIN), "range-outside-die", "10"),
    **{
        f"a line drawn {line}": (WINDS % ("d6", f"<<{line}>>", "1-3", "4-6", GAIN), "table-without-line", LINE)
        for line in ("|===|===|===|", "|---+---+---|", "|___|___|___|")
    },
    **{
        f"an empty cell written {text}": (WINDS % ("d6", LINE, "1-3", "4-6", f"<<{text}>>"), "strange-sign", "-")
        for text in ("—", "–", "n/a", "none", "…")
    },
    # changes
    "a line of a line, below its step": (
        "## hack: Dry\n### changes procedure: Climb\n- Reach:\n  <<- Gain: the climber gains 2 Adventure>>\n",
        "unknown-target",
        "- High:\n    - Gain: the climber gains 2 Adventure",
    ),
    "a line of a line, by itself": (
        "## hack: Dry\n### changes procedure: Climb\n<<- Gain: the climber gains 2 Adventure>>\n",
        "unknown-target",
        "- Reach:\n  - High:\n    - Gain: the climber gains 2 Adventure",
    ),
    "a line beside a line of a line": (
        "## hack: Dry\n### changes procedure: Climb\n- Reach:\n  <<- More before Gain: the gm gains 1 Tension>>\n",
        "unknown-target",
        "- High:\n    - More before Gain: the gm gains 1 Tension",
    ),
    "a line of a loop": (
        DRAW + "## hack: Dry\n### changes procedure: Lots\n- Draw:\n  <<- Mine: the one rolls 2 d6 as the mine>>\n",
        "unknown-target",
        "- Lots:\n    - Mine: the one rolls 2 d6 as the mine",
    ),
    "a line of a loop, taken away by itself": (
        DRAW + "## hack: Dry\n### changes procedure: Lots\n<<- Cheer: nothing>>\n",
        "unknown-target",
        "- Draw:\n  - Lots:\n    - Cheer: nothing",
    ),
    "a change without a dash": ("## hack: Dry\n### changes pool: Health\n<<Starts: 4>>\n", "missing-dash", "- Starts: 4"),
    "a change with a star": ("## hack: Dry\n### changes pool: Health\n<<* Starts: 4>>\n", "missing-dash", "- Starts: 4"),
    "a number of an adversary without a dash": ("## adversary: Imp\n- Dread: 1\n<<Power: 3>>\n", "missing-dash", "- Power: 3"),
    "the text of a new step": (
        "## hack: Dry\n### changes procedure: Climb\n- Rest after Slip:<< All lean back.>>\n  - Rest: the climber gains 1 Health\n",
        "unexpected-word",
        "\n  All lean back.",
    ),
    **{
        f"a change written {text}": (f"## hack: Dry\n### changes pool: Health\n- Starts: <<{text}>>\n", "not-a-rule-word", right)
        for text, right in (
            ("3 -> 4", "4"),
            ("from 3 to 4", "4"),
            ("4 instead of 3", "4"),
            ("4 (3)", "4"),
            ("double", "2 times as much"),
            ("x2", "2 times as much"),
            ("half", "50 percent rounded down"),
            ("2 higher", "2 more"),
        )
    },
    "somebody is a trait": ("## feature: Sly\n- Sly: after Test: <<the owner is Thorny>>\n", "wrong-type", "the owner takes Thorny"),
    "somebody becomes a trait": ("## feature: Sly\n- Sly: after Test: <<the owner becomes Thorny>>\n", "wrong-type", "the owner takes Thorny"),
    # words of one's own
    "an alias": ("## feature: Mossy\n<<- Also Called: Green, Soft>>\n", "wrong-type", '- Also Called: "Green", "Soft"'),
    "a plural": ("## feature: Mossy\n<<- Plural: Mossies>>\n", "wrong-type", '- Plural: "Mossies"'),
    "a question": ("## feature: Mossy\n<<- Asks: which stone>>\n", "wrong-type", '- Asks: "which stone"'),
    "a reason": ('## ruling: Ties\n- Reads: "the gm wins"\n<<- Why: The book says nothing>>\n', "wrong-type", '- Why: "The book says nothing"'),
    "another reading": ('## ruling: Ties\n- Reads: "the gm wins"\n<<- Other: both fall>>\n', "wrong-type", '- Other: "both fall"'),
    "a new name": ("## hack: Dry Rock\n### renames feature: Thorny\n<<- To: Spiky>>\n", "wrong-type", '- To: "Spiky"'),
    "the name of something else": ("## hack: Dry Rock\n### renames feature: Thorny\n<<- To: Vigor>>\n", "wrong-type", '- To: "Vigor"'),
}


def errors(page: str) -> list[Diagnostic]:
    _, found = check([Source("prelude.te", PRELUDE), Source("page.te", page)], PackInfo(id="small", title="A Small Game", version="1.0.0"))
    return [one for one in found if one.severity == "error"]


def parts(case: str) -> tuple[str, str, str]:
    before, _, rest = case.partition("<<")
    slip, _, after = rest.rpartition(">>")
    return before, slip, after


@pytest.mark.parametrize("name", CASES)
def test_whoever_obeys_is_done(name: str) -> None:
    text, code, right = CASES[name]
    before, slip, after = parts(text)
    line = (GOOD + "\n" + before).count("\n") + 1
    found = errors(f"{GOOD}\n{before}{slip}{after}")
    assert [(one.code, one.span.file) for one in found] == [(code, "page.te")], found
    assert line <= found[0].span.line <= line + slip.count("\n")
    assert new_words(slip, right) <= set(words(f"{found[0].help} {found[0].message}"))
    assert errors(f"{GOOD}\n{before}{right}{after}") == []


def new_words(slip: str, right: str) -> set[str]:
    """What is right in the place of what was wrong; the message must say so."""
    return set(words(right)) - set(words(slip))


def words(text: str) -> list[str]:
    return text.replace("`", " ").replace(",", " ").replace("?", " ").replace("|", " ").replace(":", " ").split()


LOOSE = (
    ("greater of 1 and the walker's Vigor - 2", "(greater of 1 and the walker's Vigor) - 2", "greater of 1 and (the walker's Vigor - 2)"),
    (
        "10 - lesser of 1 and the walker's Vigor / 2 rounded up",
        "10 - (lesser of 1 and the walker's Vigor) / 2 rounded up",
        "10 - lesser of 1 and (the walker's Vigor / 2 rounded up)",
    ),
    (
        "number of characters whose Vigor is above the walker's Vigor - 1",
        "(number of characters whose Vigor is above the walker's Vigor) - 1",
        "number of characters whose Vigor is above (the walker's Vigor - 1)",
    ),
    (
        "sum Vigor of characters whose Aim is the walker's Aim + 1",
        "(sum Vigor of characters whose Aim is the walker's Aim) + 1",
        "sum Vigor of characters whose Aim is (the walker's Aim + 1)",
    ),
)
CLEAR = (
    "sum of the pool + the walker's Vigor", "highest Vigor of characters - 1", "number of dice showing above 4 in the pool - 1", "number of characters without Thorny + 1",
    "number of characters whose Vigor is above 0 + the walker's Vigor", "number of characters whose Vigor is the highest + 1", "2 x greater of 1 and the walker's Vigor",
)  # fmt: skip


def loose(sum_: str) -> list[Diagnostic]:
    _, found = check(
        [Source("prelude.te", PRELUDE), Source("page.te", f"{GOOD}\n{WAY % f'the count is {sum_}'}")],
        PackInfo(id="small", title="A Small Game", version="1.0.0"),
    )
    assert [one for one in found if one.severity == "error"] == []
    return [one for one in found if one.code == "loose-brackets"]


@pytest.mark.parametrize(("sum_", "one", "other"), LOOSE)
def test_a_sum_that_can_be_read_in_two_ways_is_told_with_both(sum_: str, one: str, other: str) -> None:
    (found,) = loose(sum_)
    assert f"`{one.removeprefix('10 - ')}`" in found.help
    assert f"`{other.removeprefix('10 - ')}`" in found.help
    assert loose(one) == loose(other) == []


@pytest.mark.parametrize("sum_", CLEAR)
def test_a_sum_that_can_be_read_in_one_way_is_left_alone(sum_: str) -> None:
    assert loose(sum_) == []


BIG = "10000000000"


@pytest.mark.parametrize(
    "text",
    [
        "## pool: Stars\n- Of: the gm\n- Starts: {}\n", "## pool: Stars\n- Of: the gm\n- At Least: -{}\n", "## adversary: Imp\n- Power: {}\n- Dread: 1\n", "## feature: Sly\n- Uses: {} times per Scene\n",
        CHARM.replace("| 1 |", "| {} |"), "## hack: Dry\n### changes pool: Health\n- Starts: {} more\n", "## hack: Dry\n### changes pool: Health\n- Starts: {} percent rounded up\n",
        "## procedure: Wait\n1. Sit.\n   - Sit: repeat up to {} times: the gm gains 1 Tension\n", "## procedure: Wait\n1. Sit.\n   - Sit: the gm gains {} Tension\n",
        EXAMPLE % "- Bo: a character with Vigor {}", EXAMPLE % "- Tension: {}", "There are {{Health's start + {}}} of them.\n",
    ],
)  # fmt: skip
def test_a_number_has_nine_digits_wherever_it_stands(text: str) -> None:
    found = errors(f"{GOOD}\n{text.format(BIG)}")
    assert [one.code for one in found] == ["too-many-digits"]
    assert "too-many-digits" not in [one.code for one in errors(f"{GOOD}\n{text.format(999_999_999)}")]
    assert [one.code for one in errors(f'{GOOD}\n## rule: Tale\nOf {BIG} stars.\n- Tale: after Scene: the gm says "{BIG}"\n')] == []


def test_a_time_that_nothing_is_called_after_is_told_how_it_is_made() -> None:
    (found,) = errors(f"{GOOD}\n{SLY % '- Uses: once per Day'}")
    assert found.code == "unknown-name" and "`## procedure: Day`" in found.help
    assert errors(f"{GOOD}\n{SLY % '- Uses: once per Day'}\n## procedure: Day\n") == []


def test_a_role_without_its_kind_is_told_where_the_kind_goes() -> None:
    page = MARCH % "- Roles: walker\n- Outcomes: Up, Down"
    (found,) = errors(f"{GOOD}\n{page}")
    assert found.code == "unexpected-word" and "`a .. as the walker`" in found.help


@pytest.mark.parametrize("text", ["- Cost: 0", "- Cost: Free"])
def test_a_field_of_ones_own_is_no_field_of_the_language(text: str) -> None:
    """`0` is a fine number; what nothing is called is told as such."""
    stone = STONE.replace("| Range | a number | 1 |", "| Cost | a number | 1 |")
    assert [one.code for one in errors(f"{GOOD}\n{stone % text}")] == ([] if text.endswith("0") else ["unknown-name"])
    row = stone.rpartition("##")[0] + f"| stone | Cost |\n|---|---|\n| Opal | {text.partition(': ')[2]} |\n"
    assert [one.code for one in errors(f"{GOOD}\n{row}")] == ([] if text.endswith("0") else ["unknown-name"])


def test_every_field_of_the_language_says_what_it_takes() -> None:
    assert list(TAKES) == list(ENGINE_FIELDS)
