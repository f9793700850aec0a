"""What play has made of a character: the lines below `now:`, and which of the things that somebody has can change in play at all."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace

from te_forge.characters.character import Character
from te_forge.characters.lines import PLAYED, FileReader
from te_forge.characters.roster import Maker
from te_forge.engine.index import OUT_OF_PLAY, Rules
from te_forge.model import rules as m
from te_forge.model.system import Entry, Line
from te_forge.model.walk import nodes


class NowReader(FileReader):
    """Reads the lines below `now:`. What does not stand there is as it was made."""

    def __init__(self, reader: FileReader) -> None:
        super().__init__(reader.rules, reader.source, reader.head, reader.findings)
        self.roster = reader.roster
        self.data = dict(reader.mapping("now", "numbers: {Name: 3}"))
        self.inside = ("now",)

    def known(self) -> list[str]:
        return [*PLAYED, *self.trait_lines()]

    def today(self, made: Character) -> Character:
        self.unknown_fields()
        for one in PLAYED:
            if one in self.data:
                self.places[one, ""] = self.at((one,), True)
        bounds = {(id, which): value for which in ("least", "most") for id, value in self.numbers(which)}
        return replace(
            made,
            numbers={**made.numbers, **dict(self.numbers("numbers"))},
            bounds={**made.bounds, **bounds},
            traits=self.carried(made),
            fields={**made.fields, **dict(self.fields())},
            places={**made.places, **self.places},
        )

    def carried(self, made: Character) -> tuple[str, ...]:
        """The traits of a kind that is listed are those that are listed; the others are as they were made."""
        listed = tuple(self.traits())
        entries = self.rules.entries
        anew = {info.name for info in self.roster.trait_kinds if {info.name, info.plural} & set(self.data)} | {entries[id].kind for id in listed}
        return (*(id for id in made.traits if entries[id].kind not in anew), *listed)


# ---------------------------------------------------------------- what can change


@dataclass
class Changing:
    """What the rules can change in play: numbers, bounds (by number), traits; `any` where a rule names what it changes only while it runs."""

    numbers: set[str] = field(default_factory=set)
    bounds: set[str] = field(default_factory=set)
    traits: set[str] = field(default_factory=set)
    any: bool = False


def changing(rules: Rules, maker: Maker | None) -> Changing:
    """Looks through every rule but the making itself."""
    entries = [entry for entry in rules.entries.values() if entry.kind not in OUT_OF_PLAY]
    look = Look(rules, {entry.id: nodes_of(entry) for entry in entries})
    for entry in entries:
        if maker is None or entry is not maker.procedure:
            look.through(entry.id)
    return look.found


def nodes_of(entry: Entry) -> list[object]:
    meanings = tuple(line.meaning for line in every_line((*entry.lines, *(line for step in entry.steps for line in step.lines))))
    cells = tuple(cell.meaning for row in entry.table.rows for cell in row.cells.values()) if entry.table is not None else ()
    return nodes((*meanings, *cells, *(field.value for field in entry.fields.values())))


class Look:
    """Looks through entries for what they change. A word stands for whatever is chosen, given or held as it, anywhere."""

    def __init__(self, rules: Rules, entries: Mapping[str, list[object]]) -> None:
        self.rules, self.entries, self.found = rules, entries, Changing()
        self.kinds: dict[str, set[str]] = {}
        self.values: dict[str, list[m.Expr]] = {}
        for node in (node for found in entries.values() for node in found):
            match node:
                case m.Choose(members=m.Members(kind=kind), word=word):
                    self.kinds.setdefault(word, set()).add(kind)
                case m.Holds(word=word, type=type):
                    self.kinds.setdefault(word, set()).add(type.kind or type.name)
                case m.Give(target=m.Local(word) | m.Hung(word=word), value=value):
                    self.values.setdefault(word, []).append(value)
                case _:
                    pass

    def through(self, id: str) -> None:
        for node in self.entries[id]:
            match node:
                case m.Transfer(amount=m.Amount(stat=stat)):
                    self.found.numbers |= self.meant(stat)
                case m.Price(pool=pool):
                    self.found.numbers.add(pool)
                case m.Give(target=m.Stat(stat=stat)):
                    self.found.numbers |= {stat} if isinstance(stat, str) else self.meant(stat)
                case m.Give(target=m.Bound(of=m.Stat(stat=stat))):
                    self.found.bounds |= {stat} if isinstance(stat, str) else self.meant(stat)
                case m.Carry(trait=trait):
                    self.found.traits |= self.meant(trait)
                case _:
                    pass

    def meant(self, expr: m.Expr, seen: frozenset[str] = frozenset()) -> set[str]:
        """The entries that an expression can come to."""
        match expr:
            case m.Thing(id):
                return {id}
            case m.Local(word) | m.Hung(word=word) if word in seen or word in self.kinds or word in self.values:
                kinds = self.kinds.get(word, set())
                found = {entry.id for entry in self.rules.entries.values() if any(self.rules.is_a(entry.kind, kind) for kind in kinds)}
                given = () if word in seen else self.values.get(word, ())
                return found.union(*(self.meant(one, seen | {word}) for one in given))
        self.found.any = True
        return set()


def every_line(lines: Iterable[Line]) -> Iterator[Line]:
    for line in lines:
        yield line
        yield from every_line(line.lines)
