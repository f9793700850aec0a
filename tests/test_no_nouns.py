"""No line of te_forge, and nothing of its grammar, is there for one game: no name that only one of the shipped packs has is said in them."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest

from te_forge.packs import load

ROOT = Path(__file__).parent.parent
PACKS = ("tension-tests", "tension-board")
ORDINARY = {"won", "turn", "hand", "hands", "blue", "red", "yellow", "green", "white", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "ace", "jack", "guess", "game", "round", "combat", "opening"}
"""Names that are plain English words, too, and mean nothing of a game where the code says them."""


@cache
def code() -> str:
    files = [*sorted((ROOT / "te_forge").rglob("*.py")), *sorted((ROOT / "grammars").iterdir())]
    return "\n".join(path.read_text(encoding="utf-8") for path in files)


@pytest.mark.parametrize("pack", PACKS)
def test_the_engine_knows_no_name_of_a_pack(pack: str) -> None:
    system = load(str(ROOT / "systems" / pack)).system
    assert system is not None
    kinds = ("procedure", "deck", "rule")
    names = {entry.name for entry in system.entries.values() if entry.pack == pack and (entry.kind in kinds or entry.kind in system.kinds)} - {"Scene"}
    said = sorted(name for name in names if name.lower() not in ORDINARY and re.search(rf"\b{re.escape(name)}\b", code()))
    assert said == []
    assert not re.search(r"\b(storyteller|roulette|beseech\w*|tension-tests|tension-board)\b", code(), re.IGNORECASE)
