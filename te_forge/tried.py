"""What a table wants to try, as its commands say it. What that does to a system is told in `te_forge.compose.tried`."""

from __future__ import annotations

from te_forge.frozen import frozen


@frozen
class Tried:
    """As people write it: names of hacks, and `ruling=reading`."""

    hacks: tuple[str, ...] = ()
    without: tuple[str, ...] = ()
    rulings: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.hacks or self.without or self.rulings)
