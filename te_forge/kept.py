"""What is kept between runs, so that a pack that nobody has touched since is not read again: here what `check` has found, in `ready` the pack itself.

There is one file for each pack that was checked, in the cache folder. It holds the findings as JSON, below a hash of them and of all that they hang
on: te_forge itself and the libraries under it, every file and folder that a check looks at (`seen`), and where the required packs were found. Whatever does not
fit, cannot be read, or is out of the ordinary in a pack (a link, a device, a file that may not be opened) means that the pack is checked anew.
"""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from te_forge import __version__
from te_forge.cache import Kept
from te_forge.diagnostics import Diagnostic, Findings, Fix, Label
from te_forge.files import MOST_ASSET_BYTES, MOST_FILES, MOST_LEVELS, Shelf
from te_forge.resources import HERE, folder
from te_forge.source import Source, Span
from te_forge.whereabouts import ASSETS, BOOK, HEAD, RULES, find

if TYPE_CHECKING:
    from hashlib import _Hash

MOST_KEPT, MOST_LETTERS = 100, 1_000_000
"""So many packs, the latest ones, and so much about each."""
MOST_READ = 100_000_000
"""Bytes of a pack that are read to see whether it has changed."""
JUST_NOW = 2.0
"""Seconds. A required pack that was written so shortly before may have been read before or after."""
LIBRARIES = ("pydantic", "pydantic_core", "yaml", "packaging")
"""Whose words may stand in a message."""
WITHOUT_WORDS = (".png", ".jpg", ".jpeg", ".webp", ".avif", ".gif")
"""Pictures, of which a check looks at the name and the size only."""


class Answer(NamedTuple):
    """What is printed of a check: the findings, the files that they speak of by shown name, and the texts of these."""

    diagnostics: list[Diagnostic]
    places: Mapping[str, Path]
    sources: Mapping[str, Source]


class Need(NamedTuple):
    """A pack that was asked for by the one in the folder `by`, and where it was found."""

    by: str
    id: str
    found: str


class OutOfTheOrdinary(Exception):
    """Something in a pack that only a real check can judge."""


def sha256(first: bytes = b"") -> _Hash:
    import hashlib  # who keeps nothing does not wait for it

    return hashlib.sha256(first)


class Drawer:
    """The place for what is kept about the pack in `root` in files called `names` (with a hash in place of the star): a line of JSON, and what may
    follow it. It holds `most` bytes, and there is `room` for so many packs, the latest ones.
    """

    def __init__(self, root: Path, names: str, most: int, room: int) -> None:
        self.root, self.begun = root, time.time()
        self.file = Kept(names, sha256(os.fsencode(root)).hexdigest()[:24], most, room)
        self.print = fingerprint(root) if self.file.path is not None else None

    def taken(self) -> tuple[Mapping[str, Any], bytes] | None:
        """What was kept, if it still holds. What it means is for the caller to say; whatever is wrong with it then means the same as None."""
        try:
            if self.print is None:
                return None
            digest, body = self.file.read()
            line, _, rest = body.partition(b"\n")
            head = json.loads(line)
            needs = [Need(*one) for one in head["needs"]]
            return (head, rest) if self.holds(needs) and self.digest(needs, body).encode() == digest else None
        except Exception:  # whatever is wrong with a cache, the answer is to look anew
            return None

    def holds(self, needs: Iterable[Need]) -> bool:
        """Whether each required pack is still found where it was."""
        return all(str(find(one.id, Path(one.by))) == one.found for one in needs)

    def put(self, needs: Iterable[Need], head: Mapping[str, Any], rest: bytes = b"") -> None:
        """Keep something, if it is sure what it hangs on."""
        if self.print is None:
            return
        needs = list(needs)
        body = json.dumps({"needs": needs, **head}).encode() + (b"\n" + rest if rest else b"")
        with suppress(OSError, OutOfTheOrdinary):
            if self.print == fingerprint(self.root):
                self.file.write(self.digest(needs, body, self.begun), body)

    def digest(self, needs: Iterable[Need], body: bytes, begun: float | None = None) -> str:
        """The hash that stands above `body`; with `begun`, no required pack may have been written since."""
        key = sha256(stamp())
        for one in (self.print, *(fingerprint(Path(one.found)) for one in needs)):
            if one is None or (begun is not None and one is not self.print and one.written > begun - JUST_NOW):
                raise OutOfTheOrdinary
            key.update(one.digest)
        key.update(body)
        return key.hexdigest()


def drawer_of(root: Path) -> Drawer:
    """Where the answer about the pack in `root` is kept."""
    return Drawer(root, "check-*.json", MOST_LETTERS, MOST_KEPT)


def recall(drawer: Drawer) -> Answer | None:
    """The answer of the last check, if it still holds."""
    found = drawer.taken()
    if found is None:
        return None
    try:
        return Answer([unpacked(one) for one in found[0]["findings"]], *found_again(drawer.root, found[0]))
    except Exception:  # as in `taken`
        return None


def keep_answer(drawer: Drawer, answer: Answer, needs: Iterable[Need]) -> None:
    files = {span.file for one in answer.diagnostics for span in spans(one)}
    places = {shown: path for shown, path in answer.places.items() if shown in files}
    drawer.put(needs, packed_answer(Answer(answer.diagnostics, places, {shown: text for shown, text in answer.sources.items() if shown in files})))


