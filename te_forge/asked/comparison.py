"""A comparison with a number, as command lines write it: `total <= 2`, `Ann.Wounds < 3`."""

from __future__ import annotations

import re
from typing import cast

from te_forge.asked.called import Refused, number_called, numbers
from te_forge.asked.somebody import somebody
from te_forge.asked.stated import holder_of, whole
from te_forge.engine.index import Rules
from te_forge.engine.reading import COMPARE, Reading, is_dice, told
from te_forge.engine.state import NOBODYS, Dice, State
from te_forge.frozen import frozen
from te_forge.suggest import did_you_mean

SIGNS = {">=": "at least", "<=": "at most", ">": "above", "<": "below", "=": "is", "==": "is"}
COMPARED = re.compile(r"\s*(.+?)\s*(>=|<=|==|=|>|<)\s*([+-]?\d+)\s*")


@frozen
class Comparison:
    """A number of somebody's, or a word of the procedure that runs, compared with a whole number."""

    holder: str
    name: str
    """The id of a number, or a word of procedures."""
    stored: bool
    compare: str
    number: int

    def holds(self, who: str, reading: Reading, text: str) -> bool:
        value = reading.stat(self.holder, self.name) if self.stored else self.in_mind(who, reading)
        if not isinstance(value, int):
            raise Refused(f"`{text}` asks for a number that is not there yet when it has to be answered")
        return COMPARE[self.compare](value, self.number)

    def in_mind(self, who: str, reading: Reading) -> object:
        """What the innermost procedure that has this word holds in it; of dice their sum."""
        for frame in reversed(reading.state.frames):
            slot = frame.words.get(self.name) or frame.hung.get((self.holder or who, self.name)) or frame.hung.get((NOBODYS, self.name))
            if slot is not None:
                value = told(reading.plain(slot.come_to()))
                return sum(face for face, _ in cast(Dice, value)) if is_dice(value) else value
        return None


def comparison(rules: Rules, state: State, text: str) -> Comparison | None:
    """None when the text compares nothing."""
    compared(text)
    found = COMPARED.fullmatch(text)
    if found is None:
        return None
    whose, _, name = found[1].rpartition(".")
    holder = somebody(rules, state, whose)[1] if whose else ""
    compare, number = SIGNS[found[2]], whole(found[3].removeprefix("+"), "the number of a comparison")
    entry = number_called(rules, name)
    if entry is not None:
        return Comparison(holder or holder_of(rules, state, entry), entry.id, True, compare, number)
    words = {word for one in rules.entries.values() for word in (*one.locals, *rules.declared.get(one.id, ()))}
    if name not in words:
        raise Refused(
            f"`{name}` is no number, and no procedure has a word of that name{did_you_mean(name, [*words, *(one.name for one in numbers(rules))])}"
        )
    return Comparison(holder, name, False, compare, number)


def compared(text: str) -> None:
    """Refuses what was meant as a comparison and is none."""
    sign = re.search(r"[<>=!]+", text)
    if sign is None:
        return
    if sign[0] not in SIGNS:
        raise Refused(f"`{sign[0]}` is no comparison in `{text}`; those are {', '.join(SIGNS)}")
    if not text[: sign.start()].strip() or not re.fullmatch(r"\s*[+-]?\d+\s*", text[sign.end() :]):
        raise Refused(f"`{text}` compares nothing; write a name, a comparison and a whole number, such as `total >= 9`")
