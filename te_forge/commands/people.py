"""The file of a character: where it is, the rules that it belongs to, and what is wrong with it, shown."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

import click

from te_forge.cli import FINDINGS, USAGE, opened, progress, say, stopped_by, told_in_short
from te_forge.options import at_this_table

if TYPE_CHECKING:
    from te_forge.characters.character import Character
    from te_forge.characters.roster import Roster
    from te_forge.diagnostics import Diagnostic
    from te_forge.model.system import System
    from te_forge.tried import Tried


def sound_system(pack: str, tried: Tried | None = None) -> System:
    """The rules of a pack; what is wrong with them ends the command."""
    with progress(f"reading {pack}"):
        loaded = opened(pack, tried)
    if told_in_short(loaded, pack) or loaded.system is None:
        sys.exit(stopped_by(loaded))
    return loaded.system


def read(file: Path, pack: str | None) -> tuple[Character, Roster]:
    """The character of a file that must be sound enough to go on with."""
    from te_forge.characters.roster import Roster
    from te_forge.diagnostics import has_errors
    from te_forge.engine.index import Rules

    character, system, said = load(file, pack)
    show(file, said, err=True)
    if character is None or has_errors(said):
        sys.exit(FINDINGS)
    return character, Roster(Rules(system), character.kind)


def load(file: Path, pack: str | None) -> tuple[Character | None, System, list[Diagnostic]]:
    """The character of a file with the rules that it belongs to."""
    from te_forge.characters.reading import at_its_table, belonging, load_character, read_source
    from te_forge.diagnostics import Diagnostic
    from te_forge.nearby import no_file

    if not file.exists():
        raise click.UsageError(no_file(file))
    source, said = read_source(file)
    if source is None:
        show(file, said, err=False)
        sys.exit(FINDINGS)
    wanted = belonging(source)
    named = pack or rules_of(file, wanted.pack)
    if named is None:
        refuse(file, wanted.pack)
    tried = at_its_table(sound_system(named), wanted)
    if isinstance(tried, Diagnostic):
        show(file, [tried], err=False)
        sys.exit(FINDINGS)
    system = at_this_table(tried)
    character, said = load_character(file, system)
    return character, system, said


def refuse(file: Path, pack: str) -> NoReturn:
    """There are no rules to hold the file against: because it does not say which, or because they are not here."""
    from te_forge.characters.reading import WORDING, read_source
    from te_forge.diagnostics import Findings
    from te_forge.safeyaml import read_head
    from te_forge.suggest import did_you_mean
    from te_forge.whereabouts import shipped

    source, _ = read_source(file)
    findings = Findings()
    if source is not None and read_head(source, findings, WORDING) is None:
        show(file, findings, err=False)
        sys.exit(FINDINGS)
    if not pack:
        say(f"{file} does not say which rules it belongs to; add a line `pack: ...`, with the name of the pack", err=True)
        sys.exit(FINDINGS)
    say(f"{file} belongs to the pack `{pack}`, which is not here{did_you_mean(pack, shipped())}; say where it is with --pack FOLDER", err=True)
    sys.exit(USAGE)


def rules_of(file: Path, id: str) -> str | None:
    """Where the pack of a character is: the file lies in it or beside it, or it is in this folder, or te-forge ships it."""
    from te_forge.whereabouts import COMPILED, find, shipped

    if not id or not all(char.isalnum() or char == "-" for char in id):
        return None
    places = [*file.resolve().parents[:3], *(parent / id for parent in file.resolve().parents[:3]), Path(id)]
    for place in places:
        if (place / "pack.yaml").is_file() and place.resolve().name == id:
            return str(place)
        if (compiled := place.parent / f"{id}{COMPILED}").is_file():
            return str(compiled)
    return id if id in shipped() and find(id) is not None else None


def show(file: Path, found: list[Diagnostic], err: bool) -> None:
    """What is wrong, with the lines of the file."""
    import os

    from te_forge.characters.reading import read_source
    from te_forge.report import as_text

    if not found:
        return
    source, _ = read_source(file)
    colour = not os.environ.get("NO_COLOR") and (sys.stderr if err else sys.stdout).isatty()
    say(as_text(found, {source.path: source} if source is not None else {}, colour), err)
