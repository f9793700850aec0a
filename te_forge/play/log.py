"""The log of a game: one JSON object a line, appended and flushed event by event, so that a kill loses at most the choice that is being typed.

The first line is the head: which pack in which version, the fingerprint of its rules, what is switched on, and the seed. Each further line is a command
(`{"do": ..}`), an answer that a command needed (`{"roll": ..}`, `{"choice": ..}`), that somebody who could act lets it go on (`{"on": ..}`), or `{"undo": true}`, which takes back everything from the last line that a
person gave. `by` says who gave it when it was no person.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any, TextIO

from te_forge.engine.index import Rules
from te_forge.model.system import Entry, Line, Ref, Shown, Words
from te_forge.play.names import playable

FORM = 1


class BadLog(Exception):
    """A log that cannot be used; the sentence names the line."""


@dataclass(frozen=True, slots=True)
class Head:
    """What a log begins with."""

    pack: str
    version: str
    fingerprint: str
    on: tuple[str, ...]
    seed: str


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
    pack = rules.system.pack
    return Head(pack.id, pack.version, fingerprint(playable(rules)), on, seed)


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
        found.append(f"its rules have the fingerprint {log.fingerprint[:12]}, and these {here.fingerprint[:12]}: a rule was changed in between")
    return found


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
        found += [f"{row.low}-{row.high} {row.id}", *(plain(cell.words) for cell in row.cells.values() if cell.meaning)]
    for patch in entry.patches:
        found += [f"{patch.verb} {patch.target}", *rule_lines(patch.lines)]
    return found


def rule_lines(lines: Iterable[Line]) -> list[str]:
    return [text for line in lines for text in (f"{line.label}: {plain(line.words)}", *rule_lines(line.lines))]


def plain(words: Words) -> str:
    return "".join(part.text if isinstance(part, Ref | Shown) else part for part in words)


# ---------------------------------------------------------------- files


def as_tuples(value: Any) -> Any:
    """JSON has lists where answers are tuples."""
    return tuple(as_tuples(one) for one in value) if isinstance(value, list) else value


class LogFile:
    """An open log to append to."""

    def __init__(self, path: Path, file: TextIO, line: int) -> None:
        self.path, self.file, self.line = path, file, line

    @classmethod
    def begin(cls, path: Path, head: Head) -> LogFile:
        made = cls(path, path.open("x", encoding="utf-8", newline="\n"), 0)
        made.write({"te-forge log": FORM, "pack": head.pack, "version": head.version, "fingerprint": head.fingerprint, "on": head.on, "seed": head.seed})
        return made

    @classmethod
    def go_on(cls, path: Path, line: int, size: int) -> LogFile:
        """Goes on behind the first `size` bytes, which are `line` whole lines."""
        with path.open("r+b") as file:
            file.truncate(size)
            file.seek(max(size - 1, 0))
            if size and file.read(1) != b"\n":
                file.write(b"\n")
        return cls(path, path.open("a", encoding="utf-8", newline="\n"), line)

    def write(self, data: Mapping[str, Any]) -> int:
        """Append a line; it has left the process when this returns. Its number."""
        self.file.write(json.dumps(data, ensure_ascii=False) + "\n")
        self.file.flush()
        self.line += 1
        return self.line


@dataclass(frozen=True)
class Read:
    """A log as it was read: what still counts of its events, how many lines and bytes of it are whole, and what was dropped."""

    head: Head
    events: list[Event]
    lines: int
    size: int
    dropped: str = ""


MOST_BYTES = 200_000_000


def read_log(path: Path) -> Read:
    """Read a log. A last line that a kill has cut off is dropped; any other broken line stops."""
    if path.stat().st_size > MOST_BYTES:
        raise BadLog(f"{path} is larger than any log of a game")
    raw = path.read_bytes()
    rows, dropped, size = raw.split(b"\n"), "", len(raw)
    last = rows.pop()
    if last:
        if row_of(last) is not None:
            rows.append(last)
        else:
            dropped = f"the last line of {path} was cut off and is left out"
            size -= len(last)
    parsed = []
    for number, row in enumerate(rows, 1):
        data = row_of(row)
        if data is None:
            raise BadLog(f"line {number} of {path} is not a line of a log: `{row[:60].decode('utf-8', 'replace')}`")
        parsed.append(Event(data, number))
    if not parsed:
        raise BadLog(f"{path} is not the log of a game: it has no first line that says of which pack")
    return Read(read_head(parsed[0], path), counted(parsed[1:], path), len(rows), size, dropped)


def row_of(row: bytes) -> dict[str, Any] | None:
    try:
        data = json.loads(row)
    except (ValueError, RecursionError):
        return None
    return data if isinstance(data, dict) else None


def read_head(event: Event, path: Path) -> Head:
    data = event.data
    if data.get("te-forge log") != FORM:
        raise BadLog(f"{path} is not the log of a game, or of a newer te-forge: its first line does not say `\"te-forge log\": {FORM}`")
    words = [data.get(key) for key in ("pack", "version", "fingerprint", "seed")]
    on = data.get("on")
    if not all(isinstance(word, str) for word in words) or not isinstance(on, list) or not all(isinstance(one, str) for one in on):
        raise BadLog(f"line 1 of {path} does not name pack, version, fingerprint, what is on, and seed")
    pack, version, mark, seed = (str(word) for word in words)
    return Head(pack, version, mark, tuple(on), seed)


def counted(events: list[Event], path: Path) -> list[Event]:
    """The events without those that were taken back."""
    kept: list[Event] = []
    for event in events:
        if "undo" not in event.data:
            kept.append(event)
            continue
        cut = last_of_person(kept)
        if cut is None:
            raise BadLog(f"line {event.line} of {path} takes something back, and there is nothing before it to take back")
        del kept[cut:]
    return kept


def last_of_person(events: list[Event]) -> int | None:
    """Where the last event stands that a person gave."""
    return next((at for at in range(len(events) - 1, -1, -1) if events[at].by_person), None)
