# ruff: noqa: E402
"""How long reading and checking takes, as ratios: `python benchmarks/parse.py`.

Parsing is `te_forge.syntax.page.read_page` over all files of a generated pack: every line shaped, every rule line parsed to a tree, every mistake looked for.
Against it stands `yaml.load(.., CSafeLoader)` over the same definitions as YAML, where a rule line is one opaque string: YAML is asked to do less.
The first parse of a pack in a process is timed; the cache of equal lines is emptied before each run. Times are CPU seconds, the best of three.
"""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Callable
from pathlib import Path

sys.path[:0] = [str(Path(__file__).parents[1])]

import yaml
from pack import as_yaml, pages

from te_forge.check import check
from te_forge.diagnostics import Findings
from te_forge.model.pack import PackInfo
from te_forge.syntax import parser
from te_forge.syntax.grammar import tables
from te_forge.syntax.page import read_page

INFO = PackInfo(id="generated", title="Generated", version="1.0.0")


def cpu() -> float:
    times = os.times()
    return times.user + times.system


def best(work: Callable[[], object], rounds: int = 3) -> float:
    """The least CPU time of some rounds, each from cold caches."""
    found = []
    for _ in range(rounds):
        parser.parse.cache_clear()
        parser.plan.cache_clear()
        gc.collect()
        start = cpu()
        work()
        found.append(cpu() - start)
    return min(found)


def main(sizes: list[int]) -> None:
    tables()
    print(f"{'definitions':>11} {'lines':>8} {'parse/yaml':>11} {'all/parse':>10} {'parse per line':>15} {'all per line':>13}   (per line: against the first row)")
    base: tuple[float, float] | None = None
    for size in sizes:
        sources = pages(size)
        texts = as_yaml(size)
        lines = sum(len(source.lines) for source in sources)
        rounds = 3 if size <= 4000 else 1

        def parse(sources: list = sources) -> None:
            findings = Findings()
            for source in sources:
                read_page(source, findings)
            assert not findings, findings[:3]

        def whole(sources: list = sources) -> None:
            _, found = check(sources, INFO)
            errors = [one for one in found if one.severity == "error"]
            assert not errors, errors[:3]

        def by_yaml(texts: list = texts) -> None:
            for text in texts:
                yaml.load(text, Loader=yaml.CSafeLoader)

        yaml_time, parse_time, whole_time = best(by_yaml, rounds), best(parse, rounds), best(whole, rounds)
        here = (parse_time / lines, whole_time / lines)
        base = base or here
        print(
            f"{size:>11} {lines:>8} {parse_time / yaml_time:>10.2f}x {whole_time / parse_time:>9.2f}x {here[0] / base[0]:>14.2f}x {here[1] / base[1]:>12.2f}x",
            flush=True,
        )


if __name__ == "__main__":
    main([int(size) for size in sys.argv[1:]] or [1000, 4000, 10000, 16000])
