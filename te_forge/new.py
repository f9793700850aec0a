"""A pack to start from: small, whole, and commented for somebody who has never written one.

It checks clean and makes a book at once, so that the first thing a designer sees is a rulebook, and every later mistake is a change away.
"""

from __future__ import annotations

import re
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from te_forge.compose import compose
from te_forge.compose.chosen import switched_on
from te_forge.compose.order import named
from te_forge.compose.tried import NotTried, at_table
from te_forge.diagnostics import Findings
from te_forge.files import Shelf, write_whole
from te_forge.model.pack import PackInfo
from te_forge.model.system import Entry, System, plain
from te_forge.packs import load
from te_forge.suggest import did_you_mean
from te_forge.tried import Tried
from te_forge.wheel import dependencies_of, package
from te_forge.whereabouts import COMPILED, known, shipped

ID = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*\Z")
LONGEST = 60
SENTENCE = re.compile(r".*?[.!?](?=\s|$)|.+")
PLAIN_NAME = re.compile(r"[^\W\d_][\w '’-]*\w")


class NotMade(Exception):
    """Why no pack was made, in words for the person who asked."""


@dataclass(frozen=True)
class Offer:
    """A hack that the new pack may have on: its name, what it does and needs in a line, whether it was asked for, and whether the packs below have it
    on.
    """

    name: str
    about: str
    on: bool = False
    on_below: bool = False


@dataclass(frozen=True)
class Base:
    """The pack that a new one builds on: its head, the hacks that it offers, and the pages that it gives games on it to begin with (`starter/*.te`)."""

    info: PackInfo
    hacks: tuple[Offer, ...]
    starter: dict[str, str]

    @property
    def id(self) -> str:
        return self.info.id

    @property
    def range(self) -> str:
        """This version and every later one that keeps its rules: `>=1.0,<2`."""
        major, minor, _ = self.info.version.split(".")
        return f">={major}.{minor},<{int(major) + 1}"


def make(folder: Path, extends: str | None = None, hacks: tuple[str, ...] = (), wheel: bool = False) -> list[Path]:
    """Write a new pack into `folder`, which must be new or empty, with these hacks of the pack that it extends on; the files written, in order. A
    `wheel` can be given to others as a package.
    """
    id = checked_name(folder)
    refuse_used(folder)
    if hacks and not extends:
        raise NotMade("--hack switches on a hack of another pack; name that one too, such as --extends srd-core")
    base = found_base(extends, folder, id, hacks) if extends else None
    made: list[Path] = []
    files = pages(id, base)
    if wheel:
        files |= package(id, files["README.md"], dependencies(base, folder.absolute().parent))
    for path, text in files.items():
        target = folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        write_whole(target, text.encode("utf-8"))
        made.append(target)
    return made


def dependencies(base: Base | None, beside: Path) -> list[str]:
    """The packages that the pack below the new one comes with, besides te_forge."""
    return dependencies_of(base.id, base.range, shipped(), beside) if base is not None else []


def checked_name(folder: Path) -> str:
    """The pack's id: the folder's own name."""
    name = folder.name
    if ID.match(name) and len(name) <= LONGEST:
        return name
    better = re.sub(r"[^a-z0-9]+", "-", name.casefold()).strip("-")
    hint = f"; how about `{better}`?" if ID.match(better) and len(better) <= LONGEST else ""
    raise NotMade(f"`{name}` cannot be a pack's name: small letters, digits and hyphens, {LONGEST} at most, a letter first{hint}")


def refuse_used(folder: Path) -> None:
    if folder.is_symlink() or (folder.exists() and not folder.is_dir()):
        raise NotMade(f"{folder} is not a folder; choose another name")
    if folder.is_dir() and any(folder.iterdir()):
        raise NotMade(f"the folder {folder} is not empty; choose another name")


def found_base(extends: str, folder: Path, id: str, hacks: tuple[str, ...]) -> Base:
    """The pack to build on: shipped, installed, or a neighbour of the new one (so that it is found again by its id)."""
    if extends == id:
        raise NotMade("a pack cannot build on itself; choose another name")
    extends = extends.removesuffix(COMPILED)
    beside = (folder.absolute().parent / extends, folder.absolute().parent / f"{extends}{COMPILED}")
    place = next((one for one in beside if one.is_file() or (one / "pack.yaml").is_file()), None)
    if not (extends in known() or (ID.match(extends) is not None and place is not None)):
        raise NotMade(
            f"there is no pack `{extends}` here; here for all are {', '.join(known())}, and packs beside the new one can be named too{did_you_mean(extends, known())}"
        )
    loaded = load(str(place) if place is not None else extends)
    if loaded.system is None:
        raise NotMade(f"the pack `{extends}` has mistakes; `te-forge check {extends}` lists them")
    return Base(loaded.system.pack, offers(loaded.system, hacks), starter(loaded.root))


