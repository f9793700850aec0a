"""Characters for other programs."""

from __future__ import annotations

from pathlib import Path

from te_forge.api.errors import PackError, Refused
from te_forge.characters.character import Character
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
from te_forge.suggest import a, did_you_mean


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
        raise Refused(f"{rules.system.pack.id} does not say how {a(kind)} is made{did_you_mean(kind, kinds)}")
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


def as_text(rules: Rules, character: Character) -> str:
    return as_yaml(character, Roster(rules, character.kind))
