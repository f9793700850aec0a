"""What happened, in plain sentences; and what an expression or condition of a rule is called."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

from te_forge.engine.effects import Choose, Keep, Note, Number, Offer, Several, Share
from te_forge.engine.index import Rules
from te_forge.engine.reading import as_group, is_dice
from te_forge.engine.state import NOBODYS, Dice, Person, Result
from te_forge.keys import slug
from te_forge.model import rules as m
from te_forge.model.system import Ref, Shown, Words
from te_forge.source import Span

Told = tuple[str, ...]
UP_TO = "up to "
"""How a price begins that whoever pays it may choose."""
FULL_STOPS = (".", "!", "?", "…")
"""What `says` holds ends with one of these where it is a sentence that is said; anything else is what somebody is to say in words of their own."""


class Teller:
    """Knows what everything is called."""

    def __init__(self, rules: Rules, people: Iterable[tuple[str, Person]] = ()) -> None:
        self.rules = rules
        self.people = dict(people)
        self.paying: list[tuple[str, str]] = []
        """What was said to be paid, and has not been taken yet."""

    # ------------------------------------------------------------ names

    def name(self, id: Any) -> str:
        """`Ann`, `Might`, `the gm`, `Success`."""
        if id is None:
            return "nothing"
        person = self.people.get(id)
        if person is not None:
            return f"the {person.name}" if person.based and self.one_of_many(person) else person.name
        owner, _, inner = str(id).partition("#")
        entry = self.rules.entries.get(owner)
        if entry is None:
            return str(id)
        if not inner:
            one_of_many = self.rules.nature(entry.kind) == "actor" and not self.by_name(entry.kind)
            return f"the {entry.name}" if entry.kind == "kind" or one_of_many else entry.name
        outcomes = entry.fields.get("outcomes")
        named = [atom.text for atom in outcomes.value if isinstance(atom, m.Text)] if outcomes is not None else []
        rows = entry.table.rows if entry.table is not None else ()
        named += [step.name for step in entry.steps] + [row.name for row in rows] + [line.label for line in entry.lines]
        return next((one for one in named if slug(one) == inner), inner)

    def one_of_many(self, person: Person) -> bool:
        """Whether somebody is called after what they are (`the Wolf 2`), and not by a name of their own."""
        entry = self.rules.entries.get(person.based)
        return entry is not None and person.name.startswith(entry.name) and not self.by_name(person.kind)

    def by_name(self, kind: str) -> bool:
        """Whether those of a kind are persons with names of their own (`Ann`), and not some of many (`the wolf`): they are made by a procedure."""
        info = self.rules.system.kinds.get(kind)
        return info is not None and info.id in self.rules.entries and "made-by" in self.rules.entries[info.id].fields

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
            case m.Members():
                return self.group(expr)
            case m.Together(members):
                return listed([self.expr(one) for one in members])

    def group(self, group: m.Group) -> str:
        if isinstance(group, m.Showing):
            compare = "" if group.compare == "one of" else f"{group.compare} "
            return f"dice showing {compare}{' or '.join(map(self.expr, group.faces))} in {self.expr(group.dice)}"
        info = self.rules.system.kinds.get(group.kind)
        if info is not None and isinstance(group.of, m.Thing | m.Local):
            return f"{info.plural} in {self.expr(group.of)}"
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
        numbers: dict[str, int] = {}
        whose = ""
        for note in notes:
            if numbers and (note.what != "set" or note.data[0] != whose):
                found.append(self.numbers(whose, numbers))
                numbers = {}
            if note.what == "set":
                whose, numbers[note.data[1]] = note.data[0], note.data[2]
            elif note.what != "say" or note.data[0] not in self.people:
                found.append(self.told(note))
        if numbers:
            found.append(self.numbers(whose, numbers))
        return joined(one if one.endswith(FULL_STOPS) else f"{one}." for one in found if one)

    def told(self, note: Note, every: bool = False) -> str:
        """What happened, as a sentence without its full stop; empty for what is not worth telling. With `every`, also answers that change nothing."""
        data = note.data
        match note.what:
            case "no-dice":
                return f"{self.start(data[0])} has no dice to roll"
            case "roll":
                return f"{self.start(data[0])} rolls {len(data[1])} {'die' if len(data[1]) == 1 else 'dice'}: {faces(data[1])}"
            case "draw":
                return f"{self.start(data[0])} draws {listed([self.name(card) for card in data[2]])}"
            case "choose" if every or not idle(*data):
                return f"{self.start(data[0].who)} {self.done(*data)}"
            case "forced" if data[2:] == ("next",):
                return f"{listed(self.value(one) for one in data[1])} comes last"
            case "forced" if every or (data[1] and isinstance(data[1][0], str)):
                return f"{self.start(data[0])} can only choose {listed(self.value(one) for one in data[1])}"
            case "gain":
                return f"{self.start(data[0])} gains {so_many(self.rules, data[1], data[2])} (now {data[3]})"
            case "pay":
                self.paying.append((data[0], data[1]))
            case "loss":
                paid = (data[0], data[1]) in self.paying
                if paid:
                    self.paying.remove((data[0], data[1]))
                return f"{self.start(data[0])} {'pays' if paid else 'loses'} {so_many(self.rules, data[1], data[2])} (now {data[3]})"
            case "set":
                return self.numbers(data[0], {data[1]: data[2]})
            case "bound-set":
                return f"{self.start(data[0])}'s {self.name(data[1])} is at {data[2]} {data[3]} from now on"
            case "take" | "drop":
                return f"{self.start(data[0])} {'takes' if note.what == 'take' else 'drops'} {self.name(data[1])}"
            case "row":
                return f"{self.start(data[0])}: {self.row(*data)}"
            case "say":
                return f"{self.start(data[0])} {'says' if data[1].endswith(FULL_STOPS) else 'is asked to say'}: {data[1]}"
            case "settle" if data[1]:
                return self.settled(data[1])
            case "end" if data[1]:
                return f"{self.start(data[0])} ends with {self.name(data[1])}"
            case "forbidden":
                return f"{self.start(data[0])} does not happen: forbidden by {self.name(data[2])}" + (f" of {self.name(data[1])}" if data[1] else "")
            case "bound":
                return f"{self.start(data[0])} does not happen again: its bound is reached"
            case "unpaid":
                return f"{self.start(data[0])} cannot pay {so_many(self.rules, data[1], data[2])}"
            case "empty":
                return f"{self.start(data[0])} cannot draw: {self.name(data[1])} has no cards left"
            case "nothing-to-choose":
                return f"{self.start(data[0])} has nothing to choose from for the {data[1]}"
        return ""

    def numbers(self, who: str, numbers: Mapping[str, int]) -> str:
        """`Ann has Might 3 and Wits 2`."""
        return f"{self.start(who)} has {listed(f'{self.name(stat)} {value}' for stat, value in numbers.items())}"

    def row(self, table: str, row: str) -> str:
        """A row by its name, or else by the faces that it covers; with its text."""
        made = self.rules.entries[table].table
        found = next((one for one in made.rows if one.id == row), None) if made is not None else None
        if found is None:
            return row
        name = found.name or found.printed(" to ")
        said = text(found.cells["text"].words) if "text" in found.cells else ""
        return f"{name}. {said}" if said else name

    def settled(self, values: Iterable[tuple[str, str, int]]) -> str:
        parts, before = [], None
        for who, word, value in values:
            parts.append(f"{word} is {value}" if who == before else f"{belonging(who, self.name(who), word)} is {value}")
            before = who
        said = listed(parts)
        return said[:1].upper() + said[1:]

    def done(self, effect: Any, answer: Any) -> str:
        """What somebody did, without saying who: `keeps 6 5`."""
        match effect:
            case Choose(word="next"):
                return f"{NEXT.lstrip()}{self.label(effect, answer)}"
            case Choose():
                return f"chooses {self.label(effect, answer)}"
            case Offer(fact=fact, price=price):
                took = f"{'takes' if answer else 'leaves'} {offer_name(effect)}"
                return took + (f" for {price}" if price and not price.startswith(UP_TO) else "") + (f" ({fact})" if fact else "")
            case Keep(verb=verb):
                return f"{verb} {faces(answer)}"
            case Number(word=word):
                return f"chooses {answer} as the {word}"
            case Share(places=places):
                given = ", ".join(f"{self.name(place)} {number}" for place, number in zip(places, answer, strict=True) if number)
                return f"divides: {given or 'nothing'}"
            case Several():
                return f"chooses {self.names(answer) or 'none'}"
        return str(answer)

    def label(self, effect: Choose, answer: Any) -> str:
        """What an option is called where it is chosen."""
        return next((shown for option, shown in zip(effect.options, effect.labels, strict=False) if option == answer), "") or self.name(answer)


def so_many(rules: Rules, stat: str, amount: int) -> str:
    """`2 Wounds`, and `1 Wound` where a number that is called by a plural has that other name."""
    entry = rules.entries.get(stat)
    one = next((alias for alias in entry.aliases if f"{alias}s" == entry.name), "") if entry is not None and amount == 1 else ""
    return f"{amount} {one or (entry.name if entry is not None else stat)}"


def idle(effect: Any, answer: Any) -> bool:
    """Whether an answer leaves everything as it is."""
    return answer is False or answer is None or (isinstance(effect, Number) and answer == 0)


def offer_name(effect: Offer) -> str:
    """`Sly: Slow`, the entry and the line; a line without a label is the entry."""
    names = effect.names
    return f"{names[1]}: {names[0]}" if len(names) > 1 else "".join(names)


NEXT = " says who is next: "
JOINED = (" chooses ", NEXT)
"""What somebody does several times in a row is told in one sentence."""


def joined(sentences: Iterable[str]) -> Told:
    """`Ann chooses Might. Ann chooses Wits.` is `Ann chooses Might and Wits.`; of a name that has an `and` in it, `Ann chooses Bread and Salt, then
    Wits.`
    """
    found: list[tuple[str, list[str]]] = []
    for one in sentences:
        verb = next((verb for verb in JOINED if verb in one), "")
        who, _, what = one.partition(verb) if verb else ("", "", one)
        if verb and found and found[-1][0] == who + verb:
            found[-1][1].append(what)
        else:
            found.append((who + verb, [what]))
    return tuple(begin + in_one(parts) for begin, parts in found)


def in_one(parts: list[str]) -> str:
    """Ends of sentences as one end."""
    *before, last = parts
    names = [*(part.removesuffix(".") for part in before), last]
    return ", then ".join(names) if len(names) > 1 and any(" and " in name for name in names) else listed(names)


MOST_FACES = 30


def faces(dice: Dice) -> str:
    """`6 5 2 1`; of very many dice how many show what."""
    if not dice:
        return "no dice"
    if len(dice) <= MOST_FACES:
        return " ".join(str(face) for face, _ in dice)
    return ", ".join(f"{many} show {face}" for face, many in Counter(face for face, _ in dice).items())


def listed(names: Iterable[str]) -> str:
    """`Ann, Ben and Cid`."""
    found = list(names)
    return " and ".join([", ".join(found[:-1]), found[-1]]) if len(found) > 1 else "".join(found)


def text(words: Words) -> str:
    """Words with references, as plain text."""
    said = "".join(part.text if isinstance(part, Ref | Shown) else part for part in words)
    return " ".join(said.split())


def belonging(who: str, called: str, word: str) -> str:
    """A declared value by its name: `Ann's total`; of nobody `the total`."""
    return f"the {word}" if who == NOBODYS else f"{called}'s {word}"
