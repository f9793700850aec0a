"""What holds now: conditions, standing rules and their owners, rules that last for a time, what is forbidden."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain
from operator import attrgetter

from te_forge.engine.groups import Groups
from te_forge.engine.index import sentences
from te_forge.engine.standing import Standing, stat_of
from te_forge.engine.state import OnlyMean, Result, Scope, Unseen, Value
from te_forge.engine.values import COMPARE, as_group, without_value
from te_forge.frozen import frozen, replace
from te_forge.model import rules as m
from te_forge.model.system import Entry

LASTING = attrgetter("lasting")


@frozen
class Held:
    """A sentence that holds now, with the scope that it speaks in, and the frame that it lasts in (-1 for one that always holds)."""

    node: m.Sentence
    scope: Scope
    frame: int
    standing: Standing | None = None


class Holding(Groups):
    """Knows which sentences hold."""

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
                one, other = self.handed(left, scope), self.handed(right, scope)
                if isinstance(one, Unseen) or isinstance(other, Unseen):
                    plain = are_numbers(one) and are_numbers(other)
                    found = self.each(COMPARE[op] if plain else lambda one, other: self.compare(one, op, other), one, other)
                    return (self.seen(found) if isinstance(found, Unseen) else found) != negated
                if isinstance(one, OnlyMean) or isinstance(other, OnlyMean):
                    return without_value(one, op, other) != negated
                return self.compare(one, op, other) != negated
            case m.Offered():
                return False

    def compare(self, left: Value, op: str, right: Value) -> bool:
        if isinstance(left, Result):
            left = left.outcome
        if op != "is":
            left, right = left or 0, right or 0
        return COMPARE[op](left, right)

    # ------------------------------------------------------------ standing rules

    def owners(self, entry: Entry) -> tuple[str | None, ...]:
        """Whose a rule of this entry is now: everybody who has it, or nobody's in particular. Asked at every event, and seldom changing."""
        known = self.rules.owned_with(self.state.people, self.state.traits, self.state.fields)
        if entry.id not in known:
            known[entry.id] = self.found_owners(entry)
        return known[entry.id]

    def found_owners(self, entry: Entry) -> tuple[str | None, ...]:
        while entry.owner is not None and self.rules.entries[entry.owner].kind not in ("hack", "reading"):
            entry = self.rules.entries[entry.owner]
        nature = self.rules.nature(entry.kind)
        if nature == "trait":
            return tuple(who for who in self.everybody() if entry.id in self.carried(who))
        if nature == "number":
            singles = tuple(
                self.rules.system.kinds[kind].id
                for kind in self.rules.carriers(entry.id)
                if (info := self.rules.system.kinds.get(kind)) and info.single
            )
            return singles or tuple(who for who in self.state.people if self.has_number(who, entry.id)) or self.things_with(entry.id)
        if nature == "actor":
            return tuple(who for who in self.everybody() if (made := self.based(who)) is not None and made.id == entry.id)
        if nature == "entry":
            return (entry.id,)
        return (None,)

    def held(self, *classes: type, stat: str) -> Iterator[Held]:
        """Every sentence of these classes that changes a number now: standing ones in the order of the book, then those that last for a time."""
        for one in self.rules.changes.get(stat, ()):
            if isinstance(one.node, classes):
                yield from self.standing_now(one)
        yield from self.lasting_now(classes, stat)

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

    def standing_now(self, one: Standing) -> Iterator[Held]:
        for scope in self.scopes(one):
            if all(self.holds(condition, scope) for condition in one.conditions):
                yield Held(one.node, scope, -1, one)

    def lasting_now(self, classes: tuple[type, ...], stat: str = "") -> Iterator[Held]:
        if not self.anything_lasts():
            return
        for index in range(len(self.state.frames) - 1, -1, -1):
            frame = self.state.frames[index]
            for rule in frame.lasting:
                for node, scope in self.open(rule.body, rule.scope, classes, stat):
                    if isinstance(node, classes):
                        yield Held(node, scope, index)
            if frame.apart:
                return

    def anything_lasts(self) -> bool:
        return any(map(LASTING, self.state.frames))

    def open(self, body: Iterable[m.Sentence], scope: Scope, classes: tuple[type, ...], stat: str) -> Iterator[tuple[m.Sentence, Scope]]:
        """What a lasting body holds: `while` and `if` in it are looked at each time, where something that is wanted stands below them."""
        for node in body:
            if isinstance(node, m.While | m.If):
                if wanted_in(node.body, classes, stat) and (node.condition is None or self.holds(node.condition, scope)):
                    yield from self.open(node.body, scope, classes, stat)
            else:
                yield node, scope

    # ------------------------------------------------------------ what is forbidden

    def forbidden(self, who: str, what: str, thing: str) -> Held | None:
        """The rule that forbids somebody to `do`, `use`, `pay`, `gain`, `lose` or `take` a thing."""
        bans = self.rules.bans_on(what, thing)
        if not bans and not self.anything_lasts():
            return None
        standing = (held for one in bans for held in self.standing_now(one))
        for held in chain(standing, self.lasting_now((m.Forbid,))):
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


def are_numbers(value: Value) -> bool:
    """Whether it is a plain number, in each case if nothing has looked at it."""
    return {*map(type, value.values)} == {int} if isinstance(value, Unseen) else type(value) is int


def wanted_in(body: m.Body, classes: tuple[type, ...], stat: str) -> bool:
    """Whether a body has a sentence of these classes, and about this number if one is named."""
    return any(
        isinstance(one, classes) and (not stat or not isinstance(one, m.Contribute | m.Lock) or stat_of(one.target) in (stat, ""))
        for one in sentences(body)
    )
