"""Every operation on every sort of definition: what a hack can do to it, and what is said where it cannot.

A row is a patch and what stands at a place afterwards, in words. Rows that end in a code are refused with it.
"""

from __future__ import annotations

import pytest
from test_compose import BASE, INFO, consistent

from te_forge.check import check
from te_forge.compose import Composed, compose, trial
from te_forge.compose.chapters import with_chapters
from te_forge.compose.finding import find
from te_forge.compose.history import Historian, at_place
from te_forge.compose.mentions import leaning_on
from te_forge.diagnostics import Diagnostic
from te_forge.model.system import Prose, System
from te_forge.source import Source

MORE = """
# More
What the cave knows.
## kind: gadget
- Is: an entry

| label  | holds    | default | text     |
|--------|----------|---------|----------|
| Damage | dice     | 2 d6    | in a hit |
| Mass   | a number | 2       | carried  |
| Motto  | a text   | "none"  | on it    |

## kind: knack
- Is: a trait of a hero

## knack: Song
Sung well.
- Cost: 2 Luck
- Uses: once per Leap
- Asks: "which song"
- Sing: after Leap ending in Over: the owner gains 1 Luck

## gadget: Club
- Damage: 3 d6
- Motto: "hit"

## deck: Omens
- Cards: 1 to 13
- Copies: 4
- Refills: each Evening

## procedure: Evening
One night.

## procedure: Birth
- Roles: a hero as the child

1. Budget. So much, and no more.
   - Points: the child divides exactly 4 among gifts
   - Choice: the child chooses a knack as the first; the child takes the first
   - Purse: the child gains 2 Luck

## kind: clock
- Is: an entry
- Tracks: Marks

## pool: Marks
- Of: a clock
- Starts: 0

## clock: Bomb

| at | text    | effect               |
|----|---------|----------------------|
| 2  | Faster. | the gm gains 1 Doom  |
| 3  | It ends. | the gm gains 2 Doom |

## rule: Echo
Twice.
- Uses: 3 times per Leap
- Say: after gain of Doom: each hero loses 1 Luck
"""


def system_with(hacks: str) -> System:
    made, said = check([Source("base.te", BASE + MORE), Source("hacks.te", "# Hacks\n" + hacks)], INFO)
    assert made is not None
    assert [one.message for one in said if one.severity == "error"] == []
    return made


def with_hacks(hacks: str) -> tuple[System, Composed]:
    system = system_with(hacks)
    return system, compose(system, [entry.id for entry in system.of_kind("hack")])


def said_of(text: str) -> list[Diagnostic]:
    """Whatever is wrong with hacks, found by the checker or in composing."""
    made, said = check([Source("base.te", BASE + MORE), Source("hacks.te", "# Hacks\n" + text)], INFO)
    wrong = [one for one in said if one.severity == "error"]
    if wrong or made is None:
        return wrong
    return [one for one in compose(made, [entry.id for entry in made.of_kind("hack")]).diagnostics if one.severity != "note"]


def alone(patch: str) -> str:
    return "## hack: One\n" + patch


# ---------------------------------------------------------------- what can be done

