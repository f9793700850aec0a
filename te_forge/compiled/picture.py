"""Pictures in a compiled pack: they stand in it whole, so that one file is enough."""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Mapping
from typing import Any

from te_forge.frozen import frozen
from te_forge.source import UNSEEN

MEDIA = {
    ".png": "image/png",
    ".jpg": "image/jpeg",
    ".jpeg": "image/jpeg",
    ".webp": "image/webp",
    ".avif": "image/avif",
    ".gif": "image/gif",
    ".svg": "image/svg+xml",
}
PART = r"[^./\\:*?<>|][^/\\:*?<>|]*"
PATH = rf"^assets/({PART}/)*{PART}\.(png|jpe?g|webp|avif|gif|svg|PNG|JPE?G|WEBP|AVIF|GIF|SVG)$"
"""Below `assets/`; no part of it begins with a dot."""
LONGEST = 500


@frozen
class Picture:
    """A picture as it stands in a file."""

    data: str

    def read_bytes(self) -> bytes:
        return base64.b64decode(self.data, validate=True)


def in_json(path: str, raw: bytes) -> dict[str, Any]:
    return {"media_type": media_of(path), "sha256": hashlib.sha256(raw).hexdigest(), "data": base64.b64encode(raw).decode()}


def media_of(path: str) -> str:
    return MEDIA["." + path.rpartition(".")[2].lower()]


def pictures_of(document: Mapping[str, Any]) -> dict[str, Picture]:
    """The pictures of a compiled pack by their path. Raises `ValueError` for one that is not what it says, or could run code."""
    return {path: picture(path, one) for path, one in document.get("assets", {}).items()}


def picture(path: str, one: Mapping[str, Any]) -> Picture:
    from te_forge.files import ALIVE_IN_SVG

    if len(path) > LONGEST or not re.fullmatch(PATH, path) or UNSEEN.search(path) or one["media_type"] != media_of(path):
        raise ValueError(path)
    made = Picture(one["data"])
    raw = made.read_bytes()
    if hashlib.sha256(raw).hexdigest() != one["sha256"] or (path.lower().endswith(".svg") and ALIVE_IN_SVG.search(raw)):
        raise ValueError(path)
    return made
