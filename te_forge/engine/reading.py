"""What a number, a name, a group or a condition comes to in a state. Reading changes nothing and asks nobody."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from math import prod
from typing import Any, cast

from te_forge.check.names import slug
from te_forge.engine.index import Rules, Standing
from te_forge.engine.state import Coming, Dice, Frame, Lasting, Map, Postponed, Result, Scope, Slot, State, Value
from te_forge.model import rules as m
from te_forge.model.system import Entry

COMPARE: dict[str, Callable[[Any, Any], bool]] = {
    "is": operator.eq, "above": operator.gt, "below": operator.lt, "at least": operator.ge, "at most": operator.le,
    "a multiple of": lambda left, right: right != 0 and left % right == 0,
}  # fmt: skip
ARITHMETIC: dict[str, Callable[[int, int], int]] = {"+": operator.add, "-": operator.sub, "x": operator.mul}
MOST_NUMBER = 10**15
Key = tuple[int, str, str]
"""Where a value lies: the frame's index, whose it is (empty for a word of the frame), its word."""


class RuleError(Exception):
    """A mistake in the rules that only play can show: two values fixed at once, a circle. `scope` tells the line."""

    def __init__(self, message: str, scope: Scope) -> None:
        super().__init__(message)
        self.scope = scope


@dataclass(frozen=True, slots=True)
class Held:
    """A sentence that holds now, with the scope that it speaks in, and the frame that it lasts in (-1 for one that always holds)."""

    node: m.Sentence
    scope: Scope
    frame: int
    standing: Standing | None = None


