"""`te-forge new`: a pack to start from."""

from __future__ import annotations

from pathlib import Path

import click

from te_forge.cli import say


@click.command()
@click.argument("name")
@click.option("--extends", metavar="PACK", help="Derive the game from this pack, such as srd-core.")
@click.option("--hack", "hacks", multiple=True, metavar="NAME", help="Have a hack of that pack on at once. May be given several times.")
@click.option("--wheel", is_flag=True, help="Add a pyproject.toml, so that the pack can be published as a Python package.")
def command(name: str, extends: str | None, hacks: tuple[str, ...], wheel: bool) -> None:
    """Make a pack to start from, in a folder called NAME. The hacks of the pack that it derives from stand in its pack.yaml, each with a line on what
    it does.

    Example: te-forge new my-game --extends srd-core
    """
    from te_forge.new import NotMade, make

    try:
        written = make(Path(name), extends, hacks, wheel)
    except NotMade as reason:
        raise click.UsageError(str(reason)) from None
    for path in written:
        say(f"wrote {path}")
    say(f"Now try `te-forge check {name}`, then `te-forge serve {name}`.")
