"""What a book has of a kind is counted in its prose; a deck may say how many of a card; `a coin of the giver` is one that the giver has."""

from __future__ import annotations

from te_forge.check import check
from te_forge.engine.index import Rules
from te_forge.engine.script import play_example
from te_forge.model.pack import PackInfo
from te_forge.model.system import System
from te_forge.source import Source

PAGE = """# The Purse

There are {number of coins} sorts of coins, and {sum Made of coins} coins in all; {sum Made of coins except Gold} are not golden.

## kind: keeper
- Is: an actor

## kind: coin
- Is: a number of a keeper
- At Least: 0

| label | holds    | default | text            |
|-------|----------|---------|-----------------|
| Made  | a number | 5       | how many exist  |

| coin   | Starts | Made | text      |
|--------|--------|------|-----------|
| Gold   | 0      | 2    | It shines. |
| Silver | 1      | 7    | It is dull. |
| Copper | 1      | 5    | It is red. |

## kind: omen
- Is: an entry

| omen | text   |
|------|--------|
| Sun  | Up.    |
| Moon | Down.  |
| Fool | Gone.  |

## deck: Omens
- Cards: Sun, Moon, 1 Fool
- Copies: 3

## procedure: Paying
- Roles: a keeper as the giver

1. Pay.
   - Which: the giver chooses a coin of the giver as the coin; the giver loses 1 of the coin

## procedure: Looking
- Roles: a keeper as the seer

1. Look.
   - All: the seer draws 7 of Omens as the signs
   - Count: the many is number of the signs

## procedure: Counting
- Roles: a keeper as the counter

1. Count.
   - Sorts: the sorts is 0
   - Each: for each coin in the counter: the sorts becomes the sorts + 1

## example: No Gold to Give
- Ann: a keeper with Copper 2
1. She has none.
   - do Paying with Ann as the giver
   - expect Gold is not offered and Silver is offered
   - Ann picks Silver
   - expect Ann's Silver is 0
2. Now there is one sort left, and nobody is asked.
   - do Paying with Ann as the giver
   - do Counting with Ann as the counter as the count
   - expect Ann's Copper is 1 and the count's sorts is 1
3. Seven cards: three and three and one.
   - do Looking with Ann as the seer as the look
   - Ann shows Sun, Sun, Sun, Moon, Moon, Moon, Fool
   - expect the look's many is 7
"""


def made(page: str = PAGE) -> System:
    system, found = check([Source("purse.te", page)], PackInfo(id="purse", title="Purse", version="1.0.0"))
    assert system is not None
    assert [one.message for one in found if one.severity == "error"] == []
    return system


def test_prose_counts_what_the_book_has() -> None:
    said = repr(made().chapters[0])
    assert all(f"text='{number}'" in said for number in (3, 14, 12))


def test_what_a_hack_may_bring_in_is_not_counted() -> None:
    more = PAGE + "\n## hack: Richer\n### coin: Platinum\n- Made: 1\n"
    assert "text='14'" in repr(made(more).chapters[0])


def test_people_cannot_be_counted_before_play() -> None:
    _, found = check(
        [Source("purse.te", PAGE.replace("{number of coins}", "{number of keepers}"))], PackInfo(id="purse", title="Purse", version="1.0.0")
    )
    assert "not-printable" in {one.code for one in found}


def test_what_somebody_has_none_of_is_not_offered() -> None:
    system = made()
    failure = play_example(Rules(system), next(iter(system.of_kind("example")))).failure
    assert failure is None, failure


def test_a_deck_says_how_many() -> None:
    cards = Rules(made()).cards("purse:deck/omens")
    assert [cards.count(f"purse:omen/{one}") for one in ("sun", "moon", "fool")] == [3, 3, 1]
