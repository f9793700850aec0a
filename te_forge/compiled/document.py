"""What stands around the things of the model in a compiled pack: its head, where it comes from, its texts, in the same kind of forms as
`te_forge.compiled.shape`.
"""

from __future__ import annotations

from dataclasses import MISSING
from functools import cache
from typing import Any

from te_forge.compiled.forms import Key, Kinds, Label, Matching, Maybe, Node, OneWord, Open, Plain, Property, Record, Rows, Shelf
from te_forge.compiled.picture import MEDIA, PATH
from te_forge.compiled.shape import ANYTHING, ENGINE_KINDS, FORMAT, NATURES, SCHEMA_ID, parts_of
from te_forge.model.pack import RELATIONS
from te_forge.model.system import Chapter, Entry, KindInfo, Reach, Shown

TEXT, NUMBER, ID = Plain(str), Plain(int), Plain(str, ANYTHING)
UID = Matching(r"^[a-z][a-z0-9-]*:[^/#\s]+/\S+$", "an id such as `my-game:skill/climbing`")
PACK_ID = Matching(r"^[a-z][a-z0-9]*(-[a-z0-9]+)*$", "the id of a pack: small letters, digits and hyphens")
HASH = Matching(r"^[0-9a-f]{64}$", "64 digits of a SHA-256")
PAIR = Record("Pair", "A name and what it stands for.", (Property("name", TEXT), Property("value", TEXT)))
NEED = Record(
    "Need",
    "A pack that another builds on.",
    (
        Property("id", PACK_ID),
        Property("range", TEXT, says="Versions that will do, as in Python packages."),
        Property("resolved", TEXT, False, "The version that is in this file."),
        Property(
            "sha256", HASH, False, "The hash of what the pack holds in this file; te-forge tells by it whether it is the pack that lies elsewhere."
        ),
    ),
)
PACK = Record(
    "Pack",
    "The head of a pack: what its pack.yaml says.",
    (
        Property("id", PACK_ID),
        Property("version", Matching(r"^\d+\.\d+\.\d+$", "a version such as `1.0.0`")),
        Property("title", Label()),
        Property("subtitle", Label(), False),
        Property("default_locale", TEXT, says="The language of its texts: which part of `i18n` they stand in."),
        Property("authors", Rows(TEXT), False),
        Property("license", Key("licenses"), False, "The license of its own text."),
        Property("sources", Rows(Key("sources")), False, "Works that its rules come from."),
        Property("requires", Rows(NEED), False),
        Property("optional", Rows(NEED), False),
        Property("hacks", Rows(TEXT), False, "Names of the hacks that are on."),
        Property("rulings", Rows(PAIR), False, "Rulings that are read in another way."),
        Property("chapters", Rows(TEXT), False, "Titles of the chapters that stand first in the book."),
        Property("credits", Rows(TEXT), False),
        Property("marks", Rows(TEXT), False),
    ),
)
LICENSE = Record("License", "A license, by its name at SPDX where it has one.", (Property("name", TEXT, False), Property("url", TEXT, False)))
SOURCE = Record(
    "Source",
    "A work that rules come from. `attribution` goes, word for word, wherever the rules go.",
    (
        Property("title", TEXT),
        Property("authors", Rows(TEXT), False),
        Property("license", Key("licenses"), False),
        Property("url", TEXT, False),
        Property("attribution", TEXT, False),
        Property(
            "relation", OneWord(RELATIONS), False, "How the pack uses it: word for word, changed, only its mechanics, or as work of its own makers."
        ),
        Property("changes", TEXT, False, "What was changed against it."),
    ),
)
CHANGE = Record(
    "Modification",
    "What a hack or reading that is on makes of an entry, in words.",
    (
        Property("pack", PACK_ID),
        Property("by", ID),
        Property("path", TEXT, says="Which field, step, line or row; empty for the whole."),
        Property("op", TEXT),
        Property("before", TEXT),
        Property("after", TEXT),
        Property("file", TEXT),
        Property("line", NUMBER),
    ),
)
PROVENANCE = Record(
    "Provenance",
    "Where an entry comes from.",
    (
        Property("defined_by", PACK_ID),
        Property("file", TEXT),
        Property("line", NUMBER),
        Property("license", Key("licenses"), False),
        Property("sources", Rows(Key("sources")), False),
        Property("modified_by", Rows(CHANGE), False),
    ),
)
ALIAS = Record("Alias", "An id that something had before.", (Property("uid", UID), Property("now", ID)))
REMOVED = Record(
    "Removed", "What a hack that is on takes out of the game.", (Property("uid", ID), Property("by", ID), Property("replaced_by", ID, False))
)
PICTURE = Record(
    "Picture",
    "A picture, as base64.",
    (Property("media_type", OneWord(tuple(dict.fromkeys(MEDIA.values())))), Property("sha256", HASH), Property("data", TEXT)),
)
NEEDED_IN = {"table": ("table",)}
"""What an entity of a kind cannot be without."""


