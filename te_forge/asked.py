"""What a command line says about a moment of a game: who is there, which numbers they have, who does what, what is decided beforehand.

`actor=Ann Luck=4 Ann.Wounds=2 trick=yes` names a role, a number of whoever has it, a number of Ann's, and the answer to a choice. Whatever does not fit
is refused in a sentence (`Refused`) that says what would.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from te_forge.check import check
from te_forge.check.names import slug
from te_forge.engine.effects import Choose, Decision, Keep, Number, Offer, Several
from te_forge.engine.index import Rules, sentences
from te_forge.engine.odds import left, numbers_at_end
from te_forge.engine.people import add_person, with_number
from te_forge.engine.policies import Policy
from te_forge.engine.reading import COMPARE, Reading
from te_forge.engine.state import Dice, Person, Scope, State, Value
from te_forge.model import rules as m
from te_forge.model.system import Entry
from te_forge.source import Source
from te_forge.suggest import a, did_you_mean


class Refused(Exception):
    """What was asked does not fit the game; the message is a sentence for people."""


@dataclass(slots=True)
class Preset:
    """An answer that is given beforehand: to the choices called `word`, of `who` (empty: of anybody)."""

    word: str
    who: str
    values: tuple[str, ...]
    text: str
    used: bool = False
    others: set[str] = field(default_factory=set)
    """What could have been answered where the word fitted and no value did."""


@dataclass(frozen=True, slots=True)
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
    given = dict(split_pair(one) for one in pairs)
    said = {role.word: given.pop(key) for role in roles_of(entry) for key in list(given) if slug(key) == slug(role.word)}
    state, roles = with_roles(rules, state, entry, said)
    presets: list[Preset] = []
    for key, text in given.items():
        made = with_stated(rules, state, key, text)
        if made is None:
            presets.append(preset(rules, state, entry, key, text))
        else:
            state = made
    return Asked(rules, state, entry, roles, tuple(presets))


def split_pair(text: str) -> tuple[str, str]:
    key, equals, value = text.partition("=")
    if not equals or not key.strip() or not value.strip():
        raise Refused(f"`{text}` is not of the form `name=value`")
    return key.strip(), value.strip()


# ---------------------------------------------------------------- names


def called(rules: Rules, name: str, entries: Iterable[Entry]) -> Entry | None:
    """The entry that is meant by a name, another name of it, its id or the end of its id."""
    wanted = slug(name)
    for entry in entries:
        if name == entry.id or wanted in (slug(entry.name), entry.slug, *map(slug, entry.aliases)):
            return entry
    return None


def procedure_called(rules: Rules, name: str) -> Entry:
    all_ = rules.system.of_kind("procedure")
    found = called(rules, name, all_)
    if found is None:
        names = ", ".join(sorted(entry.name for entry in all_))
        raise Refused(f"no procedure is called `{name}`{did_you_mean(name, [entry.name for entry in all_]) or f'; there are {names}'}")
    return found


def roles_of(procedure: Entry) -> list[m.Holds]:
    stated = procedure.fields.get("roles")
    return [atom for atom in stated.value if isinstance(atom, m.Holds)] if stated is not None else []


# ---------------------------------------------------------------- who is there


def with_somebody(rules: Rules, state: State, text: str) -> State:
    """`Ann: a Smith with Might 3 and Sly` is there, read as a line of an example is read."""
    name = text.partition(":")[0].strip()
    info = rules.system.pack.model_copy(update={"id": "asked", "requires": {}})
    system, found = check([Source("who", f"# Asked\n\n## example: Asked\n- {text}\n")], info, rules.system)
    wrong = next((one for one in found if one.severity == "error"), None)
    if wrong is not None:
        raise Refused(f"`{text}`: {wrong.message}" + (f"; {wrong.help}" if wrong.help else ""))
    entry = system.entries.get("asked:example/asked") if system is not None else None
    sheet = next((atom for one in (entry.fields.values() if entry else ()) for atom in one.value if isinstance(atom, m.Sheet | m.Holds)), None)
    if sheet is None:
        raise Refused(f"`{text}` does not say who somebody is; write `Ann: a character`, or what else they are, with their numbers")
    if name in state.people:
        raise Refused(f"`{name}` is there twice; give the second one another name")
    state = add_person(rules, state, name, sheet)
    for stat, number in sheet.stats if isinstance(sheet, m.Sheet) else ():
        within(rules, state, name, stat, number)
    return state


def within(rules: Rules, state: State, who: str, stat: str, number: int | None) -> None:
    """Refuses a number that its own bounds forbid."""
    least, most = Reading(rules, state).bounds(who, stat)
    name = f"{named(rules, state, who)}'s {rules.entries[stat].name}"
    if number is not None and least is not None and number < least:
        raise Refused(f"{name} is at least {least}, so it cannot be {number}")
    if number is not None and most is not None and number > most:
        raise Refused(f"{name} is at most {most}, so it cannot be {number}")


def named(rules: Rules, state: State, id: str) -> str:
    if id in state.people:
        return state.people[id].name
    entry = rules.entries.get(id)
    return f"the {entry.name}" if entry is not None and entry.kind == "kind" else entry.name if entry is not None else id


def actors(rules: Rules) -> list[Entry]:
    """Entries that are somebody: those of a kind that acts, and the ones of whom there is one only."""
    single = {info.id for info in rules.system.kinds.values() if info.single}
    return [entry for entry in rules.entries.values() if entry.id in single or (entry.kind != "kind" and rules.nature(entry.kind) == "actor")]


def somebody(rules: Rules, state: State, name: str) -> tuple[State, str]:
    """Who is meant, by name. An entry that is somebody is there as soon as it is named."""
    name = name.strip().removeprefix("the ")
    for id, person in state.people.items():
        if slug(person.name) == slug(name):
            return state, id
    entry = called(rules, name, actors(rules))
    if entry is None:
        near = did_you_mean(name, [*(person.name for person in state.people.values()), *(one.name for one in actors(rules))])
        raise Refused(f'nobody here is called `{name}`{near}; say who that is with --who "{name}: a character"')
    if entry.kind != "kind":
        state = replace(state, people=state.people.set(entry.id, Person(entry.name, entry.kind, entry.id)))
    return state, entry.id


# ---------------------------------------------------------------- roles


def with_roles(rules: Rules, state: State, procedure: Entry, said: Mapping[str, str]) -> tuple[State, dict[str, Value]]:
    roles: dict[str, Value] = {}
    for holds in roles_of(procedure):
        if holds.word not in said:
            example = example_of(rules, holds.type)
            raise Refused(f"{procedure.name} needs {holds.type} as the {holds.word}; write `{holds.word}={example}`")
        state, roles[holds.word] = role_value(rules, state, holds, said[holds.word])
    return state, roles


def example_of(rules: Rules, type: m.Type) -> str:
    if type.name == "number":
        return "3"
    if type.name in ("actor", "group"):
        found = next((entry.name for entry in actors(rules) if rules.is_a(rules.kind_of(entry.id), type.kind) and type.kind not in ("actor", "")), "Ann")
        return found if type.name == "actor" else f"{found},Ben" if found == "Ann" else found
    return next((entry.name for entry in rules.entries.values() if entry.kind == type.kind), "..")


def role_value(rules: Rules, state: State, holds: m.Holds, text: str) -> tuple[State, Value]:
    match holds.type.name:
        case "number":
            return state, whole(text, f"the {holds.word}")
        case "actor":
            return one_actor(rules, state, holds, text)
        case "group":
            ids: list[str] = []
            for name in text.split(","):
                state, id = one_actor(rules, state, holds, name.strip())
                ids.append(id)
            if len(set(ids)) < len(ids):
                raise Refused(f"somebody is among the {holds.word} twice")
            return state, tuple(ids)
        case "entry":
            fitting = [entry for entry in rules.entries.values() if entry.kind == holds.type.kind]
            found = called(rules, text, fitting)
            if found is None:
                raise Refused(f"there is no {holds.type.kind} called `{text}`{did_you_mean(text, [entry.name for entry in fitting])}")
            return state, found.id
        case _:
            return state, text


def one_actor(rules: Rules, state: State, holds: m.Holds, name: str) -> tuple[State, str]:
    state, id = somebody(rules, state, name)
    kind = Reading(rules, state).kind(id)
    if not rules.is_a(kind, holds.type.kind):
        raise Refused(f"the {holds.word} is {a(holds.type.kind)}, and {named(rules, state, id)} is {a(kind)}")
    return state, id


def whole(text: str, what: str) -> int:
    if not re.fullmatch(r"-?\d{1,9}", text):
        raise Refused(f"{what} is a whole number, so it cannot be `{text[:40]}`")
    return int(text)


# ---------------------------------------------------------------- numbers


def with_stated(rules: Rules, state: State, key: str, text: str) -> State | None:
    """The state with a number as it is stated; None when the key is not a number's name."""
    whose, dot, name = key.rpartition(".")
    entry = called(rules, name, (entry for entry in rules.entries.values() if rules.nature(entry.kind) == "number"))
    if entry is None:
        return None
    if dot:
        state, holder = somebody(rules, state, whose)
    else:
        holder = holder_of(rules, state, entry)
    if not Reading(rules, state).has_number(holder, entry.id):
        raise Refused(f"{named(rules, state, holder)} has no {entry.name}")
    number = whole(text, f"{named(rules, state, holder)}'s {entry.name}")
    within(rules, state, holder, entry.id, number)
    return with_number(state, holder, entry.id, number)


