"""Who and what is meant by what was typed: people, roles, numbers. Whatever does not fit is `Refused` in a sentence that says what would."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from itertools import islice

from te_forge.check import check_example
from te_forge.check.names import Names
from te_forge.check.required import names_from
from te_forge.engine.index import Rules
from te_forge.engine.people import add_person, bad_name, taken_by, with_number
from te_forge.engine.reading import Reading, as_group
from te_forge.engine.state import Person, Scope, State, Value
from te_forge.keys import fold, slug
from te_forge.model import rules as m
from te_forge.model.system import Entry
from te_forge.source import Source
from te_forge.suggest import a, did_you_mean, listed


class Refused(Exception):
    """What was asked does not fit the game; the message is a sentence for people."""


# ---------------------------------------------------------------- names


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
            raise Refused(f"say which procedure; there are {names}")
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


# ---------------------------------------------------------------- who is there


STAND_IN = "Somebody"
"""Stands for a name where the rest of a line is read: a name may hold signs that have no meaning in a rule."""
EXAMPLE = "Asked"
"""What the line is read as is called so. The line itself cannot mean that: it is no name of the game."""


def short(text: str) -> str:
    """What somebody typed, on one line and not too long."""
    line = " ".join(text.split())
    return line if len(line) <= 80 else line[:77] + "..."


SEVERAL = re.compile(r"([^\W\d_][\w'-]*(?: (?!with |and )[^\W\d_][\w'-]*)*) (-?\d+) ?(?:\.\.\.?|…|[-–—]| to ) ?(-?\d+)(?!\w)")
"""A range of numbers, where somebody has one."""


def with_somebody(rules: Rules, state: State, text: str) -> State:
    """`Ann: a Smith with Might 3 and Sly` is there, read as a line of an example is read."""
    name, _, sheet_text = (" ".join(part.split()) for part in text.partition(":"))
    name = fold(name)
    if reason := bad_name(name) if name else "a name is needed in front of the colon":
        raise Refused(f"`{short(text)}`: {reason}; write for example `Ann: {sort_of(rules)}`")
    if not sheet_text:
        if actor_called(rules, name) is not None:
            raise Refused(
                f"`{short(text)}` stands in the book, and is there as soon as a role names it, or `add {short(text)}` in a scene; --who is for somebody new, such as `Ann: {sort_of(rules)}`"
            )
        raise Refused(
            f"`{short(text)}` does not say who somebody is; write `{with_colon(name, sort_of(rules))}`, or what else they are, with their numbers"
        )
    if several := SEVERAL.search(sheet_text):
        stat, low, high = several.groups()
        raise Refused(
            f"`{short(text)}`: somebody has one number, and `{several[0]}` is several; leave it out here, and beside --who write `{name}.{stat}={low}..{high}`; only `te-forge odds` takes a range"
        )
    if other := taken_by(rules, state, name):
        raise Refused(
            f"`{other}` is there already; give somebody else another name"
            if other.startswith("the ")
            else f"`{other}` is there twice; give the second one another name"
        )
    info = replace(rules.system.pack, id="asked", requires={})
    page = Source("who", f"# Asked\n\n## example: {EXAMPLE}\n- {STAND_IN}: {with_ands(in_small_letters(rules, sheet_text))}\n")
    entry, found = check_example(page, info, rules.system, rules.once(names_of))
    wrong = next((one for one in found if one.severity == "error"), None)
    head = head_of(sheet_text)
    if wrong is not None and wrong.code in ("unknown-name", "unknown-kind") and head and f"`{head}`" in wrong.message:
        raise Refused(f"`{short(text)}`: {wrong.message.partition(';')[0]}{instead_of(rules, head)}")
    if wrong is not None:
        help = sorts_told(rules) if wrong.code == "unknown-kind" and not wrong.help.startswith("did you mean") else wrong.help
        raise Refused(f"`{short(text)}`: {wrong.message}" + (f"; {help}" if help and not wrong.message.endswith("?") else "").replace(STAND_IN, name))
    sheet = next((atom for one in (entry.fields.values() if entry else ()) for atom in one.value if isinstance(atom, m.Sheet | m.Holds)), None)
    if sheet is None:
        raise Refused(f"`{short(text)}` does not say who somebody is; write `Ann: {sort_of(rules)}`, or what else they are, with their numbers")
    if isinstance(sheet, m.Sheet) and any(id not in rules.entries for id in (sheet.kind, *(id for id, _ in sheet.stats))):
        raise Refused(f"`{short(text)}`: nothing is called `{EXAMPLE}`")
    if not can_be(rules, sheet):
        raise Refused(f"`{short(text)}`: nobody can be `{head}`{instead_of(rules, head)}")
    state = add_person(rules, state, name, sheet)
    for stat, number in sheet.stats if isinstance(sheet, m.Sheet) else ():
        within(rules, state, name, stat, number)
    return state


HEAD = re.compile(r"(an?\s+)([\w '’-]+?)(?=\s+with\b|\s+and\b|\s*,|\s*$)", re.IGNORECASE)
"""What somebody is, at the beginning of a line about them: `a Smith` of `a Smith with Might 3`."""


def head_of(sheet: str) -> str:
    found = HEAD.match(sheet)
    return found[2] if found is not None else ""


def can_be(rules: Rules, sheet: m.Sheet | m.Holds) -> bool:
    """Whether somebody can be what a line begins with: of a kind of those who act, or with a trait of theirs."""
    if isinstance(sheet, m.Holds):
        return rules.nature(sheet.type.kind or sheet.type.name) == "actor" or sheet.type.name == "actor"
    entry = rules.entries[sheet.kind]
    return entry.kind == "kind" or rules.nature(entry.kind) == "actor" or is_trait_of_somebody(rules, entry)


def is_trait_of_somebody(rules: Rules, entry: Entry) -> bool:
    info = rules.system.kinds.get(entry.kind)
    return info is not None and info.nature == "trait" and any(rules.nature(kind) == "actor" for kind in info.of)


def callings(rules: Rules) -> tuple[str, ...]:
    """The traits that somebody new may be called by, such as a class: of those kinds that examples do so with, or else all."""
    traits = [entry for entry in rules.entries.values() if is_trait_of_somebody(rules, entry)]
    sheets = (atom for one in rules.system.of_kind("example") for field in one.fields.values() for atom in field.value if isinstance(atom, m.Sheet))
    shown = {rules.entries[sheet.kind].kind for sheet in sheets if sheet.kind in rules.entries}
    return tuple(entry.name for entry in traits if entry.kind in shown) or tuple(entry.name for entry in traits)


def instead_of(rules: Rules, head: str) -> str:
    """What somebody can be, for one who has named something else: what was meant, and what there is."""
    found = rules.once(callings)
    kinds = [info.name for info in rules.system.kinds.values() if info.nature == "actor" and info.name != "actor"]
    near = did_you_mean(head, [*found, *kinds])
    told = sorts_told(rules) + (f", or one of these: {listed(found)}" if found else "")
    return f"{near} {told[:1].upper()}{told[1:]}" if near else f"; {told}"


def names_of(rules: Rules) -> Names:
    return names_from(rules.system)


def with_colon(text: str, sort: str) -> str:
    """`Ann a Smith` as it was meant: `Ann: a Smith`; of a mere name, somebody of a sort."""
    name, article, rest = re.split(r"\s(an?)\s", text, maxsplit=1) if re.search(r"\S\san?\s+\S", text) else (text, "", "")
    return f"{name}: {article} {rest}" if rest else f"{name}: {sort}"


def in_small_letters(rules: Rules, sheet: str) -> str:
    """`a Character` as `a character`: rules write a kind small, and people write it as it stands in a heading."""
    found = HEAD.match(sheet)
    if found is None:
        return sheet
    alike = [info.name for info in rules.system.kinds.values() if info.nature == "actor" and info.name.casefold() == found[2].casefold()]
    kind = next((one for one in alike if called(rules, one, lambda entry: entry.kind != "kind") is None), None)
    return f"{found[1].lower()}{kind}{sheet[found.end() :]}" if kind is not None else sheet


def with_ands(sheet: str) -> str:
    """`a Smith, Might 3, Wits 2 and Sly`, as people list things: of one who stands alone, the first comma before any `with` can only be that, and any
    other one an `and`.
    """
    before, comma, after = sheet.partition(",")
    if comma and not re.search(r"\bwith\b", before):
        sheet = f"{before.rstrip()} with {after.lstrip()}"
    return re.sub(r"\s*,\s*(?:and\s+)?", " and ", sheet)


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
    return [entry for entry in rules.entries.values() if is_actor(rules, entry)]


def is_actor(rules: Rules, entry: Entry) -> bool:
    """Whether an entry is somebody: of a kind that acts, or the one of whom there is one only."""
    return entry.id in rules.once(single_kinds) or (entry.kind != "kind" and rules.nature(entry.kind) == "actor")


def single_kinds(rules: Rules) -> frozenset[str]:
    return frozenset(info.id for info in rules.system.kinds.values() if info.single)


def actor_called(rules: Rules, name: str) -> Entry | None:
    return called(rules, name, lambda entry: is_actor(rules, entry))


def sorts_told(rules: Rules) -> str:
    """What somebody new can be: each kind of those who act, of whom there may be several."""
    sorts = [a(info.name) for info in rules.system.kinds.values() if info.nature == "actor" and not info.single and info.name != "actor"]
    return f"somebody new in {rules.system.pack.title} is {' or '.join(sorts)}" if sorts else "nobody new can come into this game"


def sort_of(rules: Rules) -> str:
    """`a character`, or what somebody can be in this game: its first kind of those who act, of whom there may be several."""
    kinds = [info.name for info in rules.system.kinds.values() if info.nature == "actor" and not info.single and info.name != "actor"]
    return a("character" if "character" in kinds else kinds[0] if kinds else "character")


def somebody(rules: Rules, state: State, name: str) -> tuple[State, str]:
    """Who is meant, by name. An entry that is somebody is there as soon as it is named."""
    name = name.strip().removeprefix("the ")
    for id, person in state.people.items():
        if slug(person.name) == slug(name):
            return state, id
    entry = actor_called(rules, name)
    if entry is None:
        near = did_you_mean(name, [*(person.name for person in state.people.values()), *(one.name for one in actors(rules))])
        raise Refused(f'nobody here is called `{name}`{near}; say who that is with --who "{name}: {sort_of(rules)}"')
    if entry.kind != "kind":
        state = replace(state, people=state.people.set(entry.id, Person(entry.name, entry.kind, entry.id)))
    return state, entry.id


# ---------------------------------------------------------------- roles


def with_roles(rules: Rules, state: State, procedure: Entry, said: Mapping[str, str]) -> tuple[State, dict[str, Value]]:
    roles: dict[str, Value] = {}
    if missing := [holds for holds in roles_of(procedure) if holds.word not in said]:
        needs = [f"{type_told(rules, holds.type)} as the {holds.word}" for holds in missing]
        newcomers = iter(NEWCOMERS)
        written = [f"{holds.word}={example_of(rules, holds.type, newcomers)}" for holds in missing]
        raise Refused(
            f"{procedure.name} needs {' and '.join(part for part in (', '.join(needs[:-1]), needs[-1]) if part)}; write `{' '.join(written)}`"
        )
    for holds in roles_of(procedure):
        state, roles[holds.word] = role_value(rules, state, holds, said[holds.word])
    refuse_twice(rules, state, procedure, roles)
    return state, roles


def refuse_twice(rules: Rules, state: State, procedure: Entry, roles: Mapping[str, Value]) -> None:
    """Nobody begins a procedure against themselves; a rule may well run one with the same person in two roles."""
    has: dict[str, str] = {}
    for holds in roles_of(procedure):
        place = f"among the {holds.word}" if holds.type.name == "group" else f"the {holds.word}"
        for one in as_group(roles[holds.word]) if holds.type.name in ("actor", "group") else ():
            if one in has:
                both = f"both {has[one]} and {place}" if has[one] != place else f"twice {place}"
                raise Refused(f"{named(rules, state, str(one))} cannot be {both}")
            has[str(one)] = place


def type_told(rules: Rules, type: m.Type) -> str:
    """`a hero`, `a group of heroes`."""
    info = rules.system.kinds.get(type.kind) if type.name == "group" else None
    return f"a group of {info.plural}" if info is not None else str(type).replace("a group of actor", "a group of people")


NEWCOMERS = ("Ann", "Ben", "Cy", "Di", "Eve", "Fay")


def example_of(rules: Rules, type: m.Type, newcomers: Iterator[str]) -> str:
    """What could stand in a role: somebody of the book, or the next newcomer, since nobody has two roles."""
    if type.name == "number":
        return "3"
    if type.name in ("actor", "group"):
        found = next((entry.name for entry in actors(rules) if rules.is_a(rules.kind_of(entry.id), type.kind) and type.kind not in ("actor", "")), "")
        return found or ",".join(islice(newcomers, 1 if type.name == "actor" else 2)) or ".."
    return next((entry.name for entry in rules.entries.values() if entry.kind == type.kind), "..")


def role_value(rules: Rules, state: State, holds: m.Holds, text: str) -> tuple[State, Value]:
    match holds.type.name:
        case "number":
            return state, whole(text, f"the {holds.word}")
        case "actor":
            if "," in text:
                raise Refused(f"the {holds.word} is one only, and `{text}` are several")
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
            found = called(rules, text, lambda entry: entry.kind == holds.type.kind)
            if found is None:
                fitting = [entry.name for entry in rules.system.of_kind(holds.type.kind)]
                raise Refused(f"there is no {holds.type.kind} called `{text}`{did_you_mean(text, fitting)}")
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
    text = text.removeprefix("+")
    if not re.fullmatch(r"-?\d{1,9}", text):
        if re.fullmatch(r"[+-]?[0-9]+", text.strip()):
            raise Refused(f"{what} has nine digits at most, so it cannot be `{text[:40]}`")
        if re.fullmatch(r"[\s\d+-]+(?:(?:\.\.|,)[\s\d+-]+)+", text):
            raise Refused(f"{what} is one number here, so it cannot be `{text[:40]}`; only `te-forge odds` takes several")
        raise Refused(f"{what} is a whole number, so it cannot be `{text[:40]}`")
    return int(text)


# ---------------------------------------------------------------- numbers


def with_stated(rules: Rules, state: State, key: str, text: str) -> tuple[State, str, str] | None:
    """The state with a number as it is stated, whose number it is and which; None when the key is not a number's name."""
    found = number_meant(rules, state, key)
    if found is None:
        return None
    state, holder, entry = found
    number = whole(text, f"{named(rules, state, holder)}'s {entry.name}")
    within(rules, state, holder, entry.id, number)
    return with_number(state, holder, entry.id, number), holder, entry.id


def number_meant(rules: Rules, state: State, key: str) -> tuple[State, str, Entry] | None:
    """Whose number is meant, and which; the state has them in it. None when the key is not a number's name."""
    whose, name = whose_what(rules, key)
    entry = number_called(rules, name)
    if entry is None:
        return None
    reading = Reading(rules, state)
    if whose and (thing := next((id for id in reading.things_with(entry.id) if is_called(rules.entries[id], whose)), None)) is not None:
        holder = thing
    elif whose:
        state, holder = somebody(rules, state, whose)
    else:
        holder = holder_of(rules, state, entry)
    if not Reading(rules, state).has_number(holder, entry.id):
        raise Refused(f"{named(rules, state, holder)} has no {entry.name}")
    return state, holder, entry


def whose_what(rules: Rules, key: str) -> tuple[str, str]:
    """`Ann.Luck` as `Ann` and `Luck`, and `Luck` as nobody's; a number may have dots in its name."""
    parts = key.split(".")
    for at in range(len(parts)):
        if number_called(rules, ".".join(parts[at:])) is not None:
            return ".".join(parts[:at]), ".".join(parts[at:])
    return ".".join(parts[:-1]), parts[-1]


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