# ---------------------------------------------------------------- what an answer hangs on


class Print(NamedTuple):
    """What a folder holds, as a hash, and when something in it was written, added or taken away for the last time."""

    digest: bytes
    written: float


def fingerprint(root: Path) -> Print | None:
    """All that a check of the pack in `root` looks at; None where that is not plain files that can be read, or very much."""
    hash, left = sha256(), MOST_READ
    try:
        if not (root / HEAD).is_file():
            return None
        written = root.stat().st_mtime
        for count, entry in enumerate(seen(root)):
            found = entry.stat(follow_symlinks=False)
            is_folder = entry.is_dir(follow_symlinks=False)
            wordless = is_folder or entry.name.lower().endswith(WITHOUT_WORDS)
            left -= 0 if wordless else found.st_size
            if count > MOST_FILES or left < 0:
                return None
            name = os.fsencode(os.path.relpath(entry.path, root))
            words = b"" if is_folder else words_of(entry, wordless)
            hash.update(b"%d %d %d " % (len(name), -1 if is_folder else found.st_size, len(words)) + name + words)
            written = max(written, found.st_mtime)
    except (OSError, OutOfTheOrdinary):
        return None
    return Print(hash.digest(), written)


def words_of(entry: os.DirEntry[str], wordless: bool) -> bytes:
    """What stands in a file. A check opens pictures too: what cannot be opened must not pass."""
    with open(entry.path, "rb") as file:  # noqa: PTH123  (hundreds of them)
        return b"" if wordless else file.read()


def seen(root: Path) -> Iterator[os.DirEntry[str]]:
    """All that stands beside pack.yaml, and what is below the folders that a check goes through. A folder counts as well: its name may be a mistake."""
    for entry in ordered(root):
        if entry.name.lower() in (RULES, BOOK, ASSETS) or not entry.is_dir(follow_symlinks=False):
            yield from below(entry, 1)
        else:
            yield entry


def below(entry: os.DirEntry[str], level: int) -> Iterator[os.DirEntry[str]]:
    if entry.is_file(follow_symlinks=False):
        yield entry
    elif entry.is_dir(follow_symlinks=False) and level <= MOST_LEVELS:
        yield entry
        for one in ordered(Path(entry.path)):
            if not one.name.startswith("."):
                yield from below(one, level + 1)
    else:
        raise OutOfTheOrdinary


def ordered(place: str | Path) -> list[os.DirEntry[str]]:
    with os.scandir(place) as entries:
        return sorted(entries, key=lambda one: one.name)


@cache
def stamp() -> bytes:
    """te_forge and what it stands on: the grammar, and which files all of its code and the libraries come from, how long they are and when they were
    written. Python asks no more of a file before it takes the bytecode that it has kept of it, and to read them all takes as long as a small pack.
    """
    hash = sha256(f"{__version__} {sys.version} {HERE}".encode())
    todo = [str(HERE)]
    while todo:
        for entry in ordered(todo.pop()):
            if entry.is_dir() and not entry.name.startswith("_"):
                todo.append(entry.path)
            elif entry.name.endswith(".py"):
                code = entry.stat()
                hash.update(f"{entry.path} {code.st_mtime_ns} {code.st_size}".encode())
    hash.update((folder("grammars") / "te.lark").read_bytes())
    for name in LIBRARIES:
        spec = find_spec(name)
        found = os.stat(spec.origin) if spec is not None and spec.origin is not None else None  # noqa: PTH116
        hash.update(repr(found and (spec and spec.origin, found.st_mtime_ns, found.st_size)).encode())
    return hash.digest()


# ---------------------------------------------------------------- findings as plain data


def packed_answer(answer: Answer) -> dict[str, Any]:
    """An answer as JSON; of the texts only which they are."""
    return {
        "findings": [packed(one) for one in answer.diagnostics],
        "places": {shown: str(path) for shown, path in answer.places.items()},
        "sources": list(answer.sources),
    }


def found_again(root: Path, kept: Mapping[str, Any]) -> tuple[dict[str, Path], dict[str, Source]]:
    """The places of an answer, and its texts, read once more."""
    shelf = Shelf(root, Findings())
    places = {shown: Path(path) for shown, path in kept["places"].items()}
    texts = [shelf.text(places[shown], MOST_ASSET_BYTES) for shown in kept["sources"]]
    return places, {text.path: text for text in texts if text is not None}


def spans(one: Diagnostic) -> Iterator[Span]:
    yield one.span
    yield from (label.span for label in one.labels)
    if one.fix is not None:
        yield one.fix.span


def packed(one: Diagnostic) -> list[Any]:
    fix = [one.fix.span, one.fix.text] if one.fix is not None else None
    return [one.code, one.message, one.span, one.severity, one.help, [[label.span, label.text] for label in one.labels], fix]


def unpacked(found: list[Any]) -> Diagnostic:
    code, message, span, severity, help, labels, fix = found
    return Diagnostic(
        code,
        message,
        Span(*span),
        severity,
        help,
        tuple(Label(Span(*place), text) for place, text in labels),
        Fix(Span(*fix[0]), fix[1]) if fix else None,
    )
