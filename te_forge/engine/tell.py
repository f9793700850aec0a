"""What happened, in plain sentences; and what an expression or condition of a rule is called."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from te_forge.check.names import slug
from te_forge.engine.effects import Choose, Keep, Note, Number, Offer, Several, Share
from te_forge.engine.index import Rules
from te_forge.engine.reading import as_group, is_dice
from te_forge.engine.state import Dice, Person, Result
from te_forge.model import rules as m
from te_forge.source import Span

Told = tuple[str, ...]


class Teller:
    """Knows what everything is called."""

    def __init__(self, rules: Rules, people: Iterable[tuple[str, Person]] = ()) -> None:
        self.rules = rules
        self.people = dict(people)

    # ------------------------------------------------------------ names

    def name(self, id: Any) -> str:
        """`Ann`, `Might`, `the gm`, `Success`."""
        if id is None:
            return "nothing"
        person = self.people.get(id)
        if person is not None:
            return f"the {person.name}" if person.based else person.name
        owner, _, inner = str(id).partition("#")
        entry = self.rules.entries.get(owner)
        if entry is None:
            return str(id)
        if not inner:
            return f"the {entry.name}" if entry.kind == "kind" or self.rules.nature(entry.kind) == "actor" else entry.name
        outcomes = entry.fields.get("outcomes")
        named = [atom.text for atom in outcomes.value if isinstance(atom, m.Text)] if outcomes is not None else []
        rows = entry.table.rows if entry.table is not None else ()
        named += [step.name for step in entry.steps] + [row.name for row in rows] + [line.label for line in entry.lines]
        return next((one for one in named if slug(one) == inner), inner)

    def start(self, id: Any) -> str:
        """The name at the start of a sentence."""
        name = self.name(id)
        return name[:1].upper() + name[1:]

    def names(self, ids: Iterable[Any]) -> str:
        return listed([self.name(one) for one in ids])

    def value(self, value: Any) -> str:
        if isinstance(value, Result):
            return self.name(value.outcome) if value.outcome else "no outcome"
        if isinstance(value, bool) or value is None:
            return "nothing" if value is None else str(value)
        if isinstance(value, int):
            return str(value)
        if value and is_dice(value):
            return faces(value)
        return self.names(as_group(value)) or "nobody"

    # ------------------------------------------------------------ expressions

    def expr(self, expr: m.Expr) -> str:
        match expr:
            case m.Int(value):
                return str(value)
            case m.Thing(id):
                return self.name(id)
            case m.Local(word):
                return f"the {word}"
            case m.Hung(of, word):
                return f"{self.expr(of)}'s {word}"
            case m.Stat(of, stat) | m.Stored(of, stat):
                return f"{self.expr(of)}'s {stat if isinstance(stat, str) else self.expr(stat)}"
            case m.Bound(of, which):
                return f"{self.expr(of)}'s {which}"
            case m.Arithmetic(op, left, right):
                return f"{self.expr(left)} {op} {self.expr(right)}"
            case m.Divide(left, right, _):
                return f"{self.expr(left)} / {self.expr(right)}"
            case m.Extreme(op, left, right):
                return f"{op} of {self.expr(left)} and {self.expr(right)}"
            case m.Number(group):
                return f"number of {self.group(group)}"
            case m.Among(op, what, group):
                return f"{op} {self.expr(what) + ' ' if what is not None else ''}of {self.group(group)}"
            case m.Together(members):
                return listed([self.expr(one) for one in members])

    def group(self, group: m.Group) -> str:
        if isinstance(group, m.Showing):
            return f"dice showing {' or '.join(map(self.expr, group.faces))} in {self.expr(group.dice)}"
        info = self.rules.system.kinds.get(group.kind)
        return self.expr(group.of) if group.of is not None else info.plural if info is not None else group.kind

    def condition(self, test: m.Condition) -> str:
        """`Ann's Luck is 5`."""
        match test:
            case m.Compare(left, op, right, negated):
                compare = "is" if op == "is" else f"is {op}"
                return f"{self.expr(left)} {compare.replace('is', 'is not', 1) if negated else compare} {self.expr(right)}"
            case m.Has(who, what, negated):
                return f"{self.expr(who)} {'lacks' if negated else 'has'} {self.expr(what)}"
            case m.IsA(who, kind, negated):
                return f"{self.expr(who)} is {'not ' if negated else ''}a {kind}"
            case m.Offered(what, negated):
                return f"{what} is {'not ' if negated else ''}offered"
            case m.Every(tests):
                return " and ".join(map(self.condition, tests))
            case m.Some(tests):
                return " or ".join(map(self.condition, tests))

    # ------------------------------------------------------------ places

    def place(self, where: str) -> Span | None:
        """The place in a rule that `entry#line` names; the line itself, or the step or entry that it stands in."""
        entry, _, line = where.partition("#")
        return self.rules.place(entry, line)

    # ------------------------------------------------------------ what happened

    def sentences(self, notes: Iterable[Note]) -> Told:
        """Notes as sentences, in order; what is only of use to a machine is left out, and what one says at the table in words of one's own."""
        found: list[str] = []
        paid: tuple[Any, ...] = ()
        for note in notes:
            if note.what == "pay":
                paid = note.data
                continue
            if note.what == "loss" and note.data[:2] == paid[:2]:
                found.append(f"{self.start(paid[0])} pays {paid[2]} {self.name(paid[1])}, and has {note.data[3]}.")
            elif note.what != "say" or note.data[0] not in self.people:
                found += self.sentence(note)
            paid = ()
        return joined(found)

    def sentence(self, note: Note) -> Iterator[str]:
        data = note.data
        match note.what:
            case "roll":
                yield f"{self.start(data[0])} rolls {faces(data[1])}."
            case "choose":
                yield from self.choice(*data)
            case "gain" | "loss":
                yield f"{self.start(data[0])} {'gains' if note.what == 'gain' else 'loses'} {data[2]} {self.name(data[1])}, and has {data[3]}."
            case "set":
                yield f"{self.start(data[0])}'s {self.name(data[1])} becomes {data[2]}."
            case "bound-set":
                yield f"{self.start(data[0])}'s {self.name(data[1])}'s {data[2]} becomes {data[3]}."
            case "take" | "drop":
                yield f"{self.start(data[0])} {'takes' if note.what == 'take' else 'drops'} {self.name(data[1])}."
            case "row":
                yield f"{self.start(data[0])} comes to {self.row(*data)}."
            case "say":
                yield f"{self.start(data[0])} says: {data[1]}."
            case "settle" if data[1]:
                yield self.settled(data[1])
            case "end" if data[1]:
                yield f"{self.start(data[0])} ends with {self.name(data[1])}."
            case "forbidden":
                yield f"{self.start(data[0])} cannot be done, because of {self.name(data[2])}."
            case "bound":
                yield f"{self.start(data[0])} does not run again: it has come to its bound."
            case "unpaid":
                yield f"{self.start(data[0])} cannot pay {data[2]} {self.name(data[1])}."

    def row(self, table: str, row: str) -> str:
        """A row by its name, or else by the faces that it covers."""
        made = self.rules.entries[table].table
        found = next((one for one in made.rows if one.id == row), None) if made is not None else None
        return found.name or (str(found.low) if found.low == found.high else f"{found.low} to {found.high}") if found is not None else row

    def settled(self, values: tuple[tuple[str, str, int], ...]) -> str:
        text = listed([f"{self.name(who)}'s {word} is {value}" for who, word, value in values])
        return f"{text[:1].upper()}{text[1:]}."

    def choice(self, effect: Any, answer: Any) -> Iterator[str]:
        who = self.start(effect.who)
        match effect:
            case Offer(names=names, fact=fact):
                what = " of ".join(names[:2]) or "what is offered"
                if answer:
                    yield f"{who} agrees: {fact}." if fact else f"{who} takes up {what}."
            case Choose(options=options, labels=labels) if answer is not None:
                yield f"{who} chooses {labels[options.index(answer)]}."
            case Number(word=word) if answer:
                yield f"{who} chooses {answer} as the {word}."
            case Keep(verb=verb):
                yield f"{who} {verb} {faces(answer) if answer else 'none'}."
            case Share(places=places):
                given = [f"{number} to {self.name(place)}" for number, place in zip(answer, places, strict=True) if number]
                yield f"{who} gives {listed(given) if given else 'nothing'}."
            case Several():
                yield f"{who} chooses {self.names(answer) if answer else 'nothing'}."


CHOOSES = " chooses "


def joined(sentences: Iterable[str]) -> Told:
    """`Ann chooses Might. Ann chooses Wits.` is `Ann chooses Might and Wits.`"""
    found: list[str] = []
    for one in sentences:
        who, chooses, what = one.partition(CHOOSES)
        last = found[-1] if found else ""
        if chooses and last.startswith(who + chooses):
            before = last[:-1].replace(" and ", ", ")
            found[-1] = f"{before} and {what}"
        else:
            found.append(one)
    return tuple(found)


def faces(dice: Dice) -> str:
    return ", ".join(str(face) for face, _ in dice) or "no dice"


def listed(names: list[str]) -> str:
    return ", ".join(names[:-1]) + (" and " if len(names) > 1 else "") + "".join(names[-1:])
