"""How the rounds of a loop are told. The first ones are told as they come. Behind them only the last one is, with how many there were before it: a loop
may go round ten thousand times before it is stopped.
"""

from __future__ import annotations

TOLD = 20
"""So many rounds of one loop are told as they come."""


class Rounds:
    """The rounds of one loop. `lines` are those of the round at hand while they are kept back, else None."""

    def __init__(self) -> None:
        self.number = 0
        self.lines: list[str] | None = None
        self.last: list[str] | None = None
        """The lines of the round before."""
        self.left_out = 0

    def over(self) -> None:
        """One more round has been done."""
        self.number += 1
        if self.lines is not None:
            self.left_out += self.last is not None
            self.last = self.lines
        if self.number >= TOLD:
            self.lines = []

    def caught_up(self) -> tuple[int, list[str]]:
        """How many rounds were left out, and the lines of the last one and of the one at hand. Nothing is kept back any more before the next round."""
        found = self.left_out, [*(self.last or ()), *(self.lines or ())]
        self.lines, self.last, self.left_out = None, None, 0
        return found
