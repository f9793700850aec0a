"""Hacks that speak of a pack which may be in the game or not: `optional:` in pack.yaml, and `Only With`."""

from __future__ import annotations

from pathlib import Path

import pytest

from te_forge.compose import compose
from te_forge.compose.chosen import switched_on
from te_forge.diagnostics import Diagnostic
from te_forge.model.system import System
from te_forge.packs import load
from te_forge.packs.gathered import gathered

BASE = "# Base\n## kind: gm\n- Is: an actor\n- How Many: 1\n## kind: pool\n- Is: a number\n## pool: Luck\n- Of: the gm\n- Starts: 3\n"
MARKET = "# Market\n## pool: Coin\n- Of: the gm\n- Starts: 5\n## hack: Rich\n### changes pool: Coin\n- Starts: 9\n"
NIGHT = (
    '# Night\n## hack: Night\n### changes pool: Luck\n- Starts: 1\n### changes pool: Coin\n- Only With: "market"\n- Starts: 2\n'
    '### rule: Thieves\n- Only With: "market >=1.1"\n- Steal: after gain of Coin: the gm loses 1 Luck\n\n'
    '## hack: Night Market\n- Only With: "market"\n### pool: Lamp\n- Of: the gm\n- Starts: 1\n'
)


def pack(root: Path, id: str, text: str, head: str = "", version: str = "1.0.0") -> None:
    (root / id / "rules").mkdir(parents=True, exist_ok=True)
    (root / id / "pack.yaml").write_text(f"id: {id}\ntitle: {id.title()}\nversion: {version}\n{head}", encoding="utf-8")
    (root / id / "rules/01.te").write_text(text, encoding="utf-8")


@pytest.fixture
def root(tmp_path: Path) -> Path:
    pack(tmp_path, "base", BASE)
    pack(tmp_path, "market", MARKET, "requires: {base: '>=1'}\n", "1.1.0")
    pack(tmp_path, "night", NIGHT, "requires: {base: '>=1'}\noptional: {market: '>=1'}\n")
    pack(tmp_path, "without", "# Game\nA game.\n", "requires: {night: '>=1'}\nhacks: [Night]\n")
    pack(tmp_path, "with", "# Game\nA game.\n", "requires: {market: '>=1', night: '>=1'}\nhacks: [Night]\n")
    return tmp_path


def errors(found: list[Diagnostic]) -> list[tuple[str, str]]:
    return [(one.code, one.message) for one in found if one.severity == "error"]


def played(root: Path, id: str) -> System:
    loaded = load(str(root / id))
    assert loaded.system is not None and errors(loaded.diagnostics) == []
    return compose(loaded.system, switched_on(loaded.system)).system


def starts(system: System, id: str) -> object:
    return system.entries[id].fields["starts"].words


def test_without_the_other_pack_nothing_of_it_is_there(root: Path) -> None:
    system = played(root, "without")
    assert starts(system, "base:pool/luck") == ("1",)
    assert "market:pool/coin" not in system.entries
    assert "night:hack/night-market" not in system.entries
    assert "night:rule/thieves" not in system.entries
    assert load(str(root / "night")).diagnostics == load(str(root / "without")).diagnostics == []


def test_with_the_other_pack_it_is_changed(root: Path) -> None:
    system = played(root, "with")
    assert starts(system, "base:pool/luck") == ("1",)
    assert starts(system, "market:pool/coin") == ("2",)
    assert {"night:hack/night-market", "night:rule/thieves"} <= set(system.entries)


def test_versions_matter(root: Path) -> None:
    pack(root, "market", MARKET, "requires: {base: '>=1'}\n", "1.0.0")
    system = played(root, "with")
    assert starts(system, "market:pool/coin") == ("2",)
    assert "night:rule/thieves" not in system.entries


def test_the_order_of_packs_does_not_show(root: Path) -> None:
    names = (root / "with/pack.yaml").read_text(encoding="utf-8")
    first = played(root, "with").entries
    (root / "with/pack.yaml").write_text(names.replace("{market: '>=1', night: '>=1'}", "{night: '>=1', market: '>=1'}"), encoding="utf-8")
    assert played(root, "with").entries == first


def test_a_pack_that_stands_on_the_asking_one_is_never_asked_for(root: Path) -> None:
    pack(root, "market", MARKET, "requires: {base: '>=1', night: '>=1'}\n", "1.1.0")
    system = played(root, "with")
    assert starts(system, "market:pool/coin") == ("5",)
    assert "night:hack/night-market" not in system.entries


def test_it_has_the_last_word_over_hacks_of_the_other(root: Path) -> None:
    pack(root, "with", "# Game\nA game.\n", "requires: {market: '>=1', night: '>=1'}\nhacks: [Night, Rich]\n")
    loaded = load(str(root / "with"))
    assert loaded.system is not None
    assert [one.code for one in loaded.diagnostics] == ["overruled-patch"]
    assert starts(compose(loaded.system, switched_on(loaded.system)).system, "market:pool/coin") == ("2",)


@pytest.mark.parametrize(
    ("line", "code", "help"),
    [
        ('"markt"', "missing-pack", "did you mean `market`?"),
        ('"forest"', "missing-pack", "add it there: `optional: {forest: '>=1.0'}`"),
        ('"market 1.1"', "bad-version-range", "write for example"),
        ("Market", "wrong-type", 'write `- Only With: "night-market >=1.1"`'),
    ],
)
def test_what_does_not_say_which_pack(root: Path, line: str, code: str, help: str) -> None:
    pack(
        root,
        "night",
        NIGHT.replace('Only With: "market"\n- Starts', f"Only With: {line}\n- Starts"),
        "requires: {base: '>=1'}\noptional: {market: '>=1'}\n",
    )
    [one] = [one for one in load(str(root / "night")).diagnostics if one.severity == "error"]
    assert (one.code, one.span.line, help in one.help) == (code, 6, True), one


def test_a_version_that_is_not_wanted_is_said(root: Path) -> None:
    pack(root, "night", NIGHT, "requires: {base: '>=1'}\noptional: {market: '>=2'}\n")
    found = load(str(root / "with")).diagnostics
    assert [one.code for one in found if one.severity == "error"] == ["unmet-version"]


def test_what_is_in_a_game(root: Path) -> None:
    game = gathered(root / "with")
    assert game == {"": {"market", "night", "base"}, "market": {"base"}, "night": {"base"}, "base": set()}
    assert set(gathered(root / "without")) == {"", "night", "base"}
