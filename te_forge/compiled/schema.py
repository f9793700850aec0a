"""The JSON Schema of a compiled pack, made from the forms. `python -m te_forge.compiled.schema` prints it."""

from __future__ import annotations

import inspect
import json
from collections.abc import Sequence
from dataclasses import MISSING
from typing import Any

from te_forge.compiled import forms
from te_forge.compiled.document import KINDS, document, entity
from te_forge.compiled.shape import BELOW, SCHEMA_ID, form_of, parts_of, sole, tag
from te_forge.model.rules import Condition, Expr, Int, Sentence
from te_forge.model.rules.values import Atom
from te_forge.model.system import Chapter

Json = dict[str, Any]
TYPES = {str: "string", int: "integer", bool: "boolean"}
UNIONS = {"Expr": Expr, "Condition": Condition, "Sentence": Sentence, "Atom": Atom}
"""Choices that have a name of their own in the schema."""
OPEN: Json = {"type": "object", "description": "For other tools: an object for each, by a name such as `org.example.my-tool`."}


class Writer:
    """Writes the definitions, each once."""

    def __init__(self) -> None:
        self.defs: dict[str, Json] = {}
        self.names = {form_of(union, Chapter, ""): name for name, union in UNIONS.items()}

    def schema(self) -> Json:
        whole = self.record(document())
        head = {"$schema": "https://json-schema.org/draft/2020-12/schema", "$id": SCHEMA_ID, "title": document().name}
        return {**head, **whole, "$defs": dict(sorted(self.defs.items()))}

    def record(self, record: forms.Record) -> Json:
        return self.object(record.says, [self.property(one) for one in record.properties])

    def property(self, one: forms.Property) -> tuple[str, Json, bool]:
        made = self.value(one.form)
        return one.key, ({**made, "description": one.says} if one.says else made), one.needed

    def object(self, says: str, properties: Sequence[tuple[str, Json, bool]]) -> Json:
        made: Json = {"description": says} if says else {}
        made |= {"type": "object", "additionalProperties": False, "properties": {key: form for key, form, _ in properties}}
        needed = [key for key, _, needed in properties if needed]
        return {**made, "required": needed} if needed else made

    def named(self, name: str, make: Any) -> Json:
        """A reference to a definition, which is made if it is not yet."""
        if name not in self.defs:
            self.defs[name] = {}
            self.defs[name] = make()
        return {"$ref": f"#/$defs/{name}"}

    # ------------------------------------------------------------ by form

    def value(self, form: Any) -> Json:
        match form:
            case forms.Plain(type_, _):
                return {"type": TYPES[type_]}
            case forms.OneWord(words):
                return {"const": words[0]} if len(words) == 1 else {"enum": list(words)}
            case forms.Matching(pattern, _):
                return {"type": "string", "pattern": pattern}
            case forms.Label() | forms.Phrase():
                return self.named(
                    "TextKey",
                    lambda: {
                        "type": "string",
                        "description": "The key of a text in `i18n`. A mention in a text is a link, `[Baking](te:my-game:skill/baking)`.",
                    },
                )
            case forms.Key(shelf):
                return {"type": "string", "description": f"A key of `{shelf}`."}
            case forms.Place():
                says = "A place in the source: the number of the file in `files`, line, column, and column of the end."
                return self.named(
                    "At", lambda: {"type": "array", "items": {"type": "integer", "minimum": 0}, "minItems": 4, "maxItems": 4, "description": says}
                )
            case forms.Scope():
                return {"type": "integer", "minimum": 0}
            case forms.Open():
                return OPEN
            case forms.Shelf(of, keys):
                inner = self.value(of)
                return {"type": "object", "additionalProperties": inner, **({"propertyNames": {"pattern": keys}} if keys else {})}
            case forms.Rows(of, is_set):
                return {"type": "array", "items": self.value(of), **({"uniqueItems": True} if is_set else {})}
            case forms.Maybe(of):
                return self.value(of)
            case forms.Node(kind):
                return self.node(kind)
            case forms.Keyed(kind, _):
                return {"type": "array", "items": self.node(kind)}
            case forms.Pairs(of, _):
                needed = not isinstance(of, forms.Maybe)
                return {"type": "array", "items": self.object("", [("name", {"type": "string"}, True), ("value", self.value(of), needed)])}
            case forms.Choice():
                return self.named(self.names[form], lambda: self.choice(form)) if form in self.names else self.choice(form)
            case forms.Kinds():
                return self.named(
                    "Entity", lambda: {"oneOf": [self.named(entity(kind).name, lambda kind=kind: self.record(entity(kind))) for kind in KINDS]}
                )
            case forms.Record():
                return self.named(form.name, lambda: self.record(form))
        raise TypeError(form)

    def node(self, kind: type) -> Json:
        """A class of the model."""
        says = as_told(inspect.getdoc(kind))
        return self.named(
            kind.__name__,
            lambda: self.object(
                says if says != kind.__name__ else "", [(part.key, self.value(part.form), part.empty is MISSING) for part in parts_of(kind)]
            ),
        )

    def chosen(self, kind: type) -> Json:
        """A class of the model where it is one of several."""
        one = sole(kind)
        says = as_told(inspect.getdoc(kind)) if one is not None else ""
        alone = len(parts_of(kind)) == 1
        inner = self.node(kind) if one is None else self.value(one.form) if alone else {"oneOf": [self.value(one.form), self.node(kind)]}
        return self.named(f"{kind.__name__}Node", lambda: self.object(says if says != kind.__name__ else "", [(tag(kind), inner, True)]))

    def choice(self, form: forms.Choice) -> Json:
        made = [{"type": "integer"}] if form.number else []
        made += [{"type": "string"}] if form.word else []
        made += [{"const": word} for word in form.words]
        made += [self.chosen(kind) for kind in form.types if kind is not Int]
        if form.below:
            says = "A sentence that stands on a line below this one: the number of the line in `lines`, and of the sentence in its `meaning`."
            properties = [("line", {"type": "integer", "minimum": 0}, True), ("sentence", {"type": "integer", "minimum": 0}, True)]
            made.append(self.named("BelowNode", lambda: self.object(says, [(BELOW, self.object("", properties), True)])))
        return {"oneOf": made} if len(made) > 1 else made[0]


def as_told(says: str | None) -> str:
    """What a docstring says, each of its paragraphs on one line."""
    return "\n\n".join(" ".join(part.split()) for part in (says or "").split("\n\n"))


def schema() -> str:
    """The schema, as it is published."""
    return json.dumps(Writer().schema(), indent=1, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    print(schema(), end="")
