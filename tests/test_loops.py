"""`repeat until`: rounds without a bound, in play and in odds, against chains that are solved here by hand."""

from __future__ import annotations

from fractions import Fraction as F
from itertools import product

import pytest
from beginnings import PLAYERS

from te_forge.asked import Decided, ask, goal
from te_forge.check import check
from te_forge.engine import loops
from te_forge.engine.best import Best, choices_of, follower
from te_forge.engine.expectimax import solved
from te_forge.engine.following import TooMany
from te_forge.engine.index import Rules
from te_forge.engine.odds import Odds
from te_forge.engine.policies import POLICIES
from te_forge.engine.reading import RuleError
from te_forge.engine.script import play_example
from te_forge.engine.state import Slot, Stale, StillRead
from te_forge.engine.table import Table, table
from te_forge.model.pack import PackInfo
from te_forge.source import Source

HEAD = f"""# Ties
{PLAYERS}| Coins | 3      | 0        | 6       | What one has |

"""
WHO = ("Ann: a player", "Ben: a player")


def rules(text: str) -> Rules:
    system, found = check([Source("ties.te", HEAD + text)], PackInfo(id="ties", title="Ties", version="1.0.0"))
    assert [one for one in found if one.severity == "error"] == []
    return Rules(system)


def counted(made: Rules, procedure: str, *pairs: str, liveness: bool = True, policy: str = "plain") -> Table:
    asked = ask(made, procedure, pairs, WHO)
    odds = Odds(made, POLICIES[policy], liveness)
    return table(made, asked.state, odds.run(asked.state, asked.procedure.id, asked.roles), odds.live.yields(asked.procedure.id), odds.cut)


def outcomes(found: Table) -> dict[str, F]:
    return {name.partition("#")[2]: share for name, share in found.outcomes.items()}


# ---------------------------------------------------------------- an oracle of its own


def solve(rows: list[list[F]], known: list[F]) -> list[F]:
    """`x = known + rows x`, by Gauss and Jordan."""
    size = len(rows)
    left = [[F(int(at == to)) - rows[at][to] for to in range(size)] + [known[at]] for at in range(size)]
    for at in range(size):
        pivot = next(row for row in range(at, size) if left[row][at])
        left[at], left[pivot] = left[pivot], left[at]
        left[at] = [one / left[at][at] for one in left[at]]
        for row in range(size):
            if row != at:
                left[row] = [one - left[row][at] * other for one, other in zip(left[row], left[at], strict=True)]
    return [row[size] for row in left]


# ---------------------------------------------------------------- ties

DUEL = """## procedure: Duel
- Roles: a player as the one, a player as the other
- Outcomes: Won, Lost

1. Throw.
   - Zero: the rounds is 0
   - Throw: repeat until the left is not the right:
     - One: the one rolls 1 d6 as the mine; the left is sum of the mine
     - Other: the other rolls 1 d4 as the yours; the right is sum of the yours
     - Count: the rounds becomes the rounds + 1
2. Look.
   - Won: if the left is above the right: end with Won
   - Lost: otherwise: end with Lost

## example: A Tie First
- Ann: a player
- Ben: a player
1. A tie.
   - do Duel with Ann as the one, Ben as the other as the duel
   - Ann shows 3; Ben shows 3; Ann shows 4; Ben shows 2
   - expect the duel is Won and the duel's rounds is 2
"""


def test_the_body_runs_before_the_question() -> None:
    made = rules(DUEL)
    assert play_example(made, made.system.of_kind("example")[0]).failure is None


