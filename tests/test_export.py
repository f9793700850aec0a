"""Exporters as plug-ins: what they owe, what they may not do, and what the commands say."""

from __future__ import annotations

import gc
import json
import re
import sys
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

import pytest
from beginnings import as_played, as_written, run
from render_sample import hostile
from tools import PACKS, node_packages

from te_forge.check import check
from te_forge.export import Exporter, Fate, MemorySink, Option, Sink, Verdict
from te_forge.export.exporter import SORTS, NotExported, entities, report, sort_of
from te_forge.export.plugins import GROUP, OWN, installed
from te_forge.export.run import LICENSE, REPORT, emitted, export, verify, with_defaults
from te_forge.model.pack import PackInfo
from te_forge.model.system import System
from te_forge.options import at_this_table
from te_forge.source import Source


@pytest.fixture(scope="module")
def srd() -> System:
    return as_played("srd-core")


# ---------------------------------------------------------------- what every exporter owes


@pytest.mark.parametrize("name", OWN)
@pytest.mark.parametrize("pack", PACKS)
def test_every_entity_has_a_fate_and_the_bytes_are_the_same_each_time(pack: str, name: str) -> None:
    system = as_played(pack)
    exporter = installed().named(name)
    one, other = MemorySink(), MemorySink()
    told = emitted(exporter, system, one, with_defaults(exporter, {}), system)
    assert {fate.id for fate in told.fates} == set(entities(system)) and sum(told.counts.values()) == len(told.fates)
    assert all(fate.reason for fate in told.fates if fate.level != "full")
    emitted(exporter, system, other, with_defaults(exporter, {}), system)
    assert one.files == other.files


@pytest.mark.parametrize("name", OWN)
def test_every_export_carries_license_and_attribution(name: str, srd: System) -> None:
    sink = MemorySink()
    exporter = installed().named(name)
    emitted(exporter, srd, sink, with_defaults(exporter, {}), srd)
    notice = srd.pack.sources[0].attribution
    assert notice and notice in sink.files[LICENSE].decode()
    words = re.findall(r"\w+", notice)
    shown = [re.findall(r"\w+", raw.decode("utf-8", "replace")) for path, raw in sink.files.items() if path != LICENSE]
    assert any(" ".join(words) in " ".join(text) for text in shown), "it also stands where the target shows it"


@pytest.mark.parametrize("name", OWN)
def test_capabilities_are_true(name: str) -> None:
    """What an exporter says that it holds whole is never dropped, and what it says that it does not hold is."""
    exporter = installed().named(name)
    for system in map(as_played, PACKS):
        sorts = {entry.id: sort_of(entry, system) for entry in system.entries.values()} | {chapter.id: "chapter" for chapter in system.chapters}
        for fate in emitted(exporter, system, MemorySink(), with_defaults(exporter, {}), system).fates:
            extent = exporter.capabilities[sorts[fate.id]]
            assert (extent == "none") == (fate.level == "dropped"), fate


