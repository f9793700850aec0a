"""`te-forge fmt`: the pages of a pack in their one form."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from te_forge.cli import FINDINGS, PACK, from_here, has_pages, opened, progress, say, stopped_by, told

if TYPE_CHECKING:
    from te_forge.packs import Loaded


@click.command()
@PACK
@click.option("--check", "only", is_flag=True, help="Change nothing; say which pages are not in form.")
@click.option("--align", is_flag=True, help="Also set the cells of tables below one another.")
def command(pack: str, only: bool, align: bool) -> None:
    """Write the pages of a pack in their one form. Pages with lines that cannot be read are left alone.

    Example: te-forge fmt my-game
    """
    from te_forge.files import rewrite
    from te_forge.syntax.format import format_page

    with progress(f"reading {pack}"):
        loaded = opened(pack)
    if loaded.system is None and told(loaded):
        sys.exit(stopped_by(loaded))
    has_pages(loaded, "to be put in form")
    names = from_here(loaded)
    changed = 0
    for shown, source in sorted(loaded.sources.items()):
        if not shown.endswith(".te"):
            continue
        text = format_page(source.text, align)
        if text != source.text:
            changed += 1
            say(f"{'would change' if only else 'changed'} {names.get(shown, shown)}")
            if not only:
                rewrite(loaded.places[shown], source, text)
    broken = broken_pages(loaded)
    for shown in broken:
        say(f"left alone, since it {'has mistakes' if shown in loaded.sources else 'cannot be read'}: {names.get(shown, shown)}", err=True)
    if not changed and not broken:
        say("every page is in form")
    sys.exit(FINDINGS if broken or (only and changed) else 0)


def broken_pages(loaded: Loaded) -> list[str]:
    """The pages that formatting leaves alone, because a line of theirs does not read, or because they are no text."""
    from te_forge.diagnostics import Findings, has_errors
    from te_forge.syntax.page import read_page

    broken = []
    for shown, source in sorted(loaded.sources.items()):
        if shown.endswith(".te"):
            read_page(source, findings := Findings())
            broken += [shown] if has_errors(findings) else []
    unread = {one.span.file for one in loaded.diagnostics if one.severity == "error"} - set(loaded.sources)
    return broken + sorted(file for file in unread if file.endswith(".te"))
