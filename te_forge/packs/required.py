"""The packs that a pack requires: found, loaded, held against what was asked for, and put together to one system."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from te_forge.diagnostics import Findings, Label
from te_forge.files import Picture
from te_forge.frozen import frozen
from te_forge.installed import brought_by, trouble
from te_forge.model.pack import PackInfo
from te_forge.model.system import System
from te_forge.packs.gathered import optional_here
from te_forge.packs.head import TOP
from te_forge.packs.joined import Brought, joined, no_kind_twice, one_state
from te_forge.packs.loaded import Library, Loaded
from te_forge.packs.ranges import clash, in_words, wanting
from te_forge.safeyaml import Head
from te_forge.source import Span
from te_forge.suggest import did_you_mean
from te_forge.whereabouts import beside, find, known

DEEPEST = 30
"""So many packs require one another in a row at most."""


@frozen
class Needs:
    """What a pack stands on: the composed system of the packs it requires (None when it requires none), and their pictures."""

    system: System | None
    assets: Mapping[str, Picture]


def required(info: PackInfo, head: Head, root: Path, above: tuple[str, ...], findings: Findings, library: Library) -> Needs | None:
    """What `info` requires, or None when something of it is not to be had."""
    path = (*above, info.id)
    base: System | None = None
    assets: dict[str, Picture] = {}
    whole = True
    brought: dict[str, Brought] = {}
    asked = {**{id: info.optional[id] for id in (optional_here(info.optional, info.id, library.game) if info.optional else ())}, **info.requires}
    for id, range_ in sorted(asked.items()):
        place = head.place(("requires", id)) or head.place(("optional", id)) or TOP
        name = head.place(("requires" if id in info.requires else "optional", id), True) or place
        below = required_pack(id, name, root, path, findings, library)
        if below is None or not fits(below, id, range_, place, findings, library):
            whole = False
        elif below.system is not None:
            whole = (
                one_state(brought, Brought(id, below.root.name, place, below.system), findings)
                and no_kind_twice(base, below.system, place, findings)
                and whole
            )
            base = below.system if base is None else joined(base, below.system)
            assets |= below.assets
    return Needs(base, assets) if whole else None


def required_pack(id: str, place: Span, root: Path, path: tuple[str, ...], findings: Findings, library: Library) -> Loaded | None:
    """The pack `id` as it was loaded, or None when there is none (and the findings say why)."""
    if id in path:
        findings.add(
            "circular-requires",
            "these packs require each other: " + " -> ".join((*path[path.index(id) :], id)),
            place,
            help="one of them must do without",
        )
        return None
    found = find(id, root)
    if found is None:
        why = trouble(id)
        help = why or f"put it beside this one, or install a package that brings it; here for all are {', '.join(known())}"
        findings.add(
            "missing-pack",
            f"the pack `{id}` is not {'to be had' if why else 'here'}{'' if why else did_you_mean(id, [*known(), *beside(root)])}",
            place,
            help=help,
        )
        return None
    if len(path) > DEEPEST:
        findings.add(
            "missing-pack", f"more than {DEEPEST} packs require one another here", place, help="require fewer packs; some of them can become one"
        )
        return None
    return library.pack(found, path)


def fits(below: Loaded, id: str, range_: str, place: Span, findings: Findings, library: Library) -> bool:
    """Whether a required pack is sound, is the one that was meant, and is of a wanted version."""
    from packaging.specifiers import InvalidSpecifier, SpecifierSet

    try:
        wanted = SpecifierSet(range_)
    except InvalidSpecifier:
        findings.add("bad-version-range", f"`{range_}` is no range of versions", place, help="write for example `'>=1.0,<2'`")
        return False
    broken = [one for one in below.diagnostics if one.severity == "error"]
    if circle := next((one for one in broken if one.code == "circular-requires"), None):
        findings.add("circular-requires", circle.message, place, help=circle.help)
        return False
    if version := next((one for one in broken if one.code in ("unmet-version", "clashing-ranges")), None):
        findings.add(version.code, version.message, place, help=version.help)
        return False
    if below.system is None or broken:
        labels = [Label(one.span, one.message) for one in broken[:1]]
        findings.add("broken-pack", f"the pack `{id}` has mistakes of its own", place, help=f"`te-forge check {id}` lists them", labels=labels)
        return False
    info = below.system.pack
    if info.id != id:
        findings.add("missing-pack", f"the folder `{id}` holds the pack `{info.id}`", place, help="a required pack lies in a folder of its own name")
        return False
    if info.version not in wanted:
        unmet(below, id, range_, place, findings, library)
        return False
    return True


def unmet(below: Loaded, id: str, range_: str, place: Span, findings: Findings, library: Library) -> None:
    """A pack is here in a version that will not do; or no version will do for all who want it."""
    assert below.system is not None
    if said := clash(id, wanting(id, library.root)):
        findings.add(
            "clashing-ranges",
            said,
            place,
            help="get other versions of the packs that want it, such that their ranges meet, or do without one of them",
        )
        return
    package = brought_by(below.root)
    where = f" (with the package {package})" if package else ""
    help = "change the range, or get another version" + (f": `pip install --upgrade {package.split()[0]}`" if package else "")
    findings.add("unmet-version", f"`{id}` is here in version {below.system.pack.version}{where}, but {in_words(range_)} is wanted", place, help=help)
