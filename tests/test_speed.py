"""What is done for speed changes nothing: the collector comes back, and lines that are understood once mean what each would mean alone."""

from __future__ import annotations

import gc
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from te_forge.check import check
from te_forge.check.alike import Alike
from te_forge.collector import collector_paused
from te_forge.model.pack import PackInfo
from te_forge.model.system import Entry, Line
from te_forge.source import UNSEEN, Source, Span

INFO = PackInfo(id="twice", title="Twice", version="1.0.0")
HEAD = """## kind: character
- Is: an actor

## kind: pool
- Is: a number of a character

## pool: Luck
- Starts: 1

## kind: trait
- Is: a trait of a character

## kind: item
- Is: an entry

"""


def test_the_collector_rests_inside_and_comes_back() -> None:
    assert gc.isenabled()
    with collector_paused():
        assert not gc.isenabled()
        with collector_paused():
            pass
        assert not gc.isenabled()
    assert gc.isenabled()
    assert gc.get_freeze_count() == 0


def test_it_comes_back_after_an_error_and_stays_off_for_who_wants_it_off() -> None:
    with pytest.raises(ZeroDivisionError), collector_paused():
        raise ZeroDivisionError
    assert gc.isenabled()
    gc.disable()
    with collector_paused():
        pass
    assert not gc.isenabled()
    gc.enable()


def entries(page: str) -> dict[str, Entry]:
    system, _ = check([Source("page.te", HEAD + page)], INFO)
    assert system is not None
    return {entry.name: entry for entry in system.entries.values()}


def bare(line: Line) -> Line:
    return replace(line, span=Span("", 1, 1, 1), lines=tuple(bare(below) for below in line.lines))


LINE = "- Lucky: after gain of Luck by a character: the owner gains 1 Luck"


def test_equal_lines_of_two_traits_are_equal_and_each_has_its_place() -> None:
    found = entries(f"## trait: Cat\n{LINE}\n\n## trait: Dog\n{LINE}\n")
    cat, dog = found["Cat"].lines[0], found["Dog"].lines[0]
    alone = entries(f"## trait: Dog\n{LINE}\n")["Dog"].lines[0]
    assert bare(cat) == bare(dog) == bare(alone)
    assert dog.meaning
    assert dog.span.line == cat.span.line + 3


def test_both_count_as_users_of_what_the_line_mentions() -> None:
    system, _ = check([Source("page.te", f"{HEAD}## trait: Cat\n{LINE}\n\n## trait: Dog\n{LINE}\n")], INFO)
    assert system is not None
    assert {"twice:trait/cat", "twice:trait/dog"} <= set(system.users["twice:pool/luck"])


def test_equal_lines_of_different_owners_are_read_apart() -> None:
    _, found = check([Source("page.te", f"{HEAD}## trait: Cat\n{LINE}\n\n## item: Dog\n{LINE}\n\n## trait: Fox\n{LINE}\n")], INFO)
    alone = check([Source("page.te", f"{HEAD}## item: Dog\n{LINE}\n")], INFO)[1]
    assert [one.code for one in found if one.severity == "error"] == [one.code for one in alone if one.severity == "error"]


def test_a_mistake_is_said_on_every_line_that_has_it() -> None:
    wrong = LINE.replace("1 Luck", "1 Lukc")
    _, found = check([Source("page.te", f"{HEAD}## trait: Cat\n{wrong}\n\n## trait: Dog\n{wrong}\n")], INFO)
    assert [one.code for one in found if one.severity == "error"] == ["unknown-name", "unknown-name"]


# ------------------------------------------------------------ lines that are alike

