"""What the commands share that look at hacks: packs whose hacks need not go together, and names and places as people write them."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from te_forge.cli import opened, stopped_by, told

if TYPE_CHECKING:
    from te_forge.model.system import System
    from te_forge.packs import Loaded
    from te_forge.source import Span
    from te_forge.tried import Tried

OF_A_SET = ("patch-conflict", "missing-hack")
"""What is wrong with the hacks that are on; it is what one asks about here, and stops nothing."""


def sound(pack: str, tried: Tried | None = None, data: bool = False) -> Loaded:
    """A pack in which nothing else is wrong; other mistakes end the command."""
    loaded = opened(pack, tried)
    loaded = replace(loaded, diagnostics=[one for one in loaded.diagnostics if one.severity == "error" and one.code not in OF_A_SET])
    if told(loaded, data):
        sys.exit(stopped_by(loaded))
    return loaded


class Names:
    """Names for ids, and places as they are called from here (`files`)."""

    def __init__(self, system: System, files: Mapping[str, str]) -> None:
        self.system, self.files = system, files

    def name(self, id: str) -> str:
        return self.system.entries[id].name if id in self.system.entries else id

    def file(self, span: Span) -> str:
        return self.files.get(span.file, span.file)

    def place(self, span: Span) -> str:
        return f"{self.file(span)}:{span.line}"

    def data(self, span: Span) -> dict[str, object]:
        return {"file": self.file(span), "line": span.line}
