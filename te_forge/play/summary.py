"""What a procedure came to: what it changed, with each number before and after, and its own values."""

from __future__ import annotations

from collections.abc import Iterator
from typing import cast

from te_forge.engine.index import Rules
from te_forge.engine.reading import Reading, is_dice
from te_forge.engine.state import Dice, Result, State, Value
from te_forge.engine.tell import belonging, faces
from te_forge.model import rules as m
from te_forge.play.names import called, first_up, name


def summary(rules: Rules, procedure: str, before: State, after: State, result: Result) -> Iterator[str]:
    yield from changes(Reading(rules, before), Reading(rules, after))
    yield from values(rules, procedure, result)


def changes(before: Reading, after: Reading) -> Iterator[str]:
    """A line for each who has other numbers, traits or fields than before, who has come, or who has left."""
    rules = before.rules
    keys = [who for who, _ in (*before.state.numbers, *after.state.numbers, *after.state.fields)]
    keys += [who for who, _, _ in after.state.bounds]
    for who in dict.fromkeys((*before.everybody(), *after.everybody(), *before.state.traits, *after.state.traits, *keys)):
        was, is_ = (who in one.everybody() or who in rules.entries for one in (before, after))
        if not is_:
            yield f"{called(rules, who)} is gone"
        elif not was:
            yield f"{called(rules, who)} has come"
        elif parts := [*numbers(before, after, who), *traits(before, after, who), *limits(before, after, who), *fields(before, after, who)]:
            yield f"{called(rules, who)}: {', '.join(parts)}"
    for deck in dict.fromkeys((*before.state.decks, *after.state.decks)):
        there, left = (one.state.decks.get(deck, rules.cards(deck)) for one in (before, after))
        if isinstance(there, tuple) and isinstance(left, tuple) and len(there) != len(left):
            yield f"{called(rules, deck)}: cards from {len(there)} to {len(left)}"


def numbers(before: Reading, after: Reading, who: str) -> Iterator[str]:
    for entry in before.rules.entries.values():
        if before.rules.nature(entry.kind) == "number" and before.has_number(who, entry.id) and after.has_number(who, entry.id):
            was, is_ = before.stat(who, entry.id), after.stat(who, entry.id)
            if was != is_:
                yield f"{entry.name} from {was} to {is_}"


def traits(before: Reading, after: Reading, who: str) -> Iterator[str]:
    had, has = before.carried(who), after.carried(who)
    yield from (f"now {name(before.rules, one)}" for one in has if one not in had)
    yield from (f"no longer {name(before.rules, one)}" for one in had if one not in has)


def fields(before: Reading, after: Reading, who: str) -> Iterator[str]:
    for label in dict.fromkeys(label for one in (before, after) for holder, label in one.state.fields if holder == who):
        was, is_ = before.stored(who, label), after.stored(who, label)
        if was != is_:
            yield f"{label} from {said(before.rules, was)} to {said(before.rules, is_)}"


def limits(before: Reading, after: Reading, who: str) -> Iterator[str]:
    """Bounds that were set for somebody alone."""
    for (holder, stat, which), value in after.state.bounds.items():
        if holder == who and before.state.bounds.get((holder, stat, which)) != value:
            yield f"{name(before.rules, stat)} now at {which} {value}"


def said(rules: Rules, value: Value) -> str:
    return "nothing" if value is None else name(rules, value)


def values(rules: Rules, procedure: str, result: Result) -> Iterator[str]:
    """The values that a procedure leaves, a line for each word. Those that are for everybody what they began as stand together at the end."""
    hung: dict[str, list[tuple[str, int]]] = {}
    for (who, word), value in result.hung.items():
        if isinstance(value, int):
            hung.setdefault(word, []).append((who, value))
    still: list[str] = []
    for word, held in hung.items():
        start = started(rules, procedure, word)
        if len(held) == 1:
            yield f"{first_up(belonging(held[0][0], called(rules, held[0][0]), word))}: {held[0][1]}"
        elif all(value == start for _, value in held):
            still.append(f"{word} {start}")
        else:
            yield f"{word}: {', '.join(f'{name(rules, who)} {value}' for who, value in held)}"
    for word, value in result.words.items():
        if isinstance(value, int):
            yield f"{word}: {value}"
        elif is_dice(value) and value:
            yield f"{word}: {faces(cast(Dice, value))}"
    if still:
        yield f"For everybody still as it began: {', '.join(still)}"


def started(rules: Rules, procedure: str, word: str) -> int | None:
    """What a declared value begins as."""
    slot = rules.declared[procedure].get(word)
    match slot.default if slot is not None else None:
        case (m.Int(value),):
            return value
        case _:
            return None
