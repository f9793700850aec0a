"""What a value can be."""

from __future__ import annotations

from typing import Literal

from te_forge.frozen import frozen
from te_forge.suggest import a


@frozen
class Type:
    """What a value can be. `name` is one of NUMBER ... OUTCOME; `kind` narrows actors and entries; `words` are the allowed choices."""

    name: Literal["number", "dice", "text", "actor", "entry", "group", "choice", "outcome", "change", "unknown"]
    kind: str = ""
    words: tuple[str, ...] = ()

    def __str__(self) -> str:
        match self.name:
            case "actor" | "entry":
                return a(self.kind or self.name)
            case "group":
                return f"a group of {self.kind or 'entries'}"
            case "choice":
                return "one of " + " or ".join(self.words)
            case "outcome":
                return "an outcome"
            case "number" | "change":
                return a(self.name)
            case _:
                return self.name


NUMBER = Type("number")
DICE = Type("dice")
TEXT = Type("text")
CHANGE = Type("change")
UNKNOWN = Type("unknown")
