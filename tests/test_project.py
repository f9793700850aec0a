"""The project itself: the floors of the house, the wheel, the web site, and the tutorial, which is carried out here."""

from __future__ import annotations

import ast
import re
import shlex
import subprocess
import sys
import tomllib
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml
from click.testing import CliRunner

from te_forge.cli import cli
from te_forge.packs import load
from te_forge.whereabouts import shipped

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "te_forge"

FLOORS = {
    0: (
        "frozen",
        "collector",
        "keys",
        "source",
        "suggest",
        "aloud",
        "resources",
        "cache",
        "tried",
        "blanks",
        "diagnostics",
        "codes",
        "installed",
        "nearby",
        "whereabouts",
    ),
    1: ("syntax", "model", "renaming", "report", "files", "safeyaml"),
    2: ("check", "engine"),
    3: ("compose",),
    4: ("attribution", "compiled", "compare", "foremost", "kept", "lock", "seeded"),
    5: ("packs", "examples", "wheel"),
    6: ("ready", "linted", "render", "new", "characters", "asked", "options"),
    7: ("play", "export"),
    8: ("api", "cli", "testing"),
    9: ("commands", "__main__"),
}
"""Which floor each module or package of te_forge lives on. Imports go down only; neighbours on a floor are strangers (on the ground, they know those
before them).
"""
FLOOR_OF = {name: floor for floor, names in FLOORS.items() for name in names}
ONLY_IN = {
    "lark": ("syntax",), "pydantic": ("model",), "jinja2": ("render",), "mkdocs": ("render",), "markdown_it": ("render", "export"), "click": ("cli", "commands", "options"), "yaml": ("safeyaml",),
}  # fmt: skip


def modules() -> list[Path]:
    return sorted(path for path in PACKAGE.rglob("*.py") if path != PACKAGE / "__init__.py")


def home(path: Path) -> str:
    """The module or package right below te_forge that a file belongs to."""
    first = path.relative_to(PACKAGE).parts[0]
    return first.removesuffix(".py")