GOOD = {
    # numbers
    "number, set": ("### changes pool: Luck\n- Starts: 7\n", "Luck.Starts", "7"),
    "number, set for the first time": ("### changes pool: Luck\n- At Most: 7\n", "Luck.At Most", "7"),
    "number, unset": ("### changes pool: Doom\n- At Most: nothing\n", "Doom.At Most", None),
    "number, more": ("### changes pool: Luck\n- Starts: 2 more\n", "Luck.Starts", "5"),
    "number, less": ("### changes pool: Luck\n- Starts: 2 less\n", "Luck.Starts", "1"),
    "number, times": ("### changes pool: Luck\n- Starts: 3 times as much\n", "Luck.Starts", "9"),
    "number, percent": ("### changes pool: Luck\n- Starts: 50 percent rounded up\n", "Luck.Starts", "2"),
    "number, at least": ("### changes pool: Luck\n- Starts: at least 4\n", "Luck.Starts", "4"),
    "number, at most": ("### changes pool: Luck\n- Starts: at most 2\n", "Luck.Starts", "2"),
    "number of a row, from its kind": ("### changes gift: Might\n- Starts: 1 more\n", "Might.Starts", "3"),
    "number of all of a kind": ("### changes kind: gift\n- Starts: 1 more\n", "gift.Starts", "3"),
    "formula, more": ("### changes pool: Doom\n- Starts: 1 more\n", "Doom.Starts", "(greater of number of heroes and 2) + 1"),
    "number, a line put in": (
        "### changes pool: Doom\n- Fall after Grow: after gain of Luck: the gm loses 1 Doom\n",
        "Doom.Fall",
        "after gain of Luck: the gm loses 1 Doom",
    ),
    "price, more": ("### changes knack: Song\n- Cost: 1 more\n", "Song.Cost", "3 Luck"),
    "limit, more": ("### changes knack: Song\n- Uses: 1 more\n", "Song.Uses", "2 times per Leap"),
    "limit, less": ("### changes rule: Echo\n- Uses: 2 less\n", "Echo.Uses", "once per Leap"),
    "dice, set": ("### changes gadget: Club\n- Damage: 4 d6\n", "Club.Damage", "4 d6"),
    "declared number, more": ("### changes gadget: Club\n- Mass: 1 more\n", "Club.Mass", "3"),
    # texts
    "text field, set": ('### changes gadget: Club\n- Motto: "run"\n', "Club.Motto", '"run"'),
    "text field, unset": ("### changes knack: Song\n- Asks: nothing\n", "Song.Asks", None),
    "prose of a thing": ("### changes knack: Song\nHummed.\n", "Song.text", "Hummed."),
    "prose of a procedure": ("### changes procedure: Evening\nA whole week.\n", "Evening.text", "A whole week."),
    "prose of a step": (
        "### changes procedure: Leap\n- Ready:\n  Look twice,\n  and see [[Jump]].\n",
        "Leap.Ready.text",
        "Look twice, and see Jump.",
    ),
    "prose of a step, beside its lines": (
        '### changes procedure: Leap\n- Ready:\n  Look twice.\n  - Look: the leaper says "twice"\n',
        "Leap.Ready.text",
        "Look twice.",
    ),
    "prose of a step that is put in": (
        '### changes procedure: Leap\n- Wait after Ready:\n  Breathe.\n  - Words: the leaper says "well"\n',
        "Leap.Wait.text",
        "Breathe.",
    ),
    "prose of a row": ("### changes trick: Hide\nBadly.\n", "Hide.text", "Badly."),
    "other names": ('### changes pool: Luck\n- Also Called: "Fortune"\n', "Luck.Also Called", '"Fortune"'),
    "ruling": ('### changes ruling: A Question\n- Reads: "thus"\n', "A Question.Reads", '"thus"'),
    # lists of a stat block
    "list, with and without": ("### changes monster: Ogre\n- Tricks: with Whisper, without Jump\n", "Ogre.Tricks", "Hide, Whisper"),
    "list, set": ("### changes monster: Ogre\n- Tricks: Whisper\n", "Ogre.Tricks", "Whisper"),
    "stat block, number": ("### changes monster: Ogre\n- Teeth: 2 less\n", "Ogre.Teeth", "2"),
    "stat block, usual number": ("### changes monster: Worm\n- Teeth: 2 more\n", "Worm.Teeth", "4"),
    "stat block, a rule put in": (
        "### changes monster: Ogre\n- Roar: after gain of Luck: the gm gains 1 Doom\n",
        "Ogre.Roar",
        "after gain of Luck: the gm gains 1 Doom",
    ),
    # rules
    "rule, replaced": (
        "### changes rule: Echo\n- Say: after gain of Doom: each hero loses 2 Luck\n",
        "Echo.Say",
        "after gain of Doom: each hero loses 2 Luck",
    ),
    "rule, removed": ("### changes pool: Doom\n- Grow: nothing\n", "Doom.Grow", None),
    "rule of a trait, replaced": (
        "### changes knack: Song\n- Sing: after Leap ending in Under: the owner gains 1 Luck\n",
        "Song.Sing",
        "after Leap ending in Under: the owner gains 1 Luck",
    ),
    # procedures
    "step, replaced": ('### changes procedure: Leap\n- Ready: the leaper says "now"\n', "Leap.Ready", 'Ready: the leaper says "now"'),
    "step, put in": (
        '### changes procedure: Leap\n- Wait after Ready:\n  - Long: the leaper says "long"\n',
        "Leap.Wait",
        'Long: the leaper says "long"',
    ),
    "step, removed": ("### changes procedure: Fall\n- Drop: nothing\n", "Fall.Drop", None),
    "line of a step, replaced": (
        '### changes procedure: Leap\n- Ready:\n  - Look: the leaper says "there"\n',
        "Leap.Ready.Look",
        'the leaper says "there"',
    ),
    "line of a step, put in": (
        '### changes procedure: Leap\n- Ready:\n  - Sigh after Look: the leaper says "oh"\n',
        "Leap.Ready.Sigh",
        'the leaper says "oh"',
    ),
    "line of a step, removed": ("### changes procedure: Leap\n- Ready:\n  - Look: nothing\n", "Leap.Ready.Look", None),
    "option, replaced": (
        "### changes procedure: Leap\n- Go:\n  - Way:\n    - High: the gm gains 3 Doom\n",
        "Leap.Go.Way.High",
        "the gm gains 3 Doom",
    ),
    "value of a procedure": (
        "### changes procedure: Leap\n\n| value | holds | default | text |\n|---|---|---|---|\n| height | a number | 4 | - |\n",
        "Leap.height",
        "a number, 4 by default",
    ),
    "new value of a procedure": (
        "### changes procedure: Leap\n\n| value | holds | default | text |\n|---|---|---|---|\n| depth | a number | 2 | low |\n",
        "Leap.depth",
        "a number, 2 by default",
    ),
    "outcomes": ("### changes procedure: Leap\n- Outcomes: Over, Under, Around\n", "Leap.Outcomes", "Over, Under, Around"),
    # making somebody
    "creation budget": (
        "### changes procedure: Birth\n- Budget:\n  - Points: the child divides exactly 6 among gifts\n",
        "Birth.Budget.Points",
        "the child divides exactly 6 among gifts",
    ),
    "creation, a choice more": (
        "### changes procedure: Birth\n- Budget:\n  - Second after Choice: the child chooses a knack as the second; the child takes the second\n",
        "Birth.Budget.Second",
        "the child chooses a knack as the second; the child takes the second",
    ),
    # tables and clocks
    "row, by name": (
        "### changes table: Weather\n\n| row | text | effect |\n|---|---|---|\n| Sun | Hot. | - |\n",
        "Weather.Sun",
        "3-5 Sun: Hot. | each hero gains 1 Luck",
    ),
    "row, its effect taken away": (
        "### changes table: Weather\n\n| row | text | effect |\n|---|---|---|\n| Sun | - | nothing |\n",
        "Weather.Sun",
        "3-5 Sun: Warm. | -",
    ),
    "rows, by their faces": (
        "### changes table: Weather\n\n| d6 | row | text | effect |\n|---|---|---|---|\n| 1-5 | Fog | Grey. | - |\n",
        "Weather.4",
        "1-5 Fog: Grey. | -",
    ),
    "clock, a row replaced": (
        "### changes clock: Bomb\n\n| at | text | effect |\n|---|---|---|\n| 3 | Boom. | the gm gains 5 Doom |\n",
        "Bomb.3",
        "3: Boom. | the gm gains 5 Doom",
    ),
    "clock, a row put in": (
        "### changes clock: Bomb\n\n| at | text | effect |\n|---|---|---|\n| 5 | Late. | the gm gains 1 Doom |\n",
        "Bomb.5",
        "5: Late. | the gm gains 1 Doom",
    ),
    "clock, a row taken out": ("### changes clock: Bomb\n\n| at | text | effect |\n|---|---|---|\n| 2 | nothing | nothing |\n", "Bomb.2", None),
    # decks and kinds
    "deck": ("### changes deck: Omens\n- Cards: 1 to 5\n- Copies: 2 more\n", "Omens.Copies", "6"),
    "deck, cards": ("### changes deck: Omens\n- Cards: 1 to 5\n", "Omens.Cards", "1 to 5"),
    "kind, a declared field": (
        "### changes kind: monster\n\n| label | holds | default | text |\n|---|---|---|---|\n| Teeth | a number | 8 | - |\n",
        "kind/monster.Teeth",
        "a number, 8 by default",
    ),
    "kind, a new field": (
        "### changes kind: monster\n\n| label | holds | default | text |\n|---|---|---|---|\n| Eyes | a number | 3 | seen |\n",
        "kind/monster.Eyes",
        "a number, 3 by default",
    ),
    "kind, its plural": ('### changes kind: gadget\n- Plural: "gear"\n', "kind/gadget.Plural", '"gear"'),
}