@cache
def entity(kind: str) -> Record:
    """What stands in an entity of a kind."""
    own = [Property("kind", OneWord((kind,))), Property("uid", UID)]
    if kind in NATURES:
        own.append(Property("declared_kind", TEXT, False, "The kind that a pack has declared, such as `skill`; one of `kinds`."))
    rest = [
        Property(part.key, part.form, part.empty is MISSING or part.key in ("name", *NEEDED_IN.get(kind, ())))
        for part in parts_of(Entry)
        if part.name not in ("id", "kind")
    ]
    after = (Property("used_by", Rows(ID), False, "What speaks of it."), Property("provenance", PROVENANCE), Property("x", Open(), False))
    return Record(f"{kind.capitalize()}Entity", SAYS[kind], (*own, *rest, *after))


SAYS = {
    "actor": "Somebody that takes part: of a kind that a pack declares as an actor, such as an adversary.",
    "number": "A number that actors have: a pool, a skill.",
    "trait": "What actors carry: a feature, a condition.",
    "entry": "Something else of a kind that a pack declares.",
    "kind": "A kind of things.",
    "procedure": "Numbered steps with roles.",
    "rule": "A rule that listens.",
    "table": "A random table, or a tracker.",
    "deck": "A deck of cards, or a wheel.",
    "hack": "Optional changes to rules.",
    "ruling": "A question that the text leaves open, and how it is read.",
    "reading": "Another way to read a ruling.",
    "example": "A scene that is played to see whether the rules do what the book says.",
}
KINDS = ("example", "procedure", "reading", "hack", "number", "trait", "ruling", "entry", "actor", "kind", "rule", "table", "deck")
"""All kinds of entities. Those that hold much come first: a validator that tries one after the other looks all the way down into each wrong one."""
assert set(KINDS) == {*NATURES, *ENGINE_KINDS}


def number_form() -> Any:
    return next(part.form for part in parts_of(Shown) if part.name == "expr")


@cache
def chapter() -> Record:
    parts = [Property(part.key, UID if part.name == "id" else part.form, part.empty is MISSING or part.key == "title") for part in parts_of(Chapter)]
    return Record("Chapter", "A chapter of the book, in the order of reading.", (*parts, Property("used_by", Rows(ID), False)))


@cache
def document() -> Record:
    """The whole file."""
    return Record(
        "CompiledPack",
        "A whole game: one pack with all that it requires. Written by te-forge; see the page on compiled packs.",
        (
            Property("$schema", OneWord((SCHEMA_ID,)), False),
            Property("format", OneWord((FORMAT,))),
            Property("format_version", Matching(r"^1\.\d{1,6}$", "a version of this format, `1.` and a number")),
            Property("content_sha256", HASH, says="The SHA-256 of the bytes of this file with 64 zeros in this place."),
            Property("generator", TEXT, False),
            Property(
                "as_played",
                Plain(bool),
                False,
                "The entries are as they are played, with the hacks that are on done. te_forge itself takes only files without this.",
            ),
            Property("pack", PACK),
            Property(
                "required", Rows(PACK), says="The packs that it builds on, those that others stand on first. Their entries are in this file, too."
            ),
            Property("licenses", Shelf(LICENSE)),
            Property("sources", Shelf(SOURCE)),
            Property("kinds", Rows(Node(KindInfo)), says="The kinds that the packs declare."),
            Property("entities", Rows(Kinds()), says="Everything that is defined, in the order of the text."),
            Property("chapters", Rows(chapter()), says="The book, in the order of reading."),
            Property("aliases", Rows(ALIAS), False),
            Property("removed", Rows(REMOVED), False),
            Property("files", Rows(TEXT), says="The files that places (`at`: file, line, column, end) are in."),
            Property("scopes", Rows(Node(Reach)), says="What lines may speak of, for those who put further lines there."),
            Property(
                "numbers",
                Shelf(Rows(Maybe(number_form()))),
                False,
                "Of texts with printed numbers: what each was worked out from, in the order of the text.",
            ),
            Property("i18n", Shelf(Shelf(TEXT), r"^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$"), says="Every text by language and key."),
            Property("assets", Shelf(PICTURE, PATH), False),
            Property("x", Open(), False, "For others: an object for each tool, by a name such as `org.example.my-tool`."),
        ),
    )