def imports(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (name.name for name in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: imports are written in full"
            yield node.module or ""
            yield from (f"{node.module}.{name.name}" for name in node.names)


@pytest.mark.parametrize("path", modules(), ids=lambda path: path.relative_to(PACKAGE).as_posix())
def test_imports_go_down_only(path: Path) -> None:
    here = home(path)
    ours = {name.split(".")[1] for name in imports(path) if name.startswith("te_forge.")} & (set(FLOOR_OF) - {here})
    below = {name for name, floor in FLOOR_OF.items() if floor < FLOOR_OF[here]}
    ground = FLOORS[0][: FLOORS[0].index(here)] if here in FLOORS[0] else ()
    assert ours - below - set(ground) == set()


@pytest.mark.parametrize("path", modules(), ids=lambda path: path.relative_to(PACKAGE).as_posix())
def test_each_library_has_one_home(path: Path) -> None:
    used = {name.split(".")[0] for name in imports(path)} & set(ONLY_IN)
    assert {library for library in used if home(path) not in ONLY_IN[library]} == set()


def test_every_module_has_a_floor() -> None:
    assert {home(path) for path in modules()} <= set(FLOOR_OF)


def test_help_stays_light() -> None:
    """What `te-forge --help` imports: click, and nothing that takes time."""
    script = "import sys, te_forge.cli; print(*sys.modules)"
    loaded = set(subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=True).stdout.split())
    heavy = {"lark", "pydantic", "yaml", "jinja2", "mkdocs", "markdown_it", "packaging", "te_forge.packs", "te_forge.check"}
    assert loaded & heavy == set()


# ---------------------------------------------------------------- the web site


def test_the_site_is_never_built_into_its_source() -> None:
    config = yaml.safe_load((ROOT / "site/mkdocs.yml").read_text(encoding="utf-8"))
    out = (ROOT / "site" / config["site_dir"]).resolve()
    source = (ROOT / "site" / config["docs_dir"]).resolve()
    assert out not in (ROOT, ROOT / "site", source)
    assert not source.is_relative_to(out)
    assert f"/{out.relative_to(ROOT).as_posix()}/" in (ROOT / ".gitignore").read_text(encoding="utf-8").split()


def test_the_start_of_the_site_leads_to_every_page() -> None:
    start = (ROOT / "site/docs/index.md").read_text(encoding="utf-8")
    assert [path.name for path in sorted((ROOT / "site/docs").glob("*.md")) if path.name != "index.md" and f"]({path.name})" not in start] == []


def test_the_start_of_the_site_names_every_pack() -> None:
    start = (ROOT / "site/docs/index.md").read_text(encoding="utf-8")
    assert [pack for pack in shipped() if f"| `{pack}` |" not in start] == []


# ---------------------------------------------------------------- the README


def test_the_readme_says_what_the_machine_does() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    commands = [line for line in text.splitlines() if line.startswith("python3 -m venv")]
    assert len(commands) == 2
    assert commands[0].endswith("te-forge build srd-core -o srd-book")
    assert "-m pytest" in commands[1]
    for target in re.findall(r"\]\(([^)#:]+)\)", text):
        assert (ROOT / target).exists(), target


def test_the_readmes_language_is_the_language(tmp_path: Path) -> None:
    """The lines shown there read; their names are those of the pack that they are taken from."""
    from te_forge.diagnostics import Findings
    from te_forge.source import Source
    from te_forge.syntax.page import read_page

    block = re.search(r"^```\n(## pool.*?)^```", (ROOT / "README.md").read_text(encoding="utf-8"), re.M | re.S)
    assert block
    findings = Findings()
    read_page(Source("README.md", "# Taste\n\n" + block[1]), findings)
    assert list(findings) == []


# ---------------------------------------------------------------- the wheel


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    pytest.importorskip("hatchling")
    out = tmp_path_factory.mktemp("wheel")
    script = f"from hatchling.build import build_wheel; print(build_wheel({str(out)!r}))"
    done = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return out / done.stdout.split()[-1]


def test_the_wheel_holds_everything(wheel: Path) -> None:
    names = set(zipfile.ZipFile(wheel).namelist())
    assert "te_forge/tepack-1.schema.json" in names
    pairs = {"grammars": "_grammars", "systems": "_systems", "templates": "_templates", "site/docs/diagnostics": "_codes", "te_forge": ""}
    for folder, inside in pairs.items():
        for path in (ROOT / folder).rglob("*"):
            parts = path.relative_to(ROOT / folder).parts
            if path.is_file() and not any(part.startswith(".") or part == "__pycache__" for part in parts):
                assert "/".join(part for part in ("te_forge", inside, *parts) if part) in names


def test_the_wheel_works_without_the_checkout(wheel: Path, tmp_path: Path) -> None:
    """Unpacked elsewhere, from another folder, it finds its grammar, packs, templates and pages."""
    zipfile.ZipFile(wheel).extractall(tmp_path / "lib")
    away = tmp_path / "elsewhere"
    away.mkdir()

    def run(*words: str) -> subprocess.CompletedProcess[str]:
        script = f"import sys; sys.path.insert(0, {str(tmp_path / 'lib')!r}); sys.argv[0] = 'te-forge'; from te_forge.cli import main; import te_forge; assert 'lib' in te_forge.__file__; main()"
        return subprocess.run([sys.executable, "-P", "-c", script, *words], cwd=away, capture_output=True, text=True)

    assert run("check", "srd-core").stdout == "no mistakes found\n"
    built = run("build", "srd-core", "-o", "book")
    assert built.returncode == 0, built.stderr
    assert (away / "book/index.html").is_file()
    assert run("codes", "unknown-name").returncode == 0


def test_the_declared_dependencies_are_those_used() -> None:
    data = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    declared = {re.split(r"[<>=]", one)[0].replace("-", "_") for one in data["project"]["dependencies"]}
    called = {"yaml": "pyyaml", "markdown_it": "markdown_it_py"}
    used = {name.split(".")[0] for path in modules() for name in imports(path)} - set(sys.stdlib_module_names) - {"te_forge", ""}
    assert {called.get(name, name) for name in used} - {
        "markupsafe",
        "pydantic_core",
        "pytest",
    } == declared  # parts of jinja2 and pydantic; and pytest, which loads our plug-in itself


# ---------------------------------------------------------------- the tutorial


def blocks() -> list[tuple[str, str, str]]:
    """Each fenced block: what it is (for rules, what the comment above says to do with them), the file it is about, its text."""
    text = (ROOT / "site/docs/tutorial.md").read_text(encoding="utf-8")
    found = re.findall(r"(?:^<!-- (te-[a-z]+) (\S+) -->\n)?^```([a-z]+)\n(.*?)^```$", text, re.M | re.S)
    return [(does or kind, file, body) for does, file, kind, body in found]


def test_the_tutorial_can_be_followed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    checks = []
    for kind, file, body in blocks():
        page = tmp_path / "my-game" / file
        if kind == "sh":
            for line in body.splitlines():
                done = CliRunner().invoke(cli, shlex.split(line.removeprefix("te-forge ")))
                assert done.exception is None or isinstance(done.exception, SystemExit)
                if line.startswith("te-forge check"):
                    checks.append((done.exit_code, done.stdout))
                else:
                    assert done.exit_code == 0, (line, done.output)
        elif kind == "text" and not body.startswith("my-game/"):
            assert body in done.stdout
        elif kind == "text":
            shown = re.findall(r"^  (\S+)", body, re.M)
            assert sorted(shown) == sorted(
                path.relative_to(tmp_path / "my-game").as_posix() for path in (tmp_path / "my-game").rglob("*") if path.is_file()
            )
        else:
            lines = page.read_text(encoding="utf-8").splitlines()
            page.write_text("\n".join(edited(kind, lines, body.splitlines())) + "\n", encoding="utf-8")
    assert [code for code, _ in checks] == [0, 1, 0]
    assert "unknown-outcome" in checks[1][1]
    assert "did you mean `Success`" in checks[1][1]
    assert CliRunner().invoke(cli, ["check", "my-game"]).stdout == "no mistakes found\n"


def edited(kind: str, lines: list[str], new: list[str]) -> list[str]:
    if kind == "te-append":
        return [*lines, "", *new]
    if kind == "te-add":
        last = max(number for number, line in enumerate(lines) if line.startswith("| Wits"))
        return [*lines[: last + 1], *new, *lines[last + 1 :]]
    assert kind == "te-change"
    label = new[0].partition(":")[0] + ":"
    assert sum(line.startswith(label) for line in lines) == 1
    return [new[0] if line.startswith(label) else line for line in lines]


# ---------------------------------------------------------------- nothing knows any game

ORDINARY = {
    *(
        "Bad Luck",
        "Casting",
        "Check",
        "Conflict",
        "Fight",
        "Game",
        "Hide",
        "Marks",
        "Opening",
        "Points",
        "Quick",
        "Round",
        "Scene",
        "Session",
        "Steps",
        "Success",
    ),
    *("Test", "Throw", "Turn", "Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine", "Ten"),
}
"""Names of packs that are ordinary English too, and stand in examples of the code."""


def classes() -> set[str]:
    """Names of classes of ours, such as Step and Order: a pack may call things so, too."""
    return {node.name for path in modules() for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))) if isinstance(node, ast.ClassDef)}


@pytest.mark.parametrize("pack", sorted(path.name for path in (ROOT / "systems").iterdir() if path.is_dir()))
def test_the_tool_knows_no_game(pack: str) -> None:
    """No name that a pack defines stands in the code, the help of commands, the grammar or the templates."""
    system = load(pack).system
    assert system is not None
    names = {entry.name for entry in system.entries.values() if entry.kind not in ("kind", "example", "ruling", "reading")} - ORDINARY - classes()
    word = re.compile(rf"(?<![\w-])(?:{'|'.join(map(re.escape, sorted(names)))})(?![\w-])")
    files = [*modules(), ROOT / "grammars/te.lark", *(path for path in (ROOT / "templates").rglob("*.*") if path.suffix in (".html", ".js", ".css"))]
    assert [f"{file.relative_to(ROOT)}: {found[0]}" for file in files for found in word.finditer(file.read_text(encoding="utf-8"))] == []