def place(system: System, what: str) -> tuple[str, tuple[str, ...]]:
    found = find(what, Historian(system, []))
    assert found.path is not None
    return found.entry.id, found.path


@pytest.mark.parametrize("name", GOOD)
def test_what_a_hack_can_do(name: str) -> None:
    patch, what, words = GOOD[name]
    system, made = with_hacks(alone(patch))
    assert [one.message for one in made.diagnostics] == []
    consistent(made.system)
    id, path = place(system, what)
    after = place(made.system, what)[1] if what[-1].isdecimal() and words is not None else path
    assert at_place(made.system.entries[id], after) == words
    assert at_place(system.entries[id], path) != words


@pytest.mark.parametrize("name", GOOD)
def test_explain_tells_it_with_its_place(name: str) -> None:
    """Provenance: the hack, the line of the patch, and the value from there on."""
    patch, what, words = GOOD[name]
    system = system_with(alone(patch))
    id, path = place(system, what)
    *_, event = [one for one in Historian(system, ["small:hack/one"]).chain(system.entries[id], path, what).events if one.by == "small:hack/one"]
    assert event.after == (words if words is not None else "nothing")
    assert event.span.file == "hacks.te" and 3 < event.span.line <= 3 + patch.count("\n")


def test_things_are_deleted_replaced_and_renamed() -> None:
    for kind, name, other in (
        ("trick", "Jump", "Hide"),
        ("gift", "Wit", "Might"),
        ("pool", "Luck", "Marks"),
        ("knack", "Song", ""),
        ("monster", "Worm", ""),
        ("rule", "Echo", ""),
        ("deck", "Omens", ""),
        ("table", "Weather", ""),
        ("clock", "Bomb", ""),
        ("ruling", "A Question", ""),
        ("procedure", "Fall", ""),
    ):
        system, made = with_hacks(alone(f"### deletes {kind}: {name}\n" + (f"- Successor: {other}\n" if other else "")))
        assert [one.message for one in made.diagnostics if one.severity == "error"] == [], name
        assert len(system.entries) - len(made.system.entries) == 1
        _, made = with_hacks(alone(f'### renames {kind}: {name}\n- To: "New Name"\n'))
        assert [one.message for one in made.diagnostics if one.severity == "error"] == [], name
        [entry] = [one for one in made.system.entries.values() if one.name == "New Name"]
        assert entry.id == next(one.id for one in system.entries.values() if one.kind == kind and one.name == name)


# ---------------------------------------------------------------- what cannot

LUCK = "### changes pool: Luck\n"
BAD = {
    "no such thing": ("### changes pool: Luk\n- Starts: 1\n", "unknown-target", "did you mean `Luck`?"),
    "no such kind": ("### changes poool: Luck\n- Starts: 1\n", "unknown-kind", "write `pool`"),
    "no such field": (LUCK + "- Startz: 1\n", "unknown-field", "did you mean `Starts`?"),
    "no such member": ("### changes monster: Ogre\n- Tricks: with Jmp\n", "unknown-name", "did you mean `Jump`?"),
    "no such line": ('### changes procedure: Leap\n- Ready:\n  - Lok: the leaper says "x"\n', "unknown-target", "did you mean `Look`"),
    "no such step": ("### changes procedure: Leap\n- Redy: nothing\n", "unknown-target", "Ready"),
    "no such neighbour": ('### changes procedure: Leap\n- Ready:\n  - New after Lok: the leaper says "x"\n', "unknown-target", "did you mean `Look`"),
    "no such row": (
        "### changes table: Weather\n\n| row | text | effect |\n|---|---|---|\n| Suns | Hot. | - |\n",
        "unknown-target",
        "did you mean `Sun`?",
    ),
    "a number that is none": ("### changes gadget: Club\n- Damage: 1 more\n", "wrong-type", "state it anew"),
    "a field that is not stated": (LUCK + "- At Most: 1 more\n", "unknown-target", "state it anew"),
    "rows with a gap": ("### changes table: Weather\n\n| d6 | row | text | effect |\n|---|---|---|---|\n| 4 | Sun | Hot. | - |\n", "range-gap", ""),
    "nothing new, a value": (LUCK + "- Starts: 3\n", "idle-patch", "leave the line out"),
    "nothing new, a sum": (LUCK + "- Starts: 0 more\n", "idle-patch", "leave the line out"),
    "nothing new, a line": ('### changes procedure: Leap\n- Ready:\n  - Look: the leaper says "how far"\n', "idle-patch", "leave the line out"),
    "nothing new, a row": (
        "### changes table: Weather\n\n| row | text | effect |\n|---|---|---|\n| Sun | Warm. | - |\n",
        "idle-patch",
        "leave the line out",
    ),
    "nothing new, prose": ("### changes knack: Song\nSung well.\n", "idle-patch", "leave the line out"),
    "nothing new, a member": ("### changes monster: Ogre\n- Tricks: with Hide\n", "idle-patch", "leave the line out"),
    "a successor of a kind": ("### deletes kind: gadget\n- Successor: a knack\n", "fixed-kind", "delete the things of this kind"),
    "a kind with things": ("### deletes kind: gadget\n", "still-used", "delete or change these too"),
    "a kind with two words for a name": ('### renames kind: gadget\n- To: "Small Tool"\n', "kind-name", "hyphen"),
    "a kind with a word of the language for a name": ('### renames kind: gadget\n- To: "number"\n', "odd-name", "another word"),
    "a kind with a name that is taken": ('### renames kind: gadget\n- To: "knack"\n', "duplicate-name", ""),
    "a kind that becomes something else": ("### changes kind: gadget\n- Is: an actor\n", "fixed-kind", ""),
    "an article for a name": ('### renames trick: Jump\n- To: "The"\n', "odd-name", "The Old Bridge"),
    "two names for one": ('### renames trick: Jump\n- To: "Hop, Skip"\n', "odd-name", "without it"),
    "a name with signs": ('### renames trick: Jump\n- To: "<b>Hop</b>"\n', "odd-name", "words"),
    "a line like one that the hack brings in": (
        '### changes procedure: Leap\n- Ready:\n  - Aha after Look: the leaper says "a"\n  - Ahb: the leaper says "b"\n',
        "unknown-target",
        "its lines are Breath, Else, Look",
    ),
    "a name that is taken": ('### renames trick: Jump\n- To: "Hide"\n', "duplicate-name", ""),
    "prose of a line": ("### changes pool: Doom\n- Grow:\n  Slowly.\n", "lost-line", "without being set in"),
    "prose of a step that is not there": ("### changes procedure: Leap\n- Redy:\n  Slowly.\n", "unknown-target", "did you mean `Ready`"),
    "prose of a line below a step": ("### changes procedure: Leap\n- Ready:\n  - Look:\n    Slowly.\n", "nothing-below", ""),
    "nothing new, prose of a step": ("### changes procedure: Leap\n- Ready:\n  Look.\n", "idle-patch", "leave the line out"),
    "a step of one's own": ("### changes procedure: Leap\n\n1. Begin. Well.\n", "step-in-patch", "to change one, name it"),
    "an otherwise without its if": ("### changes procedure: Leap\n- Ready:\n  - Breath: nothing\n", "lost-otherwise", ""),
}


