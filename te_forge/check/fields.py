"""The fields that the language itself knows, and where each may stand. All others are declared by a kind's `label` table.

The reference in the site is written from this table, and a test compares the two.
"""

from __future__ import annotations

from te_forge.frozen import frozen
from te_forge.model.rules import UNKNOWN, Atom, Based, Each, Int, Limit, Price, Range, Text, Type

ANY = "any"
COPIED = ("actor", "entry", "number", "trait", "procedure", "rule", "table", "deck")
"""What can be a copy of another of its kind."""
BASED_ON = "Based On"


@frozen
class EngineField:
    """`on`: the headings (or natures of kinds) that take it; `takes`: which names stand in it; `says`: one line for the reference; `shape`: see
    SHAPES.
    """

    label: str
    on: tuple[str, ...]
    says: str
    takes: tuple[str, ...] = ()
    shape: str = ""


SHAPES: dict[str, tuple[type[Atom], ...]] = {
    "based": (Based,),
    "count": (Int, Range),
    "each": (Each,),
    "limit": (Limit,),
    "price": (Price,),
    "text": (Text,),
}
"""What an engine field can hold; `te_forge.syntax.hint_fields` has the words for it."""

FORMS: dict[str, tuple[str, ...]] = {
    "actor": ("number",),
    "change": ("bonus",),
    "choice": ("number",),
    "dice": ("number", "dice_value"),
    "entry": ("number",),
    "group": ("number", "edit"),
    "number": ("number", "signed", "bonus"),
    "text": ("text",),
}
"""How a value of each type can be written, by the grammar's names; a `number` is whatever begins with a name, too."""
NAMES = ("number", "one_of", "holds", "holds_dice")
FORMS_OF: dict[str, tuple[str, ...]] = {
    "Also Paid From": NAMES,
    "Answers": NAMES,
    "Cards": ("number", "price", "span", "text"),
    "Counts": NAMES,
    "Counts As": NAMES,
    "Made By": NAMES,
    "Needs": NAMES,
    "Of": ("holds", "number"),
    "Part Of": NAMES,
    "Roles": ("holds", "number"),
    "Seen By": ("number",),
    "Settles": NAMES,
    "Starts": ("number", "signed", "bonus"),
    "Successor": NAMES,
    "Tracks": NAMES,
    "With": NAMES,
}
"""The same of engine fields without a type or a shape."""

ENGINE_FIELDS = {
    one.label: one
    for one in (
        EngineField("Is", ("kind",), "what things of this kind are: an actor, an entry, a number of .., a trait of .."),
        EngineField("How Many", ("kind",), "how many of these actors there are: `1`, or `1 to 8`", shape="count"),
        EngineField("Made By", ("kind",), "the procedure that makes one of these actors, with the new one as its only role", ("procedure",)),
        EngineField("Plural", (ANY,), "the plural, when it is not the name with an s", shape="text"),
        EngineField("Also Called", (ANY,), "other names that mean the same", shape="text"),
        EngineField(BASED_ON, COPIED, "what this is a copy of, but for the lines that follow: `Ogre as played`, or `Ogre as printed`", shape="based"),
        EngineField("Of", ("number",), "who has this number: `a character`, `the gm`"),
        EngineField("Starts", ("number", "kind"), "its value at the start; a formula makes it a derived value"),
        EngineField("At Least", ("number", "kind"), "it never falls below this"),
        EngineField("At Most", ("number", "kind"), "it never rises above this"),
        EngineField("Refills", ("number", "deck"), "when it goes back to its start: `each Scene`", shape="each"),
        EngineField("Also Paid From", ("number",), "another pool that may pay instead", ("number",)),
        EngineField("Cost", ("trait", "entry"), "what `may pay` without an amount costs: `1 Luck`", shape="price"),
        EngineField("Uses", ("trait", "entry", "rule"), "how often: `once per Session`", shape="limit"),
        EngineField("Asks", ("trait", "entry"), "what the player writes down on taking it", shape="text"),
        EngineField("Roles", ("procedure",), "who and what takes part: `a character as the actor`, `a group of characters as the team`"),
        EngineField("Outcomes", ("procedure",), "the names that `end with` may use"),
        EngineField("Counts", ("procedure",), "the step at which rolled dice are final and `after a roll` happens"),
        EngineField("Counts As", ("procedure",), "the procedure that this one is a case of", ("procedure",)),
        EngineField("Part Of", ("procedure",), "the procedure that this one happens in", ("procedure",)),
        EngineField("Settles", ("procedure",), "the step at which changed numbers settle"),
        EngineField("Bound", ("procedure",), "how long a chain may grow, that is how often it begins: `20 times per Scene`", shape="limit"),
        EngineField("Seen By", ("procedure",), "who sees its rolls"),
        EngineField("Tracks", ("kind", "entry"), "the number whose levels the `at` tables of these entries listen to", ("number",)),
        EngineField("Cards", ("deck",), "the cards: `1 to 13`, or names; `2 Moon` says itself how many"),
        EngineField("Copies", ("deck",), "how many of each card"),
        EngineField("Only With", (ANY,), 'a pack without which this is left out, with versions if they matter: `"night-market >=1.1"`'),
        EngineField("Needs", ("hack", "reading"), "hacks that must be on as well", ("hack",)),
        EngineField("Replaces", ("hack",), "in words, what it takes the place of", shape="text"),
        EngineField("Answers", ("reading",), "the ruling that this is another reading of", ("ruling",)),
        EngineField("Reads", ("ruling",), "in words, how the rules as written read", shape="text"),
        EngineField("Why", ("ruling",), "in words, why this reading was chosen", shape="text"),
        EngineField("Other", ("ruling",), "in words, other readings worth having", shape="text"),
        EngineField("With", ("example",), "hacks and readings that are on in this example", ("hack", "reading")),
        EngineField("Successor", ("deletes",), "what users of the deleted thing use instead"),
        EngineField("To", ("renames",), "the new name, in quotation marks", shape="text"),
    )
}


def can_be_written(label: str, wanted: Type, form: str) -> bool:
    """Whether a value of this form can stand in a field."""
    forms = FORMS.get(wanted.name) if wanted != UNKNOWN else FORMS_OF.get(label)
    return forms is None or form in forms


OTHER_LABELS = {
    "minimum": "At Least", "min": "At Least", "lowest": "At Least", "maximum": "At Most", "max": "At Most", "highest": "At Most", "cap": "At Most",
    "start": "Starts", "starting": "Starts", "begins": "Starts", "value": "Starts", "initial": "Starts", "base": "Starts", "default": "Starts",
    "owner": "Of", "belongs to": "Of", "for": "Of", "who": "Of", "has": "Of", "type": "Is", "number": "How Many", "count": "How Many",
    "recharges": "Refills", "resets": "Refills", "recovers": "Refills", "price": "Cost", "costs": "Cost", "limit": "Uses", "use": "Uses", "frequency": "Uses",
    "results": "Outcomes", "result": "Outcomes", "endings": "Outcomes", "participants": "Roles", "actors": "Roles", "players": "Roles", "who rolls": "Roles",
    "inside": "Part Of", "during": "Part Of", "alias": "Also Called", "aliases": "Also Called", "aka": "Also Called", "other names": "Also Called",
    "like": BASED_ON, "as": BASED_ON, "copy of": BASED_ON, "copies": BASED_ON, "copy from": BASED_ON, "extends": BASED_ON, "inherits": BASED_ON, "parent": BASED_ON, "variant of": BASED_ON, "same as": BASED_ON,
}  # fmt: skip
"""What people call the fields that the language knows."""
