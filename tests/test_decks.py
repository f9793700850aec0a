"""Decks and wheels: cards that are out stay out, in examples, in play and in odds; against walks over every order of the cards."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import permutations
from math import comb
from pathlib import Path

import pytest
from beginnings import rules_of
from click.testing import CliRunner

from te_forge.asked import ask
from te_forge.check import check
from te_forge.cli import cli
from te_forge.engine.best import Best, choices_of
from te_forge.engine.effects import Draw
from te_forge.engine.expectimax import solved
from te_forge.engine.index import Rules
from te_forge.engine.laws import law, size
from te_forge.engine.odds import Odds
from te_forge.engine.policies import POLICIES
from te_forge.engine.reading import Reading
from te_forge.engine.script import play_example
from te_forge.engine.table import Table, table
from te_forge.model.pack import PackInfo
from te_forge.seeded import drawn
from te_forge.source import Source

PAPER = Path(__file__).parent / "paper"
PAGE = """# Cards

## kind: gm
- Is: an actor
- How Many: 1

## kind: hero
- Is: an actor
- Plural: "heroes"

## kind: colour
- Is: a number of a hero

| colour | Starts | text  |
|--------|--------|-------|
| Red    | 0      | Warm. |
| Blue   | 0      | Cold. |

## deck: Small
- Cards: 1 to 3
- Copies: 2
- Refills: each Round

## deck: Words
- Cards: "Sun", "Moon"

## deck: Wheel
- Cards: Red, Blue
- Refills: each Draw

## procedure: Draw

## procedure: Round

## procedure: Guess
- Part Of: Round
- Roles: a hero as the guesser
- Outcomes: Right, Wrong

1. Open.
   - Base: the gm draws 1 of Small as the base
2. Call.
   - Call: the guesser chooses one as the call:
     - Higher: the sign is 1
     - Lower: the sign is -1
3. Turn.
   - Next: the gm draws 1 of Small as the next
   - Right: if (the next - the base) x the sign is above 0: end with Right
   - Wrong: end with Wrong

## procedure: Hand
- Counts As: Round
- Roles: a hero as the holder

1. Deal.
   - Hand: the holder draws 3 of Small as the hand
   - Sum: the score is sum of the hand + 10 x highest of the hand + 100 x number of the hand
2. More.
   - More: the holder draws up to 2 of Small as the more
   - Add: the extra is sum of the more
3. Rest.
   - Rest: the holder draws all of Small as the rest
   - Left: the left is number of the rest

## procedure: Too Many
- Counts As: Round
- Roles: a hero as the holder

1. Deal.
   - All: the holder draws 9 of Small as the hand
   - Many: the many is number of the hand
2. None.
   - None: the many becomes 0; the holder draws 1 of Small as the last; the many becomes 7

## procedure: Search
- Counts As: Round
- Roles: a hero as the seeker

1. Search.
   - High: the seeker draws the highest 3 of Small as the high
   - Low: the seeker draws the lowest 1 of Small as the low
   - Sum: the score is 10 x sum of the high + the low

## procedure: Spin
- Roles: a hero as the spinner

1. Spin.
   - Spin: repeat up to 4 times: the spinner draws 1 of Wheel as the stop; the spinner gains 1 of the stop

## procedure: Omen
- Roles: a hero as the seer

1. See.
   - See: the seer draws 1 of Words as the sign

## example: Higher Than Two
- Ann: a hero
1. A guess.
   - do Guess with Ann as the guesser as the guess
   - the gm shows 2, 3; Ann picks Higher
   - expect the guess is Right
2. The deck has two of each, and a hand counts as a round of its own.
   - do Hand with Ann as the holder as the deal
   - Ann shows 3, 1, 3, 2, 2; Ann picks 2
   - expect the deal's score is 337 and the deal's extra is 4 and the deal's left is 1

## example: Red Red Red Red
- Ann: a hero
1. A wheel is never empty.
   - do Spin with Ann as the spinner
   - Ann shows Red, Red, Blue, Red
   - expect Ann's Red is 3 and Ann's Blue is 1

