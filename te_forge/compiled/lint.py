"""What is wrong with a compiled pack."""

from __future__ import annotations

from te_forge.diagnostics import Findings
from te_forge.source import Source


def examined(source: Source, raw: bytes, findings: Findings) -> None:
    findings.add("bad-compiled-pack", "this is no compiled pack that can be read", source.span(1))