@pytest.mark.parametrize("liveness", [True, False])
def test_ties_are_rolled_again(liveness: bool) -> None:
    found = counted(rules(DUEL), "Duel", "one=Ann", "other=Ben", liveness=liveness)
    won = sum(F(1, 24) for mine in range(1, 7) for yours in range(1, 5) if mine > yours)
    lost = sum(F(1, 24) for mine in range(1, 7) for yours in range(1, 5) if mine < yours)
    assert outcomes(found) == {"won": won / (won + lost), "lost": lost / (won + lost)}
    assert (found.missing, found.cut) == (0, ())
    rounds = found.numbers["", "rounds"]
    assert all(rounds[number] == (1 - F(1, 6)) * F(1, 6) ** (number - 1) for number in range(1, 10))
    assert found.mean(("", "rounds")) == F(6, 5)
    others = found.beyond["", "rounds"]
    assert 0 < others.share < F(1, 10**12) and others.share + sum(rounds.values()) == 1
    assert others.above == max(number for number in rounds if number is not None)


COUNTED = """## procedure: Counted
- Roles: a player as the one
- Outcomes: Few, Many

1. Throw.
   - Zero: the sixes is 3; the both is 0
   - Sixes: repeat until sum of the die is 1: the one rolls 1 d6 as the die; if sum of the die is 6: the sixes becomes the sixes + 1
   - Fives: repeat until sum of the last is below 4: the one rolls 1 d6 as the last; if sum of the last is 5: the both becomes the both + 1
   - Both: the both becomes the both + the sixes
2. Look.
   - Many: if the sixes is at least 9 and 5 is below the both and the sixes is not 4: end with Many
   - Few: otherwise: end with Few
"""


@pytest.mark.parametrize("liveness", [True, False])
def test_a_round_may_count_nothing_and_every_share_is_exact(liveness: bool) -> None:
    """Each round counts or ends or does neither: how often it counts before it ends takes no regard of the rounds in which it does neither."""
    found = counted(rules(COUNTED), "Counted", "one=Ann", liveness=liveness)
    sixes, both = found.numbers["", "sixes"], found.numbers["", "both"]
    assert [sixes[3 + number] for number in range(9)] == [F(1, 2) ** (number + 1) for number in range(9)]
    fives = [F(3, 4) * F(1, 4) ** number for number in range(9)]
    assert [both[3 + number] for number in range(9)] == [
        sum(F(1, 2) ** (number - one + 1) * fives[one] for one in range(number + 1)) for number in range(9)
    ]
    assert found.mean(("", "sixes")) == 4 and found.mean(("", "both")) == 4 + F(1, 3)
    assert outcomes(found) == {"many": F(1, 2) ** 6, "few": 1 - F(1, 2) ** 6} and found.missing == 0
    assert found.told_apart and all(
        others.above is not None and others.above >= max(value for value in found.numbers[key] if value is not None)
        for key, others in found.beyond.items()
    )


# ---------------------------------------------------------------- other chains

RUIN = """## procedure: Ruin
- Roles: a player as the one
- Outcomes: Rich, Poor

1. Play.
   - Zero: the rounds is 0
   - Play: repeat until the one's Coins is 0 or the one's Coins is 6:
     - Dice: the one rolls 1 d6 as the mine; the one rolls 1 d8 as the bank
     - Won: if sum of the mine is above (sum of the bank): the one gains 1 Coins
     - Lost: if sum of the mine is below (sum of the bank): the one loses 1 Coins
     - Count: the rounds becomes the rounds + 1
2. Look.
   - Rich: if the one's Coins is 6: end with Rich
   - Poor: otherwise: end with Poor
"""


@pytest.mark.parametrize(("start", "liveness"), [(1, True), (3, True), (5, True), (3, False)])
def test_a_gamblers_ruin(start: int, liveness: bool) -> None:
    throws = [(mine, bank) for mine in range(1, 7) for bank in range(1, 9)]
    up, down = F(sum(mine > bank for mine, bank in throws), 48), F(sum(mine < bank for mine, bank in throws), 48)
    rows = [[up if to == at + 1 else down if to == at - 1 else 1 - up - down if to == at else F(0) for to in range(1, 6)] for at in range(1, 6)]
    rich = solve(rows, [up if at == 5 else F(0) for at in range(1, 6)])[start - 1]
    long = solve(rows, [F(1)] * 5)[start - 1]
    found = counted(rules(RUIN), "Ruin", "one=Ann", f"Ann.Coins={start}", liveness=liveness)
    assert outcomes(found) == {"rich": rich, "poor": 1 - rich}
    assert found.mean(("", "rounds")) == long and found.missing == 0
    assert found.mean(("Ann", "ties:pool/coins")) == 6 * rich


