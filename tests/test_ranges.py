"""Odds for each of several numbers: every line is, by `==`, what the question comes to for that number alone."""

from __future__ import annotations

import json
from collections.abc import Iterable
from fractions import Fraction
from functools import cache
from pathlib import Path

import pytest
from beginnings import PLAYERS, as_written, rules_of, run, said
from hypothesis import given, settings
from hypothesis import strategies as st

import te_forge
from te_forge.asked import Refused, ask
from te_forge.asked.counting import counted, deciders
from te_forge.asked.ranges import MOST_QUESTIONS, counted_each
from te_forge.engine.following import TooMany
from te_forge.engine.index import Rules
from te_forge.engine.odds import Odds
from te_forge.engine.policies import POLICIES
from te_forge.engine.reading import RuleError

PAGE = (
    "# A Small Game\n"
    + PLAYERS
    + """| Grit  | 3      | 0        | 20      | What is won. |
| Luck  | 2      | 0        | 9       | What helps.  |

## procedure: Test
- Roles: a player as the hero, a number as the target, a number as the stake
- Outcomes: Won, Even, Lost

| value | holds | default | text      |
|-------|-------|---------|-----------|
| throw | dice  | nothing | the dice. |

1. Roll.
   - Dice: the hero rolls 2 d6 as the throw; the result is sum of the hero's throw
   - Push: the hero may: the hero pays 1 Luck; the result becomes the result + 2
2. Read.
   - Hard: if the target is above 9: the stake becomes the stake + 1
   - Won: if the result is above the target: the hero gains Grit equal to the stake; end with Won
   - Even: if the result is the target: end with Even
   - Lost: the hero loses Grit equal to the stake; end with Lost

## procedure: Pool
- Roles: a number as the size, a player as the hero, a number as the need
- Outcomes: Enough, Short

| value | holds | default | text      |
|-------|-------|---------|-----------|
| throw | dice  | nothing | the dice. |

1. Roll.
   - Roll: the hero rolls (the size) d6 as the throw
   - Count: the hits is number of dice showing at least 5 in the hero's throw
   - Enough: if the hits is at least the need: end with Enough
   - Short: end with Short

## procedure: Climb
- Roles: a player as the hero, a number as the height, a number as the step
- Outcomes: Top, Fallen

| value | holds | default | text      |
|-------|-------|---------|-----------|
| throw | dice  | nothing | the dice. |

1. Climb.
   - Start: the place is 1; the rounds is 0
   - Go: repeat until the place is at least the height or the place is 0:
     - Roll: the hero rolls 1 d6 as the throw; the rounds becomes the rounds + 1
     - Good: if sum of the hero's throw is above the step: the place becomes the place + 1
     - Bad: otherwise: the place becomes the place - 1
   - Top: if the place is at least the height: end with Top
   - Fallen: end with Fallen

## deck: Cards
- Cards: 1, 2, 3, 4, 5, 6
- Refills: each Guess

## procedure: Guess
- Roles: a player as the hero, a number as the mark
- Outcomes: Above, Not Above

1. Draw.
   - Draw: the hero draws 1 of Cards as the card
   - Above: if the card is above the mark: end with Above
   - Not Above: end with Not Above
"""
)
VALUE = "\n| value | holds | default | text |\n|---|---|---|---|\n| throw | dice | nothing | the dice. |\n"
WHO = ("Ann: a player",)
CHECK = ("actor=Ann", "skill=Athletics", "class=Physical", "split=Two and Two")
ATHLETE = ("Ann: a character with Athletics 2",)


def small() -> Rules:
    return rules_of(PAGE)


@cache
def shipped(pack: str) -> Rules:
    return Rules(as_written(pack))


def one_by_one(rules: Rules, procedure: str, pairs: Iterable[str], who: tuple[str, ...], policy: str = "plain", best: str | None = None) -> None:
    """Each line against the question of its own."""
    found = counted_each(rules, procedure, pairs, who, policy, best)
    for numbers, line in found.each.items():
        given = dict(zip(found.names, numbers, strict=True))
        alone = [f"{key}={given[key]}" if (key := pair.partition("=")[0]) in given else pair for pair in pairs]
        by_itself = counted(ask(rules, procedure, alone, who), policy, best)
        assert (by_itself.table, by_itself.best) == (line.table, line.best), numbers


