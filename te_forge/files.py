"""Reading and writing the files of a pack that nobody vouches for.

Nothing outside the pack's folder is ever opened, whatever links say; sizes and numbers are bounded; what is not UTF-8 text is named as such. Writing
replaces a file in one move, so that a kill leaves either the old text or the new one.
"""

from __future__ import annotations

import contextlib
import os
import re
import stat
from collections.abc import Iterator
from dataclasses import field
from pathlib import Path
from typing import Protocol

from te_forge.diagnostics import Findings
from te_forge.frozen import mutable
from te_forge.source import UNSEEN, Source, Span

MOST_BYTES, MOST_HEAD_BYTES, MOST_ASSET_BYTES = 5_000_000, 1_000_000, 25_000_000
MOST_COMPILED_BYTES = 64_000_000
"""Of a compiled pack: fifty times a large one."""
MOST_LINES = 200_000
"""Of a page: a whole shelf of rulebooks. What is read of a line takes far more room than the line."""
MOST_FILES, MOST_LEVELS = 2_000, 20
ALIVE_IN_SVG = re.compile(
    rb"""[<:](script|foreignobject|iframe|handler)|<!entity|[\s"'/]on[a-z]+\s*=|=\s*["']?on[a-z]|javascript:|&\#|encoding\s*=\s*["'](?!utf-8)|\A(\xff\xfe|\xfe\xff)""",
    re.IGNORECASE,
)
"""What makes a drawing run code when it is opened by itself."""
BOM = b"\xef\xbb\xbf"
WIDE = ((b"\xff\xfe\x00\x00", "UTF-32"), (b"\x00\x00\xfe\xff", "UTF-32"), (b"\xff\xfe", "UTF-16"), (b"\xfe\xff", "UTF-16"))
AS_UTF8 = "save it as UTF-8 text"
MAY_READ = "see to it that you have the right to read it"
SPLIT = "split it into several files"
ANOTHER = "see whether this is the file that you mean"


def way_out(error: OSError) -> str:
    """What to do about a file that cannot be read."""
    return "see whether its name and folder are right" if isinstance(error, FileNotFoundError) else MAY_READ


class Picture(Protocol):
    """A picture of a pack, wherever it is kept."""

    def read_bytes(self) -> bytes: ...