FIGHT = """## procedure: Fight
- Roles: a player as the one, a player as the other
- Outcomes: Won, Lost

1. Fight.
   - Zero: the left is 4; the right is 5; the hits is 0; the rounds is 0
   - Rounds: repeat until the left is below 1:
     - One: do Blow with the one as the hand as the blow; the right becomes the right - (the blow's harm); the hits becomes the hits + the blow's harm
     - Down: if the right is below 1: end with Won
     - Other: the other rolls 1 d4 as the yours; if sum of the yours is above 2: the left becomes the left - (sum of the yours)
     - Heal: if sum of the yours is 1: the left becomes lesser of 4 and (the left + 1)
     - Count: the rounds becomes the rounds + 1
2. Look.
   - Lost: end with Lost

## procedure: Blow
- Roles: a player as the hand

1. Roll.
   - Miss: the harm is 0
   - Blow: do Luck with the hand as the hand as the luck; if the luck's number is at least 4: the harm becomes the luck's number - 3

## procedure: Luck
- Roles: a player as the hand

1. Roll.
   - Dice: the number is 0; repeat until the number is not 1: do Throw with the hand as the hand as the throw; the number becomes the throw's face

## procedure: Throw
- Roles: a player as the hand

1. Roll.
   - Dice: the hand rolls 1 d6 as the die
   - Face: the face is sum of the die
"""


@pytest.mark.parametrize("liveness", [True, False])
def test_a_fight_of_two_ends_with_one_of_them_down(liveness: bool) -> None:
    """A one that is thrown is thrown again, so 4, 5 and 6 come in three of five cases; a wound may heal, so states come back."""
    harm = {0: F(2, 5), 1: F(1, 5), 2: F(1, 5), 3: F(1, 5)}
    left = {0: F(1, 4), 3: F(1, 4), 4: F(1, 4), -1: F(1, 4)}
    states = [(mine, yours) for mine in range(1, 5) for yours in range(1, 6)]
    number = {state: at for at, state in enumerate(states)}
    rows = [[F(0)] * len(states) for _ in states]
    won, hits, long = [F(0)] * len(states), [F(0)] * len(states), [F(0)] * len(states)
    for at, (mine, yours) in enumerate(states):
        for blow, chance in harm.items():
            hits[at] += blow * chance
            if blow >= yours:
                won[at] += chance
                continue
            long[at] += chance
            for wound, share in left.items():
                after = min(4, mine - wound), yours - blow
                if after[0] >= 1:
                    rows[at][number[after]] += chance * share
    at = number[4, 5]
    found = counted(rules(FIGHT), "Fight", "one=Ann", "other=Ben", liveness=liveness)
    wins = solve(rows, won)[at]
    assert outcomes(found) == {"won": wins, "lost": 1 - wins}
    assert found.mean(("", "hits")) == solve(rows, hits)[at] and found.mean(("", "rounds")) == solve(rows, long)[at]
    assert found.missing == 0


PAIRS = """## procedure: Pairs
- Roles: a player as the one

1. Roll.
   - Zero: the face is 0; the mark is 0; the rounds is 0
   - Rounds: repeat until the before is the face:
     - Before: the before is the face
     - Roll: the one rolls 1 d6 as the die; the face becomes sum of the die
     - Mark: if the face is 2: the mark becomes 1
     - Count: the rounds becomes the rounds + 1
2. Look.
   - Marked: the marked is the mark
"""


