"""The book while it is being written: built again at each save, and the open page comes up new.

A mistake is shown in the terminal and as a banner in the page; the last good book stays up. Only this machine is served.
"""

from __future__ import annotations

import contextlib
import html
import json
import posixpath
import threading
import time
import traceback
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from http import HTTPStatus
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import unquote, urlsplit

HOST = "127.0.0.1"
PAUSE = 0.3
"""Seconds between two looks at the files."""

VERSION_PATH = "/__te_forge/version"
SCRIPT_PATH = "/__te_forge/reload.js"
SCRIPT = """(function () {
  "use strict";
  var seen = null, banner = document.getElementById("mistake");
  function show(mistake) {
    if (!mistake) { if (banner) banner.remove(); banner = null; return; }
    if (!banner) {
      banner = document.createElement("div");
      banner.setAttribute("role", "alert");
      banner.style.cssText = "position:fixed;inset:auto 0 0 0;max-height:45vh;overflow:auto;z-index:99;background:#5c1010;color:#fff;padding:1rem 1.5rem;font:14px/1.5 ui-monospace,monospace;white-space:pre-wrap";
      document.body.append(banner);
    }
    banner.textContent = mistake;
  }
  function ask() {
    fetch("/__te_forge/version", { cache: "no-store" })
      .then(function (answer) { return answer.json(); })
      .then(function (now) {
        if (seen !== null && now.version !== seen) { location.reload(); return; }
        seen = now.version;
        show(now.mistake);
      })
      .catch(function () { /* the server was stopped; it may come back */ })
      .then(function () { setTimeout(ask, 700); });
  }
  ask();
})();
"""
TAG = f'<script src="{SCRIPT_PATH}" defer></script></body>'
WAITING = "<!DOCTYPE html><html lang=en><meta charset=utf-8><title>No book yet</title><body><h1>There is no book yet</h1><pre id=mistake>{}</pre></body></html>"
"""The page that stands for the book until there is a good one. The script shows what is wrong in its place there, so that it is said once."""


@dataclass
class State:
    """What the page asks for: how many good books there were, and what is wrong with the text now."""

    version: int = 0
    mistake: str = ""
    lock: threading.Lock = field(default_factory=threading.Lock)

    def note(self, good: bool, text: str) -> None:
        with self.lock:
            self.version += good
            self.mistake = "" if good else text or "The book could not be built."

    def answer(self) -> bytes:
        with self.lock:
            return json.dumps({"version": self.version, "mistake": self.mistake}).encode()


def serve(rebuild: Callable[[], tuple[bool, str]], watch: list[Path], out: Path, port: int, echo: Callable[[str], None]) -> None:
    """Build, serve `out` at `port` (0: any free one) and build again whenever something in `watch` changes, until interrupted.

    `rebuild` builds into `out` and says whether that went well, and what to tell the writer.
    """
    with server(rebuild, watch, out, port, echo) as address:
        echo(f"The book is at {address}/ (stop with Ctrl-C)")
        with contextlib.suppress(KeyboardInterrupt):
            threading.Event().wait()


@contextlib.contextmanager
def server(rebuild: Callable[[], tuple[bool, str]], watch: list[Path], out: Path, port: int, echo: Callable[[str], None]) -> Iterator[str]:
    """The running server, as a context; gives its address."""
    state = State()
    stop = threading.Event()
    http = BookServer(port, state, out)
    seen = look(watch)
    make(rebuild, state, echo)
    threads = [
        threading.Thread(target=http.serve_forever, kwargs={"poll_interval": 0.1}, daemon=True),
        threading.Thread(target=follow, args=(rebuild, watch, state, stop, echo, seen), daemon=True),
    ]
    for thread in threads:
        thread.start()
    try:
        yield f"http://{HOST}:{http.server_address[1]}"
    finally:
        stop.set()
        http.shutdown()
        http.server_close()
        # A build that is under way may finish: cut off, it could leave its work folder behind.
        threads[1].join()


def make(rebuild: Callable[[], tuple[bool, str]], state: State, echo: Callable[[str], None]) -> None:
    broken = state.mistake
    try:
        good, text = rebuild()
    except Exception:
        # A bug of te_forge: shown whole, but the last good book stays up.
        good, text = False, traceback.format_exc()
    if text:
        echo(text)
    if good and broken:
        echo("mended: the book is new")
    state.note(good, text)


