"""A real browser for the tests: Chromium, spoken to over a pair of pipes in the Chrome DevTools Protocol.

The protocol is JSON with a zero byte behind each message, so nothing is needed but the standard library. `required()` says whether a missing browser
is a failure (`TE_BROWSER=required`, as `.ci/run` sets it) or a reason to skip.
"""

from __future__ import annotations

import base64
import contextlib
import fcntl
import functools
import http.server
import itertools
import json
import os
import select
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[1]
AXE = ROOT / "node_modules" / "axe-core" / "axe.min.js"
SECONDS = 60
"""How long any one answer may take: a busy machine is no mistake."""

FLAGS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--no-first-run",
    "--disable-background-networking",
    "--hide-scrollbars",
    "--remote-debugging-pipe",
]
LAUNCH = "import os, sys; os.dup2(int(sys.argv[1]), 3); os.dup2(int(sys.argv[2]), 4); os.execvp(sys.argv[3], sys.argv[3:])"
"""Chromium reads commands from descriptor 3 and writes answers to 4; these are put there in a process of its own."""


def absent(what: str, how: str) -> None:
    """A missing tool is a failure where it is required, and a reason to skip elsewhere."""
    text = f"{what} is not installed: {how}"
    if os.environ.get("TE_BROWSER") == "required":
        pytest.fail(text)
    pytest.skip(text)


def chromium() -> str:
    found = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if found is None:
        absent("Chromium", "the tests in a browser run after `apt-get install chromium`")
    return found or ""


def axe() -> str:
    """The text of axe-core."""
    if not AXE.is_file():
        absent("axe-core", "the tests of accessibility run after `npm install --no-save axe-core` in the root of the repository")
    return AXE.read_text(encoding="utf-8")


class Browser:
    """One Chromium. Use it as a context; its tabs are independent of one another."""

    def __enter__(self) -> Browser:
        program = chromium()
        self.folder = tempfile.TemporaryDirectory(prefix="te-browser-")
        read_in, self.into = os.pipe()
        self.out, write_out = os.pipe()
        high = [fcntl.fcntl(one, fcntl.F_DUPFD, 10) for one in (read_in, write_out)]
        self.process = subprocess.Popen(
            [sys.executable, "-c", LAUNCH, *map(str, high), program, *FLAGS, f"--user-data-dir={self.folder.name}", "about:blank"],
            pass_fds=high, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )  # fmt: skip
        for one in (read_in, write_out, *high):
            os.close(one)
        self.numbers = itertools.count(1)
        self.rest = b""
        self.waiting: dict[int, dict[str, Any]] = {}
        self.tabs: dict[str, Tab] = {}
        return self

    def __exit__(self, *error: object) -> None:
        with contextlib.suppress(Exception):
            self.call("Browser.close")
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.process.wait(10)
        self.process.kill()
        self.process.wait()
        os.close(self.into)
        os.close(self.out)
        with contextlib.suppress(OSError):
            self.folder.cleanup()

    def call(self, method: str, session: str = "", **params: object) -> dict[str, Any]:
        number = next(self.numbers)
        message: dict[str, object] = {"id": number, "method": method, "params": params}
        if session:
            message["sessionId"] = session
        data = json.dumps(message).encode() + b"\0"
        while data:
            data = data[os.write(self.into, data) :]
        until = time.monotonic() + SECONDS
        while number not in self.waiting:
            self.receive(until)
        answer = self.waiting.pop(number)
        if "error" in answer:
            raise AssertionError(f"{method}: {answer['error']['message']}")
        result: dict[str, Any] = answer["result"]
        return result

    def receive(self, until: float) -> None:
        """Take in what has come: answers are kept for who waits for them, events go to their tab."""
        if not select.select([self.out], [], [], max(0.0, until - time.monotonic()))[0]:
            raise AssertionError("the browser gave no answer in time")
        read = os.read(self.out, 1 << 20)
        if not read:
            raise AssertionError("the browser has ended")
        *whole, self.rest = (self.rest + read).split(b"\0")
        for raw in whole:
            message = json.loads(raw)
            if "id" in message:
                self.waiting[message["id"]] = message
            elif (tab := self.tabs.get(message.get("sessionId", ""))) is not None:
                tab.hear(message["method"], message["params"])

    def tab(self, **more: bool) -> Tab:
        return Tab(self, **more)