@pytest.mark.parametrize("liveness", [True, False])
def test_what_a_round_reads_of_the_one_before_it_is_kept_apart(liveness: bool) -> None:
    """`the before` is given anew before it is read, `the face` is not, and `the mark` is given in some rounds only and read behind them."""
    found = counted(rules(PAIRS), "Pairs", "one=Ann", liveness=liveness)
    assert found.mean(("", "rounds")) == 7
    # from a face that is no 2, without a mark: x = a pair + another face that is no 2 in 4 of 6 cases; a 2 marks
    unmarked = F(1, 6) / (1 - F(4, 6))
    assert found.numbers["", "marked"] == {0: F(5, 6) * unmarked, 1: 1 - F(5, 6) * unmarked}


LATER = """## procedure: Count
- Roles: a player as the one

1. Roll.
   - Zero: the rounds is 0
   - Rounds: repeat until sum of the die is 6: the one rolls 1 d6 as the die; the rounds becomes the rounds + 1
   - More: repeat until sum of the coin is 2: the one rolls 1 d2 as the coin; the rounds becomes the rounds + 1
2. Hand on.
   - On: do Keeping with the rounds as the sum as the kept; the total is (the kept's twice) - 1
   - Long: LONG

## procedure: Keeping
- Roles: a number as the sum
1. Keep.
   - Twice: the twice is the sum x 2 + the sum
"""


@pytest.mark.parametrize("liveness", [True, False])
def test_a_number_that_grows_is_counted_with_and_handed_on(liveness: bool) -> None:
    found = counted(rules(LATER.replace("LONG", 'the one says "done"')), "Count", "one=Ann", liveness=liveness)
    assert (found.missing, found.cut) == (0, ())
    assert found.mean(("", "rounds")) == 6 + 2
    assert found.mean(("", "total")) == 3 * 8 - 1
    assert found.numbers["", "total"][3 * 3 - 1] == found.numbers["", "rounds"][3] == F(1, 6) * F(1, 4) + F(5, 36) * F(1, 2)


def looked_at(condition: str) -> Table:
    return counted(
        rules(LATER.replace("LONG", f"if the rounds is {condition}: the long is 1\n   - Short: otherwise: the long is 0")), "Count", "one=Ann"
    )


def test_a_number_that_grows_is_compared_exactly() -> None:
    found = looked_at("above 3")
    short = F(1, 6) * F(1, 2) + F(1, 6) * F(1, 4) + F(5, 36) * F(1, 2)
    assert found.numbers["", "long"] == {0: short, 1: 1 - short} and found.missing == 0


@pytest.mark.parametrize("condition", ["a multiple of 2", "above 1000"])
def test_who_looks_closer_at_a_number_that_grows_leaves_something_out(condition: str) -> None:
    found = looked_at(condition)
    assert 0 < found.missing < F(1, 10**11)
    assert "grows for as long as a `repeat until` goes on" in found.cut[0]
    assert sum(found.numbers["", "long"].values()) == 1 - found.missing


BEHIND = """## procedure: Try
- Roles: a player as the one
- Outcomes: Good, Bad

1. Try.
   - Way: the tries is 0; the last is 0
2. Look.
   - Good: if the tries is 2: end with Good
   - Bad: otherwise: end with Bad

## rule: Stubborn
- Again: before Look in Try: repeat until the more is at least 5: the owner rolls 1 d6 as the die; the more is sum of the die

## kind: habit
- Is: a trait of a player

## habit: Patience
- Wait: after Try with the owner as the one: repeat until the more is at least 5: the owner rolls 1 d6 as the die; the more is sum of the die; the owner gains 1 Coins
"""


