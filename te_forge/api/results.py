"""What comes of asking a game something."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction

from te_forge.api.errors import Refused
from te_forge.api.given import text
from te_forge.source import Span
from te_forge.suggest import among


@dataclass(frozen=True)
class Rolled:
    """What came of a procedure. `outcome` is its name, or empty; `numbers` what it came to, by word (`total`) and by person and word (`Ann's total`);
    `lines` tell it step by step.

    `dice` are the dice of each roll as (face, sides), `choices` who chose what and by which policy (empty for what was given); the same `seed`, dice
    and choices give the same again.
    """

    procedure: str
    outcome: str
    numbers: Mapping[str, int]
    lines: tuple[str, ...]
    seed: str
    dice: tuple[tuple[tuple[int, int], ...], ...] = ()
    choices: tuple[tuple[str, object, str], ...] = ()


@dataclass(frozen=True)
class Odds:
    """What a procedure comes to, exactly. `outcomes` are shares by name, `numbers` for each number (`Ann's total`) the share of each value, where
    None is no value.

    `missing` is what was not followed (dice that explode for ever), and `because` says why; it is 0 nearly always. `best` is how likely the goal is,
    or its mean, if there was one. `others` are the cases in which a number that grows for as long as a repeat goes on is not told apart: how likely
    they are, its mean in them, and what it is more than in all of them and nowhere else. Where that is None, each share in `numbers` may be higher by
    up to that of these cases. `choices` are who was asked for what on the way, and each answer that was given: beforehand, by the policy, or as the
    goal wants.
    """

    procedure: str
    outcomes: Mapping[str, Fraction]
    numbers: Mapping[str, Mapping[int | None, Fraction]]
    missing: Fraction = Fraction(0)
    because: tuple[str, ...] = ()
    best: Fraction | None = None
    others: Mapping[str, tuple[Fraction, Fraction, int | None]] = field(default_factory=dict)
    choices: tuple[tuple[str, str, tuple[str, ...]], ...] = ()

    def mean(self, number: str) -> Fraction | None:
        """The mean of a number over the cases in which it has a value; None when it never has one. Raises `Refused` for a number that is not among
        `numbers`.
        """
        if text(number, "a number") not in self.numbers:
            raise Refused(f"nothing is counted that is called `{number}`{among(number, list(self.numbers))}")
        values = [(Fraction(value), share) for value, share in self.numbers[number].items() if value is not None]
        if number in self.others:
            share, mean, _ = self.others[number]
            values.append((mean, share))
        whole = sum((share for _, share in values), Fraction(0))
        return sum((value * share for value, share in values), Fraction(0)) / whole if whole else None


@dataclass(frozen=True)
class Step:
    """One step in the life of a rule: what `by` (an entry: its definition, or a hack or reading that is on) made of the place `label`; `value` stands
    there from here on.
    """

    label: str
    by: str
    says: str
    value: str
    place: Span


@dataclass(frozen=True)
class Difference:
    """Something that is different in another game. `verb` is added, removed, renamed, changed or moved; `path` leads to the place in the entry `id`;
    `by` are the hacks that did it.
    """

    verb: str
    part: str
    id: str
    name: str
    path: tuple[str, ...] = ()
    before: str = ""
    after: str = ""
    by: tuple[str, ...] = ()


@dataclass(frozen=True)
class Installed:
    """A pack that can be loaded by its id. `source` is `shipped` (with te_forge) or the package that brought it; `trouble` says why it cannot be
    loaded, if it cannot.
    """

    id: str
    source: str
    place: str = ""
    trouble: str = ""


@dataclass(frozen=True)
class Export:
    """What an export wrote, and what became of each entry: `full`, `degraded` and `dropped` are ids, the latter two each with the reason."""

    files: tuple[str, ...]
    full: tuple[str, ...]
    degraded: Mapping[str, str] = field(default_factory=dict)
    dropped: Mapping[str, str] = field(default_factory=dict)
