"""A procedure with everything that it needs to begin, from the words of a command line."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextlib import suppress

from te_forge.asked.beforehand import Preset, preset, refuse_unknown
from te_forge.asked.called import Refused, procedure_called, role_words, roles_of
from te_forge.asked.roles import with_roles
from te_forge.asked.somebody import named, with_somebody
from te_forge.asked.stated import whose_what, with_stated
from te_forge.engine.evaluate import Evaluator
from te_forge.engine.index import Rules
from te_forge.engine.people import seated
from te_forge.engine.reading import RuleError
from te_forge.engine.state import State, Value
from te_forge.frozen import frozen
from te_forge.keys import slug
from te_forge.model.system import Entry


@frozen
class Asked:
    """A procedure with everything that it needs to begin."""

    rules: Rules
    state: State
    procedure: Entry
    roles: dict[str, Value]
    presets: tuple[Preset, ...]


def ask(rules: Rules, procedure: str, pairs: Iterable[str], who: Iterable[str]) -> Asked:
    entry = procedure_called(rules, procedure)
    state = State()
    for one in who:
        state = with_somebody(rules, state, one)
    state = seated(rules, state)
    given: dict[str, str] = {}
    for key, text in map(split_pair, pairs):
        if key in given:
            raise Refused(f"`{key}` is said twice: `{key}={given[key]}` and `{key}={text}`")
        given[key] = text
    said: dict[str, str] = {}
    for role in roles_of(entry):
        keys = [key for key in given if slug(key) in role_words(rules, role)]
        refuse_both(keys, f"the {role.word}")
        if keys:
            said[role.word] = given.pop(keys[0])
    for key in given:
        refuse_unknown(rules, entry, whose_what(rules, key)[1])
    state, roles = with_roles(rules, state, entry, said)
    presets: list[Preset] = []
    meant: dict[tuple[str, str], str] = {}
    for key, text in given.items():
        made = with_stated(rules, state, key, text)
        if made is None:
            presets.append(preset(rules, state, entry, key, text))
            continue
        state, what = made[0], made[1:]
        refuse_both([*([meant[what]] if what in meant else []), key], "the same")
        meant[what] = key
    refuse_forbidden(rules, state, entry, roles)
    return Asked(rules, state, entry, roles, tuple(presets))


def refuse_forbidden(rules: Rules, state: State, entry: Entry, roles: Mapping[str, Value]) -> None:
    """Of what cannot be begun there is nothing to tell: that nothing comes of it would sound like an answer."""
    held = None
    with suppress(RuleError):  # which the rules come to again, and say where
        held = Evaluator(rules, state, lambda effect: None).barred(entry.id, dict(roles))
    if held is None:
        return
    of = f" of {named(rules, state, held.scope.owner)}" if held.scope.owner else ""
    place = rules.place(held.scope.entry, held.scope.line)
    raise Refused(f"{entry.name} is forbidden by {named(rules, state, held.scope.entry)}{of}{f' ({place})' if place is not None else ''}")


def refuse_both(keys: list[str], what: str) -> None:
    """Nobody can mean two things: the second one would be lost."""
    if len(keys) > 1:
        raise Refused(f"`{keys[0]}` and `{keys[1]}` both say {what}; leave one of them out")


def split_pair(text: str) -> tuple[str, str]:
    key, equals, value = text.partition("=")
    if not equals or not key.strip() or not value.strip():
        raise Refused(f"`{text}` is not of the form `name=value`; a role is given as `actor=Ann`, a number as `Ann.Luck=3`")
    return key.strip(), value.strip()
