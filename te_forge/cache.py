"""The user's cache folder: what te_forge keeps there, it can do without. Losing it costs time, never an answer.

Every file begins with a line that holds a hash over the rest of it and over all that it hangs on. Whatever does not fit that hash is made anew.
"""

from __future__ import annotations

import os
import stat
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import NamedTuple

ABANDONED = 3_600.0
"""Seconds after which nobody is still writing a file."""

in_use = True


@contextmanager
def nothing_kept() -> Iterator[None]:
    """Meanwhile the folder is neither read nor written, by no thread of this process."""
    global in_use
    before, in_use = in_use, False
    try:
        yield
    finally:
        in_use = before


def cache_folder() -> Path | None:
    """Where files are kept; None where nothing is kept at all."""
    caches = caches_of_the_user() if in_use else None
    return caches / "te-forge" if caches is not None else None


def caches_of_the_user() -> Path | None:
    """A relative path would be another folder wherever one is, so it is no answer; nor is an empty one, nor a user of whom the system knows no home."""
    named = Path(os.environ.get("XDG_CACHE_HOME", ""))
    if named.is_absolute():
        return named
    try:
        home = Path.home()
    except RuntimeError:
        return None
    return home / ".cache" if home.is_absolute() and os.environ.get("HOME") != "" else None


class Kept(NamedTuple):
    """A file of the cache folder: one of those called `names`, with `key` in place of the star. It holds `most` bytes, and there is `room` for so many
    of them, the latest ones.
    """

    names: str
    key: str
    most: int
    room: int

    @property
    def path(self) -> Path | None:
        folder = cache_folder()
        return folder / self.names.replace("*", self.key) if folder is not None else None

    def read(self) -> tuple[bytes, bytes]:
        """The hash, and what stands below it; both empty where there is no file to read."""
        path = self.path
        try:
            if path is not None and stat.S_ISREG((found := path.stat()).st_mode) and found.st_size <= 2 * self.most:
                digest, _, body = path.read_bytes().partition(b"\n")
                return digest, body
        except OSError:
            pass
        return b"", b""

    def write(self, digest: str, body: bytes) -> None:
        """Write the file beside its name and move it there, so that nobody reads half of it. Where that is not possible, nothing is kept."""
        path = self.path
        if path is None or len(body) > self.most:
            return
        with suppress(OSError):
            path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            unfinished = path.with_name(f"{UNFINISHED}{os.getpid()}-{time.time_ns()}")  # to load `tempfile` takes as long as to write ten of them
            handle = os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o600)
            try:
                with os.fdopen(handle, "wb") as file:
                    file.write(digest.encode() + b"\n" + body)
                unfinished.replace(path)
            except BaseException:
                unfinished.unlink()
                raise
            self.tidy(path.parent)

    def tidy(self, folder: Path) -> None:
        """Throw away the oldest when there are too many, and what a run that was killed has left half written."""
        now = time.time()
        for path in latest(folder, self.names)[self.room :] + [path for path in latest(folder, f"{UNFINISHED}*") if written(path) < now - ABANDONED]:
            with suppress(OSError):
                path.unlink()


UNFINISHED = "tmp"
"""What the name of a file begins with that is still being written."""


def latest(folder: Path, names: str) -> list[Path]:
    """The files of a folder that are called so, the latest first."""
    return sorted(folder.glob(names), key=written, reverse=True)


def written(path: Path) -> float:
    """When a file was written; of one that is gone, never."""
    try:
        return path.stat().st_mtime
    except OSError:
        return 0.0
