"""`te-forge lock`: keep what the changes of a pack stand on."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from te_forge.cli import FINDINGS, PACK, has_pages, opened, progress, say, stopped_by, told
from te_forge.whereabouts import LOCK as NAME

if TYPE_CHECKING:
    from te_forge.lock import Lock, Stale
    from te_forge.model.system import System
    from te_forge.packs import Loaded

ALL = "all"


@click.command("lock")
@PACK
@click.option(
    "--review",
    "reviewed",
    multiple=True,
    metavar="PLACE",
    help="A place that has changed, and whose change you have read and want to keep; `all` for every one. May be given several times.",
)
def command(pack: str, reviewed: tuple[str, ...]) -> None:
    """Write pack.lock: what stood in the required packs where this one changes something.

    When they have changed there since, it says what was and what is, and writes only what has been reviewed.

    Example: te-forge lock my-game
    """
    from te_forge.lock import lock_of, stale

    with progress(f"reading {pack}"):
        loaded = opened(pack)
    has_pages(loaded, "beside which a lock could be put")
    system = sound(loaded)
    if len(system.packs) < 2:
        raise click.UsageError(f"{system.pack.id} builds on no other pack, so there is nothing to keep")
    old = kept(loaded)
    found = stale(system, old) if old is not None else []
    refuse_unknown(reviewed, [one.key for one in found])
    left = [one for one in found if one.key not in reviewed and ALL not in reviewed]
    if left:
        for one in left:
            say(told_of(one))
        say(f"{NAME} is as it was. Read these; `--review PLACE` keeps a change, `--review all` keeps all of them.")
        sys.exit(FINDINGS)
    if old is None and (loaded.root / NAME).exists() and ALL not in reviewed:
        told(loaded)
        sys.exit(FINDINGS)
    say(written(loaded, lock_of(system), len(found)))


def sound(loaded: Loaded) -> System:
    """The rules of a pack in which nothing is wrong but what its lock is for."""
    from te_forge.diagnostics import has_errors

    others = [one for one in loaded.diagnostics if one.code not in ("stale-patch", "bad-lock")]
    if loaded.system is None or has_errors(others):
        told(loaded)
        sys.exit(stopped_by(loaded))
    return loaded.system


def kept(loaded: Loaded) -> Lock | None:
    """The lock as it is, if there is one that counts."""
    from te_forge.diagnostics import Findings
    from te_forge.lock import read_lock

    assert loaded.system is not None
    source = next((source for path, source in loaded.sources.items() if path.endswith(f"/{NAME}")), None)
    return read_lock(source, loaded.system.pack.id, Findings()) if source is not None else None


def refuse_unknown(reviewed: tuple[str, ...], keys: list[str]) -> None:
    from te_forge.suggest import did_you_mean, listed

    there = f"; what has changed is {listed(keys)}" if keys else "; nothing has"
    for one in reviewed:
        if one != ALL and one not in keys:
            raise click.UsageError(f"`{one}` is no place that has changed{did_you_mean(one, keys) or there}")


def told_of(one: Stale) -> str:
    """Then, now, and the change."""
    change = one.changes[0]
    then, now = (one.then.thing, one.now.thing) if one.other else (one.then.was, one.now.was)
    return f"{one.key}\n  then    {then or 'nothing'}\n  now     {now or 'nothing'}  ({one.place.file}:{one.place.line})\n  change  {change.span.file}:{change.span.line}\n"


def written(loaded: Loaded, lock: Lock, reviewed: int) -> str:
    from te_forge.files import write_whole
    from te_forge.lock import as_text

    path = loaded.root / NAME
    if path.is_symlink():
        raise click.UsageError(f"{path} is a link, and is left alone")
    write_whole(path, as_text(lock).encode("utf-8", "surrogatepass"))
    on = ", ".join(f"{id} {version}" for id, version in lock.requires.items())
    places = f"{len(lock.targets)} place{'s' * (len(lock.targets) != 1)}"
    return f"wrote {path}: {places} in {on}" + (f"; {reviewed} reviewed" if reviewed else "")
