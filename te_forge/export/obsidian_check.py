"""Our own look at a vault: links that lead somewhere, pictures that are there, tables whose rows cover their die, and bars that are letters."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import unquote

from te_forge.export.exporter import Verdict

LINK = re.compile(r"(?<!\\)\[\[([^\[\]|\n^#\\]+)(?:#[^\[\]|\n^]*)?(?:\^([A-Za-z0-9-]+))?(?:\\?\|[^\[\]\n]*)?\]\]")
PICTURE = re.compile(r"!\[(?:[^\[\]\\]|\\.)*\]\(([^()\s]*)\)")
CODE = re.compile(r"^(`{3,})[^\n]*\n.*?^\1$", re.M | re.S)
HEAD = re.compile(r"^\| dice: (\d+)d(\d+) \|.*\n\|[-| ]+\n((?:\|.*\n)+)", re.M)
BAR = re.compile(r"(?<!\\)\|")


def checked(folder: Path) -> Verdict:
    notes = {
        path.relative_to(folder).as_posix().removesuffix(".md"): path.read_text(encoding="utf-8")
        for path in sorted(folder.rglob("*.md"))
        if not path.relative_to(folder).parts[0].startswith(".")
    }
    others = {path.name for path in folder.rglob("*") if path.is_file() and path.suffix != ".md"}
    wrong = [
        f"{note}.md: {said}"
        for note, text in notes.items()
        for said in (*links(text, notes, others), *pictures(text, (folder / note).parent, folder), *tables(text))
    ]
    return Verdict(
        "links, pictures and tables",
        "failed" if wrong or not notes else "passed",
        "te_forge",
        tuple(wrong) or (() if notes else ("there are no notes",)),
    )


def links(text: str, notes: dict[str, str], others: set[str]) -> Iterator[str]:
    for target, mark in LINK.findall(CODE.sub("", text)):
        if target not in notes and target not in others:
            yield f"[[{target}]] leads nowhere"
        elif mark and not re.search(rf"^\^{mark}$", notes.get(target, ""), re.M):
            yield f"[[{target}^{mark}]]: there is no such mark"


def pictures(text: str, here: Path, folder: Path) -> Iterator[str]:
    """Each picture is a file of the vault."""
    for address in PICTURE.findall(CODE.sub("", text)):
        path = here / unquote(address)
        if not path.resolve().is_relative_to(folder.resolve()):
            yield f"the picture {address} lies outside of the vault"
        elif not path.is_file():
            yield f"the picture {address} is not there"


def tables(text: str) -> Iterator[str]:
    for number, sides, body in HEAD.findall(CODE.sub("", text) + "\n"):
        faces: list[int] = []
        for row in body.splitlines():
            low, _, high = BAR.split(row)[1].strip().partition("-")
            if not low.isdigit() or (high and not high.isdigit()):
                yield f"`{row[:40]}` covers no numbers of its die"
                return
            faces += range(int(low), min(int(high or low), int(low) + 10_000) + 1)
        if sorted(faces) != list(range(int(number), int(number) * int(sides) + 1)):
            yield f"the rows of its table do not cover {number}d{sides}, each number once"
    for block in re.findall(r"(?:^\|.*\|$\n?)+", CODE.sub("", text), re.M):
        if len({len(BAR.split(row)) for row in block.splitlines()}) > 1:
            yield f"the rows of a table have not the same number of cells: {block.splitlines()[0][:60]}"
