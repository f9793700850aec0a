"""`te-forge build`: a pack as a book."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from te_forge.cli import PACK, in_words, opened, progress, say, stopped_by, told
from te_forge.options import table_options

if TYPE_CHECKING:
    from te_forge.packs import Loaded
    from te_forge.render.indexes import Account
    from te_forge.tried import Tried


@click.command()
@PACK
@click.option("-o", "--output", type=click.Path(file_okay=False, path_type=Path), required=True, help="The folder that the book goes to.")
@table_options
def command(pack: str, output: Path, tried: Tried) -> None:
    """Print a pack as a book: a folder of web pages that needs no server.

    Its examples are played first; one that does not come out stops the press.

    Example: te-forge build srd-core -o srd-book
    """
    from te_forge.attribution import before_printing

    with progress(f"building {pack}"):
        loaded = opened(pack, tried)
        loaded, accounts = played(replace(loaded, diagnostics=before_printing(loaded.diagnostics)), tried)
        if loaded.system is not None and not any(one.severity == "error" for one in loaded.diagnostics):
            pages = printed(loaded, output, accounts)
    if told(loaded):
        sys.exit(stopped_by(loaded))
    say(f"The book is ready ({pages} pages). Open {(output / 'index.html').resolve()} in a browser.")


def played(loaded: Loaded, tried: Tried) -> tuple[Loaded, Mapping[str, Account]]:
    """The pack with what its examples have to say for themselves, and what happened in them.

    They speak of the pack as it is. Where something else is tried, those that do not come out are left untold, and the press goes on.
    """
    from te_forge.diagnostics import has_errors
    from te_forge.examples import accounts_of

    if loaded.system is None or has_errors(loaded.diagnostics):
        return loaded, {}
    accounts, found = accounts_of(loaded.system)
    if tried and found:
        say(
            f"{len(found)} example{'s' * (len(found) != 1)} of the pack {'do' if len(found) > 1 else 'does'} not come out with this; `te-forge test` names them",
            err=True,
        )
        return loaded, accounts
    return replace(loaded, diagnostics=[*loaded.diagnostics, *found]), accounts


def printed(loaded: Loaded, output: Path, accounts: Mapping[str, Account]) -> int:
    """Build the book of a sound pack; the number of its pages."""
    from te_forge.render.page import BuildError, OutputRefused
    from te_forge.render.site import build_site

    assert loaded.system is not None
    try:
        files = build_site(loaded.system, output, loaded.assets, accounts)
    except (OutputRefused, BuildError) as refused:
        raise click.UsageError(str(refused)) from None
    except OSError as error:
        raise click.UsageError(f"{output} cannot be written: {in_words(error)}") from None
    return sum(path.endswith(".html") for path in files)
