"""The registry of codes and the source agree, both ways and in severity."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

from te_forge.codes import CODES

ROOT = Path(__file__).parents[1] / "te_forge"
SAYS = {"add", "complain", "Said", "said", "Diagnostic", "Refused", "refused"}


def used() -> Iterator[tuple[str, str]]:
    """Every code that the source says, with its severity."""
    for file in sorted(ROOT.rglob("*.py")):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and len(node.args) > 1:
                name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
                if name in SAYS:
                    stated = node.args[3] if name == "Diagnostic" and len(node.args) > 3 else None
                    stated = next((one.value for one in node.keywords if one.arg == "severity"), stated)
                    severity = stated.value if isinstance(stated, ast.Constant) else "error"
                    yield from ((code, str(severity)) for code in texts(node.args[0]))
            elif isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") == "code":
                yield from ((code, "error") for code in texts(node.value))


def texts(node: ast.expr) -> Iterator[str]:
    parts = [node.body, node.orelse] if isinstance(node, ast.IfExp) else [node]
    yield from (one.value for one in parts if isinstance(one, ast.Constant) and isinstance(one.value, str) and "-" in one.value)


def test_every_code_that_is_said_is_registered_and_the_other_way_round() -> None:
    assert {code for code, _ in used()} == set(CODES)


def test_severities_agree() -> None:
    assert {(code, severity) for code, severity in used()} == {(one.code, one.severity) for one in CODES.values()}
