"""Finding, reading and loading packs.

A pack is a folder with pack.yaml, `rules/*.te` and, if it likes, chapters of plain prose in `book/*.md` and pictures in `assets/`. It is named by its path, or by its id when te_forge ships it or when it
lies beside the pack that requires it. Whatever is wrong with it comes back as diagnostics, all in one run. A pack may come from a stranger: nothing
outside its folder is opened, and every number is bounded.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import field, fields, replace
from functools import cached_property
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from te_forge.alike import no_kind_twice
from te_forge.attribution import owing
from te_forge.check import check
from te_forge.compose import compose, derived, trial
from te_forge.compose.chapters import with_chapters
from te_forge.compose.chosen import chosen, means, switched_on
from te_forge.compose.order import SWITCHES
from te_forge.compose.tried import at_table
from te_forge.diagnostics import Diagnostic, Findings, Label, has_errors, tidy
from te_forge.files import ALIVE_IN_SVG, MOST_ASSET_BYTES, MOST_HEAD_BYTES, Picture, Shelf
from te_forge.gathered import Game, gathered, optional_here
from te_forge.installed import brought_by, trouble
from te_forge.model.frozen import frozen
from te_forge.model.pack import PackInfo, Work, read_info
from te_forge.model.system import System
from te_forge.nearby import neighbours, typed
from te_forge.ranges import clash, in_words, wanting
from te_forge.safeyaml import Head, read_head
from te_forge.source import NOWHERE, Source, Span
from te_forge.suggest import asked, did_you_mean, nearest
from te_forge.tried import Tried
from te_forge.whereabouts import ASSETS, BOOK, HEAD, LOCK, RULES, beside, find, known, near_pack, pack_around, where_packs_are

if TYPE_CHECKING:
    from te_forge.lock import Lock

PICTURES = (".png", ".jpg", ".jpeg", ".webp", ".avif", ".gif", ".svg")
NOTHING_TRIED = Tried()
DEEPEST = 30
MOST_ASTRAY = 20
"""So many pages beside pack.yaml are named."""


@frozen
class Loaded:
    """What became of a pack. `system` is None when there is no pack to speak of; `sources` and `assets` are its own files by shown path."""

    system: System | None
    diagnostics: list[Diagnostic]
    root: Path
    sources: Mapping[str, Source] = field(default_factory=dict)
    assets: Mapping[str, Picture] = field(default_factory=dict)
    places: Mapping[str, Path] = field(default_factory=dict)


def load(name: str, tried: Tried = NOTHING_TRIED) -> Loaded:
    """Load a pack by path or name, with all that it requires. With something `tried`, its own hacks and readings give way to that; raises `NotTried` when that makes no sense."""
    found = find(name)
    if found is None:
        return Loaded(None, [Diagnostic("no-such-pack", f"there is no pack `{name}`{asked(near_pack(name))}", NOWHERE, help=where_packs_are(name))], Path(name))
    return load_compiled(found, tried) if found.is_file() else load_folder(found, (), Library(found), tried)


def load_compiled(path: Path, wanted: Tried = NOTHING_TRIED) -> Loaded:
    """Load a compiled pack. It holds what it requires, and was sound when it was compiled."""
    from te_forge.compiled.file import opened

    findings = Findings()
    found = opened(path, findings)
    system = at_table(found.system, wanted) if found.system is not None else None
    said = composed(system) if system is not None and wanted else []
    spot = f"{path.parent.name}/{path.name}"
    return Loaded(system, tidy([*findings, *said]), path, {spot: found.source} if found.source is not None else {}, found.pictures, {spot: path})


def asked_for(loaded: Loaded) -> list[tuple[Path, str, Path]] | None:
    """Every pack that a sound pack has asked for, directly or not: from which folder, by which id, and where it was found. None when one id was found in two places."""
    if loaded.system is None or loaded.root.is_file():
        return None
    heads = {info.id: info for info in loaded.system.packs}
    found = {loaded.system.pack.id: loaded.root}
    out: list[tuple[Path, str, Path]] = []
    todo = [loaded.system.pack]
    while todo:
        info = todo.pop()
        for id in sorted(info.requires):
            place = find(id, found[info.id])
            if place is None or found.setdefault(id, place) != place:
                return None
            if id not in {known for _, known, _ in out}:
                todo.append(heads[id])
            out.append((found[info.id], id, place))
    return out


def where_the_head_is(root: Path) -> str:
    """What to name in place of a folder that is no pack: the one around it, or one in it."""
    around = pack_around(root)
    if around is not None:
        return f"the pack is the folder around this one: `{typed(around)}`"
    inside = sorted(typed(path.parent) for path in islice(root.glob(f"*/{HEAD}"), MOST_ASTRAY))
    if inside:
        return "name a pack that is in it: " + ", ".join(f"`{name}`" for name in inside)
    if (near := nearest(HEAD, (path.name for path in neighbours(root)))) is not None:
        return f"is `{near}` meant to be it? Then call it {HEAD}"
    return "`te-forge new NAME` makes a pack to start from"


class Library(dict[Path, Loaded]):
    """Packs that were loaded on the way, so that none is loaded twice."""

    def __init__(self, root: Path) -> None:
        super().__init__()
        self.root = root

    @cached_property
    def game(self) -> Game:
        """Which packs are in the game. Only packs that may use others ask for it."""
        return gathered(self.root)


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
    needs = required(info, head, root, above, findings, library) if info is not None and head is not None else None
    pages = read_pages(shelf, findings)
    sources = {one.path: one for one in ([source] if source is not None else []) + pages}
    if info is None or needs is None:
        only_syntax(pages, findings)
        return Loaded(None, tidy(findings), root, sources, {}, shelf.places)
    if not any(page.text.strip() for page in pages if page.path.endswith(".te")):
        findings.add("no-rules", "this pack has no rules", shelf.spot(root / HEAD), help="put a page into its folder `rules`, such as `rules/01-game.te`")
    assets = {**needs.assets, **read_assets(shelf, findings)}
    system, found = check(pages, info, needs.system, assets, derived)
    lock = kept_lock(shelf, info.id, sources, findings)
    if lock is not None and needs.system is not None:
        from te_forge.lock import lost

        found = lost(found, needs.system, lock)
    if system is not None and head is not None and not has_errors([*(one for one in findings if one.code != "bad-lock"), *found]):
        said = trials(system)
        unknown = unknown_switches(system, head)
        found = [*found, *said, *unknown, *lost_chapters(system, head), *owing(system, head.place(("requires",), True) or Span(HEAD, 1, 1, 1))]
        if lock is not None:
            found += against_lock(system, lock, shelf)
        system = at_table(system, wanted)
        if wanted:
            found += [one for one in composed(system) if one not in said]
        elif not unknown:
            found += together(system, head, said)
    elif system is not None and lock is not None:
        found += [one for one in against_lock(system, lock, shelf) if one.code == "stale-patch"]  # all that a base has changed is said at once
    return Loaded(system, tidy([*findings, *found]), root, sources, assets, shelf.places)


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


def against_lock(system: System, lock: Lock, shelf: Shelf) -> list[Diagnostic]:
    """What has changed since the lock file was written."""
    from te_forge.lock import check_lock  # few packs have such a file

    return check_lock(system, lock, shelf.spot(shelf.root / LOCK))


def trials(system: System) -> list[Diagnostic]:
    """What is wrong with the pack's own hacks and readings, each by itself and whether it is on or not."""
    own = [entry for entry in system.entries.values() if entry.pack == system.pack.id and entry.kind in SWITCHES]
    files = {entry.span.file for entry in own}
    system = with_chapters(system) if own else system
    return [one for entry in own for one in trial(system, entry.id) if one.span.file in files and one.severity != "note"]


