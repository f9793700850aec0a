"""The paper test: thirteen hard rules of five games, written in the language, each with an account of how it runs.

The account of an item quotes every rule line of it, so a changed line needs a changed account.
"""

from pathlib import Path

import pytest

from te_forge.check import check
from te_forge.diagnostics import Diagnostic
from te_forge.model.pack import PackInfo
from te_forge.model.system import System
from te_forge.source import Source

PAPER = Path(__file__).parent / "paper"
SRD = Path(__file__).parents[1] / "systems" / "srd-core" / "rules"
ITEMS = sorted(PAPER.glob("[0-9][0-9]-*"))
ON_SRD = ("01", "02", "03", "04", "05", "06", "07", "13")
FENCE = "```"


def read(files: list[Path], id: str, base: System | None = None) -> tuple[System, list[Diagnostic]]:
    pages = [Source(file.name, file.read_text(encoding="utf-8")) for file in files]
    system, found = check(pages, PackInfo(id=id, title=id, version="1.0.0"), base)
    assert system is not None
    return system, [one for one in found if one.severity == "error"]


@pytest.fixture(scope="module")
def srd() -> System:
    return read(sorted(SRD.glob("*.te")), "srd-core")[0]


def rule_lines(page: str) -> list[str]:
    return [line.strip() for line in page.splitlines() if line.strip().startswith("- ")]


def test_there_are_thirteen() -> None:
    assert [item.name[:2] for item in ITEMS] == [f"{number:02}" for number in range(1, 14)]


@pytest.mark.parametrize("item", ITEMS, ids=lambda item: item.name)
def test_checks_clean(item: Path, srd: System) -> None:
    base = srd if item.name[:2] in ON_SRD else None
    _, errors = read([item / f"{item.name}.te"], f"paper-{item.name[3:]}", base)
    assert [f"{one.span.line}: {one.message}" for one in errors] == []


@pytest.mark.parametrize("item", ITEMS, ids=lambda item: item.name)
def test_the_account_quotes_every_rule_line_in_order(item: Path) -> None:
    page = (item / f"{item.name}.te").read_text(encoding="utf-8")
    account = (item / f"{item.name}.md").read_text(encoding="utf-8")
    quoted: list[str] = []
    for block in account.split(FENCE)[1::2]:
        quoted += [line.strip() for line in block.splitlines() if line.strip().startswith("- ")]
    assert quoted == rule_lines(page)
