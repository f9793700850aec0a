# ruff: noqa: E402
"""How long composing takes, against checking what is composed: `python benchmarks/compose.py`.

A generated base (`pack.py`) and a game on it with 20 hacks. For every 5 definitions of the base there are 2 patches, of all sorts: values, numbers
that several hacks change, lines, prose, things that are deleted with a successor, and, now and then, things with another name (all names here begin
with the same word, which makes those dear). Checking is `te_forge.check.check` over the base alone. Times are CPU seconds, the best of three, taken
in turns, with nothing remembered from the run before.
"""

from __future__ import annotations

import sys
from pathlib import Path

sys.path[:0] = [str(Path(__file__).parents[1])]

from pack import name, pages
from parse import INFO, best

from te_forge.check import check
from te_forge.compose import compose
from te_forge.model.pack import PackInfo
from te_forge.model.system import System
from te_forge.source import Source
from te_forge.syntax.grammar import tables

HACKS = 20
GAME = PackInfo(id="game", title="Game", version="1.0.0", requires={"generated": ">=1.0"})


def patch(number: int, hack: int) -> str:
    """What hack `hack` does to definition `number`, one of 400 in a thousand. Every eighth is touched by the next hack as well."""
    thing = name(number)
    match number % 8:
        case 0:
            return f"### changes gear: {thing}\n- Weight: {hack + 1} more\n"
        case 1:
            return f"### changes gear: {thing}\n- Harm: {number * 7 + 2}\n"
        case 2:
            return f"### changes gear: {thing}\n- Bite: after Strike with the owner as the target: the dealer loses {number % 4 + 2} Health\n"
        case 3:
            return f"### changes gear: {thing}\nNumber {{{thing}'s Weight}} is kept in the attic, with [[{name(number + 1)}]].\n"
        case 4:
            return f"### changes gear: {thing}\n- Guard: nothing\n"
        case 5:
            return f"### changes gear: {thing}\n- Ward: after Strike with the owner as the dealer: the owner gains 1 Luck\n"
        case 6 if number % 96 != 6:
            return f"### changes gear: {thing}\n- Harm: 2 times as much\n"
        case 6:
            return f'### renames gear: {thing}\n- To: "Other {thing}"\n'
        case _:
            return f"### deletes gear: {thing}\n- Successor: {name(number - 7)}\n"


def game(count: int) -> list[Source]:
    """The hacks, a file each: 2 patches for every 5 definitions. The first of each 8 things is changed by two hacks."""
    texts = [[f"# Hack {chr(65 + hack)}\n\n## hack: Hack {chr(65 + hack)}\n"] for hack in range(HACKS)]
    wanted = count * 2 // 5
    made = number = 0
    while made < wanted:
        hack = number // 8 % HACKS
        texts[hack].append(patch(number, hack))
        made += 1
        if number % 8 == 0 and made < wanted:
            texts[(hack + 1) % HACKS].append(patch(number, (hack + 1) % HACKS))
            made += 1
        number += 1
    return [Source(f"game/rules/{hack:02}.te", "\n".join(text)) for hack, text in enumerate(texts)]


def made(sources: list[Source], info: PackInfo, base: System | None = None) -> System:
    system, found = check(sources, info, base)
    errors = [one for one in found if one.severity == "error"]
    assert system is not None and not errors, errors[:3]
    return system


def main(sizes: list[int]) -> None:
    tables()
    print("check: the base alone; compose: the game on it; per definition: against the first row")
    print(f"{'definitions':>11} {'patches':>8} {'compose/check':>14} {'check per definition':>21} {'compose per definition':>23}")
    first: tuple[float, float] | None = None
    for size in sizes:
        sources = pages(size)
        system = made(game(size), GAME, made(sources, INFO))
        on = [entry.id for entry in system.of_kind("hack")]
        patches = sum(len(system.entries[id].patches) for id in on)

        def checked(sources: list[Source] = sources) -> None:
            made(sources, INFO)

        def composed(system: System = system, on: list[str] = on) -> None:
            done = compose(system, on)
            wrong = [one for one in done.diagnostics if one.severity == "error"]
            assert not wrong, wrong[:3]

        check_time, compose_time = best((checked, composed))
        here = (check_time / size, compose_time / size)
        first = first or here
        print(f"{size:>11} {patches:>8} {compose_time / check_time:>13.2f}x {here[0] / first[0]:>20.2f}x {here[1] / first[1]:>22.2f}x", flush=True)


if __name__ == "__main__":
    main([int(size) for size in sys.argv[1:]] or [1250, 5000, 20_000])
