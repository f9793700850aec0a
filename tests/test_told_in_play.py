"""What a game at the table says: what an offer costs, who is asked to say something, in what order things are told, and which procedures people look
for.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from te_forge.cli import cli
from te_forge.engine.tell import joined
from te_forge.foremost import foremost
from te_forge.packs import load

GAME = """# The Game

Whoever tries something [[Test|tests]] it.

## kind: hero
- Is: an actor
- Made By: Growing Up

## kind: gm
- Is: an actor
- How Many: 1

## kind: pool
- Is: a number

## pool: Luck
- Of: a hero
- Starts: 3
- At Least: 0

## pool: Score
- Of: a hero
- Starts: 0
- At Least: 0

| pool   | Also Called | Of     | Starts | At Least | text         |
|--------|-------------|--------|--------|----------|--------------|
| Wounds | "Wound"     | a hero | 2      | 0        | How it hurts. |

## pool: Breath
- Of: a hero
- Starts: 5
- At Least: 0
- Refills: each Scene

## procedure: Scene
A scene.

## procedure: Growing Up
- Roles: a hero as the newcomer

1. Say. Something.
   - Words: the newcomer says "who I am"

## procedure: Test
- Part Of: Scene
- Roles: a hero as the hero

1. Push. For luck.
   - Push: the hero may: the hero pays 2 Luck; the hero gains 1 Score
   - Spend: the hero may: the hero pays any Luck as the spent; the hero gains Score equal to the spent
   - Unknown: the hero may: the fee is 1; the hero pays Luck equal to the fee
   - Words: the hero says "what I do"; the hero says "Nothing more can be done."
2. Work.
   - First: do Part with the hero as the hero; the hero's Score becomes 7; do Part with the hero as the hero
   - Order: for each hero in an order by the gm: the hero gains 1 Score

## procedure: Part
- Part Of: Scene
- Roles: a hero as the hero

1. Roll.
   - Roll: the hero rolls 1 d6 as the roll

## procedure: Gasp
- Part Of: Scene
- Roles: a hero as the hero

1. Gasp.
   - Gasp: the hero pays 1 Breath

## procedure: Mending
- Part Of: Scene
- Roles: a hero as the hero

1. Mend.
   - Ouch: the hero gains 1 Wound; the hero gains 2 Wounds
   - Mend: the hero may: the hero pays 1 Wound

## procedure: Long Test
- Part Of: Scene
- Roles: a hero as the hero

1. Again.
   - Again: repeat up to 2 times: do Test with the hero as the hero
"""


@pytest.fixture
def pack(tmp_path: Path) -> Path:
    (tmp_path / "rules").mkdir()
    (tmp_path / "pack.yaml").write_text("id: small\ntitle: Small\nversion: 1.0.0\nauthors: [Me]\nlicense: CC0\n", "utf-8")
    (tmp_path / "rules" / "01-game.te").write_text(GAME, "utf-8")
    return tmp_path


def played(pack: Path, typed: str, *more: str) -> str:
    result = CliRunner().invoke(cli, ["play", str(pack), "--who", "Ann: a hero", "--who", "Ben: a hero", "--seed", "1", *more], input=typed)
    assert result.exit_code == 0, result.output
    return result.output


def test_an_offer_says_what_it_costs_where_the_price_is_paid_inside_of_it(pack: Path) -> None:
    shown = played(pack, "do Test hero=Ann\ny\ny\n1\nquit\n")
    assert "Ann may take Test: Push for 2 Luck." in shown
    assert "Ann takes Test: Push for 2 Luck\n" in shown
    assert "Ann may take Test: Spend for up to 1 Luck." in shown
    assert "Ann takes Test: Spend\n" in shown


def test_what_is_not_known_before_it_is_paid_is_no_price(pack: Path) -> None:
    assert "Ann may take Test: Unknown.\n" in played(pack, "do Test hero=Ann\nn\nn\nquit\n")


def test_words_of_ones_own_are_asked_for_and_sentences_are_said(pack: Path) -> None:
    shown = played(pack, "do Test hero=Ann\n", "--bot", "everybody=plain")
    assert "Ann is asked to say: what I do\n" in shown
    assert "Ann says: Nothing more can be done.\n" in shown


def test_what_happened_between_two_procedures_is_told_between_them(pack: Path) -> None:
    lines = [line.strip() for line in played(pack, "do Test hero=Ann\n", "--bot", "everybody=plain").splitlines()]
    parts = [at for at, line in enumerate(lines) if line == "Part (hero: Ann)"]
    assert len(parts) == 2 and parts[0] < lines.index("Ann has Score 7") < parts[1]


def test_an_order_is_told_as_one(pack: Path) -> None:
    shown = played(pack, "do Test hero=Ann\n", "--bot", "everybody=plain")
    assert "The gm says who is next: Ann\n" in shown and "Ben comes last\n" in shown


def test_what_others_run_is_listed_only_where_the_book_names_it(pack: Path) -> None:
    system = load(str(pack)).system
    assert system is not None
    assert [one.name for one in foremost(system, list(system.entries.values()))] == ["Growing Up", "Test", "Gasp", "Mending", "Long Test"]
    shown = " ".join(played(pack, "quit\n").split())
    assert "1 Growing Up 2 Test 3 Gasp 4 Mending 5 Long Test and, mostly as a part of these: Part" in shown
    built = CliRunner().invoke(cli, ["build", str(pack), "-o", str(pack / "site")])
    assert built.exit_code == 0, built.output
    quick = (pack / "site" / "quick-reference.html").read_text("utf-8")
    procedures = quick.partition('<h2 id="procedures">')[2].partition("</section>")[0]
    assert ">Long Test<" in procedures and ">Test<" in procedures and ">Part<" not in procedures


def test_what_has_not_risen_is_nothing_to_look_at(pack: Path) -> None:
    shown = played(pack, "look\nquit\n")
    assert "Ann (hero): Luck 3, Wounds 2, Breath 5\n" in shown and "Score 0" not in shown


def test_one_of_several_is_told_in_the_singular(pack: Path) -> None:
    shown = played(pack, "do Mending hero=Ann\ny\nquit\n")
    assert "Ann gains 1 Wound (now 3)\n" in shown and "Ann gains 2 Wounds (now 5)\n" in shown
    assert "Ann may take Mending: Mend for 1 Wound.\n" in shown and "Ann pays 1 Wound (now 4)\n" in shown


WORDS = """
# Words

