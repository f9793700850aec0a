"""Which numbers rise and fall in play: something gains, loses or pays them, by their name or through a word that holds one."""

from __future__ import annotations

from collections.abc import Iterator

from te_forge.engine.index import OUT_OF_PLAY, Rules, sentences
from te_forge.keys import slug
from te_forge.model import rules as m
from te_forge.model.system import Entry


def rising(rules: Rules) -> set[str]:
    return Rising(rules).found()


class Rising:
    """A word such as `the pool` stands for whatever a rule puts into it: a number by its name, a field of an entry, or another word.

    What somebody chooses out of a whole kind, such as what to train, is not followed: then every number of that kind would be one that rises and
    falls.
    """

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.said = [(entry, node) for entry in playable(rules) for node in said_in(entry)]
        self.given: dict[tuple[str, str], list[tuple[Entry, m.Expr]]] = {}
        """What is put into a word of a procedure or rule, and where that is said."""
        for entry, node in self.said:
            match node:
                case m.Give(m.Local(word) | m.Hung(_, word), _, value):
                    self.given.setdefault((entry.id, word), []).append((entry, value))
                case m.Do(procedure, roles, _):
                    for role, value in roles:
                        self.given.setdefault((procedure, role), []).append((entry, value))
                case _:
                    pass

    def found(self) -> set[str]:
        ids = {atom.pool for entry in playable(self.rules) for field in entry.fields.values() for atom in field.value if isinstance(atom, m.Price)}
        for entry, node in self.said:
            for amount in (getattr(node, "amount", None), getattr(node, "pays", None)):
                if isinstance(amount, m.Amount):
                    ids |= set(self.meant(entry, amount.stat, set()))
        return {id for id in ids if id in self.rules.entries and self.rules.nature(self.rules.entries[id].kind) == "number"}

    def meant(self, entry: Entry, expr: m.Expr, seen: set[tuple[str, str]]) -> Iterator[str]:
        match expr:
            case m.Thing(id):
                yield id
            case m.Stored(_, label):
                for one in playable(self.rules):
                    if field := one.fields.get(slug(label)):
                        yield from (atom.id for atom in field.value if isinstance(atom, m.Thing))
            case m.Local(word) | m.Hung(_, word) if (entry.id, word) not in seen:
                seen.add((entry.id, word))
                for where, value in self.given.get((entry.id, word), ()):
                    yield from self.meant(where, value, seen)
            case _:
                pass


def playable(rules: Rules) -> Iterator[Entry]:
    return (entry for entry in rules.entries.values() if entry.kind not in OUT_OF_PLAY)


def said_in(entry: Entry) -> Iterator[m.Sentence]:
    lines = [*entry.lines, *(line for step in entry.steps for line in step.lines)]
    while lines:
        line = lines.pop()
        lines += line.lines
        yield from sentences(line.meaning)
