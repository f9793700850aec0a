"""A game that is begun, gone on with, or played again: the table, its log, and who answers."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from te_forge.engine.effects import Decision
from te_forge.engine.index import Rules
from te_forge.play.log import BadLog, LogFile, Read, differences, head_of
from te_forge.play.roll import open_spans
from te_forge.play.table import Decide, LogEnds, Table
from te_forge.play.words import Out, Teller, plain_bold


def same_rules(rules: Rules, read: Read, anyway: bool) -> None:
    """A log is of one version of a pack; with another one it may come out otherwise."""
    found = differences(read.head, head_of(rules, read.head.seed))
    if found and not anyway:
        raise BadLog("this log is of another game: " + "; ".join(found) + ". --anyway plays it all the same")


def nobody_answers(effect: Decision, table: Table) -> tuple[Any, str]:
    raise LogEnds(effect)


@dataclass
class Session:
    """One game, and what it takes to sit down to it."""
    table: Table

    @classmethod
    def new(cls, rules: Rules, seed: str, out: Out, decide: Decide, path: Path | None, bold: Any = plain_bold) -> Session:
        log = LogFile.begin(path, head_of(rules, seed)) if path is not None else None
        table = Table(rules, seed, Teller(rules, out, bold=bold), decide, log)
        return cls(table)

    @classmethod
    def again(cls, rules: Rules, read: Read, path: Path, out: Out, decide: Decide = nobody_answers, bold: Any = plain_bold) -> Session:
        table = Table(rules, read.head.seed, Teller(rules, out, bold=bold), decide, events=list(read.events), path=str(path))
        return cls(table)

    def sit_down(self, people: tuple[str, ...], bots: list[tuple[str, str]]) -> None:
        """Who is there from the beginning, who is played by bots, and what is open."""
        for sheet in people:
            self.table.do({"do": "join", "sheet": sheet}, "setup")
        for who, policy in bots:
            self.table.do({"do": "bot", "who": who, "policy": policy}, "setup")
        open_spans(self.table)

