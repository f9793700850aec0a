# ruff: noqa: E402
"""How long exports take: `python benchmarks/export.py`.

A generated pack of small definitions is read once for each size. Then each exporter writes it into memory, and into a folder, three times; the
medians of the CPU seconds count. Into memory, which is the exporter's own work, twice as many entities may take at most two and a half times as long.
A folder of ten thousand notes also takes the system its time, which depends on who else is writing. `verify` is not measured: other people's programs
do that.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path[:0] = [str(ROOT)]

from pack import pages

from te_forge.check import check
from te_forge.export.exporter import MemorySink
from te_forge.export.plugins import OWN, installed
from te_forge.export.run import emitted, export, with_defaults
from te_forge.model.pack import PackInfo
from te_forge.model.system import System
from te_forge.options import at_this_table

SIZES = (2_500, 5_000, 10_000)
MOST = 2.5
GOALS = {"csv": 5.0, "foundry": 30.0, "obsidian": 15.0}
"""CPU seconds for 10,000 entities, on the machine of the first measurement with room for a slower one."""


def generated(count: int) -> System:
    system, found = check(pages(count), PackInfo(id="generated", title="The Book of Things", version="1.0.0"), None)
    assert system is not None, found[:3]
    return at_this_table(system)


def seconds(name: str, system: System, folder: Path) -> tuple[float, float, int]:
    """CPU seconds into memory and into a folder, and the bytes that were written."""
    exporter = installed().named(name)
    begun = time.process_time()
    emitted(exporter, system, MemorySink(), with_defaults(exporter, {}), system)
    emission = time.process_time() - begun
    begun = time.process_time()
    export(exporter, system, folder, {})
    whole = time.process_time() - begun
    return emission, whole, sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("sizes", nargs="*", type=int, default=list(SIZES))
    parser.add_argument("--rounds", type=int, default=3)
    given = parser.parse_args()
    found: dict[tuple[str, int], float] = {}
    whole: dict[tuple[str, int], float] = {}
    for size in given.sizes:
        system = generated(size)
        for name in OWN:
            with tempfile.TemporaryDirectory(prefix="te-export-") as work:
                runs = [seconds(name, system, Path(work) / "out") for _ in range(given.rounds)]
            found[name, size], whole[name, size] = (statistics.median(run[number] for run in runs) for number in (0, 1))
            memory, disk = (", ".join(f"{run[number]:.2f}" for run in runs) for number in (0, 1))
            print(
                f"{name:<9} {len(system.entries):>6} entities: {found[name, size]:6.2f} s ({memory}), with a folder {whole[name, size]:6.2f} s ({disk}), {runs[0][2] / 1e6:.1f} MB",
                flush=True,
            )
    print()
    for name in OWN:
        for small, large in zip(given.sizes, given.sizes[1:], strict=False):
            growth = found[name, large] / found[name, small]
            print(
                f"{name}: {large} against {small}: {growth:.2f}x for {large / small:.1f}x as many{'' if growth <= MOST * large / small / 2 else ' (too much)'}"
            )
        if given.sizes[-1] == SIZES[-1]:
            print(f"{name}: {whole[name, SIZES[-1]]:.2f} s for {SIZES[-1]:,} entities (at most {GOALS[name]:.0f} s)")


if __name__ == "__main__":
    main()