@pytest.mark.parametrize("name", BAD)
def test_what_a_hack_cannot_do(name: str) -> None:
    patch, code, help = BAD[name]
    found = said_of(alone(patch))
    assert [one.code for one in found] == [code], found
    assert found[0].span.file == "hacks.te" and 3 <= found[0].span.line <= 3 + patch.count("\n")
    assert help in f"{found[0].message}; {found[0].help}"


def test_what_is_deleted_names_every_use() -> None:
    [one] = said_of(alone("### deletes trick: Hide\n"))
    assert one.code == "still-used"
    assert {(label.text, label.span.file) for label in one.labels} == {
        ("Leap, Deeper", "base.te"),
        ("Ogre, Tricks", "base.te"),
        ("Fall, After", "base.te"),
    }


def test_a_pack_that_is_not_required_is_not_there_to_be_changed() -> None:
    [one] = said_of(alone("### changes pool: Gold\n- Starts: 1\n"))
    assert one.code == "unknown-target" and one.message == "there is no pool called `Gold`"


# ---------------------------------------------------------------- chapters


def chapters_with(patch: str) -> dict[str, list[str]]:
    """Titles of chapters, each with its prose and how many things stand in it."""
    _, made = with_hacks(alone(patch))
    assert [one.message for one in made.diagnostics if one.severity != "note"] == []
    assert not any(entry.kind == "chapter" for entry in made.system.entries.values())
    found = {}
    for chapter in made.system.chapters:
        prose = ["".join(map(str, item.words)) for item in chapter.items if isinstance(item, Prose)]
        found[chapter.title] = [*prose, str(len(chapter.items) - len(prose))]
    return found


def test_chapters_are_changed_deleted_and_renamed() -> None:
    before = chapters_with(LUCK + "- Starts: 4\n")
    things = before["More"][-1]
    assert before["More"] == ["What the cave knows.", things]
    assert chapters_with("### changes chapter: More\nWhat the sea knows.\n") == {**before, "More": ["What the sea knows.", things]}
    assert chapters_with("### changes chapter: Parts\nAll of them.\n")["Parts"] == ["All of them.", before["Parts"][-1]]
    assert set(chapters_with("### deletes chapter: More\n")) == set(before) - {"More"}
    renamed = chapters_with('### renames chapter: More\n- To: "Less"\n')
    assert renamed["Less"] == before["More"] and "More" not in renamed


@pytest.mark.parametrize(
    ("patch", "code", "help"),
    [
        ("### changes chapter: Moor\nWet.\n", "unknown-target", "did you mean `More`?"),
        ("### changes chapter: More\n- Starts: 3\n", "unknown-target", "change the things in it by their own names"),
        ("### deletes chapter: More\n- Successor: Parts\n", "unknown-target", "a chapter has nothing but prose and a title"),
        ("### changes chapter: More\nWhat the cave knows.\n", "idle-patch", "leave the line out"),
        ('### renames chapter: More\n- To: "Parts"\n', "duplicate-name", "choose another name"),
    ],
)
def test_what_cannot_be_done_to_a_chapter(patch: str, code: str, help: str) -> None:
    [one] = said_of(alone(patch))
    assert one.code == code and help in f"{one.message}; {one.help}"


def test_the_title_of_a_chapter_is_no_word_of_the_rules() -> None:
    _, made = with_hacks(alone('### renames chapter: Parts\n- To: "Luck"\n'))
    assert made.system.entries["small:pool/luck"].name == "Luck"


# ---------------------------------------------------------------- two hacks


def both(one: str, other: str, needs: str = "") -> str:
    return f"## hack: One\n{one}## hack: Other\n{needs}{other}"


