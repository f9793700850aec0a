"""How rules are read aloud: as they are written, with the articles and the few words more that English wants."""

from __future__ import annotations

import pytest

from te_forge.aloud import read_aloud
from te_forge.model.system import Ref
from te_forge.render.prose import spoken


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("the award is number of heroes", "the award is the number of heroes"),
        ("if (number of heroes) is above 1: end with Won", "if (the number of heroes) is above 1: end with Won"),
        ("greater of number of heroes and 2", "the greater of the number of heroes and 2"),
        ("the low is lowest measure of heroes", "the low is the lowest measure of heroes"),
        ("the hero keeps the highest 2 of the roll as the kept", "the hero keeps the highest 2 of the roll as the kept"),
        ("the hero keeps the highest the count of the roll as the kept", "the hero keeps the highest (the count) of the roll as the kept"),
        ("a number of heroes", "a number of heroes"),
        ("the way is the goal's Distance - the mover's Full Zone's Distance", "the way is the goal's Distance - the Distance of the mover's Full Zone"),
        ("if the hero's aim is below the hero's aim's most: end with Won", "if the hero's aim is below the most of the hero's aim: end with Won"),
        ("the hero's aim's foe's Luck becomes 1", "the hero's aim's foe's Luck becomes 1"),
        ("the sum is sum of the roll", "the sum is the sum of the roll"),
        ("the plus is sum Cost of the picks", "the plus is the sum of the Cost of the picks"),
        ("after gain of Luck by the owner: the owner loses 1 Luck", "after a gain of Luck by the owner: the owner loses 1 Luck"),
        ("the hero rolls (the pool) d6 as the roll", "the hero rolls (the pool)d6 as the roll"),
        ("the hero rolls 1 d6 as the roll", "the hero rolls 1d6 as the roll"),
        ("the bonus is the hero's Luck more; the cost is 2 less", "the bonus is more by the hero's Luck; the cost is 2 less"),
        ("do Turn with the hero as the hero", "do Turn with the hero"),
        ("do Turn with the hero as the hero, the foe as the target, the aim as the aim", "do Turn with the hero, the foe as the target, the aim"),
        ("do Turn with the hero as the hero as the end", "do Turn with the hero as the hero as the end"),
        ("do Turn with the hero's aim as the aim", "do Turn with the hero's aim as the aim"),
        ("for each hero whose Luck is 1 whose Wit is at least (the cost - 1) whose Nerve is not 0: end with Won", "for each hero whose Luck is 1 and whose Wit is at least (the cost - 1) and whose Nerve is not 0: end with Won"),
        ("for each hero whose Luck is 1 whose Wit is the lowest: end with Won", "for each hero whose Luck is 1 whose Wit is the lowest: end with Won"),
        ('the gm may agree "number of heroes as the heroes"', 'the gm may agree "number of heroes as the heroes"'),
        ('the hero may pay 1 Luck agree "a fact"', 'the hero may pay 1 Luck, if it is so ("a fact")'),
    ],
)  # fmt: skip
def test_a_rule_is_read_aloud(written: str, read: str) -> None:
    assert read_aloud(written) == read
    assert read_aloud(read) == read, "once is enough"


def test_references_are_kept_where_the_words_go() -> None:
    cost, picks = Ref("pool:cost", "Cost"), Ref("pool:picks", "Picks")
    assert spoken(("the plus is sum ", cost, " of the ", picks)) == ("the plus is the sum of the ", cost, " of the ", picks)
    assert spoken(("the bonus is the hero's ", cost, " more")) == ("the bonus is more by the hero's ", cost)
    assert spoken(("at most the owner's ", cost, "'s start")) == ("at most the start of the owner's ", cost)
    assert spoken((cost, " as it is")) == (cost, " as it is")
