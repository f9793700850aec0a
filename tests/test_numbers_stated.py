"""Where a number stands, nothing else is taken for one: neither dice, nor words, nor a number that somebody else has."""

from __future__ import annotations

import pytest

from te_forge.check import check
from te_forge.model.pack import PackInfo
from te_forge.source import Source

INFO = PackInfo(id="small", title="A Small Game", version="1.0.0", authors=("Ada Example",))
HEAD = """# Parts
## kind: gm
- Is: an actor
- How Many: 1
## kind: hero
- Is: an actor
- Plural: "heroes"
## kind: pool
- Is: a number
## pool: Luck
- Of: a hero
- Starts: 1
## kind: sword
- Is: a trait of a hero

| label | holds    | default | text |
|-------|----------|---------|------|
| Price | a number | 1       | .    |
| Edge  | dice     | 1 d6    | .    |

# More
"""


def said(page: str) -> list[tuple[str, int, str | None]]:
    _, found = check([Source("page.te", HEAD + page)], INFO)
    return [(one.code, one.span.line - HEAD.count("\n"), one.help) for one in found if one.severity == "error"]


@pytest.mark.parametrize(
    ("line", "help"),
    [
        ("- Starts: 2d6", "dice are rolled when somebody is made: `the newcomer rolls 2d6 as the die; the newcomer's .. becomes sum of the die`"),
        ("- At Most: 1 d6", "write a whole number, or a formula"),
        ('- At Least: "six"', "write a whole number, or a formula; words about it are prose"),
        ("- Starts: 1 to 3", "write a whole number, or a formula; words about it are prose"),
        ("- Starts: once per Luck", "write a whole number, or a formula; words about it are prose"),
    ],
)
def test_a_number_is_no_dice_and_no_words(line: str, help: str) -> None:
    found = said(f"## pool: Fuel\n- Of: a hero\n{line}\n")
    assert ("wrong-type", 3, help) in found


def test_a_declared_number_is_no_dice() -> None:
    assert said("## sword: Rust\n- Price: 2 d6\n") == [
        ("wrong-type", 2, "write a number; a field for dice has `dice` below `holds` in its `label` table")
    ]
    assert said("| sword | Price | text |\n|---|---|---|\n| Rust | 1d4 | . |\n")[0][:2] == ("wrong-type", 3)
    assert said("## sword: Rust\n- Price: 2\n- Edge: 2 d6\n") == []


def test_a_formula_speaks_of_what_its_owner_has() -> None:
    assert said("## pool: Fuel\n- Of: the gm\n- Starts: Luck x 2\n") == [
        ("number-of-another", 3, "say of whom: `highest Luck of heroes`, `sum Luck of heroes`; or name a number of a gm")
    ]
    assert said("## pool: Fuel\n- Of: the gm\n- Starts: highest Luck of heroes\n") == []
    assert said("## pool: Fuel\n- Of: a hero\n- Starts: Luck x 2\n") == []
