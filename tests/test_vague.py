"""Where no slip is known by name: what is needed in the place where a line stops to read, in plain words."""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest
from test_obeyed import GOOD, errors
from test_obeyed_sentences import END, WAY

from te_forge.diagnostics import Findings
from te_forge.source import Span
from te_forge.syntax.text import read_text

SYSTEMS = Path(__file__).parent.parent / "systems"
PLACES = {
    "a sentence": (WAY, "maybe the walker", "say who does what: `the walker gains 1 Health`"),
    "a deed": (WAY, "the walker wonders", "say it with a word of the rules"),
    "a question": (WAY, "if the walker wonders: the walker gains 1 Health", "say what is asked: `is at least 3`"),
    "a number": (WAY, "the count is how big it is", "here a number is needed: `3`, `the walker's Health`, `sum of the pool`"),
    "what somebody is": (WAY, "the walker is out of it", "what somebody is, is a trait: `takes Thorny`"),
    "how much": (WAY, "the walker gains advantage", "say how much of what: `1 Health`"),
    "a thing": (WAY, "the walker takes 3", "here a name of the game is needed, such as `Thorny`"),
    "a procedure": (WAY, "until cured", "here a name of the game is needed, with capitals: of a procedure"),
    "a word": (WAY, "do Test with the walker as the 3", "here a word is needed for who or what is meant"),
    "as whom": (WAY, "do Test with the walker quickly", "say as whom or what it takes part"),
    "the end": (WAY, "the walker gains 1 Health for free", "leave out what comes behind `the walker gains 1 Health`"),
    "a colon": (END, "otherwise end with Nothing", "write `Empty: otherwise: end with Nothing`"),
    "one word": (WAY, "end of it", "here belongs `with`"),
    "too short": (WAY, "the walker gains", "say how much of what: `1 Health`"),
}


@pytest.mark.parametrize("name", PLACES)
def test_a_place_says_what_is_needed(name: str) -> None:
    page, line, told = PLACES[name]
    found = errors(f"{GOOD}\n{page.replace('otherwise: %s', '%s') % line}")
    assert told in found[0].help, found[0]


def wrong_lines() -> list[str]:
    """Lines of the shipped packs with a word lost, added or changed, or cut off."""
    chance = random.Random(7)
    lines = [
        found[1] for path in sorted(SYSTEMS.glob("*/rules/*.te")) for found in re.finditer(r"^\s*- (.+)$", path.read_text("utf-8"), re.MULTILINE)
    ]
    made = []
    for line in chance.sample(lines, 1_000):
        words = line.split()
        at = chance.randrange(len(words))
        made.append(
            " ".join(
                chance.choice(
                    [words[:at], [*words[:at], "quickly", *words[at:]], [*words[:at], "wants", *words[at + 1 :]], [*words[:at], *words[at + 1 :]]]
                )
            )
        )
    return made


def test_a_list_of_words_is_the_last_resort() -> None:
    findings = Findings()
    for line in wrong_lines():
        read_text(line, "line", Span("page.te", 1, 1, len(line) + 1), findings)
    listed = [one.help for one in findings if "here could come" in one.help or "here belongs" in one.help]
    assert len(findings) > 500
    assert len(listed) < len(findings) / 50, listed
