"""What the pages on exporting, on sites and on packages show is carried out here."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
import yaml
from click.testing import CliRunner

from te_forge.cli import LATER, cli
from te_forge.export.exporter import Exporter
from te_forge.export.plugins import OWN, installed, loaded
from te_forge.export.run import export, verify
from te_forge.installed import GROUP
from te_forge.new import make
from te_forge.options import at_this_table
from te_forge.packs import load
from te_forge.wheel import folder_name

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "site/docs"


def blocks(page: str, kind: str) -> list[str]:
    return re.findall(rf"^```{kind}\n(.*?)^```$", (DOCS / page).read_text(encoding="utf-8"), re.M | re.S)


def test_the_exporter_of_the_page_is_one(tmp_path: Path) -> None:
    names: dict[str, Any] = {}
    exec(blocks("exporting.md", "python")[0], names)

    class Point:
        name, value = "names", "my_exporter:Names"

        def load(self) -> type[Exporter]:
            made: type[Exporter] = names["Names"]
            return made

    exporter = loaded(Point())  # type: ignore[arg-type]
    written = load("night-ferry").system
    assert written is not None
    made = export(exporter, at_this_table(written), tmp_path / "out", {"order": "alphabet"}, written)
    listed = (tmp_path / "out/names.txt").read_text(encoding="utf-8").splitlines()
    assert listed == sorted(listed) and made.report.counts["dropped"] > 0 and made.report.counts["full"] == 0
    assert [one.outcome for one in verify(exporter, tmp_path / "out")] == ["passed"]
    assert '[project.entry-points."te_forge.exporters"]\nnames = "my_exporter:Names"\n' in blocks("exporting.md", "toml")


def test_the_page_names_every_exporter_with_its_options() -> None:
    text = (DOCS / "exporting.md").read_text(encoding="utf-8")
    for name in OWN:
        assert f"--to {name}" in text and f"| `{name}` |" in text
        assert all(f"--set {option.name}=" in text for option in installed().named(name).options)


@pytest.mark.parametrize("name", ["export", "import", "verify"])
def test_the_commands_explain_themselves(name: str) -> None:
    text = CliRunner().invoke(cli, [name, "--help"]).output
    assert f"Example: te-forge {name}" in text and name in LATER
    guide = (DOCS / "index.md").read_text(encoding="utf-8") + (DOCS / "exporting.md").read_text(encoding="utf-8")
    assert f"`te-forge {name} " in guide
    assert all(option in guide for option in re.findall(r"^  (?:-\w, )?(--[a-z]+)", text, re.M) if option not in ("--help", "--output", "--as"))


def test_the_hack_of_the_page_is_what_comes_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    run = CliRunner()
    assert run.invoke(cli, ["export", "srd-core", "--to", "csv", "-o", "srd-tables"]).exit_code == 0
    table = tmp_path / "srd-tables/entries/adversary.csv"
    table.write_text(table.read_text(encoding="utf-8").replace("Bruiser,2", "Bruiser,3"), encoding="utf-8")
    assert run.invoke(cli, ["import", "csv", "srd-tables", "srd-core"]).output == "# Spreadsheet Changes\n\n" + blocks("exporting.md", "te")[0] + "\n"


def test_three_lines_are_three() -> None:
    found = yaml.safe_load(blocks("own-site.md", "yaml")[0])
    assert (
        found == {"site_name": "My Game", "theme": "te_forge", "plugins": [{"te_forge": {"pack": "my-game"}}]}
        and len(blocks("own-site.md", "yaml")[0].splitlines()) == 3
    )


def test_the_page_on_packages_shows_what_new_writes(tmp_path: Path) -> None:
    make(tmp_path / "night-market", wheel=True)
    shown = blocks("wheels.md", "toml")[0]
    assert shown == f'[project.entry-points."{GROUP}"]\nnight-market = "{folder_name("night-market")}"\n'
    assert shown in (tmp_path / "night-market/pyproject.toml").read_text(encoding="utf-8")
