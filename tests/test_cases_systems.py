"""Other people's systems, each a small pack in `cases` that checks, plays, is counted out and becomes a book; what is known of their odds comes out
as the same fraction.
"""

from __future__ import annotations

from fractions import Fraction as F
from functools import cache
from pathlib import Path

import pytest
from cases_for_tests import CASES, at_least, counted, followed, law, mean, odds, outcomes, rules, wrong_examples
from click.testing import CliRunner

from te_forge.asked import Decided, ask
from te_forge.check import check
from te_forge.cli import cli
from te_forge.engine.odds import Odds
from te_forge.engine.policies import POLICIES
from te_forge.engine.reading import Reading
from te_forge.engine.table import table
from te_forge.model.pack import PackInfo
from te_forge.source import Source

EXPORTS = (("build", "book"), ("compile", "game.tepack.json"), ("export", "--to", "csv", "tables"))
SYSTEMS = sorted(folder.name for folder in CASES.iterdir() if folder.name.startswith("b"))


@pytest.mark.parametrize("case", SYSTEMS)
def test_the_examples_of_a_system_come_out(case: str) -> None:
    assert wrong_examples(case) == []


@pytest.mark.parametrize("case", SYSTEMS)
def test_a_system_becomes_a_book_that_says_whose_it_is(case: str, tmp_path: Path) -> None:
    """The notice and the license stand in the book as pages, and in the book as data."""
    done = CliRunner().invoke(cli, ["build", str(CASES / case), "-o", str(tmp_path / "book")])
    assert done.exit_code == 0, done.output
    info = rules(case).system.pack
    assert info.license and info.sources
    pages = "".join(page.read_text("utf-8") for page in (tmp_path / "book").rglob("*.html"))
    for one in (*(work.attribution for work in info.sources), info.license):
        assert one and one in pages
    for entry in rules(case).system.of_kind("procedure"):
        assert entry.name in pages


@pytest.mark.parametrize("case", SYSTEMS)
def test_a_system_plays(case: str) -> None:
    """Bots make people and begin whatever there is to begin, by several seeds."""
    for seed in "12":
        done = CliRunner().invoke(cli, ["play", str(CASES / case), "--all-bots", "--seed", seed, "--procedures", "25"])
        assert done.exit_code == 0, done.output
        assert done.output.rstrip().endswith("The end: 25 procedures have been begun."), done.output[-400:]


# ---------------------------------------------------------------- B01


def risks(*pairs: str, who: tuple[str, ...]) -> list[F]:
    said = outcomes(counted("b01", "Risk", "actor=Ann", *pairs, who=who))
    return [said.get(name, F(0)) for name in ("disaster", "setback", "success")]


def test_b01_the_highest_die_counts() -> None:
    ann = ("Ann: an operator with Climbing 8",)
    assert risks("Skill=yes", "skill=Climbing", "Circumstances=yes", who=ann) == [F(1, 12), F(1, 4), F(2, 3)]
    assert risks(who=("Ann: an operator with Hindered",)) == [F(1, 2), F(1, 2), F(0)]
    assert risks(who=ann) == [F(1, 3), F(1, 3), F(1, 3)]
    assert risks("Skill=yes", "skill=Climbing", "Friend=yes", "means=Medicine", who=(*ann, "Bo: an operator with Medicine 6")) == [
        F(1, 12),
        F(1, 4),
        F(2, 3),
    ]


def test_b01_a_deadly_risk() -> None:
    found = counted("b01", "Deadly Risk", "actor=Ann", who=("Ann: an operator with Hindered",))
    assert outcomes(found) == {"setback": F(1, 2), "disaster": F(1, 2)}


def test_b01_a_credit_for_another_roll() -> None:
    """Whoever pays whenever there is nothing, as long as there are credits."""
    found = counted("b01", "Find A Job", "seeker=Ann", "Again=die <= 2", who=("Ann: an operator",))
    assert outcomes(found) == {"none": F(1, 27), "a-catch": F(13, 27), "two-to-choose-from": F(13, 27)}


@pytest.mark.parametrize(("number", "said"), [("0", ["0", "10"]), ("9", ["9", "10"])])
def test_b01_a_slip_in_the_numbers_of_a_table(number: str, said: list[str]) -> None:
    """In two languages a table of twenty names is published with a 0 in the place of the 10."""
    page = (CASES / "b01" / "rules" / "03-names.te").read_text("utf-8").partition("\n## procedure")[0].replace("| 10 |", f"| {number} |", 1)
    _, found = check([Source("names.te", page)], PackInfo(id="names", title="Names", version="1.0.0"))
    errors = [one for one in found if one.severity == "error"]
    assert sorted(one.code for one in errors) == sorted(["range-gap", "range-outside-die" if number == "0" else "range-overlap"])
    assert all(any(word in one.message.split() for one in errors) for word in said)