QUESTIONS = [
    ("Test", ("target=2..12", "stake=1..3"), "plain", None),
    ("Test", ("target=8..11", "stake=1..2", "Ann.Luck=1..2", "Push=yes"), "plain", None),
    ("Test", ("target=8..11", "stake=1", "Push=result <= 8"), "plain", None),
    ("Test", ("target=9..10", "stake=1..2"), "spend", None),
    ("Test", ("target=5,10,5,12", "stake=1,3..4"), "plain", None),
    ("Test", ("target=9", "stake=-2..1", "Luck=0,2"), "plain", None),
    ("Test", ("target=8..11", "stake=1..2"), "plain", "Won"),
    ("Test", ("target=8..9", "stake=1..2"), "plain", "highest Ann.Grit"),
    ("Pool", ("size=0..4", "need=0..3"), "plain", None),
    ("Climb", ("height=2..4", "step=2..3"), "plain", None),
    ("Guess", ("mark=0..6",), "plain", None),
]


@pytest.mark.parametrize(("procedure", "pairs", "policy", "best"), QUESTIONS)
def test_each_line_is_its_own_question(procedure: str, pairs: tuple[str, ...], policy: str, best: str | None) -> None:
    one_by_one(small(), procedure, ("hero=Ann", *pairs), WHO, policy, best)


@pytest.mark.parametrize(
    ("pack", "procedure", "pairs", "who", "policy"),
    [
        ("vdp", "Check", (*CHECK, "difficulty=4..14", "risk=3..8"), ATHLETE, "plain"),
        ("vdp", "Check", (*CHECK, "difficulty=9..10", "risk=5..6", "Ann.Tension=0..2"), ATHLETE, "spend"),
        ("vdp", "Extended Check", ("starter=Ann", *CHECK[1:], "difficulty=10", "risk=5", "points=2..3"), ATHLETE, "plain"),
        (
            "srd-core",
            "Environment Conflict",
            ("actor=Ann", "Tension=2..4", "attribute=Vigor", "skill=Athletics"),
            ("Ann: a Warrior with Vigor 2",),
            "plain",
        ),
    ],
)
def test_so_it_is_with_whole_systems(pack: str, procedure: str, pairs: tuple[str, ...], who: tuple[str, ...], policy: str) -> None:
    one_by_one(shipped(pack), procedure, pairs, who, policy)


LINES = st.sampled_from([
    "if the size is above 2: the result becomes the result + 1",
    "if the result is at least the size: the hero gains 1 Grit",
    "the result becomes the result x the size",
    "if sum of the hero's throw is the size + 3: end with Even",
    "if the need is the size: the need becomes the need - 2",
    "the hero loses Grit equal to the need",
    "repeat up to the size times: the result becomes the result + the need",
    "if the result is a multiple of 3: the hero gains Grit equal to the size",
    "the hero rolls (the need) d4 as the throw; the result becomes the result + sum of the hero's throw",
    "the hero may: the hero pays Luck equal to the need; end with Even",
])  # fmt: skip


@settings(max_examples=60, deadline=None)
@given(st.lists(LINES, min_size=1, max_size=5, unique=True), st.sampled_from(["plain", "spend"]))
def test_so_it_is_with_rules_of_all_sorts(lines: list[str], policy: str) -> None:
    body = "".join(f"   - L{at}: {line}\n" for at, line in enumerate(lines))
    page = PAGE.partition("## procedure")[0] + (
        f"## procedure: Odd\n- Roles: a player as the hero, a number as the size, a number as the need\n- Outcomes: Odd, Even\n{VALUE}\n1. Do.\n"
        f"   - First: the hero rolls 2 d6 as the throw; the result is sum of the hero's throw\n{body}   - Last: end with Odd\n"
    )
    one_by_one(rules_of(page), "Odd", ("hero=Ann", "size=0..4", "need=1..3"), WHO, policy)


def test_the_rules_run_once_where_they_ask_nothing_about_the_number(monkeypatch: pytest.MonkeyPatch) -> None:
    ran: list[Odds] = []
    ends = Odds.unseen_ends

    def counting(self: Odds, *given: object) -> object:
        ran.append(self)
        return ends(self, *given)  # type: ignore[arg-type]

    monkeypatch.setattr(Odds, "unseen_ends", counting)
    found = counted_each(small(), "Test", ("hero=Ann", "target=2..12", "stake=1..3"), WHO, "plain", None)
    assert len(found.each) == 33 and len(ran) == 1
    assert ran[0].pieces < 60


