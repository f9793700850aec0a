"""What may be done now, and why something may not."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from te_forge.asked import Refused
from te_forge.engine.evaluate import Evaluator
from te_forge.engine.people import counted_kinds
from te_forge.engine.reading import Held, Reading, as_group
from te_forge.engine.state import Result, Scope
from te_forge.engine.tell import listed, so_many, text
from te_forge.model import rules as m
from te_forge.model.system import Entry
from te_forge.play.names import name
from te_forge.play.spans import begun, in_a_span, open_now, trait_of
from te_forge.suggest import a

if TYPE_CHECKING:
    from te_forge.play.table import Table


Run = Callable[[Evaluator], Result | None]
"""Does something at the table; gives what came of it, where that is a procedure."""


@dataclass(frozen=True)
class Action:
    """An offer that waits for no event. `owner` has the rule, `who` decides."""

    id: str
    owner: str | None
    who: str
    title: str
    text: str
    price: str
    fact: str
    why_not: str
    run: Run


@dataclass(frozen=True)
class Start:
    """A procedure that can be begun, or why it cannot."""

    entry: Entry
    why_not: str
    foremost: bool


def evaluator(table: Table) -> Evaluator:
    """An evaluator that is asked, and does nothing."""
    return Evaluator(table.rules, table.state, lambda effect: None)


# ---------------------------------------------------------------- procedures


def starts(table: Table) -> list[Start]:
    """Procedures that people can begin, each with why it cannot be begun just now: first those that people look for, then those that mostly do a part
    of their work.
    """
    running = set(open_now(table.state))
    found = [
        Start(entry, not_now(table, entry, running), entry.id in table.foremost or bool(trait_of(table.rules, entry))) for entry in begun(table.rules)
    ]
    return sorted(found, key=lambda start: not start.foremost)


def not_now(table: Table, entry: Entry, running: set[str]) -> str:
    """Why a procedure cannot be begun; empty when it can."""
    wholes = {whole for id in table.rules.lineage[entry.id] for whole in table.rules.wholes.get(id, ())}
    if wholes and in_a_span(table.rules, entry) and not wholes & running:
        return f"no {' or '.join(name(table.rules, whole) for whole in sorted(wholes))} is open"
    return unfillable(table, entry)


def unfillable(table: Table, entry: Entry) -> str:
    """Why there is no way to fill the roles of a procedure; empty when there is one."""
    why = used_up(table, entry)
    taken: set[str] = set()
    for number, holds in enumerate(roles(entry)):
        people = candidates(table, holds)
        if not people and holds.type.name not in ("number", "text", "dice"):
            return why or f"nobody is here who can be the {holds.word} ({a(holds.type.kind or holds.type.name)})"
        if number == 0:
            bars = [barred(table, entry, {holds.word: one}) for one in people]
            if people and all(bars):
                return why or bars[0]
            taken = {one for one, bar in zip(people, bars, strict=True) if not bar}
        elif holds.type.name in ("actor", "group") and len({*people} | taken) == 1 and {*people} == taken:
            return why or f"nobody else is here who can be the {holds.word}"
    return why


def used_up(table: Table, entry: Entry) -> str:
    """A bound on how often it may run."""
    bound = entry.fields.get("bound")
    for atom in bound.value if bound is not None else ():
        if isinstance(atom, m.Limit) and not evaluator(table).left(atom, f"{entry.id}:bound", ""):
            return f"used up: {limit_words(table, atom)}"
    return ""


def limit_words(table: Table, limit: m.Limit) -> str:
    return f"{'once' if limit.times == 1 else f'{limit.times} times'} per {name(table.rules, limit.span)}"


def roles(entry: Entry) -> list[m.Holds]:
    field = entry.fields.get("roles")
    return [atom for atom in field.value if isinstance(atom, m.Holds)] if field is not None else []


def candidates(table: Table, holds: m.Holds) -> tuple[str, ...]:
    """Who or what can have a role. People who are only counted have one when it asks for their kind."""
    kind = holds.type.kind or holds.type.name
    if holds.type.name == "choice":
        return holds.type.words
    if holds.type.name in ("number", "text", "dice"):
        return ()
    counted = {of for of, _, _ in counted_kinds(table.rules)} - {kind}
    people = table.state.people
    return tuple(one for one in Reading(table.rules, table.state).everything(kind) if one not in people or people[one].kind not in counted)


def fitting(table: Table, holds: m.Holds, given: Mapping[str, Any]) -> Any:
    """The value for a role, looked at."""
    if holds.word not in given:
        raise Refused(f"somebody or something is needed as the {holds.word} ({a(holds.type.kind or holds.type.name)})")
    value = given[holds.word]
    if holds.type.name == "number":
        if isinstance(value, bool) or not isinstance(value, int):
            raise Refused(f"the {holds.word} is a number")
        return value
    if holds.type.name == "choice" and value not in holds.type.words:
        raise Refused(f"the {holds.word} is one of {', '.join(holds.type.words)}")
    reading = Reading(table.rules, table.state)
    for one in as_group(value):
        here = one in table.state.people or one in table.rules.entries
        if not here or not table.rules.is_a(reading.kind(str(one)), holds.type.kind):
            raise Refused(f"{name(table.rules, one)} cannot be the {holds.word}, which is {a(holds.type.kind or holds.type.name)}")
    if holds.type.name == "group":
        if not as_group(value):
            raise Refused(f"somebody is needed as the {holds.word}")
        return as_group(value)
    if isinstance(value, tuple):
        raise Refused(f"only one can be the {holds.word}")
    return value


def barred(table: Table, entry: Entry, roles: Mapping[str, Any]) -> str:
    held = evaluator(table).barred(entry.id, dict(roles))
    return forbidden_by(table, held) if held is not None else ""


def forbidden_by(table: Table, held: Held) -> str:
    of = f" of {name(table.rules, held.scope.owner)}" if held.scope.owner else ""
    return f"forbidden by {name(table.rules, held.scope.entry)}{of}"


# ---------------------------------------------------------------- offers


def actions(table: Table) -> list[Action]:
    """Every offer that can be taken at any time, and those that cannot be taken just now."""
    asked = evaluator(table)
    found = []
    for one in table.rules.actions:
        for scope in asked.scopes(one):
            assert isinstance(one.node, m.May)
            limits = tuple((limit, f"{one.entry.id}#{one.line.id}") for limit in one.limits)
            failing = [condition for condition in one.conditions if not asked.holds(condition, scope)]
            found.append(action(table, asked, one.node, scope, limits, "its condition does not hold now" if failing else ""))
    return found


def action(table: Table, asked: Evaluator, node: m.May, scope: Scope, limits: tuple[tuple[m.Limit, str], ...], why: str) -> Action:
    entry = table.rules.entries[scope.entry]
    who = str(asked.value(node.who, scope))
    price = asked.price(node, who, scope)
    why = why or why_not(table, asked, node, scope, limits, price)
    line = next((line for line in entry.lines if line.id == scope.line), None)
    made = asked.offer(node, scope, limits, True) if not why else None
    if made is None and not why:
        why = "it cannot be taken now"

    def run(now: Evaluator) -> None:
        offer = now.offer(node, scope, limits, True)
        if offer is not None:
            now.take(node, offer[0].who, scope, offer[1])

    label = line.label if line is not None else ""
    words = text(line.words) if line is not None else ""
    return Action(
        f"{scope.entry}#{scope.line}", scope.owner, who, f"{entry.name}: {label}" if label else entry.name, words,
        listed(so_many(table.rules, stat, amount) for stat, amount in price), node.agree, why, run,
    )  # fmt: skip


def why_not(table: Table, asked: Evaluator, node: m.May, scope: Scope, limits: tuple[tuple[m.Limit, str], ...], price: list[tuple[str, int]]) -> str:
    """Why an offer cannot be taken, in words; empty when it can."""
    entry = table.rules.entries[scope.entry]
    who = str(asked.value(node.who, scope))
    for limit, key in (*limits, *asked.uses(entry)):
        if not asked.left(limit, key, scope.owner or ""):
            return f"used up: {limit_words(table, limit)}"
    if (held := asked.forbidden(who, "use", entry.id)) is not None:
        return forbidden_by(table, held)
    for stat, amount in price:
        if not asked.payable(who, stat, amount):
            return f"{name(table.rules, who)} cannot pay {so_many(table.rules, stat, amount)} ({purse(table, asked, who, stat)})"
    return next(troubles(table, asked, node, scope), "")


def purse(table: Table, asked: Evaluator, who: str, stat: str) -> str:
    """What there is to pay with, and whose it is where it is another's; with how much of it can be paid where a floor or a ban keeps some back."""
    holder, id = asked.purses(who, stat)[0]
    have, free = asked.stat(holder, id), asked.purse(who, stat)
    whose = "has" if holder == who else f"{name(table.rules, holder)} has"
    return f"{whose} {have}" + (f", of which {free} can be paid" if 0 < have != free else "")


def troubles(table: Table, asked: Evaluator, node: m.May, scope: Scope) -> Iterator[str]:
    """What stands in the way of the body: its first choice is from nothing, or what it does is forbidden."""
    for sentence in node.body:
        match sentence:
            case m.Choose(who, m.Members() as members, word) if not asked.members(members, scope, asked.value(who, scope)):
                yield f"there is nobody or nothing to choose as the {word}"
        if isinstance(sentence, m.Do):
            given = {role: asked.value(value, scope) for role, value in sentence.roles}
            if (held := asked.barred(sentence.procedure, given)) is not None:
                yield forbidden_by(table, held)