## example: Nothing Left
- Ann: a hero
1. Six are all there are, and what follows an empty deck is left out.
   - do Too Many with Ann as the holder as the deal
   - Ann shows 1, 1, 2, 2, 3, 3
   - expect the deal's many is 0

## example: Searched
- Ann: a hero
1. Nothing is left to chance.
   - do Search with Ann as the seeker as the search
   - expect the search's score is 81

## example: The Same Card Twice
- Ann: a hero
1. There are not three of it.
   - do Hand with Ann as the holder
   - Ann shows 3, 3, 3
"""


def rules() -> Rules:
    return rules_of(PAGE, "cards")


def played(name: str) -> str:
    """What is wrong with an example; nothing when it comes out."""
    failure = play_example(rules(), next(one for one in rules().system.of_kind("example") if one.name == name)).failure
    return failure.message if failure is not None else ""


def counted(procedure: str, *pairs: str, policy: str = "plain", liveness: bool = True) -> Table:
    one = ask(rules(), procedure, pairs, ("Ann: a hero",))
    odds = Odds(one.rules, POLICIES[policy], liveness)
    return table(one.rules, one.state, odds.run(one.state, one.procedure.id, one.roles), odds.live.yields(one.procedure.id))


SMALL = (1, 1, 2, 2, 3, 3)
ORDERS = list(permutations(SMALL))


def share(count: int) -> Fraction:
    return Fraction(count, len(ORDERS))


@pytest.mark.parametrize("name", ["Higher Than Two", "Red Red Red Red", "Nothing Left", "Searched"])
def test_examples_draw(name: str) -> None:
    assert played(name) == ""


def test_a_script_cannot_draw_what_is_not_there() -> None:
    assert "the rules ask Ann to draw 3 cards of Small" in played("The Same Card Twice")


@pytest.mark.parametrize("liveness", [True, False])
@pytest.mark.parametrize(("policy", "sign"), [("plain", 1), ("last", -1)])
def test_two_cards_are_what_a_walk_over_all_orders_says(policy: str, sign: int, liveness: bool) -> None:
    found = counted("Guess", "guesser=Ann", policy=policy, liveness=liveness)
    right = sum((order[1] - order[0]) * sign > 0 for order in ORDERS)
    assert {name.partition("#")[2]: weight for name, weight in found.outcomes.items()} == {"right": share(right), "wrong": share(len(ORDERS) - right)}


def test_a_hand_is_what_a_walk_over_all_orders_says() -> None:
    found = counted("Hand", "holder=Ann", policy="spend")
    score = Counter(sum(order[:3]) + 10 * max(order[:3]) + 300 for order in ORDERS)
    extra = Counter(sum(order[3:5]) for order in ORDERS)
    assert found.numbers["", "score"] == {value: share(count) for value, count in score.items()}
    assert found.numbers["", "extra"] == {value: share(count) for value, count in extra.items()}
    assert found.numbers["", "left"] == {1: Fraction(1)}


def test_the_best_guess_knows_the_card_that_lies_open() -> None:
    one = ask(rules(), "Guess", ("guesser=Ann",), ("Ann: a hero",))
    graph = Best(one.rules, POLICIES["plain"], choices_of(frozenset(("Ann",))))
    spread = solved(graph.graph(one.state, one.procedure.id, one.roles), lambda state: "right" in str(state.frames[0].words))
    won = sum((weight for (state, _), weight in spread.items() if "right" in str(state.frames[0].words)), Fraction(0))
    best = sum(max(sum((other - card) * sign > 0 for other in rest(card)) for sign in (1, -1)) for card in SMALL)
    assert won == Fraction(best, len(SMALL) * 5)


def rest(card: int) -> list[int]:
    left = list(SMALL)
    left.remove(card)
    return left


def test_a_wheel_forgets() -> None:
    found = counted("Spin", "spinner=Ann")
    assert found.numbers["Ann", "cards:colour/red"] == {count: Fraction(comb(4, count), 16) for count in range(5)}


def test_the_law_of_a_hand_is_that_of_all_orders() -> None:
    deck = ("a", "a", "b", "c", "c", "c")
    for count in range(7):
        effect = Draw("Ann", "deck", deck, count)
        walked = Counter(tuple(sorted(order[:count])) for order in permutations(deck))
        assert dict(law(effect)) == {hand: Fraction(ways, 720) for hand, ways in walked.items()}
        assert size(effect) == len(walked)


def test_five_cards_of_fifty_two_have_a_closed_law() -> None:
    effect = Draw("Ann", "deck", tuple(f"{card}" for card in range(1, 14) for _ in range(4)), 5)
    found = law(effect)
    assert len(found) == size(effect) == 6175
    assert sum(weight for _, weight in found) == 1
    assert dict(found)["1", "1", "1", "1", "2"] == Fraction(4, 2_598_960)


def test_cards_that_fall_by_the_seed_are_never_drawn_twice() -> None:
    hand = drawn("1", 0, Draw("Ann", "deck", ("1", "1", "2", "3"), 4))
    assert hand == ("1", "1", "2", "3")
    ones = Counter(drawn(f"{seed}", 0, Draw("Ann", "deck", ("1", "2", "3"), 2)) for seed in range(600))
    assert set(ones) == {("1", "2"), ("1", "3"), ("2", "3")}
    assert min(ones.values()) > 150


def test_equal_decks_are_equal_states() -> None:
    """Whatever was drawn first, a state with the same cards left is the same state."""
    one = ask(rules(), "Hand", ("holder=Ann",), ("Ann: a hero",))
    odds = Odds(one.rules, POLICIES["plain"])
    ends = {state.decks for state, _ in odds.run(one.state, one.procedure.id, one.roles)}
    assert len(ends) == 1  # everything was drawn in the end
    assert Reading(rules(), one.state).cards_left("cards:deck/small") == ("1", "1", "2", "2", "3", "3")


@pytest.mark.parametrize("item", ["08-group-test", "09-roulette"])
def test_the_paper_is_played(item: str) -> None:
    system, found = check(
        [Source("page.te", (PAPER / item / f"{item}.te").read_text(encoding="utf-8"))], PackInfo(id="paper", title="Paper", version="1.0.0")
    )
    assert system is not None
    assert [one.message for one in found if one.severity == "error"] == []
    for example in system.of_kind("example"):
        failure = play_example(Rules(system), example).failure
        assert failure is None, f"{failure.span.line}: {failure.message} {failure.help}"


def test_play_and_replay_draw_the_same(tmp_path: Path) -> None:
    (tmp_path / "rules").mkdir()
    (tmp_path / "pack.yaml").write_text("id: cards\ntitle: Cards\nversion: 1.0.0\nauthors: [A]\nlicense: CC0-1.0\n", encoding="utf-8")
    (tmp_path / "rules" / "01-cards.te").write_text(PAGE.partition("## example: The Same")[0], encoding="utf-8")
    log = tmp_path / "game.log"
    typed = "add Ann: a hero\nbot everybody plain\ndo Hand holder=Ann\ndo Guess guesser=Ann\ndo Omen seer=Ann\nquit\n"
    first = CliRunner().invoke(cli, ["play", str(tmp_path), "--seed", "3", "--log", str(log)], input=typed, catch_exceptions=False)
    assert "Ann draws " in first.output
    again = CliRunner().invoke(cli, ["replay", str(log), "--pack", str(tmp_path)], catch_exceptions=False)
    assert again.exit_code == 0
    assert "cannot draw: Small has no cards left" in again.output
    drawn_then, drawn_now = ([line.strip() for line in out.split("\n") if " draws " in line] for out in (first.output, again.output))
    assert drawn_then == drawn_now
    assert len(drawn_now) == 3
    log.write_text(log.read_text(encoding="utf-8").replace('"Sun"', '"Star"').replace('"Moon"', '"Star"'), encoding="utf-8")
    edited = CliRunner().invoke(cli, ["replay", str(log), "--pack", str(tmp_path)], catch_exceptions=False)
    assert edited.exit_code == 1
    assert "Traceback" not in edited.output
