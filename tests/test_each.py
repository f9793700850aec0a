"""`each X`: a sentence, an offer, a standing rule for every one of them."""

from __future__ import annotations

from pathlib import Path

import pytest
from beginnings import rules_of
from click.testing import CliRunner

from te_forge.asked import ask
from te_forge.check import check
from te_forge.cli import cli
from te_forge.engine.index import Rules
from te_forge.engine.odds import Odds
from te_forge.engine.policies import POLICIES
from te_forge.engine.script import play_example
from te_forge.engine.table import table
from te_forge.model.pack import PackInfo
from te_forge.source import Source

PAGE = """# Each

## kind: gm
- Is: an actor
- How Many: 1

## kind: hero
- Is: an actor
- Plural: "heroes"

## kind: pool
- Is: a number

## kind: mark
- Is: a trait of a hero

## kind: stat
- Is: a number of a hero
- Starts: 1

| stat  | text    |
|-------|---------|
| Might | Strong. |

## pool: Luck
- Of: a hero
- Starts: 3
- At Least: 0

## mark: Leader
- Sing: each other hero may pay 1 Luck: the owner gains 1 Luck

## mark: Calm
Quiet.

## procedure: Round

## procedure: Rest
- Roles: a hero as the actor

1. Rest.
   - Rest: the actor gains 1 Luck

## procedure: Feast
- Roles: a hero as the host

1. Eat.
   - Eat: each hero may pay 1 Luck: the hero gains 3 Luck
   - Toast: each hero chooses one:
     - Drink: the hero gains 1 Luck
     - Refuse: the hero loses 1 Luck
2. Gifts.
   - Gifts: for each hero: the hero chooses a mark; the hero takes the mark

## procedure: Round Of Drinks
- Roles: a hero as the host, a hero as the guest

1. Others.
   - Host: each other hero gains 1 Luck
2. All.
   - Both: for each hero as the one: for each other hero as the friend: the friend gains 10 Luck

## rule: Envy
- Envy: after loss of Might by a hero: each other hero gains 100 Luck


## rule: Free
- Pray: once per Round: each hero may: the hero gains 2 Luck
- Muscle: for each hero with Calm: the hero's Might is 1 more
- Ban: each hero with Leader cannot do Rest
- Listen: for each hero: after Rest by the hero: the hero gains 1 Luck

## example: Praying
- Ann: a hero
- Ben: a hero with Calm
1. Each once a round.
   - do Round
   - expect Pray is offered
   - Ann picks Pray
   - expect Ann's Luck is 5 and Ben's Luck is 3
   - Ben picks Pray
   - expect Ann's Luck is 5 and Ben's Luck is 5 and Pray is not offered
2. And again in the next.
   - do Round
   - Ann picks Pray
   - expect Ann's Luck is 7
3. Each who is calm is strong, and listens.
   - do Rest with Ben as the actor
   - expect Ben's Might is 2 and Ann's Might is 1 and Ben's Luck is 7

## example: A Song
- Ann: a hero with Leader
- Ben: a hero
1. The others sing for their leader, who does not rest.
   - Ben picks Sing
   - expect Ann's Luck is 4 and Ben's Luck is 2
   - do Rest with Ann as the actor
   - expect Ann's Luck is 4

## example: Everybody Else
- Ann: a hero
- Ben: a hero
- Cid: a hero
1. All but the host; then each from two of them.
   - do [[Round Of Drinks]] with Ben as the host, Cid as the guest
   - expect Ann's Luck is 24 and Ben's Luck is 23 and Cid's Luck is 24
2. All but whose loss it is.
   - Cid loses 1 Might
   - expect Ann's Luck is 124 and Ben's Luck is 123 and Cid's Luck is 24

## example: A Feast
- Ann: a hero
- Ben: a hero
1. Everybody is asked.
   - do Feast with Ann as the host
   - Ann picks Eat; Ann picks Drink; Ben picks Refuse; Ann picks Calm; Ben picks Leader
   - expect Ann's Luck is 6 and Ben's Luck is 2 and Ann has Calm and Ben has Leader
"""


def rules() -> Rules:
    return rules_of(PAGE, "each")


@pytest.mark.parametrize("name", ["Praying", "A Song", "Everybody Else", "A Feast"])
def test_every_one_of_them(name: str) -> None:
    failure = play_example(rules(), next(one for one in rules().system.of_kind("example") if one.name == name)).failure
    assert failure is None, f"{failure.span.line}: {failure.message} {failure.help}"


def test_play_offers_it_to_each(tmp_path: Path) -> None:
    (tmp_path / "rules").mkdir()
    (tmp_path / "pack.yaml").write_text("id: each\ntitle: Each\nversion: 1.0.0\nauthors: [A]\nlicense: CC0-1.0\n", encoding="utf-8")
    (tmp_path / "rules" / "01-each.te").write_text(PAGE, encoding="utf-8")
    typed = "add Ann: a hero with Leader\nadd Ben: a hero\nlook\ntake Ben Pray\ntake Sing\nlook\ntake Ben Pray\nquit\n"
    out = CliRunner().invoke(cli, ["play", str(tmp_path), "--seed", "1"], input=typed, catch_exceptions=False).output
    assert "Ben gains 2 Luck (now 5)" in out
    assert "Ben pays 1 Luck (now 4)" in out
    assert "Ann gains 1 Luck (now 4)" in out
    assert "used up" in out


def test_odds_ask_each_in_a_step() -> None:
    one = ask(rules(), "Feast", ("host=Ann",), ("Ann: a hero", "Ben: a hero"))
    odds = Odds(one.rules, POLICIES["spend"])
    found = table(one.rules, one.state, odds.run(one.state, one.procedure.id, one.roles), odds.live.yields(one.procedure.id))
    assert found.numbers["Ann", "each:pool/luck"] == {6: 1}
    assert found.numbers["Ben", "each:pool/luck"] == {6: 1}


def test_what_was_said_of_each_ends_with_its_sentence() -> None:
    page = PAGE.replace("for each hero: the hero chooses a mark; the hero", "each hero chooses a mark; the hero")
    _, found = check([Source("each.te", page)], PackInfo(id="each", title="Each", version="1.0.0"))
    errors = [one for one in found if one.severity == "error"]
    assert [(one.code, one.message) for one in errors] == [("unknown-word", "nothing here is called `the hero`")]
    assert "write `for each hero: ..`" in errors[0].help
