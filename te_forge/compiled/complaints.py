"""How something is said of a compiled pack: in words, with the place in the document and in the file, and not without end."""

from __future__ import annotations

from typing import Any

from te_forge.compiled.where import Path, Where, pointer
from te_forge.diagnostics import Findings, Severity
from te_forge.source import UNSEEN

ANEW = "compile the pack anew"
MOST = 100
"""So many mistakes are told; nobody reads on, and they mostly follow from the first."""
MOST_STEPS = 20
"""So many steps of a path are told in words."""


class Enough(Exception):
    """More need not be said."""


class Complaints:
    """What is said of one document. `said` counts."""

    def __init__(self, whole: dict[str, Any], where: Where, findings: Findings) -> None:
        self.whole, self.where, self.findings = whole, where, findings
        self.said = 0

    def complain(self, code: str, message: str, path: Path, help: str = ANEW, severity: Severity = "error") -> None:
        self.said += 1
        if self.said > MOST:
            raise Enough
        place = f" ({pointer(path)})" if 0 < len(path) <= MOST_STEPS * 2 else ""
        self.findings.add(code, f"{message}{place}", self.where.span(path), help=help, severity=severity)

    def bad(self, message: str, path: Path, help: str = ANEW) -> None:
        self.complain("bad-compiled-pack", f"{self.called(path)}: {message}", path, help)

    def called(self, path: Path) -> str:
        """A place in words: `my-game:skill/climbing: lines[2].label`."""
        name, rest = "", path
        if len(path) > 1 and path[0] in ("entities", "chapters"):
            found = self.whole[path[0]][path[1]]
            uid = found.get("uid") if isinstance(found, dict) else None
            if isinstance(uid, str):
                name, rest = f"{uid[:120]}, " if path[2:] else uid[:120], path[2:]
        told = "".join(f"[{step}]" if isinstance(step, int) else f".{step[:80]}" for step in rest[:MOST_STEPS]).removeprefix(".") + (
            ".." if len(rest) > MOST_STEPS else ""
        )
        return UNSEEN.sub("?", f"{name}{told}") or "the file"
