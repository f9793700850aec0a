"""Looks at a module for Foundry: our own at what the official program lets through, and that program's, which must read what we have written."""

from __future__ import annotations

import json
import re
import shutil
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any
from urllib.parse import unquote

from te_forge.export.exporter import Verdict
from te_forge.export.leveldb import NotPlain, read
from te_forge.export.tools import judged, node_tool, run

ID = re.compile(r"[A-Za-z0-9]{16}")
PACKAGE = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
VERSION = re.compile(r"\d+\.\d+\.\d+")
UUID = re.compile(r"@UUID\[([^\]]*)\]")
PICTURE = re.compile(r'<img src=\\"([^"\\]*)\\"')
COLLECTIONS = {"JournalEntry": "journal", "RollTable": "tables"}
EMBEDDED = {"journal": "pages", "tables": "results"}
NAMES = {"journal": "JournalEntry", "tables": "RollTable", "pages": "JournalEntryPage"}
DICE = {
    "10 * 1d6 + 1d6": [10 * a + b for a in range(1, 7) for b in range(1, 7)],
    "10 * 1d8 + 1d8": [10 * a + b for a in range(1, 9) for b in range(1, 9)],
}
MANIFEST = {
    "id": str, "title": str, "description": str, "version": str, "license": str, "compatibility": dict, "packs": list, "authors": list, "flags": dict,
}  # fmt: skip
"""What a manifest of ours holds. Foundry ignores a field that it does not know, so a misspelt one would be lost without a word."""
NEEDED = ("id", "title", "description", "version", "compatibility", "packs")
PACK_FIELDS = {"name", "label", "path", "type"}
Documents = Mapping[str, dict[str, Any]]


def checked(folder: Path) -> Verdict:
    """Our own look."""
    wrong = list(complaints(folder))
    return Verdict("manifest, ids, links, pictures and tables", "failed" if wrong else "passed", "te_forge", tuple(wrong))


def complaints(folder: Path) -> Iterator[str]:
    try:
        data = json.loads((folder / "module.json").read_text(encoding="utf-8"))
        assert isinstance(data, dict)
    except (OSError, ValueError, AssertionError):
        yield "module.json is missing, or no JSON object"
        return
    yield from manifest(data)
    known: set[str] = set()
    everything: list[tuple[str, dict[str, Any]]] = []
    for pack in data["packs"] if isinstance(data.get("packs"), list) else ():
        try:
            found = documents(folder / str(pack.get("path")))
        except NotPlain:
            yield f"{pack.get('path')}: something has opened this and changed it; export it again"
            continue
        except (OSError, ValueError, KeyError, IndexError) as error:
            yield f"{pack.get('path')}: {error}"
            continue
        yield from (f"{pack['path']}: {said}" for said in documents_of(found, COLLECTIONS.get(str(pack.get("type")), "")))
        known |= {f"Compendium.{data.get('id')}.{pack.get('name')}.{uuid(key)}" for key in found}
        everything += found.items()
    for key, document in everything:
        text = json.dumps(document, ensure_ascii=False)
        yield from (f"{key}: the link {target} leads nowhere" for target in UUID.findall(text) if target not in known)
        yield from (
            f"{key}: the picture {address} {said}" for address in PICTURE.findall(text) if (said := lost(address, str(data.get("id")), folder))
        )


def lost(address: str, id: str, folder: Path) -> str:
    """What is wrong with the address of a picture, which is that of a file of the module below Foundry's own folder; empty when nothing is."""
    start = f"modules/{id}/"
    path = folder / unquote(address.removeprefix(start))
    if not address.startswith(start) or not path.resolve().is_relative_to(folder.resolve()):
        return "lies outside of the module"
    return "" if path.is_file() else "is not there"


def manifest(data: Mapping[str, Any]) -> Iterator[str]:
    yield from (f"module.json: `{name}` is missing" for name in NEEDED if name not in data)
    yield from (f"module.json: `{name}` is no field of a module" for name in data if name not in MANIFEST)
    yield from (
        f"module.json: `{name}` is not of the right sort" for name, kind in MANIFEST.items() if name in data and not isinstance(data[name], kind)
    )
    if not PACKAGE.fullmatch(str(data.get("id"))):
        yield f"module.json: `{data.get('id')}` is no id of a module"
    if not VERSION.fullmatch(str(data.get("version"))):
        yield f"module.json: `{data.get('version')}` is no version"
    if not isinstance(data.get("compatibility"), dict) or not {"minimum", "verified"} >= data["compatibility"].keys():
        yield "module.json: `compatibility` takes `minimum` and `verified`"
    for pack in data["packs"] if isinstance(data.get("packs"), list) else ():
        if not isinstance(pack, dict) or pack.keys() != PACK_FIELDS or pack["type"] not in COLLECTIONS:
            yield f"module.json: a pack takes {', '.join(sorted(PACK_FIELDS))}, with a type among {', '.join(COLLECTIONS)}"


