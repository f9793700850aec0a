"""One procedure, run once: what `key=value` means, and what it came to."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, cast

from te_forge.check.names import slug
from te_forge.engine.effects import Choose, Decision, Number, Offer
from te_forge.engine.index import Rules, sentences
from te_forge.engine.reading import as_group, is_dice
from te_forge.engine.state import Dice, Result
from te_forge.model import rules as m
from te_forge.model.system import Entry
from te_forge.play import asking, may
from te_forge.play.answering import EVERYBODY, bots_only
from te_forge.play.names import Refused, called, entry_called, faces, name, playable, somebody
from te_forge.play.people import printed
from te_forge.play.spans import first_spans
from te_forge.play.table import Decide, Table
from te_forge.suggest import a, did_you_mean


def pairs(words: Iterable[str]) -> list[tuple[str, str]]:
    found = []
    for word in words:
        key, equals, value = word.partition("=")
        if not equals or not key.strip() or not value.strip():
            raise Refused(f"`{word}` is not of the form key=value")
        found.append((key.strip(), value.strip()))
    return found


class Presets:
    """Choices that were made beforehand, by their word; each is used once, in the order in which they were given."""

    def __init__(self, rules: Rules, given: list[tuple[str, str]], then: Decide) -> None:
        self.rules, self.left, self.then = rules, given, then

    def __call__(self, effect: Decision, table: Table) -> tuple[Any, str]:
        for at, (key, value) in enumerate(self.left):
            if slug(key) in map(slug, keys_of(effect)):
                answer = asking.read(self.rules, effect, value)
                del self.left[at]
                return answer, "preset"
        return self.then(effect, table)


def keys_of(effect: Decision) -> Iterator[str]:
    """What a choice can be called beforehand: its word, or the name of the offer."""
    match effect:
        case Choose(word=word) | Number(word=word):
            yield word
        case Offer(names=names):
            yield from names
        case _:
            yield getattr(effect, "word", getattr(effect, "verb", "divides"))
    yield f"{effect.who}.{getattr(effect, 'word', '')}"


def words_of_choices(rules: Rules) -> set[str]:
    """Every word that a choice of this pack is called by."""
    found = {"keeps", "rerolls", "divides", "option", "any", "next"}
    for entry in playable(rules):
        found.add(entry.name)
        todo = [*entry.lines, *(line for step in entry.steps for line in step.lines)]
        while todo:
            line = todo.pop()
            found.add(line.label)
            todo += line.lines
            for node in sentences(line.meaning):
                amount = getattr(node, "amount", None)
                found |= {getattr(node, "word", ""), amount.word if isinstance(amount, m.Amount) else ""}
    return {slug(word) for word in found if word}


def sorted_out(table: Table, procedure: Entry, given: list[tuple[str, str]]) -> tuple[dict[str, Any], list[tuple[str, str]]]:
    """Roles of the procedure, and presets. Numbers are set on the way."""
    holds = {slug(one.word): one for one in may.roles(procedure)}
    roles: dict[str, Any] = {}
    presets: list[tuple[str, str]] = []
    words: set[str] | None = None
    for key, value in given:
        if slug(key) in holds:
            roles[holds[slug(key)].word] = role_value(table, holds[slug(key)], value)
        elif (number := number_called(table, key)) is not None:
            table.do({"do": "set", "who": number[0], "id": number[1], "to": asking.whole(value)}, "setup")
        else:
            words = words_of_choices(table.rules) if words is None else words
            if slug(key.rpartition(".")[2]) not in words:
                raise Refused(f"`{key}` is no role of {procedure.name}, no number and no choice{did_you_mean(key, [*(one.word for one in holds.values()), *words])}")
            presets.append((key, value))
    return roles, presets


def number_called(table: Table, key: str) -> tuple[str, str] | None:
    """`Doom` (of the only one who has it) or `Ann.Might`: whose, and which."""
    who, _, stat = key.rpartition(".")
    found = next((entry for entry in playable(table.rules) if table.rules.nature(entry.kind) == "number" and slug(stat) in (slug(entry.name), *map(slug, entry.aliases))), None)
    if found is None:
        return None
    if who:
        return somebody(table.rules, table.state, who), found.id
    reading = table.reading()
    owners = [one for one in reading.everybody() if reading.has_number(one, found.id)] or list(reading.things_with(found.id))
    if len(owners) != 1:
        raise Refused(f"{'nobody here has' if not owners else 'several have'} {found.name}; say whose: `{name(table.rules, owners[0]) if owners else 'Ann'}.{found.name}=..`")
    return owners[0], found.id


def role_value(table: Table, holds: m.Holds, value: str) -> Any:
    match holds.type.name:
        case "number":
            return asking.whole(value)
        case "group":
            return tuple(one_value(table, holds.type, part) for part in value.split(","))
        case "choice" | "text":
            return value
        case _:
            return one_value(table, holds.type, value)


def one_value(table: Table, wanted: m.Type, typed: str) -> str:
    """Somebody or something for a role; somebody out of a book of entries comes in."""
    typed = typed.strip()
    try:
        return somebody(table.rules, table.state, typed)
    except Refused as nobody:
        entries = [entry for entry in playable(table.rules) if entry.kind != "kind" and table.rules.is_a(entry.kind, wanted.kind or "entry")]
        try:
            found = entry_called(table.rules, typed, entries, wanted.kind or "entry")
        except Refused:
            if wanted.name == "entry" or (entries and not table.state.people):
                raise
            raise Refused(f'{nobody}; bring somebody in with --who "{typed}: a {wanted.kind or "character"}"') from None
    if found in printed(table.rules):
        before = set(table.state.people)
        table.do({"do": "enter", "id": found.id}, "setup")
        return next(iter(set(table.state.people) - before))
    return found.id


def fill(table: Table, procedure: Entry, roles: dict[str, Any], choose: Callable[[m.Holds, list[str]], Any]) -> None:
    """Roles that were not given: the only one who can have it, else `choose` says."""
    for holds in may.roles(procedure):
        if holds.word in roles:
            continue
        taken = [one for value in roles.values() for one in as_group(value)]
        free = [one for one in may.candidates(table, holds) if one not in taken]
        roles[holds.word] = (free[0],) if len(free) == 1 and holds.type.name == "group" else free[0] if len(free) == 1 else choose(holds, free)


def open_spans(table: Table) -> None:
    for entry in first_spans(table.rules):
        table.do({"do": "open", "id": entry.id}, "setup")


def summary(table: Table, result: Result) -> list[str]:
    """What a procedure came to: its outcome, what each has, and its words."""
    rules, found = table.rules, []
    for (who, word), value in result.hung.items():
        if isinstance(value, int):
            found.append(f"{called(rules, who)}'s {word}: {value}")
    for word, value in result.words.items():
        if isinstance(value, int):
            found.append(f"{word}: {value}")
        elif is_dice(value) and value:
            found.append(f"{word}: {faces(cast(Dice, value))}")
    return found


__all__ = ["EVERYBODY", "Presets", "a", "bots_only", "fill", "open_spans", "pairs", "sorted_out", "summary"]
