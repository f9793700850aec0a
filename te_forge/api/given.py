"""What other programs give, as te_forge takes it: held against what is needed before anything is made of it, so that whoever gives something else is
told which.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from types import UnionType
from typing import Any, TypeVar, Union, get_args, get_origin

from te_forge.api.errors import Refused

Thing = TypeVar("Thing")

SHOWN, MOST_SEED = 60, 999_999_999
LONGEST, LONGEST_PATH = 2_000, 4_000
"""Letters of what has a name, and of a path. A message repeats what was given, and may be posted somewhere."""
IN_PYTHON = {"hack": "hacks", "ruling": "rulings", "as": "target"}
"""Options of the command line that are called otherwise here."""


def shown(value: object) -> str:
    """A value in a message. Some have no text: a whole number of five thousand digits, or a thing of somebody's own class that fails to say what it
    is.
    """
    try:
        text = repr(value)
    except Exception:
        return f"a {type(value).__name__}"
    return text if len(text) <= SHOWN else f"{text[: SHOWN - 1]}…"


def text(value: object, what: str) -> str:
    if not isinstance(value, str):
        raise Refused(f"{what} must be text, and {shown(value)} is none")
    try:
        value.encode("utf-8")
    except UnicodeEncodeError:
        raise Refused(f"{what} cannot be written as text: {shown(value)}") from None
    if len(value) > LONGEST:
        raise Refused(f"{what} has {LONGEST:,} letters at most, and this has {len(value):,}")
    return value


def seed(value: object) -> int:
    """A seed that a character's file can hold."""
    if type(value) is not int or not 0 <= value <= MOST_SEED:
        raise Refused(f"a seed must be a whole number from 0 to {MOST_SEED:,}, and {shown(value)} is none")
    return value


def a(kind: type[Thing], value: object, what: str, how: str) -> Thing:
    """Something of a class of ours; `how` says what gives one."""
    if not isinstance(value, kind):
        raise Refused(f"{what}, and {shown(value)} is none; {how}")
    return value


def several(values: object, what: str) -> tuple[str, ...]:
    """The names; one by itself is one name, and not its letters."""
    if isinstance(values, str):
        return (text(values, what),)
    if isinstance(values, bytes) or not isinstance(values, Iterable):
        raise Refused(f"{what} must be a list of texts, and {shown(values)} is none; write [..] around it")
    return tuple(text(one, f"each of {what}") for one in values)


def pairs(values: object, what: str, lists: bool = False) -> dict[str, str]:
    """A mapping of names to whatever can be written behind `name=`; with `lists` also to several numbers."""
    if not isinstance(values, Mapping):
        raise Refused(f"{what} must be a mapping, such as {{'name': 'value'}}, and {shown(values)} is none")
    found = {}
    for key, value in values.items():
        name = f"{what}: {shown(key)}"
        try:
            if lists and isinstance(value, range | list | tuple):
                value = as_several(value, name)
            if not isinstance(value, str | int):
                raise Refused(f"{name} must be text or a whole number, and {shown(value)} is none")
            found[text(key, f"each name in {what}")] = text(str(value), name)
        except ValueError as error:
            raise error if isinstance(error, Refused) else Refused(f"{name} has too many digits") from None
    return found


def as_several(values: Sequence[object], what: str) -> str:
    """`range(5, 16)` or `[5, 10, 15]` as it is written behind `name=`."""
    if not values or not all(type(one) is int for one in values):
        raise Refused(
            f"{what} must be text or a whole number, or several whole numbers, and {shown(values)} is neither; several names are one text, 'Ann,Ben'"
        )
    if isinstance(values, range) and values.step == 1:
        return f"{values.start}..{values.stop - 1}"
    if len(values) > LONGEST // 2:
        raise Refused(f"{what} has too many numbers")
    return ",".join(map(str, values))


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
    if not isinstance(found, str) or "\0" in found or not named_in_files(found):
        raise Refused(f"{what} must be a path, and {shown(found)} is none")
    if len(found) > LONGEST_PATH:
        raise Refused(f"{what} must be a path, and this has {len(found):,} letters")
    return Path(found)


def fits(value: object, wanted: Any) -> bool:
    """Whether a value is of a type, as it is written behind a field of a class."""
    origin, inside = get_origin(wanted), get_args(wanted)
    if origin in (UnionType, Union):
        return any(fits(value, one) for one in inside)
    if origin is tuple and inside[-1] is Ellipsis:
        return isinstance(value, tuple) and all(fits(one, inside[0]) for one in value)
    if origin is tuple:
        return isinstance(value, tuple) and len(value) == len(inside) and all(map(fits, value, inside))
    if origin is Mapping:
        return isinstance(value, Mapping) and all(fits(key, inside[0]) and fits(one, inside[1]) for key, one in value.items())
    return isinstance(value, wanted)


def in_python(sentence: str) -> str:
    """A sentence that tells what to write on a command line, for those who write Python."""
    sentence = re.sub(r'--who ("[^"]*")', r"who=[\1]", re.sub(r"^--\w+: ", "", sentence))
    sentence = sentence.replace("`te-forge odds`", "`odds_for_each`")
    sentence = re.sub(r"--ruling ([\w-]+)=READING", r'rulings={"\1": READING}', sentence)
    sentence = re.sub(r"--set (\w+)=(\w+)", r'\1="\2"', re.sub(r"`-o ([^`]*)`", r"`\1`", sentence))
    return re.sub(r"`?--(\w+)(?: NAME)?`?", lambda found: f"`{IN_PYTHON.get(found[1], found[1])}`", sentence)


def named_in_files(path: str) -> bool:
    try:
        os.fsencode(path)
    except UnicodeEncodeError:
        return False
    return True
