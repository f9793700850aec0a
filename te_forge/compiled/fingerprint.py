"""What a pack holds, as one hash: of its own head, kinds, entries, chapters and texts, and of the packs that it requires. Where it lies, and what
others make of it, is no part of that.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping

from te_forge.compiled.shape import VERSION
from te_forge.compiled.write import Writer, dumped
from te_forge.model.system import System


def fingerprints(system: System) -> Mapping[str, str]:
    """The hash of each pack of a system, by its id. A pack stands after what it requires, so that theirs are known."""
    made: dict[str, str] = {}
    for info in system.packs:
        below = {id: made[id] for id in (*info.requires, *info.optional) if id in made}
        made[info.id] = hashlib.sha256(dumped([VERSION, below, own(system, info.id)]).encode()).hexdigest()
    return made


def own(system: System, pack: str) -> dict[str, object]:
    """What is a pack's own, as it stands in a compiled pack, apart from what speaks of it."""
    kinds = {name: one for name, one in system.kinds.items() if one.id.partition(":")[0] == pack}
    entries = {id: one for id, one in system.entries.items() if one.pack == pack}
    chapters = tuple(one for one in system.chapters if one.id.partition(":")[0] == pack)
    writer = Writer(System(tuple(one for one in system.packs if one.id == pack), kinds, entries, chapters, {}))
    return {
        "pack": [writer.pack(info, {}) for info in writer.system.packs],
        "kinds": [writer.kind(one) for one in kinds.values()],
        "entities": [writer.node(one, one.id, one.id) for one in entries.values()],
        "chapters": [writer.chapter(one) for one in chapters],
        "aside": [
            writer.licenses,
            writer.sources,
            [name.partition("/")[2] for name in writer.files],
            writer.scope_rows,
            writer.numbers,
            writer.texts,
        ],
    }