# ---------------------------------------------------------------- what is typed and printed

WRONG = [
    (("target=9..7", "stake=1"), "write `target=7..9`"),
    (("target=7-9", "stake=1"), "a range of numbers is written `target=7..9`"),
    (("target=7...9", "stake=1"), "a range of numbers is written `target=7..9`"),
    (("target=7 to 9", "stake=1"), "a range of numbers is written `target=7..9`"),
    (("target=7..9", "Luck=1-2", "stake=1"), "a range of numbers is written `Luck=1..2`"),
    (("hero=1..2", "target=7", "stake=1"), "`hero` is said twice"),
    (("target=1..2", "Target=1..3", "stake=1"), "`target` and `Target` both say the target"),
    (("target=1..2", "TARGET=1", "stake=1"), "`target` and `TARGET` both say the target"),
    (("target=1..2", "target=1..3", "stake=1"), "`target` is said twice; several numbers are one range or one list"),
    (("target=1", "stake=1", "Ann.Luck=1..2", "Luck=1..3"), "`Ann.Luck` and `Luck` both say the same"),
    (("target=1..2", "stake=1", "Push=yes", "push=no"), "`push=no` answers nothing"),
    (("target=8", "stake=1", "Push=0..3"), "with Push=2: `Push=2` is none of the answers there"),
    (("target=1..1000000000", "stake=1"), "has nine digits at most"),
    ((f"target=1..{MOST_QUESTIONS + 1}", "stake=1"), f"asks {MOST_QUESTIONS + 1:,} questions"),
    (("target=1..100", "stake=1..100"), "these are 10,000 questions"),
    (("target=7..9", "stake=x"), "the stake is a whole number, so it cannot be `x`"),
    (("target=7..9",), "a number as the stake"),
    (("target=7..9", "stake=1", "Push=perhaps"), "`Push=perhaps` is none of the answers there"),
    (("target=7..9", "stake=1", "Ann.Luck=0", "Push=yes"), "answers nothing"),
    (("target=7..9", "stake=1", "Ann.Luck=5..10"), "Ann's Luck is at most 9, so it cannot be 10"),
    (("target=7", "stake=1"), "nothing is asked for several numbers"),
]


@pytest.mark.parametrize(("pairs", "why"), WRONG)
def test_what_makes_no_sense_is_refused(pairs: tuple[str, ...], why: str) -> None:
    with pytest.raises(Refused) as refused:
        counted_each(small(), "Test", ("hero=Ann", *pairs), WHO, "plain", None)
    assert why in str(refused.value)


TROUBLE = """
## procedure: Trouble
- Roles: a number as the size, a number as the part, a player as the hero
- Outcomes: Big, Small

1. Do.
   - Part: the share is the size / the part rounded up
   - Roll: the hero rolls (the size) d6 as the throw
   - Big: if sum of the hero's throw is above the share or highest of the hero's throw is 6: end with Big
   - Small: end with Small
"""


@pytest.mark.parametrize(
    ("pairs", "why"),
    [(("size=1..3", "part=-2..1"), "with size=3, part=0: this divides by 0"), (("size=1..40", "part=1"), "with size=40: a roll of 40 dice has")],
)
def test_what_stops_a_line_says_which(pairs: tuple[str, ...], why: str) -> None:
    rules = rules_of(PAGE.partition("## procedure")[0] + TROUBLE.replace("\n\n1. Do", "\n" + VALUE + "\n1. Do"))
    with pytest.raises((RuleError, TooMany), match=why):
        counted_each(rules, "Trouble", ("hero=Ann", *pairs), WHO, "plain", None)
    assert len(counted_each(rules, "Trouble", ("hero=Ann", "size=0..3", "part=1"), WHO, "plain", None).each) == 4


def test_for_a_goal_decides_whoever_has_the_first_role_that_is_for_somebody() -> None:
    rules = rules_of(PAGE.partition("## procedure")[0] + TROUBLE.replace("\n\n1. Do", "\n" + VALUE + "\n1. Do"))
    found = counted_each(rules, "Trouble", ("hero=Ann", "size=1..2", "part=1"), WHO, "plain", "Big")
    assert {deciders(one.asked) for one in found.each.values()} == {("Ann",)}


