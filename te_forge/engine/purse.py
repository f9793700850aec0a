"""What whoever decides wants to know: what is left of that by which a loop goes on, and how high the numbers are that are offered."""

from __future__ import annotations

from te_forge.engine.index import Rules
from te_forge.engine.reading import Reading, as_group
from te_forge.engine.state import State
from te_forge.model import rules as m
from te_forge.model.walk import nodes


def left(rules: Rules, state: State, why: str) -> str:
    """`points 12`, where the step that asks goes on `until the points is 0`; empty where nothing is counted so, or nothing is left."""
    entry = rules.entries.get(why.partition("#")[0])
    frame = next((one for one in reversed(state.frames) if entry is not None and one.procedure == entry.id), None)
    if entry is None or frame is None:
        return ""
    step = why.partition("#")[2].partition("/")[0]
    lines = [line.meaning for one in entry.steps if one.id == f"{entry.id}#{step}" for line in one.lines]
    asked = [one.until for one in nodes(tuple(lines)) if isinstance(one, m.Repeat) and one.until is not None]
    words = dict.fromkeys(one.word for one in nodes(tuple(asked)) if isinstance(one, m.Local) and one.word in frame.words)
    values = {word: frame.words[word].come_to() for word in words}
    return ", ".join(f"{word} {value}" for word, value in values.items() if isinstance(value, int) and value > 0)


def height(reading: Reading, who: str, stat: str) -> int | None:
    """How high a number is that is offered: that of who decides, or of the only one who takes part in what runs and has it."""
    if reading.has_number(who, stat):
        return reading.stat(who, stat)
    frame = reading.state.frames[-1]
    taking = {str(one) for role in frame.roles if role in frame.words for one in as_group(frame.words[role].come_to()) if isinstance(one, str)}
    having = [one for one in taking if one in reading.state.people and reading.has_number(one, stat)]
    return reading.stat(having[0], stat) if len(having) == 1 else None
