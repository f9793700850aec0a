"""The schema of pack.yaml, as pydantic's models, and what they have to say about one that is not right."""

from __future__ import annotations

import types
from collections.abc import Mapping
from dataclasses import MISSING, fields
from functools import cache
from typing import Annotated, Any, get_args, get_origin

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, StringConstraints, ValidationError, create_model
from pydantic_core import PydanticCustomError

from te_forge.model.pack import RELATIONS, SAYS, Form, Mistake, PackInfo, Work, parts_of, unseen


@cache
def model(kind: Any) -> type[BaseModel]:
    """The model of one of the classes of `te_forge.model.pack`."""
    made: dict[str, Any] = {}
    for one in fields(kind):
        usual = (
            {"default": one.default}
            if one.default is not MISSING
            else {"default_factory": one.default_factory}
            if one.default_factory is not MISSING
            else {}
        )
        made[one.name] = (as_pydantic(parts_of(kind)[one.name]), Field(description=one.metadata[SAYS], **usual))
    return create_model(kind.__name__, __doc__=kind.__doc__, __config__=ConfigDict(extra="forbid", frozen=True, strict=True), **made)


def as_pydantic(wanted: Any) -> Any:
    """A type of a field with pydantic's words for what it must be like."""
    origin, inside = get_origin(wanted), get_args(wanted)
    if wanted in (PackInfo, Work):
        return model(wanted)
    if origin is Annotated:
        form: Form = inside[1]
        limits = StringConstraints(pattern=form.pattern or None, min_length=form.least or None, max_length=form.most or None)
        return Annotated[str, limits, AfterValidator(all_seen)] if form.all_seen else Annotated[str, limits]
    if origin is tuple:
        return tuple[as_pydantic(inside[0]), ...]  # type: ignore[misc]
    if origin is dict:
        return dict[as_pydantic(inside[0]), as_pydantic(inside[1])]  # type: ignore[misc]
    assert inside[1:] == (types.NoneType,)
    return as_pydantic(inside[0]) | None


def all_seen(text: str) -> str:
    """`text`, in which something stands, and nothing that nobody sees."""
    if found := unseen(text):
        raise PydanticCustomError("unseen", "a letter that nobody sees stands here (U+{code})", {"code": f"{ord(found[0]):04X}"})
    if not text.strip():
        raise PydanticCustomError("string_too_short", "nothing stands here")
    return text


def judged(data: Mapping[str, Any]) -> tuple[PackInfo | None, list[Mistake]]:
    """The head of a pack as pydantic reads it, or what is wrong with it."""
    try:
        found = model(PackInfo).model_validate(data).model_dump()
    except ValidationError as error:
        return None, [mistake(one) for one in error.errors(include_url=False)]
    return PackInfo(**{**found, "sources": tuple(Work(**one) for one in found["sources"])}), []


ADDRESS = "an address that begins with `https://`"
PATTERNS = {
    "license_url": ADDRESS,
    "url": ADDRESS,
    "id": "small letters, digits and hyphens, such as `my-game`",
    "version": "three numbers, such as `1.0.0`",
    "language": "a short name, such as `en`",
    "relation": "one of " + ", ".join(f"`{one}`" for one in RELATIONS),
}


WORDS = {
    "string_type": "words are needed here",
    "tuple_type": "a list is needed here",
    "dict_type": "this takes `name: value` lines of its own",
    "string_pattern_mismatch": "this is not of the right form",
    "string_too_short": "nothing stands here",
    "string_too_long": "this is too long",
    "model_type": "this takes `name: value` lines of its own",
}
HINTS = {
    "string_type": "write some words on one line",
    "string_too_short": "write something, or take the line out",
    "string_too_long": "say it in fewer words",
    "unseen": "delete it and type the words around it anew",
}


def mistake(error: Any) -> Mistake:
    path = tuple(part for part in error["loc"] if part != "[key]")
    name = str(path[-1]) if path else ""
    match error["type"]:
        case "string_pattern_mismatch":
            hint = PATTERNS.get(name) or PATTERNS["id"]
        case "tuple_type":
            hint = f"write `{name}: [..]`, or `{name}:` and below it a line for each, `  - ..`"
        case "dict_type" | "model_type":
            hint = f"write `{name}:` and below it lines such as `  name: words`"
        case kind:
            hint = HINTS.get(kind, "")
    return Mistake(path, error["type"], WORDS.get(error["type"], error["msg"]), hint)