TWO = {
    "numbers": (LUCK + "- Starts: 1\n", LUCK + "- Starts: 2\n"),
    "texts": ('### changes gadget: Club\n- Motto: "a"\n', '### changes gadget: Club\n- Motto: "b"\n'),
    "prose": ("### changes knack: Song\nLow.\n", "### changes knack: Song\nHigh.\n"),
    "prices": ("### changes knack: Song\n- Cost: 1 Luck\n", "### changes knack: Song\n- Cost: 3 Luck\n"),
    "limits": ("### changes knack: Song\n- Uses: 2 times per Leap\n", "### changes knack: Song\n- Uses: 3 times per Leap\n"),
    "rules": ("### changes rule: Echo\n- Say: after gain of Doom: each hero loses 2 Luck\n", "### changes rule: Echo\n- Say: nothing\n"),
    "lines of a step": (
        '### changes procedure: Leap\n- Ready:\n  - Look: the leaper says "a"\n',
        '### changes procedure: Leap\n- Ready:\n  - Look: the leaper says "b"\n',
    ),
    "a step and a line in it": (
        '### changes procedure: Leap\n- Ready: the leaper says "a"\n',
        '### changes procedure: Leap\n- Ready:\n  - Sigh after Look: the leaper says "b"\n',
    ),
    "steps": ("### changes procedure: Fall\n- Drop: nothing\n", "### changes procedure: Fall\n- Drop:\n  - Drop: the faller loses 1 Luck\n"),
    "creation budgets": tuple(f"### changes procedure: Birth\n- Budget:\n  - Points: the child divides exactly {n} among gifts\n" for n in (5, 6)),
    "rows": tuple(f"### changes table: Weather\n\n| row | text | effect |\n|---|---|---|\n| Sun | {text}. | - |\n" for text in ("Hot", "Hotter")),
    "rows of a clock": tuple(f"### changes clock: Bomb\n\n| at | text | effect |\n|---|---|---|\n| 3 | {text}. | - |\n" for text in ("Boom", "Bang")),
    "fields of a kind": tuple(
        f"### changes kind: monster\n\n| label | holds | default | text |\n|---|---|---|---|\n| Teeth | a number | {n} | - |\n" for n in (7, 8)
    ),
    "values of a procedure": tuple(
        f"### changes procedure: Leap\n\n| value | holds | default | text |\n|---|---|---|---|\n| height | a number | {n} | - |\n" for n in (7, 8)
    ),
    "members": ("### changes monster: Ogre\n- Tricks: with Whisper\n", "### changes monster: Ogre\n- Tricks: without Whisper, without Hide\n"),
    "names": ('### renames trick: Jump\n- To: "Bound"\n', '### renames trick: Jump\n- To: "Hop"\n'),
    "one deletes what the other changes": ("### deletes rule: Echo\n", "### changes rule: Echo\n- Uses: 1 more\n"),
    "chapters": ("### changes chapter: More\nDry.\n", "### changes chapter: More\nWet.\n"),
    "a chapter that the other deletes": ("### changes chapter: More\nDry.\n", "### deletes chapter: More\n"),
    "titles of chapters": ('### renames chapter: More\n- To: "Less"\n', '### renames chapter: More\n- To: "Much"\n'),
    "texts of a step": ("### changes procedure: Leap\n- Ready:\n  Fast.\n", "### changes procedure: Leap\n- Ready:\n  Slow.\n"),
    "the text of a step that the other removes": (
        "### changes procedure: Fall\n- Drop:\n  Fast.\n",
        "### changes procedure: Fall\n- Drop: nothing\n",
    ),
    "texts of a step that both put in": tuple(f"### changes procedure: Leap\n- Wait after Ready:\n  {text}.\n" for text in ("Long", "Short")),
    "decks": ("### changes deck: Omens\n- Cards: 1 to 5\n", "### changes deck: Omens\n- Cards: 1 to 6\n"),
}


@pytest.mark.parametrize("name", TWO)
@pytest.mark.parametrize("turned", [False, True])
def test_two_hacks_that_differ_are_named_with_both_places(name: str, turned: bool) -> None:
    one, other = TWO[name][::-1] if turned else TWO[name]
    conflicts = [found for found in said_of(both(one, other)) if found.code == "patch-conflict"]
    assert conflicts
    border = 4 + one.count("\n")
    for found in conflicts:
        assert "One" in found.message and "Other" in found.message
        assert found.span.line < border <= min(label.span.line for label in found.labels)


@pytest.mark.parametrize("name", TWO)
def test_who_needs_the_other_has_the_last_word(name: str) -> None:
    one, other = TWO[name]
    assert "patch-conflict" not in {found.code for found in said_of(both(one, other, "- Needs: One\n"))}


@pytest.mark.parametrize("name", TWO)
def test_the_same_twice_is_fine_and_not_called_idle(name: str) -> None:
    one = TWO[name][0]
    assert {found.code for found in said_of(both(one, one))} <= {found.code for found in said_of(alone(one))}


def test_who_settles_what_is_no_quarrel_is_told() -> None:
    """A hack that needs two others and says again what both of them say is a resolution that nobody needs."""
    two = "## hack: Ann\n" + LUCK + "- Starts: 5\n## hack: Ben\n" + LUCK + "- Starts: {}\n"
    third = "## hack: Cid\n- Needs: Ann, Ben\n" + LUCK + "- Starts: 5\n"
    assert [one.code for one in said_of(two.format(5) + third)] == ["idle-patch"]
    assert said_of(two.format(6) + third) == []
    assert [one.code for one in said_of(two.format(6))] == ["patch-conflict"]


# ---------------------------------------------------------------- words that lose their value


def test_a_word_that_nothing_sets_any_more() -> None:
    base = "## procedure: Toss\n- Roles: a hero as the thrower\n\n1. Throw. Far.\n   - Base: the reach is 2\n   - Roll: the thrower rolls 1 d6 as the toss\n2. See. How far.\n   - Sum: the thrower gains Luck equal to the reach\n"
    gone = "## hack: One\n### changes procedure: Toss\n- Throw:\n  - Base: nothing\n"
    [one] = said_of(base + gone)
    assert one.code == "still-used" and "Toss speaks of `the reach`, and nothing gives it a value any more" in one.message
    assert [label.text for label in one.labels] == ["Toss, Sum"]
    example = "## example: Two\n- Ann: a hero\n1. Toss.\n   - do Toss with Ann as the thrower as the end\n   - expect the end's reach is 2\n"
    assert [label.text for label in said_of(base + gone + example)[0].labels] == ["Toss, Sum", "Two"]
    assert said_of(base + gone + "- See:\n  - Sum: the thrower gains 1 Luck\n") == []
    assert said_of(base + gone.replace("Base: nothing", "Base: the reach is 3")) == []


TOSS = """## procedure: Toss
- Roles: a hero as the thrower
- Outcomes: Far, Near

1. Throw. Far.
   - Base: the reach is 2
   - Roll: the thrower rolls 1 d6 as the toss
2. See. How far.
   - Sum: the thrower gains Luck equal to the reach
   - End: end with Far
"""
FLOWS = {
    "set on one path only": ("Base: if the thrower has Jump: the reach is 3", "maybe-unset"),
    "set on both paths": (
        "Base: nothing\n  - Well after Roll: if the thrower has Jump: the reach is 3\n  - Ill after Well: otherwise: the reach is 1",
        "",
    ),
    "set, or the end": (
        "Base: nothing\n  - Well after Roll: if the thrower has Jump: the reach is 3\n  - Ill after Well: otherwise: end with Near",
        "",
    ),
    "set by one option": ("Base: the thrower chooses one:\n    - Long: the reach is 3\n    - Short: the thrower loses 1 Luck", "maybe-unset"),
    "set by every option": ("Base: the thrower chooses one:\n    - Long: the reach is 3\n    - Short: the reach is 1", ""),
    "set if somebody likes": ("Base: the thrower may: the reach is 3", "maybe-unset"),
    "read before it is set": (
        "Base: nothing\n- See:\n  - Sum: the thrower gains Luck equal to the reach\n  - Late after Sum: the reach is 3",
        "maybe-unset",
    ),
}


