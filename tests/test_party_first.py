"""Party First: a game that is a choice of hacks and a little of its own. It is checked, played, counted out and printed."""

from __future__ import annotations

import html
import re
from collections import Counter
from fractions import Fraction
from functools import cache
from itertools import product
from pathlib import Path

import pytest
from beginnings import run

from te_forge.cli import opened
from te_forge.commands import odds as odds_command
from te_forge.commands import play as play_command
from te_forge.commands import replay as replay_command
from te_forge.compose import compose
from te_forge.compose.chosen import switched_on
from te_forge.engine.policies import NAMES
from te_forge.model.system import plain
from te_forge.packs import Loaded, load

PACK = "party-first"
NOTICE = "The Tension Engine © 2023 by William Lentz for Gamenomicon is licensed under CC BY 4.0. To view a copy of this license, visit https://creativecommons.org/licenses/by/4.0/"
ANN, WEN = "Ann: a Warrior with Vigor 3 and Aim 3", "Wen: a Wastrel with Aim 1"


LOADED = cache(opened)


@pytest.fixture(autouse=True)
def loaded_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Commands that only look at a pack that ships share it."""
    for module in (odds_command, play_command, replay_command):
        monkeypatch.setattr(module, "opened", LOADED)


@cache
def loaded() -> Loaded:
    return load(PACK)


def test_it_checks_clean_and_its_examples_run_all_of_it() -> None:
    assert run("check", PACK).stdout == "no mistakes found\n"
    result = run("test", PACK, "--coverage")
    assert result.exit_code == 0 and "every definition has been run by an example" in result.stdout, result.stdout


def test_nothing_is_copied() -> None:
    """What it says it says itself: no sentence of prose of the pack that it builds on."""
    folder = Path(__file__).parents[1] / "systems"
    base = "\n".join(path.read_text("utf-8") for path in (folder / "srd-core").rglob("*.te"))
    own = [line for path in (folder / PACK / "rules").glob("*.te") for line in path.read_text("utf-8").splitlines()]
    said = {sentence.strip() for line in own if not line.lstrip().startswith(("-", "|", "#")) for sentence in line.split(". ")}
    assert [one for one in said if len(one) > 25 and one in base] == []


def test_the_selection_is_ours_and_says_so() -> None:
    system = loaded().system
    assert system is not None
    assert set(system.pack.hacks) == {"Party Skill", "Morale", "Status Effects", "Time Tables", "The Old Road"}
    ruling = next(one for one in system.of_kind("ruling") if one.pack == PACK)
    assert "This selection is ours" in str(ruling.fields["reads"].words)


def test_the_book_carries_what_is_owed(tmp_path: Path) -> None:
    assert run("build", PACK, "-o", str(tmp_path / "book")).exit_code == 0
    page = text_of(tmp_path / "book/license.html")
    for said in (NOTICE, "All prose has been written anew", "Will Lentz and Brett Zeiler", "Wound by Tension"):
        assert said in page, said
    cover = text_of(tmp_path / "book/index.html")
    assert "mean to come home together" in cover and cover.index("Nobody Is Left Behind") < cover.index("Welcome")
    assert "This selection is ours" in text_of(tmp_path / "book/all-rulings.html")


def text_of(page: Path) -> str:
    return re.sub(r"\s+", " ", html.unescape(re.sub(r"<[^>]+>", "", page.read_text("utf-8"))))


@pytest.mark.parametrize(("policy", "seed"), [*((policy, "1") for policy in sorted(NAMES)), ("random", "2")])
def test_whole_sessions_play_themselves(policy: str, seed: str, tmp_path: Path) -> None:
    log = tmp_path / "evening.log"
    result = run("play", PACK, "--all-bots", "--bot", f"everybody={policy}", "--seed", seed, "--procedures", "25", "--log", str(log))
    assert result.exit_code == 0 and "The end: " in result.stdout, result.output
    assert run("replay", str(log)).exit_code == 0


@pytest.mark.parametrize(("mode", "dice", "tension"), [("Together", 4, False), ("Alone", 6, True)])
def test_its_conflict_has_odds(mode: str, dice: int, tension: bool) -> None:
    """Four dice at the pace of the slowest, six alone, and the best two of them against two of the world. Alone, ones are Tension as well."""
    world = Counter(map(sum, product(range(1, 7), repeat=2)))
    own = Counter(sum(sorted(roll)[-2:]) for roll in product(range(1, 7), repeat=dice))
    success = Fraction(sum(many * others for total, many in own.items() for other, others in world.items() if total > other), 36 * 6**dice)
    failure = Fraction(sum(many * others for total, many in own.items() for other, others in world.items() if total < other), 36 * 6**dice)
    result = run(
        "odds", PACK, "Environment Conflict", "actor=Ann", "Tension=2", "attribute=Vigor", "skill=Aim", f"mode={mode}", "--who", ANN, "--who", WEN
    )
    gained = failure + (Fraction(dice, 6) if tension else 0)
    assert re.search(rf"Success .* {success}\n", result.stdout) and f"the gm's Tension, mean {float(2 + gained):.4f}" in result.stdout, result.output


def test_together_is_seen_to_be_the_lowest_skill() -> None:
    """Odds of a made-up Ann whose own skill is that of Wen are those of the whole party together."""
    words = ("odds", PACK, "Environment Conflict", "actor=Ann", "Tension=2", "attribute=Vigor", "skill=Aim", "mode=Together", "--who", WEN)
    one, other = (run(*words, "--who", who).stdout for who in (ANN, ANN.replace("Aim 3", "Aim 1")))
    assert one == other and "Success" in one


def test_the_text_of_a_step_goes_with_its_rule() -> None:
    """Who keeps more dice pays with Morale or Tension here, and no page says anything else."""
    system = compose(LOADED(PACK).system, switched_on(LOADED(PACK).system)).system
    [spend] = [step for step in system.entries["srd-core:procedure/keeping"].steps if step.name == "Spend"]
    assert "Morale" in plain(spend.prose) and "Adventure" not in plain(spend.prose)
