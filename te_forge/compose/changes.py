"""What becomes of whole entries: which are off, deleted, or called otherwise."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property

from te_forge.compose.operations import Operation


class Changes:
    """What is `off` with its hack, what is deleted (with its parts), and what has another name. `printed`: the hacks whose own changes stay in the
    text.
    """

    def __init__(
        self, off: frozenset[str], on: frozenset[str], deleted: Mapping[str, tuple[Operation, frozenset[str]]], renamed: Mapping[str, Operation],
        printed: frozenset[str] = frozenset(),
    ) -> None:  # fmt: skip
        self.off, self.on, self.deleted, self.renamed, self.printed = off, on, deleted, renamed, printed

    @cached_property  # it is asked for with every name
    def gone(self) -> frozenset[str]:
        parts = [part for _, parts in self.deleted.values() for part in parts]
        return frozenset((*self.off, *self.deleted, *parts))

    def successors(self) -> dict[str, str]:
        """For each deleted entry with a successor, what stands for it in the end."""
        direct = {id: str(one.what) for id, (one, _) in self.deleted.items() if one.what}
        out: dict[str, str] = {}
        for id in direct:
            last, steps = direct[id], 0
            while last in direct and steps < len(direct):
                last, steps = direct[last], steps + 1
            out[id] = last
        return {id: last for id, last in out.items() if last not in self.gone}
