"""What a rule can wait for, and who takes part in it."""

from __future__ import annotations

from typing import Literal

from te_forge.frozen import frozen
from te_forge.model.rules.numbers import Expr


@frozen
class Party:
    """Who an event is about: `by a character`, `with the owner as the target`. `kind` when it is `a kind` (then it becomes `the kind`)."""

    role: str
    who: Expr | None = None
    kind: str = ""
    other: bool = False


@frozen
class Event:
    """`what` is `procedure`, `step`, `roll`, `gain`, `loss` or `level`; `id` the procedure, step (`id#step`) or stat."""

    what: Literal["procedure", "step", "roll", "gain", "loss", "level"]
    id: str = ""
    level: Expr | None = None
    multiple: bool = False
    inside: tuple[str, ...] = ()
    ending: str = ""
    parties: tuple[Party, ...] = ()