class Tab:
    """A page with what it asked for (`requests`) and what it complained of (`complaints`)."""

    def __init__(self, browser: Browser, scripts: bool = True) -> None:
        self.browser = browser
        self.requests: list[str] = []
        self.complaints: list[str] = []
        self.loaded = False
        target = browser.call("Target.createTarget", url="about:blank")["targetId"]
        self.target = target
        self.session = browser.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        browser.tabs[self.session] = self
        for domain in ("Page", "Runtime", "Network", "Log"):
            self.call(f"{domain}.enable")
        self.call("Network.setCacheDisabled", cacheDisabled=True)
        self.call("Page.bringToFront")
        if not scripts:
            self.call("Emulation.setScriptExecutionDisabled", value=True)

    def call(self, method: str, **params: object) -> dict[str, Any]:
        return self.browser.call(method, self.session, **params)

    def hear(self, method: str, params: dict[str, Any]) -> None:
        match method:
            case "Network.requestWillBeSent":
                self.requests.append(params["request"]["url"])
            case "Network.responseReceived" if params["response"]["status"] >= 400:
                self.complaints.append(f"{params['response']['status']} {params['response']['url']}")
            case "Network.loadingFailed" if not params.get("canceled"):
                self.complaints.append(f"not loaded: {params['errorText']}")
            case "Runtime.exceptionThrown":
                self.complaints.append(params["exceptionDetails"].get("exception", {}).get("description", params["exceptionDetails"]["text"]))
            case "Runtime.consoleAPICalled" if params["type"] in ("error", "warning", "assert"):
                self.complaints.append(" ".join(str(one.get("value", one.get("description"))) for one in params["args"]))
            case "Log.entryAdded" if params["entry"]["level"] in ("error", "warning"):
                self.complaints.append(f"{params['entry']['text']} ({params['entry'].get('url', '')})")
            case "Page.loadEventFired":
                self.loaded = True

    # ------------------------------------------------------------ looking

    def size(self, width: int, height: int = 900) -> None:
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=width < 600)

    def shade(self, name: str, media: str = "") -> None:
        """The reader's preference, `light` or `dark`; `media` may be `print`."""
        self.call(
            "Emulation.setEmulatedMedia",
            media=media,
            features=[{"name": "prefers-color-scheme", "value": name}, {"name": "prefers-reduced-motion", "value": "reduce"}],
        )

    def go(self, address: str) -> None:
        self.loaded = False
        self.call("Page.navigate", url=address)
        until = time.monotonic() + SECONDS
        while not self.loaded:
            self.browser.receive(until)

    def ask(self, script: str) -> Any:
        """The value of a JavaScript expression in the page; a promise is waited for."""
        answer = self.call("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in answer:
            details = answer["exceptionDetails"]
            raise AssertionError(details.get("exception", {}).get("description", details["text"]))
        return answer["result"].get("value")

    def wait(self, script: str, seconds: float = 15) -> Any:
        """Waits until an expression is true in the page."""
        end = time.monotonic() + seconds
        while True:
            if found := self.ask(script):
                return found
            if time.monotonic() > end:
                raise AssertionError(f"this did not come true in {seconds:.0f} s: {script}")
            time.sleep(0.05)

    def text(self) -> str:
        """What a reader sees; works without JavaScript in the page, too."""
        return str(self.ask("document.body.innerText"))

    def picture(self, whole: bool = False) -> bytes:
        more: dict[str, object] = {"captureBeyondViewport": True} if whole else {}
        if whole:
            box = self.call("Page.getLayoutMetrics")["cssContentSize"]
            more["clip"] = {"x": 0, "y": 0, "width": box["width"], "height": box["height"], "scale": 1}
        return base64.b64decode(self.call("Page.captureScreenshot", format="png", **more)["data"])

    def pdf(self) -> bytes:
        return base64.b64decode(self.call("Page.printToPDF", preferCSSPageSize=True, paperWidth=8.27, paperHeight=11.69)["data"])

    # ------------------------------------------------------------ doing

    def move(self, x: float, y: float) -> None:
        self.call("Input.dispatchMouseEvent", type="mouseMoved", x=x, y=y)

    def click(self, selector: str) -> None:
        x, y = self.middle(selector)
        self.move(x, y)
        for kind in ("mousePressed", "mouseReleased"):
            self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)

    def tap(self, selector: str) -> None:
        x, y = self.middle(selector)
        self.call("Input.dispatchTouchEvent", type="touchStart", touchPoints=[{"x": x, "y": y}])
        self.call("Input.dispatchTouchEvent", type="touchEnd", touchPoints=[])

    def middle(self, selector: str) -> tuple[float, float]:
        """The middle of the first box of an element, after it was brought into view."""
        x, y = self.ask(
            f"(e => {{ e.scrollIntoView({{block: 'center'}}); const b = e.getClientRects()[0]; return [b.x + b.width / 2, b.y + b.height / 2]; }})"
            f"(document.querySelector({json.dumps(selector)}))"
        )
        return x, y

    def key(self, name: str) -> None:
        code = {"Tab": 9, "Enter": 13, "Escape": 27, "ArrowDown": 40, "ArrowUp": 38}[name]
        text = {"text": "\r"} if name == "Enter" else {}
        self.call("Input.dispatchKeyEvent", type="keyDown", key=name, code=name, windowsVirtualKeyCode=code, **text)
        self.call("Input.dispatchKeyEvent", type="keyUp", key=name, code=name, windowsVirtualKeyCode=code)

    def type(self, text: str) -> None:
        self.call("Input.insertText", text=text)

    def close(self) -> None:
        self.browser.call("Target.closeTarget", targetId=self.target)
        del self.browser.tabs[self.session]


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: object) -> None:
        """Requests are no news."""


@contextlib.contextmanager
def hosted(folder: Path) -> Iterator[str]:
    """The address of a server on this machine for the files of `folder`."""
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=str(folder)))
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}"
    finally:
        server.shutdown()
        server.server_close()