def unknown_switches(system: System, head: Head) -> list[Diagnostic]:
    """The names in pack.yaml of hacks and readings that nothing has, and two of one hack."""
    findings = Findings()
    wishes = [(name, head.place(("hacks", number)) or Span(HEAD, 1, 1, 1)) for number, name in enumerate(system.pack.hacks)]
    wishes += [(f"{ruling}={reading}", head.place(("rulings", ruling), not any(means(entry, ruling) for entry in system.of_kind("ruling"))) or Span(HEAD, 1, 1, 1)) for ruling, reading in system.pack.rulings.items()]
    chosen(system, wishes, findings)
    seen: dict[str, str] = {}
    for name, place in wishes[: len(system.pack.hacks)]:
        for id in chosen(system, [(name, place)], Findings()):
            if seen.setdefault(id, name) != name:
                findings.add("bad-pack-field", f"`hacks`: {name} is {seen[id]} once more", place, help="take one of the two out")
    return list(findings)


def composed(system: System) -> list[Diagnostic]:
    """What is wrong with what is on, each finding where it stands among the hacks."""
    on = switched_on(system)
    return compose(system, on).diagnostics if on else []


def together(system: System, head: Head, said: list[Diagnostic]) -> list[Diagnostic]:
    """Whatever does not go together in what the pack has on and has not been `said`."""
    place = head.place(("hacks",), True) or head.place(("rulings",), True) or head.place(("requires",), True) or Span(HEAD, 1, 1, 1)
    found = [one for one in composed(system) if one not in said]
    wrong = [one for one in found if one.severity == "error"]
    other = {(one.code, one.message): one for one in reversed(found) if one.severity != "error"}
    return [*([at_head(wrong, place)] if wrong else []), *(at_head([one], place) for one in other.values())]


