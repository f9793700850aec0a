"""Numbers rise and fall: payments, gains and losses with all that limits them, the levels that they reach, traits that are taken and dropped."""

from __future__ import annotations

from collections.abc import Iterator
from typing import cast

from te_forge.engine.acting import (
    Happening,
    Skipped,
    row_meaning,
    wrapped,
)
from te_forge.engine.effects import Number
from te_forge.engine.giving import Giving
from te_forge.engine.reading import as_group
from te_forge.engine.standing import Standing
from te_forge.engine.state import Frame, Map, Scope, Slot
from te_forge.frozen import replace
from te_forge.model import rules as m


class Moving(Giving):
    """Moves points and traits."""

    # ------------------------------------------------------------ gains and losses

    def transfer(self, node: m.Transfer, scope: Scope) -> Scope:
        for who in as_group(self.value(node.who, scope)):
            stat = str(self.value(node.amount.stat, scope))
            amount = self.amount(node.amount, str(who), stat, node.verb, scope)
            if node.amount.word:
                scope = self.bring(node.amount.word, amount, scope)
            if node.verb == "pays":
                if not self.payable(str(who), stat, amount):
                    self.note("unpaid", who, stat, amount)
                    raise Skipped
                self.pay(str(who), stat, amount, scope)
            elif self.rules.nature(self.rules.kind_of(stat)) == "trait":
                self.carry(str(who), stat, node.verb == "gains", scope)
            else:
                self.move(str(who), stat, amount if node.verb == "gains" else -amount, scope)
        return scope

    def amount(self, amount: m.Amount, who: str, stat: str, verb: str, scope: Scope) -> int:
        if amount.how == "all":
            return max(self.stat(who, stat) - (self.bounds(who, stat)[0] or 0), 0)
        if amount.how == "any":
            return self.chosen_number(who, amount.word or "amount", 0, self.most_of_any(amount, who, stat, scope), scope)
        number = self.number(amount.number, scope) if amount.number is not None else 1
        return number * (self.number(m.Number(amount.each), scope) if amount.each is not None else 1)

    def most_of_any(self, amount: m.Amount, who: str, stat: str, scope: Scope) -> int:
        """How much of `any X up to N` there can be: what can be paid, and not more than N."""
        have = self.purse(who, stat)
        return max(0, have if amount.most is None else min(have, self.number(amount.most, scope)))

    def chosen_number(self, who: str, word: str, low: int, high: int, scope: Scope) -> int:
        if high <= low:
            self.note("forced", who, (low,))
            return low
        return cast(int, self.decide(Number(who, word, low, high, self.why(scope)), scope))

    def purse(self, who: str, stat: str) -> int:
        """How much somebody can pay of a number, with what may pay for it, and not below any floor."""
        if self.forbidden(who, "pay", stat) is not None:
            return 0
        return sum(max(0, self.stat(holder, id) - (self.bounds(holder, id)[0] or 0)) for holder, id in self.purses(who, stat))

    def purses(self, who: str, stat: str) -> list[tuple[str, str]]:
        entry = self.rules.entries.get(stat)
        others = (
            [atom.id for atom in entry.fields["also-paid-from"].value if isinstance(atom, m.Thing)]
            if entry is not None and "also-paid-from" in entry.fields
            else []
        )
        own = who if self.has_number(who, stat) else str(self.holder(stat, Scope(owner=who)))
        return [(own, stat), *((str(self.holder(other, Scope(owner=who))), other) for other in others)]

    def payable(self, who: str, stat: str, amount: int) -> bool:
        return amount <= self.purse(who, stat) or amount <= 0

    def pay(self, who: str, stat: str, amount: int, scope: Scope) -> None:
        for holder, id in self.purses(who, stat):
            part = min(amount, max(0, self.stat(holder, id) - (self.bounds(holder, id)[0] or 0)))
            if part > 0:
                self.note("pay", holder, id, part)
                self.move(holder, id, -part, scope)
            amount -= part

    def move(self, who: str, stat: str, amount: int, scope: Scope) -> None:
        """A gain (or, below 0, a loss) passes its gates, is cut by what limits it, and lands."""
        verb = "gain" if amount > 0 else "loss"
        if amount == 0 or self.forbidden(who, "gain" if amount > 0 else "lose", stat) is not None:
            return
        self.not_too_deep("rules set each other off", scope)
        depth = len(self.state.frames)
        self.state = self.state.pushed(Frame(words=Map({"amount": Slot(abs(amount))})))
        happening = Happening(verb, stat, depth, (who,))
        if self.replaced(happening):
            self.state = self.state.popped(depth)
            return
        self.hear("before", happening)
        wanted = cast(int, self.read((depth, "", "amount")) or 0)
        landed = self.land(who, stat, wanted if amount > 0 else -wanted)
        if landed:
            self.store((depth, "", "amount"), Slot(abs(landed)))
            self.hear("after", happening)
        self.state = self.state.popped(depth)

    def land(self, who: str, stat: str, amount: int) -> int:
        """What is left of a change after every limit; the number has it then."""
        verb, size = ("gain" if amount > 0 else "loss"), max(abs(amount), 0)
        caps: list[tuple[int, str]] = []
        for held in self.held(m.Contribute, stat=stat):
            node = held.node
            assert isinstance(node, m.Contribute)
            if not isinstance(node.target, m.Bound) or node.target.which != verb or self.whose(node.target.of, held.scope) != (who, stat):
                continue
            self.rules.touch(f"{held.scope.entry}#{held.scope.line}")
            if node.in_all:
                key, frame = f"{held.scope.entry}#{held.scope.line}:{verb}", max(held.frame, 0)
                caps.append((frame, key))
                limit = self.number(node.amount, held.scope) - self.state.frames[frame].counts.get((key, who), 0)
                size = min(size, max(0, limit))
            else:
                size = max(0, cast(int, self.changed(Slot(size), node, held.scope).come_to()))
        before = self.stat(who, stat)
        stored = self.state.numbers.get((who, stat), None)
        base = stored if stored is not None else self.start(who, stat)
        least, most = self.bounds(who, stat)
        after = base + (size if amount > 0 else -size)
        after = (
            min(after, max(most, base))
            if most is not None and amount > 0
            else max(after, min(least, base))
            if least is not None and amount < 0
            else after
        )
        landed = after - base
        for frame, key in caps:
            self.count(frame, key, who, abs(landed))
        if landed:
            self.state = self.state.with_number(who, stat, after)
            self.note(verb, who, stat, abs(landed), self.stat(who, stat))
            self.reach(who, stat, before, self.stat(who, stat))
        return landed

    def set_number(self, who: str, stat: str, value: int) -> None:
        before = self.stat(who, stat)
        least, most = self.bounds(who, stat)
        value = max(value, least) if least is not None else value
        value = min(value, most) if most is not None else value
        self.state = self.state.with_number(who, stat, value)
        if value or before:
            self.note("set", who, stat, value)
        self.reach(who, stat, before, self.stat(who, stat))

    def reach(self, who: str, stat: str, before: int, after: int) -> None:
        """Every level on the way from `before` to `after` that something listens to is queued, in the order of the way."""
        if before == after:
            return
        found: list[tuple[int, m.Body, Scope]] = []
        for when in ("before", "after"):
            for one in self.rules.listeners.get((when, "level", stat), ()):
                found += self.levels(one, who, stat, before, after)
        found += self.tracked(who, stat, before, after)
        found.sort(key=lambda level: level[0] if after > before else -level[0])
        self.triggers += [(body, scope) for _, body, scope in found]

    def levels(self, one: Standing, who: str, stat: str, before: int, after: int) -> Iterator[tuple[int, m.Body, Scope]]:
        on = cast(m.On, one.node)
        for held in self.standing_now(one):
            level = self.number(on.event.level, held.scope) if on.event.level is not None else 0
            if on.event.multiple:
                passed = [n for n in range(before + 1, after + 1) if level and n % level == 0]
            else:
                passed = [level] if before < level <= after or after <= level < before else []
            for at in passed:
                scope = self.fitting(on.event, Happening("level", stat, len(self.state.frames) - 1, (who,), at), held.scope)
                if scope is not None:
                    yield at, wrapped(on.body, one.limits), scope

    def tracked(self, who: str, stat: str, before: int, after: int) -> Iterator[tuple[int, m.Body, Scope]]:
        """The `at` table of what is tracked by this number."""
        entry = self.rules.entries.get(who)
        if entry is None or entry.table is None or entry.table.die != "at":
            return
        info = self.rules.system.kinds.get(entry.kind)
        homes = [entry, self.rules.entries[info.id]] if info is not None else [entry]
        if any(stat == atom.id for home in homes if "tracks" in home.fields for atom in home.fields["tracks"].value if isinstance(atom, m.Thing)):
            for row in entry.table.rows:
                if before < row.low <= after:
                    yield row.low, row_meaning(row), Scope(owner=who, entry=entry.id, line=row.id, own=True)

    def carry(self, who: str, trait: str, takes: bool, scope: Scope) -> None:
        """A trait is taken or dropped; the changes that it states are taken with it."""
        has = trait in self.carried(who)
        if takes == has or (takes and (self.forbidden(who, "take", trait) or self.forbidden(who, "gain", trait))):
            return
        happening = Happening("gain" if takes else "loss", trait, len(self.state.frames) - 1, (who,))
        if self.replaced(happening):
            return
        self.hear("before", happening)
        own = self.state.traits.get(who, ())
        traits = (*own, trait) if takes else tuple(one for one in own if one != trait)
        self.state = replace(self.state, traits=self.state.traits.set(who, traits))
        if not takes and trait not in own:
            self.unstate(who, trait)
        self.note("take" if takes else "drop", who, trait)
        entry = self.rules.entries.get(trait)
        for field in entry.fields.values() if entry is not None else ():
            for atom in field.value:
                if isinstance(atom, m.Bonus) and self.has_number(who, atom.stat):
                    self.set_number(who, atom.stat, self.stat(who, atom.stat) + (atom.amount if takes else -atom.amount))
        self.hear("after", happening)

    def unstate(self, who: str, trait: str) -> None:
        """What the entry of somebody states is dropped by this one of them: the list that names it has it no more."""
        entry = self.based(who)
        for field in entry.fields.values() if entry is not None else ():
            listed = as_group(self.stored(who, field.label))
            if trait in listed:
                kept = tuple(one for one in listed if one != trait)
                self.state = replace(self.state, fields=self.state.fields.set((who, field.label), kept))

    # ------------------------------------------------------------ limits

    def count(self, frame: int, key: str, who: str, amount: int = 1) -> None:
        made = self.state.frames[frame]
        self.state = self.state.with_frame(frame, replace(made, counts=made.counts.set((key, who), made.counts.get((key, who), 0) + amount)))

    def limit_key(self, node: m.Limited, scope: Scope) -> str:
        line = self.rules.labels.get(id(node))
        return f"{scope.entry}#{line.id if line is not None else scope.line}"

    def left(self, limit: m.Limit, key: str, who: str) -> bool:
        return self.used(key, who, limit.span) < limit.times

    def spend(self, limit: m.Limit, key: str, who: str) -> None:
        self.count(self.running(limit.span) or 0, key, who)
