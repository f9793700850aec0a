"""What other programs give, as te_forge takes it."""

from __future__ import annotations

from collections.abc import Iterable


def several(names: str | Iterable[str]) -> tuple[str, ...]:
    """The names; one by itself is one name, and not its letters."""
    return (names,) if isinstance(names, str) else tuple(names)