@pytest.mark.parametrize("name", OWN)
def test_a_game_that_means_harm_is_only_text(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Scripts, tags, formulas and paths for names: the export is whole, and the target's own tools find nothing wrong with it."""
    node_packages(monkeypatch)
    exporter = installed().named(name)
    made = export(exporter, hostile(), tmp_path / "out", {})
    assert made.report.counts["full"] > 50 and [path.name for path in tmp_path.iterdir()] == ["out"]
    assert [(one.what, one.complaints) for one in verify(exporter, tmp_path / "out") if one.outcome != "passed"] == []


DICE = """# Dice

## table: Weather

| d6     | row  | text       |
|--------|------|------------|
| 1, 5-6 | Rain | It rains.  |
| 2-4    | Sun  | It shines. |

## table: Roads

| d66         | text    |
|-------------|---------|
| 1-3;1-6     | Mud.    |
| 4;1-6       | Stones. |
| 5-6;1-3     | Dust.   |
| 5-6;4-6     | Ice.    |
"""


@pytest.mark.parametrize("name", OWN)
def test_a_row_may_be_for_several_ranges(name: str, tmp_path: Path) -> None:
    system, found = check([Source("dice.te", DICE)], PackInfo(id="dice", title="Dice", version="1.0.0"), None)
    assert system is not None and not [one for one in found if one.severity == "error"], found
    export(installed().named(name), at_this_table(system), tmp_path / "out", {})
    own = verify(installed().named(name), tmp_path / "out")[0]
    assert (own.outcome, own.complaints) == ("passed", ())
    text = "".join(path.read_text(encoding="utf-8", errors="replace") for path in (tmp_path / "out").rglob("*") if path.is_file())
    assert {
        "csv": "1,1,5 to 6,Rain,It rains.",
        "obsidian": "| 1 | Rain | It rains. |\n| 5-6 | Rain | It rains. |",
        "foundry": '"weight":2,"range":[5,6]',
    }[name] in text


# ---------------------------------------------------------------- a plug-in of somebody else


class Names(Exporter):
    """The smallest exporter there can be."""

    id, title, targets, capabilities = "names", "Names", ("1",), dict.fromkeys(SORTS, "full")
    options = (Option("end", "\n", "what stands behind a name"),)

    def emit(self, system: System, sink: Sink, options: Mapping[str, str]) -> Iterable[Fate]:
        sink.text("names.txt", "".join(entry.name + options["end"] for entry in system.entries.values()))
        return [Fate(id, "full") for id in entities(system)]

    def verify(self, folder: Path) -> Iterator[Verdict]:
        yield Verdict("names", "not verified", "nobody has a tool for it")


def test_the_collector_is_still_while_an_export_is_made() -> None:
    """It would look through all that an export keeps again and again, and twice as many things would take more than twice as long."""
    collected: list[bool] = []

    class Watching(Names):
        def emit(self, system: System, sink: Sink, options: Mapping[str, str]) -> Iterable[Fate]:
            collected.append(gc.isenabled())
            return super().emit(system, sink, options)

    emitted(Watching(), as_played(PACKS[0]), MemorySink(), {"end": ""}, as_played(PACKS[0]))
    assert collected == [False] and gc.isenabled()


def plugins(folder: Path, monkeypatch: pytest.MonkeyPatch, source: str, **points: str) -> None:
    """Install a package of somebody's with these entry points."""
    (folder / "somebody.py").write_text(source, encoding="utf-8")
    info = folder / "somebody-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: somebody\nVersion: 1.0\n", encoding="utf-8")
    (info / "entry_points.txt").write_text(
        f"[{GROUP}]\n" + "".join(f"{name} = somebody:{value}\n" for name, value in points.items()), encoding="utf-8"
    )
    monkeypatch.syspath_prepend(str(folder))
    monkeypatch.delitem(sys.modules, "somebody", raising=False)
    installed.cache_clear()
    monkeypatch.setattr(
        "te_forge.export.plugins.entry_points",
        lambda group: [one for one in __import__("importlib.metadata").metadata.Distribution.at(info).entry_points if one.group == group],
    )


