"""Finding and loading packs for other programs."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from te_forge.api.errors import PackError, Refused
from te_forge.api.game import Game, asked_for
from te_forge.api.given import in_python, place, text
from te_forge.api.results import Installed
from te_forge.collector import collector_paused
from te_forge.diagnostics import has_errors

if TYPE_CHECKING:
    from te_forge.export.exporter import Verdict


def load(pack: str | Path, *, hacks: str | Iterable[str] = (), without: str | Iterable[str] = (), rulings: Mapping[str, str] | None = None) -> Game:
    """Load a game: the folder of a pack, a compiled pack (`*.tepack.json`), or the id of one that te_forge ships or that is installed.

    `hacks` are on besides those of the pack, `without` leaves some of its own out, `rulings` reads rulings in another way (ruling: reading). Nothing
    of a pack is ever run. Raises `PackError` with all diagnostics when something is wrong with the pack (`no-such-pack` when there is none),
    `Refused` for a hack or reading that it does not have.
    """
    from te_forge.compose.tried import NotTried
    from te_forge.packs import load as loaded
    from te_forge.tried import Tried

    path = place(pack, "a pack")
    name = pack if isinstance(pack, str) else os.fspath(path)
    tried = Tried(*asked_for(hacks, without, rulings))
    try:
        with collector_paused():
            found = loaded(name, tried)
    except NotTried as reason:
        raise Refused(in_python(str(reason))) from None
    if found.system is None or has_errors(found.diagnostics):
        raise PackError(found.diagnostics)
    return Game(found)


def discover() -> list[Installed]:
    """The packs that can be loaded by their id from anywhere: those that te_forge ships, and those of installed packages (entry-point group
    `te_forge.packs`).

    An entry point is read as the name of a place, and nothing of a package is imported or run. One that cannot be loaded says why in `trouble`.
    """
    from te_forge.installed import packages, place_of, trouble
    from te_forge.whereabouts import find, shipped

    own = [Installed(id, "shipped", str(find(id))) for id in shipped()]
    brought = [Installed(id, " and ".join(map(str, ones)), str(place_of(id) or ""), trouble(id)) for id, ones in packages().items()]
    return [*own, *(one for one in brought if one.id not in {shipped.id for shipped in own})]


def verify(folder: str | Path, target: str | None = None) -> tuple[Verdict, ...]:
    """What the checks of its exporter say about an export: each `what`, `outcome` (passed, failed, not verified), `tool` with its version, and
    `complaints`. Raises `Refused`.
    """
    from te_forge.export import run
    from te_forge.export.exporter import NotExported
    from te_forge.export.plugins import installed

    shelf, folder = installed(), place(folder, "the folder of an export")
    try:
        exporter = shelf.named(text(target, "the name of an exporter")) if target is not None else run.whose(folder, shelf.exporters.values())
        return tuple(run.verify(exporter, folder))
    except NotExported as reason:
        raise Refused(in_python(str(reason))) from None
