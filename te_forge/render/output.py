"""The folder that a book or an export goes to: only what te_forge wrote there is ever replaced.

The marker in the folder lists every file with its hash; a book and each sort of export have markers of their own, so that none takes the place of
another. Whatever is not on the list, or was changed since, is somebody's work: the build is refused then, and says which file it is.
"""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Iterator
from pathlib import Path

from te_forge.render.page import OutputRefused
from te_forge.whereabouts import OWN_FOLDERS, pack_around

MARKER = ".te-forge-site"
HEAD = "te_forge made this folder. The next build replaces the files below, and is refused when there are others or when one of them was changed.\n"
LISTED = re.compile(r"([0-9a-f]{64})  (.+)")
LITTER = frozenset([".DS_Store", "Thumbs.db"])
"""What file managers leave behind where somebody only looked; nobody wrote it, and a book would be refused because it was looked at."""
ELSEWHERE = "choose another folder, such as `-o {}`"


def manifest(folder: Path, marker: str = MARKER) -> str:
    """The text of the marker for what is in `folder`."""
    return HEAD + "".join(f"{digest(folder / path)}  {path}\n" for path in sorted(files_in(folder)) if path != marker)


def listed(folder: Path, marker: str) -> dict[str, str] | None:
    """By path, the hash of each file that was written into `folder`; None when no build made it, or one that kept no list."""
    try:
        text = (folder / marker).read_text(encoding="utf-8", errors="surrogateescape")
    except OSError:
        return None
    return {found[2]: found[1] for line in text.splitlines() if (found := LISTED.fullmatch(line))} or None


def refuse_foreign(out: Path, marker: str = MARKER, kept: tuple[str, ...] = ()) -> None:
    """Refuse an output folder in which anything would be lost, or which is meant for a pack's own files. What lies in `kept` stays there anyway."""
    if out.is_symlink() or (out.exists() and not out.is_dir()):
        raise OutputRefused(f"{out} is not a folder; choose another output folder")
    refuse_in_pack(out)
    if out.is_dir():
        refuse_work(out, out, marker, kept)


def refuse_in_pack(out: Path) -> None:
    found = pack_around(out)
    if found is None:
        return
    elsewhere = ELSEWHERE.format(f"{found.name}-book")
    if out.resolve() == found:
        raise OutputRefused(f"{out} is the pack itself; {elsewhere}")
    first = out.resolve().relative_to(found).parts[0]
    if first.casefold() in OWN_FOLDERS:
        raise OutputRefused(f"the folder `{first}` of the pack {found.name} is for files that you write; {elsewhere}")


def refuse_work(folder: Path, shown: Path, marker: str, kept: tuple[str, ...]) -> None:
    """Refuse when a file in `folder` (which the writer knows as `shown`) is not as a build left it."""
    there = (path for path in files_in(folder) if Path(path).name not in LITTER and path != marker and path.partition("/")[0] not in kept)
    written = listed(folder, marker)
    if written is None:
        if first := next(there, None):  # it may be somebody's whole disc
            raise OutputRefused(
                f"{shown} was not made by te-forge, or by an older one, and holds {first}; choose an empty or new folder, or take away what is in it"
            )
        return
    for path in sorted(there):
        if path not in written:
            raise OutputRefused(
                f"{shown / path} was not written by te-forge, and a build would delete it; move it elsewhere, or choose another output folder"
            )
        if digest(folder / path) != written[path]:
            raise OutputRefused(
                f"{shown / path} was changed since te-forge wrote it, and a build would undo that; move it elsewhere, or choose another output folder"
            )


def put_in_place(new: Path, out: Path, old: Path, marker: str = MARKER, kept: tuple[str, ...] = ()) -> None:
    """Put `new` where `out` is, and that aside as `old`; when that fails, or when somebody has just written into it, `out` is as it was."""
    if out.exists():
        out.rename(old)
    try:
        if old.exists():
            refuse_work(old, out, marker, kept)
        new.rename(out)
    except BaseException:
        if old.exists():
            old.rename(out)
        raise


def files_in(folder: Path) -> Iterator[str]:
    """The path of everything in `folder` that is not a plain folder with something in it, hidden or not."""
    for here, folders, files in os.walk(folder, onerror=unseen):
        folders.sort()
        files.sort()
        links = [name for name in folders if (Path(here) / name).is_symlink()]
        if not folders and not files and Path(here) != folder:
            yield Path(here).relative_to(folder).as_posix()
        yield from ((Path(here) / name).relative_to(folder).as_posix() for name in (*files, *links))


def unseen(error: OSError) -> None:
    """What lies in a folder that cannot be read may be anything."""
    raise error


def digest(path: Path) -> str:
    """The hash of a file; a link, a folder or whatever cannot be read has none of ours."""
    if path.is_symlink() or not path.is_file():
        return ""
    try:
        return hashlib.sha256(path.read_bytes()).hexdigest()
    except OSError:
        return ""
