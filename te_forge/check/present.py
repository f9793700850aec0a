"""What is there only together with another pack: a thing, part or change below whose heading stands `- Only With: "night-market >=1.1"`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from te_forge.check.below import label_of, strings
from te_forge.diagnostics import Findings
from te_forge.frozen import replace
from te_forge.model.pack import PackInfo
from te_forge.suggest import nearest
from te_forge.syntax.tree import Heading, Page, Rule

LABEL = "Only With"
WISH = re.compile(r"([a-z][a-z0-9-]*)\s*(.*)")


def in_this_game(pages: Sequence[Page], info: PackInfo, packs: Iterable[PackInfo], findings: Findings) -> list[Page]:
    """The pages without what belongs to packs that are not here, and without the lines that say so."""
    versions = {pack.id: pack.version for pack in packs}
    return [
        replace(page, headings=list(headings(page.headings, info, versions, findings))) if any(map(conditions, page.headings)) else page
        for page in pages
    ]


def headings(found: Sequence[Heading], info: PackInfo, versions: Mapping[str, str], findings: Findings) -> Iterator[Heading]:
    gone = 0
    for heading in found:
        if gone and heading.level > gone:
            continue
        gone = 0
        lines = conditions(heading)
        if not all(holds(line, info, versions, findings) for line in lines):
            gone = heading.level
        elif lines:
            yield replace(heading, body=[part for part in heading.body if part not in lines])
        else:
            yield heading


def conditions(heading: Heading) -> list[Rule]:
    return [rule for rule in heading.parts.rules if "Only" in rule.text and label_of(rule) == LABEL] if heading.level > 1 else []


def holds(line: Rule, info: PackInfo, versions: Mapping[str, str], findings: Findings) -> bool:
    """Whether the pack that a line names is here, in the version that it names."""
    from packaging.specifiers import InvalidSpecifier, SpecifierSet

    said = strings(line)
    wish = WISH.fullmatch(said[0].strip()) if len(said) == 1 else None
    known = [*info.requires, *info.optional]
    if wish is None:
        findings.add(
            "wrong-type",
            f"`{LABEL}` takes the id of a pack, and versions of it if they matter",
            line.span,
            help=f'write `- {LABEL}: "night-market >=1.1"`',
        )
        return False
    if wish[1] not in known:
        near = nearest(wish[1], known)
        findings.add(
            "missing-pack",
            f"pack.yaml names no pack `{wish[1]}`",
            line.span,
            help=f"did you mean `{near}`?" if near else f"add it there: `optional: {{{wish[1]}: '>=1.0'}}`",
        )
        return False
    try:
        wanted = SpecifierSet(wish[2])
    except InvalidSpecifier:
        findings.add("bad-version-range", f"`{wish[2]}` is no range of versions", line.span, help=f'write for example `- {LABEL}: "{wish[1]} >=1.0"`')
        return False
    return wish[1] in versions and versions[wish[1]] in wanted
