"""Composing: each operation of a hack, good and bad, on a little game; quarrels; and that no order of anything shows in the result."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from itertools import permutations
from pathlib import Path
from typing import Any

import pytest
from beginnings import as_written

from te_forge.check import check
from te_forge.compose import Composed, compose, derived
from te_forge.compose.chosen import chosen, switched_on
from te_forge.compose.finding import find
from te_forge.compose.history import Historian
from te_forge.compose.lines import body_of, refilled
from te_forge.compose.mapping import ids_in
from te_forge.compose.operations import operations
from te_forge.compose.whole import mentioned
from te_forge.diagnostics import Findings, has_errors
from te_forge.engine.index import Rules
from te_forge.engine.people import add_person
from te_forge.engine.state import State
from te_forge.model.pack import PackInfo
from te_forge.model.rules import Bonus, ChooseOne, If, Int, Nothing, Sheet, Thing
from te_forge.model.system import Entry, Grid, Line, Prose, Ref, Step, System, Words
from te_forge.packs import load
from te_forge.source import Source, Span

INFO = PackInfo(id="small", title="A Small Game", version="1.0.0", authors=("Ada Example",))

BASE = """\
# Parts
## kind: gm
- Is: an actor
- How Many: 1
## kind: hero
- Is: an actor
- Plural: "heroes"
## kind: gift
- Is: a number of a hero
- Starts: 2
- At Most: 5
## kind: pool
- Is: a number
## kind: trick
- Is: a trait of a hero
## kind: monster
- Is: an actor

| label  | holds             | default | text         |
|--------|-------------------|---------|--------------|
| Tricks | a group of tricks | nothing | what it does |
| Teeth  | a number          | 2       | how many     |

| gift  | text     |
|-------|----------|
| Might | Lifting. |
| Wit   | Thought. |

| trick  | text     |
|--------|----------|
| Jump   | Far.     |
| Hide   | Well.    |
| Whisper | Softly. |

## pool: Luck
- Of: a hero
- Starts: 3
- At Least: 0
## pool: Doom
- Of: the gm
- Starts: greater of number of heroes and 2
- At Most: 9
- Grow: after gain of Luck: the gm gains 1 Doom

| monster | Teeth | Tricks     |
|---------|-------|------------|
| Ogre    | 4     | Jump, Hide |
| Worm    | -     | -          |

## procedure: Leap
- Roles: a hero as the leaper
- Outcomes: Over, Under

| value  | holds    | default | text     |
|--------|----------|---------|----------|
| height | a number | 1       | how high |

1. Ready. Look.
   - Look: the leaper says "how far"
   - Breath: if the leaper's Might is above 3: the leaper gains 1 Luck
   - Else: otherwise: the leaper gains 2 Luck
2. Go. Jump.
   - Way: the gm chooses one:
     - High: the gm gains 1 Doom
     - Low: the leaper may: the leaper gains 1 Luck
   - Deep: if the leaper has Jump:
     - Sure: the leaper gains 1 Luck
     - Deeper: if the leaper has Hide:
       - Twice: the leaper gains 2 Luck
3. End. Land.
   - Over: if the leaper's Luck is above 3: end with Over
   - Under: end with Under

## procedure: Fall
- Roles: a hero as the faller

1. Drop. Down.
   - Drop: do Leap with the faller as the leaper
   - After: the faller takes Hide

## table: Weather

| d6  | row  | text  | effect                 |
|-----|------|-------|------------------------|
| 1-2 | Rain | Wet.  | the gm gains 1 Doom    |
| 3-5 | Sun  | Warm. | each hero gains 1 Luck |
| 6   | Snow | Cold. | the gm gains 2 Doom    |

