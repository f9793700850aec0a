"""What may be taken or left: who is asked, what it costs, how often it may be had."""

from __future__ import annotations

from collections.abc import Iterator

from te_forge.engine.deciding import Deciding
from te_forge.engine.effects import Offer
from te_forge.engine.reading import Key
from te_forge.engine.state import Scope
from te_forge.engine.tell import UP_TO, so_many
from te_forge.model import rules as m
from te_forge.model.system import Entry
from te_forge.model.walk import nodes


class Offering(Deciding):
    """Makes offers."""

    # ------------------------------------------------------------ offers

    def attempt(self, body: m.Body, scope: Scope, limits: tuple[tuple[m.Limit, str], ...], top: bool = False) -> bool:
        """Run a body behind its guards: conditions, limits and offers directly at its head. A limit is used only when the body runs. Whether it ran."""
        if len(body) == 1:
            node = body[0]
            if isinstance(node, m.Limited):
                return self.attempt(node.body, scope, (*limits, (node.limit, self.limit_key(node, scope))), top)
            if isinstance(node, m.If):
                return (
                    self.holds(node.condition, scope) and self.attempt(node.body, scope, limits, top)
                    if node.condition is not None
                    else self.attempt(node.body, scope, limits, top)
                )
            if isinstance(node, m.May):
                return self.offered(node, scope, limits, top)
        if not self.limits_left(limits, scope):
            return False
        self.use_limits(limits, scope)
        if top:
            self.note("line", scope.entry, scope.line)
        self.body(body, scope)
        return True

    def limits_left(self, limits: tuple[tuple[m.Limit, str], ...], scope: Scope) -> bool:
        return all(self.left(limit, key, scope.owner or "") for limit, key in limits)

    def use_limits(self, limits: tuple[tuple[m.Limit, str], ...], scope: Scope) -> None:
        for limit, key in limits:
            self.spend(limit, key, scope.owner or "")

    def offer(
        self, node: m.May, scope: Scope, limits: tuple[tuple[m.Limit, str], ...], top: bool
    ) -> tuple[Offer, tuple[tuple[m.Limit, str], ...]] | None:
        """The offer as it can be made now, with every limit on it; None when it cannot be."""
        who = str(self.value(node.who, scope))
        entry = self.rules.entries.get(scope.entry)
        limits = (*limits, *self.uses(entry)) if top and entry is not None else limits
        if not self.limits_left(limits, scope) or (entry is not None and self.forbidden(who, "use", entry.id) is not None):
            return None
        price = self.price(node, who, scope)
        if (
            any(not self.payable(who, stat, amount) for stat, amount in price)
            or self.circular(node.body, scope)
            or not self.possible(node.body, scope)
        ):
            return None
        line = self.rules.labels.get(id(node))
        names = (line.label if line is not None else "", *(self.names_of(entry) if entry is not None else ()))
        words = ", ".join((*(so_many(self.rules, stat, amount) for stat, amount in price), *self.paid_inside(node.body, who, scope)))
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

    def paid_inside(self, body: m.Body, who: str, scope: Scope) -> Iterator[str]:
        """What whoever takes an offer pays in any case by the sentences that it holds, as far as it is known before they run."""
        if not any(isinstance(node, m.Transfer) and node.verb == "pays" for node in body):
            return
        brought: set[str] = set()
        for node in body:
            if (
                isinstance(node, m.Transfer)
                and node.verb == "pays"
                and brought.isdisjoint(one.word for one in nodes(node) if isinstance(one, m.Local))
            ):
                stat = str(self.value(node.amount.stat, scope))
                if self.value(node.who, scope) == who:
                    most = (
                        self.most_of_any(node.amount, who, stat, scope)
                        if node.amount.how == "any"
                        else self.amount(node.amount, who, stat, "pays", scope)
                    )
                    yield f"{UP_TO if node.amount.how == 'any' else ''}{so_many(self.rules, stat, most)}"
            brought.update(word for one in nodes(node) for word in brought_by(one))

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


def brought_by(node: object) -> Iterator[str]:
    """The words that a sentence gives a value, without those set in below it."""
    match node:
        case m.Give(m.Local(word)) | m.Contribute(m.Local(word)):
            yield word
        case m.Transfer(_, _, amount):
            yield amount.word
        case m.Choose() | m.Roll() | m.Do() | m.Pick():
            yield node.word
