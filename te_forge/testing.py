"""A plug-in for pytest: each example of a pack is a test. It does nothing unless a pack is named, with `--te-forge PACK` or the ini option
`te_forge_packs`.

Only pytest is imported here; te_forge itself is, once a pack has been named.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from te_forge.examples import Table
    from te_forge.model.system import Entry
    from te_forge.packs import Loaded

PACKS = pytest.StashKey[tuple[Path, ...]]()


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("te_forge", "rules of games")
    group.addoption(
        "--te-forge",
        action="append",
        default=[],
        metavar="PACK",
        dest="te_forge",
        help="Play the examples of this pack as tests. May be given several times.",
    )
    parser.addini("te_forge_packs", "Packs whose examples are tests.", type="args", default=[])


def pytest_configure(config: pytest.Config) -> None:
    packs = [*config.getoption("te_forge"), *config.getini("te_forge_packs")]
    heads = tuple(head_of(pack) for pack in packs)
    config.stash[PACKS] = heads
    config.args += [str(head) for head in heads if str(head) not in config.args]


def head_of(pack: str) -> Path:
    from te_forge.suggest import did_you_mean
    from te_forge.whereabouts import HEAD, find, shipped

    found = find(pack)
    if found is None:
        raise pytest.UsageError(f"--te-forge: there is no pack `{pack}`{did_you_mean(pack, shipped())}")
    return found if found.is_file() else found / HEAD


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    if file_path in parent.config.stash[PACKS]:
        return PackFile.from_parent(parent, path=file_path)
    return None


class PackFile(pytest.File):
    """The examples of one pack."""

    def collect(self) -> Iterator[pytest.Item]:
        from te_forge.diagnostics import has_errors
        from te_forge.examples import Table, examples_of
        from te_forge.packs import load
        from te_forge.report import as_text
        from te_forge.whereabouts import COMPILED

        loaded = load(str(self.path if self.path.name.endswith(COMPILED) else self.path.parent))
        if loaded.system is None or has_errors(loaded.diagnostics):
            raise self.CollectError(as_text(loaded.diagnostics, loaded.sources))
        table = Table(loaded.system)
        for example in examples_of(loaded.system):
            yield Example.from_parent(self, name=example.slug, table=table, example=example, loaded=loaded)


class WrongExample(Exception):
    """An example that does not come out; the text is the report."""


class Example(pytest.Item):
    """One example."""

    def __init__(self, *, table: Table, example: Entry, loaded: Loaded, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.table, self.example, self.loaded = table, example, loaded

    def runtest(self) -> None:
        from te_forge.report import block

        if found := self.table.play(self.example).diagnostics:
            raise WrongExample("\n".join(block(one, self.loaded.sources, False) for one in found))

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        return str(excinfo.value) if isinstance(excinfo.value, WrongExample) else super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Path, int, str]:
        span = self.example.span
        return self.loaded.places.get(span.file, self.path), span.line - 1, self.example.name
