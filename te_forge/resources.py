"""Finds the folders that are not Python: grammars, systems, templates.

In a wheel they lie inside the package (as `_grammars`, `_systems`, `_templates`); in a checkout or an editable install beside it.
"""

from __future__ import annotations

from pathlib import Path

HERE = Path(__file__).resolve().parent


def folder(name: str) -> Path:
    """The folder `name` (`grammars`, `systems` or `templates`) of this installation."""
    for place in (HERE / f"_{name}", HERE.parent / name):
        if place.is_dir():
            return place
    raise FileNotFoundError(f"te_forge is not installed whole: its folder {name} is missing")