def holder_of(rules: Rules, state: State, entry: Entry) -> str:
    """Whose number it is when nobody is named: that of the one and only, or of the only one here who has it."""
    reading = Reading(rules, state)
    single = reading.holder(entry.id, Scope())
    if single is not None:
        return str(single)
    having = [id for id in state.people if reading.has_number(id, entry.id)] or list(reading.things_with(entry.id))
    if len(having) == 1:
        return having[0]
    names = " or ".join(f"`{named(rules, state, id)}.{entry.name}=..`" for id in having[:3])
    raise Refused(f"whose {entry.name} is meant? Write {names}" if having else f"nobody here has {entry.name}")


# ---------------------------------------------------------------- answers given beforehand

YES, NO = ("yes", "true", "1"), ("no", "false", "0", "nothing")
VERBS = {"keep": "keeps", "keeps": "keeps", "reroll": "rerolls", "rerolls": "rerolls"}


def preset(rules: Rules, state: State, procedure: Entry, key: str, text: str) -> Preset:
    whose, dot, word = key.rpartition(".")
    who = somebody(rules, state, whose)[1] if dot else ""
    known = set(words_asked(rules))
    if slug(word) not in {slug(one) for one in known}:
        numbers = [entry.name for entry in rules.entries.values() if rules.nature(entry.kind) == "number"]
        near = did_you_mean(word, [*known, *numbers, *(role.word for role in roles_of(procedure))])
        raise Refused(f"`{word}` is no role of {procedure.name}, no number, and nothing that anybody is asked for{near}")
    return Preset(slug(word), who, tuple(one.strip() for one in text.split(",")), f"{key}={text}")