@pytest.mark.parametrize("name", FLOWS)
def test_a_word_has_a_value_on_every_path(name: str) -> None:
    line, code = FLOWS[name]
    made, said = check(
        [Source("base.te", BASE + MORE + TOSS), Source("hacks.te", f"# Hacks\n## hack: One\n### changes procedure: Toss\n- Throw:\n  - {line}\n")],
        INFO,
    )
    assert made is not None and [one.message for one in said if one.severity == "error"] == []
    found = [one for one in compose(made, ["small:hack/one"]).diagnostics if one.severity == "error"]
    assert [one.code for one in found] == ([code] if code else [])
    for one in found:
        assert one.span.file == "hacks.te" and one.labels[0].text == ("it gets its value here" if name == "read before it is set" else "Toss, Sum")


EARLY = {
    "beside a line, too early": ("- Throw:\n  - Soon before Base: the thrower gains Luck equal to the reach", 5, "Base"),
    "in a condition": ("- Throw:\n  - Soon before Base: if the reach is above 1: the thrower gains 1 Luck", 5, "Base"),
    "behind a condition": ("- Throw:\n  - Soon before Base: if the thrower has Jump: the thrower gains Luck equal to the reach", 5, "Base"),
    "below another line": ("- Throw:\n  - Soon before Base:\n    - Cheer: the thrower gains Luck equal to sum of the toss", 6, "Roll"),
    "in a step of its own": ("- Warm before Throw:\n  - Cheer: the thrower gains Luck equal to the reach", 5, "Base"),
    "in the place of a line": ("- Throw:\n  - Base: the reach is sum of the toss", 5, "Roll"),
    "as what it becomes": ("- Throw:\n  - Soon before Base: the reach becomes the reach + 1", 5, "Base"),
    "behind the line that gives it": ("- Throw:\n  - Soon after Base: the thrower gains Luck equal to the reach", 0, ""),
    "as a change": ("- Throw:\n  - Soon before Base: the reach is 1 more", 0, ""),
    "behind another line of the hack": (
        "- Throw:\n  - Soon before Base: the width is 1\n  - Then after Soon: the thrower gains Luck equal to the width",
        0,
        "",
    ),
}


@pytest.mark.parametrize("name", EARLY)
def test_a_line_that_reads_a_word_too_early_is_told_with_both_places(name: str) -> None:
    patch, line, giver = EARLY[name]
    made, said = check(
        [Source("base.te", BASE + MORE + TOSS), Source("hacks.te", f"# Hacks\n## hack: One\n### changes procedure: Toss\n{patch}\n")], INFO
    )
    assert made is not None and [one.message for one in said if one.severity == "error" and one.code != "maybe-unset"] == []
    for told in (compose(made, ["small:hack/one"]).diagnostics, trial(with_chapters(made), "small:hack/one")):
        found = [(one.code, one.span.file, one.span.line, [label.span.line for label in one.labels]) for one in told if one.severity == "error"]
        places = [at for at, text in enumerate((BASE + MORE + TOSS).split("\n"), 1) if text.startswith(f"   - {giver}:")][-1:]
        assert found == ([("maybe-unset", "hacks.te", line, places)] if giver else [])


ROUNDS = TOSS.replace("   - Roll:", "   - Rounds: repeat up to 2 times:\n     - Give: the width is 1; the thrower takes Jump\n   - Roll:")


@pytest.mark.parametrize(("line", "told"), [
    ("if the thrower has Jump: the thrower gains Luck equal to the width", 0),
    ("the thrower gains Luck equal to the width", 1),
])  # fmt: skip
def test_a_round_may_read_on_a_condition_what_the_one_before_it_gave(line: str, told: int) -> None:
    hack = f"# Hacks\n## hack: One\n### changes procedure: Toss\n- Throw:\n  - Rounds:\n    - Look before Give: {line}\n"
    made, _ = check([Source("base.te", BASE + MORE + ROUNDS), Source("hacks.te", hack)], INFO)
    assert made is not None
    assert [one.code for one in compose(made, ["small:hack/one"]).diagnostics if one.severity == "error"] == ["maybe-unset"] * told


GUARDED = """## procedure: Toss
- Roles: a hero as the thrower

1. Throw. Far.
   - Base: if the thrower has Jump: the reach is 2
   - Short: otherwise: the thrower loses 1 Luck
   - Roll: the thrower rolls 1 d6 as the toss
2. See. How far.
   - Sum: the thrower gains 1 Luck
"""
READER = (
    "## hack: Reader\n### changes procedure: Toss\n- Throw:\n  - Far after Roll: if the thrower has Jump: the thrower gains Luck equal to the reach\n"
)
HARMLESS = {
    "only prose": "- Throw:\n  Other words.",
    "another line": "- Throw:\n  - Roll: the thrower rolls 2 d6 as the toss",
    "a line of another step": "- See:\n  - Sum: the thrower gains 2 Luck",
    "the line with the word": "- Throw:\n  - Base: if the thrower has Jump: the reach is 3",
}


@pytest.mark.parametrize("order", ["Other", "Zebra"])
@pytest.mark.parametrize("name", HARMLESS)
def test_a_hack_is_not_to_blame_for_what_another_one_reads(name: str, order: str) -> None:
    """The other one reads the word behind the same condition that gives it its value, which nobody here can judge; each hack alone is fine."""
    further = f"## hack: {order}\n### changes procedure: Toss\n{HARMLESS[name]}\n"
    _, made = with_hacks(GUARDED + READER + further)
    assert made.diagnostics == []
    assert len(made.on) == 2


DOUBTED = {
    "where a line that was put in reads it too soon": "if the thrower has Jump: the thrower gains 2 Luck; the thrower gains Luck equal to the reach",
    "in a line of the same words": "the thrower gains Luck equal to the reach",
    "in a line of other words": "the thrower loses Luck equal to the reach",
}


