"""The module for Foundry: what is in it, that the official program reads it, and what our own look catches that the program lets through."""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from beginnings import as_played
from hypothesis import given, settings
from hypothesis import strategies as st
from tools import PACKS, node_packages

from te_forge.export import leveldb
from te_forge.export.exporter import MemorySink, NotExported, Verdict
from te_forge.export.foundry import FoundryModule, dull
from te_forge.export.foundry_check import checked, documents, read_back
from te_forge.export.run import export, verify, with_defaults
from te_forge.export.tools import node_tool

Documents = dict[str, dict[str, Any]]


@pytest.fixture
def module(tmp_path: Path) -> Path:
    export(FoundryModule(), as_played("srd-core"), tmp_path / "out", {})
    return tmp_path / "out"


@pytest.mark.parametrize("pack", PACKS)
def test_the_official_program_reads_every_pack(pack: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    node_packages(monkeypatch)
    export(FoundryModule(), as_played(pack), tmp_path / "out", {})
    found = verify(FoundryModule(), tmp_path / "out")
    assert [(one.outcome, one.complaints) for one in found] == [("passed", ())] * 3
    assert {one.tool for one in found} == {"te_forge", "@foundryvtt/foundryvtt-cli 3.0.3"}


def test_a_table_rolls_and_everything_has_a_page(module: Path) -> None:
    tables, rules = documents(module / "packs/tables"), documents(module / "packs/rules")
    table = next(one for key, one in tables.items() if key.startswith("!tables!") and one["name"] == "Delving")
    results = [tables[f"!tables.results!{table['_id']}.{id}"] for id in table["results"]]
    assert table["formula"] == "1d6" and [one["range"] for one in results] == [[n, n] for n in range(1, 7)]
    assert results[1]["name"] == "Drums" and "@UUID[Compendium.srd-core.rules.JournalEntry." in results[1]["description"]
    named = {one["flags"]["srd-core"]["te_id"] for key, one in rules.items() if key.startswith("!journal.pages!")}
    assert set(as_played("srd-core").entries) <= named
    golem = next(one for one in rules.values() if one["name"] == "Callous Golem")
    assert "<strong>Stamina:</strong> 5" in golem["text"]["content"]


def test_ids_come_from_ours_and_stay() -> None:
    """A change of the text moves no id, so links that somebody has made in Foundry still lead there."""
    sink = MemorySink()
    list(FoundryModule().emit(as_played("srd-core"), sink, with_defaults(FoundryModule(), {})))
    assert "!tables!PdJNfUubQUreauOb" in leveldb.read({path.rpartition("/")[2]: raw for path, raw in sink.files.items() if "/tables/" in path})


def test_the_manifest(module: Path) -> None:
    data = json.loads((module / "module.json").read_text(encoding="utf-8"))
    assert data["compatibility"] == {"minimum": "13"}, "nobody has tried it in Foundry, so it says nothing of `verified`"
    assert data["license"] == "LICENSE.txt" and (module / "LICENSE.txt").is_file()
    assert any("William Lentz" in line for line in data["flags"]["srd-core"]["attribution"])


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"core": "12"}, "is no version of Foundry"),
        ({"core": "x"}, "is no version"),
        ({"id": "Bad Id"}, "cannot be the id"),
        ({"id": "a--b"}, "cannot be the id"),
        ({"id": "con"}, "cannot be the id"),
    ],
)
def test_options_that_make_no_sense(options: dict[str, str], says: str, tmp_path: Path) -> None:
    with pytest.raises(NotExported, match=says):
        export(FoundryModule(), as_played("tension-board"), tmp_path / "out", options)
    assert not (tmp_path / "out").exists()


def test_another_id_and_version(tmp_path: Path) -> None:
    export(FoundryModule(), as_played("srd-core"), tmp_path / "out", {"id": "my-module", "core": "14"})
    data = json.loads((tmp_path / "out/module.json").read_text(encoding="utf-8"))
    assert data["id"] == "my-module" and data["compatibility"]["minimum"] == "14" and checked(tmp_path / "out").outcome == "passed"


