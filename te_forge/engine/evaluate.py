"""What every sentence does. The only place, with `reading`, where rules get their meaning; it contains no chance, no clock and no input.

`Evaluator` carries one state forward. Whatever is open it asks of `perform` (see `effects`). `end with` and `go back to` travel as exceptions up to the
frame that they are about; a part of a chain turns them into a plain answer, so that a driver can follow many states at once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any, cast

from te_forge.engine.effects import Chain, Choose, Halted, Keep, Note, Number, Offer, Perform, Roll, Several, Share, allowed
from te_forge.engine.index import Rules, Standing
from te_forge.engine.reading import Key, Reading, RuleError, as_group, is_dice
from te_forge.engine.state import Coming, Dice, Frame, Lasting, Map, Postponed, Result, Scope, Slot, State, Value, bag
from te_forge.model import rules as m
from te_forge.model.system import Entry, RollTable, Row

MOST_EFFECTS = 1_000_000
MOST_EXPLOSIONS = 100
MOST_DEPTH = 60


class Ended(Exception):
    """`end with`: leaves the nearest run of the procedure that has this outcome."""

    def __init__(self, outcome: str) -> None:
        self.outcome = outcome


class GoneBack(Exception):
    """`go back to`: returns to a step of the nearest run of its procedure."""

    def __init__(self, step: str) -> None:
        self.step = step


class Skipped(Exception):
    """A choice from nothing, or a payment that cannot be made: the rest of the body is left out."""


@dataclass(frozen=True, slots=True)
class Happening:
    """An event: what, which, in which frame, who did it, and how much or how it came out."""

    what: str
    id: str
    frame: int
    who: tuple[str, ...] = ()
    level: int = 0
    outcome: str = ""
    words: tuple[tuple[str, Value], ...] = ()


@dataclass(frozen=True, slots=True)
class Heard:
    """A rule that answers a happening: its body, the scope to run it in, and the limits on it."""

    body: m.Body
    scope: Scope
    limits: tuple[m.Limit, ...]
    ending: bool = False
    """Whether it is about how something came out."""


class Evaluator(Reading):
    """Runs rules from one state onwards; `state` is where they have come to."""

    def __init__(self, rules: Rules, state: State, perform: Perform) -> None:
        super().__init__(rules, state)
        self.answer = perform
        self.triggers: list[tuple[m.Body, Scope]] = []
        self.effects = 0

    def perform(self, effect: Any, scope: Scope) -> Any:
        self.effects += 1
        if self.effects > MOST_EFFECTS:
            raise RuleError("this went on for a million steps and was stopped", scope)
        try:
            return self.answer(effect)
        except Halted as halted:
            halted.state = halted.state or self.state
            raise

    def note(self, what: str, *data: Any) -> None:
        self.answer(Note(what, data))

    # ------------------------------------------------------------ bodies

    def body(self, body: m.Body, scope: Scope) -> Scope:
        """Sentences one after the other; the scope with the words that they brought in."""
        taken = False
        try:
            for node in body:
                if isinstance(node, m.If):
                    if not node.chained:
                        taken = False
                    if not taken and (node.condition is None or self.holds(node.condition, scope)):
                        taken = True
                        scope = self.body(node.body, scope)
                else:
                    scope = self.act(node, scope)
                self.fire()
        except Skipped:
            pass
        return scope

    def fire(self) -> None:
        """Whatever levels were reached, first in, first out. It stands apart: what lasts for the frames below does not hold in it."""
        while self.triggers:
            body, scope = self.triggers.pop(0)
            rest, self.triggers = self.triggers, []
            depth = len(self.state.frames)
            self.state = self.state.pushed(Frame(apart=True))
            self.note("line", scope.entry, scope.line)
            self.body(body, replace(scope, frame=depth))
            self.state = self.state.popped(depth)
            self.triggers = rest

    def act(self, node: m.Sentence, scope: Scope) -> Scope:
        match node:
            case m.Transfer():
                return self.transfer(node, scope)
            case m.Give():
                return self.give(node, scope)
            case m.Contribute() | m.Lock():
                return self.contribute(node, scope)
            case m.Roll():
                return self.roll(node, scope)
            case m.Pick():
                return self.pick(node, scope)
            case m.Choose():
                return self.choose(node, scope)
            case m.ChooseOne():
                return self.choose_one(node, scope)
            case m.May():
                self.attempt((node,), scope, ())
                return scope
            case m.Limited():
                self.attempt((node,), scope, ())
                return scope
            case m.ForEach():
                return self.for_each(node, scope)
            case m.Repeat():
                return self.repeat(node, scope)
            case m.DivideUp():
                return self.divide(node, scope)
            case m.Carry():
                for who in as_group(self.value(node.who, scope)):
                    self.carry(str(who), str(self.value(node.trait, scope)), node.takes, scope)
                return scope
            case m.Do():
                result = self.do(node.procedure, {role: self.value(value, scope) for role, value in node.roles})
                return self.bring(node.word, result, scope) if node.word else scope
            case m.EndWith(outcome):
                raise Ended(outcome)
            case m.GoBack(step):
                raise GoneBack(step)
            case m.Until(span, body):
                self.last(span, "", body, scope)
                return scope
            case m.InNext(span, of, body):
                who = str(self.value(of, scope))
                self.state = replace(self.state, coming=(*self.state.coming, Coming(span, who, Lasting(body, self.caught(scope)))))
                return scope
            case m.On() | m.While() | m.Forbid():
                self.install(scope.frame, Lasting((node,), self.caught(scope)))
                return scope
            case m.Say(who, text):
                self.note("say", self.value(who, scope), text)
                return scope
            case m.If(condition, body, _):
                return self.body(body, scope) if condition is None or self.holds(condition, scope) else scope
            case m.Expect() | m.Script():
                return scope

    # ------------------------------------------------------------ words

    def bring(self, word: str, value: Value, scope: Scope) -> Scope:
        """The word gets a value: in the line's own scope behind an event, else in the frame."""
        if scope.own or word in scope.words:
            return replace(scope, words=scope.words.set(word, value))
        self.store((scope.frame, "", word), Slot(value))
        return scope

    def store(self, key: Key, slot: Slot) -> None:
        frame = self.state.frames[key[0]]
        made = replace(frame, words=frame.words.set(key[2], slot)) if not key[1] else replace(frame, hung=frame.hung.set((key[1], key[2]), slot))
        self.state = self.state.with_frame(key[0], made)

    def raw(self, key: Key) -> Slot:
        """The slot as it is stored, without the declared default."""
        frame = self.state.frames[key[0]]
        found = frame.words.get(key[2]) if not key[1] else frame.hung.get((key[1], key[2]))
        return found if found is not None else Slot()

    def slot(self, key: Key) -> Slot:
        raw = self.raw(key)
        if raw.base is None and key[1]:
            return replace(raw, base=self.default(self.state.frames[key[0]], key[2]))
        return raw

    def result_word(self, who: str, word: str, value: Value, scope: Scope) -> Scope:
        """`as the roll`: hung on whoever did it where a running procedure declares such a value, else a word."""
        if any(word in self.rules.declared.get(frame.procedure, ()) for frame in self.state.frames):
            key = (self.home(word), who, word)
            self.store(key, replace(Slot(value), fixed=self.raw(key).fixed))
            return scope
        return self.bring(word, value, scope)

    def give(self, node: m.Give, scope: Scope) -> Scope:
        target = node.target
        if isinstance(target, m.Local) and (target.word in scope.words or (scope.own and not self.in_frame(target.word, scope.frame))):
            return replace(scope, words=scope.words.set(target.word, self.value(node.value, scope)))
        key = self.key(target, scope)
        if key is None:
            self.set_stored(target, self.value(node.value, scope), scope)
            return scope
        raw = self.raw(key)
        if node.how == "will be":
            self.store(key, replace(raw, fixed=Postponed(node.value, self.caught(scope))))
            return scope
        value = self.value(node.value, scope)
        fresh = node.how == "becomes" or raw.base is not None
        self.store(key, replace(Slot(value), fixed=raw.fixed) if fresh else replace(raw, base=value))
        return scope

    def set_stored(self, target: m.Expr, value: Value, scope: Scope) -> None:
        match target:
            case m.Stat(of, stat):
                who, id = str(self.value(of, scope)), str(self.value(stat, scope))
                self.set_number(who, id, cast(int, value or 0))
            case m.Bound(of, which):
                who, id = self.whose(of, scope)
                self.state = replace(self.state, bounds=self.state.bounds.set((who, id, which), cast(int, value or 0)))
                self.note("bound-set", who, id, which, value)
            case m.Stored(of, label):
                self.state = replace(self.state, fields=self.state.fields.set((str(self.value(of, scope)), label), value))
            case _:
                raise RuleError("this cannot be given a value", scope)

    def contribute(self, node: m.Contribute | m.Lock, scope: Scope) -> Scope:
        key = self.key(node.target, scope)
        if key is not None:
            self.store(key, self.changed(self.raw(key), node, scope))
        elif isinstance(node.target, m.Local):
            value = self.changed(Slot(scope.words.get(node.target.word, 0)), node, scope).come_to()
            return replace(scope, words=scope.words.set(node.target.word, value))
        return scope

    def caught(self, scope: Scope) -> Scope:
        """The scope with the words of its frame as they are now, for a rule that outlives it."""
        frame = self.state.frames[scope.frame]
        words: dict[str, Value] = {word: self.read((scope.frame, "", word)) for word in frame.words}
        return replace(scope, frame=0, words=Map({**words, **scope.words}), own=True)

    # ------------------------------------------------------------ what lasts

    def last(self, span: str, who: str, body: m.Body, scope: Scope) -> None:
        """`until X ends`: in the frame of X, or of the next X where none runs."""
        frame = self.running(span)
        rule = Lasting(body, self.caught(scope))
        if frame is None:
            self.state = replace(self.state, coming=(*self.state.coming, Coming(span, who, rule)))
        else:
            self.install(frame, rule)

    def install(self, index: int, rule: Lasting) -> None:
        """What changes a value on its way or does something happens now; what listens, forbids or changes a stored number lasts."""
        keep: list[m.Sentence] = []
        scope = replace(rule.scope, frame=min(index, len(self.state.frames) - 1))
        for node in rule.body:
            if isinstance(node, m.On | m.While | m.Forbid) or (isinstance(node, m.Contribute | m.Lock) and not isinstance(node.target, m.Local | m.Hung)):
                keep.append(node)
            else:
                scope = self.act(node, scope)
        if keep:
            frame = self.state.frames[index]
            self.state = self.state.with_frame(index, replace(frame, lasting=(*frame.lasting, Lasting(tuple(keep), scope))))

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
        return number * (len(self.members(amount.each, scope)) if amount.each is not None else 1)

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
        others = [atom.id for atom in entry.fields["also-paid-from"].value if isinstance(atom, m.Thing)] if entry is not None and "also-paid-from" in entry.fields else []
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
        after = min(after, max(most, base)) if most is not None and amount > 0 else max(after, min(least, base)) if least is not None and amount < 0 else after
        landed = after - base
        for frame, key in caps:
            self.count(frame, key, who, abs(landed))
        if landed:
            self.state = replace(self.state, numbers=self.state.numbers.set((who, stat), after))
            self.note(verb, who, stat, abs(landed), self.stat(who, stat))
            self.reach(who, stat, before, self.stat(who, stat))
        return landed

    def set_number(self, who: str, stat: str, value: int) -> None:
        before = self.stat(who, stat)
        least, most = self.bounds(who, stat)
        value = max(value, least) if least is not None else value
        value = min(value, most) if most is not None else value
        self.state = replace(self.state, numbers=self.state.numbers.set((who, stat), value))
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
        self.note("take" if takes else "drop", who, trait)
        entry = self.rules.entries.get(trait)
        for field in entry.fields.values() if entry is not None else ():
            for atom in field.value:
                if isinstance(atom, m.Bonus) and self.has_number(who, atom.stat):
                    self.set_number(who, atom.stat, self.stat(who, atom.stat) + (atom.amount if takes else -atom.amount))
        self.hear("after", happening)

    # ------------------------------------------------------------ limits

    def count(self, frame: int, key: str, who: str, amount: int = 1) -> None:
        made = self.state.frames[frame]
        self.state = self.state.with_frame(frame, replace(made, counts=made.counts.set((key, who), made.counts.get((key, who), 0) + amount)))

    def left(self, limit: m.Limit, key: str, who: str) -> bool:
        return self.used(key, who, limit.span) < limit.times

    def spend(self, limit: m.Limit, key: str, who: str) -> None:
        self.count(self.running(limit.span) or 0, key, who)

    # ------------------------------------------------------------ dice

    def roll(self, node: m.Roll, scope: Scope) -> Scope:
        for who in as_group(self.value(node.who, scope)):
            if node.source is not None:
                self.roll_source(str(who), node.source, node.word, scope)
                continue
            dice = tuple(
                (max(0, self.number(spec.count, scope)), spec.sides, tuple(self.number(face, scope) for face in spec.exploding)) for spec in node.dice
            )
            shown = self.throw(str(who), dice, scope)
            scope = self.result_word(str(who), node.word, shown, scope) if node.word else scope
            if shown:
                frame = self.state.frames[scope.frame]
                self.state = self.state.with_frame(scope.frame, replace(frame, rolled=(*frame.rolled, (str(who), node.word))))
        return scope

    def throw(self, who: str, dice: tuple[tuple[int, int, tuple[int, ...]], ...], scope: Scope) -> Dice:
        dice = tuple(one for one in dice if one[0] > 0)
        if not dice:
            return ()
        shown = bag(cast(Dice, self.perform(Roll(who, dice, self.why(scope)), scope)))
        self.note("roll", who, shown)
        return shown

    def roll_source(self, who: str, source: m.Expr, word: str, scope: Scope) -> None:
        entry = self.rules.entries.get(str(self.value(source, scope)))
        if entry is None or entry.table is None:
            raise RuleError("there is nothing here to roll", scope)
        row = self.table_row(who, entry.table, scope)
        if row is not None:
            self.note("row", entry.id, row.id)
            self.body(row_meaning(row), Scope(owner=scope.owner, frame=scope.frame, entry=entry.id, line=row.id, own=True))

    def table_row(self, who: str, table: RollTable, scope: Scope) -> Row | None:
        count, _, sides = table.die.partition("d")
        if not count and len(sides) > 1 and len(set(sides)) == 1:  # d66: dice read as digits
            digits = [self.throw(who, ((1, int(sides[0]), ()),), scope)[0][0] for _ in sides]
            result = int("".join(map(str, digits)))
        else:
            result = sum(face for face, _ in self.throw(who, ((int(count or 1), int(sides), ()),), scope))
        return next((row for row in table.rows if row.low <= result <= row.high), None)

    def pick(self, node: m.Pick, scope: Scope) -> Scope:
        who = str(self.value(node.who, scope))
        source = self.value(node.source, scope)
        dice = bag(cast(Dice, source)) if is_dice(source) else ()
        count = len(dice) if node.how == "all" else min(len(dice), max(0, self.number(node.count, scope) if node.count is not None else 1))
        taken = self.taken(node, who, dice, count, scope)
        if node.verb == "rerolls":
            if not taken:
                return scope
            fresh = self.throw(who, tuple((taken.count(die), die[1], ()) for die in dict.fromkeys(taken)), scope)
            self.put(node.source, bag([*without(dice, taken), *fresh]), scope)
        elif not node.word:
            self.put(node.source, taken, scope)
        return self.result_word(who, node.word, taken, scope) if node.word else scope

    def put(self, place: m.Expr, dice: Dice, scope: Scope) -> None:
        """The roll that was picked from is these dice now."""
        key = self.key(place, scope)
        if key is not None:
            self.store(key, replace(Slot(dice), fixed=self.raw(key).fixed))

    def taken(self, node: m.Pick, who: str, dice: Dice, count: int, scope: Scope) -> Dice:
        if node.how == "highest":
            return dice[:count]
        if node.how == "lowest":
            return bag(dice[len(dice) - count :]) if count else ()
        least = 0 if node.how == "up to" else count
        if count == 0:
            return ()
        if least == count and (count == len(dice) or len(set(dice)) == 1):
            self.note("forced", who, tuple(face for face, _ in dice[:count]))
            return dice[:count]
        return cast(Dice, self.decide(Keep(who, node.verb, dice, least, count, self.why(scope)), scope))

    # ------------------------------------------------------------ choices

    def decide(self, effect: Any, scope: Scope) -> Any:
        self.note("asked", self.state)
        answer = self.perform(effect, scope)
        if not allowed(effect, answer):
            raise RuleError(f"`{answer}` is not one of the answers", scope)
        self.note("choose", effect, answer)
        return answer

    def why(self, scope: Scope) -> str:
        return f"{scope.entry}#{scope.line}"

    def named(self, id: Any) -> str:
        if id in self.state.people:
            return self.state.people[id].name
        entry = self.rules.entries.get(id)
        return entry.name if entry is not None else str(id)

    def choose(self, node: m.Choose, scope: Scope) -> Scope:
        who = str(self.value(node.who, scope))
        if isinstance(node.members, m.Range):
            low, high = self.number(node.members.low, scope), self.number(node.members.high, scope)
            return self.bring(node.word, self.chosen_number(who, node.word, low, high, scope), scope)
        found = tuple(one for one in self.members(node.members, scope, who) if self.forbidden(who, "use", str(one)) is None)
        if not found:
            self.note("nothing-to-choose", who, node.word)
            raise Skipped
        if len(found) == 1:
            self.note("forced", who, found)
        chosen = found[0] if len(found) == 1 else self.decide(Choose(who, node.word, found, tuple(map(self.named, found)), self.why(scope)), scope)
        return self.bring(node.word, chosen, scope)

    def choose_one(self, node: m.ChooseOne, scope: Scope) -> Scope:
        who = str(self.value(node.who, scope))
        options = {option.label: option for option in node.options if self.possible(option.body, scope)}
        labels = tuple(options)
        if node.any:
            picked = cast(tuple[str, ...], self.decide(Several(who, node.word or "any", labels, self.why(scope)), scope)) if labels else ()
            for label in picked:
                scope = self.body(options[label].body, scope)
            return self.bring(node.word, picked, scope) if node.word else scope
        asked = (*labels, None) if node.optional else labels
        if not labels:
            if node.optional:
                return scope
            raise Skipped
        if len(asked) == 1:
            self.note("forced", who, asked)
        chosen: str | None = asked[0] if len(asked) == 1 else self.decide(Choose(who, node.word or "option", asked, (*labels, "nothing")[: len(asked)], self.why(scope)), scope)
        if chosen is None:
            return scope
        if node.word:
            scope = self.bring_choice(who, node.word, chosen, scope)
        return self.body(options[chosen].body, scope)

    def bring_choice(self, who: str, word: str, label: str, scope: Scope) -> Scope:
        return self.result_word(who, word, label, scope)

    def possible(self, body: m.Body, scope: Scope) -> bool:
        """Whether an option can be begun: its first payments can be made, what it does is not forbidden, its first choice has something to choose from."""
        for node in body:
            match node:
                case m.Transfer(who, "pays", amount) if amount.how == "fixed":
                    payer, stat = str(self.value(who, scope)), str(self.value(amount.stat, scope))
                    if not self.payable(payer, stat, self.amount(amount, payer, stat, "pays", scope)):
                        return False
                case m.Transfer(who, "pays", amount) if amount.how == "any":
                    if self.most_of_any(amount, str(self.value(who, scope)), str(self.value(amount.stat, scope)), scope) == 0:
                        return False
                case m.Do(procedure, roles, _):
                    if self.barred(procedure, {role: self.value(value, scope) for role, value in roles}):
                        return False
                case m.Choose(_, m.Members() as members, _):
                    return bool(self.members(members, scope, self.value(node.who, scope)))
                case m.Say() | m.Give():
                    continue
                case _:
                    return True
        return True

    # ------------------------------------------------------------ offers

    def attempt(self, body: m.Body, scope: Scope, limits: tuple[tuple[m.Limit, str], ...], top: bool = False) -> bool:
        """Run a body behind its guards: conditions, limits and offers directly at its head. A limit is used only when the body runs. Whether it ran."""
        if len(body) == 1:
            node = body[0]
            if isinstance(node, m.Limited):
                return self.attempt(node.body, scope, (*limits, (node.limit, self.limit_key(node, scope))), top)
            if isinstance(node, m.If):
                return self.holds(node.condition, scope) and self.attempt(node.body, scope, limits, top) if node.condition is not None else self.attempt(node.body, scope, limits, top)
            if isinstance(node, m.May):
                return self.offered(node, scope, limits, top)
        if not self.limits_left(limits, scope):
            return False
        self.use_limits(limits, scope)
        if top:
            self.note("line", scope.entry, scope.line)
        self.body(body, scope)
        return True

    def limit_key(self, node: m.Limited, scope: Scope) -> str:
        line = self.rules.labels.get(id(node))
        return f"{scope.entry}#{line.id if line is not None else scope.line}"

    def limits_left(self, limits: tuple[tuple[m.Limit, str], ...], scope: Scope) -> bool:
        return all(self.left(limit, key, scope.owner or "") for limit, key in limits)

    def use_limits(self, limits: tuple[tuple[m.Limit, str], ...], scope: Scope) -> None:
        for limit, key in limits:
            self.spend(limit, key, scope.owner or "")

    def offer(self, node: m.May, scope: Scope, limits: tuple[tuple[m.Limit, str], ...], top: bool) -> tuple[Offer, tuple[tuple[m.Limit, str], ...]] | None:
        """The offer as it can be made now, with every limit on it; None when it cannot be."""
        who = str(self.value(node.who, scope))
        entry = self.rules.entries.get(scope.entry)
        limits = (*limits, *self.uses(entry)) if top and entry is not None else limits
        if not self.limits_left(limits, scope) or (entry is not None and self.forbidden(who, "use", entry.id) is not None):
            return None
        price = self.price(node, who, scope)
        if any(not self.payable(who, stat, amount) for stat, amount in price) or self.circular(node.body, scope):
            return None
        line = self.rules.labels.get(id(node))
        names = (line.label if line is not None else "", *(self.names_of(entry) if entry is not None else ()))
        words = ", ".join(f"{amount} {self.named(stat)}" for stat, amount in price)
        return Offer(who, tuple(dict.fromkeys(name for name in names if name)), words, node.agree, self.why(scope)), limits

    def names_of(self, entry: Entry) -> Iterator[str]:
        yield entry.name
        if entry.owner is not None:
            yield from self.names_of(self.rules.entries[entry.owner])

    def uses(self, entry: Entry) -> tuple[tuple[m.Limit, str], ...]:
        field = entry.fields.get("uses")
        return tuple((atom, f"{entry.id}:uses") for atom in field.value if isinstance(atom, m.Limit)) if field is not None else ()

    def price(self, node: m.May, who: str, scope: Scope) -> list[tuple[str, int]]:
        if node.pays is None:
            return []
        if node.pays == "cost":
            entry = self.rules.entries.get(scope.entry)
            while entry is not None and "cost" not in entry.fields:
                entry = self.rules.entries.get(entry.owner or "")
            return [(atom.pool, atom.amount) for atom in entry.fields["cost"].value if isinstance(atom, m.Price)] if entry is not None else []
        stat = str(self.value(node.pays.stat, scope))
        return [(stat, self.amount(node.pays, who, stat, "pays", scope))]

    def offered(self, node: m.May, scope: Scope, limits: tuple[tuple[m.Limit, str], ...], top: bool) -> bool:
        made = self.offer(node, scope, limits, top)
        if made is None:
            return False
        effect, limits = made
        if not self.decide(effect, scope):
            return False
        if top:
            self.note("line", scope.entry, scope.line)
        self.take(node, effect.who, scope, limits)
        return True

    def take(self, node: m.May, who: str, scope: Scope, limits: tuple[tuple[m.Limit, str], ...]) -> None:
        """An accepted offer: its limits are used, its price is paid, its body runs."""
        self.use_limits(limits, scope)
        for stat, amount in self.price(node, who, scope):
            self.pay(who, stat, amount, scope)
        self.fire()
        self.body(node.body, scope)

    def circular(self, body: m.Body, scope: Scope) -> bool:
        """Whether what the body fixes would wait for itself (an offer that would is not made)."""
        for node in body:
            if isinstance(node, m.Give) and node.how == "will be":
                key = self.key(node.target, scope)
                if key is not None and key in self.waits_for(node.value, scope, set()):
                    self.note("circle", key[2])
                    return True
        return False

    def waits_for(self, expr: m.Expr, scope: Scope, seen: set[Key]) -> set[Key]:
        """All values that must settle before this one does."""
        for key in self.keys_in(expr, scope):
            if key not in seen:
                seen.add(key)
                fixed = self.raw(key).fixed
                if fixed is not None:
                    self.waits_for(fixed.expr, fixed.scope, seen)
        return seen

    def keys_in(self, expr: m.Expr, scope: Scope) -> Iterator[Key]:
        match expr:
            case m.Arithmetic(_, left, right) | m.Extreme(_, left, right) | m.Divide(left, right, _):
                yield from self.keys_in(left, scope)
                yield from self.keys_in(right, scope)
            case m.Among(_, what, group) if what is not None:
                for one in self.members(group, scope):
                    yield from self.keys_in(what, self.with_member(scope, one))
            case m.Local() | m.Hung():
                key = self.key(expr, scope)
                if key is not None:
                    yield key
            case _:
                pass

    # ------------------------------------------------------------ loops and shares

    def for_each(self, node: m.ForEach, scope: Scope) -> Scope:
        members = self.members(node.members, scope)
        if node.order is not None:
            members = self.ordered(node.order, members, scope)
        return self.chained([RoundPart(self.rules, node.body, replace(scope, words=scope.words.set(node.word, one))) for one in members], scope)

    def ordered(self, order: m.Expr, members: tuple[Any, ...], scope: Scope) -> tuple[Any, ...]:
        """By a number, highest first and ties as in the table; or as somebody says."""
        if isinstance(order, m.Thing) and self.rules.nature(self.rules.kind_of(order.id)) == "number":
            return tuple(sorted(members, key=lambda one: -self.stat(str(one), order.id)))
        who, left, out = str(self.value(order, scope)), list(members), []
        while len(left) > 1:
            chosen = self.decide(Choose(who, "next", tuple(left), tuple(map(self.named, left)), self.why(scope)), scope)
            left.remove(chosen)
            out.append(chosen)
        return (*out, *left)

    def repeat(self, node: m.Repeat, scope: Scope) -> Scope:
        times = self.number(node.times, scope)
        if scope.own:
            for _ in range(times):
                before = self.state
                scope = self.body(node.body, scope)
                if self.state == before:
                    break
            return scope
        return self.chained([RoundPart(self.rules, node.body, scope)] * max(0, times), scope)

    def chained(self, rounds: list[RoundPart], scope: Scope) -> Scope:
        """Rounds between which only the state matters."""
        if rounds:
            self.state, stopped = self.answer(Chain(self.state, tuple(rounds)))
            if stopped is not None:
                raise stopped_by(stopped)
        return scope

    def divide(self, node: m.DivideUp, scope: Scope) -> Scope:
        who, total = str(self.value(node.who, scope)), max(0, self.number(node.amount, scope))
        exprs = tuple(m.Stat(m.Thing(who), m.Thing(stat)) for stat in self.everything(node.kind)) if node.kind else node.places
        most_of = tuple(min(self.room(one, total, scope), total) for one in exprs)
        total = min(total, sum(most_of))
        if total == 0:
            return scope
        keys = tuple(self.place_key(one, scope) for one in exprs)
        effect = Share(who, total, node.exactly, tuple(self.place_name(one, who, scope) for one in exprs), most_of, self.why(scope), keys)
        for number, place in zip(cast(tuple[int, ...], self.decide(effect, scope)), exprs, strict=True):
            scope = self.adding(place)(number, scope)
        return scope

    def room(self, place: m.Expr, total: int, scope: Scope) -> int:
        """How far a number can still rise."""
        if not isinstance(place, m.Stat):
            return total
        who, stat = self.whose(place, scope)
        most = self.bounds(who, stat)[1]
        return total if most is None else max(0, most - self.stat(who, stat))

    def place_key(self, place: m.Expr, scope: Scope) -> tuple[str, str]:
        match place:
            case m.Stat():
                return self.whose(place, scope)[1], "value"
            case m.Bound(of, which):
                return self.whose(of, scope)[1], which
            case _:
                return "", ""

    def place_name(self, place: m.Expr, who: str, scope: Scope) -> str:
        """What somebody who shares out points reads: a number, or a bound of it, and whose it is where it is another's."""
        match place:
            case m.Stat(of, stat):
                holder = self.value(of, scope)
                return self.named(self.value(stat, scope)) if holder == who else f"{self.named(holder)}'s {self.named(self.value(stat, scope))}"
            case m.Bound(of, which):
                return f"{self.place_name(of, who, scope)}'s {which}"
            case m.Thing(id):
                return self.named(id)
            case m.Stored(_, label):
                return label
            case m.Local(word) | m.Hung(_, word):
                return word
            case _:
                return "number"

    def adding(self, place: m.Expr) -> Callable[[int, Scope], Scope]:
        def add(number: int, scope: Scope) -> Scope:
            if isinstance(place, m.Stat | m.Bound | m.Stored):
                if number:
                    self.set_stored(place, self.number(place, scope) + number, scope)
                return scope
            return self.give(m.Give(place, "becomes", m.Arithmetic("+", place, m.Int(number))), scope)

        return add

    # ------------------------------------------------------------ procedures

    def do(self, id: str, roles: dict[str, Value]) -> Result:
        """Run a procedure with these roles, through all its gates; what it leaves."""
        entry = self.rules.entries.get(id)
        nothing = Result("", Map(), Map())
        if entry is None:
            return nothing
        if held := self.barred(id, roles):
            self.note("forbidden", id, held.scope.owner, held.scope.entry)
            return nothing
        if not self.within_bound(entry):
            self.note("bound", id)
            return nothing
        if len(self.state.frames) > MOST_DEPTH:
            raise RuleError(f"`{entry.name}` runs inside itself without end", Scope(entry=id))
        depth = len(self.state.frames)
        self.refill(entry)
        groups = {holds.word for holds in self.roles(entry) if holds.type.name == "group"}
        words = {word: Slot(as_group(value) if word in groups else value) for word, value in roles.items()}
        self.state = self.state.pushed(Frame(id, Map(words), roles=tuple(roles)))
        self.note("begin", id, tuple(roles.items()))
        self.arrive(depth)
        outcome = self.run(entry, depth)
        result = self.sealed(depth, outcome)
        self.state = self.state.popped(depth)
        self.note("end", id, outcome)
        return result

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

    def run(self, entry: Entry, depth: int) -> str:
        """The gates of a procedure around its steps; the outcome."""
        happening = Happening("procedure", entry.id, depth, self.doer(depth))
        try:
            if self.replaced(happening):
                outcome = self.only_outcome(entry)
            else:
                self.hear("before", happening)
                outcome = self.steps(entry, depth)
        except Ended as ended:
            outcome = self.mine(ended, entry, depth)
        for _ in range(2):  # an `after .. ending in X: go back to Step` runs the steps again; its limit ends that
            try:
                done = replace(happening, outcome=outcome)
                if not self.replaced(done, after=True):
                    self.hear("after", done)
                return outcome
            except Ended as ended:
                return self.mine(ended, entry, depth)
            except GoneBack as back:
                outcome = self.again(back, entry, depth)
        return outcome

    def again(self, back: GoneBack, entry: Entry, depth: int) -> str:
        if back.step not in [step.id for step in entry.steps]:
            raise back
        self.state = self.state.popped(depth + 1)
        try:
            return self.steps(entry, depth, back.step)
        except Ended as ended:
            return self.mine(ended, entry, depth)

    def mine(self, ended: Ended, entry: Entry, depth: int) -> str:
        """The outcome, if it is of this run; else it goes on to the run that it is of."""
        if ended.outcome.partition("#")[0] != entry.id:
            raise ended
        self.state = self.state.popped(depth + 1)
        return ended.outcome

    def only_outcome(self, entry: Entry) -> str:
        outcomes = entry.fields.get("outcomes")
        return f"{entry.id}#{outcome_slug(outcomes.value[0])}" if outcomes is not None and len(outcomes.value) == 1 else ""

    def steps(self, entry: Entry, depth: int, start: str = "") -> str:
        at = next((number for number, step in enumerate(entry.steps) if step.id == start), 0)
        while at < len(entry.steps):
            parts = tuple(StepPart(self.rules, entry, number, depth) for number in range(at, len(entry.steps)))
            self.state, stopped = self.answer(Chain(self.state, parts))
            if stopped is None:
                return ""
            kind, what = stopped
            ids = [step.id for step in entry.steps]
            if kind == "back" and what in ids:
                self.state = self.state.popped(depth + 1)
                at = ids.index(what)
                continue
            raise stopped_by(stopped)
        return ""

    def step(self, entry: Entry, number: int, depth: int) -> None:
        step = entry.steps[number]
        happening = Happening("step", step.id, depth, self.doer(depth))
        self.note("step", step.id)
        if self.replaced(happening):
            return
        self.hear("before", happening)
        if self.rules.step(entry, "settles") == number:
            self.settle(depth)
        if self.rules.step(entry, "counts") == number:
            self.counted(depth)
        scope = Scope(frame=depth, entry=entry.id, line=step.id.partition("#")[2])
        body = tuple(sentence for line in step.lines for sentence in line.meaning)
        self.body(body, scope)
        self.hear("after", happening)
        self.fire()

    def settle(self, depth: int) -> None:
        """All values of the frame come to what they are."""
        self.state = self.state.with_frame(depth, replace(self.state.frames[depth], settled=True))
        frame = self.state.frames[depth]
        words = {word: Slot(self.read((depth, "", word))) for word in frame.words}
        hung = {key: Slot(self.read((depth, *key))) for key in frame.hung}
        self.state = self.state.with_frame(depth, replace(frame, words=Map(words), hung=Map(hung)))
        self.note("settle", frame.procedure, tuple((who, word, slot.base) for (who, word), slot in hung.items() if isinstance(slot.base, int)))

    def counted(self, depth: int) -> None:
        """Rolled dice are final: `after a roll` happens."""
        frame = self.state.frames[depth]
        self.state = self.state.with_frame(depth, replace(frame, rolled=()))
        for who, _ in frame.rolled:
            self.hear("after", Happening("roll", "", depth, (who,)))
            self.fire()

    def doer(self, depth: int) -> tuple[str, ...]:
        """Who an event is by: whoever has the first role."""
        frame = self.state.frames[depth]
        return tuple(str(one) for one in as_group(self.read((depth, "", frame.roles[0])))) if frame.roles else ()

    def roles(self, entry: Entry) -> list[m.Holds]:
        field = entry.fields.get("roles")
        return [atom for atom in field.value if isinstance(atom, m.Holds)] if field is not None else []

    def sealed(self, depth: int, outcome: str) -> Result:
        frame = self.state.frames[depth]
        words = {word: value for word in frame.words if not isinstance(value := self.read((depth, "", word)), Result)}
        hung = {key: self.read((depth, *key)) for key in frame.hung}
        return Result(outcome, Map(words), Map(hung))

    def barred(self, id: str, roles: dict[str, Value]) -> Any:
        """Why the procedure cannot be begun by whoever has its first role; a part of something that they are in already goes with it."""
        first = next(iter(roles.values()), None)
        for who in as_group(first):
            held = self.forbidden(str(who), "do", id) if isinstance(who, str) else None
            if held is not None and not self.taking_part(str(who), id):
                return held
        return None

    def taking_part(self, who: str, id: str) -> bool:
        wholes = self.rules.wholes.get(id, frozenset())
        for index in range(len(self.state.frames) - 1, -1, -1):
            frame = self.state.frames[index]
            if wholes & self.rules.lineage.get(frame.procedure, frozenset()):
                return any(who in as_group(self.read((index, "", role))) for role in frame.roles)
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
        spans = self.rules.lineage[entry.id]
        if any(self.running(span) is not None for span in spans):
            return
        for other, refills in self.rules.refilled:
            if any(isinstance(atom, m.Each) and atom.span in spans for atom in refills):
                numbers = {key: value for key, value in self.state.numbers.items() if key[1] != other.id}
                self.state = replace(self.state, numbers=Map(numbers), decks=self.state.decks.without(other.id))

    def arrive(self, depth: int) -> None:
        """Rules that waited for this procedure begin to hold."""
        frame = self.state.frames[depth]
        spans = self.rules.lineage[frame.procedure]
        taking = {str(one) for role in frame.roles for one in as_group(self.read((depth, "", role))) if isinstance(one, str)}
        due = [one for one in self.state.coming if one.span in spans and (not one.who or one.who in taking)]
        if due:
            self.state = replace(self.state, coming=tuple(one for one in self.state.coming if one not in due))
            for one in due:
                self.install(depth, one.rule)

    # ------------------------------------------------------------ gates

    def hear(self, when: str, happening: Happening) -> None:
        """Everything that listens now: what must happen first, then what is offered."""
        heard = list(self.heard(when, happening))
        for offer in (False, True):
            for one in heard:
                if is_offer(one.body) == offer:
                    self.run_heard(one)

    def run_heard(self, one: Heard) -> None:
        depth = len(self.state.frames)
        self.attempt(wrapped(one.body, one.limits), one.scope, (), top=True)
        self.state = self.state.popped(depth)
        self.fire()

    def heard(self, when: str, happening: Happening) -> Iterator[Heard]:
        for id in self.heard_ids(happening):
            for one in self.rules.listeners.get((when, happening.what, id), ()):
                on = cast(m.On, one.node)
                for held in self.standing_now(one):
                    scope = self.fitting(on.event, happening, held.scope)
                    if scope is not None:
                        yield Heard(on.body, scope, one.limits, bool(on.event.ending))
        for lasting in list(self.lasting_now((m.On,))):
            on = cast(m.On, lasting.node)
            if on.when == when and on.event.what == happening.what and on.event.id in self.heard_ids(happening):
                scope = self.fitting(on.event, happening, lasting.scope)
                if scope is not None:
                    yield Heard(on.body, scope, (), bool(on.event.ending))

    def heard_ids(self, happening: Happening) -> tuple[str, ...]:
        if happening.what == "procedure":
            return tuple(sorted(self.rules.lineage.get(happening.id, frozenset()), key=lambda id: self.rules.order.get(id, 0)))
        return (happening.id,)

    def replaced(self, happening: Happening, after: bool = False) -> bool:
        """`instead of`: one that must be followed runs; of those that are offered somebody takes one, or goes ahead. Whether one ran.

        With `ending in` it stands between the end and what comes after it, and takes the outcome's place.
        """
        found = [one for one in self.heard("instead", happening) if one.ending == after]
        must = [one for one in found if not is_offer(one.body)]
        if len(must) > 1:
            raise RuleError("two rules stand in for the same thing", must[1].scope)
        for one in (*must, *(one for one in found if is_offer(one.body))):
            if self.attempt(wrapped(one.body, one.limits), one.scope, (), top=True):
                return True
        return False

    def fitting(self, event: m.Event, happening: Happening, scope: Scope) -> Scope | None:
        """The scope in which a rule hears the happening; None when it is about another."""
        if bool(event.ending) and event.ending != happening.outcome:
            return None
        if any(self.running(span, happening.frame) is None for span in event.inside):
            return None
        scope = replace(scope, frame=happening.frame, own=True)
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
        return replace(scope, words=scope.words.set(word, bound)) if not party.role or not self.in_frame(word, scope.frame) else scope

    def role_value(self, role: str, frame: int) -> Value:
        for index in range(frame, -1, -1):
            if role in self.state.frames[index].words:
                return self.read((index, "", role))
        return None


