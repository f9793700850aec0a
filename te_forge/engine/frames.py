"""The runs of procedures: how one begins, settles, and what it leaves."""

from __future__ import annotations

from typing import Any

from te_forge.engine.acting import (
    Happening,
)
from te_forge.engine.gates import Gates
from te_forge.engine.reading import Held, as_group
from te_forge.engine.state import Frame, Map, Result, Slot, Value
from te_forge.frozen import replace
from te_forge.model import rules as m
from te_forge.model.system import Entry


class Frames(Gates):
    """Opens and closes frames."""

    def settle(self, depth: int) -> None:
        """All values of the frame come to what they are."""
        self.state = self.state.with_frame(depth, replace(self.state.frames[depth], settled=True))
        frame = self.state.frames[depth]
        words = {word: Slot(self.come_to((depth, "", word))) for word in frame.words}
        hung = {key: Slot(self.come_to((depth, *key))) for key in frame.hung}
        fixed = [(("", word), slot) for word, slot in frame.words.items()] + list(frame.hung.items())
        unsettled = tuple((key, slot) for key, slot in fixed if slot.fixed is not None) if self.may_return(frame.procedure, "settles") else ()
        self.state = self.state.with_frame(depth, replace(frame, words=Map(words), hung=Map(hung), unsettled=unsettled))
        self.note("settle", frame.procedure, tuple((who, word, slot.base) for (who, word), slot in hung.items() if isinstance(slot.base, int)))

    def may_return(self, procedure: str, field: str) -> bool:
        """Whether something goes back to the step that a field of the procedure names (`Settles`, `Counts`), or to one before it."""
        entry = self.rules.entries[procedure]
        last = self.rules.step(entry, field)
        return last is not None and any(step.id in self.rules.returns for step in entry.steps[: last + 1])

    def reopened(self, entry: Entry, depth: int, number: int) -> None:
        """Back at a step that does not come after the one that settles: what was fixed waits again, and settles again with the rest."""
        last, frame = self.rules.step(entry, "settles"), self.state.frames[depth]
        if last is None or number > last or not frame.settled:
            return
        words, hung = dict(frame.words), dict(frame.hung)
        for (who, word), slot in frame.unsettled:
            if who:
                hung[who, word] = slot
            else:
                words[word] = slot
        self.state = self.state.with_frame(depth, replace(frame, words=Map(words), hung=Map(hung), settled=False, unsettled=()))

    def counted(self, depth: int) -> None:
        """Rolled dice are final: `after a roll` happens."""
        frame = self.state.frames[depth]
        self.state = self.state.with_frame(depth, replace(frame, rolled=(), final=not self.may_return(frame.procedure, "counts")))
        for who in frame.rolled:
            self.hear("after", Happening("roll", "", depth, (who,)))
            self.fire()

    def doer(self, depth: int) -> tuple[str, ...]:
        """Who an event is by: whoever has the first role."""
        frame = self.state.frames[depth]
        first = frame.words.get(frame.roles[0]) if frame.roles else None
        if first is not None and isinstance(first.base, str) and first.fixed is None:  # as it mostly is
            return (first.base,)
        return tuple(str(one) for one in as_group(self.read((depth, "", frame.roles[0])))) if frame.roles else ()

    def sealed(self, depth: int, outcome: str) -> Result:
        frame = self.state.frames[depth]
        words = {word: value for word in frame.words if not isinstance(value := self.come_to((depth, "", word)), Result)}
        hung = {key: self.come_to((depth, *key)) for key in frame.hung}
        return Result(outcome, Map(words), Map(hung))

    def barred(self, id: str, roles: dict[str, Value]) -> Any:
        """Why the procedure cannot be begun by whoever has its first role; a part of something that they are in already goes with it,
        where the ban is on the whole and not on just that part."""
        first = next(iter(roles.values()), None)
        for who in as_group(first):
            held = self.forbidden(str(who), "do", id) if isinstance(who, str) else None
            if held is not None and not self.taking_part(str(who), id, held):
                return held
        return None

    def taking_part(self, who: str, id: str, ban: Held) -> bool:
        assert isinstance(ban.node, m.Forbid)
        wholes = self.rules.wholes.get(id, frozenset())
        for index in range(len(self.state.frames) - 1, -1, -1):
            frame = self.state.frames[index]
            if wholes & self.rules.lineage.get(frame.procedure, frozenset()):
                inside = any(who in as_group(self.read((index, "", role))) for role in frame.roles)
                return inside and self.banned(ban.node, frame.procedure, ban.scope)
        return False

    def within_bound(self, entry: Entry) -> bool:
        field = entry.fields.get("bound")
        for atom in field.value if field is not None else ():
            if isinstance(atom, m.Limit):
                if not self.left(atom, f"{entry.id}:bound", ""):
                    return False
                self.spend(atom, f"{entry.id}:bound", "")
        return True

    def refill(self, entry: Entry) -> None:
        """Numbers and decks that begin anew with this procedure, when none of it was running."""
        refilled = self.rules.refilled_by.get(entry.id, ())
        if not refilled or any(self.running(span) is not None for span in self.rules.lineage[entry.id]):
            return
        numbers = self.state.numbers.only(lambda key: key[1] not in refilled)
        self.state = replace(self.state, numbers=numbers, decks=self.state.decks.only(lambda deck: deck not in refilled))

    def arrive(self, depth: int) -> None:
        """Rules that waited for this procedure begin to hold."""
        if not self.state.coming:
            return
        frame = self.state.frames[depth]
        spans = self.rules.lineage[frame.procedure]
        taking = {str(one) for role in frame.roles for one in as_group(self.read((depth, "", role))) if isinstance(one, str)}
        due = [one for one in self.state.coming if one.span in spans and (not one.who or one.who in taking)]
        if due:
            self.state = replace(self.state, coming=tuple(one for one in self.state.coming if one not in due))
            for one in due:
                self.install(depth, one.rule)

    def open_span(self, id: str) -> bool:
        """Begin a stretch of time that others happen in, such as a scene: a procedure without steps that lasts until `close_span`. Whether it began."""
        entry = self.rules.entries[id]
        if self.barred(id, {}) or not self.within_bound(entry):
            return False
        depth = len(self.state.frames)
        self.refill(entry)
        self.state = self.state.pushed(Frame(id))
        self.note("begin", id, ())
        self.arrive(depth)
        happening = Happening("procedure", id, depth)
        if self.replaced(happening):
            self.state = self.state.popped(depth)
            self.note("end", id, "")
            return False
        self.hear("before", happening)
        self.fire()
        return True

    def close_span(self) -> None:
        """The innermost stretch of time ends, and with it all that lasts until then."""
        depth = len(self.state.frames) - 1
        id = self.state.frames[depth].procedure
        self.hear("after", Happening("procedure", id, depth))
        self.fire()
        self.state = self.state.popped(depth)
        self.note("end", id, "")
