"""The forms that things have in a compiled pack. `shape` works them out from the classes of the model, `document` states them for what stands around;
`write`, `read`, `schema` and `lint` go by them.
"""

from __future__ import annotations

from typing import Any, NamedTuple


class Plain(NamedTuple):
    """Words, a whole number, or yes or no. `names`: of what sort is what they name in the file; empty where they name nothing."""

    type: type
    names: str = ""


class Phrase(NamedTuple):
    """Text of several parts: the key of one that stands apart."""


class Label(NamedTuple):
    """Plain text: likewise a key."""


class OneWord(NamedTuple):
    words: tuple[str, ...]


class Place(NamedTuple):
    """Where something stands in the source."""


class Scope(NamedTuple):
    """The number of one of the scopes."""


class Node(NamedTuple):
    """One thing of the model."""

    type: type


class Choice(NamedTuple):
    """A thing of one of these classes, known by the one property; with `number`, or a whole number; with `word`, or words, or one of `words`."""

    types: tuple[type, ...]
    number: bool
    word: bool
    words: tuple[str, ...]
    id: bool = False
    below: bool = False
    """Or `{"below": {"line": 2, "sentence": 0}}`: the first sentence of the third line that is set in below. It is one sentence in two places, and is
    written once.
    """


class Rows(NamedTuple):
    """A list."""

    of: Any
    set: bool = False


class Pairs(NamedTuple):
    """A list of `{name, value}`. `mapping`: no name stands there twice. `names`: what the names are ids of, if they are."""

    of: Any
    mapping: bool
    names: str = ""


class Keyed(NamedTuple):
    """A list of things that know their own key."""

    type: type
    key: str


class Maybe(NamedTuple):
    of: Any


class Matching(NamedTuple):
    """Words of some pattern; `says` what they are."""

    pattern: str
    says: str


class Key(NamedTuple):
    """The key of something on one of the shelves at the top."""

    shelf: str


class Shelf(NamedTuple):
    """An object with a thing of one form for each key; `keys` is a pattern."""

    of: Any
    keys: str = ""


class Open(NamedTuple):
    """For whatever others put here, by names such as `org.example.my-tool`."""


class Kinds(NamedTuple):
    """An entity: `kind` says which of the records it is."""


class Property(NamedTuple):
    key: str
    form: Any
    needed: bool = True
    says: str = ""


class Record(NamedTuple):
    """An object of its own."""

    name: str
    says: str
    properties: tuple[Property, ...]
