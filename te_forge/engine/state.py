"""What is true at one moment of a game, as immutable and hashable values. A change makes a new state; nothing here knows a rule."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from te_forge.frozen import frozen, replace
from te_forge.model.rules import Body, DiceSpec, Expr

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


if TYPE_CHECKING:
    Items = Mapping
else:
    Items = dict


class Map(Items[K, V], Generic[K, V]):
    """An immutable mapping. `set` and `without` make another one.

    It is a dict, since nothing else is read as fast; the type checker knows it as a mapping, and holds everybody to that.
    """

    __slots__ = ("known_hash",)

    if TYPE_CHECKING:

        def __init__(self, items: Mapping[K, V] = ...) -> None: ...
        def __getitem__(self, key: K) -> V: ...
        def __iter__(self) -> Iterator[K]: ...
        def __len__(self) -> int: ...
        def get(self, key: K, default: Any = None) -> Any: ...

    def __hash__(self) -> int:
        try:
            return self.known_hash
        except AttributeError:
            self.known_hash: int = hash(frozenset(self.items()))
            return self.known_hash

    def __repr__(self) -> str:
        return f"Map({dict(self)!r})"

    def set(self, key: K, value: V) -> Map[K, V]:
        return Map({**self, key: value})

    def only(self, wanted: Callable[[K], bool]) -> Map[K, V]:
        """What has a wanted key; itself when that is everything."""
        kept = {key: value for key, value in self.items() if wanted(key)}
        return self if len(kept) == len(self) else Map(kept)

    def without(self, key: K) -> Map[K, V]:
        return self.only(lambda one: one != key)


EMPTY: Map[Any, Any] = Map()
Die = tuple[int, int]
"""What a die shows, and how many sides it has."""
Dice = tuple[Die, ...]
"""A bag of dice: highest faces first, so that equal bags are equal values."""


def bag(dice: Iterator[Die] | list[Die] | Dice) -> Dice:
    return tuple(sorted(dice, reverse=True))


class Lot:
    """Something that chance has decided and nothing has looked at: its cases, each with how many ways there are to it."""

    __slots__ = ("_hash", "total", "ways")

    def __init__(self, ways: tuple[tuple[int, int], ...]) -> None:
        self.ways = ways
        self.total = sum(many for _, many in ways)
        self._hash: int | None = None

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Lot) and self.ways == other.ways

    def __hash__(self) -> int:
        if self._hash is None:
            self._hash = hash(self.ways)
        return self._hash


@frozen
class Part:
    """A lot that has become a part of another one, since values hang on both: which of its cases each case of that one is."""

    lot: int
    cases: tuple[int, ...]


class Unseen:
    """A value that hangs on a lot of the state (by its number in `State.lots`): what it is in each case. A driver that follows many states at once
    may leave dice so until some rule asks; a question then parts the cases by its answer only. It stands in slots of frames, and in results there.
    """

    __slots__ = ("_hash", "lot", "values")

    def __init__(self, lot: int, values: tuple[Any, ...]) -> None:
        self.lot, self.values = lot, values
        self._hash: int | None = None

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Unseen) and self.lot == other.lot and self.values == other.values

    def __hash__(self) -> int:
        if self._hash is None:
            self._hash = hash((self.lot, self.values))
        return self._hash


@frozen
class OnlyMean:
    """A number of which a driver that follows many states at once knows no more than its mean. It can be counted with and handed on; whatever else
    would be done with it is `Untold`.
    """

    mean: Fraction
    above: int | None = None
    """It is more than this; None where that is not known."""

    def more(self, by: int | OnlyMean) -> OnlyMean:
        if isinstance(by, int):
            return OnlyMean(self.mean + by, None if self.above is None else self.above + by)
        return OnlyMean(self.mean + by.mean, None if self.above is None or by.above is None else self.above + by.above + 1)


class Untold(Exception):
    """Something looks at a number of which only the mean is known."""


@frozen
class Stale:
    """Stands in a slot for a value that is given anew before anybody reads it, so that states which differ in no more than that are one. Whoever does
    read it is told so (`StillRead`), and then it stands there no more. `place` is its frame, whose it is, and its word.
    """

    place: tuple[int, str, str]


class StillRead(Exception):
    """Something reads what was taken to be given anew first."""

    def __init__(self, place: tuple[int, str, str]) -> None:
        super().__init__()
        self.place = place


@frozen
class Result:
    """What `do .. as the x` leaves: the outcome (empty where there is none), and sealed copies of the words and hung values."""

    outcome: str
    words: Map[str, Any]
    hung: Map[tuple[str, str], Any]


Value = int | OnlyMean | Stale | str | Dice | Unseen | DiceSpec | Result | tuple[Any, ...] | None
"""A number, an id or label, dice that lie, dice that can be rolled, a result, a group of ids; None is nothing."""


@frozen
class Out:
    """The cards that are out of a deck of which it is left open what is in it: a driver that follows many states at once may run something once for
    all of them.
    """

    cards: tuple[str, ...] = ()


@frozen
class Postponed:
    """`will be E`: E with the words that it may read, settled when its slot is."""

    expr: Expr
    scope: Scope


@frozen
class Slot:
    """A value on its way: a base, and what has been contributed (meaning.md section 2)."""

    base: Value = None
    up: int = 0
    down: int = 0
    times: tuple[int, ...] = ()
    least: int | None = None
    most: int | None = None
    can_fall: bool = True
    can_rise: bool = True
    fixed: Postponed | None = None

    def __hash__(self) -> int:
        """Of what mostly tells slots apart: there are many of them, and most are bare values."""
        return hash((self.base, self.up, self.down))

    def come_to(self) -> Value:
        """The base with everything contributed; what is fixed is not looked at. A cap beats a floor; a lock discards whatever would pass the base."""
        base = self.base
        if isinstance(base, str):
            return base
        if not isinstance(base, int):
            return self.other(base)
        value = base + (self.up if self.can_rise else 0) - (self.down if self.can_fall else 0)
        for factor in self.times:
            if (self.can_rise or factor <= 1) and (self.can_fall or factor >= 1):
                value *= factor
        if self.least is not None and (self.can_rise or self.least <= base):
            value = max(value, self.least)
        if self.most is not None and (self.can_fall or self.most >= base):
            value = min(value, self.most)
        return value

    def other(self, base: Value) -> Value:
        """The same of a base that is no plain number."""
        if isinstance(base, Stale):
            raise StillRead(base.place)
        if isinstance(base, Unseen):
            if not (self.up or self.down or self.times) and self.least is None and self.most is None:
                return base
            return Unseen(base.lot, tuple(replace(self, base=one).come_to() for one in base.values))
        if isinstance(base, OnlyMean) and self != Slot(base):
            if self != Slot(base, self.up, self.down):
                raise Untold
            return base.more(self.up - self.down)
        return base if base is not None or not (self.up or self.down) else self.up - self.down


@frozen
class Scope:
    """Where a line is read: whose rule it is, the frame whose words it sees, its own words, and the entry and line that it stands in."""

    owner: str | None = None
    frame: int = 0
    words: Map[str, Value] = EMPTY
    entry: str = ""
    line: str = ""
    own: bool = False
    """Whether words that it brings in are its own (behind an event) or the frame's (in a step)."""

    def with_word(self, word: str, value: Value) -> Scope:
        """Said in full, as `Frame.with_slots` and `State.running` are, since `replace` is slow."""
        return Scope(self.owner, self.frame, self.words.set(word, value), self.entry, self.line, self.own)

    def behind(self, frame: int) -> Scope:
        """The scope of a rule that speaks behind an event in a frame."""
        return Scope(self.owner, frame, self.words, self.entry, self.line, True)


