"""What an expression comes to in a state. Reading changes nothing and asks nobody.

The parts (`places`, `things`, `groups`, `holding`) are one class after the other, each knowing those before it; this is the last.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable
from fractions import Fraction
from math import prod
from typing import Any, cast

from te_forge.engine.groups import showing
from te_forge.engine.holding import Held, Holding
from te_forge.engine.state import Dice, OnlyMean, Result, Scope, Slot, Unseen, Untold, Value, bag
from te_forge.engine.values import COMPARE, MOST_NUMBER, Key, RuleError, as_group, card_number, card_value, holder, is_dice, told
from te_forge.frozen import replace
from te_forge.keys import slug
from te_forge.model import rules as m
from te_forge.model.system import Entry

ARITHMETIC: dict[str, Callable[[int, int], int]] = {"+": operator.add, "-": operator.sub, "x": operator.mul}
AMONG: dict[str, Callable[[Iterable[int]], int]] = {
    "sum": sum,
    "highest": lambda values: max(values, default=0),
    "lowest": lambda values: min(values, default=0),
}


class Reading(Holding):
    """Reads one state by the rules of one system."""

    # ------------------------------------------------------------ expressions

    def number(self, expr: m.Expr, scope: Scope) -> int:
        return self.counted_as(self.value(expr, scope), scope)

    def counted_as(self, value: Value, scope: Scope) -> int:
        """The number that a value is."""
        if isinstance(value, bool) or not isinstance(value, int):
            return sum(face for face, _ in cast(Dice, value)) if is_dice(value) else 0
        if abs(value) > MOST_NUMBER:
            raise RuleError(f"a number has grown beyond {MOST_NUMBER:,}{self.rules.where(scope.entry, scope.line)}", scope)
        return value

    def value(self, expr: m.Expr, scope: Scope) -> Value:
        found = self.handed(expr, scope)
        return self.seen(found) if isinstance(found, Unseen) else told(found)

    def handed(self, expr: m.Expr, scope: Scope) -> Value:
        """What an expression comes to, for whoever only keeps it: it may be something that nothing has looked at, or a number of which no more is
        known than its mean.
        """
        match expr:
            case m.Int(value):
                return value
            case m.Thing(id):
                return id
            case m.Local(word):
                return self.word(word, scope)
            case m.Hung(of, word):
                return self.hung(self.value(of, scope), word)
            case m.Stat(of, stat):
                return self.stat(str(self.value(of, scope)), str(self.value(stat, scope)))
            case m.Bound():
                return self.bound(expr, scope)
            case m.Stored(of, label):
                return self.stored(self.value(of, scope), label)
            case m.Arithmetic(op, left, right):
                return self.reckoned(op, ARITHMETIC[op], left, right, scope)
            case m.Divide(left, right, up):
                return self.reckoned("", lambda above, below: self.divided(above, below, up, scope), left, right, scope)
            case m.Extreme(op, left, right):
                return self.reckoned("", max if op == "greater" else min, left, right, scope)
            case m.Number(group):
                return self.of_group(len, group, scope)
            case m.Members():
                return self.members(expr, scope)
            case m.Among(op, what, group):
                if what is None:
                    return self.of_group(lambda members: AMONG[op](map(face_of, members)), group, scope)
                members = self.having(what, self.members(group, scope), scope)
                return AMONG[op](self.number(what, self.with_member(scope, one)) for one in members)
            case m.Together(members):
                found = tuple(one for member in members for one in as_group(self.value(member, scope)))
                return bag(found) if is_dice(found) else found

    def reckoned(self, op: str, work: Callable[[int, int], int], left: m.Expr, right: m.Expr, scope: Scope) -> Value:
        one, other = self.handed(left, scope), self.handed(right, scope)
        if isinstance(one, OnlyMean) or isinstance(other, OnlyMean):
            return with_means(op, self.plain(one), self.plain(other))
        if isinstance(one, Unseen) or isinstance(other, Unseen):
            return self.each(lambda one, other: work(self.counted_as(one, scope), self.counted_as(other, scope)), one, other)
        return work(self.counted_as(one, scope), self.counted_as(other, scope))

    def divided(self, above: int, below: int, up: bool, scope: Scope) -> int:
        if below == 0:
            raise RuleError("this divides by 0", scope)
        return -(-above // below) if up else above // below

    def of_group(self, work: Callable[[tuple[Any, ...]], int], group: m.Group, scope: Scope) -> Value:
        """Something about the members of a group. Of dice that nothing has looked at it is what it is in each case."""
        if self.state.lots and (dice := self.unseen_dice(group, scope)) is not None:
            if not isinstance(group, m.Showing):
                return self.each(lambda shown: work(cast(Dice, shown)), dice)
            compare, faces = group.compare, tuple(self.number(face, scope) for face in group.faces)
            return self.each(lambda shown: work(showing(cast(Dice, shown), compare, faces)), dice)
        return work(self.members(group, scope))

    def unseen_dice(self, group: m.Group, scope: Scope) -> Unseen | None:
        match group:
            case m.Showing(_, _, m.Local() | m.Hung() as place) | m.Members(m.Local() | m.Hung() as place, _, False, ()):
                value = self.handed(place, scope)
                return value if isinstance(value, Unseen) and is_dice(value.values[0]) else None
            case _:
                return None

    def word(self, word: str, scope: Scope) -> Value:
        if word in scope.words:
            return scope.words[word]
        frame = self.frame_of(word, scope)
        if frame is not None and self.in_frame(word, frame):
            return self.come_to((frame, "", word))
        if word == "owner":
            return scope.owner
        kind = self.rules.system.kinds.get(word)
        if kind is not None and kind.single:
            return kind.id
        return None

    def hung(self, of: Value, word: str) -> Value:
        if isinstance(of, Result):
            if word in of.words:
                return cast(Value, of.words[word])
            held = [value for (_, name), value in of.hung.items() if name == word]
            return held[0] if len(held) == 1 else None
        return self.come_to((self.home(word), holder(of), word))

    # ------------------------------------------------------------ numbers of things

    def stat(self, who: str, stat: str) -> int:
        """A stored number with everything that changes it now."""
        self.rules.touch(stat)
        stored = self.state.numbers.get((who, stat))
        bare = stored if stored is not None else self.start(who, stat)
        if stat not in self.rules.changes and not self.anything_lasts():
            return bare
        slot = Slot(bare)
        if (who, stat) in self.counting:
            raise RuleError(f"what changes {self.rules.entries[stat].name} asks how much it is", self.counting[who, stat])
        self.counting[who, stat] = Scope(entry=stat)
        try:
            for held in self.held(m.Contribute, m.Lock, stat=stat):
                target = held.node.target  # type: ignore[union-attr]
                if isinstance(target, m.Stat) and self.value(target.of, held.scope) == who and self.value(target.stat, held.scope) == stat:
                    self.rules.touch(f"{held.scope.entry}#{held.scope.line}")
                    self.counting[who, stat] = held.scope
                    slot = self.changed(slot, held.node, held.scope)
        finally:
            del self.counting[who, stat]
        return cast(int, slot.come_to() or 0)

    def changed(self, slot: Slot, node: m.Sentence, scope: Scope) -> Slot:
        """The slot with one contribution more."""
        if isinstance(node, m.Lock):
            return replace(slot, can_fall=False) if node.direction == "lowered" else replace(slot, can_rise=False)
        assert isinstance(node, m.Contribute)
        amount = self.number(node.amount, scope)
        match node.how:
            case "more" | "less":
                signed = amount if node.how == "more" else -amount
                return replace(slot, up=slot.up + signed) if signed > 0 else replace(slot, down=slot.down - signed)
            case "times":
                if abs(prod(slot.times)) > MOST_NUMBER:
                    raise RuleError(f"a number has grown beyond {MOST_NUMBER:,}{self.rules.where(scope.entry, scope.line)}", scope)
                return replace(slot, times=(*slot.times, amount))
            case "at least":
                return replace(slot, least=amount if slot.least is None else max(slot.least, amount))
            case _:
                return replace(slot, most=amount if slot.most is None else min(slot.most, amount))

    def start(self, who: str, stat: str) -> int:
        """Where a number begins: what the thing states itself, else what the number or its kind says. Of somebody who has no such number it is 0."""
        entry, number = self.based(who), self.rules.entries.get(stat)
        if number is None or not self.has_number(who, stat):
            return 0
        if entry is not None and (stated := entry.fields.get(slug(number.name))) is not None:
            return self.as_number(stated.value, who)
        return self.limit_of(who, number, "starts") or 0

    def limit_of(self, who: str, number: Entry, key: str) -> int | None:
        """`Starts`, `At Least` or `At Most` of a number, or of its kind, for somebody."""
        info = self.rules.system.kinds.get(number.kind)
        for entry in (number, self.rules.entries[info.id] if info is not None else number):
            if key in entry.fields:
                return self.as_number(entry.fields[key].value, who)
        return None

    def as_number(self, value: m.Value, who: str) -> int:
        if len(value) == 1 and isinstance(value[0], m.Int):  # as most of them are
            return value[0].value
        found = self.atom(value, Scope(owner=who))
        return found if isinstance(found, int) else 0

    def bounds(self, who: str, stat: str) -> tuple[int | None, int | None]:
        """The least and the most that somebody's number may be."""
        number = self.rules.entries.get(stat)
        if number is None:
            return None, None
        least, most = (self.state.bounds.get((who, stat, which)) for which in ("least", "most"))
        return (
            least if least is not None else self.limit_of(who, number, "at-least"),
            most if most is not None else self.limit_of(who, number, "at-most"),
        )

    def bound(self, expr: m.Bound, scope: Scope) -> int:
        who, stat = self.whose(expr.of, scope)
        if expr.which == "start":
            return self.start(who, stat)
        if expr.which in ("least", "most"):
            found = self.bounds(who, stat)[expr.which == "most"]
            if found is None:
                raise RuleError(f"{self.named(who)}'s {self.named(stat)} has no {expr.which}{self.rules.where(scope.entry, scope.line)}", scope)
            return found
        return 0

    def named(self, id: Any) -> str:
        if id in self.state.people:
            return self.state.people[id].name
        entry = self.rules.entries.get(id)
        return entry.name if entry is not None else str(id)

    def whose(self, of: m.Expr, scope: Scope) -> tuple[str, str]:
        """Holder and number of what a bound is of: `the hero's Luck`, `Luck`, `the gm's Doom`."""
        if isinstance(of, m.Stat):
            return str(self.value(of.of, scope)), str(self.value(of.stat, scope))
        stat = str(self.value(of, scope))
        return str(self.holder(stat, scope)), stat

    def holder(self, stat: str, scope: Scope) -> Value:
        """Who has a number that is named alone: the only one who can, else the owner."""
        single = next((kind for kind in self.rules.carriers(stat) if (info := self.rules.system.kinds.get(kind)) and info.single), None)
        return self.rules.system.kinds[single].id if single is not None else scope.owner


