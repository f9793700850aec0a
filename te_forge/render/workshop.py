"""The folder that a book is made in, beside the place it goes to.

It is hidden, and gone when the book stands. Only a kill leaves one behind; the next build takes it away. Whether its maker is still at work is told
by a lock on a file in it, which the system lets go of however a process ends: a number of a process could be somebody else's by now.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import stat
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import IO

try:
    import fcntl
except ImportError:  # Windows: what is left behind stays there
    fcntl = None  # type: ignore[assignment]

SUFFIX = ".te-forge"
SIGN = ".te-forge-work"
A_WHILE = 60
"""Seconds after which an empty folder is nobody's who has just begun."""
OLD = "old"
"""Where the book that is being replaced waits."""


def prefix(out: Path) -> str:
    return f".{out.name[:40]}."


def sign_text(out: Path) -> str:
    return f"te_forge made this folder to build a book in, and takes it away. The book is {out.name}\n"


@contextlib.contextmanager
def workshop(out: Path) -> Iterator[Path]:
    """A new folder beside `out`, as long as the context lasts."""
    work = Path(tempfile.mkdtemp(prefix=prefix(out), suffix=SUFFIX, dir=out.parent))
    try:
        with (work / SIGN).open("w", encoding="utf-8", errors="surrogateescape") as sign:
            locked(sign)
            sign.write(sign_text(out))
            sign.flush()
            yield work
    finally:
        remove(work)


def remove(work: Path) -> None:
    """Our folder with all that is in it. The sign goes last: whatever a kill leaves behind is known as ours."""
    for path in work.iterdir():
        if path.is_dir():
            shutil.rmtree(path, ignore_errors=True)
    shutil.rmtree(work, ignore_errors=True)


def clear_abandoned(out: Path) -> None:
    """Take away what killed builds of `out` left behind. When one was killed while it changed the books, the old one is put back first."""
    if fcntl is None or not out.parent.is_dir():
        return
    for work in sorted(out.parent.iterdir()):
        if work.name.startswith(prefix(out)) and work.name.endswith(SUFFIX):
            with contextlib.suppress(OSError):
                clear(work, out)


def clear(work: Path, out: Path) -> None:
    """Take the folder `work` away if it is ours and nobody works in it."""
    found = work.lstat()
    if not stat.S_ISDIR(found.st_mode) or found.st_uid != os.getuid() or (work / SIGN).is_symlink():
        return
    if time.time() - found.st_mtime > A_WHILE and not any(work.iterdir()):
        work.rmdir()
        return
    with (work / SIGN).open("r+", encoding="utf-8", errors="surrogateescape") as sign:
        text = sign.read()
        if text not in ("", sign_text(out)) or not locked(sign):
            return
        if text and (work / OLD).is_dir() and not out.exists():
            (work / OLD).rename(out)
        remove(work)


def locked(sign: IO[str]) -> bool:
    """Whether this process has the file for itself now."""
    if fcntl is not None:
        try:
            fcntl.flock(sign, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            return False
    return True
