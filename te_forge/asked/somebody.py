"""Who is there, from the words of a command line: somebody new as in an example, or somebody of the book."""

from __future__ import annotations

import re
from dataclasses import replace

from te_forge.asked.called import Refused, called
from te_forge.check import check_example
from te_forge.check.names import Names
from te_forge.check.required import names_from
from te_forge.engine.index import Rules
from te_forge.engine.people import add_person, bad_name, taken_by
from te_forge.engine.reading import Reading
from te_forge.engine.state import Person, State
from te_forge.keys import fold, slug
from te_forge.model import rules as m
from te_forge.model.system import Entry
from te_forge.source import Source
from te_forge.suggest import a, did_you_mean, listed

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
    name, sheet_text = fold(name), with_article(rules, sheet_text)
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
    if wrong is not None and wrong.message.startswith(f"`{EXAMPLE}` is an example"):  # the one that stands here, and in no book
        raise Refused(f"`{short(text)}`: nothing is called `{EXAMPLE}`")
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


BARE_HEAD = re.compile(r"(?!an?\s)([^\W\d_][\w'’-]*)(?=\s+with\b|\s+and\b|\s*,|\s*$)")


def with_article(rules: Rules, sheet: str) -> str:
    """`hero with Might 3` as `a hero with Might 3`, where that is what somebody can be."""
    found = BARE_HEAD.match(sheet)
    known = found is not None and (
        rules.nature(found[1].lower()) == "actor"
        or any(is_trait_of_somebody(rules, one) and slug(one.name) == slug(found[1]) for one in rules.entries.values())
    )
    return f"{a(found[1])}{sheet[found.end() :]}" if found is not None and (known or found[1].islower()) else sheet


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
