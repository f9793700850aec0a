"""An entry of a game, as other programs see it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from types import MappingProxyType

from te_forge.api.given import a, text
from te_forge.model import system as model
from te_forge.model.rules import Int
from te_forge.source import Span


@dataclass(frozen=True)
class Row:
    """A row of a random table: `low` to `high` are the results that it covers, and further ones stand in `more`; `cells` is what stands in it by
    column.
    """

    name: str
    low: int
    high: int
    cells: Mapping[str, str]
    more: tuple[tuple[int, int], ...] = ()

    def covers(self, number: int) -> bool:
        """Whether this is the row for what the die shows."""
        return any(low <= number <= high for low, high in ((self.low, self.high), *self.more))


class Entry:
    """Something that is defined in a game: a skill, an adversary, a procedure, a table. Two are equal when they say the same."""

    def __init__(self, data: model.Entry, system: model.System) -> None:
        self.data = a(model.Entry, data, "an entry stands in a game", "`game[..]` gives one")
        """The entry in te_forge's own model, for what this class does not tell. It may change between versions."""
        self._system = system

    def __eq__(self, other: object) -> bool:
        return self.data == other.data if isinstance(other, Entry) else NotImplemented

    def __hash__(self) -> int:
        return hash(self.data.id)

    def __repr__(self) -> str:
        return f"<{self.kind} {self.name}, {self.id}>"

    @property
    def id(self) -> str:
        """The permanent id, such as `my-game:skill/climbing`."""
        return self.data.id

    @property
    def kind(self) -> str:
        """The kind, such as `skill`, in the game's own word."""
        return self.data.kind

    @property
    def name(self) -> str:
        """The name as it is printed."""
        return self.data.name

    @property
    def aliases(self) -> tuple[str, ...]:
        """Other names that rules and people use for it."""
        return self.data.aliases

    @property
    def pack(self) -> str:
        """The id of the pack that defines it."""
        return self.data.pack

    @property
    def place(self) -> Span:
        """Where it is defined: `file`, `line`, `column`, `end`."""
        return self.data.span

    @cached_property
    def text(self) -> str:
        """What the book says of it, as Markdown without links."""
        return "\n\n".join(model.plain(one.words) for one in self.data.prose)

    @cached_property
    def fields(self) -> Mapping[str, str]:
        """What is stated of it, by label, as it is printed: `{"Cost": "3", "Traits": "Sharp"}`."""
        return MappingProxyType({one.label: model.plain(one.words) for one in self.data.fields.values()})

    def number(self, label: str) -> int | None:
        """The whole number that a field holds; None when the field is not stated or holds something else."""
        wanted = text(label, "a label").casefold()
        found = next((one for one in self.data.fields.values() if one.label.casefold() == wanted), None)
        value = found.value if found is not None else ()
        return value[0].value if len(value) == 1 and isinstance(value[0], Int) else None

    @cached_property
    def rules(self) -> tuple[str, ...]:
        """What it does, line by line, each set in by two spaces below the line that it belongs to."""
        lines = [*self.data.lines, *(line for step in self.data.steps for line in step.lines)]
        return tuple(text for line in lines for text in told(line, 0))

    @cached_property
    def steps(self) -> tuple[str, ...]:
        """The names of the steps of a procedure."""
        return tuple(step.name for step in self.data.steps)

    @property
    def die(self) -> str:
        """What a random table is rolled with: `d6`, `2d6`, `d66` (two dice, read as digits); `at` for a tracker, and empty for everything else."""
        return self.data.table.die if self.data.table is not None else ""

    @cached_property
    def rows(self) -> tuple[Row, ...]:
        """The rows of a random table or tracker; empty for everything else."""
        table = self.data.table
        return (
            tuple(
                Row(
                    row.name,
                    row.low,
                    row.high,
                    {column: model.plain(cell.words) for column, cell in row.cells.items()},
                    tuple((one.low, one.high) for one in row.more),
                )
                for row in table.rows
            )
            if table is not None
            else ()
        )

    @property
    def owner(self) -> Entry | None:
        """What it is a part of."""
        return Entry(self._system.entries[self.data.owner], self._system) if self.data.owner is not None else None

    @cached_property
    def parts(self) -> tuple[Entry, ...]:
        """Its own parts: the abilities of a class, the features of somebody."""
        return tuple(Entry(self._system.entries[id], self._system) for id in self.data.parts if id in self._system.entries)


def told(line: model.Line, depth: int) -> list[str]:
    own = f"{'  ' * depth}{line.label + ': ' if line.label else ''}{model.plain(line.words)}".rstrip()
    return [own, *(text for below in line.lines for text in told(below, depth + 1))]
