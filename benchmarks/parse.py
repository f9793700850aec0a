# ruff: noqa: E402
"""How long reading and checking takes, as ratios: `python benchmarks/parse.py`.

Parsing is `te_forge.syntax.page.read_page` over all files of a generated pack: every line shaped, every rule line parsed to a tree, every mistake
looked for. Against it stands `yaml.load(.., CSafeLoader)` over the same definitions as YAML, where a rule line is one opaque string: YAML is asked to
do less. The first parse of a pack in a process is timed; what is remembered of lines and their patterns is forgotten before each run. Times are CPU
seconds, the best of three, taken in turns. Both sides run as they come: te_forge pauses the collector of circular garbage while it works, YAML does
not.
"""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Callable, Sequence
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


def best(works: Sequence[Callable[[], object]], rounds: int = 3) -> list[float]:
    """The least CPU time of each work in some rounds, from cold caches. All take turns, so that a busy machine is busy for all."""
    found: list[list[float]] = [[] for _ in works]
    for _ in range(rounds):
        for work, times in zip(works, found, strict=True):
            parser.parse.cache_clear()
            parser.plan.cache_clear()
            gc.collect()
            start = cpu()
            work()
            times.append(cpu() - start)
    return [min(times) for times in found]


def main(sizes: list[int]) -> None:
    tables()
    print("parse: read every page; all: read, check, and make the model; yaml: the same content by CSafeLoader; per line: against the first row")
    print(f"{'definitions':>11} {'lines':>8} {'parse/yaml':>11} {'all/yaml':>9} {'all/parse':>10} {'parse per line':>15} {'all per line':>13}")
    base: tuple[float, float] | None = None
    for size in sizes:
        sources = pages(size)
        texts = as_yaml(size)
        lines = sum(len(source.lines) for source in sources)

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

        yaml_time, parse_time, whole_time = best((by_yaml, parse, whole))
        here = (parse_time / lines, whole_time / lines)
        base = base or here
        print(
            f"{size:>11} {lines:>8} {parse_time / yaml_time:>10.2f}x {whole_time / yaml_time:>8.2f}x {whole_time / parse_time:>9.2f}x"
            f" {here[0] / base[0]:>14.2f}x {here[1] / base[1]:>12.2f}x",
            flush=True,
        )


if __name__ == "__main__":
    main([int(size) for size in sys.argv[1:]] or [1000, 4000, 10000, 16000])
