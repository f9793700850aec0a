"""The plug-in and the theme for MkDocs: the rulebook in a site of somebody's own, under MkDocs and ProperDocs."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import time
import tomllib
import urllib.request
from collections.abc import Callable
from importlib.metadata import entry_points
from importlib.util import find_spec
from pathlib import Path
from urllib.parse import unquote, urljoin, urlsplit

import pytest
from tools import absent

from te_forge.new import make
from te_forge.render.site import build_site

ROOT = Path(__file__).parents[1]
CONFIG = "site_name: My Own Site\ntheme: te_forge\nplugins: [te_forge: {pack: my-game}]\n"
PROGRAMS = ["mkdocs", "properdocs"]


@pytest.fixture(scope="session")
def environment(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Where the entry points of pyproject.toml are known. A checkout may have been installed before it had them."""
    paths = [str(ROOT)]
    if not [one for one in entry_points(group="mkdocs.themes") if one.name == "te_forge"]:
        info = tmp_path_factory.mktemp("lib") / "te_forge_entries-0.dist-info"
        info.mkdir()
        (info / "METADATA").write_text("Metadata-Version: 2.1\nName: te-forge-entries\nVersion: 0\n", encoding="utf-8")
        groups = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["entry-points"]
        text = "".join(
            f"[{group}]\n" + "".join(f"{name} = {value}\n" for name, value in points.items())
            for group, points in groups.items()
            if group.startswith("mkdocs.")
        )
        (info / "entry_points.txt").write_text(text, encoding="utf-8")
        paths.append(str(info.parent))
    return {**os.environ, "PYTHONPATH": os.pathsep.join(paths)}


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """A site of three lines, with two pages of its own and a pack beside them."""
    make(tmp_path / "my-game")
    (tmp_path / "docs/blog").mkdir(parents=True)
    (tmp_path / "docs/index.md").write_text("# Welcome\n\n## Where\n\nThe [rules](rulebook/index.md).\n", encoding="utf-8")
    (tmp_path / "docs/blog/first.md").write_text(
        "# First Post\n\n<b>See</b> [the start](../index.md) and [how it is played](../rulebook/playing.md#e-procedure-test).\n", encoding="utf-8"
    )
    (tmp_path / "mkdocs.yml").write_text(CONFIG, encoding="utf-8")
    return tmp_path


def build(program: str, folder: Path, environment: dict[str, str], *words: str) -> subprocess.CompletedProcess[str]:
    if find_spec(program) is None:
        absent(program, f"`pip install {program}`")
    return subprocess.run(
        [sys.executable, "-m", program, "build", "-q", "--strict", "-f", "mkdocs.yml", *words],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
    )


def read(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file() and not path.name.startswith("sitemap")
    }


def dead_links(folder: Path) -> list[str]:
    """Links, scripts and anchors that are not there, as a web server would give the pages out."""
    pages = {f"/{path.relative_to(folder).as_posix()}": path.read_text(encoding="utf-8") for path in folder.rglob("*.html")}
    wrong = []
    for page, text in pages.items():
        for link in re.findall(r'(?:href|src)="([^"]+)"', text):
            if link.startswith(("http", "mailto:")):
                continue
            found = urlsplit(urljoin(page, link))
            path = unquote(found.path) + ("index.html" if found.path.endswith("/") else "")
            path = f"{path}/index.html" if f"{path}/index.html" in pages else path
            there = (folder / path.lstrip("/")).is_file()
            if not there or (found.fragment and path in pages and f'id="{unquote(found.fragment)}"' not in pages[path]):
                wrong.append(f"{page}: {link}")
    return wrong


