"""What templates may ask about the fields of an entry: which are printed, and where."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from markupsafe import Markup, escape

from te_forge.compose.values import found as usual_field
from te_forge.keys import slug as key_of
from te_forge.model.rules import Nothing, Thing
from te_forge.model.system import Entry, Field, Ref, plain
from te_forge.render.differences import Differences
from te_forge.render.terms import as_sentence, between, field_text, texts

SAID = {"reads", "why", "other", "replaces", "answers", "also-called", "plural", "successor", "to"}
"""Fields that their own places in the templates say in words, or that only the checker needs."""
WORKINGS = {"is", "how-many", "made-by"}
"""Fields of kinds that say how the tool is to take them; a reader has no use for them."""
FINE_PRINT = {"counts": "Dice are final at", "settles": "Numbers settle at", "bound": "Happens at most"}
"""Fields of procedures that a reader rarely asks for, and how they are called there."""
LONG = 28
"""A value of more letters than this does not fit in a stat block's row of numbers."""


class Fields(Differences):
    """Finds and sorts the fields of entries."""

    def value(self, field: Field) -> Markup:
        quoted = texts(field)
        return Markup(between(field)).join(escape(text) for text in quoted) if quoted else self.words(field.words)

    def field(self, entry: Entry, label: str) -> Field | None:
        """The field of a column; keys may be labels or slugs."""
        found = entry.fields.get(label) or entry.fields.get(label.casefold().replace(" ", "-"))
        return found or next((one for one in entry.fields.values() if one.label.casefold() == label.casefold()), None)

    def quoted(self, entry: Entry, label: str) -> tuple[str, ...]:
        field = self.field(entry, label)
        return () if field is None else texts(field) or (field_text(field),)

    def sentences(self, entry: Entry, label: str) -> str:
        return " ".join(as_sentence(text) for text in self.quoted(entry, label))

    def stated(self, entry: Entry) -> list[Field]:
        """The fields to print as such: in the order in which the kind declares them, so that all of its things have them in the same place."""
        if entry.kind == "example":
            return list(entry.fields.values())
        elsewhere = SAID | {"procedure": set(FINE_PRINT), "kind": WORKINGS}.get(entry.kind, set())
        kind = self.kind(entry)
        declared = list(self.system.entries[kind.id].slots) if kind and kind.id in self.system.entries else []
        found = [*entry.fields.values(), *self.usual(entry, declared)]
        place = {key_of(name): number for number, name in enumerate(declared)}
        kept = [field for field in found if key_of(field.label) not in elsewhere and not is_nothing(field)]
        return sorted(kept, key=lambda field: place.get(key_of(field.label), -1))

    def usual(self, entry: Entry, declared: Iterable[str]) -> list[Field]:
        """The fields that the kind declares and the entry leaves as they usually are."""
        found = [usual_field(entry, key_of(name), self.system) for name in declared if key_of(name) not in entry.fields]
        return [linked(field) for field in found if field is not None]

    def short(self, entry: Entry) -> list[Field]:
        """The fields that fit in a row of numbers."""
        return [field for field in self.stated(entry) if len(field_text(field)) <= LONG]

    def quick(self, entry: Entry) -> list[Field]:
        """What the quick reference says of a number: the short fields, and whatever is different in this game, however long."""
        return [field for field in self.stated(entry) if len(field_text(field)) <= LONG or self.is_changed(entry, field.label)]

    def long(self, entry: Entry) -> list[Field]:
        return [field for field in self.stated(entry) if len(field_text(field)) > LONG]

    def fine_print(self, entry: Entry) -> list[tuple[str, Markup]]:
        """What the table rarely asks about a procedure: its bounds, and the values that it declares (its roles are a field already). And what a kind
        is to the tool.
        """
        if entry.kind == "kind":
            return [(field.label, self.value(field)) for key, field in entry.fields.items() if key in WORKINGS]
        bounds = [(FINE_PRINT[key], self.value(field)) for key, field in entry.fields.items() if key in FINE_PRINT]
        values = [(slot.name, escape(slot.text or slot.holds)) for slot in entry.slots.values() if slot.text or "roles" not in entry.fields]
        return [*bounds, *values]


def is_nothing(field: Field) -> bool:
    return all(isinstance(atom, Nothing) for atom in field.value or (Nothing(),))


def linked(field: Field) -> Field:
    """A field that holds one thing, with a link to it. One of the words of a `one of ..` is no thing of the book."""
    thing = field.value[0] if len(field.value) == 1 else None
    return replace(field, words=(Ref(thing.id, plain(field.words)),)) if isinstance(thing, Thing) and ":" in thing.id else field