SOURCE = (
    "from te_forge.export import Exporter, Fate\nfrom te_forge.export.exporter import SORTS, entities\n"
    "class Good(Exporter):\n    id, title, targets, capabilities = 'good', 'Good', ('1',), dict.fromkeys(SORTS, 'full')\n"
    "    def emit(self, system, sink, options):\n        sink.text('a.txt', 'a')\n        return [Fate(id, 'full') for id in entities(system)]\n"
    "    def verify(self, folder):\n        return []\n"
    "class Bad(Good):\n    id = 'bad'\n    def emit(self, system, sink, options):\n        raise RuntimeError('no ink left')\n    def verify(self, folder):\n        raise RuntimeError('no eyes')\n"
    "class Sly(Good):\n    id = 'sly'\n    def emit(self, system, sink, options):\n        return super().emit(system, sink, options)[1:]\n"
    "class Other(Good):\n    id = 'csv'\n"
    "class Vague(Good):\n    id = 'vague'\n    capabilities = {}\n"
    "class Ends(Good):\n    id = 'ends'\n    def emit(self, system, sink, options):\n        raise SystemExit(0)\n    def verify(self, folder):\n        raise SystemExit(0)\n"
    "class Half(Good):\n    id = 'half'\n    def verify(self, folder):\n        return ['fine']\n"
    "class Never(Good):\n    id = 'never'\n    def __init__(self):\n        raise SystemExit(0)\n"
    "class Loose(Good):\n    id, options = 'loose', ('end',)\n"
    "class Numbered(Good):\n    id, targets = 'numbered', 3\n"
    "class Untitled(Good):\n    id, title = 'untitled', None\n"
    "class Unmapped(Good):\n    id, capabilities = 'unmapped', None\n"
    "number = 5\n"
)


MISSTATED = {"never": "Never", "loose": "Loose", "numbered": "Numbered", "untitled": "Untitled", "unmapped": "Unmapped"}


@pytest.fixture
def somebody(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    plugins(
        tmp_path_factory.mktemp("lib"),
        monkeypatch,
        SOURCE,
        good="Good",
        bad="Bad",
        sly="Sly",
        csv="Other",
        vague="Vague",
        number="number",
        gone="Gone",
        ends="Ends",
        half="Half",
        **MISSTATED,
    )
    yield
    installed.cache_clear()


def test_a_plug_in_is_found_and_one_that_is_none_is_named(somebody: None) -> None:
    shelf = installed()
    assert set(shelf.exporters) == {*OWN, "good", "bad", "sly", "ends", "half"}
    assert "is no Exporter" in shelf.broken["number"] and "capabilities" in shelf.broken["vague"] and "Gone" in shelf.broken["gone"]
    assert shelf.broken["csv of somebody:Other"] == "another exporter is called `csv` too"
    result = run("export", "--list")
    assert result.exit_code == 1 and "good: Good" in result.output and "number: cannot be used" in result.output


def test_one_that_raises_is_named_and_the_others_go_on(somebody: None, here: Path) -> None:
    result = run("export", "night-ferry", "--to", "bad", "--to", "good", "--to", "sly", "--to", "gone", "-o", "out")
    assert result.exit_code == 2
    assert "the exporter `bad` failed: RuntimeError: no ink left" in result.output
    assert "the exporter `sly` failed: ValueError: it does not say what became of" in result.output
    assert "the exporter `gone` cannot be used" in result.output
    assert sorted(path.name for path in (here / "out").iterdir()) == ["good"]
    assert "Traceback" not in result.output


def test_a_verify_that_raises_has_failed(somebody: None, here: Path) -> None:
    (here / "folder").mkdir()
    result = run("verify", "folder", "--as", "bad")
    assert result.exit_code == 1 and result.output == "failed: export (the exporter `bad`)\n  RuntimeError: no eyes\n"
    result = run("verify", "folder", "--as", "good")
    assert result.exit_code == 1 and result.output == "not verified: the exporter `good` has no checks\n", "who checks nothing has verified nothing"
    result = run("verify", "folder", "--as", "half")
    assert result.exit_code == 1 and "verify gave str, which is no Verdict" in result.output


def test_one_that_ends_the_program_has_failed_and_is_named(somebody: None, here: Path) -> None:
    result = run("export", "night-ferry", "--to", "ends", "--to", "good", "-o", "out")
    assert result.exit_code == 2 and "the exporter `ends` failed: SystemExit" in result.output and (here / "out" / "good").is_dir()
    (here / "folder").mkdir()
    result = run("verify", "folder", "--as", "ends")
    assert result.exit_code == 1 and "failed: export (the exporter `ends`)" in result.output


@pytest.mark.parametrize(
    ("name", "says"), [("never", "SystemExit"), ("loose", "options"), ("numbered", "targets"), ("untitled", "title"), ("unmapped", "capabilities")]
)
def test_one_that_says_nonsense_of_itself_is_named(name: str, says: str, somebody: None, here: Path) -> None:
    assert says in installed().broken[name]
    result = run("export", "night-ferry", "--to", name, "-o", "out")
    assert result.exit_code == 2 and f"the exporter `{name}` cannot be used" in result.output and not (here / "out").exists()


# ---------------------------------------------------------------- the loss report


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (lambda fates: fates[1:], "it does not say what became of"),
        (lambda fates: [*fates, fates[0]], "it says twice what became of"),
        (lambda fates: [*fates, Fate("a:skill/none", "full")], "which is not in the game"),
        (lambda fates: [Fate(fates[0].id, "dropped"), *fates[1:]], "it does not say why"),
    ],
)
def test_a_report_that_is_not_whole_is_refused(change: object, says: str, srd: System) -> None:
    assert callable(change)
    with pytest.raises(ValueError, match=says):
        report(change([Fate(id, "full") for id in entities(srd)]), srd)


