"""What a person types in the making of a character: options, points and places."""

from __future__ import annotations

import re

from te_forge.characters.making import BadAnswer
from te_forge.engine.tell import listed
from te_forge.suggest import nearest


def option_called(said: str, options: list[str]) -> str:
    """The option that somebody means by its number, its name, or the beginning of its name; what was said when it is none."""
    if said.isdecimal() and 0 < int(said) <= len(options) and said not in options:
        return options[int(said) - 1]
    low = said.casefold()
    near = [one for one in options if one.casefold() == low] or [one for one in options if one.casefold().startswith(low)]
    if len(near) > 1:
        raise BadAnswer(f"`{said}` can be {listed(near)}; type more of it, or its number")
    return near[0] if near else said


def points_in(said: str) -> dict[str, int]:
    """`Reading 2, Riding +1` as names with numbers."""
    found = {name.strip(" ,;:"): int(number) for name, number in re.findall(r"([^\d,;+]*[^\d,;+\s:])[\s:+]*(\d{1,6})\b", said)}
    left = re.sub(r"([^\d,;+]*[^\d,;+\s:])[\s:+]*(\d{1,6})\b", "", said).strip(" ,;")
    if not found or left:
        raise BadAnswer("write a name and a number, such as `Name 2`; several with commas between them")
    return found


def place_called(name: str, places: tuple[str, ...]) -> int:
    """The place of this name; a beginning of it will do where it is the only one."""
    low = name.casefold()
    same = [at for at, place in enumerate(places) if place.casefold() == low] or [
        at for at, place in enumerate(places) if place.casefold().startswith(low)
    ]
    if len(same) == 1:
        return same[0]
    near = nearest(name, places)
    raise BadAnswer(
        f"`{name}` could be " + " or ".join(places[at] for at in same)
        if same
        else f"no points go to `{name}` here" + (f"; did you mean `{near}`?" if near else "")
    )
