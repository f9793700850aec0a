"""Stretches of time, and what is begun in them.

A procedure without steps that others are `Part Of`, and that nothing counts as, is a span: a game, a session, a scene. Spans are opened and closed by
hand. A procedure with steps can be begun; one that is a part of another one with steps (a throw in a contest) is run by that one as a rule.
"""

from __future__ import annotations

from te_forge.engine.index import OUT_OF_PLAY, Rules, sentences
from te_forge.engine.state import State
from te_forge.model.rules import Do, Say, Sentence
from te_forge.model.system import Entry


def is_span(rules: Rules, entry: Entry) -> bool:
    if entry.kind != "procedure" or entry.steps:
        return False
    holds_others = any(entry.id in wholes for wholes in rules.wholes.values())
    return holds_others and not any(entry.id in line and id != entry.id for id, line in rules.lineage.items())


def rooms(rules: Rules) -> frozenset[str]:
    """Procedures in which nothing happens but that somebody says what they do: what that is, is done in them, as in a turn of a fight."""
    found = []
    for entry in rules.system.of_kind("procedure"):
        said = [sentence for step in entry.steps for line in step.lines for sentence in line.meaning]
        if said and all(isinstance(sentence, Say) for sentence in said):
            found.append(entry.id)
    return frozenset(found)


def spans(rules: Rules) -> list[Entry]:
    """All spans, a larger one before those in it."""
    return sorted((entry for entry in rules.system.of_kind("procedure") if is_span(rules, entry)), key=lambda entry: len(around(rules, entry)))


def around(rules: Rules, entry: Entry) -> list[Entry]:
    """The spans that this one is in, the largest first."""
    found: list[Entry] = []
    todo = [entry.id]
    while todo:
        for whole in rules.wholes.get(todo.pop(), ()):
            other = rules.entries[whole]
            if is_span(rules, other) and other not in found:
                found.insert(0, other)
                todo.append(whole)
    return found


def open_now(state: State) -> list[str]:
    return [frame.procedure for frame in state.frames if frame.procedure]


def first_spans(rules: Rules) -> list[Entry]:
    """What is open when people sit down: the largest span, and the one in it as long as there is just one."""
    found: list[Entry] = []
    while True:
        inner = [one for one in spans(rules) if around(rules, one) == found and one not in found]
        if len(inner) != 1:
            return found
        found.append(inner[0])


def begun(rules: Rules) -> list[Entry]:
    """Procedures that people begin: they have steps, and what they are a part of is a span."""
    return [entry for entry in rules.system.of_kind("procedure") if entry.steps and not part_of_steps(rules, entry)]


def part_of_steps(rules: Rules, entry: Entry) -> bool:
    wholes = [rules.entries[whole] for id in rules.lineage[entry.id] for whole in rules.wholes.get(id, ()) if whole in rules.entries]
    return any(not is_span(rules, whole) for whole in wholes)


def in_a_span(rules: Rules, entry: Entry) -> bool:
    return any(is_span(rules, rules.entries[whole]) for id in rules.lineage[entry.id] for whole in rules.wholes.get(id, ()) if whole in rules.entries)


def trait_of(rules: Rules, entry: Entry) -> str:
    """The trait whose rules run a procedure, where only traits do: then it is theirs, and not for everybody. Else empty."""
    users = [
        user
        for user in rules.entries.values()
        if user.kind not in OUT_OF_PLAY and any(isinstance(one, Do) and one.procedure == entry.id for one in every_sentence(user))
    ]
    return users[0].id if users and all(rules.nature(user.kind) == "trait" for user in users) else ""


def every_sentence(entry: Entry) -> list[Sentence]:
    todo = [*entry.lines, *(line for step in entry.steps for line in step.lines)]
    found: list[Sentence] = []
    while todo:
        line = todo.pop()
        todo += line.lines
        found += sentences(line.meaning)
    return found