THINGS = """## kind: hero
- Is: an actor

## hero: Ann

## table: Weather
| d6  | text  |
|-----|-------|
| 1-6 | Rain. |

## procedure: Contest
- Roles: a character as the dealer, a character as the target
- Outcomes: Triumph, Defeat

1. Wound.
   - Loss: the target loses 1 Luck
2. End. It ends.
   - Pick: the dealer chooses one:
     - Cloak: the dealer gains 1 Luck
     - Nothing: nothing
   - Over: end with Triumph

## procedure: Duel
- Roles: a character as the dealer

1. Wound.
   - Loss: the dealer loses 1 Luck

## kind: weapon
- Is: an entry

| label | holds               | default | text |
|-------|---------------------|---------|------|
| Shape | one of Long or Wide | Long    | how  |
| Case  | an item             |         | in   |

## item: Rope
## item: Lamp
- Also Called: "Light"

## item: Gash
- Also Called: "Wound"

## item: Triumph
## item: Cloak
## item: Long
## item: Case
## item: Old Duel
## weapon: Sword
- Case: Rope

## weapon: Rapier
- Case: Lamp

## trait: Brave
## trait: Sly
## trait: Twin
## item: Twin
## trait: Contest

"""
NAMES = (
    "Rope", "Lamp", "Light", "[[Lamp]]", "Gash", "Wound", "Triumph", "Cloak", "Long", "Case", "Old Duel", "Sword", "Rapier", "Brave", "Sly", "Twin", "Contest", "Duel", "Luck", "Ann", "Weather", "Lukc",
)  # fmt: skip
SAID = (
    "after Contest with the owner as the dealer: the owner takes {0}",
    "after Contest with the owner as the dealer: the owner takes {0}; the target drops {1}",
    "after Contest with the owner as the dealer: if the target has {0}: the owner takes {1}",
    "after {0} in Contest: the owner gains 1 Luck",
    "after {0}: the owner takes {1}",
    "after Contest ending in {0}: the owner drops {1}",
    "after gain of {0}: the owner takes {0}",
    "after Contest: if the owner's {0} is {1}: the owner gains 1 Luck",
    "after Contest: if {0}'s Shape is {1}: the owner gains 1 Luck",
    "after Contest: if {0}'s Case is {1}: the owner takes {1}",
    "after Contest: each character except {0} gains 1 Luck",
    "after Contest: each character with {0} whose Luck is above 1 takes {1}",
    "the owner cannot use {0}",
    "the owner cannot take {0}",
    'after Contest: the owner may agree "{0}": the owner takes {1}',
    "while the owner has {0}: the owner's Luck is 1 more",
    "after Contest: do Duel with {0} as the dealer",
    "until {0} ends: the owner's Luck is 1 more",
)
LIKE = (
    (
        'after Contest with the owner as the dealer: the owner may agree "twice:item/rope": the owner takes Rope',
        'after Contest with the owner as the dealer: the owner may agree "twice:item/rope": the owner takes Lamp',
    ),
    (
        "after Contest with the owner as the dealer: the owner takes Wound; the owner drops Gash",
        "after Contest with the owner as the dealer: the owner takes Wound; the owner drops Rope",
    ),
    (
        "Rope: after Contest with the owner as the dealer: the owner takes Rope",
        "Lamp: after Contest with the owner as the dealer: the owner takes Lamp",
    ),
)
"""Lines that are alike but for something else: a text, a thing with another name, the label."""


def judged(lines: list[str]) -> tuple[list[object], dict[str, tuple[str, ...]], list[str]]:
    page = (
        HEAD
        + THINGS
        + "".join(
            f"## trait: Test {chr(65 + at // 26)}{chr(97 + at % 26)}\n- {line if line[0].isupper() else f'A Label: {line}'}\n\n"
            for at, line in enumerate(lines)
        )
    )
    system, found = check([Source("page.te", page)], INFO)
    assert system is not None
    return [entry for entry in system.entries.values() if entry.name.startswith("Test ")], dict(system.users), [repr(one) for one in found]


@pytest.mark.parametrize("said", SAID)
def test_lines_that_are_alike_mean_what_each_would_mean_alone(said: str, monkeypatch: pytest.MonkeyPatch) -> None:
    lines = sorted({said.format(first, second) for first in NAMES for second in NAMES})
    lines = Random(said).sample(lines, min(len(lines), 80))
    together = judged(lines)
    monkeypatch.setattr(Alike, "like", lambda *_: None)
    assert together == judged(lines)


@pytest.mark.parametrize("lines", LIKE)
def test_what_is_not_quite_alike_means_what_it_would_mean_alone(lines: tuple[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    together = judged([*lines])
    assert not any("error" in one for one in together[2])
    monkeypatch.setattr(Alike, "like", lambda *_: None)
    assert together == judged([*lines])


def test_what_is_like_another_line_is_not_understood_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    hits: list[bool] = []
    like = Alike.like

    def counted(self: Alike, *of: Any) -> Any:
        found = like(self, *of)
        hits.append(found is not None)
        return found

    monkeypatch.setattr(Alike, "like", counted)
    judged(
        [
            SAID[1].format(first, second)
            for first, second in (("Rope", "Lamp"), ("Light", "Rope"), ("Lamp", "Lamp"), ("Rope", "[[Rope]]"), ("Sword", "Rope"), ("Rapier", "Rope"))
        ]
    )
    assert hits == [False, True, False, True, False, True]


def test_nothing_is_left_for_the_collector() -> None:
    """A pack that holds itself in a circle would stay in memory: during the work nobody collects."""
    page = (
        HEAD
        + "# Words\n{Luck's start} and [[Luck]] and [[Nobody]]\n\n## trait: Cat\n- Lucky: after gain of Luck: the gm looses 1\n- Purr: the owner gains 1 Lukc\n"
    )
    check([Source("page.te", page)], INFO)
    gc.collect()
    with collector_paused():
        check([Source("page.te", page)], INFO)
        assert gc.collect() == 0


def test_letters_that_nobody_sees_cannot_be_printed() -> None:
    """A page of printable letters is not searched for them."""
    assert [hex(code) for code in range(0x110000) if UNSEEN.match(chr(code)) and chr(code).isprintable()] == []
