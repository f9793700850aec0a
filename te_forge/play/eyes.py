"""Who sees what. A procedure that is `Seen By` somebody hides its rolls, rows, choices and words from everybody else; what it changes lies on the
table.
"""

from __future__ import annotations

from collections.abc import Iterable

from te_forge.asked import Refused
from te_forge.engine.index import Rules
from te_forge.engine.state import Person
from te_forge.keys import slug
from te_forge.model import rules as m
from te_forge.model.system import Entry
from te_forge.model.walk import nodes
from te_forge.play.names import key_of, kind_names, there_is
from te_forge.suggest import did_you_mean

Eyes = frozenset[str]
"""What somebody is: the id and all kinds of somebody, by name and by id. Nobody's eyes (`None` instead) see everything."""
OPEN_TO_ALL = ("gain", "loss", "pay", "set", "bound-set", "take", "drop")
"""Notes of what everybody sees on the table, whatever brought it about."""


def eyes_of(rules: Rules, typed: str, people: Iterable[tuple[str, Person]]) -> Eyes:
    """The eyes of a person, or of everybody of a kind (`gm`, `player`)."""
    wanted = key_of(typed.strip().removeprefix("the "))
    everybody = list(people)
    for id, person in everybody:
        if key_of(person.name) == wanted:
            return frozenset({id, *kinds_of(rules, person.kind)})
    actors = [info.name for info in rules.system.kinds.values() if info.nature == "actor"]
    kind = next((one for one in actors if wanted in map(slug, kind_names(rules, rules.system.kinds[one]))), None)
    if kind is None:
        names = list(dict.fromkeys([*(person.name for _, person in everybody), *actors]))
        raise Refused(f"nobody is called `{typed}`{did_you_mean(typed, names) or '; ' + there_is(names)}")
    return frozenset(kinds_of(rules, kind))


def kinds_of(rules: Rules, kind: str) -> Iterable[str]:
    for name, info in rules.system.kinds.items():
        if rules.is_a(kind, name):
            yield from (name, info.id)


def sees(eyes: Eyes | None, procedure: Entry) -> bool:
    """Whether these eyes see the rolls of a procedure."""
    stated = procedure.fields.get("seen-by")
    if eyes is None or stated is None:
        return True
    meant = {node.id for node in nodes(stated.value) if isinstance(node, m.Thing)} | {
        node.kind for node in nodes(stated.value) if isinstance(node, m.Members)
    }
    return not eyes.isdisjoint(meant)
