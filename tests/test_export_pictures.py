"""Pictures in exports: those that the prose shows are taken along, with references that lead to them, and nothing else is."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner

import te_forge
from te_forge.cli import cli
from te_forge.export import exporter as sinks
from te_forge.export.exporter import MemorySink
from te_forge.export.foundry import FoundryModule
from te_forge.export.foundry_check import checked as module_checked
from te_forge.export.obsidian import ObsidianVault
from te_forge.export.obsidian_check import checked as vault_checked
from te_forge.export.run import emitted
from te_forge.options import at_this_table
from te_forge.packs import load

DOT = b"GIF89a\x01\x00\x01\x00\x80\x00\x00\xff\xff\xff\x00\x00\x00,\x00\x00\x00\x00\x01\x00\x01\x00\x00\x02\x02D\x01\x00;"
SHOWN = ("assets/dot.gif", "assets/maps/Räuber.gif")
PAGE = """# Pictures

![a dot](assets/dot.gif)

| What | Shown |
|------|-------|
| a robber | ![](assets/maps/Räuber.gif) |

## kind: hero
Somebody. ![a dot](assets/dot.gif)
- Is: an actor
"""
TARGETS = {"obsidian": vault_checked, "foundry": module_checked}


@pytest.fixture(params=["folder", "compiled"])
def game(request: pytest.FixtureRequest, tmp_path: Path) -> te_forge.Game:
    """A game with two pictures that it shows and one that it does not, from its folder and from its file."""
    made = te_forge.load(pack(tmp_path, PAGE, *SHOWN, "assets/unused.gif"))
    if request.param == "folder":
        return made
    made.compile(tmp_path / "pictures.tepack.json")
    return te_forge.load(tmp_path / "pictures.tepack.json")


def pack(folder: Path, page: str, *pictures: str) -> Path:
    root = folder / "pictures"
    (root / "rules").mkdir(parents=True)
    (root / "pack.yaml").write_text("id: pictures\ntitle: Pictures\nversion: 1.0.0\nlicense: CC0\nauthors: [Somebody]\n", encoding="utf-8")
    (root / "rules/01.te").write_text(page, encoding="utf-8")
    for path in pictures:
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_bytes(DOT)
    return root


@pytest.mark.parametrize("target", TARGETS)
def test_the_pictures_that_are_shown_are_taken_along(target: str, game: te_forge.Game, tmp_path: Path) -> None:
    made = game.export(target, tmp_path / "out")
    assert tuple(one for one in made.files if one.startswith("assets/")) == SHOWN
    assert all((tmp_path / "out" / path).read_bytes() == DOT for path in SHOWN)
    assert (made.degraded, made.dropped) == ({}, {})
    assert TARGETS[target](tmp_path / "out").complaints == ()


def test_their_references_lead_to_them(tmp_path: Path) -> None:
    files = written(pack(tmp_path, PAGE, *SHOWN), "obsidian")[0]
    assert "![a dot](../assets/dot.gif)" in files["Kind/hero.md"].decode()
    assert "![picture](../assets/maps/R%C3%A4uber.gif)" in files["Chapters/Pictures.md"].decode()
    text = b"".join(written(tmp_path / "pictures", "foundry", id="my-module")[0].values()).decode(errors="replace")
    assert r"<img src=\"modules/my-module/assets/maps/R%C3%A4uber.gif\" alt=\"\">" in text


def written(root: Path, target: str, **options: str) -> tuple[dict[str, bytes], dict[str, str]]:
    """The files of an export, and why what is not whole is not."""
    loaded = load(str(root))
    assert loaded.system is not None
    made = {"obsidian": ObsidianVault(), "foundry": FoundryModule()}[target]
    sink = MemorySink(loaded.assets)
    told = emitted(made, at_this_table(loaded.system), sink, {**{one.name: one.default for one in made.options}, **options}, loaded.system)
    return sink.files, {one.id: one.reason for one in told.fates if one.level != "full"}


@pytest.mark.parametrize("target", TARGETS)
def test_the_same_bytes_again(target: str, tmp_path: Path) -> None:
    root = pack(tmp_path, PAGE, *SHOWN)
    assert written(root, target) == written(root, target)
    assert set(SHOWN) <= written(root, target)[0].keys()


@pytest.mark.parametrize("target", TARGETS)
def test_what_does_not_fit_is_left_out_and_said(target: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = pack(tmp_path, PAGE, *SHOWN)
    monkeypatch.setattr(sinks, "MOST_PICTURE_BYTES", len(DOT))
    files, lost = written(root, target)
    assert [path for path in files if path.startswith("assets/")] == ["assets/dot.gif"]
    assert list(lost) == ["pictures:chapter/pictures"]
    assert "left out" in lost["pictures:chapter/pictures"]


@pytest.mark.parametrize("path", ["assets/a:b.gif", "assets/CON*.gif", f"assets/{'x' * 200}.gif", "../dot.gif", "/etc/dot.gif"])
def test_a_path_that_no_system_takes_is_left_out(path: str) -> None:
    sink = MemorySink({path: Dot()})
    assert not sink.picture(path)
    assert sink.files == {}


def test_two_pictures_whose_names_differ_in_capitals_are_one_file_on_some_machines() -> None:
    sink = MemorySink({"assets/a.gif": Dot(), "assets/A.gif": Dot()})
    assert [sink.picture("assets/a.gif"), sink.picture("assets/A.gif"), sink.picture("assets/a.gif")] == [True, False, True]
    assert list(sink.files) == ["assets/a.gif"]


class Dot:
    def read_bytes(self) -> bytes:
        return DOT


SPOILERS: dict[str, tuple[str, Callable[[Path], object], str]] = {
    "obsidian, one that is gone": ("obsidian", lambda out: (out / "assets/dot.gif").unlink(), "the picture ../assets/dot.gif is not there"),
    "obsidian, one of somebody else": (
        "obsidian",
        lambda out: edit(out / "Kind/hero.md", "../assets/dot.gif", "../../dot.gif"),
        "the picture ../../dot.gif lies outside of the vault",
    ),
    "foundry, one that is gone": (
        "foundry",
        lambda out: (out / "assets/dot.gif").unlink(),
        "the picture modules/pictures/assets/dot.gif is not there",
    ),
    "foundry, one of another module": ("foundry", lambda out: edit(out / "module.json", '"pictures"', '"others"'), "lies outside of the module"),
}


def edit(path: Path, old: str, new: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")


@pytest.mark.parametrize("name", SPOILERS)
def test_verify_looks_at_pictures(name: str, tmp_path: Path) -> None:
    target, spoil, says = SPOILERS[name]
    te_forge.load(pack(tmp_path, PAGE, *SHOWN)).export(target, tmp_path / "out")
    spoil(tmp_path / "out")
    found = TARGETS[target](tmp_path / "out")
    assert found.outcome == "failed"
    assert any(says in one for one in found.complaints), found.complaints


def test_csv_says_that_it_cannot(tmp_path: Path) -> None:
    made = te_forge.load(pack(tmp_path, PAGE, *SHOWN)).export("csv", tmp_path / "out")
    assert made.degraded == dict.fromkeys(("pictures:chapter/pictures", "pictures:kind/hero"), "a cell holds no picture, only its address")
    assert not [one for one in made.files if one.startswith("assets/")]


def test_the_command_takes_them_along_too(tmp_path: Path) -> None:
    done = CliRunner().invoke(cli, ["export", str(pack(tmp_path, PAGE, *SHOWN)), "--to", "obsidian", "--to", "foundry", "-o", str(tmp_path / "out")])
    assert done.exit_code == 0, done.output
    assert all((tmp_path / "out" / target / path).is_file() for target in TARGETS for path in SHOWN)
    report = json.loads((tmp_path / "out/foundry/loss-report.json").read_text(encoding="utf-8"))
    assert report["counts"] == {"full": 2, "degraded": 0, "dropped": 0}


def test_the_book_shows_a_picture_whose_name_is_not_english(tmp_path: Path) -> None:
    done = CliRunner().invoke(cli, ["build", str(pack(tmp_path, PAGE, *SHOWN)), "-o", str(tmp_path / "book")])
    assert done.exit_code == 0, done.output
    assert any(
        '<img src="assets/maps/R%C3%A4uber.gif" alt="" loading="lazy">' in page.read_text(encoding="utf-8")
        for page in (tmp_path / "book").glob("*.html")
    )
