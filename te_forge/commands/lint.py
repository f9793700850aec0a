"""`te-forge lint`: what is wrong with a compiled pack."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from te_forge.cli import FINDINGS, as_read_here, progress, say, tell


@click.command("lint")
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--format", "format_", type=click.Choice(["text", "json", "sarif"]), default="text", help="How to print what is found.")
@click.option("--seal", is_flag=True, help="Write the hash of the file anew, after a change that is meant.")
def command(file: Path, format_: str, seal: bool) -> None:
    """Find what is wrong with a compiled pack, also what its schema cannot see: ids of nothing, two things with one id, gaps in tables, unknown
    licenses, texts that are missing, a hash that does not fit.

    Example: te-forge lint my-game.tepack.json
    """
    from te_forge import __version__
    from te_forge.compiled.file import sealed
    from te_forge.diagnostics import Findings, has_errors, tidy
    from te_forge.files import write_whole
    from te_forge.linted import linted
    from te_forge.nearby import no_file
    from te_forge.packs import Loaded
    from te_forge.report import as_json, as_sarif, summary
    from te_forge.whereabouts import shipped

    if not file.is_file():
        pack = file.is_dir() or str(file) in shipped()
        raise click.UsageError(
            f"{file} is a pack and not yet compiled; `te-forge check {file}` finds what is wrong with it"
            if pack
            else f"{no_file(file)}; `te-forge compile PACK` makes one"
        )
    file = file.resolve()
    if seal:
        raw = file.read_bytes()
        if sealed(raw) != raw:
            write_whole(file, sealed(raw))
            say(f"wrote the hash of {file.name} anew", err=True)
    findings = Findings()
    with progress(f"looking through {file.name}"):
        source = linted(file, findings)
    shown = f"{file.parent.name}/{file.name}"
    loaded = Loaded(None, tidy(findings), file, {shown: source} if source is not None else {}, {}, {shown: file})
    if format_ == "text":
        tell(loaded, err=False) if findings else say(summary([]))
    else:
        found = as_read_here(loaded)
        say(as_json(found) if format_ == "json" else as_sarif(found, __version__))
    sys.exit(FINDINGS if has_errors(findings) else 0)