def words_asked(rules: Rules) -> Iterator[str]:
    """What choices and offers of the game are called."""
    yield from VERBS
    yield "option"
    for entry in rules.entries.values():
        for line in (*entry.lines, *(line for step in entry.steps for line in step.lines)):
            yield from words_of_line(rules, entry, line)


def words_of_line(rules: Rules, entry: Entry, line: Any) -> Iterator[str]:
    for one in sentences(line.meaning):
        if isinstance(one, m.Choose | m.ChooseOne) and one.word:
            yield one.word
        if isinstance(one, m.Transfer) and one.amount.word:
            yield one.amount.word
        if isinstance(one, m.May):
            yield from (line.label, entry.name)
            yield from ([rules.entries[entry.owner].name] if entry.owner else [])
    for below in line.lines:
        yield from words_of_line(rules, entry, below)


def with_presets(policy: Policy, presets: tuple[Preset, ...]) -> Policy:
    """The policy, after the answers that are given beforehand."""

    def decide(decision: Decision, reading: Reading) -> Any:
        found = answered(presets, decision, reading)
        return found[0] if found else policy(decision, reading)

    return decide if presets else policy


def answered(presets: tuple[Preset, ...], decision: Decision, reading: Reading) -> tuple[Any, ...]:
    """The answer that is given beforehand, as the only one of a tuple; empty when there is none."""
    for one in presets:
        if one.who in ("", decision.who) and any(slug(word) == one.word for word in words_for(decision)):
            found = value_for(one, decision, reading)
            if found:
                one.used = True
                return found
    return ()


def words_for(decision: Decision) -> Iterator[str]:
    match decision:
        case Choose(word=word) | Number(word=word) | Several(word=word):
            yield word
        case Offer(names=names):
            yield from names
        case Keep(verb=verb):
            yield from (word for word, means in VERBS.items() if means == verb)
        case _:
            pass


def value_for(one: Preset, decision: Decision, reading: Reading) -> tuple[Any, ...]:
    match decision:
        case Choose(options=options, labels=labels):
            for value in one.values:
                for option, label in zip(options, labels, strict=True):
                    if slug(value) in (slug(label), slug(str(option)), slug(reading_name(reading, option))):
                        return (option,)
            one.others |= set(labels)
        case Offer():
            if one.values[0].casefold() in (*YES, *NO):
                return (one.values[0].casefold() in YES,)
            one.others |= {"yes", "no"}
        case Number(low=low, high=high):
            if re.fullmatch(r"\d{1,9}", one.values[0]):
                return (min(max(int(one.values[0]), low), high),)
            one.others |= {f"a number up to {high}"}
        case Several(options=options):
            wanted = {slug(value) for value in one.values}
            found = tuple(option for option in options if slug(option) in wanted or slug(reading_name(reading, option)) in wanted)
            if found or wanted <= {"nothing", "none"}:
                return (found,)
            one.others |= set(options)
        case Keep():
            return dice_for(one, decision)
        case _:
            pass
    return ()


