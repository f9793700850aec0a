"""`te-forge character`: make one by the pack's own steps, hold one against the rules, print a sheet."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from te_forge.cli import FINDINGS, STOPPED, in_words, progress, say
from te_forge.commands.people import load, read, show, sound_system
from te_forge.options import at_this_table, table_options

if TYPE_CHECKING:
    from te_forge.characters.character import Character
    from te_forge.characters.roster import Maker, Roster
    from te_forge.model.system import System
    from te_forge.tried import Tried

FILE = click.argument("file", type=click.Path(path_type=Path))
WHERE = click.option("--pack", help="Where the rules are, if not beside the file and not shipped: the folder of a pack.")
PART = ".part"


@click.group("character")
def command() -> None:
    """Make a character by a pack's own steps, check one, or print a sheet.

    Example: te-forge character new srd-core
    """


# ---------------------------------------------------------------- new


@command.command()
@click.argument("pack", required=False)
@click.option("-o", "--output", type=click.Path(dir_okay=False, path_type=Path), help="The file to write; by default called after the character.")
@click.option("--name", help="The name of the character.")
@click.option("--kind", help="The kind of actor, where a pack says of several how they are made.")
@click.option("--seed", type=click.IntRange(0, 999_999_999), help="Ask nobody: dice and choices from this number, always the same.")
@click.option("--policy", help="Ask nobody: who chooses. One of plain, spend, last, lowest, random.")
@table_options
@click.option("--resume", type=click.Path(path_type=Path), help="Go on with a making that was stopped: its file.")
def new(
    pack: str | None, output: Path | None, name: str | None, kind: str | None, seed: int | None, policy: str | None, tried: Tried, resume: Path | None
) -> None:
    """Make a character step by step, as the rules of PACK say.

    Every answer is kept as it is given: stop with Ctrl-C, and go on later with --resume.

    Example: te-forge character new srd-core -o ann.yaml
    """
    from te_forge.engine.policies import unknown

    if resume is not None:
        go_on(resume, pack, output)
        return
    if pack is None:
        raise click.UsageError("which rules? Give a pack, such as: te-forge character new srd-core")
    if policy is not None and (why := unknown(policy)):
        raise click.UsageError(why)
    refuse_existing(output)
    roster, maker = maker_of(at_this_table(sound_system(pack, tried)), kind)
    if name is not None:
        check_name(name)
    if seed is not None or policy is not None:
        by_policy(roster, maker, blank(roster, name or "Somebody", seed, tried), policy or "random", output)
    else:
        talk(roster, maker, name, output, tried)


def split(rulings: tuple[str, ...]) -> dict[str, str]:
    """`--ruling NAME=READING` as pairs."""
    return {name.strip(): reading.strip() for name, _, reading in (one.partition("=") for one in rulings)}


def maker_of(system: System, kind: str | None) -> tuple[Roster, Maker]:
    """Who is made, and how; the pack says both."""
    from te_forge.characters.roster import Roster, made_kinds
    from te_forge.engine.index import Rules
    from te_forge.suggest import a, among

    rules = Rules(system)
    kinds = list(made_kinds(rules))
    if not kinds:
        raise click.UsageError(f"{system.pack.id} does not say how anybody is made; below the kind of actor, write `- Made By:` and the procedure")
    if kind is None and len(kinds) > 1:
        raise click.UsageError(f"{system.pack.id} says how several kinds are made; choose one with --kind: {', '.join(kinds)}")
    if kind is not None and kind not in kinds:
        raise click.UsageError(f"{system.pack.id} does not say how {a(kind)} is made{among(kind, kinds)}")
    roster = Roster(rules, kind or kinds[0])
    assert roster.maker is not None
    return roster, roster.maker


def blank(roster: Roster, name: str, seed: int | None, tried: Tried) -> Character:
    from te_forge.characters.character import Character

    pack = roster.rules.system.pack
    return Character(name, pack.id, pack.version, roster.kind, seed=seed, rulings=split(tried.rulings), hacks=tried.hacks, without=tried.without)


def check_name(name: str) -> str:
    from te_forge.engine.people import bad_name
    from te_forge.keys import fold

    name = fold(name)
    if not name or (reason := bad_name(name)):
        raise click.UsageError(reason if name else "a name is needed")
    return name


def refuse_existing(output: Path | None) -> None:
    if output is None:
        return
    if output.exists():
        raise click.UsageError(f"{output} is there already, and is left as it is; choose another file with -o")
    if part_of(output).exists():
        raise click.UsageError(f"{part_of(output)} holds a making that was begun; go on with: te-forge character new --resume {output}")


def part_of(output: Path) -> Path:
    return output.with_name(output.name + PART)


def write(path: Path, text: str) -> None:
    from te_forge.files import write_whole

    try:
        write_whole(path, text.encode("utf-8"))
    except OSError as error:
        raise click.UsageError(f"{path} cannot be written: {in_words(error)}") from None


def by_policy(roster: Roster, maker: Maker, start: Character, policy: str, output: Path | None) -> None:
    from te_forge.characters.making import finished, make
    from te_forge.characters.policies import decide_by, left_open
    from te_forge.characters.writing import as_yaml

    run = make(roster, maker, start.name, decide_by(policy, start.seed or 0))
    if run.failure:
        raise click.UsageError(f"nobody can be made like this: {run.failure}")
    text = as_yaml(left_open(finished(run, start), roster), roster)
    if output is None:
        say(text.rstrip("\n"))
    else:
        write(output, text)
        say(f"wrote {output}")


# ---------------------------------------------------------------- the talk


def talk(roster: Roster, maker: Maker, name: str | None, output: Path | None, tried: Tried) -> None:
    import secrets

    say(f"{roster.rules.system.pack.title}: {maker.procedure.name}")
    if name is None:
        name = asked_name()
    output = output or default_file(name)
    refuse_existing(output)
    converse(roster, maker, blank(roster, name, secrets.randbelow(1_000_000), tried), output, None)


def asked_name() -> str:
    while True:
        try:
            return check_name(line_of("  Name: "))
        except click.UsageError as error:
            say(f"  {error.message}")


def default_file(name: str) -> Path:
    from te_forge.keys import slug

    return Path(f"{slug(name)}.yaml")


def line_of(prompt: str) -> str:
    """One line of a person. The end of the input is a stop, as Ctrl-C is."""
    text = click.prompt(prompt, default="", show_default=False, prompt_suffix="")
    return str(text)


def converse(roster: Roster, maker: Maker, start: Character, output: Path, before: Character | None) -> None:
    from te_forge.characters.dialog import Dialog
    from te_forge.characters.making import BadAnswer
    from te_forge.characters.writing import as_yaml

    part = part_of(output)
    dialog = Dialog(roster, maker, start, line_of, say, lambda so_far: write(part, as_yaml(so_far, roster)))
    for lost in dialog.resume(before) if before is not None else ():
        say(lost)
    if before is None:
        write(part, as_yaml(dialog.so_far(), roster))
    try:
        made = dialog.run()
    except BadAnswer as bad:
        raise click.UsageError(f"the rules cannot be followed to the end: {bad}") from None
    except (click.Abort, KeyboardInterrupt):
        say(f"\nStopped. Nothing is lost; go on with: te-forge character new --resume {output}", err=True)
        sys.exit(STOPPED)
    if output.exists():
        raise click.UsageError(
            f"{output} was made in the meantime, and is left as it is; go on with: te-forge character new --resume {part} -o another.yaml"
        )
    write(output, as_yaml(made_without_seed(made), roster))
    part.unlink(missing_ok=True)
    say(f"\n{made.name} is made. The file is {output}; see the sheet with: te-forge character sheet {output}")


def made_without_seed(character: Character) -> Character:
    """The dice stand among the answers; how they were thrown is of no use any more."""
    from dataclasses import replace

    return replace(character, seed=None)


def go_on(file: Path, pack: str | None, output: Path | None) -> None:
    """Resume: `file` is the part file, or the file that was to be written."""
    from te_forge.suggest import a

    part = file if file.name.endswith(PART) or not part_of(file).exists() else part_of(file)
    character, roster = read(part, pack)
    if character.finished:
        raise click.UsageError(f"{part} is finished; there is nothing to go on with")
    if roster.maker is None:
        raise click.UsageError(f"{roster.rules.system.pack.id} does not say how {a(roster.kind)} is made any more")
    target = output or (part.with_name(part.name.removesuffix(PART)) if part.name.endswith(PART) else part.with_name(part.stem + "-made.yaml"))
    if target.exists():
        raise click.UsageError(f"{target} is there already, and is left as it is; choose another file with -o")
    if part != part_of(target):
        if part_of(target).exists():
            raise click.UsageError(f"{part_of(target)} holds another making that was begun; choose another file with -o")
        write(part_of(target), part.read_text(encoding="utf-8"))
    say(f"{roster.rules.system.pack.title}: {roster.maker.procedure.name}, for {character.name}")
    converse(roster, roster.maker, blank(roster, character.name, character.seed, character.tried), target, character)
    if part != part_of(target):
        part.unlink(missing_ok=True)


# ---------------------------------------------------------------- check and sheet


@command.command()
@FILE
@WHERE
def check(file: Path, pack: str | None) -> None:
    """Name every rule that a character breaks, with the line that breaks it.

    A character with the answers of its making is taken through them again. For one that was written by hand, te-forge looks for a way to make it.

    Example: te-forge character check ann.yaml
    """
    from te_forge.characters.checking import check_character
    from te_forge.diagnostics import has_errors

    character, system, said = load(file, pack)
    if character is not None:
        with progress(f"checking {file}"):
            said = [*said, *check_character(character, system)]
    show(file, said, err=False)
    if not said:
        say("no mistakes found")
    sys.exit(FINDINGS if has_errors(said) else 0)


@command.command()
@FILE
@WHERE
@click.option("--html", is_flag=True, help="As a page for the browser and the printer.")
@click.option("-o", "--output", type=click.Path(dir_okay=False, path_type=Path), help="The file to write.")
def sheet(file: Path, pack: str | None, html: bool, output: Path | None) -> None:
    """Print a character's sheet, as text or as a page that prints on one side.

    Example: te-forge character sheet ann.yaml --html -o ann.html
    """
    from dataclasses import asdict

    from te_forge.characters.sheet import as_text, sheet_of

    character, roster = read(file, pack)
    made = sheet_of(character, roster)
    if html:
        from te_forge.render.sheet import as_html

        text = as_html(asdict(made))
    else:
        text = as_text(made)
    if output is None:
        say(text.rstrip("\n"))
        return
    if output.exists() and not replaceable(output, file, html):
        raise click.UsageError(f"{output} is there already and is no sheet; choose another file with -o")
    write(output, text)
    say(f"wrote {output}")


def replaceable(output: Path, file: Path, html: bool) -> bool:
    """A sheet that was printed before may be printed again; nothing else is overwritten."""
    if not html or output.resolve() == file.resolve():
        return False
    from te_forge.render.sheet import MARK

    with output.open("rb") as old:
        return MARK.encode() in old.read(1000)
