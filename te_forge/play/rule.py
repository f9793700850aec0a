"""A rule as it is written, for whoever asks at the table: prose, fields, steps with their lines, the rows of a table, and what a hack changes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from te_forge.asked import Refused
from te_forge.compose.chosen import switched_on
from te_forge.compose.order import SWITCHES
from te_forge.engine.index import Rules
from te_forge.engine.tell import text
from te_forge.model.system import Entry, Line, Patch, RollTable, Row
from te_forge.play.names import entry_called, meant, playable


@dataclass(frozen=True, slots=True)
class Shown:
    """A paragraph, how far its first line is set in, and how far the others."""

    text: str
    first: int
    then: int


def rule_called(rules: Rules, typed: str) -> Entry:
    """The rule that somebody means: what is played, or else a hack, a reading or a ruling of the book."""
    try:
        return entry_called(typed, playable(rules), "rule")
    except Refused as refused:
        others = [entry for entry in rules.system.entries.values() if entry.kind in (*SWITCHES, "ruling")]
        if str(refused).startswith("no ") and meant(typed, ((one.name, *one.aliases) for one in others)):
            return entry_called(typed, others, "rule")
        raise


def written(rules: Rules, entry: Entry, inset: int = 2) -> Iterator[Shown]:
    """What stands below the name of a rule."""
    if entry.kind in SWITCHES:
        on = entry.id in switched_on(rules.system)
        yield Shown("It is on." if on else f'It is off; `--hack "{entry.name}"` plays with it.', inset, inset)
    for prose in entry.prose:
        yield Shown(text(prose.words), inset, inset)
    for field in entry.fields.values():
        yield Shown(f"- {field.label}: {text(field.words)}", inset, inset + 2)
    yield from lines(entry.lines, inset)
    for number, step in enumerate(entry.steps, 1):
        yield Shown(f"{number}. {step.name}. {text(step.prose)}".rstrip(), inset, inset + 3)
        yield from lines(step.lines, inset + 3)
    if entry.table is not None:
        yield from rows(entry.table, inset)
    for patch in entry.patches:
        yield from changes(rules, patch, inset)
    for part in (rules.entries[id] for id in entry.parts if id in rules.entries):
        yield Shown(f"{part.name} ({part.kind})", inset, inset)
        yield from written(rules, part, inset + 2)


def lines(found: Iterable[Line], inset: int) -> Iterator[Shown]:
    """The lines of a rule, each with those that are set in below it."""
    for line in found:
        place = f" {'after' if line.place.after else 'before'} {line.place.label}" if line.place is not None else ""
        said = " ".join([*(text(prose.words) for prose in line.prose), text(line.words)]).strip()
        label = f"{line.label}{place}: " if line.label else ""
        yield Shown(f"- {label}{said}".rstrip(), inset, inset + 2)
        yield from lines(line.lines, inset + 2)


def rows(table: RollTable, inset: int) -> Iterator[Shown]:
    """What a die shows, and what it means; a row of a hack may only have a name."""
    if "d" in table.die:
        yield Shown(f"{table.die}:", inset, inset)
    for row in table.rows:
        faces = f"{row.printed()}: " if row.low <= row.high else ""
        yield Shown(f"{faces}{row_text(row)}", inset + 2, inset + 4)


def row_text(row: Row) -> str:
    """A row with all its cells: what it is called, what it says, what it does."""
    cells = [said for key, cell in row.cells.items() if key != "row" and (said := text(cell.words).strip()) and said != "-"]
    named = [row.name] if row.name else []
    return " ".join(said if said.endswith((".", "!", "?")) else f"{said}." for said in (*named, *cells))


def changes(rules: Rules, patch: Patch, inset: int) -> Iterator[Shown]:
    target = rules.system.entries.get(patch.target)
    more = patch.prose or patch.lines or patch.tables
    yield Shown(f"It {patch.verb} {target.name if target is not None else patch.target}{':' if more else '.'}", inset, inset)
    for prose in patch.prose:
        yield Shown(text(prose.words), inset + 2, inset + 2)
    yield from lines(patch.lines, inset + 2)
    for table in patch.tables:
        yield from rows(table, inset)
