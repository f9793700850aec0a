"""A compiled pack from its bytes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from typing import Any

from te_forge.compiled.document import KINDS
from te_forge.compiled.read import Json, Reading, Wrong, strings, text
from te_forge.compiled.shape import ANYTHING, ENGINE_KINDS, VERSION
from te_forge.compiled.whole import astray, dangling, gaps, misfits
from te_forge.model.pack import Mistake, PackInfo, Work, read_info
from te_forge.model.system import Chapter, System


def system_of(document: Json) -> System:
    """The system of a compiled pack. Raises one of `WRONG` when it is none, or does not hang together."""
    system, named, chapters = made_of(document)
    if (
        dangling(set().union(*named.values()), system.entries, chapters)
        or any(misfits(named, system))
        or any(astray(system.entries))
        or gaps(system.entries.values())
    ):
        raise Wrong
    return system


def made_of(document: Json) -> tuple[System, dict[str, set[str]], tuple[Chapter, ...]]:
    """The system, and the ids that are named in it, by the sort of what must have them."""
    infos = [info(one, document) for one in (*document["required"], document["pack"])]
    reading = Reading(document, texts_of(document, infos))
    kinds = {one.name: one for one in map(reading.kind, document["kinds"])}
    known = [one for one in document["entities"] if one["kind"] in KINDS] if document["format_version"] != VERSION else document["entities"]
    entries = {one.id: one for one in map(reading.entry, known)}
    chapters = tuple(map(reading.chapter, document["chapters"]))
    if len(kinds) < len(document["kinds"]) or len(entries) < len(known) or not {one.kind for one in entries.values()} <= {*ENGINE_KINDS, *kinds}:
        raise Wrong
    users = {one["uid"]: tuple(strings(one["used_by"])) for one in (*known, *document["chapters"]) if "used_by" in one}
    ids = reading.ids()
    ids[ANYTHING].update(*users.values())
    return System(tuple(infos), kinds, entries, chapters, users), ids, chapters


def texts_of(document: Json, infos: list[PackInfo]) -> Mapping[str, str]:
    """Every text by its key, each in the language of its pack."""
    languages = {info.language for info in infos}
    shelves = {name: document["i18n"][name] for name in languages}
    for shelf in shelves.values():
        if not all(one.__class__ is str for one in shelf.values()):
            raise Wrong
    if len(shelves) == 1:
        return next(iter(shelves.values()))
    return {key: one for info in infos for key, one in shelves[info.language].items() if key.partition(":")[0] == info.id}


def info(pack: Json, document: Json) -> PackInfo:
    made, _ = read_info(head(pack, document))
    if made is None:
        raise Wrong
    return made


def heads(pack: Json, document: Json) -> list[Mistake]:
    """What is wrong with the head of a pack."""
    return read_info(head(pack, document))[1]


def head(pack: Json, document: Json) -> dict[str, Any]:
    """The head of a pack as it stands in a pack.yaml."""
    locale = text(pack["default_locale"])
    texts = document["i18n"][locale]
    found: dict[str, Any] = {"id": pack["id"], "version": pack["version"], "language": locale, **license(pack, document)}
    found |= {key: texts[pack[key]] for key in ("title", "subtitle") if key in pack}
    found |= {key: tuple(pack[key]) for key in ("authors", "hacks", "chapters", "credits", "marks") if key in pack}
    found |= {key: {one["id"]: one["range"] for one in pack[key]} for key in ("requires", "optional") if key in pack}
    if "rulings" in pack:
        found["rulings"] = {one["name"]: one["value"] for one in pack["rulings"]}
    if "sources" in pack:
        found["sources"] = tuple([work(document["sources"][key], document) for key in pack["sources"]])
    return found


def license(one: Json, document: Json) -> Json:
    if "license" not in one:
        return {}
    return {
        name: document["licenses"][one["license"]][key]
        for name, key in (("license", "name"), ("license_url", "url"))
        if key in document["licenses"][one["license"]]
    }


def work(one: Json, document: Json) -> Json:
    known = {field.name for field in fields(Work)} - {"license", "license_url"}
    return {**{key: tuple(value) if key == "authors" else value for key, value in one.items() if key in known}, **license(one, document)}
