"""The log of a game: one JSON object a line, appended and flushed event by event, so that a kill loses at most the choice that is being typed.

The first line is the head: which pack in which version, fingerprints of its rules, what is switched on, and the seed. Each further line is a command
(`{"do": ..}`), an answer that a command needed (`{"roll": ..}`, `{"choice": ..}`), that somebody who could act lets it go on (`{"on": ..}`), or
`{"undo": true}`, which takes back everything from the last line that a person gave. `by` says who gave it when it was no person.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from hashlib import sha256
from itertools import count
from pathlib import Path
from typing import Any, BinaryIO

from te_forge import suggest
from te_forge.engine.index import Rules
from te_forge.model.system import Entry, Line, plain
from te_forge.nearby import no_file
from te_forge.play.names import playable

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]

FORM = 1


class BadLog(Exception):
    """A log that cannot be used; the sentence names the line. `good` is how many lines before it are sound, where it is a line that is wrong."""

    def __init__(self, why: str, good: int = 0) -> None:
        super().__init__(why)
        self.good = good


@dataclass(frozen=True, slots=True)
class Head:
    """What a log begins with."""

    pack: str
    version: str
    fingerprint: str
    on: tuple[str, ...]
    seed: str
    rules: Mapping[str, str] = field(default_factory=dict)
    """A short fingerprint of each entry, by which it can be said what was changed."""

    def as_line(self) -> dict[str, Any]:
        return {
            "te-forge log": FORM,
            "pack": self.pack,
            "version": self.version,
            "fingerprint": self.fingerprint,
            "on": self.on,
            "seed": self.seed,
            "rules": self.rules,
        }


@dataclass(frozen=True, slots=True)
class Event:
    """One line of a log, and which line it is."""

    data: Mapping[str, Any]
    line: int

    @property
    def is_command(self) -> bool:
        return "do" in self.data

    @property
    def by_person(self) -> bool:
        return "by" not in self.data and "roll" not in self.data and "draw" not in self.data


def head_of(rules: Rules, on: tuple[str, ...], seed: str) -> Head:
    pack, entries = rules.system.pack, list(playable(rules))
    return Head(pack.id, pack.version, fingerprint(entries), on, seed, {entry.id: fingerprint([entry])[:8] for entry in entries})


def differences(log: Head, here: Head) -> list[str]:
    """What is not the same in the pack that a log was played with and in the one that is here."""
    found = []
    if log.pack != here.pack:
        found.append(f"the log is of the pack {log.pack}, and this is {here.pack}")
    if log.version != here.version:
        found.append(f"the log was played with version {log.version}, and this is {here.version}")
    if missing := [id for id in log.on if id not in here.on]:
        found.append(f"{', '.join(missing)} was switched on, and is not in this pack")
    if log.fingerprint != here.fingerprint:
        found += changes(log.rules, here.rules) or ["a rule was changed in between"]
    return found


def changes(then: Mapping[str, str], now: Mapping[str, str]) -> list[str]:
    """Which entries were changed, came or went; nothing for a log that does not know."""
    if not then:
        return []
    sorts = {
        "changed": [id for id in now if id in then and now[id] != then[id]],
        "new": [id for id in now if id not in then],
        "gone": [id for id in then if id not in now],
    }
    return [f"{verb} since then: {suggest.listed(ids)}" for verb, ids in sorts.items() if ids]


# ---------------------------------------------------------------- fingerprints


def fingerprint(entries: Iterable[Entry]) -> str:
    """A number for all that is a rule: fields, lines, steps, tables and values as they read. Prose may change without changing it."""
    made = sha256()
    for entry in entries:
        for part in rules_in(entry):
            made.update(part.encode())
            made.update(b"\n")
    return made.hexdigest()


def rules_in(entry: Entry) -> list[str]:
    found = [entry.id, *(f"{field.label}: {plain(field.words)}" for field in entry.fields.values())]
    found += [f"{slot.name} {slot.holds} {slot.usual}" for slot in entry.slots.values()]
    found += rule_lines(entry.lines)
    for step in entry.steps:
        found += [step.id, *rule_lines(step.lines)]
    for row in entry.table.rows if entry.table is not None else ():
        found += [
            f"{row.low}-{row.high}{''.join(f', {one.low}-{one.high}' for one in row.more)} {row.id}",
            *(plain(cell.words) for cell in row.cells.values() if cell.meaning),
        ]
    for patch in entry.patches:
        found += [f"{patch.verb} {patch.target}", *rule_lines(patch.lines)]
    return found


def rule_lines(lines: Iterable[Line]) -> list[str]:
    return [text for line in lines for text in (f"{line.label}: {plain(line.words)}", *rule_lines(line.lines))]


# ---------------------------------------------------------------- files


def as_tuples(value: Any) -> Any:
    """JSON has lists where answers are tuples."""
    return tuple(as_tuples(one) for one in value) if isinstance(value, list) else value


class LogFile:
    """An open log to append to, held by one process at a time."""

    def __init__(self, path: Path, file: BinaryIO, line: int, size: int) -> None:
        self.path, self.file, self.line, self.size = path, file, line, size

    @classmethod
    def begin(cls, path: Path, head: Head) -> LogFile:
        file = path.open("xb", buffering=0)
        hold(file, path)
        made = cls(path, file, 0, 0)
        made.write(head.as_line())
        return made

    @classmethod
    def go_on(cls, path: Path, read: Read) -> LogFile:
        """Goes on behind the whole lines that were read. A log that somebody else has open, or has written to since, is left alone."""
        file = path.open("r+b", buffering=0)
        hold(file, path)
        if os.fstat(file.fileno()).st_size != read.size + read.loose:
            raise BadLog(f"{path} has changed while it was being read; begin again")
        if read.rest is not None:
            file.seek(read.size)
            put_aside(read.rest, file.read(read.loose))
        file.truncate(read.size)
        file.seek(max(read.size - 1, 0))
        made = cls(path, file, read.lines, read.size)
        if read.size and file.read(1) != b"\n":
            made.put(b"\n")
        return made

    def write(self, data: Mapping[str, Any]) -> int:
        """Append a line; it has left the process when this returns. Its number."""
        self.put(json.dumps(data, ensure_ascii=False).encode("utf-8", "surrogatepass") + b"\n")
        self.line += 1
        return self.line

    def is_there(self) -> bool:
        """Whether the path still leads to what is written to: somebody may have taken the file away."""
        try:
            return os.path.samestat(self.path.stat(), os.fstat(self.file.fileno()))
        except OSError:
            return False

    def close(self) -> None:
        """Lets others at it."""
        self.file.close()

    def put(self, raw: bytes) -> None:
        """All of it or nothing: what a full disk takes of a line is taken away again."""
        left = memoryview(raw)
        try:
            self.file.seek(self.size)
            while left:
                left = left[self.file.write(left) :]
        except OSError as error:
            with suppress(OSError):
                self.file.truncate(self.size)
            why = (error.strerror or str(error)).lower()
            raise BadLog(f"{self.path} cannot be written to: {why}. The game stops here; the log has everything but what was typed last") from None
        self.size += len(raw)


def put_aside(path: Path, raw: bytes) -> None:
    """Keeps what is cut off from a log, so that nothing of a game is ever thrown away."""
    try:
        with path.open("xb") as file:
            file.write(raw)
    except OSError as error:
        raise BadLog(f"{path} cannot be written, and what is cut off is to be kept there: {(error.strerror or str(error)).lower()}") from None


def hold(file: BinaryIO, path: Path) -> None:
    """Keeps others away as long as this process lives; nothing is left behind by one that is killed."""
    try:
        if fcntl is not None:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise BadLog(f"{path} is being played with by another te-forge; leave that one first, or begin another log") from None
    except OSError:  # a file system without locks
        return


@dataclass(frozen=True)
class Read:
    """A log as it was read: what still counts of its events, how many lines and bytes of it are whole, how many are not, and what was dropped."""

    head: Head
    events: list[Event]
    lines: int
    size: int
    loose: int = 0
    dropped: str = ""
    rest: Path | None = None
    """Where what stands behind the whole lines is put aside when the game goes on from them."""


MOST_BYTES = 200_000_000


def shown(row: bytes) -> str:
    """What stands there, fit for a terminal: a stranger's log may hold signs that move its cursor."""
    return "".join(letter if letter.isprintable() else "\ufffd" for letter in row.decode("utf-8", "replace"))


