"""Beginners' slips: each page of `slips/` has one, and gets one plain finding, on the line that ends in `#! code column N`."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from te_forge.check import check
from te_forge.model.pack import PackInfo
from te_forge.source import Source

HERE = Path(__file__).parent
SLIPS = sorted((HERE / "slips").glob("*.te"))
MARK = re.compile(r" #! ([a-z-]+) column (\d+)$", re.MULTILINE)


@pytest.mark.parametrize("path", SLIPS, ids=lambda path: path.stem)
def test_one_slip_gives_one_error(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    marks = [(at, *found.groups()) for at, line in enumerate(text.split("\n"), 1) if (found := MARK.search(line))]
    pages = [Source("prelude.te", (HERE / "prelude.te").read_text(encoding="utf-8")), Source("page.te", MARK.sub("", text))]
    _, found = check(pages, PackInfo(id="small", title="A Small Game", version="1.0.0"))
    assert [(one.span.line, one.code, str(one.span.column)) for one in found if one.severity == "error"] == marks
    assert len(marks) == (path.stem != "good")
