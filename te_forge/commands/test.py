"""`te-forge test`: the examples of a pack are played."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

import click

from te_forge.cli import FINDINGS, PACK, from_here, opened, progress, say, stopped_by, told
from te_forge.options import table_options, told_of

if TYPE_CHECKING:
    from te_forge.examples import Result, Table
    from te_forge.packs import Loaded
    from te_forge.tried import Tried


@click.command()
@PACK
@click.option("-k", "names", multiple=True, metavar="NAME", help="Only examples whose name, id or citation contains this.")
@click.option("--coverage", is_flag=True, help="List the definitions that no example has run.")
@table_options
def command(pack: str, names: tuple[str, ...], coverage: bool, tried: Tried) -> None:
    """Play the examples of a pack, and say which do not come out.

    Example: te-forge test srd-core -k "cold lock"
    """
    from te_forge.diagnostics import has_errors
    from te_forge.examples import Table, examples_of
    from te_forge.suggest import did_you_mean

    with progress(f"reading {pack}"):
        loaded = opened(pack, tried)
    if loaded.system is None or has_errors(loaded.diagnostics):
        told(loaded)
        sys.exit(stopped_by(loaded))
    table = Table(loaded.system, bool(tried))
    examples = examples_of(loaded.system, names)
    for line in told_of(loaded.system) if tried else ():
        say(line)
    results = [shown(table.play(example), loaded) for example in examples]
    if not examples:
        near = did_you_mean(names[0], (example.name for example in examples_of(loaded.system))) if names else ""
        say(
            f"no example contains {' or '.join(f'`{name}`' for name in names)}{near}"
            if names
            else "this pack has no examples; `## example: Name` begins one"
        )
    wrong = sum(bool(one.diagnostics) for one in results)
    say(summary(len(examples), wrong, sum(bool(one.left_out) for one in results)))
    if coverage:
        say(covered(table, loaded))
    sys.exit(FINDINGS if wrong or (names and not examples) else 0)


def shown(result: Result, loaded: Loaded) -> Result:
    """Print one line, and below it what is wrong."""
    from te_forge.report import block, renamed

    say(
        f"{'wrong' if result.diagnostics else 'out' if result.left_out else 'ok':<5}  {result.example.name}{f': {result.left_out}' if result.left_out else ''}"
    )
    names = from_here(loaded)
    sources = {names.get(path, path): source for path, source in loaded.sources.items()}
    colour = not os.environ.get("NO_COLOR") and sys.stdout.isatty()
    for one in renamed(result.diagnostics, names):
        say("\n" + block(one, sources, bool(colour)))
    return result


def summary(count: int, wrong: int, left_out: int = 0) -> str:
    right = count - wrong - left_out
    parts = [f"{right} come{'s' * (right == 1)} out"] + ([f"{wrong} do{'es' * (wrong == 1)} not"] if wrong else [])
    parts += [f"{left_out} {'are' if left_out > 1 else 'is'} left out, since their hacks do not go with what is tried"] if left_out else []
    return f"{count} example{'s' * (count != 1)}: {', '.join(parts)}"


def covered(table: Table, loaded: Loaded) -> str:
    """Which definitions no example has run."""
    found = table.unrun()
    if not found:
        return "every definition has been run by an example"
    names = from_here(loaded)
    lines = [f"  {one.sort:<9}  {one.name}  ({names.get(one.span.file, one.span.file)}:{one.span.line})" for one in found]
    return "\n".join([f"{len(found)} definition{'s' * (len(found) != 1)} that no example has run:", *lines])
