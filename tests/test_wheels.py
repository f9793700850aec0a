"""Packs as packages: made, checked, installed, found, required, and never run."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from tools import python_package

from te_forge import installed
from te_forge.new import make
from te_forge.packs import Loaded, load
from te_forge.packs.ranges import clash, go_together, in_words
from te_forge.whereabouts import find

ROOT = Path(__file__).parents[1]


def run(*words: str, folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", *words], cwd=folder, capture_output=True, text=True, env={**os.environ, "PYTHONPATH": str(ROOT), "NO_COLOR": "1"}
    )


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a pack with its package in `dist`."""
    for name in ("build", "hatchling"):
        python_package(name)
    folder = tmp_path_factory.mktemp("author") / "night-market"
    make(folder, wheel=True)
    done = run("build", "--no-isolation", "-q", folder=folder)
    assert done.returncode == 0, done.stdout + done.stderr
    return folder


def test_a_new_pack_with_a_wheel_checks_clean(wheel: Path) -> None:
    done = run("te_forge", "check", str(wheel), "--no-cache", folder=wheel.parent)
    assert (done.returncode, done.stdout) == (0, "no mistakes found\n")


def test_the_package_holds_the_pack_and_nothing_that_runs(wheel: Path) -> None:
    names = zipfile.ZipFile(next(wheel.glob("dist/*.whl"))).namelist()
    assert {one for one in names if "dist-info" not in one} == {
        f"te_pack_night_market/{path}" for path in ("pack.yaml", "rules/01-game.te", "rules/02-playing.te", "rules/03-parts.te")
    }
    assert not [one for one in names if one.endswith((".py", ".pth", ".so"))]
    with tarfile.open(next(wheel.glob("dist/*.tar.gz"))) as archive:
        assert "te_pack_night_market-0.1.0/pack.yaml" in archive.getnames()


def test_twine_accepts_it_and_refuses_a_broken_one(wheel: Path, tmp_path: Path) -> None:
    python_package("twine")
    files = [str(path) for path in wheel.glob("dist/*")]
    assert run("twine", "check", "--strict", *files, folder=wheel).returncode == 0
    make(tmp_path / "broken", wheel=True)
    project = tmp_path / "broken/pyproject.toml"
    project.write_text(project.read_text(encoding="utf-8").replace('readme = "README.md"\n', ""), encoding="utf-8")
    assert run("build", "--no-isolation", "-q", folder=tmp_path / "broken").returncode == 0
    done = run("twine", "check", "--strict", *(str(path) for path in (tmp_path / "broken/dist").iterdir()), folder=tmp_path)
    assert done.returncode == 1 and "long_description" in done.stdout + done.stderr


def test_the_version_is_that_of_pack_yaml(tmp_path: Path) -> None:
    for name in ("build", "hatchling"):
        python_package(name)
    make(tmp_path / "tides", wheel=True)
    head = tmp_path / "tides/pack.yaml"
    head.write_text(head.read_text(encoding="utf-8").replace("version: 0.1.0", "version: '2.3.4'"), encoding="utf-8")
    assert run("build", "--no-isolation", "-q", "--wheel", folder=tmp_path / "tides").returncode == 0
    assert [path.name for path in (tmp_path / "tides/dist").iterdir()] == ["te_pack_tides-2.3.4-py3-none-any.whl"]