## hack: Other Words
### renames kind: hero
- To: "knight"
### renames kind: gm
- To: "keeper"
### renames pool: Luck
- To: "Fortune"
"""


def test_old_words_of_renamed_kinds_are_taken(pack: Path) -> None:
    (pack / "rules" / "02-words.te").write_text(WORDS, "utf-8")
    shown = played(
        pack, "add Cid: a hero\nwho Cid\nset Cid.Luck=5\nwho gm\nbot gm off\nbot hero plain\ndo Mending hero=Cid\nquit\n", "--hack", "Other Words", "--bot", "gm=plain", "--seen-by", "gm",
    )  # fmt: skip
    assert "The keeper is played by the policy plain.\n" in shown and "Every knight is played by the policy plain.\n" in shown
    assert "Ann (knight): Fortune 3" in shown and "Cid (knight)\n" in shown and "Cid's Fortune is now 5.\n" in shown
    assert "> who gm\nThe keeper\n" in shown and "Cid gains 1 Wound (now 3)" in shown
    rolled = CliRunner().invoke(cli, ["roll", str(pack), "Mending", "hero=Ann", "--who", "Ann: a hero", "--hack", "Other Words", "--seed", "1"])
    assert rolled.exit_code == 0 and "Ann gains 1 Wound" in rolled.output


def test_what_is_said_of_somebody_holds_when_the_first_scene_has_begun(pack: Path) -> None:
    result = CliRunner().invoke(
        cli,
        ["play", str(pack), "--who", "Ann: a hero with Breath 2", "--who", "Ben: a hero", "--seed", "1"],
        input="do Gasp hero=Ann\nopen Scene\nend Scene\nopen Scene\nlook\nquit\n",
    )
    assert result.exit_code == 0, result.output
    assert "Ann's Breath is now 2.\n" in result.output and "Ann pays 1 Breath (now 1)\n" in result.output
    assert "Ben's Breath" not in result.output
    assert result.output.count("Ann (hero): Luck 3, Wounds 2, Breath 5") == 1


@pytest.mark.parametrize(
    ("sentences", "said"),
    [
        (("Ann chooses Might.", "Ann chooses Wits.", "Ann chooses Sly."), ("Ann chooses Might, Wits and Sly.",)),
        (("Ann chooses Four and None.", "Ann chooses Athletics."), ("Ann chooses Four and None, then Athletics.",)),
        (("Ann chooses Two and Two.",), ("Ann chooses Two and Two.",)),
        (("Ann chooses Might.", "Ben chooses Might.", "Ben has Luck 2."), ("Ann chooses Might.", "Ben chooses Might.", "Ben has Luck 2.")),
        (("The gm says who is next: Ann.", "The gm says who is next: Ben."), ("The gm says who is next: Ann and Ben.",)),
        ((), ()),
    ],
)  # fmt: skip
def test_what_is_done_in_a_row_is_one_sentence(sentences: tuple[str, ...], said: tuple[str, ...]) -> None:
    assert joined(sentences) == said