## ruling: A Question
What if?
- Reads: "so"
- Why: "why not"
- Other: "otherwise"
"""


@cache
def system_of(text: str) -> System:
    made, said = check([Source("base.te", BASE), Source("hacks.te", "# Hacks\n" + text)], INFO, derive=derived)
    assert made is not None
    assert [one for one in said if one.severity == "error"] == []
    return made


def composed(text: str, *on: str) -> Composed:
    """The little game with the hacks of `text`, all on unless some are named."""
    system = system_of(text)
    names = on or [entry.id for entry in system.entries.values() if entry.kind in ("hack", "reading")]
    return compose(system, [id if ":" in id else f"small:hack/{id}" for id in names])


def good(text: str, *on: str) -> System:
    made = composed(text, *on)
    assert [(one.code, one.message) for one in made.diagnostics if one.severity == "error"] == []
    consistent(made.system)
    return made.system


def codes(made: Composed) -> list[tuple[str, int]]:
    """Each finding with its line, counted from the first line of the hacks."""
    return [(one.code, one.span.line - 1) for one in made.diagnostics]


def hack(name: str, text: str, needs: str = "") -> str:
    return f"## hack: {name}\n" + (f"- Needs: {needs}\n" if needs else "") + text


def plain(words: Words) -> str:
    return "".join(word if isinstance(word, str) else word.text for word in words)


def field(system: System, id: str, label: str) -> tuple[str, tuple[Any, ...]]:
    found = system.entries[f"small:{id}"].fields[label]
    return plain(found.words), found.value


def lines(where: Entry | Step | Line) -> list[str]:
    return [f"{line.label}: {plain(line.words)}" for line in where.lines]


def step(system: System, id: str, name: str) -> Step:
    return next(one for one in system.entries[f"small:{id}"].steps if one.name == name)


def line(where: Entry | Step | Line, *labels: str) -> Line:
    for label in labels:
        where = next(one for one in where.lines if one.label == label)
    assert isinstance(where, Line)
    return where


def consistent(system: System) -> None:
    """What runs is what is printed: a line means what the lines below it mean, as the same objects."""
    for entry in system.entries.values():
        for one in all_lines(entry):
            below = body_of(one.lines)
            assert not one.lines or refilled(one.meaning, one.lines, one.lines) == one.meaning
            inside = {id(node) for node in nodes(one.meaning)}
            assert all(id(node) in inside for node in below), one.id
            assert one.place is None
        assert entry.patches == ()


def all_lines(entry: Entry) -> Iterator[Line]:
    todo = [*entry.lines, *(one for step in entry.steps for one in step.lines)]
    while todo:
        one = todo.pop()
        yield one
        todo += one.lines


def nodes(body: tuple[Any, ...]) -> Iterator[Any]:
    for one in body:
        yield one
        yield from nodes(getattr(one, "body", ()))
        for option in getattr(one, "options", ()):
            yield from nodes(option.body)


# ---------------------------------------------------------------- who is there


PARTS = "## hack: Magic\n### kind: spell\n- Is: an entry\n### pool: Power\n- Of: a hero\n- Starts: 1\n### rule: Flow\n- Flow: after gain of Luck by a hero: the hero gains 1 Power\n"


def test_parts_are_there_when_their_hack_is_on() -> None:
    system = good(PARTS)
    assert {"small:pool/power", "small:rule/flow", "small:kind/spell"} <= set(system.entries)
    assert "spell" in system.kinds


def test_parts_are_gone_when_their_hack_is_off() -> None:
    made = compose(system_of(PARTS))
    assert made.diagnostics == []
    assert not {"small:pool/power", "small:rule/flow", "small:kind/spell"} & set(made.system.entries)
    assert "spell" not in made.system.kinds
    assert made.system.entries["small:hack/magic"].parts == ()
    assert not any(item in ("small:pool/power", "small:rule/flow") for chapter in made.system.chapters for item in chapter.items)


def test_prose_keeps_the_word_of_what_is_off() -> None:
    made = compose(system_of(PARTS + '## ruling: Where From\nWhence comes [[Power]]?\n- Reads: "anywhere"\n- Why: "so"\n- Other: "nowhere"\n'))
    words = made.system.entries["small:ruling/where-from"].prose[0].words
    assert "Whence comes Power?" in plain(words)
    assert not any(isinstance(word, Ref) for word in words)


def test_rules_that_speak_of_a_hack_that_is_off() -> None:
    text = PARTS + "## rule: Drain\n- Drain: after gain of Doom: each hero loses 1 Power\n"
    assert codes(compose(system_of(text))) == [("missing-hack", 10)]
    good(text)


def test_what_is_needed_must_be_on() -> None:
    text = PARTS + hack("More Magic", "### changes pool: Power\n- Starts: 2\n", "Magic")
    made = composed(text, "more-magic")
    assert codes(made) == [("missing-hack", 10), ("waiting-patch", 12)]
    assert "Magic" in made.diagnostics[0].message
    assert "`- Magic`" in made.diagnostics[0].help
    assert field(good(text), "pool/power", "starts") == ("2", (Int(2),))


def test_an_unknown_id() -> None:
    made = compose(system_of(PARTS), ["small:hack/magik"])
    assert [(one.code, one.help) for one in made.diagnostics] == [("unknown-hack", "did you mean `small:hack/magic`?")]


def test_an_example_belongs_to_the_hacks_that_it_names() -> None:
    text = PARTS + "## example: Flowing\n- With: Magic\n- Ann: a hero\n1. Flow.\n   - Ann gains 1 Luck\n   - expect Ann's Power is 2\n"
    assert "small:example/flowing" in good(text).entries
    assert "small:example/flowing" not in compose(system_of(text)).system.entries


# ---------------------------------------------------------------- fields


def test_an_example_of_what_is_deleted_is_nowhere_in_the_game() -> None:
    text = "## example: Landing\n- Ann: a hero\n1. Down.\n   - do Fall with Ann as the faller\n   - expect Ann has Hide\n\n## rule: Soft Ground\nAs in [[Landing]].\n- Soft: after Leap: the leaper gains 1 Luck\n\n"
    made = good(text + hack("On Foot", "### deletes procedure: Fall\n"))
    items = [item for chapter in made.chapters for item in chapter.items]
    assert "small:example/landing" not in made.entries and "small:example/landing" not in items and "small:rule/soft-ground" in items
    assert [word for one in made.entries["small:rule/soft-ground"].prose for word in one.words] == ["As in ", "Landing", "."]
    assert "small:example/landing" not in made.users and not any("small:example/landing" in users for users in made.users.values())


def test_a_field_is_stated_anew() -> None:
    assert field(good(hack("Rich", "### changes pool: Luck\n- Starts: 7\n")), "pool/luck", "starts") == ("7", (Int(7),))


def test_a_field_is_added() -> None:
    assert field(good(hack("Capped", "### changes pool: Luck\n- At Most: 6\n")), "pool/luck", "at-most") == ("6", (Int(6),))


def test_nothing_unsets_a_field() -> None:
    assert "at-most" not in good(hack("Free", "### changes pool: Doom\n- At Most: nothing\n")).entries["small:pool/doom"].fields


def test_nothing_overrules_what_the_kind_says() -> None:
    system = good(hack("Free", "### changes gift: Might\n- At Most: nothing\n"))
    assert field(system, "gift/might", "at-most") == ("nothing", (Nothing(),))


def test_adjusting_adds_then_multiplies_then_bounds() -> None:
    text = (
        hack("A", "### changes pool: Luck\n- Starts: 2 times as much\n")
        + hack("B", "### changes pool: Luck\n- Starts: 2 more\n")
        + hack("C", "### changes pool: Luck\n- Starts: at most 9\n")
    )
    assert field(good(text, "a", "b"), "pool/luck", "starts") == ("10", (Int(10),))
    assert field(good(text), "pool/luck", "starts") == ("9", (Int(9),))
    assert field(good(text, "b", "c"), "pool/luck", "starts") == ("5", (Int(5),))


def test_a_formula_is_adjusted_in_words_and_meaning() -> None:
    text = hack("A", "### changes pool: Doom\n- Starts: 1 more\n") + hack("B", "### changes pool: Doom\n- Starts: at least 4\n")
    words, value = field(good(text), "pool/doom", "starts")
    assert words == "greater of ((greater of number of heroes and 2) + 1) and 4"
    again, said = check([Source("base.te", BASE.replace("- Starts: greater of number of heroes and 2", f"- Starts: {words}"))], INFO)
    assert again is not None
    assert not has_errors(said)
    assert again.entries["small:pool/doom"].fields["starts"].value == value


def test_a_usual_value_is_adjusted() -> None:
    assert field(good(hack("Long", "### changes monster: Worm\n- Teeth: 3 more\n")), "monster/worm", "teeth") == ("5", (Int(5),))
    assert field(good(hack("Strong", "### changes gift: Might\n- Starts: 1 less\n")), "gift/might", "starts") == ("1", (Int(1),))


def test_who_sets_and_who_adjusts_go_together() -> None:
    text = hack("A", "### changes pool: Luck\n- Starts: 1 more\n") + hack("B", "### changes pool: Luck\n- Starts: 5\n")
    assert field(good(text), "pool/luck", "starts") == ("6", (Int(6),))


def test_who_needs_a_hack_states_a_number_after_its_change() -> None:
    text = hack("A", "### changes pool: Luck\n- Starts: 1 more\n") + hack("B", "### changes pool: Luck\n- Starts: 5\n", "A")
    assert field(good(text), "pool/luck", "starts") == ("5", (Int(5),))


def test_only_numbers_are_adjusted() -> None:
    assert codes(composed(hack("Odd", "### changes monster: Ogre\n- Tricks: 1 more\n"))) == [("wrong-type", 3)]
    assert codes(composed(hack("Odd", "### changes pool: Luck\n- At Most: 1 more\n"))) == [("unknown-target", 3)]


def test_a_list_is_edited() -> None:
    system = good(hack("Sly", "### changes monster: Ogre\n- Tricks: with Whisper, without Jump\n"))
    assert field(system, "monster/ogre", "tricks") == ("Hide, Whisper", (Thing("small:trick/hide"), Thing("small:trick/whisper")))


def test_an_empty_list_is_edited() -> None:
    assert field(good(hack("Sly", "### changes monster: Worm\n- Tricks: with Hide\n")), "monster/worm", "tricks") == (
        "Hide",
        (Thing("small:trick/hide"),),
    )
    emptied = good(hack("Dull", "### changes monster: Ogre\n- Tricks: without Hide, without Jump\n"))
    assert field(emptied, "monster/ogre", "tricks") == ("nothing", (Nothing(),))


def test_an_edit_that_changes_nothing() -> None:
    made = composed(hack("Sly", "### changes monster: Ogre\n- Tricks: with Hide\n"))
    assert [(one.code, one.severity) for one in made.diagnostics] == [("idle-patch", "warning")]


def test_kinds_and_their_defaults() -> None:
    text = hack("Toothy", "### changes kind: monster\n\n| label | holds    | default | text |\n|---|---|---|---|\n| Teeth | a number | 8 | - |\n")
    slot = good(text).entries["small:kind/monster"].slots["Teeth"]
    assert (slot.default, slot.usual, slot.text) == ((Int(8),), "8", "how many")
    assert good(hack("Two", "### changes kind: gm\n- How Many: 2\n")).kinds["gm"].single is False


def test_a_value_of_a_procedure() -> None:
    text = hack(
        "High",
        "### changes procedure: Leap\n\n| value | holds | default | text |\n|---|---|---|---|\n| height | a number | 4 | - |\n| width | a number | 2 | how wide |\n",
    )
    slots = good(text).entries["small:procedure/leap"].slots
    assert {name: slot.default for name, slot in slots.items()} == {"height": (Int(4),), "width": (Int(2),)}


def test_a_kind_stays_what_it_is() -> None:
    assert codes(composed(hack("Odd", "### changes kind: trick\n- Is: an entry\n"))) == [("fixed-kind", 3)]


# ---------------------------------------------------------------- lines


def leap(body: str, name: str = "Change", needs: str = "") -> str:
    return hack(name, "### changes procedure: Leap\n" + body, needs)


def test_a_nested_line_is_replaced_in_lines_and_meaning() -> None:
    system = good(leap("- Go:\n  - Deep:\n    - Deeper:\n      - Twice: the leaper gains 9 Luck\n"))
    deep = line(step(system, "procedure/leap", "Go"), "Deep")
    twice = line(deep, "Deeper", "Twice")
    assert plain(twice.words) == "the leaper gains 9 Luck"
    assert twice.id == "go/deep/deeper/twice"
    assert deep.meaning[0].body[1].body[0] is twice.meaning[0]  # type: ignore[union-attr]
    assert deep.meaning[0].body[1].body[0].amount.number == Int(9)  # type: ignore[union-attr]


def test_an_option_is_replaced_removed_and_added() -> None:
    system = good(
        leap(
            '- Go:\n  - Way:\n    - High: nothing\n    - Low: the leaper gains 5 Luck\n    - Round after Low: nothing\n    - Back after Round: the leaper says "no"\n'
        )
    )
    way = line(step(system, "procedure/leap", "Go"), "Way")
    assert lines(way) == ["Low: the leaper gains 5 Luck", "Round: nothing", 'Back: the leaper says "no"']
    choice = way.meaning[0]
    assert isinstance(choice, ChooseOne)
    assert [(option.label, len(option.body)) for option in choice.options] == [("Low", 1), ("Round", 0), ("Back", 1)]


def test_a_whole_line_with_lines_below_is_replaced() -> None:
    system = good(leap("- Go:\n  - Deep: the leaper gains 3 Luck\n"))
    assert lines(step(system, "procedure/leap", "Go")) == ["Way: the gm chooses one:", "Deep: the leaper gains 3 Luck"]


def test_lines_are_put_in_after_and_before() -> None:
    system = good(
        leap(
            '- Go:\n  - First before Way: the gm says "one"\n  - Last after Deep: the gm says "three"\n  - Very Last after Deep: the gm says "four"\n'
        )
    )
    assert [one.label for one in step(system, "procedure/leap", "Go").lines] == ["First", "Way", "Deep", "Last", "Very Last"]


def test_several_hacks_put_lines_in_one_place_by_their_names() -> None:
    text = (
        leap('- Go:\n  - Bee after Way: the gm says "b"\n', "B")
        + leap('- Go:\n  - Ant after Way: the gm says "a"\n  - Ape after Ant: the gm says "aa"\n', "A")
        + leap('- Go:\n  - Cat after Ant: the gm says "c"\n', "C")
    )
    assert [one.label for one in step(good(text), "procedure/leap", "Go").lines] == ["Way", "Ant", "Ape", "Cat", "Bee", "Deep"]
    assert [one.label for one in step(good(text, "b", "a"), "procedure/leap", "Go").lines] == ["Way", "Ant", "Ape", "Bee", "Deep"]


def test_a_standing_line_is_replaced_added_and_removed() -> None:
    text = hack("A", "### changes pool: Doom\n- Grow: after gain of Luck: the gm gains 2 Doom\n- Shrink: after loss of Luck: the gm loses 1 Doom\n")
    assert lines(good(text).entries["small:pool/doom"]) == [
        "Grow: after gain of Luck: the gm gains 2 Doom",
        "Shrink: after loss of Luck: the gm loses 1 Doom",
    ]
    assert lines(good(hack("B", "### changes pool: Doom\n- Grow: nothing\n")).entries["small:pool/doom"]) == []


def test_steps_are_put_in_replaced_and_removed() -> None:
    system = good(leap('- Hush after Ready:\n  - Hush: the gm says "hush"\n- Bow before Ready:\n  - Bow: the leaper says "bow"\n- Go: nothing\n'))
    assert [(one.name, one.id) for one in system.entries["small:procedure/leap"].steps] == [
        ("Bow", "small:procedure/leap#bow"), ("Ready", "small:procedure/leap#ready"), ("Hush", "small:procedure/leap#hush"), ("End", "small:procedure/leap#end"),
    ]  # fmt: skip
    assert lines(step(system, "procedure/leap", "Hush")) == ['Hush: the gm says "hush"']
    assert lines(step(good(leap("- End: end with Over\n")), "procedure/leap", "End")) == ["End: end with Over"]


def test_otherwise_follows_its_if() -> None:
    system = good(leap("- Ready:\n  - Else: otherwise: the leaper gains 5 Luck\n"))
    other = line(step(system, "procedure/leap", "Ready"), "Else").meaning[0]
    assert isinstance(other, If)
    assert other.chained
    good(leap("- Ready:\n  - Breath: if the leaper has Jump: the leaper gains 1 Luck\n"))
    good(leap("- Ready:\n  - Middle after Breath: otherwise if the leaper has Jump: the leaper gains 4 Luck\n"))


@pytest.mark.parametrize(
    "body",
    [
        "- Ready:\n  - Breath: nothing\n",
        "- Ready:\n  - Breath: the leaper gains 1 Luck\n",
        '- Ready:\n  - Sigh after Breath: the leaper says "oh"\n',
        "- Ready:\n  - Thief after Breath: if the leaper has Jump: the leaper gains 1 Luck\n",
    ],
)
def test_otherwise_loses_its_if(body: str) -> None:
    made = composed(leap(body))
    assert [(one.code, one.span.file, one.span.line) for one in made.diagnostics] == [("lost-otherwise", "hacks.te", 5)]


# ---------------------------------------------------------------- tables


def weather(rows: str, head: str = "row") -> str:
    columns = "| row | text | effect |\n|---|---|---|\n" if head == "row" else "| d6 | row | text | effect |\n|---|---|---|---|\n"
    return hack("Change", f"### changes table: Weather\n\n{columns}{rows}")


def rows(system: System) -> list[tuple[str, int, int, str]]:
    table = system.entries["small:table/weather"].table
    assert table is not None
    return [(row.name, row.low, row.high, plain(row.cells["text"].words)) for row in table.rows]


def test_a_row_is_replaced_by_its_name() -> None:
    system = good(weather("| Sun | Hot. | - |\n"))
    assert rows(system) == [("Rain", 1, 2, "Wet."), ("Sun", 3, 5, "Hot."), ("Snow", 6, 6, "Cold.")]
    table = system.entries["small:table/weather"].table
    assert table is not None
    assert len(table.rows[1].cells["effect"].meaning) == 1


def test_a_row_without_a_name_is_the_one_of_its_range() -> None:
    """What it leaves out stays as it was, the name and what the row does included; a row of another name is another row."""
    for head in ("| d6 | text |\n|---|---|\n| 3-5 | Hot. |\n", "| d6 | row | text | effect |\n|---|---|---|---|\n| 3-5 | - | Hot. | - |\n"):
        system = good(hack("Change", f"### changes table: Weather\n\n{head}"))
        table = system.entries["small:table/weather"].table
        assert table is not None
        assert rows(system) == [("Rain", 1, 2, "Wet."), ("Sun", 3, 5, "Hot."), ("Snow", 6, 6, "Cold.")]
        assert len(table.rows[1].cells["effect"].meaning) == 1
    other = good(hack("Change", "### changes table: Weather\n\n| d6 | row | text |\n|---|---|---|\n| 3-5 | Fog | Grey. |\n"))
    assert rows(other)[1] == ("Fog", 3, 5, "Grey.")


def test_rows_are_replaced_by_their_range() -> None:
    assert rows(good(weather("| 3-6 | Fog | Grey. | - |\n", "d6"))) == [("Rain", 1, 2, "Wet."), ("Fog", 3, 6, "Grey.")]
    split = good(weather("| 3 | Fog | Grey. | - |\n| 4-5 | Sun | Warm. | - |\n", "d6"))
    assert rows(split) == [("Rain", 1, 2, "Wet."), ("Fog", 3, 3, "Grey."), ("Sun", 4, 5, "Warm."), ("Snow", 6, 6, "Cold.")]


def test_ranges_still_cover_the_die() -> None:
    assert [code for code, _ in codes(composed(weather("| 2 | Fog | Grey. | - |\n", "d6")))] == ["range-overlap"]
    assert [code for code, _ in codes(composed(weather("| 4 | Sun | Grey. | - |\n", "d6")))] == ["range-gap"]
    _, said = check([Source("base.te", BASE), Source("hacks.te", "# Hacks\n" + weather("| Hail | Hard. | - |\n"))], INFO)
    assert [(one.code, one.help) for one in said if one.severity == "error"] == [("unknown-target", "its rows are Rain, Snow, Sun")]


def test_two_hacks_for_one_face() -> None:
    text = weather("| Sun | Hot. | - |\n").replace("Change", "A") + weather("| 5 | Fog | Grey. | - |\n", "d6").replace("Change", "B")
    assert next(code for code, _ in codes(composed(text))) == "patch-conflict"


# ---------------------------------------------------------------- deleting and renaming


def test_a_successor_takes_over() -> None:
    system = good(hack("Less", "### deletes trick: Jump\n- Successor: Hide\n"))
    assert "small:trick/jump" not in system.entries
    assert field(system, "monster/ogre", "tricks") == ("Hide", (Thing("small:trick/hide"),))
    assert plain(line(step(system, "procedure/leap", "Go"), "Deep").words) == "if the leaper has Hide:"
    assert Thing("small:trick/hide") in [node.condition.what for node in line(step(system, "procedure/leap", "Go"), "Deep").meaning]  # type: ignore[union-attr]


DRILL = """## kind: drill
- Is: a trait of a hero

