"""Pages to format and to break: every page of the repository, generated ones, and mutations of both."""

from __future__ import annotations

import random
import re
from pathlib import Path

from hypothesis import strategies as st

ROOT = Path(__file__).parents[1]
FILES = sorted([*(ROOT / "systems").rglob("*.te"), *(ROOT / "tests").rglob("*.te")])
TEXTS = [path.read_text(encoding="utf-8") for path in FILES]

SLIPS = """# A Page with Everything

A paragraph with {Vigor's start} and [[Vigor|a link]].\x20\x20
 An indented line, and a list:
* one
* two

```
- not a rule:   at all

  | nor a table |
```
<!-- a comment -->
##  kind :  character   [SRD-01] {#character}
-   Is:  an   actor
-\tStarts: 2


### ability:  Ace   Up  [SRD-12]
- Words: "two  spaces,   kept"
- Ace:   instead of Throwing with the owner as the roller:   the owner may:
     - Deep: if the roller is the owner:
          - Deeper:  the owner gains 1 Health
          <!-- between -->
     - Shallow: the owner gains 1 [[Point  of  Honour]]

## procedure: Test
- Roles: a character as the roller
1.   Look. You look   around.
   It is dark.
      - First:  the roller gains 1 Health
      - Second: if the roller is the owner:
               - Third: end with Success
2. Leap.

- - not a rule
##\u00a0table:  Weather
| d6 | text |
|:--|---|
| 1-3 | rain \\| snow |
|4-6|日本の雨|
"""

BROKEN = [
    "", "\n", "\n\n\n", "-", "- ", "#", "##", "### ", "|", "||", "| |", "1.", "1. ", "1. .", "-- x", "<!--", "```", "{", "[[", "\\", "## :", "## a:", "- :",
    "- A:", "- A: :", '- "', "- [[", "- '", "- 's", "- d6", "- 0d0", "- +", "| d6 |\n|---|\n|", "\u00a0- A: 1", "\t- A: 1", "## kind: \u202e", "\ufeff# x", "\x00", "\x1b[2J",
]  # fmt: skip
STRANGE = ["{{", "}}", "<script>alert(1)</script>", "|", "\\|", "[[", "]]", "{", "}", '"', "’s", "'s", "🎲", "日本", "é", "e\u0301", "\u202e", "\x00", "\x0b", "\u2028", "\r", "\t", "\u00a0",
           "d999999999", "10" + "0" * 30, "-1", "−3", "the", "a", "is", "of", "Name", ":", ";", ",", ".", "(", ")", "- ", "  ", "# ", "## ", "1. ", "<!--", "-->", "```", "%", "&amp;", "[x](y)", "\n", "\n\n", "\r\n"]  # fmt: skip


def name(n: int) -> str:
    """A name of the game that no other number has."""
    return f"P{chr(97 + n % 26)}{chr(97 + n // 26 % 26)}{chr(97 + n // 676 % 26)}{chr(97 + n // 17_576)}"


@st.composite
def pages(draw: st.DrawFn) -> str:
    """A page of the repository, cut down and damaged in up to six places."""
    lines = draw(st.sampled_from([*TEXTS, SLIPS, *BROKEN])).split("\n")
    start = draw(st.integers(0, max(0, len(lines) - 1)))
    lines = lines[start : start + draw(st.integers(1, 40))]
    for _ in range(draw(st.integers(0, 6))):
        at = draw(st.integers(0, len(lines) - 1))
        words = re.split(r"(\s+)", lines[at])
        word = draw(st.integers(0, len(words) - 1))
        match draw(st.sampled_from(["drop", "double", "swap", "cut", "strange", "letters", "line", "indent", "spaces"])):
            case "drop":
                words[word] = ""
            case "double":
                words[word] *= 2
            case "swap":
                other = draw(st.integers(0, len(words) - 1))
                words[word], words[other] = words[other], words[word]
            case "cut":
                words = words[:word] or [""]
            case "strange":
                words.insert(word, draw(st.sampled_from(STRANGE)))
            case "letters":
                words[word] = draw(st.text(max_size=8))
            case "line":
                words = re.split(r"(\s+)", draw(st.sampled_from(lines)))
            case "indent":
                words.insert(0, draw(st.sampled_from([" ", "  ", "   ", "\t", "\u00a0", "     "])))
            case "spaces":
                words[word] += draw(st.sampled_from([" ", "  ", "\t", "\u00a0", " \u00a0 "]))
        lines[at] = "".join(words)
    return "\n".join(lines)


def respaced(text: str, seed: int) -> str:
    """The same page with other spaces: rule lines set in otherwise, runs of spaces, blank lines and trailing spaces. It means the same."""
    chance = random.Random(seed)
    step, inner = chance.choice([2, 3, 4, 7]), chance.choice([1, 2, 3, 4])
    out: list[str] = []
    levels, commented, fenced, in_step, tells = [0], False, False, False, False
    for line in text.split("\n"):
        body = line.strip()
        fenced ^= body.startswith("```")
        commented = "-->" not in body if commented or body.startswith("<!--") else False
        if fenced or commented or body.startswith(("<!--", "```")):
            out.append(line)
            continue
        if body.startswith("#"):
            out += [""] * chance.randrange(3)
        in_step = bool(re.match(r"\d+\. ", body)) or (in_step and not body.startswith("#"))
        if body.startswith("- "):
            indent = len(line) - len(line.lstrip())
            while levels[-1] > indent:
                levels.pop()
            if indent > levels[-1]:
                levels.append(indent)
            depth = len(levels) - 1
            spaces = step + inner * (depth - 1) if depth else 0
            quoted = re.split(r'("[^"]*"|\[\[[^\]]*\]\])', body[2:])
            quoted[::2] = [re.sub(" (?![A-Z])", lambda _: chance.choice([" ", " ", "   ", "\u00a0 "]), part) for part in quoted[::2]]
            tells = depth == 0 and not in_step and body.endswith(":")  # text set in below it is set in as far as rules are
            line = " " * spaces + "-" + " " * chance.choice([1, 1, 2, 4]) + "".join(quoted)
        elif tells and body and line.startswith(" "):
            line = " " * step + body
        elif not line.startswith((" ", "\t")):
            levels, tells = [0], tells and not body
        out.append(line + " " * chance.choice([0, 0, 1, 3]))
        if not body:
            out += [""] * chance.randrange(3)
    return "\n".join(out) + "\n" * chance.randrange(4)
