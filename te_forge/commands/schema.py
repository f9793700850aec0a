"""`te-forge schema`: what stands in a compiled pack, for programs."""

from __future__ import annotations

import click

from te_forge.cli import say


@click.command("schema")
def command() -> None:
    """Print the JSON Schema of compiled packs (`*.tepack.json`), for editors, validators and makers of types.

    Example: te-forge schema
    """
    from te_forge.compiled.schema import schema

    say(schema().rstrip("\n"))
