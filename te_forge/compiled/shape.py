"""What stands in a compiled pack, worked out from the classes of the model.

Each type of a field becomes one of the `forms`. Four go by them: `write` makes JSON, `read` makes the model again, `schema` tells others what to
expect, `lint` what is wrong; so a new class of the model is in all of them at once.

The JSON of a class is an object with a property for each field; what is empty, or as usual, is left out. Where it may be one of several classes, an
object with one property says which: `{"arithmetic": {"op": "+", ..}}`, and where one plain field is all that there is to say, that field itself,
`{"local": "roller"}`. (A validator that tries one after the other is done with a wrong one at once. Were the name a property among others, it would
try all that lies below each, and take minutes.) A whole number is itself. Text stands apart (see `te_forge.compiled.text`), a place is `[file, line,
column, end]`, a mapping is a list in its order, and what a line may speak of is the number of one of the `scopes`.
"""

from __future__ import annotations

import re
import types
from collections.abc import Mapping
from dataclasses import MISSING, fields
from functools import cache
from typing import Any, Literal, NamedTuple, Union, get_args, get_origin

from te_forge.compiled import forms
from te_forge.frozen import type_of
from te_forge.model.rules import Int, On, Say, Thing
from te_forge.model.system import Chapter, Entry, Field, KindInfo, Reach, Ref, Row, Shown, Slot, Step
from te_forge.source import Span

FORMAT, VERSION = "te-forge/compiled-pack", "1.0"
SCHEMA_ID = "urn:te-forge:compiled-pack:1"
ENGINE_KINDS = ("kind", "procedure", "rule", "table", "deck", "hack", "ruling", "reading", "example")
NATURES = ("actor", "number", "trait", "entry")
"""What an entry of a kind that a pack declares is called by, since no schema knows those kinds."""
TEXTS = {(Entry, "name"), (Chapter, "title"), (Step, "name"), (Row, "name"), (Slot, "text"), (Say, "text")}
"""Fields of plain text that people read. Labels are not among them: patches name lines by them."""
NAMED = {(Entry, "name"), (Chapter, "title")}
"""Of these, those that are never empty."""
KEYED = {Field: "id", Slot: "name", KindInfo: "name"}
"""Of a mapping to these, the key stands in the thing itself (of a field behind the #)."""
BELOW = "below"
"""What a sentence is called that stands on a line below."""
SHARED = (Int, Thing)
"""Things that are made once for each value. Of all others the very one counts: the engine knows sentences, and composing knows words, by which of
them they are.
"""
ANYTHING = "thing"
IDS = {
    **dict.fromkeys(
        (("Do", "procedure"), ("EndWith", "outcome"), ("GoBack", "step"), ("Event", "inside"), ("Event", "ending"), ("Reach", "procedures")),
        "procedure",
    ),
    **dict.fromkeys((("Until", "span"), ("InNext", "span"), ("Limit", "span"), ("Each", "span")), "procedure"),
    **dict.fromkeys(
        (("Thing", "id"), ("Event", "id"), ("Price", "pool"), ("Edit", "thing"), ("Based", "thing"), ("Filter", "things"), ("Forbid", "thing")),
        ANYTHING,
    ),
    **dict.fromkeys((("Patch", "target"), ("Bulk", "entries"), ("Entry", "owner"), ("Entry", "parts")), ANYTHING),
    ("Bonus", "stat"): "number",
    ("Sheet", "kind"): "somebody",
    ("Sheet", "stats"): "stat",
    ("KindInfo", "id"): "kind",
}
"""Fields that hold an id, and of what; some hold a plain name as well, which has no colon."""
OF_WHAT = {"procedure": ("procedure",), "number": ("number",), "stat": ("number", "trait"), "kind": ("kind",), "somebody": ("kind", "actor", "trait")}
"""Which entities may stand where something of a sort is named; others may stand where it is anything."""


class Part(NamedTuple):
    """A field of a class: `key` is its property; `empty` what it is when it is left out, or MISSING."""

    name: str
    key: str
    form: Any
    empty: Any


OTHERWISE = {(Entry, "id"): "uid", (Chapter, "id"): "uid"}
"""Fields that are called otherwise in JSON. So are all places: `at`."""


