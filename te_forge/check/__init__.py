"""From pages to a system, with everything that is wrong on the way.

The passes: `declare` (who is there), `slots` (what kinds and procedures show), `lower` (entries), `book` (prose and chapters), `lints` (what is
well-formed and still wrong). What lines mean is read in layers, each a class upon the one before: `meant`, `references`, `numbers`, `events`, `changing`,
`choosing`, `sentences`, `openers`, `lines`, `atoms`, `values`, `cells`, `patches`. Results of a pass never go into the syntax tree.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import ChainMap, Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from te_forge.check.bases import copies
from te_forge.check.book import BookReader
from te_forge.check.declare import Declarer
from te_forge.check.lower import Derive, Lowerer
from te_forge.check.names import DECLARED, ONE_DECLARED, SWITCHES, Names
from te_forge.check.present import in_this_game
from te_forge.check.printed import Printer
from te_forge.check.required import names_from
from te_forge.check.slots import Slots
from te_forge.collector import collector_paused
from te_forge.diagnostics import Diagnostic, Findings, tidy
from te_forge.frozen import replace
from te_forge.keys import slug
from te_forge.model.pack import PackInfo
from te_forge.model.system import Entry, System
from te_forge.source import Source, Span
from te_forge.syntax.chapter import read_source
from te_forge.syntax.tree import Page


def check(
    pages: Sequence[Source],
    info: PackInfo,
    base: System | None = None,
    assets: Collection[str] = (),
    derive: Derive | None = None,
    lints: bool = True,
) -> tuple[System | None, list[Diagnostic]]:
    """Read, resolve and check one pack on top of `base`, the composed system of what it requires.

    `assets` are the pack's asset paths (`assets/map.png`). `derive` makes copies (`Based On`); without it they have no more than they say themselves.
    Without `lints` only what cannot be read is told, which is all that can be wrong with a page of nobody's rules. Returns the system (None only when
    there is nothing to make one of) and every diagnostic of all pages, sorted by place. Mistakes never raise.
    """
    with collector_paused():
        return checked(pages, info, base, assets, derive, lints)


def checked(
    pages: Sequence[Source], info: PackInfo, base: System | None, assets: Collection[str], derive: Derive | None, lints: bool
) -> tuple[System | None, list[Diagnostic]]:
    findings, names = Findings(), names_from(base)
    trees, declared, lowerer, own = lowered(pages, info, base.packs if base else (), names, findings, derive)
    entries = {**(base.entries if base else {}), **own}
    bare = System((*(base.packs if base else ()), info), dict(names.kinds), entries, (), {})
    own, chapters = BookReader(bare, declared, lowerer, names, findings).run()
    own = with_copies(own, replace(bare, entries={**entries, **own}), declared, derive)
    users = {id: dict.fromkeys(old) for id, old in base.users.items()} if base else {}
    for user, used in lowerer.mentions.items():
        for id in sorted(used):
            users.setdefault(id, {})[user] = None
    system = replace(
        bare, entries={**entries, **own}, chapters=(*(base.chapters if base else ()), *chapters), users={id: tuple(all_) for id, all_ in users.items()}
    )  # fmt: skip
    starts = {page.path: [1, *(head.span.line for head in page.headings if head.level > 1)] for page in trees}
    broken = {part_of(one, starts) for one in findings if one.severity == "error"}
    files, has_copies = {page.path for page in trees}, bool(copies(declared.decls))
    wrong_lines = {(one.span.file, one.span.line) for one in findings if one.severity == "error"}
    unread = said_in(pages, broken, starts) if broken else ""
    for one in linted(system, info.id, assets) if lints else ():
        if has_copies and one.span.file not in files:
            continue  # a line that a copy has from another pack is that pack's to mend
        if one.code == "never-happens" and (one.span.file, one.span.line) in wrong_lines:
            continue  # it does not stand where it was meant to
        if one.code in MISSED and any(re.search(rf"\b{re.escape(name)}s?\b", unread) for name in defined_at(one.span, own)):
            continue
        if one.code not in FOLLOWS or part_of(one, starts) not in broken:
            findings.keep(one)
    undashed = {part_of(one, starts) for one in findings if one.code == "missing-dash"}
    return system, once_each_kind(tidy([one for one in findings if one.code not in FOLLOWS_DASH or part_of(one, starts) not in undashed]))


def once_each_kind(found: list[Diagnostic]) -> list[Diagnostic]:
    """A kind that is not there is told of where it is first spoken of: declaring it mends all other lines."""
    declare = tuple(one.partition("{}")[2] for one in (DECLARED, ONE_DECLARED))
    missing = [one for one in found if (one.help or "").endswith(declare) and "did you mean" not in one.message]
    many, first = Counter(one.help for one in missing), {one.help: one for one in reversed(missing)}
    others = {id(one) for one in missing if one is not first[one.help]}
    return [
        replace(one, message=f"{one.message}, and {lines_more(many[one.help] - 1)} of it")
        if first.get(one.help) is one and many[one.help] > 1
        else one
        for one in found
        if id(one) not in others
    ]


def lines_more(many: int) -> str:
    return f"{many} more lines speak" if many > 1 else "1 more line speaks"


def lowered(
    pages: Sequence[Source], info: PackInfo, packs: Sequence[PackInfo], names: Names, findings: Findings, derive: Derive | None = None
) -> tuple[list[Page], Declarer, Lowerer, dict[str, Entry]]:
    """The pages of a pack as they read on top of `packs`, and the entries that they define, without their prose. `names` are those of the packs;
    here come those of the pages.
    """
    trees = in_this_game([read_source(page, findings) for page in pages], info, packs, findings)
    declared = Declarer(info.id, names, findings)
    declared.run(trees)
    names.off = parts_of_off(declared, names, [*packs, info])
    slots = Slots(declared, names, findings)
    slots.run()
    lowerer = Lowerer(slots, names, findings, derive)
    own = lowerer.run()
    if any(one.wording or one.rather for one in findings):
        from te_forge.check.filled import Filler  # most packs read well, and need none of it

        Filler(list(declared.decls.values()), names).fill(findings)
    return trees, declared, lowerer, own


def check_example(page: Source, info: PackInfo, base: System, names: Names) -> tuple[Entry | None, list[Diagnostic]]:
    """The example of a page that holds nothing else, with what is wrong with it: for a line that somebody types, of which no book is made.

    `names` are those of `base`, which whoever reads many such lines finds out once.
    """
    findings = Findings()
    own = lowered([page], info, base.packs, names.for_examples(), findings)[-1]
    return next(iter(own.values()), None), tidy(findings)


def linted(system: System, pack: str, assets: Collection[str]) -> Iterator[Diagnostic]:
    from te_forge.check.lints import lint  # who asks for one line that somebody typed does not wait for them

    return lint(system, pack, assets)


def parts_of_off(declared: Declarer, names: Names, packs: Iterable[PackInfo]) -> set[str]:
    """Whatever is a part of a hack that no pack.yaml has on."""
    on = {slug(name.rpartition("/")[2]) for pack in packs for name in (*pack.hacks, *pack.rulings.values())}
    hacks = {id for id, kind in names.kind_of.items() if kind in SWITCHES and id.rpartition("/")[2] not in on and slug(names.title[id]) not in on}
    if not hacks:
        return set()
    owners = {
        **{entry.id: entry.owner for entry in names.entries.values() if entry.owner is not None},
        **{decl.id: decl.owner.id for decl in declared.decls.values() if decl.owner is not None},
    }
    return {id for id, owner in owners.items() if owner in hacks or owners.get(owner) in hacks}


def with_copies(own: dict[str, Entry], system: System, declared: Declarer, derive: Derive | None) -> dict[str, Entry]:
    """The entries with each copy made once more, now that there is prose to copy."""
    if derive is None:
        return own
    made = dict(own)
    known = replace(system, entries=ChainMap(made, dict(system.entries)))
    found = copies(declared.decls)
    for decl in found:
        made[decl.id] = derive(made[decl.id], known.entries[decl.base], known, Findings())
    printer = Printer(known, Findings()) if found else None
    return {**made, **{decl.id: printer.entry(made[decl.id]) for decl in found if printer is not None}}


FOLLOWS = (
    "always-the-same",
    "bad-deck",
    "counts-nothing",
    "divided-by-nothing",
    "endless-repeat",
    "missing-field",
    "no-outcome",
    "no-such-face",
    "never-read",
    "number-of-nobody",
    "plain-comparison",
    "rule-without-lines",
    "unused-outcome",
    "value-of-nobody",
)
"""What a line that did not read may bring about in its neighbours: said only where every line of the definition was understood."""

FOLLOWS_DASH = ("lost-otherwise", "nothing-below")
"""What a rule without its dash brings about around it, since it is no line."""
MISSED = ("spent-never-gained", "unused-definition")
"""What is said of a thing that nothing speaks of: not where a line that did not read does."""


def said_in(pages: Sequence[Source], broken: Collection[tuple[str, int]], starts: Mapping[str, Sequence[int]]) -> str:
    """The text of the definitions in which something is wrong, so that their lines may not have been read."""
    return "\n".join(
        line for page in pages for number, line in enumerate(page.lines, 1) if (page.path, bisect_right(starts.get(page.path, ()), number)) in broken
    )  # fmt: skip


def defined_at(span: Span, entries: Mapping[str, Entry]) -> Iterator[str]:
    """The names of what is defined at this place."""
    for entry in entries.values():
        if entry.span == span:
            yield from (entry.name, *entry.aliases)


def part_of(one: Diagnostic, starts: Mapping[str, Sequence[int]]) -> tuple[str, int]:
    """The definition that a diagnostic stands in: its file, and which of the headings (whose lines are in `starts`) it is below."""
    return one.span.file, bisect_right(starts.get(one.span.file, ()), one.span.line)