class Reading:
    """Reads one state by the rules of one system."""

    def __init__(self, rules: Rules, state: State) -> None:
        self.rules = rules
        self.state = state
        self.settling: list[Key] = []

    # ------------------------------------------------------------ where values lie

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
                return (self.home(word), str(who), word)
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
            return () if declared is not None and declared.holds.name == "dice" else 0 if declared is not None and declared.holds.name == "number" else None
        return self.atom(declared.default, Scope())

    def read(self, key: Key) -> Value:
        """What the slot has come to. What is fixed counts where the procedure has settled, or never says when it does."""
        slot, frame = self.slot(key), self.state.frames[key[0]]
        if slot.fixed is not None and (frame.settled or not self.settles(frame)):
            return self.fixed(key, slot.fixed)
        return slot.come_to()

    def settles(self, frame: Frame) -> bool:
        entry = self.rules.entries.get(frame.procedure)
        return entry is not None and "settles" in entry.fields

    def fixed(self, key: Key, postponed: Postponed) -> Value:
        if key in self.settling:
            raise RuleError(f"`{key[2]}` waits for itself", postponed.scope)
        self.settling.append(key)
        try:
            return self.value(postponed.expr, postponed.scope)
        finally:
            self.settling.pop()

    # ------------------------------------------------------------ expressions

    def number(self, expr: m.Expr, scope: Scope) -> int:
        value = self.value(expr, scope)
        if isinstance(value, bool) or not isinstance(value, int):
            return sum(face for face, _ in cast(Dice, value)) if is_dice(value) else 0
        if abs(value) > MOST_NUMBER:
            raise RuleError(f"a number has grown beyond {MOST_NUMBER:,}{self.rules.where(scope.entry, scope.line)}", scope)
        return value

    def value(self, expr: m.Expr, scope: Scope) -> Value:
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
                return ARITHMETIC[op](self.number(left, scope), self.number(right, scope))
            case m.Divide(left, right, up):
                above, below = self.number(left, scope), self.number(right, scope)
                if below == 0:
                    raise RuleError("this divides by 0", scope)
                return -(-above // below) if up else above // below
            case m.Extreme(op, left, right):
                return (max if op == "greater" else min)(self.number(left, scope), self.number(right, scope))
            case m.Number(group):
                return len(self.members(group, scope))
            case m.Among(op, what, group):
                return self.among(op, what, group, scope)
            case m.Together(members):
                return tuple(self.value(one, scope) for one in members)

    def word(self, word: str, scope: Scope) -> Value:
        if word in scope.words:
            return scope.words[word]
        frame = self.frame_of(word, scope)
        if frame is not None and self.in_frame(word, frame):
            return self.read((frame, "", word))
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
        return self.read((self.home(word), str(of), word))

    def among(self, op: str, what: m.Expr | None, group: m.Group, scope: Scope) -> int:
        members = self.members(group, scope)
        if what is None:
            values = [one[0] if isinstance(one, tuple) else one if isinstance(one, int) else 0 for one in members]
        else:
            values = [self.number(what, self.with_member(scope, one)) for one in members]
        if op == "sum":
            return sum(values)
        return (max if op == "highest" else min)(values, default=0)

    @staticmethod
    def with_member(scope: Scope, member: Value) -> Scope:
        return replace(scope, words=scope.words.set("member", member))

    # ------------------------------------------------------------ numbers of things

    def stat(self, who: str, stat: str) -> int:
        """A stored number with everything that changes it now."""
        self.rules.touch(stat)
        stored = self.state.numbers.get((who, stat))
        slot = Slot(stored if stored is not None else self.start(who, stat))
        for held in self.held(m.Contribute, m.Lock, stat=stat):
            target = held.node.target  # type: ignore[union-attr]
            if isinstance(target, m.Stat) and self.value(target.of, held.scope) == who and self.value(target.stat, held.scope) == stat:
                self.rules.touch(f"{held.scope.entry}#{held.scope.line}")
                slot = self.changed(slot, held.node, held.scope)
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
        """Where a number begins: what the thing states itself, else what the number or its kind says."""
        entry, number = self.based(who), self.rules.entries.get(stat)
        if number is None:
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
            return self.bounds(who, stat)[expr.which == "most"] or 0
        return 0

    def whose(self, of: m.Expr, scope: Scope) -> tuple[str, str]:
        """Holder and number of what a bound is of: `the hero's Luck`, `Luck`, `the gm's Doom`."""
        if isinstance(of, m.Stat):
            return str(self.value(of.of, scope)), str(self.value(of.stat, scope))
        stat = str(self.value(of, scope))
        return str(self.holder(stat, scope)), stat

    def holder(self, stat: str, scope: Scope) -> Value:
        """Who has a number that is named alone: the only one who can, else the owner."""
        single = next((kind for kind in self.carriers(stat) if (info := self.rules.system.kinds.get(kind)) and info.single), None)
        return self.rules.system.kinds[single].id if single is not None else scope.owner

    def carriers(self, stat: str) -> tuple[str, ...]:
        """The kinds of things that have a number."""
        entry = self.rules.entries.get(stat)
        if entry is None:
            return ()
        of = entry.fields.get("of")
        if of is not None:
            return tuple(atom.type.kind or atom.type.name if isinstance(atom, m.Holds) else self.rules.entries[atom.id].name for atom in of.value if isinstance(atom, m.Holds | m.Thing))
        info = self.rules.system.kinds.get(entry.kind)
        return info.of if info is not None else ()

    def has_number(self, who: str, stat: str) -> bool:
        kind = self.kind(who)
        return any(self.rules.is_a(kind, one) for one in self.carriers(stat))

    # ------------------------------------------------------------ fields

    def based(self, who: str) -> Entry | None:
        """The entry that something is, or is an instance of."""
        person = self.state.people.get(who)
        return self.rules.entries.get(person.based if person is not None and person.based else who)

    def stored(self, of: Value, label: str) -> Value:
        who = str(of)
        if (who, label) in self.state.fields:
            return self.state.fields[who, label]
        entry = self.based(who)
        if entry is not None and slug(label) in entry.fields:
            return self.atom(entry.fields[slug(label)].value, Scope(owner=who))
        declared = self.rules.default(self.kind(who), label)
        return self.atom(declared.default, Scope(owner=who)) if declared is not None and declared.default else None

    def atom(self, value: m.Value, scope: Scope) -> Value:
        """A stated value as a running one; a list is a group."""
        found = [self.one_atom(atom, scope) for atom in value]
        return found[0] if len(found) == 1 else tuple(one for one in found if one is not None)

    def one_atom(self, atom: m.Atom, scope: Scope) -> Value:
        match atom:
            case m.Nothing():
                return ()
            case m.Text(text):
                return text
            case m.DiceSpec() | m.Range() | m.Bonus() | m.Price() | m.Limit() | m.Each() | m.Edit() | m.Change() | m.Holds() | m.Sheet():
                return None
            case _:
                return self.value(atom, scope)

    # ------------------------------------------------------------ groups

    def kind(self, id: str) -> str:
        person = self.state.people.get(id)
        return person.kind if person is not None else self.rules.kind_of(id)

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
        return (value,)

    def everything(self, kind: str) -> tuple[str, ...]:
        """Everybody or everything of a kind."""
        info = self.rules.system.kinds.get(kind)
        if kind == "actor" or (info is not None and info.nature == "actor"):
            single = (info.id,) if info is not None and info.single else ()
            return single + tuple(id for id, person in self.state.people.items() if id not in single and self.rules.is_a(person.kind, kind))
        return tuple(entry.id for entry in self.rules.entries.values() if entry.kind != "kind" and self.rules.is_a(entry.kind, kind))

    def showing(self, group: m.Showing, scope: Scope) -> Dice:
        dice = self.value(group.dice, scope)
        faces = [self.number(face, scope) for face in group.faces]
        if group.compare != "one of":
            return tuple(die for die in cast(Dice, dice or ()) if COMPARE[group.compare](die[0], faces[0]))
        return tuple(die for die in cast(Dice, dice or ()) if die[0] in faces)

    def filtered(self, members: tuple[Any, ...], where: m.Filter, scope: Scope) -> tuple[Any, ...]:
        if where.how == "except":
            return tuple(one for one in members if one not in where.things)
        if where.how in ("with", "without"):
            return tuple(one for one in members if any(thing in self.carried(str(one)) for thing in where.things) == (where.how == "with"))
        assert where.key is not None
        keys = {one: self.value(where.key, self.with_member(scope, one)) for one in members}
        if where.compare in ("highest", "lowest"):
            numbers = [value for value in keys.values() if isinstance(value, int)]
            best = (max if where.compare == "highest" else min)(numbers, default=None)
            return tuple(one for one in members if keys[one] == best)
        wanted = self.value(where.value, scope) if where.value is not None else None
        return tuple(one for one in members if COMPARE[where.compare](keys[one], wanted) != where.negated)

    # ------------------------------------------------------------ traits

    def carried(self, who: str) -> tuple[str, ...]:
        """The traits that somebody has: taken in play, and stated by the entry that they are an instance of."""
        return (*self.native(who), *self.state.traits.get(who, ()))

    def native(self, who: str) -> tuple[str, ...]:
        entry = self.based(who)
        if entry is None or self.rules.nature(entry.kind) != "actor":
            return ()
        if self.state.fields:
            return self.stated_traits(who, entry)
        if entry.id not in self.rules.natives:  # asked at every rule that somebody may have; nothing but a changed field changes it
            self.rules.natives[entry.id] = self.stated_traits(who, entry)
        return self.rules.natives[entry.id]

    def stated_traits(self, who: str, entry: Entry) -> tuple[str, ...]:
        lists = [self.stored(who, field.label) for field in entry.fields.values()]
        names = [one for value in lists for one in (value if isinstance(value, tuple) else (value,)) if isinstance(one, str)]
        return tuple(one for one in names if one in self.rules.entries and self.rules.nature(self.rules.entries[one].kind) == "trait")

    def has(self, who: Value, what: Value) -> bool:
        if isinstance(who, tuple):
            return what in who
        if isinstance(what, str) and what in self.rules.system.kinds:
            return any(self.kind(one) == what for one in self.carried(str(who)))
        return what in self.carried(str(who))

    # ------------------------------------------------------------ conditions

    def holds(self, condition: m.Condition, scope: Scope) -> bool:
        match condition:
            case m.Every(tests):
                return all(self.holds(one, scope) for one in tests)
            case m.Some(tests):
                return any(self.holds(one, scope) for one in tests)
            case m.Has(who, what, negated):
                return self.has(self.value(who, scope), self.value(what, scope)) != negated
            case m.IsA(who, kind, negated):
                return self.rules.is_a(self.kind(str(self.value(who, scope))), kind) != negated
            case m.Compare(left, op, right, negated):
                return self.compare(self.value(left, scope), op, self.value(right, scope)) != negated
            case m.Offered():
                return False

    def compare(self, left: Value, op: str, right: Value) -> bool:
        if isinstance(left, Result):
            left = left.outcome
        if op != "is":
            left, right = left or 0, right or 0
        return COMPARE[op](left, right)

    # ------------------------------------------------------------ decks

    def cards_left(self, deck: str) -> tuple[str, ...]:
        """The cards that have not been drawn, in the order of the deck."""
        left = self.state.decks.get(deck)
        return left if left is not None else self.rules.cards(deck)

    def is_wheel(self, deck: str) -> bool:
        """Whether it is whole again before each draw."""
        entry = self.rules.entries[deck]
        refills = entry.fields["refills"].value if "refills" in entry.fields else ()
        return any(isinstance(atom, m.Each) and slug(self.rules.entries[atom.span].name) == "draw" for atom in refills if isinstance(atom, m.Each) and atom.span in self.rules.entries)

    # ------------------------------------------------------------ what holds now

    def owners(self, entry: Entry) -> tuple[str | None, ...]:
        """Whose a rule of this entry is now: everybody who has it, or nobody's in particular."""
        while entry.owner is not None and self.rules.entries[entry.owner].kind not in ("hack", "reading"):
            entry = self.rules.entries[entry.owner]
        nature = self.rules.nature(entry.kind)
        if nature == "trait":
            return tuple(who for who in self.everybody() if entry.id in self.carried(who))
        if nature == "number":
            singles = tuple(self.rules.system.kinds[kind].id for kind in self.carriers(entry.id) if (info := self.rules.system.kinds.get(kind)) and info.single)
            return singles or tuple(who for who in self.state.people if self.has_number(who, entry.id)) or self.things_with(entry.id)
        if nature == "actor":
            return tuple(who for who in self.everybody() if (made := self.based(who)) is not None and made.id == entry.id)
        if nature == "entry":
            return (entry.id,)
        return (None,)

    def things_with(self, stat: str) -> tuple[str, ...]:
        """Entries (not people) that have a number, such as the clocks of a game."""
        kinds = [kind for kind in self.carriers(stat) if self.rules.nature(kind) == "entry"]
        return tuple(id for kind in kinds for id in self.everything(kind))

    def everybody(self) -> tuple[str, ...]:
        singles = tuple(info.id for info in self.rules.system.kinds.values() if info.single)
        return (*singles, *(id for id in self.state.people if id not in singles))

    def held(self, *classes: type, stat: str = "") -> Iterator[Held]:
        """Every sentence of these classes that holds now: standing ones in the order of the book, then those that last for a time."""
        standing = self.rules.changes.get(stat, ()) if stat else self.rules.bans
        for one in standing:
            if isinstance(one.node, classes):
                yield from self.standing_now(one)
        yield from self.lasting_now(classes)

    def standing_now(self, one: Standing) -> Iterator[Held]:
        for scope in self.scopes(one):
            if all(self.holds(condition, scope) for condition in one.conditions):
                yield Held(one.node, scope, -1, one)

    def scopes(self, one: Standing) -> Iterator[Scope]:
        """The scopes in which a standing sentence speaks now: one for each owner, and for each one that it is about."""
        for owner in self.owners(one.entry):
            scopes = [Scope(owner=owner, frame=len(self.state.frames) - 1, entry=one.entry.id, line=one.line.id, own=True)]
            for members, word in one.each:
                scopes = [
                    replace(scope, owner=scope.owner if scope.owner is not None else str(member), words=scope.words.set(word, member))
                    for scope in scopes
                    for member in self.members(members, scope)
                ]
            yield from scopes

    def lasting_now(self, classes: tuple[type, ...]) -> Iterator[Held]:
        for index in range(len(self.state.frames) - 1, -1, -1):
            frame = self.state.frames[index]
            for rule in frame.lasting:
                for node, scope in self.open(rule.body, rule.scope):
                    if isinstance(node, classes):
                        yield Held(node, scope, index)
            if frame.apart:
                return

    def open(self, body: Iterable[m.Sentence], scope: Scope) -> Iterator[tuple[m.Sentence, Scope]]:
        """What a lasting body holds: `while` and `if` in it are looked at each time."""
        for node in body:
            if isinstance(node, m.While | m.If):
                if node.condition is None or self.holds(node.condition, scope):
                    yield from self.open(node.body, scope)
            else:
                yield node, scope

    # ------------------------------------------------------------ what is running

    def running(self, procedure: str, top: int | None = None) -> int | None:
        """The nearest frame whose procedure is this one or counts as it."""
        for index in range(len(self.state.frames) - 1 if top is None else top, -1, -1):
            if procedure in self.rules.lineage.get(self.state.frames[index].procedure, ()):
                return index
        return None

    def used(self, key: str, who: str, span: str) -> int:
        return int(self.state.frames[self.running(span) or 0].counts.get((key, who), 0))

    def forbidden(self, who: str, what: str, thing: str) -> Held | None:
        """The rule that forbids somebody to `do`, `use`, `pay`, `gain`, `lose` or `take` a thing."""
        for held in self.held(m.Forbid):
            node = held.node
            assert isinstance(node, m.Forbid)
            if node.what.rstrip("s") == what and who in as_group(self.value(node.who, held.scope)) and self.banned(node, thing, held.scope):
                self.rules.touch(f"{held.scope.entry}#{held.scope.line}")
                return held
        return None

    def banned(self, node: m.Forbid, thing: str, scope: Scope) -> bool:
        if node.any is None:
            return thing == node.thing or node.thing in self.rules.lineage.get(thing, ())
        if node.any.kind == "procedure":
            return thing in self.rules.lineage
        return thing in self.members(node.any, scope)


def is_dice(value: object) -> bool:
    return isinstance(value, tuple) and all(isinstance(one, tuple) for one in value)


def as_group(value: Value) -> tuple[Any, ...]:
    return value if isinstance(value, tuple) else () if value is None else (value,)


def card_number(card: str) -> int:
    return int(card) if card.removeprefix("-").isdecimal() else 0


def card_value(card: str) -> Value:
    """What a card is to the rules: a number, or the thing or text of its name."""
    return int(card) if card.removeprefix("-").isdecimal() else card


__all__ = ["Coming", "Held", "Key", "Lasting", "Map", "Reading", "RuleError", "as_group", "is_dice"]