def read_log(path: Path, up_to: int | None = None) -> Read:
    """Read a log, or its first `up_to` lines. A last line that a kill has cut off is dropped; any other broken line stops."""
    if not path.is_file():
        raise BadLog(f"{path} is no file with a log in it" if path.exists() else no_file(path))
    if path.stat().st_size > MOST_BYTES:
        raise BadLog(f"{path} is larger than any log of a game")
    raw = path.read_bytes()
    rows, dropped, size, rest = raw.split(b"\n"), "", len(raw), None
    last = rows.pop()
    if up_to is not None and up_to < len(rows) + bool(last):
        rows, size = rows[:up_to], sum(len(row) + 1 for row in rows[:up_to])
        rest = free_name(path)
        dropped = f"{path} is read up to line {up_to}; what stands behind it is kept in {rest}"
    elif last:
        if row_of(last) is not None:
            rows.append(last)
        else:
            dropped = f"the last line of {path} was cut off and is left out"
            size -= len(last)
    parsed = []
    for number, row in enumerate(rows, 1):
        data = row_of(row)
        if data is None:
            raise BadLog(f"line {number} of {path} is not a line of a log: `{shown(row[:60])}`", number - 1)
        if number > 1 and not is_event(data):
            raise BadLog(f"line {number} of {path} says nothing that can happen in a game: `{shown(row[:60])}`", number - 1)
        parsed.append(Event(data, number))
    if not parsed:
        raise BadLog(f"{path} is not the log of a game: it has no first line that says of which pack")
    return Read(read_head(parsed[0], path), counted(parsed[1:], path), len(rows), size, len(raw) - size, dropped, rest)