# ---------------------------------------------------------------- B05


ANN = ("Ann: a player",)


@pytest.mark.parametrize(
    ("answer", "shares"),
    [
        ("no", [F(1, 3), F(2, 3), F(0)]),
        ("total <= 2", [F(49, 108), F(49, 108), F(5, 54)]),
        ("total <= 3", [F(343, 648), F(343, 1296), F(89, 432)]),
        ("yes", [F(2401, 3888), F(0), F(1487, 3888)]),
    ],
)
@pytest.mark.parametrize(
    ("procedure", "role", "names"),
    [("Push", "roller", ("strong-hit", "weak-hit", "miss")), ("Oracle", "asker", ("likely", "unlikely", "misfortune"))],
)
def test_b05_how_far_to_push(answer: str, shares: list[F], procedure: str, role: str, names: tuple[str, ...]) -> None:
    """Whoever asks the oracle pushes by the same ladder."""
    said = outcomes(counted("b05", procedure, f"{role}=Ann", f"Push={answer}", who=ANN))
    assert [said.get(name, F(0)) for name in names] == shares


@cache
def worth_of(total: int, worths: tuple[int, int, int]) -> F:
    """What a total is worth to somebody who pushes whenever that is worth more: strong, weak, miss."""
    strong, weak, miss = worths
    if total >= 7:
        return F(miss)
    if total >= 5:
        return F(strong)
    return max(F(weak), sum((worth_of(total + face, worths) for face in range(1, 7)), F(0)) / 6)


@pytest.mark.parametrize("worths", [(1, 0, 0), (2, 1, -1), (3, 1, 0), (3, 1, -2), (5, 1, -1), (0, 0, -1), (1, 1, 1)])
def test_b05_the_best_that_can_be_done(worths: tuple[int, int, int]) -> None:
    strong, weak, miss = worths
    goal = f"Strong Hit {strong}, Weak Hit {weak}, Miss {miss}"
    done = CliRunner().invoke(cli, ["odds", str(CASES / "b05"), "Push", "roller=Ann", "--who", ANN[0], "--best", goal])
    assert done.exit_code == 0, done.output
    best = sum((worth_of(face, worths) for face in range(1, 7)), F(0)) / 6
    assert f"mean {float(best):.4f} ({best})" in done.output


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["Push=totl <= 2"], "`totl` is no number, and no procedure has a word of that name; did you mean `total`?"),
        (["Push=total => 2"], "`=>` is no comparison in `total => 2`"),
        (["Push=total <="], "`total <=` compares nothing"),
        (["Push=more < 2"], "`Push=more < 2` asks for a number that is not there yet when it has to be answered"),
        (["--best", "Strong 2"], "`Strong` is no outcome of Push; did you mean `Strong Hit`?"),
        (["--best", "Miss 1, Miss 2"], "names Miss twice"),
        (["--best", "Miss 1,"], "is no outcome of Push"),
    ],
)
def test_b05_answers_and_goals_that_fit_nothing(arguments: list[str], said: str) -> None:
    done = CliRunner().invoke(cli, ["odds", str(CASES / "b05"), "Push", "roller=Ann", "--who", ANN[0], *arguments])
    assert done.exit_code == 2 and said in done.output, done.output


def test_b05_an_answer_that_reads_what_no_rule_reads_any_more() -> None:
    """What odds drop as soon as no rule speaks of it is kept where an answer does: with and without dropping the shares are the same."""
    asked = ask(rules("b05"), "Push", ("roller=Ann", "Push=total <= 2"), ANN)
    laws = []
    for liveness in (True, False):
        found = Odds(asked.rules, Decided(POLICIES["plain"], asked.presets), liveness)
        spread = found.run(asked.state, asked.procedure.id, asked.roles)
        laws.append(table(asked.rules, asked.state, spread, found.live.yields(asked.procedure.id)).outcomes)
    assert laws[0] == laws[1]


# ---------------------------------------------------------------- B02


def test_b02_a_die_that_wears_down_with_every_use() -> None:
    found = counted("b02", "Long Day", "survivor=Ann", "option=By Skill", "skill=Bash", "Ann.Bash=10", who=("Ann: a survivor",))
    assert at_least(law(found, "failed"), 1) == 1 - F(1, 5)
    assert mean(law(found, "complications")) == F(77, 30)
    assert law(found, "bash", "Ann") == {4: F(1)}