@pytest.mark.parametrize("program", PROGRAMS)
def test_three_lines_are_a_site_with_the_rulebook(program: str, site: Path, environment: dict[str, str]) -> None:
    assert len(CONFIG.splitlines()) == 3
    done = build(program, site, environment)
    assert (done.returncode, done.stdout + done.stderr) == (0, "")
    made = read(site / "site")
    assert {"index.html", "blog/first/index.html", "rulebook/index.html", "rulebook/playing.html", "css/book.css", "js/search-data.js"} <= set(made)
    assert dead_links(site / "site") == []
    page = made["blog/first/index.html"].decode()
    assert "<b>See</b>" in page and 'href="../../rulebook/playing.html#e-procedure-test"' in page and "My Own Site</a>" in page
    playing = made["rulebook/playing.html"].decode()
    assert '<nav class="crumbs"' in playing and 'href="../blog/first/"' in playing and "Welcome</a>" in playing
    assert not [path for path in site.rglob("*") if path.suffix == ".md" and "rulebook" in path.parts], (
        "nothing is written beside the pages of the site"
    )


def test_properdocs_makes_the_same_site(site: Path, environment: dict[str, str]) -> None:
    for program in PROGRAMS:
        assert build(program, site, environment, "-d", program).returncode == 0
    assert read(site / "mkdocs") == read(site / "properdocs")


def test_the_pages_are_those_of_the_book(site: Path, environment: dict[str, str]) -> None:
    """There is no second way to make a page: what is said in it is what `te-forge build` prints."""
    from te_forge.packs import load

    system = load(str(site / "my-game")).system
    assert system is not None
    build_site(system, site / "book", {})
    assert build("mkdocs", site, environment).returncode == 0
    inside = re.compile(r'<main id="content".*?<nav class="turn"', re.S)
    for path in (site / "book").glob("*.html"):
        if path.name != "404.html":
            ours, theirs = (inside.search(one.read_text(encoding="utf-8")) for one in (path, site / "site/rulebook" / path.name))
            assert ours and theirs and ours[0] == theirs[0], path.name


def test_without_a_first_page_the_book_is_the_site(site: Path, environment: dict[str, str]) -> None:
    (site / "docs/index.md").unlink()
    (site / "docs/blog/first.md").write_text("# First Post\n", encoding="utf-8")
    done = build("mkdocs", site, environment)
    assert (done.returncode, done.stdout + done.stderr) == (0, "")
    assert {"index.html", "playing.html", "404.html", "blog/first/index.html"} <= set(read(site / "site"))
    assert dead_links(site / "site") == []


def test_the_reader_turns_pages_in_the_order_of_the_book(site: Path, environment: dict[str, str]) -> None:
    assert build("mkdocs", site, environment).returncode == 0
    page, seen = "/rulebook/index.html", []
    while found := re.search(r'rel="next" href="([^"]+)"', (site / "site" / page.lstrip("/")).read_text(encoding="utf-8")):
        page = urljoin(page, found[1])
        seen.append(page.rpartition("/")[2])
    assert seen[:4] == ["my-game.html", "characters.html", "playing.html", "trouble.html"] and seen[-1] == "license.html"


@pytest.mark.parametrize("theme", ["mkdocs", "readthedocs"])
def test_another_theme_shows_the_pages_too(theme: str, site: Path, environment: dict[str, str]) -> None:
    (site / "mkdocs.yml").write_text(CONFIG.replace("theme: te_forge", f"theme: {theme}"), encoding="utf-8")
    done = build("mkdocs", site, environment)
    assert (done.returncode, done.stdout + done.stderr) == (0, "")
    text = (site / "site/rulebook/playing.html").read_text(encoding="utf-8")
    assert 'id="e-procedure-test"' in text and "&lt;p&gt;" not in text


def test_a_navigation_of_ones_own_is_kept(site: Path, environment: dict[str, str]) -> None:
    (site / "mkdocs.yml").write_text(CONFIG + "nav: [index.md, {Play: rulebook/playing.md}, blog/first.md]\n", encoding="utf-8")
    done = build("mkdocs", site, environment)
    assert done.returncode == 0, done.stderr
    assert re.search(r'rel="next" href="rulebook/playing.html"', (site / "site/index.html").read_text(encoding="utf-8"))


# ---------------------------------------------------------------- mistakes

