"""Rows of the SRD's ledger that an example cannot show whole: in which order things are told, how many dice at most, what a log keeps."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest
from beginnings import as_written
from click.testing import CliRunner

from te_forge.cli import cli
from te_forge.compose import compose
from te_forge.engine.effects import Chain, Keep, Note, Offer
from te_forge.engine.evaluate import Evaluator
from te_forge.engine.index import Rules
from te_forge.engine.policies import POLICIES
from te_forge.engine.script import play_example
from te_forge.seeded import thrown

STEPS = {
    "Make A Character": ["Plan", "Class", "Attributes", "Skills", "Abilities", "Advantages", "Pools", "Adventure"],
    "Environment Conflict": ["Declare", "The World Rolls", "The World Keeps", "The Character Rolls", "The Character Keeps", "Compare"],
    "Adversary Conflict": ["Declare", "The Initiators Roll", "The Initiators Keep", "The Defender Rolls", "The Defender Keeps", "Compare", "Harm"],
}


@cache
def srd() -> Rules:
    return Rules(compose(as_written("srd-core")).system)


def run(*words: str, typed: str = "") -> str:
    result = CliRunner().invoke(cli, list(words), input=typed, catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result.output


@pytest.mark.parametrize(
    ("procedure", "words"),
    [
        ("Make A Character", ("newcomer=Bo", "class=Warrior", "choice=Careful", "--who", "Bo: a character")),
        ("Environment Conflict", ("actor=Ann", "--who", "Ann: a Warrior")),
        ("Adversary Conflict", ("initiators=Ann", "defender=Troll", "stakes=Fight", "--who", "Ann: a Warrior")),
    ],
    ids=lambda one: one if isinstance(one, str) else "",
)
def test_steps_are_those_of_the_book_in_its_order(procedure: str, words: tuple[str, ...]) -> None:
    """SRD-06, SRD-23, SRD-32: eight, six and seven steps; the transcript numbers them as the definition does, from which the book prints them."""
    entry = next(one for one in srd().system.of_kind("procedure") if one.name == procedure)
    assert [step.name for step in entry.steps] == STEPS[procedure]
    told = run("roll", "srd-core", procedure, *words, "--policy", "plain", "--seed", "1")
    assert re.findall(r"^  (\d+\. .*)$", told, re.MULTILINE) == [f"{number}. {name}" for number, name in enumerate(STEPS[procedure], 1)]


def test_a_prompt_stands_in_the_log_and_is_played_again(tmp_path: Path) -> None:
    """SRD-10: the class's prompt grants a point each time it happens in play."""
    log = tmp_path / "evening.log"
    run("play", "srd-core", "--seed", "1", "--log", str(log), typed="add Ann: a Warrior\ntake Prompt\ntake Prompt\nquit\n")
    assert log.read_text(encoding="utf-8").count('"do": "take"') + log.read_text(encoding="utf-8").count('"do":"take"') == 2
    again = run("replay", str(log))
    assert "Ann gains 1 Adventure (now 2)" in again
    assert "Ann gains 1 Adventure (now 3)" in again


