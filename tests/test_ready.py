"""Packs that are kept as they were loaded: the same pack to the last value, whatever happens to the cache, and never an old one."""

from __future__ import annotations

import io
import os
import pickle
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from test_kept import SOUND, SVG, WRONG, aged, changed_page, cut_short, emptied, nonsense, pack, same_size
from test_kill import killed

import te_forge.kept
import te_forge.packs
import te_forge.ready
from te_forge.cli import cli
from te_forge.packs import Loaded
from te_forge.ready import Opener, ready, system_in
from te_forge.tried import Tried

NOTHING = Tried()
WARNED = SOUND + "\n## kind: tool\n- Is: an entry\n\n## hack: Rush\nAll is quick.\n\n### changes rule: Rest\nNobody rests.\n"
DICE = """# Dice

## kind: hero
- Is: an actor

## procedure: Throw
A throw of a die.
- Roles: a hero as the one
- Outcomes: High, Low

1. Throw.
   - Roll: the one rolls 1 d6 as the roll
   - High: if sum of the roll is at least 4: end with High
   - Low: end with Low

## hack: Harder
Only a 6 will do.

### changes procedure: Throw
- Throw:
  - High: if sum of the roll is 6: end with High
"""
ODDS = ("Throw", "one=Ann", "--who", "Ann: a hero")


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tmp_path / "cache/te-forge"


@pytest.fixture
def only_kept(monkeypatch: pytest.MonkeyPatch) -> Callable[..., Any]:
    """Does something where no pack can be loaded."""

    def fails(*_: object) -> None:
        raise AssertionError("the pack was read again")

    def kept(work: Callable[[], Any]) -> Any:
        with monkeypatch.context() as patch:
            patch.setattr(te_forge.packs, "load", fails)
            return work()

    return kept


def read_again(root: Path, monkeypatch: pytest.MonkeyPatch, tried: Tried = NOTHING) -> bool:
    """Whether a pack is really loaded. It is the same pack in any case."""
    calls: list[object] = []
    load = te_forge.packs.load

    def counted(*words: object) -> Loaded:
        calls.append(words)
        return load(*words)  # type: ignore[arg-type]

    with monkeypatch.context() as patch:
        patch.setattr(te_forge.packs, "load", counted)
        found = ready(str(root), tried)
    assert found == load(str(root), tried)
    return bool(calls)


def run(*words: str) -> tuple[int, str, str]:
    done = CliRunner().invoke(cli, words)
    assert done.exception is None or isinstance(done.exception, SystemExit)
    return done.exit_code, done.stdout, done.stderr


# ---------------------------------------------------------------- the same pack


@pytest.mark.parametrize("name", te_forge.whereabouts.shipped())
def test_a_shipped_pack_is_kept_whole(name: str, cache: Path, only_kept: Callable[..., Any]) -> None:
    loaded = te_forge.packs.load(name)
    assert ready(name, NOTHING) == loaded
    known = only_kept(lambda: ready(name, NOTHING))
    assert known == loaded
    assert list(known.system.entries) == list(loaded.system.entries)
    assert [file.name[:5] for file in cache.iterdir()].count("pack-") == 1


def test_pictures_pages_and_warnings_are_kept(tmp_path: Path, cache: Path, only_kept: Callable[..., Any]) -> None:
    root = pack(tmp_path / "dusk", WARNED + "![the sun](assets/sun.svg)\n")
    (root / "assets").mkdir()
    (root / "assets/sun.svg").write_text(SVG, encoding="utf-8")
    loaded = ready(str(root), NOTHING)
    known = only_kept(lambda: ready(str(root), NOTHING))
    assert known == loaded == te_forge.packs.load(str(root))
    assert known.assets and known.diagnostics and len(known.sources) == 2