class ChainPart:
    """A piece of a chain: runs from a state, and says what stopped it. It is data, so that a driver can tell what a piece will do before it runs."""

    __slots__ = ()
    rules: Rules

    def act(self, run: Evaluator) -> None:
        raise NotImplementedError

    def run(self, evaluator: Evaluator) -> Any:
        """Do it; what stopped it, or None."""
        try:
            self.act(evaluator)
        except Ended as ended:
            return ("end", ended.outcome)
        except GoneBack as back:
            return ("back", back.step)
        except Skipped:
            pass
        return None

    def __call__(self, perform: Perform, state: State) -> tuple[State, Any]:
        evaluator = Evaluator(self.rules, state, perform)
        stopped = self.run(evaluator)
        return evaluator.state, stopped


@dataclass(frozen=True, slots=True, eq=False)
class StepPart(ChainPart):
    """A step of the procedure that runs in the frame `depth`."""

    rules: Rules
    entry: Entry
    number: int
    depth: int

    def act(self, run: Evaluator) -> None:
        run.step(self.entry, self.number, self.depth)


@dataclass(frozen=True, slots=True, eq=False)
class RoundPart(ChainPart):
    """Sentences, once: a round of `for each` or `repeat`."""

    rules: Rules
    sentences: m.Body
    scope: Scope

    def act(self, run: Evaluator) -> None:
        run.body(self.sentences, self.scope)


def stopped_by(stopped: tuple[str, str]) -> Exception:
    return Ended(stopped[1]) if stopped[0] == "end" else GoneBack(stopped[1])


def wrapped(body: m.Body, limits: tuple[m.Limit, ...]) -> m.Body:
    for limit in reversed(limits):
        body = (m.Limited(limit, body),)
    return body


def is_offer(body: m.Body) -> bool:
    """Whether somebody decides about the whole of it."""
    while len(body) == 1 and isinstance(body[0], m.If | m.Limited):
        body = body[0].body
    return len(body) == 1 and isinstance(body[0], m.May)


def row_meaning(row: Row) -> m.Body:
    return tuple(sentence for cell in row.cells.values() for sentence in cell.meaning)


def outcome_slug(atom: m.Atom) -> str:
    from te_forge.check.names import slug

    return slug(atom.text) if isinstance(atom, m.Text) else ""


def without(dice: Dice, taken: Dice) -> Dice:
    left = list(dice)
    for die in taken:
        left.remove(die)
    return tuple(left)