@pytest.mark.parametrize("text", ["[[/roll 1d6]]", "@UUID[Actor.x]{y}", "@Embed[x]", "see [[1d20]] and @Check[type:x]"])
def test_foundry_finds_nothing_to_run_in_a_text(text: str) -> None:
    assert not re.search(r"\[\[|@\w+\[", dull(text)) and dull(text).replace("\u2060", "") == text


# ---------------------------------------------------------------- what is refused


def rewrite(module: Path, pack: str, change: Callable[[Documents], object]) -> None:
    """Change the documents of a compendium."""
    folder = module / "packs" / pack
    found = dict(documents(folder))
    change(found)
    for name, raw in leveldb.files((key, json.dumps(one).encode()) for key, one in sorted(found.items())).items():
        (folder / name).write_bytes(raw)


def first(found: Documents, start: str) -> tuple[str, dict[str, Any]]:
    return next((key, one) for key, one in found.items() if key.startswith(start))


def shorten(found: Documents) -> None:
    key, one = first(found, "!tables!")
    del found[key]
    found["!tables!abcde"] = {**one, "_id": "abcde"}


SPOILERS: dict[str, tuple[str, Callable[[Documents], object], str]] = {
    "an id of five letters": ("tables", shorten, "its id must be 16 letters and digits"),
    "an id that differs": ("tables", lambda found: first(found, "!tables!")[1].update(_id="x" * 16), "its id must be 16"),
    "a range the wrong way round": ("tables", lambda found: first(found, "!tables.results!")[1].update(range=[9, 2]), "is the wrong way round"),
    "a gap": ("tables", lambda found: first(found, "!tables.results!")[1].update(range=[99, 99]), "do not cover 1d6"),
    "half a formula": ("tables", lambda found: first(found, "!tables!")[1].update(formula="1d"), "`1d` is no formula"),
    "a result less": ("tables", lambda found: found.pop(first(found, "!tables.results!")[0]), "is not there"),
    "a page that nothing holds": ("rules", lambda found: first(found, "!journal!")[1].update(pages=[]), "nothing holds it"),
    "a link to nowhere": (
        "rules",
        lambda found: first(found, "!journal.pages!")[1].update(
            text={"format": 1, "content": "@UUID[Compendium.srd-core.rules.JournalEntry.nowhere]{x}"}
        ),
        "leads nowhere",
    ),
    "a document of another sort": ("rules", lambda found: found.update({"!actors!" + "a" * 16: {"_id": "a" * 16}}), "does not belong here"),
    "nothing at all": ("rules", lambda found: found.clear(), "there is nothing in it"),
}


@pytest.mark.parametrize("name", SPOILERS)
def test_our_look_refuses(name: str, module: Path) -> None:
    """Most of these the official program takes without a word."""
    pack, spoil, says = SPOILERS[name]
    rewrite(module, pack, spoil)
    found = checked(module)
    assert found.outcome == "failed" and any(says in one for one in found.complaints), found.complaints


MANIFESTS: dict[str, tuple[Callable[[dict[str, Any]], object], str]] = {
    "a field less": (lambda data: data.pop("description"), "`description` is missing"),
    "a field that there is not": (lambda data: data.update(compatability={}), "is no field of a module"),
    "an id with a blank": (lambda data: data.update(id="my module"), "is no id of a module"),
    "a version that is none": (lambda data: data.update(version="new"), "is no version"),
    "a list for a text": (lambda data: data.update(title=["x"]), "is not of the right sort"),
    "a pack with rights": (lambda data: data["packs"][0].update(ownership={}), "a pack takes"),
    "a pack of another type": (lambda data: data["packs"][0].update(type="Journal"), "a pack takes"),
}


@pytest.mark.parametrize("name", MANIFESTS)
def test_a_broken_manifest_is_refused(name: str, module: Path) -> None:
    spoil, says = MANIFESTS[name]
    data = json.loads((module / "module.json").read_text(encoding="utf-8"))
    spoil(data)
    (module / "module.json").write_text(json.dumps(data), encoding="utf-8")
    assert any(says in one for one in checked(module).complaints)


def test_no_manifest_is_a_sentence(module: Path) -> None:
    (module / "module.json").write_text("[]", encoding="utf-8")
    assert checked(module).complaints == ("module.json is missing, or no JSON object",)