@frozen
class Lasting:
    """A rule that holds for a time: sentences with the scope that they were said in."""

    body: Body
    scope: Scope


@frozen
class Coming:
    """`in the next X of W`: waits for X."""

    span: str
    who: str
    rule: Lasting


NOBODYS = "nobody's"
"""Who has a declared value that is spoken of alone, `the distance`: no name of a person has this sign in it."""


@frozen
class Frame:
    """One run of a procedure."""

    procedure: str = ""
    words: Map[str, Slot] = EMPTY
    hung: Map[tuple[str, str], Slot] = EMPTY
    roles: tuple[str, ...] = ()
    counts: Map[tuple[str, str], int] = EMPTY
    """How often something limited was used, by line and owner; what was gained so far, by stat and holder."""
    lasting: tuple[Lasting, ...] = ()
    rolled: tuple[str, ...] = ()
    """Who rolled and has not been paid for it, once for each roll."""
    final: bool = False
    """Whether the step at which dice are final is over for good: what is rolled from then on pays nobody."""
    settled: bool = False
    unsettled: tuple[tuple[tuple[str, str], Slot], ...] = ()
    """Those of its slots that were fixed, by holder and word, as they were before it settled: what a return to an earlier step brings back."""
    apart: bool = False
    """Set off by a level that was reached: rules that last in the frames below do not hold in it."""

    def __hash__(self) -> int:
        """Of what mostly tells frames apart; the two maps know their hashes."""
        return hash((self.words, self.hung, self.counts, self.procedure))

    def with_slots(self, words: Map[str, Slot], hung: Map[tuple[str, str], Slot]) -> Frame:
        return Frame(
            self.procedure, words, hung, self.roles, self.counts, self.lasting, self.rolled, self.final, self.settled, self.unsettled, self.apart
        )


