"""Groups: everybody or everything of a kind, the members of a word, dice that show something, and filters."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any, cast

from te_forge.engine.state import Dice, Scope, Value
from te_forge.engine.things import Things
from te_forge.engine.values import COMPARE, as_group, is_dice
from te_forge.model import rules as m


class Groups(Things):
    """Finds the members of groups."""

    @abstractmethod
    def number(self, expr: m.Expr, scope: Scope) -> int:
        """A number that an expression comes to."""

    @abstractmethod
    def stat(self, who: str, stat: str) -> int:
        """A number of somebody, with everything that changes it now."""

    def members(self, group: m.Group, scope: Scope, but: Value = None) -> tuple[Any, ...]:
        if isinstance(group, m.Showing):
            return self.showing(group, scope)
        found = self.all_of(group, scope)
        if group.other:
            found = tuple(one for one in found if one != (but if but is not None else scope.owner))
        for where in group.where:
            found = self.filtered(found, where, scope)
        return found

    def all_of(self, group: m.Members, scope: Scope) -> tuple[Any, ...]:
        if group.of is None:
            return self.everything(group.kind)
        value = self.value(group.of, scope)
        if is_dice(value):
            return cast(tuple[Any, ...], value)
        if isinstance(value, tuple):
            return tuple(one for one in value if not group.kind or self.rules.is_a(self.kind(str(one)), group.kind))
        if value is None:
            return ()
        nature = self.rules.nature(group.kind)
        if group.kind and nature == "trait" and self.kind(str(value)) != group.kind:
            return tuple(one for one in self.carried(str(value)) if self.kind(one) == group.kind)
        if group.kind and nature == "number" and self.kind(str(value)) != group.kind:
            return tuple(one for one in self.everything(group.kind) if self.has_number(str(value), one) and self.stat(str(value), one) > 0)
        return (value,)

    def everything(self, kind: str) -> tuple[str, ...]:
        """Everybody or everything of a kind."""
        info = self.rules.system.kinds.get(kind)
        if kind == "actor" or (info is not None and info.nature == "actor"):
            single = (info.id,) if info is not None and info.single else ()
            return single + tuple(id for id, person in self.state.people.items() if id not in single and self.rules.is_a(person.kind, kind))
        return self.rules.everything(kind)

    def everybody(self) -> tuple[str, ...]:
        singles = tuple(info.id for info in self.rules.system.kinds.values() if info.single)
        return (*singles, *(id for id in self.state.people if id not in singles))

    def things_with(self, stat: str) -> tuple[str, ...]:
        """Entries (not people) that have a number, such as the clocks of a game."""
        kinds = [kind for kind in self.rules.carriers(stat) if self.rules.nature(kind) == "entry"]
        return tuple(id for kind in kinds for id in self.everything(kind))

    def showing(self, group: m.Showing, scope: Scope) -> Dice:
        dice = cast(Dice, self.value(group.dice, scope) or ())
        return showing(dice, group.compare, tuple(self.number(face, scope) for face in group.faces))

    def filtered(self, members: tuple[Any, ...], where: m.Filter, scope: Scope) -> tuple[Any, ...]:
        if where.how == "except":
            held = self.value(where.value, scope) if where.value is not None else ()
            but = {*where.things, *(id for one in cast(tuple[Value, ...], held) for id in as_group(one))}
            return tuple(one for one in members if one not in but)
        if where.how in ("with", "without"):
            return tuple(one for one in members if any(thing in self.carried(str(one)) for thing in where.things) == (where.how == "with"))
        assert where.key is not None
        members = self.having(where.key, members, scope)
        keys = {one: self.value(where.key, self.with_member(scope, one)) for one in members}
        if where.compare in ("highest", "lowest"):
            numbers = [value for value in keys.values() if isinstance(value, int)]
            best = (max if where.compare == "highest" else min)(numbers, default=None)
            return tuple(one for one in members if keys[one] == best)
        wanted = self.value(where.value, scope) if where.value is not None else None
        return tuple(one for one in members if COMPARE[where.compare](keys[one], wanted) != where.negated)

    def having(self, key: m.Expr, members: tuple[Any, ...], scope: Scope) -> tuple[Any, ...]:
        """Those of them who have the number that is asked for: the others are neither high nor low in it."""
        if not isinstance(key, m.Stat) or not isinstance(key.stat, m.Thing):
            return members
        return tuple(one for one in members if self.has_number(str(one), key.stat.id))

    @staticmethod
    def with_member(scope: Scope, member: Value) -> Scope:
        return scope.with_word("member", member)


def showing(dice: Dice, compare: str, faces: tuple[int, ...]) -> Dice:
    """Those of the dice that show some faces."""
    if compare != "one of":
        return tuple(die for die in dice if COMPARE[compare](die[0], faces[0]))
    return tuple(die for die in dice if die[0] in faces)
