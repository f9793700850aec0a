"""pack.yaml, as data."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, NamedTuple

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, StringConstraints, ValidationError
from pydantic_core import PydanticCustomError

from te_forge.source import UNSEEN

PackId = Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9]*(-[a-z0-9]+)*$", max_length=60)]
Version = Annotated[str, StringConstraints(pattern=r"^\d+\.\d+\.\d+$")]


def seen(text: str) -> str:
    """`text`, which must have no letter that nobody sees; YAML can bring them in by their numbers."""
    if found := UNSEEN.search(text.replace("\n", " ")):
        raise PydanticCustomError("unseen", "a letter that nobody sees stands here (U+{code})", {"code": f"{ord(found[0]):04X}"})
    return text


Line = Annotated[str, StringConstraints(min_length=1, max_length=2000), AfterValidator(seen)]


class Model(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


class Work(Model):
    """A work that a pack draws on. `attribution` is printed word for word wherever the pack's rules go."""

    title: Line = Field(description="The title of the work.")
    authors: tuple[Line, ...] = Field(default=(), description="Who made it.")
    license: Line | None = Field(default=None, description="The name of its license, such as CC BY 4.0; leave it out if it has none.")
    license_url: Line | None = Field(default=None, description="Where the license can be read.")
    url: Line | None = Field(default=None, description="Where the work can be found.")
    attribution: Line | None = Field(default=None, description="The notice that the license asks for, word for word.")
    changes: Line | None = Field(default=None, description="What this pack changed against it.")


class PackInfo(Model):
    """The head of a pack: what pack.yaml says."""

    id: PackId = Field(description="Permanent name: lower case, digits, hyphens. It stands in every id and never changes.")
    title: Line = Field(description="The title on the book's cover.")
    version: Version = Field(description="Three numbers, such as 1.0.0. A changed rule raises the second, a removed one the first.")
    subtitle: Line | None = Field(default=None, description="A line below the title.")
    authors: tuple[Line, ...] = Field(default=(), description="Who wrote this pack.")
    license: Line | None = Field(default=None, description="The license of this pack's own text.")
    license_url: Line | None = Field(default=None, description="Where that license can be read.")
    language: Annotated[str, StringConstraints(pattern=r"^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$")] = Field(
        default="en", description="Language of the prose, as in HTML: en, de, pt-BR."
    )
    requires: dict[PackId, Line] = Field(
        default_factory=dict, description="Packs that this one builds on, each with a version range such as '>=1.0,<2'."
    )
    optional: dict[PackId, Line] = Field(
        default_factory=dict, description="Packs whose things this one may speak of where they are in the same game (`Only With`), each with a version range."
    )
    hacks: tuple[Line, ...] = Field(default=(), description="Names of the hacks that are switched on, of this pack and of those that it requires.")
    rulings: dict[Line, Line] = Field(
        default_factory=dict, description="Rulings that are read in another way: the name of the ruling, and that of the reading."
    )
    chapters: tuple[Line, ...] = Field(
        default=(), description="Titles of chapters that stand first in the book, in this order. The others follow: this pack's own, then those of the packs it requires."
    )
    sources: tuple[Work, ...] = Field(default=(), description="Works that the rules come from, with the attribution that is owed.")
    credits: tuple[Line, ...] = Field(default=(), description="Lines for the credits.")
    marks: tuple[Line, ...] = Field(default=(), description="Marks that the book carries, such as 'Made with ..'.")


class Mistake(NamedTuple):
    """One thing wrong with pack.yaml: `path` leads to it, `kind` is pydantic's name for it."""

    path: tuple[str | int, ...]
    kind: str
    message: str
    hint: str


def read_info(data: Mapping[str, Any]) -> tuple[PackInfo | None, list[Mistake]]:
    """The head of a pack from plain data, or what is wrong with it."""
    try:
        return PackInfo.model_validate(data), []
    except ValidationError as error:
        return None, [mistake(one) for one in error.errors(include_url=False)]


PATTERNS = {"id": "small letters, digits and hyphens, such as `my-game`", "version": "three numbers, such as `1.0.0`", "language": "a short name, such as `en`"}


def mistake(error: Any) -> Mistake:
    path = tuple(part for part in error["loc"] if part != "[key]")
    name = str(path[-1]) if path else ""
    hint = PATTERNS.get(name) or PATTERNS["id"] if error["type"] == "string_pattern_mismatch" else ""
    words = {
        "string_type": "words are needed here",
        "tuple_type": "a list is needed here",
        "dict_type": "this takes `name: value` lines of its own",
        "string_pattern_mismatch": "this is not of the right form",
        "string_too_short": "nothing stands here",
        "string_too_long": "this is too long",
        "model_type": "this takes `name: value` lines of its own",
    }
    if error["type"] == "unseen":
        hint = "delete it and type the words around it anew"
    return Mistake(path, error["type"], words.get(error["type"], error["msg"]), hint or str(error.get("msg", "")))
