"""What can be done at a table besides answering: people come and go, numbers are set, spans open and close, procedures begin, offers are taken.

A command is plain data, as it stands in the log. `prepared` looks whether it can be carried out now (`Refused` says why not), and gives back what
does it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from te_forge.asked import Refused, refuse_twice, with_somebody
from te_forge.asked.tables import refuse_undiced
from te_forge.characters.character import into_state
from te_forge.characters.reading import character_in
from te_forge.diagnostics import has_errors
from te_forge.engine.evaluate import Evaluator
from te_forge.engine.people import taken_by, with_number
from te_forge.engine.policies import unknown
from te_forge.engine.state import Frame, Map, Result, Scope, State
from te_forge.model.rules import Thing
from te_forge.model.system import Entry
from te_forge.play import may, spans
from te_forge.play.answering import EVERYBODY
from te_forge.play.may import Run
from te_forge.play.names import called, name
from te_forge.play.people import with_instance
from te_forge.source import Source

if TYPE_CHECKING:
    from te_forge.play.table import Table

MOST_NUMBER = 999_999_999


def prepared(table: Table, command: Mapping[str, Any]) -> Run:
    prepare = KINDS.get(str(command.get("do")))
    if prepare is None:
        raise Refused(f"there is no command `{command.get('do')}`")
    try:
        return prepare(table, command)
    except (KeyError, TypeError, AttributeError, ValueError):
        raise Refused("the command lacks a part, or has a wrong one") from None


def join(table: Table, command: Mapping[str, Any]) -> Run:
    """Somebody, as a line of an example says it, or as a file of a character does."""
    if "file" in command:
        who, state = with_file(table, command["file"])
    else:
        state = with_somebody(table.rules, table.state, command["sheet"])
        who = next(id for id in state.people if id not in table.state.people)
    return becomes(table, state, f"{who} is here")


def with_file(table: Table, text: str) -> tuple[str, State]:
    """The character whose file has this text. The log keeps the text, so that the game does not depend on the file."""
    character, found = character_in(Source("character", text), table.rules)
    if character is None or has_errors(found):
        wrong = next((one for one in found if one.severity == "error"), None)
        raise Refused(f"this is no character of {table.rules.system.pack.id}" + (f": line {wrong.span.line}: {wrong.message}" if wrong else ""))
    if other := taken_by(table.rules, table.state, character.name):
        raise Refused(f"`{other}` is there already; give somebody else another name")
    return character.name, into_state(table.rules, table.state, character.today)


def enter(table: Table, command: Mapping[str, Any]) -> Run:
    entry = entry_of(table, command["id"])
    if table.rules.nature(entry.kind) != "actor":
        raise Refused(f"{entry.name} is nobody who could come in")
    who, state = with_instance(table.rules, table.state, entry)
    return becomes(table, state, f"{who} is here")


def leave(table: Table, command: Mapping[str, Any]) -> Run:
    who = present(table, command["who"])
    state = table.state
    people = state.people.without(who)
    numbers = Map({key: value for key, value in state.numbers.items() if key[0] != who})
    bounds = Map({key: value for key, value in state.bounds.items() if key[0] != who})
    fields = Map({key: value for key, value in state.fields.items() if key[0] != who})
    gone = replace(state, people=people, numbers=numbers, bounds=bounds, fields=fields, traits=state.traits.without(who))
    return becomes(table, gone, f"{who} has left")


def set_number(table: Table, command: Mapping[str, Any]) -> Run:
    """A number is put right. Nothing is set off by it."""
    who, stat, to = holder(table, command), entry_of(table, command["id"]), whole_in(command, "to")
    least, most = table.reading().bounds(who, stat.id)
    if (least is not None and to < least) or (most is not None and to > most):
        raise Refused(
            f"{stat.name} is {'' if least is None else f'at least {least}'}{' and ' if None not in (least, most) else ''}{'' if most is None else f'at most {most}'}"
        )
    return becomes(table, with_number(table.state, who, stat.id, to), f"{called(table.rules, who)}'s {stat.name} is now {to}")


def gain(table: Table, command: Mapping[str, Any]) -> Run:
    """A gain or loss as a rule would bring it: limits hold, and it can set things off."""
    who, stat, amount = holder(table, command), entry_of(table, command["id"]), whole_in(command, "amount")
    return lambda run: run.move(who, stat.id, amount, Scope())


def carry(table: Table, command: Mapping[str, Any]) -> Run:
    who, trait = str(command["who"]), entry_of(table, command["id"])
    if table.rules.nature(trait.kind) != "trait":
        raise Refused(f"{trait.name} is nothing that somebody has or has not")
    takes = command["do"] == "give"
    if (trait.id in table.reading().carried(who)) == takes:
        raise Refused(f"{name(table.rules, who)} {'has' if takes else 'does not have'} {trait.name}")
    return lambda run: run.carry(who, trait.id, takes, Scope())


def open_(table: Table, command: Mapping[str, Any]) -> Run:
    between(table)
    entry = entry_of(table, command["id"])
    if not spans.is_span(table.rules, entry):
        raise Refused(f"{entry.name} is no span of time")
    running = spans.open_now(table.state)
    if entry.id in running:
        raise Refused(f"{entry.name} is open already; `end {entry.name}` closes it")
    wanted = [one for one in (*spans.around(table.rules, entry), entry) if one.id not in running]
    keep = {one.id for one in spans.around(table.rules, entry)}
    close = sum(id not in keep for id in running)

    def run(evaluator: Evaluator) -> None:
        for _ in range(close):
            evaluator.close_span()
        for one in wanted:
            evaluator.open_span(one.id)

    return run


def close(table: Table, command: Mapping[str, Any]) -> Run:
    between(table)
    running = spans.open_now(table.state)
    if command["id"] not in running:
        raise Refused(f"{entry_of(table, command['id']).name} is not open")
    inner = len(running) - running.index(command["id"])

    def run(evaluator: Evaluator) -> None:
        for _ in range(inner):
            evaluator.close_span()

    return run


def begin(table: Table, command: Mapping[str, Any]) -> Run:
    entry = entry_of(table, command["id"])
    if entry.kind != "procedure" or not entry.steps:
        raise Refused(f"{entry.name} is no procedure that can be begun")
    given: dict[str, Any] = {role: tuple(value) if isinstance(value, list | tuple) else value for role, value in command["roles"].items()}
    roles = {holds.word: may.fitting(table, holds, given) for holds in may.roles(entry)}
    if extra := [role for role in given if role not in roles]:
        raise Refused(f"{entry.name} has no role called `{extra[0]}`")
    refuse_twice(table.rules, table.state, entry, roles)
    if why := may.barred(table, entry, roles):
        raise Refused(why)
    return lambda run: run.do(entry.id, roles)


def roll_on(table: Table, command: Mapping[str, Any]) -> Run:
    """A table, rolled by itself: what its row says happens, outside of any procedure."""
    entry, who = entry_of(table, command["id"]), str(command["who"])
    if entry.kind != "table":
        raise Refused(f"{entry.name} is no table")
    refuse_undiced(entry)

    def run(evaluator: Evaluator) -> Result:
        depth = len(evaluator.state.frames)
        evaluator.state = evaluator.state.pushed(Frame(apart=True))
        evaluator.roll_source(who, Thing(entry.id), None, Scope(frame=depth, entry=entry.id))
        evaluator.fire()
        evaluator.state = evaluator.state.popped(depth)
        return Result("", Map(), Map())

    return run


def take(table: Table, command: Mapping[str, Any]) -> Run:
    fits = [action for action in may.actions(table) if (action.id, action.owner) == (command["id"], command["who"])]
    if not fits:
        raise Refused("nobody can take that now")
    action = next((one for one in fits if not one.why_not), fits[0])
    if action.why_not:
        raise Refused(action.why_not)
    return begins_with(table, f"{name(table.rules, action.owner or action.who)} takes {action.title}", action.run)


def bot(table: Table, command: Mapping[str, Any]) -> Run:
    """Who is played by a bot. Somebody who is played by a person stays so whatever is said of everybody."""
    who, policy = str(command["who"]), command["policy"]
    if policy is not None and (why := unknown(str(policy))):
        raise Refused(why)

    def run(evaluator: Evaluator) -> None:
        table.teller.say(f"{whom(table, who)} is played by {f'the policy {policy}' if policy else 'a person'}.")
        table.bots = {} if who == EVERYBODY and not policy else {**table.bots, who: policy or ""}

    return run


KINDS: dict[str, Callable[[Table, Mapping[str, Any]], Run]] = {
    "join": join, "enter": enter, "leave": leave, "set": set_number, "gain": gain, "give": carry, "drop": carry,
    "open": open_, "close": close, "begin": begin, "roll on": roll_on, "take": take, "bot": bot,
}  # fmt: skip

# ---------------------------------------------------------------- parts of commands


def becomes(table: Table, state: State, said: str) -> Run:
    def run(evaluator: Evaluator) -> None:
        evaluator.state = state
        table.teller.say(said + ".")

    return run


def begins_with(table: Table, said: str, then: Run) -> Run:
    def run(evaluator: Evaluator) -> Result | None:
        table.teller.say(said[:1].upper() + said[1:] + ".")
        return then(evaluator)

    return run


def whom(table: Table, key: str) -> str:
    """Whom a bot plays: one, or all of a kind."""
    info = table.rules.system.kinds.get(key)
    if info is None or key in table.state.people:
        return called(table.rules, key)
    return f"The {key}" if info.single else f"Every {key}"


def between(table: Table) -> None:
    if table.inside:
        raise Refused(f"{entry_of(table, table.inside).name} goes on; spans of time open and close between procedures")


def entry_of(table: Table, id: object) -> Entry:
    entry = table.rules.entries.get(str(id))
    if entry is None:
        raise Refused(f"this pack has no `{id}`")
    return entry


def present(table: Table, who: object) -> str:
    if who in table.rules.entries and who not in table.state.people:
        raise Refused(f"{name(table.rules, who)} belongs to the game, and cannot leave it")
    if who not in table.state.people:
        raise Refused(f"nobody here is called `{who}`")
    return str(who)


def whole_in(command: Mapping[str, Any], key: str) -> int:
    number = command[key]
    if type(number) is not int or abs(number) > MOST_NUMBER:
        raise Refused(f"`{str(number)[:40]}` is no whole number of nine digits at most")
    return number


def holder(table: Table, command: Mapping[str, Any]) -> str:
    """Who has the number that a command is about."""
    who, stat = str(command["who"]), entry_of(table, command["id"])
    if not table.reading().has_number(who, stat.id):
        raise Refused(f"{name(table.rules, who)} has no {stat.name}")
    return who
