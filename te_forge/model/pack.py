"""pack.yaml, as data: what stands in it, what each part must be like, and how it is read.

The classes below are the one place where the fields are told. What is surely right is read here. Of everything else pydantic says what is wrong with
it, by models that `te_forge.model.schema` makes of these classes; loading pydantic takes a quarter of the time in which a small pack is checked, so
it is loaded when it has something to say.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import MISSING, field, fields
from functools import cache
from typing import Annotated, Any, NamedTuple, get_args, get_origin

from te_forge.frozen import frozen, type_of
from te_forge.source import UNSEEN

SAYS = "says"
"""Where a field keeps what it is for."""


@frozen
class Form:
    """What a text must be like: of a pattern, of some length (0 is any), without letters that nobody sees."""

    pattern: str = ""
    least: int = 0
    most: int = 0
    all_seen: bool = False

    def fits(self, text: str) -> bool:
        """Whether `text` is surely right. Beyond ASCII a pattern may mean something else to pydantic."""
        if self.pattern and not (text.isascii() and re.fullmatch(self.pattern, text) and not text.endswith("\n")):
            return False
        if self.least and not text.strip():
            return False
        return len(text) >= self.least and (not self.most or len(text) <= self.most) and not (self.all_seen and unseen(text))


def unseen(text: str) -> re.Match[str] | None:
    """A letter that nobody sees; YAML can bring them in by their numbers."""
    return UNSEEN.search(text.replace("\n", " "))


PackId = Annotated[str, Form(r"^[a-z][a-z0-9]*(-[a-z0-9]+)*$", most=60)]
Version = Annotated[str, Form(r"^\d+\.\d+\.\d+$")]
Language = Annotated[str, Form(r"^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$")]
Line = Annotated[str, Form(least=1, most=2000, all_seen=True)]
RELATIONS = ("verbatim", "adapted", "mechanics-only", "original")
"""How a pack may use a work."""
Relation = Annotated[str, Form(f"^({'|'.join(RELATIONS)})$")]
Address = Annotated[str, Form(r"^https?://.+$", most=2000, all_seen=True)]


@frozen
class Work:
    """A work that a pack draws on. `attribution` is printed word for word wherever the pack's rules go."""

    title: Line = field(metadata={SAYS: "The title of the work."})
    authors: tuple[Line, ...] = field(default=(), metadata={SAYS: "Who made it."})
    license: Line | None = field(default=None, metadata={SAYS: "The name of its license, such as CC BY 4.0; leave it out if it has none."})
    license_url: Address | None = field(default=None, metadata={SAYS: "Where the license can be read."})
    url: Address | None = field(default=None, metadata={SAYS: "Where the work can be found."})
    attribution: Line | None = field(default=None, metadata={SAYS: "The notice that the license asks for, word for word."})
    relation: Relation | None = field(
        default=None,
        metadata={
            SAYS: "How this pack uses it: `verbatim` (word for word), `adapted` (rules, names or text of it, changed), `mechanics-only` (its rules, in words of its own), `original` (it is the same makers' own work)."
        },
    )
    changes: Line | None = field(default=None, metadata={SAYS: "What this pack changed against it."})


@frozen
class PackInfo:
    """The head of a pack: what pack.yaml says."""

    id: PackId = field(metadata={SAYS: "Permanent name: lower case, digits, hyphens. It stands in every id and never changes."})
    title: Line = field(metadata={SAYS: "The title on the book's cover."})
    version: Version = field(
        metadata={
            SAYS: "Three numbers, such as 1.0.0: what is gone or different raises the first, what is new the second, prose the third; `te-forge diff old new` proposes one."
        }
    )
    subtitle: Line | None = field(default=None, metadata={SAYS: "A line below the title."})
    authors: tuple[Line, ...] = field(default=(), metadata={SAYS: "Who wrote this pack."})
    license: Line | None = field(default=None, metadata={SAYS: "The license of this pack's own text."})
    license_url: Address | None = field(default=None, metadata={SAYS: "Where that license can be read."})
    language: Language = field(default="en", metadata={SAYS: "Language of the prose, as in HTML: en, de, pt-BR."})
    requires: dict[PackId, Line] = field(
        default_factory=dict, metadata={SAYS: "Packs that this one builds on, each with a version range such as '>=1.0,<2'."}
    )
    optional: dict[PackId, Line] = field(
        default_factory=dict,
        metadata={SAYS: "Packs whose things this one may speak of where they are in the same game (`Only With`), each with a version range."},
    )
    hacks: tuple[Line, ...] = field(
        default=(), metadata={SAYS: "Names of the hacks that are switched on, of this pack and of those that it requires."}
    )
    rulings: dict[Line, Line] = field(
        default_factory=dict, metadata={SAYS: "Rulings that are read in another way: the name of the ruling, and that of the reading."}
    )
    chapters: tuple[Line, ...] = field(
        default=(),
        metadata={
            SAYS: "Titles of chapters that stand first in the book, in this order. The others follow: this pack's own, then those of the packs it requires."
        },
    )
    sources: tuple[Work, ...] = field(default=(), metadata={SAYS: "Works that the rules come from, with the attribution that is owed."})
    credits: tuple[Line, ...] = field(default=(), metadata={SAYS: "Lines for the credits."})
    marks: tuple[Line, ...] = field(default=(), metadata={SAYS: "Marks that the book carries, such as 'Made with ..'."})


class Mistake(NamedTuple):
    """One thing wrong with pack.yaml: `path` leads to it, `kind` is pydantic's name for it."""

    path: tuple[str | int, ...]
    kind: str
    message: str
    hint: str


def read_info(data: Mapping[str, Any]) -> tuple[PackInfo | None, list[Mistake]]:
    """The head of a pack from plain data, or what is wrong with it."""
    try:
        info = taken(data, PackInfo)
        assert isinstance(info, PackInfo)
        return info, []
    except Doubtful:
        from te_forge.model.schema import judged

        return judged(data)


class Doubtful(Exception):
    """Something that is wrong, or that only pydantic can judge."""


def taken(value: Any, wanted: Any) -> Any:
    """`value`, if it is surely what is `wanted`. Raises `Doubtful`."""
    origin, inside = get_origin(wanted), get_args(wanted)
    if wanted in (PackInfo, Work) and type(value) is dict:
        hints = parts_of(wanted)
        needed = {one.name for one in fields(wanted) if one.default is MISSING and one.default_factory is MISSING}
        if needed <= value.keys() <= hints.keys():
            return wanted(**{name: taken(one, hints[name]) for name, one in value.items()})
    elif origin is Annotated and type(value) is str and inside[1].fits(value):
        return value
    elif origin is tuple and type(value) is tuple:
        return tuple([taken(one, inside[0]) for one in value])
    elif origin is dict and type(value) is dict:
        return {taken(key, inside[0]): taken(one, inside[1]) for key, one in value.items()}
    elif type(None) in inside:
        return None if value is None else taken(value, inside[0])
    raise Doubtful


@cache
def parts_of(kind: Any) -> dict[str, Any]:
    """The types of the fields of a class."""
    return {one.name: type_of(str(one.type), kind.__module__) for one in fields(kind)}
