"""Programs of other people that the tests of exports need. A missing one is a failure where they are required (`.ci/run`), and a reason to skip
elsewhere.
"""

from __future__ import annotations

import os
import shutil
from importlib.util import find_spec
from pathlib import Path

import pytest

HERE = Path(__file__).parent
PACKS = sorted(path.name for path in (HERE.parent / "systems").iterdir() if path.is_dir())


def absent(what: str, how: str) -> None:
    text = f"{what} is not installed: {how}"
    if os.environ.get("TE_TOOLS") == "required":
        pytest.fail(text)
    pytest.skip(text)


def python_package(name: str) -> None:
    if find_spec(name) is None:
        absent(name, "the tests of exports want `pip install -e '.[dev]'`")


def node_packages(monkeypatch: pytest.MonkeyPatch) -> None:
    """See to it that the packages of tests/package.json are found."""
    folder = Path(os.environ.get("TE_FORGE_NODE") or HERE)
    if shutil.which("node") is None or not (folder / "node_modules").is_dir():
        absent("what tests/package.json names", "the tests of exports want Node.js, and `npm install --prefix tests`")
    monkeypatch.setenv("TE_FORGE_NODE", str(folder))
