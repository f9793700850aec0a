"""Other people's systems, each a small pack in `cases` that checks, plays, is counted out and becomes a book; what is known of their odds comes out as the same fraction."""

from __future__ import annotations

from fractions import Fraction as F
from functools import cache
from pathlib import Path

import pytest
from cases_for_tests import CASES, counted, outcomes, rules, wrong_examples
from click.testing import CliRunner

from te_forge.cli import cli

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
@pytest.mark.parametrize(("procedure", "role", "names"), [("Push", "roller", ("strong-hit", "weak-hit", "miss")), ("Oracle", "asker", ("likely", "unlikely", "misfortune"))])
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
