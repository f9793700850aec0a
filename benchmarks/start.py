"""Cold starts of the whole process, as ratios of CPU time: `python benchmarks/start.py`. Each runs eleven times, in turns; the median counts.

A first run of each is not counted: it writes the bytecode, as every installation does, and into a cache folder of its own the tables of the grammar,
what `check` has found, and the pack as it was loaded. What it costs to check or to count out a pack anew, as after a change, and an unchanged one again
are measured apart.
"""

from __future__ import annotations

import os
import resource
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parents[1]
ODDS = ["Check", "--who", "Ann: a character with Athletics 2", "actor=Ann", "skill=Athletics", "class=Physical", "difficulty=10", "risk=5"]
PAIRS = (
    ("te-forge --help", ["-m", "te_forge", "--help"], "import click", 1.5),
    ("te-forge check srd-core, anew", ["-m", "te_forge", "check", "srd-core"], "import lark, pydantic", 3.0),
    ("te-forge check srd-core, unchanged", ["-m", "te_forge", "check", "srd-core"], "import lark, pydantic", 3.0),
    ("te-forge odds vdp, anew", ["-m", "te_forge", "odds", "vdp", *ODDS], "import lark, pydantic", 7.0),
    ("te-forge odds vdp, unchanged", ["-m", "te_forge", "odds", "vdp", *ODDS], "import lark, pydantic", 3.0),
)


WITH_BYTECODE = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}


def cost(arguments: list[str], caches: Path, anew: bool = False) -> float:
    for kept in [*caches.glob("te-forge/check-*"), *caches.glob("te-forge/pack-*")] if anew else ():
        kept.unlink()
    environment = WITH_BYTECODE | {"XDG_CACHE_HOME": str(caches)}
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.executable, *arguments], cwd=ROOT, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as name:
        caches = Path(name)
        for title, command, imports, most in PAIRS:
            runs = [(cost(command, caches, "anew" in title), cost(["-c", imports], caches)) for _ in range(12)][1:]
            ours, theirs = (statistics.median(side) for side in zip(*runs, strict=True))
            print(f'{title:34} {ours / theirs:5.2f}x of `python -c "{imports}"` (at most {most}x)')
