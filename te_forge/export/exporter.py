"""What an exporter is, and what it owes: files through a sink, the fate of every entity, and an honest word on what was verified."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Literal

from te_forge.files import MOST_ASSET_BYTES, Picture
from te_forge.model.system import Entry, System

Level = Literal["full", "degraded", "dropped"]
Extent = Literal["full", "partial", "none"]
Outcome = Literal["passed", "failed", "not verified"]

SORTS = ("actor", "entry", "number", "trait", "kind", "procedure", "rule", "table", "deck", "hack", "ruling", "reading", "example", "chapter")
"""The sorts of entities that a game is made of: by its heading what the engine knows, by its nature what a pack declares."""
MOST_PATH, MOST_PICTURE_BYTES = 180, 200_000_000


@dataclass(frozen=True)
class Fate:
    """What became of one entity in an export. Whatever is not `full` says why, in words for the designer."""

    id: str
    level: Level
    reason: str = ""


@dataclass(frozen=True)
class Option:
    """Something that a designer may choose about an export, `--set name=value`."""

    name: str
    default: str
    help: str


@dataclass(frozen=True)
class Verdict:
    """What one check found. `tool` names the program and its version, or says that it is missing; then nothing was verified."""

    what: str
    outcome: Outcome
    tool: str
    complaints: tuple[str, ...] = ()


class NotExported(Exception):
    """Why there is no export, in words for the person who asked."""


class Sink(ABC):
    """Where the files of an export go. Paths are relative, with `/` between folders, and may come from names in a pack: a bad one is refused. It
    holds the pictures of the game, too.
    """

    def __init__(self, pictures: Mapping[str, Picture] = MappingProxyType({})) -> None:
        self.taken: set[str] = set()
        self.pictures = pictures
        self.along: dict[str, bool] = {}
        self.room = MOST_PICTURE_BYTES

    def text(self, path: str, text: str) -> None:
        self.data(path, text.encode("utf-8"))

    def data(self, path: str, raw: bytes) -> None:
        if why := self.unfit(path):
            raise ValueError(why)
        self.taken.add(path.casefold())
        self.put(path, raw)

    def picture(self, path: str) -> bool:
        """Take a picture of the game along, such as `assets/map.png`; it has the same path in the export. False when it is left out: there is none,
        or no system takes its path, or there are too many.
        """
        if path not in self.along:
            self.along[path] = self.put_picture(path)
        return self.along[path]

    def put_picture(self, path: str) -> bool:
        if path not in self.pictures or self.unfit(path):
            return False
        raw = self.pictures[path].read_bytes()
        if len(raw) > min(MOST_ASSET_BYTES, self.room):
            return False
        self.room -= len(raw)
        self.data(path, raw)
        return True

    def unfit(self, path: str) -> str:
        """Why nothing can be written there; empty when it can."""
        parts = path.split("/")
        if (
            not path
            or len(path) > MOST_PATH
            or any(part in ("", ".", "..") or re.search(r'[\\:*?"<>|\x00-\x1f]', part) or part != part.strip() for part in parts)
        ):
            return f"`{path}` is no path that every system takes"
        return f"`{path}` is written twice" if path.casefold() in self.taken else ""

    @abstractmethod
    def put(self, path: str, raw: bytes) -> None:
        """Write a file whose path is good."""


class MemorySink(Sink):
    """Keeps the files, by path."""

    def __init__(self, pictures: Mapping[str, Picture] = MappingProxyType({})) -> None:
        super().__init__(pictures)
        self.files: dict[str, bytes] = {}

    def put(self, path: str, raw: bytes) -> None:
        self.files[path] = raw


class FolderSink(Sink):
    """Writes into a folder that is nobody else's."""

    def __init__(self, folder: Path, pictures: Mapping[str, Picture] = MappingProxyType({})) -> None:
        super().__init__(pictures)
        self.folder = folder

    def put(self, path: str, raw: bytes) -> None:
        target = self.folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(raw)


class Exporter(ABC):
    """One target. `emit` must be pure: the same system and options give the same bytes, with no network and no clock."""

    id: str
    """Its name on the command line and in the entry point."""
    title: str
    targets: tuple[str, ...]
    """Versions of the target that the files are meant for."""
    capabilities: Mapping[str, Extent]
    """For each of `SORTS`, how much of it the target can hold."""
    options: tuple[Option, ...] = ()
    kept: tuple[str, ...] = ()
    """Files and folders that the target itself writes into an export, such as its settings. A second export leaves them alone."""

    @abstractmethod
    def emit(self, system: System, sink: Sink, options: Mapping[str, str]) -> Iterable[Fate]:
        """Write `system` to `sink`, and give the fate of each of its `entities`. Every option has a value."""

    @abstractmethod
    def verify(self, folder: Path) -> Iterable[Verdict]:
        """Check an export of this target, whoever made it."""


# ---------------------------------------------------------------- the loss report


@dataclass(frozen=True)
class Report:
    """The fates of all entities of a game, each once."""

    fates: tuple[Fate, ...]

    @property
    def counts(self) -> dict[Level, int]:
        found = Counter(one.level for one in self.fates)
        return {"full": found["full"], "degraded": found["degraded"], "dropped": found["dropped"]}

    def reasons(self) -> list[tuple[Level, str, list[str]]]:
        """What was not exported whole: how, why, and the ids of all that share that."""
        found: dict[tuple[Level, str], list[str]] = {}
        for one in self.fates:
            if one.level != "full":
                found.setdefault((one.level, one.reason), []).append(one.id)
        return [
            (level, reason, ids)
            for (level, reason), ids in sorted(found.items(), key=lambda pair: (pair[0][0] == "dropped", -len(pair[1]), pair[0][1]))
        ]


def report(fates: Iterable[Fate], system: System) -> Report:
    """The report, when every entity is in it once. Raises `ValueError` when an exporter has told less, or more."""
    found = tuple(fates)
    wanted = set(entities(system))
    told = Counter(one.id for one in found)
    if lost := sorted(wanted - told.keys()):
        raise ValueError(f"it does not say what became of {lost[0]}" + (f" and {len(lost) - 1} more" if len(lost) > 1 else ""))
    if strange := sorted(told.keys() - wanted):
        raise ValueError(f"it speaks of {strange[0]}, which is not in the game")
    if twice := sorted(id for id, times in told.items() if times > 1):
        raise ValueError(f"it says twice what became of {twice[0]}")
    if silent := next((one.id for one in found if one.level != "full" and not one.reason.strip()), None):
        raise ValueError(f"it does not say why {silent} is not exported whole")
    return Report(tuple(sorted(found, key=lambda one: one.id)))


# ---------------------------------------------------------------- what there is to export


def entities(system: System) -> Iterator[str]:
    """The ids of all that a game is made of: its chapters and its entries."""
    yield from (chapter.id for chapter in system.chapters)
    yield from system.entries


def sort_of(entry: Entry, system: System) -> str:
    """Which of `SORTS` an entry is."""
    if entry.kind in SORTS[4:]:
        return entry.kind
    kind = system.kinds.get(entry.kind)
    return kind.nature if kind is not None else "entry"
