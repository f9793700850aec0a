"""One procedure, run once: who decides what, and what it came to."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, cast

from te_forge.asked import Preset, answered
from te_forge.engine.effects import Decision
from te_forge.engine.index import Rules
from te_forge.engine.reading import is_dice
from te_forge.engine.state import Dice, Result
from te_forge.play.names import called, faces
from te_forge.play.table import Decide, Table


def with_presets(presets: tuple[Preset, ...], then: Decide) -> Decide:
    """Answers that were given beforehand, and for all other choices `then`."""

    def decide(effect: Decision, table: Table) -> tuple[Any, str]:
        found = answered(presets, effect, table.reading())
        return (found[0], "beforehand") if found else then(effect, table)

    return decide


def summary(rules: Rules, result: Result) -> Iterator[str]:
    """What a procedure came to: the numbers that each has, and its words."""
    for (who, word), value in result.hung.items():
        if isinstance(value, int):
            yield f"{called(rules, who)}'s {word}: {value}"
    for word, value in result.words.items():
        if isinstance(value, int):
            yield f"{word}: {value}"
        elif is_dice(value) and value:
            yield f"{word}: {faces(cast(Dice, value))}"
