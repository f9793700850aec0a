"""Where values lie: the slots of frames, and what they have come to (meaning.md sections 1 to 3)."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable

from te_forge.engine.index import Rules
from te_forge.engine.lots import together
from te_forge.engine.state import Frame, Lot, Map, Postponed, Result, Scope, Slot, State, Unseen, Value
from te_forge.engine.values import Key, RuleError, holder
from te_forge.model import rules as m

MOST_CASES = 5_000
"""Lots that values hang on together become one with no more cases than that."""


class Places:
    """Finds and reads slots."""

    def __init__(self, rules: Rules, state: State) -> None:
        self.rules = rules
        self.state = state
        self.settling: list[Key] = []
        self.counting: dict[tuple[str, str], Scope] = {}
        """The numbers whose changes are being looked at, with the line that is; none of these may ask for it."""

    @abstractmethod
    def value(self, expr: m.Expr, scope: Scope) -> Value:
        """What an expression comes to."""

    @abstractmethod
    def handed(self, expr: m.Expr, scope: Scope) -> Value:
        """The same; what nothing has looked at stays so."""

    @abstractmethod
    def atom(self, value: m.Value, scope: Scope) -> Value:
        """A stated value as a running one."""

    def key(self, target: m.Expr, scope: Scope) -> Key | None:
        """The place of a local or hung value; None for what is a word of the line's own, or stored."""
        match target:
            case m.Local(word):
                if word in scope.words:
                    return None
                frame = self.frame_of(word, scope)
                return (frame, "", word) if frame is not None else None
            case m.Hung(of, word):
                who = self.value(of, scope)
                return (self.home(word), holder(who), word)
            case _:
                return None

    def frame_of(self, word: str, scope: Scope) -> int | None:
        """Where a word lies: in the frame of the line; behind an event also in a frame around that (`before Count in Casting: .. the initiators ..`)."""
        if not scope.own:
            return scope.frame
        return next((index for index in range(scope.frame, -1, -1) if self.in_frame(word, index)), None)

    def in_frame(self, word: str, frame: int) -> bool:
        return word in self.state.frames[frame].words

    def home(self, word: str) -> int:
        """The nearest running procedure that declares the value, or the outermost frame."""
        for index in range(len(self.state.frames) - 1, -1, -1):
            if word in self.rules.declared.get(self.state.frames[index].procedure, ()):
                return index
        return 0

    def slot(self, key: Key) -> Slot:
        frame = self.state.frames[key[0]]
        found = frame.words.get(key[2]) if not key[1] else frame.hung.get((key[1], key[2]))
        return found if found is not None else Slot(self.default(frame, key[2])) if key[1] else Slot()

    def default(self, frame: Frame, word: str) -> Value:
        declared = self.rules.declared.get(frame.procedure, {}).get(word) or self.rules.values.get(word)
        if declared is None or declared.default is None:
            return (
                ()
                if declared is not None and declared.holds.name == "dice"
                else 0
                if declared is not None and declared.holds.name == "number"
                else None
            )
        return self.atom(declared.default, Scope())

    def read(self, key: Key) -> Value:
        """What the slot has come to. Nothing may change that any more which nobody has looked at."""
        value = self.come_to(key)
        return self.seen(value) if isinstance(value, Unseen) else value

    def come_to(self, key: Key) -> Value:
        """What the slot has come to, looked at or not. What is fixed counts where the procedure has settled, or never says when it does."""
        slot, frame = self.slot(key), self.state.frames[key[0]]
        if slot.fixed is not None and (frame.settled or not self.settles(frame)):
            return self.fixed(key, slot.fixed)
        return slot.come_to()

    def seen(self, value: Unseen) -> Value:
        """What a value is that nothing had looked at."""
        lot, value = self.state.lot(value)
        cases = lot.ways
        first: Value = value.values[cases[0][0]]
        return first if all(value.values[case] == first for case, _ in cases) else self.look(value)

    def look(self, value: Unseen) -> Value:
        """Who only reads cannot look: that would change what is known."""
        raise RuleError("these dice have not been looked at", Scope())

    def plain(self, value: Value) -> Value:
        """A value with nothing in it that has not been looked at, to be kept elsewhere than in a frame."""
        if isinstance(value, Unseen):
            return self.seen(value)
        if isinstance(value, Result) and self.state.lots:
            return Result(
                value.outcome,
                Map({word: self.plain(one) for word, one in value.words.items()}),
                Map({key: self.plain(one) for key, one in value.hung.items()}),
            )
        return value

    def each(self, work: Callable[..., Value], *given: Value) -> Value:
        """What comes of values, in each case of what nothing has looked at. Lots that they hang on become one; where that has too many cases, one is
        looked at.
        """
        given = tuple(self.state.lot(one)[1] if isinstance(one, Unseen) else one for one in given)
        hanging = sorted({one.lot for one in given if isinstance(one, Unseen)}, key=lambda one: len(self.ways(one)))
        if not hanging:
            return work(*given)
        if len(hanging) > 1:
            least, most = hanging[0], hanging[-1]
            if len(self.ways(least)) * len(self.ways(most)) > MOST_CASES:
                return self.each(work, *(self.seen(one) if isinstance(one, Unseen) and one.lot == least else one for one in given))
            self.state = together(self.state, least, most)
            return self.each(work, *given)
        many = max(len(one.values) for one in given if isinstance(one, Unseen))
        columns = [one.values if isinstance(one, Unseen) else (one,) * many for one in given]
        ways = self.ways(hanging[0])
        if len(ways) == many:
            return Unseen(hanging[0], tuple(map(work, *columns)))
        made: list[Value] = [None] * many  # nothing comes of a case that is not possible any more
        cases = [case for case, _ in ways]
        for case, one in zip(cases, map(work, *([column[case] for case in cases] for column in columns)), strict=True):
            made[case] = one
        return Unseen(hanging[0], tuple(made))

    def ways(self, number: int) -> tuple[tuple[int, int], ...]:
        lot = self.state.lots[number]
        assert isinstance(lot, Lot)
        return lot.ways

    def settles(self, frame: Frame) -> bool:
        entry = self.rules.entries.get(frame.procedure)
        return entry is not None and "settles" in entry.fields

    def fixed(self, key: Key, postponed: Postponed) -> Value:
        if key in self.settling:
            raise RuleError(f"`{key[2]}` waits for itself", postponed.scope)
        self.settling.append(key)
        try:
            return self.handed(postponed.expr, postponed.scope)
        finally:
            self.settling.pop()

    # ------------------------------------------------------------ what is running

    def running(self, procedure: str, top: int | None = None) -> int | None:
        """The nearest frame whose procedure is this one or counts as it."""
        for index in range(len(self.state.frames) - 1 if top is None else top, -1, -1):
            if procedure in self.rules.lineage.get(self.state.frames[index].procedure, ()):
                return index
        return None

    def used(self, key: str, who: str, span: str) -> int:
        return int(self.state.frames[self.running(span) or 0].counts.get((key, who), 0))
