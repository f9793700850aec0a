"""A character: what a person wrote down about somebody, with everything resolved to ids."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from te_forge.engine.index import Rules
from te_forge.engine.state import Map, Person, State
from te_forge.safeyaml import Value as Written
from te_forge.source import Span
from te_forge.tried import Tried

Key = tuple[str, str]
"""What something is about: `number`, `least`, `most`, `trait`, `field`, `note` or the name of a line of the file, and the id, label or nothing."""


@dataclass(frozen=True)
class Answer:
    """One answer of the making, as it is written: what asked (a step, as a rule), and what was said."""

    asked: str
    said: Written
    span: Span | None = field(default=None, compare=False)


@dataclass(frozen=True)
class Character:
    """Somebody. Numbers, bounds and traits are by id, fields by label; `notes` by the id of the trait that asked, or by the step of the making."""

    name: str
    pack: str
    version: str
    kind: str
    numbers: Mapping[str, int] = field(default_factory=dict)
    bounds: Mapping[tuple[str, str], int] = field(default_factory=dict)
    """By number and `least` or `most`."""
    traits: tuple[str, ...] = ()
    fields: Mapping[str, int | str] = field(default_factory=dict)
    notes: Mapping[str, str] = field(default_factory=dict)
    rulings: Mapping[str, str] = field(default_factory=dict)
    """The readings by which it was made, where they are not those of the pack."""
    hacks: tuple[str, ...] = ()
    without: tuple[str, ...] = ()
    """The hacks that were on besides those of the pack, and those of the pack that were not."""
    now: Character | None = None
    """The same character as play has left it, where that differs from how it was made."""
    making: tuple[Answer, ...] | None = None
    seed: int | None = None
    finished: bool = True
    half_read: bool = field(default=False, compare=False)
    """Whether a number or a trait of the file could not be read: how it was made cannot be told from the others then."""
    places: Mapping[Key, Span] = field(default_factory=dict, compare=False, repr=False)
    """Where the file says what."""

    @property
    def tried(self) -> Tried:
        return Tried(self.hacks, self.without, tuple(f"{ruling}={reading}" for ruling, reading in self.rulings.items()))

    @property
    def today(self) -> Character:
        """As it is at the table now."""
        return self.now or self

    def place(self, *keys: Key) -> Span:
        """Where the first of these is stated, or the beginning of the file."""
        found = (self.places[key] for key in keys if key in self.places)
        return next(found, None) or self.places.get(("file", ""), Span(self.name, 1, 1, 1))


OPEN = "open"
"""A note that is still to be written, and left so on purpose."""


def into_state(rules: Rules, state: State, character: Character) -> State:
    """The state with the character in it as it was made, under its name, and with nothing of a namesake left; `character.today` sits down as it is
    now.
    """
    who = character.name
    state = without(state, who)
    known = rules.entries
    return replace(
        state,
        people=state.people.set(who, Person(who, character.kind)),
        numbers=Map({**state.numbers, **{(who, id): number for id, number in character.numbers.items()}}),
        bounds=Map({**state.bounds, **{(who, id, which): number for (id, which), number in character.bounds.items()}}),
        traits=state.traits.set(who, character.traits),
        fields=Map({**state.fields, **{(who, label): value for label, value in character.fields.items()}}),
        notes=Map({**state.notes, **{(who, id): text for id, text in character.notes.items() if id in known and text != OPEN}}),
    )


def without(state: State, who: str) -> State:
    return replace(
        state,
        numbers=Map({key: value for key, value in state.numbers.items() if key[0] != who}),
        bounds=Map({key: value for key, value in state.bounds.items() if key[0] != who}),
        traits=state.traits.without(who),
        fields=Map({key: value for key, value in state.fields.items() if key[0] != who}),
        notes=Map({key: value for key, value in state.notes.items() if key[0] != who}),
    )


def from_state(state: State, who: str, blank: Character) -> Character:
    """`blank` with what `who` has in the state."""
    return replace(
        blank,
        numbers={key[1]: value for key, value in state.numbers.items() if key[0] == who},
        bounds={(key[1], key[2]): value for key, value in state.bounds.items() if key[0] == who},
        traits=state.traits.get(who, ()),
        fields={key[1]: value for key, value in state.fields.items() if key[0] == who and isinstance(value, int | str)},
    )
