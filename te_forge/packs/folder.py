"""Loading the folder of a pack: its head, the packs that it requires, its pages, and what is wrong with any of them."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from te_forge.attribution import owing
from te_forge.check import check
from te_forge.compose import derived
from te_forge.diagnostics import Diagnostic, Findings, has_errors, tidy
from te_forge.files import MOST_HEAD_BYTES, Shelf
from te_forge.model.system import System
from te_forge.packs import NOTHING_TRIED, load_compiled
from te_forge.packs.head import TOP, as_far_as_it_reads, lost_chapters, pack_info
from te_forge.packs.loaded import Library, Loaded
from te_forge.packs.pages import only_syntax, read_assets, read_pages, where_the_head_is
from te_forge.packs.required import required
from te_forge.packs.switches import switched
from te_forge.safeyaml import read_head
from te_forge.source import NOWHERE, Source
from te_forge.tried import Tried
from te_forge.whereabouts import HEAD, LOCK

if TYPE_CHECKING:
    from te_forge.lock import Lock


def load_below(place: Path, above: tuple[str, ...], library: Library) -> Loaded:
    """Load a pack that another one requires."""
    return load_compiled(place) if place.is_file() else load_folder(place, above, library)


def load_folder(root: Path, above: tuple[str, ...], library: Library, wanted: Tried = NOTHING_TRIED) -> Loaded:
    """Load the pack in `root`; `above` are the ids of the packs that asked for it, outermost first."""
    findings = Findings()
    shelf = Shelf(root, findings)
    if not (root / HEAD).is_file():
        findings.add("no-pack-file", f"the folder `{root.name or root}` has no {HEAD}, so it is not a pack", NOWHERE, help=where_the_head_is(root))
        return Loaded(None, tidy(findings), root)
    source = shelf.text(root / HEAD, MOST_HEAD_BYTES) if shelf.inside(root / HEAD) else None
    head = read_head(source, findings) if source is not None else None
    info = pack_info(head, source, findings) if head is not None and source is not None else None
    has_head = info is not None
    info = as_far_as_it_reads(head) if info is None and head is not None else info
    needs = required(info, head, root, above, findings, library) if info is not None and head is not None else None
    pages = read_pages(shelf, findings)
    sources = {one.path: one for one in ([source] if source is not None else []) + pages}
    if info is None or needs is None:
        only_syntax(pages, findings)
        return Loaded(None, tidy(findings), root, sources, {}, shelf.places)
    if not any(page.text.strip() for page in pages if page.path.endswith(".te")):
        findings.add(
            "no-rules", "this pack has no rules", shelf.spot(root / HEAD), help="put a page into its folder `rules`, such as `rules/01-game.te`"
        )
    assets = {**needs.assets, **read_assets(shelf, findings)}
    system, found = check(pages, info, needs.system, assets, derived)
    sound = not has_errors([*findings, *found])
    lock = kept_lock(shelf, info.id, sources, findings) if has_head else None
    if lock is not None:
        found = [*said_with(lock, found, needs.system), *against_lock(system, lock, shelf, sound)]
    if system is not None and head is not None and has_head:
        found += owing(system, head.place(("requires",), True) or TOP)
    if system is not None and head is not None and not sound:
        from te_forge.packs.partly import partly  # few packs need it

        found += partly(system, head, sources, [*findings, *found])
    elif system is not None and head is not None:
        found += lost_chapters(system, head)
        system, wrong = switched(system, head, wanted)
        found += wrong
    return Loaded(system if has_head else None, tidy([*findings, *found]), root, sources, assets, shelf.places)


def kept_lock(shelf: Shelf, pack: str, sources: dict[str, Source], findings: Findings) -> Lock | None:
    """The lock file of a pack, if it has one that can be read."""
    path = shelf.root / LOCK
    if not os.path.lexists(path):
        return None
    source = shelf.text(path) if shelf.inside(path) else None
    if source is None:
        return None
    from te_forge.lock import read_lock

    sources[source.path] = source
    return read_lock(source, pack, findings)


def said_with(lock: Lock, found: list[Diagnostic], base: System | None) -> list[Diagnostic]:
    """The findings, with what the lock file knows of things that are gone."""
    from te_forge.lock import lost  # few packs have such a file

    return lost(found, base, lock) if base is not None else found


def against_lock(system: System | None, lock: Lock, shelf: Shelf, sound: bool) -> list[Diagnostic]:
    """What has changed since the lock file was written. Of a pack that is not `sound`, only whatever a base has changed, so that all of this is said
    at once.
    """
    from te_forge.lock import check_lock

    found = check_lock(system, lock, shelf.spot(shelf.root / LOCK)) if system is not None else []
    return [one for one in found if sound or one.code == "stale-patch"]
