"""te_forge: rules of tabletop games as text that is checked, composed, and printed as a book.

    import te_forge

    game = te_forge.load("srd-core")  # or a folder, or a compiled pack
    print(game["skill/athletics"].text)

The names of `__all__` are what other programs can rely on. They are loaded when they are first used, so that importing te_forge costs nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from te_forge.api.entry import Entry, Row
    from te_forge.api.errors import PackError, Refused
    from te_forge.api.game import Game
    from te_forge.api.loading import discover, load, verify
    from te_forge.api.results import Difference, Export, Installed, Odds, Rolled, Step
    from te_forge.characters.character import Character
    from te_forge.diagnostics import Diagnostic

__version__ = "0.1.0"

__all__ = [
    "Character",
    "Diagnostic",
    "Difference",
    "Entry",
    "Export",
    "Game",
    "Installed",
    "Odds",
    "PackError",
    "Refused",
    "Rolled",
    "Row",
    "Step",
    "discover",
    "load",
    "verify",
]

HOMES = {
    "api.entry": ("Entry", "Row"),
    "api.errors": ("PackError", "Refused"),
    "api.game": ("Game",),
    "api.loading": ("discover", "load", "verify"),
    "api.results": ("Difference", "Export", "Installed", "Odds", "Rolled", "Step"),
    "characters.character": ("Character",),
    "diagnostics": ("Diagnostic",),
}
HOME_OF = {name: home for home, names in HOMES.items() for name in names}


def __getattr__(name: str) -> Any:
    if name not in HOME_OF:
        raise AttributeError(f"te_forge has no `{name}`; what it offers is {', '.join(__all__)}")
    found = getattr(import_module(f"te_forge.{HOME_OF[name]}"), name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
