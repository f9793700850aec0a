# ruff: noqa: E402
"""What a compiled pack costs: `python benchmarks/compiled.py [SIZE]...`.

First srd-core: loading the compiled file, against loading its folder (at least 5 times faster), and against `json.load` of the same file (at most 4
times as long). Then the same in fresh processes, whose first compiled pack makes the functions that read one (at least 5 times faster, too). Loading
reads the file, checks its hash, makes the model and sees to it that everything that is named is there. At last generated packs: compiling and loading
them, and how both grow per entry. Times are CPU seconds, the best of some rounds, taken in turns and from cold caches; what Python itself has loaded
by then counts for nobody. Both sides run as they come: te_forge pauses the collector of circular garbage while it works, `json` does not.
"""

from __future__ import annotations

import gc
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path

sys.path[:0] = [str(Path(__file__).parents[1])]

from pack import pages
from parse import INFO

from te_forge.check import check
from te_forge.compiled.write import compiled
from te_forge.packs import load
from te_forge.syntax import parser

Work = Callable[[], object]
FIRST = """
import sys, time
import te_forge.compiled.load, te_forge.compiled.file
from te_forge.packs import load
start = time.process_time()
assert load(sys.argv[1]).system
print(time.process_time() - start)
"""
LEAST_FASTER, MOST_OF_JSON, MOST_GROWTH = 5.0, 4.0, 1.5


def best(works: Sequence[Work], rounds: int) -> list[float]:
    """The least CPU time of each work, as in parse.py, but to the microsecond: some take a hundredth of a second."""
    found: list[list[float]] = [[] for _ in works]
    for _ in range(rounds):
        for work, times in zip(works, found, strict=True):
            parser.parse.cache_clear()
            parser.plan.cache_clear()
            gc.collect()
            start = time.process_time()
            work()
            times.append(time.process_time() - start)
    return [min(times) for times in found]


def first(pack: str, rounds: int = 5) -> float:
    """The least CPU time of the first load in a fresh process, without what Python itself takes to load the modules."""
    root = Path(__file__).parents[1]
    return min(
        float(subprocess.run([sys.executable, "-c", FIRST, pack], cwd=root, capture_output=True, text=True, check=True).stdout) for _ in range(rounds)
    )


def srd_core(folder: Path) -> bool:
    """Whether the bounds hold."""
    system = load("srd-core").system
    assert system is not None
    path = folder / "srd-core.tepack.json"
    path.write_bytes(compiled(system))

    def by_json() -> object:
        with path.open(encoding="utf-8") as file:
            return json.load(file)

    folder_time, file_time, json_time = best((lambda: load("srd-core"), lambda: load(str(path)), by_json), 9)
    faster, of_json = folder_time / file_time, file_time / json_time
    print(
        f"srd-core, {path.stat().st_size / 1e6:.2f} MB: folder {folder_time * 1000:.0f} ms, compiled {file_time * 1000:.0f} ms, json.load {json_time * 1000:.0f} ms"
    )
    print(f"  {faster:.1f} times faster than the folder (at least {LEAST_FASTER:g}); {of_json:.2f} times json.load (at most {MOST_OF_JSON:g})")
    folder_first, file_first = first("srd-core"), first(str(path))
    print(
        f"  first in a process: folder {folder_first * 1000:.0f} ms, compiled {file_first * 1000:.0f} ms, {folder_first / file_first:.1f} times faster (at least {LEAST_FASTER:g})"
    )
    return min(faster, folder_first / file_first) >= LEAST_FASTER and of_json <= MOST_OF_JSON


def generated(sizes: Sequence[int], folder: Path) -> bool:
    """Whether a large pack costs per entry what a small one does."""
    print(f"{'entries':>8} {'MB':>6} {'compile':>9} {'load':>8} {'compile per entry':>18} {'load per entry':>15}")
    path = folder / "generated.tepack.json"
    first: tuple[float, float] | None = None
    growth = 1.0
    for size in sizes:
        system, _ = check(pages(size), INFO)
        assert system is not None
        path.write_bytes(compiled(system))
        works: list[Work] = [lambda system=system: compiled(system), lambda: load(str(path))]  # type: ignore[misc]
        compile_time, load_time = best(works, 2)
        here = (compile_time / size, load_time / size)
        first = first or here
        growth = max(here[0] / first[0], here[1] / first[1])
        print(
            f"{size:>8} {path.stat().st_size / 1e6:>6.1f} {compile_time:>7.2f} s {load_time:>6.2f} s {here[0] / first[0]:>17.2f}x {here[1] / first[1]:>14.2f}x",
            flush=True,
        )
    return growth <= MOST_GROWTH


def main(sizes: list[int]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        held = [srd_core(Path(folder)), generated(sizes, Path(folder))]
    sys.exit(0 if all(held) else 1)


if __name__ == "__main__":
    main([int(size) for size in sys.argv[1:]] or [1000, 4000, 10000])