def face_of(member: Any) -> int:
    """What a die shows; of numbers the number itself."""
    return member[0] if isinstance(member, tuple) else member if isinstance(member, int) else 0


def with_means(op: str, one: Value, other: Value) -> OnlyMean:
    """What comes of numbers of which only the mean is known, where that can be told."""
    if op not in ARITHMETIC or (op == "x" and isinstance(one, OnlyMean) and isinstance(other, OnlyMean)):
        raise Untold
    if isinstance(one, OnlyMean) and (op == "+" or (op == "-" and isinstance(other, int))) and isinstance(other, int | OnlyMean):
        return one.more(other if op == "+" else -cast(int, other))
    if isinstance(one, int) and isinstance(other, OnlyMean) and op == "+":
        return other.more(one)
    exact: Callable[[Any, Any], Fraction] = ARITHMETIC[op]  # type: ignore[assignment]
    return OnlyMean(exact(mean_of(one), mean_of(other)))


def mean_of(value: Value) -> Fraction:
    if isinstance(value, OnlyMean):
        return value.mean
    if value is not None and not isinstance(value, int):
        raise Untold
    return Fraction(value or 0)


__all__ = ["COMPARE", "Held", "Key", "Reading", "RuleError", "as_group", "card_number", "card_value", "is_dice", "told"]