def test_b02_a_small_die_finds_small_things() -> None:
    """The table is one of twelve, whatever die is thrown: with a six-sided one nobody comes to its fourth row."""
    for size in (12, 10, 8, 6):
        found = counted("b02", "Search", "survivor=Ann", f"Ann.Loot Die={size}", "Thing=yes", "Kit=no", "thing=Rope", who=("Ann: a survivor",))
        rope = law(found, "rope", "Ann")
        assert rope == {0: F(4, size)} | {find: F(2, size) for find in (6, 8, 10, 12) if find <= size}
        assert law(found, "loot-die", "Ann") == {size - 2: F(1)}
    assert counted("b02", "Search", "survivor=Ann", "Ann.Loot Die=4", who=("Ann: a survivor",)).numbers.keys() == set()


# ---------------------------------------------------------------- B06


def hits(procedure: str, *pairs: str, who: str = "a hero") -> list[F]:
    said = outcomes(counted("b06", procedure, "hero=Ann", *pairs, who=(f"Ann: {who}",)))
    return [said.get(name, F(0)) for name in ("strong-hit", "weak-hit", "miss")]


def test_b06_action_rolls() -> None:
    assert hits("Action", "bonus=2") == [F(139, 600), F(131, 300), F(199, 600)]
    assert hits("Action", "bonus=2", "Ann.Momentum=-3") == [F(31, 150), F(29, 75), F(61, 150)]


def test_b06_a_move_is_an_action_roll_with_consequences() -> None:
    found = counted("b06", "Face Danger", "hero=Ann", "stat=Iron", "Ann.Iron=2", "option=Wasteful", who=("Ann: a hero",))
    said = {outcome.partition("#")[2]: weight for outcome, weight in found.outcomes.items()}
    assert (said["strong-hit"], said["weak-hit"], said["miss"] + found.missing) == (F(139, 600), F(131, 300), F(199, 600))
    assert followed(found, "momentum", "Ann")[3] == F(139, 600)


def test_b06_burned_whenever_it_helps() -> None:
    who = "a hero with Momentum 6"
    assert hits("Action", "bonus=2", "Burn=yes", who=who) == [F(37, 120), F(29, 60), F(5, 24)]
    found = counted("b06", "Action", "hero=Ann", "bonus=2", "Burn=yes", who=(f"Ann: {who}",))
    assert set(law(found, "momentum", "Ann")) == {2, 6}


def test_b06_progress_is_rolled_without_momentum() -> None:
    found = counted("b06", "Challenge", "hero=Ann", "score=7", who=("Ann: a hero with Momentum 10",))
    assert [outcomes(found)[name] for name in ("strong-hit", "weak-hit", "miss")] == [F(9, 25), F(12, 25), F(4, 25)]
    assert mean(law(found, "match")) == F(1, 10)
    assert hits("Fulfil A Vow", "vow=The Bell", "The Bell.Progress=31", who="a hero with Momentum 10") == [F(9, 25), F(12, 25), F(4, 25)]


def test_b06_a_row_that_says_roll_twice() -> None:
    """What is lost on average solves `lost = once + 2 x twice x lost`. Rolls beyond the bound of the chain are not followed, and their share is told."""
    found = counted("b06", "Pay The Price", "payer=Ann", who=("Ann: a hero",))
    lost = sum((5 - value) * weight for value, weight in followed(found, "health", "Ann").items() if value is not None)
    whole = F(40, 100) / (1 - 2 * F(2, 100))
    assert 0 < found.missing < F(1, 10**4)
    assert lost < whole < lost + 10 * found.missing


# ---------------------------------------------------------------- B09

POOLS = {
    0: [F(3, 4), F(2, 9), F(1, 36), F(0)],
    1: [F(1, 2), F(1, 3), F(1, 6), F(0)],
    2: [F(1, 4), F(4, 9), F(5, 18), F(1, 36)],
    3: [F(1, 8), F(49, 108), F(25, 72), F(2, 27)],
    4: [F(1, 16), F(34, 81), F(125, 324), F(19, 144)],
}
"""Bad, mixed, good, critical, by how many dice."""
STRESS = {0: F(125, 36), 1: F(5, 2), 2: F(3, 2), 3: F(209, 216), 4: F(101, 162)}
"""What resisting costs on average."""
RESULTS = ("bad", "mixed", "good", "critical")


@pytest.mark.parametrize("dice", POOLS)
def test_b09_every_roll_is_the_same_roll(dice: int) -> None:
    ann = ("Ann: a scoundrel with Hunt 1 and Study 1 and Survey 1 and Tinker 1",)
    answers = [f"dice={dice}", f"Ann.Hunt={dice}", "action=Hunt", "position=Risky", "effect=Limited"]
    for procedure, role, needs in (("Pool", "thrower", answers[:1]), ("Fortune", "asker", answers[:1]), ("Action", "actor", answers[1:])):
        said = outcomes(counted("b09", procedure, f"{role}=Ann", *needs, who=ann))
        assert [said.get(name, F(0)) for name in RESULTS] == POOLS[dice]


