"""The project's own web site: it is built without a complaint, everything in it is found, and nothing in it is in a reader's way."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from browser import ROOT, Browser, Tab, axe, hosted

PAGES = sorted(path.relative_to(ROOT / "site/docs").with_suffix(".html").as_posix() for path in (ROOT / "site/docs").rglob("*.md"))
LOOKED_AT = ["index.html", "language.html", "odds.html", "meaning.html", "diagnostics/index.html", "diagnostics/full-stop.html", "404.html"]


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    shutil.copytree(ROOT / "site", folder / "site", ignore=shutil.ignore_patterns("_built", "__pycache__"))
    command = [sys.executable, "-m", "mkdocs", "build", "-q", "--strict", "-f", str(folder / "site/mkdocs.yml")]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert (done.returncode, done.stdout + done.stderr) == (0, "")
    assert (folder / "site/docs/index.md").is_file()
    return folder / "site/_built"


@pytest.fixture(scope="module")
def address(site: Path) -> Iterator[str]:
    with hosted(site) as one:
        yield one


@pytest.fixture
def tab() -> Iterator[Tab]:
    with Browser() as browser:
        one = browser.tab()
        one.shade("light")
        yield one
        assert one.complaints == []


def test_every_page_is_there_in_the_looks_of_a_book(site: Path) -> None:
    assert [name for name in PAGES if not (site / name).is_file()] == []
    assert all((site / path).is_file() for path in ("css/book.css", "css/site.css", "js/book.js", "js/search.js", "js/theme.js"))


def test_every_heading_is_found_where_it_stands(site: Path) -> None:
    script = (site / "js/search-data.js").read_text(encoding="utf-8")
    rows = json.loads(script.removeprefix("var TE_SEARCH=").removesuffix(";\n"))
    assert {name for row in rows for name in [row[2].partition("#")[0]]} == set(PAGES)
    assert [
        row for row in rows if "#" in row[2] and f'id="{row[2].partition("#")[2]}"' not in (site / row[2].partition("#")[0]).read_text("utf-8")
    ] == []
    [openers] = [row for row in rows if row[:2] == ["Openers", "The language"]]
    assert openers[2] == "language.html#openers" and openers[4] and "<" not in openers[4]


def test_every_table_has_heads_and_a_box_of_its_own(site: Path) -> None:
    for name in PAGES:
        text = (site / name).read_text(encoding="utf-8")
        assert text.count("<table>") == text.count('<div class="scroll" tabindex="0"><table>'), name
        assert not re.search(r"<th(?!ead| scope)|<th[^>]*></th>", text), name


@pytest.mark.parametrize(("shade", "width"), [("light", 360), ("dark", 1280)])
def test_no_barrier_and_nothing_too_wide(shade: str, width: int, tab: Tab, address: str) -> None:
    script = axe()
    tab.shade(shade)
    tab.size(width)
    found: list[object] = []
    for name in LOOKED_AT:
        tab.go(f"{address}/{name}")
        found += [name] if tab.ask("document.documentElement.scrollWidth > document.documentElement.clientWidth") else []
        tab.ask(script + ";0")
        found += tab.ask("axe.run(document, {resultTypes: ['violations']}).then(all => all.violations.map(one => one.id))")
    assert found == []


def test_a_page_of_a_folder_is_searched_and_leads_to_another(tab: Tab, address: str) -> None:
    tab.size(1280)
    tab.go(f"{address}/diagnostics/full-stop.html")
    tab.ask("document.getElementById('q').focus()")
    tab.type("openers")
    assert tab.wait("(document.querySelector('#results a b') || {}).textContent") == "Openers"
    tab.key("Enter")
    tab.wait("location.href.endsWith('/language.html#openers')")
    assert tab.wait("(document.querySelector('#nav [aria-current=page]') || {firstChild: {}}).firstChild.textContent") == "The language"
