"""What is different inside of a thing that both games have."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from te_forge.compare.change import Change, Part, Side, Verb
from te_forge.compare.texts import spoken
from te_forge.compare.words import Reader, faces, joined, whole_line, whole_row, whole_slot
from te_forge.keys import slug
from te_forge.model.system import Entry, Line, Patch, RollTable, Row, Step, Words, plain
from te_forge.source import Span

T = TypeVar("T")
Path = tuple[str, ...]


@dataclass(frozen=True)
class Pair:
    """One thing as it was and as it is, and who reads the words of each."""

    old: Entry
    new: Entry
    before: Reader
    after: Reader

    def change(self, verb: Verb, part: Part, path: Path, before: Side | None, after: Side | None, number: int = 0) -> Change:
        return Change(verb, part, self.new.id, self.new.kind, self.new.name, path, before, after, number)

    def words(self, part: Part, path: Path, old: tuple[Words, Span] | None, new: tuple[Words, Span] | None, number: int = 0) -> Iterator[Change]:
        """Added, removed or changed words; nothing when they say the same."""
        if old is not None and new is not None and self.before.key(old[0]) == self.after.key(new[0]):
            return
        verb: Verb = "added" if old is None else "removed" if new is None else "changed"
        yield self.change(verb, part, path, Side(*old) if old else None, Side(*new) if new else None, number)

    def named(self, label: str) -> str:
        """The key of something of the old thing, by which the new one is found: its label, as it is called now."""
        return slug(self.before.rename(label))


def matched(old: Mapping[str, T], new: Mapping[str, T]) -> Iterator[tuple[T | None, T | None, T]]:
    """By key, both sides, and the one of them that is there: the new one, if it is. What is gone stands last."""
    for key, value in new.items():
        yield old.get(key), value, value
    for key, value in old.items():
        if key not in new:
            yield value, None, value


def of_entries(pair: Pair) -> Iterator[Change]:
    """In the order in which a page prints an entry."""
    yield from of_aliases(pair)
    yield from spoken(pair, (), pair.old.prose, pair.new.prose)
    yield from of_fields(pair)
    yield from of_slots(pair)
    yield from of_lines(pair, (), pair.old.lines, pair.new.lines)
    yield from of_steps(pair)
    yield from of_table(pair, (), pair.old.table, pair.new.table)
    yield from of_patches(pair)


def of_aliases(pair: Pair) -> Iterator[Change]:
    old = {slug(name): name for name in pair.old.aliases}
    new = {slug(name): name for name in pair.new.aliases if name != pair.old.name}
    for before, after, name in matched(old, new):
        if before is None or after is None:
            yield from pair.words("alias", (name,), ((before,), pair.old.span) if before else None, ((after,), pair.new.span) if after else None)


def of_fields(pair: Pair) -> Iterator[Change]:
    before = {pair.named(field.label) if slug(field.label) == key else key: field for key, field in pair.old.fields.items()}
    for old, new, there in matched(before, pair.new.fields):
        yield from pair.words("field", (there.label,), (old.words, old.span) if old else None, (new.words, new.span) if new else None)


def of_slots(pair: Pair) -> Iterator[Change]:
    before = {pair.named(name): slot for name, slot in pair.old.slots.items()}
    for old, new, there in matched(before, {slug(name): slot for name, slot in pair.new.slots.items()}):
        yield from pair.words("value", (there.name,), (whole_slot(old), old.span) if old else None, (whole_slot(new), new.span) if new else None)
        if old is not None and new is not None:
            yield from pair.words("text", (there.name,), ((old.text,), old.span), ((new.text,), new.span))


# ---------------------------------------------------------------- lines and steps


def by_label(lines: Sequence[Line], key: Callable[[str], str] = slug) -> dict[str, Line]:
    return {key(line.label) if line.label else f"#{number}": line for number, line in enumerate(lines)}


def of_lines(pair: Pair, path: Path, old: Sequence[Line], new: Sequence[Line], number: int = 0) -> Iterator[Change]:
    before, after = by_label(old, pair.named), by_label(new)
    for one, other, there in matched(before, after):
        below = (*path, there.label) if there.label else path
        if one is None or other is None:
            yield from pair.words(
                "line", below, (whole_line(one), one.span) if one else None, (whole_line(other), other.span) if other else None, number
            )
            continue
        yield from pair.words("line", below, (one.words, one.span), (other.words, other.span), number)
        yield from of_lines(pair, below, one.lines, other.lines, number)
    yield from moved(
        pair,
        path,
        [(key, line.label, line.span) for key, line in before.items()],
        [(key, line.label, line.span) for key, line in after.items()],
        "line",
        number,
    )


def of_steps(pair: Pair) -> Iterator[Change]:
    before = {pair.named(step.name): step for step in pair.old.steps}
    after = {slug(step.name): step for step in pair.new.steps}
    places = {**{key: number for number, key in enumerate(before, 1)}, **{key: number for number, key in enumerate(after, 1)}}
    for one, other, there in matched(before, after):
        name = there.name
        number = places.get(slug(name), 0)
        if one is None or other is None:
            yield from pair.words(
                "step", (name,), (whole_step(one), one.span) if one else None, (whole_step(other), other.span) if other else None, number
            )
            continue
        yield from pair.words("text", (name,), (one.prose, one.span), (other.prose, other.span), number)
        yield from of_lines(pair, (name,), one.lines, other.lines, number)
    yield from moved(
        pair,
        (),
        [(key, step.name, step.span) for key, step in before.items()],
        [(key, step.name, step.span) for key, step in after.items()],
        "step",
        0,
    )


def whole_step(step: Step) -> Words:
    below = whole_line(Line("", "", (), step.span, step.lines))
    return joined((step.prose, below), " ")


def moved(
    pair: Pair, path: Path, old: Sequence[tuple[str, str, Span]], new: Sequence[tuple[str, str, Span]], part: Part, number: int
) -> Iterator[Change]:
    """The order of what both have, where it is another: as it was, and as it is."""
    keys = {key for key, _, _ in old} & {key for key, _, _ in new}
    before, after = ([one for one in side if one[0] in keys and one[1]] for side in (old, new))
    if [key for key, _, _ in before] != [key for key, _, _ in after]:
        was, now = (Side((", ".join(label for _, label, _ in side),), side[0][2]) for side in (before, after))
        yield pair.change("moved", part, path, was, now, number)


# ---------------------------------------------------------------- tables and patches


def of_table(pair: Pair, path: Path, old: RollTable | None, new: RollTable | None) -> Iterator[Change]:
    if old is None or new is None:
        if old is not None or new is not None:
            yield from pair.words("table", path, (whole_table(old), old.span) if old else None, (whole_table(new), new.span) if new else None)
        return
    yield from pair.words("table", (*path, "die"), ((old.die,), old.span), ((new.die,), new.span))
    for one, other, there in matched(rows(old, pair.named), rows(new)):
        yield from of_row(pair, (*path, there.name or faces(there)), one, other)


def rows(table: RollTable, key: Callable[[str], str] = slug) -> dict[str, Row]:
    """Rows by name, or by the faces that they cover; several of one name by their faces too."""
    names = Counter(row.name for row in table.rows)
    return {key(row.name) if row.name and names[row.name] == 1 else f"{key(row.name) if row.name else ''}#{faces(row)}": row for row in table.rows}


def whole_table(table: RollTable) -> Words:
    out: Words = (table.die,)
    for row in table.rows:
        out = (*out, "; ", *whole_row(row))
    return out


def of_row(pair: Pair, path: Path, old: Row | None, new: Row | None) -> Iterator[Change]:
    if old is None or new is None:
        yield from pair.words("row", path, (whole_row(old), old.span) if old else None, (whole_row(new), new.span) if new else None)
        return
    if (old.low, old.high) != (new.low, new.high):
        yield pair.change("changed", "row", (*path, "at"), Side((faces(old),), old.span), Side((faces(new),), new.span))
    cells = {pair.before.rename(column): cell for column, cell in old.cells.items()}
    for column in dict.fromkeys((*new.cells, *cells)):
        before, after = cells.get(column), new.cells.get(column)
        part: Part = "text" if column == "text" else "row"
        if plain(before.words if before else ()) or plain(after.words if after else ()):
            yield from pair.words(part, (*path, column), (before.words, old.span) if before else None, (after.words, new.span) if after else None)


def of_patches(pair: Pair) -> Iterator[Change]:
    """What a hack that is off in both games would do."""
    before = {title(patch): patch for patch in pair.old.patches}
    after = {title(patch): patch for patch in pair.new.patches}
    if not (before and after) and not (pair.old.patches and pair.new.patches):
        return
    for old, new, there in matched(before, after):
        key = title(there)
        if old is None or new is None:
            yield from pair.words("line", (key,), (whole_patch(old), old.span) if old else None, (whole_patch(new), new.span) if new else None)
            continue
        yield from of_lines(pair, (key,), old.lines, new.lines)
        for one, other in zip(old.tables, new.tables, strict=False):
            yield from of_table(pair, (key,), one, other)


def title(patch: Patch) -> str:
    return f"{patch.verb} {patch.target.partition('/')[2]}"


def whole_patch(patch: Patch) -> Words:
    return whole_line(Line("", "", (), patch.span, patch.lines))
