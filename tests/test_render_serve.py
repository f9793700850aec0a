"""The live server: reload after a save, a mistake as a banner, the last good book stays up, nothing but the book is given away."""

from __future__ import annotations

import http.client
import json
import time
from collections.abc import Callable
from pathlib import Path

from te_forge.render.serve import SCRIPT_PATH, VERSION_PATH, server


def ask(address: str, path: str, host: str = "") -> tuple[int, str, str]:
    place = address.removeprefix("http://")
    connection = http.client.HTTPConnection(place, timeout=5)
    connection.putrequest("GET", path, skip_host=True)
    connection.putheader("Host", host or place)
    connection.endheaders()
    answer = connection.getresponse()
    return answer.status, answer.getheader("Content-Type") or "", answer.read().decode("utf-8")


def until(true: Callable[[], bool], seconds: float = 10) -> bool:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if true():
            return True
        time.sleep(0.05)
    return False


def test_serve(tmp_path: Path) -> None:
    source, out = tmp_path / "rules.te", tmp_path / "book"
    source.write_text("one", encoding="utf-8")
    out.mkdir()
    said: list[str] = []

    def rebuild() -> tuple[bool, str]:
        text = source.read_text(encoding="utf-8")
        if text == "bug":
            raise RuntimeError("oops")
        if text.startswith("bad"):
            return False, f"rules.te:1:1: {text} <b>"
        (out / "index.html").write_text(f"<body><p>{text}</p></body>", encoding="utf-8")
        return True, ""

    def version(address: str) -> dict[str, object]:
        found: dict[str, object] = json.loads(ask(address, VERSION_PATH)[2])
        return found

    with server(rebuild, [tmp_path / "rules.te"], out, 0, said.append) as address:
        status, kind, text = ask(address, "/")
        assert (status, kind) == (200, "text/html; charset=utf-8") and "<p>one</p>" in text and SCRIPT_PATH in text
        assert version(address) == {"version": 1, "mistake": ""}

        source.write_text("second", encoding="utf-8")
        assert until(lambda: version(address)["version"] == 2)
        assert "<p>second</p>" in ask(address, "/index.html")[2]

        source.write_text("bad one", encoding="utf-8")
        assert until(lambda: bool(version(address)["mistake"]))
        assert version(address) == {"version": 2, "mistake": "rules.te:1:1: bad one <b>"}
        assert "<p>second</p>" in ask(address, "/")[2] and said == ["rules.te:1:1: bad one <b>"]

        source.write_text("bug", encoding="utf-8")
        assert until(lambda: "oops" in str(version(address)["mistake"]))

        source.write_text("mended", encoding="utf-8")
        assert until(lambda: version(address) == {"version": 3, "mistake": ""})
        assert until(lambda: said[-1] == "mended: the book is new") and said.count(said[-1]) == 1

        assert "textContent" in ask(address, SCRIPT_PATH)[2]
        for path in ("/../rules.te", "/%2e%2e/rules.te", "//etc/passwd", "/.te-forge-site", "/nothing.html", "/%00", "/index%00.html"):
            assert ask(address, path)[0] == 404, path
        assert ask(address, "/", host="evil.example:80")[0] == 403


def test_a_book_that_never_was_good_shows_why(tmp_path: Path) -> None:
    with server(lambda: (False, "line 1: <script>"), [tmp_path], tmp_path / "book", 0, lambda text: None) as address:
        assert "line 1: &lt;script&gt;" in ask(address, "/")[2]
