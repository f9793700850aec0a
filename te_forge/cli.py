"""The command line: a thin shell. Heavy parts are imported by the command that needs them, so that help and `check` feel instant."""

from __future__ import annotations

import os
import shlex
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from importlib import import_module
from keyword import iskeyword
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

import click

from te_forge import __version__
from te_forge.collector import collector_paused
from te_forge.options import table_options

if TYPE_CHECKING:
    from te_forge.diagnostics import Diagnostic
    from te_forge.kept import Answer
    from te_forge.packs import Loaded
    from te_forge.tried import Tried

FINDINGS, USAGE, STOPPED = 1, 2, 130
PACK = click.argument("pack", default=".")


LATER: dict[str, str] = {
    "build": "Print a pack as a book: a folder of web pages that needs no server.",
    "character": "Make a character by a pack's own steps, check one, print a sheet.",
    "codes": "List every code that `check` can report, or explain one.",
    "compile": "Write a pack as one JSON file for other tools.",
    "conflicts": "Say which hacks cannot be on together, and why.",
    "diff": "Say in words what is different between two games, or with a hack on.",
    "explain": "Say where a rule comes from, and what has changed it.",
    "export": "Export a game to other tools, and say what they cannot hold.",
    "fmt": "Write the pages of a pack in their one form.",
    "import": "Read tables that were edited in a spreadsheet, as a hack.",
    "lint": "Find what is wrong with a compiled pack.",
    "lock": "Keep what the changes of a pack stand on, and say what has changed there.",
    "new": "Make a pack to start from.",
    "odds": "Count out what a procedure comes to, exactly.",
    "play": "Play a scene in the terminal, by hand or with bots.",
    "replay": "Play a log again: the same game, to the byte.",
    "roll": "Run one procedure once, and print each step of it.",
    "rulings": "List what a pack rules where its text is open, and how each is read.",
    "schema": "Print the JSON Schema of compiled packs.",
    "serve": "Show the book in the browser, anew whenever a page is saved.",
    "test": "Play the examples of a pack, and say which do not come out.",
    "verify": "Check an export with the tools of its target.",
}
"""Commands in modules of their own, by name: what each does. See `te_forge.commands`."""


