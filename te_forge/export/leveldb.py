"""A LevelDB database in three files, written and read without LevelDB.

Foundry keeps compendia in LevelDB. A database that nobody has compacted yet is only a log: a chain of batches of keys and values, which whoever opens
it replays. So that is all that has to be written: the log, a manifest that names it, and `CURRENT`, which names the manifest. (The format is told in
LevelDB's own `log_format.md` and `impl.md`.)

Logs and manifests are cut into blocks of 32 KB. A record in them is a checksum (4 bytes), a length (2), a kind (1: whole, 2 to 4: first, middle and
last piece) and the data; none crosses the end of a block.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable, Iterator, Mapping
from functools import cache

BLOCK, HEAD = 32_768, 7
WHOLE, FIRST, MIDDLE, LAST = 1, 2, 3, 4
COMPARATOR = b"leveldb.BytewiseComparator"
MANIFEST, LOG, CURRENT = "MANIFEST-000001", "000002.log", "CURRENT"
BATCH = 1_000_000
"""Bytes after which a batch ends: one that is replayed stands in memory whole."""
VALUE = 1
COMPARATOR_TAG, LOG_TAG, NEXT_TAG, SEQUENCE_TAG, PREVIOUS_TAG = 1, 2, 3, 4, 9


class NotPlain(Exception):
    """A database that something else has opened and compacted: there is more in it than its log."""


def files(pairs: Iterable[tuple[str, bytes]]) -> dict[str, bytes]:
    """The files of a database with these keys and values, by name."""
    edit = b"".join(
        (
            number(COMPARATOR_TAG),
            sized(COMPARATOR),
            *(number(one) for tag, value in ((LOG_TAG, 2), (PREVIOUS_TAG, 0), (NEXT_TAG, 3), (SEQUENCE_TAG, 0)) for one in (tag, value)),
        )
    )
    return {CURRENT: f"{MANIFEST}\n".encode(), MANIFEST: log([edit]), LOG: log(batches(pairs))}


def batches(pairs: Iterable[tuple[str, bytes]]) -> Iterator[bytes]:
    """The pairs as batches: the number of the first pair, how many there are, and the pairs."""
    first, count, size, parts = 1, 0, 0, list[bytes]()
    for key, value in pairs:
        part = bytes([VALUE]) + sized(key.encode("utf-8")) + sized(value)
        parts.append(part)
        count, size = count + 1, size + len(part)
        if size > BATCH:
            yield struct.pack("<QI", first, count) + b"".join(parts)
            first, count, size, parts = first + count, 0, 0, []
    if parts:
        yield struct.pack("<QI", first, count) + b"".join(parts)


def log(records: Iterable[bytes]) -> bytes:
    out = bytearray()
    for data in records:
        at, begun = 0, False
        while not begun or at < len(data):
            room = BLOCK - len(out) % BLOCK
            if room < HEAD:
                out += bytes(room)
                room = BLOCK
            piece = data[at : at + room - HEAD]
            ends = at + len(piece) == len(data)
            kind = (LAST if ends else MIDDLE) if begun else (WHOLE if ends else FIRST)
            out += struct.pack("<IHB", masked(crc(bytes([kind]) + piece)), len(piece), kind) + piece
            at, begun = at + len(piece), True
    return bytes(out)


def number(value: int) -> bytes:
    """A number in groups of seven bits, the lowest first."""
    out = bytearray()
    while value > 127:
        out.append(value & 127 | 128)
        value >>= 7
    return bytes([*out, value])


def sized(data: bytes) -> bytes:
    return number(len(data)) + data


@cache
def table() -> tuple[int, ...]:
    found = []
    for value in range(256):
        for _ in range(8):
            value = value >> 1 ^ (0x82F63B78 if value & 1 else 0)
        found.append(value)
    return tuple(found)


def crc(data: bytes) -> int:
    """CRC-32C, which is another one than that of zlib."""
    steps, value = table(), 0xFFFFFFFF
    for byte in data:
        value = steps[(value ^ byte) & 255] ^ value >> 8
    return value ^ 0xFFFFFFFF


def masked(value: int) -> int:
    """A checksum as it is stored: of data that may hold checksums itself."""
    return ((value >> 15 | value << 17) + 0xA282EAD8) & 0xFFFFFFFF


# ---------------------------------------------------------------- reading


def read(found: Mapping[str, bytes]) -> dict[str, bytes]:
    """The keys and values of a database that is nothing but a log. Raises `NotPlain` for any other, `ValueError` for one that is broken."""
    if any(name.endswith((".ldb", ".sst")) for name in found):
        raise NotPlain
    logs = sorted(name for name in found if name.endswith(".log"))
    if CURRENT not in found or not logs:
        raise ValueError("this is no LevelDB database")
    return {key: value for name in logs for record in records(found[name]) for key, value in pairs(record)}


def records(data: bytes) -> Iterator[bytes]:
    at, parts = 0, list[bytes]()
    while at + HEAD <= len(data):
        if BLOCK - at % BLOCK < HEAD:
            at += BLOCK - at % BLOCK
            continue
        check, size, kind = struct.unpack_from("<IHB", data, at)
        piece = data[at + HEAD : at + HEAD + size]
        if kind == 0 and size == 0:
            return
        if len(piece) != size or masked(crc(bytes([kind]) + piece)) != check:
            raise ValueError(f"the log is broken at byte {at}")
        parts.append(piece)
        at += HEAD + size
        if kind in (WHOLE, LAST):
            yield b"".join(parts)
            parts = []


def pairs(record: bytes) -> Iterator[tuple[str, bytes]]:
    _, count = struct.unpack_from("<QI", record)
    at = 12
    for _ in range(count):
        if record[at] != VALUE:
            raise ValueError("the log deletes something")
        key, at = taken(record, at + 1)
        value, at = taken(record, at)
        yield key.decode("utf-8"), value


def taken(data: bytes, at: int) -> tuple[bytes, int]:
    size = shift = 0
    while True:
        byte = data[at]
        at += 1
        size |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            return data[at : at + size], at + size
