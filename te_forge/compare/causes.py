"""Which hack or reading did it, and where it says so."""

from __future__ import annotations

from dataclasses import replace

from te_forge.compare.change import Change
from te_forge.compare.game import Game
from te_forge.compose.operations import PROSE, ROWS, SLOTS, Operation
from te_forge.keys import slug
from te_forge.model.system import Ref, plain

WHOLE = ("entry", "chapter")


def credited(change: Change, before: Game, after: Game) -> Change:
    """The change with those who made it: hacks that are on in the later game, or that were on in the earlier one."""
    for game in (after, before):
        done = deeds(change, game)
        by = tuple(dict.fromkeys(one.hack for one in done)) or owner(change, game)
        if not by or set(by) <= set((before if game is after else after).on):
            continue
        place = done[-1].span if done and game is after and change.after is not None else None
        side = replace(change.after, place=place) if place is not None and change.after is not None else change.after
        return replace(change, by=by, after=side, heir=heir(change.id, done, game) if change.verb == "removed" and change.part == "entry" else "")
    return change


def heir(id: str, done: list[Operation], game: Game) -> str:
    """What stands in place of something that was deleted, as it is called in the game."""
    last = next((str(one.what) for one in done if one.verb == "delete" and one.target == id and one.what), "")
    return game.played.entries[last].name if last in game.played.entries else ""


def owner(change: Change, game: Game) -> tuple[str, ...]:
    found = game.owner(change.id) if change.part == "entry" else ""
    return (found,) if found and found in game.on else ()


def deeds(change: Change, game: Game) -> list[Operation]:
    """What was done to the place of a change, or around it; else what took away or renamed a thing that the earlier words name."""
    direct = [one for one in game.done.get(change.id, ()) if fits(one, change)]
    if not direct and change.part in WHOLE and change.verb == "renamed" and change.before is not None:
        was = plain(change.before.words)
        return [one for one in game.renames if one.target in game.written.entries and game.written.entries[one.target].name in was]
    if direct or change.part in WHOLE:
        return direct or of_owner(change, game)
    named = {word.id.partition("#")[0] for word in (change.before.words if change.before is not None else ()) if isinstance(word, Ref)}
    return [one for id in sorted(named) for one in game.done.get(id, ()) if one.verb in ("delete", "rename")]


def of_owner(change: Change, game: Game) -> list[Operation]:
    """A part goes with what it is a part of."""
    entry = game.written.entries.get(change.id)
    while entry is not None and entry.owner is not None:
        if found := [one for one in game.done.get(entry.owner, ()) if one.verb == "delete"]:
            return found
        entry = game.written.entries.get(entry.owner)
    return []


def fits(one: Operation, change: Change) -> bool:
    match one.verb:
        case "delete":
            return change.part in WHOLE and change.verb == "removed"
        case "rename":
            return change.part in WHOLE and change.verb == "renamed"
    if one.path == (PROSE,):
        return change.part == "text" and not change.path
    path = tuple(map(slug, change.path))
    if one.path == (PROSE,):
        return change.part == "text" and not path
    if one.path[:1] in ((ROWS,), (SLOTS,)):
        return bool(path) and path[0] == slug(one.label)
    if change.part == "text":  # what is said of a step or of what it stands in; its lines are other places
        return bool(path) and one.path in ((*path, PROSE), *(path[:end] for end in range(1, len(path) + 1)))
    length = min(len(path), len(one.path))
    return bool(length) and path[:length] == one.path[:length]
