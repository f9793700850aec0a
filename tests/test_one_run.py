"""All mistakes of a pack are told in one run: one of them does not hide the others, wherever each is found."""

from __future__ import annotations

from pathlib import Path

from te_forge.packs import load

PRELUDE = (Path(__file__).parent / "prelude.te").read_text(encoding="utf-8")
HEAD = 'id: small\ntitle: A Small Game\nversion: 1.0.0\nlicense: "CC0-1.0"\n'
PAGE = """# A Page

## procedure: Keeping
- Roles: a character as the walker
- Outcomes: Good, Bad, Empty

1. Go.
   - Good: if the walker's Vigor is above 2: end with Good
   - Bad: otherwise if the walker's Vigor is 1: end with Bad
   - Empty: otherwise: end with Empty

## rule: Odd
- Odd: after Keeping: the walker gains 1 Health

## hack: Cold
### changes procedure: Keeping
- Go:
  - Chill before Empty: the walker loses 1 Health
### changes pool: Health
- Starts: 1 less (was 9)

## hack: Late
### changes procedure: Keeping
- Go:
  - Chill after Empty: the walker loses 1 Health
"""
OF_HACKS = ["lost-otherwise", "stale-patch", "never-reached"]


def codes(folder: Path, page: str = PAGE, head: str = HEAD) -> list[str]:
    (folder / "rules").mkdir(parents=True)
    (folder / "pack.yaml").write_text(head, encoding="utf-8")
    (folder / "rules" / "00.te").write_text(PRELUDE, encoding="utf-8")
    (folder / "rules" / "01.te").write_text(page, encoding="utf-8")
    return [one.code for one in load(str(folder)).diagnostics if one.code != "unused-definition"]


def test_a_mistake_in_a_rule_hides_none_in_hacks(tmp_path: Path) -> None:
    assert codes(tmp_path / "a") == OF_HACKS
    assert codes(tmp_path / "b", PAGE.replace("the walker gains 1 Health\n\n", "Xyz gains 1 Health\n\n")) == ["unknown-name", *OF_HACKS]


def test_a_mistake_in_one_change_of_a_hack_hides_none_in_another(tmp_path: Path) -> None:
    assert codes(tmp_path / "a", PAGE + "### changes pool: Tension\n- Starts: 1 les\n") == [*OF_HACKS, "lower-case-name"]
    assert codes(tmp_path / "b", PAGE.replace("loses 1 Health\n### changes pool", "loses 1 Healt\n### changes pool")) == [
        "unknown-name",
        "stale-patch",
    ]


def test_what_changes_a_thing_that_is_not_understood_waits_until_it_is(tmp_path: Path) -> None:
    assert codes(tmp_path / "a", PAGE.replace("end with Bad", "end with Bed")) == ["unknown-outcome", "stale-patch"]


def test_a_mistake_in_the_rules_hides_none_in_the_head(tmp_path: Path) -> None:
    page = PAGE.replace("the walker gains 1 Health\n\n", "Xyz gains 1 Health\n\n")
    head = HEAD + "hacks:\n  - Nope\nchapters:\n  - Nowhere\n"
    assert codes(tmp_path / "a", page, head) == ["unknown-hack", "bad-pack-field", "unknown-name", *OF_HACKS]
    page = page.replace("## hack: Cold", "## hak: Cold")
    assert codes(tmp_path / "b", page, head.replace("Nope", "Cold")) == ["unknown-name", "unknown-kind"], "its name did not read"


def test_a_mistake_in_the_head_hides_none_in_the_rules(tmp_path: Path) -> None:
    page = PAGE.replace("the walker gains 1 Health\n\n", "Xyz gains 1 Health\n\n")
    assert codes(tmp_path / "a", page, HEAD.replace("1.0.0", "one")) == ["bad-pack-field", "unknown-name", *OF_HACKS]
    assert codes(tmp_path / "b", page, HEAD.replace("title: A Small Game\n", "")) == ["missing-pack-field", "unknown-name", *OF_HACKS]
    assert codes(tmp_path / "c", page, HEAD + "requires: Nope\n") == ["bad-pack-field"], "nobody knows what the pages stand on"
