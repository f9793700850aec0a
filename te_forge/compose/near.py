"""Operations on one entry, found by where they are: what is said of one line has to do with few of a thousand others."""

from __future__ import annotations

from collections.abc import Iterable

from te_forge.compose.operations import ROWS, Operation, Path
from te_forge.model.system import Row


def faces(one: Operation) -> frozenset[int]:
    """The faces of the die that a row is stated for."""
    return (
        frozenset(range(one.what.low, min(one.what.high, one.what.low + 100_000) + 1))
        if one.path[:1] == (ROWS,) and isinstance(one.what, Row)
        else frozenset()
    )


class Near:
    """The operations on one entry by their places."""

    def __init__(self, ones: Iterable[Operation]) -> None:
        self.there: dict[Path, list[Operation]] = {}
        self.below: dict[Path, list[Operation]] = {}
        """For each place what is done there or further down."""
        self.rows: dict[int, list[Operation]] = {}
        """By the first face of the row that they state."""
        for one in ones:
            self.there.setdefault(one.path, []).append(one)
            for length in range(len(one.path) + 1):
                self.below.setdefault(one.path[:length], []).append(one)
            if stated := faces(one):
                self.rows.setdefault(min(stated), []).append(one)

    def around(self, one: Operation) -> list[Operation]:
        """What is done at the place of an operation, further down, and further up."""
        above = [other for length in range(len(one.path)) for other in self.there.get(one.path[:length], ())]
        return [*above, *self.below.get(one.path, ())]

    def under(self, one: Operation) -> list[Operation]:
        """What an operation could leave nothing of: what is done at its place or further down, or to the rows that it states."""
        stated = faces(one)
        return [other for face in stated for other in self.rows.get(face, ())] if stated else self.below.get(one.path, [])
