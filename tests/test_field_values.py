"""What stands behind the label of a field is such as the field takes, or it is told: a value of another form is never kept, to be found out in play."""

from __future__ import annotations

import pytest

from te_forge.check import check
from te_forge.compose import compose
from te_forge.compose.chosen import switched_on
from te_forge.diagnostics import Diagnostic
from te_forge.model.pack import PackInfo
from te_forge.source import Source

PAGE = """# Game

## kind: gm
- Is: an actor
- How Many: 1

## kind: hero
- Is: an actor

## kind: pool
- Is: a number of a hero

## kind: ware
- Is: an entry

| label | holds | default | text    |
|-------|-------|---------|---------|
| Size  | HOLDS | DEFAULT | how big |

## pool: Luck
- Starts: 3
POOL

## pool: Mana
- Starts: 3

## ware: Rope
WARE

## procedure: Scene

## procedure: Rest
- Part Of: Scene
- Outcomes: Well, Ill
PROCEDURE

1. Sleep.
   - Pick: the gm chooses one:
     - Bold: end with Well
     - Wary: end with Ill

## hack: Slow Nights
- Replaces: "it"
### changes pool: Luck
- Starts: 2
HACK
"""
NEVER = ("each Scene", "1 Mana", "1 to 3", "once per Scene", "2 d6", '"x"', "a hero with Mana 1", "one of A or B", "dice")
"""Whole forms of values that stand for something else."""
ENGINE = {
    "POOL": {
        "Of": ("a hero", ("3", "Small", "Bold", "Mana", "Rest", "Slow Nights", *NEVER[:6])),
        "At Least": ("1", ("a hero", "a pool", *NEVER)),
        "At Most": ("9", ("a hero", "a pool", *NEVER)),
        "Also Paid From": ("Mana", ("3", "the gm", "Mana's start", "Mana + 1", "a hero", *NEVER)),
    },
    "PROCEDURE": {
        "Roles": ("a hero as the one", ("3", "Bold", "Mana", "Rest", "the gm", *NEVER[:6])),
        "Seen By": ("the gm", ("3", "Bold", "Mana", "Rest", "Slow Nights", *NEVER)),
        "Counts": ("Sleep", ("3", "Mana + 1", *NEVER)),
        "Settles": ("Sleep", ("3", "Mana + 1", *NEVER)),
        "Counts As": ("Scene", ("3", "Mana's start", "Mana", *NEVER)),
    },
}
HELD = {
    "a number": ("3", ("a hero", "with Mana", *NEVER)),
    "dice": ("2 d6", ("3 d6 + 1", "-1", "Mana +1", "each Scene", "1 Mana", '"x"', "a hero")),
    "one of Small or Big": ("Small", ("-1", "Mana +1", *NEVER)),
    "a pool": ("Mana", ("-1", "Mana +1", "Rope", *NEVER)),
    "a group of pools": ("Mana, Luck", ("-1", "Mana +1", *NEVER)),
    "a change": ("Mana +1", ("3", "Mana", "Mana + 1", *NEVER)),
    "an entry": ("Rope", ("-1", "Mana +1", *NEVER)),
}


def errors(**put: str) -> list[Diagnostic]:
    page = PAGE
    for word, text in {"HOLDS": "a number", "DEFAULT": "1", "POOL": "", "WARE": "", "PROCEDURE": "", "HACK": "", **put}.items():
        page = page.replace(word, text)
    system, found = check([Source("page.te", page)], PackInfo(id="x", title="X", version="1.0.0"))
    wrong = [one for one in found if one.severity == "error"]
    if not wrong:
        assert system is not None
        compose(system, switched_on(system))
    return wrong


CASES = [(place, label, right, odd) for place, fields in ENGINE.items() for label, (right, odds) in fields.items() for odd in odds]


@pytest.mark.parametrize(("place", "label", "right", "odd"), CASES)
def test_fields_of_the_engine_take_nothing_else(place: str, label: str, right: str, odd: str) -> None:
    assert errors(**{place: f"- {label}: {odd}"})
    assert not [one for one in errors(**{place: f"- {label}: {right}"}) if one.code == "wrong-type"]


@pytest.mark.parametrize(("holds", "right", "odd"), [(holds, right, odd) for holds, (right, odds) in HELD.items() for odd in odds])
def test_fields_of_a_kind_take_what_they_hold(holds: str, right: str, odd: str) -> None:
    default = "nothing" if "," in right else right
    assert not errors(HOLDS=holds, DEFAULT=default, WARE=f"- Size: {right}")
    assert errors(HOLDS=holds, DEFAULT=default, WARE=f"- Size: {odd}")
    assert errors(HOLDS=holds, DEFAULT=odd)
    assert errors(HOLDS=holds, DEFAULT=default, HACK=f"\n| ware | Size |\n|------|------|\n| Bag  | {odd} |\n")


@pytest.mark.parametrize("label", ["Cost", "Of", "Also Paid From", "Roles", "Refills", "Uses"])
def test_a_kind_says_nothing_that_only_its_things_say(label: str) -> None:
    page = PAGE.replace("- Is: an entry\n", f"- Is: an entry\n- {label}: nothing\n")
    _, found = check([Source("page.te", page)], PackInfo(id="x", title="X", version="1.0.0"))
    assert "unknown-field" in [one.code for one in found]


@pytest.mark.parametrize("odd", ["3", "-1", '"x"', "Well", "Bold", "Mana, Mana", "Mana's start", "Mana + 1", "1 Mana", "the owner"])
def test_one_other_thing_stands_for_what_is_deleted(odd: str) -> None:
    deletes = "## hack: Gone\n### deletes pool: Luck\n- Successor: {}\n"
    assert [one.code for one in errors(HACK=deletes.format(odd))] == ["wrong-type"]
    assert not errors(HACK=deletes.format("Mana"))


@pytest.mark.parametrize("label", ["Outcomes", "Roles"])
def test_nothing_is_no_name(label: str) -> None:
    errors(PROCEDURE=f"- {label}: nothing")
    errors(PROCEDURE=f"- {label}: Mana, nothing")