@pytest.mark.parametrize("liveness", [True, False])
def test_behind_an_event_the_words_are_its_own(liveness: bool) -> None:
    text = BEHIND[: BEHIND.index("## rule")] + BEHIND[BEHIND.index("## kind: habit") :]
    made = rules(text)
    asked = ask(made, "Try", ("one=Ann", "Ann.Coins=0"), ("Ann: a player with Patience",))
    odds = Odds(made, POLICIES["plain"], liveness)
    found = table(made, asked.state, odds.run(asked.state, asked.procedure.id, asked.roles), odds.live.yields(asked.procedure.id), odds.cut)
    coins = found.numbers["Ann", "ties:pool/coins"]
    assert coins == {number: F(1, 3) * F(2, 3) ** (number - 1) for number in range(1, 6)} | {6: F(2, 3) ** 5}
    assert outcomes(found) == {"bad": 1}


# ---------------------------------------------------------------- without an end


def test_what_can_never_end_is_told_with_its_place() -> None:
    text = """## procedure: Trap
- Roles: a player as the one

1. Fall.
   - Zero: the floor is 0
   - Down: repeat until the floor is 3: the one rolls 1 d6 as the die; if sum of the die is above 3: the floor becomes 4
   - Up: the floor becomes 3
"""
    with pytest.raises(RuleError, match="whatever the dice show, in the step Fall") as error:
        counted(rules(text), "Trap", "one=Ann")
    assert error.value.scope.entry == "ties:procedure/trap"


def test_what_some_dice_never_end_is_told_too() -> None:
    text = """## procedure: Trap
- Roles: a player as the one

1. Fall.
   - Zero: the floor is 0
   - Down: repeat until the floor is 3: the one rolls 1 d6 as the die; if the floor is 0: the floor becomes lesser of 4 and (sum of the die)
"""
    with pytest.raises(RuleError, match="can come to a point from which it never comes to its end"):
        counted(rules(text), "Trap", "one=Ann")


def test_play_stops_what_never_ends() -> None:
    text = """## procedure: Trap
- Roles: a player as the one

1. Fall.
   - Down: repeat until the floor is 3: the floor is 2

## example: For Ever
- Ann: a player
1. Down.
   - do Trap with Ann as the one
   - expect Ann's Coins is 3
"""
    made = rules(text)
    failure = play_example(made, made.system.of_kind("example")[0]).failure
    assert failure is not None and "repeated 10,000 times without coming to its end" in failure.message


def test_a_pool_that_grows_is_followed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(loops, "SOME_STATES", 60)
    text = """## pool: Paid
How much went in.

## procedure: Pay
- Roles: a player as the one

1. Pay.
   - Pay: repeat until sum of the coin is 2: the one gains 1 Paid; the one rolls 1 d2 as the coin
"""
    found = counted(rules(text), "Pay", "one=Ann")
    paid = found.numbers["Ann", "ties:pool/paid"]
    assert [paid[number] for number in range(1, 30)] == [F(1, 2**number) for number in range(1, 30)]
    assert 0 < found.missing < F(1, 10**11) and "more different states" in found.cut[0]


def test_what_has_states_without_end_is_followed() -> None:
    text = """## procedure: Stakes
- Roles: a player as the one

1. Play.
   - Zero: the stake is 1
   - Play: repeat until sum of the coin is 2: the one rolls 1 d2 as the coin; the stake becomes the stake x 2
"""
    found = counted(rules(text), "Stakes", "one=Ann")
    assert found.numbers["", "stake"][2**10] == F(1, 2**10)
    assert 0 < found.missing < F(1, 10**12) and "more different states" in found.cut[0]


# ---------------------------------------------------------------- with somebody who decides

BETS = """## procedure: Bets
- Roles: a player as the one
- Outcomes: Rich, Poor

1. Play.
   - Play: repeat until the one's Coins is 0 or the one's Coins is 6:
     - Low: the stake is 1
     - High: if the one's Coins is at least 2 and the one's Coins is at most 4: the one may: the stake becomes 2
     - Dice: the one rolls 1 d6 as the mine
     - Won: if sum of the mine is at most 2: the one gains Coins equal to the stake
     - Lost: if sum of the mine is above 3: the one loses Coins equal to the stake
2. Look.
   - Rich: if the one's Coins is 6: end with Rich
   - Poor: otherwise: end with Poor
"""


