"""pack.yaml, as data."""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

PackId = Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9]*(-[a-z0-9]+)*$", max_length=60)]
Version = Annotated[str, StringConstraints(pattern=r"^\d+\.\d+\.\d+$")]
Line = Annotated[str, StringConstraints(min_length=1, max_length=2000)]


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
    hacks: tuple[Line, ...] = Field(default=(), description="Names of the hacks that are switched on.")
    sources: tuple[Work, ...] = Field(default=(), description="Works that the rules come from, with the attribution that is owed.")
    credits: tuple[Line, ...] = Field(default=(), description="Lines for the credits.")
    marks: tuple[Line, ...] = Field(default=(), description="Marks that the book carries, such as 'Wound by Tension'.")