def test_the_official_program_refuses_a_broken_database(module: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    node_packages(monkeypatch)
    (module / "packs/tables/CURRENT").write_text("MANIFEST-000009\n", encoding="utf-8")
    rules, tables = read_back(module)
    assert rules.outcome == "passed" and tables.outcome == "failed" and tables.complaints


def test_a_document_that_is_lost_on_the_way_is_seen(module: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The program ends well whatever it leaves out, so its documents are counted and compared."""
    node_packages(monkeypatch)
    written = dict(documents(module / "packs/tables"))
    key, one = first(written, "!tables!")
    monkeypatch.setattr(
        "te_forge.export.foundry_check.documents",
        lambda folder: {**written, key: {**one, "name": "Another"}} if folder.name == "tables" else documents(folder),
    )
    tables = list(read_back(module))[1]
    assert tables.outcome == "failed" and "comes back otherwise" in tables.complaints[0]


def test_a_compendium_that_foundry_has_opened_is_said(module: Path) -> None:
    (module / "packs/rules/000005.ldb").write_bytes(b"")
    assert "something has opened this and changed it" in checked(module).complaints[0]


def test_without_its_program_nothing_is_verified(module: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("TE_FORGE_NODE", str(tmp_path))
    monkeypatch.setattr("te_forge.export.tools.shutil.which", lambda name: "/usr/bin/node")
    assert [(one.outcome, one.tool) for one in read_back(module)] == [
        ("not verified", "@foundryvtt/foundryvtt-cli is not installed; `npm install @foundryvtt/foundryvtt-cli`")
    ] * 2


# ---------------------------------------------------------------- LevelDB


@settings(deadline=None, max_examples=60)
@given(st.dictionaries(st.text(max_size=20), st.binary(max_size=70_000), max_size=6))
def test_what_is_written_is_read(found: dict[str, bytes]) -> None:
    assert leveldb.read(leveldb.files(found.items())) == found


@pytest.mark.parametrize("size", [0, 1, *range(leveldb.BLOCK - 60, leveldb.BLOCK - 20), 2 * leveldb.BLOCK, 3_000_000])
def test_a_value_may_end_anywhere_in_a_block(size: int) -> None:
    found = {"a": b"x" * size, "b": b"y" * 40, "c": b""}
    assert leveldb.read(leveldb.files(found.items())) == found


def test_the_checksum_is_that_of_the_specification() -> None:
    assert leveldb.crc(b"123456789") == 0xE3069283
    assert leveldb.crc(bytes(32)) == 0x8A9136AA


def test_a_broken_log_is_not_read() -> None:
    files = leveldb.files([("key", b"value")])
    files[leveldb.LOG] = files[leveldb.LOG][:-1] + b"X"
    with pytest.raises(ValueError, match="broken at byte 0"):
        leveldb.read(files)


def test_leveldb_itself_reads_long_values(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Values over several blocks, batches over a megabyte, and one that ends where a block does."""
    node_packages(monkeypatch)
    ids = [f"{number:016}" for number in range(40)]
    found = {
        f"!items!{id}": {"_id": id, "name": f"Item {number}", "text": "龍" * (number * 4_000 + (leveldb.BLOCK - 60 if number == 1 else 0))}
        for number, id in enumerate(ids)
    }
    (tmp_path / "in/things").mkdir(parents=True)
    for name, raw in leveldb.files((key, json.dumps(one).encode()) for key, one in found.items()).items():
        (tmp_path / "in/things" / name).write_bytes(raw)
    tool = node_tool("@foundryvtt/foundryvtt-cli", "fvtt")
    assert not isinstance(tool, Verdict)
    done = subprocess.run(
        [*tool[1], "package", "unpack", "things", "--in", "in", "--out", "out"],
        cwd=tmp_path,
        env={"XDG_DATA_HOME": str(tmp_path), "HOME": str(tmp_path)},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    back = {
        one["_key"]: {name: value for name, value in one.items() if name in ("_id", "name", "text")}
        for one in (json.loads(path.read_text(encoding="utf-8")) for path in (tmp_path / "out").iterdir())
    }
    assert back == found