def offers(system: System, wanted: tuple[str, ...]) -> tuple[Offer, ...]:
    """The hacks of a pack and of those below it; refuses to have on what is not there or does not go together."""
    try:
        table = at_table(system, Tried(hacks=wanted))
    except NotTried as reason:
        raise NotMade(str(reason)) from None
    before, on = switched_on(system), switched_on(table)
    wrong = next((one for one in compose(table, on).diagnostics if one.severity == "error"), None)
    if wanted and wrong is not None:
        raise NotMade(f"these hacks do not go together: {wrong.message}; {wrong.help}")
    return tuple(Offer(hack.name, about(hack, system), hack.id in on and hack.id not in before, hack.id in before) for hack in system.of_kind("hack"))


def about(hack: Entry, system: System) -> str:
    """What a hack does, in the first sentence of its prose, and what it needs."""
    text = plain(hack.prose[0].words) if hack.prose else ""
    first = SENTENCE.match(" ".join(text.split()))
    names = [system.entries[id].name for id in named(hack, "needs")]
    needs = f"Needs {' and '.join(names)}." if names else ""
    return " ".join(part for part in (first[0].strip() if first else "", needs) if part)


def starter(root: Path) -> dict[str, str]:
    """The pages that a pack offers to games built on it, by the path that they get there."""
    shelf = Shelf(root, Findings())
    texts = ((path, shelf.text(path)) for path in shelf.walk("starter") if path.suffix == ".te")
    return {f"rules/{path.name}": source.text for path, source in texts if source is not None}


def pages(id: str, base: Base | None) -> dict[str, str]:
    """The files of the new pack, by path."""
    title = " ".join(word.capitalize() for word in id.split("-"))
    if base is None:
        rules = {"rules/01-game.te": GAME, "rules/02-playing.te": PLAYING, "rules/03-parts.te": PARTS}
    else:
        rules = base.starter or {"rules/01-game.te": ON_ANY}
    requires = (
        ""
        if base is None
        else f"\n# The packs this one builds on, with the versions that will do.\nrequires:\n  {base.id}: '{base.range}'\n{owed(base.info)}"
    )
    hacks = offered(base.hacks, base.id) if base is not None and base.hacks else ""
    words = {"id": id, "title": title, "base": base.info.title if base else "", "requires": requires, "hacks": hacks}
    files = {"pack.yaml": HEAD, **rules, "README.md": README}
    return {path: filled(text, words) for path, text in files.items()}


def offered(hacks: tuple[Offer, ...], base: str) -> str:
    """The hacks of the base, as lines that are not in force until their # goes, but for those that were asked for."""
    some = any(one.on for one in hacks)
    open_ones = [one for one in hacks if not one.on_below]
    below = [one.name for one in hacks if one.on_below]
    text = "\n# Optional rules of the pack above. Take a # away to switch one on; `te-forge conflicts " + base + "` says which go together.\n"
    text += f"# On already in {base}: {', '.join(below)}.\n" if below else ""
    text += ("hacks:\n" if some else "# hacks:\n") if open_ones else ""
    return text + "".join(
        f"{'  ' if one.on else '  # ' if some else '#   '}- {as_name(one.name)}{f'  # {one.about}' if one.about else ''}\n" for one in open_ones
    )


def as_name(name: str) -> str:
    """A name as YAML."""
    return name if PLAIN_NAME.fullmatch(name) else quoted(name)


def owed(info: PackInfo) -> str:
    """The works that a derived pack must go on naming, and the marks that it goes on carrying."""
    text = "".join(work({name: value for name, value in asdict(one).items() if value is not None}) for one in info.sources)
    if text:
        text = f"\n# The attribution that those rules are owed. Keep it.\nsources:\n{text}"
    return text + ("marks:\n" + "".join(f"  - {quoted(mark)}\n" for mark in info.marks) if info.marks else "")


def work(fields: dict[str, Any]) -> str:
    """One item of `sources` as YAML."""
    lines = []
    for name, value in fields.items():
        if isinstance(value, tuple):
            lines += [f"{name}: [{', '.join(quoted(one) for one in value)}]"] if value else []
        else:
            lines.append(f"{name}: {quoted(value)}")
    return "".join(("    " if number else "  - ") + line + "\n" for number, line in enumerate(lines))