def lost_chapters(system: System, head: Head) -> list[Diagnostic]:
    """The chapters that pack.yaml puts first and that are not there."""
    findings = Findings()
    titles = [chapter.title for chapter in system.chapters]
    for number, title in enumerate(system.pack.chapters):
        if title not in titles:
            place = head.place(("chapters", number)) or Span(HEAD, 1, 1, 1)
            findings.add("bad-pack-field", f"`chapters`: there is no chapter called `{title}`{did_you_mean(title, titles)}", place, help="write the title of a chapter as it stands behind its #")
    return list(findings)


def at_head(wrong: list[Diagnostic], place: Span) -> Diagnostic:
    """What does not go together among hacks, of which some are other people's, as one finding of the pack that has switched them on."""
    first, *rest = wrong
    more = f", and {len(rest)} more of this sort" if rest else ""
    labels = [Label(first.span, "said here"), *first.labels, *(label for one in rest for label in (Label(one.span, one.message), *one.labels))]
    return replace(first, message=first.message + more, span=place, labels=tuple(labels))


def read_pages(shelf: Shelf, findings: Findings) -> list[Source]:
    """The pages of rules and the chapters of prose of a pack, together in the order of their names below their folders."""
    pages: dict[tuple[str, ...], Source | None] = {}
    for place, ending in ((RULES, ".te"), (BOOK, ".md")):
        for path in shelf.walk(place):
            if path.suffix == ending:
                pages[(*path.relative_to(shelf.root / place).parts, place)] = shelf.text(path)
            elif path.suffix.lower() in (".te", ".md", ".markdown", ".txt"):
                findings.add("ignored-file", f"this file is not read, since its name does not end in {ending}", shelf.spot(path), severity="warning", help=where_it_goes(path, place, ending))
    for path in islice(sorted(shelf.root.glob("*.te")), MOST_ASTRAY):
        findings.add("ignored-file", "this page is not read, since it lies beside pack.yaml", shelf.spot(path), severity="warning", help=f"put it into the folder `{RULES}`")
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


