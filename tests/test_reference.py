"""The language reference is complete and true: it names every construct, its field table is the checker's, and its examples check. So do the
sentences of the page to copy from.
"""

import re
from pathlib import Path

import pytest

from te_forge.check import check
from te_forge.check.fields import ENGINE_FIELDS
from te_forge.compose import derived
from te_forge.examples import accounts_of
from te_forge.model.pack import PackInfo
from te_forge.model.system import System
from te_forge.source import Source

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "site" / "docs" / "language.md").read_text(encoding="utf-8")
GRAMMAR = (ROOT / "grammars" / "te.lark").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```te\n(.*?)^```$", PAGE, re.M | re.S)

PRELUDE = """# Prelude

## kind: gm
- Is: an actor
- How Many: 1

## kind: character
- Is: an actor

## kind: beast
- Is: an actor

## kind: attribute
- Is: a number of a character
- Starts: 2
- At Most: 5

| attribute | text      |
|-----------|-----------|
| Might     | Strength. |
| Wits      | Thought.  |

## kind: pool
- Is: a number

## pool: Luck
- Of: a character
- Starts: 1
- At Least: 0

## pool: Wounds
- Of: an actor
- Starts: 0

## pool: Dread
- Of: the gm
- Starts: 2
- At Least: 0

## kind: knack
- Is: a trait of a character

## knack: Lucky

## kind: condition
- Is: a trait of an actor

## condition: Tired

## condition: Worn

## procedure: Session

## procedure: Scene
- Part Of: Session

## procedure: Contest
- Part Of: Scene

| value | holds    | default | text                  |
|-------|----------|---------|-----------------------|
| roll  | dice     | nothing | the dice on the table |
| kept  | dice     | nothing | the dice that count   |
| total | a number | 0       | what they come to     |

## procedure: Throwing
- Part Of: Contest
- Roles: an actor as the roller
- Counts: Count

1. Roll.
   - Dice: the roller rolls 2 d6 as the roll
2. Count.

## procedure: Harm
- Part Of: Scene
- Roles: an actor as the dealer, an actor as the target, a number as the amount
- Outcomes: Fallen, Standing
- Settles: Land

1. Land.
   - Hit: the target gains Wounds equal to the amount
   - Fall: if the target's Wounds is at least 5: end with Fallen
   - Stand: end with Standing
"""


def errors(page: str, id: str, base: System | None = None) -> tuple[System | None, list[str]]:
    system, found = check([Source("page.te", page)], PackInfo(id=id, title=id, version="1.0.0"), base, derive=derived)
    return system, [f"{one.span.line}: {one.message} ({one.help})" for one in found if one.severity == "error"]


def aliases(rule: str) -> set[str]:
    found = re.search(rf"^\?{rule}:(.*?)(?=^\S)", GRAMMAR, re.M | re.S)
    assert found
    return set(re.findall(r"-> (\w+)", found[1]))


def test_the_prelude_checks() -> None:
    assert errors(PRELUDE, "prelude")[1] == []


@pytest.mark.parametrize("rule", ["sentence", "opener", "value"])
def test_every_construct_is_named(rule: str) -> None:
    named = set(re.findall(r"\w+", " ".join(re.findall(r"<!-- (.*?) -->", PAGE))))
    assert sorted(aliases(rule) - named) == []


def test_the_field_table_is_the_checkers() -> None:
    rows = {line for line in PAGE.splitlines() if line.startswith("| ")}
    assert [one.label for one in ENGINE_FIELDS.values() if f"| {one.label} | {', '.join(one.on)} | {one.says} |" not in rows] == []


@pytest.mark.parametrize("block", BLOCKS, ids=[block.split("\n", 1)[0] for block in BLOCKS])
def test_every_example_checks(block: str) -> None:
    assert errors(block, "example", errors(PRELUDE, "prelude")[0])[1] == []


def test_every_note_of_the_evaluator_is_explained() -> None:
    """meaning.md section 12 lists what the engine notes: no more, and no less."""
    said = set(re.findall(r'note\("([a-z-]+)"', "".join(path.read_text(encoding="utf-8") for path in (ROOT / "te_forge/engine").glob("*.py")))) | {
        "gain",
        "loss",
        "drop",
    }
    table = (ROOT / "site/docs/meaning.md").read_text(encoding="utf-8").partition("## 12.")[2]
    listed = {name for row in re.findall(r"^\| (`[^|]+) \|", table, re.M) for name in re.findall(r"`([a-z-]+)`", row)}
    assert listed == said


# ---------------------------------------------------------------- you want to say, you write

HOW_TO = (ROOT / "site" / "docs" / "how-to.md").read_text(encoding="utf-8")
NAMES, *SENTENCES = re.findall(r"^```te\n(.*?)^```$", HOW_TO, re.M | re.S)


@pytest.mark.parametrize("block", SENTENCES, ids=[block.split("\n", 1)[0] for block in SENTENCES])
def test_every_sentence_to_copy_checks(block: str) -> None:
    base, found = errors("# Names\n\n" + NAMES, "names")
    assert found == []
    assert errors("# Page\n\n" + block, "example", base)[1] == []


def test_all_sentences_to_copy_go_together() -> None:
    assert errors("# Page\n\n" + NAMES + "\n" + "\n".join(SENTENCES), "game")[1] == []


def test_the_example_to_copy_plays() -> None:
    system, found = errors("# Page\n\n" + NAMES + "\n" + SENTENCES[-1], "game")
    assert found == [] and system is not None
    accounts, wrong = accounts_of(system)
    assert wrong == [] and accounts["game:example/the-wall"] == (("Ann chooses Might.", "Ann rolls 2 dice: 4 3.", "Test ends with Success."),)


def test_there_are_enough_sentences_and_each_is_introduced() -> None:
    assert 25 <= len(SENTENCES) <= 60
    assert len(re.findall(r"^\*\*[A-Z].*\*\*", HOW_TO, re.M)) == len(SENTENCES)
    for page in ("README.md", "site/docs/tutorial.md", "site/docs/language.md", "site/docs/index.md", "site/mkdocs.yml"):
        assert "how-to.md" in (ROOT / page).read_text(encoding="utf-8"), page