def documents(pack: Path) -> Documents:
    """All documents of a compendium, by key."""
    return {key: json.loads(raw) for key, raw in read({path.name: path.read_bytes() for path in sorted(pack.iterdir()) if path.is_file()}).items()}


def uuid(key: str) -> str:
    """`!journal.pages!a.b` as `JournalEntry.a.JournalEntryPage.b`."""
    _, collections, ids = key.split("!")
    return ".".join(f"{NAMES.get(name, name)}.{id}" for name, id in zip(collections.split("."), ids.split("."), strict=True))


def documents_of(found: Documents, collection: str) -> Iterator[str]:
    if not found and collection == "journal":
        yield "there is nothing in it"
    inner = EMBEDDED.get(collection, "")
    listed: set[str] = set()
    for key, document in found.items():
        _, collections, ids = key.split("!")
        id = ids.rpartition(".")[2]
        if collections not in (collection, f"{collection}.{inner}"):
            yield f"{key} does not belong here"
        if not ID.fullmatch(id) or document.get("_id") != id:
            yield f"{key}: its id must be 16 letters and digits, in the key and in the document"
        if collections == collection:
            mine = [f"!{collection}.{inner}!{id}.{one}" for one in document.get(inner, ())]
            listed.update(mine)
            yield from (f"{key}: {one} is not there" for one in mine if one not in found)
            if collection == "tables":
                yield from (f"{key}: {said}" for said in rolled(document, [found[one] for one in mine if one in found]))
    yield from (f"{key}: nothing holds it" for key in found if "." in key.split("!")[1] and key not in listed)


def rolled(table: Mapping[str, Any], results: list[dict[str, Any]]) -> Iterator[str]:
    """Whether the results of a table cover what its formula can roll, each number once."""
    formula = str(table.get("formula"))
    dice = re.fullmatch(r"(\d+)d(\d+)", formula)
    faces = DICE.get(formula) or (list(range(int(dice[1]), int(dice[1]) * int(dice[2]) + 1)) if dice else None)
    if faces is None:
        yield f"`{formula}` is no formula that is known here"
        return
    for one in results:
        low, high = one.get("range", (0, 0))
        if low > high:
            yield f"the range {low} to {high} is the wrong way round"
    found = [sum(one["range"][0] <= face <= one["range"][1] for one in results) for face in faces]
    if set(found) != {1}:
        yield f"its results do not cover {formula}, each number once"


def read_back(folder: Path) -> Iterator[Verdict]:
    """What the official program makes of each compendium: all documents, as they were written."""
    tool = node_tool("@foundryvtt/foundryvtt-cli", "fvtt")
    for pack in sorted(path for path in (folder / "packs").iterdir() if path.is_dir()) if (folder / "packs").is_dir() else ():
        what = f"the compendium {pack.name}, read back"
        if isinstance(tool, Verdict):
            yield Verdict(what, "not verified", tool.tool)
            continue
        name, words = tool
        with tempfile.TemporaryDirectory(prefix="te-forge-") as work:
            shutil.copytree(pack, Path(work, "in", pack.name))  # whoever opens a database writes into it
            code, text = run([*words, "package", "unpack", pack.name, "--in", "in", "--out", "out"], Path(work), XDG_DATA_HOME=work, HOME=work)
            if code:
                yield judged(what, name, code, text)
            else:
                wrong = tuple(unlike(documents(pack), Path(work, "out")))
                yield Verdict(what, "failed" if wrong else "passed", name, wrong)


def unlike(written: Documents, out: Path) -> Iterator[str]:
    """What is different in the documents that were unpacked."""
    back: dict[str, dict[str, Any]] = {}
    for path in sorted(out.rglob("*.json")) if out.is_dir() else ():
        document = json.loads(path.read_text(encoding="utf-8"))
        back[document["_key"]] = document
    for key, document in written.items():
        collection = key.split("!")[1]
        inner = EMBEDDED.get(collection, "")
        if "." in collection:
            continue
        whole = {
            **document,
            "_key": key,
            inner: [
                {**written[f"!{collection}.{inner}!{document['_id']}.{one}"], "_key": f"!{collection}.{inner}!{document['_id']}.{one}"}
                for one in document[inner]
            ],
        }
        if key not in back:
            yield f"{key} does not come back"
        elif back.pop(key) != whole:
            yield f"{key} comes back otherwise than it was written"
    yield from (f"{key} comes back, and was never written" for key in back)
