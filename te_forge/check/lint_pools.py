"""The complaint about pools that only shrink."""

from __future__ import annotations

from collections.abc import Iterator

from te_forge.check.lint_chains import stat_id
from te_forge.check.lint_view import View
from te_forge.diagnostics import Diagnostic, Label
from te_forge.keys import slug
from te_forge.model.rules import (
    Amount,
    Bound,
    Choose,
    DivideUp,
    Expr,
    ForEach,
    Give,
    Hung,
    Int,
    Local,
    May,
    Members,
    Price,
    Stat,
    Stored,
    Thing,
    Transfer,
    Type,
)
from te_forge.model.system import Entry
from te_forge.source import Span


def spent_never_gained(view: View) -> Iterator[Diagnostic]:
    """A pool that something takes from, that begins empty, and that nothing fills."""
    spent = spendings(view)
    empty = [entry for entry in view.own if entry.id in spent and view.known.nature(entry) == "number" and begins_empty(view, entry)]
    filled = fillings(view) if empty else Filled(view)
    if empty:
        filled = fillings(view)
        yield from (only_spent(entry, spent[entry.id]) for entry in empty if not filled.has(entry))


def spendings(view: View) -> dict[str, Span]:
    """Where each pool is first taken from."""
    found: dict[str, Span] = {}
    for _, field, price in view.stating(Price):
        found.setdefault(price.pool, field.span)
    for entry, span, node in view.every(May, Transfer, where=paid):
        amount = paid(node)
        if entry.kind != "example" and amount is not None:  # an example plays the rules; what it takes away itself is no rule
            found.setdefault(stat_id(amount.stat), span)
    return found


def paid(node: object) -> Amount | None:
    """What somebody loses or pays."""
    match node:
        case May(pays=Amount() as amount) | Transfer(verb="loses" | "pays", amount=amount):
            return amount
        case _:
            return None


class Filled:
    """What something gives, sets or shares out: numbers by id, all of a kind, or possibly any."""

    def __init__(self, view: View) -> None:
        self.view = view
        self.ids: set[str] = set()
        self.kinds: set[str] = set()
        self.any = False
        self.picks: dict[str, dict[str, list[str]]] = {}
        self.slots: dict[str, list[Type]] = {}
        for entry in view.system.entries.values():
            for slot in entry.slots.values():
                self.slots.setdefault(slot.name, []).append(slot.holds)

    def add(self, expr: Expr, entry: Entry) -> None:
        """`expr` is what is filled: a named number, or whichever number a role or local holds."""
        match expr:
            case Thing(id):
                self.ids.add(id)
            case Stat(_, stat):
                self.add(stat, entry)
            case Bound(of, _):
                self.add(of, entry)
            case Local(word) | Hung(_, word) | Stored(_, word):
                kinds = {held.kind for held in self.held(word, entry)}
                self.any |= not kinds or "" in kinds
                self.kinds |= kinds
            case _:
                self.any = True

    def held(self, word: str, entry: Entry) -> Iterator[Type]:
        """What `the word` can hold in the rules of `entry`: by its declarations, or by a choice on the way."""
        if word in entry.locals:
            yield entry.locals[word]
        yield from self.slots.get(word, ())
        yield from (Type("entry", kind) for kind in self.chosen(entry).get(word, ()))

    def chosen(self, entry: Entry) -> dict[str, list[str]]:
        """The kinds of what is chosen or gone through in the rules of `entry`, by the word it gets."""
        if entry.id not in self.picks:
            picks: dict[str, list[str]] = {}
            for _, node in self.view.meaning(entry):
                match node:
                    case Choose(members=Members(kind=kind), word=word) | ForEach(members=Members(kind=kind), word=word):
                        picks.setdefault(word, []).append(kind)
                    case _:
                        pass
            self.picks[entry.id] = picks
        return self.picks[entry.id]

    def has(self, entry: Entry) -> bool:
        return self.any or entry.id in self.ids or entry.kind in self.kinds


def fillings(view: View) -> Filled:
    filled = Filled(view)
    for entry, _, node in view.every(Transfer, Give, DivideUp):
        match node:
            case Transfer(verb="gains", amount=amount):
                filled.add(amount.stat, entry)
            case Give(target=Stat() | Bound() | Thing() as target):
                filled.add(target, entry)
            case DivideUp(kind=kind, places=places):
                filled.kinds.add(kind)
                for place in places:
                    filled.add(place, entry)
            case _:
                pass
    return filled


def begins_empty(view: View, entry: Entry) -> bool:
    """Whether it starts at 0 (as far as can be told), nobody states it, and nothing refills it."""
    made = view.known.rule(entry, "start")
    if (made is not None and made[0] != Int(0)) or "refills" in entry.fields:
        return False
    return slug(entry.name) not in view.stated


def only_spent(entry: Entry, span: Span) -> Diagnostic:
    return Diagnostic(
        "spent-never-gained",
        f"`{entry.name}` is spent, and nothing ever gives any",
        entry.span,
        "warning",
        f"let somebody gain {entry.name}, or give it a start such as `- Starts: 3`",
        (Label(span, "it is taken from here"),),
    )


LINTS = (spent_never_gained,)