def test_b09_help_and_a_push_are_dice_for_stress() -> None:
    who = ("Ann: a scoundrel with Hunt 1", "Bo: a scoundrel")
    found = counted("b09", "Action", "actor=Ann", "action=Hunt", "position=Risky", "effect=Limited", "Help=yes", "option=Push", who=who)
    assert [outcomes(found)[name] for name in RESULTS] == POOLS[3]
    assert law(found, "stress", "Ann") == {2: F(1)} and law(found, "stress", "Bo") == {1: F(1)}


@pytest.mark.parametrize(("position", "severity"), [("Controlled", 1), ("Risky", 2), ("Desperate", 3)])
def test_b09_a_consequence_by_position_and_result(position: str, severity: int) -> None:
    pool = POOLS[2]
    found = counted(
        "b09",
        "Action",
        "actor=Ann",
        "Ann.Hunt=2",
        "action=Hunt",
        f"position={position}",
        "effect=Great",
        "Tick=yes",
        "clock=The Feud",
        who=("Ann: a scoundrel",),
    )
    assert law(found, "severity") == {0: pool[2] + pool[3], severity: pool[0] + pool[1]}
    assert law(found, "ticks", "the-feud") == {0: pool[0], 3: pool[1] + pool[2], 4: pool[3]}


@pytest.mark.parametrize("actions", range(5))
def test_b09_what_resisting_costs_hangs_on_how_broad_somebody_is(actions: int) -> None:
    has = " and ".join(f"{name} 2" for name in ("Hunt", "Study", "Survey", "Tinker")[:actions])
    found = counted("b09", "Resist", "resister=Ann", "attribute=Insight", "Ann.Stress=2", who=(f"Ann: a scoundrel{' with ' * bool(has)}{has}",))
    assert mean(law(found, "cost")) == STRESS[actions]
    assert mean(law(found, "stress", "Ann")) == 2 + STRESS[actions]


# ---------------------------------------------------------------- B07


def saves(ability: int) -> F:
    return outcomes(counted("b07", "Save", "saver=Ann", "ability=Strength", f"Ann.Strength={ability}", who=("Ann: an adventurer",)))["pass"]


def test_b07_one_passes_and_twenty_fails_whatever_the_ability_is() -> None:
    assert [saves(ability) for ability in (12, 20, 0)] == [F(3, 5), F(19, 20), F(1, 20)]


def test_b07_a_blow_that_leaves_a_scar_or_worse() -> None:
    asked, found = odds(
        "b07",
        "Attack",
        "attackers=Bo",
        "target=Ann",
        "stance=Plain",
        who=("Ann: an adventurer with Hit Protection 4 and Armour 1 and Strength 10", "Bo: an adventurer with Sword"),
    )
    scar = critical = F(0)
    for (state, _), weight in found.run(asked.state, asked.procedure.id, asked.roles).items():
        reading = Reading(asked.rules, state)
        scar += weight * (reading.stat("Ann", "case-b07:pool/hit-protection") == 0 and reading.stat("Ann", "case-b07:ability/strength") == 10)
        critical += weight * ("case-b07:state/critical" in reading.carried("Ann"))
    assert (scar, critical) == (F(1, 8), F(9, 40))


def test_b07_of_several_attackers_the_best_die_counts() -> None:
    who = ("Ann: an adventurer", "Bo: an adventurer with Knife", "Cy: an adventurer with Sword", "Di: an adventurer with Knife and Sword")
    for attackers in ("Bo,Cy", "Di"):
        assert mean(law(counted("b07", "Attack", f"attackers={attackers}", "target=Ann", "stance=Plain", who=who), "best")) == F(251, 48)
    assert mean(law(counted("b07", "Attack", "attackers=Cy", "target=Ann", "stance=Impaired", who=who), "best")) == F(5, 2)
    assert mean(law(counted("b07", "Attack", "attackers=Cy", "target=Ann", "stance=Enhanced", who=who), "best")) == F(13, 2)
    assert mean(law(counted("b07", "Attack", "attackers=Ann", "target=Bo", "stance=Plain", who=who), "best")) == F(5, 2)


def test_b07_the_notice_goes_wherever_the_game_goes(tmp_path: Path) -> None:
    """Whoever shares it has to share it alike, so the license and the notice are in every export."""
    work, license = rules("b07").system.pack.sources[0], rules("b07").system.pack.license
    for arguments in EXPORTS:
        out = tmp_path / arguments[-1]
        done = CliRunner().invoke(cli, [arguments[0], str(CASES / "b07"), *arguments[1:-1], "-o", str(out)])
        assert done.exit_code == 0, done.output
        files = [out] if out.is_file() else [one for one in out.rglob("*") if one.is_file()]
        text = "".join(one.read_text("utf-8", errors="replace") for one in files)
        assert license and license in text and work.attribution and work.attribution in text, arguments
