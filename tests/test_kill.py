"""Killed at any moment, te_forge leaves whole files: the old ones or the new ones. What a killed build leaves lying about, the next one takes away."""

from __future__ import annotations

import multiprocessing
import os
import shutil
import signal
import sys
from collections.abc import Callable, Container
from pathlib import Path
from typing import Any

import pytest
from render_sample import sample

from te_forge.cli import cli
from te_forge.new import make
from te_forge.render.site import MARKER, build_site
from te_forge.render.workshop import SIGN, clear_abandoned, workshop

pytestmark = pytest.mark.skipif("fork" not in multiprocessing.get_all_start_methods(), reason="needs fork and kill")
CHANGES = {"os.rename", "os.chmod", "os.mkdir", "os.remove", "os.rmdir", "tempfile.mkstemp", "tempfile.mkdtemp", "shutil.rmtree"}


def killed(work: Callable[[], object], step: int, changes: Container[str] = CHANGES) -> bool:
    """Do `work` in a process of its own that is killed just before its change number `step` to the disk; False when it came to its end before that."""

    def run() -> None:
        left = step

        def watch(event: str, args: tuple[Any, ...]) -> None:
            nonlocal left
            if event in changes or (changes is CHANGES and event == "open" and isinstance(args[2], int) and args[2] & (os.O_WRONLY | os.O_RDWR)):
                left -= 1
                if not left:
                    os.kill(os.getpid(), signal.SIGKILL)

        sys.addaudithook(watch)
        work()

    process = multiprocessing.get_context("fork").Process(target=run)
    process.start()
    process.join(60)
    assert process.exitcode in (0, -signal.SIGKILL)
    return process.exitcode != 0


def texts(folder: Path) -> dict[str, str]:
    """What is in a folder, but for hidden files."""
    found = (path for path in folder.rglob("*") if path.is_file() and not path.name.startswith("."))
    return {path.relative_to(folder).as_posix(): path.read_text(encoding="utf-8") for path in sorted(found)}


def fmt(folder: Path) -> None:
    with pytest.raises(SystemExit) as ended:
        cli.main(["fmt", str(folder)], standalone_mode=False)
    assert ended.value.code == 0


def test_a_killed_fmt_leaves_whole_pages(tmp_path: Path) -> None:
    game = tmp_path / "game"
    make(game)
    for path in (game / "rules").iterdir():
        path.write_text(path.read_text(encoding="utf-8").replace("\n- ", "\n-   "), encoding="utf-8")
    before = texts(game)
    shutil.copytree(game, tmp_path / "formatted")
    fmt(tmp_path / "formatted")
    after = texts(tmp_path / "formatted")
    assert sum(before[path] != after[path] for path in before) == 3
    step = 1
    while killed(lambda: fmt(game), step):
        now = texts(game)
        assert now.keys() == before.keys()
        assert all(now[path] in (before[path], after[path]) for path in now)
        for path, text in before.items():
            (game / path).write_text(text, encoding="utf-8")
        step += 1
    assert step > 4
    assert texts(game) == after


def test_a_killed_new_leaves_whole_files(tmp_path: Path) -> None:
    make(tmp_path / "whole" / "game")
    whole = texts(tmp_path / "whole" / "game")
    step = 1
    while killed(lambda: make(tmp_path / str(step) / "game"), step):  # noqa: B023
        now = texts(tmp_path / str(step) / "game")
        assert now.items() <= whole.items()
        step += 1
    assert step > 2 * len(whole)
    assert texts(tmp_path / str(step) / "game") == whole


def left_behind(folder: Path) -> list[Path]:
    return [path for path in folder.iterdir() if path.name.startswith(".")]


def test_a_killed_build_leaves_a_book_and_the_next_one_clears_up(tmp_path: Path) -> None:
    out = tmp_path / "book"
    build_site(sample(), out, {})
    book = texts(out)
    kills = 0
    for step in (*range(1, 8), *range(8, 200, 5)):
        if not killed(lambda: build_site(sample(), out, {}), step):
            break
        kills += 1
        for left in left_behind(tmp_path):
            os.utime(left, (0, 0))
        clear_abandoned(out)
        assert left_behind(tmp_path) == [], f"killed at {step}, a build left something that nobody takes away"
        assert texts(out) == book
    assert kills > 15
    build_site(sample(), out, {})
    assert texts(out) == book


def test_a_kill_between_the_two_moves_loses_no_book(tmp_path: Path) -> None:
    out = tmp_path / "book"
    build_site(sample(), out, {})
    book = texts(out)
    assert killed(lambda: build_site(sample(), out, {}), 2, {"os.rename"})
    assert not out.exists()
    clear_abandoned(out.with_name("bookshelf"))
    clear_abandoned(out)
    assert texts(out) == book and (out / MARKER).is_file() and left_behind(tmp_path) == []


def test_only_abandoned_folders_of_ours_are_cleared(tmp_path: Path) -> None:
    out = tmp_path / "book"
    build_site(sample(), out, {})
    foreign = tmp_path / ".book.notes.te-forge"
    foreign.mkdir()
    (foreign / "letter.txt").write_text("mine", encoding="utf-8")
    signed = tmp_path / ".book.signed.te-forge"
    signed.mkdir()
    (signed / SIGN).write_text("something else", encoding="utf-8")
    (tmp_path / ".book.link.te-forge").symlink_to(foreign)
    with workshop(tmp_path / "book") as at_work, workshop(tmp_path / "bookshelf") as beside:
        build_site(sample(), out, {})
        assert at_work.is_dir() and beside.is_dir()
    build_site(sample(), out, {})
    assert sorted(path.name for path in left_behind(tmp_path)) == [".book.link.te-forge", ".book.notes.te-forge", ".book.signed.te-forge"]
    assert (foreign / "letter.txt").read_text(encoding="utf-8") == "mine"