| label | holds    | default | text         |
|-------|----------|---------|--------------|
| Gives | a change | nothing | what it adds |

## drill: Weights
Hard work.
- Gives: Might +1, Wit +2, Might +1
"""


def test_changes_of_a_number_add_up_when_its_successor_is_there_already() -> None:
    text = DRILL + hack("Less", "### deletes gift: Might\n- Successor: Wit\n")
    assert field(compose(system_of(text), []).system, "drill/weights", "gives") == (
        "Might +2, Wit +2",
        (Bonus("small:gift/might", 2), Bonus("small:gift/wit", 2)),
    )
    played = good(text)
    assert field(played, "drill/weights", "gives") == ("Wit +4", (Bonus("small:gift/wit", 4),))
    state = add_person(Rules(played), State(), "Ann", Sheet("small:kind/hero", (("small:drill/weights", None),)))
    assert state.numbers["Ann", "small:gift/wit"] == 6


def test_whoever_reads_the_list_as_written_adds_up_too() -> None:
    system = system_of(DRILL)
    state = add_person(Rules(system), State(), "Ann", Sheet("small:kind/hero", (("small:drill/weights", None),)))
    assert (state.numbers["Ann", "small:gift/might"], state.numbers["Ann", "small:gift/wit"]) == (4, 4)


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ('### renames trick: Jump\n- To: ""\n', [("heading-without-name", 3)]),
        ('### renames trick: Jump\n- To: "--"\n', [("heading-without-name", 3)]),
        ('### renames trick: Jump\n- To: "bound"\n', [("lower-case-title", 3)]),
        ('### renames trick: Jump\n- To: "[[Bound]]"\n', []),
        ('### renames chapter: Parts\n- To: "of many parts"\n', []),
        ("### deletes trick: Jump\n- Successor: Ogre\n", [("wrong-kind", 3)]),
        ("### deletes monster: Ogre\n- Successor: Jump\n", [("wrong-kind", 3)]),
        ("### deletes table: Weather\n- Successor: Leap\n", [("wrong-kind", 3)]),
        ("### deletes gift: Might\n- Successor: Luck\n", []),
        ("### deletes trick: Jump\n- Successor: Hide\n", []),
    ],
)
def test_what_is_in_the_place_of_something_fits(text: str, wanted: list[tuple[str, int]]) -> None:
    _, said = check([Source("base.te", BASE), Source("hacks.te", "## hack: Less\n" + text)], INFO)
    assert [(one.code, one.span.line) for one in said if one.severity == "error"] == wanted


def test_brackets_around_a_new_name_are_no_part_of_it() -> None:
    assert good(hack("Words", '### renames trick: Jump\n- To: "[[Bound]]"\n')).entries["small:trick/jump"].name == "Bound"


def test_what_a_successor_makes_of_a_value_is_told() -> None:
    historian = Historian(system_of(DRILL + hack("Less", "### deletes gift: Might\n- Successor: Wit\n")), ["small:hack/less"])
    found = find("Weights.Gives", historian)
    chain = historian.chain(found.entry, found.path or (), found.label)
    assert [(one.says, one.after) for one in chain.events] == [
        ("", "Might +1, Wit +2, Might +1"),
        ("Might is deleted, and Wit stands for it", "Wit +4"),
    ]
    assert chain.value == "Wit +4"
    off = Historian(historian.system, []).chain(found.entry, found.path or (), found.label)
    assert [one.after for one in off.events] == ["Might +1, Wit +2, Might +1"]


@pytest.mark.parametrize(
    ("deleted", "successor", "wanted"),
    [
        ("Jump", "Hide", "any trick except Hide or Whisper"),
        ("Whisper", "Jump", "any trick except Jump or Hide"),
        ("Whisper", "Hide", "any trick except Jump or Hide"),
    ],
)
def test_a_successor_stands_once_in_a_list_of_a_rule(deleted: str, successor: str, wanted: str) -> None:
    text = "## rule: Still\nNo [[Jump]] and [[Hide]].\n- Still: after Fall: until Leap ends: each hero cannot use any trick except Jump or Hide or Whisper\n"
    rule = good(text + hack("Less", f"### deletes trick: {deleted}\n- Successor: {successor}\n")).entries["small:rule/still"]
    assert plain(rule.lines[0].words).partition("use ")[2] == wanted
    said = [id for kind, id in ids_in(rule.lines[0].meaning) if kind == "id" and ":trick/" in id]
    assert len(said) == len(set(said)) == 2
    if (deleted, successor) == ("Jump", "Hide"):
        assert plain(rule.prose[0].words).strip() == "No Hide."


@pytest.mark.parametrize(
    ("text", "help"),
    [
        ("### deletes trick: Hide\n", "name what stands for it: `- Successor: ..`, or change or delete these too"),
        ("### deletes trick: Hide\n- Successor: Hide\n", "name another successor: this one is the thing itself"),
        (
            "### deletes trick: Hide\n- Successor: Whisper\n### deletes trick: Whisper\n",
            "name another successor: this one is Whisper, which is deleted or off as well",
        ),
    ],
)
def test_a_successor_that_is_gone_is_told(text: str, help: str) -> None:
    made = composed(hack("Less", text))
    assert [one.help for one in made.diagnostics if one.code == "still-used"] == [help]


def test_a_ruling_that_is_deleted_has_no_successor_for_its_readings() -> None:
    made = composed(
        "## reading: So\n- Answers: A Question\n### changes pool: Luck\n- Starts: 4\n\n" + hack("Less", "### deletes ruling: A Question\n"), "less"
    )
    assert [one.help for one in made.diagnostics if one.code == "still-used"] == ["delete or change these too"]


def test_without_a_successor_every_use_is_listed() -> None:
    made = composed(hack("Less", "### deletes trick: Hide\n"))
    assert codes(made) == [("still-used", 2)]
    assert sorted(label.text for label in made.diagnostics[0].labels) == ["Fall, After", "Leap, Deeper", "Ogre, Tricks"]
    good(hack("Less", "### deletes trick: Whisper\n"))


def test_a_step_that_others_speak_of() -> None:
    text = "## rule: Listening\n- Ear: after Go in Leap: the gm gains 1 Doom\n"
    assert codes(composed(text + leap("- Go: nothing\n"))) == [("still-used", 5)]


def test_another_name() -> None:
    system = good(hack("Words", '### renames trick: Jump\n- To: "Bound"\n### renames pool: Luck\n- To: "Nerve"\n'))
    jump = system.entries["small:trick/jump"]
    assert (jump.name, jump.aliases) == ("Bound", ("Jump",))
    assert field(system, "monster/ogre", "tricks")[0] == "Bound, Hide"
    assert plain(system.entries["small:pool/doom"].lines[0].words) == "after gain of Nerve: the gm gains 1 Doom"
    assert plain(line(step(system, "procedure/leap", "Go"), "Deep", "Sure").words) == "the leaper gains 1 Nerve"


def test_a_name_that_is_taken() -> None:
    assert codes(composed(hack("Words", '### renames trick: Jump\n- To: "Hide"\n'))) == [("duplicate-name", 2)]
    good(hack("Words", '### renames trick: Jump\n- To: "Hide"\n### renames trick: Hide\n- To: "Jump"\n'))


# ---------------------------------------------------------------- quarrels

LUCK = "### changes pool: Luck\n"
QUARRELS = {
    "two values of one field": (LUCK + "- Starts: 1\n", LUCK + "- Starts: 2\n"),
    "one unsets what the other changes": (LUCK + "- Starts: nothing\n", LUCK + "- Starts: 1 more\n"),
    "in and out of one list": ("### changes monster: Ogre\n- Tricks: with Whisper\n", "### changes monster: Ogre\n- Tricks: without Whisper\n"),
    "two sentences": (
        "### changes pool: Doom\n- Grow: after gain of Luck: the gm gains 2 Doom\n",
        "### changes pool: Doom\n- Grow: after gain of Luck: the gm gains 3 Doom\n",
    ),
    "one removes the line that the other replaces": (
        "### changes procedure: Leap\n- Ready:\n  - Look: nothing\n",
        '### changes procedure: Leap\n- Ready:\n  - Look: the leaper says "x"\n',
    ),
    "one replaces what is around the other's line": (
        "### changes procedure: Leap\n- Go:\n  - Way: the gm gains 1 Doom\n",
        "### changes procedure: Leap\n- Go:\n  - Way:\n    - High: the gm gains 3 Doom\n",
    ),
    "one removes the line beside which the other puts one": (
        "### changes procedure: Leap\n- Go:\n  - Way: nothing\n",
        '### changes procedure: Leap\n- Go:\n  - New after Way: the gm says "x"\n',
    ),
    "one removes the step of the other's line": (
        "### changes procedure: Leap\n- Go: nothing\n",
        '### changes procedure: Leap\n- Go:\n  - New after Way: the gm says "x"\n',
    ),
    "two new lines of one label": (
        '### changes procedure: Leap\n- Go:\n  - New after Way: the gm says "x"\n',
        '### changes procedure: Leap\n- Go:\n  - New after Deep: the gm says "y"\n',
    ),
    "one deletes what the other changes": ("### deletes pool: Luck\n- Successor: Doom\n", LUCK + "- Starts: 2\n"),
    "two successors": ("### deletes trick: Jump\n- Successor: Hide\n", "### deletes trick: Jump\n- Successor: Whisper\n"),
    "two names": ('### renames trick: Jump\n- To: "Bound"\n', '### renames trick: Jump\n- To: "Hop"\n'),
    "two defaults": tuple(
        f"### changes kind: monster\n\n| label | holds | default | text |\n|---|---|---|---|\n| Teeth | a number | {n} | - |\n" for n in (7, 8)
    ),
    "two rows": tuple(f"### changes table: Weather\n\n| row | text | effect |\n|---|---|---|\n| Sun | {text}. | - |\n" for text in ("Hot", "Hotter")),
}


@pytest.mark.parametrize("name", QUARRELS)
def test_a_quarrel_names_both_places(name: str) -> None:
    one, other = QUARRELS[name]
    made = composed(hack("Ann", one) + hack("Ben", other))
    errors = [each for each in made.diagnostics if each.severity == "error"]
    assert [each.code for each in errors] == ["patch-conflict"], errors
    assert "Ann" in errors[0].message
    assert "Ben" in errors[0].message
    ben = 2 + hack("Ann", one).count("\n")
    assert errors[0].span.line < ben <= errors[0].labels[0].span.line


@pytest.mark.parametrize("name", QUARRELS)
def test_whoever_needs_the_other_has_the_last_word(name: str) -> None:
    one, other = QUARRELS[name]
    made = composed(hack("Ben", other) + hack("Ann", one, "Ben"))
    assert "patch-conflict" not in [each.code for each in made.diagnostics]


@pytest.mark.parametrize("name", QUARRELS)
def test_the_same_said_twice_is_no_quarrel(name: str) -> None:
    one, _ = QUARRELS[name]
    made = composed(hack("Ann", one) + hack("Ben", one))
    assert "patch-conflict" not in [each.code for each in made.diagnostics]


def test_a_third_hack_settles_a_quarrel() -> None:
    two = hack("Ann", LUCK + "- Starts: 1\n") + hack("Ben", LUCK + "- Starts: 2\n")
    assert field(good(two + hack("Cid", LUCK + "- Starts: 9\n", "Ann, Ben")), "pool/luck", "starts") == ("9", (Int(9),))
    half = composed(two + hack("Cid", LUCK + "- Starts: 9\n", "Ann"))
    assert [code for code, _ in codes(half)] == ["patch-conflict"]
    silent = composed(two + hack("Cid", LUCK + "- At Most: 9\n", "Ann, Ben"))
    assert [code for code, _ in codes(silent)] == ["patch-conflict"]


def test_two_answers_to_one_ruling() -> None:
    text = "## reading: Yes\n- Answers: A Question\n" + LUCK + "- Starts: 1\n## reading: No\n- Answers: A Question\n" + LUCK + "- Starts: 2\n"
    assert field(good(text, "small:reading/yes"), "pool/luck", "starts") == ("1", (Int(1),))
    both = composed(text)
    assert [code for code, _ in codes(both)] == ["patch-conflict"]
    assert "A Question" in both.diagnostics[0].message


# ---------------------------------------------------------------- no order shows

MANY = (
    "".join(hack(name, text) for name, text in zip(("Ann", "Ben"), QUARRELS["two sentences"], strict=True))
    + hack("Cid", LUCK + '- Starts: 1 more\n### changes procedure: Leap\n- Go:\n  - Cat after Way: the gm says "c"\n')
    + hack("Dan", LUCK + '- Starts: 8\n### changes procedure: Leap\n- Go:\n  - Dog after Way: the gm says "d"\n', "Cid")
    + hack(
        "Eve",
        '### renames trick: Jump\n- To: "Bound"\n### deletes trick: Whisper\n### changes procedure: Leap\n- Go:\n  - Eel before Deep: the gm says "e"\n',
    )
)


def same(one: Composed, other: Composed) -> bool:
    return one.system.entries == other.system.entries and one.diagnostics == other.diagnostics and one.system.kinds == other.system.kinds


def test_the_order_of_switching_on_does_not_show() -> None:
    system = system_of(MANY)
    ids = [entry.id for entry in system.of_kind("hack")]
    first = compose(system, ids)
    assert len(ids) == 5
    assert [one.code for one in first.diagnostics] == ["patch-conflict"]
    for order in permutations(ids):
        assert same(compose(system, order), first)


def test_the_order_of_entries_does_not_show() -> None:
    system = system_of(MANY)
    ids = [entry.id for entry in system.of_kind("hack")]
    first = compose(system, ids)
    for hacks in permutations(ids):
        rest = [id for id in system.entries if id not in ids]
        mixed = replace(system, entries={id: system.entries[id] for id in (*hacks[:2], *reversed(rest), *hacks[2:])})
        assert same(compose(mixed, ids), first)


def test_composing_twice_changes_nothing_more() -> None:
    once = good(MANY.replace("the gm gains 3 Doom", "the gm gains 2 Doom"))
    assert compose(once).system.entries == once.entries


# ---------------------------------------------------------------- the shipped pack


def core() -> System:
    return as_written("srd-core")


def with_needs(system: System, id: str) -> set[str]:
    return {id}.union(
        *(
            with_needs(system, atom.id)
            for atom in (system.entries[id].fields["needs"].value if "needs" in system.entries[id].fields else ())
            if isinstance(atom, Thing)
        )
    )


def switches(kind: str) -> list[str]:
    return [entry.id for entry in core().of_kind(kind)]


def test_no_hack_and_every_hack_and_reading_alone() -> None:
    assert compose(core()).diagnostics == []
    assert len(switches("hack")) >= 7
    for id in (*switches("hack"), *switches("reading")):
        made = compose(core(), with_needs(core(), id))
        assert [one.message for one in made.diagnostics if one.severity == "error"] == [], id
        consistent(made.system)


def test_every_reading_changes_something() -> None:
    plain_game = compose(core()).system.entries
    for id in switches("reading"):
        waiting = [one for one in operations(core().entries[id], core()) if one.target not in plain_game]
        assert waiting or compose(core(), [id]).system.entries != plain_game, id


def hacks(*names: str) -> list[str]:
    return [f"srd-core:hack/{name}" for name in names]


def test_two_hacks_for_the_same_rules_quarrel_and_the_third_settles_it() -> None:
    both = hacks("keep-for-points", "party-skill", "morale")
    made = compose(core(), both)
    assert [one.code for one in made.diagnostics] == ["patch-conflict", "patch-conflict"]
    for one, rule in zip(made.diagnostics, ("Adventure From Sixes", "Tension From Ones"), strict=True):
        assert all(name in one.message for name in ("Keep For Points", "Party Skill", rule))
    settled = compose(core(), [*both, *hacks("party-skill-with-kept-dice")])
    assert settled.diagnostics == []
    sixes = settled.system.entries["srd-core:rule/adventure-from-sixes"]
    assert lines(sixes) == [
        "Sixes: after a roll by a character: if the character's mode is Alone: the group gains 1 Morale for each die showing 6 in the character's roll"
    ]


def test_all_other_hacks_go_together() -> None:
    for id in switches("hack"):
        if id not in hacks("party-skill", "party-skill-with-kept-dice"):
            made = compose(core(), {*hacks("keep-for-points", "morale"), id})
            assert [one.message for one in made.diagnostics if one.severity == "error"] == []


# ---------------------------------------------------------------- packs


def pack(folder: Path, head: str, hacks: str) -> list[tuple[str, str, int]]:
    """What is said of a pack with these lines in its head, and these hacks."""
    (folder / "rules").mkdir(parents=True)
    (folder / "pack.yaml").write_text(f"id: {folder.name}\ntitle: A Game\nversion: 1.0.0\n{head}", encoding="utf-8")
    (folder / "rules/01-base.te").write_text(BASE, encoding="utf-8")
    (folder / "rules/02-hacks.te").write_text("# Hacks\n" + hacks, encoding="utf-8")
    loaded = load(str(folder))
    assert loaded.system is not None
    return [
        (one.code, one.span.file.rpartition("/")[2], one.span.line)
        for one in loaded.diagnostics
        if one.code not in ("unused-definition", "spent-never-gained")
    ]


ANN_AND_BEN = hack("Ann", LUCK + "- Starts: 1\n") + hack("Ben", LUCK + "- Starts: 2\n")


def test_a_pack_is_told_of_its_switches(tmp_path: Path) -> None:
    assert pack(tmp_path / "one", "hacks: [ann]\n", ANN_AND_BEN) == []
    assert pack(tmp_path / "two", "hacks:\n  - Ann\n  - Bob\n", ANN_AND_BEN) == [("unknown-hack", "pack.yaml", 6)]
    assert pack(tmp_path / "three", "hacks: [Ann, Ben]\n", ANN_AND_BEN) == [("patch-conflict", "pack.yaml", 4)]


def test_a_ruling_is_read_otherwise(tmp_path: Path) -> None:
    reading = "## reading: Yes\n- Answers: A Question\n" + LUCK + "- Starts: 1\n"
    assert pack(tmp_path / "one", "rulings:\n  A Question: Yes\n", reading) == []
    system = load(str(tmp_path / "one")).system
    assert system is not None
    assert switched_on(system) == ("one:reading/yes",)
    assert pack(tmp_path / "two", "rulings:\n  A Question: Maybe\n", reading) == [("unknown-hack", "pack.yaml", 5)]


def test_a_hack_that_is_off_is_tried_too(tmp_path: Path) -> None:
    assert pack(tmp_path / "one", "", leap("- Ready:\n  - Breath: nothing\n")) == [("lost-otherwise", "02-hacks.te", 5)]


def test_what_a_required_pack_has_on_is_on() -> None:
    system = core()
    info = replace(system.pack, hacks=("Morale",), rulings={"Environment Tie": "The World Holds"})
    above = PackInfo(id="mine", title="Mine", version="1.0.0", hacks=("Advancement",), rulings={"Environment Tie": "The Character Holds"})
    both = replace(system, packs=(info, above))
    assert set(switched_on(both)) == {*hacks("morale", "advancement"), "srd-core:reading/the-character-holds"}


# ---------------------------------------------------------------- names that people write

NOWHERE = Span("pack.yaml", 1, 1, 1)


def wished(*wishes: str) -> tuple[tuple[str, ...], list[tuple[str, str]]]:
    findings = Findings()
    return chosen(core(), [(wish, NOWHERE) for wish in wishes], findings), [(one.message, one.help) for one in findings]


def test_names_slugs_and_ids() -> None:
    for wish in ("Keep For Points", "keep for points", "keep-for-points", "srd-core:hack/keep-for-points"):
        assert wished(wish) == (tuple(hacks("keep-for-points")), [])
    for wish in ("environment-tie=the-character-holds", "Environment Tie = The Character Holds", "The Character Holds"):
        assert wished(wish) == (("srd-core:reading/the-character-holds",), [])


def test_unknown_names() -> None:
    assert wished("Keep For Point") == ((), [("there is no hack called `Keep For Point`", "did you mean `Keep For Points`?")])
    assert wished("environment-ties=x")[1] == [("there is no ruling called `environment-ties`", "did you mean `Environment Tie`?")]
    assert wished("environment-tie=x")[1] == [("there is no reading of Environment Tie called `x`", "there is the-character-holds, the-world-holds")]


# ---------------------------------------------------------------- numbers in prose

PRINTED = """\
## rule: Plenty
Nobody begins with more than {Luck's start} Luck, and a gift never rises above {Might's most}.
- Plenty: after gain of Doom: each hero gains 1 Luck
## procedure: Walk
- Roles: a hero as the walker
1. Go. It takes {Luck's start} hours.
   - Go: the walker loses 1 Luck
## table: Odds

| d6  | row  | text                  | effect               |
|-----|------|-----------------------|----------------------|
| 1-6 | Even | The {Luck's start} of us. | the gm gains 1 Doom |

# Numbers
A hero has {Luck's start} Luck, and the Ogre {Ogre's Teeth} teeth.

| What | How many       |
|------|----------------|
| Luck | {Luck's start} |

"""


def test_prose_prints_the_numbers_of_the_game_and_not_of_the_page() -> None:
    system = good(
        PRINTED
        + hack("Rich", "### changes pool: Luck\n- Starts: 7\n### changes kind: gift\n- At Most: 9\n### changes monster: Ogre\n- Teeth: 2 more\n")
    )
    rule, walk, odds = (system.entries[f"small:{id}"] for id in ("rule/plenty", "procedure/walk", "table/odds"))
    assert plain(rule.prose[0].words).startswith("Nobody begins with more than 7 Luck, and a gift never rises above 9.")
    assert plain(walk.steps[0].prose) == "It takes 7 hours." and odds.table is not None
    assert plain(odds.table.rows[0].cells["text"].words) == "The 7 of us."
    numbers = next(one for one in system.chapters if one.title == "Numbers")
    assert [plain(item.words).strip() for item in numbers.items if isinstance(item, Prose)] == ["A hero has 7 Luck, and the Ogre 6 teeth."]
    assert [plain(row[1]) for item in numbers.items if isinstance(item, Grid) for row in item.rows] == ["7"]


def test_prose_prints_a_formula_in_words_and_the_number_of_a_successor() -> None:
    system = good(PRINTED + hack("Rich", "### changes pool: Luck\n- Starts: number of heroes\n"))
    assert plain(system.entries["small:procedure/walk"].steps[0].prose) == "It takes number of heroes hours."
    system = good(PRINTED + "## pool: Hope\n- Of: a hero\n- Starts: 5\n- At Least: 0\n" + hack("Hope", "### deletes pool: Luck\n- Successor: Hope\n"))
    assert plain(system.entries["small:procedure/walk"].steps[0].prose) == "It takes 5 hours."


# ---------------------------------------------------------------- who speaks of whom


def test_who_uses_what_is_that_of_the_game() -> None:
    text = (
        hack("Change", "### changes pool: Doom\n- Grow: after gain of Luck: each hero takes Jump\n### changes monster: Ogre\n- Tricks: Hide\n")
        + "## rule: Echo\n- Echo: after gain of Doom: each hero takes Whisper\n"
    )
    before, after = composed(text, "none").system, good(text)
    assert "small:monster/ogre" in before.users["small:trick/jump"] and "small:pool/doom" not in before.users["small:trick/jump"]
    assert "small:monster/ogre" not in after.users["small:trick/jump"] and "small:pool/doom" in after.users["small:trick/jump"]
    assert "small:rule/echo" in after.users["small:pool/doom"]
    for entry in after.entries.values():
        if entry.kind != "hack":
            assert {id for id, users in after.users.items() if entry.id in users} == {
                id for id in mentioned(entry) if id.partition("#")[0] in after.entries
            }


def test_what_a_successor_makes_of_a_value_of_the_kind_is_told() -> None:
    text = (
        "## kind: gadget\n- Is: an entry\n\n| label | holds   | default | text |\n|-------|---------|---------|------|\n| Needs Of | a trick | Whisper | what |\n\n## gadget: Horn\n"
        + hack("Loud", "### deletes trick: Whisper\n- Successor: Jump\n")
    )
    system = system_of(text)
    historian = Historian(system, ["small:hack/loud"])
    chain = historian.chain(system.entries["small:gadget/horn"], ("needs-of",), "Needs Of")
    assert [(one.by, one.after) for one in chain.events] == [("small:kind/gadget", "Whisper"), ("small:hack/loud", "Jump")]
