"""Finding, reading and loading packs.

A pack is a folder with pack.yaml, `rules/*.te` and, if it likes, `assets/`. It is named by its path, or by its id when te_forge ships it or when it
lies beside the pack that requires it. Whatever is wrong with it comes back as diagnostics, all in one run.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from packaging.specifiers import InvalidSpecifier, SpecifierSet
from packaging.version import Version

from te_forge.check import check
from te_forge.diagnostics import Diagnostic, Findings, tidy
from te_forge.files import MOST_FILES, MOST_HEAD_BYTES, Shelf
from te_forge.model.pack import PackInfo, read_info
from te_forge.model.system import System
from te_forge.resources import folder
from te_forge.safeyaml import Head, read_head
from te_forge.source import Source, Span
from te_forge.suggest import did_you_mean, nearest

HEAD = "pack.yaml"
PICTURES = (".png", ".jpg", ".jpeg", ".webp", ".avif", ".gif", ".svg")
DEEPEST = 30


@dataclass(frozen=True)
class Loaded:
    """What became of a pack. `system` is None when there is no pack to speak of; `sources` and `assets` are its own files by shown path."""

    system: System | None
    diagnostics: list[Diagnostic]
    root: Path
    sources: Mapping[str, Source] = field(default_factory=dict)
    assets: Mapping[str, Path] = field(default_factory=dict)
    places: Mapping[str, Path] = field(default_factory=dict)


def shipped() -> list[str]:
    """Ids of the packs that come with te_forge."""
    return sorted(path.parent.name for path in folder("systems").glob(f"*/{HEAD}"))


def find(name: str, beside: Path | None = None) -> Path | None:
    """The folder of the pack called `name`: a path, a neighbour of `beside`, or one that te_forge ships."""
    if beside is None:
        path = Path(name)
        if path.is_dir():
            return path.resolve()
        if path.name == HEAD and path.is_file():
            return path.parent.resolve()
        if "/" in name or "\\" in name or name in (".", ".."):
            return None
    if name in ("", ".", "..") or "/" in name or "\\" in name:
        return None
    for place in ([beside.parent] if beside else []) + [folder("systems")]:
        if (place / name / HEAD).is_file():
            return (place / name).resolve()
    return None


def load(name: str) -> Loaded:
    """Load a pack by path or name, with all that it requires."""
    found = find(name)
    if found is None:
        span = Span(name, 1, 1, 1)
        help = f"give the folder of a pack, or one of {', '.join(shipped())}{did_you_mean(name, shipped())}"
        return Loaded(None, [Diagnostic("no-such-pack", f"there is no pack `{name}`", span, help=help)], Path(name))
    return load_folder(found, ())


def load_folder(root: Path, above: tuple[str, ...]) -> Loaded:
    """Load the pack in `root`; `above` are the ids of the packs that asked for it, outermost first."""
    findings = Findings()
    shelf = Shelf(root, findings)
    if not (root / HEAD).is_file():
        findings.add("no-pack-file", f"this folder has no {HEAD}, so it is not a pack", shelf.spot(root / HEAD), help="`te-forge new NAME` makes a pack to start from")
        return Loaded(None, tidy(findings), root)
    source = shelf.text(root / HEAD, MOST_HEAD_BYTES)
    head = read_head(source, findings) if source is not None else None
    info = pack_info(head, source, findings) if head is not None and source is not None else None
    sources = {source.path: source} if source is not None else {}
    if info is None or head is None:
        return Loaded(None, tidy(findings), root, sources, {}, shelf.places)
    base = required(info, head, root, above, findings)
    if base is False:
        return Loaded(None, tidy(findings), root, sources, {}, shelf.places)
    pages = read_pages(shelf, findings)
    sources |= {page.path: page for page in pages}
    assets = {"/".join(path.relative_to(root).parts): path for path in shelf.walk("assets") if path.suffix.lower() in PICTURES}
    if not pages:
        findings.add("no-rules", "this pack has no rules", shelf.spot(root / HEAD), help="put a page into its folder `rules`, such as `rules/01-game.te`")
    system, found = check(pages, info, base or None, assets)
    return Loaded(system, tidy([*findings, *found]), root, sources, assets, shelf.places)


def read_pages(shelf: Shelf, findings: Findings) -> list[Source]:
    paths = [path for path in shelf.walk("rules") if path.suffix == ".te"]
    strays = [path for path in shelf.walk("rules") if path.suffix in (".md", ".txt")]
    for path in strays:
        findings.add("ignored-file", "this file is not read, since its name does not end in .te", shelf.spot(path), severity="warning", help=f"call it {path.stem.removesuffix('.te')}.te")
    if len(paths) > MOST_FILES:
        findings.add("too-many-files", f"this pack has {len(paths)} pages; the limit is {MOST_FILES}", shelf.spot(shelf.root / HEAD))
        paths = paths[:MOST_FILES]
    return [page for path in paths if (page := shelf.text(path)) is not None]


def pack_info(head: Head, source: Source, findings: Findings) -> PackInfo | None:
    """The checked head of a pack; each wrong or unknown field is a diagnostic where it stands."""
    info, mistakes = read_info(head.data)
    fields = list(PackInfo.model_fields)
    for mistake in mistakes:
        place = head.place(mistake.path) or source.span(1)
        name = str(mistake.path[-1]) if mistake.path else ""
        match mistake.kind:
            case "missing":
                findings.add("missing-pack-field", f"`{name}` is missing", source.span(1), help=f"add a line `{name}: ...`")
            case "extra_forbidden":
                near = nearest(name, fields)
                findings.add("unknown-pack-field", f"{HEAD} has no field `{name}`", place, help=f"did you mean `{near}`?" if near else "its fields are " + ", ".join(fields))
            case _:
                findings.add("bad-pack-field", f"`{name}`: {mistake.message}", place, help=mistake.hint)
    return info


def required(info: PackInfo, head: Head, root: Path, above: tuple[str, ...], findings: Findings) -> System | None | bool:
    """The composed system of what `info` requires: None when it requires nothing, False when something is not to be had."""
    path = (*above, info.id)
    base: System | None = None
    whole = True
    for id, range_ in sorted(info.requires.items()):
        place = head.place(("requires", id)) or Span(HEAD, 1, 1, 1)
        if id in path:
            findings.add("circular-requires", "these packs require each other: " + " -> ".join((*path[path.index(id) :], id)), place, help="one of them must do without")
            whole = False
            continue
        found = find(id, root)
        if found is None or len(path) > DEEPEST:
            findings.add("missing-pack", f"the pack `{id}` is not here", place, help=f"put it beside this one; te_forge ships {', '.join(shipped())}")
            whole = False
            continue
        below = load_folder(found, path)
        whole = fits(below, id, range_, place, findings) and whole
        if below.system is not None:
            base = below.system if base is None else joined(base, below.system)
    return base if whole else False


def fits(below: Loaded, id: str, range_: str, place: Span, findings: Findings) -> bool:
    """Whether a required pack is sound and of a wanted version."""
    try:
        wanted = SpecifierSet(range_)
    except InvalidSpecifier:
        findings.add("bad-version-range", f"`{range_}` is no range of versions", place, help="write for example `'>=1.0,<2'`")
        return False
    broken = [one for one in below.diagnostics if one.severity == "error"]
    if below.system is None or broken:
        circle = next((one for one in broken if one.code == "circular-requires"), None)
        if circle is not None:
            findings.add(circle.code, circle.message, place, help=circle.help)
        else:
            findings.add("broken-pack", f"the pack `{id}` has mistakes of its own", place, help=f"`te-forge check {id}` lists them")
        return False
    if Version(below.system.pack.version) not in wanted:
        findings.add("unmet-version", f"`{id}` is here in version {below.system.pack.version}, but {range_} is wanted", place, help="change the range, or get another version")
        return False
    return True


def joined(one: System, other: System) -> System:
    """Two systems side by side; what both hold is held once."""
    packs = tuple({pack.id: pack for pack in (*one.packs, *other.packs)}.values())
    chapters = tuple({chapter.id: chapter for chapter in (*one.chapters, *other.chapters)}.values())
    return System(packs, {**one.kinds, **other.kinds}, {**one.entries, **other.entries}, chapters, {**one.users, **other.users})
