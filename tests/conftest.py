"""For all tests: what te_forge keeps between runs goes into a folder of the tests' own, and nothing that is printed depends on the clock."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from pathlib import Path

import pytest


@pytest.fixture(scope="session", autouse=True)
def cache_of_the_tests(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.mktemp("cache")))
        yield


@pytest.fixture(scope="session", autouse=True)
def interrupts() -> None:
    """Whatever is started here can be interrupted, as from a terminal, even if the tests run in the background of a shell that has interrupts ignored."""
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(scope="session", autouse=True)
def patience() -> Iterator[None]:
    """Nothing says that it takes long, however busy the machine is; whoever tests that sets it back."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("te_forge.cli.PATIENCE", 3600)
        yield


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of the test's own, in which its commands are typed."""
    monkeypatch.chdir(tmp_path)
    return tmp_path
