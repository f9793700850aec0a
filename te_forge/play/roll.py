"""One procedure, run once: who decides what, and what it came to."""

from __future__ import annotations

from typing import Any

from te_forge.asked import Preset, answered
from te_forge.engine.effects import Decision, Number
from te_forge.keys import slug
from te_forge.play.table import Decide, Table


def with_presets(presets: tuple[Preset, ...], then: Decide) -> Decide:
    """Answers that were given beforehand, and for all other choices `then`."""

    def decide(effect: Decision, table: Table) -> tuple[Any, str]:
        found = answered(presets, effect, table.reading())
        if not found:
            return then(effect, table)
        if isinstance(effect, Number) and (
            wanted := next((one for one in presets if one.used and one.values[0].isdecimal() and slug(effect.word) == one.word), None)
        ):
            beyond(table, effect, wanted)
        return found[0], "beforehand"

    return decide


def beyond(table: Table, effect: Number, wanted: Preset) -> None:
    """A number that is higher than what can be had or paid is cut down to it, and that is said."""
    if int(wanted.values[0]) > effect.high:
        table.teller.say(f"`{wanted.text}` is more than can be had here: {effect.high} is the most")
