"""A whole session without a person: something is begun again and again, by the seed, until enough was or nobody is left who could."""

from __future__ import annotations

from typing import Any

from te_forge.asked import Refused
from te_forge.characters.roster import Roster
from te_forge.characters.roster import made_kinds as made_by_steps
from te_forge.engine.people import PLACES, made_kinds
from te_forge.engine.policies import RANDOM, Pick
from te_forge.engine.reading import Reading
from te_forge.model import rules as m
from te_forge.model.system import Entry
from te_forge.play import may
from te_forge.play.answering import by_bot
from te_forge.play.people import printed
from te_forge.play.spans import begun, every_sentence, in_a_span, open_now, trait_of
from te_forge.play.table import Command, Table
from te_forge.seeded import generator
from te_forge.suggest import a, heading

BY = "bots"
A_PARTY = 3
"""So many make up a party when nobody was named."""
AT_ONCE = 3
"""How many stand against it at a time, at most."""


class Director:
    """Says what is done next."""

    def __init__(self, table: Table) -> None:
        self.table, self.rules = table, table.rules
        self.book = printed(self.rules)
        self.made = set(made_kinds(self.rules))
        found = [entry for entry in begun(self.rules) if in_a_span(self.rules, entry) and first_is_somebody(entry)]
        self.usual = [entry for entry in found if not trait_of(self.rules, entry)] or found
        """What people begin in a span of time, by somebody, and not only by means of a trait."""
        self.single = [
            entry for entry in self.usual if not any(isinstance(node, m.Do) and node.procedure in table.rooms for node in every_sentence(entry))
        ]
        """Those of them that can be begun where another procedure leaves room: not what would leave room itself."""
        self.most = 0
        """So many are begun at most, in all."""
        table.pause = self.act

    def play(self, most: int) -> str:
        """Play until `most` procedures have been begun; why it ended."""
        self.most = most
        self.table.play_on()
        self.table.teller.release()
        done = self.begun()
        if not self.usual:
            return "no procedure is part of a stretch of time, so nobody begins one; give one a line such as `- Part Of: Scene`, and the game a procedure Scene without steps"
        while done < most:
            if not self.able():
                return "nobody is left who could begin anything"
            command = self.next_command(generator(self.table.seed, "command", len(self.table.events)))
            if command is None:
                return "nothing can be begun any more"
            self.table.do(command, BY)
            done = self.begun()
        return f"{done} procedures have been begun"

    def begun(self) -> int:
        return sum(event.data.get("do") == "begin" and event.data.get("by") == BY for event in self.table.events)

    def act(self, who: str, table: Table) -> str:
        """Somebody does something where a procedure leaves room for it."""
        pick = generator(table.seed, "command", len(table.events))
        ready = [] if table.acted or self.begun() >= self.most else list(self.single)
        while ready:
            entry = ready.pop(pick(len(ready)))
            roles = self.filled(entry, pick, who)
            if roles is not None:
                table.do({"do": "begin", "id": entry.id, "roles": roles}, BY)
                break
        return BY

    def able(self) -> bool:
        """Whether one of the people (not those out of a book of entries) may still do something."""
        asked = may.evaluator(self.table)
        people = [id for id, person in self.table.state.people.items() if not person.based and person.kind in self.made]
        return any(asked.forbidden(who, "do", entry.id) is None for who in people for entry in self.usual)

    def next_command(self, pick: Pick) -> Command | None:
        if (come := self.newcomer(pick)) is not None:
            return come
        if pick(6) == 0:
            offers = [one for one in may.actions(self.table) if not one.why_not and one.price]
            if offers:
                taken = offers[pick(len(offers))]
                return {"do": "take", "id": taken.id, "who": taken.owner}
        running = set(open_now(self.table.state))
        ready = [entry for entry in self.usual if not may.not_now(self.table, entry, running)]
        while ready:
            entry = ready.pop(pick(len(ready)))
            roles = self.filled(entry, pick)
            if roles is not None:
                return {"do": "begin", "id": entry.id, "roles": roles}
        return None

    def newcomer(self, pick: Pick) -> Command | None:
        """Those out of the book who cannot act leave; another one comes in now and then, and always when there is none."""
        standing = 0
        for id, person in self.table.state.people.items():
            if person.based:
                if all(may.barred(self.table, entry, {may.roles(entry)[0].word: id}) for entry in self.usual):
                    return {"do": "leave", "who": id}
                standing += 1
        if not self.book or standing > pick(AT_ONCE):
            return None
        return {"do": "enter", "id": self.book[pick(len(self.book))].id}

    def filled(self, entry: Entry, pick: Pick, leader: str = "") -> dict[str, Any] | None:
        """Roles at random: nobody twice, nobody who could not act, and nobody against their own kind where there is another. `leader` has the first."""
        first = may.roles(entry)[0].word
        roles: dict[str, Any] = {}
        taken: list[str] = []
        for holds in may.roles(entry):
            free = [one for one in may.candidates(self.table, holds) if one not in taken and not may.barred(self.table, entry, {first: one})]
            free = self.others(taken, free) if roles or not leader else [one for one in free if one == leader]
            if not free:
                return None
            one = free[pick(len(free))]
            group = holds.type.name == "group"
            side = [other for other in free if self.kind(other) == self.kind(one)] if group and not leader and pick(2) else [one]
            roles[holds.word] = tuple(side) if group else one
            taken += side
        return roles

    def others(self, taken: list[str], free: list[str]) -> list[str]:
        kinds = {self.kind(one) for one in taken}
        return [one for one in free if self.kind(one) not in kinds] or free

    def kind(self, who: str) -> str:
        return Reading(self.rules, self.table.state).kind(who)


def first_is_somebody(entry: Entry) -> bool:
    roles = may.roles(entry)
    return bool(roles) and roles[0].type.name in ("actor", "group")


# ---------------------------------------------------------------- a party


def party(table: Table) -> None:
    """People, made by the pack's own way of making them, with choices by the seed."""
    kind = next(made_by_steps(table.rules), None)
    maker = Roster(table.rules, kind).maker if kind is not None else None
    if kind is None or maker is None:
        raise Refused("there is nobody to play: name somebody with --who")
    decide, table.decide = table.decide, lambda effect, table: by_bot(effect, table, RANDOM)
    for number in PLACES[:A_PARTY]:
        who = f"{heading(kind)} {number}"
        table.do({"do": "join", "sheet": f"{who}: {a(kind)}"}, "setup")
        table.do({"do": "begin", "id": maker.procedure.id, "roles": {maker.role: who}}, "setup")
    table.decide = decide
