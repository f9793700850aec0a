"""A first page without its kinds: each kind that is missing is told of once, with how it is declared, and nothing that only follows from it."""

from __future__ import annotations

from te_forge.check import check
from te_forge.model.pack import PackInfo
from te_forge.source import Source

INFO = PackInfo(id="small", title="A Small Game", version="1.0.0", authors=("Ada Example",))
PAGE = """# Diving

## procedure: Test
- Roles: a diver as the diver, a number as the difficulty
- Outcomes: Clean, Failed

1. Choose.
   - Which: the gm chooses an attribute as the attribute
2. Roll.
   - Dice: the diver rolls 2 d10 as the roll
   - Clean: if number of dice showing at most the diver's attribute in the roll is at least the difficulty: end with Clean
   - Failed: otherwise: the diver loses 1 Air; end with Failed

## pool: Air
- Of: a diver
- Starts: 12

## gear: Tank
- Air: the owner's Air is 6 more

## table: Finds

| d6  | row  | text | effect                                                         |
|-----|------|------|----------------------------------------------------------------|
| 1-5 | Silt | .    | for each diver: the gm gains 1 Air                             |
| 6   | Eel  | .    | do Fight with the roller as the divers, the roller as the foes |

## procedure: Fight
- Roles: a group of divers as the divers, a group of divers as the foes

1. Fight.
   - Bite: for each diver in the foes: the diver loses 1 Air
   - Count: if number of foes is 0: each diver gains 1 Air
"""


def said(page: str) -> list[tuple[str, str, str | None]]:
    _, found = check([Source("page.te", page)], INFO)
    return [(one.code, one.message, one.help) for one in found if one.severity == "error"]


def test_each_missing_kind_is_told_of_once() -> None:
    how = ", and below it `- Is: an actor`, `an entry`, or `a number of ..` or `a trait of ..` somebody"
    assert said(PAGE) == [
        ("unknown-kind", "there is no kind called `diver`, and 5 more lines speak of it", f"declare it: `## kind: diver`{how}"),
        (
            "unknown-word",
            "nothing here is called `the gm`, and 1 more line speaks of it",
            "declare the one that there is: `## kind: gm`, and below it `- Is: an actor` and `- How Many: 1`",
        ),
        ("unknown-kind", "there is no kind called `attribute`", f"declare it: `## kind: attribute`{how}"),
        ("unknown-kind", "there is no kind called `pool`", f"declare it: `## kind: pool`{how}"),
        ("unknown-kind", "there is no kind called `gear`", f"declare it: `## kind: gear`{how}"),
        ("unknown-kind", "there is no kind called `foes`", "what is known here is told with its article: `the foes`"),
    ]


KINDS = """
# Kinds
## kind: gm
- Is: an actor
- How Many: 1
## kind: diver
- Is: an actor
## kind: attribute
- Is: a number of a diver
- Starts: 2

| attribute | text     |
|-----------|----------|
| Lungs     | Breath.  |
| Hands     | Doing.   |

## kind: pool
- Is: a number
## kind: gear
- Is: a trait of a diver
"""


def test_a_group_and_a_word_of_another_procedure_are_told_how_to_be_named() -> None:
    page = PAGE + KINDS
    assert ("unknown-kind", "there is no kind called `foes`", "what is known here is told with its article: `the foes`") in said(page)
    part = page + "\n## procedure: Bite\n- Part Of: Fight\n\n1. Bite.\n   - Bite: for each diver in the foes: the diver loses 1 Air\n"
    assert (
        "unknown-word",
        "nothing here is called `the foes`",
        "`Fight` knows it, and hands it over where it runs this one: add it to `- Roles: ..`; or declare it in the `value` table of `Fight`",
    ) in said(part)