def test_what_is_not_on_is_in_the_report(tmp_path: Path) -> None:
    made = export(Names(), as_played("srd-core"), tmp_path / "out", {}, as_written("srd-core"))
    assert {fate.id for fate in made.report.fates} == set(entities(as_written("srd-core")))
    levels = {fate.id: (fate.level, "not on" in fate.reason) for fate in made.report.fates}
    assert levels["srd-core:hack/morale"] == ("degraded", True)
    assert levels["srd-core:pool/morale"] == ("dropped", True)
    data = json.loads((tmp_path / "out" / REPORT).read_text(encoding="utf-8"))
    assert sum(data["counts"].values()) == len(data["entities"]) == len(set(entities(as_written("srd-core"))))


# ---------------------------------------------------------------- folders


def test_what_a_hack_takes_away_is_told_as_that(tmp_path: Path) -> None:
    text = """# Game

## kind: hero
- Is: an actor

## procedure: Nap
- Roles: a hero as the sleeper

1. Sleep.
   - Say: the sleeper says "ah"

## example: Sleeping
- Ann: a hero
1. She sleeps.
   - do Nap with Ann as the sleeper

## hack: Awake
### deletes procedure: Nap

## hack: Asleep
### procedure: Snore
- Roles: a hero as the sleeper

1. Sleep.
   - Say: the sleeper says "oh"
"""
    system, found = check([Source("game.te", text)], PackInfo(id="game", title="Game", version="1.0.0", hacks=("Awake",)), None)
    assert system is not None and not [one for one in found if one.severity == "error"]
    made = export(installed().named("obsidian"), at_this_table(system), tmp_path / "out", {}, system)
    reasons = {fate.id.partition("/")[2]: fate.reason for fate in made.report.fates if fate.level == "dropped"}
    assert {id: reason.startswith("a hack that is on takes it away") for id, reason in reasons.items()} == {
        "nap": True,
        "sleeping": True,
        "snore": False,
    }


def test_a_second_export_replaces_the_first_and_nothing_else(srd: System, tmp_path: Path) -> None:
    out = tmp_path / "out"
    export(Names(), srd, out, {})
    first = sorted(path.name for path in out.iterdir())
    export(Names(), srd, out, {"end": ";"})
    assert sorted(path.name for path in out.iterdir()) == first == [".te-forge-names", LICENSE, REPORT, "names.txt"]
    assert ";" in (out / "names.txt").read_text(encoding="utf-8")
    assert [path.name for path in tmp_path.iterdir()] == ["out"]


@pytest.mark.parametrize("name", ["mine.txt", "names.txt"])
def test_somebodys_work_is_never_replaced(name: str, srd: System, tmp_path: Path) -> None:
    out = tmp_path / "out"
    export(Names(), srd, out, {})
    (out / name).write_text("mine", encoding="utf-8")
    with pytest.raises(NotExported, match=name):
        export(Names(), srd, out, {})
    assert (out / name).read_text(encoding="utf-8") == "mine"