@mutable
class Shelf:
    """One pack's folder. Paths are shown as `pack-folder/rules/page.te`, wherever the folder lies, so that the book does not depend on it."""

    root: Path
    findings: Findings
    places: dict[str, Path] = field(default_factory=dict)

    def shown(self, path: Path) -> str:
        return "/".join((self.root.name, *path.relative_to(self.root).parts))

    def spot(self, path: Path) -> Span:
        """The beginning of a file (or folder), as the place of a diagnostic."""
        shown = self.shown(path)
        self.places[shown] = path
        return Span(shown, 1, 1, 1)

    # ------------------------------------------------------------ which files there are

    def walk(self, folder: str) -> Iterator[Path]:
        """Every plain file below `folder`, in order of path; hidden ones are left out, links that leave the pack are reported."""
        top = self.root / folder
        if not os.path.lexists(top) or not self.inside(top):
            return
        for count, path in enumerate(self.below(top, 1)):
            if count == MOST_FILES:
                self.findings.add(
                    "too-many-files",
                    f"this folder holds more than {MOST_FILES} files; the others are not read",
                    self.spot(top),
                    help="write a page for each chapter",
                )
                return
            yield path

    def below(self, top: Path, level: int) -> Iterator[Path]:
        if level > MOST_LEVELS:
            self.findings.add("too-many-files", f"folders lie more than {MOST_LEVELS} deep here", self.spot(top), help="move the files up")
            return
        try:
            entries = sorted(top.iterdir(), key=lambda path: path.name)
        except OSError as error:
            self.findings.add("unreadable-file", f"this folder cannot be read: {reason(error)}", self.spot(top), help=way_out(error))
            return
        for path in entries:
            if path.name.startswith(".") or not self.inside(path) or not self.readable_name(path):
                continue
            if path.is_dir():
                yield from self.folder(path, level)
            else:
                yield path

    def folder(self, path: Path, level: int) -> Iterator[Path]:
        if path.is_symlink():
            self.findings.add("ignored-file", "a link to a folder is not followed", self.spot(path), severity="warning", help="move the files here")
            return
        yield from self.below(path, level + 1)

    def readable_name(self, path: Path) -> bool:
        """Whether everything in the name of a file can be seen, and is text at all."""
        found = UNSEEN.search(path.name)
        if found is not None:
            self.findings.add(
                "strange-sign",
                f"a letter that nobody sees stands in the name of this file (U+{ord(found[0]):04X})",
                self.spot(path),
                help="give it another name",
            )
        return found is None

    def inside(self, path: Path) -> bool:
        """Whether `path` really lies in the pack; says so when it does not."""
        try:
            real = path.resolve(strict=False)
        except (OSError, RuntimeError):
            real = None
        if real is not None and real.is_relative_to(self.root):
            return True
        self.findings.add(
            "outside-pack", "this is a link to a place outside the pack, and is not opened", self.spot(path), help="put a copy of the file here"
        )
        return False

    # ------------------------------------------------------------ what is in them

    def text(self, path: Path, limit: int = MOST_BYTES) -> Source | None:
        """The text of a file, or None when it is not text that can be read (and the findings say why)."""
        spot = self.spot(path)
        raw = self.raw(path, spot, limit)
        if raw is None:
            return None
        text = self.decoded(raw, spot)
        if text is None:
            return None
        plain = text.replace("\r\n", "\n").replace("\r", "\n")
        if (lines := plain.count("\n")) > MOST_LINES:
            self.findings.add("file-too-large", f"this file has {lines:,} lines; the limit is {MOST_LINES:,}", spot, help=SPLIT)
            return None
        return Source(spot.file, plain, newline_of(text))

    def raw(self, path: Path, spot: Span, limit: int) -> bytes | None:
        if not self.fits(path, spot, limit):
            return None
        try:
            with path.open("rb") as file:
                raw = file.read(limit + 1)
        except OSError as error:
            self.findings.add("unreadable-file", f"this file cannot be read: {reason(error)}", spot, help=way_out(error))
            return None
        return raw

    def fits(self, path: Path, spot: Span, limit: int) -> bool:
        """Whether `path` is an ordinary file of at most `limit` bytes."""
        try:
            found = path.stat()
        except OSError as error:
            self.findings.add("unreadable-file", f"this file cannot be read: {reason(error)}", spot, help=way_out(error))
            return False
        if not stat.S_ISREG(found.st_mode):
            self.findings.add("unreadable-file", "this is not an ordinary file", spot, help="put an ordinary file in its place")
            return False
        if found.st_size > limit:
            self.findings.add(
                "file-too-large",
                f"this file has {found.st_size / 1e6:.1f} MB; the limit is {limit / 1e6:g} MB",
                spot,
                help=SPLIT if limit == MOST_BYTES and path.suffix != ".lock" else ANOTHER,
            )
            return False
        return True

    def decoded(self, raw: bytes, spot: Span) -> str | None:
        for mark, name in WIDE:
            if raw.startswith(mark):
                self.findings.add("not-text", f"this file is {name}, not UTF-8", spot, help=AS_UTF8)
                return None
        if (at := raw.find(b"\0")) >= 0:
            self.findings.add("not-text", f"this file is not text: byte {at + 1} is zero", spot, help=AS_UTF8)
            return None
        try:
            return raw.removeprefix(BOM).decode("utf-8")
        except UnicodeDecodeError as error:
            before = raw.removeprefix(BOM)[: error.start]
            line = before.count(b"\n") + 1
            column = len(before.rpartition(b"\n")[2].decode("utf-8", "replace")) + 1
            self.findings.add("not-text", "this character is not UTF-8", Span(spot.file, line, column, column + 1), help=AS_UTF8)
            return None


def newline_of(text: str) -> str:
    """The line end that a text uses: `\\r\\n` when most of its lines do."""
    return "\r\n" if 2 * text.count("\r\n") > text.count("\n") else "\n"


def reason(error: OSError) -> str:
    """Why the system refused, in its own words but without the path and number."""
    return (error.strerror or type(error).__name__).lower()


def rewrite(path: Path, source: Source, text: str) -> None:
    """Put `text` where `source` was read from, with its line ends, byte-order mark and permissions, in one move."""
    real = path.resolve()
    raw = text.replace("\n", source.newline).encode("utf-8")
    with real.open("rb") as old:
        mark = BOM if old.read(len(BOM)) == BOM else b""
    write_whole(real, mark + raw, stat.S_IMODE(real.stat().st_mode))


def write_whole(path: Path, raw: bytes, mode: int = 0o644) -> None:
    """Write a file so that it is never seen half written. An `OSError` names the file that was asked for."""
    import tempfile  # takes as long to load as a small pack to read, and few commands write files

    try:
        handle, name = tempfile.mkstemp(prefix=f".{path.name[:40]}.", suffix=".tmp", dir=path.parent)
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(path)) from None
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(raw)
            file.flush()
            os.fsync(file.fileno())
        Path(name).chmod(mode)
        Path(name).replace(path)
    except BaseException:
        with contextlib.suppress(OSError):
            Path(name).unlink()
        raise