class Commands(click.Group):
    """Loads a command of `LATER` only when it runs."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted([*super().list_commands(ctx), *LATER])

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in LATER:
            return super().get_command(ctx, cmd_name)
        found = import_module(f"te_forge.commands.{cmd_name}{'_' * iskeyword(cmd_name)}").command
        assert isinstance(found, click.Command)
        return found

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        texts = {name: command.get_short_help_str(60) for name, command in self.commands.items()}
        with formatter.section("Commands"):
            formatter.write_dl(sorted({**texts, **LATER}.items()))


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.option("--no-cache", is_flag=True, help="Neither read nor write what te-forge keeps between runs.")
@click.version_option(__version__, prog_name="te-forge")
@click.pass_context
def cli(context: click.Context, no_cache: bool) -> None:
    """Write the rules of a tabletop game once; check them, and print them as a book.

    PACK is the folder of a pack, a compiled pack (*.tepack.json), or the name of one that te-forge ships (srd-core).
    """
    if no_cache:
        keep_nothing(context)


def main() -> None:
    """The entry point: `te-forge` and `python -m te_forge`. What goes wrong outside of te_forge is one sentence, never a stack trace."""
    open_streams()
    signal.signal(signal.SIGTERM, stop)
    code: object = 0
    try:
        code = cli.main(prog_name="te-forge", standalone_mode=False)
    except SystemExit as end:
        code = end.code
    except click.ClickException as error:
        error.show()
        code = error.exit_code
    except (click.Abort, KeyboardInterrupt):
        say("stopped", err=True)
        code = STOPPED
    except OSError as error:
        say(f"Error: {error.filename or 'the place that the output goes to'} cannot be used: {in_words(error)}", err=True)
        code = USAGE
    leave(code if isinstance(code, int) else 0)


def stop(*_: object) -> NoReturn:
    """Whoever asks the process to end gets what Ctrl-C gives: folders that are being worked in are taken away."""
    raise KeyboardInterrupt


def open_streams() -> None:
    """Streams that somebody has closed (`te-forge check >&-`) lead nowhere, and letters that a stream does not know are no reason to stop."""
    nowhere = Path(os.devnull)
    sys.stdin = sys.stdin or nowhere.open(encoding="utf-8")
    sys.stdout = sys.stdout or nowhere.open("w", encoding="utf-8")
    sys.stderr = sys.stderr or nowhere.open("w", encoding="utf-8")
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")


def leave(code: int) -> NoReturn:
    """End the process at once. The ordinary end takes the objects of a pack apart one by one, and that costs half as much as reading and checking it."""
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError):
            stream.flush()
    os._exit(code)


def say(text: str, err: bool = False) -> None:
    """Print. A reader who has seen enough (`te-forge codes | head`) is no mistake: the rest goes nowhere, and the exit code stays what it is."""
    try:
        click.echo(text, err=err)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), (sys.stderr if err else sys.stdout).fileno())


def in_words(error: OSError) -> str:
    return (error.strerror or str(error)).lower()


PATIENCE = 1
"""The seconds after which it is said what takes so long."""


@contextmanager
def progress(text: str) -> Iterator[None]:
    """Says what is being done when it takes long, and on a terminal also for how long."""
    import threading

    done = threading.Event()

    def tell() -> None:
        if done.wait(PATIENCE):
            return
        live = sys.stderr.isatty()
        click.echo(f"{text} ...", err=True, nl=not live)
        seconds = PATIENCE
        while live and not done.wait(1):
            seconds += 1
            click.echo(f"\r{text} ... {seconds} s", err=True, nl=False)
        if live:
            click.echo("", err=True)

    thread = threading.Thread(target=tell, daemon=True)
    thread.start()
    try:
        yield
    finally:
        done.set()
        thread.join()


def opened(pack: str, tried: Tried | None = None, anew: bool = False) -> Loaded:
    """The pack, with what is tried on, as it is kept or read `anew`; what makes no sense is a mistake of the command."""
    os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "1")  # looking through all that is installed for some takes longer than reading a page
    with collector_paused():
        from te_forge.compose.tried import NotTried
        from te_forge.tried import Tried

        try:
            if anew:  # what opens kept packs takes as long to load as a few pages to read
                from te_forge.packs import load

                return load(pack, tried or Tried())
            from te_forge.ready import ready

            return ready(pack, tried or Tried())
        except NotTried as reason:
            raise click.UsageError(str(reason)) from None


def keep_nothing(context: click.Context) -> None:
    """Until the command is done, nothing is kept between runs, and nothing is taken that was."""
    from te_forge.cache import nothing_kept

    context.with_resource(nothing_kept())


def from_here(loaded: Loaded | Answer) -> dict[str, str]:
    """How each file of a pack is called from the current folder, where it lies below it; a terminal can then open it."""
    here = Path.cwd()
    return {shown: path.relative_to(here).as_posix() for shown, path in loaded.places.items() if path.is_relative_to(here)}


def as_read_here(loaded: Loaded | Answer) -> list[Diagnostic]:
    """What was found, with files called as they are from the current folder, and the pack as well where a help says what to type."""
    if not loaded.diagnostics:
        return []
    from te_forge.lock import AGAIN
    from te_forge.report import renamed

    found = renamed(loaded.diagnostics, from_here(loaded))
    root = next((path.parent for shown, path in loaded.places.items() if shown.count("/") == 1 and path.name == "pack.yaml"), None)
    if root is None or root == Path.cwd():
        return found
    try:
        pack = os.path.relpath(root)
    except ValueError:  # on another drive
        pack = str(root)
    return [replace(one, help=one.help.replace(f"`{AGAIN} .", f"`{AGAIN} {shlex.quote(pack)}")) for one in found]


def as_report(loaded: Loaded | Answer, colour: bool = False) -> str:
    from te_forge.report import as_text

    names = from_here(loaded)
    sources = {names.get(shown, shown): source for shown, source in loaded.sources.items()}
    return as_text(as_read_here(loaded), sources, colour)


def tell(loaded: Loaded | Answer, err: bool = True) -> None:
    """Print what is wrong."""
    if loaded.diagnostics:
        colour = not os.environ.get("NO_COLOR") and (sys.stderr if err else sys.stdout).isatty()
        say(as_report(loaded, colour), err)


def told(loaded: Loaded, data: bool = False) -> bool:
    """Print what is wrong; True when it stops the work, and then a program that asked for `data` gets it as `check --format json` prints it."""
    from te_forge.diagnostics import has_errors
    from te_forge.report import as_json

    stops = has_errors(loaded.diagnostics) or loaded.system is None
    if data and stops:
        say(as_json(as_read_here(loaded)))
    else:
        tell(loaded)
    return stops


def told_in_short(loaded: Loaded, pack: str, data: bool = False) -> bool:
    """The same for what is played and counted: what stops nothing is no more than named there, since `check` shows it, and it would be shown each
    time.
    """
    from te_forge.diagnostics import has_errors
    from te_forge.report import summary

    if has_errors(loaded.diagnostics) or loaded.system is None:
        return told(loaded, data)
    if loaded.diagnostics:
        say(f"{summary(loaded.diagnostics)}; `te-forge check {shlex.quote(pack)}` shows what", err=True)
    return False


def has_pages(loaded: Loaded, what: str) -> None:
    """Refuse to do something to the pages of a compiled pack, which has none."""
    if loaded.root.is_file():
        raise click.UsageError(f"{loaded.root.name} is a compiled pack, and has no pages {what}; name the folder that it was made of")


def stopped_by(loaded: Loaded | Answer) -> int:
    """The exit code for a pack with mistakes: that there is no such pack is a mistake of the command."""
    return USAGE if any(one.code == "no-such-pack" for one in loaded.diagnostics) else FINDINGS


@cli.command()
@PACK
@click.option("--format", "format_", type=click.Choice(["text", "json", "sarif"]), default="text", help="How to print what is found.")
@click.option("--no-cache", is_flag=True, help="Neither read nor write what te-forge keeps between runs.")
@click.option(
    "-v", "--verbose", is_flag=True, help="Also say which packs this one stands on: the version of each, and the folder where it was found."
)
@table_options
@click.pass_context
@collector_paused()
def check(context: click.Context, pack: str, format_: str, no_cache: bool, verbose: bool, tried: Tried) -> None:
    """Find every mistake in a pack, with file, line and what to write instead.

    What is found is kept until something changes in the pack, in one that it requires, or in te_forge.

    Example: te-forge check my-game
    """
    from te_forge.diagnostics import has_errors
    from te_forge.report import as_json, as_sarif, summary

    if no_cache:
        keep_nothing(context)
    answer = checked(pack, tried)
    found = as_read_here(answer)
    if format_ == "json":
        say(as_json(found))
    elif format_ == "sarif":
        say(as_sarif(found, __version__))
    elif found:
        tell(answer, err=False)
    else:
        say(summary([]))
    if verbose and format_ == "text":
        for line in stood_on(pack):
            say(line)
    sys.exit(stopped_by(answer) if has_errors(found) else 0)


def stood_on(pack: str) -> Iterator[str]:
    """Which copy of each required pack was used."""
    from te_forge.packs import asked_for

    loaded = opened(pack)
    needs = asked_for(loaded) if loaded.system is not None else None
    if needs is None or loaded.system is None:
        yield "what it stands on could not be read"
        return
    versions = {info.id: info.version for info in loaded.system.packs}
    places = {id: found for _, id, found in needs}
    if not places:
        yield "it stands on no other pack"
    for id, found in sorted(places.items()):
        yield f"stands on {id} {versions[id]}: {found}"


def checked(pack: str, tried: Tried) -> Answer:
    """What is wrong with a pack: as it was found the last time, if nothing has changed since."""
    from te_forge.kept import Answer, Need, drawer_of, keep_answer, recall
    from te_forge.whereabouts import find

    root = None if tried else find(pack)
    drawer = drawer_of(root) if root is not None else None
    known = recall(drawer) if drawer is not None else None
    if known is not None:
        return known
    with progress(f"checking {pack}"):
        loaded = opened(pack, tried, anew=True)
    answer = Answer(loaded.diagnostics, loaded.places, loaded.sources)
    if drawer is not None:
        from te_forge.packs import asked_for

        needs = asked_for(loaded)
        if needs is not None:
            keep_answer(drawer, answer, (Need(str(by), id, str(found)) for by, id, found in needs))
    return answer