@pytest.mark.parametrize(("who", "offer", "most"), [("Ann", "Mastery", 3), ("Ida", "Twist Of Fate", 2)])
def test_no_more_dice_are_turned_than_the_number_says_and_none_twice(who: str, offer: str, most: int) -> None:
    """SRD-17, SRD-18: up to Vigor-many, up to Mysticism-many, once for one roll."""
    from te_forge.asked import ask

    one = ask(
        srd(),
        "Environment Conflict",
        (f"actor={who}",),
        ("Ann: a Warrior with Vigor 3 and Melee 2", "Ida: a Wizard with Comprehension 4 and Mysticism 2 and Adventure 5"),
    )
    asked: list[Keep] = []
    offers: list[Offer] = []

    def perform(effect: object) -> object:
        match effect:
            case Note():
                return None
            case Chain(state, parts):
                for part in parts:
                    state, stopped = part(perform, state)
                    if stopped is not None:
                        return state, stopped
                return state, None
            case Keep(verb="rerolls"):
                asked.append(effect)
                return effect.dice[: effect.most]
            case Offer(names=names) if offer in names:
                offers.append(effect)
                return True
            case _ if hasattr(effect, "dice") and not isinstance(effect, Keep):
                return thrown("1", 0, effect)  # type: ignore[arg-type]
        if getattr(effect, "word", "") in ("attribute", "skill"):
            wanted = {"Ann": ("vigor", "melee"), "Ida": ("comprehension", "mysticism")}[who]
            return next(option for option in effect.options if option.rpartition("/")[2] in wanted)  # type: ignore[attr-defined]
        return POLICIES["plain"](effect, evaluator)  # type: ignore[arg-type]

    evaluator = Evaluator(srd(), one.state, perform)
    evaluator.do(one.procedure.id, dict(one.roles))
    assert len(offers) == 1
    assert [(one.least, one.most) for one in asked] == [(0, most)]
    assert len(asked[0].dice) > most


def test_whoever_is_slow_acts_last_and_the_quick_one_twice() -> None:
    """SRD-40, SRD-60: the order of the turns, as they were begun."""
    example = next(one for one in srd().system.of_kind("example") if one.name == "Whose Turn")
    played = play_example(srd(), example)
    assert played.failure is None
    turns = [dict(note.data[1])["mover"] for note in played.notes if note.what == "begin" and note.data[0].endswith("/turn")]
    assert [turn.rpartition("/")[2] for turn in turns] == ["nimble-thief", "nimble-thief", "Ben", "Ann"]


def test_a_third_advantage_and_the_same_one_twice_are_refused(tmp_path: Path) -> None:
    """SRD-08: exactly two at creation."""
    made = run("character", "new", "srd-core", "--name", "Ann", "--policy", "plain", "--seed", "1", "-o", str(tmp_path / "ann.yaml"))
    assert made
    text = (tmp_path / "ann.yaml").read_text(encoding="utf-8")
    first, second = re.findall(r"[A-Z][A-Za-z ]+", text[text.index("advantages:") :].split("\n")[0].partition(":")[2])
    other = next(name for name in ("Careful", "Healer", "Sorcery") if name not in (first, second))
    for wrong, code in ((f"[{first}, {second}, {other}]", "extra-trait"), (f"[{first}, {first}]", "trait-twice"), (f"[{first}]", "missing-trait")):
        (tmp_path / "wrong.yaml").write_text(re.sub(r"advantages: \[.*\]", f"advantages: {wrong}", text), encoding="utf-8")
        result = CliRunner().invoke(cli, ["character", "check", str(tmp_path / "wrong.yaml")], catch_exceptions=False)
        assert result.exit_code == 1
        assert code in result.output


@pytest.mark.parametrize(("heads", "named", "dice"), [(1, 0, 2), (3, 0, 3), (4, 0, 4), (4, 1, 2), (1, 5, 5)])
def test_tension_starts_at_the_number_of_players_wherever_it_is_played(heads: int, named: int, dice: int) -> None:
    """SRD-28: one player for each character unless the players are named; the same in odds, in `roll` and in play."""
    from te_forge.asked import ask
    from te_forge.engine.reading import Reading

    who = [f"{name}: a Warrior" for name in ("Ann", "Ben", "Cid", "Dan")[:heads]] + [
        f"{name}: a player" for name in ("Mia", "Noa", "Ole", "Pia", "Rut")[:named]
    ]
    one = ask(srd(), "Environment Conflict", ("actor=Ann",), who)
    assert Reading(srd(), one.state).stat("srd-core:kind/gm", "srd-core:pool/tension") == dice
    options = [word for one_ in who for word in ("--who", one_)]
    assert f"The gm rolls {dice} dice" in run("roll", "srd-core", "Environment Conflict", "actor=Ann", "--policy", "plain", "--seed", "1", *options)
    assert f"The gm: Tension {dice}" in run("play", "srd-core", "--seed", "1", *options, typed="look\nquit\n")