def test_installed_into_a_fresh_environment_it_is_found_and_required(wheel: Path, tmp_path: Path) -> None:
    subprocess.run([sys.executable, "-m", "venv", str(tmp_path / "venv")], check=True)
    python = tmp_path / "venv" / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    subprocess.run([python, "-m", "pip", "install", "-q", "--no-deps", "--no-index", next(wheel.glob("dist/*.whl"))], check=True)
    place = subprocess.run(
        [python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"], capture_output=True, text=True, check=True
    ).stdout.strip()
    Path(place, "te_forge_of_the_tests.pth").write_text(f"{ROOT}\n{sysconfig.get_path('purelib')}\n", encoding="utf-8")

    def forge(*words: str) -> subprocess.CompletedProcess[str]:
        environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
        return subprocess.run([python, "-m", "te_forge", *words], cwd=tmp_path, capture_output=True, text=True, env={**environment, "NO_COLOR": "1"})

    assert forge("check", "night-market").stdout == "no mistakes found\n"
    assert forge("new", "my-game", "--extends", "night-market", "--wheel").returncode == 0
    assert '"te-pack-night-market>=0.1,<1",' in (tmp_path / "my-game/pyproject.toml").read_text(encoding="utf-8")
    assert forge("check", "my-game").stdout == "no mistakes found\n"
    assert forge("check", "my-game").stdout == "no mistakes found\n", "and from what was kept"
    head = tmp_path / "my-game/pack.yaml"
    head.write_text(head.read_text(encoding="utf-8").replace("'>=0.1,<1'", "'>=2.0'"), encoding="utf-8")
    done = forge("check", "my-game")
    assert done.returncode == 1
    assert "`night-market` is here in version 0.1.0 (with the package te-pack-night-market 0.1.0), but 2.0 or later is wanted" in done.stdout
    assert "pip install --upgrade te-pack-night-market" in done.stdout


# ---------------------------------------------------------------- what is installed


@pytest.fixture
def library(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder where packages are installed, as Python sees them."""
    folder = tmp_path / "library"
    folder.mkdir()
    monkeypatch.syspath_prepend(str(folder))
    installed.packages.cache_clear()
    yield folder
    installed.packages.cache_clear()


def install(library: Path, package: str, id: str, value: str, version: str = "1.0.0", requires: str = "") -> Path:
    """Install a package that says that it brings the pack `id`, with the pack where `value` says."""
    info = library / f"{package.replace('-', '_')}-{version}.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: {version}\n", encoding="utf-8")
    (info / "entry_points.txt").write_text(f"[{installed.GROUP}]\n{id} = {value}\n", encoding="utf-8")
    pack = library.joinpath(*value.replace(":", ".").split("."))
    (pack / "rules").mkdir(parents=True)
    (pack / "pack.yaml").write_text(f"id: {id}\ntitle: {id.title()}\nversion: {version}\n{requires}", encoding="utf-8")
    (pack / "rules/01.te").write_text(f"# {id.title()}\n\nA short one.\n", encoding="utf-8")
    installed.packages.cache_clear()
    return pack


def said(loaded: Loaded) -> list[tuple[str, str, str]]:
    return [(one.code, one.message, one.help) for one in loaded.diagnostics if one.severity == "error"]


def game(folder: Path, requires: str) -> Loaded:
    (folder / "game/rules").mkdir(parents=True)
    (folder / "game/pack.yaml").write_text(f"id: game\ntitle: Game\nversion: 1.0.0\nrequires: {requires}\n", encoding="utf-8")
    (folder / "game/rules/01.te").write_text("# Game\n\nA short one.\n", encoding="utf-8")
    return load(str(folder / "game"))


@pytest.mark.parametrize("value", ["te_pack_tides", "tides.data", "tides:data", "tides:data.pack"])
def test_an_installed_pack_is_found_by_its_id(value: str, library: Path) -> None:
    pack = install(library, "te-pack-tides", "tides", value)
    assert find("tides") == find("tides", library / "elsewhere" / "game") == pack
    assert said(load("tides")) == []


def test_reading_a_pack_runs_none_of_its_code(library: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever Python its package has: its folder is looked into, and never imported."""
    pack = install(library, "te-pack-tides", "tides", "tides:data")
    for folder in (pack, pack.parent):
        (folder / "__init__.py").write_text("raise SystemExit('this was run')\n", encoding="utf-8")
    assert said(load("tides")) == [] and said(game(library, "{tides: '>=1.0'}")) == []
    assert not [name for name in sys.modules if name.split(".")[0] == "tides"]


@pytest.mark.parametrize("value", ["os; import os", "../outside", "/etc", "a b", ".", "x:..", "tides:data-"])
def test_a_value_that_is_no_place_is_nothing(value: str, library: Path) -> None:
    info = library / "bad-1.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: bad\nVersion: 1\n", encoding="utf-8")
    (info / "entry_points.txt").write_text(f"[{installed.GROUP}]\ntides = {value}\n", encoding="utf-8")
    installed.packages.cache_clear()
    assert find("tides") is None


def test_a_neighbour_goes_before_what_is_installed(library: Path, tmp_path: Path) -> None:
    install(library, "te-pack-tides", "tides", "te_pack_tides")
    shutil.copytree(library / "te_pack_tides", tmp_path / "tides")
    assert find("tides", tmp_path / "game") == tmp_path / "tides"


def test_a_pack_that_ships_is_not_replaced_by_one_that_is_installed(library: Path) -> None:
    install(library, "te-pack-evil", "srd-core", "te_pack_evil")
    found = find("srd-core")
    assert found is not None and found.name == "srd-core"


def test_two_packages_with_one_pack_are_named(library: Path) -> None:
    install(library, "te-pack-tides", "tides", "te_pack_tides")
    install(library, "other-tides", "tides", "other_tides")
    assert said(game(library, "{tides: '>=1.0'}")) == [
        ("missing-pack", "the pack `tides` is not to be had", "other-tides 1.0.0 and te-pack-tides 1.0.0 both bring it; uninstall one of them")
    ]


def test_a_package_without_its_pack_is_named(library: Path) -> None:
    shutil.rmtree(install(library, "te-pack-tides", "tides", "te_pack_tides"))
    installed.packages.cache_clear()
    assert "the package te-pack-tides 1.0.0 says that it brings it, and does not" in said(game(library, "{tides: '>=1.0'}"))[0][2]


def test_a_name_that_is_nearly_right_gets_the_nearest(library: Path) -> None:
    install(library, "te-pack-tides", "tides", "te_pack_tides")
    assert "did you mean `tides`?" in said(game(library, "{tydes: '>=1.0'}"))[0][1]


# ---------------------------------------------------------------- ranges


def test_ranges_that_clash_are_told_with_all_who_want_them(library: Path) -> None:
    install(library, "te-pack-tides", "tides", "te_pack_tides", "1.4.0")
    install(library, "te-pack-fleet", "fleet", "te_pack_fleet", "1.0.0", "requires: {tides: '>=2.0'}\n")
    code, message, help = said(game(library, "{fleet: '>=1.0,<2', tides: '>=1.0,<2'}"))[0]
    assert code == "clashing-ranges"
    assert message == "no version of `tides` is right for all: `fleet` wants 2.0 or later, `game` wants 1.0 or later and earlier than 2"
    assert "get other versions" in help


def test_a_range_that_is_only_unmet_is_told_as_that_from_afar(library: Path) -> None:
    install(library, "te-pack-tides", "tides", "te_pack_tides", "1.4.0")
    install(library, "te-pack-fleet", "fleet", "te_pack_fleet", "1.0.0", "requires: {tides: '>=2.0'}\n")
    code, message, help = said(game(library, "{fleet: '>=1.0,<2'}"))[0]
    assert code == "unmet-version"
    assert message == "`tides` is here in version 1.4.0 (with the package te-pack-tides 1.4.0), but 2.0 or later is wanted"
    assert help == "change the range, or get another version: `pip install --upgrade te-pack-tides`"


@pytest.mark.parametrize(
    ("ranges", "together"),
    [
        ([">=1.0,<2", ">=2.0"], False),
        ([">=1.0,<2", ">=1.5"], True),
        ([">1.0,<1.0.1"], False),
        ([">1.0.0", "<1.0.2"], True),
        (["==1.2.3", "!=1.2.3"], False),
        (["==1.2.3", "~=1.2"], True),
        (["~=1.2.0", ">=1.3"], False),
        (["<1"], True),
        (["<0.0.1", ">=0"], True),
        ([">=3", "<=3"], True),
        (["!=1.0.0", ">=1.0.0", "<=1.0.1"], True),
        (["==1.*", "==2.*"], False),
    ],
)
def test_ranges_go_together_when_a_version_is_in_all(ranges: list[str], together: bool) -> None:
    assert go_together(ranges) is together
    assert bool(clash("x", {str(number): one for number, one in enumerate(ranges)})) is (len(ranges) > 1 and not together)


def test_a_range_in_words() -> None:
    assert in_words(">=1.0,<2") == "1.0 or later and earlier than 2"
