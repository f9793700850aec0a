"""The vault: what the notes say, that they hang together, and that the tools of others agree."""

from __future__ import annotations

import json
import os
import re
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from beginnings import as_played
from tools import PACKS, absent, node_packages

from te_forge.export.exporter import MemorySink
from te_forge.export.markdown import MarkdownScribe, escaped
from te_forge.export.obsidian import ObsidianVault, fitting
from te_forge.export.obsidian_check import checked
from te_forge.export.run import export, verify


@pytest.fixture(scope="module")
def notes() -> dict[str, str]:
    sink = MemorySink()
    list(ObsidianVault().emit(as_played("srd-core"), sink, {}))
    return {path: raw.decode() for path, raw in sink.files.items()}


@pytest.mark.parametrize("pack", PACKS)
def test_the_tools_accept_every_pack(pack: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    node_packages(monkeypatch)
    export(ObsidianVault(), as_played(pack), tmp_path / "out", {})
    found = verify(ObsidianVault(), tmp_path / "out")
    assert [(one.outcome, one.complaints) for one in found] == [("passed", ()), ("passed", ())]
    assert found[1].tool == "markdownlint-cli2 0.22.1"


def edit(path: Path, old: str, new: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert old in text, text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")


SPOILERS: dict[str, tuple[str, str, str, int, str]] = {
    "a link to nowhere": ("Table/Delving.md", "[[Pool/Tension", "[[Pool/Pension", 0, "[[Pool/Pension]] leads nowhere"),
    "a mark that is not there": ("Table/Delving.md", "\n^table\n", "\n", 0, "there is no such mark"),
    "a gap in a table": ("Table/Delving.md", "| 2 |", "| 3 |", 0, "do not cover 1d6"),
    "no number": ("Table/Delving.md", "| 2 |", "| two |", 0, "covers no numbers of its die"),
    "a bar too many": ("Table/Delving.md", "\\|Tension", "|Tension", 0, "have not the same number of cells"),
    "two blank lines": ("Table/Delving.md", "\n^table\n", "\n\n\n^table\n", 1, "MD012"),
    "a tag": ("Table/Delving.md", "A sample", "A <b>sample</b>", 1, "MD033"),
    "a heading too deep": ("Table/Delving.md", "A sample", "### A sample", 1, "MD001"),
}


@pytest.mark.parametrize("name", SPOILERS)
def test_a_broken_note_is_refused(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file, old, new, which, says = SPOILERS[name]
    if which:
        node_packages(monkeypatch)
    export(ObsidianVault(), as_played("srd-core"), tmp_path / "out", {})
    edit(tmp_path / "out" / file, old, new)
    found = verify(ObsidianVault(), tmp_path / "out")[which] if which else checked(tmp_path / "out")
    assert found.outcome == "failed" and any(says in one for one in found.complaints), found


def test_without_its_tool_nothing_is_verified(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    export(ObsidianVault(), as_played("tension-board"), tmp_path / "out", {})
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("TE_FORGE_NODE", raising=False)
    monkeypatch.setenv("PATH", "")
    assert [(one.outcome, one.tool) for one in verify(ObsidianVault(), tmp_path / "out")] == [
        ("passed", "te_forge"),
        ("not verified", "Node.js is not installed"),
    ]


def test_a_table_rolls_and_an_adversary_has_a_stat_block(notes: dict[str, str]) -> None:
    table = notes["Table/Delving.md"]
    assert "| dice: 1d6 | Result | Text | Effect |" in table and "\n^table\n" in table and "`dice: [[Table/Delving^table]]`" in table
    block = re.search(r"^```statblock\n(.*?)^```$", notes["Adversary/Callous Golem.md"], re.M | re.S)
    assert block and 'layout: "te_forge srd-core"' in block[1] and 'stamina: "5"' in block[1]


def test_the_layout_is_one_for_the_plug_in(notes: dict[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Held against the types that the plug-in publishes: they name each sort of block and what it takes."""
    node_packages(monkeypatch)
    packages = Path(os.environ["TE_FORGE_NODE"]) / "node_modules"
    types = packages / "@javalent/fantasy-statblocks/dist/api.d.ts"
    if not types.is_file() or not (packages / "typescript").is_dir():
        absent("fantasy-statblocks or typescript", "`npm install --prefix tests`")
    (tmp_path / "api.d.ts").write_text(types.read_text(encoding="utf-8") + "\nexport { Layout };\n", encoding="utf-8")

    def compiled(layout: str) -> subprocess.CompletedProcess[str]:
        (tmp_path / "layout.ts").write_text(f'import type {{ Layout }} from "./api";\nexport const layout: Layout = {layout};\n', encoding="utf-8")
        words = [
            "node",
            str(packages / "typescript/bin/tsc"),
            "--noEmit",
            "--strict",
            "--skipLibCheck",
            "--target",
            "es2022",
            "--module",
            "es2022",
            "--moduleResolution",
            "bundler",
            "layout.ts",
        ]
        return subprocess.run(words, cwd=tmp_path, capture_output=True, text=True)

    layout = notes["Stat block layout.json"]
    done = compiled(layout)
    assert done.returncode == 0, done.stdout
    assert "headline" in compiled(layout.replace('"heading"', '"headline"')).stdout
    keys = {key for block in json.loads(layout)["blocks"] for key in block["properties"]}
    assert {"name", "rules", "power", "dread", "stamina"} <= keys


def test_ids_are_hashes_that_stay(notes: dict[str, str]) -> None:
    """A new name is another note, of the same id: a search for the id finds what has become of it."""
    head = re.search(r'te_id: "(.*)"\nte_hash: "(.*)"', notes["Table/Delving.md"])
    assert head and head.groups() == ("srd-core:table/delving", "PdJNfUubQUreauOb")


def test_settings_of_obsidian_outlive_a_second_export(tmp_path: Path) -> None:
    out = tmp_path / "out"
    export(ObsidianVault(), as_played("tension-board"), out, {})
    (out / ".obsidian").mkdir()
    (out / ".obsidian/app.json").write_text("{}", encoding="utf-8")
    export(ObsidianVault(), as_played("tension-board"), out, {})
    assert (out / ".obsidian/app.json").read_text(encoding="utf-8") == "{}"


@pytest.mark.parametrize(
    ("name", "note"),
    [
        ("Ace", "Ace"),
        ("a/b: c", "a b c"),
        ("con", "con note"),
        ("..", "x"),
        ("What?", "What"),
        ("[x]|#^", "x"),
        ("x" * 100, "x" * 80),
        ("龍の息", "龍の息"),
    ],
)
def test_a_name_makes_a_note_that_every_system_takes(name: str, note: str) -> None:
    assert fitting(name).startswith(note)


def link(id: str, text: str) -> str:
    return f"[[{id}|{text}]]"


@pytest.mark.parametrize(
    ("text", "out"),
    [
        ("*one* **two** `three`", "*one* **two** `three`"),
        ("* a\n* b\n  * c", "- a\n- b\n  - c"),
        ("3. a\n4. b", "3. a\n4. b"),
        ("# A\n### B", "## A\n\n### B"),
        ("> a\n> b", "> a\n> b"),
        ("```dataviewjs\nalert(1)\n```", "```text\nalert(1)\n```"),
        ("`= this.file` and `$= dv` and `dice: 1d6`", "= this.file and \\$= dv and dice: 1d6"),
        ("<b>x</b> [[A]] #tag ==y== %%z%%", "\\<b\\>x\\</b\\> \\[\\[A\\]\\] \\#tag \\=\\=y\\=\\= \\%\\%z\\%\\%"),
        ("1\\. a\n\n\\- b", "1\\. a\n\n\\- b"),
        ("a  \nb", "a\\\nb"),
        ("![map](assets/map.png)", "map"),
        ("[a](https://x.example/a_b)", "[a](<https://x.example/a_b>)"),
        ("see https://x.example/a_b.", "see <https://x.example/a_b>."),
        ("|a|b|\n|-|-|\n|1|x \\| y|", "| a | b |\n| --- | --- |\n| 1 | x \\| y |"),
        ("&amp;lt;", "&amp;lt;"),
    ],
)
def test_prose_is_written_anew(text: str, out: str) -> None:
    assert MarkdownScribe(link).prose((text,)) == out


def test_what_is_written_reads_as_the_same() -> None:
    """Markdown that was written anew and is written anew once more stays as it is."""
    for pack in PACKS:
        for entry in as_played(pack).entries.values():
            for prose in entry.prose:
                scribe = MarkdownScribe(lambda id, text: escaped(text))
                once = scribe.prose(prose.words)
                assert scribe.prose((once,)) == once


CHECKS: list[Callable[[str], bool]] = [
    lambda text: "\n\n\n" not in text,
    lambda text: text.endswith("\n") and not text.endswith("\n\n"),
    lambda text: text.startswith("---\n"),
]


def test_every_note_is_in_form(notes: dict[str, str]) -> None:
    for path, text in notes.items():
        assert not path.endswith(".md") or all(check(text) for check in CHECKS), path