@cache
def parts_of(kind: type) -> tuple[Part, ...]:
    """What stands in the JSON of a class."""
    made = []
    for one in fields(kind):
        form = form_of(type_of(str(one.type), kind.__module__), kind, one.name)
        key = "at" if isinstance(form, forms.Place) else OTHERWISE.get((kind, one.name), one.name)
        usual = (
            one.default
            if one.default is not MISSING
            else one.default_factory()
            if one.default_factory is not MISSING
            else MISSING
            if (kind, one.name) in NAMED
            else empty(form)
        )
        made.append(Part(one.name, key, form, usual))
    return tuple(made)


def empty(form: Any) -> Any:
    """What a form is when nothing stands there."""
    match form:
        case forms.Rows(_, True):
            return frozenset()
        case forms.Rows() | forms.Phrase():
            return ()
        case forms.Pairs(_, mapping):
            return {} if mapping else ()
        case forms.Keyed():
            return {}
        case forms.Maybe():
            return None
        case forms.Label():
            return ""
    return MISSING


def form_of(wanted: Any, kind: type, name: str) -> Any:
    """The form of a type, for the field `name` of a class."""
    if (kind, name) in TEXTS:
        return forms.Label()
    if isinstance(wanted, type) and get_origin(wanted) is None:
        return (
            forms.Place()
            if wanted is Span
            else forms.Scope()
            if wanted is Reach
            else forms.Plain(wanted, IDS.get((kind.__name__, name), "") if wanted is str else "")
            if wanted in (str, int, bool)
            else forms.Node(wanted)
        )
    origin, inside = get_origin(wanted), get_args(wanted)
    if origin is Literal:
        return forms.OneWord(inside)
    if origin in (types.UnionType, Union):
        return of_union(inside, kind, name)
    if origin is tuple and len(inside) == 2 and inside[1] is Ellipsis:
        if set(get_args(inside[0])) == {str, Ref, Shown}:
            return forms.Phrase()
        if get_origin(inside[0]) is tuple and len(get_args(inside[0])) == 2 and get_args(inside[0])[0] is str:
            return forms.Pairs(form_of(get_args(inside[0])[1], kind, name), False, IDS.get((kind.__name__, name), ""))
        return forms.Rows(form_of(inside[0], kind, name))
    if origin is frozenset:
        return forms.Rows(form_of(inside[0], kind, name), True)
    if origin is not None and issubclass(origin, Mapping):
        return forms.Keyed(inside[1], KEYED[inside[1]]) if inside[1] in KEYED else forms.Pairs(form_of(inside[1], kind, name), True)
    raise TypeError(f"a compiled pack has no form for {wanted} ({kind.__name__}.{name})")


def of_union(inside: tuple[Any, ...], kind: type, name: str) -> Any:
    rest = tuple(one for one in inside if one is not types.NoneType)
    found = form_of(rest[0], kind, name) if len(rest) == 1 else choice(rest, kind is Chapter)
    return forms.Maybe(found) if len(rest) < len(inside) else found


@cache
def choice(inside: tuple[Any, ...], of_ids: bool) -> forms.Choice:
    """The form of one of several types."""
    classes = tuple([one for one in inside if isinstance(one, type) and one not in (str, int)])
    words = tuple([word for one in inside if get_origin(one) is Literal for word in get_args(one)])
    return forms.Choice(
        tuple([one for one in classes if one is not Int]), Int in classes, str in inside, words, str in inside and of_ids, On in classes
    )


@cache
def tag(kind: type) -> str:
    """How a class is called where it is one of several: `divide-up`."""
    return re.sub(r"(?<=[a-z])(?=[A-Z])", "-", kind.__name__).lower()


@cache
def sole(kind: type) -> Part | None:
    """The one field that a class cannot do without, when it is plain: where nothing else is stated, it stands alone. A class may get further fields,
    and the files that there are stay as they are.
    """
    needed = [part for part in parts_of(kind) if part.empty is MISSING]
    return needed[0] if len(needed) == 1 and isinstance(needed[0].form, forms.Plain) else None