@frozen
class Person:
    """An actor: its name, its kind, and the entry that it is an instance of (empty for a character)."""

    name: str
    kind: str
    based: str = ""


@frozen
class State:
    """Everything that can differ between two moments of a game."""

    people: Map[str, Person] = EMPTY
    numbers: Map[tuple[str, str], int] = EMPTY
    """Stored numbers by holder and stat; what is not here is at its start."""
    bounds: Map[tuple[str, str, str], int] = EMPTY
    """Bounds of one's own (`Wounds' most becomes ..`), by holder, stat and `least` or `most`."""
    traits: Map[str, tuple[str, ...]] = EMPTY
    fields: Map[tuple[str, str], Value] = EMPTY
    notes: Map[tuple[str, str], str] = EMPTY
    """What was written down on taking a trait that asks for it, by holder and trait."""
    decks: Map[str, tuple[str, ...] | Out] = EMPTY
    """What is left of each deck; one that is not here is whole."""
    coming: tuple[Coming, ...] = ()
    frames: tuple[Frame, ...] = (Frame(),)
    lots: tuple[Lot | Part, ...] = ()
    """What values in the frames hang on that nothing has looked at."""

    def __hash__(self) -> int:
        """Of what mostly tells states of one game apart. States are looked up all the time, and a hash of everything takes twice as long."""
        return hash((self.frames, self.numbers, self.traits, self.fields, self.decks, self.lots))

    @property
    def frame(self) -> Frame:
        return self.frames[-1]

    def with_frame(self, index: int, frame: Frame) -> State:
        return self.running((*self.frames[:index], frame, *self.frames[index + 1 :]))

    def pushed(self, frame: Frame) -> State:
        return self.running((*self.frames, frame))

    def popped(self, depth: int) -> State:
        """Without the frames from `depth` on."""
        return self.running(self.frames[:depth])

    def running(self, frames: tuple[Frame, ...]) -> State:
        """The same moment with other frames. Said in full, since `replace` is slow and this happens at every sentence."""
        return State(self.people, self.numbers, self.bounds, self.traits, self.fields, self.notes, self.decks, self.coming, frames, self.lots)

    def with_lots(self, lots: tuple[Lot | Part, ...]) -> State:
        return State(self.people, self.numbers, self.bounds, self.traits, self.fields, self.notes, self.decks, self.coming, self.frames, lots)

    def lot(self, value: Unseen) -> tuple[Lot, Unseen]:
        """The lot that a value hangs on, and the value by its cases."""
        while isinstance(lot := self.lots[value.lot], Part):
            value = Unseen(lot.lot, tuple(value.values[case] for case in lot.cases))
        return lot, value

    def with_lot(self, number: int, lot: Lot) -> State:
        return self.with_lots((*self.lots[:number], lot, *self.lots[number + 1 :]))

    def with_number(self, who: str, stat: str, value: int) -> State:
        numbers = self.numbers.set((who, stat), value)
        return State(self.people, numbers, self.bounds, self.traits, self.fields, self.notes, self.decks, self.coming, self.frames, self.lots)


def looking(state: State) -> Scope:
    """Where an example looks from: what runs now, or a stretch of time that goes on; the example's own words are known there, too."""
    own = {word: slot.come_to() for word, slot in state.frames[0].words.items() if word not in state.frame.words}
    return Scope(frame=len(state.frames) - 1, words=Map(own) if len(state.frames) > 1 else Map())
