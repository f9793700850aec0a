"""Who hears of an event, in which order, and what may stand in for it (meaning.md section 4)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import cast

from te_forge.engine.acting import (
    Happening,
    Heard,
    is_offer,
    wrapped,
)
from te_forge.engine.offering import Offering
from te_forge.engine.reading import RuleError, as_group
from te_forge.engine.state import Scope, Value
from te_forge.model import rules as m


class Gates(Offering):
    """Lets rules answer events."""

    # ------------------------------------------------------------ gates

    def hear(self, when: str, happening: Happening) -> None:
        """Everything that listens now: what must happen first, then what is offered."""
        if not self.may_be_heard(when, happening):
            return
        heard = list(self.heard(when, happening))
        for offer in (False, True):
            for one in heard:
                if is_offer(one.body) == offer:
                    self.run_heard(one)

    def run_heard(self, one: Heard) -> None:
        depth = len(self.state.frames)
        self.answered(one)
        self.state = self.state.popped(depth)
        self.fire()

    def answered(self, one: Heard) -> bool:
        """Whether the rule had its say. It has none inside of its own body."""
        if one.rule in self.inside:
            return False
        around, self.inside = self.inside, self.inside | {one.rule}
        try:
            return self.attempt(wrapped(one.body, one.limits), one.scope, (), top=True)
        finally:
            self.inside = around

    def heard(self, when: str, happening: Happening) -> Iterator[Heard]:
        for one in self.rules.hearing(when, happening.what, happening.id):
            on = cast(m.On, one.node)
            for held in self.standing_now(one):
                scope = self.fitting(on.event, happening, held.scope)
                if scope is not None:
                    yield Heard(on.body, scope, one.limits, (id(on), scope.owner), bool(on.event.ending))
        for lasting in list(self.lasting_now((m.On,))):
            on = cast(m.On, lasting.node)
            if on.when == when and on.event.what == happening.what and on.event.id in self.rules.heard_as(happening.what, happening.id):
                scope = self.fitting(on.event, happening, lasting.scope)
                if scope is not None:
                    yield Heard(on.body, scope, (), (id(on), scope.owner), bool(on.event.ending))

    def may_be_heard(self, when: str, happening: Happening) -> bool:
        """Whether any rule listens for it; nearly always none does."""
        return bool(self.rules.hearing(when, happening.what, happening.id)) or self.anything_lasts()

    def replaced(self, happening: Happening, after: bool = False) -> bool:
        """`instead of`: one that must be followed runs; of those that are offered somebody takes one, or goes ahead. Whether one ran.

        With `ending in` it stands between the end and what comes after it, and takes the outcome's place.
        """
        if not self.may_be_heard("instead", happening):
            return False
        found = [one for one in self.heard("instead", happening) if one.ending == after and one.rule not in self.inside]
        must = [one for one in found if not is_offer(one.body) and self.guarded(one)]
        if len(must) > 1:
            raise RuleError("two rules stand in for the same thing", must[1].scope)
        return any(self.answered(one) for one in (*must, *(one for one in found if is_offer(one.body))))

    def guarded(self, one: Heard) -> bool:
        """Whether the conditions and limits directly behind the event let the rule have its say."""
        body = wrapped(one.body, one.limits)
        while len(body) == 1:
            node = body[0]
            if isinstance(node, m.Limited):
                if not self.limits_left(((node.limit, self.limit_key(node, one.scope)),), one.scope):
                    return False
            elif not isinstance(node, m.If):
                return True
            elif node.condition is not None and not self.holds(node.condition, one.scope):
                return False
            body = node.body
        return True

    def fitting(self, event: m.Event, happening: Happening, scope: Scope) -> Scope | None:
        """The scope in which a rule hears the happening; None when it is about another."""
        if bool(event.ending) and event.ending != happening.outcome:
            return None
        if any(self.running(span, happening.frame) is None for span in event.inside):
            return None
        scope = scope.behind(happening.frame)
        for party in event.parties:
            found = self.party(party, happening, scope)
            if found is None:
                return None
            scope = found
        return scope

    def party(self, party: m.Party, happening: Happening, scope: Scope) -> Scope | None:
        value: Value = happening.who if not party.role else self.role_value(party.role, happening.frame)
        candidates = as_group(value)
        if party.who is not None:
            wanted = as_group(self.value(party.who, scope))
            return scope if any(one in candidates for one in wanted) else None
        fitting = [one for one in candidates if self.rules.is_a(self.kind(str(one)), party.kind) and not (party.other and one == scope.owner)]
        if not fitting:
            return None
        word = party.role or party.kind
        bound: Value = fitting[0] if len(fitting) == 1 else tuple(fitting)
        return scope.with_word(word, bound) if not party.role or not self.in_frame(word, scope.frame) else scope

    def role_value(self, role: str, frame: int) -> Value:
        for index in range(frame, -1, -1):
            if role in self.state.frames[index].words:
                return self.read((index, "", role))
        return None
