"""What is meant by a name that was typed: an entry, a procedure, a role. What fits nothing is `Refused` in a sentence that says what would."""

from __future__ import annotations

from collections.abc import Callable

from te_forge.engine.index import Rules
from te_forge.keys import slug
from te_forge.model import rules as m
from te_forge.model.system import Entry
from te_forge.suggest import did_you_mean


class Refused(Exception):
    """What was asked does not fit the game; the message is a sentence for people."""


def by_slug(rules: Rules) -> dict[str, list[Entry]]:
    """The entries by the slugs of their names, of their other names, and by the ends of their ids."""
    found: dict[str, list[Entry]] = {}
    for entry in rules.entries.values():
        for key in slugs(entry):
            found.setdefault(key, []).append(entry)
    return found


def slugs(entry: Entry) -> set[str]:
    return {slug(entry.name), entry.slug, *map(slug, entry.aliases)}


def is_called(entry: Entry, name: str) -> bool:
    """Whether an entry is meant by a name, another name of it, its id or the end of its id."""
    return name == entry.id or slug(name) in slugs(entry)


def called(rules: Rules, name: str, fits: Callable[[Entry], bool]) -> Entry | None:
    """The first entry that fits, of those that are called so (`is_called`)."""
    found = [entry for entry in rules.once(by_slug).get(slug(name), ()) if fits(entry)]
    if (entry := rules.entries.get(name)) is not None and fits(entry):
        found.append(entry)
    return min(found, key=lambda entry: rules.order[entry.id], default=None)


def number_called(rules: Rules, name: str) -> Entry | None:
    return called(rules, name, lambda entry: rules.nature(entry.kind) == "number")


def numbers(rules: Rules) -> list[Entry]:
    return [entry for entry in rules.entries.values() if rules.nature(entry.kind) == "number"]


def procedure_called(rules: Rules, name: str) -> Entry:
    found = called(rules, name, lambda entry: entry.kind == "procedure")
    if found is None:
        all_ = rules.system.of_kind("procedure")
        names = ", ".join(sorted(entry.name for entry in all_))
        if not name.strip():
            raise Refused(f"say which procedure; there are {names}" if names else "this game has no procedure yet; `## procedure: A Name` begins one")
        if table := called(rules, name, lambda entry: entry.kind == "table"):
            raise Refused(
                f"{table.name} is a table, and each of its rows is as likely as its faces; what comes of it is counted in a procedure that rolls it: `the .. rolls {table.name}`"
            )
        raise Refused(f"no procedure is called `{name}`{did_you_mean(name, [entry.name for entry in all_]) or f'; there are {names}'}")
    return found


def roles_of(procedure: Entry) -> list[m.Holds]:
    stated = procedure.fields.get("roles")
    return [atom for atom in stated.value if isinstance(atom, m.Holds)] if stated is not None else []


def role_words(rules: Rules, role: m.Holds) -> set[str]:
    """What a role can be called: by its word; where that is the word of a kind, as in `a hero as the hero`, by other words that the kind has, such as
    an old one.
    """
    info = rules.system.kinds.get(role.word)
    entry = rules.entries.get(info.id) if info is not None else None
    return {slug(one) for one in (role.word, *(entry.aliases if entry is not None else ()))}