@pytest.mark.parametrize("name", DOUBTED)
def test_a_word_that_is_in_doubt_already_can_be_lost_once_more(name: str) -> None:
    doubter = f"# A\n## hack: Doubter\n### changes procedure: Toss\n- Throw:\n  - Soon before Base: {DOUBTED[name]}\n"
    taker = "# B\n## hack: Taker\n- Needs: Doubter\n### changes procedure: Toss\n- Throw:\n  - Base: if the thrower has Jump: the reach is 4\n"
    made, said = check([Source("base.te", BASE + MORE + TOSS), Source("doubter.te", doubter), Source("taker.te", taker)], INFO)
    assert made is not None and [one.message for one in said if one.severity == "error"] == []
    for on, files in ((["small:hack/doubter"], ["doubter.te"]), (["small:hack/doubter", "small:hack/taker"], ["doubter.te", "taker.te"])):
        found = [one for one in compose(made, on).diagnostics if one.severity == "error"]
        assert [(one.code, one.span.file) for one in found] == [("maybe-unset", file) for file in files]


def test_two_hacks_that_lose_a_word_together_are_told_once() -> None:
    """Either line alone gives the word its value; the last that is taken away is named."""
    base = TOSS.replace("   - Roll:", "   - More: the reach is 3\n   - Roll:")
    taker = "## hack: {}\n### changes procedure: Toss\n- Throw:\n  - {}: if the thrower has Jump: the reach is 4\n"
    made, said = check(
        [Source("base.te", BASE + MORE + base), Source("hacks.te", "# Hacks\n" + taker.format("Ann", "Base") + taker.format("Ben", "More"))], INFO
    )
    assert made is not None, said
    assert [compose(made, [f"small:hack/{one}"]).diagnostics for one in ("ann", "ben")] == [[], []]
    assert [(one.code, one.span.line) for one in compose(made, ["small:hack/ann", "small:hack/ben"]).diagnostics] == [("maybe-unset", 9)]


def test_a_procedure_that_ends_no_more_is_told_of() -> None:
    """`End: end with Far` was its last line; the hack says something else there. Whether it is on or not, and beside another one that is not to
    blame.
    """
    hacks = "# Hacks\n## hack: Endless\n### changes procedure: Toss\n- See:\n  - End: the thrower gains 1 Luck\n## hack: Other\n### changes procedure: Toss\n- Throw:\n  - Roll: the thrower rolls 2 d6 as the toss\n"
    made, said = check([Source("base.te", BASE + MORE + TOSS), Source("hacks.te", hacks)], INFO)
    assert made is not None, said
    for on in (["small:hack/endless"], ["small:hack/endless", "small:hack/other"]):
        assert [(one.code, one.span.line) for one in compose(made, on).diagnostics if one.severity == "error"] == [("no-outcome", 5)]
    assert compose(made, ["small:hack/other"]).diagnostics == []
    assert [one.code for one in trial(with_chapters(made), "small:hack/endless")] == ["no-outcome"]


LATE = {
    "a step behind the end": ("- Rest after See:\n  All rest.\n  - Rest: the thrower gains 1 Luck\n", [("never-reached", 4)]),
    "a line behind the end": ("- See:\n  - Rest after End: the thrower gains 1 Luck\n", [("never-reached", 5)]),
    "a line before the end": ("- See:\n  - Rest before End: the thrower gains 1 Luck\n", []),
    "a step before the end": ("- Rest before See:\n  All rest.\n  - Rest: the thrower gains 1 Luck\n", []),
}


@pytest.mark.parametrize("name", LATE)
def test_what_is_put_in_behind_the_end_is_told_of(name: str) -> None:
    text, expected = LATE[name]
    made, said = check(
        [Source("base.te", BASE + MORE + TOSS), Source("hacks.te", f"# Hacks\n## hack: One\n### changes procedure: Toss\n{text}")], INFO
    )
    assert made is not None, said
    assert [(one.code, one.span.line) for one in compose(made, ["small:hack/one"]).diagnostics] == expected


def test_what_is_taken_away_is_told_where_it_is_taken() -> None:
    rules = "## rule: Eyes\n- Look: after Throw in Toss: the gm gains 1 Doom\n- Cheer: after Toss ending in Far: the gm gains 1 Doom\n"
    hacks = "# Hacks\n## hack: Blind\n### changes procedure: Toss\n- Throw: nothing\n- See:\n  - Sum: the thrower gains 1 Luck\n## hack: Short\n### changes procedure: Toss\n- Outcomes: Near\n- See:\n  - End: end with Near\n"
    made, said = check([Source("base.te", BASE + MORE + TOSS + rules), Source("hacks.te", hacks)], INFO)
    assert made is not None, said
    for name, line, users in (("blind", 4, ["Eyes, Look"]), ("short", 9, ["Eyes, Cheer"])):
        found = [one for one in trial(with_chapters(made), f"small:hack/{name}") if one.severity == "error"]
        assert [(one.code, one.span.file, one.span.line, [label.text for label in one.labels]) for one in found] == [
            ("still-used", "hacks.te", line, users)
        ]


def test_the_hack_that_takes_the_value_is_named_and_no_other() -> None:
    taker = "## hack: Taker\n### changes procedure: Toss\n- Throw:\n  - Base: if the thrower has Jump: the reach is 3\n"
    after = "## hack: Zebra\n### changes procedure: Toss\n- See:\n  - End: end with Near\n"
    made, _ = check([Source("base.te", BASE + MORE + TOSS), Source("hacks.te", "# Hacks\n" + taker + after)], INFO)
    assert made is not None
    [one] = [one for one in compose(made, ["small:hack/taker", "small:hack/zebra"]).diagnostics if one.severity == "error"]
    assert (one.code, one.span.file, one.span.line) == ("maybe-unset", "hacks.te", 5)
    assert [one.code for one in compose(made, ["small:hack/zebra"]).diagnostics] == []


def test_words_of_a_procedure_after_a_patch() -> None:
    """Odds report the numbers that a procedure has at its end; those that a hack brings are among them."""
    base = "## procedure: Toss\n- Roles: a hero as the thrower\n\n1. Throw. Far.\n   - Base: the reach is 2\n   - Roll: the thrower rolls 1 d6 as the toss\n"
    patch = "## hack: One\n### changes procedure: Toss\n- Throw:\n  - Base: nothing\n  - Wide after Roll: the width is 3\n"
    _, made = with_hacks(base + patch)
    toss = made.system.entries["small:procedure/toss"]
    assert {word: type.name for word, type in toss.locals.items()} == {"thrower": "actor", "toss": "dice", "width": "number"}