def quoted(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


def filled(text: str, words: dict[str, str]) -> str:
    for name, word in words.items():
        text = text.replace(f"@{name}@", word)
    return text


HEAD = """\
# The head of the pack. A line that begins with # is a note to yourself.

# The permanent name. It never changes, whatever the game will be called.
id: @id@

# What stands on the cover.
title: @title@
version: 0.1.0
authors:
  - Your Name

# The license of your own text. Take the # away when you have chosen one.
# license: CC BY 4.0
# license_url: https://creativecommons.org/licenses/by/4.0/
@requires@@hacks@"""

README = """\
# @title@

A game as text. The rules are in `rules/`, one chapter or more a file, and `pack.yaml` says whose they are.

    te-forge check .          find every mistake, with file and line
    te-forge serve .          read the book in the browser while you write
    te-forge test .           play the examples
    te-forge play .           play a scene in the terminal; `roll` makes one roll, and `odds` counts out how likely it is
    te-forge fmt .            put the pages in order
    te-forge build . -o ../@id@-book

Pictures go into `assets/`; a page shows one with `![what it shows](assets/map.png)`.
"""

GAME = """\
# @title@

<!-- A line like this one is a note to yourself: it is never printed. -->

A game about people in over their heads. Everybody plays one character; one person, the gm, plays everything else.

# Characters

Every attribute starts at {Brawn's start}, and none rises above {Brawn's most}.

<!-- A table whose first column is a kind makes one thing of it in each row. Try it: add a row. -->

| attribute | text                                 |
|-----------|--------------------------------------|
| Brawn     | Lifting, running, holding on.        |
| Wits      | Noticing, remembering, fast talking. |

## pool: Luck
What is left of it. A new character has {Luck's start}.
- Of: a character
- Starts: 3
- At Least: 0
"""

PLAYING = """\
# Playing

When something is hard and failing would be interesting, make a [[Test]].

## procedure: Session
One evening at the table.

## procedure: Scene
One place and one stretch of time.
- Part Of: Session

<!-- A procedure is played step by step. The lines below a step are what it does. -->

## procedure: Test
- Part Of: Scene
- Roles: a character as the hero
- Outcomes: Success, Failure

| value | holds    | default | text                  |
|-------|----------|---------|-----------------------|
| roll  | dice     | nothing | the dice on the table |
| hits  | a number | 0       | how many show a six   |

1. Choose. Say what you do; the gm says which attribute it takes.
   - Attribute: the gm chooses an attribute as the attribute; the pool is the hero's attribute
2. Roll. As many dice as the attribute is high.
   - Dice: the hero rolls (the pool) d6 as the roll
3. Count. A single six is enough.
   - Hits: the hero's hits is number of dice showing 6 in the hero's roll
   - Success: if the hero's hits is above 0: end with Success
   - Failure: otherwise: end with Failure

## rule: Bad Luck Is Luck
The world owes you one.
- Comfort: after Test ending in Failure: the hero gains 1 Luck

# Trouble

Whenever it gets quiet, the gm rolls for [[Trouble]].

<!-- A table whose first column is a die is rolled. Its rows cover every number of the die. -->

## table: Trouble

| d6  | row   | text                               | effect                       |
|-----|-------|------------------------------------|------------------------------|
| 1-3 | Rain  | It begins to rain.                 | -                            |
| 4-5 | Noise | Something moved out there.         | each character loses 1 Luck  |
| 6   | Light | A light in a window, and a friend. | each character gains 1 Luck  |
"""

PARTS = """\
# What There Is

<!-- A kind says what there is in the game. Whatever is written with a capital letter on the other pages is one of these. The order of the pages is that of the book: readers want to play first. -->

## kind: gm
The person who speaks for the world.
- Is: an actor
- How Many: 1

## kind: character
Somebody in the story, in the hands of one player.
- Is: an actor

## kind: attribute
What somebody is made of.
- Is: a number of a character
- Starts: 2
- At Most: 5

## kind: pool
A store of points that rises and falls.
- Is: a number
"""

ON_ANY = """\
# @title@

<!-- A line like this one is a note to yourself: it is never printed. -->

A game built on @base@. All of its rules hold here; this page says what is different.

<!-- Write `## kind: Name`, with a kind of @base@, to add a thing; `te-forge check .` says what it does not understand. -->
"""
