"""Characters for other programs."""

from __future__ import annotations

from pathlib import Path
from typing import get_type_hints

from te_forge.api.errors import PackError, Refused
from te_forge.api.given import a, fits, shown
from te_forge.characters.character import Answer, Character
from te_forge.characters.making import finished, make
from te_forge.characters.policies import decide_by, left_open
from te_forge.characters.reading import character_in, read_source
from te_forge.characters.roster import Roster, made_kinds
from te_forge.characters.writing import as_yaml
from te_forge.diagnostics import has_errors
from te_forge.engine.index import Rules
from te_forge.engine.people import bad_name
from te_forge.engine.policies import unknown
from te_forge.keys import fold
from te_forge.model.system import System
from te_forge.suggest import a as with_article
from te_forge.suggest import did_you_mean


def made(rules: Rules, name: str, kind: str | None, policy: str, seed: int) -> Character:
    if not fold(name):
        raise Refused("a name is needed")
    if why := unknown(policy) or bad_name(fold(name)):
        raise Refused(why)
    kinds = list(made_kinds(rules))
    if not kinds:
        raise Refused(f"{rules.system.pack.id} does not say how anybody is made")
    if kind is None and len(kinds) > 1:
        raise Refused(f"{rules.system.pack.id} says how several kinds are made; choose one: {', '.join(kinds)}")
    if kind is not None and kind not in kinds:
        raise Refused(f"{rules.system.pack.id} does not say how {with_article(kind)} is made{did_you_mean(kind, kinds)}")
    roster = Roster(rules, kind or kinds[0])
    assert roster.maker is not None
    run = make(roster, roster.maker, fold(name), decide_by(policy, seed))
    if run.failure:
        raise Refused(f"nobody can be made like this: {run.failure}")
    pack = rules.system.pack
    return left_open(finished(run, Character(fold(name), pack.id, pack.version, roster.kind, seed=seed)), roster)


def from_file(rules: Rules, path: Path) -> Character:
    source, found = read_source(path)
    character, more = character_in(source, rules) if source is not None else (None, [])
    if character is None or has_errors([*found, *more]):
        raise PackError([*found, *more])
    return character


def of_the_game(character: Character, system: System) -> Character:
    """Somebody, of whom this game knows everything. A character may come from another game, or have been put together by hand."""
    for name, wanted in get_type_hints(Character).items():
        value = getattr(character, name)
        if name not in ("making", "places", "now") and not fits(value, wanted):
            raise Refused(f"the {name} of a character must be {Character.__annotations__[name]}, and {shown(value)} is none")
    if not isinstance(character.making, tuple | None) or not all(isinstance(one, Answer) for one in character.making or ()):
        raise Refused(f"the making of a character is as it was made or read, and {shown(character.making)} is none")
    if character.now is not None:
        of_the_game(a(Character, character.now, "what a character is now is a Character", "leave it out"), system)
    known = system.entries
    lost = next((id for id in (*character.numbers, *(id for id, _ in character.bounds), *character.traits) if id not in known), "")
    if lost or character.kind not in system.kinds:
        raise Refused(f"there is no {lost or character.kind} in {system.pack.title}; {character.name} is of {character.pack}")
    return character


def as_text(rules: Rules, character: Character) -> str:
    return as_yaml(character, Roster(rules, character.kind))
