"""`te-forge serve`: the book in the browser, made anew whenever a page is saved."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from te_forge.cli import PACK, as_report, in_words, opened, say, stopped_by, told
from te_forge.commands.build import played
from te_forge.options import table_options

if TYPE_CHECKING:
    from te_forge.tried import Tried


@click.command()
@PACK
@click.option("-p", "--port", default=8000, show_default=True, type=click.IntRange(1, 65535), help="The port on this machine.")
@table_options
def command(pack: str, port: int, tried: Tried) -> None:
    """Show the book in the browser, and show it anew whenever a page is saved.

    Example: te-forge serve my-game
    """
    import tempfile

    from te_forge.diagnostics import has_errors
    from te_forge.render.page import BuildError
    from te_forge.render.serve import serve as run
    from te_forge.render.site import build_site

    first = opened(pack, tried)
    if not first.root.exists():
        told(first)
        sys.exit(stopped_by(first))
    with tempfile.TemporaryDirectory(prefix="te-forge-") as folder:
        out = Path(folder) / "book"

        def rebuild() -> tuple[bool, str]:
            loaded, accounts = played(opened(pack, tried), tried)
            text = as_report(loaded) if loaded.diagnostics else ""
            if loaded.system is None or has_errors(loaded.diagnostics):
                return False, text
            try:
                build_site(loaded.system, out, loaded.assets, accounts)
            except BuildError as error:
                return False, f"{text}\n{error}"
            return True, text

        try:
            run(rebuild, [first.root], out, port, say)
        except KeyboardInterrupt:
            say("stopped")
        except OSError as error:
            raise click.UsageError(f"port {port} cannot be used: {in_words(error)}") from None
