"""`te-forge new`: a pack that checks clean and prints at once, with the first things to change marked for a beginner."""

from __future__ import annotations

import re
from pathlib import Path

from te_forge.files import write_whole

GOOD = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*$")


class NotMade(Exception):
    """Why no pack was made, in a sentence."""


def make(folder: Path, extends: str | None) -> list[Path]:
    """Write a new pack into `folder` and return its files. Raises NotMade, before anything is written, when that cannot be done."""
    id = folder.name
    if not GOOD.match(id) or len(id) > 60:
        raise NotMade(f"a pack's name is made of small letters, digits and hyphens, such as my-game, not `{id}`")
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise NotMade(f"{folder} is already there; choose another name, or empty it first")
    title = id.replace("-", " ").title()
    files = derived(id, title, extends) if extends else alone(id, title)
    written = []
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, text.encode())
        written.append(path)
    return written


def head(id: str, title: str, more: str = "") -> str:
    return f"# The head of the pack. te-forge check tells what is wrong with it.\nid: {id}\ntitle: {title}\nversion: 0.1.0\n{more}"


def alone(id: str, title: str) -> dict[str, str]:
    return {"pack.yaml": head(id, title), "rules/01-game.te": GAME.replace("TITLE", title)}


def derived(id: str, title: str, extends: str) -> dict[str, str]:
    from te_forge.packs import load

    base = load(extends)
    if base.system is None:
        raise NotMade(f"there is no pack `{extends}` to build on")
    info = base.system.pack
    works = "".join(work(one.model_dump(exclude_none=True)) for one in info.sources)
    major = int(info.version.partition(".")[0])
    more = f"requires:\n  {info.id}: '>={info.version},<{major + 1}'\n"
    if works:
        more += "# The attribution that the rules below are owed. Keep it.\nsources:\n" + works
    for line in info.marks:
        more += f"marks:\n  - {quoted(line)}\n"
    return {"pack.yaml": head(id, title, more), "rules/01-changes.te": CHANGES.replace("TITLE", title).replace("BASE", info.title)}


def work(fields: dict[str, object]) -> str:
    lines = []
    for name, value in fields.items():
        if isinstance(value, tuple | list):
            if value:
                lines.append(f"{name}: [{', '.join(quoted(str(one)) for one in value)}]")
        else:
            lines.append(f"{name}: {quoted(str(value))}")
    return "".join(("  - " if not number else "    ") + line + "\n" for number, line in enumerate(lines))


def quoted(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


GAME = '''# TITLE
<!-- A page is a chapter of your book. Lines like this one are never printed. -->
This is a game for two or more people, one of whom is the gm.

## kind: gm
The one who speaks for the world.
- Is: an actor
- How Many: 1

## kind: hero
A person in one player's hands.
- Is: an actor

## kind: attribute
What a hero is born with.
- Is: a number of a hero

## kind: pool
Points that come and go.
- Is: a number

# Heroes
<!-- Add a row, and there is a new attribute. -->
[[Muscle]] and [[Wits]] begin at {Muscle's start}, and none goes above {Muscle's most}.

| attribute | Starts | At Most | text                           |
|-----------|--------|---------|--------------------------------|
| Muscle    | 2      | 5       | Lifting, running, holding on.  |
| Wits      | 2      | 5       | Seeing it before it is there.  |

## pool: Nerve
What it takes to go on. Everyone begins with {Nerve's start}.
- Of: a hero
- Starts: 3
- At Least: 0

# Playing
Whenever it gets quiet, the gm rolls for [[Trouble]].

## procedure: Try
When it could go either way, dice decide.
- Roles: a hero as the actor, an attribute as the attribute, a number as the difficulty
- Outcomes: Success, Failure
1. Roll. As many dice as the attribute is high; the highest one counts.
   - Dice: the actor rolls (the actor's attribute) d6 as the roll
2. Compare. A tie goes to the hero.
   - Good: if highest of the roll is at least the difficulty: the actor gains 1 Nerve; end with Success
   - Bad: otherwise: the actor loses 1 Nerve; end with Failure

## table: Trouble
Rolled by the gm whenever it gets quiet.

| d6  | row   | text                       | effect                       |
|-----|-------|----------------------------|------------------------------|
| 1-3 | Rain  | It begins to rain.         | -                            |
| 4-5 | Noise | Something moved out there. | each hero loses 1 Nerve      |
| 6   | Light | A friendly light.          | each hero gains 1 Nerve      |
'''

CHANGES = '''# TITLE
<!-- A page of your own, on top of BASE. Lines like this one are never printed. -->
This game is built on BASE. What is not said here is as it is there.

# New Skills
<!-- Add a row, and there is a new skill. -->

| skill | text                                          |
|-------|-----------------------------------------------|
| Herbs | Knowing which leaf heals and which does not.  |
'''