def dice_for(one: Preset, decision: Keep) -> tuple[Dice, ...]:
    """`highest`, `lowest`, `all`, `none`, or faces: these first, as many as may be taken, and the highest where too few show them."""
    least, most, dice = decision.least, decision.most, decision.dice
    match one.values:
        case ("highest",) | ("all",):
            return (dice[:most],)
        case ("lowest",):
            return (dice[len(dice) - max(least, 1) :] if most else (),)
        case ("none",):
            return (dice[:least],)
    if not all(value.isdecimal() for value in one.values):
        one.others |= {"highest", "lowest", "all", "none", "faces such as 1,2"}
        return ()
    faces = [int(value) for value in one.values]
    taken = [die for die in dice if die[0] in faces][:most]
    rest = [die for die in dice if die[0] not in faces]
    return (tuple(sorted([*taken, *rest[: max(0, least - len(taken))]], reverse=True)),)


def reading_name(reading: Reading, id: Any) -> str:
    entry = reading.rules.entries.get(str(id))
    return reading.state.people[id].name if id in reading.state.people else entry.name if entry is not None else str(id)


def unused(presets: tuple[Preset, ...], procedure: Entry) -> None:
    """Refuses an answer that was never wanted: a typing mistake would otherwise pass in silence."""
    for one in presets:
        if not one.used and one.others:
            raise Refused(f"`{one.text}` is none of the answers there; there are {', '.join(sorted(one.others))}")
        if not one.used:
            raise Refused(f"`{one.text}` answers nothing: nobody is asked for that in {procedure.name} as it stands here")


# ---------------------------------------------------------------- goals

SIGNS = {">=": "at least", "<=": "at most", ">": "above", "<": "below", "=": "is", "==": "is"}


@dataclass(frozen=True, slots=True)
class Goal:
    """An outcome that is wanted, or a comparison with a number that the procedure yields."""

    text: str
    outcome: str = ""
    key: tuple[str, str] = ("", "")
    compare: str = "is"
    number: int = 0

    def reached(self, rules: Rules, start: State, end: State) -> bool:
        if self.outcome:
            return left(end).outcome == self.outcome
        stored = self.key[1] in rules.entries
        value = Reading(rules, end).stat(*self.key) if stored else numbers_at_end(rules, start, end, frozenset((self.key[1],))).get(self.key)
        return value is not None and COMPARE[self.compare](value, self.number)


def goal(asked: Asked, text: str, yields: frozenset[str]) -> Goal:
    """`Success`, `lead >= 3`, `Ann.Wounds < 2`."""
    found = re.fullmatch(r"\s*(.+?)\s*(>=|<=|==|=|>|<)\s*(-?\d{1,9})\s*", text)
    outcomes = asked.procedure.fields.get("outcomes")
    names = [atom.text for atom in outcomes.value if isinstance(atom, m.Text)] if outcomes is not None else []
    if found is None:
        name = next((name for name in names if slug(name) == slug(text)), None)
        if name is None:
            some = f"; its outcomes are {', '.join(names)}" if names else "; it has no outcomes, so give a comparison such as `total >= 9`"
            raise Refused(f"`{text}` is no outcome of {asked.procedure.name}{did_you_mean(text, names) or some}")
        return Goal(text, outcome=f"{asked.procedure.id}#{slug(name)}")
    whose, _, word = found[1].rpartition(".")
    holder = somebody(asked.rules, asked.state, whose)[1] if whose else ""
    return Goal(text, key=goal_key(asked, holder, word.strip(), yields), compare=SIGNS[found[2]], number=int(found[3]))


def goal_key(asked: Asked, holder: str, word: str, yields: frozenset[str]) -> tuple[str, str]:
    entry = called(asked.rules, word, (one for one in asked.rules.entries.values() if asked.rules.nature(one.kind) == "number"))
    if entry is not None:
        return holder or holder_of(asked.rules, asked.state, entry), entry.id
    if word not in yields:
        numbers = [one.name for one in asked.rules.entries.values() if asked.rules.nature(one.kind) == "number"]
        raise Refused(f"`{word}` is no number that {asked.procedure.name} yields{did_you_mean(word, [*yields, *numbers])}; it yields {', '.join(sorted(yields)) or 'none'}")
    declared = asked.rules.declared[asked.procedure.id]
    if word in declared and not holder:
        first = next(iter(asked.roles.values()), None)
        if not isinstance(first, str):
            raise Refused(f"whose {word} is meant? Write `Ann.{word}`, with the name of somebody")
        holder = first
    return (holder if word in declared else ""), word

