"""The heads of tables: columns that nothing reads, and what a cell of `holds` would have to say."""

from __future__ import annotations

import re

from te_forge.check.fields import ANY, ENGINE_FIELDS
from te_forge.check.names import Names
from te_forge.diagnostics import Findings
from te_forge.suggest import a
from te_forge.syntax.text import reads, rule_in
from te_forge.syntax.tree import Cell, Table

PROSE_COLUMNS = ("description", "meaning", "notes", "prose", "text", "what it is")
PLAIN = {
    "number": "a number", "numbers": "a number", "integer": "a number", "text": "a text", "words": "a text", "string": "a text", "change": "a change",
    "changes": "a change", "bonus": "a change", "modifier": "a change", "die": "dice", "d6": "dice", "boolean": "one of Yes or No", "yes or no": "one of Yes or No",
}  # fmt: skip
NAMES = re.compile(r"(?:one of )?[A-Z][\w'-]*(?:(?:, | or |, or |/)[A-Z][\w'-]*)+")


def holds_help(cell: str, names: Names) -> str:
    """What an author most likely meant a field to hold."""
    word = cell.strip().lower()
    last = word.rpartition(" ")[2]
    if word in PLAIN:
        return f"write `{PLAIN[word]}`"
    if word in names.kinds:
        return f"write `{a(word)}`"
    if last in names.plurals:
        return f"write `a group of {last}`"
    if NAMES.fullmatch(cell.strip()):
        return "write `one of " + " or ".join(re.findall(r"[A-Z][\w'-]*", cell)) + "`"
    return "for example `a number`, `a skill`, `a group of features`, `one of Big or Small`, `dice`"


def unknown_columns(table: Table, names: Names, findings: Findings) -> frozenset[str]:
    """The columns of a table of things that are no field of theirs, each said once."""
    kind = table.head[0].text
    info = names.kinds.get(kind)
    if info is None:
        return frozenset()
    slots = names.slots.get(kind, {})
    known = {*slots, *(one.label for one in ENGINE_FIELDS.values() if ANY in one.on or info.nature in one.on)}
    unknown: list[Cell] = []
    for cell in table.head[1:]:
        number = info.nature == "actor" and any(names.nature(id) == "number" for id in names.find(cell.text))
        if cell.text not in ("", "text") and cell.text not in known and not number:
            unknown.append(cell)
    for cell in unknown:
        near = names.nearest(
            cell.text, known if info.nature != "actor" else {*known, *(names.title[id] for id in names.title if names.nature(id) == "number")}
        )
        where = "prose goes under `text`"
        if cell.text.lower() not in PROSE_COLUMNS:
            row = f"`| {cell.text} | a number | 0 | what it says |`"
            declare = f"declare it below `## kind: {kind}`, in the table `| label | holds | default | text |`, by a row such as {row}; prose goes under `text`"
            where = f"did you mean `{near}`?" if near else declare
        findings.add("unknown-column", f"{a(kind)} has no field called `{cell.text}`", cell.span, help=where)
    return frozenset(cell.text for cell in unknown)


def capitals_in_head(table: Table, findings: Findings) -> None:
    """A column of a rolled table whose cells are rules, and that is written with a capital: then it would only be printed."""
    effect = any(cell.text.lower() == "effect" for cell in table.head)
    for column, cell in enumerate(table.head[1:], 1):
        cells = [row[column].text for row in table.rows if len(row) > column and row[column].text not in ("", "-")]
        if cell.text.lower() == "effect" != cell.text and any(map(reads, cells)):
            capital(cell, findings)
            table.head[column] = Cell("effect", cell.span)
        elif not effect and cell.text[:1].isupper() and cells and all(map(says, cells)):
            findings.add("capital-in-head", f"below `{cell.text}` stand rules, and they would only be printed", cell.span, help="write `effect`")
            table.head[column] = Cell("effect", cell.span)
            effect = True


def says(cell: str) -> bool:
    """Whether a cell reads as a sentence of the rules."""
    tree = rule_in(cell)
    return tree is not None and tree.node("says") is not None


def capital(cell: Cell, findings: Findings) -> None:
    small = cell.text.lower()
    findings.add("capital-in-head", f"`{cell.text}` has a capital, so this would only be printed", cell.span, help=f"write `{small}`")
