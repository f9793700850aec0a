"""A whole session without a person: something is begun again and again, by the seed, until enough was or nobody is left who could."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from te_forge.engine.index import Rules, sentences
from te_forge.engine.reading import Reading
from te_forge.model import rules as m
from te_forge.model.system import Entry
from te_forge.play import may
from te_forge.play.answering import by_bot
from te_forge.play.bots import RANDOM
from te_forge.play.dice import generator
from te_forge.play.names import playable
from te_forge.play.people import made_kinds, printed
from te_forge.play.spans import in_a_span, open_now
from te_forge.play.table import Command, Table

Pick = Callable[[int], int]
BY = "bots"
NUMBERS = ("One", "Two", "Three")
"""A party when nobody was named; sheets know no digits in names."""
AT_ONCE = 3
"""How many stand against it at a time, at most."""


def play(table: Table, most: int) -> str:
    """Play until `most` procedures have been begun; why it ended."""
    begun = sum(event.data.get("do") == "begin" and event.data.get("by") == BY for event in table.events)
    while begun < most:
        pick = generator(table.seed, "command", len(table.events))
        if not able(table):
            return "nobody is left who could begin anything"
        command = next_command(table, pick)
        if command is None:
            return "nothing can be begun any more"
        table.do(command, BY)
        begun += command["do"] == "begin"
    return f"{begun} procedures have been begun"


def able(table: Table) -> list[str]:
    """The people (not those out of a book of entries) who may still do something."""
    asked = may.evaluator(table)
    people = [id for id, person in table.state.people.items() if not person.based and person.kind in set(made_kinds(table.rules))]
    wanted = usual(table)
    return [who for who in people if any(asked.forbidden(who, "do", entry.id) is None for entry in wanted)]


def usual(table: Table) -> list[Entry]:
    """What people begin in what is open now, that somebody does."""
    running = set(open_now(table.rules, table.state))
    found = [start.entry for start in may.starts(table) if running and in_a_span(table.rules, start.entry) and first_is_somebody(start.entry)]
    return [entry for entry in found if not of_a_trait(table.rules, entry)] or found


def first_is_somebody(entry: Entry) -> bool:
    roles = may.roles(entry)
    return bool(roles) and roles[0].type.name in ("actor", "group")


def of_a_trait(rules: Rules, entry: Entry) -> bool:
    """Whether only the traits of somebody run a procedure; then it is theirs, and not for everybody."""
    users = [user for user in playable(rules) if any(isinstance(node, m.Do) and node.procedure == entry.id for node in nodes(user))]
    return bool(users) and all(rules.nature(user.kind) == "trait" for user in users)


def next_command(table: Table, pick: Pick) -> Command | None:
    if (come := newcomer(table, pick)) is not None:
        return come
    offers = [one for one in may.actions(table) if not one.why_not and one.price]
    if offers and pick(6) == 0:
        taken = offers[pick(len(offers))]
        return {"do": "take", "id": taken.id, "who": taken.owner}
    ready = [start.entry for start in may.starts(table) if not start.why_not and start.entry in usual(table)]
    while ready:
        entry = ready.pop(pick(len(ready)))
        roles = filled(table, entry, pick)
        if roles is not None:
            return {"do": "begin", "id": entry.id, "roles": roles}
    return None


def newcomer(table: Table, pick: Pick) -> Command | None:
    """Somebody out of a book of entries comes in when none of them can act; those who cannot leave first."""
    standing = []
    for id, person in table.state.people.items():
        if person.based:
            if all(may.barred(table, entry, {may.roles(entry)[0].word: id}) for entry in usual(table) if may.roles(entry)[0].type.kind != person.kind):
                return {"do": "leave", "who": id}
            standing.append(id)
    book = printed(table.rules)
    if not book or len(standing) > pick(AT_ONCE):
        return None
    return {"do": "enter", "id": book[pick(len(book))].id}


def filled(table: Table, entry: Entry, pick: Pick) -> dict[str, Any] | None:
    """Roles at random: nobody twice, and nobody against their own kind where there is another."""
    roles: dict[str, Any] = {}
    taken: list[str] = []
    for number, holds in enumerate(may.roles(entry)):
        free = [one for one in may.candidates(table, holds) if one not in taken]
        free = [one for one in free if not may.barred(table, entry, {holds.word: one})] if number == 0 else others(table, taken, able_to(table, entry, free))
        if not free:
            return None
        if holds.type.name == "group":
            side = [one for one in free if kind(table, one) == kind(table, free[0])] if pick(2) else [free[pick(len(free))]]
            roles[holds.word] = tuple(side)
            taken += side
        else:
            one = free[pick(len(free))]
            roles[holds.word] = one
            taken.append(one)
    return roles


def able_to(table: Table, entry: Entry, free: list[str]) -> list[str]:
    first = may.roles(entry)[0].word
    return [one for one in free if not may.barred(table, entry, {first: one})]


def others(table: Table, taken: list[str], free: list[str]) -> list[str]:
    kinds = {kind(table, one) for one in taken}
    return [one for one in free if kind(table, one) not in kinds] or free


def kind(table: Table, who: str) -> str:
    return Reading(table.rules, table.state).kind(who)


# ---------------------------------------------------------------- a party


def makers(rules: Rules) -> list[Entry]:
    """Procedures that make somebody: one role, of a kind whose people are made, and points that are divided among numbers."""
    kinds = set(made_kinds(rules))
    found = []
    for entry in rules.system.of_kind("procedure"):
        roles = may.roles(entry)
        if len(roles) == 1 and roles[0].type.kind in kinds and any(isinstance(node, m.DivideUp) for node in nodes(entry)):
            found.append(entry)
    return found


def nodes(entry: Entry) -> list[m.Sentence]:
    """Every sentence of an entry."""
    todo = [*entry.lines, *(line for step in entry.steps for line in step.lines)]
    found: list[m.Sentence] = []
    while todo:
        line = todo.pop()
        todo += line.lines
        found += sentences(line.meaning)
    return found


def party(table: Table) -> None:
    """People, made by the pack's own way of making them, with choices by the seed."""
    maker = next(iter(makers(table.rules)), None)
    if maker is None:
        return
    holds = may.roles(maker)[0]
    decide, table.decide = table.decide, lambda effect, table: by_bot(effect, table, RANDOM)
    for number in NUMBERS:
        who = f"{holds.type.kind.capitalize()} {number}"
        table.do({"do": "join", "sheet": f"{who}: a {holds.type.kind}"}, "setup")
        table.do({"do": "begin", "id": maker.id, "roles": {holds.word: who}}, "setup")
    table.decide = decide