def test_the_folder_of_another_exporter_or_of_a_book_is_refused(here: Path) -> None:
    assert run("new", "my-game").exit_code == 0
    assert run("build", "my-game", "-o", "out").exit_code == 0
    result = run("export", "my-game", "--to", "csv", "-o", "out")
    assert result.exit_code == 2 and "was not made by te-forge" in result.output
    assert (here / "out/index.html").is_file()


def test_a_failed_export_leaves_the_old_one(somebody: None, srd: System, tmp_path: Path) -> None:
    out = tmp_path / "out"
    export(installed().named("good"), srd, out, {})
    with pytest.raises(NotExported):
        export(installed().named("sly"), srd, tmp_path / "new", {})
    assert not (tmp_path / "new").exists()
    assert (out / "a.txt").is_file()


@pytest.mark.parametrize("path", ["../a", "/a", "a//b", "a\\b", "c:a", "", "a/.", " a", "x" * 200])
def test_a_sink_takes_no_path_that_leads_out(path: str) -> None:
    with pytest.raises(ValueError, match="is no path"):
        MemorySink().text(path, "")


def test_a_sink_takes_no_path_twice() -> None:
    sink = MemorySink()
    sink.text("a/B.txt", "")
    with pytest.raises(ValueError, match="twice"):
        sink.text("A/b.txt", "")


# ---------------------------------------------------------------- the commands


def test_a_wrong_option_or_name_gets_the_nearest(here: Path) -> None:
    assert "did you mean `csv`?" in run("export", "srd-core", "--to", "csvs", "-o", "out").output
    assert "has no option `x`" in run("export", "srd-core", "--to", "csv", "-o", "out", "--set", "x=1").output
    assert (
        "has no option `cor`; did you mean `core`? There are core, id"
        in run("export", "srd-core", "--to", "foundry", "-o", "out", "--set", "cor=1").output
    )
    assert "has no option `x`; there are none" in run("export", "srd-core", "--to", "csv", "-o", "out", "--set", "x=1").output
    assert (
        "there is no exporter `obsidan`; did you mean `obsidian`? There are csv, foundry, obsidian"
        in run("export", "srd-core", "--to", "obsidan", "-o", "out").output
    )
    assert "write --set NAME=VALUE" in run("export", "srd-core", "--to", "csv", "-o", "out", "--set", "x").output
    assert "say what to export to" in run("export", "srd-core").output
    assert not (here / "out").exists()


def test_verify_knows_what_made_a_folder_or_says_so(here: Path) -> None:
    (here / "folder").mkdir()
    assert "is no export that is known here" in run("verify", "folder").output
    assert "say what it is (`--as NAME`" in run("verify", "folder").output
    assert "there is no folder" in run("verify", "none", "--as", "csv").output
    assert "there is no folder none" in run("verify", "none").output
    (here / "file").write_text("no folder", encoding="utf-8")
    assert "file is a file; give the folder" in run("verify", "file").output


def test_verify_finds_the_exports_below_a_folder(here: Path) -> None:
    assert run("export", "srd-core", "--to", "csv", "--to", "obsidian", "-o", "both").exit_code == 0
    said = run("verify", "both")
    assert said.exit_code == 2
    assert f"verify {Path('both/csv')} and {Path('both/obsidian')}" in said.output


def test_a_pack_that_owes_an_attribution_is_not_exported(here: Path) -> None:
    assert run("new", "my-game", "--extends", "srd-core").exit_code == 0
    head = here / "my-game/pack.yaml"
    text = head.read_text(encoding="utf-8")
    head.write_text(text[: text.index("sources:")], encoding="utf-8")
    result = run("export", "my-game", "--to", "csv", "-o", "out")
    assert result.exit_code == 1 and "missing-attribution" in result.output and not (here / "out").exists()