def test_a_number_may_have_dots_in_its_name() -> None:
    rules = rules_of(PAGE.replace("| Luck  |", "| Vim 5..7 | 1 | 0 | 9 | Odd. |\n| Luck  |"))
    found = counted_each(rules, "Test", ("hero=Ann", "target=7", "stake=1", "Ann.Vim 5..7=2..3"), WHO, "plain", None)
    assert list(found.each) == [(2,), (3,)]


BURST = f"""
## procedure: Burst
- Roles: a player as the hero, a number as the need
- Outcomes: Enough, Short
{VALUE}
1. Roll.
   - Roll: if the need is above 1: the hero rolls 1 d6 exploding on 6 as the throw
   - Else: otherwise: do Noise with the hero as the hero
   - Enough: if sum of the hero's throw is at least the need: end with Enough
   - Short: end with Short

## procedure: Noise
- Roles: a player as the hero
- Bound: 3 times per Burst
{VALUE}
1. Again.
   - Coin: the hero rolls 1 d2 as the throw
   - Again: if sum of the hero's throw is 1: do Noise with the hero as the hero
"""


def test_each_line_has_its_own_reason_for_what_is_missing() -> None:
    rules = rules_of(PAGE.partition("## procedure")[0] + BURST)
    pairs = ("hero=Ann", "need=1..3")
    one_by_one(rules, "Burst", pairs, WHO)
    assert len({line.table.cut for line in counted_each(rules, "Burst", pairs, WHO, "plain", None).each.values()}) > 1


def test_an_answer_is_wanted_in_one_line_at_least() -> None:
    found = counted_each(small(), "Test", ("hero=Ann", "target=7", "stake=1", "Ann.Luck=0..1", "Push=yes"), WHO, "plain", None)
    assert [len(line.table.outcomes) for line in found.each.values()] == [3, 3]
    assert found.each[0,].table != found.each[1,].table


def test_the_command_prints_a_line_for_each_number(tmp_path: Path) -> None:
    pack = tmp_path / "small"
    (pack / "rules").mkdir(parents=True)
    (pack / "pack.yaml").write_text("id: small\ntitle: A Small Game\nversion: 1.0.0\n", encoding="utf-8")
    (pack / "rules" / "01.te").write_text(PAGE, encoding="utf-8")
    words = ("odds", str(pack), "Test", "hero=Ann", "target=7..8", "stake=1..2", "--who", "Ann: a player")
    assert (
        run(*words).output
        == """\
Test, counted out for each target and stake
  decided by the policy plain: declines every offer, spends nothing, keeps the highest dice, takes the first option

  target  stake      Won     Even     Lost
       7      1  41.67 %  16.67 %  41.67 %
       7      2  41.67 %  16.67 %  41.67 %

       8      1  27.78 %  13.89 %  58.33 %
       8      2  27.78 %  13.89 %  58.33 %

  target  stake  Ann's Grit
       7      1      3.0000
       7      2      3.0000

       8      1      2.6944
       8      2      2.3889

The second table has the mean of each number.
The same in all lines, as a mean: the result 7.0000.

asked on the way, and the answers
  Ann: Push  no

All shares are exact. `--format json` has them as fractions, and each value of a number.
"""
    )
    data = json.loads(run(*words, "--format", "json").output)
    assert [one["given"] for one in data["each"]] == [{"target": target, "stake": stake} for target in (7, 8) for stake in (1, 2)]
    assert data["each"][3]["outcomes"][0] == {"outcome": "Won", "fraction": "5/18", "percent": 100 * 5 / 18}
    aimed = run(*words, "--best", "Won").output
    assert "Ann decides for Won, knowing everything that has been rolled; what comes of that stands under `Won`" in aimed
    assert "what comes of that stands under `the goal`" in run(*words, "--best", "highest Ann.Grit").output
    assert "takes several" in said(run("roll", str(pack), "Test", "hero=Ann", "target=7..8", "stake=1", "--who", "Ann: a player"))


