"""Literal transcriptions of names and numbers: `check` must find the sources' own slips by itself, and nothing else."""

from __future__ import annotations

from pathlib import Path

import pytest

from te_forge.check import check
from te_forge.diagnostics import Diagnostic, Findings
from te_forge.model.pack import read_info
from te_forge.safeyaml import read_head
from te_forge.source import Source

LITERAL = Path(__file__).parent / "literal"


def found(name: str) -> list[Diagnostic]:
    folder = LITERAL / name
    head = read_head(Source("pack.yaml", (folder / "pack.yaml").read_text("utf-8")), Findings())
    assert head is not None
    info, mistakes = read_info(head.data)
    assert info is not None, mistakes
    pages = [Source(path.name, path.read_text("utf-8")) for path in sorted((folder / "rules").glob("*.te"))]
    return check(pages, info)[1]


def said(name: str) -> set[tuple[str, str]]:
    return {(one.code, one.message) for one in found(name)}


SRD = {
    "the Troll's Stamina": ("stated-value-differs", "`Troll` states Stamina 5; Power + Dread is 6"),
    "Strength for Power": ("undefined-term", "`Strength` is used here, and defined nowhere"),
    "Horror for Dread, in the text and at the Golem": ("undefined-term", "`Horror` is used here, 2 times, and defined nowhere"),
    "Party Point": ("undefined-term", "`Party Point` is used here, 2 times, and defined nowhere"),
    "Weapon Master": ("near-names", "`Weapon Master` here, `Weaponmaster` there: one name in two spellings"),
    "the tie": ("undecided-tie", "nothing is said for when both are equal"),
    "the tie again: the procedure has no outcome for it": ("no-outcome", "`Environment Conflict` can come to its end without an outcome"),
}


@pytest.mark.parametrize("slip", SRD)
def test_the_srd_slip_is_reported(slip: str) -> None:
    assert SRD[slip] in said("srd")


def test_nothing_else_is_reported_in_the_srd() -> None:
    assert said("srd") == set(SRD.values())


VDP = {
    "a shove": (
        "stated-value-differs",
        "`Shove` states Total 2; (sum Price of Effects + Extra Damage) x (1 + sum Doubles of Effects) - sum Off of Effects is 1",
    ),
    "a split of nothing": ("stated-value-differs", "`To Here` states Dice 4; Success + Caution is 0"),
    "two rows of the same actions, with a step and without": (
        "stated-value-differs",
        "`Row Five` states Step 0; 1 - greater of One's Walks and Two's Walks is 1",
    ),
    "damage that reaches Resilience, and exceeds it": (
        "two-thresholds",
        "`Gone` comes here only when one is beyond the other, and elsewhere as soon as two numbers are equal",
    ),
    "an attribute under another name": ("undefined-term", "`Physical Power` is used here, and defined nowhere"),
}
VDP_SKILLS = [
    "Alertness",
    "Athletics",
    "Brawling",
    "Guitar",
    "Manipulation",
    "Mechanics",
    "Melee",
    "Muscle",
    "Reification",
    "Spellcasting",
    "Timing",
    "Wrestling",
]
VDP_ALIASES = ("Accomplish", "Risk", "Resist", "Attack", "Defence", "Dangerous Location", "Dangerous Area")


@pytest.mark.parametrize("slip", VDP)
def test_the_slip_of_very_different_places_is_reported(slip: str) -> None:
    assert VDP[slip] in said("vdp")


def test_the_twelve_skills_and_the_second_names_are_reported_and_nothing_else() -> None:
    undefined = {("undefined-term", f"`{name}` is used here, and defined nowhere") for name in (*VDP_SKILLS, *VDP_ALIASES)}
    assert said("vdp") == undefined | set(VDP.values())


def test_shove_is_the_only_printed_total_of_effects_that_does_not_come_out() -> None:
    totals = [message for code, message in said("vdp") if code == "stated-value-differs" and "states Total" in message]
    assert totals == [VDP["a shove"][1]]


def test_the_board_game_counts_five_where_four_are() -> None:
    assert said("board") == {("stated-value-differs", "`Printed Example` states Others 5; Yellow + White + Green is 4")}


def test_the_card_tests_use_four_words_without_saying_what_they_are() -> None:
    assert said("tests") == {
        ("undefined-term", "`Initiative Value` is used here, and defined nowhere"),
        ("undefined-term", "`Hand` is used here, and defined nowhere"),
        ("undefined-term", "`Beseech` is used here, 2 times, and defined nowhere"),
        ("undefined-term", "`Stress` is used here, 2 times, and defined nowhere"),
    }


def test_tenebrous_forgets_resolve() -> None:
    assert said("tenebrous") == {("incomplete-list", "this list names every attribute except `Resolve`")}


def test_each_slip_has_its_place() -> None:
    lines = {path.name: path.read_text("utf-8").split("\n") for path in (LITERAL / "srd" / "rules").glob("*.te")}
    at = {one.message: lines[one.span.file][one.span.line - 1][one.span.column - 1 : one.span.end - 1] for one in found("srd")}
    assert at[SRD["Party Point"][1]] == "Party Point"
    assert at[SRD["Weapon Master"][1]] == "Weapon Master"
    assert at[SRD["the Troll's Stamina"][1]].strip() == "5"
