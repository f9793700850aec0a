"""The user's cache folder: what te_forge keeps there, it can do without. Losing it costs time, never an answer."""

from __future__ import annotations

import os
from pathlib import Path


def cache_folder() -> Path:
    base = os.environ.get("XDG_CACHE_HOME")
    return (Path(base) if base else Path.home() / ".cache") / "te-forge"


def keep(words: str | bytes, path: Path) -> None:
    """Write a file beside its name and move it there, so that nobody reads half of it. Where that is not possible, nothing is kept."""
    import tempfile  # takes as long to load as a small pack to read, and most runs write nothing

    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(dir=path.parent)
        with os.fdopen(handle, "wb") as file:
            file.write(words.encode() if isinstance(words, str) else words)
        Path(name).replace(path)
    except OSError:
        pass
