"""Every rule of the Tension Engine SRD is carried by a heading, row or step of `systems/srd-core`, and every open question by a ruling.

The list is the project's ledger of the source (its ids and kinds: M mechanical, T text, E example), copied here so that the test stands alone. SRD-55
is Party First, a game that is built on the SRD and not part of it. The `.te` files are read as text on purpose: the test must not trust the parser
with the question of whether a rule is there.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

RULES = Path(__file__).parent.parent / "systems" / "srd-core" / "rules"

# fmt: off
LEDGER = {
    "SRD-01": "M", "SRD-02": "M", "SRD-03": "M", "SRD-04": "M", "SRD-05": "M", "SRD-06": "M", "SRD-07": "M", "SRD-08": "M",
    "SRD-09": "M", "SRD-10": "M", "SRD-11": "M", "SRD-12": "M", "SRD-13": "M", "SRD-14": "M", "SRD-15": "M", "SRD-16": "M",
    "SRD-17": "M", "SRD-18": "M", "SRD-19": "M", "SRD-20": "M", "SRD-21": "M", "SRD-22": "M", "SRD-23": "M", "SRD-24": "M",
    "SRD-25": "M", "SRD-26": "M", "SRD-27": "M", "SRD-28": "M", "SRD-29": "M", "SRD-30": "M", "SRD-31": "M", "SRD-32": "M",
    "SRD-33": "M", "SRD-34": "M", "SRD-35": "M", "SRD-36": "M", "SRD-37": "M", "SRD-38": "M", "SRD-39": "M", "SRD-40": "M",
    "SRD-41": "M", "SRD-42": "M", "SRD-43": "M", "SRD-44": "M", "SRD-45": "M", "SRD-46": "M", "SRD-47": "M", "SRD-48": "M",
    "SRD-49": "M", "SRD-50": "E", "SRD-51": "M", "SRD-52": "M", "SRD-53": "T", "SRD-54": "T", "SRD-56": "M", "SRD-57": "T",
    "SRD-58": "T", "SRD-59": "M", "SRD-60": "M", "SRD-61": "M", "SRD-62": "E", "SRD-63": "E", "SRD-64": "T", "SRD-65": "T",
    "SRD-66": "T",
}

RULINGS = (
    "attribute-points", "skill-points", "game-span", "advantage-twice", "pool-points", "ace-rolls", "ace-both", "ace-defends",
    "ace-several", "ritual-defeat", "ritual-values", "careful-when", "careful-explosion", "party-point", "healer-paid", "healer-from",
    "ally-self", "reroll-count", "sorcery-damage", "elimination-moment", "ap-maximum", "reroll-face", "environment-tie", "retry-price",
    "small-pool", "points-land", "tension-floor", "players-counted", "tension-start", "explosion-crossing", "dream-who", "dream-when",
    "lowest-tie", "lowest-value", "power-or-dread", "whole-tension", "defender-spending", "adversary-tie", "adversary-loss",
    "pc-against-pc", "pc-damage", "turn-order", "armored-one", "ghostly-floor", "ghostly-stamina", "quick-actions", "regenerating-scope",
    "regenerating-failure", "regenerating-cap", "xp-when", "advancement-trait", "advancement-steps", "advancement-current",
    "morale-spent-out", "party-value-who", "party-ap-when", "party-gm-pays", "party-no-ap", "status-number", "flammable-ends",
    "time-advance",
)
# fmt: on

CITE = re.compile(r"\[(SRD-\d+)\]")
HEADING = re.compile(r"#{1,3} ")
STEP = re.compile(r"\d+\. ")
RULING = re.compile(r"## ruling: .*\{#([a-z0-9-]+)\}")


def pages() -> dict[str, str]:
    return {path.name: path.read_text(encoding="utf-8") for path in sorted(RULES.glob("*.te"))}


def cited() -> dict[str, list[str]]:
    """Each id with the headings and steps that cite it."""
    found: dict[str, list[str]] = {}
    for name, text in pages().items():
        for line in text.splitlines():
            if HEADING.match(line) or STEP.match(line):
                for id in CITE.findall(line):
                    found.setdefault(id, []).append(f"{name}: {line}")
    return found


def rulings() -> dict[str, str]:
    """Each ruling's slug with what stands below its heading."""
    found: dict[str, str] = {}
    for text in pages().values():
        for part in re.split(r"(?m)^(?=#{1,3} )", text):
            if heading := RULING.match(part):
                found[heading[1]] = part
    return found


@pytest.mark.parametrize("id", LEDGER)
def test_every_row_of_the_ledger_is_carried(id: str) -> None:
    assert cited().get(id), f"{id} is cited by no heading and no step"


def test_every_mechanical_row_is_carried_by_more_than_rulings_and_examples() -> None:
    """A ruling or an example speaks about a rule; somewhere else the rule itself must stand."""
    about = ("## ruling:", "## reading:", "## example:")
    carried = cited()
    bare = [id for id, kind in LEDGER.items() if kind == "M" and all(any(mark in line for mark in about) for line in carried.get(id, []))]
    assert bare == []


def test_every_example_row_is_played() -> None:
    carried = cited()
    assert [id for id, kind in LEDGER.items() if kind == "E" and not any("## example:" in line for line in carried[id])] == []


def test_nothing_is_cited_that_the_ledger_does_not_have() -> None:
    assert set(cited()) - set(LEDGER) == set()


@pytest.mark.parametrize("slug", RULINGS)
def test_every_open_question_has_a_ruling(slug: str) -> None:
    text = rulings().get(slug)
    assert text, f"no ruling has the id {slug}"
    assert '\n- Reads: "' in text and '\n- Why: "' in text


def test_at_least_ten_other_readings_are_worked_out() -> None:
    readings = [part for text in pages().values() for part in re.split(r"(?m)^(?=## )", text) if part.startswith("## reading:")]
    assert len(readings) >= 10
    assert all("- Answers: " in part and "### changes " in part for part in readings)


def test_the_notice_is_kept_to_the_letter() -> None:
    notice = (
        "The Tension Engine © 2023 by William Lentz for Gamenomicon is licensed under CC BY 4.0. "
        "To view a copy of this license, visit https://creativecommons.org/licenses/by/4.0/"
    )
    assert notice in (RULES.parent / "pack.yaml").read_text(encoding="utf-8")
