"""People and things: their kinds, the fields and traits that they have, the cards of a deck."""

from __future__ import annotations

from te_forge.engine.places import Places
from te_forge.engine.state import Scope, Value
from te_forge.engine.values import as_group
from te_forge.keys import slug
from te_forge.model import rules as m
from te_forge.model.system import Entry


class Things(Places):
    """Knows what somebody or something is and has."""

    def kind(self, id: str) -> str:
        person = self.state.people.get(id)
        return person.kind if person is not None else self.rules.kind_of(id)

    def based(self, who: str) -> Entry | None:
        """The entry that something is, or is an instance of."""
        person = self.state.people.get(who)
        return self.rules.entries.get(person.based if person is not None and person.based else who)

    def has_number(self, who: str, stat: str) -> bool:
        kind = self.kind(who)
        return any(self.rules.is_a(kind, one) for one in self.rules.carriers(stat))

    # ------------------------------------------------------------ fields

    def stored(self, of: Value, label: str) -> Value:
        who = str(of)
        if (who, label) in self.state.fields:
            return self.state.fields[who, label]
        entry, declared = self.based(who), self.rules.default(self.kind(who), label)
        if entry is not None and slug(label) in entry.fields:
            found = self.atom(entry.fields[slug(label)].value, Scope(owner=who))
        elif declared is not None and declared.default:
            found = self.atom(declared.default, Scope(owner=who))
        else:
            return None
        return as_group(found) if declared is not None and declared.holds.name == "group" else found

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
            case m.DiceSpec(count, sides, exploding):
                return m.DiceSpec(self.known(count, scope), sides, tuple(self.known(face, scope) for face in exploding))
            case m.Range() | m.Bonus() | m.Price() | m.Limit() | m.Each() | m.Edit() | m.Change() | m.Holds() | m.Sheet() | m.Based():
                return None
            case _:
                return self.value(atom, scope)

    def known(self, expr: m.Expr, scope: Scope) -> m.Int:
        value = self.value(expr, scope)
        return m.Int(value if isinstance(value, int) else 0)

    # ------------------------------------------------------------ traits

    def carried(self, who: str) -> tuple[str, ...]:
        """The traits that somebody has: taken in play, and stated by the entry that they are an instance of."""
        return (*self.native(who), *self.state.traits.get(who, ()))

    def native(self, who: str) -> tuple[str, ...]:
        entry = self.based(who)
        if entry is None or self.rules.nature(entry.kind) != "actor":
            return ()
        if self.state.fields and any((who, field.label) in self.state.fields for field in entry.fields.values()):
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

    # ------------------------------------------------------------ decks

    def cards_left(self, deck: str) -> tuple[str, ...]:
        """The cards that have not been drawn, in the order of the deck."""
        left = self.state.decks.get(deck)
        return left if isinstance(left, tuple) else self.rules.cards(deck)