def test_other_names_are_found_by_those_who_look() -> None:
    _, made = with_hacks(alone('### changes pool: Luck\n- Also Called: "Fortune"\n'))
    assert made.system.entries["small:pool/luck"].aliases == ("Fortune",)


# ---------------------------------------------------------------- what a change expects

EXPECTS = {
    "a number": (LUCK + "- Starts: 5 (was {})\n", "3", "4"),
    "a sum": (LUCK + "- Starts: 2 more (was {})\n", "3", "4"),
    "a formula": ("### changes pool: Doom\n- Starts: 4 (was {})\n", "greater of number of heroes and 2", "2"),
    "a price": ("### changes knack: Song\n- Cost: 1 Luck (was {})\n", "2 Luck", "3 Luck"),
    "a limit": ("### changes knack: Song\n- Uses: 2 times per Leap (was {})\n", "once per Leap", "3 times per Leap"),
    "a text": ('### changes gadget: Club\n- Motto: "run" (was {})\n', '"hit"', '"miss"'),
    "a list": ("### changes monster: Ogre\n- Tricks: with Whisper (was {})\n", "Jump, Hide", "Jump"),
    "a list set": ("### changes monster: Ogre\n- Tricks: Whisper (was {})\n", "Jump, Hide", "Hide"),
    "a usual number": ("### changes monster: Worm\n- Teeth: 5 (was {})\n", "2", "3"),
    "what is unset": ("### changes pool: Doom\n- At Most: nothing (was {})\n", "9", "8"),
    "what the kind says": ("### changes gift: Might\n- At Most: 7 (was {})\n", "5", "6"),
}


@pytest.mark.parametrize("name", EXPECTS)
def test_what_a_change_expects_is_held_against_what_is_there(name: str) -> None:
    patch, right, wrong = EXPECTS[name]
    assert said_of(alone(patch.format(right))) == []
    with_guard, without = (with_hacks(alone(text))[1].system for text in (patch.format(right), patch.replace(" (was {})", "")))
    for id in ("pool/luck", "pool/doom", "monster/ogre", "gadget/club", "knack/song"):
        fields = [{key: (field.words, field.value) for key, field in made.entries[f"small:{id}"].fields.items()} for made in (with_guard, without)]
        assert fields[0] == fields[1]
    [one] = said_of(alone(patch.format(wrong)))
    assert one.code == "stale-patch" and f"was to be `{wrong}` before this change, and is `{right}`" in one.message
    assert (one.span.file, [label.span.file for label in one.labels]) == ("hacks.te", ["base.te"])


def test_what_is_expected_is_what_the_hack_builds_on() -> None:
    first = "## hack: Ann\n" + LUCK + "- Starts: 5\n"
    assert said_of(first + "## hack: Ben\n- Needs: Ann\n" + LUCK + "- Starts: 7 (was 5)\n") == []
    [one] = said_of(first + "## hack: Ben\n- Needs: Ann\n" + LUCK + "- Starts: 7 (was 3)\n")
    assert one.code == "stale-patch"


def test_only_a_change_says_what_was_there() -> None:
    [one] = said_of("## pool: Gold\n- Of: a hero\n- Starts: 5 (was 3)\n")
    assert one.code == "patch-outside-hack"


def test_the_steps_of_a_patch_know_what_its_other_steps_bring_in() -> None:
    hack = "## hack: One\n### changes procedure: Toss\n- Throw:\n  - More after Roll: the bonus is 3\n- See:\n  - Bonus after Sum: the thrower gains Luck equal to the bonus\n"
    made, said = check([Source("base.te", BASE + MORE + TOSS), Source("hacks.te", "# Hacks\n" + hack)], INFO)
    assert made is not None and [one.message for one in said if one.severity == "error"] == []
    assert [one.message for one in compose(made, ["small:hack/one"]).diagnostics if one.severity == "error"] == []
    unset = hack.replace("the bonus is 3", "if the thrower has Jump: the bonus is 3")
    _, said = check([Source("base.te", BASE + MORE + TOSS), Source("hacks.te", "# Hacks\n" + unset)], INFO)
    assert "nothing here is called `the bonus`" in [one.message for one in said]


def test_another_word_in_the_place_of_a_guarded_one_loses_nothing() -> None:
    """The hack reads a word behind the condition under which it has a value, and a reading says the same line in another way."""
    line = "- Throw:\n  - Far after Roll: if the thrower has Jump: the thrower chooses one:\n    - Near: the thrower gains Luck equal to the reach\n    - Wide: the thrower gains 1 Luck\n"
    other = "- Throw:\n  - Far:\n    - Near: the thrower gains Luck equal to the reach + 1\n"
    hack = f"## hack: Reader\n### changes procedure: Toss\n{line}## hack: Zebra\n- Needs: Reader\n### changes procedure: Toss\n{other}"
    _, made = with_hacks(GUARDED + hack)
    assert made.diagnostics == []
    assert len(made.on) == 2


@pytest.mark.parametrize(("needs", "codes"), [("", ["missing-hack"]), ("- Needs: Wet\n", [])], ids=["that it does not name", "that it needs"])
def test_a_hack_that_leans_on_another_one_is_told_of_whether_it_is_on_or_not(needs: str, codes: list[str]) -> None:
    hacks = (
        "# Hacks\n## hack: Wet\n### rule: Puddle\n- Splash: after Toss: the gm gains 1 Doom\n"
        f"## hack: Rain\n{needs}### rule: Drops\n- Drip: after Toss: the gm gains 1 Doom for each die showing 1 in the thrower's toss\n"
        "### changes rule: Puddle\n- Splash: after Toss: the gm gains 2 Doom\n### pool: Mud\n- Of: the gm\n- Starts: 0\n"
        "## hack: Storm\n### rule: Gust\n- Blow: after Toss: the gm gains 1 Mud\n"
    )
    made, said = check(
        [
            Source("base.te", BASE + MORE + TOSS),
            Source("hacks.te", hacks.replace("## hack: Storm\n", f"## hack: Storm\n{needs.replace('Wet', 'Rain')}")),
        ],
        INFO,
    )
    assert made is not None, said
    assert leaning_on(made)["small:hack/storm"] == {"small:hack/rain"}
    assert [one.code for one in trial(with_chapters(made), "small:hack/storm") if one.severity == "error"] == codes
