"""Packs as they were loaded, kept between runs: what plays, counts or prints the same pack again need not read and check its pages again.

They lie beside the findings of `kept`, below the same sort of hash. The system is kept as `pickle` writes it, which is read in a twentieth of the time
that the pages take. Nothing but a class of the model is ever taken from such a file, so nothing that somebody has put there can do more than be a
strange game.
"""

from __future__ import annotations

import io
import pickle
import sys
from dataclasses import is_dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from te_forge.diagnostics import has_errors
from te_forge.kept import Answer, Drawer, Need, found_again, packed_answer, unpacked
from te_forge.model.system import System
from te_forge.source import Span
from te_forge.whereabouts import find

if TYPE_CHECKING:
    from te_forge.packs import Loaded
    from te_forge.tried import Tried

MOST_PACKS, MOST_BYTES = 20, 10_000_000
"""So many packs, the latest ones, and so much of each: eight times a rulebook with all of its examples."""
MODEL = "te_forge.model."


def ready(pack: str, tried: Tried) -> Loaded:
    """A pack with what is `tried` on, as `te_forge.packs.load` gives it: the one of the last time, if nothing has changed since.

    What is tried has findings of its own, which are not to be told from those of a pack that is not clean: such a pack is loaded with it.
    """
    root = find(pack)
    drawer = Drawer(root, "pack-*.pickle", MOST_BYTES, MOST_PACKS) if root is not None and root.is_dir() else None
    known = taken(drawer) if drawer is not None else None
    if known is not None and not (tried and known.diagnostics):
        from te_forge.packs import with_tried

        return with_tried(known, tried)
    from te_forge.packs import load

    loaded = load(pack, tried)
    if drawer is not None and drawer.print is not None and not tried:
        keep(drawer, loaded)
    return loaded


def taken(drawer: Drawer) -> Loaded | None:
    """The pack that was kept, if it still is as it was."""
    from te_forge.packs.loaded import Loaded

    found = drawer.taken()
    if found is None:
        return None
    try:
        head, words = found
        places, sources = found_again(drawer.root, head)
        assets = {name: Path(path) for name, path in head["assets"].items()}
        return Loaded(system_in(words), [unpacked(one) for one in head["findings"]], drawer.root, sources, assets, places)
    except Exception:  # whatever is wrong with a cache, the answer is to look anew
        return None


def keep(drawer: Drawer, loaded: Loaded) -> None:
    """Keep a pack in which nothing is wrong that would stop it, and whose pictures are files."""
    from te_forge.packs import asked_for

    needs = asked_for(loaded)
    if needs is None or has_errors(loaded.diagnostics) or not all(isinstance(one, Path) for one in loaded.assets.values()):
        return
    head = packed_answer(Answer(loaded.diagnostics, loaded.places, loaded.sources)) | {
        "assets": {name: str(path) for name, path in loaded.assets.items()}
    }
    drawer.put((Need(str(by), id, str(found)) for by, id, found in needs), head, pickle.dumps(loaded.system, pickle.HIGHEST_PROTOCOL))


class Opener(pickle.Unpickler):
    """Reads a system, and takes nothing else from a file."""

    def find_class(self, module: str, name: str) -> Any:
        if module.startswith(MODEL) and module not in sys.modules:
            __import__(module)
        found = vars(sys.modules[module]).get(name) if module.startswith(MODEL) else Span if (module, name) == (Span.__module__, "Span") else None
        if not isinstance(found, type) or found.__module__ != module or not (found is Span or is_dataclass(found)):
            raise pickle.UnpicklingError(f"{module}.{name} is no class of the model")
        return found


def system_in(words: bytes) -> System:
    system = Opener(io.BytesIO(words)).load()
    if not isinstance(system, System):
        raise pickle.UnpicklingError("this is no system")
    return system