def follow(
    rebuild: Callable[[], tuple[bool, str]],
    watch: list[Path],
    state: State,
    stop: threading.Event,
    echo: Callable[[str], None],
    seen: dict[str, tuple[int, int]],
) -> None:
    while not stop.wait(PAUSE):
        now = look(watch)
        if now != seen:
            seen = now
            make(rebuild, state, echo)


def look(watch: list[Path]) -> dict[str, tuple[int, int]]:
    """Time of change and size of every file in `watch`; hidden files (editors' swap files) do not count."""
    found: dict[str, tuple[int, int]] = {}
    for root in watch:
        for path in [root, *root.rglob("*")] if root.is_dir() else [root]:
            if path.name.startswith(".") and path != root:
                continue
            with contextlib.suppress(OSError):
                state = path.stat()
                if path.is_file():
                    found[str(path)] = (state.st_mtime_ns, state.st_size)
    return found


def read_twice(path: Path) -> bytes | None:
    """The file; while a new book is put in its place, the folder is gone for a moment, so one more look is taken."""
    for wait in (0.15, 0.0):
        with contextlib.suppress(OSError):
            return path.read_bytes()
        time.sleep(wait)
    return None


class BookServer(ThreadingHTTPServer):
    """Serves the book that lies in `out`, to this machine only."""

    daemon_threads = True

    def __init__(self, port: int, state: State, out: Path) -> None:
        super().__init__((HOST, port), Handler)
        self.state, self.out = state, out


class Handler(SimpleHTTPRequestHandler):
    """Files of the book, with the reload script put into its pages."""

    server: BookServer
    server_version, sys_version = "te-forge", ""

    def do_GET(self) -> None:
        path = unquote(urlsplit(self.path).path)
        if not self.local():
            self.send_error(HTTPStatus.FORBIDDEN)
        elif path == VERSION_PATH:
            self.give(self.server.state.answer(), "application/json")
        elif path == SCRIPT_PATH:
            self.give(SCRIPT.encode(), "text/javascript")
        else:
            self.file(path)

    def do_HEAD(self) -> None:
        self.do_GET()

    def local(self) -> bool:
        """A web page elsewhere could give its own name this address; then it must not read the book."""
        host = (self.headers.get("Host") or "").rpartition(":")[0]
        return host in (HOST, "localhost")

    def file(self, path: str) -> None:
        name = posixpath.normpath("/" + path).lstrip("/") or "index.html"
        if name == ".":
            name = "index.html"
        root = self.server.out.resolve()
        real = (root / name.replace("\0", "")).resolve()
        if not real.is_relative_to(root) or "\0" in name or any(part.startswith(".") for part in Path(name).parts):
            self.send_error(HTTPStatus.NOT_FOUND)
            return
        raw = read_twice(real)
        if raw is None:
            self.absent(name)
            return
        kind = self.guess_type(str(real))
        if kind == "text/html":
            raw = raw.replace(b"</body>", TAG.encode())
        self.give(raw, kind)

    def absent(self, name: str) -> None:
        if name != "index.html":
            lost = read_twice(self.server.out / "404.html") if "/" not in name and name.endswith(".html") else None
            if lost is None:
                self.send_error(HTTPStatus.NOT_FOUND)
            else:
                self.give(lost.replace(b"</body>", TAG.encode()), "text/html", HTTPStatus.NOT_FOUND)
            return
        page = WAITING.format(html.escape(self.server.state.mistake)).replace("</body>", TAG)
        self.give(page.encode(), "text/html")

    def give(self, raw: bytes, kind: str, status: HTTPStatus = HTTPStatus.OK) -> None:
        self.send_response(status)
        self.send_header("Content-Type", f"{kind}; charset=utf-8" if kind.startswith("text/") or kind == "application/json" else kind)
        self.send_header("Content-Length", str(len(raw)))
        self.send_header("Cache-Control", "no-store")
        self.end_headers()
        if self.command != "HEAD":
            with contextlib.suppress(ConnectionError):
                self.wfile.write(raw)

    def log_message(self, format: str, *args: object) -> None:
        """Requests are no news to the writer."""