def goal_of(made: Rules, procedure: str, aim: str, *pairs: str, liveness: bool = True) -> F:
    asked = ask(made, procedure, pairs, WHO)
    graph = Best(made, POLICIES["plain"], choices_of(frozenset(("Ann",))), liveness)
    wanted = goal(asked, aim, graph.live.yields(asked.procedure.id))
    spread = solved(graph.graph(asked.state, asked.procedure.id, asked.roles), lambda state: wanted.worth(made, asked.state, state))
    assert sum(spread.values()) == 1
    return wanted.sign * sum((weight * wanted.worth(made, asked.state, state) for (state, _), weight in spread.items()), F(0))


def ruin(start: int, stakes: dict[int, int], up: F, down: F) -> F:
    rows = [[F(0)] * 5 for _ in range(5)]
    won = [F(0)] * 5
    for coins in range(1, 6):
        for chance, after in ((up, coins + stakes[coins]), (down, coins - stakes[coins]), (1 - up - down, coins)):
            if 1 <= after <= 5:
                rows[coins - 1][after - 1] += chance
            elif after == 6:
                won[coins - 1] += chance
    return solve(rows, won)[start - 1]


@pytest.mark.parametrize("liveness", [True, False])
@pytest.mark.parametrize(("aim", "bold"), [("Rich", True), ("Poor", False)])
def test_the_best_stakes_are_those_of_the_best_of_all_policies(aim: str, bold: bool, liveness: bool) -> None:
    """Against every policy that the coins alone decide, each solved by itself."""
    shares = [ruin(3, {1: 1, 5: 1, 2: two, 3: three, 4: four}, F(1, 3), F(1, 2)) for two, three, four in product((1, 2), repeat=3)]
    found = goal_of(rules(BETS), "Bets", aim, "one=Ann", liveness=liveness)
    assert found == (max(shares) if bold else 1 - min(shares))


WAIT = """## procedure: Wait
- Roles: a player as the one
- Outcomes: Good, Bad

1. Play.
   - Zero: the face is 0; the tries is 0
   - Play: repeat until the face is 1 or the face is 6:
     - Roll: the one may: the one rolls 1 d6 as the die; the face becomes sum of the die; the tries becomes the tries + 1
2. Look.
   - Good: if the face is 6: end with Good
   - Bad: otherwise: end with Bad
"""


@pytest.mark.parametrize("liveness", [True, False])
def test_who_decides_for_a_goal_does_not_wait_for_ever(liveness: bool) -> None:
    made = rules(WAIT.replace("; the tries is 0", "").replace("; the tries becomes the tries + 1", ""))
    assert goal_of(made, "Wait", "Good", "one=Ann", liveness=liveness) == F(1, 2)
    assert goal_of(made, "Wait", "Bad 3, Good -1", "one=Ann", liveness=liveness) == 1
    assert goal_of(made, "Wait", "Bad -3, Good -1", "one=Ann", liveness=liveness) == -2
    with pytest.raises(RuleError, match="never comes to its end"):
        counted(made, "Wait", "one=Ann", liveness=liveness)
    assert outcomes(counted(made, "Wait", "one=Ann", liveness=liveness, policy="spend")) == {"good": F(1, 2), "bad": F(1, 2)}


def test_a_number_that_grows_while_somebody_decides_is_refused() -> None:
    made = rules(WAIT)
    with pytest.raises(TooMany, match="a number grows with each of them and is asked for afterwards"):
        goal_of(made, "Wait", "Good", "one=Ann")
    assert counted(made, "Wait", "one=Ann", policy="spend").mean(("", "tries")) == 3


