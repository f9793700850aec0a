"""What stands in the environment of a command is of no consequence to it, however odd it is."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from beginnings import run


@pytest.mark.parametrize("day", ["x", "", "-99999999999999999", "1e9", "99999999999999999999"])
def test_a_day_that_is_none_is_no_matter_to_a_book(day: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", day)
    done = run("build", "tests/cases/b02", "-o", str(tmp_path / "book"))
    assert done.exit_code == 0, done.output
    assert os.environ["SOURCE_DATE_EPOCH"] == day


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes with names here")
def test_a_head_that_is_no_file_is_not_asked_to_be_called_as_it_is(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pack.yaml")
    answer = run("check", str(tmp_path))
    assert answer.exit_code == 1
    assert "pack.yaml is there, and is not an ordinary file; put one in its place" in answer.output
