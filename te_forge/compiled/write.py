"""A system as the text of a compiled pack: the same system gives the same bytes, on every machine.

Entries stand in the order in which they are defined, one to a line, and so do texts, so that two versions can be compared line by line and a mistake
has a line to be told by.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from te_forge import __version__
from te_forge.collector import collector_paused
from te_forge.compiled import forms
from te_forge.compiled.file import sealed
from te_forge.compiled.picture import in_json
from te_forge.compiled.provenance import Provenance
from te_forge.compiled.shape import BELOW, ENGINE_KINDS, FORMAT, SCHEMA_ID, VERSION, Part, parts_of, sole, tag
from te_forge.compiled.text import numbers_of, written
from te_forge.files import Picture
from te_forge.frozen import replace
from te_forge.keys import slug
from te_forge.model.pack import PackInfo, Work
from te_forge.model.rules import Int
from te_forge.model.system import Chapter, Entry, KindInfo, Reach, Shown, System, Words
from te_forge.source import Span

NO_HASH = "0" * 64
"""What stands in the place of the hash while it is worked out."""
LICENSES = {
    "CC BY 4.0": "CC-BY-4.0",
    "CC BY-SA 4.0": "CC-BY-SA-4.0",
    "CC BY-NC 4.0": "CC-BY-NC-4.0",
    "CC BY-NC-SA 4.0": "CC-BY-NC-SA-4.0",
    "CC0": "CC0-1.0",
    "CC0 1.0": "CC0-1.0",
    "MIT": "MIT",
    "ORC": "ORC",
    "OGL 1.0a": "OGL-1.0a",
}
"""Names that people write, and what SPDX calls them."""

Json = dict[str, Any]


@collector_paused()
def compiled(system: System, assets: Mapping[str, Picture] | None = None, played: System | None = None) -> bytes:
    """The compiled pack of a system, with its pictures in it. With `played`, which is that system composed, the entries are as they are played."""
    return sealed(in_lines(Writer(played or system, played is not None).document(assets or {}, system)))


def in_lines(document: Json) -> bytes:
    """JSON with a line for each item of the lists and objects at the top, and for each text."""
    return ("{\n" + ",\n".join(f"{dumped(key)}: {at_top(value)}" for key, value in document.items()) + "\n}\n").encode()


def at_top(value: Any, level: int = 1) -> str:
    if isinstance(value, list) and value:
        return "[\n" + ",\n".join(map(dumped, value)) + "\n]"
    if isinstance(value, dict) and value and level < 3 and not ("id" in value and level == 1):
        return (
            "{\n"
            + ",\n".join(f"{dumped(key)}: {at_top(one, level + 1) if isinstance(one, dict) else dumped(one)}" for key, one in value.items())
            + "\n}"
        )
    return dumped(value)


def dumped(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


class Writer:
    """Makes the JSON of one system, and gathers on the way what stands apart."""

    def __init__(self, system: System, as_played: bool = False) -> None:
        self.system, self.as_played = system, as_played
        self.languages = {info.id: info.language for info in system.packs}
        self.texts: dict[str, dict[str, str]] = {info.language: {} for info in reversed(system.packs)}
        self.keys: set[str] = set()
        self.numbers: Json = {}
        self.files: dict[str, int] = {}
        self.scopes: dict[str, int] = {}
        self.scope_rows: list[Json] = []
        self.known_scopes: dict[int, int] = {}
        self.below: dict[int, tuple[int, int]] = {}
        """Of the line that is written: the sentences of the lines below it, by which of them they are."""
        self.licenses: Json = {}
        self.sources: dict[str, Json] = {}

    # ------------------------------------------------------------ the whole

    def document(self, assets: Mapping[str, Picture], as_written: System) -> Json:
        from te_forge.compiled.fingerprint import fingerprints

        hashes = fingerprints(as_written)
        packs = [self.pack(info, hashes) for info in self.system.packs]
        provenance = Provenance(as_written)
        kinds = [self.kind(one) for one in self.system.kinds.values()]
        entities = [self.entity(one, packs, provenance) for one in self.system.entries.values()]
        chapters = [self.chapter(one) for one in self.system.chapters]
        return {
            "$schema": SCHEMA_ID,
            "format": FORMAT,
            "format_version": VERSION,
            "content_sha256": NO_HASH,
            "generator": f"te-forge {__version__}",
            **({"as_played": True} if self.as_played else {}),
            "pack": packs[-1],
            "required": packs[:-1],
            "licenses": self.licenses,
            "sources": self.sources,
            "kinds": kinds,
            "entities": entities,
            "chapters": chapters,
            "aliases": [],
            "removed": provenance.removed(),
            "files": list(self.files),
            "scopes": self.scope_rows,
            "numbers": self.numbers,
            "i18n": self.texts,
            "assets": {path: in_json(path, picture.read_bytes()) for path, picture in sorted(assets.items())},
            "x": {},
        }

    def pack(self, info: PackInfo, hashes: Mapping[str, str]) -> Json:
        """The head of a pack; `hashes` are those of the packs that it may require."""
        versions = {one.id: one.version for one in self.system.packs}
        base = f"{info.id}:pack"
        found = {
            "id": info.id,
            "version": info.version,
            "title": self.text(f"{base}#title", info.title),
            "subtitle": self.text(f"{base}#subtitle", info.subtitle) if info.subtitle is not None else None,
            "default_locale": info.language,
            "authors": list(info.authors),
            "license": self.license(info.license, info.license_url),
            "sources": [self.source(one) for one in info.sources],
            "requires": [
                {"id": id, "range": range_, **({"resolved": versions[id], "sha256": hashes[id]} if id in hashes else {})}
                for id, range_ in info.requires.items()
            ],
            "optional": [{"id": id, "range": range_} for id, range_ in info.optional.items()],
            "hacks": list(info.hacks),
            "rulings": [{"name": name, "value": reading} for name, reading in info.rulings.items()],
            "chapters": list(info.chapters),
            "credits": list(info.credits),
            "marks": list(info.marks),
        }
        return {key: value for key, value in found.items() if value not in (None, [])}

    def license(self, name: str | None, url: str | None) -> str | None:
        """The key of a license; one of the same name at another address has a key of its own."""
        if name is None and url is None:
            return None
        return put(
            self.licenses,
            LICENSES.get(name or "") or slug(name or "unnamed"),
            {key: value for key, value in (("name", name), ("url", url)) if value is not None},
        )

    def source(self, work: Work) -> str:
        found = {
            "title": work.title,
            "authors": list(work.authors),
            "license": self.license(work.license, work.license_url),
            "url": work.url,
            "attribution": work.attribution,
            "relation": work.relation,
            "changes": work.changes,
        }
        return put(self.sources, slug(work.title), {key: value for key, value in found.items() if value not in (None, [])})

    def kind(self, info: KindInfo) -> Json:
        return self.node(info, info.id, info.id)

    def entity(self, entry: Entry, packs: list[Json], provenance: Provenance) -> Json:
        declared = self.system.kinds.get(entry.kind)
        made: Json = {"kind": entry.kind if entry.kind in ENGINE_KINDS else declared.nature if declared is not None else "entry", "uid": entry.id}
        if made["kind"] != entry.kind:
            made["declared_kind"] = entry.kind
        rest = self.node(entry, entry.id, entry.id)
        made |= {key: value for key, value in rest.items() if key not in made}
        if entry.id in self.system.users:
            made["used_by"] = list(self.system.users[entry.id])
        made["provenance"] = provenance.of(entry, next(one for one in packs if one["id"] == entry.pack))
        return made

    def chapter(self, chapter: Chapter) -> Json:
        used = {"used_by": list(self.system.users[chapter.id])} if chapter.id in self.system.users else {}
        return {**self.node(chapter, chapter.id, chapter.id), **used}

    # ------------------------------------------------------------ by form

    def node(self, thing: Any, uid: str, path: str) -> Json:
        made: Json = {}
        for part in parts_of(thing.__class__):
            value = getattr(thing, part.name)
            if part.name == "meaning":
                self.below = {
                    id(one): (line, number) for line, below in enumerate(getattr(thing, "lines", ())) for number, one in enumerate(below.meaning)
                }
            if value != part.empty:
                made[part.key] = self.value(value, part.form, uid, below(path, part))
        return made

    def chosen(self, thing: Any, uid: str, path: str) -> Any:
        """A thing of a class that is one of several."""
        one = sole(thing.__class__)
        made = self.node(thing, uid, path)
        return made[one.key] if one is not None and len(made) == 1 else made

    def value(self, value: Any, form: Any, uid: str, path: str) -> Any:
        match form:
            case forms.Plain() | forms.OneWord():
                return value
            case forms.Phrase():
                return self.phrase(value, uid, path)
            case forms.Label():
                return self.text(path, value, uid)
            case forms.Place():
                return self.place(value)
            case forms.Scope():
                return self.scope(value)
            case forms.Node():
                return self.node(value, uid, path)
            case forms.Choice(below=True) if id(value) in self.below:
                line, sentence = self.below[id(value)]
                return {BELOW: {"line": line, "sentence": sentence}}
            case forms.Choice():
                return (
                    value
                    if isinstance(value, str)
                    else value.value
                    if isinstance(value, Int)
                    else {tag(value.__class__): self.chosen(value, uid, path)}
                )
            case forms.Rows(of, is_set):
                return [self.value(one, of, uid, item(path, one, number)) for number, one in enumerate(sorted(value) if is_set else value, 1)]
            case forms.Pairs(of, mapping):
                pairs = value.items() if mapping else value
                return [
                    {"name": name, **({"value": self.value(one, of, uid, f"{path}/{slug(name)}")} if one is not None else {})} for name, one in pairs
                ]
            case forms.Keyed(_, key):
                assert all(name == own_key(one, key) for name, one in value.items())
                return [self.node(one, uid, f"{path}/{slug(name)}") for name, one in value.items()]
            case forms.Maybe(of):
                return None if value is None else self.value(value, of, uid, path)
        raise TypeError(form)

    def place(self, span: Span) -> list[int]:
        return [self.files.setdefault(span.file, len(self.files)), span.line, span.column, span.end]

    def scope(self, reach: Reach) -> int:
        """The number of a scope; equal ones have one number. (Whoever holds the system keeps its parts alive, so the number of a part in memory is
        its own.)
        """
        known = self.known_scopes.get(id(reach))
        if known is None:
            there = tuple(one for one in reach.procedures if one in self.system.entries)
            row = self.node(replace(reach, procedures=there) if self.as_played else reach, "", "")
            text = dumped(row)
            known = self.known_scopes[id(reach)] = self.scopes.setdefault(text, len(self.scopes))
            if known == len(self.scope_rows):
                self.scope_rows.append(row)
        return known

    # ------------------------------------------------------------ texts

    def phrase(self, words: Words, uid: str, path: str) -> str:
        key = self.text(path, written(words), uid)
        numbers = [self.value(one, NUMBER, uid, path) for one in numbers_of(words)]
        if any(one is not None for one in numbers):
            self.numbers[key] = numbers
        return key

    def text(self, path: str, text: str, uid: str = "") -> str:
        """Put a text apart, in the language of its pack; gives its key."""
        key, number = path, 1
        while key in self.keys:
            number += 1
            key = f"{path}~{number}"
        self.keys.add(key)
        self.texts[self.languages[(uid or path).partition(":")[0]]][key] = text
        return key


NUMBER = next(part.form for part in parts_of(Shown) if part.name == "expr")


def put(shelf: Json, key: str, value: Any) -> str:
    """Put something under a key, or under the next that is free."""
    number, name = 1, key
    while shelf.setdefault(name, value) != value:
        number += 1
        name = f"{key}-{number}"
    return name


def own_key(one: Any, key: str) -> str:
    """The key that a thing knows of itself."""
    return str(getattr(one, key)).rpartition("#")[2]


def below(path: str, part: Part) -> str:
    """The path of a field. What is said of a line is not part of its key."""
    if part.name in ("words", "meaning"):
        return path
    return f"{path}/{part.name}" if "#" in path else f"{path}#{part.name}"


def item(path: str, one: Any, number: int) -> str:
    """The path of an item of a list: by its own name, where it has one."""
    own = getattr(one, "id", "") if not isinstance(one, str) else ""
    name = str(own).rpartition("#")[2].rpartition("/")[2]
    return f"{path}/{name or number}"
