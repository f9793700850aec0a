"""Cold starts of the whole process, as ratios of CPU time: `python benchmarks/start.py`. Each command runs seven times; the median counts."""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
PAIRS = (
    ("te-forge --help", ["-m", "te_forge", "--help"], "import click", 1.5),
    ("te-forge check srd-core", ["-m", "te_forge", "check", "srd-core"], "import lark, pydantic", 3.0),
)


def cost(arguments: list[str]) -> float:
    found = []
    for _ in range(7):
        before = os.times()
        subprocess.run([sys.executable, *arguments], cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
        after = os.times()
        found.append(after.children_user + after.children_system - before.children_user - before.children_system)
    return statistics.median(found)


if __name__ == "__main__":
    for title, command, imports, most in PAIRS:
        print(f'{title:26} {cost(command) / cost(["-c", imports]):5.2f}x of `python -c "{imports}"` (at most {most}x)')
