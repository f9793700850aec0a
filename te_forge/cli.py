"""The command line: a thin shell. Heavy parts are imported by the command that needs them, so that help and `check` feel instant."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from te_forge import __version__

if TYPE_CHECKING:
    from te_forge.packs import Loaded

FINDINGS, USAGE = 1, 2
PACK = click.argument("pack", default=".")


@click.group(context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(__version__, prog_name="te-forge")
def cli() -> None:
    """Write the rules of a tabletop game once; check them, and print them as a book.

    PACK is the folder of a pack, or the name of one that te-forge ships (srd-core).
    """


def main() -> None:
    """The entry point: `te-forge` and `python -m te_forge`."""
    try:
        cli(standalone_mode=True)
    except BrokenPipeError:
        sys.stdout = open(os.devnull, "w")  # noqa: PTH123, SIM115 - so that the interpreter's own flush at exit is quiet too
        sys.exit(0)


def opened(pack: str) -> Loaded:
    from te_forge.packs import load

    return load(pack)


def told(loaded: Loaded, err: bool = True) -> bool:
    """Print what is wrong; True when it stops the work."""
    from te_forge.diagnostics import has_errors
    from te_forge.report import as_text

    if loaded.diagnostics:
        colour = "NO_COLOR" not in os.environ and (sys.stderr if err else sys.stdout).isatty()
        click.echo(as_text(loaded.diagnostics, loaded.sources, colour), err=err)
    return has_errors(loaded.diagnostics) or loaded.system is None


@cli.command()
@PACK
@click.option("--format", "format_", type=click.Choice(["text", "json", "sarif"]), default="text", help="How to print what is found.")
def check(pack: str, format_: str) -> None:
    """Find every mistake in a pack, with file, line and what to write instead.

    Example: te-forge check my-game
    """
    from te_forge.diagnostics import has_errors
    from te_forge.report import as_json, as_sarif, summary

    loaded = opened(pack)
    if format_ == "json":
        click.echo(as_json(loaded.diagnostics))
    elif format_ == "sarif":
        click.echo(as_sarif(loaded.diagnostics, __version__))
    elif loaded.diagnostics:
        told(loaded, err=False)
    else:
        click.echo(summary([]))
    sys.exit(FINDINGS if has_errors(loaded.diagnostics) else 0)


@cli.command()
@PACK
@click.option("--check", "only", is_flag=True, help="Change nothing; say which pages are not in form.")
def fmt(pack: str, only: bool) -> None:
    """Write the pages of a pack in their one form. Pages with mistakes are left alone.

    Example: te-forge fmt my-game
    """
    from te_forge.files import rewrite
    from te_forge.syntax.format import format_page

    loaded = opened(pack)
    if loaded.system is None and told(loaded):
        sys.exit(FINDINGS)
    changed = 0
    for shown, source in sorted(loaded.sources.items()):
        if not shown.endswith(".te"):
            continue
        text = format_page(source.text)
        if text != source.text:
            changed += 1
            click.echo(f"{'would change' if only else 'changed'} {shown}")
            if not only:
                rewrite(loaded.places[shown], source, text)
    if not changed:
        click.echo("every page is in form")
    sys.exit(FINDINGS if only and changed else 0)


@cli.command()
@PACK
@click.option("-o", "--output", type=click.Path(file_okay=False, path_type=Path), required=True, help="The folder that the book goes to.")
def build(pack: str, output: Path) -> None:
    """Print a pack as a book: a folder of web pages that needs no server.

    Example: te-forge build srd-core -o book
    """
    from te_forge.render.site import OutputRefused, build_site

    loaded = opened(pack)
    if told(loaded) or loaded.system is None:
        sys.exit(FINDINGS)
    try:
        pages = build_site(loaded.system, output, loaded.assets)
    except OutputRefused as refused:
        raise click.UsageError(str(refused)) from None
    except OSError as error:
        raise click.UsageError(f"{output} cannot be written: {(error.strerror or str(error)).lower()}") from None
    click.echo(f"{len(pages)} pages; open {(output / 'index.html').resolve()}")


@cli.command()
@PACK
@click.option("-p", "--port", default=8000, show_default=True, type=click.IntRange(1, 65535), help="The port on this machine.")
def serve(pack: str, port: int) -> None:
    """Show the book in the browser, and show it anew whenever a page is saved.

    Example: te-forge serve my-game
    """
    import tempfile

    from te_forge.diagnostics import has_errors
    from te_forge.render.serve import serve as run
    from te_forge.render.site import build_site
    from te_forge.report import as_text

    first = opened(pack)
    if first.system is None:
        told(first)
        sys.exit(FINDINGS)
    with tempfile.TemporaryDirectory(prefix="te-forge-") as folder:
        out = Path(folder) / "book"

        def rebuild() -> tuple[bool, str]:
            loaded = opened(pack)
            text = as_text(loaded.diagnostics, loaded.sources) if loaded.diagnostics else ""
            if loaded.system is None or has_errors(loaded.diagnostics):
                return False, text
            build_site(loaded.system, out, loaded.assets)
            return True, text

        try:
            run(rebuild, [first.root], out, port, click.echo)
        except KeyboardInterrupt:
            click.echo("stopped")
        except OSError as error:
            raise click.UsageError(f"port {port} cannot be used: {(error.strerror or str(error)).lower()}") from None


@cli.command()
@click.argument("name")
@click.option("--extends", metavar="PACK", help="Derive the game from this pack, such as srd-core.")
def new(name: str, extends: str | None) -> None:
    """Make a pack to start from, in a folder called NAME.

    Example: te-forge new my-game --extends srd-core
    """
    from te_forge.new import NotMade, make

    try:
        written = make(Path(name), extends)
    except NotMade as reason:
        raise click.UsageError(str(reason)) from None
    for path in written:
        click.echo(f"wrote {path}")
    click.echo(f"now: te-forge check {name}, then: te-forge serve {name}")


@cli.command()
@click.argument("code", required=False)
def codes(code: str | None) -> None:
    """List every code that `check` can report, or explain one.

    Example: te-forge codes unknown-name
    """
    from te_forge.codes import CODES, explained
    from te_forge.suggest import did_you_mean

    if code is None:
        wide = max(map(len, CODES))
        for one in sorted(CODES.values(), key=lambda one: one.code):
            click.echo(f"{one.code:<{wide}}  {one.severity:<7}  {one.phrase}")
        return
    if code not in CODES:
        raise click.UsageError(f"there is no code `{code}`{did_you_mean(code, CODES)}")
    click.echo(explained(code))
