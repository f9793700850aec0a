"""Lines to blocks: a rule with the lines that are set in below it, a table with its rows.

This is what the parser makes of the grammar's `page`, and a test holds the two to each other. The parser needs eight times as long, since it looks
for a shape that the lines of a page have already: whatever is set in stands between INDENT and DEDENT, and what stands alone is itself.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from te_forge.syntax.shapes import Shaped

ALONE = {"H1": "chapter", "H2": "entry", "H3": "part", "RULE": "rule", "STEP": "step"}
IN_A_ROW = {"ROW": "table", "PROSE": "prose"}
"""Shapes of which neighbours make one block."""


class Block(NamedTuple):
    """Lines that belong together: `data` is the name of the grammar's rule for them."""

    data: str
    parts: list[Shaped | Block]


def page_of(lines: Iterable[Shaped]) -> Block:
    page = Block("page", [])
    around = [page]
    for line in lines:
        shape, parts = line.shape, around[-1].parts
        above = parts[-1] if parts else None
        if shape == "INDENT" and isinstance(above, Block):
            around.append(Block("block", [line]))
            above.parts.append(around[-1])
        elif shape in IN_A_ROW and isinstance(above, Block) and above.data == IN_A_ROW[shape]:
            above.parts.append(line)
        elif name := ALONE.get(shape) or IN_A_ROW.get(shape):
            parts.append(Block(name, [line]))
        else:
            parts.append(line)
            if shape == "DEDENT":
                around.pop()
    return page
