"""What many tests begin with: a command as somebody types it, a shipped pack that is loaded once, and the rules of one page."""

from __future__ import annotations

from functools import cache

from click.testing import CliRunner, Result

from te_forge.check import check
from te_forge.cli import cli
from te_forge.engine.index import Rules
from te_forge.model.pack import PackInfo
from te_forge.model.system import System
from te_forge.options import at_this_table
from te_forge.packs import load
from te_forge.source import Source


def run(*words: str, typed: str = "") -> Result:
    """A mistake of whoever types it ends a command with an exit code; whatever else is raised is ours, and fails the test."""
    return CliRunner().invoke(cli, list(words), input=typed, catch_exceptions=False)


def said(result: Result) -> str:
    """All that a command has printed, on one line."""
    return " ".join(result.output.split())


@cache
def as_written(pack: str) -> System:
    """A pack as it is written."""
    system = load(pack).system
    assert system is not None
    return system


@cache
def as_played(pack: str) -> System:
    """A pack as it is played."""
    return at_this_table(as_written(pack))


@cache
def rules_of(page: str, id: str = "small") -> Rules:
    """The rules of a game of one page, in which there is no mistake."""
    system, found = check([Source("page.te", page)], PackInfo(id=id, title="A Small Game", version="1.0.0"))
    assert [one.message for one in found if one.severity == "error"] == []
    assert system is not None
    return Rules(system)


PLAYERS = """
## kind: player
A person.
- Is: an actor

## kind: pool
A number.
- Is: a number of a player

| pool  | Starts | At Least | At Most | text         |
|-------|--------|----------|---------|--------------|
"""
"""Players, and the head of a table of their numbers."""
