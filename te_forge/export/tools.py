"""Programs of other people that check an export. What is not installed has verified nothing, and that is said."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from te_forge.export.exporter import Verdict

SECONDS = 600
MOST_COMPLAINTS = 20
TOOLS = "TE_FORGE_NODE"
"""The variable that says in which folder `node_modules` lies, where it is none of those above the current one."""


def run(words: Sequence[str], folder: Path, **settings: str) -> tuple[int, str]:
    """The exit code and all that a program has said; `settings` are variables of its environment."""
    done = subprocess.run(
        words,
        cwd=folder,
        capture_output=True,
        text=True,
        encoding="utf-8",
        errors="replace",
        timeout=SECONDS,
        check=False,
        env={**os.environ, "NO_COLOR": "1", "PYTHONUTF8": "1", **settings},
    )
    return done.returncode, f"{done.stdout}\n{done.stderr}"


def judged(what: str, tool: str, code: int, text: str) -> Verdict:
    if code == 0:
        return Verdict(what, "passed", tool)
    said = [line.rstrip() for line in text.splitlines() if line.strip()]
    return Verdict(what, "failed", tool, tuple(said[:MOST_COMPLAINTS]) or (f"it ended with the code {code}",))


def python_tool(what: str, name: str, words: Sequence[str], folder: Path) -> Verdict:
    """The verdict of a program that is a Python package."""
    try:
        tool = f"{name} {version(name)}"
    except PackageNotFoundError:
        return Verdict(what, "not verified", f"{name} is not installed; `pip install {name}`")
    return judged(what, tool, *run([sys.executable, "-m", name, *words], folder))


def node_package(name: str) -> Path | None:
    """The folder of an npm package: of the variable, or in this folder or one above it."""
    places = [Path(os.environ[TOOLS])] if os.environ.get(TOOLS) else []
    found = (place / "node_modules" / name for place in (*places, Path.cwd(), *Path.cwd().parents))
    return next((folder.resolve() for folder in found if (folder / "package.json").is_file()), None)


def node_tool(name: str, program: str) -> tuple[str, list[str]] | Verdict:
    """The name with version of a program of an npm package, and the words that begin its command; or that it is missing."""
    node, folder = shutil.which("node"), node_package(name)
    if node is None:
        return Verdict("", "not verified", "Node.js is not installed")
    if folder is None:
        return Verdict("", "not verified", f"{name} is not installed; `npm install {name}`")
    data = json.loads((folder / "package.json").read_text(encoding="utf-8"))
    script = data["bin"] if isinstance(data["bin"], str) else data["bin"][program]
    return f"{name} {data['version']}", [node, str(folder / script)]