LUCK = """## procedure: Push
- Roles: a player as the one

1. Play.
   - Zero: the sum is 0; the done is 0
   - Play: repeat until the done is 1:
     - Stop: the one may: the done becomes 1
     - Dice: the one rolls 1 d6 as the die
     - Bust: if the done is 0 and sum of the die is 1: the sum becomes 0; the done becomes 1
     - Add: if the done is 0 and sum of the die is above 2: the sum becomes lesser of 40 and (the sum + sum of the die)
"""


def test_as_much_as_can_be_is_found_where_a_throw_may_change_nothing() -> None:
    worth = {sum_: F(sum_) for sum_ in range(40, 47)}
    for sum_ in range(39, -1, -1):  # a one loses all, a two is thrown again
        again = sum((worth[min(40, sum_ + face)] for face in range(3, 7)), F(0)) / 6 / (1 - F(1, 6))
        worth[sum_] = max(F(sum_), again)
    assert worth[0] > 7
    assert goal_of(rules(LUCK), "Push", "highest sum", "one=Ann") == worth[0]


DECK = """## deck: Fate
- Cards: 1 to 4

## procedure: Draw
- Roles: a player as the one

1. Draw.
   - Zero: the draws is 0
   - Draw: repeat until the card is 1: the one draws 1 of Fate as the card; the draws becomes the draws + 1
"""


def test_rounds_that_draw_until_a_card_comes() -> None:
    made = rules(DECK)
    asked = ask(made, "Draw", ("one=Ann",), WHO)
    for odds in (Odds(made, POLICIES["plain"]), follower(made, POLICIES["plain"], asked.state, asked.procedure.id, asked.roles)):
        found = table(made, asked.state, odds.ends(asked.state, asked.procedure.id, asked.roles), odds.live.yields(asked.procedure.id), odds.cut)
        assert found.numbers["", "draws"] == dict.fromkeys((1, 2, 3, 4), F(1, 4)) and not found.beyond and not found.missing


# ---------------------------------------------------------------- what looks at nothing, and what does

ROLLS = """## procedure: Hunt
- Roles: a player as the one
- Counts: Look

1. Roll.
   - Dice: the one rolls 1 d6 as the first
2. Look.
   - Look: the bonus is lesser of 2 and (sum of the first)
3. Wait.
   - Wait: repeat until sum of the die is 6: the one rolls 1 d6 as the die; the bonus becomes lesser of 4 and (the bonus + 1)
   - More: the end is the bonus
"""
PAID = """
## rule: Pay
- Pay: after a roll by a player: the player gains 1 Coins
"""


@pytest.mark.parametrize("more", ["", PAID])
def test_rolls_behind_the_step_at_which_dice_are_final_are_not_remembered(more: str) -> None:
    """They pay nobody; if they were, no round would begin in a state that has been."""
    found = counted(rules(ROLLS + more), "Hunt", "one=Ann")
    low = F(1, 6)
    once, twice = F(1, 6), F(5, 6) * F(1, 6)
    first = {2: once, 3: twice, 4: 1 - once - twice}
    other = {3: once, 4: 1 - once}
    wanted = {number: low * first.get(number, 0) + (1 - low) * other.get(number, 0) for number in (2, 3, 4)}
    assert (found.numbers["", "end"], found.cut) == (wanted, ())
    assert ("Ann", "ties:pool/coins") in found.numbers if more else not found.missing


SAME = """## procedure: Hunt
- Roles: a player as the one

1. Wait.
   - Zero: the tries is 0
   - Wait: repeat until sum of the die is 6: do Look with the one as the one as the look; the one rolls 1 d6 as the die; the tries becomes the tries + 1

## procedure: Look
- Roles: a player as the one

1. Look.
   - Zero: the tries is 1; the other is the tries + 1
"""


def test_a_word_of_another_procedure_is_another_word() -> None:
    """What it does with its `tries` is none of the business of the counter out here."""
    found = counted(rules(SAME), "Hunt", "one=Ann")
    assert found.mean(("", "tries")) == 6 and (found.missing, found.cut) == (0, ())