MISTAKES: dict[str, tuple[Callable[[Path], object], str]] = {
    "a mistake in the pack": (
        lambda site: (site / "my-game/rules/09.te").write_text("# More\n\n[[Nothing Of That Name]]\n", encoding="utf-8"),
        "my-game/rules/09.te:3:1",
    ),
    "no such pack": (
        lambda site: (site / "mkdocs.yml").write_text(CONFIG.replace("my-game", "my-gane"), encoding="utf-8"),
        "there is no pack `my-gane`",
    ),
    "a place outside": (
        lambda site: (site / "mkdocs.yml").write_text(CONFIG.replace("my-game", "my-game, at: ../x"), encoding="utf-8"),
        "is no folder in the site",
    ),
    "no name for a folder": (
        lambda site: (site / "mkdocs.yml").write_text(CONFIG.replace("my-game", "my-game, at: 'a<b'"), encoding="utf-8"),
        "is no folder in the site",
    ),
    "a place that is too long": (
        lambda site: (site / "mkdocs.yml").write_text(CONFIG.replace("my-game", f"my-game, at: {'x' * 300}"), encoding="utf-8"),
        "is no folder in the site",
    ),
    "a pack that is too long": (
        lambda site: (site / "mkdocs.yml").write_text(CONFIG.replace("my-game", "x" * 3000), encoding="utf-8"),
        "there is no pack `xxx",
    ),
    "a page of both": (
        lambda site: (site / "mkdocs.yml").write_text(CONFIG.replace("my-game", "my-game, at: ''"), encoding="utf-8"),
        "the site has a file index.md, and the book too",
    ),
}


@pytest.mark.parametrize("name", MISTAKES)
def test_a_mistake_is_said_and_no_site_is_made(name: str, site: Path, environment: dict[str, str]) -> None:
    spoil, says = MISTAKES[name]
    spoil(site)
    done = build("mkdocs", site, environment)
    assert done.returncode == 1 and says in done.stdout + done.stderr and "Traceback" not in done.stdout + done.stderr
    assert not (site / "site/index.html").exists()


# ---------------------------------------------------------------- live


@pytest.mark.parametrize("program", PROGRAMS)
def test_an_edit_of_the_pack_comes_up_live(program: str, site: Path, environment: dict[str, str]) -> None:
    if find_spec(program) is None:
        absent(program, f"`pip install {program}`")
    port = 8100 + os.getpid() % 800 + PROGRAMS.index(program)
    server = subprocess.Popen(
        [sys.executable, "-m", program, "serve", "-f", "mkdocs.yml", "-a", f"127.0.0.1:{port}"],
        cwd=site,
        env=environment,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    )

    def shows(word: str, seconds: float = 60) -> str:
        end = time.monotonic() + seconds
        text = ""
        while time.monotonic() < end and server.poll() is None:
            try:
                with urllib.request.urlopen(f"http://127.0.0.1:{port}/rulebook/my-game.html", timeout=5) as answer:
                    text = answer.read().decode()
            except OSError:
                text = ""
            if word in text:
                return text
            time.sleep(0.2)
        raise AssertionError(f"`{word}` does not come up: {text[:200]}")

    try:
        first = shows("in over their heads")
        assert "livereload" in first and "script-src 'self' 'unsafe-inline'" in first, "the server's own script must run in the page"
        page = site / "my-game/rules/01-game.te"
        page.write_text(page.read_text(encoding="utf-8").replace("in over their heads", "far from home"), encoding="utf-8")
        shows("far from home")
        page.write_text(page.read_text(encoding="utf-8").replace("far from home", "[[Nowhere]]"), encoding="utf-8")
        time.sleep(2)  # MkDocs says what is wrong in the terminal, and lets the page wait
        page.write_text(page.read_text(encoding="utf-8").replace("[[Nowhere]]", "home again"), encoding="utf-8")
        shows("home again")
    finally:
        server.kill()
        server.wait()
        if server.stderr:
            server.stderr.close()


def test_a_built_site_lets_no_inline_script_run(site: Path, environment: dict[str, str]) -> None:
    assert build("mkdocs", site, environment).returncode == 0
    assert "unsafe-inline" not in (site / "site/index.html").read_text(encoding="utf-8")
