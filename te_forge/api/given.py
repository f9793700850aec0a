"""What other programs give, as te_forge takes it: held against what is needed before anything is made of it, so that whoever gives something else is told which."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from te_forge.api.errors import Refused

SHOWN = 60


def shown(value: object) -> str:
    """A value in a message. Some have no text: a whole number of five thousand digits."""
    try:
        text = repr(value)
    except ValueError:
        return f"a {type(value).__name__}"
    return text if len(text) <= SHOWN else f"{text[: SHOWN - 1]}…"


def text(value: object, what: str) -> str:
    if not isinstance(value, str):
        raise Refused(f"{what} must be text, and {shown(value)} is none")
    try:
        value.encode("utf-8")
    except UnicodeEncodeError:
        raise Refused(f"{what} cannot be written as text: {value!a}") from None
    return value


def several(values: object, what: str) -> tuple[str, ...]:
    """The names; one by itself is one name, and not its letters."""
    if isinstance(values, str):
        return (text(values, what),)
    if isinstance(values, bytes) or not isinstance(values, Iterable):
        raise Refused(f"{what} must be a list of texts, and {shown(values)} is none; write [..] around it")
    return tuple(text(one, f"each of {what}") for one in values)


def pairs(values: object, what: str) -> dict[str, str]:
    """A mapping of names to whatever can be written behind `name=`."""
    if not isinstance(values, Mapping):
        raise Refused(f"{what} must be a mapping, such as {{'name': 'value'}}, and {shown(values)} is none")
    found = {}
    for key, value in values.items():
        if not isinstance(value, str | int):
            raise Refused(f"{what}: {shown(key)} must be text or a whole number, and {shown(value)} is none")
        try:
            found[text(key, f"each name in {what}")] = str(value)
        except ValueError as error:
            raise error if isinstance(error, Refused) else Refused(f"{what}: {shown(key)} has too many digits") from None
    return found


def faces(rolls: object) -> list[Sequence[int]]:
    """What dice show: for each roll a list of whole numbers."""
    wanted = "dice must be a list with a list of faces for each roll, such as [[5, 3], [2]]"
    if isinstance(rolls, str | bytes) or not isinstance(rolls, Iterable):
        raise Refused(f"{wanted}, and {shown(rolls)} is none")
    found = list(rolls)
    if any(isinstance(one, int) for one in found):
        raise Refused(f"`dice` holds a list of faces for each roll; for one roll write dice=[{shown(found)}]")
    for one in found:
        if not isinstance(one, Sequence) or not all(type(face) is int for face in one):
            raise Refused(f"{wanted}, and {shown(one)} is none")
    return found


def place(path: object, what: str) -> Path:
    """A path that a file or folder can have."""
    if not isinstance(path, str | os.PathLike):
        raise Refused(f"{what} must be a path, and {shown(path)} is none")
    found = os.fspath(path)
    if not isinstance(found, str) or "\0" in found:
        raise Refused(f"{what} must be a path, and {shown(found)} is none")
    return Path(found)