def test_what_is_not_followed_has_a_column(tmp_path: Path) -> None:
    page = PAGE.partition("## procedure")[0] + (
        "## procedure: Burst\n- Roles: a player as the hero, a number as the need\n- Outcomes: Enough, Short\n" + VALUE + "\n1. Roll.\n"
        "   - Roll: the hero rolls 1 d6 exploding on 6 as the throw\n"
        "   - Enough: if sum of the hero's throw is at least the need: end with Enough\n   - Short: end with Short\n"
    )
    (tmp_path / "rules").mkdir()
    (tmp_path / "pack.yaml").write_text("id: small\ntitle: A Small Game\nversion: 1.0.0\n", encoding="utf-8")
    (tmp_path / "rules" / "01.te").write_text(page, encoding="utf-8")
    told = run("odds", str(tmp_path), "Burst", "hero=Ann", "need=5..7", "--who", "Ann: a player").output
    assert "need   Enough    Short  not followed" in told and "<0.01 %" in told and "All shares are exact" not in told


def test_python_takes_ranges() -> None:
    game = te_forge.load("vdp")
    given_ = {"actor": "Ann", "skill": "Athletics", "class": "Physical", "split": "Two and Two", "risk": "4..5", "difficulty": range(9, 11)}
    found = game.odds_for_each("Check", given_, who=ATHLETE)
    assert list(found) == [(4, 9), (4, 10), (5, 9), (5, 10)]
    assert found[5, 10] == game.odds("Check", {**given_, "risk": 5, "difficulty": 10}, who=ATHLETE)
    assert found[4, 9].outcomes["Clean"] == Fraction(7, 12)
    for wrong, why in (
        (range(9, 2), "or several whole numbers"),
        (["Ann", "Ben"], "one text, .Ann,Ben"),
        (range(10**5000, 10**5000 + 2), "too many digits"),
        (9, "for several numbers"),
    ):
        with pytest.raises(te_forge.Refused, match=why):
            game.odds_for_each("Check", {**given_, "risk": 4, "difficulty": wrong}, who=ATHLETE)
    assert list(game.odds_for_each("Check", {**given_, "risk": [4, 6], "difficulty": range(9, 13, 3)}, who=ATHLETE)) == [
        (4, 9),
        (4, 12),
        (6, 9),
        (6, 12),
    ]
    with pytest.raises(te_forge.Refused, match="only `odds_for_each` takes several"):
        game.odds("Check", given_, who=ATHLETE)


def test_what_one_question_finds_out_about_the_rules_serves_the_next() -> None:
    rules = Rules(small().system)

    def known(target: int) -> int:
        asked = ask(rules, "Test", ("hero=Ann", f"target={target}", "stake=1"), WHO)
        odds = Odds(rules, POLICIES["plain"])
        odds.ends(asked.state, asked.procedure.id, asked.roles)
        return len(odds.live.known)

    assert known(8) == known(7) > 0


def test_what_was_asked_is_told_with_every_answer() -> None:
    """What shares take for granted: the answers of the policy, those that were given, and the questions that are answered as a goal wants."""
    words = ("hero=Ann", "target=8", "stake=1")

    def choices(*more: str, policy: str = "plain", best: str | None = None) -> list[tuple[str, str, tuple[str, ...]]]:
        return [(one.who, one.asked, one.answers) for one in counted(ask(small(), "Test", (*words, *more), WHO), policy, best).choices]

    assert choices() == [("Ann", "Push", ("no",))]
    assert choices(policy="spend") == choices("Push=yes") == [("Ann", "Push", ("yes",))]
    assert choices("Push=result <= 8") == [("Ann", "Push", ("no", "yes"))]
    assert choices(best="Won") == [("Ann", "Push", ("as the goal wants",))]
    assert choices("Push=no", best="Won") == [("Ann", "Push", ("no",))]
    assert choices("Ann.Luck=0") == [], "what cannot be paid is not asked"
    lines = counted_each(small(), "Test", ("hero=Ann", "target=8", "stake=1", "Ann.Luck=0..1"), WHO, "plain", None)
    assert [line.choices for line in lines.each.values()] == [(), lines.choices]
    assert [one.answers for one in lines.choices] == [("no",)]


def test_python_is_told_what_was_asked() -> None:
    game = te_forge.load("srd-core")
    given = {"actor": "Ann", "Tension": 2, "attribute": "Vigor", "skill": "Athletics"}
    ann = "Ann: a Warrior with Vigor 2 and Athletics 1"
    assert ("Ann", "attribute", ("Vigor",)) in game.odds("Environment Conflict", given, who=ann).choices
    each = game.odds_for_each("Environment Conflict", {**given, "Tension": [2, 3]}, who=ann)
    assert ("Ann", "attribute", ("Vigor",)) in each[3,].choices