def free_name(path: Path) -> Path:
    """A name beside a log that nothing has yet."""
    names = (path.with_name(f"{path.name}.rest{number or ''}") for number in count())
    return next(name for name in names if not os.path.lexists(name))


WORDS = ("do", "id", "who", "sheet", "file", "policy", "by", "roll", "draw", "choice", "on")
"""Keys of a line that take words."""
SAYS = ("do", "roll", "draw", "choice", "on", "undo")
"""Keys by which a line says what it is: one of them stands in each."""


def is_event(data: Mapping[str, Any]) -> bool:
    """Whether a line has the form of an event; also one that was taken back later is looked at, which is never played."""
    if sum(key in data for key in SAYS) != 1 or not (data.get("undo") is True or "undo" not in data):
        return False
    if not all(isinstance(data[key], str) or (data[key] is None and key in ("who", "policy")) for key in WORDS if key in data):
        return False
    return isinstance(data.get("roles", {}), dict)


def row_of(row: bytes) -> dict[str, Any] | None:
    try:
        data = json.loads(row)
    except (ValueError, RecursionError):
        return None
    return data if isinstance(data, dict) else None


def read_head(event: Event, path: Path) -> Head:
    data = event.data
    if data.get("te-forge log") != FORM:
        raise BadLog(f'{path} is not the log of a game, or of a newer te-forge: its first line does not say `"te-forge log": {FORM}`')
    words = [data.get(key) for key in ("pack", "version", "fingerprint", "seed")]
    on = data.get("on")
    if not all(isinstance(word, str) for word in words) or not isinstance(on, list) or not all(isinstance(one, str) for one in on):
        raise BadLog(f"line 1 of {path} does not name pack, version, fingerprint, what is on, and seed")
    pack, version, mark, seed = (str(word) for word in words)
    rules = data.get("rules")
    known = {id: part for id, part in rules.items() if isinstance(part, str)} if isinstance(rules, dict) else {}
    return Head(pack, version, mark, tuple(on), seed, known)


def counted(events: list[Event], path: Path) -> list[Event]:
    """The events without those that were taken back."""
    kept: list[Event] = []
    for event in events:
        if "undo" not in event.data:
            kept.append(event)
            continue
        cut = last_of_person(kept)
        if cut is None:
            raise BadLog(f"line {event.line} of {path} takes something back, and there is nothing before it to take back", event.line - 1)
        del kept[cut:]
    return kept


def last_of_person(events: list[Event]) -> int | None:
    """Where the last event stands that a person gave."""
    return next((at for at in range(len(events) - 1, -1, -1) if events[at].by_person), None)
