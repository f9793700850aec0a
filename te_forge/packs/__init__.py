"""Finding, reading and loading packs.

A pack is a folder with pack.yaml, `rules/*.te` and, if it likes, chapters of plain prose in `book/*.md` and pictures in `assets/`. It is named by its
path, or by its id when te_forge ships it or when it lies beside the pack that requires it. Whatever is wrong with it comes back as diagnostics, all
in one run. A pack may come from a stranger: nothing outside its folder is opened, and every number is bounded.
"""

from __future__ import annotations

from pathlib import Path

from te_forge.diagnostics import Diagnostic, Findings, tidy
from te_forge.frozen import replace
from te_forge.packs.joined import joined
from te_forge.packs.loaded import Library, Loaded, asked_for
from te_forge.source import NOWHERE
from te_forge.suggest import asked
from te_forge.tried import Tried
from te_forge.whereabouts import find, near_pack, where_packs_are

__all__ = ["Loaded", "asked_for", "joined", "load", "load_compiled", "with_tried"]

NOTHING_TRIED = Tried()


def load(name: str, tried: Tried = NOTHING_TRIED) -> Loaded:
    """Load a pack by path or name, with all that it requires. With something `tried`, its own hacks and readings give way to that; raises `NotTried`
    when that makes no sense.
    """
    found = find(name)
    if found is None:
        return Loaded(
            None, [Diagnostic("no-such-pack", f"there is no pack `{name}`{asked(near_pack(name))}", NOWHERE, help=where_packs_are(name))], Path(name)
        )
    if found.is_file():
        return load_compiled(found, tried)
    from te_forge.packs.folder import load_below, load_folder  # a pack that is compiled or kept needs nothing of what reads pages

    return load_folder(found, (), Library(found, load_below), tried)


def load_compiled(path: Path, wanted: Tried = NOTHING_TRIED) -> Loaded:
    """Load a compiled pack. It holds what it requires, and was sound when it was compiled."""
    from te_forge.compiled.file import opened

    findings = Findings()
    found = opened(path, findings)
    spot = f"{path.parent.name}/{path.name}"
    sources = {spot: found.source} if found.source is not None else {}
    return with_tried(Loaded(found.system, tidy(findings), path, sources, found.pictures, {spot: path}), wanted)


def with_tried(loaded: Loaded, wanted: Tried) -> Loaded:
    """A pack in which nothing is wrong, with what is `wanted` at the table."""
    if loaded.system is None or not wanted:
        return loaded
    from te_forge.compose.tried import at_table
    from te_forge.packs.switches import composed

    system = at_table(loaded.system, wanted)
    return replace(loaded, system=system, diagnostics=tidy([*loaded.diagnostics, *composed(system)]))
