"""The words that rules bring and speak of (`the roll`, `the share`), after hacks have changed lines."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from te_forge.compose.lines import walk
from te_forge.frozen import replace
from te_forge.model import rules as m
from te_forge.model.rules import DICE, NUMBER, UNKNOWN, Body, Type
from te_forge.model.system import Entry, Line
from te_forge.model.walk import nodes


def brought(meaning: Body) -> dict[str, Type]:
    """The words that get a value in these sentences, with what they hold."""
    found: dict[str, Type] = {}
    for node in nodes(meaning):
        if word := given(node):
            found.setdefault(word, held(node))
    return found


class Giving(dict[type, bool]):
    """Whether nodes of a class may give a word a value. It is asked of every node of a procedure, and few do."""

    def __missing__(self, kind: type) -> bool:
        self[kind] = kind is m.Give or (kind not in (m.Local, m.Hung) and "word" in getattr(kind, "__match_args__", ()))
        return self[kind]


GIVING = Giving()


def given(node: Any) -> str:
    """The word that a sentence gives a value; `becomes` needs one that has a value already."""
    if not GIVING[type(node)]:
        return ""
    if isinstance(node, m.Give):
        return node.target.word if node.how != "becomes" and isinstance(node.target, m.Local | m.Hung) else ""
    word: str = node.word
    return word


def held(node: Any) -> Type:
    match node:
        case m.Roll() | m.Pick():
            return DICE
        case m.Give() | m.Amount() | m.Choose(members=m.Range()):
            return NUMBER
        case m.Do():
            return Type("outcome")
        case m.Choose(members=m.Members() as members) | m.ForEach(members=members):
            return Type("entry", members.kind)
    return UNKNOWN


def meaning_of(entry: Entry) -> Body:
    rows = entry.table.rows if entry.table is not None else ()
    lines = (*entry.lines, *(line for step in entry.steps for line in step.lines))
    return (
        *(sentence for line in lines for sentence in line.meaning),
        *(sentence for row in rows for cell in row.cells.values() for sentence in cell.meaning),
    )


def with_locals(entry: Entry, before: Entry) -> Entry:
    """A procedure knows the words that its lines bring: those that are new, and no more those that are gone. Odds tell of them at its end."""
    if entry.kind != "procedure" or (entry.lines is before.lines and entry.steps is before.steps):
        return entry
    old, new = brought(meaning_of(before)), brought(meaning_of(entry))
    kept = {word: type for word, type in entry.locals.items() if word in new or word not in old}
    return replace(
        entry, locals={**{word: type for word, type in new.items() if word not in kept}, **kept}, sure=entry.sure - (old.keys() - new.keys())
    )


def roles(entry: Entry) -> Iterable[str]:
    field = entry.fields.get("roles")
    return [atom.word for atom in field.value if isinstance(atom, m.Holds)] if field is not None else []


def speaking(word: str, entries: Iterable[Entry]) -> Iterator[tuple[Entry, Line]]:
    for entry in entries:
        for line in walk((*entry.lines, *(line for step in entry.steps for line in step.lines))):
            if not line.lines and word in read(line.meaning):
                yield entry, line


def read(meaning: Body) -> frozenset[str]:
    """The words that these sentences read; one that is only given a value is not."""
    written = {id(node.target) for node in nodes(meaning) if isinstance(node, m.Give) and node.how != "becomes"}
    return frozenset(node.word for node in nodes(meaning) if isinstance(node, m.Local | m.Hung) and id(node) not in written)