def pack_info(head: Head, source: Source, findings: Findings) -> PackInfo | None:
    """The checked head of a pack; each wrong or unknown field is a diagnostic where it stands."""
    info, mistakes = read_info(head.data)
    for mistake in mistakes:
        of_work = mistake.path[:1] == ("sources",) and len(mistake.path) > 1
        known = [one.name for one in fields(Work if of_work else PackInfo)]
        wrong_name = mistake.kind == "extra_forbidden" or (mistake.kind == "string_pattern_mismatch" and mistake.path[0] in ("requires", "optional"))
        place = head.place(mistake.path, wrong_name) or source.span(1)
        name = str(mistake.path[-1]) if mistake.path else ""
        match mistake.kind:
            case "missing":
                findings.add("missing-pack-field", f"`{name}` is missing", place if of_work else source.span(1), help=f"add a line `{name}: ...`")
            case "extra_forbidden":
                near = nearest(name, known)
                findings.add("unknown-pack-field", f"{HEAD} has no field `{name}`", place, help=f"did you mean `{near}`?" if near else "its fields are " + ", ".join(known))
            case _:
                field = next((part for part in reversed(mistake.path) if isinstance(part, str)), name)  # a line of a list has only a number
                findings.add("bad-pack-field", f"`{field}`: {mistake.message}", place, help=mistake.hint)
    for field, names in (("hacks", info.hacks), ("chapters", info.chapters)) if info is not None else ():
        for number, name in enumerate(names):
            if name in names[:number]:
                findings.add("bad-pack-field", f"`{field}`: {name} stands here twice", head.place((field, number)) or source.span(1), help="take one of the two out")
    return info


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
    asked = {**{id: info.optional[id] for id in (optional_here(info.optional, info.id, library.game) if info.optional else ())}, **info.requires}
    for id, range_ in sorted(asked.items()):
        place = head.place(("requires", id)) or head.place(("optional", id)) or Span(HEAD, 1, 1, 1)
        below = required_pack(id, head.place(("requires" if id in info.requires else "optional", id), True) or place, root, path, findings, library)
        if below is None or not fits(below, id, range_, place, findings, library):
            whole = False
        elif below.system is not None:
            whole = no_kind_twice(base, below.system, place, findings) and whole
            base = below.system if base is None else joined(base, below.system)
            assets |= below.assets
    return Needs(base, assets) if whole else None


def required_pack(id: str, place: Span, root: Path, path: tuple[str, ...], findings: Findings, library: Library) -> Loaded | None:
    """The pack `id` as it was loaded, or None when there is none (and the findings say why)."""
    if id in path:
        findings.add("circular-requires", "these packs require each other: " + " -> ".join((*path[path.index(id) :], id)), place, help="one of them must do without")
        return None
    found = find(id, root)
    if found is None:
        why = trouble(id)
        help = why or f"put it beside this one, or install a package that brings it; here for all are {', '.join(known())}"
        findings.add("missing-pack", f"the pack `{id}` is not {'to be had' if why else 'here'}{'' if why else did_you_mean(id, [*known(), *beside(root)])}", place, help=help)
        return None
    if len(path) > DEEPEST:
        findings.add("missing-pack", f"more than {DEEPEST} packs require one another here", place, help="require fewer packs; some of them can become one")
        return None
    if found not in library:
        library[found] = load_compiled(found) if found.is_file() else load_folder(found, path, library)
    return library[found]


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
        findings.add("clashing-ranges", said, place, help="get other versions of the packs that want it, such that their ranges meet, or do without one of them")
        return
    package = brought_by(below.root)
    where = f" (with the package {package})" if package else ""
    help = "change the range, or get another version" + (f": `pip install --upgrade {package.split()[0]}`" if package else "")
    findings.add("unmet-version", f"`{id}` is here in version {below.system.pack.version}{where}, but {in_words(range_)} is wanted", place, help=help)


def joined(one: System, other: System) -> System:
    """Two systems side by side; what both hold is held once."""
    packs = tuple({pack.id: pack for pack in (*one.packs, *other.packs)}.values())
    chapters = tuple({chapter.id: chapter for chapter in (*one.chapters, *other.chapters)}.values())
    users = {id: tuple(dict.fromkeys((*one.users.get(id, ()), *other.users.get(id, ())))) for id in {**one.users, **other.users}}
    return System(packs, {**one.kinds, **other.kinds}, {**one.entries, **other.entries}, chapters, users)