STOP = """## procedure: Push
- Roles: a player as the one
- Outcomes: Good, Bad

1. Play.
   - Zero: the rounds is 0; the done is 0
   - Play: repeat until the done is 1:
     - Count: the rounds becomes the rounds + 1
     - Stop: the one may: the done becomes 1
     - Dice: if the done is 0: the one rolls 1 d6 as the die; if sum of the die is 1: end with Bad
2. Look.
   - Good: end with Good
"""


@pytest.mark.parametrize("liveness", [True, False])
@pytest.mark.parametrize("last", [1, 4])
def test_an_answer_that_looks_at_a_counter_is_one_that_looks(last: int, liveness: bool) -> None:
    made = rules(STOP)
    asked = ask(made, "Push", ("one=Ann", f"Stop=rounds >= {last}"), WHO)
    odds = Odds(made, Decided(POLICIES["plain"], asked.presets), liveness)
    found = table(made, asked.state, odds.run(asked.state, asked.procedure.id, asked.roles), odds.live.yields(asked.procedure.id), odds.cut)
    assert outcomes(found).get("good") == F(5, 6) ** (last - 1)


def test_nobody_reads_what_is_given_anew() -> None:
    with pytest.raises(StillRead):
        Slot(Stale((1, "", "face")), up=1).come_to()


def test_a_share_that_is_known_rounded_only_is_told_how_to_state_it() -> None:
    made = rules("""## procedure: Draw
- Roles: a player as the one

1. Draw.
   - Zero: the draws is 0
   - Draw: repeat until sum of the die is 1: the one rolls 1 d2 as the die; the draws becomes the draws + 1

## example: Draws
- Ann: a player
1. Exactly.
   - do Draw with Ann as the one as the draw
   - expect the draw's draws is 2 in 1 of 4
   - do Draw with Ann as the one as the draw
   - expect the draw's draws is a multiple of 2 in 1 of 3
2. Rounded.
   - do Draw with Ann as the one as the draw
   - expect the draw's draws is a multiple of 2 in 33 percent
""")
    (example,) = made.system.of_kind("example")
    failure = play_example(made, example).failure
    assert (
        failure is not None
        and "33.33 percent, and less than 0.01 percent are not followed, so it is known rounded only: `in 33 percent`" in failure.message
    )


ICE = """## deck: Ice
- Cards: 1 to 6

## procedure: Crossing
- Roles: a player as the one
- Outcomes: Over, Broken

1. Draw.
   - Begin: the total is 0; the stop is 0
   - Go: repeat until the stop is 1 or the total is above 9:
     - the one draws 1 of Ice as the card
     - the total becomes the total + the card
     - if the total is at most 9: the one may: the stop becomes 1
   - Broken: if the total is above 9: end with Broken
   - Over: otherwise: end with Over
"""


@pytest.mark.parametrize(("policy", "stop"), [("spend", 1), ("plain", 10)])
def test_a_card_more_for_as_long_as_somebody_dares(policy: str, stop: int) -> None:
    """Stops at the first total that is high enough, or never."""

    def over(total: int, left: tuple[int, ...]) -> F:
        after = [(total + card, tuple(one for one in left if one != card)) for card in left]
        return sum((F(1) if sum_ >= stop else over(sum_, rest) for sum_, rest in after if sum_ <= 9), F(0)) / len(left)

    made = rules(ICE)
    asked = ask(made, "Crossing", ("one=Ann",), WHO)
    odds = follower(made, POLICIES[policy], asked.state, asked.procedure.id, asked.roles)
    found = table(made, asked.state, odds.ends(asked.state, asked.procedure.id, asked.roles), odds.live.yields(asked.procedure.id), odds.cut)
    assert outcomes(found).get("over", F(0)) == over(0, tuple(range(1, 7))) and not found.missing
