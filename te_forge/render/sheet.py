"""A character's sheet as one page of HTML that needs nothing else: the theme's colours and type, printed on one side of paper.

What stands on the sheet is handed over as plain values. All of it is data, and is escaped; the page runs no script and asks no other host.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from te_forge.render.typeset import curled_html, is_english
from te_forge.resources import folder

MARK = "te_forge: the sheet of a character"
"""Stands at the head of every sheet, so that a sheet may be printed over an older one and over nothing else."""
MOST_ROWS = 40
"""So many lines of numbers stand below one another on one side of paper; more stand in two columns."""
ROOT = re.compile(r"^:root \{.*?^\}", re.M | re.S)


@cache
def environment() -> Environment:
    return Environment(
        loader=FileSystemLoader(folder("templates") / "sheet"), autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )


@cache
def style() -> Markup:
    """The theme's light colours and type, and the sheet's own rules."""
    theme = (folder("templates") / "theme/css/book.css").read_text(encoding="utf-8")
    found = ROOT.search(theme)
    own = (folder("templates") / "sheet/sheet.css").read_text(encoding="utf-8")
    return Markup((found[0] + "\n" if found else "") + own)


def as_html(sheet: Mapping[str, Any]) -> str:
    """The page of one sheet (the values of `characters.sheet.Sheet`)."""
    page = environment().get_template("sheet.html").render(sheet=sheet, mark=MARK, style=style(), size=size(sheet), many=rows(sheet) > MOST_ROWS)
    head, body, rest = page.partition("<body")
    return head + (curled_html(body + rest) if is_english(sheet["language"]) else body + rest)


def rows(sheet: Mapping[str, Any]) -> int:
    """How long the column of numbers is, in lines."""
    groups = [group["numbers"] for group in sheet["groups"] if group["numbers"]]
    return len(sheet["fields"]) + sum(2 + sum(2 if one["boxes"] else 1 for one in numbers) for numbers in groups)


def size(sheet: Mapping[str, Any]) -> str:
    """How small the rules are set, so that they fit on one side."""

    def letters(value: Any) -> int:
        if isinstance(value, str):
            return len(value)
        if isinstance(value, Mapping):
            return sum(letters(one) for one in value.values()) + 30
        return sum(letters(one) for one in value) if isinstance(value, tuple | list) else 0

    count = letters([group["traits"] for group in sheet["groups"]]) + letters(sheet["notes"])
    return "large" if count < 2200 else "middling" if count < 4500 else "small"
