"""Checks every link and anchor of the pages that came out.

The pages are our own: each attribute stands in double quotes and each quote in a text is escaped, so a pattern finds exactly the attributes, at a
tenth of what an HTML parser costs.
"""

from __future__ import annotations

import html
import re
from collections import Counter
from collections.abc import Mapping, Set
from pathlib import Path
from urllib.parse import unquote

ID = re.compile(r'\sid="([^"]*)"')
LINK = re.compile(r'\s(?:href|src)="([^"]*)"')
FOREIGN = ("http://", "https://", "mailto:")


def check_links(root: Path) -> list[str]:
    """What is wrong with the links of the site in `root`: nothing, if all is well."""
    files = {path.relative_to(root).as_posix() for path in root.rglob("*") if path.is_file()}
    ids: dict[str, set[str]] = {}
    links: dict[str, list[str]] = {}
    found: list[str] = []
    for name in sorted(one for one in files if one.endswith(".html")):
        text = (root / name).read_text(encoding="utf-8")
        anchors = [html.unescape(anchor) for anchor in ID.findall(text)]
        ids[name] = set(anchors)
        links[name] = list(dict.fromkeys(LINK.findall(text)))
        found += [f"{name}: the anchor `{anchor}` is there {count} times" for anchor, count in Counter(anchors).items() if count > 1]
    for name, targets in links.items():
        found += [f"{name}: {why}" for target in targets if (why := broken(html.unescape(target), name, ids, files))]
    return found


def broken(target: str, here: str, ids: Mapping[str, Set[str]], files: Set[str]) -> str:
    """Why `target` leads nowhere, or an empty text."""
    if target.startswith(FOREIGN):
        return ""
    path, _, anchor = target.partition("#")
    page = unquote(path) or here
    if page in ids:
        return "" if not anchor or unquote(anchor) in ids[page] or anchor in ids[page] else f"`{target}` leads to no anchor"
    return "" if page in files else f"`{target}` leads to no page"
