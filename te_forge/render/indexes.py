"""What is looked up for every page of a book and made once for all of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from te_forge.model.system import Entry
from te_forge.render.changes import Derived
from te_forge.render.elsewhere import Others

Account = tuple[tuple[str, ...], ...]
"""For each step of an example, in sentences, what happened when it was played."""


@dataclass(frozen=True, slots=True)
class Indexes:
    """What is looked up for every page and made once for the book."""

    rulings: Mapping[str, Sequence[Entry]]
    """By citation, the rulings that cite it."""
    readings: Mapping[str, Sequence[Entry]]
    """By the id of a ruling, the readings that answer it."""
    notes: Mapping[str, str]
    """By id, the one sentence that says what it is."""
    elsewhere: Mapping[str, frozenset[str]]
    """By id, the rulings on the same citation that are about another entry of it."""
    accounts: Mapping[str, Account]
    """By the id of an example, what happened in it."""
    others: Mapping[tuple[str, str], Others]
    """By chapter, and the last thing of its list of a kind, the things of that kind in other chapters."""
    derived: Derived
    """Where the game comes from, and what is different in it."""
