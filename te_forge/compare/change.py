"""What a comparison is made of."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from te_forge.model.system import Words
from te_forge.source import Span

Verb = Literal["added", "removed", "renamed", "changed", "moved"]
Part = Literal["entry", "field", "line", "step", "row", "value", "text", "alias", "table", "chapter", "switch"]
"""What of an entry is different; `entry`, `chapter` and `switch` (a hack or reading that is on in one game only) are different as a whole."""


@dataclass(frozen=True, slots=True)
class Side:
    """What one of the two games says, in the words of its rules, and where."""

    words: Words
    place: Span


@dataclass(frozen=True, slots=True)
class Change:
    """One difference. `path` leads from the entry down to its place, in labels; `number` is that of the step on the way, if there is one.

    `optional`: it is about a part of a hack that is off in both games. `by`: the hacks and readings that did it.
    """

    verb: Verb
    part: Part
    id: str
    kind: str
    name: str
    path: tuple[str, ...] = ()
    before: Side | None = None
    after: Side | None = None
    number: int = 0
    optional: bool = False
    by: tuple[str, ...] = ()
    aliased: bool = False
    """Of a renamed thing: whether its old name is still understood."""
    heir: str = ""
    """Of something that is gone: the name of what stands in its place."""
    based: Words = ()
    """Of something new that is a copy: what it is based on, and how."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """All differences, in the reading order of the later game; what is gone stands where it was."""

    changes: tuple[Change, ...]

    def of(self, *verbs: Verb) -> tuple[Change, ...]:
        """Whole entries and chapters that were added, removed or renamed."""
        return tuple(one for one in self.changes if one.part in ("entry", "chapter") and one.verb in verbs)

    @property
    def within(self) -> tuple[Change, ...]:
        """What is different inside of things that both games have; a chapter that stands in place of another one of its title, too."""
        return tuple(one for one in self.changes if one.part not in ("entry", "switch", "chapter") or (one.part, one.verb) == ("chapter", "changed"))
