"""The cache folder: where it lies, that nothing in it can stop a command, and that nothing is left lying about in it."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import NoReturn

import pytest
from test_kept import WRONG, pack

from te_forge.cache import ABANDONED, Kept, cache_folder, nothing_kept

pwd = pytest.importorskip("pwd", reason="pipes, and users without a home, are a matter of Unix")
ROOT = Path(__file__).parents[1]
AS_NOBODY = """
import os, runpy, sys
os.setreuid(54321, 0)
sys.argv = ["te-forge", "check", "dusk"]
runpy.run_module("te_forge", run_name="__main__", alter_sys=True)
"""
FILE = Kept("thing-*.json", "1", 1000, 2)


def told(root: Path, *words: str) -> tuple[int, str]:
    """What a command of its own process says, in the folder beside the pack."""
    done = subprocess.run(
        [sys.executable, "-m", "te_forge", *words],
        cwd=root.parent,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    return done.returncode, done.stdout


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tmp_path / "cache/te-forge"


# ---------------------------------------------------------------- where it lies


def test_it_lies_where_the_user_keeps_such_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "own"))
    assert cache_folder() == tmp_path / "own/te-forge"
    for named in ("", "own", "./own", "~/own"):
        monkeypatch.setenv("XDG_CACHE_HOME", named)
        assert cache_folder() == tmp_path / ".cache/te-forge"
    monkeypatch.delenv("XDG_CACHE_HOME")
    assert cache_folder() == tmp_path / ".cache/te-forge"


@pytest.mark.parametrize("home", ["", "home", "."])
def test_a_home_that_is_no_place_is_none(home: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", "own")
    monkeypatch.setenv("HOME", home)
    assert cache_folder() is None


def test_who_has_no_home_keeps_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def nobody(_: int) -> NoReturn:
        raise KeyError

    monkeypatch.delenv("XDG_CACHE_HOME")
    monkeypatch.delenv("HOME", raising=False)
    monkeypatch.setattr(pwd, "getpwuid", nobody)
    assert cache_folder() is None
    FILE.write("hash", b"body")
    assert FILE.read() == (b"", b"")


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can become somebody else")
def test_commands_of_a_user_without_a_home(tmp_path: Path, cache: Path) -> None:
    root = pack(tmp_path / "dusk", WRONG)
    env = {name: value for name, value in os.environ.items() if name not in ("HOME", "XDG_CACHE_HOME")} | {"PYTHONPATH": str(ROOT)}
    done = subprocess.run([sys.executable, "-c", AS_NOBODY], cwd=tmp_path, env=env, capture_output=True, text=True, timeout=120, check=False)
    assert (done.returncode, done.stdout) == told(root, "check", "dusk"), done.stderr


# ---------------------------------------------------------------- --no-cache


@pytest.mark.parametrize("words", [("--no-cache", "check", "dusk"), ("check", "--no-cache", "dusk"), ("--no-cache", "check", "-v", "dusk")])
def test_no_cache_leaves_the_folder_alone(words: tuple[str, ...], tmp_path: Path, cache: Path) -> None:
    root = pack(tmp_path / "dusk", WRONG)
    expected = told(root, *words)
    assert not cache.parent.exists()
    told(root, "check", "dusk")
    before = {file: file.write_bytes(b"harmed") for file in cache.iterdir()}
    assert len(before) == 2
    assert told(root, *words) == expected
    assert {file: file.read_bytes() for file in cache.iterdir()} == dict.fromkeys(before, b"harmed")


def test_it_is_used_again_after_that(cache: Path) -> None:
    with nothing_kept():
        FILE.write("hash", b"body")
        assert not cache.exists()
    FILE.write("hash", b"body")
    assert FILE.read() == (b"hash", b"body")
    with nothing_kept():
        assert FILE.read() == (b"", b"")


# ---------------------------------------------------------------- what lies in the place of a file


def a_folder(file: Path) -> None:
    file.mkdir()


def a_pipe(file: Path) -> None:
    os.mkfifo(file)


def a_circle(file: Path) -> None:
    file.symlink_to(file)


def endless(file: Path) -> None:
    file.symlink_to("/dev/zero")


@pytest.mark.parametrize("put", [a_folder, a_pipe, a_circle, endless])
def test_whatever_lies_there_stops_nobody(put: Callable[[Path], None], tmp_path: Path, cache: Path) -> None:
    root = pack(tmp_path / "dusk", WRONG)
    expected = told(root, "check", "dusk")
    names = {file.name for file in cache.iterdir()}
    for name in names:
        (cache / name).unlink()
        put(cache / name)
    for _ in range(2):
        assert told(root, "check", "dusk") == expected
        assert {file.name for file in cache.iterdir()} == names
    assert all(file.is_file() for file in cache.iterdir()) is (put is not a_folder)


def test_what_is_too_large_is_neither_written_nor_read(cache: Path) -> None:
    FILE.write("hash", b" " * 1001)
    assert not cache.exists()
    FILE.write("hash", b" " * 1000)
    (file,) = cache.iterdir()
    file.write_bytes(b" " * 2001)
    assert FILE.read() == (b"", b"")


# ---------------------------------------------------------------- what is left lying about


def test_what_a_killed_run_has_left_is_swept(cache: Path) -> None:
    cache.mkdir(parents=True)
    old, young = cache / "tmpabandoned", cache / "tmpunfinished"
    for file, age in ((old, ABANDONED + 60), (young, ABANDONED - 60)):
        file.write_bytes(b"half a file")
        os.utime(file, (time.time() - age,) * 2)
    FILE.write("hash", b"body")
    assert {file.name for file in cache.iterdir()} == {"tmpunfinished", "thing-1.json"}


def test_the_latest_stay(cache: Path) -> None:
    for age, key in enumerate("abcd"):
        file = FILE._replace(key=key)
        file.write("hash", b"body")
        assert file.path is not None
        os.utime(file.path, (1000 + age,) * 2)
    FILE.write("hash", b"body")
    assert {file.name for file in cache.iterdir()} == {"thing-d.json", "thing-1.json"}


def test_a_folder_among_the_oldest_is_passed_over(cache: Path) -> None:
    for key in "ab":
        (cache / f"thing-{key}.json").mkdir(parents=True)
        os.utime(cache / f"thing-{key}.json", (10, 10))
    (cache / "thing-c.json").write_bytes(b"")
    os.utime(cache / "thing-c.json", (5, 5))
    FILE.write("hash", b"body")
    assert {file.name for file in cache.iterdir()} == {"thing-a.json", "thing-b.json", "thing-1.json"}
