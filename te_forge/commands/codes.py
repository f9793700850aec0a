"""`te-forge codes`: what `check` can report."""

from __future__ import annotations

import click

from te_forge.cli import say


@click.command()
@click.argument("code", required=False)
def command(code: str | None) -> None:
    """List every code that `check` can report, or explain one.

    Example: te-forge codes unknown-name
    """
    from te_forge.codes import CODES, explained
    from te_forge.suggest import did_you_mean

    if code is None:
        wide = max(map(len, CODES))
        for one in sorted(CODES.values(), key=lambda one: one.code):
            say(f"{one.code:<{wide}}  {one.severity:<7}  {one.phrase}")
        return
    if code not in CODES:
        raise click.UsageError(f"there is no code `{code}`{did_you_mean(code, CODES)}")
    say(explained(code))
