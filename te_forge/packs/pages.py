"""The files of a pack: its pages and its pictures, and those that lie where nothing is read."""

from __future__ import annotations

from itertools import islice
from pathlib import Path

from te_forge.diagnostics import Findings
from te_forge.files import ALIVE_IN_SVG, MOST_ASSET_BYTES, Shelf
from te_forge.nearby import neighbours, typed
from te_forge.source import Source
from te_forge.suggest import nearest
from te_forge.whereabouts import ASSETS, BOOK, HEAD, RULES, pack_around

PICTURES = (".png", ".jpg", ".jpeg", ".webp", ".avif", ".gif", ".svg")
MOST_ASTRAY = 20
"""So many pages beside pack.yaml are named."""


def where_the_head_is(root: Path) -> str:
    """What to name in place of a folder that is no pack: the one around it, or one in it."""
    around = pack_around(root)
    if around is not None:
        return f"the pack is the folder around this one: `{typed(around)}`"
    inside = sorted(typed(path.parent) for path in islice(root.glob(f"*/{HEAD}"), MOST_ASTRAY))
    if inside:
        return "name a pack that is in it: " + ", ".join(f"`{name}`" for name in inside)
    if (root / HEAD).exists():
        return f"{HEAD} is there, and is not an ordinary file; put one in its place"
    if (near := nearest(HEAD, (path.name for path in neighbours(root)))) is not None:
        return f"is `{near}` meant to be it? Then call it {HEAD}"
    return "`te-forge new NAME` makes a pack to start from"


def read_pages(shelf: Shelf, findings: Findings) -> list[Source]:
    """The pages of rules and the chapters of prose of a pack, together in the order of their names below their folders."""
    pages: dict[tuple[str, ...], Source | None] = {}
    for place, ending in ((RULES, ".te"), (BOOK, ".md")):
        for path in shelf.walk(place):
            if path.suffix == ending:
                pages[(*path.relative_to(shelf.root / place).parts, place)] = shelf.text(path)
            elif path.suffix.lower() in (".te", ".md", ".markdown", ".txt"):
                findings.add(
                    "ignored-file",
                    f"this file is not read, since its name does not end in {ending}",
                    shelf.spot(path),
                    severity="warning",
                    help=where_it_goes(path, place, ending),
                )
    for path in islice(sorted(shelf.root.glob("*.te")), MOST_ASTRAY):
        findings.add(
            "ignored-file",
            "this page is not read, since it lies beside pack.yaml",
            shelf.spot(path),
            severity="warning",
            help=f"put it into the folder `{RULES}`",
        )
    return [page for _, page in sorted(pages.items()) if page is not None]


def where_it_goes(path: Path, folder: str, ending: str) -> str:
    """What to do with a page in the wrong folder, or of the wrong name."""
    if path.suffix in (".te", ".md"):
        other = RULES if folder == BOOK else BOOK
        return f"put it into the folder `{other}`, or call it {path.stem}{ending}"
    return f"call it {path.stem.removesuffix(ending)}{ending}"


def read_assets(shelf: Shelf, findings: Findings) -> dict[str, Path]:
    """The pictures of a pack, as `assets/map.png`. Other files are left where they are: a page or a script of a stranger has no place in the book."""
    found: dict[str, Path] = {}
    for path in shelf.walk(ASSETS):
        if path.suffix.lower() not in PICTURES:
            continue
        spot = shelf.spot(path)
        if path.suffix.lower() == ".svg" and ALIVE_IN_SVG.search(shelf.raw(path, spot, MOST_ASSET_BYTES) or b""):
            findings.add("unsafe-picture", "this drawing holds a script, or could hold one", spot, help="export it as plain SVG, or as PNG")
        elif shelf.fits(path, spot, MOST_ASSET_BYTES):
            found["/".join(path.relative_to(shelf.root).parts)] = path
    return found


def only_syntax(pages: list[Source], findings: Findings) -> None:
    """What can be said of pages whose names cannot be known, since the head or a required pack is missing."""
    from te_forge.syntax.chapter import read_source

    for page in pages:
        read_source(page, findings)