def test_what_is_tried_is_put_on_a_clean_pack(cache: Path, only_kept: Callable[..., Any]) -> None:
    ready("srd-core", NOTHING)
    for tried in (Tried(hacks=("Party Skill", "Keep For Points")), Tried(rulings=("environment-tie=the-world-holds",))):
        expected = te_forge.packs.load("srd-core", tried)
        assert only_kept(lambda tried=tried: ready("srd-core", tried)) == expected


def test_with_warnings_what_is_tried_is_loaded(tmp_path: Path, cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = pack(tmp_path / "dusk", WARNED)
    ready(str(root), NOTHING)
    assert not read_again(root, monkeypatch)
    assert read_again(root, monkeypatch, Tried(hacks=("Rush",)))


def test_commands_print_the_same_bytes(tmp_path: Path, cache: Path, only_kept: Callable[..., Any]) -> None:
    root = str(pack(tmp_path / "dusk", DICE))
    for more in ((), ("--format", "json"), ("--hack", "Harder"), ("--hack", "Nobody")):
        words = ("odds", root, *ODDS, *more)
        expected = run("--no-cache", *words)
        assert not list(cache.glob("pack-*"))
        run("odds", root, *ODDS)
        assert only_kept(lambda words=words: run(*words)) == expected
        shutil.rmtree(cache)


def test_warnings_are_named_again(tmp_path: Path, cache: Path, only_kept: Callable[..., Any]) -> None:
    root = str(pack(tmp_path / "dusk", DICE + "\n## kind: tool\n- Is: an entry\n"))
    first = run("odds", root, *ODDS)
    assert first[0] == 0 and "1 warning" in first[2]
    assert only_kept(lambda: run("odds", root, *ODDS)) == first


def test_a_pack_with_mistakes_is_not_kept(tmp_path: Path, cache: Path) -> None:
    root = pack(tmp_path / "dusk", WRONG)
    assert run("odds", str(root), *ODDS) == run("--no-cache", "odds", str(root), *ODDS)
    assert not list(cache.glob("pack-*"))


def test_no_cache_neither_looks_nor_keeps(tmp_path: Path, cache: Path) -> None:
    root = str(pack(tmp_path / "dusk", DICE))
    run("--no-cache", "odds", root, *ODDS)
    run("--no-cache", "check", "-v", root)
    run("check", "--no-cache", "-v", root)
    assert not cache.exists()
    run("odds", root, *ODDS)
    (file,) = cache.glob("pack-*")
    before = file.stat().st_mtime_ns
    emptied(file)
    run("--no-cache", "odds", root, *ODDS)
    assert not file.read_bytes() and file.stat().st_mtime_ns >= before


# ---------------------------------------------------------------- never an old one


@pytest.mark.parametrize("change", [changed_page, same_size])
def test_whatever_changes_is_seen(change: Callable[[Path], None], tmp_path: Path, cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = pack(tmp_path / "dusk")
    ready(str(root), NOTHING)
    change(root)
    assert read_again(root, monkeypatch)


def test_a_required_pack_counts(tmp_path: Path, cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    low = pack(tmp_path / "low")
    high = pack(tmp_path / "high", "# H\n\n## rule: Dream\nSee [[Rest]].\n", more="requires:\n  low: '>=1.0'\n")
    aged(low, high)
    ready(str(high), NOTHING)
    assert not read_again(high, monkeypatch)
    (low / "rules/one.te").write_text(SOUND.replace("rests", "sleeps"), encoding="utf-8")
    assert read_again(high, monkeypatch)


def test_another_te_forge_looks_anew(tmp_path: Path, cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = pack(tmp_path / "dusk")
    ready(str(root), NOTHING)
    monkeypatch.setattr(te_forge.kept, "stamp", lambda: b"another one")
    assert read_again(root, monkeypatch)


def test_a_page_that_is_saved_meanwhile_is_not_lost(tmp_path: Path, cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = pack(tmp_path / "dusk")
    load = te_forge.packs.load

    def slow(*words: object) -> Loaded:
        found = load(*words)  # type: ignore[arg-type]
        (root / "rules/one.te").write_text(SOUND.replace("rests", "sleeps"), encoding="utf-8")
        return found

    with monkeypatch.context() as patch:
        patch.setattr(te_forge.packs, "load", slow)
        ready(str(root), NOTHING)
    assert read_again(root, monkeypatch)


# ---------------------------------------------------------------- whatever happens to the cache


def one_byte(file: Path) -> None:
    words = bytearray(file.read_bytes())
    words[-40] ^= 1
    file.write_bytes(words)


def one_line(file: Path) -> None:
    file.write_bytes(b"\n".join(file.read_bytes().split(b"\n", 2)[:2]))


def huge(file: Path) -> None:
    file.write_bytes(file.read_bytes() + b" " * 2 * te_forge.ready.MOST_BYTES)


@pytest.mark.parametrize("harm", [emptied, cut_short, nonsense, one_byte, one_line, huge])
def test_a_harmed_cache_is_no_cache(harm: Callable[[Path], None], tmp_path: Path, cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = pack(tmp_path / "dusk")
    ready(str(root), NOTHING)
    (file,) = cache.glob("pack-*")
    harm(file)
    assert read_again(root, monkeypatch)
    assert not read_again(root, monkeypatch)


def test_killed_while_it_keeps_a_pack(tmp_path: Path, cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = pack(tmp_path / "dusk")
    step = 1
    while killed(lambda: ready(str(root), NOTHING), step):
        again = read_again(root, monkeypatch)
        assert again or list(cache.glob("pack-*"))
        for file in cache.glob("pack-*"):
            file.unlink()
        step += 1
    assert step > 3
    assert not read_again(root, monkeypatch)


class Evil:
    def __reduce__(self) -> tuple[Any, ...]:
        return os.mkdir, ("evil",)


@pytest.mark.parametrize("words", [pickle.dumps(Evil()), pickle.dumps(Path("/")), pickle.dumps(("no", "system")), b"cos\nsystem\n(S'true'\ntR."])
def test_nothing_but_a_system_comes_out_of_a_file(words: bytes, tmp_path: Path, cache: Path, here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Even where the hash above it is right."""
    root = pack(tmp_path / "dusk")
    with pytest.raises(pickle.UnpicklingError):
        system_in(words)
    drawer = te_forge.kept.Drawer(root, "pack-*.pickle", te_forge.ready.MOST_BYTES, te_forge.ready.MOST_PACKS)
    drawer.put([], {"findings": [], "places": {}, "sources": [], "assets": {}}, words)
    assert drawer.taken() is not None
    assert read_again(root, monkeypatch)
    assert not (here / "evil").exists()


@pytest.mark.parametrize(
    ("module", "name"),
    [("te_forge.model.system", "replace"), ("te_forge.frozen", "type_of"), ("te_forge.frozen", "eval"), ("te_forge.source", "Source")],
)
def test_functions_are_no_classes_of_the_model(module: str, name: str) -> None:
    with pytest.raises(pickle.UnpicklingError):
        Opener(io.BytesIO()).find_class(module, name)


def test_old_packs_make_room(tmp_path: Path, cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(te_forge.ready, "MOST_PACKS", 2)
    roots = [pack(tmp_path / f"dusk-{name}") for name in "abc"]
    for age, root in enumerate(roots):
        ready(str(root), NOTHING)
        for file in cache.glob("pack-*"):
            if file.stat().st_mtime > 1_000_000:
                os.utime(file, (age, age))
    assert not read_again(roots[-1], monkeypatch)
    assert read_again(roots[0], monkeypatch)
    assert len(list(cache.glob("pack-*"))) == 2


def test_a_very_large_pack_is_not_kept(tmp_path: Path, cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(te_forge.ready, "MOST_BYTES", 100)
    root = pack(tmp_path / "dusk")
    ready(str(root), NOTHING)
    assert read_again(root, monkeypatch)
